//! The forms in which the weights of layers are stored.
//!
//! A weight is a constant of two or more axes that a layer multiplies, or in which it looks up rows. Between a compressed
//! constant and its layer stand Convert, Subtract (of zero points), Multiply (by scales) and Reshape (of groups).

use crate::arrange::Arrange;
use crate::infer::Facts;
use crate::ir::walk::Visit;
use crate::ir::{Constant, Graph, Layer, OutputRef, Port, Weights, find_attribute};
use crate::ops::{Action, Macs};
use crate::source::Source;
use crate::types::ElementType;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A form, with the layers whose weights have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scheme {
    /// The form.
    #[serde(flatten)]
    pub form: Form,
    /// The layers by type.
    pub operations: Vec<Uses>,
}

/// The form in which a weight is stored.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Form {
    /// The element type of the constant.
    #[serde(rename = "type")]
    pub ty: ElementType,
    /// The elements that share a scale; `None` if there are no scales.
    pub scale: Option<Scale>,
    /// The number of elements of a group.
    pub group: Option<i64>,
    /// Whether all zero points are in the middle of the range; `None` without scales, and if they cannot be read.
    pub symmetric: Option<bool>,
    /// The number of levels of a `FakeQuantize` of the weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<i64>,
    /// Whether the constant holds indices into a table of values.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub codebook: bool,
}

/// The elements that share a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// All.
    Tensor,
    /// Those of a channel.
    Channel,
    /// Those of a group within a channel.
    Group,
}

/// The layers of a type that use a form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Uses {
    /// The operation.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// The number of layers with a weight of the form.
    pub layers: usize,
    /// The number of layers of the type with any weight.
    pub of: usize,
}

/// A layer with weights.
pub(crate) struct Weighted<'a> {
    pub graph: &'a Graph,
    pub source: &'a Source,
    pub ty: &'static str,
    /// Whether it multiplies, rather than looks up rows.
    pub multiplies: bool,
    /// The forms of its weights, each once.
    pub forms: Vec<Form>,
    /// The inputs that are no weights.
    pub data: Vec<OutputRef>,
}

/// The maximum number of layers between a weight and its layer.
const MOST: usize = 10;

/// The maximum number of values of a codebook.
const CODEBOOK: u64 = 1 << 16;

/// The number of bytes of zero points that are read at once.
const CHUNK: u64 = 1 << 16;

/// Returns a layer as one with weights; `None` if it has none. Without the bytes of the weights, zero points are not read.
pub(crate) fn weighted<'a>(
    visit: &Visit<'a, &'a Facts>,
    source: &'a Source,
    weights: Option<&'a Weights>,
) -> Option<Weighted<'a>> {
    let (graph, facts) = (visit.place.graph, visit.place.beside);
    let spec = visit.kind().spec().filter(|_| facts.is_reachable(visit.id))?;
    let (multiplies, gathers) = (!matches!(spec.macs, Macs::None), spec.action == Action::Gathers);
    let ports = graph.inputs(visit.layer);
    let ports = if multiplies { ports } else { ports.get(..1).filter(|_| gathers)? };
    let chain = Chain { graph, facts, source, weights };
    let slides = spec.attrs.iter().any(|attr| attr.name == "strides");
    // Constant indices into a constant table give a constant, not a layer with weights.
    let index = graph.inputs(visit.layer).get(1).and_then(Port::source).filter(|_| gathers);
    if index.is_some_and(|from| chain.stored(from, false, MOST).is_some()) {
        return None;
    }
    let (mut found, mut data): (Vec<Stored>, Vec<OutputRef>) = Default::default();
    for (at, from) in ports.iter().map(Port::source).enumerate() {
        let Some(from) = from.filter(|_| spec.input(at).is_none_or(|input| !input.optional)) else { continue };
        match chain.stored(from, false, MOST) {
            Some(stored) if stored.rank < 2 || is_vector(&stored) && !slides => {}
            Some(stored) => found.push(stored),
            None => data.push(from),
        }
    }
    // Biases have fewer axes than the weights of the same layer. Tables of integers without scales hold shapes or indices.
    let rank = found.iter().map(|one| one.rank).max();
    let is_weight =
        |one: &Stored| Some(one.rank) == rank && (multiplies || one.form.scale.is_some() || one.form.ty.is_float());
    let mut forms: Vec<Form> = found.into_iter().filter(is_weight).map(|one| one.form).collect();
    forms.arrange();
    forms.dedup();
    (!forms.is_empty()).then_some(Weighted { graph, source, ty: spec.name, multiplies, forms, data })
}

