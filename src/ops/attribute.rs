//! A parser of attribute texts that follows OpenVINO.
//!
//! Numbers are read up to the first character that does not belong to them (`3x` is 3), without a leading `+`. Malformed
//! texts that OpenVINO accepts are marked as lenient, so that they can be reported.

use super::spec::Kind;
use crate::types::{Dim, ElementType, PartialShape};
use smallvec::SmallVec;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "each variant is named after the `Kind` that is read as it")]
pub enum AttrValue {
    Int(i64),
    Float(f64),
    Flag(bool),
    Text(String),
    Choice(&'static str),
    Ints(SmallVec<[i64; 4]>),
    Floats(Vec<f64>),
    Texts(Vec<String>),
    Type(ElementType),
    Shape(PartialShape),
}

/// A parsed attribute text.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value that OpenVINO reads; `None` if it keeps the default.
    pub value: Option<AttrValue>,
    /// Whether the text is not a proper spelling of the value.
    pub lenient: bool,
}

/// Parses `text` as `kind`; the error says what was expected.
pub fn read(kind: Kind, text: &str) -> Result<Reading, String> {
    let strict = |value| Ok(Reading { value: Some(value), lenient: false });
    match kind {
        Kind::Int(min, max) => {
            let (value, lenient) = integer(text).ok_or("an integer")?;
            in_range(value, min, max)?;
            Ok(Reading { value: Some(AttrValue::Int(value)), lenient })
        }
        Kind::Int32(min) => {
            let (value, lenient) = integer(text).ok_or("an integer")?;
            let kept = (value << 32) >> 32;
            in_range(kept, min.into(), i64::MAX)?;
            Ok(Reading { value: Some(AttrValue::Int(kept)), lenient: lenient || kept != value })
        }
        Kind::Float => {
            let (value, lenient) = float(text).ok_or("a number")?;
            Ok(Reading { value: Some(AttrValue::Float(value)), lenient })
        }
        Kind::Flag => {
            let is = |word: &str, digit: &str| text.eq_ignore_ascii_case(word) || text == digit;
            let value = if is("true", "1") { Some(true) } else { is("false", "0").then_some(false) };
            Ok(Reading { value: value.map(AttrValue::Flag), lenient: value.is_none() })
        }
        Kind::Text => strict(AttrValue::Text(text.to_owned())),
        Kind::Choice(words) | Kind::Word(words) => {
            let is_exact = matches!(kind, Kind::Word(_));
            let is = |word: &str| if is_exact { word == text } else { word.eq_ignore_ascii_case(text) };
            words
                .iter()
                .find(|word| is(word))
                .map_or_else(|| Err(one_of(words)), |word| strict(AttrValue::Choice(word)))
        }
        Kind::Ints(min, max) => {
            let mut values = SmallVec::new();
            let mut lenient = false;
            for item in items(text).ok_or("a comma-separated list of integers")? {
                let (value, loose) = integer(item).ok_or("a comma-separated list of integers")?;
                in_range(value, min, max)?;
                values.push(value);
                lenient |= loose;
            }
            Ok(Reading { value: Some(AttrValue::Ints(values)), lenient: lenient || text.ends_with(',') })
        }
        Kind::Unsigned => {
            if items(text).is_some_and(|items| items.iter().any(|item| item.starts_with('-'))) {
                return Err("a comma-separated list of integers without a sign".to_owned());
            }
            read(Kind::COUNTS, text)
        }
        Kind::Floats => {
            let mut values = Vec::new();
            let mut lenient = false;
            for item in items(text).ok_or("a comma-separated list of numbers")? {
                let (value, loose) = float(item).ok_or("a comma-separated list of numbers")?;
                values.push(value);
                lenient |= loose;
            }
            Ok(Reading { value: Some(AttrValue::Floats(values)), lenient: lenient || text.ends_with(',') })
        }
        Kind::Texts => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned);
            strict(AttrValue::Texts(words.collect()))
        }
        Kind::Type => match ElementType::from_data_text(text) {
            Some(ty) => strict(AttrValue::Type(ty)),
            None => Err("an element type such as i64".to_owned()),
        },
        Kind::Shape => {
            let (shape, lenient) = shape(text).ok_or_else(|| {
                let is_longest = text.split(',').any(|item| integer(item) == Some((i64::MAX, false)));
                if is_longest { "a shape of lengths below 9223372036854775807" } else { "a shape such as 1,3,?,4..8" }
            })?;
            Ok(Reading { value: Some(AttrValue::Shape(shape)), lenient })
        }
    }
}

