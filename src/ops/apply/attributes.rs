//! Checks of the attributes of a layer: malformed, missing and unknown ones.

use super::{Call, Extent};
use crate::diagnostic::{Hint, Runtime, Severity};
use crate::limits::Limits;
use crate::ops::attribute::{self, AttrValue};
use crate::ops::rules::{ATTRIBUTE_VALUE, LENIENT_NUMBER, MISSING_ATTRIBUTE, UNKNOWN_OP_ATTRIBUTE};
use crate::ops::{At, Attr, Checked, Fault, Kind, Missing, OpSpec, leftovers, operations};
use crate::text::{nearest, plural};
use crate::types::release;
use smallvec::SmallVec;

impl Call<'_> {
    /// Returns the values of the attributes and whether each is written, in the order of the specification.
    pub(super) fn read_attrs(
        &self,
        faults: &mut Vec<Fault>,
    ) -> (SmallVec<[Option<AttrValue>; 8]>, SmallVec<[bool; 8]>) {
        let mut values = SmallVec::new();
        let mut written = SmallVec::new();
        let is_checked = |attr: &Attr| match attr.checked {
            Checked::Always => true,
            Checked::Ranked => self.inputs.first().is_some_and(|fact| fact.rank().is_some()),
            Checked::Static => self.inputs.iter().enumerate().all(|(i, fact)| self.spec.is_known(i, fact)),
        };
        for attr in self.spec.attrs {
            let text = self.attrs.iter().find(|(name, _)| name == attr.name).map(|(_, text)| text.as_ref());
            written.push(text.is_some());
            let default =
                || attribute::read(attr.kind, attr.missing.text().unwrap_or_default()).ok().and_then(|r| r.value);
            let Some(text) = text else {
                match attr.missing {
                    Missing::Default(_) => {}
                    // OpenVINO takes 0 instead, which may be right.
                    Missing::Refused if attr.kind == Kind::COUNT && !is_checked(attr) => {
                        faults.push(missing(self.spec, attr.name).runtime(Runtime::Unknown));
                    }
                    Missing::Refused => faults.push(missing(self.spec, attr.name)),
                    Missing::Accepted { note, .. } => {
                        faults.push(missing(self.spec, attr.name).runtime(Runtime::Accepts).note(note));
                    }
                    Missing::NotCompiled(_) => {
                        let runtime = if is_checked(attr) { Runtime::NotCompiled } else { Runtime::Unknown };
                        faults.push(missing(self.spec, attr.name).runtime(runtime));
                    }
                }
                values.push(default());
                continue;
            };
            match attribute::read(attr.kind, text) {
                Ok(reading) => {
                    if reading.lenient {
                        let read = reading.value.as_ref().or(default().as_ref()).map(show).unwrap_or_default();
                        let message = format!("OpenVINO reads `{}=\"{text}\"` as {read}", attr.name);
                        let read = read.trim_matches(['[', ']']);
                        faults.push(Fault::at(At::Attr(attr.name), &LENIENT_NUMBER, message).read_as(read));
                    }
                    values.push(reading.value.or_else(default));
                }
                Err(wanted) => {
                    let mut value = default();
                    let is_plain = |rest: &&str| attribute::is_readable_shape(rest) && !rest.contains("-1..");
                    let cut = text.trim_end().strip_suffix(',').filter(is_plain);
                    let cut = cut.and_then(|rest| attribute::read(attr.kind, rest).ok()?.value);
                    let message = format!("`{}=\"{text}\"` of {} must be {wanted}", attr.name, self.spec.name);
                    let fault = Fault::at(At::Attr(attr.name), &ATTRIBUTE_VALUE, message);
                    let before = attribute::read(attr.kind, &read_before_2026_2(text));
                    let is_digit = |digit: char| digit.is_ascii_digit();
                    let below_0 = |rest: &str| rest.starts_with(is_digit);
                    let is_huge = attr.is_unsigned && text.contains('-') && text.split('-').skip(1).all(below_0);
                    faults.push(match attr.kind {
                        Kind::Word(_) => fault.runtime(Runtime::NotCompiled),
                        Kind::Shape if attribute::is_readable_shape(text) => fault.runtime(Runtime::Unknown),
                        // Earlier releases ignore a comma behind the last dimension.
                        Kind::Shape if cut.is_some() => {
                            value = cut;
                            fault.since(release(2026, 2))
                        }
                        _ if is_huge => read_as_huge(fault, attr.kind),
                        Kind::Unsigned if attribute::is_unsigned_list(text) => fault.runtime(Runtime::Unknown),
                        _ if !is_checked(attr) => fault.runtime(Runtime::Unknown),
                        Kind::Int(..) | Kind::Int32(_) | Kind::Ints(..) | Kind::Unsigned if before.is_ok() => {
                            value = before.ok().and_then(|reading| reading.value);
                            fault.since(release(2026, 2))
                        }
                        // Earlier releases read huge numbers.
                        Kind::Unsigned if attribute::read(Kind::INTS, text).is_ok() => fault.since(release(2026, 2)),
                        _ => match attr.strict_since {
                            Some(first) => fault.since(first),
                            None => fault,
                        },
                    });
                    values.push(value);
                }
            }
        }
        let unknown = |name: &str| self.spec.attrs.iter().all(|attr| attr.name != name) && !is_hint(name);
        let is_written = |known: &str| self.attrs.iter().any(|(other, _)| other == known);
        let attrs = self.attrs.iter().enumerate();
        for (i, (name, text)) in attrs.filter(|(_, (name, _))| unknown(name)).take(UNKNOWN_ATTRIBUTES) {
            faults.push(unknown_attribute(self.spec, i, (name, text), meant(self.spec, name, is_written)));
        }
        (values, written)
    }

    /// Replaces the fault of a list with negative numbers by one about its length, if that is wrong. OpenVINO reads negative
    /// numbers of an unsigned list as huge ones, but rejects a list of the wrong length.
    pub(super) fn prefer_length_fault(
        &self,
        values: &[Option<AttrValue>],
        written: &[bool],
        limits: &Limits,
        faults: &mut Vec<Fault>,
    ) {
        let is_list = |attr: &&Attr| matches!(attr.kind, Kind::Ints(..)) && attr.is_unsigned;
        let mut errors = faults.iter().filter(|fault| fault.is_error());
        let (Some(huge), None) = (errors.next(), errors.next()) else { return };
        let index = self.spec.attrs.iter().position(|attr| is_list(&attr) && huge.at == At::Attr(attr.name));
        let Some(index) = index.filter(|_| huge.verdict() == Runtime::Unknown) else { return };
        let (name, at) = (self.spec.attrs[index].name, huge.at);
        let text = self.attrs.iter().find(|(other, _)| other == name).map(|(_, text)| text.as_ref());
        let Some(text) = text.filter(|text| text.contains('-')) else { return };
        let count = text.split(',').filter(|item| !item.trim().is_empty()).count();
        let mut values: SmallVec<[Option<AttrValue>; 8]> = values.into();
        values[index] = Some(AttrValue::Ints(SmallVec::from_elem(1, count)));
        let cx = self.with_attrs(&values, written, limits, Extent::Full);
        if let Some(fault) = (self.spec.infer)(&cx).err().filter(|fault| fault.at == at && fault.is_error()) {
            faults.retain(|fault| !fault.is_error());
            faults.push(fault);
        }
    }
}

