//! `ovlint run`: evaluates splits and other operations that only move data.

use super::subject::Subject;
use super::{Run, exit, print, shown};
use clap::Args;
use ovlint::internal::Model;
use ovlint::internal::exec::{Feed, Generator, Tensor, find_output, npy, run as execute};
use ovlint::internal::ir::{Layer, LayerId, OutputRef, Role};
use ovlint::internal::ops::Action;
use ovlint::internal::text::plain_text;
use ovlint::internal::types::from_front;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct RunArgs {
    /// Data for an input: a .npy file, zeros, arange or const:V (repeatable)
    #[arg(long, value_name = "NAME=FEED", value_parser = pair)]
    input: Vec<(String, String)>,
    /// Evaluate only what this layer or tensor needs, instead of all splits and results
    #[arg(long, value_name = "LAYER")]
    until: Option<String>,
    /// Number of elements to show of each tensor
    #[arg(long, value_name = "N", default_value_t = 8)]
    print: usize,
    /// Write the outputs as .npy files to this folder; existing files are not overwritten
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
    /// Compare a layer or tensor with a .npy file, bit for bit (repeatable)
    #[arg(long, value_name = "NAME=FILE.npy", value_parser = pair)]
    expect: Vec<(String, String)>,
    #[command(flatten)]
    subject: Subject,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("wanted NAME=VALUE".to_owned()),
    }
}

pub(crate) fn run(args: &RunArgs) -> Run {
    args.subject.with(|model| evaluate(model, args))
}

fn evaluate(model: &Model, args: &RunArgs) -> Run {
    let mut feeds = Vec::new();
    for (name, feed) in &args.input {
        let feed = match Generator::named(feed) {
            Some(generator) => Feed::Generated(generator),
            None if !Path::new(feed).exists() => {
                return Err(format!(
                    "--input {name}={feed}: there is no such file; give a .npy file, zeros, arange or const:V"
                ));
            }
            None => Feed::Tensor(npy::read(Path::new(feed), args.subject.limits().tensors)?),
        };
        feeds.push((name.clone(), feed));
    }
    let until = args.until.as_deref().map(|name| find_output(model, name)).transpose()?;
    let steps = execute(model, &feeds, until)?;
    model.intact().map_err(|error| error.to_string())?;
    let Some(net) = model.net() else { return Ok(exit::BROKEN) };
    let mut tensors: BTreeMap<OutputRef, Tensor> = BTreeMap::new();
    let mut failed: BTreeMap<LayerId, String> = BTreeMap::new();
    for step in steps {
        let Some(layer) = net.graph.layer(step.layer) else { continue };
        // A failed layer in between is not shown, because the targets that depend on it name it. A Parameter without data is
        // shown, because the user can supply the data.
        if step.outputs.is_ok() || step.is_target || net.graph.kind(layer).role == Role::Parameter {
            print(&show(model, layer, &step.outputs, args));
        }
        match step.outputs {
            Ok(outputs) => {
                for (output, tensor) in (0_u32..).zip(outputs) {
                    tensors.insert(OutputRef { layer: step.layer, output }, tensor);
                }
            }
            Err(reason) => {
                failed.insert(step.layer, reason);
            }
        }
    }
    let mut code = exit::CLEAN;
    // It is an error if a layer that the user names has no result.
    if let Some(reason) = until.and_then(|output| failed.get(&output.layer)) {
        return Err(format!("{}: {reason}", args.until.as_deref().unwrap_or_default()));
    }
    for (name, file) in &args.expect {
        let output = find_output(model, name)?;
        let Some(found) = tensors.get(&output) else {
            let reason = failed.get(&output.layer).map_or("it was not run", String::as_str);
            return Err(format!("{name}: {reason}"));
        };
        let wanted = npy::read(Path::new(file), args.subject.limits().tensors)?;
        match found.first_difference(&wanted) {
            Some(difference) => {
                print(&format!("{} differs from {}: {difference}\n", plain_text(name), plain_text(file)));
                code = exit::FINDINGS;
            }
            None => {
                print(&format!("{} equals {}, bit for bit\n", plain_text(name), plain_text(file)));
            }
        }
    }
    if let Some(folder) = &args.output_dir {
        write_outputs(model, until, &tensors, folder)?;
    }
    Ok(code)
}

