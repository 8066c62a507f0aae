//! Posts and what people do to them.

mod cards;

use http::StatusCode;
use svc_client::types::api::posts::ReplyPolicy;
use svc_client::types::api::reports::ReportReason;

use crate::browser::{Browser, PASSWORD, Sheet};
use crate::html::Element;
use crate::on_both_engines;

on_both_engines! {
    async fn a_query_names_no_other_post_than_the_path(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [asked, other] = [ada.post("of the path").await, bob.post("of the query").await];
        let page = Browser::new(&app).get(&format!("/post/{}?postId={}", asked.id, other.id)).await;
        assert!(page.text.contains("of the path") && !page.text.contains("of the query"), "{}", page.text);
    }

    async fn the_page_of_a_hidden_post_says_so_to_its_author_and_to_moderators(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let post = ada.post("too much").await;
        let path = format!("/post/{}", post.id);
        let notices = async |browser: &Browser<'_>| {
            let html = browser.get(&path).await.html();
            html.of_class("notice").join(" | ")
        };
        let (of_ada, of_mia) = (Browser::of(&app, "ada").await, Browser::of(&app, "mia").await);
        assert_eq!([notices(&of_ada).await, notices(&of_mia).await], [""; 2]);
        app.hide(&post).await;
        let own = "Moderators have hidden this post: only you and they see it. Your notifications say why.";
        let other = "Moderators have hidden this post: only its author and moderators see it.";
        assert_eq!([notices(&of_ada).await, notices(&of_mia).await], [own, other]);
        assert_eq!(Browser::new(&app).get(&path).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_warning_folds_the_text_in_quotes_notifications_and_the_history(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.agent("bob").await];
        let posts = bob.client.posts();
        let replying = posts.reply(&ada.post("a film tonight").await.id, "the butler did it");
        let warned = replying.content_warning("the end & more").await.unwrap().post.id;
        posts.edit(&warned).content("the gardener did it").await.unwrap();
        let quote = posts.create("no words").quote(&warned).await.unwrap().post.id;
        let browser = Browser::of(&app, "ada").await;
        for (path, text) in [
            (format!("/post/{quote}"), "the gardener did it"),
            (format!("/compose?quoteOfId={warned}"), "the gardener did it"),
            (format!("/report?subject.type=post&subject.id={warned}"), "the gardener did it"),
            ("/notifications".to_owned(), "the gardener did it"),
            (format!("/post/{warned}/history"), "the butler did it"),
        ] {
            let page = browser.get(&path).await;
            let html = page.html();
            let folded = html.of_class("warned");
            assert!(folded.len() == 1 && folded[0].contains(text), "{path}: {}", page.text);
            assert_eq!(page.text.matches(text).count(), 1, "{path}: it is nowhere else: {}", page.text);
            let has_warning = |one: &&Element| one.name == "summary" && one.text == "the end & more";
            assert_eq!(html.0.iter().filter(has_warning).count(), 1, "{path}: {}", page.text);
            let opened = |one: &Element| one.name == "details" && one.attributes.contains_key("open");
            assert!(!html.0.iter().any(opened), "{path}: {}", page.text);
        }
    }

    async fn the_form_of_a_post_says_when_the_next_is_allowed_and_publishes_later(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for path in ["/", "/compose"] {
            assert!(!browser.get(path).await.text.contains("You can post again"), "{path}");
        }
        let quoted = ada.post("the slot is taken").await;
        app.advance(61);
        for path in ["/", "/compose", "/compose/later"] {
            let page = browser.get(path).await;
            assert!(page.text.contains("You can post again in 29\u{a0}min"), "{path}: {}", page.text);
        }
        let scheduling = browser.get("/compose/later").await;
        assert!(!scheduling.text.contains("type=\"file\""), "a scheduled post has no images");
        let html = scheduling.html();
        let texts = html.named("button").into_iter().map(|one| one.text.trim());
        let texts: Vec<_> = texts.filter(|text| ["Schedule post", "Post now"].contains(text)).collect();
        assert_eq!(texts, ["Schedule post", "Post now"], "Enter presses the first button");
        let form = browser.get(&format!("/compose?quoteOfId={}", quoted.id)).await.form("/compose");
        let form = form.with("content", "good morning").with("contentWarning", "early").with("language", "en");
        let refused = browser.send(&form.with("replyPolicy", "mentioned")).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        // The other button of the same form.
        let later = |form: Sheet| Sheet { action: "/compose/later".to_owned(), ..form };
        let mut form = later(refused.form("/compose"));
        for (text, problem) in [("", "enter a date"), ("tomorrow", "enter a date"), ("2020-01-01T00:00", "Time must be")] {
            let wrong = browser.send(&form.clone().with("scheduledFor", text)).await;
            assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{text}: {}", wrong.text);
            assert!(wrong.html().of_class("problem")[0].contains(problem), "{}", wrong.text);
            form = later(wrong.form("/compose"));
            assert_eq!(form.value("content"), "good morning");
        }
        let sent = browser.send(&form.with("scheduledFor", "2026-02-01T08:15")).await;
        assert_eq!(sent.to(), "/settings/scheduled");
        let waiting = ada.client.scheduled_posts().list().await.unwrap().scheduled_posts;
        let [post] = &waiting[..] else { panic!("{waiting:?}") };
        assert_eq!(post.scheduled_for.to_string(), "2026-02-01T08:15:00.000Z");
        assert_eq!(post.content, "good morning");
        assert_eq!(post.content_warning.as_deref(), Some("early"));
        assert_eq!(post.language.as_deref(), Some("en"));
        assert_eq!(post.reply_policy, ReplyPolicy::Mentioned);
        assert_eq!(post.quote_of_id.as_ref(), Some(&quoted.id));
    }

    async fn enter_in_the_time_of_a_post_does_not_publish_it_at_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/").await.form("/compose");
        let form = form.with("content", "good morning").with("scheduledFor", "2026-02-01T08:15");
        // Enter presses the first button of the form, which publishes at once.
        let refused = browser.send(&form).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        let problem = refused.html().of_class("problem").concat();
        assert!(problem.contains("To post now, clear this field."), "{}", refused.text);
        let again = refused.form("/compose");
        assert_eq!(again.value("content"), "good morning");
        assert_eq!(again.value("scheduledFor"), "2026-02-01T08:15");
        assert!(ada.client.users().posts("ada").await.unwrap().posts.is_empty());
        let page = browser.get("/compose/later").await;
        assert!(page.text.contains("name=\"now\" value=\"true\">Post now"), "{}", page.text);
        let form = page.form("/compose").with("content", "good morning");
        let form = form.with("scheduledFor", "2026-02-01T08:15").with("now", "true");
        let published = browser.send(&form).await;
        assert!(published.to().starts_with("/post/"), "{}", published.text);
    }

    async fn a_local_time_that_comes_twice_is_the_later_one(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        // Summer time ends there on 5 April, at 3 o'clock.
        browser.set("zone", "Australia/Sydney");
        let form = browser.get("/compose/later").await.form("/compose");
        let form = Sheet { action: "/compose/later".to_owned(), ..form };
        let form = form.with("content", "good night").with("scheduledFor", "2026-04-05T02:30");
        assert_eq!(browser.send(&form).await.to(), "/settings/scheduled");
        let waiting = ada.client.scheduled_posts().list().await.unwrap().scheduled_posts;
        assert_eq!(waiting[0].scheduled_for.to_string(), "2026-04-04T16:30:00.000Z");
    }

    async fn a_button_acts_and_returns_to_the_post(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let post = ada.post("press them all").await;
        let browser = Browser::of(&app, "bob").await;
        let back = [("back", "/feed?sort=new")];
        for (verb, is_done) in [("like", true), ("unlike", false), ("repost", true), ("unrepost", false),
            ("bookmark", true), ("unbookmark", false), ("mute", true), ("unmute", false)]
        {
            let page = browser.post(&format!("/post/{}/{verb}", post.id), &back).await;
            assert_eq!(page.to(), format!("/feed?sort=new#{}", post.id));
            let viewer = bob.client.posts().get(&post.id).await.unwrap().post.viewer.unwrap();
            let state = match verb.trim_start_matches("un") {
                "like" => viewer.liked,
                "repost" => viewer.reposted,
                "bookmark" => viewer.bookmarked,
                _ => viewer.muted,
            };
            assert_eq!(state, is_done, "{verb}");
            let opposite = verb.strip_prefix("un").map_or_else(|| format!("un{verb}"), str::to_owned);
            let page = browser.get(&format!("/post/{}", post.id)).await;
            let offers = |verb: &str| page.text.contains(&format!("formaction=\"/post/{}/{verb}\"", post.id));
            assert!(offers(&opposite) && !offers(verb), "{verb}: {}", page.text);
        }
        bob.client.users().get("ada").await.unwrap();
        let button = |page: &str| page.contains(&format!("formaction=\"/post/{}/unlike\"", post.id));
        assert!(!button(&browser.get("/feed?sort=new").await.text));
        bob.client.reactions().like(&post.id).await.unwrap();
        assert!(button(&browser.get("/feed?sort=new").await.text));
    }

    async fn feeds_continue_on_the_next_page(app: TestApp) {
        for n in 0..25 {
            let member = app.agent(&format!("bot{n}")).await;
            member.post(&format!("post number {n}")).await;
            app.advance(1);
        }
        let browser = Browser::new(&app);
        let first = browser.get("/feed?sort=new").await.html();
        assert_eq!(first.named("article").len(), 20);
        let next = first.0.iter().find(|one| one.attributes.get("rel").is_some_and(|rel| rel == "next"));
        let rest = browser.get(&next.unwrap().attributes["href"]).await.html();
        assert_eq!(rest.named("article").len(), 5);
        assert!(rest.named("article")[4].text.contains("post number 0"));
        assert!(rest.0.iter().all(|one| one.attributes.get("rel").is_none_or(|rel| rel != "next")));
        let (mut path, mut counts) = ("/feed?sort=new&limit=10".to_owned(), Vec::new());
        loop {
            let page = browser.get(&path).await.html();
            counts.push(page.named("article").len());
            let next = page.0.iter().find(|one| one.attributes.get("rel").is_some_and(|rel| rel == "next"));
            let Some(next) = next else { break };
            path.clone_from(&next.attributes["href"]);
        }
        assert_eq!(counts, [10, 10, 5], "the third page is behind the second");
    }

    async fn a_thread_shows_what_led_to_a_post_and_what_follows(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let root = ada.post("a question").await;
        let middle = bob.reply(&root, "an answer").await;
        let leaf = eve.reply(&middle, "a doubt").await;
        bob.reply(&leaf, "a defence").await;
        bob.client.posts().delete(&leaf.id).await.unwrap_err();
        eve.client.posts().delete(&leaf.id).await.unwrap();
        let page = Browser::new(&app).get(&format!("/post/{}", middle.id)).await.html();
        let above = page.of_class("above");
        assert!(above.len() == 1 && above[0].contains("a question"), "{above:?}");
        let below: Vec<_> = ["in-0", "in-1"].map(|level| page.of_class(level)).concat();
        assert!(below[0].contains("deleted") && below[1].contains("a defence"), "{below:?}");
    }

    async fn a_plain_text_is_shown_as_it_was_written(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/compose").await.form("/compose");
        let form = form.with("content", "**two** stars\r\n<i>").with("format", "plain");
        browser.send(&form).await.to();
        let [post] = &ada.client.users().posts("ada").await.unwrap().posts[..] else { panic!("no post") };
        for path in ["/feed?sort=new".to_owned(), "/@ada".to_owned(), format!("/post/{}", post.id)] {
            let page = browser.get(&path).await.text;
            assert!(page.contains("<p>**two** stars<br>\n&lt;i&gt;</p>"), "{path}: {page}");
        }
    }

    async fn an_author_edits_pins_and_deletes_a_post(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("first <draft>").await;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/post/{}", post.id);
        let edit = format!("{path}/edit");
        let form = browser.get(&edit).await.form(&edit);
        assert_eq!(form.value("content"), "first <draft>");
        let form = form.with("content", "second draft").with("contentWarning", "drafts");
        let form = form.with("replyPolicy", "none");
        assert_eq!(browser.send(&form).await.to(), path);
        let post = ada.client.posts().get(&post.id).await.unwrap().post;
        assert_eq!((post.content.as_str(), post.content_warning.as_deref()), ("second draft", Some("drafts")));
        let form = browser.get(&edit).await.form(&edit).with("contentWarning", "");
        browser.send(&form).await.to();
        let post = ada.client.posts().get(&post.id).await.unwrap().post;
        assert_eq!(post.content_warning, None, "empty text removes a warning");
        assert_eq!(post.reply_policy, ReplyPolicy::None, "the form keeps who may reply");
        assert!(browser.get(&format!("{path}/history")).await.text.contains("first &lt;draft&gt;"));
        browser.post(&format!("{path}/pin"), &[("back", &path)]).await.to();
        assert!(ada.client.posts().get(&post.id).await.unwrap().post.pinned);
        let delete = format!("{path}/delete");
        let asked = browser.get(&delete).await;
        assert_eq!(asked.status, StatusCode::OK, "deleting asks first");
        assert_eq!(browser.send(&asked.form(&delete)).await.to(), "/");
        assert_eq!(browser.get(&path).await.status, StatusCode::NOT_FOUND);
    }

    async fn an_edit_leaves_alone_what_was_changed_since_its_page_was_opened(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let post = ada.post("first\ndraft").await;
        let browser = Browser::of(&app, "ada").await;
        let edit = format!("/post/{}/edit", post.id);
        let stale = browser.get(&edit).await.form(&edit);
        ada.client.posts().edit(&post.id).content("second draft").await.unwrap();
        browser.send(&stale.with("contentWarning", "drafts")).await.to();
        let post = ada.client.posts().get(&post.id).await.unwrap().post;
        assert_eq!((post.content.as_str(), post.content_warning.as_deref()), ("second draft", Some("drafts")));
        let page = browser.get(&edit).await;
        let refused = browser.send(&page.form(&edit).with("content", "").with("language", "de")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        let form = refused.form(&edit);
        assert_eq!((form.value("contentWarning"), form.value("language")), ("drafts", "de"), "what was typed stays");
    }

    async fn a_quote_that_is_cut_says_so_and_has_no_part_of_a_link(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let long = ada.post(&("word ".repeat(54) + "https://a.example/where/it/leads")).await;
        let quote = bob.client.posts().create("look").quote(&long.id).await.unwrap().post;
        let excerpt = quote.quote.unwrap().content;
        assert!(excerpt.ends_with("word https://a."), "of 280 characters: {excerpt}");
        for path in ["/post", "/api/embed/posts"] {
            let page = Browser::new(&app).get(&format!("{path}/{}", quote.id)).await.text;
            assert!(page.contains("word…</p>") && !page.contains("https://a."), "{page}");
        }
    }

    async fn an_excerpt_without_spaces_has_no_part_of_a_link(app: TestApp) {
        let [ada, bob, cleo] = app.agents(["ada", "bob", "cleo"]).await;
        let browser = Browser::new(&app);
        ada.post(&("語".repeat(180) + "https://a.example/where/it/leads")).await;
        let long = bob.post(&("語".repeat(270) + "https://a.example/where/it/leads")).await;
        let quote = cleo.client.posts().create("look").quote(&long.id).await.unwrap().post;
        for path in ["/@ada".to_owned(), format!("/api/embed/posts/{}", quote.id)] {
            let page = browser.get(&path).await.text;
            assert!(page.contains("語…</p>") && !page.contains("https://a."), "{page}");
        }
    }

    async fn a_quote_and_a_report_name_their_post(app: TestApp) {
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let post = ada.post("worth a word").await;
        let browser = Browser::of(&app, "bob").await;
        let form = browser.get(&format!("/compose?quoteOfId={}", post.id)).await.form("/compose");
        let quoting = browser.send(&form.with("content", "indeed")).await;
        assert!(browser.get(quoting.to()).await.text.contains("worth a word"));
        let report = format!("/report?subject.type=post&subject.id={}&back=/post/{}", post.id, post.id);
        let asked = browser.get(&report).await;
        assert!(asked.text.contains("worth a word"), "who reports sees what: {}", asked.text);
        let form = asked.form("/report");
        let nothing_chosen = browser.send(&form.with("comment", "look at this")).await;
        assert_eq!(nothing_chosen.status, StatusCode::BAD_REQUEST);
        let form = nothing_chosen.form("/report");
        assert_eq!(form.value("comment"), "look at this");
        assert_eq!(browser.send(&form.with("reason", "spam")).await.to(), format!("/post/{}", post.id));
        let reports = bob.client.reports().list().await.unwrap().reports;
        assert_eq!(reports[0].reason, ReportReason::Spam);
        assert_eq!(*reports[0].subject.id, *post.id.as_str());
        ada.client.posts().delete(&post.id).await.unwrap();
        let page = browser.get(quoting.to()).await;
        assert!(page.text.contains("The quoted post is not available."), "{}", page.text);
    }

    async fn a_post_that_the_visitor_cannot_reply_to_says_so_in_place_of_the_form(app: TestApp) {
        let [ada, _bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        let post = ada.post("hello @eve").await;
        let path = format!("/post/{}", post.id);
        let browser = Browser::of(&app, "bob").await;
        let asks = async |browser: &Browser<'_>| {
            let page = browser.get(&path).await;
            let says_no = page.text.contains("The author limits who can reply.");
            let asks = page.html().0.iter().any(|one| one.attributes.get("action") == Some(&path));
            assert_ne!(asks, says_no, "{}", page.text);
            asks
        };
        let set = async |policy: ReplyPolicy| {
            ada.client.posts().edit(&post.id).reply_policy(policy).await.unwrap();
        };
        assert!(asks(&browser).await);
        for policy in [ReplyPolicy::Following, ReplyPolicy::Mentioned, ReplyPolicy::None] {
            set(policy).await;
            assert!(!asks(&browser).await);
        }
        assert!(asks(&Browser::of(&app, "ada").await).await, "an author always replies");
        set(ReplyPolicy::Following).await;
        ada.client.relations().follow("bob").await.unwrap();
        assert!(asks(&browser).await);
        ada.client.posts().edit(&post.id).content("hello @bob").reply_policy(ReplyPolicy::Mentioned).await.unwrap();
        assert!(asks(&browser).await);
        ada.client.relations().block("bob").await.unwrap();
        let blocked = browser.get(&path).await;
        assert!(blocked.text.contains("One of you has blocked the other."), "{}", blocked.text);
    }

    async fn a_visitor_is_redirected_to_the_sign_in(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("like me").await;
        let page = Browser::new(&app).get(&format!("/post/{}", post.id)).await;
        let html = page.html();
        let way = format!("/login?next=/post/{}", post.id);
        let ways = html.0.iter().filter(|one| one.attributes.get("href") == Some(&way));
        assert_eq!(ways.filter(|one| one.attributes.contains_key("aria-label")).count(), 2, "{}", page.text);
        assert_eq!(Browser::new(&app).get(&way).await.form("/login").value("next"), format!("/post/{}", post.id));
    }
}
