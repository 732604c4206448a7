//! `ovlint shapes`, in all its forms.

use super::{DECLARED_SHAPE, run};
use crate::program::root;
use serde_json::Value;

#[test]
fn shapes_are_shown_in_three_forms() {
    let (code, table, err) = run(&["shapes", "models/variadic_split.xml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!("shapes.table", table);
    let (_, snapshot, _) = run(&["shapes", "models/variadic_split.xml", "--format", "snapshot"]);
    assert_eq!(snapshot, ovlint::shapes(root().join("models/variadic_split.xml")).unwrap());
    let (_, json, _) = run(&["shapes", "models/variadic_split.xml", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json.is_object());
}

#[test]
fn shapes_can_be_chosen() {
    let rows = |flags: &[&str]| -> Vec<String> {
        let arguments: Vec<&str> = ["shapes", DECLARED_SHAPE].iter().chain(flags).copied().collect();
        let (_, out, _) = run(&arguments);
        out.lines().filter(|line| line.contains("f32[") || line.contains("i64[")).map(str::to_owned).collect()
    };
    assert_eq!(rows(&[]).len(), 4);
    assert_eq!(rows(&["--consts"]).len(), 5);
    assert_eq!(rows(&["--op", "split"]).len(), 3);
    assert_eq!(rows(&["--only-mismatch"]).len(), 1);
    assert_eq!(rows(&["--only-dynamic"]).len(), 0);
    assert_eq!(rows(&["--op", "Const"]).len(), 1);
    let (code, _, err) = run(&["shapes", DECLARED_SHAPE, "--op", "Splitt,Result"]);
    assert_eq!((code, err.as_str()), (0, "ovlint: no layer is a Splitt; did you mean `Split`?\n"));
}

#[test]
fn shapes_are_tables_of_other_programs() {
    let (_, csv, _) = run(&["shapes", DECLARED_SHAPE, "--format", "csv", "--op", "split"]);
    let wanted = "line,layer,op,output,inferred,declared,differs,basis,from\n\
                  19,split,Split,2,\"f32[6,4]\",\"f32[6,4]\",false,inferred,axis=1 num_splits=3\n\
                  19,split,Split,3,\"f32[6,4]\",\"f32[6,5]\",true,inferred,axis=1 num_splits=3\n\
                  19,split,Split,4,\"f32[6,4]\",\"f32[6,4]\",false,inferred,axis=1 num_splits=3\n";
    assert_eq!(csv, wanted);
    let (_, md, _) = run(&["shapes", DECLARED_SHAPE, "--format", "md", "--op", "split"]);
    let wanted = "| layer | op | output | inferred | declared | from |\n\
                  |---|---|---|---|---|---|\n\
                  | split | Split | 2 | `f32[6,4]` | = | axis=1 num\\_splits=3 |\n\
                  |  |  | 3 | `f32[6,4]` | **`f32[6,5]`** |  |\n\
                  |  |  | 4 | `f32[6,4]` | = |  |\n\
                  \n1 of 4 outputs differs from what the file declares\n";
    assert_eq!(md, wanted);
}

#[test]
fn what_is_not_an_ir_is_reported_on_stderr() {
    let (code, out, err) = run(&["shapes", "bad/not-openvino-ir/model.xml"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(err, "ovlint: bad/not-openvino-ir/model.xml: this is an HTML page, not an OpenVINO IR\n");
    let (code, out, err) = run(&["shapes", "no-such.xml"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ovlint: no-such.xml: "), "{err}");
}
