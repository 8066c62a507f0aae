//! Who calls, found in a read job of its own.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::{Caller, Credential, SignedBy, credentials};
use svc_core::keys::Hash;
use svc_store::error::Result;

use super::Stop;
use crate::app::ServerApp;
use crate::http::idempotency::{self, Key};
use crate::http::incoming::{Received, Rules};

/// The outcome of [`authenticate`].
pub(in crate::http) struct Identity<C> {
    pub(in crate::http) caller: C,
    pub(in crate::http) key: Option<Key>,
}

/// Identifies the caller (401, 403), and stops with the stored answer of a used Idempotency-Key.
pub(in crate::http) async fn authenticate<B: Credential>(
    app: &Arc<ServerApp>,
    received: &Arc<Received>,
    rules: Rules,
) -> Result<Identity<B::Caller>, Stop> {
    // Endpoints for anyone answer without the database: the health checks rely on it.
    if let Some(caller) = B::unasked()
        && !received.is_repeatable()
    {
        return Ok(Identity { caller, key: None });
    }
    let found = authenticate_and_load::<B, ()>(app, received, rules, |_, _| Ok(())).await?;
    Ok(found.0)
}

/// [`authenticate`], then `load` in the same job.
pub(super) async fn authenticate_and_load<B, L>(
    app: &Arc<ServerApp>,
    received: &Arc<Received>,
    rules: Rules,
    load: impl Fn(&mut Ctx<'_, '_>, &B::Caller) -> Result<L> + Send + 'static,
) -> Result<(Identity<B::Caller>, L), Stop>
where
    B: Credential,
    L: Send + 'static,
{
    let received = Arc::clone(received);
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let caller = received.authenticate::<B>(ctx, rules)?;
        let key = received.key(&caller)?;
        let stored = match &key {
            Some(key) => idempotency::stored(ctx, key)?.map(|stored| stored.replay(ctx, key)),
            None => None,
        };
        let found = match stored.transpose()? {
            Some(reply) => Err(reply),
            None => Ok(load(ctx, &caller)?),
        };
        Ok((Identity { caller, key }, found))
    };
    let (identity, found) = app.read(job).await?;
    mark_seen(app, stale_session(&identity.caller));
    match found {
        Ok(loaded) => Ok((identity, loaded)),
        Err(reply) => Err(Stop::Replay(reply)),
    }
}

/// The session that must be marked as seen, if there is one.
pub(in crate::http) fn stale_session(caller: &impl Caller) -> Option<Hash> {
    match caller.account()?.method {
        SignedBy::Session { hash, stale: true } => Some(hash),
        _ => None,
    }
}

/// Marks the session as seen, concurrently with the answer.
pub(in crate::http) fn mark_seen(app: &Arc<ServerApp>, session: Option<Hash>) {
    let Some(hash) = session else { return };
    let app = Arc::clone(app);
    tokio::spawn(async move {
        if let Err(error) = app.write(move |ctx| credentials::mark_seen(ctx, &hash)).await {
            tracing::warn!(%error, "a session could not be marked as seen");
        }
    });
}
