//! Sellers with credits that can be paid out.

use svc_client::types::api::credits::TransferKind;
use svc_client::types::{PayoutId, UserId};
use svc_core::app::Ctx;
use svc_core::identity::credentials::account_of_key;
use svc_core::services::billing::payout;
use svc_core::services::ledger::{self, Cause, Holder};
use svc_store::{sql, values};

use crate::app::{Member, TestApp};

/// Gives an account credits that it seems to have earned long ago.
pub(crate) async fn earn(app: &TestApp, seller: &UserId, credits: i64) {
    let seller = seller.clone();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let (kind, micros) = (TransferKind::Returned, credits * 1_000_000);
        let reference: PayoutId = ctx.id();
        let cause = Cause { kind, reference: reference.as_str(), reason: None, actor: None };
        let entries = [(Holder::Sold, -micros), (Holder::Seller(&seller), micros)];
        ledger::post(ctx, &cause, &entries).map(|_| ())
    };
    app.server.app().write(job).await.unwrap();
}

/// Notes that the e-mail address of an account is its own.
pub(crate) async fn verify(app: &TestApp, person: &UserId) {
    let id = person.clone();
    let sql = sql!("update account set email_verified_at = 1 where id = $1");
    app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
}

/// Verifies a person, and connects an account that nobody knows at the provider.
pub(crate) async fn connect(app: &TestApp, person: &UserId) {
    verify(app, person).await;
    let id = person.clone();
    let sql = sql!(
        "insert into payout_account (id, person, country, provider_id, is_enabled, created_at)
         values ('poa_' || $1, $1, 'DE', 'acct_' || $1, true, 0)"
    );
    app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
}

/// A payout of 100 credits that waits for approval; the account is a person.
pub(crate) async fn requested(app: &TestApp, person: &Member) -> PayoutId {
    connect(app, &person.user.id).await;
    earn(app, &person.user.id, 100).await;
    let key = person.key.expose().to_owned();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let person = account_of_key(ctx, &key)?;
        Ok(payout::request(ctx, &person, 100.into(), None)?.id)
    };
    app.server.app().write(job).await.unwrap()
}
