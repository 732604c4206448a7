//! Names that nobody should give: whatever they hold, nothing that is printed is obeyed by a terminal or a CI service.

use crate::program::{copy_of, ovlint, utf8};
use ovlint::internal::report::Format;
use std::fmt::Write as _;
use std::fs;
use std::process::Output;
use tempfile::TempDir;

/// A terminal's title, a line of its own that is a command to GitHub, and commands that are obeyed anywhere in a line.
const NAME: &str = "n\u{1b}]0;t\u{7}\n::error::x\r::error::y ##[set-output name=a;]b ##vso[task.complete] \u{9b}31m\u{202e} ::error::z";

/// The same in the escapes of TOML.
const TOML: &str = r"n\u001b]0;t\u0007\n::error::x\r::error::y ##[set-output name=a;]b ##vso[task.complete] \u009b31m\u202e ::error::z";

/// The same in those of XML, as far as a file may hold it.
const XML: &str =
    "n&#10;::error::x&#13;::error::y ##[set-output name=a;]b ##vso[task.complete] \u{9b}31m\u{202e} ::error::z";

/// What a terminal or a CI service would obey in what was printed; annotations of ovlint's own are meant to be obeyed.
fn obeyed(text: &str) -> Vec<String> {
    let is_hidden = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}');
    let own = |line: &str| line.starts_with("::error file=") || line.starts_with("::warning file=");
    let command = |line: &&str| {
        let starts = line.trim_start().starts_with("::") && !own(line);
        starts || line.contains("##[") || line.contains("##vso[") || line.contains(is_hidden)
    };
    text.split('\n').filter(command).map(str::to_owned).collect()
}

fn assert_harmless(out: &Output, what: &str) {
    for text in [&out.stdout, &out.stderr] {
        assert_eq!(obeyed(&utf8(text).replace('\t', " ")), [""; 0], "{what}");
    }
}

/// A folder with a model whose names are hostile, under a hostile path; the folder, and the path of the model.
fn hostile() -> (TempDir, String) {
    let folder = copy_of("bad/declared-shape/model.xml");
    let text = fs::read_to_string(folder.path().join("model.xml")).unwrap();
    let name = text.split("type=\"").nth(2).and_then(|rest| rest.split('"').next()).unwrap();
    let text = text
        .replacen("name=\"", &format!("name=\"{XML} "), 5)
        .replace(&format!("type=\"{name}\""), &format!("type=\"{XML}\""));
    let inner = folder.path().join(NAME);
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("::error::m.xml"), text).unwrap();
    fs::copy(folder.path().join("model.bin"), inner.join("::error::m.bin")).unwrap();
    (folder, format!("{NAME}/::error::m.xml"))
}

#[cfg(unix)]
#[test]
fn names_in_models_and_paths_are_harmless() {
    let (folder, model) = hostile();
    let model = model.as_str();
    let inner = folder.path().join(NAME);
    for format in Format::ALL.map(Format::name) {
        assert_harmless(&ovlint(folder.path(), ["check", "--format", format, "."]), format);
        assert_harmless(&ovlint(&inner, ["check", "--format", format, "--verbose", "-v", "::error::m.xml"]), format);
    }
    let commands: [&[&str]; 29] = [
        &["check", "--statistics", model],
        &["check", "--diff", "--verbose", model],
        &["check", "--fix=all", "--diff", "--verbose", model],
        &["check", "--write-baseline", NAME, model],
        &["check", "--write-baseline", "ok.json", "."],
        &["check", "--baseline", NAME, model],
        &["check", "--show-settings", "--config", NAME],
        &["check", "--files-from", NAME],
        &["check", "--format", "text=nowhere/::error::x\n::error::y", model],
        &["check", model, "--weights", NAME],
        &["check", model, NAME],
        &["shapes", model],
        &["shapes", model, "--format", "snapshot"],
        &["shapes", model, "--format", "json"],
        &["shapes", model, "--shape", "a\n::error::x[1]"],
        &["info", "."],
        &["info", ".", "--format", "json"],
        &["info", ".", "--format", "concise"],
        &["info", ".", "--format", "csv"],
        &["info", ".", "--format", "md"],
        &["cost", model],
        &["inputs", model],
        &["why", model, NAME],
        &["inspect", model, "--layer", NAME],
        &["graph", model, "--format", "mermaid"],
        &["graph", model, "--format", "svg"],
        &["report", ".", "-o", "report.html"],
        &["snapshot", "check", "."],
        &["diff", model, "model.xml"],
    ];
    for command in commands {
        assert_harmless(&ovlint(folder.path(), command.iter().copied()), &format!("{command:?}"));
    }
    for command in [["snapshot", "update", "."], ["snapshot", "check", "."], ["diff", NAME, "."], ["init", NAME, "-v"]]
    {
        assert_harmless(&ovlint(folder.path(), command), &format!("{command:?}"));
    }
    fs::write(inner.join("::error::m.ovshapes"), format!("# ovlint shapes v1\n::error::old\n{NAME}\n")).unwrap();
    for command in [["snapshot", "check", "."], ["snapshot", "update", "--prune"], ["check", "--fix", "."]] {
        assert_harmless(&ovlint(folder.path(), command), &format!("{command:?}"));
    }
}

