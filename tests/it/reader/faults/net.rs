//! The root element, its version, and what else may stand in it.

use super::valid_models::NET;
use super::{Fault, accepted, check, findings, read, rejected};
use crate::program::show_openvino;

macro_rules! net {
    ($verdict:ident $name:literal, $to:literal, [$($says:literal),*]) => {
        $verdict($name, &[(r#"<net name="base" version="11">"#, $to)], &[$($says),*])
    };
}

const FAULTS: &[Fault] = &[
    net!(accepted "version-blank-before", r#"<net name="base" version=" 11">"#, []),
    net!(accepted "version-leading-zero", r#"<net name="base" version="011">"#, []),
    net!(accepted "version-plus", r#"<net name="base" version="+11">"#, []),
    net!(accepted "version-as-reference", r#"<net name="base" version="1&#49;">"#, []),
    net!(accepted "name-missing", r#"<net version="11">"#, []),
    net!(accepted "unknown-attribute", r#"<net name="base" version="11" batch="1">"#, []),
    net!(accepted "namespace", r#"<net xmlns="http://x.example/" name="base" version="11">"#, []),
    net!(rejected "version-empty", r#"<net name="base" version="">"#, ["E invalid-attribute: "]),
    net!(rejected "version-word", r#"<net name="base" version="abc">"#, ["E invalid-attribute: abc"]),
    net!(rejected "version-twenty-digits", r#"<net name="base" version="99999999999999999999">"#, ["E invalid-attribute: 99999999999999999999"]),
    net!(rejected "version-0", r#"<net name="base" version="0">"#, ["E unsupported-ir-version: 0"]),
    net!(rejected "version-6", r#"<net name="base" version="6">"#, ["E unsupported-ir-version: 6"]),
    net!(rejected "version-7", r#"<net name="base" version="7">"#, ["E unsupported-ir-version: 7"]),
    net!(rejected "version-9", r#"<net name="base" version="9">"#, ["E unsupported-ir-version: 9"]),
    net!(rejected "version-12", r#"<net name="base" version="12">"#, ["E unsupported-ir-version: 12"]),
    net!(rejected "version-1", r#"<net name="base" version="1">"#, ["E unsupported-ir-version: 1"]),
    net!(rejected "version-267", r#"<net name="base" version="267">"#, ["E unsupported-ir-version: 267"]),
    net!(rejected "version-missing", r#"<net name="base">"#, [r#"E missing-attribute: <net name="base">"#]),
    net!(rejected "version-negative", r#"<net name="base" version="-1">"#, ["E invalid-attribute: -1"]),
    net!(rejected "version-fraction", r#"<net name="base" version="11.0">"#, ["E invalid-attribute: 11.0"]),
    net!(rejected "version-blank-behind", r#"<net name="base" version="11 ">"#, ["E invalid-attribute: 11 "]),
    net!(rejected "version-hexadecimal", r#"<net name="base" version="0x0B">"#, ["E invalid-attribute: 0x0B"]),
    net!(accepted "version-twice", r#"<net name="base" version="11" version="7">"#, [r#"E xml-duplicate-attribute: version="7"#]),
    net!(rejected "version-twice-first-wrong", r#"<net name="base" version="7" version="11">"#, ["E unsupported-ir-version: 7", r#"E xml-duplicate-attribute: version="11"#]),
    accepted("root-upper-case", &[("<net ", "<NET "), ("</net>", "</NET>")], &[]),
    rejected("root-mixed-case", &[("<net ", "<Net ")], &["E xml-malformed: <"]),
    rejected(
        "root-other",
        &[("<net ", "<model "), ("</net>", "</model>")],
        &[r#"E not-openvino-ir: <model name="base" version="11">"#],
    ),
    rejected(
        "root-longer",
        &[("<net ", "<network "), ("</net>", "</network>")],
        &[r#"E not-openvino-ir: <network name="base" version="11">"#],
    ),
    rejected(
        "root-with-a-prefix",
        &[("<net ", "<ov:net "), ("</net>", "</ov:net>")],
        &[r#"E not-openvino-ir: <ov:net name="base" version="11">"#],
    ),
    rejected("wrapped", &[("<net ", "<model><net "), ("</net>", "</net></model>")], &["E not-openvino-ir: <model>"]),
    accepted(
        "unknown-element",
        &[("<layers>", "<Layers/><comment>hi</comment><layers>")],
        &["W unknown-element: <Layers/>", "W unknown-element: <comment>"],
    ),
    accepted(
        "text-between",
        &[("<layers>", "text<layers>more"), ("</layers>", "and more</layers>")],
        &["W unknown-element: text", "W unknown-element: more", "W unknown-element: and more"],
    ),
    accepted("meta-data", &[("<rt_info/>", r#"<meta_data><MO_version value="2021.4"/></meta_data>"#)], &[]),
    accepted("meta-data-beside-rt-info", &[("<rt_info/>", r"<meta_data><weird/></meta_data><rt_info/>")], &[]),
    accepted(
        "meta-data-of-mo",
        &[(
            "<rt_info/>",
            r#"<meta_data><MO_version value="2021.4"/><x value=""/><cli_parameters><batch value="1"/><unset unset_cli_parameters="a, b"/></cli_parameters></meta_data>"#,
        )],
        &[],
    ),
    rejected("meta-data-with-text", &[("<rt_info/>", r"<meta_data>text</meta_data>")], &["E invalid-attribute: text"]),
    rejected(
        "meta-data-with-another-child",
        &[("<rt_info/>", r"<meta_data><weird/></meta_data>")],
        &["E missing-attribute: <weird/>"],
    ),
];

#[test]
fn nets_have_versions() {
    check("net", &NET, FAULTS);
}

#[test]
fn the_version_lies_in_the_first_bytes_or_behind_them() {
    let bin = NET.weights();
    for start in 506..520 {
        let version = NET.xml.find("11\">").unwrap();
        let xml = NET.xml.replacen("<net ", &format!("{}<net ", " ".repeat(start - version)), 1);
        let is_cut = (511..515).contains(&start);
        let found = findings(&read(xml.as_str(), &bin));
        assert_eq!(found, if is_cut { vec!["E unsupported-ir-version: 11"] } else { Vec::new() }, "{start}");
        let verdict = if is_cut { "rejected" } else { "accepted" };
        show_openvino("OVLINT_FAULTS", &format!("net.version-at-{start}.{verdict}"), xml.as_bytes(), &bin);
    }
}
