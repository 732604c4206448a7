//! What `reshape` promises, for drawn shapes of all samples, in several spellings of the file.

use crate::draws::draws;
use crate::program::root;
use ovlint::internal::edit::{Edited, reshape};
use ovlint::internal::ir::Role;
use ovlint::internal::query::Sizes;
use ovlint::internal::{InputShapes, Model, Options, Weights};
use std::fs;

/// The spellings of a file in which the same has to change.
const SPELLINGS: [fn(String) -> String; 4] = [
    |text| text,
    |text| text.replace("\r\n", "\n").replace('\n', "\r\n"),
    |text| format!("\u{feff}{text}<!-- <dim>1</dim> -->"),
    |text| text.replace("<dim>", "<dim> ").replace("</dim>", "<!-- x --></dim>").replace("<data ", "<data\n\t"),
];

fn shapes(model: &Model, next: &mut impl FnMut(usize) -> usize) -> Option<InputShapes> {
    let (graph, facts) = (&model.net()?.graph, model.facts()?);
    let mut texts = Vec::new();
    let size = ["1", "2", "3", "4", "8", "16", "32", "?", "1..4"][next(9)];
    for (index, layer) in graph.entries().filter(|(_, layer)| graph.kind(layer).role == Role::Parameter) {
        let shape = &facts.outputs(index).first()?.shape;
        let dims = shape.dims()?.iter().map(|dim| match dim.length() {
            Some(length) if next(5) > 0 => length.to_string(),
            _ => size.to_owned(),
        });
        texts.push(format!("{}[{}]", graph.full_name(model.source(), layer), dims.collect::<Vec<_>>().join(",")));
    }
    texts.join(",").parse().ok()
}

/// Every edit replaces the text of a dimension, or a shape, by another one.
fn assert_named(before: &Model, edited: &Edited) {
    let bytes = before.source().bytes();
    let (mut text, mut at) = (Vec::new(), 0);
    for edit in &edited.edits {
        let range = edit.span.range();
        let old = String::from_utf8_lossy(&bytes[range.clone()]).into_owned();
        let is_plain = |text: &str| text.chars().all(|c| c.is_ascii_digit() || " ?.,-".contains(c));
        assert!(is_plain(&old) && is_plain(&edit.text), "{old} -> {}", edit.text);
        text.extend_from_slice(&bytes[at..range.start]);
        text.extend_from_slice(edit.text.as_bytes());
        at = range.end;
    }
    text.extend_from_slice(&bytes[at..]);
    assert!(text == edited.model.source().bytes());
}

#[test]
fn only_shapes_change_in_every_spelling() {
    let mut state = 1_u64;
    let mut next = move |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % count
    };
    let (mut written, mut refused) = (0, 0);
    let paths = fs::read_dir(root().join("models")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "xml")).collect();
    paths.sort();
    for path in paths {
        let (xml, bin) = (fs::read_to_string(&path).unwrap(), fs::read(path.with_extension("bin")).unwrap_or_default());
        for _ in 0..draws(6) {
            let mut results = Vec::new();
            let mut asked = None;
            for spell in SPELLINGS {
                let (xml, weights) = (spell(xml.clone()).into_bytes(), Weights::in_memory(bin.clone()));
                let model = Model::from_bytes("m.xml", xml, weights, &Options::default()).unwrap();
                let shapes = asked.get_or_insert_with(|| shapes(&model, &mut next)).clone();
                let Some(shapes) = shapes else { continue };
                let edited = reshape(&model, &shapes, &Sizes::default());
                if let Ok(edited) = &edited {
                    assert_named(&model, edited);
                }
                results.push(
                    edited
                        .map(|edited| edited.changes)
                        .map_err(|refusal| format!("{refusal:?}").split('(').next().unwrap().to_owned()),
                );
            }
            assert!(
                results.windows(2).all(|pair| pair[0].as_ref().map(Vec::len) == pair[1].as_ref().map(Vec::len)),
                "{} {asked:?}",
                path.display()
            );
            assert!(
                !results.iter().any(|result| matches!(result, Err(error) if error == "Unproved")),
                "{} {asked:?}",
                path.display()
            );
            written += usize::from(results.first().is_some_and(Result::is_ok));
            refused += usize::from(results.first().is_some_and(Result::is_err));
        }
    }
    assert!(written > 20 && refused > 5, "{written} {refused}");
}
