//! What a server does whose clock was far ahead and was set right.

use std::time::Duration;

use svc_client::types::api::auth::Login;
use svc_client::types::api::export::CreateExport;
use svc_client::types::api::feed::{FeedSort, Window};
use svc_client::types::api::leaderboard::Metric;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::Tier;
use svc_client::types::{Code, PostId};
use svc_core::ids;
use svc_server::testing::START;
use svc_store::db::Sql;
use svc_store::{sql, values};

use crate::app::code;
use crate::leaderboard::{computed, places, read};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::tiers::tier;

const PASSWORD: &str = "correct horse";

const MAIL: Sql = sql!(
    "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
     values ('mail_1', 'ada@example.org', 'reset', 1, $1, $1, $1)"
);

const CHARGE: Sql = sql!(
    "insert into provider_object (id, kind, dirty, lease, due_at, tries)
     values ('ch_1', 'charge', 1, 1, $1, 1)"
);

const FILE: Sql = sql!("insert into object (name, delete_at, tries) values ('images/1-1', $1, 1)");

/// Work that somebody has taken until then, or that waits for that time.
const TAKEN: [Sql; 3] = [
    sql!(
        "update webhook_delivery set state = 'sending', attempt = 1, next_attempt_at = null,
            lease_owner = 'gone', lease_until = $1"
    ),
    sql!(
        "insert into export (account, state, build, tries, due_at, created_at)
         select id, 'working', 1, 1, cast($1 as bigint), created_at from account
         where username = 'ada'"
    ),
    sql!(
        "insert into entry_mail (account, first, due_at)
         select id, 'sec_1', cast($1 as bigint) from account where username = 'ada'"
    ),
];

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
            for sql in [MAIL, CHARGE, FILE] {
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

    async fn work_that_was_taken_by_a_clock_far_ahead_is_taken_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.webhook(&app).await;
        bob.write(&ada, "psst").await;
        app.execute(|ctx| {
            let (now, year) = (ctx.now().as_millis(), 31_536_000_000_i64);
            for sql in TAKEN {
                ctx.tx.execute(sql, values![now + year])?;
            }
            Ok(1)
        }).await;
        app.sweep_expired().await;
        // Somebody may have taken it again: for a day at most.
        let late = sql!(
            "select (select count(*) from webhook_delivery where lease_until > 1769851800000 + 86400000)
                + (select count(*) from export where due_at > 1769851800000 + 86400000)
                + (select count(*) from entry_mail where due_at > 1769851800000 + 86400000)"
        );
        assert_eq!(app.count(late).await, 0);
    }

    async fn sign_ins_that_failed_by_a_clock_far_ahead_lock_nobody_out(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let guess = || app.anonymous.auth().login("ada", "wrong");
        for _ in 0..5 {
            assert_eq!(code::<Login>(guess().await), Code::InvalidCredentials);
        }
        let year = sql!("update login_failure set at = at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        app.sign_in("ada", PASSWORD).await;
    }

    async fn a_tier_that_a_clock_far_ahead_ended_comes_back(
        app: TestApp, "billing.stripe.key_file" = "its own", "passes.boost" = "40"
    ) {
        let bot = app.agent("bot").await;
        bot.client.tiers().buy_pass(Tier::Boost).await.unwrap();
        // As it was left when the end of the pass seemed to have come.
        for sql in [
            sql!("update account set tier = 'free' where tier = 'boost'"),
            sql!("update tier_facts set due_at = null"),
        ] {
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        }
        app.sweep_expired().await;
        assert_eq!(tier(&bot).await, Tier::Boost);
        let ends = sql!("select count(*) from tier_facts where due_at = boost_until");
        assert_eq!(app.count(ends).await, 1);
        is_consistent(&app).await;
    }

    async fn posts_whose_ids_follow_those_of_a_clock_far_ahead_have_their_own_time(app: TestApp) {
        let ada = app.agent("ada").await;
        let ahead: PostId = ids::first_of(START.plus(Duration::from_hours(8_760)));
        app.server.app().ids.start(0, ids::number(ahead.as_str()).unsigned_abs());
        let post = ada.post("hello").await;
        assert!(post.id > ahead);
        let newest = app.anonymous.feed().global().sort(FeedSort::New);
        assert_eq!(newest.await.unwrap().posts.len(), 1);
        let day = async || read(&app, Metric::Posts, &Window::Day).await.leaderboard.len();
        computed(&app).await;
        assert_eq!(day().await, 1);
        app.advance(86_400);
        computed(&app).await;
        assert_eq!(day().await, 0);
    }

    async fn an_export_of_a_clock_far_ahead_leaves_room_for_another(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.export().create().await.unwrap();
        // As it was left once its file was made.
        let year = sql!(
            "update export set state = 'ready', due_at = null, created_at = created_at + 31536000000,
                expires_at = created_at + 31622400000, bytes = 1"
        );
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        let export = ada.client.export().create().await.unwrap().export;
        assert_eq!(export.created_at, app.server.clock().now());
        assert_eq!(code::<CreateExport>(ada.client.export().create().await), Code::LimitReached);
    }

    async fn last_uses_that_a_clock_far_ahead_noted_are_followed_by_later_ones(app: TestApp) {
        let ada = app.agent("ada").await;
        let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let gate = app.developer_client(made.developer_api_key);
        let use_both = async || {
            ada.client.users().me().await.unwrap();
            gate.developers().me().await.unwrap();
            app.server.flush().await;
        };
        use_both().await;
        for sql in [
            sql!("update api_key set last_used_at = last_used_at + 31536000000"),
            sql!("update developer_app set last_used_at = last_used_at + 31536000000"),
        ] {
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        }
        app.advance(60);
        use_both().await;
        let now = Some(app.server.clock().now());
        let key = ada.client.keys().list().await.unwrap().keys.remove(0);
        let listed = ada.client.developers().apps().await.unwrap().developers.remove(0);
        assert_eq!((key.last_used_at, listed.last_used_at), (now, now));
    }

    async fn changes_of_an_app_are_noted_although_ids_follow_those_of_a_clock_far_ahead(app: TestApp) {
        let ada = app.agent("ada").await;
        let ahead: PostId = ids::first_of(START.plus(Duration::from_hours(8_760)));
        app.server.app().ids.start(0, ids::number(ahead.as_str()).unsigned_abs());
        let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let gate = app.developer_client(made.developer_api_key);
        for name in ["Gates", "Doors"] {
            gate.developers().update().app_name(name).await.unwrap();
            app.advance(601);
        }
        let log = ada.client.security().log().await.unwrap().entries;
        let changes = log.iter().filter(|entry| entry.action == SecurityAction::AppChanged);
        assert_eq!(changes.count(), 2);
    }

    async fn events_that_follow_those_of_a_clock_far_ahead_have_their_own_time(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        ada.client.relations().follow("bob").await.unwrap();
        let year = sql!("update event_head set last_at = last_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        app.advance(60);
        eve.client.relations().follow("bob").await.unwrap();
        let newest = bob.client.notifications().list().await.unwrap().notifications.remove(0);
        assert_eq!(newest.created_at, app.server.clock().now());
        let event = bob.client.events().list().await.unwrap().events.pop().unwrap();
        assert_eq!(event.timestamp, newest.created_at);
    }

    async fn leaderboards_of_a_clock_far_ahead_are_computed_again(app: TestApp) {
        let ada = app.agent("ada").await;
        let year = sql!("update leaderboard set generated_at = generated_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        ada.post("hello").await;
        computed(&app).await;
        let board = read(&app, Metric::Posts, &Window::Week).await;
        assert_eq!(places(&board), [(1, "ada".to_owned(), 1.0)]);
    }

    async fn hashtags_that_a_clock_far_ahead_counted_are_counted_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.post("#x").await;
        app.index().await;
        let year = sql!(
            "update hashtag set counted_at = counted_at + 31536000000, due_at = due_at + 31536000000"
        );
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        bob.post("#x").await;
        app.index().await;
        app.sweep_expired().await;
        app.index().await;
        let counted = app.anonymous.hashtags().get("x").await.unwrap().hashtag;
        assert_eq!((counted.posts_count, counted.accounts_count), (2, 2));
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
            // As long as each may wait.
            let now = ctx.now().as_millis();
            for (sql, hours) in [(MAIL, 12), (CHARGE, 3), (FILE, 48)] {
                ctx.tx.execute(sql, values![now + hours * 3_600_000_i64])?;
            }
            Ok(1)
        }).await;
        app.sweep_expired().await;
        let waiting = sql!("select count(*) from webhook where due_at = 1769851800000 + 86400000");
        assert_eq!(app.count(waiting).await, 1);
        let waiting = sql!(
            "select (select count(*) from mail_outbox where due_at = 1769851800000 + 43200000)
                + (select count(*) from provider_object where due_at = 1769851800000 + 10800000)
                + (select count(*) from object where delete_at = 1769851800000 + 172800000)"
        );
        assert_eq!(app.count(waiting).await, 3);
    }
}
