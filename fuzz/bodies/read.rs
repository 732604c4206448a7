//! The reader alone, on any bytes: it reads or refuses, and every place is inside the file.

use ovlint::internal::Limits;
use ovlint::internal::diagnostic::Sink;
use ovlint::internal::ir::{Graph, decode, read};
use ovlint::internal::source::{Source, Span};

/// One input.
pub fn run(data: &[u8]) {
    let source = decode("fuzz.xml", data.to_vec());
    let mut sink = Sink::default();
    let net = read(&source, &Limits::default(), &mut sink);
    for finding in sink.into_sorted() {
        finding.labels.iter().chain([&finding.primary]).for_each(|label| inside(&source, label.span));
    }
    if let Some(net) = net {
        graph(&source, &net.graph);
    }
}

fn graph(source: &Source, graph_: &Graph) {
    inside(source, graph_.tag);
    for layer in &graph_.layers {
        inside(source, layer.tag);
        inside(source, layer.data);
        assert!(layer.end >= layer.tag.end);
        graph_.name(source, layer);
        for attribute in graph_.attrs(layer) {
            inside(source, attribute.name);
            inside(source, attribute.value);
        }
        for port in graph_.inputs(layer).iter().chain(graph_.outputs(layer)) {
            inside(source, port.tag);
            assert!(port.source().is_none_or(|output| graph_.layer(output.layer).is_some()));
            assert!(graph_.dims(port).len() <= Limits::default().rank);
        }
        let inner = layer.subgraph.as_ref();
        inner.into_iter().flat_map(|inner| &inner.bodies).for_each(|body| graph(source, &body.graph));
    }
    assert_eq!(graph_.dag.node_count(), graph_.layers.len());
}

fn inside(source: &Source, span: Span) {
    assert!(span.start <= span.end && span.end as usize <= source.bytes().len(), "{span:?}");
}
