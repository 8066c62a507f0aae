//! Replies: who may, what they count, and their lists.

use std::collections::HashSet;

use http::Method;
use serde_json::json;
use svc_client::types::api::posts::{
    CreatePost, CreateReply, ListReplies, Post, ReplyPolicy, ReplySort,
};
use svc_client::types::{Code, PostId};
use svc_store::{sql, values};
use tokio::task::JoinSet;

use crate::app::{Member, all_items, code, fault};
use crate::held::{Held, behind};
use crate::on_both_engines;
use crate::raw::answer;

/// A well-formed id that does not exist.
const NO_POST: &str = "post_00000000000000000000000000";

/// The texts of the replies to a post, in their order, three a page.
async fn replies(member: &Member, to: &Post, sort: ReplySort) -> Vec<String> {
    let list = member.client.posts().replies(&to.id).sort(sort).limit(3);
    all_items(list).await.into_iter().map(|reply| reply.content).collect()
}

/// A top-level post whose replies are limited.
async fn limited(member: &Member, content: &str, policy: ReplyPolicy) -> Post {
    let call = member.client.posts().create(content).reply_policy(policy);
    call.await.unwrap().post
}

async fn refusal(member: &Member, to: &Post) -> Code {
    code::<CreateReply>(member.client.posts().reply(&to.id, "no").await)
}

