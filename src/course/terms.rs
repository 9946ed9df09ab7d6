//! Links from texts to the glossary: the first time that a page uses a term, the term leads to its meaning.

use super::Glossary;
use std::collections::BTreeSet;

/// Puts links to the glossary into the texts of one page.
pub struct Terms<'a> {
    /// Every word for every term with the term's id, the longest first.
    words: Vec<(&'a str, &'a str)>,
    /// Terms that the page has linked already.
    used: BTreeSet<&'a str>,
}

impl<'a> Terms<'a> {
    /// The terms for the texts of one page.
    pub fn new(glossary: &'a Glossary) -> Self {
        let words = |term: &'a super::Term| {
            std::iter::once(&term.name).chain(&term.aliases).map(|word| (word.as_str(), term.id.as_str()))
        };
        let mut words: Vec<_> = glossary.terms.iter().flat_map(words).collect();
        words.sort_by_key(|(word, _)| (std::cmp::Reverse(word.len()), *word));
        Self { words, used: BTreeSet::new() }
    }

    /// Inline HTML with the first use of each term linked. What is a link already stays as it is.
    pub fn link(&mut self, html: &str) -> String {
        let mut out = String::with_capacity(html.len() * 2);
        let (mut rest, mut linked) = (html, false);
        while !rest.is_empty() {
            if let Some(end) = rest.strip_prefix('<').and_then(|tag| tag.find('>')) {
                let (tag, after) = rest.split_at(end + 2);
                if tag == "<code>"
                    && !linked
                    && let Some((code, tail)) = after.split_once("</code>")
                {
                    let whole = format!("<code>{code}</code>");
                    out.push_str(&self.word(code).map_or(whole.clone(), |id| anchor(id, &whole)));
                    rest = tail;
                    continue;
                }
                linked = tag.starts_with("<a ") || (linked && tag != "</a>");
                out.push_str(tag);
                rest = after;
            } else {
                let end =
                    rest.char_indices().skip(1).find(|(_, c)| *c == '<').map_or(rest.len(), |(at, _)| at);
                let (text, after) = rest.split_at(end);
                if linked {
                    out.push_str(text)
                } else {
                    self.text(text, &mut out)
                }
                rest = after;
            }
        }
        out
    }

    /// The id of the term that is just this word, the first time it is asked for.
    fn word(&mut self, word: &str) -> Option<&'a str> {
        let (_, id) = *self.words.iter().find(|(w, _)| *w == word)?;
        self.used.insert(id).then_some(id)
    }

    /// Text without tags: each term that stands in it as a whole word.
    fn text(&mut self, text: &str, out: &mut String) {
        let mut before = ' ';
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let starts = !joins(before) && !joins_only_inside(before);
            let found = self.words.iter().find(|(word, id)| {
                starts
                    && !self.used.contains(id)
                    && rest.strip_prefix(word).is_some_and(|after| !after.starts_with(joins))
            });
            if let Some(&(word, id)) = found {
                self.used.insert(id);
                out.push_str(&anchor(id, word));
                before = 'a';
                rest = rest.strip_prefix(word).unwrap_or_default();
            } else {
                out.push(first);
                before = first;
                rest = rest.strip_prefix(first).unwrap_or_default();
            }
        }
    }
}

fn anchor(id: &str, inner: &str) -> String {
    format!("<a class=\"term\" href=\"/glossary/#{id}\">{inner}</a>")
}

/// Whether a character belongs to the word beside it.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-' || c == '&'
}

/// A character that belongs to the word after it, but may end a sentence.
fn joins_only_inside(c: char) -> bool {
    c == '.' || c == '/'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Term;

    fn glossary() -> Glossary {
        let term = |name: &str, aliases: &[&str], id: &str| Term {
            id: id.into(),
            name: name.into(),
            aliases: aliases.iter().map(|a| (*a).to_owned()).collect(),
            ..Term::default()
        };
        Glossary {
            terms: vec![
                term("volume", &[], "volume"),
                term("unique volume name", &[], "unique"),
                term("VolumeAttachment", &["VA"], "va"),
            ],
        }
    }

    #[test]
    fn the_first_use_of_a_term_leads_to_its_meaning() {
        for (what, html, linked) in [
            ("a word", "A volume is.", "A <a class=\"term\" href=\"/glossary/#volume\">volume</a> is."),
            (
                "the longest term",
                "the unique volume name",
                "the <a class=\"term\" href=\"/glossary/#unique\">unique volume name</a>",
            ),
            (
                "code",
                "<code>VolumeAttachment</code>",
                "<a class=\"term\" href=\"/glossary/#va\"><code>VolumeAttachment</code></a>",
            ),
            ("only once", "VA, VA", "<a class=\"term\" href=\"/glossary/#va\">VA</a>, VA"),
            ("no part of a word", "volumes, VAT, a-volume", "volumes, VAT, a-volume"),
            ("no part of a path", "/volume/x", "/volume/x"),
            ("no link within a link", "<a href=\"x\">a volume</a>", "<a href=\"x\">a volume</a>"),
            ("nothing else", "1 &lt; 2 <em>é</em> <code>x</code>", "1 &lt; 2 <em>é</em> <code>x</code>"),
        ] {
            assert_eq!(Terms::new(&glossary()).link(html), linked, "{what}");
        }
    }
}
