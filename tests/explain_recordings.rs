//! What explains the moments at which real volumes were stuck is what the rest of their recordings shows: the actor,
//! the object and its field, the call and its reply, and when.

use mountpath::model::timing::When;
use mountpath::model::{
    About, Action, ActorId, Change, Code, Explanation, FaultKind, Field, Goal, Link, Method, ObjectId,
    REASONS, Reason, Reply, Role, Subject, World, explain_since,
};
use mountpath::trace::{Observation, Seen, Why, read, replay_until};
use std::path::Path;

/// What somebody waits for at such a moment.
enum Wish {
    Runs(&'static str),
    Gone(&'static str),
    Bound(&'static str),
    Detached,
    /// From this Node.
    Left(&'static str),
    Deleted,
    /// The claim is gone.
    Lost(&'static str),
    /// Nothing is left in the namespace.
    Emptied,
    /// The claim has the size that it asks for.
    Resized(&'static str),
    /// The claim has the VolumeAttributesClass that it asks for.
    Modified(&'static str),
}

/// What confirms an explanation.
enum Proof {
    /// What has to happen first happens in later lines, by the same actor, to the same field of the same object or as the
    /// same call or reply; and then so does what waits for it.
    Shown,
    /// The same of what has to happen first; afterwards the recording goes on otherwise.
    First,
    /// The recording ends stuck; the explanation holds these texts: actor, object or field, and what is missing.
    Missing(&'static [&'static str]),
}

use Proof::{First, Missing, Shown};
use Wish::{Bound, Deleted, Detached, Emptied, Gone, Left, Lost, Modified, Resized, Runs};

/// Each recording, the note at which it is stuck, what is waited for, and what confirms why.
const STUCK: &[(&str, &str, Wish, Proof)] = &[
    ("05-multi-attach", "dump: multi-attach", Runs("app2"), Shown),
    ("06-attach-deadlineexceeded", "dump: failing", Runs("app"), Shown),
    ("06-attach-failedprecondition", "dump: failing", Runs("app"), Shown),
    ("06-attach-internal", "dump: failing", Runs("app"), Shown),
    ("06-attach-persistent", "dump: stuck", Detached, Shown),
    ("06-attach-unavailable", "dump: failing", Runs("app"), Shown),
    ("07-publish-delete-final", "dump: failing", Runs("app"), First),
    ("07-publish-internal", "dump: failing", Runs("app"), Shown),
    ("07-stage-delete-uncertain", "dump: failing", Runs("app"), First),
    ("07-stage-hang", "dump: failing", Runs("app"), Shown),
    ("07-stage-internal", "dump: failing", Runs("app"), Shown),
    ("08b-attach-required-no-attacher", "dump: stuck", Runs("app"), Shown),
    ("09-driver-not-registered", "dump: stuck", Runs("app"), Shown),
    (
        "10-create-invalidargument",
        "dump: failing",
        Bound("data"),
        Missing(&[
            "external-provisioner (provisioner-calls-create-volume, rule EP2) can act since 1.2 s and does so at 301.2 s: CreateVolume is called.",
        ]),
    ),
    ("10-create-resourceexhausted-wffc-topology", "dump: failing", Bound("data"), Shown),
    ("10-create-resourceexhausted", "dump: failing", Bound("data"), Shown),
    ("11a-force-detach", "dump: waiting", Runs("app2"), Shown),
    ("12-va-deleted-by-hand", "dump: after-delete", Detached, Shown),
    ("12-va-deleted-by-hand", "dump: after-2min", Detached, Shown),
    ("13a-pvc-deleted-in-use", "dump: terminating", Deleted, Shown),
    ("13a-pvc-deleted-in-use", "dump: late-pod-pending", Deleted, Shown),
    ("14-retain", "dump: released", Bound("again"), Shown),
    ("14-retain", "dump: pending", Bound("again"), Shown),
    ("16b-expand-offline", "dump: fs-resize-pending", Resized("data"), First),
    ("16d-expand-node-failing", "dump: node-failing", Resized("data"), Shown),
    ("17-rwop", "dump: second-pending", Runs("app2"), Shown),
    ("17-rwop", "dump: third-stuck", Runs("app2"), Shown),
    ("19-attach-limit", "dump: third-unschedulable", Runs("app3"), Shown),
    (
        "18c-inline-not-supported",
        "dump: stuck",
        Runs("app"),
        Missing(&["the CSIDriver does not list the mode Ephemeral"]),
    ),
    (
        "19-attach-limit",
        "dump: fourth-resourceexhausted",
        Runs("app4"),
        Missing(&["ControllerPublishVolume"]),
    ),
    ("20a-storageclass-missing", "dump: stuck", Bound("data"), Shown),
    ("20b-pvc-missing", "dump: stuck", Runs("app"), Shown),
    ("20c-no-storageclass", "dump: stuck", Bound("data"), Shown),
    (
        "20d-topology-conflict",
        "dump: stuck",
        Runs("app"),
        Missing(&["scheduler-binds-pod (rule SC4): the Node does not fit the Pod"]),
    ),
    (
        "20f-provisioner-missing",
        "dump: stuck",
        Bound("data"),
        Missing(&[
            "pv-controller-asks-provisioner (rule PV3): the provisioner is asked already",
            "pv-controller-completes-binding (rule PV6): the claim is for a provisioner",
        ]),
    ),
    (
        "20g-static-pv-mismatch",
        "dump: stuck",
        Bound("data"),
        Missing(&[
            "pv-controller-claims-volume (rule PV6): the PersistentVolume is not what the claim asks for",
        ]),
    ),
    ("20h-storage-capacity", "dump: not-enough", Runs("app"), Missing(&["the Node does not fit the Pod"])),
    ("20h-storage-capacity", "dump: pool-used-up", Runs("app3"), Missing(&["the Node does not fit the Pod"])),
    ("21-detach-failing", "dump: stuck", Left("node-1"), Shown),
    ("23a-driver-crash", "dump: driver-down", Runs("app"), Shown),
    ("23a-driver-crash", "dump: unmount-failing", Gone("app"), Shown),
    (
        "24b-restore-missing-snapshot",
        "dump: stuck",
        Bound("restored"),
        Missing(&["provisioner-protects-source (rule EP5): the claim's source cannot be used"]),
    ),
    ("28-finalizer-stuck-ns", "user deletes the namespace", Gone("app"), Shown),
    ("28-finalizer-stuck-ns", "user deletes the namespace", Emptied, Shown),
    ("28-finalizer-stuck-ns", "reached: pod app gone", Detached, Shown),
    ("28-finalizer-stuck-ns", "reached: pod app gone", Lost("data"), Shown),
    ("30-unpublish-failing", "dump: unpublish-failing", Gone("app"), Shown),
    ("30-unpublish-failing", "dump: unstage-failing", Detached, Shown),
    ("34-provisioner-crash", "dump: attacher-dead", Detached, Shown),
    ("37-kcm-restart-while-attached", "dump: kcm-down", Detached, Shown),
    ("39-volume-attributes-class", "dump: infeasible", Modified("data"), Missing(&["user-modifies-claim"])),
    ("41-unstage-failing-healthy-node", "dump: waiting", Runs("app2"), Shown),
    ("41-unstage-failing-healthy-node", "dump: after-7min", Runs("app2"), Shown),
];

fn goal(world: &World, wish: &Wish) -> Goal {
    let volume = || world.volumes().next().expect("a volume");
    match wish {
        Runs(pod) => Goal::PodRuns(world.pod_named(pod).expect("a Pod")),
        Gone(pod) => Goal::PodGone(world.pod_named(pod).expect("a Pod")),
        Bound(claim) => Goal::ClaimBound(world.claim_named(claim).expect("a claim")),
        Detached => Goal::VolumeDetached(volume()),
        Left(node) => {
            let node = world.node_named(node).expect("a Node");
            Goal::DetachedFrom(Link { volume: volume(), node })
        }
        Deleted => Goal::VolumeDeleted(volume()),
        Lost(claim) => Goal::ClaimDeleted(world.claim_named(claim).expect("a claim")),
        Emptied => Goal::NamespaceEmptied,
        Resized(claim) => Goal::ClaimResized(world.claim_named(claim).expect("a claim")),
        Modified(claim) => Goal::ClaimModified(world.claim_named(claim).expect("a claim")),
    }
}

/// Fields that no recording shows.
const UNRECORDED: [&str; 5] = [
    "spec.volumeAttributesClassName",
    "status.currentVolumeAttributesClassName",
    "status.modifyVolumeStatus.status",
    "metadata.annotations[snapshot.storage.kubernetes.io/volumesnapshot-being-created]",
    "metadata.annotations[csi.volume.kubernetes.io/nodeid]",
];

/// Whether a recording would show a change at all: what is written as it was leaves no line, and neither does a device.
fn is_visible(world: &World, change: &Change) -> bool {
    match change {
        Change::Write { field, from, to, .. } => from != to && !UNRECORDED.contains(&field.path()),
        Change::Device { .. } => false,
        Change::Event { event, by, .. } => REASONS.contains(&(by.role, event.text(world).1)),
        Change::Call { method, .. } => *method != Method::NodeGetInfo,
        Change::Create { .. } | Change::Delete { .. } | Change::Mount { .. } => true,
    }
}

fn visible<'r>(world: &'r World, reason: &'r Reason) -> impl Iterator<Item = &'r Change> {
    reason.changes.iter().filter(|change| is_visible(world, change))
}

/// What keeps the goal away: what has to come from outside, or else what comes first and can be seen.
fn first(world: &World, reasons: &[Reason]) -> Option<usize> {
    let outside = reasons.iter().position(|reason| reason.outside);
    outside.or_else(|| reasons.iter().position(|reason| visible(world, reason).next().is_some()))
}

/// Whether a line shows a change: its actor, its object, its field, and of a call what it is about and its code.
fn shows(world: &World, line: &Observation, change: &Change) -> bool {
    let by = |actor: &ActorId| line.by == world.actor(*actor).to_string();
    let is = |seen: &str, object: &ObjectId| seen == world.object(*object).to_string();
    match (change, &line.what) {
        (Change::Write { object, field, by: who, .. }, Seen::Update(seen, changes)) => {
            is(seen, object) && by(who) && changes.keys().any(|key| names(key, field.path()))
        }
        (Change::Write { object, field, by: who, .. }, Seen::Create(seen, fields)) => {
            is(seen, object) && by(who) && fields.keys().any(|key| names(key, field.path()))
        }
        // The last finalizer takes the object with it.
        (Change::Write { object, field, by: who, .. }, Seen::Delete(seen)) => {
            is(seen, object) && by(who) && *field == Field::Finalizers
        }
        (Change::Create { object, by: who }, Seen::Create(seen, _))
        | (Change::Delete { object, by: who }, Seen::Delete(seen)) => is(seen, object) && by(who),
        (Change::Call { method, about, caller, reply: None, .. }, Seen::Call(seen, fields)) => {
            seen == method.name() && by(caller) && is_about(world, *about, fields)
        }
        (Change::Call { method, about, caller, reply: Some(reply), .. }, Seen::Rpc(seen, code, fields)) => {
            let wanted = match reply {
                Reply::Ok => Some(Code::Ok),
                Reply::Failed(failure) => failure.code(world),
            };
            let code = Code::named(code);
            seen == method.name() && by(caller) && is_about(world, *about, fields) && code == wanted
        }
        (Change::Event { object, event, by: who }, Seen::Event(seen, _, reason, message)) => {
            let (_, wanted, text) = event.text(world);
            let reporter = world.actor(*who).to_string();
            let reporter = reporter.split('/').next().unwrap_or_default();
            is(seen, object)
                && line.by.split('/').next() == Some(reporter)
                && (reason, message) == (&wanted.to_owned(), &text)
        }
        (Change::Mount { link, present, .. }, Seen::Mount(_)) => {
            *present && line.by == format!("kernel/{}", world.node(link.node).name)
        }
        (Change::Mount { link, present, .. }, Seen::Unmount(_)) => {
            !*present && line.by == format!("kernel/{}", world.node(link.node).name)
        }
        _ => false,
    }
}

/// Whether a recording's key is this field.
fn names(key: &str, path: &str) -> bool {
    let annotation = path.strip_prefix("metadata.annotations[").and_then(|rest| rest.strip_suffix(']'));
    key == path
        || annotation.is_some_and(|name| key.strip_prefix("annotation ") == Some(name))
        || (path == "status.containerStatuses" && key.starts_with("status.container "))
}

/// Whether a call is about this: its volume by handle or name, and its Node.
fn is_about(
    world: &World,
    about: About,
    fields: &std::collections::BTreeMap<String, Option<String>>,
) -> bool {
    let field = |key: &str| fields.get(key).and_then(Option::as_deref);
    match about {
        About::Link(link) | About::Target(link, _) => {
            let node = field("node").is_none_or(|node| node == world.node(link.node).driver_id);
            field("volume") == Some(&world.volume(link.volume).handle) && node
        }
        About::Volume(volume) => field("volume") == Some(&world.volume(volume).handle),
        About::Claim(claim) => {
            field("name").and_then(|name| name.strip_prefix("pvc-")) == Some(&world.claim(claim).uid)
        }
        About::Snapshot(_) | About::Node(_) => true,
    }
}

/// Whether a note tells of the process that this starts.
fn is_told(world: &World, line: &Observation, reason: &Reason) -> bool {
    let (Action::Outside(_), Subject::Fault(fault)) = (reason.action, reason.action.subject()) else {
        return false;
    };
    let (Some(FaultKind::Down { role, node }), Seen::Note(text)) =
        (world.fault(fault).map(|fault| &fault.kind), &line.what)
    else {
        return false;
    };
    let name = match role {
        Role::AttachDetachController => "kube-controller-manager".into(),
        Role::DriverNode | Role::DriverController => "driver process".into(),
        _ => world.actor(ActorId { role: *role, node: None }).to_string(),
    };
    // The driver's process serves every Node.
    let everywhere = text.contains("driver process");
    let on = node.is_none_or(|node| everywhere || text.contains(&world.node(node).name));
    text.contains(&name) && text.contains("start") && on
}

/// When the later lines show all that can be seen of this step; an Event may have been there before.
fn confirmed(world: &World, lines: &[Observation], after: usize, reason: &Reason) -> Option<u64> {
    let later = || lines.iter().filter(|line| line.line > after);
    if let Some(line) = later().find(|line| is_told(world, line, reason)) {
        return Some(line.t_ms);
    }
    let mut at = None;
    for change in visible(world, reason) {
        let event = matches!(change, Change::Event { .. });
        let found = if event {
            lines.iter().find(|line| shows(world, line, change))
        } else {
            later().find(|line| shows(world, line, change))
        };
        let found = found?.t_ms;
        at = at.or(Some(found));
    }
    at
}

/// Whether upstream sets the time, and not how long something takes.
fn has_clock(when: When) -> bool {
    match when {
        When::Every { period, .. } => period >= 1_000,
        When::Since { .. } | When::Retry { .. } | When::RetryAfter { .. } | When::Backoff { .. } => true,
        When::OnCommand | When::After(_) | When::Poll(_) => false,
    }
}

/// What the later lines say against an explanation, if anything.
fn objection(
    world: &World,
    lines: &[Observation],
    after: usize,
    reasons: &[Reason],
    whole: bool,
) -> Option<String> {
    let Some(place) = first(world, reasons) else { return Some("nothing can be seen".into()) };
    let step = reasons.get(place)?;
    let Some(at) = confirmed(world, lines, after, step) else {
        return Some(format!("no later line shows {} whole", step.action.name()));
    };
    // What is due by a clock comes then: a loop's beat and the slowness of the machine apart.
    let before = reasons.get(..=place).unwrap_or_default();
    let soon =
        before.iter().take(place).all(|reason| reason.unmet.is_none()) && (place > 0 || step.unmet.is_none());
    let due = step.tries_ms.filter(|_| soon && !step.outside && has_clock(step.when));
    if let Some(due) = due.filter(|due| !(due.saturating_sub(EARLY_MS)..=due + LATE_MS).contains(&at)) {
        return Some(format!("{} is due at {due} ms and comes at {at} ms", step.action.name()));
    }
    let waits =
        |reason: &&Reason| reason.released_by == Some(place) && visible(world, reason).next().is_some();
    let waiter = reasons.iter().find(waits).filter(|_| whole)?;
    let shown = confirmed(world, lines, after, waiter);
    shown
        .is_none()
        .then(|| format!("no later line shows {}, which waits for it, whole", waiter.action.name()))
}

/// How early and how late an action may be that is due by a clock, in milliseconds.
const EARLY_MS: u64 = 1_000;
const LATE_MS: u64 = 2_500;

#[test]
fn the_reason_is_what_the_later_lines_confirm() {
    let only = std::env::var("MOUNTPATH_STUCK").unwrap_or_default();
    let mut wrong = Vec::new();
    for (name, note, wish, proof) in STUCK.iter().filter(|row| row.0.contains(&only)) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recordings/{name}.jsonl"));
        let text = std::fs::read_to_string(path).expect("a recording");
        let lines = read(&text).expect("lines");
        let is_it = |line: &&Observation| matches!(&line.what, Seen::Note(text) if text == note);
        let at = lines.iter().find(is_it).unwrap_or_else(|| panic!("{name} has no {note}")).line;
        let standing = replay_until(&text, at).unwrap_or_else(|error| panic!("{name}: {error}"));
        let world = &standing.world;
        let begin = std::time::Instant::now();
        let explanation = explain_since(world, &standing.past, goal(world, wish));
        let told = Why { world, explanation: &explanation }.to_string();
        println!("== {name}, {note}, {:.0?}\n{told}", begin.elapsed());
        let against = match (proof, &explanation) {
            (_, Explanation::Reached | Explanation::TooFar(_)) => Some("it explains nothing".into()),
            (Missing(texts), _) => {
                texts.iter().find(|text| !told.contains(*text)).map(|text| format!("it lacks `{text}`"))
            }
            (Shown, Explanation::Waits(reasons)) => objection(world, &lines, at, reasons, true),
            (First, Explanation::Waits(reasons)) => objection(world, &lines, at, reasons, false),
            (Shown | First, Explanation::Never(_)) => Some("it leads nowhere".into()),
        };
        wrong.extend(against.map(|against| format!("{name}, {note}: {against}:\n{told}")));
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), STUCK.len(), wrong.join("\n"));
}
