//! `Einsum`: sums of products by labelled dimensions.
//!
//! - Spec: `matrix/einsum-7`
//! - Shape: the dimensions of the labels of the output. A label has one length within an input and broadcasts between inputs;
//!   an ellipsis is any number of dimensions, which broadcast from the right. Without `->` the output has first the ellipses,
//!   then the labels of only one input, sorted. An input of unknown rank leaves its labels unknown, and with an ellipsis in the
//!   output even the rank.
//! - Errors: `input-type`; `type-conflict`; `attribute-value` for the equation; `wrong-input-count`; `input-rank`;
//!   `shape-conflict`.

use crate::ops::Recent;
use crate::ops::prelude::*;
use crate::ops::shared::broadcast;

pub(super) static EINSUM_7: OpSpec = OpSpec {
    inputs: &[Input::of("inputs", TypeSet::ANY.without(&[ElementType::Boolean])).variadic()],
    attrs: &[Attr::optional("equation", Kind::Text, "")],
    macs: Macs::Uncounted,
    recent: &[Recent {
        what: "an empty subscript at the end",
        first: release(2025, 2),
        attr: "equation",
        is_used: |_, equation| equation.is_some_and(|equation| equation.trim_end().ends_with(',')),
    }],
    waits: &[&INPUT_RANK],
    ..OpSpec::new("Einsum", 7, infer)
};

/// The subscript of an input or the output: labels, and `None` for an ellipsis.
type Subscript = Vec<Option<char>>;

fn infer(cx: &InferCtx) -> Inferred {
    let ty = agreed_type(cx, &every_input(cx))?;
    let (inputs, output) = parsed(cx.text("equation"))?;
    if inputs.len() != cx.inputs().len() {
        let message = format!("the equation names {} inputs, this layer has {}", inputs.len(), cx.inputs().len());
        return Err(Fault::at(At::Attr("equation"), &WRONG_INPUT_COUNT, message).since(release(2025, 2)));
    }
    let mut labels: Vec<(char, Dim)> = Vec::new();
    let mut ellipsis: Option<Vec<Dim>> = Some(Vec::new());
    for (i, subscript) in inputs.iter().enumerate() {
        let (own, between) = input_labels(cx, i, subscript).map_err(|fault| {
            // OpenVINO looks no further than an ellipsis of unknown rank.
            let is_open = |(i, one): (usize, &Subscript)| one.contains(&None) && cx.input(i).rank().is_none();
            fault.late_unless(!inputs.iter().enumerate().any(is_open))
        })?;
        for (label, dim) in own {
            match labels.iter_mut().find(|(known, _)| *known == label) {
                Some((_, known)) => {
                    *known = known.meet(dim).ok_or_else(|| {
                        conflict(cx, i, format!("label {label} is {dim} in input {i} and {known} before it"))
                    })?;
                }
                None => labels.push((label, dim)),
            }
        }
        ellipsis = match (ellipsis, between) {
            (Some(before), Some(own)) => {
                Some(broadcast::dims(&before, own).map(|dims| dims.to_vec()).map_err(|(place, before, own)| {
                    conflict(
                        cx,
                        i,
                        format!("dimension {place} of the ellipsis is {own} in input {i} and {before} before it"),
                    )
                })?)
            }
            _ => None,
        };
    }
    let mut dims = Vec::new();
    for label in &output {
        match (label, &ellipsis) {
            (Some(label), _) => {
                let known = labels.iter().find(|(known, _)| known == label);
                dims.push(known.ok_or_else(|| wrong(&format!("output label {label} is in no input")))?.1);
            }
            (None, Some(between)) => dims.extend(between),
            (None, None) => return unranked(ty),
        }
    }
    Ok(vec![Fact::new(ty, PartialShape::of(dims))])
}

fn wrong(what: &str) -> Fault {
    Fault::at(At::Attr("equation"), &ATTRIBUTE_VALUE, format!("`equation` of Einsum: {what}"))
}

fn conflict(cx: &InferCtx, i: usize, message: String) -> Fault {
    let shown = |fault: Fault, i: usize| fault.label(At::Input(i), format!("{}{}", cx.input(i).ty, cx.input(i).shape));
    (0..=i).fold(Fault::at(At::Input(i), &SHAPE_CONFLICT, message), shown)
}

fn parsed(equation: &str) -> Result<(Vec<Subscript>, Subscript), Fault> {
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left, Some(right)),
        None => (equation, None),
    };
    let inputs: Vec<Subscript> = left.split(',').map(subscript).collect::<Result<_, _>>()?;
    if let Some(right) = right {
        return Ok((inputs, subscript(right)?));
    }
    let elsewhere =
        |i: usize, label: &Option<char>| inputs.iter().enumerate().any(|(n, other)| n != i && other.contains(label));
    let own = |(i, labels): (usize, &Subscript)| {
        let own: Subscript = labels.iter().copied().filter(|label| label.is_some() && !elsewhere(i, label)).collect();
        own
    };
    let mut output: Subscript = inputs.iter().enumerate().flat_map(own).collect();
    output.sort_unstable();
    if inputs.iter().any(|labels| labels.contains(&None)) {
        output.insert(0, None);
    }
    Ok((inputs, output))
}

fn subscript(text: &str) -> Result<Subscript, Fault> {
    let parts: Vec<&str> = text.split("...").collect();
    let letters = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    if parts.len() > 2 || !letters {
        return Err(wrong(&format!("`{text}` must be letters and at most one `...`")));
    }
    Ok(parts
        .iter()
        .enumerate()
        .flat_map(|(i, part)| (i > 0).then_some(None).into_iter().chain(part.chars().map(Some)))
        .collect())
}

