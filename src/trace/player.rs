//! The player as a state machine: what the reader asks for goes in, what the stage must do comes out.

/// What the player is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayState {
    /// It stays where the reader leaves it.
    Paused,
    /// It goes from step to step by itself.
    Playing,
    /// It has played to the last step.
    Ended,
}

impl PlayState {
    /// The name in `data-state`.
    pub fn name(self) -> &'static str {
        match self {
            PlayState::Paused => "paused",
            PlayState::Playing => "playing",
            PlayState::Ended => "ended",
        }
    }
}

/// How fast steps move; rests between them keep their length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speed {
    /// Half as fast.
    Half,
    /// As designed.
    Normal,
    /// Twice as fast.
    Double,
}

impl Speed {
    /// Every speed, slowest first.
    pub const ALL: [Speed; 3] = [Speed::Half, Speed::Normal, Speed::Double];

    /// The name in `?speed=` and in the control.
    pub fn name(self) -> &'static str {
        match self {
            Speed::Half => "0.5",
            Speed::Normal => "1",
            Speed::Double => "2",
        }
    }

    /// The speed of that name; the normal one for any other.
    pub fn from_name(name: &str) -> Speed {
        Speed::ALL.into_iter().find(|s| s.name() == name).unwrap_or(Speed::Normal)
    }

    /// Animation time per real time.
    pub fn rate(self) -> f64 {
        match self {
            Speed::Half => 0.5,
            Speed::Normal => 1.0,
            Speed::Double => 2.0,
        }
    }
}

/// What happens to the player. Steps count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// One step on, with its motion.
    Next,
    /// One step back, at rest.
    Previous,
    /// To the first step, at rest.
    First,
    /// To the last step, at rest.
    Last,
    /// To a step, at rest; numbers outside the run are ignored.
    Go(usize),
    /// Go on by itself.
    Play,
    /// Stay.
    Pause,
    /// Play or pause, whichever it is not.
    Toggle,
    /// The stage has moved through the step.
    MotionEnded,
    /// The rest between two steps is over.
    RestEnded,
}

/// What the stage must do, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Show the rest frame of a step, ending any motion.
    Show(usize),
    /// Move through a step from its beginning.
    Animate(usize),
    /// Stay for so many milliseconds, then report `RestEnded`.
    Rest {
        /// How long, in milliseconds.
        ms: u32,
    },
    /// Hold the motion where it is.
    Hold,
    /// Let the held motion go on.
    Resume,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// At a rest frame; `seen` when the step's motion led to it.
    Rest { seen: bool },
    /// Within the step's motion.
    Moving,
    /// The step's motion stands still.
    Held,
}

/// The player of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    words: Vec<usize>,
    step: usize,
    state: PlayState,
    phase: Phase,
    still: bool,
}

/// A rest lasts this long, in milliseconds …
const REST_MS: usize = 800;
/// … and this much longer for each word of the caption: 200 words a minute.
const WORD_MS: usize = 300;

impl Machine {
    /// A player at rest on the first step. `words` counts the words of each step's caption.
    pub fn new(words: Vec<usize>) -> Machine {
        Machine { words, step: 1, state: PlayState::Paused, phase: Phase::Rest { seen: false }, still: false }
    }

    /// The step shown, from 1.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Paused, playing or ended.
    pub fn state(&self) -> PlayState {
        self.state
    }

    /// Switches motion off (`true`) or on. Without motion, playing is the reader's: Play goes one step on.
    pub fn set_still(&mut self, still: bool) -> Vec<Order> {
        self.still = still;
        if still && (self.phase != Phase::Rest { seen: true } && self.phase != Phase::Rest { seen: false }) {
            return self.cut(self.step);
        }
        if still && self.state == PlayState::Playing {
            self.state = PlayState::Paused;
        }
        Vec::new()
    }

    /// Takes an event in; the orders that come out are to be followed at once.
    pub fn on(&mut self, event: Event) -> Vec<Order> {
        let last = self.words.len();
        match event {
            Event::Next => self.next(),
            Event::Previous => self.cut(self.step.saturating_sub(1).max(1)),
            Event::First => self.cut(1),
            Event::Last => self.cut(last),
            Event::Go(n) if (1..=last).contains(&n) => self.cut(n),
            Event::Go(_) => Vec::new(),
            Event::Play => self.play(),
            Event::Pause => self.pause(),
            Event::Toggle if self.state == PlayState::Playing => self.pause(),
            Event::Toggle => self.play(),
            Event::MotionEnded => self.motion_ended(),
            Event::RestEnded
                if self.state == PlayState::Playing && self.phase == (Phase::Rest { seen: true }) =>
            {
                self.next()
            }
            Event::RestEnded => Vec::new(),
        }
    }

    fn next(&mut self) -> Vec<Order> {
        if self.step < self.words.len() {
            return self.enter(self.step + 1);
        }
        // Nothing comes after the last step: a motion under way is finished.
        if matches!(self.phase, Phase::Rest { .. }) { Vec::new() } else { self.cut(self.step) }
    }

    fn play(&mut self) -> Vec<Order> {
        if self.still {
            return if self.step < self.words.len() { self.next() } else { self.cut(1) };
        }
        let was = self.phase;
        self.state = PlayState::Playing;
        match was {
            Phase::Held => {
                self.phase = Phase::Moving;
                vec![Order::Resume]
            }
            Phase::Moving => Vec::new(),
            Phase::Rest { seen: false } => self.enter(self.step),
            Phase::Rest { seen: true } if self.step < self.words.len() => self.enter(self.step + 1),
            Phase::Rest { seen: true } => self.enter(1),
        }
    }

