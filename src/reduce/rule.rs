//! Reduction of a model to one finding: that of a given rule or layer, or the worst.

use super::search::{LARGEST, Search};
use super::{Reduced, Task};
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::cut::{Around, Candidate, Choice, Original, PartKind, Treatment};
use crate::diagnostic::{Diagnostic, Rule, Severity, identity};
use crate::edit::Bytes;
use crate::ir::{LayerId, Weights};
use crate::policy::Settings;
use crate::source::Span;
use petgraph::Direction::{self, Incoming, Outgoing};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The radii, in edges, of the first and the second search around the layer of the finding.
const NEAR: usize = 4;
const FAR: usize = 64;

/// Reduces a model to one finding, of `rule` and at `layer` if they are given: the first of the worst without a cause or, if all
/// have one, the first of the worst. `settings` must report the rule.
pub fn by_rule(
    task: &mut Task,
    settings: &Settings,
    rule: Option<&Rule>,
    layer: Option<&str>,
) -> Result<Reduced, String> {
    let original = Original::of(task.model, "reduced")?;
    let fault = Fault::of(task.model, settings, rule, layer)?;
    let mut test = |candidate: &Candidate| Ok(fault.shows(&original, candidate));
    let whole = Choice::all(&original);
    let is_missing = !task.model.weights().is_available() && original.graph.weights_end() > 0;
    let bare = Choice {
        extras: vec![false; whole.extras.len()],
        largest: if task.keep_weights { u64::MAX } else { LARGEST },
        every_output: false,
        weights: if is_missing { Treatment::Whole } else { Treatment::Packed },
        ..whole.clone()
    };
    let packed = Choice { largest: u64::MAX, extras: whole.extras.clone(), ..bare.clone() };
    let site = FaultSite::of(&original, &fault.finding);
    let (keep_weights, is_anonymous) = (task.keep_weights, task.is_anonymous);
    let mut search = Search::new(&original, &mut test, task);
    let is_near = site.search_within(&mut search, &bare, NEAR)? || site.search_within(&mut search, &packed, NEAR)? || {
        fault.match_by.set(MatchBy::Name);
        search.forget();
        site.search_within(&mut search, &bare, NEAR)?
    };
    if !is_near {
        fault.match_by.set(MatchBy::Message);
        site.search_anywhere(&mut search, &[bare, packed, whole])?;
    }
    search.minimize(&site.own, &site.producers)?;
    search.remove_body_layers(Some(
        fault.finding.layer.as_ref().map_or(fault.finding.primary.span, |layer| layer.span),
    ))?;
    search.shrink_weights(keep_weights)?;
    if is_anonymous {
        fault.match_by.set(MatchBy::Id);
        search.anonymize()?;
    }
    let finding = fault.shown.take().unwrap_or_else(|| fault.finding.clone());
    Reduced::of(search, Some(finding))
}

/// The layers of the fault, and neighborhoods in which to search for it.
struct FaultSite {
    /// The layers that the finding is about.
    own: Vec<LayerId>,
    /// Only the `own` layers, without neighbors. The other three also have the layers as seeds that the labels of the finding
    /// point at.
    itself: Around,
    producers: Around,
    consumers: Around,
    both: Around,
}

impl FaultSite {
    fn of(original: &Original, finding: &Diagnostic) -> Self {
        let (own, all) = layers_of(original, finding);
        let around = |seeds: &[LayerId], directions: &[Direction]| Around::of(original, seeds, directions);
        Self {
            itself: around(&own, &[]),
            producers: around(&all, &[Incoming]),
            consumers: around(&all, &[Outgoing]),
            both: around(&all, &[Incoming, Outgoing]),
            own,
        }
    }

