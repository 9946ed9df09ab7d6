//! Where a piece of content comes from: a file below `content/`, and the line of each place in it.

use super::{ContentError, Problem};
use std::ops::Range;

/// One file of content with its text.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    /// Its path below `content/`.
    pub file: &'a str,
    /// All of its text.
    pub text: &'a str,
}

impl Origin<'_> {
    /// The line, from 1, of a byte offset into the text.
    pub fn line(&self, offset: usize) -> u32 {
        let before = self.text.bytes().take(offset).filter(|b| *b == b'\n').count();
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// A problem at a byte offset into the text.
    pub fn error(&self, offset: usize, problem: Problem) -> ContentError {
        ContentError { file: self.file.to_owned(), line: self.line(offset), problem }
    }

    /// Where the text of a TOML string begins, given the span of the value with its quotation marks.
    pub fn string_start(&self, span: &Range<usize>) -> usize {
        let raw = self.text.get(span.clone()).unwrap_or_default();
        let quotes = match raw.get(..3) {
            Some("\"\"\"") | Some("'''") => 3,
            Some(_) | None => 1,
        };
        // TOML drops a line break directly after the opening marks.
        let line_break = usize::from(quotes == 3 && raw.get(3..4) == Some("\n"));
        span.start + quotes + line_break
    }

    /// The file name without folder and ending, which is the page's address.
    pub fn slug(&self) -> Result<String, ContentError> {
        let name = self.file.rsplit('/').next().unwrap_or_default();
        let slug = name.split('.').next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if slug.is_empty() || !slug.chars().all(plain) {
            return Err(self.error(0, Problem::Slug { slug: slug.to_owned() }));
        }
        Ok(slug.to_owned())
    }
}
