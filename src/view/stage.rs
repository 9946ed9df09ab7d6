//! The picture on the page: patched group by group, and moved by the compositor.

use super::browser::{self, find};
use super::motion;
use crate::scene::{self, Group, Layout, Scene, svg};
use crate::trace::Run;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Animation, Element};

/// One group as it is on the page.
struct Drawn {
    key: String,
    look: Look,
    element: Element,
}

/// What of a group is markup; equal looks need no work.
#[derive(PartialEq)]
struct Look {
    class: String,
    opacity: f64,
    at: (f64, f64),
    inner: String,
}

impl Look {
    fn of(group: &Group) -> Self {
        Look { class: group.class.clone(), opacity: group.opacity, at: group.at, inner: svg::group(group) }
    }
}

/// The stage of one figure.
pub struct Stage {
    run: Run,
    boxes: [(Layout, Element); 2],
    drawn: RefCell<Option<(Layout, Vec<Drawn>)>>,
    moving: RefCell<Vec<Animation>>,
    ended: RefCell<Option<Closure<dyn FnMut()>>>,
    scenes: RefCell<BTreeMap<(usize, Layout), Rc<Scene>>>,
}

impl Stage {
    /// The stage of a figure whose boxes hold the rest frames of the first step.
    pub fn new(run: Run, figure: &Element) -> Option<Self> {
        let wide = find(figure, "[data-box=wide]")?;
        let narrow = find(figure, "[data-box=narrow]")?;
        Some(Self {
            run,
            boxes: [(Layout::Wide, wide), (Layout::Narrow, narrow)],
            drawn: RefCell::new(None),
            moving: RefCell::new(Vec::new()),
            ended: RefCell::new(None),
            scenes: RefCell::new(BTreeMap::new()),
        })
    }

    /// Shows a step at rest.
    pub fn rest(&self, step: usize, layout: Layout, says: &str) {
        self.stop();
        let scene = self.scene(step, layout);
        self.draw(scene.groups.iter().filter(|g| g.opacity > 0.0), layout, says);
    }

    /// Moves through a step; `done` is called at its end.
    pub fn play(&self, step: usize, layout: Layout, says: &str, rate: f64, done: impl FnMut() + 'static) {
        self.stop();
        let scene = self.scene(step, layout);
        self.draw(scene.groups.iter(), layout, says);
        let mut moving = Vec::new();
        let mut last: Option<(u32, usize)> = None;
        if let Some((_, drawn)) = self.drawn.borrow().as_ref() {
            for (group, drawn) in scene.groups.iter().zip(drawn) {
                for (animation, m) in motion::start(&drawn.element, group).into_iter().zip(&group.motions) {
                    let end = m.delay_ms + m.duration_ms;
                    if last.is_none_or(|(e, _)| end > e) {
                        last = Some((end, moving.len()));
                    }
                    animation.set_playback_rate(rate);
                    moving.push(animation);
                }
            }
        }
        let done = Closure::new(done);
        if let Some(animation) = last.and_then(|(_, i)| moving.get(i)) {
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

    /// Works out a step's scene before it is asked for.
    pub fn prepare(&self, step: usize, layout: Layout) {
        if (1..=self.run.groups.len()).contains(&step) {
            self.scene(step, layout);
        }
    }

    /// How long a step moves, in milliseconds.
    pub fn duration_ms(&self, step: usize, layout: Layout) -> f64 {
        self.scene(step, layout).duration_ms().into()
    }

    fn stop(&self) {
        for a in self.moving.take() {
            a.set_onfinish(None);
            a.cancel();
        }
    }

    fn scene(&self, step: usize, layout: Layout) -> Rc<Scene> {
        let known = self.scenes.borrow().get(&(step, layout)).cloned();
        known.unwrap_or_else(|| {
            let scene = Rc::new(scene::scene(&self.run, step, layout));
            self.scenes.borrow_mut().insert((step, layout), scene.clone());
            scene
        })
    }

    /// Makes the page show these groups, touching only what differs.
    fn draw<'a>(&self, groups: impl Iterator<Item = &'a Group>, layout: Layout, says: &str) {
        let Some(svg) = self.boxes.iter().find(|(l, _)| *l == layout).and_then(|(_, b)| find(b, "svg"))
        else {
            return;
        };
        if let Some(desc) = find(&svg, "desc") {
            desc.set_text_content(Some(says));
        }
        let mut was = match self.drawn.take() {
            Some((l, drawn)) if l == layout => drawn,
            _ => self.found(&svg, layout),
        };
        let mut now: Vec<Drawn> = Vec::with_capacity(was.len());
        let mut next = svg.query_selector(":scope > g").ok().flatten();
        for group in groups {
            let look = Look::of(group);
            let old = was.iter().position(|d| d.key == group.key).map(|i| was.swap_remove(i));
            let (element, before) = match old {
                Some(d) => (d.element, Some(d.look)),
                None => {
                    let Some(e) = browser::document().and_then(|d| d.create_element_ns(Some(SVG), "g").ok())
                    else {
                        continue;
                    };
                    let _ = e.set_attribute("data-key", &group.key);
                    (e, None)
                }
            };
            if next.as_ref() == Some(&element) {
                next = element.next_element_sibling();
            } else {
                let _ = svg.insert_before(&element, next.as_ref().map(|n| n.as_ref()));
            }
            apply(&element, before.as_ref(), &look);
            now.push(Drawn { key: group.key.clone(), look, element });
        }
        for gone in was {
            gone.element.remove();
        }
        *self.drawn.borrow_mut() = Some((layout, now));
    }

    /// What the prerendered picture holds. Its looks are worked out only for the first step, which is what it shows.
    fn found(&self, svg: &Element, layout: Layout) -> Vec<Drawn> {
        let scene = self.scene(1, layout);
        // A picture that has been on the page before, in the other layout, may show any step.
        let fresh = !svg.has_attribute("data-drawn");
        let _ = svg.set_attribute("data-drawn", "");
        browser::find_all(svg, ":scope > g[data-key]")
            .into_iter()
            .filter_map(|element| {
                let key = element.get_attribute("data-key")?;
                let first = scene.groups.iter().find(|g| fresh && g.key == key).map(Look::of);
                let unknown =
                    Look { class: String::new(), opacity: -1.0, at: (-1.0, -1.0), inner: String::new() };
                Some(Drawn { key, look: first.unwrap_or(unknown), element })
            })
            .collect()
    }
}

const SVG: &str = "http://www.w3.org/2000/svg";

fn apply(element: &Element, before: Option<&Look>, look: &Look) {
    if before.is_none_or(|b| b.class != look.class) {
        let _ = element.set_attribute("class", &look.class);
    }
    if before.is_none_or(|b| b.opacity != look.opacity) {
        let _ = match look.opacity < 1.0 {
            true => element.set_attribute("opacity", &scene::number(look.opacity)),
            false => element.remove_attribute("opacity"),
        };
    }
    if before.is_none_or(|b| b.at != look.at) {
        let _ = match look.at {
            (0.0, 0.0) => element.remove_attribute("transform"),
            (x, y) => element
                .set_attribute("transform", &format!("translate({} {})", scene::number(x), scene::number(y))),
        };
    }
    if before.is_none_or(|b| b.inner != look.inner) {
        element.set_inner_html(&look.inner);
    }
}
