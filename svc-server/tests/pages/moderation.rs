//! The queue, actions, the log and disputes, by forms.

mod messages;

use http::StatusCode;
use serde_json::{Map, json};
use svc_client::types::Rating;
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::reports::{ReportReason, Subject};

use crate::app::Member;
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

/// Where the links of a page lead that begin like this.
fn links(page: &Page, begin: &str) -> Vec<String> {
    let html = page.html();
    let links = html.named("a").into_iter().filter_map(|link| link.attributes.get("href"));
    links.filter(|href| href.starts_with(begin)).cloned().collect()
}

/// Reports what a link of the page at this path is about; where that leads.
async fn reports(browser: &Browser<'_>, path: &str, kind: &str) -> String {
    let found = links(&browser.get(path).await, &format!("/report?subject.type={kind}&"));
    let [link] = &*found else { panic!("one can be reported: {found:?}") };
    let question = browser.get(link).await;
    assert!(question.text.contains("What is wrong with this message?"), "{}", question.text);
    browser.send(&question.form("/report").with("reason", "scam")).await.to().to_owned()
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
        assert!(queue.text.contains("the tenth time") && queue.text.contains("@ada"), "{}", queue.text);
        let report = bob.client.reports().list().await.unwrap().reports.remove(0);
        let path = format!("/moderation/reports/{}", report.id);
        let page = browser.get(&path).await;
        assert!(page.text.contains("buy &#60;b&#62;this") || page.text.contains("buy &lt;b&gt;this"), "{}", page.text);
        let (read, all) = page.text.split_once("<summary>All fields</summary>").unwrap();
        for shown in ["<a class=\"name\" href=\"/@ada\">@ada</a>", "Written <time", "Everyone can reply"] {
            assert!(read.contains(shown), "{shown}: {read}");
        }
        assert!(!read.contains("replyPolicy") && all.contains("<code>replyPolicy</code>"), "{}", page.text);
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

    async fn a_report_by_or_about_a_moderator_offers_them_no_decision(app: TestApp) {
        let [ada, _bob, bot] = app.agents(["ada", "bob", "bot"]).await;
        let mia = app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        mia.client.agents().claim(link).await.unwrap();
        let report = async |by: &Member, about: &str| {
            let report = by.client.reports().create(Subject::user(about), ReportReason::Spam);
            report.await.unwrap().report.id
        };
        let browser = Browser::of(&app, "mia").await;
        let theirs =
            [report(&ada, "mia").await, report(&mia, "bob").await, report(&bot, "bob").await];
        mia.client.agents().release("bot").await.unwrap();
        for id in theirs {
            let path = format!("/moderation/reports/{id}");
            let page = browser.get(&path).await;
            let says = "Another moderator decides reports by or about you and your agents.";
            assert!(page.text.contains(says), "{}", page.text);
            for act in [format!("action=\"{path}\""), format!("{path}/claim")] {
                assert!(!page.text.contains(&act), "{act}: {}", page.text);
            }
        }
    }

    async fn a_service_and_its_reviews_are_reported_from_where_they_are_shown(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.person("eve", PASSWORD).await;
        let service = offer(&bob, "count", 0).await;
        let placing = ada.client.orders().create("bob", &service, Map::new()).max_credits(0);
        let order = placing.await.unwrap().order.id;
        bob.client.orders().answer(&order, ResponseStatus::Completed).charged_credits(0).await.unwrap();
        let rating = Rating::from_half_steps(2).unwrap();
        let review = ada.client.orders().review(&order, rating).text("buy elsewhere").await.unwrap();
        let path = format!("/@bob/services/{service}");
        let browser = Browser::of(&app, "eve").await;
        for (kind, id) in [("service", service.as_str()), ("review", review.id.as_str())] {
            let found = links(&browser.get(&path).await, &format!("/report?subject.type={kind}&"));
            let [link] = &*found else { panic!("one can be reported: {found:?}") };
            assert!(link.contains(id), "{link}");
            let question = browser.get(link).await;
            assert!(question.text.contains(&format!("What is wrong with this {kind}?")), "{}", question.text);
            let sent = browser.send(&question.form("/report").with("reason", "spam")).await;
            assert!(sent.to().starts_with(&path), "{}", sent.to());
        }
        assert!(links(&Browser::new(&app).get(&path).await, "/report").is_empty(), "guests sign in first");
    }

    async fn a_moderator_moderates_from_where_things_are_shown(app: TestApp) {
        let bob = app.agent("bob").await;
        let service = offer(&bob, "count <words>", 5).await;
        let post = bob.client.posts().create("hello").content_warning("a film").await.unwrap().post;
        let room = bob.client.channels().create("the-room").await.unwrap().channel;
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
            (format!("/channels/{}", room.id), act("channel", room.id.as_str()), "the-room"),
        ] {
            let link = format!("href=\"{}\"", act.replace('&', "&amp;"));
            assert!(of_mia.get(&path).await.text.contains(&link), "{path}");
            assert!(!of_eve.get(&path).await.text.contains("/moderation/act"), "{path}");
            let question = of_mia.get(&act).await;
            assert!(question.text.contains(shown) && question.text.contains("@bob"), "{act}: {}", question.text);
            assert!(question.text.contains("type=\"hidden\" name=\"subject.id\""), "no id is typed: {}", question.text);
        }
        let question = of_mia.get(&act("post", post.id.as_str())).await;
        assert!(question.text.contains("a film"), "the warning stands before the text: {}", question.text);
        let own = mia.post("mine").await;
        assert!(!of_mia.get(&format!("/post/{}", own.id)).await.text.contains("/moderation/act"));
        app.agent("chief").await;
        app.grant_role("chief", "admin").await;
        for act in [act("post", own.id.as_str()), act("user", "chief")] {
            let question = of_mia.get(&act).await;
            assert!(offered(&question).is_empty() && question.text.contains("It is yours or"), "{act}: {}", question.text);
        }
        assert!(!of_mia.get("/@mia").await.text.contains("/moderation/act"));
        let own = mia.client.channels().create("mine").await.unwrap().channel;
        assert!(!of_mia.get(&format!("/channels/{}", own.id)).await.text.contains("/moderation/act"));
        let bare = of_mia.get("/moderation/act").await;
        assert!(bare.text.contains("choose Moderate there") && offered(&bare).is_empty(), "{}", bare.text);
        assert!(!of_mia.get("/moderation").await.text.contains("href=\"/moderation/act\""), "it is no tab");
    }

    async fn a_profile_shows_moderators_what_applies_to_the_account(app: TestApp) {
        let [ada, _eve] = app.agents(["ada", "eve"]).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let of_mia = Browser::of(&app, "mia").await;
        let told = async |browser: &Browser<'_>, path: &str| {
            let html = browser.get(path).await.html();
            html.of_class("notice").join(" | ")
        };
        assert_eq!(told(&of_mia, "/@ada").await, "");
        let act = format!("/moderation/act?subject.type=user&subject.id={}", ada.user.id);
        acts(&of_mia, &act, &[("type", "limit"), ("reason", "too loud")]).await;
        assert_eq!(told(&of_mia, "/@ada").await, "Limited: too loud");
        assert_eq!(told(&Browser::new(&app), "/@ada").await, "", "others are not told");
        acts(&of_mia, &act, &[("type", "suspend"), ("expiresIn", "1d")]).await;
        let both = told(&of_mia, "/@ada").await;
        assert!(both.starts_with("Limited: too loud | Suspended until ") && both.ends_with(": a test"), "{both}");
        app.suspend("eve").await;
        assert_eq!(told(&of_mia, "/@eve").await, "Suspended by the operator");
        app.advance(90_000);
        assert_eq!(told(&of_mia, "/@ada").await, "Limited: too loud");
        acts(&of_mia, &act, &[("type", "unlimit")]).await;
        assert_eq!(told(&of_mia, "/@ada").await, "");
    }

    async fn an_account_reads_of_each_action_on_it(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let of_mia = Browser::of(&app, "mia").await;
        let act = format!("/moderation/act?subject.type=user&subject.id={}", ada.user.id);
        acts(&of_mia, &act, &[("type", "warn"), ("reason", "too loud")]).await;
        acts(&of_mia, &act, &[("type", "limit")]).await;
        let page = Browser::of(&app, "ada").await.get("/notifications").await;
        for told in ["Your account was warned: too loud", "Your account was limited: a test"] {
            assert!(page.text.contains(told), "{told}: {}", page.text);
        }
    }

    async fn the_log_names_accounts_by_their_usernames_while_they_exist(app: TestApp) {
        let [bob, eve] = [app.agent("bob").await, app.person("eve", PASSWORD).await];
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let browser = Browser::of(&app, "mia").await;
        for (name, act) in [("bob", "suspend"), ("eve", "warn"), ("eve", "warn")] {
            let path = format!("/moderation/act?subject.type=user&subject.id={name}");
            acts(&browser, &path, &[("type", act)]).await;
        }
        eve.client.users().delete_me("eve").await.unwrap();
        let log = browser.get("/moderation/log").await;
        let is_linked = |id: &str, text: &str| log.text.contains(&format!("<a href=\"/@{id}\">{text}</a>"));
        let [bob, eve] = [bob.user.id.as_str(), eve.user.id.as_str()];
        assert!(is_linked(bob, "@bob"), "{}", log.text);
        assert!(is_linked(eve, &format!("<code>{eve}</code>")), "{}", log.text);
    }

    async fn only_acts_that_change_something_are_offered(app: TestApp) {
        let bob = app.agent("bob").await;
        let service = offer(&bob, "work", 5).await;
        let post = bob.post("hello").await;
        let room = bob.client.channels().create("the-room").await.unwrap().channel;
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
        let for_a_time = ["warn", "limit", "suspend", "unsuspend"];
        assert_eq!(offered(&browser.get(&on_bob).await), for_a_time, "its end can change");
        app.advance(3601);
        assert_eq!(offered(&browser.get(&on_bob).await), ["warn", "limit", "suspend"], "it has ended");
        // What the operator does is in no list of actions.
        app.suspend("bob").await;
        assert_eq!(offered(&browser.get(&on_bob).await), ["warn", "limit", "unsuspend"]);
        acts(&browser, &on_bob, &[("type", "unsuspend")]).await;
        acts(&browser, &on_bob, &[("type", "suspend")]).await;
        app.unsuspend("bob").await;
        assert_eq!(offered(&browser.get(&on_bob).await), ["warn", "limit", "suspend"]);

        let on_room = act("channel", room.id.as_str());
        assert_eq!(offered(&browser.get(&on_room).await), ["remove"]);
        acts(&browser, &on_room, &[("type", "remove")]).await;
        assert!(offered(&browser.get(&on_room).await).is_empty());
        assert_eq!(browser.get(&format!("/channels/{}", room.id)).await.status, StatusCode::NOT_FOUND);

        let page = browser.get(&(act("service", service.as_str()) + "&of=bob")).await;
        assert_eq!(offered(&page), ["remove"]);
        for field in ["label", "expiresIn"] {
            assert!(!page.text.contains(&format!("name=\"{field}\"")), "it has no {field}: {}", page.text);
        }
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
        let log = browser.get("/moderation/log").await;
        assert!(log.text.contains("Decisions on disputes are in the history of their orders."), "{}", log.text);
    }

    async fn a_moderator_sees_the_order_and_its_outcome(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let service = bob.client.services().create("chart", "draws", 5).await.unwrap().service.id;
        let id = ada.client.escrow().create("bob", &service, 10, "chart").await.unwrap().escrow.id;
        let mut request = order(&service, 10);
        request.escrow_id = Some(id.clone());
        request.input = object(json!({ "csv": "1,2,<3>", "kind": "pie", "accessToken": TOKEN }));
        let sent = ada.client.messages().request_service("bob", request).await.unwrap().message;
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
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
            assert!(page.text.contains("There is no page at this address."), "{path}: {}", page.text);
        }
        assert!(!browser.get("/").await.text.contains("href=\"/moderation\""));
    }
}
