//! Accounts that did more than fits into a transaction: they are suspended, restored and deleted at once, and the
//! counts at others follow in batches.

use http::Method;
use svc_client::types::api::channels::Channel;
use svc_client::types::api::lists::List;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::posts::Post;
use svc_client::types::api::reactions::LikePost;
use svc_client::types::api::reports::Subject;
use svc_client::types::{Code, Rating, UserId};
use svc_core::services::visibility;
use svc_core::tasks;
use svc_server::admin::Command;
use svc_server::testing::{Engine, TestServer, until};
use svc_store::db::Sql;
use svc_store::sql;
use tokio::task::JoinSet;

use crate::app::{self, Member, TestApp, code};
use crate::audit_counts;
use crate::counts;
use crate::market::{offer, work};
use crate::on_both_engines;
use crate::raw::answer;

/// Accounts whose ids are before and after those that the server makes; eve follows each, and each follows her.
const CROWD: Sql = sql!(
    "with recursive n (i) as (select 1001 union all select i + 1 from n where i < 2200)
     insert into account (id, username, display_name, bio, is_agent, tier, role, status, x_verified,
        google_verified, dm_policy, allow_service_requests, followers_count, following_count,
        posts_count, last_post_at, created_at, updated_at)
     select case when i % 2 = 0 then 'usr_-' else 'usr_z' end || i, 'crowd_' || i, '', '', true,
        'free', 'user', 'active', false, false, 'all', true, 1, 1, 1, i, 0, 0 from n"
);

/// A post of each, which eve likes.
const POSTS: Sql = sql!(
    "insert into post (id, author, content, reply_policy, likes_count, reposts_count, replies_count,
        quotes_count, pinned, created_at, hidden, points, hot)
     select 'post_' || substr(id, 6), id, 'text', 'everyone', 1, 0, 0, 0, false, 0, false, 4, 43200000
     from account where username like 'crowd%'"
);

const REST: [Sql; 4] = [
    sql!(
        "insert into timeline (account, entry, post)
         select author, substr(id, 6), id from post where content = 'text'"
    ),
    sql!(
        "insert into reaction (account, author, post, liked_at)
         select e.id, p.author, p.id, 0 from post p join account e on e.username = 'eve'
         where p.content = 'text'"
    ),
    sql!(
        "insert into follow (follower, followee, created_at)
         select e.id, c.id, c.last_post_at from account c join account e on e.username = 'eve'
         where c.username like 'crowd%'
         union all
         select c.id, e.id, c.last_post_at from account c join account e on e.username = 'eve'
         where c.username like 'crowd%'"
    ),
    sql!(
        "update account set followers_count = followers_count + 1200,
            following_count = following_count + 1200
         where username = 'eve'"
    ),
];

/// Of the crowd, those at which eve's follow is counted.
const FOLLOWED: Sql =
    sql!("select count(*) from account where username like 'crowd%' and followers_count = 1");

/// Of the posts of the crowd, those at which eve's like is counted.
const LIKED: Sql = sql!("select count(*) from post where content = 'text' and likes_count = 1");

/// How many ratings services have.
const RATED: Sql = sql!("select cast(sum(ratings_count) as bigint) from service");

const UNFINISHED: Sql = sql!("select count(*) from account where counted_after is not null");

/// Accounts, one of which has 3,600 rows that count elsewhere, and more.
struct Stage {
    ada: Member,
    bob: Member,
    eve: Member,
    judge: Member,
    /// A post of ada, the judge and eve.
    posts: [Post; 3],
    /// What eve answered to ada and to herself.
    replies: [Post; 2],
    channel: Channel,
    list: List,
}

async fn stage(app: &TestApp) -> Stage {
    let [ada, bob, eve, judge] = app.agents(["ada", "bob", "eve", "judge"]).await;
    app.grant_role("judge", "moderator").await;
    let posts = [ada.post("top").await, judge.post("rules").await, eve.post("own").await];
    let replies = [eve.reply(&posts[0], "a reply").await, eve.reply(&posts[2], "more").await];
    for post in &posts {
        eve.client.reactions().like(&post.id).await.unwrap();
    }
    let channel = judge.client.channels().create("open").await.unwrap().channel;
    eve.client.channels().join(&channel.id).await.unwrap();
    let list = judge.client.lists().create("known").await.unwrap().list;
    judge.client.lists().add(&list.id, ["eve"]).await.unwrap();
    for sql in [CROWD, POSTS].into_iter().chain(REST) {
        app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
    }
    counts::are_right(app).await;
    Stage { ada, bob, eve, judge, posts, replies, channel, list }
}

