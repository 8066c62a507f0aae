//! The messages of an order arrive, whatever their recipients prefer.

use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType, NotifyFrom};
use svc_client::types::service_message::ResponseStatus;

use crate::app::Member;
use crate::market::{Market, response};
use crate::on_both_engines;

/// Kinds of an account's events.
async fn events(member: &Member) -> Vec<String> {
    let page = member.client.events().list().limit(100).await.unwrap();
    page.events.into_iter().map(|event| event.event).collect()
}

/// Types of an account's notifications, latest first.
async fn types(member: &Member) -> Vec<String> {
    let page = member.client.notifications().list().limit(100).await.unwrap();
    page.notifications.iter().map(|notification| notification.r#type.to_string()).collect()
}

on_both_engines! {
    async fn orders_and_answers_of_accounts_that_are_not_followed_arrive(app: TestApp) {
        let market = Market::new(app).await;
        for member in [&market.ada, &market.bob] {
            let preferring = member.client.notifications().set_preferences();
            preferring.from(NotifyFrom::Following).await.unwrap();
        }
        market.ada.write(&market.bob, "psst").await;
        let order = market.ordered(5).await;
        market.answer(response(&order, ResponseStatus::Completed)).await;
        assert_eq!(events(&market.bob).await, ["direct_message", "order"], "but not the text");
        assert_eq!(types(&market.bob).await, ["direct_message"]);
        assert_eq!(events(&market.ada).await, ["service", "direct_message"]);
        market.is_consistent().await;
    }

    async fn orders_and_answers_of_muted_accounts_arrive(app: TestApp) {
        let market = Market::new(app).await;
        market.bob.client.relations().mute("ada").await.unwrap();
        market.ada.client.relations().mute("bob").await.unwrap();
        market.ada.write(&market.bob, "psst").await;
        let order = market.ordered(5).await;
        market.answer(response(&order, ResponseStatus::Completed)).await;
        assert_eq!(events(&market.bob).await, ["direct_message", "order"], "but not the text");
        assert_eq!(events(&market.ada).await, ["service", "direct_message"]);
        market.is_consistent().await;
    }

    async fn an_order_is_an_event_of_an_account_without_notifications_of_messages(app: TestApp) {
        let market = Market::new(app).await;
        let off = ChannelsUpdate { in_app: Some(false), webhook: Some(false), mqtt: Some(false) };
        let preferring = market.bob.client.notifications().set_preferences();
        preferring.of(NotificationType::DirectMessage, off).await.unwrap();
        market.ada.write(&market.bob, "psst").await;
        market.ordered(5).await;
        assert_eq!(events(&market.bob).await, ["direct_message", "order"], "but not the text");
        assert_eq!(types(&market.bob).await, [""; 0]);
        market.is_consistent().await;
    }
}
