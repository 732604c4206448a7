//! HTTP requests with time-outs and retries; a response is complete or an error.

use super::JOBS;
use super::target::Target;
use crate::limits::Limits;
use std::io::{Error, ErrorKind, Read, Result};
use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};
use ureq::http::{HeaderMap, Response, StatusCode, header};
use ureq::{Agent, Body, Timeout};

/// The maximum number of parallel requests for one file.
pub(super) const CONNECTIONS: usize = 8;

/// The maximum number of redirects per request.
const REDIRECTS: usize = 5;

/// The maximum number of attempts per request.
const TRIES: u32 = 4;

/// The pause before the second attempt; it doubles for each further one.
const PAUSE: Duration = Duration::from_millis(200);

/// The maximum total time for a file, as a multiple of the time-out.
const PATIENCE: u32 = 20;

/// The connection pool of the process.
pub(super) static AGENT: LazyLock<Agent> = LazyLock::new(|| {
    let config = Agent::config_builder()
        .max_redirects(0) // `Client::follow` does this, without sending credentials to other hosts.
        .http_status_as_error(false)
        .max_idle_connections_per_host(JOBS)
        .user_agent(concat!("ovlint/", env!("CARGO_PKG_VERSION")));
    config.build().into()
});

/// A client for one file.
#[derive(Debug)]
pub(super) struct Client {
    target: Target,
    /// The target after the redirects of the last request.
    moved: Mutex<Option<Target>>,
    timeout: Duration,
    deadline: Instant,
}

/// A complete response.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Reply {
    pub(super) fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// The error of a request, and the minimum pause before a retry; `None` if a retry is futile.
struct Failure {
    error: Error,
    wait: Option<Duration>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, wait: None }
    }
}

impl Client {
    pub(super) fn new(target: Target, limits: &Limits) -> Self {
        let timeout = Duration::from_secs(limits.silence.max(1));
        Self { target, moved: Mutex::default(), timeout, deadline: Instant::now() + timeout * PATIENCE }
    }

    /// Switches to another file; the total time does not start anew.
    #[cfg(feature = "s3")]
    pub(super) fn switch_to(&mut self, target: Target) {
        (self.target, self.moved) = (target, Mutex::default());
    }

    /// Reads the whole file; an error if it has more than `most` bytes.
    pub(super) fn read(&self, most: u64) -> Result<Vec<u8>> {
        Ok(self.get(None, most)?.body)
    }

