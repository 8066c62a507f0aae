//! Tiers by money: passes, subscriptions with their seats, and the operator's word. A stand-in plays
//! Stripe.

mod ends;

use std::sync::Arc;

use http::StatusCode;
use reqwest::Method;
use svc_client::types::Code;
use svc_client::types::api::credits::TransferKind;
use svc_client::types::api::tiers::{
    BuyPass, CancelSubscription, OpenPortal, ResumeSubscription, Subscribe, Subscription,
    SubscriptionStatus, TierState,
};
use svc_client::types::api::users::{Tier, TierSetting};
use svc_core::due;
use svc_core::services::billing::queue::{self, Kind};
use svc_core::services::ledger::money::Money;
use svc_fake_stripe::Fault;
use svc_server::billing;
use svc_server::testing::until;
use svc_store::sql;

use crate::app::{Member, TestApp, code};
use crate::billing::broken_by;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::owners::{own, pair};
use crate::payments::balances;
use crate::purchase::buy;

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
    for delivery in app.stripe().deliveries() {
        let url = format!("{}/webhooks/stripe", app.server.url().trim_end_matches("/api"));
        let request = reqwest::Client::new().request(Method::POST, url).body(delivery.body);
        let request = request.header("content-type", "application/json; charset=utf-8");
        let answer = request.header("stripe-signature", delivery.signature).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    }
    billing::once(app.server.app()).await.unwrap();
    due::sweep(app.server.app()).await.unwrap();
}

