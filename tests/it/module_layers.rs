//! The modules of the library stand above one another, and each uses those below it only.

use ovlint::internal::ops::revisions::revisions_of;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The top modules, lowest first; a module may use those before it.
const LAYERS: [&str; 28] = [
    "panics",
    "text",
    "limits",
    "fault",
    "stack",
    "memo",
    "remote",
    "input",
    "source",
    "atomic",
    "types",
    "diagnostic",
    "ops",
    "ir",
    "infer",
    "domain",
    "lint",
    "causes",
    "analysis",
    "query",
    "recipe",
    "policy",
    "search",
    "reduce",
    "report",
    "fix",
    "exec",
    "api",
];

/// Modules of the command, which use the library as anybody does.
const COMMAND: [&str; 3] = ["main", "cli", "memory"];

/// The text without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The first segments of all paths that start at the root of the crate.
fn used(code: &str) -> BTreeSet<String> {
    let paths = code.match_indices("crate::").filter(|(at, _)| {
        let before = code[..*at].chars().next_back();
        // `$crate` is a macro's, and `pub(in crate::..)` uses nothing.
        before != Some('$') && !code[..*at].ends_with("in ")
    });
    let first = |(at, start): (usize, &str)| {
        let rest = &code[at + start.len()..];
        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '{').collect()
    };
    paths.map(first).collect()
}

/// The files of the library with the top module of each.
fn files(folder: &Path, top: Option<&str>, found: &mut Vec<(String, String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = top.unwrap_or(&name);
        if path.is_dir() {
            files(&path, Some(module), found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((module.to_owned(), path.display().to_string(), text));
        }
    }
}

fn library() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut all);
    all.retain(|(module, ..)| !["lib", "internal"].contains(&module.as_str()) && !COMMAND.contains(&module.as_str()));
    all
}

#[test]
fn modules_use_only_what_stands_below_them() {
    let height = |module: &str| LAYERS.iter().position(|layer| *layer == module);
    let mut arrows = Vec::new();
    for (module, path, text) in library() {
        let own = height(&module).unwrap_or_else(|| panic!("{path}: `{module}` has no place in LAYERS"));
        for other in used(&code(&text)) {
            match height(&other) {
                Some(place) if place <= own => {}
                Some(_) => arrows.push(format!("{path}: {module} uses {other}, which stands above it")),
                // Names at the root belong to the facade; inside, everything is named where it lives.
                None => arrows.push(format!("{path}: {module} uses `crate::{other}`, which is no module")),
            }
        }
    }
    assert!(arrows.is_empty(), "{}", arrows.join("\n"));
}

#[test]
fn every_layer_is_a_module() {
    let modules: BTreeSet<String> = library().into_iter().map(|(module, ..)| module).collect();
    assert_eq!(modules, LAYERS.iter().map(|layer| (*layer).to_owned()).collect());
}

#[test]
fn paths_are_found_in_code_and_not_in_comments_or_tests() {
    let text = "//! [`crate::Options`]\nuse crate::ir::{Graph, Net};\npub(in crate::ops) fn f() { crate::types::g() }\n\
                #[cfg(test)]\nmod tests {\n    use crate::Model;\n}\n";
    assert_eq!(used(&code(text)), ["ir", "types"].map(str::to_owned).into());
    assert_eq!(used("use crate::{Model, Options};"), ["{Model".to_owned()].into());
}

/// Files beside `src/ops` that may name operations, and why.
const NAMING: [(&str, &str); 4] = [
    ("src/recipe/genai/attention.rs", "patterns of a transformation of OpenVINO"),
    ("src/recipe/genai/paged_attention.rs", "patterns of a transformation of OpenVINO"),
    ("src/recipe/npu.rs", "what restores compressed weights"),
    ("src/report/fixtures.rs", "findings made up for the tests of all formats"),
];

/// The string literals of code that are names of operations.
fn operation_names(code: &str) -> BTreeSet<&str> {
    code.split('"').filter(|text| revisions_of(text).iter().any(|revision| revision.name == *text)).collect()
}

#[test]
fn operations_are_named_in_their_own_files_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(&root.join("src"), None, &mut all);
    let mut named = Vec::new();
    let mut naming = BTreeSet::new();
    for (module, path, text) in all {
        let path = Path::new(&path).strip_prefix(root).unwrap().display().to_string().replace('\\', "/");
        // `report/format/tests.rs` and the like hold nothing but tests.
        if module == "ops" || path.ends_with("/tests.rs") || path.contains("/tests/") {
            continue;
        }
        for name in operation_names(&code(&text)) {
            match NAMING.iter().find(|(file, _)| *file == path) {
                Some((file, _)) => _ = naming.insert(*file),
                None => named.push(format!("{path}: `{name}`; what is true of it is a field of `OpSpec`")),
            }
        }
    }
    assert!(named.is_empty(), "{}", named.join("\n"));
    assert_eq!(naming, NAMING.iter().map(|(file, _)| *file).collect(), "the others name no operation");
}

#[test]
fn names_of_operations_are_found_in_literals() {
    let text = "match name { \"Split\" | \"NoSuch\" => b\"Const\", _ => \"a Split\" } // \"Add\"";
    assert_eq!(operation_names(&code(text)), ["Const", "Split"].into());
}
