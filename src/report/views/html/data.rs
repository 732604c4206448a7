//! The data of one model in the HTML page, as JSON that its script shows: graphs, findings, notes, and the pages of `info`
//! and `cost`.

use super::finding::{Finding, findings};
use super::graph::{GraphData, Graphs, graphs};
use super::numbered::Numbered;
use super::steps::StepTable;
use super::{Folder, SHOWN};
use crate::analysis::Model;
use crate::ir::LayerId;
use crate::query::Sizes;
use crate::query::cost::Cost;
use crate::query::info::info;
use crate::report::ModelReport;
use crate::report::page::Page;
use crate::report::views::cost;
use crate::report::views::info::text;
use crate::text::escape;
use serde::Serialize;

#[derive(Serialize)]
struct Data {
    /// The distinct texts, to which other data refers by number.
    strings: Numbered<String>,
    /// The main graph, then its bodies.
    graphs: Vec<GraphData>,
    /// The steps of `why`, by layer.
    said: StepTable,
    findings: Vec<Finding>,
    /// The omissions and assumptions of the page, one line each; first the reason if there is no graph.
    notes: Vec<String>,
    weights: String,
    /// The page of `ovlint info`.
    about: String,
    /// The page of `ovlint cost`; `None` if no shapes were inferred.
    cost: Option<Page>,
    /// Per layer of the main graph that multiplies: its index, the number of the text of its multiplications, and their number for
    /// typical lengths.
    macs: Vec<(usize, usize, u128)>,
}

/// The bytes of all weights and the multiplications of one run: as text, and as numbers.
type Costs = ([String; 2], [u128; 2]);

/// Returns the data of a model with the findings of its report, as JSON, and a summary of its cost.
pub(super) fn model(
    report: &ModelReport,
    model: &Model,
    folder: &Folder,
) -> serde_json::Result<(Vec<u8>, Option<Costs>)> {
    let mut strings = Numbered::default();
    // Shapes are shown with symbols, but the findings are those of a check without symbols.
    let symbolic = model.is_inferred().then(|| model.with_symbols()).and_then(Result::ok);
    let symbolic = symbolic.as_ref().unwrap_or(model);
    let Graphs { all, layers, steps, note } = graphs(model, symbolic, &mut strings);
    let (findings, more) = findings(report, &layers, folder);
    let shapes = Some(model.shapes()).filter(|shapes| !shapes.is_empty());
    let given = shapes.map(|shapes| escape::line(&format!("with inputs of the shapes {shapes}"), SHOWN));
    let weights = report.weights_path.and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
    let cost = Cost::for_people(symbolic, &Sizes::default()).ok();
    let macs = cost.as_ref().map(|cost| {
        let number =
            |(layer, text, typical): (LayerId, String, u128)| (layer.index(), strings.number(text.as_str()), typical);
        cost::layers(cost).map(number).collect()
    });
    let data = serde_json::to_vec(&Data {
        graphs: all,
        said: steps,
        findings,
        notes: note.into_iter().chain(given).chain(more).collect(),
        weights: escape::line(&weights, SHOWN),
        about: info(model).map(|info| text(&info, report.path)).unwrap_or_default(),
        cost: cost.as_ref().map(cost::page),
        macs: macs.unwrap_or_default(),
        strings,
    })?;
    Ok((data, cost.as_ref().map(|cost| (cost::summary(cost), cost::amounts(cost)))))
}
