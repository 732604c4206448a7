//! Errors of the parser about keys and values of a configuration, in plain words.

use crate::text::{did_you_mean, nearest};

/// Rewords an error of serde, such as ``unknown field `x`, expected one of `y`, `z` `` or ``invalid type: integer `1`,
/// expected a string``.
pub(super) fn plain(message: &str) -> String {
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("{name} is missing");
    }
    mistaken(message).or_else(|| unknown(message)).unwrap_or_else(|| message.to_owned())
}

/// Rewords an error about a value of the wrong kind.
fn mistaken(message: &str) -> Option<String> {
    let rest = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, wanted) = rest.rsplit_once(", expected ")?;
    let is_number = found.starts_with("integer ") || found.starts_with("floating point ");
    let value = found.split_once(['`', '"']).map_or("", |(_, value)| value.trim_end_matches(['`', '"']));
    // The TOML parser passes dates as a string, or as a table with a key of its own.
    let is_date = wanted == "a spanned value";
    let kind = match found {
        _ if is_date => "this is a date".to_owned(),
        "map" => "this is a table".to_owned(),
        "sequence" => "this is a list".to_owned(),
        _ if is_number => format!("`{value}` is a number"),
        _ if found.starts_with("boolean ") => format!("`{value}` is a boolean"),
        _ if found.starts_with("string ") => format!("\"{value}\" is a string"),
        other => format!("this is {other}"),
    };
    let wanted = match wanted {
        "a string" if is_number => format!("a string: \"{value}\""),
        "a sequence" if found == "map" => "a list; a list of tables is written [[name]]".to_owned(),
        "a sequence" => "a list".to_owned(),
        "struct IgnoreEntry" => "a table: [[ignore]] with `rule` and `reason`".to_owned(),
        "struct PerFileEntry" => "a table: [[per-file]] with `files`".to_owned(),
        "struct ContractEntry" => "a table: [[contract]] with `files`".to_owned(),
        "struct Operation" => "a table with `outputs`".to_owned(),
        "usize" | "u32" | "u64" => "an integer >= 0".to_owned(),
        "a map" => "a table".to_owned(),
        _ if is_date || wanted.starts_with("struct ") => "a table".to_owned(),
        other => other.to_owned(),
    };
    Some(format!("{kind}, wanted {wanted}"))
}

/// Rewords an error about an unknown key or word.
fn unknown(message: &str) -> Option<String> {
    let what = match message {
        _ if message.starts_with("unknown field") => "key",
        _ if message.starts_with("unknown variant") => "value",
        _ => return None,
    };
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (found, known) = (quoted.next()?, quoted.collect::<Vec<_>>());
    let near = nearest(found, known.iter().copied());
    let known = if near.is_none() { format!("; known are {}", known.join(", ")) } else { did_you_mean(near) };
    Some(format!("unknown {what} `{found}`{known}"))
}
