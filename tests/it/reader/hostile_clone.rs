//! A clone that somebody else wrote, with every trick to have a file outside of it read, or a request sent.

use crate::program::{code, ovlint, root, utf8};
use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The bytes that must not be shown, also where they are read as a number.
const SECRET: [u8; 8] = *b"hunter2!";

/// A folder with a clone, and with secrets beside it.
struct Trap {
    folder: tempfile::TempDir,
    server: TcpListener,
}

impl Trap {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        server.set_nonblocking(true).unwrap();
        let trap = Self { folder, server };
        for name in ["clone/w", "outside"] {
            fs::create_dir_all(trap.path(name)).unwrap();
        }
        fs::write(trap.path("outside/secret"), SECRET).unwrap();
        fs::write(trap.path("outside/secret.bin"), SECRET).unwrap();
        fs::copy(root().join("models/split.xml"), trap.path("outside/hunter2.xml")).unwrap();
        trap.model("m.xml");
        trap
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a model into the clone, whose axis is in its weights.
    fn model(&self, name: &str) {
        fs::copy(root().join("models/split.xml"), self.path("clone").join(name)).unwrap();
    }

    fn link(&self, target: &str, name: &str) {
        symlink(target, self.path("clone").join(name)).unwrap();
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path("clone").join(name), text).unwrap();
    }

    fn run(&self, arguments: &str) -> Output {
        ovlint(&self.path("clone"), arguments.split(' '))
    }

    /// Exit code and all output without line breaks, which shows nothing of the secrets; and nothing was sent.
    fn safe(&self, arguments: &str) -> (i32, String) {
        let out = self.run(arguments);
        let text = utf8(&out.stdout) + &utf8(&out.stderr);
        for secret in ["hunter2", &i64::from_le_bytes(SECRET).to_string()] {
            assert!(!text.contains(secret), "{arguments}: {text}");
        }
        let request = self.server.accept().map(drop).map_err(|error| error.kind());
        assert_eq!(request, Err(ErrorKind::WouldBlock), "{arguments}: {text}");
        (code(&out), text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Names of files outside of the clone, in every way of writing them.
    fn names_outside(&self) -> Vec<String> {
        let absolute = self.path("outside/secret.bin").display().to_string();
        let url = format!("http://{}/secret.bin", self.server.local_addr().unwrap());
        let others = [
            "../outside/secret.bin",
            "w/../../outside/secret.bin",
            "w/folder/secret.bin",
            "w/folder/none.bin",
            "w/leaf",
            "w/twice",
            "//127.0.0.1/share/secret.bin",
            "\\\\127.0.0.1\\share\\secret.bin",
            "..\\outside\\secret.bin",
            "C:\\secret.bin",
            "c:secret.bin",
            "https://127.0.0.1:1/secret.bin",
            "hf://org/model/secret.bin",
            "s3://bucket/secret.bin",
            "file:///etc/passwd",
            ".git/config",
        ];
        [absolute, url].into_iter().chain(others.map(str::to_owned)).collect()
    }
}

#[test]
fn a_configuration_that_was_found_names_nothing_outside_of_its_folder() {
    let trap = Trap::new();
    trap.link("../../outside", "w/folder");
    trap.link("../../outside/secret.bin", "w/leaf");
    trap.link("leaf", "w/twice");
    fs::create_dir(trap.path("clone/.git")).unwrap();
    fs::write(trap.path("clone/.git/config"), SECRET).unwrap();
    let keys = [
        ("extension-ops", "extension-ops = 'FILE'\n"),
        ("for", "for = ['triton=FILE']\n"),
        ("for", "[[per-file]]\nfiles = '*'\nfor = ['ovms=FILE']\n"),
        ("weights", "[[per-file]]\nfiles = '*'\nweights = 'FILE'\n"),
    ];
    for name in trap.names_outside() {
        for (place, (key, text)) in keys.iter().enumerate() {
            // Not every file with every key: they are read in the same way.
            let (file, head) =
                [("ovlint.toml", ""), (".ovlint.toml", ""), ("pyproject.toml", "[tool.ovlint]\n")][place % 3];
            let text = head.to_owned() + &text.replace("FILE", &name);
            let text = if head.is_empty() { text } else { text.replace("[[per-file]]", "[[tool.ovlint.per-file]]") };
            trap.write(file, &text);
            let (code, out) = trap.safe("check m.xml");
            let line = text.lines().count();
            assert_eq!(code, 2, "{text}{out}");
            assert!(out.contains(&format!("clone/{file}:{line}:")), "{text}{out}");
            let message = format!("`{key}` names `{name}`, wanted a file below this folder");
            assert!(out.contains(&message) && out.contains("`--config FILE` trusts"), "{text}{out}");
            for command in ["check .", "info m.xml", "snapshot check", "reduce m.xml --rule cycle -o r.xml"] {
                assert_eq!(trap.safe(command).0, 2, "{command}: {text}");
            }
            fs::remove_file(trap.path("clone").join(file)).unwrap();
        }
    }
    // What the user names is trusted.
    trap.write("named.toml", "[[per-file]]\nfiles = '*'\nweights = '../outside/secret.bin'\n");
    let out = utf8(&trap.run("check m.xml --config named.toml").stdout);
    assert!(out.contains(&i64::from_le_bytes(SECRET).to_string()), "{out}");
    // Inside of the folder is inside.
    fs::copy(root().join("models/split.bin"), trap.path("clone/w/m.bin")).unwrap();
    trap.write("ovlint.toml", "[[per-file]]\nfiles = '*'\nweights = 'w/../w/{name}.bin'\n");
    assert_eq!(trap.safe("check m.xml").0, 0);
}

#[test]
fn the_name_of_a_model_leads_nowhere_else() {
    let trap = Trap::new();
    let weights = |file: &str| {
        trap.write("ovlint.toml", &format!("[[per-file]]\nfiles = '*.xml'\nweights = '{file}'\n"));
    };
    let outside = "it is outside of the folder of the configuration; `--config FILE` trusts a configuration";
    trap.model("...xml");
    weights("{name}/outside/secret.bin");
    let (code, out) = trap.safe("check ...xml");
    assert!(code == 2 && out.contains("error[unreadable-file]") && out.contains(outside), "{out}");
    trap.model("http:.xml");
    weights(&format!("{{name}}//{}/secret.bin", trap.server.local_addr().unwrap()));
    assert!(trap.safe("check http:.xml").1.contains("weights-file-missing"));
    trap.link("../../outside/secret.bin", "w/m.bin");
    weights("w/{name}.bin");
    let (code, out) = trap.safe("check m.xml");
    assert!(code == 2 && out.contains(outside), "{out}");
}

#[test]
fn links_lead_nowhere_else() {
    let link_out = "it is a link out of the folder to check and its work tree";
    let trap = Trap::new();
    trap.link("../outside/secret.bin", "m.bin");
    trap.write("list", "m.xml");
    let found =
        ["check .", "check", "check m.xml --skip-others", "check --files-from list", "info .", "snapshot check"];
    for command in found.into_iter().chain(["report . --output page.html", "diff . ."]) {
        let (code, out) = trap.safe(command);
        assert!(code == 2 && out.contains("m.bin: ") && out.contains(link_out), "{command}: {out}");
    }
    // A model that is named is meant, with what belongs to it.
    assert!(utf8(&trap.run("check m.xml").stdout).contains(&i64::from_le_bytes(SECRET).to_string()));
    fs::remove_file(trap.path("clone/m.bin")).unwrap();
    fs::copy(root().join("models/split.bin"), trap.path("clone/m.bin")).unwrap();
    assert_eq!(trap.safe("check .").0, 0);
    for (target, link, command) in [
        ("../outside/secret", "a.xml", "check ."),
        ("../outside", "models", "check ."),
        ("../outside/secret", "m.ovshapes", "snapshot check"),
        ("../outside/secret", "m.ovshapes", "snapshot update"),
        ("../outside/secret", "ovlint.toml", "check m.xml"),
        ("../outside/secret", "pyproject.toml", "check m.xml"),
        ("../outside/secret", ".gitignore", "check ."),
    ] {
        trap.link(target, link);
        let (code, out) = trap.safe(command);
        assert!(code == 2 && out.contains(&format!("{link}: ")) && out.contains(link_out), "{command}: {out}");
        fs::remove_file(trap.path("clone").join(link)).unwrap();
    }
    for (link, command) in [("config.pbtxt", "check . --for triton"), ("config.json", "check . --for ovms")] {
        trap.link("../outside/secret", link);
        let (code, out) = trap.safe(command);
        assert!(code < 2 && out.contains(link_out), "{command}: {out}");
        fs::remove_file(trap.path("clone").join(link)).unwrap();
    }
}

#[test]
fn links_of_a_work_tree_and_of_the_hub_are_followed() {
    let trap = Trap::new();
    fs::create_dir(trap.path(".git")).unwrap();
    fs::copy(root().join("models/split.bin"), trap.path("outside/m.bin")).unwrap();
    trap.link("../outside/m.bin", "m.bin");
    assert_eq!(trap.safe("check .").0, 0);
    let hub = Trap::new();
    let cache = hub.path("models--a--b");
    for name in ["snapshots/1", "blobs"] {
        fs::create_dir_all(cache.join(name)).unwrap();
    }
    for ending in ["xml", "bin"] {
        let from = root().join("models/split").with_extension(ending);
        fs::copy(from, cache.join("blobs").join(ending)).unwrap();
        let link = cache.join("snapshots/1/m").with_extension(ending);
        symlink(Path::new("../../blobs").join(ending), link).unwrap();
    }
    let out = ovlint(&cache.join("snapshots/1"), ["check", "."]);
    assert_eq!(code(&out), 0, "{}", utf8(&out.stdout));
}

#[test]
fn a_recipe_of_a_configuration_that_was_found_reads_nothing_outside_of_it() {
    let trap = Trap::new();
    let [secret, above] = ["hunter2!", r#"{"model_config_list": "hunter2!"}"#];
    fs::write(trap.path("config.pbtxt"), format!("name: \"{secret}\"")).unwrap();
    fs::write(trap.path("config.json"), above).unwrap();
    fs::write(trap.path("outside/config.json"), above).unwrap();
    trap.write("ovlint.toml", "for = ['triton', 'ovms']\n");
    for command in ["check m.xml", "check ."] {
        let (_, out) = trap.safe(command);
        assert!(out.contains("ovms-layout") && !out.contains("cannot read"), "{command}: {out}");
    }
    for (name, rule) in [("config.pbtxt", "triton-config"), ("config.json", "ovms-schema")] {
        trap.link("../outside/config.json", name);
        let (_, out) = trap.safe("check m.xml");
        let message = format!("[{rule}]: cannot read {name}: it is outside of the folder of the configuration");
        assert!(out.contains(&message), "{out}");
        fs::remove_file(trap.path("clone").join(name)).unwrap();
    }
    // What the user asks for is trusted.
    let out = utf8(&trap.run("check m.xml --for ovms").stdout);
    assert!(out.contains(r#"`model_config_list` is "hunter2!""#), "{out}");
    // In a work tree, the folders above belong to the clone.
    fs::create_dir(trap.path(".git")).unwrap();
    let out = utf8(&trap.run("check m.xml").stdout);
    assert!(out.contains(r#"`model_config_list` is "hunter2!""#), "{out}");
}

#[test]
fn what_git_keeps_behind_a_file_has_an_end_and_is_on_this_host() {
    let trap = Trap::new();
    for folder in ["g/info", "endless", "common/info"] {
        fs::create_dir_all(trap.path("clone").join(folder)).unwrap();
    }
    for (place, name) in [("g/info", "exclude"), ("endless", "commondir"), ("common/info", "exclude")] {
        trap.link("/dev/zero", &format!("{place}/{name}"));
    }
    trap.write("g/commondir", ".\n");
    let device = "it is a device";
    for (text, file, why) in [
        ("gitdir: g\n", "g/./info/exclude", device),
        ("gitdir: endless\n", "endless/commondir", device),
        ("gitdir: //127.0.0.1/share\n", ".git", "it names another host"),
        ("gitdir:\\\\127.0.0.1\\share\n", ".git", "it names another host"),
    ] {
        trap.write(".git", text);
        let (code, out) = trap.safe("check .");
        assert!(code == 2 && out.contains(&format!("{file}: {why}")), "{text}{out}");
    }
    trap.write(".git", "gitdir: g\n");
    for (text, why) in [("common", device), ("//127.0.0.1/share", "it names another host")] {
        trap.write("g/commondir", text);
        let (code, out) = trap.safe("check .");
        assert!(code == 2 && out.contains(why), "{text}: {out}");
    }
    // Nor does a folder lead to another host.
    fs::remove_file(trap.path("clone/.git")).unwrap();
    fs::create_dir_all(trap.path("clone/.git")).unwrap();
    trap.write(".git/index", "");
    trap.write(".git/commondir", "//127.0.0.1/share");
    trap.write(".gitignore", "m.xml\n");
    assert!(
        trap.safe("check .").1.contains("git index of") && trap.safe("check .").1.contains("it names another host")
    );
    for name in [".git/index", ".git/commondir", ".gitignore"] {
        fs::remove_file(trap.path("clone").join(name)).unwrap();
    }
    fs::remove_dir(trap.path("clone/.git")).unwrap();
    trap.write(".git", "gitdir: g\n");
    // As in a worktree, what it says to leave out is left out.
    fs::remove_file(trap.path("clone/g/info/exclude")).unwrap();
    trap.write("g/commondir", ".\n");
    trap.write("g/info/exclude", "m.xml\n");
    assert!(trap.safe("check .").1.contains("no OpenVINO IR"));
}
