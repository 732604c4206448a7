//! The answers about layers that are alike. The blocks of a model repeat, so most layers on a path are like an earlier one.

use crate::ops::OpSpec;
use crate::ops::apply::Texts;
use crate::query::why::Aspect;
use crate::query::why::basis::{Found, basis};
use crate::query::why::probe::Probe;
use crate::types::{Elements, Fact};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum number of answers to keep.
const ANSWERS: usize = 256;

/// Maximum number of elements of an input of a layer whose answers are kept.
const ELEMENTS: usize = 256;

/// The answers found so far.
#[derive(Default)]
pub(super) struct Known {
    answers: RefCell<Vec<Answered>>,
}

/// An answer with all that it depends on.
struct Answered {
    spec: &'static OpSpec,
    attrs: Texts<'static>,
    inputs: Vec<Fact>,
    output: usize,
    aspect: Aspect,
    found: Rc<Found>,
}

impl Answered {
    /// Whether the probed layer is alike.
    fn is_of(&self, probe: &Probe, output: usize, aspect: Aspect) -> bool {
        let is_same = std::ptr::eq(self.spec, probe.spec) && (self.output, self.aspect) == (output, aspect);
        is_same && self.attrs[..] == probe.attrs[..] && self.inputs == probe.inputs
    }
}

impl Known {
    /// Finds the basis of the answer about an output; `None` if the layer cannot be inferred, or the budget is used up.
    pub(super) fn basis(&self, probe: Probe, output: usize, aspect: Aspect) -> Option<Rc<Found>> {
        if let Some(known) = self.answers.borrow().iter().find(|known| known.is_of(&probe, output, aspect)) {
            return Some(Rc::clone(&known.found));
        }
        let found = Rc::new(basis(&probe, output, aspect)?);
        let mut answers = self.answers.borrow_mut();
        if probe.has_budget() && answers.len() < ANSWERS && probe.inputs.iter().all(is_comparable) {
            let Probe { spec, inputs, attrs, .. } = probe;
            let owned = |text: Cow<str>| Cow::Owned(text.into_owned());
            let attrs = attrs.into_iter().map(|(name, text)| (owned(name), owned(text))).collect();
            answers.push(Answered { spec, attrs, inputs, output, aspect, found: Rc::clone(&found) });
        }
        Some(found)
    }
}

/// Whether equal facts mean the same to every operation, and are compared fast: 0.0 equals -0.0.
fn is_comparable(fact: &Fact) -> bool {
    let Some(value) = &fact.value else { return true };
    value.len() <= ELEMENTS && matches!(value.elements(), Elements::Integers(_))
}

#[cfg(test)]
mod tests {
    use crate::analysis::{Model, Options};
    use crate::query::names::Tensor;
    use crate::query::why::follow::{Follower, WORK};
    use std::path::Path;

    #[test]
    fn a_known_answer_takes_no_work() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/models/kv_cache.xml");
        let model = Model::open(&path, &Options::default()).unwrap();
        let (net, facts) = (model.net().unwrap(), model.facts().unwrap());
        let result = net.graph.layers.last().unwrap();
        let tensor = Tensor::find(&model, &net.graph.full_name(model.source(), result)).unwrap();
        let (mut first, mut second) = (Follower::new(&model, 9), Follower::new(&model, 9));
        let why = first.why(&net.graph, facts, &tensor, None);
        second.known = std::mem::take(&mut first.known);
        assert!(why.is_some());
        assert_eq!(second.why(&net.graph, facts, &tensor, None), why);
        assert!(first.left.get() < WORK);
        assert_eq!(second.left.get(), WORK);
    }
}
