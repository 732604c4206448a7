//! Names for the free dimensions of inputs and states, and expressions of other dimensions in these names.

use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Role, find_attribute, name_list, unescape};
use crate::source::Source;
use crate::types::symbol::{Expressions, Length, Reader, Symbol};
use crate::types::{Dim, Fact, PartialShape, bare_fact};
use foldhash::fast::FixedState;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A free dimension: the caller of a model chooses it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Input {
    /// Its unique name, an identifier.
    pub(crate) name: String,
    /// Its conventional name, such as `batch`; several dimensions may share it.
    #[serde(skip)]
    pub(crate) kind: String,
    /// The id of its layer, a `Parameter` or a `ReadValue`.
    pub(crate) layer: String,
    #[serde(rename = "dim")]
    pub(crate) axis: u32,
    /// The name of the input or variable.
    pub(crate) input: String,
    /// Set for the dimension of a variable.
    #[serde(skip)]
    pub(crate) is_state: bool,
    /// The bounds that its layer declares.
    pub(crate) range: Dim,
}

/// The free dimensions of a model with their names.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    expressions: &'a Expressions,
    inputs: BTreeMap<Length, Input>,
    /// The cache of formatted expressions: many layers share dimensions.
    texts: RefCell<HashMap<(Symbol, Reader), Text, FixedState>>,
}

/// A formatted expression.
#[derive(Debug, Clone)]
struct Text {
    text: Rc<str>,
    /// Set if data decide it.
    is_unknown: bool,
}

impl<'a> Names<'a> {
    /// Names the free dimensions in these expressions.
    ///
    /// Names are given in the order of the file, but to states in the order of their names if inference did not depend on the
    /// file's order.
    pub(crate) fn of(graph: &Graph, source: &Source, facts: &Facts, expressions: &'a Expressions) -> Self {
        let mut inputs: BTreeMap<Length, Input> = BTreeMap::new();
        for (length, (lower, upper)) in expressions.inputs() {
            let range = Dim::between(lower, upper).unwrap_or(Dim::ANY);
            let input = input_of(graph, facts, source, length, range);
            inputs.extend(input.map(|input| (length, input)));
        }
        make_unique(&mut inputs, facts.plan().is_sorted());
        Self { expressions, inputs, texts: RefCell::default() }
    }

    /// Replaces the names by those that `others` has for the same dimensions.
    #[must_use]
    pub(crate) fn with_names_of(mut self, others: &Names) -> Self {
        for (length, input) in &mut self.inputs {
            if let Some(other) = others.inputs.get(length) {
                input.name.clone_from(&other.name);
            }
        }
        self
    }

    /// Returns the free dimensions in the order of the file.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.values()
    }

    /// Returns the free dimensions that these dimensions depend on, in the order of the file.
    pub(crate) fn inputs_of(&self, dims: &[Dim]) -> Vec<Input> {
        let lengths = self.expressions.lengths_of(dims.iter().map(|dim| dim.symbol()));
        lengths.iter().filter_map(|length| self.inputs.get(length).cloned()).collect()
    }

    /// Returns the ids of the free dimensions.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = Length> {
        self.inputs.keys().copied()
    }

    /// Returns the conventional name of a free dimension.
    pub(crate) fn kind(&self, length: Length) -> Option<&str> {
        Some(&self.inputs.get(&length)?.kind)
    }

    /// Formats every dimension of a shape; `None` for a dimension without an expression, and for a static shape.
    pub(crate) fn shape(&self, shape: &PartialShape, reader: Reader) -> Option<Vec<Option<String>>> {
        let dims = shape.dims().filter(|_| !shape.is_static())?;
        Some(dims.iter().map(|dim| Some(self.dim(*dim, reader)?.to_string())).collect())
    }

    /// Formats a fact without its elements, for people: `f32[batch, past + seq]`.
    pub(crate) fn fact(&self, fact: &Fact) -> String {
        let Some(dims) = self.shape(&fact.shape, Reader::Person) else { return bare_fact(fact) };
        let of = |(text, dim): (Option<String>, &Dim)| text.unwrap_or_else(|| dim.to_string());
        let dims: Vec<String> = dims.into_iter().zip(fact.shape.dims().unwrap_or_default()).map(of).collect();
        format!("{}[{}]", fact.ty, dims.join(", "))
    }

    /// Formats a dynamic dimension for people; `None` if it does not follow from inputs and states.
    pub(crate) fn open_dim(&self, dim: Dim) -> Option<Rc<str>> {
        if dim.is_exact() || dim.symbol().is_none() {
            return None;
        }
        let Text { text, is_unknown } = self.text(dim.symbol(), Reader::Person);
        (!is_unknown).then_some(text)
    }

    fn dim(&self, dim: Dim, reader: Reader) -> Option<Rc<str>> {
        match dim.length() {
            Some(length) => Some(length.to_string().into()),
            None if dim.symbol().is_none() => None,
            None => Some(self.text(dim.symbol(), reader).text),
        }
    }

    fn text(&self, symbol: Symbol, reader: Reader) -> Text {
        let make = || Text {
            text: self.expressions.text(symbol, reader, &|length| self.name(length)).into(),
            is_unknown: self.expressions.is_unknown(symbol),
        };
        self.texts.borrow_mut().entry((symbol, reader)).or_insert_with(make).clone()
    }

    /// Returns a free dimension.
    pub(crate) fn input(&self, length: Length) -> Option<&Input> {
        self.inputs.get(&length)
    }

    pub(crate) fn name(&self, length: Length) -> String {
        let unknown = || format!("u{}_{}_{}", length.layer, length.output, length.axis);
        self.inputs.get(&length).map_or_else(unknown, |input| input.name.clone())
    }
}

