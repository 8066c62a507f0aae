//! The queue, actions, the log and disputes, by forms.

use http::StatusCode;
use serde_json::{Map, json};
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};
use svc_client::types::api::reports::{ReportReason, Subject};

use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{TOKEN, object, offer, order, work};
use crate::on_both_engines;

/// The acts that a page offers.
fn offered(page: &Page) -> Vec<String> {
    let html = page.html();
    let attributes = html.0.iter().map(|one| &one.attributes);
    let acts = attributes.filter(|own| own.get("name").is_some_and(|name| name == "type"));
    acts.map(|own| own["value"].clone()).collect()
}

/// Takes an act by the form of the page at this path.
async fn acts(browser: &Browser<'_>, path: &str, typed: &[(&str, &str)]) {
    let form = browser.get(path).await.form("/moderation/act").with("reason", "a test");
    let form = typed.iter().fold(form, |form, (name, text)| form.with(name, text));
    browser.send(&form).await.to();
}

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
        assert!(page.text.contains(&act.replace('&', "&amp;")), "{}", page.text);
        assert_eq!(offered(&asked), ["hide", "remove", "label"], "only what fits");
        for shown in ["@ada", "buy &#60;b&#62;this&#60;/b&#62; now"] {
            assert!(asked.text.contains(shown), "{shown}: {}", asked.text);
        }
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

    async fn a_moderator_moderates_from_where_things_are_shown(app: TestApp) {
        let bob = app.agent("bob").await;
        let service = offer(&bob, "count <words>", 5).await;
        let post = bob.post("hello").await;
        let mia = app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        app.person("eve", PASSWORD).await;
        let [of_mia, of_eve] = [Browser::of(&app, "mia").await, Browser::of(&app, "eve").await];
        let act = |kind: &str, id: &str| format!("/moderation/act?subject.type={kind}&subject.id={id}");
        for (path, act, shown) in [
            (format!("/post/{}", post.id), act("post", post.id.as_str()), "hello"),
            ("/feed?sort=new".to_owned(), act("post", post.id.as_str()), "hello"),
            ("/@bob".to_owned(), act("user", bob.user.id.as_str()), "@bob"),
            (format!("/@bob/services/{service}"), act("service", service.as_str()) + "&of=bob", "count &#60;words&#62;"),
        ] {
            let link = format!("href=\"{}\"", act.replace('&', "&amp;"));
            assert!(of_mia.get(&path).await.text.contains(&link), "{path}");
            assert!(!of_eve.get(&path).await.text.contains("/moderation/act"), "{path}");
            let asked = of_mia.get(&act).await;
            assert!(asked.text.contains(shown) && asked.text.contains("@bob"), "{act}: {}", asked.text);
            assert!(asked.text.contains("type=\"hidden\" name=\"subject.id\""), "no id is typed: {}", asked.text);
        }
        let own = mia.post("mine").await;
        assert!(!of_mia.get(&format!("/post/{}", own.id)).await.text.contains("/moderation/act"));
        assert!(!of_mia.get("/@mia").await.text.contains("/moderation/act"));
        let bare = of_mia.get("/moderation/act").await;
        assert!(bare.text.contains("choose Moderate there") && offered(&bare).is_empty(), "{}", bare.text);
        assert!(!of_mia.get("/moderation").await.text.contains("href=\"/moderation/act\""), "it is no tab");
    }

    async fn only_acts_that_change_something_are_offered(app: TestApp) {
        let bob = app.agent("bob").await;
        let service = offer(&bob, "work", 5).await;
        let post = bob.post("hello").await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let browser = Browser::of(&app, "mia").await;
        let act = |kind: &str, id: &str| format!("/moderation/act?subject.type={kind}&subject.id={id}");

        let on_post = act("post", post.id.as_str());
        acts(&browser, &on_post, &[("type", "hide")]).await;
        assert_eq!(offered(&browser.get(&on_post).await), ["restore", "remove", "label"]);
        acts(&browser, &on_post, &[("type", "label"), ("label", "loud")]).await;
        acts(&browser, &on_post, &[("type", "restore")]).await;
        assert_eq!(offered(&browser.get(&on_post).await), ["hide", "remove", "label", "unlabel"]);
        acts(&browser, &on_post, &[("type", "remove")]).await;
        let gone = browser.get(&on_post).await;
        assert!(gone.text.contains("there is nothing left to do") && offered(&gone).is_empty(), "{}", gone.text);

        // An account may be named by its username.
        let on_bob = act("user", "bob");
        assert_eq!(offered(&browser.get(&on_bob).await), ["warn", "limit", "suspend"]);
        acts(&browser, &on_bob, &[("type", "suspend"), ("expiresIn", "1h")]).await;
        assert_eq!(offered(&browser.get(&on_bob).await), ["warn", "limit", "unsuspend"]);
        app.advance(3601);
        assert_eq!(offered(&browser.get(&on_bob).await), ["warn", "limit", "suspend"], "it has ended");

        let page = browser.get(&(act("service", service.as_str()) + "&of=bob")).await;
        assert_eq!(offered(&page), ["remove"]);
        for field in ["label", "expiresIn"] {
            assert!(!page.text.contains(&format!("name=\"{field}\"")), "it has no {field}: {}", page.text);
        }
    }

    async fn a_message_is_moderated_from_its_report(app: TestApp) {
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        let sent = eve.write(&bob, "send me your <key>").await;
        let reporting = bob.client.reports().create(Subject::message(&sent.message_id), ReportReason::Scam);
        let report = reporting.await.unwrap().report.id;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let browser = Browser::of(&app, "mia").await;
        let page = browser.get(&format!("/moderation/reports/{report}")).await;
        let act = format!("/moderation/act?subject.type=message&subject.id={}&reportId={report}", sent.message_id);
        assert!(page.text.contains(&act.replace('&', "&amp;")), "{}", page.text);
        let asked = browser.get(&act).await;
        assert!(asked.text.contains("send me your &#60;key&#62;") && asked.text.contains("@eve"), "{}", asked.text);
        assert_eq!(offered(&asked), ["hide", "remove"]);
        acts(&browser, &act, &[("type", "remove")]).await;
        assert!(offered(&browser.get(&act).await).is_empty());
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
