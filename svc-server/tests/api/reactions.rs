//! Likes, reposts, bookmarks, pins and muted threads: states that may be set twice.

use http::{HeaderName, Method};
use serde_json::json;
use svc_client::types::api::posts::Post;
use svc_client::types::api::reactions::{LikePost, PinPost, RepostPost, UnpinPost};
use svc_client::types::{Code, Cursor};
use svc_store::sql;

use crate::app::{Member, TestApp, all_items, code};
use crate::counts;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const TOGGLES: [&str; 5] = ["like", "repost", "bookmark", "pin", "mute"];

/// The post as an account sees it.
async fn seen(by: &Member, post: &Post) -> Post {
    by.client.posts().get(&post.id).await.unwrap().post
}

/// The points of the only top-level post.
async fn points(app: &TestApp) -> i64 {
    app.count(sql!("select points from post where reply_to is null")).await
}

/// Several posts of an account.
async fn posts(app: &TestApp, by: &Member, count: usize) -> Vec<Post> {
    let mut posts = Vec::new();
    for n in 0..count {
        posts.push(by.post(&format!("post {n}")).await);
        app.advance(1800);
    }
    posts
}

fn names(users: &[svc_client::types::api::users::User]) -> Vec<&str> {
    users.iter().map(|user| user.username.as_str()).collect()
}

