//! Embedded posts on external pages.

pub(crate) mod html;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use sha2::{Digest, Sha256};
use svc_client::types::Code;
use svc_client::types::api::embeds::{EmbedTheme, GetEmbed, GetOembed};
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::posts::{Post, PostFormat, PostInclude};
use svc_client::types::api::reports::Subject;
use svc_core::html::on_one_line;

use crate::app::{TestApp, code, fault};
use crate::on_both_engines;
use crate::raw::{Raw, answer, code_of};
use html::Html;

/// The page of a post with this query.
async fn page(app: &TestApp, post: &Post, query: &str) -> Raw {
    answer(app.raw(Method::GET, &format!("/embed/posts/{}{query}", post.id))).await
}

/// The texts of the posts on a page, without the line ends around their paragraphs.
fn texts(html: &Html) -> Vec<&str> {
    html.of_class("text").into_iter().map(str::trim).collect()
}

fn host(app: &TestApp) -> String {
    app.server.url().trim_start_matches("http://").trim_end_matches("/api").to_owned()
}

/// Texts that try to inject markup.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script></title></style><script src=//evil.example></script>",
    "\"><img src=x onerror=alert(1)> ' onload='alert(1)' \"",
    "<a href=\"javascript:alert(1)\">x</a> javascript:alert(1)",
    "</p></details></article><iframe src=//evil.example></iframe><!-- --> ]]> <![CDATA[",
    "&lt;b&gt; &amp;amp; &#60;script&#62; &quot",
    "\u{202e}dlrow\u{2066} olleh\u{200b}\u{200d}\u{feff}\u{e000}\u{1f600}",
    "{{ 7*7 }} {% if true %} ${7*7} %3Cscript%3E \\u003cscript\\u003e",
    "a\tb\n\n  c  \n",
];

