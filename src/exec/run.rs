//! Runs the layers of a model that only move data.
//!
//! Shapes are those of inference, always; elements come from constants, from the inputs given, and from layers between.

use super::compare::Difference;
use super::generate::{GenerateError, Generator, of_bits};
use super::number::{self, Element};
use super::split::{SplitError, split};
use super::tensor::{Tensor, TensorError, elements, storage};
use crate::infer::{Facts, Order, with_call};
use crate::ir::{Graph, Layer, OutputRef, Port, Role, find_attribute, unescape};
use crate::model::Model;
use crate::ops::Meaning;
use crate::ops::spec::{Eval, Mover, OpSpec, ZERO};
use crate::types::{ElementType, Elements, Fact, Value};
use std::cell::Cell;
use std::collections::BTreeMap;
use thiserror::Error;

/// What an input of the model is fed with.
#[derive(Clone, Debug)]
pub enum Feed {
    /// These elements; type and shape must be those of the input.
    Tensor(Tensor),
    /// Made-up elements of the input's type and shape.
    Generated(Generator),
}

/// What came of one layer.
#[derive(Clone, Debug)]
pub struct Step {
    /// The place of the layer in the graph.
    pub layer: u32,
    /// Its outputs, or why there are none.
    pub outputs: Result<Vec<Tensor>, String>,
}

/// Why nothing can be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The file is no IR.
    #[error("the file could not be read as an IR; `ovlint check` tells why")]
    NoModel,
    /// A name that is no input of the model.
    #[error("the model has no input `{name}`; its inputs are {known}")]
    UnknownInput {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A name that is no layer and no tensor.
    #[error("the model has no layer or tensor `{0}`")]
    UnknownName(String),
    /// A tensor that is not what the input takes.
    #[error("input `{name}` takes {wanted}, given is {found}")]
    Mismatch {
        /// The input.
        name: String,
        /// The type and shape that are inferred.
        wanted: String,
        /// The type and shape that are given.
        found: String,
    },
    /// An input cannot be made up.
    #[error("input `{name}`: {cause}")]
    Generate {
        /// The input.
        name: String,
        /// Why.
        cause: GenerateError,
    },
}

/// Runs a model as far as it only moves data, up to the layer of `until` or all splits and results.
///
/// The steps come in the order in which they were taken. A layer that cannot be evaluated is a step without outputs.
pub fn run(model: &Model, feeds: &BTreeMap<String, Feed>, until: Option<OutputRef>) -> Result<Vec<Step>, RunError> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else { return Err(RunError::NoModel) };
    let left = Cell::new(model.limits().tensors);
    let mut runner = Runner { model, graph: &net.graph, facts, done: BTreeMap::new(), left };
    let inputs = runner.inputs(feeds)?;
    let order = Order::of(&net.graph);
    let needed = runner.needed(&order, until);
    let mut steps = Vec::new();
    for index in order.layers {
        if !needed.get(index as usize).copied().unwrap_or(false) {
            continue;
        }
        let Some(layer) = net.graph.layer(index) else { continue };
        let outputs = match inputs.get(&index) {
            Some(tensor) => Ok(vec![tensor.clone()]),
            None => runner.evaluate(index, layer),
        };
        if let Ok(tensors) = &outputs {
            for (output, tensor) in (0_u32..).zip(tensors) {
                runner.done.insert(OutputRef { layer: index, output }, tensor.clone());
            }
        }
        steps.push(Step { layer: index, outputs });
    }
    Ok(steps)
}

