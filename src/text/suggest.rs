//! Did you mean: the known name that is most like one that is not known.

use std::cmp::Ordering;

/// The longest name that is compared: nothing is called like a longer one, and comparing takes its time.
const LONGEST: usize = 500;

/// From here on names are alike; 1 is the same.
const ALIKE: f64 = 0.8;

/// How much one name is like another, from 0 to 1; letter case and `_` for `-` do not count, and what is hardly alike is
/// `None`.
pub(crate) fn likeness(name: &str, known: &str) -> Option<f64> {
    if name.len() > LONGEST || known.len() > LONGEST {
        return None;
    }
    let plain = |name: &str| name.to_ascii_lowercase().replace('_', "-");
    let (name, known) = (plain(name), plain(known));
    // What is only a part of the other is as good as much that is spelled wrong.
    let part = known.len() > name.len() && name.len() > 2 && known.ends_with(&name);
    // Of short names one letter is much.
    let slip = known.len() > 2 && known.len() < 8 && strsim::osa_distance(&name, &known) == 1;
    let floor = if part || slip { 0.9 } else { 0.0 };
    let likeness = strsim::jaro_winkler(&name, &known).max(floor);
    (likeness > ALIKE).then_some(likeness)
}

/// The first of the known names that are most like `name`, if any is like it at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.into_iter().filter_map(|known| Some((likeness(name, known)?, known)));
    near.reduce(|best, next| if next.0.total_cmp(&best.0) == Ordering::Greater { next } else { best })
        .map(|(_, known)| known)
}

/// Unknown names of a file that are compared with the known ones.
const HINTS: usize = 100;

/// The known names that are nearest to the first [`HINTS`] unknown ones of a file.
#[derive(Default)]
pub(crate) struct Hints {
    given: usize,
}

impl Hints {
    /// The result of a search for the nearest name, unless there were enough.
    pub(crate) fn give<'a>(&mut self, search: impl FnOnce() -> Option<&'a str>) -> Option<&'a str> {
        self.given += 1;
        if self.given > HINTS { None } else { search() }
    }
}

/// The end of a message about a name that is not known: `; did you mean `a`, `b` or `c`?`, or nothing.
pub fn did_you_mean<'a>(near: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = near.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [first @ .., last] => format!("; did you mean {} or {last}?", first.join(", ")),
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
