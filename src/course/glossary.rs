//! The glossary: what the words of captions and chapters mean, each with a source and with words that belong to it.

use super::diagram::{Reader, Text, toml};
use super::links::Link;
use super::origin::Origin;
use super::prose::heading_id;
use super::{ContentError, Inline, Problem};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The glossary's address.
pub(super) const ADDRESS: &str = "/glossary/";

/// `content/glossary.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Glossary {
    /// The terms, in the order of the alphabet, whatever their case.
    pub terms: Vec<Term>,
}

/// A term with what it means.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Term {
    /// Its part of the page, such as `multi-attach-error` in `/glossary/#multi-attach-error`.
    pub id: String,
    /// As captions spell it, such as `Multi-Attach error`.
    pub name: String,
    /// Other words for it, such as `PVC`.
    pub aliases: Vec<String>,
    /// One sentence or two.
    pub meaning: Inline,
    /// Ids of terms that belong to it.
    pub see: Vec<String>,
    /// A path in kubernetes/kubernetes or a sidecar's repository, or a section of the CSI specification.
    pub place: String,
    /// The place's address.
    pub url: String,
}

impl Glossary {
    /// The term for a word as it stands in a text: its name or another word for it, in the same spelling.
    pub fn term(&self, word: &str) -> Option<&Term> {
        self.terms.iter().find(|t| t.name == word || t.aliases.iter().any(|a| a == word))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGlossary {
    terms: Vec<RawTerm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTerm {
    name: Text,
    #[serde(default)]
    aliases: Vec<Text>,
    meaning: Text,
    #[serde(default)]
    see: Vec<Text>,
    source: RawPlace,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlace {
    place: Text,
    url: Text,
}

/// Reads `content/glossary.toml`.
pub(super) fn read(origin: Origin<'_>, links: &mut Vec<Link>) -> Result<Glossary, ContentError> {
    let raw: RawGlossary = toml(origin, 0, origin.text)?;
    let mut words = Words { origin, taken: BTreeSet::new(), ids: BTreeMap::new() };
    for term in &raw.terms {
        words.add(term)?;
    }
    let ids = words.ids;
    let mut reader = Reader { origin, start: 0, page: ADDRESS, links };
    let read = raw.terms.into_iter().map(|t| term(&mut reader, &ids, t));
    let mut terms = read.collect::<Result<Vec<_>, _>>()?;
    terms.sort_by_key(|t| t.name.to_lowercase());
    Ok(Glossary { terms })
}

/// A term, given the ids of all of them by their names.
fn term(reader: &mut Reader<'_>, ids: &BTreeMap<String, String>, raw: RawTerm) -> Result<Term, ContentError> {
    let origin = reader.origin;
    let error = |at: &Text, problem: Problem| origin.error(at.span().start, problem);
    let known = |name: &Text| {
        let id = ids.get(name.get_ref()).cloned();
        id.ok_or_else(|| error(name, Problem::NoTerm { name: name.get_ref().clone() }))
    };
    let see = raw.see.iter().map(known).collect::<Result<Vec<_>, _>>()?;
    if !raw.source.url.get_ref().starts_with("https://") {
        return Err(error(&raw.source.url, Problem::LinkForm { to: raw.source.url.get_ref().clone() }));
    }
    let plain = |text: Text| reader.plain("aliases", text);
    let aliases = raw.aliases.into_iter().map(plain).collect::<Result<Vec<_>, _>>()?;
    Ok(Term {
        id: heading_id(raw.name.get_ref()),
        aliases,
        meaning: reader.inline("meaning", &raw.meaning)?,
        see,
        place: reader.plain("place", raw.source.place)?,
        url: raw.source.url.into_inner(),
        name: raw.name.into_inner(),
    })
}

/// The words that have a meaning so far.
struct Words<'a> {
    origin: Origin<'a>,
    /// Names and other words for them.
    taken: BTreeSet<String>,
    /// The id of each name.
    ids: BTreeMap<String, String>,
}

impl Words<'_> {
    /// Takes a term's words, and refuses one that has a meaning already.
    fn add(&mut self, term: &RawTerm) -> Result<(), ContentError> {
        let name = term.name.get_ref();
        let id = heading_id(name);
        let error = |at: &Text, problem: Problem| self.origin.error(at.span().start, problem);
        if id.is_empty() {
            return Err(error(&term.name, Problem::Empty { key: "name" }));
        }
        for text in std::iter::once(&term.name).chain(&term.aliases) {
            if !self.taken.insert(text.get_ref().clone()) {
                return Err(error(text, Problem::SameTerm { word: text.get_ref().clone() }));
            }
        }
        if self.ids.values().any(|other| *other == id) {
            return Err(error(&term.name, Problem::SameTerm { word: name.clone() }));
        }
        self.ids.insert(name.clone(), id);
        Ok(())
    }
}
