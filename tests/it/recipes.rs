//! What recipes find: each fault is planted in a model that has none.

use crate::docs::assert_written;
use crate::program::{code, findings, ovlint, utf8};
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::recipe::RECIPES;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Faults that people reported, and what finds them.
struct Report {
    what: &'static str,
    /// The threads, as an address each.
    threads: &'static [&'static str],
    faults: &'static [Fault],
}

/// A fault planted in a model that has none.
struct Fault {
    /// The model, in `tests/data`.
    model: &'static str,
    /// What is replaced in its text.
    edits: &'static [(&'static str, &'static str)],
    recipe: &'static str,
    rule: &'static str,
    /// The whole message.
    message: &'static str,
}

const LLM: &str = "llm";
const INITIAL_VALUE: &str = "<input>
				<port id=\"0\" precision=\"FP32\">
					<dim>-1</dim>
					<dim>1</dim>
					<dim>0</dim>
					<dim>4</dim>
				</port>
			</input>";
const MASK_PORT: &str = "<port id=\"3\" precision=\"FP32\">
					<dim>-1</dim>
					<dim>1</dim>
					<dim>1</dim>
					<dim>-1</dim>
				</port>";

const U4: &str = "llm-u4";

const REPORTS: &[Report] = &[
    Report {
        what: "an LLM without `beam_idx` or without its state, with other inputs, with variables that have no initial value or \
           other names",
        threads: &[
            "https://github.com/openvinotoolkit/openvino.genai/issues/2005",
            "https://github.com/openvinotoolkit/openvino.genai/issues/3053",
            "https://github.com/openvinotoolkit/model_server/issues/3281",
            "https://github.com/openvinotoolkit/model_server/issues/4405",
            "https://github.com/openvinotoolkit/openvino/issues/27662",
            "https://github.com/openvinotoolkit/openvino/pull/33367",
            "https://github.com/openvinotoolkit/openvino/pull/35221",
        ],
        faults: &[
            Fault {
                model: LLM,
                edits: &[("names=\"beam_idx\"", "names=\"beams\"")],
                recipe: "genai",
                rule: "genai-stateless",
                message: "no input has the tensor name `beam_idx`",
            },
            Fault {
                model: LLM,
                edits: &[(
                    "from-layer=\"40\" from-port=\"2\" to-layer=\"60\"",
                    "from-layer=\"31\" from-port=\"1\" to-layer=\"60\"",
                )],
                recipe: "genai",
                rule: "genai-stateless",
                message: "`present_key` (Assign) reads variable `past_key_values.0.keypresent.0.key` past `beam_idx`",
            },
            Fault {
                model: LLM,
                edits: &[(
                    "from-layer=\"31\" from-port=\"1\" to-layer=\"33\"",
                    "from-layer=\"23\" from-port=\"2\" to-layer=\"33\"",
                )],
                recipe: "genai",
                rule: "genai-stateless",
                message: "`selected_key` (Gather) selects by `beam_idx` from `hidden` (Add), wanted a ReadValue",
            },
            Fault {
                model: LLM,
                edits: &[("name=\"present_key\" type=\"Assign\"", "name=\"present_key\" type=\"Sink\"")],
                recipe: "genai",
                rule: "genai-stateless",
                message: "no Assign writes variable `past_key_values.0.keypresent.0.key`",
            },
            Fault {
                model: LLM,
                edits: &[("0.valuepresent.0.value", "0.keypresent.0.key")],
                recipe: "genai",
                rule: "genai-stateless",
                message: "two layers select from variable `past_key_values.0.keypresent.0.key` by `beam_idx`, wanted one",
            },
            Fault {
                model: LLM,
                edits: &[("type=\"ReadValue\"", "type=\"Cache\""), ("type=\"Assign\"", "type=\"Sink\"")],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "the model has no variables: it does not keep its past",
            },
            Fault {
                model: LLM,
                edits: &[("names=\"input_ids\"", "names=\"ids\"")],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "no input has the tensor name `input_ids` or `inputs_embeds`",
            },
            Fault {
                model: LLM,
                edits: &[("type=\"ScaledDotProductAttention\"", "type=\"Attention\"")],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "the model has no ScaledDotProductAttention",
            },
            Fault {
                model: LLM,
                edits: &[
                    (INITIAL_VALUE, ""),
                    ("<edge from-layer=\"13\" from-port=\"2\" to-layer=\"31\" to-port=\"0\" />", ""),
                    ("<edge from-layer=\"13\" from-port=\"2\" to-layer=\"14\" to-port=\"0\" />", ""),
                ],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "`attention` (ScaledDotProductAttention) takes a key that is not the past of a variable and the \
                      present: `past_key` (ReadValue) has no initial value",
            },
            Fault {
                model: LLM,
                edits: &[(
                    "from-layer=\"33\" from-port=\"3\" to-layer=\"40\"",
                    "from-layer=\"31\" from-port=\"1\" to-layer=\"40\"",
                )],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "`attention` (ScaledDotProductAttention) takes a key that is not the past of a variable and the \
                      present: `all_key` (Concat) starts with `past_key` (ReadValue), wanted a Gather (opset8) of a ReadValue",
            },
            Fault {
                model: LLM,
                edits: &[
                    (MASK_PORT, ""),
                    ("<edge from-layer=\"53\" from-port=\"2\" to-layer=\"54\" to-port=\"3\" />", ""),
                ],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "`attention` (ScaledDotProductAttention) has 3 inputs, wanted a mask as the fourth",
            },
            Fault {
                model: LLM,
                edits: &[(
                    "from-layer=\"2\" from-port=\"0\" to-layer=\"21\"",
                    "from-layer=\"1\" from-port=\"0\" to-layer=\"21\"",
                )],
                recipe: "genai",
                rule: "genai-paged-attention",
                message: "`Unsqueeze_12` (Unsqueeze) needs `attention_mask` apart from attention",
            },
            Fault {
                model: LLM,
                edits: &[("names=\"attention_mask\"", "names=\"mask\"")],
                recipe: "genai",
                rule: "genai-input",
                message: "no input has the tensor name `attention_mask`",
            },
            Fault {
                model: LLM,
                edits: &[("names=\"position_ids\"", "names=\"positions\"")],
                recipe: "genai",
                rule: "genai-input",
                message: "openvino.genai does not set input `positions`",
            },
            Fault {
                model: LLM,
                edits: &[("<data shape=\"?\" element_type=\"i32\" />", "<data shape=\"?\" element_type=\"i64\" />")],
                recipe: "genai",
                rule: "genai-input",
                message: "input `beam_idx` is i64; openvino.genai sets i32",
            },
            Fault {
                model: LLM,
                edits: &[("names=\"logits\"", "names=\"scores\"")],
                recipe: "genai",
                rule: "genai-logits",
                message: "no output has the tensor name `logits`",
            },
            Fault {
                model: LLM,
                edits: &[("past_key_values.0.keypresent.0.key", "layer_0_key")],
                recipe: "genai",
                rule: "genai-state-name",
                message: "variable `layer_0_key` is not named like `past_key_values.0.keypresent.0.key`",
            },
        ],
    },
    Report {
        what: "an LLM for the NPU with asymmetric weights in groups",
        threads: &[
            "https://github.com/openvinotoolkit/openvino/issues/34450",
            "https://github.com/openvinotoolkit/npu_compiler/issues/303",
        ],
        faults: &[
            Fault {
                model: U4,
                edits: &[],
                recipe: "genai-npu",
                rule: "npu-llm-weights",
                message: "weights are u4 in groups of 2, with zero points; documented for the NPU: symmetric weights",
            },
            Fault {
                model: U4,
                edits: &[("name=\"key_shifted\" type=\"Subtract\"", "name=\"key_shifted\" type=\"Multiply\"")],
                recipe: "genai-npu",
                rule: "npu-llm-weights",
                message: "weights are u4 by channel; documented for the NPU: i4 or nf4",
            },
        ],
    },
];

