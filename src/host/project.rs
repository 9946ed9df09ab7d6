//! Where the project's files are: its root, and the folder that Cargo builds into.

use super::Error;
use std::env;
use std::path::{Path, PathBuf};

/// A clone of this project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    /// The folder with `Cargo.toml`, absolute.
    pub root: PathBuf,
    /// Cargo's target folder, absolute.
    pub target: PathBuf,
    /// The folder of the content, absolute.
    pub content: PathBuf,
}

impl Project {
    /// The project that the current folder belongs to.
    ///
    /// # Errors
    /// When neither the current folder nor one above it is a clone of this project.
    pub fn find() -> Result<Project, Error> {
        let here = env::current_dir()
            .map_err(|e| Error::Input(format!("the current folder cannot be read: {e}")))?;
        let root = here.ancestors().find(|dir| is_root(dir)).ok_or_else(|| {
            Error::Input(format!(
                "{} is not inside a clone of mountpath: change to one first",
                here.display()
            ))
        })?;
        let target = env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
        Ok(Project {
            root: root.to_path_buf(),
            content: root.join("content"),
            target: target.map_or_else(|| root.join("target"), |dir| here.join(dir)),
        })
    }
}

fn is_root(dir: &Path) -> bool {
    std::fs::read_to_string(dir.join("Cargo.toml"))
        .is_ok_and(|text| text.lines().any(|line| line.trim() == "name = \"mountpath\""))
}
