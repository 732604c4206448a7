//! `ovlint snapshot`: what is compared, what is written and what is said.

use crate::program::{code, copy_folder, copy_of, ovlint, root, utf8};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit code, stdout and stderr of `ovlint snapshot` in a folder.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    run_with(folder, arguments, "")
}

fn run_with(folder: &Path, arguments: &[&str], update: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ovlint"));
    command.arg("snapshot").args(arguments).current_dir(folder).env("OVLINT_UPDATE", update);
    let out = command.output().unwrap();
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn change(folder: &Path, name: &str, from: &str, to: &str) {
    let text = read(folder, name);
    assert!(text.contains(from), "{from}");
    fs::write(folder.join(name), text.replace(from, to)).unwrap();
}

/// A folder with a model and its snapshot.
fn with_snapshot() -> tempfile::TempDir {
    let folder = copy_of("models/split.xml");
    let written = run(folder.path(), &["update"]);
    assert_eq!(written, (0, "./split.ovshapes: written\n".into(), "ovlint: 1 model: 1 new\n".into()));
    folder
}

#[test]
fn snapshots_are_the_text_of_the_library() {
    let folder = with_snapshot();
    assert_eq!(read(folder.path(), "split.ovshapes"), ovlint::shapes(folder.path().join("split.xml")).unwrap());
    assert_eq!(run(folder.path(), &["check"]), (0, String::new(), "ovlint: 1 model: all as committed\n".into()));
}

#[test]
fn a_missing_snapshot_says_how_to_write_it() {
    let folder = copy_of("models/split.xml");
    let (code, out, err) = run(folder.path(), &["check", "split.xml"]);
    assert_eq!(code, 1);
    assert_eq!(out, "split.ovshapes: missing; `ovlint snapshot update split.xml` writes it\n");
    assert_eq!(err, "ovlint: 1 model: 1 without a snapshot\n");
}

#[test]
fn a_change_is_a_diff() {
    let folder = with_snapshot();
    change(folder.path(), "split.xml", "shape=\"6,12,10,24\"", "shape=\"6,12,10,25\"");
    let (code, out, _) = run(folder.path(), &["check", "split.ovshapes"]);
    assert_eq!(code, 1);
    let expected = "split.ovshapes: first change: input `data`, f32[6, 12, 10, 24] -> f32[6, 12, 10, 25]\n\
        --- split.ovshapes\n+++ split.xml\n@@ -1,7 +1,7 @@\n # ovlint shapes v3\n model split\n\
        -in    data \"data\"  f32[6, 12, 10, 24]\n\
        -      split_3  Split  :0..2 f32[6, 4, 10, 24]\n\
        -out   out0 \"part0\"  f32[6, 4, 10, 24]\n\
        -out   out1 \"part1\"  f32[6, 4, 10, 24]\n\
        -out   out2 \"part2\"  f32[6, 4, 10, 24]\n\
        +in    data \"data\"  f32[6, 12, 10, 25]\n\
        +      split_3  Split  :0..2 f32[6, 4, 10, 25]\n\
        +out   out0 \"part0\"  f32[6, 4, 10, 25]\n\
        +out   out1 \"part1\"  f32[6, 4, 10, 25]\n\
        +out   out2 \"part2\"  f32[6, 4, 10, 25]\n";
    assert_eq!(out, expected);
    assert_eq!(run(folder.path(), &["update"]).1, "./split.ovshapes: updated\n");
    assert_eq!(run(folder.path(), &["check"]).0, 0);
}

#[test]
fn the_environment_updates_inside_tests() {
    let folder = with_snapshot();
    change(folder.path(), "split.xml", "shape=\"6,12,10,24\"", "shape=\"6,12,10,25\"");
    assert_eq!(run_with(folder.path(), &["check"], "0").0, 1);
    assert_eq!(run_with(folder.path(), &["check"], "1").0, 0);
    assert!(read(folder.path(), "split.ovshapes").contains("f32[6, 12, 10, 25]"));
}

#[test]
fn a_new_export_of_the_same_model_is_the_same() {
    let folder = with_snapshot();
    // Other layer ids, port ids, lines, declared shapes and made-up names.
    for (from, to) in [
        ("from-layer=\"2\"", "from-layer=\"702\""),
        ("to-layer=\"2\"", "to-layer=\"702\""),
        ("layer id=\"2\"", "layer id=\"702\""),
        ("\n", "\n\n"),
        ("<dim>4</dim>", "<dim>-1</dim>"),
    ] {
        change(folder.path(), "split.xml", from, to);
    }
    assert_eq!(run(folder.path(), &["check"]).0, 0);
    change(folder.path(), "split.xml", "name=\"split_3\"", "name=\"Split_4711\"");
    change(folder.path(), "split.xml", "<net name=\"split\"", "<net name=\"Model7\"");
    run(folder.path(), &["update"]);
    let text = read(folder.path(), "split.ovshapes");
    assert!(
        text.contains("\nmodel Model*\n") && text.contains("\n      Split_*  Split  :0..2 f32[6, 4, 10, 24]"),
        "{text}"
    );
    change(folder.path(), "split.xml", "name=\"Split_4711\"", "name=\"Split_12\"");
    change(folder.path(), "split.xml", "name=\"Model7\"", "name=\"Model31\"");
    assert_eq!(run(folder.path(), &["check"]).0, 0);
}

#[test]
fn a_snapshot_whose_model_is_gone_is_reported_and_pruned() {
    let folder = with_snapshot();
    fs::remove_file(folder.path().join("split.xml")).unwrap();
    let (code, out, err) = run(folder.path(), &["check"]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "./split.ovshapes: its model no longer exists; `ovlint snapshot update --prune` deletes the snapshot\n"
    );
    assert_eq!(err, "ovlint: 0 models: 1 gone\n");
    let pruned = run(folder.path(), &["update", "--prune", "split.ovshapes"]);
    assert_eq!((pruned.0, pruned.1.as_str()), (0, "split.ovshapes: deleted\n"));
    assert_eq!(run(folder.path(), &["check"]).0, 3);
}

#[test]
fn only_what_changed_is_written() {
    let folder = with_snapshot();
    let path = folder.path().join("split.ovshapes");
    let crlf = read(folder.path(), "split.ovshapes").replace('\n', "\r\n");
    fs::write(&path, &crlf).unwrap();
    assert_eq!(run(folder.path(), &["check"]).0, 0);
    assert_eq!(run(folder.path(), &["update"]).1, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), crlf);
}