#[test]
fn configurations_are_harmless() {
    let folder = copy_of("bad/declared-shape/model.xml");
    for text in [
        format!("\"{TOML}\" = 1"),
        format!("[rules]\n\"{TOML}\" = 'off'"),
        format!("[rules]\nshapes = \"{TOML}\""),
        format!("target = \"{TOML}\""),
        format!("profile = \"{TOML}\""),
        format!("exclude = [\"{TOML}[\"]"),
        format!("extension-ops = \"{TOML}\""),
        format!("[[ignore]]\nrule = \"{TOML}\"\nreason = 'x'"),
        format!("[[ignore]]\nrule = 'shapes'\nlayer = \"{TOML}\"\nreason = \"{TOML}\""),
        format!("[[ignore]]\nrule = 'shapes'\nlayer = \"{TOML}[\"\nreason = \"{TOML}\""),
        format!("[[contract]]\nfiles = \"**\"\nforbid-ops = [\"{TOML}\"]\ninputs.\"{TOML}\" = 'f32[1]'"),
        format!("[[contract]]\nfiles = \"**\"\ninputs.\"{TOML}\" = \"{TOML}\""),
        format!("[[per-file]]\nfiles = \"{TOML}\"\nallow-extensions = [\"{TOML}\"]"),
    ] {
        fs::write(folder.path().join("ovlint.toml"), &text).unwrap();
        for flags in [&["check", "."] as &[&str], &["check", ".", "--show-settings"], &["info", "."]] {
            assert_harmless(&ovlint(folder.path(), flags.iter().copied()), &text);
        }
    }
}

#[test]
fn arguments_are_harmless() {
    let folder = copy_of("models/split.xml");
    for arguments in [
        &["check", NAME] as &[&str],
        &["check", "--\n::error::x", "split.xml"],
        &["check", "--jobs", NAME, "split.xml"],
        &["check", "--select", NAME, "split.xml"],
        &["check", "--severity", NAME, "split.xml"],
        &["check", "--format", NAME, "split.xml"],
        &["check", "--target", NAME, "split.xml"],
        &["why", "split.xml", "a", NAME],
        &["explain", NAME],
        &["generate", "man", NAME],
        &["run", "split.xml", "--expect", "x=\n::error::y"],
        &["shapes", "split.xml", "--shape", NAME],
        &[NAME],
    ] {
        let out = ovlint(folder.path(), arguments.iter().copied());
        assert_harmless(&out, &format!("{arguments:?}"));
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(!out.stderr.is_empty() || !out.stdout.is_empty());
    }
}

