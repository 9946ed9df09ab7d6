//! The picture on the page: patched group by group, and moved by the compositor.

use super::browser::{self, Animation, Element, find};
use super::motion;
use super::pane::Pane;
use super::scenes::{Deeds, Group, Scenes};
use crate::scene::Layout;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

/// One group as it is on the page; what is `None` nobody has noted.
struct Drawn {
    key: String,
    look: Option<u32>,
    /// Whether it has the class that readies it for the compositor.
    moves: bool,
    rest: Option<[String; 2]>,
    element: Element,
}

/// The stage of one figure, in one layout.
pub struct Stage {
    svg: Element,
    scenes: Scenes,
    drawn: RefCell<Vec<Drawn>>,
    moving: RefCell<Vec<Animation>>,
    ended: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl Stage {
    /// The stage of a figure in this view and layout: on the picture that the page has, or in the place of the image
    /// that stands for it.
    pub fn new(figure: &Element, pane: Pane, layout: Layout, scenes: Scenes) -> Option<Self> {
        let place = find(figure, &format!("[data-pane={}] [data-box={}]", pane.name(), layout.name()))?;
        let svg = find(&place, "svg").or_else(|| picture(&place, layout, &scenes.view_box()))?;
        let drawn = browser::find_all(&svg, ":scope > g[data-key]")
            .into_iter()
            .filter_map(|element| {
                let key = element.get_attribute("data-key")?;
                Some(Drawn { key, look: None, moves: false, rest: None, element })
            })
            .collect();
        Some(Self {
            svg,
            scenes,
            drawn: RefCell::new(drawn),
            moving: RefCell::new(Vec::new()),
            ended: RefCell::new(None),
        })
    }

    /// Shows a step at rest.
    pub fn rest(&self, step: usize, says: &str) {
        self.stop();
        self.draw(self.scenes.groups(step).filter(Group::rests), false, says);
    }

    /// Moves through a step; `done` is called at its end.
    pub fn play(&self, step: usize, says: &str, rate: f64, done: impl FnMut() + 'static) {
        self.stop();
        let groups: Vec<Group> = self.scenes.groups(step).collect();
        let motions: Vec<_> = groups.iter().map(|g| g.motions.clone()).collect();
        self.draw(groups.into_iter(), true, says);
        let ms = self.scenes.duration_ms(step);
        let timing = motion::timing(ms);
        let mut moving = Vec::new();
        for (drawn, motions) in self.drawn.borrow().iter().zip(&motions) {
            moving.extend(motion::start(&drawn.element, motions, ms, &timing));
        }
        for animation in &moving {
            animation.set_playback_rate(rate);
        }
        let done = Closure::new(done);
        // They all end at once; one of them tells.
        if let Some(animation) = moving.last() {
            animation.set_onfinish(Some(done.as_ref().unchecked_ref()));
        }
        *self.ended.borrow_mut() = Some(done);
        *self.moving.borrow_mut() = moving;
    }

    /// Holds the motion where it is.
    pub fn hold(&self) {
        for a in self.moving.borrow().iter() {
            let _ = a.pause();
        }
    }

    /// Lets a held motion go on.
    pub fn resume(&self) {
        for a in self.moving.borrow().iter() {
            let _ = a.play();
        }
    }

    /// Changes the speed of a motion under way.
    pub fn set_rate(&self, rate: f64) {
        for a in self.moving.borrow().iter() {
            a.update_playback_rate(rate);
        }
    }

    /// How long a step moves, in milliseconds.
    pub fn duration_ms(&self, step: usize) -> f64 {
        self.scenes.duration_ms(step)
    }

    /// What everybody and everything of the cast does.
    pub fn cast(&self) -> Vec<Deeds> {
        self.scenes.cast()
    }

    /// Ends any motion at the rest frame of its step.
    pub fn stop(&self) {
        for a in self.moving.take() {
            a.set_onfinish(None);
            a.cancel();
        }
    }

    /// Makes the page show these groups, touching only what differs.
    fn draw(&self, groups: impl Iterator<Item = Group>, playing: bool, says: &str) {
        if let Some(desc) = find(&self.svg, "desc") {
            desc.set_text_content(Some(says));
        }
        let mut was = self.drawn.take();
        let mut now: Vec<Drawn> = Vec::with_capacity(was.len());
        let mut next = find(&self.svg, ":scope > g");
        for group in groups {
            let old = was.iter().position(|d| d.key == group.key).map(|i| was.swap_remove(i));
            let Some(mut drawn) = old.or_else(|| create(&group.key)) else { continue };
            if next.as_ref() == Some(&drawn.element) {
                next = drawn.element.next_element_sibling();
            } else {
                let _ = self.svg.insert_before(&drawn.element, next.as_ref().map(|n| n.as_ref()));
            }
            self.apply(&mut drawn, &group, playing && group.motions.length() > 0);
            now.push(drawn);
        }
        for gone in was {
            gone.element.remove();
        }
        *self.drawn.borrow_mut() = now;
    }

    fn apply(&self, drawn: &mut Drawn, group: &Group, moves: bool) {
        let element = &drawn.element;
        let changed = drawn.look != Some(group.look);
        if changed || drawn.moves != moves {
            let class = self.scenes.class(group.look);
            let _ = element.set_attribute("class", &if moves { class + " moves" } else { class });
            drawn.moves = moves;
        }
        if changed {
            element.set_inner_html(&self.scenes.markup(group.look));
            drawn.look = Some(group.look);
        }
        if drawn.rest.as_ref() != Some(&group.rest) {
            for (name, value) in ["opacity", "transform"].iter().zip(&group.rest) {
                let _ = match value.is_empty() {
                    true => element.remove_attribute(name),
                    false => element.set_attribute(name, value),
                };
            }
            drawn.rest = Some(group.rest.clone());
        }
    }
}

impl Drop for Stage {
    /// A page that is left ends its motions, so that none reports its end to a player that is gone.
    fn drop(&mut self) {
        self.stop();
    }
}

const SVG: &str = "http://www.w3.org/2000/svg";

/// An empty picture in the place of an image.
fn picture(place: &Element, layout: Layout, view_box: &str) -> Option<Element> {
    let image = find(place, "img")?;
    let document = browser::document()?;
    let svg = document.create_element_ns(Some(SVG), "svg").ok()?;
    for (name, value) in
        [("class", &*format!("stage {}", layout.name())), ("viewBox", view_box), ("role", "img")]
    {
        svg.set_attribute(name, value).ok()?;
    }
    for name in ["title", "desc"] {
        let part = document.create_element_ns(Some(SVG), name).ok()?;
        svg.append_child(&part).ok()?;
    }
    find(&svg, "title")?.set_text_content(image.get_attribute("alt").as_deref());
    image.replace_with_with_node_1(&svg).ok()?;
    Some(svg)
}

fn create(key: &str) -> Option<Drawn> {
    let element = browser::document()?.create_element_ns(Some(SVG), "g").ok()?;
    let _ = element.set_attribute("data-key", key);
    Some(Drawn { key: key.into(), look: None, moves: false, rest: None, element })
}
