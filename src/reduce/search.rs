//! The search for the smallest choice that still shows the fault. A test may run a script for seconds, so it uses few tests.

use super::Task;
use crate::cut::{Around, BodyRef, Candidate, Choice, Original, Plan, Treatment, is_choosable, set};
use crate::ir::LayerId;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The predicate of the search: true if a candidate shows the fault. An error ends the search.
pub(super) type Test<'t> = dyn FnMut(&Candidate) -> Result<bool, String> + 't;

/// The target size of the weights in bytes; a candidate with more needs further reduction.
const WEIGHTS: u64 = 1 << 16;

/// The size in bytes above which constants are removed and replaced, if the fault survives that.
pub(super) const LARGEST: u64 = 1 << 12;

/// The stricter size, applied constant by constant if [`LARGEST`] does not reach [`WEIGHTS`].
const SMALL: u64 = 1 << 7;

/// A delta-debugging search and its best candidate.
pub(super) struct Search<'a> {
    pub original: &'a Original<'a>,
    pub test: &'a mut Test<'a>,
    /// The callback for every accepted candidate, with the number of tests so far.
    pub progress: &'a mut dyn FnMut(&Candidate, usize),
    pub calls: usize,
    /// Maximum number of calls of `test`; `is_cut_off` is set once it stops the search.
    pub most: usize,
    pub is_cut_off: bool,
    pub best: Option<(Choice, Candidate)>,
    /// Hashes of candidates that do not show the fault.
    refuted: HashSet<u64>,
}

impl<'a> Search<'a> {
    pub(super) fn new(original: &'a Original<'a>, test: &'a mut Test<'a>, task: &'a mut Task) -> Self {
        let (most, progress) = (task.most_candidates, &mut *task.progress);
        Self { original, test, progress, calls: 0, most, is_cut_off: false, best: None, refuted: HashSet::new() }
    }

    /// Returns whether a choice shows the fault; if so, it becomes the best. Known results are not tested again.
    pub(super) fn try_choice(&mut self, choice: Choice) -> Result<bool, String> {
        let candidate = Candidate::of(self.original, &choice);
        let mut hasher = DefaultHasher::new();
        (&candidate.xml, &candidate.weights).hash(&mut hasher);
        let key = hasher.finish();
        if self.refuted.contains(&key) {
            return Ok(false);
        }
        let is_same = |(_, best): &(Choice, Candidate)| best.xml == candidate.xml && best.weights == candidate.weights;
        if !self.best.as_ref().is_some_and(is_same) {
            if self.calls == self.most {
                self.is_cut_off = true;
                return Ok(false);
            }
            self.calls += 1;
            if !(self.test)(&candidate)? {
                self.refuted.insert(key);
                return Ok(false);
            }
            (self.progress)(&candidate, self.calls);
        }
        self.best = Some((choice, candidate));
        Ok(true)
    }

    /// Forgets refuted candidates: needed once the predicate becomes weaker.
    pub(super) fn forget(&mut self) {
        self.refuted.clear();
    }

    /// Finds the smallest radius, up to `most`, whose layers show the fault: by doubling, then by binary search.
    pub(super) fn search_near(&mut self, base: &Choice, around: &Around, most: usize) -> Result<bool, String> {
        let within = |reach| base.with(self.original, around.within(reach));
        let (mut short, mut reach) = (0, 0);
        while !self.try_choice(within(reach))? {
            if reach >= around.farthest().min(most) {
                return Ok(false);
            }
            short = reach + 1;
            reach = (2 * reach).max(1);
        }
        self.shortest(short..reach, within)?;
        Ok(true)
    }

    /// Finds by binary search the smallest length whose choice shows the fault, or the last one.
    fn shortest(&mut self, lengths: Range<usize>, of: impl Fn(usize) -> Choice) -> Result<usize, String> {
        let Range { start: mut short, end: mut long } = lengths;
        while short < long {
            let middle = usize::midpoint(short, long);
            if self.try_choice(of(middle))? {
                long = middle;
            } else {
                short = middle + 1;
            }
        }
        Ok(long)
    }

    /// Finds the shortest prefix of the topological order that shows the fault.
    pub(super) fn shortest_prefix(&mut self, base: &Choice) -> Result<Vec<LayerId>, String> {
        let order = self.original.facts.order().iter().copied();
        let mut order: Vec<LayerId> = order.filter(|layer| is_choosable(self.original, *layer)).collect();
        let prefix = |length| base.with(self.original, order.iter().copied().take(length));
        let end = self.shortest(0..order.len(), prefix)?;
        order.truncate(end);
        Ok(order)
    }

