//! When things happen: upstream's periods and deadlines, and from them when an enabled action comes due.

/// A period, delay or deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duration {
    /// Its name.
    pub name: &'static str,
    /// Its length in milliseconds.
    pub ms: u64,
    /// Where upstream sets it; `measured` where it is how long the work took on a real cluster.
    pub source: &'static str,
}

const fn known(name: &'static str, ms: u64, source: &'static str) -> Duration {
    Duration { name, ms, source }
}

/// The attach-detach controller's reconcile loop.
pub const ADC_LOOP: Duration = known(
    "adc.reconciler_loop_period",
    100,
    "pkg/controller/volume/attachdetach/attach_detach_controller.go:90",
);
/// Its first look at a VolumeAttachment after it asked for something; later looks come 5 % later each.
pub const ATTACH_POLL: Duration = known("csi.attach_poll_initial", 500, "pkg/volume/csi/csi_attacher.go:485");
/// The longest pause between two such looks.
pub const ATTACH_POLL_MAX: Duration =
    known("csi.attach_poll_max", 7000, "pkg/volume/csi/csi_attacher.go:485");
/// The wait after a failed operation.
pub const BACKOFF: Duration =
    known("op.backoff_initial", 500, "pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go:31");
/// kubelet's loop that reads Pods into the desired state.
pub const POPULATOR: Duration =
    known("kubelet.populator_loop", 100, "pkg/kubelet/volumemanager/volume_manager.go:64");
/// kubelet's loop that mounts and unmounts.
pub const RECONCILER: Duration =
    known("kubelet.reconciler_loop", 100, "pkg/kubelet/volumemanager/volume_manager.go:60");
/// kubelet's look whether a Pod's volumes are mounted.
pub const MOUNT_POLL: Duration =
    known("kubelet.pod_attach_mount_poll", 300, "pkg/kubelet/volumemanager/volume_manager.go:79");
/// kubelet's look whether a terminated Pod's volumes are gone.
pub const VOLUMES_EXIST_POLL: Duration =
    known("kubelet.pod_volumes_exist_poll", 100, "pkg/kubelet/kubelet.go SyncTerminatedPod");
/// How often kubelet renews its node status.
pub const NODE_STATUS: Duration =
    known("kubelet.node_status_update_frequency", 10_000, "pkg/kubelet/apis/config/v1beta1/defaults.go:149");
/// The grace period of a deleted Pod.
pub const GRACE: Duration =
    known("pod.termination_grace_period", 30_000, "pkg/apis/core/v1/defaults.go SetDefaults_PodSpec");
/// A change reaches whoever watches.
pub const WATCH: Duration = known("watch", 5, "measured");
/// A write to the API server, or a call that has nothing to do at the other end.
pub const WRITE: Duration = known("write", 4, "measured");
/// The backend attaches or detaches.
pub const BACKEND: Duration = known("backend", 40, "measured");
/// A mount or an unmount.
pub const MOUNT: Duration = known("mount", 10, "measured");
/// Sandbox and containers come up.
pub const START: Duration = known("containers_start", 250, "measured");
/// A container that heeds SIGTERM comes down.
pub const STOP: Duration = known("containers_stop", 700, "measured");

/// How often kubelet looks at a Pod anew, and so at the size of its volumes.
pub const POD_SYNC: Duration =
    known("kubelet.sync_frequency", 60_000, "pkg/kubelet/apis/config/v1beta1/defaults.go:79");

/// How often the PersistentVolume controller looks at every claim and PersistentVolume.
pub const PV_RESYNC: Duration =
    known("pvcontroller.sync_period", 15_000, "pkg/controller/volume/persistentvolume/config");
/// How often the scheduler looks whether the volumes of a Pod are bound.
pub const BIND_POLL: Duration =
    known("scheduler.bind_poll", 1_000, "pkg/scheduler/framework/plugins/volumebinding/binder.go");
/// How long it waits for that.
pub const BIND_TIMEOUT: Duration =
    known("scheduler.bind_timeout", 600_000, "pkg/scheduler VolumeBindingArgs.bindTimeoutSeconds");
