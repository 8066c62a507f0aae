//! The stages of a request, from its bytes to its reply.
//!
//! 1. **Decode**: `incoming` checks size and media type (413, 415), reads the body and decodes it.
//! 2. **Authenticate**: a read job identifies the caller (401, 403) and looks up the stored answer
//!    of the Idempotency-Key.
//! 3. **Prepare**: slow work, such as hashing a password, runs outside of any job.
//! 4. **Transact**: a write job locks the Idempotency-Key, refuses live keys in texts (400),
//!    charges the budgets (429), runs the handler (404, 403, 409, 429) and stores its answer.
//!
//! Most writes need no preparation and authenticate inside their transaction; a few are completed at
//! another host after it. A read does everything in one read job. A malformed request is refused (400)
//! only after authentication.

mod authenticate;
mod read;

pub(super) use self::authenticate::{Identity, authenticate, mark_seen, stale_session};
pub use self::read::Wait;
pub(super) use self::read::{read, read_waiting};

use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::identity::{Account, Caller, Credential};
use svc_core::services::budget;
use svc_core::services::secrets::Suspects;
use svc_store::error::{Error, Result};
use svc_types::{Cost, Declaration, Endpoint};

use self::authenticate::authenticate_and_load;
use super::answer::{Answer, Reply};
use super::erased::{ErasedEndpoint, ErasedHandler, ErasedRequest, suspects};
use super::idempotency::{self, Key};
use super::incoming::{self, Incoming, Received};
use super::routes::{CallerOf, Requirement, Script};
use super::turns::Turn;
use crate::app::ServerApp;

/// A decoded request of callers of one kind.
pub(super) struct Pipeline<B> {
    app: Arc<ServerApp>,
    received: Arc<Received>,
    request: ErasedRequest,
    endpoint: &'static ErasedEndpoint,
    requires: Requirement,
    by: PhantomData<B>,
}

/// A request whose caller was identified before its transaction.
pub(super) struct Authenticated<E: Endpoint>
where
    E::By: Credential,
{
    app: Arc<ServerApp>,
    received: Arc<Received>,
    key: Option<Key>,
    call: Arc<Call<E>>,
}

/// A request and its caller, for the work before the transaction.
pub struct Call<E: Endpoint>
where
    E::By: Credential,
{
    /// The authenticated caller.
    pub caller: CallerOf<E>,
    /// The decoded request.
    pub request: E,
    /// The client's address.
    pub address: IpAddr,
}

/// Why a request ends before its transaction.
pub(super) enum Stop {
    /// Its Idempotency-Key was used before; this is the stored answer.
    Replay(Reply),
    /// It was refused, or failed.
    Refuse(Error),
}

impl Stop {
    /// The result to send.
    pub(super) fn into_result(self) -> Result<Reply> {
        match self {
            Self::Replay(reply) => Ok(reply),
            Self::Refuse(error) => Err(error),
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Refuse(error)
    }
}

impl<B: Credential> Pipeline<B> {
    /// Decodes a request. A malformed one is authenticated before it is refused; it changes
    /// nothing, so a read job is enough.
    pub(super) async fn decode(
        app: Arc<ServerApp>,
        incoming: Incoming,
        endpoint: &'static ErasedEndpoint,
        requires: Requirement,
    ) -> Result<Self, Stop> {
        let (received, request) = incoming::decode(&app, incoming, endpoint).await?;
        match request {
            Ok(request) => Ok(Self { app, received, request, endpoint, requires, by: PhantomData }),
            Err(rejected) => {
                match authenticate::<B>(&app, &received, endpoint.rules).await {
                    // It is not a repetition, even if all but its proof equals an earlier request.
                    Ok(_) | Err(Stop::Replay(_)) => {}
                    Err(refused) => return Err(refused),
                }
                requires(&app)?;
                Err(Error::from(rejected).into())
            }
        }
    }

    /// The decoded request.
    pub(super) fn request<E: Endpoint>(&self) -> &E {
        self.request.get()
    }

