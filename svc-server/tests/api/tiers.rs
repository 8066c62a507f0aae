//! Tiers by money: passes, subscriptions with their seats, and the operator's word. A stand-in plays
//! Stripe.

mod ends;
mod months;
mod pages;
mod seats;

use svc_client::types::Code;
use svc_client::types::api::credits::TransferKind;
use svc_client::types::api::tiers::{
    BuyPass, Subscribe, Subscription, SubscriptionStatus, TierState,
};
use svc_client::types::api::users::{Tier, TierSetting};
use svc_core::due;
use svc_core::services::ledger::money::Money;
use svc_fake_stripe::Fault;
use svc_store::sql;

use crate::app::{Member, TestApp, code};
use crate::billing::broken_by;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::owners::own;
use crate::payments::{self, balances};
use crate::purchase::buy;
use crate::stripe::newest;

pub(crate) const PASSWORD: &str = "correct horse";
const DAY: u64 = 86_400;

/// The tier of an account, as it is stored.
pub(crate) async fn tier(member: &Member) -> Tier {
    member.client.users().me().await.unwrap().user.tier
}

async fn state(member: &Member) -> TierState {
    member.client.tiers().get().await.unwrap().tier
}

async fn subscription(member: &Member) -> Subscription {
    state(member).await.subscription.expect("it has a subscription")
}

/// Moves the clocks, and does what is due.
pub(crate) async fn pass_days(app: &TestApp, days: u64) {
    app.advance(days * DAY);
    tell(app).await;
}

/// Sends the webhooks of all that happened at Stripe, and works on what they name and on what is due.
async fn tell(app: &TestApp) {
    payments::tell(app, app.stripe().deliveries()).await;
    due::sweep(app.server.app()).await.unwrap();
}

/// Subscribes and pays; what Stripe calls the subscription.
pub(crate) async fn subscribed(app: &TestApp, person: &Member, seats: &[&str]) -> String {
    let asked = person.client.tiers().subscribe(seats.iter().copied()).await.unwrap();
    assert!(asked.url.unwrap().starts_with("https://checkout.stripe.com/"));
    let id = app.stripe().subscribe(&newest(app, "checkout.session"));
    tell(app).await;
    id
}

/// Balances of money: receivable, sold seats, tax, cash and fees.
async fn books(app: &TestApp) -> [i64; 5] {
    let accounts =
        [Money::Receivable, Money::Subscriptions, Money::Tax, Money::Cash, Money::ProviderFee];
    balances(app, accounts).await
}

fn names(subscription: &Subscription) -> Vec<&str> {
    subscription.seats.iter().map(|seat| &*seat.username).collect()
}

