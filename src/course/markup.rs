//! What inline Markdown means, one event at a time: which of it is accepted, and what links become.

use super::links::Link;
use super::origin::Origin;
use super::{ContentError, Problem};
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};
use std::ops::Range;

/// A stretch of Markdown in a file, and the links found in it so far.
pub(super) struct Markup<'a> {
    /// The file.
    pub origin: Origin<'a>,
    /// The Markdown.
    pub text: &'a str,
    /// Where the Markdown begins in the file's text.
    pub start: usize,
    /// The address of the page it stands on.
    pub page: &'a str,
    /// Every link met, to be checked when all pages are known.
    pub links: &'a mut Vec<Link>,
}

impl Markup<'_> {
    /// A problem at a byte offset into the Markdown.
    pub fn error(&self, offset: usize, problem: Problem) -> ContentError {
        self.origin.error(self.start + offset, problem)
    }

    /// Translates an event that may stand in any sentence; `Ok(None)` for an event that is no inline one.
    pub fn inline<'e>(
        &mut self,
        event: &Event<'e>,
        range: &Range<usize>,
    ) -> Result<Option<Event<'e>>, ContentError> {
        let event = match event {
            Event::Text(text) => {
                self.closed(text, range)?;
                Event::Text(text.clone())
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                Event::InlineHtml(self.open_link(dest_url, range).into())
            }
            Event::End(TagEnd::Link) => Event::InlineHtml(CowStr::Borrowed("</a>")),
            Event::Code(_)
            | Event::SoftBreak
            | Event::Start(Tag::Emphasis | Tag::Strong)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong) => event.clone(),
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
                return Err(self.error(range.start, Problem::Html));
            }
            Event::Start(Tag::Image { .. }) => {
                return Err(self.error(range.start, Problem::NotAllowed { what: "an image" }));
            }
            Event::HardBreak => {
                return Err(self.error(range.start, Problem::NotAllowed { what: "a forced line break" }));
            }
            _ => return Ok(None),
        };
        Ok(Some(event))
    }

    /// Refuses text that still has a mark in it: Markdown leaves marks that open nothing as they are.
    fn closed(&self, text: &str, range: &Range<usize>) -> Result<(), ContentError> {
        let escaped = |at: usize| at > 0 && self.text.as_bytes().get(at - 1) == Some(&b'\\');
        for (at, mark) in text.match_indices(['`', '*', '[', ']']) {
            if !(at == 0 && escaped(range.start)) {
                return Err(self.error(range.start + at, Problem::Unclosed { mark: mark.to_owned() }));
            }
        }
        Ok(())
    }

    /// The opening tag of a link, which is kept for the check of all links.
    fn open_link(&mut self, to: &str, range: &Range<usize>) -> String {
        let line = self.origin.line(self.start + range.start);
        let (file, page) = (self.origin.file.to_owned(), self.page.to_owned());
        self.links.push(Link { file, line, page, to: to.to_owned() });
        let href = escape(to);
        match (to.strip_prefix("#step-"), to.starts_with("https://")) {
            (Some(step), _) => format!("<a href=\"{href}\" data-step-link=\"{}\">", escape(step)),
            (None, true) => format!("<a href=\"{href}\" rel=\"noopener external\">"),
            (None, false) => format!("<a href=\"{href}\">"),
        }
    }
}

/// Text as it may stand between quotation marks in HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
