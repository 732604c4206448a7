//! Names that flags and commands had before, for those who still write them.

/// The flags, and what is written instead.
const FLAGS: [(&str, &str); 9] = [
    ("--strict", "is now `--fail-on warning`"),
    ("--exit-zero", "is now `--fail-on never`"),
    ("--silent", "is now `-qq`"),
    ("-s", "is now `-qq`"),
    ("--extend-select", "is now `--select default,RULES`, or `--severity RULE=LEVEL` for one rule"),
    ("--chain", "is now `--verbose`"),
    ("--show-fixes", "is now `--verbose`"),
    ("--show-assumed", "is now `--verbose`"),
    ("--allow-empty", "is gone: folders without a model exit with 3"),
];

/// The commands, and what is written instead.
const COMMANDS: [(&str, &str); 4] = [
    ("rules", "is now `ovlint explain`"),
    ("schema", "is now `ovlint generate schema`"),
    ("completions", "is now `ovlint generate completions`"),
    ("man", "is now `ovlint generate man`"),
];

/// The name that a flag has now.
pub(super) fn flag(name: &str) -> Option<String> {
    told(&FLAGS, name)
}

/// The name that a command has now.
pub(super) fn command(name: &str) -> Option<String> {
    told(&COMMANDS, name)
}

fn told(names: &[(&str, &str)], name: &str) -> Option<String> {
    let (old, now) = names.iter().find(|(old, _)| *old == name)?;
    Some(format!("`{old}` {now}"))
}
