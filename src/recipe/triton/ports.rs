//! Inputs and outputs of the model, compared with those of `config.pbtxt` as the backend does.

use super::batch;
use super::config::{Config, Tensor};
use super::{TRITON_PORT, TRITON_SHAPE, TRITON_TYPE};
use crate::diagnostic::{Direction, Severity, Sink};
use crate::query::ends;
use crate::recipe::view::{Port, View};
use crate::text::{Hints, did_you_mean, nearest};
use crate::types::{Dim, ElementType, Fact};
use std::collections::{HashMap, HashSet};

pub(super) fn check(view: &View, file: &str, config: &Config, sink: &mut Sink) {
    let mut check = Check { view, file, config, sink, hints: Hints::default() };
    check.names(Direction::Input, &config.inputs);
    check.names(Direction::Output, &config.outputs);
    for (tensor, _, port) in listed_ports(&view.inputs, &config.inputs) {
        check.element_type(Direction::Input, tensor, port);
        check.shape(Direction::Input, tensor, port, port.fact.as_ref());
    }
    let batched = batch::of(view, file, config, check.sink);
    let ends = batched.map(|model| ends(&model, Direction::Output));
    for (tensor, at, port) in listed_ports(&view.outputs, &config.outputs) {
        check.element_type(Direction::Output, tensor, port);
        let end = ends.as_ref().and_then(|ends| ends.get(at));
        let fact = if config.max_batch > 0 { end.and_then(|end| end.fact.as_ref()) } else { port.fact.as_ref() };
        check.shape(Direction::Output, tensor, port, fact);
    }
}

/// Returns the ports that the configuration lists, by their names there, with their indices.
fn listed_ports<'p, 'a>(
    ports: &'p [Port<'a>],
    tensors: &'p [Tensor],
) -> impl Iterator<Item = (&'p Tensor, usize, &'p Port<'a>)> {
    let indices = by_shown_name(ports);
    tensors.iter().filter_map(move |tensor| {
        let at = *indices.get(&tensor.name)?;
        Some((tensor, at, ports.get(at)?))
    })
}

/// Returns the indices of ports by the name that OpenVINO shows; the first port of each name.
fn by_shown_name<'p>(ports: &'p [Port]) -> HashMap<&'p String, usize> {
    ports.iter().enumerate().rev().filter_map(|(at, port)| Some((name(port)?, at))).collect()
}

/// Returns the name that OpenVINO shows for a tensor.
fn name<'p>(port: &'p Port) -> Option<&'p String> {
    port.names.iter().min()
}

struct Check<'a, 'v> {
    view: &'v View<'a>,
    /// The name of the configuration file.
    file: &'v str,
    config: &'v Config,
    sink: &'v mut Sink,
    hints: Hints,
}

impl Check<'_, '_> {
    /// Compares the ports of the model with the listed ones.
    fn names(&mut self, direction: Direction, tensors: &[Tensor]) {
        let (view, file, ports) = (self.view, self.file, self.view.ports(direction));
        for port in ports.iter().filter(|port| port.names.is_empty()) {
            let message = format!("the tensor of {direction} {} has no name", view.called(port.layer));
            self.sink.report(view.about(&TRITON_PORT, port.layer, port.layer.tag, message));
        }
        let (shown, named) = (by_shown_name(ports), view.named(direction));
        let is_port = |tensor: &&Tensor| shown.contains_key(&tensor.name);
        for Tensor { name: asked, line, .. } in tensors.iter().filter(|tensor| !is_port(tensor)) {
            let also = named.get(asked.as_str()).copied().and_then(name);
            self.sink.report(view.about_model(
                &TRITON_PORT,
                match also {
                    Some(name) => format!("{file} line {line}: {direction} `{asked}` goes by its other name `{name}`"),
                    None => {
                        let known = ports.iter().filter_map(name).map(String::as_str);
                        let near = did_you_mean(self.hints.give(|| nearest(asked, known)));
                        format!("{file} line {line}: the model has no {direction} `{asked}`{near}")
                    }
                },
            ));
        }
        // Outputs may be omitted, and those under another name were reported.
        if direction == Direction::Output || tensors.is_empty() || tensors.len() == ports.len() {
            return;
        }
        let listed: HashSet<&String> = tensors.iter().map(|tensor| &tensor.name).collect();
        let is_listed = |port: &&Port| port.names.iter().any(|name| listed.contains(name));
        for port in ports.iter().filter(|port| !is_listed(port)) {
            let Some(name) = name(port) else { continue };
            let message = format!("{file} does not list input `{name}`, but {} others", tensors.len());
            self.sink.report(view.about(&TRITON_PORT, port.layer, port.layer.tag, message));
        }
    }

