//! The page around every page: Trunk's `index.html` with its places for title, description, style and body.

use super::{Error, links};
use sha2::{Digest, Sha256};

/// The frame of a page. A finished home page is one too: whatever stands in its places is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shell {
    html: String,
}

/// What goes into a shell. All but `body` is plain text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Content<'a> {
    /// Of the page, for tabs and search results.
    pub title: &'a str,
    /// One sentence, for search results.
    pub description: &'a str,
    /// The style sheet.
    pub style: &'a str,
    /// What stands inside `<body>`, as HTML.
    pub body: &'a str,
}

/// The places of a shell: what stands before and after each.
const ROOT: (&str, &str) = ("data-root=\"", "\"");
const POLICY: (&str, &str) = ("<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">");
const TITLE: (&str, &str) = ("<title>", "</title>");
const DESCRIPTION: (&str, &str) = ("<meta name=\"description\" content=\"", "\">");
const STYLE: (&str, &str) = ("<style>", "</style>");
const BODY: (&str, &str) = ("<body>", "</body>");

impl Shell {
    /// Reads the frame out of Trunk's `index.html` or of a finished home page.
    ///
    /// # Errors
    /// When one of the places is missing.
    pub fn read(html: &str) -> Result<Shell, Error> {
        let mut html = html.replace("=\"./", "=\"/");
        for place in [POLICY, TITLE, DESCRIPTION, STYLE, BODY] {
            html = fill(&html, place, "")?;
        }
        Ok(Shell { html: fill(&html, ROOT, "/")? })
    }

    /// Lets the shell name a file by another name.
    pub fn rename(&mut self, from: &str, to: &str) {
        self.html = self.html.replace(&format!("\"/{from}\""), &format!("\"/{to}\""));
    }

    /// The files that the shell refers to, such as its scripts and the icon.
    pub fn files(&self) -> Vec<&str> {
        let values = self.html.split("=\"/").skip(1).filter_map(|tail| tail.split('"').next());
        values.filter(|file| !file.is_empty()).collect()
    }

    /// A whole page whose addresses start with `root`, such as `../../` or `/sub/path/`.
    ///
    /// # Errors
    /// None that `read` lets through.
    pub fn page(&self, content: &Content<'_>, root: &str) -> Result<String, Error> {
        let mut html = fill(&self.html, POLICY, &policy(content.style))?;
        html = fill(&html, TITLE, &escape(content.title))?;
        html = fill(&html, DESCRIPTION, &escape(content.description))?;
        html = fill(&html, STYLE, content.style)?;
        Ok(links::rebase(&fill(&html, BODY, content.body)?, root))
    }
}

/// What a page may load and run: this site's own files, its own style sheet, and WebAssembly.
pub fn policy(style: &str) -> String {
    let hash = data_encoding::BASE64.encode(&Sha256::digest(style.as_bytes()));
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'sha256-{hash}'; \
         img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Replaces what stands between the first `before` and the next (for the body: the last) `after`.
fn fill(html: &str, (before, after): (&str, &str), new: &str) -> Result<String, Error> {
    let missing = || Error::Input(format!("index.html has no place `{before}…{after}`: put it back"));
    let (head, rest) = html.split_once(before).ok_or_else(missing)?;
    let parts = if after == BODY.1 { rest.rsplit_once(after) } else { rest.split_once(after) };
    let (_, tail) = parts.ok_or_else(missing)?;
    Ok(format!("{head}{before}{new}{after}{tail}"))
}

/// Plain text as HTML text or as the value of an attribute in double quotes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
