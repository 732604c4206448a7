//! What a search finds: the files to check, and counts of the others.

use super::Kind;
use crate::cli::settings::Resolver;
use ovlint::internal::input::Bounds;
use ovlint::internal::policy::from_here;
use ovlint::internal::remote::Listings;
use ovlint::internal::report::Summary;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A file to check.
pub(crate) struct Input {
    /// The path as given, or below a given folder.
    pub(crate) path: PathBuf,
    /// The index of its settings in the [`Resolver`].
    pub(crate) settings: usize,
    /// The kind of file; a named file is meant as a model.
    pub(crate) kind: Kind,
    /// The bounds that its links must not leave; `None` if the user named it.
    pub(crate) bounds: Option<Bounds>,
}

/// The files to check, and counts of the others.
#[derive(Default)]
pub(crate) struct Found {
    /// The files to check, sorted and without duplicates.
    pub(crate) inputs: Vec<Input>,
    /// The number of other XML files in the folders.
    pub(crate) other_xml: usize,
    /// The number of excluded `.xml` files in the folders.
    pub(crate) excluded: usize,
    /// The numbers of `.xml` files and of folders that `.gitignore` and the like exclude.
    pub(super) ignored: (usize, usize),
    /// The number of named `.bin` files without a model beside them, and of those that may be weights.
    pub(super) bins: usize,
    pub(super) weights: usize,
    /// The indices of settings that exclude files.
    pub(crate) excluding: BTreeSet<usize>,
    /// The absolute paths of `.xml` files in the folders, by the index of their settings. Only those whose configuration has
    /// globs, each of which should match a file.
    pub(crate) seen: BTreeMap<usize, Vec<PathBuf>>,
    /// The files in the folders on servers.
    pub(crate) listings: Listings,
    /// Whether a folder was searched.
    pub(super) has_folder: bool,
    /// Whether a part of a folder could not be read.
    pub(crate) is_partial: bool,
    /// The `.xml` files in the folders.
    pub(super) paths: BTreeSet<PathBuf>,
}

impl Found {
    /// Returns the counts of files in the folders that are not among the inputs.
    pub(crate) fn rest(&self, resolver: &Resolver) -> Summary {
        let excluding = self.excluding.iter().filter_map(|index| resolver.settings(*index).path.as_deref());
        Summary {
            other_xml: self.other_xml,
            excluded: self.excluded,
            gitignored: self.ignored.0,
            gitignored_folders: self.ignored.1,
            orphaned_weights: self.weights,
            excluded_by: excluding.map(from_here).collect(),
            ..Summary::default()
        }
    }
}
