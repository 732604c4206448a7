//! The `<rt_info>` of layers and ports: notes of which OpenVINO reads some, and refuses the file where it cannot.

use crate::ir::LayerId;
use crate::source::Span;

/// An attribute of an `<rt_info>` that OpenVINO knows.
#[derive(Debug, Clone, Copy)]
pub struct RtAttribute {
    /// The layer.
    pub layer: LayerId,
    /// Where the `<rt_info>` starts: OpenVINO takes no attribute of it twice.
    pub list: u32,
    /// The start tag.
    pub tag: Span,
}

/// What OpenVINO does with the attributes of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RtKind {
    /// Takes whatever its value is; the number is its own among them.
    Free(u8),
    /// Reads `value` as a list of names.
    Names,
    /// Reads `value` as a list of axes.
    Order,
    /// Reads `value` as an element type.
    Type,
    /// Reads `layout`.
    Layout,
    /// Knows the name, and refuses it in a file.
    Refused,
    /// Writes it into compiled models, and ignores it in a file.
    Weightless,
}

impl RtKind {
    /// The kind of a name; `None` where OpenVINO ignores it.
    pub fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"fused_names" => Self::Names,
            b"decompression" => Self::Free(0),
            b"DisablePrecisionConversion" => Self::Free(1),
            b"precise" => Self::Free(2),
            b"preprocessing" => Self::Free(3),
            b"primitives_priority" => Self::Free(4),
            b"memory_type" => Self::Free(5),
            b"layout" => Self::Layout,
            b"old_api_map_order" => Self::Order,
            b"old_api_map_element_type" => Self::Type,
            b"DisableConstantFolding" | b"nms_selected_indices" | b"strides_propagation" => Self::Refused,
            b"WeightlessCacheAttribute" => Self::Weightless,
            _ => return None,
        })
    }
}

/// Whether OpenVINO reads a list of names: each name is more than blanks, and after the last comma there may be nothing.
pub(crate) fn is_list_of_names(text: &[u8]) -> bool {
    let starts_with_name = |rest: &[u8]| {
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        rest.get(blanks).map_or(blanks == 0, |byte| *byte != b',')
    };
    let mut commas = memchr::memchr_iter(b',', text);
    starts_with_name(text) && commas.all(|comma| starts_with_name(text.get(comma + 1..).unwrap_or_default()))
}
