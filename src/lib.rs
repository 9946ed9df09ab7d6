//! Mountpath: how a Kubernetes volume gets from a claim to a mounted directory.
//!
//! This page is the architecture: the idea, the rooms, the laws, and the way of one run into a browser.
//! How to build, serve and extend the site stands in the README.
//!
//! # The idea
//!
//! One model says what the actors on the volume path may do: [`model::apply()`] takes a state of a cluster and an
//! action, and gives the next state and what was done, or a refusal with its reason. A scenario is a world and
//! what its user does when; [`trace::record()`] lets the model run it to its end. A diagram is such a run, told in
//! steps, and a picture is a function of the run, the step and the layout. So nothing in a picture is put there
//! by hand: who acts, what changes, where a message travels and who waits is all read off the run. Written by
//! hand are only sentences, and those are checked against it.
//!
//! ```text
//!  scenario ── record ──▶ Trace ── group ──▶ Run ── scene ──▶ Scene ──┬─ svg ───────▶ picture in a page, still
//!                ▲                   ▲                                └─ keyframes ─▶ pack: scenes as JSON
//!    model: actions, apply           │ steps, captions                                     │
//!                ▲                   │                                                     ▼
//!             replay      content ── course ──▶ Site ── view::pages ──▶ host ──▶ page ──▶ browser: the player
//!                ▲
//!   recording of a real cluster
//! ```
//!
//! # The rooms
//!
//! | room | holds | may name |
//! |---|---|---|
//! | [`model`] | what may happen: [`World`](model::World) with its [`Fault`](model::Fault)s and [`Cluster`](model::Cluster), a room for each actor with its acts, rules, sources and Events ([`Action`](model::Action) is all of them), [who writes which field](model::OWNERS), [what keeps a goal away](model::explain()), [when things come due](model::timing), [how names are made](model::names) | nothing else |
//! | [`trace`] | one run as data: [`Trace`](trace::Trace) and its [`Effect`](trace::Effect)s, [`Run`](trace::Run) for the reader, [`Snapshot`](trace::Snapshot) of any moment, the table of changes, text and [JSON](trace::json()), [`replay`](trace::replay()) of recordings, the player's [`Machine`](trace::Machine) | `model` |
//! | [`scene`] | where things are: homes, cards, wires, motions; [`Scene`](scene::Scene), its [`keyframes`](scene::keyframes()), and [`svg`](scene::svg), the one writer | `model`, `trace` |
//! | [`course`] | content as types: [`load`](course::load()) reads diagrams, chapters, the home page and the glossary, and names file and line of whatever is wrong | nothing else |
//! | [`view`] | Leptos: [`pages`](view::pages()) on the host; in the browser the live stage and moving between pages | all above |
//! | [`host`] | files and processes: [`COMMANDS`](host::COMMANDS), [building](host::build), [prerendering](host::prerender), [serving](host::serve) | all above |
//!
//! `main.rs` is the page's program and starts `view`; `bin/mountpath.rs` is the command and hands its arguments to
//! `host`. The first four rooms are pure: they build with `--no-default-features`, without Leptos in the graph of
//! dependencies, which is also how most tests run. The feature `site`, on by default, adds the other two; the
//! target decides which side of Leptos that means, so nobody types feature flags.
//!
//! # The laws
//!
//! 1. *Same scenario, same run*, byte for byte, anywhere: pure rooms have no clock, no chance, no files, no
//!    environment and no hash order. Time in the cluster (`sim_ms`) and time of the animation (`ms`) are different
//!    things and never mixed; the model counts without floats.
//! 2. *A rule is a function.* It carries the id and the source it was read from, and says what it needs before it
//!    changes anything. `tests/explore` visits every reachable state of small worlds, with one fault of each
//!    kind, and holds what must never happen, what brings it about where it can, and that all ends clean.
//! 3. *The model is what a cluster did.* `tests/replay.rs` explains recordings of a real one line by line, and
//!    rejects recordings whose lines were changed against causality. `tests/vectors.rs` asks the model what
//!    upstream's own unit tests ask of each actor.
//! 4. *Every write has a writer.* A field has one owner, in [`model::OWNERS`], and [`model::obeys()`] is checked on
//!    every change that any state allows.
//! 5. *A frame accumulates nothing.* [`scene::frame()`] is a pure function, so seeking, going back, a deep link and
//!    a still cost the same. Keyframes are read off it, and `tests/scene_motion.rs` holds that both agree at any
//!    moment.
//! 6. *One writer of SVG* makes the picture in the page, the still beside it, the markup in the packed data and
//!    the goldens in `tests/golden`.
//! 7. *The scene names roles, `style/` names colours.* No colour stands anywhere in `src/`.
//! 8. *Sentences live in `content/`*, and tests hold them against the run: a step's actions are the run's next
//!    ones, none is left out, and a caption names only who acts and what is touched. In Rust stand error texts and
//!    the labels of controls.
//! 9. *Parse once, at the edge.* Errors are enums whose sentences say what to change; outside tests nothing
//!    unwraps, and [`host::Error`] knows the exit code.
//! 10. *Vocabularies stand once, as tables*: actions, owners, durations, scenarios, commands. Help, pages and tests
//!     are read off them.
//! 11. *A page is whole by itself*: it reads without JavaScript, asks no other host for anything, and forbids
//!     inline scripts and foreign styles in its own policy.
//!
//! `tests/rooms.rs` holds what can be seen in the text of a file (heads, lengths, imports, forbidden names,
//! colours) and says what to do about it; Clippy denies types with hash order or a clock in the model, the trace
//! and the scene.
//!
//! # What the model leaves out
//!
//! One driver, two Nodes and few volumes; in-tree plugins and their migration; alpha features. Of the rules by whose ids
//! the model's acts go, these are not in it, or only so far:
//!
//! - §0: operations on a volume exclude each other, but a failed operation's pause ends with its name, where upstream
//!   sometimes keeps the name.
//! - PV8: the reclaim policy Recycle.
//! - SC2, SC5: legacy zone labels, disk conflicts of in-tree volumes, preemption beyond what Events say of it, and what
//!   a Node is scored by.
//! - EP3: the API server that refuses to create a PersistentVolume; `--node-deployment`; populators and sources in other
//!   namespaces.
//! - AD10: a CSIDriver whose `attachRequired` is another after a restart.
//! - R1: a registrar that does not find its driver; R5: NodeGetInfo by period: a limit is the same in the whole run; two
//!   drivers of one name.
//! - K3, K4: kubelet without `enableControllerAttachDetach`, subPath mounts, service account tokens, Pod info, image
//!   volumes, metrics.
//! - K10: the device that is still open after NodeUnstageVolume.
//! - ER, K18: NodeExpandVolume and NodeGetInfo that hang and come to their end late.
//! - ES: groups of snapshots, snapshot metadata.
//! - §15: a kubelet that reports itself not ready, and one that registers its Node anew after somebody has deleted it.
//! - §16: livenessprobe, of which a restart is the fault `down`, and external-health-monitor.
//!
//! # Where a new line goes
//!
//! Ask in this order, and take the first yes. If two answers fit, the line is two lines.
//!
//! 1. A fact of Kubernetes or CSI? `model`.
//! 2. Before and after, a step of a run, a moment of the play? `trace`.
//! 3. An x, a y, the name of a class? `scene`.
//! 4. A colour, a font, a length in pixels? `style/`.
//! 5. A sentence for the reader? `content/`.
//! 6. A key in a content file, or what is refused there? `course`.
//! 7. A signal, an event, a piece of a page? `view`; and if it names `web_sys`, `view/browser.rs`.
//! 8. A path, a file, a process, standard output? `host`.
//!
//! # From a scenario to a moving picture
//!
//! On the host, when the site is built:
//!
//! 1. [`course::load()`] reads the content. A [`Diagram`](course::Diagram) names a scenario, one that is compiled in or
//!    one of `content/scenarios/`, and groups its actions into steps.
//! 2. [`trace::record()`] runs the scenario: of all actions that are possible, the one that comes due first
//!    happens, until none is left. [`trace::group()`] lays the diagram's steps over the run, or says where they
//!    and the run part. [`view::run_of()`] does both.
//! 3. [`scene::scene()`] makes of each step a scene: keyed groups of shapes as they are at the step's end, with the
//!    motions that lead there. A key means the same thing in every step, so two steps can be compared. It draws a
//!    map of who stands where; [`scene::sequence()`] draws the same step as messages between lifelines.
//! 4. [`view::pages()`] writes the pages with the first step's pictures in them, a still of every step and the
//!    [whole sequence](scene::sequence_whole()) as files, and for each layout and [view](scene::View) what
//!    [`scene::pack()`] makes of all scenes: one JSON file, named after its content. A diagram's variants are pages of
//!    their own.
//! 5. [`host::build`] lets Trunk compile the browser's program, puts it and the pages together, makes all links
//!    relative, compresses everything and moves it into place in one go.
//!
//! In the browser, on a page that can be read already:
//!
//! 6. `boot.js` fetches the program after the page has loaded, and starts it at the first sign of a reader (a pointer,
//!    a finger, a key, scrolling), or at once where the address asks for a step: whoever only reads runs no program.
//! 7. `view::live` looks for figures. For each, `view::life` hydrates the controls, reads the captions from the
//!    transcript beside them, and fetches the scenes of the layout that fits the container.
//! 8. What the reader asks for goes as an [`Event`](trace::Event) into the [`Machine`](trace::Machine) and comes
//!    out as [`Order`](trace::Order)s: show, move, hold, go on, rest. The machine knows neither browser nor clock.
//! 9. `view::stage` follows the orders. It touches only groups that differ, and hands a step's keyframes of opacity
//!    and transform to the Web Animations API, so that the compositor moves them and no script runs in a frame.
//!    `view::cast` lifts what one of the cast has done, as [`scene::deeds()`] has found out on the host.
//! 10. A step's sentence lies ready as a layer of the compositor (`view::sentences`) and is seen in the frame after the
//!     key. The rest of the page, the address bar included, follows once the step is painted. A link to another page
//!     of the site fetches that page's own HTML and swaps it in (`view::navigate`); the program stays.
//!
//! # Why the browser has no model
//!
//! It could run the model: the pure rooms compile for it. It gets the scenes as data instead. Every diagram is
//! known when the site is built, so a reader's browser would only repeat what the host has done, after loading
//! the model, the layout and the writer to do it. As it is, its program holds the player alone (`view::life`,
//! `view::stage`, the machine of [`trace`]), some 64 KB compressed, and stays that small however much the model
//! learns; a diagram costs its own scenes, and only on pages that show it. And there is no second drawing to
//! disagree with the first: the page's picture, the stills and the data all come from [`scene::scene()`] and the
//! one writer. The price is that the browser can show only what was recorded: a page that lets its reader change
//! the run will need the model there, and can load it for itself.
//!
//! The format of the data is an agreement between [`scene::pack()`] and `view::scenes` of the same build, and
//! nobody else's business: the file's name changes with its content, and old names are not kept.
pub mod model;
pub mod scene;
pub mod trace;

#[cfg(not(target_arch = "wasm32"))]
pub mod course;
#[cfg(all(feature = "site", not(target_arch = "wasm32")))]
pub mod host;
#[cfg(feature = "site")]
pub mod view;