    /// Searches the layers of the finding alone, then their neighborhoods up to a distance.
    fn search_within(&self, search: &mut Search, base: &Choice, most: usize) -> Result<bool, String> {
        if search.search_near(base, &self.itself, 0)? {
            return Ok(true);
        }
        for around in [&self.producers, &self.consumers, &self.both] {
            if search.search_near(base, around, most)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches from the first of `bases` that shows the fault, then by prefixes and suffixes of the topological order.
    fn search_anywhere(&self, search: &mut Search, bases: &[Choice]) -> Result<(), String> {
        for base in bases {
            if search.try_choice(base.clone())? {
                if self.search_within(search, base, FAR)? {
                    return Ok(());
                }
                let order = search.shortest_prefix(base)?;
                return search.shortest_suffix(base, &order);
            }
        }
        Ok(())
    }
}

/// The finding that every accepted candidate must show.
struct Fault<'a> {
    settings: &'a Settings,
    finding: Diagnostic,
    /// The rules that report errors in the original. A candidate with an error of another rule is rejected: cutting caused it.
    errors: BTreeSet<&'static str>,
    /// The criterion by which a finding equals the original one.
    match_by: Cell<MatchBy>,
    /// The finding of the last accepted candidate.
    shown: RefCell<Option<Diagnostic>>,
}

impl<'a> Fault<'a> {
    fn of(model: &Model, settings: &'a Settings, rule: Option<&Rule>, layer: Option<&str>) -> Result<Self, String> {
        let path = model.source().path();
        let judged = settings.judge(path, model);
        let is_of_rule = |finding: &&Diagnostic| rule.is_none_or(|rule| finding.rule == rule);
        let all: Vec<&Diagnostic> = judged.findings.iter().filter(is_of_rule).collect();
        let is_there = |finding: &&&Diagnostic| layer.is_none_or(|layer| layer_path(finding).as_deref() == Some(layer));
        // A consequence also needs its cause, so prefer a root.
        let root = all
            .iter()
            .filter(is_there)
            .min_by_key(|finding| (finding.consequence_of.is_some(), std::cmp::Reverse(finding.severity)));
        let Some(finding) = root else {
            let of_rule = rule.map(|rule| format!(" of `{}`", rule.name)).unwrap_or_default();
            let mut others: Vec<String> =
                all.iter().filter_map(|finding| Some(format!("`{}`", layer_path(finding)?))).collect();
            others.dedup();
            others.truncate(8);
            return Err(match layer {
                Some(layer) if !others.is_empty() => {
                    format!(
                        "{}: there is no finding{of_rule} at `{layer}`, only at {}",
                        path.display(),
                        others.join(", ")
                    )
                }
                _ if of_rule.is_empty() => format!("{}: there is no finding to keep", path.display()),
                _ => format!(
                    "{}: there is no finding{of_rule}; run `ovlint check` to see what is reported",
                    path.display()
                ),
            });
        };
        let errors = judged.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let errors = errors.map(|finding| finding.rule.name).into_set();
        let finding = Diagnostic::clone(finding);
        Ok(Self { settings, finding, errors, match_by: Cell::new(MatchBy::Message), shown: RefCell::default() })
    }

    fn is_same(&self, finding: &Diagnostic) -> bool {
        let (by, wanted) = (self.match_by.get(), &self.finding);
        let id = |finding: &Diagnostic| finding.layer.as_ref().map(|layer| (layer.id.clone(), layer.ty.clone()));
        let is_same = match by {
            MatchBy::Message => identity(finding) == identity(wanted) && finding.message == wanted.message,
            MatchBy::Name => identity(finding) == identity(wanted),
            MatchBy::Id => finding.rule == wanted.rule && id(finding) == id(wanted) && finding.port == wanted.port,
        };
        is_same && finding.runtime == wanted.runtime
    }

    /// Whether a candidate has the finding, and no error of a rule that reported none in the original.
    fn shows(&self, original: &Original, candidate: &Candidate) -> bool {
        let weights = match &candidate.weights {
            Bytes::Original(_) => None,
            Bytes::New(bytes) => {
                let mut weights = Weights::in_memory(bytes.clone());
                weights.path.clone_from(&original.model.weights().path);
                Some(weights)
            }
        };
        let Ok(model) = original.model.rewritten(candidate.xml.clone(), weights) else { return false };
        let judged = self.settings.judge(original.source.path(), &model);
        let is_new =
            |finding: &Diagnostic| finding.severity == Severity::Error && !self.errors.contains(finding.rule.name);
        let found = judged.findings.iter().find(|finding| self.is_same(finding)).cloned();
        let shows = found.is_some() && !judged.findings.iter().any(is_new);
        if shows {
            self.shown.replace(found);
        }
        shows
    }
}

/// The criteria by which a finding of a candidate equals the original one. `runtime`, what OpenVINO does, must always match.
#[derive(Clone, Copy, PartialEq)]
enum MatchBy {
    /// Its rule, layer name, port and message.
    Message,
    /// The same without the message, which may quote shapes that change.
    Name,
    /// Its rule, port, layer id and layer type, as anonymizing replaces names.
    Id,
}

/// Returns the path of the layer that a finding is about: `loop/body/add`.
fn layer_path(finding: &Diagnostic) -> Option<String> {
    let layer = finding.layer.as_ref()?;
    let bodies = finding.body.iter().map(ToString::to_string);
    Some(bodies.chain([layer.name.clone()]).collect::<Vec<_>>().join("/"))
}

/// Returns the layers that a finding is about, and these together with all layers that its labels point at.
fn layers_of(original: &Original, finding: &Diagnostic) -> (Vec<LayerId>, Vec<LayerId>) {
    let own = layers_at(original, finding.layer.as_ref().map_or(finding.primary.span, |layer| layer.span));
    let labels = [&finding.primary].into_iter().chain(&finding.labels);
    let mut all: Vec<LayerId> = labels.flat_map(|label| layers_at(original, label.span)).chain(own.clone()).collect();
    all.sort_unstable();
    all.dedup();
    (own, all)
}

/// Returns the layer whose text a span is in; for the text of an edge, both of its ends.
fn layers_at(original: &Original, span: Span) -> Vec<LayerId> {
    let parts = &original.document.parts;
    let at = parts.partition_point(|part| part.span.end <= span.start);
    match parts.get(at).filter(|_| !span.is_empty()).map(|part| part.kind) {
        Some(PartKind::Layer(layer)) => vec![layer],
        Some(PartKind::Edge(from, to)) => [from, to].into_iter().filter(|end| *end != LayerId::NONE).collect(),
        _ => Vec::new(),
    }
}
