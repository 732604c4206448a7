//! Limits on the outputs and dimensions of a layer. Numbers of outputs that a file asks for are checked before inference
//! allocates them.

use super::Call;
use crate::diagnostic::LIMIT_EXCEEDED;
use crate::limits::Limits;
use crate::ops::rules::WRONG_OUTPUT_COUNT;
use crate::ops::{At, Fault, InferCtx, Input, Outputs};
use crate::text::plural;
use crate::types::Fact;

impl Call<'_> {
    pub(super) fn too_many_outputs(&self, cx: &InferCtx, limits: &Limits) -> Option<Fault> {
        let Outputs::FromAttr(name) = self.spec.outputs else { return None };
        let count = usize::try_from(cx.int(name)).unwrap_or(usize::MAX);
        if let Some(declared) = self.declared_outputs.filter(|declared| *declared > count) {
            let message = format!("the layer declares {declared} outputs, but `{name}=\"{count}\"` gives it {count}");
            return Some(
                Fault::at(At::Attr(name), &WRONG_OUTPUT_COUNT, message)
                    .primary(format!("{count} output{s}, the layer declares {declared}", s = plural(count))),
            );
        }
        (count > limits.outputs).then(|| {
            let message = format!("{count} outputs exceed the limit of {}", limits.outputs);
            Fault::at(At::Attr(name), &LIMIT_EXCEEDED, message).help("raise the limit with --max-outputs")
        })
    }

    /// The fault of too long a list of axes, lengths or sizes, which might give as many dimensions or outputs.
    pub(super) fn long_list(&self, limits: &Limits) -> Option<Fault> {
        let index = (0..self.inputs.len()).find(|i| {
            let counted = |input: &Input| input.is_index || self.spec.outputs == Outputs::Inferred;
            let listed = self.spec.input(*i).is_some_and(|input| counted(input) && input.ranks.contains(&1));
            let length = self.inputs.get(*i).and_then(|fact| match fact.shape.dims()? {
                [length] => length.length(),
                _ => None,
            });
            listed && length.is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limits.outputs))
        })?;
        let name = self.spec.input(index).map_or("input", |input| input.name);
        let message =
            format!("`{name}` has {} elements, more than {}", self.inputs[index].shape.elements(), limits.outputs);
        Some(Fault::at(At::Input(index), &LIMIT_EXCEEDED, message).help("raise the limit with --max-outputs"))
    }
}

pub(super) fn high_rank(outputs: &[Fact], limits: &Limits) -> Option<Fault> {
    let rank = |fact: &Fact| fact.rank().filter(|rank| *rank > limits.rank);
    let (index, rank) = outputs.iter().enumerate().find_map(|(index, fact)| Some((index, rank(fact)?)))?;
    let message = format!("output {index} has {rank} dimensions, more than {}", limits.rank);
    Some(Fault::at(At::Output(index), &LIMIT_EXCEEDED, message).help("raise the limit with --max-rank"))
}
