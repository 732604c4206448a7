//! The check of a unit: a file, or all models of a pipeline.

use super::file::{Check, Opened, Outcome};
use crate::cli::files::Input;
use crate::cli::units::Unit;
use ovlint::internal::Model;
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::{self, Aside};
use ovlint::internal::report::Pipeline;

impl<'i> Unit<'i> {
    /// Checks the files, and what they demand of each other; the outcomes of JSON files and folders have no input. `is_only` is
    /// set if there is no other file.
    pub(super) fn check(&self, checks: &[Check], is_only: bool) -> Vec<(Option<&'i Input>, Outcome)> {
        let Some(folder) = &self.folder else {
            let file = |input: &&'i Input| (Some(*input), checks[input.settings].file(input, is_only));
            return self.inputs.iter().map(file).collect();
        };
        let opened: Vec<Result<Opened, Box<Outcome>>> =
            self.inputs.iter().map(|input| checks[input.settings].opened(input)).collect();
        let models: Vec<Option<&Model>> = opened.iter().map(|one| Some(&one.as_ref().ok()?.model)).collect();
        let Some(first) = self.inputs.first() else { return Vec::new() };
        let check = &checks[first.settings];
        let loaders = check.loaders(&first.path);
        let (bounds, this) = (first.bounds.as_ref(), pipeline::Opened { folder, models: &models });
        let checked = contained(|| match &self.main {
            None => pipeline::check(this, &loaders, bounds, None),
            Some((folder, inputs)) => {
                let opened: Vec<_> = inputs.iter().map(|input| checks[input.settings].opened(input)).collect();
                let models: Vec<Option<&Model>> = opened.iter().map(|one| Some(&one.as_ref().ok()?.model)).collect();
                pipeline::check(this, &loaders, bounds, Some(pipeline::Opened { folder, models: &models }))
            }
        });
        let mut outcomes = Vec::new();
        let (mut roles, mut pipeline) = (Vec::new(), None);
        match checked {
            Ok(checked) => {
                let is_loaded = !loaders.is_empty();
                pipeline = checked.overview.map(|overview| Pipeline { overview, is_loaded });
                roles = checked.members;
                outcomes.extend(check.fetched(&folder.path, checked.fetched).map(|outcome| (None, outcome)));
                let aside =
                    |Aside { path, text, findings }: Aside| (None, check.aside(&path, text.as_deref(), &findings));
                outcomes.extend(checked.others.into_iter().map(aside));
            }
            Err(failure) => outcomes.push((None, check.failed(&folder.path, &failure))),
        }
        let mut roles = roles.into_iter();
        for (input, opened) in self.inputs.iter().zip(opened) {
            let (check, role) = (&checks[input.settings], roles.next());
            let outcome = match opened {
                Ok(opened) => contained(|| check.report(&input.path, opened, role.as_ref(), false))
                    .unwrap_or_else(|failure| check.failed(&input.path, &failure)),
                Err(outcome) => *outcome,
            };
            outcomes.push((Some(*input), outcome));
        }
        outcomes.iter_mut().take(1).for_each(|(_, outcome)| outcome.summary.pipelines.extend(pipeline.take()));
        outcomes
    }
}
