//! Waiting for changes of the files that the site is made of.

use super::{Error, Project};
use notify::{EventKind, RecursiveMode, Watcher};
use std::sync::mpsc;
use std::time::Duration;

/// Folders and files that the site is made of.
pub const SOURCES: [&str; 6] = ["content", "style", "src", "index.html", "Cargo.toml", "Cargo.lock"];

/// How long nothing must change before a change counts as finished.
const QUIET: Duration = Duration::from_millis(150);

/// Calls `changed` after every change, for as long as the files can be watched.
///
/// # Errors
/// When they cannot.
pub(super) fn watch(project: &Project, mut changed: impl FnMut()) -> Result<(), Error> {
    let failed = |e: notify::Error| Error::Failed(format!("cannot watch the files for changes: {e}"));
    let (send, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(send).map_err(failed)?;
    // The root is watched instead of its files, since editors replace a file by another.
    watcher.watch(&project.root, RecursiveMode::NonRecursive).map_err(failed)?;
    for source in SOURCES {
        let path = project.root.join(source);
        if path.is_dir() {
            watcher.watch(&path, RecursiveMode::Recursive).map_err(failed)?;
        }
    }
    let ours = |event: &notify::Result<notify::Event>| {
        event.as_ref().is_ok_and(|event| {
            !matches!(event.kind, EventKind::Access(_))
                && event.paths.iter().any(|p| SOURCES.iter().any(|s| p.starts_with(project.root.join(s))))
        })
    };
    while let Ok(event) = events.recv() {
        if ours(&event) {
            while events.recv_timeout(QUIET).is_ok() {}
            changed();
        }
    }
    Err(Error::Failed("the files are no longer watched: start the server again".into()))
}
