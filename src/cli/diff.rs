//! `ovlint diff`: shows the differences between two models, or between the models of two folders.

use super::color::{ColorArgs, signs};
use super::files::{Chooser, ModelFileArgs, all_exist, no_input};
use super::settings::Resolver;
use super::show::width_of_lines;
use super::subject::print_json;
use super::{ModelArgs, Run, answer, complain, exit};
use crate::memory::keep_freed_blocks;
use clap::{Args, ValueEnum};
use ovlint::internal::diagnostic::internal_error::failed_on;
use ovlint::internal::panics::contained;
use ovlint::internal::query::diff::{Diff, Level, are_copies, diff, structure};
use ovlint::internal::query::missing_weights;
use ovlint::internal::report::markdown_text;
use ovlint::internal::report::views::diff::{Pair, json, markdown, renamed as renamed_layers, text, uncompared};
use ovlint::internal::text::{counted, plain_text};
use ovlint::internal::{Model, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct DiffArgs {
    /// Old model (.xml) or its URL, or a folder of models
    old: PathBuf,
    /// New model (.xml) or its URL, or a folder of models
    new: PathBuf,
    /// What counts as a difference; each level includes the previous ones
    #[arg(long, value_enum, default_value = "weights")]
    level: LevelArg,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    files: ModelFileArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum LevelArg {
    /// What callers see: inputs, outputs, states, constraints and metadata
    Interface,
    /// Shapes and types of the layers that both models have
    Shapes,
    /// Layers, attributes and wiring
    Graph,
    /// Bytes of constants
    Weights,
    /// Bytes of both files
    Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Human-readable text
    Text,
    /// Markdown, for a comment on a pull request
    Md,
    /// One JSON object
    Json,
}

pub(crate) fn run(args: &DiffArgs) -> Run {
    args.color.apply();
    let options = args.model_args.options()?;
    let mut level = match args.level {
        LevelArg::Interface => Level::Interface,
        LevelArg::Shapes => Level::Shapes,
        LevelArg::Graph => Level::Graph,
        LevelArg::Weights => Level::Weights,
        LevelArg::Bytes => Level::Bytes,
    };
    if args.model_args.skips_weights() {
        if level == Level::Bytes {
            return Err("--level bytes compares the weights, which --weights skip leaves out".to_owned());
        }
        level = level.min(Level::Graph);
    }
    all_exist([&args.old, &args.new])?;
    let folders = (args.old.is_dir(), args.new.is_dir());
    if folders.0 != folders.1 {
        let (folder, model) = if folders.0 { (&args.old, &args.new) } else { (&args.new, &args.old) };
        let (folder, model) = (folder.display(), model.display());
        return Err(format!("{folder} is a folder, but {model} is not; give two folders or two models"));
    }
    let (names, resolver) = args.files.choose(options.limits, |chooser| {
        if folders.0 {
            return models_of_both(chooser, args);
        }
        chooser.admits(&args.old).and(chooser.admits(&args.new)).map(|_| vec![PathBuf::new()])
    })?;
    if names.is_empty() {
        return Ok(no_input());
    }
    keep_freed_blocks();
    let (mut pairs, mut broken) = (Vec::new(), false);
    let renamed = if folders.0 { renamed(&names, args, &resolver, &options) } else { BTreeMap::new() };
    for name in names.iter().filter(|name| !renamed.values().any(|old| old == *name)) {
        let was = renamed.get(name);
        let (old, new) = if folders.0 {
            (args.old.join(was.unwrap_or(name)), args.new.join(name))
        } else {
            (args.old.clone(), args.new.clone())
        };
        let shown = if folders.0 { name } else { &args.new }.display().to_string();
        let was = was.map(|was| was.display().to_string());
        let pair = contained(|| pair(&old, &new, (was, shown), folders.0, (&resolver, &options), level));
        match pair.unwrap_or_else(|failure| Err(failed_on(&new, &failure))) {
            Ok(pair) => {
                if let Some((constants, because)) = pair.diff().and_then(Diff::unread) {
                    let constants = counted(constants, "constant");
                    let instead = "`--weights skip` compares everything else";
                    complain(&format!("{}: {constants} could not be compared: {because}; {instead}", pair.path));
                    broken = true;
                }
                pairs.push(pair);
            }
            Err(error) => {
                complain(&error);
                broken = true;
            }
        }
    }
    if !(broken && pairs.is_empty()) {
        show(&pairs, args, level, folders.0)?;
    }
    Ok(match pairs.iter().any(|pair| !pair.is_same()) {
        _ if broken => exit::BROKEN,
        true => exit::FINDINGS,
        false => exit::CLEAN,
    })
}

/// Returns the models below either folder, by relative path; a model excluded in one folder is excluded in both.
fn models_of_both(chooser: &mut Chooser, args: &DiffArgs) -> Result<Vec<PathBuf>, String> {
    let mut names = BTreeSet::new();
    for folder in [&args.old, &args.new] {
        let found = chooser.models(std::slice::from_ref(folder))?;
        names.extend(found.into_iter().filter_map(|path| Some(path.strip_prefix(folder).ok()?.to_owned())));
    }
    let mut taken = Vec::new();
    for name in names {
        let [old, new] = [&args.old, &args.new].map(|folder| folder.join(&name));
        if (!old.exists() || chooser.admits(&old)?) && (!new.exists() || chooser.admits(&new)?) {
            taken.push(name);
        }
    }
    Ok(taken)
}

/// Finds renamed models: maps models only in the new folder to models only in the old folder. They match by structure, names
/// and weights first, then by structure alone, if the match is unique.
fn renamed(names: &[PathBuf], args: &DiffArgs, resolver: &Resolver, options: &Options) -> BTreeMap<PathBuf, PathBuf> {
    let only_in = |folder: &Path, other: &Path| -> Vec<(&PathBuf, [u64; 2])> {
        let alone = names.iter().filter(|name| folder.join(name).exists() && !other.join(name).exists());
        let of = |name: &PathBuf| {
            // An unreadable model is reported when it is compared.
            let path = folder.join(name);
            let options = resolver.options_for(&path, options);
            let model = contained(|| Model::open(&path, &options).ok()).ok().flatten()?;
            structure(&model)
        };
        alone.filter_map(|name| Some((name, of(name)?))).collect()
    };
    let are_alone =
        |folder: &Path, other: &Path| names.iter().any(|name| folder.join(name).exists() && !other.join(name).exists());
    let mut renamed = BTreeMap::new();
    if !are_alone(&args.old, &args.new) || !are_alone(&args.new, &args.old) {
        return renamed;
    }
    let (mut gone, mut come) = (only_in(&args.old, &args.new), only_in(&args.new, &args.old));
    for rank in [0, 1] {
        for (name, structure) in come.clone() {
            let alike = |all: &[(&PathBuf, [u64; 2])]| all.iter().filter(|one| one.1[rank] == structure[rank]).count();
            let partner = gone.iter().position(|one| one.1[rank] == structure[rank]);
            if let (Some(partner), 1, 1) = (partner, alike(&gone), alike(&come)) {
                renamed.insert(name.clone(), gone.remove(partner).0.clone());
                come.retain(|one| one.0 != name);
            }
        }
    }
    renamed
}

fn pair(
    old: &Path,
    new: &Path,
    (was, path): (Option<String>, String),
    alone: bool,
    (resolver, options): (&Resolver, &Options),
    level: Level,
) -> Result<Pair, String> {
    if alone && !old.exists() {
        return Ok(Pair::alone(path, "added"));
    }
    if alone && !new.exists() {
        return Ok(Pair::alone(path, "removed"));
    }
    let [of_old, of_new] = [old, new].map(|path| resolver.options_for(path, options));
    let is_copy = are_copies([(old, &of_old), (new, &of_new)]);
    let open = |path: &Path, options: &Options, is_compared: bool| {
        let options = Options { symbolic: is_compared, stable: is_compared, ..options.clone() };
        let model = Model::open(path, &options).map_err(|error| error.to_string())?;
        if model.net().is_none() {
            let reason = model.findings().first().map(|finding| finding.message.shown().to_owned()).unwrap_or_default();
            return Err(format!("{}: {reason}", path.display()));
        }
        Ok(model)
    };
    let before = open(old, &of_old, !is_copy)?;
    let is_enough = is_copy && missing_weights(&before).is_none();
    let other = if is_enough { None } else { Some(open(new, &of_new, true)?) };
    let now = other.as_ref().unwrap_or(&before);
    let diff = diff(&before, now, level).ok_or_else(|| format!("{} cannot be compared", new.display()))?;
    for model in [&before, now] {
        model.intact().map_err(|error| error.to_string())?;
    }
    Ok(Pair::compared(path, was, diff))
}

fn show(pairs: &[Pair], args: &DiffArgs, level: Level, folders: bool) -> Run {
    if args.format == Format::Json {
        return print_json(json(pairs, level));
    }
    let (mut out, width) = (String::new(), width_of_lines());
    let left_out = uncompared(level, args.model_args.skips_weights());
    for pair in pairs {
        let path = match &pair.was {
            Some(was) => plain_text(&format!("{} (was {was})", pair.path)),
            None => plain_text(&pair.path),
        };
        let text = match (pair.diff(), args.format) {
            (Some(_), _) if pair.is_same() && folders => continue,
            (_, Format::Md) if pair.state == "renamed" => format!("### {}\n\nrenamed\n\n", markdown_text(&path)),
            (_, Format::Text) if pair.state == "renamed" => format!("{path}\nrenamed\n\n"),
            (Some(diff), Format::Md) => markdown(&path, diff, left_out),
            (Some(diff), _) if pair.is_same() => format!("no differences{left_out}{}\n", renamed_layers(diff)),
            (Some(diff), _) if folders => format!("{path}\n{}\n", text(diff, width)),
            (Some(diff), _) => text(diff, width),
            (None, Format::Md) => format!("### {}\n\n{}\n\n", markdown_text(&path), pair.state),
            (None, _) => format!("{path}\n{}\n\n", pair.state),
        };
        out.push_str(&text);
    }
    if folders && args.format == Format::Text {
        let count = |state: &str| pairs.iter().filter(|pair| pair.state == state).count();
        let states = [("same", "the same"), ("changed", "changed"), ("added", "added"), ("removed", "removed")];
        let mut counts = states.map(|(state, name)| format!("{} {name}", count(state))).to_vec();
        let rare =
            [("renamed", "renamed"), ("unknown", "not compared in full")].map(|(state, name)| (count(state), name));
        counts.extend(rare.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")));
        let _ = writeln!(out, "{}: {}{left_out}", counted(pairs.len(), "model"), counts.join(", "));
    }
    Ok(answer(&if args.format == Format::Text { signs(&out) } else { out }))
}
