//! Pages of prose: paragraphs, headings, lists, quotations, tables and code, rendered with the ids of headings.

use super::markup::{Markup, escape};
use super::predict::predict;
use super::{ContentError, Problem};
use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::ops::Range;

/// Rendered prose.
pub(super) struct Prose {
    /// The HTML.
    pub html: String,
    /// Ids and titles of its `h2`.
    pub headings: Vec<(String, String)>,
    /// Ids of its `h2` and `h3`, all of which can be linked to.
    pub parts: Vec<String>,
    /// Reading time in minutes.
    pub minutes: u32,
}

/// Words that are read in a minute, at the pace of technical prose.
const WORDS_A_MINUTE: usize = 220;

/// Renders a page of Markdown.
pub(super) fn prose(mut markup: Markup<'_>) -> Result<Prose, ContentError> {
    let parsed: Vec<(Event<'_>, Range<usize>)> =
        Parser::new_ext(markup.text, Options::ENABLE_TABLES).into_offset_iter().collect();
    let mut page = Prose { html: String::new(), headings: Vec::new(), parts: Vec::new(), minutes: 1 };
    let mut events = Vec::new();
    let mut in_code = false;
    let mut words = 0;
    let mut rendered = 0;
    let mut cell = Cell::Head;
    for (i, (event, range)) in parsed.iter().enumerate() {
        if let Event::Text(text) | Event::Code(text) = event {
            words += text.split_whitespace().count();
        }
        if range.start < rendered {
            continue;
        }
        if in_code && let Event::Text(_) = event {
            events.push(event.clone());
            continue;
        }
        if let Some(event) = markup.inline(event, range)? {
            events.push(event);
            continue;
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let title = title(parsed.get(i + 1..).unwrap_or_default());
                let id = heading_id(&title);
                if page.parts.contains(&id) {
                    return Err(markup.error(range.start, Problem::DuplicateHeading { id }));
                }
                match level {
                    HeadingLevel::H2 => page.headings.push((id.clone(), title)),
                    HeadingLevel::H3 => {}
                    HeadingLevel::H1 | HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => {
                        return Err(markup.error(range.start, Problem::HeadingLevel));
                    }
                }
                page.parts.push(id.clone());
                let (id, classes, attrs) = (Some(id.into()), Vec::new(), Vec::new());
                events.push(Event::Start(Tag::Heading { level: *level, id, classes, attrs }));
            }
            // What scrolls sideways must be reachable with the keyboard.
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                events.push(Event::Html("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                events.push(Event::Html("</code></pre>\n".into()));
            }
            Event::Start(Tag::Table(columns)) => {
                // Alignment would need a style attribute, which the page's security policy forbids.
                if columns.iter().any(|c| *c != Alignment::None) {
                    let what = "the alignment of a column";
                    return Err(markup.error(range.start, Problem::NotAllowed { what }));
                }
                let label = escape(&columns_of(parsed.get(i + 1..).unwrap_or_default()));
                let open = format!(
                    "<div class=\"table\" role=\"region\" aria-label=\"Table: {label}\" tabindex=\"0\">"
                );
                events.extend([Event::Html(open.into()), event.clone()]);
            }
            Event::Start(Tag::TableHead) => {
                cell = Cell::Head;
                events.push(event.clone());
            }
            Event::Start(Tag::TableRow) => {
                cell = Cell::First;
                events.push(event.clone());
            }
            Event::Start(Tag::TableCell) => events.push(Event::Html(cell.open().into())),
            Event::End(TagEnd::TableCell) => {
                events.push(Event::Html(cell.close().into()));
                cell = cell.next();
            }
            Event::Start(Tag::BlockQuote(_)) => match predict(&mut markup, range)? {
                Some(html) => {
                    rendered = range.end;
                    events.push(Event::Html(html.into()));
                }
                None => events.push(event.clone()),
            },
            Event::End(TagEnd::Table) => events.extend([event.clone(), Event::Html("</div>\n".into())]),
            Event::Start(Tag::Paragraph | Tag::List(_) | Tag::Item) | Event::End(_) => {
                events.push(event.clone())
            }
            _ => return Err(markup.error(range.start, Problem::NotAllowed { what: "this kind of Markdown" })),
        }
    }
    html::push_html(&mut page.html, events.into_iter());
    page.minutes = u32::try_from(words.div_ceil(WORDS_A_MINUTE)).unwrap_or(u32::MAX).max(1);
    Ok(page)
}

/// Which cell of a table is being written.
#[derive(Clone, Copy)]
enum Cell {
    /// One of the head, which names a column.
    Head,
    /// The first of a row, which names it.
    First,
    /// Another one.
    Other,
}

impl Cell {
    fn open(self) -> &'static str {
        match self {
            Cell::Head => "<th scope=\"col\">",
            Cell::First => "<th scope=\"row\">",
            Cell::Other => "<td>",
        }
    }

    fn close(self) -> &'static str {
        match self {
            Cell::Head | Cell::First => "</th>",
            Cell::Other => "</td>",
        }
    }

    /// The cell after this one in its row.
    fn next(self) -> Self {
        match self {
            Cell::Head => Cell::Head,
            Cell::First | Cell::Other => Cell::Other,
        }
    }
}

/// The names of a table's columns, given the events after its start.
fn columns_of(events: &[(Event<'_>, Range<usize>)]) -> String {
    let mut columns: Vec<String> = Vec::new();
    for (event, _) in events {
        match event {
            Event::Start(Tag::TableCell) => columns.push(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(column) = columns.last_mut() {
                    column.push_str(text);
                }
            }
            Event::End(TagEnd::TableHead) => break,
            _ => {}
        }
    }
    columns.join(", ")
}

/// The text of a heading, given the events after its start.
fn title(events: &[(Event<'_>, Range<usize>)]) -> String {
    let mut title = String::new();
    for (event, _) in events {
        match event {
            Event::Text(text) | Event::Code(text) => title.push_str(text),
            Event::End(TagEnd::Heading(_)) => break,
            _ => {}
        }
    }
    title
}

/// The id of a heading: its words in lower case, joined by hyphens.
pub(super) fn heading_id(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}
