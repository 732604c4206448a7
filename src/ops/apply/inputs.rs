//! Checks of the inputs of a layer: their number, types and ranks.

use super::Call;
use crate::diagnostic::{Runtime, Severity};
use crate::ops::misread::is_misread;
use crate::ops::rules::{INDEX_TYPE, INPUT_TYPE, NEEDS_TYPE, WRONG_INPUT_COUNT};
use crate::ops::shared::agreement;
use crate::ops::{At, Fault, Input, OpSpec};
use crate::text::{alternatives, counted};
use crate::types::{ElementType, Fact, TypeSet, release};

impl Call<'_> {
    pub(super) fn check_inputs(&self, faults: &mut Vec<Fault>) {
        let spec = self.spec;
        let count = self.inputs.len();
        let least = spec.inputs.iter().filter(|input| !input.optional).count();
        let most = if spec.inputs.last().is_some_and(|input| input.variadic) { usize::MAX } else { spec.inputs.len() };
        if count < least || count > most {
            let wanted = match (least, most) {
                (least, usize::MAX) => format!("at least {}", counted(least, "input")),
                (least, most) if least == most => counted(least, "input"),
                (least, most) => format!("{least} to {most} inputs"),
            };
            let message = format!("{} takes {wanted}, this layer has {count}", spec.name);
            let names: Vec<String> = spec.inputs.iter().map(|input| format!("`{}`", input.name)).collect();
            let fault = Fault::at(At::Layer, &WRONG_INPUT_COUNT, message);
            faults.push(match names.len() {
                0 => fault,
                1 => fault.note(format!("the only input of {} is {}", spec.name, names.join(", "))),
                _ => fault.note(format!("the inputs of {} are {}", spec.name, names.join(", "))),
            });
            return;
        }
        for (i, fact) in self.inputs.iter().enumerate() {
            let Some(input) = spec.input(i) else { continue };
            match fact.ty {
                // An unknown type that relies on declared ports does not prove an error.
                ElementType::Dynamic if input.needs_type && !fact.assumed => faults.push(unknown_type(spec, i)),
                ty if ty != ElementType::Dynamic && !input.types.has(ty) => {
                    faults.push(refused_type(spec, i, input, ty));
                }
                ElementType::Boolean if input.is_index => {
                    let misread = if self.is_read(input) { misreading(spec, i, fact) } else { None };
                    faults.push(misread.unwrap_or_else(|| boolean_index(i, input)));
                }
                _ if self.is_read(input) => faults.extend(misreading(spec, i, fact)),
                _ => {}
            }
            let refused = |rank: &usize| !input.ranks.is_empty() && !input.ranks.contains(rank);
            if fact.rank().as_ref().is_some_and(refused) {
                let fault = refused_rank(spec, i, input, fact);
                faults.push(fault.decided_if(!self.passes_rank_1()));
            }
        }
    }

    /// Whether OpenVINO may read the layer because its first input has rank 1.
    fn passes_rank_1(&self) -> bool {
        self.spec.input(0).is_some_and(|input| input.passes_rank_1)
            && self.inputs.first().is_some_and(|first| first.rank() == Some(1))
    }

    /// Whether OpenVINO reads the bytes of a constant at `input` during shape inference, for which it needs a type that it knows.
    pub(super) fn is_read(&self, input: &Input) -> bool {
        input.reading.reads_bytes(self.inputs.first().is_some_and(|first| first.rank().is_some()))
    }
}

/// The fault of an unknown type of input `i` that OpenVINO requires.
pub(crate) fn unknown_type(spec: &OpSpec, i: usize) -> Fault {
    let input = spec.input(i);
    let names = input.map(accepted).unwrap_or_default();
    let wanted = if names.len() > 6 { String::new() } else { format!(", wanted {}", alternatives(&names)) };
    let name = input.map_or("input", |input| input.name);
    let message = format!("the element type of `{name}` of {} is not known{wanted}", spec.name);
    Fault::at(At::Input(i), &NEEDS_TYPE, message)
}

fn refused_type(spec: &OpSpec, i: usize, input: &Input, ty: ElementType) -> Fault {
    let rule = if input.is_index { &INDEX_TYPE } else { &INPUT_TYPE };
    let message = if !input.is_index {
        format!("{} does not accept {ty} at input {i} `{}`", spec.name, input.name)
    } else if ty.is_integer() {
        format!("`{}` is of type {ty}, it must be {}", input.name, alternatives(&accepted(input)))
    } else {
        format!("`{}` must be of an integer type, but is {ty}", input.name)
    };
    let fault = Fault::at(At::Input(i), rule, message).primary(ty.to_string());
    let fault = match input.rejects_strings.filter(|_| ty == ElementType::String) {
        Some(first) => fault.since(first),
        None => fault,
    };
    if input.is_index || input.types.iter().count() > 12 {
        return fault;
    }
    fault.note(format!("it accepts {}", accepted(input).join(", ")))
}

