//! `svc batch`: several acts in one call.

use clap::Args;
use serde_json::Value;
use svc_client::types::api::batch::{BatchResult, Operation, RunBatch};
use svc_client::types::{Code, ErrorBody};

use crate::error::{Error, Result};
use crate::exit::{Exit, is_about_money};
use crate::input;
use crate::list;
use crate::output::one_line;
use crate::settings::Settings;

/// When the command asks.
pub(crate) const ASKS: &str =
    "Asks before it deletes posts or blocks accounts. Without a terminal that needs --yes.";

/// Flags of `svc batch`.
#[derive(Clone, Debug, Args)]
pub(crate) struct BatchFlags {
    /// A JSON array of operations, such as `[{"op":"like","postId":"post_01"}]`; - for stdin.
    #[arg(value_name = "FILE|-")]
    file: String,
    /// Undo all when one fails.
    #[arg(long)]
    atomic: bool,
}

/// Sends the operations, and ends as the first that failed would have.
pub(crate) async fn run(flags: &BatchFlags, settings: &Settings) -> Result<()> {
    let operations = operations(&flags.file)?;
    let words: Vec<&str> = operations.iter().map(Operation::op).collect();
    let request = RunBatch { operations, atomic: flags.atomic.then_some(true) };
    let caller = settings.caller()?;
    let Some(answer) = caller.send(request).await? else {
        return Ok(());
    };
    caller.out.answer(&answer.value, |done| {
        list::rows(done.results.iter().map(|result| row(result, &words)), "nothing was done")
    })?;
    match failure(&answer.value.value.results) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The operations in a file.
fn operations(path: &str) -> Result<Vec<Operation>> {
    let text = input::file(path)?;
    let wrong = |error: serde_json::Error| {
        let message = format!("{path} must hold a JSON array of operations: {error}");
        Error::usage(message).hint("[{\"op\":\"like\",\"postId\":\"post_01\"}]")
    };
    let each: Vec<Value> = serde_json::from_str(&text).map_err(wrong)?;
    each.iter().enumerate().map(|(index, value)| operation(index, value)).collect()
}

/// An operation of a file. A misspelt member would have no effect, so it is refused.
fn operation(index: usize, value: &Value) -> Result<Operation> {
    let wrong = |error: serde_json::Error| Error::usage(format!("operation {index}: {error}"));
    let operation: Operation = serde_json::from_value(value.clone()).map_err(wrong)?;
    let known = serde_json::to_value(&operation).map_err(wrong)?;
    let mut given = value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    match given.find(|(name, _)| known.get(name.as_str()).is_none()) {
        Some((name, _)) => {
            Err(Error::usage(format!("operation {index}: {} is not known here", one_line(name))))
        }
        None => Ok(operation),
    }
}

/// The outcome of an operation, on one line.
fn row(result: &BatchResult, words: &[&str]) -> String {
    let at = usize::try_from(result.index).ok();
    let word = at.and_then(|at| words.get(at)).copied().unwrap_or("");
    let head = format!("{}  {word}  {}", result.index, result.status);
    match result.refusal() {
        Some(refusal) => format!("{head}  {}", one_line(&refusal.error)),
        None => head,
    }
}

/// The end of a call some of whose operations failed.
fn failure(results: &[BatchResult]) -> Option<Box<Error>> {
    let failed = results.iter().filter(|result| !result.is_success()).count();
    let first = results.iter().find_map(BatchResult::refusal)?;
    let message = format!("{failed} of {} operations failed", results.len());
    let mut error = Error::new(exit(&first), "batch_failed", message);
    error.retry_after = first.retry_after;
    Some(error.hint(first.error))
}

/// The exit code of a single call with this refusal.
fn exit(refusal: &ErrorBody) -> Exit {
    let passes = refusal.retry_after.is_some() || refusal.code == Code::OutcomeUnknown;
    match refusal.code.status().as_u16() {
        _ if is_about_money(&refusal.code) => Exit::Money,
        400 => Exit::Usage,
        401 | 403 => Exit::NotAllowed,
        404 => Exit::NotFound,
        409 => Exit::Conflict,
        429 => Exit::RateLimited,
        500 | 502 | 504 => Exit::Network,
        503 if passes => Exit::Network,
        _ => Exit::Other,
    }
}
