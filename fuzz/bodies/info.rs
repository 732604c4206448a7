//! The facts about a model, as a page, as rows and as JSON. The input is the XML, a NUL, and the weights.

use ovlint::internal::query::info::info;
use ovlint::internal::report::views::info::{csv, json, markdown, table, text};
use std::path::Path;

/// One input.
pub fn run(data: &[u8]) {
    let (xml, weights) = super::parts(data);
    let model = super::model(xml, weights, &super::options());
    let found = info(&model);
    assert_eq!(found.is_some(), model.net().is_some(), "a model that was read has no page");
    let Some(info) = found else { return };
    let path = Path::new("fuzz.xml");
    let page = text(&info, path);
    let is_plain = |text: &str| text.chars().all(|c| c == '\n' || !c.is_control());
    assert!(is_plain(&page), "a terminal obeys {page:?}");
    let pages = [(path, info.clone()), (path, info)];
    for rows in [table(&pages, 80), csv(&pages), markdown(&pages)] {
        assert!(is_plain(&rows), "a terminal obeys {rows:?}");
    }
    assert_eq!(csv(&pages).lines().count(), 3);
    assert!(json(&pages, &[]).is_ok());
}