/// What a run writes into a file and what it writes into a pipe.
#[cfg(unix)]
#[test]
fn diffs_are_byte_for_byte_in_files_only() {
    let (folder, _) = hostile();
    let command = |stdout: std::process::Stdio| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ovlint"));
        command.args(["check", "--isolated", "--diff", "model.xml"]).current_dir(folder.path()).stdout(stdout);
        command.output().unwrap()
    };
    let text = fs::read_to_string(folder.path().join("model.xml")).unwrap();
    let hostile = text.replace("<dim>", "<!--\n::error::x\n##[error]y\n--><dim>");
    fs::write(folder.path().join("model.xml"), &hostile).unwrap();
    let told =
        "ovlint: the diff spells out what a terminal or a CI service would obey; `> FILE` gives one that applies\n";
    let out = command(std::process::Stdio::piped());
    assert_harmless(&out, "--diff");
    assert!(utf8(&out.stdout).contains("\n \\u{3a}:error::x\n #\\u{23}[error]y\n"), "{}", utf8(&out.stdout));
    assert!(utf8(&out.stderr).starts_with(told), "{}", utf8(&out.stderr));
    let file = folder.path().join("a.patch");
    let out = command(fs::File::create(&file).unwrap().into());
    assert!(!utf8(&out.stderr).contains("spells out"));
    let diff = fs::read_to_string(&file).unwrap();
    assert!(diff.contains("\n ::error::x\n ##[error]y\n"), "{diff}");
    fs::write(folder.path().join("model.xml"), text).unwrap();
    let out = command(std::process::Stdio::piped());
    assert!(!utf8(&out.stderr).contains("spells out"));
}

/// Markup of some format, and characters that nobody sees.
const MARKUP: [&str; 14] = [
    "</text></svg><script>alert(1)</script>",
    "</script><script>alert(1)</script><!--",
    "--><img src=x onerror=alert(1)>",
    "]]><b>&lt;&#60;&amp;",
    "\"]; x [label=\"\\",
    "\" onload=\"alert(1)' onload='",
    "\\\"]; end -> n1 [label=\\\"",
    "a|b | c\\| d `e` **f** [g](h) ![i](j)",
    "n1([\"x\"]) --> n2 %% ; end subgraph",
    "#quot;#35;\n  click n0 \"https://example.org\"\n---\n# h",
    "\u{9b}31m\u{80}\u{85}\u{7f}\u{ad}\u{34f}\u{61c}",
    "\u{202e}\u{202a}\u{2066}\u{2069}\u{200b}\u{200f}\u{2028}",
    "\u{feff}\u{fffe}\u{e000}\u{e0041}\u{fe0f}\u{3164}",
    "${x} {{y}} <%= z %> $(w) `v`",
];

/// A chain of layers with these names, as far as a file may hold them. All but the first declare a wrong shape.
fn chain(names: &[String]) -> String {
    let escaped = |name: &String| {
        let mut text = String::new();
        for character in name.chars().filter(|character| *character != '\u{fffe}') {
            match character {
                '&' => text.push_str("&amp;"),
                '<' => text.push_str("&lt;"),
                '"' => text.push_str("&quot;"),
                '\n' => text.push_str("&#10;"),
                other => text.push(other),
            }
        }
        text
    };
    let port =
        |id: u8, names: &str, dim: u8| format!("<port id=\"{id}\" precision=\"FP32\"{names}><dim>{dim}</dim></port>");
    let mut layers = String::new();
    let mut edges = String::new();
    for (id, name) in names.iter().map(escaped).enumerate() {
        let named = port(1, &format!(" names=\"{name}\""), if id == 0 { 2 } else { 3 });
        let (kind, data, input) = match id {
            0 => ("Parameter", "<data shape=\"2\" element_type=\"f32\"/>", String::new()),
            _ => ("ReLU", "", format!("<input>{}</input>", port(0, "", 2))),
        };
        let _ = write!(
            layers,
            "<layer id=\"{id}\" name=\"{name}\" type=\"{kind}\" version=\"opset1\">{data}{input}<output>{named}</output></layer>"
        );
        let _ = write!(edges, "<edge from-layer=\"{id}\" from-port=\"1\" to-layer=\"{}\" to-port=\"0\"/>", id + 1);
    }
    let (end, net) = (names.len(), escaped(&names[0]));
    format!(
        "<net name=\"{net}\" version=\"11\"><layers>{layers}<layer id=\"{end}\" name=\"{net} \" type=\"Result\" version=\"opset1\">\
         <input>{}</input></layer></layers><edges>{edges}</edges></net>",
        port(0, "", 2)
    )
}

