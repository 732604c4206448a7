//! A fast path for ports that declare exactly the inferred fact, as most do.

use crate::infer::Facts;
use crate::ir::{Graph, OutputRef, Port};
use crate::memo::Table;
use crate::types::{Dim, ElementType, Fact};

/// A cache of pairs of a fact and a declaration that agree, keyed by their indices in the tables.
pub(super) struct Exact {
    known: Table<Pair>,
}

/// The index of a fact, and the dimensions and the type of a port.
type Pair = (u32, (u32, u32), Option<ElementType>);

/// The maximum number of pairs in the cache.
const PAIRS: usize = 1024;

impl Exact {
    /// Creates a cache for the ports of a graph.
    pub(super) fn new(graph: &Graph) -> Self {
        Self { known: Table::new(graph.layers.len().min(PAIRS)) }
    }

    /// Whether a port of `graph` declares exactly the fact of an output.
    pub(super) fn is_declared(&mut self, graph: &Graph, facts: &Facts, output: OutputRef, port: &Port) -> bool {
        let Some((place, fact)) = facts.place(output).and_then(|place| Some((place, facts.at(place)?))) else {
            return false;
        };
        let pair = (place, port.dims, port.precision);
        let hash = u64::from(place.wrapping_mul(31) ^ port.dims.0);
        if self.known.get(hash) == Some(pair) {
            return true;
        }
        let is_same = declares(graph, port, fact);
        if is_same {
            self.known.put(hash, pair);
        }
        is_same
    }
}

fn declares(graph: &Graph, port: &Port, fact: &Fact) -> bool {
    let declared = graph.dims(port);
    let is_same = |inferred: &[Dim]| {
        declared.len() == inferred.len()
            && declared.iter().zip(inferred).all(|(declared, inferred)| inferred.length().unwrap_or(-1) == *declared)
    };
    port.precision == Some(fact.ty) && fact.shape.dims().is_some_and(is_same)
}

#[cfg(test)]
mod tests {
    use crate::analysis::{Model, Options};
    use crate::ir::Weights;

    /// Returns the findings of layers that all give f32[2,3] and declare one of these each.
    fn declared_wrongly(ports: &[(&str, &str)]) -> Vec<String> {
        let mut layers = vec![
            "<layer id='0' name='x' type='Parameter' version='opset1'><data shape='2,3' element_type='f32'/>\
             <output><port id='0' precision='FP32'><dim>2</dim><dim>3</dim></port></output></layer>"
                .to_owned(),
        ];
        let mut edges = Vec::new();
        for (i, (ty, shape)) in ports.iter().enumerate() {
            let (layer, result) = (2 * i + 1, 2 * i + 2);
            let dims: Vec<String> = shape.split(',').map(|dim| format!("<dim>{dim}</dim>")).collect();
            layers.push(format!(
                "<layer id='{layer}' name='relu_{i}' type='ReLU' version='opset1'><input><port id='0'/></input>\
                 <output><port id='1' precision='{ty}'>{}</port></output></layer>\
                 <layer id='{result}' name='r{i}' type='Result' version='opset1'><input><port id='0'/></input></layer>",
                dims.concat()
            ));
            edges.push(format!(
                "<edge from-layer='0' from-port='0' to-layer='{layer}' to-port='0'/>\
                 <edge from-layer='{layer}' from-port='1' to-layer='{result}' to-port='0'/>"
            ));
        }
        let (layers, edges) = (layers.concat(), edges.concat());
        let xml = format!("<net name='m' version='11'><layers>{layers}</layers><edges>{edges}</edges></net>");
        let model =
            Model::from_bytes("m.xml", xml.into_bytes(), Weights::in_memory(Vec::new()), &Options::default()).unwrap();
        let found = model.findings().iter().filter_map(|finding| {
            let name = &finding.layer.as_ref()?.name;
            let is_about_outputs = finding.rule.name.starts_with("declared-");
            is_about_outputs.then(|| format!("{name} {}", finding.rule.name))
        });
        found.collect()
    }

    #[test]
    fn ports_that_differ_only_in_their_type_are_distinguished() {
        let found = declared_wrongly(&[("FP32", "2,3"), ("I64", "2,3"), ("FP32", "2,3")]);
        assert_eq!(found, ["relu_1 declared-precision"]);
    }

    #[test]
    fn ports_that_differ_only_in_their_dimensions_are_distinguished() {
        let found = declared_wrongly(&[("FP32", "2,3"), ("FP32", "2,4"), ("FP32", "2,3"), ("FP32", "2")]);
        assert_eq!(found, ["relu_1 declared-shape", "relu_3 declared-shape"]);
    }
}
