//! A name for a finding that survives a new export of the model.

use crate::diagnostic::{Diagnostic, Direction};

/// The rule, then 16 hexadecimal digits over rule, body, layer name, port and dimension.
///
/// Lines, offsets, layer ids and values are left out, as they change with every export. Findings of one rule at one place
/// therefore share their fingerprint.
pub fn fingerprint(finding: &Diagnostic) -> String {
    let (rule, hash) = identity(finding);
    format!("{rule}/{hash:016x}")
}

/// The two parts of a fingerprint.
pub(crate) fn identity(finding: &Diagnostic) -> (&'static str, u64) {
    (finding.rule.name, hash(finding))
}

fn hash(finding: &Diagnostic) -> u64 {
    let mut hash = Fnv::default();
    hash.field(0xff, finding.rule.name);
    finding.body.iter().for_each(|body| hash.field(0xfe, body));
    if let Some(layer) = &finding.layer {
        hash.field(0xfd, &layer.name);
    }
    if let Some(port) = &finding.port {
        hash.field(if port.direction == Direction::Input { 0xfc } else { 0xfb }, &port.id);
        if let Some(dim) = port.dim {
            hash.field(0xfa, &dim.to_string());
        }
    }
    hash.0
}

/// FNV-1a in 64 bits. Bytes that no UTF-8 text contains separate the fields.
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
    use crate::report::fixtures::{DECLARED_SHAPE, declared_shape, demo};
    use crate::source::Span;

    #[test]
    fn fnv_is_fnv() {
        let mut hash = Fnv::default();
        hash.field(b'f', "oobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
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
        others[3].body = vec!["loop".into(), "body".into()];
        others[4].body = vec!["loopbody".into()];
        others.push(Diagnostic::new(&DECLARED_SHAPE, Span::default(), ""));
        others.push(finding);
        let prints: std::collections::BTreeSet<_> = others.iter().map(fingerprint).collect();
        assert_eq!(prints.len(), 7);
    }
}
