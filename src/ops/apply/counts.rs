//! Numbers in a file that request more outputs or dimensions than anything needs, found before anything is made of them.

use super::Call;
use crate::diagnostic::LIMIT_EXCEEDED;
use crate::limits::Limits;
use crate::ops::rules::WRONG_OUTPUT_COUNT;
use crate::ops::{At, Fault, InferCtx, Input, Outputs};
use crate::text::plural;
use crate::types::Fact;

impl Call<'_> {
    /// The output count, checked before anything is allocated for it.
    pub(super) fn too_many_outputs(&self, cx: &InferCtx, limits: &Limits) -> Option<Fault> {
        let Outputs::FromAttr(name) = self.spec.outputs else { return None };
        let count = usize::try_from(cx.int(name)).unwrap_or(usize::MAX);
        if let Some(declared) = self.declared_outputs.filter(|declared| *declared > count) {
            let message = format!("{declared} outputs are declared, `{name}=\"{count}\"` makes {count}");
            return Some(
                Fault::at(At::Attr(name), &WRONG_OUTPUT_COUNT, message)
                    .primary(format!("{count} output{s}, the layer declares {declared}", s = plural(count))),
            );
        }
        (count > limits.outputs).then(|| {
            let message = format!("{count} outputs exceed the limit of {}", limits.outputs);
            Fault::at(At::Attr(name), &LIMIT_EXCEEDED, message).help("raise it with --max-outputs")
        })
    }

    /// A list of axes, lengths or sizes that is too long: as many dimensions or outputs might be made of it.
    pub(super) fn long_list(&self, limits: &Limits) -> Option<Fault> {
        let place = (0..self.inputs.len()).find(|i| {
            let counted = |input: &Input| input.is_index || self.spec.outputs == Outputs::Inferred;
            let listed = self.spec.input(*i).is_some_and(|input| counted(input) && input.ranks.contains(&1));
            let length = self.inputs.get(*i).and_then(|fact| match fact.shape.dims()? {
                [length] => length.length(),
                _ => None,
            });
            listed && length.is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limits.outputs))
        })?;
        let name = self.spec.input(place).map_or("input", |input| input.name);
        let message =
            format!("`{name}` has {} elements, more than {}", self.inputs[place].shape.elements(), limits.outputs);
        Some(Fault::at(At::Input(place), &LIMIT_EXCEEDED, message).help("raise the limit with --max-outputs"))
    }
}

/// The fault of an output with more dimensions than anything needs.
pub(super) fn high_rank(outputs: &[Fact], limits: &Limits) -> Option<Fault> {
    let rank = |fact: &Fact| fact.rank().filter(|rank| *rank > limits.rank);
    let (place, rank) = outputs.iter().enumerate().find_map(|(place, fact)| Some((place, rank(fact)?)))?;
    let message = format!("output {place} has {rank} dimensions, more than {}", limits.rank);
    Some(Fault::at(At::Output(place), &LIMIT_EXCEEDED, message).help("raise the limit with --max-rank"))
}
