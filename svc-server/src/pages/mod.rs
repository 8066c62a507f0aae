//! Pages for people: HTML out of what the endpoints answer, and forms that ask them to act.
//!
//! A page knows no table and no rule of the platform; what it shows, it asks by
//! [`Look::ask`](crate::http::Look::ask), and what a form does, its endpoint does. Everything works
//! without script.
//!
//! | module | what it holds |
//! |---|---|
//! | `frame` | [`Frame`]: what stands around every page |
//! | `flash` | [`Flash`]: what was just done |
//! | `text` | texts of people, with links in them |
//! | `refused` | what is shown when something is refused or fails |
//! | [`assets`] | style, script and icon, compiled in |
//! | the rest | the pages, a file per feature |

pub mod assets;
mod compose;
mod feed;
mod flash;
mod frame;
mod login;
mod post;
pub mod refused;
mod report;
mod text;

pub use flash::Flash;
pub use frame::Frame;

use crate::http::Pages;

/// Every page.
pub fn pages() -> Pages {
    [feed::pages(), compose::pages(), post::pages(), report::pages(), login::pages()]
        .into_iter()
        .fold(Pages::new(), Pages::and)
}
