//! A model of the page: its row on the first one, and what it shows once it is opened.

use super::{SHOWN, data, packed};
use crate::analysis::Model;
use crate::report::{ModelReport, Summary};
use crate::text::{escape, path_text};
use serde::Serialize;
use std::path::Path;

/// A model of the page.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub(super) path: String,
    name: String,
    layers: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    /// Findings that are not shown: ignored, in the baseline, or of rules that are off.
    hidden: usize,
    /// The bytes of its weights and its multiplications; `None` if no shapes were inferred.
    cost: Option<[String; 2]>,
    /// Why it cannot be opened; `None` if it can.
    closed: Option<String>,
    /// What it shows, packed.
    #[serde(skip)]
    pub(super) data: Option<String>,
}

impl Entry {
    /// A model with the findings of its report and their counts.
    pub fn of(report: &ModelReport, model: &Model, summary: &Summary) -> serde_json::Result<Self> {
        let (data, cost) = data::model(report, model)?;
        let data = packed(&data).map_err(serde_json::Error::io)?;
        let name = escape::line(report.name.unwrap_or_default(), SHOWN);
        Ok(Self { name, cost, data: Some(data), ..Self::new(report.path, summary) })
    }

    /// A file that could not be read, which counts as an error, and why.
    pub fn unread(path: &Path, why: &str) -> Self {
        let mut entry = Self::new(path, &Summary { errors: 1, ..Summary::default() });
        entry.close(why);
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
            closed: None,
            data: None,
        }
    }

    /// Keeps only the row, which says why.
    pub fn close(&mut self, why: &str) {
        (self.closed, self.data) = (Some(escape::line(why, SHOWN)), None);
    }

    /// Whether it can be opened.
    pub fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// Errors, then warnings.
    pub fn urgency(&self) -> (usize, usize) {
        (self.errors, self.warnings)
    }
}
