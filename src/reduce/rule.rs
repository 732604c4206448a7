//! Reduction to what a rule reports.

use super::choice::{Choice, Treatment};
use super::document::What;
use super::draft::{Bytes, Candidate};
use super::original::Original;
use super::search::{Around, LARGEST, Search};
use super::{Reduced, Task};
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Rule, Severity, identity};
use crate::ir::{LayerId, Weights};
use crate::policy::Settings;
use crate::source::Span;
use petgraph::Direction::{self, Incoming, Outgoing};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// How far from the layer of the finding is looked first, and how far if that is not enough.
const NEAR: usize = 4;
const FAR: usize = 64;

/// Reduces a model to one finding of a rule: the first, or the first at a layer. `settings` must report the rule.
pub fn by_rule(task: &mut Task, settings: &Settings, rule: &Rule, layer: Option<&str>) -> Result<Reduced, String> {
    let original = Original::of(task.model)?;
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
    let place = Place::of(&original, &fault.finding);
    let (keep_weights, is_anonymous) = (task.keep_weights, task.is_anonymous);
    let mut search = Search::new(&original, &mut test, task);
    let is_near = place.is_within(&mut search, &bare, NEAR)? || place.is_within(&mut search, &packed, NEAR)? || {
        fault.match_by.set(By::Name);
        search.forget();
        place.is_within(&mut search, &bare, NEAR)?
    };
    if !is_near {
        fault.match_by.set(By::Message);
        place.is_anywhere(&mut search, &[bare, packed, whole])?;
    }
    search.thin(&place.own, &place.producers)?;
    search.hollow(Some(fault.finding.layer.as_ref().map_or(fault.finding.primary.span, |layer| layer.span)))?;
    search.lighten(keep_weights)?;
    if is_anonymous {
        fault.match_by.set(By::Id);
        search.anonymize()?;
    }
    let finding = fault.shown.take().unwrap_or_else(|| fault.finding.clone());
    Reduced::of(search, Some(finding))
}

/// Where the fault is.
struct Place {
    /// The layers that the finding is about.
    own: Vec<LayerId>,
    /// What is around these, and those that the finding points at as well.
    itself: Around,
    producers: Around,
    consumers: Around,
    both: Around,
}

impl Place {
    fn of(original: &Original, finding: &Diagnostic) -> Self {
        let (own, all) = owners(original, finding);
        let around = |seeds: &[LayerId], directions: &[Direction]| Around::of(original, seeds, directions);
        Self {
            itself: around(&own, &[]),
            producers: around(&all, &[Incoming]),
            consumers: around(&all, &[Outgoing]),
            both: around(&all, &[Incoming, Outgoing]),
            own,
        }
    }

