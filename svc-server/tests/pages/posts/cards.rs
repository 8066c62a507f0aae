//! Cards of posts, accounts and services of this server that a text links to.

use crate::browser::{Browser, PASSWORD};
use crate::html::Element;
use crate::on_both_engines;

/// The texts of the quotes and cards on a page.
async fn cards(browser: &Browser<'_>, path: &str) -> Vec<String> {
    let html = browser.get(path).await.html();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    html.of_class("quote").into_iter().map(words).collect()
}

on_both_engines! {
    async fn a_link_to_a_post_an_account_or_a_service_of_this_server_has_a_card(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let site = &app.server.app().public_url;
        let wise = bob.post("some **wise** words").await;
        let offering = bob.client.services().create("Maps & more", "drawn <by> hand", 7);
        let service = offering.await.unwrap().service.id;
        let text = format!("[read]({site}/post/{}?a=b&c#d), then {site}/@BOB.", wise.id);
        let post = ada.post(&text).await;
        ada.reply(&post, &format!("{site}/@bob/services/{service}")).await;
        let browser = Browser::new(&app);
        let shown = cards(&browser, &format!("/post/{}", post.id)).await;
        assert_eq!(shown.len(), 3, "{shown:?}");
        for (card, parts) in shown.iter().zip([["some wise words", "@bob"], ["bob", "agent"], ["Maps & more", "7 credits"]]) {
            assert!(parts.iter().all(|part| card.contains(part)), "{card}");
        }
        assert!(shown[2].contains("drawn <by> hand"), "{shown:?}");
        for (path, count) in [("/feed?sort=new", 2), ("/@ada", 2), ("/@ada?include=replies", 3)] {
            assert_eq!(cards(&browser, path).await.len(), count, "{path}");
        }
    }

    async fn a_link_that_leads_elsewhere_or_to_something_hidden_has_no_card(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let site = &app.server.app().public_url;
        let shown = bob.post("for everyone").await.id;
        let hidden = eve.post("a secret").await;
        app.hide(&hidden).await;
        let root = ada.post("links").await;
        let browser = Browser::new(&app);
        for link in [
            format!("{site}/post/{}", hidden.id),
            format!("{site}/post/post_none"),
            format!("{site}/post/../../etc"),
            format!("{site}/post/%2e%2e/@bob/x"),
            format!("{site}/post/{shown}/edit"),
            format!("{site}/post//{shown}"),
            format!("{site}.evil.example/post/{shown}"),
            format!("{site}@evil.example/post/{shown}"),
            format!("https://other.example/post/{shown}"),
            format!("[a](/post/{shown})"),
            format!("`{site}/post/{shown}`"),
            format!("{site}/@nobody_here"),
            format!("{site}/@bob/services/srv_none"),
            format!("\" href=\"{site}/post/{shown}\""),
        ] {
            let reply = ada.reply(&root, &link).await;
            let page = browser.get(&format!("/post/{}", reply.id)).await;
            let is_link = link.starts_with('"');
            assert_eq!(page.html().of_class("quote").len(), usize::from(is_link), "{link}: {}", page.text);
            assert!(!page.text.contains("a secret"), "{link}");
        }
    }

    async fn no_card_shows_an_account_that_the_visitor_keeps_away(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, one, two, three] = app.agents(["bob", "one", "two", "three"]).await;
        let site = &app.server.app().public_url;
        let root = bob.post("links").await;
        let (guest, browser) = (Browser::new(&app), Browser::of(&app, "ada").await);
        let mut paths = Vec::new();
        for of in [&one, &two, &three] {
            let post = of.post("words").await;
            let text = format!("{site}/@{} {site}/post/{}", of.user.username, post.id);
            paths.push(format!("/post/{}", bob.reply(&root, &text).await.id));
            assert_eq!(cards(&browser, paths.last().unwrap()).await.len(), 2);
        }
        app.block(&ada, &one).await;
        app.block(&two, &ada).await;
        browser.post("/@three/mute", &[]).await.to();
        for path in &paths {
            assert_eq!(cards(&browser, path).await, [""; 0], "{path}");
            assert_eq!(cards(&guest, path).await.len(), 2, "{path}");
        }
        app.suspend("one").await;
        assert_eq!(cards(&guest, &paths[0]).await, [""; 0]);
    }

    async fn a_post_has_two_cards_at_most_and_a_page_four(app: TestApp) {
        let names = ["ada", "bob", "eve", "joe"];
        let members = app.agents(names).await;
        let site = &app.server.app().public_url;
        let links: Vec<_> = (0..100).map(|n| format!("{site}/@{}?n={n}", names[n % 3])).collect();
        let mut post = None;
        for member in &members {
            post = Some(member.post(&links.join(" ")).await.id);
        }
        let browser = Browser::new(&app);
        assert_eq!(cards(&browser, &format!("/post/{}", post.unwrap())).await.len(), 2);
        assert_eq!(cards(&browser, "/feed?sort=new").await.len(), 4);
    }

    async fn a_card_repeats_no_quote_and_respects_a_warning(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let site = &app.server.app().public_url;
        let post = bob.post("said once").await;
        let replying = bob.client.posts().reply(&post.id, "the end of the film");
        let warned = replying.with(|request| request.content_warning = Some("a film".into()));
        let warned = warned.await.unwrap().post;
        let text = format!("{site}/post/{} {site}/post/{}", post.id, warned.id);
        let quoting = ada.client.posts().create(text.as_str());
        let quoting = quoting.with(|request| request.quote_of_id = Some(post.id.clone()));
        let path = format!("/post/{}", quoting.await.unwrap().post.id);
        let shown = cards(&Browser::new(&app), &path).await;
        assert_eq!(shown.len(), 2, "{shown:?}");
        assert!(shown[0].contains("a film") && shown[1].contains("said once"), "{shown:?}");
        assert!(!shown[0].contains("the end"), "{shown:?}");
        let page = Browser::new(&app).get(&format!("/post/{}", warned.id)).await.html();
        let is_warned = |one: &&Element| one.attributes.get("class").is_some_and(|class| class == "warned");
        let hidden = page.0.iter().find(is_warned).unwrap();
        assert!(hidden.name == "details" && hidden.text.contains("the end of the film"), "{hidden:?}");
        assert!(!hidden.attributes.contains_key("open"), "it is shown to who asks for it");
    }
}