on_both_engines! {
    async fn a_reply_names_its_parent_and_root(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let top = ada.post("top").await;
        let reply = bob.reply(&top, "reply").await;
        let nested = ada.reply(&reply, "nested").await;
        let places = |post: Post| (post.reply_to_id.unwrap(), post.root_id.unwrap());
        assert_eq!(places(reply.clone()), (top.id.clone(), top.id.clone()));
        assert_eq!(places(nested), (reply.id.clone(), top.id.clone()));
        for post in [&top, &reply] {
            assert_eq!(ada.client.posts().get(&post.id).await.unwrap().post.replies_count, 1);
        }
        let me = ada.client.users().me().await.unwrap().user;
        assert_eq!(me.posts_count, 2, "replies count as posts");
    }

    async fn both_reply_endpoints_are_equivalent(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        let members = json!({
            "content": "reply", "contentWarning": "w", "language": "en", "replyPolicy": "none",
            "schema": "s", "payload": { "a": 1 }, "quoteOfId": top.id,
        });
        let mut named = members.clone();
        named["replyToId"] = json!(top.id);
        let path = format!("/posts/{}/replies", top.id);
        let below = answer(ada.raw(&app, Method::POST, &path).json(&members)).await.json();
        let beside = answer(ada.raw(&app, Method::POST, "/posts").json(&named)).await.json();
        let mut expected = below["post"].clone();
        expected["id"] = beside["post"]["id"].clone();
        assert_eq!(beside["post"], expected);
        assert_eq!(beside["post"]["replyToId"], json!(top.id));
    }

    async fn replies_use_no_slot(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        for n in 0..5 {
            ada.reply(&top, &format!("reply {n}")).await;
        }
        let call = ada.client.posts().create("reply");
        let call = call.with(|post| post.reply_to_id = Some(top.id.clone()));
        let replied = call.raw().await.unwrap();
        assert_eq!(replied.rate_limit, None, "spec §8: replies are unlimited");
    }

    async fn a_reply_to_an_unknown_post_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let (gone, hidden) = (ada.post("gone").await, app.agent("bob").await.post("hidden").await);
        ada.client.posts().delete(&gone.id).await.unwrap();
        app.hide(&hidden).await;
        for id in [gone.id, hidden.id, PostId::from(NO_POST), PostId::from("nonsense")] {
            let refused = ada.client.posts().reply(&id, "no").await;
            assert_eq!(fault::<CreateReply>(refused), (Code::NotFound, "postId".to_owned()));
            let call = ada.client.posts().create("no").with(|post| post.reply_to_id = Some(id));
            assert_eq!(fault::<CreatePost>(call.await), (Code::NotFound, "replyToId".to_owned()));
        }
    }

    async fn a_reply_policy_restricts_who_may_reply(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        app.set_tier("ada", "pro").await;
        app.follow(&ada, &bob).await;
        app.follow(&eve, &ada).await;

        let everyone = limited(&ada, "everyone", ReplyPolicy::Everyone).await;
        bob.reply(&everyone, "yes").await;
        app.advance(600);
        let following = limited(&ada, "those I follow", ReplyPolicy::Following).await;
        bob.reply(&following, "yes").await;
        let refused = refusal(&eve, &following).await;
        assert_eq!(refused, Code::ReplyNotAllowed, "to follow is not enough");
        app.advance(600);
        let mentioned = limited(&ada, "@EVE", ReplyPolicy::Mentioned).await;
        eve.reply(&mentioned, "yes").await;
        assert_eq!(refusal(&bob, &mentioned).await, Code::ReplyNotAllowed);
        app.advance(600);
        let none = limited(&ada, "@eve @bob", ReplyPolicy::None).await;
        assert_eq!(refusal(&eve, &none).await, Code::ReplyNotAllowed);
        assert_eq!(refusal(&bob, &none).await, Code::ReplyNotAllowed);

        for post in [&following, &mentioned, &none] {
            ada.reply(post, "its author may always").await;
        }
    }

    async fn a_reply_policy_can_be_changed_later(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let post = limited(&ada, "text", ReplyPolicy::Everyone).await;
        let set = async |policy| {
            let call = ada.client.posts().edit(&post.id);
            call.with(|edit| edit.reply_policy = Some(policy)).await.unwrap();
        };
        set(ReplyPolicy::Mentioned).await;
        assert_eq!(refusal(&bob, &post).await, Code::ReplyNotAllowed);
        ada.client.posts().edit(&post.id).content("text for @bob").await.unwrap();
        bob.reply(&post, "yes").await;
    }

    async fn accounts_that_block_each_other_cannot_reply_to_each_other(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let (by_ada, by_bob) = (ada.post("ada's").await, bob.post("bob's").await);
        app.block(&ada, &bob).await;
        assert_eq!(refusal(&bob, &by_ada).await, Code::Blocked);
        assert_eq!(refusal(&ada, &by_bob).await, Code::Blocked);
    }

    async fn a_reply_cannot_quote_an_account_that_blocks_its_author(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let (by_ada, by_bob) = (ada.post("ada's").await, bob.post("bob's").await);
        app.block(&bob, &cyd).await;
        let call = cyd.client.posts().reply(&by_ada.id, "see").quote(&by_bob.id);
        assert_eq!(code::<CreateReply>(call.await), Code::Blocked);
        let seen = ada.client.posts().get(&by_ada.id).await.unwrap().post;
        assert_eq!(seen.replies_count, 0, "what is refused is not counted");
    }

    async fn a_reply_of_an_account_that_is_suspended_meanwhile_is_refused(
        app: TestApp, "database.connections" = "6"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("top").await;
        let suspend = sql!("update account set status = 'suspended' where id = $1");
        let id = bob.user.id.clone();
        let held = Held::by(&app, move |ctx| ctx.tx.execute(suspend, values![id])).await;
        let reply = bob.client.posts().reply(&top.id, "too late").into_future();
        let refused = behind(&app, held, 1, reply).await;
        assert_eq!(code::<CreateReply>(refused), Code::AccountSuspended);
        let seen = ada.client.posts().get(&top.id).await.unwrap().post;
        assert_eq!(seen.replies_count, 0);
    }

    async fn only_the_first_reply_of_an_account_moves_a_post_up(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("top").await;
        let hot = sql!("select hot from post where hot is not null");
        let at_first = app.count(hot).await;
        let first = bob.reply(&top, "first").await;
        let moved = app.count(hot).await;
        assert!(moved > at_first, "{moved} is not later than {at_first}");
        bob.reply(&top, "second").await;
        ada.reply(&top, "the author's own").await;
        ada.reply(&first, "nested").await;
        assert_eq!(app.count(hot).await, moved);
        for (post, count) in [(&top, 3), (&first, 1)] {
            let seen = ada.client.posts().get(&post.id).await.unwrap().post;
            assert_eq!(seen.replies_count, count);
        }
    }

    async fn replies_are_sorted_by_newest_oldest_or_most_liked(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        let liked = [("a", 1), ("b", 3), ("c", 3), ("d", 0), ("e", 3), ("f", 9), ("g", 0)];
        for (text, likes) in liked {
            let id = ada.reply(&top, text).await.id;
            let sql = sql!("update post set likes_count = $1 where id = $2");
            app.execute(move |ctx| ctx.tx.execute(sql, values![likes, id])).await;
        }
        let list = async |sort| replies(&ada, &top, sort).await.concat();
        assert_eq!(list(ReplySort::New).await, "gfedcba");
        assert_eq!(list(ReplySort::Old).await, "abcdefg");
        assert_eq!(list(ReplySort::Top).await, "fbceadg", "equally liked ones: the oldest first");
        let unasked = all_items(app.anonymous.posts().replies(&top.id)).await;
        assert_eq!(unasked[0].content, "g", "the newest come first unless asked otherwise");
    }

    async fn a_cursor_belongs_to_its_order_and_its_post(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        for text in ["one", "two"] {
            ada.reply(&top, text).await;
        }
        let list = |sort| ada.client.posts().replies(&top.id).limit(1).sort(sort);
        let cursor = list(ReplySort::New).page().await.unwrap().next_cursor.unwrap();
        let refused = list(ReplySort::Old).after(cursor.clone()).await;
        assert_eq!(fault::<ListReplies>(refused), (Code::InvalidCursor, "cursor".to_owned()));
        let elsewhere = app.agent("bob").await.post("another").await;
        let call = ada.client.posts().replies(&elsewhere.id).sort(ReplySort::New);
        let refused = call.after(cursor.clone()).await;
        assert_eq!(code::<ListReplies>(refused), Code::InvalidCursor);
        let second = list(ReplySort::New).limit(5).after(cursor).page().await.unwrap();
        assert_eq!(second.items[0].content, "one", "the limit may change on the way");
    }

    async fn paging_neither_skips_nor_repeats_while_replies_arrive(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        for n in 0..12 {
            ada.reply(&top, &format!("before {n}")).await;
        }
        for sort in [ReplySort::New, ReplySort::Old, ReplySort::Top] {
            let before = ada.client.posts().get(&top.id).await.unwrap().post.replies_count;
            let list = ada.client.posts().replies(&top.id).limit(5).sort(sort.clone());
            let mut seen = Vec::new();
            let mut page = list.clone().page().await.unwrap();
            for n in 0.. {
                seen.extend(page.items.into_iter().map(|reply| reply.content));
                let Some(cursor) = page.next_cursor.filter(|_| n < 50) else { break };
                let arriving = if n < 4 { 3 } else { 0 };
                let mut tasks: JoinSet<_> = (0..arriving)
                    .map(|m| {
                        let call = ada.client.posts().reply(&top.id, format!("{sort} {n} {m}"));
                        async move { call.await.unwrap() }
                    })
                    .collect();
                let arrived = async { while tasks.join_next().await.is_some() {} };
                let (next, ()) = tokio::join!(list.clone().after(cursor).page(), arrived);
                page = next.unwrap();
            }
            let distinct: HashSet<&String> = seen.iter().collect();
            assert_eq!(distinct.len(), seen.len(), "{sort} repeated one: {seen:?}");
            let earlier = seen.iter().filter(|text| !text.starts_with(sort.as_str())).count();
            assert_eq!(i64::try_from(earlier).unwrap(), before, "{sort} skipped one: {seen:?}");
        }
    }

    async fn hidden_replies_are_listed_for_their_author_and_for_moderators(app: TestApp) {
        let [ada, bob, max] = app.agents(["ada", "bob", "max"]).await;
        app.grant_role("max", "moderator").await;
        let top = ada.post("top").await;
        app.hide(&bob.reply(&top, "hidden").await).await;
        bob.reply(&top, "plain").await;
        for sort in [ReplySort::New, ReplySort::Old, ReplySort::Top] {
            assert_eq!(replies(&ada, &top, sort.clone()).await, ["plain"]);
            assert_eq!(replies(&bob, &top, sort.clone()).await.len(), 2);
            assert_eq!(replies(&max, &top, sort).await.len(), 2);
        }
    }

    async fn counters_match_the_rows_after_concurrent_replies_and_deletes(
        app: TestApp, "database.connections" = "4"
    ) {
        let top = app.agent("ada").await.post("top").await;
        let quoted = app.agent("bob").await.post("quoted").await;
        let mut members = Vec::new();
        for name in ["cat", "dan", "eve", "fay"] {
            members.push(app.agent(name).await);
        }
        let storm: JoinSet<()> = (0..48)
            .map(|n| {
                let member = members[n % members.len()].clone();
                let (top, quoted) = (top.clone(), quoted.clone());
                async move {
                    let call = member.client.posts().reply(&top.id, format!("reply {n}"));
                    let call = call.with(|reply| reply.quote_of_id = Some(quoted.id));
                    let reply = call.await.unwrap().post;
                    member.reply(&reply, "below").await;
                    if n % 3 == 0 {
                        // Twice at once: one of them finds it gone.
                        let delete = || member.client.posts().delete(&reply.id);
                        let (one, other) = tokio::join!(delete(), delete());
                        assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1);
                    }
                }
            })
            .collect();
        storm.join_all().await;
        let post = async |id: &PostId| app.anonymous.posts().get(id).await.unwrap().post;
        assert_eq!(post(&top.id).await.replies_count, 32);
        assert_eq!(post(&quoted.id).await.quotes_count, 32);
        let wrong_posts = app.count(sql!(
            "select count(*) from post p where
                p.replies_count <> (select count(*) from post r
                    where r.reply_to = p.id and r.deleted_at is null)
                or p.quotes_count <> (select count(*) from post q
                    where q.quote_of = p.id and q.deleted_at is null)"
        ));
        assert_eq!(wrong_posts.await, 0);
        let wrong_accounts = app.count(sql!(
            "select count(*) from account a where a.posts_count <> (select count(*) from post p
                where p.author = a.id and p.deleted_at is null)"
        ));
        assert_eq!(wrong_accounts.await, 0);
    }
}
