//! What is promised of fixes, held against every sample and against samples changed at random.

use crate::draws::draws;
use crate::samples::fuzz_seeds::bodies::fix::model;
use crate::samples::mutants::{Random, Seed, mutant, seeds};
use ovlint::internal::diagnostic::Applicability;
use ovlint::internal::fix::{everything, fix};
use ovlint::internal::ir::Role;
use ovlint::internal::query::what_if::Obstacles;
use ovlint::internal::{Model, Options, Weights};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fmt::Write;
use std::ops::Range;

/// Mutants of one file.
const MUTANTS: usize = 1;

#[test]
fn fixes_of_samples_hold() {
    for seed in seeds() {
        holds(&seed.name, &seed.xml, &seed.weights);
    }
}

#[test]
fn fixes_of_mutants_hold() {
    for seed in &seeds() {
        for number in 0..draws(MUTANTS) {
            let (xml, weights) = mutant(seed, number);
            holds(&format!("{} {number}", seed.name), &xml, &weights);
            let lying = lying_port(seed, number);
            holds(&format!("{} lies {number}", seed.name), &lying, &seed.weights);
        }
    }
}

/// A seed with another number in one of its dimensions.
fn lying_port(seed: &Seed, number: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(&seed.xml).into_owned();
    let dims: Vec<usize> = text.match_indices("<dim>").map(|(at, _)| at + 5).collect();
    let Some(at) = dims.get(number * 7 % dims.len().max(1)) else { return seed.xml.clone() };
    let mut lying = text;
    let end = at + lying[*at..].find('<').unwrap();
    lying.replace_range(*at..end, ["-1", "0", "7", "x", "1234567"][number % 5]);
    lying.into_bytes()
}

/// What must hold is what the fuzz target `fix` holds.
fn holds(name: &str, xml: &[u8], weights: &[u8]) {
    println!("{name}");
    model(xml, weights, &Options::default());
}

/// Constants of one file that are written in other shapes.
const CONSTS: usize = 4;

/// Mutants of one file with another edge or another type of a layer.
const REWIRED: usize = 24;

/// Lengths that stand for dimensions which are not static.
const LENGTHS: [i64; 6] = [1, 2, 3, 16, 31, 64];

/// A file that a safe fix leaves without an error works for the inputs for which it worked before somebody changed the shape
/// of a Const, the start of an edge, or the type of a layer.
#[test]
fn safe_fixes_hide_no_fault() {
    let (mut fixed, mut kept, mut hidden) = (0, 0, Vec::new());
    let (seeds, types) = (seeds(), types());
    for (place, Seed { name, xml, weights }) in seeds.iter().enumerate() {
        let open = |xml: &[u8], shapes: &str| {
            let options = Options { shapes: shapes.parse().unwrap_or_default(), ..Options::default() };
            Model::from_bytes("m.xml", xml.to_vec(), Weights::in_memory(weights.clone()), &options).ok()
        };
        let Some(original) = open(xml, "").filter(|model| !model.has_errors()) else { continue };
        let works = |xml: &[u8], shapes: &str| open(xml, shapes).is_some_and(|model| Obstacles::of(&model).is_empty());
        let tried: Vec<String> = inputs(&original).into_iter().filter(|shapes| works(xml, shapes)).collect();
        let (text, mut random) = (String::from_utf8_lossy(xml), Random(place as u64 + 1));
        let rewired = (0..REWIRED).filter_map(|_| with_another_edge_or_type(&text, &types, &mut random));
        for text in in_other_shapes(&text).into_iter().chain(rewired) {
            let Some(changed) = open(text.as_bytes(), "") else { continue };
            if !changed.has_errors() {
                continue;
            }
            let after = fix(changed, Applicability::Safe, &everything).unwrap();
            if after.applied.is_empty() || after.model.has_errors() {
                kept += usize::from(after.model.has_errors());
                continue;
            }
            fixed += 1;
            let now = after.model.source().bytes();
            if let Some(shapes) = tried.iter().find(|shapes| !works(now, shapes)) {
                hidden.push(format!("{name} with {shapes}: {}", difference(&String::from_utf8_lossy(xml), &text)));
            }
        }
    }
    assert!(hidden.is_empty(), "{} fixes of {fixed} hide a fault: {hidden:#?}", hidden.len());
    println!("{fixed} fixed, {kept} kept an error");
    assert!(fixed > 10 && kept > 10, "{fixed} fixed, {kept} kept an error");
}