    fn pause(&mut self) -> Vec<Order> {
        if self.state == PlayState::Playing {
            self.state = PlayState::Paused;
        }
        if self.phase == Phase::Moving {
            self.phase = Phase::Held;
            return vec![Order::Hold];
        }
        Vec::new()
    }

    fn motion_ended(&mut self) -> Vec<Order> {
        if self.phase != Phase::Moving {
            return Vec::new();
        }
        self.phase = Phase::Rest { seen: true };
        let mut orders = vec![Order::Show(self.step)];
        if self.state == PlayState::Playing {
            if self.step < self.words.len() {
                let words = self.words.get(self.step - 1).copied().unwrap_or(0);
                orders.push(Order::Rest { ms: u32::try_from(REST_MS + WORD_MS * words).unwrap_or(u32::MAX) });
            } else {
                self.state = PlayState::Ended;
            }
        }
        orders
    }

    /// Goes into a step with its motion; without motion, to its rest frame.
    fn enter(&mut self, step: usize) -> Vec<Order> {
        if self.still {
            return self.cut(step);
        }
        if self.state == PlayState::Ended {
            self.state = PlayState::Paused;
        }
        self.step = step;
        self.phase = Phase::Moving;
        vec![Order::Animate(step)]
    }

    /// Goes to a step's rest frame at once, and stays there.
    fn cut(&mut self, step: usize) -> Vec<Order> {
        self.step = step;
        self.state = PlayState::Paused;
        self.phase = Phase::Rest { seen: false };
        vec![Order::Show(step)]
    }
}

#[cfg(test)]
mod tests {
    use super::Event::*;
    use super::*;

    /// Plays events into a run of three steps of ten words; gives the last orders, the step and the state.
    fn after(still: bool, events: &[Event]) -> (Vec<Order>, usize, PlayState) {
        let mut m = Machine::new(vec![10, 10, 10]);
        let mut orders = m.set_still(still);
        for e in events {
            orders = m.on(*e);
        }
        (orders, m.step(), m.state())
    }

    /// What a case shows, its events, and then the last orders, the step and the state.
    type Case = (&'static str, &'static [Event], Vec<Order>, usize, PlayState);

    #[test]
    fn moving_through_a_run() {
        use Order::*;
        use PlayState::*;
        let rest = vec![Show(1), Rest { ms: 3800 }];
        let table: &[Case] = &[
            ("starts at rest", &[], vec![], 1, Paused),
            ("play moves through the first step", &[Play], vec![Animate(1)], 1, Playing),
            (
                "after its motion a step rests as long as its words take",
                &[Play, MotionEnded],
                rest,
                1,
                Playing,
            ),
            (
                "after the rest the next step moves",
                &[Play, MotionEnded, RestEnded],
                vec![Animate(2)],
                2,
                Playing,
            ),
            ("the last step ends it", &[Last, Play, MotionEnded], vec![Show(3)], 3, Ended),
            (
                "play after the end starts over",
                &[Last, Play, MotionEnded, Play],
                vec![Animate(1)],
                1,
                Playing,
            ),
            ("pause holds the motion", &[Play, Pause], vec![Hold], 1, Paused),
            ("play lets it go on", &[Play, Pause, Play], vec![Resume], 1, Playing),
            ("pause in a rest stays", &[Play, MotionEnded, Pause, RestEnded], vec![], 1, Paused),
            (
                "play after that goes on with the next",
                &[Play, MotionEnded, Pause, Play],
                vec![Animate(2)],
                2,
                Playing,
            ),
            ("next moves and then stays", &[Next, MotionEnded], vec![Show(2)], 2, Paused),
            ("next in a motion starts the next at once", &[Next, Next], vec![Animate(3)], 3, Paused),
            ("next while playing goes on playing", &[Play, Next], vec![Animate(2)], 2, Playing),
            ("next at the end of the last does nothing", &[Last, Next], vec![], 3, Paused),
            ("next in the motion of the last finishes it", &[Last, Play, Next], vec![Show(3)], 3, Paused),
            ("back cuts to the step before", &[Next, Previous], vec![Show(1)], 1, Paused),
            ("back on the first stays", &[Previous], vec![Show(1)], 1, Paused),
            ("a jump is a cut", &[Play, Go(3)], vec![Show(3)], 3, Paused),
            ("play from there moves through it", &[Go(2), Play], vec![Animate(2)], 2, Playing),
            ("a step that is not there is ignored", &[Go(9)], vec![], 1, Paused),
            ("a late end of a motion is ignored", &[Next, Previous, MotionEnded], vec![], 1, Paused),
        ];
        for (name, events, orders, step, state) in table {
            assert_eq!(after(false, events), (orders.clone(), *step, *state), "{name}");
        }
    }

    #[test]
    fn without_motion_there_are_rest_frames_only() {
        use Order::Show;
        let paused = PlayState::Paused;
        assert_eq!(after(true, &[Next]), (vec![Show(2)], 2, paused));
        assert_eq!(after(true, &[Play]), (vec![Show(2)], 2, paused), "play is next");
        assert_eq!(after(true, &[Last, Play]), (vec![Show(1)], 1, paused));
        let mut m = Machine::new(vec![1, 1]);
        m.on(Play);
        assert_eq!(m.set_still(true), [Show(1)], "a motion under way ends");
        assert_eq!(m.state(), paused);
    }

    #[test]
    fn speeds_have_the_names_of_the_address() {
        assert_eq!(Speed::ALL.map(|s| Speed::from_name(s.name())), Speed::ALL);
        assert_eq!(Speed::from_name("fast"), Speed::Normal);
    }
}
