//! The commands, in the order of the help.

use super::command::{Args, Command, Opt, Takes};
use super::mermaid::{mermaid, mermaid_of_run};
use super::prerender::{Base, prerender};
use super::shell::Shell;
use super::story::Story;
use super::{Error, Project, build, check, compress, content, explain, names, replay, scenario, serve};
use crate::course::Diagram;
use crate::trace::{Trace, json, listing};
use std::fs;
use std::path::PathBuf;

const DIST: Opt = Opt { name: "dist", value: "DIR", about: "the folder of the site (default dist)" };
const BASE: Opt =
    Opt { name: "base", value: "PATH", about: "the path it is put under, such as /sub/path/ (default /)" };

const CONTENT: Opt =
    Opt { name: "content", value: "DIR", about: "another folder of content (default content of the clone)" };

/// Every command.
pub const COMMANDS: [Command; 10] = [
    Command {
        name: "serve",
        takes: Takes::Nothing,
        about: "builds the site, serves it on this machine and builds it again when a file changes",
        options: &[Opt {
            name: "port",
            value: "N",
            about: "the port on 127.0.0.1 (default 8080; 0 takes a free one)",
        }],
        run: run_serve,
    },
    Command {
        name: "build",
        takes: Takes::Nothing,
        about: "writes the whole site, ready for any static host",
        options: &[DIST, BASE],
        run: run_build,
    },
    Command {
        name: "prerender",
        takes: Takes::Nothing,
        about: "writes every page anew into a built site, without compiling its program",
        options: &[DIST, BASE, CONTENT],
        run: run_prerender,
    },
    Command {
        name: "diagrams",
        takes: Takes::Nothing,
        about: "lists the diagrams: name, number of steps, title",
        options: &[],
        run: run_diagrams,
    },
    Command {
        name: "scenarios",
        takes: Takes::Nothing,
        about: "lists the scenarios that have names: name, what happens",
        options: &[],
        run: |_| Ok(scenario::list()),
    },
    Command {
        name: "trace",
        takes: Takes::OneOr("NAME", &["scenario"]),
        about: "prints the run of a diagram or scenario (`mountpath diagrams` and `mountpath scenarios` list them)",
        options: &[
            Opt {
                name: "scenario",
                value: "FILE",
                about: "a scenario file in place of a name; - is standard input",
            },
            Opt { name: "format", value: "FORMAT", about: "text, json or mermaid (default text)" },
        ],
        run: run_trace,
    },
    Command {
        name: "replay",
        takes: Takes::Many("FILE"),
        about: "says whether recordings of a real cluster are runs of the model; - reads standard input",
        options: &[],
        run: |args| replay::replay(&args.rest),
    },
    Command {
        name: "explain",
        takes: Takes::OneOr("NAME", &["scenario", "recording"]),
        about: "says what keeps a goal away, at a moment of a scenario or of a recording: who waits for what, since when, \
                until when, and who would release it",
        options: &[
            Opt {
                name: "goal",
                value: "GOAL",
                about: "what is waited for (needed): \"pod NAME runs\", \"pod NAME deleted\", \"claim NAME bound\", \
                        \"claim NAME deleted\", \"claim NAME resized\", \"claim NAME modified\", \"volume NAME detached\", \"volume NAME detached from NODE\", \
                        \"volume NAME deleted\", \"snapshot NAME ready\", \"snapshot NAME deleted\" or \
                        \"namespace emptied\"; a volume may be named by its claim",
            },
            Opt {
                name: "scenario",
                value: "FILE",
                about: "a scenario file in place of a name; - is standard input",
            },
            Opt {
                name: "recording",
                value: "FILE",
                about: "a recording in place of a scenario; - is standard input",
            },
            Opt {
                name: "at",
                value: "MS",
                about: "the moment, in milliseconds of the run or recording (default its end)",
            },
            Opt {
                name: "line",
                value: "N",
                about: "the moment after a recording's line N, which counts from 1",
            },
            Opt { name: "format", value: "FORMAT", about: "text or json (default text)" },
        ],
        run: explain::explain,
    },
    Command {
        name: "check",
        takes: Takes::Nothing,
        about: "holds the content against the model: steps, captions, links",
        options: &[CONTENT],
        run: |args| check::check(&project(args)?),
    },
    Command {
        name: "names",
        takes: Takes::Nothing,
        about: "computes the names and paths that Kubernetes gives a volume on a Node",
        options: &[
            Opt { name: "driver", value: "D", about: "the CSI driver's name (needed)" },
            Opt {
                name: "handle",
                value: "H",
                about: "spec.csi.volumeHandle of the PersistentVolume (needed); nothing separates handle, driver and Node \
                        in a VolumeAttachment's name, so (\"a\",\"bc\",\"d\") and (\"ab\",\"c\",\"d\") collide",
            },
            Opt { name: "node", value: "N", about: "the Node's name (needed)" },
            Opt {
                name: "pv",
                value: "PV",
                about: "the PersistentVolume's name: adds the paths that hold it",
            },
            Opt { name: "pod-uid", value: "UID", about: "a Pod's metadata.uid: adds the paths that hold it" },
            Opt { name: "format", value: "FORMAT", about: "text or json (default text)" },
        ],
        run: names::names,
    },
];

