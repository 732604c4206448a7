//! Other input shapes, written into the text of a model.

use super::edited::{Edited, Refusal};
use super::files::Bytes;
use super::ports::Declarations;
use super::proof::{new_finding, same_facts};
use super::text::{Text, applied};
use crate::analysis::{InputShapes, Model};
use crate::diagnostic::Severity;
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Role, find_attribute, first_difference};
use crate::ops::Action;
use crate::query::Sizes;
use crate::query::stops::Stops;
use crate::query::what_if::Obstacles;
use crate::source::Source;
use crate::types::{Fact, PartialShape};
use std::collections::BTreeMap;

/// The requested shapes of Parameters, and of the variables that `ReadValue` layers read.
#[derive(Debug, Default)]
struct Request {
    parameters: BTreeMap<LayerId, PartialShape>,
    states: BTreeMap<LayerId, PartialShape>,
}

/// Gives the inputs of a model other shapes, and makes every port declare what follows from them. Nothing else changes by a
/// byte, and no file is written.
///
/// The edited text is proved: it is read and inferred again, has no finding that the model does not have, and every port
/// declares what is inferred. Attributes of bodies' Parameters follow as well; states keep their shapes unless `sizes` names
/// them.
pub fn reshape(model: &Model, shapes: &InputShapes, sizes: &Sizes) -> Result<Edited, Refusal> {
    let (Some(net), Some(facts)) = (model.net(), model.facts()) else {
        return Err("the file could not be read as an IR; run `ovlint check` to see why".to_owned().into());
    };
    let source = model.source();
    if let Some(encoding) = source.encoding() {
        return Err(format!("the file is in {encoding}; only UTF-8 is edited").into());
    }
    let request = Request::of(model, &net.graph, facts, shapes, sizes)?;
    let asked = request.input_shapes(&net.graph, source, facts)?;
    let (mut text, mut states) = (Text::new(source.bytes().len()), Declarations::default());
    states.declare_all(source, &net.graph, "variable_shape", &request.states);
    text.apply(&states.edits);
    let reshaped = if states.edits.is_empty() {
        model.reshaped(asked.clone())
    } else {
        model.with_text(text.bytes(source.bytes()), asked.clone())
    };
    let reshaped = reshaped.map_err(|error| error.to_string())?;
    if !Obstacles::beside(&reshaped, model.findings()).is_empty() {
        return Err(Refusal::Shapes(asked, Box::new(reshaped)));
    }
    if !is_inferred(&reshaped, model) {
        return Err(Refusal::Unknown(Stops::of(&reshaped)));
    }
    let unread = || Refusal::Unproved("the model could not be inferred again");
    let ports = |of: &Model| Declarations::of_model(of, Some(facts));
    let graph = reshaped.net().map(|net| &net.graph).ok_or_else(unread)?;
    let mut inputs = Declarations::default();
    inputs.declare_all(reshaped.source(), graph, "shape", &request.parameters);
    let mut plain = text.clone();
    plain.apply(&inputs.edits);
    inputs.append(ports(&reshaped).ok_or_else(unread)?);
    text.apply(&inputs.edits);
    let after = model.edited(text.bytes(source.bytes())).map_err(|error| error.to_string())?;
    if !ports(&after).ok_or_else(unread)?.edits.is_empty() {
        return Err(Refusal::Unproved("a port would not declare what is inferred"));
    }
    let plain = Source::new(source.path(), plain.bytes(source.bytes()));
    let edits = text.edits(source.bytes().len());
    if first_difference(&plain, after.source()).is_some() || applied(source.bytes(), &edits) != after.source().bytes() {
        return Err(Refusal::Unproved("more than declarations would change"));
    }
    if !same_facts(&reshaped, &after) {
        return Err(Refusal::Unproved("the edited model would have other shapes"));
    }
    // OpenVINO knows fewer values than ovlint, and ports declare what it knows.
    if let Some(finding) = new_finding(model, &after, |finding| finding.severity == Severity::Info) {
        return Err(Refusal::Finding(Box::new(finding.clone())));
    }
    states.append(inputs);
    Ok(Edited { model: after, edits, changes: states.changes, weights: Bytes::default() })
}

