//! The flags and the files of `ovlint reshape` and `ovlint extract`, which write an edited model.

use super::progress::Line;
use super::show::width_of_lines;
use super::{Run, complain, exit, print, print_diff, shown};
use clap::{Args, ValueEnum};
use ovlint::internal::Model;
use ovlint::internal::atomic::{Existing, THERE_ALREADY};
use ovlint::internal::diagnostic::unified_diff;
use ovlint::internal::edit::{Bin, Edited, Refusal, Target, write};
use ovlint::internal::report::views::edited;
use std::path::{Path, PathBuf};

// The destination of an edited model.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "every flag stands on its own")]
pub(crate) struct EditArgs {
    /// Model to write, with its weights beside it
    #[arg(short, long, value_name = "FILE.xml", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Edit the XML of the model in place; its weights do not change
    #[arg(long)]
    in_place: bool,
    /// Show the change as a unified diff, and write nothing
    #[arg(long)]
    diff: bool,
    /// Copy, link or omit the weights of the new model
    #[arg(long, value_enum, value_name = "copy|link|none", default_value = "copy", hide_possible_values = true)]
    bin: BinArg,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum BinArg {
    Copy,
    Link,
    None,
}

/// The checked destination.
pub(crate) enum Destination<'a> {
    Diff,
    InPlace,
    File(&'a Path, Target<'a>),
}

impl EditArgs {
    /// Whether the weights file of the model stays the one to read.
    pub(crate) fn keeps_weights(&self) -> bool {
        self.in_place || self.bin() != Bin::Copy
    }

    fn bin(&self) -> Bin {
        match self.bin {
            BinArg::Copy => Bin::Copy,
            BinArg::Link => Bin::Link,
            BinArg::None => Bin::None,
        }
    }

    /// Checks that the result can be written; `model` and `weights` are the files that are read.
    pub(crate) fn destination(&self, model: &Path, weights: Option<&Path>) -> Result<Destination<'_>, String> {
        let existing = if self.force { Existing::Replace } else { Existing::Keep };
        match &self.output {
            _ if self.diff => Ok(Destination::Diff),
            Some(path) => {
                let read: Vec<&Path> = [Some(model), weights].into_iter().flatten().collect();
                let target = Target::of(path, existing, self.bin(), &read).map_err(|error| {
                    let hint = if error.ends_with(THERE_ALREADY) { "; --force replaces it" } else { "" };
                    error + hint
                })?;
                Ok(Destination::File(path, target))
            }
            None if self.in_place => Ok(Destination::InPlace),
            None => {
                Err("name the destination with --output FILE.xml or --in-place, or use --diff to see the change"
                    .to_owned())
            }
        }
    }

    /// Writes an edited model, or shows the difference; `what` says what it is now.
    pub(crate) fn finish(
        &self,
        destination: &Destination,
        model: &Model,
        result: Result<Edited, Refusal>,
        what: impl Fn(&Edited) -> String,
    ) -> Run {
        let edited = match result {
            Ok(edited) => edited,
            Err(Refusal::Request(error)) => return Err(error),
            Err(refusal) => {
                model.intact().map_err(|error| error.to_string())?;
                print(&edited::refusal(model, &refusal, width_of_lines()));
                return Ok(exit::FINDINGS);
            }
        };
        model.intact().map_err(|error| error.to_string())?;
        let path = model.source().path();
        let (xml, weights) = (edited.model.source().bytes(), model.weights());
        let mut lines = Vec::new();
        match destination {
            Destination::Diff => {
                print_diff(&unified_diff(&shown(path), model.source(), &edited.edits));
                return Ok(if edited.edits.is_empty() { exit::CLEAN } else { exit::FINDINGS });
            }
            Destination::InPlace if edited.edits.is_empty() => {
                lines.push(format!("{} is as wanted already", shown(path)));
            }
            Destination::InPlace => {
                write(path, &edited.edits, xml)?;
                lines.push(format!("wrote {}: {}", shown(path), what(&edited)));
            }
            Destination::File(new, target) => {
                let (mut line, size) = (Line::on_terminal(!self.quiet), edited.weights.size(weights.size()));
                let mut progress = |done: u64| {
                    if done < size {
                        line.draw(&format!("{} of {} copied", edited::size(done), edited::size(size)));
                    }
                };
                target.write(xml, &edited.weights, weights, self.bin(), &mut progress)?;
                line.clear();
                let beside = edited::weights(&edited, weights, self.bin(), target.weights());
                lines.push(format!("wrote {}: {}{beside}", shown(new), what(&edited)));
                lines.extend(edited::advice(&edited, weights, self.bin(), new));
            }
        }
        if !self.quiet {
            let mut lines = lines.into_iter();
            print(&lines.next().map(|line| line + "\n").unwrap_or_default());
            lines.for_each(|line| complain(&line));
        }
        Ok(exit::CLEAN)
    }
}
