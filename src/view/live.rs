//! The app in the browser: wakes the players of the page that is shown, and puts them to sleep when it is left.

use super::browser::{self, Element, Event as DomEvent, Listener, document, find_all, listen, root};
use super::life::Life;
use super::pending::Pending;
use super::{follow, navigate, objects_live};
use crate::trace::Event;
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static AWAKE: RefCell<Vec<Rc<Life>>> = const { RefCell::new(Vec::new()) };
    static PAGE: RefCell<Vec<Listener>> = const { RefCell::new(Vec::new()) };
}

/// Starts the app on a prerendered page, in parts: between two of them the browser can answer the reader.
pub fn start() {
    browser::soon(|| {
        follow::theme();
        browser::soon(|| {
            navigate::start();
            browser::soon(attach);
        });
    });
}

/// From here on the page hears for itself: boot.js sees `data-awake` and stops noting what the reader does.
fn attach() {
    let (Some(document), Some(root)) = (document(), root()) else { return };
    let pending = Pending::take(&root);
    let lives = adopt(&root);
    let clicks = listen(&document, "click", clicked);
    let hiding = listen(&document, "visibilitychange", |_| {
        AWAKE.with_borrow(|lives| lives.iter().for_each(|l| l.attend()));
    });
    PAGE.with_borrow_mut(|p| p.extend([clicks, hiding]));
    let _ = root.set_attribute("data-awake", "");
    browser::soon(move || {
        lives.iter().for_each(|life| life.open());
        let _ = root.set_attribute("data-ready", "");
        if let Some(pending) = pending {
            pending.perform();
        }
    });
}

/// Wakes every player of the page.
pub fn wake() {
    let Some(root) = root() else { return };
    follow::theme();
    adopt(&root).iter().for_each(|life| life.open());
}

/// Makes every player of the page a living one.
fn adopt(root: &Element) -> Vec<Rc<Life>> {
    let lives: Vec<_> = find_all(root, "[data-live=player]").iter().filter_map(Life::new).collect();
    AWAKE.with_borrow_mut(|awake| awake.extend(lives.iter().cloned()));
    lives
}

/// Puts every player of the page to sleep, before the page is taken away.
pub fn sleep() {
    AWAKE.take();
}

/// Clicks anywhere on the page that concern the player or the settings.
fn clicked(event: DomEvent) {
    if browser::closest(&event, "[data-objects] summary").is_some() {
        // Whether it is open now shows when the click is over.
        browser::soon(objects_live::complete);
    }
    let player = || AWAKE.with_borrow(|lives| lives.first().cloned());
    let step_of = |e: &Element, name: &str| e.get_attribute(name).and_then(|n| n.parse::<usize>().ok());
    if let Some(control) = browser::closest(&event, "[data-control]") {
        match control.get_attribute("data-control").as_deref() {
            Some("theme") => follow::next_theme(),
            Some("copy") => follow::copy_command(&control),
            Some("copy-object") => objects_live::copy(&control),
            Some("play-from") => {
                if let (Some(life), Some(n)) = (player(), step_of(&control, "data-step")) {
                    life.tell(Event::Go(n));
                    life.tell(Event::Play);
                    life.show_stage();
                }
            }
            _ => {}
        }
    } else if let Some(link) = browser::closest(&event, "[data-step-link]")
        && !browser::wants_elsewhere(&event)
        && let (Some(life), Some(n)) = (player(), step_of(&link, "data-step-link"))
    {
        event.prevent_default();
        life.tell(Event::Go(n));
        // A link in the prose leaves the reader there, unless the stage is out of sight.
        if browser::closest(&event, ".prose").is_none() || !life.seen() {
            life.show_stage();
        }
    }
}
