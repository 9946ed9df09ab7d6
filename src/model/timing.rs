//! When things happen: upstream's periods and deadlines, and from them when an enabled action comes due.

pub use super::timing_backoff::*;

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
/// kubelet's look at the sockets of drivers.
pub const PLUGIN_MANAGER: Duration =
    known("kubelet.plugin_manager_loop", 1_000, "pkg/kubelet/pluginmanager/plugin_manager.go");
/// How often kubelet goes through a Pod without a cause.
pub const POD_SYNC: Duration =
    known("kubelet.sync_frequency", 60_000, "pkg/kubelet/apis/config/v1beta1/defaults.go:79");
/// How long kubelet leaves a Pod alone after an error.
pub const POD_SYNC_BACKOFF: Duration =
    known("kubelet.pod_sync_error_backoff", 10_000, "pkg/kubelet/kubelet.go backOffPeriod");
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
/// Every duration, for pages and tests.
pub const DURATIONS: &[Duration] = &[
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
    BACKOFF_MAX,
    ATTACH_TIMEOUT,
    FORCE_DETACH,
    ADC_SYNC,
    ATTACHER_RETRY,
    ATTACHER_RETRY_MAX,
    ATTACHER_SYNC,
    NODE_GRACE,
    EVICTION,
    POD_GC,
    POD_GC_QUARANTINE,
    ATTACH_AND_MOUNT,
    PV_RESYNC,
    BIND_POLL,
    BIND_TIMEOUT,
    POD_BACKOFF,
    POD_BACKOFF_MAX,
    PROVISION_RETRY,
    PROVISION_RETRY_MAX,
    CAPACITY_POLL,
    PLUGIN_MANAGER,
    POD_SYNC,
    POD_SYNC_BACKOFF,
    WORK,
    FSGROUP_EVENT,
    ATTACHER_TIMEOUT,
    PROVISIONER_TIMEOUT,
    RESIZER_TIMEOUT,
    SNAPSHOTTER_TIMEOUT,
    RESIZER_RESYNC,
];

/// The longest wait after a failed operation.
pub const BACKOFF_MAX: Duration =
    known("op.backoff_max", 122_000, "pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go:37");
/// How long the controller waits for a VolumeAttachment to be attached or gone.
pub const ATTACH_TIMEOUT: Duration =
    known("csi.in_tree_timeout", 120_000, "pkg/volume/csi/csi_plugin.go csiTimeout");
/// How long a volume that nobody wants may stay in use on a Node that is not ready.
pub const FORCE_DETACH: Duration = known(
    "adc.max_wait_for_unmount",
    360_000,
    "pkg/controller/volume/attachdetach/attach_detach_controller.go:91",
);
/// How often the controller looks whether what is attached still is.
pub const ADC_SYNC: Duration = known(
    "adc.reconcile_sync_period",
    60_000,
    "pkg/controller/volume/attachdetach/config/v1alpha1/defaults.go",
);
/// The external-attacher's wait after a failure.
pub const ATTACHER_RETRY: Duration = known(
    "attacher.retry_interval_start",
    1_000,
    "external-attacher cmd/csi-attacher/main.go --retry-interval-start",
);
/// Its longest wait after a failure.
pub const ATTACHER_RETRY_MAX: Duration = known(
    "attacher.retry_interval_max",
    300_000,
    "external-attacher cmd/csi-attacher/main.go --retry-interval-max",
);
/// How often it asks the driver what is published where.
pub const ATTACHER_SYNC: Duration =
    known("attacher.reconcile_sync", 60_000, "external-attacher cmd/csi-attacher/main.go --reconcile-sync");
/// How long a Node may be silent before it is not ready.
pub const NODE_GRACE: Duration =
    known("node.monitor_grace_period", 50_000, "node lifecycle controller --node-monitor-grace-period");
/// How long Pods tolerate a Node that is not ready.
pub const EVICTION: Duration =
    known("node.default_toleration_seconds", 300_000, "DefaultTolerationSeconds admission");
/// Pod garbage collection's loop.
pub const POD_GC: Duration =
    known("podgc.check_period", 20_000, "pkg/controller/podgc/gc_controller.go gcCheckPeriod");
/// How long a Node must be gone before its Pods are collected.
pub const POD_GC_QUARANTINE: Duration =
    known("podgc.orphan_quarantine", 40_000, "pkg/controller/podgc/gc_controller.go quarantineTime");

/// How long a container works that ends by itself.
pub const WORK: Duration = known("container_work", 5_000, "a Pod of a scenario");

/// How long kubelet waits for a Pod's volumes at a time.
pub const ATTACH_AND_MOUNT: Duration =
    known("kubelet.pod_attach_mount_timeout", 123_000, "pkg/kubelet/volumemanager/volume_manager.go:75");

/// How long kubelet changes the owner of files before it tells.
pub const FSGROUP_EVENT: Duration =
    known("kubelet.fsgroup_first_event", 30_000, "pkg/volume/volume_linux.go");

