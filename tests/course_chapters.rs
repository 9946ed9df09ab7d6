//! What chapters have that other pages have not: questions to predict, what comes before and after, names that
//! somebody has to know.

mod course_site;

use course_site::site;
use mountpath::course::{Vocabulary, load, unknown_words};

const HOME: &str = "+++\ntitle = \"Home\"\nsummary = \"All of it.\"\n+++\nText.\n";

const CHAPTER: &str = r#"+++
order = 1
title = "One"
summary = "The first."
diagram = "a"
checkpoint = "It is `so`."
+++
Text with `code`.

Then `code`.
"#;

const DIAGRAM: &str = r#"order = 1
title = "A"
category = "Storage"
summary = "What A is."
lede = "It is."
figure = "A figure."
scenario = "a"

[[steps]]
title = "First"
caption = "**kubelet** mounts `x`."
actions = ["a1"]
key = "a1"
commands = [{ run = "kubectl get pods", shows = "All Pods." }]

[[steps]]
title = "Second"
caption = "**kubelet** unmounts."
actions = ["b1"]
key = "b1"
"#;

/// A site of one chapter and one diagram, with one text in the chapter replaced by another.
fn files(old: &str, new: &str) -> Vec<(String, String)> {
    assert!(CHAPTER.contains(old), "the chapter has no {old:?}");
    let chapter = CHAPTER.replacen(old, new, 1);
    [("home.md", HOME), ("chapters/one.md", &chapter), ("diagrams/a.toml", DIAGRAM)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
}

fn refused(files: &[(String, String)]) -> String {
    load(files).map_or_else(|e| e.to_string(), |_| "accepted".to_owned())
}

const PREDICT: &str = "> ? Who writes `x`?\n> - *kubelet*\n> - nobody\n> [See it](#step-2)\n> Nobody does.\n> It is [so](/diagrams/a/?step=1).\n";

#[test]
fn a_question_is_answered_when_it_is_asked_for() {
    let asked = |old: &str, new: &str| {
        assert!(PREDICT.contains(old), "{old}");
        files("Then", &format!("{}\nThen", PREDICT.replacen(old, new, 1)))
    };
    let site = load(&asked("", "")).unwrap();
    let html = &site.chapters[0].html;
    let expected = "<div class=\"predict\"><p><strong>Predict first.</strong> Who writes <code>x</code>?</p>\n\
         <ul><li><em>kubelet</em></li><li>nobody</li></ul>\n\
         <details><summary>See what happens</summary>\
         <p><a href=\"#step-2\" data-step-link=\"2\">See it</a></p>\n\
         <p>Nobody does.\nIt is <a href=\"/diagrams/a/?step=1\">so</a>.</p></details></div>\n";
    assert!(html.contains(expected), "{html}");
    assert!(html.contains("<p>Then <code>code</code>."), "{html}");
    for (old, new, problem) in [
        (
            "> - nobody\n",
            "",
            "12: the question to predict an answer of lacks two answers, each after `> - `; add it here",
        ),
        (
            "> [See it](#step-2)\n",
            "",
            "13: the question to predict an answer of lacks a link to the step, such as ",
        ),
        (
            "> Nobody does.\n> It is [so](/diagrams/a/?step=1).\n",
            "",
            "13: the question to predict an answer of lacks an explanation",
        ),
        ("#step-2", "#step-3", "13: the link `#step-3` leads to no step"),
        ("?step=1", "?step=9", "15: the link `/diagrams/a/?step=9` leads to no step"),
        ("*kubelet*", "*kubelet", "11: a '*' opens or closes nothing"),
        ("Nobody does.", "Nobody <b>does</b>.", "14: raw HTML is not accepted"),
    ] {
        let found = refused(&asked(old, new));
        let expected = format!("content/chapters/one.md:{problem}");
        assert!(found.starts_with(&expected), "{old:?} → {new:?}\n  expected {expected}\n     found {found}");
    }
    let quoted = load(&asked("> ? Who writes `x`?", "> Who writes `x`?")).unwrap();
    assert!(quoted.chapters[0].html.contains("<blockquote>"), "without its mark it is a quotation");
}

#[test]
fn a_chapter_says_what_comes_before_and_after_it() {
    let more = "diagram = \"a\"\nlab = \"/diagrams/a/\"\nprerequisites = [{ title = \"A\", href = \"/diagrams/\" }, { title = \"B\", href = \"https://b.org/\" }]\nsources = [{ claim = \"c\", place = \"p\", words = [\"kubectl\", \"x y\"] }]";
    let all = |old: &str, new: &str| files("diagram = \"a\"", &more.replacen(old, new, 1));
    let site = load(&all("", "")).unwrap();
    let chapter = &site.chapters[0];
    assert_eq!(chapter.checkpoint.html, "It is <code>so</code>.");
    assert_eq!(chapter.lab.as_deref(), Some("/diagrams/a/"));
    let before: Vec<_> = chapter.prerequisites.iter().map(|p| (p.title.as_str(), p.href.as_str())).collect();
    assert_eq!(before, [("A", "/diagrams/"), ("B", "https://b.org/")]);
    assert_eq!(chapter.outside, [("kubectl".to_owned(), 8), ("x y".to_owned(), 8)]);
    assert_eq!(chapter.minutes, 1);
    for (old, new, problem) in [
        (
            "lab = \"/diagrams/a/\"",
            "lab = \"/labs/\"",
            "6: the link `/labs/` leads to no page; correct its path",
        ),
        ("lab = \"/diagrams/a/\"", "quiz = \"none\"", "6: the link `/quizzes/none/` leads to no page"),
        ("/diagrams/\" }", "/none/\" }", "7: the link `/none/` leads to no page"),
        ("title = \"A\"", "title = \" \"", "7: `title` is empty; write something or remove it"),
        ("words", "word", "8: unknown field `word`"),
    ] {
        let found = refused(&all(old, new));
        assert!(
            found.starts_with(&format!("content/chapters/one.md:{problem}")),
            "{old:?} → {new:?}: {found}"
        );
    }
}

#[test]
fn a_name_in_a_chapter_needs_somebody_who_knows_it() {
    let words: std::collections::BTreeSet<String> = [
        "NodeFlyVolume",
        "status.attached",
        "attach failed for volume \"pv-1\" : code = Internal desc = disk 7",
        "/var/lib/pods/1234-abc/volumes/pv-1/mount",
    ]
    .map(str::to_owned)
    .into();
    let vocabulary = Vocabulary::new(words);
    let unknown = |said: &str| {
        let files = files("Text with `code`", &format!("Text with {said}"));
        let mut site = load(&files).unwrap();
        site.chapters[0].outside.push(("code".to_owned(), 1));
        unknown_words(&site, &vocabulary).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for said in [
        "`NodeFlyVolume`",
        "NodeFlyVolume's `status.attached`",
        "`attach failed`",
        "`volume \"PV\" : code = Internal`",
        "`code = Internal desc = disk HANDLE`",
        "`/var/lib/pods/POD_UID/volumes/PV/mount`",
        "`kubectl get pods -A`",
        "two NodeFlyVolumes by e.g. CSI, Multi-Attach and SHA-256",
    ] {
        assert_eq!(unknown(said), Vec::<String>::new(), "{said}");
    }
    for (said, word) in [
        ("`NodeFloatVolume`", "NodeFloatVolume"),
        ("a NodeFloatVolume", "NodeFloatVolume"),
        ("`ttach failed`", "ttach failed"),
        ("`attach fail`", "attach fail"),
        ("`attach failed for PV : code`", "attach failed for PV : code"),
        ("`/var/lib/pods/POD_UID/PV/mount`", "/var/lib/pods/POD_UID/PV/mount"),
        ("`kubectl destroy pods`", "kubectl destroy pods"),
        ("`volume`", "volume"),
    ] {
        assert_eq!(
            unknown(said),
            [format!(
                "content/chapters/one.md:8: `{word}` is in no run of the model, no term of the glossary and no command \
                 of a diagram; correct it, or add it to the `words` of the source that knows it"
            )],
            "{said}"
        );
    }
}

#[test]
fn times_of_a_recorded_run_are_those_of_the_recording() {
    let site = site();
    let chapter = site.chapters.iter().find(|c| c.slug == "21-csi").unwrap();
    let measured = site.measured.iter().find(|m| m.scenario == "mount-path").unwrap();
    let start = measured.milestones.iter().find(|m| m.shows == "Pod created").unwrap().ms;
    let rows = chapter.html.split("<tr><th scope=\"row\">").skip(1);
    let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once("\u{a0}s</th><td>")).collect();
    assert!(rows.len() >= 8, "{rows:?}");
    for (after, rest) in rows {
        let seen = rest.split_once("</td>").unwrap().0;
        let word =
            seen.split_once("<code>").and_then(|(_, code)| code.split_once("</code>")).map(|(code, _)| code);
        let word = word.or_else(|| seen.split_once(" created").map(|(object, _)| object));
        let borne_out = measured.milestones.iter().any(|m| {
            m.ms >= start
                && format!("{:.2}", (m.ms - start) as f64 / 1000.0) == after
                && m.shows.contains(word.unwrap_or("spec.nodeName"))
        });
        assert!(borne_out, "{after} s, {seen}");
    }
}
