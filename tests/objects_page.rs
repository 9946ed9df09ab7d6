//! The Objects view and the measured times on the pages: whole without a script, small, and readable by ear.
#![cfg(feature = "site")]

#[path = "course_site/mod.rs"]
mod course_site;

use mountpath::view::{Asset, Page, pages};

fn site() -> (Vec<Page>, Vec<Asset>) {
    pages(&course_site::site(), "").expect("pages")
}

fn diagrams() -> Vec<(String, String)> {
    let named = site().0.into_iter().filter_map(|page| {
        let slug = page.path.strip_prefix("/diagrams/")?.strip_suffix('/')?.to_owned();
        (!slug.is_empty()).then_some((slug, page.body))
    });
    named.collect()
}

/// The value of an attribute of the first tag that has it.
fn attribute<'h>(html: &'h str, name: &str) -> &'h str {
    html.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default()
}

#[test]
fn the_first_step_is_on_the_page_and_every_one_is_a_file() {
    let (_, assets) = site();
    for (slug, body) in diagrams() {
        let data = attribute(&body, "data-objects");
        assert!(assets.iter().any(|a| a.path == data), "{slug}: {data}");
        assert!(body.contains("data-object=\""), "{slug} shows no object");
        let steps = body.matches("data-step-text=").count();
        for step in 1..=steps {
            let path = format!("/diagrams/{slug}/objects-{step}.yaml");
            assert!(body.contains(&format!("href=\"{path}\"")), "{slug}: no link to {path}");
            let asset = assets.iter().find(|a| a.path == path).unwrap_or_else(|| panic!("{path}"));
            let text = String::from_utf8(asset.bytes.clone()).expect("UTF-8");
            assert!(text.starts_with("apiVersion: ") || text.starts_with("allow"), "{path}: {text}");
            for document in text.split("---\n") {
                let object: Result<serde_json::Value, _> = serde_saphyr::from_str(document);
                let object = object.unwrap_or_else(|e| panic!("{path}: {e}\n{document}"));
                assert!(object["metadata"]["name"].is_string(), "{path}: {document}");
            }
        }
    }
}

#[test]
fn what_changed_is_open_and_says_by_whom() {
    for (slug, body) in diagrams() {
        for object in body.split("<details class=\"yaml\"").skip(1) {
            let (head, rest) = object.split_once("</summary>").expect("a summary");
            let inner = rest.split("<p class=\"small files\">").next().unwrap_or_default();
            let marks = inner.matches("<mark").count() + inner.matches("<del").count();
            assert_eq!(head.contains(" open"), marks > 0, "{slug}: {head}");
            assert_eq!(marks > 0, inner.contains("class=\"who\">"), "{slug}: {head}");
            if marks == 0 {
                assert!(inner.contains("objects-1.yaml\">YAML file</a>"), "{slug}: {head}");
                continue;
            }
            assert_eq!(inner.matches("<pre>").count(), inner.matches("</pre>").count(), "{slug}");
            assert!(inner.contains("role=\"group\" aria-label=\"YAML of "), "{slug}: {head}");
            assert!(inner.contains("aria-label=\"Copy the YAML of "), "{slug}: {head}");
        }
    }
}

#[test]
fn a_page_says_why_its_steps_happen_now() {
    for (slug, body) in diagrams() {
        assert!(body.contains("Why now:"), "{slug}");
    }
    let page = diagrams().into_iter().find(|(slug, _)| slug == "volume-attachment").expect("the page").1;
    let fact = "attach-detach controller: Pod spec.nodeName is node-1, written by kube-scheduler";
    assert!(page.contains(fact), "{fact}");
}

#[test]
fn measured_times_stand_with_their_conditions() {
    let mut waits = 0;
    for (slug, body) in diagrams() {
        let Some(part) = body.split("id=\"measured\"").nth(1) else {
            // A variant tells another scenario, which may not have been recorded.
            assert!(slug.contains('/'), "{slug} has no measured times");
            continue;
        };
        let part = part.split("</section>").next().unwrap_or_default();
        assert!(part.contains("0.000 s"), "{slug}: the first milestone is the start");
        assert!(part.contains("Kubernetes 1.36.2"), "{slug}: the conditions");
        waits += usize::from(part.contains("<mark>+"));
    }
    // A run in which nothing takes long has no wait to point out.
    assert!(waits >= 15, "the longest waits are pointed out on {waits} pages");
}
