//! What can be paid out, and to whom.

use svc_client::types::Code;
use svc_client::types::api::payouts::{
    ConnectPayouts, GetBillingStatus, GetPayoutAccount, RequestPayout,
};
use svc_client::types::service_message::ResponseStatus;
use svc_store::{sql, values};

use super::{DAY, PASSWORD, admin, available, earnings, hinted, owes, pay, redeemable, seller};
use crate::app::{all_items, code};
use crate::market::{is_consistent, offer, order, response, work};
use crate::on_both_engines;
use crate::payout::{connect, earn, verify};
use crate::purchase::buy;
use crate::stripe::PAYING_OUT;

on_both_engines! {
    async fn where_nothing_is_paid_out_only_old_payouts_are_shown(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let payouts = ada.client.payouts();
        assert!(all_items(payouts.list()).await.is_empty());
        let off = Code::FeatureNotConfigured;
        assert_eq!(code::<GetPayoutAccount>(payouts.account().await), off);
        assert_eq!(code::<ConnectPayouts>(payouts.connect("DE").await), off);
        assert_eq!(code::<RequestPayout>(payouts.request(100).await), off);
        let admin = admin(&app).await;
        let refused = admin.client.moderation().billing().await;
        assert_eq!(code::<GetBillingStatus>(refused), off);
    }

    async fn granted_credits_are_never_paid_out_and_bought_ones_after_the_hold(
        app: TestApp, ..PAYING_OUT
    ) {
        let (owner, bot) = seller(&app).await;
        let [granted, buyer] = app.agents(["granted", "buyer"]).await;
        app.grant_credits("granted", 500).await;
        pay(&granted, &bot, 500).await;
        assert_eq!((available(&bot).await, redeemable(&owner).await), ("500".into(), "0".into()));
        buy(&app, &buyer, 500).await;
        pay(&buyer, &bot, 400).await;
        let found = earnings(&owner).await;
        assert_eq!(
            [found.earned, found.held, found.reserve, found.redeemable].map(|it| it.to_string()),
            ["400", "400", "40", "0"]
        );
        let all = owner.client.payouts().account().await.unwrap().account.earnings;
        let all: Vec<_> = all.iter().map(|one| (&*one.username, one.earned.to_string())).collect();
        assert_eq!(all, [("owner", "0".to_owned()), ("bot", "400".to_owned())]);
        app.advance(14 * DAY);
        assert_eq!(redeemable(&owner).await, "0", "the day of the sale is held whole");
        app.advance(DAY);
        assert_eq!(redeemable(&owner).await, "360");
        // After 90 days no reserve is left; it counts whole days, too.
        app.advance(75 * DAY);
        assert_eq!(redeemable(&owner).await, "360");
        app.advance(DAY);
        assert_eq!(redeemable(&owner).await, "400");
        is_consistent(&app).await;
    }

    async fn what_a_seller_gets_of_a_split_is_earned(
        app: TestApp, ..PAYING_OUT, "payouts.reserve" = "0"
    ) {
        let (owner, bot) = seller(&app).await;
        let buyer = app.agent("buyer").await;
        buy(&app, &buyer, 500).await;
        let service = offer(&bot, "work", 5).await;
        let escrow = buyer.client.escrow();
        let opened = escrow.create("bot", &service, 500, "a report on rust").await.unwrap().escrow;
        bot.client.escrow().deliver(&opened.id, work()).await.unwrap();
        let offered = bot.client.escrow().offer_split(&opened.id, 200).await.unwrap().escrow;
        let version = u32::try_from(offered.split.unwrap().offer_version).unwrap();
        escrow.accept_split(&opened.id, version).await.unwrap();
        assert_eq!(earnings(&owner).await.earned.to_string(), "200");
        app.advance(15 * DAY);
        assert_eq!(redeemable(&owner).await, "200");
        is_consistent(&app).await;
    }

    async fn bought_credits_are_not_paid_out_whatever_the_order(app: TestApp, ..PAYING_OUT) {
        let owner = app.person("owner", PASSWORD).await;
        connect(&app, &owner.user.id).await;
        let bot = app.agent("bot").await;
        buy(&app, &owner, 500).await;
        assert_eq!(redeemable(&owner).await, "0");
        let (why, hint) = hinted::<RequestPayout>(owner.client.payouts().request(100).await);
        assert_eq!((why, &*hint), (Code::NotRedeemable, "0"));
        // What was bought is spent first, and then what was earned.
        earn(&app, &owner.user.id, 300).await;
        pay(&owner, &bot, 500).await;
        assert_eq!(redeemable(&owner).await, "300");
        pay(&owner, &bot, 200).await;
        assert_eq!(redeemable(&owner).await, "100");
        buy(&app, &owner, 500).await;
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("600".into(), "100".into()));
        owner.client.payouts().request(100).await.unwrap();
        let (why, hint) = hinted::<RequestPayout>(owner.client.payouts().request(50).await);
        assert_eq!((why, &*hint), (Code::NotRedeemable, "0"));
        assert_eq!(available(&owner).await, "500");
        is_consistent(&app).await;
    }

    async fn what_was_earned_stays_earned_when_a_deal_gives_it_back(app: TestApp, ..PAYING_OUT) {
        let owner = app.person("owner", PASSWORD).await;
        connect(&app, &owner.user.id).await;
        let bot = app.agent("bot").await;
        let service = offer(&bot, "work", 5).await;
        buy(&app, &owner, 500).await;
        earn(&app, &owner.user.id, 300).await;
        let escrow = owner.client.escrow();
        let opened = escrow.create("bot", &service, 700, "a report on rust").await.unwrap().escrow;
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("100".into(), "100".into()));
        escrow.cancel(&opened.id).await.unwrap();
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("800".into(), "300".into()));
        // The provider gets what was bought first, and the rest returns as it was.
        let messages = owner.client.messages();
        let sent = messages.request_service("bot", order(&service, 700)).await.unwrap();
        assert_eq!(redeemable(&owner).await, "100");
        let mut done = response(&sent.message.message_id, ResponseStatus::Completed);
        done.charged_credits = Some(600.into());
        bot.client.messages().respond_to("owner", done).await.unwrap();
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("200".into(), "200".into()));
        // What nobody earned does not become earned by that.
        let opened = escrow.create("bot", &service, 150, "a report on rust").await.unwrap().escrow;
        app.grant_credits("owner", 500).await;
        escrow.cancel(&opened.id).await.unwrap();
        assert_eq!((available(&owner).await, redeemable(&owner).await), ("700".into(), "200".into()));
        is_consistent(&app).await;
    }

    async fn only_verified_people_without_debts_get_payouts(app: TestApp, ..PAYING_OUT) {
        let (owner, bot) = seller(&app).await;
        connect(&app, &app.person("eve", PASSWORD).await.user.id).await;
        connect(&app, &owner.user.id).await;
        earn(&app, &bot.user.id, 500).await;
        assert_eq!(code::<RequestPayout>(bot.client.payouts().request(100).await), Code::NotAPerson);
        assert_eq!(code::<GetPayoutAccount>(bot.client.payouts().account().await), Code::NotAPerson);
        let few = owner.client.payouts().request(49).from("bot").await;
        assert_eq!(code::<RequestPayout>(few), Code::ValidationFailed);
        let other = app.agent("other").await;
        let foreign = owner.client.payouts().request(100).from(&other.user.username).await;
        assert_eq!(code::<RequestPayout>(foreign), Code::Forbidden);
        let unverified = app.person("new", PASSWORD).await;
        let refused = unverified.client.payouts().connect("DE").await;
        let (why, hint) = hinted::<ConnectPayouts>(refused);
        assert_eq!((why, &*hint), (Code::WrongState, "no_verified_email"));
        // Nor is one who was verified when the account was connected.
        let (lost, sql) = (owner.user.id.clone(), sql!(
            "update account set email_verified_at = null where id = $1"));
        app.execute(move |ctx| ctx.tx.execute(sql, values![lost])).await;
        let refused = owner.client.payouts().request(100).from("bot").await;
        let (why, hint) = hinted::<RequestPayout>(refused);
        assert_eq!((why, &*hint), (Code::WrongState, "no_verified_email"));
        verify(&app, &owner.user.id).await;
        // The owner owes credits after a dispute.
        owes(&app, &owner, 5).await;
        let refused = owner.client.payouts().request(100).from("bot").await;
        let (why, hint) = hinted::<RequestPayout>(refused);
        assert_eq!((why, &*hint), (Code::DebtOpen, "5"));
        // Then its agent does, and more than the 500 that it has.
        let (debtor, sql) = (bot.user.id.clone(), sql!(
            "update ledger_account set id = 'debt:' || $1, balance = -600000000
             where kind = 'debt' and balance < 0"));
        app.execute(move |ctx| ctx.tx.execute(sql, values![debtor])).await;
        let refused = owner.client.payouts().request(100).from("bot").await;
        assert_eq!(hinted::<RequestPayout>(refused), (Code::DebtOpen, "100".to_owned()));
        assert_eq!(app.count(sql!("select count(*) from payout")).await, 0);
    }
}
