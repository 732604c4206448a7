//! The check for local paths in the metadata of a model, which reveal the names of users and machines.

use super::Checked;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Group, Rule, Severity, Sink};
use crate::ir::{attributes, tags, unescape};
use crate::source::Span;

const fn hygiene_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Hygiene, name, summary, explain).accepted(Severity::Info).opt_in()
}

pub(crate) static LOCAL_PATH_IN_METADATA: Rule = hygiene_rule(
    "local-path-in-metadata",
    "the metadata of the model contains a local path",
    "Converters and tools record in `<rt_info>` how the model was made, sometimes with the path of the input. A \
     published model then reveals the names of users and machines.\n\n\
     Delete the entry, or export the model from a neutral folder. `--fix=all` keeps only the name of the file.",
)
.severity(Severity::Warning)
.fixed(Applicability::Unsafe);

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if checked.options.enables(&LOCAL_PATH_IN_METADATA) {
        local_paths(checked, sink);
    }
}

/// The prefixes that `local-path-in-metadata` searches for: those of the folders of single users on Linux, macOS and Windows,
/// each with whether the name of the user follows.
const PATHS: [(&str, bool); 5] =
    [("/home/", true), ("/Users/", true), ("/root/", false), (r"\Users\", true), (r"\home\", true)];

/// Elements that `local-path-in-metadata` ignores: they are part of the graph, not metadata.
const GRAPH_ELEMENTS: [&[u8]; 4] = [b"layer", b"port", b"edge", b"data"];

fn local_paths(checked: &Checked, sink: &mut Sink) {
    let source = checked.scope.source;
    let whole = Span::new(0, source.bytes().len());
    for (element, tag) in tags(source, whole).filter(|(element, _)| !GRAPH_ELEMENTS.contains(element)) {
        for span in attributes(source, tag).map(|attribute| attribute.value) {
            let shown = unescape(source.slice(span));
            if !holds_a_path(&shown) {
                continue;
            }
            let message = format!("<{}> holds a local path: {shown}", String::from_utf8_lossy(element));
            let mut finding = Diagnostic::new(&LOCAL_PATH_IN_METADATA, span, message);
            finding.fix = neutral_name(&source.text(span)).map(|name| match name {
                "" => Fix::replace(span, "", "leave it empty"),
                _ => Fix::replace(span, name, format!("keep only `{name}`")),
            });
            sink.report(finding);
        }
    }
}

/// Whether a value contains a local path. A prefix after a folder name, as in `/mnt/home/`, is part of another path; a prefix
/// after a drive, as in `C:\Users\`, is not.
fn holds_a_path(value: &str) -> bool {
    let starts_at = |at: usize| {
        let before = value.as_bytes().get(..at).and_then(<[u8]>::last);
        before.is_none_or(|last| !last.is_ascii_alphanumeric() && !b"_-./\\".contains(last))
    };
    PATHS.iter().any(|(path, _)| value.match_indices(path).any(|(at, _)| starts_at(at)))
}

/// The file name at the end of a path, empty for the folder of a user; `None` if the value is not just a path.
fn neutral_name(value: &str) -> Option<&str> {
    let found = PATHS.iter().filter_map(|(prefix, has_user)| Some((value.find(prefix)?, prefix, *has_user)));
    let (at, prefix, has_user) = found.min()?;
    let (before, path) = value.split_at_checked(at)?;
    let path = path.strip_prefix(*prefix)?;
    let is_drive = before.is_empty() || before.len() == 2 && before.ends_with(':');
    let has_more = path.contains([' ', '\t', '\n', '\r', ',', ';', '"', '\'', ':', '=', '&']);
    if !is_drive || has_more || PATHS.iter().any(|(prefix, _)| path.contains(prefix)) {
        return None;
    }
    let separators = ['/', '\\'];
    let path = path.trim_end_matches(separators);
    let inside = if has_user { path.split_once(separators).map_or("", |(_, inside)| inside) } else { path };
    Some(inside.rsplit(separators).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::neutral_name;

    #[test]
    fn a_path_alone_is_cut_down_to_its_file() {
        for (value, name) in [
            ("/home/alice/secret/model.onnx", Some("model.onnx")),
            (r"C:\Users\alice\model.pb", Some("model.pb")),
            ("/root/model.pt", Some("model.pt")),
            ("/Users/alice/models/", Some("models")),
            // The last component of these is the user's name.
            ("/home/alice", Some("")),
            ("/home/alice/", Some("")),
            // Command lines, lists and other texts that contain a path.
            ("--input_model /home/alice/model.onnx", None),
            ("/home/alice/my model.onnx", None),
            ("/home/alice/a.onnx,/home/alice/b.onnx", None),
            ("/home/alice/a/home/alice/b.onnx", None),
            ("model=/home/alice/a.onnx", None),
        ] {
            assert_eq!(neutral_name(value), name, "{value}");
        }
    }
}
