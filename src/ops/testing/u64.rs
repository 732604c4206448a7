//! Tests of u64 numbers past `i64::MAX`, which are stored as i64 by their bits, against OpenVINO 2026.4.1.

use super::op;

/// 2^64 - 3, 3, 2^63, 5.
const A: &str = "u64[4] = -3,3,-9223372036854775808,5";
/// 3, 2^64 - 3, 2, 2^63.
const B: &str = "u64[4] = 3,-3,2,-9223372036854775808";

#[test]
fn two_numbers_make_one() {
    let rows = [
        ("Add", "0,0,-9223372036854775806,-9223372036854775803"),
        ("Subtract", "-6,6,9223372036854775806,-9223372036854775803"),
        ("Multiply", "-9,-9,0,-9223372036854775808"),
        ("Divide", "6148914691236517204,0,4611686018427387904,0"),
        // OpenVINO gives 1,3,0,5, but divides as doubles, which cannot represent all such numbers.
        ("FloorMod", "0..2,3,0..1,5"),
        ("Mod", "1,3,0,5"),
        ("Minimum", "3,3,2,5"),
        ("Maximum", "-3,-3,-9223372036854775808,-9223372036854775808"),
    ];
    for (name, want) in rows {
        op(name, 1, [A, B]).yields([format!("u64[4] = {want}").as_str()]);
    }
}

#[test]
fn they_are_larger_than_all_of_i64() {
    let rows = [
        ("Less", "0,1,0,1"),
        ("LessEqual", "0,1,0,1"),
        ("Greater", "1,0,1,0"),
        ("GreaterEqual", "1,0,1,0"),
        ("Equal", "0,0,0,0"),
        ("NotEqual", "1,1,1,1"),
    ];
    for (name, want) in rows {
        op(name, 1, [A, B]).yields([format!("boolean[4] = {want}").as_str()]);
    }
    op("TopK", 11, [A, "i64[] = 2"])
        .attr("axis", 0)
        .attr("sort", "value")
        .yields(["u64[2] = -3,-9223372036854775808", "i32[2] = 0,2"]);
    op("ReduceMax", 1, [A, "i64[] = 0"]).yields(["u64[] = -3"]);
    op("ReduceMin", 1, [A, "i64[] = 0"]).yields(["u64[] = 3"]);
    op("ReduceSum", 1, [A, "i64[] = 0"]).yields(["u64[] = -9223372036854775803"]);
    let scatter = op("ScatterElementsUpdate", 12, [A, "i64[1] = 0", "u64[1] = 5", "i64[] = 0"]);
    scatter.attr("reduction", "max").yields(["u64[4] = -3,3,-9223372036854775808,5"]);
}

#[test]
fn one_number_makes_one() {
    let same = format!("u64[4]{}", A.trim_start_matches("u64[4]"));
    for name in ["Abs", "ReLU", "Floor", "Ceiling"] {
        op(name, 1, [A]).yields([same.as_str()]);
    }
    op("Sign", 1, [A]).yields(["u64[4] = 1,1,1,1"]);
    op("Clamp", 1, [A]).attr("min", 0).attr("max", 10).yields(["u64[4] = 10,3,10,5"]);
    op("BitwiseNot", 13, [A]).yields(["u64[4] = 2,-4,9223372036854775807,-6"]);
    op("Convert", 1, [A]).attr("destination_type", "u64").yields([same.as_str()]);
}

#[test]
fn converted_they_keep_their_bits_or_their_size() {
    let rows = [
        ("i64", "-3,3,-9223372036854775808,5"),
        ("i32", "-3,3,0,5"),
        ("u32", "4294967293,3,0,5"),
        ("u8", "253,3,0,5"),
        ("f32", "1.8446744073709552e19,3,9.223372036854776e18,5"),
        ("f64", "1.8446744073709552e19,3,9.223372036854776e18,5"),
        ("boolean", "1,1,1,1"),
    ];
    for (ty, want) in rows {
        op("Convert", 1, [A]).attr("destination_type", ty).yields([format!("{ty}[4] = {want}").as_str()]);
    }
    op("Convert", 1, ["i64[2] = -1,5"]).attr("destination_type", "u64").yields(["u64[2] = -1,5"]);
}

#[test]
fn bounds_below_0_say_nothing() {
    op("Less", 1, ["u64[2] = -3..7,5", "u64[] = 9"]).yields(["boolean[2] = 0..1,1"]);
    op("Maximum", 1, ["u64[] = -3..7", "u64[] = 9"]).yields(["u64[]"]);
}
