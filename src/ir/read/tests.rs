//! The fast reader and the XML events give the same graph of the same file.

use super::{Net, read, read_events};
use crate::diagnostic::{Direction, Sink};
use crate::ir::open;
use crate::ir::rt_info::{RtAttribute, RtKind, is_list_of_names};
use crate::ir::xml::attributes::{find_attribute, resolved};
use crate::ir::{Graph, Layer, Port};
use crate::limits::Limits;
use crate::source::Source;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Returns every XML file below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else if path.extension().is_some_and(|ending| ending == "xml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Writes the content of a net in a form that does not depend on its storage.
fn net(source: &Source, net: &Net, out: &mut String) {
    let Net { version, name, graph: inside, notes, settings, pre_process, comments } = net;
    writeln!(out, "{version} {name:?} {notes:?} {settings:?} {pre_process:?} {comments:?}").unwrap();
    graph(source, inside, out);
}

fn graph(source: &Source, graph: &Graph, out: &mut String) {
    // `rt_info` is compared separately; the other tables are read through the layers.
    let Graph { tag, layers, kinds, attrs: _, ports: _, dims: _, constants: _, dag, loose, rt_info: _ } = graph;
    writeln!(out, "{tag:?} {} layers, {kinds:?}", layers.len()).unwrap();
    for inside in layers {
        layer(source, graph, inside, out);
    }
    writeln!(out, "{} nodes, {loose:?}", dag.node_count()).unwrap();
    for edge in dag.raw_edges() {
        writeln!(out, "{:?} {:?} {:?}", edge.source(), edge.target(), edge.weight).unwrap();
    }
}

fn layer(source: &Source, around: &Graph, layer: &Layer, out: &mut String) {
    let Layer { tag, end, id, name, kind, data, data_like: _, attrs: _, inputs: _, outputs: _, subgraph, constant: _ } =
        layer;
    writeln!(out, "{tag:?} {end} {id:?} {:?} {kind} {data:?}", source.text(*name)).unwrap();
    for attribute in around.attrs(layer) {
        writeln!(out, "{attribute:?} {:?}", layer.data_text(source, attribute.value)).unwrap();
    }
    writeln!(out, "{:?}", around.constant(layer)).unwrap();
    for direction in [Direction::Input, Direction::Output] {
        for port in around.ports(layer, direction) {
            let Port { tag, end, id, precision, dims: _, source: _ } = port;
            let (dims, from) = (around.dims(port), port.source());
            writeln!(out, "{direction:?} {tag:?} {end} {id:?} {precision:?} {dims:?} {from:?}").unwrap();
        }
    }
    let Some(subgraph) = subgraph else { return };
    writeln!(out, "{:?} {:?}", subgraph.port_map, subgraph.back_edges).unwrap();
    for body in &subgraph.bodies {
        writeln!(out, "{:?}", body.kind).unwrap();
        graph(source, &body.graph, out);
    }
}

/// Returns the graphs of a net, bodies included.
fn graphs(graph: &Graph) -> Vec<&Graph> {
    let bodies = graph.layers.iter().filter_map(|layer| layer.subgraph.as_ref()).flat_map(|inner| &inner.bodies);
    std::iter::once(graph).chain(bodies.flat_map(|body| graphs(&body.graph))).collect()
}

/// Whether OpenVINO accepts an attribute of an `<rt_info>`; the fast reader keeps none of these.
fn is_harmless(source: &Source, attribute: &RtAttribute, list: &[RtAttribute]) -> bool {
    let text = |attribute: &RtAttribute, key| {
        find_attribute(source, attribute.tag, key).map(|found| resolved(source.slice(found.value)).into_owned())
    };
    let name = text(attribute, "name");
    let same = list.iter().filter(|other| other.list == attribute.list && text(other, "name") == name).count();
    let is_read = match RtKind::of(&name.unwrap_or_default()) {
        Some(RtKind::Free(_)) => true,
        Some(RtKind::Names) => is_list_of_names(&text(attribute, "value").unwrap_or_default()),
        _ => false,
    };
    same == 1 && is_read && text(attribute, "version").as_deref() == Some(b"0")
}

/// Compares both readings of a file; returns the number of its layers.
fn compare(path: &Path) -> usize {
    let Ok(source) = open(path, &Limits::default()) else { return 0 };
    let limits = Limits::default();
    let (mut fast_sink, mut event_sink) = (Sink::default(), Sink::default());
    let fast = read(&source, &limits, &mut fast_sink);
    let events = read_events(&source, &limits, &mut event_sink);
    assert_eq!(fast_sink.findings(), event_sink.findings(), "{}", path.display());
    let (Some(fast), Some(events)) = (&fast, &events) else {
        assert_eq!(fast.is_some(), events.is_some(), "{}", path.display());
        return 0;
    };
    let mut texts = [String::new(), String::new()];
    net(&source, fast, &mut texts[0]);
    net(&source, events, &mut texts[1]);
    if let Some((a, b)) = texts[0].lines().zip(texts[1].lines()).find(|(a, b)| a != b) {
        panic!("{}:\nfast:   {a}\nevents: {b}", path.display());
    }
    assert_eq!(texts[0].len(), texts[1].len(), "{}", path.display());
    for (fast, events) in graphs(&fast.graph).into_iter().zip(graphs(&events.graph)) {
        let kept: BTreeSet<u32> = fast.rt_info.iter().map(|attribute| attribute.tag.start).collect();
        for attribute in &events.rt_info {
            let position = source.position(attribute.tag.start);
            assert!(
                kept.contains(&attribute.tag.start) || is_harmless(&source, attribute, &events.rt_info),
                "{}:{position:?}",
                path.display()
            );
        }
        let all: BTreeSet<u32> = events.rt_info.iter().map(|attribute| attribute.tag.start).collect();
        assert!(kept.is_subset(&all), "{}", path.display());
    }
    fast.graph.layer_count()
}

#[test]
fn samples_and_corpus_give_the_same_graph_by_both_readers() {
    let mut files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples"));
    if let Some(folder) = std::env::var_os("OVLINT_CORPUS") {
        let more = self::files(Path::new(&folder));
        assert!(!more.is_empty(), "no model in {}", Path::new(&folder).display());
        files.extend(more);
    }
    let layers: usize = files.iter().map(|path| compare(path)).sum();
    assert!(files.len() > 150 && layers > 1000, "{layers} layers in {} files", files.len());
}
