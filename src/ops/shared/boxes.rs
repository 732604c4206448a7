//! The number of boxes that an operation selects by their scores, from those of its inputs and its limits.

use super::agreement::{agreed_dim, wanted_dim};
use super::prelude::*;
use crate::ops::LateCheck;
use crate::types::release;

/// The check of boxes and scores that do not both have fixed shapes.
pub(crate) const CHECK_OF_OPEN_SHAPES: LateCheck = LateCheck {
    first: release(2023, 1),
    finds: |_, inputs| !inputs.iter().take(2).flatten().all(|input| input.shape.is_static()),
};

/// The numbers of boxes to select from.
#[derive(Clone, Copy)]
pub(crate) struct Candidates {
    /// The images.
    pub batch: Dim,
    /// The classes of every image.
    pub classes: Dim,
    /// The boxes of every image.
    pub boxes: Dim,
}

impl Candidates {
    /// Reads boxes `[batch, boxes, numbers]` from input 0 and scores `[batch, classes, boxes]` from input 1.
    pub(crate) fn read(cx: &InferCtx, numbers: i64) -> Result<Self, Fault> {
        let batch = agreed_dim(cx, &[(0, 0), (1, 0)])?;
        let boxes = agreed_dim(cx, &[(0, 1), (1, 2)])?;
        wanted_dim(cx, 0, 2, Dim::exact(numbers), "the numbers that make a box")?;
        Ok(Self { batch, classes: cx.dim(1, 1), boxes })
    }

    /// Up to `limit` boxes of every class of every image, or all if there is no limit.
    pub(crate) fn selected(self, limit: Option<i64>) -> Dim {
        let of_class = limited(self.boxes, limit);
        up_to(self.batch.times(self.classes).times(of_class))
    }

    /// Up to `keep` boxes of every image and up to `limit` of each class; negative limits mean no limit.
    pub(crate) fn kept(self, limit: i64, keep: i64) -> Dim {
        let positive = |limit: i64| (limit >= 0).then_some(limit);
        let of_image = self.classes.times(limited(self.boxes, positive(limit)));
        up_to(self.batch.times(limited(of_image, positive(keep))))
    }
}

/// The minimum of `count` and `limit`.
pub(crate) fn limited(count: Dim, limit: Option<i64>) -> Dim {
    let Some(limit) = limit else { return count };
    let upper = count.upper().map_or(limit, |upper| upper.min(limit));
    Dim::between(count.lower().min(limit), upper).unwrap_or(Dim::exact(limit))
}

/// Any number up to the upper bound of `count`.
pub(crate) fn up_to(count: Dim) -> Dim {
    count.upper().map_or(Dim::ANY, Dim::at_most)
}
