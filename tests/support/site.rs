//! The built site for tests: built once, again when its sources have changed, and served below a path.

use mountpath::host::files::Files;
use mountpath::host::prerender::Base;
use mountpath::host::{Project, build, serve as server};
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, RwLock};

/// The path that the tests' site is made for and served below.
pub const BASE: &str = "/foo/bar/";

/// This clone, with the target folder that Cargo builds these tests into.
pub fn project() -> Project {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Project { root: root.into(), target: target.into(), content: root.join("content") }
}

/// The folder of the built site.
pub fn site() -> &'static Path {
    static SITE: OnceLock<PathBuf> = OnceLock::new();
    SITE.get_or_init(|| {
        let project = project();
        let (dist, stamp) = (project.target.join("site-test"), project.target.join("site-test.stamp"));
        // Held until this is done, by one test process at a time.
        let lock = File::create(project.target.join("site-test.lock")).unwrap();
        lock.lock().unwrap();
        let now = fingerprint(&project.root);
        if fs::read_to_string(&stamp).is_ok_and(|then| then == now) && dist.join("index.html").is_file() {
            return dist;
        }
        build::build(&project, &dist, &Base::read(BASE).unwrap()).unwrap_or_else(|e| panic!("{e}"));
        fs::write(&stamp, now).unwrap();
        dist
    })
}

/// Serves the site below `BASE` and returns the address of its home page.
pub fn serve() -> String {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| serve_dir(site(), BASE)).clone()
}

/// Serves a folder below a path and returns the address.
pub fn serve_dir(dir: &Path, prefix: &str) -> String {
    let listener = server::bind(0).unwrap();
    let address = listener.local_addr().unwrap();
    server::listen(listener, &Arc::new(RwLock::new(Files::new(dir, prefix)))).unwrap();
    format!("http://{address}{prefix}")
}

/// Every page of the site: its address below the base, such as `diagrams/`, and its HTML.
pub fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    collect(site(), "", &mut pages);
    pages.sort();
    pages
}

fn collect(dir: &Path, prefix: &str, pages: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), pages);
        } else if name == "index.html" {
            pages.push((prefix.to_string(), fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

/// Stands for the state of all sources: names, sizes and times.
fn fingerprint(root: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    for source in mountpath::host::SOURCES {
        hash(&root.join(source), &mut hasher);
    }
    format!("{:x}", hasher.finish())
}

fn hash(path: &Path, hasher: &mut DefaultHasher) {
    let Ok(meta) = fs::metadata(path) else { return };
    if meta.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| hash(entry, hasher));
    } else {
        (path, meta.len(), meta.modified().unwrap()).hash(hasher);
    }
}
