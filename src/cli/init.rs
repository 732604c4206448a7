//! `ovlint init`: looks at the models of a folder and writes a configuration for them.

use super::files::ModelFileArgs;
use super::{Run, answer, shown};
use clap::Args;
use ovlint::internal::atomic;
use ovlint::internal::atomic::Existing;
use ovlint::internal::ir::{ForeignFormat, Weights, WeightsOption};
use ovlint::internal::limits::Limits;
use ovlint::internal::policy::TEMPLATE;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct InitArgs {
    /// Folder to write to
    #[arg(default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn run(args: &InitArgs) -> Run {
    let path = if args.folder.as_os_str() == "." { "ovlint.toml".into() } else { args.folder.join("ovlint.toml") };
    let files = ModelFileArgs::default();
    let (models, _) = files.models(std::slice::from_ref(&args.folder), Limits::default())?;
    // An existing file is never overwritten, not even one that is created in the meantime.
    atomic::write(&path, Existing::Keep, template(&models).as_bytes())
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(answer(&format!("wrote {}\n", shown(&path))))
}

/// Returns the template, with the settings that fit the models in force and the reason of each above it.
fn template(models: &[PathBuf]) -> String {
    let (mut missing, mut pointers) = (0, 0);
    for model in models {
        let weights = Weights::open(model, &WeightsOption::Auto, None, &Limits::default());
        missing += usize::from(!weights.is_available());
        pointers += usize::from(weights.foreign_format() == Some(ForeignFormat::LfsPointer));
    }
    let mut text = TEMPLATE.to_owned();
    if missing + pointers > 0 {
        let all = models.len();
        let reason = format!(
            "# Models found here: {all}; without weights: {missing}, with a Git LFS pointer instead: {pointers}\n"
        );
        text = text.replace("# assume = true\n", &format!("{reason}assume = true\n"));
    }
    let is_tokenizer =
        |model: &&PathBuf| model.file_stem().unwrap_or_default().to_string_lossy().ends_with("tokenizer");
    if let Some(first) = models.iter().find(is_tokenizer) {
        let path = shown(first.strip_prefix(".").unwrap_or(first));
        let entry = format!(
            "\n# Tokenizers such as {path} need the library openvino_tokenizers.\n\
             [[per-file]]\nfiles = \"**/*tokenizer.xml\"\nallow-extensions = [\"openvino_tokenizers\"]\n"
        );
        text.push_str(&entry);
    }
    text
}
