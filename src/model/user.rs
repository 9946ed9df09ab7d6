//! What a user does, with kubectl or a script (U1 to U4).

mod storage;

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::timing::When;
use super::turn::{Turn, need};
use super::{
    Action, AttributesId, ClaimId, ClassId, Cluster, ObjectId, Phase, Pod, PodId, Presence, Role, SnapshotId,
    Unmet, VolumeId, World, user_grows,
};

type Step = Result<(), Unmet>;

/// Something that a user does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "each variant is the sentence that its name in `fact` spells")]
pub enum Act {
    CreatesPod(PodId),
    DeletesPod(PodId),
    CreatesClass(ClassId),
    CreatesClaim(ClaimId),
    DeletesClaim(ClaimId),
    CreatesVolume(VolumeId),
    ClearsClaimRef(VolumeId),
    DeletesVolume(VolumeId),
    ResizesClaim(ClaimId, u8),
    ModifiesClaim(ClaimId, AttributesId),
    CreatesSnapshot(SnapshotId),
    DeletesSnapshot(SnapshotId),
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        const RESIZE: &str = "plugin/pkg/admission/storage/persistentvolume/resize/admission.go";
        const CLAIM: &str = "pkg/apis/core/validation/validation.go";
        const SNAPSHOT: &str = "external-snapshotter client/apis/volumesnapshot/v1/types.go";
        let fact =
            |rule, name| Fact { role: Role::User, rule, name, source: "pkg/registry/core/pod/strategy.go" };
        match self {
            Act::CreatesPod(_) => fact("U2", "user-creates-pod"),
            Act::DeletesPod(_) => fact("U3", "user-deletes-pod"),
            Act::CreatesClass(_) => storage::fact("U1", "user-creates-class"),
            Act::CreatesClaim(_) => storage::fact("U1", "user-creates-claim"),
            Act::DeletesClaim(_) => storage::fact("U4", "user-deletes-claim"),
            Act::CreatesVolume(_) => storage::fact("U1", "user-creates-volume"),
            Act::ClearsClaimRef(_) => storage::fact("PV8", "user-clears-claim-ref"),
            Act::DeletesVolume(_) => storage::fact("U4", "user-deletes-volume"),
            Act::ResizesClaim(..) => Fact { source: RESIZE, ..fact("U5", "user-resizes-claim") },
            Act::ModifiesClaim(..) => Fact { source: CLAIM, ..fact("U5", "user-modifies-claim") },
            Act::CreatesSnapshot(_) => Fact { source: SNAPSHOT, ..fact("U6", "user-creates-snapshot") },
            Act::DeletesSnapshot(_) => Fact { source: SNAPSHOT, ..fact("U6", "user-deletes-snapshot") },
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self {
            Act::CreatesPod(pod) | Act::DeletesPod(pod) => Subject::Pod(pod),
            Act::CreatesClass(class) => Subject::Class(class),
            Act::CreatesClaim(claim) | Act::DeletesClaim(claim) => Subject::Claim(claim),
            Act::CreatesVolume(volume) | Act::ClearsClaimRef(volume) | Act::DeletesVolume(volume) => {
                Subject::Volume(volume)
            }
            Act::ResizesClaim(claim, _) | Act::ModifiesClaim(claim, _) => Subject::Claim(claim),
            Act::CreatesSnapshot(id) | Act::DeletesSnapshot(id) => Subject::Snapshot(id),
        }
    }

    /// What it asks a claim to become.
    pub(super) fn wish(self, world: &World) -> Option<String> {
        match self {
            Act::ResizesClaim(claim, nth) => {
                world.claim(claim).resizes.get(usize::from(nth)).map(|gib| format!("{gib}Gi"))
            }
            Act::ModifiesClaim(_, class) => Some(world.attributes_class(class).name.clone()),
            Act::CreatesPod(_)
            | Act::DeletesPod(_)
            | Act::CreatesClass(_)
            | Act::CreatesClaim(_)
            | Act::DeletesClaim(_)
            | Act::CreatesVolume(_)
            | Act::ClearsClaimRef(_)
            | Act::DeletesVolume(_)
            | Act::CreatesSnapshot(_)
            | Act::DeletesSnapshot(_) => None,
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::OnCommand
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self {
            Act::CreatesPod(id) => created(t, id),
            Act::DeletesPod(id) => deleted(t, id),
            Act::CreatesClass(id) => storage::class_created(t, id),
            Act::CreatesClaim(id) => storage::claim_created(t, id),
            Act::DeletesClaim(id) => storage::claim_deleted(t, id),
            Act::CreatesVolume(id) => storage::volume_created(t, id),
            Act::ClearsClaimRef(id) => storage::claim_ref_cleared(t, id),
            Act::DeletesVolume(id) => storage::volume_deleted(t, id),
            Act::ResizesClaim(id, nth) => user_grows::resizes(t, id, nth),
            Act::ModifiesClaim(id, class) => user_grows::modifies(t, id, class),
            Act::CreatesSnapshot(id) => user_grows::creates_snapshot(t, id),
            Act::DeletesSnapshot(id) => user_grows::deletes_snapshot(t, id),
        }
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for id in world.pods() {
        found.extend([Act::CreatesPod(id), Act::DeletesPod(id)].map(Action::User));
    }
    storage::candidates(world, found);
    for id in world.claims() {
        let sizes = 0..world.claim(id).resizes.len() as u8;
        found.extend(sizes.map(|nth| Action::User(Act::ResizesClaim(id, nth))));
        let classes = world.attributes_classes();
        found.extend(classes.map(|class| Action::User(Act::ModifiesClaim(id, class))));
    }
    for id in world.snapshots() {
        found.extend([Act::CreatesSnapshot(id), Act::DeletesSnapshot(id)].map(Action::User));
    }
}

/// U2: a user creates the Pod.
fn created(t: &mut Turn, id: PodId) -> Step {
    need(t.cluster.pod(id).presence == Presence::NotYet, Unmet::PodExists)?;
    let node = t.world.pod(id).node.and_then(|place| t.world.nodes().nth(place));
    *t.cluster.pod_mut(id) = Pod { presence: Presence::Here, node, ..Pod::default() };
    let object = ObjectId::Pod(id);
    t.create(object);
    if let Some(node) = node {
        t.write(object, Field::NodeName, Value::Absent, Value::Node(node));
    }
    t.write(object, Field::Phase, Value::Absent, Value::Phase(Phase::Pending));
    Ok(())
}

/// U3: a user deletes the Pod. A bound one stays until its kubelet lets go, an unbound one goes at once.
///
/// Source: pkg/registry/core/pod/strategy.go `CheckGracefulDelete`.
fn deleted(t: &mut Turn, id: PodId) -> Step {
    let pod = t.cluster.pod(id);
    need(pod.presence == Presence::Here, Unmet::PodMissing)?;
    need(!pod.deleting, Unmet::PodDeleting)?;
    let bound = pod.node.is_some();
    t.cluster.pod_mut(id).deleting = true;
    t.write(ObjectId::Pod(id), Field::DeletionTimestamp, Value::Absent, Value::Set);
    if !bound {
        t.cluster.pod_mut(id).presence = Presence::Gone;
        t.delete(ObjectId::Pod(id));
    }
    Ok(())
}