#[test]
fn weights_count_where_the_snapshot_has_them() {
    let folder = with_snapshot();
    let bin = folder.path().join("split.bin");
    let mut longer = fs::read(&bin).unwrap();
    longer.extend([0; 16]);
    let (code, out, _) = run(folder.path(), &["check", "--with-weights"]);
    assert_eq!(code, 1, "a snapshot without a digest says nothing of the weights");
    assert!(out.contains("\n+weights sha256:"), "{out}");
    run(folder.path(), &["update", "--with-weights"]);
    assert_eq!(run(folder.path(), &["check", "--with-weights"]).0, 0);
    let digest = |text: String| text.lines().last().unwrap().to_owned();
    let before = digest(read(folder.path(), "split.ovshapes"));
    assert!(before.starts_with("weights sha256:") && before.len() == 15 + 64, "{before}");
    // Bytes of no constant, and where the constant lies, do not count.
    longer.copy_within(0..8, 8);
    fs::write(&bin, &longer).unwrap();
    change(folder.path(), "split.xml", "offset=\"0\"", "offset=\"8\"");
    assert_eq!(run(folder.path(), &["check"]).0, 0);
    longer[8] = 0;
    fs::write(&bin, &longer).unwrap();
    let (code, out, _) = run(folder.path(), &["check"]);
    assert_eq!(code, 1);
    assert!(out.contains(&format!("\n-{before}\n")) && out.contains("\n+weights sha256:"), "{out}");
}

#[test]
fn files_that_cannot_be_read_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("model.xml"), "<net").unwrap();
    let (code, out, err) = run(folder.path(), &["update", "model.xml"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("model.xml: XML is not well formed: "), "{out}");
    assert_eq!(err, "ovlint: 1 model: 1 unreadable\n");
    assert_eq!(run(folder.path(), &["check", "no-such.xml"]).0, 2);
}