    /// Requests the file or a range, with retries. Returns a response with status 200 or, for a range, also 206 or 416. A
    /// response of more than `most` bytes is an error.
    pub(super) fn get(&self, range: Option<&Range<u64>>, most: u64) -> Result<Reply> {
        let mut pause = PAUSE;
        for tries in 1.. {
            let Failure { error, wait } = match self.follow(range, most) {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            let Some(wait) = wait.filter(|wait| tries < TRIES && *wait <= self.timeout) else {
                let times = if tries > 1 { format!(" ({tries} times)") } else { String::new() };
                return Err(Error::new(error.kind(), format!("{error}{times}")));
            };
            std::thread::sleep(wait.max(pause));
            pause *= 2;
        }
        Err(Error::other("the request was never sent"))
    }

    /// Sends one request, and follows redirects.
    fn follow(&self, range: Option<&Range<u64>>, most: u64) -> std::result::Result<Reply, Failure> {
        let moved = || self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        let known = moved().clone();
        let (mut is_known, mut target) = (known.is_some(), known.unwrap_or_else(|| self.target.clone()));
        for _ in 0..=REDIRECTS {
            let response = self.ask(&target, range)?;
            let status = response.status();
            if status.is_client_error() && is_known {
                // The target of a former redirect may be a signed URL that has expired, so start again.
                (is_known, target) = (false, self.target.clone());
                continue;
            }
            if !status.is_redirection() {
                let reply = self.receive(response, range.is_some(), most)?;
                *moved() = Some(target);
                return Ok(reply);
            }
            let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
            let nowhere = || Error::other(format!("the server answers {} and not where to", status.as_u16()));
            target = target.redirected(location.ok_or_else(nowhere)?)?;
        }
        Err(Error::other(format!("the server redirects more than {REDIRECTS} times")).into())
    }

    fn ask(&self, target: &Target, range: Option<&Range<u64>>) -> std::result::Result<Response<Body>, Failure> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.failure(&ureq::Error::Timeout(Timeout::Global)));
        }
        let mut request = AGENT.get(&target.uri).header(header::ACCEPT_ENCODING, "identity");
        if let Some(token) = &target.bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(range) = range {
            request = request.header(header::RANGE, format!("bytes={}-{}", range.start, range.end.saturating_sub(1)));
        }
        let config = request
            .config()
            .timeout_connect(Some(self.timeout))
            .timeout_recv_response(Some(self.timeout))
            .timeout_per_read(Some(self.timeout))
            .timeout_global(Some(left));
        let config = if target.is_local() { config.proxy(None) } else { config };
        config.build().call().map_err(|error| self.failure(&error))
    }

    /// Reads a complete response, and checks it. `may_be_part` is set if a range was requested.
    fn receive(&self, response: Response<Body>, may_be_part: bool, most: u64) -> std::result::Result<Reply, Failure> {
        let (parts, body) = response.into_parts();
        let (status, headers) = (parts.status, parts.headers);
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let code = status.as_u16();
        if code != 200 && !(may_be_part && matches!(code, 206 | 416)) {
            return Err(refusal(status, text(header::RETRY_AFTER)));
        }
        if let Some(encoding) = text(header::CONTENT_ENCODING).filter(|encoding| *encoding != "identity") {
            return Err(Error::other(format!(
                "the server sends it compressed ({encoding}), wanted the bytes of the file"
            ))
            .into());
        }
        let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        if length.is_none() && text(header::TRANSFER_ENCODING).is_none() {
            return Err(Error::other("the server does not say how long its answer is").into());
        }
        let too_long = |message: String| Error::new(ErrorKind::FileTooLarge, message);
        if let Some(length) = length.filter(|length| *length > most) {
            return Err(too_long(format!("it has {length} bytes, wanted at most {most}")).into());
        }
        let mut bytes = Vec::new();
        let mut reader = body.into_reader().take(most.saturating_add(1));
        reader.read_to_end(&mut bytes).map_err(|error| self.failure(&error.into()))?;
        let found = bytes.len() as u64;
        if found > most {
            return Err(too_long(format!("it has more than {most} bytes")).into());
        }
        if length.is_some_and(|length| length != found) {
            let message = format!("the connection ends after {found} of {} bytes", length.unwrap_or_default());
            return Err(Failure { error: Error::new(ErrorKind::UnexpectedEof, message), wait: Some(Duration::ZERO) });
        }
        let whole = format!("bytes 0-{}/{found}", found.saturating_sub(1));
        if let Some(part) = text(header::CONTENT_RANGE).filter(|part| code == 200 && *part != whole) {
            let message = format!("the server sends a part as the whole file: `Content-Range: {part}`");
            return Err(Error::other(message).into());
        }
        Ok(Reply { status, headers, body: bytes })
    }

    /// Describes the error of a request without its text, which may contain URLs with credentials.
    fn failure(&self, error: &ureq::Error) -> Failure {
        let seconds = self.timeout.as_secs();
        let (kind, message, is_passing) = match error {
            ureq::Error::Timeout(Timeout::Global) => {
                let seconds = (self.timeout * PATIENCE).as_secs();
                let message = format!(
                    "the server needs more than {seconds} s in all; --timeout {} allows more",
                    self.timeout.as_secs() * 2
                );
                (ErrorKind::TimedOut, message, false)
            }
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                (ErrorKind::TimedOut, format!("there is no connection after {seconds} s"), false)
            }
            ureq::Error::Timeout(_) => (ErrorKind::TimedOut, format!("the server was silent for {seconds} s"), false),
            ureq::Error::HostNotFound => (ErrorKind::Other, "there is no such host".to_owned(), false),
            ureq::Error::Io(error) => (error.kind(), format!("the connection fails: {error}"), true),
            ureq::Error::ConnectionFailed => (ErrorKind::Other, "the connection fails".to_owned(), true),
            ureq::Error::Protocol(_) => (ErrorKind::Other, "the server does not answer in HTTP".to_owned(), false),
            ureq::Error::Rustls(error) => (ErrorKind::Other, format!("the connection is not secure: {error}"), false),
            ureq::Error::Tls(error) => (ErrorKind::Other, format!("the connection is not secure: {error}"), false),
            ureq::Error::ConnectProxyFailed(_) | ureq::Error::InvalidProxyUrl => {
                (ErrorKind::Other, "the proxy does not connect".to_owned(), false)
            }
            _ => (ErrorKind::Other, "the request fails".to_owned(), false),
        };
        Failure { error: Error::new(kind, message), wait: is_passing.then_some(Duration::ZERO) }
    }
}

fn refusal(status: StatusCode, retry_after: Option<&str>) -> Failure {
    let code = status.as_u16();
    let (kind, message) = match code {
        206 => (ErrorKind::Other, "the server sends a part, wanted the whole file (206)".to_owned()),
        401 => (ErrorKind::PermissionDenied, "the server wants credentials (401)".to_owned()),
        403 => (ErrorKind::PermissionDenied, "the server denies access (403)".to_owned()),
        404 | 410 => (ErrorKind::NotFound, format!("the server has no such file ({code})")),
        _ => (ErrorKind::Other, format!("the server answers {code}")),
    };
    let is_passing = matches!(code, 408 | 429 | 500 | 502 | 503 | 504);
    let wait = retry_after.and_then(|seconds| seconds.trim().parse().ok()).map_or(Duration::ZERO, Duration::from_secs);
    let later = if is_passing && !wait.is_zero() {
        format!(", and to ask again in {} s", wait.as_secs())
    } else {
        String::new()
    };
    Failure { error: Error::new(kind, message + &later), wait: is_passing.then_some(wait) }
}
