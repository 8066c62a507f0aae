//! More deliveries than one transaction holds, resumes or cancels.

use svc_client::types::WebhookId;
use svc_store::db::Sql;
use svc_store::sql;

use super::{CANCELLED, HELD};
use crate::app::{Member, TestApp};
use crate::on_both_engines;

/// More deliveries of an event, as if it had been sent again.
const MORE: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
     insert into webhook_delivery (id, webhook, event, kind, seq, replay_no, trigger_kind, state,
        next_attempt_at, created_at)
     select d.id || '-' || n.i, d.webhook, d.event, d.kind, d.seq, n.i, d.trigger_kind, d.state,
        d.next_attempt_at, d.created_at
     from webhook_delivery d cross join n"
);

const UNSETTLED: Sql = sql!("select count(*) from webhook where unsettled_since is not null");

/// A webhook that was down for more than 72 hours, was enabled and disabled again: of 1,201 deliveries from before,
/// 1,000 are cancelled, and there is one that was held for less.
async fn interrupted(app: &TestApp) -> (Member, WebhookId) {
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    let id = ada.webhook(app).await.id;
    bob.write(&ada, "long before").await;
    app.execute(|ctx| ctx.tx.execute(MORE, &[])).await;
    ada.client.webhooks().disable(&id).await.unwrap();
    app.server.recover().await;
    // The clock does not advance, so no sweeper runs first.
    let sql = sql!("update webhook_delivery set created_at = created_at - 72 * 3600 * 1000");
    app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
    bob.write(&ada, "meanwhile").await;
    let sql = sql!("update webhook set disabled_at = disabled_at - 72 * 3600 * 1000");
    app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
    ada.client.webhooks().enable(&id).await.unwrap();
    ada.client.webhooks().disable(&id).await.unwrap();
    assert_eq!([app.count(CANCELLED).await, app.count(HELD).await], [1_000, 202]);
    assert_eq!(app.count(UNSETTLED).await, 1);
    (ada, id)
}

on_both_engines! {
    async fn what_a_suspension_held_for_72_hours_is_cancelled_in_batches(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.webhook(&app).await;
        bob.write(&ada, "long before").await;
        app.execute(|ctx| ctx.tx.execute(MORE, &[])).await;
        app.suspend("ada").await;
        app.server.recover().await;
        // The clock does not advance, so no sweeper runs first.
        for sql in [
            sql!("update webhook_delivery set created_at = created_at - 72 * 3600 * 1000"),
            sql!("update webhook set suspended_at = suspended_at - 72 * 3600 * 1000"),
        ] {
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        }
        app.unsuspend("ada").await;
        assert_eq!([app.count(CANCELLED).await, app.count(HELD).await], [1_000, 201]);
        app.server.recover().await;
        assert_eq!([app.count(CANCELLED).await, app.count(UNSETTLED).await], [1_201, 0]);
    }

    async fn any_number_of_deliveries_follows_its_webhook_in_batches(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "before").await;
        app.execute(|ctx| ctx.tx.execute(MORE, &[])).await;
        app.suspend("ada").await;
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [1_000, 1]);
        let due = sql!("select count(*) from webhook where due_at is not null");
        assert_eq!(app.count(due).await, 0, "what is not held yet is not sent either");
        app.server.recover().await;
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [1_201, 0]);
        app.unsuspend("ada").await;
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [201, 1]);
        app.suspend("ada").await;
        app.server.recover().await;
        assert_eq!(app.count(HELD).await, 1_201, "it follows where the webhook is by now");
        app.unsuspend("ada").await;
        app.server.recover().await;
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [0, 0]);
        ada.client.webhooks().delete(&id).await.unwrap();
        assert_eq!(app.count(CANCELLED).await, 1_000);
        app.server.recover().await;
        assert_eq!([app.count(CANCELLED).await, app.count(UNSETTLED).await], [1_201, 0]);
    }

    async fn any_number_of_deliveries_held_for_72_hours_is_cancelled_on_enable(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "long before").await;
        app.execute(|ctx| ctx.tx.execute(MORE, &[])).await;
        ada.client.webhooks().disable(&id).await.unwrap();
        app.server.recover().await;
        assert_eq!(app.count(HELD).await, 1_201);
        // The clock does not advance, so no sweeper runs first.
        for sql in [
            sql!("update webhook_delivery set created_at = created_at - 72 * 3600 * 1000"),
            sql!("update webhook set disabled_at = disabled_at - 72 * 3600 * 1000"),
        ] {
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        }
        ada.client.webhooks().enable(&id).await.unwrap();
        assert_eq!([app.count(CANCELLED).await, app.count(HELD).await], [1_000, 201]);
        app.server.recover().await;
        assert_eq!([app.count(CANCELLED).await, app.count(HELD).await], [1_201, 0]);
    }

    async fn what_was_never_held_is_due_though_the_rest_was_held_too_long(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "long before").await;
        app.execute(|ctx| ctx.tx.execute(MORE, &[])).await;
        ada.client.webhooks().disable(&id).await.unwrap();
        assert_eq!(app.count(HELD).await, 1_000, "the first batch of 1,201");
        // The clock does not advance, so no sweeper runs first.
        for sql in [
            sql!("update webhook_delivery set created_at = created_at - 72 * 3600 * 1000"),
            sql!("update webhook set disabled_at = disabled_at - 72 * 3600 * 1000"),
        ] {
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        }
        ada.client.webhooks().enable(&id).await.unwrap();
        app.server.recover().await;
        let pending = sql!("select count(*) from webhook_delivery where state = 'pending'");
        assert_eq!([app.count(CANCELLED).await, app.count(pending).await], [1_000, 201]);
        assert_eq!(app.count(sql!("select count(*) from webhook where due_at is not null")).await, 1);
    }

    async fn what_was_held_too_long_is_cancelled_though_its_webhook_is_down_again(app: TestApp) {
        interrupted(&app).await;
        app.server.recover().await;
        assert_eq!([app.count(CANCELLED).await, app.count(HELD).await], [1_201, 1]);
        assert_eq!(app.count(UNSETTLED).await, 0);
    }

    async fn what_was_held_too_long_is_cancelled_after_the_next_time_down(app: TestApp) {
        let (ada, id) = interrupted(&app).await;
        ada.client.webhooks().enable(&id).await.unwrap();
        app.server.recover().await;
        let pending = sql!("select count(*) from webhook_delivery where state = 'pending'");
        assert_eq!([app.count(CANCELLED).await, app.count(pending).await], [1_201, 1]);
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [0, 0]);
    }

    async fn a_webhook_whose_deliveries_cannot_follow_stops_no_other(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for member in [&ada, &bob] {
            member.webhook(&app).await;
        }
        for (by, to) in [(&bob, &ada), (&bob, &ada), (&ada, &bob)] {
            by.write(to, "before").await;
        }
        // As if each had more than the first batch; and ada's two can't be held.
        let [stage, fail, mend] = [
            sql!("update webhook set suspended_at = 1, unsettled_since = 1, due_at = null"),
            sql!("create unique index fails on webhook_delivery (webhook) where state = 'held'"),
            sql!("drop index fails"),
        ];
        let server = app.server.app();
        for sql in [stage, fail] {
            server.write(move |ctx| ctx.tx.execute(sql, &[])).await.unwrap();
        }
        app.server.recover().await;
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [1, 1]);
        server.write(move |ctx| ctx.tx.execute(mend, &[])).await.unwrap();
        app.server.recover().await;
        assert_eq!([app.count(HELD).await, app.count(UNSETTLED).await], [3, 0]);
    }
}
