//! The names in a page of prose, each with its line: what stands in code font, and what is spelled like a name.

use super::agree::is_identifier;
use super::origin::Origin;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A name in a page of prose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// Its line in the file, from 1.
    pub line: u32,
    /// As it is written.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In code font.
    Code,
    /// In a sentence, or in what a command prints.
    Plain,
    /// It is a command line of a block.
    Command,
}

/// What a command line in a block begins with.
const PROMPT: &str = "$ ";

/// The names of the Markdown that begins at `start` of a file.
pub(super) fn words(origin: Origin<'_>, text: &str, start: usize) -> Vec<Word> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let line = origin.line(start + range.start);
        let mut add = |line: u32, text: &str, place: Place| {
            found.push(Word { line, text: text.to_owned(), place });
        };
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Code(code) => add(line, &code, Place::Code),
            Event::Text(text) if in_block => {
                for (line, text) in (line..).zip(text.lines()) {
                    match text.strip_prefix(PROMPT) {
                        Some(command) => add(line, command, Place::Command),
                        None => identifiers(text).for_each(|word| add(line, word, Place::Plain)),
                    }
                }
            }
            Event::Text(text) => identifiers(&text).for_each(|word| add(line, word, Place::Plain)),
            _ => {}
        }
    }
    found
}

/// The words of a text that are spelled as names are, or are digests.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    // A name has no hyphen, and a word such as Multi-Attach is none.
    let words = text.split(|c: char| c.is_whitespace() || c == '-').map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.strip_suffix("'s").unwrap_or(word)
    });
    words.filter(|word| is_identifier(word) || is_digest(word))
}

/// Whether a word is the hexadecimal form of a SHA-256.
pub(super) fn is_digest(word: &str) -> bool {
    word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit())
}
