//! The check of a unit: a file, or all models of a pipeline.

use super::file::{Check, Opened, Outcome};
use crate::cli::files::Input;
use crate::cli::units::Unit;
use ovlint::internal::Model;
use ovlint::internal::panics::contained;
use ovlint::internal::pipeline::{self, Aside};

impl<'i> Unit<'i> {
    /// Checks the files, and what they demand of each other; the outcomes of JSON files and folders have no input. `is_only` is
    /// set if there is no other file.
    pub(super) fn check(&self, checks: &[Check], is_only: bool) -> Vec<(Option<&'i Input>, Outcome)> {
        fn model(one: &Result<Opened, Box<Outcome>>) -> Option<&Model> {
            one.as_ref().ok().map(|opened| &opened.model)
        }
        let Some(first) = self.inputs.first().filter(|_| !self.folders.is_empty()) else {
            let file = |input: &&'i Input| (Some(*input), checks[input.settings].file(input, is_only));
            return self.inputs.iter().map(file).collect();
        };
        let open = |input: &&'i Input| checks[input.settings].opened(input);
        let opened: Vec<Result<Opened, Box<Outcome>>> = self.inputs.iter().map(open).collect();
        let main: Option<Vec<_>> = self.main.as_ref().map(|(_, inputs)| inputs.iter().map(open).collect());
        let models: Vec<Option<&Model>> = opened.iter().map(model).collect();
        let main: Option<Vec<_>> = main.as_ref().map(|main| main.iter().map(model).collect());
        let main = self.main.as_ref().zip(main.as_ref());
        let main = main.map(|((folder, _), models)| pipeline::Opened { folder, models });
        let loaders = |input: &Input| checks[input.settings].loaders(&input.path);
        let checked = self.pipelines(&models, loaders, main);
        let check = &checks[first.settings];
        let fetched = checked.fetched.iter().filter_map(|(folder, fetched)| check.fetched(folder, *fetched));
        let failed = checked.failed.iter().map(|(folder, failure)| check.failed(folder, failure));
        let mut used_ignores = Vec::new();
        let asides = checked.others.into_iter().filter_map(|Aside { path, text, findings }| {
            let (findings, used, hidden) = check.settings.judge_aside(&path, findings);
            used_ignores.extend(used);
            let is_said = !findings.is_empty();
            let mut outcome = if is_said { check.aside(&path, text.as_deref(), &findings) } else { Outcome::default() };
            outcome.summary.hide(&hidden, None);
            outcome.about = Some((path, findings));
            (is_said || !hidden.suppressed.is_empty()).then_some(outcome)
        });
        let mut outcomes: Vec<_> = fetched.chain(failed).chain(asides).map(|outcome| (None, outcome)).collect();
        for (index, (input, opened)) in self.inputs.iter().zip(opened).enumerate() {
            let (check, role) = (&checks[input.settings], checked.roles.get(index));
            let mut outcome = match opened {
                Ok(opened) => contained(|| check.report(&input.path, opened, role, false))
                    .unwrap_or_else(|failure| check.failed(&input.path, &failure)),
                Err(outcome) => *outcome,
            };
            // The settings are those of the first model.
            outcome.used_ignores.append(&mut used_ignores);
            outcomes.push((Some(*input), outcome));
        }
        let mut pipelines = Some(checked.pipelines);
        outcomes
            .iter_mut()
            .take(1)
            .for_each(|(_, one)| one.summary.pipelines.extend(pipelines.take().into_iter().flatten()));
        outcomes
    }
}
