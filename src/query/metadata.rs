//! Metadata that decides how a model runs or what it means: the `<rt_info>` of the net, of layers and of ports, without what
//! differs between two exports of the same model.

use crate::analysis::Model;
use crate::arrange::Arrange;
use crate::ir::refinement::of_text;
use crate::ir::{Layer, RtKind, find_attribute, tags, unescape, values};
use crate::source::{Source, Span};
use crate::text::escape::line as clean;

/// A key and its value.
pub(super) type Entry = (String, String);

/// Elements whose content says how a file was made.
const RECORDS: [&str; 4] = ["conversion_parameters", "cli_parameters", "legacy_frontend", "OpenVINO Runtime"];

/// The maximum number of characters of a key or a value in a text.
const SHOWN: usize = 200;

/// Returns the metadata of the net, sorted by key; entries with the same key in the order of the file.
pub(super) fn of_net(model: &Model) -> Vec<Entry> {
    let notes = model.net().into_iter().flat_map(|net| &net.notes);
    let all = notes.flat_map(|note| values(model.source(), *note)).map(|(key, value)| (key, normal(&value)));
    let mut all: Vec<Entry> = all.filter(|(key, value)| !key.is_empty() && !is_record(key, value)).collect();
    all.arrange_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Whether an entry differs between exports: versions, paths, times, and how the file was made.
fn is_record(key: &str, value: &str) -> bool {
    let names_one = |part: &str| RECORDS.contains(&part) || part.to_ascii_lowercase().contains("version");
    key.split('.').any(names_one) || is_path(value) || is_time(value)
}

/// Whether a text is an absolute path.
fn is_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    (text.starts_with('/') || has_drive && matches!(bytes.get(2), Some(b'/' | b'\\'))) && !text.contains('\n')
}

/// Whether a text starts with a date and a time, such as `2026-11-26T20:24`.
fn is_time(text: &str) -> bool {
    let form = b"0000-00-00T00:00";
    let fits = |(byte, form): (u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        _ => byte == *form,
    };
    text.len() >= form.len() && text.bytes().zip(form).all(fits)
}

/// Returns a value without outer blanks, and with whole numbers as integers: `1.0` is `1`.
fn normal(value: &str) -> String {
    let is_whole = |word: &&str| {
        let digits = word.strip_prefix('-').unwrap_or(word).split_once('.');
        digits.is_some_and(|(whole, rest)| {
            !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit()) && rest.bytes().all(|b| b == b'0')
        })
    };
    let whole = |word: &str| word.split_once('.').map_or(word, |(whole, _)| whole).to_owned();
    let words = value.split_whitespace().map(|word| if is_whole(&word) { whole(word) } else { word.to_owned() });
    words.collect::<Vec<_>>().join(" ")
}

/// The entries in the `<rt_info>` of layers and of their ports that change how a layer runs or what its axes mean.
pub(super) struct Marks<'a> {
    source: &'a Source,
    /// The starts of the tags that may be such entries.
    tags: Vec<usize>,
}

impl<'a> Marks<'a> {
    pub(super) fn of(model: &'a Model) -> Self {
        let (source, net) = (model.source(), model.net());
        let end = net.and_then(|net| net.graph.layers.last()).map(|layer| layer.end).unwrap_or_default();
        let text = source.slice(Span { start: 0, end });
        let is_one = |at: &usize| {
            let end =
                memchr::memchr(b'>', text.get(*at..).unwrap_or_default()).map_or(text.len(), |length| *at + length + 1);
            is_mark(source, Span::new(*at, end))
        };
        Self { source, tags: memchr::memmem::find_iter(text, b"<attribute").filter(is_one).collect() }
    }

    /// Returns the entries of a layer, sorted, without those of its bodies.
    pub(super) fn of_layer(&self, layer: &Layer) -> Vec<Entry> {
        let body = layer.bodies().next().map(|body| body.graph.tag.start);
        let part = Span { start: layer.tag.start, end: body.unwrap_or(layer.end) };
        let first = self.tags.partition_point(|at| *at < part.start as usize);
        if self.tags.get(first).is_none_or(|at| *at >= part.end as usize) {
            return Vec::new();
        }
        // Comments may hold tags, too.
        let marks = tags(self.source, part).filter(|(name, tag)| *name == b"attribute" && is_mark(self.source, *tag));
        let mut entries: Vec<Entry> = marks.filter_map(|(_, tag)| self.entry(tag)).collect();
        entries.arrange();
        entries.dedup();
        entries
    }

    /// Returns the entry in a tag; `None` if OpenVINO ignores its version.
    fn entry(&self, tag: Span) -> Option<Entry> {
        let text =
            |name: &str| Some(unescape(self.source.slice(find_attribute(self.source, tag, name)?.value)).into_owned());
        let value = text("layout").or_else(|| text("value")).unwrap_or_default();
        (text("version")? == "0").then_some((text("name")?, normal(&value)))
    }
}

fn is_mark(source: &Source, tag: Span) -> bool {
    let kind =
        find_attribute(source, tag, "name").and_then(|name| RtKind::of(unescape(source.slice(name.value)).as_bytes()));
    matches!(kind, Some(RtKind::Free(_) | RtKind::Order | RtKind::Type | RtKind::Layout))
}

/// Formats an entry: `key=value`, or the key alone if it has no value. A long value ends with a hash of the whole.
pub(super) fn text(key: &str, value: &str) -> String {
    let hash = if value.len() > SHOWN { format!(" #{:016x}", of_text(value)) } else { String::new() };
    let (key, value) = (clean(key, SHOWN), clean(value, SHOWN) + &hash);
    if value.is_empty() { key } else { format!("{key}={value}") }
}
