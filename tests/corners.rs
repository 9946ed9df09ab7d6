//! What happens seldom: a Node that is lost while provisioning, a volume that comes out too small, a secret that is
//! missing on the Node, files that do not get the Pod's group, a content that outlives its snapshot, a driver that is gone.

use mountpath::model::{Cause, Change, ObjectId, apply, candidates, is_enabled};
use mountpath::trace::{Effect, Trace, read_scenario, record_moments, record_scenario};

fn run(text: &str) -> Trace {
    let scenario = read_scenario("test", text).unwrap_or_else(|error| panic!("{error}"));
    record_scenario(&scenario).unwrap_or_else(|error| panic!("{error}"))
}

/// When actions of this name happened, in milliseconds.
fn times(trace: &Trace, name: &str) -> Vec<u64> {
    trace.steps.iter().filter(|step| step.action == name).map(|step| step.sim_ms).collect()
}

fn events<'t>(trace: &'t Trace, wanted: &str) -> Vec<&'t str> {
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let messages = effects.filter_map(|effect| match effect {
        Effect::Event { reason, message, .. } if *reason == wanted => Some(message.as_str()),
        _ => None,
    });
    messages.collect()
}

fn written<'t>(trace: &'t Trace, wanted: &str) -> Vec<&'t str> {
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let values = effects.filter_map(|effect| match effect {
        Effect::Write { field, to: Some(to), .. } if *field == wanted => Some(to.as_str()),
        _ => None,
    });
    values.collect()
}

/// A bound claim with its volume, of which more can be said, and a Pod.
fn bound(volume: &str, pod: &str, rest: &str) -> String {
    format!(
        "[[nodes]]\nname = \"node-1\"\n[[claims]]\nname = \"data\"\ngiven = true\nvolume = \"pvc-1\"\n\
         [[volumes]]\nname = \"pvc-1\"\nhandle = \"vol-1\"\nclaim = \"data\"\n{volume}\
         [[pods]]\nname = \"app\"\nuid = \"P\"\nclaim = \"data\"\n{pod}{rest}\
         [[script]]\ndo = \"user-creates-pod\"\non = \"app\"\n"
    )
}

/// A claim that is provisioned when a Pod comes, the Node `node-1` first.
const DELAYED: &str = "
[[nodes]]
name = \"node-1\"
[[nodes]]
name = \"node-2\"
[[classes]]
name = \"fast\"
provisioner = \"disk.csi.example.com\"
binding = \"WaitForFirstConsumer\"
given = true
[[claims]]
name = \"data\"
uid = \"U\"
class = \"fast\"
gib = 2
[[volumes]]
name = \"pvc-U\"
handle = \"vol-1\"
claim = \"data\"
gib = 2
[[pods]]
name = \"app\"
claim = \"data\"
[[script]]
do = \"user-creates-claim\"
on = \"data\"
[[script]]
do = \"user-creates-pod\"
on = \"app\"
";

#[test]
fn where_the_selected_node_is_gone_the_scheduler_chooses_again() {
    let down = "[[faults]]\nname = \"crash\"\ndown = \"external-provisioner\"\ntimes = 1\n\
                [[faults]]\nname = \"lost\"\nby_hand = \"user-deletes-node\"\nnode = \"node-1\"\ntimes = 1\n\
                [[script]]\ndo = \"process-stops\"\non = \"crash\"\n\
                [[script]]\nafter = \"scheduler-selects-node\"\nwait_ms = 2000\ndo = \"user-deletes-node\"\non = \"node-1\"\n\
                [[script]]\nafter = \"user-deletes-node\"\nwait_ms = 1000\ndo = \"process-starts\"\non = \"crash\"\n";
    let (before, script) = DELAYED.split_once("[[script]]").expect("a script");
    let (faults, more) = down.split_once("[[script]]").expect("a script");
    let trace = run(&format!("{before}{faults}[[script]]{script}[[script]]{more}"));
    assert_eq!(times(&trace, "provisioner-finds-no-node").len(), 1);
    assert!(events(&trace, "ProvisioningFailed").contains(&"node \"node-1\" not found"));
    let selected = written(&trace, "metadata.annotations[volume.kubernetes.io/selected-node]");
    assert_eq!(selected, ["node-1", "node-2"]);
    assert_eq!(written(&trace, "status.phase").last(), Some(&"Running"));
}

#[test]
fn a_volume_that_is_too_small_is_deleted_and_made_again() {
    let short = DELAYED.replace("gib = 2\n[[pods]]", "gib = 2\nmade_gib = 1\n[[pods]]");
    let trace = run(&format!("until_ms = 8000\n{short}"));
    let told = "created volume capacity 1073741824 less than requested capacity 2147483648";
    assert_eq!(events(&trace, "ProvisioningFailed"), [told]);
    let (calls, cleans) =
        (times(&trace, "provisioner-calls-create-volume"), times(&trace, "driver-cleans-volume"));
    // One second, then two, then four.
    assert_eq!((calls.len(), cleans.len()), (4, 4));
    assert!(calls.windows(2).zip([1_000, 2_000, 4_000]).all(|(pair, pause)| pair[1] - pair[0] >= pause));
    assert!(times(&trace, "provisioner-creates-volume").is_empty());
}

