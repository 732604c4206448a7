//! Where reports go: several at once, files, pipes, and what a stopped run leaves behind.

use crate::program::{code, copy_of, findings, ovlint, root, utf8};
use ovlint::internal::report::Format;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const DECLARED_SHAPE: &str = "bad/declared-shape/model.xml";

/// Exit code, stdout and stderr.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

/// The files of a folder, those that are hidden included.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A folder with a model that has one error.
fn wrong() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["model.xml", "model.bin"] {
        fs::copy(root().join("bad/declared-shape").join(file), folder.path().join(file)).unwrap();
    }
    folder
}

#[test]
fn the_page_of_check_lists_every_format() {
    let page = fs::read_to_string(root().join("../docs/commands/check.md")).unwrap();
    let rows: Vec<String> =
        Format::ALL.iter().map(|format| format!("| `{}` | {} |", format.name(), format.summary())).collect();
    let table = format!("| `--format` | what it is |\n|---|---|\n{}\n\n", rows.join("\n"));
    assert!(page.contains(&table), "{table}");
    let help = utf8(&ovlint(&root(), ["check", "--help"]).stdout);
    for format in Format::ALL {
        let line = format!("- {}:", format.name());
        let (_, after) = help.split_once(&line).unwrap_or_else(|| panic!("no `{line}` in {help}"));
        assert!(after.trim_start().starts_with(format.summary()), "{after}");
    }
}

#[test]
fn verbose_shows_how_each_file_was_checked() {
    let folder = wrong();
    let size = fs::metadata(folder.path().join("model.bin")).unwrap().len();
    let (_, shown, _) = run(folder.path(), &["check", "model.xml"]);
    for (flags, weights, configuration) in [
        (&[][..], format!("model.bin ({size} bytes)"), "none"),
        (&["--weights", "skip"], "none".to_owned(), "none"),
        (&["--weights", "x.bin"], "x.bin (cannot be read)".to_owned(), "ovlint.toml"),
    ] {
        if configuration != "none" {
            fs::write(folder.path().join(configuration), "fail-on = \"error\"\n").unwrap();
        }
        let (_, out, err) = run(folder.path(), &[&["check", "-v", "model.xml"], flags].concat());
        let (told, time) = err.rsplit_once(", ").unwrap();
        let wanted = format!(", weights: {weights}, configuration: {configuration}");
        assert!(told.starts_with("ovlint: model.xml: layers: ") && told.ends_with(&wanted), "{told}");
        assert!(time.ends_with(" s\n"), "{time}");
        assert!(!flags.is_empty() || out == shown, "{out}");
    }
}

#[test]
fn several_formats_in_one_run() {
    let folder = wrong();
    let flags = ["--format", "concise", "--format", "sarif=out.sarif", "--format", "gitlab=quality.json"];
    let (code, out, err) = run(folder.path(), &[&["check", "model.xml"], &flags[..]].concat());
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.starts_with("model.xml:35:11: error[declared-shape] ") && out.lines().count() == 1, "{out}");
    assert_eq!(files(folder.path()), ["model.bin", "model.xml", "out.sarif", "quality.json"]);
    for (file, format) in [("out.sarif", "sarif"), ("quality.json", "gitlab")] {
        let written = fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(written, run(folder.path(), &["check", "model.xml", "--format", format]).1, "{file}");
        assert!(serde_json::from_str::<Value>(&written).is_ok());
    }
}

#[test]
fn a_report_in_a_file_leaves_a_line_on_stderr() {
    let folder = wrong();
    for flags in [&["--format", "json=out.json"][..], &["--format", "json", "-o", "out.json"]] {
        let (code, out, err) = run(folder.path(), &[&["check", "model.xml"], flags].concat());
        assert_eq!((code, out.as_str()), (1, ""));
        assert_eq!(
            err,
            "ovlint: 1 error in 1 of 1 model (1 fixable with --fix). See `ovlint explain declared-shape` for details.\n"
        );
        let written = fs::read_to_string(folder.path().join("out.json")).unwrap();
        assert_eq!(written, run(folder.path(), &["check", "model.xml", "--format", "json"]).1);
        fs::remove_file(folder.path().join("out.json")).unwrap();
    }
}

