//! Recurrent cells and sequences of them: inputs X, H, perhaps C and lengths, W, R, B in that order.

use super::agreement::{agreed_dim, agreed_type, conflict, wanted_dim, wrong_attr};
use crate::diagnostic::{Runtime, Severity};
use crate::ops::context::InferCtx;
use crate::ops::fault::Fault;
use crate::ops::spec::{Attr, Kind};
use crate::types::{Dim, ElementType, Fact, PartialShape};

/// The attribute `hidden_size`, which OpenVINO hardly looks at.
pub(crate) const HIDDEN_SIZE: Attr = Attr::optional("hidden_size", Kind::INT, "0");
/// The attribute `activations`.
pub(crate) const ACTIVATIONS: Attr = Attr::optional("activations", Kind::Texts, "");
/// The attribute `activations_alpha`.
pub(crate) const ALPHA: Attr = Attr::optional("activations_alpha", Kind::Floats, "");
/// The attribute `activations_beta`.
pub(crate) const BETA: Attr = Attr::optional("activations_beta", Kind::Floats, "");
/// The attribute `clip`.
pub(crate) const CLIP: Attr = Attr::optional("clip", Kind::Float, "0");
/// The attribute `direction` of a sequence.
pub(crate) const DIRECTION: Attr =
    Attr::optional("direction", Kind::Choice(&["forward", "reverse", "bidirectional"]), "forward");

/// The functions that OpenVINO knows; a cell is refused any other, a sequence is not.
const FUNCTIONS: [&str; 4] = ["sigmoid", "tanh", "relu", "hardsigmoid"];

/// What tells one kind of recurrent network from another.
#[derive(Clone, Copy)]
pub(crate) struct Recurrent {
    /// Gates in W and R.
    pub gates: i64,
    /// Gates in B.
    pub biases: i64,
    /// States that go from step to step: 1 for H, 2 for H and C.
    pub states: usize,
    /// Whether there is a step for every element of a sequence, or just one.
    pub is_sequence: bool,
    /// The activation functions that a cell needs.
    pub functions: usize,
}

/// What a recurrent network makes of its inputs.
pub(crate) struct Unrolled {
    /// The element type of every output.
    pub ty: ElementType,
    /// The number of independent runs.
    pub batch: Dim,
    /// The length of the state.
    pub hidden: Dim,
}

impl Recurrent {
    /// The input W; R and B follow.
    fn weights(self) -> usize {
        self.states + if self.is_sequence { 2 } else { 1 }
    }

    /// Infers type, batch and hidden size, and reports what does not agree.
    ///
    /// Of `typed`, which gives inputs, the element types must be the same.
    pub(crate) fn unrolled(self, cx: &InferCtx, typed: &[usize]) -> Result<Unrolled, Fault> {
        let ty = agreed_type(cx, typed)?;
        let lead = usize::from(self.is_sequence);
        let (w, r, b) = (self.weights(), self.weights() + 1, self.weights() + 2);
        let mut batches: Vec<(usize, usize)> = (0..=self.states).map(|i| (i, 0)).collect();
        let mut hiddens: Vec<(usize, usize)> = (1..=self.states).map(|i| (i, lead + 1)).collect();
        hiddens.push((r, lead + 1));
        if self.is_sequence {
            batches.push((self.states + 1, 0));
            self.check_directions(cx)?;
        } else {
            self.check_functions(cx)?;
        }
        let batch = agreed_dim(cx, &batches)?;
        let mut hidden = agreed_dim(cx, &hiddens)?;
        for (input, gates) in [(w, self.gates), (r, self.gates), (b, self.biases)] {
            let wanted = hidden.times(Dim::exact(gates));
            let found = wanted_dim(cx, input, lead, wanted, &format!("{gates} x hidden size {hidden}"))?;
            hidden = found.divide(gates).and_then(|each| each.merge(hidden)).ok_or_else(|| {
                let name = cx.input_name(input);
                conflict(cx, input, format!("dimension {lead} of `{name}` is {found}, not a multiple of {gates} gates"))
            })?;
        }
        self.warn(cx);
        Ok(Unrolled { ty, batch, hidden })
    }

    /// The outputs of a sequence: every state, then the last ones.
    pub(crate) fn sequence(self, cx: &InferCtx, unrolled: &Unrolled) -> Vec<Fact> {
        unrolled.warn(cx);
        let Unrolled { ty, batch, hidden } = *unrolled;
        let directions = Dim::exact(directions(cx));
        let last = Fact::new(ty, PartialShape::of([batch, directions, hidden]));
        let mut outputs = vec![Fact::new(ty, PartialShape::of([batch, directions, cx.dim(0, 1), hidden]))];
        outputs.extend(vec![last; self.states]);
        outputs
    }

    fn check_directions(self, cx: &InferCtx) -> Result<(), Fault> {
        let wanted = Dim::exact(directions(cx));
        let why = format!("`direction` is {}", cx.choice("direction"));
        for state in 1..=self.states {
            wanted_dim(cx, state, 1, wanted, &why)?;
        }
        for weights in 0..3 {
            wanted_dim(cx, self.weights() + weights, 0, wanted, &why)?;
        }
        Ok(())
    }

    fn check_functions(self, cx: &InferCtx) -> Result<(), Fault> {
        if !cx.writes("activations") {
            return Ok(());
        }
        let names = cx.texts("activations");
        if names.len() < self.functions {
            let message = format!("`activations` names {} functions, wanted {}", names.len(), self.functions);
            return Err(wrong_attr("activations", message));
        }
        let known = |name: &str| FUNCTIONS.iter().any(|function| function.eq_ignore_ascii_case(name));
        match names.iter().take(self.functions).find(|name| !known(name)) {
            Some(name) => {
                let known = FUNCTIONS.join(", ");
                Err(wrong_attr("activations", format!("`{name}` is not an activation function: they are {known}")))
            }
            None => Ok(()),
        }
    }

    /// Warns of what no device can run although OpenVINO loads it.
    fn warn(self, cx: &InferCtx) {
        let lead = usize::from(self.is_sequence);
        let (inputs, weights) = (cx.dim(0, lead + 1), cx.dim(self.weights(), lead + 1));
        if inputs.merge(weights).is_none() {
            let message = format!("`X` has {inputs} features, `W` has weights for {weights}");
            cx.warn(conflict(cx, self.weights(), message).severity(Severity::Warning).runtime(Runtime::Accepts));
        }
    }
}

impl Unrolled {
    /// The outputs of a cell: the states after the step.
    pub(crate) fn states(&self, cx: &InferCtx, count: usize) -> Vec<Fact> {
        self.warn(cx);
        vec![Fact::new(self.ty, PartialShape::of([self.batch, self.hidden])); count]
    }

    /// Warns of a `hidden_size` that OpenVINO loads although it is not that of the inputs.
    fn warn(&self, cx: &InferCtx) {
        let (written, hidden) = (cx.int("hidden_size"), self.hidden);
        if cx.writes("hidden_size") && !hidden.admits(written) {
            let message = format!("`hidden_size` is {written}, the inputs have {hidden}");
            cx.warn(wrong_attr("hidden_size", message).severity(Severity::Warning).runtime(Runtime::Accepts));
        }
    }
}

fn directions(cx: &InferCtx) -> i64 {
    if cx.choice("direction") == "bidirectional" { 2 } else { 1 }
}
