//! Names of remote files: URLs without their credentials, safe for display.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The credentials removed from a name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Secret {
    /// `user:password`.
    user: Option<String>,
    /// The query after the `?`, which may be a signature.
    query: Option<String>,
}

/// The credentials removed from URLs in this process, by the name that remains, which can be printed.
static SECRETS: Mutex<BTreeMap<String, Secret>> = Mutex::new(BTreeMap::new());

fn secrets() -> MutexGuard<'static, BTreeMap<String, Secret>> {
    SECRETS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Splits a URL into scheme and rest, at `://`.
pub(super) fn split(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some((scheme, rest))
}

/// Whether a path is a URL.
pub fn is_remote(path: &Path) -> bool {
    path.to_str().and_then(split).is_some()
}

/// Removes the credentials from a URL, for all output, and keeps them for requests:
/// `https://user:password@host/m.xml?signature` becomes `https://host/m.xml`. Of URLs with another scheme than HTTP, only the
/// scheme changes, to lower case. Other texts stay as they are.
pub fn named(text: &str) -> String {
    let Some((scheme, rest)) = split(text) else { return text.to_owned() };
    let scheme = scheme.to_ascii_lowercase();
    if !scheme.starts_with("http") {
        return format!("{scheme}://{rest}");
    }
    if secrets().contains_key(text) {
        return text.to_owned(); // The text is already a name without credentials.
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query.to_owned())),
        None => (rest, None),
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user.to_owned()), host),
        None => (None, authority),
    };
    let name = format!("{scheme}://{host}{path}");
    if user.is_none() && query.is_none() {
        return name;
    }
    let secret = Secret { user, query };
    let mut secrets = secrets();
    // URLs that differ only in their credentials need different names, so `#2`, `#3` and so on is appended.
    let names = std::iter::once(name.clone()).chain((2_u32..).map(|number| format!("{name}#{number}")));
    let free = |name: &String| secrets.get(name).is_none_or(|known| *known == secret);
    let name = names.into_iter().find(free).unwrap_or(name);
    secrets.insert(name.clone(), secret);
    name
}

/// Removes the credentials from a path that is a URL: see [`named`].
pub(crate) fn named_path(path: &Path) -> PathBuf {
    path.to_str().map_or_else(|| path.to_owned(), |text| named(text).into())
}

/// Returns the URL of a name, with its credentials. Weights without their own credentials use those of the model.
#[cfg(any(feature = "remote", test))]
pub(super) fn with_secrets(name: &str) -> String {
    let secrets = secrets();
    let beside = || secrets.get(Path::new(name).with_extension("xml").to_str()?);
    let secret = secrets.get(name).or_else(beside);
    let url = name.split('#').next().unwrap_or_default();
    let (Some(Secret { user, query }), Some((scheme, rest))) = (secret, split(url)) else { return url.to_owned() };
    let user = user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
    let query = query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{scheme}://{user}{rest}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_no_credentials() {
        let url = "https://me:pa@ss@a.example/x/m.xml?X-Amz-Signature=abc#top";
        assert_eq!(named(url), "https://a.example/x/m.xml");
        assert_eq!(with_secrets("https://a.example/x/m.xml"), "https://me:pa@ss@a.example/x/m.xml?X-Amz-Signature=abc");
        let beside = Path::new("https://a.example/x/m.xml").with_extension("bin");
        assert_eq!(with_secrets(beside.to_str().unwrap()), "https://me:pa@ss@a.example/x/m.bin?X-Amz-Signature=abc");
        assert_eq!(with_secrets("https://a.example/x/other.bin"), "https://a.example/x/other.bin");
    }

    #[test]
    fn files_that_differ_have_names_that_differ() {
        let names = ["1", "2", "1"].map(|id| named(&format!("https://b.example/get?id={id}")));
        assert_eq!(names, ["https://b.example/get", "https://b.example/get#2", "https://b.example/get"]);
        assert_eq!(with_secrets(&names[1]), "https://b.example/get?id=2");
        assert_eq!(names.each_ref().map(|name| named(name)), names);
    }

    #[test]
    fn paths_are_no_urls() {
        for path in ["model.xml", "a/b", "C:\\m.xml", "/a://b", "./https://x", "://x", ""] {
            assert!(!is_remote(Path::new(path)), "{path}");
            assert_eq!(named(path), path);
        }
        for url in ["HTTPS://a.example/m.xml", "hf://org/model@main/m.xml", "s3://bucket/a?b", "gs://x/y"] {
            assert!(is_remote(Path::new(url)), "{url}");
        }
        assert_eq!(named("HF://org/model@1?x"), "hf://org/model@1?x");
    }
}
