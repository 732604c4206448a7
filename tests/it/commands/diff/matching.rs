//! Which layer is which where names say nothing: the same model in another order and with other made-up names.

use super::run;
use crate::ir_builder::{Ir, Output};
use std::fs;

/// A model of two branches that differ in the element that they take and in what they lead to; where `mirrored`, the layers
/// of the other branch come first, so that the names that count layers are exchanged as well.
fn branches(mirrored: bool, weights: [f64; 2]) -> (Vec<u8>, Vec<u8>) {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "?,?");
    let zero = ir.constant("i64", &[], &[0.0]);
    let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
    let gather = |ir: &mut Ir, index: f64| {
        let index = ir.constant("i64", &[1], &[index]);
        ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[shape, index, zero], 1)
    };
    let scaled = |ir: &mut Ir, by: f64| {
        let by = ir.constant("f32", &[40], &[by; 40]);
        ir.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[data, by], 1)
    };
    let in_order = |ir: &mut Ir, of: &dyn Fn(&mut Ir, usize) -> Output| {
        let [first, then] = if mirrored { [1, 0] } else { [0, 1] };
        let (a, b) = (of(ir, first), of(ir, then));
        if mirrored { [b, a] } else { [a, b] }
    };
    let lengths = in_order(&mut ir, &|ir, i| gather(ir, [0.0, 1.0][i]));
    let turned = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[lengths[1], lengths[0]], 1);
    let sums = in_order(&mut ir, &|ir, i| scaled(ir, weights[i]));
    let joined = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &sums, 1);
    let reshaped = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, turned], 1);
    ir.result(joined);
    ir.result(reshaped);
    ir.finish()
}

fn difference(old: (Vec<u8>, Vec<u8>), new: (Vec<u8>, Vec<u8>)) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, (xml, bin)) in [("old", old), ("new", new)] {
        fs::write(folder.path().join(name).with_extension("xml"), xml).unwrap();
        fs::write(folder.path().join(name).with_extension("bin"), bin).unwrap();
    }
    let (code, out, err) = run(folder.path(), &[]);
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn another_order_of_branches_is_no_difference() {
    let told = difference(branches(false, [1.0, 2.0]), branches(true, [1.0, 2.0]));
    assert_eq!(told, (0, "no differences\n".to_owned()));
}

#[test]
fn a_change_further_down_mixes_up_no_branches() {
    let (xml, bin) = branches(true, [1.0, 1.0]);
    let xml = String::from_utf8(xml).unwrap().replace("special_zero=\"false\"", "special_zero=\"true\"");
    let (code, told) = difference(branches(false, [1.0, 1.0]), (xml.into_bytes(), bin));
    assert!(code == 1 && told.starts_with("layers  "), "{told}");
    assert!(told.contains("  ~ Reshape_") && told.contains("special_zero false -> true\n"), "{told}");
    assert!(!told.contains("Gather") && !told.contains("weights"), "{told}");
}

#[test]
fn a_change_in_one_branch_stays_there() {
    let (code, told) = difference(branches(false, [1.0, 2.0]), branches(true, [1.0, 2.5]));
    let amount = "f32[40]  40 of 40 elements differ, by at most 0.5, first at [0]\n";
    assert!(code == 1 && told.starts_with("weights") && told.ends_with(amount), "{told}");
    assert_eq!(told.lines().count(), 3, "{told}");
}
