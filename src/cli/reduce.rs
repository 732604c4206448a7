//! `ovlint reduce`: finds the smallest model that still shows a fault.

mod command;

use super::explain::rule_of;
use super::files::{refuse_folder, refuse_stdin};
use super::progress::Line;
use super::settings::{ConfigArgs, Resolver};
use super::{ModelArgs, Run, complain, exit, print, shown};
use clap::Args;
use command::Runner;
use ovlint::internal::atomic::Existing;
use ovlint::internal::diagnostic::Rule;
use ovlint::internal::edit::{Bin, Target};
use ovlint::internal::policy::Settings;
use ovlint::internal::recipe::{Chosen, RECIPES, Recipe};
use ovlint::internal::reduce::{CANDIDATES, Candidate, Reduced, Task, by_predicate, by_rule};
use ovlint::internal::remote::is_remote;
use ovlint::internal::text::{counted, grouped, plain_text};
use ovlint::internal::types::Targets;
use ovlint::internal::{Device, Model};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct ReduceArgs {
    /// Model (.xml) or its URL
    model: PathBuf,
    /// Keep the first finding of this rule instead of the worst finding
    #[arg(long, value_name = "RULE", value_parser = rule_of)]
    rule: Option<&'static Rule>,
    /// Keep the finding at this layer instead of the first finding; `loop/body/layer` names a layer in a body
    #[arg(long, value_name = "NAME", conflicts_with = "run")]
    layer: Option<String>,
    /// Keep what makes this command exit with 0; `{}` in it stands for the path of the model, which is appended otherwise
    #[arg(long, value_name = "COMMAND", conflicts_with = "rule")]
    run: Option<String>,
    /// Stop the command after this many seconds, which counts as a failure
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    run_timeout: u64,
    /// Maximum number of candidates to try; the smallest model found by then is written
    #[arg(long, value_name = "N", default_value_t = CANDIDATES)]
    max_candidates: usize,
    /// Model to write, with its weights beside it; existing files are not overwritten
    #[arg(short, long, value_name = "FILE.xml")]
    output: PathBuf,
    /// Replace the names of layers, tensors and variables, and remove the `<rt_info>` of layers
    #[arg(long)]
    anonymize: bool,
    /// Keep all remaining constants unchanged, however large
    #[arg(long)]
    keep_weights: bool,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
    /// Report what these releases of OpenVINO cannot read: 2024.6, 2023.3..2026.4 or a list
    #[arg(long, value_name = "RELEASES")]
    target: Option<Targets>,
    /// Report what this device does not accept: cpu, gpu or npu
    #[arg(long, value_name = "DEVICE")]
    device: Option<Device>,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &ReduceArgs) -> Run {
    refuse_stdin(&args.model)?;
    refuse_folder(&args.model)?;
    let target = Target::of(&args.output, Existing::Keep, Bin::Copy, &[])?;
    let settings = settings(args)?;
    let path = args.model.as_path();
    let options = settings.options(settings.with_weights(path, &args.model_args.options()?).into_owned());
    let mut options = settings.selection_for(path).options(options);
    options.device = args.device.or_else(|| only_device(args.rule?));
    let model = Model::open(path, &options).map_err(|error| error.to_string())?;
    let mut line = Line::on_terminal(!args.quiet);
    let mut progress = |best: &Candidate, calls: usize| {
        line.draw(&format!("{} after {}", counted(best.layers, "layer"), counted(calls, "candidate")));
    };
    let mut task = Task {
        model: &model,
        keep_weights: args.keep_weights,
        is_anonymous: args.anonymize,
        most_candidates: args.max_candidates,
        progress: &mut progress,
    };
    let reduced = match &args.run {
        None => by_rule(&mut task, &settings, args.rule, args.layer.as_deref()),
        Some(command) => by_command(&mut task, command, args),
    };
    line.clear();
    let reduced = reduced?;
    model.intact().map_err(|error| error.to_string())?;
    target.write(&reduced.model.xml, &reduced.model.weights, model.weights(), Bin::Copy, &mut |_| {})?;
    if args.anonymize && !reduced.is_anonymous {
        complain("the names were kept, because the fault disappears when they are replaced");
    }
    if reduced.is_cut_off {
        complain("there may be a smaller model; raise --max-candidates");
    }
    if !args.quiet {
        print(&summary(args, &reduced, &model));
    }
    Ok(exit::CLEAN)
}

/// Reduces a model to the smallest one that the user's command accepts.
fn by_command(task: &mut Task, command: &str, args: &ReduceArgs) -> Result<Reduced, String> {
    let weights = task.model.weights().path.as_deref();
    if is_remote(&args.model) || weights.is_some_and(is_remote) {
        return Err(format!("{} is on a server; download it first", shown(&args.model)));
    }
    let mut runner = Runner::new(command, Duration::from_secs(args.run_timeout), task.model)?;
    runner.check_original()?;
    by_predicate(task, &mut |candidate| runner.accepts(candidate))
}

/// Returns the settings of the model, with the rule turned on.
fn settings(args: &ReduceArgs) -> Result<Settings, String> {
    let mut resolver = Resolver::of_files(&args.config)?;
    let settings_index = resolver.of(&args.model)?;
    let mut settings = resolver.settings(settings_index).clone();
    settings.no_suppressions = true;
    settings.target = args.target.or(settings.target);
    if let Some(rule) = args.rule {
        settings.selection.extend_select.push(rule.name.parse()?);
        settings.recipes.extend(recipes_with(rule).map(|recipe| Chosen {
            recipe,
            file: None,
            bounds: None,
            asked_in: None,
        }));
    }
    Ok(settings)
}

/// Returns the device for which alone a recipe has the rule.
fn only_device(rule: &Rule) -> Option<Device> {
    let mut devices = recipes_with(rule).map(|recipe| recipe.device);
    devices.next()?.filter(|_| devices.next().is_none())
}

fn recipes_with(rule: &Rule) -> impl Iterator<Item = &'static Recipe> {
    RECIPES.into_iter().filter(move |recipe| recipe.rows.iter().any(|row| row.rule == rule))
}

/// Formats the result: the sizes before and after.
fn summary(args: &ReduceArgs, reduced: &Reduced, model: &Model) -> String {
    let of = |new: usize, old: usize, noun: &str| format!("{} of {}", grouped(new), counted(old, noun));
    let size = |xml: usize, weights: u64| xml.saturating_add(usize::try_from(weights).unwrap_or(usize::MAX));
    let before = size(model.source().bytes().len(), model.weights().size());
    let after = size(reduced.model.xml.len(), reduced.model.weights.size(model.weights().size()));
    let sizes = of(after, before, "byte");
    let layers = of(reduced.model.layers, reduced.layers_before, "layer");
    let calls = counted(reduced.candidates, "candidate");
    let wrote = format!("wrote {}: {layers}, {sizes}, after {calls}\n", shown(&args.output));
    let Some(finding) = &reduced.finding else { return format!("{wrote}the command exits with 0 for this model\n") };
    let of_layer = finding.layer.as_ref().map(|layer| format!(" `{}`:", plain_text(&layer.name))).unwrap_or_default();
    let (severity, message) = (finding.severity.name(), plain_text(finding.message.shown()));
    format!("{wrote}{severity}[{}]:{of_layer} {message}\n", finding.rule.name)
}
