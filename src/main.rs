//! The `ovlint` command.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    ExitCode::from(cli::main())
}
