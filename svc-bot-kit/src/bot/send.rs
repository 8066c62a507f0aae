//! Sends the calls of a job until the platform accepts or refuses them.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use svc_client::http::{HeaderValue, Method};
use svc_client::types::api::messages::Message;
use svc_client::types::{Code, EscrowId};
use svc_client::{Error, Result as ClientResult};

use super::shared::Shared;
use super::{answer, check};
use crate::error::Result;
use crate::journal::{Call, Job, NewCall};

/// Sends the calls of a job in order. `is_fresh` means that the job was decided just now, so none of
/// them can have been sent before.
pub(super) async fn send(shared: &Shared, job: &str, is_fresh: bool) -> Result<()> {
    while let Some(call) = shared.journal.next_call(job).await? {
        shared.crash.point("a call waits").await;
        let answered = match delivery(shared, job, &call).await? {
            Some(escrow) => deliver(shared, &call, &escrow, is_fresh).await?,
            None => shared.call(|| post(shared, &call)).await?,
        };
        shared.crash.point("a call is sent").await;
        let (outcome, instead) = match answered {
            Ok(()) => ("sent".to_owned(), Vec::new()),
            Err(error) if answer::is_replaceable(job, &call.key) && is_key_refused(&error) => {
                return Err(error.into());
            }
            Err(error) => {
                tracing::warn!(job, key = call.key, %error, "the platform refused a call");
                let instead = replacement(shared, job, &call, &error).await?;
                (error.code().map_or("refused", Code::as_str).to_owned(), instead)
            }
        };
        shared.journal.close_call(call.id, &outcome, instead, shared.clock.now()).await?;
        shared.crash.point("a call is closed").await;
    }
    Ok(())
}

/// Whether the platform refuses what the key may do, or the address it is used from. Then the order waits
/// in the journal for a key that may answer it.
pub(super) fn is_key_refused(error: &Error) -> bool {
    matches!(error.code(), Some(Code::InsufficientScope | Code::AddressNotAllowed))
}

/// The escrow that a call delivers work into, if it is a delivery.
async fn delivery(shared: &Shared, job: &str, call: &Call) -> Result<Option<EscrowId>> {
    if !answer::is_delivery(job, &call.key) {
        return Ok(None);
    }
    Ok(shared.journal.job(job).await?.and_then(|job| job.escrow))
}

/// Delivers work once. The platform remembers an idempotency key for one day; after that the same
/// call would deliver the work again, or be refused because the escrow has moved on. So if an earlier
/// call may have arrived, the escrow is checked first.
async fn deliver(
    shared: &Shared,
    call: &Call,
    escrow: &EscrowId,
    is_fresh: bool,
) -> Result<ClientResult<()>> {
    let maybe_delivered = AtomicBool::new(!is_fresh);
    let delivered = shared.call(|| async {
        if maybe_delivered.swap(true, Ordering::AcqRel) && is_work_delivered(shared, escrow).await?
        {
            return Ok(());
        }
        post(shared, call).await
    });
    let Err(refused) = delivered.await? else { return Ok(Ok(())) };
    // The state may not allow a delivery because the work was delivered already.
    match shared.call(|| is_work_delivered(shared, escrow)).await? {
        Ok(true) => Ok(Ok(())),
        Ok(false) | Err(_) => Ok(Err(refused)),
    }
}

/// Whether the work was delivered into an escrow, which pays for one order only.
async fn is_work_delivered(shared: &Shared, escrow: &EscrowId) -> ClientResult<bool> {
    match shared.client.escrow().get(escrow).await {
        Ok(answer) => Ok(check::is_delivered(&answer.escrow)),
        // The escrow can't be read; the response to the delivery will say why.
        Err(Error::NotFound { .. } | Error::Forbidden { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn post(shared: &Shared, call: &Call) -> ClientResult<()> {
    let request = shared.client.request(Method::POST, &*call.path).idempotency_key(&*call.key);
    let json = HeaderValue::from_static("application/json");
    // Decoding as JSON makes sure that the response comes from the platform; its content is unused.
    request.bytes(json, call.body.clone()).send::<Value>().await.map(|_| ())
}

/// The calls that replace a refused one: an order that is still open needs an answer.
async fn replacement(
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
