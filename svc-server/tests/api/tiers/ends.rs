//! Subscriptions that end, go on, or begin once more.

use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::tiers::{
    OpenPortal, ResumeSubscription, Subscribe, SubscriptionStatus,
};
use svc_client::types::api::users::Tier;
use svc_fake_stripe::Fault;

use super::{PASSWORD, pass_days, state, subscribed, subscription, tell, tier};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;

on_both_engines! {
    async fn a_suspended_person_can_end_what_they_are_charged_for(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.suspend("ann").await;
        let tiers = ann.client.tiers();
        let page = tiers.portal().await.unwrap().url;
        assert!(page.starts_with("https://billing.stripe.com/"), "{page}");
        assert!(tiers.cancel().await.unwrap().subscription.cancels);
        // Nothing begins, and nothing goes on.
        assert_eq!(code::<ResumeSubscription>(tiers.resume().await), Code::AccountSuspended);
        assert_eq!(code::<Subscribe>(tiers.subscribe(["ann"]).await), Code::AccountSuspended);
        pass_days(&app, 30).await;
        assert_eq!(app.stripe().object(&id)["status"], "canceled");
        assert_eq!(app.stripe().objects("invoice").len(), 1);
        is_consistent(&app).await;
    }

    async fn a_cancellation_on_stripes_page_for_customers_can_be_taken_back(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.stripe().cancel_on_page(&id);
        tell(&app).await;
        assert!(subscription(&ann).await.cancels);
        assert!(!ann.client.tiers().resume().await.unwrap().subscription.cancels);
        assert_eq!(app.stripe().object(&id)["cancel_at"], Value::Null);
        // So it is if the answer is lost.
        app.stripe().cancel_on_page(&id);
        tell(&app).await;
        app.stripe().fail_next("POST", "/v1/subscriptions", Fault::LosesAnswer);
        let lost = ann.client.tiers().resume().await;
        assert_eq!(code::<ResumeSubscription>(lost), Code::ProviderUnavailable);
        app.advance(60);
        tell(&app).await;
        assert!(!subscription(&ann).await.cancels);
        pass_days(&app, 31).await;
        assert_eq!((subscription(&ann).await.status, tier(&ann).await), (SubscriptionStatus::Active, Tier::Pro));
        is_consistent(&app).await;
    }

    async fn a_cancellation_on_stripes_page_for_customers_ends_with_the_month(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.stripe().cancel_on_page(&id);
        pass_days(&app, 30).await;
        assert_eq!((tier(&ann).await, state(&ann).await.subscription), (Tier::Free, None));
        is_consistent(&app).await;
    }

    async fn a_person_who_comes_back_is_taxed_by_the_address_on_the_page(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "billing.tax" = "true"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        subscribed(&app, &ann, &["ann"]).await;
        ann.client.tiers().cancel().await.unwrap();
        pass_days(&app, 30).await;
        assert_eq!((tier(&ann).await, state(&ann).await.subscription), (Tier::Free, None));
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        subscribed(&app, &ann, &["ann"]).await;
        assert_eq!((tier(&ann).await, app.stripe().objects("customer").len()), (Tier::Pro, 1));
        is_consistent(&app).await;
    }

    async fn a_person_whom_the_operator_has_deleted_at_stripe_is_another_customer_there(
        app: TestApp,
        "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        let first = app.stripe().object(&id)["customer"].clone();
        ann.client.tiers().cancel().await.unwrap();
        pass_days(&app, 30).await;
        app.stripe().change(first.as_str().unwrap(), |it| it["object"] = json!("deleted_customer"));
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        let refused = ann.client.tiers().portal().await;
        assert_eq!(code::<OpenPortal>(refused), Code::WrongState);
        let other = subscribed(&app, &ann, &["ann"]).await;
        assert_ne!(app.stripe().object(&other)["customer"], first);
        assert_eq!(tier(&ann).await, Tier::Pro);
        ann.client.tiers().portal().await.unwrap();
        is_consistent(&app).await;
    }
}
