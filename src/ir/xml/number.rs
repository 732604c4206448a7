//! Numbers as OpenVINO parses them: strictly in ids, edges, offsets and sizes, leniently in `<dim>`.

/// Parses an id, edge, offset or size. Accepts leading blanks, `+`, and the sign of `-0`, but nothing after the number, which
/// must fit 63 bits.
pub(in crate::ir) fn unsigned(text: &[u8]) -> Option<u64> {
    // Fast path: digits only.
    if (1..=18).contains(&text.len()) {
        let digits = text.iter().try_fold(0_u64, |n, b| b.is_ascii_digit().then(|| n * 10 + u64::from(b - b'0')));
        if digits.is_some() {
            return digits;
        }
    }
    let text = std::str::from_utf8(text.trim_ascii_start()).ok()?;
    let zeros = text.strip_prefix('-').filter(|digits| digits.bytes().all(|b| b == b'0'));
    let digits = text.strip_prefix('+').or(zeros).unwrap_or(text);
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse::<i64>().ok().and_then(|n| u64::try_from(n).ok())
}

/// The reason why [`unsigned`] does not accept a text.
pub(in crate::ir) fn why_not(text: &[u8]) -> &'static str {
    if !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        "is more than 9223372036854775807"
    } else {
        "is not an unsigned integer"
    }
}

/// Parses the number at the start of a `<dim>`: blanks, a sign, digits. The flag is true if ignored text follows.
///
/// `None` if there is no number, or it is below -1 or too large.
pub(in crate::ir) fn dimension(text: &[u8]) -> Option<(i64, bool)> {
    let blank = |b: &u8| b.is_ascii_whitespace() || *b == 0x0b;
    let trimmed = text.get(text.iter().take_while(|b| blank(b)).count()..)?;
    let (negative, digits) = match trimmed.first()? {
        b'-' => (true, trimmed.get(1..)?),
        b'+' => (false, trimmed.get(1..)?),
        _ => (false, trimmed),
    };
    let length = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let number: i64 = std::str::from_utf8(digits.get(..length)?).ok()?.parse().ok()?;
    let number = if negative { -number } else { number };
    let rest = digits.get(length..)?.trim_ascii();
    (number >= -1).then_some((number, !rest.is_empty()))
}

/// Whether the text is an integer that has at least the 19 digits of the largest 64-bit integer.
pub(in crate::ir) fn is_long_integer(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    digits.len() >= 19 && digits.iter().all(u8::is_ascii_digit)
}

/// Parses a floating-point number with leading blanks but nothing after it. The flag is true if the number is incomplete, such
/// as `1e`, which OpenVINO reads as 0.
pub(in crate::ir) fn float(text: &[u8]) -> Option<(f32, bool)> {
    let blank = |b: &u8| b.is_ascii_whitespace() || *b == 0x0b;
    let text = text.get(text.iter().take_while(|b| blank(b)).count()..)?;
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |text: &[u8]| usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let mut at = sign(text);
    at += digits(text.get(at..)?);
    if text.get(at) == Some(&b'.') {
        at += 1 + digits(text.get(at + 1..)?);
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1 + sign(text.get(at + 1..)?);
        at += digits(text.get(at..)?);
    }
    if at < text.len() {
        return None;
    }
    let value = std::str::from_utf8(text).ok()?.parse::<f32>().ok();
    Some((value.map_or(0.0, |value| value.clamp(f32::MIN, f32::MAX)), value.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_strict() {
        assert_eq!(unsigned(b"12"), Some(12));
        assert_eq!(unsigned(b" +7"), Some(7));
        assert_eq!(unsigned(b"-0"), Some(0));
        assert_eq!(unsigned(b" -00"), Some(0));
        assert_eq!(unsigned(b"-"), None);
        assert_eq!(unsigned(b"-01"), None);
        assert_eq!(["9223372036854775808", "-01", ""].map(|text| unsigned(text.as_bytes())), [None; 3]);
        assert_eq!(why_not(b"9223372036854775808"), "is more than 9223372036854775807");
        assert_eq!(["-01", ""].map(|text| why_not(text.as_bytes())), ["is not an unsigned integer"; 2]);
        assert_eq!(unsigned(b"+-0"), None);
        assert_eq!(unsigned(b"9223372036854775807"), Some(i64::MAX.unsigned_abs()));
        for text in ["", "-1", "2 ", "2.0", "0x1", "9223372036854775808", "x", "+"] {
            assert_eq!(unsigned(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn dims_are_lenient() {
        assert_eq!(dimension(b" 5 "), Some((5, false)));
        assert_eq!(dimension(b"-1"), Some((-1, false)));
        assert_eq!(dimension(b"1..8"), Some((1, true)));
        assert_eq!(dimension(b"0x5"), Some((0, true)));
        for text in ["", "?", "-2", "five", "..8", "9223372036854775808"] {
            assert_eq!(dimension(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn integers_that_do_not_fit_are_integers() {
        for (text, is_long) in [
            ("9223372036854775808", true),
            ("-9223372036854775809 ", true),
            ("", false),
            ("-2", false),
            ("1..9", false),
        ] {
            assert_eq!(is_long_integer(text.as_bytes()), is_long, "{text}");
        }
    }

    #[test]
    fn floats_end_with_the_text() {
        for (text, value) in
            [("1.5", 1.5), (" .5", 0.5), ("+5.", 5.0), ("-1E+5", -1e5), ("1e50", f32::MAX), ("1e-400", 0.0)]
        {
            assert_eq!(float(text.as_bytes()), Some((value, false)), "{text}");
        }
        for text in ["", "+", ".", "1e", "1.5e-"] {
            assert_eq!(float(text.as_bytes()), Some((0.0, true)), "{text}");
        }
        for text in ["abc", "1,5", "1.5x", "1.5 ", "nan", "inf", "0x10", "--1", "1_0"] {
            assert_eq!(float(text.as_bytes()), None, "{text}");
        }
    }
}
