//! Configurations: what is documented, what `init` writes and what `--show-settings` prints.

use super::{schema, shows, validator};
use crate::program::{ovlint, root, utf8};
use ovlint::internal::policy::{Settings, TEMPLATE};
use serde_json::Value;
use std::fs;

fn read(text: &str) -> Value {
    toml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Why a text is not a configuration.
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ovlint.toml");
    fs::write(&path, text).unwrap();
    Settings::read(&path, folder.path()).unwrap_err().message
}

#[test]
fn configurations_follow_their_schema() {
    let documented = fs::read_to_string(root().join("../docs/configuration.md")).unwrap();
    let mut all: Vec<String> =
        documented.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    // Such a file states operations.
    all.retain(|text| !text.contains("[op."));
    let uncommented = TEMPLATE.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
    let is_key = |line: &&str| !line.starts_with(' ') && (line.starts_with('[') || line.contains(" = "));
    let keys: Vec<&str> = uncommented.filter(is_key).collect();
    all.extend([TEMPLATE.to_owned(), keys.join("\n")]);
    all.push("target = '2023.3..2024.6, 2026.4'".to_owned());
    for sample in ["contract-port", "contract-size", "unused-ignore/configuration"] {
        let folder = root().join("bad").join(sample);
        assert!(folder.join("ovlint.toml").exists(), "{sample}");
        all.push(utf8(&ovlint(&folder, ["check", "model.xml", "--show-settings"]).stdout));
    }
    shows("config", &all.iter().map(|text| read(text)).collect::<Vec<_>>());
}

#[test]
fn every_key_is_in_the_schema() {
    let schema = schema("config");
    for (table, pointer) in [
        ("", "/properties"),
        ("[[per-file]]\n", "/properties/per-file/items/properties"),
        ("[[ignore]]\n", "/properties/ignore/items/properties"),
        ("[[contract]]\n", "/properties/contract/items/properties"),
    ] {
        let described = schema.pointer(pointer).unwrap().as_object().unwrap();
        let message = refused(&format!("{table}zzz = 1"));
        let known = message.strip_prefix("unknown key `zzz`; known are ").unwrap();
        let mut known: Vec<&str> = known.split(", ").collect();
        known.sort_unstable();
        assert_eq!(described.keys().collect::<Vec<_>>(), known, "{table}");
    }
}

#[test]
fn what_is_no_configuration_does_not_follow_the_schema() {
    let validator = validator(&schema("config"));
    for text in [
        "fail_on = 'error'",
        "fail-on = 'warn'",
        "target = 2024.6",
        "target = 'latest'",
        "target = '2023.3..'",
        "target = '2023.3,,2024.6'",
        "[rules]\nshapes = 'warn'",
        "[[ignore]]\nrule = 'cycle'",
        "[[ignore]]\nrule = 'cycle'\nreason = ' '",
        "[[per-file]]\nrules.cycle = 'off'",
        "[[contract]]\nfiles = '*'\nmax-bin-size = '1 lb'",
    ] {
        assert!(!refused(text).is_empty());
        assert!(!validator.is_valid(&read(text)), "{text}");
    }
}
