//! One transfer for each payout, whatever goes wrong.

use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::payouts::{CancelPayout, DenyPayout, PayoutStatus, RequestPayout};
use svc_core::services::billing::queue::{self, Kind};
use svc_fake_stripe::Fault;
use svc_server::billing;
use svc_server::testing::{Engine, TestServer};

use super::{
    PASSWORD, PAUSE, admin, ask, available, books, fill_in, round, sendable, shown, status,
};
use crate::app::{TestApp, code, database};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payout::{earn, verify};
use crate::stripe::{PAYING_OUT, another_node};

on_both_engines! {
    async fn one_transfer_is_made_whatever_goes_wrong(
        app: TestApp, ..PAYING_OUT, "payouts.review" = "false"
    ) {
        let (owner, first) = sendable(&app).await;
        round(&app).await;
        assert_eq!(status(&owner, &first).await, PayoutStatus::Sent);
        for (number, fault) in faults().enumerate() {
            app.stripe().fail_next("POST", "/v1/transfers", fault);
            let id = ask(&owner, 100).await;
            round(&app).await;
            app.advance(PAUSE);
            round(&app).await;
            assert_eq!(status(&owner, &id).await, PayoutStatus::Sent, "{fault:?}");
            assert_eq!(app.stripe().objects("transfer").len(), number + 2, "{fault:?}");
        }
        // A day later the key is forgotten, and the transfer is found.
        app.stripe().fail_next("POST", "/v1/transfers", Fault::LosesAnswer);
        ask(&owner, 100).await;
        round(&app).await;
        app.advance(25 * 3_600);
        round(&app).await;
        let made = app.stripe().objects("transfer").len();
        assert_eq!(made, faults().count() + 2);
        assert_eq!(books(&app).await[0], 100 * i64::try_from(made).unwrap());
        is_consistent(&app).await;
    }

    async fn what_was_sent_before_a_backup_was_restored_is_not_sent_again(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, id) = sendable(&app).await;
        // The backup is from before the approval, and older than what Stripe keeps of keys.
        let account = app.stripe().objects("account").pop().unwrap();
        let mut metadata = account["metadata"].clone();
        metadata["svc"] = json!(id.as_str());
        let sent = app.stripe().transfer(account["id"].as_str().unwrap(), 100, &metadata);
        app.stripe().change(&sent, |it| it["transfer_group"] = json!(id.as_str()));
        app.stripe().deliveries();
        app.advance(25 * 3_600);
        admin(&app).await.client.payouts().approve(&id).await.unwrap();
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Sent);
        assert_eq!(app.stripe().objects("transfer").len(), 1);
        is_consistent(&app).await;
    }

    async fn a_payout_waits_until_there_is_money_and_returns_where_it_is_refused(
        app: TestApp, ..PAYING_OUT, "payouts.review" = "false"
    ) {
        let owner = app.person("owner", PASSWORD).await;
        verify(&app, &owner.user.id).await;
        let account = fill_in(&app, &owner).await;
        earn(&app, &owner.user.id, 1_000).await;
        app.stripe().set_short(true);
        let id = ask(&owner, 100).await;
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Sending);
        let refused = owner.client.payouts().cancel(&id).await;
        assert_eq!(code::<CancelPayout>(refused), Code::WrongState);
        let refused = admin(&app).await.client.payouts().deny(&id, "too late").await;
        assert_eq!(code::<DenyPayout>(refused), Code::WrongState);
        app.stripe().set_short(false);
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Sent);
        app.stripe().change(&account, |it| it["capabilities"]["transfers"] = json!("inactive"));
        let id = ask(&owner, 100).await;
        round(&app).await;
        let returned = shown(&owner, &id).await;
        let reason = Some("the provider refuses to send it");
        assert_eq!((returned.status, returned.reason.as_deref()), (PayoutStatus::Returned, reason));
        assert_eq!(available(&owner).await, "900");
        // Once the server knows that Stripe pays nothing to the account, it accepts no request.
        let named = account.clone();
        app.server.app().write(move |ctx| queue::raise(ctx, Kind::Account, &named)).await.unwrap();
        round(&app).await;
        assert!(!owner.client.payouts().account().await.unwrap().account.enabled);
        let refused = owner.client.payouts().request(100).await;
        assert_eq!(code::<RequestPayout>(refused), Code::WrongState);
        is_consistent(&app).await;
    }
}

fn faults() -> impl Iterator<Item = Fault> {
    use Fault::{FailsAfter, FailsBefore, KeyInUse, LimitsRate, LosesAnswer, LosesCall};
    [FailsBefore, FailsAfter, LosesCall, LosesAnswer, LimitsRate, KeyInUse].into_iter()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_send_a_payout_once() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [PAYING_OUT, &[("payouts.review", "false")]].concat();
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let other = another_node(&app, &database, &settings).await;
    let (owner, id) = sendable(&app).await;
    let node = async |server: &TestServer| {
        for _ in 0..10 {
            billing::once(server.app()).await.unwrap();
        }
    };
    tokio::join!(node(&app.server), node(&other));
    assert_eq!(status(&owner, &id).await, PayoutStatus::Sent);
    assert_eq!(app.stripe().objects("transfer").len(), 1);
    is_consistent(&app).await;
    other.stop().await;
    drop(app);
    Engine::Postgres.remove(database);
}
