//! The text of `<dim>`: an integer from -1 on, after which OpenVINO ignores everything.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};

macro_rules! dim {
    ($verdict:ident $name:literal, $dim:literal, [$($says:literal),*]) => {
        $verdict($name, &[(r#"names="mm"><dim>32</dim>"#, concat!(r#"names="mm">"#, $dim))], &[$($says),*])
    };
}

const FAULTS: &[Fault] = &[
    dim!(accepted "spaces", "<dim> 32 </dim>", []),
    dim!(accepted "newlines", "<dim>\n32\r\n</dim>", []),
    dim!(accepted "fraction", "<dim>32.0</dim>", ["W lenient-number: 32.0"]),
    dim!(accepted "letters-behind", "<dim>32abc</dim>", ["W lenient-number: 32abc"]),
    dim!(accepted "two-numbers", "<dim>32 7</dim>", ["W lenient-number: 32 7"]),
    dim!(accepted "list", "<dim>32,6</dim>", ["W lenient-number: 32,6"]),
    dim!(accepted "interval", "<dim>32..64</dim>", ["W lenient-number: 32..64"]),
    dim!(accepted "other-interval", "<dim>1..8</dim>", ["E declared-shape: 1..8", "W lenient-number: 1..8"]),
    dim!(accepted "hexadecimal", "<dim>0x20</dim>", ["E declared-shape: 0x20", "W lenient-number: 0x20"]),
    dim!(accepted "exponent", "<dim>32e1</dim>", ["W lenient-number: 32e1"]),
    dim!(accepted "plus", "<dim>+32</dim>", []),
    dim!(accepted "leading-zeros", "<dim>00032</dim>", []),
    dim!(accepted "zero", "<dim>0</dim>", ["E declared-shape: 0"]),
    dim!(accepted "largest", "<dim>9223372036854775807</dim>", ["E declared-shape: 9223372036854775807"]),
    dim!(accepted "minus-zero", "<dim>-0</dim>", ["E declared-shape: -0"]),
    dim!(accepted "character-data", "<dim><![CDATA[32]]></dim>", []),
    dim!(accepted "character-data-split", "<dim><![CDATA[3]]>2</dim>", ["E declared-shape: 3"]),
    dim!(accepted "reference", "<dim>3&#50;</dim>", []),
    dim!(accepted "hexadecimal-reference", "<dim>&#x33;2</dim>", []),
    dim!(accepted "unknown-reference", "<dim>32&foo;</dim>", ["W lenient-number: 32&foo;"]),
    dim!(accepted "bare-ampersand", "<dim>32&</dim>", ["W lenient-number: 32&"]),
    dim!(accepted "comment-before", "<dim><!-- a > b --><!--> -->32</dim>", []),
    dim!(accepted "comment-inside", "<dim>3<!-- x -->2</dim>", ["E declared-shape: 3"]),
    dim!(accepted "instruction-before", "<dim><?x y?>32</dim>", []),
    dim!(accepted "element-behind", "<dim>32<x/></dim>", []),
    dim!(accepted "element-before", "<dim><x/>32</dim>", []),
    dim!(accepted "attribute", "<dim value='7'>32</dim>", []),
    dim!(accepted "upper-case-tag", "<DIM>32</DIM>", [r#"E declared-shape: <port id="2" precision="FP32" names="mm">"#, "W unknown-element: <DIM>"]),
    dim!(accepted "text-in-the-port", "x<dim>32</dim>y", ["W unknown-element: x", "W unknown-element: y"]),
    rejected(
        "of-an-input",
        &[(
            r#"<port id="0" precision="FP32"><dim>32</dim><dim>1</dim>"#,
            r#"<port id="0" precision="FP32"><dim>many</dim><dim>1</dim>"#,
        )],
        &["E invalid-dim: many"],
    ),
    dim!(rejected "question-mark", "<dim>?</dim>", ["E invalid-dim: ?"]),
    dim!(rejected "open-interval", "<dim>..32</dim>", ["E invalid-dim: ..32"]),
    dim!(rejected "empty", "<dim></dim>", ["E invalid-dim: <dim>"]),
    dim!(rejected "blank", "<dim> </dim>", ["E invalid-dim: <dim>"]),
    dim!(rejected "closed", "<dim/>", ["E invalid-dim: <dim/>"]),
    dim!(rejected "comment-only", "<dim><!--32--></dim>", ["E invalid-dim: <dim>"]),
    dim!(rejected "nested", "<dim><x>32</x></dim>", ["E invalid-dim: <dim>"]),
    dim!(rejected "as-attribute", "<dim value='32'/>", ["E invalid-dim: <dim value='32'/>"]),
    dim!(rejected "minus-two", "<dim>-2</dim>", ["E invalid-dim: -2"]),
    dim!(rejected "minus-minus", "<dim>--1</dim>", ["E invalid-dim: --1"]),
    dim!(rejected "minus-blank", "<dim>- 1</dim>", ["E invalid-dim: - 1"]),
    dim!(rejected "too-large", "<dim>9223372036854775808</dim>", ["E invalid-dim: 9223372036854775808"]),
    dim!(rejected "far-too-large", "<dim>99999999999999999999999999</dim>", ["E invalid-dim: 99999999999999999999999999"]),
    dim!(rejected "far-too-small", "<dim>-99999999999999999999999999</dim>", ["E invalid-dim: -99999999999999999999999999"]),
    dim!(rejected "word", "<dim>thirty-two</dim>", ["E invalid-dim: thirty-two"]),
    dim!(rejected "other-digits", "<dim>\u{665}</dim>", ["E invalid-dim: ٥"]),
    dim!(rejected "hard-blank", "<dim>\u{a0}32</dim>", ["E invalid-dim: \u{a0}32"]),
    dim!(rejected "reference-to-nothing", "<dim>&foo;32</dim>", ["E invalid-dim: &foo;32"]),
    dim!(rejected "infinity", "<dim>inf</dim>", ["E invalid-dim: inf"]),
];

#[test]
fn dims_are_read_as_openvino_reads_them() {
    check("dims", &NET, FAULTS);
}