async fn act(by: &Member, subject: Subject, kind: Kind) {
    by.client.moderation().act(subject, kind, "the rules").await.unwrap();
}

/// Counts some batches.
async fn batches(app: &TestApp, count: usize) {
    for _ in 0..count {
        let batch = app.server.app().write(|ctx| {
            let first = visibility::next_unfinished(ctx, &(String::new(), UserId::from("")))?;
            let Some((_, account)) = first else { return Ok(false) };
            visibility::finish_some_of(ctx, &account)
        });
        batch.await.unwrap();
        audit_counts::are_right(app).await;
    }
}

/// Counts all batches, as the server does each second.
async fn finish(app: &TestApp) {
    tasks::counts::once(app.server.app()).await.unwrap();
    assert_eq!(app.count(UNFINISHED).await, 0);
    counts::are_right(app).await;
}

/// What a moderator does to a suspended account and with it.
async fn judge_acts(stage: &Stage) {
    let Stage { judge, posts, replies, channel, list, .. } = stage;
    let (channels, lists) = (judge.client.channels(), judge.client.lists());
    let relations = judge.client.relations();
    for _ in 0..2 {
        relations.follow("eve").await.unwrap();
        relations.unfollow("eve").await.unwrap();
        channels.remove(&channel.id, "eve").await.unwrap();
        channels.add(&channel.id, ["eve"]).await.unwrap();
        lists.remove(&list.id, "eve").await.unwrap();
        lists.add(&list.id, ["eve"]).await.unwrap();
    }
    relations.follow("eve").await.unwrap();
    for reply in replies {
        act(judge, Subject::post(&reply.id), Kind::Hide).await;
        act(judge, Subject::post(&reply.id), Kind::Restore).await;
    }
    act(judge, Subject::post(&replies[0].id), Kind::Hide).await;
    // It ends eve's like of this post.
    relations.block("eve").await.unwrap();
    relations.unblock("eve").await.unwrap();
    judge.client.reactions().like(&posts[2].id).await.unwrap();
}

/// What an account does that is restored, and others do with it.
async fn eve_acts(stage: &Stage, round: usize) {
    let Stage { bob, eve, judge, posts, replies, channel, list, .. } = stage;
    act(judge, Subject::post(&replies[0].id), Kind::Restore).await;
    let reactions = eve.client.reactions();
    for post in posts {
        reactions.unlike(&post.id).await.unwrap();
        reactions.repost(&post.id).await.unwrap();
        reactions.bookmark(&post.id).await.unwrap();
        reactions.like(&post.id).await.unwrap();
        reactions.unrepost(&post.id).await.unwrap();
        reactions.unbookmark(&post.id).await.unwrap();
        let gone = eve.reply(post, "gone").await;
        eve.reply(post, "stays").await;
        eve.client.posts().delete(&gone.id).await.unwrap();
    }
    for (who, whom) in [(eve, "bob"), (bob, "eve")] {
        who.client.relations().follow(whom).await.unwrap();
        who.client.relations().unfollow(whom).await.unwrap();
        who.client.relations().follow(whom).await.unwrap();
    }
    eve.client.channels().leave(&channel.id).await.unwrap();
    eve.client.channels().join(&channel.id).await.unwrap();
    eve.client.channels().create(&*format!("eve-{round}")).await.unwrap();
    judge.client.lists().remove(&list.id, "eve").await.unwrap();
    judge.client.lists().add(&list.id, ["eve"]).await.unwrap();
}

