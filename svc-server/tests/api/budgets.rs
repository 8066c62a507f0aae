//! Account budgets, exact even for concurrent requests.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::reactions::LikePost;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, PostId};
use svc_core::tasks::trust;
use svc_server::testing::{Engine, START, in_time};
use svc_store::{sql, values};

use crate::app::{self, Member, TestApp, code};
use crate::held::Held;
use crate::market::{Market, response};
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
    async fn messages_to_one_recipient_are_limited_per_hour(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "3/1h",
        "database.connections" = "4"
    ) {
        let [ada, bob, _eve] = app.agents(["ada", "bob", "eve"]).await;
        app.follow(&bob, &ada).await;
        let at_once = (0..8).map(|_| write_to(&app, &ada, "bob"));
        assert_eq!(admitted(at_once, 201).await, 3);
        let refused = write_to(&app, &ada, "bob").await;
        assert_eq!(refused.status, 429);
        assert_eq!(window(&refused), [Some(3), Some(0), Some(3600), Some(1200)]);
        let refusal = refused.refusal();
        assert_eq!(refusal.code, Code::RateLimited);
        assert_eq!(refusal.error, "an account sends another one at most 3 messages in 1h");
        assert_eq!(write_to(&app, &ada, "eve").await.status, 201);
        app.advance(1200);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 429);
    }

    async fn what_was_sent_to_one_recipient_is_forgotten_once_it_counts_no_more(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "3/1h"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&bob, &ada).await;
        let kept = async || {
            trust::once(app.server.app()).await.unwrap();
            app.count(sql!("select count(*) from budget where class like 'peer:%'")).await
        };
        for _ in 0..3 {
            assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        }
        app.advance(3599);
        assert_eq!(kept().await, 1);
        for status in [201, 201, 429] {
            assert_eq!(write_to(&app, &ada, "bob").await.status, status, "a second of an hour counts");
        }
        app.advance(2401);
        assert_eq!(kept().await, 0);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
    }

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

    async fn who_waits_for_one_recipient_need_not_wait_again_for_all_messages(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "1/2h",
        "limits.new.messages" = "1/1h"
    ) {
        let [ada, _bob] = app.agents(["ada", "bob"]).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        let refused = write_to(&app, &ada, "bob").await;
        assert_eq!(refused.refusal().error, "an account sends another one at most 1 messages in 2h");
        assert_eq!(window(&refused), [Some(1), Some(0), Some(7200), Some(7200)]);
        app.advance(7200);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
    }

    async fn without_budgets_nothing_is_limited(
        app: TestApp, "limits.budgets" = "false", "limits.dm_per_peer" = "1/1h",
        "limits.new.messages" = "1/1h", "limits.new.writes" = "1/1h"
    ) {
        assert_unlimited(&app).await;
    }

    async fn a_message_that_is_sent_several_times_at_once_is_paid_once(
        app: TestApp, "limits.budgets" = "true", "limits.new.messages" = "3/1h",
        "database.connections" = "4"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&bob, &ada).await;
        let body = json!({ "recipientUsername": "bob", "content": "hi", "clientMessageId": "n1" });
        let same = (0..8).map(|_| ask(&app, &ada, Method::POST, "/messages", body.clone()));
        assert_eq!(admitted(same, 201).await, 8);
        for status in [201, 201, 429] {
            assert_eq!(write_to(&app, &ada, "bob").await.status, status, "one was paid before");
        }
    }

    async fn a_message_in_a_channel_that_is_sent_again_costs_nothing(
        app: TestApp, "limits.budgets" = "true", "limits.new.messages" = "1/1h"
    ) {
        let ada = app.agent("ada").await;
        let channel = ada.client.channels().create("talk").await.unwrap().channel;
        let path = format!("/channels/{}/messages", channel.id);
        let send = async |id: &str| {
            let body = json!({ "content": "hello", "clientMessageId": id });
            ask(&app, &ada, Method::POST, &path, body).await
        };
        let first = send("c1").await;
        assert_eq!(first.status, 201);
        assert_eq!(send("c1").await.json(), first.json());
        assert_eq!(send("c2").await.status, 429);
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

    async fn bytes_are_limited_per_day(
        app: TestApp, "limits.budgets" = "true", "limits.new.bytes" = "100000/1d"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        let path = format!("/posts/{}/replies", post.id);
        let long = json!({ "content": "x".repeat(40_000) });
        for _ in 0..2 {
            assert_eq!(ask(&app, &ada, Method::POST, &path, long.clone()).await.status, 201);
        }
        let refused = ask(&app, &ada, Method::POST, &path, long.clone()).await;
        assert_eq!(refused.refusal().error, "an account has at most 100000 bytes of content in 1d");
        let [limit, left, _, wait] = window(&refused).map(Option::unwrap);
        assert_eq!((limit, left), (100_000, 100_000 - 2 * 40_014));
        ada.reply(&post, "short").await;
        assert_eq!(like(&app, &ada, &post.id).await.status, 200, "it has no bytes");
        let used = json!({ "content": "short" }).to_string().len() as u64;
        app.advance(u64::try_from(wait).unwrap() + used * 86_400 / 100_000 + 1);
        assert_eq!(ask(&app, &ada, Method::POST, &path, long).await.status, 201);
    }

    async fn the_copy_in_a_report_costs_bytes(
        app: TestApp, "limits.budgets" = "true", "limits.new.bytes" = "50000/1d"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let long = "x".repeat(40_000);
        let (first, second) = (bob.post(&long).await, cyd.post(&long).await);
        let short = bob.reply(&first, "short").await;
        let report = async |post: &PostId| {
            let body = json!({ "subject": { "type": "post", "id": post }, "reason": "spam" });
            ask(&app, &ada, Method::POST, "/reports", body).await
        };
        assert_eq!(report(&first.id).await.status, 201);
        let refused = report(&second.id).await.refusal();
        assert_eq!(refused.error, "an account has at most 50000 bytes of content in 1d");
        assert_eq!(report(&short.id).await.status, 201);
    }

    async fn what_takes_work_before_it_is_written_costs_bytes_too(
        app: TestApp, "limits.budgets" = "true", "limits.new.bytes" = "3000/1d"
    ) {
        let ada = app.agent("ada").await;
        let offer = async |name: &str| {
            let body = json!({ "name": name, "description": "x".repeat(1_900), "priceCredits": 1 });
            ask(&app, &ada, Method::POST, "/v1/bots/me/services", body).await
        };
        assert_eq!(offer("first").await.status, 201);
        let refused = offer("second").await.refusal();
        assert_eq!(refused.error, "an account has at most 3000 bytes of content in 1d");
    }

    async fn messages_and_first_contacts_are_counted_separately(
        app: TestApp, "limits.budgets" = "true", "limits.new.messages" = "5/1h",
        "limits.new.strangers" = "2/1d"
    ) {
        let [ada, bob, _cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201);
        assert_eq!(write_to(&app, &ada, "cyd").await.status, 201);
        let refused = write_to(&app, &ada, "dan").await;
        assert_eq!(window(&refused), [Some(2), Some(0), Some(86_400), Some(43_200)]);
        assert_eq!(app.count(sql!("select count(*) from conversation")).await, 2);
        assert_eq!(write_to(&app, &ada, "bob").await.status, 201, "the account has received a message before");
        dan.write(&ada, "hello").await;
        assert_eq!(write_to(&app, &ada, "dan").await.status, 201, "an account that wrote first is already known");
        let channel = eve.client.channels().create("talk").await.unwrap().channel;
        ada.client.channels().join(&channel.id).await.unwrap();
        let path = format!("/channels/{}/messages", channel.id);
        let said = ask(&app, &ada, Method::POST, &path, json!({ "content": "hello" })).await;
        assert_eq!(said.status, 201, "{}", said.text);
        for refused in [
            ask(&app, &ada, Method::POST, &path, json!({ "content": "hello" })).await,
            write_to(&app, &ada, "bob").await,
        ] {
            assert_eq!(refused.refusal().error, "an account has at most 5 messages in 1h");
        }
        assert_eq!(write_to(&app, &bob, "ada").await.status, 201);
    }

    async fn orders_and_escrows_are_counted_together(
        app: TestApp, "limits.budgets" = "true", "limits.new.deals" = "3/1h",
        "limits.new.strangers" = "1/1d", "limits.new.messages" = "1/1h"
    ) {
        let market = Market::new(app).await;
        let first = market.ordered(5).await;
        market.ordered(5).await;
        let escrow = market.open(5).await;
        assert_eq!(market.opening(5).await.unwrap_err().code(), Some(&Code::RateLimited));
        market.deliver(&escrow.id).await;
        market.ada.client.escrow().release(&escrow.id).await.unwrap();
        let done = response(&first, ResponseStatus::Completed);
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
        market.ada.write(&market.bob, "no order was a message").await;
        let refused = write_to(&market.app, &market.ada, "bob").await;
        assert_eq!(refused.refusal().code, Code::RateLimited);
    }

    async fn a_deal_can_be_finished_without_remaining_budget(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h",
        "limits.new.messages" = "1/1h"
    ) {
        let market = Market::new(app).await;
        let order = market.ordered(5).await;
        market.bob.client.lists().create("friends").await.unwrap_err();
        let done = response(&order, ResponseStatus::Completed);
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
    }

    async fn unfunded_escrows_are_limited(
        app: TestApp, "limits.budgets" = "true", "limits.new.unfunded" = "2",
        "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let opening = (0..8).map(|_| {
            let body = json!({
                "providerUsername": "bob", "serviceId": market.service, "amount": 1_000_000,
                "description": "a report", "expiresIn": "1h",
            });
            ask(&market.app, &market.ada, Method::POST, "/v1/escrow", body)
        });
        assert_eq!(admitted(opening, 201).await, 2);
        let refused = market.opening(1_000_000).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::RateLimited));
        assert_eq!(refused.retry_after().map(|wait| wait.as_secs()), Some(3600));
        market.open(5).await;
        let open = market.ada.client.escrow().list().await.unwrap().escrows;
        market.ada.client.escrow().cancel(&open[1].id).await.unwrap();
        market.open(1_000_000).await;
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

    async fn pictures_count_as_changes_and_bytes(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "2/1h",
        "limits.new.bytes" = "100/1d"
    ) {
        let ada = app.agent("ada").await;
        let upload = |bytes: usize| {
            let request = ada.raw(&app, Method::PUT, "/users/me/avatar");
            answer(request.header("content-type", "image/png").body(vec![0; bytes]))
        };
        assert_eq!(upload(101).await.status, 429, "of bytes");
        assert_eq!(upload(10).await.status, 400, "it was decoded, and so counts");
        assert_eq!(upload(10).await.status, 400);
        assert_eq!(upload(10).await.status, 429);
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

mod of_many_at_once {
    use svc_server::testing::Engine::{Postgres, Sqlite};

    use super::*;

    /// Three servers on PostgreSQL, one on SQLite; forty changes at once.
    async fn exactly_as_many_as_allowed(engine: Engine) {
        let database = app::database(engine).await;
        let Some(database) = database else { return };
        let settings = [("limits.budgets", "true"), ("limits.new.writes", "11/1h")];
        let mut nodes = Vec::new();
        for _ in 0..if engine == Postgres { 3 } else { 1 } {
            nodes.push(TestApp::on(engine, &database, &settings).await);
        }
        let [ada, bob] = nodes[0].agents(["ada", "bob"]).await;
        let post = bob.post("first").await.id;
        let mut bodies = Vec::new();
        for number in 0..40 {
            bodies
                .push((&nodes[number % nodes.len()], json!({ "name": format!("list {number}") })));
        }
        let making =
            bodies.into_iter().map(|(node, body)| ask(node, &ada, Method::POST, "/lists", body));
        assert_eq!(admitted(making, 201).await, 11);
        assert_eq!(nodes[0].count(sql!("select count(*) from list")).await, 11);
        for node in &nodes {
            assert_eq!(like(node, &ada, &post).await.status, 429);
        }
    }

    #[tokio::test]
    async fn exactly_as_many_as_allowed_pass_sqlite() {
        exactly_as_many_as_allowed(Sqlite).await;
    }

    #[tokio::test]
    async fn exactly_as_many_as_allowed_pass_postgres() {
        exactly_as_many_as_allowed(Postgres).await;
    }

    /// Requests lock budgets in various orders.
    #[tokio::test]
    async fn budgets_that_a_request_takes_from_are_left_to_a_later_round() {
        let Some(app) = TestApp::start_with(Postgres, &[]).await else { return };
        app.execute(|ctx| {
            let sql = sql!(
                "insert into budget (subject, class, paid_off_at)
                 values ('usr_1', 'writes', 0), ('usr_2', 'writes', 0)"
            );
            ctx.tx.execute(sql, &[])
        })
        .await;
        let held = Held::budgets(&app, "usr_1").await;
        in_time("others are forgotten", trust::once(app.server.app())).await.unwrap();
        let left = sql!("select count(*) from budget where subject = 'usr_1'");
        let all = sql!("select count(*) from budget");
        assert_eq!((app.count(left).await, app.count(all).await), (1, 1));
        held.release().await;
        trust::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(all).await, 0);
    }

    #[tokio::test]
    async fn batches_and_single_requests_do_not_deadlock() {
        let settings = [("limits.budgets", "true")];
        let Some(app) = TestApp::start_with(Postgres, &settings).await else { return };
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        // Of new accounts that nobody follows, three messages are taken.
        app.follow(&bob, &ada).await;
        let post = bob.post("first").await.id;
        let operations = json!([
            { "op": "send_message", "recipientUsername": "bob", "content": "hello" },
            { "op": "create_reply", "replyToId": post, "content": "hello" },
            { "op": "like", "postId": post },
        ]);
        let batches = (0..10)
            .map(|_| ask(&app, &ada, Method::POST, "/batch", json!({ "operations": operations })));
        let singles = (0..10).map(|_| write_to(&app, &ada, "bob"));
        let (batches, singles) = tokio::join!(
            futures_util::future::join_all(batches),
            futures_util::future::join_all(singles)
        );
        assert!(batches.iter().all(|ran| ran.status == 200));
        assert!(singles.iter().all(|sent| sent.status == 201));
    }
}
