//! The root element, its version, and what else may stand in it.

use super::base::NET;
use super::{Fault, accepted, check, rejected};

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
    net!(rejected "version-empty", r#"<net name="base" version="">"#, []),
    net!(rejected "version-word", r#"<net name="base" version="abc">"#, []),
    net!(rejected "version-twenty-digits", r#"<net name="base" version="99999999999999999999">"#, []),
    net!(rejected "version-0", r#"<net name="base" version="0">"#, []),
    net!(rejected "version-6", r#"<net name="base" version="6">"#, []),
    net!(rejected "version-7", r#"<net name="base" version="7">"#, []),
    net!(rejected "version-9", r#"<net name="base" version="9">"#, []),
    net!(rejected "version-12", r#"<net name="base" version="12">"#, []),
    net!(rejected "version-1", r#"<net name="base" version="1">"#, []),
    net!(rejected "version-267", r#"<net name="base" version="267">"#, []),
    net!(rejected "version-missing", r#"<net name="base">"#, []),
    net!(rejected "version-negative", r#"<net name="base" version="-1">"#, []),
    net!(rejected "version-fraction", r#"<net name="base" version="11.0">"#, []),
    net!(rejected "version-blank-behind", r#"<net name="base" version="11 ">"#, []),
    net!(rejected "version-hexadecimal", r#"<net name="base" version="0x0B">"#, []),
    net!(accepted "version-twice", r#"<net name="base" version="11" version="7">"#, []),
    net!(rejected "version-twice-first-wrong", r#"<net name="base" version="7" version="11">"#, []),
    accepted("root-upper-case", &[("<net ", "<NET "), ("</net>", "</NET>")], &[]),
    rejected("root-mixed-case", &[("<net ", "<Net ")], &[]),
    rejected("root-other", &[("<net ", "<model "), ("</net>", "</model>")], &[]),
    rejected("root-longer", &[("<net ", "<network "), ("</net>", "</network>")], &[]),
    rejected("root-with-a-prefix", &[("<net ", "<ov:net "), ("</net>", "</ov:net>")], &[]),
    rejected("wrapped", &[("<net ", "<model><net "), ("</net>", "</net></model>")], &[]),
    accepted("unknown-element", &[("<layers>", "<Layers/><comment>hi</comment><layers>")], &[]),
    accepted("text-between", &[("<layers>", "text<layers>more"), ("</layers>", "and more</layers>")], &[]),
    accepted("meta-data", &[("<rt_info/>", r#"<meta_data><MO_version value="2021.4"/></meta_data>"#)], &[]),
    rejected("meta-data-with-another-child", &[("<rt_info/>", r#"<meta_data><weird/></meta_data>"#)], &[]),
];

#[test]
fn nets_have_versions() {
    check("net", &NET, FAULTS);
}
