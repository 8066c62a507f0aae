//! A platform with many posts: 10,000 accounts, a few of which most accounts follow, and five likes
//! per post. Generated once per number of posts and cached below `target`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use svc_client::Client;
use svc_core::services::post::rank;
use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db, Settings, Tx, sql, values};
use svc_types::api::users::Tier;
use svc_types::{PostId, Timestamp, UserId};

use crate::process::Process;

/// Accounts that post, like and follow.
const ACCOUNTS: usize = 10_000;

/// Accounts that each of them follows.
const FOLLOWS: usize = 50;

/// Accounts that only follow: the followers of the most followed account.
const FOLLOWERS: usize = 100_000;

/// Members that send requests, one per connection.
pub(crate) const MEMBERS: usize = 64;

/// Accounts that a member with many followees follows.
const MANY: usize = 1_000;

/// Rows written in one transaction.
const BATCH: usize = 20_000;

/// Part of the folder's name; changes with the form of the data.
const FORM: u32 = 1;

/// What the members need to send requests.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) id: String,
}

/// The members, grouped by their follows.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Members {
    /// Each follows a thousand accounts.
    pub(crate) many: Vec<Member>,
    /// Each follows one account that posted once, long ago.
    pub(crate) silent: Vec<Member>,
    /// The first is followed by all, the second by none.
    pub(crate) authors: Vec<Member>,
}

/// A server with the data.
pub(crate) struct Crowd {
    pub(crate) process: Process,
    pub(crate) members: Members,
    /// Ids of all posts, oldest first.
    posts: usize,
}

impl Crowd {
    /// A server with this number of posts.
    pub(crate) async fn open(posts: usize) -> Self {
        let folder = folder(posts);
        let told = folder.join("members.json");
        if !told.exists() {
            eprintln!("  writing {posts} posts to {} …", folder.display());
            // Discards incomplete data of an interrupted run.
            let _ = fs::remove_dir_all(&folder);
            let members = register(&folder).await;
            let path = folder.join("svc.db");
            let of_members = members.clone();
            let filling = tokio::task::spawn_blocking(move || path_filled(&path));
            fill(filling.await.expect("the database opens"), posts, &of_members).await;
            let members = serde_json::to_vec(&members).expect("members are JSON");
            fs::write(&told, members).expect("the folder takes a file");
        }
        let members = fs::read(&told).expect("the members were written");
        let members = serde_json::from_slice(&members).expect("the members are as written");
        Self { process: server(&folder), members, posts }
    }

    /// A client of a member.
    pub(crate) fn client(&self, member: &Member) -> Client {
        self.process.builder().api_key(member.key.as_str()).build().expect("the key is one")
    }

    /// The id of one of the latest posts.
    pub(crate) fn post(&self, number: usize) -> String {
        post_id(self.posts - 1 - number).to_string()
    }
}

fn folder(posts: usize) -> PathBuf {
    let own = std::env::current_exe().expect("a program knows its file");
    let target = own.ancestors().find(|folder| folder.ends_with("target"));
    let target = target.expect("a bench lies below target");
    target.join(format!("bench-crowd-{FORM}-{posts}"))
}

fn server(folder: &Path) -> Process {
    Process::server(folder, &["limits.posts.free_window=1s"])
}

fn path_filled(path: &Path) -> Db {
    let settings = Settings::new(DatabaseUrl::Sqlite(path.to_owned()));
    Db::open(&settings, &Clock::system()).expect("the database opens")
}

/// Lets the server create the tables and the members' keys.
async fn register(folder: &Path) -> Members {
    let process = server(folder);
    let mut all = Vec::new();
    for number in 0..2 * MEMBERS + 2 {
        let registering = process.client().auth().register_agent(format!("member_{number}"));
        let registered = registering.await.expect("the name is free");
        let key = registered.api_key.expose().to_owned();
        all.push(Member { key, id: registered.user.id.to_string() });
    }
    let authors = all.split_off(2 * MEMBERS);
    let silent = all.split_off(MEMBERS);
    Members { many: all, silent, authors }
}

async fn fill(db: Db, posts: usize, members: &Members) {
    let now = Clock::system().now();
    each(&db, ACCOUNTS + FOLLOWERS, account).await;
    each(&db, ACCOUNTS * FOLLOWS, |tx, number| {
        follow(tx, &user_id(number / FOLLOWS), &user_id(popular(number)), number)
    })
    .await;
    let author = members.authors[0].id.clone();
    each(&db, FOLLOWERS, move |tx, number| {
        follow(tx, &user_id(ACCOUNTS + number), &UserId::from(author.as_str()), number)
    })
    .await;
    let many: Vec<UserId> = members.many.iter().map(|one| one.id.as_str().into()).collect();
    each(&db, MEMBERS * MANY, move |tx, number| {
        let followee = (number / MEMBERS) * (ACCOUNTS / MANY);
        follow(tx, &many[number % MEMBERS], &user_id(followee), number)
    })
    .await;
    let silent: Vec<UserId> = members.silent.iter().map(|one| one.id.as_str().into()).collect();
    // The very first post is the only one of its author.
    each(&db, MEMBERS, move |tx, number| follow(tx, &silent[number], &user_id(ACCOUNTS), 0)).await;
    each(&db, posts, move |tx, number| post(tx, number, posts, now)).await;
    let counting = db.write(|tx| {
        tx.execute(
            sql!(
                "update account set
                    following_count = (select count(*) from follow where follower = account.id),
                    followers_count = (select count(*) from follow where followee = account.id),
                    posts_count = (select count(*) from post where author = account.id)"
            ),
            &[],
        )
    });
    counting.await.expect("accounts can be counted");
    tokio::task::spawn_blocking(move || db.close()).await.expect("the database closes");
}

