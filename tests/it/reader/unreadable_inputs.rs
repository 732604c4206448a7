//! Input files that cannot be read to their end, that have none, and that are not files: an error each, and no wait.

use crate::program::{code, copy_of, ovlint, utf8};
use std::fs;
use std::path::Path;

const SPLIT: &str = "models/split.xml";

/// Exit code, stdout and stderr.
fn run(folder: &Path, arguments: &str) -> (i32, String, String) {
    let out = ovlint(folder, arguments.split(' '));
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

#[test]
fn a_folder_in_the_place_of_weights_is_an_error() {
    let folder = copy_of(SPLIT);
    fs::create_dir(folder.path().join("other")).unwrap();
    let (code, out, _) = run(folder.path(), "check split.xml --weights other --format concise");
    let wanted = "split.xml: error[unreadable-file] cannot read other: it is a folder, wanted a file\n";
    assert_eq!((code, out.as_str()), (2, wanted));
    fs::remove_file(folder.path().join("split.bin")).unwrap();
    fs::create_dir(folder.path().join("split.bin")).unwrap();
    let wanted = "cannot read split.bin: it is a folder, wanted a file";
    let (code, out, _) = run(folder.path(), "check split.xml");
    assert!(code == 2 && out.starts_with(&format!("error[unreadable-file]: {wanted}\n")), "{out}");
    assert!(out.contains("help: skip weight checks with `--weights skip`"), "{out}");
    for command in ["info split.xml", "shapes split.xml", "snapshot check split.xml", "diff split.xml split.xml"] {
        let (code, out, err) = run(folder.path(), command);
        assert!(code == 2 && out.is_empty(), "{command}: {code} {out}");
        assert!(err.contains("split.bin: it is a folder, wanted a file"), "{command}: {err}");
    }
    assert_eq!(run(folder.path(), "check -q split.xml --weights skip").0, 0);
}

#[test]
fn a_compressed_weights_file_is_one_finding() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let folder = copy_of(SPLIT);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&fs::read(folder.path().join("split.bin")).unwrap()).unwrap();
    // A file that starts like an archive without a whole header counts as one only if it is too short.
    for bytes in [gzip.finish().unwrap(), b"\x1f\x8b\x08".to_vec(), b"{\"a\"}".to_vec(), b"Not found".to_vec()] {
        fs::write(folder.path().join("split.bin"), &bytes).unwrap();
        let (_, out, _) = run(folder.path(), "check split.xml --format concise");
        let is_weights = bytes.len() >= 8 && bytes.starts_with(b"Not");
        let rule = if is_weights { "axis-range" } else { "weights-not-raw" };
        assert!(out.lines().count() == 1 && out.contains(rule), "{bytes:?}: {out}");
    }
}

