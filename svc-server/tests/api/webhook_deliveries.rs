//! From events to webhooks: who gets what, how it is listed, and sending it again.

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
use svc_client::types::api::webhooks::{
    DeliveryState, DeliveryTrigger, RedeliverWebhook, WebhookKind,
};
use svc_client::types::{Code, DeliveryId, WebhookId};
use svc_core::tasks::sweep;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::market::Market;
use crate::on_both_engines;
use crate::raw::answer;
use crate::webhooks::URL;

const DAY: u64 = 86_400;

impl TestApp {
    /// Ends a delivery in this state, as if it had been sent.
    pub(crate) async fn end_delivery(&self, id: &DeliveryId, state: &'static str) {
        let id = id.clone();
        let sql = sql!(
            "update webhook_delivery set state = $1, next_attempt_at = null, attempt = 1,
                delivered_at = case when $1 = 'delivered' then created_at end
             where id = $2"
        );
        self.execute(move |ctx| ctx.tx.execute(sql, values![state, id])).await;
    }

    /// Records an attempt.
    pub(crate) async fn attempt(&self, id: &DeliveryId, took: i64, status: i64) {
        let id = id.clone();
        let (outcome, class) =
            if status == 200 { ("delivered", None) } else { ("failed", Some("http_status")) };
        let sql = sql!(
            "insert into webhook_attempt (delivery, n, started_at, duration_ms, outcome, http_status,
                error_class, request_headers, next_attempt_at)
             values ($1, 1, 1769851800000, $2, $3, $4, $5,
                '{\"x-webhook-signature\":\"\"}', 1769851805000)"
        );
        self.execute(move |ctx| ctx.tx.execute(sql, values![id, took, outcome, status, class]))
            .await;
    }

    /// Removes what has expired.
    pub(crate) async fn sweep_expired(&self) {
        sweep::once(self.server.app()).await.unwrap();
    }
}

/// A webhook for every kind there is.
async fn all_kinds(app: &TestApp, who: &Member) -> WebhookId {
    let kinds: Vec<_> = WebhookKind::WORDS.iter().map(|word| WebhookKind::from(*word)).collect();
    let made = who.client.webhooks().create(URL).events(kinds).await.unwrap();
    app.silence().await;
    made.webhook.id
}

