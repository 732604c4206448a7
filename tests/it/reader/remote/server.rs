//! A server on this machine that answers as a test wants, and writes down what it was asked.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked for.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// With the query.
    pub(super) path: String,
    /// By lower-case names.
    pub(super) headers: BTreeMap<String, String>,
    /// How many requests came before.
    pub(super) place: usize,
}

impl Request {
    pub(super) fn range(&self) -> Option<Range<usize>> {
        let (first, last) = self.headers.get("range")?.strip_prefix("bytes=")?.split_once('-')?;
        Some(first.parse().unwrap()..last.parse::<usize>().unwrap() + 1)
    }
}

/// What is sent back.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
    /// How many bytes are sent, of all that the header promises.
    pub(super) cut: Option<usize>,
    /// Whether the body is sent again and again, in chunks.
    pub(super) is_endless: bool,
    /// How long nothing is sent.
    pub(super) silence: Duration,
}

impl Answer {
    pub(super) fn new(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), cut: None, is_endless: false, silence: Duration::ZERO }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn endless(self, part: impl Into<Vec<u8>>) -> Self {
        Self { is_endless: true, ..self.with("Transfer-Encoding", "chunked").body(part) }
    }

    pub(super) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// A file as a good server sends it: as a whole or a part.
    pub(super) fn file(request: &Request, bytes: &[u8]) -> Self {
        let tagged =
            |status| Self::new(status).with("ETag", "\"1\"").with("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT");
        let size = bytes.len();
        match request.range() {
            Some(range) if range.start >= size => Self::new(416).with("Content-Range", format!("bytes */{size}")),
            Some(Range { start, end }) => {
                let end = end.min(size);
                let range = format!("bytes {start}-{}/{size}", end - 1);
                tagged(206).with("Content-Range", range).body(&bytes[start..end])
            }
            None => tagged(200).body(bytes),
        }
    }
}

/// The server. It runs until the process ends.
pub(super) struct Server {
    address: SocketAddr,
    log: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(super) fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (log, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || serve(&stream, &log, &*answer));
            }
        });
        Self { address, log: kept }
    }

    /// A server of the files of a folder.
    pub(super) fn of(files: impl Into<BTreeMap<&'static str, Vec<u8>>>) -> Self {
        let files = files.into();
        Self::start(move |request| match files.get(request.path.as_str()) {
            Some(bytes) => Answer::file(request, bytes),
            None => Answer::new(404),
        })
    }

    /// The URL of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// `127.0.0.1:8000`.
    pub(super) fn host(&self) -> String {
        self.address.to_string()
    }

    /// What was asked for so far.
    pub(super) fn log(&self) -> Vec<Request> {
        self.log.lock().unwrap().clone()
    }
}

/// Answers the requests of a connection.
fn serve(stream: &TcpStream, log: &Mutex<Vec<Request>>, answer: &dyn Fn(&Request) -> Answer) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let headers = lines.by_ref().take_while(|line| !line.is_empty());
        let headers = headers.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        let headers = headers.collect();
        let request = {
            let mut log = log.lock().unwrap();
            let request = Request { path, headers, place: log.len() };
            log.push(request.clone());
            request
        };
        let Answer { status, headers, body, cut, is_endless, silence } = answer(&request);
        std::thread::sleep(silence);
        let mut text = format!("HTTP/1.1 {status} Status\r\n");
        if !headers.iter().any(|(name, _)| ["Content-Length", "Transfer-Encoding"].contains(name)) {
            let _ = write!(text, "Content-Length: {}\r\n", body.len());
        }
        for (name, value) in headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let mut bytes = (text + "\r\n").into_bytes();
        if is_endless {
            let chunk = [format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n"].concat();
            let mut stream = stream;
            let _ = stream.write_all(&bytes);
            while stream.write_all(&chunk).is_ok() {}
            return;
        }
        bytes.extend(body.get(..cut.unwrap_or(body.len())).unwrap());
        if (&mut &*stream).write_all(&bytes).is_err() || cut.is_some() {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}
