//! The lifecycle of a volume on one Node: the four figures of the CSI specification, and the one it leaves out.

use super::{Abilities, Gate, Rpc};

/// A state of the specification's figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum State {
    /// Not there, or no longer.
    #[default]
    Gone,
    /// CREATED: at the backend.
    Created,
    /// NODE_READY: published to the Node by the controller plugin.
    NodeReady,
    /// VOL_READY: staged on the Node.
    VolReady,
    /// PUBLISHED: at a target path at least.
    Published,
}

/// From a state through a successful call to a state.
pub type Edge = (State, Rpc, State);

impl State {
    /// The state of a volume of which these are true.
    pub fn of(exists: bool, published: bool, staged: bool, at_target: bool) -> Self {
        match (exists, published, staged, at_target) {
            (_, _, _, true) => State::Published,
            (_, _, true, false) => State::VolReady,
            (_, true, false, false) => State::NodeReady,
            (true, false, false, false) => State::Created,
            (false, false, false, false) => State::Gone,
        }
    }
}

/// The edges of a driver's lifecycle.
///
/// With PUBLISH_UNPUBLISH_VOLUME it is figure 5, with STAGE_UNSTAGE_VOLUME besides it is figure 6; `dynamic` says
/// whether CreateVolume makes the volume, else figure 7 begins and ends outside. With neither it is figure 8. A
/// driver that stages and does not attach has no figure, and its edges follow from the capabilities.
///
/// Source: CSI spec, "Volume Lifecycle".
pub fn edges(abilities: Abilities, dynamic: bool) -> Vec<Edge> {
    let attaches = abilities.has(Gate::PublishUnpublishVolume);
    let stages = abilities.has(Gate::StageUnstageVolume);
    // A volume that nobody creates is outside of the figure when nothing is done for it.
    let outside = if dynamic { State::Created } else { State::Gone };
    let before_stage = if attaches { State::NodeReady } else { outside };
    let before_publish = if stages { State::VolReady } else { before_stage };
    let mut found = Vec::new();
    if dynamic {
        found.push((State::Gone, Rpc::CreateVolume, State::Created));
        found.push((State::Created, Rpc::DeleteVolume, State::Gone));
    } else {
        found.push((State::Gone, Rpc::ValidateVolumeCapabilities, State::Gone));
    }
    if attaches {
        found.push((outside, Rpc::ControllerPublishVolume, State::NodeReady));
        found.push((State::NodeReady, Rpc::ControllerUnpublishVolume, outside));
    }
    if stages {
        found.push((before_stage, Rpc::NodeStageVolume, State::VolReady));
        found.push((State::VolReady, Rpc::NodeUnstageVolume, before_stage));
    }
    found.push((before_publish, Rpc::NodePublishVolume, State::Published));
    found.push((State::Published, Rpc::NodeUnpublishVolume, before_publish));
    found
}

/// The state after a successful call: along an edge, or the same where a call only says once more what is so.
/// `None` where the figure has no such step.
pub fn step(edges: &[Edge], state: State, rpc: Rpc) -> Option<State> {
    let along = edges.iter().find(|edge| edge.0 == state && edge.1 == rpc).map(|edge| edge.2);
    let again = edges.iter().find(|edge| edge.2 == state && edge.1 == rpc).map(|edge| edge.2);
    along.or(again)
}

#[cfg(test)]
mod tests {
    use super::State::{Created, Gone, NodeReady, Published, VolReady};
    use super::*;

    fn abilities(attaches: bool, stages: bool) -> Abilities {
        let mut all = Abilities::all();
        if !attaches {
            all = all.without(Gate::PublishUnpublishVolume);
        }
        if !stages {
            all = all.without(Gate::StageUnstageVolume);
        }
        all
    }

    /// The states of a volume on its way up and down again.
    fn path(attaches: bool, stages: bool, dynamic: bool) -> Vec<State> {
        let edges = edges(abilities(attaches, stages), dynamic);
        let up =
            [Rpc::CreateVolume, Rpc::ControllerPublishVolume, Rpc::NodeStageVolume, Rpc::NodePublishVolume];
        let down = [
            Rpc::NodeUnpublishVolume,
            Rpc::NodeUnstageVolume,
            Rpc::ControllerUnpublishVolume,
            Rpc::DeleteVolume,
        ];
        let has = |rpc: &Rpc| edges.iter().any(|edge| edge.1 == *rpc);
        let mut states = vec![Gone];
        for rpc in up.into_iter().chain(down).filter(has) {
            let state = step(&edges, states[states.len() - 1], rpc).expect("a step of the figure");
            assert_eq!(step(&edges, state, rpc), Some(state), "{rpc:?} says it once more");
            states.push(state);
        }
        states
    }

    #[test]
    fn the_figures_are_the_specification_s() {
        let figure_5 = [Gone, Created, NodeReady, Published, NodeReady, Created, Gone];
        assert_eq!(path(true, false, true), figure_5);
        let figure_6 = [Gone, Created, NodeReady, VolReady, Published, VolReady, NodeReady, Created, Gone];
        assert_eq!(path(true, true, true), figure_6);
        assert_eq!(path(true, false, false), [Gone, NodeReady, Published, NodeReady, Gone], "figure 7");
        assert_eq!(path(false, false, false), [Gone, Published, Gone], "figure 8");
        let no_figure = [Gone, Created, VolReady, Published, VolReady, Created, Gone];
        assert_eq!(path(false, true, true), no_figure);
    }

    #[test]
    fn no_step_leaves_out_a_state() {
        let edges = edges(Abilities::all(), true);
        for (state, rpc) in [
            (Created, Rpc::NodeStageVolume),
            (NodeReady, Rpc::NodePublishVolume),
            (Published, Rpc::NodeUnstageVolume),
            (VolReady, Rpc::ControllerUnpublishVolume),
            (NodeReady, Rpc::DeleteVolume),
        ] {
            assert_eq!(step(&edges, state, rpc), None, "{rpc:?}");
        }
    }
}
