//! The page for a browser: what is in it, what cannot get out of it, and which files it replaces.

use crate::program::{code, copy_folder, copy_of, ovlint, root, utf8};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use ovlint::internal::report::views::html::START;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::path::Path;

/// Exit code, stdout and stderr.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// The page of a report of these samples.
fn report(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    let (code, _, err) = run(&root(), &[&["report", "-o", path.to_str().unwrap()], arguments].concat());
    assert_eq!(code, 0, "{err}");
    fs::read_to_string(path).unwrap()
}

/// The data that a page holds under a name.
fn data(page: &str, name: &str) -> Value {
    let (_, rest) = page.split_once(&format!("id=\"{name}\">")).unwrap_or_else(|| panic!("no {name}"));
    let bytes = STANDARD.decode(rest.split('<').next().unwrap()).unwrap();
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} of {value}"))
}

#[test]
fn a_model_is_there_with_its_findings_and_its_layers() {
    let page = report(&["bad/split-lengths-sum/model.xml"]);
    let index = data(&page, "index");
    let row = &index["models"][0];
    assert_eq!((&row["path"], &row["errors"]), (&"model.xml".into(), &1.into()));
    let model = data(&page, "model-0");
    let finding = &model["findings"][0];
    assert_eq!(finding["rule"], "split-lengths-sum");
    assert!(finding["text"].as_str().unwrap().contains("split_lengths [1, 2, 4] sum to 7"));
    let (graph, layer) = (finding["layer"][0].as_u64().unwrap(), finding["layer"][1].as_u64().unwrap());
    let graph = &model["graphs"][usize::try_from(graph).unwrap()];
    assert_eq!(graph["name"][usize::try_from(layer).unwrap()], "vsplit");
    for column in ["id", "name", "kind", "line", "inputs", "outputs", "attributes"] {
        assert_eq!(list(graph, column).len(), 7, "{column}");
    }
    assert!(list(&model, "strings").contains(&"i64[3] = 1,2,4".into()));
}

#[test]
fn bodies_are_graphs_of_their_own_and_dynamic_dimensions_have_names() {
    let model = data(&report(&["models/control_flow.xml"]), "model-0");
    let owners: Vec<&Value> = list(&model, "graphs").iter().map(|graph| &graph["owner"]).collect();
    assert!(owners[0].is_null() && owners.len() == 4);
    assert!(owners[1..].iter().all(|owner| owner[0] == 0));
    let model = data(&report(&["models/detector.xml"]), "model-0");
    assert!(list(&model, "strings").contains(&"u8[batch, 3, 32, 32]".into()), "{}", model["strings"]);
}

/// The cost in the page of a model, as the lines of a terminal: every title, row and line of it.
fn cost_lines(model: &Value) -> Vec<String> {
    let cell = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |row: &Value| format!("{} {}", cell(&row[0]), cell(&row[1]));
    let part = |part: &Value| match part.as_str() {
        Some(line) => vec![line.to_owned()],
        None => std::iter::once(cell(&part["title"])).chain(list(part, "rows").iter().map(row)).collect(),
    };
    list(model, "cost").iter().flat_map(part).collect()
}

