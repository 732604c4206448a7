//! The checks of the scheduler of a diffusion pipeline: the classes and settings that openvino.genai 2026.4 takes.

use super::check::Check;
use super::loader::Levels;
use super::values::{self, Row, Wanted::Boolean, types};
use crate::diagnostic::Severity::Error;
use serde_json::Value;

pub(super) const FILE: &str = "scheduler/scheduler_config.json";

const GENAI: Levels = Levels::genai(Error);

/// Switches of schedulers that openvino.genai 2026.4 reads and does not have, with what they are by default and what it refuses.
const SWITCHES: [(&str, &str, bool, bool); 6] = [
    ("DDIMScheduler", "clip_sample", true, true),
    ("DDIMScheduler", "thresholding", false, true),
    ("PNDMScheduler", "skip_prk_steps", false, false),
    ("EulerDiscreteScheduler", "use_karras_sigmas", false, true),
    ("EulerDiscreteScheduler", "use_exponential_sigmas", false, true),
    ("EulerDiscreteScheduler", "use_beta_sigmas", false, true),
];

/// The booleans that each scheduler reads.
const BOOLEANS: [(&str, Row); 5] = [
    ("LCMScheduler", (FILE, Boolean, "clip_sample set_alpha_to_one thresholding rescale_betas_zero_snr")),
    ("DDIMScheduler", (FILE, Boolean, "clip_sample set_alpha_to_one thresholding rescale_betas_zero_snr")),
    ("PNDMScheduler", (FILE, Boolean, "skip_prk_steps set_alpha_to_one")),
    (
        "EulerDiscreteScheduler",
        (FILE, Boolean, "use_karras_sigmas use_exponential_sigmas use_beta_sigmas rescale_betas_zero_snr"),
    ),
    ("EulerAncestralDiscreteScheduler", (FILE, Boolean, "rescale_betas_zero_snr")),
];

/// The schedulers that openvino.genai 2026.4 has.
pub(super) const ALL: [&str; 7] = [
    "LMSDiscreteScheduler",
    "LCMScheduler",
    "DDIMScheduler",
    "EulerDiscreteScheduler",
    "EulerAncestralDiscreteScheduler",
    "FlowMatchEulerDiscreteScheduler",
    "PNDMScheduler",
];

/// Checks the settings that a scheduler reads, and reports those that openvino.genai does not have.
pub(super) fn check(check: &mut Check, class: &str) {
    const FLOW: &str = "FlowMatchEulerDiscreteScheduler";
    /// The schedulers that take no prediction of the picture itself.
    const BY_NOISE: [&str; 3] = ["EulerAncestralDiscreteScheduler", "PNDMScheduler", "LCMScheduler"];
    const KNOWN: [(&str, &[&str]); 6] = [
        ("beta_schedule", &["linear", "scaled_linear"]),
        ("prediction_type", &["epsilon", "sample", "v_prediction"]),
        ("timestep_spacing", &["leading", "linspace", "trailing"]),
        // Those of EulerDiscreteScheduler alone.
        ("interpolation_type", &["linear", "log_linear"]),
        ("final_sigmas_type", &["zero", "sigma_min"]),
        ("timestep_type", &["discrete", "continuous"]),
    ];
    if class == FLOW {
        if check.has("unet/openvino_model") {
            let message = format!("openvino.genai 2026.4 takes `{FLOW}` with a transformer, and the folder has a unet");
            check.about_value(GENAI, FILE, "_class_name", message);
        }
        return;
    }
    types(check, &values::BETAS);
    for (_, row) in BOOLEANS.iter().filter(|(name, _)| *name == class) {
        types(check, &[*row]);
    }
    let count = if class == "EulerDiscreteScheduler" { 6 } else { 3 };
    for (key, known) in KNOWN.into_iter().take(count) {
        let value = check.value(FILE, key);
        let is_taken = |text: &&&str| !BY_NOISE.contains(&class) || **text != "sample";
        let known: Vec<&str> = known.iter().filter(is_taken).copied().collect();
        let text = value.as_ref().and_then(Value::as_str).filter(|text| !text.is_empty() && !known.contains(text));
        let Some(text) = text else { continue };
        let message = format!("`{key}` is `{text}`, openvino.genai 2026.4 knows {}", known.join(", "));
        check.about_value(GENAI, FILE, key, message);
    }
    for (_, key, usual, refused) in SWITCHES.iter().filter(|(name, ..)| *name == class) {
        let value = check.value(FILE, key);
        let (is_there, value) = (value.is_some(), value.as_ref().map_or(Some(*usual), Value::as_bool));
        if value == Some(*refused) {
            let what = if is_there { format!("is {refused}") } else { format!("is missing, and then {refused}") };
            let message = format!("`{key}` {what}, openvino.genai 2026.4 takes `{class}` with {} alone", !refused);
            check.about_value(GENAI, FILE, key, message);
        }
    }
}
