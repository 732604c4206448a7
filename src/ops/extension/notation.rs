//! The notation of an output rule: a type and a shape, as in `i32[in0.shape]`, `in1.type[?, in0.dims[-1], 4]`, `f32[...]`.
//!
//! - type: an element type such as `f32`, `dynamic`, or the type of an input: `in0.type`
//! - shape: `...` for an unknown rank, or a list of
//!   - lengths: `7`, `2..5`, `..5`, `2..`, `?` for any
//!   - `in0.dims[K]`: a dimension of an input, counted from the end if K is negative; any length if its rank is unknown
//!   - `in0.rank`: the rank of an input
//!   - `in0.shape`: all dimensions of an input; if its rank is unknown, so is that of the output

use crate::types::{Dim, ElementType, from_front};
use std::fmt;
use std::str::FromStr;

/// The rule of one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    text: String,
    pub(super) ty: Type,
    /// The parts of the shape; `None` for an unknown rank.
    pub(super) items: Option<Vec<Item>>,
}

/// The element type of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// A fixed type.
    Exact(ElementType),
    /// The type of this input.
    Of(usize),
}

/// A part of the shape of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// A dimension.
    Dim(Dim),
    /// A dimension of an input, counted from the end if negative.
    DimOf(usize, i64),
    /// The rank of an input, as a length.
    Rank(usize),
    /// Every dimension of an input.
    Shape(usize),
}

/// The source of a dimension of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The input.
    pub input: usize,
    /// The axis of the input, counted from the front; `None` for its rank.
    pub axis: Option<usize>,
}

impl Output {
    /// The input whose element type the output has, if any.
    pub(crate) fn type_from(&self) -> Option<usize> {
        match self.ty {
            Type::Of(input) => Some(input),
            Type::Exact(_) => None,
        }
    }

    /// The source of dimension `axis`, if it comes from an input; `rank` returns the ranks of inputs.
    pub(crate) fn dim_from(&self, axis: usize, rank: impl Fn(usize) -> Option<usize>) -> Option<Taken> {
        let mut first = 0;
        for item in self.items.iter().flatten() {
            let count = match *item {
                Item::Shape(input) => {
                    let count = rank(input)?;
                    if axis < first + count {
                        return Some(Taken { input, axis: Some(axis - first) });
                    }
                    count
                }
                Item::DimOf(input, own) if axis == first => {
                    return Some(Taken { input, axis: Some(from_front(own, rank(input)?)?) });
                }
                Item::Rank(input) if axis == first => return Some(Taken { input, axis: None }),
                _ if axis == first => return None,
                _ => 1,
            };
            first += count;
        }
        None
    }

