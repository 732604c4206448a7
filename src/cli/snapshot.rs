//! `ovlint snapshot`: compares or writes shape reports beside the models.

use super::color::ColorArgs;
use super::files::{Chooser, ModelFileArgs, all_exist, all_local, no_input};
use super::info::pipelines;
use super::parallel::in_order;
use super::{ModelArgs, Run, complain, exit, print, print_diff, shown};
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::internal_error::failed_on;
use ovlint::internal::input::Bounds;
use ovlint::internal::ir::WeightsOption;
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::Overview;
use ovlint::internal::query::snapshot::{
    Comparison, ENDING, Request, SnapshotError, check, committed, snapshot_path, update,
};
use ovlint::internal::report::views::pipeline as views;
use ovlint::internal::text::{counted, plain_text};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct SnapshotArgs {
    /// Whether to compare the models with their snapshots or to update the snapshots
    action: Action,
    /// Models (.xml), their snapshots, or folders to search for both
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Also write a digest of all constants, which `check` then compares
    #[arg(long)]
    with_weights: bool,
    /// Delete snapshots without a model
    #[arg(long)]
    prune: bool,
    /// Use the shapes that files declare where weights are missing
    #[arg(long)]
    assume: bool,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    files: ModelFileArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Action {
    /// Compare; exit with 1 and print a unified diff if a model differs from its snapshot
    Check,
    /// Write the snapshots that are missing or out of date
    Update,
}

/// The maximum number of models without weights that are named, and of diffs that are printed.
const NAMED: usize = 3;

/// The maximum number of lines about models, which keeps them on one screen.
const LINES: usize = 16;

/// The totals of all runs.
#[derive(Default)]
struct Count {
    models: usize,
    differ: usize,
    missing: usize,
    stale: usize,
    /// The pipelines that differ, or were written.
    pipelines: usize,
    broken: usize,
    without_weights: usize,
    /// The models of which declared shapes were compared.
    declared: usize,
    unwritten: usize,
    /// The lines printed about models, and those left out.
    lines: usize,
    left_out: usize,
    code: u8,
}

impl Count {
    /// Prints a line about a model, unless there are too many.
    fn line(&mut self, text: &str) {
        self.lines += 1;
        if self.lines <= LINES { print(text) } else { self.left_out += 1 }
    }
}

pub(crate) fn run(args: &SnapshotArgs) -> Run {
    args.color.apply();
    let options = args.model_args.options()?;
    let wanted = std::env::var("OVLINT_UPDATE").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "no" | "false"));
    all_local("snapshots are files beside their models", &args.paths)?;
    let writes = args.action == Action::Update || wanted;
    let paths: Vec<PathBuf> = args.paths.iter().map(|path| folder_of(path)).collect();
    let ((models, stale), resolver) = args.files.choose(options.limits, |chooser| inputs(chooser, &paths))?;
    if models.is_empty() && stale.is_empty() {
        return Ok(no_input());
    }
    if writes {
        all_exist(&models).map_err(|missing| format!("{missing}, so nothing was written"))?;
    }
    let mut count = Count { models: models.len(), ..Count::default() };
    in_order(
        &models,
        0,
        |model| {
            let options = resolver.options_for(model, &options);
            let assume = args.assume || options.weights == WeightsOption::AutoOrSkip;
            let request = Request { options: &options, assume, weights: args.with_weights };
            (model, contained(|| if writes { update(model, &request) } else { check(model, &request) }))
        },
        |(model, result)| {
            match result {
                Ok(result) => report(model, result, writes, &mut count),
                Err(failure) => broken(&failed_on(model, &failure), &mut count),
            }
            true
        },
    );
    // Without its weights a model may have other shapes.
    if count.broken + count.without_weights + count.declared == 0 {
        for one in pipelines(&models, &paths, &resolver, &options) {
            report_pipeline(&one, writes, &mut count);
        }
    }
    for path in &stale {
        report_stale(path, writes && args.prune, &mut count);
    }
    summary(&count, writes);
    Ok(count.code)
}

/// The name of the snapshot of a pipeline, in its folder.
const PIPELINE: &str = "pipeline.ovshapes";

/// Whether a path is that of the snapshot of a pipeline, and of no model.
fn is_of_pipeline(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == PIPELINE) && !path.with_extension("xml").exists()
}

/// Returns the folder of the pipeline if a path is that of its snapshot, or else the path.
fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|_| is_of_pipeline(path));
    folder.map_or(path, |folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).to_owned()
}

fn report_pipeline(pipeline: &Overview, writes: bool, count: &mut Count) {
    let path = pipeline.path.join(PIPELINE);
    if path.with_extension("xml").exists() {
        return;
    }
    let bounds = Bounds::around(&pipeline.path);
    match committed((&path, &pipeline.path), &views::snapshot(pipeline), Some(&bounds), writes) {
        Ok(Comparison::Differs(_, diff)) if !writes => {
            print_diff(&diff);
            count.code = count.code.max(exit::FINDINGS);
            count.pipelines += 1;
        }
        Ok(found @ (Comparison::Missing | Comparison::Differs(..))) if writes => {
            let done = if found == Comparison::Missing { "written" } else { "updated" };
            count.line(&format!("{}: {done}\n", shown(&path)));
            count.pipelines += 1;
        }
        Ok(_) => {}
        Err(error) => {
            complain(&error.to_string());
            count.code = exit::BROKEN;
        }
    }
}

