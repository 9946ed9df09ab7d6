//! What a living player notices: keys and swipes on its stage, its width, and whether it can be seen.

use super::browser::{self, Event as DomEvent, find, listen};
use super::found::layout_for;
use super::keys;
use super::life::Life;
use super::objects_live;
use super::pane::Pane;
use super::player::Shown;
use crate::trace::{Event, Order};
use leptos::prelude::*;

/// A finger that moves less than this, in CSS pixels, has tapped.
const SWIPE_PX: i32 = 40;

impl Life {
    /// Begins to listen.
    pub(super) fn listen(&self) {
        let Some(stage) = find(&self.place, "[data-stage]") else { return };
        let with = |f: fn(&Life, DomEvent)| {
            let me = self.me.clone();
            move |event| {
                if let Some(life) = me.upgrade() {
                    f(&life, event);
                }
            }
        };
        let heard = vec![
            listen(&stage, "keydown", with(Life::key)),
            listen(&stage, "pointerdown", with(Life::touched)),
            listen(&stage, "pointerup", with(Life::lifted)),
            listen(&stage, "pointercancel", with(Life::let_go)),
        ];
        let (wide, seen) = (self.me.clone(), self.me.clone());
        let width = find(&self.place, ".player").and_then(|p| {
            browser::watch_width(&p, move |w| {
                if let Some(life) = wide.upgrade() {
                    life.resized(w);
                }
            })
        });
        let sight = browser::watch_sight(&stage, move |on_screen| {
            if let Some(life) = seen.upgrade() {
                life.on_screen.set(on_screen);
                life.attend();
            }
        });
        *self.watches.borrow_mut() = (width, sight, heard);
    }

    fn key(&self, event: DomEvent) {
        // What can be used by itself within the stage has its own keys.
        if !browser::is_own(&event) {
            return;
        }
        if let Some(asked) = keys::heard(&event) {
            self.asked(asked);
        }
    }

    /// A finger on the stage may be the beginning of a swipe. A mouse selects text instead.
    fn touched(&self, event: DomEvent) {
        self.finger.set(browser::finger(&event));
    }

    /// A finger that went further across than down has swiped: to the left for the next step, to the right for the
    /// one before.
    fn lifted(&self, event: DomEvent) {
        let (Some(from), Some(to)) = (self.finger.take(), browser::finger(&event)) else { return };
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        if across.abs() >= SWIPE_PX && across.abs() > 2 * down.abs() {
            self.tell(if across < 0 { Event::Next } else { Event::Previous });
        }
    }

    fn let_go(&self, _: DomEvent) {
        self.finger.set(None);
    }

    fn resized(&self, width: f64) {
        let layout = layout_for(width);
        if layout != self.shown.layout.get_untracked() {
            self.turn(|shown| shown.layout.set(layout));
        }
    }

    /// Shows another view of the same step.
    pub fn turn_to(&self, pane: Pane) {
        browser::set_parameters(&[("view", (pane != Pane::Map).then(|| pane.name().into()))]);
        if pane != self.shown.pane.get_untracked() {
            self.turn(|shown| shown.pane.set(pane));
        }
        self.press(pane);
    }

    /// Shows which view's button is pressed.
    pub(super) fn press(&self, pane: Pane) {
        for of in Pane::ALL {
            if let Some(button) = find(&self.place, &["[data-control=view-", of.name(), "]"].concat()) {
                let _ = button.set_attribute("aria-pressed", if of == pane { "true" } else { "false" });
            }
        }
    }

    /// Goes on with the same step in another picture of it.
    fn turn(&self, to: impl FnOnce(&Shown)) {
        if let Some(stage) = self.stage() {
            stage.stop();
        }
        to(&self.shown);
        // A step under way ends where it is: its motion was made for the other picture.
        let step = Order::Show(self.shown.step.get_untracked());
        self.showing.set(Some(step));
        self.tell(Event::MotionEnded);
        self.load();
        self.obey(self.showing.get().unwrap_or(step));
    }

    /// The objects have no motion: what would move is there at once.
    pub(super) fn draw_objects(&self, orders: &[Order]) {
        for order in orders {
            match order {
                Order::Show(step) => objects_live::show(*step),
                Order::Hold | Order::Resume | Order::Rest { .. } => {}
                Order::Animate(step) => {
                    objects_live::show(*step);
                    let me = self.me.clone();
                    browser::soon(move || {
                        if let Some(life) = me.upgrade() {
                            life.tell(Event::MotionEnded);
                        }
                    });
                }
            }
        }
    }

    /// Whether any of the stage is on screen.
    pub fn seen(&self) -> bool {
        self.on_screen.get()
    }

    /// Brings the stage into view and gives it the focus, since the reader has asked for it.
    pub fn show_stage(&self) {
        if let Some(stage) = find(&self.place, "[data-stage]") {
            browser::focus(&stage);
            stage.scroll_into_view_with_scroll_into_view_options(&{
                let options = browser::ScrollIntoViewOptions::new();
                options.set_block(browser::ScrollLogicalPosition::Nearest);
                options
            });
        }
    }

    /// Fills the screen with the figure alone, or goes back to the page.
    pub(super) fn full_screen(&self) {
        if let Some(figure) = find(&self.place, ".player") {
            browser::toggle_full_screen(&figure);
        }
    }
}
