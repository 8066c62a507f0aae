//! Accounts, lists, notifications, search.

use http::StatusCode;
use serde_json::json;
use svc_client::types::Rating;
use svc_core::tasks::rankings;

use crate::browser::{Browser, PASSWORD};
use crate::html::Element;
use crate::market::Market;
use crate::on_both_engines;

on_both_engines! {
    async fn an_account_is_followed_muted_and_blocked_from_its_page(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        ada.post("my own words").await;
        let browser = Browser::of(&app, "bob").await;
        let page = browser.get("/@ADA").await;
        assert_eq!(page.status, StatusCode::OK, "names ignore case");
        assert!(page.text.contains("my own words") && page.text.contains("/@ada/follow"));
        let viewer = async || bob.client.users().get("ada").await.unwrap().user.viewer.unwrap();
        assert_eq!(browser.post("/@ada/follow", &[]).await.to(), "/@ada");
        assert!(viewer().await.following);
        browser.post("/@ada/unfollow", &[]).await.to();
        assert!(!viewer().await.following);
        browser.post("/@ada/mute", &[]).await.to();
        assert!(viewer().await.muting);
        browser.post("/@ada/unmute", &[]).await.to();
        let asked = browser.get("/@ada/block").await;
        assert!(asked.text.contains("does not come back"), "blocking asks first");
        browser.send(&asked.form("/@ada/block")).await.to();
        assert!(viewer().await.blocking);
        assert!(browser.get("/@ada").await.text.contains("/@ada/unblock"));
        let own = Browser::of(&app, "ada").await.get("/@ada").await;
        assert!(!own.text.contains("/@ada/follow\""), "an account cannot follow itself");
        let oneself = Browser::of(&app, "ada").await.post("/@ada/follow", &[]).await;
        assert_eq!(oneself.status, StatusCode::BAD_REQUEST);
    }

    async fn the_buttons_of_a_profile_say_what_they_do(app: TestApp) {
        app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let browser = Browser::of(&app, "bob").await;
        let says = async |act: &str| {
            let html = browser.get("/@ada").await.html();
            let action = format!("/@ada/{act}");
            let is_it = |one: &&Element| one.attributes.get("formaction") == Some(&action);
            html.0.iter().find(is_it).map(|one| one.text.trim().to_owned())
        };
        let acts = ["follow", "unfollow", "mute", "unmute"];
        let german = ["Folgen", "Entfolgen", "Stummschalten", "Nicht mehr stummschalten"];
        for (language, words, unblock) in [
            ("en", ["Follow", "Unfollow", "Mute", "Unmute"], "Unblock"),
            ("de", german, "Nicht mehr blockieren"),
        ] {
            browser.set("lang", language);
            for (act, word) in acts.into_iter().zip(words) {
                assert_eq!(says(act).await.as_deref(), Some(word));
                browser.post(&format!("/@ada/{act}"), &[]).await.to();
            }
            browser.post("/@ada/block", &[]).await.to();
            assert_eq!(says("unblock").await.as_deref(), Some(unblock));
            browser.post("/@ada/unblock", &[]).await.to();
        }
    }

    async fn a_bot_shows_what_it_offers(app: TestApp) {
        let bot = app.agent("wordbot").await;
        let offer = bot.client.services().create("Counting <words>", "counts & tells", 3);
        offer.await.unwrap();
        let page = Browser::new(&app).get("/@wordbot").await.html();
        assert!(page.of_class("agent").contains(&"agent"));
        let service = page.of_class("list services");
        assert!(service[0].contains("Counting <words>") && service[0].contains("3 credits"), "{service:?}");
    }

    async fn a_list_is_made_filled_changed_and_deleted(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        bob.post("worth listing").await;
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get("/lists").await.text.contains("No lists yet"));
        let form = browser.get("/lists").await.form("/lists").with("name", "Bots & co");
        let page = browser.send(&form).await;
        let list = page.to().to_owned();
        let members = format!("{list}/members");
        let form = browser.get(&members).await.form(&members);
        let nobody = browser.send(&form.clone().with("usernames", "nobody_here")).await;
        assert_eq!(nobody.status, StatusCode::NOT_FOUND);
        assert_eq!(nobody.form(&members).value("usernames"), "nobody_here");
        assert_eq!(browser.send(&form.with("usernames", "@bob ")).await.to(), members);
        assert!(browser.get(&list).await.text.contains("worth listing"));
        assert_eq!(Browser::new(&app).get(&list).await.status, StatusCode::NOT_FOUND, "it is private");
        let edit = format!("{list}/edit");
        let form = browser.get(&edit).await.form(&edit);
        assert_eq!((form.value("name"), form.value("visibility")), ("Bots & co", "private"));
        let old = browser.get(&edit).await.form(&edit);
        browser.send(&form.with("visibility", "public")).await.to();
        browser.send(&old.with("name", "Bots")).await.to();
        assert_eq!(Browser::new(&app).get(&list).await.status, StatusCode::OK);
        browser.post(&format!("{members}/bob/remove"), &[]).await.to();
        let lists = ada.client.lists().list().await.unwrap().lists;
        assert_eq!(lists[0].members_count, 0);
        let delete = format!("{list}/delete");
        let form = browser.get(&delete).await.form(&delete);
        assert_eq!(browser.send(&form).await.to(), "/lists");
        assert_eq!(browser.get(&list).await.status, StatusCode::NOT_FOUND);
    }

    async fn notifications_are_grouped_and_marked_as_read(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("like me").await;
        for name in ["one", "two", "three"] {
            let other = app.agent(name).await;
            other.client.reactions().like(&post.id).await.unwrap();
        }
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get("/").await.text.contains("aria-label=\"3 unread\""));
        let page = browser.get("/notifications").await;
        let html = page.html();
        let shown = html.of_class("card row unread");
        assert!(shown.len() == 1 && shown[0].contains("and 2 more"), "{shown:?}");
        let latest = ada.client.notifications().list().await.unwrap().notifications.remove(0);
        ada.client.notifications().read(&latest.id).await.unwrap();
        let rest = browser.get("/notifications").await;
        assert_eq!(rest.html().of_class("card row unread").len(), 1, "two of the three are unread");
        assert_eq!(browser.send(&page.form("/notifications/read")).await.to(), "/notifications");
        assert!(browser.get("/notifications").await.html().of_class("card row unread").is_empty());
        assert!(browser.get("/notifications?types=follow,mention").await.text.contains("Nothing yet"));
    }

    async fn an_empty_page_of_a_feed_leads_on_where_more_follows(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, cyd] = app.agents(["bob", "cyd"]).await;
        let top = bob.post("all about ships").await;
        ada.client.relations().follow("bob").await.unwrap();
        for number in 0..21 {
            let reply = cyd.reply(&top, &number.to_string()).await;
            bob.client.reactions().repost(&reply.id).await.unwrap();
        }
        ada.client.relations().mute("cyd").await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/").await.text;
        assert!(page.contains("None here") && !page.contains("Your feed is empty"), "{page}");
        let next = page.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        let next = browser.get(next.expect("there is a link to the next page")).await.text;
        assert!(next.contains("all about"), "{next}");
        let empty = Browser::of(&app, "ada").await.get("/feed?sort=new&isAgent=false").await.text;
        assert!(!empty.contains("None here"), "there is no next page");
    }

    async fn search_finds_every_kind(app: TestApp) {
        let [ada, bot] = app.agents(["ada", "mapmaker"]).await;
        ada.post("about #harbours and ships").await;
        let me = json!({ "bio": "I draw harbours" });
        let request = bot.raw(&app, reqwest::Method::PATCH, "/users/me").json(&me);
        assert!(request.send().await.unwrap().status().is_success());
        bot.client.services().create("Harbour maps", "drawn by hand", 7).await.unwrap();
        app.index().await;
        app.advance(700);
        app.index().await;
        let browser = Browser::new(&app);
        for (path, text) in [
            ("/search?q=ships", "about "),
            ("/search?q=harbours&type=users", "I draw harbours"),
            ("/search?q=harb&type=hashtags", "#harbours"),
            ("/search?q=harbour&type=services", "Harbour maps"),
            ("/tag/harbours", "about "),
            ("/explore", "#harbours"),
            ("/explore/accounts?isAgent=true&q=map", "@mapmaker"),
            ("/explore/leaders?metric=posts", "Updated"),
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.text);
            page.html();
            assert!(page.text.contains(text), "{path}: {}", page.text);
        }
        assert_eq!(browser.get("/search").await.status, StatusCode::OK);
        let wrong = browser.get("/search?q=%23%23&type=people").await;
        assert_eq!((wrong.status, wrong.html().of_class("wrong").len()), (StatusCode::BAD_REQUEST, 1));
        let form = wrong.form("/search");
        assert_eq!((form.value("q"), form.value("type")), ("##", "posts"), "it can be mended");
        let long = "m".repeat(65);
        let wrong = browser.get(&format!("/explore/accounts?q={long}")).await;
        assert_eq!((wrong.status, wrong.html().of_class("wrong").len()), (StatusCode::BAD_REQUEST, 1));
        assert_eq!(wrong.form("/explore/accounts").value("q"), long);
        assert_eq!(browser.get("/tag/nothing").await.status, StatusCode::NOT_FOUND);
    }

    async fn the_tabs_of_a_search_keep_its_words_and_mark_what_is_shown(app: TestApp) {
        let browser = Browser::new(&app);
        for (kind, label, none) in [
            ("posts", "Posts", "No posts match “zebra”."),
            ("users", "Accounts", "No accounts."),
            ("hashtags", "Hashtags", "No hashtags match “zebra”."),
            ("services", "Services", "No services match “zebra”."),
        ] {
            let page = browser.get(&format!("/search?q=zebra&type={kind}")).await;
            assert!(page.text.contains(none), "{none}: {}", page.text);
            assert_eq!(page.form("/search").value("type"), kind, "the next words are looked for there, too");
            let html = page.html();
            let is_tab = |link: &&Element| {
                link.attributes.get("href").is_some_and(|to| to.starts_with("/search?q=zebra"))
            };
            let tabs: Vec<&Element> = html.named("a").into_iter().filter(is_tab).collect();
            let marked = tabs.iter().filter(|tab| tab.attributes.contains_key("aria-current"));
            let marked: Vec<&str> = marked.map(|tab| &*tab.text).collect();
            assert_eq!((tabs.len(), marked), (4, vec![label]));
        }
    }

    async fn the_leaderboard_shows_figures_as_they_are_meant(app: TestApp) {
        let market = Market::new(app).await;
        market.app.grant_credits("ada", 2_000).await;
        let [cat, dan] = market.app.agents(["cat", "dan"]).await;
        for (buyer, credits) in [(&market.ada, 1_220_u32), (&cat, 10), (&dan, 10)] {
            let deals = buyer.client.escrow();
            let opened = deals.create("bob", &market.service, credits, "a report").await.unwrap();
            market.deliver(&opened.escrow.id).await;
            let accepting = deals.release(&opened.escrow.id);
            accepting.rating(Rating::from_value(4.0).unwrap()).await.unwrap();
        }
        market.app.advance(300);
        rankings::once(market.app.server.app()).await.unwrap();
        let browser = Browser::new(&market.app);
        for (path, label, value) in [
            ("/explore/leaders?metric=earnings", "Credits earned", "1,240"),
            ("/explore/leaders?metric=earnings&lang=de", "Verdiente Credits", "1.240"),
            ("/explore/leaders?metric=services&window=24h", "Services done", "3"),
            ("/explore/leaders?metric=rating", "Rating", "4.0"),
        ] {
            let page = browser.get(path).await;
            let numbers = ["th", "td"].map(|name| {
                let cells = page.html();
                let cells = cells.named(name).into_iter();
                let is_number = |cell: &&Element| cell.attributes.get("class").is_some_and(|own| own == "number");
                cells.filter(is_number).map(|cell| cell.text.clone()).collect::<Vec<_>>()
            });
            assert_eq!(numbers[0].last().map(String::as_str), Some(label), "{path}");
            assert_eq!(numbers[1], ["1", value], "{path}: rank and value");
            assert!(page.text.contains("@bob"), "{path}: {}", page.text);
        }
    }

    async fn a_hashtag_is_followed_from_its_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.post("about #größe").await;
        let browser = Browser::of(&app, "ada").await;
        app.index().await;
        let path = "/tag/gr%C3%B6%C3%9Fe";
        assert_eq!(browser.get(path).await.status, StatusCode::OK);
        assert_eq!(browser.post(&format!("{path}/follow"), &[]).await.to(), path);
        assert!(browser.get(path).await.text.contains("Unfollow"));
    }

    async fn bookmarks_are_listed_for_their_owner(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let post = ada.post("worth keeping").await;
        ada.reply(&post, "not kept").await;
        let browser = Browser::of(&app, "bob").await;
        assert!(browser.get("/bookmarks").await.text.contains("No bookmarks yet."));
        browser.post(&format!("/post/{}/bookmark", post.id), &[]).await.to();
        let page = browser.get("/bookmarks").await;
        page.html();
        assert!(page.text.contains("worth keeping") && !page.text.contains("not kept"), "{}", page.text);
        for path in ["/lists", "/@bob"] {
            assert!(browser.get(path).await.text.contains("href=\"/bookmarks\""), "{path} leads there");
        }
        assert!(!browser.get("/@ada").await.text.contains("href=\"/bookmarks\""));
        bob.client.reactions().unbookmark(&post.id).await.unwrap();
        assert!(!browser.get("/bookmarks").await.text.contains("worth keeping"));
    }

    async fn an_empty_page_of_bookmarks_leads_on_where_more_follows(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        let kept = eve.post("worth keeping").await;
        ada.client.reactions().bookmark(&kept.id).await.unwrap();
        app.advance(1);
        let gone = bob.reply(&kept, "soon gone").await;
        ada.client.reactions().bookmark(&gone.id).await.unwrap();
        app.suspend("bob").await;
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/bookmarks?limit=1").await.text;
        assert!(page.contains("None here") && !page.contains("No bookmarks yet."), "{page}");
        assert!(browser.get("/bookmarks").await.text.contains("worth keeping"));
    }

    async fn followed_hashtags_are_listed(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.post("about #harbours").await;
        app.index().await;
        let browser = Browser::of(&app, "ada").await;
        assert!(!browser.get("/lists").await.text.contains("Hashtags you follow"));
        ada.client.hashtags().follow("harbours").await.unwrap();
        let page = browser.get("/lists").await;
        page.html();
        for text in ["Hashtags you follow", "href=\"/tag/harbours\""] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
    }

    async fn a_post_names_those_who_liked_and_reposted_it_and_its_quotes(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve, liz] = app.agents(["bob", "eve", "liz"]).await;
        let post = ada.post("look").await;
        let path = format!("/post/{}", post.id);
        let browser = Browser::new(&app);
        assert!(!browser.get(&path).await.text.contains("/likes\""), "nobody liked it yet");
        bob.client.reactions().like(&post.id).await.unwrap();
        eve.client.reactions().repost(&post.id).await.unwrap();
        liz.client.posts().create("indeed").quote(post.id.clone()).await.unwrap();
        let shown = browser.get(&path).await;
        let seen = [("likes", "1 like<", "@bob"), ("reposts", "1 repost<", "@eve"), ("quotes", "1 quote<", "indeed")];
        for (what, count, who) in seen {
            let link = format!("{path}/{what}");
            assert!(shown.text.contains(&format!("href=\"{link}\"")), "{link}: {}", shown.text);
            assert!(shown.text.contains(count), "{count}: {}", shown.text);
            let page = browser.get(&link).await;
            page.html();
            assert!(page.text.contains(who), "{link}: {}", page.text);
        }
    }

    async fn what_came_after_the_page_was_shown_stays_unread(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("like me").await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        bob.client.reactions().like(&post.id).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/notifications").await.form("/notifications/read");
        eve.client.relations().follow("ada").await.unwrap();
        assert_eq!(browser.send(&form).await.to(), "/notifications");
        let unread = async || ada.client.notifications().unread_count().await.unwrap().unread_count;
        assert_eq!(unread().await, 1, "nobody saw the follow");
        let form = browser.get("/notifications").await.form("/notifications/read");
        let newest = ada.client.notifications().list().await.unwrap().notifications.remove(0);
        ada.client.notifications().delete(&newest.id).await.unwrap();
        bob.client.relations().follow("ada").await.unwrap();
        assert_eq!(browser.send(&form).await.to(), "/notifications", "what it showed may be gone");
        assert_eq!(unread().await, 0);
    }
}
