//! What a living player notices: keys and swipes on its stage, its width, and whether it can be seen.

use super::browser::{self, Event as DomEvent, find, listen};
use super::found::layout_for;
use super::keys;
use super::life::Life;
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
            self.shown.layout.set(layout);
            // A step under way ends where it is: its motion was made for the other layout.
            self.showing.set(Some(Order::Show(self.shown.step.get_untracked())));
            self.tell(Event::MotionEnded);
            match self.showing.get().filter(|_| self.stage().is_some()) {
                Some(order) => self.obey(order),
                None => self.load(layout),
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
