//! Batches: each operation behaves like its single call, atomically or independently.

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::Call;
use svc_client::types::api::batch::{BatchResult, Operation, RunBatch};
use svc_client::types::api::posts::PostEnvelope;
use svc_client::types::{Code, Endpoint, PostId, ServiceRequest};
use svc_store::sql;

use crate::app::{self, Member, TestApp};
use crate::on_both_engines;
use crate::raw::answer;

const PATH: &str = "/batch";

async fn code<E: Endpoint>(call: Call<E>) -> Code {
    app::code::<E>(call.await)
}

async fn results(call: Call<RunBatch>) -> Vec<BatchResult> {
    call.await.unwrap().results
}

async fn statuses(call: Call<RunBatch>) -> Vec<u16> {
    results(call).await.iter().map(|result| result.status).collect()
}

/// Code and member of the refusal of a whole call.
async fn refused(app: &TestApp, who: &Member, body: Value) -> (Code, String, String) {
    let refusal = answer(who.raw(app, Method::POST, PATH).json(&body)).await.refusal();
    (refusal.code, refusal.field.unwrap_or_default(), refusal.error)
}

/// Counts of all that a batch could leave behind.
async fn left(app: &TestApp) -> Vec<i64> {
    let mut counts = Vec::new();
    for sql in [
        sql!("select count(*) from post"),
        sql!("select count(*) from reaction"),
        sql!("select count(*) from follow"),
        sql!("select count(*) from block"),
        sql!("select count(*) from account_mute"),
        sql!("select count(*) from message"),
        sql!("select count(*) from event"),
        sql!("select count(*) from account_event"),
        sql!("select cast(sum(likes_count + replies_count + reposts_count) as bigint) from post"),
        sql!(
            "select cast(sum(followers_count + following_count + posts_count) as bigint) from account"
        ),
        sql!("select count(*) from idempotency"),
    ] {
        counts.push(app.count(sql).await);
    }
    counts
}

/// What differs between two operations of one kind: ids and times.
fn masked(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let one = |(name, value): (&String, &Value)| {
                let differs = name == "requestId"
                    || name.ends_with("Id")
                    || name == "id"
                    || name.ends_with("At");
                (name.clone(), if differs { "…".into() } else { masked(value) })
            };
            Value::Object(members.iter().map(one).collect())
        }
        Value::Array(values) => values.iter().map(masked).collect(),
        other => other.clone(),
    }
}

/// A single call as the result of an operation has it.
async fn single(
    app: &TestApp,
    who: &Member,
    method: Method,
    path: &str,
    body: &Value,
) -> (u16, Value) {
    let request = who.raw(app, method, path);
    let request = if body.is_null() { request } else { request.json(body) };
    let received = answer(request).await;
    (received.status.as_u16(), masked(&serde_json::from_str(&received.text).unwrap()))
}

