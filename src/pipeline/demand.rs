//! Tensors that loaders ask for by name, and lengths that must meet between two members.

use super::check::{Check, Member, Place, called, elsewhere, with};
use super::loader::Levels;
use super::overview::Met;
use super::rules::{PIPELINE_LINK, PIPELINE_TENSOR};
use super::stated::{contradicted, explained};
use crate::diagnostic::{Diagnostic, Direction, Severity};
use crate::ir::{LayerId, Role};
use crate::recipe::{Port, View, is_attention};
use crate::source::Span;
use crate::types::{Dim, ElementType, Fact, bare_fact};
use std::collections::{BTreeMap, BTreeSet};

/// A tensor that a loader sets or reads.
pub(super) struct Demand {
    /// The model, by its path from the folder without `.xml`.
    pub member: &'static str,
    pub side: Direction,
    /// The tensor name; empty for the first input or output.
    pub name: &'static str,
    /// The element type that the loader sets or reads.
    pub ty: Option<ElementType>,
    pub rank: Option<usize>,
    /// The levels if there is no such tensor; `Off` for one that may be missing.
    pub absent: Levels,
    /// The levels if the tensor has another type or rank.
    pub other: Levels,
    /// The levels if a length is known on another axis than those in `may_be_known`.
    pub fixed: Levels,
    /// The axes whose lengths may be known.
    pub may_be_known: &'static [usize],
}

/// A demand that a tensor is there, with levels for all that may be wrong with it.
pub(super) const fn tensor(
    member: &'static str,
    side: Direction,
    name: &'static str,
    ty: Option<ElementType>,
    rank: Option<usize>,
    levels: Levels,
) -> Demand {
    Demand {
        member,
        side,
        name,
        ty,
        rank,
        absent: levels,
        other: levels,
        fixed: Levels::all(Severity::Off),
        may_be_known: &[],
    }
}

impl Demand {
    /// The same demand, with other levels for a tensor that is missing.
    pub(super) const fn absent(self, levels: Levels) -> Self {
        Self { absent: levels, ..self }
    }

    /// The same demand of a tensor that may be missing.
    pub(super) const fn optional(self) -> Self {
        self.absent(Levels::all(Severity::Off))
    }

    /// The same demand of a tensor whose lengths must be open, but for those of some axes.
    pub(super) const fn open(self, levels: Levels, may_be_known: &'static [usize]) -> Self {
        Self { fixed: levels, may_be_known, ..self }
    }
}

/// Checks demands on the members that are there.
pub(super) fn demands(check: &mut Check, demands: &[Demand]) {
    for demand in demands {
        let Some(member) = check.member(demand.member) else { continue };
        let found = faults(check, member, demand);
        let index = member.index;
        for (levels, finding) in found {
            check.report(levels, Place::Member(index), finding);
        }
    }
}

fn faults(check: &Check, member: &Member, demand: &Demand) -> Vec<(Levels, Diagnostic)> {
    let (view, side) = (&member.view, demand.side);
    let ports = view.ports(side);
    let port = if demand.name.is_empty() { ports.first() } else { ports.iter().find(|port| port.is(demand.name)) };
    let Some(port) = port else {
        let wants = format!("{} requires it", check.minding(demand.absent));
        let message = format!("no {side} of `{}` has the tensor name `{}`", called(member.name), demand.name);
        let finding = view.about_model(&PIPELINE_TENSOR, message).note(view.listed(side)).note(wants);
        return vec![(demand.absent, finding)];
    };
    let Some(fact) = &port.fact else { return Vec::new() };
    let mut found = Vec::new();
    let wants = wanted(demand);
    let about = |levels: Levels, what: String| {
        let verb = if side == Direction::Input { "sets" } else { "reads" };
        let message = format!("{side} {} of {} {what}", view.name(port), called(member.name));
        let finding = view.about(&PIPELINE_TENSOR, port.layer, span(view, side, port), message);
        (levels, finding.note(format!("{} {verb} {wants}", check.minding(levels))))
    };
    let is_other = demand.ty.is_some_and(|ty| fact.ty != ty && fact.ty != ElementType::Dynamic);
    let has_other_rank = demand.rank.zip(fact.rank()).is_some_and(|(wanted, rank)| wanted != rank);
    if is_other || has_other_rank {
        found.push(about(demand.other, format!("is {}, wanted {wants}", bare_fact(fact))));
    } else if let Some(dims) = fact.shape.dims()
        && let Some((axis, dim)) =
            dims.iter().enumerate().find(|(axis, dim)| dim.is_exact() && !demand.may_be_known.contains(axis))
    {
        found.push(about(
            demand.fixed,
            format!("is {}: dimension {axis} is always {dim}, wanted one that is open", bare_fact(fact)),
        ));
    }
    found
}

