//! The Objects view: the YAML of every API object at a step, with what the step changed and who wrote it.
//!
//! The host makes the markup of every step: the first stands on the page, the others come as data when they are asked
//! for, so that the browser's program need not make any.

use crate::trace::{Fate, Sheet, Shown, ShownLine, ShownSection};

/// A section of fewer unchanged lines than this is shown, not folded.
const FOLD: usize = 3;

/// The objects of a step (from 1) as HTML: one `<details>` each, open where something in it changed. With the address
/// of a `file` that holds them too, those that the step left as they were only point there: a page stays small.
pub fn markup(sheet: &Sheet, step: usize, file: Option<&str>) -> String {
    let mut out = String::new();
    for object in sheet.steps.get(step.wrapping_sub(1)).into_iter().flatten() {
        Page { sheet, file, out: &mut out }.object(object);
    }
    out
}

struct Page<'a> {
    sheet: &'a Sheet,
    file: Option<&'a str>,
    out: &'a mut String,
}

impl Page<'_> {
    fn put(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.out.push_str(part));
    }

    /// Text, so that it stays text.
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                c => self.out.push(c),
            }
        }
    }

    fn sections(&self, object: &Shown) -> Vec<ShownSection> {
        object.blocks.iter().filter_map(|block| self.sheet.blocks.get(*block).cloned()).collect()
    }

    fn object(&mut self, object: &Shown) {
        let sections = self.sections(object);
        let changed: Vec<&ShownLine> =
            sections.iter().flat_map(|s| &s.lines).filter(|line| line.fate != Fate::Stays).collect();
        let same = object.fate == Fate::Stays && changed.is_empty();
        let open = if same { "" } else { " open data-open" };
        self.put(&["<details class=\"yaml\"", open, " data-object=\"", &object.kind, "/"]);
        self.text(&object.name);
        self.put(&["\"><summary><b>", &object.kind, "</b> <code>"]);
        self.text(&object.name);
        self.put(&["</code>"]);
        match object.fate {
            Fate::New => self.fate("created by ", &[object.by]),
            Fate::Gone => self.fate("gone, by ", &[object.by]),
            Fate::Stays if same => {}
            Fate::Stays => {
                let mut writers: Vec<usize> = Vec::new();
                for writer in changed.iter().filter_map(|line| self.writer(line)) {
                    if !writers.contains(&writer) {
                        writers.push(writer);
                    }
                }
                self.fate("changed by ", &writers);
            }
        }
        if let Some(file) = self.file.filter(|_| same) {
            return self.put(&["</summary><a href=\"", file, "\">YAML file</a></details>"]);
        }
        self.put(&["</summary><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"YAML of "]);
        self.put(&[&object.kind, " "]);
        self.text(&object.name);
        self.put(&["\">"]);
        let mut lines: Vec<ShownLine> = Vec::new();
        for section in sections {
            let foldable = section.lines.len() >= FOLD && !same;
            if foldable && section.lines.iter().all(|line| line.fate == Fate::Stays) {
                self.lines(&std::mem::take(&mut lines));
                self.put(&["<details><summary><code>", &section.name, "</code> "]);
                self.put(&["unchanged, ", &section.lines.len().to_string(), " lines</summary>"]);
                self.lines(&section.lines);
                self.put(&["</details>"]);
            } else {
                lines.extend(section.lines);
            }
        }
        self.lines(&lines);
        self.put(&[
            "</div><button type=\"button\" data-control=\"copy-object\" aria-label=\"Copy the YAML of ",
        ]);
        self.put(&[&object.kind, " "]);
        self.text(&object.name);
        self.put(&["\">Copy</button></details>"]);
    }

    fn writer(&self, line: &ShownLine) -> Option<usize> {
        self.sheet.lines.get(line.line).map(|(_, writer)| *writer)
    }

    fn fate(&mut self, words: &str, writers: &[usize]) {
        self.put(&[" <span class=\"fate\">", words]);
        for (place, writer) in writers.iter().enumerate() {
            if place > 0 {
                self.put(&[", "]);
            }
            self.name(*writer);
        }
        self.put(&["</span>"]);
    }

    /// A writer's badge and name.
    fn name(&mut self, writer: usize) {
        let Some([name, badge, class]) = self.sheet.writers.get(writer).cloned() else { return };
        self.put(&["<i class=\"badge ", &class, "\" aria-hidden=\"true\">", &badge, "</i>"]);
        self.text(&name);
    }

    /// Lines in one block: those that stay in stretches, each changed one with its writer, unless the line before
    /// has said the same.
    fn lines(&mut self, lines: &[ShownLine]) {
        if lines.is_empty() {
            return;
        }
        self.put(&["<pre>"]);
        let mut stretch = false;
        let mut said: Option<(usize, Fate)> = None;
        for line in lines {
            let Some((text, writer)) = self.sheet.lines.get(line.line).cloned() else { continue };
            let (open, close) = match line.fate {
                Fate::Stays => ("<span class=\"l\">", ""),
                Fate::New => ("<mark class=\"l ", "</mark>"),
                Fate::Gone => ("<del class=\"l ", "</del>"),
            };
            let stays = line.fate == Fate::Stays;
            if stretch && !stays {
                self.put(&["</span>"]);
            }
            if !stays || !stretch {
                self.put(&[open]);
            }
            stretch = stays;
            if stays {
                said = None;
                self.text(&text);
                self.put(&["\n"]);
                continue;
            }
            let class = self.sheet.writers.get(writer).map(|[_, _, class]| class.clone()).unwrap_or_default();
            self.put(&[&class, "\">"]);
            self.text(&text);
            self.put(&[close]);
            if said != Some((writer, line.fate)) || line.was.is_some() {
                self.note(line, writer);
            }
            said = Some((writer, line.fate));
            self.put(&["\n"]);
        }
        if stretch {
            self.put(&["</span>"]);
        }
        self.put(&["</pre>"]);
    }

    fn note(&mut self, line: &ShownLine, writer: usize) {
        let words = if line.fate == Fate::Gone { "removed by " } else { "written by " };
        self.put(&[" <span class=\"who\">", words]);
        self.name(writer);
        if let Some(was) = &line.was {
            self.put(&[", was "]);
            self.text(was);
        }
        self.put(&["</span>"]);
    }
}
