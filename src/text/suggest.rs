//! Suggestions for unknown names: the most similar known name.

use super::wording::alternatives;
use std::cmp::Ordering;

/// The maximum length in bytes of names that are compared, because the time of a comparison grows with the length.
const LONGEST: usize = 500;

/// The similarity above which a name is suggested; 1 means equal.
const ALIKE: f64 = 0.8;

/// Returns the similarity of two names, from 0 to 1, ignoring letter case and the difference of `_` and `-`; `None` if it
/// does not exceed [`ALIKE`].
pub(crate) fn likeness(name: &str, known: &str) -> Option<f64> {
    if name.len() > LONGEST || known.len() > LONGEST {
        return None;
    }
    let plain = |name: &str| name.to_ascii_lowercase().replace('_', "-");
    let (name, known) = (plain(name), plain(known));
    // A suffix of the known name is as good as a misspelling: `relu` for `stage1/relu`.
    let part = known.len() > name.len() && name.len() > 2 && known.ends_with(&name);
    // In a short name, one wrong letter lowers the score too much.
    let slip = known.len() > 2 && known.len() < 8 && strsim::osa_distance(&name, &known) == 1;
    let floor = if part || slip { 0.9 } else { 0.0 };
    let likeness = strsim::jaro_winkler(&name, &known).max(floor);
    (likeness > ALIKE).then_some(likeness)
}

/// Returns the known name most similar to `name`, the first of equally similar ones; `None` if none is similar.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.into_iter().filter_map(|known| Some((likeness(name, known)?, known)));
    near.reduce(|best, next| if next.0.total_cmp(&best.0) == Ordering::Greater { next } else { best })
        .map(|(_, known)| known)
}

/// The maximum number of unknown names in a file that get a suggestion.
const HINTS: usize = 100;

/// A limiter: only the first [`HINTS`] unknown names of a file get suggestions.
#[derive(Default)]
pub(crate) struct Hints {
    given: usize,
}

impl Hints {
    /// Returns the result of a search for the nearest name; `None` without a search once the limit is reached.
    pub(crate) fn give<'a>(&mut self, search: impl FnOnce() -> Option<&'a str>) -> Option<&'a str> {
        self.given += 1;
        if self.given > HINTS { None } else { search() }
    }
}

/// Formats the end of a message about an unknown name, ``; did you mean `a`, `b` or `c`?``; empty without suggestions.
pub fn did_you_mean<'a>(near: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = near.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        all => format!("; did you mean {}?", alternatives(all)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_is_meant() {
        let known = ["check", "shapes", "snapshot", "backbone/stage1/relu", "backbone/stage2/relu_1"];
        assert_eq!(nearest("chek", known), Some("check"));
        assert_eq!(nearest("SNAP_SHOT", known), Some("snapshot"));
        assert_eq!(nearest("relu", known), Some("backbone/stage1/relu"));
        assert_eq!(nearest("quux", known), None);
        assert_eq!((nearest("wy", ["why"]), nearest("rnu", ["info", "run"])), (Some("why"), Some("run")));
        assert_eq!(nearest(&"check".repeat(200), known), None);
    }

    #[test]
    fn of_equals_the_first_is_meant() {
        assert_eq!(nearest("relu_3", ["relu_1", "relu_2"]), Some("relu_1"));
    }

    #[test]
    fn suggestions_are_a_question() {
        assert_eq!(did_you_mean([]), "");
        assert_eq!(did_you_mean(["a"]), "; did you mean `a`?");
        assert_eq!(did_you_mean(["a", "b", "c"]), "; did you mean `a`, `b` or `c`?");
    }
}
