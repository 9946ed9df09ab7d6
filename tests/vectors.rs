//! Conformance: what upstream's own unit tests say of each actor, asked of the model.
//!
//! `MOUNTPATH_VECTORS=FILE cargo test --test vectors -- --nocapture` asks the vectors of another file of the same form.

#[path = "vectors/attach.rs"]
mod attach;
#[path = "vectors/claims.rs"]
mod claims;
#[path = "vectors/driver.rs"]
mod driver;
#[path = "vectors/grow.rs"]
mod grow;
#[path = "vectors/naming.rs"]
mod naming;
#[path = "vectors/node.rs"]
mod node;
#[path = "vectors/node_desk.rs"]
mod node_desk;

use serde_json::Value;

/// Asks the model what a vector asks: `Err` says in one sentence how its answer differs from what is expected.
type Ask = fn(&Value) -> Result<(), String>;

/// The areas of vectors and who asks them: each adapter builds the world that `given` describes, lets `event`
/// happen, lets the actors of its area act, and compares calls, writes, events and state with `expect`.
const ADAPTERS: [(&[&str], Ask); 6] = [
    (attach::AREAS, attach::ask),
    (claims::AREAS, claims::ask),
    (driver::AREAS, driver::ask),
    (grow::AREAS, grow::ask),
    (naming::AREAS, naming::ask),
    (node::AREAS, node::ask),
];

/// Vectors that the model cannot be asked, each with the reason, which is about the vector.
const LEFT_OUT: [(&str, &str); 0] = [];

#[test]
fn the_model_answers_as_upstream_tests_expect() {
    let path = std::env::var("MOUNTPATH_VECTORS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/vectors.json").into());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let vectors = file["vectors"].as_array().unwrap_or_else(|| panic!("{path}: no list `vectors`"));
    let mut failures = Vec::new();
    let mut left_out = 0;
    for vector in vectors {
        let (id, area) = (vector["id"].as_str().unwrap_or("?"), vector["area"].as_str().unwrap_or("?"));
        if LEFT_OUT.iter().any(|(other, _)| *other == id) {
            left_out += 1;
            continue;
        }
        let adapter = ADAPTERS.iter().find(|(areas, _)| areas.contains(&area));
        let answer = match adapter {
            Some((_, ask)) => std::panic::catch_unwind(|| ask(vector))
                .unwrap_or_else(|_| Err("the adapter cannot read it".into())),
            None => Err(format!("no adapter for the area {area}")),
        };
        failures.extend(answer.err().map(|difference| format!("{id} ({area}): {difference}")));
    }
    let asked = vectors.len() - left_out;
    println!("{} of {asked} vectors agree, {left_out} left out", asked - failures.len());
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}
