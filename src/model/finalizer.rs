//! The finalizers on the volume path, and sets of them.

use super::names;

/// A finalizer, named by what it keeps an object for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Finalizer {
    /// `kubernetes.io/pvc-protection`
    PvcProtection,
    /// `kubernetes.io/pv-protection`
    PvProtection,
    /// `external-provisioner.volume.kubernetes.io/finalizer`
    Provisioner,
    /// The external-attacher's, with the driver's name in it.
    Attacher,
    /// `snapshot.storage.kubernetes.io/pvc-as-source-protection`
    SnapshotOfClaim,
    /// `provisioner.storage.kubernetes.io/cloning-protection`
    Cloning,
    /// `snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection`
    SnapshotAsSource,
    /// `snapshot.storage.kubernetes.io/volumesnapshot-bound-protection`
    SnapshotBound,
    /// `snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection`
    ContentBound,
    /// `provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection`
    SnapshotRestored,
    /// One that somebody else put there, and that nobody here lifts.
    Foreign,
}

impl Finalizer {
    /// Every finalizer.
    pub const ALL: [Finalizer; 11] = [
        Finalizer::PvcProtection,
        Finalizer::PvProtection,
        Finalizer::Provisioner,
        Finalizer::Attacher,
        Finalizer::SnapshotOfClaim,
        Finalizer::Cloning,
        Finalizer::SnapshotAsSource,
        Finalizer::SnapshotBound,
        Finalizer::ContentBound,
        Finalizer::SnapshotRestored,
        Finalizer::Foreign,
    ];

    /// The finalizer as it stands in `metadata.finalizers`.
    pub fn text(self, driver: &str) -> String {
        match self {
            Finalizer::PvcProtection => "kubernetes.io/pvc-protection".into(),
            Finalizer::PvProtection => "kubernetes.io/pv-protection".into(),
            Finalizer::Provisioner => "external-provisioner.volume.kubernetes.io/finalizer".into(),
            Finalizer::Attacher => names::attacher_finalizer(driver),
            Finalizer::SnapshotOfClaim => "snapshot.storage.kubernetes.io/pvc-as-source-protection".into(),
            Finalizer::Cloning => "provisioner.storage.kubernetes.io/cloning-protection".into(),
            Finalizer::SnapshotAsSource => {
                "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection".into()
            }
            Finalizer::SnapshotBound => {
                "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection".into()
            }
            Finalizer::ContentBound => {
                "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection".into()
            }
            Finalizer::SnapshotRestored => {
                "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection".into()
            }
            Finalizer::Foreign => "example.com/held".into(),
        }
    }
}

/// `metadata.finalizers` of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FinalizerSet(u16);

impl FinalizerSet {
    /// A set of these.
    pub fn of(all: &[Finalizer]) -> Self {
        all.iter().fold(Self::default(), |set, f| set.with(*f))
    }

    /// Whether none is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one is in it.
    pub fn contains(self, finalizer: Finalizer) -> bool {
        self.0 & bit(finalizer) != 0
    }

    /// The set with this one in it.
    pub fn with(self, finalizer: Finalizer) -> Self {
        Self(self.0 | bit(finalizer))
    }

    /// The set without this one.
    pub fn without(self, finalizer: Finalizer) -> Self {
        Self(self.0 & !bit(finalizer))
    }

    /// Those in it, in the order in which the API server's recordings show them: by their text.
    pub fn texts(self, driver: &str) -> Vec<String> {
        let mut texts: Vec<String> =
            Finalizer::ALL.into_iter().filter(|f| self.contains(*f)).map(|f| f.text(driver)).collect();
        texts.sort();
        texts
    }
}

fn bit(finalizer: Finalizer) -> u16 {
    1_u16.wrapping_shl(finalizer as u32)
}