/// Returns the forms of all weights, those of most layers first.
pub(crate) fn schemes(weighted: &[Weighted]) -> Vec<Scheme> {
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: BTreeMap<&Form, BTreeMap<&'static str, usize>> = BTreeMap::new();
    for one in weighted {
        *totals.entry(one.ty).or_default() += 1;
        for form in &one.forms {
            *found.entry(form).or_default().entry(one.ty).or_default() += 1;
        }
    }
    let uses = |(ty, layers)| Uses { ty, layers, of: totals.get(ty).copied().unwrap_or(layers) };
    let scheme = |(form, by_type): (&Form, BTreeMap<_, _>)| {
        let mut operations: Vec<Uses> = by_type.into_iter().map(uses).collect();
        operations.arrange_by_key(|uses| Reverse(uses.layers));
        Scheme { form: form.clone(), operations }
    };
    let mut schemes: Vec<Scheme> = found.into_iter().map(scheme).collect();
    schemes.arrange_by_key(|scheme| Reverse(scheme.operations.iter().map(|uses| uses.layers).sum::<usize>()));
    schemes
}

/// A constant at the end of a chain.
struct Stored {
    form: Form,
    rank: usize,
    elements: u64,
    /// The number of elements along the last axis.
    last: Option<i64>,
    /// The number of elements along the longest axis.
    longest: i64,
}

/// Whether a constant of three or more axes has a single row, as the frequencies of rotary embeddings have.
fn is_vector(stored: &Stored) -> bool {
    stored.rank > 2 && i64::try_from(stored.elements).is_ok_and(|elements| elements == stored.longest)
}

/// The chains of layers from constants.
struct Chain<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    source: &'a Source,
    weights: Option<&'a Weights>,
}

