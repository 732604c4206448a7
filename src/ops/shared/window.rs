//! Sliding windows: the positions of a kernel along a dimension, and the inverse.

use super::agreement::{conflict, wrong_attr};
use super::prelude::*;
use crate::ops::Missing;
use crate::types::interval::floor_div;
use smallvec::SmallVec;

/// The attribute `strides`, all 1 by default.
pub(crate) const STRIDES: Attr = Attr::optional("strides", Kind::Ints(1, i64::MAX), "").unsigned();
/// The attribute `dilations`, all 1 by default.
pub(crate) const DILATIONS: Attr = Attr::optional("dilations", Kind::Ints(1, i64::MAX), "").unsigned();
/// The attribute `pads_begin`, all 0 by default.
pub(crate) const PADS_BEGIN: Attr = Attr::optional("pads_begin", Kind::INTS, "");
/// The attribute `pads_end`, all 0 by default.
pub(crate) const PADS_END: Attr = Attr::optional("pads_end", Kind::INTS, "");
pub(crate) const AUTO_PAD: Attr =
    Attr::optional("auto_pad", Kind::Choice(&["explicit", "same_lower", "same_upper", "valid"]), "explicit");

/// The windows of one layer, with an entry per spatial axis in every list.
pub(crate) struct Windows {
    strides: Lengths,
    dilations: Lengths,
    pads: SmallVec<[(i64, i64); 3]>,
    same: bool,
    rounding: Rounding,
}

type Lengths = SmallVec<[i64; 3]>;

/// The treatment of a window that exceeds the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Floor,
    Ceil,
    /// As `Ceil`, but no window starts in the padding at the end.
    CeilTorch,
}

impl Windows {
    /// Reads the windows over `spatial` axes from the attributes.
    pub(crate) fn read(cx: &InferCtx, spatial: usize) -> Result<Self, Fault> {
        let pads = list(cx, "pads_begin", spatial, 0)?.into_iter().zip(list(cx, "pads_end", spatial, 0)?);
        let auto_pad = cx.choice("auto_pad");
        let explicit = auto_pad == "explicit" || auto_pad.is_empty();
        Ok(Self {
            strides: list(cx, "strides", spatial, 1)?,
            dilations: list(cx, "dilations", spatial, 1)?,
            pads: pads.map(|pads| if explicit { pads } else { (0, 0) }).collect(),
            same: auto_pad.starts_with("same"),
            rounding: match cx.choice("rounding_type") {
                "ceil" => Rounding::Ceil,
                "ceil_torch" => Rounding::CeilTorch,
                _ => Rounding::Floor,
            },
        })
    }

    /// Whether the pads are automatic, so that only the stride shrinks a dimension.
    pub(crate) fn is_same(&self) -> bool {
        self.same
    }

    /// The pads at the beginning and the end of spatial axis `axis`.
    pub(crate) fn pads(&self, axis: usize) -> (i64, i64) {
        self.pads.get(axis).copied().unwrap_or((0, 0))
    }

    /// The elements that `kernel` spans along spatial axis `axis`; an empty kernel counts as 1.
    pub(crate) fn reach(&self, axis: usize, kernel: Dim) -> Dim {
        let dilation = self.dilations.get(axis).copied().unwrap_or(1);
        let span = |length: i64| length.saturating_sub(1).max(0).saturating_mul(dilation).saturating_add(1);
        let reach = Dim::between(span(kernel.lower()), kernel.upper().map_or(i64::MAX, span)).unwrap_or(Dim::ANY);
        reach.equal(|| {
            let steps = Interval::from(kernel).plus(Interval::exact(-1)).max(Interval::exact(0));
            Some(steps.times(Interval::exact(dilation.into())).plus(Interval::exact(1)))
        })
    }

