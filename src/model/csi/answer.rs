//! The code that a driver answers a call with: required arguments first, then what they name, then the state.

use super::{Abilities, CsiMode, Gate, Rpc, second_publish};
use crate::model::Code;

/// An argument that names something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Arg {
    /// It is empty, which is the same as missing.
    Empty,
    /// It names nothing that is there.
    Unknown,
    /// It names something.
    #[default]
    Known,
}

/// Whether what a call asks for is there already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Existing {
    /// It is not.
    #[default]
    No,
    /// It is, and as the call would have it.
    Same,
    /// It is, and otherwise than the call would have it.
    Other,
}

/// Where a volume is staged on the Node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StagedAt {
    /// Nowhere.
    #[default]
    Nowhere,
    /// At the path of the call.
    Path(Existing),
    /// At another path.
    Elsewhere,
}

/// What the arguments of a call name. By default every one is there and names something that exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// `name`; it is never unknown.
    pub name: Arg,
    /// `volume_id`, or `source_volume_id` of CreateSnapshot.
    pub volume: Arg,
    /// `node_id`
    pub node: Arg,
    /// `snapshot_id`
    pub snapshot: Arg,
    /// The volume or snapshot in `volume_content_source`; `Known` where there is none.
    pub source: Arg,
    /// `volume_capability` is there, or at least one in `volume_capabilities`.
    pub capability: bool,
    /// `staging_target_path` is there.
    pub staging_path: bool,
    /// `target_path` is there, or `volume_path`.
    pub path: bool,
    /// `capacity_range` is there.
    pub range: bool,
    /// `starting_token` is empty or one that the driver gave.
    pub token: bool,
    /// The parameters are ones that the driver supports.
    pub parameters: bool,
    /// The size is one that the driver allows.
    pub size: bool,
    /// The access mode of the capability.
    pub mode: CsiMode,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            name: Arg::Known,
            volume: Arg::Known,
            node: Arg::Known,
            snapshot: Arg::Known,
            source: Arg::Known,
            capability: true,
            staging_path: true,
            path: true,
            range: true,
            token: true,
            parameters: true,
            size: true,
            mode: CsiMode::default(),
        }
    }
}

/// What the driver finds when a call arrives. By default nothing was done before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// A volume or snapshot of this name.
    pub named: Existing,
    /// The volume is published to the Node by the controller plugin.
    pub published: Existing,
    /// It is published to another Node, its mode admits one Node, and the driver sees to that.
    pub published_elsewhere: bool,
    /// The Node has as many volumes as it may have, or the backend has no room.
    pub full: bool,
    /// It is staged on the Node.
    pub staged: StagedAt,
    /// It is published at the target path.
    pub at_target: Existing,
    /// It is published at another target path of the Node.
    pub at_other_target: bool,
    /// The driver follows the specification's table and refuses a second target path where one is too many.
    pub one_target: bool,
    /// The volume or snapshot is in use, so that this call cannot touch it.
    pub in_use: bool,
    /// Another call about it is under way.
    pub busy: bool,
}

/// The code of the answer.
///
/// Source: CSI spec, the error tables of each RPC and the general error scheme.
pub fn answer(rpc: Rpc, abilities: Abilities, request: &Request, found: &Found) -> Code {
    checked(rpc, abilities, request, found).err().unwrap_or(Code::Ok)
}

