//! The motions of a group as keyframes for the Web Animations API and for CSS: one animation a property.
//!
//! A browser's compositor takes an element's opacity or transform only if a single animation moves it, and it
//! wakes the main thread whenever an animation begins or ends. So the motions of a kind, which follow each other,
//! become one animation that lasts as long as the step. Each stretch keeps its curve exactly: a part of a cubic
//! Bézier is a cubic Bézier too.

use super::motion::{decimals, number};
use super::{Easing, Group, Motion};

/// The curve of a fade, in CSS.
pub const FADE: &str = "cubic-bezier(0.65, 0, 0.35, 1)";

/// One animation of a group, ready for `Element.animate(frames, duration)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Animation {
    /// The CSS property, `opacity` or `transform`.
    pub property: &'static str,
    /// The keyframes in order, from 0 to 1; two at one offset are a jump.
    pub frames: Vec<Frame>,
}

/// A keyframe.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// Fraction of the animation, 0 to 1.
    pub offset: f64,
    /// The property's CSS value then.
    pub value: String,
    /// The curve to the next keyframe, in CSS.
    pub easing: String,
}

/// A stretch of a motion between two values, in milliseconds of the step.
struct Stretch {
    from: (f64, String),
    to: (f64, String),
    easing: String,
}

/// The animations of a group, at most one for each property, each `duration_ms` long: as long as its scene.
pub fn keyframes(group: &Group, duration_ms: u32) -> Vec<Animation> {
    [("opacity", false), ("transform", true)]
        .into_iter()
        .filter_map(|(property, displaces)| {
            let motions: Vec<_> = group.motions.iter().filter(|m| m.displaces() == displaces).collect();
            let ends = motions.iter().skip(1).map(|m| f64::from(m.delay_ms)).chain([f64::INFINITY]);
            let stretches: Vec<_> =
                motions.iter().zip(ends).flat_map(|(motion, until)| stretches(motion, until)).collect();
            animation(property, &stretches, f64::from(duration_ms))
        })
        .collect()
}

/// The stretches of a motion that the next one, at `until`, leaves it.
fn stretches(motion: &Motion, until: f64) -> Vec<Stretch> {
    let (delay, duration) = (f64::from(motion.delay_ms), f64::from(motion.duration_ms));
    let curve = Curve(motion.easing.points());
    let last = curve.solve(0, ((until - delay) / duration).clamp(0.0, 1.0));
    let mut out = Vec::new();
    for (a, b) in motion.keyframes.iter().zip(motion.keyframes.iter().skip(1)) {
        let (begin, end) = (curve.solve(1, a.offset), curve.solve(1, b.offset).min(last));
        if begin >= end {
            continue;
        }
        let reached = (curve.at(1, end) - a.offset) / (b.offset - a.offset);
        let mix = |x: f64, y: f64| x + (y - x) * reached;
        let (from, to) = match (a.at, b.at, a.opacity, b.opacity) {
            (Some(p), Some(q), ..) => (displaced(p), displaced((mix(p.0, q.0), mix(p.1, q.1)))),
            (_, _, Some(x), Some(y)) => (number(x), number(mix(x, y))),
            _ => continue,
        };
        let time = |u: f64| delay + duration * curve.at(0, u);
        let easing =
            if motion.easing == Easing::Linear { "linear".to_owned() } else { curve.css(begin, end) };
        out.push(Stretch { from: (time(begin), from), to: (time(end), to), easing });
    }
    out
}

fn animation(property: &'static str, stretches: &[Stretch], duration: f64) -> Option<Animation> {
    let (first, last) = (&stretches.first()?.from, &stretches.last()?.to);
    let mut frames: Vec<(f64, &str, &str)> = vec![(0.0, &first.1, "linear")];
    for Stretch { from, to, easing } in stretches {
        if let Some((ms, value, _)) = frames.last().copied() {
            if value == from.1 && (ms - from.0).abs() < 1e-3 {
                // What ends where this begins is the same keyframe.
                frames.pop();
            } else if value != from.1 && ms + 1e-3 < from.0 {
                // A hold before a jump keeps its value up to the jump.
                frames.push((from.0, value, "linear"));
            }
        }
        frames.push((from.0, &from.1, easing));
        frames.push((to.0, &to.1, "linear"));
    }
    if last.0 + 1e-3 < duration {
        frames.push((duration, &last.1, "linear"));
    }
    let frame = |(ms, value, easing): (f64, &str, &str)| Frame {
        offset: (ms / duration).min(1.0),
        value: value.to_owned(),
        easing: easing.to_owned(),
    };
    Some(Animation { property, frames: frames.into_iter().map(frame).collect() })
}

fn displaced((x, y): (f64, f64)) -> String {
    format!("translate({}px, {}px)", number(x), number(y))
}

