//! Whatever goes wrong on the way: a clear error and exit code 2, never a verdict.

use super::server::{Answer, Request, Server};
use super::{far_apart, ovlint, run};
use crate::program::{code, utf8};
use std::time::{Duration, Instant};

/// The model whose constants lie far apart, where the answers to requests for a file are changed.
fn spoilt(file: &'static str, spoil: impl Fn(&Request, Answer) -> Answer + Send + Sync + 'static) -> Server {
    let (xml, bin) = far_apart();
    Server::start(move |request| {
        let answer = match request.path.as_str() {
            "/m.xml" => Answer::file(request, &xml),
            "/m.bin" => Answer::file(request, &bin),
            _ => Answer::new(404),
        };
        if request.path == file { spoil(request, answer) } else { answer }
    })
}

/// What is said of the model, if that is all that there is.
fn refusal(server: &Server, more: &[&str]) -> String {
    let url = server.url("/m.xml");
    let out = run(&[&["check", &url, "--format", "concise"], more].concat());
    let text = utf8(&out.stdout);
    assert_eq!(code(&out), 2, "{text}{}", utf8(&out.stderr));
    assert!(text.contains("error[unreadable-file] cannot read "), "{text}");
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    let message = text.lines().next().unwrap().split_once("cannot read ").unwrap().1;
    message.replace(&server.url("/"), "")
}

#[test]
fn every_refusal_of_a_server_has_a_message() {
    for (status, message) in [
        (401, "the server wants credentials (401)"),
        (403, "the server denies access (403)"),
        (418, "the server answers 418"),
    ] {
        for file in ["m.xml", "m.bin"] {
            let path = if file == "m.xml" { "/m.xml" } else { "/m.bin" };
            let server = spoilt(path, move |_, _| Answer::new(status));
            assert_eq!(refusal(&server, &[]), format!("{file}: {message}"));
        }
    }
    assert_eq!(refusal(&spoilt("/m.xml", |_, _| Answer::new(404)), &[]), "m.xml: the server has no such file (404)");
}

