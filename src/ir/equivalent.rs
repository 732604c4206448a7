//! Comparison of two IR texts that ignores declared ports, to prove that an edit changes nothing but declarations.

use super::xml::attributes::{Attributes, resolved};
use super::xml::cursor::{Cursor, Tag, Token};
use crate::ops::Role;
use crate::source::{Source, Span};

/// Returns the first difference in `after`, if there is one.
///
/// Ignores the dimensions and precisions of ports and the declarations of body Parameters, because OpenVINO infers them
/// again; also blanks between elements, comments, and whether an empty element is self-closing.
pub(crate) fn first_difference(before: &Source, after: &Source) -> Option<Span> {
    let (mut a, mut b) = (Skeleton::new(before), Skeleton::new(after));
    loop {
        match (a.next(), b.next()) {
            (Some(Step::End), Some(Step::End)) => return None,
            (Some(x), Some(y)) if a.same(&x, &b, &y) => {}
            _ => return Some(b.at),
        }
    }
}

/// A comparison step, in file order.
enum Step<'a> {
    Open(Tag<'a>),
    Close,
    Text(Span),
    End,
}

struct Skeleton<'a> {
    source: &'a Source,
    cursor: Cursor<'a>,
    /// The enclosing elements.
    around: Vec<Element>,
    /// True if the element just opened is self-closing.
    closes: bool,
    at: Span,
}

/// The elements that determine which attributes are declarations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Body,
    Layer,
    Parameter,
    Ports,
    Port,
    Dim,
    /// The `<data>` of a Parameter in a body.
    Declaration,
    Other,
}

impl<'a> Skeleton<'a> {
    fn new(source: &'a Source) -> Self {
        let cursor = Cursor::new(source.bytes());
        Self { source, cursor, around: Vec::new(), closes: false, at: Span::default() }
    }

    /// Returns the next step; `None` if the XML is broken.
    fn next(&mut self) -> Option<Step<'a>> {
        loop {
            if std::mem::take(&mut self.closes) {
                if self.around.pop() == Some(Element::Dim) {
                    continue;
                }
                return Some(Step::Close);
            }
            let in_dim = self.around.contains(&Element::Dim);
            match self.cursor.next().ok()? {
                Token::Start(tag) => {
                    self.open(tag);
                    self.closes = tag.closes;
                    if !in_dim && self.around.last() != Some(&Element::Dim) {
                        return Some(Step::Open(tag));
                    }
                }
                Token::Close(span) => {
                    self.at = span;
                    self.around.pop();
                    if !in_dim {
                        return Some(Step::Close);
                    }
                }
                Token::Text(_) if in_dim => {}
                Token::Text(span) | Token::Doctype(span) | Token::Declaration(span) => {
                    self.at = span;
                    return Some(Step::Text(span));
                }
                Token::End => return Some(Step::End),
            }
        }
    }

    fn open(&mut self, tag: Tag<'a>) {
        use Element as E;
        self.at = tag.span;
        let element = match (self.around.last(), tag.name) {
            (_, b"body" | b"then_body" | b"else_body") => E::Body,
            (_, b"layer") if self.is_parameter(tag) => E::Parameter,
            (_, b"layer") => E::Layer,
            (Some(E::Layer | E::Parameter), b"input" | b"output") => E::Ports,
            (Some(E::Ports), b"port") => E::Port,
            (Some(E::Port), b"dim") => E::Dim,
            (Some(E::Parameter), b"data") if self.around.contains(&E::Body) => E::Declaration,
            _ => E::Other,
        };
        self.around.push(element);
    }

    fn is_parameter(&self, tag: Tag<'a>) -> bool {
        let ty = self.attributes(tag).find(|(name, _)| *name == b"type");
        ty.is_some_and(|(_, ty)| str::from_utf8(&resolved(ty)).is_ok_and(|ty| Role::of(ty) == Role::Parameter))
    }

    fn attributes(&self, tag: Tag<'a>) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        let source = self.source;
        Attributes::new(tag.inside, tag.inside_at)
            .map(|attribute| (source.slice(attribute.name), source.slice(attribute.value)))
    }

    /// Returns the attributes of the element just opened that are not declarations.
    fn significant_attributes(&self, tag: Tag<'a>) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        let element = self.around.last().copied();
        self.attributes(tag).filter(move |(name, _)| match element {
            Some(Element::Port) => *name != b"precision",
            Some(Element::Declaration) => !matches!(*name, b"shape" | b"element_type"),
            _ => true,
        })
    }

    fn same(&self, step: &Step<'a>, other: &Skeleton, theirs: &Step) -> bool {
        match (step, theirs) {
            (Step::Open(a), Step::Open(b)) => {
                a.name == b.name && self.significant_attributes(*a).eq(other.significant_attributes(*b))
            }
            (Step::Close, Step::Close) => true,
            (Step::Text(a), Step::Text(b)) => self.source.slice(*a) == other.source.slice(*b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &str, after: &str) -> Option<String> {
        let source = |text: &str| Source::new("x", text.as_bytes().to_vec());
        let after = source(after);
        first_difference(&source(before), &after).map(|span| after.text(span).into_owned())
    }

    const NET: &str = "<net><layer id='1' type='Loop'><output><port id='0' precision='FP32'><dim>1</dim></port></output>\
        <body><layer type='Parameter'><data shape='1' element_type='f32' k='1'/></layer></body></layer></net>";

    #[test]
    fn what_ports_and_body_parameters_declare_does_not_count() {
        let change = |from: &str, to: &str| {
            assert!(NET.contains(from), "{from}");
            found(NET, &NET.replace(from, to))
        };
        assert_eq!(change("<dim>1</dim>", "\n<dim>2</dim> <dim><!-- x -->3</dim><dim/>"), None);
        assert_eq!(change("<dim>1</dim></port>", "</port>"), None);
        assert_eq!(change("precision='FP32'><dim>1</dim></port>", "precision='I64'/>"), None);
        assert_eq!(change("shape='1' element_type='f32'", "shape='2,3' element_type='i64'"), None);
        assert_eq!(change("k='1'", "k='2'").as_deref(), Some("<data shape='1' element_type='f32' k='2'/>"));
        assert_eq!(change("id='0'", "id='7'").as_deref(), Some("<port id='7' precision='FP32'>"));
        assert_eq!(change("type='Parameter'", "type='Relu'").as_deref(), Some("<layer type='Relu'>"));
        assert_eq!(change("</port>", "</port>text").as_deref(), Some("text"));
        assert_eq!(change("</net>", "").as_deref(), Some("</layer>"));
    }

    #[test]
    fn dims_elsewhere_and_parameters_of_the_net_count() {
        let text = "<net><layer type='Parameter'><data shape='1'/><dim>1</dim></layer></net>";
        assert!(found(text, &text.replace("shape='1'", "shape='2'")).is_some());
        assert!(found(text, &text.replace("<dim>1", "<dim>2")).is_some());
    }
}