/// The inner control points of a cubic Bézier from (0, 0) to (1, 1), as CSS writes them.
struct Curve([f64; 4]);

impl Curve {
    /// The four coordinates of an axis, 0 for time and 1 for progress.
    fn axis(&self, axis: usize) -> [f64; 4] {
        let [x1, y1, x2, y2] = self.0;
        if axis == 0 { [0.0, x1, x2, 1.0] } else { [0.0, y1, y2, 1.0] }
    }

    /// The polar form: all three arguments alike give a point of the curve, two neighbours' mixtures its
    /// control points between them.
    fn polar(&self, axis: usize, [r, s, t]: [f64; 3]) -> f64 {
        let [a, b, c, d] = self.axis(axis);
        let mix = |x: f64, y: f64, u: f64| x + (y - x) * u;
        let (ab, bc, cd) = (mix(a, b, r), mix(b, c, r), mix(c, d, r));
        mix(mix(ab, bc, s), mix(bc, cd, s), t)
    }

    fn at(&self, axis: usize, u: f64) -> f64 {
        self.polar(axis, [u, u, u])
    }

    /// The parameter where an axis, which only grows, has a value.
    fn solve(&self, axis: usize, value: f64) -> f64 {
        if value <= 0.0 || value >= 1.0 {
            return value.clamp(0.0, 1.0);
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..48 {
            let mid = (low + high) / 2.0;
            if self.at(axis, mid) < value { low = mid } else { high = mid }
        }
        (low + high) / 2.0
    }

    /// The part between two parameters as a curve of its own, in CSS.
    fn css(&self, begin: f64, end: f64) -> String {
        let inner = |axis: usize, pair: [f64; 3]| {
            let (from, to) = (self.at(axis, begin), self.at(axis, end));
            decimals(((self.polar(axis, pair) - from) / (to - from)).clamp(0.0, 1.0), 4)
        };
        let (one, two) = ([begin, begin, end], [begin, end, end]);
        let [x1, y1, x2, y2] = [inner(0, one), inner(1, one), inner(0, two), inner(1, two)];
        format!("cubic-bezier({x1}, {y1}, {x2}, {y2})")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Keyframe;
    use super::super::motion::fade;
    use super::*;

    fn animations(motions: Vec<Motion>, duration_ms: u32) -> Vec<Animation> {
        let group = Group {
            key: String::new(),
            class: String::new(),
            opacity: 1.0,
            at: (0.0, 0.0),
            shapes: Vec::new(),
            motions,
        };
        keyframes(&group, duration_ms)
    }

    fn told(animation: &Animation) -> Vec<String> {
        animation.frames.iter().map(|f| format!("{:.3} {} {}", f.offset, f.value, f.easing)).collect()
    }

    #[test]
    fn fades_that_follow_each_other_are_one_animation() {
        let [animation] = &animations(vec![fade(100, 100, 0.0, 1.0), fade(300, 100, 1.0, 0.0)], 1000)[..]
        else {
            panic!("one property moves")
        };
        let curve = FADE;
        let expected = [
            "0.000 0 linear".to_owned(),
            format!("0.100 0 {curve}"),
            "0.200 1 linear".to_owned(),
            format!("0.300 1 {curve}"),
            "0.400 0 linear".to_owned(),
            "1.000 0 linear".to_owned(),
        ];
        assert_eq!(told(animation), expected);
    }

    #[test]
    fn a_bend_of_the_way_splits_the_curve() {
        let key = |offset, x| Keyframe { offset, opacity: None, at: Some((x, 0.0)) };
        let keyframes = vec![key(0.0, 0.0), key(0.5, 10.0), key(1.0, 40.0)];
        let motion = Motion { delay_ms: 0, duration_ms: 1000, easing: Easing::InOut, keyframes };
        let expected = [
            "0.000 translate(0px, 0px) cubic-bezier(0.65, 0, 0.825, 0.5)",
            "0.500 translate(10px, 0px) cubic-bezier(0.175, 0.5, 0.35, 1)",
            "1.000 translate(40px, 0px) linear",
        ];
        assert_eq!(told(&animations(vec![motion], 1000)[0]), expected);
    }

    #[test]
    fn a_motion_that_the_next_one_cuts_short_ends_where_it_is() {
        let linear = |delay_ms, from, to| Motion { easing: Easing::Linear, ..fade(delay_ms, 100, from, to) };
        let animation = &animations(vec![linear(0, 0.0, 1.0), linear(50, 0.0, 1.0)], 150)[0];
        assert_eq!(
            told(animation),
            ["0.000 0 linear", "0.333 0.5 linear", "0.333 0 linear", "1.000 1 linear"]
        );
    }
}
