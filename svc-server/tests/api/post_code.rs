//! Highlighted code in the HTML of posts.

use http::Method;
use svc_client::types::PostId;
use svc_client::types::api::batch::BatchResult;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::posts::{Post, PostFormat, PostInclude};
use svc_client::types::api::reports::Subject;
use svc_core::services::post::code;
use svc_server::testing::{Engine, TestServer, until};
use svc_store::db::{Sql, sql};

use crate::app::{Member, TestApp};
use crate::embeds::html::Html;
use crate::on_both_engines;
use crate::raw::answer;

const CODE: &str = "```rust\nfn f() {}\n```";
const PLAIN: &str = "<pre><code>fn f() {}\n</code></pre>\n";
const HIGHLIGHTED: &str =
    "<pre><code><span class=\"k\">fn</span> <span class=\"f\">f</span>() {}\n</code></pre>\n";

const ROWS: Sql = sql!("select count(*) from post_code");
const WAITING: Sql = sql!("select count(*) from post_code where due_at is not null");

async fn html_of(who: &Member, post: &PostId) -> String {
    who.client.posts().get(post).include([PostInclude::Html]).await.unwrap().post.html.unwrap()
}

/// Waits until the code in a post is highlighted.
async fn is_highlighted(who: &Member, post: &PostId) {
    let highlighted = async || html_of(who, post).await == HIGHLIGHTED;
    until("the code is highlighted", highlighted).await;
}

/// HTML without the spans of code.
fn without_spans(html: &str) -> String {
    let parts = html.replace("</span>", "");
    let mut parts = parts.split("<span class=\"");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        let (class, rest) = part.split_once("\">").unwrap();
        assert!("ksncft".contains(class) && class.len() == 1, "{html}");
        text + rest
    })
}

async fn claimed(app: &TestApp) -> Option<code::Claim> {
    app.server.app().write(code::claim).await.unwrap()
}

async fn keep(app: &TestApp, claim: code::Claim, marks: &'static str) {
    app.server.app().write(move |ctx| code::keep(ctx, &claim, marks)).await.unwrap();
}

/// Posts that are read with `include=html` and the statements of that.
async fn read_many(app: &TestApp, who: &Member, posts: &[&Post]) -> (Vec<String>, u64) {
    let groups = app.server.app().db.groups();
    groups.watch();
    let ids = posts.iter().map(|post| post.id.to_string());
    let read = who.client.posts().get_many(ids).include([PostInclude::Html]).await.unwrap().posts;
    let statements = groups.take().iter().map(|group| group.statements).sum();
    (read.into_iter().map(|post| post.html.unwrap()).collect(), statements)
}

