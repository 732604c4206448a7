//! `ovlint diff`: what counts as different at which level, and how it is shown.

mod matching;

use crate::program::{code, ovlint, root, utf8};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with a sample as `old.xml` and `new.xml`, the latter changed.
fn changed(sample: &str, changes: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = root().join(sample);
    let text = fs::read_to_string(&path).unwrap();
    let new = changes.iter().fold(text.clone(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    fs::write(folder.path().join("old.xml"), text).unwrap();
    fs::write(folder.path().join("new.xml"), new).unwrap();
    for name in ["old.bin", "new.bin"] {
        fs::copy(path.with_extension("bin"), folder.path().join(name)).unwrap();
    }
    folder
}

/// Exit code, stdout and stderr of `ovlint diff old.xml new.xml`.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, ["diff", "old.xml", "new.xml"].into_iter().chain(arguments.iter().copied()));
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn difference(folder: &Path) -> String {
    let (code, out, err) = run(folder, &[]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    out
}

const SPLIT: &str = "models/split.xml";

/// A model whose weights start with a number on which no shape depends.
const DYNAMIC: &str = "dynamic/encoder.xml";

#[test]
fn a_new_export_is_no_difference() {
    let changes = [
        ("from-layer=\"2\"", "from-layer=\"702\""),
        ("to-layer=\"2\"", "to-layer=\"702\""),
        ("layer id=\"2\"", "layer id=\"702\""),
        ("\n\t", "\n\n\t"),
        ("<dim>4</dim>", "<dim>5</dim>"),
    ];
    let folder = changed(SPLIT, &changes);
    assert_eq!(run(folder.path(), &[]), (0, "no differences\n".into(), String::new()));
    let (code, out, _) = run(folder.path(), &["--level", "bytes"]);
    assert_eq!((code, out.as_str()), (1, "bytes\n  ~ the bytes of the .xml differ\n"));
}

#[test]
fn new_names_are_counted_but_no_difference() {
    let renamed = |to: &str| run(changed(SPLIT, &[("name=\"split_3\"", to)]).path(), &[]);
    assert_eq!(renamed("name=\"thirds\""), (0, "no differences; 1 layer renamed\n".into(), String::new()));
    let generated = [("name=\"split_3\"", "name=\"Split_3\""), ("name=\"axis\"", "name=\"other\"")];
    let folder = changed(SPLIT, &generated);
    let again = fs::read_to_string(folder.path().join("new.xml")).unwrap().replace("\"Split_3\"", "\"Split_70\"");
    fs::copy(folder.path().join("new.xml"), folder.path().join("old.xml")).unwrap();
    fs::write(folder.path().join("new.xml"), again).unwrap();
    assert_eq!(run(folder.path(), &[]), (0, "no differences\n".into(), String::new()));
}

#[test]
fn shapes_are_shown_at_the_root_and_counted_downstream() {
    let folder = changed(SPLIT, &[("shape=\"6,12,10,24\"", "shape=\"?,12,10,24\"")]);
    let expected = "\
interface
  ~ input  data   f32[6, 12, 10, 24] -> f32[batch, 12, 10, 24]  (now dynamic)
  ~ output part0  f32[6, 4, 10, 24] -> f32[batch, 4, 10, 24]  (now dynamic)
  ~ output part1  f32[6, 4, 10, 24] -> f32[batch, 4, 10, 24]  (now dynamic)
  ~ output part2  f32[6, 4, 10, 24] -> f32[batch, 4, 10, 24]  (now dynamic)
layers  matched 5 by name, 0 by structure; added 0, removed 0, changed 2
  ~ data  Parameter  shape 6,12,10,24 -> ?,12,10,24
      f32[6, 12, 10, 24] -> f32[batch, 12, 10, 24]
  ~ 1 more layer downstream, as its inputs have other shapes
";
    assert_eq!(difference(folder.path()), expected);
}

#[test]
fn levels_take_in_those_before() {
    let folder = changed(SPLIT, &[]);
    let mut bytes = fs::read(folder.path().join("new.bin")).unwrap();
    bytes.push(0);
    fs::write(folder.path().join("new.bin"), bytes).unwrap();
    for (level, differs) in [("interface", 0), ("shapes", 0), ("graph", 0), ("weights", 0), ("bytes", 1)] {
        assert_eq!(run(folder.path(), &["--level", level]).0, differs, "{level}");
    }
    let folder = changed(DYNAMIC, &[]);
    let mut bytes = fs::read(folder.path().join("new.bin")).unwrap();
    bytes[0] ^= 1;
    fs::write(folder.path().join("new.bin"), bytes).unwrap();
    for (level, differs) in [("interface", 0), ("shapes", 0), ("graph", 0), ("weights", 1), ("bytes", 1)] {
        assert_eq!(run(folder.path(), &["--level", level]).0, differs, "{level}");
    }
    let equal = [
        ("interface", "no differences; layers and weights were not compared\n"),
        ("shapes", "no differences; attributes, wiring and weights were not compared\n"),
        ("graph", "no differences; weights were not compared\n"),
    ];
    for (level, sentence) in equal {
        assert_eq!(run(folder.path(), &["--level", level]).1, sentence);
    }
    let folder = changed(SPLIT, &[("names=\"part1\"", "names=\"second\"")]);
    for level in ["interface", "shapes", "graph", "weights", "bytes"] {
        assert_eq!(run(folder.path(), &["--level", level]).0, 1, "{level}");
    }
}

#[test]
fn names_lost_and_new_ones_are_shown() {
    let folder = changed(SPLIT, &[("names=\"data\"", "names=\"image,pixels\"")]);
    let expected = "interface\n  ~ input  data  f32[6, 12, 10, 24]  (name lost: data; new name: image, pixels)\n";
    assert_eq!(difference(folder.path()), expected);
}

#[test]
fn renamed_layers_are_found_by_what_they_are_connected_to() {
    let folder = changed(SPLIT, &[("name=\"split_3\"", "name=\"cut\""), ("name=\"axis\"", "name=\"along\"")]);
    assert_eq!(run(folder.path(), &[]).0, 0);
    let folder = changed(SPLIT, &[("name=\"split_3\"", "name=\"Split_17\""), ("num_splits=\"3\"", "num_splits=\"4\"")]);
    let text = difference(folder.path());
    assert!(text.contains("matched 4 by name, 1 by structure; added 0, removed 0"), "{text}");
    assert!(text.contains("\n  ~ Split_17  Split  num_splits 3 -> 4\n"), "{text}");
}

#[test]
fn constants_are_compared_by_what_they_hold() {
    let folder = changed("models/variadic_split.xml", &[]);
    let path = folder.path().join("new.bin");
    let mut bytes = fs::read(&path).unwrap();
    let same = bytes.clone();
    // The lengths 1, 2, 3 become 2, 1, 3.
    let at = bytes.windows(24).position(|part| part == [1_i64, 2, 3].map(i64::to_le_bytes).concat()).unwrap();
    bytes[at..at + 16].copy_from_slice(&[2_i64, 1].map(i64::to_le_bytes).concat());
    fs::write(&path, bytes).unwrap();
    let text = difference(folder.path());
    assert!(text.contains("VariadicSplit  split_lengths [1,2,3] -> [2,1,3]\n"), "{text}");
    assert!(text.contains("\n  ~ 1 constant differs in value\n"), "{text}");
    fs::write(path, same).unwrap();
    assert_eq!(run(folder.path(), &[]).0, 0);
}

#[test]
fn port_maps_are_part_of_the_graph() {
    let folder = changed("models/control_flow.xml", &[("part_size=\"1\"", "part_size=\"2\"")]);
    let text = difference(folder.path());
    assert!(text.contains("\n  ~ loop  Loop  port map changed\n"), "{text}");
}

#[test]
fn markdown_has_a_title_and_sections() {
    let folder = changed(SPLIT, &[("names=\"data\"", "names=\"image\"")]);
    let (code, out, _) = run(folder.path(), &["--format", "md"]);
    let expected = "### new.xml\n\n**interface**\n\n````diff\n\
        ~ input  data  f32[6, 12, 10, 24]  (name lost: data; new name: image)\n````\n\n";
    assert_eq!((code, out.as_str()), (1, expected));
    let same = changed(SPLIT, &[]);
    assert_eq!(run(same.path(), &["--format", "md"]), (0, "### new.xml\n\nNo differences.\n".into(), String::new()));
}

#[test]
fn json_has_everything() {
    let folder = changed(SPLIT, &[("num_splits=\"3\"", "num_splits=\"4\"")]);
    let (code, out, _) = run(folder.path(), &["--format", "json", "--level", "graph"]);
    assert_eq!(code, 1);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["level"], "graph");
    let model = &report["models"][0];
    assert_eq!((&model["path"], &model["state"]), (&json!("new.xml"), &json!("changed")));
    assert_eq!(model["operations"], json!({"old": 5, "new": 5, "by_type": {}}));
    assert_eq!(model["layers"]["changed"][0]["details"], json!(["num_splits 3 -> 4"]));
    assert_eq!(model["weights"], Value::Null);
}

#[test]
fn folders_are_compared_model_by_model() {
    let folder = tempfile::tempdir().unwrap();
    let place = |side: &str, name: &str| -> PathBuf { folder.path().join(side).join(name) };
    for (side, names) in [("old", &["a.xml", "sub/b.xml", "gone.xml"]), ("new", &["a.xml", "sub/b.xml", "here.xml"])] {
        for name in names {
            fs::create_dir_all(place(side, name).parent().unwrap()).unwrap();
            fs::copy(root().join(SPLIT), place(side, name)).unwrap();
            fs::copy(root().join(SPLIT).with_extension("bin"), place(side, name).with_extension("bin")).unwrap();
        }
    }
    // Another model than that which is here only now.
    let gone = fs::read_to_string(place("old", "gone.xml")).unwrap().replace("num_splits=\"3\"", "num_splits=\"4\"");
    fs::write(place("old", "gone.xml"), gone).unwrap();
    let b = place("new", "sub/b.xml");
    let text = fs::read_to_string(&b).unwrap().replace("names=\"data\"", "names=\"image\"");
    fs::write(&b, text).unwrap();
    let out = ovlint(folder.path(), ["diff", "old", "new"]);
    let expected = "gone.xml\nremoved\n\nhere.xml\nadded\n\nsub/b.xml\ninterface\n  \
        ~ input  data  f32[6, 12, 10, 24]  (name lost: data; new name: image)\n\n4 models: 1 the same, 1 changed, 1 added, 1 removed\n";
    assert_eq!((code(&out), utf8(&out.stdout).as_str()), (1, expected));
    let out = ovlint(folder.path(), ["diff", "old", "old"]);
    assert_eq!((code(&out), utf8(&out.stdout).as_str()), (0, "3 models: 3 the same, 0 changed, 0 added, 0 removed\n"));
}

#[test]
fn models_with_another_name_are_compared_with_what_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |sample: &str, name: &str, from: &str, to: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, fs::read_to_string(root().join(sample)).unwrap().replace(from, to)).unwrap();
        fs::copy(root().join(sample).with_extension("bin"), path.with_extension("bin")).unwrap();
    };
    copy(SPLIT, "old/a.xml", "name=\"split\"", "name=\"a\"");
    copy(SPLIT, "new/b.xml", "name=\"split\"", "name=\"b\"");
    copy("models/detector.xml", "old/detector.xml", "", "");
    copy("models/detector.xml", "new/sub/faces.xml", "", "");
    copy("models/variadic_split.xml", "new/added.xml", "", "");
    let bin = folder.path().join("new/sub/faces.bin");
    let mut bytes = fs::read(&bin).unwrap();
    bytes.iter_mut().rev().take(8).for_each(|byte| *byte ^= 1);
    fs::write(&bin, bytes).unwrap();
    let out = ovlint(folder.path(), ["diff", "old", "new"]);
    let text = utf8(&out.stdout);
    let wanted = "added.xml\nadded\n\nb.xml (was a.xml)\nrenamed\n\nsub/faces.xml (was detector.xml)\nweights  ";
    assert!(code(&out) == 1 && text.starts_with(wanted), "{text}");
    assert!(text.ends_with("\n3 models: 0 the same, 1 changed, 1 added, 0 removed, 1 renamed\n"), "{text}");
    // Which of two is meant, nobody knows.
    copy(SPLIT, "new/c.xml", "name=\"split\"", "name=\"c\"");
    let text = utf8(&ovlint(folder.path(), ["diff", "old", "new"]).stdout);
    assert!(text.contains("a.xml\nremoved\n") && text.contains("\nc.xml\nadded\n"), "{text}");
}

