//! The search inside the bodies of the kept layers.

use super::search::{Atom, Search};
use crate::arrange::Fill;
use crate::cut::{Around, BodyRef, Choice, Original, Plan, is_choosable, set};
use crate::ir::LayerId;
use crate::source::Span;
use petgraph::Direction::Incoming;
use std::collections::BTreeMap;

impl Search<'_> {
    /// Removes layers of bodies. Tries first to remove all of them, then all but a neighborhood of the layer at `own`, and then
    /// as many per body as ddmin can.
    pub(super) fn remove_body_layers(&mut self, own: Option<Span>) -> Result<(), String> {
        let original = self.original;
        let Some((choice, _)) = self.best.clone() else { return Ok(()) };
        let plan = Plan::of(original, &choice);
        let around = original.graph.entries().filter(|(at, _)| plan.has(*at));
        let all = around.flat_map(|(at, layer)| layer.bodies().enumerate().map(move |(body, _)| (at, body)));
        let sizes: BTreeMap<BodyRef, usize> =
            all.filter_map(|at| Some((at, original.body(at)?.graph.layers.len()))).into_map();
        if sizes.is_empty() {
            return Ok(());
        }
        let empty: BTreeMap<BodyRef, Vec<bool>> = sizes.iter().map(|(at, size)| (*at, vec![false; *size])).into_map();
        let emptied = Choice { bodies: empty.clone(), ..choice.clone() };
        if self.try_choice(emptied.clone())? {
            return Ok(());
        }
        for (at, body) in sizes.keys().filter_map(|at| Some((*at, original.body(*at)?))) {
            let Some(seed) = own.and_then(|own| body.graph.layer_around(own.start)) else { continue };
            if self.search_near_in_body(&emptied, at, &body, seed)? {
                return Ok(());
            }
        }
        for (at, none) in empty {
            let Some((best, _)) = self.best.as_ref().filter(|_| !self.is_cut_off) else { return Ok(()) };
            let mut emptied = best.clone();
            emptied.bodies.insert(at, none);
            if !self.try_choice(emptied)? {
                self.minimize_body(at, &[], None)?;
            }
        }
        Ok(())
    }

    /// Searches for the fault in growing neighborhoods of a layer in a body, with all other bodies empty.
    fn search_near_in_body(
        &mut self,
        emptied: &Choice,
        at: BodyRef,
        body: &Original,
        seed: LayerId,
    ) -> Result<bool, String> {
        let around = Around::of(body, &[seed], &[Incoming]);
        let mut reach = 0;
        loop {
            let mut layers = vec![false; body.graph.layers.len()];
            around.within(reach).for_each(|layer| set(&mut layers, layer));
            let mut choice = emptied.clone();
            choice.bodies.insert(at, layers);
            if self.try_choice(choice)? {
                self.minimize_body(at, &[seed], Some(&around))?;
                return Ok(true);
            }
            if reach >= around.farthest() {
                return Ok(false);
            }
            reach = (2 * reach).max(1);
        }
    }

    fn minimize_body(&mut self, at: BodyRef, fixed: &[LayerId], around: Option<&Around>) -> Result<(), String> {
        let (Some((choice, _)), Some(body)) = (&mut self.best, self.original.body(at)) else { return Ok(()) };
        let layers = choice.bodies.entry(at).or_insert_with(|| vec![true; body.graph.layers.len()]);
        let stays = |layer: &LayerId| layers.get(layer.index()) == Some(&true) && is_choosable(&body, *layer);
        let mut atoms: Vec<LayerId> = body.layer_ids().filter(stays).filter(|layer| !fixed.contains(layer)).collect();
        if let Some(around) = around {
            around.farthest_first(&mut atoms);
        }
        self.ddmin(atoms.into_iter().map(|layer| Atom::Inner(at, layer)).collect())
    }
}
