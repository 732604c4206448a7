//! What recipes find: each fault is planted in a model that has none.

mod language_models;
mod ovms;
mod triton;

use crate::docs::assert_written;
use crate::program::{code, findings, ovlint, utf8};
use crate::samples::reported_faults;
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::ops::advisories::{ADVISORIES, Advisory};
use ovlint::internal::recipe::{RECIPES, Recipe};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

type Edits = &'static [(&'static str, &'static str)];

/// A fault planted in a model that has none.
struct Fault {
    /// The model, in `tests/data`.
    model: &'static str,
    /// What is replaced in its text.
    edits: Edits,
    /// A file beside it, its text, and what is replaced in that.
    beside: Option<(&'static str, &'static str, Edits)>,
    recipe: &'static str,
    rule: &'static str,
    /// The whole message.
    message: &'static str,
}

const LLM: &str = "llm";
const U4: &str = "llm-u4";
const DETECTOR: &str = "detector";

/// The configuration of Triton that fits the detector.
const PBTXT: (&str, &str) = ("detector/config.pbtxt", include_str!("../../data/detector/config.pbtxt"));

/// A model whose Reshape keeps the batch, with two other targets behind that in its weights, which do not.
const CLASSIFIER: &str = "classifier";
const CLASSES: &str = include_str!("../../data/classifier/config.pbtxt");

/// The configuration of OpenVINO Model Server that fits it.
const SERVER: (&str, &str) = ("config.json", include_str!("../../data/detector/config.json"));

/// Where the model is, for the sake of servers.
const MODEL: &str = "detector/1/model.xml";

/// All faults that are planted.
fn faults() -> impl Iterator<Item = &'static Fault> {
    [language_models::FAULTS, ovms::FAULTS, triton::FAULTS].into_iter().flatten()
}

/// A folder with a model of `tests/data` with these edits, and its weights if it has some.
fn planted(model: &str, edits: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(model).join(model);
    let text = edited(&fs::read_to_string(path.with_extension("xml")).unwrap(), edits);
    let planted = folder.path().join(MODEL);
    fs::create_dir_all(planted.parent().unwrap()).unwrap();
    fs::write(&planted, text).unwrap();
    if path.with_extension("bin").exists() {
        fs::copy(path.with_extension("bin"), planted.with_extension("bin")).unwrap();
    }
    folder
}

fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// A folder with the model of a fault and what is beside it.
fn faulty(fault: &Fault) -> TempDir {
    let folder = planted(fault.model, fault.edits);
    if let Some((path, text, edits)) = fault.beside {
        fs::write(folder.path().join(path), edited(text, edits)).unwrap();
    }
    folder
}

/// The name of a recipe, with its device.
fn name_of(recipe: &Recipe) -> String {
    let device = recipe.device.map(|device| format!(" on {device}").to_lowercase()).unwrap_or_default();
    format!("{}{device}", recipe.name)
}

/// The rules and messages of what a recipe finds in a folder.
fn found(folder: &TempDir, recipe: &str) -> Vec<(String, String)> {
    // A recipe for a device is written as `genai on npu` here.
    let (recipe, device) = recipe.split_once(" on ").map_or((recipe, None), |(recipe, device)| (recipe, Some(device)));
    let device = device.into_iter().flat_map(|device| ["--device", device]);
    let all =
        findings(folder.path(), ["check", MODEL, "--for", recipe, "--select", "recipe"].into_iter().chain(device));
    let text = |finding: &serde_json::Value, field: &str| finding[field].as_str().unwrap().to_owned();
    all.iter().map(|finding| (text(finding, "rule"), text(finding, "message"))).collect()
}

#[test]
fn planted_faults_are_found() {
    for fault in faults() {
        let found = found(&faulty(fault), fault.recipe);
        let is_found = found.iter().any(|(rule, message)| rule == fault.rule && message == fault.message);
        assert!(is_found, "{}: {}\n{found:#?}", fault.rule, fault.message);
    }
}

#[test]
fn working_models_follow_their_recipes() {
    let beside: [&[(&str, &str)]; 3] = [&[], &[PBTXT, SERVER], &[(PBTXT.0, CLASSES)]];
    let models = [(LLM, ["genai", "genai on npu"]), (DETECTOR, ["ovms", "triton"]), (CLASSIFIER, ["ovms", "triton"])];
    for ((model, recipes), beside) in models.into_iter().zip(beside) {
        let folder = planted(model, &[]);
        for (path, text) in beside {
            fs::write(folder.path().join(path), text).unwrap();
        }
        for recipe in recipes {
            let mut found = found(&folder, recipe);
            // This model is not compressed.
            found.retain(|(rule, _)| rule != "npu-llm-weights");
            assert_eq!(found, [], "{recipe}");
        }
    }
}

