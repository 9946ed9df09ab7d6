//! Why a mount fails before any call leaves, and why the populator leaves a Pod's volume out.

use crate::model::{ClaimId, Link, NodeId, PodId, VolumeId, VolumeMode, VolumeSpec, World, names};

/// Why a mount fails before any call leaves (K4, D1 to D4, D13, D15, D17), in upstream's order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MountError {
    /// The PersistentVolume's node affinity does not admit the Node.
    NodeAffinity,
    /// The volume is ReadWriteOncePod, and another Pod has it.
    AnotherPod,
    /// There is no VolumeAttachment.
    AttachmentMissing,
    /// The VolumeAttachment has a deletionTimestamp.
    AttachmentDeleting,
    /// It has a `status.attachError`.
    AttachFailed,
    /// Its `status.attached` is not true.
    AttachmentNotAttached,
    /// kubelet does not know the driver.
    NotRegistered,
    /// The CSIDriver does not admit inline volumes.
    NotEphemeral,
    /// The secret for NodeStageVolume is not there.
    StageSecretMissing,
    /// The secret for NodePublishVolume is not there.
    PublishSecretMissing,
}

impl MountError {
    /// Every one.
    pub const ALL: [MountError; 10] = [
        MountError::NodeAffinity,
        MountError::AnotherPod,
        MountError::AttachmentMissing,
        MountError::AttachmentDeleting,
        MountError::AttachFailed,
        MountError::AttachmentNotAttached,
        MountError::NotRegistered,
        MountError::NotEphemeral,
        MountError::StageSecretMissing,
        MountError::PublishSecretMissing,
    ];

    /// Whether it can ever happen in a world: only some volumes name secrets.
    pub(in crate::model) fn is_possible(self, world: &World) -> bool {
        let named = |of: fn(&VolumeSpec) -> &Option<String>| {
            world.volumes().any(|volume| of(world.volume(volume)).is_some())
        };
        match self {
            MountError::StageSecretMissing => named(|volume| &volume.stage_secret),
            MountError::PublishSecretMissing => named(|volume| &volume.node_publish_secret),
            MountError::NodeAffinity
            | MountError::AnotherPod
            | MountError::AttachmentMissing
            | MountError::AttachmentDeleting
            | MountError::AttachFailed
            | MountError::AttachmentNotAttached
            | MountError::NotRegistered
            | MountError::NotEphemeral => true,
        }
    }

    /// The error as kubelet spells it; `device` says that it is the device's turn, not the Pod's.
    ///
    /// Source: pkg/volume/csi/csi_attacher.go, csi_mounter.go, csi_block.go.
    pub fn text(self, world: &World, link: Link, device: bool) -> String {
        let (volume, driver) = (world.volume(link.volume), world.driver());
        let (handle, node) = (&volume.handle, &world.node(link.node).name);
        let attachment = || names::attachment_name(handle, &driver.name, node);
        match self {
            MountError::NodeAffinity => "no matching NodeSelectorTerms".into(),
            MountError::AnotherPod => {
                "volume uses the ReadWriteOncePod access mode and is already in use by another pod".into()
            }
            MountError::AttachmentMissing => {
                let va = attachment();
                let forbidden =
                    forbidden("volumeattachments", "storage.k8s.io", "at the cluster scope", node);
                format!(
                    "volume {handle} has GET error for volume attachment {va}: \
                     volumeattachments.storage.k8s.io \"{va}\" {forbidden}"
                )
            }
            // Its text is that of the `status.attachError`.
            MountError::AttachFailed => String::new(),
            MountError::AttachmentDeleting => "volume attachment is being deleted".into(),
            MountError::AttachmentNotAttached => {
                format!("volume {handle} is not attached for volume attachment {}", attachment())
            }
            MountError::NotRegistered => {
                let asked = match (volume.mode, device) {
                    (VolumeMode::Filesystem, true) => {
                        "attacher.MountDevice failed to create newCsiDriverClient"
                    }
                    (VolumeMode::Filesystem, false) => "mounter.SetUpAt failed to get CSI client",
                    (VolumeMode::Block, true) => "blockMapper.SetUpDevice failed to get CSI client",
                    (VolumeMode::Block, false) => "blockMapper.MapPodDevice failed to get CSI client",
                };
                format!(
                    "kubernetes.io/csi: {asked}: driver name {} not found in the list of registered CSI drivers",
                    driver.name
                )
            }
            MountError::StageSecretMissing => no_secret("NodeStageSecretRef", volume.stage_secret.as_deref()),
            MountError::PublishSecretMissing => {
                no_secret("NodePublishSecretRef", volume.node_publish_secret.as_deref())
            }
            MountError::NotEphemeral => {
                let modes =
                    if driver.object { "only supports [\"Persistent\"]" } else { "no CSIDriver object" };
                format!(
                    "kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode \
                     \"Ephemeral\" not supported by driver {} ({modes})",
                    driver.name
                )
            }
        }
    }
}

