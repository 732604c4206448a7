//! `ovlint check`: reports what is wrong with models.

use super::files::inputs;
use super::{ModelArgs, complain, exit, print};
use clap::Args;
use ovlint::Model;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Models (.xml), or folders with models
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    model_args: ModelArgs,
}

pub(crate) fn run(args: &CheckArgs) -> u8 {
    let options = args.model_args.options();
    let mut code = exit::CLEAN;
    for input in inputs(&args.paths) {
        match Model::open(&input.path, &options) {
            Ok(model) => {
                for f in model.findings() {
                    let at = model.source().position(f.primary.span.start);
                    print(&format!(
                        "{}:{}:{}: {}[{}] {}\n",
                        input.path.display(),
                        at.line,
                        at.column,
                        f.severity.name(),
                        f.rule.name,
                        f.message
                    ));
                }
                if model.has_errors() {
                    code = code.max(exit::FINDINGS);
                }
            }
            Err(error) => {
                complain(&error.to_string());
                code = exit::BROKEN;
            }
        }
    }
    code
}
