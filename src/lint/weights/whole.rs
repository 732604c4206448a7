//! Findings about the weights file as a whole, which have no span in the XML.

use super::mangled::{BLOCK, damage, has_other_line_ends};
use super::{Needs, about};
use crate::arrange::Arrange;
use crate::diagnostic::{Diagnostic, Label, Refusal, Runtime, Severity, Sink};
use crate::ir::{ForeignFormat, Weights};
use crate::lint::rules::{
    GIT_LFS_POINTER, WEIGHTS_FILE_MISSING, WEIGHTS_NOT_RAW, WEIGHTS_TRAILING_BYTES, WEIGHTS_TRUNCATED,
};
use crate::lint::{Checked, for_every_graph};
use crate::source::Span;
use crate::text::plural;

pub(super) fn missing(weights: &Weights, constants: usize) -> Diagnostic {
    let path = weights.path.clone().unwrap_or_default();
    let plural = if constants == 1 { "constant needs" } else { "constants need" };
    let message = format!("{} is missing, and {constants} {plural} it", path.display());
    let mut finding = Diagnostic::new(&WEIGHTS_FILE_MISSING, Span::default(), message)
        .help("pass it with `--weights FILE`, or skip weight checks with `--weights skip`")
        .refused(Refusal::NoWeights);
    let mut others: Vec<String> = path
        .parent()
        .map(|folder| if folder.as_os_str().is_empty() { std::path::Path::new(".") } else { folder })
        .and_then(|folder| std::fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| std::path::Path::new(name).extension().is_some_and(|ending| ending == "bin"))
        .take(1000)
        .collect();
    others.arrange();
    others.truncate(3);
    if !others.is_empty() {
        finding = finding.note(format!("the folder has {}", others.join(", ")));
    }
    finding
}

/// The finding about an empty weights file, for a model whose constants have no elements but determine shapes.
pub(super) fn empty(weights: &Weights) -> Diagnostic {
    let name = weights.shown();
    let message = format!("{name} is empty, and some operations fail to read a constant without elements from it");
    Diagnostic::new(&WEIGHTS_TRUNCATED, Span::default(), message)
        .runtime(Runtime::Unknown)
        .help("append a byte to the file")
}

/// The finding about a weights file in another format.
pub(super) fn other_kind(weights: &Weights, needs: &Needs) -> Option<Diagnostic> {
    let size = weights.size();
    let name = weights.shown();
    // OpenVINO rejects the file if it is too short; otherwise it reads its bytes as numbers, which may be no shapes.
    let runtime = match (size < needs.end, needs.is_read) {
        (true, _) => Runtime::Rejects,
        (false, true) => Runtime::Unknown,
        (false, false) => Runtime::Accepts,
    };
    let finding = |rule, message: String| Diagnostic::new(rule, Span::default(), message).runtime(runtime);
    let kind = match weights.foreign_format() {
        Some(ForeignFormat::LfsPointer) => {
            return Some(
                finding(&GIT_LFS_POINTER, format!("{name} is a Git LFS pointer, not weights"))
                    .note(pointed(weights, needs.end))
                    .help("run `git lfs pull`, or skip weight checks with `--weights skip`"),
            );
        }
        Some(ForeignFormat::Text) => "a text file",
        Some(ForeignFormat::Other(kind)) => kind,
        None => return None,
    };
    let mut finding = finding(&WEIGHTS_NOT_RAW, format!("{name} looks like {kind}, not weights"))
        .note(format!("it has {size} bytes, and this model needs {}", needs.end))
        .help("download the file again, or skip weight checks with `--weights skip`");
    if weights.foreign_format() == Some(ForeignFormat::Text) {
        let head = weights.read(0, usize::try_from(size.min(100)).unwrap_or_default()).unwrap_or_default();
        finding = finding.note(format!("it starts with `{}`", String::from_utf8_lossy(&head).trim()));
    }
    Some(finding)
}

