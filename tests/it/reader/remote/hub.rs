//! Repositories of the Hugging Face hub, which a server on this machine stands for.

use super::server::{Answer, Server};
use super::{far_apart, ovlint};
use crate::program::{code, root, utf8};
use std::fs;

/// A hub with one repository that needs a token; its weights are elsewhere.
fn hub() -> (Server, Server) {
    let (xml, bin) = far_apart();
    let good = |ending| fs::read(root().join("models/split").with_extension(ending)).unwrap();
    let (good_xml, good_bin) = (good("xml"), good("bin"));
    let files = Server::of([("/lfs/1", bin)]);
    let lfs = files.url("/lfs/1");
    let names = [
        "README.md",
        "openvino_model.xml",
        "openvino_model.bin",
        "int8/split.xml",
        "int8/split.bin",
        "alone.xml",
        "strings.xml",
    ];
    let siblings: Vec<_> = names.iter().map(|name| serde_json::json!({ "rfilename": name })).collect();
    let list = serde_json::json!({ "id": "org/model", "siblings": siblings }).to_string();
    let server = Server::start(move |request| {
        if request.headers.get("authorization").is_none_or(|value| value != "Bearer hf_secret") {
            return Answer::new(401);
        }
        let revision =
            |file: &str| [format!("/org/model/resolve/main/{file}"), format!("/org/model/resolve/v1/{file}")];
        let is = |file: &str| revision(file).contains(&request.path);
        match request.path.as_str() {
            "/api/models/org/model/revision/main" | "/api/models/org/model/revision/v1" => {
                Answer::new(200).body(list.clone())
            }
            // As the hub does for small files.
            _ if is("openvino_model.xml") => Answer::new(307).with("Location", "/api/resolve-cache/openvino_model.xml"),
            "/api/resolve-cache/openvino_model.xml" => Answer::file(request, &xml),
            _ if is("openvino_model.bin") => Answer::new(302).with("Location", lfs.clone()),
            _ if is("int8/split.xml") || is("alone.xml") => Answer::file(request, &good_xml),
            _ if is("int8/split.bin") => Answer::file(request, &good_bin),
            _ if is("strings.xml") => Answer::file(request, b"<resources/>"),
            _ => Answer::new(404),
        }
    });
    (server, files)
}

#[test]
fn the_models_of_a_repository_are_checked() {
    let (hub, files) = hub();
    let folder = tempfile::tempdir().unwrap();
    let endpoint = hub.url("/");
    let check = |name: &str, token: &str| {
        let environment = [("HF_ENDPOINT", endpoint.as_str()), ("HF_TOKEN", token)];
        ovlint(folder.path(), &["check", name], &environment)
    };
    let out = check("hf://org/model", "hf_secret");
    let text = utf8(&out.stdout);
    assert_eq!(code(&out), 1, "{text}{}", utf8(&out.stderr));
    assert!(text.contains("--> hf://org/model/openvino_model.xml:27:3\n"), "{text}");
    assert!(text.contains("hf://org/model/alone.bin is missing"), "{text}");
    assert!(text.contains("2 errors in 2 of 3 models.") && text.contains("not checked: 1 other XML file"), "{text}");
    assert!(files.log().iter().all(|request| !request.headers.contains_key("authorization")));
    assert!(!files.log().is_empty());
    let out = check("hf://org/model@v1/int8", "hf_secret");
    assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()), "{}", utf8(&out.stdout));
    let out = check("hf://org/model@v1/openvino_model.xml", "hf_secret");
    assert!(utf8(&out.stdout).contains("--> hf://org/model@v1/openvino_model.xml:27:3\n"));
    let out = check("hf://org/model", "hf_wrong");
    let message = "ovlint: cannot read hf://org/model: the server wants credentials (401)\n";
    assert_eq!((code(&out), utf8(&out.stderr)), (2, message.to_owned()));
    let out = check("hf://org/model@v2", "hf_secret");
    let message = "ovlint: cannot read hf://org/model@v2: the server has no such file (404)\n";
    assert_eq!((code(&out), utf8(&out.stderr)), (2, message.to_owned()));
    let out = check("hf://org", "hf_secret");
    let message = "ovlint: cannot read hf://org: wanted hf://org/model, hf://org/model@revision or a file below\n";
    assert_eq!((code(&out), utf8(&out.stderr)), (2, message.to_owned()));
}

