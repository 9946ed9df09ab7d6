//! kubelet where a volume is to grow on its Node: NodeExpandVolume while it is mounted, and as a part of a mount (K18).

mod check;
mod event;
mod rules;

use super::action::{Fact, Subject};
use super::driver::answers;
use super::pack::hash_seldom;
use super::timing::{EXPAND_BACKOFF, POD_SYNC, WRITE, When};
use super::turn::Turn;
use super::{Action, Cluster, FaultId, Link, Method, PodId, Role, Unmet, World};
pub use check::{Check, Left, NodeExpandError, Sizes, check, left, node_expand_error, plugin_error};
pub use event::Event;
pub(super) use rules::{at_mount, forget};
use std::hash::{Hash, Hasher};

/// How far an expansion on a Node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum ExpandStep {
    /// None is under way.
    #[default]
    Idle,
    /// It is a part of a mount and comes next.
    Due,
    /// The claim's status tells that it is under way.
    Marked,
    /// NodeExpandVolume has left.
    Called,
    /// The driver has expanded the file system; its reply is under way.
    Done,
    /// The reply is there.
    Expanded,
    /// The Events are sent.
    Told,
}

/// What kubelet remembers of a volume's size on its Node, and its expansion under way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Expand {
    /// The size in GiB to which it has expanded the volume since it is mounted; 0 for none.
    pub size: u16,
    /// How far the expansion is.
    pub step: ExpandStep,
    /// The Pod whose path the driver is given.
    pub pod: Option<PodId>,
    /// It is a part of that Pod's mount.
    pub mounts: bool,
    /// The driver does not do it while the volume is in use, so no more is tried before the next mount.
    pub stopped: bool,
    /// Told that the volume is read-only here.
    pub told: bool,
    /// The last try of this expansion failed.
    pub failed: bool,
}

impl Hash for Expand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { size, step, pod, mounts, stopped, told, failed } = self;
        hash_seldom(self, state, |state| {
            (size, step, pod, mounts, stopped, told, failed).hash(state);
        });
    }
}

/// Something that kubelet does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    MarksExpanding(Link),
    FindsReadOnly(Link),
    CallsExpand(Link),
    FindsNoExpand(Link),
    ReceivesExpandOk(Link),
    ReceivesExpandFailed(Link, FaultId),
    TellsExpanded(Link),
    FinishesExpand(Link),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const EXPANDER: &str = "pkg/volume/util/operationexecutor/node_expander.go";
        const CSI: &str = "pkg/volume/csi/expander.go";
        const GENERATOR: &str = "pkg/volume/util/operationexecutor/operation_generator.go";
        let fact = |name, source| Fact { role: Role::Kubelet, rule: "K18", name, source };
        match self {
            Act::MarksExpanding(_) => fact("kubelet-marks-expanding", EXPANDER),
            Act::FindsReadOnly(_) => fact("kubelet-finds-read-only", GENERATOR),
            Act::CallsExpand(_) => fact("kubelet-calls-node-expand", CSI),
            Act::FindsNoExpand(_) => fact("kubelet-finds-no-expand", CSI),
            Act::ReceivesExpandOk(_) => fact("kubelet-receives-expand-ok", CSI),
            Act::ReceivesExpandFailed(..) => fact("kubelet-receives-expand-failed", EXPANDER),
            Act::TellsExpanded(_) => fact("kubelet-tells-expanded", EXPANDER),
            Act::FinishesExpand(_) => fact("kubelet-finishes-expand", EXPANDER),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::MarksExpanding(link)
            | Act::FindsReadOnly(link)
            | Act::CallsExpand(link)
            | Act::FindsNoExpand(link)
            | Act::ReceivesExpandOk(link)
            | Act::ReceivesExpandFailed(link, _)
            | Act::TellsExpanded(link)
            | Act::FinishesExpand(link) => Subject::Link(link),
        }
    }

    pub(super) fn when(self, _: &World, cluster: &Cluster) -> When {
        match self {
            Act::MarksExpanding(link) => {
                let expand = cluster.place(link).expand;
                match (expand.failed, expand.step) {
                    (true, _) => EXPAND_BACKOFF,
                    (false, ExpandStep::Due) => When::After(WRITE.ms),
                    // The populator looks at a mounted volume's size when its Pod is synced.
                    (false, _) => When::Every { period: POD_SYNC.ms, offset: 20_000 },
                }
            }
            Act::FindsReadOnly(_) => When::Every { period: POD_SYNC.ms, offset: 20_000 },
            Act::CallsExpand(_)
            | Act::FindsNoExpand(_)
            | Act::ReceivesExpandOk(_)
            | Act::ReceivesExpandFailed(..)
            | Act::TellsExpanded(_)
            | Act::FinishesExpand(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::MarksExpanding(link) => rules::marks(t, link),
            Act::FindsReadOnly(link) => rules::finds_read_only(t, link),
            Act::CallsExpand(link) => rules::calls(t, link),
            Act::FindsNoExpand(link) => rules::finds_no_expand(t, link),
            Act::ReceivesExpandOk(link) => rules::receives_ok(t, link),
            Act::ReceivesExpandFailed(link, fault) => rules::receives_failed(t, link, fault),
            Act::TellsExpanded(link) => rules::tells(t, link),
            Act::FinishesExpand(link) => rules::finishes(t, link),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    // Only a claim whose user asks for more grows; a static PersistentVolume may be larger than its claim asks.
    if world.claims().all(|claim| world.claim(claim).resizes.is_empty()) {
        return;
    }
    for link in world.links() {
        let all = [
            Act::MarksExpanding(link),
            Act::FindsReadOnly(link),
            Act::CallsExpand(link),
            Act::FindsNoExpand(link),
            Act::ReceivesExpandOk(link),
            Act::TellsExpanded(link),
            Act::FinishesExpand(link),
        ];
        found.extend(all.map(Action::KubeletExpand));
        let faults = answers(world, Method::NodeExpandVolume);
        let faults = faults.map(|id| Action::KubeletExpand(Act::ReceivesExpandFailed(link, id)));
        found.extend(faults);
    }
}
