//! The glossary is parsed once, whatever is wrong with it is refused with its line, and captions need no other.

mod course_site;

use course_site::site;
use mountpath::course::load;

const HOME: &str = "+++\ntitle = \"Home\"\nsummary = \"All of it.\"\n+++\nSee [a PVC](/glossary/#a-claim).\n";

const GLOSSARY: &str = r#"[[terms]]
name = "node"
meaning = "A machine."
source = { place = "pkg/a.go", url = "https://example.org/a.go" }

[[terms]]
name = "A claim"
aliases = ["PVC"]
meaning = "A *wish*, see [below](#node)."
see = ["node"]
source = { place = "pkg/b.go", url = "https://example.org/b.go" }
"#;

fn with(old: &str, new: &str) -> Vec<(String, String)> {
    assert!(GLOSSARY.contains(old), "the glossary has no {old:?}");
    vec![
        ("home.md".to_owned(), HOME.to_owned()),
        ("glossary.toml".to_owned(), GLOSSARY.replacen(old, new, 1)),
    ]
}

#[test]
fn terms_come_by_the_alphabet_and_are_found_by_every_word_for_them() {
    let glossary = load(&with("node", "node")).unwrap().glossary;
    let names: Vec<&str> = glossary.terms.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["A claim", "node"]);
    let claim = glossary.term("PVC").unwrap();
    assert_eq!((claim.id.as_str(), claim.see.as_slice()), ("a-claim", &["node".to_owned()][..]));
    assert_eq!(claim.meaning.html, "A <em>wish</em>, see <a href=\"#node\">below</a>.");
    assert_eq!((claim.place.as_str(), claim.url.as_str()), ("pkg/b.go", "https://example.org/b.go"));
    assert_eq!(glossary.term("A claim"), Some(claim));
    assert_eq!(glossary.term("pvc"), None);
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    let cases = [
        (
            "aliases = [\"PVC\"]",
            "aliases = [\"node\"]",
            "8: `node` has a meaning already; give it to one term only",
        ),
        ("\"A claim\"", "\"Node\"", "7: `Node` has a meaning already; give it to one term only"),
        (
            "see = [\"node\"]",
            "see = [\"PVC\"]",
            "10: there is no term `PVC`; write the name of one in this file",
        ),
        ("\"A machine.\"", "\" \"", "3: `meaning` is empty; write something or remove it"),
        ("\"node\"", "\"?\"", "2: `name` is empty; write something or remove it"),
        ("(#node)", "(#nod)", "9: the link `#nod` leads to no heading; correct what follows the #"),
        (
            "https://example.org/b.go",
            "b.go",
            "11: `b.go` is no address to link to; write a path such as /diagrams/, #PART or an https address",
        ),
        (
            "aliases = [\"PVC\"]",
            "alias = \"PVC\"",
            "8: unknown field `alias`, expected one of `name`, `aliases`, `meaning`, `see`, `source`; correct the TOML here",
        ),
    ];
    for (old, new, expected) in cases {
        let told = load(&with(old, new)).map_or_else(|e| e.to_string(), |_| "accepted".to_owned());
        assert_eq!(told, format!("content/glossary.toml:{expected}"), "{old:?} → {new:?}");
    }
}

#[test]
fn a_site_without_glossary_has_no_terms() {
    let home = HOME.replace("See [a PVC](/glossary/#a-claim).", "Nothing to see.");
    assert!(load(&[("home.md".to_owned(), home)]).unwrap().glossary.terms.is_empty());
}

#[test]
fn every_actor_of_a_caption_and_every_call_and_event_about_a_volume_has_a_meaning() {
    let site = site();
    let mut missing: Vec<String> = Vec::new();
    for step in site.diagrams.iter().flat_map(|d| d.tellings()).flat_map(|d| &d.steps) {
        let html = &step.caption.html;
        let marked = |open: &str, close: &str| -> Vec<String> {
            let rest = html.split(open).skip(1).filter_map(|rest| rest.split(close).next());
            rest.map(str::to_owned).collect()
        };
        let call = |word: &String| word.ends_with("Volume");
        missing.extend(marked("<strong>", "</strong>").into_iter().filter(|actor| actor != "You"));
        missing.extend(marked("<code>", "</code>").into_iter().filter(call));
    }
    missing.retain(|word| site.glossary.term(word).is_none());
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "add to content/glossary.toml: {}", missing.join(", "));
    assert!(site.glossary.terms.len() >= 45);
}
