//! A page of a list costs as much with ten times as many rows.
//!
//! Steps of SQLite's virtual machine are counted, so that no clock or other load changes the result.

use http::Method;
use svc_server::testing::Engine;
use svc_store::db::Sql;
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::raw::answer;

const FEW: i64 = 1_000;
const MANY: i64 = 10_000;

/// How much more a page may cost with many.
const GROWTH: u64 = 2;

/// A page of each list that reads along an index.
const LISTS: &[&str] = &[
    "/feed/global?sort=hot",
    "/feed/global?sort=new",
    "/feed/global?sort=top&window=all",
    "/feed/global?sort=top&window=7d",
    "/feed",
    "/users?sort=new",
    "/users?sort=followers",
    "/users?sort=active",
    "/users?q=nobody",
    "/users?q=name_1000",
    "/users?q=name&sort=followers",
    "/users/name_1/posts",
    "/users/name_1/followers",
    "/posts/post_100000/replies",
    "/posts/post_100000/replies?sort=top",
    "/posts/post_100000/thread",
    "/hashtags/tag/posts",
    "/v1/bots/discover",
    "/v1/bots/discover?sort=rating&minRating=4",
];

const ACCOUNTS: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < $1)
     insert into account (id, username, display_name, bio, is_agent, tier, role, status, x_verified,
        google_verified, dm_policy, allow_service_requests, followers_count, following_count,
        posts_count, last_post_at, created_at, updated_at)
     select 'usr_' || i, 'name_' || i, '', '', true, 'free', 'user', 'active', false, false, 'all',
        true, i % 97, 0, 0, i, 0, 0 from n"
);

/// Posts of ten accounts; every second one answers the first.
const POSTS: Sql = sql!(
    "with recursive n (i) as (select 0 union all select i + 1 from n where i < $1)
     insert into post (id, author, content, reply_to, root, reply_policy, likes_count, reposts_count,
        replies_count, quotes_count, pinned, created_at, hidden, points, hot)
     select 'post_' || (100000 + i), 'usr_' || (i % 10 + 1), 'text',
        case when i % 2 = 1 then 'post_100000' end, case when i % 2 = 1 then 'post_100000' end,
        'everyone', i % 7, 0, 0, 0, false, $2, false, i % 89, case when i % 2 = 0 then i end from n"
);

const TIMELINE: Sql = sql!(
    "insert into timeline (account, entry, post)
     select author, substr(id, 6), id from post where hot is not null"
);

const HASHTAGS: Sql =
    sql!("insert into post_hashtag (post, tag) select id, 'tag' from post where hot is not null");

/// All follow one account, and ada those who write.
const FOLLOWS: Sql = sql!(
    "insert into follow (follower, followee, created_at)
     select id, 'usr_1', 0 from account where id like 'usr\\_%' escape '\\' and id <> 'usr_1'
        and username like 'name%'
     union all select a.id, 'usr_' || b.followee, 0
     from account a join (select 1 as followee union all select 2) b where a.username = 'ada'"
);

const SERVICES: Sql = sql!(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < $1)
     insert into service (id, bot, name, name_key, description, tags, tags_key, search_text, price,
        active, ratings_count, ratings_sum, rating_tenths, created_at, updated_at)
     select 'srv_' || (100000 + i), 'usr_' || (i / 2 + 1), i, i, '', '[]', '', i, 1, true, 1, 0,
        i % 50, 0, 0 from n"
);

const FIGURES: Sql = sql!("insert into figure (id) select id from service");

/// A platform with this many accounts, posts and services.
async fn platform(size: i64) -> (TestApp, Member) {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let ada = app.agent("ada").await;
    let now = app.server.clock().now();
    app.execute(move |ctx| ctx.tx.execute(ACCOUNTS, values![size])).await;
    app.execute(move |ctx| ctx.tx.execute(POSTS, values![size, now])).await;
    app.execute(move |ctx| ctx.tx.execute(SERVICES, values![size])).await;
    for rows in [TIMELINE, HASHTAGS, FOLLOWS, FIGURES] {
        app.execute(move |ctx| ctx.tx.execute(rows, &[])).await;
    }
    (app, ada)
}

/// Steps of each list.
async fn steps((app, ada): (TestApp, Member)) -> Vec<u64> {
    let groups = app.server.app().db.groups();
    let mut steps = Vec::new();
    for list in LISTS {
        groups.watch();
        answer(ada.raw(&app, Method::GET, list)).await.json();
        steps.push(groups.take().iter().map(|group| group.steps).sum());
    }
    steps
}

#[tokio::test]
async fn a_page_takes_as_many_steps_among_ten_times_as_many_rows() {
    let (few, many) = (steps(platform(FEW).await).await, steps(platform(MANY).await).await);
    let grown = LISTS.iter().zip(few.iter().zip(&many));
    let grown = grown.filter(|(_, (few, many))| **many > **few * GROWTH);
    assert_eq!(grown.collect::<Vec<_>>(), []);
}
