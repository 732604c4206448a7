//! The fuzz targets, each over its seeds.

use std::path::Path;

#[allow(unreachable_pub, dead_code, reason = "the fuzz targets call them from outside")]
#[path = "../../../fuzz/bodies/lib.rs"]
pub(crate) mod bodies;

fn over_seeds(target: &str, body: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut seeds: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "no seeds in {}", folder.display());
    for seed in seeds {
        println!("{}", seed.display());
        body(&std::fs::read(seed).unwrap());
    }
}

#[test]
fn the_reader_takes_its_seeds() {
    over_seeds("read", bodies::read::run);
}

#[test]
fn the_checks_take_their_seeds() {
    over_seeds("check", bodies::check::run);
}

#[test]
fn fixes_take_their_seeds() {
    over_seeds("fix", bodies::fix::run);
}

#[test]
fn runs_take_their_seeds() {
    over_seeds("run", bodies::run::run);
}

#[test]
fn other_shapes_take_their_seeds() {
    over_seeds("shapes", bodies::shapes::run);
}

#[test]
fn snapshots_take_their_seeds() {
    over_seeds("snapshot", bodies::snapshot::run);
}

#[test]
fn differences_take_their_seeds() {
    over_seeds("diff", bodies::diff::run);
}

#[test]
fn pages_take_their_seeds() {
    over_seeds("info", bodies::info::run);
}

#[test]
fn reasons_take_their_seeds() {
    over_seeds("why", bodies::why::run);
}

#[test]
fn configurations_take_their_seeds() {
    over_seeds("config", bodies::config::run);
}
