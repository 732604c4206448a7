//! The header of an `.npy` file: a Python dictionary of the element type, the order and the shape.
//!
//! This reader exists because the published ones are not safe for untrusted files. `npyz` 0.9 multiplies the dimensions
//! unchecked, so that the shape `(99999999999,99999999999)` panics, or wraps around in a release build; it accepts duplicate
//! entries; and it parses Python with `pest`, which adds 36 crates and a quarter to the build time of all other dependencies.
//! `ndarray-npy` has the same parser, and needs `ndarray`. Both read elements as Rust types, but packed types need the bytes
//! as they are.

use crate::exec::tensor::Lengths;
use crate::types::ElementType;
use std::fmt::Write;

use ElementType as T;

/// The maximum size of the header in bytes; `NumPy` itself reads up to 10,000.
const LIMIT: usize = 1 << 16;

/// The error for a file in another format.
pub(super) const NO_NPY: &str = "not an .npy file";

/// The type names of `NumPy`, without the byte order.
const NAMES: [(&str, ElementType); 12] = [
    ("b1", T::Boolean),
    ("i1", T::I8),
    ("i2", T::I16),
    ("i4", T::I32),
    ("i8", T::I64),
    ("u1", T::U8),
    ("u2", T::U16),
    ("u4", T::U32),
    ("u8", T::U64),
    ("f2", T::F16),
    ("f4", T::F32),
    ("f8", T::F64),
];

/// The content of the header, and the offset of the elements.
pub(super) struct Header {
    pub(super) ty: ElementType,
    pub(super) big_endian: bool,
    pub(super) lengths: Lengths,
    pub(super) data: usize,
}

impl Header {
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let rest = file.strip_prefix(b"\x93NUMPY").ok_or(NO_NPY)?;
        let (start, length) = match rest {
            [1, 0, a, b, ..] => (10, usize::from(u16::from_le_bytes([*a, *b]))),
            [2 | 3, 0, a, b, c, d, ..] => {
                (12, usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).unwrap_or(usize::MAX))
            }
            [1..=3, 0, ..] => (file.len(), 2),
            [major, minor, ..] => {
                return Err(format!("version {major}.{minor} of the format, where 1.0 to 3.0 are read"));
            }
            _ => return Err(NO_NPY.to_owned()),
        };
        let data = start.saturating_add(length);
        let text = file.get(start..data).filter(|text| text.len() <= LIMIT);
        let found = file.len();
        let text =
            text.ok_or_else(|| format!("the header takes {length} bytes of a file of {found}, and at most {LIMIT}"))?;
        let (descr, fortran, lengths) = Parser { text, at: 0 }.dictionary()?;
        let (ty, big_endian) = element_type(&descr).ok_or_else(|| no_type(&descr))?;
        if fortran && lengths.len() > 1 {
            return Err("the elements are in Fortran order, where C order is read".to_owned());
        }
        Ok(Self { ty, big_endian, lengths, data })
    }

    /// Writes the header for little-endian elements in C order; `None` if `NumPy` has no name for the type.
    pub(super) fn write(ty: ElementType, lengths: &[usize]) -> Option<Vec<u8>> {
        let (name, _) = NAMES.into_iter().find(|(_, named)| *named == ty)?;
        let order = if ty.bits() == 8 { '|' } else { '<' };
        let mut text = format!("{{'descr': '{order}{name}', 'fortran_order': False, 'shape': (");
        for (axis, length) in lengths.iter().enumerate() {
            let _ = write!(text, "{}{length}", if axis > 0 { ", " } else { "" });
        }
        text.push_str(if lengths.len() == 1 { ",), }" } else { "), }" });
        // Version 1 has a 16-bit header length; the elements start at a multiple of 64 bytes.
        let padded = |start: usize| (start + text.len() + 1).next_multiple_of(64) - start;
        let mut header = b"\x93NUMPY".to_vec();
        let length = if let Ok(length) = u16::try_from(padded(10)) {
            header.extend([1, 0]);
            header.extend(length.to_le_bytes());
            padded(10)
        } else {
            header.extend([2, 0]);
            header.extend(u32::try_from(padded(12)).ok()?.to_le_bytes());
            padded(12)
        };
        header.extend(text.bytes().chain(std::iter::repeat(b' ')).take(length - 1).chain([b'\n']));
        Some(header)
    }
}