#[test]
fn a_secret_that_is_missing_on_the_node_keeps_the_mount_until_somebody_creates_it() {
    let created = "[[faults]]\nname = \"secret\"\nby_hand = \"user-creates-secret\"\nvolume = \"pvc-1\"\ntimes = 1\n\
                   [[script]]\nafter = \"kubelet-fails-mount\"\nwait_ms = 3000\ndo = \"user-creates-secret\"\non = \"pvc-1\"\n";
    let (fault, script) = created.split_once("[[script]]").expect("a script");
    for (key, step, reference) in [
        ("stage_secret", "MountDevice", "NodeStageSecretRef"),
        ("node_publish_secret", "SetUp", "NodePublishSecretRef"),
    ] {
        let volume = format!("{key} = \"storage/key\"\nsecret_missing = true\n");
        let trace = run(&format!("{}[[script]]{script}", bound(&volume, "", fault)));
        let told = format!(
            "MountVolume.{step} failed for volume \"pvc-1\" : fetching {reference} storage/key failed: kubernetes.io/csi: \
             failed to find the secret key in the namespace storage with error: secrets \"key\" not found"
        );
        assert_eq!(events(&trace, "FailedMount").first(), Some(&told.as_str()), "{key}");
        assert_eq!(written(&trace, "status.phase").last(), Some(&"Running"), "{key}");
        assert_eq!(times(&trace, "kubelet-calls-node-stage").len(), 1, "{key}");
    }
}

#[test]
fn the_files_get_the_pods_group_where_the_policy_lets_kubelet_and_the_driver_does_not() {
    let pod = "fs_group = true\n";
    let changed = |volume: &str, head: &str| {
        let trace = run(&format!("{head}{}", bound(volume, pod, "")));
        assert_eq!(written(&trace, "status.phase").last(), Some(&"Running"));
        times(&trace, "kubelet-applies-fs-group").len()
    };
    assert_eq!(changed("fs_type = true\n", ""), 1);
    // D21: without a file system type the policy of most drivers does not let it.
    assert_eq!(changed("", ""), 0);
    assert_eq!(changed("", "[driver]\nfs_group_policy = \"File\"\n"), 1);
    assert_eq!(changed("fs_type = true\n", "[driver]\nfs_group_policy = \"None\"\n"), 0);
    assert_eq!(changed("fs_type = true\n", "[driver]\nmount_group = true\n"), 0);
}

#[test]
fn kubelet_tells_when_the_files_cannot_have_the_group_and_when_it_takes_long() {
    let pod = "fs_group = true\n";
    let volume = "fs_type = true\nowner_error = \"chown /data: operation not permitted\"\n";
    let trace = run(&format!("until_ms = 20000\n{}", bound(volume, pod, "")));
    let told = "MountVolume.SetUp failed for volume \"pvc-1\" : applyFSGroup failed for vol vol-1: chown /data: operation \
                not permitted";
    assert!(events(&trace, "FailedMount").len() > 2);
    assert!(events(&trace, "FailedMount").iter().all(|message| *message == told));
    assert!(times(&trace, "kubelet-starts-containers").is_empty());

    let trace = run(&bound("fs_type = true\nowner_seconds = 45\n", pod, ""));
    let told = events(&trace, "VolumePermissionChangeInProgress");
    let dir = "/var/lib/kubelet/pods/P/volumes/kubernetes.io~csi/pvc-1/mount";
    assert!(
        told.len() == 1
            && told[0].starts_with(&format!("Setting volume ownership for {dir} is taking longer"))
    );
    let (published, told) =
        (times(&trace, "kubelet-receives-publish-ok")[0], times(&trace, "kubelet-tells-slow-fs-group")[0]);
    let applied = times(&trace, "kubelet-applies-fs-group")[0];
    assert_eq!((told - published, (applied - published) / 1_000), (30_000, 45));
    assert_eq!(written(&trace, "status.phase").last(), Some(&"Running"));
}