on_both_engines! {
    async fn every_operation_answers_as_its_single_call(app: TestApp) {
        // Two pairs of accounts that do the same, one by single calls and one by a batch.
        let [one, two, target] = app.agents(["one", "two", "bob"]).await;
        let post = target.post("to be acted upon").await.id;
        let closed = app.agent("closed").await;
        app.block(&closed, &one).await;
        app.block(&closed, &two).await;
        let foreign = closed.post("closed").await.id;
        let reply = json!({ "content": "well", "language": "en" });
        let text = json!({ "recipientUsername": "bob", "content": "psst" });
        let own = |who: &Member| {
            let (client, post) = (who.client.clone(), post.clone());
            async move { client.posts().reply(&post, "soon gone").await.unwrap().post.id }
        };
        let (own_one, own_two) = (own(&one).await, own(&two).await);
        let to_post = |id: &str| json!({ "postId": id });
        let user = |name: &str| json!({ "username": name });
        let on = |id: &str, what: &str| format!("/posts/{id}/{what}");
        let at = |name: &str, what: &str| format!("/users/{name}/{what}");
        let mut lists = Vec::new();
        for owner in [&one, &two] {
            lists.push(owner.client.lists().create("mine").await.unwrap().list.id.to_string());
        }
        let on_list = |list: &str, name: &str| json!({ "listId": list, "username": name });
        let members_of = |list: &str, rest: &str| format!("/lists/{list}/members{rest}");
        let (post, foreign) = (post.as_str(), foreign.as_str());
        let (delete, create) = (Method::DELETE, Method::POST);
        let cases = [
            ("like", to_post(post), create.clone(), on(post, "like"), Value::Null),
            ("unlike", to_post(post), delete.clone(), on(post, "like"), Value::Null),
            ("repost", to_post(post), create.clone(), on(post, "repost"), Value::Null),
            ("unrepost", to_post(post), delete.clone(), on(post, "repost"), Value::Null),
            ("bookmark", to_post(post), create.clone(), on(post, "bookmark"), Value::Null),
            ("unbookmark", to_post(post), delete.clone(), on(post, "bookmark"), Value::Null),
            ("like", to_post(foreign), create.clone(), on(foreign, "like"), Value::Null),
            ("like", to_post("post_no"), create.clone(), on("post_no", "like"), Value::Null),
            ("delete_post", to_post(own_two.as_str()), delete.clone(), format!("/posts/{own_one}"), Value::Null),
            ("delete_post", to_post(post), delete.clone(), format!("/posts/{post}"), Value::Null),
            ("create_reply", json!({ "replyToId": post, "content": "well", "language": "en" }), create.clone(), on(post, "replies"), reply),
            ("follow", user("bob"), create.clone(), at("bob", "follow"), Value::Null),
            ("unfollow", user("bob"), delete.clone(), at("bob", "follow"), Value::Null),
            ("follow", user("closed"), create.clone(), at("closed", "follow"), Value::Null),
            ("follow", user("nobody"), create.clone(), at("nobody", "follow"), Value::Null),
            ("mute", json!({ "username": "bob", "expiresIn": "1h" }), create.clone(), at("bob", "mute"), json!({ "expiresIn": "1h" })),
            ("mute", json!({ "username": "bob", "expiresIn": "1s" }), create.clone(), at("bob", "mute"), json!({ "expiresIn": "1s" })),
            ("unmute", user("bob"), delete.clone(), at("bob", "mute"), Value::Null),
            ("send_message", text.clone(), create.clone(), "/messages".into(), text),
            ("send_message", json!({ "recipientUsername": "closed", "content": "x" }), create.clone(), "/messages".into(), json!({ "recipientUsername": "closed", "content": "x" })),
            ("mark_notifications_read", json!({ "all": true }), create.clone(), "/notifications/read".into(), json!({ "all": true })),
            ("mark_notifications_read", json!({}), create.clone(), "/notifications/read".into(), json!({})),
            ("add_list_member", on_list(&lists[1], "bob"), create.clone(), members_of(&lists[0], ""), json!({ "usernames": ["bob"] })),
            ("add_list_member", on_list("lst_no", "bob"), create.clone(), members_of("lst_no", ""), json!({ "usernames": ["bob"] })),
            ("add_list_member", on_list(&lists[1], "closed"), create.clone(), members_of(&lists[0], ""), json!({ "usernames": ["closed"] })),
            ("remove_list_member", on_list(&lists[1], "bob"), delete.clone(), members_of(&lists[0], "/bob"), Value::Null),
            ("block", user("bob"), create.clone(), at("bob", "block"), Value::Null),
            ("unblock", user("bob"), delete.clone(), at("bob", "block"), Value::Null),
        ];
        let mut known: Vec<&str> = cases.iter().map(|case| case.0).collect();
        known.sort_unstable();
        known.dedup();
        let mut words = Operation::WORDS.to_vec();
        words.sort_unstable();
        assert_eq!(known, words, "each operation is tried");
        let mut expected = Vec::new();
        for (_, _, method, path, body) in &cases {
            expected.push(single(&app, &one, method.clone(), path, body).await);
        }
        // Counts that the first account left behind must not differ.
        one.client.users().delete_me("one").await.unwrap();
        let operations: Vec<Value> = cases
            .iter()
            .map(|(op, members, ..)| {
                let mut operation = members.clone();
                operation["op"] = (*op).into();
                operation
            })
            .collect();
        let received = answer(two.raw(&app, Method::POST, PATH).json(&json!({ "operations": operations }))).await;
        assert_eq!(received.status, 200, "{}", received.text);
        let request_id = received.header("x-request-id").unwrap().to_owned();
        for (index, (result, (status, body))) in received.json()["results"].as_array().unwrap().iter().zip(&expected).enumerate() {
            let op = &operations[index];
            assert_eq!((&result["index"], &result["status"]), (&json!(index), &json!(status)), "{op} {result}");
            let counts = ["likesCount", "repostsCount", "repliesCount", "followersCount", "unreadCount", "marked", "author", "sender", "owner", "field"];
            let plain = |body: &Value| {
                let mut body = masked(body);
                let members = body.as_object_mut().unwrap();
                let drop = |members: &mut Map<String, Value>| counts.iter().for_each(|name| { members.remove(*name); });
                drop(members);
                members.values_mut().filter_map(Value::as_object_mut).for_each(drop);
                body
            };
            assert_eq!(plain(&result["body"]), plain(body), "{op}");
            if *status >= 400 {
                assert_eq!(result["body"]["requestId"], request_id.as_str());
            }
        }
    }

    async fn a_failed_operation_changes_nothing_and_the_others_succeed(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("hello").await.id;
        let call = ada.client.batch().like(&post).like("post_no").reply(&post, "one").follow("ada").follow("bob");
        let results = results(call).await;
        let statuses: Vec<u16> = results.iter().map(|result| result.status).collect();
        assert_eq!(statuses, [200, 404, 201, 400, 200]);
        assert_eq!(results[1].refusal().unwrap().code, Code::NotFound);
        assert_eq!(results[3].refusal().unwrap().code, Code::SelfAction);
        let reply = results[2].read::<PostEnvelope>().unwrap().post;
        assert_eq!(ada.client.posts().get(&reply.id).await.unwrap().post.content, "one");
        let after = bob.client.posts().get(&post).await.unwrap().post;
        assert_eq!((after.likes_count, after.replies_count), (1, 1));
        assert_eq!(bob.client.users().me().await.unwrap().user.followers_count, 1);
    }

    async fn a_failed_atomic_batch_leaves_no_trace(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("hello").await.id;
        let before = left(&app).await;
        let call = || {
            let call = ada.client.batch().like(&post).reply(&post, "one").follow("bob").message("bob", "hi");
            call.mute("bob").repost(&post).atomic()
        };
        let error = call().like("post_no").idempotency_key("one").await.unwrap_err();
        assert_eq!((error.code(), error.field()), (Some(&Code::NotFound), Some("/operations/6")));
        let error = call().block("ada").like("post_no").await.unwrap_err();
        assert_eq!((error.code(), error.field()), (Some(&Code::SelfAction), Some("/operations/6")));
        assert_eq!(left(&app).await, before);
        // The key is free, and without the wrong operation all of it is done.
        assert_eq!(statuses(call().idempotency_key("one")).await, [200, 201, 200, 201, 200, 200]);
        assert_ne!(left(&app).await, before);
    }

    async fn a_batch_has_1_to_50_operations(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("hello").await.id;
        let of = |count: usize| (0..count).fold(ada.client.batch(), |call, _| call.bookmark(&post));
        assert_eq!(statuses(of(50)).await, vec![200; 50]);
        for count in [0, 51] {
            let error = of(count).await.unwrap_err();
            assert_eq!((error.code(), error.field()), (Some(&Code::ValidationFailed), Some("operations")), "{count}");
        }
    }

    async fn a_replayed_batch_takes_effect_once(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("hello").await.id;
        let send = || ada.client.batch().reply(&post, "once").like("post_no").idempotency_key("one").raw();
        let (first, second) = (send().await.unwrap(), send().await.unwrap());
        assert_eq!(first.value, second.value);
        assert!(second.headers.contains_key("idempotent-replayed"));
        assert_eq!(bob.client.posts().get(&post).await.unwrap().post.replies_count, 1);
        let other = ada.client.batch().reply(&post, "other").idempotency_key("one");
        assert_eq!(code(other).await, Code::IdempotencyConflict);
    }

    async fn a_malformed_operation_is_named_and_refuses_the_whole_call(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("hello").await.id;
        let like = json!({ "op": "like", "postId": post });
        let before = left(&app).await;
        let cases = [
            (json!({ "op": "like" }), "/operations/1/postId", "operations.1.postId is required"),
            (json!({ "op": "like", "postId": 5 }), "/operations/1/postId", "operations.1.postId is required"),
            (json!({ "op": "like", "postId": null }), "/operations/1/postId", "operations.1.postId"),
            (json!({ "op": "create_post", "content": "x" }), "/operations/1/op", "operations.1.op is required and must be one of like, "),
            (json!({ "op": "Like", "postId": post }), "/operations/1/op", "operations.1.op"),
            (json!({ "op": 5 }), "/operations/1/op", "operations.1.op"),
            (json!({ "postId": post }), "/operations/1/op", "operations.1.op"),
            (json!({ "op": "create_reply", "replyToId": post, "content": "" }), "/operations/1/content", "operations.1.content is required and must be 1 to 40000 characters"),
            (json!({ "op": "create_reply", "replyToId": post, "content": "x", "replyPolicy": "friends" }), "/operations/1/replyPolicy", "operations.1.replyPolicy must be one of"),
            (json!({ "op": "mute", "username": "bob", "expiresIn": "soon" }), "/operations/1/expiresIn", "operations.1.expiresIn must be"),
            (json!("like"), "/operations/1", "operations.1 must be"),
        ];
        for (operation, field, rule) in cases {
            let (code, at_fault, error) = refused(&app, &ada, json!({ "operations": [like, operation] })).await;
            assert_eq!((&code, &*at_fault), (&Code::ValidationFailed, field), "{error}");
            assert!(error.starts_with(rule), "{error}");
        }
        for body in [json!({}), json!({ "operations": {} }), json!({ "operations": "like" })] {
            let (code, field, _) = refused(&app, &ada, body).await;
            assert_eq!((code, &*field), (Code::ValidationFailed, "operations"));
        }
        let twice = format!(r#"{{"operations":[{{"op":"like","op":"unlike","postId":"{post}"}}]}}"#);
        let request = ada.raw(&app, Method::POST, PATH).header("content-type", "application/json");
        let refusal = answer(request.body(twice)).await.refusal();
        assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("/operations/0/op")));
        assert_eq!(left(&app).await, before);
    }

    async fn an_order_in_a_batch_is_validated_like_a_single_one(app: TestApp) {
        let [ada, bot] = app.agents(["ada", "bot"]).await;
        let schema = json!({ "type": "object", "required": ["text"] });
        let offering = bot.client.services().create("count", "counts", 5);
        let service = offering.input_schema(schema.as_object().cloned().unwrap()).await.unwrap().service;
        let order = |input: Value, id: &str| {
            let request = ServiceRequest {
                service_id: id.into(),
                service_name: "count".into(),
                input: input.as_object().cloned().unwrap(),
                offered_credits: 5.into(),
                escrow_id: None,
            };
            json!({ "schema": "service.request", "payload": request }).to_string()
        };
        let id = service.id.as_str();
        let good = order(json!({ "text": "a b" }), id);
        let call = ada.client.batch().message("bot", &*good).message("bot", &*order(json!({}), id));
        let call = call.message("bot", &*order(json!({}), "srv_no")).message("bot", "{\"schema\":\"service.request\"}");
        let results = results(call.message("bot", "and a text")).await;
        let received: Vec<_> = results.iter().map(|one| one.refusal().map_or("done".to_owned(), |why| why.code.to_string())).collect();
        assert_eq!(received, ["done", "input_schema_mismatch", "service_not_found", "invalid_service_message", "done"]);
        let credits = ada.client.credits().balance().await.unwrap().credits;
        assert_eq!((credits.available, credits.held), (95.into(), 5.into()));
        let broken = ada.client.batch().message("bot", &*good).message("bot", &*order(json!({}), id)).atomic();
        let error = broken.await.unwrap_err();
        assert_eq!((error.code(), error.field()), (Some(&Code::InputSchemaMismatch), Some("/operations/1")));
        assert_eq!(ada.client.credits().balance().await.unwrap().credits.held, 5.into());
    }

    async fn batches_that_bookmark_and_quote_in_other_orders_all_succeed(
        app: TestApp, "database.connections" = "4"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let posts = [ada.post("one").await.id, bob.post("two").await.id];
        let cross = async |who: &Member, one: &PostId, other: &PostId| {
            for _ in 0..10 {
                let operations = json!([
                    { "op": "bookmark", "postId": one }, { "op": "bookmark", "postId": other },
                    { "op": "create_reply", "replyToId": one, "quoteOfId": other, "content": "see" },
                    { "op": "unbookmark", "postId": one }, { "op": "unbookmark", "postId": other },
                ]);
                let request = who.raw(&app, Method::POST, PATH).json(&json!({ "operations": operations }));
                let results = answer(request).await.json()["results"].clone();
                let statuses: Vec<_> = results.as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
                assert_eq!(statuses, [200, 200, 201, 200, 200]);
            }
        };
        tokio::join!(cross(&ada, &posts[0], &posts[1]), cross(&bob, &posts[1], &posts[0]));
        for post in &posts {
            let seen = ada.client.posts().get(post).await.unwrap().post;
            assert_eq!((seen.replies_count, seen.quotes_count), (10, 10));
        }
    }

    async fn conflicting_batches_all_succeed(app: TestApp, "database.connections" = "4") {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let rounds = 10;
        let cross = |who: &Member, one: &'static str, other: &'static str| {
            let client = who.client.clone();
            async move {
                for _ in 0..rounds {
                    let call = client.batch().message(one, "a").message(other, "b").follow(one).follow(other);
                    let statuses = statuses(call.unfollow(one).unfollow(other)).await;
                    assert_eq!(statuses, [201, 201, 200, 200, 200, 200]);
                }
            }
        };
        tokio::join!(cross(&ada, "bob", "eve"), cross(&bob, "eve", "ada"), cross(&eve, "ada", "bob"));
        assert_eq!(app.count(sql!("select count(*) from message")).await, 2 * 3 * rounds);
        assert_eq!(app.count(sql!("select count(*) from follow")).await, 0);
    }

    async fn operations_beyond_what_a_batch_may_write_in_events_are_refused(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("look").await.id;
        let names: Vec<String> = (0..20).map(|n| format!("reader{n}")).collect();
        for name in &names {
            app.agent(name).await;
        }
        let content = format!("{} @{}", "\u{1f600}".repeat(39_000), names.join(" @"));
        let reply = json!({ "op": "create_reply", "replyToId": post, "content": content });
        let like = json!({ "op": "like", "postId": post });
        let run = async |body: Value| {
            let results = answer(bob.raw(&app, Method::POST, PATH).json(&body)).await.json()["results"].clone();
            let results = results.as_array().unwrap().clone();
            let statuses: Vec<u64> = results.iter().map(|one| one["status"].as_u64().unwrap()).collect();
            (statuses, results)
        };
        let (statuses, results) = run(json!({ "operations": [reply, like, reply, like, reply] })).await;
        assert_eq!(statuses, [201, 200, 201, 409, 409]);
        assert_eq!(results[4]["body"]["code"], "limit_reached");
        assert_eq!(results[4]["body"]["hint"], "send it in another batch");
        let before = left(&app).await;
        let all = json!({ "operations": [reply, reply, like], "atomic": true });
        let (code, field, _) = refused(&app, &bob, all).await;
        assert_eq!((code, &*field), (Code::LimitReached, "/operations/2"));
        assert_eq!(left(&app).await, before);
        // A deletion empties as many events.
        let delete = |of: usize| json!({ "op": "delete_post", "postId": results[of]["body"]["post"]["id"] });
        let (statuses, _) = run(json!({ "operations": [delete(0), delete(2), like] })).await;
        assert_eq!(statuses, [200, 200, 409]);
        let (statuses, _) = run(json!({ "operations": [like] })).await;
        assert_eq!(statuses, [200]);
    }
}
