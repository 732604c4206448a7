//! The search inside the bodies of the layers that stay.

use super::choice::{Choice, Plan, set};
use super::original::Original;
use super::search::{Around, Atom, Search, is_chosen};
use crate::ir::LayerId;
use crate::source::Span;
use petgraph::Direction::Incoming;
use std::collections::BTreeMap;

/// A body: the layer around it, and its number.
pub(super) type BodyRef = (LayerId, usize);

impl Search<'_> {
    /// Leaves out layers of bodies: all of them, or all but some around the one that `own` is in, or as many as can go.
    pub(super) fn hollow(&mut self, own: Option<Span>) -> Result<(), String> {
        let original = self.original;
        let Some((choice, _)) = self.best.clone() else { return Ok(()) };
        let plan = Plan::of(original, &choice);
        let around = original.graph.entries().filter(|(at, _)| plan.has(*at));
        let all = around.flat_map(|(at, layer)| layer.bodies().enumerate().map(move |(body, _)| (at, body)));
        let sizes: BTreeMap<BodyRef, usize> =
            all.filter_map(|at| Some((at, original.body(at)?.graph.layers.len()))).collect();
        if sizes.is_empty() {
            return Ok(());
        }
        let empty: BTreeMap<BodyRef, Vec<bool>> = sizes.iter().map(|(at, size)| (*at, vec![false; *size])).collect();
        let hollow = Choice { bodies: empty.clone(), ..choice.clone() };
        if self.holds(hollow.clone())? {
            return Ok(());
        }
        for (at, body) in sizes.keys().filter_map(|at| Some((*at, original.body(*at)?))) {
            let Some(seed) = own.and_then(|own| body.graph.layer_around(own.start)) else { continue };
            if self.near_in_body(&hollow, at, &body, seed)? {
                return Ok(());
            }
        }
        for (at, none) in empty {
            let Some((best, _)) = self.best.as_ref().filter(|_| !self.is_cut_off) else { return Ok(()) };
            let mut emptied = best.clone();
            emptied.bodies.insert(at, none);
            if !self.holds(emptied)? {
                self.thin_body(at, &[], None)?;
            }
        }
        Ok(())
    }

    /// Looks around a layer of a body for what shows the fault, with nothing in the other bodies.
    fn near_in_body(&mut self, hollow: &Choice, at: BodyRef, body: &Original, seed: LayerId) -> Result<bool, String> {
        let around = Around::of(body, &[seed], &[Incoming]);
        let mut reach = 0;
        loop {
            let mut layers = vec![false; body.graph.layers.len()];
            around.within(reach).for_each(|layer| set(&mut layers, layer));
            let mut choice = hollow.clone();
            choice.bodies.insert(at, layers);
            if self.holds(choice)? {
                self.thin_body(at, &[seed], Some(&around))?;
                return Ok(true);
            }
            if reach >= around.farthest() {
                return Ok(false);
            }
            reach = (2 * reach).max(1);
        }
    }

    fn thin_body(&mut self, at: BodyRef, fixed: &[LayerId], around: Option<&Around>) -> Result<(), String> {
        let (Some((choice, _)), Some(body)) = (&mut self.best, self.original.body(at)) else { return Ok(()) };
        let layers = choice.bodies.entry(at).or_insert_with(|| vec![true; body.graph.layers.len()]);
        let stays = |layer: &LayerId| layers.get(layer.index()) == Some(&true) && is_chosen(&body, *layer);
        let mut atoms: Vec<LayerId> = body.places().filter(stays).filter(|layer| !fixed.contains(layer)).collect();
        if let Some(around) = around {
            around.farthest_first(&mut atoms);
        }
        self.leave_out(atoms.into_iter().map(|layer| Atom::Inner(at, layer)).collect())
    }
}
