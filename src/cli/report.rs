//! `ovlint report`: writes models as an HTML page.

use super::files::{FileArgs, Input, Kind, no_input};
use super::parallel::{in_order, jobs};
use super::progress::Progress;
use super::settings::{FindingsArgs, Resolver, bounded};
use super::units::{Unit, units};
use super::what_if::{ShapeArgs, explained, message};
use super::{ModelArgs, Run, complain, exit, print, shown};
use clap::Args;
use ovlint::internal::atomic::{self, Existing};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::diagnostic::internal_error::failed_on;
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::{Aside, InPipeline, Overview};
use ovlint::internal::policy::Settings;
use ovlint::internal::report::views::html::{self, Entry, Folder, START, page, pipelines};
use ovlint::internal::report::{ModelReport, Pipeline, Summary};
use ovlint::internal::text::counted;
use ovlint::internal::{Model, Options};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    files: FileArgs,
    /// Page to write; an existing file is overwritten only if it is an ovlint report
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
    /// Maximum number of models that can be opened in the page; those with the most errors come first
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_models: usize,
    /// Number of files to check in parallel; by default one per core, or 64 for files on servers
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    findings: FindingsArgs,
    #[command(flatten)]
    shape_args: ShapeArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &ReportArgs) -> Run {
    let mut resolver = Resolver::of_findings(&args.findings)?;
    let found = args.files.find(&mut resolver, args.model_args.limits.limits(), None)?;
    if FileArgs::lack(&found) {
        return Ok(no_input());
    }
    may_write(&args.output)?;
    let options = Options { device: args.findings.device, ..args.shape_args.with(args.model_args.options()?) };
    let mut pages = Pages { most: args.max_models, ..Pages::default() };
    let mut code = if found.is_partial { exit::BROKEN } else { exit::CLEAN };
    let mut progress = Progress::on_terminal(found.inputs.len(), Instant::now(), true);
    let folder = Folder::of(found.inputs.iter().map(|input| input.path.as_path()));
    let units = units(&found.inputs, &args.files.paths, None, found.listings.clone(), &resolver)?;
    let mut asides = Vec::new();
    let mut overviews = Vec::new();
    in_order(
        &units,
        jobs(args.jobs, found.inputs.iter().map(|input| input.path.as_path())),
        |unit| entries_of(unit, &resolver, &options, &folder),
        |(entries, pipelines, others)| {
            asides.extend(others);
            overviews.extend(pipelines.into_iter().map(|one| at_entry(one.overview, pages.all.len())));
            for (input, page) in entries {
                progress.step(|| match page {
                    Ok(page) => pages.add(page),
                    Err(why) => {
                        complain(&why);
                        code = exit::BROKEN;
                        pages.add(Entry::unread(&input.path, &why, &folder));
                    }
                });
            }
            true
        },
    );
    progress.clear();
    let faults = asides.iter().filter(|(severity, _)| *severity == Severity::Error).count();
    let notes: Vec<String> = found
        .rest(&resolver)
        .not_checked()
        .map(|files| format!("left out: {files}"))
        .into_iter()
        .chain(pages.note())
        .chain(asides.into_iter().map(|(_, text)| text))
        .collect();
    for note in &notes {
        complain(note);
    }
    let note = Some(folder.hide(&notes.join("\n"))).filter(|note| !note.is_empty());
    let drawn = pipelines(&overviews, &pages.all, &folder);
    let text = page(&pages.all, &drawn, note.as_deref(), faults).map_err(|error| error.to_string())?;
    atomic::write(&args.output, Existing::Replace, text.as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", args.output.display()))?;
    print(&format!("wrote {}: {}\n", shown(&args.output), counted(pages.all.len(), "model")));
    Ok(code)
}

/// A model and its entry of the page, or the reason why it cannot be checked.
type Page<'i> = (&'i Input, Result<Entry, String>);

/// Refers to the members of a pipeline by their entries, which follow each other.
fn at_entry(mut overview: Overview, first: usize) -> Overview {
    overview.members.iter_mut().for_each(|part| part.model += first);
    overview
}