/// Subscribes and pays; what Stripe calls the subscription.
pub(crate) async fn subscribed(app: &TestApp, person: &Member, seats: &[&str]) -> String {
    let asked = person.client.tiers().subscribe(seats.iter().copied()).await.unwrap();
    assert!(asked.url.unwrap().starts_with("https://checkout.stripe.com/"));
    let session = app.stripe().objects("checkout.session").pop().unwrap();
    let id = app.stripe().subscribe(session["id"].as_str().unwrap());
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

    async fn seats_are_for_people_and_their_agents_and_given_on_without_another_payment(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let [ann, eve] = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        let [bot, other, foreign] = app.agents(["bot", "other", "foreign"]).await;
        own(&ann, &bot).await;
        own(&ann, &other).await;
        own(&eve, &foreign).await;
        let refused = ann.client.tiers().subscribe(["ann", "foreign"]).await;
        assert_eq!(code::<Subscribe>(refused), Code::Forbidden);
        assert_eq!(code::<Subscribe>(bot.client.tiers().subscribe(["bot"]).await), Code::NotAPerson);
        assert_eq!(code::<Subscribe>(ann.client.tiers().subscribe(["nobody"]).await), Code::NotFound);
        // Who is named twice has one seat.
        subscribed(&app, &ann, &["ann", "bot", "ANN"]).await;
        assert_eq!([tier(&ann).await, tier(&bot).await, tier(&other).await], [Tier::Pro, Tier::Pro, Tier::Free]);
        assert_eq!([state(&ann).await.seat, state(&bot).await.seat, state(&other).await.seat], [true, true, false]);
        is_consistent(&app).await;
        let calls = app.stripe().calls().len();
        let changed = ann.client.tiers().subscribe(["ann", "other"]).await.unwrap();
        assert_eq!((names(&changed.subscription), changed.url), (vec!["ann", "other"], None));
        assert_eq!(app.stripe().calls().len(), calls);
        assert_eq!([tier(&bot).await, tier(&other).await], [Tier::Free, Tier::Pro]);
        let turned = ann.client.tiers().subscribe(["other", "ann"]).await.unwrap().subscription;
        assert_eq!(names(&turned), ["other", "ann"], "in the order in which she named them");
        app.suspend("other").await;
        let kept = ann.client.tiers().subscribe(["bot", "other"]).await.unwrap().subscription;
        assert_eq!(names(&kept), ["bot", "other"], "a suspended agent keeps its seat");
        app.unsuspend("other").await;
        ann.client.tiers().subscribe(["other", "ann"]).await.unwrap();
        // An agent that leaves its owner leaves its seat, which stays paid.
        ann.client.agents().release("other").await.unwrap();
        assert_eq!(tier(&other).await, Tier::Free);
        let left = subscription(&ann).await;
        assert_eq!((names(&left), left.paid_seats), (vec!["ann"], 2));
        is_consistent(&app).await;
        assert_eq!(books(&app).await, [0, -1_998, 0, 1_910, 88]);
    }

    async fn a_further_seat_is_charged_at_once_or_nothing_changes(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let bots = app.agents(["one", "two", "three"]).await;
        for bot in &bots {
            own(&ann, bot).await;
        }
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.advance(15 * DAY);
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        let two = ann.client.tiers().subscribe(["ann", "one"]).await.unwrap().subscription;
        assert_eq!((names(&two), two.paid_seats), (vec!["ann", "one"], 2));
        tell(&app).await;
        assert_eq!(books(&app).await[1], -999 - 499);
        app.stripe().decline(&id, true);
        let third = ann.client.tiers().subscribe(["ann", "one", "two"]).await;
        assert_eq!(code::<Subscribe>(third), Code::PaymentFailed);
        tell(&app).await;
        assert_eq!(names(&subscription(&ann).await), ["ann", "one"]);
        assert_eq!([tier(&bots[0]).await, tier(&bots[1]).await], [Tier::Pro, Tier::Free]);
        is_consistent(&app).await;
        // A seat less is not charged, whatever the card.
        let one = ann.client.tiers().subscribe(["one"]).await.unwrap().subscription;
        assert_eq!((names(&one), one.paid_seats), (vec!["one"], 1));
        assert_eq!([tier(&ann).await, tier(&bots[0]).await], [Tier::Free, Tier::Pro]);
        is_consistent(&app).await;
    }

    async fn an_unpaid_renewal_ends_the_tier_when_grace_ends_and_a_payment_brings_it_back(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "pro.grace" = "3d"
    ) {
        let [ann, eve] = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        let id = subscribed(&app, &ann, &["ann"]).await;
        subscribed(&app, &eve, &["eve"]).await;
        for (person, name) in [(&ann, "ann"), (&eve, "eve")] {
            assert_eq!(names(&subscription(person).await), [name]);
        }
        let paid_until = subscription(&ann).await.paid_until.unwrap();
        app.set_tier("eve", "boost").await;
        app.stripe().decline(&id, true);
        pass_days(&app, 31).await;
        let unpaid = subscription(&ann).await;
        assert_eq!((unpaid.status, unpaid.paid_until), (SubscriptionStatus::PastDue, Some(paid_until)));
        assert_eq!(tier(&ann).await, Tier::Pro);
        is_consistent(&app).await;
        pass_days(&app, 2).await;
        assert_eq!([tier(&ann).await, tier(&eve).await], [Tier::Free, Tier::Boost]);
        is_consistent(&app).await;
        app.stripe().decline(&id, false);
        app.stripe().collect(&id);
        tell(&app).await;
        let paid = subscription(&ann).await;
        assert_eq!((paid.status, tier(&ann).await), (SubscriptionStatus::Active, Tier::Pro));
        assert!(paid.paid_until.unwrap() > paid_until);
        app.set_tier("eve", "auto").await;
        assert_eq!(tier(&eve).await, Tier::Pro);
        is_consistent(&app).await;
        assert_eq!(books(&app).await[..2], [0, -4 * 999]);
    }

    async fn a_cancelled_subscription_ends_with_its_month_unless_it_is_resumed(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let tiers = ann.client.tiers();
        assert_eq!(code::<CancelSubscription>(tiers.cancel().await), Code::WrongState);
        assert_eq!(code::<OpenPortal>(tiers.portal().await), Code::WrongState);
        subscribed(&app, &ann, &["ann"]).await;
        assert_eq!(code::<ResumeSubscription>(tiers.resume().await), Code::WrongState);
        assert!(tiers.cancel().await.unwrap().subscription.cancels);
        assert_eq!(code::<CancelSubscription>(tiers.cancel().await), Code::WrongState);
        assert!(!tiers.resume().await.unwrap().subscription.cancels);
        assert!(tiers.cancel().await.unwrap().subscription.cancels);
        let portal = tiers.portal().await.unwrap().url;
        assert!(portal.starts_with("https://billing.stripe.com/"), "{portal}");
        pass_days(&app, 29).await;
        assert_eq!(tier(&ann).await, Tier::Pro);
        pass_days(&app, 1).await;
        assert_eq!((tier(&ann).await, state(&ann).await.subscription), (Tier::Free, None));
        is_consistent(&app).await;
        // A person who comes back is the same customer.
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        let id = subscribed(&app, &ann, &["ann"]).await;
        assert_eq!((tier(&ann).await, app.stripe().objects("customer").len()), (Tier::Pro, 1));
        // A month that is not paid is kept no longer once she has cancelled.
        app.stripe().decline(&id, true);
        pass_days(&app, 31).await;
        assert_eq!(tier(&ann).await, Tier::Pro);
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        tiers.cancel().await.unwrap();
        assert_eq!(tier(&ann).await, Tier::Free);
        is_consistent(&app).await;
    }

    async fn a_customer_at_stripe_is_one_person(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let people = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        let mut customers = Vec::new();
        for person in &people {
            let id = subscribed(&app, person, &[&*person.user.username]).await;
            customers.push(app.stripe().object(&id)["customer"].clone());
        }
        assert_ne!(customers[0], customers[1]);
        for (person, customer) in people.iter().zip(&customers) {
            person.client.tiers().portal().await.unwrap();
            let call = app.stripe().calls().pop().unwrap();
            assert_eq!(&call.parameters["customer"], customer, "{}", person.user.username);
        }
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

    async fn a_seat_that_is_bought_while_the_subscription_is_read_stays(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let bot = app.agent("bot").await;
        own(&ann, &bot).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        let looks = || {
            let calls = app.stripe().calls().into_iter();
            calls.filter(|call| call.endpoint == "GET /v1/subscriptions/{id}").count()
        };
        let before = looks();
        app.stripe().fail_next("GET", "/v1/subscriptions/", Fault::AnswersLate);
        app.execute(move |ctx| queue::raise(ctx, Kind::Subscription, &id).map(|()| 1)).await;
        let server = Arc::clone(app.server.app());
        let looking = tokio::spawn(async move { billing::once(&server).await });
        until("it is asked for", async || looks() > before).await;
        let two = ann.client.tiers().subscribe(["ann", "bot"]).await.unwrap().subscription;
        assert_eq!(names(&two), ["ann", "bot"]);
        app.stripe().answer_late();
        looking.await.unwrap().unwrap();
        assert_eq!(names(&subscription(&ann).await), ["ann", "bot"]);
        assert_eq!(tier(&bot).await, Tier::Pro);
        tell(&app).await;
        is_consistent(&app).await;
    }

    async fn pages_that_stripe_made_late_are_those_of_their_people(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let people = [app.person("ann", PASSWORD).await, app.person("eve", PASSWORD).await];
        app.stripe().set_down(true);
        for person in &people {
            let refused = person.client.tiers().subscribe([&*person.user.username]).await;
            assert_eq!(code::<Subscribe>(refused), Code::ProviderUnavailable);
        }
        app.stripe().set_down(false);
        app.advance(3_700);
        tell(&app).await;
        let mut pages = Vec::new();
        for person in &people {
            person.client.auth().step_up().password(PASSWORD).await.unwrap();
            assert_eq!(subscription(person).await.status, SubscriptionStatus::Open);
            let asked = person.client.tiers().subscribe([&*person.user.username]).await.unwrap();
            pages.push(asked.url.unwrap());
        }
        assert_ne!(pages[0], pages[1]);
    }

    async fn another_page_replaces_the_one_that_nobody_paid(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let bot = app.agent("bot").await;
        own(&ann, &bot).await;
        let first = ann.client.tiers().subscribe(["ann"]).await.unwrap();
        let same = ann.client.tiers().subscribe(["ann"]).await.unwrap();
        assert_eq!(first, same);
        let second = ann.client.tiers().subscribe(["ann", "bot"]).await.unwrap();
        assert_ne!(first.url, second.url);
        let pages = app.stripe().objects("checkout.session");
        let statuses: Vec<_> = pages.iter().map(|page| page["status"].as_str().unwrap()).collect();
        assert_eq!(statuses, ["expired", "open"]);
        subscribed(&app, &ann, &["ann", "bot"]).await;
        assert_eq!(tier(&bot).await, Tier::Pro);
        is_consistent(&app).await;
    }

    async fn a_page_that_was_paid_before_it_was_replaced_counts(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let bot = app.agent("bot").await;
        own(&ann, &bot).await;
        ann.client.tiers().subscribe(["ann"]).await.unwrap();
        let page = app.stripe().objects("checkout.session").pop().unwrap();
        app.stripe().subscribe(page["id"].as_str().unwrap());
        // No webhook has come yet.
        let refused = ann.client.tiers().subscribe(["ann", "bot"]).await;
        assert_eq!(code::<Subscribe>(refused), Code::WrongState);
        tell(&app).await;
        assert_eq!(names(&subscription(&ann).await), ["ann"]);
        assert_eq!(app.stripe().objects("subscription").len(), 1);
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
        let page = app.stripe().objects("checkout.session").pop().unwrap();
        let id = app.stripe().subscribe(page["id"].as_str().unwrap());
        eve.client.users().delete_me("eve").await.unwrap();
        tell(&app).await;
        assert_eq!(app.stripe().object(&id)["status"], "canceled");
        is_consistent(&app).await;
    }

    async fn an_agent_that_left_before_its_seat_was_paid_gets_none(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let [ann, bot] = pair(&app).await;
        ann.client.tiers().subscribe(["ann", "bot"]).await.unwrap();
        ann.client.agents().release("bot").await.unwrap();
        let page = app.stripe().objects("checkout.session").pop().unwrap();
        app.stripe().subscribe(page["id"].as_str().unwrap());
        tell(&app).await;
        let paid = subscription(&ann).await;
        assert_eq!((names(&paid), paid.paid_seats), (vec!["ann"], 2));
        assert_eq!([tier(&ann).await, tier(&bot).await], [Tier::Pro, Tier::Free]);
        is_consistent(&app).await;
    }

    async fn a_refund_of_a_month_is_entered_and_ends_the_grace(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "billing.tax" = "true"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        assert_eq!(books(&app).await, [0, -999, -189, 1_124, 64]);
        let intent = app.stripe().objects("payment_intent").pop().unwrap();
        app.stripe().refund(intent["id"].as_str().unwrap(), 1_188);
        tell(&app).await;
        assert_eq!(books(&app).await, [0, 0, 0, -64, 64]);
        is_consistent(&app).await;
        app.stripe().decline(&id, true);
        pass_days(&app, 31).await;
        assert_eq!(tier(&ann).await, Tier::Free);
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
