//! Account budgets, exact even for concurrent requests.

mod bytes;
mod deals;
mod messages;
mod of_many_at_once;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::reactions::LikePost;
use svc_client::types::{Code, PostId};
use svc_core::tasks::trust;
use svc_server::testing::START;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, code};
use crate::market::Market;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// Sends a request of an account.
async fn ask(app: &TestApp, by: &Member, method: Method, path: &str, body: Value) -> Raw {
    answer(by.raw(app, method, path).json(&body)).await
}

/// Likes a post.
async fn like(app: &TestApp, by: &Member, post: &PostId) -> Raw {
    answer(by.raw(app, Method::POST, &format!("/posts/{post}/like"))).await
}

async fn write_to(app: &TestApp, by: &Member, to: &str) -> Raw {
    let body = json!({ "recipientUsername": to, "content": "hello" });
    ask(app, by, Method::POST, "/messages", body).await
}

/// Three messages and a follow, none of which a limit refuses.
async fn assert_unlimited(app: &TestApp) {
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    app.follow(&bob, &ada).await;
    for _ in 0..3 {
        assert_eq!(write_to(app, &ada, "bob").await.status, 201);
    }
}

/// Limit, remaining, reset in seconds after the start, retry.
fn window(raw: &Raw) -> [Option<i64>; 4] {
    let number = |name| raw.header(name).and_then(|text| text.parse::<i64>().ok());
    let reset = number("x-ratelimit-reset").map(|reset| reset - START.as_millis() / 1000);
    let [limit, remaining] = ["x-ratelimit-limit", "x-ratelimit-remaining"].map(number);
    [limit, remaining, reset, number("retry-after")]
}

/// How many concurrent calls had this status; the others were refused by the limit.
async fn admitted<F: Future<Output = Raw>>(calls: impl Iterator<Item = F>, status: u16) -> usize {
    let answers = futures_util::future::join_all(calls).await;
    let refused = answers.iter().filter(|answer| answer.status != status);
    for refusal in refused.map(Raw::refusal) {
        assert_eq!(refusal.code, Code::RateLimited, "{}", refusal.error);
    }
    answers.iter().filter(|answer| answer.status == status).count()
}

