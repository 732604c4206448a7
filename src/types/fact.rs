//! Facts about a tensor (type, shape and value) and their text notation.

use super::{Bounds, Dim, ElementType, Elements, PartialShape, Value};
use crate::text::words;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The type, the shape and the value of a tensor, as far as known.
///
/// Its text is `f32[1,?,3..8]`, or `i64[2] = -1,5` with a value, or `f32[...]` for an unknown rank. Parsing the text gives the
/// same fact back, without symbols and `assumed`, unless the value is so long that its text is cut off. In JSON, a fact has
/// its type, its shape as text and its basis, and no value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The element type.
    pub ty: ElementType,
    /// The shape as far as it is known.
    pub shape: PartialShape,
    /// The elements, if they are known or bounded.
    pub value: Option<Arc<Value>>,
    /// Whether this relies on declared ports and not on inference alone.
    pub assumed: bool,
}

words! {
    /// The source of a type and a shape.
    pub enum Basis {
        /// Inference alone.
        Inferred = "inferred",
        /// A declared port, at the layer itself or further up.
        Declared = "declared",
        /// None: it depends on what cannot be read, and no port declares it.
        Unknown = "unknown",
    }
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("type", &self.ty)?;
        fields.serialize_entry("shape", &self.shape)?;
        fields.serialize_entry("basis", &self.basis())?;
        fields.end()
    }
}

impl Fact {
    /// A fact without a value.
    pub fn new(ty: ElementType, shape: PartialShape) -> Self {
        Self { ty, shape, value: None, assumed: false }
    }

    /// A fact that allows every tensor.
    pub fn unknown() -> Self {
        Self::new(ElementType::Dynamic, PartialShape::UNKNOWN)
    }

    /// This fact with another value.
    #[must_use]
    pub fn with_value(mut self, value: Option<Value>) -> Self {
        self.value = value.map(Arc::new);
        self
    }

    /// Removes the symbols of dimensions and elements.
    pub(crate) fn forget_symbols(&mut self) {
        self.shape.dims_mut().into_iter().flatten().for_each(|dim| *dim = dim.bare());
        if let Some(value) = self.value.as_mut().filter(|value| value.has_symbols()) {
            Arc::make_mut(value).forget_symbols();
        }
    }

    /// The source of the type and the shape.
    pub fn basis(&self) -> Basis {
        match self.assumed {
            false => Basis::Inferred,
            true if self.rank().is_some() => Basis::Declared,
            true => Basis::Unknown,
        }
    }

    /// The rank, if known.
    pub fn rank(&self) -> Option<usize> {
        self.shape.rank()
    }

    /// Whether `self` allows every tensor that `other` allows. `assumed` is ignored.
    pub fn contains(&self, other: &Self) -> bool {
        let types = self.ty == ElementType::Dynamic || self.ty == other.ty;
        let values = match (&self.value, &other.value) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => bounds_contain(a, b),
        };
        types && self.shape.contains(&other.shape) && values
    }
}

fn bounds_contain(a: &Value, b: &Value) -> bool {
    match (a.elements(), b.elements()) {
        (Elements::Integers(a), Elements::Integers(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.lower <= b.lower && b.upper <= a.upper)
        }
        (Elements::Floats(a), Elements::Floats(b)) => {
            // NaN contains itself, though it is not equal to itself.
            let is_below = |one: f64, other: f64| one <= other || one.is_nan() && other.is_nan();
            let contains = |a: &Bounds<f64>, b: &Bounds<f64>| is_below(a.lower, b.lower) && is_below(b.upper, a.upper);
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| contains(a, b))
        }
        (Elements::Opaque(a, own), Elements::Opaque(b, other)) => a == b && (own.is_none() || own == other),
        _ => false,
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.ty, self.shape)?;
        match &self.value {
            Some(value) => write!(f, " = {value}"),
            None => Ok(()),
        }
    }
}

fn no_fact(text: &str) -> String {
    format!("`{text}` is not a fact such as `f32[1,?,3..8]` or `i64[2] = -1,5`")
}

impl FromStr for Fact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_fact(text).ok_or_else(|| no_fact(text))
    }
}

impl FromStr for PartialShape {
    type Err = String;

    /// Reads `[1,?,3..8]`, `[...]` and `[]`.
    fn from_str(text: &str) -> Result<Self, String> {
        parse_shape(text).ok_or_else(|| no_fact(text))
    }
}

