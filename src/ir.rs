//! The IR file as a graph over a layer table. Invalid content is kept as written.

mod body;
mod constant;
mod edges;
mod equivalent;
pub(crate) mod execution_graph;
mod graph;
mod identify;
mod layer;
pub mod lookup;
mod names;
mod open;
mod pre_process;
mod read;
pub(crate) mod refinement;
mod respan;
mod rt_info;
pub(crate) mod rules;
mod upstream;
pub(crate) mod walk;
mod weights;
mod xml;

pub use crate::ops::Role;
pub use body::{Body, BodyKind, PortMapEntry, Slice, Subgraph};
pub use constant::Constant;
pub use edges::broken::BrokenEdgeEnds;
pub(crate) use graph::body_ref;
pub use graph::{Edge, Graph};
pub use layer::{Attribute, Id, Kind, Layer, LayerId, OutputRef, Port};
pub(crate) use open::read as read_xml;
pub use open::{OpenError, decode, open};
pub use pre_process::{Channel, Mean, PreProcess, Written};
pub(crate) use read::HEADER;
pub use read::{Net, read};
pub use rt_info::{RtAttribute, RtKind};
pub use weights::{ForeignFormat, LfsObject, Traffic, Weights, WeightsOption, foreign_format, weights_path};

pub(crate) use equivalent::first_difference;
pub(crate) use layer::UNREADABLE_DIM;
pub(crate) use names::name_list;
pub(crate) use respan::{DimPlace, dim_places, dim_spans};
pub(crate) use rt_info::is_list_of_names;
pub(crate) use upstream::Step;
pub(crate) use xml::attributes::{attributes, broken_reference, find_attribute, resolved, unescape};
pub(crate) use xml::cursor::{Cursor, Token};
pub(crate) use xml::tags::{children, levels, tags, values};
