//! What a server does whose clock was far ahead and was set right.

use svc_store::{sql, values};

use crate::on_both_engines;

on_both_engines! {
    async fn work_that_a_clock_far_ahead_put_off_is_due_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.webhook(&app).await;
        bob.write(&ada, "psst").await;
        ada.post("```js\n1\n```").await;
        app.execute(|ctx| {
            let (now, year) = (ctx.now().as_millis(), 31_536_000_000_i64);
            for sql in [
                sql!("update webhook_delivery set next_attempt_at = next_attempt_at + $1"),
                sql!("update webhook set breaker_until = due_at + $1, due_at = due_at + $1"),
                sql!("update post_code set due_at = due_at + $1"),
            ] {
                ctx.tx.execute(sql, values![year])?;
            }
            for sql in [
                sql!(
                    "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
                     values ('mail_1', 'ada@example.org', 'reset', 1, $1, $1, $1)"
                ),
                sql!(
                    "insert into provider_object (id, kind, dirty, lease, due_at, tries)
                     values ('ch_1', 'charge', 1, 1, $1, 1)"
                ),
                sql!("insert into object (name, delete_at, tries) values ('images/1-1', $1, 1)"),
            ] {
                ctx.tx.execute(sql, values![now + year])?;
            }
            Ok(1)
        }).await;
        app.sweep_expired().await;
        let late = sql!(
            "select (select count(*) from webhook where due_at > 1769851800000 or breaker_until is not null)
                + (select count(*) from webhook_delivery where next_attempt_at > 1769851800000)
                + (select count(*) from post_code where due_at > 1769851800000)
                + (select count(*) from mail_outbox where due_at > 1769851800000)
                + (select count(*) from provider_object where due_at > 1769851800000)
                + (select count(*) from object where delete_at > 1769851800000)"
        );
        assert_eq!(app.count(late).await, 0);
        let waiting = sql!("select count(*) from webhook_delivery where next_attempt_at = 1769851800000");
        assert_eq!(app.count(waiting).await, 1);
    }

    async fn work_waits_as_long_as_a_right_clock_says(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.webhook(&app).await;
        bob.write(&ada, "psst").await;
        app.execute(|ctx| {
            // The longest pause, a fifth longer.
            let pause = 24 * 3_600_000_i64;
            for sql in [
                sql!("update webhook_delivery set next_attempt_at = next_attempt_at + $1"),
                sql!("update webhook set due_at = due_at + $1"),
            ] {
                ctx.tx.execute(sql, values![pause])?;
            }
            Ok(1)
        }).await;
        app.sweep_expired().await;
        let waiting = sql!("select count(*) from webhook where due_at = 1769851800000 + 86400000");
        assert_eq!(app.count(waiting).await, 1);
    }
}
