//! The context in which an operation infers a layer.

mod faults;

pub use faults::{BoundsDependent, Needs};

use super::apply::Extent;
use super::attribute::AttrValue;
use super::fault::{At, Fault};
use super::misread::is_misread;
use super::rules::{AXIS_RANGE, INPUT_VALUE};
use super::spec::OpSpec;
use crate::limits::Limits;
use crate::types::{Bounds, Dim, ElementType, Fact, PartialShape, Value, from_front};
use smallvec::SmallVec;
use std::cell::RefCell;

/// The inputs and attributes of one layer, already checked against its `OpSpec`.
pub struct InferCtx<'a> {
    /// The operation.
    pub spec: &'static OpSpec,
    pub(super) inputs: &'a [&'a Fact],
    /// The values of the attributes, in the order of `spec.attrs`.
    pub(super) attrs: &'a [Option<AttrValue>],
    /// Whether the file writes each of them.
    pub(super) written: &'a [bool],
    pub(super) declared_outputs: Option<usize>,
    /// The limits of the outputs.
    pub(crate) limits: &'a Limits,
    pub(super) extent: Extent,
    pub(super) warnings: RefCell<Vec<Fault>>,
    pub(super) bounds_dependent: RefCell<Vec<BoundsDependent>>,
}

impl<'a> InferCtx<'a> {
    /// Whether the outputs may hold only what OpenVINO infers, also in the cases of `docs/differences.md`.
    pub(crate) fn is_openvino(&self) -> bool {
        self.extent == Extent::OpenVino
    }

