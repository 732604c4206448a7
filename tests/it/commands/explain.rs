//! `ovlint explain MESSAGE [MODEL]`: the rules that find the cause of a message of OpenVINO, and the cause in a model.

use crate::program::{code, ovlint, root, utf8};
use crate::samples::bad_samples::samples;
use ovlint::internal::diagnostic::Refusal;
use ovlint::internal::policy::messages::Message;
use ovlint::internal::{Model, Options};
use serde_json::Value;

const MODEL: &str = "bad/split-lengths-sum/model.xml";

const SUM: &str = "Total length of splits: 7 must match the length of the chosen axis: 6";

const TRANSPOSE: &str = "Exception from src/inference/src/cpp/core.cpp:84:\nCheck 'is_valid' failed at a.hpp:1:\n\
    While validating node 'opset1::Transpose Transpose_131 (opset1::Parameter rank[0]:f32[], opset1::Constant \
    scalar[0]:i64[2]) -> ()' with friendly_name 'Transpose_131':\nShape inference input shapes {[],[2]}\n\
    Input order must have shape [n], where n is the rank of arg.\n\n";

fn run(arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(&root(), ["explain"].into_iter().chain(arguments.iter().copied()));
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn rules(message: &str) -> Vec<&'static str> {
    Message::read(message).map_or(Vec::new(), |message| message.rules.iter().map(|rule| rule.name).collect())
}

#[test]
fn messages_that_findings_quote_are_known() {
    let mut known = 0;
    for sample in samples() {
        let Ok(model) = Model::open(&sample.folder.join("model.xml"), &Options::default()) else { continue };
        for finding in model.findings() {
            let Some(Refusal::Says(text)) = finding.refusal.as_deref() else { continue };
            known += 1;
            assert!(rules(text).contains(&finding.rule.name), "{}: {text} {:?}", finding.rule.name, rules(text));
        }
    }
    assert!(known > 15, "{known}");
}

#[test]
fn every_phrase_is_found_and_names_one_to_four_rules() {
    for (phrase, rules) in ovlint::internal::policy::messages::MESSAGES {
        let read = Message::read(phrase).unwrap();
        assert_eq!((read.phrase, read.rules), (phrase.replace("{}", ".."), *rules), "{phrase}");
        assert!((1..=4).contains(&rules.len()), "{phrase}");
    }
}

#[test]
fn it_does_not_matter_where_lines_break_and_how_much_is_pasted() {
    let wanted = ["shape-conflict", "input-rank", "wrong-output-count"];
    let wrapped: String = TRANSPOSE.split("").collect::<Vec<_>>().join("\n");
    let (spaced, escaped) = (TRANSPOSE.replace(' ', "\n   "), TRANSPOSE.replace('\n', "\\n"));
    let end = "Input order must have shape [n], where n";
    for text in
        [TRANSPOSE, &wrapped, &spaced, &escaped, end, "order must have shape [n", "RuntimeError: must have shape [n]"]
    {
        assert_eq!(rules(text), wanted, "{text}");
    }
    // A fragment of a phrase.
    assert_eq!(rules("match the length of the chosen"), ["split-lengths-sum", "split-lengths-overrun"]);
    assert!(
        rules("of the").is_empty()
            && rules("Image width must be even").is_empty()
            && rules("nothing that OpenVINO says").is_empty()
    );
}

#[test]
fn operations_and_layers_are_named() {
    let named = |text: &str| Message::read(text).map(|message| (message.operation, message.layer)).unwrap();
    let pair = |operation: &str, layer: &str| {
        (Some(operation.to_owned()), Some(layer.to_owned()).filter(|layer| !layer.is_empty()))
    };
    assert_eq!(named(TRANSPOSE), pair("Transpose", ""));
    assert_eq!(named(&TRANSPOSE.replace(' ', "\n")), pair("Transpose", ""));
    assert_eq!(named(&TRANSPOSE.replace('\n', "\\n")), pair("Transpose", ""));
    assert_eq!(named(&TRANSPOSE.replace("Transpose_131", "block/order")), pair("Transpose", "block/order"));
    assert_eq!(named("MatMul layer mm with id: 20 is inconsistent!\n"), pair("MatMul", "mm"));
    assert_eq!(named("Cannot create ReLU layer relu id:5 from unsupported opset: x"), pair("ReLU", "relu"));
    assert_eq!(named("Opset opset1 doesn't contain the operation with type: Relux\n\n").0.unwrap(), "Relux");
    assert_eq!(named("Can not find output port with id 2 in layer a/b\n\n"), (None, Some("a/b".to_owned())));
    assert_eq!(named("Incorrect weights in bin file!"), (None, None));
}

