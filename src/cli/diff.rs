//! `ovlint diff`: what differs between two models, or between the models of two folders.

use super::files::{Chooser, ModelFileArgs, all_exist};
use super::panics::{contained, failed_on};
use super::subject::print_json;
use super::{ModelArgs, complain, exit, or_exit, print, refused};
use clap::{Args, ValueEnum};
use ovlint::internal::query::diff::{Diff, Level, diff};
use ovlint::internal::report::markdown_text;
use ovlint::internal::report::views::diff::{markdown, text};
use ovlint::internal::text::counted;
use ovlint::internal::text::plain_text;
use ovlint::internal::{Model, Options};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct DiffArgs {
    /// Old model (.xml), or a folder of models
    old: PathBuf,
    /// New model (.xml), or a folder of models
    new: PathBuf,
    /// What counts as a difference; each level includes the previous ones
    #[arg(long, value_enum, default_value = "weights")]
    level: LevelArg,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    files: ModelFileArgs,
    #[command(flatten)]
    model_args: ModelArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum LevelArg {
    /// Inputs and outputs: names, types, shapes, order
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
    /// Text for people
    Text,
    /// Markdown, for a comment on a pull request
    Md,
    /// One JSON object
    Json,
}

/// What came of one pair.
#[derive(Serialize)]
struct Pair {
    path: String,
    /// `changed`, `same`, `added` or `removed`; `unknown` if not all could be compared, and what was is the same.
    state: &'static str,
    #[serde(flatten)]
    diff: Option<Diff>,
}

#[derive(Serialize)]
struct Report<'a> {
    schema_version: &'static str,
    level: Level,
    models: &'a [Pair],
}

pub(crate) fn run(args: &DiffArgs) -> u8 {
    let options = match or_exit(args.model_args.options()) {
        Ok(options) => options,
        Err(code) => return code,
    };
    let mut level = match args.level {
        LevelArg::Interface => Level::Interface,
        LevelArg::Shapes => Level::Shapes,
        LevelArg::Graph => Level::Graph,
        LevelArg::Weights => Level::Weights,
        LevelArg::Bytes => Level::Bytes,
    };
    if args.model_args.skips_weights() {
        if level == Level::Bytes {
            return refused("--level bytes compares the weights, which --weights skip leaves out");
        }
        level = level.min(Level::Graph);
    }
    if let Err(message) = all_exist([&args.old, &args.new]) {
        return refused(&message);
    }
    let folders = (args.old.is_dir(), args.new.is_dir());
    if folders.0 != folders.1 {
        let (folder, model) = if folders.0 { (&args.old, &args.new) } else { (&args.new, &args.old) };
        let (folder, model) = (folder.display(), model.display());
        return refused(&format!("{folder} is a folder and {model} is not; give two folders or two models"));
    }
    let names = if folders.0 { args.files.choose(|chooser| both(chooser, args)) } else { Ok(vec![PathBuf::new()]) };
    let names = match names {
        Ok(names) => names,
        Err(message) => return refused(&message),
    };
    if names.is_empty() {
        complain("no OpenVINO IR among the inputs");
        return exit::NO_INPUT;
    }
    let (mut pairs, mut broken) = (Vec::new(), false);
    for name in &names {
        let (old, new) =
            if folders.0 { (args.old.join(name), args.new.join(name)) } else { (args.old.clone(), args.new.clone()) };
        let shown = if folders.0 { name } else { &args.new }.display().to_string();
        let pair = contained(|| pair(&old, &new, shown, folders.0, &options, level));
        match pair.unwrap_or_else(|failure| Err(failed_on(&new, &failure))) {
            Ok(pair) => {
                if let Some((constants, because)) = pair.diff.as_ref().and_then(Diff::unread) {
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
        show(&pairs, args, level, folders.0);
    }
    match pairs.iter().any(|pair| pair.state != "same") {
        _ if broken => exit::BROKEN,
        true => exit::FINDINGS,
        false => exit::CLEAN,
    }
}

/// The models below either folder, by their paths in it; what is left out in one is in neither.
fn both(chooser: &mut Chooser, args: &DiffArgs) -> Result<Vec<PathBuf>, String> {
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

fn pair(old: &Path, new: &Path, path: String, alone: bool, options: &Options, level: Level) -> Result<Pair, String> {
    if alone && !old.exists() {
        return Ok(Pair { path, state: "added", diff: None });
    }
    if alone && !new.exists() {
        return Ok(Pair { path, state: "removed", diff: None });
    }
    let open = |path: &Path| {
        let model = Model::open(path, options).map_err(|error| error.to_string())?;
        if model.net().is_none() {
            let reason = model.findings().first().map(|finding| finding.message.clone()).unwrap_or_default();
            return Err(format!("{}: {reason}", path.display()));
        }
        Ok(model)
    };
    let (was, is) = (open(old)?, open(new)?);
    let diff = diff(&was, &is, level).ok_or_else(|| format!("{} cannot be compared", new.display()))?;
    for model in [&was, &is] {
        model.intact().map_err(|error| error.to_string())?;
    }
    let state = match (diff.is_empty(), diff.unread()) {
        (true, None) => "same",
        (true, Some(_)) => "unknown",
        (false, _) => "changed",
    };
    Ok(Pair { path, state, diff: Some(diff) })
}

fn show(pairs: &[Pair], args: &DiffArgs, level: Level, folders: bool) {
    if args.format == Format::Json {
        print_json(ovlint::internal::report::findings::json::text(&Report {
            schema_version: "1",
            level,
            models: pairs,
        }));
        return;
    }
    let mut out = String::new();
    for pair in pairs {
        let path = plain_text(&pair.path);
        let text = match (&pair.diff, args.format) {
            (Some(_), _) if pair.state == "same" && folders => continue,
            (Some(diff), Format::Md) => markdown(&path, diff),
            (Some(_), _) if pair.state == "same" && args.model_args.skips_weights() => {
                "no differences, weights left out\n".to_owned()
            }
            (Some(_), _) if pair.state == "same" => "no differences\n".to_owned(),
            (Some(diff), _) if folders => format!("{path}\n{}\n", text(diff)),
            (Some(diff), _) => text(diff),
            (None, Format::Md) => format!("### {}\n\n{}\n\n", markdown_text(&path), pair.state),
            (None, _) => format!("{path}\n{}\n\n", pair.state),
        };
        out.push_str(&text);
    }
    if folders && args.format == Format::Text {
        let count = |state: &str| pairs.iter().filter(|pair| pair.state == state).count();
        let states = [("same", "the same"), ("changed", "changed"), ("added", "added"), ("removed", "removed")];
        let mut counts = states.map(|(state, name)| format!("{} {name}", count(state))).to_vec();
        counts.extend((count("unknown") > 0).then(|| format!("{} not compared in full", count("unknown"))));
        let _ = writeln!(out, "{}: {}", counted(pairs.len(), "model"), counts.join(", "));
    }
    print(&out);
}
