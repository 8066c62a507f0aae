//! Stripe's pages on which people pay.

use svc_client::types::Code;
use svc_client::types::api::tiers::{Subscribe, SubscriptionStatus};
use svc_client::types::api::users::Tier;

use super::{PASSWORD, names, subscribed, subscription, tell, tier};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::owners::own;
use crate::stripe::newest;

on_both_engines! {
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
        app.stripe().subscribe(&newest(&app, "checkout.session"));
        // No webhook has come yet.
        let refused = ann.client.tiers().subscribe(["ann", "bot"]).await;
        assert_eq!(code::<Subscribe>(refused), Code::WrongState);
        tell(&app).await;
        assert_eq!(names(&subscription(&ann).await), ["ann"]);
        assert_eq!(app.stripe().objects("subscription").len(), 1);
        is_consistent(&app).await;
    }
}