#[test]
fn text_in_files_has_no_colour() {
    let folder = wrong();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ovlint"));
    command.args(["check", "model.xml", "--format", "text", "--format", "text=out.txt"]).current_dir(folder.path());
    let out = command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").env("COLUMNS", "80").output().unwrap();
    let (coloured, plain) = (utf8(&out.stdout), fs::read_to_string(folder.path().join("out.txt")).unwrap());
    assert!(coloured.contains("\u{1b}[") && !plain.contains('\u{1b}'));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn failed_runs_write_no_file() {
    let folder = wrong();
    fs::write(folder.path().join("out.json"), "of the last run").unwrap();
    let (code, out, err) =
        run(folder.path(), &["check", "model.xml", "no-such.xml", "--format", "concise", "--format", "json=out.json"]);
    assert_eq!((code, out.lines().count()), (2, 2));
    assert_eq!(err, "ovlint: out.json is not written, as the run failed\n");
    assert_eq!(fs::read_to_string(folder.path().join("out.json")).unwrap(), "of the last run");
    assert_eq!(files(folder.path()), ["model.bin", "model.xml", "out.json"]);
}

#[test]
fn what_cannot_work_is_reported_before_anything_runs() {
    let folder = wrong();
    let cases: [(&[&str], &str); 10] = [
        (&["--format", "json", "--format", "text"], "json cannot share stdout with another format: --format json=FILE"),
        (&["--format", "json=a", "--format", "sarif=a"], "two reports cannot both go to a"),
        (&["--format", "json=a", "--format", "sarif=./a"], "two reports cannot both go to ./a"),
        (&["-o", "model.bin"], "model.bin is checked in this run; a report there would write over it"),
        (&["--format", "junit=model.xml"], "model.xml is checked in this run; a report there would write over it"),
        (&["--format", "junit=./model.xml"], "./model.xml is checked in this run; a report there would write over it"),
        (&["--format", "json=none/a"], "cannot write none/a: cannot create a file in its folder: No such file"),
        (&["-o", "."], "cannot write .: is a directory"),
        (&["--format", "json=a", "-o", "b"], "--output, but every format has a file of its own"),
        (
            &["--format", "json", "--format", "text", "-o", "b"],
            "--output takes one format: give each a file, --format FORMAT=FILE",
        ),
    ];
    for (flags, message) in cases {
        let (code, out, err) = run(folder.path(), &[&["check", "model.xml"], flags].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{flags:?}");
        assert!(err.starts_with(&format!("ovlint: {message}")), "{err}");
    }
    for (name, hint) in [("sarfi", "; did you mean `sarif`?"), ("xyz", ""), ("json=", "")] {
        let (code, _, err) = run(folder.path(), &["check", "model.xml", "--format", name]);
        let message = if name == "json=" { "no file after `=`" } else { "there is no such format" };
        assert!(code == 2 && err.contains(&format!(": {message}{hint}\n")), "{err}");
    }
    assert_eq!(files(folder.path()), ["model.bin", "model.xml"]);
}

#[test]
fn lines_for_github_and_text_share_stdout() {
    let folder = wrong();
    let summary = folder.path().join("summary.md");
    fs::write(&summary, "# before\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ovlint"));
    command.args(["check", "model.xml", "--format", "concise", "--format", "github"]).current_dir(folder.path());
    let out = command.env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
    let (text, table) = (utf8(&out.stdout), fs::read_to_string(&summary).unwrap());
    assert_eq!(text.lines().count(), 3);
    assert!(text.lines().nth(1).unwrap().starts_with("::error file=model.xml,line="), "{text}");
    assert!(table.starts_with("# before\n### ovlint\n\n| severity |"), "{table}");
    assert!(table.contains("\n| error | `declared-shape` | model.xml:"), "{table}");
    // Without the variable there is no table, and without the format it is not read.
    assert_eq!(run(folder.path(), &["check", "model.xml", "--format", "github"]).0, 1);
    assert_eq!(fs::read_to_string(&summary).unwrap(), table);
}

#[test]
fn threads_do_not_change_a_byte_of_any_format() {
    for format in Format::ALL.map(Format::name) {
        let with = |jobs: &str| run(&root(), &["check", "bad", "models", "--format", format, "-j", jobs]);
        let one = with("1");
        assert_eq!(one.0, 1);
        assert!(one == with("2") && one == with("5"), "{format}");
    }
}

#[test]
fn an_empty_run_writes_empty_reports() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = run(folder.path(), &["check", "--files-from", "/dev/null", "--format", "gitlab"]);
    assert_eq!((code, serde_json::from_str::<Value>(&out).unwrap()), (0, serde_json::json!([])));
    assert_eq!(run(folder.path(), &["check", ".", "-o", "out.txt"]).0, 3);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = copy_of("models/split.xml");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args(["check", "split.xml"])
        .current_dir(folder.path())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(code(&out), 2);
    assert_eq!(utf8(&out.stderr), "ovlint: cannot write the report: No space left on device (os error 28)\n");
    let (status, _, err) = run(folder.path(), &["check", "split.xml", "-o", "/dev/full"]);
    assert_eq!(status, 2);
    assert!(err.ends_with("ovlint: cannot write /dev/full: No space left on device (os error 28)\n"), "{err}");

    for arguments in
        [&["shapes", "split.xml"] as &[&str], &["explain"], &["explain", "--all"], &["generate", "schema", "report"]]
    {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ovlint"));
        let out = command.args(arguments).current_dir(folder.path()).stdout(full).output().unwrap();
        let told = "ovlint: cannot write to stdout: No space left on device (os error 28)\n";
        assert_eq!((code(&out), utf8(&out.stderr).as_str()), (2, told), "{arguments:?}");
    }
}