#[test]
fn what_cannot_be_read_gives_2() {
    let folder = changed(SPLIT, &[]);
    fs::write(folder.path().join("new.xml"), "<net").unwrap();
    let (code, out, err) = run(folder.path(), &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: new.xml: XML is not well formed: "), "{err}");
    let out = ovlint(folder.path(), ["diff", "old.xml", "."]);
    assert_eq!(code, 2);
    assert_eq!(utf8(&out.stderr), "ovlint: . is a folder, but old.xml is not; give two folders or two models\n");
}

#[test]
fn the_place_of_constants_is_no_difference() {
    let folder = changed(SPLIT, &[("offset=\"0\"", "offset=\"64\"")]);
    fs::write(folder.path().join("new.bin"), [vec![0; 64], fs::read(folder.path().join("old.bin")).unwrap()].concat())
        .unwrap();
    assert_eq!(run(folder.path(), &[]), (0, "no differences\n".into(), String::new()));
    let (code, out, _) = run(folder.path(), &["--level", "bytes"]);
    assert_eq!(code, 1);
    assert_eq!(out, "bytes\n  ~ the bytes of the .xml differ\n  ~ the bytes of the .bin differ\n");
}

#[test]
fn files_with_the_same_bytes_are_the_same_models_in_every_count() {
    for size in [8, 4] {
        let copy = changed(SPLIT, &[]);
        let alike = changed(SPLIT, &[("</net>", "</net>\n")]);
        for folder in [&copy, &alike] {
            for name in ["old.bin", "new.bin"] {
                fs::write(folder.path().join(name), &1_i64.to_le_bytes()[..size]).unwrap();
            }
        }
        for level in ["interface", "shapes", "graph", "weights"] {
            let of = |folder: &tempfile::TempDir| run(folder.path(), &["--level", level, "--format", "json"]);
            assert_eq!(of(&copy), of(&alike), "{level} {size}");
            let code = if level == "weights" && size < 8 { 2 } else { 0 };
            assert_eq!(of(&copy).0, code, "{level} {size}");
        }
    }
}

/// What stands where the weights of the sample should be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bin {
    There,
    Changed,
    Pointer,
    ChangedPointer,
    Missing,
}

