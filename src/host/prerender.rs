//! Every page of the site, written whole into a folder that holds the built program.

use super::shell::{Content, Shell};
use super::{Error, Project, content, links, style};
use crate::view;
use std::fs;
use std::path::{Path, PathBuf};

/// The path that the site is put under, such as `/` or `/sub/path/`. Only the page for addresses that do not
/// exist needs it, since that one is shown at any depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base(String);

impl Default for Base {
    fn default() -> Base {
        Base("/".into())
    }
}

impl Base {
    /// Reads what `--base` was given.
    ///
    /// # Errors
    /// When it is no path that starts with a slash.
    pub fn read(text: &str) -> Result<Base, Error> {
        let safe = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
        if !text.starts_with('/') || text.contains("//") || !text.chars().all(safe) {
            return Err(Error::Usage(format!("--base {text}: give a path such as /sub/path/")));
        }
        Ok(Base(format!("{}/", text.trim_end_matches('/'))))
    }
}

/// Writes every page and picture into `dist`, framed by `shell`. Returns the number of pages.
///
/// # Errors
/// When the content is wrong or a file cannot be written.
pub fn prerender(project: &Project, shell: &Shell, dist: &Path, base: &Base) -> Result<usize, Error> {
    let site = content::load(project)?;
    let sheet = style::sheet(&project.root)?;
    let picture = style::picture(&project.root)?;
    let late = style::late(&project.root)?;
    let late_name = format!("/late-{}.css", view::short_hash(late.as_bytes()));
    let (pages, mut assets) = view::pages(&site, &picture).map_err(|e| Error::Failed(e.to_string()))?;
    // All pages exist before the first is written, so that wrong content leaves a build as it was.
    let mut files = Vec::new();
    for page in &pages {
        let (file, root) = if page.path == "/404.html" {
            ("404.html".into(), base.0.clone())
        } else {
            (format!("{}index.html", page.path.trim_start_matches('/')), links::root(&page.path))
        };
        let body = page.body.replace(view::LATE, &late_name);
        let content =
            Content { title: &page.title, description: &page.description, style: &sheet, body: &body };
        files.push((inside(dist, &file)?, shell.page(&content, &root)?.into_bytes()));
    }
    assets.push(view::Asset { path: late_name, bytes: late.into_bytes() });
    for asset in assets {
        files.push((inside(dist, asset.path.trim_start_matches('/'))?, asset.bytes));
    }
    for (path, bytes) in &files {
        write(path, bytes)?;
    }
    Ok(pages.len())
}

/// A file's place below `dist`.
fn inside(dist: &Path, file: &str) -> Result<PathBuf, Error> {
    let whole = file.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if whole {
        Ok(dist.join(file))
    } else {
        Err(Error::Failed(format!(
            "a page wants to be written to {file}: paths end in a slash or a file's name"
        )))
    }
}

/// Writes a file, making its folder.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(Error::file("create", dir))?;
    }
    fs::write(path, bytes).map_err(Error::file("write", path))
}