/// The output that a name means: a layer, `layer:output`, or the name of a tensor. A Result stands for what it takes.
pub fn find_output(model: &Model, name: &str) -> Result<OutputRef, RunError> {
    let Some(net) = model.net() else { return Err(RunError::NoModel) };
    let (graph, source) = (&net.graph, model.source());
    let numbered = name.rsplit_once(':').and_then(|(layer, output)| Some((layer, output.parse::<u32>().ok()?)));
    for (layer_name, output) in [Some((name, 0)), numbered].into_iter().flatten() {
        for (index, layer) in (0_u32..).zip(&graph.layers) {
            if graph.full_name(source, layer) != layer_name {
                continue;
            }
            if graph.kind(layer).role == Role::Result
                && let Some(output) = graph.inputs(layer).first().and_then(Port::source)
            {
                return Ok(output);
            }
            if (output as usize) < graph.outputs(layer).len() {
                return Ok(OutputRef { layer: index, output });
            }
        }
    }
    for (index, layer) in (0_u32..).zip(&graph.layers) {
        for (output, port) in (0_u32..).zip(graph.outputs(layer)) {
            let names = find_attribute(source, port.tag, "names").map(|names| unescape(source.slice(names.value)));
            if names.is_some_and(|names| names.split(',').any(|one| one == name)) {
                return Ok(OutputRef { layer: index, output });
            }
        }
    }
    Err(RunError::UnknownName(name.to_owned()))
}

/// The first difference of a tensor from what was expected, in words; `None` if all bits are the same.
pub fn difference(found: &Tensor, wanted: &Tensor) -> Option<String> {
    found.first_difference(wanted).map(|difference: Difference| difference.to_string())
}

struct Runner<'a> {
    model: &'a Model,
    graph: &'a Graph,
    facts: &'a Facts,
    done: BTreeMap<OutputRef, Tensor>,
    /// Bytes that further tensors may take.
    left: Cell<u64>,
}

