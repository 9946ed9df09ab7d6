//! The site's one style sheet: the files of `style/`, put together and squeezed.

use super::Error;
use std::fs;
use std::path::Path;

/// The style sheet of every page: `tokens.css` first, then the other files of `style/` by name.
///
/// # Errors
/// When a file cannot be read.
pub fn sheet(root: &Path) -> Result<String, Error> {
    let dir = root.join("style");
    let entries = fs::read_dir(&dir).map_err(Error::file("read", &dir))?;
    let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "css"));
    files.sort_by_key(|path| (!path.ends_with("tokens.css"), path.clone()));
    let mut css = String::new();
    for path in files {
        css.push_str(&fs::read_to_string(&path).map_err(Error::file("read", &path))?);
        css.push('\n');
    }
    Ok(squeeze(&css))
}

/// The style sheet of what is not seen first: a file beside the pages.
///
/// # Errors
/// When it cannot be read.
pub fn late(root: &Path) -> Result<String, Error> {
    let path = root.join("style/late/late.css");
    Ok(squeeze(&fs::read_to_string(&path).map_err(Error::file("read", &path))?))
}

/// The style sheet of a picture that stands alone: the colours, and what `stage.css` does with them.
///
/// # Errors
/// When a file cannot be read.
pub fn picture(root: &Path) -> Result<String, Error> {
    let read = |name: &str| {
        let path = root.join("style").join(name);
        fs::read_to_string(&path).map_err(Error::file("read", &path))
    };
    Ok(squeeze(&format!("{}\n{}", read("tokens.css")?, read("stage.css")?)))
}

/// Takes comments and needless white space out of a style sheet; strings and everything else stay as they are.
pub fn squeeze(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut chars = css.chars().peekable();
    let mut gap = false;
    while let Some(c) = chars.next() {
        if c == '/' && chars.peek() == Some(&'*') {
            chars.next();
            let mut last = ' ';
            for c in chars.by_ref() {
                if last == '*' && c == '/' {
                    break;
                }
                last = c;
            }
            gap = true;
        } else if c.is_whitespace() {
            gap = true;
        } else {
            // A space before `:` may be a descendant selector, one after it never is; around `{`, `}`, `;` and
            // after `,` none has a meaning. Those around `+`, `-` and `(` may.
            let before = out.chars().next_back();
            if gap
                && !matches!(before, None | Some('{' | '}' | ';' | ',' | ':'))
                && !matches!(c, '{' | '}' | ';' | ',')
            {
                out.push(' ');
            }
            gap = false;
            if c == '}' && out.ends_with(';') {
                out.pop();
            }
            out.push(c);
            if c == '"' || c == '\'' {
                let mut escaped = false;
                for s in chars.by_ref() {
                    out.push(s);
                    if s == c && !escaped {
                        break;
                    }
                    escaped = s == '\\' && !escaped;
                }
            }
        }
    }
    out
}
