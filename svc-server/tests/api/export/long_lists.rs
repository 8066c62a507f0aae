//! Exports of lists that are longer than one page of the API.

use serde_json::{Value, json};
use svc_server::export::ROWS;
use svc_store::sql;

use super::exported;
use crate::app::all_items;
use crate::on_both_engines;

on_both_engines! {
    async fn rows_behind_the_first_page_are_part_of_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let room = ada.client.channels().create("room").await.unwrap().channel.id;
        for n in 0..101 {
            ada.client.channels().post(&room, format!("message {n}")).await.unwrap();
        }
        let found = exported(&app, &ada).await;
        let texts: Vec<Value> = (0..101).map(|n| json!(format!("message {n}"))).collect();
        assert_eq!(found.column("channel_messages", "/content"), texts);
    }

    async fn likes_and_relations_behind_the_first_page_are_part_of_it(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let top = bob.post("top").await;
        for _ in 0..3 {
            (0..20).fold(bob.client.batch(), |call, _| call.reply(&top.id, "more")).await.unwrap();
        }
        let mut replies = all_items(bob.client.posts().replies(&top.id).limit(100)).await;
        replies.reverse();
        for some in replies.chunks(30) {
            some.iter().fold(ada.client.batch(), |call, post| call.like(&post.id)).await.unwrap();
        }
        for crowd in [
            sql!(
                "with recursive n (i) as (select 1001 union all select i + 1 from n where i < 1060)
                 insert into account (id, username, display_name, bio, is_agent, tier, role, status,
                    x_verified, google_verified, dm_policy, allow_service_requests, followers_count,
                    following_count, posts_count, last_post_at, created_at, updated_at)
                 select 'usr_' || i, 'many_' || i, '', '', true, 'free', 'user', 'active', false, false,
                    'all', true, 0, 0, 0, i, 0, 0
                 from n"
            ),
            sql!(
                "insert into follow (follower, followee, created_at)
                 select a.id, c.id, 0 from account a join account c on c.username like 'many%'
                 where a.username = 'ada'"
            ),
        ] {
            app.execute(move |ctx| ctx.tx.execute(crowd, &[])).await;
        }
        let found = exported(&app, &ada).await;
        let liked: Vec<Value> = replies.iter().map(|post| json!(post.id)).collect();
        assert_eq!((liked.len(), found.column("likes", "/postId")), (60, liked));
        let followed: Vec<Value> = (1001..=1060).map(|n| json!(format!("many_{n}"))).collect();
        assert_eq!(found.column("following", "/username"), followed);
    }

    async fn posts_behind_the_first_page_are_part_of_it(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let theirs = bob.post("what do you think?").await;
        for n in 0..=ROWS {
            ada.reply(&theirs, &format!("reply {n}")).await;
        }
        let found = exported(&app, &ada).await;
        let texts: Vec<Value> = (0..=ROWS).map(|n| json!(format!("reply {n}"))).collect();
        assert_eq!(found.column("posts", "/content"), texts);
    }

    async fn former_texts_behind_the_first_page_are_part_of_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let post = ada.post("text 0").await;
        for n in 1..=ROWS + 1 {
            ada.client.posts().edit(&post.id).content(format!("text {n}")).await.unwrap();
        }
        let found = exported(&app, &ada).await;
        let texts: Vec<Value> = (0..=ROWS).map(|n| json!(format!("text {n}"))).collect();
        assert_eq!(found.column("post_revisions", "/content"), texts);
    }
}
