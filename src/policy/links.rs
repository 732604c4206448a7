//! Links between models that a configuration names, and the models that they connect.

use super::{FileGlobs, NeededGlob, Settings, absolute, from_here};
use crate::limits::LINKED;
use crate::pipeline::{Configured, End, Folder};
use crate::remote::is_remote;
use crate::source::{Source, Span};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A `[[link]]`: the output of some models that is the input of others.
#[derive(Clone, Debug)]
pub struct Link {
    /// The outputs.
    pub from: LinkEnd,
    /// The inputs.
    pub to: LinkEnd,
}

/// A tensor of some models, written as `FILE:TENSOR`.
#[derive(Clone, Debug)]
pub struct LinkEnd {
    /// The models.
    pub files: FileGlobs,
    /// The tensor name.
    pub tensor: String,
    /// The span in the configuration.
    pub span: Span,
}

impl Link {
    /// Returns the globs, each of which should match a file.
    pub(super) fn needed(&self) -> [NeededGlob; 2] {
        [&self.from, &self.to].map(|end| NeededGlob { key: "[[link]]", files: end.files.clone(), span: end.span })
    }
}

impl Settings {
    /// Returns the models that the links connect, as the members of a folder; `None` if they connect none. `files` have these
    /// settings, and each has an index.
    ///
    /// # Errors
    /// If the links connect too many models.
    pub fn linked<'p>(&self, files: impl Iterator<Item = (usize, &'p Path)>) -> Result<Option<Folder>, String> {
        let (Some(path), Some(first)) = (&self.path, self.links.first()) else { return Ok(None) };
        let root = first.from.files.root();
        let below = |(index, file): (usize, &Path)| {
            let file = absolute(file);
            let name = file.strip_prefix(root).ok()?.with_extension("").to_string_lossy().replace('\\', "/");
            Some((index, file, name))
        };
        let files: Vec<(usize, PathBuf, String)> =
            files.filter(|(_, file)| !is_remote(file)).filter_map(below).collect();
        let matches = |end: &LinkEnd| -> Vec<usize> {
            (0..files.len()).filter(|at| files.get(*at).is_some_and(|(_, file, _)| end.files.admit(file))).collect()
        };
        let mut members: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut pairs, mut links) = (0, Vec::new());
        for link in &self.links {
            let ends = [(&link.from, matches(&link.from)), (&link.to, matches(&link.to))];
            let [(_, from), (_, to)] = &ends;
            pairs += from.len() * to.len();
            if pairs > LINKED {
                let at = Source::new(path, self.text.as_bytes().to_vec()).position(link.from.span.start);
                let place = format!("{}:{}:{}", path.display(), at.line, at.column);
                return Err(format!(
                    "{place}: the [[link]]s connect more than {LINKED} pairs of models; name fewer files"
                ));
            }
            if from.is_empty() || to.is_empty() {
                continue;
            }
            from.iter().chain(to).for_each(|file| {
                members.insert(*file, 0);
            });
            links.push(ends);
        }
        members.values_mut().enumerate().for_each(|(place, member)| *member = place);
        let end = |(end, files): (&LinkEnd, Vec<usize>)| End {
            members: files.iter().filter_map(|file| members.get(file).copied()).collect(),
            tensor: end.tensor.clone(),
            span: end.span,
        };
        let links: Vec<[End; 2]> = links.into_iter().map(|ends| ends.map(end)).collect();
        let configured = Configured { path: from_here(path).into(), text: self.text.clone(), links };
        let members = members.keys().filter_map(|file| files.get(*file)).map(|(index, _, name)| (name.clone(), *index));
        let folder = Folder { path: from_here(root).into(), members: members.collect(), ..Folder::default() };
        Ok((!folder.members.is_empty()).then_some(Folder { configured: Some(configured.into()), ..folder }))
    }
}