/// How long a Pod that failed to be scheduled rests; each failure doubles it.
pub const POD_BACKOFF: Duration = known(
    "scheduler.pod_initial_backoff",
    1_000,
    "pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodInitialBackoffDuration",
);
/// The longest such rest.
pub const POD_BACKOFF_MAX: Duration = known(
    "scheduler.pod_max_backoff",
    10_000,
    "pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodMaxBackoffDuration",
);
/// The external-provisioner's wait after a failure; each failure doubles it.
pub const PROVISION_RETRY: Duration = known(
    "provisioner.retry_interval_start",
    1_000,
    "external-provisioner cmd/csi-provisioner/csi-provisioner.go",
);
/// Its longest wait.
pub const PROVISION_RETRY_MAX: Duration = known(
    "provisioner.retry_interval_max",
    300_000,
    "external-provisioner cmd/csi-provisioner/csi-provisioner.go",
);
/// How often the external-provisioner asks for the capacity.
pub const CAPACITY_POLL: Duration = known(
    "provisioner.capacity_poll_interval",
    60_000,
    "external-provisioner cmd/csi-provisioner/csi-provisioner.go",
);
/// When CreateVolume is called again after a failure.
pub const PROVISION_BACKOFF: When = When::Backoff {
    first: PROVISION_RETRY.ms,
    most: PROVISION_RETRY_MAX.ms,
    failed: &["provisioner-receives-create-failed"],
};
/// When DeleteVolume is tried again after a failure.
pub const DELETE_BACKOFF: When = When::Backoff {
    first: PROVISION_RETRY.ms,
    most: PROVISION_RETRY_MAX.ms,
    failed: &["provisioner-receives-delete-failed", "provisioner-finds-still-attached"],
};
/// When a Pod is tried again after a failure.
pub const SCHEDULE_BACKOFF: When = When::Backoff {
    first: POD_BACKOFF.ms,
    most: POD_BACKOFF_MAX.ms,
    failed: &["scheduler-sees-binding-fail", "scheduler-times-out", "scheduler-finds-no-node"],
};

/// Every duration, for pages and tests.
pub const DURATIONS: [Duration; 25] = [
    ADC_LOOP,
    ATTACH_POLL,
    ATTACH_POLL_MAX,
    BACKOFF,
    POPULATOR,
    RECONCILER,
    MOUNT_POLL,
    VOLUMES_EXIST_POLL,
    NODE_STATUS,
    GRACE,
    WATCH,
    WRITE,
    BACKEND,
    MOUNT,
    START,
    STOP,
    POD_SYNC,
    PV_RESYNC,
    BIND_POLL,
    BIND_TIMEOUT,
    POD_BACKOFF,
    POD_BACKOFF_MAX,
    PROVISION_RETRY,
    PROVISION_RETRY_MAX,
    CAPACITY_POLL,
];

/// When an enabled action comes due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Not by itself.
    OnCommand,
    /// So many milliseconds after it became possible.
    After(u64),
    /// At the next beat of a loop.
    Every {
        /// The loop's period in milliseconds.
        period: u64,
        /// The time of one beat.
        offset: u64,
    },
    /// At the next poll of an operation that began with the last of these actions on the same volume and Node.
    Poll(&'static [&'static str]),
    /// After a wait that each failure doubles: an act of one of these names about the same thing.
    Backoff {
        /// The wait after the first failure, in milliseconds.
        first: u64,
        /// The longest wait, in milliseconds.
        most: u64,
        /// What counts as a failure.
        failed: &'static [&'static str],
    },
}

impl When {
    /// The same with a back-off spelled out, after so many failures.
    pub fn after_failures(self, failures: u32) -> When {
        match self {
            When::Backoff { first, most, failed: _ } => {
                let doubled = 2_u64.saturating_pow(failures.saturating_sub(1)).saturating_mul(first);
                When::After(doubled.min(most))
            }
            When::OnCommand | When::After(_) | When::Every { .. } | When::Poll(_) => self,
        }
    }
}

impl When {
    /// The time at which an action comes due that is possible since `since`; `began` is when its operation
    /// began. `None` when it does not come by itself.
    pub fn due(self, since: u64, began: u64) -> Option<u64> {
        match self {
            When::OnCommand => None,
            When::After(ms) => Some(since + ms),
            When::Backoff { first, .. } => Some(since + first),
            When::Every { period, offset } => {
                // A beat at the very moment is missed: its loop has looked already.
                let wait = (offset % period + period - since % period) % period;
                Some(since + if wait == 0 { period } else { wait })
            }
            When::Poll(_) => {
                let (mut at, mut pause) = (began + ATTACH_POLL.ms, ATTACH_POLL.ms);
                while at < since {
                    pause = (pause + pause / 20).min(ATTACH_POLL_MAX.ms);
                    at += pause;
                }
                Some(at)
            }
        }
    }
}