/// What the documentation says of weights, by release.
#[test]
fn the_page_about_the_npu_is_that_of_the_target() {
    const BY_CHANNEL: (&str, &str) =
        ("name=\"key_shifted\" type=\"Subtract\"", "name=\"key_shifted\" type=\"Multiply\"");
    const ONE_ZERO: (&str, &str) =
        ("shape=\"4, 2, 1\" offset=\"212\" size=\"4\"", "shape=\"1, 1, 1\" offset=\"212\" size=\"1\"");
    let told = |model: &str, edits: &[(&str, &str)], zero: u8, target: &str| {
        let folder = planted(model, edits);
        let bin = folder.path().join(MODEL).with_extension("bin");
        let mut bytes = fs::read(&bin).unwrap();
        bytes[212] = zero;
        fs::write(&bin, bytes).unwrap();
        let target = target.split_whitespace().flat_map(|target| ["--target", target]);
        let arguments = ["check", MODEL, "--for", "genai", "--device", "npu", "--select", "npu-llm-weights"];
        let all = findings(folder.path(), arguments.into_iter().chain(target));
        all.iter().map(|finding| finding["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let documented = "the documentation of 2024.4 to 2024.6 for the NPU prefers";
    let wide = "weights are f32";
    let asks = "the documentation for the NPU asks for";
    assert_eq!(told(LLM, &[], 0, ""), [format!("{wide}; {asks} symmetric weights of 4 bits")]);
    assert_eq!(told(LLM, &[], 0, "2025.1"), [format!("{wide}; {documented} symmetric weights of 4 bits")]);
    assert_eq!(told(LLM, &[], 0, "2024.3"), [""; 0]);
    let of_u4 = |edits: &[(&str, &str)], zero: u8, target: &str| {
        let mut all = told(U4, edits, zero, target);
        all.retain(|message| !message.starts_with(wide));
        all
    };
    assert_eq!(of_u4(&[BY_CHANNEL], 0, "2024.6"), [format!("weights are u4 by channel; {documented} i4")]);
    let later = "the documentation of 2025.3 to 2026.3 for the NPU asks for";
    assert_eq!(of_u4(&[BY_CHANNEL], 0, "2026.0"), [format!("weights are u4 by channel; {later} i4 or nf4")]);
    // u4 minus 8 is i4.
    let groups = format!("weights are u4 in groups of 2; {asks} groups of 128, or whole channels");
    assert_eq!(of_u4(&[ONE_ZERO], 8, ""), [groups]);
    let zeros = format!("weights are u4 in groups of 2, with zero points; {asks} symmetric weights");
    assert_eq!(of_u4(&[ONE_ZERO], 7, ""), [zeros]);
}

/// The `config.json` of a language model is not for the server.
#[test]
fn configurations_of_something_else_are_left_alone() {
    let folder = planted(DETECTOR, &[]);
    fs::write(folder.path().join("detector/1/config.json"), r#"{"architectures": ["LlamaForCausalLM"]}"#).unwrap();
    assert_eq!(found(&folder, "ovms"), []);
    let message = "config.json: there is no `model_config_list`";
    let found = found(&folder, "ovms=detector/1/config.json");
    assert!(found.contains(&("ovms-schema".to_owned(), message.to_owned())), "{found:?}");
}

#[test]
fn what_constants_decide_is_not_guessed() {
    let folder = planted(LLM, &[]);
    for flags in [["--weights", "skip"], ["--shape", "input_ids[1,4],position_ids[1,4]"]] {
        let arguments = ["check", MODEL, "--for", "genai", "--select", "recipe"];
        assert_eq!(findings(folder.path(), arguments.into_iter().chain(flags)).len(), 0, "{flags:?}");
    }
}

/// What only `compile_model` rejects is fine for a pipeline.
#[test]
fn dynamic_inputs_are_fine_for_a_pipeline_on_the_npu() {
    let count = |edits: &[(&str, &str)], arguments: &[&str]| {
        let folder = planted(LLM, edits);
        let all = findings(folder.path(), ["check", MODEL, "--device", "npu"].iter().chain(arguments).copied());
        all.iter().filter(|finding| finding["rule"] == "dynamic-input-for-device").count()
    };
    assert_eq!(count(&[], &[]), 1);
    assert_eq!(count(&[], &["--for", "genai"]), 0);
    // No pipeline runs this one.
    assert_eq!(count(&[("names=\"beam_idx\"", "names=\"beams\"")], &["--for", "genai"]), 4);
}

/// The one thing that is wrong, not all that follows from it.
#[test]
fn a_model_of_another_kind_is_one_finding() {
    for recipe in ["genai", "genai on npu"] {
        assert_eq!(found(&planted(DETECTOR, &[]), recipe).len(), 1, "{recipe}");
    }
}

#[test]
fn every_rule_finds_a_planted_fault() {
    let rows = || RECIPES.iter().flat_map(|recipe| recipe.rows.iter().map(move |row| (name_of(recipe), row.rule.name)));
    // The place of a model is not in its text.
    for (recipe, rule) in rows().filter(|(_, rule)| *rule != "ovms-layout") {
        assert!(faults().any(|fault| fault.rule == rule), "{recipe}: {rule}");
    }
    for fault in faults() {
        assert!(
            rows().any(|(recipe, rule)| (recipe.as_str(), rule) == (fault.recipe, fault.rule)),
            "{}: {}",
            fault.recipe,
            fault.rule
        );
    }
}

#[test]
fn recipes_are_asked_for() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let check = |arguments: &[&str]| {
        let out = ovlint(folder.path(), ["check", MODEL, "--format", "concise"].iter().chain(arguments).copied());
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
    let unknown = ovlint(folder.path(), ["check", MODEL, "--for", "genia"]);
    assert!(utf8(&unknown.stderr).contains("there is no recipe `genia`; did you mean `genai`?"), "{unknown:?}");
}

/// A configuration further up asks for a recipe that the command line does not name.
#[test]
fn the_configuration_that_asks_for_a_recipe_is_named() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let inside = folder.path().join("detector/1");
    let notes = |arguments: &[&str]| {
        let found = findings(&inside, ["check", "model.xml", "--select", "recipe"].iter().chain(arguments).copied());
        assert_eq!(found.len(), 1, "{found:?}");
        found[0]["notes"].to_string()
    };
    fs::write(folder.path().join("ovlint.toml"), "fail-on = 'never'\nfor = ['genai']\n").unwrap();
    assert!(notes(&[]).contains("\"required by ../../ovlint.toml:2\""), "{}", notes(&[]));
    // The same recipe from two places reports once, for the first.
    let both = "for = ['genai']\n[[per-file]]\nfiles = '*.xml'\nfor = [\n  'genai']\n";
    fs::write(folder.path().join("ovlint.toml"), both).unwrap();
    assert!(notes(&[]).contains("ovlint.toml:1\""), "{}", notes(&[]));
    let own = both.split_once('\n').unwrap().1;
    fs::write(folder.path().join("ovlint.toml"), own).unwrap();
    assert!(notes(&[]).contains("ovlint.toml:4\""), "{}", notes(&[]));
    fs::write(folder.path().join("ovlint.toml"), "").unwrap();
    assert!(!notes(&["--for", "genai"]).contains("asked for in"), "{}", notes(&["--for", "genai"]));
}

#[test]
fn files_of_servers_may_be_elsewhere() {
    let folder = planted(DETECTOR, &[]);
    let check = |arguments: &[&str]| findings(folder.path(), ["check", MODEL].iter().chain(arguments).copied()).len();
    assert_eq!(check(&["--for", "triton"]), 0);
    fs::write(folder.path().join("other.pbtxt"), PBTXT.1.replace("images", "image")).unwrap();
    assert_eq!(check(&["--for", "triton"]), 0);
    assert_eq!(check(&["--for", "triton=other.pbtxt"]), 1);
    fs::write(folder.path().join("ovlint.toml"), "for = ['triton=other.pbtxt']").unwrap();
    assert_eq!(check(&[]), 1);
    let missing = findings(folder.path(), ["check", MODEL, "--for", "triton=missing.pbtxt"]);
    assert!(missing[0]["message"].as_str().unwrap().starts_with("cannot read missing.pbtxt: "), "{missing:#?}");
    let refused = ovlint(folder.path(), ["check", MODEL, "--for", "genai=x"]);
    assert!(utf8(&refused.stderr).contains("recipe `genai` reads no file beside the model"), "{refused:?}");
}

#[test]
fn servers_want_versions() {
    let folder = planted(DETECTOR, &[]);
    fs::rename(folder.path().join("detector/1"), folder.path().join("detector/latest")).unwrap();
    for (recipe, message) in [
        ("triton", "the model is in folder `latest`, but the name of the folder must be its version, a number"),
        ("ovms", "the model is in folder `latest`, but the name of the folder must be its version, a number above 0"),
    ] {
        let found = findings(folder.path(), ["check", "detector/latest/model.xml", "--for", recipe]);
        assert_eq!(found.iter().map(|finding| finding["message"].as_str().unwrap()).collect::<Vec<_>>(), [message]);
    }
}

/// Only the first of many unknown names are compared with each of many known ones, which would take minutes.
#[test]
fn many_unknown_names_take_no_longer_than_as_many_known_ones() {
    const INPUTS: usize = 3_000;
    let each = |text: &dyn Fn(usize) -> String| (0..INPUTS).map(text).collect::<String>();
    let layers = each(&|i| {
        format!(
            "<layer id='{i}' name='x{i}' type='Parameter' version='opset1'><data shape='2' element_type='f32'/>\
             <output><port id='0' precision='FP32' names='images_{i}'><dim>2</dim></port></output></layer>"
        )
    });
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir_all(folder.path().join(MODEL).parent().unwrap()).unwrap();
    write(MODEL, format!("<net name='m' version='11'><layers>{layers}</layers><edges/></net>"));
    for (name, hints) in [("image", 100), ("images", 0)] {
        let shapes = each(&|i| format!("\"{name}_{i}\": \"(2)\","));
        write(
            "config.json",
            format!(
                "{{\"model_config_list\": [{{\"config\": {{\"name\": \"detector\", \"base_path\": \"/detector\", \
                 \"shape\": {{{}}}}}}}]}}",
                shapes.trim_end_matches(',')
            ),
        );
        let input = |i| format!("input {{ name: '{name}_{i}' data_type: TYPE_FP32 dims: 2 }}\n");
        write("detector/config.pbtxt", format!("name: 'detector'\n{}", each(&input)));
        for recipe in ["ovms", "triton"] {
            let found = found(&folder, recipe);
            let hinted = found.iter().filter(|(_, message)| message.ends_with("`?")).count();
            assert_eq!((found.len(), hinted), (if hints > 0 { INPUTS } else { 0 }, hints), "{recipe}");
        }
        let wanted = each(&|i| format!("inputs.{name}_{i} = 'f32[2]'\n"));
        write("ovlint.toml", format!("[[contract]]\nfiles = '**'\n{wanted}"));
        let found = findings(folder.path(), ["check", MODEL, "--select", "contract"]);
        assert_eq!(found.len(), if hints > 0 { hints + 2 * (INPUTS - hints) } else { 0 });
        fs::remove_file(folder.path().join("ovlint.toml")).unwrap();
    }
}

/// What nobody looked for is not gone.
#[test]
fn a_baseline_keeps_what_recipes_found() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let check = |arguments: &[&str]| ovlint(folder.path(), ["check", MODEL].iter().chain(arguments).copied());
    check(&["--for", "genai", "--write-baseline", "known"]);
    let out = utf8(&check(&["--baseline", "known", "--format", "concise"]).stdout);
    assert_eq!(out, "");
    let out = utf8(&check(&["--baseline", "known", "--format", "concise", "--for", "genai"]).stdout);
    assert_eq!(out, "");
}

/// The advisories, as a page.
fn reported_defects() -> String {
    let mut text = "# Reported device defects\n\nWith `--device`, `ovlint check` reports every layer that matches a publicly \
                    reported defect of OpenVINO, under the rule [`reported-defect`](rules/reported-defect.md). The reports were \
                    read on 2026-11-23.\n\n| device | layer | releases |\n|---|---|---|\n"
        .to_owned();
    for advisory in &ADVISORIES {
        let Advisory { device, operation, what, thread, .. } = advisory;
        let (number, releases) = (thread.rsplit('/').next().unwrap(), advisory.releases());
        let _ = writeln!(text, "| {device} | {operation} {what} | {releases}: [openvino {number}]({thread}) |");
    }
    text
}

#[test]
fn the_pages_list_rules_sources_and_reports() {
    let mut text = "## Rules\n".to_owned();
    for recipe in RECIPES {
        let _ = write!(
            text,
            "\n### {}\n\nFor {}. Compared with its sources on {}.\n\n",
            name_of(recipe),
            recipe.summary,
            recipe.date
        );
        text += match recipe.rows {
            [] => {
                "No rule is for this recipe alone. It sets the severity of the [rules for pipelines](rules.md#pipeline).\n"
            }
            _ => "| rule | severity | source |\n|---|---|---|\n",
        };
        for row in recipe.rows {
            let severity = if row.rule.severity == Severity::Error { "error" } else { "warning" };
            let _ = writeln!(text, "| [`{0}`](rules/{0}.md) | {severity} | {1} |", row.rule.name, row.source);
        }
    }
    let page = fs::read_to_string("docs/recipes.md").unwrap();
    let (by_hand, _) = page.split_once("## Rules\n").unwrap();
    assert_written("docs/recipes.md", &format!("{by_hand}{text}"));
    assert_written("docs/reported-defects.md", &reported_defects());
    assert_written("docs/reported-faults.md", &reported_faults::page());
}
