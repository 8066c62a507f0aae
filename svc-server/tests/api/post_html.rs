//! How the text of a post is read, and its HTML in answers.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::posts::{Post, PostFormat, PostInclude};

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::answer;

/// Most bytes of HTML in an answer.
const ANSWER_BYTES_MAX: usize = 2 * 1024 * 1024;

const HTML: &[PostInclude] = &[PostInclude::Html];

/// The JSON of an answer to this member.
async fn get(app: &TestApp, who: &Member, path: &str) -> Value {
    let received = answer(who.raw(app, Method::GET, path)).await;
    assert_eq!(received.status, StatusCode::OK, "{path}: {}", received.json());
    received.json()
}

/// The whole posts in an answer, wherever they are.
fn posts_in(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(members) if members.contains_key("likesCount") => vec![value],
        Value::Object(members) => members.values().flat_map(posts_in).collect(),
        Value::Array(values) => values.iter().flat_map(posts_in).collect(),
        _ => Vec::new(),
    }
}

async fn html_of(who: &Member, post: &Post) -> String {
    who.client.posts().get(&post.id).include(HTML.to_vec()).await.unwrap().post.html.unwrap()
}

on_both_engines! {
    async fn a_text_is_read_as_markdown_unless_it_is_plain(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let text = "**new**: see <b>\n@ada";
        let marked = ada.post(text).await;
        let plain = bob.client.posts().create(text).format(PostFormat::Plain).await.unwrap().post;
        assert_eq!((marked.format.as_str(), plain.format.as_str()), ("markdown", "plain"));
        let root = app.server.url().replace("/api", "");
        let link = format!("<a href=\"{root}/@ada\">@ada</a>");
        let expected = format!("<p><strong>new</strong>: see &lt;b&gt;<br>\n{link}</p>\n");
        assert_eq!(html_of(&ada, &marked).await, expected);
        assert_eq!(html_of(&ada, &plain).await, format!("<p>**new**: see &lt;b&gt;<br>\n{link}</p>\n"));
    }

    async fn only_accounts_that_a_post_mentions_are_links(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let post = ada.post("@Bob and @nobody_here").await;
        let html = html_of(&ada, &post).await;
        assert!(html.contains("/@Bob\">@Bob</a> and @nobody_here</p>"), "{html}");
        let names: Vec<String> = (0..20).map(|n| format!("@name_{n}")).collect();
        let many = bob.post(&names.join(" ")).await;
        assert_eq!(html_of(&ada, &many).await.matches("<a ").count(), 20, "of many, not all are known");
    }

    async fn mentions_and_links_are_the_same_in_every_script(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("感谢@bob，请看https://b.example/c。").await;
        assert_eq!(post.mentions.len(), 1);
        let root = app.server.url().replace("/api", "");
        assert_eq!(
            html_of(&bob, &post).await,
            format!(
                "<p>感谢<a href=\"{root}/@bob\">@bob</a>，请看<a rel=\"nofollow ugc noopener\" \
                 href=\"https://b.example/c\">https://b.example/c</a>。</p>\n"
            )
        );
        let mail = ada.reply(&post, "josé@bob.example").await;
        assert_eq!(html_of(&bob, &mail).await, "<p>josé@bob.example</p>\n");
        assert!(mail.mentions.is_empty(), "an e-mail address names no account");
    }

    async fn a_picture_that_nothing_describes_shows_its_url(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("![](https://b.example/c.png)").await;
        assert!(html_of(&ada, &post).await.contains(">https://b.example/c.png</a>"));
    }

    async fn an_edit_keeps_the_format_and_an_excerpt_names_it(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let post = ada.client.posts().create("*a*").format(PostFormat::Plain).await.unwrap().post;
        let edited = ada.client.posts().edit(&post.id).content("*b*").await.unwrap().post;
        assert_eq!(edited.format, PostFormat::Plain);
        let quote = bob.client.posts().create("look").quote(&post.id).await.unwrap().post.quote;
        assert_eq!(quote.unwrap().format, PostFormat::Plain);
        let reply = bob.client.posts().reply(&post.id, "_c_").format(PostFormat::Plain).await.unwrap().post;
        assert_eq!(html_of(&ada, &reply).await, "<p>_c_</p>\n");
        let notices = ada.client.notifications().list().await.unwrap().notifications;
        let formats: Vec<_> = notices.into_iter().map(|notice| notice.post.unwrap().format).collect();
        assert_eq!(formats, [PostFormat::Plain, PostFormat::Markdown]);
    }

    async fn a_scheduled_post_is_published_in_its_format(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = ada.client.scheduled_posts();
        let later = posts.create("*a*", app.ahead(120)).await.unwrap().scheduled_post;
        assert_eq!(later.format, PostFormat::Markdown);
        let edited = posts.edit(&later.id).format(PostFormat::Plain).await.unwrap().scheduled_post;
        assert_eq!(edited.format, PostFormat::Plain);
        app.advance(121);
        let published = posts.get(&later.id).await.unwrap().scheduled_post;
        let post = ada.client.posts().get(published.post_id.unwrap()).await.unwrap().post;
        assert_eq!(post.format, PostFormat::Plain);
    }

    async fn other_formats_and_inclusions_are_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("first").await;
        let wrong = ada.raw(&app, Method::POST, &format!("/posts/{}/replies", post.id));
        let refusal = answer(wrong.json(&json!({ "content": "a", "format": "html" }))).await.refusal();
        assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("format")));
        for path in [format!("/posts/{}?include=htm", post.id), "/users/ada/posts?include=html,all".to_owned()] {
            let refusal = answer(ada.raw(&app, Method::GET, &path)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("include")), "{path}");
        }
        let people = answer(ada.raw(&app, Method::GET, "/search?q=a&type=users&include=html")).await;
        assert_eq!(people.refusal().field.as_deref(), Some("include"));
    }

    async fn every_list_of_posts_has_html_on_request_only(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        app.follow(&ada, &bob).await;
        let post = bob.post("apples #fruit").await;
        let reply = ada.reply(&post, "pears").await;
        ada.client.posts().create("quinces").quote(&post.id).await.unwrap();
        ada.client.reactions().bookmark(&post.id).await.unwrap();
        let list = ada.client.lists().create("growers").await.unwrap().list;
        ada.client.lists().add(&list.id, ["bob"]).await.unwrap();
        app.index().await;
        for (path, posts) in [
            (format!("/posts?ids={},{}", post.id, reply.id), 2),
            (format!("/posts/{}?", post.id), 1),
            (format!("/posts/{}/thread?", post.id), 2),
            (format!("/posts/{}/thread?", reply.id), 2),
            (format!("/posts/{}/replies?", post.id), 1),
            (format!("/posts/{}/replies?sort=top", post.id), 1),
            (format!("/posts/{}/quotes?", post.id), 1),
            ("/users/bob/posts?".to_owned(), 1),
            ("/users/me/bookmarks?".to_owned(), 1),
            ("/feed?".to_owned(), 1),
            ("/feed/global?".to_owned(), 2),
            ("/feed/global?sort=new".to_owned(), 2),
            ("/feed/global?sort=top".to_owned(), 2),
            ("/home?".to_owned(), 1),
            ("/hashtags/fruit/posts?".to_owned(), 1),
            ("/hashtags/fruit/posts?sort=hot".to_owned(), 1),
            (format!("/lists/{}/feed?", list.id), 1),
            ("/search?q=apples".to_owned(), 1),
        ] {
            for (asked, has_html) in [("", false), ("&include=html", true)] {
                let received = get(&app, &ada, &format!("{path}{asked}").replace("?&", "?")).await;
                let found = posts_in(&received);
                assert_eq!(found.len(), posts, "{path}: {received}");
                for post in found {
                    let content = post["content"].as_str().unwrap().replace("#fruit", "");
                    let html = post.get("html").and_then(Value::as_str);
                    assert_eq!(html.is_some(), has_html, "{path}{asked}");
                    assert!(html.is_none_or(|html| html.contains(content.trim())), "{path}: {post}");
                }
            }
        }
    }

    async fn an_answer_has_a_bounded_amount_of_html(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("tables").await;
        // A cell of two characters is an element of ten.
        let row = "|a".repeat(500);
        let table = format!("{row}\n{}\n{}", "|-".repeat(500), format!("{row}\n").repeat(37));
        for _ in 0..50 {
            ada.reply(&post, &table).await;
        }
        let path = format!("/posts/{}/replies?limit=50&include=html", post.id);
        let received = get(&app, &ada, &path).await;
        let found = posts_in(&received);
        let sizes: Vec<Option<usize>> =
            found.iter().map(|post| post.get("html").map(|html| html.as_str().unwrap().len())).collect();
        let total: usize = sizes.iter().flatten().sum();
        assert!((ANSWER_BYTES_MAX / 2..=ANSWER_BYTES_MAX).contains(&total), "{sizes:?}");
        assert!(sizes[0].is_some() && sizes[49].is_none(), "{sizes:?}");
        assert!(sizes.is_sorted_by_key(Option::is_none), "a post after one without HTML has some");
        let content = found[49]["content"].as_str().unwrap();
        assert_eq!(content.len(), table.len());
    }
}
