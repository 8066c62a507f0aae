//! Seats: who has them, and what a further one costs.

use std::sync::Arc;

use svc_client::types::Code;
use svc_client::types::api::tiers::Subscribe;
use svc_client::types::api::users::Tier;
use svc_core::services::billing::queue::{self, Kind};
use svc_fake_stripe::Fault;
use svc_server::billing;
use svc_server::testing::until;

use super::{DAY, PASSWORD, books, names, state, subscribed, subscription, tell, tier};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::owners::{own, pair};
use crate::stripe::newest;

on_both_engines! {
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

    async fn an_agent_that_left_before_its_seat_was_paid_gets_none(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let [ann, bot] = pair(&app).await;
        ann.client.tiers().subscribe(["ann", "bot"]).await.unwrap();
        ann.client.agents().release("bot").await.unwrap();
        app.stripe().subscribe(&newest(&app, "checkout.session"));
        tell(&app).await;
        let paid = subscription(&ann).await;
        assert_eq!((names(&paid), paid.paid_seats), (vec!["ann"], 2));
        assert_eq!([tier(&ann).await, tier(&bot).await], [Tier::Pro, Tier::Free]);
        is_consistent(&app).await;
    }
}