    /// Every input.
    pub fn inputs(&self) -> &'a [&'a Fact] {
        self.inputs
    }

    /// Input `i`, or an unknown fact if the layer does not have it.
    pub fn input(&self, i: usize) -> &'a Fact {
        static UNKNOWN: Fact =
            Fact { ty: ElementType::Dynamic, shape: PartialShape::UNKNOWN, value: None, assumed: false };
        self.inputs.get(i).copied().unwrap_or(&UNKNOWN)
    }

    /// Whether the layer has input `i`.
    pub fn has_input(&self, i: usize) -> bool {
        i < self.inputs.len()
    }

    /// Dimension `axis` of input `i`.
    pub fn dim(&self, i: usize, axis: usize) -> Dim {
        self.input(i).shape.dim(axis)
    }

    /// The number of declared output ports, if there is a file.
    pub fn declared_outputs(&self) -> Option<usize> {
        self.declared_outputs
    }

    /// The elements of input `i`, if anything is known of them.
    pub fn value(&self, i: usize) -> Option<&'a Value> {
        self.inputs.get(i)?.value.as_deref()
    }

    /// The elements of input `i` as integers, floats truncated toward zero; `None` unless all are exact, and for constants that
    /// OpenVINO misreads.
    pub fn constant(&self, i: usize) -> Option<SmallVec<[i64; 4]>> {
        self.value(i).filter(|_| !is_misread(self.input(i)))?.read_integers(self.input(i).ty)
    }

    /// The elements of input `i` as floats, if all are exact.
    #[allow(clippy::cast_precision_loss, reason = "OpenVINO reads integers as floats the same way")]
    pub fn constant_floats(&self, i: usize) -> Option<SmallVec<[f64; 4]>> {
        let value = self.value(i)?;
        if self.input(i).ty != ElementType::U64 {
            return value.exact_floats();
        }
        let number = |one: &Bounds<i64>| one.value().map(|number| number.cast_unsigned() as f64);
        value.as_integers()?.iter().map(number).collect()
    }

    /// The bounds of every element of input `i` as integers; `None` for constants that OpenVINO misreads.
    ///
    /// An inexact bound at the end of a 32-bit type counts as unbounded, as no shape reaches it.
    pub fn bounds(&self, i: usize) -> Option<SmallVec<[Bounds<i64>; 4]>> {
        let ty = self.input(i).ty;
        let mut all = self.value(i).filter(|_| !is_misread(self.input(i)))?.integer_bounds();
        if let Some((least, most)) = ty.integer_range().filter(|_| ty.bits() == 32) {
            for one in all.iter_mut().filter(|one| one.value().is_none()) {
                one.lower = if one.lower <= least && least < 0 { i64::MIN } else { one.lower };
                one.upper = if one.upper >= most { i64::MAX } else { one.upper };
            }
        }
        Some(all)
    }

    fn attr(&self, name: &str) -> Option<&'a AttrValue> {
        let place = self.spec.attrs.iter().position(|attr| attr.name == name)?;
        self.attrs.get(place)?.as_ref()
    }

    /// Whether the file writes attribute `name`.
    pub fn writes(&self, name: &str) -> bool {
        let place = self.spec.attrs.iter().position(|attr| attr.name == name);
        place.and_then(|place| self.written.get(place)).copied().unwrap_or(false)
    }

    /// Attribute `name`, an integer.
    pub fn int(&self, name: &str) -> i64 {
        if let Some(AttrValue::Int(value)) = self.attr(name) { *value } else { 0 }
    }

    /// Attribute `name`, a number.
    pub fn float(&self, name: &str) -> f64 {
        if let Some(AttrValue::Float(value)) = self.attr(name) { *value } else { 0.0 }
    }

    /// Attribute `name`, a boolean.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.attr(name), Some(AttrValue::Flag(true)))
    }

    /// Attribute `name`, a text.
    pub fn text(&self, name: &str) -> &'a str {
        if let Some(AttrValue::Text(text)) = self.attr(name) { text } else { "" }
    }

    /// Attribute `name`, one of its words.
    pub fn choice(&self, name: &str) -> &'static str {
        if let Some(AttrValue::Choice(word)) = self.attr(name) { word } else { "" }
    }

    /// Attribute `name`, a list of integers.
    pub fn ints(&self, name: &str) -> &'a [i64] {
        if let Some(AttrValue::Ints(list)) = self.attr(name) { list } else { &[] }
    }

    /// Attribute `name`, a list of numbers.
    pub fn floats(&self, name: &str) -> &'a [f64] {
        if let Some(AttrValue::Floats(list)) = self.attr(name) { list } else { &[] }
    }

    /// Attribute `name`, a list of words.
    pub fn texts(&self, name: &str) -> &'a [String] {
        if let Some(AttrValue::Texts(list)) = self.attr(name) { list } else { &[] }
    }

    /// Attribute `name`, an element type.
    pub fn ty(&self, name: &str) -> ElementType {
        if let Some(AttrValue::Type(ty)) = self.attr(name) { *ty } else { ElementType::Dynamic }
    }

    /// Attribute `name`, a shape.
    pub fn shape(&self, name: &str) -> PartialShape {
        if let Some(AttrValue::Shape(shape)) = self.attr(name) { shape.clone() } else { PartialShape::UNKNOWN }
    }

    /// Normalizes a possibly negative `axis` of a tensor of `rank` dimensions.
    pub fn normalize(&self, at: At, axis: i64, rank: usize) -> Result<usize, Fault> {
        match from_front(axis, rank) {
            Some(index) => Ok(index),
            None if rank == 0 => {
                Err(Fault::at(at, &AXIS_RANGE, format!("axis {axis} does not exist: the tensor is a scalar"))
                    .primary(format!("{} has no axis {axis}", self.spec.name)))
            }
            None => {
                Err(Fault::at(at, &AXIS_RANGE, format!("axis {axis} is outside -{rank}..{}", rank.saturating_sub(1)))
                    .primary(format!("axis {axis} of a tensor of rank {rank}")))
            }
        }
    }

    /// The normalized single axis in input `i` for the shape of input `of`; `None` if the axis or the rank is unknown.
    pub fn axis(&self, i: usize, of: usize) -> Result<Option<usize>, Fault> {
        let Some(rank) = self.input(of).rank() else { return Ok(None) };
        let Some(values) = self.constant(i) else { return self.bounded_axis(i, of, rank) };
        match values[..] {
            [axis] => {
                let fault = |fault: Fault| fault.label(At::Input(of), format!("{}", self.input(of)));
                self.normalize(At::Input(i), axis, rank).map(Some).map_err(fault)
            }
            _ => {
                let message = format!("`{}` holds {} values, wanted one axis", self.input_name(i), values.len());
                Err(Fault::at(At::Input(i), &INPUT_VALUE, message))
            }
        }
    }

    /// The axis in input `i` if its bounds allow only one, or the fault of bounds that allow none.
    fn bounded_axis(&self, i: usize, of: usize, rank: usize) -> Result<Option<usize>, Fault> {
        let Some([bounds]) = self.bounds(i).as_deref().and_then(|all| <[_; 1]>::try_from(all).ok()) else {
            return Ok(None);
        };
        let mut left = possible_axes(bounds, rank);
        match (left.next(), left.next()) {
            (Some(axis), None) => Ok(Some(axis)),
            (Some(_), Some(_)) => Ok(None),
            (None, _) => {
                let beyond = i64::try_from(rank).is_ok_and(|rank| bounds.lower >= rank);
                let axis = if beyond { bounds.lower } else { bounds.upper };
                let fault = self.normalize(At::Input(i), axis, rank).err();
                fault.map_or(Ok(None), |fault| Err(fault.label(At::Input(of), self.input(of).to_string())))
            }
        }
    }

    /// Whether input `i` may be an axis whose dimension in input `of` is one of these.
    pub(crate) fn may_be_axis_of(&self, i: usize, of: usize, is_one: impl Fn(Dim) -> bool) -> bool {
        let bounds = self.bounds(i).and_then(|all| all.first().copied()).unwrap_or(Bounds::<i64>::ANY);
        let Some(rank) = self.input(of).rank() else { return true };
        possible_axes(bounds, rank).any(|axis| is_one(self.dim(of, axis)))
    }

    /// The normalized axes in input `i` for the shape of input `of`; `None` if they or the rank are unknown.
    pub fn axes(&self, i: usize, of: usize) -> Result<Option<SmallVec<[usize; 4]>>, Fault> {
        if let Some(rank) = self.input(of).rank() {
            self.misread_axes(i, rank)?;
        }
        let (Some(values), Some(rank)) = (self.constant(i), self.input(of).rank()) else {
            return Ok(None);
        };
        values.iter().map(|axis| self.normalize(At::Input(i), *axis, rank)).collect::<Result<_, _>>().map(Some)
    }

    /// The label of input `i`: `data = f32[2,3]`.
    pub fn shown(&self, i: usize) -> String {
        let input = self.input(i);
        format!("{} = {}{}", self.input_name(i), input.ty, input.shape)
    }

    /// The name of input `i` in the operation's specification.
    pub fn input_name(&self, i: usize) -> &'static str {
        self.spec.input(i).map_or("input", |input| input.name)
    }
}

/// The dimensions of a tensor of this rank that an axis may mean.
fn possible_axes(axis: Bounds<i64>, rank: usize) -> impl Iterator<Item = usize> {
    (0..rank).filter(move |at| {
        let front = i64::try_from(*at).unwrap_or(i64::MAX);
        axis.admits(front) || axis.admits(front - i64::try_from(rank).unwrap_or(i64::MAX))
    })
}
