//! `ovlint info`: summarises models, in a page or a row each.

use super::files::{ModelFileArgs, all_local, no_input};
use super::settings::Resolver;
use super::show::width_of_lines;
use super::subject::print_json;
use super::{ModelArgs, Run, complain, exit, print};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::internal_error::failed_on;
use ovlint::internal::input::{Bounds, InputFile};
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::{Folder, Opened, Overview, check, folders};
use ovlint::internal::query::info::{Info, info};
use ovlint::internal::query::snapshot::hexadecimal;
use ovlint::internal::remote::Listings;
use ovlint::internal::report::views::info::{card, csv, json, markdown, table, text, together};
use ovlint::internal::report::views::pipeline;
use ovlint::internal::{Model, Options};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct InfoArgs {
    /// Models (.xml) or their URLs, or folders to search for models
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Show the digests of both files; reads all weights
    #[arg(long)]
    sha256: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    files: ModelFileArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A page for each model
    Text,
    /// One line for each model
    Concise,
    /// One JSON object
    Json,
    /// Comma-separated values, one line per model
    Csv,
    /// Markdown: a page for one model, a table of several
    Md,
}

pub(crate) fn run(args: &InfoArgs) -> Run {
    let options = args.model_args.options()?;
    let (inputs, resolver) = args.files.models(&args.paths, options.limits)?;
    if args.sha256 {
        all_local("--sha256 reads whole files", &inputs)?;
    }
    if inputs.is_empty() {
        return Ok(no_input());
    }
    let (mut code, mut all, mut gap) = (exit::CLEAN, Vec::new(), "");
    let mut oldest = Vec::new();
    for input in &inputs {
        let page = contained(|| page(input, &resolver.options_for(input, &options), args.sha256));
        match page.unwrap_or_else(|failure| Err((exit::BROKEN, failed_on(input, &failure)))) {
            Ok(info) if args.format == Format::Text => {
                print(&format!("{gap}{}", text(&info, input)));
                gap = "\n";
                oldest.extend(info.needs.map(|needs| (input.as_path(), needs)));
            }
            Ok(info) => all.push((input.as_path(), info)),
            Err((failed, message)) => {
                complain(&message);
                code = code.max(failed);
            }
        }
    }
    let mut pipelines = pipelines(&inputs, &args.paths, &resolver, &options);
    for (index, settings) in resolver.all().iter().enumerate() {
        let own = inputs
            .iter()
            .enumerate()
            .filter(|(_, file)| resolver.index_of(file) == index && is_below(file, &args.paths));
        let folder = settings.linked(own.map(|(at, file)| (at, file.as_path())))?;
        pipelines.extend(folder.and_then(|folder| overview(&folder, &inputs, &resolver, &options)));
    }
    match args.format {
        Format::Text if oldest.len() > 1 => {
            print(&format!("\n{}", together(oldest.iter().map(|(path, oldest)| (*path, oldest)))));
        }
        Format::Text => {}
        Format::Json => code = code.max(print_json(json(&all, &pipelines))?),
        Format::Concise => print(&table(&all, width_of_lines())),
        Format::Csv => print(&csv(&all)),
        Format::Md if inputs.len() == 1 => all.iter().for_each(|one| print(&card(one))),
        Format::Md => print(&markdown(&all)),
    }
    if args.format == Format::Text {
        for one in &pipelines {
            print(&format!("\n{}", pipeline::text(one)));
        }
    }
    Ok(code)
}

/// Returns the pipelines that the given folders hold.
pub(super) fn pipelines(
    inputs: &[PathBuf],
    given: &[PathBuf],
    resolver: &Resolver,
    options: &Options,
) -> Vec<Overview> {
    let given: Vec<PathBuf> = given.iter().filter(|path| path.is_dir()).cloned().collect();
    let below = |file: &'_ PathBuf| if is_below(file, &given) { file.clone() } else { PathBuf::new() };
    let below: Vec<PathBuf> = inputs.iter().map(below).collect();
    let below: Vec<&Path> = below.iter().map(PathBuf::as_path).collect();
    let folders = folders(&below, &given, Listings::default()).into_iter();
    folders.filter_map(|folder| overview(&folder, inputs, resolver, options)).collect()
}

/// Whether a file lies in a given folder.
fn is_below(file: &Path, given: &[PathBuf]) -> bool {
    given.iter().any(|given| given.is_dir() && file.starts_with(given))
}

/// Returns the pipeline of a folder whose members are among the inputs.
fn overview(folder: &Folder, inputs: &[PathBuf], resolver: &Resolver, options: &Options) -> Option<Overview> {
    let open = |(_, file): &(String, usize)| {
        let file = inputs.get(*file)?;
        Model::open(file, &resolver.options_for(file, options)).ok()
    };
    let models: Vec<Option<Model>> = folder.members.iter().map(open).collect();
    let models: Vec<Option<&Model>> = models.iter().map(Option::as_ref).collect();
    let bounds = Bounds::around(&folder.path);
    contained(|| check(Opened { folder, models: &models }, &[], Some(&bounds), None)).ok()?.overview
}

/// Returns the facts about one model, or the exit code and the reason.
fn page(path: &Path, options: &Options, with_digests: bool) -> Result<Info, (u8, String)> {
    let model = Model::open(path, options).map_err(|error| (exit::BROKEN, error.to_string()))?;
    let Some(mut found) = info(&model) else {
        let why = model.findings().first().map(|finding| finding.message.shown().to_owned()).unwrap_or_default();
        return Err((exit::FINDINGS, format!("{}: {why}", path.display())));
    };
    let digest =
        |path: &Path| sha256(path).map_err(|error| (exit::BROKEN, format!("cannot read {}: {error}", path.display())));
    if with_digests {
        let weights = model.weights();
        let bin = weights.path.as_deref().filter(|_| weights.is_available());
        found.weights_sha256 = bin.map(digest).transpose()?;
        found.xml_sha256 = Some(digest(path)?);
    }
    model.intact().map_err(|error| (exit::BROKEN, error.to_string()))?;
    Ok(found)
}

/// The number of bytes read at once.
const CHUNK: u64 = 1 << 20;

fn sha256(path: &Path) -> std::io::Result<String> {
    let (mut hasher, file) = (Sha256::new(), InputFile::open(path)?);
    let mut at = 0;
    while at < file.length() {
        let size = usize::try_from(CHUNK.min(file.length() - at)).map_err(std::io::Error::other)?;
        hasher.update(file.read_at(at, size)?);
        at += size as u64;
    }
    file.unchanged()?;
    Ok(hexadecimal(&hasher.finalize()))
}
