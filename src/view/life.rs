//! A living player: what the reader asks of the figure goes to the machine, what the machine orders to the stage.

use super::browser::{self, Element};
use super::browser::{Listener, SightWatch, WidthWatch, find, root};
use super::cast;
use super::figure::Figure;
use super::follow;
use super::found::{layout_for, read};
use super::pane::Pane;
use super::player::{Ask, Player, PlayerProps, Shown};
use super::scenes::Scenes;
use super::sentences::Sentences;
use super::stage::Stage;
use crate::scene::Layout;
use crate::trace::{Event, Machine, Order, PlayState, Speed};
use any_spawner::Executor;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::{PositionState, RenderHtml};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

/// How long the rest of the page waits, so that the stage's own step is painted first.
const AFTER_PAINT_MS: u32 = 100;

/// What the reader is told when the scenes do not come.
const NO_SCENES: &str =
    "The animation could not start: its pictures did not load; every step is below as text and picture.";

/// A stage with the view and the layout that it shows.
pub(super) type Staged = ((Pane, Layout), Rc<Stage>);

/// A living player.
pub struct Life {
    pub(super) me: Weak<Life>,
    pub(super) place: Element,
    pub(super) props: Figure,
    pub(super) shown: Shown,
    sentences: Sentences,
    pub(super) machine: RefCell<Machine>,
    /// The stages of the views and layouts whose scenes have come.
    pub(super) stages: RefCell<Vec<Staged>>,
    /// What the stage was last told to show.
    pub(super) showing: Cell<Option<Order>>,
    /// What the stage is told and has not done yet.
    waiting: RefCell<Vec<Order>>,
    rest: RefCell<Option<(u32, Timeout)>>,
    /// What the rest of the page has still to do.
    later: RefCell<Option<Timeout>>,
    /// Whether it is held because nobody can see it.
    pub(super) held: Cell<bool>,
    pub(super) on_screen: Cell<bool>,
    /// Where a finger came down on the stage.
    pub(super) finger: Cell<Option<(i32, i32)>>,
    pub(super) watches: RefCell<(Option<WidthWatch>, Option<SightWatch>, Vec<Listener>)>,
    _mounted: Box<dyn std::any::Any>,
}

impl Life {
    /// Reads what the page says about the player and hydrates its figure; `None` when it has no steps.
    pub fn new(place: &Element) -> Option<Rc<Self>> {
        let props = read(place)?;
        let shown = Shown::new();
        let words = props.steps.iter().map(|s| s.text.split_whitespace().count()).collect();
        Some(Rc::new_cyclic(|me: &Weak<Life>| {
            let asked = me.clone();
            let ask: Rc<dyn Fn(Ask)> = Rc::new(move |a| {
                if let Some(life) = asked.upgrade() {
                    life.asked(a);
                }
            });
            let figure = PlayerProps { props: props.clone(), shown, ask };
            // As `hydrate_from` of Leptos does it, without what it keeps for data that come after the page.
            let _ = Executor::init_wasm_bindgen();
            let owner = Owner::new();
            let cursor = Cursor::new(place.clone());
            let mounted =
                owner.with(|| Player(figure).into_view().hydrate::<true>(&cursor, &PositionState::default()));
            Life {
                me: me.clone(),
                place: place.clone(),
                props,
                shown,
                sentences: Sentences::new(place),
                machine: RefCell::new(Machine::new(words)),
                stages: RefCell::new(Vec::new()),
                showing: Cell::new(None),
                waiting: RefCell::new(Vec::new()),
                rest: RefCell::new(None),
                later: RefCell::new(None),
                held: Cell::new(false),
                on_screen: Cell::new(true),
                finger: Cell::new(None),
                watches: RefCell::new((None, None, Vec::new())),
                _mounted: Box::new((mounted, owner)),
            }
        }))
    }

