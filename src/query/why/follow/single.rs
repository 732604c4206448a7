//! The single steps of all layers, from which a report assembles the provenance of any tensor without another inference.

use super::scene::{Point, Scene};
use super::{Follower, Step};
use crate::analysis::Model;
use crate::ir::{BodyKind, Layer, LayerId, OutputRef, Port, Role};
use crate::query::why::{Aspect, How, SHOWN};
use crate::types::Fact;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

/// Maximum number of elements of an output for each element to have a step of its own.
const ELEMENTS: usize = 16;

/// Maximum number of elements of an input or output in the cache key of a layer; a layer with more is not cached.
const ALIKE: usize = 256;

/// Maximum number of layers to analyze, without those found in the cache.
const ASKED: usize = 3_000;

/// Maximum number of outputs per layer.
const OUTPUTS: usize = 16;

/// One step of provenance: an aspect of an output in terms of the inputs of its layer.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleStep {
    /// The output.
    pub output: u32,
    /// The aspect of the output.
    pub aspect: Aspect,
    /// Its origin; `None` if the only source is passed on.
    pub how: Option<How>,
    /// The relevant attributes.
    pub attributes: Vec<(String, String)>,
    /// The formula that gives the aspect.
    pub arithmetic: Option<String>,
    /// Its sources.
    pub from: Vec<(Source, Aspect)>,
}

/// The tensor that a step leads to, relative to the layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// An input of the layer.
    Input(usize),
    /// An output in the graph around that of the layer.
    Outside(OutputRef),
    /// An output in a body of the layer.
    Body(BodyKind, OutputRef),
}

/// Analyzes the layers of one model; identical layers with identical inputs only once.
pub struct SingleSteps<'a> {
    follower: Follower<'a>,
    known: HashMap<String, Rc<[SingleStep]>>,
    asked: usize,
}

impl<'a> SingleSteps<'a> {
    /// Prepares the analysis of a model.
    pub fn new(model: &'a Model) -> Self {
        Self { follower: Follower::new(model, 0), known: HashMap::new(), asked: 0 }
    }

    /// Returns the steps of each layer of a graph, by index; none for constants, inputs, Results, and layers beyond the limit.
    pub fn graph(&mut self, path: &[(LayerId, BodyKind)]) -> Vec<Rc<[SingleStep]>> {
        let model = self.follower.model;
        let scene =
            model.net().zip(model.facts()).and_then(|(net, facts)| self.follower.scene(&net.graph, facts, path));
        let Some(scene) = scene else { return Vec::new() };
        scene.graph.entries().map(|(id, layer)| self.layer(&scene, id, layer)).collect()
    }

    /// Whether a limit left out some layers.
    pub fn is_cut(&self) -> bool {
        self.asked > ASKED || self.follower.left.get() == 0
    }

    fn layer(&mut self, scene: &Rc<Scene<'a>>, id: LayerId, layer: &Layer) -> Rc<[SingleStep]> {
        let role = scene.graph.kind(layer).role;
        if role == Role::Const || role == Role::Result || role == Role::Parameter && scene.around.is_none() {
            return Rc::default();
        }
        let key = if role == Role::Parameter { None } else { self.key(scene, id, layer) };
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Rc::clone(known);
        }
        self.asked += 1;
        if self.is_cut() {
            return Rc::default();
        }
        let facts = scene.facts.outputs(id).iter().take(OUTPUTS).enumerate();
        let steps: Rc<[SingleStep]> = facts.flat_map(|(at, fact)| self.output(scene, id, layer, at, fact)).collect();
        if let Some(key) = key {
            self.known.insert(key, Rc::clone(&steps));
        }
        steps
    }

    /// Returns the cache key of a layer: all that its steps depend on. `None` if that is too large, or the layer has bodies.
    fn key(&self, scene: &Scene, id: LayerId, layer: &Layer) -> Option<String> {
        let kind = scene.graph.kind(layer);
        let data = self.follower.model.source().text(layer.data);
        let mut key = format!("{} {} {} {data}", kind.ty, kind.version, scene.facts.is_assumed(id));
        let ports = scene.graph.inputs(layer);
        // A step names the first input with a producer: `Multiply(x, x)` has other steps than `Multiply(x, y)`.
        let mut first = HashMap::new();
        for (i, port) in ports.iter().enumerate() {
            let _ = write!(key, " {}", first.entry(port.source()).or_insert(i));
        }
        let outputs = scene.facts.outputs(id).iter().map(Some);
        let inputs = ports.iter().map(|port| scene.facts.of_port(port));
        for fact in inputs.chain(outputs) {
            let _ = match fact {
                Some(fact) if fact.value.as_ref().is_none_or(|value| value.len() <= ALIKE) => {
                    write!(key, "\n{fact} {}", fact.assumed)
                }
                Some(_) => return None,
                None => write!(key, "\nnothing"),
            };
        }
        layer.subgraph.is_none().then_some(key)
    }

    fn output(&self, scene: &Rc<Scene<'a>>, id: LayerId, layer: &Layer, at: usize, fact: &Fact) -> Vec<SingleStep> {
        let elements = fact.value.as_ref().map_or(0, |value| value.len());
        let elements = if fact.ty.is_float() || elements > ELEMENTS { 0 } else { elements };
        let dims = fact.rank().map_or_else(|| vec![Aspect::Rank], |rank| (0..rank).map(Aspect::Dim).collect());
        let aspects = dims.into_iter().chain([Aspect::Type]).chain((0..elements).map(Aspect::Element));
        let output = OutputRef { layer: id, output: u32::try_from(at).unwrap_or(u32::MAX) };
        let step = |aspect| {
            let point = Point { scene: Rc::clone(scene), output, aspect };
            let (how, attributes, arithmetic, from) = match self.follower.step(&point) {
                Step::Passes(next) => (None, Vec::new(), None, vec![next]),
                Step::Ends { how, attributes, arithmetic, from } => (Some(how), attributes, arithmetic, from),
            };
            let from =
                from.into_iter().take(SHOWN).filter_map(|next| Some((source(scene, id, layer, &next)?, next.aspect)));
            SingleStep { output: output.output, aspect, how, attributes, arithmetic, from: from.collect() }
        };
        aspects.map(step).collect()
    }
}

