//! Models on servers: what is found is what is found in files, few bytes are fetched, and whatever goes wrong is an error.

mod failures;
mod hub;
mod pipelines;
#[cfg(feature = "s3")]
mod s3;
mod secrets;
mod server;

use crate::program::{code, copy_of, root, utf8};
use serde_json::Value;
use server::{Answer, Server};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a folder, with servers on this machine only.
fn ovlint(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ovlint"));
    for name in
        ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "HF_ENDPOINT", "HF_TOKEN"]
    {
        command.env_remove(name);
    }
    let command = command.args(arguments).current_dir(folder).envs(environment.iter().copied());
    command.env_remove("COLUMNS").env_remove("OVLINT_UPDATE").env("NO_COLOR", "1").output().unwrap()
}

/// Runs the program on URLs, somewhere without a configuration.
fn run(arguments: &[&str]) -> Output {
    ovlint(tempfile::tempdir().unwrap().path(), arguments, &[])
}

/// A sample and its weights as files of a server.
fn served(sample: &str) -> Server {
    let path = root().join(sample);
    let read = |ending| fs::read(path.with_extension(ending)).unwrap_or_default();
    Server::of([("/m.xml", read("xml")), ("/m.bin", read("bin"))])
}

/// What is found, without the names of files.
fn findings(out: &Output, server: &Server) -> Vec<Value> {
    let report: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{}", utf8(&out.stderr)));
    let models = report["models"].as_array().unwrap().iter();
    let mut all: Vec<Value> = models.flat_map(|model| model["findings"].as_array().unwrap().clone()).collect();
    for finding in &mut all {
        forget_files(finding, &server.url("/"));
    }
    all
}

fn forget_files(value: &mut Value, base: &str) {
    match value {
        Value::Object(fields) => {
            fields.remove("file");
            fields.values_mut().for_each(|value| forget_files(value, base));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| forget_files(value, base)),
        Value::String(text) => *text = text.replace(base, "").replace("model.", "m."),
        _ => {}
    }
}

/// A model whose constants lie far from each other in weights of 3 MB: axis 1 and lengths of a `VariadicSplit`.
fn far_apart() -> (Vec<u8>, Vec<u8>) {
    let folder = root().join("bad/split-lengths-sum");
    let xml = fs::read_to_string(folder.join("model.xml")).unwrap();
    let xml = xml.replace("offset=\"0\"", "offset=\"1000000\"").replace("offset=\"8\"", "offset=\"2999976\"");
    let old = fs::read(folder.join("model.bin")).unwrap();
    let mut bin = vec![10; 1_000_000];
    bin.extend(&old[..8]);
    bin.resize(2_999_976, 10);
    bin.extend(&old[8..32]);
    (xml.into_bytes(), bin)
}

#[test]
fn findings_are_those_of_the_files() {
    for folder in fs::read_dir(root().join("bad")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.join("model.xml").exists() || !folder.join("model.bin").exists() {
            continue;
        }
        let sample = format!("bad/{}/model", folder.file_name().unwrap().to_str().unwrap());
        let server = served(&sample);
        let rules = ["--format", "json", "--profile", "pedantic", "--isolated"];
        let run = |path: &str| ovlint(&folder, &[&["check", path], &rules[..]].concat(), &[]);
        let (local, remote) = (run("model.xml"), run(&server.url("/m.xml")));
        assert_eq!(findings(&local, &server), findings(&remote, &server), "{sample}");
        assert_eq!(code(&local), code(&remote), "{sample}");
    }
}

#[test]
fn constants_are_fetched_in_one_round_trip_after_the_first_bytes() {
    let (xml, bin) = far_apart();
    let server = Server::of([("/m.xml", xml), ("/m.bin", bin)]);
    let url = server.url("/m.xml");
    let out = run(&["check", &url, "--verbose"]);
    assert_eq!(code(&out), 1);
    assert!(
        utf8(&out.stdout).contains("split lengths add up to 7, but axis 0 of the input is 6"),
        "{}",
        utf8(&out.stdout)
    );
    let said =
        format!("{} (3000000 bytes, of which 65568 were fetched in 3 requests, 2 round trips)", server.url("/m.bin"));
    assert!(utf8(&out.stderr).contains(&said), "{}", utf8(&out.stderr));
    let mut ranges: Vec<_> = server.log().iter().filter_map(server::Request::range).collect();
    ranges.sort_by_key(|range| range.start);
    assert_eq!(ranges, [0..65_536, 1_000_000..1_000_008, 2_999_976..3_000_000]);
    assert_eq!(server.log().len(), 4, "and the XML once");
}

