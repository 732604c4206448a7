//! Files grouped by what is checked at a time: a file, or all models of a pipeline, which are compared with each other.

use super::files::Input;
use super::settings::Resolver;
use ovlint::internal::Model;
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::{Aside, Folder, InPipeline, Loader, Opened, check, folders};
use ovlint::internal::remote::{Listings, is_remote};
use ovlint::internal::report::Pipeline;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A file, or the models of a pipeline, or of several that share models.
pub(crate) struct Unit<'i> {
    pub(crate) inputs: Vec<&'i Input>,
    /// The indices of the inputs among all.
    files: Vec<usize>,
    /// The folders of the pipelines.
    pub(crate) folders: Vec<Folder>,
    /// The pipeline that it drafts for.
    pub(crate) main: Option<(Folder, Vec<&'i Input>)>,
}

/// The results of the pipelines of a unit.
#[derive(Default)]
pub(crate) struct Checked {
    /// The role of each input; empty for a unit without pipelines.
    pub(crate) roles: Vec<InPipeline>,
    /// The findings about files that are no models.
    pub(crate) others: Vec<Aside>,
    /// The pipelines, whose members refer to the inputs.
    pub(crate) pipelines: Vec<Pipeline>,
    /// The folders on servers, with the numbers of JSON files and of bytes that were fetched.
    pub(crate) fetched: Vec<(PathBuf, (usize, usize))>,
    /// The folders whose check failed by a defect of ovlint.
    pub(crate) failed: Vec<(PathBuf, String)>,
}

impl Unit<'_> {
    /// Checks the pipelines. `models` are those of the inputs; `main` is the pipeline that this one drafts for.
    pub(crate) fn pipelines(
        &self,
        models: &[Option<&Model>],
        loaders: impl Fn(&Input) -> Vec<Loader>,
        main: Option<Opened>,
    ) -> Checked {
        let mut all = Checked::default();
        if !self.folders.is_empty() {
            all.roles.resize(self.inputs.len(), InPipeline::default());
        }
        for folder in &self.folders {
            let places = folder.members.iter().filter_map(|(_, file)| self.files.binary_search(file).ok());
            let places: Vec<usize> = places.collect();
            let Some(first) = places.first().map(|first| self.inputs[*first]) else { continue };
            let (loaders, members) = (loaders(first), places.iter().map(|place| models[*place]).collect::<Vec<_>>());
            let opened = Opened { folder, models: &members };
            let checked = match contained(|| check(opened, &loaders, first.bounds.as_ref(), main)) {
                Ok(checked) => checked,
                Err(failure) => {
                    all.failed.push((folder.path.clone(), failure));
                    continue;
                }
            };
            for (place, role) in places.iter().zip(checked.members) {
                all.roles[*place].join(role);
            }
            if let Some(mut overview) = checked.overview {
                overview.members.iter_mut().zip(places).for_each(|(part, place)| part.model = place);
                let is_loaded = !loaders.is_empty() || folder.configured.is_some();
                all.pipelines.push(Pipeline { overview, is_loaded });
            }
            all.others.extend(checked.others);
            all.fetched.extend((checked.fetched.0 > 0).then(|| (folder.path.clone(), checked.fetched)));
        }
        all
    }
}

/// Groups the files by pipeline, in the order of the first file of each. A file that the user names stands alone.
///
/// # Errors
/// If `draft` is no pipeline, or if it is not clear for which one it drafts; if a configuration links too many models.
pub(crate) fn units<'i>(
    inputs: &'i [Input],
    given: &[PathBuf],
    draft: Option<&Path>,
    listings: Listings,
    resolver: &Resolver,
) -> Result<Vec<Unit<'i>>, String> {
    let is_found = |input: &Input| input.bounds.is_some() || is_remote(&input.path);
    let found = |input: &'i Input| if is_found(input) { input.path.as_path() } else { Path::new("") };
    let files: Vec<&Path> = inputs.iter().map(found).collect();
    let files_of = |folder: &Folder| folder.members.iter().map(|(_, file)| *file).collect::<Vec<_>>();
    let all = folders(&files, given, listings).into_iter();
    let mut groups: Vec<(Vec<usize>, Vec<Folder>)> = all.map(|folder| (files_of(&folder), vec![folder])).collect();
    for (index, settings) in resolver.all().iter().enumerate() {
        let own = inputs.iter().enumerate().filter(|(_, input)| input.settings == index && input.bounds.is_some());
        let Some(folder) = settings.linked(own.map(|(at, input)| (at, input.path.as_path())))? else { continue };
        let linked: BTreeSet<usize> = files_of(&folder).into_iter().collect();
        let (shared, others) =
            groups.into_iter().partition(|(files, _)| files.iter().any(|file| linked.contains(file)));
        groups = others;
        let (mut files, mut together) = (linked, Vec::new());
        for (more, folders) in shared {
            files.extend(more);
            together.extend(folders);
        }
        together.push(folder);
        groups.push((files.into_iter().collect(), together));
    }
    let members: BTreeSet<usize> = groups.iter().flat_map(|(files, _)| files).copied().collect();
    let first =
        |(files, folders): (Vec<usize>, Vec<Folder>)| (files.first().copied().unwrap_or_default(), (files, folders));
    let mut by_first: BTreeMap<usize, (Vec<usize>, Vec<Folder>)> = groups.into_iter().map(first).collect();
    let inputs_of = |files: &[usize]| files.iter().filter_map(|file| inputs.get(*file)).collect();
    let mut units = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        if let Some((files, folders)) = by_first.remove(&index) {
            units.push(Unit { inputs: inputs_of(&files), files, folders, main: None });
        } else if !members.contains(&index) {
            units.push(Unit { inputs: vec![input], files: vec![index], folders: Vec::new(), main: None });
        }
    }
    if let Some(draft) = draft {
        let is_draft = |folder: &&Folder| folder.path == draft;
        let recognised =
            units.iter().flat_map(|unit: &Unit| &unit.folders).filter(|folder| folder.configured.is_none());
        let mut others = recognised.filter(|folder| !is_draft(folder));
        let main = others.next().map(|main| (main.clone(), inputs_of(&files_of(main))));
        if main.is_none() || others.next().is_some() {
            return Err("--draft needs exactly one other folder with a language model".to_owned());
        }
        let unit = units.iter_mut().find(|unit| unit.folders.iter().any(|folder| is_draft(&folder)));
        unit.ok_or_else(|| format!("--draft: {} is not the folder of a language model", draft.display()))?.main = main;
    }
    Ok(units)
}
