//! The access mode of a CSI request, from those of the PersistentVolume (rpc.md §5).

use crate::model::AccessMode;

/// An access mode of the CSI specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CsiMode {
    /// `SINGLE_NODE_WRITER`
    SingleNodeWriter,
    /// `MULTI_NODE_READER_ONLY`
    MultiNodeReaderOnly,
    /// `MULTI_NODE_MULTI_WRITER`
    MultiNodeMultiWriter,
    /// `SINGLE_NODE_SINGLE_WRITER`
    SingleNodeSingleWriter,
    /// `SINGLE_NODE_MULTI_WRITER`
    SingleNodeMultiWriter,
}

impl CsiMode {
    /// Its name in the CSI specification.
    pub fn name(self) -> &'static str {
        match self {
            CsiMode::SingleNodeWriter => "SINGLE_NODE_WRITER",
            CsiMode::MultiNodeReaderOnly => "MULTI_NODE_READER_ONLY",
            CsiMode::MultiNodeMultiWriter => "MULTI_NODE_MULTI_WRITER",
            CsiMode::SingleNodeSingleWriter => "SINGLE_NODE_SINGLE_WRITER",
            CsiMode::SingleNodeMultiWriter => "SINGLE_NODE_MULTI_WRITER",
        }
    }
}

/// Why a set of access modes has no mode in CSI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ModeError {
    /// ReadWriteOncePod stands beside another.
    OncePodWithOthers,
    /// ReadOnlyMany stands beside ReadWriteOnce.
    ReadersWithWriter,
    /// There is none.
    None,
}

impl ModeError {
    /// The message.
    pub fn message(self, modes: &[AccessMode]) -> String {
        match self {
            ModeError::OncePodWithOthers => "Kubernetes does not support use of ReadWriteOncePod with other \
                                             access modes on the same PersistentVolume"
                .into(),
            ModeError::ReadersWithWriter => {
                "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume".into()
            }
            ModeError::None => {
                let names: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
                format!("unsupported AccessMode combination: [{}]", names.join(" "))
            }
        }
    }
}

/// The mode that the external-attacher asks for: it looks at the whole set, and the first that fits wins.
/// `multi_writer` says whether the controller plugin has SINGLE_NODE_MULTI_WRITER.
///
/// Source: csi-lib-utils accessmodes/access_modes.go `ToCSIAccessMode`.
///
/// # Errors
/// When the modes do not go together.
pub fn csi_mode(modes: &[AccessMode], multi_writer: bool) -> Result<CsiMode, ModeError> {
    let has = |mode| modes.contains(&mode);
    if has(AccessMode::ReadWriteOncePod) {
        let alone = modes.iter().all(|mode| *mode == AccessMode::ReadWriteOncePod);
        return match (alone, multi_writer) {
            (false, _) => Err(ModeError::OncePodWithOthers),
            (true, true) => Ok(CsiMode::SingleNodeSingleWriter),
            (true, false) => Ok(CsiMode::SingleNodeWriter),
        };
    }
    if has(AccessMode::ReadWriteMany) {
        return Ok(CsiMode::MultiNodeMultiWriter);
    }
    match (has(AccessMode::ReadOnlyMany), has(AccessMode::ReadWriteOnce)) {
        (true, true) => Err(ModeError::ReadersWithWriter),
        (true, false) => Ok(CsiMode::MultiNodeReaderOnly),
        (false, true) if multi_writer => Ok(CsiMode::SingleNodeMultiWriter),
        (false, true) => Ok(CsiMode::SingleNodeWriter),
        (false, false) => Err(ModeError::None),
    }
}
