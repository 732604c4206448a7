//! XML that is odd or broken inside a file that is otherwise an IR.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};

const MM: &str = r#"<layer id="10" name="mm" type="MatMul" version="opset1">"#;

const TABBED_MM: &str = "\t\t<layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">";

macro_rules! mm {
    ($verdict:ident $name:literal, $to:literal, [$($says:literal),*]) => {
        $verdict($name, &[(MM, $to)], &[$($says),*])
    };
}

const FAULTS: &[Fault] = &[
    mm!(accepted "attribute-twice", r#"<layer id="10" id="99" name="mm" type="MatMul" version="opset1">"#, [r#"E xml-duplicate-attribute: id="99"#]),
    mm!(rejected "attribute-twice-first-wrong", r#"<layer id="99" id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-duplicate-attribute: id=\"10", "E input-not-connected: <port id=\"0\" precision=\"FP32\">", "E input-not-connected: <port id=\"1\" precision=\"FP32\">", "E edge-unknown-layer: to-layer=\"10"]),
    mm!(rejected "unquoted", r#"<layer id=10 name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: 1"]),
    mm!(rejected "no-value", r#"<layer id="10" hidden name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: h"]),
    mm!(rejected "no-blank-between", r#"<layer id="10"name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: n"]),
    mm!(rejected "quote-missing", r#"<layer id="10 name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: m"]),
    mm!(rejected "no-end-of-tag", r#"<layer id="10" name="mm" type="MatMul" version="opset1""#, ["E xml-malformed: <"]),
    mm!(rejected "name-starts-with-a-digit", r#"<layer id="10" 1name="x" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: 1"]),
    mm!(rejected "slash-between", r#"<layer id="10" / name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: /"]),
    mm!(rejected "quote-as-name", r#"<layer id="10" "x"="y" name="mm" type="MatMul" version="opset1">"#, [r#"E xml-malformed: ""#]),
    mm!(rejected "equals-twice", r#"<layer id=="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: ="]),
    mm!(accepted "less-than-in-value", r#"<layer id="10" name="m<m" type="MatMul" version="opset1">"#, []),
    mm!(accepted "greater-than-in-value", r#"<layer id="10" name="m>m" type="MatMul" version="opset1">"#, []),
    mm!(accepted "tag-in-value", r#"<layer id="10" name="m</layer><net>m" type="MatMul" version="opset1">"#, []),
    mm!(accepted "quotes-in-quotes", r#"<layer id="10" name='m"m' type="MatMul" version="opset1">"#, []),
    mm!(accepted "bare-ampersand", r#"<layer id="10" name="a & b" type="MatMul" version="opset1">"#, []),
    mm!(accepted "unknown-entity", r#"<layer id="10" name="a&foo;b" type="MatMul" version="opset1">"#, []),
    mm!(accepted "known-and-unknown-entity", r#"<layer id="10" name="&lt;a&foo;b" type="MatMul" version="opset1">"#, []),
    mm!(accepted "reference-to-nothing", r#"<layer id="10" name="a&#;b" type="MatMul" version="opset1">"#, []),
    mm!(accepted "reference-to-nul", r#"<layer id="10" name="a&#0;b" type="MatMul" version="opset1">"#, []),
    mm!(accepted "reference-too-large", r#"<layer id="10" name="a&#99999999999;b" type="MatMul" version="opset1">"#, []),
    mm!(accepted "newline-in-tag", "<layer\r\n\tid=\"10\"\n\n name='mm' type=\"MatMul\" version=\"opset1\"\n>", []),
    mm!(accepted "newline-in-value", "<layer id=\"10\" name=\"m\nm\" type=\"MatMul\" version=\"opset1\">", []),
    mm!(accepted "control-character-in-value", "<layer id=\"10\" name=\"m\u{1}m\" type=\"MatMul\" version=\"opset1\">", []),
    mm!(accepted "escape-sequence-in-value", "<layer id=\"10\" name=\"m\u{1b}[31mm\" type=\"MatMul\" version=\"opset1\">", []),
    mm!(rejected "nul-in-value", "<layer id=\"10\" name=\"m\0m\" type=\"MatMul\" version=\"opset1\">", ["E xml-malformed: \0"]),
    mm!(rejected "nul-between", "\0<layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">", ["E xml-malformed: \0"]),
    mm!(accepted "other-scripts", "<layer id=\"10\" name=\"слой 層 \u{1f600}\" type=\"MatMul\" version=\"opset1\">", []),
    mm!(accepted "right-to-left", "<layer id=\"10\" name=\"m\u{202e}m\" type=\"MatMul\" version=\"opset1\">", []),
    mm!(accepted "comment-before", r#"<!-- <layer id="1"> --><layer id="10" name="mm" type="MatMul" version="opset1">"#, []),
    mm!(accepted "comment-with-dashes", r#"<!-- a -- b --><layer id="10" name="mm" type="MatMul" version="opset1"><!---->"#, []),
    mm!(rejected "comment-in-tag", r#"<layer <!-- x --> id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: <"]),
    mm!(rejected "comment-without-end", r#"<!-- <layer id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: <"]),
    mm!(accepted "instruction", r#"<?php echo "<layer>" ?><layer id="10" name="mm" type="MatMul" version="opset1">"#, []),
    mm!(accepted "character-data-between", r#"<![CDATA[<layer>]]><layer id="10" name="mm" type="MatMul" version="opset1">"#, ["W unknown-element: <layer>"]),
    mm!(rejected "character-data-without-end", r#"<![CDATA[<layer><layer id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: <"]),
    mm!(rejected "blank-before-name", r#"< layer id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: <"]),
    mm!(rejected "empty-tag", r#"<><layer id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: <"]),
    mm!(rejected "extra-end-tag", r#"</layer><layer id="10" name="mm" type="MatMul" version="opset1">"#, ["E xml-malformed: <"]),
    rejected("mismatched-end", &[("</layers>", "</layerz>")], &["E xml-malformed: <"]),
    rejected(
        "end-missing",
        &[("</layers>", "")],
        &["W unknown-element: <edges>", "W unknown-element: <rt_info/>", "E xml-malformed: <"],
    ),
    rejected("end-of-net-missing", &[("</net>", "")], &["E xml-malformed: >"]),
    rejected("end-cut", &[("</net>", "</ne")], &["E xml-malformed: <"]),
    rejected("end-without-bracket", &[("</net>", "</net")], &["E xml-malformed: <"]),
    accepted("end-with-blank", &[("</layers>", "</layers >")], &[]),
    rejected("end-with-attribute", &[("</layers>", "</layers a='b'>")], &["E xml-malformed: <"]),
    rejected(
        "layer-not-closed",
        &[(
            "</port>
			</output>
		</layer>
		<layer id=\"11\"",
            "</port>
			</output>
		<layer id=\"11\"",
        )],
        &[
            r#"W unknown-element: <layer id="11" name="res" type="Result" version="opset1" output_names="y">"#,
            "E xml-malformed: <",
        ],
    ),
    rejected("broken-attribute-in-rt-info", &[("<rt_info/>", "<rt_info><a b=c/></rt_info>")], &["E xml-malformed: c"]),
    rejected("broken-attribute-of-layers", &[("<layers>", "<layers a=b>")], &["E xml-malformed: b"]),
    rejected("broken-attribute-of-an-unknown-port", &[("<layers>", "<layers><port a=1/>")], &["E xml-malformed: 1"]),
    rejected("broken-attribute-of-an-unknown-layer", &[("<edges>", "<edges><layer a/>")], &["E xml-malformed: a"]),
    rejected(
        "broken-attribute-of-a-second-list",
        &[("</net>", "<layers/><edges a='1'b='2'/></net>")],
        &["W unknown-element: <layers/>", "E xml-malformed: b"],
    ),
    rejected(
        "broken-attribute-of-data-in-rt-info",
        &[("<rt_info/>", "<rt_info><x><data 1/></x></rt_info>")],
        &["E xml-malformed: 1"],
    ),
    rejected("form-feed-between", &[("<layers>", "<layers\u{c}a='b'>")], &["E xml-malformed: \u{c}"]),
    rejected("doctype-inside", &[("<layers>", "<!DOCTYPE net><layers>")], &["E xml-malformed: <"]),
    rejected("comment-of-one-dash", &[("<layers>", "<!- x --><layers>")], &["E xml-malformed: <"]),
    rejected("instruction-without-name", &[("<layers>", "<? x?><layers>")], &["E xml-malformed: <"]),
    accepted("instruction-without-blank", &[("<layers>", "<?x\"?><layers>")], &[]),
    rejected(
        "broken-attribute-of-a-dim",
        &[(r#"names="mm"><dim>"#, r#"names="mm"><dim a=b>"#)],
        &["E xml-malformed: b"],
    ),
    accepted("attribute-twice-in-rt-info", &[("<rt_info/>", "<rt_info><a b='1' b='2'/></rt_info>")], &[]),
    accepted("trailing-text", &[("</net>", "</net>garbage")], &["E xml-trailing-content: garbage"]),
    accepted(
        "second-root",
        &[("</net>", "</net><net version='11'/>")],
        &["E xml-trailing-content: <net version='11'/>"],
    ),
    accepted(
        "second-root-that-is-open",
        &[("</net>", "</net><net version='11'><layers/></net>")],
        &["E xml-trailing-content: <net version='11'>"],
    ),
    rejected(
        "trailing-open-tag",
        &[("</net>", "</net><net>")],
        &["E xml-trailing-content: <net>", "E xml-malformed: >"],
    ),
    rejected(
        "second-root-that-is-broken",
        &[("</net>", "</net><a/><b x=1/>")],
        &["E xml-trailing-content: <a/>", "E xml-malformed: 1"],
    ),
    rejected("trailing-end-tag", &[("</net>", "</net></net>")], &["E xml-malformed: <"]),
    accepted("trailing-comment", &[("</net>", "</net><!-- end --><?end?>")], &[]),
    rejected("trailing-comment-without-end", &[("</net>", "</net><!-- end")], &["E xml-malformed: <"]),
    accepted("leading-text", &[("<net ", "text<net ")], &["E xml-trailing-content: text"]),
    accepted("leading-newline", &[("<?xml", "\n<?xml")], &[]),
    accepted("version-1-1", &[(r#"<?xml version="1.0"?>"#, r#"<?xml version="1.1"?>"#)], &[]),
    accepted("no-declaration", &[(r#"<?xml version="1.0"?>"#, "")], &[]),
    accepted(
        "declaration-twice",
        &[(r#"<?xml version="1.0"?>"#, r#"<?xml version="1.0"?><?xml version="1.0"?>"#)],
        &[],
    ),
    accepted(
        "encoding-utf-8",
        &[(r#"<?xml version="1.0"?>"#, r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#)],
        &[],
    ),
    accepted(
        "encoding-utf-16",
        &[(r#"<?xml version="1.0"?>"#, r#"<?xml version="1.0" encoding="UTF-16"?>"#)],
        &[r#"W xml-encoding: <?xml version="1.0" encoding="UTF-16"?>"#],
    ),
    accepted(
        "encoding-unknown",
        &[(r#"<?xml version="1.0"?>"#, r#"<?xml version="1.0" encoding="klingon"?>"#)],
        &[r#"W xml-encoding: <?xml version="1.0" encoding="klingon"?>"#],
    ),
    accepted("doctype", &[("<net ", "<!DOCTYPE net><net ")], &["W xml-doctype: <!DOCTYPE net>"]),
    accepted(
        "doctype-with-entities",
        &[("<net ", "<!DOCTYPE net [<!ENTITY a 'aa'><!ENTITY % b '>'>]><net ")],
        &["W xml-doctype: <!DOCTYPE net [<!ENTITY a 'aa'><!ENTITY % b '>'>]>"],
    ),
    accepted(
        "doctype-external",
        &[("<net ", "<!DOCTYPE net SYSTEM 'file:///etc/passwd'><net ")],
        &["W xml-doctype: <!DOCTYPE net SYSTEM 'file:///etc/passwd'>"],
    ),
    rejected(
        "doctype-entity-used",
        &[
            ("<net ", "<!DOCTYPE net [<!ENTITY d '32'>]><net "),
            (r#"names="mm"><dim>32</dim>"#, r#"names="mm"><dim>&d;</dim>"#),
        ],
        &["W xml-doctype: <!DOCTYPE net [<!ENTITY d '32'>]>", "E invalid-dim: &d;"],
    ),
    rejected("doctype-without-end", &[("<net ", "<!DOCTYPE net [<net ")], &["E xml-malformed: <"]),
    rejected(
        "conflict-between-layers",
        &[(
            TABBED_MM,
            "<<<<<<< HEAD\n<layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">\n=======\n<layer id=\"10\" name=\"mn\" type=\"MatMul\" version=\"opset1\">\n>>>>>>> branch\n",
        )],
        &["E conflict-marker: <<<<<<< HEAD"],
    ),
    accepted(
        "rest-of-a-conflict",
        &[(MM, "=======\n<layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">")],
        &["E conflict-marker: ======="],
    ),
    accepted(
        "end-of-a-conflict",
        &[(MM, ">>>>>>> branch\n<layer id=\"10\" name=\"mm\" type=\"MatMul\" version=\"opset1\">")],
        &["E conflict-marker: >>>>>>> branch"],
    ),
    rejected(
        "conflict-at-the-start",
        &[("<?xml version=\"1.0\"?>", "<<<<<<< HEAD\n<?xml version=\"1.0\"?>")],
        &["E conflict-marker: <<<<<<< HEAD"],
    ),
    accepted(
        "conflict-markers-after-the-end",
        &[("</net>", "</net>\n=======\n>>>>>>> branch")],
        &["E conflict-marker: =======\n>>>>>>> branch"],
    ),
];

#[test]
fn odd_xml_is_reported() {
    check("xml", &NET, FAULTS);
}
