//! Folders of the Hugging Face hub that hold a pipeline, which a server on this machine stands for.

use super::ovlint;
use super::server::{Answer, Request, Server};
use crate::program::{code, root, utf8};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

/// The files of a folder and those below it, by path.
fn files(folder: &Path, prefix: &str, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), all);
        } else {
            all.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// A hub with the files of a folder as its only repository; `answer` may answer for some of them.
fn hub(folder: &str, answer: impl Fn(&str) -> Option<Answer> + Send + Sync + 'static) -> Server {
    let mut all = BTreeMap::new();
    files(&root().join(folder), "", &mut all);
    let siblings: Vec<_> = all.keys().map(|name| serde_json::json!({ "rfilename": name })).collect();
    let list = serde_json::json!({ "siblings": siblings }).to_string();
    Server::start(move |request: &Request| match request.path.strip_prefix("/org/model/resolve/main/") {
        Some(name) => answer(name)
            .or_else(|| all.get(name).map(|bytes| Answer::file(request, bytes)))
            .unwrap_or_else(|| Answer::new(404)),
        None if request.path == "/api/models/org/model/revision/main" => Answer::new(200).body(list.clone()),
        None => Answer::new(404),
    })
}

/// The check of the repository.
fn check(hub: &Server, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["check", "hf://org/model", "--format", "concise"], arguments].concat();
    ovlint(folder.path(), &arguments, &[("HF_ENDPOINT", &hub.url("/"))])
}

#[test]
fn findings_are_those_of_the_folder() {
    for folder in [
        "bad/pipeline-config",
        "bad/pipeline-file",
        "bad/pipeline-link/diffusion",
        "bad/pipeline-tensor",
        "bad/pipeline-token",
        "pipelines/diffusion",
        "pipelines/llm",
        "pipelines/vision",
        "pipelines/whisper",
    ] {
        let hub = hub(folder, |_| None);
        for loader in [&[][..], &["--for", "genai"], &["--for", "optimum"], &["--for", "ovms"]] {
            let arguments = [&["check", ".", "--isolated", "--format", "concise"], loader].concat();
            let (local, remote) = (ovlint(&root().join(folder), &arguments, &[]), check(&hub, loader));
            let found =
                |out: &Output, root: &str| utf8(&out.stdout).replace(&format!("{root}/"), "").replace(root, ".");
            assert_eq!(found(&remote, "hf://org/model"), found(&local, "."), "{folder} {loader:?}");
            assert_eq!(code(&remote), code(&local), "{folder} {loader:?}");
        }
    }
}

#[test]
fn only_files_that_are_listed_are_fetched_and_counted() {
    let hub = hub("pipelines/llm", |_| None);
    let out = check(&hub, &["--verbose"]);
    let said = "ovlint: hf://org/model: fetched 2 JSON files, ";
    assert!(utf8(&out.stderr).lines().any(|line| line.starts_with(said)), "{}", utf8(&out.stderr));
    let log = hub.log();
    let mut asked: Vec<&str> =
        log.iter().map(|request| request.path.as_str()).filter(|path| path.contains("json")).collect();
    asked.sort_unstable();
    let file = |name: &str| format!("/org/model/resolve/main/{name}");
    assert_eq!(asked, [file("config.json"), file("generation_config.json")]);
    // A model that is named is no folder.
    let folder = tempfile::tempdir().unwrap();
    let hub = self::hub("bad/pipeline-token", |_| None);
    let arguments = ["check", "hf://org/model/openvino_model.xml"];
    let out = ovlint(folder.path(), &arguments, &[("HF_ENDPOINT", &hub.url("/"))]);
    assert_eq!(code(&out), 0, "{}", utf8(&out.stdout));
    assert!(hub.log().iter().all(|request| !request.path.contains("json")));
}

#[test]
fn files_that_cannot_be_fetched_are_said() {
    for (status, why) in [(403, "the server denies access (403)"), (404, "the server has no such file (404)")] {
        let hub =
            hub("bad/pipeline-token", move |name| (name == "generation_config.json").then(|| Answer::new(status)));
        let message =
            format!("hf://org/model/generation_config.json: warning[pipeline-config] cannot read the file: {why}\n");
        let out = check(&hub, &[]);
        assert_eq!((code(&out), utf8(&out.stdout)), (0, message.clone()));
        let out = check(&hub, &["--for", "genai"]);
        assert!(utf8(&out.stdout).contains(&message.replace("warning", "error")), "{}", utf8(&out.stdout));
        assert_eq!(code(&out), 1);
    }
}

#[test]
fn long_files_are_not_fetched_and_no_fault() {
    let long = |name: &str| (name == "config.json").then(|| Answer::new(200).body(vec![b' '; 1_000_001]));
    let hub = hub("pipelines/llm", long);
    for loader in [&["--verbose"][..], &["--verbose", "--for", "genai"]] {
        let out = check(&hub, loader);
        let message = "hf://org/model/config.json: info[pipeline-config] the file is not fetched: it has 1000001 bytes, wanted at \
                       most 1000000\n";
        assert!(utf8(&out.stdout).contains(message), "{}", utf8(&out.stdout));
        assert_eq!(code(&out), 0, "{}", utf8(&out.stdout));
    }
}
