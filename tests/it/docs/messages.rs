//! `docs/messages.md`, an index of the rules by what OpenVINO says.

use super::assert_written;
use ovlint::internal::policy::messages::MESSAGES;
use std::fmt::Write;

#[test]
fn the_index_of_messages_is_the_table_of_explain() {
    let mut rows: Vec<_> = MESSAGES.to_vec();
    rows.sort_by_key(|(phrase, _)| phrase.to_lowercase());
    let mut text = "# Rules by message\n\n\
        Look up the message with which OpenVINO 2026.4 rejected your file. Each row holds a phrase and the rules that find its \
        cause, the likeliest first; two dots stand for names and numbers. \
        [`ovlint explain \"MESSAGE\" model.xml`](commands/explain.md) looks the message up and shows the cause in your model.\n\n\
        | phrase | rules |\n|---|---|\n"
        .to_owned();
    for (phrase, rules) in rows {
        let rules: Vec<String> = rules.iter().map(|rule| format!("[{0}](rules/{0}.md)", rule.name)).collect();
        let _ = writeln!(text, "| `{}` | {} |", phrase.replace("{}", ".."), rules.join(", "));
    }
    assert_written("docs/messages.md", &text);
}
