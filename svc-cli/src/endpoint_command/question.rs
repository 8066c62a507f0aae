//! What a command asks that moves credits: what moves, how much and to whom.

use std::pin::Pin;

use serde_json::value::RawValue;
use svc_client::Answer;

use super::{EndpointCommand, Given};
use crate::caller::Caller;
use crate::error::Result;
use crate::field::words;
use crate::input;

/// Puts the question of a command together, from what it reads.
pub(crate) type Question =
    for<'a> fn(&'a Caller, &'a Given<'a>) -> Pin<Box<dyn Future<Output = Result<String>> + 'a>>;

impl EndpointCommand {
    /// Sends the request, after the question of the command if it has one of its own.
    pub(super) async fn ask_and_send(
        &self,
        given: &Given<'_>,
        caller: &Caller,
    ) -> Result<Option<Answer<Box<RawValue>>>> {
        let (operation, members) = (&self.operation, given.members.clone());
        let Some(question) = self.question else {
            return caller.send_members(operation, members).await;
        };
        if caller.has_to_ask(&words(operation.declared.doc))? {
            input::answer(&question(caller, given).await?)?;
        }
        caller.send_agreed_members(operation, members).await
    }
}
