//! The fuzz targets, each over its seeds.

use std::path::Path;

#[allow(unreachable_pub, reason = "the fuzz targets call them from outside")]
#[path = "../../fuzz/bodies/check.rs"]
pub(crate) mod check;
#[allow(unreachable_pub, reason = "as above")]
#[path = "../../fuzz/bodies/read.rs"]
mod read;
#[allow(unreachable_pub, reason = "as above")]
#[path = "../../fuzz/bodies/run.rs"]
mod run;

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
    over_seeds("read", read::run);
}

#[test]
fn the_checks_take_their_seeds() {
    over_seeds("check", check::run);
}

#[test]
fn runs_take_their_seeds() {
    over_seeds("run", run::run);
}