/// A folder with `model.xml`, a model of `tests/data` with these edits, and its weights.
fn planted(model: &str, edits: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(model).join(model);
    let mut text = fs::read_to_string(path.with_extension("xml")).unwrap();
    for (old, new) in edits {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    fs::write(folder.path().join("model.xml"), text).unwrap();
    fs::copy(path.with_extension("bin"), folder.path().join("model.bin")).unwrap();
    folder
}

/// The rules and messages of what a recipe finds in a folder.
fn found(folder: &TempDir, recipe: &str) -> Vec<(String, String)> {
    let all = findings(folder.path(), ["check", "model.xml", "--for", recipe, "--select", "recipe"]);
    let text = |finding: &serde_json::Value, field: &str| finding[field].as_str().unwrap().to_owned();
    all.iter().map(|finding| (text(finding, "rule"), text(finding, "message"))).collect()
}

#[test]
fn reported_faults_are_found() {
    for fault in REPORTS.iter().flat_map(|report| report.faults) {
        let found = found(&planted(fault.model, fault.edits), fault.recipe);
        let is_found = found.iter().any(|(rule, message)| rule == fault.rule && message == fault.message);
        assert!(is_found, "{}: {}\n{found:#?}", fault.rule, fault.message);
    }
}

#[test]
fn working_models_follow_their_recipes() {
    for recipe in RECIPES {
        assert_eq!(found(&planted(LLM, &[]), recipe.name), [], "{}", recipe.name);
    }
}

/// What only `compile_model` rejects is fine for a pipeline.
#[test]
fn dynamic_inputs_are_fine_for_a_pipeline_on_the_npu() {
    let count = |edits: &[(&str, &str)], arguments: &[&str]| {
        let folder = planted(LLM, edits);
        let all = findings(folder.path(), ["check", "model.xml", "--device", "npu"].iter().chain(arguments).copied());
        all.iter().filter(|finding| finding["rule"] == "dynamic-input-for-device").count()
    };
    assert_eq!(count(&[], &[]), 1);
    assert_eq!(count(&[], &["--for", "genai"]), 1);
    assert_eq!(count(&[], &["--for", "genai-npu"]), 0);
    // No pipeline runs this one.
    assert_eq!(count(&[("names=\"beam_idx\"", "names=\"beams\"")], &["--for", "genai-npu"]), 4);
}

#[test]
fn every_rule_finds_a_reported_fault() {
    let rows = || RECIPES.iter().flat_map(|recipe| recipe.rows.iter().map(move |row| (recipe.name, row.rule.name)));
    for (recipe, rule) in rows() {
        let mut faults = REPORTS.iter().flat_map(|report| report.faults);
        assert!(faults.any(|fault| fault.rule == rule), "{recipe}: {rule}");
    }
    for fault in REPORTS.iter().flat_map(|report| report.faults) {
        assert!(rows().any(|row| row == (fault.recipe, fault.rule)), "{}: {}", fault.recipe, fault.rule);
    }
}

#[test]
fn recipes_are_asked_for() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let check = |arguments: &[&str]| {
        let out = ovlint(folder.path(), ["check", "model.xml", "--format", "concise"].iter().chain(arguments).copied());
        (utf8(&out.stdout).lines().filter(|line| line.contains("[genai-stateless]")).count(), code(&out))
    };
    assert_eq!(check(&[]), (0, 0));
    assert_eq!(check(&["--for", "genai"]), (1, 1));
    assert_eq!(check(&["--for", "genai,genai"]), (1, 1));
    assert_eq!(check(&["--for", "genai", "--ignore", "recipe"]), (0, 0));
    assert_eq!(check(&["--for", "genai", "--severity", "genai-stateless=warning"]), (1, 0));
    let configure = |text: &str| fs::write(folder.path().join("ovlint.toml"), text).unwrap();
    configure("for = ['genai']");
    assert_eq!(check(&[]), (1, 1));
    configure("[[per-file]]\nfiles = 'm*.xml'\nfor = ['genai']");
    assert_eq!(check(&[]), (1, 1));
    configure("[[per-file]]\nfiles = 'other.xml'\nfor = ['genai']");
    assert_eq!(check(&[]), (0, 0));
    let unknown = ovlint(folder.path(), ["check", "model.xml", "--for", "genia"]);
    assert!(utf8(&unknown.stderr).contains("there is no recipe `genia`; did you mean `genai`?"), "{unknown:?}");
}

