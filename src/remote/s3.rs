//! Models in S3 buckets: `s3://bucket/folder/model.xml`, or all below a prefix.
//!
//! Credentials, region and endpoint come from the environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL` and so on) or from the
//! machine. The crate `object_store` provides only credentials and signed URLs, which are then read like any other URL.

use super::http::{AGENT, Client};
use super::listing::Listing;
use super::target::{Target, not_a_url};
use crate::limits::Limits;
use async_trait::async_trait;
use object_store::RetryConfig;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use object_store::path::Path;
use object_store::signer::{Method, SignedUrlOptions, Signer};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::env;
use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

/// The lifetime of a signed URL.
const GOOD_FOR: Duration = Duration::from_secs(3600);

/// The maximum size in bytes of a response with credentials.
const CREDENTIALS: u64 = 1 << 20;

/// The maximum size in bytes of a continuation token, which identifies the next page of a listing.
const TOKEN: usize = 4096;

/// A bucket with credentials.
struct Bucket(AmazonS3);

/// The response to a list request. Other XML is an error.
#[derive(Deserialize)]
enum Answer {
    ListBucketResult(Page),
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    #[serde(default)]
    contents: Vec<Object>,
    #[serde(default)]
    is_truncated: bool,
    next_continuation_token: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Object {
    key: String,
}

impl Bucket {
    fn open(name: &str, limits: &Limits) -> Result<Self> {
        let timeout = Duration::from_secs(limits.silence.max(1));
        let retry = RetryConfig { max_retries: 3, retry_timeout: timeout, ..RetryConfig::default() };
        let builder = AmazonS3Builder::from_env().with_bucket_name(name).with_retry(retry);
        // The scheme is checked when a request is sent.
        let store = builder.with_allow_http(true).with_http_connector(Connector { timeout }).build();
        // Errors of `object_store` are replaced, here and below, because their messages contain URLs.
        let message =
            "the settings of S3 cannot be used; look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL";
        store.map(Self).map_err(|_| Error::new(ErrorKind::InvalidInput, message))
    }

    /// Signs the URL of an object, or of a query to the bucket.
    fn signed(&self, key: &Path, query: &[(&str, &str)]) -> Result<Target> {
        let options = SignedUrlOptions::new().with_query(query.iter().copied());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let url = runtime.block_on(self.0.signed_url_opts(Method::GET, key, GOOD_FOR, &options)).map_err(|_| {
            let message = "there are no credentials to sign with; are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY set?";
            Error::new(ErrorKind::PermissionDenied, message)
        })?;
        // As in `object_store`.
        let allows_http = env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        if allows_http { Target::unprotected(url.as_str()) } else { Target::new(url.as_str(), None) }
    }
}

/// Returns the request for an object.
pub(super) fn target(rest: &str) -> Result<Target> {
    let (bucket, key) = rest.split_once('/').ok_or_else(not_a_url)?;
    let odd = || Error::new(ErrorKind::InvalidInput, "this is not the name of an object");
    Bucket::open(bucket, &Limits::default())?.signed(&path(key).ok_or_else(odd)?, &[])
}

/// Returns the path of an object; `None` if its URL would lead to another path, as for `a//b`.
fn path(key: &str) -> Option<Path> {
    Path::parse(key).ok().filter(|path| !key.is_empty() && path.as_ref() == key)
}

/// Lists all objects below a prefix, without `s3://`.
pub(super) fn names(rest: &str, limits: &Limits) -> Result<Listing> {
    let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.trim_end_matches('/');
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    let bucket = Bucket::open(name, limits)?;
    let page = |query: &[(&str, &str)]| bucket.signed(&Path::default(), query);
    let first = [("list-type", "2"), ("prefix", prefix.as_str())];
    let mut client = Client::new(page(&first)?, limits);
    let (mut listing, mut tokens) = (Listing::new(limits), BTreeSet::new());
    loop {
        let Page { contents, is_truncated, next_continuation_token } = read(&client, &listing)?;
        for Object { key } in contents {
            let is_odd = path(&key).is_none();
            listing.add(format!("{name}/{key}"), is_odd)?;
        }
        let Some(token) = next_continuation_token.filter(|token| !token.is_empty()) else {
            let cut = || Error::other("the server cuts its list, and does not say how it goes on");
            return if is_truncated { Err(cut()) } else { Ok(listing) };
        };
        if tokens.contains(&token) {
            return Err(Error::other("the list of the server leads back to a page that was read"));
        }
        if token.len() > TOKEN {
            let message = format!("the next page has a token of {} bytes, wanted at most {TOKEN}", token.len());
            return Err(Error::other(message));
        }
        listing.keep(&token)?;
        client.switch_to(page(&[&first[..], &[("continuation-token", token.as_str())]].concat())?);
        tokens.insert(token);
    }
}

fn read(client: &Client, listing: &Listing) -> Result<Page> {
    let xml = client.read(listing.answer()).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::new(ErrorKind::NotFound, "there is no such bucket (404)"),
        _ => listing.refusal(error),
    })?;
    let wrong = || Error::new(ErrorKind::InvalidData, "the server does not answer with a list of objects");
    let Answer::ListBucketResult(page) = quick_xml::de::from_reader(&*xml).map_err(|_: quick_xml::DeError| wrong())?;
    Ok(page)
}

/// Sends credential requests of `object_store` over the shared connections.
#[derive(Debug, Clone)]
struct Connector {
    timeout: Duration,
}
impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Connector {
    async fn call(&self, request: HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        let failed = |error: ureq::Error| HttpError::new(HttpErrorKind::Request, error);
        let (parts, body) = request.into_parts();
        let body = body.as_bytes().map(|bytes| bytes.to_vec()).unwrap_or_default();
        let request = AGENT.configure_request(ureq::http::Request::from_parts(parts, body));
        let request = request.timeout_global(Some(self.timeout)).allow_non_standard_methods(true).build();
        let (parts, mut body) = AGENT.run(request).map_err(failed)?.into_parts();
        let bytes = body.with_config().limit(CREDENTIALS).read_to_vec().map_err(failed)?;
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::from(bytes)))
    }
}
