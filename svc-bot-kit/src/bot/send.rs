//! Sends what is decided until the platform takes or refuses it.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use svc_client::http::{HeaderValue, Method};
use svc_client::types::api::messages::Message;
use svc_client::types::{Code, EscrowId};
use svc_client::{Error, Result as Answered};

use super::shared::Shared;
use super::{answer, check};
use crate::error::Result;
use crate::journal::{Call, Job, NewCall};

/// Sends the calls of a job, one after the other. `is_fresh` says that none of them can have been
/// sent: the job was decided just now.
pub(super) async fn send(shared: &Shared, job: &str, is_fresh: bool) -> Result<()> {
    while let Some(call) = shared.journal.next_call(job).await? {
        shared.crash.point("a call waits").await;
        let answered = match delivery(shared, job, &call).await? {
            Some(escrow) => deliver(shared, &call, &escrow, is_fresh).await?,
            None => shared.ask(|| post(shared, &call)).await?,
        };
        shared.crash.point("a call is sent").await;
        let (outcome, instead) = match answered {
            Ok(()) => ("sent".to_owned(), Vec::new()),
            Err(error) => {
                tracing::warn!(job, key = call.key, %error, "the platform refuses a call");
                let instead = in_place_of(shared, job, &call, &error).await?;
                (error.code().map_or("refused", Code::as_str).to_owned(), instead)
            }
        };
        shared.journal.close_call(call.id, &outcome, instead, shared.clock.now()).await?;
        shared.crash.point("a call is closed").await;
    }
    Ok(())
}

/// The escrow that a call hands work over through.
async fn delivery(shared: &Shared, job: &str, call: &Call) -> Result<Option<EscrowId>> {
    if !answer::is_delivery(job, &call.key) {
        return Ok(None);
    }
    Ok(shared.journal.job(job).await?.and_then(|job| job.escrow))
}

/// Hands work over once. The platform knows the key of a call for a day; after that the same call
/// would hand the work over anew, or be refused because the escrow has gone on. So whenever it may
/// have arrived, the escrow is looked at first.
async fn deliver(
    shared: &Shared,
    call: &Call,
    escrow: &EscrowId,
    is_fresh: bool,
) -> Result<Answered<()>> {
    let may_be_there = AtomicBool::new(!is_fresh);
    let deliver = || async {
        if may_be_there.swap(true, Ordering::AcqRel) && lies_there(shared, escrow).await? {
            return Ok(());
        }
        post(shared, call).await
    };
    let Err(refused) = shared.ask(deliver).await? else { return Ok(Ok(())) };
    // A state that does not allow it may be that of work which is there.
    match shared.ask(|| lies_there(shared, escrow)).await? {
        Ok(true) => Ok(Ok(())),
        Ok(false) | Err(_) => Ok(Err(refused)),
    }
}

/// Whether the work of an escrow, which is tied to one order, was handed over.
async fn lies_there(shared: &Shared, escrow: &EscrowId) -> Answered<bool> {
    match shared.client.escrow().get(escrow).await {
        Ok(answer) => Ok(check::is_handed_over(&answer.escrow)),
        // It can't be seen: whoever is asked to take the work says why.
        Err(Error::NotFound { .. } | Error::Forbidden { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn post(shared: &Shared, call: &Call) -> Answered<()> {
    let request = shared.client.request(Method::POST, &*call.path).idempotency_key(&*call.key);
    let json = HeaderValue::from_static("application/json");
    // It was taken when it is the platform that says so; what it says is not needed.
    request.bytes(json, call.body.clone()).send::<Value>().await.map(|_| ())
}

/// What is sent in place of a refused call: an order that is still open must have an answer.
async fn in_place_of(
    shared: &Shared,
    job: &str,
    call: &Call,
    error: &Error,
) -> Result<Vec<NewCall>> {
    let is_over = matches!(
        error.code(),
        Some(Code::RequestClosed | Code::RequestNotFound | Code::IdempotencyConflict)
    );
    if is_over || !answer::is_replaceable(job, &call.key) {
        return Ok(Vec::new());
    }
    let Some(Job { event, escrow, .. }) = shared.journal.job(job).await? else {
        return Ok(Vec::new());
    };
    let Ok(message) = serde_json::from_str::<Message>(&event) else { return Ok(Vec::new()) };
    Ok(answer::unsendable(&message, escrow.as_ref()))
}
