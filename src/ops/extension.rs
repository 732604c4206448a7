//! Shape rules that the user writes for operations of extension libraries, for `--extension-ops`.

mod notation;

pub use notation::{NotStated, Output};

use super::{Meaning, meaning};
use crate::types::{Dim, Fact, PartialShape, from_front};
use notation::{Item, Type};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The user-defined shape rules for operations that no opset holds. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionOps(Arc<File>);

#[derive(Debug, PartialEq, Eq)]
struct File {
    path: PathBuf,
    /// The rules by `version.type`.
    rules: BTreeMap<String, Stated>,
}

/// The shape rule of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The line of the rule in the file, counted from 1.
    pub line: u32,
    /// The outputs, in order.
    pub outputs: Vec<Output>,
}

/// The reason why a rule does not fit a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// An output depends on an input that the layer does not have.
    NoInput { output: usize, input: usize },
    /// An output depends on a dimension that an input does not have.
    NoDim { output: usize, input: usize, axis: i64 },
    /// An output has too high a rank.
    HighRank { output: usize },
}

impl ExtensionOps {
    /// The rules of the file at `path`, by `version.type`.
    pub fn new(path: impl Into<PathBuf>, rules: BTreeMap<String, Stated>) -> Self {
        Self(Arc::new(File { path: path.into(), rules }))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The rule for a type and version.
    pub fn find(&self, ty: &str, version: &str) -> Option<&Stated> {
        self.0.rules.get(&format!("{version}.{ty}"))
    }

    /// The file name and line of a rule, independent of the folder.
    pub(crate) fn location(&self, stated: &Stated) -> String {
        format!("{}:{}", self.name(), stated.line)
    }

    pub(crate) fn name(&self) -> String {
        let name = self.0.path.file_name().unwrap_or(self.0.path.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

/// Checks that `version.type` may have a rule; the error says why not.
pub fn may_be_stated(name: &str) -> Result<(), String> {
    let parts = name.split_once('.').filter(|(version, ty)| !version.is_empty() && !ty.is_empty());
    let Some((version, ty)) = parts else {
        return Err(format!("`{name}` is not a version and a type such as `extension.CaseFold`"));
    };
    match meaning(ty, version) {
        Meaning::Modelled(_) => Err(format!("{ty} ({version}) is an operation of OpenVINO, which needs no rule")),
        Meaning::NotInOpset { .. } => Err(format!("{ty} is an operation of OpenVINO, in other opsets than {version}")),
        _ => Ok(()),
    }
}

impl Stated {
    /// Infers the outputs from the inputs, each of at most `most` dimensions.
    pub(crate) fn apply(&self, inputs: &[&Fact], most: usize) -> Result<Vec<Fact>, Misfit> {
        self.outputs.iter().enumerate().map(|(at, output)| output.apply(at, inputs, most)).collect()
    }
}

impl Output {
    fn apply(&self, output: usize, inputs: &[&Fact], most: usize) -> Result<Fact, Misfit> {
        let mut assumed = false;
        let mut take = |input: usize| {
            let fact = *inputs.get(input).ok_or(Misfit::NoInput { output, input })?;
            assumed |= fact.assumed;
            Ok(fact)
        };
        let ty = match self.ty {
            Type::Exact(ty) => ty,
            Type::Of(input) => take(input)?.ty,
        };
        let (mut dims, mut has_rank) = (SmallVec::<[Dim; 4]>::new(), self.items.is_some());
        for item in self.items.iter().flatten() {
            match *item {
                Item::Dim(dim) => dims.push(dim),
                Item::Rank(input) => dims.push(take(input)?.shape.rank_dim()),
                Item::DimOf(input, axis) => dims.push(match take(input)?.rank() {
                    Some(rank) => {
                        let index = from_front(axis, rank).ok_or(Misfit::NoDim { output, input, axis })?;
                        take(input)?.shape.dim(index)
                    }
                    None => Dim::ANY,
                }),
                Item::Shape(input) => match take(input)?.shape.dims() {
                    Some(all) => dims.extend_from_slice(all),
                    None => has_rank = false,
                },
            }
            // Checked in the loop, as a chain of such layers could double the rank at every step.
            if dims.len() > most {
                return Err(Misfit::HighRank { output });
            }
        }
        let shape = if has_rank { PartialShape::of(dims) } else { PartialShape::UNKNOWN };
        Ok(Fact { assumed, ..Fact::new(ty, shape) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(outputs: &[&str], inputs: &[&str]) -> Result<Vec<String>, Misfit> {
        let outputs = outputs.iter().map(|text| text.parse().unwrap()).collect();
        let inputs: Vec<Fact> = inputs.iter().map(|text| text.parse().unwrap()).collect();
        let facts = Stated { line: 1, outputs }.apply(&inputs.iter().collect::<Vec<_>>(), 6)?;
        Ok(facts.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn outputs_take_from_inputs() {
        for (output, input, wanted) in [
            ("u8[?]", "string[3]", "u8[?]"),
            ("i32[in0.shape]", "string[3,..4]", "i32[3,..4]"),
            ("i32[in0.shape]", "string[...]", "i32[...]"),
            ("in0.type[in0.shape, 2..5]", "f16[7,?]", "f16[7,?,2..5]"),
            ("in0.type[1, in0.shape]", "f16[...]", "f16[...]"),
            ("i64[in0.dims[1], in0.dims[-1]]", "f32[7,8,9]", "i64[8,9]"),
            ("i64[in0.dims[7]]", "f32[...]", "i64[?]"),
            ("i64[in0.rank]", "f32[7,8,9]", "i64[3]"),
            ("i64[in0.rank]", "f32[...]", "i64[?]"),
            ("dynamic[...]", "f32[7]", "dynamic[...]"),
            ("f32[]", "f32[7]", "f32[]"),
        ] {
            assert_eq!(apply(&[output], &[input]), Ok(vec![wanted.to_owned()]), "{output} of {input}");
        }
    }

    #[test]
    fn what_is_missing_is_reported() {
        let no_input = Err(Misfit::NoInput { output: 1, input: 2 });
        assert_eq!(apply(&["u8[?]", "i32[in2.shape]"], &["f32[7]", "f32[7]"]), no_input);
        assert_eq!(apply(&["u8[?]", "in2.type[...]"], &["f32[7]", "f32[7]"]), no_input);
        let no_dim = |axis| Err(Misfit::NoDim { output: 0, input: 0, axis });
        assert_eq!(apply(&["i32[in0.dims[2]]"], &["f32[7,8]"]), no_dim(2));
        assert_eq!(apply(&["i32[in0.dims[-3]]"], &["f32[7,8]"]), no_dim(-3));
        assert_eq!(apply(&["i32[in0.dims[0]]"], &["f32[]"]), no_dim(0));
        let twice = "i32[in0.shape,in0.shape]";
        assert!(apply(&[twice], &["f32[1,2,3]"]).is_ok());
        assert_eq!(apply(&[twice], &["f32[1,2,3,4]"]), Err(Misfit::HighRank { output: 0 }));
    }

    #[test]
    fn only_what_hangs_on_assumed_inputs_is_assumed() {
        let outputs = ["u8[?]", "i32[in0.shape]", "in1.type[2]"].map(|text| text.parse().unwrap()).to_vec();
        let known: Fact = "f32[7]".parse().unwrap();
        let assumed = Fact { assumed: true, ..known.clone() };
        let facts = Stated { line: 1, outputs }.apply(&[&assumed, &known], 6).unwrap();
        assert_eq!(facts.iter().map(|fact| fact.assumed).collect::<Vec<_>>(), [false, true, false]);
    }

    #[test]
    fn operations_of_openvino_need_no_rule() {
        let why_not = |name: &str| may_be_stated(name).unwrap_err();
        assert_eq!(why_not("opset1.Split"), "Split (opset1) is an operation of OpenVINO, which needs no rule");
        assert_eq!(
            why_not("extension.GRUCell"),
            "GRUCell (extension) is an operation of OpenVINO, which needs no rule"
        );
        assert_eq!(why_not("opset1.TopK"), "TopK (opset1) is an operation of OpenVINO, which needs no rule");
        assert_eq!(why_not("opset1.Loop"), "Loop is an operation of OpenVINO, in other opsets than opset1");
        for name in ["CaseFold", ".CaseFold", "extension.", ""] {
            assert_eq!(why_not(name), format!("`{name}` is not a version and a type such as `extension.CaseFold`"));
        }
        for name in ["extension.CaseFold", "com.acme.Mine", "opset1.Mine", "ie_internal_opset.RMS"] {
            assert_eq!(may_be_stated(name), Ok(()), "{name}");
        }
    }
}
