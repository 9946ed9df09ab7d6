//! Compressed twins: `.br` and `.gz` beside every file that gets smaller by it.

use super::Error;
use super::prerender::write;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The endings of files that are worth compressing.
const TEXT: [&str; 9] = ["html", "js", "css", "wasm", "svg", "json", "txt", "xml", "sh"];

/// Writes the twins of every file below `dist`.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn compress(dist: &Path) -> Result<(), Error> {
    let mut files = walk(dist)?;
    files.retain(|f| f.extension().and_then(|e| e.to_str()).is_some_and(|e| TEXT.contains(&e)));
    // The largest go first, so that no thread is left with one at the end.
    files.sort_by_key(|f| fs::metadata(f).map_or(0, |m| m.len()));
    let files = Mutex::new(files);
    let next = || files.lock().ok().and_then(|mut files| files.pop());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        let work = || -> Result<(), Error> {
            while let Some(file) = next() {
                twins(&file)?;
            }
            Ok(())
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let died = || Err(Error::Failed("a thread that compresses files ended early".into()));
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| died()))
    })
}

/// Writes the twins of one file.
fn twins(file: &Path) -> Result<(), Error> {
    let bytes = fs::read(file).map_err(Error::file("read", file))?;
    write(&beside(file, ".br"), &brotli(&bytes).map_err(Error::file("compress", file))?)?;
    write(&beside(file, ".gz"), &gzip(&bytes).map_err(Error::file("compress", file))?)
}

/// Brotli at its best, with a window as large as the text needs.
fn brotli(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
    Ok(out)
}

/// Gzip at its best, with no time or name in it.
fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// A file's name with something behind it.
pub(super) fn beside(file: &Path, more: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(more);
    PathBuf::from(name)
}

/// Every file below a folder, in no particular order.
pub(super) fn walk(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(Error::file("read", dir))? {
        let path = entry.map_err(Error::file("read", dir))?.path();
        if path.is_dir() { files.extend(walk(&path)?) } else { files.push(path) }
    }
    Ok(files)
}