fn input_of(graph: &Graph, facts: &Facts, source: &Source, length: Length, range: Dim) -> Option<Input> {
    let index = LayerId::new(usize::try_from(length.layer).ok()?);
    let layer = graph.layer(index)?;
    let attribute = |tag, name| Some(unescape(source.slice(find_attribute(source, tag, name)?.value)).into_owned());
    let is_state = graph.kind(layer).role != Role::Parameter;
    let input = match graph.kind(layer).role {
        // Exporters may call the layer `Parameter_12`, while its tensor has the name that callers use.
        Role::Parameter => {
            let name = graph.full_name(source, layer).into_owned();
            let tensors = graph.outputs(layer).first().map(|port| name_list(source, port.tag, "names"));
            let is_tensor = |tensors: &Vec<String>| tensors.contains(&name);
            let tensor = tensors.filter(|tensors| !is_tensor(tensors)).and_then(|tensors| tensors.into_iter().next());
            tensor.unwrap_or(name)
        }
        _ => attribute(layer.data, "variable_id").unwrap_or_default(),
    };
    let name = convention(&input, usize::try_from(length.axis).ok()?, facts.outputs(index).first()?.shape.dims()?);
    let id = attribute(layer.tag, "id").unwrap_or_default();
    Some(Input { kind: name.clone(), name, layer: id, axis: length.axis, input, range, is_state })
}

/// Returns the conventional name of a dimension, by the name of the input or variable and the rank of its tensor.
fn convention(input: &str, axis: usize, dims: &[Dim]) -> String {
    let is_open = |axis: usize| dims.get(axis).is_some_and(|dim| !dim.is_exact());
    let names: &[&str] = match dims.len() {
        _ if input.contains("past") || input.contains("cache") => &["batch", "heads", "past", "size"],
        2 => &["batch", "seq"],
        3 => &["batch", "seq", "size"],
        4 if is_open(2) && is_open(3) => &["batch", "channels", "height", "width"],
        5 if is_open(3) && is_open(4) => &["batch", "channels", "depth", "height", "width"],
        _ => &["batch"],
    };
    names.get(axis).map_or_else(|| format!("d{axis}"), |name| (*name).to_owned())
}

/// Prefixes a duplicate name with that of the input, and appends a number if that is not enough. The order of inputs is a part
/// of the interface, that of states is not.
fn make_unique(inputs: &mut BTreeMap<Length, Input>, is_stable: bool) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut all: Vec<&mut Input> = inputs.values_mut().collect();
    all.sort_by_cached_key(|one| (is_stable && one.is_state).then(|| (one.input.clone(), one.axis)));
    for input in all {
        if taken.contains(&input.name) {
            let long = format!("{}_{}", identifier(&input.input), input.name);
            let mut numbered = (2..).map(|number| format!("{long}_{number}"));
            let is_free = |name: &String| !taken.contains(name);
            input.name = if is_free(&long) { long } else { numbered.find(is_free).unwrap_or_default() };
        }
        taken.insert(input.name.clone());
    }
}

/// Makes a text an identifier: replaces other characters by `_` and puts `x` before a leading digit.
fn identifier(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() { format!("x{plain}") } else { plain }
}
