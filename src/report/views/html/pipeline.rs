//! The pipelines above the list of models of the HTML page: members as boxes, the tensors that meet as arrows between them.

use super::{Entry, Folder, SHOWN};
use crate::pipeline::Overview;
use crate::report::findings::xml;
use crate::report::views::graph::shortened;
use crate::text::{counted, escape, path_text};
use std::fmt::Write;

/// The size of a box without tensors, and the height of a tensor in it, in pixels.
const BOX: (usize, usize) = (300, 62);
const TENSOR: usize = 32;

/// The space between columns and between the boxes of one, and between arrows beside a stack.
const GAP: (usize, usize) = (56, 18);
const LANE: usize = 10;

/// The number of columns that boxes without links fill.
const COLUMNS: usize = 4;

/// The maximum number of characters of a line in a box.
const CHARACTERS: usize = 40;

/// The number of pipelines that are open at first.
const OPEN: usize = 3;

/// A member, or a file that is missing.
struct Part<'a> {
    role: &'a str,
    file: &'a str,
    /// The entry of the model; `None` for a missing file.
    model: Option<(usize, &'a Entry)>,
    tensors: Vec<Tensor<'a>>,
    /// The column; `None` without links.
    column: Option<usize>,
    at: (usize, usize),
}

/// An output that another member takes, or an input that another member feeds.
#[derive(PartialEq, Eq)]
struct Tensor<'a> {
    gives: bool,
    name: &'a str,
    fact: &'a str,
}

/// The indices of a part and of its tensor.
type End = (usize, usize);

/// Draws the pipelines of a page; an empty text without any.
pub fn pipelines<'a>(all: impl IntoIterator<Item = &'a Overview>, models: &[Entry], folder: &Folder) -> String {
    let all: Vec<&Overview> = all.into_iter().collect();
    let mut text = String::new();
    for overview in &all {
        let of = folder.below(&overview.path).map(|path| format!("{}: ", escape::line(&path_text(path), SHOWN)));
        let misfits = misfits(overview, models);
        let open = if all.len() <= OPEN || !misfits.is_empty() { " open" } else { "" };
        let title = xml::text(&format!("{}{} pipeline", of.unwrap_or_default(), overview.kind));
        let _ = write!(text, "<details class=\"pipeline\"{open}><summary>{title}</summary>\n{misfits}");
        let (mut parts, links) = parts(overview, models);
        for is_wide in [true, false] {
            place(&mut parts, is_wide);
            draw(&parts, &links, is_wide, &title, &mut text);
        }
        if !overview.files.is_empty() {
            let files: Vec<String> = overview.files.iter().map(|file| escape::line(file, SHOWN)).collect();
            let _ = writeln!(text, "<p>JSON files: {}</p>", xml::text(&files.join(", ")));
        }
        text.push_str("</details>\n");
    }
    text
}

/// The links that do not fit, a line each, with the finding where there is one.
fn misfits(overview: &Overview, models: &[Entry]) -> String {
    let mut text = String::new();
    for met in overview.links.iter().filter(|met| !met.fits) {
        let mut ends = overview.members.iter().filter(|part| [&met.to, &met.from].contains(&&part.role));
        let finding = ends.find_map(|part| {
            let entry = models.get(part.model).filter(|entry| entry.is_open())?;
            let found = entry.links.iter().find(|(_, place, _)| met.finding == Some(*place));
            found.map(|(at, _, text)| (part.model, at, text))
        });
        let _ = match finding {
            Some((model, at, message)) => {
                let message = xml::text(message);
                writeln!(text, "<p><a class=\"error\" href=\"#model-{model}/finding-{at}\">{message}</a></p>")
            }
            None => {
                let said = format!("{} of {} does not fit {} of {}", met.output, met.from, met.input, met.to);
                writeln!(text, "<p class=\"error\">{}</p>", xml::text(&escape::line(&said, SHOWN)))
            }
        };
    }
    text
}

/// Returns the boxes and, for each link, its two ends and whether they fit.
fn parts<'a>(overview: &'a Overview, models: &'a [Entry]) -> (Vec<Part<'a>>, Vec<(End, End, bool)>) {
    let part = |role, file, model| Part { role, file, model, tensors: Vec::new(), column: None, at: (0, 0) };
    let member = |one: &'a crate::pipeline::Part| {
        part(&one.role, &one.file, models.get(one.model).map(|entry| (one.model, entry)))
    };
    let mut parts: Vec<Part> = overview.members.iter().map(member).collect();
    let mut links = Vec::new();
    for met in &overview.links {
        let mut end = |role: &str, tensor: Tensor<'a>| {
            let at = parts.iter().position(|part| part.role == role)?;
            let tensors = &mut parts[at].tensors;
            let known = tensors.iter().position(|known| *known == tensor);
            Some((
                at,
                known.unwrap_or_else(|| {
                    tensors.push(tensor);
                    tensors.len() - 1
                }),
            ))
        };
        let from = end(&met.from, Tensor { gives: true, name: &met.output, fact: &met.gives });
        let to = end(&met.to, Tensor { gives: false, name: &met.input, fact: &met.takes });
        links.extend(from.zip(to).map(|(from, to)| (from, to, met.fits)));
    }
    links.iter().flat_map(|(from, to, _)| [from.0, to.0]).for_each(|at| parts[at].column = Some(0));
    // Columns by longest path; as many rounds as there are boxes suffice unless links run in a circle.
    for _ in 0..parts.len() {
        for (from, to, _) in &links {
            parts[to.0].column = parts[to.0].column.max(parts[from.0].column.map(|column| (column + 1).min(COLUMNS)));
        }
    }
    parts.extend(overview.missing.iter().map(|file| part("missing", file, None)));
    (parts, links)
}

