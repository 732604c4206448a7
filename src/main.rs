//! The `ovlint` command.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails where it stands"))]

use std::process::ExitCode;

#[allow(clippy::disallowed_methods, reason = "the command shows the words of findings")]
mod cli;
mod memory;

#[global_allocator]
static ALLOCATOR: memory::HugePages = memory::HugePages;

fn main() -> ExitCode {
    ExitCode::from(cli::main())
}