fn checked(rpc: Rpc, abilities: Abilities, request: &Request, found: &Found) -> Result<(), Code> {
    let has = |gate| abilities.has(gate);
    need(rpc.gate().is_none_or(has), Code::Unimplemented)?;
    need(!found.busy, Code::Aborted)?;
    match rpc {
        Rpc::GetPluginInfo
        | Rpc::GetPluginCapabilities
        | Rpc::Probe
        | Rpc::GetCapacity
        | Rpc::ControllerGetCapabilities
        | Rpc::NodeGetCapabilities
        | Rpc::NodeGetInfo => Ok(()),
        Rpc::ListVolumes | Rpc::ListSnapshots => need(request.token, Code::Aborted),
        Rpc::CreateVolume => {
            given(request.name)?;
            need(request.capability && request.parameters, Code::InvalidArgument)?;
            known(request.source)?;
            need(request.size, Code::OutOfRange)?;
            created(found)
        }
        Rpc::CreateSnapshot => {
            given(request.name)?;
            known(request.volume)?;
            created(found)
        }
        Rpc::DeleteVolume => gone(request.volume, found),
        Rpc::DeleteSnapshot => gone(request.snapshot, found),
        Rpc::GetSnapshot => known(request.snapshot),
        Rpc::ControllerGetVolume => known(request.volume),
        Rpc::ValidateVolumeCapabilities => {
            given(request.volume)?;
            need(request.capability, Code::InvalidArgument)?;
            known(request.volume)
        }
        Rpc::ControllerPublishVolume => controller_publish(request, found),
        Rpc::ControllerUnpublishVolume => {
            given(request.volume)?;
            // What is not there is not published either, and that is what the call asks for.
            Ok(())
        }
        Rpc::ControllerExpandVolume => {
            given(request.volume)?;
            need(request.range, Code::InvalidArgument)?;
            known(request.volume)?;
            need(request.size, Code::OutOfRange)?;
            need(!found.in_use, Code::FailedPrecondition)
        }
        Rpc::ControllerModifyVolume => {
            known(request.volume)?;
            need(request.parameters, Code::InvalidArgument)
        }
        Rpc::NodeStageVolume => {
            given(request.volume)?;
            need(request.staging_path && request.capability, Code::InvalidArgument)?;
            known(request.volume)?;
            match found.staged {
                StagedAt::Nowhere => {
                    // The device is not on this Node.
                    let attached = !has(Gate::PublishUnpublishVolume) || found.published != Existing::No;
                    need(attached, Code::Internal)
                }
                StagedAt::Path(Existing::Other) => Err(Code::AlreadyExists),
                StagedAt::Path(Existing::No | Existing::Same) => Ok(()),
                StagedAt::Elsewhere => Err(Code::FailedPrecondition),
            }
        }
        Rpc::NodeUnstageVolume => {
            given(request.volume)?;
            need(request.staging_path, Code::InvalidArgument)?;
            known(request.volume)?;
            need(found.at_target == Existing::No && !found.at_other_target, Code::Internal)
        }
        Rpc::NodePublishVolume => node_publish(abilities, request, found),
        Rpc::NodeUnpublishVolume | Rpc::NodeGetVolumeStats => {
            given(request.volume)?;
            need(request.path, Code::InvalidArgument)?;
            known(request.volume)
        }
        Rpc::NodeExpandVolume => {
            given(request.volume)?;
            need(request.path, Code::InvalidArgument)?;
            known(request.volume)?;
            need(request.size, Code::OutOfRange)?;
            need(!found.in_use, Code::FailedPrecondition)
        }
    }
}

/// A call that makes something of a name.
fn created(found: &Found) -> Result<(), Code> {
    match found.named {
        Existing::No => need(!found.full, Code::ResourceExhausted),
        Existing::Same => Ok(()),
        Existing::Other => Err(Code::AlreadyExists),
    }
}

/// A call that removes something: what is not there is removed already.
fn gone(id: Arg, found: &Found) -> Result<(), Code> {
    given(id)?;
    need(id == Arg::Unknown || !found.in_use, Code::FailedPrecondition)
}

fn controller_publish(request: &Request, found: &Found) -> Result<(), Code> {
    given(request.volume)?;
    given(request.node)?;
    need(request.capability, Code::InvalidArgument)?;
    known(request.volume)?;
    known(request.node)?;
    match found.published {
        Existing::Same => Ok(()),
        Existing::Other => Err(Code::AlreadyExists),
        Existing::No => {
            need(!found.published_elsewhere, Code::FailedPrecondition)?;
            need(!found.full, Code::ResourceExhausted)
        }
    }
}

fn node_publish(abilities: Abilities, request: &Request, found: &Found) -> Result<(), Code> {
    let stages = abilities.has(Gate::StageUnstageVolume);
    given(request.volume)?;
    need(request.path && request.capability, Code::InvalidArgument)?;
    known(request.volume)?;
    need(!stages || request.staging_path, Code::FailedPrecondition)?;
    need(!stages || found.staged != StagedAt::Nowhere, Code::FailedPrecondition)?;
    let multi_writer = abilities.has(Gate::SingleNodeMultiWriter);
    let code = match found.at_target {
        Existing::Same => second_publish(multi_writer, request.mode, true, true),
        Existing::Other => second_publish(multi_writer, request.mode, true, false),
        Existing::No if found.at_other_target && found.one_target => {
            second_publish(multi_writer, request.mode, false, true)
        }
        Existing::No => Code::Ok,
    };
    need(code == Code::Ok, code)
}

fn need(holds: bool, code: Code) -> Result<(), Code> {
    if holds { Ok(()) } else { Err(code) }
}

/// A required argument is there.
fn given(arg: Arg) -> Result<(), Code> {
    need(arg != Arg::Empty, Code::InvalidArgument)
}

/// A required argument is there and names something.
fn known(arg: Arg) -> Result<(), Code> {
    given(arg)?;
    need(arg == Arg::Known, Code::NotFound)
}