type Labelled<'a> = (Vec<(char, Dim)>, Option<&'a [Dim]>);

/// The labels of input `i` with their dimensions, and the dimensions of its ellipsis, if known.
fn input_labels<'a>(cx: &'a InferCtx, i: usize, subscript: &Subscript) -> Result<Labelled<'a>, Fault> {
    let place = subscript.iter().position(Option::is_none);
    let count = subscript.len() - usize::from(place.is_some());
    let Some(dims) = cx.input(i).shape.dims() else {
        let open = subscript.iter().flatten().map(|label| (*label, Dim::ANY));
        return Ok((open.collect(), if place.is_some() { None } else { Some(&[]) }));
    };
    let between =
        dims.len().checked_sub(count).filter(|between| place.is_some() || *between == 0).ok_or_else(|| {
            let wanted = if place.is_some() { format!("at least {count}") } else { count.to_string() };
            let message = format!("input {i} has {}, its subscript wants {wanted}", counted(dims.len(), "dimension"));
            let fault = Fault::at(At::Input(i), &INPUT_RANK, message);
            let fault = fault.primary(format!("shape {}", cx.input(i).shape));
            // Earlier releases ignore further dimensions.
            if dims.len() > count { fault.since(release(2025, 1)) } else { fault }
        })?;
    let start = place.unwrap_or(count);
    let (before, rest) = dims.split_at_checked(start).unwrap_or((dims, &[]));
    let (between, after) = rest.split_at_checked(between).unwrap_or((rest, &[]));
    let mut labels: Vec<(char, Dim)> = Vec::new();
    for (label, dim) in subscript.iter().flatten().zip(before.iter().chain(after)) {
        match labels.iter_mut().find(|(known, _)| known == label) {
            Some((_, known)) => {
                *known = known
                    .agree(*dim)
                    .ok_or_else(|| conflict(cx, i, format!("label {label} is both {known} and {dim} in input {i}")))?;
            }
            None => labels.push((*label, *dim)),
        }
    }
    Ok((labels, Some(between)))
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn einsum<const N: usize>(equation: &str, inputs: [&str; N]) -> OpTest {
        op("Einsum", 7, inputs).attr("equation", equation)
    }

    #[test]
    fn shapes() {
        einsum("bij,bjk->bik", ["f32[2,3,4]", "f32[2,4,5]"]).gives(["f32[2,3,5]"]);
        einsum("ij,jk", ["f32[2,3]", "f32[3,5]"]).gives(["f32[2,5]"]);
        einsum("aB", ["f32[2,3]"]).gives(["f32[3,2]"]);
        einsum("ii", ["f32[3,?]"]).gives(["f32[3,3]"]);
        einsum("ii->", ["f32[3,3]"]).gives(["f32[]"]);
        einsum("i,i,i->i", ["f32[1]", "f32[?]", "f32[4]"]).gives(["f32[4]"]);
        einsum("a...b,b...->...a", ["f32[2,3,4]", "f32[4,5,1]"]).gives(["f32[5,3,2]"]);
        einsum("i...j", ["f32[2,3,4,5]"]).gives(["f32[3,4,2,5]"]);
        einsum("ij->...ij", ["f32[2,3]"]).gives(["f32[2,3]"]);
        einsum("ij,j->i", ["f32[2,3]", "f32[...]"]).gives(["f32[2]"]);
        einsum("...j,j->j", ["f32[...]", "f32[3]"]).gives(["f32[3]"]);
        einsum("...j,j", ["f32[...]", "dynamic[3]"]).gives(["f32[...]"]);
        einsum("ij,", ["f32[2,3..]", "f32[]"]).gives(["f32[2,3..]"]);
        op("Einsum", 7, ["f32[]"]).gives(["f32[]"]);
    }

    #[test]
    fn errors() {
        einsum("ij,jk->ik", ["f32[2,3]", "f32[4,5]"])
            .fails("shape-conflict", "label j is 4 in input 1 and 3 before it");
        einsum("ii->i", ["f32[3,4]"]).fails("shape-conflict", "label i is both 3 and 4 in input 0");
        einsum("...,...", ["f32[2,4]", "f32[3]"])
            .fails("shape-conflict", "dimension 1 of the ellipsis is 3 in input 1 and 4 before it");
        einsum("ij->i", ["f32[2]"]).fails("input-rank", "input 0 has 1 dimension, its subscript wants 2");
        einsum("ab...->a", ["f32[2]"]).fails("input-rank", "input 0 has 1 dimension, its subscript wants at least 2");
        einsum("ij,j->i", ["f32[2,3]"]).fails("wrong-input-count", "the equation names 2 inputs, this layer has 1");
        einsum("ij->k", ["f32[2,3]"]).fails("attribute-value", "`equation` of Einsum: output label k is in no input");
        einsum("ij -> ji", ["f32[2,3]"])
            .fails("attribute-value", "`equation` of Einsum: `ij ` must be letters and at most one `...`");
        einsum("ij->ji->i", ["f32[2,3]"])
            .fails("attribute-value", "`equation` of Einsum: `ji->i` must be letters and at most one `...`");
        einsum("i,i->", ["f32[2]", "f16[2]"]).fails("type-conflict", "input 1 is f16, input 0 is f32");
        einsum("i->", ["boolean[2]"]).fails("input-type", "Einsum does not accept boolean at input 0 `inputs`");
    }
}