/// Source: pkg/volume/csi/csi_attacher.go, csi_mounter.go, csi_util.go `getCredentialsFromSecret`.
fn no_secret(reference: &str, secret: Option<&str>) -> String {
    let (namespace, name) = secret.and_then(|secret| secret.split_once('/')).unwrap_or_default();
    format!(
        "fetching {reference} {namespace}/{name} failed: kubernetes.io/csi: failed to find the secret {name} in the \
         namespace {namespace} with error: secrets \"{name}\" not found"
    )
}

/// Why the populator leaves a Pod's volume out of the desired state (K1, D11), in upstream's order.
///
/// Source: pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go `getPVCExtractPV`, `getPVSpec`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unprocessed {
    /// The API server does not know yet that the Pod is on this Node, so it shows the Node no claim of it.
    ClaimForbidden,
    /// There is no claim.
    ClaimMissing,
    /// The claim is being deleted, and its protection is gone.
    ClaimDeleting,
    /// The claim's phase is not `Bound`.
    ClaimNotBound,
    /// The claim has no `spec.volumeName`.
    ClaimWithoutVolume,
    /// There is no PersistentVolume.
    VolumeMissing,
    /// The PersistentVolume has no `spec.claimRef`.
    VolumeUnclaimed,
    /// The PersistentVolume's `spec.claimRef` is of another claim.
    VolumeOfAnotherClaim,
    /// Another Pod of the Node wants the volume with another SELinux label, and it is mounted with one (D14).
    SeLinuxConflict,
}

impl Unprocessed {
    /// Every one.
    pub const ALL: [Unprocessed; 9] = [
        Unprocessed::ClaimForbidden,
        Unprocessed::ClaimMissing,
        Unprocessed::ClaimDeleting,
        Unprocessed::ClaimNotBound,
        Unprocessed::ClaimWithoutVolume,
        Unprocessed::VolumeMissing,
        Unprocessed::VolumeUnclaimed,
        Unprocessed::VolumeOfAnotherClaim,
        Unprocessed::SeLinuxConflict,
    ];

    /// Whether it can ever happen in a world: only some drivers have volumes mounted with a label.
    pub(in crate::model) fn is_possible(self, world: &World) -> bool {
        self != Unprocessed::SeLinuxConflict || world.driver().se_linux_mount
    }

    /// The error as kubelet spells it.
    pub fn text(self, world: &World, of: Processed) -> String {
        let claim = world.claim_of(of.pod).map(|id| world.claim(id));
        let (claim, uid) = claim.map_or(("", ""), |claim| (&claim.name, &claim.uid));
        let pv = of.volume.map_or("", |volume| &world.volume(volume).pv);
        let node = &world.node(of.node).name;
        let why = match self {
            Unprocessed::ClaimForbidden => {
                let scope = format!("in the namespace \"{}\"", world.namespace());
                let forbidden = forbidden("persistentvolumeclaims", "", &scope, node);
                format!("failed to fetch PVC from API server: persistentvolumeclaims \"{claim}\" {forbidden}")
            }
            Unprocessed::ClaimMissing => {
                format!("failed to fetch PVC from API server: persistentvolumeclaims \"{claim}\" not found")
            }
            Unprocessed::ClaimDeleting => "PVC is being deleted".into(),
            Unprocessed::ClaimNotBound => "PVC is not bound".into(),
            Unprocessed::ClaimWithoutVolume => "PVC has empty pvc.Spec.VolumeName".into(),
            Unprocessed::VolumeMissing => {
                let forbidden = forbidden("persistentvolumes", "", "at the cluster scope", node);
                format!("failed to fetch PV {pv} from API server: persistentvolumes \"{pv}\" {forbidden}")
            }
            Unprocessed::VolumeUnclaimed => format!(
                "found PV object {pv} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim"
            ),
            Unprocessed::VolumeOfAnotherClaim => {
                let other = of.holder.map_or("", |id| &world.claim(id).uid);
                format!(
                    "found PV object {pv} but its pv.Spec.ClaimRef.UID {other} does not point to claim.UID {uid}"
                )
            }
            Unprocessed::SeLinuxConflict => {
                let label = |pod| world.pod(pod).se_linux.as_deref().unwrap_or_default();
                let (mine, own) = (label(of.pod), world.claim_of(of.pod));
                let mut others =
                    world.pods().filter(|pod| world.claim_of(*pod) == own && label(*pod) != mine);
                let other = others.next().map_or("", label);
                return format!("conflicting SELinux labels of volume {pv}: \"{other}\" and \"{mine}\"");
            }
        };
        format!("error processing PVC {}/{claim}: {why}", world.namespace())
    }
}

/// What the populator looked at when it left a volume out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Processed {
    /// The Pod.
    pub pod: PodId,
    /// Its Node.
    pub node: NodeId,
    /// The volume that its claim names.
    pub volume: Option<VolumeId>,
    /// The claim that the volume names.
    pub holder: Option<ClaimId>,
}

/// What the API server answers a Node that asks for an object which no Pod of its own needs.
///
/// Source: plugin/pkg/auth/authorizer/node/node_authorizer.go.
pub fn forbidden(resource: &str, group: &str, scope: &str, node: &str) -> String {
    format!(
        "is forbidden: User \"system:node:{node}\" cannot get resource \"{resource}\" in API group \"{group}\" \
         {scope}: no relationship found between node '{node}' and this object"
    )
}
