//! `DetectionOutput`: decodes the boxes that a network predicts relative to its priors, and selects from them.
//!
//! - Spec: `detection/detectionoutput-1`, `-8`
//! - Shape: `[1, 1, images * k, 7]`; k is `keep_top_k`, with -1 there `top_k` per class, else every prior of every class.
//! - Errors: `input-rank`; `type-conflict`; `needs-type`; `wrong-input-count`; `attribute-value`; `shape-conflict` if logits, predictions
//!   and proposals are not of the same priors.
//! - Differs from OpenVINO: bounds are used; an empty `keep_top_k` is reported.
//! - Revisions: 8 takes the number of classes from the shapes instead of an attribute.

use crate::ops::prelude::*;

pub(super) static DETECTION_OUTPUT_1: OpSpec = OpSpec {
    inputs: &[
        Input::of("box_logits", REALS).ranks(&[2]).typed(),
        Input::of("class_preds", REALS).ranks(&[2]).typed(),
        Input::of("proposals", REALS).ranks(&[3]).typed(),
        Input::of("aux_class_preds", REALS).ranks(&[2]).typed().optional(),
        Input::of("aux_box_preds", REALS).ranks(&[2]).typed().optional(),
    ],
    attrs: ATTRS,
    demands: None,
    waits: &[&INPUT_RANK],
    action: Action::Detects,
    ..OpSpec::new("DetectionOutput", 1, infer)
};

pub(super) static DETECTION_OUTPUT_8: OpSpec = OpSpec { opset: 8, attrs: ATTRS.split_at(1).1, ..DETECTION_OUTPUT_1 };

/// The attributes of opset1; opset8 lacks the first one.
const ATTRS: &[Attr] = &[
    Attr::required("num_classes", Kind::Int32(1)),
    Attr::optional("background_label_id", Kind::INT, "0"),
    Attr::optional("top_k", Kind::INT32, "-1"),
    Attr::optional("variance_encoded_in_target", Kind::Flag, "false"),
    Attr::required("keep_top_k", Kind::Ints(i32::MIN as i64, i32::MAX as i64)),
    Attr::optional("code_type", Kind::Text, CORNER),
    Attr::optional("share_location", Kind::Flag, "true"),
    Attr::optional("nms_threshold", Kind::Float, "0"),
    Attr::optional("confidence_threshold", Kind::Float, "0"),
    Attr::optional("clip_after_nms", Kind::Flag, "false"),
    Attr::optional("clip_before_nms", Kind::Flag, "false"),
    Attr::optional("decrease_label_id", Kind::Flag, "false"),
    Attr::optional("normalized", Kind::Flag, "false"),
    Attr::optional("input_height", Kind::INT, "1"),
    Attr::optional("input_width", Kind::INT, "1"),
    Attr::optional("objectness_score", Kind::Float, "0"),
];
const CORNER: &str = "caffe.PriorBoxParameter.CORNER";

const LOGITS: usize = 0;
const CLASSES: usize = 1;
const PROPOSALS: usize = 2;

