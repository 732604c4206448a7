//! The pages that are written by hand: every command line in them is run, every flag and file they name is there.

use super::shell::NOT_RUN;
use super::{assert_holds, assert_written, shell};
use crate::program::{code, ovlint, root, utf8};
use ovlint::internal::policy::catalogue::RULES;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What is in `docs/` beside the commands and the rules, in the order of the book.
const CHAPTERS: &[(&str, &str)] = &[
    ("Configuration", "configuration"),
    ("Did my export change?", "exports"),
    ("Releases of OpenVINO", "releases"),
    ("Symbols and domains", "symbols"),
    ("Domains of ten models", "domains"),
    ("On servers", "remote"),
    ("Recipes", "recipes"),
    ("Folders", "folders"),
    ("In pipelines", "pipelines"),
    ("In Python", "python"),
    ("Operations", "operations"),
    ("Differences from OpenVINO", "differences"),
    ("Defects of OpenVINO", "openvino-defects"),
    ("Rules", "rules"),
];

/// The commands in the order of `ovlint --help`, and the one that it does not show.
fn commands() -> Vec<String> {
    let help = help(&[]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.chain(["generate"]).map(str::to_owned).collect()
}

fn help(command: &[&str]) -> String {
    let out = ovlint(&root(), [command, &["--help"]].concat());
    assert_eq!(code(&out), 0, "{command:?}");
    utf8(&out.stdout)
}

/// The README and every page of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md")];
    for folder in ["docs", "docs/commands", "docs/rules"] {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    pages.sort();
    pages
}

#[test]
fn commands_print_what_the_pages_show() {
    for page in pages().iter().filter(|page| page.components().count() < 3) {
        let text = fs::read_to_string(page).unwrap();
        assert_written(page.to_str().unwrap(), &shell::run(&text));
    }
}

/// The page of a command starts with what its help says before the flags; the rest is by hand.
#[test]
fn every_command_has_a_page() {
    let commands = commands();
    for command in &commands {
        let path = format!("docs/commands/{command}.md");
        let page = fs::read_to_string(&path).unwrap();
        let (_, rest) = page.split_once("```console\n").unwrap();
        assert!(rest.contains(&format!("\n$ ovlint {command} -h\n")), "{command}");
        let help = help(&[command]);
        let paragraphs = help.split("\n\n").take_while(|paragraph| !paragraph.starts_with("Usage:"));
        let about: Vec<String> = paragraphs.map(|paragraph| paragraph.replace('\n', " ")).collect();
        let page = format!("# ovlint {command}\n\n{}\n\n```console\n{rest}", about.join("\n\n"));
        assert_written(&path, &shell::run(&page));
    }
    assert_holds("docs/commands", commands.iter().map(String::as_str));
}

#[test]
fn the_table_of_contents_is_up_to_date() {
    let mut text = "# Summary\n\n[ovlint](README.md)\n\n# Commands\n\n".to_owned();
    for command in commands() {
        let _ = writeln!(text, "- [{command}](commands/{command}.md)");
    }
    text.push_str("\n# Reference\n\n");
    for (title, name) in CHAPTERS {
        let _ = writeln!(text, "- [{title}]({name}.md)");
    }
    for rule in RULES {
        let _ = writeln!(text, "  - [{0}](rules/{0}.md)", rule.name);
    }
    assert_written("docs/SUMMARY.md", &text);
    let names = CHAPTERS.iter().map(|(_, name)| *name);
    let files = pages().into_iter().filter(|page| page.parent() == Some(Path::new("docs")));
    let files: BTreeSet<String> = files.map(|page| page.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(files, names.chain(["README", "SUMMARY"]).map(str::to_owned).collect());
}

/// Links of the book stay in it.
#[test]
fn links_lead_to_pages() {
    let all = pages();
    for page in &all {
        let text = fs::read_to_string(page).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("https://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let mut path = page.parent().unwrap().to_owned();
            for part in file.split('/') {
                if part == ".." { assert!(path.pop()) } else { path.push(part) }
            }
            if path.starts_with("docs/images") {
                assert!(path.is_file(), "{}: {target}", page.display());
                continue;
            }
            if path.extension().is_some_and(|ending| ending == "png") {
                assert!(path.starts_with("docs/images") && path.is_file(), "{}: {target}", page.display());
                continue;
            }
            let is_known = all.contains(&path) && (path.starts_with("docs") || !page.starts_with("docs"));
            assert!(is_known, "{}: {target}", page.display());
            let text = fs::read_to_string(path).unwrap();
            let mut headings = text.lines().filter_map(|line| line.strip_prefix("## ")).map(str::to_lowercase);
            assert!(heading.is_empty() || headings.any(|one| one.replace(' ', "-") == heading), "{target}");
        }
    }
}

/// Commands and flags in sentences and in the files of others are not run, but they are understood.
#[test]
fn commands_and_flags_that_are_not_run_are_known() {
    let commands = commands();
    let helps: Vec<String> = commands.iter().map(|command| help(&[command])).collect();
    let mut shown: BTreeSet<&&str> = BTreeSet::new();
    for page in pages() {
        let (text, page) = (fs::read_to_string(&page).unwrap(), page.display());
        let (prose, code) = parts(&text);
        for (language, line) in code {
            assert!(!language.is_empty(), "{page}: what is this? {line}");
            assert!(language == "console" || !line.starts_with("$ "), "{page}: {line} is not run");
            if let Some(command) = line.trim().strip_prefix("script: ovlint ") {
                help(&command.split(' ').collect::<Vec<_>>());
            }
            shown.extend(NOT_RUN.iter().filter(|command| line.strip_prefix("$ ") == Some(command)));
        }
        for span in prose.split('`').skip(1).step_by(2) {
            let words: Vec<&str> = span.split_whitespace().take_while(|word| *word != "|").collect();
            match words[..] {
                ["ovlint", ref rest @ ..] => {
                    let name = rest.first().copied().unwrap_or("PATHS...");
                    assert!(name == "PATHS..." || commands.iter().any(|command| command == name), "{page}: {span}");
                    help(rest);
                }
                [flag, ..] if flag.starts_with("--") => {
                    let flag = flag.split('=').next().unwrap();
                    assert!(helps.iter().any(|help| help.contains(flag)), "{page}: {span}");
                }
                _ => {}
            }
        }
    }
    assert!(NOT_RUN.iter().all(|command| shown.contains(command)), "of {NOT_RUN:?} pages show {shown:?}");
}

/// The sentences of a page, and the lines of its code with their language.
fn parts(page: &str) -> (String, Vec<(&str, &str)>) {
    let (mut prose, mut code, mut block) = (String::new(), Vec::new(), None);
    for line in page.lines() {
        match (block, line.strip_prefix("```")) {
            (None, Some(language)) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (Some(language), None) => code.push((language, line)),
            (None, None) => prose.extend([line, "\n"]),
        }
    }
    (prose, code)
}
