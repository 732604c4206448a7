//! The parsing of arguments: a fast way for the default command, URLs without credentials, and the answers to old and
//! misspelt names.

use super::{Cli, Command, check, complain, exit, renamed};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use ovlint::internal::remote::named;
use ovlint::internal::text::{nearest, plain_text};
use std::ffi::OsString;
use std::path::Path;

/// Parses the command; returns an exit code if there is none to run.
pub(super) fn command() -> Result<Command, u8> {
    if let Some(args) = OnlyCheck::parse() {
        return Ok(Command::Check(args));
    }
    let parsed = Cli::shown().try_get_matches_from(arguments()).and_then(|matches| Cli::from_arg_matches(&matches));
    let is_default = match &parsed {
        Ok(cli) => cli.command.is_none(),
        Err(error) => error.use_stderr(),
    };
    let renamed = parsed.as_ref().err().and_then(renamed_flag);
    if let Some(message) = renamed.or_else(|| is_default.then(renamed_command).flatten()) {
        complain(&message);
        return Err(exit::BROKEN);
    }
    if let Some((name, near)) = is_default.then(mistyped).flatten() {
        complain(&format!("there is no command and no file `{name}`; did you mean `{near}`?"));
        return Err(exit::BROKEN);
    }
    match parsed {
        Ok(cli) => Ok(cli.command.unwrap_or(Command::Check(cli.check))),
        Err(error) => {
            if !error.use_stderr() {
                let _ = error.print();
                return Err(exit::CLEAN);
            }
            explain(&error);
            Err(exit::BROKEN)
        }
    }
}

/// Returns the arguments. URLs are replaced by names without credentials, so that nothing can print these.
fn arguments() -> impl Iterator<Item = OsString> {
    std::env::args_os().map(|argument| {
        let Some(text) = argument.to_str().filter(|text| text.contains("://")) else { return argument };
        match text.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => format!("{flag}={}", named(value)).into(),
            _ => named(text).into(),
        }
    })
}

/// Prints the error about the arguments. The arguments are escaped and parsed again, because the message quotes them.
fn explain(error: &clap::Error) {
    let spelled = arguments().map(|argument| plain_text(&argument.to_string_lossy()));
    match Cli::shown().try_get_matches_from(spelled).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Err(spelled) if spelled.use_stderr() => {
            let _ = spelled.print();
        }
        _ => complain(&error.to_string()),
    }
}

/// The default command alone: building the whole command line takes longer than checking a small model.
#[derive(Parser)]
#[command(name = "ovlint", disable_help_flag = true)]
struct OnlyCheck {
    #[command(flatten)]
    check: check::CheckArgs,
}

impl OnlyCheck {
    /// Parses valid arguments of a check; returns `None` for all others, which the whole command line handles.
    fn parse() -> Option<check::CheckArgs> {
        let mut arguments: Vec<OsString> = arguments().collect();
        let first = arguments.get(1)?.to_str()?;
        if first == "check" {
            arguments.remove(1);
        } else if may_be_command(first) {
            return None;
        }
        let is_path = |argument: &OsString| !argument.is_empty() && !argument.as_encoded_bytes().starts_with(b"-");
        if arguments.len() > 1 && arguments.iter().skip(1).all(is_path) {
            // Without flags, skip the parser, which would take as long as checking a small model.
            return Some(check::CheckArgs::of_paths(arguments.into_iter().skip(1).map(Into::into).collect()));
        }
        let mut command = Self::command();
        let mut matches = command.try_get_matches_from_mut(arguments).ok()?;
        let check = Self::from_arg_matches_mut(&mut matches).ok()?.check;
        // Freeing this memory would slow down the start; the end of the process frees it at once.
        std::mem::forget((command, matches));
        Some(check)
    }
}

/// Returns the message about an unknown flag or format that is an old name.
fn renamed_flag(error: &clap::Error) -> Option<String> {
    match (error.kind(), error.get(ContextKind::InvalidArg)?) {
        (ErrorKind::UnknownArgument, ContextValue::String(flag)) => renamed::flag(flag),
        (ErrorKind::InvalidValue, ContextValue::String(flag)) if flag.starts_with("--format") => {
            let Some(ContextValue::String(format)) = error.get(ContextKind::InvalidValue) else { return None };
            renamed::format(arguments().nth(1)?.to_str()?, format)
        }
        _ => None,
    }
}

/// Returns the message about a first argument that is the old name of a command.
fn renamed_command() -> Option<String> {
    let name = arguments().nth(1)?.into_string().ok()?;
    renamed::command(&name).filter(|_| !Path::new(&name).exists())
}

/// Returns the first argument and the command that it resembles, if it is neither a command nor a file.
fn mistyped() -> Option<(String, String)> {
    let name = arguments().nth(1)?.into_string().ok()?;
    if !may_be_command(&name) || name.starts_with('-') || Path::new(&name).exists() {
        return None;
    }
    let cli = Cli::command();
    let commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    if commands.contains(&name.as_str()) {
        return None;
    }
    let is_other_word = ["lint", "validate", "verify"].contains(&name.as_str());
    let near = if is_other_word { "check" } else { nearest(&name, commands)? };
    Some((name, near.to_owned()))
}

/// Whether a first argument is more likely a command than a path.
fn may_be_command(name: &str) -> bool {
    !name.contains(['.', '/'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_alone_are_taken_as_the_command_line_takes_them() {
        let parsed = OnlyCheck::try_parse_from(["ovlint", "a.xml", "b"]).unwrap().check;
        let plain = check::CheckArgs::of_paths(vec!["a.xml".into(), "b".into()]);
        assert_eq!(format!("{plain:?}"), format!("{parsed:?}"));
    }
}
