//! Old flags, commands and formats, so that an error can name the replacement, if there is one.

/// Old flags, and their replacements.
const FLAGS: [(&str, &str); 10] = [
    ("--strict", "is now `--fail-on warning`"),
    ("--exit-zero", "is now `--fail-on never`"),
    ("--output-file", "is now `--output`"),
    ("--silent", "is now `-qq`"),
    ("-s", "is now `-qq`"),
    ("--extend-select", "is now `--select default,RULES`, or `--severity RULE=LEVEL` for one rule"),
    ("--chain", "is now `--verbose`"),
    ("--show-fixes", "is now `--verbose`"),
    ("--show-assumed", "is now `--verbose`"),
    ("--allow-empty", "is gone: folders without a model exit with 3"),
];

/// Old commands, and their replacements.
const COMMANDS: [(&str, &str); 4] = [
    ("rules", "is now `ovlint explain`"),
    ("schema", "is now `ovlint generate schema`"),
    ("completions", "is now `ovlint generate completions`"),
    ("man", "is now `ovlint generate man`"),
];

/// Old formats of commands, and their replacements.
const FORMATS: [(&str, &str, &str); 4] = [
    ("check", "checkstyle", "is gone: `sarif` serves its readers"),
    ("check", "markdown", "is now `md`"),
    ("info", "table", "is now `concise`"),
    ("shapes", "table", "is now `text`"),
];

pub(super) fn flag(name: &str) -> Option<String> {
    message(&FLAGS, name)
}

pub(super) fn command(name: &str) -> Option<String> {
    message(&COMMANDS, name)
}

pub(super) fn format(command: &str, name: &str) -> Option<String> {
    let (_, old, now) = FORMATS.iter().find(|(of, old, _)| (*of, *old) == (command, name))?;
    Some(format!("format `{old}` {now}"))
}

fn message(names: &[(&str, &str)], name: &str) -> Option<String> {
    let (old, now) = names.iter().find(|(old, _)| *old == name)?;
    Some(format!("`{old}` {now}"))
}