#[cfg(unix)]
#[test]
fn snapshots_are_not_written_through_links() {
    let (folder, other) = (copy_of("models/split.xml"), tempfile::tempdir().unwrap());
    let target = other.path().join("target");
    std::os::unix::fs::symlink(&target, folder.path().join("split.ovshapes")).unwrap();
    let update = || {
        let out = ovlint(folder.path(), ["snapshot", "update", "."]);
        (code(&out), utf8(&out.stderr))
    };
    let reason = format!("it is a link to {}, and links are not followed; name the file itself", target.display());
    let unwritten = format!("ovlint: cannot write ./split.ovshapes: {reason}\novlint: 1 model: 1 not written\n");
    let reason = "it is a link out of the folder to check and its work tree; name the model itself to follow it";
    let refused = format!("ovlint: cannot read ./split.ovshapes: {reason}\novlint: 1 model: 1 unreadable\n");
    assert_eq!(update(), (2, unwritten));
    assert!(!target.exists());
    fs::write(&target, "something else\n").unwrap();
    assert_eq!(update(), (2, refused));
    assert_eq!(fs::read_to_string(&target).unwrap(), "something else\n");
}

#[cfg(unix)]
#[test]
fn snapshots_that_cannot_be_written_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = copy_of("models/split.xml");
    let path = folder.path().join("split.ovshapes");
    fs::write(&path, "old\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let out = ovlint(folder.path(), ["snapshot", "update", "."]);
    let told = "ovlint: cannot write ./split.ovshapes: it is read-only\novlint: 1 model: 1 not written\n";
    assert_eq!((code(&out), utf8(&out.stderr).as_str()), (2, told));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old\n");
}

/// A folder with a model whose layers have generated names.
fn with_generated_names() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["model.xml", "model.bin"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/generated_names").join(name);
        fs::copy(from, folder.path().join(name)).unwrap();
    }
    folder
}

/// Other numbers in the names that an exporter made up, and the layers in another order.
fn export_again(folder: &Path) {
    for (from, to) in [
        ("1605116054_const", "1605999_const"),
        ("Relu_5", "Relu_98"),
        ("Multiply_1234", "Constant_7"),
        ("Reshape_77", "Reshape_10234"),
    ] {
        change(folder, "model.xml", from, to);
    }
    let text = read(folder, "model.xml");
    let mut lines: Vec<&str> = text.lines().collect();
    let place = |what: &str| lines.iter().position(|line| line.contains(what)).unwrap();
    let (relu, sigmoid) = (place("\"ReLU\""), place("\"Sigmoid\""));
    lines.swap(relu, sigmoid);
    fs::write(folder.join("model.xml"), lines.join("\n") + "\n").unwrap();
}

#[test]
fn snapshots_of_another_version_are_written_anew() {
    let folder = with_generated_names();
    fs::write(folder.path().join("model.ovshapes"), "# ovlint shapes v1\nmodel model\n").unwrap();
    let (code, _, err) = run(folder.path(), &["check"]);
    let anew = "./model.ovshapes has a different format version; run `ovlint snapshot update` to rewrite it";
    assert!(code == 2 && err.starts_with(&format!("ovlint: {anew}\n")), "{err}");
    assert_eq!(run(folder.path(), &["update"]).1, "./model.ovshapes: updated\n");
    assert_eq!(
        read(folder.path(), "model.ovshapes"),
        "# ovlint shapes v3\nmodel model\nin    data  f32[1, 4]\n      ReLU_*  ReLU  f32[1, 4]\n      \
         Sigmoid_*  Sigmoid  f32[1, 4]\n      Reshape_*  Reshape  f32[2, 2]\n      join  Concat  f32[2, 4]\n\
         out   out0  f32[2, 2]\nout   out1  f32[2, 4]\n"
    );
    assert_eq!(run(folder.path(), &["update"]).1, "");
    export_again(folder.path());
    assert_eq!(run(folder.path(), &["check"]), (0, String::new(), "ovlint: 1 model: all as committed\n".into()));
}

#[test]
fn a_new_name_is_one_changed_line() {
    let folder = with_generated_names();
    run(folder.path(), &["update"]);
    change(folder.path(), "model.xml", "name=\"join\"", "name=\"a_much_longer_name_than_before\"");
    let (code, out, _) = run(folder.path(), &["check"]);
    assert_eq!(code, 1);
    assert!(
        out.starts_with("./model.ovshapes: `join` (Concat) is now `a_much_longer_name_than_before` (Concat)\n--- "),
        "{out}"
    );
    let changed = out.lines().filter(|line| line.starts_with("+ ") || line.starts_with("- "));
    assert_eq!(changed.count(), 2, "{out}");
}

