//! What a new connection says of itself, in one round trip.

use postgres::SimpleQueryMessage;
use svc_types::Timestamp;

use super::client::Client;
use super::defaults::DIFFERENCES;
use super::session::Session;
use super::target::Target;
use super::timeline::{SELECT_TIMELINE, Timeline, timeline_of};
use crate::db::tx::Failure;
use crate::error::Error;

const SELECT_TIME: &str =
    "select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)";

/// What a new connection says of itself.
pub(super) struct Introduction {
    pub(super) time: Option<Timestamp>,
    /// What it was asked besides.
    pub(super) answer: String,
}

/// The first connection. One without the defaults of the role is refused.
pub(super) fn first(
    target: &Target,
    timeline: &Timeline,
    connect: impl Fn() -> Result<Session, Failure>,
) -> Result<Session, Error> {
    let mut tries = 0..target.tries();
    loop {
        match (connect(), tries.next()) {
            (Ok(session), _) => {
                timeline.accepts(session.timeline());
                return Ok(session);
            }
            (Err(Failure::Row(error)), _) => return Err(error),
            (Err(_), Some(_)) => {}
            (Err(Failure::Postgres(error)), None) => return Err(target.refusal(&error)),
            (Err(failure), None) => return Err(Error::internal(failure.to_string())),
        }
    }
}

/// The time and the timeline of a primary.
pub(super) fn to_primary(
    client: &Client,
    target: &Target,
) -> Result<(Option<Timestamp>, u32), Failure> {
    let Introduction { time, answer } = introduce(client, target, SELECT_TIMELINE)?;
    Ok((time, timeline_of(&answer).unwrap_or_default()))
}

/// Asks for the time and for one row more, and whether the defaults of the role hold.
pub(super) fn introduce(
    client: &Client,
    target: &Target,
    question: &str,
) -> Result<Introduction, Failure> {
    let asked = format!("{SELECT_TIME}; {question}; {}", *DIFFERENCES);
    let answers = client.simple_query("introduce", &asked)?;
    let mut rows = answers.iter().filter_map(first_column);
    let time = rows.next().and_then(time);
    let answer = rows.next().unwrap_or_default().to_owned();
    let differences: Vec<&str> = rows.collect();
    if differences.is_empty() {
        return Ok(Introduction { time, answer });
    }
    Err(Failure::Row(Error::setup(format!(
        "{}: connections have {}: `svc-server migrate` sets the defaults of the role, and a pooler must \
         then connect again",
        target.setting(),
        differences.join(", ")
    ))))
}

/// The time of the database, with which its answer to a query for the time begins.
pub(super) fn time_reported(messages: &[SimpleQueryMessage]) -> Option<Timestamp> {
    messages.iter().find_map(first_column).and_then(time)
}

fn time(millis: &str) -> Option<Timestamp> {
    millis.parse().ok().map(Timestamp::from_millis)
}

/// The first column of a row.
pub(super) fn first_column(message: &SimpleQueryMessage) -> Option<&str> {
    match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    }
}
