//! Months that are paid, unpaid, cancelled or refunded.

use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::tiers::{
    CancelSubscription, OpenPortal, ResumeSubscription, SubscriptionStatus,
};
use svc_client::types::api::users::Tier;

use super::{PASSWORD, books, names, pass_days, state, subscribed, subscription, tell, tier};
use crate::app::code;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::stripe::newest;

on_both_engines! {
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

    async fn a_refund_of_a_month_is_entered_and_ends_the_grace(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "billing.tax" = "true"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        assert_eq!(books(&app).await, [0, -999, -189, 1_124, 64]);
        app.stripe().refund(&newest(&app, "payment_intent"), 1_188);
        tell(&app).await;
        assert_eq!(books(&app).await, [0, 0, 0, -64, 64]);
        is_consistent(&app).await;
        app.stripe().decline(&id, true);
        pass_days(&app, 31).await;
        assert_eq!(tier(&ann).await, Tier::Free);
        is_consistent(&app).await;
    }

    async fn a_month_is_that_of_the_payment_which_took_its_money(
        app: TestApp,
        "billing.stripe.key_file" = "its own", "billing.tax" = "true"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        ann.client.tiers().subscribe(["ann"]).await.unwrap();
        app.stripe().subscribe(&newest(&app, "checkout.session"));
        let paid = newest(&app, "payment_intent");
        let by = json!({ "type": "payment_intent", "payment_intent": "pi_cancelled" });
        let cancelled = json!({ "object": "invoice_payment", "status": "canceled", "payment": by });
        app.stripe().change(&newest(&app, "invoice"), |bill| {
            bill["payments"]["data"].as_array_mut().unwrap().insert(0, cancelled);
        });
        tell(&app).await;
        assert_eq!((tier(&ann).await, books(&app).await), (Tier::Pro, [0, -999, -189, 1_124, 64]));
        app.stripe().refund(&paid, 1_188);
        tell(&app).await;
        assert_eq!(books(&app).await, [0, 0, 0, -64, 64]);
        is_consistent(&app).await;
    }
}
