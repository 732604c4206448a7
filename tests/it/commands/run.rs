//! `ovlint run`: what is shown, fed, expected and written, and what is said where nothing can be run.

use crate::program::{code, copy_of, ovlint, root, utf8};
use std::fs;
use std::path::Path;

/// Exit code, stdout and stderr.
fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(folder, ["run"].into_iter().chain(arguments.iter().copied()));
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(&root(), arguments)
}

const SPLIT: &str = "models/split.xml";

#[test]
fn parts_are_described_as_slices() {
    let wanted = "\
data  arange
  :0  f32[6,12,10,24]       [0, 1, ...]
split_3  Split
  :0  f32[6,4,10,24]        [0, 1, ...]   = data[:, 0:4]
  :1  f32[6,4,10,24]        [960, 961, ...]   = data[:, 4:8]
  :2  f32[6,4,10,24]        [1920, 1921, ...]   = data[:, 8:12]
";
    let arguments = [SPLIT, "--input", "data=arange", "--print", "2"];
    assert_eq!(run(&arguments), (0, wanted.to_owned(), String::new()));
}

#[test]
fn what_cannot_be_run_names_what_it_rests_on() {
    let wanted = "\
data  Parameter
  no data; provide data with --input data=FILE.npy|zeros|arange|const:V
split_3  Split
  not evaluated: depends on `data` (Parameter)
";
    assert_eq!(run(&[SPLIT]), (0, wanted.to_owned(), String::new()));
    // Layers in between are not named, only the one to blame.
    let (_, out, _) = run(&["models/lstm_gates.xml"]);
    assert!(out.starts_with("gate_split  Split\n  not evaluated: depends on `gates` (Add)\n"), "{out}");
    assert!(!out.contains("gates  Add"), "{out}");
    let (code, _, err) = run(&[SPLIT, "--until", "part1"]);
    assert_eq!((code, err.as_str()), (2, "ovlint: part1: not evaluated: depends on `data` (Parameter)\n"));
}

#[test]
fn dynamic_inputs_take_lengths_from_shape() {
    let detector = "models/detector.xml";
    let (code, _, err) = run(&[detector, "--input", "images=zeros"]);
    assert_eq!(
        (code, err.as_str()),
        (2, "ovlint: input `images` is u8[?,3,32,32], which is dynamic; set its shape with --shape\n")
    );
    let (_, out, _) = run(&[detector]);
    let wanted = "csp.split  Split\n  not evaluated: its shape is not static: f32[?,4,16,16]; set the shapes of the inputs with --shape\n";
    assert!(out.starts_with(wanted), "{out}");
    let shape = ["models/dynamic.xml", "--shape", "ragged[2,8]", "--input", "ragged=arange", "--print", "1"];
    let (code, out, err) = run(&shape);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("ragged  arange\n  :0  f32[2,8]"), "{out}");
}

#[test]
fn inputs_go_by_their_layers_and_tensors_and_are_fed_once() {
    for (arguments, wanted) in [
        (&["--input", "dta=zeros"] as &[&str], "the model has no input `dta`; did you mean `data`?"),
        (&["--input", "zzz=zeros"], "the model has no input `zzz`; its input is `data`"),
        (&["--input", "split_3=zeros"], "no input is called `split_3`; that is a layer of type Split"),
        (&["--input", "data=zeros", "--input", "data:0=arange"], "--input gives `data:0` twice"),
        (
            &["--input", "data=rand"],
            "--input data=rand: there is no such file; give a .npy file, zeros, arange or const:V",
        ),
        (&["--input", "data=const:x"], "input `data`: `x` is not a value of type f32"),
        (&["--until", "splt_3"], "the model has no layer or tensor `splt_3`; did you mean `split_3`?"),
        (&["--until", "split_3:9"], "`split_3` has no output 9, only outputs 0 to 2"),
    ] {
        let arguments: Vec<&str> = [SPLIT].iter().chain(arguments).copied().collect();
        assert_eq!(run(&arguments), (2, String::new(), format!("ovlint: {wanted}\n")), "{arguments:?}");
    }
    let (code, _, err) = run(&["models/control_flow.xml", "--until", "if/then_body/then_sum"]);
    assert_eq!((code, err.as_str()), (2, "ovlint: `if/then_body/then_sum` is in a body; bodies are not run\n"));
}

#[test]
fn outputs_are_written_and_compared() {
    let folder = copy_of(SPLIT);
    let path = folder.path();
    let feed = ["split.xml", "--input", "data=arange", "--print", "1"];
    let with = |more: &[&str]| {
        let arguments: Vec<&str> = feed.iter().chain(more).copied().collect();
        let (code, out, err) = run_in(path, &arguments);
        (code, out.lines().last().unwrap_or_default().to_owned(), err)
    };
    let (code, last, _) = with(&["--output-dir", "out"]);
    assert_eq!((code, last.as_str()), (0, "wrote out/split_3.2.npy"));
    let (code, last, _) = with(&["--expect", "part1=out/split_3.1.npy"]);
    assert_eq!((code, last.as_str()), (0, "part1 equals out/split_3.1.npy, bit for bit"));
    let (code, last, _) = with(&["--expect", "part1=out/split_3.2.npy"]);
    assert_eq!(code, 1);
    assert!(last.starts_with("part1 differs from out/split_3.2.npy: "), "{last}");
    let (code, _, err) = with(&["--expect", "part1=none.npy"]);
    assert_eq!(code, 2);
    assert!(err.starts_with("ovlint: none.npy: No such file"), "{err}");
}

#[test]
fn outputs_are_written_over_nothing() {
    let folder = copy_of("models/split.xml");
    let path = folder.path();
    let run = || run_in(path, &["split.xml", "--input", "data=arange", "--until", "split_3", "--output-dir", "out"]);
    let (code, out, err) = run();
    assert_eq!((code, err.as_str()), (0, ""));
    let written = ["out/split_3.0.npy", "out/split_3.1.npy", "out/split_3.2.npy"];
    let said: Vec<String> = written.iter().map(|name| format!("wrote {name}")).collect();
    assert_eq!(out.lines().filter(|line| line.starts_with("wrote")).collect::<Vec<_>>(), said);

    // Where one of them is there, none is written.
    fs::write(path.join(written[1]), "mine").unwrap();
    fs::remove_file(path.join(written[0])).unwrap();
    let (code, _, err) = run();
    let told = format!("ovlint: {} already exists; nothing was written\n", written[1]);
    assert_eq!((code, err), (2, told));
    assert!(!path.join(written[0]).exists());
    assert_eq!(fs::read_to_string(path.join(written[1])).unwrap(), "mine");
}

#[test]
fn a_made_up_input_that_is_too_large_names_the_limit() {
    let (code, _, err) = run_in(&root(), &["models/split.xml", "--input", "data=zeros", "--max-tensors-size", "8"]);
    let message = "input `data`: its tensors take more memory than --max-tensors-size allows";
    assert_eq!((code, err), (2, format!("ovlint: {message}\n")));
}
