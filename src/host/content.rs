//! The files of `content/`, read and handed to the room that understands them.

use super::{Error, Project};
use crate::course::Site;
use std::fs;
use std::path::Path;

/// All content.
///
/// # Errors
/// When a file cannot be read or says something wrong; names the file and the line.
pub fn load(project: &Project) -> Result<Site, Error> {
    let mut files = Vec::new();
    if project.content.exists() {
        collect(&project.content, "", &mut files)?;
    }
    crate::course::load(&files).map_err(|e| Error::Input(e.to_string()))
}

/// The text files below a folder, in the order of their paths, which are relative and have `/` on every system.
fn collect(dir: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> Result<(), Error> {
    let entries = fs::read_dir(dir).map_err(Error::file("read", dir))?;
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else if name.ends_with(".md") || name.ends_with(".toml") {
            files.push((name, fs::read_to_string(&path).map_err(Error::file("read", &path))?));
        }
    }
    Ok(())
}