#[test]
fn an_empty_weights_file_holds_constants_without_elements() {
    let folder = tempfile::tempdir().unwrap();
    let xml = |offset: usize, size: usize, reduced: &str| {
        format!(
            r#"<net name="n" version="11"><layers>
        <layer id="0" name="c" type="Const" version="opset1"><data element_type="i64" shape="0" offset="{offset}" size="{size}"/>
        <output><port id="0" precision="I64"><dim>0</dim></port></output></layer>
        <layer id="1" name="o" type="{reduced}" version="opset1">
        <input><port id="0"><dim>0</dim></port><port id="1"><dim>0</dim></port></input>
        <output><port id="2" precision="I64"><dim>0</dim></port></output></layer>
        <layer id="2" name="r" type="Result" version="opset1"><input><port id="0"><dim>0</dim></port></input></layer>
        </layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
        <edge from-layer="0" from-port="0" to-layer="1" to-port="1"/>
        <edge from-layer="1" from-port="2" to-layer="2" to-port="0"/></edges></net>"#
        )
    };
    let errors = |xml: String, weights: Option<&[u8]>| {
        fs::write(folder.path().join("model.xml"), xml).unwrap();
        let _ = fs::remove_file(folder.path().join("model.bin"));
        if let Some(weights) = weights {
            fs::write(folder.path().join("model.bin"), weights).unwrap();
        }
        let out = run(folder.path(), "check model.xml --format concise").1;
        let rule = |line: &str| line.split_once(" error[")?.1.split_once(']').map(|(rule, _)| rule.to_owned());
        out.lines().map(|line| rule(line).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join(", ")
    };
    // What OpenVINO 2026.4.1 does with each.
    assert_eq!(errors(xml(0, 0, "Add"), Some(&[])), "");
    assert_eq!(errors(xml(0, 0, "Add"), Some(&[0])), "");
    assert_eq!(errors(xml(1, 0, "Add"), Some(&[0])), "");
    assert_eq!(errors(xml(0, 0, "Add"), None), "weights-file-missing");
    assert_eq!(errors(xml(0, 1, "Add"), Some(&[])), "weights-out-of-range");
    assert_eq!(errors(xml(8, 0, "Add"), Some(&[])), "weights-out-of-range");
    assert_eq!(errors(xml(0, 0, "ReduceSum"), Some(&[])), "weights-truncated");
    assert_eq!(errors(xml(0, 0, "ReduceSum"), Some(&[0])), "");
}

#[test]
fn a_weights_file_named_for_a_model_names_the_model() {
    let folder = copy_of(SPLIT);
    let wanted = "ovlint: split.bin: this is a weights file; use split.xml instead\n";
    assert_eq!(run(folder.path(), "shapes split.bin").2, wanted);
    fs::remove_file(folder.path().join("split.xml")).unwrap();
    let instead = "use the .xml that was written with it instead";
    let wanted = format!("split.bin: error[not-openvino-ir] this is a weights file; {instead}\n");
    assert_eq!(run(folder.path(), "check split.bin --format concise").1, wanted);
    // However large it is.
    let file = fs::File::options().write(true).open(folder.path().join("split.bin")).unwrap();
    file.set_len(10_000_000_000).unwrap();
    assert_eq!(run(folder.path(), "check split.bin --format concise").1, wanted);
}

#[cfg(unix)]
#[test]
fn nothing_is_read_that_is_not_a_file() {
    let device = "it is a device, wanted a file";
    for (special, wrong) in [("/dev/zero", device), ("pipe", "it is a pipe, wanted a file")] {
        for (name, command) in [
            ("split.xml", "check split.xml"),
            ("split.xml", "check . --format concise"),
            ("split.xml", "shapes split.xml"),
            ("split.bin", "check split.xml"),
            ("split.bin", "info --sha256 split.xml"),
            ("ovlint.toml", "check split.xml"),
            ("c.toml", "check --config c.toml split.xml"),
            (".gitignore", "check ."),
            (".ignore", "snapshot check ."),
            ("b/.gitignore", "check ."),
            ("list", "check --files-from list"),
            ("ops.toml", "check --extension-ops ops.toml split.xml"),
            ("known.json", "check --baseline known.json split.xml"),
            ("x.npy", "run split.xml --input data=x.npy"),
            ("split.ovshapes", "snapshot check split.xml"),
        ] {
            let folder = copy_of(SPLIT);
            fs::create_dir(folder.path().join("b")).unwrap();
            let path = folder.path().join(name);
            let _ = fs::remove_file(&path);
            if special == "pipe" {
                assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            } else {
                std::os::unix::fs::symlink(special, &path).unwrap();
            }
            let (code, out, err) = run(folder.path(), command);
            // Found in a folder, a link out of it is not followed.
            let is_found = command.contains(" .") || name == "ovlint.toml";
            let is_link_out = special != "pipe" && is_found;
            let wrong = if is_link_out { "it is a link out of the folder to check" } else { wrong };
            assert_eq!(code, 2, "{command} with {special} as {name}: {out}{err}");
            assert!((out + &err).contains(wrong), "{command} with {special} as {name}: {err}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_of_the_process_are_read() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let folder = copy_of(SPLIT);
    for list in ["-", "/dev/stdin", "/proc/self/fd/0"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ovlint"))
            .args(["check", "--format", "concise", "--files-from", list])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // It waits for the rest.
        std::thread::sleep(std::time::Duration::from_millis(50));
        stdin.write_all(b"split.xml\nnone.xml\n").unwrap();
        drop(stdin);
        let out = child.wait_with_output().unwrap();
        let wanted = "none.xml: error[unreadable-file] cannot read none.xml: No such file or directory (os error 2)\n";
        assert_eq!((utf8(&out.stdout).as_str(), code(&out)), (wanted, 2), "{list}");
    }
    let (code, _, err) = run(folder.path(), "check --files-from /dev/null");
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn a_file_that_is_rewritten_all_the_time_never_hangs_or_ends_a_check() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = copy_of(SPLIT);
    let path = folder.path().join("split.xml");
    let text = fs::read_to_string(&path).unwrap();
    let filled = text.replacen("<layers>", &format!("<!-- {} --><layers>", "x".repeat(3 << 20)), 1).into_bytes();
    let (done, mut codes) = (AtomicBool::new(false), std::collections::BTreeSet::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // Cut off and written again, in place.
                fs::write(&path, &filled).unwrap();
            }
        });
        for _ in 0..20 {
            let out = ovlint(folder.path(), ["check", "split.xml", "--format", "concise"]);
            codes.insert(out.status.code());
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(codes.iter().all(|code| matches!(code, Some(0..=2))), "{codes:?}");
}

/// Faults are brought about in builds with debug assertions only.
#[cfg(debug_assertions)]
mod faults {
    use super::*;
    use std::process::Command;

    /// Exit code, stdout and stderr of a run with a fault.
    fn run(folder: &Path, fault: &str, arguments: &str) -> (i32, String, String) {
        let out = Command::new(env!("CARGO_BIN_EXE_ovlint"))
            .args(arguments.split(' '))
            .current_dir(folder)
            .env("OVLINT_TEST_FAULT", fault)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        (code(&out), utf8(&out.stdout), utf8(&out.stderr))
    }

    const ERROR: &str = "cannot read split.bin: a fault that a test asked for";

    #[test]
    fn an_error_of_reading_is_never_taken_for_unknown() {
        let folder = copy_of(SPLIT);
        for flags in ["", " --deep", " --no-infer --deep", " --shape data[6,12,10,24]", " --fix", " --profile runtime"]
        {
            let (code, out, err) =
                run(folder.path(), "read split.bin", &format!("check split.xml --format concise{flags}"));
            assert!(code == 2 && out == format!("split.xml: error[unreadable-file] {ERROR}\n"), "{flags}: {out}{err}");
        }
        // A rule that is off does not hide that the run failed.
        let (code, out, err) = run(folder.path(), "read split.bin", "check split.xml -q --select axis-range");
        assert_eq!((code, out.as_str(), err), (2, "", format!("ovlint: {ERROR}\n")));
    }

    #[test]
    fn commands_fail_where_reading_fails_after_the_check() {
        let folder = copy_of(SPLIT);
        // Larger than what is read as a whole, so that every look reads again.
        let bin = folder.path().join("split.bin");
        let weights = fs::read(&bin).unwrap();
        fs::write(&bin, [weights, vec![0; 2 << 20]].concat()).unwrap();
        fs::copy(&bin, folder.path().join("other.bin")).unwrap();
        fs::copy(folder.path().join("split.xml"), folder.path().join("other.xml")).unwrap();
        assert_eq!(run(folder.path(), "", "snapshot update --with-weights split.xml").0, 0);
        for command in ["info --sha256 split.xml", "snapshot check split.xml", "diff --level bytes other.xml split.xml"]
        {
            assert_eq!(run(folder.path(), "", command).0, 0, "{command}");
            let mut failed = 0;
            // Whichever read it is that fails.
            for nth in 1..9 {
                let (code, out, err) = run(folder.path(), &format!("read split.bin {nth}"), command);
                if code == 2 {
                    failed += 1;
                    let told = err.contains("split.bin: a fault that a test asked for");
                    assert!(told && !out.contains("no differences"), "{command} {nth}: {out}{err}");
                } else {
                    assert_eq!(code, 0, "{command} {nth}: {out}{err}");
                }
            }
            assert!(failed >= 1, "{command}: {failed}");
        }
    }

    #[test]
    fn files_that_change_while_they_are_read_are_errors() {
        let folder = copy_of(SPLIT);
        for file in ["split.xml", "split.bin"] {
            let (code, out, _) = run(folder.path(), &format!("change {file}"), "check split.xml --format concise");
            let wanted =
                format!("split.xml: error[unreadable-file] cannot read {file}: it was changed while it was read\n");
            assert_eq!((code, out), (2, wanted));
            for command in ["info split.xml", "shapes split.xml", "run split.xml --input data=zeros"] {
                let (code, _, err) = run(folder.path(), &format!("change {file}"), command);
                assert!(code == 2 && err.contains(&format!("{file}: it was changed while it was read")), "{err}");
            }
        }
    }

    #[test]
    fn a_tensor_that_cannot_be_written_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let port = "<port id='0' precision='BF16'><dim>2</dim></port>";
        let model = format!(
            "<net name='m' version='11'><layers><layer id='0' name='x' type='Parameter' version='opset1'>\
             <data shape='2' element_type='bf16'/><output>{port}</output></layer>\
             <layer id='1' name='y' type='Result' version='opset1'><input>{port}</input></layer></layers>\
             <edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/></edges></net>"
        );
        fs::write(folder.path().join("m.xml"), model).unwrap();
        let written = |fault| {
            let (code, _, err) = run(folder.path(), fault, "run m.xml --input x=arange --output-dir out");
            let names = fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            (code, err, names.join(" "))
        };
        let message = "ovlint: out/x.npy: a fault that a test asked for\n";
        assert_eq!(written("finish x.npy"), (2, message.to_owned(), String::new()));
        assert_eq!(written(""), (0, String::new(), "x.npy x.npy.json".to_owned()));
    }
}
