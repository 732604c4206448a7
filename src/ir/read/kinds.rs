//! The table of the types and versions of a graph's layers, each stored once with the operation that it stands for.

use crate::ir::xml::attributes::unescape;
use crate::ir::{Graph, Kind, Role};
use crate::limits::NAME;
use crate::ops;
use std::collections::HashMap;

/// The indices of a graph's kinds, by type and version.
pub(super) type Kinds<'a> = HashMap<(&'a [u8], &'a [u8]), u32, foldhash::fast::RandomState>;

/// Returns the index of a kind in the graph, and adds it if it is new.
pub(super) fn kind_of<'a>(ty: &'a [u8], version: &'a [u8], graph: &mut Graph, kinds: &mut Kinds<'a>) -> u32 {
    *kinds.entry((ty, version)).or_insert_with(|| {
        graph.kinds.push(kind(ty, version));
        u32::try_from(graph.kinds.len() - 1).unwrap_or(u32::MAX)
    })
}

fn kind(ty: &[u8], version: &[u8]) -> Kind {
    let ty = unescape(ty).into_owned();
    let version = unescape(version).into_owned();
    let role = Role::of(&ty);
    let meaning = ops::meaning(&ty, &version);
    let cut = |mut text: String| {
        if text.len() > NAME {
            let end = (0..=NAME).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
            text.push_str("...");
        }
        text
    };
    Kind { ty: cut(ty), version: cut(version), meaning, role }
}
