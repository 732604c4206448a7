//! What is said of what OpenVINO does with a file.

use crate::build::Ir;
use ovlint::diagnostic::{Runtime, Severity};
use ovlint::{Model, Options, Weights};

#[test]
fn strides_below_0_are_not_said_to_be_rejected() {
    for (strides, runtime) in [("-2,2", Runtime::Accepts), ("0,2", Runtime::Rejects)] {
        let mut ir = Ir::default();
        let data = ir.parameter("f32", "1,3,8,8");
        let attributes = format!(
            "<data strides=\"{strides}\" pads_begin=\"0,0\" pads_end=\"0,0\" kernel=\"2,2\" rounding_type=\"floor\" \
             auto_pad=\"explicit\"/>"
        );
        let pool = ir.layer("MaxPool", "opset1", &attributes, &[data], 1);
        ir.layer("Result", "opset1", "", &[pool], 0);
        let (xml, weights) = ir.finish();
        let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default());
        let finding = model.findings().iter().find(|finding| finding.rule.name == "attribute-value").unwrap();
        assert_eq!(finding.message, format!("`strides=\"{strides}\"` of MaxPool must be at least 1"));
        assert_eq!((finding.severity, finding.runtime), (Severity::Error, runtime));
        let is_told = finding.notes.iter().any(|note| note.contains("for one near 2^64"));
        assert_eq!(is_told, runtime == Runtime::Accepts);
    }
}
