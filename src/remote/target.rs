//! The URL and the credentials of a request. URLs must be encrypted or local, and a redirect to another host gets no
//! credentials.

use super::address::split;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::fmt;
use std::io::{Error, ErrorKind, Result};
use std::net::Ipv4Addr;
use ureq::http::Uri;
use ureq::http::uri::Authority;

/// The characters that are percent-encoded in a URL. `%` is not among them, so that encoded ones stay.
const ODD: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');

/// A URL to request, with credentials.
#[derive(Clone, PartialEq)]
pub(super) struct Target {
    /// Includes `user:password@`, if given.
    pub(super) uri: Uri,
    /// A bearer token for its host.
    pub(super) bearer: Option<String>,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({}{})", self.host(), self.uri.path())
    }
}

impl Target {
    /// Creates the target of a URL; an error if it is neither encrypted nor local.
    pub(super) fn new(url: &str, bearer: Option<String>) -> Result<Self> {
        let target = Self { bearer, ..Self::unprotected(url)? };
        match target.uri.scheme_str() {
            Some("https") => Ok(target),
            Some("http") if target.is_local() => Ok(target),
            _ => Err(Error::new(
                ErrorKind::Unsupported,
                "http:// is not encrypted and is accepted only for localhost; use https://",
            )),
        }
    }

    /// Creates the target of any URL, encrypted or not.
    pub(super) fn unprotected(url: &str) -> Result<Self> {
        let uri: Uri = utf8_percent_encode(url, ODD).to_string().parse().map_err(|_| not_a_url())?;
        let target = Self { uri, bearer: None };
        if target.host().is_empty() { Err(not_a_url()) } else { Ok(target) }
    }

    pub(super) fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// Whether the host is this machine.
    pub(super) fn is_local(&self) -> bool {
        let host = self.host();
        let is_loopback = host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback());
        is_loopback || matches!(host, "localhost" | "[::1]")
    }

    /// Returns the target of a redirect, without the credentials if host, port or scheme differ.
    pub(super) fn redirected(&self, location: &str) -> Result<Self> {
        let scheme = self.uri.scheme_str().unwrap_or_default();
        let authority = self.uri.authority().map(Authority::as_str).unwrap_or_default();
        let folder = self.uri.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        let url = match location {
            other if split(other).is_some() => other.to_owned(),
            other if other.starts_with("//") => format!("{scheme}:{other}"),
            root if root.starts_with('/') => format!("{scheme}://{authority}{root}"),
            beside => format!("{scheme}://{authority}{folder}/{beside}"),
        };
        let next = Self::new(&url, None)?;
        if scheme == "https" && next.uri.scheme_str() != Some("https") {
            return Err(Error::new(ErrorKind::Unsupported, "the server redirects to a URL that is not encrypted"));
        }
        let origin = |uri: &Uri| (uri.scheme_str().map(str::to_owned), uri.host().map(str::to_owned), uri.port_u16());
        if origin(&next.uri) != origin(&self.uri) {
            return Ok(next);
        }
        let path = next.uri.path_and_query().map_or("/", |path| path.as_str());
        Self::new(&format!("{scheme}://{authority}{path}"), self.bearer.clone())
    }
}

pub(super) fn not_a_url() -> Error {
    Error::new(ErrorKind::InvalidInput, "this is not a URL of a file")
}
