//! Small graphs written in one line: `s = ShapeOf-3(f32[2,?]); Gather-8(s, i64[1] = 0, i64[] = 0) {batch_dims=0}`.
//!
//! - `f32[2,?]` is a Parameter, `i64[2] = 1 2` a Const.
//! - `Split-1(..)` is a layer of opset1, `GRUCell-extension(..)` one of that version; attributes follow in braces.
//! - `*3` gives a layer three outputs, `.1` takes the second one.
//! - `name = ..;` keeps a layer for later; the last expression is what the graph is about.

use crate::ir_builder::{Ir, Output, encode};
use ovlint::internal::types::ElementType;
use std::collections::BTreeMap;

/// A graph that was written so.
pub(crate) struct Graph {
    /// The XML.
    pub(crate) xml: String,
    /// The weights.
    pub(crate) weights: Vec<u8>,
    /// The place of the layer that the last expression makes, among all layers.
    pub(crate) layer: usize,
}

/// The graph that `text` writes, whose last layer has `outputs` outputs unless it says how many.
pub(crate) fn graph(text: &str, outputs: usize) -> Graph {
    let mut reader = Reader { rest: text.trim(), ir: Ir::default(), names: BTreeMap::new() };
    loop {
        if let Some(name) = reader.binding() {
            let output = reader.expression(1);
            reader.names.insert(name, output);
            assert!(reader.take(";"), "`;` after {name} in {text}");
            continue;
        }
        let output = reader.expression(outputs);
        assert!(reader.rest.is_empty(), "`{}` is left of {text}", reader.rest);
        let count = reader.ir.outputs(output);
        for i in 0..count {
            reader.ir.result(Output(output.0, i));
        }
        let (xml, weights) = reader.ir.finish();
        return Graph { xml: String::from_utf8(xml).unwrap(), weights, layer: output.0 };
    }
}

struct Reader<'a> {
    rest: &'a str,
    ir: Ir,
    names: BTreeMap<&'a str, Output>,
}

impl<'a> Reader<'a> {
    /// Takes `text` and the blanks behind it, if it comes next.
    fn take(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(text) else { return false };
        self.rest = rest.trim_start();
        true
    }

    /// Everything up to the first of `ends`.
    fn until(&mut self, ends: &[char]) -> &'a str {
        let (text, rest) = self.rest.split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest;
        text.trim()
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    /// The name in `name =`, if that comes next.
    fn binding(&mut self) -> Option<&'a str> {
        let before = self.rest;
        let name = self.word();
        self.rest = self.rest.trim_start();
        if !name.is_empty() && self.take("=") {
            return Some(name);
        }
        self.rest = before;
        None
    }

    fn expression(&mut self, outputs: usize) -> Output {
        let word = self.word();
        let made = if self.take("[") {
            self.tensor(word)
        } else if self.take("-") {
            self.layer(word, outputs)
        } else {
            *self.names.get(word).unwrap_or_else(|| panic!("`{word}` before `{}`", self.rest))
        };
        let output = if self.take(".") { self.word().parse().unwrap() } else { made.1 };
        self.rest = self.rest.trim_start();
        Output(made.0, output)
    }

    fn tensor(&mut self, ty: &'a str) -> Output {
        let dims = self.until(&[']']);
        assert!(self.take("]"), "`]` after {dims}");
        if !self.take("=") {
            return self.ir.parameter(ty, dims);
        }
        let lengths: Vec<usize> =
            dims.split(',').filter(|dim| !dim.is_empty()).map(|dim| dim.parse().unwrap()).collect();
        let numbers = self.until(&[',', ')', ';']);
        let ty_of = ElementType::from_data_text(ty).unwrap();
        let bytes: Vec<u8> = numbers
            .split_whitespace()
            .flat_map(|number| match number.parse::<i128>() {
                Ok(whole) if !ty_of.is_float() => whole.to_le_bytes()[..(ty_of.bits() / 8) as usize].to_vec(),
                _ => encode(ty, number.parse().unwrap()),
            })
            .collect();
        self.ir.constant_of_bytes(ty, &lengths, &bytes)
    }

    fn layer(&mut self, ty: &str, outputs: usize) -> Output {
        let version = self.until(&['(']);
        let version = if version.parse::<u8>().is_ok() { format!("opset{version}") } else { version.to_owned() };
        assert!(self.take("("), "`(` after {ty}");
        let mut inputs = Vec::new();
        while !self.take(")") {
            inputs.push(self.expression(1));
            assert!(self.take(",") || self.rest.starts_with(')'), "`,` before `{}`", self.rest);
        }
        let data = if self.take("{") { self.attributes() } else { String::new() };
        let outputs = if self.take("*") {
            self.word().parse().unwrap()
        } else if let Some(output) = self.rest.strip_prefix('.') {
            output.chars().next().and_then(|digit| digit.to_digit(10)).unwrap() as usize + 1
        } else {
            outputs
        };
        self.ir.layer(ty, &version, &data, &inputs, outputs)
    }

    /// The attributes up to the brace, as an element.
    fn attributes(&mut self) -> String {
        let mut data = "<data".to_owned();
        while !self.take("}") {
            let name = self.until(&['=']);
            assert!(self.take("="), "`=` after {name}");
            let value = if let Some(rest) = self.rest.strip_prefix('"') {
                self.rest = rest;
                let value = self.rest.split('"').next().unwrap();
                self.rest = self.rest[value.len() + 1..].trim_start();
                value
            } else {
                self.until(&[' ', '}'])
            };
            self.rest = self.rest.trim_start();
            data.extend([" ", name, "=\"", value, "\""]);
        }
        data + "/>"
    }
}
