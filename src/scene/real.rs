//! What is real in a run: volumes and snapshots at the backend, and on each Node devices, mounts and containers.

use super::cast::is_staging;
use crate::model::{Actor, ObjectRef, Role};
use crate::trace::{Effect, Run, Snapshot, Step};
use std::collections::BTreeMap;

/// The real things of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Real {
    /// What is at the backend; what is attached somewhere comes last.
    pub stored: Vec<Stored>,
    /// What each Node has of each volume.
    pub chains: Vec<Chain>,
    /// Which actions of a driver work on what without leaving a mount or a device.
    pub works: Vec<(usize, Work)>,
}

/// A volume or a snapshot at the backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its handle.
    pub handle: String,
    /// Whether it is a snapshot.
    pub snapshot: bool,
    /// Whether it is there at the start.
    pub given: bool,
    /// The actions that make it (true) or delete it, by their places in the run.
    pub changes: Vec<(usize, bool)>,
}

/// What a Node has of a volume, from the device to the containers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chain {
    /// The Node.
    pub node: String,
    /// The volume's handle.
    pub volume: String,
    /// Whether it has a device here.
    pub device: bool,
    /// Where it is staged.
    pub staging: Option<String>,
    /// The Pods that use it.
    pub uses: Vec<Use>,
}

/// A Pod's use of a volume.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Use {
    /// Where the volume is published.
    pub path: String,
    /// Where its raw block device is mapped.
    pub map: Option<String>,
    /// The Pod.
    pub pod: Option<ObjectRef>,
}

/// What a driver works on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Work {
    /// Something at the backend, by its handle.
    Stored(String),
    /// Something mounted at this path.
    Path(String),
}

impl Stored {
    /// Whether it is there after so many actions.
    pub fn is_there(&self, done: usize) -> bool {
        let last = self.changes.iter().rev().find(|(at, _)| *at < done);
        last.map_or(self.given, |(_, made)| *made)
    }
}

/// What kind of path of a raw block volume this is.
fn is_map(path: &str) -> bool {
    path.contains("/volumeDevices/") && path.contains("/dev/")
}

/// The part of a path that is a Pod's uid, if it is this Pod's.
fn is_of(path: &str, uid: &str) -> bool {
    !uid.is_empty() && path.split('/').any(|part| part == uid)
}