on_both_engines! {
    async fn a_page_shows_the_post_and_runs_nothing(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let first = bob.post("the first").await;
        let post = ada.client.posts().create("said\nso").quote(first.id).language("en");
        let post = post.await.unwrap().post;
        bob.reply(&post, "yes").await;
        let raw = page(&app, &post, "").await;
        assert_eq!((raw.status.as_u16(), raw.header("content-type")), (200, Some("text/html; charset=utf-8")));
        assert_eq!(raw.header("cache-control"), Some("public, max-age=300, must-revalidate"));
        assert_eq!(raw.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(raw.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(raw.header("set-cookie"), None);
        let html = Html::read(&raw.text);
        assert_eq!(texts(&html), ["said\nso", "the first"]);
        assert_eq!(html.of_class("name"), ["ada", "bob"]);
        assert_eq!(html.of_class("watermark"), [format!("via {}", host(&app))]);
        assert!(html.named("footer")[0].text.contains("replies 1"));
        let picture = &html.named("img")[0].attributes["src"];
        assert_eq!(*picture, post.author.avatar);
        for link in html.named("a") {
            assert_eq!(link.attributes["rel"], "nofollow ugc noopener");
            assert_eq!(link.attributes["target"], "_blank");
            assert!(link.attributes["href"].starts_with("http"));
        }
        let texts = html.named("div").into_iter().filter(|one| one.attributes["class"] == "text");
        let texts: Vec<_> = texts.map(|text| &text.attributes).collect();
        assert!(texts.iter().all(|attributes| attributes["dir"] == "auto"), "{texts:?}");
        assert_eq!(texts[0]["lang"], "en");
        assert_eq!(html.named("script").len(), 0);

        let policy = raw.header("content-security-policy").unwrap();
        let style = STANDARD.encode(Sha256::digest(&html.named("style")[0].text));
        let origin = format!("http://{}", host(&app));
        for rule in [
            "default-src 'none'", "frame-ancestors *", "form-action 'none'", "base-uri 'none'",
            &*format!("style-src 'sha256-{style}'"), &*format!("img-src {origin}"),
            "sandbox allow-popups allow-popups-to-escape-sandbox",
        ] {
            assert!(policy.split("; ").any(|one| one == rule), "{rule} in {policy}");
        }
        let links = html.named("link");
        let alternate = links.iter().find(|link| link.attributes["rel"] == "alternate").unwrap();
        assert_eq!(alternate.attributes["type"], "application/json+oembed");
        let found = answer(app.raw(Method::GET, alternate.attributes["href"].strip_prefix(&app.server.url()).unwrap()));
        assert_eq!(found.await.json()["author_name"], "ada", "discovery leads to the answer");
    }

    async fn texts_are_always_escaped(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let long = "<b onclick=x>".repeat(3076) + "<script>/**/";
        assert_eq!(long.chars().count(), 40_000);
        let plain = ada.reply(&bob.post("plain").await, "plain").await;
        let mut expected = None;
        for hostile in HOSTILE.iter().copied().chain([&*long]) {
            let name: String = hostile.chars().take(64).collect();
            ada.client.users().update_me().display_name(&*name).await.unwrap();
            let warning: String = hostile.chars().take(500).collect();
            let first = ada.client.posts().reply(&plain.id, hostile).with(|request| {
                request.content_warning = Some(warning.as_str().into());
                request.format = Some(PostFormat::Plain);
            });
            let first = first.await.unwrap().post;
            let second = bob.client.posts().reply(&plain.id, hostile).with(|request| {
                request.quote_of_id = Some(first.id.clone());
                request.format = Some(PostFormat::Plain);
            });
            let second = second.await.unwrap().post;
            let html = Html::read(&page(&app, &first, "").await.text);
            assert_eq!(texts(&html), [hostile.trim()]);
            assert_eq!(html.named("summary")[0].text, warning);
            assert_eq!(html.of_class("name"), [&*name]);
            assert_eq!(html.named("title")[0].text, on_one_line(&format!("{name} (@ada)")));
            assert_eq!(html.named("details").len(), 1, "the text is folded behind its warning");
            let html = Html::read(&page(&app, &second, "").await.text);
            let mut quoted: String = hostile.chars().take(280).collect();
            if hostile.chars().count() > 280 {
                quoted.truncate(quoted.rfind(' ').unwrap());
                quoted.push('…');
            }
            assert_eq!(texts(&html), [hostile.trim(), quoted.trim()]);
            assert_eq!(html.of_class("quote").len(), 1, "a quote is folded behind its warning too");
            let names = html.names();
            let names: Vec<&str> = names.into_iter().filter(|name| *name != "br").collect();
            let names = names.join(" ");
            assert_eq!(*expected.get_or_insert_with(|| names.clone()), names, "only our own elements");
            let attributes = html.0.iter().flat_map(|one| one.attributes.keys());
            let known = [
                "charset", "class", "content", "datetime", "dir", "height", "href", "lang", "name",
                "rel", "src", "alt", "target", "type", "width",
            ];
            attributes.for_each(|name| assert!(known.contains(&&**name), "{name}"));
            let embed = app.anonymous.embeds().get(&first.id).await.unwrap().embed;
            assert_eq!(Html::read(&embed.html).names(), ["iframe"]);
            let url = format!("{}/posts/{}", app.server.url(), first.id);
            let oembed = app.anonymous.embeds().oembed(url).await.unwrap();
            assert_eq!(Html::read(&oembed.html).names(), ["iframe"]);
            assert_eq!(oembed.author_name, name);
        }
    }

    async fn a_text_is_shown_as_on_the_page_of_the_post(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let text = "# News\n\n**bold**, `code`, [a site](https://other.example/) for @bob and @nobody_here\n\n\
                    - one\n- two\n\n| a | b |\n|---|---|\n| 1 | <script>alert(1)</script> |";
        let markdown = ada.post(text).await;
        let plain = bob.client.posts().create("*as it is*\n  **typed**").quote(markdown.id.clone());
        let plain = plain.format(PostFormat::Plain).await.unwrap().post;
        for post in [&markdown, &plain] {
            let read = app.anonymous.posts().get(&post.id).include([PostInclude::Html]);
            let html = read.await.unwrap().post.html.unwrap();
            let page = page(&app, post, "").await.text;
            assert!(page.contains(&html), "{html}\n{page}");
        }
        let quoting = Html::read(&page(&app, &plain, "").await.text);
        assert_eq!(quoting.named("strong").len(), 1, "a quote is shown by its own format");
        assert_eq!(quoting.named("script").len(), 0);
        // The links of a text open beside the website, whose iframe could not show where they lead.
        assert_eq!(quoting.named("base")[0].attributes["target"], "_blank");
        let links = quoting.named("a").into_iter().map(|link| link.attributes["href"].clone());
        let links: Vec<String> = links.collect();
        assert!(links.contains(&format!("http://{}/@bob", host(&app))), "{links:?}");
        assert!(links.contains(&"https://other.example/".to_owned()), "{links:?}");
    }

    async fn a_website_shows_an_edit_and_a_removal_within_minutes(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("the first").await;
        let url = format!("{}/posts/{}", app.server.url(), post.id);
        for query in ["", "?format=json"] {
            let kept = page(&app, &post, query).await;
            assert_eq!(kept.header("cache-control"), Some("public, max-age=300, must-revalidate"));
        }
        ada.client.posts().edit(&post.id).content("the second").await.unwrap();
        assert!(page(&app, &post, "").await.text.contains("the second"));
        let oembed = app.anonymous.embeds().oembed(url).await.unwrap();
        assert!(!oembed.html.contains("second") && oembed.title == "ada (@ada)", "{oembed:?}");
        ada.client.posts().delete(&post.id).await.unwrap();
        assert_eq!(page(&app, &post, "").await.refusal().code, Code::NotFound);
    }

    async fn a_name_cannot_turn_the_words_behind_it_in_a_title(app: TestApp) {
        let ada = app.agent("ada").await;
        let name = "A\u{202e}d\u{2066}a \u{1f469}\u{200d}\u{1f680}\n\u{1b}[1m";
        ada.client.users().update_me().display_name(name).await.unwrap();
        let post = ada.post("plain").await;
        let title = "Ada \u{1f469}\u{200d}\u{1f680} [1m (@ada)";
        let html = Html::read(&page(&app, &post, "").await.text);
        assert_eq!(html.named("title")[0].text, title);
        let url = format!("{}/posts/{}", app.server.url(), post.id);
        let oembed = app.anonymous.embeds().oembed(url).await.unwrap();
        assert_eq!((&*oembed.title, &*oembed.author_name), (title, name));
    }

    async fn labels_of_moderators_are_shown_with_their_subject(app: TestApp) {
        let [ada, bob, judge] = app.agents(["ada", "bob", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        let first = ada.post("a joke").await;
        let quoting = bob.client.posts().create("look");
        let quoting = quoting.with(|request| request.quote_of_id = Some(first.id.clone()));
        let second = quoting.await.unwrap().post;
        let labels = |page: &str| {
            let html = Html::read(page);
            html.of_class("label").into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(labels(&page(&app, &second, "").await.text), Vec::<String>::new());
        for (post, label) in [(&first, "satire"), (&second, "spam")] {
            let subject = Subject::post(&post.id);
            let act = judge.client.moderation().act(subject, ModerationActionType::Label, "a test");
            act.label(label).await.unwrap();
        }
        assert_eq!(labels(&page(&app, &first, "").await.text), ["satire"]);
        assert_eq!(labels(&page(&app, &second, "").await.text), ["spam", "satire"]);
    }

    async fn the_watermark_follows_the_tier_at_the_next_call(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        let text = format!("via {}", host(&app));
        for (tier, marked) in [("free", true), ("boost", false), ("pro", false), ("free", true)] {
            app.set_tier("ada", tier).await;
            let embed = app.anonymous.embeds().get(&post.id).await.unwrap().embed;
            assert_eq!((embed.watermark, embed.watermark_text.is_some()), (marked, marked), "{tier}");
            if let Some(said) = embed.watermark_text {
                assert_eq!(said, text);
            }
            let html = app.anonymous.embeds().get(&post.id).html().await.unwrap();
            let shown = Html::read(&html).of_class("watermark").contains(&&*text);
            assert_eq!(shown, marked, "{tier}");
        }
    }

    async fn an_embed_is_an_iframe_of_its_page(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        let embeds = app.anonymous.embeds();
        let embed = embeds.get(&post.id).theme(EmbedTheme::Dark).max_width(400).await.unwrap().embed;
        let post = app.anonymous.posts().get(&post.id).await.unwrap().post;
        let url = format!("{}/embed/posts/{}?maxWidth=400&theme=dark", app.server.url(), post.id);
        assert_eq!((&embed.post, &embed.url, embed.width), (&post, &url, 400));
        let html = Html::read(&embed.html);
        let [iframe] = &html.0[..] else { panic!("{html:?}") };
        assert_eq!(iframe.attributes["src"], url);
        assert_eq!(iframe.attributes["sandbox"], "allow-popups allow-popups-to-escape-sandbox");
        assert_eq!(iframe.attributes["width"], "400");
        assert_eq!(iframe.attributes["height"], embed.height.to_string());
        let page = answer(app.raw(Method::GET, url.strip_prefix(&app.server.url()).unwrap())).await;
        let page = Html::read(&page.text);
        assert_eq!(page.named("html")[0].attributes["class"], "dark");
        assert!(page.named("style")[0].text.contains("max-width:400px"));
        assert_eq!(embeds.get(&post.id).await.unwrap().embed.width, 550);
        let long = ada.reply(&post, &"word ".repeat(8000)).await;
        assert_eq!(embeds.get(&long.id).await.unwrap().embed.height, 600, "the rest scrolls");
        for (letter, lines) in [("a", 6), ("語", 11)] {
            let reply = ada.reply(&post, &letter.repeat(300)).await;
            let height = embeds.get(&reply.id).await.unwrap().embed.height;
            assert_eq!(height, 150 + 24 * lines, "59 letters are in a line, or 29");
        }
    }

    async fn hidden_posts_are_not_embedded(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let (hidden, deleted, left) = (ada.post("a").await, bob.post("b").await, cyd.post("c").await);
        let quoting = ada.reply(&left, "see").await;
        let quoting = ada.client.posts().edit(&quoting.id).content("seen").await.unwrap().post;
        app.hide(&hidden).await;
        bob.client.posts().delete(&deleted.id).await.unwrap();
        app.suspend("cyd").await;
        for post in [&hidden, &deleted, &left] {
            for query in ["", "?format=html", "?format=json"] {
                assert_eq!(page(&app, post, query).await.refusal().code, Code::NotFound);
            }
            let url = format!("{}/posts/{}", app.server.url(), post.id);
            let found = app.anonymous.embeds().oembed(url).await;
            assert_eq!(code::<GetOembed>(found), Code::NotFound);
            let own = answer(ada.raw(&app, Method::GET, &format!("/embed/posts/{}", hidden.id))).await;
            assert_eq!(own.refusal().code, Code::NotFound, "credentials are ignored");
        }
        assert_eq!(page(&app, &quoting, "").await.status, 200);
        let nothing = app.anonymous.embeds().get("post_nothing").await;
        assert_eq!(code::<GetEmbed>(nothing), Code::NotFound);
    }

    async fn a_website_shows_a_sentence_in_place_of_a_post_that_is_gone(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        ada.client.posts().delete(&post.id).await.unwrap();
        let wrong = format!("{}?theme=blue", post.id);
        let of_post = "This post is no longer available.";
        for (path, status, text) in [(post.id.as_str(), 404, of_post), (&wrong, 400, "theme must be one of")] {
            let asked = app.raw(Method::GET, &format!("/embed/posts/{path}"));
            let framed = answer(asked.header("sec-fetch-dest", "iframe")).await;
            assert_eq!(framed.status.as_u16(), status);
            assert_eq!(framed.header("content-type"), Some("text/html; charset=utf-8"));
            let policy = framed.header("content-security-policy").unwrap();
            assert!(policy.contains("frame-ancestors *") && policy.contains("default-src 'none'"), "{policy}");
            assert!(Html::read(&framed.text).named("p")[0].text.contains(text), "{}", framed.text);
        }
    }

    async fn embed_parameters_are_bounded(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        for (query, field) in [
            ("format=xml", "format"), ("format=", "format"), ("theme=blue", "theme"),
            ("maxWidth=219", "maxWidth"), ("maxWidth=1201", "maxWidth"), ("maxWidth=a", "maxWidth"),
            ("maxWidth=-1", "maxWidth"), ("theme=dark&theme=light", "theme"),
            ("theme=\"><script>", "theme"),
        ] {
            let refused = page(&app, &post, &format!("?{query}")).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some(field)), "{query}");
        }
        for width in ["220", "1200"] {
            assert_eq!(page(&app, &post, &format!("?maxWidth={width}")).await.status, 200);
        }
    }

    async fn oembed_accepts_only_urls_of_posts_on_this_server(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        let (id, api) = (&post.id, app.server.url());
        let root = api.trim_end_matches("/api");
        for url in [
            format!("{root}/post/{id}"),
            format!("{root}/post/{id}/?from=feed#text"),
            format!("{api}/posts/{id}"),
            format!("{api}/embed/posts/{id}?theme=dark"),
        ] {
            let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
            let path = format!("/oembed?url={url}&maxwidth=200&maxheight=90");
            let raw = app.raw(Method::GET, &path);
            let found = answer(raw).await;
            assert_eq!(found.header("cache-control"), Some("public, max-age=3600, must-revalidate"));
            let found = found.json();
            assert_eq!(found["type"], "rich");
            assert_eq!(found["version"], "1.0");
            assert_eq!((&found["width"], &found["height"]), (&200.into(), &90.into()), "never larger than asked");
            assert_eq!(found["author_url"], format!("{root}/@ada"));
            assert_eq!((&found["provider_name"], &found["provider_url"]), (&host(&app).into(), &root.into()));
            assert_eq!((&found["cache_age"], &found["title"]), (&3600.into(), &"ada (@ada)".into()));
        }
        for url in [
            format!("https://evil.example/post/{id}"),
            format!("{root}.evil.example/post/{id}"),
            format!("http://{}@evil.example/post/{id}", host(&app)),
            format!("{root}/post/{id}/more"), format!("{root}/post/"), format!("{root}/users/ada"),
            format!("{api}/posts/"), format!("javascript:{root}/post/{id}"), format!("post/{id}"),
            "//evil.example".to_owned(), "\u{202e}".to_owned(), format!("{root}/post/%00{id}"),
        ] {
            let refused = fault::<GetOembed>(app.anonymous.embeds().oembed(&*url).await);
            assert_eq!(refused, (Code::ValidationFailed, "url".to_owned()), "{url}");
        }
        let known = format!("/oembed?url={root}/post/{id}");
        for (query, field) in [("format=xml", "format"), ("maxwidth=0", "maxwidth"), ("maxheight=x", "maxheight")] {
            let refused = answer(app.raw(Method::GET, &format!("{known}&{query}"))).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        assert_eq!(code_of(app.raw(Method::GET, "/oembed")).await, Code::ValidationFailed);
        let unknown = format!("{root}/post/post_nothing");
        let unknown = app.anonymous.embeds().oembed(unknown).await;
        assert_eq!(fault::<GetOembed>(unknown), (Code::NotFound, "url".to_owned()));
    }
}
