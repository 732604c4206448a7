//! The stages of a check over a model of 10,000 layers in memory: reading, and everything.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ovlint::internal::diagnostic::Sink;
use ovlint::internal::ir::read;
use ovlint::internal::source::Source;
use ovlint::internal::{Limits, Model, Options, Weights};
use std::fmt::Write;

/// A Parameter, then blocks of `VariadicSplit`, Concat, Add and `ReLU`, written as OpenVINO writes them.
fn model(blocks: usize) -> (Vec<u8>, Vec<u8>) {
    let dims = "<dim>2</dim>\n\t\t\t\t\t<dim>-1</dim>\n\t\t\t\t\t<dim>12</dim>";
    let port = |id: usize, ty: &str, dims: &str| {
        format!("\t\t\t\t<port id=\"{id}\" precision=\"{ty}\">\n\t\t\t\t\t{dims}\n\t\t\t\t</port>\n")
    };
    let (mut layers, mut edges, mut id) = (String::new(), String::new(), 0);
    let mut layer = |ty: &str, data: &str, inputs: &[(usize, usize)], outputs: &[String]| {
        let _ = write!(layers, "\t\t<layer id=\"{id}\" name=\"{ty}_{id}\" type=\"{ty}\" version=\"opset1\">\n{data}");
        if !inputs.is_empty() {
            layers.push_str("\t\t\t<input>\n");
            for (to, (from, from_port)) in inputs.iter().enumerate() {
                let _ = writeln!(layers, "\t\t\t\t<port id=\"{to}\" />");
                let _ = writeln!(
                    edges,
                    "\t\t<edge from-layer=\"{from}\" from-port=\"{from_port}\" to-layer=\"{id}\" to-port=\"{to}\" />"
                );
            }
            layers.push_str("\t\t\t</input>\n");
        }
        if !outputs.is_empty() {
            let _ = write!(layers, "\t\t\t<output>\n{}\t\t\t</output>\n", outputs.concat());
        }
        layers.push_str("\t\t</layer>\n");
        id += 1;
        id - 1
    };
    let full = |id: usize| port(id, "FP32", dims);
    let data = "\t\t\t<data shape=\"2,?,12\" element_type=\"f32\" />\n";
    let mut last = (layer("Parameter", data, &[], &[full(0)]), 0);
    for _ in 0..blocks {
        let constant = |shape: &str, offset: usize, size: usize| {
            format!("\t\t\t<data element_type=\"i64\" shape=\"{shape}\" offset=\"{offset}\" size=\"{size}\" />\n")
        };
        let axis = layer("Const", &constant("", 0, 8), &[], &[port(0, "I64", "")]);
        let lengths = layer("Const", &constant("2", 8, 16), &[], &[port(0, "I64", "<dim>2</dim>")]);
        let piece = |id: usize, length: usize| port(id, "FP32", &dims.replace("12", &length.to_string()));
        let split = layer("VariadicSplit", "", &[last, (axis, 0), (lengths, 0)], &[piece(3, 5), piece(4, 7)]);
        let concat = layer("Concat", "\t\t\t<data axis=\"-1\" />\n", &[(split, 3), (split, 4)], &[full(2)]);
        let relu = layer("ReLU", "", &[(concat, 2)], &[full(1)]);
        last = (relu, 1);
    }
    layer("Result", "", &[last], &[]);
    let xml = format!(
        "<?xml version=\"1.0\"?>\n<net name=\"bench\" version=\"11\">\n\t<layers>\n{layers}\t</layers>\n\t<edges>\n{edges}\t</edges>\n</net>\n"
    );
    let weights = [2_i64, 5, 7].iter().flat_map(|number| number.to_le_bytes()).collect();
    (xml.into_bytes(), weights)
}

fn pipeline(c: &mut Criterion) {
    let (xml, weights) = model(2_000);
    let source = Source::new("bench.xml", xml.clone());
    let mut group = c.benchmark_group("10,000 layers");
    group.throughput(Throughput::Bytes(xml.len() as u64));
    group.bench_function("read", |b| b.iter(|| read(&source, &Limits::default(), &mut Sink::default()).unwrap()));
    group.bench_function("read, infer and check", |b| {
        b.iter(|| {
            let weights = Weights::in_memory(weights.clone());
            let model = Model::from_bytes("bench.xml", xml.clone(), weights, &Options::default()).unwrap();
            assert!(model.findings().is_empty());
            model
        });
    });
    group.finish();
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
