//! The paths in the names of boxes, by which a picture groups them, changed to where the boxes belong: with their neighbors.

use crate::query::groups::SEPARATORS;

/// Changes the paths of names, given the links between their boxes, those of later consumers first.
///
/// A box stays in the levels that it shares with a neighbor: a module that is used in several places names all its layers after
/// one. A box without a path gets what the paths of its consumers share, as for weights that are unpacked.
pub(super) fn settle(names: &mut [String], links: &[(usize, usize)]) {
    let mut levels: Vec<Option<usize>> = vec![None; names.len()];
    for (from, to) in links {
        // A layer that is named after its producer says nothing about where that belongs.
        let rest = names[*to].strip_prefix(names[*from].as_str());
        if rest.is_none_or(|rest| !rest.starts_with(SEPARATORS)) {
            let level = Some(shared(path(&names[*from]), path(&names[*to])).len());
            (levels[*from], levels[*to]) = (levels[*from].max(level), levels[*to].max(level));
        }
    }
    for (name, level) in names.iter_mut().zip(levels) {
        let own = path(name).len();
        if let Some(level) = level.filter(|level| *level < own) {
            name.replace_range(level..if level == 0 { own + 1 } else { own }, "");
        }
    }
    let mut adopted: Vec<Option<String>> = vec![None; names.len()];
    for (from, to) in links {
        let path = adopted[*to].as_deref().filter(|_| path(&names[*to]).is_empty()).unwrap_or(path(&names[*to]));
        let path = adopted[*from].as_deref().map_or(path, |known| shared(known, path)).to_owned();
        adopted[*from] = Some(path);
    }
    for (name, adopted) in names.iter_mut().zip(adopted) {
        if let Some(adopted) = adopted.filter(|adopted| !adopted.is_empty() && path(name).is_empty()) {
            name.insert_str(0, &format!("{adopted}/"));
        }
    }
}

/// Returns a name without its last level.
fn path(name: &str) -> &str {
    name.rfind(SEPARATORS).map_or("", |cut| &name[..cut])
}

/// Returns the levels that two paths share.
fn shared<'p>(one: &'p str, other: &str) -> &'p str {
    let is_end = |path: &str, at| path.get(at..).is_some_and(|rest| rest.is_empty() || rest.starts_with(SEPARATORS));
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let level = (0..=same).rev().find(|at| is_end(one, *at) && is_end(other, *at));
    level.and_then(|level| one.get(..level)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_stand_with_their_neighbors_whatever_they_are_named_after() {
        let names =
            ["m.0.conv/Conv", "m.9.act/Swish_1", "m.9.act/Swish_1/fq", "m.1.conv/Conv", "m.1.conv/Add", "Convert_7"];
        let mut names = names.map(str::to_owned);
        settle(&mut names, &[(3, 4), (2, 3), (5, 3), (1, 2), (0, 1)]);
        assert_eq!(names, ["m/Conv", "m/Swish_1", "m/fq", "m.1.conv/Conv", "m.1.conv/Add", "m.1.conv/Convert_7"]);
    }

    #[test]
    fn paths_share_whole_levels() {
        assert_eq!(shared("a.b/c1", "a.b/c2"), "a.b");
        assert_eq!((shared("a.b", "a.b.c"), shared("a.b.c", "a.b"), shared("ab", "a")), ("a.b", "a.b", ""));
        assert_eq!((shared("\u{e9}.x", "\u{e8}.x"), shared("", "a")), ("", ""));
    }
}