    /// Authenticates in a read job of its own, which precedes [`Authenticated::prepare`].
    pub(super) async fn authenticate<E>(self) -> Result<Authenticated<E>, Stop>
    where
        E: Endpoint<By = B>,
    {
        let Self { app, received, request, endpoint, requires, .. } = self;
        let Identity { caller, key } = authenticate::<B>(&app, &received, endpoint.rules).await?;
        requires(&app)?;
        let request = request.into_inner();
        let call = Arc::new(Call { caller, request, address: received.address() });
        Ok(Authenticated { app, received, key, call })
    }

    /// Authenticates, and loads what preparation needs in the same read job; then waits for the caller's turn.
    pub(super) async fn load<E, L>(&self, load: Script<E, L>) -> Result<(L, Turn), Stop>
    where
        E: Endpoint<By = B>,
        L: Send + 'static,
    {
        let (request, requires) = (self.request::<E>().clone(), self.requires);
        // Before the slow work, whose refusals could quote a key.
        let suspects = self.request.suspects();
        let load = move |ctx: &mut Ctx<'_, '_>, caller: &B::Caller| {
            requires(ctx.app)?;
            suspects.refuse_live(ctx)?;
            load(ctx, caller, &request)
        };
        let (app, received) = (&self.app, &self.received);
        let (identity, loaded) =
            authenticate_and_load::<B, L>(app, received, self.endpoint.rules, load).await?;
        let turn = app.turns.take(identity.caller.principal()).await;
        Ok((loaded, turn))
    }

    /// Prepares with slow work that needs what [`Self::load`] found.
    pub(super) async fn prepare<L, P, F>(
        &self,
        prepare: fn(Arc<ServerApp>, L) -> F,
        loaded: L,
    ) -> Result<P, Stop>
    where
        F: Future<Output = Result<P>>,
    {
        Ok(prepare(Arc::clone(&self.app), loaded).await?)
    }

    /// Authenticates, then answers without a transaction.
    pub(super) async fn answer<E, F>(
        self,
        answer: fn(Arc<ServerApp>, E) -> F,
    ) -> Result<Reply, Stop>
    where
        E: Endpoint<By = B>,
        F: Future<Output = Result<E::Response>>,
    {
        authenticate::<B>(&self.app, &self.received, self.endpoint.rules).await?;
        (self.requires)(&self.app)?;
        let response = answer(self.app, self.request.into_inner()).await?;
        Ok(Answer::from(response).reply(E::STATUS)?)
    }

    /// Authenticates and runs the handler once per Idempotency-Key, in one transaction.
    pub(super) async fn transact(self, handler: ErasedHandler<B>) -> Result<Reply, Stop> {
        let Self { app, received, request, endpoint, requires, .. } = self;
        let suspects = request.suspects();
        let admission = app.large_writes.admit(received.bytes()).await;
        let job = move |ctx: &mut Ctx<'_, '_>| {
            let _admitted = &admission;
            let caller = received.authenticate::<B>(ctx, endpoint.rules)?;
            requires(ctx.app)?;
            let key = received.key(&caller)?;
            ctx.request_id = received.request_id();
            ctx.change_only(received.changed());
            let terms = Terms::of(&endpoint.declared, &caller, key.as_ref(), &suspects);
            let reply = once(ctx, &terms, &|ctx| handler.run(ctx, &caller, &request))?;
            Ok((reply, stale_session(&caller)))
        };
        let (reply, stale) = due::write(&app, job).await?;
        mark_seen(&app, stale);
        Ok(reply)
    }

