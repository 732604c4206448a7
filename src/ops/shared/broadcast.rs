//! Broadcasting: how shapes and elements of several inputs are stretched over each other.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::SHAPE_CONFLICT;
use crate::ops::spec::{Attr, Kind};
use crate::types::{Dim, PartialShape};
use smallvec::SmallVec;

/// The attribute that elementwise operations choose the mode with.
pub(crate) const AUTO_BROADCAST: Attr = Attr::optional("auto_broadcast", Kind::BROADCAST, "numpy");

/// How two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Aligned at the last dimension; a dimension of 1 stretches on either side.
    Numpy,
    /// The shapes are equal.
    None,
    /// The second is aligned at the first dimension of the first, and only its dimensions of 1 and those it lacks stretch.
    ///
    /// The axis of that mode is not written to an IR, so it always is 0.
    Pdpd,
}

impl Mode {
    /// The mode that `auto_broadcast` names. OpenVINO takes `explicit` for `none`.
    pub(crate) fn of(cx: &InferCtx) -> Self {
        match cx.choice(AUTO_BROADCAST.name) {
            "numpy" => Self::Numpy,
            "pdpd" => Self::Pdpd,
            _ => Self::None,
        }
    }

    /// The shape in which `a` and `b` meet, or why they do not.
    pub(crate) fn meet(self, a: &PartialShape, b: &PartialShape) -> Result<PartialShape, String> {
        match self {
            Self::Numpy => numpy(a, b),
            Self::None => a.merge(b).ok_or_else(|| format!("shapes {a} and {b} differ, without broadcasting")),
            Self::Pdpd => pdpd(a, b),
        }
    }
}

/// The shape in which inputs `a` and `b` meet as `auto_broadcast` says.
pub(crate) fn inputs(cx: &InferCtx, a: usize, b: usize) -> Result<PartialShape, Fault> {
    Mode::of(cx).meet(&cx.input(a).shape, &cx.input(b).shape).map_err(|message| conflict(cx, a, b, message))
}

/// The fault of inputs `a` and `b` whose shapes do not fit.
pub(crate) fn conflict(cx: &InferCtx, a: usize, b: usize, message: String) -> Fault {
    let label = |i| format!("{} = {}{}", cx.input_name(i), cx.input(i).ty, cx.input(i).shape);
    Fault::at(At::Input(b), &SHAPE_CONFLICT, message).primary(label(b)).label(At::Input(a), label(a))
}

fn numpy(a: &PartialShape, b: &PartialShape) -> Result<PartialShape, String> {
    let (Some(left), Some(right)) = (a.dims(), b.dims()) else {
        return Ok(PartialShape::UNKNOWN);
    };
    let rank = left.len().max(right.len());
    let at = |dims: &[Dim], i: usize| (i + dims.len()).checked_sub(rank).and_then(|i| dims.get(i)).copied();
    let meet = |i: usize| match (at(left, i), at(right, i)) {
        (Some(a_dim), Some(b_dim)) => a_dim
            .broadcast(b_dim)
            .ok_or_else(|| format!("shapes {a} and {b} do not broadcast: {a_dim} meets {b_dim} at axis -{}", rank - i)),
        (one, other) => Ok(one.or(other).unwrap_or(Dim::ANY)),
    };
    (0..rank).map(meet).collect::<Result<SmallVec<[Dim; 4]>, _>>().map(PartialShape::of)
}

fn pdpd(a: &PartialShape, b: &PartialShape) -> Result<PartialShape, String> {
    // OpenVINO lets a length that may be 1 stretch here as well, unless it is known to be 1.
    let stretching = |whole: Dim, part: Dim| (whole.admits(1) && !whole.is_exact()).then_some(part);
    stretched(a, b, "pdpd does not broadcast", 0, stretching)
}

