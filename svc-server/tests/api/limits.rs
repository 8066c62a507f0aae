//! Windows, and the headers that say how much of them remains (spec §8).

use std::time::Duration;

use http::{HeaderMap, Method};
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::posts::CreatePost;
use svc_server::testing::START;
use svc_store::sql;

use crate::app::{Member, TestApp, code};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// The headers of a limited call: limit, remaining, reset in seconds after the start, retry.
fn window(headers: &HeaderMap) -> [Option<i64>; 4] {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.parse::<i64>().ok();
    [
        number("x-ratelimit-limit"),
        number("x-ratelimit-remaining"),
        number("x-ratelimit-reset").map(|reset| reset - START.as_millis() / 1000),
        number("retry-after"),
    ]
}

/// Publishes with these members.
async fn publish(app: &TestApp, author: &Member, members: serde_json::Value) -> Raw {
    let request = app.raw(Method::POST, "/posts").json(&members);
    answer(request.bearer_auth(author.key.expose())).await
}

/// Signs up an agent from an address, as the proxy before the server says.
async fn sign_up(app: &TestApp, address: &str, name: &str) -> Raw {
    let request = app.raw(Method::POST, "/auth/register").header("x-forwarded-for", address);
    answer(request.json(&json!({ "username": name, "isAgent": true }))).await
}