on_both_engines! {
    async fn a_large_account_is_suspended_at_once_and_leaves_the_counts_in_batches(app: TestApp) {
        let Stage { eve, judge, posts, .. } = stage(&app).await;
        act(&judge, Subject::user("eve"), Kind::Suspend).await;
        let refused = eve.client.reactions().like(&posts[0].id).await;
        assert_eq!(code::<LikePost>(refused), Code::AccountSuspended);
        app.anonymous.users().get("eve").await.unwrap_err();
        let followed = app.count(FOLLOWED).await;
        assert!((1..1_200).contains(&followed), "{followed} are left");
        assert_eq!(app.count(LIKED).await, 1_200);
        audit_counts::are_right(&app).await;
        assert!(audit_counts::repaired(&app).await.is_empty());
        finish(&app).await;
        assert_eq!([app.count(FOLLOWED).await, app.count(LIKED).await], [0, 0]);
        act(&judge, Subject::user("eve"), Kind::Unsuspend).await;
        let liked = app.count(LIKED).await;
        assert!((1..1_200).contains(&liked), "{liked} are back");
        audit_counts::are_right(&app).await;
        finish(&app).await;
        assert_eq!([app.count(FOLLOWED).await, app.count(LIKED).await], [1_200; 2]);
    }

    async fn a_suspended_account_that_is_deleted_does_not_leave_the_counts_again(app: TestApp) {
        let Stage { eve, judge, .. } = stage(&app).await;
        for count in 0..4 {
            act(&judge, Subject::user("eve"), Kind::Suspend).await;
            batches(&app, count).await;
            app.server.admin(Command::Delete { username: "eve".to_owned() }).await;
            batches(&app, 1).await;
            app.unsuspend("eve").await;
            batches(&app, count % 2).await;
            eve.client.auth().restore().await.unwrap();
            batches(&app, 1).await;
        }
        finish(&app).await;
        assert_eq!([app.count(FOLLOWED).await, app.count(LIKED).await], [1_200; 2]);
        act(&judge, Subject::user("eve"), Kind::Suspend).await;
        app.server.admin(Command::Delete { username: "eve".to_owned() }).await;
        finish(&app).await;
        assert_eq!([app.count(FOLLOWED).await, app.count(LIKED).await], [0, 0]);
    }

    async fn more_posts_than_fit_into_a_batch_return_to_the_counts_once(app: TestApp) {
        let Stage { judge, posts, .. } = stage(&app).await;
        // Their ids are before those of the posts that count elsewhere.
        let more = sql!(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < 900)
             insert into post (id, author, content, reply_policy, likes_count, reposts_count,
                replies_count, quotes_count, pinned, created_at, hidden, points)
             select 'post_-eve' || i, a.id, 'more', 'everyone', 0, 0, 0, 0, false, 0, true, 2
             from n cross join account a where a.username = 'eve'"
        );
        app.execute(move |ctx| ctx.tx.execute(more, &[])).await;
        for kind in [Kind::Suspend, Kind::Unsuspend] {
            act(&judge, Subject::user("eve"), kind).await;
            finish(&app).await;
        }
        let own = judge.client.posts().get(&posts[2].id).await.unwrap().post;
        assert_eq!((own.likes_count, own.replies_count), (1, 1));
    }

    async fn a_rating_that_is_given_between_the_batches_is_counted_like_the_others(app: TestApp) {
        let Stage { bob, eve, judge, .. } = stage(&app).await;
        let service = offer(&bob, "work", 5).await;
        let five = Rating::from_half_steps(10).unwrap();
        let escrows = eve.client.escrow();
        let id = escrows.create("bob", &service, 10, "a report").await.unwrap().escrow.id;
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        act(&judge, Subject::user("eve"), Kind::Suspend).await;
        assert_eq!(app.count(UNFINISHED).await, 1);
        escrows.release(&id).rating(five).await.unwrap();
        act(&judge, Subject::user("eve"), Kind::Unsuspend).await;
        for (kind, rated) in [(None, 1), (Some(Kind::Suspend), 0), (Some(Kind::Unsuspend), 1)] {
            if let Some(kind) = kind {
                act(&judge, Subject::user("eve"), kind).await;
            }
            finish(&app).await;
            assert_eq!(app.count(RATED).await, rated);
        }
    }

    async fn the_server_finishes_the_counts_by_itself(app: TestApp) {
        let Stage { judge, .. } = stage(&app).await;
        act(&judge, Subject::user("eve"), Kind::Suspend).await;
        assert_eq!(app.count(UNFINISHED).await, 1);
        app.advance(2);
        until("the counts are done", async || app.count(UNFINISHED).await == 0).await;
        counts::are_right(&app).await;
    }

    async fn an_account_whose_counts_fail_stops_no_other(app: TestApp) {
        let Stage { judge, .. } = stage(&app).await;
        act(&judge, Subject::user("eve"), Kind::Suspend).await;
        // This is no place, and it is before all of them.
        let spoil = sql!("update account set counted_after = '!' where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(spoil, &[])).await;
        tasks::counts::once(app.server.app()).await.unwrap();
        assert_eq!([app.count(FOLLOWED).await, app.count(LIKED).await], [0, 0]);
        assert_eq!(app.count(UNFINISHED).await, 1);
        let mend = sql!("update account set counted_after = '0 ' where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(mend, &[])).await;
        finish(&app).await;
    }

    async fn acts_between_the_batches_are_counted_once(
        app: TestApp, "limits.budgets" = "false"
    ) {
        let stage = stage(&app).await;
        for round in 0..4 {
            act(&stage.judge, Subject::user("eve"), Kind::Suspend).await;
            batches(&app, round).await;
            judge_acts(&stage).await;
            if round % 2 == 1 {
                finish(&app).await;
            }
            act(&stage.judge, Subject::user("eve"), Kind::Unsuspend).await;
            batches(&app, 3 - round).await;
            eve_acts(&stage, round).await;
            finish(&app).await;
        }
    }

    async fn what_is_undone_between_the_batches_goes_back_from_where_they_are(
        app: TestApp, "limits.budgets" = "false"
    ) {
        let Stage { ada, eve, judge, posts, .. } = stage(&app).await;
        for count in 0..4 {
            act(&judge, Subject::user("eve"), Kind::Suspend).await;
            batches(&app, count).await;
            act(&judge, Subject::user("eve"), Kind::Unsuspend).await;
            batches(&app, 1).await;
            eve.client.users().delete_me("eve").await.unwrap();
            batches(&app, count).await;
            eve.client.auth().restore().await.unwrap();
        }
        finish(&app).await;
        assert_eq!([app.count(FOLLOWED).await, app.count(LIKED).await], [1_200; 2]);
        eve.client.users().delete_me("eve").await.unwrap();
        finish(&app).await;
        let shown = ada.client.posts().get(&posts[0].id).await.unwrap().post;
        assert_eq!((shown.likes_count, shown.replies_count), (0, 0));
    }

    async fn an_erasure_waits_until_no_count_includes_the_account(app: TestApp) {
        let Stage { eve, .. } = stage(&app).await;
        eve.client.users().delete_me("eve").await.unwrap();
        assert_eq!(app.count(UNFINISHED).await, 1);
        let hurry = sql!("update account set erase_now = true where username = 'eve'");
        app.execute(move |ctx| ctx.tx.execute(hurry, &[])).await;
        app.server.erase().await;
        let erased = sql!("select count(*) from account where erased_at is not null");
        assert_eq!([app.count(erased).await, app.count(UNFINISHED).await], [1, 0]);
        counts::are_right(&app).await;
    }

    async fn batches_and_acts_at_once_leave_exact_counts(
        app: TestApp, "database.connections" = "4", "limits.budgets" = "false"
    ) {
        let Stage { ada, bob, eve, judge, posts, .. } = stage(&app).await;
        for kind in [Kind::Suspend, Kind::Unsuspend, Kind::Suspend, Kind::Unsuspend] {
            act(&judge, Subject::user("eve"), kind).await;
            let mut asking = JoinSet::new();
            for post in &posts {
                for by in [&ada, &bob, &eve] {
                    let path = format!("/posts/{}/like", post.id);
                    for method in [Method::POST, Method::DELETE] {
                        asking.spawn(answer(by.raw(&app, method, &path)));
                    }
                }
            }
            for (by, whom) in [(&judge, "eve"), (&bob, "eve"), (&eve, "bob")] {
                for method in [Method::POST, Method::DELETE] {
                    asking.spawn(answer(by.raw(&app, method, &format!("/users/{whom}/follow"))));
                }
            }
            let (core, done) = (app.server.app(), asking.join_all());
            let (one, other, done) =
                tokio::join!(tasks::counts::once(core), tasks::counts::once(core), done);
            one.and(other).unwrap();
            assert!(done.iter().all(|one| !one.status.is_server_error()));
            finish(&app).await;
        }
    }
}

#[tokio::test]
async fn two_nodes_do_not_count_a_batch_twice() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    let node = TestServer::start_with(&database, &[]).await;
    let Stage { judge, .. } = stage(&app).await;
    for kind in [Kind::Suspend, Kind::Unsuspend] {
        act(&judge, Subject::user("eve"), kind).await;
        let (here, there) = (app.server.app(), node.app());
        let (one, other) = tokio::join!(tasks::counts::once(here), tasks::counts::once(there));
        one.and(other).unwrap();
        finish(&app).await;
    }
}
