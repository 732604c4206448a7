//! Rewrites that change nothing of a model change nothing of what is said of it.
//!
//! Names, ids and places come back as they were rewritten; the rest of every finding must be the same.

use crate::draws::draws;
use ovlint::internal::diagnostic::{Diagnostic, Label, body_text, fingerprint};
use ovlint::internal::report::words;
use ovlint::internal::{Model, Options, Weights};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The samples that are IR files with layers, and those in the folder that `OVLINT_MODELS` names.
fn samples() -> Vec<(PathBuf, String, Vec<u8>)> {
    let mut folders = vec![PathBuf::from("ir-samples")];
    folders.extend(env::var_os("OVLINT_MODELS").map(PathBuf::from));
    let mut samples = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml")
                && let Ok(text) = fs::read_to_string(&path)
                && text.contains("<layer ")
            {
                let weights = fs::read(path.with_extension("bin")).unwrap_or_default();
                samples.push((path, text, weights));
            }
        }
    }
    samples.sort();
    samples
}

/// Everything that is said of a finding, but for its place.
fn said(finding: &Diagnostic) -> String {
    let label = |label: &Label| format!("{} [{}]", label.message.shown(), label.layer.as_deref().unwrap_or(""));
    let mut lines = vec![
        format!("{} {:?} {:?}: {}", finding.rule.name, finding.severity, finding.runtime, finding.message.shown()),
        format!("{:?}", finding.layer.as_ref().map(|layer| (&layer.id, &layer.name, &layer.ty))),
        format!("{:?} {:?} {:?}", finding.port, finding.declared, finding.inferred),
        format!("in `{}`, {} follow", body_text(&finding.body), finding.consequences),
        label(&finding.primary),
    ];
    lines.extend(finding.labels.iter().map(label));
    lines.extend(words::notes(finding).map(std::borrow::Cow::into_owned));
    lines.extend(words::help(finding).map(std::borrow::Cow::into_owned));
    lines.extend(finding.chain.iter().cloned());
    if let Some(fix) = &finding.fix {
        lines.push(format!("{:?} {}", fix.applicability, fix.message.shown()));
        lines.extend(fix.edits.iter().map(|edit| edit.text.clone()));
    }
    lines.join("\n")
}

