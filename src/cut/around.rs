//! The neighborhood of some layers: what `extract --around` keeps, and where `reduce` searches first.

use super::original::Original;
use crate::arrange::Arrange;
use crate::ir::{LayerId, Role};
use petgraph::Direction;
use std::collections::{HashMap, VecDeque};

/// A neighborhood: the distance of every layer from some seeds, by breadth-first search.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    /// The distance of every layer; `usize::MAX` if it is not connected.
    distances: Vec<usize>,
    farthest: usize,
}

impl Around {
    /// Measures distances from `seeds` along edges of the given directions.
    pub(crate) fn of(original: &Original, seeds: &[LayerId], directions: &[Direction]) -> Self {
        let mut distances = vec![usize::MAX; original.graph.layers.len()];
        let mut open: VecDeque<(LayerId, usize)> = seeds.iter().map(|seed| (*seed, 0)).collect();
        let mut farthest = 0;
        // A candidate keeps a broken edge if it keeps both ends, so such an edge connects them too.
        let mut broken: HashMap<LayerId, Vec<LayerId>> = HashMap::new();
        for (from, to) in original.broken_edges.iter().filter(|_| !directions.is_empty()) {
            broken.entry(*from).or_default().push(*to);
            if from != to {
                broken.entry(*to).or_default().push(*from);
            }
        }
        while let Some((layer, distance)) = open.pop_front() {
            let Some(known) = distances.get_mut(layer.index()).filter(|known| **known == usize::MAX) else { continue };
            (*known, farthest) = (distance, distance);
            let dag = &original.graph.dag;
            let next = directions.iter().flat_map(|direction| dag.neighbors_directed(layer.node(), *direction));
            let next = next.map(LayerId::from).filter(|next| is_choosable(original, *next));
            let broken = broken.get(&layer).into_iter().flatten().copied();
            open.extend(next.chain(broken).map(|next| (next, distance + 1)));
        }
        Self { distances, farthest }
    }

    /// Returns the distance of the farthest connected layer.
    pub(crate) fn farthest(&self) -> usize {
        self.farthest
    }

    /// Sorts layers by descending distance, unconnected ones first: the farthest are most likely irrelevant.
    pub(crate) fn farthest_first(&self, layers: &mut [LayerId]) {
        layers.arrange_by_key(|at| std::cmp::Reverse(self.distances.get(at.index()).copied()));
    }

    pub(crate) fn within(&self, reach: usize) -> impl Iterator<Item = LayerId> {
        let layers = self.distances.iter().enumerate().filter(move |(_, distance)| **distance <= reach);
        layers.map(|(at, _)| LayerId::new(at))
    }
}

/// Whether the search decides about a layer. Parameters, constants and Results stay or go with the layers that need them.
pub(crate) fn is_choosable(original: &Original, layer: LayerId) -> bool {
    matches!(original.role(layer), Role::Inner | Role::Assign)
}