    /// Takes what the address and this device ask for, and begins to listen.
    pub fn open(&self) {
        let width = find(&self.place, ".player").map_or(0.0, |p| p.get_bounding_client_rect().width());
        self.shown.layout.set(layout_for(width));
        let motion = browser::recall("motion").as_deref() != Some("none");
        self.set_still(!motion || browser::media("(prefers-reduced-motion: reduce)"));
        if let Some(pane) = browser::parameter("view") {
            let pane = Pane::from_name(&pane);
            self.shown.pane.set(pane);
            self.press(pane);
        }
        if let Some(speed) = browser::parameter("speed") {
            self.set_speed(Speed::from_name(&speed));
        }
        let play = browser::parameter("play").as_deref() == Some("1");
        let step = browser::parameter("step").and_then(|s| s.parse::<usize>().ok());
        // What the reader has asked for by now outranks the address.
        let asked = self.showing.get().is_some();
        if let Some(step) = step.filter(|s| !asked && (1..=self.props.steps.len()).contains(s)) {
            self.tell(Event::Go(step));
            follow::mark(step);
        }
        if play && !asked && !self.shown.still.get_untracked() {
            self.tell(Event::Play);
        }
        self.sentences.ready();
        self.listen();
        self.load();
    }

    /// The stage in the layout that is shown, if its scenes have come.
    pub(super) fn stage(&self) -> Option<Rc<Stage>> {
        let shown = self.place_shown();
        self.stages.borrow().iter().find(|(place, _)| *place == shown).map(|(_, stage)| stage.clone())
    }

    /// The view and the layout that are shown.
    fn place_shown(&self) -> (Pane, Layout) {
        (self.shown.pane.get_untracked(), self.shown.layout.get_untracked())
    }

