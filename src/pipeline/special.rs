//! The checks of any tokenizer and detokenizer, of the JSON files that openvino.genai reads with them, and of the special
//! tokens in these.

use super::check::{Check, Place};
use super::companion::{called, integer};
use super::demand::{at_most, demands, tensor};
use super::folder::{CONFIG, TOKENIZER};
use super::loader::Levels;
use super::rules::{PIPELINE_TENSOR, PIPELINE_TOKEN};
use crate::diagnostic::Direction::{Input, Output};
use crate::diagnostic::Severity::Error;
use crate::recipe::Port;
use crate::types::ElementType::{self, I64};
use crate::types::bare_fact;
use serde_json::Value;

const GENAI: Levels = Levels::genai(Error);

const MAP: &str = "special_tokens_map.json";
pub(super) const SETTINGS: &str = "tokenizer_config.json";
const ADDED: &str = "added_tokens_decoder";
const TOKENS: [(&str, &str); 3] =
    [("pad_token", "pad_token_id"), ("bos_token", "bos_token_id"), ("eos_token", "eos_token_id")];

/// Checks what openvino.genai demands of a tokenizer and a detokenizer, whatever they are for, and of the files beside them.
pub(super) fn pair(check: &mut Check, tokenizer: &'static str, detokenizer: &'static str, decodes: bool) {
    demands(
        check,
        &[
            tensor(detokenizer, Input, "", Some(I64), Some(2), GENAI),
            tensor(detokenizer, Output, "", Some(ElementType::String), Some(1), GENAI),
        ],
    );
    at_most(check, GENAI, tokenizer, Input, 2);
    for side in [Input, Output].into_iter().filter(|_| decodes) {
        at_most(check, GENAI, detokenizer, side, 1);
    }
    texts(check, tokenizer);
    files(check, tokenizer.strip_suffix(TOKENIZER).unwrap_or_default());
    notes(check, tokenizer);
}

/// Reports an input of a tokenizer that takes no texts.
fn texts(check: &mut Check, tokenizer: &str) {
    let Some(member) = check.member(tokenizer) else { return };
    let view = &member.view;
    let is_other = |port: &&Port| port.fact.as_ref().is_some_and(|fact| fact.ty != ElementType::String);
    let Some((port, fact)) = view.inputs.iter().find(is_other).and_then(|port| Some((port, port.fact.as_ref()?)))
    else {
        return;
    };
    let message = format!("input {} of tokenizer is {}, wanted string[?]", view.name(port), bare_fact(fact));
    let finding = view.about(&PIPELINE_TENSOR, port.layer, view.names_span(port), message);
    let index = member.index;
    check.report(GENAI, Place::Member(index), finding);
}

/// Checks the files beside a tokenizer, which lies in a folder of the pipeline: empty, or with a slash at its end.
fn files(check: &mut Check, folder: &str) {
    let [map, settings, config] = [MAP, SETTINGS, CONFIG].map(|name| format!("{folder}{name}"));
    for name in [MAP, SETTINGS, "processor_config.json", "chat_template.json"] {
        check.companion(&format!("{folder}{name}")); // Reported if it does not parse.
    }
    let is_other = |token: &Value| !token.is_string() && !token.is_array();
    let filled =
        |token: Option<&Value>| token.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let mut named: [Option<String>; 3] = Default::default();
    for ((key, _), named) in TOKENS.iter().zip(&mut named) {
        let content = check.value(&map, &format!("{key}.content"));
        *named = filled(content.as_ref());
        if let Some(content) = content.filter(is_other) {
            let message = format!("`content` of `{key}` is {}, wanted a string", called(&content));
            check.about_value(GENAI, &map, key, message);
        }
    }
    let has_id = TOKENS.map(|(_, id)| check.value(&config, id).as_ref().and_then(integer).is_some_and(|id| id != -1));
    if has_id == [true; 3] && named.iter().all(Option::is_some) {
        return;
    }
    for ((key, _), named) in TOKENS.iter().zip(&mut named).filter(|(_, named)| named.is_none()) {
        let token = check.value(&settings, key);
        *named = filled(token.as_ref());
        let Some(token) = token.filter(is_other) else { continue };
        let what = called(&token);
        let message = format!("`{key}` is {what}, wanted a string, unless {MAP} has an object with its `content`");
        check.about_value(GENAI, &settings, key, message);
    }
    let Some(Value::Object(added)) = check.value(&settings, ADDED) else { return };
    let is_unknown = |token: &Value| {
        let mut unknown = named.iter().zip(has_id).filter(|(_, has_id)| !has_id);
        unknown.any(|(named, _)| named.is_some() && filled(token.get("content")) == *named)
    };
    let mut names = added.iter().filter(|(id, token)| !is_number(id) && is_unknown(token));
    if let Some((id, _)) = names.next() {
        check.about_value(GENAI, &settings, ADDED, format!("`{ADDED}` has the key {id:?}, wanted the id of a token"));
    }
}

/// Whether a text starts with a number, which is how openvino.genai reads one.
fn is_number(text: &str) -> bool {
    text.trim_start().trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the files beside a tokenizer give the id of the end token: its text, and the added token with that text.
pub(super) fn names_end(check: &mut Check) -> bool {
    let text = |token: Option<Value>| match token {
        Some(Value::Object(token)) => token.get("content").and_then(Value::as_str).map(str::to_owned),
        token => token.as_ref().and_then(Value::as_str).map(str::to_owned),
    };
    let listed = text(check.value(MAP, "eos_token.content"));
    let end = listed.or_else(|| text(check.value(SETTINGS, "eos_token")));
    end.is_some_and(|end| id_of(check, &end).is_some())
}

/// Returns the id of an added token, as the files beside a tokenizer give it.
pub(super) fn id_of(check: &mut Check, token: &str) -> Option<String> {
    let Value::Object(added) = check.value(SETTINGS, ADDED)? else { return None };
    let is_it = |value: &Value| value.get("content").is_some_and(|content| content == token);
    added.into_iter().find_map(|(id, value)| is_it(&value).then_some(id))
}

/// Reports ids in the information of a tokenizer that are no numbers.
fn notes(check: &mut Check, tokenizer: &str) {
    let Some(member) = check.member(tokenizer) else { return };
    let wrong = TOKENS.iter().find(|(_, id)| member.note(id).is_some_and(|value| !is_number(&value)));
    let Some((_, id)) = wrong else { return };
    let finding = member.view.about_model(&PIPELINE_TOKEN, format!("`{id}` of the tokenizer is no number"));
    let index = member.index;
    check.report(GENAI, Place::Member(index), finding);
}