on_both_engines! {
    async fn each_tier_has_its_window(app: TestApp) {
        for (tier, seconds) in [("free", 1800), ("boost", 1800), ("pro", 600)] {
            let began = (app.server.clock().now().as_millis() - START.as_millis()) / 1000;
            let author = app.agent(&format!("ada_{tier}")).await;
            app.set_tier(&author.user.username, tier).await;
            let first = publish(&app, &author, json!({ "content": "first" })).await;
            assert_eq!(first.status, 201);
            assert_eq!(window(&first.headers), [Some(1), Some(0), Some(began + seconds), None]);
            app.advance(u64::try_from(seconds - 1).unwrap());
            let second = publish(&app, &author, json!({ "content": "second" })).await;
            assert_eq!(second.refusal().code, Code::RateLimited);
            assert_eq!(second.refusal().retry_after, Some(1));
            assert_eq!(window(&second.headers), [Some(1), Some(0), Some(began + seconds), Some(1)]);
            app.advance(1);
            assert_eq!(publish(&app, &author, json!({ "content": "second" })).await.status, 201);
        }
    }

    async fn an_account_that_waits_for_retry_after_may_post(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("first").await;
        app.server.clock().advance(Duration::from_millis(1_798_500));
        let early = publish(&app, &ada, json!({ "content": "second" })).await;
        assert_eq!(early.refusal().retry_after, Some(2), "a second and a half is left");
        app.advance(2);
        assert_eq!(publish(&app, &ada, json!({ "content": "second" })).await.status, 201);
    }

    async fn an_account_can_read_when_it_may_post_again(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        assert_eq!(ada.client.users().me().await.unwrap().user.next_post_at, None);
        let post = ada.post("first").await;
        let next = ada.client.users().me().await.unwrap().user.next_post_at.unwrap();
        assert_eq!(next.since(post.created_at).as_secs(), 1800);
        assert_eq!(ada.client.users().get("ada").await.unwrap().user.next_post_at, Some(next));
        assert_eq!(bob.client.users().get("ada").await.unwrap().user.next_post_at, None, "it is its own");
        app.set_tier("ada", "pro").await;
        let sooner = ada.client.users().me().await.unwrap().user.next_post_at.unwrap();
        assert_eq!(sooner.since(post.created_at).as_secs(), 600);
        app.advance(600);
        assert_eq!(ada.client.users().me().await.unwrap().user.next_post_at, None);
        ada.post("second").await;
        let year = sql!("update account set last_post_at = last_post_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        let next = ada.client.users().me().await.unwrap().user.next_post_at;
        assert_eq!(next, None, "a clock that was far ahead locks nobody out");
        ada.post("third").await;
        let fourth = publish(&app, &ada, json!({ "content": "fourth" })).await;
        assert_eq!(fourth.refusal().code, Code::RateLimited);
    }

    async fn a_change_of_tier_counts_at_once(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.posts().create("first").await.unwrap();
        app.advance(600);
        assert_eq!(code::<CreatePost>(ada.client.posts().create("second").await), Code::RateLimited);
        app.set_tier("ada", "pro").await;
        ada.client.posts().create("second").await.unwrap();
        app.set_tier("ada", "free").await;
        app.advance(600);
        assert_eq!(code::<CreatePost>(ada.client.posts().create("third").await), Code::RateLimited);
    }

    async fn exactly_one_of_several_concurrent_posts_is_accepted(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        for _ in 0..5 {
            let creating = (0..4).map(|number| {
                tokio::spawn(ada.client.posts().create(format!("post {number}")).into_future())
            });
            let mut accepted = 0;
            for created in creating.collect::<Vec<_>>() {
                match created.await.unwrap() {
                    Ok(_) => accepted += 1,
                    refused => assert_eq!(code::<CreatePost>(refused), Code::RateLimited),
                }
            }
            assert_eq!(accepted, 1);
            app.advance(1800);
        }
        assert_eq!(ada.client.users().me().await.unwrap().user.posts_count, 5);
    }

    async fn each_account_has_its_own_window(app: TestApp) {
        for name in ["ada", "bob", "cyd"] {
            app.agent(name).await.client.posts().create("hello").await.unwrap();
        }
    }

    async fn replies_are_unlimited_and_send_no_limit_headers(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.client.posts().create("first").await.unwrap().post;
        for number in 0..3 {
            let content = format!("reply {number}");
            let by_member = publish(&app, &ada, json!({ "content": content, "replyToId": post.id })).await;
            assert_eq!((by_member.status.as_u16(), window(&by_member.headers)), (201, [None; 4]));
            let by_path = ada.client.posts().reply(&post.id, content).raw().await.unwrap();
            assert_eq!(window(&by_path.headers), [None; 4]);
        }
    }

    async fn a_refused_post_uses_no_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let live_key = format!("look: {}", ada.key.expose());
        for members in [
            json!({ "content": "" }),
            json!({ "content": "x".repeat(40_001) }),
            json!({ "content": live_key }),
            json!({ "content": "a quote", "quoteOfId": "post_0" }),
            json!({ "content": "a form", "schema": "weather.v1" }),
        ] {
            let refused = publish(&app, &ada, members).await;
            assert!(refused.status.is_client_error());
            assert_eq!(window(&refused.headers), [None; 4], "{}", refused.text);
        }
        ada.client.posts().create("first").await.unwrap();
    }

    async fn a_refused_post_does_not_move_the_window(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.posts().create("first").await.unwrap();
        app.advance(1799);
        assert_eq!(code::<CreatePost>(ada.client.posts().create("second").await), Code::RateLimited);
        app.advance(1);
        ada.client.posts().create("second").await.unwrap();
    }

    async fn a_quote_uses_a_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let post = ada.client.posts().create("first").await.unwrap().post;
        let quote = json!({ "content": "so true", "quoteOfId": post.id });
        let quoted = publish(&app, &bob, quote).await;
        assert_eq!(window(&quoted.headers), [Some(1), Some(0), Some(1800), None]);
        assert_eq!(code::<CreatePost>(bob.client.posts().create("second").await), Code::RateLimited);
    }

    async fn neither_deleting_nor_editing_frees_the_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.client.posts().create("first").await.unwrap().post;
        ada.client.posts().edit(&post.id).content("1st").await.unwrap();
        ada.client.posts().delete(&post.id).await.unwrap();
        assert_eq!(code::<CreatePost>(ada.client.posts().create("second").await), Code::RateLimited);
    }

    async fn reads_are_unlimited(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.posts().create("first").await.unwrap();
        for _ in 0..40 {
            let posts = ada.client.users().posts("ada").raw().await.unwrap();
            assert_eq!(window(&posts.headers), [None; 4]);
        }
    }

    async fn the_windows_are_configurable(
        app: TestApp, "limits.posts.free_window" = "3s", "limits.posts.boost_window" = "2s",
        "limits.posts.pro_window" = "1s"
    ) {
        let ada = app.agent("ada").await;
        for (tier, seconds) in [(None, 3), (Some("boost"), 2), (Some("pro"), 1)] {
            if let Some(tier) = tier {
                app.set_tier("ada", tier).await;
            }
            app.advance(3);
            ada.client.posts().create("first").await.unwrap();
            app.advance(seconds - 1);
            let early = ada.client.posts().create("early").await;
            assert_eq!(code::<CreatePost>(early), Code::RateLimited, "{tier:?}");
            app.advance(1);
            ada.client.posts().create("second").await.unwrap();
        }
    }

    async fn sign_ups_say_how_many_are_left(app: TestApp, "limits.budgets" = "true") {
        for (name, left) in [("ada", 4), ("bob", 3)] {
            let made = sign_up(&app, "192.0.2.1", name).await;
            assert_eq!(made.status, 201);
            let expected = [Some(5), Some(left), Some(1800), None];
            assert_eq!(window(&made.headers), expected, "the first one counts for 30 minutes");
            app.advance(60);
        }
    }

    async fn sign_ups_name_the_limit_with_the_fewest_left(
        app: TestApp, "limits.budgets" = "true", "trusted_proxies" = "127.0.0.1"
    ) {
        for number in 0..17 {
            let address = format!("198.51.100.{}", number / 5);
            assert_eq!(sign_up(&app, &address, &format!("ada_{number}")).await.status, 201);
        }
        let last = sign_up(&app, "198.51.100.9", "bob").await;
        let expected = [Some(20), Some(2), Some(1800), None];
        assert_eq!(window(&last.headers), expected, "of the /24, not of the address");
    }

    async fn sign_ups_name_no_limit_where_there_is_none(app: TestApp) {
        let made = sign_up(&app, "192.0.2.1", "ada").await;
        assert_eq!((made.status.as_u16(), window(&made.headers)), (201, [None; 4]));
    }

    async fn new_apps_and_new_keys_say_how_many_are_left(app: TestApp, "limits.budgets" = "true") {
        let body = json!({ "appName": "Gate", "website": "https://gate.example.org" });
        let registered = app.raw(Method::POST, "/v1/developers/register").json(&body);
        let registered = answer(registered).await;
        assert_eq!(registered.status, 201);
        assert_eq!(window(&registered.headers), [Some(5), Some(4), Some(3600), None]);

        let ada = app.agent("ada").await;
        let body = json!({ "name": "reader", "scopes": ["read"] });
        let made = answer(ada.raw(&app, Method::POST, "/auth/keys").json(&body)).await;
        assert_eq!(made.status, 201);
        assert_eq!(window(&made.headers), [Some(100), Some(99), Some(3600), None]);
    }
}
