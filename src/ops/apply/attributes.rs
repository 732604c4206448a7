//! The attributes of a layer: as written, as OpenVINO reads them, and those it does not know.

use super::Call;
use crate::diagnostic::{Runtime, Severity};
use crate::ops::attribute::{self, AttrValue};
use crate::ops::fault::{At, Fault};
use crate::ops::rules::{ATTRIBUTE_VALUE, LENIENT_NUMBER, MISSING_ATTRIBUTE, UNKNOWN_OP_ATTRIBUTE};
use crate::ops::spec::OpSpec;
use smallvec::SmallVec;

impl Call<'_> {
    /// Attribute values and whether each is written, in the order of the specification.
    pub(super) fn read_attrs(
        &self,
        faults: &mut Vec<Fault>,
    ) -> (SmallVec<[Option<AttrValue>; 8]>, SmallVec<[bool; 8]>) {
        let mut values = SmallVec::new();
        let mut written = SmallVec::new();
        for attr in self.spec.attrs {
            let text = self.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.as_ref());
            written.push(text.is_some());
            let default = || attribute::read(attr.kind, attr.default.unwrap_or_default()).ok().and_then(|r| r.value);
            let Some(text) = text else {
                let missing = || {
                    let message = format!("{} has no `{}`", self.spec.name, attr.name);
                    Fault::at(At::Layer, &MISSING_ATTRIBUTE, message)
                };
                faults.extend(match attr.absence {
                    Some(absence) => Some(missing().runtime(Runtime::Accepts).note(absence)),
                    None => attr.default.is_none().then(missing),
                });
                values.push(default());
                continue;
            };
            match attribute::read(attr.kind, text) {
                Ok(reading) => {
                    if reading.lenient {
                        let read = reading.value.as_ref().or(default().as_ref()).map(show).unwrap_or_default();
                        let message = format!("`{}=\"{text}\"` is read by OpenVINO as {read}", attr.name);
                        faults.push(Fault::at(At::Attr(attr.name), &LENIENT_NUMBER, message));
                    }
                    values.push(reading.value.or_else(default));
                }
                Err(wanted) => {
                    let message = format!("`{}=\"{text}\"` of {} must be {wanted}", attr.name, self.spec.name);
                    let fault = Fault::at(At::Attr(attr.name), &ATTRIBUTE_VALUE, message);
                    let is_huge = attr.is_unsigned && text.contains('-');
                    faults.push(if is_huge { taken_for_huge(fault) } else { fault });
                    values.push(default());
                }
            }
        }
        let unknown = |name: &str| self.spec.attrs.iter().all(|attr| attr.name != name) && !is_hint(name);
        for (name, _) in self.attrs.iter().filter(|(name, _)| unknown(name)).take(UNKNOWN_ATTRIBUTES) {
            faults.push(unknown_attribute(self.spec, name));
        }
        (values, written)
    }
}

/// The fault of a number below 0 that OpenVINO keeps unsigned.
fn taken_for_huge(fault: Fault) -> Fault {
    let note =
        "OpenVINO takes a number below 0 here for one near 2^64: it may read the file, but few devices compile it";
    fault.runtime(Runtime::Accepts).severity(Severity::Error).note(note)
}

/// Unknown attributes of one layer that are told.
const UNKNOWN_ATTRIBUTES: usize = 16;

/// Attributes that any layer may carry: hints of older runtimes.
fn is_hint(name: &str) -> bool {
    matches!(name, "PrimitivesPriority" | "alt_width")
}

fn unknown_attribute(spec: &OpSpec, name: &str) -> Fault {
    let message = format!("{} has no attribute `{name}`; OpenVINO ignores it", spec.name);
    // `Fault` places attributes by their static names; an unknown one is found again by its text in the message.
    let fault = Fault::at(At::Layer, &UNKNOWN_OP_ATTRIBUTE, message).primary(name.to_owned());
    match spec.inputs.iter().position(|input| input.name == name) {
        Some(i) => fault.help(format!("`{name}` is input {i} of {}, not an attribute", spec.name)),
        None => fault,
    }
}

fn show(value: &AttrValue) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    match value {
        AttrValue::Int(n) => n.to_string(),
        AttrValue::Float(n) => n.to_string(),
        AttrValue::Flag(flag) => flag.to_string(),
        AttrValue::Text(text) => text.clone(),
        AttrValue::Choice(word) => (*word).to_owned(),
        AttrValue::Ints(all) => list(all.iter().map(i64::to_string).collect()),
        AttrValue::Floats(all) => list(all.iter().map(f64::to_string).collect()),
        AttrValue::Texts(all) => list(all.clone()),
        AttrValue::Type(ty) => ty.to_string(),
        AttrValue::Shape(shape) => shape.to_string(),
    }
}
