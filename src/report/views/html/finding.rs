//! A finding in the HTML page: one line, and below it the excerpts of the text report.

use super::{Folder, SHOWN};
use crate::diagnostic::{Diagnostic, FindingId};
use crate::pipeline::PIPELINE_LINK;
use crate::report::ModelReport;
use crate::report::findings::text::{Text, TextOptions};
use crate::source::Span;
use crate::text::{counted, escape};
use serde::Serialize;
use std::collections::HashMap;

/// The maximum number of findings of a model in the page.
const MOST: usize = 1_000;

/// The width of an excerpt in columns, for which a telephone has room.
const WIDTH: usize = 48;

#[derive(Serialize)]
pub(super) struct Finding {
    severity: &'static str,
    rule: &'static str,
    message: String,
    /// The indices of the graph and of the layer in it, if the finding is about a layer.
    layer: Option<(usize, usize)>,
    /// The name of the layer that the finding is about, if any.
    place: Option<String>,
    /// The text with the lines of the file, as in the text report.
    text: String,
    /// The number by which consequences refer to the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<u32>,
}

/// Returns the findings in the order of the page: root findings first, so that the limit omits consequences before them.
fn in_order<'a>(report: &ModelReport<'a>) -> Vec<&'a Diagnostic> {
    let (mut roots, others): (Vec<&Diagnostic>, Vec<_>) =
        report.active().partition(|finding| finding.consequence_of.is_none());
    roots.extend(others);
    roots
}

/// Returns the indices, places and messages of the findings about links of a pipeline.
pub(super) fn links(report: &ModelReport, folder: &Folder) -> Vec<(usize, Span, String)> {
    let all = in_order(report).into_iter().take(MOST).enumerate();
    all.filter(|(_, finding)| finding.rule == &PIPELINE_LINK)
        .map(|(at, finding)| (at, finding.primary.span, escape::line(&folder.hide(finding.message.shown()), 2 * SHOWN)))
        .collect()
}

/// Returns the findings of a model, and a note about omissions.
pub(super) fn findings(
    report: &ModelReport,
    layers: &HashMap<u32, (usize, usize)>,
    folder: &Folder,
) -> (Vec<Finding>, Option<String>) {
    let text = Text::new(report, &TextOptions { width: WIDTH, ..TextOptions::default() });
    let of = |finding: &Diagnostic| Finding {
        severity: finding.severity.name(),
        rule: finding.rule.name,
        message: escape::line(&folder.hide(finding.message.shown()), 2 * SHOWN),
        layer: finding.layer.as_ref().and_then(|layer| layers.get(&layer.span.start)).copied(),
        place: finding.layer.as_ref().map(|layer| escape::line(&layer.name, SHOWN)),
        text: folder.hide(&text.finding(finding)),
        id: finding.id.map(FindingId::number),
        cause: finding.consequence_of.as_ref().map(|cause| cause.finding.number()),
    };
    let all = in_order(report);
    let shown: Vec<Finding> = all.iter().take(MOST).map(|finding| of(finding)).collect();
    let more = all.len() - shown.len();
    let note = (more > 0).then(|| format!("{} more: run `ovlint check --max-findings 0`", counted(more, "finding")));
    (shown, note)
}
