//! The card of a model for `ovlint info`: the tools that made it, its kind, the forms of its weights, its quantized
//! activations, its preprocessing, and what its metadata states.

mod declared;
mod kind;
mod preprocessing;
mod quantized;

pub use crate::lint::forms::{Form, Scale, Scheme, Uses};
pub use declared::{Contradiction, Declared, Entry, Tool};
pub use kind::{Kind, Name, State};
pub(crate) use kind::{TextTask, text_task};
pub use preprocessing::{Preprocessed, Step};
pub use quantized::Quantized;

use crate::analysis::Model;
use crate::lint::forms::{schemes, weighted};
use serde::Serialize;

/// The card of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Card {
    /// The tools that made the file, with their versions, as the file states.
    pub made_by: Vec<Tool>,
    /// The kind of the model; `None` if its graph does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<Kind>,
    /// The forms in which weights are stored, those of most layers first.
    pub weights: Vec<Scheme>,
    /// The layers with quantized inputs; `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantized: Option<Quantized>,
    /// The compression or quantization and the task, as the file states, by section.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<Declared>,
    /// The options of the runtime that the file sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Entry>,
    /// The preprocessing of pictures in the graph, by input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preprocessing: Vec<Preprocessed>,
}

/// Describes a model; empty if it was not read.
pub fn card(model: &Model) -> Card {
    let weighted: Vec<_> =
        model.layers().filter_map(|visit| weighted(&visit, model.source(), Some(model.weights()))).collect();
    let weights = schemes(&weighted);
    let entries = declared::entries(model);
    Card {
        made_by: declared::made_by(&entries),
        is: kind::kind(model),
        quantized: quantized::quantized(&weighted),
        declared: declared::declared(model, &entries, &weights),
        options: declared::options(&entries),
        preprocessing: preprocessing::preprocessing(model),
        weights,
    }
}
