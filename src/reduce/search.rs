//! The search for the smallest choice that still shows the fault, with few questions.

use super::Task;
use super::bodies::BodyRef;
use super::choice::{Choice, Plan, Treatment, set};
use super::draft::Candidate;
use super::original::Original;
use crate::ir::{LayerId, Role};
use petgraph::Direction;
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Whether a candidate shows the fault; an error ends the search.
pub(super) type Test<'t> = dyn FnMut(&Candidate) -> Result<bool, String> + 't;

/// Bytes of weights that a reduced model has at most where that is possible.
const WEIGHTS: u64 = 1 << 16;

/// Constants of more bytes become inputs where that is possible.
pub(super) const LARGEST: u64 = 1 << 12;

/// The same where that is not enough.
const SMALL: u64 = 1 << 7;

/// What is looked for, and the smallest model so far that shows it.
pub(super) struct Search<'a> {
    pub original: &'a Original<'a>,
    pub test: &'a mut Test<'a>,
    /// Is given every smaller model, and the number of calls so far.
    pub progress: &'a mut dyn FnMut(&Candidate, usize),
    pub calls: usize,
    /// How many candidates are tried at most, and whether there were more to try.
    pub most: usize,
    pub is_cut_off: bool,
    pub best: Option<(Choice, Candidate)>,
    /// Texts that do not show the fault.
    refuted: HashSet<u64>,
}

/// Where to look first: the layers around some, out to a distance.
#[derive(Debug, Clone)]
pub(super) struct Around {
    /// The distance of every layer; `usize::MAX` for those that are not connected.
    distances: Vec<usize>,
    farthest: usize,
}

impl Around {
    /// Layers around some, in some directions.
    pub(super) fn of(original: &Original, seeds: &[LayerId], directions: &[Direction]) -> Self {
        let mut distances = vec![usize::MAX; original.graph.layers.len()];
        let mut open: VecDeque<(LayerId, usize)> = seeds.iter().map(|seed| (*seed, 0)).collect();
        let mut farthest = 0;
        // A broken edge is there as long as both of its ends are.
        let mut loose: HashMap<LayerId, Vec<LayerId>> = HashMap::new();
        for (from, to) in original.loose.iter().filter(|_| !directions.is_empty()) {
            loose.entry(*from).or_default().push(*to);
            if from != to {
                loose.entry(*to).or_default().push(*from);
            }
        }
        while let Some((layer, distance)) = open.pop_front() {
            let Some(known) = distances.get_mut(layer.index()).filter(|known| **known == usize::MAX) else { continue };
            (*known, farthest) = (distance, distance);
            let dag = &original.graph.dag;
            let next = directions.iter().flat_map(|direction| dag.neighbors_directed(layer.node(), *direction));
            let next = next.map(LayerId::from).filter(|next| is_chosen(original, *next));
            let loose = loose.get(&layer).into_iter().flatten().copied();
            open.extend(next.chain(loose).map(|next| (next, distance + 1)));
        }
        Self { distances, farthest }
    }

    /// The distance of the layers that are farthest.
    pub(super) fn farthest(&self) -> usize {
        self.farthest
    }

    /// Sorts layers, those first that are not connected.
    pub(super) fn farthest_first(&self, layers: &mut [LayerId]) {
        layers.sort_by_key(|at| std::cmp::Reverse(self.distances.get(at.index()).copied()));
    }

    pub(super) fn within(&self, reach: usize) -> impl Iterator<Item = LayerId> {
        let layers = self.distances.iter().enumerate().filter(move |(_, distance)| **distance <= reach);
        layers.map(|(at, _)| LayerId::new(at))
    }
}

/// Whether a layer stays because it is chosen, not because of those that are.
pub(super) fn is_chosen(original: &Original, layer: LayerId) -> bool {
    matches!(original.role(layer), Role::Inner | Role::Assign)
}

impl<'a> Search<'a> {
    pub(super) fn new(original: &'a Original<'a>, test: &'a mut Test<'a>, task: &'a mut Task) -> Self {
        let (most, progress) = (task.most_candidates, &mut *task.progress);
        Self { original, test, progress, calls: 0, most, is_cut_off: false, best: None, refuted: HashSet::new() }
    }

