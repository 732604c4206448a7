//! Recurrent cells and sequences. The inputs are X, H, C (LSTM only), lengths (sequences only), W, R and B, in that order.

use super::agreement::{agreed_dim, agreed_type, conflict, wanted_dim, wrong_attr};
use super::prelude::*;
use crate::ops::apply::missing;

/// OpenVINO checks it when it compiles the model.
pub(crate) const HIDDEN_SIZE: Attr = Attr::optional("hidden_size", Kind::INT, "0");
pub(crate) const ACTIVATIONS: Attr = Attr::optional("activations", Kind::Texts, "");
pub(crate) const ALPHA: Attr = Attr::optional("activations_alpha", Kind::Floats, "");
pub(crate) const BETA: Attr = Attr::optional("activations_beta", Kind::Floats, "");
pub(crate) const CLIP: Attr = Attr::optional("clip", Kind::Float, "0");
pub(crate) const DIRECTION: Attr =
    Attr::optional("direction", Kind::Choice(&["forward", "reverse", "bidirectional"]), "forward");

/// The activation functions that OpenVINO supports.
const FUNCTIONS: [&str; 4] = ["sigmoid", "tanh", "relu", "hardsigmoid"];

/// A kind of recurrent network.
#[derive(Clone, Copy)]
pub(crate) struct Recurrent {
    /// The number of gates in W and R.
    pub gates: i64,
    /// The number of gates in B.
    pub biases: i64,
    /// The number of states: 1 for H, 2 for H and C.
    pub states: usize,
    /// Whether it runs over a sequence and not only one step.
    pub is_sequence: bool,
    /// The number of activation functions.
    pub functions: usize,
}

/// The inferred type and sizes of a recurrent network.
pub(crate) struct Unrolled {
    network: Recurrent,
    /// The element type of every output.
    pub ty: ElementType,
    /// The batch size.
    pub batch: Dim,
    /// The hidden size.
    pub hidden: Dim,
    /// Whether a state or R gives the hidden size. OpenVINO compares no other size with it before.
    pub is_sized: bool,
}

impl Recurrent {
    /// The index of input W; R and B follow.
    fn weights(self) -> usize {
        self.states + if self.is_sequence { 2 } else { 1 }
    }

    /// Infers type, batch and hidden size, and checks that all inputs agree; the inputs `typed` must have the same type.
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
        } else if let Some(fault) = self.wrong_functions(cx) {
            return Err(fault);
        }
        let batch = agreed_dim(cx, &batches)?;
        let mut hidden = agreed_dim(cx, &hiddens)?;
        let is_sized = hidden.is_exact();
        let checked = |fault: Fault| fault.late_unless(is_sized);
        for (input, gates) in [(w, self.gates), (r, self.gates), (b, self.biases)] {
            let wanted = hidden.times(Dim::exact(gates));
            let found =
                wanted_dim(cx, input, lead, wanted, &format!("{gates} x hidden size {hidden}")).map_err(checked)?;
            hidden = found.cut(gates).and_then(|each| each.agree(hidden)).ok_or_else(|| {
                let name = cx.input_name(input);
                let message = format!("dimension {lead} of `{name}` is {found}, not a multiple of {gates} gates");
                checked(conflict(cx, input, message))
            })?;
        }
        self.check_features(cx);
        Ok(Unrolled { network: self, ty, batch, hidden, is_sized })
    }

    /// Infers the states of a cell after the step.
    pub(crate) fn cell(self, cx: &InferCtx, typed: &[usize]) -> Inferred {
        Ok(self.unrolled(cx, typed)?.states(cx))
    }

    /// Infers H of every step of a sequence, then the final states.
    pub(crate) fn sequence(self, cx: &InferCtx, typed: &[usize]) -> Inferred {
        let Unrolled { ty, batch, hidden, .. } = self.unrolled(cx, typed)?;
        self.check_hidden_size(cx, hidden);
        if let Some(fault) = self.wrong_functions(cx) {
            cx.warn(fault);
        }
        let directions = Dim::exact(directions(cx));
        let last = Fact::new(ty, PartialShape::of([batch, directions, hidden]));
        let mut outputs = vec![Fact::new(ty, PartialShape::of([batch, directions, cx.dim(0, 1), hidden]))];
        outputs.extend(vec![last; self.states]);
        Ok(outputs)
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

    /// The fault of wrong activation functions. OpenVINO does not read such a cell and does not compile such a sequence.
    fn wrong_functions(self, cx: &InferCtx) -> Option<Fault> {
        let runtime = if self.is_sequence { Runtime::NotCompiled } else { Runtime::Rejects };
        if !cx.writes("activations") {
            // A cell has defaults, a sequence has none.
            return self.is_sequence.then(|| missing(cx.spec, "activations").runtime(runtime));
        }
        let fault = |message: String| Some(wrong_attr("activations", message).runtime(runtime));
        let names = cx.texts("activations");
        if names.len() < self.functions {
            let plural = plural(names.len());
            return fault(format!("`activations` names {} function{plural}, wanted {}", names.len(), self.functions));
        }
        let known = |name: &str| FUNCTIONS.iter().any(|function| function.eq_ignore_ascii_case(name));
        let name = names.iter().take(self.functions).find(|name| !known(name))?;
        fault(format!("`{name}` is not an activation function: they are {}", FUNCTIONS.join(", ")))
    }

    /// Reports different numbers of features in X and W, which OpenVINO compares when it compiles the model.
    fn check_features(self, cx: &InferCtx) {
        let lead = usize::from(self.is_sequence);
        let (inputs, weights) = (cx.dim(0, lead + 1), cx.dim(self.weights(), lead + 1));
        if inputs.agree(weights).is_none() {
            let message = format!("`X` has {inputs} features, `W` has weights for {weights}");
            cx.warn(conflict(cx, self.weights(), message).runtime(Runtime::NotCompiled));
        }
    }

    /// Warns of a wrong `hidden_size`, which OpenVINO checks only when it compiles the model.
    fn check_hidden_size(self, cx: &InferCtx, hidden: Dim) {
        let written = cx.int("hidden_size");
        let fault = if !cx.writes("hidden_size") {
            missing(cx.spec, "hidden_size")
        } else if hidden.admits(written) {
            return;
        } else {
            wrong_attr("hidden_size", format!("`hidden_size` is {written}, the inputs have {hidden}"))
        };
        // If the weights are not constants, or values are clipped, OpenVINO decomposes the network and does not need it.
        if cx.float("clip") == 0.0 {
            let end = cx.inputs().len().min(self.weights() + 3);
            cx.report_if_bounded(self.weights()..end, fault.clone().runtime(Runtime::NotCompiled));
        }
        cx.warn(fault.severity(Severity::Warning).runtime(Runtime::Accepts));
    }
}

impl Unrolled {
    /// The outputs of a cell: the states after the step.
    pub(crate) fn states(&self, cx: &InferCtx) -> Vec<Fact> {
        self.network.check_hidden_size(cx, self.hidden);
        vec![Fact::new(self.ty, PartialShape::of([self.batch, self.hidden])); self.network.states]
    }
}

fn directions(cx: &InferCtx) -> i64 {
    if cx.choice("direction") == "bidirectional" { 2 } else { 1 }
}