on_both_engines! {
    async fn a_like_is_a_state_and_counts_once(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let post = ada.post("hello").await;
        for _ in 0..2 {
            let liked = bob.client.reactions().like(&post.id).await.unwrap();
            assert_eq!((liked.liked, liked.likes_count), (true, 1));
        }
        assert_eq!(cyd.client.reactions().like(&post.id).await.unwrap().likes_count, 2);
        assert!(seen(&bob, &post).await.viewer.unwrap().liked);
        assert_eq!((seen(&ada, &post).await.likes_count, points(&app).await), (2, 6));
        for _ in 0..2 {
            let liked = bob.client.reactions().unlike(&post.id).await.unwrap();
            assert_eq!((liked.liked, liked.likes_count), (false, 1));
        }
        assert!(!seen(&bob, &post).await.viewer.unwrap().liked);
        assert_eq!(points(&app).await, 4);
        counts::are_right(&app).await;
    }

    async fn a_repost_is_a_state_and_counts_once(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let post = ada.post("hello").await;
        for _ in 0..2 {
            let reposted = bob.client.reactions().repost(&post.id).await.unwrap();
            assert_eq!((reposted.reposted, reposted.reposts_count), (true, 1));
        }
        assert_eq!(cyd.client.reactions().repost(&post.id).await.unwrap().reposts_count, 2);
        assert!(seen(&bob, &post).await.viewer.unwrap().reposted);
        assert_eq!(points(&app).await, 10);
        for _ in 0..2 {
            let reposted = bob.client.reactions().unrepost(&post.id).await.unwrap();
            assert_eq!((reposted.reposted, reposted.reposts_count), (false, 1));
        }
        assert_eq!((seen(&bob, &post).await.reposts_count, points(&app).await), (1, 6));
        counts::are_right(&app).await;
    }

    async fn reactions_of_the_author_count_without_points(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        assert_eq!(ada.client.reactions().like(&post.id).await.unwrap().likes_count, 1);
        assert_eq!(ada.client.reactions().repost(&post.id).await.unwrap().reposts_count, 1);
        ada.reply(&post, "and").await;
        let quote = ada.client.posts().reply(&post.id, "more").with(|reply| reply.quote_of_id = Some(post.id.clone()));
        quote.await.unwrap();
        let shown = seen(&ada, &post).await;
        assert_eq!((shown.likes_count, shown.reposts_count, shown.replies_count, shown.quotes_count), (1, 1, 2, 1));
        assert_eq!(points(&app).await, 2);
        counts::are_right(&app).await;
    }

    async fn each_kind_counts_its_points_once_per_account(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        let mut said = Vec::new();
        for (n, wanted) in [(0, 4), (1, 4)] {
            said.push(bob.reply(&post, &format!("reply {n}")).await);
            assert_eq!(points(&app).await, wanted);
        }
        let side = said[0].clone();
        for wanted in [7, 7] {
            let quote = bob.client.posts().reply(&side.id, "see").with(|reply| reply.quote_of_id = Some(post.id.clone()));
            said.push(quote.await.unwrap().post);
            assert_eq!(points(&app).await, wanted);
        }
        for (gone, wanted) in said.iter().rev().zip([7, 4, 4, 2]) {
            bob.client.posts().delete(&gone.id).await.unwrap();
            assert_eq!(points(&app).await, wanted);
        }
        counts::are_right(&app).await;
    }

    async fn bookmarks_are_listed_latest_first_and_private(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let posts = posts(&app, &ada, 5).await;
        for n in [2, 0, 4, 1] {
            for _ in 0..2 {
                assert!(bob.client.reactions().bookmark(&posts[n].id).await.unwrap().bookmarked);
                app.advance(1);
            }
        }
        assert!(!bob.client.reactions().unbookmark(&posts[3].id).await.unwrap().bookmarked, "it was none");
        let wanted = [&posts[1].id, &posts[4].id, &posts[0].id, &posts[2].id];
        for limit in 1..=7 {
            let listed = all_items(bob.client.reactions().bookmarks().limit(limit)).await;
            assert_eq!(listed.iter().map(|post| &post.id).collect::<Vec<_>>(), wanted, "limit {limit}");
            assert!(listed.iter().all(|post| post.viewer.as_ref().unwrap().bookmarked));
        }
        let together = sql!("update reaction set bookmarked_at = 0 where bookmarked_at is not null");
        app.execute(move |ctx| ctx.tx.execute(together, &[])).await;
        let listed = all_items(bob.client.reactions().bookmarks().limit(1)).await;
        let wanted = [&posts[0].id, &posts[1].id, &posts[2].id, &posts[4].id];
        assert_eq!(listed.iter().map(|post| &post.id).collect::<Vec<_>>(), wanted, "also those of one instant");
        assert!(ada.client.reactions().bookmarks().await.unwrap().posts.is_empty());
        assert!(!seen(&ada, &posts[1]).await.viewer.unwrap().bookmarked);
        ada.client.posts().delete(&posts[4].id).await.unwrap();
        app.hide(&posts[0]).await;
        for _ in 0..2 {
            assert!(!bob.client.reactions().unbookmark(&posts[1].id).await.unwrap().bookmarked);
        }
        let listed = all_items(bob.client.reactions().bookmarks().limit(1)).await;
        assert_eq!(listed.iter().map(|post| &post.id).collect::<Vec<_>>(), [&posts[2].id]);
    }

    async fn at_most_five_posts_are_pinned(app: TestApp, "database.connections" = "4") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let posts = posts(&app, &ada, 7).await;
        for post in &posts[..5] {
            for _ in 0..2 {
                assert!(ada.client.reactions().pin(&post.id).await.unwrap().pinned);
            }
        }
        assert_eq!(code::<PinPost>(ada.client.reactions().pin(&posts[5].id).await), Code::LimitReached);
        assert_eq!(code::<PinPost>(bob.client.reactions().pin(&posts[5].id).await), Code::Forbidden);
        assert_eq!(code::<UnpinPost>(bob.client.reactions().unpin(&posts[0].id).await), Code::Forbidden);
        let of_bob = bob.post("of bob").await;
        assert!(bob.client.reactions().pin(&of_bob.id).await.unwrap().pinned, "each account pins five");
        for _ in 0..2 {
            assert!(!ada.client.reactions().unpin(&posts[0].id).await.unwrap().pinned);
        }
        assert!(!seen(&bob, &posts[0]).await.pinned && seen(&bob, &posts[1]).await.pinned);
        let (one, other) = tokio::join!(
            ada.client.reactions().pin(&posts[5].id),
            ada.client.reactions().pin(&posts[6].id)
        );
        let (won, lost) = if one.is_ok() { (one, other) } else { (other, one) };
        assert!(won.unwrap().pinned);
        assert_eq!(code::<PinPost>(lost), Code::LimitReached);
        ada.client.posts().delete(&posts[1].id).await.unwrap();
        ada.client.reactions().pin(&posts[0].id).await.unwrap();
    }

    async fn a_thread_is_muted_by_any_of_its_posts(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        let reply = bob.reply(&post, "hi").await;
        let below = ada.reply(&reply, "how are you").await;
        assert!(!reply.viewer.as_ref().unwrap().muted, "bob muted nothing yet");
        for _ in 0..2 {
            assert!(bob.client.reactions().mute_thread(&below.id).await.unwrap().muted);
        }
        let more = bob.reply(&below, "and you").await;
        for post in [&post, &reply, &below, &more] {
            assert!(seen(&bob, post).await.viewer.unwrap().muted);
            assert!(!seen(&ada, post).await.viewer.unwrap().muted);
        }
        assert!(more.viewer.unwrap().muted, "the answer to a reply says it too");
        for _ in 0..2 {
            assert!(!bob.client.reactions().unmute_thread(&reply.id).await.unwrap().muted);
        }
        assert!(!seen(&bob, &post).await.viewer.unwrap().muted);
    }

    async fn deleted_posts_accept_no_reactions(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let posts = posts(&app, &ada, 2).await;
        ada.client.posts().delete(&posts[0].id).await.unwrap();
        app.hide(&posts[1]).await;
        let of_cyd = cyd.post("hello").await;
        app.suspend("cyd").await;
        let gone = [posts[0].id.as_str(), posts[1].id.as_str(), of_cyd.id.as_str(), "post_x", "nonsense"];
        for id in gone {
            for toggle in TOGGLES {
                for method in [Method::POST, Method::DELETE] {
                    let path = format!("/posts/{id}/{toggle}");
                    let refused = code_of(bob.raw(&app, method.clone(), &path)).await;
                    assert_eq!(refused, Code::NotFound, "{method} {path}");
                }
            }
            for list in ["likes", "reposts"] {
                let path = format!("/posts/{id}/{list}");
                assert_eq!(code_of(app.raw(Method::GET, &path)).await, Code::NotFound);
                let damaged = format!("{path}?cursor=AQ");
                assert_eq!(code_of(app.raw(Method::GET, &damaged)).await, Code::InvalidCursor, "400 comes before 404");
            }
        }
    }

    async fn a_block_in_either_direction_forbids_likes_and_reposts(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (of_ada, of_bob) = (ada.post("hello").await, bob.post("hi").await);
        ada.client.relations().block("bob").await.unwrap();
        for (who, post) in [(&ada, &of_bob), (&bob, &of_ada)] {
            assert_eq!(code::<LikePost>(who.client.reactions().like(&post.id).await), Code::Blocked);
            assert_eq!(code::<RepostPost>(who.client.reactions().repost(&post.id).await), Code::Blocked);
            assert!(who.client.reactions().bookmark(&post.id).await.unwrap().bookmarked);
            assert!(!who.client.reactions().unlike(&post.id).await.unwrap().liked);
            assert!(!who.client.reactions().unrepost(&post.id).await.unwrap().reposted);
        }
        counts::are_right(&app).await;
    }

    async fn likes_and_reposts_are_listed_newest_first(app: TestApp) {
        let [ada, bob, cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        let post = ada.post("hello").await;
        for member in [&dan, &bob, &ada, &eve, &cyd] {
            member.client.reactions().like(&post.id).await.unwrap();
            member.client.reactions().repost(&post.id).await.unwrap();
            app.advance(1);
        }
        bob.client.reactions().like(&post.id).await.unwrap();
        app.suspend("eve").await;
        for limit in 1..=7 {
            let likes = all_items(ada.client.reactions().likes(&post.id).limit(limit)).await;
            assert_eq!(names(&likes), ["cyd", "ada", "bob", "dan"], "limit {limit}");
            let reposts = all_items(app.anonymous.reactions().reposts(&post.id).limit(limit)).await;
            assert_eq!(names(&reposts), ["cyd", "ada", "bob", "dan"], "limit {limit}");
            assert!(reposts.iter().all(|user| user.viewer.is_none()));
            assert!(likes.iter().all(|user| user.viewer.is_some() == (user.id != ada.user.id)));
        }
        let foreign = bob.client.reactions().likes(&post.id).limit(1).await.unwrap().next_cursor.unwrap();
        let refused = ada.client.reactions().reposts(&post.id).after(Cursor::from(foreign.as_str())).page().await;
        assert_eq!(refused.unwrap_err().code(), Some(&Code::InvalidCursor));
    }

    async fn likes_of_one_instant_are_all_listed(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        for n in 0..9 {
            let member = app.agent(&format!("liker_{n}")).await;
            member.client.reactions().like(&post.id).await.unwrap();
        }
        for limit in [1, 2, 4, 9] {
            let likes = all_items(ada.client.reactions().likes(&post.id).limit(limit)).await;
            let mut names = names(&likes);
            names.sort_unstable();
            names.dedup();
            assert_eq!((names.len(), likes.len()), (9, 9), "limit {limit}");
        }
    }

    async fn a_replayed_toggle_has_no_second_effect(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        let key = HeaderName::from_static("idempotency-key");
        let path = format!("/posts/{}/like", post.id);
        let like = || bob.raw(&app, Method::POST, &path).header(&key, "one");
        let first = answer(like()).await;
        assert_eq!(first.json(), json!({ "liked": true, "likesCount": 1 }));
        bob.client.reactions().unlike(&post.id).await.unwrap();
        let again = answer(like()).await;
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(again.json(), first.json());
        assert_eq!(seen(&ada, &post).await.likes_count, 0, "the replay did nothing");
        let other = format!("/posts/{}/repost", post.id);
        let other = bob.raw(&app, Method::POST, &other).header(&key, "one");
        assert_eq!(code_of(other).await, Code::IdempotencyConflict);
    }
}
