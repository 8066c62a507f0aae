//! Threads: what a post answers and what answers it.

use svc_client::Call;
use svc_client::types::api::posts::{GetThread, Post, Thread, ThreadItem};
use svc_client::types::{Code, Cursor, PostId};

use crate::app::{Member, code, fault};
use crate::on_both_engines;

/// A place as its text; a tombstone as a cross.
fn place(item: &ThreadItem) -> &str {
    match item {
        ThreadItem::Post(post) => &post.content,
        ThreadItem::Tombstone(_) => "†",
    }
}

/// The texts before a post and those after it, each in their order.
fn places(thread: &Thread) -> (String, String) {
    let words = |items: &[ThreadItem]| items.iter().map(place).collect::<Vec<_>>().join(" ");
    (words(&thread.ancestors), words(&thread.descendants))
}

async fn read(call: Call<GetThread>) -> (String, String) {
    places(&call.await.unwrap())
}

/// `top` with the replies a (a1 (a11 (a111)), a2) and b (b1).
async fn family(ada: &Member) -> Vec<Post> {
    let mut posts = vec![ada.post("top").await];
    for (parent, text) in
        [(0, "a"), (0, "b"), (2, "b1"), (1, "a1"), (1, "a2"), (4, "a11"), (6, "a111")]
    {
        let reply = ada.reply(&posts[parent], text).await;
        posts.push(reply);
    }
    posts
}

/// A chain of replies, the top-level post first.
async fn chain(ada: &Member, length: usize) -> Vec<Post> {
    let mut posts = vec![ada.post("0").await];
    for n in 1..length {
        let reply = ada.reply(&posts[n - 1], &n.to_string()).await;
        posts.push(reply);
    }
    posts
}

