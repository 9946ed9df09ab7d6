//! The entry of the page's WebAssembly.
fn main() {}
