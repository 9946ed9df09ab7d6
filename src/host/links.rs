//! From a site's own absolute addresses to ones that work wherever the site is put.

/// Attributes that hold an address. Those of `data-…` tell the page's programs where things are.
const ATTRIBUTES: [&str; 10] = [
    "href",
    "src",
    "data-root",
    "data-js",
    "data-wasm",
    "data-scenes-wide",
    "data-scenes-narrow",
    "data-sequence-wide",
    "data-sequence-narrow",
    "data-objects",
];

/// What leads from a page to the root of the site: `/diagrams/x/` is two folders deep, so `../../`.
pub fn root(path: &str) -> String {
    match path.matches('/').count() {
        0 | 1 => "./".into(),
        n => "../".repeat(n - 1),
    }
}

/// Puts `root` in the place of the leading slash of every address in the tags of an HTML text, such as
/// `href="/diagrams/"`. Text, comments, scripts, styles, `#…`, other sites and already relative addresses stay.
pub fn rebase(html: &str, root: &str) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 16);
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (text, tail) = rest.split_at(start);
        out.push_str(text);
        let end = tag_end(tail);
        let (tag, after) = tail.split_at(end);
        attributes(tag, root, &mut out);
        rest = after;
        for raw in ["script", "style"] {
            if name(tag).eq_ignore_ascii_case(raw) {
                let end = rest.find(&format!("</{raw}")).unwrap_or(rest.len());
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The length of the tag, comment or lone `<` that the text starts with.
fn tag_end(text: &str) -> usize {
    if text.starts_with("<!--") {
        return text.find("-->").map_or(text.len(), |end| end + 3);
    }
    if !text[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!') {
        return 1;
    }
    let mut quote = None;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return i + 1,
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The name of an opening tag; empty for anything else.
fn name(tag: &str) -> &str {
    let tag = tag.strip_prefix('<').unwrap_or_default();
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(tag.len());
    &tag[..end]
}

/// Copies a tag, rebasing the values of its addresses.
fn attributes(tag: &str, root: &str, out: &mut String) {
    if name(tag).is_empty() {
        out.push_str(tag);
        return;
    }
    let mut rest = tag;
    while let Some(quote) = rest.find(['"', '\'']) {
        let mark = if rest[quote..].starts_with('"') { '"' } else { '\'' };
        let (before, value) = rest.split_at(quote + 1);
        out.push_str(before);
        let end = value.find(mark).unwrap_or(value.len());
        let key = before[..quote].strip_suffix('=').and_then(|b| b.rsplit([' ', '\n', '\t']).next());
        let ours = value.starts_with('/') && !value.starts_with("//");
        if ours && key.is_some_and(|k| ATTRIBUTES.contains(&k)) {
            out.push_str(root);
            out.push_str(&value[1..end]);
        } else {
            out.push_str(&value[..end]);
        }
        rest = &value[end..];
        if let Some(after) = rest.strip_prefix(mark) {
            out.push(mark);
            rest = after;
        }
    }
    out.push_str(rest);
}