    fn element_type(&mut self, direction: Direction, tensor: &Tensor, port: &Port) {
        let Some(found) = port.fact.as_ref().map(|fact| fact.ty) else { return };
        let Tensor { name, ty, line, .. } = tensor;
        let (severity, message) = match element_type(ty) {
            None if ty.is_empty() => (Severity::Error, format!("{direction} `{name}` has no `data_type`")),
            None => {
                (Severity::Error, format!("{direction} `{name}` has the type {ty}, which the backend does not know"))
            }
            Some(wanted) if wanted != found && found != ElementType::Dynamic => {
                (Severity::Info, format!("{direction} `{name}` is {found}, wanted {ty}: the backend converts it"))
            }
            Some(_) => return,
        };
        let finding = self.view.about(&TRITON_TYPE, port.layer, port.layer.tag, message).severity(severity);
        self.sink.report(finding.note(format!("see {} line {line}", self.file)));
    }

    /// Compares dimensions with those of the model, after the batch is set if requests are batched.
    fn shape(&mut self, direction: Direction, tensor: &Tensor, port: &Port, fact: Option<&Fact>) {
        let Some((fact, dims)) = fact.and_then(|fact| Some((fact, fact.shape.dims()?))) else { return };
        let batch = Some(self.config.max_batch).filter(|batch| *batch > 0);
        let asked: Vec<i64> = batch.into_iter().chain(tensor.dims.iter().copied()).collect();
        let fits = |(at, (own, asked)): (usize, (&Dim, &i64))| match direction {
            _ if self.config.reshapes => true,
            // The backend sets the batch of an input, and does not compare a dynamic dimension.
            Direction::Input if batch.is_some() => at == 0 || *asked == -1 || accepts(*own, *asked),
            _ => accepts(*own, *asked),
        };
        if dims.len() == asked.len() && dims.iter().zip(&asked).enumerate().all(fits) {
            return;
        }
        let show = |length: &i64| if *length < 0 { "?".to_owned() } else { length.to_string() };
        let wanted: Vec<String> = asked.iter().map(show).collect();
        let name = &tensor.name;
        let with = match batch {
            Some(batch) if direction == Direction::Output => format!(" with a batch of {batch}"),
            _ => String::new(),
        };
        let message =
            format!("{direction} `{name}` is {}{with}, {} wants [{}]", fact.shape, self.file, wanted.join(","));
        let finding = self.view.about(&TRITON_SHAPE, port.layer, port.layer.tag, message);
        let (file, line, most) = (self.file, tensor.line, self.config.max_batch);
        let finding = finding.note(format!("{file} line {line}: dims {:?}, max_batch_size {most}", tensor.dims));
        self.sink.report(match (dims.len().checked_sub(tensor.dims.len()), batch) {
            (Some(1), None) => finding.help("with `max_batch_size` 0, `dims` must include the batch"),
            (Some(0), Some(_)) => finding.help("with `max_batch_size` above 0, `dims` leaves out the batch"),
            _ => finding,
        });
    }
}

/// Whether the backend accepts a configured dimension for a dimension of the model.
fn accepts(own: Dim, asked: i64) -> bool {
    match (own.length(), own.upper()) {
        (Some(length), _) => length == asked,
        (None, None) => true,
        (None, Some(upper)) => own.lower() < asked && asked < upper,
    }
}

/// Returns the element type for which a name of the configuration stands.
fn element_type(name: &str) -> Option<ElementType> {
    Some(match name {
        "TYPE_BOOL" => ElementType::Boolean,
        "TYPE_UINT8" => ElementType::U8,
        "TYPE_UINT16" => ElementType::U16,
        "TYPE_UINT32" => ElementType::U32,
        "TYPE_UINT64" => ElementType::U64,
        "TYPE_INT8" => ElementType::I8,
        "TYPE_INT16" => ElementType::I16,
        "TYPE_INT32" => ElementType::I32,
        "TYPE_INT64" => ElementType::I64,
        "TYPE_FP16" => ElementType::F16,
        "TYPE_FP32" => ElementType::F32,
        _ => return None,
    })
}
