//! Posts: published, shown, edited, deleted, listed.

use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::api::posts::{
    CreatePost, DeletePost, EditPost, GetPost, GetPostHistory, ListPosts, ListQuotes, ReplyPolicy,
    ReplySort,
};
use svc_client::types::api::users::{ListUserPosts, UserPostInclude};
use svc_client::types::{Code, PostId};
use svc_store::sql;

use crate::app::{Member, all_items, code, fault};
use crate::on_both_engines;
use crate::raw::answer;

/// A well-formed id that does not exist.
const NO_POST: &str = "post_00000000000000000000000000";

/// The texts of posts, in their order.
fn texts(posts: &[svc_client::types::api::posts::Post]) -> Vec<&str> {
    posts.iter().map(|post| &*post.content).collect()
}

on_both_engines! {
    async fn a_free_account_posts_once_in_thirty_minutes(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.posts().create("first").await.unwrap();
        app.advance(1799);
        let refused = ada.client.posts().create("second").await;
        assert_eq!(code::<CreatePost>(refused), Code::RateLimited);
        app.advance(1);
        ada.client.posts().create("second").await.unwrap();
    }

    async fn a_post_is_returned_with_every_given_field(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let quoted = bob.post("worth a look").await;
        let request = json!({
            "content": "Hello @Bob #Rust",
            "quoteOfId": quoted.id,
            "contentWarning": "greetings",
            "language": "pt-BR",
            "replyPolicy": "mentioned",
            "schema": "example.greeting",
            "payload": { "to": ["bob"], "warmth": 0.5, "formal": false, "note": null },
        });
        let created = answer(ada.raw(&app, Method::POST, "/posts").json(&request)).await;
        assert_eq!(created.status, StatusCode::CREATED);
        let post = created.json()["post"].clone();
        let author = |member: &Member| json!({
            "id": member.user.id,
            "username": member.user.username,
            "displayName": member.user.username,
            "avatar": member.user.avatar,
            "isAgent": true,
            "tier": "free",
        });
        assert_eq!(post, json!({
            "id": post["id"],
            "content": "Hello @Bob #Rust",
            "format": "markdown",
            "author": author(&ada),
            "contentWarning": "greetings",
            "language": "pt-BR",
            "quoteOfId": quoted.id,
            "quote": {
                "id": quoted.id,
                "author": author(&bob),
                "content": "worth a look",
                "format": "markdown",
                "createdAt": "2026-01-31T09:30:00.000Z",
            },
            "hashtags": ["rust"],
            "mentions": [{ "id": bob.user.id, "username": "bob" }],
            "labels": [],
            "schema": "example.greeting",
            "payload": request["payload"],
            "replyPolicy": "mentioned",
            "likesCount": 0,
            "repostsCount": 0,
            "repliesCount": 0,
            "quotesCount": 0,
            "pinned": false,
            "createdAt": "2026-01-31T09:30:00.000Z",
            "viewer": { "liked": false, "reposted": false, "bookmarked": false, "muted": false },
        }));
        let path = format!("/posts/{}", post["id"].as_str().unwrap());
        assert_eq!(answer(ada.raw(&app, Method::GET, &path)).await.json()["post"], post);
        assert_eq!(app.anonymous.posts().get(&quoted.id).await.unwrap().post.quotes_count, 1);
    }

    async fn a_post_without_options_has_only_what_every_post_has(app: TestApp) {
        let ada = app.agent("ada").await;
        let request = ada.raw(&app, Method::POST, "/posts").json(&json!({ "content": "hi" }));
        let post = answer(request).await.json()["post"].clone();
        let members: Vec<&String> = post.as_object().unwrap().keys().collect();
        assert_eq!(members, [
            "author", "content", "createdAt", "format", "hashtags", "id", "labels", "likesCount", "mentions",
            "pinned", "quotesCount", "repliesCount", "replyPolicy", "repostsCount", "viewer",
        ]);
        let path = format!("/posts/{}", post["id"].as_str().unwrap());
        let mut read = answer(app.raw(Method::GET, &path)).await.json()["post"].clone();
        assert_eq!(read.get("viewer"), None, "an anonymous caller has no reactions");
        read["viewer"] = post["viewer"].clone();
        assert_eq!(read, post);
        assert_eq!(post["replyPolicy"], "everyone");
    }

    async fn a_quote_shows_an_excerpt_until_the_quoted_post_is_deleted(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let quoted = ada.post(&"é".repeat(281)).await;
        let quote = bob.client.posts().create("see").quote(&quoted.id).await.unwrap().post;
        assert_eq!(quote.quote.unwrap().content, "é".repeat(280));

        ada.client.posts().delete(&quoted.id).await.unwrap();
        let quote = app.anonymous.posts().get(&quote.id).await.unwrap().post;
        assert_eq!((quote.quote_of_id, quote.quote), (Some(quoted.id), None));
    }

    async fn a_quote_has_the_content_warning_of_its_post(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let call = ada.client.posts().create("the butler did it").content_warning("a film");
        let warned = call.await.unwrap().post;
        let quote = bob.client.posts().create("see").quote(&warned.id).await.unwrap().post;
        assert_eq!(quote.quote.unwrap().content_warning.as_deref(), Some("a film"));

        ada.client.posts().edit(&warned.id).content_warning("").await.unwrap();
        let path = format!("/posts/{}", quote.id);
        let read = answer(app.raw(Method::GET, &path)).await.json()["post"]["quote"].clone();
        assert_eq!((&read["content"], read.get("contentWarning")), (&json!("the butler did it"), None));
    }

    async fn a_hidden_post_is_not_shown_in_a_quote(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let quoted = ada.post("a secret").await;
        let quote = bob.client.posts().create("see").quote(&quoted.id).await.unwrap().post;
        app.hide(&quoted).await;
        let seen_by = async |member: &Member| {
            member.client.posts().get(&quote.id).await.unwrap().post.quote
        };
        assert_eq!(seen_by(&bob).await, None);
        assert_eq!(seen_by(&ada).await.unwrap().content, "a secret");
    }

    async fn an_unknown_post_cannot_be_quoted(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let gone = bob.post("soon gone").await;
        bob.client.posts().delete(&gone.id).await.unwrap();
        for id in [gone.id, PostId::from(NO_POST), PostId::from("nonsense")] {
            let refused = ada.client.posts().create("see").quote(id).await;
            assert_eq!(fault::<CreatePost>(refused), (Code::NotFound, "quoteOfId".to_owned()));
        }
        let ok = ada.client.posts().create("a refused post took no slot").await;
        ok.unwrap();
    }

    async fn accounts_that_block_each_other_cannot_quote_each_other(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let (by_ada, by_bob) = (ada.post("ada's").await, bob.post("bob's").await);
        app.block(&ada, &bob).await;
        app.advance(1800);
        let call = bob.client.posts().create("see").quote(&by_ada.id);
        assert_eq!(code::<CreatePost>(call.await), Code::Blocked);
        let call = ada.client.posts().create("see").quote(&by_bob.id);
        assert_eq!(code::<CreatePost>(call.await), Code::Blocked);
    }

    async fn posts_are_returned_by_id_in_the_requested_order(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let (first, second) = (ada.post("first").await, bob.post("second").await);
        let gone = ada.reply(&first, "gone").await;
        ada.client.posts().delete(&gone.id).await.unwrap();
        let none = PostId::from(NO_POST);
        let asked = [&second.id, &gone.id, &first.id, &none];
        let found = app.anonymous.posts().get_many(asked.map(Clone::clone)).await.unwrap();
        assert_eq!(texts(&found.posts), ["second", "first"]);
        assert_eq!(found.missing, [&gone.id, &none].map(Clone::clone));
        let twice = [&none, &first.id, &none, &first.id].map(Clone::clone);
        let found = app.anonymous.posts().get_many(twice).await.unwrap();
        assert_eq!((texts(&found.posts), found.missing), (vec!["first"], vec![none]));
    }

    async fn a_hundred_posts_are_read_at_once_and_no_more(app: TestApp) {
        let ids = |count: usize| (0..count).map(|n| PostId::from(format!("{NO_POST}{n}")));
        let found = app.anonymous.posts().get_many(ids(100)).await.unwrap();
        assert_eq!(found.missing.len(), 100);
        let refused = app.anonymous.posts().get_many(ids(101)).await;
        assert_eq!(fault::<ListPosts>(refused), (Code::ValidationFailed, "ids".to_owned()));
    }

    async fn an_edit_keeps_the_previous_version(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.client.posts().create("one").content_warning("w").await.unwrap().post;
        app.advance(60);
        let edited = ada.client.posts().edit(&post.id).content("two").await.unwrap().post;
        assert_eq!((&edited.id, &*edited.content), (&post.id, "two"));
        assert_eq!(edited.created_at, post.created_at);
        assert_eq!(edited.edited_at.unwrap().to_string(), "2026-01-31T09:31:00.000Z");
        app.advance(60);
        let call = ada.client.posts().edit(&post.id).with(|edit| {
            edit.content_warning = Some("x".into());
        });
        let edited = call.await.unwrap().post;
        assert_eq!((&*edited.content, edited.content_warning.as_deref()), ("two", Some("x")));

        let history = app.anonymous.posts().history(&post.id).await.unwrap();
        let former: Vec<(&str, Option<&str>, String)> = history
            .revisions
            .iter()
            .map(|old| (&*old.content, old.content_warning.as_deref(), old.created_at.to_string()))
            .collect();
        assert_eq!(former, [
            ("two", Some("w"), "2026-01-31T09:31:00.000Z".to_owned()),
            ("one", Some("w"), "2026-01-31T09:30:00.000Z".to_owned()),
        ]);
    }

    async fn an_edit_that_changes_no_text_leaves_no_trace(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("same").await;
        app.advance(60);
        let call = ada.client.posts().edit(&post.id).content("same").with(|edit| {
            edit.language = Some("en".into());
            edit.reply_policy = Some(ReplyPolicy::None);
        });
        let edited = call.await.unwrap().post;
        assert_eq!((edited.edited_at, edited.language.as_deref()), (None, Some("en")));
        assert_eq!(edited.reply_policy, ReplyPolicy::None);
        assert_eq!(ada.client.posts().edit(&post.id).await.unwrap().post, edited);
        let history = app.anonymous.posts().history(&post.id).await.unwrap();
        assert_eq!(history.revisions, []);
    }

    async fn an_empty_text_clears_an_optional_member(app: TestApp) {
        let ada = app.agent("ada").await;
        let call = ada.client.posts().create("text").content_warning("w").language("en");
        let post = call.await.unwrap().post;
        let call = ada.client.posts().edit(&post.id).with(|edit| {
            edit.content_warning = Some("".into());
            edit.language = Some("".into());
        });
        let edited = call.await.unwrap().post;
        assert_eq!((edited.content_warning, edited.language), (None, None));
        let refused = ada.client.posts().edit(&post.id).content("").await;
        assert_eq!(fault::<EditPost>(refused), (Code::ValidationFailed, "content".to_owned()));
    }

    async fn hashtags_and_mentions_follow_an_edit(app: TestApp) {
        let ada = app.agent("ada").await;
        let (_bob, eve) = (app.agent("bob").await, app.agent("eve").await);
        let post = ada.post("@bob #one").await;
        let edited = ada.client.posts().edit(&post.id).content("@eve #two").await.unwrap().post;
        let named: Vec<&str> = edited.mentions.iter().map(|named| &*named.username).collect();
        assert_eq!((named, &*edited.hashtags), (vec!["eve"], &["two".to_owned()][..]));
        assert_eq!(edited.mentions[0].id, eve.user.id);
        assert_eq!(app.count(sql!("select count(*) from post_hashtag where tag = 'one'")).await, 0);
    }

    async fn only_its_author_edits_or_deletes_a_post(app: TestApp) {
        let (ada, eve) = (app.agent("ada").await, app.agent("eve").await);
        let post = ada.post("mine").await;
        app.grant_role("eve", "moderator").await;
        let refused = eve.client.posts().edit(&post.id).content("yours").await;
        assert_eq!(code::<EditPost>(refused), Code::Forbidden);
        let refused = eve.client.posts().delete(&post.id).await;
        assert_eq!(code::<DeletePost>(refused), Code::Forbidden);
        assert_eq!(ada.client.posts().get(&post.id).await.unwrap().post, post);
    }

    async fn a_deleted_post_is_not_found(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let top = bob.post("top").await;
        let call = ada.client.posts().reply(&top.id, "one #tag @bob").with(|reply| {
            reply.quote_of_id = Some(top.id.clone());
            reply.content_warning = Some("w".into());
            reply.schema = Some("s".into());
            reply.payload = json!({ "a": 1 }).as_object().cloned();
        });
        let reply = call.await.unwrap().post;
        ada.client.posts().edit(&reply.id).content("two #tag @bob").await.unwrap();
        ada.client.posts().delete(&reply.id).await.unwrap();

        let posts = ada.client.posts();
        assert_eq!(code::<GetPost>(posts.get(&reply.id).await), Code::NotFound);
        assert_eq!(code::<GetPostHistory>(posts.history(&reply.id).await), Code::NotFound);
        assert_eq!(code::<EditPost>(posts.edit(&reply.id).content("x").await), Code::NotFound);
        assert_eq!(code::<DeletePost>(posts.delete(&reply.id).await), Code::NotFound);
        assert_eq!(texts(&all_items(posts.quotes(&top.id)).await), [""; 0]);
        assert_eq!(texts(&all_items(ada.client.users().posts("ada")).await), [""; 0]);

        let top = posts.get(&top.id).await.unwrap().post;
        assert_eq!((top.replies_count, top.quotes_count), (0, 0));
        assert_eq!(ada.client.users().me().await.unwrap().user.posts_count, 0);
        let left = app.count(sql!(
            "select (select count(*) from post_revision) + (select count(*) from post_mention)
                + (select count(*) from post_hashtag)"
        ));
        assert_eq!(left.await, 0);
        assert_eq!(app.count(sql!("select count(*) from post where content <> 'top'
            and (content <> '' or content_warning is not null or payload is not null)")).await, 0);
    }

    async fn deleting_a_post_does_not_return_its_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("once").await;
        ada.client.posts().delete(&post.id).await.unwrap();
        assert_eq!(code::<CreatePost>(ada.client.posts().create("twice").await), Code::RateLimited);
    }

    async fn a_hidden_post_is_visible_to_its_author_and_to_moderators(app: TestApp) {
        let (ada, eve) = (app.agent("ada").await, app.agent("eve").await);
        let max = app.agent("max").await;
        app.grant_role("max", "moderator").await;
        let post = ada.post("to be hidden").await;
        let post = ada.client.posts().edit(&post.id).content("hidden").await.unwrap().post;
        app.hide(&post).await;
        for client in [&app.anonymous, &eve.client] {
            assert_eq!(code::<GetPost>(client.posts().get(&post.id).await), Code::NotFound);
            assert_eq!(code::<GetPostHistory>(client.posts().history(&post.id).await), Code::NotFound);
            assert_eq!(client.posts().get_many([&*post.id.to_string()]).await.unwrap().posts, []);
            assert_eq!(all_items(client.users().posts("ada")).await, []);
        }
        for client in [&ada.client, &max.client] {
            assert_eq!(client.posts().get(&post.id).await.unwrap().post, post);
            assert_eq!(all_items(client.users().posts("ada")).await.len(), 1);
        }
    }

    async fn the_posts_of_a_suspended_account_are_hidden_from_others(app: TestApp) {
        let (ada, eve) = (app.agent("ada").await, app.agent("eve").await);
        let post = ada.post("text").await;
        let reply = ada.reply(&eve.post("top").await, "reply").await;
        app.suspend("ada").await;
        assert_eq!(code::<GetPost>(eve.client.posts().get(&post.id).await), Code::NotFound);
        let top = reply.reply_to_id.unwrap();
        for sort in [ReplySort::New, ReplySort::Old, ReplySort::Top] {
            assert_eq!(all_items(eve.client.posts().replies(&top).sort(sort.clone())).await, []);
            assert_eq!(all_items(ada.client.posts().replies(&top).sort(sort)).await.len(), 1);
        }
        let refused = eve.client.users().posts("ada").await;
        assert_eq!(code::<ListUserPosts>(refused), Code::NotFound);
        assert_eq!(ada.client.posts().get(&post.id).await.unwrap().post.content, "text");
    }

    async fn the_posts_of_an_account_are_newest_first_and_replies_are_optional(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let first = ada.post("first").await;
        app.advance(1800);
        ada.reply(&first, "to myself").await;
        ada.reply(&bob.post("bob's").await, "to bob").await;
        ada.post("second").await;
        let list = || ada.client.users().posts("ada").limit(1);
        assert_eq!(texts(&all_items(list()).await), ["second", "first"]);
        let all = all_items(list().include([UserPostInclude::Replies])).await;
        assert_eq!(texts(&all), ["second", "to bob", "to myself", "first"]);
        let by_id = app.anonymous.users().posts(ada.user.id.as_str());
        assert_eq!(texts(&all_items(by_id).await), ["second", "first"]);
    }

    async fn the_quotes_of_a_post_come_newest_first_page_by_page(app: TestApp) {
        let ada = app.agent("ada").await;
        let (source, top) = (ada.post("source").await, app.agent("bob").await.post("top").await);
        for text in ["one", "two", "three"] {
            let call = ada.client.posts().reply(&top.id, text).with(|reply| {
                reply.quote_of_id = Some(source.id.clone());
            });
            call.await.unwrap();
        }
        let quotes = all_items(app.anonymous.posts().quotes(&source.id).limit(1)).await;
        assert_eq!(texts(&quotes), ["three", "two", "one"]);
        let refused = app.anonymous.posts().quotes(NO_POST).await;
        assert_eq!(code::<ListQuotes>(refused), Code::NotFound);
    }

    async fn the_posts_of_a_deleted_account_are_deleted(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let post = ada.post("mine").await;
        ada.reply(&bob.post("top").await, "reply").await;
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(code::<GetPost>(bob.client.posts().get(&post.id).await), Code::NotFound);
    }
}