fn in_range(value: i64, min: i64, max: i64) -> Result<(), String> {
    match value {
        _ if value < min => Err(format!("at least {min}")),
        _ if value > max => Err(format!("at most {max}")),
        _ => Ok(()),
    }
}

fn one_of(words: &[&str]) -> String {
    let shown: Vec<&str> = words.iter().map(|word| if word.is_empty() { "\"\"" } else { *word }).collect();
    if let [word] = shown[..] { word.to_owned() } else { format!("one of {}", shown.join(", ")) }
}

/// The items of a list, none for an empty text. One trailing comma is accepted, other empty items are not.
fn items(text: &str) -> Option<Vec<&str>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let text = text.strip_suffix(',').filter(|rest| !rest.is_empty()).unwrap_or(text);
    let items: Vec<&str> = text.split(',').map(str::trim).collect();
    items.iter().all(|item| !item.is_empty()).then_some(items)
}

/// The integer at the start of `text`, and whether anything but blanks follows.
fn integer(text: &str) -> Option<(i64, bool)> {
    let trimmed = text.trim();
    let digits = trimmed.strip_prefix('-').unwrap_or(trimmed);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let number = trimmed.get(..trimmed.len() - digits.len() + length)?;
    Some((number.parse().ok()?, number != trimmed))
}

