//! What the tests of the site share: the site itself, a server for it, and a browser.
#![allow(dead_code, unused_imports, reason = "each test binary uses its own part")]

pub mod browser;
pub mod html;
mod keys;
mod page;
mod site;
mod socket;

pub use page::Page;
pub use site::{BASE, pages, project, serve, serve_dir, site};
