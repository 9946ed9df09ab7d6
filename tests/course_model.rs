//! Content against the model: every diagram tells its scenario's run whole and in order, and its captions name
//! only who acts in a step and what is touched there.

mod course_site;

use course_site::{site, trace_of};
use mountpath::course::{Diagram, Told, disagreements};
use mountpath::trace::{GroupError, Run, Trace, group};

/// Every diagram in every position of its switch.
fn diagrams() -> Vec<Diagram> {
    site().diagrams.iter().flat_map(Diagram::tellings).cloned().collect()
}

fn told_in(trace: Trace, diagram: &Diagram) -> Result<Run, GroupError> {
    let steps: Vec<(Vec<String>, String)> =
        diagram.steps.iter().map(|s| (s.actions.clone(), s.key.clone())).collect();
    group(trace, &steps)
}

fn told(run: &Run) -> Vec<Told> {
    run.touched().into_iter().map(|t| Told { actors: t.actors, words: t.words }).collect()
}

#[test]
fn every_diagram_tells_its_run_whole_and_in_order() {
    for diagram in diagrams() {
        if let Err(e) = told_in(trace_of(&diagram), &diagram) {
            panic!("content/{}: {e}", diagram.file());
        }
    }
}

#[test]
fn a_diagram_that_drops_doubles_or_moves_an_action_is_refused() {
    for diagram in diagrams() {
        let trace = trace_of(&diagram);
        let refused = |step: usize, spoil: &dyn Fn(&mut Vec<String>)| {
            let mut spoilt = diagram.clone();
            spoil(&mut spoilt.steps[step].actions);
            assert!(told_in(trace.clone(), &spoilt).is_err(), "step {} of {}", step + 1, diagram.file());
        };
        for (step, told) in diagram.steps.iter().enumerate() {
            refused(step, &Vec::clear);
            if told.actions.iter().any(|a| *a != told.actions[0]) {
                refused(step, &|actions| actions.rotate_left(1));
            }
            for at in 0..told.actions.len() {
                refused(step, &|actions| drop(actions.remove(at)));
                refused(step, &|actions| actions.insert(at, actions[at].clone()));
            }
        }
    }
}

#[test]
fn captions_say_what_the_run_does() {
    for diagram in diagrams() {
        let run = told_in(trace_of(&diagram), &diagram).unwrap();
        let found: Vec<String> = disagreements(&diagram, &told(&run)).iter().map(|e| e.to_string()).collect();
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }
}

#[test]
fn a_caption_that_says_more_than_the_run_does_is_found() {
    for mut diagram in diagrams() {
        let run = told_in(trace_of(&diagram), &diagram).unwrap();
        let lines: Vec<u32> = diagram.steps.iter().map(|s| s.line).collect();
        for step in &mut diagram.steps {
            step.caption.html = "<strong>kernel</strong> calls <code>NodeFlyVolume</code>.".to_owned();
        }
        let found = disagreements(&diagram, &told(&run));
        let found_lines: Vec<u32> = found.iter().map(|e| e.line).collect();
        let expected: Vec<u32> = lines.iter().flat_map(|l| [*l, *l]).collect();
        assert_eq!(found_lines, expected);
    }
}
