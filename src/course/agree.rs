//! Content against the run it tells: captions name only who acts in a step and what is touched there.

use super::{ContentError, Diagram, DiagramStep, Problem};
use std::collections::BTreeSet;

/// What happens in one step of a run, as plain words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// Names of those who act, such as `kubelet`.
    pub actors: BTreeSet<String>,
    /// Everything that a caption may set in code font: kinds and names of objects, fields by their path and
    /// by its last part, also with their value as in `status.attached: true`, values, methods, codes, reasons of
    /// events, paths.
    pub words: BTreeSet<String>,
}

/// Everything in a diagram's captions that its run does not bear out; empty when they agree.
pub fn disagreements(diagram: &Diagram, told: &[Told]) -> Vec<ContentError> {
    let fail = |line: u32, problem: Problem| ContentError { file: diagram.file(), line, problem };
    let mut found = Vec::new();
    let (content, run) = (diagram.steps.len(), told.len());
    if content != run {
        let line = diagram.steps.last().map_or(1, |s| s.line);
        found.push(fail(line, Problem::StepCount { content, run }));
    }
    for (step, told) in diagram.steps.iter().zip(told) {
        found.extend(problems(step, told).into_iter().map(|p| fail(step.line, p)));
    }
    found
}

/// What a step's caption says that does not happen in it.
fn problems(step: &DiagramStep, told: &Told) -> Vec<Problem> {
    let html = &step.caption.html;
    let actors = marked(html, "strong").into_iter().filter(|actor| !told.actors.contains(actor));
    let idle =
        actors.map(|actor| Problem::ActorIdle { actor, acting: told.actors.iter().cloned().collect() });
    let untold = marked(html, "code").into_iter().filter(|code| !told.words.contains(code));
    let plain = plain(html);
    let words = plain.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let bare = words.filter(|word| is_identifier(word));
    let untold = untold.map(|word| Problem::Untold { word });
    idle.chain(untold).chain(bare.map(|word| Problem::Bare { word: word.to_owned() })).collect()
}

/// What stands outside `code` and beside the actors, where a name would escape the check.
fn plain(html: &str) -> String {
    ["code", "strong"].iter().fold(html.to_owned(), |html, tag| {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let outside = |part: &str| part.rsplit(&close).next().unwrap_or_default().to_owned();
        html.split(&open).map(outside).collect::<Vec<_>>().join(" ")
    })
}

/// Whether a word is spelled as identifiers of Kubernetes and CSI are: `volumesInUse`, `CSINode`, `status.attached`,
/// `NOT_FOUND`; not `PVs` or `e.g.`.
pub(super) fn is_identifier(word: &str) -> bool {
    let shape: Vec<char> = word.chars().map(|c| if c.is_uppercase() { 'A' } else { 'a' }).collect();
    let humps =
        shape.windows(3).any(|w| w == ['a', 'A', 'a']) || shape.windows(4).any(|w| w == ['A', 'A', 'a', 'a']);
    let parts = || word.split(['.', '_']);
    let letters = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count();
    humps || (parts().count() > 1 && parts().all(|part| letters(part) > 2))
}

/// The texts between an opening and a closing tag in rendered inline Markdown.
fn marked(html: &str, tag: &str) -> Vec<String> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let texts = html.split(open.as_str()).skip(1).filter_map(|rest| rest.split(close.as_str()).next());
    texts.map(unescape).collect()
}

/// The text that HTML stands for.
fn unescape(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