    /// Whether a choice shows the fault; if so, it is the best so far.
    pub(super) fn holds(&mut self, choice: Choice) -> Result<bool, String> {
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

    /// Forgets what does not show the fault, as less is asked from now on.
    pub(super) fn forget(&mut self) {
        self.refuted.clear();
    }

    /// Looks for the shortest distance at which the layers around some show the fault, up to `most`.
    pub(super) fn near(&mut self, base: &Choice, around: &Around, most: usize) -> Result<bool, String> {
        let (mut short, mut reach) = (None, 0);
        while !self.holds(base.with(self.original, around.within(reach)))? {
            if reach >= around.farthest.min(most) {
                return Ok(false);
            }
            short = Some(reach);
            reach = (2 * reach).max(1);
        }
        let mut short = short.map_or(reach, |short| short + 1);
        while short < reach {
            let middle = usize::midpoint(short, reach);
            if self.holds(base.with(self.original, around.within(middle)))? {
                reach = middle;
            } else {
                short = middle + 1;
            }
        }
        Ok(true)
    }

    /// The shortest start of a list of layers that shows the fault, or all of them; `part` makes a choice of a start.
    pub(super) fn shortest(
        &mut self,
        base: &Choice,
        layers: &[LayerId],
        part: impl Fn(usize) -> Range<usize>,
    ) -> Result<usize, String> {
        let (mut short, mut long) = (0, layers.len());
        while short < long {
            let middle = usize::midpoint(short, long);
            let part = layers.get(part(middle)).unwrap_or_default();
            if self.holds(base.with(self.original, part.iter().copied()))? {
                long = middle;
            } else {
                short = middle + 1;
            }
        }
        Ok(long)
    }

    /// Cuts off layers at the end and then at the start, in the order in which they run, as far as the fault stays; the
    /// layers that are left.
    pub(super) fn narrow(&mut self, base: &Choice) -> Result<Vec<LayerId>, String> {
        let order = self.original.facts.order().iter().copied();
        let mut order: Vec<LayerId> = order.filter(|layer| is_chosen(self.original, *layer)).collect();
        let end = self.shortest(base, &order, |length| 0..length)?;
        order.truncate(end);
        Ok(order)
    }

    /// The same at the start.
    pub(super) fn narrow_start(&mut self, base: &Choice, order: &[LayerId]) -> Result<(), String> {
        self.shortest(base, order, |length| order.len() - length..order.len()).map(drop)
    }

    /// Leaves out what the fault does not need, in halves, quarters and so on; what is in `fixed` stays.
    pub(super) fn thin(&mut self, fixed: &[LayerId], around: &Around) -> Result<(), String> {
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let extras = choice.extras.iter().enumerate().filter(|(_, stays)| **stays).map(|(extra, _)| Atom::Extra(extra));
        let extras: Vec<Atom> = extras.collect();
        let chosen = self.original.places().filter(|at| choice.layers.get(at.index()) == Some(&true));
        let fixed: HashSet<&LayerId> = fixed.iter().collect();
        let mut layers: Vec<LayerId> = chosen.filter(|at| !fixed.contains(at)).collect();
        around.farthest_first(&mut layers);
        self.leave_out(extras)?;
        self.leave_out(layers.into_iter().map(Atom::Layer).collect())
    }

    pub(super) fn leave_out(&mut self, mut atoms: Vec<Atom>) -> Result<(), String> {
        let mut size = atoms.len();
        while size > 0 {
            let mut kept = Vec::new();
            for part in atoms.chunks(size) {
                let Some((choice, _)) = self.best.as_ref().filter(|_| !self.is_cut_off) else { return Ok(()) };
                let mut less = choice.clone();
                for atom in part {
                    atom.leave(&mut less);
                }
                if !self.holds(less)? {
                    kept.extend_from_slice(part);
                }
            }
            let is_done = size == 1 && kept.len() == atoms.len();
            atoms = kept;
            size = if is_done { 0 } else { size.min(atoms.len()).div_ceil(2) };
        }
        Ok(())
    }

    /// Leaves out Results of layers whose other outputs are taken.
    pub(super) fn end_each_layer_once(&mut self) -> Result<(), String> {
        if let Some((choice, _)) = &self.best {
            let fewer = Choice { every_output: false, ..choice.clone() };
            self.holds(fewer)?;
        }
        Ok(())
    }

    /// Replaces the names.
    pub(super) fn anonymize(&mut self) -> Result<(), String> {
        if let Some((choice, _)) = &self.best {
            let nameless = Choice { is_anonymous: true, ..choice.clone() };
            self.holds(nameless)?;
        }
        Ok(())
    }

    /// Makes the weights small, and if `keeps` without another byte in any constant.
    pub(super) fn lighten(&mut self, keeps: bool) -> Result<(), String> {
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let packed = Choice { weights: Treatment::Packed, ..choice.clone() };
        if self.is_light() || keeps {
            self.holds(packed)?;
            return Ok(());
        }
        if self.holds(Choice { largest: LARGEST, ..packed.clone() })? && self.is_light() {
            return Ok(());
        }
        self.holds(packed)?;
        let Some((choice, _)) = &self.best else { return Ok(()) };
        let plan = Plan::of(self.original, choice);
        let is_large = |at: &LayerId| self.original.constant_size(*at).is_some_and(|size| size > SMALL);
        let large: Vec<LayerId> = self.original.places().filter(|at| plan.has(*at)).filter(is_large).collect();
        let mut named = choice.clone();
        for constant in &large {
            set(&mut named.layers, *constant);
        }
        if self.holds(Choice { largest: SMALL, ..named })? {
            self.leave_out(large.into_iter().map(Atom::Layer).collect())?;
        }
        Ok(())
    }

    fn is_light(&self) -> bool {
        let before = self.original.model.weights().size();
        self.best.as_ref().is_none_or(|(_, best)| best.weights.size(before) <= WEIGHTS)
    }
}

/// Something that can be left out.
#[derive(Clone, Copy)]
pub(super) enum Atom {
    Layer(LayerId),
    Extra(usize),
    /// A layer of a body.
    Inner(BodyRef, LayerId),
}

impl Atom {
    fn leave(self, choice: &mut Choice) {
        let place = match self {
            Self::Layer(layer) => choice.layers.get_mut(layer.index()),
            Self::Extra(extra) => choice.extras.get_mut(extra),
            Self::Inner(body, layer) => choice.bodies.get_mut(&body).and_then(|layers| layers.get_mut(layer.index())),
        };
        if let Some(stays) = place {
            *stays = false;
        }
    }
}
