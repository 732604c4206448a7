//! The checks of the graph by which OpenVINO Model Server loads the models of a folder, and of the configuration that names
//! it.

use super::check::{Check, Place};
use super::companion::Companion;
use super::kind::{CLASSIFICATION, DIFFUSION, EMBEDDING, GENERATION, Kind, VISUAL};
use super::loader::{Levels, Loader};
use crate::diagnostic::{Diagnostic, Severity};
use crate::recipe::{Contents, Examined, of_pipeline};
use crate::remote::is_remote;

/// Checks the graph around a folder, if the server is to load it.
pub(super) fn check(check: &mut Check, kind: &Kind) {
    if !check.loaders.contains(&Loader::Ovms) || is_remote(&check.folder.path) {
        return;
    }
    let contents = match kind {
        kind if kind == &GENERATION => Some(Contents::Generation),
        kind if kind == &EMBEDDING => Some(Contents::Embedding),
        kind if kind == &CLASSIFICATION => Some(Contents::Classification),
        kind if kind == &DIFFUSION => Some(Contents::Diffusion),
        kind if kind == &VISUAL => Some(Contents::Vision),
        _ => None,
    };
    for Examined { path, text, faults } in of_pipeline(&check.folder.path, check.bounds, contents) {
        let name = path.strip_prefix(&check.folder.path).unwrap_or(&path).display().to_string();
        check.companions.insert(name.clone(), Some(Companion::of_text(path, text)));
        for fault in faults {
            let levels = Levels { ovms: fault.severity, ..Levels::all(Severity::Off) };
            let finding = Diagnostic::new(fault.rule, fault.span, fault.message);
            check.report(levels, Place::Companion(name.clone()), finding);
        }
    }
}