on_both_engines! {
    async fn each_direct_reply_is_followed_by_what_is_below_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = family(&ada).await;
        let thread = app.anonymous.posts().thread(&posts[0].id).await.unwrap();
        assert_eq!(places(&thread), (String::new(), "a a1 a11 a111 a2 b b1".to_owned()));
        assert_eq!((thread.post.content, thread.next_cursor), ("top".to_owned(), None));
        assert_eq!(thread.post.replies_count, 2);
        let below = read(app.anonymous.posts().thread(&posts[4].id)).await;
        assert_eq!(below, ("top a".to_owned(), "a11 a111".to_owned()));
    }

    async fn the_depth_bounds_what_is_below(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = &family(&ada).await[0].id;
        for (depth, below) in [(1, "a b"), (2, "a a1 a2 b b1"), (3, "a a1 a11 a2 b b1")] {
            let call = ada.client.posts().thread(top).depth(depth);
            assert_eq!(read(call).await.1, below);
        }
        for depth in [0, 21] {
            let refused = ada.client.posts().thread(top).depth(depth).await;
            assert_eq!(fault::<GetThread>(refused), (Code::ValidationFailed, "depth".to_owned()));
        }
    }

    async fn six_levels_are_returned_by_default(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = chain(&ada, 9).await;
        assert_eq!(read(ada.client.posts().thread(&posts[0].id)).await.1, "1 2 3 4 5 6");
        let call = ada.client.posts().thread(&posts[0].id).depth(20);
        assert_eq!(read(call).await.1, "1 2 3 4 5 6 7 8");
    }

    async fn the_nearest_ancestors_are_shown_the_farthest_first(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = chain(&ada, 43).await;
        let last = &posts[42].id;
        let (above, _) = read(ada.client.posts().thread(last)).await;
        let forty: Vec<String> = (2..42).map(|n| n.to_string()).collect();
        assert_eq!(above, forty.join(" "), "forty unless asked otherwise");
        assert_eq!(read(ada.client.posts().thread(last).ancestors(0)).await.0, "");
        assert_eq!(read(ada.client.posts().thread(last).ancestors(2)).await.0, "40 41");
        let (all, _) = read(ada.client.posts().thread(last).ancestors(100)).await;
        assert!(all.starts_with("0 1 2 "), "{all}");
        let refused = ada.client.posts().thread(last).ancestors(101).await;
        assert_eq!(fault::<GetThread>(refused), (Code::ValidationFailed, "ancestors".to_owned()));
    }

    async fn a_deleted_post_leaves_a_tombstone_in_its_place(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = family(&ada).await;
        app.advance(60);
        ada.client.posts().delete(&posts[4].id).await.unwrap();
        let thread = app.anonymous.posts().thread(&posts[0].id).await.unwrap();
        assert_eq!(places(&thread).1, "a † a11 a111 a2 b b1");
        let ThreadItem::Tombstone(tombstone) = &thread.descendants[1] else {
            panic!("{:?}", thread.descendants[1]);
        };
        assert_eq!(serde_json::to_value(tombstone).unwrap(), serde_json::json!({
            "id": posts[4].id,
            "replyToId": posts[1].id,
            "rootId": posts[0].id,
            "deletedAt": "2026-01-31T09:31:00.000Z",
        }));
        let below = read(app.anonymous.posts().thread(&posts[6].id)).await;
        assert_eq!(below, ("top a †".to_owned(), "a111".to_owned()));
        let refused = app.anonymous.posts().thread(&posts[4].id).await;
        assert_eq!(code::<GetThread>(refused), Code::NotFound);
    }

    async fn replies_to_a_deleted_direct_reply_are_still_returned(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = family(&ada).await;
        for post in [&posts[1], &posts[2]] {
            ada.client.posts().delete(&post.id).await.unwrap();
        }
        let call = app.anonymous.posts().thread(&posts[0].id);
        assert_eq!(read(call).await.1, "† a1 a11 a111 a2 † b1");
    }

    async fn the_posts_of_a_deleted_account_are_tombstones(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let top = ada.post("top").await;
        let reply = bob.reply(&top, "reply").await;
        ada.reply(&reply, "below").await;
        bob.client.users().delete_me("bob").await.unwrap();
        assert_eq!(read(ada.client.posts().thread(&top.id)).await.1, "† below");
    }

    async fn a_hidden_post_leaves_no_placeholder_for_other_readers(app: TestApp) {
        let [ada, bob, max] = app.agents(["ada", "bob", "max"]).await;
        app.grant_role("max", "moderator").await;
        let top = ada.post("top").await;
        let hidden = bob.reply(&top, "hidden").await;
        let below = ada.reply(&hidden, "below").await;
        app.hide(&hidden).await;
        for (member, shown) in [(&ada, "below"), (&bob, "hidden below"), (&max, "hidden below")] {
            assert_eq!(read(member.client.posts().thread(&top.id)).await.1, shown);
        }
        assert_eq!(read(ada.client.posts().thread(&below.id)).await.0, "top");
        assert_eq!(read(bob.client.posts().thread(&below.id)).await.0, "top hidden");
        let refused = ada.client.posts().thread(&hidden.id).await;
        assert_eq!(code::<GetThread>(refused), Code::NotFound);

        bob.client.posts().delete(&hidden.id).await.unwrap();
        assert_eq!(read(ada.client.posts().thread(&top.id)).await.1, "below");
    }

    async fn posts_of_a_suspended_account_leave_no_placeholder(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let top = ada.post("top").await;
        bob.reply(&top, "bob's").await;
        ada.reply(&top, "ada's").await;
        app.suspend("bob").await;
        assert_eq!(read(ada.client.posts().thread(&top.id)).await.1, "ada's");
        assert_eq!(read(bob.client.posts().thread(&top.id)).await.1, "bob's ada's");
    }

    async fn below_a_reply_the_nearest_hundred_are_shown_the_oldest_first(app: TestApp) {
        let ada = app.agent("ada").await;
        let top = ada.post("top").await;
        let [first, second] = [ada.reply(&top, "a").await, ada.reply(&top, "b").await];
        let mut nearest = Vec::new();
        for n in 0..60 {
            nearest.push(ada.reply(&first, &format!("a{n}")).await);
        }
        let far = ada.reply(&nearest[0], "far").await;
        ada.reply(&far, "farther").await;
        for n in 60..110 {
            ada.reply(&first, &format!("a{n}")).await;
        }
        ada.reply(&second, "b0").await;
        let below: Vec<String> = (0..100).map(|n| format!("a{n}")).collect();
        let expected = format!("a {} b b0", below.join(" "));
        assert_eq!(read(ada.client.posts().thread(&top.id)).await.1, expected);
        for reply in &nearest[1..] {
            ada.client.posts().delete(&reply.id).await.unwrap();
        }
        let thread = ada.client.posts().thread(&first.id).depth(3).await.unwrap();
        assert!(places(&thread).1.starts_with("a0 far farther † †"), "{:?}", places(&thread));
    }

    async fn direct_replies_come_in_pages(app: TestApp) {
        let ada = app.agent("ada").await;
        let posts = family(&ada).await;
        for text in ["c", "d"] {
            ada.reply(&posts[0], text).await;
        }
        let page = |cursor: Option<Cursor>| {
            let call = ada.client.posts().thread(&posts[0].id).limit(3);
            call.with(|thread| thread.cursor = cursor)
        };
        let first = page(None).await.unwrap();
        assert_eq!(places(&first).1, "a a1 a11 a111 a2 b b1 c");
        let second = page(first.next_cursor).await.unwrap();
        assert_eq!((places(&second).1.as_str(), second.next_cursor), ("d", None));
    }

    async fn each_reader_sees_their_own_reactions_to_the_replies(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let top = ada.post("top").await;
        let reply = ada.reply(&top, "a").await;
        for reader in [&bob, &cid] {
            reader.client.reactions().like(&reply.id).await.unwrap();
        }
        for (reader, liked) in [(&ada, false), (&bob, true)] {
            let thread = reader.client.posts().thread(&top.id).await.unwrap();
            assert_eq!(places(&thread).1, "a");
            let ThreadItem::Post(shown) = &thread.descendants[0] else {
                panic!("{:?}", thread.descendants[0]);
            };
            assert_eq!(shown.viewer.as_ref().unwrap().liked, liked);
        }
    }

    async fn the_thread_of_an_unknown_post_is_not_found(app: TestApp) {
        let none = PostId::from("post_00000000000000000000000000");
        assert_eq!(code::<GetThread>(app.anonymous.posts().thread(none).await), Code::NotFound);
    }
}
