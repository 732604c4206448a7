//! Names that exporters generate: an optional type and a number, such as `Relu_5`. The numbers differ between exports, so
//! `*` replaces them where exports are compared.

use std::borrow::Cow;

/// The number of digits from which on a number is taken for an exporter's counter, as in `Multiply_19912`.
const COUNTED: usize = 5;

/// Returns a name that is the same in every export of a model: `*` replaces generated numbers. A wholly generated name
/// becomes the type of the layer: `Relu_5`, `1605116054_const` and `17` on a `ReLU` become `ReLU_*`.
pub(crate) fn stable_name<'a>(name: &'a str, ty: &str) -> Cow<'a, str> {
    let mut segments = segments(name);
    let head = segments.next().unwrap_or_default();
    let counter = counter(head);
    if head.len() == name.len() && counter.is_some_and(|(_, tail)| matches!(tail, "" | "_const")) {
        return Cow::Owned(format!("{ty}_*"));
    }
    let Some((word, tail)) = counter else { return starred(name) };
    let mut stable = format!("{word}*{}", starred(tail));
    for segment in segments {
        stable.push('/');
        match self::counter(segment).filter(|(word, tail)| !word.is_empty() && tail.is_empty()) {
            Some((word, _)) => stable.extend([word, "*"]),
            None => stable.push_str(&starred(segment)),
        }
    }
    Cow::Owned(stable)
}

/// Splits a name at slashes.
fn segments(name: &str) -> impl Iterator<Item = &str> {
    let ends = memchr::memchr_iter(b'/', name.as_bytes()).chain([name.len()]);
    ends.scan(0, move |start, end| name.get(std::mem::replace(start, end + 1)..end))
}

/// Splits a text at its counter: a number at the start, or after a capitalised word and `_`. Returns the text before and
/// after the number: `Relu_5_x` gives `Relu_` and `_x`.
fn counter(text: &str) -> Option<(&str, &str)> {
    let from = match text.bytes().next()? {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => {
            let word = text.bytes().position(|byte| !byte.is_ascii_alphanumeric())?;
            (text.as_bytes().get(word) == Some(&b'_')).then_some(word + 1)?
        }
        _ => return None,
    };
    let (word, number) = text.split_at_checked(from)?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let tail = number.get(digits..)?;
    let is_counter = tail.len() < number.len() && (tail.is_empty() || tail.starts_with('_'));
    is_counter.then_some((word, tail))
}

/// Replaces numbers of at least [`COUNTED`] digits between separators by `*`.
fn starred(text: &str) -> Cow<'_, str> {
    if !has_long_number(text) {
        return Cow::Borrowed(text);
    }
    let is_counted = |part: &str| part.len() >= COUNTED && part.bytes().all(|byte| byte.is_ascii_digit());
    let separators = ['_', '/', '.'];
    let parts = text.split_inclusive(separators).map(|part| {
        let bare = part.trim_end_matches(separators);
        if is_counted(bare) { format!("*{}", part.get(bare.len()..).unwrap_or_default()) } else { part.to_owned() }
    });
    Cow::Owned(parts.collect())
}

/// Whether a text has at least [`COUNTED`] digits in a row.
fn has_long_number(text: &str) -> bool {
    // Every long number covers one of these bytes; most names have no digit there.
    let is_likely = text.bytes().skip(COUNTED - 1).step_by(COUNTED).any(|byte| byte.is_ascii_digit());
    let mut digits = 0;
    is_likely
        && text.bytes().any(|byte| {
            digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
            digits >= COUNTED
        })
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
