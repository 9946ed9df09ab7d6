//! Why now: for every step of every diagram somebody's write, reply or mount that was waited for, and it is true.

#[path = "objects/runs.rs"]
mod runs;

use mountpath::model::{Actor, Role};
use mountpath::trace::{Causes, Run, Scenario, scenario};

fn scenario_of(name: &str) -> Scenario {
    scenario(name).expect("a scenario").unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What is told of the step whose first action is this.
fn at(name: &str, action: &str) -> Vec<String> {
    let (scenario, run) = (scenario_of(name), runs::by_action(runs::run_of(name)));
    let step = 1 + run.trace.steps.iter().position(|s| s.action == action).expect(action);
    let causes = Causes::of(&scenario).expect("a run");
    causes.why_now(&run, step).into_iter().map(|(actor, fact)| format!("{actor}: {fact}")).collect()
}

#[test]
fn a_step_names_the_field_that_was_waited_for_and_its_writer() {
    let table = [
        (
            "volume-attachment",
            "adc-finds-pod",
            "attach-detach-controller: Pod spec.nodeName is node-1, written by kube-scheduler",
        ),
        (
            "volume-attachment",
            "adc-notices-attached",
            "attach-detach-controller: VolumeAttachment status.attached is true, written by external-attacher",
        ),
        (
            "volume-attachment",
            "attacher-calls-controller-publish",
            "external-attacher: VolumeAttachment metadata.finalizers has external-attacher/disk-csi-example-com, \
             written by external-attacher",
        ),
        (
            "volume-attachment",
            "attacher-calls-controller-unpublish",
            "external-attacher: VolumeAttachment metadata.deletionTimestamp is set, written by attach-detach controller",
        ),
        (
            "wait-for-first-consumer",
            "pv-controller-asks-provisioner",
            "pv-controller: PersistentVolumeClaim metadata.annotations[volume.kubernetes.io/selected-node] is node-1, \
             written by kube-scheduler",
        ),
        (
            "attach-error",
            "adc-notices-attached",
            "attach-detach-controller: VolumeAttachment status.attached is true, written by external-attacher",
        ),
        ("node-down", "node-lifecycle-marks-unready", "node-lifecycle-controller: kubelet on node-1 is down"),
        (
            "node-down",
            "taint-eviction-evicts-pod",
            "taint-eviction-controller: Node spec.taints has node.kubernetes.io/unreachable:NoExecute, written by \
             node lifecycle controller, 300 s before",
        ),
    ];
    for (name, action, sentence) in table {
        let told = at(name, action);
        assert!(told.iter().any(|fact| fact.starts_with(sentence)), "{name} {action}: {told:#?}");
    }
}

/// Every step that begins with somebody who is no person has a cause.
fn causeless(name: &str, run: &Run) -> Vec<String> {
    let scenario = scenario_of(name);
    let causes = Causes::of(&scenario).expect("a run");
    let mut wrong = Vec::new();
    for (step, group) in (1..).zip(&run.groups) {
        let told = causes.why_now(run, step);
        let first = &run.trace.steps[group.cues.start];
        let outside = first.actor.role == Role::User || first.action.starts_with("process-");
        if told.is_empty() && !outside {
            wrong.push(format!("{name} {step}: {} happens without a cause", first.id));
        }
        for (actor, fact) in &told {
            let acts = run.trace.steps[group.cues.clone()].iter().any(|s| s.actor == *actor);
            if !acts {
                wrong.push(format!("{name} {step}: {actor} does not act, yet {fact}"));
            }
        }
    }
    wrong
}

#[test]
fn every_step_of_every_diagram_has_its_cause() {
    let mut wrong = Vec::new();
    for (slug, run) in runs::diagrams() {
        wrong.extend(causeless(&slug, &run));
        wrong.extend(causeless(&slug, &runs::by_action(run.trace)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_told_has_been_written_before_by_whom_it_says() {
    for (slug, run) in runs::diagrams() {
        let scenario = scenario_of(&slug);
        let causes = Causes::of(&scenario).expect("a run");
        for (step, group) in (1..).zip(&run.groups) {
            let before: Vec<String> = run
                .trace
                .given
                .iter()
                .chain(run.trace.steps[..group.cues.end].iter().flat_map(|s| &s.effects))
                .map(ToString::to_string)
                .collect();
            for (_, fact) in causes.why_now(&run, step) {
                let Some((kind, field)) = fact.split_once(' ').filter(|_| fact.contains(", written by "))
                else {
                    continue;
                };
                let field = field.split(' ').next().unwrap_or_default();
                let writer = fact.split(", written by ").nth(1).unwrap_or_default();
                let writer = writer.split(", ").next().unwrap_or_default();
                let names: Vec<Actor> = Role::ALL
                    .into_iter()
                    .filter(|role| role.title() == writer || (writer == "you" && *role == Role::User))
                    .map(|role| Actor { role, node: None })
                    .collect();
                let seen = before.iter().any(|effect| {
                    let written = names.iter().any(|name| effect.contains(&format!("(by {name}")));
                    effect.starts_with(kind) && effect.contains(field) && written
                });
                assert!(seen, "{slug} {step}: {fact}");
            }
        }
    }
}
