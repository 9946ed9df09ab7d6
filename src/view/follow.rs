//! What on a page follows the player and the reader's settings: transcript, panels, theme, copy buttons.

use super::browser::{self, Element, find, find_all, root};

/// Marks what belongs to the shown step: the transcript's item and the panels.
pub fn mark(step: usize) {
    let Some(root) = root() else { return };
    let shown = step.to_string();
    for item in find_all(&root, "[data-step-text]") {
        let current = item.get_attribute("data-step-text").as_ref() == Some(&shown);
        let _ = match current {
            true => item.set_attribute("aria-current", "step"),
            false => item.remove_attribute("aria-current"),
        };
    }
    for panel in find_all(&root, "[data-panel]") {
        let current = panel.get_attribute("data-panel").as_ref() == Some(&shown);
        let _ = panel.toggle_attribute_with_force("data-current", current);
    }
    for link in find_all(&root, ".prose [data-step-link]") {
        let current = link.get_attribute("data-step-link").as_ref() == Some(&shown);
        let _ = match current {
            true => link.set_attribute("aria-current", "step"),
            false => link.remove_attribute("aria-current"),
        };
    }
}

/// The themes a reader can ask for, as they stand in storage and in `?theme=`, and in the button.
const THEMES: [(&str, &str); 3] = [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")];

/// Applies the theme that the address asks for, or else the kept one; anything unknown means the system's.
pub fn theme() {
    let known = |t: &String| THEMES.iter().any(|(name, _)| name == t);
    let asked = browser::parameter("theme").filter(known);
    set_theme(&asked.or_else(|| browser::recall("theme").filter(known)).unwrap_or_else(|| "auto".into()));
}

/// The next theme in turn, kept on this device.
pub fn next_theme() {
    let now = root().and_then(|r| r.get_attribute("data-theme")).unwrap_or_else(|| "auto".into());
    let at = THEMES.iter().position(|(name, _)| *name == now).unwrap_or(0);
    if let Some((name, _)) = THEMES.get((at + 1) % THEMES.len()) {
        browser::keep("theme", (*name != "auto").then_some(name));
        if browser::parameter("theme").is_some() {
            browser::set_parameters(&[("theme", Some(name.to_string()))]);
        }
        set_theme(name);
    }
}

fn set_theme(name: &str) {
    let Some(root) = root() else { return };
    let _ = match name {
        "auto" => root.remove_attribute("data-theme"),
        _ => root.set_attribute("data-theme", name),
    };
    let word = THEMES.iter().find(|(n, _)| *n == name).map_or("Auto", |(_, word)| word);
    if let Some(button) = find(&root, "[data-control=theme]") {
        let _ = button.set_attribute("aria-label", &format!("Theme: {word}"));
        if let Some(span) = find(&button, "[data-theme-word]") {
            // Words that stay the same are left alone: setting them would lay the header out again.
            if span.text_content().as_deref() != Some(word) {
                span.set_text_content(Some(word));
            }
        }
    }
}

/// Copies the command that a copy button stands beside.
pub fn copy_command(button: &Element) {
    let command = button.parent_element().and_then(|p| find(&p, "code")).and_then(|c| c.text_content());
    if let Some(command) = command {
        browser::copy(command);
    }
}
