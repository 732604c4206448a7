//! Files grouped by what is checked at a time: a file, or all models of a pipeline, which are compared with each other.

use super::files::Input;
use ovlint::internal::pipeline::{Folder, folders};
use ovlint::internal::remote::{Listings, is_remote};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file, or the models of a pipeline.
pub(crate) struct Unit<'i> {
    pub(crate) inputs: Vec<&'i Input>,
    /// The folder of the pipeline.
    pub(crate) folder: Option<Folder>,
    /// The pipeline that it drafts for.
    pub(crate) main: Option<(Folder, Vec<&'i Input>)>,
}

/// Groups the files by pipeline, in the order of the first file of each. A file that the user names stands alone.
///
/// # Errors
/// If `draft` is no pipeline, or if it is not clear for which one it drafts.
pub(crate) fn units<'i>(
    inputs: &'i [Input],
    given: &[PathBuf],
    draft: Option<&Path>,
    listings: Listings,
) -> Result<Vec<Unit<'i>>, String> {
    let is_found = |input: &Input| input.bounds.is_some() || is_remote(&input.path);
    let found = |input: &'i Input| if is_found(input) { input.path.as_path() } else { Path::new("") };
    let files: Vec<&Path> = inputs.iter().map(found).collect();
    let (mut by_first, mut members): (BTreeMap<usize, Folder>, BTreeSet<usize>) = Default::default();
    for folder in folders(&files, given, listings) {
        members.extend(folder.members.iter().map(|(_, file)| file));
        let first = folder.members.iter().map(|(_, file)| *file).min().unwrap_or_default();
        by_first.insert(first, folder);
    }
    let inputs_of = |folder: &Folder| folder.members.iter().filter_map(|(_, file)| inputs.get(*file)).collect();
    let mut units = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        if let Some(folder) = by_first.remove(&index) {
            units.push(Unit { inputs: inputs_of(&folder), folder: Some(folder), main: None });
        } else if !members.contains(&index) {
            units.push(Unit { inputs: vec![input], folder: None, main: None });
        }
    }
    if let Some(draft) = draft {
        let is_draft = |unit: &Unit| unit.folder.as_ref().is_some_and(|folder| folder.path == draft);
        let mut others = units.iter().filter(|unit| unit.folder.is_some() && !is_draft(unit));
        let main = others.next().and_then(|main| Some((main.folder.clone()?, main.inputs.clone())));
        if main.is_none() || others.next().is_some() {
            return Err("--draft goes with the folder of one other language model".to_owned());
        }
        let unit = units.iter_mut().find(|unit| is_draft(unit));
        unit.ok_or_else(|| format!("--draft: {} is no folder of a language model", draft.display()))?.main = main;
    }
    Ok(units)
}
