//! How an answer of this tool stands to one that was measured.

use super::documented_differences::DIFFERENCES;
use ovlint::internal::types::{Dim, Fact, PartialShape};

/// What OpenVINO and this tool make of one situation.
pub(crate) struct Measurement {
    /// The type of the layer.
    pub(crate) operation: String,
    /// What the layer is given.
    pub(crate) situation: String,
    /// The smallest model that shows it, where `situation` is but a name for it.
    pub(crate) model: Option<String>,
    /// What OpenVINO gives: outputs, or `error`.
    pub(crate) openvino: String,
    /// What this tool gives: outputs, or `error` with the rules broken.
    pub(crate) ovlint: String,
    /// Whether knowing more than OpenVINO is a difference.
    pub(crate) exactly: bool,
}

/// How the two answers stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// They are the same.
    Exact,
    /// This tool knows more.
    Tighter,
    /// This tool knows less.
    Looser,
    /// They contradict each other.
    Wrong,
    /// OpenVINO refuses, this tool does not.
    Missed,
    /// This tool refuses, OpenVINO does not.
    FalseAlarm,
}

impl Measurement {
    pub(crate) fn new(operation: &str, situation: &str, openvino: &str, ovlint: &str) -> Self {
        let [operation, situation, openvino, ovlint] = [operation, situation, openvino, ovlint].map(str::to_owned);
        Self { operation, situation, model: None, openvino, ovlint, exactly: false }
    }

    /// Measured on this model.
    pub(crate) fn on(self, model: &str) -> Self {
        Self { model: Some(model.to_owned()), ..self }
    }

    pub(crate) fn class(&self) -> Class {
        match (self.openvino.starts_with("error"), self.ovlint.starts_with("error")) {
            (true, true) => Class::Exact,
            (true, false) => Class::Missed,
            (false, true) => Class::FalseAlarm,
            _ if self.openvino == self.ovlint => Class::Exact,
            (false, false) => {
                let (Some(want), Some(found)) = (facts(&self.openvino), facts(&self.ovlint)) else {
                    return Class::Wrong;
                };
                // A layer may leave its last outputs unwired, so there can be more than were measured.
                let missing = if found.len() < want.len() { Class::Missed } else { Class::Exact };
                want.iter().zip(&found).map(|(want, found)| compare(want, found)).fold(missing, Class::max)
            }
        }
    }

    /// Whether the answers differ.
    pub(crate) fn differs(&self) -> bool {
        self.class() > if self.exactly { Class::Exact } else { Class::Tighter }
    }
}

/// The outputs in a row; `f32[2] x12` where there are many and all are the same.
pub(crate) fn text_of(outputs: impl IntoIterator<Item = String>) -> String {
    let outputs: Vec<String> = outputs.into_iter().collect();
    match &outputs[..] {
        [first, _, _, ..] if outputs.iter().all(|output| output == first) => format!("{first} x{}", outputs.len()),
        _ => outputs.join("; "),
    }
}

/// An output without its elements.
pub(crate) fn bare_text(fact: &Fact) -> String {
    format!("{}{}", fact.ty, fact.shape)
}

pub(crate) fn facts(text: &str) -> Option<Vec<Fact>> {
    let (text, count) = text.split_once(" x").map_or((text, 1), |(text, count)| (text, count.parse().unwrap()));
    let facts: Vec<Fact> = text.split("; ").map(|fact| fact.parse().ok()).collect::<Option<_>>()?;
    Some(std::iter::repeat_n(facts, count).flatten().collect())
}

fn compare(want: &Fact, found: &Fact) -> Class {
    if bare(want) == bare(found) {
        Class::Exact
    } else if bare(want).contains(&bare(found)) {
        Class::Tighter
    } else if bare(found).contains(&bare(want)) {
        Class::Looser
    } else {
        Class::Wrong
    }
}

/// Type and shape. A length beyond any memory is not a bound: OpenVINO divides the largest integer where it has none.
fn bare(fact: &Fact) -> Fact {
    let plain = |dim: &Dim| match dim.upper() {
        Some(upper) if upper >= 1 << 56 && !dim.is_exact() => Dim::at_least(dim.lower()),
        _ => *dim,
    };
    let shape = fact.shape.dims().map_or(PartialShape::UNKNOWN, |dims| PartialShape::of(dims.iter().map(plain)));
    Fact::new(fact.ty, shape)
}

/// Asserts that the answers agree, but for the differences that are documented.
pub(crate) fn assert_agreement(all: &[Measurement]) {
    let bad: Vec<String> = all
        .iter()
        .filter(|one| one.differs() && !DIFFERENCES.iter().any(|difference| difference.is_in(one)))
        .map(|one| {
            let Measurement { operation, situation, openvino, ovlint, .. } = one;
            format!("{:?} {operation}: {situation}\n    OpenVINO {openvino}\n    ovlint   {ovlint}", one.class())
        })
        .collect();
    assert!(bad.is_empty(), "{} answers differ:\n{}", bad.len(), bad.join("\n"));
}
