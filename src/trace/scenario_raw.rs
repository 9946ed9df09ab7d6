//! A scenario file as TOML spells it, before its names are looked up.

use crate::model::{AccessMode, BindingMode, FsGroupPolicy, Reclaim, VolumeMode};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// A string with its place in the file.
pub type Text = Spanned<String>;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawScenario {
    pub name: Option<String>,
    pub namespace: Option<String>,
    pub given_until: Option<Text>,
    pub until_ms: Option<u64>,
    #[serde(default)]
    pub force_detach_disabled: bool,
    #[serde(default)]
    pub driver: RawDriver,
    #[serde(default)]
    pub nodes: Vec<RawNode>,
    #[serde(default)]
    pub classes: Vec<RawClass>,
    #[serde(default)]
    pub claims: Vec<RawClaim>,
    #[serde(default)]
    pub volumes: Vec<RawVolume>,
    #[serde(default)]
    pub snapshots: Vec<RawSnapshot>,
    #[serde(default)]
    pub pods: Vec<RawPod>,
    #[serde(default)]
    pub faults: Vec<Spanned<RawFault>>,
    #[serde(default)]
    pub script: Vec<RawCue>,
    #[serde(default)]
    pub attributes: Vec<RawAttributes>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct RawDriver {
    pub name: Option<String>,
    pub object: Option<bool>,
    pub attach_required: Option<bool>,
    pub ephemeral: Option<bool>,
    pub storage_capacity: Option<bool>,
    #[serde(deserialize_with = "fs_group_policy")]
    pub fs_group_policy: Option<FsGroupPolicy>,
    pub updates_allocatable: Option<bool>,
    pub attacher: Option<bool>,
    pub provisioner: Option<bool>,
    pub controller_publish: Option<bool>,
    pub node_stage: Option<bool>,
    pub controller_expand: Option<bool>,
    pub node_expand: Option<bool>,
    pub single_node_multi_writer: Option<bool>,
    pub lists_published_nodes: Option<bool>,
    pub mount_group: Option<bool>,
    pub topology: Option<bool>,
    pub resizer: Option<bool>,
    pub expands_online: Option<bool>,
    pub needs_node_expansion: Option<bool>,
    pub modify: Option<bool>,
    pub snapshots: Option<bool>,
    pub snapshots_slowly: Option<bool>,
    pub fences: Option<bool>,
    pub requires_republish: Option<bool>,
    pub publish_readonly: Option<bool>,
    pub socket: Option<String>,
    pub se_linux_mount: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawAttributes {
    pub name: String,
    #[serde(default)]
    pub missing: bool,
    pub rejected: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawNode {
    pub name: String,
    pub driver_id: Option<String>,
    pub limit: Option<u8>,
    pub pool: Option<u16>,
    #[serde(default = "yes")]
    pub registered: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawClass {
    pub name: String,
    pub provisioner: Option<String>,
    #[serde(default, deserialize_with = "binding")]
    pub binding: BindingMode,
    #[serde(default, deserialize_with = "reclaim")]
    pub reclaim: Reclaim,
    #[serde(default)]
    pub expansion: bool,
    #[serde(default)]
    pub default: bool,
    pub nodes: Option<Vec<Text>>,
    #[serde(default)]
    pub given: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawClaim {
    pub name: String,
    #[serde(default)]
    pub uid: String,
    pub class: Option<Text>,
    #[serde(default, deserialize_with = "access_mode")]
    pub access_mode: AccessMode,
    #[serde(default, deserialize_with = "volume_mode")]
    pub mode: VolumeMode,
    #[serde(default = "one")]
    pub gib: u16,
    pub volume: Option<Text>,
    pub snapshot: Option<Text>,
    pub clone: Option<Text>,
    #[serde(default)]
    pub given: bool,
    #[serde(default)]
    pub kept: bool,
    #[serde(default)]
    pub resizes: Vec<u16>,
    pub attributes: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawVolume {
    pub name: String,
    pub handle: String,
    pub claim: Option<Text>,
    pub pod: Option<Text>,
    #[serde(default, deserialize_with = "access_mode")]
    pub access_mode: AccessMode,
    #[serde(default, deserialize_with = "volume_mode")]
    pub mode: VolumeMode,
    #[serde(default = "one")]
    pub gib: u16,
    pub class: Option<Text>,
    #[serde(default, deserialize_with = "reclaim")]
    pub reclaim: Reclaim,
    pub nodes: Option<Vec<Text>>,
    #[serde(default)]
    pub fs_type: bool,
    #[serde(default, deserialize_with = "access_modes")]
    pub access_modes: Option<Vec<AccessMode>>,
    #[serde(default)]
    pub read_only: bool,
    pub publish_secret: Option<String>,
    #[serde(default)]
    pub secret_missing: bool,
    #[serde(default)]
    pub disk_missing: bool,
    pub stage_secret: Option<String>,
    pub node_publish_secret: Option<String>,
    pub made_gib: Option<u16>,
    pub owner_error: Option<String>,
    #[serde(default)]
    pub owner_seconds: u16,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawSnapshot {
    pub name: String,
    #[serde(default)]
    pub uid: String,
    pub claim: Text,
    pub handle: String,
    #[serde(default)]
    pub retain: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawPod {
    pub name: Text,
    #[serde(default)]
    pub uid: String,
    pub container: Option<String>,
    pub image: Option<String>,
    pub claim: Option<Text>,
    pub ephemeral: Option<Text>,
    pub inline: Option<Text>,
    pub node: Option<Text>,
    #[serde(default)]
    pub fs_group: bool,
    #[serde(default)]
    pub read_only: bool,
    pub namespace: Option<String>,
    pub nodes: Option<Vec<Text>>,
    pub volume_name: Option<String>,
    #[serde(default)]
    pub completes: bool,
    pub se_linux: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawFault {
    pub name: Option<String>,
    pub answer: Option<Text>,
    pub code: Option<Text>,
    pub message: Option<String>,
    #[serde(default)]
    pub did_it: bool,
    pub down: Option<Text>,
    pub refuse: Option<Text>,
    pub by_hand: Option<Text>,
    pub force: Option<Text>,
    pub taint: Option<Text>,
    #[serde(default)]
    pub delete_namespace: bool,
    pub node: Option<Text>,
    pub volume: Option<Text>,
    pub claim: Option<Text>,
    pub times: Option<u8>,
    pub hangs: Option<Text>,
    #[serde(default)]
    pub late_ms: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawCue {
    pub after: Option<Text>,
    pub of: Option<Text>,
    #[serde(default)]
    pub wait_ms: u64,
    #[serde(rename = "do")]
    pub action: Text,
    pub on: Option<Text>,
    pub node: Option<Text>,
    pub to: Option<Text>,
}

/// One of several access modes.
#[derive(Deserialize)]
struct Mode(#[serde(deserialize_with = "access_mode")] AccessMode);

fn yes() -> bool {
    true
}

fn one() -> u16 {
    1
}

/// Reads a word that stands for one of a few values.
fn word<'de, T: Copy, D: Deserializer<'de>>(from: D, words: &[(&str, T)]) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        serde::de::Error::custom(format!("`{text}` is none of {}", all.join(", ")))
    })
}

fn access_mode<'de, D: Deserializer<'de>>(from: D) -> Result<AccessMode, D::Error> {
    word(from, &AccessMode::ALL.map(|mode| (mode.name(), mode)))
}

fn access_modes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<AccessMode>>, D::Error> {
    Vec::<Mode>::deserialize(from).map(|modes| Some(modes.into_iter().map(|mode| mode.0).collect()))
}

fn volume_mode<'de, D: Deserializer<'de>>(from: D) -> Result<VolumeMode, D::Error> {
    word(from, &[("Filesystem", VolumeMode::Filesystem), ("Block", VolumeMode::Block)])
}

fn binding<'de, D: Deserializer<'de>>(from: D) -> Result<BindingMode, D::Error> {
    word(
        from,
        &[("Immediate", BindingMode::Immediate), ("WaitForFirstConsumer", BindingMode::WaitForFirstConsumer)],
    )
}

fn reclaim<'de, D: Deserializer<'de>>(from: D) -> Result<Reclaim, D::Error> {
    word(from, &[("Delete", Reclaim::Delete), ("Retain", Reclaim::Retain)])
}

fn fs_group_policy<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FsGroupPolicy>, D::Error> {
    let words = [
        ("ReadWriteOnceWithFSType", FsGroupPolicy::ReadWriteOnceWithFsType),
        ("File", FsGroupPolicy::File),
        ("None", FsGroupPolicy::None),
    ];
    word(from, &words).map(Some)
}