/// The shape `whole`, to which `part` is stretched, aligned at the last dimension.
pub(crate) fn onto(whole: &PartialShape, part: &PartialShape) -> Result<PartialShape, String> {
    let missing = whole.rank().unwrap_or(0).saturating_sub(part.rank().unwrap_or(0));
    stretched(whole, part, "cannot stretch", missing, |_, _| None)
}

/// The shape `whole`, to which `part` is stretched from dimension `offset` on; `otherwise` tells what becomes of lengths
/// that do not fit.
fn stretched(
    whole: &PartialShape,
    part: &PartialShape,
    refusal: &str,
    offset: usize,
    otherwise: impl Fn(Dim, Dim) -> Option<Dim>,
) -> Result<PartialShape, String> {
    let (Some(dims), Some(others)) = (whole.dims(), part.dims()) else {
        return Ok(whole.clone());
    };
    if others.len() > dims.len() {
        return Err(format!("{refusal} {part} to {whole}, which has fewer dimensions"));
    }
    let meet = |(i, dim): (usize, &Dim)| match i.checked_sub(offset).and_then(|i| others.get(i)) {
        Some(other) if !other.admits(1) => dim
            .merge(*other)
            .or_else(|| otherwise(*dim, *other))
            .ok_or_else(|| format!("{refusal} {part} to {whole}: {other} meets {dim} at axis {i}")),
        _ => Ok(*dim),
    };
    dims.iter().enumerate().map(meet).collect::<Result<SmallVec<[Dim; 4]>, _>>().map(PartialShape::of)
}

/// Which element of a broadcast tensor stands at each place of the result.
#[derive(Debug)]
pub(crate) enum Places {
    /// The element at the same place.
    Same,
    /// The only element.
    Single,
    /// Lengths of the result, innermost first, each with the distance in the tensor that one step along it makes.
    Strided(SmallVec<[(usize, usize); 4]>),
}

impl Places {
    /// The places of a tensor of lengths `own` in a result of lengths `whole`; `None` if it does not stretch to them.
    pub(crate) fn new(mode: Mode, own: &[usize], whole: &[usize]) -> Option<Self> {
        if own == whole {
            return Some(Self::Same);
        }
        if own.iter().all(|length| *length == 1) {
            return Some(Self::Single);
        }
        let missing = whole.len().checked_sub(own.len())?;
        let offset = if mode == Mode::Pdpd { 0 } else { missing };
        let mut stride = 1_usize;
        let mut steps = SmallVec::new();
        for (axis, length) in whole.iter().enumerate().rev() {
            let step = match axis.checked_sub(offset).and_then(|axis| own.get(axis)) {
                None | Some(1) => 0,
                Some(same) if same == length => stride,
                Some(_) => return None,
            };
            stride = if step == 0 { stride } else { stride.checked_mul(*length)? };
            steps.push((*length, step));
        }
        Some(Self::Strided(steps))
    }

