//! Leptos: the pages as the prerenderer writes them, and the live pieces that wake up on them.
//!
//! A page is whole without a script: every sentence, link and still is in its HTML. In the browser only
//! the figure is hydrated (`player`), the rest of the page reacts through attributes (`follow`), and moving
//! between pages swaps the next page's own HTML in (`navigate`).

mod figure;
mod pane;
mod player;

#[cfg(not(target_arch = "wasm32"))]
mod chapter_page;
#[cfg(not(target_arch = "wasm32"))]
mod diagram_page;
#[cfg(not(target_arch = "wasm32"))]
mod drawn;
#[cfg(not(target_arch = "wasm32"))]
mod glossary_page;
#[cfg(not(target_arch = "wasm32"))]
mod index_page;
#[cfg(not(target_arch = "wasm32"))]
mod pages;
#[cfg(not(target_arch = "wasm32"))]
mod shell;

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(target_arch = "wasm32")]
mod cast;
#[cfg(target_arch = "wasm32")]
mod follow;
#[cfg(target_arch = "wasm32")]
mod found;
#[cfg(target_arch = "wasm32")]
mod gallery;
#[cfg(target_arch = "wasm32")]
mod keys;
#[cfg(target_arch = "wasm32")]
mod life;
#[cfg(target_arch = "wasm32")]
mod live;
#[cfg(target_arch = "wasm32")]
mod motion;
#[cfg(target_arch = "wasm32")]
mod navigate;
#[cfg(target_arch = "wasm32")]
mod pending;
#[cfg(target_arch = "wasm32")]
mod scenes;
#[cfg(target_arch = "wasm32")]
mod senses;
#[cfg(target_arch = "wasm32")]
mod sentences;
#[cfg(target_arch = "wasm32")]
mod stage;

#[cfg(not(target_arch = "wasm32"))]
mod measured;
#[cfg(not(target_arch = "wasm32"))]
mod objects;
#[cfg(target_arch = "wasm32")]
mod objects_live;
#[cfg(not(target_arch = "wasm32"))]
mod objects_page;

#[cfg(not(target_arch = "wasm32"))]
pub use drawn::{PageError, run_of, short_hash};
#[cfg(target_arch = "wasm32")]
pub use live::start;
#[cfg(not(target_arch = "wasm32"))]
pub use pages::{Asset, Page, pages};
#[cfg(not(target_arch = "wasm32"))]
pub use shell::LATE;