/// What is said of a model.
fn findings(path: &Path, text: &str, weights: &[u8]) -> Vec<String> {
    let weights = Weights::in_memory(weights.to_vec());
    match Model::from_bytes(path, text.as_bytes().to_vec(), weights, &Options::default()) {
        Ok(model) => model.findings().iter().map(said).collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// The names of layers, with their types.
fn names(text: &str) -> Vec<(Range<usize>, String)> {
    let tags = text.match_indices("<layer ").filter_map(|(at, _)| Some(at..at + text[at..].find('>')?));
    let value = |tag: &Range<usize>, key: &str| {
        let start = tag.start + text[tag.clone()].find(key)? + key.len();
        Some(start..start + text[start..].find('"')?)
    };
    tags.filter_map(|tag| Some((value(&tag, " name=\"")?, text[value(&tag, " type=\"")?].to_owned()))).collect()
}

/// A name of so many bytes that no text holds.
fn unique(length: usize, text: &str) -> Option<String> {
    let letters = ["Zq", "Yx", "Qz", "Xj"];
    letters
        .iter()
        .map(|letters| letters.repeat(length).chars().take(length).collect())
        .find(|name: &String| !text.contains(name.as_str()))
}

#[test]
fn names_of_layers_change_nothing_but_names() {
    // One layer gets some of seven names, the next one gets the others.
    let each = draws(2).min(7);
    let (mut tries, mut wrong) = (0, Vec::new());
    for (path, text, weights) in samples() {
        let all = names(&text);
        let known: BTreeSet<&str> = all.iter().map(|(name, _)| &text[name.clone()]).collect();
        for (at, (place, ty)) in all.iter().enumerate() {
            let own = &text[place.clone()];
            let other = all.get((at + 1) % all.len()).map_or("", |(name, _)| &text[name.clone()]);
            let renamed = [
                format!("OpenVINO {own}"),
                format!("meant to be {own}"),
                format!("{own}[?]"),
                format!("{own} is read by OpenVINO as 3"),
                format!("{own}: did you mean"),
                format!("would fit {other} {own}"),
                format!("{ty} right?"),
            ];
            let drawn = renamed.iter().cycle().skip(at * each).take(each);
            for name in drawn.filter(|name| !known.contains(name.as_str())) {
                let with = |name: &str| {
                    let text = format!("{}{name}{}", &text[..place.start], &text[place.end..]);
                    // Means and scales belong to a layer of this name.
                    text.replace(&format!("layer-name=\"{own}\""), &format!("layer-name=\"{name}\""))
                };
                let Some(plain) = unique(name.len(), &text) else { continue };
                let expected: Vec<String> =
                    findings(&path, &with(&plain), &weights).iter().map(|said| said.replace(&plain, name)).collect();
                tries += 1;
                if findings(&path, &with(name), &weights) != expected {
                    wrong.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(tries * 7 > 5_000 * each, "{tries}");
    assert!(wrong.is_empty(), "{} of {tries}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// The samples that are well-formed, with what is said of them.
fn well_formed() -> impl Iterator<Item = (PathBuf, String, Vec<u8>, Vec<String>)> {
    let is_read = |(path, text, weights): &(PathBuf, String, Vec<u8>)| {
        let weights = Weights::in_memory(weights.clone());
        let model = Model::from_bytes(path, text.as_bytes().to_vec(), weights, &Options::default());
        model.is_ok_and(|model| model.net().is_some())
    };
    samples().into_iter().filter(is_read).map(|(path, text, weights)| {
        let said = findings(&path, &text, &weights);
        (path, text, weights, said)
    })
}

/// Rewrites all samples, and compares what is said of them.
fn assert_unchanged(rewrite: impl Fn(&str) -> String, shown: impl Fn(Vec<String>) -> Vec<String>) {
    assert_unchanged_with_weights(200, |text, weights| (rewrite(text), weights.to_vec()), shown);
}

/// Rewrites more than `least` samples and their weights, and compares what is said of them.
fn assert_unchanged_with_weights(
    least: usize,
    rewrite: impl Fn(&str, &[u8]) -> (String, Vec<u8>),
    shown: impl Fn(Vec<String>) -> Vec<String>,
) {
    let (mut rewritten, mut wrong) = (0, Vec::new());
    for (path, text, weights, said) in well_formed() {
        let (other, moved) = rewrite(&text, &weights);
        rewritten += usize::from(other != text);
        let (found, wanted) = (shown(findings(&path, &other, &moved)), shown(said));
        if found != wanted {
            let differ = found.iter().zip(&wanted).find(|(found, wanted)| found != wanted);
            wrong.push(format!("{}: {differ:#?}", path.display()));
        }
    }
    assert!(rewritten > least, "{rewritten}");
    assert!(wrong.is_empty(), "{} of {rewritten}: {}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

fn as_it_is(said: Vec<String>) -> Vec<String> {
    said
}

#[test]
fn quotes_change_nothing() {
    assert_unchanged(|text| if text.contains('\'') { text.to_owned() } else { text.replace('"', "'") }, as_it_is);
}

#[test]
fn line_breaks_change_nothing() {
    let back = |said: Vec<String>| said.into_iter().map(|said| said.replace("\r\n", "\n")).collect();
    assert_unchanged(|text| text.replace('\n', "\r\n"), back);
}

#[test]
fn blanks_in_tags_change_nothing() {
    assert_unchanged(|text| text.replace("=\"", " = \""), as_it_is);
}

#[test]
fn comments_change_nothing() {
    assert_unchanged(|text| text.replace("/>\n", "/><!-- a <layer/> -->\n"), as_it_is);
}

#[test]
fn tags_that_close_themselves_change_nothing() {
    let rewrite = |text: &str| {
        let (mut out, mut rest) = (String::new(), text);
        while let Some(end) = rest.find("/>") {
            let start = rest[..end].rfind('<').unwrap_or_default();
            let name = rest[start + 1..].split([' ', '/', '>', '\n']).next().unwrap_or_default();
            out.extend([&rest[..end], "></", name, ">"]);
            rest = &rest[end + 2..];
        }
        out + rest
    };
    assert_unchanged(rewrite, as_it_is);
}

/// Added to the ids of layers.
const MORE: u64 = 770_000;

#[test]
fn ids_of_layers_change_nothing_but_ids() {
    let rewrite = |text: &str| {
        let keys = ["<layer id=\"", " from-layer=\"", " to-layer=\"", " internal_layer_id=\""];
        let (mut out, mut at) = (String::new(), 0);
        if text.matches("<layer ").count() != text.matches(keys[0]).count() {
            return text.to_owned(); // Some ids stand elsewhere.
        }
        while at < text.len() {
            if let Some(key) = keys.iter().find(|key| text[at..].starts_with(**key)) {
                let value = text[at + key.len()..].split('"').next().unwrap_or_default();
                let id = value.parse::<u64>().ok().filter(|id| *id < 9_999 && id.to_string() == value);
                out += key;
                out += &id.map_or(value.to_owned(), |id| (id + MORE).to_string());
                at += key.len() + value.len();
            } else {
                let next = text[at..].chars().next().unwrap();
                out.push(next);
                at += next.len_utf8();
            }
        }
        out
    };
    let back = |said: Vec<String>| {
        let one = |said: String| {
            let (mut out, mut rest) = (String::new(), said.as_str());
            while let Some(at) = rest.find("77") {
                let id = rest.get(at + 2..at + 6).and_then(|id| id.parse::<u64>().ok());
                out += &rest[..at];
                out += &id.map_or("77".to_owned(), |id| id.to_string());
                rest = &rest[at + if id.is_some() { 6 } else { 2 }..];
            }
            out + rest
        };
        said.into_iter().map(one).collect()
    };
    assert_unchanged(rewrite, back);
}

/// Rules about edges of which the first is shown, or the last is taken.
const ORDERED: [&str; 3] = ["cycle", "edge-unknown-layer", "input-connected-twice"];

#[test]
fn the_order_of_edges_changes_nothing() {
    let rewrite = |text: &str| {
        let Some((before, rest)) = text.rsplit_once("<edges>") else { return text.to_owned() };
        let Some((edges, after)) = rest.split_once("</edges>") else { return text.to_owned() };
        let mut lines: Vec<&str> = edges.lines().collect();
        lines.reverse();
        format!("{before}<edges>{}</edges>{after}", lines.join("\n"))
    };
    assert_unchanged(rewrite, |said| sorted(said, &ORDERED));
}

/// Findings in an order of their own; none if one of them is of these rules.
fn sorted(mut said: Vec<String>, but: &[&str]) -> Vec<String> {
    if said.iter().any(|said| but.iter().any(|rule| said.starts_with(rule))) {
        said.clear();
    }
    said.sort();
    said
}

/// The places of the layers of the net.
fn layers(text: &str) -> Vec<Range<usize>> {
    let (mut depth, mut start, mut all) = (0_usize, 0, Vec::new());
    for (at, _) in text.match_indices('<') {
        let tag = at..text[at..].find('>').map_or(text.len(), |end| at + end + 1);
        if text[tag.clone()].starts_with("<layer ") {
            start = if depth == 0 { at } else { start };
            depth += usize::from(!text[tag.clone()].ends_with("/>"));
        } else if text[tag.clone()].starts_with("</layer>") {
            depth = depth.saturating_sub(1);
        } else {
            continue;
        }
        if depth == 0 {
            all.push(start..tag.end);
        }
    }
    all
}

/// Rules about layers of which the first is shown, or counts.
const FIRST_LAYERS: [&str; 7] = [
    "cycle",
    "duplicate-layer-id",
    "duplicate-tensor-name",
    "extension-required",
    "legacy-ir-version",
    "suspicious-shape-constant",
    "weights-truncated",
];

/// Writes the layers of the net in another order.
fn reordered(text: &str, order: impl Fn(&mut Vec<&str>)) -> String {
    let places = layers(text);
    let mut all: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
    order(&mut all);
    let (mut out, mut at) = (String::new(), 0);
    for (place, layer) in places.iter().zip(all) {
        out.extend([&text[at..place.start], layer]);
        at = place.end;
    }
    out + &text[at..]
}

#[test]
fn the_order_of_layers_changes_nothing() {
    assert_unchanged(|text| reordered(text, |all| all.reverse()), |said| sorted(said, &FIRST_LAYERS));
}

/// Reverses layers, but for inputs and outputs: their order is part of the interface.
fn reverse_inner(all: &mut Vec<&str>) {
    all.reverse();
    for ty in [" type=\"Parameter\"", " type=\"Result\""] {
        let is_end = |layer: &&str| layer.split('>').next().unwrap().contains(ty);
        let mut ends: Vec<&str> = all.iter().copied().filter(is_end).collect();
        for layer in all.iter_mut().filter(|layer| is_end(layer)) {
            *layer = ends.pop().unwrap();
        }
    }
}

/// The places of the integers that constants hold, in the weights.
fn integers(text: &str) -> BTreeSet<usize> {
    let constants = text.match_indices("<data element_type=\"i64\"");
    let offset = |(at, _): (usize, &str)| {
        let tag = text[at..].split('>').next()?;
        tag.split(" offset=\"").nth(1)?.split('"').next()?.parse().ok()
    };
    constants.filter_map(offset).collect()
}

/// The fingerprints of the findings that follow from no other.
fn roots(path: &Path, text: &str, weights: &[u8]) -> Vec<String> {
    let weights = Weights::in_memory(weights.to_vec());
    let model = Model::from_bytes(path, text.as_bytes().to_vec(), weights, &Options::default()).unwrap();
    let roots = model.findings().iter().filter(|finding| finding.consequence_of.is_none());
    let mut prints: Vec<String> = roots.map(fingerprint).collect();
    prints.sort();
    prints
}

#[test]
fn the_order_of_layers_changes_no_root_of_what_wrong_integers_cause() {
    let (mut faulty, mut wrong) = (0, Vec::new());
    for (path, text, weights, _) in well_formed().filter(|(.., said)| said.is_empty()) {
        let other = reordered(&text, reverse_inner);
        for offset in integers(&text) {
            let mut weights = weights.clone();
            let Some(byte) = weights.get_mut(offset) else { continue };
            *byte ^= 3;
            let (found, wanted) = (roots(&path, &other, &weights), roots(&path, &text, &weights));
            faulty += usize::from(!wanted.is_empty());
            if found != wanted {
                wrong.push(format!("{}: bytes at {offset}: {wanted:?} {found:?}", path.display()));
            }
        }
    }
    assert!(faulty > 100, "{faulty}");
    assert!(wrong.is_empty(), "{} of {faulty}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn the_order_of_layers_changes_no_root() {
    let wrong = well_formed().filter(|(path, text, weights, said)| {
        // Of layers that share an id, OpenVINO keeps the last.
        !said.iter().any(|said| said.starts_with("duplicate-layer-id"))
            && roots(path, &reordered(text, reverse_inner), weights) != roots(path, text, weights)
    });
    assert_eq!(wrong.map(|(path, ..)| path).collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

/// Layers that nothing else is connected with.
const APART: &str = r#"<layer id="880001" name="apart" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/>
<output><port id="0" precision="FP32" names="apart"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="880002" name="apart_relu" type="ReLU" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input>
<output><port id="1" precision="FP32" names="apart_relu"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="880003" name="apart_result" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input></layer>
"#;
const EDGES_APART: &str = r#"<edge from-layer="880001" from-port="0" to-layer="880002" to-port="0"/>
<edge from-layer="880002" from-port="1" to-layer="880003" to-port="0"/>
"#;

#[test]
fn layers_apart_change_nothing() {
    let rewrite = |text: &str| {
        // A model without a Result would have one.
        let whole = Some(text).filter(|text| text.contains("type=\"Result\""));
        let Some((layers, rest)) = whole.and_then(|text| text.rsplit_once("</layers>")) else { return text.to_owned() };
        let Some((edges, rest)) = rest.rsplit_once("</edges>") else { return text.to_owned() };
        format!("{layers}{APART}</layers>{edges}{EDGES_APART}</edges>{rest}")
    };
    // They list the inputs of the model, and count its outputs.
    assert_unchanged(rewrite, |said| sorted(said, &["bad-pre-process", "model-info"]));
}

/// Rules that show places in the weights, or look at their start.
const PLACES: [&str; 4] = ["const-size-excess", "git-lfs-pointer", "weightless-cache-range", "weights-"];

#[test]
fn the_place_of_constants_changes_nothing() {
    let rewrite = |text: &str, weights: &[u8]| {
        let mut parts = text.split(" offset=\"");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_once('"').unwrap_or((part, ""));
            let moved = number.parse::<u64>().map_or(number.to_owned(), |offset| (offset + 4096).to_string());
            out.extend([" offset=\"", &moved, "\"", rest]);
        }
        (out, [&[0; 4096], weights].concat())
    };
    assert_unchanged_with_weights(100, rewrite, |said| sorted(said, &PLACES));
}
