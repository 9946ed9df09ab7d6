//! Scenario files: a cluster, what goes wrong in it, and what its user does when, as TOML.

use super::scenario::{Cue, Moment, Scenario};
use super::scenario_fault::about;
use super::scenario_parts::parts;
use super::scenario_raw::{RawCue, RawScenario, Text};
use crate::model::{Action, Role, Subject, World, WorldError, candidates};
use std::fmt;
use std::ops::Range;

/// What is wrong with a scenario file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a scenario file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// It is no TOML, or has keys or values that a scenario has not.
    Toml(String),
    /// A name that nothing has: what it is to name, the name, and what there is.
    Unknown(&'static str, String, Vec<String>),
    /// Two keys, or none, where there must be just one of these.
    OneOf(&'static str, &'static [&'static str]),
    /// An actor of which there is one a Node, or not, and `node` is missing, or is too much.
    OfNode(String, bool),
    /// A CSI method that is about no Node, and `node` is too much.
    NoNode(String),
    /// A value that needs another key beside it.
    Needs(String, &'static str),
    /// An action that can be about several things, and it is not said which.
    WhichOne(String, Vec<String>),
    /// An action that can ask for several things, and it is not said for which.
    WhichWish(String, Vec<String>),
    /// Its world cannot be.
    World(WorldError),
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::Toml(message) => f.write_str(message),
            Problem::Unknown(what, name, all) if all.is_empty() => {
                write!(f, "there is no {what} `{name}`, because there is none at all, so add it")
            }
            Problem::Unknown(what, name, all) => {
                write!(f, "there is no {what} `{name}`, so use one of {}", all.join(", "))
            }
            Problem::OneOf(what, keys) => write!(f, "{what} has just one of {}", keys.join(", ")),
            Problem::WhichOne(action, all) => {
                write!(f, "`{action}` can be about several things, so say `on` one of {}", all.join(", "))
            }
            Problem::OfNode(actor, true) => write!(f, "there is a {actor} on every Node, so add `node`"),
            Problem::OfNode(actor, false) => write!(f, "{actor} runs on no Node, so leave `node` out"),
            Problem::NoNode(method) => write!(f, "{method} is about no Node, so leave `node` out"),
            Problem::Needs(value, key) => write!(f, "`{value}` needs `{key}`, so add it"),
            Problem::WhichWish(action, all) => {
                write!(f, "`{action}` can ask for several things, so say `to` one of {}", all.join(", "))
            }
            Problem::World(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ScenarioError {}

/// The text of a scenario file, to say where in it something is wrong.
#[derive(Clone, Copy)]
pub(super) struct Source<'t>(&'t str);

impl Source<'_> {
    /// A problem at a place in the text.
    pub fn error(self, at: &Range<usize>, problem: Problem) -> ScenarioError {
        let before = self.0.bytes().take(at.start).filter(|byte| *byte == b'\n').count();
        ScenarioError { line: before + 1, problem }
    }

    /// The place of a name among those that there are.
    pub fn place<'n>(
        self,
        what: &'static str,
        name: &Text,
        all: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<usize, ScenarioError> {
        let found = all.clone().position(|known| known == name.get_ref());
        found.ok_or_else(|| {
            let all = all.map(str::to_owned).collect();
            self.error(&name.span(), Problem::Unknown(what, name.get_ref().clone(), all))
        })
    }
}

/// What the reader of TOML says, without the names of Rust's types.
fn in_words(message: &str) -> String {
    let types = [
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected u64", "expected a whole number that is not negative"),
    ];
    let known = types.iter().find(|(of, _)| message.ends_with(of));
    known.map_or_else(|| message.to_owned(), |(of, words)| message.replace(of, words))
}

/// Reads a scenario. `name` is what it is called where it does not say so itself.
///
/// # Errors
/// At the first line that is wrong, with what is allowed there.
pub fn read_scenario(name: &str, text: &str) -> Result<Scenario, ScenarioError> {
    // The mark that some editors put before the first line is none of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source(text);
    let raw: RawScenario = toml::from_str(text).map_err(|error| {
        let message = in_words(&error.message().lines().collect::<Vec<_>>().join(", "));
        source.error(&error.span().unwrap_or_default(), Problem::Toml(message))
    })?;
    let named = raw.name.clone().unwrap_or_else(|| name.to_owned());
    let faults: Vec<String> =
        raw.faults.iter().map(|fault| fault.get_ref().name.clone().unwrap_or_default()).collect();
    let world =
        World::new(parts(source, &raw)?).map_err(|error| source.error(&(0..0), Problem::World(error)))?;
    let reader = Reader { source, world: &world, faults: &faults };
    let script = raw.script.iter().map(|cue| reader.cue(cue)).collect::<Result<_, _>>()?;
    let given_until = match &raw.given_until {
        Some(action) => Some(reader.action_named(action, |_| true)?),
        None => None,
    };
    Ok(Scenario { name: named, script, given_until, until_ms: raw.until_ms, world })
}

/// Looks up the names of a script.
struct Reader<'s> {
    source: Source<'s>,
    world: &'s World,
    faults: &'s [String],
}

impl Reader<'_> {
    fn cue(&self, raw: &RawCue) -> Result<Cue, ScenarioError> {
        let moment = match &raw.after {
            None => Moment::Start,
            Some(after) => {
                let name = self.action_named(after, |_| true)?;
                let of = raw.of.as_ref();
                let of = of.map(|of| self.one(name, after, [Some(of), None, None]).map(Action::subject));
                Moment::After(name, of.transpose()?)
            }
        };
        // Only what no actor of the model decides by itself stands in a script.
        let from_outside = |action: Action| action.role() == Role::User;
        let name = self.action_named(&raw.action, from_outside)?;
        let action = self.one(name, &raw.action, [raw.on.as_ref(), raw.node.as_ref(), raw.to.as_ref()])?;
        Ok(Cue { moment, wait_ms: raw.wait_ms, action })
    }

    /// The action of this name, among those that count.
    fn action_named(
        &self,
        name: &Text,
        counts: impl Fn(Action) -> bool,
    ) -> Result<&'static str, ScenarioError> {
        let mut all: Vec<&'static str> = Vec::new();
        for action in candidates(self.world).filter(|action| counts(*action)) {
            if !all.contains(&action.name()) {
                all.push(action.name());
            }
        }
        let place = self.source.place("action", name, all.iter().copied())?;
        Ok(all.get(place).copied().unwrap_or_default())
    }

    /// The one action of a name that is about these things.
    fn one(
        &self,
        name: &'static str,
        at: &Text,
        [on, node, to]: [Option<&Text>; 3],
    ) -> Result<Action, ScenarioError> {
        let of_name = || candidates(self.world).filter(|action| action.name() == name);
        let words = |action: Action| about(self.world, self.faults, action.subject());
        let wish = |action: Action| action.wish(self.world);
        // What is wrong with a name is told before what is wrong with a Node or a wish.
        let named = |action: &Action| on.is_none_or(|on| words(*action).contains(on.get_ref()));
        let there = |action: &Action| node.is_none_or(|node| words(*action).contains(node.get_ref()));
        let wished = |action: &Action| to.is_none_or(|to| wish(*action).as_ref() == Some(to.get_ref()));
        let unknown = |text: &Text, what, all: Vec<String>| {
            let problem = Problem::Unknown(what, text.get_ref().clone(), unique(all));
            self.source.error(&text.span(), problem)
        };
        if let Some(on) = on.filter(|_| !of_name().any(|action| named(&action))) {
            return Err(unknown(on, "thing it can be about,", of_name().flat_map(words).collect()));
        }
        let mine = || of_name().filter(named);
        if let Some(node) = node.filter(|_| !mine().any(|action| there(&action))) {
            return Err(unknown(node, "thing it can be about,", mine().flat_map(words).collect()));
        }
        if let Some(to) = to.filter(|_| !mine().any(|action| wished(&action))) {
            return Err(unknown(to, "wish", mine().filter_map(wish).collect()));
        }
        let mut found = mine().filter(there).filter(wished);
        match (found.next(), found.next()) {
            (Some(action), None) => Ok(action),
            (Some(first), Some(second)) if first.subject() == second.subject() => {
                let problem = Problem::WhichWish(name.to_owned(), unique(mine().filter_map(wish).collect()));
                Err(self.source.error(&at.span(), problem))
            }
            (Some(_), Some(_)) | (None, _) => {
                let all = unique(of_name().flat_map(words).collect());
                Err(self.source.error(&at.span(), Problem::WhichOne(name.to_owned(), all)))
            }
        }
    }
}

/// Each word once, in order.
fn unique(words: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all
}

/// What an action must be about for a moment to be there.
pub(super) fn is_after(moment: Moment, action: Action) -> bool {
    let fits = |subject: Option<Subject>| subject.is_none_or(|subject| subject == action.subject());
    match moment {
        Moment::Start => false,
        Moment::After(name, of) => action.name() == name && fits(of),
    }
}
