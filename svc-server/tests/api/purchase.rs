//! Purchases whose provider is made up: the facts that its worker would find.

use svc_client::types::{Credits, PaymentId};
use svc_core::app::Ctx;
use svc_core::identity::credentials::account_of_key;
use svc_core::services::billing::facts::{Session, SessionState};
use svc_core::services::billing::payment;
use svc_store::error::Result;

use crate::app::{Member, TestApp};

/// How often each fact is applied: webhooks come more than once.
const REPEATS: usize = 3;

/// Runs a job of the worker as often as a webhook may come.
pub(crate) async fn repeated<F>(app: &TestApp, job: F) -> Result<()>
where
    F: Fn(&mut Ctx<'_, '_>) -> Result<()> + Clone + Send + 'static,
{
    for _ in 0..REPEATS {
        app.server.app().write(job.clone()).await?;
    }
    Ok(())
}

/// Begins a purchase.
pub(crate) async fn begin(app: &TestApp, buyer: &Member, credits: u32) -> Result<PaymentId> {
    let key = buyer.key.expose().to_owned();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let buyer = account_of_key(ctx, &key)?;
        Ok(payment::begin(ctx, &buyer, Credits::from(credits), false)?.id)
    };
    app.server.app().write(job).await
}

/// The page of a payment of this many cents, in this state.
pub(crate) fn session(id: &PaymentId, cents: i64, state: SessionState) -> Session {
    Session {
        id: format!("cs_{id}"),
        state,
        url: Some("https://pay.example.org/cs".to_owned()),
        currency: "usd".to_owned(),
        subtotal: cents,
        tax: 0,
        total: cents,
        intent: Some(format!("pi_{id}")),
        receipt_url: None,
    }
}

/// Applies a page.
pub(crate) async fn apply(app: &TestApp, id: &PaymentId, session: Session) {
    let id = id.clone();
    repeated(app, move |ctx| payment::apply(ctx, &id, &session)).await.unwrap();
}

/// Buys credits at a cent each.
pub(crate) async fn buy(app: &TestApp, buyer: &Member, credits: u32) -> PaymentId {
    let id = begin(app, buyer, credits).await.unwrap();
    apply(app, &id, session(&id, credits.into(), SessionState::Unpaid)).await;
    apply(app, &id, session(&id, credits.into(), SessionState::Paid)).await;
    id
}
