//! The list of posts of an account.

use http::Method;
use svc_client::types::api::posts::Post;
use svc_client::types::api::users::UserPostInclude;
use svc_client::types::{Code, Cursor};

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const REPLIES: &[UserPostInclude] = &[UserPostInclude::Replies];
const REPOSTS: &[UserPostInclude] = &[UserPostInclude::Reposts];
const BOTH: &[UserPostInclude] = &[UserPostInclude::Replies, UserPostInclude::Reposts];

async fn publish(app: &TestApp, by: &Member, content: &str) -> Post {
    app.advance(1800);
    by.post(content).await
}

/// Contents of ada's list in pages of one size; reposts are marked.
async fn list(by: &svc_client::Client, include: &[UserPostInclude], limit: u32) -> Vec<String> {
    let call = by.users().posts("ada").limit(limit);
    let call = if include.is_empty() { call } else { call.include(include.to_vec()) };
    let (mut contents, mut cursor): (Vec<String>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let page = call.clone().with(|request| request.cursor = cursor).await.unwrap();
        assert!(page.posts.len() <= usize::try_from(limit).unwrap());
        let marked = |post: Post| match post.repost {
            Some(repost) => format!("{} by {}", post.content, repost.by.username),
            None => post.content,
        };
        contents.extend(page.posts.into_iter().map(marked));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return contents;
        }
    }
}

on_both_engines! {
    async fn pinned_posts_come_first_and_once(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let of_bob = publish(&app, &bob, "of bob").await;
        let mut posts = Vec::new();
        for n in 0..5 {
            posts.push(publish(&app, &ada, &format!("post {n}")).await);
        }
        app.advance(1);
        let reply = ada.reply(&of_bob, "a reply").await;
        app.advance(1);
        ada.client.reactions().repost(&of_bob.id).await.unwrap();
        for post in [&posts[1], &posts[3]] {
            ada.client.reactions().pin(&post.id).await.unwrap();
        }
        let cases: [(&[UserPostInclude], &[&str]); 4] = [
            (&[], &["post 3", "post 1", "post 4", "post 2", "post 0"]),
            (REPLIES, &["post 3", "post 1", "a reply", "post 4", "post 2", "post 0"]),
            (REPOSTS, &["post 3", "post 1", "of bob by ada", "post 4", "post 2", "post 0"]),
            (BOTH, &["post 3", "post 1", "of bob by ada", "a reply", "post 4", "post 2", "post 0"]),
        ];
        for (include, wanted) in cases {
            for limit in 1..=8 {
                assert_eq!(list(&app.anonymous, include, limit).await, wanted, "{include:?} by {limit}");
            }
        }
        ada.client.reactions().pin(&reply.id).await.unwrap();
        assert_eq!(list(&bob.client, &[], 2).await, ["a reply", "post 3", "post 1", "post 4", "post 2", "post 0"]);
        for post in [&posts[1], &posts[3], &reply] {
            ada.client.reactions().unpin(&post.id).await.unwrap();
        }
        assert_eq!(list(&bob.client, &[], 3).await, ["post 4", "post 3", "post 2", "post 1", "post 0"]);
    }

    async fn a_repost_has_an_account_and_a_time(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = publish(&app, &bob, "of bob").await;
        app.advance(60);
        let now = app.server.clock().now();
        ada.client.reactions().repost(&post.id).await.unwrap();
        let shown = bob.client.users().posts("ada").include(REPOSTS.to_vec()).await.unwrap().posts.remove(0);
        let repost = shown.repost.unwrap();
        assert_eq!((repost.by.id, repost.created_at), (ada.user.id.clone(), now));
        assert!(repost.id.as_str().starts_with("rep_"));
        assert_eq!((shown.author.id, shown.created_at, shown.reposts_count), (bob.user.id, post.created_at, 1));
        let path = "/users/ada/posts?include=reposts";
        let raw = answer(app.raw(Method::GET, path)).await.json();
        let by = &raw["posts"][0]["repost"]["by"]["username"];
        assert_eq!((by, raw["posts"][0]["repost"]["createdAt"].as_str()), (&"ada".into(), Some(&*now.to_string())));
        ada.client.reactions().unrepost(&post.id).await.unwrap();
        assert!(list(&bob.client, REPOSTS, 5).await.is_empty());
    }

    async fn unreadable_posts_are_omitted(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let [hidden, deleted] = [publish(&app, &ada, "hidden").await, publish(&app, &ada, "deleted").await];
        publish(&app, &ada, "kept").await;
        for (author, content) in [(&bob, "of bob"), (&cyd, "of cyd")] {
            let post = publish(&app, author, content).await;
            ada.client.reactions().repost(&post.id).await.unwrap();
            if author.user.id == bob.user.id {
                bob.client.posts().delete(&post.id).await.unwrap();
            }
        }
        app.hide(&hidden).await;
        ada.client.reactions().pin(&deleted.id).await.unwrap();
        ada.client.posts().delete(&deleted.id).await.unwrap();
        for limit in 1..=3 {
            assert_eq!(list(&bob.client, BOTH, limit).await, ["of cyd by ada", "kept"], "limit {limit}");
            assert_eq!(list(&ada.client, &[], limit).await, ["kept", "hidden"], "its author sees it");
        }
        app.suspend("cyd").await;
        assert_eq!(list(&bob.client, BOTH, 1).await, ["kept"]);
        app.suspend("ada").await;
        assert_eq!(code_of(app.raw(Method::GET, "/users/ada/posts")).await, Code::NotFound);
    }

    async fn the_include_parameter_is_validated(app: TestApp) {
        let ada = app.agent("ada").await;
        for n in 0..3 {
            publish(&app, &ada, &format!("post {n}")).await;
        }
        for include in ["likes", "replies,likes", "Replies", "replies,", ",", "replies reposts"] {
            let path = format!("/users/ada/posts?include={include}");
            let refusal = answer(app.raw(Method::GET, &path)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("include")), "{include}");
        }
        for include in ["replies", "reposts", "reposts,replies", "replies,replies"] {
            let path = format!("/users/ada/posts?include={include}&limit=2");
            assert_eq!(answer(app.raw(Method::GET, &path)).await.json()["posts"].as_array().unwrap().len(), 2);
        }
        let first = ada.client.users().posts("ada").limit(1).await.unwrap().next_cursor.unwrap();
        let other = ada.client.users().posts("ada").include(REPLIES.to_vec()).after(first);
        assert_eq!(other.page().await.unwrap_err().code(), Some(&Code::InvalidCursor));
    }
}
