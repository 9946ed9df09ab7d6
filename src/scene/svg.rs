//! The one SVG writer: groups and whole pictures as markup.

use super::motion::number;
use super::{Group, Scene, Shape};
use std::fmt::Write;

/// Where a picture will stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Embedding<'a> {
    /// In a page, whose style sheet colours it.
    Page,
    /// In a file of its own, with this style sheet inside.
    Alone(&'a str),
}

/// Text with the characters escaped that markup or attributes would misread.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// The attributes of the picture's `<svg>` by name, without `xmlns`.
pub fn attributes(scene: &Scene) -> Vec<(&'static str, String)> {
    let layout = if scene.width < 600 { "narrow" } else { "wide" };
    vec![
        ("class", format!("stage {layout}")),
        ("viewBox", format!("0 0 {} {}", scene.width, scene.height)),
        ("role", "img".to_owned()),
    ]
}

/// The attributes of a group's `<g>` by name, at its rest.
pub fn group_attributes(group: &Group) -> Vec<(&'static str, String)> {
    let mut out = vec![("data-key", group.key.clone()), ("class", group.class.clone())];
    if group.opacity < 1.0 {
        out.push(("opacity", number(group.opacity)));
    }
    if group.at != (0.0, 0.0) {
        out.push(("transform", format!("translate({} {})", number(group.at.0), number(group.at.1))));
    }
    out
}

/// What stands inside a group's `<g>`.
pub fn group(group: &Group) -> String {
    group.shapes.iter().map(shape).collect()
}

/// The opening tag of a picture with its title and description.
pub fn open(scene: &Scene, title: &str, desc: &str, embedding: Embedding) -> String {
    let (space, style) = match embedding {
        Embedding::Page => (String::new(), String::new()),
        Embedding::Alone(css) => {
            let size = format!(" width=\"{}\" height=\"{}\"", scene.width, scene.height);
            let css = css.replace("]]>", "]] >");
            (
                format!(" xmlns=\"http://www.w3.org/2000/svg\"{size}"),
                format!("<style><![CDATA[{css}]]></style>"),
            )
        }
    };
    let title = format!("<title>{}</title><desc>{}</desc>", escape(title), escape(desc));
    format!("<svg{space}{}>{title}{style}", listed(&attributes(scene)))
}

/// A whole picture at rest.
pub fn document(scene: &Scene, title: &str, desc: &str, embedding: Embedding) -> String {
    let mut out = open(scene, title, desc, embedding);
    for g in &scene.groups {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n<g{}>{}</g>", listed(&group_attributes(g)), group(g));
    }
    out.push_str("\n</svg>\n");
    out
}

/// A thumbnail for a card that names it; it says nothing to a screen reader.
pub fn thumbnail(scene: &Scene) -> String {
    let mut out = format!("<svg class=\"stage wide\" viewBox=\"0 0 {} {}\">", scene.width, scene.height);
    for g in &scene.groups {
        let look =
            group_attributes(g).into_iter().filter(|(name, _)| *name != "data-key").collect::<Vec<_>>();
        let _ = write!(out, "<g{}>{}</g>", listed(&look), group(g));
    }
    out.push_str("</svg>");
    out
}

fn listed(attributes: &[(&'static str, String)]) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape(value))).collect()
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Rect { x, y, w, h, r, class } => {
            let round = if *r > 0 { format!(" rx=\"{r}\"") } else { String::new() };
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round} class=\"{class}\"/>")
        }
        Shape::Circle { x, y, r, class } => {
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" class=\"{class}\"/>")
        }
        Shape::Path { d, class } => format!("<path d=\"{}\" class=\"{class}\"/>", escape(d)),
        Shape::Text { x, y, anchor, class, text } => {
            let anchor =
                if *anchor == "start" { String::new() } else { format!(" text-anchor=\"{anchor}\"") };
            format!("<text x=\"{x}\" y=\"{y}\"{anchor} class=\"{class}\">{}</text>", escape(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_words_stays_words() {
        let text = Shape::Text { x: 1, y: 2, anchor: "start", class: "mono", text: "a<b>&\"".to_owned() };
        let g = Group {
            key: "k".to_owned(),
            class: "c".to_owned(),
            opacity: 0.5,
            at: (1.25, 0.0),
            shapes: vec![text],
            motions: Vec::new(),
        };
        let scene = Scene { width: 360, height: 10, groups: vec![g] };
        let page = document(&scene, "T", "D", Embedding::Page);
        assert!(page.starts_with("<svg class=\"stage narrow\" viewBox=\"0 0 360 10\" role=\"img\"><title>T"));
        assert!(
            page.contains("<g data-key=\"k\" class=\"c\" opacity=\"0.5\" transform=\"translate(1.25 0)\">")
        );
        assert!(page.contains(">a&lt;b&gt;&amp;&quot;</text>"));
        let alone = document(&scene, "T", "D", Embedding::Alone(".a{}"));
        assert!(alone.contains("xmlns=") && alone.contains("<style><![CDATA[.a{}]]></style>"));
    }
}
