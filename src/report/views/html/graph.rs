//! The graphs of a model, bodies included, as data that the HTML page draws. Most properties of layers are lists with one
//! entry per layer; some list only the layers concerned. Groups have their layout.

use super::SHOWN;
use super::numbered::Numbered;
use super::steps::StepTable;
use crate::analysis::Model;
use crate::domain::Names;
use crate::infer::Facts;
use crate::ir::{Attribute, BodyKind, Graph, Kind, Layer, LayerId, Port, Role, unescape};
use crate::query::groups::{Group, Item};
use crate::query::layout::{Place, Size};
use crate::query::picture::{Drawn, Picture};
use crate::query::why::SingleSteps;
use crate::source::Lines;
use crate::text::{counted, escape};
use crate::types::{Fact, bare_fact};
use serde::Serialize;
use std::collections::HashMap;

/// The maximum number of layers of a model whose graph the page shows.
const LAYERS: usize = 100_000;

/// The maximum number of elements of a value that is shown; a longer one is not shown at all.
const ELEMENTS: usize = 64;

/// The maximum number of attributes of a layer that are shown.
const ATTRIBUTES: usize = 40;

/// The maximum number of inputs, and of outputs, of a layer that are shown.
const PORTS: usize = 1_000;

/// The owner of a body: the indices of graph and layer, and the kind of body; `None` for the main graph.
type Owner = Option<(usize, usize, &'static str)>;

#[derive(Serialize)]
pub(super) struct GraphData {
    owner: Owner,
    kinds: Vec<KindData>,
    id: Vec<String>,
    name: Vec<String>,
    kind: Vec<u32>,
    line: Vec<u32>,
    /// Per layer, a flat list of two numbers per input: the producing layer, or -1 for none, and its output.
    inputs: Vec<Vec<i64>>,
    /// Per layer, a flat list of two indices of texts per output: its fact with names of dimensions, and its fact with
    /// the elements, if they are few. The first is `-1 - index` if the fact is assumed.
    outputs: Vec<Vec<i64>>,
    /// Per layer, the number of the text that lists its attributes.
    attributes: Vec<usize>,
    /// Layers that cannot be inferred, so that their outputs are assumed.
    assumed: Vec<usize>,
    /// For every constant: the layer, the first byte and the number of bytes.
    constants: Vec<(usize, u64, u64)>,
    /// Per layer, the number of its `why` steps in the [`StepTable`].
    why: Vec<usize>,
    /// The layers with boxes; groups refer to them by index.
    boxes: Vec<usize>,
    groups: Vec<GroupData>,
}

#[derive(Serialize)]
struct KindData {
    #[serde(rename = "type")]
    ty: String,
    version: String,
    role: &'static str,
    inputs: Vec<&'static str>,
}

#[derive(Serialize)]
struct GroupData {
    path: String,
    /// The first and the last box, if the group is a run of boxes that share no name.
    run: Option<(usize, usize)>,
    parent: Option<usize>,
    layers: usize,
    width: i32,
    height: i32,
    /// The items: 1 for a group or 0 for a box, its number, x, y, width and height.
    items: Vec<(u8, usize, i32, i32, i32, i32)>,
    /// The links: the items at both ends, layer and output of the first tensor, the number of tensors, and a flat list of the
    /// coordinates of the route; `None` for a link that is only labelled at its ends.
    links: Vec<(usize, usize, usize, u32, usize, Route)>,
    /// Links from other groups: the item, layer and output of the first tensor, and the number of links.
    enter: Vec<(usize, usize, u32, usize)>,
    /// Links to other groups: the item, the first consumer, and the number of links.
    leave: Vec<(usize, usize, usize)>,
}

type Route = Option<Vec<i32>>;

/// The graphs of a model.
#[derive(Default)]
pub(super) struct Graphs {
    pub(super) all: Vec<GraphData>,
    /// The indices of the graph and of the layer in it, by the offset of the layer's tag.
    pub(super) layers: HashMap<u32, (usize, usize)>,
    pub(super) steps: StepTable,
    /// The note about omissions.
    pub(super) note: Option<String>,
}

/// Collects the graphs of a model, with the shapes of `symbolic`, the same model inferred with symbols.
pub(super) fn graphs(model: &Model, symbolic: &Model, strings: &mut Numbered<String>) -> Graphs {
    let (steps, names) = (SingleSteps::new(model), symbolic.names());
    let lines = Lines::new(model.source());
    let mut writer = Writer { model, names, lines, strings, steps, table: StepTable::default() };
    let (mut all, mut layers) = (Vec::new(), HashMap::new());
    let (Some(net), Some(facts)) = (symbolic.net(), symbolic.facts()) else { return Graphs::default() };
    let count = net.graph.layer_count();
    if count > LAYERS {
        let most = counted(LAYERS, "layer");
        let note = format!("{} are too many for a graph, the limit is {most}", counted(count, "layer"));
        return Graphs { note: Some(note), ..Graphs::default() };
    }
    // A work list replaces recursion, because bodies may be nested deeply.
    let mut open = vec![(&net.graph, facts, None, Vec::new())];
    let mut at = 0;
    while let Some((graph, facts, owner, path)) = open.get(at).cloned() {
        all.push(writer.graph(graph, facts, owner, &path));
        for (id, layer) in graph.entries() {
            layers.insert(layer.tag.start, (at, id.index()));
            let owner = |kind: BodyKind| Some((at, id.index(), kind.name()));
            let path = |kind: BodyKind| [path.as_slice(), &[(id, kind)]].concat();
            let bodies = facts.bodies(id, layer);
            open.extend(bodies.map(|(body, inner)| (&body.graph, inner, owner(body.kind), path(body.kind))));
        }
        at += 1;
    }
    let cut = writer.steps.is_cut().then(|| "not all shapes are explained here; `ovlint why` does".to_owned());
    Graphs { all, layers, steps: writer.table, note: cut }
}

struct Writer<'a, 's> {
    model: &'a Model,
    names: Option<Names<'a>>,
    lines: Lines<'a>,
    strings: &'s mut Numbered<String>,
    steps: SingleSteps<'a>,
    table: StepTable,
}

impl Writer<'_, '_> {
    fn graph(&mut self, graph: &Graph, facts: &Facts, owner: Owner, path: &[(LayerId, BodyKind)]) -> GraphData {
        let source = self.model.source();
        let picture = Picture::of(graph, facts, source);
        let layers = || graph.entries();
        let id = |layer: &Layer| layer.id.map_or_else(String::new, |id| id.to_string());
        let constant = |(at, layer)| {
            let constant = graph.constant(layer)?;
            Some((LayerId::index(at), constant.offset, constant.size))
        };
        let drawn = picture.groups.iter().zip(picture.drawn);
        let said = self.steps.graph(path);
        GraphData {
            owner,
            kinds: graph.kinds.iter().map(kind).collect(),
            id: layers().map(|(_, layer)| id(layer)).collect(),
            name: layers().map(|(_, layer)| escape::line(&graph.name(source, layer), SHOWN)).collect(),
            kind: layers().map(|(_, layer)| layer.kind).collect(),
            line: layers().map(|(_, layer)| self.lines.position(layer.tag.start).line).collect(),
            inputs: layers().map(|(_, layer)| inputs(graph.inputs(layer))).collect(),
            assumed: layers().filter(|(at, _)| facts.is_assumed(*at)).map(|(at, _)| at.index()).collect(),
            constants: layers().filter_map(constant).collect(),
            outputs: layers().map(|(at, _)| self.outputs(facts.outputs(at))).collect(),
            attributes: layers().map(|(_, layer)| self.attributes(graph, layer)).collect(),
            why: layers().zip(&said).map(|((_, layer), said)| self.table.number(layer, said)).collect(),
            boxes: picture.layers.iter().map(|id| id.index()).collect(),
            groups: drawn.map(|(own, drawn)| group(own, drawn)).collect(),
        }
    }

    fn outputs(&mut self, facts: &[Fact]) -> Vec<i64> {
        let mut flat = Vec::with_capacity(2 * facts.len());
        for fact in facts.iter().take(PORTS) {
            let named = self.names.as_ref().map_or_else(|| bare_fact(fact), |names| names.fact(fact));
            let is_small = fact.value.as_ref().is_some_and(|value| value.len() <= ELEMENTS);
            let whole = if is_small { fact.to_string() } else { bare_fact(fact) };
            let number = |text: usize| i64::try_from(text).unwrap_or_default();
            let (named, whole) =
                (number(self.strings.number(named.as_str())), number(self.strings.number(whole.as_str())));
            flat.extend([if fact.assumed { -1 - named } else { named }, whole]);
        }
        flat
    }

    /// Returns the number of the text that lists the attributes of a layer, one per line: `axis=1`.
    fn attributes(&mut self, graph: &Graph, layer: &Layer) -> usize {
        let source = self.model.source();
        let line = |span| escape::line(&unescape(source.slice(span)), SHOWN);
        let all = graph.attrs(layer);
        let attribute = |attr: &Attribute| format!("{}={}", line(attr.name), line(attr.value));
        let mut text: Vec<String> = all.iter().take(ATTRIBUTES).map(attribute).collect();
        text.extend((all.len() > ATTRIBUTES).then(|| format!("and {} more", all.len() - ATTRIBUTES)));
        self.strings.number(text.join("\n").as_str())
    }
}

fn kind(kind: &Kind) -> KindData {
    let inputs =
        kind.spec().map(|spec| spec.inputs.iter().filter(|input| !input.variadic).map(|input| input.name).collect());
    let role = match kind.role {
        Role::Parameter => "parameter",
        Role::Result => "result",
        Role::Const => "const",
        _ => "",
    };
    let line = |text| escape::line(text, SHOWN);
    KindData { ty: line(&kind.ty), version: line(&kind.version), role, inputs: inputs.unwrap_or_default() }
}

fn inputs(ports: &[Port]) -> Vec<i64> {
    let flat = |port: &Port| {
        let from =
            port.source().and_then(|from| Some((i64::try_from(from.layer.index()).ok()?, i64::from(from.output))));
        from.map_or([-1, 0], |(layer, output)| [layer, output])
    };
    ports.iter().take(PORTS).flat_map(flat).collect()
}

fn group(own: &Group, drawn: Drawn) -> GroupData {
    let Drawn { items, sizes, links, layout, enter, leave } = drawn;
    let placed = items.iter().zip(&sizes).zip(&layout.places);
    let item = |((item, size), place): ((&Item, &Size), &Place)| {
        let Size { width, height, .. } = *size;
        let (is_group, number) = match *item {
            Item::Box(number) => (0, number),
            Item::Group(number) => (1, number),
        };
        (is_group, number, place.x, place.y, width, height)
    };
    let flat = |route: Vec<Place>| route.into_iter().flat_map(|point| [point.x, point.y]).collect();
    let links = links.into_iter().zip(layout.routes).map(|(link, route)| {
        let tensor = link.tensor;
        (link.from, link.to, tensor.layer.index(), tensor.output, link.count, route.map(flat))
    });
    GroupData {
        path: escape::line(&own.path, SHOWN),
        run: own.run,
        parent: own.parent,
        layers: own.size,
        width: layout.width,
        height: layout.height,
        items: placed.map(item).collect(),
        links: links.collect(),
        enter: enter.into_iter().map(|(item, from, count)| (item, from.layer.index(), from.output, count)).collect(),
        leave: leave.into_iter().map(|(item, to, count)| (item, to.index(), count)).collect(),
    }
}
