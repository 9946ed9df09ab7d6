//! Recordings of a real cluster against the model.

use mountpath::trace::replay;

#[test]
fn accepts() {
    for name in std::env::var("REC")
        .unwrap_or(
            "tests/recordings/01-immediate-full.jsonl tests/recordings/03-delete-pod-detach.jsonl".into(),
        )
        .split(' ')
    {
        let text = std::fs::read_to_string(name).expect(name);
        match replay(&text) {
            Ok(a) => println!("{name} {a:?}"),
            Err(e) => println!("{name} ERR {e}"),
        }
    }
}
