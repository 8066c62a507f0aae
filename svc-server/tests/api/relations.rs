//! Follows, blocks and mutes, and the lists of them.

mod suggestions;

use http::Method;
use serde_json::json;
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::posts::{CreateReply, Post};
use svc_client::types::api::reactions::LikePost;
use svc_client::types::api::relations::{BlockUser, Follow, MuteUser, Relationship};
use svc_client::types::api::users::{User, UserViewer};
use svc_client::types::{Code, Span, UserId};
use svc_core::tasks::sweep;
use svc_store::sql;

use crate::app::{Member, all_items, code, fault};
use crate::counts;
use crate::moderation::staff;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

/// Followers and followed of an account.
async fn follows(member: &Member) -> (i64, i64) {
    let user = member.client.users().me().await.unwrap().user;
    (user.followers_count, user.following_count)
}

async fn follow(who: &Member, whom: &Member) {
    who.client.relations().follow(&*whom.user.username).await.unwrap();
}

/// What an account is to another.
async fn relationship(who: &Member, whom: &Member) -> Relationship {
    let found = who.client.relations().to([&whom.user.id]).await.unwrap();
    found.relationships.into_iter().next().unwrap()
}

async fn viewer(who: &Member, whom: &Member) -> UserViewer {
    who.client.users().get(&*whom.user.username).await.unwrap().user.viewer.unwrap()
}

fn names(users: &[User]) -> Vec<&str> {
    users.iter().map(|user| user.username.as_str()).collect()
}

async fn reply_quoting(by: &Member, to: &Post, quoted: &Post) -> Post {
    let reply = by.client.posts().reply(&to.id, "see this");
    reply.with(|reply| reply.quote_of_id = Some(quoted.id.clone())).await.unwrap().post
}

