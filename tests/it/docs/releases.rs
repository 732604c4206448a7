//! The uses of operations in `docs/releases.md` that a release was the first to read.

use super::assert_written;
use ovlint::internal::ops::{Dated, operations};
use ovlint::internal::types::Release;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn the_table_of_uses_is_what_operations_say() {
    let mut uses: BTreeMap<(Release, String), BTreeSet<&str>> = BTreeMap::new();
    for spec in operations() {
        for one in spec.recent {
            uses.entry((one.first, one.what.to_owned())).or_default().insert(spec.name);
        }
        for attr in spec.attrs {
            if let Some((Dated::Value(value), first)) = attr.dated {
                uses.entry((first, format!("`{}` `{value}`", attr.name))).or_default().insert(spec.name);
            }
        }
    }
    let row = |((first, what), names): (&(Release, String), &BTreeSet<&str>)| {
        let names: Vec<&str> = names.iter().copied().collect();
        format!("| {first} | {what} | {} |\n", names.join(", "))
    };
    let rows: String = uses.iter().map(row).collect();
    let page = std::fs::read_to_string("docs/releases.md").unwrap();
    let heading = "\n## New uses of operations in each release\n\n";
    let (before, rest) = page.split_once(heading).unwrap();
    let (_, after) = rest.split_once("\n## ").unwrap();
    let table = "| release | use | operations |\n|---|---|---|\n";
    assert_written("docs/releases.md", &format!("{before}{heading}{table}{rows}\n## {after}"));
}