/// The value of a request's field.
fn asked<'e>(request: &'e [(&'static str, String)], field: &str) -> Option<&'e String> {
    request.iter().find(|(name, _)| *name == field).map(|(_, value)| value)
}

impl Real {
    /// What is real in a run that begins like this.
    pub fn of(run: &Run, start: &Snapshot) -> Real {
        let mut real = Real::default();
        let told = run.trace.steps.iter().flat_map(|s| &s.effects);
        let volume_of = paths(run.trace.given.iter().chain(told.clone()));
        let volume = |path: &String| volume_of.get(path.as_str()).map(|v| (*v).clone()).unwrap_or_default();
        // What is there at the start, then what the run comes to.
        for (node, handle) in &start.devices {
            real.change(node, handle, |c| c.device = true);
        }
        for (node, path) in &start.mounts {
            real.mount(run, node, path, volume(path));
        }
        for effect in told.clone() {
            match effect {
                Effect::Device { node, path, .. } => real.change(node, path, |c| c.device = true),
                Effect::Mount { node, path } | Effect::Unmount { node, path } => {
                    real.mount(run, node, path, volume(path));
                }
                Effect::Write { .. }
                | Effect::Create { .. }
                | Effect::Delete { .. }
                | Effect::Rpc { .. }
                | Effect::Event { .. } => {}
            }
        }
        real.store(run, start);
        real.chains.sort_by(|a, b| (&a.node, !a.device).cmp(&(&b.node, !b.device)));
        real
    }

    /// The Nodes that have something.
    pub fn nodes(&self) -> impl Iterator<Item = &String> {
        self.chains.iter().map(|c| &c.node)
    }

    /// Changes what a Node has of a volume.
    fn change(&mut self, node: &str, volume: &str, change: impl FnOnce(&mut Chain)) {
        match self.chains.iter_mut().find(|c| c.node == node && c.volume == volume) {
            Some(chain) => change(chain),
            None => {
                let (node, volume) = (node.to_owned(), volume.to_owned());
                let mut chain = Chain { node, volume, ..Chain::default() };
                change(&mut chain);
                self.chains.push(chain);
            }
        }
    }

    fn mount(&mut self, run: &Run, node: &str, path: &str, volume: String) {
        let pod = run.trace.uids.iter().find(|(_, uid)| is_of(path, uid));
        if is_map(path) {
            let uid = pod.map(|(_, uid)| uid.clone()).unwrap_or_default();
            let uses = self.chains.iter_mut().filter(|c| c.node == node).flat_map(|c| &mut c.uses);
            for one in uses.filter(|u| is_of(&u.path, &uid)) {
                one.map = Some(path.to_owned());
            }
            return;
        }
        let pod = pod.map(|(pod, _)| pod.clone());
        self.change(node, &volume, |chain| {
            if is_staging(path) {
                chain.staging.get_or_insert_with(|| path.to_owned());
            } else if !chain.uses.iter().any(|u| u.path == path) {
                chain.uses.push(Use { path: path.to_owned(), map: None, pod });
            }
        });
    }

    /// Finds what is at the backend, and which actions work on it.
    fn store(&mut self, run: &Run, start: &Snapshot) {
        let all = run.trace.given.iter().chain(run.trace.steps.iter().flat_map(|s| &s.effects));
        // The names under which volumes and snapshots are asked for, with their handles.
        let mut names: BTreeMap<String, (String, bool, bool)> = BTreeMap::new();
        for effect in all {
            let Effect::Write { object, field, to: Some(handle), .. } = effect else { continue };
            let given = start.objects.get(object).is_some_and(|v| {
                v.exists && v.fields.get(field).is_some_and(|f| f.value.as_ref() == Some(handle))
            });
            if *field == "spec.csi.volumeHandle" {
                names.insert(object.name.clone(), (handle.clone(), false, given));
            } else if *field == "status.snapshotHandle" {
                let uid = object.name.strip_prefix("snapcontent-").unwrap_or(&object.name);
                names.insert(format!("snapshot-{uid}"), (handle.clone(), true, given));
            }
        }
        let mut called: BTreeMap<&Actor, Call> = BTreeMap::new();
        let mut changes: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
        let mut touched: Vec<String> = self.chains.iter().map(|c| c.volume.clone()).collect();
        for (at, step) in run.trace.steps.iter().enumerate() {
            for effect in &step.effects {
                let Effect::Rpc { method, callee, request, code, .. } = effect else { continue };
                touched.extend(
                    ["volume_id", "source_volume_id", "snapshot_id"]
                        .into_iter()
                        .filter_map(|f| asked(request, f).cloned()),
                );
                touched.extend(
                    asked(request, "name").and_then(|n| names.get(n)).map(|(handle, ..)| handle.clone()),
                );
                if code.is_none() {
                    called.insert(callee, Call { method, request });
                }
            }
            let Some(Call { method, request }) = worked(step, &called) else { continue };
            let named = asked(request, "name").and_then(|n| names.get(n)).map(|(handle, ..)| handle);
            let about = asked(request, "volume_id").or(asked(request, "snapshot_id")).or(named);
            let path = asked(request, "volume_path").or(asked(request, "staging_target_path"));
            match (method, about, path) {
                ("NodeExpandVolume", _, Some(path)) => self.works.push((at, Work::Path(path.clone()))),
                ("CreateVolume" | "CreateSnapshot", Some(handle), _) => {
                    changes.entry(handle.clone()).or_default().push((at, true));
                    self.works.push((at, Work::Stored(handle.clone())));
                }
                ("DeleteVolume" | "DeleteSnapshot", Some(handle), _) => {
                    changes.entry(handle.clone()).or_default().push((at, false));
                    self.works.push((at, Work::Stored(handle.clone())));
                }
                ("ControllerExpandVolume" | "ControllerModifyVolume", Some(handle), _) => {
                    self.works.push((at, Work::Stored(handle.clone())));
                }
                _ => {}
            }
        }
        let attached = |handle: &String| self.chains.iter().any(|c| c.volume == *handle);
        let mut stored: Vec<Stored> = Vec::new();
        for (handle, snapshot, given) in names.into_values().filter(|(handle, ..)| touched.contains(handle)) {
            let changes = changes.get(&handle).cloned().unwrap_or_default();
            // Without a word of its making in the run it was there before.
            let given = given || !changes.first().is_some_and(|(_, made)| *made);
            stored.push(Stored { handle, snapshot, given, changes });
        }
        stored.sort_by_key(|s| (attached(&s.handle), s.snapshot, s.handle.clone()));
        self.stored = stored;
    }
}

/// A call under way.
#[derive(Clone, Copy)]
struct Call<'r> {
    method: &'static str,
    request: &'r [(&'static str, String)],
}

/// The call that a driver works on in a step that leaves no other trace.
fn worked<'r>(step: &Step, called: &BTreeMap<&Actor, Call<'r>>) -> Option<Call<'r>> {
    let driver = matches!(step.actor.role, Role::DriverController | Role::DriverNode);
    called.get(&step.actor).copied().filter(|_| driver && step.effects.is_empty())
}

/// Which volume is mounted at which path, as the calls that ask for it say.
fn paths<'e>(effects: impl Iterator<Item = &'e Effect>) -> BTreeMap<&'e str, &'e String> {
    let mut found = BTreeMap::new();
    for effect in effects {
        let Effect::Rpc { request, .. } = effect else { continue };
        let Some(volume) = asked(request, "volume_id") else { continue };
        for path in ["staging_target_path", "target_path"].into_iter().filter_map(|f| asked(request, f)) {
            found.insert(path.as_str(), volume);
        }
    }
    found
}