#[test]
fn what_may_pass_is_asked_for_again() {
    let busy =
        |request: &Request, answer| if request.place < 2 { Answer::new(503).with("Retry-After", "0") } else { answer };
    let out = run(&["check", &spoilt("/m.xml", busy).url("/m.xml")]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"));
    let cut = |request: &Request, answer: Answer| Answer { cut: (request.place % 2 == 1).then_some(3), ..answer };
    let out = run(&["check", &spoilt("/m.bin", cut).url("/m.xml"), "--verbose"]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"), "{}{}", utf8(&out.stdout), utf8(&out.stderr));
    let server = spoilt("/m.bin", |_, _| Answer::new(503));
    assert_eq!(refusal(&server, &[]), "m.bin: the server answers 503 (4 times)");
    assert_eq!(server.log().len(), 5);
    let server = spoilt("/m.bin", |_, _| Answer::new(429).with("Retry-After", "3600"));
    assert_eq!(refusal(&server, &[]), "m.bin: the server answers 429, and to ask again in 3600 s");
}

#[test]
fn connections_that_are_cut_are_no_files() {
    let server = spoilt("/m.xml", |_, answer| Answer { cut: Some(500), ..answer });
    let message = refusal(&server, &[]);
    assert!(message.starts_with("m.xml: the connection fails: ") && message.ends_with(" (4 times)"), "{message}");
    let server = spoilt("/m.bin", |request, answer| Answer { cut: (request.place > 1).then_some(3), ..answer });
    let message = refusal(&server, &[]);
    assert!(message.starts_with("m.bin: the connection fails: ") && message.ends_with(" (4 times)"), "{message}");
    // Without a length nobody knows whether the end came too early.
    let server = spoilt("/m.xml", |_, answer| {
        let end = answer.body.len();
        Answer { cut: Some(end), ..answer }.with("Content-Length", "").with("Transfer-Encoding", "identity")
    });
    assert!(!refusal(&server, &[]).is_empty());
}

#[test]
fn silence_ends() {
    let server = spoilt("/m.bin", |_, answer| Answer { silence: Duration::from_secs(60), ..answer });
    let start = Instant::now();
    assert_eq!(refusal(&server, &["--timeout", "1"]), "m.bin: the server was silent for 1 s");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn files_must_stay_the_same() {
    for (name, value) in [("ETag", "\"2\""), ("Last-Modified", "Tue, 02 Jan 2024 00:00:00 GMT")] {
        let server =
            spoilt("/m.bin", move |request, answer| if request.place > 1 { answer.with(name, value) } else { answer });
        assert_eq!(refusal(&server, &[]), "m.bin: it was changed while it was read", "{name}");
    }
    let grown = |request: &Request, answer: Answer| {
        let range = request.range().unwrap();
        if request.place == 1 {
            answer
        } else {
            answer.with("Content-Range", format!("bytes {}-{}/3000001", range.start, range.end - 1))
        }
    };
    assert_eq!(refusal(&spoilt("/m.bin", grown), &[]), "m.bin: it was changed while it was read");
    let whole =
        |request: &Request, answer: Answer| if request.place == 1 { answer } else { Answer::new(200).body(vec![0; 8]) };
    assert_eq!(refusal(&spoilt("/m.bin", whole), &[]), "m.bin: it was changed while it was read");
}

#[test]
fn a_part_is_not_the_whole() {
    let unasked = |_: &Request, answer: Answer| {
        let end = answer.body.len();
        Answer { status: 206, ..answer }.with("Content-Range", format!("bytes 0-{}/{}", end - 1, end + 10))
    };
    assert_eq!(refusal(&spoilt("/m.xml", unasked), &[]), "m.xml: the server sends a part, wanted the whole file (206)");
    let empty = |_: &Request, _| Answer::new(416).with("Content-Range", "bytes */0");
    assert_eq!(refusal(&spoilt("/m.xml", empty), &[]), "m.xml: the server answers 416");
    for (path, file) in [("/m.xml", "m.xml"), ("/m.bin", "m.bin")] {
        let called_whole =
            |_: &Request, _| Answer::new(200).with("Content-Range", "bytes 0-99/3000000").body(vec![0; 100]);
        let wanted = "the server sends a part as the whole file: `Content-Range: bytes 0-99/3000000`";
        assert_eq!(refusal(&spoilt(path, called_whole), &[]), format!("{file}: {wanted}"));
    }
    // The range that is all of the file says nothing else.
    let all = |_: &Request, answer: Answer| {
        let size = answer.body.len();
        answer.with("Content-Range", format!("bytes 0-{}/{size}", size - 1))
    };
    let out = run(&["check", &spoilt("/m.xml", all).url("/m.xml")]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"), "{}", utf8(&out.stdout));
}

#[test]
fn parts_are_those_that_were_asked_for() {
    let other = |_: &Request, answer: Answer| answer.with("Content-Range", "bytes 1-65536/3000000");
    assert_eq!(refusal(&spoilt("/m.bin", other), &[]), "m.bin: the server sends bytes 1..65537, wanted 0..65536");
    let short = |_: &Request, answer: Answer| answer.body(vec![0; 100]);
    assert_eq!(refusal(&spoilt("/m.bin", short), &[]), "m.bin: the server sends 100 bytes, wanted 65536");
    let longer = |_: &Request, answer: Answer| answer.with("Content-Range", "bytes 0-65536/3000000");
    assert_eq!(refusal(&spoilt("/m.bin", longer), &[]), "m.bin: the server sends bytes 0..65537, wanted 0..65536");
    let unknown = |_: &Request, answer: Answer| answer.with("Content-Range", "bytes 0-65535/*");
    let message = "m.bin: the server sends a part of the file as `Content-Range: bytes 0-65535/*`";
    assert_eq!(refusal(&spoilt("/m.bin", unknown), &[]), message);
    let compressed = |_: &Request, answer: Answer| answer.with("Content-Encoding", "gzip");
    for (path, file) in [("/m.xml", "m.xml"), ("/m.bin", "m.bin")] {
        let message = format!("{file}: the server sends it compressed (gzip), wanted the bytes of the file");
        assert_eq!(refusal(&spoilt(path, compressed), &[]), message);
    }
}

#[test]
fn large_files_need_ranges() {
    let whole = |_: &Request, _| Answer::new(200).with("Content-Length", "10000000000");
    let message = "m.bin: the server sends no ranges: it has 10000000000 bytes, wanted at most 16777216";
    assert_eq!(refusal(&spoilt("/m.bin", whole), &[]), message);
}

#[test]
fn an_xml_has_an_end() {
    let refused = |server: &Server, more: &[&str]| {
        let url = server.url("/m.xml");
        let out = run(&[&["check", &url, "--format", "concise"], more].concat());
        let text = utf8(&out.stdout);
        assert_eq!(code(&out), 2, "{text}{}", utf8(&out.stderr));
        let message = text.lines().next().unwrap().split_once("cannot read ").unwrap().1;
        message.replace(&server.url("/"), "")
    };
    let whole = |_: &Request, _| Answer::new(200).with("Content-Length", "10000000000");
    let endless = |_: &Request, _| Answer::new(200).endless("<!-- -->".repeat(1000));
    for (more, limit, flag) in [
        (&[][..], "100000000", "--max-fetched"),
        (&["--max-fetched", "20000"], "20000", "--max-fetched"),
        (&["--max-xml-size", "10000"], "10000", "--max-xml-size"),
    ] {
        let message = format!("m.xml: it has 10000000000 bytes, wanted at most {limit}; {flag} allows more");
        assert_eq!(refused(&spoilt("/m.xml", whole), more), message);
        let message = format!("m.xml: it has more than {limit} bytes; {flag} allows more");
        assert_eq!(refused(&spoilt("/m.xml", endless), more), message);
    }
    // The bytes of the XML are no longer there for the weights.
    let (xml, _) = far_apart();
    let most = (xml.len() + 65_560).to_string();
    let server = spoilt("/m.xml", |_, answer| answer);
    let message = "m.bin: 65568 of its 3000000 bytes are needed, more than the 65560 that are left of --max-fetched";
    assert_eq!(refused(&server, &["--max-fetched", &most]), message);
    let most = (xml.len() + 65_568).to_string();
    assert_eq!(code(&run(&["check", &server.url("/m.xml"), "--max-fetched", &most])), 1);
}

#[test]
fn redirects_end() {
    let server = spoilt("/m.xml", |_, _| Answer::new(302).with("Location", "m.xml"));
    assert_eq!(refusal(&server, &[]), "m.xml: the server redirects more than 5 times");
    let server = spoilt("/m.xml", |_, _| Answer::new(302));
    assert_eq!(refusal(&server, &[]), "m.xml: the server answers 302 and not where to");
    let server = spoilt("/m.xml", |_, _| Answer::new(302).with("Location", "http://a.example/m.xml"));
    assert_eq!(
        refusal(&server, &[]),
        "m.xml: http:// is not encrypted and is accepted only for localhost; use https://"
    );
}

#[test]
fn urls_that_are_not_supported_say_so() {
    let folder = tempfile::tempdir().unwrap();
    for (url, message) in [
        ("http://a.example/m.xml", "http:// is not encrypted and is accepted only for localhost; use https://"),
        ("gs://bucket/m.xml", "gs:// is not supported; use https://, hf:// or s3://"),
        ("https:///m.xml", "this is not a URL of a file"),
    ] {
        let out = ovlint(folder.path(), &["check", url, "--format", "concise"], &[]);
        assert_eq!(code(&out), 2, "{url}");
        assert!(utf8(&out.stdout).contains(message), "{url}: {}", utf8(&out.stdout));
    }
    // Nobody listens there.
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let out = run(&["check", &format!("http://{server}/m.xml")]);
    assert_eq!(code(&out), 2);
    assert!(utf8(&out.stdout).contains("the connection fails: "), "{}", utf8(&out.stdout));
}
