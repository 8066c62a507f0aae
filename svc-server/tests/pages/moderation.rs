//! The queue, actions, the log and disputes, by forms.

use http::StatusCode;
use serde_json::{Map, json};
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};
use svc_client::types::api::reports::{ReportReason, Subject};

use crate::browser::{Browser, PASSWORD};
use crate::market::{TOKEN, object, order, work};
use crate::on_both_engines;

on_both_engines! {
    async fn a_moderator_works_the_queue(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let post = ada.post("buy <b>this</b> now").await;
        bob.client.reports().create(Subject::post(&post.id), ReportReason::Spam).comment("the tenth time").await.unwrap();
        let browser = Browser::of(&app, "mia").await;
        let queue = browser.get("/moderation").await;
        assert!(queue.text.contains("the tenth time"), "{}", queue.text);
        let report = bob.client.reports().list().await.unwrap().reports.remove(0);
        let path = format!("/moderation/reports/{}", report.id);
        let page = browser.get(&path).await;
        assert!(page.text.contains("buy &#60;b&#62;this") || page.text.contains("buy &lt;b&gt;this"), "{}", page.text);
        assert_eq!(browser.post(&format!("{path}/claim"), &[]).await.to(), path);
        assert!(browser.get(&path).await.text.contains("@mia"));

        let act = format!("/moderation/act?subject.type=post&subject.id={}&reportId={}", post.id, report.id);
        let asked = browser.get(&act).await;
        assert!(asked.text.contains("value=\"hide\"") && !asked.text.contains("value=\"suspend\""), "only what fits");
        let form = asked.form("/moderation/act").with("type", "hide").with("expiresIn", "1d");
        let wrong = browser.send(&form).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        let form = wrong.form("/moderation/act");
        assert_eq!((form.value("type"), form.value("expiresIn")), ("hide", "1d"));
        assert_eq!(browser.send(&form.with("reason", "the tenth time")).await.to(), path);
        bob.client.posts().get(&post.id).await.unwrap_err();
        assert!(browser.get(&path).await.text.contains("Actions so far"));

        let close = browser.get(&path).await.form(&path).with("outcome", "actioned");
        assert_eq!(browser.send(&close.with("note", "hidden for a day")).await.to(), "/moderation");
        assert!(browser.get("/moderation").await.text.contains("No reports"));
        assert!(browser.get("/moderation?status=resolved").await.text.contains("the tenth time"));
        assert!(browser.get("/moderation/log").await.text.contains("the tenth time"));
        let reopen = format!("{path}/reopen");
        let form = browser.get(&path).await.form(&reopen);
        assert_eq!(browser.send(&form).await.to(), path);
        assert!(browser.get("/moderation").await.text.contains("the tenth time"));
    }

    async fn a_dispute_is_decided(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let service = bob.client.services().create("work", "does work", 5).await.unwrap().service.id;
        let escrow = ada.client.escrow();
        let id = escrow.create("bob", &service, 10, "a report on rust").await.unwrap().escrow.id;
        let mut work = Deliverable::new("text");
        work.rest = Map::from_iter([("text".to_owned(), "rust is fine".into())]);
        bob.client.escrow().deliver(&id, work).await.unwrap();
        escrow.dispute(&id, "too short").await.unwrap();
        let browser = Browser::of(&app, "mia").await;
        let path = format!("/moderation/disputes/{id}");
        assert!(browser.get("/moderation/disputes").await.text.contains(&path));
        let page = browser.get(&path).await;
        for reported in ["a report on rust", "rust is fine", "too short"] {
            assert!(page.text.contains(reported), "{reported}: {}", page.text);
        }
        let wrong = browser.send(&page.form(&path).with("outcome", "refund")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        let form = wrong.form(&path);
        assert_eq!(form.value("outcome"), "refund");
        assert_eq!(browser.send(&form.with("note", "four words are no report")).await.to(), "/moderation/disputes");
        assert_eq!(escrow.get(&id).await.unwrap().escrow.status, EscrowStatus::Refunded);
    }

    async fn a_moderator_sees_the_order_and_its_outcome(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let service = bob.client.services().create("chart", "draws", 5).await.unwrap().service.id;
        let id = ada.client.escrow().create("bob", &service, 10, "chart").await.unwrap().escrow.id;
        let mut asked = order(&service, 10);
        asked.escrow_id = Some(id.clone());
        asked.input = object(json!({ "csv": "1,2,<3>", "kind": "pie", "accessToken": TOKEN }));
        let sent = ada.client.messages().request_service("bob", asked).await.unwrap().message;
        let talk = ada.client.messages().send("bob", "between us").await.unwrap().message;
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        let browser = Browser::of(&app, "mia").await;
        let order = format!("/orders/{}", sent.message_id);
        assert_eq!(browser.get(&order).await.status, StatusCode::NOT_FOUND, "nothing is disputed");
        ada.client.escrow().dispute(&id, "a bar").await.unwrap();
        for path in [format!("/moderation/disputes/{id}"), order.clone()] {
            let page = browser.get(&path).await;
            for shown in ["1,2,&lt;3&gt;", "pie", "https://git.example.org/report", "a bar"] {
                assert!(page.text.contains(shown), "{path} {shown}: {}", page.text);
            }
            assert!(!page.text.contains(TOKEN), "{path}");
        }
        assert!(!browser.get(&order).await.text.contains(talk.conversation_id.as_str()), "it is no party");
    }

    async fn all_reports_are_listed_too(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let post = ada.post("buy this").await;
        bob.client.reports().create(Subject::post(&post.id), ReportReason::Spam).comment("again").await.unwrap();
        let browser = Browser::of(&app, "mia").await;
        for (status, is_listed) in [("all", true), ("open", true), ("resolved", false)] {
            let page = browser.get(&format!("/moderation?status={status}")).await;
            assert_eq!((page.status, page.text.contains("again")), (StatusCode::OK, is_listed), "{status}");
        }
        let next = browser.get("/moderation?status=all&cursor=none").await;
        assert_eq!(next.status, StatusCode::BAD_REQUEST);
    }

    async fn moderation_pages_are_not_found_for_other_accounts(app: TestApp) {
        app.person("eve", PASSWORD).await;
        let browser = Browser::of(&app, "eve").await;
        for path in ["/moderation", "/moderation/log", "/moderation/disputes", "/moderation/act", "/moderation/reports/rep_1"] {
            assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert!(!browser.get("/").await.text.contains("href=\"/moderation\""));
    }
}
