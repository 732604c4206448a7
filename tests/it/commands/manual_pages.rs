//! Completions and manual pages.

use crate::program::{code, ovlint, root, utf8};

fn run(arguments: &[&str]) -> (i32, String, String) {
    let out = ovlint(&root(), arguments.iter().copied());
    (code(&out), utf8(&out.stdout), utf8(&out.stderr))
}

#[test]
fn every_shell_has_completions() {
    for (shell, mark) in [
        ("bash", "complete -F _ovlint"),
        ("zsh", "#compdef ovlint"),
        ("fish", "complete -c ovlint"),
        ("powershell", "Register-ArgumentCompleter -Native -CommandName 'ovlint'"),
        ("elvish", "edit:completion:arg-completer[ovlint]"),
    ] {
        let (code, script, err) = run(&["generate", "completions", shell]);
        assert_eq!((code, err.as_str()), (0, ""));
        for wanted in [mark, "explain", "max-findings", "only-mismatch"] {
            assert!(script.contains(wanted), "{shell}: {wanted}");
        }
        // The other two complete no values.
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        assert_eq!(script.contains("gitlab"), has_values, "{shell}");
    }
    assert_eq!(run(&["generate", "completions", "tcsh"]).0, 2);
}

#[test]
fn every_command_has_a_manual_page() {
    let (code, page, _) = run(&["generate", "man"]);
    assert_eq!(code, 0);
    assert!(page.contains(".TH OVLINT 1") && page.contains(".SH NAME\novlint \\- "), "{page}");
    let (_, help, _) = run(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"check") && commands.contains(&"explain"));
    for command in commands {
        let (code, page, err) = run(&["generate", "man", command]);
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        assert!(page.contains(&format!(".SH NAME\novlint\\-{command} \\- ")), "{page}");
    }
    assert_eq!(run(&["generate", "man", "chekc"]), (2, String::new(), "ovlint: there is no command `chekc`\n".into()));
}
