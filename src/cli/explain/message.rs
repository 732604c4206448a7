//! `ovlint explain MESSAGE [MODEL]`: the rules that find the cause of a message of OpenVINO, and the cause in a model.

use super::{Entry, ExplainArgs, Format, entries, table};
use crate::cli::files::refuse_stdin;
use crate::cli::show::width;
use crate::cli::subject::print_json;
use crate::cli::what_if::message as error_text;
use crate::cli::{Run, exit, print};
use ovlint::internal::policy::Settings;
use ovlint::internal::policy::messages::{Message, rejecting};
use ovlint::internal::report::ModelReport;
use ovlint::internal::report::document::of_all;
use ovlint::internal::report::findings::json::model as json_of;
use ovlint::internal::report::findings::text::{TextOptions, render};
use ovlint::internal::report::views::message::{found, head, hint, unknown};
use ovlint::internal::{Model, Options};
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::Read;
use std::path::Path;

/// The maximum number of bytes of a message.
const MESSAGE: u64 = 1 << 20;

#[derive(Serialize)]
struct Answer<'a> {
    phrase: &'a str,
    operation: Option<&'a str>,
    layer: Option<&'a str>,
    rules: Vec<Entry>,
    /// Whether the findings about the model are of these rules; `None` without a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    has_cause: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Box<RawValue>>,
}

/// Explains a message; `no_rule` is the error for a name that is neither a rule nor a message.
pub(super) fn explain(args: &ExplainArgs, no_rule: String) -> Run {
    let name = args.name.as_deref().unwrap_or_default();
    let text = if name == "-" { from_stdin()? } else { name.to_owned() };
    if name != "-" && !text.contains(char::is_whitespace) {
        return Err(no_rule);
    }
    let message = Message::read(&text).ok_or_else(unknown)?;
    let mut answer = Answer {
        phrase: &message.phrase,
        operation: message.operation.as_deref(),
        layer: message.layer.as_deref(),
        rules: entries(message.rules),
        has_cause: None,
        model: None,
    };
    let (rest, code) = match &args.model {
        Some(path) => cause(&message, path, &mut answer)?,
        None => (hint().to_owned(), exit::CLEAN),
    };
    match args.format {
        Format::Text => print(&(head(&message) + &table(message.rules) + &rest)),
        Format::Json => _ = print_json(of_all(&answer))?,
    }
    Ok(code)
}

/// Finds the cause in a model; returns the text about it and the exit code.
fn cause(message: &Message, path: &Path, answer: &mut Answer) -> Result<(String, u8), String> {
    let model = open(path)?;
    let judged = Settings { no_suppressions: true, ..Settings::default() }.judge(path, &model);
    let mut findings = message.causes(&judged.findings);
    let has_cause = !findings.is_empty();
    if !has_cause {
        findings = rejecting(&judged.findings).cloned().collect();
    }
    let report = ModelReport::of(path, &model, &findings);
    let options = TextOptions { width: width(), color: true, ..TextOptions::default() };
    let text = found(path, &findings, has_cause) + &render(&report, &options);
    let json = json_of(&report).and_then(RawValue::from_string).map_err(|error| error.to_string())?;
    (answer.has_cause, answer.model) = (Some(has_cause), Some(json));
    // Check only now that the files are unchanged, because rendering reads them too.
    model.intact().map_err(|error| error.to_string())?;
    let code = if findings.is_empty() { exit::CLEAN } else { exit::FINDINGS };
    Ok((text.trim_end().to_owned() + "\n", code))
}

/// Opens the model with the default settings.
fn open(path: &Path) -> Result<Model, String> {
    refuse_stdin(path)?;
    if path.is_dir() {
        return Err(format!("{} is a folder, but a model (.xml) is needed", path.display()));
    }
    let settings = Settings::default();
    Model::open(path, &settings.selection.options(settings.options(Options::default())))
        .map_err(|error| error_text(&error))
}

/// Reads the message from stdin.
fn from_stdin() -> Result<String, String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(MESSAGE).read_to_end(&mut bytes).map_err(|error| format!("cannot read stdin: {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