fn no_type(descr: &str) -> String {
    format!("there is no element type for dtype `{descr}`")
}

/// Parses a type such as `<f4`; returns whether it is big-endian.
fn element_type(descr: &str) -> Option<(ElementType, bool)> {
    let name = descr.trim_start_matches(['<', '>', '=', '|']);
    let big_endian = match descr.strip_suffix(name)? {
        "<" | "|" => false,
        ">" => true,
        "=" | "" => cfg!(target_endian = "big"),
        _ => return None,
    };
    NAMES.into_iter().find(|(named, _)| *named == name).map(|(_, ty)| (ty, big_endian))
}

/// A parser for the few Python literals of a header.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    /// Parses the entries `descr`, `fortran_order` and `shape`, in any order.
    fn dictionary(mut self) -> Result<(String, bool, Lengths), String> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{', "`{`")?;
        while !self.eat(b'}') {
            let key = self.string()?;
            self.expect(b':', "`:`")?;
            let twice = match key.as_str() {
                "descr" => descr.replace(self.descr()?).is_some(),
                "fortran_order" => fortran.replace(self.boolean()?).is_some(),
                "shape" => shape.replace(self.tuple()?).is_some(),
                _ => true,
            };
            if twice {
                return Err(format!("the header has one `{key}` too many"));
            }
            if !self.eat(b',') {
                self.expect(b'}', "`,` or `}`")?;
                break;
            }
        }
        self.skip_spaces();
        if self.at < self.text.len() {
            return Err(self.missing("end"));
        }
        let none = |entry: &str| format!("the header has no `{entry}`");
        Ok((
            descr.ok_or_else(|| none("descr"))?,
            fortran.ok_or_else(|| none("fortran_order"))?,
            shape.ok_or_else(|| none("shape"))?,
        ))
    }

    /// Parses the name of a type. Records, which are lists of names, are rejected because they have no single element type.
    fn descr(&mut self) -> Result<String, String> {
        if self.eat(b'[') { Err(no_type("[...]")) } else { self.string() }
    }

    fn boolean(&mut self) -> Result<bool, String> {
        match self.word(u8::is_ascii_alphabetic) {
            b"True" => Ok(true),
            b"False" => Ok(false),
            _ => Err(self.missing("`True` or `False`")),
        }
    }

    fn tuple(&mut self) -> Result<Lengths, String> {
        let mut lengths = Lengths::new();
        self.expect(b'(', "`(`")?;
        while !self.eat(b')') {
            let digits = std::str::from_utf8(self.word(u8::is_ascii_digit)).unwrap_or_default();
            let length = digits.parse().map_err(|_| self.missing("length"))?;
            lengths.push(length);
            // Python 2 writes long integers with an `L`.
            self.eat(b'L');
            if !self.eat(b',') {
                self.expect(b')', "`,` or `)`")?;
                break;
            }
        }
        Ok(lengths)
    }

    /// Parses a string without escapes.
    fn string(&mut self) -> Result<String, String> {
        let quote = if self.eat(b'"') { b'"' } else { b'\'' };
        if quote == b'\'' {
            self.expect(b'\'', "string")?;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == quote).ok_or_else(|| self.missing("end of the string"))?;
        self.at += length + 1;
        Ok(String::from_utf8_lossy(rest.get(..length).unwrap_or_default()).into_owned())
    }

    /// Consumes and returns the bytes up to the first that does not belong to the word.
    fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> &'a [u8] {
        self.skip_spaces();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !belongs(byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn skip_spaces(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Whether the next byte is this one; consumes it if so.
    fn eat(&mut self, byte: u8) -> bool {
        self.skip_spaces();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, wanted: &'static str) -> Result<(), String> {
        if self.eat(byte) { Ok(()) } else { Err(self.missing(wanted)) }
    }

    fn missing(&self, wanted: &'static str) -> String {
        format!("no {wanted} at byte {} of the header", self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(ElementType, bool, Lengths), String> {
        let length = u16::try_from(text.len()).unwrap().to_le_bytes();
        let file = [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes()].concat();
        let header = Header::read(&file)?;
        assert_eq!(header.data, file.len());
        Ok((header.ty, header.big_endian, header.lengths))
    }

    #[test]
    fn reads_what_python_writes() {
        let ok = |ty, big_endian, lengths: &[usize]| Ok((ty, big_endian, lengths.into()));
        assert_eq!(
            read("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n"),
            ok(T::F32, false, &[3, 4])
        );
        assert_eq!(read("{\"shape\":(3L,),\"descr\":\">i8\",\"fortran_order\":False}"), ok(T::I64, true, &[3]));
        assert_eq!(read("{'descr': '|b1', 'fortran_order': True, 'shape': ()}"), ok(T::Boolean, false, &[]));
        assert_eq!(read("{'descr':'u1','fortran_order':False,'shape':(0,7)}"), ok(T::U8, false, &[0, 7]));
    }

    #[test]
    fn versions_differ_in_the_length_of_the_header() {
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}";
        let length = u8::try_from(text.len()).unwrap();
        for (version, length) in [(1, &[length, 0][..]), (2, &[length, 0, 0, 0]), (3, &[length, 0, 0, 0])] {
            let file = [b"\x93NUMPY", &[version, 0][..], length, text.as_bytes()].concat();
            let header = Header::read(&file).unwrap_or_else(|error| panic!("{version}: {error}"));
            assert_eq!((header.ty, &*header.lengths, header.data), (T::F32, &[3][..], file.len()));
        }
    }

    #[test]
    fn says_what_it_does_not_read() {
        let message = |text: &str| read(text).unwrap_err();
        let with = |descr: &str, fortran: &str, shape: &str| {
            message(&format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}}}"))
        };
        assert_eq!(with("'<c8'", "False", "(1,)"), "there is no element type for dtype `<c8`");
        assert_eq!(with("'<<f4'", "False", "(1,)"), "there is no element type for dtype `<<f4`");
        assert_eq!(with("[('a', '<f4')]", "False", "(1,)"), "there is no element type for dtype `[...]`");
        assert_eq!(with("'<f4'", "True", "(1, 2)"), "the elements are in Fortran order, where C order is read");
        assert_eq!(with("'<f4'", "0", "(1, 2)"), "no `True` or `False` at byte 34 of the header");
        assert_eq!(with("'<f4'", "False", "(-1,)"), "no length at byte 51 of the header");
        assert_eq!(with("'<f4'", "False", "(99999999999999999999,)"), "no length at byte 71 of the header");
        assert_eq!(with("'<f4'", "False", "3"), "no `(` at byte 50 of the header");
        assert_eq!(message("{'descr': '<f4"), "no end of the string at byte 11 of the header");
        assert_eq!(message("{'descr': '<f4'} x"), "no end at byte 17 of the header");
        assert_eq!(message("{'descr': '<f4'}"), "the header has no `fortran_order`");
        assert_eq!(message("{'descr': '<f4', 'descr': '<f4'}"), "the header has one `descr` too many");
        assert_eq!(message("{'order': 1}"), "the header has one `order` too many");
        assert_eq!(message(""), "no `{` at byte 0 of the header");
        let message = |file: &[u8]| Header::read(file).err().unwrap();
        assert_eq!(message(b"PK\x03\x04"), "not an .npy file");
        assert_eq!(message(b"\x93NUMPY\x01"), "not an .npy file");
        assert_eq!(message(b"\x93NUMPY\x04\x00\0\0\0\0"), "version 4.0 of the format, where 1.0 to 3.0 are read");
        let long = "the header takes 4294967295 bytes of a file of 12, and at most 65536";
        assert_eq!(message(b"\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF"), long);
        assert_eq!(message(b"\x93NUMPY\x01\x00"), "the header takes 2 bytes of a file of 8, and at most 65536");
    }

    #[test]
    fn written_headers_read_back() {
        for lengths in [&[][..], &[5], &[2, 0, 7], &vec![1; 30_000]] {
            for (_, ty) in NAMES {
                let bytes = Header::write(ty, lengths).unwrap();
                assert!(bytes.len().is_multiple_of(64) && bytes.ends_with(b"\n"));
                match Header::read(&bytes) {
                    Ok(header) => assert_eq!((header.ty, &*header.lengths, header.data), (ty, lengths, bytes.len())),
                    Err(error) => {
                        assert_eq!((lengths.len(), error.starts_with("the header takes")), (30_000, true));
                    }
                }
            }
        }
        assert_eq!(Header::write(T::I4, &[]), None);
        let wanted = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        assert!(Header::write(T::F32, &[2, 3]).unwrap().starts_with(wanted));
    }
}