on_both_engines! {
    async fn a_follow_is_a_state_and_counts_once(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        follow(&cyd, &ada).await;
        for name in ["ada", "Ada", ada.user.id.as_str()] {
            let followed = bob.client.relations().follow(name).await.unwrap();
            assert_eq!((followed.following, followed.followers_count), (true, 2));
        }
        assert_eq!((follows(&ada).await, follows(&bob).await), ((2, 0), (0, 1)));
        let followers = all_items(app.anonymous.relations().followers("ada").limit(1)).await;
        assert_eq!(names(&followers), ["bob", "cyd"], "also those of one instant");
        follow(&ada, &bob).await;
        let (to_ada, to_bob) = (viewer(&bob, &ada).await, viewer(&cyd, &bob).await);
        assert!(to_ada.following && to_ada.followed_by && !to_bob.following && !to_bob.followed_by);
        for _ in 0..2 {
            let followed = bob.client.relations().unfollow("ada").await.unwrap();
            assert_eq!((followed.following, followed.followers_count), (false, 1));
        }
        assert_eq!((follows(&ada).await, follows(&bob).await), ((1, 1), (1, 0)));
        counts::are_right(&app).await;
    }

    async fn you_cannot_follow_block_or_mute_yourself_or_unknown_accounts(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        app.suspend("eve").await;
        for relation in ["follow", "block", "mute"] {
            for method in [Method::POST, Method::DELETE] {
                for name in ["ada", "ADA", ada.user.id.as_str()] {
                    let path = format!("/users/{name}/{relation}");
                    assert_eq!(code_of(ada.raw(&app, method.clone(), &path)).await, Code::SelfAction, "{method} {path}");
                }
                for name in ["nobody", "usr_x", "eve", eve.user.id.as_str()] {
                    let path = format!("/users/{name}/{relation}");
                    assert_eq!(code_of(ada.raw(&app, method.clone(), &path)).await, Code::NotFound, "{method} {path}");
                }
            }
        }
        assert_eq!(follows(&ada).await, (0, 0));
    }

    async fn a_block_removes_follows_likes_and_reposts(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let (of_ada, of_bob) = (ada.post("hello").await, bob.post("hi").await);
        let below = ada.reply(&of_ada, "more").await;
        for (who, whom) in [(&ada, &bob), (&bob, &ada), (&cyd, &ada), (&ada, &cyd)] {
            follow(who, whom).await;
        }
        for post in [&of_ada, &below] {
            bob.client.reactions().like(&post.id).await.unwrap();
            bob.client.reactions().repost(&post.id).await.unwrap();
            bob.client.reactions().bookmark(&post.id).await.unwrap();
        }
        let passed_on = ada.reply(&of_ada, "once more").await;
        bob.client.reactions().repost(&passed_on.id).await.unwrap();
        bob.reply(&of_ada, "stays").await;
        cyd.client.reactions().like(&of_ada.id).await.unwrap();
        ada.client.reactions().like(&of_bob.id).await.unwrap();
        ada.client.reactions().repost(&of_bob.id).await.unwrap();
        for _ in 0..2 {
            assert!(ada.client.relations().block("bob").await.unwrap().blocking);
        }
        assert_eq!([follows(&ada).await, follows(&bob).await, follows(&cyd).await], [(1, 1), (0, 0), (1, 1)]);
        let shown = bob.client.posts().get(&of_ada.id).await.unwrap().post;
        assert_eq!((shown.likes_count, shown.reposts_count, shown.replies_count), (1, 0, 3));
        let to_it = shown.viewer.unwrap();
        assert!(!to_it.liked && !to_it.reposted && to_it.bookmarked);
        let passed_on = bob.client.posts().get(&passed_on.id).await.unwrap().post;
        assert_eq!(passed_on.reposts_count, 0, "a repost without a like ends, too");
        let kept = ada.client.posts().get(&of_bob.id).await.unwrap().post;
        assert_eq!((kept.likes_count, kept.reposts_count), (1, 1), "the blocker's own stay");
        let points = app.count(sql!("select points from post where content = 'hello'")).await;
        assert_eq!(points, 6, "cyd's like and bob's reply");
        let (mine, theirs) = (relationship(&ada, &bob).await, relationship(&bob, &ada).await);
        assert!(mine.blocking && !mine.blocked_by && theirs.blocked_by && !theirs.blocking);
        counts::are_right(&app).await;
    }

    async fn a_block_takes_any_number_of_reactions_back(
        app: TestApp, "limits.budgets" = "false"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("top").await;
        for _ in 0..5 {
            (0..42).fold(ada.client.batch(), |call, _| call.reply(&top.id, "more")).await.unwrap();
        }
        let replies = all_items(ada.client.posts().replies(&top.id).limit(100)).await;
        for some in replies.chunks(42) {
            some.iter().fold(bob.client.batch(), |call, post| call.like(&post.id)).await.unwrap();
        }
        let liked = sql!("select count(*) from reaction where liked_at is not null");
        assert_eq!(app.count(liked).await, 210);
        ada.client.relations().block("bob").await.unwrap();
        assert_eq!(app.count(liked).await, 10, "they are left to the sweep");
        counts::are_right(&app).await;
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(liked).await, 0);
        let unfinished = sql!("select count(*) from block where unfinished = true");
        assert_eq!(app.count(unfinished).await, 0);
        counts::are_right(&app).await;
    }

    async fn a_blocked_account_cannot_reply_quote_like_follow_or_write(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let (of_ada, of_bob, of_cyd) = (ada.post("hello").await, bob.post("hi").await, cyd.post("hey").await);
        ada.client.relations().block(bob.user.id.as_str()).await.unwrap();
        for (who, whom, post) in [(&ada, &bob, &of_bob), (&bob, &ada, &of_ada)] {
            let name = whom.user.username.as_str();
            assert_eq!(code::<CreateReply>(who.client.posts().reply(&post.id, "so").await), Code::Blocked);
            let quote = who.client.posts().reply(&of_cyd.id, "so").with(|reply| reply.quote_of_id = Some(post.id.clone()));
            assert_eq!(code::<CreateReply>(quote.await), Code::Blocked);
            assert_eq!(code::<LikePost>(who.client.reactions().like(&post.id).await), Code::Blocked);
            assert_eq!(code::<Follow>(who.client.relations().follow(name).await), Code::Blocked);
            assert_eq!(code::<SendMessage>(who.client.messages().send(name, "psst").await), Code::Blocked);
        }
        counts::are_right(&app).await;
    }

    async fn who_wrote_with_a_suspended_account_blocks_and_mutes_it(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        eve.write(&ada, "psst").await;
        follow(&eve, &ada).await;
        app.suspend("eve").await;
        let relations = ada.client.relations();
        for _ in 0..2 {
            assert!(relations.mute("eve").await.unwrap().muting);
            assert!(!relations.unmute("eve").await.unwrap().muting);
            assert!(!relations.unblock("eve").await.unwrap().blocking);
            assert!(relations.block("eve").await.unwrap().blocking);
        }
        assert_eq!(code::<Follow>(relations.follow("eve").await), Code::NotFound);
        counts::are_right(&app).await;
        app.unsuspend("eve").await;
        let again = eve.client.messages().send("ada", "me again").await;
        assert_eq!(code::<SendMessage>(again), Code::Blocked);
        assert!(!relationship(&eve, &ada).await.following);
        counts::are_right(&app).await;
    }

    async fn an_unblock_does_not_restore_relations(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        follow(&bob, &ada).await;
        bob.client.reactions().like(&post.id).await.unwrap();
        ada.client.relations().block("bob").await.unwrap();
        bob.client.relations().unblock("ada").await.unwrap();
        assert!(relationship(&bob, &ada).await.blocked_by, "only the blocker ends a block");
        for _ in 0..2 {
            assert!(!ada.client.relations().unblock("bob").await.unwrap().blocking);
        }
        assert_eq!((follows(&ada).await, follows(&bob).await), ((0, 0), (0, 0)));
        assert_eq!(ada.client.posts().get(&post.id).await.unwrap().post.likes_count, 0);
        follow(&bob, &ada).await;
        assert_eq!(bob.client.reactions().like(&post.id).await.unwrap().likes_count, 1);
        reply_quoting(&bob, &post, &post).await;
        bob.write(&ada, "psst").await;
        counts::are_right(&app).await;
    }

    async fn a_mute_ends_by_itself(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let muted = ada.client.relations().mute("bob").expires_in(Span::from_secs(60)).await.unwrap();
        let now = app.server.clock().now();
        assert_eq!((muted.muting, muted.expires_at), (true, Some(now.plus(Span::from_secs(60).duration()))));
        app.advance(59);
        assert!(viewer(&ada, &bob).await.muting && !viewer(&bob, &ada).await.muting);
        assert_eq!(names(&ada.client.relations().mutes().await.unwrap().users), ["bob"]);
        app.advance(1);
        assert!(!viewer(&ada, &bob).await.muting && !relationship(&ada, &bob).await.muting);
        assert!(ada.client.relations().mutes().await.unwrap().users.is_empty());
        let again = ada.client.relations().mute("bob").await.unwrap();
        assert_eq!((again.muting, again.expires_at), (true, None));
        app.advance(100 * 86_400);
        assert!(viewer(&ada, &bob).await.muting, "without end");
        ada.client.relations().mute("bob").expires_in(Span::from_secs(120)).await.unwrap();
        app.advance(120);
        assert!(!viewer(&ada, &bob).await.muting, "muting again sets the new end");
        ada.client.relations().mute("bob").await.unwrap();
        for _ in 0..2 {
            let unmuted = ada.client.relations().unmute("bob").await.unwrap();
            assert_eq!((unmuted.muting, unmuted.expires_at), (false, None));
        }
        assert!(!viewer(&ada, &bob).await.muting);
    }

    async fn a_mute_lasts_a_minute_to_ninety_days(app: TestApp) {
        let [ada, _] = app.agents(["ada", "bob"]).await;
        let mute = |span: &str| ada.raw(&app, Method::POST, "/users/bob/mute").json(&json!({ "expiresIn": span }));
        for span in ["1m", "60s", "90d", "2160h"] {
            assert_eq!(answer(mute(span)).await.json()["muting"], true, "{span}");
        }
        for span in ["59s", "91d", "2161h", "1", "m", "1.5h", "-1m", "0m", "1m30s", " 1m", "1w", "1000000s"] {
            let refusal = answer(mute(span)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("expiresIn")), "{span}");
        }
        let call = ada.client.relations().mute("bob").expires_in(Span::from_secs(59));
        assert_eq!(fault::<MuteUser>(call.await), (Code::ValidationFailed, "expiresIn".to_owned()));
        let call = ada.client.relations().mute("nobody").expires_in(Span::from_secs(59));
        assert_eq!(code::<MuteUser>(call.await), Code::ValidationFailed, "400 comes before 404");
        assert_eq!(code::<BlockUser>(ada.client.relations().block("nobody").await), Code::NotFound);
    }

    async fn followers_and_following_are_listed_newest_first(app: TestApp) {
        let [ada, bob, cyd, dan, eve, fay] = app.agents(["ada", "bob", "cyd", "dan", "eve", "fay"]).await;
        for member in [&dan, &bob, &eve, &fay, &cyd] {
            follow(member, &ada).await;
            follow(&ada, member).await;
            app.advance(1);
        }
        app.suspend("eve").await;
        for limit in 1..=7 {
            let followers = all_items(bob.client.relations().followers("Ada").limit(limit)).await;
            assert_eq!(names(&followers), ["cyd", "fay", "bob", "dan"], "limit {limit}");
            assert!(followers[1].viewer.is_some() && followers[2].viewer.is_none(), "an account has no relation to itself");
            let followed = all_items(app.anonymous.relations().following(ada.user.id.as_str()).limit(limit)).await;
            assert_eq!(names(&followed), ["cyd", "fay", "bob", "dan"], "limit {limit}");
            assert!(followed.iter().all(|user| user.viewer.is_none()));
        }
        let together = sql!("update follow set created_at = 0");
        app.execute(move |ctx| ctx.tx.execute(together, &[])).await;
        let followed = all_items(bob.client.relations().following("ada").limit(1)).await;
        assert_eq!(names(&followed), ["bob", "cyd", "dan", "fay"], "also those of one instant");
        for list in ["followers", "following"] {
            assert_eq!(code_of(app.raw(Method::GET, &format!("/users/eve/{list}"))).await, Code::NotFound);
            assert_eq!(code_of(app.raw(Method::GET, &format!("/users/nobody/{list}?cursor=AQ"))).await, Code::InvalidCursor);
            assert_eq!(code_of(app.raw(Method::GET, &format!("/users/ada/{list}?limit=0"))).await, Code::ValidationFailed);
        }
        let first = ada.client.relations().followers("ada").limit(1).await.unwrap().next_cursor.unwrap();
        let other = ada.client.relations().followers("bob").after(first).page().await;
        assert_eq!(other.unwrap_err().code(), Some(&Code::InvalidCursor));
    }

    async fn blocks_and_mutes_are_private(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        for name in ["bob", "cyd", "dan"] {
            ada.client.relations().block(name).await.unwrap();
            ada.client.relations().mute(name).await.unwrap();
        }
        for limit in 1..=4 {
            let blocks = all_items(ada.client.relations().blocks().limit(limit)).await;
            assert_eq!(names(&blocks), ["bob", "cyd", "dan"], "limit {limit}");
            assert!(blocks.iter().all(|user| user.viewer.as_ref().unwrap().blocking));
            let mutes = all_items(ada.client.relations().mutes().limit(limit)).await;
            assert_eq!(names(&mutes), ["bob", "cyd", "dan"], "limit {limit}");
        }
        for member in [&bob, &cyd, &dan] {
            assert!(member.client.relations().blocks().await.unwrap().users.is_empty());
            assert!(member.client.relations().mutes().await.unwrap().users.is_empty());
        }
        app.suspend("cyd").await;
        for limit in 1..=3 {
            let blocks = all_items(ada.client.relations().blocks().limit(limit)).await;
            assert_eq!(names(&blocks), ["bob", "dan"], "limit {limit}: no suspended account is shown");
            let mutes = all_items(ada.client.relations().mutes().limit(limit)).await;
            assert_eq!(names(&mutes), ["bob", "dan"], "limit {limit}");
        }
        dan.client.users().delete_me("dan").await.unwrap();
        let relations = ada.client.relations();
        assert_eq!(names(&relations.blocks().await.unwrap().users), ["bob"], "nor a deleted one");
        assert_eq!(names(&relations.mutes().await.unwrap().users), ["bob"]);
    }

    async fn a_relationship_shows_no_account_that_is_suspended(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        follow(&ada, &bob).await;
        app.suspend("bob").await;
        let ids = [&bob.user.id, &ada.user.id];
        let seen = async |by: &Member| {
            let found = by.client.relations().to(ids).await.unwrap().relationships;
            found.into_iter().map(|one| one.user_id).collect::<Vec<UserId>>()
        };
        assert_eq!(seen(&ada).await, std::slice::from_ref(&ada.user.id));
        for knows in [&bob, &judge] {
            assert_eq!(seen(knows).await, ids.map(UserId::clone));
        }
        app.unsuspend("bob").await;
        assert!(relationship(&ada, &bob).await.following, "it is as it was");
    }

    async fn relationships_are_returned_in_the_requested_order(app: TestApp) {
        let [ada, bob, cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        follow(&ada, &bob).await;
        follow(&cyd, &ada).await;
        follow(&ada, &eve).await;
        ada.client.relations().mute("cyd").await.unwrap();
        dan.client.relations().block("ada").await.unwrap();
        // What others are to each other is no relationship of ada, nor is one who is gone.
        bob.client.relations().mute("dan").await.unwrap();
        eve.client.users().delete_me("eve").await.unwrap();
        let [one, two, three, four] = [&dan, &cyd, &bob, &ada].map(|member| &member.user.id);
        let ids = [one, &eve.user.id, two, &UserId::from("usr_x"), three, four];
        let found = ada.client.relations().to(ids).await.unwrap().relationships;
        let flags: Vec<(&UserId, [bool; 5])> = found
            .iter()
            .map(|one| (&one.user_id, [one.following, one.followed_by, one.blocking, one.blocked_by, one.muting]))
            .collect();
        let wanted = [
            (&dan.user.id, [false, false, false, true, false]),
            (&cyd.user.id, [false, true, false, false, true]),
            (&bob.user.id, [true, false, false, false, false]),
            (&ada.user.id, [false; 5]),
        ];
        assert_eq!(flags, wanted);
        let many: Vec<String> = (0..100).map(|n| format!("usr_{n}")).collect();
        assert!(ada.client.relations().to(many).await.unwrap().relationships.is_empty());
        let many: Vec<String> = (0..101).map(|n| format!("usr_{n}")).collect();
        let path = format!("/users/me/relationships?ids={}", many.join(","));
        assert_eq!(code_of(ada.raw(&app, Method::GET, &path)).await, Code::ValidationFailed);
        assert_eq!(code_of(ada.raw(&app, Method::GET, "/users/me/relationships")).await, Code::ValidationFailed);
    }
}
