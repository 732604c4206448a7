//! Models that are reduced to what a command accepts.

use super::{long_model, new_layers, open, reduce};
use crate::graph_notation::graph;
use crate::program::copy_of;
use std::fs;

/// Reduces the long model by a command of the shell.
#[cfg(unix)]
fn by_command(command: &str, flags: &[&str]) -> (tempfile::TempDir, i32, String, String) {
    let folder = long_model("f32[8,3]");
    let (code, out, err) =
        reduce(folder.path(), &[&["m.xml", "--run", command, "-o", "small.xml"][..], flags].concat());
    (folder, code, out, err)
}

#[cfg(unix)]
#[test]
fn a_command_decides_what_shows_the_fault() {
    // Two layers that are far from each other.
    let command = "grep -q '\"Add_121\"' {} && grep -q '\"Add_321\"' {} && test -e m.xml && echo ran >> log";
    let (folder, code, out, err) = by_command(command, &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (first, second) = out.split_once('\n').unwrap();
    assert!(first.starts_with("wrote small.xml: ") && first.contains(" of 406 layers, "), "{out}");
    assert_eq!(second, "the command exits with 0 for this model\n");
    let small = open(&folder.path().join("small.xml"));
    let new = new_layers(&open(&folder.path().join("m.xml")), &small);
    assert!(small.net().unwrap().graph.layers.len() - new.len() <= 4, "{out}");
    let calls: usize = first.split(" after ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(calls <= 60, "{out}");
    let mut left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    left.sort();
    assert_eq!(left, ["log", "m.bin", "m.xml", "small.xml"]);
}

#[cfg(unix)]
#[test]
fn candidates_have_their_weights_beside_them() {
    // The weights of the original, and what is known of computed shapes, until they are packed.
    let text = "x = f32[2,6]; s = ShapeOf-3(x) {output_type=i64}; t = Concat-1(s, i64[1] = 1) {axis=0}; Reshape-1(x, t) {special_zero=false}";
    let graph = graph(text, 1);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.xml"), graph.xml).unwrap();
    fs::write(folder.path().join("m.bin"), graph.weights).unwrap();
    let ovlint = env!("CARGO_BIN_EXE_ovlint");
    let command = format!("{ovlint} check -q {{}} && {ovlint} shapes {{}} | grep -q 'Reshape.*f32.2,6,1.'");
    let (code, _, err) = reduce(folder.path(), &["m.xml", "--run", &command, "-o", "small.xml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(open(&folder.path().join("small.xml")).net().unwrap().graph.layers.len(), 4);
    let bytes = fs::read(folder.path().join("small.bin")).unwrap();
    assert_eq!(bytes, [2_i64, 6, 1].map(i64::to_le_bytes).concat());
}

#[cfg(unix)]
#[test]
fn weights_whose_model_cannot_be_written_are_removed() {
    // Somebody else writes the model meanwhile.
    let folder = copy_of("bad/split-lengths-sum/model.xml");
    let (code, _, err) = reduce(
        folder.path(),
        &["model.xml", "--run", "echo theirs > small.xml; grep -q VariadicSplit {}", "-o", "small.xml"],
    );
    assert_eq!(
        (code, err.as_str()),
        (2, "ovlint: cannot write small.xml: it already exists and was not overwritten\n")
    );
    assert_eq!(fs::read_to_string(folder.path().join("small.xml")).unwrap(), "theirs\n");
    assert!(!folder.path().join("small.bin").exists());
}

#[cfg(unix)]
#[test]
fn the_command_must_accept_the_model() {
    let (folder, code, out, err) = by_command("echo too bad; exit 3; true", &[]);
    let wanted = "ovlint: m.xml: the command failed with exit status: 3, but it must exit with 0 for a model \
                  that shows the fault; it printed: too bad\n";
    assert_eq!((code, out.as_str(), err.as_str()), (2, "", wanted));
    assert!(!folder.path().join("small.xml").exists());
    let (_, _, _, err) = by_command("sleep 60 #", &["--run-timeout", "1"]);
    assert!(err.contains("m.xml: the command does not end within 1 s (--run-timeout), but it must"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_command_that_does_not_end_for_a_candidate_does_not_accept_it() {
    // It ends for the model itself and for what holds the product.
    let command = "grep -q MatMul {} || sleep 60";
    let (_, code, out, _) = by_command(command, &["--run-timeout", "1"]);
    assert!(code == 0 && out.starts_with("wrote small.xml: 4 of 406 layers"), "{out}");
}

#[test]
fn the_number_of_candidates_has_a_limit() {
    let command = "grep -q '\"Add_121\"' {} && grep -q '\"Add_321\"' {}";
    let (_, code, out, err) = by_command(command, &["--max-candidates", "9"]);
    assert_eq!((code, err.as_str()), (0, "ovlint: there may be a smaller model; raise --max-candidates\n"));
    assert!(out.contains("after 9 candidates"), "{out}");
    assert_eq!(by_command(command, &["--max-candidates", "1000"]).3, "");
}
