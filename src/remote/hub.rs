//! Models on the Hugging Face hub: `hf://org/model@revision/folder/model.xml`.
//!
//! `HF_ENDPOINT` selects another hub. `HF_TOKEN` is sent only to the hub, not to hosts that it redirects to.

use super::http::Client;
use super::listing::Listing;
use super::target::Target;
use crate::limits::Limits;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use std::env;
use std::io::{Error, ErrorKind, Result};

const HUB: &str = "https://huggingface.co";

/// A repository, and a file or folder in it.
#[derive(Debug, PartialEq, Eq)]
struct Location<'a> {
    /// `org/model`.
    repository: String,
    /// A branch, tag or commit, as in a URL.
    revision: &'a str,
    path: &'a str,
}

/// The hub's description of a repository.
#[derive(Deserialize)]
struct Answer {
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
}

impl<'a> Location<'a> {
    /// Parses the part after `hf://`.
    fn of(rest: &'a str) -> Result<Self> {
        let wanted =
            || Error::new(ErrorKind::InvalidInput, "wanted hf://org/model, hf://org/model@revision or a file below");
        let (organisation, rest) = rest.split_once('/').ok_or_else(wanted)?;
        let (model, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (model, revision) = model.split_once('@').unwrap_or((model, "main"));
        if [organisation, model, revision].contains(&"") {
            return Err(wanted());
        }
        // A name from a listing must not lead to another repository, or elsewhere on the server.
        let mut steps = [organisation, model, revision].into_iter().chain(path.trim_end_matches('/').split('/'));
        if steps.any(|step| matches!(step, "." | ".."))
            || path.trim_end_matches('/').contains("//")
            || path.starts_with('/')
        {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "its name leads out of its folder, with `.`, `..` or `//`",
            ));
        }
        Ok(Self { repository: format!("{organisation}/{model}"), revision, path })
    }

    /// Returns the name of a file of the repository, without `hf://`.
    fn name(&self, file: &str) -> String {
        let revision = if self.revision == "main" { String::new() } else { format!("@{}", self.revision) };
        format!("{}{revision}/{file}", self.repository)
    }
}

/// Returns the request for a file.
pub(super) fn target(rest: &str) -> Result<Target> {
    let location = Location::of(rest)?;
    if location.path.is_empty() {
        let message = format!("it is a repository, wanted a model in it such as hf://{}", location.name("model.xml"));
        return Err(Error::new(ErrorKind::IsADirectory, message));
    }
    let segments: Vec<String> = location.path.split('/').map(encoded).collect();
    on_the_hub(&format!("{}/resolve/{}/{}", location.repository, location.revision, segments.join("/")))
}

/// Lists all files below a name, without `hf://`.
pub(super) fn names(rest: &str, limits: &Limits) -> Result<Listing> {
    let location = Location::of(rest)?;
    let target = on_the_hub(&format!("api/models/{}/revision/{}", location.repository, location.revision))?;
    let mut listing = Listing::new(limits);
    let json = Client::new(target, limits).read(listing.answer()).map_err(|error| listing.refusal(error))?;
    let wrong = |error| Error::new(ErrorKind::InvalidData, format!("the hub does not list files: {error}"));
    let answer: Answer = serde_json::from_slice(&json).map_err(wrong)?;
    drop(json);
    let folder = location.path.trim_end_matches('/');
    let is_below =
        |file: &String| folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let files = answer.siblings.into_iter().map(|sibling| sibling.rfilename);
    for file in files.filter(is_below) {
        listing.add(location.name(&file), false)?;
    }
    Ok(listing)
}

fn on_the_hub(path: &str) -> Result<Target> {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let hub = set("HF_ENDPOINT").unwrap_or_else(|| HUB.to_owned());
    Target::new(&format!("{}/{path}", hub.trim_end_matches('/')), set("HF_TOKEN"))
}

fn encoded(segment: &str) -> String {
    const ODD: &percent_encoding::AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(segment, ODD).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_a_revision() {
        let location = |rest| {
            Location::of(rest)
                .map(|location| (location.repository, location.revision.to_owned(), location.path.to_owned()))
        };
        let found = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(location("org/model").ok(), found("org/model", "main", ""));
        assert_eq!(location("org/model@v1").ok(), found("org/model", "v1", ""));
        assert_eq!(location("org/model@v1/a/m.xml").ok(), found("org/model", "v1", "a/m.xml"));
        for wrong in [
            "",
            "org",
            "org/",
            "/model",
            "org/model@",
            "../model",
            "org/..",
            "org/model@..",
            "org/model/../m.xml",
            "org/model/a/../../m.xml",
            "org/model/./m.xml",
            "org/model//m.xml",
            "org/model/a//m.xml",
        ] {
            assert!(location(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Location::of("org/model@v1").unwrap().name("m.xml"), "org/model@v1/m.xml");
        assert_eq!(Location::of("org/model").unwrap().name("m.xml"), "org/model/m.xml");
    }
}
