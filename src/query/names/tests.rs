use super::{NO_MODEL, Place, Tensor, Wanted};
use crate::analysis::{Model, Options};
use crate::ir::Weights;
use std::fmt::Write;

/// A Parameter `x`, then these layers as (name, type, outputs with names), in a chain by their first ports.
fn model(layers: &[(&str, &str, &[&str])]) -> Model {
    let mut text = String::from(
        "<net name=\"m\" version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\
         <data shape=\"6\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\" names=\"in,a\\,b\"><dim>6</dim>\
         </port></output></layer>",
    );
    let mut edges = String::new();
    for (i, (name, ty, outputs)) in layers.iter().enumerate() {
        let (id, from) = (i + 1, i.min(1));
        let data = if *ty == "Split" { "<data num_splits=\"3\"/>" } else { "" };
        let _ = write!(text, "<layer id=\"{id}\" name=\"{name}\" type=\"{ty}\" version=\"opset1\">{data}<input>");
        let _ = write!(text, "<port id=\"0\"><dim>6</dim></port></input><output>");
        for (at, names) in outputs.iter().enumerate() {
            let _ = write!(text, "<port id=\"{}\" precision=\"FP32\" names=\"{names}\"><dim>6</dim></port>", at + 1);
        }
        text.push_str("</output></layer>");
        let _ = write!(edges, "<edge from-layer=\"{i}\" from-port=\"{from}\" to-layer=\"{id}\" to-port=\"0\"/>");
    }
    let _ = write!(text, "</layers><edges>{edges}</edges></net>");
    let text = text.replace("<output></output>", "");
    Model::from_bytes("m.xml", text.into(), Weights::default(), &Options::default()).unwrap()
}

fn tensor(model: &Model, name: &str) -> Result<(usize, u32), String> {
    let tensor = Tensor::find(model, name)?;
    Ok((tensor.output.layer.index(), tensor.output.output))
}

fn layer(model: &Model, name: &str, wanted: Wanted) -> Result<usize, String> {
    Place::find(model, name, wanted).map(|place| place.index.index())
}

#[test]
fn a_layer_comes_before_outputs_tensors_and_ids() {
    let model = model(&[("s", "Split", &["", "s:0", ""]), ("s:1", "ReLU", &["1"]), ("2", "ReLU", &["x"])]);
    for (name, wanted) in [
        ("s", (1, 0)),
        ("s:0", (1, 0)), // Not the tensor of that name.
        ("s:1", (2, 0)), // Not the second part.
        ("s:2", (1, 2)), // By position
        ("s:3", (1, 2)), // By the id of the port
        ("s:1:0", (2, 0)),
        ("1", (2, 0)), // The tensor, not the layer with that id.
        ("2", (3, 0)), // The layer of that name, not with that id.
        ("3", (3, 0)),
        ("3:0", (3, 0)),
        ("x", (0, 0)),
        ("in", (0, 0)),
        ("a,b", (0, 0)),
    ] {
        assert_eq!(tensor(&model, name), Ok(wanted), "{name}");
    }
    // For a layer, a number means its id.
    assert_eq!(layer(&model, "1", Wanted::Layer), Ok(1));
    // A tensor stands for its layer.
    assert_eq!(layer(&model, "s:2", Wanted::Layer), Ok(1));
    assert_eq!(layer(&model, "in", Wanted::Layer), Ok(0));
}

#[test]
fn a_result_stands_for_what_it_takes() {
    let model = model(&[("s", "Split", &["", "", ""]), ("r", "Result", &[])]);
    assert_eq!(tensor(&model, "r"), Ok((1, 0)));
    assert_eq!(layer(&model, "r", Wanted::Layer), Ok(2));
}

#[test]
fn several_of_a_name_are_listed_by_their_ids() {
    let model = model(&[("y", "ReLU", &["t"]), ("y", "Split", &["", "t", ""])]);
    assert_eq!(
        tensor(&model, "y"),
        Err("`y` is ambiguous: it may be `1:0` (ReLU, line 1) or `2:0` (Split, line 1)".to_owned())
    );
    assert_eq!(
        tensor(&model, "t"),
        Err("`t` is ambiguous: it may be `1:0` (ReLU, line 1) or `2:1` (Split, line 1)".to_owned())
    );
    let wanted = "`y` is ambiguous: it may be `1` (ReLU, line 1) or `2` (Split, line 1)";
    assert_eq!(layer(&model, "y", Wanted::Layer), Err(wanted.to_owned()));
    // Only one of them has so many outputs, and each name in the list means just that one.
    assert_eq!(tensor(&model, "y:2"), Ok((2, 2)));
    assert_eq!((tensor(&model, "1:0"), tensor(&model, "2:1")), (Ok((1, 0)), Ok((2, 1))));
    let many = self::model(&[("y", "ReLU", &[""] as &[&str]); 9]);
    let message = tensor(&many, "y").unwrap_err();
    assert!(message.starts_with("`y` is ambiguous: it may be `1:0` (ReLU, line 1), "), "{message}");
    assert!(message.ends_with(", `5:0` (ReLU, line 1) or one of 4 more"), "{message}");
}

