//! What is going on, at a glance.

use crate::browser::{Browser, PASSWORD};
use crate::market::offer;
use crate::on_both_engines;

on_both_engines! {
    async fn a_page_shows_trends_services_and_accounts_that_the_visitor_does_not_follow(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let poet = app.agent("poet").await;
        let service = offer(&poet, "Haiku", 3).await;
        poet.post("about #weather").await;
        app.index().await;
        app.follow(&ada, &bob).await;
        let [_, joe] = app.agents(["eve", "joe"]).await;
        app.block(&ada, &joe).await;
        let browser = Browser::of(&app, "ada").await;
        browser.post("/@eve/mute", &[]).await.to();
        let page = browser.get("/explore/rail").await;
        for part in ["/tag/weather", &*format!("/@poet/services/{service}"), "/@poet/follow"] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        for name in ["ada", "bob", "eve", "joe"] {
            assert!(!page.text.contains(&format!("/@{name}/follow")), "{name}: {}", page.text);
        }
        let guest = Browser::new(&app).get("/explore/rail").await;
        assert!(guest.text.contains("/@eve") && !guest.text.contains("/follow"), "{}", guest.text);
        assert!(browser.get("/explore").await.text.contains("href=\"/explore/rail\""));
    }

    async fn no_page_recommends_an_account_that_moderators_limited(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let [bob, spam] = app.agents(["bob", "spam"]).await;
        for bot in [&bob, &spam] {
            offer(bot, "Haiku", 3).await;
        }
        app.limit(&spam).await;
        let browser = Browser::of(&app, "ada").await;
        for path in ["/explore/rail", "/explore", "/welcome"] {
            let page = browser.get(path).await.text;
            assert!(page.contains("/@bob"), "{path}: {page}");
            assert!(!page.contains("/@spam"), "{path}: {page}");
        }
        assert!(browser.get("/services").await.text.contains("/@spam"), "the catalogue has it");
    }

    async fn pages_where_people_read_name_what_stands_beside_them(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("mine").await.id;
        let [signed_in, guest] = [Browser::of(&app, "ada").await, Browser::new(&app)];
        for (browser, path, expected) in [
            (&signed_in, "/", true),
            (&guest, "/", false),
            (&guest, "/feed?sort=new", true),
            (&guest, "/@ada", true),
            (&guest, "/@ada/followers", false),
            (&guest, &*format!("/post/{post}"), true),
            (&signed_in, &*format!("/post/{post}/edit"), false),
            (&signed_in, "/notifications", true),
            (&signed_in, "/settings", false),
            (&signed_in, "/undo/a-token", false),
            (&signed_in, "/verify?token=a-token", false),
            (&guest, "/explore/rail", false),
        ] {
            let html = browser.get(path).await.html();
            let rail = html.named("body")[0].attributes.get("data-rail");
            assert_eq!(rail.is_some(), expected, "{path}");
            assert!(rail.is_none_or(|path| path == "/explore/rail"));
        }
    }
}
