//! `ovlint reduce`: the smallest model that still shows a fault.

use super::explain::rule_of;
use super::files::refuse_stdin;
use super::progress::Line;
use super::settings::{ConfigArgs, Resolver};
use super::{ModelArgs, exit, or_exit, print, shown};
use clap::Args;
use ovlint::internal::atomic::{self, Existing, NewFile};
use ovlint::internal::diagnostic::Rule;
use ovlint::internal::ops::releases::Release;
use ovlint::internal::policy::Settings;
use ovlint::internal::recipe::{Chosen, RECIPES};
use ovlint::internal::reduce::{Candidate, Reduced, Task, by_rule};
use ovlint::internal::text::{counted, grouped, plain_text};
use ovlint::internal::{Device, Model};
use std::fs::File;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct ReduceArgs {
    /// Model (.xml) or its URL
    model: PathBuf,
    /// Keep a finding of this rule, at the same layer
    #[arg(long, value_name = "RULE", value_parser = rule_of)]
    rule: &'static Rule,
    /// Keep the finding at this layer rather than the first one; `loop/body/layer` is for one in a body
    #[arg(long, value_name = "NAME")]
    layer: Option<String>,
    /// Model to write, with its weights beside it; existing files are not overwritten
    #[arg(short, long, value_name = "FILE.xml")]
    output: PathBuf,
    /// Keep the constants that stay as they are, however large
    #[arg(long)]
    keep_weights: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
    /// Report what this release of OpenVINO cannot read, such as 2024.6
    #[arg(long, value_name = "RELEASE")]
    target: Option<Release>,
    /// Report inputs that this device does not accept: cpu, gpu or npu
    #[arg(long, value_name = "DEVICE")]
    device: Option<Device>,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &ReduceArgs) -> u8 {
    or_exit(reduce(args)).map_or_else(|code| code, |()| exit::CLEAN)
}

fn reduce(args: &ReduceArgs) -> Result<(), String> {
    refuse_stdin(&args.model)?;
    let weights = weights_beside(&args.output)?;
    let settings = settings(args)?;
    let path = args.model.as_path();
    let options = settings.options(settings.with_weights(path, &args.model_args.options()?).into_owned());
    let mut options = settings.selection_for(path).options(options);
    options.device = args.device;
    let model = Model::open(path, &options).map_err(|error| error.to_string())?;
    let mut line = Line::on_terminal(!args.quiet);
    let mut progress = |best: &Candidate, calls: usize| {
        line.draw(&format!("{} after {}", counted(best.layers, "layer"), counted(calls, "candidate")));
    };
    let mut task = Task { model: &model, keep_weights: args.keep_weights, progress: &mut progress };
    let reduced = by_rule(&mut task, &settings, args.rule, args.layer.as_deref());
    line.clear();
    let reduced = reduced?;
    model.intact().map_err(|error| error.to_string())?;
    let size = write(&args.output, &weights, &reduced, &model)?;
    if !args.quiet {
        print(&summary(args, &reduced, &model, size));
    }
    Ok(())
}

/// The settings of the model, with the rule on.
fn settings(args: &ReduceArgs) -> Result<Settings, String> {
    let mut resolver = Resolver::of_files(&args.config)?;
    let place = resolver.of(&args.model)?;
    let mut settings = resolver.settings(place).clone();
    settings.selection.extend_select.push(args.rule.name.parse()?);
    settings.no_suppressions = true;
    settings.target = args.target.or(settings.target);
    let recipes = RECIPES.into_iter().filter(|recipe| recipe.rows.iter().any(|row| row.rule == args.rule));
    settings.recipes.extend(recipes.map(|recipe| Chosen { recipe, file: None }));
    Ok(settings)
}

/// Where the weights of the reduced model go; an error if it cannot be written.
fn weights_beside(output: &Path) -> Result<PathBuf, String> {
    if output.extension().is_none_or(|ending| ending != "xml") {
        return Err(format!("{} must end in .xml, as the weights go beside it", output.display()));
    }
    let weights = output.with_extension("bin");
    for path in [output, &weights] {
        NewFile::begin(path, Existing::Keep).map_err(|error| cannot_write(path, &error))?;
    }
    Ok(weights)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Writes the model; gives the size of its weights.
fn write(output: &Path, weights: &Path, reduced: &Reduced, model: &Model) -> Result<u64, String> {
    let failed = |error| cannot_write(weights, &error);
    let size = match &reduced.model.weights {
        Some(bytes) if bytes.is_empty() => 0,
        Some(bytes) => {
            atomic::write(weights, Existing::Keep, bytes).map_err(failed)?;
            bytes.len() as u64
        }
        None => match model.weights().path.as_deref().filter(|_| model.weights().is_available()) {
            Some(path) => {
                let mut old = File::open(path).map_err(failed)?;
                let mut new = NewFile::begin(weights, Existing::Keep).map_err(failed)?;
                let size = std::io::copy(&mut old, &mut new).map_err(failed)?;
                new.finish().map_err(failed)?;
                size
            }
            None => 0,
        },
    };
    atomic::write(output, Existing::Keep, &reduced.model.xml).map_err(|error| cannot_write(output, &error))?;
    Ok(size)
}

/// What became of the model.
fn summary(args: &ReduceArgs, reduced: &Reduced, model: &Model, weights: u64) -> String {
    let of = |new: usize, old: usize, noun: &str| format!("{} of {}", grouped(new), counted(old, noun));
    let size = |xml: usize, weights: u64| xml.saturating_add(usize::try_from(weights).unwrap_or(usize::MAX));
    let before = size(model.source().bytes().len(), model.weights().size());
    let sizes = of(size(reduced.model.xml.len(), weights), before, "byte");
    let layers = of(reduced.model.layers, reduced.layers_before, "layer");
    let calls = counted(reduced.calls, "candidate");
    let wrote = format!("wrote {}: {layers}, {sizes}, after {calls}\n", shown(&args.output));
    let Some(finding) = &reduced.finding else { return wrote };
    let place = finding.layer.as_ref().map(|layer| format!(" `{}`:", plain_text(&layer.name))).unwrap_or_default();
    let (severity, message) = (finding.severity.name(), plain_text(&finding.message));
    format!("{wrote}{severity}[{}]:{place} {message}\n", finding.rule.name)
}
