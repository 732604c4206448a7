//! Buckets of S3, which a server on this machine stands for: a list ends, and whatever it holds, all else is checked.

use super::ovlint;
use super::server::{Answer, Server};
use crate::program::{code, root, utf8};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;

/// A page of a list.
fn page(keys: &[&str], rest: &str) -> Answer {
    let mut text =
        "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">".to_owned();
    for key in keys {
        let _ = write!(text, "<Contents><Key>{key}</Key><Size>5</Size></Contents>");
    }
    Answer::new(200).body(text + rest + "</ListBucketResult>")
}

/// The next page.
fn more(token: &str) -> String {
    format!("<IsTruncated>true</IsTruncated><NextContinuationToken>{token}</NextContinuationToken>")
}

/// A bucket with a model under every key, whose list has these pages.
fn bucket(list: impl Fn(usize, &str) -> Answer + Send + Sync + 'static) -> Server {
    let file = |ending| fs::read(root().join("models/split").with_extension(ending)).unwrap();
    let (xml, bin) = (file("xml"), file("bin"));
    Server::start(move |request| match request.path.split_once('?') {
        Some((path, query)) if query.starts_with("list-type=2") => {
            assert_eq!(path, "/bucket/");
            list(request.place, query)
        }
        Some((path, _)) if Path::new(path).extension().is_some_and(|end| end == "xml") => Answer::file(request, &xml),
        _ => Answer::file(request, &bin),
    })
}

fn check(server: &Server, arguments: &[&str]) -> Output {
    let endpoint = server.url("");
    let environment = [
        ("AWS_ENDPOINT_URL", endpoint.as_str()),
        ("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "us-east-1"),
    ];
    ovlint(tempfile::tempdir().unwrap().path(), &[&["check"], arguments].concat(), &environment)
}

/// Why a bucket cannot be listed.
fn refusal(server: &Server, arguments: &[&str]) -> String {
    let out = check(server, &[&["s3://bucket/"], arguments].concat());
    assert_eq!((code(&out), utf8(&out.stdout)), (2, String::new()));
    utf8(&out.stderr).replace("ovlint: cannot read s3://bucket/: ", "")
}

#[test]
fn all_pages_are_read() {
    let server = bucket(|place, query| match place {
        0 => {
            assert!(query.starts_with("list-type=2&prefix=a%20b%2F&X-Amz-"), "{query}");
            page(&["a b/1.xml", "a b/1.bin"], &more("t/1=="))
        }
        _ => {
            assert!(query.starts_with("list-type=2&prefix=a%20b%2F&continuation-token=t%2F1%3D%3D&"), "{query}");
            page(&["a b/2.xml", "a b/2.bin"], "<IsTruncated>false</IsTruncated>")
        }
    });
    let out = check(&server, &["s3://bucket/a b/"]);
    assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()), "{}", utf8(&out.stdout));
    assert!(utf8(&out.stdout).contains("checked 2 models"), "{}", utf8(&out.stdout));
}

#[test]
fn a_key_that_no_url_can_name_hides_no_other() {
    let server = bucket(|_, _| {
        page(
            &[
                "slash//double.xml",
                "dots/../up.xml",
                "/abs.xml",
                "./x.xml",
                "slash//",
                "dots/../up.bin",
                "m.xml",
                "m.bin",
            ],
            "",
        )
    });
    let out = check(&server, &["s3://bucket/"]);
    let odd = ["slash//double.xml", "dots/../up.xml", "/abs.xml", "./x.xml"];
    let message = |key| format!("ovlint: cannot read s3://bucket/{key}: this is not the name of an object\n");
    assert_eq!((code(&out), utf8(&out.stderr)), (2, odd.map(message).concat()));
    assert!(utf8(&out.stdout).contains("checked 1 model"), "{}", utf8(&out.stdout));
    assert!(
        server
            .log()
            .iter()
            .all(|request| ["/bucket/?", "/bucket/m."].iter().any(|path| request.path.starts_with(path)))
    );
}

#[test]
fn a_list_has_an_end() {
    let server = bucket(|place, _| page(&[], &more(&place.to_string())));
    let allows = "name a folder or a file below, or allow more with --max-fetched\n";
    let message = format!("the server lists names of more than 10000 bytes; {allows}");
    assert_eq!(refusal(&server, &["--max-fetched", "10000"]), message);
    assert_eq!(server.log().len(), 78);
    let server = bucket(|place, _| page(&[], &more(["a", "b"][place % 2])));
    assert_eq!(refusal(&server, &[]), "the list of the server leads back to a page that was read\n");
    assert_eq!(server.log().len(), 3);
    let server = bucket(|_, _| page(&[], "<IsTruncated>true</IsTruncated>"));
    assert_eq!(refusal(&server, &[]), "the server cuts its list, and does not say how it goes on\n");
    let server = bucket(|_, _| page(&[], &more(&"t".repeat(5000))));
    assert_eq!(refusal(&server, &[]), "the next page has a token of 5000 bytes, wanted at most 4096\n");
    let server = bucket(|_, _| Answer::new(200).endless(" ".repeat(1 << 16)));
    let message = format!("the server lists more than 25000000 bytes at once; {allows}");
    assert_eq!(refusal(&server, &[]), message);
    let server = bucket(|place, _| Answer {
        silence: std::time::Duration::from_millis(700),
        ..page(&[], &more(&place.to_string()))
    });
    let message = "the server needs more than 20 s in all; --timeout 2 allows more\n";
    assert_eq!(refusal(&server, &["--timeout", "1"]), message);
}

#[test]
fn every_failure_says_what_happened() {
    for (status, message) in [
        (400, "the server answers 400\n"),
        (403, "the server denies access (403)\n"),
        (404, "there is no such bucket (404)\n"),
        (503, "the server answers 503 (4 times)\n"),
    ] {
        let server = bucket(move |_, _| Answer::new(status).body("<Error><StringToSign>SECRET</StringToSign></Error>"));
        assert_eq!(refusal(&server, &[]), message);
    }
    for text in [
        "",
        "<html/>",
        "<Error/>",
        "<ListBucketResult><Contents><Key>",
        "<ListBucketResult><Contents/></ListBucketResult>",
    ] {
        let server = bucket(move |_, _| Answer::new(200).body(text));
        assert_eq!(refusal(&server, &[]), "the server does not answer with a list of objects\n", "{text}");
    }
    let silent = bucket(|_, _| Answer { silence: std::time::Duration::from_secs(9), ..page(&[], "") });
    assert_eq!(refusal(&silent, &["--timeout", "1"]), "the server was silent for 1 s\n");
    let out = check(&bucket(|_, _| page(&[], "")), &["s3://bucket/"]);
    assert_eq!((code(&out), utf8(&out.stderr)), (3, "ovlint: no OpenVINO IR found in the given paths\n".to_owned()));
    let endpoint = silent.url("");
    let alone = [("AWS_ENDPOINT_URL", endpoint.as_str()), ("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")];
    let out = ovlint(tempfile::tempdir().unwrap().path(), &["check", "s3://bucket/"], &alone);
    assert!(utf8(&out.stderr).contains("the settings of S3 cannot be used; look at AWS_"), "{}", utf8(&out.stderr));
}
