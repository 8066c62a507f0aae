//! Deleted accounts: hidden at once, erased later.

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_client::types::api::escrow::Deliverable;
use svc_core::audit;
use svc_server::admin::Command;
use svc_store::db::Sql;
use svc_store::sql;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::answer;

/// A word in every text of the account, and in no other text.
const MARK: &str = "quetzalcoatl";

/// Rows that hold the word, of each table that holds texts.
const TRACES: &[(&str, Sql)] = &[
    (
        "account",
        sql!(
            "select count(*) from account where display_name || bio || coalesce(website, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "post",
        sql!(
            "select count(*) from post where content || coalesce(content_warning, '') || coalesce(payload, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "post_revision",
        sql!("select count(*) from post_revision where content like '%quetzalcoatl%'"),
    ),
    ("post_hashtag", sql!("select count(*) from post_hashtag where tag like '%quetzalcoatl%'")),
    (
        "message",
        sql!(
            "select count(*) from message where content || coalesce(payload, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "channel_message",
        sql!("select count(*) from channel_message where content like '%quetzalcoatl%'"),
    ),
    (
        "service",
        sql!(
            "select count(*) from service where name || name_key || description || tags || search_text || coalesce(input_schema, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "escrow",
        sql!(
            "select count(*) from escrow where description || coalesce(notes, '') || coalesce(deliverable, '') || coalesce(feedback, '') || coalesce(dispute, '') like '%quetzalcoatl%'"
        ),
    ),
    ("escrow_event", sql!("select count(*) from escrow_event where note like '%quetzalcoatl%'")),
    ("event", sql!("select count(*) from event where body like '%quetzalcoatl%'")),
    (
        "webhook",
        sql!(
            "select count(*) from webhook where url || coalesce(description, '') like '%quetzalcoatl%'"
        ),
    ),
    (
        "scheduled_post",
        sql!("select count(*) from scheduled_post where content like '%quetzalcoatl%'"),
    ),
    (
        "list",
        sql!(
            "select count(*) from list where name || coalesce(description, '') like '%quetzalcoatl%'"
        ),
    ),
];

/// The tables that hold the word.
async fn traces(app: &TestApp) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (table, sql) in TRACES {
        if app.count(*sql).await > 0 {
            found.push(*table);
        }
    }
    found
}

/// An account with texts in every table, and its finished deal with bob.
async fn life(app: &TestApp, bob: &Member) -> Member {
    let ada = app.agent("ada").await;
    let profile =
        json!({ "bio": MARK, "displayName": MARK, "website": format!("https://{MARK}.example") });
    answer(ada.raw(app, Method::PATCH, "/users/me").json(&profile)).await.json();
    let post = json!({ "content": format!("{MARK} #{MARK}"), "contentWarning": MARK,
        "schema": "note", "payload": { "a": MARK } });
    let post = answer(ada.raw(app, Method::POST, "/posts").json(&post)).await.json();
    let path = format!("/posts/{}", post["post"]["id"].as_str().unwrap());
    let edit = json!({ "content": format!("{MARK}, again") });
    answer(ada.raw(app, Method::PATCH, &path).json(&edit)).await.json();
    let theirs = bob.post("what do you think?").await;
    ada.reply(&theirs, &format!("{MARK}, @bob")).await;
    ada.write(bob, MARK).await;
    let channel = bob.client.channels().create("room").await.unwrap().channel.id;
    ada.client.channels().join(&channel).await.unwrap();
    ada.client.channels().post(&channel, MARK).await.unwrap();
    ada.client.lists().create(MARK).await.unwrap();
    let soon = app.server.clock().now().plus(Duration::from_hours(24));
    ada.client.scheduled_posts().create(MARK, soon).await.unwrap();
    ada.client.webhooks().create(format!("https://{MARK}.example/hook")).await.unwrap();
    bob.write(&ada, "an answer").await;
    let service = ada.client.services().create(MARK, MARK, 5).await.unwrap().service.id;
    let sold = bob.client.escrow().create("ada", &service, 10, "a report").await.unwrap().escrow.id;
    ada.client.escrow().deliver(&sold, Deliverable::new(MARK)).notes(MARK).await.unwrap();
    bob.client.escrow().dispute(&sold, "it fails").await.unwrap();
    ada.client.escrow().respond(&sold, MARK).await.unwrap();
    ada.client.escrow().refund(&sold).await.unwrap();
    let offer = bob.client.services().create("count", "counts", 5).await.unwrap().service.id;
    let bought = ada.client.escrow().create("bob", &offer, 10, MARK).await.unwrap().escrow.id;
    ada.client.escrow().cancel(&bought).await.unwrap();
    ada
}

async fn delete(app: &TestApp, ada: &Member) {
    let request = ada.raw(app, Method::DELETE, "/users/me?confirm=ada");
    answer(request).await.json();
}

async fn assert_consistent(app: &TestApp) {
    let report = audit::now(app.server.app()).await.unwrap();
    assert!(report.holds(), "{report}");
}

on_both_engines! {
    async fn the_texts_of_a_deleted_account_are_erased_after_their_time(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        app.index().await;
        delete(&app, &ada).await;
        app.server.erase().await;
        assert!(traces(&app).await.contains(&"post"), "it may still come back");
        app.advance(14 * 24 * 3600);
        app.server.erase().await;
        assert_eq!(traces(&app).await, [""; 0]);
        assert_eq!(app.count(sql!("select count(*) from idempotency where principal = (select id from account where username = 'ada')")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from account where erased_at is not null")).await, 1);
        assert_consistent(&app).await;
        // Done once.
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from audit_log where action = 'account_erased'")).await, 1);
    }

    async fn a_message_that_both_delete_is_emptied(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [one, other] = [ada.write(&bob, MARK).await, ada.write(&bob, MARK).await];
        let held = sql!("select count(*) from message where content like '%quetzalcoatl%'");
        ada.client.messages().delete(&one.message_id).await.unwrap();
        bob.client.messages().delete(&other.message_id).await.unwrap();
        assert_eq!(app.count(held).await, 2, "the other side still reads it");
        bob.client.messages().delete(&one.message_id).await.unwrap();
        ada.client.messages().delete(&other.message_id).await.unwrap();
        assert_eq!(app.count(held).await, 0);
    }

    async fn an_operator_erases_a_deleted_account_at_once(app: TestApp) {
        let bob = app.agent("bob").await;
        let ada = life(&app, &bob).await;
        let erase = || Command::Erase { username: "ada".to_owned() };
        let asked = erase();
        let living = app.server.app().write(move |ctx| svc_server::admin::run(ctx, &asked)).await;
        assert!(living.unwrap_err().to_string().contains("not deleted"));
        delete(&app, &ada).await;
        app.server.admin(erase()).await;
        app.server.erase().await;
        assert_eq!(traces(&app).await, [""; 0]);
        assert_consistent(&app).await;
        // Texts of other accounts remain, and so do the placeholders of deleted ones.
        let listed = answer(bob.raw(&app, Method::GET, "/v1/connect/events")).await.json();
        let numbers: Vec<u64> = listed["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
        assert_eq!(app.count(sql!("select count(*) from message where content = 'an answer'")).await, 1);
        answer(bob.raw(&app, Method::GET, "/conversations")).await.json();
    }
}
