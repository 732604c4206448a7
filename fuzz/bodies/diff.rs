//! What differs between two models, at every level and both ways round. The input is an XML, a NUL, and another XML.

use ovlint::internal::query::diff::{Diff, Level, diff};
use ovlint::internal::report::views::diff::{markdown, text};

/// One input.
pub fn run(data: &[u8]) {
    let (old, new) = super::parts(data);
    let [old, new] = [old, new].map(|xml| super::model(xml, &[], &super::options()));
    for level in [Level::Interface, Level::Shapes, Level::Graph, Level::Weights, Level::Bytes] {
        for model in [&old, &new] {
            let same = diff(model, model, level);
            assert_eq!(same.is_some(), model.net().is_some());
            assert!(same.as_ref().is_none_or(Diff::is_empty), "a model differs from itself: {same:?}");
        }
        let there = diff(&old, &new, level);
        let back = diff(&new, &old, level);
        let is_empty = |diff: &Option<Diff>| diff.as_ref().map(Diff::is_empty);
        assert_eq!(is_empty(&there), is_empty(&back), "{there:?} one way and {back:?} the other");
        let Some(diff) = there else { continue };
        let shown = text(&diff, 40);
        assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "a terminal obeys {shown:?}");
        markdown("fuzz.xml", &diff, "");
    }
}
