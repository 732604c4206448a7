//! `ovlint generate completions` and `ovlint generate man`: shell completions and manual pages, generated from the definition
//! of the command line.

use super::{Cli, Run, answer};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use std::io;

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to print completions for
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// Command to print the page of; without it, the page of ovlint itself
    command: Option<String>,
}

pub(crate) fn completions(args: &CompletionsArgs) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), env!("CARGO_PKG_NAME"), &mut script);
    answer(&String::from_utf8_lossy(&script))
}

/// Prints a manual page in roff, for `man -l`.
pub(crate) fn man(args: &ManArgs) -> Run {
    let mut program = Cli::shown();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| format!("there is no command `{name}`"))?.clone(),
    };
    Ok(answer(&page(command).map_err(|error| error.to_string())?))
}

fn page(command: Command) -> io::Result<String> {
    let mut text = Vec::new();
    let name = command.get_display_name().unwrap_or(env!("CARGO_PKG_NAME")).to_owned();
    clap_mangen::Man::new(command).title(name.to_uppercase()).render(&mut text)?;
    String::from_utf8(text).map_err(io::Error::other)
}
