//! Lists of names in attributes, such as the tensor names of an output.

use super::xml::attributes::{find_attribute, unescape};
use crate::source::{Source, Span};

/// Parses the names in an attribute: separated by commas, unless escaped as `\,`; empty names are dropped.
pub(crate) fn name_list(source: &Source, tag: Span, attribute: &str) -> Vec<String> {
    let Some(attribute) = find_attribute(source, tag, attribute) else { return Vec::new() };
    let text = unescape(source.slice(attribute.value));
    let mut names = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, names.last_mut()) {
            ('\\', Some(name)) if characters.peek() == Some(&',') => name.extend(characters.next()),
            (',', _) => names.push(String::new()),
            (_, Some(name)) => name.push(character),
            (_, None) => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