    /// The inputs whose rank decides that of the output.
    pub(crate) fn rank_from(&self) -> impl Iterator<Item = usize> {
        self.items.iter().flatten().filter_map(|item| match item {
            Item::Shape(input) => Some(*input),
            _ => None,
        })
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The error of a text that is not in this notation.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{message}")]
pub struct NotStated {
    /// The byte offset of the error.
    pub at: usize,
    /// The text found, and the text expected.
    pub message: String,
}

impl FromStr for Output {
    type Err = NotStated;

    fn from_str(text: &str) -> Result<Self, NotStated> {
        // Every part is a slice of the text.
        let wrong = |part: &str, message| NotStated { at: part.as_ptr().addr() - text.as_ptr().addr(), message };
        let whole = text.trim();
        let (ty, shape) = text.split_at(text.find('[').unwrap_or(text.len()));
        let name = ty.trim();
        let ty = element_type(name).ok_or_else(|| wrong(name, not_a_type(name)))?;
        if shape.is_empty() {
            let message = format!("`{whole}` has no shape; expected one such as `{whole}[in0.shape]`");
            return Err(wrong(shape, message));
        }
        let inner = shape.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.ok_or_else(|| {
            let end = text.trim_end().len();
            NotStated { at: end, message: format!("`{whole}` does not end in `]`") }
        })?;
        let item = |part: &str| item(part).ok_or_else(|| wrong(part, not_an_item(part)));
        let items = match inner.trim() {
            "..." => None,
            "" => Some(Vec::new()),
            _ => Some(inner.split(',').map(|part| item(part.trim())).collect::<Result<_, _>>()?),
        };
        Ok(Self { text: whole.to_owned(), ty, items })
    }
}

/// Splits `in0.rank` into the input and the part after the dot.
fn of_input(text: &str) -> Option<(usize, &str)> {
    let (input, aspect) = text.strip_prefix("in")?.split_once('.')?;
    let is_plain = input.bytes().all(|b| b.is_ascii_digit());
    Some((input.parse().ok().filter(|_| is_plain)?, aspect))
}

fn element_type(text: &str) -> Option<Type> {
    match of_input(text) {
        Some((input, "type")) => Some(Type::Of(input)),
        Some(_) => None,
        None => ElementType::all().find(|ty| ty.name() == text).map(Type::Exact),
    }
}

fn item(text: &str) -> Option<Item> {
    let Some((input, aspect)) = of_input(text) else { return text.parse().ok().map(Item::Dim) };
    match aspect {
        "shape" => Some(Item::Shape(input)),
        "rank" => Some(Item::Rank(input)),
        _ => aspect.strip_prefix("dims[")?.strip_suffix(']')?.parse().ok().map(|axis| Item::DimOf(input, axis)),
    }
}

fn not_a_type(text: &str) -> String {
    // The spelling of ports, or capitals.
    match ElementType::from_port_text(text).or_else(|| ElementType::from_data_text(text)) {
        Some(near) => format!("`{text}` is not a type; did you mean `{near}`?"),
        None => format!("`{text}` is not a type; expected an element type such as `f32`, `dynamic`, or `in0.type`"),
    }
}

fn not_an_item(text: &str) -> String {
    match text {
        "..." => "`...` stands alone: the rank is not known".to_owned(),
        "-1" => "`-1` is not a dimension; any length is written `?`".to_owned(),
        _ => format!("`{text}` is not a dimension; expected {ITEMS}"),
    }
}

const ITEMS: &str = "a length such as `7`, `2..5` or `?`, or `in0.dims[1]`, `in0.rank` or `in0.shape`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_has_a_place() {
        let none = format!("not a dimension; expected {ITEMS}");
        let cases = [
            ("i32", 3, "`i32` has no shape; expected one such as `i32[in0.shape]`".to_owned()),
            ("", 0, "`` is not a type; expected an element type such as `f32`, `dynamic`, or `in0.type`".to_owned()),
            ("FP32[1]", 0, "`FP32` is not a type; did you mean `f32`?".to_owned()),
            ("[1]", 0, "`` is not a type; expected an element type such as `f32`, `dynamic`, or `in0.type`".to_owned()),
            (
                " in0.shape[1]",
                1,
                "`in0.shape` is not a type; expected an element type such as `f32`, `dynamic`, or `in0.type`"
                    .to_owned(),
            ),
            ("f32[1,2", 7, "`f32[1,2` does not end in `]`".to_owned()),
            ("f32[1] = 2", 10, "`f32[1] = 2` does not end in `]`".to_owned()),
            ("f32[in0.dims[1]", 4, format!("`in0.dims[1` is {none}")),
            ("f32[1, -1]", 7, "`-1` is not a dimension; any length is written `?`".to_owned()),
            ("f32[1,]", 6, format!("`` is {none}")),
            ("f32[1, ...]", 7, "`...` stands alone: the rank is not known".to_owned()),
            ("f32[5..2]", 4, format!("`5..2` is {none}")),
            ("f32[in0.dim[1]]", 4, format!("`in0.dim[1]` is {none}")),
            ("f32[in0.dims[x]]", 4, format!("`in0.dims[x]` is {none}")),
            ("f32[in.shape]", 4, format!("`in.shape` is {none}")),
            ("f32[in+0.shape]", 4, format!("`in+0.shape` is {none}")),
            ("f32[in0.dims[0]+1]", 4, format!("`in0.dims[0]+1` is {none}")),
            ("f32[in99999999999999999999.shape]", 4, format!("`in99999999999999999999.shape` is {none}")),
        ];
        for (text, at, message) in cases {
            assert_eq!(text.parse::<Output>(), Err(NotStated { at, message }), "{text}");
        }
    }

    #[test]
    fn what_is_stated_reads_back() {
        for text in ["i32[in0.shape]", "dynamic[...]", "in1.type[?, in0.dims[-1], ..4]", "u8[]", "i64[in0.rank]"] {
            assert_eq!(text.parse::<Output>().map(|output| output.to_string()), Ok(text.to_owned()));
            assert_eq!(format!(" {text} ").parse::<Output>().map(|output| output.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn dimensions_know_where_they_come_from() {
        let output: Output = "i32[7, in1.shape, in0.dims[-1], in0.rank]".parse().unwrap();
        let from = |axis| output.dim_from(axis, |input| Some([3, 2][input])).map(|taken| (taken.input, taken.axis));
        let all = [None, Some((1, Some(0))), Some((1, Some(1))), Some((0, Some(2))), Some((0, None)), None];
        assert_eq!([0, 1, 2, 3, 4, 5].map(from), all);
        assert_eq!(output.dim_from(1, |_| None), None);
        assert_eq!((output.type_from(), output.rank_from().collect::<Vec<_>>()), (None, vec![1]));
    }
}
