//! Single-decree Paxos with three servers and two clients on stateright's actors: a known model to hold ours against.
//!
//! Its states are those of stateright's example `paxos`, so that the speed of the two can be compared as well.

use stateright::actor::register::{RegisterActor, RegisterMsg};
use stateright::actor::{Actor, ActorModel, Id, Network, Out, majority, model_peers};
use stateright::semantics::LinearizabilityTester;
use stateright::semantics::register::Register;
use stateright::util::{HashableHashMap, HashableHashSet};
use stateright::{Checker, Expectation, Model};
use std::borrow::Cow;

/// A round, and the server that leads it.
type Ballot = (u32, Id);
/// A client's request: its number, the client, and the value it writes.
type Request = (u64, Id, char);
/// What a server has last voted for.
type Vote = Option<(Ballot, Request)>;

const SERVERS: usize = 3;
const CLIENTS: usize = 2;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Word {
    /// Vote in no round before this one any more.
    Prepare(Ballot),
    /// Promised, and this is the last vote.
    Promise(Ballot, Vote),
    /// Vote for this.
    Propose(Ballot, Request),
    /// Done.
    Voted(Ballot),
    /// Most have voted for this.
    Chosen(Ballot, Request),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Server {
    ballot: Ballot,
    /// What it has been asked for, or what it has to go on with, as the leader of a round.
    request: Option<Request>,
    promises: HashableHashMap<Id, Vote>,
    votes: HashableHashSet<Id>,
    vote: Vote,
    chosen: bool,
}

#[derive(Clone)]
struct Paxos {
    peers: Vec<Id>,
}

impl Paxos {
    fn is_most(&self, count: usize) -> bool {
        count == majority(self.peers.len() + 1)
    }
}

impl Actor for Paxos {
    type Msg = RegisterMsg<u64, char, Word>;
    type State = Server;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, _: &mut Out<Self>) -> Server {
        Server {
            ballot: (0, Id::from(0)),
            request: None,
            promises: HashableHashMap::default(),
            votes: HashableHashSet::default(),
            vote: None,
            chosen: false,
        }
    }

    fn on_msg(&self, own: Id, state: &mut Cow<Server>, from: Id, told: Self::Msg, out: &mut Out<Self>) {
        let tell = |word| RegisterMsg::Internal(word);
        match told {
            RegisterMsg::Get(number) if state.chosen => {
                if let Some((_, (_, _, value))) = state.vote {
                    out.send(from, RegisterMsg::GetOk(number, value));
                }
            }
            _ if state.chosen => {}
            RegisterMsg::Put(number, value) if state.request.is_none() => {
                let server = state.to_mut();
                server.request = Some((number, from, value));
                server.ballot = (server.ballot.0 + 1, own);
                server.promises = [(own, server.vote)].into_iter().collect();
                server.votes = HashableHashSet::default();
                out.broadcast(&self.peers, &tell(Word::Prepare(server.ballot)));
            }
            RegisterMsg::Internal(Word::Prepare(ballot)) if state.ballot < ballot => {
                state.to_mut().ballot = ballot;
                out.send(from, tell(Word::Promise(ballot, state.vote)));
            }
            RegisterMsg::Internal(Word::Promise(ballot, vote)) if state.ballot == ballot => {
                let server = state.to_mut();
                server.promises.insert(from, vote);
                if self.is_most(server.promises.len()) {
                    // What may have been chosen before has to stay so.
                    let latest = server.promises.values().max().copied().flatten();
                    server.request = latest.map(|(_, request)| request).or(server.request);
                    if let Some(request) = server.request {
                        server.vote = Some((ballot, request));
                        server.votes.insert(own);
                        out.broadcast(&self.peers, &tell(Word::Propose(ballot, request)));
                    }
                }
            }
            RegisterMsg::Internal(Word::Propose(ballot, request)) if state.ballot <= ballot => {
                let server = state.to_mut();
                server.ballot = ballot;
                server.vote = Some((ballot, request));
                out.send(from, tell(Word::Voted(ballot)));
            }
            RegisterMsg::Internal(Word::Voted(ballot)) if state.ballot == ballot => {
                let server = state.to_mut();
                server.votes.insert(from);
                if let Some(request) = server.request.filter(|_| self.is_most(server.votes.len())) {
                    server.chosen = true;
                    out.broadcast(&self.peers, &tell(Word::Chosen(ballot, request)));
                    out.send(request.1, RegisterMsg::PutOk(request.0));
                }
            }
            RegisterMsg::Internal(Word::Chosen(ballot, request)) => {
                let server = state.to_mut();
                server.ballot = ballot;
                server.vote = Some((ballot, request));
                server.chosen = true;
            }
            _ => {}
        }
    }
}

/// Visits every state, breadth first on one thread; says how many there were, and how many of them unique.
pub fn explore() -> (usize, usize) {
    let servers = (0..SERVERS).map(|own| RegisterActor::Server(Paxos { peers: model_peers(own, SERVERS) }));
    let clients = (0..CLIENTS).map(|_| RegisterActor::Client { put_count: 1, server_count: SERVERS });
    let model = ActorModel::new((), LinearizabilityTester::new(Register(char::default())))
        .actors(servers)
        .actors(clients)
        .init_network(Network::new_unordered_nonduplicating([]))
        .property(Expectation::Always, "linearizable", |_, state| {
            state.history.serialized_history().is_some()
        })
        .property(Expectation::Sometimes, "a value is chosen", |_, state| {
            let mut told = state.network.iter_deliverable();
            told.any(|told| matches!(told.msg, RegisterMsg::GetOk(_, value) if *value != char::default()))
        })
        .record_msg_in(RegisterMsg::record_returns)
        .record_msg_out(RegisterMsg::record_invocations);
    let checker = model.checker().spawn_bfs().join();
    checker.assert_properties();
    (checker.state_count(), checker.unique_state_count())
}
