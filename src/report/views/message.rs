//! The words of `ovlint explain MESSAGE`: the parts of the message, and the findings about a model that fit it.

use crate::diagnostic::{Diagnostic, Runtime};
use crate::policy::messages::Message;
use crate::text::{path_text, plain_text};
use std::fmt::Write;
use std::path::Path;

/// Formats what is known of the message.
pub fn head(message: &Message) -> String {
    let mut text = format!("phrase     {}\n", message.phrase);
    for (name, value) in [("operation", &message.operation), ("layer", &message.layer)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{name:<10} {}", plain_text(value));
        }
    }
    text + "\n"
}

/// Returns the hint for a message without a model.
pub fn hint() -> &'static str {
    "\nTo find the cause, pass the model as well: `ovlint explain MESSAGE MODEL.xml`.\n"
}

/// Introduces the findings about a model, of which the first fits best if the cause is among them.
pub fn found(path: &Path, findings: &[Diagnostic], is_cause: bool) -> String {
    let path = plain_text(&path_text(path));
    match findings.first() {
        Some(best) if is_cause => {
            let at = best.layer.as_ref().map(|layer| format!(" at `{}`", plain_text(&layer.name))).unwrap_or_default();
            format!("\nIn {path}, the finding of `{}`{at} fits this message best:\n\n", best.rule.name)
        }
        None => {
            format!("\nNo finding of these rules makes OpenVINO reject {path}, and ovlint finds no other reason.\n")
        }
        Some(_) => {
            let is_certain = findings.iter().any(|finding| finding.runtime == Runtime::Rejects);
            let verb = if is_certain { "does" } else { "may" };
            format!("\nNo finding of these rules makes OpenVINO reject {path}. This {verb}:\n\n")
        }
    }
}

/// Says that a message is not known.
pub fn unknown() -> String {
    "ovlint does not recognise this message; run `ovlint check MODEL.xml` to find what OpenVINO rejects in a model"
        .to_owned()
}
