//! Names that exporters make up: a type or nothing, and a number that every export counts anew.

use std::borrow::Cow;

/// Digits that no person writes, as in `Multiply_19912`; only a counter over a whole model gets there.
const COUNTED: usize = 5;

/// A name that is the same in every export of a model: numbers that exporters count are `*`, and a name that is nothing
/// else is the type of its layer (`Relu_5`, `1605116054_const` and `17` on a `ReLU` are `ReLU_*`).
pub(crate) fn stable_name<'a>(name: &'a str, ty: &str) -> Cow<'a, str> {
    if !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let (head, rest) = name.split_once('/').map_or((name, None), |(head, rest)| (head, Some(rest)));
    let counter = counter(head);
    if rest.is_none() && counter.is_some_and(|(_, tail)| matches!(tail, "" | "_const")) {
        return Cow::Owned(format!("{ty}_*"));
    }
    let Some((word, tail)) = counter else { return starred(name) };
    let mut stable = format!("{word}*{}", starred(tail));
    for segment in rest.into_iter().flat_map(|rest| rest.split('/')) {
        stable.push('/');
        match self::counter(segment).filter(|(word, tail)| !word.is_empty() && tail.is_empty()) {
            Some((word, _)) => stable.extend([word, "*"]),
            None => stable.push_str(&starred(segment)),
        }
    }
    Cow::Owned(stable)
}

/// What stands before and after the number of a text that starts with one, or with a capitalised word, `_` and one.
fn counter(text: &str) -> Option<(&str, &str)> {
    let from = if text.starts_with(|first: char| first.is_ascii_digit()) {
        0
    } else {
        let word = text.find(|c: char| !c.is_ascii_alphanumeric())?;
        (text.starts_with(|first: char| first.is_ascii_uppercase()) && text.get(word..)?.starts_with('_'))
            .then_some(word + 1)?
    };
    let (word, number) = text.split_at_checked(from)?;
    let tail = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_counter = tail.len() < number.len() && (tail.is_empty() || tail.starts_with('_'));
    is_counter.then_some((word, tail))
}

/// A text with `*` for the numbers between its separators that are too long to be a person's.
fn starred(text: &str) -> Cow<'_, str> {
    let is_counted = |part: &str| part.len() >= COUNTED && part.bytes().all(|byte| byte.is_ascii_digit());
    let separators = ['_', '/', '.'];
    if !text.split(separators).any(is_counted) {
        return Cow::Borrowed(text);
    }
    let parts = text.split_inclusive(separators).map(|part| {
        let bare = part.trim_end_matches(separators);
        if is_counted(bare) { format!("*{}", part.get(bare.len()..).unwrap_or_default()) } else { part.to_owned() }
    });
    Cow::Owned(parts.collect())
}

#[cfg(test)]
mod tests {
    use super::stable_name;

    #[test]
    fn numbers_that_exporters_count_are_left_out() {
        for (name, ty, stable) in [
            ("Relu_5", "ReLU", "ReLU_*"),
            ("Multiply_19912", "Convert", "Convert_*"),
            ("1605116054_const", "Const", "Const_*"),
            ("17", "Add", "Add_*"),
            ("17/sink_port_0", "Result", "*/sink_port_0"),
            ("Multiply_19912_compressed", "Const", "Multiply_*_compressed"),
            ("Multiply_19912/fq_weights_1/convert", "Convert", "Multiply_*/fq_weights_1/convert"),
            ("SliceAssign_7/Reshape_3", "Reshape", "SliceAssign_*/Reshape_*"),
            ("data_add_14859/copy_const", "Const", "data_add_*/copy_const"),
            ("Parameter_5", "Parameter", "Parameter_*"),
        ] {
            assert_eq!(stable_name(name, ty), stable, "{name}");
        }
    }

    #[test]
    fn names_that_people_gave_stay() {
        for name in [
            "split_3",
            "layer4.0.conv1",
            "/m/layer.1/Add_2",
            "Conv2D",
            "__module.h.0/aten::add/Add_1",
            "a_1234",
            "é_1",
            "1x1",
        ] {
            assert_eq!(stable_name(name, "Add"), name);
        }
    }
}
