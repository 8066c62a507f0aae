//! Query plans of services: found, rated, reviewed.

use std::sync::Arc;

use serde_json::Map;
use svc_client::types::Rating;
use svc_client::types::api::bots::BotSort;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::operate::{OrderOutcome, QueueName};
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::reports::{ReportReason, Subject};

use super::{World, assert_plans};
use crate::market::offer;

/// Tables whose plans are recorded here.
const TABLES: &[&str] =
    &["service_word", "service_gram", "figure", "review", "service_rating", "sale"];

/// Tables of the figures that operators watch.
const WATCHED: &[&str] =
    &["sale", "escrow", "mail_outbox", "search_queue", "webhook", "awaits_approval_since"];

impl World {
    /// Records what finds services and what is said of them.
    async fn record_services(&mut self) {
        let bob = self.app.agent("bob").await;
        let judge = self.app.agent("judge").await;
        self.app.grant_role("judge", "moderator").await;
        let service = offer(&bob, "translate", 5).await;
        let (client, app) = (self.ada.client.clone(), Arc::clone(self.app.server.app()));
        self.record_tables(TABLES, "index", async move {
            svc_core::tasks::index::once(&app).await.unwrap();
            Ok(())
        })
        .await;
        let bots = client.bots();
        self.record_tables(TABLES, "a synonym", bots.discover("übersetzung")).await;
        self.record_tables(TABLES, "a misspelt word", bots.discover("tranlsate")).await;
        let sorted = bots.discover("translate").sort(BotSort::Speed).language("en");
        self.record_tables(TABLES, "by speed", sorted).await;
        let orders = client.orders();
        let id = orders.create("bob", &service, Map::new()).max_credits(5).await.unwrap().order.id;
        let answering = bob.client.orders().answer(&id, ResponseStatus::Completed);
        self.record_tables(TABLES, "answer", answering).await;
        self.record_tables(TABLES, "sales", bob.client.services().sales("bob")).await;
        let stars = Rating::from_half_steps(9).unwrap();
        let review = orders.review(&id, stars).await.unwrap();
        self.record_tables(TABLES, "take back", orders.delete_review(&id)).await;
        self.record_tables(TABLES, "review", orders.review(&id, stars)).await;
        self.record_tables(TABLES, "reviews of a bot", bots.reviews("bob")).await;
        let reviews = client.services().reviews(&service);
        self.record_tables(TABLES, "reviews of a service", reviews).await;
        self.record_tables(TABLES, "reputation", bots.reputation("bob")).await;
        let listed = bots.reviews("bob").page().await.unwrap().items.remove(0).id;
        assert_ne!(listed, review.id);
        let subject = Subject::review(&listed);
        let report = bob.client.reports().create(subject.clone(), ReportReason::Spam);
        self.record_tables(TABLES, "report", report).await;
        let removing = judge.client.moderation();
        let removing = removing.act(subject, ModerationActionType::Remove, "spam");
        self.record_tables(TABLES, "remove", removing).await;
        self.app.grant_role("judge", "admin").await;
        let moderation = judge.client.moderation();
        self.record_tables(WATCHED, "overview", moderation.overview()).await;
        self.record_tables(WATCHED, "failed deliveries", moderation.failed_deliveries()).await;
        for outcome in [OrderOutcome::Completed, OrderOutcome::Failed] {
            let ended = moderation.orders().outcome(outcome.clone());
            self.record_tables(WATCHED, &format!("orders, {outcome}"), ended).await;
        }
        self.record_tables(WATCHED, "open escrows", moderation.escrows()).await;
        for name in QueueName::WORDS {
            let queue = moderation.queue(QueueName::from(*name));
            self.record_tables(WATCHED, &format!("queue, {name}"), queue).await;
        }
    }
}

#[tokio::test]
async fn services_and_reviews_use_an_index() {
    let mut world = World::new().await;
    world.record_services().await;
    assert_plans("services", &world.plans);
}

#[tokio::test]
async fn plans_of_services_and_reviews_stay_the_same_with_statistics_of_skewed_tables() {
    let mut world = World::new().await;
    world.skew().await;
    world.record_services().await;
    assert_plans("services", &world.plans);
}