/// Expresses a point relative to a layer.
fn source(scene: &Rc<Scene>, id: LayerId, layer: &Layer, point: &Point) -> Option<Source> {
    if Rc::ptr_eq(scene, &point.scene) {
        let inputs = scene.graph.inputs(layer);
        return inputs.iter().position(|port: &Port| port.source() == Some(point.output)).map(Source::Input);
    }
    match (&point.scene.around, &scene.around) {
        (Some((outer, owner, kind)), _) if Rc::ptr_eq(outer, scene) && *owner == id => {
            Some(Source::Body(*kind, point.output))
        }
        (_, Some((outer, ..))) if Rc::ptr_eq(outer, &point.scene) => Some(Source::Outside(point.output)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Options;
    use std::path::Path;

    fn steps(name: &str, graph: usize) -> (Model, Vec<Vec<SingleStep>>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/models").join(name);
        let model = Model::open(&path, &Options::default()).unwrap();
        let net = model.net().unwrap();
        let mut paths = vec![Vec::new()];
        for (id, layer) in net.graph.entries() {
            paths.extend(layer.bodies().map(|body| vec![(id, body.kind)]));
        }
        let found = SingleSteps::new(&model).graph(&paths[graph]).iter().map(|steps| steps.to_vec()).collect();
        (model, found)
    }

    #[test]
    fn every_dimension_has_a_step_that_leads_to_an_input() {
        let (model, found) = steps("shape_of_split.xml", 0);
        let (graph, facts) = (&model.net().unwrap().graph, model.facts().unwrap());
        let mut named = 0;
        for ((id, layer), steps) in graph.entries().zip(&found) {
            let is_inner = !matches!(graph.kind(layer).role, Role::Const | Role::Parameter | Role::Result);
            let dims = facts.outputs(id).iter().filter_map(Fact::rank).sum::<usize>();
            let own = steps.iter().filter(|step| matches!(step.aspect, Aspect::Dim(_))).count();
            assert_eq!(own, if is_inner { dims } else { 0 });
            for (source, _) in steps.iter().flat_map(|step| &step.from) {
                assert!(matches!(source, Source::Input(at) if *at < graph.inputs(layer).len()));
                named += 1;
            }
        }
        assert!(named > 5, "{named}");
    }

    #[test]
    fn steps_lead_into_bodies_and_out_of_them() {
        let (_, outer) = steps("control_flow.xml", 0);
        let sources =
            |all: Vec<Vec<SingleStep>>| all.into_iter().flatten().flat_map(|step| step.from).collect::<Vec<_>>();
        assert!(sources(outer).iter().any(|(source, _)| matches!(source, Source::Body(BodyKind::Then, _))));
        let (_, inner) = steps("control_flow.xml", 1);
        assert!(sources(inner).iter().any(|(source, _)| matches!(source, Source::Outside(_))));
    }

    #[test]
    fn layers_that_are_alike_are_asked_once() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/models/detector.xml");
        let model = Model::open(&path, &Options::default()).unwrap();
        let mut all = SingleSteps::new(&model);
        let found = all.graph(&[]);
        let asked = found.iter().filter(|steps| !steps.is_empty()).count();
        assert!(all.asked < asked, "{} of {asked}", all.asked);
        assert!(!all.is_cut());
    }

    #[test]
    fn layers_that_read_one_tensor_twice_are_not_like_others() {
        let input = |id: usize| {
            format!(
                "<layer id='{id}' name='x{id}' type='Parameter' version='opset1'><data element_type='f32' shape='?'/>\
                 <output><port id='0' precision='FP32'><dim>-1</dim></port></output></layer>"
            )
        };
        let product = |id: usize, a: usize, b: usize| {
            let edge = |from: usize, to: usize| {
                format!("<edge from-layer='{from}' from-port='0' to-layer='{id}' to-port='{to}'/>")
            };
            let port = |port: usize| format!("<port id='{port}' precision='FP32'><dim>-1</dim></port>");
            let layer = format!(
                "<layer id='{id}' name='m{id}' type='Multiply' version='opset1'><input>{}{}</input><output>{}</output></layer>",
                port(0),
                port(1),
                port(2)
            );
            (layer, edge(a, 0) + &edge(b, 1))
        };
        let (first, second) = (product(3, 0, 0), product(4, 1, 2));
        let xml = format!(
            "<net name='m' version='11'><layers>{}{}{}{}{}</layers><edges>{}{}</edges></net>",
            input(0),
            input(1),
            input(2),
            first.0,
            second.0,
            first.1,
            second.1
        );
        let weights = crate::ir::Weights::in_memory(Vec::new());
        let model = Model::from_bytes("m.xml", xml.into_bytes(), weights, &Options::default()).unwrap();
        let found = SingleSteps::new(&model).graph(&[]);
        let reads = |layer: usize, input: usize| {
            found[layer].iter().flat_map(|step| &step.from).any(|(source, _)| *source == Source::Input(input))
        };
        assert!(reads(3, 0) && !reads(3, 1));
        assert!(reads(4, 0) && reads(4, 1));
    }
}
