//! The walk over all layers of a model, those of bodies included. It keeps its own stack, so that deeply nested bodies cannot
//! overflow that of the thread.

use super::{BodyKind, Graph, Kind, Layer, LayerId, body_ref};
use crate::diagnostic::BodyRef;
use crate::source::Source;
use std::fmt::Display;
use std::rc::Rc;

/// Data kept beside a graph and nested like its bodies, such as facts or a plan.
pub(crate) trait Beside: Copy {
    /// Returns the data beside a body; `None` leaves the body out.
    fn body(self, layer: LayerId, kind: BodyKind) -> Option<Self>;
}

impl Beside for () {
    fn body(self, _: LayerId, _: BodyKind) -> Option<Self> {
        Some(())
    }
}

/// One graph of a model: the main graph or a body.
#[derive(Clone)]
pub(crate) struct Place<'a, B> {
    pub graph: &'a Graph,
    pub beside: B,
    /// The layer around a body, and the place of that layer.
    around: Option<Rc<(Self, LayerId, BodyKind)>>,
}

impl<'a, B: Beside> Place<'a, B> {
    /// The main graph.
    pub(crate) fn of(graph: &'a Graph, beside: B) -> Self {
        Self { graph, beside, around: None }
    }

    /// Returns the bodies of a layer in file order.
    fn bodies(&self, id: LayerId, layer: &'a Layer) -> impl DoubleEndedIterator<Item = Self> {
        layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies).filter_map(move |body| {
            let around = || Some(Rc::new((self.clone(), id, body.kind)));
            Some(Self { graph: &body.graph, beside: self.beside.body(id, body.kind)?, around: around() })
        })
    }

    /// Returns the layers and bodies around the graph, outermost first.
    pub(crate) fn path(&self) -> Vec<(LayerId, BodyKind)> {
        self.steps(|_, id, kind| (id, kind))
    }

    /// Returns the path as findings show it.
    pub(crate) fn refs(&self, source: &Source) -> Vec<BodyRef> {
        let step = |graph: &Graph, id, kind| Some(body_ref(source, graph.layer(id)?, kind));
        self.steps(step).into_iter().flatten().collect()
    }

    /// Returns the path as text, with a slash at the end: `loop/body/`.
    pub(crate) fn prefix<N: Display>(&self, name: impl Fn(&'a Graph, &'a Layer) -> N) -> String {
        let step =
            |graph: &'a Graph, id, kind: BodyKind| Some(format!("{}/{}/", name(graph, graph.layer(id)?), kind.name()));
        self.steps(step).into_iter().flatten().collect()
    }

    fn steps<T>(&self, step: impl Fn(&'a Graph, LayerId, BodyKind) -> T) -> Vec<T> {
        let around = std::iter::successors(self.around.as_deref(), |(place, ..)| place.around.as_deref());
        let mut steps: Vec<T> = around.map(|(place, id, kind)| step(place.graph, *id, *kind)).collect();
        steps.reverse();
        steps
    }
}

/// One layer of a model.
pub(crate) struct Visit<'a, B> {
    pub place: Place<'a, B>,
    pub id: LayerId,
    pub layer: &'a Layer,
}

impl<'a, B> Visit<'a, B> {
    /// Returns the type and version of the layer.
    pub(crate) fn kind(&self) -> &'a Kind {
        self.place.graph.kind(self.layer)
    }
}

/// Visits the layers of a graph in file order; those of its bodies come right after their layer.
pub(crate) fn layers<B: Beside>(graph: &Graph, beside: B) -> impl Iterator<Item = Visit<'_, B>> {
    let mut open = vec![(Place { graph, beside, around: None }, graph.entries())];
    std::iter::from_fn(move || {
        loop {
            let (place, rest) = open.last_mut()?;
            let Some((id, layer)) = rest.next() else {
                open.pop();
                continue;
            };
            let place = place.clone();
            open.extend(place.bodies(id, layer).rev().map(|body| (body.clone(), body.graph.entries())));
            return Some(Visit { place, id, layer });
        }
    })
}

/// Visits a graph and then, layer by layer, its bodies.
pub(crate) fn graphs<B: Beside>(graph: &Graph, beside: B) -> impl Iterator<Item = Place<'_, B>> {
    let mut open = vec![Place::of(graph, beside)];
    std::iter::from_fn(move || {
        let place = open.pop()?;
        let bodies: Vec<_> = place.graph.entries().flat_map(|(id, layer)| place.bodies(id, layer)).collect();
        open.extend(bodies.into_iter().rev());
        Some(place)
    })
}
