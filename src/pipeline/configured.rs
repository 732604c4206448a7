//! Links between models that a configuration names.

use super::check::{Check, Member, Place, elsewhere, with};
use super::companion::Companion;
use super::demand::{differ, met, span};
use super::folder::{Configured, End};
use super::loader::Levels;
use super::rules::PIPELINE_LINK;
use crate::diagnostic::{Diagnostic, Direction, Elsewhere, Severity};
use crate::ir;
use crate::recipe::Port;
use crate::source::Source;
use crate::types::{ElementType, Fact, bare_fact};

/// Checks that every output of a link fits every input.
pub(super) fn check(check: &mut Check, configured: &Configured) {
    let Configured { path, text, links } = configured;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    check.companions.insert(name.clone(), Some(Companion::of_text(path.clone(), text.clone())));
    let source = Source::new(path, text.as_bytes().to_vec());
    let (mut met_ports, mut found) = (Vec::new(), Vec::new());
    for [from, to] in links {
        let place = Some((from.span, source.position(from.span.start), source.position(from.span.end)));
        let link = Elsewhere { path: path.clone(), place, message: "they are linked here".into() };
        let mut wrong = Vec::new();
        let outputs = ports(check, from, Direction::Output, &mut wrong);
        let inputs = ports(check, to, Direction::Input, &mut wrong);
        for (from, to) in outputs.iter().flat_map(|from| inputs.iter().map(move |to| (*from, *to))) {
            let misfit = misfit(from, to);
            let Some(mut met) = met(from, to, misfit.is_none()) else { continue };
            (met.from, met.to) = (from.0.name.to_owned(), to.0.name.to_owned());
            met.finding = misfit.as_ref().map(|finding| finding.primary.span);
            met_ports.push(met);
            found.extend(misfit.map(|finding| (Place::Member(to.0.index), with(finding, link.clone()))));
        }
        found.extend(wrong.into_iter().map(|finding| (Place::Companion(name.clone()), finding)));
    }
    check.met = met_ports;
    for (place, finding) in found {
        check.report(Levels::all(Severity::Error), place, finding);
    }
}

/// Returns the ports that an end names, and adds a finding for each model without exactly one.
fn ports<'c, 'a>(
    check: &'c Check<'a>,
    end: &End,
    side: Direction,
    wrong: &mut Vec<Diagnostic>,
) -> Vec<(&'c Member<'a>, &'c Port<'a>)> {
    let mut found = Vec::new();
    for member in check.members.iter().filter(|member| end.members.contains(&member.index)) {
        let view = &member.view;
        let source = |port: &Port| view.graph().inputs(port.layer).first().and_then(ir::Port::source);
        let mut named: Vec<&Port> = view.ports(side).iter().filter(|port| port.is(&end.tensor)).collect();
        // Two outputs may be the same tensor.
        named.dedup_by(|a, b| side == Direction::Output && source(a) == source(b));
        if let [port] = named[..] {
            found.push((member, port));
            continue;
        }
        let (file, tensor) = (member.name, &end.tensor);
        let message = match named.len() {
            0 => format!("no {side} of `{file}.xml` has the tensor name `{tensor}`"),
            count => format!("{count} {side}s of `{file}.xml` have the tensor name `{tensor}`, wanted one"),
        };
        wrong.push(Diagnostic::new(&PIPELINE_LINK, end.span, message).note(view.listed(side)));
    }
    found
}

/// Returns the finding about an input that never takes the output, because type, rank or a dimension differs.
fn misfit((from, output): (&Member, &Port), (to, input): (&Member, &Port)) -> Option<Diagnostic> {
    let (gives, takes) = (output.fact.as_ref()?, input.fact.as_ref()?);
    if fits(gives, takes) {
        return None;
    }
    let (gives, takes, name) = (bare_fact(gives), bare_fact(takes), to.view.name(input));
    let message = format!("{name} of `{}.xml` is {takes}, but `{}.xml` outputs {gives}", to.name, from.name);
    let place = span(&to.view, Direction::Input, input);
    let finding = to.view.about(&PIPELINE_LINK, input.layer, place, message);
    let given = format!("{} is {gives}", from.view.name(output));
    Some(with(finding, elsewhere(from, output.layer.tag, given)))
}

/// Whether some tensor has both facts.
fn fits(gives: &Fact, takes: &Fact) -> bool {
    let same_type = gives.ty == takes.ty || [gives.ty, takes.ty].contains(&ElementType::Dynamic);
    let Some((given, taken)) = gives.shape.dims().zip(takes.shape.dims()) else { return same_type };
    let mut dims = given.iter().zip(taken);
    same_type && given.len() == taken.len() && !dims.any(|(given, taken)| differ(Some(*given), Some(*taken)))
}