/// Reports an input that openvino.genai does not set, or an output too many. The first of the names must be there: without one,
/// another tensor may stand for it.
pub(super) fn only(check: &mut Check, levels: Levels, member: &str, side: Direction, names: &[&str], required: usize) {
    let Some(member) = check.member(member) else { return };
    let view = &member.view;
    let ports = view.ports(side);
    if names.iter().take(required).any(|name| !ports.iter().any(|port| port.is(name))) {
        return;
    }
    let surplus = |port: &&Port| {
        !names.iter().any(|name| port.is(name))
            && (side == Direction::Output || is_open(port) && matters(view, port, false))
    };
    if let Some(port) = ports.iter().find(surplus) {
        let (index, finding) = (member.index, one_too_many(member, side, port));
        check.report(levels, Place::Member(index), finding);
    }
}

/// Creates the finding about an input that nobody sets, or an output that nobody wants.
pub(super) fn one_too_many(member: &Member, side: Direction, port: &Port) -> Diagnostic {
    let is_input = side == Direction::Input;
    let what = if is_input { "openvino.genai does not set it" } else { "openvino.genai takes models with one output" };
    let (view, name) = (&member.view, member.view.name(port));
    let message = format!("{side} {name} of {} is one too many: {what}", called(member.name));
    view.about(&PIPELINE_TENSOR, port.layer, span(view, side, port), message)
}

/// Whether a tensor that nobody sets stays empty: its shape is not known.
pub(super) fn is_open(port: &Port) -> bool {
    let dims = port.fact.as_ref().and_then(|fact| fact.shape.dims());
    dims.is_none_or(|dims| !dims.iter().all(|dim| dim.is_exact()))
}

/// Whether an input has to do with an output; masks of attention are left out if the loader drops them.
pub(super) fn matters(view: &View, port: &Port, drops_masks: bool) -> bool {
    /// The input of an attention that takes the mask.
    const MASK: usize = 3;
    let graph = view.graph();
    let mut takers: BTreeMap<LayerId, Vec<LayerId>> = BTreeMap::new();
    for (id, layer) in view.layers() {
        for at in 0..graph.inputs(layer).len() {
            let is_mask = drops_masks && at == MASK && is_attention(view, layer);
            if let Some((from, _)) = view.producer(layer, at).filter(|_| !is_mask) {
                takers.entry(from).or_default().push(id);
            }
        }
    }
    let (mut open, mut seen) = (vec![port.index], BTreeSet::from([port.index]));
    while let Some(id) = open.pop() {
        if graph.layer(id).is_some_and(|layer| graph.kind(layer).role == Role::Result) {
            return true;
        }
        open.extend(takers.get(&id).into_iter().flatten().filter(|id| seen.insert(**id)));
    }
    false
}

/// Reports a model with more inputs or outputs than openvino.genai sets or reads.
pub(super) fn at_most(check: &mut Check, levels: Levels, name: &str, side: Direction, most: usize) {
    let Some(member) = check.member(name) else { return };
    let count = member.view.ports(side).len();
    if count > most {
        let message = format!("the {} has {count} {side}s, wanted {most}", called(name));
        let finding = member.view.about_model(&PIPELINE_TENSOR, message).note(member.view.listed(side));
        let index = member.index;
        check.report(levels, Place::Member(index), finding);
    }
}

/// The type and shape that a demand asks for, such as `f32[?,?,?]`.
fn wanted(demand: &Demand) -> String {
    let ty = demand.ty.map_or("", ElementType::name);
    match demand.rank {
        Some(rank) => format!("{ty}[{}]", vec!["?"; rank].join(",")),
        None => format!("{ty}[...]"),
    }
}

/// The place of an input or output: its names, or its tag.
pub(super) fn span(view: &View, side: Direction, port: &Port) -> Span {
    if side == Direction::Input { view.names_span(port) } else { port.layer.tag }
}

