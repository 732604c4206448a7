//! Which files are checked: globs, lists, and what the configuration includes and excludes.

use super::{DEAD, WRONG, models, reported, run};
use std::fs;

#[test]
fn files_are_chosen_by_globs_and_lists() {
    let folder = models();
    let path = folder.path();
    fs::create_dir_all(path.join("old/er")).unwrap();
    fs::rename(path.join("debug.xml"), path.join("old/er/debug.xml")).unwrap();
    let paths = |arguments: &str| -> (i32, Vec<String>) {
        let (code, reported) = reported(path, arguments);
        (code, reported.iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect())
    };
    let (wrong, dead) = ("./model.xml".to_owned(), "./old/er/debug.xml".to_owned());
    assert_eq!(paths("."), (1, vec![wrong.clone(), dead.clone()]));
    for glob in ["old/", "old/**", "debug.xml", "**/er", "old/er/*.xml"] {
        assert_eq!(paths(&format!(". --exclude {glob}")), (1, vec![wrong.clone()]), "{glob}");
    }
    assert_eq!(run(path, "check . --exclude model.xml --exclude debug.xml").0, 3);
    // What is named is checked, unless excluding is forced.
    assert_eq!(paths("model.xml --exclude *.xml").0, 1);
    assert_eq!(paths("model.xml --exclude *.xml --force-exclude"), (0, vec![]));
    // Hooks pass every XML file there is.
    fs::write(path.join("strings.xml"), "<resources/>").unwrap();
    assert_eq!(paths("model.xml strings.xml").1, ["model.xml", "strings.xml"]);
    assert_eq!(paths("model.xml strings.xml --skip-others"), (1, vec!["model.xml".to_owned()]));
    assert_eq!(paths("strings.xml --skip-others"), (0, vec![]));
    fs::write(path.join(".gitignore"), "old\n").unwrap();
    assert_eq!(paths("."), (1, vec![wrong.clone()]));
    assert_eq!(paths(". --no-ignore"), (1, vec![wrong, dead]));
    fs::write(path.join("list"), "model.xml\r\n\nold/er/debug.xml").unwrap();
    let named = vec!["model.xml".to_owned(), "old/er/debug.xml".to_owned()];
    assert_eq!(paths("--files-from list"), (1, named.clone()));
    fs::write(path.join("list"), "model.xml\0old/er/debug.xml\0").unwrap();
    assert_eq!(paths("--files-from list"), (1, named));
    let (code, _, err) = run(path, "check --files-from no-list");
    assert_eq!(code, 2);
    assert!(err.starts_with("ovlint: --files-from no-list: "), "{err}");
}

#[test]
fn a_configuration_chooses_files() {
    let folder = models();
    let path = folder.path();
    let reported = |config: &str, arguments: &str| {
        fs::write(path.join("ovlint.toml"), config).unwrap();
        reported(path, arguments)
    };
    assert_eq!(reported("include = ['model.*']", "."), (1, vec![WRONG.to_owned()]));
    assert_eq!(reported("exclude = ['model.*']", "."), (0, vec![DEAD.to_owned()]));
    assert_eq!(reported("exclude = ['model.*']", "model.xml").0, 1);
    assert_eq!(reported("exclude = ['model.*']", "model.xml --force-exclude"), (0, vec![]));
    assert_eq!(reported("exclude = ['*.xml', '!debug.xml']", "."), (0, vec![DEAD.to_owned()]));
    let per_file = "[[per-file]]\nfiles = 'debug*'\nrules.graph = 'error'\n";
    let dead = "./debug.xml error[unreachable-layer]".to_owned();
    assert_eq!(reported(per_file, "."), (1, vec![dead, WRONG.to_owned()]));
}