/// The text with the numbers that releases before 2026.2 read: a `+` changes nothing, and what does not start with a number is a 0.
pub(crate) fn read_before_2026_2(text: &str) -> String {
    let number = |item: &str| {
        let (item, is_gap) = (item.trim().trim_start_matches('+'), item.trim().is_empty() && text.contains(','));
        let is_number = item.trim_start_matches('-').starts_with(|one: char| one.is_ascii_digit());
        if is_gap || is_number { item.to_owned() } else { "0".to_owned() }
    };
    text.split(',').map(number).collect::<Vec<_>>().join(",")
}

/// The fault of a layer that lacks an attribute.
pub(crate) fn missing(spec: &OpSpec, name: &str) -> Fault {
    Fault::at(At::Layer, &MISSING_ATTRIBUTE, format!("{} has no `{name}`", spec.name))
}

/// Marks a fault as one of a negative number that OpenVINO reads as a huge one. A huge stride or dilation may then make a
/// kernel larger than its image, and a huge size may not divide a length.
fn read_as_huge(fault: Fault, kind: Kind) -> Fault {
    let note = "OpenVINO takes a number below 0 here for one near 2^64";
    let is_computed_with = matches!(kind, Kind::Ints(..) | Kind::Int(1.., _));
    let runtime = if is_computed_with { Runtime::Unknown } else { Runtime::Accepts };
    fault.runtime(runtime).severity(Severity::Error).note(note)
}

/// Limit for the unknown attributes reported per layer.
const UNKNOWN_ATTRIBUTES: usize = 16;

/// Whether any layer may carry the attribute, as a hint for older runtimes.
fn is_hint(name: &str) -> bool {
    matches!(name, "PrimitivesPriority" | "alt_width")
}

/// The missing attribute whose name is most similar to the unknown attribute `name`; of other length only if no operation has
/// that attribute.
pub(crate) fn meant(spec: &OpSpec, name: &str, is_written: impl Fn(&str) -> bool) -> Option<&'static str> {
    let is_known = || operations().any(|other| other.attrs.iter().any(|attr| attr.name == name));
    nearest(name, spec.attrs.iter().map(|attr| attr.name).filter(|known| !is_written(known)))
        .filter(|known| known.len().abs_diff(name.len()) <= 2 || !is_known())
}

fn unknown_attribute(spec: &OpSpec, i: usize, (name, text): (&str, &str), meant: Option<&str>) -> Fault {
    let message = format!("{} has no attribute `{name}`; OpenVINO ignores it", spec.name);
    let fault = Fault::at(At::Unknown(i), &UNKNOWN_OP_ATTRIBUTE, message);
    if leftovers::is_attribute(spec.name, name) {
        return fault.severity(Severity::Info).note("older versions of Model Optimizer wrote it");
    }
    if leftovers::is_neutral(spec.name, name, text) {
        return fault.severity(Severity::Info).note("its value changes nothing");
    }
    match spec.inputs.iter().position(|input| input.name == name) {
        Some(i) => fault.help(format!("`{name}` is input {i} of {}, not an attribute", spec.name)),
        None => match meant {
            Some(meant) => fault.help(Hint::DidYouMean(meant.to_owned())),
            None => match owner(spec, name) {
                Some(help) => fault.help(help),
                None => fault,
            },
        },
    }
}

/// Names an operation that has the attribute: the same operation in another opset, or others.
pub(crate) fn owner(spec: &OpSpec, name: &str) -> Option<Hint> {
    let owners = || operations().filter(|other| other.attrs.iter().any(|attr| attr.name == name));
    if let Some(other) = owners().find(|other| other.name == spec.name) {
        let text = format!("{} of opset{} has `{name}`: is the version right?", other.name, other.opset);
        return Some(Hint::OtherOperation(text.into()));
    }
    let first = owners().min_by_key(|other| other.opset)?.name;
    let others = match owners().filter(|other| other.name != first).count() {
        0 => String::new(),
        count => format!(" and {count} other operation{s}", s = plural(count)),
    };
    let text = format!("`{name}` is an attribute of {first}{others}: is the type right?");
    Some(Hint::OtherOperation(text.into()))
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
