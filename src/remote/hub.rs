//! Models on the Hugging Face hub: `hf://org/model@revision/folder/model.xml`.
//!
//! `HF_ENDPOINT` stands for another hub, `HF_TOKEN` proves who asks; it is sent to the hub only, and to no host that it
//! redirects to.

use super::http::Client;
use super::listing::Listing;
use super::target::Target;
use crate::limits::Limits;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use std::env;
use std::io::{Error, ErrorKind, Result};

const HUB: &str = "https://huggingface.co";

/// A repository, and a file or a folder in it.
#[derive(Debug, PartialEq, Eq)]
struct Place<'a> {
    /// `org/model`.
    repository: String,
    /// A branch, a tag or a commit, as it is in a URL.
    revision: &'a str,
    path: &'a str,
}

/// What the hub says of a repository.
#[derive(Deserialize)]
struct Answer {
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
}

impl<'a> Place<'a> {
    /// The place that follows `hf://`.
    fn of(rest: &'a str) -> Result<Self> {
        let wanted =
            || Error::new(ErrorKind::InvalidInput, "wanted hf://org/model, hf://org/model@revision or a file below");
        let (organisation, rest) = rest.split_once('/').ok_or_else(wanted)?;
        let (model, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (model, revision) = model.split_once('@').unwrap_or((model, "main"));
        if [organisation, model, revision].contains(&"") {
            return Err(wanted());
        }
        // A name that the hub lists must not lead to another repository or to the rest of the server.
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

    /// The name of a file of the repository, after `hf://`.
    fn name(&self, file: &str) -> String {
        let revision = if self.revision == "main" { String::new() } else { format!("@{}", self.revision) };
        format!("{}{revision}/{file}", self.repository)
    }
}

/// What to ask for, for a file.
pub(super) fn target(rest: &str) -> Result<Target> {
    let place = Place::of(rest)?;
    if place.path.is_empty() {
        let message = format!("it is a repository, wanted a model in it such as hf://{}", place.name("model.xml"));
        return Err(Error::new(ErrorKind::IsADirectory, message));
    }
    let segments: Vec<String> = place.path.split('/').map(encoded).collect();
    on_the_hub(&format!("{}/resolve/{}/{}", place.repository, place.revision, segments.join("/")))
}

/// The names of all files below a place, after `hf://`.
pub(super) fn names(rest: &str, limits: &Limits) -> Result<Listing> {
    let place = Place::of(rest)?;
    let target = on_the_hub(&format!("api/models/{}/revision/{}", place.repository, place.revision))?;
    let mut listing = Listing::new(limits);
    let json = Client::new(target, limits).read(listing.answer()).map_err(|error| listing.refusal(error))?;
    let wrong = |error| Error::new(ErrorKind::InvalidData, format!("the hub does not list files: {error}"));
    let answer: Answer = serde_json::from_slice(&json).map_err(wrong)?;
    drop(json);
    let folder = place.path.trim_end_matches('/');
    let is_below =
        |file: &String| folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let files = answer.siblings.into_iter().map(|sibling| sibling.rfilename);
    for file in files.filter(is_below) {
        listing.add(place.name(&file), false)?;
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
        let place =
            |rest| Place::of(rest).map(|place| (place.repository, place.revision.to_owned(), place.path.to_owned()));
        let found = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(place("org/model").ok(), found("org/model", "main", ""));
        assert_eq!(place("org/model@v1").ok(), found("org/model", "v1", ""));
        assert_eq!(place("org/model@v1/a/m.xml").ok(), found("org/model", "v1", "a/m.xml"));
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
            assert!(place(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Place::of("org/model@v1").unwrap().name("m.xml"), "org/model@v1/m.xml");
        assert_eq!(Place::of("org/model").unwrap().name("m.xml"), "org/model/m.xml");
    }
}
