//! What the script needs of a page, so that it can bring the page up to date by itself.

use std::collections::BTreeSet;

use reqwest::Method;
use svc_client::types::api::connect::WebhookEvent;
use svc_client::types::service_message::ResponseStatus;
use svc_server::pages::assets;

use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{offer, order, response};
use crate::on_both_engines;

/// What a live part may name besides kinds of events: all of them, and what has no event.
const OTHERS: [&str; 2] = ["any", "channel"];

/// The number after which the script continues.
#[track_caller]
fn seq(page: &Page) -> u64 {
    page.html().named("body")[0].attributes["data-seq"].parse().unwrap()
}

#[test]
fn the_script_listens_to_every_kind_of_event() {
    let script = std::str::from_utf8(assets::SCRIPT.bytes).unwrap();
    for kind in WebhookEvent::KINDS {
        assert!(script.contains(&format!("\"{kind}\"")), "{kind}");
    }
}

on_both_engines! {
    async fn a_page_names_the_event_it_is_current_to(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let bob = app.person("bob", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        assert_eq!(seq(&browser.get("/notifications").await), 0);
        bob.client.relations().follow("ada").await.unwrap();
        let page = browser.get("/notifications").await;
        assert_eq!(seq(&page), 1);
        bob.client.messages().send("ada", "news").await.unwrap();
        let missed = browser.request(Method::GET, "/api/v1/connect/events?after=1").send().await.unwrap();
        let missed: serde_json::Value = missed.json().await.unwrap();
        assert_eq!(missed["events"].as_array().unwrap().len(), 1, "{missed}");
        assert_eq!(missed["events"][0]["event"], "direct_message");
        assert_eq!(seq(&browser.get("/notifications").await), 2);
        let signed_out = Browser::new(&app).get("/").await.html();
        assert!(!signed_out.named("body")[0].attributes.contains_key("data-seq"));
    }

    async fn a_stream_names_where_its_newest_post_is(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        app.follow(&ada, &bob).await;
        let post = bob.post("the newest").await;
        app.advance(1);
        ada.post("not for the feed of ada").await;
        let browser = Browser::of(&app, "ada").await;
        for (path, is_stream) in [("/", true), ("/feed?sort=new", true), ("/feed?sort=hot", false)] {
            let html = browser.get(path).await.html();
            let list = html.0.iter().find(|one| one.attributes.get("id").is_some_and(|id| id == "list"));
            let Some(newest) = list.unwrap().attributes.get("data-stream") else {
                assert!(!is_stream, "{path}");
                continue;
            };
            let answer: serde_json::Value = serde_json::from_str(&browser.get(newest).await.text).unwrap();
            assert_eq!(answer["posts"].as_array().unwrap().len(), 1, "{answer}");
            assert_eq!(answer["posts"][0]["id"], html.named("article")[0].attributes["id"], "{path}");
            assert_eq!(answer["posts"][0]["id"] == post.id.as_str(), path == "/", "{path}");
        }
        let second = browser.get("/feed?sort=new&limit=1").await.html();
        let next = second.0.iter().find(|one| one.attributes.get("rel").is_some_and(|rel| rel == "next"));
        let page = browser.get(&next.unwrap().attributes["href"]).await;
        assert!(!page.text.contains("data-stream"), "a later page has no newest post");
    }

    async fn each_live_part_has_a_unique_name_and_known_kinds(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, "work", 5).await;
        let deal = ada.client.escrow().create("bob", &service, 60, "a report").await.unwrap().escrow.id;
        let sent = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap().message;
        bob.client.relations().follow("ada").await.unwrap();
        let channel = ada.client.channels().create("the-room").await.unwrap().channel.id;
        let browser = Browser::of(&app, "ada").await;
        for (path, part) in [
            ("/".to_owned(), "unread-bell"),
            ("/about".to_owned(), "unread-mail"),
            ("/notifications".to_owned(), "list"),
            ("/messages".to_owned(), "list"),
            (format!("/messages/{}", sent.conversation_id), "list"),
            (format!("/orders/{}", sent.message_id), "order"),
            ("/escrow".to_owned(), "list"),
            ("/orders".to_owned(), "list"),
            (format!("/escrow/{deal}"), "order"),
            ("/credits".to_owned(), "sum"),
            (format!("/channels/{channel}"), "list"),
        ] {
            let html = browser.get(&path).await.html();
            let ids: Vec<_> = html.0.iter().filter_map(|one| one.attributes.get("id")).collect();
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: {ids:?}");
            let live: Vec<_> = html.0.iter().filter(|one| one.attributes.contains_key("data-live")).collect();
            assert!(live.iter().any(|one| one.attributes["id"] == part), "{path}");
            for kind in live.iter().flat_map(|one| one.attributes["data-live"].split(' ')) {
                assert!(WebhookEvent::KINDS.contains(&kind) || OTHERS.contains(&kind), "{path}: {kind}");
            }
        }
    }

    async fn the_history_and_the_rating_of_an_order_appear_by_themselves(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, "work", 5).await;
        let sent = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap().message;
        let path = format!("/orders/{}", sent.message_id);
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(&path).await;
        for part in ["<div id=\"rating\" data-live=", "id=\"log\" data-live="] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        assert!(!page.text.contains("Rate this order"), "there is no result yet");
        let answer = response(&sent.message_id, ResponseStatus::Completed);
        bob.client.messages().respond_to("ada", answer).await.unwrap();
        let page = browser.get(&path).await.text;
        let (_, rating) = page.split_once("<div id=\"rating\">").unwrap();
        assert!(rating.trim_start().starts_with("<section class=\"card\" id=\"rate\""), "{rating}");
        assert!(page.contains("id=\"log\">"), "what is typed into the form stays: {page}");
    }
}