    /// Finds the shortest suffix of `order` that shows the fault.
    pub(super) fn shortest_suffix(&mut self, base: &Choice, order: &[LayerId]) -> Result<(), String> {
        let suffix = |length| base.with(self.original, order.iter().copied().skip(order.len() - length));
        self.shortest(0..order.len(), suffix).map(drop)
    }

    /// Minimizes the best choice: first the extra parts of the text, then the layers except the `fixed` ones.
    pub(super) fn minimize(&mut self, fixed: &[LayerId], around: &Around) -> Result<(), String> {
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let extras = choice.extras.iter().enumerate().filter(|(_, stays)| **stays).map(|(extra, _)| Atom::Extra(extra));
        let extras: Vec<Atom> = extras.collect();
        let chosen = self.original.layer_ids().filter(|at| choice.layers.get(at.index()) == Some(&true));
        let fixed: HashSet<&LayerId> = fixed.iter().collect();
        let mut layers: Vec<LayerId> = chosen.filter(|at| !fixed.contains(at)).collect();
        around.farthest_first(&mut layers);
        self.ddmin(extras)?;
        self.ddmin(layers.into_iter().map(Atom::Layer).collect())
    }

    /// Removes all atoms that the fault does not need, by ddmin: tries to remove each half, then each quarter, and so on, until
    /// no single atom can go.
    pub(super) fn ddmin(&mut self, mut atoms: Vec<Atom>) -> Result<(), String> {
        let mut size = atoms.len();
        while size > 0 {
            let mut kept = Vec::new();
            for part in atoms.chunks(size) {
                let Some((choice, _)) = self.best.as_ref().filter(|_| !self.is_cut_off) else { return Ok(()) };
                let mut less = choice.clone();
                for atom in part {
                    atom.leave(&mut less);
                }
                if !self.try_choice(less)? {
                    kept.extend_from_slice(part);
                }
            }
            let is_done = size == 1 && kept.len() == atoms.len();
            atoms = kept;
            size = if is_done { 0 } else { size.min(atoms.len()).div_ceil(2) };
        }
        Ok(())
    }

    /// Removes Results of outputs whose layer leads to another Result.
    pub(super) fn end_each_layer_once(&mut self) -> Result<(), String> {
        self.try_changed(|choice| choice.every_output = false)
    }

    /// Replaces the names, if the fault survives that.
    pub(super) fn anonymize(&mut self) -> Result<(), String> {
        self.try_changed(|choice| choice.is_anonymous = true)
    }

    fn try_changed(&mut self, change: impl FnOnce(&mut Choice)) -> Result<(), String> {
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let mut changed = choice.clone();
        change(&mut changed);
        self.try_choice(changed).map(drop)
    }

    /// Shrinks the weights: packs them and, unless `keeps` is set, removes large constants, which other layers then replace.
    pub(super) fn shrink_weights(&mut self, keeps: bool) -> Result<(), String> {
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let packed = Choice { weights: Treatment::Packed, ..choice.clone() };
        if self.has_small_weights() || keeps {
            self.try_choice(packed)?;
            return Ok(());
        }
        if self.try_choice(Choice { largest: LARGEST, ..packed.clone() })? && self.has_small_weights() {
            return Ok(());
        }
        self.try_choice(packed)?;
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let plan = Plan::of(self.original, choice);
        let is_large = |at: &LayerId| self.original.constant_size(*at).is_some_and(|size| size > SMALL);
        let large: Vec<LayerId> = self.original.layer_ids().filter(|at| plan.has(*at)).filter(is_large).collect();
        let mut named = choice.clone();
        for constant in &large {
            set(&mut named.layers, *constant);
        }
        if self.try_choice(Choice { largest: SMALL, ..named })? {
            self.ddmin(large.into_iter().map(Atom::Layer).collect())?;
        }
        Ok(())
    }

    fn has_small_weights(&self) -> bool {
        let before = self.original.model.weights().size();
        self.best.as_ref().is_none_or(|(_, best)| best.weights.size(before) <= WEIGHTS)
    }
}

/// The unit of ddmin.
#[derive(Clone, Copy)]
pub(super) enum Atom {
    Layer(LayerId),
    Extra(usize),
    /// A layer of a body.
    Inner(BodyRef, LayerId),
}

impl Atom {
    fn leave(self, choice: &mut Choice) {
        let flag = match self {
            Self::Layer(layer) => choice.layers.get_mut(layer.index()),
            Self::Extra(extra) => choice.extras.get_mut(extra),
            Self::Inner(body, layer) => choice.bodies.get_mut(&body).and_then(|layers| layers.get_mut(layer.index())),
        };
        if let Some(flag) = flag {
            *flag = false;
        }
    }
}
