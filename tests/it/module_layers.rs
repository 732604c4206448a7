//! The modules of the library stand above one another, and each uses those below it only.

use ovlint::internal::ops::revisions::revisions_of;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The top modules, lowest first; a module may use those before it.
const LAYERS: [&str; 32] = [
    "arrange",
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
    "pipeline",
    "policy",
    "search",
    "edit",
    "cut",
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
    code.split('"').filter(|text| revisions_of(text).any(|spec| spec.name == *text)).collect()
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
        // `report/findings/tests.rs` and the like hold nothing but tests.
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

/// Circles of files that stay, each by its first file; ARCHITECTURE.md has the reasons.
const CIRCLES: [&str; 5] = [
    "api/analysis api/diff api/edited api/fixed api/reduced",
    "ir/body ir/constant ir/edges/broken ir/graph ir/layer ir/rt_info ir/xml/attributes",
    "ops/apply/extent ops/context ops/misread ops/spec ops/spec/eval",
    "types/bounds types/dim types/interval",
    "types/symbol/demand types/symbol/expressions",
];

type Module = Vec<String>;

/// The paths of a `use` tree, each with the name that it imports.
fn leaves(tree: &str, before: &[&str], found: &mut Vec<(Module, String)>) {
    let (path, inner) = tree.split_once('{').unwrap_or((tree, ""));
    let (path, alias) = path.trim().split_once(" as ").unwrap_or((path.trim(), ""));
    let mut all: Vec<&str> = before.to_vec();
    all.extend(path.split("::").map(str::trim).filter(|name| !name.is_empty()));
    if inner.is_empty() {
        if all.len() > 1 && all.last() == Some(&"self") {
            all.pop();
        }
        let name = if alias.is_empty() { all.last().copied().unwrap_or_default() } else { alias };
        found.push((all.iter().map(|name| (*name).to_owned()).collect(), name.to_owned()));
        return;
    }
    let (mut depth, mut start) = (0, 0);
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[start..at].trim().is_empty() {
                    leaves(&inner[start..at], &all, found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths in code outside of `use`: names that `::` joins.
fn paths(code: &str) -> impl Iterator<Item = Module> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let paths = words.filter(|word| word.contains("::") && !word.starts_with(':'));
    paths.map(|word| word.split("::").take_while(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// The names that each file imports, and the paths that it uses.
struct Files(BTreeMap<Module, (BTreeMap<String, Module>, Vec<Module>)>);

impl Files {
    fn of(all: &[(Module, String)]) -> Self {
        let mut files = Self(all.iter().map(|(module, _)| (module.clone(), Default::default())).collect());
        for (module, code) in all {
            let (mut imports, mut uses) = (BTreeMap::new(), Vec::new());
            let mut rest = String::new();
            for statement in code.split_inclusive(';') {
                let begin = statement.rfind("use ").filter(|begin| !statement[*begin..].contains(['(', '=']));
                let Some(begin) = begin else {
                    rest.push_str(statement);
                    continue;
                };
                rest.push_str(&statement[..begin]);
                let mut found = Vec::new();
                leaves(statement[begin + 4..].trim_end_matches(';'), &[], &mut found);
                for (path, name) in found {
                    let Some(path) = files.absolute(module, &path) else { continue };
                    // A name that is handed on is no use of it.
                    if !statement[..begin].trim_end().ends_with(')') && !statement[..begin].trim_end().ends_with("pub")
                    {
                        uses.push(path.clone());
                    }
                    imports.insert(name, path);
                }
            }
            for path in paths(&rest) {
                match imports.get(&path[0]).filter(|import| files.0.contains_key(*import)) {
                    Some(import) => uses.push(import.iter().chain(&path[1..]).cloned().collect()),
                    None => uses.extend(files.absolute(module, &path)),
                }
            }
            files.0.insert(module.clone(), (imports, uses));
        }
        files
    }

    /// A path from the root of the crate; `None` if it leads out of the crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Module> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let (base, rest) = match path[0].as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (module, &path[1..]),
            "super" => (&module[..module.len().saturating_sub(ups)], &path[ups..]),
            child if self.0.contains_key(&[module, &[child.to_owned()]].concat()) => (module, path),
            _ => return None,
        };
        Some([base, rest].concat())
    }

    /// The file that defines what a path names, also if another file hands it on.
    fn home(&self, path: &[String], hops: usize) -> Option<Module> {
        let known = (1..=path.len()).rev().find(|end| self.0.contains_key(&path[..*end]))?;
        let (module, rest) = path.split_at(known);
        match rest.split_first().and_then(|(name, rest)| Some((self.0[module].0.get(name)?, rest))) {
            Some((path, rest)) if hops < 9 => self.home(&[path, rest].concat(), hops + 1),
            _ => Some(module.to_vec()),
        }
    }

    /// A path, or all that `prelude::*` hands on.
    fn named(&self, path: &Module) -> Vec<Module> {
        match path.split_last() {
            Some((last, prelude)) if last == "*" => self.0[prelude].0.values().cloned().collect(),
            _ => vec![path.clone()],
        }
    }

    /// The circles of files that use each other. A file may use those that it lies in: they are the frame of their children.
    fn circles(&self) -> Vec<String> {
        let modules: Vec<&Module> = self.0.keys().collect();
        let mut graph = DiGraph::<&Module, ()>::new();
        let nodes: BTreeMap<&Module, _> = modules.iter().map(|module| (*module, graph.add_node(*module))).collect();
        for (module, (_, uses)) in &self.0 {
            let uses = uses.iter().flat_map(|path| self.named(path));
            for home in uses.filter_map(|path| self.home(&path, 0)).filter(|home| !module.starts_with(home)) {
                graph.add_edge(nodes[module], nodes[&home], ());
            }
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1);
        let mut named: Vec<String> = circles
            .map(|circle| {
                let mut files: Vec<String> = circle.into_iter().map(|node| graph[node].join("/")).collect();
                files.sort();
                files.join(" ")
            })
            .collect();
        named.sort();
        named
    }
}

#[test]
fn files_of_a_module_use_each_other_in_no_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let module = |path: &str| -> Module {
        let path = Path::new(path).strip_prefix(&root).unwrap().with_extension("");
        path.iter().map(|name| name.to_str().unwrap().to_owned()).collect()
    };
    let all: Vec<(Module, String)> =
        library().into_iter().map(|(_, path, text)| (module(&path), code(&text))).collect();
    let all: Vec<_> = all.into_iter().filter(|(module, _)| !module.iter().any(|name| name == "tests")).collect();
    assert_eq!(Files::of(&all).circles(), CIRCLES);
}

#[test]
fn circles_are_found_through_names_that_are_handed_on() {
    let file = |module: &str, code: &str| (module.split('/').map(str::to_owned).collect(), code.to_owned());
    let all = [
        file("a", "mod one;\nmod prelude;\nmod two;\npub use one::{First, other as second};\nfn f() { two::g() }"),
        file("a/one", "use super::two::{self, Second};\npub struct First;"),
        file("a/two", "use crate::a::prelude::*;\npub struct Second;"),
        file("a/prelude", "pub(super) use super::First;"),
        file("b", "fn f() { crate::a::second() }"),
    ];
    assert_eq!(Files::of(&all).circles(), ["a/one a/two"]);
    assert!(Files::of(&all[2..]).circles().is_empty());
}