on_both_engines! {
    async fn a_budget_that_is_paid_off_is_forgotten_behind_a_thousand_that_are_not(app: TestApp) {
        app.execute(|ctx| {
            let later = ctx.now().as_millis() * 1_000 + 1;
            let sql = sql!(
                "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
                 insert into budget (subject, class, paid_off_at)
                 select 'usr_1', 'peer:' || cast(i as text), cast($1 as bigint) from n
                 union all select 'usr_2', 'writes', 0"
            );
            ctx.tx.execute(sql, values![later])
        }).await;
        trust::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from budget where subject = 'usr_2'")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from budget")).await, 1_000);
    }

    async fn changes_are_limited_per_hour(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "3/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        for left in [2, 1, 0] {
            let liked = like(&app, &ada, &post.id).await;
            assert_eq!(liked.status, 200);
            assert_eq!(liked.header("ratelimit-policy"), Some(r#""writes";q=3;w=3600"#));
            let reported = format!(r#""writes";r={left};t={}"#, (3 - left) * 1200);
            assert_eq!(liked.header("ratelimit"), Some(&*reported));
        }
        let refused = like(&app, &ada, &post.id).await;
        assert_eq!(window(&refused), [Some(3), Some(0), Some(3600), Some(1200)]);
        let refusal = refused.refusal();
        assert_eq!(refusal.error, "an account has at most 3 changes in 1h");
        assert_eq!(code::<LikePost>(ada.client.reactions().like(&post.id).await), Code::RateLimited);
        ada.client.posts().get(&post.id).await.unwrap();
        ada.reply(&post, "replies are no changes").await;
        assert_eq!(like(&app, &bob, &post.id).await.status, 200, "another account");
        app.advance(1199);
        assert_eq!(window(&like(&app, &ada, &post.id).await)[3], Some(1));
        app.advance(1);
        assert_eq!(like(&app, &ada, &post.id).await.status, 200);
        assert_eq!(like(&app, &ada, &post.id).await.status, 429);
        app.advance(3600);
        for _ in 0..3 {
            assert_eq!(like(&app, &ada, &post.id).await.status, 200);
        }
        assert_eq!(like(&app, &ada, &post.id).await.status, 429, "it never holds more");
    }

    async fn an_account_that_waits_for_retry_after_may_act_again(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "7/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        for _ in 0..7 {
            assert_eq!(like(&app, &ada, &post.id).await.status, 200);
        }
        let wait = like(&app, &ada, &post.id).await.refusal().retry_after;
        assert_eq!(wait, Some(515), "514 seconds and two sevenths");
        app.advance(514);
        assert_eq!(like(&app, &ada, &post.id).await.refusal().retry_after, Some(1), "never 0");
        app.advance(1);
        assert_eq!(like(&app, &ada, &post.id).await.status, 200);
    }

    async fn a_refusal_names_the_longest_time_that_is_left(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h",
        "limits.new.messages" = "1/10m"
    ) {
        let [ada, _bob] = app.agents(["ada", "bob"]).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        let refused = write_to(&app, &ada, "bob").await;
        assert_eq!(window(&refused), [Some(1), Some(0), Some(3600), Some(3600)]);
        assert_eq!(refused.refusal().error, "an account has at most 1 changes in 1h");
        app.advance(3600);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
    }

    async fn without_budgets_nothing_is_limited(
        app: TestApp, "limits.budgets" = "false", "limits.dm_per_peer" = "1/1h",
        "limits.new.messages" = "1/1h", "limits.new.writes" = "1/1h"
    ) {
        assert_unlimited(&app).await;
    }

    async fn a_limit_of_zero_is_no_limit(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "0/1h",
        "limits.new.messages" = "0/1h", "limits.new.writes" = "0/1h"
    ) {
        assert_unlimited(&app).await;
    }

    async fn requests_that_change_nothing_are_free(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        assert_eq!(like(&app, &ada, &"post_none".into()).await.status, 404);
        let list = |body: Value| {
            let request = ada.raw(&app, Method::POST, "/lists").header("idempotency-key", "once");
            answer(request.json(&body))
        };
        assert_eq!(list(json!({})).await.status, 400);
        let made = list(json!({ "name": "friends" })).await;
        assert_eq!(made.status, 201);
        let again = list(json!({ "name": "friends" })).await;
        assert_eq!((again.status, again.header("idempotent-replayed")), (made.status, Some("true")));
        assert_eq!(again.header("ratelimit"), None);
        assert_eq!(like(&app, &ada, &post.id).await.status, 429);
    }

    async fn an_account_without_budget_is_not_locked_out(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        assert_eq!(like(&app, &ada, &post.id).await.status, 200);
        assert_eq!(like(&app, &ada, &post.id).await.status, 429);
        ada.client.notifications().read_all().await.unwrap();
        let new = ada.client.auth().regenerate_api_key().await.unwrap();
        app.client(new.api_key).users().delete_me("ada").await.unwrap();
    }

    async fn what_was_counted_by_a_clock_far_ahead_locks_nobody_out(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "1/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&bob, &ada).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 429);
        let year = sql!("update budget set paid_off_at = paid_off_at + 31536000000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 429);
    }

    async fn posts_have_a_separate_window(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h"
    ) {
        let ada = app.agent("ada").await;
        ada.client.lists().create("friends").await.unwrap();
        let posted = ask(&app, &ada, Method::POST, "/posts", json!({ "content": "first" })).await;
        assert_eq!(posted.status, 201, "{}", posted.text);
        assert_eq!(window(&posted), [Some(1), Some(0), Some(1800), None]);
    }

    async fn operations_of_a_batch_cost_the_same_as_single_calls(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "3/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await.id;
        let like = json!({ "op": "like", "postId": post });
        let missing = json!({ "op": "like", "postId": "post_none" });
        let reply = json!({ "op": "create_reply", "replyToId": post, "content": "hello" });
        let operations = [&like, &missing, &reply, &like, &like, &like, &reply];
        let ran = ask(&app, &ada, Method::POST, "/batch", json!({ "operations": operations })).await;
        let results = ran.json()["results"].as_array().unwrap().clone();
        let statuses: Vec<u64> = results.iter().map(|result| result["status"].as_u64().unwrap()).collect();
        assert_eq!(statuses, [200, 404, 201, 200, 200, 429, 201], "{}", ran.text);
        assert_eq!(results[5]["body"]["retryAfter"], 1200);
        let left = ran.header("ratelimit").unwrap();
        assert!(left.contains(r#""writes";r=0;t=3600"#), "{left}");
        assert_eq!(left.matches(r#""writes""#).count(), 1, "what is left at the end: {left}");
    }

    async fn budgets_can_be_disabled(
        app: TestApp, "limits.new.writes" = "1/1h", "limits.new.unfunded" = "1"
    ) {
        let market = Market::new(app).await;
        for _ in 0..3 {
            let made = market.opening(1_000_000).raw().await.unwrap();
            assert!(!made.headers.contains_key("ratelimit"));
        }
        assert_eq!(market.app.count(sql!("select count(*) from budget")).await, 0);
    }
}