fn run_serve(args: &Args) -> Result<String, Error> {
    let port = args.option("port").unwrap_or("8080");
    let port =
        port.parse().map_err(|_| Error::Usage(format!("--port {port}: give a number from 0 to 65535")))?;
    serve::serve(&Project::find()?, port)?;
    Ok(String::new())
}

fn run_build(args: &Args) -> Result<String, Error> {
    let base = base(args)?;
    let project = Project::find()?;
    let dist = dist(args, &project)?;
    let pages = build::build(&project, &dist, &base)?;
    Ok(format!("{pages} pages in {}\n", dist.display()))
}

fn run_prerender(args: &Args) -> Result<String, Error> {
    let base = base(args)?;
    let project = project(args)?;
    let dist = dist(args, &project)?;
    let index = dist.join("index.html");
    let html = fs::read_to_string(&index).map_err(|e| {
        Error::Input(format!(
            "--dist {}: no built site is there ({e}): run `mountpath build` first",
            dist.display()
        ))
    })?;
    let pages = prerender(&project, &Shell::read(&html)?, &dist, &base)?;
    compress::compress(&dist)?;
    Ok(format!("{pages} pages in {}\n", dist.display()))
}

fn run_diagrams(_: &Args) -> Result<String, Error> {
    let diagrams = content::load(&Project::find()?)?.diagrams;
    let width = diagrams.iter().map(|d| d.slug.len()).max().unwrap_or(0);
    let line = |d: &Diagram| format!("{:width$}  {:>2} steps  {}\n", d.slug, d.steps.len(), d.title);
    Ok(diagrams.iter().map(line).collect())
}

fn run_trace(args: &Args) -> Result<String, Error> {
    let format = args.option("format").unwrap_or("text");
    let told: fn(&Story) -> String = match format {
        "text" => Story::text,
        "json" => Story::json,
        "mermaid" => mermaid,
        other => return Err(Error::Usage(format!("--format {other}: give text, json or mermaid"))),
    };
    let bare: fn(&Trace) -> String = match format {
        "json" => |trace| json(trace, |_| None),
        "mermaid" => mermaid_of_run,
        _ => listing,
    };
    if let Some(file) = args.option("scenario") {
        return Ok(bare(&scenario::run(file)?));
    }
    // A scenario needs no files of the project; a diagram's steps and captions stand in some.
    let story = Project::find().ok().map(|project| Story::named(&project, args.first()));
    match story.transpose()?.flatten() {
        Some(story) => Ok(told(&story)),
        None => Ok(bare(&scenario::named(args.first())?)),
    }
}

fn base(args: &Args) -> Result<Base, Error> {
    args.option("base").map_or_else(|| Ok(Base::default()), Base::read)
}

/// The project, with the content that `--content` names.
fn project(args: &Args) -> Result<Project, Error> {
    let mut project = Project::find()?;
    if let Some(dir) = args.option("content") {
        project.content = absolute("content", dir)?;
        if !project.content.is_dir() {
            return Err(Error::Usage(format!("--content {dir}: there is no such folder")));
        }
    }
    Ok(project)
}

/// The folder that `--dist` names, seen from where the command runs; else `dist` at the root of the project.
fn dist(args: &Args, project: &Project) -> Result<PathBuf, Error> {
    args.option("dist").map_or_else(|| Ok(project.root.join("dist")), |dir| absolute("dist", dir))
}

/// A folder that an option names, from the root of the file system.
fn absolute(option: &str, dir: &str) -> Result<PathBuf, Error> {
    std::path::absolute(dir).map_err(|e| Error::Usage(format!("--{option} {dir}: {e}")))
}