on_both_engines! {
    async fn each_kind_reaches_its_subscribed_webhooks(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let usual = ada.webhook(&app).await.id;
        let likes = ada.client.webhooks().create(URL).events([WebhookKind::Like]).await.unwrap().webhook.id;
        app.silence().await;
        let post = ada.post("hello").await;
        bob.client.relations().follow("ada").await.unwrap();
        bob.client.reactions().like(&post.id).await.unwrap();
        bob.client.reactions().repost(&post.id).await.unwrap();
        bob.reply(&post, "hello").await;
        bob.post("hello @ada").await;
        bob.write(&ada, "psst").await;
        app.advance(1800);
        bob.client.posts().create("see").quote(&post.id).await.unwrap();
        app.set_tier("ada", "boost").await;
        let expected = ["follow", "like", "repost", "reply", "mention", "direct_message"];
        let expected: Vec<_> = expected.iter().map(|kind| format!("{kind} pending")).collect();
        assert_eq!(ada.on_its_way(&usual).await, expected, "quotes, moderation and the system never");
        assert_eq!(ada.on_its_way(&likes).await, ["like pending"]);
        assert_eq!(ada.webhook_now(&usual).await.pending_count, 6);
        let due = sql!("select count(*) from webhook where due_at = 1769851800000");
        assert_eq!(app.count(due).await, 2);
        assert_eq!(app.count(sql!("select count(*) from webhook_delivery")).await, 7);
    }

    async fn a_delivery_is_its_event(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        let post = ada.post("hello").await;
        bob.client.reactions().like(&post.id).await.unwrap();
        let listed = ada.deliveries(&id).await.remove(0);
        let event = ada.client.events().list().await.unwrap().events.remove(0);
        let path = format!("/webhooks/{id}/deliveries/{}", listed.id);
        let read = answer(ada.raw(&app, Method::GET, &path)).await.json();
        let body = format!(
            "{{\"event\":\"like\",\"timestamp\":\"2026-01-31T09:30:00.000Z\",\"data\":{{\"postId\":\"{}\",\
             \"actorId\":\"{}\",\"actorUsername\":\"bob\"}}}}",
            post.id, bob.user.id
        );
        assert_eq!(read, json!({ "delivery": {
            "id": listed.id, "webhookId": id, "eventId": event.id, "event": "like", "state": "pending",
            "trigger": "event", "attemptsCount": 0, "nextAttemptAt": "2026-01-31T09:30:00.000Z",
            "createdAt": "2026-01-31T09:30:00.000Z", "body": body, "attempts": [],
        } }));
        assert_eq!((listed.body, listed.attempts), (None, None));
        app.end_delivery(&listed.id, "delivered").await;
        app.attempt(&listed.id, 12, 200).await;
        let read = answer(ada.raw(&app, Method::GET, &path)).await.json();
        assert_eq!(read["delivery"]["attempts"], json!([{
            "n": 1, "startedAt": "2026-01-31T09:30:00.000Z", "durationMs": 12, "outcome": "delivered",
            "nextAttemptAt": "2026-01-31T09:30:05.000Z", "httpStatus": 200,
            "requestHeaders": { "x-webhook-signature": "" },
        }]));
    }

    async fn deal_events_reach_only_subscribed_webhooks(app: TestApp) {
        let market = Market::new(app).await;
        let usual = market.bob.webhook(&market.app).await.id;
        let all = all_kinds(&market.app, &market.bob).await;
        market.open(10).await;
        let order = market.ordered(5).await;
        market.answer_with(&order, svc_client::types::service_message::ResponseStatus::Completed).await;
        assert_eq!(market.bob.on_its_way(&usual).await, ["direct_message pending"]);
        let reported = market.bob.on_its_way(&all).await;
        assert_eq!(reported, ["escrow pending", "direct_message pending", "order pending"]);
        let buyers = all_kinds(&market.app, &market.ada).await;
        let order = market.ordered(5).await;
        market.answer_with(&order, svc_client::types::service_message::ResponseStatus::Completed).await;
        let reported = market.ada.on_its_way(&buyers).await;
        assert!(reported.contains(&"service pending".to_owned()), "{reported:?}");
    }

    async fn preferences_are_kept(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        let post = ada.post("hello").await;
        let off = ChannelsUpdate { webhook: Some(false), ..ChannelsUpdate::default() };
        ada.client.notifications().set_preferences().of(NotificationType::Like, off).await.unwrap();
        bob.client.reactions().like(&post.id).await.unwrap();
        bob.client.reactions().repost(&post.id).await.unwrap();
        assert_eq!(ada.on_its_way(&id).await, ["repost pending"]);
        assert_eq!(ada.client.events().list().await.unwrap().events.len(), 2);
        ada.client.relations().mute("bob").await.unwrap();
        bob.reply(&post, "muted").await;
        assert_eq!(ada.deliveries(&id).await.len(), 1);
    }

    async fn deliveries_are_found_by_state_kind_and_time(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        let post = ada.post("hello").await;
        for round in 0..40 {
            bob.write(&ada, &format!("message {round}")).await;
            app.advance(1);
        }
        bob.client.reactions().like(&post.id).await.unwrap();
        let all = ada.deliveries(&id).await;
        assert_eq!(all.len(), 41);
        assert!(all.is_sorted_by(|a, b| a.created_at >= b.created_at));
        app.end_delivery(&all[40].id, "failed").await;
        app.end_delivery(&all[0].id, "failed").await;
        let list = || ada.client.webhooks().deliveries(&id);
        let failed = all_items(list().state(DeliveryState::Failed).limit(1)).await;
        assert_eq!(failed.iter().map(|it| &it.id).collect::<Vec<_>>(), [&all[0].id, &all[40].id]);
        let likes = all_items(list().event(WebhookKind::Like).limit(1)).await;
        assert_eq!(likes.len(), 1);
        let both = list().state(DeliveryState::Failed).event(WebhookKind::DirectMessage);
        assert_eq!(all_items(both).await.remove(0).id, all[40].id);
        let (from, to) = (all[30].created_at, all[20].created_at);
        let between = all_items(list().since(from).until(to).limit(3)).await;
        let ids: Vec<_> = between.iter().map(|it| &it.id).collect();
        assert_eq!(ids, all[21..=30].iter().map(|it| &it.id).collect::<Vec<_>>());
        let path = format!("/webhooks/{id}/deliveries?state=lost");
        assert_eq!(answer(ada.raw(&app, Method::GET, &path)).await.refusal().code, Code::ValidationFailed);
        let path = format!("/webhooks/{id}/deliveries?event=quote");
        assert_eq!(answer(ada.raw(&app, Method::GET, &path)).await.refusal().code, Code::ValidationFailed);
    }

    async fn a_sent_delivery_can_be_sent_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "hello").await;
        let first = ada.deliveries(&id).await.remove(0);
        app.end_delivery(&first.id, "delivered").await;
        let webhooks = ada.client.webhooks();
        let again = webhooks.redeliver(&id, &first.id).await.unwrap().delivery;
        assert_eq!((&again.event_id, &again.trigger), (&first.event_id, &DeliveryTrigger::Manual));
        assert_eq!((again.state, again.attempts_count), (DeliveryState::Pending, 0));
        assert_ne!(again.id, first.id);
        let twice = webhooks.redeliver(&id, &first.id).await.unwrap().delivery;
        let bodies = [&first.id, &again.id, &twice.id];
        let mut read = Vec::new();
        for delivery in bodies {
            read.push(webhooks.delivery(&id, delivery).await.unwrap().delivery.body.unwrap());
        }
        assert!(read.windows(2).all(|pair| pair[0] == pair[1]));
        webhooks.disable(&id).await.unwrap();
        let held = webhooks.redeliver(&id, &first.id).await.unwrap().delivery;
        assert_eq!((held.state, held.next_attempt_at), (DeliveryState::Held, None));
    }

    async fn a_delivery_belongs_to_its_webhook(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        let other = ada.client.webhooks().create(URL).events([WebhookKind::Escrow]).await.unwrap().webhook.id;
        app.silence().await;
        bob.write(&ada, "hello").await;
        let delivery = ada.deliveries(&id).await.remove(0).id;
        let webhooks = ada.client.webhooks();
        for id in [&other, &WebhookId::from("wh_none")] {
            assert_eq!(webhooks.delivery(id, &delivery).await.unwrap_err().code(), Some(&Code::NotFound));
            let again = webhooks.redeliver(id, &delivery).await;
            assert_eq!(code::<RedeliverWebhook>(again), Code::NotFound);
        }
        assert_eq!(webhooks.delivery(&id, "dlv_none").await.unwrap_err().code(), Some(&Code::NotFound));
    }

    async fn events_are_kept_until_delivered(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "one").await;
        bob.write(&ada, "two").await;
        let [two, one] = ada.deliveries(&id).await.try_into().unwrap();
        app.end_delivery(&one.id, "delivered").await;
        app.advance(6 * DAY);
        let again = ada.client.webhooks().redeliver(&id, &two.id).await.unwrap().delivery;
        app.advance(DAY + 1);
        app.sweep_expired().await;
        let states = ada.on_its_way(&id).await;
        assert_eq!(states, ["direct_message delivered", "direct_message failed", "direct_message pending"]);
        let webhooks = ada.client.webhooks();
        assert_eq!(webhooks.delivery(&id, &one.id).await.unwrap().delivery.body, None);
        let gone = webhooks.redeliver(&id, &one.id).await;
        assert_eq!(code::<RedeliverWebhook>(gone), Code::EventExpired);
        assert!(webhooks.delivery(&id, &again.id).await.unwrap().delivery.body.is_some());
        app.advance(6 * DAY);
        app.sweep_expired().await;
        app.sweep_expired().await;
        assert_eq!(webhooks.delivery(&id, &again.id).await.unwrap().delivery.state, DeliveryState::Failed);
        assert_eq!(webhooks.delivery(&id, &again.id).await.unwrap().delivery.body, None);
    }

    async fn deliveries_are_listed_for_thirty_days(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "hello").await;
        let delivery = ada.deliveries(&id).await.remove(0).id;
        app.attempt(&delivery, 5, 500).await;
        app.end_delivery(&delivery, "failed").await;
        let counting = ada.client.webhooks().recover(&id, app.ahead(0)).dry_run(true);
        let recovery = counting.await.unwrap().recovery.id;
        app.advance(30 * DAY - 1);
        app.sweep_expired().await;
        assert_eq!(ada.deliveries(&id).await.len(), 1);
        ada.client.webhooks().recovery(&id, &recovery).await.unwrap();
        app.advance(2);
        app.sweep_expired().await;
        assert_eq!(ada.deliveries(&id).await.len(), 0);
        let read = ada.client.webhooks().recovery(&id, &recovery).await;
        assert_eq!(read.unwrap_err().code(), Some(&Code::NotFound));
        let read = ada.client.webhooks().delivery(&id, &delivery).await;
        assert_eq!(read.unwrap_err().code(), Some(&Code::NotFound));
        // On PostgreSQL they go with all of their week.
        app.advance(7 * DAY);
        app.sweep_expired().await;
        assert_eq!(app.count(sql!("select count(*) from webhook_attempt")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from webhook_delivery")).await, 0);
    }

    async fn what_waits_is_not_forgotten_before_it_is_given_up(
        app: TestApp, "retention.deliveries" = "1d"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "hello").await;
        app.advance(6 * DAY);
        app.sweep_expired().await;
        assert_eq!(ada.webhook_now(&id).await.pending_count, 1);
        app.advance(DAY + 1);
        app.sweep_expired().await;
        assert_eq!(ada.webhook_now(&id).await.pending_count, 0);
    }

    async fn what_waits_between_any_number_of_others_is_given_up(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        for text in ["before", "waits", "after"] {
            bob.write(&ada, text).await;
        }
        let [after, _, before] = ada.deliveries(&id).await.try_into().unwrap();
        app.end_delivery(&before.id, "failed").await;
        app.end_delivery(&after.id, "failed").await;
        // More on both sides than are given up at once.
        let more = sql!(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
             insert into webhook_delivery (id, webhook, event, kind, seq, replay_no, trigger_kind,
                state, created_at)
             select d.id || '-' || n.i, d.webhook, d.event, d.kind, d.seq, n.i, d.trigger_kind,
                d.state, d.created_at
             from webhook_delivery d cross join n where d.state = 'failed'"
        );
        app.execute(move |ctx| ctx.tx.execute(more, &[])).await;
        app.advance(7 * DAY + 1);
        app.sweep_expired().await;
        assert_eq!(ada.webhook_now(&id).await.pending_count, 0);
    }

    async fn statistics_count_delivery_outcomes(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        let path = format!("/webhooks/{id}/stats");
        let read = || async { answer(ada.raw(&app, Method::GET, &path)).await.json()["stats"].clone() };
        let nothing = json!({ "byState": {} });
        assert_eq!(read().await, json!({ "24h": nothing, "7d": nothing }));
        for round in 0..5 {
            bob.write(&ada, &format!("message {round}")).await;
        }
        let mut sent = ada.deliveries(&id).await;
        // A test counts nowhere.
        let tested = sent.remove(0).id;
        app.end_delivery(&tested, "failed").await;
        app.attempt(&tested, 900, 500).await;
        let sql = sql!("update webhook_delivery set trigger_kind = 'test' where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![tested])).await;
        for (n, delivery) in (1_i64..).zip(sent.iter().take(3)) {
            let (state, answered) = if n == 3 { ("failed", 500) } else { ("delivered", 200) };
            app.end_delivery(&delivery.id, state).await;
            app.attempt(&delivery.id, 10 * n, answered).await;
        }
        let figures = json!({
            "byState": { "delivered": 2, "failed": 1, "pending": 1 }, "successRate": 2.0 / 3.0,
            "p50Ms": 20, "p95Ms": 30,
        });
        assert_eq!(read().await, json!({ "24h": figures, "7d": figures }));
        app.server.clock().advance(Duration::from_secs(DAY + 1));
        assert_eq!(read().await, json!({ "24h": nothing, "7d": figures }));
    }
}
