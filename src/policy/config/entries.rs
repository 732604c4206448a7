//! The keys of a configuration, as written.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A text and its span.
pub(super) type Text = Spanned<String>;

/// Severities by rule or group.
pub(super) type Severities = BTreeMap<Text, Text>;

/// A whole configuration.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct File {
    pub profile: Option<Text>,
    pub target: Option<Text>,
    pub fail_on: Option<Text>,
    pub include: Vec<Text>,
    pub exclude: Vec<Text>,
    pub extension_ops: Option<Text>,
    pub baseline: Option<Text>,
    pub assume: bool,
    #[serde(rename = "for")]
    pub recipes: Vec<Text>,
    pub rules: Severities,
    pub per_file: Vec<PerFileEntry>,
    pub ignore: Vec<Spanned<IgnoreEntry>>,
    pub contract: Vec<ContractEntry>,
    pub link: Vec<LinkEntry>,
}

/// Settings for some files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PerFileEntry {
    pub files: Text,
    #[serde(default)]
    pub rules: Severities,
    #[serde(default)]
    pub allow_extensions: Vec<Text>,
    pub weights: Option<Text>,
    #[serde(default, rename = "for")]
    pub recipes: Vec<Text>,
}

/// Findings to ignore.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct IgnoreEntry {
    pub rule: Text,
    pub files: Option<Text>,
    pub layer: Option<Text>,
    pub body: Option<Text>,
    pub reason: String,
}

/// The requirements of an application on a model.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ContractEntry {
    pub files: Text,
    pub inputs: Option<BTreeMap<String, Text>>,
    pub outputs: Option<BTreeMap<String, Text>>,
    #[serde(default)]
    pub forbid_ops: Vec<Text>,
    pub max_layers: Option<usize>,
    pub max_bin_size: Option<Text>,
    pub max_xml_size: Option<Text>,
}

/// An output of some models that is the input of others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkEntry {
    pub from: Text,
    pub to: Text,
}

/// The relevant part of a `pyproject.toml`.
#[derive(Deserialize)]
pub(super) struct Pyproject {
    pub tool: Option<Tools>,
}

#[derive(Deserialize)]
pub(super) struct Tools {
    pub ovlint: Option<File>,
}
