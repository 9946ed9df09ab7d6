//! The player as a state machine: what the reader asks for in, what the stage must do out.

/// What the player is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayState {
    /// At rest on a step.
    Paused,
    /// Moving through a step, or resting before the next one.
    Playing,
    /// At rest on the last step after playing to it.
    Ended,
}
