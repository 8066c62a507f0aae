//! One command for several posts or accounts.

use svc_client::types::Endpoint;

use crate::caller::Caller;
use crate::error::{Error, Result};

/// Sends a request for each of several names in turn, and shows each answer on a line.
///
/// What the server refuses for one of them is told at once and the others go on; the command ends
/// with the code of the first refusal. A failure that all would meet ends it there.
///
/// For requests that need no question, or were agreed to.
pub(crate) async fn each<E: Endpoint>(
    caller: &Caller,
    names: &[String],
    request: impl Fn(&str) -> E,
    people: impl Fn(&str, &E::Response) -> String,
) -> Result<()> {
    if names.len() > 1 && caller.has_idempotency_key() {
        return Err(Error::usage("--idempotency-key is for one request, not for several"));
    }
    let mut first: Option<Box<Error>> = None;
    for name in names {
        let sent = caller.send_agreed(request(name)).await;
        let answer = match sent {
            Ok(None) => continue,
            Ok(Some(answer)) => answer,
            Err(error) if names.len() == 1 => return Err(error),
            Err(error) if error.is_about_one() => {
                let mut error = error.about(name);
                caller.out.error(&mut error);
                first.get_or_insert(error).told = true;
                continue;
            }
            Err(error) => return Err(error.about(name)),
        };
        caller.out.answer(&answer.value, |value| people(name, value))?;
    }
    first.map_or(Ok(()), Err)
}
