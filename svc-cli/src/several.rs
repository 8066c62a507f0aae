//! One command for several posts or accounts.

use svc_client::types::Endpoint;

use crate::caller::Caller;
use crate::error::{Error, Result};

/// Sends a request for each of several names in turn, and shows each answer on a line.
///
/// A refusal of one of them is printed at once and the others continue; the command ends
/// with the code of the first refusal. A failure that all would meet ends it there.
///
/// For requests that need no question, or were agreed to.
pub(crate) async fn each<E: Endpoint>(
    caller: &Caller,
    names: &[String],
    request: impl Fn(&str) -> E,
    people: impl Fn(&str, &E::Response) -> String,
) -> Result<()> {
    one_by_one(caller, names, async |name| match caller.send_agreed(request(name)).await? {
        Some(answer) => caller.out.answer(&answer.value, |value| people(name, value)),
        None => Ok(()),
    })
    .await
}

/// Calls `send` for each of several names in turn, and goes on where [`each`] does.
pub(crate) async fn one_by_one(
    caller: &Caller,
    names: &[String],
    send: impl AsyncFn(&str) -> Result<()>,
) -> Result<()> {
    if names.len() > 1 && caller.has_idempotency_key() {
        return Err(Error::usage("--idempotency-key is for one request, not for several"));
    }
    let mut first: Option<Box<Error>> = None;
    for name in names {
        match send(name).await {
            Ok(()) => {}
            Err(error) if names.len() == 1 => return Err(error),
            Err(error) if error.is_about_one() => {
                let mut error = error.about(name);
                caller.out.error(&mut error);
                first.get_or_insert(error).is_printed = true;
            }
            Err(mut error) => {
                // The key of one request can't be given to a command that sends several.
                error.idempotency_key = None;
                return Err(error.about(name));
            }
        }
    }
    first.map_or(Ok(()), Err)
}
