//! Sentences about what OpenVINO does with a file, each chosen once, from what a finding holds.

use super::family::strength;
use super::{Diagnostic, Group, Refusal, Runtime};

/// The notes of findings of [`Runtime::Rejects`], [`Runtime::Unknown`] and [`Runtime::NotCompiled`].
const REJECTS: &str = "OpenVINO rejects this file";
const REJECTS_LATE: &str = "OpenVINO rejects this file, at the latest when it runs";
const MAY_REJECT: &str = "OpenVINO may reject this file";
const NOT_COMPILED: &str = "OpenVINO reads this file; compile_model fails";
/// The last of these where OpenVINO rejects the file for another reason.
const NOT_EVEN_READ: &str = "compile_model would fail as well";

/// The same of a model with other input shapes.
const NOT_RESHAPED: &str = "OpenVINO cannot reshape it to these input shapes";
const RESHAPED_LATE: &str = "with these input shapes OpenVINO fails, at the latest when it runs";

/// Notes with every finding what OpenVINO does with the file. Those that are `new` with other input shapes speak of these.
pub(crate) fn say(findings: &mut [Diagnostic], new: impl Fn(&Diagnostic) -> bool) {
    let fails = |finding: &&Diagnostic| strength(finding).0 > 0 || finding.runtime == Runtime::NotCompiled;
    if !findings.iter().any(|finding| fails(&finding)) {
        return;
    }
    let is_read = !findings.iter().filter(fails).any(|finding| finding.runtime != Runtime::NotCompiled);
    let loads = findings.iter().filter(fails).all(&new);
    for finding in findings.iter_mut().filter(|finding| fails(&&**finding)) {
        // What is no model, or is too new for a release or a device, is refused as a matter of course.
        let is_of_file = finding.rule.group == Group::File && finding.layer.is_none();
        if is_of_file && finding.refusal.is_none() || finding.rule.group == Group::Portability {
            continue;
        }
        let is_new = new(finding);
        let is_of_operation = finding.refusal.as_ref().is_some_and(|refusal| refusal.is_of_operation());
        let sentence = match (finding.runtime, is_of_operation) {
            (Runtime::NotCompiled, _) if is_read => NOT_COMPILED,
            (Runtime::NotCompiled, _) => NOT_EVEN_READ,
            (Runtime::Unknown, true) if is_new => RESHAPED_LATE,
            (Runtime::Unknown, true) => REJECTS_LATE,
            (Runtime::Unknown, false) => MAY_REJECT,
            _ if is_new => NOT_RESHAPED,
            _ => REJECTS,
        };
        let before = if is_new && loads { "the file loads; " } else { "" };
        let calls = match finding.refusal.as_deref() {
            Some(Refusal::Calls(name)) => format!(" and calls the layer `{name}_<n>`"),
            _ => String::new(),
        };
        finding.notes.push(format!("{before}{sentence}{calls}"));
        if let Some(Refusal::Says(text)) = finding.refusal.as_deref() {
            finding.notes.push(format!("OpenVINO says: \"{text}\""));
        }
    }
}
