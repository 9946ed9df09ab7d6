//! What a picture needs of a style sheet: the rules for its own classes, and the colours that those name.

use super::{Scene, Shape};
use std::collections::BTreeSet;

/// The part of a squeezed style sheet that a picture in a file of its own needs. Nothing moves there and no reader has
/// chosen a theme, so rules for either are left out.
pub fn needed(css: &str, scene: &Scene) -> String {
    let mut classes: BTreeSet<&str> = BTreeSet::from(["stage", "wide", "narrow"]);
    for group in &scene.groups {
        classes.extend(group.class.split(' ').filter(|c| *c != "moves"));
        classes.extend(group.shapes.iter().flat_map(|s| class(s).split(' ')));
    }
    let rules = keep(&parse(css), &classes);
    let mut used: BTreeSet<String> = BTreeSet::new();
    colours(&rules, &mut used);
    let mut out = String::new();
    write(&mut out, &rules, &used);
    out
}

const fn class(shape: &Shape) -> &'static str {
    match shape {
        Shape::Rect { class, .. }
        | Shape::Circle { class, .. }
        | Shape::Path { class, .. }
        | Shape::Text { class, .. } => class,
    }
}

/// A part of a style sheet.
enum Rule {
    /// `selectors { declarations }`
    Style(String, Vec<String>),
    /// `@media … { rules }`
    Media(String, Vec<Rule>),
}

fn parse(css: &str) -> Vec<Rule> {
    let mut out = Vec::new();
    let mut rest = css;
    while let Some((head, after)) = rest.split_once('{') {
        let (body, next) = block(after);
        // A comment before the rule is none of its selectors.
        let head = head.rsplit("*/").next().unwrap_or(head).trim().to_owned();
        out.push(if head.starts_with('@') {
            Rule::Media(head, parse(body))
        } else {
            Rule::Style(
                head,
                body.split(';').map(|d| d.trim().to_owned()).filter(|d| !d.is_empty()).collect(),
            )
        });
        rest = next;
    }
    out
}

/// What stands before the brace that closes a block, and what after it.
fn block(text: &str) -> (&str, &str) {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        if depth == 0 {
            return (text.get(..at).unwrap_or(text), text.get(at + 1..).unwrap_or(""));
        }
    }
    (text, "")
}

fn keep(rules: &[Rule], classes: &BTreeSet<&str>) -> Vec<Rule> {
    let kept = rules.iter().filter_map(|rule| match rule {
        Rule::Style(selectors, declarations) => {
            let mine: Vec<String> =
                selectors.split(',').filter_map(|s| selector(s.trim(), classes)).collect();
            (!mine.is_empty()).then(|| Rule::Style(mine.join(","), declarations.clone()))
        }
        Rule::Media(head, inner) => {
            let inner = keep(inner, classes);
            (!inner.is_empty()).then(|| Rule::Media(head.clone(), inner))
        }
    });
    kept.collect()
}

/// A selector that the picture can match, without the theme that a reader has not chosen.
fn selector(selector: &str, classes: &BTreeSet<&str>) -> Option<String> {
    let selector = selector.replace(":not([data-theme=\"light\"])", "");
    let end = |s: &str| s.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(s.len());
    let known = selector.split('.').skip(1).all(|s| classes.contains(s.get(..end(s)).unwrap_or(s)));
    (known && !selector.contains('[')).then_some(selector)
}

/// Every custom property that a kept rule reads; those that only other properties read follow from them.
fn colours(rules: &[Rule], used: &mut BTreeSet<String>) {
    for rule in rules {
        match rule {
            Rule::Style(_, declarations) => {
                for d in declarations {
                    used.extend(
                        d.split("var(").skip(1).filter_map(|v| Some(v.split([')', ',']).next()?.to_owned())),
                    );
                }
            }
            Rule::Media(_, inner) => colours(inner, used),
        }
    }
}

fn write(out: &mut String, rules: &[Rule], used: &BTreeSet<String>) {
    for rule in rules {
        match rule {
            Rule::Style(selectors, declarations) => {
                let wanted = |d: &&String| {
                    let name = d.split(':').next().unwrap_or(d);
                    name != "will-change" && (!name.starts_with("--") || used.contains(name))
                };
                let list: Vec<&str> = declarations.iter().filter(wanted).map(String::as_str).collect();
                if !list.is_empty() {
                    out.push_str(&format!("{selectors}{{{}}}", list.join(";")));
                }
            }
            Rule::Media(head, inner) => {
                let mut text = String::new();
                write(&mut text, inner, used);
                if !text.is_empty() {
                    out.push_str(&format!("{head}{{{text}}}"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Group;
    use super::*;

    #[test]
    fn keeps_what_the_picture_names_and_nothing_else() {
        let css = ":root{--ink:black;--rule:grey;--fault:red}\
                   @media (prefers-color-scheme:dark){:root:not([data-theme=\"light\"]){--ink:white;--fault:tomato}}\
                   @media screen{:root[data-theme=\"dark\"]{--ink:white}}\
                   .stage{width:100%}.stage .life,.stage .other{stroke:var(--ink)}.stage .fault{--hue:var(--fault)}";
        let shapes = vec![Shape::Path { d: "M0 0".into(), class: "life" }];
        let group = Group {
            key: "k".into(),
            class: "lifeline moves".into(),
            opacity: 1.0,
            at: (0.0, 0.0),
            shapes,
            motions: Vec::new(),
        };
        let scene = Scene { width: 1, height: 1, groups: vec![group] };
        assert_eq!(
            needed(css, &scene),
            ":root{--ink:black}@media (prefers-color-scheme:dark){:root{--ink:white}}\
             .stage{width:100%}.stage .life{stroke:var(--ink)}"
        );
    }
}