    /// The element at place `i` of the result, which is not empty.
    pub(crate) fn at(&self, i: usize) -> usize {
        match self {
            Self::Same => i,
            Self::Single => 0,
            Self::Strided(steps) => {
                let (mut rest, mut place) = (i, 0);
                for (length, step) in steps {
                    place += rest % length * step;
                    rest /= length;
                }
                place
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(mode: Mode, a: &str, b: &str) -> Result<String, String> {
        mode.meet(&a.parse().unwrap(), &b.parse().unwrap()).map(|shape| shape.to_string())
    }

    #[test]
    fn numpy_stretches_both() {
        for (a, b, whole) in [
            ("[2,1,4]", "[3,1]", "[2,3,4]"),
            ("[]", "[2,3]", "[2,3]"),
            ("[?]", "[1]", "[?]"),
            ("[?]", "[4]", "[4]"),
            ("[1..5,3]", "[7,1]", "[7,3]"),
            ("[2..5]", "[1]", "[2..5]"),
            ("[2..5]", "[3..9]", "[3..5]"),
            ("[1..5]", "[3..9]", "[3..9]"),
            ("[0]", "[?]", "[0]"),
            ("[2..]", "[?]", "[2..]"),
            ("[...]", "[3]", "[...]"),
        ] {
            assert_eq!(meet(Mode::Numpy, a, b), Ok(whole.to_owned()), "{a} {b}");
            assert_eq!(meet(Mode::Numpy, b, a), Ok(whole.to_owned()), "{b} {a}");
        }
        let message = "shapes [2,3] and [4,3] do not broadcast: 2 meets 4 at axis -2";
        assert_eq!(meet(Mode::Numpy, "[2,3]", "[4,3]"), Err(message.to_owned()));
        assert!(meet(Mode::Numpy, "[2..5]", "[7..9]").is_err());
        assert!(meet(Mode::Numpy, "[0]", "[4]").is_err());
    }

    #[test]
    fn pdpd_stretches_the_second() {
        for (a, b, whole) in [
            ("[2,3,4,5]", "[2,3]", "[2,3,4,5]"),
            ("[2,3,4,5]", "[2,1]", "[2,3,4,5]"),
            ("[?,3]", "[5]", "[5,3]"),
            ("[1..4,3]", "[3..9]", "[3..4,3]"),
            ("[1,3]", "[?]", "[1,3]"),
            ("[2,3]", "[]", "[2,3]"),
            ("[2,3]", "[...]", "[2,3]"),
            ("[...]", "[3]", "[...]"),
        ] {
            assert_eq!(meet(Mode::Pdpd, a, b), Ok(whole.to_owned()), "{a} {b}");
        }
        let message = "pdpd does not broadcast [2] to [1,3]: 2 meets 1 at axis 0";
        assert_eq!(meet(Mode::Pdpd, "[1,3]", "[2]"), Err(message.to_owned()));
        assert!(meet(Mode::Pdpd, "[3]", "[2,3]").is_err());
    }

    #[test]
    fn a_part_stretches_to_the_whole() {
        let onto = |whole: &str, part: &str| {
            onto(&whole.parse().unwrap(), &part.parse().unwrap()).map(|shape| shape.to_string())
        };
        assert_eq!(onto("[?,3]", "[2,1]"), Ok("[2,3]".to_owned()));
        assert_eq!(onto("[2,3]", "[..5]"), Ok("[2,3]".to_owned()));
        assert_eq!(onto("[2..9]", "[...]"), Ok("[2..9]".to_owned()));
        assert_eq!(onto("[1,3]", "[2,1]"), Err("cannot stretch [2,1] to [1,3]: 2 meets 1 at axis 0".to_owned()));
        let message = "cannot stretch [1,2,3] to [2,3], which has fewer dimensions";
        assert_eq!(onto("[2,3]", "[1,2,3]"), Err(message.to_owned()));
    }

    #[test]
    fn no_broadcasting_wants_equal_shapes() {
        assert_eq!(meet(Mode::None, "[?,3]", "[2,..4]"), Ok("[2,3]".to_owned()));
        assert_eq!(meet(Mode::None, "[...]", "[2]"), Ok("[2]".to_owned()));
        assert!(meet(Mode::None, "[2,3]", "[3]").is_err());
    }

    #[test]
    fn elements_repeat_where_they_are_stretched() {
        let places = |mode, own: &[usize], whole: &[usize]| {
            let places = Places::new(mode, own, whole)?;
            Some((0..whole.iter().product()).map(|i| places.at(i)).collect::<Vec<_>>())
        };
        assert_eq!(places(Mode::Numpy, &[3], &[2, 3]), Some(vec![0, 1, 2, 0, 1, 2]));
        assert_eq!(places(Mode::Numpy, &[2, 1], &[2, 3]), Some(vec![0, 0, 0, 1, 1, 1]));
        assert_eq!(places(Mode::Pdpd, &[2], &[2, 3]), Some(vec![0, 0, 0, 1, 1, 1]));
        assert_eq!(places(Mode::Numpy, &[], &[2]), Some(vec![0, 0]));
        assert_eq!(places(Mode::Numpy, &[3], &[2, 2]), None);
    }
}
