//! Credentials go to the server that they are for, and nowhere else.

use super::server::{Answer, Server};
use super::{far_apart, run};
use crate::program::{code, utf8};
use ovlint::internal::report::Format;
use ovlint::{Analysis, Options, Report, Weights};

#[test]
fn credentials_are_sent_and_not_shown() {
    let (xml, bin) = far_apart();
    let server = Server::start(move |request| {
        // `me:hunter2` in base64, and the query.
        let is_known = request.headers.get("authorization").is_some_and(|value| value == "Basic bWU6aHVudGVyMg==");
        match request.path.as_str() {
            "/m.xml?sig=s3cr3t" if is_known => Answer::file(request, &xml),
            "/m.bin?sig=s3cr3t" if is_known => Answer::file(request, &bin),
            _ => Answer::new(403),
        }
    });
    let url = format!("http://me:hunter2@{}/m.xml?sig=s3cr3t", server.host());
    let shows_none = |arguments: &[&str], wanted: i32| {
        let out = run(arguments);
        let all = utf8(&out.stdout) + &utf8(&out.stderr);
        assert_eq!(code(&out), wanted, "{all}");
        for secret in ["hunter2", "s3cr3t", "bWU6"] {
            assert!(!all.contains(secret), "{secret} in {all}");
        }
    };
    for format in Format::ALL.map(Format::name) {
        shows_none(&["check", &url, "--format", format, "--verbose"], 1);
    }
    for command in ["info", "shapes", "inputs"] {
        shows_none(&[command, &url], i32::from(command == "inputs"));
    }
    shows_none(&["why", &url, "data"], 0);
    shows_none(&["inspect", &url, "vsplit"], 0);
    shows_none(&["check", &url, "--fix"], 2);
    shows_none(&["check", &url, "--no-such-flag"], 2);
    shows_none(&["check", &format!("--weights={}", url.replace(".xml", ".bin")), &url], 1);
    shows_none(&["check", &format!("--no-such-flag={url}")], 2);
    let wrong = url.replace("m.xml", "other.xml");
    shows_none(&["check", &wrong], 2);
    shows_none(&["shapes", &wrong], 2);
}

#[test]
fn credentials_do_not_follow_to_another_host() {
    let (xml, bin) = far_apart();
    let elsewhere = Server::of([("/x.xml?signed=1", xml), ("/x.bin?signed=1", bin)]);
    let signed = elsewhere.url("/x.");
    let server = Server::start(move |request| match request.path.as_str() {
        "/m.xml?sig=s3cr3t" => Answer::new(302).with("Location", format!("{signed}xml?signed=1")),
        "/m.bin?sig=s3cr3t" => Answer::new(307).with("Location", "/moved.bin"),
        "/moved.bin" => Answer::new(302).with("Location", format!("{signed}bin?signed=1")),
        _ => Answer::new(404),
    });
    let out = run(&["check", &format!("http://me:hunter2@{}/m.xml?sig=s3cr3t", server.host())]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"), "{}", utf8(&out.stdout));
    assert!(!utf8(&out.stdout).contains("signed"), "{}", utf8(&out.stdout));
    assert!(server.log().iter().all(|request| request.headers.contains_key("authorization")));
    assert_eq!(server.log().len(), 3, "where the weights are is known after the first request");
    let log = elsewhere.log();
    assert_eq!(log.len(), 4);
    for request in log {
        assert!(!request.headers.contains_key("authorization") && !request.path.contains("s3cr3t"), "{request:?}");
    }
}

#[test]
fn signed_urls_that_expire_are_asked_for_again() {
    let (xml, bin) = far_apart();
    let elsewhere = Server::start(move |request| match request.path.as_str() {
        "/x.bin?signed=0" if request.place > 0 => Answer::new(403),
        path if path.starts_with("/x.bin") => Answer::file(request, &bin),
        _ => Answer::new(404),
    });
    let signed = elsewhere.url("/x.bin?signed=");
    let server = Server::start(move |request| match request.path.as_str() {
        "/m.xml" => Answer::file(request, &xml),
        _ => Answer::new(302).with("Location", format!("{signed}{}", request.place - 1)),
    });
    let out = run(&["check", &server.url("/m.xml")]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"), "{}", utf8(&out.stdout));
}

#[test]
fn the_library_shows_none_either() {
    let (xml, bin) = far_apart();
    let server = Server::of([("/m.xml?sig=s3cr3t", xml), ("/w.bin?sig=s3cr3t", bin)]);
    let url = |name: &str| format!("http://me:hunter2@{}/{name}?sig=s3cr3t", server.host());
    let options = Options::new().weights(Weights::File(url("w.bin").into()));
    let analysis = Analysis::open(url("m.xml"), &options).unwrap();
    let report = Report::from_iter([&analysis]).render(ovlint::Format::Json).unwrap();
    assert!(
        report.contains("split-lengths-sum") && !report.contains("s3cr3t") && !report.contains("hunter2"),
        "{report}"
    );
    assert_eq!(analysis.path().to_str(), Some(&*server.url("/m.xml")));
    let error = Analysis::open(url("other.xml"), &options).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: the server has no such file (404)", server.url("/other.xml")));
}