/// Shapes for all inputs of a model, with the same length for every dimension that is not static.
fn inputs(model: &Model) -> Vec<String> {
    let (net, facts) = (model.net().unwrap(), model.facts().unwrap());
    let inputs = net.graph.entries().filter(|(_, layer)| net.graph.kind(layer).role == Role::Parameter);
    let inputs: Vec<(String, Vec<Option<i64>>)> = inputs
        .filter_map(|(index, layer)| {
            let dims = facts.outputs(index).first()?.shape.dims()?;
            let name = net.graph.name(model.source(), layer).into_owned();
            Some((name, dims.iter().map(|dim| dim.length()).collect()))
        })
        .collect();
    let all = LENGTHS.iter().map(|length| {
        let one = |(name, dims): &(String, Vec<Option<i64>>)| {
            let dims: Vec<String> = dims.iter().map(|dim| dim.unwrap_or(*length).to_string()).collect();
            format!("{name}[{}]", dims.join(","))
        };
        inputs.iter().map(one).collect::<Vec<_>>().join(",")
    });
    all.collect()
}

/// The types of layers, with the version and the number of inputs of each.
fn types() -> BTreeSet<(usize, String)> {
    let is_simple =
        |layer: &&str| !layer.contains("<body") && !layer.contains("_body>") && !layer.contains("type=\"Const");
    let of_layer = |layer: &str| {
        let from = layer.find(" type=\"")?;
        let tag = &layer[from..layer.find('>')?];
        let inputs = layer.split("<output").next()?.matches("<port").count();
        (tag.contains(" version=") && inputs > 0).then(|| (inputs, tag.to_owned()))
    };
    let of_file = |seed: &Seed| {
        let text = String::from_utf8_lossy(&seed.xml).into_owned();
        text.split("<layer ").skip(1).filter(is_simple).filter_map(of_layer).collect::<Vec<_>>()
    };
    seeds().iter().flat_map(of_file).collect()
}

/// A file one of whose edges starts elsewhere, or one of whose layers is of another type with as many inputs.
fn with_another_edge_or_type(text: &str, types: &BTreeSet<(usize, String)>, random: &mut Random) -> Option<String> {
    let mut changed = text.to_owned();
    if random.below(2) == 0 {
        let starts: Vec<Range<usize>> = text
            .match_indices("from-layer")
            .filter_map(|(at, _)| Some(at..at + text[at..].find(" to-layer")?))
            .collect();
        let (edge, other) = (random.of(&starts)?, random.of(&starts)?);
        changed.replace_range(edge, &text[other]);
    } else {
        let layers: Vec<usize> = text.match_indices("<layer ").map(|(at, _)| at).collect();
        let at = random.of(&layers)?;
        let layer = &text[at..at + text[at..].find("</layer>").unwrap_or(0)];
        let tag = at + layer.find(" type=\"")?..at + layer.find('>')?;
        let inputs = layer.split("<output").next()?.matches("<port").count();
        let alike: Vec<&str> =
            types.iter().filter(|(count, _)| *count == inputs).map(|(_, tag)| tag.as_str()).collect();
        changed.replace_range(tag, random.of(&alike)?);
    }
    (changed != text).then_some(changed)
}

/// The lines in which a text differs.
fn difference(text: &str, other: &str) -> String {
    let lines = text.lines().zip(other.lines()).filter(|(one, other)| one != other);
    lines.map(|(one, other)| format!("{} -> {}", one.trim(), other.trim())).collect::<Vec<_>>().join("; ")
}

/// A file with some Consts, and their ports, in other shapes of as many elements.
fn in_other_shapes(text: &str) -> Vec<String> {
    let between = |part: Range<usize>, start: &str, end: &str| {
        let from = part.start + text[part.clone()].find(start)? + start.len();
        Some(from..from + text[from..part.end].find(end)?)
    };
    let change = |(at, _): (usize, &str)| {
        let layer = at..at + text[at..].find("</layer>")?;
        let shape = between(layer.clone(), " shape=\"", "\"")?;
        let port = between(layer, "<port ", "</port>")?;
        let dims = port.start + text[port.clone()].find('>')? + 1..port.end;
        let lengths: Vec<u64> = text[shape.clone()].split(',').filter_map(|one| one.trim().parse().ok()).collect();
        let others = [
            vec![lengths.iter().fold(1_u64, |all, one| all.wrapping_mul(*one))],
            std::iter::once(1).chain(lengths.iter().copied()).collect(),
            lengths.iter().copied().filter(|length| *length != 1).collect(),
            lengths.iter().rev().copied().collect(),
        ];
        let others = others.into_iter().filter(|other: &Vec<u64>| *other != lengths && !lengths.is_empty());
        let write = |other: Vec<u64>| {
            let mut changed = text.to_owned();
            changed.replace_range(
                dims.clone(),
                &other.iter().fold(String::new(), |all, dim| all + &format!("<dim>{dim}</dim>")),
            );
            changed.replace_range(shape.clone(), &other.iter().map(u64::to_string).collect::<Vec<_>>().join(", "));
            changed
        };
        Some(others.map(write).collect::<Vec<_>>())
    };
    text.match_indices("type=\"Const\"").take(CONSTS).filter_map(change).flatten().collect()
}

