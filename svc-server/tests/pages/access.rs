//! Access to pages: a row for each page and form.

mod rows;

use std::collections::BTreeSet;

use http::StatusCode;
use svc_client::types::api::channels::ChannelVisibility;
use svc_client::types::{Scope, Timestamp};

use self::rows::{Onward, ROWS, Refused, Seen, Shown, SignIn};
use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{offer, order};
use crate::on_both_engines;

fn seen(page: &Page) -> Seen {
    match page.status {
        StatusCode::OK => Shown,
        StatusCode::SEE_OTHER if page.to().starts_with("/login") => SignIn,
        StatusCode::SEE_OTHER => Onward,
        other => Refused(other.as_u16()),
    }
}

/// What the paths name, with a member of ada's trade for each: parameter and id.
async fn trade(app: &TestApp, ada: &Member) -> Vec<(&'static str, String)> {
    let bob = app.agent("bob").await;
    let service = offer(&bob, "work", 5).await;
    let escrow = ada.client.escrow().create("bob", &service, 60, "a report").await.unwrap().escrow;
    let asked = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap();
    let private = ChannelVisibility::Private;
    let making = ada.client.channels().create("the-room");
    let made = making.with(|request| request.visibility = Some(private)).await.unwrap();
    let owned = app.agent("owned_bot").await;
    let link = owned.client.agents().create_claim_link().await.unwrap().url;
    ada.client.agents().claim(link).await.unwrap();
    vec![
        ("agents/{username}", "agents/owned_bot".to_owned()),
        ("sell/{username}", "sell/owned_bot".to_owned()),
        ("@{username}/services", "@bob/services".to_owned()),
        ("{serviceId}", service.to_string()),
        ("{escrowId}", escrow.id.to_string()),
        ("{messageId}", asked.message.message_id.to_string()),
        ("{orderId}", asked.message.message_id.to_string()),
        ("{conversationId}", asked.message.conversation_id.to_string()),
        ("{channelId}", made.channel.id.to_string()),
    ]
}

#[test]
fn every_page_has_a_row() {
    let rows: BTreeSet<_> = ROWS.iter().map(|(method, path, _)| (*method, *path)).collect();
    let pages: BTreeSet<_> = svc_server::pages::pages().places().into_iter().collect();
    assert_eq!(rows, pages);
}

on_both_engines! {
    async fn every_caller_is_answered_as_in_the_row(
        app: TestApp, "webhooks.allow_loopback" = "true", "mail.url" = "smtp://127.0.0.1:9",
        "links.x.client_id" = "svc"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("eve", PASSWORD).await;
        let post = ada.post("mine").await;
        app.agent("tagger").await.post("about #tagged things").await;
        app.index().await;
        let list = ada.client.lists().create("mine").await.unwrap().list;
        // The port is closed, so that deliveries fail at once.
        let webhook = ada.client.webhooks().create("http://127.0.0.1:2/").await.unwrap().webhook.id;
        let delivery = ada.client.webhooks().test(&webhook).await.unwrap().delivery;
        let soon = Timestamp::from_millis(app.server.clock().now().as_millis() + 3_600_000);
        let later = ada.client.scheduled_posts().create("later", soon).await.unwrap().scheduled_post;
        let gate = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let trade = trade(&app, &ada).await;
        let key = ada.client.keys().create("named", [Scope::Read]).await.unwrap().key.key_id;
        let session = ada.client.sessions().list().await.unwrap().sessions.remove(0).session_id;
        let own = [
            ("{keyId}", key.as_str()),
            ("{sessionId}", session.as_str()),
            ("{grantId}", "grt_0000000000000"),
            ("{provider}", "x"),
            ("{passkeyId}", "pky_0000000000000"),
            ("{pendingId}", "pnd_0000000000000"),
            ("{inviteId}", "inv_0000000000000"),
            ("{postId}", post.id.as_str()),
            ("{listId}", list.id.as_str()),
            ("{webhookId}", webhook.as_str()),
            ("{deliveryId}", delivery.id.as_str()),
            ("{scheduledPostId}", later.id.as_str()),
            ("{appId}", gate.developer.id.as_str()),
            ("{reportId}", "rpt_none"),
            ("{paymentId}", "pay_none"),
            ("{payoutId}", "po_none"),
            ("{category}", "data"),
            ("{queue}", "mail"),
        ];
        let browsers = [
            Browser::new(&app),
            Browser::of(&app, "eve").await,
            Browser::of(&app, "ada").await,
        ];
        for (method, path, expected) in ROWS {
            let path = own.iter().fold((*path).to_owned(), |path, (name, id)| path.replace(name, id));
            let path = trade.iter().fold(path, |path, (name, id)| path.replace(name, id));
            let path = path.replace("{username}", "ada").replace("{name}", "tagged").replace("{tag}", "posts").replace("{object}", "Post").replace("{sample}", "0");
            for (browser, expected) in browsers.iter().zip(expected) {
                let page = match *method {
                    "GET" => browser.get(&path).await,
                    _ => browser.post(&path, &[]).await,
                };
                assert_eq!(seen(&page), *expected, "{method} {path}: {}", page.text);
                let is_html = |value: &http::HeaderValue| value.as_bytes().starts_with(b"text/html");
                if page.headers.get("content-type").is_some_and(is_html) {
                    page.html();
                }
            }
        }
    }
}