/// An output of one member, and the input of another that takes it.
pub(super) struct Link {
    pub from: (&'static str, Which),
    pub to: (&'static str, Which),
    /// The axes whose lengths must be equal, from the front or, below 0, from the back.
    pub axes: &'static [isize],
    pub levels: Levels,
}

/// The link from the encoder to the decoder of a pipeline that has these two.
pub(super) const ENCODED: Link = Link {
    from: ("openvino_encoder_model", Which::Named("last_hidden_state")),
    to: ("openvino_decoder_model", Which::Named("encoder_hidden_states")),
    axes: &[1, 2],
    levels: Levels::all(Severity::Error),
};

/// An input or output of a model.
#[derive(Clone, Copy)]
pub(super) enum Which {
    /// The one with a tensor name.
    Named(&'static str),
    /// The one at an index.
    At(usize),
}

impl Which {
    pub(super) fn of<'p, 'a>(self, ports: &'p [Port<'a>]) -> Option<&'p Port<'a>> {
        match self {
            Self::Named(name) => ports.iter().find(|port| port.is(name)),
            Self::At(index) => ports.get(index),
        }
    }

    /// The tensor name; empty for an index.
    fn name(self) -> &'static str {
        match self {
            Self::Named(name) => name,
            Self::At(_) => "",
        }
    }
}

/// Checks that what members give fits what others take.
pub(super) fn links(check: &mut Check, links: &[Link]) {
    for link in links {
        let Some((mut met, misfit)) = meet(check, link) else { continue };
        let found = misfit.and_then(|misfit| misfit_of(check, link, misfit));
        if let Some((met, (_, finding))) = met.as_mut().zip(found.as_ref()) {
            met.finding = Some(finding.primary.span);
        }
        check.met.extend(met);
        if let Some((index, finding)) = found {
            check.report(link.levels, Place::Member(index), finding);
        }
    }
}

/// An axis on which the two tensors of a link have different sizes, that of the giver and that of the taker.
type Misfit = (isize, [Dim; 2]);

/// The tensors of a link and the axis on which they do not fit; `None` if a tensor is missing.
fn meet(check: &Check, link: &Link) -> Option<(Option<Met>, Option<Misfit>)> {
    let (from, to) = (check.member(link.from.0)?, check.member(link.to.0)?);
    let (output, input) = (link.from.1.of(&from.view.outputs)?, link.to.1.of(&to.view.inputs)?);
    let (gives, takes) = (output.fact.as_ref()?, input.fact.as_ref()?);
    let sizes = |axis: isize| Some([dim(gives, axis)?, dim(takes, axis)?]);
    let mut all = link.axes.iter().filter_map(|axis| Some((*axis, sizes(*axis)?)));
    let misfit = all.find(|(_, [given, wanted])| differ(Some(*given), Some(*wanted)));
    Some((met((from, output), (to, input), misfit.is_none()), misfit))
}

/// Creates the finding about two members that do not fit. It is about the one that takes, unless the other one contradicts its
/// own configuration.
fn misfit_of(check: &mut Check, link: &Link, (axis, sizes): Misfit) -> Option<(usize, Diagnostic)> {
    let [mut giver, taker] = [(link.from, sizes[0]), (link.to, sizes[1])]
        .map(|((member, which), size)| contradicted(check, (member, which.name()), axis, size));
    giver = giver.filter(|_| taker.is_none());
    let (from, to) = (check.member(link.from.0)?, check.member(link.to.0)?);
    let (output, input) = (link.from.1.of(&from.view.outputs)?, link.to.1.of(&to.view.inputs)?);
    let (gives, takes) = (output.fact.as_ref()?, input.fact.as_ref()?);
    let (name, at) = (to.view.name(input), at(takes, axis));
    let [given, wanted] = sizes;
    let message = format!(
        "{name} of {} has size {wanted} in dimension {at}, but {} outputs size {given}",
        called(to.name),
        called(from.name)
    );
    let place = to.view.names_span(input);
    let [gives, takes] = [(from, output, gives), (to, input, takes)]
        .map(|(member, port, fact)| format!("{} is {}", member.view.name(port), bare_fact(fact)));
    let (index, finding) = if giver.is_some() {
        let finding = from.view.about(&PIPELINE_LINK, output.layer, output.layer.tag, message);
        (from.index, with(finding.note(gives), elsewhere(to, place, takes)))
    } else {
        let finding = to.view.about(&PIPELINE_LINK, input.layer, place, message);
        (to.index, with(finding.note(takes), elsewhere(from, output.layer.tag, gives)))
    };
    Some((
        index,
        match giver.or(taker) {
            Some(contradicted) => explained(finding, contradicted),
            None => finding.help("export both from the same checkpoint"),
        },
    ))
}

/// Creates the link of two ports; `None` if nothing is known of one.
pub(super) fn met((from, output): (&Member, &Port), (to, input): (&Member, &Port), fits: bool) -> Option<Met> {
    Some(Met {
        from: called(from.name),
        output: from.view.name(output),
        gives: bare_fact(output.fact.as_ref()?),
        to: called(to.name),
        input: to.view.name(input),
        takes: bare_fact(input.fact.as_ref()?),
        fits,
        finding: None,
    })
}

/// Returns the dimension at an axis.
pub(super) fn dim(fact: &Fact, axis: isize) -> Option<Dim> {
    let dims = fact.shape.dims()?;
    let axis = if axis < 0 { dims.len().checked_add_signed(axis)? } else { axis.unsigned_abs() };
    dims.get(axis).copied()
}

fn at(fact: &Fact, axis: isize) -> usize {
    let rank = fact.rank().unwrap_or_default();
    if axis < 0 { rank.saturating_add_signed(axis) } else { axis.unsigned_abs() }
}

/// Whether two dimensions can never be equal.
pub(super) fn differ(a: Option<Dim>, b: Option<Dim>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.merge(b).is_none())
}
