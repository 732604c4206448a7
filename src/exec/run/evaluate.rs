//! The evaluation of one layer of a run: from elements that inference knows, or by moving and converting those of its inputs.

use super::Runner;
use super::made::{converted, of_value, reshaped};
use crate::exec::generate::of_bits;
use crate::exec::split::split;
use crate::exec::tensor::{Lengths, Tensor, elements};
use crate::infer::with_call;
use crate::ir::{Layer, LayerId, Port, Role};
use crate::ops::{Action, Eval, Meaning, Mover, NOWHERE, OpSpec, ZERO};
use crate::types::codec::Element;
use crate::types::{ElementType, Fact, from_front};

impl Runner<'_> {
    /// Returns the outputs of a layer if inference knows all their elements; `None` for constants, which are read instead.
    pub(super) fn known_outputs(&self, index: LayerId) -> Option<Vec<Tensor>> {
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

    pub(super) fn evaluate(&self, index: LayerId, layer: &Layer) -> Result<Vec<Tensor>, String> {
        let kind = self.graph.kind(layer);
        match kind.role {
            Role::Const => return self.constant(layer).map(|tensor| vec![tensor]),
            Role::Parameter => {
                let name = self.graph.full_name(self.model.source(), layer);
                return Err(format!("no data; provide data with --input {name}=FILE.npy|zeros|arange|const:V"));
            }
            _ => {}
        }
        if let Some(tensors) = self.known_outputs(index) {
            return Ok(tensors);
        }
        let not_evaluated = || format!("not evaluated: `ovlint run` does not compute {}", kind.ty);
        let Meaning::Modelled(spec) = kind.meaning else { return Err(not_evaluated()) };
        let outputs = self.facts.outputs(index);
        if self.facts.is_assumed(index) {
            return Err("its shapes could not be inferred; run `ovlint check` to see why".to_owned());
        }
        if let Some(fact) = outputs.iter().find(|fact| !fact.shape.is_static()) {
            let hint = if self.has_open_inputs() { "; set the shapes of the inputs with --shape" } else { "" };
            return Err(format!("not evaluated: its shape is not static: {}{}{hint}", fact.ty, fact.shape));
        }
        match spec.eval {
            Eval::Copy(_) => {
                let data = self.input(layer, 0)?;
                outputs.iter().map(|fact| reshaped(&data, fact)).collect()
            }
            Eval::Move(..) if spec.action == Action::Splits => self.split(layer, outputs),
            Eval::Move(_, mover) => with_call(self.model.source(), self.graph, self.facts, layer, spec, |call| {
                call.context(self.model.limits(), |cx| {
                    let moved = |(i, fact): (usize, &Fact)| {
                        let lengths = fact.shape.sizes().ok_or("its shape is not known")?;
                        let count = elements(&lengths).ok_or("it has more elements than can be counted")?;
                        // Bytes per element for the indices along each axis, the bits of the elements, and the tensor.
                        self.reserve(count.saturating_mul(32))?;
                        let source =
                            mover(cx, i).ok_or("an input that determines where elements go is not constant")?;
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

    /// Whether an input of the model has a dynamic shape.
    fn has_open_inputs(&self) -> bool {
        self.graph.entries().any(|(index, layer)| {
            let is_open = |fact: &Fact| !fact.shape.is_static();
            self.graph.kind(layer).role == Role::Parameter && self.facts.outputs(index).iter().any(is_open)
        })
    }

    /// Reserves memory for a tensor; an error if the limit does not allow it.
    pub(super) fn reserve(&self, bytes: usize) -> Result<(), String> {
        let left = self.left.get().checked_sub(bytes as u64);
        self.left.set(left.ok_or("its tensors take more memory than --max-tensors-size allows")?);
        Ok(())
    }

    /// Returns the tensor at input `i`.
    fn input(&self, layer: &Layer, i: usize) -> Result<Tensor, String> {
        let source = self.graph.inputs(layer).get(i).and_then(Port::source);
        let tensor = source.and_then(|source| self.done.get(&source));
        tensor.cloned().ok_or_else(|| {
            let root = source.map(|source| self.failed.get(&source.layer).copied().unwrap_or(source.layer));
            let Some(layer) = root.and_then(|root| self.graph.layer(root)) else {
                return format!("not evaluated: input {i} is not connected");
            };
            let name = self.graph.full_name(self.model.source(), layer);
            format!("not evaluated: depends on `{name}` ({})", self.graph.kind(layer).ty)
        })
    }

    /// Returns the root cause of a failed evaluation: this layer, or that of one of its producers.
    pub(super) fn root(&self, index: LayerId, layer: &Layer) -> LayerId {
        let mut sources = self.graph.inputs(layer).iter().filter_map(Port::source);
        sources.find_map(|source| self.failed.get(&source.layer)).copied().unwrap_or(index)
    }

    fn constant(&self, layer: &Layer) -> Result<Tensor, String> {
        let constant = self.graph.constant(layer).ok_or("its attributes cannot be read")?;
        let lengths: Vec<usize> = constant.lengths.iter().filter_map(|length| usize::try_from(*length).ok()).collect();
        let size = constant.bytes_needed().unwrap_or(constant.size);
        let size = usize::try_from(size).map_err(|_| "it is too large for memory")?;
        if size as u64 > constant.size && size > 0 {
            return Err(format!("it has {} bytes and needs {size}", constant.size));
        }
        self.reserve(size)?;
        let bytes = if size == 0 { Some(Vec::new()) } else { self.model.weights().read(constant.offset, size) };
        let bytes = bytes.ok_or("its bytes cannot be read from the weights")?;
        Tensor::new(constant.ty, &lengths, bytes)
    }

    fn split(&self, layer: &Layer, outputs: &[Fact]) -> Result<Vec<Tensor>, String> {
        let data = self.input(layer, 0)?;
        self.reserve(data.bytes().len())?;
        let parts: Vec<Lengths> = outputs.iter().filter_map(|fact| fact.shape.sizes()).collect();
        let axis = self.split_axis(layer, &data, &parts)?;
        let runs: Vec<usize> = parts.iter().filter_map(|part| part.get(axis).copied()).collect();
        split(&data, axis, &runs)
    }

    /// Returns the non-negative axis of a split, which inference has checked.
    fn split_axis(&self, layer: &Layer, data: &Tensor, parts: &[Lengths]) -> Result<usize, String> {
        let rank = data.lengths().len();
        let fact = self.graph.inputs(layer).get(1).and_then(|port| self.facts.of_port(port));
        let axis = fact.and_then(|fact| fact.value.as_ref()?.exact_integers()?.first().copied());
        let place = axis.and_then(|axis| from_front(axis, rank));
        // If the axis is not known, the shapes reveal it: parts and data differ in one dimension only.
        let differs = || (0..rank).find(|i| parts.iter().any(|part| part.get(*i) != data.lengths().get(*i)));
        place.or_else(differs).ok_or_else(|| "its axis is not known".to_owned())
    }

    /// Builds an output from the elements that `source` selects from the inputs of the layer.
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
            NOWHERE => Err("an index lies outside the data".to_owned()),
            (input, element) => match inputs.get(input) {
                Some(Some(tensor)) => Ok(Some((tensor, element))),
                _ => self.input(layer, input).map(|_| None),
            },
        };
        let missing = || "an element is missing".to_owned();
        if ty == ElementType::String {
            let string = |i: usize| match take(i)?.map(|(tensor, element)| tensor.element(element)) {
                Some(Some(Element::String(bytes))) => Ok(bytes.to_vec()),
                Some(_) => Err(missing()),
                None => Ok(Vec::new()),
            };
            return Tensor::of_strings(lengths, &(0..count).map(string).collect::<Result<Vec<_>, String>>()?);
        }
        let code = |i: usize| match take(i)? {
            Some((tensor, element)) => tensor.code(element).ok_or_else(missing),
            None => Ok(0),
        };
        of_bits(ty, lengths, &(0..count).map(code).collect::<Result<Vec<_>, String>>()?)
    }
}

/// Whether the layer converts to integers or booleans. [`converted`] checks that the input has integers.
pub(super) fn is_integer_convert(spec: &OpSpec, outputs: &[Fact]) -> bool {
    spec.action == Action::Converts
        && outputs.iter().all(|fact| fact.ty.is_integer() || fact.ty == ElementType::Boolean)
}