#[test]
fn what_follows_from_constants_stays_where_it_is_taken() {
    let folder = copy_of("models/detector.xml");
    run(folder.path(), &["update"]);
    let text = read(folder.path(), "detector.xml");
    for name in ["normalised", "stem.weight", "csp.block", "pool", "scores"] {
        let renamed = text.replace(&format!("name=\"{name}\""), "name=\"another\"");
        fs::write(folder.path().join("detector.xml"), renamed).unwrap();
        let (_, out, _) = run(folder.path(), &["check"]);
        let changed = out.lines().filter(|line| line.starts_with("+ ") || line.starts_with("- "));
        assert_eq!(changed.count(), 2, "{out}");
    }
}

#[test]
fn baselines_hold_for_the_next_export() {
    let folder = with_generated_names();
    let check = |arguments: &[&str]| {
        let out = ovlint(folder.path(), ["check", "model.xml", "--format", "concise"].iter().chain(arguments).copied());
        (code(&out), utf8(&out.stdout))
    };
    assert!(check(&[]).1.contains("[declared-shape]"));
    fs::write(folder.path().join("known.json"), "{\"version\": 1, \"models\": {}}").unwrap();
    assert_eq!(check(&["--baseline", "known.json"]).0, 2);
    check(&["--write-baseline", "known.json"]);
    export_again(folder.path());
    assert_eq!(check(&["--baseline", "known.json"]).1, "");
}

/// What stands where the weights should be.
#[derive(Clone, Copy, Debug)]
enum Bin {
    There,
    Pointer,
    Missing,
}

fn put(folder: &Path, bin: Bin) {
    let path = folder.join("model.bin");
    match bin {
        Bin::There => fs::write(path, [2_i64, 2].map(i64::to_le_bytes).concat()).unwrap(),
        Bin::Pointer => {
            let oid = "0".repeat(64);
            let text = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 16\n");
            fs::write(path, text).unwrap();
        }
        Bin::Missing => drop(fs::remove_file(path)),
    }
}

#[test]
fn many_changed_models_take_one_screen() {
    let folder = copy_of("models/split.xml");
    for ending in ["xml", "bin"] {
        let file = folder.path().join(format!("split.{ending}"));
        for number in 10..30 {
            fs::copy(&file, folder.path().join(format!("{number}.{ending}"))).unwrap();
        }
        fs::remove_file(file).unwrap();
    }
    let (code, out, err) = run(folder.path(), &["update"]);
    assert_eq!((code, out.lines().count(), err.as_str()), (0, 17, "ovlint: 20 models: 20 new\n"), "{out}");
    assert!(out.ends_with("./25.ovshapes: written\nand 4 more models\n"), "{out}");
    for number in 10..30 {
        change(folder.path(), &format!("{number}.xml"), "shape=\"6,12,10,24\"", "shape=\"6,12,10,25\"");
    }
    let (code, out, err) = run(folder.path(), &["check"]);
    let diffs = out.lines().filter(|line| line.starts_with("+++ ")).count();
    let changes = out.lines().filter(|line| line.contains("first change: input `data`, ")).count();
    assert_eq!((code, diffs, changes), (1, 3, 16), "{out}");
    assert!(out.ends_with("\nand 4 more models\n"), "{out}");
    let more = "17 further diffs not shown; use `ovlint snapshot check MODEL` to see the diff of one model";
    assert_eq!(err, format!("ovlint: {more}\novlint: 20 models: 20 changed\n"));
}

#[test]
fn many_models_without_weights_take_few_lines() {
    let folder = copy_of("models/variadic_split.xml");
    let text = read(folder.path(), "variadic_split.xml");
    fs::remove_file(folder.path().join("variadic_split.bin")).unwrap();
    for number in 0..9 {
        fs::write(folder.path().join(format!("{number}.xml")), &text).unwrap();
    }
    fs::remove_file(folder.path().join("variadic_split.xml")).unwrap();
    let (code, out, err) = run(folder.path(), &["update"]);
    assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 5), "{err}");
    assert!(err.ends_with(
        "ovlint: 6 more models without weights; use `--assume` to take the declared shapes instead\novlint: 9 models: 9 without weights\n"
    ));
}