/// Many models, so that a run takes a while.
fn many() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read(root().join(DECLARED_SHAPE)).unwrap();
    for number in 0..400 {
        fs::write(folder.path().join(format!("m{number:03}.xml")), &text).unwrap();
    }
    folder
}

#[test]
fn a_reader_who_goes_away_ends_the_run_quietly() {
    let folder = many();
    for format in ["text", "json"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ovlint"))
            .args(["check", ".", "--format", format])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let out = child.wait_with_output().unwrap();
        assert_eq!(utf8(&out.stderr), "", "{format}");
        assert!(out.status.code().is_some_and(|code| code < 2), "{:?}", out.status);
    }
}

#[test]
fn files_are_whole_even_if_nobody_reads_stdout() {
    let folder = many();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args(["check", ".", "--format", "text", "--format", "json=out.json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let report: Value = serde_json::from_slice(&fs::read(folder.path().join("out.json")).unwrap()).unwrap();
    assert_eq!(report["models"].as_array().unwrap().len(), 400);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;
    let folder = many();
    let before = files(folder.path());
    let mut child = Command::new(env!("CARGO_BIN_EXE_ovlint"))
        .args(["check", ".", "--format", "ndjson", "--format", "sarif=out.sarif"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It is under way once it says something; it cannot end, as nobody reads the rest.
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 100]).unwrap();
    // Not as a terminal does it: shells let what runs in the background ignore SIGINT.
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let mut stdout = child.stdout.take();
    let status = child.wait().unwrap();
    drop(stdout.take());
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!((status.signal(), told.as_str()), (Some(15), ""));
    assert_eq!(files(folder.path()), before);
}

#[test]
fn titles_without_a_place_are_wrapped_below_their_beginning() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ovlint"));
    command.args(["check", "model.xml"]).current_dir(root().join("bad/weights-file-missing"));
    let out = command.env("COLUMNS", "60").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE").output().unwrap();
    let text = utf8(&out.stdout);
    let mut lines = text.lines();
    let (first, second) = (lines.next().unwrap(), lines.next().unwrap());
    let title = first.find("]: ").unwrap() + 3;
    assert_eq!(second.len() - second.trim_start().len(), title, "{text}");
    assert!(lines.next().unwrap().starts_with("  --> "), "{text}");
}

/// A model with one edited input, from which 42 findings follow.
fn reshaped() -> tempfile::TempDir {
    let folder = copy_of("models/detector.xml");
    let path = folder.path().join("detector.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("shape=\"?,3,32,32\"", "shape=\"?,3,64,64\"")).unwrap();
    folder
}