#[test]
fn names_that_are_none_are_guessed() {
    let model = model(&[("backbone/split", "Split", &["", "", "parts"]), ("r", "Result", &[])]);
    for (name, wanted, message) in [
        ("split", Wanted::Tensor, "the model has no layer or tensor `split`; did you mean `backbone/split`?"),
        ("part", Wanted::Layer, "the model has no layer `part`; did you mean `parts`?"),
        ("zzz", Wanted::Layer, "the model has no layer `zzz`; `ovlint shapes --consts` lists all"),
        ("backbone/split", Wanted::Constant, "no constant is called `backbone/split`; that is a layer of type Split"),
        ("1", Wanted::Input, "no input is called `1`; that is a layer of type Split"),
        ("ins", Wanted::Input, "the model has no input `ins`; did you mean `in`?"),
        ("zzz", Wanted::Input, "the model has no input `zzz`; its input is `x`"),
        ("backbone/split:9", Wanted::Tensor, "`backbone/split` has no output 9, only outputs 0 to 2"),
        ("x:4", Wanted::Tensor, "`x` has no output 4, only output 0"),
        ("r:1", Wanted::Tensor, "`r` has no output 1, only output 0"),
    ] {
        assert_eq!(layer(&model, name, wanted), Err(message.to_owned()), "{name}");
    }
}

#[test]
fn files_that_are_no_ir_have_no_names() {
    let model = Model::from_bytes("m.xml", b"<net".to_vec(), Weights::default(), &Options::default()).unwrap();
    assert_eq!(Tensor::find(&model, "x"), Err(NO_MODEL.to_owned()));
}

/// A loop whose body holds `inner`, and another one of the same name.
#[test]
fn bodies_are_entered_by_name_or_id() {
    let body = |id: u32| {
        format!(
            "<layer id=\"{id}\" name=\"if/1\" type=\"If\" version=\"opset8\"><output><port id=\"1\" precision=\"FP32\"/></output>\
             <then_port_map/><else_port_map/><then_body><layers><layer id=\"0\" name=\"inner\" type=\"Const\" version=\"opset1\">\
             <data element_type=\"f32\" shape=\"\" offset=\"0\" size=\"4\"/><output><port id=\"0\" precision=\"FP32\"/></output>\
             </layer></layers><edges/></then_body><else_body><layers/><edges/></else_body></layer>"
        )
    };
    let of = |ids: &[u32]| {
        let layers: String = ids.iter().map(|id| body(*id)).collect();
        let text = format!("<net name=\"m\" version=\"11\"><layers>{layers}</layers><edges/></net>");
        Model::from_bytes("m.xml", text.into(), Weights::default(), &Options::default()).unwrap()
    };
    let (one, two) = (of(&[4]), of(&[4, 7]));
    let path = |model: &Model, name: &str| Tensor::find(model, name).map(|tensor| tensor.path[0].0.index());
    for name in ["if/1/then_body/inner", "4/then_body/inner", "4/then_body/0:0"] {
        assert_eq!(path(&one, name), Ok(0), "{name}");
    }
    let near = "the model has no layer or tensor `inner`; did you mean `if/1/then_body/inner`?";
    assert_eq!(path(&one, "inner"), Err(near.to_owned()));
    let near = "the model has no layer or tensor `if/1/then_body/iner`; did you mean `if/1/then_body/inner`?";
    assert_eq!(path(&one, "if/1/then_body/iner"), Err(near.to_owned()));
    let near = "the model has no layer or tensor `inner`; did you mean `4/then_body/inner` or `7/then_body/inner`?";
    assert_eq!(path(&two, "inner"), Err(near.to_owned()));
    let both = "`if/1/then_body/inner` is ambiguous: it may be `4/then_body/inner` (Const, line 1) or `7/then_body/inner` (Const, line 1)";
    assert_eq!(path(&two, "if/1/then_body/inner"), Err(both.to_owned()));
    assert_eq!(path(&two, "7/then_body/inner"), Ok(1));
}

#[test]
fn names_with_references_are_compared_unescaped() {
    let model = model(&[
        ("a&lt;b", "ReLU", &[""]),
        ("a&lt;bc&#233;", "ReLU", &[""]),
        ("d&f", "ReLU", &[""]),
        ("d&amp;e", "ReLU", &[""]),
        ("\u{e9}t\u{e9}", "ReLU", &[""]),
        ("end&#0;unread", "ReLU", &[""]),
    ]);
    for (name, wanted) in [("a<b", 1), ("a<bc\u{e9}", 2), ("d&f", 3), ("d&e", 4), ("\u{e9}t\u{e9}", 5), ("end", 6)]
        .map(|(name, at)| (name, (at, 0)))
    {
        assert_eq!(tensor(&model, name), Ok(wanted), "{name}");
    }
    for name in ["a&lt;b", "d&amp;e", "d&amp;f", "a<", "a<b ", "\u{e9}t", "end&#0;unread"] {
        assert!(tensor(&model, name).is_err(), "{name}");
    }
}
