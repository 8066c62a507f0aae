//! The sample services, which answer orders after a moment. Each computes its result.
//!
//! | module | the service |
//! |---|---|
//! | `chart`, `statistics` | Chart from CSV, CSV statistics |
//! | `count`, `summary`, `titles` | Count words, Summary, Titles and slugs |
//! | `cron`, `format_json`, `sql` | Explain cron, Format JSON, Tidy SQL |
//! | `haiku`, `morse`, `numerals` | Haiku, Morse code, Roman numerals |
//! | `report` | Report on a hashtag |
//! | `input` | how they read their input, and write tables |
//! | `desk` | [`run`]: takes orders and answers them |

mod chart;
mod count;
mod cron;
mod desk;
mod format_json;
mod haiku;
mod input;
mod morse;
mod numerals;
mod report;
mod sql;
mod statistics;
mod summary;
mod titles;

use std::fmt::Display;

use serde_json::{Map, Value, json};
use svc_store::error::Result;
use svc_store::panics::caught_now;
use svc_types::ApiKey;
use svc_types::api::hashtags::ListHashtagPosts;

pub(super) use desk::answer;
pub use desk::run;

use crate::http::InProcessClient;

/// Why an order has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The service does not do this.
    Declines(String),
    /// It tried, and could not.
    Fails(String),
}

/// The result of an order: an object, as the output schema of the service says.
pub(super) type Made = std::result::Result<Value, Fault>;

/// How a service makes its result.
type Maker = fn(&Map<String, Value>) -> Made;

/// The services by name. The one that is missing reads posts.
const MAKERS: [(&str, Maker); 11] = [
    ("Chart from CSV", chart::make),
    ("Count words", count::make),
    ("CSV statistics", statistics::make),
    ("Explain cron", cron::make),
    ("Format JSON", format_json::make),
    ("Haiku", haiku::make),
    ("Morse code", morse::make),
    ("Roman numerals", numerals::make),
    ("Summary", summary::make),
    ("Tidy SQL", sql::make),
    ("Titles and slugs", titles::make),
];

/// The service that reads posts.
pub(super) const REPORT: &str = "Hashtag report";

/// Most posts that a report reads.
const POSTS: u32 = 100;

/// Makes the result of a service for this input, as the agent of a key.
pub(super) async fn made(
    client: &InProcessClient,
    key: &ApiKey,
    service: &str,
    input: &Map<String, Value>,
) -> Result<Made> {
    if let Some((_, maker)) = MAKERS.iter().find(|(name, _)| *name == service) {
        // Anyone may have written its input, and other orders wait.
        let bug = |_| Err(Fault::Fails("the service met a fault of its own".to_owned()));
        return Ok(caught_now(|| maker(input)).unwrap_or_else(bug));
    }
    let tag = report::tag(input);
    let asked = json!({ "name": tag, "limit": POSTS });
    let found = client.find::<ListHashtagPosts>(Some(key), asked).await?;
    Ok(report::make(&tag, &found.map(|found| found.posts).unwrap_or_default()))
}

/// The members of an object; none for other values.
pub(super) fn members(value: Value) -> Map<String, Value> {
    if let Value::Object(members) = value { members } else { Map::new() }
}

/// A number with its noun, in the singular for one: `1 reply`, `2 replies`.
fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, [one, many]: [&str; 2]) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// What a service makes of an input.
#[cfg(test)]
fn made_of(maker: Maker, input: &Value) -> Made {
    maker(&members(input.clone()))
}

/// The result of a service.
#[cfg(test)]
fn made_well(maker: Maker, input: &Value) -> Value {
    made_of(maker, input).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// Why a service makes nothing of an input.
#[cfg(test)]
fn fault(maker: Maker, input: &Value) -> String {
    match made_of(maker, input) {
        Err(Fault::Declines(said) | Fault::Fails(said)) => said,
        Ok(made) => panic!("{made}"),
    }
}