    /// [`Self::transact`], then the answer from what the handler returned: for a stored answer too.
    pub(super) async fn transact_then<E, R, F>(
        self,
        script: Script<E, R>,
        after: fn(Arc<ServerApp>, R) -> F,
    ) -> Result<Reply, Stop>
    where
        E: Endpoint<By = B>,
        R: Serialize + DeserializeOwned + 'static,
        F: Future<Output = Result<E::Response>>,
    {
        let app = Arc::clone(&self.app);
        let handler = ErasedHandler::replying(move |ctx, caller, request: &E| {
            Answer::from(script(ctx, caller, request)?).reply(E::STATUS)
        });
        let reply = self.transact(handler).await?;
        let begun = serde_json::from_slice(&reply.body).map_err(Error::internal)?;
        let response = after(app, begun).await?;
        let body = serde_json::to_vec(&response).map_err(Error::internal)?;
        Ok(Reply { body, ..reply })
    }
}

impl<E> Authenticated<E>
where
    E: Endpoint,
    E::By: Credential,
{
    /// Refuses live keys in texts, then does slow work in the caller's turn.
    pub(super) async fn prepare<P, F>(
        &self,
        prepare: fn(Arc<ServerApp>, Arc<Call<E>>) -> F,
    ) -> Result<P, Stop>
    where
        F: Future<Output = Result<P>>,
    {
        let suspects = suspects(&self.call.request);
        if !suspects.is_empty() {
            self.app.read(move |ctx| suspects.refuse_live(ctx)).await?;
        }
        let _turn = self.app.turns.take(self.call.caller.principal()).await;
        match prepare(Arc::clone(&self.app), Arc::clone(&self.call)).await {
            Ok(prepared) => Ok(prepared),
            // A concurrent request with the same key may have taken effect and be the reason for
            // the refusal. Its answer is the right one.
            Err(refusal) => Err(match self.replay().await? {
                Some(reply) => Stop::Replay(reply),
                None => Stop::Refuse(refusal),
            }),
        }
    }

    /// Runs the handler once per Idempotency-Key, in one transaction. The credential is not
    /// checked a second time.
    pub(super) async fn transact(
        self,
        handler: impl Fn(&mut Ctx<'_, '_>, &CallerOf<E>, &E) -> Result<Answer<E::Response>>
        + Send
        + Sync
        + 'static,
    ) -> Result<Reply, Stop> {
        let Self { app, received, key, call } = self;
        // `prepare` has refused them already.
        let suspects = Suspects::default();
        let admission = app.large_writes.admit(received.bytes()).await;
        let job = move |ctx: &mut Ctx<'_, '_>| {
            let _admitted = &admission;
            ctx.come_from(received.address());
            ctx.request_bytes = received.bytes();
            let declared = &ErasedEndpoint::of::<E>().declared;
            let terms = Terms::of(declared, &call.caller, key.as_ref(), &suspects);
            once(ctx, &terms, &|ctx| handler(ctx, &call.caller, &call.request)?.reply(E::STATUS))
        };
        Ok(due::write(&app, job).await?)
    }

    /// The stored answer of the Idempotency-Key, if there is one by now.
    async fn replay(&self) -> Result<Option<Reply>> {
        let Some(key) = self.key.clone() else { return Ok(None) };
        let job = move |ctx: &mut Ctx<'_, '_>| {
            let stored = idempotency::stored(ctx, &key)?;
            stored.map(|stored| stored.replay(ctx, &key)).transpose()
        };
        self.app.read(job).await
    }
}

/// What applies to a request before its handler runs.
struct Terms<'a> {
    account: Option<&'a Account>,
    key: Option<&'a Key>,
    suspects: &'a Suspects,
    cost: Cost,
    is_secret: bool,
}

impl<'a> Terms<'a> {
    fn of(
        declared: &Declaration,
        caller: &'a impl Caller,
        key: Option<&'a Key>,
        suspects: &'a Suspects,
    ) -> Self {
        let account = caller.account();
        Self { account, key, suspects, cost: declared.cost, is_secret: declared.secret }
    }
}

/// Charges the caller and runs the handler, once per Idempotency-Key.
fn once(
    ctx: &mut Ctx<'_, '_>,
    terms: &Terms<'_>,
    handler: &dyn Fn(&mut Ctx<'_, '_>) -> Result<Reply>,
) -> Result<Reply> {
    let reply = idempotency::once(ctx, terms.key, terms.is_secret, &|ctx| {
        terms.suspects.refuse_live(ctx)?;
        budget::pay_for(ctx, terms.account, terms.cost)?;
        handler(ctx)
    })?;
    Ok(reply.spending(&ctx.spent))
}
