//! `ovlint init`: writes a configuration to start from.

use super::{complain, exit, print};
use clap::Args;
use ovlint::settings::TEMPLATE;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct InitArgs {
    /// The folder to write it into
    #[arg(default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn run(args: &InitArgs) -> u8 {
    let path = if args.folder.as_os_str() == "." { "ovlint.toml".into() } else { args.folder.join("ovlint.toml") };
    // What is there is never written over, whoever wrote it and when.
    let written = File::create_new(&path).and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    if let Err(error) = written {
        complain(&format!("{} is not written: {error}", path.display()));
        return exit::BROKEN;
    }
    print(&format!("wrote {}\n", path.display()));
    exit::CLEAN
}