#[test]
fn a_content_that_is_to_be_kept_outlives_its_snapshot() {
    let text = |retain: bool| {
        format!(
            "[[nodes]]\nname = \"node-1\"\n[[claims]]\nname = \"data\"\ngiven = true\nvolume = \"pvc-1\"\n\
             [[volumes]]\nname = \"pvc-1\"\nhandle = \"vol-1\"\nclaim = \"data\"\n\
             [[snapshots]]\nname = \"snap\"\nuid = \"S\"\nclaim = \"data\"\nhandle = \"snap-1\"\nretain = {retain}\n\
             [[script]]\ndo = \"user-creates-snapshot\"\non = \"snap\"\n\
             [[script]]\nafter = \"snapshot-controller-marks-ready\"\nwait_ms = 1000\ndo = \"user-deletes-snapshot\"\non = \"snap\"\n"
        )
    };
    let gone = |trace: &Trace| {
        let effects = trace.steps.iter().flat_map(|step| &step.effects);
        let gone = effects.filter_map(|effect| match effect {
            Effect::Delete { object, .. } => Some(object.to_string()),
            _ => None,
        });
        gone.collect::<Vec<_>>()
    };
    let (kept, deleted) = (run(&text(true)), run(&text(false)));
    assert_eq!(gone(&kept), ["VolumeSnapshot/snap"]);
    assert_eq!(times(&kept, "snapshotter-calls-delete-snapshot").len(), 0);
    assert!(gone(&deleted).contains(&"VolumeSnapshotContent/snapcontent-S".to_owned()));
}

#[test]
fn a_driver_that_is_down_answers_no_detach() {
    let fault = "[[faults]]\nname = \"crash\"\ndown = \"csi-driver-controller\"\ntimes = 1\n";
    let script = "[[script]]\nafter = \"kubelet-starts-containers\"\nwait_ms = 1000\ndo = \"process-stops\"\non = \"crash\"\n\
                  [[script]]\nafter = \"process-stops\"\ndo = \"user-deletes-pod\"\non = \"app\"\n\
                  [[script]]\nafter = \"attacher-records-detach-error\"\nwait_ms = 4000\ndo = \"process-starts\"\non = \"crash\"\n";
    let trace = run(&format!("{}{script}", bound("", "", fault)));
    let error = "rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing: dial unix \
                 /csi/csi.sock: connect: connection refused\"";
    assert_eq!(written(&trace, "status.detachError").first(), Some(&error));
    assert!(times(&trace, "attacher-receives-unpublish-refused").len() > 1);
    assert_eq!(times(&trace, "driver-detaches-volume").len(), 1);
    // The controller noticed the error meanwhile, and finds the VolumeAttachment gone when it tries again.
    assert_eq!(times(&trace, "attacher-releases-attachment").len(), 1);
    assert_eq!(times(&trace, "adc-finds-no-attachment").len(), 1);
}

/// A call that hangs, and how long the driver goes on with it.
fn hangs(method: &str, late_ms: u32) -> String {
    format!("[[faults]]\nhangs = \"{method}\"\nlate_ms = {late_ms}\ntimes = 1\n")
}

const ABORTED: &str =
    "rpc error: code = Aborted desc = an operation with the given Volume ID vol-1 already exists";

#[test]
fn a_driver_that_goes_on_after_its_caller_gave_up_answers_aborted_until_it_is_done() {
    let trace = run(&bound("", "", &hangs("NodeStageVolume", 20_000)));
    let (called, failed) =
        (times(&trace, "kubelet-calls-node-stage"), times(&trace, "kubelet-receives-stage-failed"));
    let late = times(&trace, "driver-finishes-late-on-node");
    assert_eq!((failed[0] - called[0], late[0] - failed[0], late.len()), (120_000, 20_000, 1));
    let told = events(&trace, "FailedMount");
    assert!(
        told[0].ends_with("rpc error: code = DeadlineExceeded desc = context deadline exceeded"),
        "{told:?}"
    );
    assert!(told.len() > 1 && told[1..].iter().all(|message| message.ends_with(ABORTED)), "{told:?}");
    assert_eq!(written(&trace, "status.phase").last(), Some(&"Running"));
    // What is there already is staged by no second mount.
    let mounts = trace.steps.iter().flat_map(|step| &step.effects);
    let staged =
        mounts.filter(|effect| matches!(effect, Effect::Mount { path, .. } if path.ends_with("globalmount")));
    assert_eq!(staged.count(), 1);
}

#[test]
fn a_pod_that_goes_meanwhile_leaves_nothing_mounted() {
    let script =
        "[[script]]\nafter = \"kubelet-receives-stage-failed\"\ndo = \"user-deletes-pod\"\non = \"app\"\n";
    let trace = run(&format!("{}{script}", bound("", "", &hangs("NodeStageVolume", 5_000))));
    let late = times(&trace, "driver-finishes-late-on-node")[0];
    assert!(times(&trace, "kubelet-receives-unstage-failed").iter().any(|at| *at < late));
    let effects = || trace.steps.iter().flat_map(|step| &step.effects);
    let mounts = effects().filter(|effect| matches!(effect, Effect::Mount { .. })).count();
    let unmounts = effects().filter(|effect| matches!(effect, Effect::Unmount { .. })).count();
    assert_eq!((mounts, unmounts), (1, 1));
    assert_eq!(times(&trace, "adc-notices-detached").len(), 1);
}

