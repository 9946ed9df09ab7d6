//! The cast in the browser: who is pointed at, in the list or in the picture, has everything it did lifted.

use super::browser::{self, Element, Event as DomEvent, find_all, root};
use super::scenes::Deeds;
use std::cell::RefCell;

/// Who is lifted.
#[derive(Default)]
struct Lit {
    /// The deeds of this figure's cast.
    cast: Vec<Deeds>,
    /// Whom the reader has clicked: it stays lifted until the reader clicks again or presses Escape.
    pinned: Option<String>,
    /// Whom the reader points at or has the focus on.
    met: Option<String>,
}

thread_local! {
    static LIT: RefCell<Lit> = RefCell::default();
}

/// Takes over the cast of a figure whose scenes have come.
pub fn open(cast: Vec<Deeds>) {
    LIT.with_borrow_mut(|lit| *lit = Lit { cast, ..Lit::default() });
}

/// Whom an event is about: a button of the list, or a pill or card of the picture.
fn whom(event: &DomEvent) -> Option<String> {
    let button = browser::closest(event, "[data-cast]").and_then(|b| b.get_attribute("data-cast"));
    button.or_else(|| {
        let group = browser::closest(event, "[data-stage] g[data-key]")?.get_attribute("data-key")?;
        let group = group.strip_prefix("seq/").unwrap_or(&group).to_owned();
        (group.starts_with("actor/") || group.starts_with("object/")).then_some(group)
    })
}

/// The reader points at something, or moves the focus.
pub fn met(event: DomEvent) {
    let whom = whom(&event);
    let changed = LIT.with_borrow_mut(|lit| {
        let changed = lit.met != whom;
        lit.met = whom;
        changed
    });
    if changed {
        again();
    }
}

/// The reader clicks on one of the cast: it stays lifted, or is let go.
pub fn clicked(event: &DomEvent) {
    let Some(whom) = whom(event) else { return };
    LIT.with_borrow_mut(|lit| lit.pinned = Some(whom).filter(|w| lit.pinned.as_ref() != Some(w)));
    again();
}

/// Escape lets go whoever is lifted.
pub fn key(event: DomEvent) {
    if browser::plain_key(&event).as_deref() == Some("Escape") {
        LIT.with_borrow_mut(|lit| (lit.pinned, lit.met) = (None, None));
        again();
    }
}

/// A step has been drawn: what it shows of whoever is lifted is lifted too.
pub fn drawn() {
    if LIT.with_borrow(|lit| lit.met.is_some() || lit.pinned.is_some()) {
        again();
    }
}

/// Lifts what belongs to whoever is met or pinned, in the picture as it is now and in the list of steps.
pub fn again() {
    let Some(root) = root() else { return };
    LIT.with_borrow(|lit| {
        let key = lit.met.as_ref().or(lit.pinned.as_ref());
        let deeds = key.and_then(|key| lit.cast.iter().find(|d| d.key == *key));
        for group in find_all(&root, "[data-stage] g[data-key]") {
            let lifted =
                deeds.is_some_and(|d| tells(d, &group.get_attribute("data-key").unwrap_or_default()));
            mark(&group, lifted);
        }
        for item in find_all(&root, "[data-step-text]") {
            let step = item.get_attribute("data-step-text").and_then(|n| n.parse().ok());
            mark(&item, deeds.is_some_and(|d| step.is_some_and(|n| d.steps.contains(&n))));
        }
        for button in find_all(&root, "[data-cast]") {
            let own = button.get_attribute("data-cast");
            mark(&button, own.is_some() && own.as_ref() == key);
            let pinned = own.is_some() && own == lit.pinned;
            let _ = button.set_attribute("aria-pressed", if pinned { "true" } else { "false" });
        }
    });
}

/// Touches only what differs, so that nothing is painted for nothing.
fn mark(element: &Element, lifted: bool) {
    if element.has_attribute("data-lifted") != lifted {
        let _ = element.toggle_attribute_with_force("data-lifted", lifted);
    }
}

/// Whether a group of a picture tells of these deeds.
fn tells(deeds: &Deeds, group: &str) -> bool {
    let bare = group.strip_prefix("was/").unwrap_or(group);
    let bare = bare.strip_prefix("seq/").unwrap_or(bare);
    if bare == deeds.key || deeds.fields.iter().any(|f| f == bare) {
        return true;
    }
    let message = bare
        .strip_prefix("wire/")
        .or_else(|| bare.strip_prefix("message/"))
        .or_else(|| bare.strip_prefix("tip/"));
    // A second wire of one action has its number after the action's id.
    message.and_then(|m| m.split('/').next()).is_some_and(|id| deeds.actions.iter().any(|a| a == id))
}