    /// Looks at the layer and at those around it, up to a distance.
    fn is_within(&self, search: &mut Search, base: &Choice, most: usize) -> Result<bool, String> {
        if search.near(base, &self.itself, 0)? {
            return Ok(true);
        }
        for around in [&self.producers, &self.consumers, &self.both] {
            if search.near(base, around, most)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for the fault with the first of some choices that shows it, the last of which does.
    fn is_anywhere(&self, search: &mut Search, bases: &[Choice]) -> Result<(), String> {
        for base in bases {
            if search.holds(base.clone())? {
                if self.is_within(search, base, FAR)? {
                    return Ok(());
                }
                let order = search.narrow(base)?;
                return search.narrow_start(base, &order);
            }
        }
        Ok(())
    }
}

/// What is to be seen in the reduced model as well.
struct Fault<'a> {
    settings: &'a Settings,
    finding: Diagnostic,
    /// The rules that report errors in the original; others are not to come.
    errors: BTreeSet<&'static str>,
    /// What a finding must have in common with that of the original.
    match_by: Cell<By>,
    /// The finding in the last model that shows it.
    shown: RefCell<Option<Diagnostic>>,
}

impl<'a> Fault<'a> {
    fn of(model: &Model, settings: &'a Settings, rule: &Rule, layer: Option<&str>) -> Result<Self, String> {
        let path = model.source().path();
        let judged = settings.judge(path, model);
        let all: Vec<&Diagnostic> = judged.findings.iter().filter(|finding| finding.rule == rule).collect();
        let is_there = |finding: &&&Diagnostic| layer.is_none_or(|layer| place(finding).as_deref() == Some(layer));
        // What follows from another finding needs that one as well.
        let root = all.iter().filter(is_there).min_by_key(|finding| finding.consequence_of.is_some());
        let Some(finding) = root else {
            let name = rule.name;
            let mut others: Vec<String> =
                all.iter().filter_map(|finding| Some(format!("`{}`", place(finding)?))).collect();
            others.dedup();
            others.truncate(8);
            return Err(match layer {
                Some(layer) if !others.is_empty() => {
                    format!("{}: `{name}` is not reported at `{layer}`, only at {}", path.display(), others.join(", "))
                }
                _ => format!("{}: `{name}` is not reported there; see `ovlint check`", path.display()),
            });
        };
        let errors = judged.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let errors = errors.map(|finding| finding.rule.name).collect();
        let finding = Diagnostic::clone(finding);
        Ok(Self { settings, finding, errors, match_by: Cell::new(By::Message), shown: RefCell::default() })
    }

    fn is_same(&self, finding: &Diagnostic) -> bool {
        let (by, wanted) = (self.match_by.get(), &self.finding);
        let id = |finding: &Diagnostic| finding.layer.as_ref().map(|layer| (layer.id.clone(), layer.ty.clone()));
        let is_same = match by {
            By::Message => identity(finding) == identity(wanted) && finding.message == wanted.message,
            By::Name => identity(finding) == identity(wanted),
            By::Id => finding.rule == wanted.rule && id(finding) == id(wanted) && finding.port == wanted.port,
        };
        is_same && finding.runtime == wanted.runtime
    }

    /// Whether a candidate has the finding, and no error of a rule that reports none in the original.
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

/// What a finding of a candidate must have in common with that of the original, beside what OpenVINO does with the file.
#[derive(Clone, Copy, PartialEq)]
enum By {
    /// Its rule, the names of its layer and port, and its message.
    Message,
    /// The same without the message.
    Name,
    /// Its rule, its port and the id of its layer, as names are replaced.
    Id,
}

/// The layer that a finding is about, with those around it: `loop/body/add`.
fn place(finding: &Diagnostic) -> Option<String> {
    let layer = finding.layer.as_ref()?;
    let bodies = finding.body.iter().map(ToString::to_string);
    Some(bodies.chain([layer.name.clone()]).collect::<Vec<_>>().join("/"))
}

/// The layers that a finding is about, and those that it points at as well.
fn owners(original: &Original, finding: &Diagnostic) -> (Vec<LayerId>, Vec<LayerId>) {
    let own = owner(original, finding.layer.as_ref().map_or(finding.primary.span, |layer| layer.span));
    let labels = [&finding.primary].into_iter().chain(&finding.labels);
    let mut all: Vec<LayerId> = labels.flat_map(|label| owner(original, label.span)).chain(own.clone()).collect();
    all.sort_unstable();
    all.dedup();
    (own, all)
}

/// The layer that a part of the text belongs to, or the ends of the edge.
fn owner(original: &Original, span: Span) -> Vec<LayerId> {
    let parts = &original.document.parts;
    let at = parts.partition_point(|part| part.span.end <= span.start);
    match parts.get(at).filter(|_| !span.is_empty()).map(|part| part.what) {
        Some(What::Layer(layer)) => vec![layer],
        Some(What::Edge(from, to)) => [from, to].into_iter().filter(|end| *end != LayerId::NONE).collect(),
        _ => Vec::new(),
    }
}