/// Returns the entries of a file or of pipelines, the pipelines, and the findings about files that are no models, with their severity.
fn entries_of<'i>(
    unit: &Unit<'i>,
    resolver: &Resolver,
    options: &Options,
    page_folder: &Folder,
) -> (Vec<Page<'i>>, Vec<Pipeline>, Vec<(Severity, String)>) {
    let settings = |input: &Input| resolver.settings(input.settings);
    let open = |input: &&Input| {
        contained(|| opened(input, settings(input), options))
            .unwrap_or_else(|failure| Err(failed_on(&input.path, &failure)))
    };
    let all: Vec<Result<Model, String>> = unit.inputs.iter().map(open).collect();
    let models: Vec<Option<&Model>> = all.iter().map(|model| model.as_ref().ok()).collect();
    let checked = unit.pipelines(&models, |input| settings(input).loaders_for(&input.path, options.device), None);
    let aside = |aside: Aside| {
        let path = aside.path;
        let first = unit.inputs.first().map(|first| settings(first).judge_aside(&path, aside.findings).0);
        first.unwrap_or_default().into_iter().map(move |finding| (finding.severity, html::aside(&path, &finding)))
    };
    let asides = checked.others.into_iter().flat_map(aside).collect();
    let entry = |(index, (input, model)): (usize, (&&'i Input, Result<Model, String>))| {
        let entry = model.and_then(|model| {
            contained(|| entry_of(input, &model, settings(input), checked.roles.get(index), page_folder))
                .unwrap_or_else(|failure| Err(failed_on(&input.path, &failure)))
        });
        (*input, entry)
    };
    (unit.inputs.iter().zip(all).enumerate().map(entry).collect(), checked.pipelines, asides)
}

/// Opens a model.
fn opened(input: &Input, settings: &Settings, options: &Options) -> Result<Model, String> {
    let path = input.path.as_path();
    let options = settings.options(bounded(settings.with_weights(path, options), input.bounds.clone()).into_owned());
    let options = settings.selection_for(path).options(options);
    let opened = Model::open(path, &options).map_err(|error| message(&error))?;
    let opened = if options.shapes.is_empty() { opened } else { explained(opened) };
    Ok(if input.kind == Kind::Damaged { opened.in_doubt() } else { opened })
}

/// Returns a model's entry of the page.
fn entry_of(
    input: &Input,
    opened: &Model,
    settings: &Settings,
    role: Option<&InPipeline>,
    folder: &Folder,
) -> Result<Entry, String> {
    let path = input.path.as_path();
    let judged = settings.judge_in(path, opened, role);
    let report =
        ModelReport { suppressed: &judged.hidden.suppressed, ..ModelReport::of(path, opened, &judged.findings) };
    let mut summary = Summary::default();
    summary.add(&report);
    (summary.layers, summary.tensors) = opened.size();
    summary.hide(&judged.hidden, None);
    let entry = Entry::of(&report, opened, &summary, folder).map_err(|error| error.to_string())?;
    opened.intact().map_err(|error| error.to_string())?;
    Ok(entry)
}

/// The entries so far; only `most` of them can be opened.
#[derive(Default)]
struct Pages {
    all: Vec<Entry>,
    /// The indices of the entries that can be opened.
    open: Vec<usize>,
    most: usize,
    closed: usize,
}

impl Pages {
    fn add(&mut self, entry: Entry) {
        self.open.extend(entry.is_open().then_some(self.all.len()));
        self.all.push(entry);
        if self.open.len() <= self.most {
            return;
        }
        // Of the models with the fewest errors, close the last one.
        let least = self.open.iter().rev().min_by_key(|at| self.all[**at].urgency()).copied();
        self.open.retain(|at| Some(*at) != least);
        if let Some(least) = least {
            self.all[least].close(&format!("not in this page: --max-models is {}", self.most));
            self.closed += 1;
        }
    }

    /// Returns the note about entries that cannot be opened.
    fn note(&self) -> Option<String> {
        let (closed, most) = (counted(self.closed, "model"), self.most);
        (self.closed > 0).then(|| {
            format!(
                "{closed} of {} cannot be opened in the page, which holds {most}: raise --max-models",
                self.all.len()
            )
        })
    }
}

/// Fails if writing a page to `path` would overwrite a file that is not such a page.
fn may_write(path: &Path) -> Result<(), String> {
    let name = path.display();
    let mut start = Vec::new();
    if path.is_file() {
        let read = File::open(path).and_then(|file| file.take(START.len() as u64).read_to_end(&mut start));
        read.map_err(|error| format!("cannot read {name}: {error}"))?;
        if !start.is_empty() && start != START.as_bytes() {
            return Err(format!("{name} exists and is not an ovlint report; choose another file"));
        }
    }
    atomic::probe(path).map_err(|error| format!("cannot write {name}: {error}"))
}