#[test]
fn a_list_has_an_end() {
    let hub = Server::start(|_| Answer::new(200).endless("{\"siblings\":[".to_owned() + &" ".repeat(1 << 16)));
    let folder = tempfile::tempdir().unwrap();
    let out = ovlint(folder.path(), &["check", "hf://org/model"], &[("HF_ENDPOINT", &hub.url(""))]);
    let message = |bytes| {
        format!(
            "ovlint: cannot read hf://org/model: the server lists more than {bytes} bytes at once; name a folder or a file below, \
             or allow more with --max-fetched\n"
        )
    };
    assert_eq!((code(&out), utf8(&out.stderr)), (2, message(25_000_000)));
    // The flag that is named is the one that counts.
    let files: Vec<_> = (0..100).map(|n| serde_json::json!({ "rfilename": format!("{n}.txt") })).collect();
    let list = serde_json::json!({ "siblings": files }).to_string();
    let hub = Server::start(move |_| Answer::new(200).body(list.clone()));
    let run = |most: &str| {
        let arguments = ["check", "hf://org/model", "--max-fetched", most];
        utf8(&ovlint(folder.path(), &arguments, &[("HF_ENDPOINT", &hub.url(""))]).stderr)
    };
    assert_eq!(run("4000"), message(1_000));
    assert_eq!(run("40000"), "ovlint: no OpenVINO IR found in the given paths\n");
}

#[test]
fn other_commands_name_a_model_of_the_repository() {
    let (hub, _files) = hub();
    let folder = tempfile::tempdir().unwrap();
    let endpoint = hub.url("");
    let environment = [("HF_ENDPOINT", endpoint.as_str()), ("HF_TOKEN", "hf_secret")];
    let out = ovlint(folder.path(), &["shapes", "hf://org/model"], &environment);
    let message = "ovlint: hf://org/model: it is a repository, wanted a model in it such as hf://org/model/model.xml\n";
    assert_eq!((code(&out), utf8(&out.stderr)), (2, message.to_owned()));
    let out = ovlint(folder.path(), &["shapes", "hf://org/model/int8/split.xml"], &environment);
    assert_eq!((code(&out), utf8(&out.stderr)), (0, String::new()));
}

#[test]
fn names_that_lead_out_of_a_repository_are_not_asked_for() {
    let good = |ending| fs::read(root().join("models/split").with_extension(ending)).unwrap();
    let (xml, bin) = (good("xml"), good("bin"));
    let odd = ["../../other/model.xml", "a//c.xml", "/etc/model.xml", "a/./b.xml", "a/../../../b.xml"];
    let siblings: Vec<_> =
        odd.iter().chain(&["m.xml", "m.bin"]).map(|name| serde_json::json!({ "rfilename": name })).collect();
    let list = serde_json::json!({ "siblings": siblings }).to_string();
    let hub = Server::start(move |request| match request.path.as_str() {
        "/api/models/org/model/revision/main" => Answer::new(200).body(list.clone()),
        "/org/model/resolve/main/m.xml" => Answer::file(request, &xml),
        "/org/model/resolve/main/m.bin" => Answer::file(request, &bin),
        _ => Answer::new(404),
    });
    let folder = tempfile::tempdir().unwrap();
    let endpoint = hub.url("");
    let out = ovlint(folder.path(), &["check", "hf://org/model", "--format", "concise"], &[("HF_ENDPOINT", &endpoint)]);
    let text = utf8(&out.stdout);
    assert_eq!(code(&out), 2, "{text}{}", utf8(&out.stderr));
    for name in odd {
        assert!(text.contains(&format!("cannot read hf://org/model/{name}: its name leads out")), "{text}");
    }
    assert_eq!(text.matches("error[").count(), odd.len(), "{text}");
    let asked: Vec<String> = hub.log().into_iter().map(|request| request.path).collect();
    assert!(
        asked
            .iter()
            .all(|path| path.ends_with("/main") || path.ends_with("/main/m.xml") || path.ends_with("/main/m.bin")),
        "{asked:?}"
    );
}
