//! Stands in for the crate `wasm-streams`, which Leptos brings along for bodies of calls to a server that arrive in
//! parts. There is no such call in Mountpath, but the crate's exported classes would be in the program all the same:
//! nothing can leave out what is exported. Here is what Leptos names of it, and every stream is empty.

use futures_util::Stream;
use futures_util::stream::{Empty, empty};
use wasm_bindgen::{JsCast, JsValue};

/// A stream of the browser's.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Takes over one of the browser's.
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// Makes one of Rust's the browser's.
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>> + 'static) -> Self {
        Self(JsValue::UNDEFINED.unchecked_into())
    }

    /// The browser's.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// The same as one of Rust's.
    pub fn into_stream(self) -> Empty<Result<JsValue, JsValue>> {
        empty()
    }
}