fn show(model: &Model, layer: &Layer, outputs: &Result<Vec<Tensor>, String>, args: &RunArgs) -> String {
    let Some(net) = model.net() else { return String::new() };
    let kind = net.graph.kind(layer);
    if kind.role == Role::Const {
        return String::new();
    }
    let name = plain_text(&net.graph.full_name(model.source(), layer));
    let mut text = String::new();
    let fed = args.input.iter().find(|(input, _)| *input == name).map(|(_, feed)| plain_text(feed));
    let ty = fed.filter(|_| kind.role == Role::Parameter).unwrap_or_else(|| plain_text(&kind.ty));
    let _ = writeln!(text, "{name}  {ty}");
    match outputs {
        Err(reason) => {
            let _ = writeln!(text, "  {}", plain_text(reason));
        }
        Ok(tensors) => {
            let parts = if kind.action() == Action::Splits { slices(model, layer, tensors) } else { Vec::new() };
            for (i, tensor) in tensors.iter().enumerate() {
                let part = parts.get(i).map(|part| format!("   = {part}")).unwrap_or_default();
                let shape = tensor.to_string();
                let _ = writeln!(text, "  :{i}  {shape:<20}  {}{part}", plain_text(&tensor.preview(args.print)));
            }
        }
    }
    text
}

/// Formats the parts of a split in slice notation: `data[:, 0:4]`.
fn slices(model: &Model, layer: &Layer, parts: &[Tensor]) -> Vec<String> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return Vec::new() };
    let inputs = net.graph.inputs(layer);
    let data = inputs.first().and_then(ovlint::internal::ir::Port::source).and_then(|source| {
        let producer = net.graph.layer(source.layer)?;
        let name = plain_text(&net.graph.full_name(model.source(), producer));
        let several = net.graph.outputs(producer).len() > 1;
        Some(if several { format!("{name}:{}", source.output) } else { name })
    });
    let axis = inputs
        .get(1)
        .and_then(|port| facts.of_port(port))
        .and_then(|fact| fact.value.as_ref()?.exact_integers()?.first().copied());
    let (Some(data), Some(axis), Some(rank)) = (data, axis, parts.first().map(|part| part.lengths().len())) else {
        return Vec::new();
    };
    let Some(axis) = from_front(axis, rank) else { return Vec::new() };
    let mut start = 0;
    let colons = ":, ".repeat(axis);
    parts
        .iter()
        .map(|part| {
            let end = start + part.lengths().get(axis).copied().unwrap_or(0);
            let text = format!("{data}[{colons}{start}:{end}]");
            start = end;
            text
        })
        .collect()
}

/// Writes the targets of the run to files, named by layer and output.
fn write_outputs(
    model: &Model,
    until: Option<OutputRef>,
    tensors: &BTreeMap<OutputRef, Tensor>,
    folder: &Path,
) -> Result<(), String> {
    let Some(net) = model.net() else { return Ok(()) };
    let graph = &net.graph;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let results: BTreeSet<OutputRef> = graph
        .layers
        .iter()
        .filter(|layer| graph.kind(layer).role == Role::Result)
        .filter_map(|layer| graph.inputs(layer).first()?.source())
        .collect();
    let (mut files, mut paths) = (Vec::new(), BTreeSet::new());
    for (output, tensor) in tensors {
        let wanted = until.map_or_else(|| results.contains(output), |until| until.layer == output.layer);
        let Some(layer) = graph.layer(output.layer).filter(|_| wanted) else { continue };
        let name = graph.full_name(model.source(), layer);
        let safe: String =
            name.chars().map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' }).collect();
        let several = graph.outputs(layer).len() > 1;
        let file = if several { format!("{safe}.{}.npy", output.output) } else { format!("{safe}.npy") };
        let path = folder.join(file);
        if path.exists() {
            return Err(format!("{} already exists; nothing was written", path.display()));
        }
        if !paths.insert(path.clone()) {
            return Err(format!("two outputs would be written to {}", path.display()));
        }
        files.push((path, tensor));
    }
    for (path, tensor) in files {
        npy::write(&path, tensor)?;
        print(&format!("wrote {}\n", shown(&path)));
    }
    Ok(())
}
