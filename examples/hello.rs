//! Only says hello: the yardstick for the start-up of `ovlint check`.
#![allow(clippy::print_stdout, reason = "that is all it does")]

fn main() {
    println!("hello");
}