#[test]
fn sarif_has_one_result_for_a_finding_and_what_follows_from_it() {
    let folder = reshaped();
    let (_, out, _) = run(folder.path(), &["check", "detector.xml", "--format", "sarif"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let results = report["runs"][0]["results"].as_array().unwrap();
    let consequences = results[0]["properties"]["consequences"].as_u64().unwrap();
    let related = results[0]["relatedLocations"].as_array().unwrap();
    let follow = related.iter().filter_map(|place| place["message"]["text"].as_str());
    let follow = follow.filter(|text| text.starts_with("follows from this: ")).count();
    assert_eq!((results.len(), follow), (1, 20));
    assert!(consequences > 40, "{consequences}");
}

#[test]
fn json_has_notes_help_and_causes() {
    let folder = reshaped();
    let found = findings(folder.path(), ["check", "detector.xml"]);
    let root = &found[0];
    assert!(root["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("OpenVINO")), "{root}");
    assert_eq!((root["help"].is_null(), root["label"].is_string()), (true, true), "{root}");
    assert!(found.iter().skip(1).all(|other| other["cause"] == root["id"] && other["id"].is_u64()));
    let split = findings(&crate::program::root(), ["check", "models/split.xml", "--shape", "[6,13]"]);
    assert_eq!(split[0]["help"], "VariadicSplit with split_lengths [5, 4, 4] would work");
}

#[test]
fn names_of_junit_cases_survive_a_new_export() {
    let names = |folder: &Path| -> Vec<String> {
        let (_, out, _) = run(folder, &["check", "model.xml", "--format", "junit"]);
        let cases = out.lines().filter_map(|line| line.split_once("<testcase name=\"")?.1.split('"').next());
        cases.map(str::to_owned).collect()
    };
    let folder = wrong();
    assert_eq!(names(folder.path()), ["declared-shape split out:3[1]"]);
    let path = folder.path().join("model.xml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("<layers>", "<layers>\n\n\n")).unwrap();
    assert_eq!(names(folder.path()), ["declared-shape split out:3[1]"]);
    fs::write(&path, text.replace("name=\"split\"", "name=\"Split_17\"")).unwrap();
    assert_eq!(names(folder.path()), ["declared-shape Split_* out:3[1]"]);
}

#[test]
fn every_command_counts_alike() {
    let folder = reshaped();
    let (_, text, _) = run(folder.path(), &["check", "detector.xml"]);
    assert!(text.contains("\n1 error in 1 of 1 model"), "{text}");
    let (_, out, _) = run(folder.path(), &["check", "detector.xml", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["summary"]["errors"], 1);
    let (_, page, _) = run(folder.path(), &["info", "detector.xml"]);
    assert!(page.contains("1 error, 0 warnings"), "{page}");
    let (_, _, err) = run(folder.path(), &["check", "detector.xml", "--fix"]);
    assert_eq!(err, "ovlint: fixed 1 finding and 42 that follow from others in 1 model\n");
}

#[test]
fn lines_that_are_wrapped_are_indented() {
    let mut wrapped = 0;
    for width in ["40", "47", "60", "80", "100", "120"] {
        let flags = ["check", "bad", "--isolated", "--profile", "pedantic", "-q"];
        let out =
            Command::new(env!("CARGO_BIN_EXE_ovlint")).args(flags).env("COLUMNS", width).current_dir(root()).output();
        let mut indent = 0;
        for line in utf8(&out.unwrap().stdout).lines() {
            let text = line.trim_start();
            let margin = line.len() - text.len();
            let titles = ["error[", "warning[", "info[", "note: ", "help: "];
            if let Some(start) = ["= note: ", "= help: "].into_iter().find(|start| text.starts_with(start)) {
                indent = margin + start.len();
            } else if titles.iter().any(|start| line.starts_with(start)) {
                indent = line.find(": ").unwrap() + 2;
            } else if text.starts_with(|first: char| first.is_alphabetic() || first == '`') {
                assert_eq!(margin, indent, "{width} columns: {line}");
                wrapped += 1;
            }
        }
    }
    assert!(wrapped > 1_000, "{wrapped}");
}
