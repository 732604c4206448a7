//! The parser of the text format of protocol buffers, in which Triton (`config.pbtxt`) and OpenVINO Model Server
//! (`graph.pbtxt`) are configured.

use std::str::Chars;

/// A field of a message; each element of a list is a field of its own.
#[derive(Debug, PartialEq)]
pub(super) struct Field {
    pub name: String,
    pub value: Value,
    pub line: usize,
    /// The offset of its first byte.
    pub at: usize,
}

/// The value of a field.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    /// A number or a keyword.
    Word(String),
    /// A string.
    Text(String),
    /// A message.
    Message(Vec<Field>),
}

/// The error for a text that is not in this format.
#[derive(Debug, PartialEq)]
pub(super) struct Broken {
    pub line: usize,
    pub what: String,
}

/// The maximum nesting depth of messages.
const DEPTH: usize = 32;

pub(super) fn parse(text: &str) -> Result<Vec<Field>, Broken> {
    let mut parser = Parser { rest: text.chars(), length: text.len(), line: 1 };
    parser.message(None, 0)
}

struct Parser<'a> {
    rest: Chars<'a>,
    /// The length of the whole text.
    length: usize,
    line: usize,
}

impl Parser<'_> {
    fn fail<T>(&self, what: impl Into<String>) -> Result<T, Broken> {
        Err(Broken { line: self.line, what: what.into() })
    }

    /// Returns the offset of the next character.
    fn at(&self) -> usize {
        self.length.saturating_sub(self.rest.as_str().len())
    }

    /// Returns the next character.
    fn ahead(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// Returns the next character that is not blank or comment.
    fn peek(&mut self) -> Option<char> {
        while let Some(next) = self.ahead() {
            if next == '#' {
                while self.ahead().is_some_and(|next| next != '\n') {
                    self.next();
                }
            } else if next.is_whitespace() {
                self.next();
            } else {
                return Some(next);
            }
        }
        None
    }

    /// Whether the next character is one of these; consumes it if so.
    fn passes(&mut self, any: &[char]) -> bool {
        let found = self.peek().is_some_and(|next| any.contains(&next));
        if found {
            self.next();
        }
        found
    }

    fn message(&mut self, end: Option<char>, depth: usize) -> Result<Vec<Field>, Broken> {
        if depth > DEPTH {
            return self.fail(format!("messages are nested more than {DEPTH} deep"));
        }
        let mut fields = Vec::new();
        loop {
            match (self.peek(), end) {
                (None, None) => return Ok(fields),
                (None, Some(end)) => return self.fail(format!("the text ends, wanted `{end}`")),
                (Some(next), Some(end)) if next == end => {
                    self.next();
                    return Ok(fields);
                }
                _ => self.field(&mut fields, depth)?,
            }
        }
    }

    fn field(&mut self, fields: &mut Vec<Field>, depth: usize) -> Result<(), Broken> {
        let next = self.peek();
        let (line, at) = (self.line, self.at());
        let name = if next == Some('[') { self.type_name()? } else { self.word("the name of a field")? };
        let has_colon = self.passes(&[':']);
        if self.passes(&['[']) {
            while !self.passes(&[']']) {
                let line = self.line;
                let value = self.value(true, depth)?;
                fields.push(Field { name: name.clone(), value, line, at });
                if !self.passes(&[',']) && self.peek() != Some(']') {
                    return self.wanted("`,` or `]`");
                }
            }
        } else {
            let value = self.value(has_colon, depth)?;
            fields.push(Field { name, value, line, at });
        }
        self.passes(&[',', ';']);
        Ok(())
    }

    fn value(&mut self, has_colon: bool, depth: usize) -> Result<Value, Broken> {
        match self.peek() {
            Some('{') => self.inner('}', depth),
            Some('<') => self.inner('>', depth),
            _ if !has_colon => self.wanted("`:` or `{`"),
            Some('"' | '\'') => {
                let mut bytes = Vec::new();
                // Adjacent strings are concatenated.
                while let Some(quote @ ('"' | '\'')) = self.peek() {
                    self.string(quote, &mut bytes)?;
                }
                Ok(Value::Text(String::from_utf8_lossy(&bytes).into_owned()))
            }
            _ => self.word("a value").map(Value::Word),
        }
    }

    fn inner(&mut self, end: char, depth: usize) -> Result<Value, Broken> {
        self.next();
        self.message(Some(end), depth + 1).map(Value::Message)
    }

    /// Parses a string and appends its bytes. They need not be UTF-8 before all parts are joined, because of byte escapes.
    fn string(&mut self, quote: char, bytes: &mut Vec<u8>) -> Result<(), Broken> {
        self.next();
        loop {
            match self.next() {
                Some('\\') => self.escaped(bytes)?,
                Some(next) if next == quote => return Ok(()),
                Some('\n') | None => return self.fail("a string does not end on its line"),
                Some(next) => push(next, bytes),
            }
        }
    }

    /// Parses the byte or character of an escape, after its backslash.
    fn escaped(&mut self, bytes: &mut Vec<u8>) -> Result<(), Broken> {
        let byte = match self.ahead() {
            Some('0'..='7') => self.digits(8, 1, 3).and_then(|number| u8::try_from(number).ok()),
            _ => match self.next() {
                Some('a') => Some(b'\x07'),
                Some('b') => Some(b'\x08'),
                Some('f') => Some(b'\x0c'),
                Some('n') => Some(b'\n'),
                Some('r') => Some(b'\r'),
                Some('t') => Some(b'\t'),
                Some('v') => Some(b'\x0b'),
                Some(same @ ('\\' | '\'' | '"' | '?')) => u8::try_from(same).ok(),
                Some('x' | 'X') => self.digits(16, 1, 2).and_then(|number| u8::try_from(number).ok()),
                Some(wide @ ('u' | 'U')) => {
                    let count = if wide == 'u' { 4 } else { 8 };
                    if let Some(character) = self.digits(16, count, count).and_then(char::from_u32) {
                        push(character, bytes);
                        return Ok(());
                    }
                    None
                }
                _ => None,
            },
        };
        bytes.push(byte.map_or_else(|| self.fail("a backslash in a string stands for nothing"), Ok)?);
        Ok(())
    }

    /// Parses a number with `least` to `most` digits.
    fn digits(&mut self, radix: u32, least: usize, most: usize) -> Option<u32> {
        let mut text = String::new();
        while let Some(digit) = self.ahead().filter(|next| text.len() < most && next.is_digit(radix)) {
            text.push(digit);
            self.next();
        }
        u32::from_str_radix(&text, radix).ok().filter(|_| text.len() >= least)
    }

    fn word(&mut self, what: &str) -> Result<String, Broken> {
        let mut word = String::new();
        self.peek();
        while let Some(next) = self.ahead().filter(|next| next.is_alphanumeric() || "_.+-".contains(*next)) {
            word.push(next);
            self.next();
        }
        if word.is_empty() { self.wanted(what) } else { Ok(word) }
    }

    /// Parses a name in brackets: of an extension, or of the type of an `Any` as in `[type.googleapis.com/mediapipe.Options]`.
    fn type_name(&mut self) -> Result<String, Broken> {
        let mut name = String::new();
        loop {
            match self.peek() {
                Some(']') => name.push(']'),
                Some(next) if next.is_alphanumeric() || "[_.-/%".contains(next) => name.push(next),
                _ => return self.wanted("`]`"),
            }
            self.next();
            if name.ends_with(']') {
                return Ok(name);
            }
        }
    }

    fn wanted<T>(&mut self, what: &str) -> Result<T, Broken> {
        match self.peek() {
            Some(next) => self.fail(format!("found `{next}`, wanted {what}")),
            None => self.fail(format!("the text ends, wanted {what}")),
        }
    }
}

