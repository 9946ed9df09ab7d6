//! The tools that the build needs, each at its exact version, built once into a cache that every clone shares.

use super::run::{cargo, output, run};
use super::{Error, Project};
use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of the page's program.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The Trunk that `index.html` and `Cargo.toml` are written for; a newer one needs a newer Rust.
const TRUNK: &str = "0.21.14";

/// The tools, ready to run.
#[derive(Clone, Debug)]
pub struct Tools {
    /// `trunk`.
    pub trunk: PathBuf,
    /// `wasm-bindgen`, of the version in `Cargo.lock`.
    pub bindgen: PathBuf,
}

impl Tools {
    /// Finds every tool, and builds those that are missing.
    ///
    /// # Errors
    /// When one is missing and cannot be had, with what to do.
    pub fn ready(project: &Project) -> Result<Tools, Error> {
        let cache = cache()?;
        fs::create_dir_all(&cache).map_err(Error::file("create", &cache))?;
        target(&cache)?;
        let path = project.root.join("Cargo.lock");
        let lock = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
        let version = locked(&lock, "wasm-bindgen").ok_or_else(|| {
            Error::Input("Cargo.lock names no wasm-bindgen: run `cargo generate-lockfile`".into())
        })?;
        Ok(Tools {
            bindgen: tool(&cache, "wasm-bindgen", "wasm-bindgen-cli", version, &[])?,
            trunk: tool(&cache, "trunk", "trunk", TRUNK, &["--no-default-features", "--features", "rustls"])?,
        })
    }

    /// The search path with these tools first, for a program that looks for them there.
    pub fn path(&self) -> OsString {
        let ours = [&self.bindgen, &self.trunk].into_iter().filter_map(|p| p.parent().map(Path::to_path_buf));
        let theirs = env::var_os("PATH").unwrap_or_default();
        env::join_paths(ours.chain(env::split_paths(&theirs))).unwrap_or(theirs)
    }
}

/// The folder of the tools: `$MOUNTPATH_TOOLS`, or one in the user's cache folder.
fn cache() -> Result<PathBuf, Error> {
    let var = |name| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let user = || {
        if cfg!(windows) {
            var("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            var("HOME").map(|home| home.join("Library/Caches"))
        } else {
            var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|home| home.join(".cache")))
        }
    };
    let dir = var("MOUNTPATH_TOOLS").or_else(|| user().map(|dir| dir.join("mountpath").join("tools")));
    let dir = dir.ok_or_else(|| {
        Error::Failed("no home folder to keep the tools in: set MOUNTPATH_TOOLS to a folder for them".into())
    })?;
    std::path::absolute(&dir).map_err(Error::file("resolve", &dir))
}

/// The standard library of the wasm target, without which nothing compiles for the browser.
fn target(cache: &Path) -> Result<(), Error> {
    let missing = || {
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", WASM]))
            .is_none_or(|dir| !Path::new(&dir).exists())
    };
    if !missing() {
        return Ok(());
    }
    let _lock = hold(&cache.join("rustup.lock"))?;
    if !missing() {
        return Ok(());
    }
    eprintln!("mountpath: this Rust cannot compile for the browser yet: adding {WASM} (some seconds, once)");
    run(Command::new("rustup").args(["target", "add", WASM])).map_err(|e| {
        Error::Failed(format!("{e}: install the standard library of {WASM} for this Rust, with rustup from https://rustup.rs or from where Rust came"))
    })
}

/// A tool's program: from the search path or the cache when the version is exact, else built into the cache.
fn tool(cache: &Path, bin: &str, package: &str, version: &str, more: &[&str]) -> Result<PathBuf, Error> {
    let home = cache.join(format!("{bin}-{version}"));
    let cached = home.join("bin").join(format!("{bin}{}", env::consts::EXE_SUFFIX));
    let is = |program: &Path| {
        output(Command::new(program).arg("--version")).is_some_and(|said| says(&said, version))
    };
    if is(&cached) {
        return Ok(cached);
    }
    let paths = env::var_os("PATH").unwrap_or_default();
    let name = format!("{bin}{}", env::consts::EXE_SUFFIX);
    if let Some(found) = env::split_paths(&paths).map(|dir| dir.join(&name)).find(|p| p.is_file() && is(p)) {
        return Ok(found);
    }
    let _lock = hold(&cache.join(format!("{bin}-{version}.lock")))?;
    if is(&cached) {
        return Ok(cached);
    }
    eprintln!(
        "mountpath: {bin} {version} is missing: building it into {} (some minutes, once)",
        home.display()
    );
    // What an interrupted build has compiled stays in `work`, and the tool appears under its name whole.
    let work = cache.join(format!("{bin}-{version}.part"));
    let root = work.join("root");
    remove(&root)?;
    fs::create_dir_all(&work).map_err(Error::file("create", &work))?;
    let mut install = cargo();
    install.args(["install", &format!("{package}@{version}"), "--locked", "--root"]).arg(&root).args(more);
    install.current_dir(&work).env("CARGO_TARGET_DIR", work.join("target"));
    // The tools' own release profiles take twice as long to build and gain nothing here.
    install.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    // They are no part of whatever build is asking for them.
    for name in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "RUSTC_WRAPPER",
    ] {
        install.env_remove(name);
    }
    run(&mut install).map_err(|e| {
        Error::Failed(format!(
            "{bin} {version} could not be built: {e}; the same command goes on where this one stopped"
        ))
    })?;
    remove(&home)?;
    fs::rename(&root, &home).map_err(Error::file("move", &root))?;
    remove(&work)?;
    if is(&cached) {
        Ok(cached)
    } else {
        Err(Error::Failed(format!(
            "{} does not run: remove {} and try again",
            cached.display(),
            home.display()
        )))
    }
}

/// Waits for a lock, and holds it until the value is dropped or the process ends.
pub(super) fn hold(path: &Path) -> Result<File, Error> {
    let file = File::create(path).map_err(Error::file("create", path))?;
    if file.try_lock().is_err() {
        eprintln!("mountpath: waiting for another process that holds {}", path.display());
        file.lock().map_err(Error::file("lock", path))?;
    }
    Ok(file)
}

/// Removes a folder, if it is there.
pub(super) fn remove(dir: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(dir) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::file("remove", dir)(e)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether what a tool says to `--version` names this version.
pub fn says(said: &str, version: &str) -> bool {
    said.split_whitespace().any(|word| word == version)
}

/// The version of a package in the text of a `Cargo.lock`.
pub fn locked<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    lock.split("[[package]]").find_map(|entry| {
        let value = |key: &str| entry.lines().find_map(|line| line.strip_prefix(key)?.strip_suffix('"'));
        if value("name = \"")? == package { value("version = \"") } else { None }
    })
}
