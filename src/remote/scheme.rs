//! The request for a remote file, or the listing of a remote folder, by the scheme of its name: `https`, `hf` or `s3`.

use super::address::{split, with_secrets};
use super::listing::Listing;
use super::target::{Target, not_a_url};
use super::{Below, Listed, hub};
use crate::arrange::Fill;
use crate::limits::Limits;
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

pub(super) fn target(path: &Path) -> Result<Target> {
    let name = path.to_str().ok_or_else(not_a_url)?;
    match split(name).ok_or_else(not_a_url)? {
        ("https" | "http", _) => Target::new(&with_secrets(name), None),
        ("hf", rest) => hub::target(rest),
        #[cfg(feature = "s3")]
        ("s3", rest) => super::s3::target(rest),
        (scheme, _) => Err(unsupported(scheme)),
    }
}

fn unsupported(scheme: &str) -> Error {
    let message = match scheme {
        "s3" => "this build of ovlint cannot read s3://; build it with `--features s3`".to_owned(),
        _ => format!("{scheme}:// is not supported; use https://, hf:// or s3://"),
    };
    Error::new(ErrorKind::Unsupported, message)
}

/// Lists the models below a name; `None` if it names a file, or if its scheme lists no folders.
pub(super) fn listed(path: &Path, limits: &Limits) -> Result<Option<Below>> {
    let name = path.to_str().ok_or_else(not_a_url)?;
    let (scheme, rest) = split(name).ok_or_else(not_a_url)?;
    let is_folder = rest.ends_with('/') || path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("xml"));
    let Listing { names, odd, .. } = match scheme {
        "hf" if is_folder => hub::names(rest, limits)?,
        #[cfg(feature = "s3")]
        "s3" if is_folder => super::s3::names(rest, limits)?,
        _ => return Ok(None),
    };
    let url = |name: &String| format!("{scheme}://{name}");
    let all: BTreeSet<String> = names.iter().map(url).into_set();
    let model = |name: &String| {
        let weights = format!("{}.bin", name.strip_suffix(".xml")?);
        Some(Listed { path: name.into(), has_weights: all.contains(&weights) })
    };
    let models = all.iter().filter_map(model).collect();
    Ok(Some(Below { models, odd: odd.iter().map(url).collect(), names: all }))
}