impl FromStr for Dim {
    type Err = String;

    /// Reads `7`, `2..5`, `..5`, `2..` and `?`.
    fn from_str(text: &str) -> Result<Self, String> {
        parse_dim(text).ok_or_else(|| no_fact(text))
    }
}

fn parse_fact(text: &str) -> Option<Fact> {
    let (head, value) = match text.split_once('=') {
        Some((head, value)) => (head.trim(), Some(value.trim())),
        None => (text.trim(), None),
    };
    let (ty, shape) = head.split_at(head.find('[')?);
    let ty = ElementType::from_data_text(ty).filter(|known| known.name() == ty)?;
    let fact = Fact::new(ty, parse_shape(shape)?);
    let Some(value) = value else {
        return Some(fact);
    };
    let bytes = value.strip_suffix(" bytes").and_then(|bytes| bytes.parse().ok());
    if value == "*" || bytes.is_some() {
        let lengths = fact.shape.sizes()?;
        let count = lengths.iter().product();
        return Some(fact.with_value(Some(Value::new(&lengths, Elements::Opaque(count, bytes))?.stored())));
    }
    let items = if value.is_empty() { Vec::new() } else { value.split(',').map(str::trim).collect() };
    let value = if ty.is_float() {
        Value::floats(
            &fact.shape,
            items.iter().map(|item| between(item, Bounds::<f64>::ANY)).collect::<Option<Vec<_>>>()?,
        )
    } else {
        Value::integers(&fact.shape, items.iter().map(|item| integer_bounds(item)).collect::<Option<Vec<_>>>()?)
    };
    Some(fact.with_value(Some(value?.stored())))
}

fn parse_shape(text: &str) -> Option<PartialShape> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    match inner {
        "..." => Some(PartialShape::UNKNOWN),
        "" => Some(PartialShape::scalar()),
        _ => inner.split(',').map(|dim| parse_dim(dim.trim())).collect::<Option<Vec<_>>>().map(PartialShape::of),
    }
}

fn parse_dim(text: &str) -> Option<Dim> {
    if text == "?" {
        return Some(Dim::ANY);
    }
    let bounds = integer_bounds(text)?;
    if bounds.lower < 0 && bounds.lower != i64::MIN {
        return None;
    }
    Dim::between(bounds.lower, bounds.upper)
}

fn integer_bounds(text: &str) -> Option<Bounds<i64>> {
    between(text, Bounds::<i64>::ANY)
}

fn between<T: FromStr + Copy>(text: &str, any: Bounds<T>) -> Option<Bounds<T>> {
    if text == "?" {
        return Some(any);
    }
    let Some((lower, upper)) = text.split_once("..") else {
        return text.parse().ok().map(Bounds::exact);
    };
    let lower = if lower.is_empty() { any.lower } else { lower.parse().ok()? };
    let upper = if upper.is_empty() { any.upper } else { upper.parse().ok()? };
    Some(Bounds::between(lower, upper))
}

/// The text of a fact without its value.
pub(crate) fn bare_fact(fact: &Fact) -> String {
    format!("{}{}", fact.ty, fact.shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_reads_back() {
        for text in [
            "f32[1,?,3..8]",
            "f32[...]",
            "u4[]",
            "i64[2] = -1,5",
            "i64[3] = 2..5,3..,?",
            "f16[] = 1.5",
            "i32[0] = ",
            "dynamic[..4,2..]",
            "boolean[2] = 0,1",
            "string[2] = *",
        ] {
            assert_eq!(text.parse::<Fact>().map(|fact| fact.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn bounds_contain_what_they_allow() {
        let of = |one: Bounds<f64>| {
            let shape = PartialShape::scalar();
            Fact { value: Value::floats(&shape, [one]).map(Arc::new), ..Fact::new(ElementType::F32, shape) }
        };
        let (nan, wide) = (of(Bounds::exact(f64::NAN)), of(Bounds::between(0.0, 2.0)));
        assert!(nan.contains(&nan) && wide.contains(&wide) && wide.contains(&of(Bounds::exact(1.0))));
        assert!(!nan.contains(&wide) && !wide.contains(&nan) && !wide.contains(&of(Bounds::exact(3.0))));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["f32", "FP32[1]", "f32[1,]", "f32[-1]", "f32[5..2]", "i64[2] = 1", "f32[1", "i64[1] = x"] {
            assert!(text.parse::<Fact>().is_err(), "{text}");
        }
    }
}