on_both_engines! {
    async fn the_operators_word_counts_until_it_is_given_back(app: TestApp) {
        let ada = app.agent("ada").await;
        let boss = app.agent("boss").await;
        app.grant_role("boss", "admin").await;
        app.set_tier("ada", "pro").await;
        assert_eq!((tier(&ada).await, state(&ada).await.by_operator), (Tier::Pro, true));
        app.set_tier("ada", "auto").await;
        assert_eq!((tier(&ada).await, state(&ada).await.by_operator), (Tier::Free, false));
        let set = |setting: TierSetting| boss.client.moderation().update_user("ada").tier(setting);
        assert_eq!(set(TierSetting::Boost).await.unwrap().user.tier, Tier::Boost);
        assert_eq!(set(TierSetting::Auto).await.unwrap().user.tier, Tier::Free);
        is_consistent(&app).await;
    }

    async fn a_pass_gives_its_tier_for_30_days_and_another_one_extends_it(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "passes.boost" = "40", "passes.pro" = "60.5",
        "exchange.signup_grant" = "200"
    ) {
        let bot = app.agent("bot").await;
        let first = bot.client.tiers().buy_pass(Tier::Boost).await.unwrap().pass;
        let second = bot.client.tiers().buy_pass(Tier::Boost).await.unwrap().pass;
        assert_eq!((second.from, first.credits), (first.until, 40.into()));
        assert_eq!(tier(&bot).await, Tier::Boost);
        let pro = bot.client.tiers().buy_pass(Tier::Pro).await.unwrap().pass;
        assert_eq!((tier(&bot).await, state(&bot).await.until), (Tier::Pro, Some(pro.until)));
        let refused = bot.client.tiers().buy_pass(Tier::Pro).await;
        assert_eq!(code::<BuyPass>(refused), Code::InsufficientCredits);
        assert_eq!(bot.client.credits().balance().await.unwrap().credits.available.to_string(), "59.5");
        assert_eq!(app.count(sql!("select balance from ledger_account where id = 'fee'")).await, 140_500_000);
        let paid = bot.client.credits().transactions().kind(TransferKind::Pass).await.unwrap().transactions;
        let tiers: Vec<_> = paid.iter().map(|moved| moved.reason.as_deref()).collect();
        assert_eq!(tiers, [Some("pro"), Some("boost"), Some("boost")], "the ledger says what was bought");
        is_consistent(&app).await;
        // A pass of another account begins now, and not where one of these ends.
        let other = app.agent("other").await;
        let own = other.client.tiers().buy_pass(Tier::Boost).await.unwrap().pass;
        assert_eq!((own.from, state(&other).await.passes), (first.from, vec![own]));
        pass_days(&app, 30).await;
        assert_eq!(tier(&bot).await, Tier::Boost);
        assert_eq!(state(&bot).await.passes, [second]);
        is_consistent(&app).await;
        pass_days(&app, 30).await;
        assert_eq!((tier(&bot).await, state(&bot).await.until), (Tier::Free, None));
        is_consistent(&app).await;
        // One that is bought later begins then, and not where the former ended.
        pass_days(&app, 1).await;
        let third = bot.client.tiers().buy_pass(Tier::Boost).await.unwrap().pass;
        assert_eq!((third.from, tier(&bot).await), (app.server.app().clock.now(), Tier::Boost));
    }

    async fn a_pass_is_sold_where_it_has_a_price_and_to_those_who_owe_nothing(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "passes.boost" = "40"
    ) {
        let bot = app.agent("bot").await;
        let tiers = bot.client.tiers();
        assert_eq!(code::<BuyPass>(tiers.buy_pass(Tier::Free).await), Code::ValidationFailed);
        assert_eq!(code::<BuyPass>(tiers.buy_pass(Tier::Pro).await), Code::FeatureNotConfigured);
        let prices = state(&bot).await.prices.unwrap();
        assert_eq!((prices.pro, prices.boost_pass, prices.pro_pass), (999, Some(40.into()), None));
        buy(&app, &bot, 500).await;
        app.execute(|ctx| ctx.tx.execute(
            sql!("insert into ledger_account (id, kind, balance, entries, backed, backed_moved)
                  select 'debt:' || substr(id, 6), 'debt', -900000000, 1, 0, 0
                  from ledger_account where kind = 'user' and balance >= 500000000"), &[])).await;
        assert_eq!(code::<BuyPass>(tiers.buy_pass(Tier::Boost).await), Code::DebtOpen);
        assert_eq!(tier(&bot).await, Tier::Free);
    }

    async fn what_stripe_does_not_answer_is_done_once_when_it_does(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let bot = app.agent("bot").await;
        own(&ann, &bot).await;
        app.stripe().set_down(true);
        let refused = ann.client.tiers().subscribe(["ann"]).await;
        assert_eq!(code::<Subscribe>(refused), Code::ProviderUnavailable);
        app.stripe().set_down(false);
        app.advance(3_700);
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        tell(&app).await;
        assert_eq!(subscription(&ann).await.status, SubscriptionStatus::Open);
        subscribed(&app, &ann, &["ann"]).await;
        for fault in [Fault::LosesAnswer, Fault::FailsAfter] {
            let seats: &[&str] = if fault == Fault::LosesAnswer { &["ann", "bot"] } else { &["ann"] };
            app.stripe().fail_next("POST", "/v1/subscriptions", fault);
            let lost = ann.client.tiers().subscribe(seats.iter().copied()).await;
            assert_eq!(code::<Subscribe>(lost), Code::ProviderUnavailable);
            app.advance(60);
            tell(&app).await;
            assert_eq!(names(&subscription(&ann).await), seats);
        }
        // A day later nobody waits for a further seat any more, and it is not charged.
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        app.stripe().set_down(true);
        let lost = ann.client.tiers().subscribe(["ann", "bot"]).await;
        assert_eq!(code::<Subscribe>(lost), Code::ProviderUnavailable);
        let second = ann.client.tiers().cancel().await.unwrap_err();
        assert_eq!(
            (second.code(), second.hint()), (Some(&Code::WrongState), Some("try again in a minute")),
            "one change at a time"
        );
        app.advance(DAY);
        app.stripe().set_down(false);
        app.advance(3_700);
        tell(&app).await;
        assert_eq!(names(&subscription(&ann).await), ["ann"]);
        assert_eq!(app.stripe().objects("invoice").len(), 2);
        is_consistent(&app).await;
    }

    async fn the_subscription_of_a_deleted_account_ends_at_stripe(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let bot = app.agent("bot").await;
        own(&ann, &bot).await;
        let id = subscribed(&app, &ann, &["ann", "bot"]).await;
        ann.client.users().delete_me("ann").await.unwrap();
        assert_eq!(tier(&bot).await, Tier::Free);
        tell(&app).await;
        assert_eq!(app.stripe().object(&id)["status"], "canceled");
        // So does one whose page was paid just before, of which no webhook had come.
        let eve = app.person("eve", PASSWORD).await;
        eve.client.tiers().subscribe(["eve"]).await.unwrap();
        let id = app.stripe().subscribe(&newest(&app, "checkout.session"));
        eve.client.users().delete_me("eve").await.unwrap();
        tell(&app).await;
        assert_eq!(app.stripe().object(&id)["status"], "canceled");
        is_consistent(&app).await;
    }

    async fn the_audit_names_a_tier_that_nothing_gives(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "passes.boost" = "40"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        subscribed(&app, &ann, &["ann"]).await;
        app.agent("bot").await.client.tiers().buy_pass(Tier::Boost).await.unwrap();
        is_consistent(&app).await;
        for damage in [
            sql!("update account set tier = 'pro' where tier = 'boost'"),
            sql!("update tier_facts set word = 'free'"),
            sql!("update tier_facts set boost_until = boost_until + 1 where boost_until > 0"),
            sql!("update subscription set until_at = until_at + 1"),
            sql!("update subscription set quantity = 0"),
            sql!("delete from seat"),
            sql!("delete from pass"),
        ] {
            assert_eq!(broken_by(&app, damage).await, "I14", "{}", damage.text());
        }
    }
}
