//! Motion as a function of time: what a group looks like at a moment.

use super::{Easing, Group, Keyframe, Motion};

impl Easing {
    /// The control points of the cubic Bézier, as CSS writes them.
    pub const fn points(self) -> [f64; 4] {
        match self {
            Easing::Linear => [0.0, 0.0, 1.0, 1.0],
            Easing::InOut => [0.65, 0.0, 0.35, 1.0],
            Easing::Out => [0.0, 0.0, 0.58, 1.0],
        }
    }

    /// The progress at a fraction of the time, both 0 to 1. The Bézier's parameter is found by halving.
    pub fn at(self, time: f64) -> f64 {
        if time <= 0.0 || time >= 1.0 || self == Easing::Linear {
            return time.clamp(0.0, 1.0);
        }
        let [x1, y1, x2, y2] = self.points();
        let curve = |a: f64, b: f64, t: f64| {
            let u = 1.0 - t;
            3.0 * u * u * t * a + 3.0 * u * t * t * b + t * t * t
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..48 {
            let mid = (low + high) / 2.0;
            if curve(x1, x2, mid) < time { low = mid } else { high = mid }
        }
        curve(y1, y2, (low + high) / 2.0)
    }
}

impl Motion {
    /// Whether it moves the group rather than fading it.
    pub fn displaces(&self) -> bool {
        self.keyframes.iter().any(|k| k.at.is_some())
    }

    /// The opacity and the displacement at a progress, 0 to 1.
    fn at(&self, progress: f64) -> (Option<f64>, Option<(f64, f64)>) {
        let next = self.keyframes.iter().position(|k| k.offset >= progress).unwrap_or(0);
        let last = |k: Option<&Keyframe>| k.map_or((None, None), |k| (k.opacity, k.at));
        let (Some(a), Some(b)) =
            (next.checked_sub(1).and_then(|i| self.keyframes.get(i)), self.keyframes.get(next))
        else {
            return last(self.keyframes.get(next));
        };
        let f = (progress - a.offset) / (b.offset - a.offset);
        let mix = |x: f64, y: f64| x + (y - x) * f;
        (
            a.opacity.zip(b.opacity).map(|(x, y)| mix(x, y)),
            a.at.zip(b.at).map(|(p, q)| (mix(p.0, q.0), mix(p.1, q.1))),
        )
    }
}

impl Group {
    /// Opacity and displacement at `ms` of animation time. Of several motions of one kind the last that
    /// has begun counts; before the first begins, its beginning does.
    pub fn pose(&self, ms: u32) -> (f64, (f64, f64)) {
        let (mut opacity, mut at) = (self.opacity, self.at);
        for displaces in [false, true] {
            let kind = || self.motions.iter().filter(move |m| m.displaces() == displaces);
            if let Some(m) = kind().rfind(|m| m.delay_ms <= ms).or_else(|| kind().next()) {
                let time = f64::from(ms.saturating_sub(m.delay_ms)) / f64::from(m.duration_ms.max(1));
                let (o, d) = m.at(m.easing.at(time));
                (opacity, at) = (o.unwrap_or(opacity), d.unwrap_or(at));
            }
        }
        (opacity, at)
    }
}

/// A number with at most three decimals.
pub fn number(v: f64) -> String {
    decimals(v, 3)
}

/// A number with at most so many decimals.
pub(super) fn decimals(v: f64, most: usize) -> String {
    let s = format!("{v:.most$}");
    let s = s.trim_end_matches('0').trim_end_matches('.');
    if s == "-0" { "0".to_owned() } else { s.to_owned() }
}

/// A fade of a group.
pub(super) fn fade(delay_ms: u32, duration_ms: u32, from: f64, to: f64) -> Motion {
    let key = |offset, opacity| Keyframe { offset, opacity: Some(opacity), at: None };
    Motion { delay_ms, duration_ms, easing: Easing::InOut, keyframes: vec![key(0.0, from), key(1.0, to)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easing_is_slow_at_both_ends() {
        assert!(Easing::InOut.at(0.1) < 0.05 && Easing::InOut.at(0.9) > 0.95);
        assert!((Easing::InOut.at(0.5) - 0.5).abs() < 1e-9);
        assert!(Easing::Out.at(0.2) > 0.25);
        assert_eq!((Easing::Out.at(-1.0), Easing::Out.at(2.0)), (0.0, 1.0));
    }

    #[test]
    fn the_last_motion_that_has_begun_counts() {
        let group = Group {
            key: String::new(),
            class: String::new(),
            opacity: 0.0,
            at: (0.0, 0.0),
            shapes: Vec::new(),
            motions: vec![fade(100, 100, 0.0, 1.0), fade(300, 100, 1.0, 0.0)],
        };
        let seen = [0, 150, 250, 400].map(|ms| group.pose(ms).0);
        assert_eq!((seen[0], seen[2], seen[3]), (0.0, 1.0, 0.0));
        assert!((seen[1] - 0.5).abs() < 1e-9);
    }
}
