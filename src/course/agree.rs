//! Content against the run it tells: captions name only who acts in a step and what is touched there.

use super::{ContentError, Diagram, DiagramStep, Problem};
use std::collections::BTreeSet;

/// What happens in one step of a run, as plain words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// Names of those who act, such as `kubelet`.
    pub actors: BTreeSet<String>,
    /// Everything that a caption may set in code font: kinds and names of objects, fields by their path and
    /// by its last part, values, methods, codes, reasons of events, paths.
    pub words: BTreeSet<String>,
}

/// Everything in a diagram's captions that its run does not bear out; empty when they agree.
pub fn disagreements(diagram: &Diagram, told: &[Told]) -> Vec<ContentError> {
    let fail = |line: u32, problem: Problem| ContentError {
        file: format!("diagrams/{}.toml", diagram.slug),
        line,
        problem,
    };
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
    let mut found = Vec::new();
    let actor = marked(&step.caption.html, "strong").into_iter().next().unwrap_or_default();
    if !told.actors.contains(&actor) {
        found.push(Problem::ActorIdle { actor, acting: told.actors.iter().cloned().collect() });
    }
    for code in marked(&step.caption.html, "code") {
        // `status.attached: true` is a field and a value.
        let parts: Vec<&str> = code.split(": ").collect();
        let known = told.words.contains(&code) || parts.iter().all(|p| told.words.contains(*p));
        if !known {
            found.push(Problem::Untold { word: code });
        }
    }
    found
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
