//! The whole site as files: Trunk's build, the pages, their compressed twins, put in place in one go.

use super::prerender::{Base, prerender, write};
use super::run::run;
use super::shell::Shell;
use super::tools::{Tools, WASM, hold, remove};
use super::{Error, Project, compress};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo's profile for what the browser runs, see `Cargo.toml`.
const PROFILE: &str = "wasm-release";
/// The binary for the browser, see `Cargo.toml`.
const BIN: &str = "mountpath-web";

/// Builds the site into `dist`, which is replaced as a whole, or stays as it is when something fails.
/// Returns the number of pages.
///
/// # Errors
/// When a tool, the program, the content or a file stands in the way.
pub fn build(project: &Project, dist: &Path, base: &Base) -> Result<usize, Error> {
    replaceable(project, dist)?;
    let work = project.target.join("site");
    fs::create_dir_all(&work).map_err(Error::file("create", &work))?;
    let tools = Tools::ready(project)?;
    let _lock = hold(&work.join("lock"))?;
    let trunk = trunk(project, &tools, &work)?;
    let stage = work.join("stage");
    remove(&stage)?;
    let shell = program(project, &tools, &trunk, &stage)?;
    let pages = prerender(project, &shell, &stage, base)?;
    compress::compress(&stage)?;
    place(&stage, dist)?;
    Ok(pages)
}

/// Lets Trunk compile the program and put `index.html` and the files beside it into a folder of its own.
fn trunk(project: &Project, tools: &Tools, work: &Path) -> Result<PathBuf, Error> {
    let out = work.join("trunk");
    remove(&out)?;
    let mut trunk = Command::new(&tools.trunk);
    trunk.args(["build", "--cargo-profile", PROFILE, "--log", "warn", "--dist"]).arg(&out);
    trunk.current_dir(&project.root).env("PATH", tools.path()).env("CARGO_TARGET_DIR", &project.target);
    // Trunk takes the usual `NO_COLOR=1` for a wrong value of its own flag.
    if std::env::var_os("NO_COLOR").is_some() {
        trunk.env("NO_COLOR", "true");
    }
    run(&mut trunk)?;
    Ok(out)
}

/// Puts the program and the files beside it into `stage`, each named after its bytes, and returns the shell that
/// names them.
fn program(project: &Project, tools: &Tools, trunk: &Path, stage: &Path) -> Result<Shell, Error> {
    let index = trunk.join("index.html");
    let mut shell = Shell::read(&fs::read_to_string(&index).map_err(Error::file("read", &index))?)?;
    // Trunk leaves the names of all functions in the program, half of its size, so that step is done again.
    let raw = project.target.join(WASM).join(PROFILE).join(format!("{BIN}.wasm"));
    let bound = trunk.join("bound");
    let mut bindgen = Command::new(&tools.bindgen);
    bindgen.args([
        "--target",
        "web",
        "--no-typescript",
        "--remove-name-section",
        "--remove-producers-section",
    ]);
    run(bindgen.args(["--out-name", "app", "--out-dir"]).arg(&bound).arg(&raw))?;
    let files: Vec<String> = shell.files().into_iter().map(String::from).collect();
    for file in files {
        let from = if file.ends_with(".wasm") {
            bound.join("app_bg.wasm")
        } else if file.starts_with(BIN) {
            bound.join("app.js")
        } else {
            trunk.join(&file)
        };
        let mut bytes = fs::read(&from).map_err(Error::file("read", &from))?;
        if file.ends_with(".js") {
            bytes = squeeze(&String::from_utf8_lossy(&bytes)).into_bytes();
        }
        let name = named(&file.replace(&format!("{BIN}-"), "app-"), &bytes);
        write(&stage.join(&name), &bytes)?;
        shell.rename(&file, &name);
    }
    let snippets = bound.join("snippets");
    if snippets.exists() {
        for file in compress::walk(&snippets)? {
            let bytes = fs::read(&file).map_err(Error::file("read", &file))?;
            write(&stage.join(file.strip_prefix(&bound).unwrap_or(&file)), &bytes)?;
        }
    }
    Ok(shell)
}

/// A file's name with ten hex digits of its hash in the place of whatever hash is there:
/// `boot.js` gives `boot-0a1b2c3d4e.js`.
fn named(file: &str, bytes: &[u8]) -> String {
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let stem = stem.split('-').next().unwrap_or(stem);
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes));
    format!("{stem}-{}.{ending}", hash.get(..10).unwrap_or(&hash))
}

/// A script without comments of their own lines and without indentation. Ours and wasm-bindgen's have no text that
/// runs over several lines, which this would change.
pub fn squeeze(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut comment = false;
    for line in script.lines().map(str::trim) {
        comment |= line.starts_with("/*") && line.find("*/").is_none_or(|end| end + 2 == line.len());
        if !comment && !line.is_empty() && !line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
        comment &= !line.ends_with("*/");
    }
    out
}

/// Refuses to replace a folder that is not a former build.
fn replaceable(project: &Project, dist: &Path) -> Result<(), Error> {
    let filled = fs::read_dir(dist).is_ok_and(|mut entries| entries.next().is_some());
    let built = dist.join("index.html").is_file() && dist.join("404.html").is_file();
    if dist.is_file() || project.root.starts_with(dist) || (filled && !built) {
        return Err(Error::Usage(format!(
            "--dist {}: this is no former build, so it is not replaced: give another folder",
            dist.display()
        )));
    }
    Ok(())
}

/// Moves a folder into the place of another.
pub(super) fn place(stage: &Path, dist: &Path) -> Result<(), Error> {
    let mut new = stage.to_path_buf();
    if let Some(parent) = dist.parent() {
        fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
    }
    let old = compress::beside(dist, ".old");
    remove(&old)?;
    let had = dist.exists();
    if had {
        fs::rename(dist, &old).map_err(Error::file("move", dist))?;
    }
    if fs::rename(&new, dist).is_err() {
        // Another file system: copy beside the place first.
        new = compress::beside(dist, ".new");
        remove(&new)?;
        let copied =
            copy(stage, &new).and_then(|()| fs::rename(&new, dist).map_err(Error::file("move", &new)));
        if let Err(e) = copied {
            if had {
                fs::rename(&old, dist).map_err(Error::file("move back", dist))?;
            }
            return Err(e);
        }
        remove(stage)?;
    }
    remove(&old)
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    for file in compress::walk(from)? {
        let bytes = fs::read(&file).map_err(Error::file("read", &file))?;
        write(&to.join(file.strip_prefix(from).unwrap_or(&file)), &bytes)?;
    }
    Ok(())
}