/// Inserts this number of rows in batches.
async fn each<F>(db: &Db, count: usize, write: F)
where
    F: Fn(&mut Tx<'_>, usize) -> svc_store::error::Result<()> + Clone + Send + 'static,
{
    for first in (0..count).step_by(BATCH) {
        let write = write.clone();
        let batch = first..(first + BATCH).min(count);
        let writing = db.write(move |tx| batch.clone().try_for_each(|number| write(tx, number)));
        writing.await.expect("rows can be written");
    }
}

fn user_id(number: usize) -> UserId {
    UserId::from(format!("usr_010000000000000000{number:08}"))
}

/// Ids of past posts are smaller than those of new posts.
fn post_id(number: usize) -> PostId {
    PostId::from(format!("post_010000000000000000{number:08}"))
}

/// A pseudo-random account number, uniformly distributed.
fn spread(number: usize) -> usize {
    number.wrapping_mul(2_654_435_761) % ACCOUNTS
}

/// An account number; small ones are far more frequent.
fn popular(number: usize) -> usize {
    let even = spread(number);
    even * even / ACCOUNTS * even / ACCOUNTS
}

fn account(tx: &mut Tx<'_>, number: usize) -> svc_store::error::Result<()> {
    let (id, name) = (user_id(number), format!("crowd_{number}"));
    let is_agent = number.is_multiple_of(3);
    tx.execute(
        sql!(
            "insert into account (id, username, display_name, bio, is_agent, tier, role, status,
                x_verified, google_verified, dm_policy, allow_service_requests, followers_count,
                following_count, posts_count, created_at, updated_at)
             values ($1, $2, $3, 'one of many', $4, 'free', 'user', 'active', false, false, 'all',
                true, 0, 0, 0, 0, 0)"
        ),
        values![id, name, name, is_agent],
    )?;
    Ok(())
}

fn follow(
    tx: &mut Tx<'_>,
    who: &UserId,
    whom: &UserId,
    number: usize,
) -> svc_store::error::Result<()> {
    let at = i64::try_from(number).unwrap_or_default();
    tx.execute(
        sql!(
            "insert into follow (follower, followee, created_at) values ($1, $2, $3)
             on conflict do nothing"
        ),
        values![who, whom, at],
    )?;
    Ok(())
}

/// Likes of a post, five on average: one post in a hundred has half of all likes, the others none
/// to five.
const fn likes(number: usize) -> usize {
    if number.is_multiple_of(100) { 250 } else { number % 6 }
}

/// One post every three minutes until now.
fn instant(number: usize, posts: usize, now: Timestamp) -> Timestamp {
    let back = i64::try_from(posts - number).unwrap_or_default() * 180_000;
    Timestamp::from_millis(now.as_millis() - back)
}

fn post(
    tx: &mut Tx<'_>,
    number: usize,
    posts: usize,
    now: Timestamp,
) -> svc_store::error::Result<()> {
    let author = user_id(if number == 0 { ACCOUNTS } else { popular(number) });
    let (id, at) = (post_id(number), instant(number, posts, now));
    let likes = likes(number);
    let likes_count = i64::try_from(likes).unwrap_or_default();
    let points = rank::POINTS_AT_FIRST + rank::LIKE_POINTS * likes_count;
    let hot = rank::hot(points, at, &Tier::Free);
    let content = format!("post {number} of the crowd: {} and {}", word(number), word(number / 7));
    tx.execute(
        sql!(
            "insert into post (id, author, content, reply_policy, likes_count, reposts_count,
                replies_count, quotes_count, pinned, created_at, hidden, points, hot)
             values ($1, $2, $3, 'everyone', $4, 0, 0, 0, false, $5, false, $6, $7)"
        ),
        values![id, author, content, likes_count, at, points, hot],
    )?;
    tx.execute(
        sql!("insert into timeline (account, entry, post) values ($1, $2, $3)"),
        values![author, rank::entry(id.as_str()), id],
    )?;
    // Consecutive accounts in this order are all different.
    (0..likes).try_for_each(|nth| like(tx, &user_id(spread(number * 251 + nth)), &author, &id, at))
}

/// One of a thousand words.
pub(crate) fn word(number: usize) -> String {
    format!("word{}", number % 1_000)
}

fn like(
    tx: &mut Tx<'_>,
    account: &UserId,
    author: &UserId,
    post: &PostId,
    at: Timestamp,
) -> svc_store::error::Result<()> {
    tx.execute(
        sql!("insert into reaction (account, author, post, liked_at) values ($1, $2, $3, $4)"),
        values![account, author, post, at],
    )?;
    Ok(())
}