#[test]
fn a_model_costs_what_the_command_says() {
    for name in ["models/detector.xml", "models/kv_cache.xml", "models/control_flow.xml", "models/split.xml"] {
        let model = data(&report(&[name]), "model-0");
        let (_, out, _) = run(&root(), &["cost", name]);
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(cost_lines(&model), out.lines().map(words).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn the_first_page_of_several_models_compares_what_they_cost() {
    let index = data(&report(&["models/feature_pyramid.xml", "models/attention.xml", "bad/not-openvino-ir"]), "index");
    let costs: Vec<&Value> = list(&index, "models").iter().map(|row| &row["cost"]).collect();
    let attention = ["5,668 bytes (5.5 KiB)", "2,560*batch*seq + 32*batch*seq*seq"];
    assert_eq!(*costs[1], serde_json::json!(attention));
    assert!(costs[0][1].as_str().unwrap().contains("*height*width") && costs[2].is_null(), "{costs:?}");
}

#[test]
fn what_costs_most_leads_to_its_layer() {
    let model = data(&report(&["models/feature_pyramid.xml"]), "model-0");
    let rows = list(&model, "cost").iter().filter_map(|part| part["rows"].as_array()).flatten();
    let led = rows.filter(|row| row[2].is_number()).map(|row| {
        let name = &model["graphs"][0]["name"][usize::try_from(row[2].as_u64().unwrap()).unwrap()];
        assert!(row[1].as_str().unwrap().contains(&format!("`{}`", name.as_str().unwrap())), "{row}");
        row[0].as_str().unwrap().to_owned()
    });
    assert_eq!(led.collect::<Vec<_>>(), ["largest", "peak memory", "largest"]);
}

fn assert_findings_are_those_of_check(flags: &[&str]) {
    let page = report(&[&["bad"], flags].concat());
    let index = data(&page, "index");
    let (_, out, _) = run(&root(), &[&["check", "bad", "--format", "json"], flags].concat());
    let checked: Value = serde_json::from_str(&out).unwrap();
    let mut compared = 0;
    // A folder and a JSON file have findings, but no page.
    let models = list(&checked, "models")
        .iter()
        .filter(|model| Path::new(model["path"].as_str().unwrap()).extension().is_some_and(|ending| ending == "xml"));
    for (at, (row, model)) in list(&index, "models").iter().zip(models).enumerate() {
        assert_eq!(format!("bad/{}", row["path"].as_str().unwrap()), model["path"].as_str().unwrap());
        if row["closed"].is_null() {
            let rules = |findings: &[Value]| {
                let mut rules: Vec<String> =
                    findings.iter().map(|one| format!("{}{}", one["rule"], one["severity"])).collect();
                rules.sort();
                rules
            };
            let own = data(&page, &format!("model-{at}"));
            assert_eq!(rules(list(&own, "findings")), rules(list(model, "findings")), "{} {flags:?}", row["path"]);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn findings_are_those_of_check() {
    assert_findings_are_those_of_check(&[]);
    let chosen = "--select declared,graph --ignore duplicate-layer-id --severity declared-shape=info --no-suppressions";
    assert_findings_are_those_of_check(&chosen.split(' ').collect::<Vec<_>>());
    let more = "--profile pedantic --deep --target 2022.1 --device npu --for genai --isolated";
    assert_findings_are_those_of_check(&more.split(' ').collect::<Vec<_>>());
}

#[test]
fn a_page_may_be_of_other_input_shapes() {
    let model = data(&report(&["models/detector.xml", "--shape", "images[2,3,32,32]"]), "model-0");
    assert!(list(&model, "strings").contains(&"u8[2,3,32,32]".into()), "{}", model["strings"]);
    assert_eq!(model["notes"][0], "with inputs of the shapes images[2,3,32,32]");
    assert!(cost_lines(&model).contains(&"multiplications (MACs) of one run: 593,920".to_owned()), "{}", model["cost"]);
    let folder = copy_of("models/split.xml");
    let (code, _, err) = run(folder.path(), &["report", "split.xml", "-o", "out.html", "--shape", "none[1]"]);
    assert_eq!((code, err.starts_with("ovlint: split.xml: --shape: ")), (2, true), "{err}");
}

#[test]
fn a_page_takes_nothing_from_elsewhere_and_runs_nothing_but_its_own_script() {
    let page = report(&["models/split.xml"]);
    assert!(page.starts_with(START));
    let hash = |element: &str| {
        let (_, rest) = page.split_once(&format!("<{element}>")).unwrap();
        let (text, _) = rest.split_once(&format!("</{element}>")).unwrap();
        format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
    };
    let policy = format!("default-src 'none'; script-src {}; style-src {};", hash("script"), hash("style"));
    assert!(page.contains(&policy), "{policy}");
    for forbidden in ["http://", "https://", "//cdn", "innerHTML", "insertAdjacentHTML", "eval(", "import(", "fetch("] {
        let places = page.matches(forbidden).count();
        // The name of a namespace is no address.
        let names = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(places - if forbidden == "http://" { names } else { 0 }, 0, "{forbidden}");
    }
}

#[test]
fn hostile_names_are_data() {
    let folder = copy_of("bad/declared-shape/model.xml");
    let text = fs::read_to_string(folder.path().join("model.xml")).unwrap();
    let name = "&lt;/script>&lt;script>alert(1)&lt;/script>\u{202e}&#13;__proto__";
    fs::write(folder.path().join("model.xml"), text.replacen("name=\"", &format!("name=\"{name}"), 4)).unwrap();
    fs::rename(folder.path().join("model.xml"), folder.path().join("<script>alert(2)<.xml")).unwrap();
    fs::rename(folder.path().join("model.bin"), folder.path().join("<script>alert(2)<.bin")).unwrap();
    let (code, _, err) = run(folder.path(), &["report", ".", "-o", "out.html"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(!page.contains("<script>alert"), "a name is in the page as it is");
    let model = data(&page, "model-0");
    let names = list(&model["graphs"][0], "name");
    assert!(
        names
            .iter()
            .any(|name| name.as_str().unwrap().starts_with(r"</script><script>alert(1)</script>\u{202e}\r__proto__")),
        "{names:?}"
    );
}

#[test]
fn the_same_models_give_the_same_page_for_any_number_of_threads() {
    assert_eq!(report(&["models", "--jobs", "1"]), report(&["models", "--jobs", "4"]));
}

#[test]
fn only_a_report_is_replaced() {
    let folder = copy_of("models/split.xml");
    let path = folder.path().join("out.html");
    let arguments = ["report", "split.xml", "-o", "out.html"];
    fs::write(&path, "<!DOCTYPE html>\nmine").unwrap();
    let wanted = "ovlint: out.html exists and is not an ovlint report; choose another file\n";
    assert_eq!(run(folder.path(), &arguments), (2, String::new(), wanted.to_owned()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "<!DOCTYPE html>\nmine");
    fs::remove_file(&path).unwrap();
    let wrote = (0, "wrote out.html: 1 model\n".to_owned(), String::new());
    assert_eq!(run(folder.path(), &arguments), wrote);
    assert_eq!(run(folder.path(), &arguments), wrote);
    let (code, _, err) = run(folder.path(), &["report", "split.xml", "-o", "split.xml"]);
    assert_eq!((code, err.contains("split.xml exists and is not an ovlint report")), (2, true), "{err}");
    let (code, _, err) = run(folder.path(), &["report", "split.xml", "-o", "no/out.html"]);
    assert_eq!((code, err.contains("cannot write no/out.html")), (2, true), "{err}");
}

#[test]
fn models_beyond_the_limit_are_rows_those_with_errors_can_be_opened() {
    let folder = copy_of("models/split.xml");
    for name in ["a", "b", "c"] {
        for ending in ["xml", "bin"] {
            fs::copy(folder.path().join(format!("split.{ending}")), folder.path().join(format!("{name}.{ending}")))
                .unwrap();
        }
    }
    let text = fs::read_to_string(folder.path().join("c.xml")).unwrap();
    fs::write(folder.path().join("c.xml"), text.replacen("<dim>12<", "<dim>13<", 1)).unwrap();
    let (code, _, err) = run(folder.path(), &["report", ".", "-o", "out.html", "--max-models", "2"]);
    assert_eq!(code, 0);
    assert_eq!(err, "ovlint: 2 models of 4 cannot be opened in the page, which holds 2: raise --max-models\n");
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    let index = data(&page, "index");
    let closed: Vec<bool> = list(&index, "models").iter().map(|row| !row["closed"].is_null()).collect();
    assert_eq!(closed, [false, true, false, true]);
    assert!(index["note"].as_str().unwrap().starts_with("2 models of 4 "));
    assert_eq!(page.matches("id=\"model-").count(), 2);
}

#[test]
fn what_cannot_be_read_is_a_row_that_says_why() {
    let folder = copy_of("models/split.xml");
    let (code, out, err) = run(folder.path(), &["report", "split.xml", "no.xml", "-o", "out.html"]);
    assert_eq!((code, out.as_str()), (2, "wrote out.html: 2 models\n"));
    assert!(err.starts_with("ovlint: no.xml: "), "{err}");
    let index = data(&fs::read_to_string(folder.path().join("out.html")).unwrap(), "index");
    assert!(index["models"][1]["closed"].as_str().unwrap().starts_with("no.xml: "));
    assert_eq!(index["models"][1]["errors"], 1);
    let empty = tempfile::tempdir().unwrap();
    let (code, _, err) = run(empty.path(), &["report", ".", "-o", "out.html"]);
    assert_eq!((code, err.as_str()), (3, "ovlint: no OpenVINO IR found in the given paths\n"));
    assert!(!empty.path().join("out.html").exists());
}

#[test]
fn a_file_that_is_no_graph_has_its_finding() {
    let model = data(&report(&["bad/not-openvino-ir/model.xml"]), "model-0");
    assert!(list(&model, "graphs").is_empty());
    assert_eq!(model["findings"][0]["rule"], "not-openvino-ir");
}

/// The part of a page from one text to the next place of another.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

#[test]
fn a_pipeline_is_drawn_above_the_table() {
    let page = report(&["pipelines/whisper"]);
    let drawn = between(&page, "<main id=\"list\" hidden><details class=\"pipeline\" open>", "</details>");
    assert!(drawn.starts_with("<summary>Whisper pipeline</summary>"), "{drawn}");
    assert!(drawn.contains("<p>JSON files: config.json, generation_config.json, preprocessor_config.json</p>"));
    let index = data(&page, "index");
    for svg in ["wide", "stacked"] {
        let svg = between(drawn, &format!("<svg class=\"{svg}\""), "</svg>");
        assert_eq!(
            (svg.matches("<path d=").count(), svg.matches("misfit").count(), svg.matches("<a ").count()),
            (1, 0, 4)
        );
        for (at, row) in list(&index, "models").iter().enumerate() {
            let part = between(svg, &format!("<a href=\"#model-{at}\">"), "</a>");
            assert!(part.contains(&format!(">{}</text>", row["path"].as_str().unwrap())), "{part}");
            assert!(part.contains(">no problems</text>"), "{part}");
        }
        let decoder = between(svg, "<a href=\"#model-0\">", "</a>");
        assert!(
            decoder.contains(">encoder_hidden_states</text>") && decoder.contains(">f32[?,?,8]</text>"),
            "{decoder}"
        );
        let encoder = between(svg, "<a href=\"#model-2\">", "</a>");
        assert!(
            encoder.contains(">last_hidden_state</text>") && encoder.contains(">f32[?,1500,8]</text>"),
            "{encoder}"
        );
    }
}

#[test]
fn findings_about_a_folder_are_on_the_first_page() {
    for (folder, faults) in [("bad/pipeline-config", 0), ("bad/pipeline-file", 0)] {
        let index = data(&report(&[folder]), "index");
        assert_eq!((&index["lists"], &index["faults"]), (&true.into(), &faults.into()), "{folder}");
        let note = index["note"].as_str().unwrap_or_default();
        assert!(folder == "bad/pipeline-file" || note.contains(": warning[pipeline-config]: "), "{note}");
        let of_library = ovlint::Folder::open(root().join(folder), &ovlint::Options::new()).unwrap().to_html().unwrap();
        assert_eq!(data(&of_library, "index")["note"], index["note"]);
    }
    let index = data(&report(&["bad/pipeline-file", "--for", "genai"]), "index");
    assert_eq!(index["faults"], 1, "{index}");
    assert!(index["note"].as_str().unwrap().contains(": error[pipeline-file]: "), "{index}");
    let index = data(&report(&["models/split.xml"]), "index");
    assert_eq!((&index["lists"], &index["faults"]), (&false.into(), &0.into()));
}

#[test]
fn a_link_that_does_not_fit_is_red_and_leads_to_its_finding() {
    let page = report(&["bad/pipeline-link/diffusion"]);
    let drawn = between(&page, "<details class=\"pipeline\" open>", "</details>");
    assert_eq!(drawn.matches("<path class=\"misfit\"").count(), 2);
    assert_eq!(drawn.matches("<g class=\"misfit\">").count(), 4);
    assert_eq!(drawn.matches("<rect class=\"lacking\"").count(), 8);
    assert_eq!(drawn.matches("<text class=\"error\"").count(), 2);
    let link = between(drawn, "<p><a class=\"error\" href=\"#model-1/finding-0\">", "</a>");
    assert_eq!(link, data(&page, "model-1")["findings"][0]["message"].as_str().unwrap());
    // Without its finding the link is red all the same.
    let page = report(&["bad/pipeline-link/diffusion", "--ignore", "pipeline-link"]);
    let said =
        "<p class=\"error\">`last_hidden_state` of text_encoder does not fit `encoder_hidden_states` of unet</p>";
    assert!(page.contains(said) && page.contains("<path class=\"misfit\""));
}

#[test]
fn several_pipelines_are_drawn_each_and_names_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = folder.path().join("<i>&\u{202e}");
    copy_folder(&root().join("bad/pipeline-link/diffusion"), &hostile);
    copy_folder(&hostile.join("unet"), &hostile.join("<b>\""));
    copy_folder(&root().join("pipelines/llm"), &folder.path().join("llm"));
    let (code, _, err) = run(folder.path(), &["report", ".", "-o", "out.html"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let page = fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert_eq!(page.matches("<details class=\"pipeline\" open>").count(), 2);
    let first = between(&page, "<summary>", "</details>");
    assert!(first.starts_with(r"&lt;i&gt;&amp;\u{202e}: diffusion pipeline</summary>"), "{first}");
    assert!(first.contains(">&lt;b&gt;&quot;</text>") && !page.contains("<b>") && !page.contains("<i>"), "{first}");
    assert!(page.contains("<summary>llm: text generation pipeline</summary>"));
}

#[test]
fn a_page_without_a_pipeline_holds_nothing_of_one() {
    assert!(!report(&["models"]).contains("pipeline"));
    assert!(!report(&["pipelines/llm/openvino_model.xml"]).contains("class=\"pipeline\""));
}