fn infer(cx: &InferCtx) -> Inferred {
    if cx.inputs().len() == 4 {
        let message = "DetectionOutput takes 3 or 5 inputs, this layer has 4";
        return Err(Fault::at(At::Layer, &WRONG_INPUT_COUNT, message));
    }
    agreed_type(cx, &[CLASSES, 3])?;
    let ty = agreed_type(cx, &[LOGITS, CLASSES, 4])?;
    exact_word(cx, "code_type", &[CORNER, "caffe.PriorBoxParameter.CENTER_SIZE"])?;
    let [keep, ..] = *cx.ints("keep_top_k") else {
        return Err(wrong_attr("keep_top_k", "`keep_top_k` holds no number"));
    };
    // OpenVINO counts images and priors by exact dimensions alone.
    let unlike = |fault: Fault, counted: &[(usize, usize)]| {
        let is_counted = |dim: Dim| dim.is_exact() || dim == Dim::ANY;
        let are_counted = counted.iter().all(|(input, axis)| is_counted(cx.dim(*input, *axis)));
        fault.decided_if(are_counted)
    };
    // It compares the second boxes with the first alone, and the classes of opset8 with the priors of `proposals`.
    let met = |fault: Fault, are_known: bool| {
        let are_unlike = || cx.input(LOGITS).shape.agree(&cx.input(4).shape).is_none();
        let is_met = if fault.at == At::Input(4) { are_unlike() } else { are_known };
        fault.late_unless(is_met)
    };
    let images = images(cx).map_err(|fault| {
        let are_known = [LOGITS, CLASSES].iter().any(|input| cx.dim(*input, 0).is_exact());
        met(unlike(fault, &[(LOGITS, 0), (CLASSES, 0)]), are_known)
    })?;
    let unlike = |fault: Fault| {
        let are_known =
            !matches!(fault.at, At::Input(CLASSES | 3)) || cx.spec.opset == 1 || cx.dim(PROPOSALS, 2).is_exact();
        met(unlike(fault, &[(PROPOSALS, 2), (LOGITS, 1), (CLASSES, 1)]), are_known)
    };
    let (priors, classes) = priors_and_classes(cx).map_err(unlike)?;
    wanted_dim(cx, 3, 1, priors.times(Dim::exact(2)), "two per prior").map_err(unlike)?;
    divided(cx, 3, 1, 2, "").map_err(|fault| fault.late_unless(cx.spec.opset > 1))?;
    let boxes = agreed_dim(cx, &[(LOGITS, 1), (4, 1)])?;
    if cx.has_input(4) && quotient(boxes, priors.times(Dim::exact(4))).is_none() {
        let name = cx.input_name(4);
        let message = format!("dimension 1 of `{name}` is {boxes}, wanted 4 numbers for each of {priors} priors");
        return Err(unlike(conflict(cx, 4, message)));
    }
    // The second predictions may determine the number of classes with boxes if the first do not.
    let has_boxes_by_class = !cx.flag("share_location") && boxes.lower() > 0;
    let of_boxes = has_boxes_by_class.then(|| quotient(boxes, priors.times(Dim::exact(4)))).flatten();
    let classes = of_boxes.and_then(|each| each.agree(classes)).unwrap_or(classes);
    let of_image = match (keep, cx.int("top_k")) {
        (keep, _) if keep > 0 => Dim::exact(keep),
        (-1, top) if top > 0 => classes.times(Dim::exact(top)),
        _ => priors.times(classes),
    };
    let one = Dim::exact(1);
    Ok(vec![Fact::new(ty, PartialShape::of([one, one, images.times(of_image), Dim::exact(7)]))])
}

/// The number of images; `proposals` are per image or common to all.
fn images(cx: &InferCtx) -> Result<Dim, Fault> {
    let images = agreed_dim(cx, &[(LOGITS, 0), (CLASSES, 0), (3, 0), (4, 0)])?;
    let proposals = cx.dim(PROPOSALS, 0);
    if proposals.admits(1) {
        return Ok(images);
    }
    proposals.agree(images).ok_or_else(|| {
        conflict(cx, PROPOSALS, format!("dimension 0 of `proposals` is {proposals}, wanted 1 or {images}"))
    })
}