#[test]
fn rules_are_listed_the_likeliest_first() {
    let (code, out, err) = run(&[TRANSPOSE]);
    assert_eq!((code, err.as_str()), (0, ""));
    let table = ["shape-conflict", "input-rank", "wrong-output-count"].map(|rule| run(&[rule]).1);
    assert!(table.iter().all(|page| !page.is_empty()));
    let mut lines = out.lines();
    assert_eq!(lines.next(), Some("phrase     must have shape [n]"));
    assert_eq!(lines.next(), Some("operation  Transpose"));
    assert_eq!(lines.next(), Some(""));
    assert!(lines.next().unwrap().starts_with("shape-conflict "));
    assert!(out.ends_with("`ovlint explain MESSAGE MODEL.xml`.\n"), "{out}");
    let (code, json, _) = run(&[TRANSPOSE, "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &json["phrase"], &json["operation"]), (0, &"must have shape [n]".into(), &"Transpose".into()));
    assert_eq!((&json["layer"], json.get("model")), (&Value::Null, None));
    assert_eq!(json["rules"].as_array().unwrap().len(), 3);
    assert_eq!(json["rules"][0]["name"], "shape-conflict");
}

#[test]
fn a_model_shows_the_cause() {
    let (code, out, err) = run(&[SUM, MODEL]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    let (_, found) = out.split_once(&format!("\nIn {MODEL}, the finding of `split-lengths-sum` at `")).expect(&out);
    assert!(found.contains("fits this message best:\n\nerror[split-lengths-sum]: "), "{out}");
    let (code, json, _) = run(&[SUM, MODEL, "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &json["has_cause"], &json["model"]["path"]), (1, &true.into(), &MODEL.into()));
    assert_eq!(json["model"]["findings"][0]["rule"], "split-lengths-sum");
}

#[test]
fn a_model_with_another_fault_shows_that() {
    let (code, out, _) = run(&[TRANSPOSE, MODEL]);
    assert_eq!(code, 1);
    let other =
        format!("\nNo finding of these rules makes OpenVINO reject {MODEL}. This does:\n\nerror[split-lengths-sum]: ");
    assert!(out.contains(&other), "{out}");
    let (code, out, _) = run(&[TRANSPOSE, "models/split.xml"]);
    let none = "reject models/split.xml, and ovlint finds no other reason.\n";
    assert_eq!((code, out.ends_with(none)), (0, true), "{out}");
    let (_, json, _) = run(&[TRANSPOSE, "models/split.xml", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["has_cause"], false);
}

#[test]
fn bad_input_gives_2() {
    let unknown =
        "ovlint does not recognise this message; run `ovlint check MODEL.xml` to find what OpenVINO rejects in a model";
    let no_message = "a model can only be passed with a message of OpenVINO, and `cycle` is none; did you mean `ovlint check \
        models/split.xml --select cycle`?";
    for (arguments, wanted) in [
        (&["nothing that OpenVINO says"] as &[&str], unknown),
        (&["nothing that OpenVINO says", MODEL], unknown),
        (&["cycle", "models/split.xml"], no_message),
        (&[SUM, "models"], "models is a folder, but a model (.xml) is needed"),
        (&["no-rule"], "there is no rule or group `no-rule`; did you mean `no-results`?"),
    ] {
        assert_eq!(run(arguments), (2, String::new(), format!("ovlint: {wanted}\n")), "{arguments:?}");
    }
    let (code, out, err) = run(&[SUM, "no.xml"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: no.xml: "), "{err}");
}
