//! Where in a recording the lines of an action stand: in what order, how far apart, how late.

use super::recording::Seen;
use super::replay_search::{EVENT_MS, Line, SKEW_MS, SPAN_MS, Search, Wanted};

impl Search<'_> {
    /// Finds the lines that an action's effects left, from line `at` on, and adds them to those explained.
    pub(super) fn place(&self, leaves: &[Wanted], mut ahead: u128, at: usize) -> Option<u128> {
        let now = self.lines.get(at)?.seen.t_ms;
        let is_open = |ahead: u128, number: usize| {
            let bit = number.checked_sub(at).and_then(|bit| u32::try_from(bit).ok());
            bit.and_then(|bit| 1_u128.checked_shl(bit)).filter(|bit| ahead & bit == 0)
        };
        let before = ahead;
        let mut from = at;
        let mut first: Option<usize> = None;
        for wanted in leaves {
            if wanted.once && wanted.lines.iter().any(|number| is_open(ahead, *number).is_none()) {
                continue;
            }
            if wanted.once && wanted.lines.is_empty() && at >= self.silent {
                continue;
            }
            // Events are noted by a watcher, so they may stand before and after what else the action left.
            let from_here = if wanted.once { at } else { from };
            let mut open = wanted.lines.iter().filter(|number| **number >= from_here);
            let (number, bit) = open.find_map(|number| Some((*number, is_open(ahead, *number)?)))?;
            let span = if wanted.once { EVENT_MS } else { SPAN_MS };
            if self.lines.get(number)?.seen.t_ms > now + span {
                return None;
            }
            ahead |= bit;
            if !wanted.once {
                from = number;
            }
            first = Some(first.map_or(number, |first| first.min(number)));
        }
        let Some(first) = first else { return Some(ahead) };
        if self.lines.get(first)?.seen.t_ms > now + self.skew(first) {
            return None;
        }
        // What one source shows stands in the order in which it happened.
        let own = self.sources.get(first);
        if (at..first).any(|n| self.sources.get(n) == own && is_open(before, n).is_some()) {
            return None;
        }
        Some(ahead)
    }

    /// How late a line may be. One look at a Node's mount table that finds two mounts at once came late.
    fn skew(&self, number: usize) -> u64 {
        let Some(line) = self.lines.get(number) else { return SKEW_MS };
        let is_mount = |line: &Line| matches!(line.seen.what, Seen::Mount(_) | Seen::Unmount(_));
        let beside = [number.wrapping_sub(1), number + 1];
        let mut others = beside.iter().filter_map(|other| self.lines.get(*other));
        let together = |o: &Line| is_mount(o) && o.seen.by == line.seen.by && o.seen.t_ms == line.seen.t_ms;
        if is_mount(line) && others.any(together) { 2 * SKEW_MS } else { SKEW_MS }
    }
}