/// The number at the start of `text`, and whether anything but blanks follows.
fn float(text: &str) -> Option<(f64, bool)> {
    let trimmed = text.trim();
    for word in ["inf", "-inf", "nan", "-nan"] {
        if trimmed == word {
            return Some((word.parse().ok()?, false));
        }
    }
    let bytes = trimmed.as_bytes();
    let digits_from = |at: usize| bytes.get(at..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let whole = digits_from(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits_from(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let digits = digits_from(end + 1 + sign);
        if digits > 0 {
            end += 1 + sign + digits;
        }
    }
    let value: f64 = trimmed.get(..end)?.parse().ok()?;
    value.is_finite().then_some((value, end != trimmed.len()))
}

/// The partial shape in a `shape` attribute, and whether OpenVINO reads it differently than it is written.
fn shape(text: &str) -> Option<(PartialShape, bool)> {
    let trimmed = text.trim();
    let inner = match (trimmed.strip_prefix('['), trimmed.ends_with(']')) {
        (Some(rest), true) => rest.strip_suffix(']')?.trim(),
        _ => trimmed,
    };
    if inner == "..." {
        return Some((PartialShape::UNKNOWN, false));
    }
    if inner.is_empty() {
        return Some((PartialShape::scalar(), false));
    }
    let mut lenient = false;
    let mut dims: SmallVec<[Dim; 4]> = SmallVec::new();
    // `inner` is trimmed, so a blank item stands between others.
    for item in inner.split(',') {
        let is_blank = !item.is_empty() && item.trim().is_empty();
        let (dim, loose) = if is_blank { (Dim::exact(0), true) } else { dimension(item.trim())? };
        dims.push(dim);
        lenient |= loose;
    }
    Some((PartialShape::of(dims), lenient))
}

fn dimension(text: &str) -> Option<(Dim, bool)> {
    if text == "?" || text == "-1" {
        return Some((Dim::ANY, false));
    }
    let Some((lower, upper)) = text.split_once("..") else {
        return Some(match bound(text)? {
            Some(i64::MAX) => return None, // OpenVINO reads an empty interval.
            Some(length) => (Dim::exact(length), length < 0 || text.contains('-')),
            None => (Dim::exact(0), true),
        });
    };
    let low = if lower.is_empty() { Some(0) } else { bound(lower)? };
    let high = if upper.is_empty() { Some(i64::MAX) } else { bound(upper)? };
    let odd = low.is_none_or(|n| n < 0) || high.is_none_or(|n| n < 0) || text.contains('-');
    let (low, high) = (low.unwrap_or(0), high.unwrap_or(i64::MAX));
    let high = if high == -1 { i64::MAX } else { high };
    if low == -1 || low == i64::MAX {
        return Some((Dim::between(0, high).unwrap_or(Dim::ANY), true));
    }
    // OpenVINO shows a reversed interval as `?` and fails later when it is compared.
    Some((Dim::between(low, high)?, odd))
}

/// The integer at the start of a text of digits and `-`; `Some(None)` if there is none that fits 64 bits.
#[allow(clippy::option_option, reason = "three answers: no number, one that does not fit, one that fits")]
fn bound(text: &str) -> Option<Option<i64>> {
    is_bound(text).then(|| integer(text).map(|(number, _)| number))
}

/// Whether OpenVINO reads a bound of a dimension.
fn is_bound(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// Whether all numbers of a list fit unsigned 64 bits.
pub(crate) fn is_unsigned_list(text: &str) -> bool {
    items(text).is_some_and(|items| items.iter().all(|item| item.parse::<u64>().is_ok()))
}

/// Whether OpenVINO reads a shape, even one with impossible dimensions.
pub(crate) fn is_readable_shape(text: &str) -> bool {
    let is_readable = |bound: &str| bound.is_empty() || is_bound(bound);
    text.split(',').map(str::trim).all(|item| {
        item == "?" || is_bound(item) || item.split_once("..").is_some_and(|(a, b)| is_readable(a) && is_readable(b))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Result<Reading, String> {
        read(Kind::INT, text)
    }

    #[test]
    fn integers_are_read_by_prefix() {
        let strict = |n| Ok(Reading { value: Some(AttrValue::Int(n)), lenient: false });
        let lenient = |n| Ok(Reading { value: Some(AttrValue::Int(n)), lenient: true });
        assert_eq!(int("3"), strict(3));
        assert_eq!(int(" -3 "), strict(-3));
        assert_eq!(int("3x"), lenient(3));
        assert_eq!(int("1.9"), lenient(1));
        assert_eq!(int("0x3"), lenient(0));
        for text in ["", "+3", "abc", "99999999999999999999", "-"] {
            assert_eq!(int(text), Err("an integer".to_owned()), "{text}");
        }
        assert_eq!(read(Kind::from(1), "0"), Err("at least 1".to_owned()));
        assert_eq!(read(Kind::Int32(-1), "4294967297"), lenient(1));
        assert_eq!(read(Kind::Int32(-1), "2147483648"), Err("at least -1".to_owned()));
    }

    #[test]
    fn lists_tolerate_one_trailing_comma() {
        let values = |text| read(Kind::INTS, text).map(|reading| reading.value);
        let ints = |n: &[i64]| Ok(Some(AttrValue::Ints(n.into())));
        assert_eq!(values("1, 2"), ints(&[1, 2]));
        assert_eq!(values("1,2,"), ints(&[1, 2]));
        assert_eq!(values(""), ints(&[]));
        assert_eq!(values("1;2"), ints(&[1]));
        for text in ["1,,2", ",1", "[1,1]", "1,a", " ", "1, ", "1, ,2", ","] {
            assert!(values(text).is_err(), "{text}");
        }
    }

    #[test]
    fn floats_follow_the_reader() {
        let value = |text| read(Kind::Float, text).map(|reading| reading.value);
        assert_eq!(value("1E3"), Ok(Some(AttrValue::Float(1000.0))));
        assert_eq!(value(".5"), Ok(Some(AttrValue::Float(0.5))));
        assert_eq!(value("1.5f"), Ok(Some(AttrValue::Float(1.5))));
        assert_eq!(value("-inf"), Ok(Some(AttrValue::Float(f64::NEG_INFINITY))));
        for text in ["INF", "NaN", "1e400", "", "--1", "abc"] {
            assert!(value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shapes_follow_the_reader() {
        let text =
            |text: &str| shape(text).map(|(shape, lenient)| format!("{shape}{}", if lenient { " !" } else { "" }));
        let is = |given: &str, want: &str| assert_eq!(text(given).as_deref(), Some(want), "{given}");
        is("1,3,?", "[1,3,?]");
        is("[1,2]", "[1,2]");
        is("...", "[...]");
        is("", "[]");
        is("1..8,..8,8..", "[1..8,..8,8..]");
        is("-1,3", "[?,3]");
        is("1,-2", "[1,0] !");
        is("99999999999999999999", "[0] !");
        is("..", "[?]");
        is("-1..4", "[..4] !");
        is("20, ,2", "[20,0,2] !");
        is("1..-1", "[1..] !");
        for bad in [
            "1,,2",
            "+3",
            "3.5",
            "1,...",
            "1;2",
            "3x",
            "1 .. 4",
            "?..4",
            "1,",
            "1, ",
            " ,1",
            "1, ,",
            "8..1",
            "9223372036854775807",
        ] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
