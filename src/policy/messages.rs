//! The messages with which OpenVINO rejects a file, and the rules that find their causes, for `ovlint explain`.
//!
//! `.ci/messages.py` holds the table against the messages of the real OpenVINO.

mod table;

use crate::arrange::Arrange;
use crate::diagnostic::{Diagnostic, Rule, Runtime};
use std::cmp::Reverse;
pub use table::MESSAGES;

/// The gap between two parts of a phrase, such as a name or a number.
const GAP: &str = "{}";

/// The minimum number of characters of a part of a phrase.
const FRAGMENT: usize = 12;

/// A message of OpenVINO with a known phrase.
#[derive(Debug)]
pub struct Message {
    /// The text with single spaces.
    text: String,
    /// The phrase, with two dots for names and numbers.
    pub phrase: String,
    /// The rules that find the cause, the likeliest first.
    pub rules: &'static [&'static Rule],
    /// The operation that OpenVINO names.
    pub operation: Option<String>,
    /// The name of the layer that OpenVINO names, unless it is the operation with a number.
    pub layer: Option<String>,
}

impl Message {
    /// Finds the longest phrase in a message, or else the first one of which the message holds a part. White space does not
    /// matter.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.replace("\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let node = text.rsplit_once("While validating node '").map(|(_, node)| node);
        let reason =
            node.and_then(|node| node.split_once("with friendly_name")?.1.split_once("':")).map(|(_, end)| end);
        let (reason, whole) = (reason.map(squeezed), squeezed(&text));
        let longest = |text: &str| {
            let rows = MESSAGES.iter().filter(|(phrase, _)| occurs(phrase, text));
            rows.max_by_key(|(phrase, _)| squeezed(phrase).len())
        };
        let cut = || MESSAGES.iter().find(|(phrase, _)| is_cut(phrase, &whole));
        let (phrase, rules) = reason.as_deref().and_then(longest).or_else(|| longest(&whole)).or_else(cut)?;
        let (operation, layer) = node.map_or_else(|| named_by_reader(&text), named_by_operation);
        let (operation, layer) = (operation.map(str::to_owned), layer.map(str::to_owned));
        Some(Self { text, phrase: phrase.replace(GAP, ".."), rules, operation, layer })
    }

    /// Returns the findings of the rules with which OpenVINO rejects the file, the one that fits best first, and the findings
    /// that they follow from.
    pub fn causes(&self, findings: &[Diagnostic]) -> Vec<Diagnostic> {
        let place = |finding: &Diagnostic| self.rules.iter().position(|rule| *rule == finding.rule);
        let mut fitting: Vec<Diagnostic> =
            rejecting(findings).filter(|finding| place(finding).is_some()).cloned().collect();
        fitting.arrange_by_key(|finding| (Reverse(self.likeness(finding)), place(finding)));
        let best = fitting.first().map(|best| self.likeness(best));
        fitting.retain(|finding| Some(self.likeness(finding)) == best);
        let roots: Vec<_> =
            fitting.iter().filter_map(|finding| Some(finding.consequence_of.as_ref()?.finding)).collect();
        let is_new = |root: &&Diagnostic| !fitting.iter().any(|finding| finding.id == root.id);
        let roots = findings.iter().filter(|root| root.id.is_some_and(|id| roots.contains(&id))).filter(is_new);
        let roots: Vec<Diagnostic> = roots.cloned().collect();
        for finding in &mut fitting {
            finding.consequence_of = None;
        }
        fitting.extend(roots);
        fitting
    }

    /// Compares a finding with the message: whether OpenVINO rejects the file for certain, and whether it names the operation,
    /// the layer, and what the layer reads.
    fn likeness(&self, finding: &Diagnostic) -> (bool, bool, bool, bool) {
        let layer = finding.layer.as_ref();
        let producer = finding.chain.first().and_then(|first| Some(first.rsplit_once(':')?.0));
        (
            finding.runtime == Runtime::Rejects,
            layer.is_some_and(|layer| self.operation.as_ref().is_some_and(|ty| ty.eq_ignore_ascii_case(&layer.ty))),
            layer.is_some_and(|layer| self.layer.as_ref() == Some(&layer.name)),
            producer.is_some_and(|producer| self.text.contains(&format!(" {producer}["))),
        )
    }
}

/// Returns the findings for which OpenVINO rejects the file or may reject it.
pub fn rejecting(findings: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    findings.iter().filter(|finding| matches!(finding.runtime, Runtime::Rejects | Runtime::Unknown))
}

/// Removes white space and capitals, so that it does not matter where lines break.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_ascii_lowercase()
}

/// Whether the parts of a phrase occur in a squeezed text, in their order.
fn occurs(phrase: &str, text: &str) -> bool {
    let after = |text, part| Some(str::split_once(text, squeezed(part).as_str())?.1);
    phrase.split(GAP).try_fold(text, after).is_some()
}

/// Whether a squeezed text lies within a phrase, or ends or starts in it.
fn is_cut(phrase: &str, text: &str) -> bool {
    let lies = |part: String| {
        let is_edge = |n: usize| {
            let is_end = part.get(..n).is_some_and(|start| text.ends_with(start));
            is_end || part.get(part.len() - n..).is_some_and(|end| text.starts_with(end))
        };
        text.len() >= FRAGMENT && (part.contains(text) || (FRAGMENT..part.len()).any(is_edge))
    };
    phrase.split(GAP).map(squeezed).any(lies)
}

/// Returns the operation and the name in the head of a check of an operation: ``opset1::Transpose Transpose_131 (..) -> ()'``.
fn named_by_operation(node: &str) -> (Option<&str>, Option<&str>) {
    let head = node.split(['(', '\'']).next().unwrap_or_default().trim();
    let (ty, name) = head.split_once(' ').unwrap_or((head, ""));
    let operation = ty.rsplit("::").next().filter(|ty| !ty.is_empty());
    let name = Some(name).filter(|name| !name.is_empty());
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_made_up = |name: &&str| name.rsplit_once('_').is_some_and(|(ty, n)| Some(ty) == operation && is_number(n));
    (operation, name.filter(|name| !is_made_up(name)))
}

/// Returns the operation and the layer in a message of the reader: `Relu layer relu_1 with id: 5 ..`, `in layer relu_1`.
fn named_by_reader(text: &str) -> (Option<&str>, Option<&str>) {
    let ty = text.split_once("operation with type: ").and_then(|(_, rest)| rest.split(' ').next());
    let Some((before, rest)) = text.split_once(" layer ") else { return (ty, None) };
    let operation = before.rsplit(' ').next().filter(|word| !matches!(*word, "in" | "create" | ""));
    let end = [" with id:", " id:"].iter().filter_map(|end| rest.find(end)).min();
    let name = end.map_or_else(|| rest.split(' ').next(), |end| rest.get(..end));
    (ty.or(operation), name)
}