/// What nobody looked for is not gone.
#[test]
fn a_baseline_keeps_what_recipes_found() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let check = |arguments: &[&str]| ovlint(folder.path(), ["check", "model.xml"].iter().chain(arguments).copied());
    check(&["--for", "genai", "--write-baseline", "known"]);
    let out = utf8(&check(&["--baseline", "known", "--format", "concise"]).stdout);
    assert_eq!(out, "");
    let out = utf8(&check(&["--baseline", "known", "--format", "concise", "--for", "genai"]).stdout);
    assert_eq!(out, "");
}

#[test]
fn the_page_lists_rules_sources_and_threads() {
    let mut text = "## Rules\n".to_owned();
    for recipe in RECIPES {
        let _ = write!(
            text,
            "\n### {}\n\nFor {}. Compared with its sources on {}.\n\n| rule | severity | source |\n|---|---|---|\n",
            recipe.name, recipe.summary, recipe.date
        );
        for row in recipe.rows {
            let severity = if row.rule.severity == Severity::Error { "error" } else { "warning" };
            let _ = writeln!(text, "| [`{0}`](rules/{0}.md) | {severity} | {1} |", row.rule.name, row.source);
        }
    }
    text.push_str(
        "\n## Threads\n\nWhat people reported, and what finds it now. `tests/it/recipes.rs` plants each.\n\n",
    );
    text.push_str("| fault | threads | rules |\n|---|---|---|\n");
    for report in REPORTS {
        let name = |thread: &&str| {
            let mut parts = thread.rsplit('/');
            let (number, _, repository) = (parts.next().unwrap(), parts.next(), parts.next().unwrap());
            format!("[{repository} {number}]({thread})")
        };
        let mut rules: Vec<String> = report.faults.iter().map(|fault| format!("`{}`", fault.rule)).collect();
        rules.dedup();
        let threads: Vec<String> = report.threads.iter().map(name).collect();
        let _ = writeln!(text, "| {} | {} | {} |", report.what, threads.join(", "), rules.join(", "));
    }
    let page = fs::read_to_string("docs/recipes.md").unwrap();
    let (by_hand, _) = page.split_once("## Rules\n").unwrap();
    assert_written("docs/recipes.md", &format!("{by_hand}{text}"));
}
