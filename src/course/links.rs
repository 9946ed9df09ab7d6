//! Links: every one of them leads to a page that exists, and to a part that the page has.

use super::{ContentError, Problem};
use std::collections::BTreeMap;

/// A link in the content.
pub(super) struct Link {
    /// The file it stands in, below `content/`.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// The address of the page it stands on.
    pub page: String,
    /// Where it leads, as written.
    pub to: String,
}

/// What can be linked to on a page.
#[derive(Default)]
pub(super) struct Page {
    /// Ids of its headings.
    pub parts: Vec<String>,
    /// The number of its diagram's steps; 0 without a diagram.
    pub steps: usize,
}

/// Checks every link against the pages, which are known by their addresses.
pub(super) fn check(links: &[Link], pages: &BTreeMap<String, Page>) -> Result<(), ContentError> {
    for link in links {
        if let Some(problem) = problem(link, pages) {
            return Err(ContentError { file: link.file.clone(), line: link.line, problem });
        }
    }
    Ok(())
}

/// What a link may ask of a diagram's page beside a step.
const VIEWS: [&str; 3] = ["view=map", "view=sequence", "view=objects"];

/// What is wrong with a link, if anything.
fn problem(link: &Link, pages: &BTreeMap<String, Page>) -> Option<Problem> {
    let to = link.to.clone();
    if to.strip_prefix("https://").is_some_and(|rest| !rest.is_empty()) {
        return None;
    }
    if !(to.starts_with('#') || to.starts_with('/')) || to.starts_with("//") {
        return Some(Problem::LinkForm { to });
    }
    let (address, part) = to.split_once('#').map_or((to.as_str(), None), |(a, p)| (a, Some(p)));
    let (page, query) = address.split_once('?').map_or((address, None), |(a, q)| (a, Some(q)));
    let Some(page) = pages.get(if page.is_empty() { link.page.as_str() } else { page }) else {
        return Some(Problem::NoPage { to });
    };
    let steps = page.steps;
    let viewed = |query: &str| steps > 0 && VIEWS.contains(&query);
    let step = query
        .filter(|q| !viewed(q))
        .map(|q| q.strip_prefix("step="))
        .or(part.map(|p| p.strip_prefix("step-")).filter(Option::is_some));
    match (step, part) {
        (Some(step), _) => {
            let known = step.and_then(|n| n.parse::<usize>().ok()).is_some_and(|n| (1..=steps).contains(&n));
            (!known).then_some(Problem::NoStep { to, steps })
        }
        (None, Some(part)) => (!page.parts.iter().any(|p| p == part)).then_some(Problem::NoPart { to }),
        (None, None) => None,
    }
}
