//! The reader of `[[link]]`s.

use super::entries::{LinkEntry, Text};
use super::reader::{ConfigError, Reader};
use crate::input::stays_below;
use crate::policy::globs::FileGlobs;
use crate::policy::links::{Link, LinkEnd};
use crate::remote::named;
use crate::source::Span;

impl Reader<'_> {
    pub(super) fn links(&self, entries: &[LinkEntry]) -> Result<Vec<Link>, ConfigError> {
        let link =
            |LinkEntry { from, to }: &LinkEntry| Ok(Link { from: self.end("from", from)?, to: self.end("to", to)? });
        entries.iter().map(link).collect()
    }

    fn end(&self, key: &str, text: &Text) -> Result<LinkEnd, ConfigError> {
        let named_so = || format!("`{key}` is `{}`", named(text.as_ref()));
        let fail = |why: &str| self.fail(text.span(), format!("{}, {why}", named_so()));
        let parts = text.as_ref().split_once(".xml:").filter(|(_, tensor)| !tensor.is_empty());
        let (stem, tensor) = parts.ok_or_else(|| fail("wanted FILE.xml:TENSOR, such as `detector/*.xml:features`"))?;
        if !stays_below(stem) {
            return Err(fail("wanted a file below the folder of the configuration"));
        }
        let files = FileGlobs::new(self.folder, &[format!("{stem}.xml")]);
        let files = files.map_err(|error| self.fail(text.span(), error))?;
        let span = Span::new(text.span().start, text.span().end);
        Ok(LinkEnd { files, tensor: tensor.to_owned(), span })
    }
}
