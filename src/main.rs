//! The entry of the page's WebAssembly; elsewhere there is nothing to start.
fn main() {
    #[cfg(target_arch = "wasm32")]
    mountpath::view::start();
}