#[test]
fn an_attach_that_hangs_is_given_up_after_fifteen_seconds_and_found_done_later() {
    let trace = run(&bound("", "", &hangs("ControllerPublishVolume", 2_500)));
    let (called, failed) = (
        times(&trace, "attacher-calls-controller-publish"),
        times(&trace, "attacher-receives-publish-failed"),
    );
    assert_eq!((failed[0] - called[0], times(&trace, "driver-finishes-late").len()), (15_000, 1));
    let errors = written(&trace, "status.attachError");
    assert_eq!(errors[0], "rpc error: code = DeadlineExceeded desc = context deadline exceeded");
    assert!(errors[1..].iter().all(|error| *error == ABORTED) && errors.len() > 1, "{errors:?}");
    assert_eq!(written(&trace, "status.phase").last(), Some(&"Running"));
}

#[test]
fn after_six_minutes_the_controller_no_longer_looks_whether_a_ready_node_uses_the_volume() {
    let fault = "[[faults]]\nanswer = \"NodeUnstageVolume\"\n";
    let script = "[[script]]\nafter = \"kubelet-starts-containers\"\nwait_ms = 1000\ndo = \"user-deletes-pod\"\non = \"app\"\n";
    let text = |head: &str| format!("until_ms = 60000\n{head}{}{script}", bound("", "", fault));
    let scenario = read_scenario("test", &text("")).expect("a scenario");
    let world = &scenario.world;
    let link = world.links().next().expect("a link");
    // The Node uses the volume; the controller has not heard yet that it does so again.
    let mut cluster = record_moments(&scenario).expect("a run").last().expect("a state").cluster;
    let unchecked =
        candidates(world).find(|action| action.name() == "adc-detaches-unchecked").expect("a candidate");
    assert!(cluster.place(link).in_use && !is_enabled(world, &cluster, unchecked));
    cluster.place_mut(link).adc.in_use = false;
    let begun = apply(world, &cluster, unchecked).expect("it is possible");
    assert!(begun.cluster.causes().contains(Cause::ForcedDetach));
    let named = |name: &str| candidates(world).find(|action| action.name() == name).expect("a candidate");
    let deleted = apply(world, &begun.cluster, named("adc-deletes-attachment")).expect("it is possible");
    let is_deletion =
        |change: &Change| matches!(change, Change::Write { object: ObjectId::Attachment(_), .. });
    assert!(deleted.changes.iter().any(is_deletion), "{:?}", deleted.changes);

    // With --disable-force-detach-on-timeout it goes on looking.
    let careful = read_scenario("test", &text("force_detach_disabled = true\n")).expect("a scenario").world;
    assert!(!is_enabled(&careful, &cluster, unchecked));
    assert!(is_enabled(&careful, &cluster, named("adc-unlists-attached")));
}

#[test]
fn pods_with_different_labels_do_not_share_a_volume_that_is_mounted_with_one() {
    let text = |mount: bool, other: &str| {
        format!(
            "until_ms = 40000\n[driver]\nse_linux_mount = {mount}\n[[nodes]]\nname = \"node-1\"\n[[claims]]\nname = \"data\"\n\
             access_mode = \"ReadWriteOncePod\"\ngiven = true\nvolume = \"pvc-1\"\n[[volumes]]\nname = \"pvc-1\"\n\
             handle = \"vol-1\"\naccess_mode = \"ReadWriteOncePod\"\nclaim = \"data\"\n[[pods]]\nname = \"app\"\nclaim = \"data\"\n\
             node = \"node-1\"\nse_linux = \"s0:c1\"\n[[pods]]\nname = \"other\"\nclaim = \"data\"\nnode = \"node-1\"\n\
             se_linux = \"{other}\"\n[[script]]\ndo = \"user-creates-pod\"\non = \"app\"\n[[script]]\n\
             after = \"kubelet-starts-containers\"\nwait_ms = 1000\ndo = \"user-creates-pod\"\non = \"other\"\n"
        )
    };
    let conflict = "conflicting SELinux labels of volume pvc-1: \"s0:c1\" and \"s0:c2\"";
    let told = |trace: &Trace| events(trace, "FailedMount").iter().any(|message| message.ends_with(conflict));
    assert!(told(&run(&text(true, "s0:c2"))));
    // Without the mount option, and with the same label, only the access mode keeps the second Pod away.
    for trace in [run(&text(false, "s0:c2")), run(&text(true, "s0:c1"))] {
        assert!(!told(&trace));
        let error = "volume uses the ReadWriteOncePod access mode and is already in use by another pod";
        assert!(events(&trace, "FailedMount").iter().any(|message| message.ends_with(error)));
    }
}