impl Chain<'_> {
    /// Returns the constant from which a tensor follows; `None` if it follows from anything else. `joins` is set below a Reshape
    /// that joins two axes.
    fn stored(&self, from: OutputRef, joins: bool, most: usize) -> Option<Stored> {
        let layer = self.graph.layer(from.layer)?;
        if let Some(constant) = self.graph.constant(layer) {
            return stored(constant);
        }
        let most = most.checked_sub(1)?;
        let input = |at: usize| self.graph.inputs(layer).get(at)?.source();
        let data = |joins: bool| self.stored(input(0)?, joins, most);
        match self.graph.kind(layer).action() {
            Action::Converts | Action::Permutes => data(joins),
            Action::Reshapes => {
                let rank = |from: OutputRef| self.facts.output(from)?.shape.rank();
                data(rank(input(0)?)? == rank(from)? + 1)
            }
            Action::Multiplies => {
                let (first, second) = (data(joins)?, self.stored(input(1)?, joins, most)?);
                let (data, scale) = if second.elements > first.elements { (second, first) } else { (first, second) };
                Some(data.scaled(&scale, joins))
            }
            Action::Subtracts => {
                let (mut data, zero) = (data(joins)?, self.constant(input(1)?, most)?);
                data.form.symmetric = self.is_middle(zero, data.form.ty);
                data.form.scale = data.form.scale.or(Some(Scale::Channel));
                Some(data)
            }
            Action::Quantizes => {
                let mut data = data(joins)?;
                data.form.levels = levels(self.source, layer);
                Some(data)
            }
            Action::Gathers => {
                let (table, mut data) = (data(false)?, self.stored(input(1)?, joins, most)?);
                data.form.codebook = true;
                (table.elements <= CODEBOOK && data.elements > table.elements).then_some(data)
            }
            _ => None,
        }
    }

    /// Returns the constant behind a tensor, through Converts and Reshapes.
    fn constant(&self, from: OutputRef, most: usize) -> Option<&Constant> {
        let layer = self.graph.layer(from.layer)?;
        if let Some(constant) = self.graph.constant(layer) {
            return Some(constant);
        }
        let passes = [Action::Converts, Action::Reshapes].contains(&self.graph.kind(layer).action());
        let input = self.graph.inputs(layer).first().filter(|_| passes)?;
        self.constant(input.source()?, most.checked_sub(1)?)
    }

    /// Whether all zero points are in the middle of the range of a type; `None` if they cannot be read.
    fn is_middle(&self, zero: &Constant, of: ElementType) -> Option<bool> {
        let is_unsigned = of.name().starts_with('u');
        let middle = if is_unsigned { 1_u32 << (of.bits() - 1).min(31) } else { 0 };
        // The byte that zero points in the middle fill, and the first number past those of their type.
        let (byte, end) = match zero.ty {
            ElementType::U8 => (middle, 256),
            ElementType::I8 => (middle, 128),
            ElementType::U4 => (middle.saturating_mul(0x11), 16),
            ElementType::I4 => (middle.saturating_mul(0x11), 8),
            ElementType::U2 => (middle.saturating_mul(0x55), 4),
            _ => {
                let value =
                    self.weights?.value(zero).filter(|_| zero.elements().is_some_and(|count| count <= CHUNK))?;
                return Some(value.as_floats()?.iter().all(|one| one.value() == Some(f64::from(middle))));
            }
        };
        let Some(byte) = u8::try_from(byte).ok().filter(|_| middle < end) else { return Some(false) };
        let weights = self.weights?;
        let bits = zero.elements()?.checked_mul(u64::from(zero.ty.bits()))?;
        if weights.foreign_format().is_some() || bits == 0 {
            return None;
        }
        let (mut at, size) = (0, bits.div_ceil(8));
        while at < size {
            let count = CHUNK.min(size - at);
            let mut bytes = weights.read(zero.offset.checked_add(at)?, usize::try_from(count).ok()?)?;
            at += count;
            // The last byte may be filled in part: the first elements have its low bits.
            if let Some(last) = bytes.last_mut().filter(|_| at == size && bits % 8 > 0) {
                let unused = 0xff << (bits % 8);
                *last = *last & !unused | byte & unused;
            }
            if bytes.iter().any(|one| *one != byte) {
                return Some(false);
            }
        }
        Some(true)
    }
}

fn stored(constant: &Constant) -> Option<Stored> {
    let form = Form { ty: constant.ty, scale: None, group: None, symmetric: None, levels: None, codebook: false };
    let (rank, last) = (constant.lengths.len(), constant.lengths.last().copied());
    let longest = constant.lengths.iter().copied().max().unwrap_or(1);
    Some(Stored { form, rank, elements: constant.elements()?, last, longest })
}

impl Stored {
    /// Returns the constant with its scales; without them if its type needs none.
    fn scaled(mut self, scale: &Self, joins: bool) -> Self {
        let plain = [ElementType::F16, ElementType::Bf16, ElementType::F32, ElementType::F64];
        if plain.contains(&self.form.ty) && !self.form.codebook || self.form.group.is_some() {
            return self;
        }
        let is_float = self.form.ty.is_float();
        let is_plain = !is_float && !self.form.codebook && self.form.scale.is_none();
        self.form.symmetric = self.form.symmetric.or(is_plain.then_some(true));
        self.form.scale = Some(match scale.elements {
            1 => Scale::Tensor,
            _ if joins && scale.rank == self.rank => Scale::Group,
            _ => Scale::Channel,
        });
        self.form.group = self.last.filter(|_| self.form.scale == Some(Scale::Group));
        self
    }
}

/// Returns the number of levels of a `FakeQuantize`.
pub(crate) fn levels(source: &Source, layer: &Layer) -> Option<i64> {
    source.text(find_attribute(source, layer.data, "levels")?.value).parse().ok()
}