    /// The positions of `kernel` along dimension `data`, which is spatial axis `axis` of input 0.
    pub(crate) fn positions(&self, cx: &InferCtx, axis: usize, data: Dim, kernel: Dim) -> Result<Dim, Fault> {
        let reach = self.reach(axis, kernel);
        if self.same {
            return Ok(self.strided(axis, data, reach.lower()));
        }
        let (begin, end) = self.pads(axis);
        // OpenVINO reads a sum of pads below -1 as 0, and one of -1 as unknown.
        let pads = begin.saturating_add(end).max(0);
        data.plus(Dim::exact(pads)).demand_at_least(reach);
        let fits = |length: i64, reach: i64| length.saturating_add(pads) >= reach;
        if data.upper().is_some_and(|length| !fits(length, reach.lower())) {
            let padded = data.plus(Dim::exact(pads));
            let pads = if pads > 0 { " with its pads" } else { "" };
            let message =
                format!("the kernel spans {reach} elements, dimension {} of the data has {padded}{pads}", axis + 2);
            let fault = conflict(cx, 0, message);
            // OpenVINO compares exact lengths only.
            return Err(fault.decided_if(data.is_exact() && reach.is_exact()));
        }
        let count = |length: i64, reach: i64| self.count(axis, length, length.saturating_add(pads) - reach);
        let lower = match reach.upper() {
            Some(reach) if fits(data.lower(), reach) => {
                count(data.lower(), reach).min(count(data.lower().max(1), reach)).max(1)
            }
            _ => 1,
        };
        let upper = data.upper().map_or(i64::MAX, |length| count(length, reach.lower()).max(lower));
        Ok(Dim::between(lower, upper).unwrap_or(Dim::at_least(1)).equal(|| {
            let room = Interval::from(data).plus(Interval::exact(pads.into())).plus(Interval::from(reach).negated());
            self.positions_in(room, axis, data, reach)
        }))
    }

    /// The expression for [`Self::count`]; `None` if it has no simple form.
    fn positions_in(&self, room: Interval, axis: usize, data: Dim, reach: Dim) -> Option<Interval> {
        let stride = self.strides.get(axis).copied().unwrap_or(1);
        let (begin, end) = self.pads(axis);
        let last = match self.rounding {
            Rounding::Floor => room.divided(Interval::exact(stride.into()), floor_div),
            Rounding::Ceil => room.div_ceil(Interval::exact(stride.into())),
            // No window starts past the data and its begin pads, if these have elements.
            Rounding::CeilTorch if end <= reach.lower() => {
                let behind = Interval::from(data).plus(Interval::exact(i128::from(begin) - 1));
                room.div_ceil(Interval::exact(stride.into()))
                    .min(behind.divided(Interval::exact(stride.into()), floor_div))
            }
            Rounding::CeilTorch => return None,
        };
        Some(last.plus(Interval::exact(1)))
    }

    /// The positions of `kernel` if it may not fit: 0 if it exceeds the image by one element at stride 1.
    pub(crate) fn blocks(&self, cx: &InferCtx, axis: usize, image: Dim, kernel: Dim) -> Result<Dim, Fault> {
        let (reach, (begin, end)) = (self.reach(axis, kernel), self.pads(axis));
        let stride = self.strides.get(axis).copied().unwrap_or(1);
        let room = |length: i64, reach: i64| length.saturating_add(begin).saturating_add(end).saturating_sub(reach);
        // OpenVINO divides a negative room as an unsigned number, so that longer strides give impossible counts.
        let least = if stride == 1 { -1 } else { 0 };
        let lower = reach.upper().map_or(least, |reach| room(image.lower(), reach).max(least));
        let upper = image.upper().map_or(i64::MAX, |length| room(length, reach.lower()));
        let positions = |room: i64| (room / stride).saturating_add(1);
        let fits = lower <= upper;
        fits.then(|| Dim::between(positions(lower), positions(upper))).flatten().ok_or_else(|| {
            let message = format!(
                "the kernel spans {reach} element{s}, dimension {axis} of the image has {image}",
                s = plural(reach)
            );
            conflict(cx, 0, message)
        })
    }

