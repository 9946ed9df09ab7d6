//! Keys as the browser wants them described: name, code, Windows key code, text.

/// Describes a key by the name that `KeyboardEvent.key` has.
pub fn key(name: &str) -> (&str, String, u32, Option<String>) {
    let known =
        |code: &str, number, text: Option<&str>| (name, code.to_string(), number, text.map(String::from));
    match name {
        "Tab" => known("Tab", 9, None),
        "Enter" => known("Enter", 13, Some("\r")),
        "Escape" => known("Escape", 27, None),
        " " => known("Space", 32, Some(" ")),
        "PageUp" => known("PageUp", 33, None),
        "PageDown" => known("PageDown", 34, None),
        "End" => known("End", 35, None),
        "Home" => known("Home", 36, None),
        "ArrowLeft" => known("ArrowLeft", 37, None),
        "ArrowUp" => known("ArrowUp", 38, None),
        "ArrowRight" => known("ArrowRight", 39, None),
        "ArrowDown" => known("ArrowDown", 40, None),
        _ => {
            let c = name.chars().next().expect("a key has a name");
            assert_eq!(name.len(), c.len_utf8(), "{name} is no key that these tests know");
            let upper = c.to_ascii_uppercase();
            let code = if c.is_ascii_digit() { format!("Digit{c}") } else { format!("Key{upper}") };
            (name, code, upper as u32, Some(name.to_string()))
        }
    }
}
