//! Hashtags that one account or invented names flood.

use svc_client::types::api::hashtags::{HashtagPostSort, HashtagSort, HashtagWindow};
use svc_client::types::api::posts::Post;
use svc_server::testing::START;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items};
use crate::on_both_engines;

/// Hundreds of replies with the hashtag `rust`, newer than all other posts.
async fn flood(app: &TestApp, by: &Member, top: &Post, hundreds: i64) {
    let (author, top) = (by.user.id.clone(), top.id.clone());
    app.execute(move |ctx| {
        let sql = sql!(
            "with recursive n (i) as (select 10000 union all select i + 1 from n where i < 10099),
                h (i) as (select 10001 union all select i + 1 from h where i < 10000 + cast($1 as bigint))
             insert into post (id, author, content, reply_to, root, reply_policy, likes_count,
                reposts_count, replies_count, quotes_count, pinned, created_at, hidden, points)
             select 'post_zz' || h.i || n.i, cast($2 as text), '#rust', cast($3 as text),
                cast($3 as text), 'everyone', 0, 0, 0, 0, false, cast($4 as bigint), false, 0
             from n cross join h"
        );
        ctx.tx.execute(sql, values![hundreds, author, top, START])?;
        let sql = sql!(
            "insert into post_hashtag (post, tag, of_reply)
             select id, 'rust', true from post where id > 'post_zz'"
        );
        ctx.tx.execute(sql, &[])
    })
    .await;
}

on_both_engines! {
    async fn replies_take_no_places_among_the_top_posts_of_a_hashtag(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let top = ada.post("useful #rust").await;
        flood(&app, &eve, &top, 201).await;
        for sort in [HashtagPostSort::Hot, HashtagPostSort::Top] {
            let best = app.anonymous.hashtags().posts("rust").sort(sort.clone()).await.unwrap().posts;
            let best: Vec<_> = best.into_iter().map(|post| post.id).collect();
            assert_eq!(best, std::slice::from_ref(&top.id), "{sort}");
        }
    }

    async fn replies_take_no_places_in_the_home_feed(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("useful #rust").await;
        flood(&app, &eve, &top, 20).await;
        bob.client.hashtags().follow("rust").await.unwrap();
        let shown = bob.client.feed().home().limit(2).await.unwrap().posts;
        let shown: Vec<_> = shown.into_iter().map(|post| post.id).collect();
        assert_eq!(shown, std::slice::from_ref(&top.id));
    }

    async fn a_reply_counts_as_one_after_an_edit_too(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let top = ada.post("useful #rust").await;
        let reply = eve.reply(&top, "very").await;
        eve.client.posts().edit(&reply.id).content("very #rust").await.unwrap();
        let of_replies = sql!("select count(*) from post_hashtag where tag = 'rust' and of_reply = true");
        assert_eq!(app.count(of_replies).await, 1);
    }

    async fn replies_of_a_limited_account_do_not_take_a_hashtag_off_the_list(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let top = ada.post("useful #rust").await;
        app.index().await;
        flood(&app, &eve, &top, 1).await;
        app.limit(&eve).await;
        let names = async || {
            let listed = all_items(app.anonymous.hashtags().list().sort(HashtagSort::Name)).await;
            listed.into_iter().map(|hashtag| hashtag.name).collect::<Vec<_>>()
        };
        assert_eq!(names().await, ["rust"]);
        app.hide(&top).await;
        assert_eq!(names().await, [""; 0]);
    }

    async fn invented_names_do_not_hide_a_popular_hashtag_from_its_prefix(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("about #art").await;
        bob.reply(&top, "#art").await;
        app.index().await;
        app.execute(|ctx| {
            let sql = sql!(
                "with recursive n (i) as (select 1000 union all select i + 1 from n where i < 2099)
                 insert into hashtag (name, posts_day, accounts_day, posts_week, accounts_week,
                    hours, days, counted_at)
                 select 'a_' || i, 1, 1, 1, 1, '[]', '[]', 0 from n"
            );
            ctx.tx.execute(sql, &[])
        }).await;
        for window in [HashtagWindow::Day, HashtagWindow::Week] {
            let list = || app.anonymous.hashtags().list().beginning("a").window(window.clone()).limit(100);
            let first = list().await.unwrap().hashtags;
            assert_eq!((&*first[0].name, first[0].accounts_count), ("art", 2), "{window}");
            assert_eq!((&*first[1].name, &*first[99].name), ("a_1000", "a_1098"), "{window}");
            let all = all_items(list()).await;
            assert_eq!(all.iter().filter(|hashtag| hashtag.name == "art").count(), 1, "{window}");
        }
    }

    async fn one_account_does_not_take_a_hashtag_off_the_popular_ones(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("useful #rust").await;
        bob.reply(&top, "very #rust").await;
        app.index().await;
        flood(&app, &eve, &top, 100).await;
        bob.reply(&top, "again #rust").await;
        app.advance(61);
        app.index().await;
        let popular = app.anonymous.hashtags().list().await.unwrap().hashtags;
        assert_eq!((&*popular[0].name, popular[0].accounts_count), ("rust", 2));
        assert_eq!(popular[0].posts_count, 10_000);
    }

    async fn a_hashtag_of_one_account_is_counted_again_when_its_window_moves(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = ada.post("#mine #ours").await;
        bob.reply(&top, "#ours").await;
        app.index().await;
        let often = sql!("select count(*) from hashtag where due_at <= counted_at + 600000");
        assert_eq!(app.count(often).await, 1, "only what several use");
        let mine = async || {
            app.index().await;
            app.anonymous.hashtags().get("mine").await.unwrap().hashtag.posts_count
        };
        app.advance(23 * 3600);
        assert_eq!(mine().await, 1);
        app.advance(3600);
        assert_eq!(mine().await, 0, "a day later");
    }
}
