//! The messages with which OpenVINO rejects a file, quoted where a finding determines them.
//!
//! `.ci/messages.py` compares every quote with the message of the real OpenVINO, over the samples and over mutants.

use super::Diagnostic;

/// The check with which OpenVINO rejects a file, with the values that its message repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A check of this operation; OpenVINO calls the layer by the operation and a number.
    Operation(&'static str),
    /// A check of an operation whose message does not name the layer.
    Unnamed,
    /// A constant integer division by 0 is folded.
    DivisionByZero,
    /// A bound of a size is negative.
    SizeBelowZero,
    /// A surplus edge leads into a layer with this number of inputs.
    InputTaken(usize),
    /// The opset of the layer does not exist.
    NoOpset,
    /// The opset of the layer lacks this type, in OpenVINO's spelling.
    NoOperation(String),
    /// An element lacks an attribute.
    NoAttribute(&'static str, &'static str),
    /// A Parameter lacks its `<data>`.
    NoData,
    /// The text of a `<dim>` is not a dimension.
    Dimension(String),
    /// The text of a precision is not a type.
    Precision(String),
    /// A constant has fewer bytes than its shape needs: its `size`, the bytes for its bits, and the bytes of whole blocks.
    ConstantSize(u64, u64, u64),
    /// A constant extends beyond the end of the weights.
    OutsideWeights,
    /// The model needs weights and has none.
    NoWeights,
    /// A layer lacks a body.
    NoBody,
    /// A TensorIterator lies in the body of another.
    Nested,
    /// From `quoted`, for the only refusal of a file: OpenVINO's message calls the layer by this operation and a number.
    Calls(&'static str),
    /// From `quoted`, for the only refusal of a file: a part of OpenVINO's message.
    Says(String),
}

impl Refusal {
    /// Whether this is a check of an operation.
    pub(crate) fn is_of_operation(&self) -> bool {
        matches!(self, Self::Operation(_) | Self::Unnamed | Self::Calls(_))
    }

    /// Whether OpenVINO makes the check only after it has computed elements or bounds, or the shapes that enter a body.
    pub(super) fn is_met_late(&self) -> bool {
        matches!(self, Self::DivisionByZero | Self::SizeBelowZero | Self::Nested)
    }

    /// Returns the known part of OpenVINO's message as `Calls`, or as `Says` with whitespace collapsed to single spaces; `None`
    /// if no part is known.
    pub(super) fn quoted(&self, finding: &Diagnostic) -> Option<Self> {
        let layer = finding.layer.as_ref();
        Some(Self::Says(match self {
            // Layers in bodies keep their names from the file.
            Self::Operation(name) if finding.rule.names_layer && finding.body.is_empty() => {
                return Some(Self::Calls(name));
            }
            // Of a nested TensorIterator, OpenVINO may reject the ports first.
            Self::Operation(_) | Self::Unnamed | Self::Nested | Self::Calls(_) | Self::Says(_) => return None,
            Self::DivisionByZero => "integer division by zero".to_owned(),
            Self::SizeBelowZero => "Value for partial shape evaluation can't be lower than zero.".to_owned(),
            Self::InputTaken(count) => {
                let layer = layer?;
                format!(
                    "{} layer {} with id: {} has incorrect input with index {count}!",
                    layer.ty, layer.name, layer.id
                )
            }
            Self::NoOpset => {
                let layer = layer?;
                let (ty, name, id) = (&layer.ty, &layer.name, &layer.id);
                format!("Cannot create {ty} layer {name} id:{id} from unsupported opset: {}", layer.version)
            }
            Self::NoOperation(ty) => {
                let layer = layer?;
                format!("Opset {} doesn't contain the operation with type: {ty}", layer.version)
            }
            Self::NoAttribute(element, name) => format!("node <{element}> is missing mandatory attribute: {name}"),
            Self::NoData => "Layer data must be defined for".to_owned(),
            Self::Dimension(text) => format!("dimension ({text}) in node dim must be greater or equal to -1"),
            Self::Precision(text) => format!("Unsupported element type: {text}"),
            Self::ConstantSize(size, bits, need) => {
                format!("Attribute and shape size are inconsistent for Const op!{size}, {bits}, {need}")
            }
            Self::OutsideWeights => "Incorrect weights in bin file!".to_owned(),
            Self::NoWeights => "Empty weights data in bin file or bin file cannot be found!".to_owned(),
            Self::NoBody => "TensorIterator has no body.".to_owned(),
        }))
    }
}
