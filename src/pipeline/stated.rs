//! The sizes that configurations state of models. Of models that do not fit each other, the wrong one is that which
//! contradicts its own configuration.

use super::check::{Check, with};
use super::companion::integer;
use crate::diagnostic::{Diagnostic, Elsewhere};
use crate::types::Dim;

/// The axis whose size is stated: all these tensors are of rank 3, but for `text_embeds`.
const LAST: [isize; 2] = [-1, 2];

/// A model, the tensor name, or none for any other, and the file that states the size of its last dimension with the keys,
/// of which one is there.
type Row = (&'static str, &'static str, &'static str, &'static str);

const ROWS: [Row; 10] = [
    ("text_encoder/openvino_model", "", "text_encoder/config.json", "hidden_size d_model"),
    ("text_encoder_2/openvino_model", "text_embeds", "text_encoder_2/config.json", "projection_dim"),
    ("text_encoder_2/openvino_model", "", "text_encoder_2/config.json", "hidden_size d_model"),
    ("text_encoder_3/openvino_model", "", "text_encoder_3/config.json", "hidden_size d_model"),
    ("unet/openvino_model", "encoder_hidden_states", "unet/config.json", "cross_attention_dim"),
    ("transformer/openvino_model", "encoder_hidden_states", "transformer/config.json", "joint_attention_dim"),
    ("openvino_encoder_model", "last_hidden_state", "config.json", "d_model"),
    ("openvino_decoder_model", "encoder_hidden_states", "config.json", "d_model"),
    ("openvino_text_embeddings_model", "", "config.json", "text_config.hidden_size hidden_size"),
    ("openvino_language_model", "inputs_embeds", "config.json", "text_config.hidden_size hidden_size"),
];

/// A model whose configuration states another size than its tensor has.
pub(super) struct Contradicted {
    /// The file of the model.
    model: String,
    /// The file of the configuration.
    config: &'static str,
    /// The place in the configuration.
    stated: Elsewhere,
}

/// Returns the contradiction between the size of a tensor and the configuration of its model.
pub(super) fn contradicted(check: &mut Check, tensor: (&str, &str), axis: isize, size: Dim) -> Option<Contradicted> {
    let is_row = |row: &&Row| row.0 == tensor.0 && [tensor.1, ""].contains(&row.1) && LAST.contains(&axis);
    let (_, _, config, keys) = *ROWS.iter().find(is_row)?;
    let file = check.companion(config)?;
    let (key, value) = keys.split(' ').find_map(|key| Some((key, file.get(key).and_then(integer)?)))?;
    let stated = file.elsewhere(key, format!("`{key}` is {value}"));
    size.merge(Dim::exact(value)).is_none().then(|| Contradicted { model: format!("{}.xml", tensor.0), config, stated })
}

/// Adds a contradiction to the finding about models that do not fit.
pub(super) fn explained(finding: Diagnostic, Contradicted { model, config, stated }: Contradicted) -> Diagnostic {
    with(finding, stated).help(format!("`{model}` is not the model that `{config}` describes: export it again"))
}
