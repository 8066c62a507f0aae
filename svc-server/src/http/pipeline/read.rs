//! Reads: authenticated and answered in one job, or in several while a caller waits for a change.

use std::sync::Arc;
use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::due;
use svc_core::identity::{Account, Credential};
use svc_core::waits::Waiter;
use svc_store::error::{Error, Result};
use svc_types::{Endpoint, Timestamp};

use super::Stop;
use super::authenticate::{mark_seen, stale_session};
use crate::app::ServerApp;
use crate::http::answer::{Answer, Reply};
use crate::http::erased::ErasedHandler;
use crate::http::incoming::{self, Incoming, Rules};
use crate::http::refuse::name_filters;
use crate::http::routes::{Requirement, Script};

/// Authenticates, refuses a malformed request and runs the handler, all in one read job. For callers without
/// a credential a replica may do so.
pub(in crate::http) async fn read<B: Credential>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    requires: Requirement,
    handler: ErasedHandler<B>,
) -> Result<Reply, Stop> {
    let endpoint = handler.endpoint();
    let (received, request) = incoming::decode(&app, incoming, endpoint).await?;
    let (asked, freshness) = (Arc::clone(&received), received.freshness());
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let caller = received.authenticate::<B>(ctx, endpoint.rules)?;
        requires(ctx.app)?;
        let request = request.as_ref().map_err(|rejected| Error::from(rejected.clone()))?;
        let reply = handler.run(ctx, &caller, request)?;
        Ok((reply, stale_session(&caller)))
    };
    let read = due::read_as_fresh(&app, freshness, job).await;
    let (reply, stale) = read.map_err(|error| name_filters(error, asked.query()))?;
    mark_seen(&app, stale);
    Ok(reply)
}

/// A response for whose change the caller may wait.
pub struct Wait {
    /// Id of the order or payment that may change.
    pub subject: String,
    /// The version of the response.
    pub version: i64,
    /// The version that the caller knows; the present one if none.
    pub after: Option<i64>,
    /// How long to wait.
    pub time: Duration,
}

/// [`read`], again and again until what the caller waits for has changed, its time is over or the
/// server stops. Between the reads it holds neither a connection nor a place in a queue.
pub(in crate::http) async fn read_waiting<E>(
    app: Arc<ServerApp>,
    incoming: Incoming,
    requires: Requirement,
    script: Script<E, E::Response>,
    waits: fn(&E, &E::Response) -> Option<Wait>,
) -> Result<Reply, Stop>
where
    E: Endpoint,
    E::By: Credential<Caller = Account>,
{
    let (received, request) = incoming::decode_as::<E>(&app, incoming).await?;
    let request = Arc::new(request);
    let (mut turn, mut after) = (None, None);
    loop {
        let (received, request) = (Arc::clone(&received), Arc::clone(&request));
        let job = move |ctx: &mut Ctx<'_, '_>| {
            let caller = received.authenticate::<E::By>(ctx, Rules::of::<E>())?;
            requires(ctx.app)?;
            let request = request.as_ref().as_ref();
            let request = request.map_err(|rejected| Error::from(rejected.clone()))?;
            let response = script(ctx, &caller, request)?;
            let wait = waits(request, &response);
            let reply = Answer::from(response).reply(E::STATUS)?;
            Ok((reply, wait, stale_session(&caller), caller.id))
        };
        let (reply, wait, stale, account) = due::read_in_time(&app, job).await?;
        mark_seen(&app, stale);
        let Some(wait) = wait else { return Ok(reply) };
        if wait.version > *after.get_or_insert(wait.after.unwrap_or(wait.version)) {
            return Ok(reply);
        }
        match &mut turn {
            // It is registered before the second read, so that no change is missed.
            None => match app.post_commit.waits.wait(&account, &wait.subject, wait.version) {
                Some(registered) => turn = Some((registered, app.clock.now().plus(wait.time))),
                None => return Ok(reply),
            },
            Some((registered, until)) => {
                if !is_called(&app, registered, *until).await {
                    return Ok(reply);
                }
            }
        }
    }
}

/// Waits until something may have changed; false if the time is over first or the server stops.
async fn is_called(app: &ServerApp, waiter: &mut Waiter, until: Timestamp) -> bool {
    tokio::select! {
        () = waiter.called() => true,
        () = app.clock.sleep_until(until) => false,
        () = app.stopped() => false,
    }
}
