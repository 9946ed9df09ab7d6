//! Questions whose answer the reader predicts before seeing it: a quotation that begins with a question mark.
//!
//! ```text
//! > ? Who writes `attached`?
//! > - kubelet
//! > - the external-attacher
//! > [See step 4](#step-4)
//! > The external-attacher does, after the driver's answer.
//! ```

use super::inline::inline;
use super::markup::Markup;
use super::{ContentError, Problem};
use std::ops::Range;

/// What such a quotation begins with.
const MARK: &str = "> ? ";

/// The fewest answers that leave something to predict.
const ANSWERS: usize = 2;

/// A line of the quotation without its mark, and where it begins in the Markdown.
struct Line<'a> {
    at: usize,
    text: &'a str,
}

/// Renders the quotation at `range`; `Ok(None)` where it asks nothing.
pub(super) fn predict(markup: &mut Markup<'_>, range: &Range<usize>) -> Result<Option<String>, ContentError> {
    let block = markup.text.get(range.clone()).unwrap_or_default();
    if !block.starts_with(MARK) {
        return Ok(None);
    }
    let lines = lines(block, range.start);
    let end = lines.last().map_or(range.start, |line| line.at);
    let mut rest = lines.iter().peekable();
    let mut take = |mark: &str| rest.next_if(|line| line.text.starts_with(mark));

    let question = match take("? ") {
        Some(line) => part(markup, line, 2)?,
        None => return Err(markup.error(range.start, Problem::Predict { lacks: "a question" })),
    };
    let mut answers = Vec::new();
    while let Some(line) = take("- ") {
        answers.push(format!("<li>{}</li>", part(markup, line, 2)?));
    }
    let next = |rest: &mut std::iter::Peekable<std::slice::Iter<'_, Line<'_>>>| {
        rest.peek().map_or(end, |line| line.at)
    };
    if answers.len() < ANSWERS {
        let lacks = "two answers, each after `> - `";
        return Err(markup.error(next(&mut rest), Problem::Predict { lacks }));
    }
    let Some(link) = rest.next_if(|line| line.text.starts_with('[') && line.text.ends_with(')')) else {
        let lacks = "a link to the step, such as `> [See step 3](#step-3)`, before the explanation";
        return Err(markup.error(next(&mut rest), Problem::Predict { lacks }));
    };
    let link = part(markup, link, 0)?;
    let explained = rest.map(|line| part(markup, line, 0)).collect::<Result<Vec<_>, _>>()?;
    if explained.is_empty() {
        return Err(markup.error(end, Problem::Predict { lacks: "an explanation after the link" }));
    }
    Ok(Some(format!(
        "<div class=\"predict\"><p><strong>Predict first.</strong> {question}</p>\n<ul>{}</ul>\n\
         <details><summary>See what happens</summary><p>{link}</p>\n<p>{}</p></details></div>\n",
        answers.concat(),
        explained.join("\n"),
    )))
}

/// The lines of a quotation that begins at `start`.
fn lines(block: &str, start: usize) -> Vec<Line<'_>> {
    let mut at = start;
    let line = |whole: &str| {
        let text = whole.trim_start_matches('>').trim_start();
        let line = (at + whole.len() - text.len(), text.trim_end().len());
        at += whole.len();
        line
    };
    let places: Vec<(usize, usize)> = block.split_inclusive('\n').map(line).collect();
    let text = |(at, length): (usize, usize)| {
        let text = block.get(at - start..at - start + length).unwrap_or_default();
        Line { at, text }
    };
    places.into_iter().map(text).filter(|line| !line.text.is_empty()).collect()
}

/// Renders a line from its byte `from` on.
fn part(markup: &mut Markup<'_>, line: &Line<'_>, from: usize) -> Result<String, ContentError> {
    let piece = Markup {
        origin: markup.origin,
        text: line.text.get(from..).unwrap_or_default(),
        start: markup.start + line.at + from,
        page: markup.page,
        links: &mut *markup.links,
    };
    Ok(inline(piece)?.html)
}
