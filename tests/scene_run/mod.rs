//! The runs that the tests of the picture draw, told in the steps of their diagrams.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod ink;

use mountpath::trace::{Run, group, record};

/// The steps of the VolumeAttachment diagram: actions and the key action.
const VOLUME_ATTACHMENT: &[(&[&str], &str)] = &[
    (&["adc-finds-pod", "kubelet-admits-pod", "kubelet-wants-volume"], "adc-finds-pod"),
    (&["adc-creates-attachment"], "adc-creates-attachment"),
    (
        &[
            "attacher-finalizes-volume",
            "attacher-finalizes-attachment",
            "attacher-calls-controller-publish",
            "driver-attaches-volume",
            "attacher-receives-publish-ok",
        ],
        "attacher-calls-controller-publish",
    ),
    (&["attacher-records-attached"], "attacher-records-attached"),
    (
        &[
            "adc-notices-attached",
            "adc-lists-attached",
            "kubelet-reports-in-use",
            "kubelet-verifies-attached",
            "kubelet-reads-attachment",
            "kubelet-calls-node-stage",
            "driver-stages-volume",
            "kubelet-receives-stage-ok",
            "kubelet-calls-node-publish",
            "driver-publishes-volume",
            "kubelet-receives-publish-ok",
            "kubelet-starts-containers",
        ],
        "kubelet-calls-node-publish",
    ),
    (
        &[
            "user-deletes-pod",
            "kubelet-stops-containers",
            "kubelet-reports-containers-ended",
            "adc-drops-pod",
            "kubelet-drops-pod",
            "kubelet-calls-node-unpublish",
            "driver-unpublishes-volume",
            "kubelet-receives-unpublish-ok",
            "kubelet-removes-pod",
            "kubelet-calls-node-unstage",
            "driver-unstages-volume",
            "kubelet-receives-unstage-ok",
            "kubelet-forgets-volume",
            "kubelet-reports-not-in-use",
            "adc-sees-in-use",
            "adc-unlists-attached",
            "adc-deletes-attachment",
            "attacher-calls-controller-unpublish",
            "driver-detaches-volume",
            "attacher-receives-unpublish-ok",
            "attacher-releases-attachment",
            "adc-notices-detached",
        ],
        "attacher-calls-controller-unpublish",
    ),
];

/// Every run, by the name of its scenario.
pub fn runs() -> Vec<(&'static str, Run)> {
    let trace = record("volume-attachment").unwrap();
    vec![("volume-attachment", group(trace, VOLUME_ATTACHMENT).unwrap())]
}
