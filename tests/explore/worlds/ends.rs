//! Where explorations end well: nothing is left, or the Pod runs, and from how many states that cannot be reached.

use mountpath::model::{Cluster, Finalizer, Origin, Phase, Presence, Reclaim, Runtime, World};

/// Nothing is left.
const CLEAN: u16 = 1;

/// The Pod of this number runs.
fn runs(pod: usize) -> u16 {
    2 << (2 * pod)
}

/// The Pod of this number is there, it has not ended, and nobody has deleted it or its claim.
fn lives(pod: usize) -> u16 {
    4 << (2 * pod)
}

/// What a state is, a bit each; `clean` says whether it ends well there.
pub fn kind(world: &World, state: &Cluster, clean: fn(&World, &Cluster) -> bool) -> u16 {
    let mut kind = if clean(world, state) { CLEAN } else { 0 };
    for (number, id) in world.pods().enumerate() {
        let pod = state.pod(id);
        let claim = world.claim_of(id).map(|claim| state.claim(claim));
        let kept = claim.is_none_or(|claim| !claim.deleting && claim.presence != Presence::Gone);
        let ended = matches!(pod.phase, Phase::Failed | Phase::Succeeded);
        if pod.runtime == Runtime::Running {
            kind |= runs(number);
        }
        if pod.presence == Presence::Here && !pod.deleting && !ended && kept && !state.terminating() {
            kind |= lives(number);
        }
    }
    kind
}

/// Nothing is left: no Pod, no claim but those that are kept, no attachment, no mount, nobody who remembers any, and no
/// volume but one that is to be kept, which no finalizer but its own protection holds.
pub fn is_clean(world: &World, state: &Cluster) -> bool {
    let fresh = world.initial();
    let here = |presence| presence == Presence::Here;
    let volumes = world.volumes().filter(|id| !world.is_kept(*id)).all(|id| {
        let volume = state.volume(id);
        let spec = world.volume(id);
        let freed = volume.claim.is_none() && !volume.finalizers.contains(Finalizer::Provisioner);
        match (spec.reclaim, spec.origin) {
            (Reclaim::Delete, _) => !here(volume.presence) && !volume.disk,
            (Reclaim::Retain, Origin::Provisioned(_) | Origin::Static | Origin::Inline(_)) => {
                !here(volume.presence) || freed
            }
        }
    });
    let snapshots = world.snapshots().all(|id| {
        let snapshot = state.snapshot(id);
        !here(snapshot.presence) && !here(snapshot.content.presence)
    });
    volumes
        && snapshots
        && world.pods().all(|id| !here(state.pod(id).presence))
        && world.claims().all(|id| world.claim(id).kept || !here(state.claim(id).presence))
        && world.links().all(|link| state.place(link) == fresh.place(link))
}

/// The states from which nothing good can come any more.
pub struct Ends {
    /// Something is left for ever.
    pub stuck: Vec<u32>,
    /// A Pod that is there never runs.
    pub lost: Vec<u32>,
}

impl Ends {
    /// Looks for them backwards from the good states; what the states are, and the steps between them.
    ///
    /// stateright's own `eventually` overlooks what goes round in a circle.
    pub fn of(kinds: &[u16], steps: &[(u32, u32)]) -> Self {
        let before = Before::of(kinds.len(), steps);
        let without = |from: u16, to: u16| {
            let reaches = before.reaching(kinds, to);
            let stays = move |at: &usize| (from == 0 || kinds[*at] & from != 0) && !reaches[*at];
            (0..kinds.len()).filter(stays).map(|at| at as u32).collect::<Vec<_>>()
        };
        let mut lost: Vec<u32> = (0..4).flat_map(|pod| without(lives(pod), runs(pod))).collect();
        lost.sort_unstable();
        lost.dedup();
        Self { stuck: without(0, CLEAN), lost }
    }
}

/// For each state, the states before it, in one list.
struct Before {
    begins: Vec<usize>,
    states: Vec<u32>,
}

impl Before {
    fn of(states: usize, steps: &[(u32, u32)]) -> Self {
        let mut begins = vec![0; states + 1];
        for (_, to) in steps {
            begins[*to as usize + 1] += 1;
        }
        for at in 0..states {
            begins[at + 1] += begins[at];
        }
        let mut free = begins.clone();
        let mut all = vec![0; steps.len()];
        for (from, to) in steps {
            all[free[*to as usize]] = *from;
            free[*to as usize] += 1;
        }
        Self { begins, states: all }
    }

    /// Which states can reach one of this kind.
    fn reaching(&self, kinds: &[u16], kind: u16) -> Vec<bool> {
        let mut reaches = vec![false; kinds.len()];
        let mut open: Vec<usize> = (0..kinds.len()).filter(|at| kinds[*at] & kind != 0).collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut reaches[at], true) {
                let before = &self.states[self.begins[at]..self.begins[at + 1]];
                open.extend(before.iter().map(|state| *state as usize));
            }
        }
        reaches
    }
}
