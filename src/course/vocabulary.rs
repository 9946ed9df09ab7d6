//! Chapters against the model: a chapter names only what a run of the model knows, the glossary explains, a diagram's
//! command shows, or a source of its own vouches for.

use super::words::{Place, Word, is_digest};
use super::{Chapter, ContentError, Problem, Site};
use std::collections::BTreeSet;

/// Stand-ins for names of the reader's own, such as `PV` for the name of a PersistentVolume.
const STAND_INS: [&str; 9] = ["PV", "PVC", "POD", "POD_UID", "NODE", "DRIVER", "HANDLE", "HASH", "NAME"];

/// Everything that the model's runs name: kinds, fields, values, methods, codes, reasons, messages, paths.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: BTreeSet<String>,
    /// Those of several words, and paths, of which a chapter may also quote a part.
    texts: BTreeSet<String>,
}

impl Vocabulary {
    /// From everything that runs of the model name.
    pub fn new(words: BTreeSet<String>) -> Self {
        let texts = words.iter().filter(|word| is_text(word)).cloned().collect();
        Self { words, texts }
    }

    /// Whether a run names this, or says a text of which this is a part, with stand-ins for names.
    fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
            || (is_digest(word) && self.words.iter().any(|known| known.ends_with(word)))
            || (is_text(word) && {
                let pieces = pieces(word);
                self.texts.iter().any(|text| occurs(&pieces, text))
            })
    }
}

/// Every name in the chapters that nothing vouches for, and every word that a source vouches for in vain.
pub fn unknown_words(site: &Site, vocabulary: &Vocabulary) -> Vec<ContentError> {
    let told = site.diagrams.iter().flat_map(|d| d.tellings()).flat_map(|d| &d.steps);
    let commands: BTreeSet<String> =
        told.flat_map(|step| &step.commands).flat_map(|command| heads(&command.run)).collect();
    let known = Known { site, vocabulary, commands };
    site.chapters.iter().flat_map(|chapter| known.problems(chapter)).collect()
}

/// What chapters are held against.
struct Known<'a> {
    site: &'a Site,
    vocabulary: &'a Vocabulary,
    /// What the commands of diagrams begin with, such as `kubectl get`.
    commands: BTreeSet<String>,
}

impl Known<'_> {
    fn problems(&self, chapter: &Chapter) -> Vec<ContentError> {
        let file = format!("chapters/{}.md", chapter.slug);
        let fail = |line: u32, problem: Problem| ContentError { file: file.clone(), line, problem };
        let unknown = chapter.words.iter().filter(|word| !self.vouched(word, chapter));
        let unknown = unknown.map(|word| fail(word.line, Problem::UnknownWord { word: word.text.clone() }));
        let unused = chapter.outside.iter().filter(|(word, _)| !used(word, chapter));
        let unused = unused.map(|(word, line)| fail(*line, Problem::UnusedWord { word: word.clone() }));
        unknown.chain(unused).collect()
    }

    /// Whether anything vouches for a word.
    fn vouched(&self, word: &Word, chapter: &Chapter) -> bool {
        let outside = |text: &str| chapter.outside.iter().any(|(word, _)| word == text);
        let knows = |text: &str| {
            STAND_INS.contains(&text)
                || outside(text)
                || self.site.glossary.term(text).is_some()
                || self.vocabulary.knows(text)
        };
        let runs = |line: &str| {
            line.split(PIPE).all(|part| {
                let [program, verb] = heads(part);
                outside(&program) || outside(&verb) || self.commands.contains(&verb)
            })
        };
        match word.place {
            Place::Code => knows(&word.text) || runs(&word.text),
            Place::Command => runs(&word.text),
            Place::Plain => knows(&word.text) || word.text.strip_suffix('s').is_some_and(knows),
        }
    }
}

/// Whether a chapter uses a word that a source vouches for.
fn used(word: &str, chapter: &Chapter) -> bool {
    chapter.words.iter().any(|said| {
        let runs = || said.text.split(PIPE).any(|part| heads(part).iter().any(|head| head == word));
        said.text == word
            || match said.place {
                Place::Plain => said.text.strip_suffix('s') == Some(word),
                Place::Code | Place::Command => runs(),
            }
    })
}

/// What stands between two commands of one line.
const PIPE: &str = " | ";

/// What a command line begins with: the program, and the program with its verb.
fn heads(line: &str) -> [String; 2] {
    let mut words = line.split_whitespace();
    let program = words.next().unwrap_or_default().to_owned();
    let verb = words.next().map_or(program.clone(), |verb| format!("{program} {verb}"));
    [program, verb]
}

/// Whether this is more than one word, or a path.
fn is_text(word: &str) -> bool {
    word.contains([' ', '/'])
}

/// What stands between the stand-ins of a text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut piece, mut word) = (0, 0);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if joins(c) {
            continue;
        }
        if text.get(word..at).is_some_and(|w| STAND_INS.contains(&w)) {
            pieces.extend(text.get(piece..word));
            piece = at;
        }
        word = at + c.len_utf8();
    }
    pieces.extend(text.get(piece..));
    pieces
}

/// Whether the pieces stand in a text in this order, from the start of a word to the end of one, with a name in each
/// gap.
fn occurs(pieces: &[&str], text: &str) -> bool {
    let Some((first, rest)) = pieces.split_first() else { return false };
    text.match_indices(first).any(|(start, _)| {
        let follow = |end: usize, piece: &&str| {
            let after = text.get(end..)?;
            let gap = after.find(|c: char| c.is_whitespace() || c == '/' || c == '"').unwrap_or(after.len());
            let at = if piece.is_empty() { Some(gap) } else { after.find(*piece) };
            at.filter(|at| (1..=gap).contains(at)).map(|at| end + at + piece.len())
        };
        let end = rest.iter().try_fold(start + first.len(), follow);
        let before = text.get(..start).and_then(|t| t.chars().next_back());
        let after = |end: usize| text.get(end..).and_then(|t| t.chars().next());
        !before.is_some_and(|c| joins(c) && first.starts_with(joins))
            && end.is_some_and(|end| !after(end).is_some_and(joins))
    })
}

/// Whether a character belongs to the word beside it.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