/// The numbers of priors and classes; the sizes of logits, predictions and proposals are multiples of them.
fn priors_and_classes(cx: &InferCtx) -> Result<(Dim, Dim), Fault> {
    let rows = if cx.flag("variance_encoded_in_target") { 1 } else { 2 };
    wanted_dim(cx, PROPOSALS, 1, Dim::exact(rows), "one for the boxes, one for variances not encoded in them")?;
    let known = if cx.spec.opset == 1 { Dim::exact(cx.int("num_classes")) } else { Dim::at_least(1) };
    let shared = cx.flag("share_location");
    let size = Dim::exact(if cx.flag("normalized") { 4 } else { 5 });
    let located = if shared { Dim::exact(1) } else { known };
    let mut priors = Dim::ANY;
    let parts = [
        (PROPOSALS, 2, size, "numbers per prior"),
        (LOGITS, 1, located.times(Dim::exact(4)), "numbers per prior"),
        (CLASSES, 1, known, "classes"),
    ];
    for (input, axis, each, what) in parts {
        let (dim, name) = (counting_dim(cx, input, axis), cx.input_name(input));
        let count = quotient(dim, each);
        priors = count.and_then(|count| count.agree(priors)).ok_or_else(|| {
            let message = format!("dimension {axis} of `{name}` is {dim}, wanted {each} {what} of {priors} priors");
            conflict(cx, input, message)
        })?;
    }
    // The second predictions may determine the number of priors if the first do not.
    let second = cx.has_input(3).then(|| cx.dim(3, 1)).filter(|dim| dim.lower() > 0);
    priors = second.and_then(|dim| quotient(dim, Dim::exact(2))?.agree(priors)).unwrap_or(priors);
    let unfit = || {
        let message = format!("`class_preds` has {}, which {priors} priors do not divide", cx.dim(CLASSES, 1));
        conflict(cx, CLASSES, message)
    };
    let mut classes =
        quotient(counting_dim(cx, CLASSES, 1), priors).and_then(|each| each.agree(known)).ok_or_else(unfit)?;
    if !shared {
        let of_logits = quotient(counting_dim(cx, LOGITS, 1), priors.times(Dim::exact(4)));
        classes = of_logits.and_then(|each| each.agree(classes)).ok_or_else(|| {
            let message = format!("`box_logits` has {}, wanted 4 per prior and class", cx.dim(LOGITS, 1));
            conflict(cx, LOGITS, message)
        })?;
    }
    if cx.spec.opset > 1 && cx.dim(PROPOSALS, 2) == Dim::exact(0) {
        return Err(conflict(cx, PROPOSALS, "`proposals` holds no prior"));
    }
    Ok((priors, classes))
}