impl Request {
    fn of(model: &Model, graph: &Graph, facts: &Facts, shapes: &InputShapes, sizes: &Sizes) -> Result<Self, Refusal> {
        let parameters = shapes.resolve(graph, model.source(), model.limits())?;
        let mut request = Self { parameters, states: BTreeMap::new() };
        for (id, axes) in sizes.axes(model)? {
            let Some(layer) = graph.layer(id) else { continue };
            let is_input = graph.kind(layer).role == Role::Parameter;
            let of = if is_input { &mut request.parameters } else { &mut request.states };
            let known = || facts.outputs(id).first().map_or(PartialShape::UNKNOWN, |fact| fact.shape.clone());
            let shape = of.entry(id).or_insert_with(known);
            for (axis, size) in axes {
                let dim = shape.dims_mut().and_then(|dims| dims.get_mut(axis));
                *dim.ok_or("--set and --shape name other ranks of an input".to_owned())? = size;
            }
        }
        for shape in request.parameters.values_mut().chain(request.states.values_mut()) {
            shape.dims_mut().into_iter().flatten().for_each(|dim| *dim = dim.bare());
        }
        request.share_states(model, graph)?;
        Ok(request)
    }

    /// Gives all layers that read a variable its shape.
    fn share_states(&mut self, model: &Model, graph: &Graph) -> Result<(), Refusal> {
        let source = model.source();
        let variable = |id: LayerId| {
            let layer = graph.layer(id).filter(|layer| graph.kind(layer).action() == Action::Reads)?;
            Some(source.text(find_attribute(source, layer.data, "variable_id")?.value).into_owned())
        };
        for (id, shape) in self.states.clone() {
            let layer = graph.layer(id);
            if layer.is_none_or(|layer| find_attribute(source, layer.data, "variable_shape").is_none()) {
                let name = layer.map(|layer| graph.full_name(source, layer).into_owned()).unwrap_or_default();
                return Err(format!("`{name}` has no variable_shape that could be set").into());
            }
            let own = variable(id);
            let same = graph.entries().map(|(other, _)| other).filter(|other| own.is_some() && variable(*other) == own);
            self.states.extend(same.map(|other| (other, shape.clone())));
        }
        Ok(())
    }

    /// Returns the shapes by name. Without any, an input has the shape that it has anyway, so that ports are not compared.
    fn input_shapes(&self, graph: &Graph, source: &Source, facts: &Facts) -> Result<InputShapes, Refusal> {
        let name = |id: LayerId| graph.layer(id).map(|layer| graph.full_name(source, layer).into_owned());
        let own = |(id, _)| Some((name(id)?, facts.outputs(id).first()?.shape.clone()));
        let first = graph.entries().find(|(_, layer)| graph.kind(layer).role == Role::Parameter);
        let named: Vec<_> =
            self.parameters.iter().filter_map(|(id, shape)| Some((name(*id)?, shape.clone()))).collect();
        let shapes = if named.is_empty() { first.and_then(own).into_iter().collect() } else { named };
        if shapes.is_empty() {
            return Err("the model has no inputs".to_owned().into());
        }
        Ok(InputShapes::of(shapes))
    }
}

/// Whether all shapes that changed are inferred, and none is assumed.
fn is_inferred(after: &Model, before: &Model) -> bool {
    let mut known = BTreeMap::new();
    for visit in before.layers() {
        known.insert((visit.place.path(), visit.id), visit.place.beside.outputs(visit.id));
    }
    after.layers().all(|visit| {
        let (facts, id) = (visit.place.beside, visit.id);
        let old = known.get(&(visit.place.path(), id)).copied().unwrap_or_default();
        let is_known =
            |(i, fact): (usize, &Fact)| !fact.assumed || old.get(i).is_some_and(|old| old.shape == fact.shape);
        !facts.is_reachable(id) || facts.outputs(id).iter().enumerate().all(is_known)
    })
}