#[test]
fn weights_have_urls_of_their_own() {
    let (xml, bin) = far_apart();
    let server = Server::of([("/a/m.xml", xml), ("/b/w.bin", bin)]);
    let (model, weights) = (server.url("/a/m.xml"), server.url("/b/w.bin"));
    let out = run(&["check", &model, "--weights", &weights]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"), "{}", utf8(&out.stdout));
    let out = run(&["check", &model, "--weights", "skip"]);
    assert_eq!((code(&out), server.log().iter().filter(|request| request.path == "/a/m.bin").count()), (0, 0));
    let folder = tempfile::tempdir().unwrap();
    let entry = format!("[[per-file]]\nfiles = \"m.xml\"\nweights = \"{weights}\"\n");
    fs::write(folder.path().join("ovlint.toml"), entry).unwrap();
    let out = ovlint(folder.path(), &["check", "--config", "ovlint.toml", &model], &[]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"), "{}", utf8(&out.stdout));
    // Missing weights are a finding, as they are beside a file.
    let out = run(&["check", &model]);
    assert_eq!(code(&out), 1);
    assert!(
        utf8(&out.stdout).contains(&format!("{} is missing, and 2 constants need it", server.url("/a/m.bin"))),
        "{}",
        utf8(&out.stdout)
    );
    let local = copy_of("bad/split-lengths-sum/model.xml");
    let out = ovlint(local.path(), &["check", "model.xml", "--weights", &weights], &[]);
    assert!(!utf8(&out.stdout).contains("split-lengths-sum"), "the weights of the server have other bytes there");
}

#[test]
fn other_commands_read_models_on_servers() {
    let server = served("bad/split-lengths-sum/model.xml");
    let url = server.url("/m.xml");
    for (arguments, wanted) in [
        (&["shapes", &url][..], "VariadicSplit"),
        (&["inputs", &url], "data"),
        (&["info", &url], "VariadicSplit"),
        (&["inspect", &url, "--const", "split_lengths"], "[1,2,4]"),
        (&["why", &url, "data"], "f32[6,12]"),
        (&["graph", &url], "digraph"),
        (&["diff", &url, &url], ""),
    ] {
        let out = run(arguments);
        assert!(
            utf8(&out.stdout).contains(wanted) && out.stderr.is_empty(),
            "{arguments:?}: {}{}",
            utf8(&out.stdout),
            utf8(&out.stderr)
        );
    }
    let local = copy_of("bad/split-lengths-sum/model.xml");
    let out = ovlint(local.path(), &["diff", "model.xml", &url], &[]);
    assert_eq!(code(&out), 0, "{}", utf8(&out.stdout));
}

#[test]
fn what_writes_beside_a_model_refuses() {
    let server = served("bad/declared-shape/model.xml");
    let url = server.url("/m.xml");
    for (arguments, wanted) in [
        (&["check", &url, "--fix"][..], "files are fixed in place"),
        (&["check", &url, "--diff"], "files are fixed in place"),
        (&["snapshot", "check", &url], "snapshots are files beside their models"),
        (&["snapshot", "update", &url], "snapshots are files beside their models"),
        (&["info", &url, "--sha256"], "--sha256 reads whole files"),
    ] {
        let out = run(arguments);
        assert_eq!(code(&out), 2, "{arguments:?}");
        assert_eq!(utf8(&out.stderr), format!("ovlint: {wanted}, and {url} is on a server; download it first\n"));
    }
}

#[test]
fn settings_of_the_folder_apply() {
    let server = served("bad/declared-shape/model.xml");
    let url = server.url("/dir/m.xml").replace("/dir", "");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ovlint.toml"), "[[ignore]]\nrule = \"declared-shape\"\nreason = \"known\"\n")
        .unwrap();
    assert_eq!(code(&ovlint(folder.path(), &["check", &url], &[])), 0);
    assert_eq!(code(&ovlint(folder.path(), &["check", &url, "--isolated"], &[])), 1);
    let listed = folder.path().join("list");
    fs::write(&listed, format!("{url}\n")).unwrap();
    assert_eq!(code(&ovlint(folder.path(), &["check", "--files-from", "list", "--isolated"], &[])), 1);
    // A baseline names the URL, and does not take it for a file that is gone.
    assert_eq!(code(&ovlint(folder.path(), &["check", &url, "--isolated", "--write-baseline", "known.json"], &[])), 0);
    assert!(fs::read_to_string(folder.path().join("known.json")).unwrap().contains(&format!("\"{url}\"")));
    let out = ovlint(folder.path(), &["check", &url, ".", "--isolated", "--baseline", "known.json", "--prune"], &[]);
    assert_eq!((code(&out), utf8(&out.stderr)), (0, "ovlint: known.json: removed 0 findings\n".to_owned()));
}

#[test]
fn locations_are_urls() {
    let server = served("bad/declared-shape/model.xml");
    let out = run(&["check", &server.url("/m.xml"), "--format", "sarif"]);
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let place = &report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(*place, serde_json::json!({ "uri": server.url("/m.xml") }));
}

#[test]
fn only_so_much_is_fetched() {
    let (xml, bin) = far_apart();
    let server = Server::of([("/m.xml", xml), ("/m.bin", bin)]);
    let url = server.url("/m.xml");
    let out = run(&["check", &url, "--deep", "--select", "default,stray-bits"]);
    assert_eq!(code(&out), 1, "no constant of floats, so nothing more is read");
    let out = run(&["diff", &url, &url, "--max-fetched", "65540"]);
    assert_eq!(code(&out), 2);
    assert!(
        utf8(&out.stderr).contains("65568 of its 3000000 bytes are needed, more than the "),
        "{}",
        utf8(&out.stderr)
    );
}

#[test]
fn servers_without_ranges_send_small_files() {
    let (xml, bin) = far_apart();
    let server = Server::start(move |request| match request.path.as_str() {
        "/m.xml" => Answer::new(200).body(xml.clone()),
        "/m.bin" => Answer::new(200).body(bin.clone()),
        _ => Answer::new(404),
    });
    let out = run(&["check", &server.url("/m.xml"), "--verbose"]);
    assert!(utf8(&out.stdout).contains("split-lengths-sum"));
    assert!(
        utf8(&out.stderr).contains("of which 3000000 were fetched in 1 request, 1 round trip"),
        "{}",
        utf8(&out.stderr)
    );
}

#[test]
fn a_configuration_that_is_named_names_weights_on_servers_and_any_those_of_models_on_servers() {
    let (server, folder) = (served("models/split.xml"), copy_of("models/split.xml"));
    let path = folder.path();
    fs::rename(path.join("split.xml"), path.join("m.xml")).unwrap();
    let configure = |weights: &str| {
        let text = format!("[[per-file]]\nfiles = '*.xml'\nweights = '{weights}'\n");
        fs::write(path.join("ovlint.toml"), text).unwrap();
    };
    let results = |model: &str, more: &[&str]| {
        let [check, info] = ["check", "info"].map(|command| ovlint(path, &[&[command, model], more].concat(), &[]));
        (code(&check), utf8(&info.stdout).contains(", bin 8 bytes\n"))
    };
    let named = ["--config", "ovlint.toml"];
    assert_eq!(results("m.xml", &[]), (1, false));
    configure(&format!("http://me:hunter2@{}/{{name}}.bin", server.host()));
    assert_eq!(results("m.xml", &named), (0, true));
    let shown = ovlint(path, &[&["check", "m.xml", "--show-settings"], &named[..]].concat(), &[]);
    assert!(utf8(&shown.stdout).contains("/{name}.bin\"") && !utf8(&shown.stdout).contains("hunter2"));
    let alone = Server::of([("/split.xml", fs::read(path.join("m.xml")).unwrap())]);
    let url = alone.url("/split.xml");
    configure("{name}.bin");
    assert_eq!(results(&url, &[]), (0, true));
}
