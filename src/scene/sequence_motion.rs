//! How a step of the sequence moves: what was told slides up, then message after message appears.

use super::cue::CUE_MS;
use super::motion::fade;
use super::sequence::{Panel, Placed};
use super::sequence_messages::{Mark, Message};
use super::{Easing, Keyframe, Motion};

/// How long what was told takes to slide, in milliseconds.
const SLIDE_MS: u32 = 300;
/// No step moves longer than this, in milliseconds.
const STEP_MS: u32 = 16_000;

/// When each message of a step appears. All times are milliseconds of animation.
pub struct Timing {
    /// From where each message of the panel slides; `None` for one that does not.
    slides: Vec<Option<i32>>,
    /// When each message appears and when its head arrives; `None` for one of an earlier step.
    cues: Vec<Option<(u32, u32)>>,
    /// Whether anything slides.
    slid: bool,
}

impl Timing {
    /// The times of a panel that follows another.
    pub fn new(messages: &[Message], panel: &Panel, before: Option<&Panel>) -> Timing {
        let slides: Vec<Option<i32>> = panel
            .placed
            .iter()
            .map(|p| {
                let was = before.and_then(|b| b.placed.iter().find(|q| q.message == p.message))?;
                // Where the lifelines stand elsewhere, the row is another one; after the last step all is still.
                (was.y != p.y && was.row == p.row && panel.step.is_some()).then_some(was.y)
            })
            .collect();
        let slid = slides.iter().any(Option::is_some);
        let mut at = if slid { SLIDE_MS } else { 0 };
        let mut cues: Vec<Option<(u32, u32)>> = Vec::new();
        for placed in &panel.placed {
            let message = messages.get(placed.message).filter(|m| Some(m.step) == panel.step);
            cues.push(message.map(|m| {
                let (start, arrive, next) = times(m, placed, at);
                at = next;
                (start, arrive)
            }));
        }
        let end = cues.iter().flatten().map(|c| c.1).max().unwrap_or(0);
        if end > STEP_MS {
            let scaled =
                |ms: u32| u32::try_from(u64::from(ms) * u64::from(STEP_MS) / u64::from(end)).unwrap_or(ms);
            for cue in cues.iter_mut().flatten() {
                *cue = (scaled(cue.0), scaled(cue.1));
            }
        }
        Timing { slides, cues, slid }
    }

    /// When a message of the panel appears and when its head arrives; `None` for one that is there from the start.
    pub fn cue(&self, i: usize) -> Option<(u32, u32)> {
        self.cues.get(i).copied().flatten()
    }

    /// The motions of a message's words and line.
    pub fn words(&self, i: usize, y: i32) -> Vec<Motion> {
        match (self.cue(i), self.slides.get(i).copied().flatten()) {
            (Some((start, _)), _) => vec![fade(start, CUE_MS, 0.0, 1.0)],
            (None, Some(from)) => vec![shift(0, SLIDE_MS, (0, from), (0, y))],
            (None, None) => Vec::new(),
        }
    }

    /// The motions of a message's head.
    pub fn tip(&self, i: usize, placed: &Placed) -> Vec<Motion> {
        let Some((start, arrive)) = self.cue(i) else { return Vec::new() };
        let leave = start + CUE_MS / 2;
        vec![
            shift(leave, arrive.saturating_sub(leave).max(1), (-placed.row.travel, placed.y), (0, placed.y)),
            fade(start, CUE_MS, 0.0, 1.0),
        ]
    }

    /// The motions of the mark around the step's messages.
    pub fn mark(&self) -> Vec<Motion> {
        let delay = if self.slid { SLIDE_MS - CUE_MS } else { 0 };
        vec![fade(delay, CUE_MS, 0.0, 1.0)]
    }
}

/// When a message appears, when its head arrives, and when the next may appear.
fn times(message: &Message, placed: &Placed, at: u32) -> (u32, u32, u32) {
    match message.mark {
        Mark::Sent(_) | Mark::Noted(_) => {
            let travel = (300 + placed.row.travel.unsigned_abs() / 2).clamp(350, 650);
            let arrive = at + CUE_MS / 2 + travel;
            (at, arrive, arrive + 120)
        }
        Mark::Alone | Mark::Waits | Mark::Later => (at, at + CUE_MS, at + 350),
    }
}

fn shift(delay_ms: u32, duration_ms: u32, from: (i32, i32), to: (i32, i32)) -> Motion {
    let key = |offset, (x, y): (i32, i32)| Keyframe {
        offset,
        opacity: None,
        at: Some((f64::from(x), f64::from(y))),
    };
    Motion { delay_ms, duration_ms, easing: Easing::InOut, keyframes: vec![key(0.0, from), key(1.0, to)] }
}
