//! SARIF 2.1.0, the format of code scanning services. Consequences belong to the result of their root finding.

mod location;
mod result;
mod tool;

use super::{FormatSpec, Join};
use crate::report::ModelReport;
use crate::report::document::text;
use serde::Serialize;

pub(in crate::report) static FORMAT: FormatSpec = FormatSpec {
    is_document: true,
    head,
    join: Join::Commas,
    tail: |end, _| tail(end.exit_code),
    ..FormatSpec::new("sarif", "SARIF 2.1.0, for code scanning", |model, _| render(model))
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
struct Invocation {
    #[serde(rename = "executionSuccessful")]
    execution_successful: bool,
    #[serde(rename = "exitCode")]
    exit_code: u8,
}

/// Renders the part before the results: the tool and all its rules.
fn head() -> serde_json::Result<String> {
    Ok(format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\"columnKind\":\"unicodeCodePoints\",\
         \"originalUriBaseIds\":{{\"{}\":{{\"description\":{{\"text\":\"The folder that ovlint was run in\"}}}}}},\
         \"results\":[\n",
        text(&tool::tool())?,
        location::BASE
    ))
}

/// Renders the results of a model, separated by commas; empty if there are none.
fn render(model: &ModelReport) -> serde_json::Result<String> {
    let results: Vec<String> = result::results(model).map(|result| text(&result)).collect::<Result<_, _>>()?;
    Ok(results.join(",\n"))
}

/// Renders the part after the results. A run that could not read a file was not successful.
fn tail(exit_code: u8) -> serde_json::Result<String> {
    let invocation = Invocation { execution_successful: exit_code < 2, exit_code };
    Ok(format!("\n],\"invocations\":[{}]}}]}}\n", text(&invocation)?))
}
