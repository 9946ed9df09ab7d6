//! What people do by hand that takes a protection away; each such deed is a fault of the world.

use super::action::{Fact, Subject};
use super::effect::{Field, Value};
use super::fault::FaultKind;
use super::nodes::{TaintSet, begins_evictions, write_taints};
use super::timing::When;
use super::turn::{Turn, need};
use super::{Action, Attachment, Cause, ClaimId, Cluster, FaultId, Finalizer, FinalizerSet, Link, NodeId};
use super::{ObjectId, Role, Unmet, VolumeId, World, protection};

type Step = Result<(), Unmet>;

/// A deed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Deed {
    /// `kubectl delete node`
    DeleteNode(NodeId),
    /// `kubectl taint node NODE node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`
    TaintOutOfService(NodeId),
    /// `kubectl taint node NODE node.kubernetes.io/out-of-service-`: no harm in it, once the Node is back.
    UntaintOutOfService(NodeId),
    /// `kubectl delete volumeattachment`
    DeleteAttachment(Link),
    /// `kubectl patch volumeattachment NAME --type=merge -p '{"metadata":{"finalizers":null}}'`
    StripAttachment(Link),
    /// `kubectl create secret`: no harm in it, it is what a missing secret takes.
    CreateSecret(VolumeId),
    /// `kubectl patch pvc NAME --type=merge -p '{"metadata":{"finalizers":null}}'` on a claim that is to go.
    StripClaim(ClaimId),
    /// The same on a PersistentVolume that is to go.
    StripVolume(VolumeId),
}

/// A deed of the world's faults, done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Act {
    /// Which fault.
    pub fault: FaultId,
    /// Which deed.
    pub deed: Deed,
}

impl Act {
    pub(super) fn fact(self) -> Fact {
        let fact = |name, source| Fact { role: Role::User, rule: "by hand", name, source };
        match self.deed {
            Deed::DeleteNode(_) => fact("user-deletes-node", "pkg/registry/core/node/strategy.go"),
            Deed::TaintOutOfService(_) => {
                fact("user-taints-out-of-service", "staging/src/k8s.io/api/core/v1/well_known_taints.go:51")
            }
            Deed::UntaintOutOfService(_) => {
                fact("user-untaints-out-of-service", "staging/src/k8s.io/api/core/v1/well_known_taints.go:51")
            }
            Deed::DeleteAttachment(_) => {
                fact("user-deletes-attachment", "pkg/registry/storage/volumeattachment/strategy.go")
            }
            Deed::StripAttachment(_) => {
                fact("user-strips-attachment", "pkg/registry/storage/volumeattachment/strategy.go")
            }
            Deed::CreateSecret(_) => fact("user-creates-secret", "pkg/registry/core/secret/strategy.go"),
            Deed::StripClaim(_) => {
                fact("user-strips-claim", "pkg/registry/core/persistentvolumeclaim/strategy.go")
            }
            Deed::StripVolume(_) => {
                fact("user-strips-volume", "pkg/registry/core/persistentvolume/strategy.go")
            }
        }
    }

    pub(super) fn subject(self) -> Subject {
        match self.deed {
            Deed::DeleteNode(node) | Deed::TaintOutOfService(node) | Deed::UntaintOutOfService(node) => {
                Subject::Node(node)
            }
            Deed::DeleteAttachment(link) | Deed::StripAttachment(link) => Subject::Link(link),
            Deed::CreateSecret(volume) | Deed::StripVolume(volume) => Subject::Volume(volume),
            Deed::StripClaim(claim) => Subject::Claim(claim),
        }
    }

    pub(super) fn when(self, _: &World, _: &Cluster) -> When {
        When::OnCommand
    }

    pub(super) fn run(self, t: &mut Turn) -> Step {
        match self.deed {
            Deed::DeleteNode(node) => deletes_node(t, node)?,
            Deed::TaintOutOfService(node) => taints_out_of_service(t, node, true)?,
            Deed::UntaintOutOfService(node) => taints_out_of_service(t, node, false)?,
            Deed::DeleteAttachment(link) => deletes_attachment(t, link)?,
            Deed::StripAttachment(link) => strips_attachment(t, link)?,
            Deed::CreateSecret(volume) => {
                need(!t.cluster.secrets().contains(volume), Unmet::NothingNew)?;
                t.cluster.secrets_mut().insert(volume);
            }
            Deed::StripClaim(claim) => protection::strips_claim(t, claim)?,
            Deed::StripVolume(volume) => protection::strips_volume(t, volume)?,
        }
        t.spend(self.fault)
    }
}

pub(super) fn candidates(world: &World, found: &mut Vec<Action>) {
    for (fault, kind) in world.faults() {
        if let FaultKind::ByHand { deed } = kind.kind {
            found.push(Action::Hand(Act { fault, deed }));
        }
    }
}

/// With the object goes its status; the attach-detach controller remembers what it said.
fn deletes_node(t: &mut Turn, node: NodeId) -> Step {
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    t.cluster.node_mut(node).gone = true;
    for volume in t.world.volumes() {
        let place = t.cluster.place_mut(Link { volume, node });
        place.listed = false;
        place.in_use = false;
    }
    t.delete(ObjectId::Node(node));
    Ok(())
}

fn taints_out_of_service(t: &mut Turn, node: NodeId, to: bool) -> Step {
    need(!t.cluster.node(node).gone, Unmet::NodeMissing)?;
    let unmet = if to { Unmet::Tainted } else { Unmet::NotOutOfService };
    need(t.cluster.node(node).out_of_service != to, unmet)?;
    let from = TaintSet::of(t.cluster.node(node));
    t.cluster.node_mut(node).out_of_service = to;
    write_taints(t, node, from);
    if to {
        begins_evictions(t, node);
    }
    Ok(())
}

fn deletes_attachment(t: &mut Turn, link: Link) -> Step {
    let attachment = t.cluster.place(link).attachment;
    need(attachment.exists, Unmet::AttachmentMissing)?;
    need(!attachment.deleting, Unmet::AttachmentDeleting)?;
    t.cluster.causes_mut().insert(Cause::AttachmentDeletedByHand);
    let object = ObjectId::Attachment(link);
    if attachment.finalizer {
        t.cluster.place_mut(link).attachment.deleting = true;
        t.write(object, Field::DeletionTimestamp, Value::Absent, Value::Set);
    } else {
        t.cluster.place_mut(link).attachment = Attachment::default();
        t.delete(object);
    }
    Ok(())
}

/// Without the finalizer nothing holds a VolumeAttachment that is being deleted, whatever the backend does.
fn strips_attachment(t: &mut Turn, link: Link) -> Step {
    let attachment = t.cluster.place(link).attachment;
    need(attachment.exists, Unmet::AttachmentMissing)?;
    need(attachment.finalizer, Unmet::AttachmentNotFinalized)?;
    t.cluster.causes_mut().insert(Cause::AttachmentStripped);
    let object = ObjectId::Attachment(link);
    let held = Value::Finalizers(FinalizerSet::of(&[Finalizer::Attacher]));
    t.write(object, Field::Finalizers, held, Value::Absent);
    if attachment.deleting {
        t.cluster.place_mut(link).attachment = Attachment::default();
        t.delete(object);
    } else {
        t.cluster.place_mut(link).attachment.finalizer = false;
    }
    Ok(())
}
