//! Sentences: a short text with `code`, **bold**, *emphasis* and links, and nothing else.

use super::markup::Markup;
use super::{ContentError, Inline, Problem};
use pulldown_cmark::{Event, Parser, Tag, TagEnd, html};

/// Renders one paragraph of inline Markdown.
pub(super) fn inline(mut markup: Markup<'_>) -> Result<Inline, ContentError> {
    let mut events = Vec::new();
    let mut text = String::new();
    let mut paragraphs = 0;
    for (event, range) in Parser::new(markup.text).into_offset_iter() {
        if let Some(event) = markup.inline(&event, &range)? {
            match &event {
                Event::Text(words) | Event::Code(words) => text.push_str(words),
                Event::SoftBreak => text.push(' '),
                _ => {}
            }
            // A line of the file is no line of the page.
            events.push(if event == Event::SoftBreak { Event::Text(" ".into()) } else { event });
            continue;
        }
        match event {
            Event::Start(Tag::Paragraph) => paragraphs += 1,
            Event::End(TagEnd::Paragraph) => {}
            _ => return Err(markup.error(range.start, Problem::NotAllowed { what: "a block of Markdown" })),
        }
        if paragraphs > 1 {
            return Err(markup.error(range.start, Problem::NotAllowed { what: "a second paragraph" }));
        }
    }
    let mut rendered = String::new();
    html::push_html(&mut rendered, events.into_iter());
    Ok(Inline { html: rendered, text })
}
