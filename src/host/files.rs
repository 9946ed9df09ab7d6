//! A built site over HTTP: which file answers an address, in which coding, with which headers.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is served below a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    dir: PathBuf,
    prefix: String,
}

/// What to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The HTTP status code.
    pub status: u16,
    /// Header names and values.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes; who answers HEAD leaves them out.
    pub body: Vec<u8>,
}

/// Media types by the ending of a file's name.
const TYPES: [(&str, &str); 12] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("sh", "text/plain; charset=utf-8"),
    ("xml", "application/xml"),
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
];

/// Codings that a build has twins for, the smaller first, with the ending of the twin's name.
const CODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

impl Files {
    /// Serves `dir` below `prefix`, a path that starts and ends with a slash.
    pub fn new(dir: impl Into<PathBuf>, prefix: impl Into<String>) -> Files {
        Files { dir: dir.into(), prefix: prefix.into() }
    }

    /// The folder that is served.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The answer to a request. `accept` is its `Accept-Encoding`.
    pub fn reply(&self, method: &str, url: &str, accept: &str) -> Reply {
        let mut reply = match method {
            "GET" | "HEAD" => self.get(url, accept),
            _ => plain(405, "this site only answers GET and HEAD\n", Some(("Allow", "GET, HEAD".into()))),
        };
        reply.headers.push(("X-Content-Type-Options", "nosniff".into()));
        reply
    }

    fn get(&self, url: &str, accept: &str) -> Reply {
        let (path, query) = url.split_once('?').map_or((url, None), |(p, q)| (p, Some(q)));
        let Some(file) = path.strip_prefix(&self.prefix).and_then(safe).map(|rest| self.dir.join(rest))
        else {
            return self.missing(accept);
        };
        if file.is_dir() {
            if !path.ends_with('/') {
                let query = query.map(|q| format!("?{q}")).unwrap_or_default();
                // A path alone would be read as another host's name if it started with two slashes; `safe` and the
                // prefix rule that out.
                return plain(301, "", Some(("Location", format!("{path}/{query}"))));
            }
            return self.file(200, &file.join("index.html"), accept).unwrap_or_else(|| self.missing(accept));
        }
        if path.ends_with('/') {
            return self.missing(accept);
        }
        self.file(200, &file, accept).unwrap_or_else(|| self.missing(accept))
    }

    fn missing(&self, accept: &str) -> Reply {
        let page = self.file(404, &self.dir.join("404.html"), accept);
        page.unwrap_or_else(|| plain(404, "not found\n", None))
    }

    fn file(&self, status: u16, file: &Path, accept: &str) -> Option<Reply> {
        if !file.is_file() {
            return None;
        }
        let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let media = TYPES.iter().find(|(e, _)| *e == ending).map_or("application/octet-stream", |(_, t)| t);
        let mut headers = vec![("Content-Type", media.to_string()), ("Vary", "Accept-Encoding".into())];
        let cache = if hashed(file) { "public, max-age=31536000, immutable" } else { "no-cache" };
        headers.push(("Cache-Control", cache.into()));
        for (coding, twin) in CODINGS {
            if accepts(accept, coding)
                && let Ok(body) = fs::read(super::compress::beside(file, &format!(".{twin}")))
            {
                headers.push(("Content-Encoding", coding.into()));
                return Some(Reply { status, headers, body });
            }
        }
        Some(Reply { status, headers, body: fs::read(file).ok()? })
    }
}

fn plain(status: u16, text: &str, header: Option<(&'static str, String)>) -> Reply {
    let media = ("Content-Type", "text/plain; charset=utf-8".to_string());
    Reply { status, headers: [media].into_iter().chain(header).collect(), body: text.into() }
}

/// The relative path that an address names, or nothing if it leads out of the folder or to hidden files.
fn safe(path: &str) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let part = decode(part)?;
        if part.starts_with('.') || part.contains(['/', '\\', '\0', ':']) {
            return None;
        }
        out.push(part);
    }
    // `//x` and `x//y` name nothing.
    if path.starts_with('/') || path.contains("//") { None } else { Some(out) }
}

/// Undoes percent-encoding.
fn decode(part: &str) -> Option<String> {
    let mut bytes = part.bytes();
    let mut out = Vec::with_capacity(part.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            out.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

/// Whether the name carries the hash of the bytes, as in `app-0a1b2c3d4e.js`.
fn hashed(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    stem.rsplit_once('-')
        .is_some_and(|(_, h)| h.len() == 10 && h.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

/// Whether an `Accept-Encoding` allows a coding: named, or covered by `*`, and not with weight zero.
fn accepts(header: &str, coding: &str) -> bool {
    let weight = |name: &str| {
        header.split(',').find_map(|item| {
            let mut parts = item.split(';').map(str::trim);
            if !parts.next()?.eq_ignore_ascii_case(name) {
                return None;
            }
            let weight = parts.find_map(|p| p.strip_prefix("q="));
            Some(weight.map_or(1.0, |w| w.parse::<f32>().unwrap_or(0.0)))
        })
    };
    weight(coding).or_else(|| weight("*")).is_some_and(|w| w > 0.0)
}
