//! What an IR file says, right or wrong, as a graph over a layer table.

mod attributes;
mod body;
mod constant;
mod cursor;
mod decode;
mod doctype;
pub(crate) mod execution_graph;
mod graph;
mod identify;
mod loose;
mod names;
mod number;
mod open;
mod places;
mod plain;
mod port_ids;
mod pre_process;
mod read;
mod resolve;
mod rt_info;
pub(crate) mod rules;
mod skeleton;
mod strays;
mod tags;
mod weights;
mod wiring;

pub use body::{Body, BodyKind, PortMapEntry, Slice, Subgraph};
pub use constant::Constant;
pub use graph::{Attribute, Edge, Graph, Id, Kind, Layer, OutputRef, Port, Role};
pub use loose::LooseEnds;
pub use open::{OpenError, decode, open};
pub use pre_process::{Channel, Mean, PreProcess, Written};
pub use read::{Net, read};
pub use rt_info::{RtAttribute, RtKind};
pub use weights::{Stranger, Weights, WeightsOption, weights_path};

pub(crate) use attributes::{attributes, broken_reference, find_attribute, resolved, unescape};
pub(crate) use cursor::{Cursor, Token};
pub(crate) use decode::nf4_code;
pub(crate) use graph::UNREADABLE_DIM;
pub(crate) use names::name_list;
pub(crate) use places::{DimPlace, dim_places, dim_spans};
pub(crate) use rt_info::is_list_of_names;
pub(crate) use skeleton::differ;
pub(crate) use tags::tags;
