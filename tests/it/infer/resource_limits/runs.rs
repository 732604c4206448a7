//! Runs that would take all memory.

use crate::ir_builder::Ir;
use ovlint::internal::exec::{Feed, Generator, run};
use ovlint::internal::ir::LayerId;
use ovlint::internal::{Model, Options, Weights};

/// What comes of the padding of one element by so many.
fn padded(by: f64) -> Result<usize, String> {
    let mut ir = Ir::default();
    let x = ir.parameter("f32", "1");
    let ends = [0.0, by].map(|end| ir.constant("i64", &[1], &[end]));
    let pad = ir.layer("Pad", "opset1", "<data pad_mode=\"edge\"/>", &[x, ends[0], ends[1]], 1);
    ir.result(pad);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    assert!(!model.has_errors());
    let feeds = [("Parameter_0".to_owned(), Feed::Generated(Generator::Arange))];
    let steps = run(&model, &feeds, None).unwrap();
    let pad = steps.into_iter().find(|step| step.layer == LayerId::new(3)).unwrap();
    pad.outputs.map(|outputs| outputs[0].elements())
}

#[test]
fn padding_without_end_is_refused() {
    assert_eq!(padded(6.0), Ok(7));
    for by in [1e9, 1e12, 1e18] {
        assert_eq!(padded(by), Err("its tensors take more memory than --max-tensors-size allows".to_owned()), "{by}");
    }
}
