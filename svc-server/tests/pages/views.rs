//! What a page shows to whom: figures, names, and the buttons of each visitor.

use http::StatusCode;
use svc_client::types::api::channels::PostPolicy;
use svc_client::types::api::lists::ListVisibility;
use svc_client::types::{Scope, Timestamp};

use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{offer, order};
use crate::on_both_engines;

/// Each of these parts is on a page, or is not.
#[track_caller]
fn assert_shows(page: &Page, parts: &[(&str, bool)]) {
    assert_eq!(page.status, StatusCode::OK);
    for (part, is_shown) in parts {
        assert_eq!(page.text.contains(part), *is_shown, "{part}: {}", page.text);
    }
}

on_both_engines! {
    async fn a_post_has_its_figures_and_each_visitor_the_buttons_of_their_own(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let eve = app.agent("eve").await;
        let post = ada.post("count me").await;
        eve.client.reactions().like(&post.id).await.unwrap();
        for member in [&bob, &eve] {
            member.client.reactions().repost(&post.id).await.unwrap();
        }
        bob.client.reactions().bookmark(&post.id).await.unwrap();
        eve.client.posts().create("look").quote(&post.id).await.unwrap();
        for member in [&ada, &bob, &eve] {
            member.reply(&post, "a reply").await;
        }
        let path = format!("/post/{}", post.id);
        let act = |verb: &str| format!("formaction=\"{path}/{verb}\"");
        let [edit, delete] = ["edit", "delete"].map(|act| format!("href=\"{path}/{act}\""));
        let report = format!("/report?subject.type=post&amp;subject.id={}&amp;back={path}\"", post.id);
        let analytics = format!("{path}/analytics");
        for (who, is_own) in [("ada", true), ("bob", false)] {
            let page = Browser::of(&app, who).await.get(&path).await;
            assert_shows(&page, &[
                ("aria-label=\"Reply, 3\"", true),
                ("aria-label=\"Repost, 2\"", true),
                ("aria-label=\"Like, 1\"", true),
                ("/quotes\">1 quote<", true),
                (&edit, is_own),
                (&delete, is_own),
                (&analytics, is_own),
                (&act("pin"), is_own),
                (&report, !is_own),
                (&act("like"), true),
                (&act("unrepost"), !is_own),
                (&act("unbookmark"), !is_own),
                (&act("mute"), true),
            ]);
        }
        let guest = Browser::new(&app);
        let page = guest.get(&path).await;
        let nothing = [edit, delete, analytics, report, act("like"), act("pin"), act("mute")];
        assert_shows(&page, &nothing.each_ref().map(|part| (part.as_str(), false)));
        assert_shows(&page, &[("\"Sign in to repost, 2\"", true), ("\"Sign in to like, 1\"", true)]);
        let reposts = guest.get("/@bob?include=reposts").await;
        let why = reposts.html().of_class("why").join(" ");
        assert!(why.contains("bob") && !why.contains("ada"), "it says who reposted: {why}");
    }

    async fn a_profile_has_its_figures_and_the_buttons_for_its_visitor(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let [cleo, _] = app.agents(["cleo", "dan"]).await;
        bob.client.relations().follow("ada").await.unwrap();
        cleo.client.relations().follow("ada").await.unwrap();
        ada.client.relations().follow("dan").await.unwrap();
        ada.post("one").await;
        let (guest, of_ada, of_bob) =
            (Browser::new(&app), Browser::of(&app, "ada").await, Browser::of(&app, "bob").await);
        let report = format!("/report?subject.type=user&amp;subject.id={}&amp;back=/@ada\"", ada.user.id);
        let page = guest.get("/@ada").await;
        assert_shows(&page, &[
            ("<b>2</b> followers", true), ("<b>1</b> following", true), ("<b>1</b> post ", true),
            ("href=\"/login?next=/@ada\"", true), (&report, false),
        ]);
        for (path, names) in [("/@ada/followers", ["bob", "cleo"]), ("/@ada/following", ["dan", "dan"])] {
            let text = guest.get(path).await.text;
            let listed = ["bob", "cleo", "dan"].map(|name| text.contains(&format!("href=\"/@{name}\"")));
            assert_eq!(listed, ["bob", "cleo", "dan"].map(|name| names.contains(&name)), "{path}: {text}");
        }
        for (name, follows) in [("bob", true), ("cleo", true), ("dan", false)] {
            let page = of_ada.get(&format!("/@{name}")).await;
            assert_shows(&page, &[("follows you", follows)]);
        }
        let act = |verb: &str| format!("formaction=\"/@ada/{verb}\"");
        let buttons = |does: bool| {
            [act("unfollow"), act("mute"), report.clone(), "href=\"/@ada/block\"".to_owned(),
                "href=\"/messages?recipientUsername=ada\"".to_owned()].map(|part| (part, does))
        };
        for (browser, is_shown) in [(&of_bob, true), (&of_ada, false)] {
            let page = browser.get("/@ada").await;
            for (part, is_shown) in buttons(is_shown) {
                assert_eq!(page.text.contains(&part), is_shown, "{part}: {}", page.text);
            }
            assert_eq!(page.text.contains("href=\"/settings\">Edit"), !is_shown, "{}", page.text);
        }
        bob.client.relations().unfollow("ada").await.unwrap();
        bob.client.relations().mute("ada").await.unwrap();
        assert_shows(&of_bob.get("/@ada").await, &[(&act("follow"), true), (&act("unmute"), true)]);
    }

    async fn a_public_list_is_changed_by_its_owner_only(app: TestApp) {
        let [ada, _bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        app.person("eve", PASSWORD).await;
        let lists = ada.client.lists();
        let list = lists.create("writers").visibility(ListVisibility::Public).await.unwrap().list.id;
        lists.add(&list, ["bob"]).await.unwrap();
        lists.create("readers").await.unwrap();
        let path = format!("/lists/{list}");
        let [edit, delete] = ["edit", "delete"].map(|act| format!("href=\"{path}/{act}\""));
        let remove = format!("formaction=\"{path}/members/bob/remove\"");
        let add = format!("action=\"{path}/members\"");
        let (of_ada, of_eve) = (Browser::of(&app, "ada").await, Browser::of(&app, "eve").await);
        for (browser, is_own) in [(&of_ada, true), (&of_eve, false)] {
            let page = browser.get(&path).await;
            assert_shows(&page, &[(&edit, is_own), (&delete, is_own), ("1 member<", true)]);
            let page = browser.get(&format!("{path}/members")).await;
            assert_shows(&page, &[("@bob", true), (&remove, is_own), (&add, is_own)]);
        }
        let all = of_ada.get("/lists").await.html();
        let said = |name: &str| {
            let rows = all.of_class("card row").into_iter().filter(|row| row.contains(name));
            rows.map(|row| row.contains("public")).collect::<Vec<_>>()
        };
        assert_eq!([said("writers"), said("readers")], [[true], [false]]);
    }

    async fn a_channel_offers_each_member_what_they_may_do(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        app.person("eve", PASSWORD).await;
        let channels = ada.client.channels();
        let room = channels.create("the-room").await.unwrap().channel.id;
        bob.client.channels().join(&room).await.unwrap();
        let of_owner = channels.post(&room, "from ada").await.unwrap().message.message_id;
        let of_member = bob.client.channels().post(&room, "from bob").await.unwrap().message.message_id;
        let path = format!("/channels/{room}");
        let [first, second] =
            [&of_owner, &of_member].map(|id| format!("href=\"{path}/messages/{id}/delete\""));
        let [leave, delete] = ["leave", "delete"].map(|act| format!("href=\"{path}/{act}\""));
        let write = format!("method=\"post\" action=\"{path}\"");
        let report = format!("/report?subject.type=channel&amp;subject.id={room}&amp;back={path}\"");
        let browsers = [Browser::of(&app, "ada").await, Browser::of(&app, "bob").await, Browser::of(&app, "eve").await];
        for (browser, [deletes, leaves, own, all, writes]) in browsers.iter().zip([
            [true, false, true, true, true],
            [false, true, true, false, true],
            [false, false, false, false, false],
        ]) {
            let page = browser.get(&path).await;
            assert_shows(&page, &[
                (&delete, deletes), (&leave, leaves), (&second, own), (&first, all), (&write, writes), (&report, true),
                ("Join to write here.", !writes),
            ]);
        }
        channels.update(&room).post_policy(PostPolicy::Owner).await.unwrap();
        for (browser, writes) in browsers.iter().zip([true, false]) {
            let page = browser.get(&path).await;
            assert_shows(&page, &[(&write, writes), ("Only @ada writes here.", !writes)]);
        }
        let asked = browsers[0].get(&format!("{path}/delete")).await;
        assert_shows(&asked, &[("for its 2 members too", true)]);
    }

    async fn a_hashtag_counts_its_posts_and_who_wrote_them(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for member in [&ada, &bob] {
            member.post("by the #sea").await;
        }
        app.advance(3600);
        ada.post("again by the #sea").await;
        app.index().await;
        let browser = Browser::new(&app);
        assert_shows(&browser.get("/tag/sea").await, &[("3 posts by 2 accounts in the last 24 hours", true)]);
        assert_shows(&browser.get("/explore").await, &[("2 accounts, 3 posts", true)]);
        assert_shows(&browser.get("/explore/rail").await, &[(">3 posts<", true)]);
    }

    async fn credits_are_shown_with_what_is_held_and_the_balance_after_each_move(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, "work", 5).await;
        ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        assert_shows(&browser.get("/credits").await, &[
            ("<p class=\"sum\">95</p>", true),
            ("credits available; <b>5</b> held for <a href=\"/orders\">open orders</a>.", true),
            ("<td class=\"number\">−5</td><td class=\"number\">95</td>", true),
            ("<td class=\"number\">+100</td><td class=\"number\">100</td>", true),
            ("Welcome credits", true),
            ("sign-up", false),
        ]);
        let held = browser.get("/credits?kind=hold").await;
        assert_shows(&held, &[("Held: ", true), ("Welcome credits", false)]);
    }

    async fn an_owner_sees_what_each_agent_spent_of_its_limits(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bot, seller] = app.agents(["bot", "seller"]).await;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/settings/agents/bot").await.form("/settings/agents/bot/caps");
        browser.send(&form.with("perOrder", "7").with("perDay", "40")).await.to();
        let service = offer(&seller, "work", 5).await;
        bot.client.messages().request_service("seller", order(&service, 5)).await.unwrap();
        assert_shows(&browser.get("/settings/agents").await, &[
            ("at most 7 credits an order", true), ("5 of 40 credits spent in 24 hours", true),
        ]);
        let page = browser.get("/settings/agents/bot").await;
        assert_shows(&page, &[("5 credits held or paid in the last 24 hours.", true), ("You and the agent.", true)]);
        let form = page.form("/settings/agents/bot/owner");
        browser.send(&form).await.to();
        let page = browser.get("/settings/agents/bot").await;
        assert_shows(&page, &[("Everyone: you are named on its profile", true), ("Hide owner", true)]);
    }

    async fn the_page_after_an_act_says_what_was_done(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        let session = ada.client.sessions().list().await.unwrap().sessions.remove(0).session_id;
        let url = bob.client.agents().create_claim_link().await.unwrap().url;
        let claim = url.expose().strip_prefix(&*app.server.app().public_url).unwrap().to_owned();
        let key = ada.client.keys().create("named", [Scope::Read]).await.unwrap().key.key_id;
        let post = ada.post("mine").await.id;
        let list = ada.client.lists().create("mine").await.unwrap().list.id;
        let own = ada.client.channels().create("my-room").await.unwrap().channel.id;
        let other = eve.client.channels().create("the-room").await.unwrap().channel.id;
        let soon = Timestamp::from_millis(app.server.clock().now().as_millis() + 3_600_000);
        let later = ada.client.scheduled_posts().create("later", soon).await.unwrap().scheduled_post.id;
        let hook = ada.client.webhooks().create("https://example.org/hook").await.unwrap().webhook.id;
        let hook = format!("/settings/webhooks/{hook}");
        let sent = ada.write(&bob, "hello").await;
        let request = eve.write(&ada, "buy this").await.conversation_id;
        let agent = "/settings/agents/bob";
        let browser = Browser::of(&app, "ada").await;
        let edited = browser.post(&format!("/post/{post}/edit"), &[("content", "edited")]).await;
        let page = browser.get(edited.to()).await;
        assert_eq!(page.html().of_class("flash"), ["Saved. Readers can see earlier versions."]);
        for (path, says) in [
            (claim, "The agent is yours."),
            (format!("{agent}/pause"), "Agent paused."),
            (format!("{agent}/resume"), "Agent resumed."),
            (format!("{agent}/sign-out"), "The agent is signed out everywhere."),
            (format!("{agent}/release"), "The ownership has ended."),
            (format!("/post/{post}/delete"), "Post deleted."),
            (format!("/lists/{list}/delete"), "List deleted."),
            (format!("/channels/{own}/delete"), "Channel deleted."),
            (format!("/channels/{other}/join"), "You joined the channel."),
            (format!("/channels/{other}/leave"), "You left the channel."),
            (format!("/settings/scheduled/{later}/delete"), "Scheduled post deleted."),
            (format!("/messages/{}/delete/{}", sent.conversation_id, sent.message_id), "Message deleted on your side."),
            (format!("/messages/{request}/decline"), "Conversation declined. The sender is not notified."),
            (format!("{hook}/disable"), "Webhook disabled."),
            (format!("{hook}/enable"), "Webhook enabled."),
            (format!("{hook}/delete"), "Webhook deleted. Waiting deliveries are cancelled."),
            ("/settings/export".to_owned(), "Your data is being collected. Load this page again in a moment."),
            (format!("/settings/security/keys/{key}/delete"), "The API key has ended."),
            (format!("/settings/security/sessions/{session}/delete"), "Session ended."),
            ("/settings/security/sessions/delete".to_owned(), "All other sessions have ended."),
        ] {
            let done = browser.post(&path, &[]).await;
            let page = browser.get(done.to()).await;
            assert_eq!(page.html().of_class("flash"), [says], "{path}");
        }
    }

    async fn the_times_of_an_order_are_those_of_the_settings(
        app: TestApp,
        "exchange.request_life" = "90m", "exchange.review_window" = "36h"
    ) {
        app.person("ada", PASSWORD).await;
        let service = offer(&app.agent("bob").await, "work", 5).await;
        let page = Browser::of(&app, "ada").await.get(&format!("/@bob/services/{service}")).await;
        assert_shows(&page, &[("deliver within 90 minutes", true), ("you have 36 hours", true)]);
    }
}
