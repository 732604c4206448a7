//! The `<rt_info>` of layers and ports. OpenVINO reads some of its attributes, and rejects the file if it cannot read them.

use crate::ir::LayerId;
use crate::source::Span;

/// An `<rt_info>` attribute known to OpenVINO.
#[derive(Debug, Clone, Copy)]
pub struct RtAttribute {
    /// The layer.
    pub layer: LayerId,
    /// The start of the `<rt_info>`, which identifies it: OpenVINO rejects an attribute that occurs twice in one `<rt_info>`.
    pub list: u32,
    /// The start tag.
    pub tag: Span,
}

/// The way OpenVINO treats an attribute name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RtKind {
    /// Accepts any value; the number distinguishes the names.
    Free(u8),
    /// Reads `value` as a list of names.
    Names,
    /// Reads `value` as a list of axes.
    Order,
    /// Reads `value` as an element type.
    Type,
    /// Reads `layout`.
    Layout,
    /// Refuses the name in a file.
    Refused,
    /// Ignores the name in a file; it is written into compiled models.
    Weightless,
}

impl RtKind {
    /// Returns the kind of a name; `None` if OpenVINO ignores it.
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

/// Whether OpenVINO can read a list of names: every name must have a non-blank, but the list may end in a comma.
pub(crate) fn is_list_of_names(text: &[u8]) -> bool {
    let starts_with_name = |rest: &[u8]| {
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        rest.get(blanks).map_or(blanks == 0, |byte| *byte != b',')
    };
    let mut commas = memchr::memchr_iter(b',', text);
    starts_with_name(text) && commas.all(|comma| starts_with_name(text.get(comma + 1..).unwrap_or_default()))
}
