//! Content is parsed once, and whatever is wrong with it is refused with its file and its line.

mod course_site;

use course_site::site;
use mountpath::course::{Diagram, Told, disagreements, load};

const HOME: &str = "+++\ntitle = \"Home\"\nsummary = \"All of it.\"\n+++\nSee [a](/diagrams/a/).\n";

const CHAPTER: &str = r#"+++
order = 1
title = "One"
summary = "The first."
diagram = "a"
checkpoint = "It is `so`."
+++
Text with `code` and **bold**.
In [step 2](#step-2) and [below](#part-two), [there](https://example.org/?a=1&b=2).

## Part two

Then ```code``` & more.

| a | b |
|---|---|
| 1 | 2 |

```
a < b *and* [c
```
"#;

const DIAGRAM: &str = r#"order = 1
title = "A"
category = "Storage"
summary = "What A is."
lede = """
One line
and *another*.
"""
figure = "A figure."
scenario = "a"
chapters = ["one"]
sources = [{ claim = "It is so", place = "pkg/a.go", url = "https://example.org/a.go" }]

[[steps]]
title = "First"
caption = "**kubelet** mounts `x`. Because it can."
actions = ["a1", "a2"]
key = "a2"
commands = [{ run = "kubectl get pods", shows = "All `Pods`." }]
sources = [{ claim = "It is", place = "pkg/b.go" }]

[[steps]]
title = "Second"
caption = "**kubelet** unmounts."
detail = "Back to [one](/chapters/one/#part-two)."
actions = ["b1"]
key = "b1"
"#;

const VARIANT: &str = r#"switch = "Kind"
label = "Other"
scenario = "b"

[[steps]]
title = "Only"
caption = "**kubelet** waits."
detail = "Unlike [there](/diagrams/a/?step=2), see [this](#step-1) and [that](/diagrams/a/other/?step=1)."
actions = ["c1"]
key = "c1"
"#;

/// Three files that make a site, with one text in one of them replaced by another.
fn files(file: &str, old: &str, new: &str) -> Vec<(String, String)> {
    [("home.md", HOME), ("chapters/one.md", CHAPTER), ("diagrams/a.toml", DIAGRAM)]
        .into_iter()
        .map(|(name, text)| {
            assert!(name != file || text.contains(old), "{file} has no {old:?}");
            let text = if name == file { text.replacen(old, new, 1) } else { text.to_owned() };
            (name.to_owned(), text)
        })
        .collect()
}

fn refused(files: &[(String, String)]) -> String {
    load(files).map_or_else(|e| e.to_string(), |_| "accepted".to_owned())
}

#[test]
fn what_is_wrong_is_refused_with_its_line() {
    let (chapter, diagram) = ("chapters/one.md", "diagrams/a.toml");
    let long = format!("**kubelet** {}", "word ".repeat(24).trim());
    let table: &[(&str, &str, &str, &str)] = &[
        // What TOML says.
        (diagram, "category", "colour", "3: unknown field `colour`, expected one of "),
        (diagram, "category = \"Storage\"\n", "", "1: missing field `category`; correct the TOML here"),
        (diagram, "key = \"b1\"\n", "", "22: missing field `key`"),
        (diagram, "order = 1", "order = \"1\"", "1: invalid type: string \"1\", expected u32"),
        (diagram, "title = \"Second\"", "title = \"Second", "23: invalid basic string"),
        (chapter, "order = 1", "order = 1\nolder = 1", "3: unknown field `olde"),
        (chapter, "title = \"One\"\n", "", "2: missing field `title`"),
        ("home.md", "summary", "sumary", "3: unknown field `sumary`"),
        // Front matter.
        (chapter, "+++\norder", "order", "1: front matter is missing; begin the file with "),
        (chapter, "\n+++\nText", "\nText", "1: front matter does not end; close it with a line `+++`"),
        // What is empty.
        (diagram, "\"A figure.\"", "\" \"", "9: `figure` is empty; write something or remove it"),
        (diagram, "[\"a1\", \"a2\"]", "[]", "17: `actions` has no entries; add at least one"),
        (diagram, "place = \"pkg/a.go\"", "place = \"\"", "12: `place` is empty"),
        // References.
        (diagram, "[\"one\"]", "[\"two\"]", "11: there is no chapter `two`; name a file of "),
        (chapter, "diagram = \"a\"", "diagram = \"b\"", "5: there is no diagram `b`; name a file of "),
        (diagram, "key = \"a2\"", "key = \"b1\"", "18: key `b1` is not among the step's actions; choose"),
        // Links.
        (
            chapter,
            "#step-2",
            "#step-3",
            "9: the link `#step-3` leads to no step; the diagram of that page has 2",
        ),
        (chapter, "#step-2", "#step-0", "9: the link `#step-0` leads to no step"),
        (chapter, "#step-2", "/diagrams/a/?step=3", "9: the link `/diagrams/a/?step=3` leads to no step"),
        (chapter, "#step-2", "/diagrams/?step=1", "9: the link `/diagrams/?step=1` leads to no step"),
        (chapter, "#step-2", "/diagrams/a/?stop=1", "9: the link `/diagrams/a/?stop=1` leads to no step"),
        (chapter, "#part-two", "#part-three", "9: the link `#part-three` leads to no heading; correct"),
        (
            chapter,
            "#part-two",
            "/diagrams/b/",
            "9: the link `/diagrams/b/` leads to no page; correct its path",
        ),
        (chapter, "#part-two", "/diagrams/a", "9: the link `/diagrams/a` leads to no page"),
        (chapter, "#part-two", "diagrams/a/", "9: `diagrams/a/` is no address to link to; write a path"),
        (chapter, "https://", "http://", "9: `http://example.org/?a=1&b=2` is no address to link to"),
        (chapter, "https://", "//", "9: `//example.org/?a=1&b=2` is no address"),
        (chapter, "https://", "javascript:", "9: `javascript:example.org/?a=1&b=2` is no address"),
        ("home.md", "/diagrams/a/", "/about/", "5: the link `/about/` leads to no page"),
        ("home.md", "/diagrams/a/", "#step-1", "5: the link `#step-1` leads to no step"),
        (chapter, "#step-2", "/diagrams/a/?view=map", "accepted"),
        (
            chapter,
            "#step-2",
            "/diagrams/a/?view=text",
            "9: the link `/diagrams/a/?view=text` leads to no step",
        ),
        (chapter, "#step-2", "/diagrams/?view=map", "9: the link `/diagrams/?view=map` leads to no step"),
        (
            diagram,
            "/chapters/one/",
            "/chapters/two/",
            "25: the link `/chapters/two/#part-two` leads to no page",
        ),
        (diagram, "#part-two", "#part-one", "25: the link `/chapters/one/#part-one` leads to no heading"),
        (diagram, "https://", "ftp://", "12: `ftp://example.org/a.go` is no address to link to"),
        // Markup.
        (
            chapter,
            "**bold**",
            "**bold*",
            "8: a '*' opens or closes nothing; complete the markup or put a backslash",
        ),
        (chapter, "`code`", "`code", "8: a '`' opens or closes nothing"),
        (chapter, "[step 2](#step-2)", "[step 2](#step-2", "9: a '[' opens or closes nothing"),
        (diagram, "*another*", "*another", "7: a '*' opens or closes nothing"),
        (diagram, "`Pods`", "`Pods", "19: a '`' opens or closes nothing"),
        (chapter, "Then", "Then <b>", "13: raw HTML is not accepted; write it in Markdown"),
        (chapter, "Then", "<div>", "13: raw HTML is not accepted"),
        (diagram, "One line", "One <br> line", "6: raw HTML is not accepted"),
        (chapter, "Then", "![a](/a.png)", "13: an image has no place here; write it another way"),
        (chapter, "Then", "Then\\\nnow", "13: a forced line break has no place here"),
        (chapter, "Then", "---\n\nThen", "13: this kind of Markdown has no place here"),
        (chapter, "|---|---|", "|--:|---|", "15: the alignment of a column has no place here"),
        (diagram, "\"A figure.\"", "\"# A figure\"", "9: a block of Markdown has no place here"),
        (diagram, "One line\n", "One line\n\n", "8: a second paragraph has no place here"),
        // Headings.
        (chapter, "## Part two", "# Part two", "11: only headings `##` and `###` are used; the title stands"),
        (
            chapter,
            "Then",
            "### `Part`, two!\n\nThen",
            "13: another heading already has the id `part-two`; word",
        ),
        // Captions.
        (diagram, "**kubelet** unmounts.", &long, "24: the caption has 25 words; shorten it to 24 or fewer"),
        (
            diagram,
            "**kubelet** unmounts.",
            "kubelet **unmounts**.",
            "24: the caption does not begin with its actor",
        ),
        (
            diagram,
            "Because it can",
            "It can",
            "16: a caption is one sentence, and at most a second that begins",
        ),
        (diagram, "it can.", "it can. Until then.", "16: a caption is one sentence"),
    ];
    assert_eq!(refused(&files("", "", "")), "accepted");
    let mut wrong = Vec::new();
    for (file, old, new, problem) in table {
        let found = refused(&files(file, old, new));
        let expected = match *problem {
            "accepted" => problem.to_string(),
            _ => format!("content/{file}:{problem}"),
        };
        if !found.starts_with(&expected) || found.contains('\n') || found.ends_with('.') {
            wrong.push(format!("{old:?} → {new:?}\n  expected {expected}\n     found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same three with a switch in the diagram, and a variant of it with one text replaced.
fn switched(old: &str, new: &str) -> Vec<(String, String)> {
    assert!(VARIANT.contains(old), "the variant has no {old:?}");
    let mut all =
        files("diagrams/a.toml", "scenario = \"a\"", "scenario = \"a\"\nswitch = \"Kind\"\nlabel = \"This\"");
    all.push(("diagrams/a/other.toml".to_owned(), VARIANT.replacen(old, new, 1)));
    all
}

#[test]
fn a_variant_is_the_diagram_with_another_run() {
    let site = load(&switched("", "")).unwrap();
    let diagram = &site.diagrams[0];
    let other = &diagram.variants[0];
    assert_eq!((diagram.value(), diagram.file().as_str()), ("", "diagrams/a.toml"));
    assert_eq!((other.value(), other.file().as_str()), ("other", "diagrams/a/other.toml"));
    assert_eq!(diagram.choice.as_ref().map(|c| c.label.as_str()), Some("This"));
    assert_eq!(other.choice.as_ref().map(|c| (c.switch.as_str(), c.label.as_str())), Some(("Kind", "Other")));
    assert_eq!((other.slug.as_str(), other.scenario.as_str(), other.steps.len()), ("a", "b", 1));
    assert_eq!(
        (&other.lede, &other.figure, &other.sources),
        (&diagram.lede, &diagram.figure, &diagram.sources)
    );
    assert!(other.variants.is_empty());
    assert_eq!((diagram.address(), other.address()), ("/diagrams/a/".into(), "/diagrams/a/other/".into()));
    assert_eq!(diagram.tellings().count(), 2);
    let own =
        load(&switched("scenario = \"b\"", "scenario = \"b\"\nlede = \"Mine.\"\nsources = []")).unwrap();
    let own = &own.diagrams[0].variants[0];
    assert_eq!((own.lede.text.as_str(), own.sources.len()), ("Mine.", 0));
    assert_eq!(own.figure, diagram.figure);
    let told = [Told { actors: ["user".to_owned()].into(), ..Told::default() }];
    let found = disagreements(other, &told).iter().map(|e| e.to_string()).collect::<Vec<_>>();
    assert_eq!(
        found,
        [
            "content/diagrams/a/other.toml:7: `kubelet` does nothing in this step; begin the caption with one of: user"
        ]
    );
}

#[test]
fn a_variant_that_does_not_fit_its_diagram_is_refused_with_its_line() {
    let table: &[(&str, &str, &str)] = &[
        ("switch = \"Kind\"\n", "", "1: missing field `switch`"),
        ("switch", "order = 1\nswitch", "1: unknown field `order`, expected one of "),
        ("\"Kind\"", "\"Sort\"", "1: the diagram calls its switch `Kind`; call it so here too"),
        ("\"Other\"", "\"This\"", "2: the switch already has a position `This`; call this one differently"),
        ("\"Other\"", "\"\"", "2: `label` is empty; write something or remove it"),
        ("#step-1", "#step-2", "8: the link `#step-2` leads to no step; the diagram of that page has 1"),
        ("?step=2", "?step=3", "8: the link `/diagrams/a/?step=3` leads to no step"),
        ("other/?step=1", "other/?step=2", "8: the link `/diagrams/a/other/?step=2` leads to no step"),
        ("/other/", "/no/", "8: the link `/diagrams/a/no/?step=1` leads to no page"),
        ("key = \"c1\"", "key = \"c2\"", "10: key `c2` is not among the step's actions; choose one of them"),
    ];
    assert_eq!(refused(&switched("", "")), "accepted");
    for (old, new, problem) in table {
        let found = refused(&switched(old, new));
        let expected = format!("content/diagrams/a/other.toml:{problem}");
        assert!(found.starts_with(&expected), "{old:?} → {new:?}\n  expected {expected}\n     found {found}");
    }
    let mut alone = switched("", "");
    alone[2].1 = DIAGRAM.to_owned();
    let found = refused(&alone);
    assert_eq!(
        found,
        "content/diagrams/a/other.toml:1: diagram `a` has no switch; give its own file `switch` and `label`"
    );
    alone[2].1 = DIAGRAM.replacen("scenario = \"a\"", "scenario = \"a\"\nswitch = \"Kind\"", 1);
    let found = refused(&alone);
    assert_eq!(found, "content/diagrams/a.toml:11: a switch needs `switch` and `label`; add `label`");
    let mut single = switched("", "");
    single.truncate(3);
    let found = refused(&single);
    assert!(found.starts_with("content/diagrams/a.toml:11: the switch has one position; write "), "{found}");
    let mut stray = switched("", "");
    stray[3].0 = "diagrams/b/other.toml".to_owned();
    let found = refused(&stray);
    assert!(
        found.starts_with("content/diagrams/b/other.toml:1: there is no diagram `b`; name a file"),
        "{found}"
    );
    let mut twice = switched("", "");
    twice.push(("diagrams/a/other.toml".to_owned(), VARIANT.replace("\"Other\"", "\"Third\"")));
    let found = refused(&twice);
    assert!(found.starts_with("content/diagrams/a/other.toml:1: there is already a page `other`"), "{found}");
}

#[test]
fn files_that_make_no_site_are_refused() {
    let with = |name: &str, text: &str| {
        let mut all = files("", "", "");
        all.push((name.to_owned(), text.to_owned()));
        refused(&all)
    };
    let one = "content/chapters/one.md:1: there is already a page `one`; rename one of the two";
    assert_eq!(with("chapters/one.md", CHAPTER), one);
    let home = "content/home.md:1: there is already a page `home`; rename one of the two";
    assert_eq!(with("home.md", HOME), home);
    let order = "content/diagrams/b.toml:1: order 1 is taken by `a`; give one of the two another number";
    assert_eq!(with("diagrams/b.toml", DIAGRAM), order);
    for name in [
        "notes.md",
        "chapters/two.toml",
        "chapters/part/two.md",
        "diagrams/a.toml.orig",
        "diagrams/a/b/c.toml",
    ] {
        let found = with(name, CHAPTER);
        assert!(found.starts_with(&format!("content/{name}:1: no page is made of this file")), "{found}");
    }
    let found = with("chapters/Second One.md", CHAPTER);
    assert!(found.starts_with("content/chapters/Second One.md:1: `Second One` makes no address"), "{found}");
    assert_eq!(refused(&[]), "content/home.md:1: the home page is missing; write this file");
}

#[test]
fn markdown_becomes_html_that_the_pages_can_use() {
    let site = load(&files("", "", "")).unwrap();
    let html = &site.chapters[0].html;
    for part in [
        "<p>Text with <code>code</code> and <strong>bold</strong>.",
        "<a href=\"#step-2\" data-step-link=\"2\">step 2</a>",
        "<a href=\"#part-two\">below</a>",
        "<a href=\"https://example.org/?a=1&amp;b=2\" rel=\"noopener external\">there</a>",
        "<h2 id=\"part-two\">Part two</h2>",
        "<code>code</code> &amp; more",
        "<div class=\"table\" role=\"region\" aria-label=\"Table: a, b\" tabindex=\"0\"><table>",
        "<th scope=\"col\">a</th><th scope=\"col\">b</th>",
        "<tr><th scope=\"row\">1</th><td>2</td></tr>",
        "<pre tabindex=\"0\"><code>a &lt; b *and* [c\n</code></pre>",
    ] {
        assert!(html.contains(part), "{part} is missing in:\n{html}");
    }
    assert!(!html.contains("style="), "a style attribute is against the security policy of the pages");
    assert_eq!(site.chapters[0].headings, [("part-two".to_owned(), "Part two".to_owned())]);
    let diagram = &site.diagrams[0];
    assert_eq!(diagram.lede.html, "One line and <em>another</em>.");
    assert_eq!(diagram.lede.text, "One line and another.");
    assert_eq!(diagram.steps[0].caption.text, "kubelet mounts x. Because it can.");
    assert_eq!((diagram.steps[0].line, diagram.steps[1].line), (16, 24));
    assert_eq!(diagram.steps[1].detail.html, "Back to <a href=\"/chapters/one/#part-two\">one</a>.");
}

#[test]
fn pages_come_in_the_order_of_their_files_keys_whatever_the_order_of_the_files() {
    let other =
        CHAPTER.replace("order = 1", "order = 3").replace("diagram = \"a\"\n", "").replace("#step-2", "/");
    let mut all = files(("chapters/one.md").to_owned().as_str(), "order = 1", "order = 5");
    all.push(("chapters/zero.md".to_owned(), other));
    let forwards = load(&all).unwrap();
    all.reverse();
    assert_eq!(load(&all).unwrap(), forwards);
    let slugs: Vec<&str> = forwards.chapters.iter().map(|c| c.slug.as_str()).collect();
    assert_eq!(slugs, ["zero", "one"]);
}

#[test]
fn a_caption_that_the_run_does_not_bear_out_is_named_with_its_line() {
    let diagram =
        |old: &str, new: &str| load(&files("diagrams/a.toml", old, new)).unwrap().diagrams.remove(0);
    let words = |words: &[&str]| words.iter().map(|w| w.to_string()).collect();
    let told = vec![
        Told {
            actors: words(&["kubelet", "PersistentVolume controller"]),
            words: words(&["x", "status.attached", "true", "status.attached: true"]),
        },
        Told { actors: words(&["kubelet", "user"]), words: words(&[]) },
    ];
    let found = |old: &str, new: &str, told: &[Told]| {
        disagreements(&diagram(old, new), told).iter().map(|e| e.to_string()).collect::<Vec<_>>()
    };
    assert!(found("", "", &told).is_empty());
    for said in [
        "`status.attached: true` of **PersistentVolume controller**",
        "`status.attached: true`",
        "PVs over CSI by 9.5 `x`",
    ] {
        assert!(found("`x`", said, &told).is_empty(), "{said}");
    }
    for (said, name) in [
        ("a VolumeAttachment", "VolumeAttachment"),
        ("the CSINode, too", "CSINode"),
        ("volumesInUse", "volumesInUse"),
        ("it (status.attached) is", "status.attached"),
        ("after NOT_FOUND", "NOT_FOUND"),
    ] {
        let bare = format!(
            "content/diagrams/a.toml:16: `{name}` is a name and stands without code font; set it in backquotes"
        );
        assert_eq!(found("`x`", said, &told), [bare]);
    }
    assert_eq!(
        found("`x`", "what **user** wants", &told).len(),
        1,
        "the user does nothing in the first step"
    );
    assert_eq!(
        found("`x`", "`status.attached: <1>`", &told),
        [
            "content/diagrams/a.toml:16: `status.attached: <1>` does not occur in this step's actions; name what they \
          touch, or drop the code font"
        ]
    );
    assert_eq!(
        found("**kubelet** unmounts", "**kernel** unmounts", &told),
        [
            "content/diagrams/a.toml:24: `kernel` does nothing in this step; begin the caption with one of: kubelet, user"
        ]
    );
    assert_eq!(
        found("", "", &told[..1]),
        ["content/diagrams/a.toml:24: content has 2 steps and the run is told in 1; make them one for one"]
    );
}

#[test]
fn the_content_of_this_repository_is_accepted() {
    let site = site();
    assert!(site.diagrams.iter().any(|d| d.slug == "volume-attachment" && d.steps.len() == 6));
    assert!(site.chapters.iter().any(|c| c.slug == "21-csi"));
    for step in site.diagrams.iter().flat_map(Diagram::tellings).flat_map(|d| &d.steps) {
        assert!(
            !step.commands.is_empty() && !step.sources.is_empty(),
            "{} lacks commands or sources",
            step.title
        );
    }
}
