//! A model listed on the HTML page: its row in the table, and the data shown when it is opened.

use super::{Folder, SHOWN, data, finding, packed};
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::report::{ModelReport, Summary};
use crate::source::Span;
use crate::text::{escape, path_text};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// A model of the HTML page.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub(super) path: String,
    name: String,
    layers: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) infos: usize,
    /// The number of hidden findings: ignored, in the baseline, or of rules that are off.
    hidden: usize,
    /// The size of the weights and the number of multiplications; `None` if no shapes were inferred.
    cost: Option<[String; 2]>,
    /// Both as numbers to sort by, for typical lengths of dynamic dimensions.
    amounts: Option<[u128; 2]>,
    /// The rules of the findings.
    rules: BTreeSet<&'static str>,
    /// The indices, places and messages of the findings about links of a pipeline.
    #[serde(skip)]
    pub(super) links: Vec<(usize, Span, String)>,
    /// The reason why the model cannot be opened; `None` if it can.
    closed: Option<String>,
    /// The packed data.
    #[serde(skip)]
    pub(super) data: Option<String>,
}

impl Entry {
    /// Creates the entry of a model from the findings of its report and their counts.
    pub fn of(report: &ModelReport, model: &Model, summary: &Summary, folder: &Folder) -> serde_json::Result<Self> {
        let path = folder.relative(report.path);
        let weights_path = report.weights_path.map(|path| folder.relative(path));
        let report = &ModelReport { path, weights_path, ..*report };
        let (data, cost) = data::model(report, model, folder)?;
        let (cost, amounts) = cost.unzip();
        let rules = report.active().map(|finding| finding.rule.name).into_set();
        let data = packed(&data).map_err(serde_json::Error::io)?;
        let name = escape::line(report.name.unwrap_or_default(), SHOWN);
        let links = finding::links(report, folder);
        Ok(Self { name, cost, amounts, rules, links, data: Some(data), ..Self::new(report.path, summary) })
    }

    /// Creates the entry of an unreadable file, which counts as an error.
    pub fn unread(path: &Path, why: &str, folder: &Folder) -> Self {
        let mut entry = Self::new(folder.relative(path), &Summary { errors: 1, ..Summary::default() });
        entry.close(&folder.hide(why));
        entry
    }

    fn new(path: &Path, summary: &Summary) -> Self {
        let Summary { layers, errors, warnings, infos, in_baseline, ignored, turned_off, .. } = *summary;
        let (path, hidden) = (escape::line(&path_text(path), SHOWN), in_baseline + ignored + turned_off);
        Self {
            path,
            name: String::new(),
            layers,
            errors,
            warnings,
            infos,
            hidden,
            cost: None,
            amounts: None,
            rules: BTreeSet::new(),
            links: Vec::new(),
            closed: None,
            data: None,
        }
    }

    /// Drops the data and keeps the row, with the reason.
    pub fn close(&mut self, why: &str) {
        (self.closed, self.data) = (Some(escape::line(why, SHOWN)), None);
    }

    /// Whether the model can be opened.
    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// Returns the sort key: errors, then warnings.
    pub fn urgency(&self) -> (usize, usize) {
        (self.errors, self.warnings)
    }
}