impl Runner<'_> {
    /// The tensor of every Parameter that is fed.
    fn inputs(&self, feeds: &BTreeMap<String, Feed>) -> Result<BTreeMap<u32, Tensor>, RunError> {
        let source = self.model.source();
        let parameters: Vec<(u32, String)> = (0_u32..)
            .zip(&self.graph.layers)
            .filter(|(_, layer)| self.graph.kind(layer).role == Role::Parameter)
            .map(|(index, layer)| (index, self.graph.full_name(source, layer).into_owned()))
            .collect();
        let mut tensors = BTreeMap::new();
        for (name, feed) in feeds {
            let place = parameters.iter().find(|(_, known)| known == name).map(|(index, _)| *index).or_else(|| {
                let output = find_output(self.model, name).ok()?.layer;
                parameters.iter().find(|(index, _)| *index == output).map(|(index, _)| *index)
            });
            let Some(index) = place else {
                let known: Vec<String> = parameters.iter().map(|(_, name)| format!("`{name}`")).collect();
                return Err(RunError::UnknownInput { name: name.clone(), known: known.join(", ") });
            };
            let Some(fact) = self.facts.outputs(index).first() else { continue };
            let wanted = format!("{}{}", fact.ty, fact.shape);
            let mismatch = |found: String| RunError::Mismatch { name: name.clone(), wanted: wanted.clone(), found };
            let lengths = lengths(fact).ok_or_else(|| mismatch("needed in full; its shape is dynamic".to_owned()))?;
            let tensor = match feed {
                Feed::Tensor(tensor) if tensor.ty() == fact.ty && tensor.lengths() == lengths => tensor.clone(),
                Feed::Tensor(tensor) => return Err(mismatch(tensor.to_string())),
                Feed::Generated(generator) => self
                    .take(room(fact.ty, &lengths))
                    .map_err(|_| GenerateError::Memory(wanted.clone()))
                    .and_then(|()| generator.tensor(fact.ty, &lengths))
                    .map_err(|cause| RunError::Generate { name: name.clone(), cause })?,
            };
            tensors.insert(index, tensor);
        }
        Ok(tensors)
    }

    /// Which layers have to run for the target, or for all splits and results.
    fn needed(&self, order: &Order, until: Option<OutputRef>) -> Vec<bool> {
        let mut needed = vec![false; self.graph.layers.len()];
        let mut feeding = needed.clone();
        for &index in order.layers.iter().rev() {
            let Some(layer) = self.graph.layer(index) else { continue };
            let kind = self.graph.kind(layer);
            let target = match until {
                Some(output) => output.layer == index,
                None => matches!(kind.ty.as_str(), "Split" | "VariadicSplit"),
            };
            let place = index as usize;
            needed[place] = target || feeding[place];
            if until.is_none() && kind.role == Role::Result {
                self.feed(layer, &mut feeding, |_| true);
            }
            if !needed[place] || self.known(index).is_some() {
                continue;
            }
            if let Meaning::Modelled(spec) = kind.meaning {
                match spec.eval {
                    Eval::Copy => self.feed(layer, &mut feeding, |i| i == 0),
                    Eval::Move(_) => {
                        self.feed(layer, &mut feeding, |i| spec.input(i).is_some_and(|input| !input.reads_value));
                    }
                    _ if is_integer_convert(spec, self.facts.outputs(index)) => {
                        self.feed(layer, &mut feeding, |_| true);
                    }
                    _ => {}
                }
            }
        }
        needed
    }

    fn feed(&self, layer: &Layer, feeding: &mut [bool], wanted: impl Fn(usize) -> bool) {
        for (i, port) in self.graph.inputs(layer).iter().enumerate() {
            if let Some(source) = port.source().filter(|_| wanted(i)) {
                feeding[source.layer as usize] = true;
            }
        }
    }

    /// The outputs of a layer whose elements inference knows already; constants are read instead.
    fn known(&self, index: u32) -> Option<Vec<Tensor>> {
        let layer = self.graph.layer(index)?;
        if matches!(self.graph.kind(layer).role, Role::Const | Role::Parameter) {
            return None;
        }
        let outputs = self.facts.outputs(index);
        if outputs.is_empty() {
            return None;
        }
        outputs.iter().map(|fact| of_value(fact, fact.value.as_deref()?)).collect()
    }

    fn evaluate(&self, index: u32, layer: &Layer) -> Result<Vec<Tensor>, String> {
        let kind = self.graph.kind(layer);
        match kind.role {
            Role::Const => return self.constant(layer).map(|tensor| vec![tensor]),
            Role::Parameter => {
                let name = self.graph.full_name(self.model.source(), layer);
                return Err(format!("no data; give some by --input {name}=FILE.npy|zeros|arange|const:V"));
            }
            _ => {}
        }
        if let Some(tensors) = self.known(index) {
            return Ok(tensors);
        }
        let not_evaluated = || format!("not evaluated: {}", kind.ty);
        let Meaning::Modelled(spec) = kind.meaning else { return Err(not_evaluated()) };
        let outputs = self.facts.outputs(index);
        if self.facts.is_assumed(index) {
            return Err("its shapes could not be inferred; `ovlint check` tells why".to_owned());
        }
        if let Some(fact) = outputs.iter().find(|fact| !fact.shape.is_static()) {
            return Err(format!("its shape is not known: {}{}", fact.ty, fact.shape));
        }
        match spec.eval {
            Eval::Copy => {
                let data = self.input(layer, 0)?;
                outputs.iter().map(|fact| reshaped(&data, fact)).collect()
            }
            Eval::Move(_) if matches!(spec.name, "Split" | "VariadicSplit") => self.split(layer, outputs),
            Eval::Move(mover) => with_call(self.model.source(), self.graph, self.facts, layer, spec, |call| {
                call.context(|cx| {
                    let moved = |(i, fact): (usize, &Fact)| {
                        let lengths = lengths(fact).ok_or("its shape is not known")?;
                        let count = elements(&lengths).ok_or("it has more elements than can be counted")?;
                        // The places along each axis, the bits of the elements, and the tensor.
                        self.take(count.saturating_mul(32))?;
                        let source = mover(cx, i).ok_or("an input that decides places is not constant")?;
                        self.moved(layer, fact.ty, &lengths, count, &source)
                    };
                    outputs.iter().enumerate().map(moved).collect()
                })
            }),
            _ if is_integer_convert(spec, outputs) => {
                let data = self.input(layer, 0)?;
                outputs.iter().map(|fact| converted(&data, fact)).collect()
            }
            _ => Err(not_evaluated()),
        }
    }

    /// Takes memory for a tensor.
    fn take(&self, bytes: usize) -> Result<(), String> {
        let left = self.left.get().checked_sub(bytes as u64);
        self.left.set(left.ok_or("its tensors take more memory than --max-tensors-size allows")?);
        Ok(())
    }

    /// What arrives at input `i`.
    fn input(&self, layer: &Layer, i: usize) -> Result<Tensor, String> {
        let source = self.graph.inputs(layer).get(i).and_then(Port::source);
        let tensor = source.and_then(|source| self.done.get(&source));
        tensor.cloned().ok_or_else(|| {
            let producer = source.and_then(|source| self.graph.layer(source.layer));
            let name = producer.map(|layer| self.graph.full_name(self.model.source(), layer).into_owned());
            format!("not evaluated: input {i} comes from `{}`", name.unwrap_or_default())
        })
    }

    fn constant(&self, layer: &Layer) -> Result<Tensor, String> {
        let constant = self.graph.constant(layer).ok_or("its attributes cannot be read")?;
        let lengths: Vec<usize> = constant.lengths.iter().filter_map(|length| usize::try_from(*length).ok()).collect();
        let size = match constant.bytes_needed() {
            Some(size) => usize::try_from(size).map_err(|_| "it is too large for memory")?,
            None => usize::try_from(constant.size).map_err(|_| "it is too large for memory")?,
        };
        if size as u64 > constant.size && size > 0 {
            return Err(format!("it has {} bytes and needs {size}", constant.size));
        }
        self.take(size)?;
        let bytes = if size == 0 { Some(Vec::new()) } else { self.model.weights().read(constant.offset, size) };
        let bytes = bytes.ok_or("its bytes cannot be read from the weights")?;
        Tensor::new(constant.ty, &lengths, bytes).map_err(|error: TensorError| error.to_string())
    }

    fn split(&self, layer: &Layer, outputs: &[Fact]) -> Result<Vec<Tensor>, String> {
        let data = self.input(layer, 0)?;
        self.take(data.bytes().len())?;
        let parts: Vec<Vec<usize>> = outputs.iter().filter_map(lengths).collect();
        let axis = self.split_axis(layer, &data, &parts)?;
        let runs: Vec<usize> = parts.iter().filter_map(|part| part.get(axis).copied()).collect();
        split(&data, axis, &runs).map_err(|error: SplitError| error.to_string())
    }

    /// The axis of a split, which inference has checked.
    fn split_axis(&self, layer: &Layer, data: &Tensor, parts: &[Vec<usize>]) -> Result<usize, String> {
        let rank = data.lengths().len();
        let fact = self.graph.inputs(layer).get(1).and_then(|port| self.facts.of_port(port));
        let axis = fact.and_then(|fact| fact.value.as_ref()?.exact_integers()?.first().copied());
        let place = axis.and_then(|axis| {
            let axis = if axis < 0 { axis + i64::try_from(rank).ok()? } else { axis };
            usize::try_from(axis).ok()
        });
        // Without a constant axis the shapes can still tell: the one place where parts and data differ.
        let differs = || (0..rank).find(|i| parts.iter().any(|part| part.get(*i) != data.lengths().get(*i)));
        place.or_else(differs).filter(|axis| *axis < rank).ok_or_else(|| "its axis is not known".to_owned())
    }

    /// The elements that a mover takes from the inputs.
    fn moved(
        &self,
        layer: &Layer,
        ty: ElementType,
        lengths: &[usize],
        count: usize,
        source: &Mover,
    ) -> Result<Tensor, String> {
        let inputs: Vec<Option<Tensor>> =
            (0..self.graph.inputs(layer).len()).map(|i| self.input(layer, i).ok()).collect();
        let take = |i: usize| match source(i) {
            ZERO => Ok(None),
            (input, element) => match inputs.get(input) {
                Some(Some(tensor)) => Ok(Some((tensor, element))),
                _ => self.input(layer, input).map(|_| None),
            },
        };
        if ty == ElementType::String {
            let mut strings: Vec<Vec<u8>> = Vec::new();
            for i in 0..count {
                strings.push(match take(i)? {
                    Some((tensor, element)) => match tensor.element(element) {
                        Some(Element::String(bytes)) => bytes.to_vec(),
                        _ => return Err("an element is missing".to_owned()),
                    },
                    None => Vec::new(),
                });
            }
            return Tensor::of_strings(lengths, &strings).map_err(|error| error.to_string());
        }
        let mut codes = Vec::new();
        for i in 0..count {
            codes.push(match take(i)? {
                Some((tensor, element)) => tensor.code(element).ok_or("an element is missing")?,
                None => 0,
            });
        }
        of_codes(ty, lengths, &codes)
    }
}

