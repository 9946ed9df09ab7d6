//! Content against the model: every diagram tells its scenario's run whole and in order, and its captions name
//! only who acts in a step and what is touched there; chapters name only what some run, term or source knows.

mod course_site;

use course_site::{site, trace_of};
use mountpath::course::{Diagram, Told, Vocabulary, disagreements, unknown_words};
use mountpath::trace::{GroupError, Run, Trace, group, vocabulary};

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

fn unknown_to(vocabulary: &Vocabulary, spoil: impl Fn(&mut mountpath::course::Site)) -> Vec<String> {
    let mut site = site();
    spoil(&mut site);
    unknown_words(&site, vocabulary).iter().map(ToString::to_string).collect()
}

#[test]
fn chapters_name_only_what_something_vouches_for() {
    let vocabulary = Vocabulary::new(vocabulary().unwrap());
    let found = unknown_to(&vocabulary, |_| {});
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    let site = site();
    let words: usize = site.chapters.iter().map(|c| c.words.len()).sum();
    assert!(words > 300, "{words} names were checked");

    // Every name that is spelled a little differently is found, with its line.
    for (at, chapter) in site.chapters.iter().enumerate() {
        let found = unknown_to(&vocabulary, |site| {
            for word in &mut site.chapters[at].words {
                word.text = format!("Un{}", word.text);
            }
        });
        let lines = chapter
            .words
            .iter()
            .map(|word| format!("content/chapters/{}.md:{}: `Un", chapter.slug, word.line));
        for (line, word) in lines.zip(&chapter.words) {
            assert!(found.iter().any(|problem| problem.starts_with(&line)), "{line} {word:?}");
        }
    }
    let found = unknown_to(&vocabulary, |site| site.chapters[0].outside.push(("nobody".to_owned(), 7)));
    let slug = &site.chapters[0].slug;
    assert_eq!(
        found,
        [format!(
            "content/chapters/{slug}.md:7: the chapter does not use `nobody`; drop it from the `words` of this source"
        )]
    );
}