    /// The number of positions if the last one is at most `room` elements past the first.
    fn count(&self, axis: usize, length: i64, room: i64) -> i64 {
        let stride = self.strides.get(axis).copied().unwrap_or(1);
        let steps = room / stride;
        let up = steps.saturating_add(i64::from(room % stride != 0));
        // OpenVINO lets windows of padding only start anywhere.
        let end = length.saturating_add(self.pads(axis).0);
        match self.rounding {
            Rounding::Floor => steps.saturating_add(1),
            Rounding::CeilTorch if end > 0 && up.saturating_mul(stride) >= end => up,
            Rounding::Ceil | Rounding::CeilTorch => up.saturating_add(1),
        }
    }

    /// The positions along `data` with automatic pads: the length divided by the stride, rounded up.
    fn strided(&self, axis: usize, data: Dim, reach: i64) -> Dim {
        let stride = self.strides.get(axis).copied().unwrap_or(1);
        let count = |length: i64| {
            let covered = length / stride + i64::from(length % stride != 0);
            // With a kernel shorter than the stride, `ceil` may add one more window.
            let room = length.saturating_sub(reach) > covered.saturating_sub(1).saturating_mul(stride);
            covered.saturating_add(i64::from(self.rounding == Rounding::Ceil && room))
        };
        let positions = Dim::between(count(data.lower()), data.upper().map_or(i64::MAX, count)).unwrap_or(Dim::ANY);
        let is_simple = self.rounding != Rounding::Ceil || reach >= stride;
        positions.equal(|| is_simple.then(|| Interval::from(data).div_ceil(Interval::exact(stride.into()))))
    }

    /// The inverse of [`Self::positions`]: the dimension over which `kernel` has `data` positions, plus `padding`.
    pub(crate) fn unfolded(
        &self,
        cx: &InferCtx,
        axis: usize,
        data: Dim,
        kernel: Dim,
        padding: i64,
    ) -> Result<Dim, Fault> {
        let reach = self.reach(axis, kernel);
        let stride = self.strides.get(axis).copied().unwrap_or(1);
        let (begin, end) = self.pads(axis);
        let extra = padding.saturating_sub(begin).saturating_sub(end);
        let whole = |length: i64, reach: i64| {
            length.saturating_sub(1).max(0).saturating_mul(stride).saturating_add(reach).saturating_add(extra)
        };
        let upper = match (data.upper(), reach.upper()) {
            (Some(length), Some(reach)) => whole(length, reach),
            _ => i64::MAX,
        };
        let lower = whole(data.lower(), reach.lower());
        let unfolded = || {
            let steps = Interval::from(data).plus(Interval::exact(-1)).max(Interval::exact(0));
            Some(steps.times(Interval::exact(stride.into())).plus(reach.into()).plus(Interval::exact(extra.into())))
        };
        if !data.is_exact() || !reach.is_exact() {
            unfolded().unwrap_or(Interval::exact(0)).demand_at_least_0();
        }
        let dim = Dim::between(lower, upper).filter(|_| upper >= 0);
        dim.map(|dim| dim.equal(unfolded)).ok_or_else(|| {
            let message = format!("the pads leave {upper} elements along dimension {} of the output", axis + 2);
            conflict(cx, 0, message).runtime(Runtime::Unknown) // OpenVINO reads an unknown length.
        })
    }
}

/// List attribute `name` with an entry per spatial axis; all `fill` if it is omitted.
pub(crate) fn list(cx: &InferCtx, name: &'static str, spatial: usize, fill: i64) -> Result<Lengths, Fault> {
    let items = cx.ints(name);
    let required = cx.spec.attrs.iter().any(|attr| attr.name == name && attr.missing == Missing::Refused);
    if items.is_empty() && !required {
        return Ok(SmallVec::from_elem(fill, spatial));
    }
    if items.len() == spatial {
        return Ok(items.into());
    }
    let ending = plural(items.len());
    Err(wrong_attr(name, format!("`{name}` has {} element{ending} for {spatial} spatial dimensions", items.len())))
}

/// The number of spatial axes according to the attributes, for unknown ranks.
pub(crate) fn spatial_of_attrs(cx: &InferCtx) -> Option<usize> {
    ["strides", "dilations", "pads_begin", "pads_end"].iter().map(|name| cx.ints(name).len()).find(|len| *len > 0)
}
