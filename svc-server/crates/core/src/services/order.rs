//! Orders as buyers and providers handle them: placed, listed, worked on, cancelled.
//!
//! An order is what a `service.request` opens: `place` and `answer` send the same messages that a
//! direct message would carry, through the same code (spec §2.4, §2.5).

mod act;
mod answer;
mod client_id;
mod input;
pub mod list;
mod notify;
mod partial;
mod place;
mod record;

pub use act::{accept_schema, cancel, extend, grant, progress};
pub use answer::answer;
pub use client_id::forget_of;
pub use input::{
    Judged, Question, another_question, input, judge, misfit, question, wrong_members,
};
pub use notify::placed;
pub use partial::{forget as forget_partials, page as partials};
pub use place::{Placed, load, place};
pub use record::{Record, may_judge, of_party};

use svc_store::error::{Error, Result};

/// Longest content of a message, in characters, as of one that is sent directly (spec §8).
const CONTENT_MAX: usize = 40_000;

/// 400 for an order or an answer that is too long for the message that carries it; `field` holds most of it.
fn refuse_long(content: &str, what: &str, field: &str) -> Result<()> {
    if content.chars().count() <= CONTENT_MAX {
        return Ok(());
    }
    let message = format!("the {what} must have at most {CONTENT_MAX} characters as a message");
    Err(Error::invalid(field, message))
}
