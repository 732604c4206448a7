//! The pages that are written by hand: every command line in them is run, every flag and file they name is there.

use super::shell::NOT_RUN;
use super::{assert_holds, assert_written, shell};
use crate::program::{code, ovlint, root, utf8};
use ovlint::internal::policy::catalogue::RULES;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The commands in the order of `ovlint --help`.
fn commands() -> Vec<String> {
    let help = help(&[]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

fn help(command: &[&str]) -> String {
    let out = ovlint(&root(), [command, &["--help"]].concat());
    assert_eq!(code(&out), 0, "{command:?}");
    utf8(&out.stdout)
}

/// The README, the skill for agents and every page of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md"), PathBuf::from("skills/ovlint/SKILL.md")];
    for folder in ["docs", "docs/commands", "docs/rules"] {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    pages.sort();
    pages
}

#[test]
fn commands_print_what_the_pages_show() {
    for page in pages().iter().filter(|page| !page.starts_with("docs/commands") && !page.starts_with("docs/rules")) {
        let text = fs::read_to_string(page).unwrap();
        assert_written(page.to_str().unwrap(), &shell::run(&text));
    }
}

/// The page of a command starts with the first sentence of its help and an example, and ends with its flags; the rest is by hand.
#[test]
fn every_command_has_a_page() {
    let commands = commands();
    for command in &commands {
        let path = format!("docs/commands/{command}.md");
        let page = fs::read_to_string(&path).unwrap();
        let (_, rest) = page.split_once("```console\n").unwrap();
        let (_, last) = page.rsplit_once("```console\n").unwrap();
        assert!(
            last.starts_with(&format!("$ ovlint {command} -h\n")) && last.ends_with("\n```\n"),
            "{command}: {last}"
        );
        let help = help(&[command]);
        let about = help.split("\n\n").next().unwrap().replace('\n', " ");
        let page = format!("# ovlint {command}\n\n{about}\n\n```console\n{rest}");
        assert_written(&path, &shell::run(&page));
    }
    assert_holds("docs/commands", commands.iter().map(String::as_str));
}

/// The order of the book is by hand, but for the commands and the rules. It has every page once.
#[test]
fn the_table_of_contents_is_up_to_date() {
    let rules = RULES.iter().map(|rule| rule.name.to_owned()).collect();
    let below = [("commands", commands()), ("rules", rules)];
    let (mut text, mut listed) = (String::new(), vec!["SUMMARY".to_owned()]);
    for line in fs::read_to_string("docs/SUMMARY.md").unwrap().lines().filter(|line| !line.starts_with(' ')) {
        let _ = writeln!(text, "{line}");
        let Some((_, file)) = line.split_once("](") else { continue };
        let name = file.strip_suffix(".md)").unwrap();
        listed.push(name.to_owned());
        for page in below.iter().filter(|(folder, _)| *folder == name).flat_map(|(_, pages)| pages) {
            let _ = writeln!(text, "  - [{page}]({name}/{page}.md)");
        }
    }
    assert_written("docs/SUMMARY.md", &text);
    let files = pages().into_iter().filter(|page| page.parent() == Some(Path::new("docs")));
    let mut files: Vec<String> = files.map(|page| page.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    files.sort();
    listed.sort();
    assert_eq!(listed, files);
}

/// The index for language models: the sections of the table of contents, each page with its first sentence.
#[test]
fn the_index_for_language_models_is_up_to_date() {
    let readme = fs::read_to_string("docs/README.md").unwrap();
    let about = readme.split("\n\n").nth(1).unwrap().replace('\n', " ");
    let mut text = format!("# ovlint\n\n> {about}\n\nSkill for agents: [SKILL.md](skills/ovlint/SKILL.md)\n");
    for line in fs::read_to_string("docs/SUMMARY.md").unwrap().lines().filter(|line| !line.starts_with(' ')) {
        if let Some(section) = line.strip_prefix("# ").filter(|section| *section != "Summary") {
            let _ = write!(text, "\n## {section}\n\n");
        } else if let Some((title, file)) = line.strip_prefix("- [").and_then(|link| link.split_once("](")) {
            let file = file.trim_end_matches(')');
            let page = fs::read_to_string(format!("docs/{file}")).unwrap();
            let first = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
            let first = first.split_inclusive(". ").next().unwrap_or_default().trim();
            let _ = writeln!(text, "- [{title}](docs/{file}): {first}");
        }
    }
    assert_written("llms.txt", &text);
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