impl Bin {
    /// Whether it is, or stands for, the weights as they were; `None` if nobody knows.
    fn is_changed(self) -> Option<bool> {
        match self {
            Self::There | Self::Pointer => Some(false),
            Self::Changed | Self::ChangedPointer => Some(true),
            Self::Missing => None,
        }
    }

    fn is_there(self) -> bool {
        matches!(self, Self::There | Self::Changed)
    }

    fn put(self, path: &Path) {
        // The SHA-256 of the one constant, 1, as eight bytes; and of 2.
        let pointer =
            |oid: &str| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 8\n").into_bytes();
        let bytes = match self {
            Self::There => 1_i64.to_le_bytes().to_vec(),
            Self::Changed => 2_i64.to_le_bytes().to_vec(),
            Self::Pointer => pointer("7c9fa136d4413fa6173637e883b6998d32e1d675f88cddff9dcbcf331820f4b8"),
            Self::ChangedPointer => pointer("d86e8112f3c4c4442126f8e9f44f16867da487f29052bf91b810457db34209a4"),
            Self::Missing => return fs::remove_file(path).unwrap(),
        };
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn weights_that_are_not_there_are_not_compared() {
    let bins = [Bin::There, Bin::Changed, Bin::Pointer, Bin::ChangedPointer, Bin::Missing];
    for (old, new) in bins.iter().flat_map(|old| bins.map(|new| (*old, new))) {
        let folder = changed(SPLIT, &[]);
        old.put(&folder.path().join("old.bin"));
        new.put(&folder.path().join("new.bin"));
        let (code, out, err) = run(folder.path(), &[]);
        let wanted = match (old.is_changed(), new.is_changed()) {
            (Some(was), Some(is)) => i32::from(was != is),
            _ => 2,
        };
        assert_eq!(code, wanted, "{old:?} {new:?} {out} {err}");
        assert_eq!(out == "no differences\n", wanted == 0, "{old:?} {new:?} {out}");
        if wanted < 2 {
            assert_eq!(err, "", "{old:?} {new:?}");
        } else {
            let file = if old == Bin::Missing { "old.bin is missing" } else { "new.bin is missing" };
            assert!(out.contains("weights\n  ? 1 constant could not be compared: ") && out.contains(file), "{out}");
            let text = err.starts_with("ovlint: new.xml: 1 constant could not be compared: ") && err.contains(file);
            assert!(text && err.ends_with("; `--weights skip` compares everything else\n"), "{err}");
        }
        if wanted == 1 && (old == Bin::Pointer || new == Bin::ChangedPointer) {
            assert!(out.contains("  ~ the files differ (Git LFS: sha256 7c9fa136d441 -> d86e8112f3c4)\n"), "{out}");
        }
        let graph = run(folder.path(), &["--level", "graph"]);
        let differs = old.is_there() && new.is_there() && wanted == 1;
        assert_eq!(graph.0, i32::from(differs), "{old:?} {new:?} {graph:?}");
        let skipped = run(folder.path(), &["--weights", "skip"]);
        assert_eq!(skipped, (0, "no differences; weights were not compared\n".into(), String::new()));
    }
    let folder = changed(SPLIT, &[]);
    let (code, _, err) = run(folder.path(), &["--weights", "skip", "--level", "bytes"]);
    assert_eq!(code, 2);
    assert_eq!(err, "ovlint: --level bytes compares the weights, which --weights skip leaves out\n");
}

#[test]
fn pointers_to_the_same_file_say_nothing_of_other_places_in_it() {
    let folder = changed(SPLIT, &[("offset=\"0\"", "offset=\"8\"")]);
    for name in ["old.bin", "new.bin"] {
        Bin::Pointer.put(&folder.path().join(name));
    }
    let (code, out, _) = run(folder.path(), &[]);
    let reason = "they lie elsewhere in a file of which only a Git LFS pointer is there";
    assert_eq!((code, out), (2, format!("weights\n  ? 1 constant could not be compared: {reason}\n")));
}

#[test]
fn folders_count_what_could_not_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    for side in ["old", "new"] {
        let place = folder.path().join(side);
        fs::create_dir(&place).unwrap();
        fs::copy(root().join(SPLIT), place.join("split.xml")).unwrap();
    }
    let out = ovlint(folder.path(), ["diff", "old", "new"]);
    let last = utf8(&out.stdout).lines().last().map(str::to_owned);
    let counts = "1 model: 0 the same, 0 changed, 0 added, 0 removed, 1 not compared in full";
    assert_eq!((code(&out), last.as_deref()), (2, Some(counts)));
}

#[test]
fn constants_differ_by_so_much() {
    let folder = changed("models/variadic_split.xml", &[]);
    let path = folder.path().join("new.bin");
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(24).position(|part| part == [1_i64, 2, 3].map(i64::to_le_bytes).concat()).unwrap();
    let mut changed = bytes.clone();
    changed[at + 8..at + 24].copy_from_slice(&[0_i64, 5].map(i64::to_le_bytes).concat());
    fs::write(&path, changed).unwrap();
    let text = difference(folder.path());
    let wanted = "\n  ~ 1 constant differs in value\n      split_lengths  i64[3]  2 of 3 elements differ, by at most 2, first at [1]\n";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn differences_have_colours_where_these_are_wanted() {
    let folder = changed(SPLIT, &[("num_splits=\"3\"", "num_splits=\"4\"")]);
    let coloured = |arguments: &[&str]| {
        let flags = arguments.iter().copied().chain(["--color", "always"]);
        let plain = utf8(&ovlint(folder.path(), arguments.iter().copied()).stdout);
        (plain, utf8(&ovlint(folder.path(), flags).stdout))
    };
    let (plain, text) = coloured(&["diff", "old.xml", "new.xml"]);
    assert!(plain.contains("\n  ~ split_3 ") && text.contains("\n\u{1b}[35m  ~ split_3 "), "{text}");
    ovlint(folder.path(), ["snapshot", "update", "old.xml"]);
    fs::rename(folder.path().join("old.ovshapes"), folder.path().join("new.ovshapes")).unwrap();
    let (plain, text) = coloured(&["snapshot", "check", "new.xml"]);
    assert!(plain.contains("\n-      split_3 ") && text.contains("\n\u{1b}[91m-      split_3 "), "{text}");
    let (plain, text) = coloured(&["check", "new.xml", "--fix=all", "--diff"]);
    assert!(plain.contains("\n+++ ") && text.contains("\n\u{1b}[1m+++ "), "{text}");
}