    /// Fetches the scenes of what is shown; when they come, the stage does what it was last told.
    pub(super) fn load(&self) {
        let (pane, layout) = self.place_shown();
        let scenes = match pane {
            Pane::Map => "scenes",
            Pane::Sequence => "sequence",
            Pane::Objects => return,
        };
        if self.stage().is_some() {
            return;
        }
        let attribute = format!("data-{scenes}-{}", layout.name());
        let Some(url) = self.place.get_attribute(&attribute) else { return };
        let me = self.me.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let scenes = Scenes::fetch(url).await;
            let Some(life) = me.upgrade() else { return };
            let stage = scenes.ok().and_then(|scenes| Stage::new(&life.place, pane, layout, scenes));
            match stage {
                Some(stage) => {
                    cast::open(stage.cast());
                    life.stages.borrow_mut().push(((pane, layout), Rc::new(stage)));
                    if let Some(order) = life.showing.get() {
                        life.obey(order);
                    }
                }
                None => life.fail(),
            }
        });
    }

    /// Says that there will be no pictures but those of the page itself.
    fn fail(&self) {
        if let Some(root) = root() {
            let _ = root.set_attribute("data-failed", "");
        }
        // The picture that the page has is the first step's, so the rest of the page tells that one too.
        // The address keeps the step that was asked for: another try may show it.
        self.tell(Event::First);
        self.later.take();
        follow::mark(1);
        browser::say(NO_SCENES);
    }

    pub(super) fn asked(&self, ask: Ask) {
        match ask {
            Ask::Player(event) => self.tell(event),
            Ask::Speed(speed) => {
                self.set_speed(speed);
                browser::set_parameters(&[("speed", (speed != Speed::Normal).then(|| speed.name().into()))]);
            }
            Ask::Still(still) => {
                browser::keep("motion", still.then_some("none"));
                self.set_still(still);
            }
            Ask::FullScreen => self.full_screen(),
            Ask::CopyLink => {
                if let Some(url) = browser::address() {
                    url.search_params().set("step", &self.shown.step.get_untracked().to_string());
                    url.search_params().delete("play");
                    url.set_hash("");
                    browser::copy(url.href());
                }
            }
        }
    }

    fn set_speed(&self, speed: Speed) {
        self.shown.speed.set(speed);
        if let Some(stage) = self.stage() {
            stage.set_rate(speed.rate());
        }
    }

    fn set_still(&self, still: bool) {
        self.shown.still.set(still);
        let orders = self.machine.borrow_mut().set_still(still);
        self.follow(orders);
    }

    /// Tells the player what happened and does what it orders.
    pub fn tell(&self, event: Event) {
        let orders = self.machine.borrow_mut().on(event);
        self.follow(orders);
    }

    fn follow(&self, orders: Vec<Order>) {
        let (step, state) = {
            let machine = self.machine.borrow();
            (machine.step(), machine.state())
        };
        let moved = step != self.shown.step.get_untracked();
        let polite = state != PlayState::Playing || self.slow(step);
        if polite != self.shown.polite.get_untracked() {
            self.shown.polite.set(polite);
        }
        if state != self.shown.state.get_untracked() {
            self.shown.state.set(state);
        }
        if moved {
            self.sentences.show(step);
            self.shown.step.set(step);
            self.rest_of_page_follows();
        }
        for order in orders {
            self.obey(order);
        }
    }

    /// Lets the transcript, the panels and the address follow once the stage has painted its step.
    fn rest_of_page_follows(&self) {
        let me = self.me.clone();
        let later = Timeout::new(AFTER_PAINT_MS, move || {
            if let Some(life) = me.upgrade() {
                let step = life.shown.step.get_untracked();
                life.sentences.ready();
                follow::mark(step);
                cast::again();
                browser::set_parameters(&[("step", Some(step.to_string())), ("play", None)]);
            }
        });
        *self.later.borrow_mut() = Some(later);
    }

    pub(super) fn obey(&self, order: Order) {
        self.rest.take();
        match order {
            Order::Rest { ms } => return self.rest_for(ms),
            Order::Show(_) | Order::Animate(_) => {
                self.showing.set(Some(order));
                self.waiting.borrow_mut().clear();
            }
            Order::Hold | Order::Resume => {}
        }
        // The reader sees the step's sentence in the next frame; its number comes and the picture begins to move
        // in the one after it, so that a key is answered at once on a slow machine too.
        let first = self.waiting.borrow().is_empty();
        self.waiting.borrow_mut().push(order);
        if first {
            let me = self.me.clone();
            browser::after_paint(move || {
                if let Some(life) = me.upgrade() {
                    life.draw();
                }
            });
        }
    }

    /// Lets the number of the step follow, and the stage do what it has been told.
    fn draw(&self) {
        let step = self.shown.step.get_untracked();
        if step != self.shown.told.get_untracked() {
            self.shown.told.set(step);
        }
        let orders = self.waiting.take();
        if self.shown.pane.get_untracked() == Pane::Objects {
            return self.draw_objects(&orders);
        }
        let Some(stage) = self.stage() else { return };
        for order in orders {
            match order {
                Order::Show(n) => stage.rest(n, &self.props.text(n).text),
                Order::Animate(n) => {
                    let me = self.me.clone();
                    let rate = self.shown.speed.get_untracked().rate();
                    stage.play(n, &self.props.text(n).text, rate, move || {
                        if let Some(life) = me.upgrade() {
                            life.tell(Event::MotionEnded);
                        }
                    });
                    self.attend();
                }
                Order::Hold => stage.hold(),
                Order::Resume => stage.resume(),
                Order::Rest { .. } => {}
            }
        }
        cast::drawn();
    }

    fn rest_for(&self, ms: u32) {
        let me = self.me.clone();
        let timeout = Timeout::new(ms, move || {
            if let Some(life) = me.upgrade() {
                life.rest.take();
                life.tell(Event::RestEnded);
            }
        });
        *self.rest.borrow_mut() = Some((ms, timeout));
        self.attend();
    }

    /// Holds the play while nobody can see it, and lets it go on after.
    pub fn attend(&self) {
        let unseen = browser::hidden() || !self.on_screen.get();
        let playing = self.shown.state.get_untracked() == PlayState::Playing;
        if unseen && playing {
            self.held.set(true);
            if let Some(stage) = self.stage() {
                stage.hold();
            }
            if let Some((ms, timeout)) = self.rest.take() {
                timeout.cancel();
                // The rest begins anew once it can be seen.
                *self.rest.borrow_mut() = Some((ms, Timeout::new(u32::MAX >> 1, || ())));
            }
        } else if !unseen && self.held.replace(false) && playing {
            if let Some(stage) = self.stage() {
                stage.resume();
            }
            if let Some((ms, timeout)) = self.rest.take() {
                timeout.cancel();
                self.rest_for(ms);
            }
        }
    }

    fn slow(&self, step: usize) -> bool {
        let ms = self.stage().map_or(0.0, |s| s.duration_ms(step));
        ms / self.shown.speed.get_untracked().rate() >= 3000.0
    }
}
