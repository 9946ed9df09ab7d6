//! The access modes of the CSI specification, and what a second NodePublishVolume on one Node gets.

use crate::model::Code;

/// `VolumeCapability.AccessMode.Mode`
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[allow(missing_docs, reason = "each variant is the name that `name` spells")]
pub enum CsiMode {
    #[default]
    SingleNodeWriter,
    SingleNodeReaderOnly,
    MultiNodeReaderOnly,
    MultiNodeSingleWriter,
    MultiNodeMultiWriter,
    SingleNodeSingleWriter,
    SingleNodeMultiWriter,
}

const MODES: [(CsiMode, &str); 7] = [
    (CsiMode::SingleNodeWriter, "SINGLE_NODE_WRITER"),
    (CsiMode::SingleNodeReaderOnly, "SINGLE_NODE_READER_ONLY"),
    (CsiMode::MultiNodeReaderOnly, "MULTI_NODE_READER_ONLY"),
    (CsiMode::MultiNodeSingleWriter, "MULTI_NODE_SINGLE_WRITER"),
    (CsiMode::MultiNodeMultiWriter, "MULTI_NODE_MULTI_WRITER"),
    (CsiMode::SingleNodeSingleWriter, "SINGLE_NODE_SINGLE_WRITER"),
    (CsiMode::SingleNodeMultiWriter, "SINGLE_NODE_MULTI_WRITER"),
];

impl CsiMode {
    /// Its name in the specification.
    pub fn name(self) -> &'static str {
        MODES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The mode of this name.
    pub fn named(name: &str) -> Option<CsiMode> {
        MODES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Whether several Nodes may have the volume at once.
    pub fn is_multi_node(self) -> bool {
        match self {
            CsiMode::MultiNodeReaderOnly | CsiMode::MultiNodeSingleWriter | CsiMode::MultiNodeMultiWriter => {
                true
            }
            CsiMode::SingleNodeWriter
            | CsiMode::SingleNodeReaderOnly
            | CsiMode::SingleNodeSingleWriter
            | CsiMode::SingleNodeMultiWriter => false,
        }
    }
}

/// The code of a second NodePublishVolume of a volume on one Node, as the specification's table recommends it.
///
/// Source: CSI spec, NodePublishVolume, the table of second calls.
pub fn second_publish(multi_writer: bool, mode: CsiMode, same_target: bool, same_arguments: bool) -> Code {
    let several = mode.is_multi_node() || (multi_writer && mode == CsiMode::SingleNodeMultiWriter);
    match (same_target, same_arguments, several) {
        (true, true, _) => Code::Ok,
        (true, false, _) => Code::AlreadyExists,
        (false, _, true) => Code::Ok,
        (false, _, false) => Code::FailedPrecondition,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_publish_gets_what_the_specification_recommends() {
        let row = |multi_writer, mode| {
            [(true, true), (true, false), (false, true), (false, false)]
                .map(|(target, arguments)| second_publish(multi_writer, mode, target, arguments))
        };
        let strict = [Code::Ok, Code::AlreadyExists, Code::FailedPrecondition, Code::FailedPrecondition];
        let several = [Code::Ok, Code::AlreadyExists, Code::Ok, Code::Ok];
        for (mode, name) in MODES {
            assert_eq!(CsiMode::named(name), Some(mode));
            let multi_node = name.starts_with("MULTI_NODE");
            assert_eq!(row(false, mode), if multi_node { several } else { strict }, "{name}");
            let shared = multi_node || mode == CsiMode::SingleNodeMultiWriter;
            assert_eq!(row(true, mode), if shared { several } else { strict }, "{name}");
        }
    }
}