#[test]
fn without_weights_nothing_is_compared_or_written() {
    let said = |bin: Bin| match bin {
        Bin::There => None,
        Bin::Pointer => Some("./model.bin is a Git LFS pointer, not weights"),
        Bin::Missing => Some("./model.bin is missing"),
    };
    let (bins, mut texts) = ([Bin::There, Bin::Pointer, Bin::Missing], None);
    for (first, then) in bins.iter().flat_map(|first| bins.map(|then| (*first, then))) {
        let folder = with_generated_names();
        // Ports that declare what follows from the weights.
        change(folder.path(), "model.xml", "<dim>4</dim><dim>2</dim>", "<dim>2</dim><dim>2</dim>");
        let told = |why: &str| {
            let why = format!(
                "ovlint: ./model.ovshapes: {why}\novlint: use `--assume` to take the declared shapes instead\n"
            );
            (2, String::new(), format!("{why}ovlint: 1 model: 1 without weights\n"))
        };
        put(folder.path(), first);
        let update = run(folder.path(), &["update"]);
        match said(first) {
            None => assert_eq!(update.0, 0),
            Some(why) => {
                assert_eq!(update, told(why), "{first:?}");
                assert!(!folder.path().join("model.ovshapes").exists());
                assert_eq!(run(folder.path(), &["update", "--assume"]).0, 0);
            }
        }
        let written = read(folder.path(), "model.ovshapes");
        assert_eq!(*texts.get_or_insert(written.clone()), written, "the ports declare what is inferred");
        put(folder.path(), then);
        let check = run(folder.path(), &["check"]);
        match (said(first), said(then)) {
            (_, None) => assert_eq!(check.0, 0, "{first:?} {then:?} {check:?}"),
            (_, Some(why)) => {
                assert_eq!(check, told(why));
                let (code, out, err) = run(folder.path(), &["check", "--assume"]);
                let known = "ovlint: 1 model: all as committed; 1 compared by declared shapes, without weights\n";
                assert_eq!((code, out.as_str(), err.as_str()), (0, "", known));
                assert_eq!(run(folder.path(), &["update"]), told(why));
                assert_eq!(read(folder.path(), "model.ovshapes"), written);
            }
        }
    }
}

#[test]
fn the_links_of_a_pipeline_are_committed_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&root().join("bad/pipeline-link/diffusion"), folder.path());
    let (code, out, err) = run(folder.path(), &["update"]);
    assert_eq!((code, err.as_str()), (0, "ovlint: 2 models: 2 new, 1 pipeline written\n"));
    assert!(out.ends_with("./pipeline.ovshapes: written\n"), "{out}");
    let wanted = "# ovlint pipeline v1\nkind diffusion\n\
        member text_encoder  text_encoder/openvino_model.xml\nmember unet  unet/openvino_model.xml\n\
        link text_encoder `last_hidden_state` f32[?,77,24] -> unet `encoder_hidden_states` f32[?,77,16]  does not fit\n";
    assert_eq!(read(folder.path(), "pipeline.ovshapes"), wanted);
    for action in ["check", "update"] {
        let same = (0, String::new(), "ovlint: 2 models: all as committed\n".to_owned());
        assert_eq!(run(folder.path(), &[action]), same);
    }
    change(folder.path(), "pipeline.ovshapes", "77,24", "77,16");
    let (code, out, err) = run(folder.path(), &["check", "pipeline.ovshapes"]);
    assert_eq!((code, err.as_str()), (1, "ovlint: 2 models: 1 pipeline changed\n"));
    assert!(out.starts_with("--- ./pipeline.ovshapes\n+++ .\n") && out.contains("\n+link text_encoder"), "{out}");
    // A snapshot of another version is an error, and one that is absent is not missed.
    fs::write(folder.path().join("pipeline.ovshapes"), "# ovlint pipeline v9\n").unwrap();
    let (code, _, err) = run(folder.path(), &["check"]);
    assert_eq!((code, err.contains("pipeline.ovshapes has a different format version")), (2, true), "{err}");
    fs::remove_file(folder.path().join("pipeline.ovshapes")).unwrap();
    assert_eq!(run(folder.path(), &["check"]).0, 0);
}

#[test]
fn the_snapshot_of_a_pipeline_outlives_a_broken_model_and_not_its_models() {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&root().join("bad/pipeline-link/diffusion"), folder.path());
    run(folder.path(), &["update"]);
    let before = read(folder.path(), "pipeline.ovshapes");
    fs::write(folder.path().join("unet/openvino_model.xml"), "<net").unwrap();
    let (_, out, _) = run(folder.path(), &["update", "--prune"]);
    assert!(!out.contains("pipeline.ovshapes"), "{out}");
    assert_eq!(read(folder.path(), "pipeline.ovshapes"), before);
    for part in ["unet", "text_encoder"] {
        fs::remove_dir_all(folder.path().join(part)).unwrap();
    }
    let (code, out, _) = run(folder.path(), &["check"]);
    assert_eq!((code, out.contains("./pipeline.ovshapes: its model no longer exists")), (1, true), "{out}");
}
