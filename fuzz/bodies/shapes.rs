//! `shapes --shape`: a model whose inputs have other shapes. The input is the argument, a NUL, and the XML.

use ovlint::internal::report::views::shapes::{TableOptions, csv, json, markdown, table};
use ovlint::internal::{Cause, InputShapes, Model, Options, Weights};
use std::path::Path;

/// One input.
pub fn run(data: &[u8]) {
    let (argument, xml) = super::parts(data);
    let Ok(argument) = std::str::from_utf8(argument) else { return };
    let shapes: InputShapes = match argument.parse() {
        Ok(shapes) => shapes,
        Err(_) => return,
    };
    assert_eq!(shapes.to_string().parse().as_ref(), Ok(&shapes), "{shapes} is read as another list of shapes");
    let options = Options { shapes, ..super::options() };
    let model = match Model::from_bytes("fuzz.xml", xml.to_vec(), Weights::default(), &options) {
        Ok(model) => model,
        Err(error) => return assert!(matches!(error.cause, Cause::Shapes(_)), "{error}"),
    };
    let shown = TableOptions { consts: true, ..TableOptions::default() };
    for text in [table(&model, &shown), csv(&model, &shown), markdown(&model, &shown)] {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "a terminal obeys {text:?}");
    }
    assert!(json(&model, Path::new("fuzz.xml")).is_ok());
}
