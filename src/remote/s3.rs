//! Models in buckets of S3: `s3://bucket/folder/model.xml`, or all below a prefix.
//!
//! The credentials, the region and the endpoint are those of the environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL` and so on)
//! or of the machine. A file is read by a signed URL like any other; only lists and credentials are `object_store`'s.

use super::http::AGENT;
use super::target::{Target, not_a_url};
use crate::limits::{Limits, OBJECTS};
use async_trait::async_trait;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use object_store::path::Path;
use object_store::signer::{Method, Signer};
use object_store::{ObjectStore, RetryConfig};
use std::env;
use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

/// How long a signed URL is good for.
const GOOD_FOR: Duration = Duration::from_secs(3600);

/// What to ask for, for an object.
pub(super) fn target(rest: &str) -> Result<Target> {
    let (bucket, key) = rest.split_once('/').ok_or_else(not_a_url)?;
    let signed =
        wait(async { store(bucket, &Limits::default())?.signed_url(Method::GET, &path(key)?, GOOD_FOR).await })?;
    // As for object_store.
    let allows_http = env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
    if allows_http { Target::unprotected(signed.as_str()) } else { Target::new(signed.as_str(), None) }
}

/// The names of all objects below a prefix, after `s3://`.
pub(super) fn names(rest: &str, limits: &Limits) -> Result<Vec<String>> {
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    target(&format!("{bucket}/-"))?; // What may be sent there is the same for a list.
    let mut names = Vec::new();
    wait(async {
        let store = store(bucket, limits)?;
        let mut objects = store.list(Some(&path(prefix)?));
        while let Some(object) = objects.try_next().await? {
            names.push(format!("{bucket}/{}", object.location));
            if names.len() > OBJECTS {
                break;
            }
        }
        Ok(())
    })?;
    if names.len() > OBJECTS {
        return Err(Error::other(format!("more than {OBJECTS} objects are below it, wanted a longer prefix")));
    }
    Ok(names)
}

fn path(key: &str) -> object_store::Result<Path> {
    Ok(Path::parse(key.trim_end_matches('/'))?)
}

fn store(bucket: &str, limits: &Limits) -> object_store::Result<AmazonS3> {
    let timeout = Duration::from_secs(limits.silence.max(1));
    let retry = RetryConfig { max_retries: 3, retry_timeout: timeout, ..RetryConfig::default() };
    let builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry);
    // What the URL may be is decided when something is sent there.
    builder.with_allow_http(true).with_http_connector(Connector { timeout }).build()
}

/// Waits for what `object_store` does.
fn wait<T>(work: impl Future<Output = object_store::Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(work).map_err(|error| {
        // Its messages hold URLs and what the server says, which may be the parts of a signature.
        let (kind, message) = match error {
            object_store::Error::PermissionDenied { .. } => (ErrorKind::PermissionDenied, "the server denies access"),
            object_store::Error::Unauthenticated { .. } => (ErrorKind::PermissionDenied, "the server wants credentials"),
            object_store::Error::InvalidPath { .. } => (ErrorKind::InvalidInput, "this is not the name of an object"),
            _ => (ErrorKind::Other, "it cannot be listed or signed; is there such a bucket, and are AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION set?"),
        };
        Error::new(kind, message)
    })
}

/// Sends the requests of `object_store` over the connections of all others.
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
        let bytes = body.read_to_vec().map_err(failed)?;
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::from(bytes)))
    }
}
