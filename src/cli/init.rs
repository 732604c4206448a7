//! `ovlint init`: writes a template of the configuration.

use super::{complain, exit, print, shown};
use clap::Args;
use ovlint::internal::atomic;
use ovlint::internal::atomic::Existing;
use ovlint::internal::policy::TEMPLATE;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct InitArgs {
    /// Folder to write to
    #[arg(default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn run(args: &InitArgs) -> u8 {
    let path = if args.folder.as_os_str() == "." { "ovlint.toml".into() } else { args.folder.join("ovlint.toml") };
    // An existing file is never overwritten, not even one that is created in the meantime.
    if let Err(error) = atomic::write(&path, Existing::Keep, TEMPLATE.as_bytes()) {
        complain(&format!("cannot write {}: {error}", path.display()));
        return exit::BROKEN;
    }
    print(&format!("wrote {}\n", shown(&path)));
    exit::CLEAN
}
