//! The `<pre-process>` of older converters: means that OpenVINO subtracts from an input.

use crate::source::Span;

/// The first `<pre-process>` of a net, the only one that OpenVINO reads.
#[derive(Debug)]
pub struct PreProcess {
    /// The start tag.
    pub tag: Span,
    /// The value of `reference-layer-name`: the input that the means are subtracted from.
    pub reference: Option<Span>,
    /// The channels in file order.
    pub channels: Vec<Channel>,
}

/// One `<channel>`.
#[derive(Debug)]
pub struct Channel {
    /// The start tag.
    pub tag: Span,
    /// Its number, by default its index in the list; `None` if it cannot be read.
    pub id: Option<u64>,
    /// Its first `<mean>`.
    pub mean: Option<Mean>,
}

/// One `<mean>`: a number, or an image in the weights.
#[derive(Debug)]
pub struct Mean {
    /// The start tag.
    pub tag: Span,
    /// The number; the inner `None` if it cannot be read.
    pub value: Option<Option<f32>>,
    /// The first byte of the image.
    pub offset: Written,
    /// The number of its bytes.
    pub size: Written,
}

/// An unsigned number in an attribute.
#[derive(Debug, Clone, Copy, Default)]
pub struct Written {
    /// The bytes of the value; `None` if the attribute is missing.
    pub span: Option<Span>,
    /// The number; `None` if it cannot be read.
    pub number: Option<u64>,
}

impl PreProcess {
    /// Returns the end of the last image in the weights.
    pub fn end(&self) -> u64 {
        let means = self.channels.iter().filter_map(|channel| channel.mean.as_ref());
        let ends = means.filter_map(|mean| mean.offset.number?.checked_add(mean.size.number?));
        ends.max().unwrap_or(0)
    }
}