/// The comparison of the file that a Git LFS pointer stands for with the bytes that the model needs.
fn pointed(weights: &Weights, need: u64) -> String {
    let text = weights.read(0, usize::try_from(weights.size().min(POINTER)).unwrap_or_default()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let size: Option<u64> = text.lines().find_map(|line| line.strip_prefix("size ")?.trim().parse().ok());
    match size {
        Some(size) if size == need => format!("it points to a file of {size} bytes, which is what this model needs"),
        Some(size) if size > need => format!("it points to a file of {size} bytes, of which this model needs {need}"),
        Some(size) => format!(
            "it points to a file of {size} bytes, but this model needs {need}: does it belong to another model?"
        ),
        None => format!("this model needs {need} bytes"),
    }
}

/// The maximum number of bytes of a Git LFS pointer.
const POINTER: u64 = 1024;

/// Reports constants outside the file: one finding if the file is simply too short, else one each.
///
/// The constants within the file use its bytes up to `used`; all of them need those up to `end`.
pub(super) fn report_outside(
    checked: &Checked,
    mut outside: Vec<(u64, Diagnostic)>,
    used: u64,
    end: u64,
    sink: &mut Sink,
) {
    let (name, size) = (checked.scope.weights.shown(), checked.scope.weights.size());
    let damage = if outside.is_empty() { None } else { damage(checked, end) };
    if outside.len() < 2 && damage.is_none() {
        for (offset, finding) in outside {
            let lacks = end.saturating_sub(size);
            let s = plural(lacks);
            sink.report(if offset < used {
                finding.note(format!("other constants use bytes up to {used}: is the offset wrong?"))
            } else if offset < size {
                finding.note(format!(
                    "the file is {lacks} byte{s} too short for the model: is its end missing, or were bytes lost before it?"
                ))
            } else {
                finding
            });
        }
        return;
    }
    #[allow(clippy::cast_precision_loss, reason = "a percentage is shown with one digit")]
    let percent = (size as f64 * 100.0 / end.max(1) as f64).min(99.9);
    let there = damage.map_or_else(|| format!(" ({percent:.1}% present)"), |damage| format!(": {damage}"));
    let message = format!("{name} has {size} byte{s}, but the model needs {end}{there}", s = plural(size));
    let (count, s) = (outside.len(), if outside.len() == 1 { " extends" } else { "s extend" });
    let note = format!("{count} constant{s} past the end of the file; was this .bin exported with this .xml?");
    let mut finding = Diagnostic::new(&WEIGHTS_TRUNCATED, Span::default(), message).note(note);
    outside.arrange_by_key(|(offset, _)| *offset);
    finding.builds = outside.iter().filter_map(|(_, one)| Some(one.layer.as_ref()?.span)).collect();
    if let Some((_, first)) = outside.into_iter().next() {
        finding.primary = Label::new(first.primary.span, "the first constant that is cut off");
        (finding.layer, finding.labels, finding.body) = (first.layer, first.labels, first.body);
        finding.refusal = first.refusal;
    }
    sink.report(finding);
}

pub(super) fn report_trailing(checked: &Checked, end: u64, sink: &mut Sink) {
    let weights = checked.scope.weights;
    // Writers pad the end of a file, so a few bytes are normal.
    let extra = weights.size().saturating_sub(end);
    let name = weights.shown();
    if has_other_line_ends(weights, extra.cast_signed()) {
        let s = plural(extra);
        let message = format!("{name} was converted as text: it is {extra} byte{s} too long, one for each line feed");
        let finding = Diagnostic::new(&WEIGHTS_TRAILING_BYTES, Span::default(), message).severity(Severity::Error);
        let finding =
            finding.note("there is a carriage return before each of them, so all later bytes are at the wrong offset");
        sink.report(
            finding.help("transfer the file again in binary mode; with Git, add `*.bin binary` to .gitattributes"),
        );
    } else if extra >= 64 {
        let size = weights.size();
        let twice = if extra == end { ", twice what the model needs" } else { "" };
        let (message, severity) = match damage(checked, end) {
            Some(damage) => (format!("{name} has {size} bytes, the model needs {end}: {damage}"), Severity::Error),
            None => {
                (format!("no constant uses the last {extra} of the {size} bytes of {name}{twice}"), Severity::Warning)
            }
        };
        let finding = Diagnostic::new(&WEIGHTS_TRAILING_BYTES, Span::default(), message).severity(severity);
        sink.report(finding.help("was this .bin exported with this .xml?"));
    }
}

/// The minimum number of bytes of 0 at the end of a file; fewer may be a number.
const ZEROS: u64 = 64;

/// The minimum number of bytes of 0 that show by themselves that a matrix was cut off.
const PAGE: u64 = 4096;

/// Whether at most half of the numbers before an offset are 0; `most` bytes may be read.
fn is_dense(weights: &Weights, end: u64, most: u64) -> bool {
    let size = most.min(PAGE);
    let bytes = usize::try_from(size).ok().and_then(|size| weights.read(end - size as u64, size));
    let zeros = |bytes: &Vec<u8>| bytes.as_chunks::<4>().0.iter().filter(|word| **word == [0; 4]).count();
    bytes.is_some_and(|bytes| zeros(&bytes) * 8 <= bytes.len())
}

/// Returns the offset of the zeros at the end of the file, and the finding about them. They begin inside a constant, or are all
/// that the file holds; they hold a whole further constant that is more than a bias, which may well be 0, or much of a matrix.
pub(crate) fn zero_tail(checked: &Checked) -> Option<(u64, Diagnostic)> {
    let (weights, file, all) = (checked.scope.weights, checked.scope.weights.shown(), checked.scope.weights.size());
    let (mut start, mut step) = (all, ZEROS);
    while start > 0 {
        let from = start.saturating_sub(step);
        let bytes = weights.read(from, usize::try_from(start - from).ok()?)?;
        if let Some(last) = bytes.iter().rposition(|byte| *byte != 0) {
            start = from + last as u64 + 1;
            break;
        }
        (start, step) = (from, BLOCK);
    }
    if all - start < ZEROS {
        return None;
    }
    let (mut is_more, mut found) = (false, None);
    for_every_graph(checked, &mut |checked| {
        for layer in &checked.scope.graph.layers {
            let Some(constant) = checked.scope.graph.constant(layer).filter(|one| one.end() <= all) else { continue };
            let mut wide = constant.lengths.iter().rev().filter(|length| **length > 1);
            let row = wide.next().and_then(|length| constant.ty.storage(length.cast_unsigned())).unwrap_or(1);
            let is_wide = wide.next().is_some();
            is_more |= constant.offset >= start && is_wide && constant.elements() >= Some(64);
            if (constant.offset < start || start == 0) && constant.end() >= start + ZEROS {
                let before = start.saturating_sub(constant.offset);
                // A few rows of 0 may pad a table, and so may numbers in a row of integers.
                let is_cut = before.next_multiple_of(row) >= before + 8 || constant.end() - start >= constant.size / 4;
                let is_long = is_wide && constant.ty.is_float() && constant.end() >= start + PAGE;
                is_more |= is_long && is_cut && is_dense(weights, start, before);
                let name = checked.scope.graph.name(checked.scope.source, layer);
                let message = match start {
                    0 => format!("{file} has {all} bytes of 0 and no others"),
                    _ => format!("{file} ends in {} bytes of 0, which begin inside Const `{name}`", all - start),
                };
                let finding = Diagnostic::new(&WEIGHTS_TRUNCATED, layer.data, message).runtime(Runtime::Accepts);
                let finding = finding.primary(format!("all bytes from {start} on are 0"));
                found = Some(about(checked, layer, finding.help("was a download or a copy of the file interrupted?")));
            }
        }
    });
    found.filter(|_| is_more && weights.foreign_format().is_none()).map(|finding| (start, finding))
}
