//! Vectors about the CSI driver.

use mountpath::model::Code;
use mountpath::model::csi::{
    Abilities, Arg, CsiMode, Existing, Found, Request, Rpc, StagedAt, State, answer, edges, step,
};
use serde_json::Value;

/// The areas that this adapter asks.
pub const AREAS: &[&str] = &["driver.sanity"];

/// Asks the model what a vector asks.
pub fn ask(vector: &Value) -> Result<(), String> {
    let (given, event) = (&vector["given"], &vector["event"]);
    let expected = vector["expect"]["rpc"].as_array().ok_or("it expects no list of calls")?;
    let abilities = abilities(given);
    if event["call"].is_string() {
        let call = expected.first().ok_or("it expects no call")?;
        let args = &event["args"];
        let rpc = rpc(&event["call"])?;
        let code = answer(rpc, abilities, &request(rpc, given, args), &found(rpc, given, args));
        return same(code, call);
    }
    // A volume's whole life: each call comes in the state that the one before has left, as often as is asked for.
    let edges = edges(abilities, true);
    let mut state = State::Gone;
    for call in expected {
        let rpc = rpc(&call["call"])?;
        let more =
            call["args"]["repeat"].as_str().and_then(|r| r.trim_start_matches(['>', '=']).parse().ok());
        for _ in 0..more.unwrap_or(1) {
            same(answer(rpc, abilities, &Request::default(), &standing(state)), call)?;
            let next = step(&edges, state, rpc);
            state = next.ok_or(format!("{} has no place after {state:?}", rpc.name()))?;
        }
    }
    if state == State::Gone { Ok(()) } else { Err(format!("the volume ends {state:?}")) }
}

fn rpc(name: &Value) -> Result<Rpc, String> {
    name.as_str().and_then(Rpc::named).ok_or(format!("{name} is no RPC"))
}

fn same(code: Code, call: &Value) -> Result<(), String> {
    let outcome = call["outcome"].as_str().unwrap_or_default();
    let agrees = if outcome == "error" { code != Code::Ok } else { Code::named(outcome) == Some(code) };
    if agrees { Ok(()) } else { Err(format!("{} instead of {call}", code.name())) }
}

/// Everything, or what is listed of the plugin whose capabilities are listed.
fn abilities(given: &Value) -> Abilities {
    let mut all = Abilities::all();
    for (key, of_node) in [("controller_caps", false), ("node_caps", true)] {
        for place in [given, &given["driver"]] {
            if let Some(names) = place[key].as_array() {
                all = all.only(of_node, names.iter().filter_map(Value::as_str));
            }
        }
    }
    all
}

/// An argument that is left out is right; the vectors call `missing` what is not there.
fn arg(args: &Value, key: &str) -> Arg {
    match args.get(key) {
        None => Arg::Known,
        Some(value) => match value.as_str() {
            None | Some("") => Arg::Empty,
            Some("missing" | "unknown" | "nonexistent" | "non-existent") => Arg::Unknown,
            Some(_) => Arg::Known,
        },
    }
}

fn is_given(args: &Value, key: &str) -> bool {
    match args.get(key) {
        None => true,
        Some(Value::Null) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        Some(_) => true,
    }
}

fn request(rpc: Rpc, given: &Value, args: &Value) -> Request {
    let volume = if rpc == Rpc::CreateSnapshot { "source_volume_id" } else { "volume_id" };
    let source = if args.get("source_snapshot").is_some() { "source_snapshot" } else { "source_volume" };
    let paths = ["target_path", "volume_path"];
    let modes = [&args["mode"], &args["access_mode"], &published(given)["mode"]];
    Request {
        name: arg(args, "name"),
        volume: arg(args, volume),
        node: arg(args, "node_id"),
        snapshot: arg(args, "snapshot_id"),
        source: arg(args, source),
        capability: is_given(args, "volume_capability") && is_given(args, "volume_capabilities"),
        staging_path: is_given(args, "staging_target_path"),
        path: paths.iter().all(|key| is_given(args, key)),
        range: is_given(args, "capacity_range"),
        token: !args["starting_token"].as_str().is_some_and(|token| token.contains("invalid")),
        parameters: true,
        size: true,
        mode: modes.iter().find_map(|mode| CsiMode::named(mode.as_str()?)).unwrap_or_default(),
    }
}

/// The first publication that is given, if there is one.
fn published(given: &Value) -> &Value {
    given["published"].get(0).unwrap_or(&Value::Null)
}

/// What is given before the call; where something is there under the name, each of its other fields must agree.
fn found(rpc: Rpc, given: &Value, args: &Value) -> Found {
    let agrees = |there: &Value, pairs: &[(&str, &str)]| {
        pairs.iter().all(|(of, arg)| args[arg].is_null() || there[of].is_null() || there[of] == args[arg])
    };
    let existing = |there: Option<&Value>, pairs: &[(&str, &str)]| match there {
        None => Existing::No,
        Some(there) if agrees(there, pairs) => Existing::Same,
        Some(_) => Existing::Other,
    };
    let list = |key: &str| given[key].as_array().cloned().unwrap_or_default();
    let snapshots = rpc == Rpc::CreateSnapshot;
    let made = list(if snapshots { "snapshots" } else { "volumes" });
    let named = made.iter().find(|there| there["name"] == args["name"]);
    let pairs = [("size", "size"), ("source", "source_volume_id"), ("parameters", "parameters")];
    let published = list("published");
    let about = |there: &&Value| there["volume"] == args["volume_id"];
    let with = [("readonly", "readonly"), ("mode", "mode"), ("capability", "volume_capability")];
    let here = |there: &&Value| about(there) && !there["node"].is_null() && there["node"] == args["node_id"];
    let elsewhere =
        |there: &&Value| about(there) && !there["node"].is_null() && there["node"] != args["node_id"];
    let target = |there: &&Value| about(there) && there["target"] == args["target_path"];
    let other =
        |there: &&Value| about(there) && !there["target"].is_null() && there["target"] != args["target_path"];
    let limit = given["max_volumes_per_node"].as_u64();
    let staged = list("staged");
    let path = |there: &&Value| there["path"] == args["staging_target_path"];
    let staged = match staged.iter().find(about) {
        Some(there) if path(&there) => StagedAt::Path(existing(Some(there), &with)),
        Some(_) => StagedAt::Elsewhere,
        // A volume is staged before the call where the vector says nothing about it.
        None if rpc == Rpc::NodePublishVolume => StagedAt::Path(Existing::Same),
        None => StagedAt::Nowhere,
    };
    Found {
        named: existing(named, &pairs),
        published: match published.iter().find(here) {
            None if rpc == Rpc::NodeStageVolume => Existing::Same,
            there => existing(there, &with),
        },
        published_elsewhere: published.iter().any(|there| elsewhere(&there)),
        full: limit.is_some_and(|limit| published.len() as u64 >= limit),
        staged,
        at_target: existing(published.iter().find(target).filter(|there| there["target"].is_string()), &with),
        at_other_target: published.iter().any(|there| other(&there)),
        // The suite holds a driver to the specification's table.
        one_target: true,
        ..Found::default()
    }
}

/// What the driver finds of a volume in this state.
fn standing(state: State) -> Found {
    let same = |is| if is { Existing::Same } else { Existing::No };
    let staged = matches!(state, State::VolReady | State::Published);
    Found {
        named: same(state != State::Gone),
        published: same(!matches!(state, State::Gone | State::Created)),
        staged: if staged { StagedAt::Path(Existing::Same) } else { StagedAt::Nowhere },
        at_target: same(state == State::Published),
        ..Found::default()
    }
}