/// A dimension for the count of priors, or any length for empty tensors that OpenVINO accepts.
fn counting_dim(cx: &InferCtx, input: usize, axis: usize) -> Dim {
    let is_empty = |input: usize, axis: usize| cx.dim(input, axis) == Dim::exact(0);
    let passes = match input {
        LOGITS => cx.spec.opset == 1,
        CLASSES => cx.spec.opset > 1 || is_empty(LOGITS, 1),
        _ => false,
    };
    if passes && is_empty(input, axis) { Dim::ANY } else { cx.dim(input, axis) }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn output(opset: u8, logits: &str, classes: &str, proposals: &str) -> OpTest {
        let test = op("DetectionOutput", opset, [logits, classes, proposals])
            .attr("normalized", true)
            .attr("variance_encoded_in_target", true);
        if opset == 1 { test.attr("num_classes", 11) } else { test }
    }

    #[test]
    fn shapes() {
        output(1, "f32[2,60]", "f32[2,165]", "f16[1,1,60]").attr("keep_top_k", 50).gives(["f32[1,1,100,7]"]);
        output(1, "f32[?,60]", "f32[1..2,165]", "f32[?,1,60]")
            .attr("keep_top_k", -1)
            .attr("top_k", 3)
            .gives(["f32[1,1,33..66,7]"]);
        output(1, "f32[?,?]", "f32[2,165]", "f32[1,1,?]").attr("keep_top_k", 0).gives(["f32[1,1,330,7]"]);
        output(8, "f32[1,60]", "f32[1,165]", "f32[1,1,?]").attr("keep_top_k", -1).gives(["f32[1,1,165,7]"]);
        output(8, "f32[1,660]", "f32[1,?]", "f32[1,1,60]")
            .attr("keep_top_k", -1)
            .attr("top_k", 3)
            .attr("share_location", false)
            .gives(["f32[1,1,33,7]"]);
        let aux = ["bf16[1,29..1000003]", "bf16[1..3,8..]", "bf16[..2,2..6,20]", "bf16[1,8]", "bf16[1,32]"];
        op("DetectionOutput", 8, aux)
            .attr("keep_top_k", -1)
            .attr("nms_threshold", 0.4)
            .attr("share_location", false)
            .attr("normalized", false)
            .attr("variance_encoded_in_target", false)
            .gives(["bf16[1,1,8,7]"]);
        output(8, "f32[...]", "f32[...]", "f32[3,1,?]").attr("keep_top_k", "5,6").gives(["f32[1,1,15,7]"]);
        op("DetectionOutput", 8, ["f32[1,60]", "f32[1,165]", "f32[1,2,75]", "f32[1,30]", "f32[1,60]"])
            .attr("keep_top_k", 100)
            .gives(["f32[1,1,100,7]"]);
        op("DetectionOutput", 8, ["f32[2,84]", "f32[2,21]", "f32[...]", "f32[2,14]", "f32[2,84]"])
            .attr("keep_top_k", -1)
            .attr("top_k", 200)
            .attr("share_location", false)
            .gives(["f32[1,1,1200,7]"]);
    }

    #[test]
    fn errors() {
        let keep = |opset, logits, classes, proposals| output(opset, logits, classes, proposals).attr("keep_top_k", 50);
        keep(1, "f32[1,60]", "f32[1,166]", "f32[1,1,60]")
            .fails("shape-conflict", "dimension 1 of `class_preds` is 166, wanted 11 classes of 15 priors");
        keep(1, "f32[1,64]", "f32[1,165]", "f32[1,1,60]")
            .fails("shape-conflict", "dimension 1 of `box_logits` is 64, wanted 4 numbers per prior of 15 priors");
        keep(8, "f32[1,60]", "f32[1,166]", "f32[1,1,60]")
            .fails("shape-conflict", "`class_preds` has 166, which 15 priors do not divide");
        op("DetectionOutput", 8, ["f32[1,..60]", "f32[1,33]", "f32[1,2,15]", "f32[1,6]", "f32[1,47]"])
            .attr("keep_top_k", 100)
            .fails("shape-conflict", "dimension 1 of `aux_box_preds` is 47, wanted 4 numbers for each of 3 priors");
        op("DetectionOutput", 8, ["f32[1,60]", "f32[1,33]", "f32[1,2,60]", "dynamic[1,30]", "f32[1,60]"])
            .attr("keep_top_k", 100)
            .fails("needs-type", "the element type of `aux_class_preds` of DetectionOutput is not known");
        keep(8, "f32[2,60]", "f32[2,165]", "f32[3,1,60]")
            .fails("shape-conflict", "dimension 0 of `proposals` is 3, wanted 1 or 2");
        keep(8, "f32[1,60]", "f32[1,165]", "f32[1,2,60]").fails(
            "shape-conflict",
            "dimension 1 of `proposals` is 2, wanted 1: one for the boxes, one for variances not encoded in them",
        );
        keep(8, "f32[1,60]", "f16[1,165]", "f32[1,1,60]")
            .fails("type-conflict", "`class_preds` is f16, `box_logits` is f32");
        keep(8, "f32[1,60]", "f32[1,165]", "f32[1,1,60]").attr("code_type", "CORNER").fails(
            "attribute-value",
            "`code_type=\"CORNER\"` of DetectionOutput must be one of caffe.PriorBoxParameter.CORNER, \
             caffe.PriorBoxParameter.CENTER_SIZE",
        );
        output(8, "f32[1,60]", "f32[1,165]", "f32[1,1,60]")
            .attr("keep_top_k", "")
            .fails("attribute-value", "`keep_top_k` holds no number");
        output(8, "f32[1,60]", "f32[1,165]", "f32[1,1,60]")
            .fails("missing-attribute", "DetectionOutput has no `keep_top_k`");
    }
}