/// The tags in a text, of which every `<` starts one.
fn tags(text: &str) -> Vec<String> {
    let tag = |rest: &str| rest.chars().take_while(|c| !c.is_whitespace() && *c != '>').collect();
    text.split('<').skip(1).map(tag).collect()
}

/// A text without what is between its quotes.
fn unquoted(text: &str) -> String {
    let (mut out, mut is_quoted, mut is_escaped) = (String::new(), false, false);
    for character in text.chars() {
        let is_quote = character == '"' && !is_escaped;
        is_escaped = is_quoted && character == '\\' && !is_escaped;
        is_quoted ^= is_quote;
        if is_quote || !is_quoted {
            out.push(character);
        }
    }
    out
}

/// The cells in each line of Markdown, and the tags in it; what is between fences is code.
fn cells(text: &str) -> Vec<String> {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        is_fence || !is_code
    });
    let cells = |line: &str| {
        let line = line.replace("\\\\", "").replace("\\|", "").replace("\\<", "").replace("\\`", "");
        format!("{} cells, tags {:?}", line.matches('|').count(), tags(&outside_spans(&line)))
    };
    lines.map(cells).collect()
}

/// A line without the spans of code in it, each of which ends at as many backticks as it starts with.
fn outside_spans(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(start) = rest.find('`') {
        out += &rest[..start];
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let inner = &rest[start + ticks..];
        let is_end = |at: &usize| {
            let run = inner[*at..].len() - inner[*at..].trim_start_matches('`').len();
            run == ticks && !inner[..*at].ends_with('`')
        };
        let end = inner.match_indices('`').map(|(at, _)| at).find(is_end);
        rest = end.map_or(inner, |end| &inner[end + ticks..]);
    }
    out + rest
}

#[test]
fn markup_in_names_stays_text_in_pictures_pages_and_tables() {
    let hostile = MARKUP.map(str::to_owned);
    let plain = hostile.clone().map(|name| {
        let is_kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | ' ');
        name.chars().map(|c| if is_kept(c) { c } else { 'x' }).collect::<String>()
    });
    let shown = |names: &[String], command: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.xml"), chain(names)).unwrap();
        fs::write(folder.path().join("n.xml"), chain(&names[..4])).unwrap();
        let out = ovlint(folder.path(), command.iter().copied());
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap_or_else(|_| utf8(&out.stdout));
        assert!(page.len() > 300, "{command:?}: {page}{}", utf8(&out.stderr));
        page
    };
    let svg = |text: &str| {
        let mut reader = quick_xml::Reader::from_str(text);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
        tags(text)
    };
    let hold = |command: &[&str], structure: &dyn Fn(&str) -> Vec<String>| {
        let text = shown(&hostile, command);
        assert_eq!(structure(&text), structure(&shown(&plain, command)), "{command:?}");
        assert_eq!(obeyed(&text.replace('\t', " ")), [""; 0], "{command:?}");
        let hidden = text.chars().find(|c| !c.is_ascii_graphic() && MARKUP[10..13].concat().contains(*c));
        assert_eq!(hidden, None, "{command:?}");
    };
    let graph = |format| ["graph", "m.xml", "--format", format];
    hold(&graph("svg"), &svg);
    hold(&graph("dot"), &|text| unquoted(text).lines().map(str::to_owned).collect());
    hold(&graph("mermaid"), &|text| {
        assert!(!text.contains(['\\', '`']), "{text}");
        unquoted(text).lines().map(str::to_owned).collect()
    });
    hold(&["report", "m.xml", "-o", "page.html"], &tags);
    for command in [
        &["info", "m.xml", "--format", "md"] as &[&str],
        &["check", "m.xml", "--format", "md", "--profile", "pedantic"],
        &["diff", "m.xml", "n.xml", "--format", "md"],
    ] {
        hold(command, &cells);
    }
}
