//! Weights files that were changed as a whole: the size, the bytes and the constants show what happened.

use crate::ir_builder::{Ir, encode};
use ovlint::internal::diagnostic::{Diagnostic, Group, Note, Severity};
use ovlint::internal::policy::catalogue::DEEP;
use ovlint::internal::{Model, Options, Weights};

/// The lengths of the matrices.
const SIDE: usize = 96;

/// Numbers around 0 of the size of weights, always the same.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 32).unwrap()) / f64::from(u32::MAX) - 0.5
    };
    (0..count).map(|_| 0.1 * (next() + next() + next())).collect()
}

/// Two products of matrices of `ty`, with constants that hold shapes and axes before, between and behind them.
fn model(ty: &str) -> (String, Vec<u8>) {
    let mut ir = Ir::default();
    let mut data = ir.parameter("f32", &format!("1,{SIDE}"));
    for seed in 1..4 {
        let matrix = ir.constant(ty, &[SIDE, SIDE], &numbers(SIDE * SIDE, seed));
        let matrix = ir.layer("Convert", "opset1", "<data destination_type=\"f32\"/>", &[matrix], 1);
        data = ir.layer("MatMul", "opset1", "<data transpose_a=\"false\" transpose_b=\"false\"/>", &[data, matrix], 1);
        let shape = ir.constant("i64", &[3], &[3.0, 4.0, 8.0]);
        let cut = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, shape], 1);
        let order = ir.constant("i64", &[3], &[1.0, 0.0, 2.0]);
        let moved = ir.layer("Transpose", "opset1", "", &[cut, order], 1);
        let shape = ir.constant("i64", &[2], &[1.0, 96.0]);
        data = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[moved, shape], 1);
    }
    ir.result(data);
    let (xml, weights) = ir.finish();
    (String::from_utf8(xml).unwrap(), weights)
}

/// The rules, severities, messages and notes of what is found, a line each.
fn found(xml: &str, weights: &[u8], is_deep: bool) -> String {
    let mut options = Options::default();
    if is_deep {
        options.enabled.extend(DEEP);
    }
    let model = Model::from_bytes("m.xml", xml.into(), Weights::in_memory(weights.to_vec()), &options).unwrap();
    let mut lines = Vec::new();
    let is_shown = |finding: &&Diagnostic| finding.rule.group == Group::Weights && finding.consequence_of.is_none();
    for finding in model.findings().iter().filter(is_shown) {
        let letter = if finding.severity == Severity::Error { 'E' } else { 'W' };
        lines.push(format!("{letter} {}: {}", finding.rule.name, finding.message.shown()));
        for note in &finding.notes {
            if let Note::Text(text) = note {
                lines.push(format!("  {}", text.shown()));
            }
        }
    }
    lines.join("\n")
}

/// The weights as other numbers, matrix by matrix, or all of them with everything between.
fn converted(weights: &[u8], from: &str, to: &str) -> Vec<u8> {
    let number = |bytes: &[u8]| match from {
        "f32" => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        _ => f64::from(half::f16::from_le_bytes(bytes.try_into().unwrap())),
    };
    let (width, matrix) = (if from == "f32" { 4 } else { 2 }, SIDE * SIDE * if from == "f32" { 4 } else { 2 });
    let of_matrix = |bytes: &[u8]| bytes.chunks(width).flat_map(|one| encode(to, number(one))).collect::<Vec<u8>>();
    let rest = weights.len() / 3 - matrix;
    weights
        .chunks(matrix + rest)
        .flat_map(|part| [of_matrix(&part[..matrix]), part[matrix..].to_vec()].concat())
        .collect()
}

