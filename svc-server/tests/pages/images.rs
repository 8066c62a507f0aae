//! Images of posts, by the form of a post.

use http::{Method, StatusCode};

use crate::app::SEC_FETCH_SITE;
use crate::browser::{Browser, PASSWORD, Page};
use crate::html::Element;
use crate::on_both_engines;
use crate::settings::png;

/// Sends a form as browsers send one with files: each field with its bytes.
pub(crate) async fn send(browser: &Browser<'_>, action: &str, fields: &[(&str, &[u8])]) -> Page {
    let mut body = Vec::new();
    for (name, content) in fields {
        let head = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend([head.as_bytes(), *content, b"\r\n"].concat());
    }
    body.extend(b"--b--\r\n");
    let request = browser.request(Method::POST, action).header(SEC_FETCH_SITE, "same-origin");
    let form = request.header("content-type", "multipart/form-data; boundary=b").body(body);
    browser.answer(form).await
}

on_both_engines! {
    async fn a_post_with_images_is_published_by_its_form_and_shown_with_their_words(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/compose").await.form("/compose");
        assert!(form.fields.iter().any(|(name, _)| name == "file"), "{form:?}");
        let file = png();
        let fields = [
            ("content", &b"two\r\nlines"[..]),
            ("replyPolicy", b"everyone"),
            // The first field was left blank.
            ("file", b""),
            ("alt", b""),
            ("file", &file),
            ("alt", b"A \"red\" <b>square</b>"),
            ("file", b""),
            ("alt", b""),
        ];
        let published = send(&browser, "/compose", &fields).await;
        let page = browser.get(published.to()).await;
        let html = page.html();
        let images = html.named("img");
        let image = images.iter().find(|one| one.attributes["src"].starts_with("/api/media/")).unwrap();
        assert_eq!(image.attributes["alt"], "A \"red\" <b>square</b>");
        assert_eq!((&*image.attributes["width"], &*image.attributes["height"]), ("40", "30"));
        let served = browser.request(Method::GET, &image.attributes["src"]).send().await.unwrap();
        assert_eq!(served.headers()["content-type"], "image/png");
        let id = published.to().strip_prefix("/post/").unwrap();
        let post = app.anonymous.posts().get(id).await.unwrap().post;
        assert_eq!((post.content.as_str(), post.attachments.len()), ("two\nlines", 1));
        let embed = app.raw(Method::GET, &format!("/embed/posts/{id}")).send().await.unwrap();
        assert!(embed.text().await.unwrap().contains("/api/media/"), "an embed shows it, too");
    }

    async fn a_post_without_words_is_named_by_its_image_in_feeds_and_previews(app: TestApp) {
        let bob = app.agent("bob").await;
        let image = bob.client.posts().upload_image(png(), "A <b>chart</b>").await.unwrap().media;
        let post = bob.client.posts().create(" ").media_ids([image.id]).await.unwrap().post;
        let browser = Browser::new(&app);
        let page = browser.get(&format!("/post/{}", post.id)).await.text;
        assert!(page.contains("og:description\" content=\"A &#60;b&#62;chart&#60;/b&#62;\""), "{page}");
        let feed = browser.get("/@bob.atom").await.text;
        assert!(feed.contains("<title>A &#60;b&#62;chart&#60;/b&#62;</title>"), "{feed}");
        // The feed escapes its HTML once more.
        let shown = "&#34; alt=&#34;A &#38;#60;b&#38;#62;chart&#38;#60;/b&#38;#62;&#34;&#62;";
        let shown = format!("&#60;img src=&#34;{}{shown}", image.thumb_url);
        assert!(feed.contains(&shown), "{feed}");
    }

    async fn a_link_previews_an_image_only_without_a_warning(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let file = png();
        for (warning, is_shown) in [(&b""[..], true), (b"spiders", false)] {
            let fields = [
                ("content", &b"look"[..]),
                ("contentWarning", warning),
                ("file", &file),
                ("alt", b"a spider"),
            ];
            let published = send(&browser, "/compose", &fields).await;
            let page = browser.get(published.to()).await;
            let words = "og:description\" content=\"look\"";
            assert_eq!(page.text.contains(words), is_shown, "{}", page.text);
            let (_, data) = page.text.split_once("application/ld+json\">").unwrap();
            let data = data.split("</script>").next().unwrap();
            assert_eq!(data.contains("/api/media/"), is_shown, "{data}");
            let (_, preview) = page.text.split_once("og:image\" content=\"").unwrap();
            let preview = preview.split('"').next().unwrap();
            assert_eq!(preview.contains("/api/media/"), is_shown, "{preview}");
            let details = page.text.split_once("<details class=\"warned\">");
            let folded = details.map_or("", |(_, rest)| rest.split("</details>").next().unwrap());
            let images = |html: &str| html.matches("<img src=\"/api/media/").count();
            assert_eq!((images(&page.text), images(folded)), (1, usize::from(!is_shown)), "{}", page.text);
            let path = format!("/embed{}", published.to().replace("/post/", "/posts/"));
            let embed = app.raw(Method::GET, &path).send().await.unwrap().text().await.unwrap();
            let (folded, rest) = embed.split_once("</details>").unwrap_or(("", embed.as_str()));
            let shows = [folded, rest].map(|html| html.contains("/thumb\""));
            assert_eq!(shows, [!is_shown, is_shown], "{embed}");
            app.advance(1_800);
        }
    }

    async fn a_feed_has_the_images_of_its_posts(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let upload = ada.client.posts().upload_image(png(), "A \"red\" square");
        let image = upload.await.unwrap().media;
        ada.client.posts().create(" ").media_ids([image.id]).await.unwrap();
        let browser = Browser::new(&app);
        let feed = browser.get("/@ada.atom").await.text;
        assert!(feed.contains("<title>A &#34;red&#34; square</title>"), "{feed}");
        let shown = format!("&#60;img src=&#34;{}&#34; alt=&#34;A &#38;#34;red&#38;#34;", image.thumb_url);
        assert!(feed.contains(&shown), "{feed}");
        let image = bob.client.posts().upload_image(png(), "a spider").await.unwrap().media;
        let warned = bob.client.posts().create("look").content_warning("spiders");
        warned.media_ids([image.id]).await.unwrap();
        let feed = browser.get("/@bob.atom").await.text;
        assert!(!feed.contains("&#60;img") && !feed.contains("a spider"), "{feed}");
    }

    async fn what_was_uploaded_is_kept_when_the_form_is_refused(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let file = png();
        let fields = [("content", &b""[..]), ("file", &file), ("alt", b"mine")];
        let refused = send(&browser, "/compose", &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        let form = refused.form("/compose");
        let kept = form.value("mediaIds").to_owned();
        let shown = browser.request(Method::GET, &format!("/api/media/{kept}/thumb"));
        let shown = shown.header(SEC_FETCH_SITE, "same-origin").send().await.unwrap();
        assert_eq!(shown.status(), StatusCode::OK, "its owner sees it before the post has it");
        let silent = [
            ("content", &b"a"[..]), ("file", b""), ("alt", b""), ("file", &file), ("alt", b""), ("file", &file), ("alt", b""),
        ];
        let refused = send(&browser, "/compose", &silent).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.html().of_class("problem")[0].contains("what the image shows"), "{}", refused.text);
        assert_eq!(refused.text.matches("Choose the file again").count(), 2, "{}", refused.text);
        let html = refused.html();
        let is = |one: &Element, name: &str, value: &str| one.attributes.get(name).is_some_and(|own| own == value);
        let mut alts = html.named("input").into_iter().filter(|one| is(one, "name", "alt"));
        assert_eq!(alts.position(|one| is(one, "id", "field-alt")), Some(1), "{}", refused.text);
        assert_eq!(refused.form("/compose").value("content"), "a");
        let published = browser.send(&form.with("content", "look")).await;
        let id = published.to().strip_prefix("/post/").unwrap();
        let post = app.anonymous.posts().get(id).await.unwrap().post;
        assert_eq!(post.attachments[0].id.as_str(), kept);
    }

    async fn a_text_whose_image_was_not_chosen_again_publishes_nothing(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let fields = [
            ("content", &b"look"[..]),
            ("file", b""),
            ("alt", b" "),
            ("file", b""),
            ("alt", b"a spider"),
        ];
        let refused = send(&browser, "/compose", &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert_eq!(refused.text.matches("Choose the file again").count(), 1, "{}", refused.text);
        assert!(refused.text.contains("maxlength=\"1500\" value=\"a spider\""), "{}", refused.text);
        assert_eq!(refused.form("/compose").value("content"), "look");
        assert_eq!(ada.client.users().me().await.unwrap().user.posts_count, 0);
        let published = send(&browser, "/compose", &fields[..3]).await;
        assert!(published.to().starts_with("/post/"), "fields that were left blank are no image");
    }

    async fn who_was_signed_out_keeps_the_text_and_nobody_schedules_an_image(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let file = png();
        let fields = [("content", &b"kept"[..]), ("file", &file), ("alt", b"mine")];
        let stranger = Browser::new(&app);
        let asked = send(&stranger, "/compose", &fields).await;
        assert_eq!(asked.status, StatusCode::UNAUTHORIZED);
        let large = vec![0_u8; 2 * 1024 * 1024];
        let heavy = [("content", &b"kept"[..]), ("file", &large), ("alt", b"mine")];
        let heavy = send(&stranger, "/compose", &heavy).await;
        assert_eq!(heavy.status, StatusCode::UNAUTHORIZED, "of a large image only the beginning is read");
        for (asked, alt) in [(asked, "mine"), (heavy, "")] {
            let login = asked.form("/login").with("username", "ada").with("password", PASSWORD);
            let again = Browser::new(&app).send(&login).await;
            assert_eq!(again.form("/compose").value("content"), "kept");
            let says = ["<details class=\"extra\" open><summary>Images", "Choose the file again"];
            assert!(says.iter().all(|part| again.text.contains(part)), "{}", again.text);
            assert!(again.text.contains(&format!("maxlength=\"1500\" value=\"{alt}\"")), "{}", again.text);
        }
        let browser = Browser::of(&app, "ada").await;
        let fields = [&fields[..], &[("scheduledFor", b"2026-02-01T08:15")]].concat();
        let refused = send(&browser, "/compose/later", &fields).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert!(refused.text.contains("a scheduled post can&#39;t have images"), "{}", refused.text);
    }

    async fn a_reply_has_images_and_a_warning_by_the_form_of_a_post(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let post = ada.post("who has a picture?").await;
        let browser = Browser::of(&app, "bob").await;
        let page = browser.get(&format!("/post/{}", post.id)).await;
        let button = format!("name=\"replyToId\" value=\"{}\" formaction=\"/compose\" formmethod=\"get\"", post.id);
        assert!(page.text.contains(&button), "{}", page.text);
        // A browser sends what is typed below the post with it.
        let page = browser.get(&format!("/compose?content=I+%3C3+it&replyToId={}", post.id)).await;
        assert!(page.text.contains("who has a picture?"), "{}", page.text);
        let form = page.form("/compose");
        assert_eq!(form.value("content"), "I <3 it", "what was typed is not lost");
        let file = png();
        let fields = [
            ("replyToId", form.value("replyToId").as_bytes()),
            ("content", b"I have"),
            ("contentWarning", b"spiders"),
            ("file", &file),
            ("alt", b"a spider"),
        ];
        let sent = send(&browser, "/compose", &fields).await;
        let id = sent.to().strip_prefix("/post/").unwrap();
        let reply = app.anonymous.posts().get(id).await.unwrap().post;
        assert_eq!(reply.reply_to_id.as_ref(), Some(&post.id));
        assert_eq!((reply.content_warning.as_deref(), reply.attachments.len()), (Some("spiders"), 1));
        let shown = browser.get(sent.to()).await;
        assert!(shown.text.contains("Replied.") && shown.text.contains("who has a picture?"), "{}", shown.text);
    }
}
