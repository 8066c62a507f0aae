//! Persons and their accounts at Stripe.

use svc_client::types::Code;
use svc_client::types::api::payouts::{ConnectPayouts, PayoutStatus};
use svc_core::services::billing::queue::{self, Kind};
use svc_store::sql;

use super::{DAY, PASSWORD, admin, available, fill_in, hinted, round, seller, sendable, status};
use crate::app::{all_items, code};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::owners::own;
use crate::payments::events::told;
use crate::payout::{earn, verify};
use crate::stripe::{PAYING_OUT, newest};

on_both_engines! {
    async fn a_payout_stays_with_its_person_when_the_agent_leaves(app: TestApp, ..PAYING_OUT) {
        let (owner, bot) = seller(&app).await;
        fill_in(&app, &owner).await;
        earn(&app, &bot.user.id, 1_000).await;
        let asked = owner.client.payouts().request(100).from("bot").await.unwrap();
        let id = asked.payout.payout_id;
        owner.client.agents().release("bot").await.unwrap();
        let eve = app.person("eve", PASSWORD).await;
        own(&eve, &bot).await;
        admin(&app).await.client.payouts().deny(&id, "not now").await.unwrap();
        assert_eq!(status(&owner, &id).await, PayoutStatus::Denied);
        assert_eq!(told(&owner).await, ["payout denied"]);
        assert_eq!(told(&eve).await, [""; 0], "she asked for nothing");
        assert!(all_items(eve.client.payouts().list()).await.is_empty());
        assert_eq!(available(&bot).await, "1000");
        is_consistent(&app).await;
    }

    async fn a_country_that_the_provider_refuses_can_be_replaced(
        app: TestApp, "billing.stripe.key_file" = "its own",
        "payouts.enabled" = "true", "payouts.rate" = "0.01"
    ) {
        let owner = app.person("owner", PASSWORD).await;
        verify(&app, &owner.user.id).await;
        let refused = owner.client.payouts().connect("XX").await;
        assert_eq!(code::<ConnectPayouts>(refused), Code::ProviderUnavailable);
        fill_in(&app, &owner).await;
        let (why, hint) = hinted::<ConnectPayouts>(owner.client.payouts().connect("FR").await);
        assert_eq!((why, &*hint), (Code::WrongState, "DE"));
        assert_eq!(app.stripe().objects("account").len(), 1);
    }

    async fn an_account_at_the_provider_is_forgotten_with_its_person(
        app: TestApp, ..PAYING_OUT, "payouts.review" = "false"
    ) {
        let (owner, id) = sendable(&app).await;
        round(&app).await;
        assert_eq!(status(&owner, &id).await, PayoutStatus::Sent);
        let paid = newest(&app, "account");
        let eve = app.person("eve", PASSWORD).await;
        verify(&app, &eve.user.id).await;
        fill_in(&app, &eve).await;
        for (name, person) in [("owner", &owner), ("eve", &eve)] {
            person.client.users().delete_me(name).await.unwrap();
        }
        app.advance(15 * DAY);
        app.server.erase().await;
        let kept = sql!("select count(*) from payout_account");
        assert_eq!(app.count(kept).await, 1, "a payout refers to it");
        let told = sql!(
            "select count(*) from payout_account where country <> '' or provider_id is not null"
        );
        assert_eq!(app.count(told).await, 0);
        app.server.app().write(move |ctx| queue::raise(ctx, Kind::Account, &paid)).await.unwrap();
        round(&app).await;
        assert_eq!(app.count(told).await, 0, "also when the provider changes it");
        is_consistent(&app).await;
    }
}