/// The weights after `from` was replaced by `to`.
fn replaced(weights: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let (mut all, mut rest) = (Vec::new(), weights);
    while let Some(at) = rest.windows(from.len()).position(|bytes| bytes == from) {
        all.extend_from_slice(&rest[..at]);
        all.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    [&all, rest].concat()
}

#[track_caller]
fn assert_found(xml: &str, weights: &[u8], wanted: &str) {
    let found = found(xml, weights, false);
    assert!(found.contains(wanted), "wanted {wanted}, found {found}");
}

#[test]
fn right_weights_are_left_alone() {
    for ty in ["f32", "f16"] {
        let (xml, mut weights) = model(ty);
        assert_eq!([found(&xml, &weights, false), found(&xml, &weights, true)], [""; 2]);
        weights.resize(weights.len() + 63, 0);
        assert_eq!([found(&xml, &weights, false), found(&xml, &weights, true)], [""; 2], "padded");
    }
}

#[test]
fn zeros_at_the_end_begin_inside_a_constant() {
    let (xml, weights) = model("f32");
    for share in [4, 2] {
        let mut weights = weights.clone();
        let start = weights.len() / share;
        weights[start..].fill(0);
        let start = weights.iter().rposition(|byte| *byte != 0).unwrap() + 1;
        let wanted = format!(
            "E weights-truncated: the weights file ends in {} bytes of 0, which begin inside Const `Const_{}`",
            weights.len() - start,
            if share == 4 { 1 } else { 10 }
        );
        assert_eq!([found(&xml, &weights, false), found(&xml, &weights, true)], [wanted.as_str(); 2]);
    }
}

#[test]
fn zeros_that_may_be_meant_are_left_alone() {
    let matrices = |shapes: &[&[usize]]| {
        let (mut ir, mut data) = (Ir::default(), Vec::new());
        for (seed, shape) in (1..).zip(shapes) {
            let constant = ir.constant("f32", shape, &numbers(shape.iter().product(), seed));
            data.push(ir.layer("ReLU", "opset1", "", &[constant], 1));
        }
        for data in data {
            ir.result(data);
        }
        let (xml, weights) = ir.finish();
        (String::from_utf8(xml).unwrap(), weights)
    };
    let zeros_from = |shapes: &[&[usize]], start: usize| {
        let (xml, mut weights) = matrices(shapes);
        weights[start..].fill(0);
        [found(&xml, &weights, false), found(&xml, &weights, true)]
    };
    let (matrix, bias): (&[usize], &[usize]) = (&[SIDE, SIDE], &[SIDE]);
    let size = 4 * SIDE * SIDE;
    // No shape depends on these weights.
    let named = |zeros: usize| {
        [0; 2].map(|_| {
            format!(
                "W weights-truncated: the weights file ends in {zeros} bytes of 0, which begin inside Const `Const_0`"
            )
        })
    };
    assert_eq!(zeros_from(&[matrix, matrix, matrix], size / 2), named(3 * size - size / 2));
    assert_eq!(zeros_from(&[matrix], size / 2), named(size / 2), "half of a matrix");
    assert_eq!(zeros_from(&[matrix], size - 12 * 384), [""; 2], "whole rows");
    let start = size - 12 * 384 - 256;
    assert_eq!(zeros_from(&[matrix], start), named(size - start), "a part of a row");
    assert_eq!(zeros_from(&[matrix], size - 256), [""; 2], "fewer than a page");
    let (xml, mut weights) = matrices(&[matrix]);
    weights[start..].fill(0);
    weights.chunks_exact_mut(16).for_each(|four| four[..12].fill(0));
    assert_eq!([found(&xml, &weights, false), found(&xml, &weights, true)], [""; 2], "pruned");
    assert_eq!(zeros_from(&[matrix, matrix, matrix], size), [""; 2], "whole constants");
    assert_eq!(zeros_from(&[matrix, bias], size - 256), [""; 2], "a padded vocabulary and its bias");
    assert_eq!(zeros_from(&[matrix, matrix], size - 8), [""; 2], "two numbers");
}

#[test]
fn other_types_are_named_by_size_and_numbers() {
    let [(f32_xml, f32_bytes), (f16_xml, f16_bytes)] = ["f32", "f16"].map(model);
    let (half, twice) = (converted(&f32_bytes, "f32", "f16"), converted(&f16_bytes, "f16", "f32"));
    let wanted = "this is exactly what f16 in the place of f32 takes, so these may be f16 weights for an f32 model";
    assert_found(&f32_xml, &half, wanted);
    let wanted = "this is exactly what f32 in the place of f16 takes, so these may be f32 weights for an f16 model";
    assert_found(&f16_xml, &twice, wanted);
    let all = |ty: &str| {
        let mut ir = Ir::default();
        let constant = ir.constant(ty, &[SIDE, SIDE], &numbers(SIDE * SIDE, 1));
        ir.result(constant);
        let (xml, weights) = ir.finish();
        (String::from_utf8(xml).unwrap(), weights)
    };
    let [(f32_xml, f32_bytes), (f16_xml, f16_bytes)] = ["f32", "f16"].map(all);
    let (need, half) = (f32_bytes.len(), f16_bytes.len());
    let found_in = |xml: &str, weights: &[u8]| found(xml, weights, false);
    assert_eq!(
        found_in(&f32_xml, &f16_bytes),
        format!(
            "E weights-truncated: the weights file has {half} bytes, but the model needs {need}: this is exactly half of that, so \
             these may be f16 weights for an f32 model\n  1 constant extends past the end of the file; was this .bin exported \
             with this .xml?"
        )
    );
    assert_eq!(
        found_in(&f16_xml, &f32_bytes),
        format!(
            "E weights-trailing-bytes: the weights file has {need} bytes, the model needs {half}: this is exactly twice that, \
             so these may be f32 weights for an f16 model"
        )
    );
    // A file that was cut in the middle holds f32, and one that was written twice holds f16.
    let cut = found_in(&f32_xml, &f32_bytes[..half]);
    assert!(cut.starts_with("E weights-out-of-range: "), "{cut}");
    let twice = found_in(&f16_xml, &[&f16_bytes[..], &f16_bytes].concat());
    let wanted = "of the weights file, twice what the model needs";
    assert_eq!(
        twice,
        format!("W weights-trailing-bytes: no constant uses the last {half} of the {need} bytes {wanted}")
    );
}

#[test]
fn weights_of_which_a_few_numbers_keep_their_type_are_named_as_well() {
    let [(f32_xml, f32_bytes), (f16_xml, f16_bytes)] = ["f32", "f16"].map(model);
    let (half, twice) = (converted(&f32_bytes, "f32", "f16"), converted(&f16_bytes, "f16", "f32"));
    let kept = [&half[..], &[0; 80]].concat();
    let wanted = "this is about what f16 in the place of f32 takes, so these may be f16 weights for an f32 model";
    assert_found(&f32_xml, &kept, wanted);
    let wanted = "this is about what f32 in the place of f16 takes, so these may be f32 weights for an f16 model";
    assert_found(&f16_xml, &twice[..twice.len() - 80], wanted);
    // The size alone shows nothing.
    let cut = found(&f32_xml, &f32_bytes[..kept.len()], false);
    assert!(!cut.contains("may be"), "{cut}");
    let more = found(&f16_xml, &[&f16_bytes[..], &f16_bytes].concat(), false);
    assert!(!more.contains("may be"), "{more}");
}

#[test]
fn bytes_that_are_lost_between_others_are_named() {
    let (xml, weights) = model("f32");
    let part = weights.len() / 3;
    let without = |places: &[(usize, usize)]| {
        let is_kept = |at: &usize| !places.iter().any(|(start, count)| (*start..start + count).contains(at));
        (0..weights.len()).filter(is_kept).map(|at| weights[at]).collect::<Vec<u8>>()
    };
    let wanted = "read 20 bytes before their offsets, all of them that are still in the file make sense: were bytes lost at the start of the file?";
    assert_found(&xml, &without(&[(part + 1000, 20)]), wanted);
    let wanted = "read up to 3 bytes before their offsets, all of them make sense: were bytes lost in several places, as when a \
                  file is converted as text?";
    assert_found(&xml, &without(&[(1000, 1), (part + 1000, 1), (2 * part + 1000, 1)]), wanted);
    let (xml, weights) = matrix();
    let wanted = "the file is 3 bytes too short for the model: is its end missing, or were bytes lost before it?";
    assert_found(&xml, &weights[..weights.len() - 3], wanted);
}

#[test]
fn files_of_zeros_are_named() {
    let (xml, weights) = model("f32");
    let wanted = format!("E weights-truncated: the weights file has {} bytes of 0 and no others", weights.len());
    assert_eq!(found(&xml, &vec![0; weights.len()], false), wanted);
    // Nothing else is wrong, so they may be meant.
    let (xml, weights) = matrix();
    let zeros = vec![0; weights.len()];
    let wanted = format!("W weights-truncated: the weights file has {} bytes of 0 and no others", zeros.len());
    assert_eq!([found(&xml, &zeros, false), found(&xml, &zeros, true)], [String::new(), wanted]);
}

/// A single matrix.
fn matrix() -> (String, Vec<u8>) {
    let mut ir = Ir::default();
    let constant = ir.constant("f32", &[SIDE, SIDE], &numbers(SIDE * SIDE, 1));
    ir.result(constant);
    let (xml, weights) = ir.finish();
    (String::from_utf8(xml).unwrap(), weights)
}

#[test]
fn carriage_returns_that_are_lost_are_named() {
    let mut ir = Ir::default();
    let constant = ir.constant("f32", &[800, 800], &numbers(800 * 800, 1));
    ir.result(constant);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let unix = replaced(&weights, b"\r\n", b"\n");
    let lost = weights.len() - unix.len();
    assert!(lost >= 10, "{lost}");
    assert_found(
        &xml,
        &unix,
        &format!("it lacks {lost} bytes, about one for each CR LF that chance puts into such a file"),
    );
    let cut = found(&xml, &weights[..unix.len()], false);
    assert!(!cut.contains("CR LF"), "{cut}");
}

#[test]
fn bytes_that_were_rewritten_as_text_are_named() {
    let (xml, weights) = model("f32");
    let base64 = weights
        .iter()
        .map(|byte| b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[usize::from(byte % 64)]);
    let base64: Vec<u8> = base64.chain(weights.iter().map(|_| b'A')).collect();
    let latin: String = weights.iter().map(|byte| char::from(*byte)).collect();
    let utf8 = String::from_utf8_lossy(&weights).into_owned();
    for (bytes, kind) in [
        (base64, "Base64 text"),
        (utf8.into_bytes(), "bytes that were read as text and written as UTF-8"),
        (latin.into_bytes(), "bytes that were read as text and written as UTF-8"),
    ] {
        let found = found(&xml, &bytes, false);
        let wanted = format!("E weights-not-raw: the weights file looks like {kind}, not weights\n");
        assert!(found.starts_with(&wanted), "{found}");
    }
}

#[test]
fn headers_and_reversed_bytes_are_named() {
    let (xml, weights) = model("f32");
    for length in [16, 64, 128] {
        let bytes = [vec![7; length], weights.clone()].concat();
        let wanted = format!(
            "read {length} bytes after their offsets, all of them make sense: were bytes added at the start of the file, such as a header?"
        );
        assert_found(&xml, &bytes, &wanted);
    }
    assert_found(
        &xml,
        &weights[1..],
        "read 1 byte before their offsets, all of them that are still in the file make sense: were bytes lost at the start of the file?",
    );
    let (part, matrix) = (weights.len() / 3, SIDE * SIDE * 4);
    let reversed =
        |bytes: &[u8], width: usize| bytes.chunks(width).flat_map(|one| one.iter().rev().copied()).collect::<Vec<u8>>();
    let all: Vec<u8> = weights
        .chunks(part)
        .flat_map(|part| [reversed(&part[..matrix], 4), reversed(&part[matrix..], 8)].concat())
        .collect();
    assert_found(&xml, &all, "with the bytes of each number reversed all of them make sense: is the file big-endian?");
    for width in [2, 4] {
        let wanted = format!(
            "with every {width} bytes reversed all of them make sense: was the byte order of the file changed?"
        );
        assert_found(&xml, &reversed(&weights, width), &wanted);
    }
}

#[test]
fn one_number_with_reversed_bytes_is_enough_if_no_other_speaks_against_it() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "1,8,4,4");
    let axes = ir.constant("i64", &[2], &[2.0, 3.0]);
    let data = ir.layer("ReduceMean", "opset1", "<data keep_dims=\"false\"/>", &[data, axes], 1);
    let shape = ir.constant("i64", &[2], &[-1.0, 256.0]);
    let data = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, shape], 1);
    ir.result(data);
    let (xml, weights) = ir.finish();
    let xml = String::from_utf8(xml).unwrap();
    let reversed = |bytes: &[u8], width: usize| bytes.chunks(width).flat_map(|one| one.iter().rev().copied()).collect();
    let of_axes = |weights: Vec<u8>| {
        let weights = Weights::in_memory(weights);
        let model = Model::from_bytes("m.xml", xml.clone().into(), weights, &Options::default()).unwrap();
        let finding = model.findings().iter().find(|finding| finding.rule.name == "axis-range").unwrap();
        let text = |note: &Note| if let Note::Text(text) = note { Some(text.shown().to_owned()) } else { None };
        finding.notes.iter().filter_map(text).collect::<Vec<String>>().join("\n")
    };
    let all: Vec<u8> = reversed(&weights, 4);
    let note = "with every 4 bytes reversed this constant makes sense: was the byte order of the file changed?";
    assert!(of_axes(all.clone()).contains(note), "{}", of_axes(all));
    let part: Vec<u8> = reversed(&weights[..16], 4);
    let part = [part.as_slice(), &[1; 8], &weights[24..]].concat();
    assert!(!of_axes(part.clone()).contains("reversed"), "{}", of_axes(part));
}