/// The names of the types that an input accepts when its type is known.
fn accepted(input: &Input) -> Vec<&'static str> {
    input.types.iter().filter(|ty| *ty != ElementType::Dynamic).map(ElementType::name).collect()
}

/// The warning about boolean indices at input `i`, which OpenVINO accepts.
fn boolean_index(i: usize, input: &Input) -> Fault {
    let message = format!("`{}` should be of an integer type, but is boolean", input.name);
    let fault = Fault::at(At::Input(i), &INDEX_TYPE, message).primary("boolean");
    fault.severity(Severity::Warning).runtime(Runtime::Accepts)
}

/// The fault of a constant at input `i` that OpenVINO cannot read or reads as other numbers, and of numbers that are computed
/// in less than a byte each.
pub(crate) fn misreading(spec: &OpSpec, i: usize, fact: &Fact) -> Option<Fault> {
    let (name, ty) = (spec.input(i).map_or("input", |input| input.name), fact.ty);
    let about = |what: &str, how: &str| {
        let message = format!("`{name}` of {} {what} type {ty}, {how}", spec.name);
        Fault::at(At::Input(i), &INDEX_TYPE, message).primary(ty.to_string())
    };
    let fault = |how: &str| about("holds constants of", how);
    if !fact.value.as_ref().is_some_and(|value| value.is_stored()) {
        // OpenVINO reads them in some operations.
        if TypeSet::NARROW_FLOAT.with(&[ElementType::String]).has(ty) && fact.value.is_some() {
            return Some(about("is computed in", "which OpenVINO may not read").runtime(Runtime::Unknown));
        }
        let is_packed = ty.is_packed() && ty.is_integer() && !fact.assumed;
        let fault = is_packed.then(|| about("is computed in", "whose elements OpenVINO may misread"))?;
        return Some(fault.severity(Severity::Warning).runtime(Runtime::Unknown).help("compute it in i64"));
    }
    if TypeSet::UNREAD.has(ty) {
        return Some(fault("which OpenVINO cannot read").since(release(2023, 0)));
    }
    let fault = is_misread(fact).then(|| fault("of which OpenVINO reads whole bytes"))?;
    Some(fault.runtime(Runtime::Unknown).help("store the constant as i64"))
}

fn refused_rank(spec: &OpSpec, i: usize, input: &Input, fact: &Fact) -> Fault {
    let wanted = match input.ranks {
        [0] => "a scalar".to_owned(),
        [1] => "a list (rank 1)".to_owned(),
        [0, 1] => "a scalar or a list".to_owned(),
        ranks => format!("of rank {}", alternatives(&ranks.iter().map(usize::to_string).collect::<Vec<_>>())),
    };
    let least = input.ranks.iter().min().copied().unwrap_or_default();
    agreement::refused_rank(spec, i, input.name, fact, &wanted, least)
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn constants_are_of_types_that_openvino_reads() {
        let unread = |name: &str, input: &str, ty: &str| {
            ("index-type", format!("`{input}` of {name} holds constants of type {ty}, which OpenVINO cannot read"))
        };
        let (rule, message) = unread("Tile", "repeats", "u2");
        op("Tile", 1, ["f32[2,3]", "u2[2] = 1,2"]).fails(rule, &message);
        op("Tile", 1, ["f32[...]", "u2[2] = 1,2"]).fails(rule, &message);
        op("Tile", 1, ["f32[2,3]", "u2[2]"]).gives(["f32[?,?]"]);
        let (rule, message) = unread("Tile", "repeats", "dynamic");
        op("Tile", 1, ["f32[2,3]", "dynamic[2] = *"]).fails(rule, &message);
        op("Tile", 1, ["f32[2,3]", "dynamic[2]"]).gives(["f32[?,?]"]);
        let (rule, message) = unread("TopK", "k", "u1");
        let top = |data| op("TopK", 3, [data, "u1[] = 1"]).attr("axis", 0).attr("sort", "none");
        top("f32[2,3]").fails(rule, &message);
        // OpenVINO reads nothing before the rank is known, and never reads indices.
        top("f32[...]").yields(["f32[...]", "i32[...]"]);
        op("Gather", 8, ["f32[2,3]", "u1[1] = 1", "i64[] = 0"]).gives(["f32[1,3]"]);
    }

    #[test]
    fn half_bytes_are_not_what_openvino_reads() {
        let read = |shape| op("Reshape", 1, ["f32[6]", shape]).attr("special_zero", false);
        let message = "`shape` of Reshape holds constants of type i4, of which OpenVINO reads whole bytes";
        read("i4[2] = 2,3").fails("index-type", message).passes(["f32[?,?]"]);
        read("i4[1] = -1").fails("index-type", message).passes(["f32[6]"]);
        read("i4[1] = 6").yields(["f32[6]"]);
        read("u4[1] = 6").yields(["f32[6]"]);
        let message = "`shape` of Reshape is computed in type u4, whose elements OpenVINO may misread";
        read("u4[2]").warns("index-type", message).yields(["f32[?,?]"]);
    }
}