fn is_integer_convert(spec: &OpSpec, outputs: &[Fact]) -> bool {
    spec.name == "Convert" && outputs.iter().all(|fact| fact.ty.is_integer() || fact.ty == ElementType::Boolean)
}

/// About what a tensor takes; nothing where it cannot be made anyway.
fn room(ty: ElementType, lengths: &[usize]) -> usize {
    match ty {
        ElementType::String => elements(lengths).unwrap_or(0).saturating_mul(32),
        _ => storage(ty, lengths).unwrap_or(0),
    }
}

/// The lengths of a static fact.
fn lengths(fact: &Fact) -> Option<Vec<usize>> {
    fact.shape.lengths()?.iter().map(|length| usize::try_from(*length).ok()).collect()
}

fn reshaped(data: &Tensor, fact: &Fact) -> Result<Tensor, String> {
    let lengths = lengths(fact).ok_or("its shape is not known")?;
    Tensor::new(fact.ty, &lengths, data.bytes().clone()).map_err(|error| error.to_string())
}

/// Integers as another integer type holds them: the low bits stay, and a boolean is whether there are any.
fn converted(data: &Tensor, fact: &Fact) -> Result<Tensor, String> {
    let lengths = lengths(fact).ok_or("its shape is not known")?;
    let mut codes = Vec::with_capacity(data.elements());
    for i in 0..data.elements() {
        let Some(Element::Integer(number)) = data.element(i) else {
            return Err(format!("not evaluated: Convert from {}", data.ty()));
        };
        let [low, _] = [number, number >> 64].map(|half| u64::try_from(half & i128::from(u64::MAX)).unwrap_or(0));
        codes.push(if fact.ty == ElementType::Boolean { u64::from(number != 0) } else { low });
    }
    of_codes(fact.ty, &lengths, &codes)
}

/// The tensor of a value that is known exactly.
fn of_value(fact: &Fact, value: &Value) -> Option<Tensor> {
    let lengths = lengths(fact)?;
    let codes: Vec<u64> = match value.elements() {
        Elements::Integers(all) => all.iter().map(|one| one.value().map(i64::cast_unsigned)).collect::<Option<_>>()?,
        Elements::Floats(all) => {
            all.iter().map(|one| number::float_code(fact.ty, one.value()?)).collect::<Option<_>>()?
        }
        Elements::Opaque(..) => return None,
    };
    of_codes(fact.ty, &lengths, &codes).ok()
}

/// The tensor of elements given as bits.
fn of_codes(ty: ElementType, lengths: &[usize], codes: &[u64]) -> Result<Tensor, String> {
    of_bits(ty, lengths, codes).map_err(|error| error.to_string())
}