/// Returns the models, and the snapshots without a model, among the named paths and in the named folders.
fn inputs(chooser: &mut Chooser, paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<PathBuf>), String> {
    let is_snapshot = |path: &Path| path.extension().is_some_and(|ending| ending == ENDING);
    let model = |path: &Path| if is_snapshot(path) { path.with_extension("xml") } else { path.to_owned() };
    let mut stale: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path.is_dir() {
            for snapshot in chooser.below(path, ENDING)? {
                if chooser.admits(&model(&snapshot))? {
                    stale.push(snapshot);
                }
            }
        } else if is_snapshot(path) {
            stale.push(path.clone());
        }
    }
    stale.retain(|path| !model(path).exists());
    let named: Vec<PathBuf> = paths.iter().map(|path| model(path)).collect();
    let mut models = chooser.models(&named)?;
    models.retain(|path| !stale.contains(&snapshot_path(path)));
    let has_models =
        |path: &Path| models.iter().any(|model| path.parent().is_some_and(|folder| model.starts_with(folder)));
    stale.retain(|path| !is_of_pipeline(path) || !has_models(path));
    Ok((models, stale))
}

fn report(model: &Path, result: Result<Comparison, SnapshotError>, writes: bool, count: &mut Count) {
    let snapshot = shown(&snapshot_path(model));
    let found = if writes { exit::CLEAN } else { exit::FINDINGS };
    match result {
        Ok(Comparison::Same(missing)) => count.declared += usize::from(missing.is_some()),
        Ok(Comparison::Differs(first, diff)) => {
            count.differ += 1;
            let first = first.filter(|_| !writes).map(|first| plain_text(&first));
            if writes {
                count.line(&format!("{snapshot}: updated\n"));
            } else if first.is_some() || count.differ > NAMED {
                count.line(&format!("{snapshot}: {}\n", first.as_deref().unwrap_or("changed")));
            }
            if !writes && count.differ <= NAMED {
                print_diff(&diff);
            }
            count.code = count.code.max(found);
        }
        Ok(Comparison::Missing) => {
            count.missing += 1;
            count.line(&if writes {
                format!("{snapshot}: written\n")
            } else {
                format!("{snapshot}: missing; `ovlint snapshot update {}` writes it\n", shown(model))
            });
            count.code = count.code.max(found);
        }
        Ok(Comparison::Broken(reason)) => {
            count.broken += 1;
            print(&format!("{}: {}\n", shown(model), plain_text(reason.shown())));
            count.code = count.code.max(exit::FINDINGS);
        }
        Ok(Comparison::NoWeights(reason)) => {
            if count.without_weights < NAMED {
                complain(&format!("{snapshot}: {}", plain_text(&reason)));
            }
            count.without_weights += 1;
            count.code = exit::BROKEN;
        }
        Err(error @ SnapshotError::Write { .. }) => {
            complain(&error.to_string());
            count.unwritten += 1;
            count.code = exit::BROKEN;
        }
        Err(error) => broken(&error.to_string(), count),
    }
}

fn broken(why: &str, count: &mut Count) {
    complain(why);
    count.broken += 1;
    count.code = exit::BROKEN;
}

fn report_stale(path: &Path, prunes: bool, count: &mut Count) {
    let shown = shown(path);
    count.stale += 1;
    if !prunes {
        print(&format!("{shown}: its model no longer exists; `ovlint snapshot update --prune` deletes the snapshot\n"));
        count.code = count.code.max(exit::FINDINGS);
    } else if let Err(error) = std::fs::remove_file(path) {
        complain(&format!("{shown}: {error}"));
        count.code = exit::BROKEN;
    } else {
        print(&format!("{shown}: deleted\n"));
    }
}

fn summary(count: &Count, writes: bool) {
    if count.left_out > 0 {
        print(&format!("and {}\n", counted(count.left_out, "more model")));
    }
    if count.differ > NAMED && !writes {
        let more = counted(count.differ - NAMED, "further diff");
        complain(&format!("{more} not shown; use `ovlint snapshot check MODEL` to see the diff of one model"));
    }
    if count.without_weights > 0 {
        let more = match count.without_weights.saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("{} without weights; ", counted(more, "more model")),
        };
        complain(&format!("{more}use `--assume` to take the declared shapes instead"));
    }
    let parts = [
        (count.differ, if writes { "updated" } else { "changed" }),
        (count.missing, if writes { "new" } else { "without a snapshot" }),
        (count.broken, "unreadable"),
        (count.without_weights, "without weights"),
        (count.unwritten, "not written"),
        (count.stale, "gone"),
    ];
    let mut parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if count.pipelines > 0 {
        let done = if writes { "written" } else { "changed" };
        parts.push(format!("{} {done}", counted(count.pipelines, "pipeline")));
    }
    let rest = if parts.is_empty() { "all as committed".to_owned() } else { parts.join(", ") };
    let declared = match count.declared {
        0 => String::new(),
        count => format!("; {count} compared by declared shapes, without weights"),
    };
    complain(&format!("{}: {rest}{declared}", counted(count.models, "model")));
}
