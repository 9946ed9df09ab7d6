//! external-resizer: it has the driver grow and modify volumes, and says in the claim's status how far it is.

mod error;
mod event;
mod expand;
mod modify;

use super::action::{Fact, Subject};
use super::driver::answers;
use super::fault::fault_in_store;
use super::growth::{Allocated, Condition, Modify};
use super::timing::{
    MODIFY_BACKOFF, MODIFY_SLOWLY, RESIZE_BACKOFF, RESIZE_SLOWLY, RESIZER_RESYNC, RESIZER_TIMEOUT, WATCH,
    WRITE, When,
};
use super::turn::Turn;
use super::{Action, ClaimId, Cluster, Code, Failure, FaultId, Method, Role, Unmet, World};
pub use error::{ResizeError, expand_error, modify_error};
pub use event::Event;
pub use expand::next_size;
pub(super) use expand::{finish, forgets, set_allocated, set_conditions};

/// Something that external-resizer does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    MarksResizing(ClaimId),
    SaysVolumeInUse(ClaimId),
    CallsExpand(ClaimId),
    ReceivesExpandOk(ClaimId),
    ReceivesExpandFailed(ClaimId, FaultId),
    ReceivesExpandRefused(ClaimId),
    RecordsCapacity(ClaimId),
    LeavesRestToNode(ClaimId),
    FinishesResize(ClaimId),
    FindsNoAttributesClass(ClaimId),
    MarksModifying(ClaimId),
    CallsModify(ClaimId),
    ReceivesModifyOk(ClaimId),
    ReceivesModifyFailed(ClaimId, FaultId),
    ReceivesModifyRefused(ClaimId),
    RecordsAttributes(ClaimId),
    FinishesModify(ClaimId),
    CancelsModify(ClaimId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const EXPAND: &str = "external-resizer pkg/controller/expand_and_recover.go";
        const STATUS: &str = "external-resizer pkg/controller/resize_status.go";
        const IN_USE: &str = "external-resizer pkg/controller/controller.go:685";
        const CAPACITY: &str = "external-resizer pkg/controller/controller.go:623";
        const MODIFY: &str = "external-resizer pkg/modifycontroller/modify_volume.go";
        const MODIFY_STATUS: &str = "external-resizer pkg/modifycontroller/modify_status.go";
        let fact = |rule, name, source| Fact { role: Role::ExternalResizer, rule, name, source };
        match self {
            Act::MarksResizing(_) => fact("ER1", "resizer-marks-resizing", STATUS),
            Act::SaysVolumeInUse(_) => fact("ER2", "resizer-says-volume-in-use", IN_USE),
            Act::CallsExpand(_) => fact("ER1", "resizer-calls-controller-expand", EXPAND),
            Act::ReceivesExpandOk(_) => fact("ER1", "resizer-receives-expand-ok", EXPAND),
            Act::ReceivesExpandFailed(..) => fact("ER2", "resizer-receives-expand-failed", EXPAND),
            Act::ReceivesExpandRefused(_) => fact("ER2", "resizer-receives-expand-refused", EXPAND),
            Act::RecordsCapacity(_) => fact("ER3", "resizer-records-capacity", CAPACITY),
            Act::LeavesRestToNode(_) => fact("ER4", "resizer-leaves-rest-to-node", STATUS),
            Act::FinishesResize(_) => fact("ER4", "resizer-finishes-resize", STATUS),
            Act::FindsNoAttributesClass(_) => fact("ER5", "resizer-finds-no-attributes-class", MODIFY),
            Act::MarksModifying(_) => fact("ER5", "resizer-marks-modifying", MODIFY_STATUS),
            Act::CallsModify(_) => fact("ER5", "resizer-calls-controller-modify", MODIFY),
            Act::ReceivesModifyOk(_) => fact("ER5", "resizer-receives-modify-ok", MODIFY),
            Act::ReceivesModifyFailed(..) => fact("ER5", "resizer-receives-modify-failed", MODIFY_STATUS),
            Act::ReceivesModifyRefused(_) => fact("ER5", "resizer-receives-modify-refused", MODIFY_STATUS),
            Act::RecordsAttributes(_) => fact("ER5", "resizer-records-attributes-class", MODIFY),
            Act::FinishesModify(_) => fact("ER5", "resizer-finishes-modify", MODIFY_STATUS),
            Act::CancelsModify(_) => fact("ER5", "resizer-cancels-modify", MODIFY),
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::MarksResizing(claim)
            | Act::SaysVolumeInUse(claim)
            | Act::CallsExpand(claim)
            | Act::ReceivesExpandOk(claim)
            | Act::ReceivesExpandFailed(claim, _)
            | Act::ReceivesExpandRefused(claim)
            | Act::RecordsCapacity(claim)
            | Act::LeavesRestToNode(claim)
            | Act::FinishesResize(claim)
            | Act::FindsNoAttributesClass(claim)
            | Act::MarksModifying(claim)
            | Act::CallsModify(claim)
            | Act::ReceivesModifyOk(claim)
            | Act::ReceivesModifyFailed(claim, _)
            | Act::ReceivesModifyRefused(claim)
            | Act::RecordsAttributes(claim)
            | Act::FinishesModify(claim)
            | Act::CancelsModify(claim) => Subject::Claim(claim),
        }
    }

    pub(super) fn when(self, world: &World, cluster: &Cluster) -> When {
        // A reply that is to be lost does not come.
        let answered = |of| {
            let lost = fault_in_store(world, cluster, of, None, true);
            if lost { When::OnCommand } else { When::After(WRITE.ms) }
        };
        match self {
            Act::MarksResizing(claim) => {
                let growth = cluster.claim(claim).growth;
                match growth.allocated {
                    _ if growth.raised => When::After(WATCH.ms),
                    // Nobody tells it what came of an expansion on a Node.
                    Allocated::NodeResizeInfeasible => {
                        When::Every { period: RESIZER_RESYNC.ms, offset: 300_000 }
                    }
                    _ if growth.slow => RESIZE_SLOWLY,
                    // A claim whose status tells of an expansion that is not under way has failed.
                    _ if growth.conditions.contains(Condition::Resizing) => RESIZE_BACKOFF,
                    _ => When::After(WATCH.ms),
                }
            }
            Act::ReceivesExpandFailed(_, id) | Act::ReceivesModifyFailed(_, id) => {
                When::After(if Failure::Fault(id).hangs(world) { RESIZER_TIMEOUT.ms } else { WRITE.ms })
            }
            Act::ReceivesExpandOk(_) => answered(Method::ControllerExpandVolume),
            Act::ReceivesModifyOk(_) => answered(Method::ControllerModifyVolume),
            Act::MarksModifying(claim) => {
                let growth = cluster.claim(claim).growth;
                match growth.modify {
                    // Another class may be feasible.
                    _ if growth.target.is_none() || growth.target != growth.attributes => {
                        When::After(WATCH.ms)
                    }
                    Modify::Infeasible => MODIFY_SLOWLY,
                    Modify::None | Modify::Pending | Modify::InProgress => MODIFY_BACKOFF,
                }
            }
            Act::FindsNoAttributesClass(_) | Act::CancelsModify(_) => When::After(WATCH.ms),
            Act::SaysVolumeInUse(_) => RESIZE_BACKOFF,
            Act::CallsExpand(_)
            | Act::ReceivesExpandRefused(_)
            | Act::RecordsCapacity(_)
            | Act::LeavesRestToNode(_)
            | Act::FinishesResize(_)
            | Act::CallsModify(_)
            | Act::ReceivesModifyRefused(_)
            | Act::RecordsAttributes(_)
            | Act::FinishesModify(_) => When::After(WRITE.ms),
        }
    }

    pub(super) fn run(self, t: &mut Turn) -> Result<(), Unmet> {
        match self {
            Act::MarksResizing(claim) => expand::marks(t, claim),
            Act::SaysVolumeInUse(claim) => expand::says_in_use(t, claim),
            Act::CallsExpand(claim) => expand::calls(t, claim),
            Act::ReceivesExpandOk(claim) => expand::receives_ok(t, claim),
            Act::ReceivesExpandFailed(claim, fault) => expand::receives_failed(t, claim, fault),
            Act::ReceivesExpandRefused(claim) => expand::receives_refused(t, claim),
            Act::RecordsCapacity(claim) => expand::records_capacity(t, claim),
            Act::LeavesRestToNode(claim) => expand::leaves_rest_to_node(t, claim),
            Act::FinishesResize(claim) => expand::finishes(t, claim),
            Act::FindsNoAttributesClass(claim) => modify::finds_no_class(t, claim),
            Act::MarksModifying(claim) => modify::marks(t, claim),
            Act::CallsModify(claim) => modify::calls(t, claim),
            Act::ReceivesModifyOk(claim) => modify::receives_ok(t, claim),
            Act::ReceivesModifyFailed(claim, fault) => modify::receives_failed(t, claim, fault),
            Act::ReceivesModifyRefused(claim) => modify::receives_refused(t, claim),
            Act::RecordsAttributes(claim) => modify::records_attributes(t, claim),
            Act::FinishesModify(claim) => modify::finishes(t, claim),
            Act::CancelsModify(claim) => modify::cancels(t, claim),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for claim in world.claims() {
        if !world.claim(claim).resizes.is_empty() {
            let all = [
                Act::MarksResizing(claim),
                Act::SaysVolumeInUse(claim),
                Act::CallsExpand(claim),
                Act::ReceivesExpandOk(claim),
                Act::ReceivesExpandRefused(claim),
                Act::RecordsCapacity(claim),
                Act::LeavesRestToNode(claim),
                Act::FinishesResize(claim),
            ];
            found.extend(all.map(Action::Resizer));
            let faults = answers(world, Method::ControllerExpandVolume);
            let faults = faults.map(|id| Action::Resizer(Act::ReceivesExpandFailed(claim, id)));
            found.extend(faults);
        }
        if world.attributes_classes().next().is_some() {
            let all = [
                Act::FindsNoAttributesClass(claim),
                Act::MarksModifying(claim),
                Act::CallsModify(claim),
                Act::ReceivesModifyOk(claim),
                Act::ReceivesModifyRefused(claim),
                Act::RecordsAttributes(claim),
                Act::FinishesModify(claim),
                Act::CancelsModify(claim),
            ];
            found.extend(all.map(Action::Resizer));
            let faults = answers(world, Method::ControllerModifyVolume);
            let faults = faults.map(|id| Action::Resizer(Act::ReceivesModifyFailed(claim, id)));
            found.extend(faults);
        }
    }
}

/// The code of a fault that answers a call.
fn code_of(t: &Turn, fault: FaultId) -> Result<Code, Unmet> {
    t.world.fault(fault).and_then(super::Fault::code).ok_or(Unmet::NoSuchFault)
}