/// How long the external-attacher waits for the answer to a call.
pub const ATTACHER_TIMEOUT: Duration =
    known("attacher.timeout", 15_000, "external-attacher cmd/csi-attacher/main.go --timeout");

/// How long the external-provisioner waits for the answer to a call.
pub const PROVISIONER_TIMEOUT: Duration = known(
    "provisioner.timeout",
    10_000,
    "external-provisioner cmd/csi-provisioner/csi-provisioner.go --timeout",
);
/// How long the external-resizer does.
pub const RESIZER_TIMEOUT: Duration =
    known("resizer.timeout", 10_000, "external-resizer cmd/csi-resizer/main.go --timeout");
/// How long the csi-snapshotter does.
pub const SNAPSHOTTER_TIMEOUT: Duration =
    known("snapshotter.timeout", 60_000, "external-snapshotter cmd/csi-snapshotter/main.go --timeout");
/// How often the external-resizer looks at every claim.
pub const RESIZER_RESYNC: Duration =
    known("resizer.resync", 600_000, "external-resizer cmd/csi-resizer/main.go --resync-period");

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
    /// So many milliseconds after the last of these actions on the same volume and Node.
    Since {
        /// The names of the actions.
        names: &'static [&'static str],
        /// Milliseconds.
        ms: u64,
    },
    /// At the next beat of a loop; after failures only when their pause is over, which doubles each time.
    Retry {
        /// The loop's period in milliseconds.
        period: u64,
        /// The time of one beat.
        offset: u64,
        /// The pause after the first failure in milliseconds.
        pause: u64,
        /// The longest pause in milliseconds.
        most: u64,
        /// Actions on the same volume and Node that are failures.
        fails: &'static [&'static str],
        /// Actions on the same volume and Node after which failures begin to count anew.
        ends: &'static [&'static str],
    },
    /// So many milliseconds after it became possible; after failures, when a pause is over that doubles each time.
    RetryAfter {
        /// Without a failure, in milliseconds.
        first: u64,
        /// The pause after the first failure in milliseconds.
        pause: u64,
        /// The longest pause in milliseconds.
        most: u64,
        /// Actions on the same volume and Node that are failures.
        fails: &'static [&'static str],
        /// Actions on the same volume and Node after which failures begin to count anew.
        ends: &'static [&'static str],
        /// Actions on the same volume and Node that begin an attempt: what follows one of them has no pause.
        begun: &'static [&'static str],
    },
    /// After a wait that each failure doubles: an act of one of these names about the same thing.
    Backoff {
        /// The wait after the first failure, in milliseconds.
        first: u64,
        /// The longest wait, in milliseconds.
        most: u64,
        /// What counts as a failure.
        failed: &'static [&'static str],
        /// It is tried in vain while it is not possible, and each time the wait doubles.
        tries: bool,
    },
}

/// What an operation has behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Past {
    /// When it began, or last failed, in milliseconds.
    pub began: u64,
    /// How many times in a row it failed.
    pub failures: u32,
}

impl When {
    /// The time at which an action comes due that is possible since `since` and has this past. `None` when it does
    /// not come by itself.
    pub fn due(self, since: u64, past: Past) -> Option<u64> {
        match self {
            When::OnCommand => None,
            When::After(ms) => Some(since + ms),
            When::Every { period, offset } => {
                // A beat at the very moment is missed: its loop has looked already.
                let wait = (offset % period + period - since % period) % period;
                Some(since + if wait == 0 { period } else { wait })
            }
            When::Since { names: _, ms } => Some(since.max(past.began + ms)),
            When::Retry { period, offset, pause, most, fails: _, ends: _ } => match past.failures {
                0 => When::Every { period, offset }.due(since, past),
                // A pause counts from the failure, whatever else has to come first.
                failures => match past.began + longer(pause, most, failures) {
                    over if over >= since => Some(over),
                    _ => When::Every { period, offset }.due(since, past),
                },
            },
            When::RetryAfter { first, pause, most, fails: _, ends: _, begun: _ } => {
                Some(match past.failures {
                    0 => since + first,
                    failures => (since + first).max(past.began + longer(pause, most, failures)),
                })
            }
            When::Backoff { first, most, failed: _, tries } => Some(match past.failures {
                0 => since + first,
                mut failures => {
                    let mut at = past.began + longer(first, most, failures);
                    while tries && at < since {
                        failures += 1;
                        at += longer(first, most, failures);
                    }
                    since.max(at)
                }
            }),
            When::Poll(_) => {
                let (mut at, mut pause) = (past.began + ATTACH_POLL.ms, ATTACH_POLL.ms);
                while at < since {
                    pause = (pause + pause / 20).min(ATTACH_POLL_MAX.ms);
                    at += pause;
                }
                Some(at)
            }
        }
    }
}

/// The pause after so many failures in a row.
fn longer(pause: u64, most: u64, failures: u32) -> u64 {
    pause.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(most)
}
