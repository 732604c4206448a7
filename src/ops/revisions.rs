//! The opsets that hold the revisions of an operation, as OpenVINO 2026.4.1 registers them.

use super::{OpSpec, operations};

/// The newest known opset.
pub const NEWEST: u8 = 17;

/// The operations of opset17, which is incomplete so far.
const IN_17: [&str; 7] = ["BGRtoNV12", "Convert", "ErfInv", "GroupedMatMul", "Parameter", "RGBtoNV12", "ShapeOf"];

/// Whether an opset holds a revision of an operation, if there is one.
fn holds(opset: u8, name: &str) -> bool {
    match opset {
        1 => true,
        2 => !["Reverse", "RNNCell", "ShuffleChannels", "Xor"].contains(&name),
        17 => IN_17.contains(&name),
        _ => !["Reverse", "Xor"].contains(&name),
    }
}

impl OpSpec {
    /// The last opset that holds this revision.
    pub fn last(&self) -> u8 {
        let is_held = |opset: &u8| find(self.name, *opset).is_some_and(|held| held.opset == self.opset);
        (self.opset..=NEWEST).rev().find(is_held).unwrap_or(self.opset)
    }
}

/// The revision of operation `name` that an opset holds; the name is matched in any case.
pub fn find(name: &str, opset: u8) -> Option<&'static OpSpec> {
    let newest = operations().rev().find(|spec| spec.opset <= opset && spec.name.eq_ignore_ascii_case(name));
    newest.filter(|spec| holds(opset, spec.name))
}

/// The revisions of operation `name`, oldest first; the name is matched in any case.
pub fn revisions_of(name: &str) -> impl DoubleEndedIterator<Item = &'static OpSpec> {
    operations().filter(move |spec| spec.name.eq_ignore_ascii_case(name))
}

/// The revisions that a text names: `Split` all of them, `Split-1`, `opset1.Split` and `opset1::Split` the one in the opset.
pub fn named(text: &str) -> Vec<&'static OpSpec> {
    let labelled = text.strip_prefix("opset").and_then(|rest| rest.split_once("::").or_else(|| rest.split_once('.')));
    match labelled.map(|(opset, name)| (name, opset)).or_else(|| text.rsplit_once('-')) {
        None => revisions_of(text).collect(),
        Some((name, opset)) => {
            let opset = opset.parse().ok().filter(|opset| *opset <= NEWEST);
            opset.and_then(|opset| find(name, opset)).into_iter().collect()
        }
    }
}

/// The type that OpenVINO looks up for the type of a layer: it renames four.
pub(crate) fn renamed(ty: &str) -> &str {
    match ty {
        "Const" => "Constant",
        "PReLU" => "PRelu",
        "ReLU" => "Relu",
        "SoftMax" => "Softmax",
        ty => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_found_in_any_case() {
        let opsets = |name: &str| revisions_of(name).map(|spec| (spec.opset, spec.last())).collect::<Vec<_>>();
        assert_eq!(opsets("split"), [(1, 16)]);
        assert_eq!(opsets("GATHER"), [(1, 6), (7, 7), (8, 16)]);
        assert_eq!(opsets("Rectify"), []);
        assert_eq!([opsets("Xor"), opsets("ShapeOf")], [vec![(1, 1)], vec![(1, 2), (3, 17)]]);
        assert_eq!([2, 3].map(|opset| find("RNNCell", opset).map(|spec| spec.opset)), [None, Some(1)]);
    }

    #[test]
    fn a_text_names_all_revisions_or_one() {
        let opsets = |text| named(text).iter().map(|spec| spec.opset).collect::<Vec<_>>();
        assert_eq!(opsets("interpolate"), [1, 4, 11]);
        for text in ["Interpolate-4", "Interpolate-5", "opset4.Interpolate", "opset10::interpolate"] {
            assert_eq!(opsets(text), [4], "{text}");
        }
        for text in [
            "Interpolate-0",
            "Interpolate-18",
            "Interpolate-x",
            "opset17.Interpolate",
            "4.Interpolate",
            "split-lengths-sum",
            "",
        ] {
            assert!(named(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn older_revisions_come_first() {
        for spec in operations() {
            assert!(revisions_of(spec.name).is_sorted_by(|a, b| a.opset < b.opset), "{}", spec.name);
            assert!(revisions_of(spec.name).all(|other| other.name == spec.name), "{}", spec.name);
        }
    }
}
