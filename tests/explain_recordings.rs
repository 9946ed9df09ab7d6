//! What explains the moments at which real volumes were stuck is what the rest of their recordings shows.

use mountpath::model::{
    Action, ActorId, Change, Explanation, FaultKind, Goal, Link, Reason, Role, Subject, World, explain_since,
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
}

/// What confirms an explanation.
enum Proof {
    /// What has to happen first happens in later lines, by the same actor and to the same object.
    Shown,
    /// The recording ends stuck; the explanation holds this text.
    Missing(&'static str),
}

use Proof::{Missing, Shown};
use Wish::{Bound, Deleted, Detached, Gone, Left, Runs};

/// Each recording, the note at which it is stuck, what is waited for, and what confirms why.
const STUCK: &[(&str, &str, Wish, Proof)] = &[
    ("05-multi-attach", "dump: multi-attach", Runs("app2"), Shown),
    ("06-attach-persistent", "dump: stuck", Detached, Shown),
    ("07-publish-delete-final", "dump: failing", Runs("app"), Shown),
    ("07-publish-internal", "dump: failing", Runs("app"), Shown),
    ("07-stage-delete-uncertain", "dump: failing", Runs("app"), Shown),
    ("07-stage-hang", "dump: failing", Runs("app"), Shown),
    ("07-stage-internal", "dump: failing", Runs("app"), Shown),
    ("08b-attach-required-no-attacher", "dump: stuck", Runs("app"), Shown),
    ("09-driver-not-registered", "dump: stuck", Runs("app"), Shown),
    (
        "10-create-invalidargument",
        "dump: failing",
        Bound("data"),
        Missing("external-provisioner (provisioner-calls-create"),
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
    ("17-rwop", "dump: second-pending", Runs("app2"), Shown),
    ("17-rwop", "dump: third-stuck", Runs("app2"), Shown),
    ("19-attach-limit", "dump: third-unschedulable", Runs("app3"), Shown),
    ("20a-storageclass-missing", "dump: stuck", Bound("data"), Shown),
    ("20b-pvc-missing", "dump: stuck", Runs("app"), Shown),
    ("20c-no-storageclass", "dump: stuck", Bound("data"), Shown),
    (
        "20d-topology-conflict",
        "dump: stuck",
        Runs("app"),
        Missing("scheduler-binds-pod (rule SC4): the Node does not fit the Pod"),
    ),
    ("20f-provisioner-missing", "dump: stuck", Bound("data"), Missing("provisioner")),
    ("20g-static-pv-mismatch", "dump: stuck", Bound("data"), Missing("not what the claim asks for")),
    ("21-detach-failing", "dump: stuck", Left("node-1"), Shown),
    ("23a-driver-crash", "dump: driver-down", Runs("app"), Shown),
    ("23a-driver-crash", "dump: unmount-failing", Gone("app"), Shown),
    ("24b-restore-missing-snapshot", "dump: stuck", Bound("restored"), Missing("source")),
    ("28-finalizer-stuck-ns", "reached: pod app gone", Detached, Shown),
    ("30-unpublish-failing", "dump: unpublish-failing", Gone("app"), Shown),
    ("30-unpublish-failing", "dump: unstage-failing", Detached, Shown),
    ("34-provisioner-crash", "dump: attacher-dead", Detached, Shown),
    ("37-kcm-restart-while-attached", "dump: kcm-down", Detached, Shown),
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
    }
}

/// What keeps the goal away: what has to come from outside, or else what comes first and can be seen.
fn first(reasons: &[Reason]) -> Option<&Reason> {
    let outside = reasons.iter().find(|reason| reason.outside);
    // What is written as it was leaves no line, and neither does a device.
    let seen = |change: &Change| match change {
        Change::Write { from, to, .. } => from != to,
        Change::Device { .. } => false,
        _ => true,
    };
    outside.or_else(|| reasons.iter().find(|reason| reason.changes.iter().any(seen)))
}

/// Whether a later line shows this step, by its actor and about its object.
fn shows(world: &World, line: &Observation, reason: &Reason) -> bool {
    if let (Action::Outside(_), Subject::Fault(fault)) = (reason.action, reason.action.subject())
        && let (Some(FaultKind::Down { role, node }), Seen::Note(text)) =
            (world.fault(fault).map(|fault| &fault.kind), &line.what)
    {
        let name = match role {
            Role::AttachDetachController => "kube-controller-manager".into(),
            Role::DriverNode | Role::DriverController => "driver process".into(),
            _ => world.actor(ActorId { role: *role, node: None }).to_string(),
        };
        let on = node.is_none_or(|node| role_is_elsewhere(text) || text.contains(&world.node(node).name));
        return text.contains(&name) && text.contains("start") && on;
    }
    reason.changes.iter().any(|change| match (change, &line.what) {
        (
            Change::Write { object, by, .. },
            Seen::Update(seen, _) | Seen::Create(seen, _) | Seen::Delete(seen),
        )
        | (Change::Create { object, by }, Seen::Create(seen, _))
        | (Change::Delete { object, by }, Seen::Delete(seen)) => {
            *seen == world.object(*object).to_string() && line.by == world.actor(*by).to_string()
        }
        (Change::Call { method, caller, reply: None, .. }, Seen::Call(seen, _)) => {
            seen == method.name() && line.by == world.actor(*caller).to_string()
        }
        (Change::Event { object, event, .. }, Seen::Event(seen, _, reason, _)) => {
            *seen == world.object(*object).to_string() && event.text(world).1 == reason
        }
        _ => false,
    })
}

/// The driver's process serves every Node.
fn role_is_elsewhere(text: &str) -> bool {
    text.contains("driver process")
}

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
        let confirmed = match (proof, &explanation) {
            (_, Explanation::Reached | Explanation::TooFar(_)) => false,
            (Missing(text), _) => told.contains(text),
            (Shown, Explanation::Waits(reasons)) => first(reasons).is_some_and(|reason| {
                lines.iter().filter(|line| line.line > at).any(|line| shows(world, line, reason))
            }),
            (Shown, Explanation::Never(_)) => false,
        };
        if !confirmed {
            wrong.push(format!("{name}, {note}:\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), STUCK.len(), wrong.join("\n"));
}
