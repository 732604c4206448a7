//! The requirements of a contract, parsed from texts of a configuration.

use crate::policy::NameGlob;
use crate::types::{ElementType, Fact, PartialShape};
use std::fmt;
use std::str::FromStr;

/// A type and a shape such as `f32[1,3,?,1..8]`, a shape alone, or a type alone. `?` and `...` allow anything.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The element type; `Dynamic` allows any.
    pub ty: ElementType,
    /// The shape.
    pub shape: PartialShape,
    /// The line of the configuration that asks for it; 0 if it is unknown.
    pub line: u32,
    text: String,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let fact = match trimmed.find('[') {
            None => format!("{trimmed}[...]").parse::<Fact>(),
            Some(0) => format!("dynamic{trimmed}").parse(),
            Some(_) => trimmed.parse(),
        };
        let wrong = || format!("`{text}` is not a type and a shape such as `f32[1,3,?,?]`");
        let fact = fact.ok().filter(|fact| fact.value.is_none()).ok_or_else(wrong)?;
        Ok(Self { ty: fact.ty, shape: fact.shape, line: 0, text: trimmed.to_owned() })
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A pattern over operations, by type as in `Loop`, or by version and type as in `opset8:*`; `extension` stands for
/// operations that no opset has.
#[derive(Clone, Debug)]
pub struct OpPattern {
    version: Option<NameGlob>,
    ty: NameGlob,
    text: String,
}

impl OpPattern {
    /// Whether the pattern matches layers of a type and version.
    pub fn admits(&self, ty: &str, version: &str) -> bool {
        let opset = version.strip_prefix("opset").is_some_and(|number| number.parse::<u8>().is_ok());
        let of_version = |glob: &NameGlob| glob.admits(version) || (glob.pattern() == "extension" && !opset);
        self.version.as_ref().is_none_or(of_version) && self.ty.admits(ty)
    }
}

impl FromStr for OpPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (version, ty) = text.split_once(':').map_or((None, text), |(version, ty)| (Some(version), ty));
        let version = version.map(NameGlob::new).transpose()?;
        Ok(Self { version, ty: NameGlob::new(ty)?, text: text.to_owned() })
    }
}

impl fmt::Display for OpPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A size in bytes such as `120MB` or `4 KiB`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of bytes.
    pub bytes: u64,
    text: String,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a size such as 120MB");
        let trimmed = text.trim();
        let digits = trimmed.find(|c: char| !c.is_ascii_digit()).unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(digits);
        let factor: u64 = match unit.trim_start() {
            "" | "B" => 1,
            "kB" | "KB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            _ => return Err(wrong()),
        };
        let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)).ok_or_else(wrong)?;
        Ok(Self { bytes, text: trimmed.to_owned() })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_shapes_may_stand_alone() {
        let wanted = |text: &str| text.parse::<Wanted>().map(|wanted| format!("{}{}", wanted.ty, wanted.shape)).ok();
        assert_eq!(wanted("f32[1,?,3..8]").as_deref(), Some("f32[1,?,3..8]"));
        assert_eq!(wanted("f32").as_deref(), Some("f32[...]"));
        assert_eq!(wanted("[1,?]").as_deref(), Some("dynamic[1,?]"));
        for text in ["", "f33", "f32[", "f32[1] = 3", "1,3"] {
            assert_eq!(wanted(text), None, "{text}");
        }
    }

    #[test]
    fn operations_are_meant_by_type_and_version() {
        let admits = |pattern: &str, ty: &str, version: &str| pattern.parse::<OpPattern>().unwrap().admits(ty, version);
        assert!(admits("Loop", "Loop", "opset5") && !admits("Loop", "If", "opset8"));
        assert!(admits("RNN*", "RNNSequence", "opset5") && admits("opset1:*", "MaxPool", "opset1"));
        assert!(!admits("opset1:*", "MaxPool", "opset14"));
        assert!(admits("extension:*", "Tokenizer", "extension") && admits("extension:*", "Mine", "com.acme"));
        assert!(!admits("extension:*", "Add", "opset1"));
    }

    #[test]
    fn sizes_have_units() {
        let bytes = |text: &str| text.parse::<Size>().map(|size| size.bytes).ok();
        assert_eq!([bytes("7"), bytes("120MB"), bytes("4 KiB")], [Some(7), Some(120_000_000), Some(4096)]);
        assert_eq!([bytes("MB"), bytes("-1"), bytes("1 lb"), bytes("99999999999GB")], [None; 4]);
    }
}