on_both_engines! {
    async fn code_is_plain_until_it_is_highlighted_a_second_later(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post(CODE).await;
        assert_eq!(html_of(&ada, &post.id).await, PLAIN);
        app.advance(1);
        is_highlighted(&ada, &post.id).await;
        assert_eq!(ada.client.posts().get(&post.id).await.unwrap().post.content, CODE);
        assert_eq!(app.count(WAITING).await, 0);
    }

    async fn replies_and_posts_that_were_scheduled_are_highlighted_too(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let later = ada.client.scheduled_posts().create(CODE, app.ahead(120)).await.unwrap().scheduled_post;
        let post = bob.post("look").await;
        let reply = ada.reply(&post, CODE).await;
        let batch = ada.client.batch().reply(&post.id, CODE).await.unwrap();
        assert!(batch.results.iter().all(BatchResult::is_success), "{batch:?}");
        assert_eq!(app.count(ROWS).await, 2, "a scheduled post has no HTML yet");
        app.advance(121);
        let posts = ada.client.scheduled_posts();
        let published = posts.get(&later.id).await.unwrap().scheduled_post.post_id.unwrap();
        app.server.highlight().await;
        for id in [&reply.id, &published] {
            is_highlighted(&bob, id).await;
        }
    }

    async fn an_edit_replaces_what_is_highlighted(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post(CODE).await;
        app.server.highlight().await;
        assert_eq!(html_of(&ada, &post.id).await, HIGHLIGHTED);
        let posts = ada.client.posts();
        posts.edit(&post.id).content_warning("long").await.unwrap();
        app.server.highlight().await;
        assert_eq!(html_of(&ada, &post.id).await, HIGHLIGHTED);
        posts.edit(&post.id).content("~~~json\n[1]\n~~~").await.unwrap();
        assert_eq!(html_of(&ada, &post.id).await, "<pre><code>[1]\n</code></pre>\n");
        app.server.highlight().await;
        let html = html_of(&ada, &post.id).await;
        assert_eq!(html, "<pre><code>[<span class=\"n\">1</span>]\n</code></pre>\n");
        posts.edit(&post.id).content("no code").await.unwrap();
        assert_eq!(app.count(ROWS).await, 0);
        posts.edit(&post.id).content(CODE).await.unwrap();
        app.server.highlight().await;
        assert_eq!(html_of(&ada, &post.id).await, HIGHLIGHTED);
    }

    async fn an_edit_meanwhile_is_not_highlighted_as_the_text_before(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post(CODE).await;
        let claim = claimed(&app).await.unwrap();
        assert_eq!(claim.text(), Some(CODE));
        ada.client.posts().edit(&post.id).content("```py\ndef f(): 1\n```").await.unwrap();
        keep(&app, claim.clone(), "2k1.1f").await;
        assert_eq!(app.count(WAITING).await, 1);
        keep(&app, claim, "").await;
        app.server.highlight().await;
        assert!(html_of(&ada, &post.id).await.contains("<span class=\"k\">def</span>"));
    }

    async fn what_goes_takes_its_highlighting_along(app: TestApp) {
        let [ada, bob, eve, judge] = app.agents(["ada", "bob", "eve", "judge"]).await;
        app.grant_role("judge", "moderator").await;
        let (of_ada, of_bob, of_eve) = (ada.post(CODE).await, bob.post(CODE).await, eve.post(CODE).await);
        let waiting = bob.reply(&of_ada, CODE).await;
        for _ in 0..3 {
            let claim = claimed(&app).await.unwrap();
            keep(&app, claim, "2k1.1f").await;
        }
        assert_eq!(app.count(ROWS).await, 4);
        ada.client.posts().delete(&of_ada.id).await.unwrap();
        bob.client.posts().delete(&waiting.id).await.unwrap();
        let subject = Subject::post(&of_bob.id);
        judge.client.moderation().act(subject, ModerationActionType::Remove, "the rules").await.unwrap();
        assert_eq!(app.count(ROWS).await, 1);
        answer(eve.raw(&app, Method::DELETE, "/users/me?confirm=eve")).await.json();
        app.advance(15 * 24 * 3600);
        app.server.erase().await;
        assert_eq!(app.count(ROWS).await, 0, "{}", of_eve.id);
    }

    async fn a_hundred_texts_of_an_author_wait_at_a_time(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("look").await;
        for _ in 0..3 {
            let batch = (0..50).fold(ada.client.batch(), |batch, _| batch.reply(&post.id, CODE));
            assert!(batch.await.unwrap().results.iter().all(BatchResult::is_success));
        }
        assert_eq!(app.count(WAITING).await, 100);
        let plain = ada.post(CODE).await;
        bob.reply(&post, CODE).await;
        assert_eq!(app.count(WAITING).await, 101);
        app.server.highlight().await;
        assert_eq!(html_of(&ada, &plain.id).await, PLAIN);
        ada.client.posts().edit(&plain.id).content(format!("{CODE}\n\nmore")).await.unwrap();
        app.server.highlight().await;
        assert!(html_of(&ada, &plain.id).await.starts_with(HIGHLIGHTED));
    }

    async fn a_post_without_known_code_is_not_noted(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.client.posts().create(CODE).format(PostFormat::Plain).await.unwrap().post;
        for text in ["`let a = 1;`", "```\nfn f() {}\n```", "~~~text\nfn f() {}\n~~~", "    fn f() {}", "rust"] {
            ada.reply(&post, text).await;
        }
        assert_eq!(app.count(ROWS).await, 0);
    }

    async fn hostile_code_stays_text(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("look").await;
        for text in [
            "```html\n</span></code></pre><script>alert(1)</script><img src=x onerror=a>\n```".to_owned(),
            "```js\n\"</span><script>\" // \u{202e}\u{2066}\u{200b} &lt;\n```".to_owned(),
            format!("```{}\nfn f() {{}}\n```\n{CODE}", "rust".repeat(2500)),
            format!("```rust \"><script>{}\nfn f() {{}}\n```", "x".repeat(10_000)),
            format!("{CODE}\n").repeat(1500),
            format!("```rust\n{}\n```", "{".repeat(15_000)),
            format!("```md\n{}\n```", "> - ".repeat(4_000)),
            format!("{} {CODE}", "> - ".repeat(2_000)),
            "```rust\n\u{10ffff}\u{85}\u{2028}é\r\n```".to_owned(),
            "```sh\n$(${{`\"'\n```\n```py\n'''\"\"\"\n".to_owned(),
        ] {
            let reply = ada.reply(&post, &text).await;
            let plain = html_of(&ada, &reply.id).await;
            app.server.highlight().await;
            let html = html_of(&ada, &reply.id).await;
            assert_eq!(without_spans(&html), plain, "{text:.80}");
            let known = ["p", "br", "pre", "code", "span", "blockquote", "ul", "li"];
            for element in Html::read(&html).0 {
                assert!(known.contains(&&*element.name), "{element:?}");
                assert!(element.attributes.keys().all(|name| name == "class"), "{element:?}");
            }
        }
    }

    async fn large_blocks_stay_plain_and_are_not_tried_again(app: TestApp) {
        let ada = app.agent("ada").await;
        let line = "fn f() {}\n";
        let fits = line.repeat(16 * 1024 / line.len());
        let post = ada.post(&format!("```rust\n{fits}```")).await;
        let large = ada.reply(&post, &format!("```rust\n{fits}{line}```")).await;
        let both = ada.reply(&post, &format!("```rust\n{fits}{line}```\n{CODE}")).await;
        app.server.highlight().await;
        assert!(html_of(&ada, &post.id).await.starts_with("<pre><code><span"));
        assert!(!html_of(&ada, &large.id).await.contains("<span"));
        let html = html_of(&ada, &both.id).await;
        assert!(html.starts_with("<pre><code>fn f()") && html.ends_with(HIGHLIGHTED), "{html}");
        assert_eq!((app.count(ROWS).await, app.count(WAITING).await), (2, 0));
    }

    async fn work_that_a_crash_interrupts_is_repeated_a_minute_later(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post(CODE).await;
        assert!(claimed(&app).await.is_some());
        assert!(claimed(&app).await.is_none(), "another node leaves it alone");
        app.server.highlight().await;
        assert_eq!(html_of(&ada, &post.id).await, PLAIN);
        app.advance(61);
        is_highlighted(&ada, &post.id).await;
    }

    async fn a_text_that_was_tried_three_times_stays_plain(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post(CODE).await;
        app.execute(|ctx| ctx.tx.execute(sql!("update post_code set attempts = 3"), &[])).await;
        let twice = ada.reply(&post, CODE).await;
        let set = sql!("update post_code set attempts = 2 where attempts = 0");
        app.execute(move |ctx| ctx.tx.execute(set, &[])).await;
        app.server.highlight().await;
        assert_eq!(html_of(&ada, &post.id).await, PLAIN);
        assert_eq!(html_of(&ada, &twice.id).await, HIGHLIGHTED, "one that was tried twice is tried again");
        assert_eq!(app.count(ROWS).await, 1);
    }

    async fn the_code_of_many_posts_takes_one_statement(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("look").await;
        let mut posts = Vec::new();
        for number in 0..20 {
            posts.push(ada.reply(&post, &format!("{number}")).await);
        }
        let plain: Vec<&Post> = posts.iter().collect();
        let (_, without) = read_many(&app, &ada, &plain).await;
        let mut with_code = Vec::new();
        for number in 0..20 {
            with_code.push(ada.reply(&post, &format!("{number}\n\n{CODE}")).await);
        }
        app.server.highlight().await;
        let (read, with) = read_many(&app, &ada, &with_code.iter().collect::<Vec<_>>()).await;
        assert!(read.iter().all(|html| html.ends_with(HIGHLIGHTED)), "{read:?}");
        assert_eq!(with, without + 1);
    }
}

#[tokio::test]
async fn of_two_nodes_one_highlights_a_text() {
    let Some(database) = Engine::Postgres.database() else { return };
    let one = TestServer::start_with(&database, &[]).await;
    let two = TestServer::start_with(&database, &[]).await;
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    let ada = app.agent("ada").await;
    ada.post(CODE).await;
    let (first, second) = tokio::join!(one.app().write(code::claim), two.app().write(code::claim));
    let claims = [first.unwrap(), second.unwrap()];
    assert_eq!(claims.iter().flatten().count(), 1, "{claims:?}");
}