impl Part<'_> {
    fn height(&self) -> usize {
        let verdict = if self.model.is_some() { 0 } else { 16 };
        BOX.1 - verdict + TENSOR * self.tensors.len()
    }
}

/// Places the boxes in columns, with those without links in the columns that are free and below the others, or in one stack.
fn place(parts: &mut [Part], is_wide: bool) {
    let linked = parts.iter().filter_map(|part| part.column).max().map_or(0, |last| last + 1);
    let count = if is_wide { linked.max(COLUMNS) } else { 1 };
    let mut feet = vec![0; count];
    let put = |part: &mut Part, column: usize, feet: &mut [usize]| {
        part.at = (column * (BOX.0 + GAP.0), feet[column]);
        feet[column] += part.height() + GAP.1;
    };
    for column in 0..linked {
        for part in parts.iter_mut().filter(|part| part.column == Some(column)) {
            put(part, if is_wide { column } else { 0 }, &mut feet);
        }
    }
    let foot = feet.iter().copied().max().unwrap_or_default();
    feet.iter_mut().take(linked).for_each(|own| *own = foot);
    for part in parts.iter_mut().filter(|part| part.column.is_none()) {
        let column = (0..count).min_by_key(|column| feet[*column]).unwrap_or_default();
        put(part, column, &mut feet);
    }
}

fn draw(parts: &[Part], links: &[(End, End, bool)], is_wide: bool, title: &str, text: &mut String) {
    let lanes = if is_wide { 0 } else { LANE * (links.len() + 1) };
    let width = parts.iter().map(|part| part.at.0).max().unwrap_or_default() + BOX.0 + lanes + 2;
    let height = parts.iter().map(|part| part.at.1 + part.height()).max().unwrap_or_default() + 2;
    let class = if is_wide { "wide" } else { "stacked" };
    let _ = writeln!(
        text,
        "<svg class=\"{class}\" role=\"group\" aria-label=\"{title}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"-1 -1 {width} {height}\">"
    );
    let y = |end: End| parts[end.0].at.1 + BOX.1 + TENSOR * end.1 + 7;
    for (lane, (from, to, fits)) in links.iter().enumerate() {
        let class = if *fits { "" } else { " class=\"misfit\"" };
        let (x, start, end) = (parts[from.0].at.0 + BOX.0, y(*from), y(*to));
        let path = if is_wide {
            let (into, bend) = (parts[to.0].at.0, x + GAP.0 / 2);
            format!("M{x} {start}C{bend} {start} {} {end} {into} {end}m-7 -4l7 4l-7 4", into.saturating_sub(GAP.0 / 2))
        } else {
            format!("M{x} {start}H{}V{end}H{x}m7 -4l-7 4l7 4", x + LANE * (lane + 1))
        };
        let _ = writeln!(text, "<path{class} d=\"{path}\"/>");
    }
    for (index, part) in parts.iter().enumerate() {
        let is_misfit = |at: usize| links.iter().any(|(from, to, fits)| !fits && [*from, *to].contains(&(index, at)));
        part.draw(is_wide, is_misfit, text);
    }
    text.push_str("</svg>\n");
}

impl Part<'_> {
    fn draw(&self, is_wide: bool, is_misfit: impl Fn(usize) -> bool, text: &mut String) {
        let ((x, y), (width, height)) = (self.at, (BOX.0, self.height()));
        let line = |class: &str, x: usize, y: usize, line: &str| {
            let line = xml::text(&shortened(&escape::line(line, SHOWN), CHARACTERS));
            format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{line}</text>")
        };
        let open = self.model.filter(|(_, entry)| entry.is_open());
        text.push_str(&open.map_or("<g>".to_owned(), |(at, _)| format!("<a href=\"#model-{at}\">")));
        let class = if self.model.is_some() { "" } else { "class=\"lacking\" " };
        let _ = write!(text, "<rect {class}x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>");
        text.push_str(&line("role", x + 10, y + 20, self.role));
        text.push_str(&line("", x + 10, y + 36, self.file));
        let (class, verdict) = self.model.map_or(("", String::new()), |(_, entry)| entry.verdict());
        text.push_str(&line(class, x + 10, y + 52, &verdict));
        for (at, tensor) in self.tensors.iter().enumerate() {
            let y = y + BOX.1 + TENSOR * at + 11;
            let is_right = tensor.gives || !is_wide;
            let (x, side) = if is_right { (x + width - 10, " gives") } else { (x + 10, "") };
            text.push_str(if is_misfit(at) { "<g class=\"misfit\">" } else { "<g>" });
            text.push_str(&line(&format!("tensor{side}"), x, y, tensor.name.trim_matches('`')));
            text.push_str(&line(side.trim(), x, y + 13, tensor.fact));
            text.push_str("</g>");
        }
        text.push_str(if open.is_some() { "</a>\n" } else { "</g>\n" });
    }
}

impl Entry {
    /// Returns the class and the text of the counts.
    fn verdict(&self) -> (&'static str, String) {
        let counts = [(self.errors, "error"), (self.warnings, "warning"), (self.infos, "info")];
        let mut shown = counts.iter().filter(|(count, _)| *count > 0).peekable();
        let class = shown.peek().map_or("", |(_, name)| name);
        let parts: Vec<String> = shown.map(|(count, name)| counted(*count, name)).collect();
        (class, if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") })
    }
}
