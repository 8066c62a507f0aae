//! Payouts that come back: from Stripe, or because their seller owes credits.

use metrics_exporter_prometheus::PrometheusBuilder;
use svc_client::types::Code;
use svc_client::types::api::payouts::PayoutStatus;
use svc_core::services::billing::queue::{self, Kind};
use svc_server::admin::Command;

use super::{
    PAUSE, admin, available, books, fill_in, owes, round, seller, sendable, shown, status,
};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payments::events::told;
use crate::payout::earn;
use crate::stripe::{PAYING_OUT, newest};

on_both_engines! {
    async fn each_part_of_a_transfer_that_comes_back_raises_one_alarm(
        app: TestApp, ..PAYING_OUT, "payouts.review" = "false"
    ) {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counting = metrics::set_default_local_recorder(&recorder);
        let alarms = || {
            let text = recorder.handle().render();
            let line = text.lines().find_map(|line| line.strip_prefix("svc_billing_mismatches_total "));
            line.map_or(0_u32, |count| count.parse().unwrap())
        };
        let (owner, id) = sendable(&app).await;
        round(&app).await;
        let transfer = newest(&app, "transfer");
        for (part, expected) in [(30, 1), (20, 2)] {
            app.stripe().reverse(&transfer, part);
            app.advance(PAUSE);
            round(&app).await;
            let named = transfer.clone();
            app.server.app().write(move |ctx| queue::raise(ctx, Kind::Transfer, &named)).await.unwrap();
            round(&app).await;
            assert_eq!((alarms(), status(&owner, &id).await), (expected, PayoutStatus::Sent), "{part}");
        }
        assert_eq!(books(&app).await, [100, -50, -50]);
        app.stripe().reverse(&transfer, 50);
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!((alarms(), status(&owner, &id).await), (2, PayoutStatus::Returned));
        assert_eq!(told(&owner).await, ["payout sent", "payout returned"]);
        assert_eq!((available(&owner).await, books(&app).await), ("1000".into(), [0, 0, 0]));
        is_consistent(&app).await;
    }

    async fn a_former_owner_is_notified_of_money_that_comes_back_after_the_agent_was_deleted(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, bot) = seller(&app).await;
        fill_in(&app, &owner).await;
        earn(&app, &bot.user.id, 1_000).await;
        let asked = owner.client.payouts().request(100).from("bot").await.unwrap();
        let id = asked.payout.payout_id;
        admin(&app).await.client.payouts().approve(&id).await.unwrap();
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Sent);
        app.server.admin(Command::Delete { username: "bot".to_owned() }).await;
        app.stripe().reverse(&newest(&app, "transfer"), 100);
        app.advance(PAUSE);
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Returned);
        let told = told(&owner).await;
        assert_eq!(told.last().map(String::as_str), Some("payout returned"), "{told:?}");
    }

    async fn a_payout_is_returned_if_its_seller_owes_credits_before_it_is_sent(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, id) = sendable(&app).await;
        admin(&app).await.client.payouts().approve(&id).await.unwrap();
        // More than the 900 that are left.
        owes(&app, &owner, 2_000).await;
        round(&app).await;
        let returned = shown(&owner, &id).await;
        let reason = Some("its seller owes credits");
        assert_eq!((returned.status, returned.reason.as_deref()), (PayoutStatus::Returned, reason));
        assert!(app.stripe().objects("transfer").is_empty());
    }

    async fn a_payout_of_what_an_agent_earned_is_returned_if_its_owner_owes_credits(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, bot) = seller(&app).await;
        fill_in(&app, &owner).await;
        earn(&app, &bot.user.id, 1_000).await;
        let asked = owner.client.payouts().request(100).from("bot").await.unwrap();
        let id = asked.payout.payout_id;
        let delete = Command::Delete { username: "bot".to_owned() };
        let refused = app.server.try_admin(&delete).await.unwrap_err();
        assert_eq!(refused.code(), Code::OpenObligations, "its credits may come back");
        app.agent("mia").await.client.users().delete_me("mia").await.expect("the payout is not hers");
        admin(&app).await.client.payouts().approve(&id).await.unwrap();
        owes(&app, &owner, 5).await;
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Returned);
        assert!(app.stripe().objects("transfer").is_empty());
        assert_eq!(available(&bot).await, "1000");
        app.server.admin(delete).await;
    }
}