fn push(character: char, bytes: &mut Vec<u8>) {
    bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(name: &str, value: &str, line: usize) -> Field {
        Field { name: name.to_owned(), value: Value::Word(value.to_owned()), line, at: 0 }
    }

    /// The fields of a text, without offsets.
    fn parsed(text: &str) -> Result<Vec<Field>, Broken> {
        fn placeless(mut fields: Vec<Field>) -> Vec<Field> {
            for field in &mut fields {
                field.at = 0;
                if let Value::Message(inner) = &mut field.value {
                    *inner = placeless(std::mem::take(inner));
                }
            }
            fields
        }
        parse(text).map(placeless)
    }

    #[test]
    fn fields_may_be_written_in_many_ways() {
        let inner = || Value::Message(vec![word("dims", "-1", 2), word("dims", "3", 2)]);
        let field = |name: &str, value, line| Field { name: name.to_owned(), value, line, at: 0 };
        for text in
            ["\ninput { dims: [-1, 3] }", "\ninput: <dims: -1; dims: 3,>", "# a\ninput [ { dims: -1 dims: [3] } ]"]
        {
            assert_eq!(parsed(text), Ok(vec![field("input", inner(), 2)]), "{text}");
        }
        let text = field("name", Value::Text("a\"b".to_owned()), 1);
        assert_eq!(parsed("name: 'a' \"\\\"b\""), Ok(vec![text]));
        assert_eq!(parsed(" # nothing"), Ok(Vec::new()));
    }

    #[test]
    fn escapes_stand_for_bytes_and_characters() {
        for (text, wanted) in [
            (r"\x41\101\u0041\U00000041", "AAAA"),
            (r"\1012 \x4g \x414", "A2 \u{4}g A4"),
            (r"\303\xa4\u00e4", "ää"),
            (r#"\a\b\f\n\r\t\v\\\'\"\?"#, "\u{7}\u{8}\u{c}\n\r\t\u{b}\\'\"?"),
        ] {
            let found = parsed(&format!("a: \"{text}\""));
            let field = Field { name: "a".to_owned(), value: Value::Text(wanted.to_owned()), line: 1, at: 0 };
            assert_eq!(found, Ok(vec![field]), "{text}");
        }
        for text in [r"\q", r"\x", r"\777", r"\u41", r"\ud800", r"\"] {
            let broken = parse(&format!("a: \"{text}\""));
            assert!(broken.is_err(), "{text}: {broken:?}");
        }
    }

    #[test]
    fn fields_know_their_place() {
        let text = "a: 1\n  [type.googleapis.com / mediapipe.Options]: { ä: [2] }";
        let fields = parse(text).unwrap();
        let names: Vec<(&str, usize)> = fields.iter().map(|field| (field.name.as_str(), field.at)).collect();
        assert_eq!(names, [("a", 0), ("[type.googleapis.com/mediapipe.Options]", 7)]);
        let Value::Message(inner) = &fields[1].value else { panic!("{fields:?}") };
        assert_eq!((inner[0].line, text[inner[0].at..].chars().next()), (2, Some('ä')));
        assert!(parse("[type.googleapis.com").is_err() && parse("[a b").is_err());
    }

    #[test]
    fn what_is_broken_has_a_line() {
        for (text, line, what) in [
            ("\ndims: [ 1, 2 3 ]", 2, "found `3`, wanted `,` or `]`"),
            ("input {\n", 2, "the text ends, wanted `}`"),
            ("name \"x\"", 1, "found `\"`, wanted `:` or `{`"),
            ("name: \"x\n\"", 2, "a string does not end on its line"),
            ("\n\n= 1", 3, "found `=`, wanted the name of a field"),
            ("a:", 1, "the text ends, wanted a value"),
        ] {
            assert_eq!(parsed(text), Err(Broken { line, what: what.to_owned() }), "{text}");
        }
        let deep = parse(&"a {".repeat(100)).unwrap_err();
        assert_eq!(deep.what, "messages are nested more than 32 deep");
    }
}
