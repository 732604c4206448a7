//! Fingerprints: names of findings that survive a new export of the model, and names that identify findings within one file.

use crate::diagnostic::{Diagnostic, Direction};
use crate::text::stable_name;
use std::borrow::Cow;

/// Returns the rule and a hash of 16 hexadecimal digits: `rule/0123456789abcdef`.
///
/// The hash is over rule, body, layer name, port and dimension. Where one finding represents many layers, it is over the rule
/// and [`Diagnostic::kind`], the key of all of them, because another layer may come first in the next export. Rules about a
/// whole graph or file have one key.
///
/// Lines, offsets, layer ids, values and generated numbers in names are left out, because they change with every export.
/// Findings of one rule on one port therefore share a fingerprint.
pub fn fingerprint(finding: &Diagnostic) -> String {
    let hash = match finding.kind.as_deref().or(finding.rule.is_whole.then_some("")) {
        Some(kind) => {
            let mut hash = Fnv::default();
            hash.field(0xff, finding.rule.name);
            hash.field(0xf9, kind);
            hash.0
        }
        None => hash(finding, stable_name),
    };
    format!("{}/{hash:016x}", finding.rule.name)
}

/// Returns the fingerprint with the hash over complete names, including generated numbers.
pub(crate) fn fingerprint_by_name(finding: &Diagnostic) -> String {
    let (rule, hash) = identity(finding);
    format!("{rule}/{hash:016x}")
}

/// Returns the rule and the hash over complete names, which identify a finding within one file.
pub(crate) fn identity(finding: &Diagnostic) -> (&'static str, u64) {
    (finding.rule.name, hash(finding, |name, _| Cow::Borrowed(name)))
}

fn hash(finding: &Diagnostic, shown: for<'a> fn(&'a str, &str) -> Cow<'a, str>) -> u64 {
    let mut hash = Fnv::default();
    hash.field(0xff, finding.rule.name);
    finding.body.iter().for_each(|body| hash.field(0xfe, &shown(&body.to_string(), "")));
    if let Some(layer) = &finding.layer {
        hash.field(0xfd, &shown(&layer.name, &layer.ty));
    }
    if let Some(port) = &finding.port {
        hash.field(if port.direction == Direction::Input { 0xfc } else { 0xfb }, &port.id);
        if let Some(dim) = port.dim {
            hash.field(0xfa, &dim.to_string());
        }
    }
    hash.0
}

/// An FNV-1a hash of 64 bits. Each field starts with a byte that never occurs in UTF-8, so fields cannot run together.
pub(crate) struct Fnv(pub(crate) u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn field(&mut self, mark: u8, text: &str) {
        for byte in std::iter::once(mark).chain(text.bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::{DECLARED_SHAPE, body_of, declared_shape, demo};
    use crate::source::Span;

    #[test]
    fn fnv_is_fnv() {
        let mut hash = Fnv::default();
        hash.field(b'f', "oobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn numbers_of_exporters_do_not_matter() {
        let named = |name: &str| {
            let mut finding = declared_shape(&demo());
            finding.layer.as_mut().unwrap().name = name.into();
            finding.body = vec![body_of("Loop_7")];
            finding
        };
        let mut moved = named("Multiply_5");
        moved.body[0].layer = "Loop_912".into();
        assert_eq!(fingerprint(&moved), fingerprint(&named("Multiply_19912")));
        assert_ne!(fingerprint_by_name(&named("Multiply_5")), fingerprint_by_name(&named("Multiply_19912")));
        assert_ne!(fingerprint(&named("a_5")), fingerprint(&named("a_19")));
    }

    #[test]
    fn what_is_said_of_a_kind_is_about_no_place() {
        let of = |kind: &str, name: &str| {
            let mut finding = declared_shape(&demo());
            finding.layer.as_mut().unwrap().name = name.into();
            finding.kind = Some(kind.into());
            finding
        };
        assert_eq!(fingerprint(&of("Add alpha", "a")), fingerprint(&of("Add alpha", "b")));
        assert_ne!(fingerprint(&of("Add alpha", "a")), fingerprint(&of("Add beta", "a")));
        assert_ne!(fingerprint_by_name(&of("", "a")), fingerprint_by_name(&of("", "b")));
    }

    #[test]
    fn places_differ_and_lines_do_not_matter() {
        let finding = declared_shape(&demo());
        assert_eq!(fingerprint(&finding), "declared-shape/d0a297b965d33d1f");

        let mut moved = finding.clone();
        moved.primary.span = Span::new(7, 9);
        moved.layer.as_mut().unwrap().id = "99".into();
        moved.message = "something else".into();
        assert_eq!(fingerprint(&moved), fingerprint(&finding));

        let mut others = vec![finding.clone(); 5];
        others[0].port.as_mut().unwrap().dim = Some(2);
        others[1].port.as_mut().unwrap().direction = Direction::Input;
        others[2].layer.as_mut().unwrap().name = "split_4".into();
        others[3].body = vec![body_of("loop"), body_of("body")];
        others[4].body = vec![body_of("loop/body/body")];
        others.push(Diagnostic::new(&DECLARED_SHAPE, Span::default(), ""));
        others.push(finding);
        let prints: std::collections::BTreeSet<_> = others.iter().map(fingerprint).collect();
        assert_eq!(prints.len(), 7);
    }
}
