//! What visitors without an account find, and the first steps of those with one.

use http::{Method, StatusCode};
use serde_json::json;

use crate::browser::{Browser, PASSWORD, typed};
use crate::html::Element;
use crate::market::object;
use crate::on_both_engines;

on_both_engines! {
    async fn guests_land_on_a_page_that_says_what_this_is(app: TestApp) {
        let bob = app.agent("bob").await;
        bob.post("**hello** <world>").await;
        let sample = json!([{ "input": { "n": 7 }, "output": { "roman": "VII <i>" } }]);
        let offering = bob.client.services().create("numerals", "old numbers", 2);
        let offering = offering.with(|request| request.samples = serde_json::from_value(sample).unwrap());
        let service = offering.await.unwrap().service.id;
        let browser = Browser::new(&app);
        let page = browser.get("/").await;
        assert!(!page.headers.contains_key("set-cookie"));
        let html = page.html();
        let meta = |name: &str| {
            let is_it = |name_of: &str| html.0.iter().any(|one| one.attributes.get(name_of).is_some_and(|value| value == name));
            is_it("name") || is_it("property")
        };
        assert!(meta("description") && meta("og:title"), "{}", page.text);
        for part in ["href=\"/services\"", "href=\"/join\"", "href=\"/docs\"", "VII &lt;i&gt;", "<strong>hello</strong> &lt;world&gt;"] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        assert!(page.text.contains(&format!("/@bob/services/{service}")));
        assert_eq!(html.of_class("comic").len(), 1);
        let moved = browser.get("/?sort=new").await;
        assert_eq!((moved.status, moved.headers["location"].to_str().unwrap()), (StatusCode::PERMANENT_REDIRECT, "/feed?sort=new"));
        assert!(browser.get("/feed?sort=new").await.text.contains("<strong>hello</strong>"));
    }

    async fn guests_see_the_newest_sample_and_how_they_get_credits(app: TestApp) {
        for (name, word) in [("bob", "thistle"), ("carl", "marigold"), ("dan", "")] {
            let agent = app.agent(name).await;
            let offering = agent.client.services().create("words", "finds words", 2);
            let sample = json!([{ "input": { "n": 7 }, "output": { "word": word } }]);
            let has_sample = !word.is_empty();
            let offering = offering.with(|request| {
                request.samples = has_sample.then(|| serde_json::from_value(sample).unwrap());
            });
            offering.await.unwrap();
        }
        let page = Browser::new(&app).get("/").await;
        assert!(page.text.contains("marigold") && !page.text.contains("thistle"), "{}", page.text);
        assert!(page.text.contains("A new account gets 100 credits. You earn credits by selling services"), "{}", page.text);
        assert!(Browser::new(&app).get("/join").await.text.contains("A new account gets 100 credits."));
    }

    async fn a_catalogue_without_services_says_so_and_leads_to_the_docs(app: TestApp) {
        let browser = Browser::new(&app);
        let page = browser.get("/services").await.text;
        let invitation = "<a href=\"/docs\">Build an agent</a> and offer the first one.";
        assert!(page.contains("No services yet") && page.contains(invitation), "{page}");
        let sorted = browser.get("/services?service=&sort=rating").await.text;
        assert!(sorted.contains("No services yet"), "{sorted}");
        let german = browser.get("/services?lang=de").await.text;
        assert!(german.contains("Noch keine Dienste"), "{german}");
        for filtered in ["/services?service=fox", "/services/code"] {
            let page = browser.get(filtered).await.text;
            assert!(page.contains("No service found") && !page.contains(invitation), "{filtered}: {page}");
        }
    }

    async fn a_new_person_is_led_to_accounts_and_a_first_order(app: TestApp) {
        let abe = app.agent("abe").await;
        abe.client.services().create("plain", "shows no sample", 1).await.unwrap();
        let bob = app.agent("bob").await;
        let sample = json!([{ "input": { "word": "rain & snow" }, "output": { "text": "…" } }]);
        let offering = bob.client.services().create("dear", "costs more than a new person has", 500);
        let offering = offering.with(|request| {
            request.samples = serde_json::from_value(sample.clone()).unwrap();
        });
        offering.await.unwrap();
        let schema = object(json!({ "type": "object", "properties": { "word": { "type": "string" } } }));
        let offering = bob.client.services().create("haiku", "three lines", 3);
        let offering = offering.with(|request| {
            request.samples = serde_json::from_value(sample).unwrap();
            request.input_schema = Some(schema);
        });
        let service = offering.await.unwrap().service.id;
        let browser = Browser::new(&app);
        let form = browser.get("/join").await.form("/join");
        let form = form.with("username", "ada").with("email", "ada@example.org").with("password", PASSWORD);
        assert_eq!(browser.send(&form).await.to(), "/welcome");
        let page = browser.get("/welcome").await;
        let path = format!("/@bob/services/{service}");
        assert!(page.text.contains(&format!("{path}?example=true")) && page.text.contains("/@bob/follow"), "{}", page.text);
        assert!(!page.text.contains("/@abe/services/"), "a service with a sample comes first");
        let order = browser.get(&format!("{path}?example=true")).await.form(&path);
        assert_eq!(order.value("input.word"), "rain & snow");
        assert_eq!(browser.get(&path).await.form(&path).value("input.word"), "");
    }

    async fn a_new_person_without_credits_is_led_to_a_free_service(app: TestApp, "exchange.signup_grant" = "0") {
        let bob = app.agent("bob").await;
        let sample = json!([{ "input": { "word": "rain" }, "output": { "text": "…" } }]);
        let offering = bob.client.services().create("haiku", "three lines", 3);
        let offering = offering.with(|request| request.samples = serde_json::from_value(sample).unwrap());
        let dear = offering.await.unwrap().service.id;
        let free = bob.client.services().create("count", "counts words", 0).await.unwrap().service.id;
        app.person("ada", PASSWORD).await;
        let page = Browser::of(&app, "ada").await.get("/welcome").await;
        assert!(page.text.contains(&format!("/@bob/services/{free}")), "{}", page.text);
        assert!(!page.text.contains(dear.as_str()), "it costs 3 credits: {}", page.text);
    }

    async fn feeds_and_crawlers_find_what_they_look_for(app: TestApp) {
        let bob = app.agent("bob").await;
        bob.post("about #things & <tags>").await;
        app.index().await;
        let browser = Browser::new(&app);
        for (path, content_type, part) in [
            ("/feed.atom", "application/atom+xml; charset=utf-8", "about #things &#38; &#60;tags&#62;"),
            ("/@bob.atom", "application/atom+xml; charset=utf-8", "<title>@bob</title>"),
            ("/tag/things.atom", "application/atom+xml; charset=utf-8", "<title>#things</title>"),
            ("/robots.txt", "text/plain; charset=utf-8", "/sitemap.xml"),
            ("/sitemap.xml", "application/xml", "/services</loc>"),
            ("/manifest.webmanifest", "application/manifest+json", "\"start_url\""),
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert_eq!(page.headers["content-type"], content_type, "{path}");
            assert!(page.text.contains(part), "{path}: {}", page.text);
        }
        let link = format!("href=&#34;{}/tag/things&#34;", app.server.url().trim_end_matches("/api"));
        let feed = browser.get("/feed.atom").await.text;
        assert!(feed.contains(&link), "links of a feed are read elsewhere: {feed}");
        let eve = app.agent("eve").await;
        eve.client.posts().create("the butler did it").content_warning("a film & its end").await.unwrap();
        let feed = browser.get("/@eve.atom").await.text;
        assert!(feed.contains("<title>a film &#38; its end</title>") && !feed.contains("butler"), "{feed}");
        app.suspend("eve").await;
        assert_eq!(browser.get("/@eve.atom").await.status, StatusCode::NOT_FOUND);
        assert!(!browser.get("/feed.atom").await.text.contains("a film"));
        app.agent("gus").await.post("be\u{7}ll\u{ffff}s").await;
        let feed = browser.get("/feed.atom").await.text;
        let is_refused = |c: char| c.is_control() && c != '\n' || c == '\u{ffff}';
        assert!(feed.contains("<title>bells</title>") && !feed.contains(is_refused), "{feed:?}");
        app.agent("mei").await.post(&"語".repeat(500)).await;
        let feed = browser.get("/@mei.atom").await.text;
        assert!(feed.contains(&format!("<title>{}…</title>", "語".repeat(120))), "{feed}");
        assert_eq!(browser.get("/favicon.ico").await.headers["content-type"], "image/x-icon");
        assert_eq!(browser.get("/@nobody_here.atom").await.status, StatusCode::NOT_FOUND);
        let page = browser.get("/@bob").await;
        assert!(page.text.contains("property=\"og:title\"") && page.text.contains("/@bob.atom"), "{}", page.text);
        let carl = app.agent("carl").await;
        carl.client.posts().create("the butler did it").content_warning("a film").await.unwrap();
        let feed = browser.get("/@carl.atom").await.text;
        let (_, content) = feed.split_once("<content type=\"html\">").unwrap();
        assert!(content.contains("a film") && !content.contains("butler"), "{feed}");
    }

    async fn a_feed_shows_what_a_post_quotes_behind_its_warning(app: TestApp) {
        let [ada, bob, cleo, dora] = app.agents(["ada", "bob", "cleo", "dora"]).await;
        let first = bob.post("rain & snow").await;
        let warned = cleo.client.posts().create("the butler did it").content_warning("a film");
        let warned = warned.await.unwrap().post;
        ada.client.posts().create("look").quote(first.id.clone()).language("en").await.unwrap();
        dora.client.posts().create("look").quote(warned.id).await.unwrap();
        let (browser, site) = (Browser::new(&app), app.server.url());
        let feed = browser.get("/@ada.atom").await.text;
        let of_bob = format!("&#34;{}/post/{}&#34;&#62;bob (@bob)", site.trim_end_matches("/api"), first.id);
        assert!(feed.contains("<entry xml:lang=\"en\">"), "it names the language of a post: {feed}");
        let (_, quote) = feed.split_once("&#60;blockquote&#62;").unwrap();
        assert!(quote.contains(&of_bob) && quote.contains("&#60;p&#62;rain &#38;amp; snow"), "{feed}");
        let feed = browser.get("/@dora.atom").await.text;
        let (_, quote) = feed.split_once("&#60;blockquote&#62;").unwrap();
        assert!(quote.contains("a film") && !quote.contains("butler"), "{feed}");
    }

    async fn every_page_leads_to_what_the_operator_must_publish(
        app: TestApp, "legal.imprint" = "https://example.org/imprint?a=1&b=2",
        "legal.terms" = "http://terms.example"
    ) {
        app.person("ada", PASSWORD).await;
        let (guest, ada) = (Browser::new(&app), Browser::of(&app, "ada").await);
        for (browser, path, words) in [
            (&guest, "/", ["Imprint", "Terms"]),
            (&guest, "/join", ["Imprint", "Terms"]),
            (&guest, "/no/such/page", ["Imprint", "Terms"]),
            (&guest, "/services?lang=de", ["Impressum", "Nutzungsbedingungen"]),
            (&ada, "/", ["Imprint", "Terms"]),
            (&ada, "/settings", ["Imprint", "Terms"]),
        ] {
            let page = browser.get(path).await.html();
            let foot = page.named("footer")[0].text.as_str();
            assert!(!foot.contains("Privacy") && !foot.contains("Datenschutz"), "{path}: {foot}");
            let links = page.named("a").into_iter();
            let links: Vec<(&str, &str)> =
                links.filter_map(|link| Some((link.attributes.get("href")?.as_str(), link.text.as_str()))).collect();
            for link in [("https://example.org/imprint?a=1&b=2", words[0]), ("http://terms.example", words[1])] {
                assert!(links.contains(&link), "{path}: {links:?}");
            }
        }
    }

    async fn readers_of_a_feed_download_it_only_when_it_has_changed(app: TestApp) {
        let bob = app.agent("bob").await;
        let post = bob.post("about #things").await;
        app.index().await;
        let browser = Browser::new(&app);
        let again = async |path: &str, tag: &str, coding: &str| {
            let request = browser.request(Method::GET, path).header("if-none-match", tag);
            browser.answer(request.header("accept-encoding", coding)).await
        };
        let mut tags = Vec::new();
        for path in ["/feed.atom", "/@bob.atom", "/tag/things.atom"] {
            let first = browser.get(path).await;
            assert_eq!(first.headers["cache-control"], "private, no-cache", "{path}");
            let tag = first.headers["etag"].to_str().unwrap().to_owned();
            for coding in ["identity", "br"] {
                let unchanged = again(path, &format!("\"other\", {tag}"), coding).await;
                assert_eq!(unchanged.status, StatusCode::NOT_MODIFIED, "{path}");
                assert_eq!((&*unchanged.text, &unchanged.headers["etag"]), ("", &first.headers["etag"]));
                assert_eq!(unchanged.headers.get("content-encoding"), None);
            }
            assert_eq!(again(path, "\"other\"", "identity").await.text, first.text);
            tags.push((path, tag));
        }
        app.advance(1);
        bob.client.posts().edit(&post.id).content("about other #things").await.unwrap();
        app.index().await;
        for (path, tag) in tags.iter().map(|(path, tag)| (*path, tag.as_str())) {
            let changed = again(path, tag, "identity").await;
            assert!(changed.status == StatusCode::OK && changed.text.contains("other"), "{path}");
        }
        bob.client.posts().delete(&post.id).await.unwrap();
        for (path, tag) in tags.iter().take(2).map(|(path, tag)| (*path, tag.as_str())) {
            let changed = again(path, tag, "identity").await;
            assert!(changed.status == StatusCode::OK && !changed.text.contains("things</"), "{path}");
        }
    }

    async fn a_feed_has_a_bounded_amount_of_text(app: TestApp) {
        let tags = "#a ".repeat(13_000);
        for member in app.agents(["ada", "bob", "cleo", "dora", "eve", "finn"]).await {
            member.post(&tags).await;
        }
        let feed = Browser::new(&app).get("/feed.atom").await.text;
        let (posts, texts) = (feed.matches("<entry>").count(), feed.matches("<content").count());
        assert!(posts == 6 && (2..6).contains(&texts), "{texts} of {posts} posts have a text");
    }

    async fn developers_find_a_first_bot_and_the_guide(app: TestApp) {
        let browser = Browser::new(&app);
        let page = browser.get("/docs").await;
        for part in ["id=\"typescript\"", "id=\"python\"", "id=\"rust\"", app.server.url().trim_end_matches("/api")] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        let html = page.html();
        let copied = |one: &&Element| one.name == "pre" && one.attributes.contains_key("id");
        for block in html.0.iter().filter(copied) {
            let button = format!("data-copy=\"{}\"", block.attributes["id"]);
            assert!(page.text.contains(&button), "{button}: {}", page.text);
        }
        let guide = browser.get("/docs/agents").await;
        assert!(guide.text.contains("<pre><code>") && !guide.text.contains("```"), "{}", guide.text);
        // Who wants to claim an agent comes here from the quickstart.
        assert!(page.text.contains("<a href=\"/docs/agents\">claim the agent</a>"), "{}", page.text);
        let headings = ["<h2>svc</h2>", "<h3>First steps</h3>", "<h3>An owner</h3>", "<h4>auth</h4>"];
        assert!(headings.iter().all(|heading| guide.text.contains(heading)), "{}", guide.text);
        let sign_in = browser.get("/docs/sign-in").await;
        for part in ["/settings/developer", "agent_deactivated", "/.well-known/openid-configuration"] {
            assert!(sign_in.text.contains(part), "{part}: {}", sign_in.text);
        }
    }

    async fn times_are_in_the_zone_that_the_browser_names(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("hello").await;
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get(&format!("/post/{}", post.id)).await.text.contains(" UTC</time>"));
        browser.set("zone", "Asia/Tokyo");
        let page = browser.get(&format!("/post/{}", post.id)).await;
        assert!(page.text.contains(" JST</time>"), "{}", page.text);
        assert!(browser.get("/compose").await.text.contains("your time, Asia/Tokyo"));
        browser.set("zone", "\"><b>");
        assert!(browser.get(&format!("/post/{}", post.id)).await.text.contains(" UTC</time>"));
    }

    async fn visitors_choose_light_or_dark_colours_of_every_page(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("hello").await;
        let browser = Browser::new(&app);
        let class = async |path: &str| {
            let html = browser.get(path).await.html();
            html.0.iter().find(|one| one.name == "html").unwrap().attributes.get("class").cloned()
        };
        assert_eq!(class("/feed?sort=new").await, None);
        let form = browser.get("/feed?sort=new").await.form("/theme");
        let chosen = browser.send(&form.clone().with("theme", "dark")).await;
        assert_eq!(chosen.to(), "/feed?sort=new");
        let for_a_year = "theme=dark; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax";
        assert_eq!(chosen.headers["set-cookie"], for_a_year);
        for path in ["/", "/@ada", "/no/such/page"] {
            assert_eq!(class(path).await.as_deref(), Some("dark"), "{path}");
        }
        let away = form.clone().with("theme", "light").with("back", "//evil.example");
        assert_eq!(browser.send(&away).await.to(), "/");
        assert_eq!(class("/").await.as_deref(), Some("light"));
        let refused = browser.send(&form.clone().with("theme", "\"><b>")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert_eq!(class("/").await.as_deref(), Some("light"));
        browser.send(&form.with("theme", "auto")).await;
        assert_eq!(class("/").await, None);
        browser.set("theme", "\"><b>");
        assert_eq!(class("/").await, None);
        let foreign = browser.request(Method::POST, "/theme").header("sec-fetch-site", "cross-site");
        let answer = browser.answer(typed(foreign, &[("theme", "dark")])).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
    }
}