fn dim_elements(dims: &[impl Display]) -> String {
    dims.iter().map(|dim| format!("<dim>{dim}</dim>")).collect::<Vec<_>>().concat()
}

/// Images to each of whose channels biases are added; a Const and its port have one shape, the port that reads it another.
fn biased(biases: usize, shape: &[u8], own: &[u8], read: &[u8]) -> Model {
    let port = |id: usize, dims: &[i64]| format!("<port id=\"{id}\" precision=\"FP32\">{}</port>", dim_elements(dims));
    let dims = |dims: &[u8]| dims.iter().map(|dim| i64::from(*dim)).collect::<Vec<_>>();
    let (image, shape) = (&[-1, 16, -1, -1], shape.iter().map(u8::to_string).collect::<Vec<_>>().join(", "));
    let mut layers = format!(
        "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"?,16,?,?\" element_type=\"f32\"/>\
         <output>{}</output></layer>",
        port(0, image)
    );
    let (mut edges, mut last) = (String::new(), (0, 0));
    let edge = |(from, output): (usize, usize), to: usize, input: usize| {
        format!("<edge from-layer=\"{from}\" from-port=\"{output}\" to-layer=\"{to}\" to-port=\"{input}\"/>")
    };
    for i in 0..biases {
        let (bias, sum) = (2 * i + 1, 2 * i + 2);
        let _ = write!(
            layers,
            "<layer id=\"{bias}\" name=\"bias_{i}\" type=\"Const\" version=\"opset1\">\
             <data element_type=\"f32\" shape=\"{shape}\" offset=\"0\" size=\"64\"/><output>{}</output></layer>\
             <layer id=\"{sum}\" name=\"sum_{i}\" type=\"Add\" version=\"opset1\">\
             <input>{}{}</input><output>{}</output></layer>",
            port(0, &dims(own)),
            port(0, image),
            port(1, &dims(read)),
            port(2, image)
        );
        edges += &(edge(last, sum, 0) + &edge((bias, 0), sum, 1));
        last = (sum, 2);
    }
    let end = 2 * biases + 1;
    let _ = write!(
        layers,
        "<layer id=\"{end}\" name=\"y\" type=\"Result\" version=\"opset1\"><input>{}</input></layer>",
        port(0, image)
    );
    edges += &edge(last, end, 0);
    let text = format!("<net name=\"m\" version=\"11\"><layers>{layers}</layers><edges>{edges}</edges></net>");
    Model::from_bytes("m.xml", text.into_bytes(), Weights::in_memory(vec![0; 64]), &Options::default()).unwrap()
}

#[test]
fn the_shape_of_a_const_that_narrows_the_model_is_no_safe_fix() {
    let wide: &[u8] = &[1, 16, 1, 1];
    let open = || biased(1, &[16], &[16], wide);
    let model = open();
    let roots: Vec<_> = model.findings().iter().filter(|finding| finding.consequence_of.is_none()).collect();
    let [finding] = roots[..] else { panic!("{roots:?}") };
    assert_eq!((finding.rule.name, finding.severity.name()), ("contradicted-value", "error"));
    assert_eq!(finding.message, "`shape` of `bias_0` is [16], `sum_0` reads it as [1,16,1,1]".into());
    let first = "as it is, the model works only for inputs with `width == 1 or width == 16`";
    assert_eq!(crate::notes(finding).first().map(String::as_str), Some(first));
    let safe = fix(open(), Applicability::Safe, &everything).unwrap();
    assert!(safe.original.is_none() && safe.model.has_errors());
    let all = fix(open(), Applicability::Unsafe, &everything).unwrap();
    assert_eq!(all.model.source().bytes(), biased(1, wide, wide, wide).source().bytes());
    assert_eq!(all.model.findings(), []);
}

#[test]
fn ports_of_consts_that_alone_are_wrong_are_fixed() {
    let wide: &[u8] = &[1, 16, 1, 1];
    let pairs: [(&[u8], &[u8]); 4] = [(&[16], wide), (&[16, 1, 1, 1], wide), (wide, &[16]), (&[7], wide)];
    for (own, read) in pairs {
        let after = fix(biased(50, wide, own, read), Applicability::Safe, &everything).unwrap();
        assert_eq!(after.applied.len(), 50, "{own:?} {read:?}");
        assert_eq!(after.model.findings(), []);
    }
}
