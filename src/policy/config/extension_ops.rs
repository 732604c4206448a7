//! The file of `--extension-ops`: stated outputs of operations, by version and type.
//!
//! ```toml
//! [op."extension.StringTensorUnpack"]
//! outputs = ["i32[in0.shape]", "i32[in0.shape]", "u8[?]"]
//! ```

use super::ConfigError;
use super::entries::Text;
use crate::input;
use crate::limits::TEXT_FILE;
use crate::ops::extension::{ExtensionOps, Output, Stated, may_be_stated};
use crate::policy::wording::plain;
use crate::source::Source;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    op: BTreeMap<Text, Operation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    outputs: Vec<Text>,
}

impl ExtensionOps {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = input::read_text(path, TEXT_FILE).map_err(|error| ConfigError::unusable(path, error))?;
        Self::parse(path, &text)
    }

    /// Parses the text of a file.
    pub(super) fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let is_part = span.start > 0 && text.as_bytes().get(span.start - 1) == Some(&b'.');
            let message = match text.get(span.clone()) {
                Some(ty) if is_part && error.message().starts_with("unknown field") => {
                    format!("a name is quoted as a whole, as in [op.\"extension.{ty}\"]")
                }
                _ => plain(error.message()),
            };
            ConfigError::at(path, text, span, message)
        })?;
        let source = Source::new(path, text.as_bytes().to_vec());
        let rules = file.op.into_iter().map(|(name, operation)| {
            let wrong = |reason| ConfigError::at(path, text, name.span(), reason);
            may_be_stated(name.as_ref()).map_err(wrong)?;
            let outputs = operation.outputs.iter().map(|output| output_of(path, text, output));
            let outputs = outputs.collect::<Result<_, _>>()?;
            let start = u32::try_from(name.span().start).unwrap_or(u32::MAX);
            Ok((name.into_inner(), Stated { line: source.position(start).line, outputs }))
        });
        Ok(Self::new(path, rules.collect::<Result<_, _>>()?))
    }
}

fn output_of(path: &Path, text: &str, output: &Text) -> Result<Output, ConfigError> {
    output.as_ref().parse().map_err(|wrong: crate::ops::extension::NotStated| {
        let whole = output.span();
        // In a string without escapes, the error is that many bytes after the quote.
        let is_plain = text.get(whole.start + 1..whole.end.saturating_sub(1)) == Some(output.as_ref().as_str());
        let start = if is_plain { whole.start + 1 + wrong.at } else { whole.start };
        ConfigError::at(path, text, start..whole.end, wrong)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ExtensionOps, String> {
        ExtensionOps::parse(Path::new("a/ops.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn rules_know_their_lines() {
        let text = "\n[op.\"extension.StringTensorUnpack\"]\noutputs = [\"i32[in0.shape]\", \"u8[?]\"]\n\n\
                    [op.'com.acme.Sink']\noutputs = []\n";
        let all = read(text).unwrap();
        let unpack = all.find("StringTensorUnpack", "extension").unwrap();
        let outputs: Vec<String> = unpack.outputs.iter().map(ToString::to_string).collect();
        assert_eq!((unpack.line, outputs), (2, vec!["i32[in0.shape]".to_owned(), "u8[?]".to_owned()]));
        assert_eq!(all.location(unpack), "ops.toml:2");
        assert_eq!(all.find("Sink", "com.acme").map(|sink| (sink.line, sink.outputs.len())), Some((5, 0)));
        assert_eq!((all.find("stringtensorunpack", "extension"), all.find("Sink", "extension")), (None, None));
    }

    #[test]
    fn whatever_is_wrong_has_a_place() {
        let op = "[op.\"extension.X\"]\n";
        for (text, message) in [
            ("[ops.x]".to_owned(), "1:2: unknown key `ops`; did you mean `op`?"),
            (
                "[op.extension.CaseFold]\noutputs = []".to_owned(),
                "1:15: a name is quoted as a whole, as in [op.\"extension.CaseFold\"]",
            ),
            (
                "[op.\"CaseFold\"]\noutputs = []".to_owned(),
                "1:5: `CaseFold` is not a version and a type such as `extension.CaseFold`",
            ),
            (
                "[op.\"opset1.Split\"]\noutputs = []".to_owned(),
                "1:5: Split (opset1) is an operation of OpenVINO, which needs no rule",
            ),
            (format!("{op}output = []"), "2:1: unknown key `output`; did you mean `outputs`?"),
            (op.to_owned(), "1:1: `outputs` is missing"),
            (format!("{op}outputs = 'f32[1]'"), "2:11: \"f32[1]\" is a string, wanted a list"),
            (format!("{op}outputs = [1]"), "2:12: `1` is a number, wanted a string: \"1\""),
            (
                format!("{op}outputs = ['f32[1]', 'f32[1,-1]']"),
                "2:29: `-1` is not a dimension; any length is written `?`",
            ),
            (format!("{op}outputs = [\n  \"FP32[1]\",\n]"), "3:4: `FP32` is not a type; did you mean `f32`?"),
            (
                format!("{op}outputs = [\"\\u0066[1]\"]"),
                "2:12: `f` is not a type; expected an element type such as `f32`, `dynamic`, or `in0.type`",
            ),
            (format!("{op}outputs = []\n{op}outputs = []"), "3:5: duplicate key"),
            ("[op".to_owned(), "1:4: unclosed table, expected `]`"),
        ] {
            assert_eq!(read(&text), Err(format!("a/ops.toml:{message}")), "{text}");
        }
    }
}
