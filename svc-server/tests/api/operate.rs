//! What operators watch: figures of the whole platform, and deliveries that were given up.

use svc_client::types::api::operate::{GetOverview, Overview, OverviewWindow, QueueName};
use svc_client::types::api::webhooks::WebhookKind;
use svc_client::types::{Balance, Code};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::market::Market;
use crate::on_both_engines;
use crate::webhooks::URL;

const HOUR: u64 = 3_600;

async fn operator(app: &TestApp) -> Member {
    let olga = app.agent("olga").await;
    app.grant_role("olga", "admin").await;
    olga
}

async fn overview(operator: &Member, window: OverviewWindow) -> Overview {
    operator.client.moderation().overview().window(window).await.unwrap().overview
}

/// How much waits in a queue, and for how long.
fn waiting(overview: &Overview, name: &QueueName) -> (i64, Option<f64>) {
    let queue = overview.queues.iter().find(|queue| queue.name == *name).unwrap();
    (queue.waiting, queue.lag_seconds)
}

on_both_engines! {
    async fn figures_of_the_platform_are_those_of_its_lists(app: TestApp) {
        let market = Market::new(app).await;
        let olga = operator(&market.app).await;
        let before = overview(&olga, OverviewWindow::Week).await;
        assert_eq!((before.signups, before.escrows_open, before.disputes_open), (3, 0, 0));
        assert_eq!((before.orders_done, before.orders_failed, before.oldest_dispute_at), (0, 0, None));
        let done = market.open(20).await.id;
        market.deliver(&done).await;
        market.ada.client.escrow().release(&done).await.unwrap();
        let refunded = market.open(10).await.id;
        market.deliver(&refunded).await;
        market.bob.client.escrow().refund(&refunded).await.unwrap();
        let disputed = market.open(30).await.id;
        market.deliver(&disputed).await;
        let since = market.dispute(&disputed).await.dispute.unwrap().opened_at;
        market.app.advance(HOUR);
        let now = overview(&olga, OverviewWindow::Day).await;
        assert_eq!((now.signups, now.orders_done, now.orders_failed), (3, 1, 1));
        assert_eq!((now.escrows_open, now.escrows_hold), (1, Balance::from_micros(30_000_000)));
        assert_eq!((now.disputes_open, now.oldest_dispute_at), (1, Some(since)));
        assert_eq!(now.series.len(), 24);
        let sums = now.series.iter().fold((0, 0, 0), |sum, step| {
            (sum.0 + step.signups, sum.1 + step.orders_done, sum.2 + step.orders_failed)
        });
        assert_eq!(sums, (3, 1, 1));
        market.app.advance(30 * HOUR);
        let later = overview(&olga, OverviewWindow::Day).await;
        assert_eq!((later.signups, later.orders_done, later.disputes_open), (0, 0, 1));
        let week = overview(&olga, OverviewWindow::Week).await;
        assert_eq!((week.signups, week.orders_done, week.series.len()), (3, 1, 7));
    }

    async fn a_queue_tells_how_long_its_oldest_entry_has_waited(app: TestApp) {
        let olga = operator(&app).await;
        app.execute(move |ctx| {
            let at = ctx.now().as_millis();
            ctx.tx.execute(
                sql!(
                    "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
                     values ('mail_1', 'a@example.org', 'test', 0, $1, $2, $1), ('mail_2', 'b@example.org', 'test', 0, $2, $2, $1)"
                ),
                values![at - 5_000, at + 60_000],
            )
        })
        .await;
        let now = overview(&olga, OverviewWindow::Day).await;
        assert_eq!(waiting(&now, &QueueName::Mail), (1, Some(5.0)), "one is due later");
        assert_eq!(waiting(&now, &QueueName::Webhooks), (0, None));
        app.index().await;
        let indexed = overview(&olga, OverviewWindow::Day).await;
        assert_eq!(waiting(&indexed, &QueueName::Search), (0, None));
        olga.post("something to index").await;
        let now = overview(&olga, OverviewWindow::Day).await;
        assert!(waiting(&now, &QueueName::Search).0 > 0, "{now:?}");
    }

    async fn deliveries_that_were_given_up_are_listed(app: TestApp) {
        let (olga, [ada, bob]) = (operator(&app).await, app.friends(["ada", "bob"]).await);
        let making = ada.client.webhooks().create(URL).events([WebhookKind::DirectMessage]);
        let webhook = making.await.unwrap().webhook.id;
        app.silence().await;
        for text in ["one", "two", "three"] {
            bob.write(&ada, text).await;
        }
        let deliveries = all_items(ada.client.webhooks().deliveries(&webhook)).await;
        for delivery in &deliveries[1..] {
            app.settle(&delivery.id, "failed").await;
        }
        assert_eq!(overview(&olga, OverviewWindow::Day).await.deliveries_failed, 2);
        let listed = all_items(olga.client.moderation().failed_deliveries().limit(1)).await;
        let ids: Vec<_> = listed.iter().map(|one| &one.id).collect();
        assert_eq!(ids, deliveries[1..].iter().map(|one| &one.id).collect::<Vec<_>>());
        let first = &listed[0];
        assert_eq!((&*first.username, &first.webhook_id, first.attempts), ("ada", &webhook, 1));
        assert_eq!((first.status, first.error_class.as_ref()), (None, None), "no attempt was noted");
    }

    async fn only_admins_see_the_figures(app: TestApp) {
        let judge = app.agent("judge").await;
        app.grant_role("judge", "moderator").await;
        let moderation = judge.client.moderation();
        assert_eq!(code::<GetOverview>(moderation.overview().await), Code::Forbidden);
        let refused = moderation.failed_deliveries().page().await;
        assert_eq!(refused.unwrap_err().code(), Some(&Code::Forbidden));
        app.grant_role("judge", "admin").await;
        assert!(moderation.overview().await.is_ok());
        assert!(all_items(moderation.failed_deliveries()).await.is_empty());
    }
}
