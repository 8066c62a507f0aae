//! Views of posts and profiles, and reactions to posts: noted on each read, counted by the flush.

pub mod fold;
mod forget;
mod tally;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use svc_types::api::posts::Post;
use svc_types::{PostId, Timestamp, UserId};

pub use self::forget::SWEEPS;
use svc_store::error::Result;
use svc_store::{row, sql, values};

use self::tally::{Count, Tallies};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::network::Network;
use crate::page::Page;
use crate::utc::{DAY_MS, HOUR_MS, day_of};
use crate::views::{Notes, Read, Reader, Shown, Target};

/// How long a view by an account is remembered: as long as the longest limited window.
const ACCOUNT_KEPT_MS: i64 = 32 * DAY_MS;

/// The same for an address, whose hash changes every day.
const ADDRESS_KEPT_MS: i64 = DAY_MS;

/// Stored bytes of an address's hash, and bytes of its salt.
const HASH_LENGTH: usize = 12;
const SALT_LENGTH: usize = 16;

fn reader(ctx: &Ctx<'_, '_>, viewer: Option<&Account>) -> Reader {
    match viewer {
        Some(viewer) => Reader::Account(viewer.id.clone()),
        None => Reader::Network(ctx.network()),
    }
}

/// Notes a read of a post or its thread.
pub fn note_view(ctx: &Ctx<'_, '_>, viewer: Option<&Account>, post: &PostId, author: &UserId) {
    let target = Target::Post(post.clone());
    ctx.app.views.note_read(author, &target, &reader(ctx, viewer), ctx.now());
}

/// Notes a read of a post's embed, which is open to anyone.
pub fn note_embed(ctx: &Ctx<'_, '_>, post: &PostId, author: &UserId) {
    let target = Target::Embed(post.clone());
    ctx.app.views.note_read(author, &target, &reader(ctx, None), ctx.now());
}

/// Notes a read of an account's profile.
pub fn note_profile_view(ctx: &Ctx<'_, '_>, viewer: Option<&Account>, account: &UserId) {
    ctx.app.views.note_read(account, &Target::Profile, &reader(ctx, viewer), ctx.now());
}

/// Records what a page of a feed shows; the reader's own posts are not counted. A reader that asks
/// for one post looks for what is new, and shows nothing.
pub fn note_shown(ctx: &Ctx<'_, '_>, viewer: Option<&Account>, page: &Page, posts: &[Post]) {
    if page.is_of_one() {
        return;
    }
    let foreign = posts.iter().filter(|post| viewer.is_none_or(|one| one.id != post.author.id));
    ctx.app.views.note_shown(foreign.map(|post| (&post.id, &post.author.id)), ctx.now());
}

/// Counts what was noted. Rows are locked in one order, so that two servers do not deadlock.
pub fn write(ctx: &mut Ctx<'_, '_>, notes: &Notes) -> Result<()> {
    let mut tallies = Tallies::default();
    let reads = named(ctx, &notes.reads)?;
    let views = post_views(ctx, &reads, &mut tallies)?;
    author_views(ctx, &views, &mut tallies)?;
    profile_clicks(ctx, &reads, &mut tallies)?;
    for Shown { post, author, hour, times } in &notes.shown {
        tallies.add([post.as_str(), author.as_str()], *hour, Count::Impressions, *times);
    }
    for (post, hour) in &notes.changed {
        changes(ctx, post, *hour, &mut tallies)?;
    }
    tallies.write(ctx)
}

/// A read with the name of its viewer: an account's id, or the hash of an address.
struct Named<'a> {
    read: &'a Read,
    viewer: String,
    kept_until: Timestamp,
}

fn named<'a>(ctx: &mut Ctx<'_, '_>, reads: &'a [Read]) -> Result<Vec<Named<'a>>> {
    let mut salt: Option<(Timestamp, Vec<u8>)> = None;
    let mut named = Vec::with_capacity(reads.len());
    for read in reads {
        let (viewer, kept_ms) = match &read.reader {
            Reader::Account(id) => (id.to_string(), ACCOUNT_KEPT_MS),
            Reader::Network(network) => {
                let day = day_of(read.hour);
                if salt.as_ref().is_none_or(|(of, _)| *of != day) {
                    salt = Some((day, salt_of(ctx, day)?));
                }
                let salt = salt.as_ref().map_or(&[][..], |(_, salt)| salt);
                (hash_of(*network, salt), ADDRESS_KEPT_MS)
            }
        };
        let kept_until = Timestamp::from_millis(day_of(read.hour).as_millis() + kept_ms);
        named.push(Named { read, viewer, kept_until });
    }
    // Of several reads by one viewer, the first one counts.
    named.sort_by(|one, other| one.key().cmp(&other.key()));
    Ok(named)
}

impl Named<'_> {
    /// The order in which rows are locked.
    fn key(&self) -> (&str, &str) {
        let post = self.read.target.post().map(PostId::as_str);
        (post.unwrap_or(self.read.account.as_str()), &self.viewer)
    }
}

/// The salt of a day, the same for all servers.
fn salt_of(ctx: &mut Ctx<'_, '_>, day: Timestamp) -> Result<Vec<u8>> {
    let fresh = ids::random::<SALT_LENGTH>();
    ctx.tx.execute(
        sql!("insert into viewer_salt (day, salt) values ($1, $2) on conflict do nothing"),
        values![day, fresh],
    )?;
    ctx.tx.one(sql!("select salt from viewer_salt where day = $1"), values![day])
}

fn hash_of(network: Network, salt: &[u8]) -> String {
    let hash = Sha256::new().chain_update(salt).chain_update(network.to_string()).finalize();
    URL_SAFE_NO_PAD.encode(&hash[..HASH_LENGTH])
}

/// Counts views of posts: the first read of a viewer on each day.
fn post_views<'a, 'b>(
    ctx: &mut Ctx<'_, '_>,
    reads: &'b [Named<'a>],
    tallies: &mut Tallies,
) -> Result<Vec<&'b Named<'a>>> {
    let mut views = Vec::new();
    for named in reads {
        let Named { read, viewer, kept_until } = named;
        let Some(post) = read.target.post() else { continue };
        let before: Option<Option<Timestamp>> = ctx.tx.optional(
            sql!(
                "insert into post_viewer (post, viewer, hour, kept_until) values ($1, $2, $3, $4)
                 on conflict (post, viewer) do update
                    set hour = excluded.hour, hour_before = post_viewer.hour,
                        kept_until = excluded.kept_until
                    where post_viewer.hour / 86400000 < excluded.hour / 86400000
                 returning hour_before"
            ),
            values![post, viewer, read.hour, kept_until],
        )?;
        let Some(before) = before else { continue };
        let subjects = [post.as_str(), read.account.as_str()];
        tallies.add(subjects, read.hour, Count::Views, 1);
        if matches!(read.target, Target::Embed(_)) {
            tallies.add(subjects, read.hour, Count::EmbedViews, 1);
        }
        tallies.add([post.as_str()], read.hour, Count::Viewers, 1);
        if let Some(before) = before {
            tallies.add([post.as_str()], before, Count::Viewers, -1);
        }
        views.push(named);
    }
    Ok(views)
}

/// Moves the viewers of authors to the hours of their latest views.
fn author_views(ctx: &mut Ctx<'_, '_>, views: &[&Named<'_>], tallies: &mut Tallies) -> Result<()> {
    let mut views: Vec<_> = views.iter().collect();
    views.sort_by_key(|named| (&named.read.account, &named.viewer));
    for Named { read, viewer, kept_until } in views {
        let author = read.account.as_str();
        let before: Option<Option<Timestamp>> = ctx.tx.optional(
            sql!(
                "insert into account_viewer (account, viewer, hour, post, kept_until)
                 values ($1, $2, $3, $4, $5)
                 on conflict (account, viewer) do update
                    set hour = excluded.hour, hour_before = account_viewer.hour,
                        post = excluded.post, kept_until = excluded.kept_until
                    where account_viewer.hour is null or account_viewer.hour <= excluded.hour
                 returning hour_before"
            ),
            values![author, viewer, read.hour, read.target.post(), kept_until],
        )?;
        if let Some(before) = before {
            tallies.add([author], read.hour, Count::Viewers, 1);
            if let Some(before) = before {
                tallies.add([author], before, Count::Viewers, -1);
            }
        }
    }
    Ok(())
}

/// A viewer's latest view of a post of an account.
struct Latest {
    hour: Option<Timestamp>,
    post: Option<PostId>,
}
row!(Latest { hour, post });

/// Counts views of profiles: the first read of a viewer on each day. If a view of a post came just
/// before, it is also a profile click of that post.
fn profile_clicks(ctx: &mut Ctx<'_, '_>, reads: &[Named<'_>], tallies: &mut Tallies) -> Result<()> {
    let profiles = reads.iter().filter(|named| named.read.target == Target::Profile);
    for Named { read, viewer, kept_until } in profiles {
        let account = read.account.as_str();
        let latest: Option<Latest> = ctx.tx.optional(
            sql!(
                "insert into account_viewer (account, viewer, profile_hour, kept_until)
                 values ($1, $2, $3, $4)
                 on conflict (account, viewer) do update
                    set profile_hour = excluded.profile_hour, kept_until = excluded.kept_until
                    where account_viewer.profile_hour is null or
                        account_viewer.profile_hour / 86400000 < excluded.profile_hour / 86400000
                 returning hour, post"
            ),
            values![account, viewer, read.hour, kept_until],
        )?;
        let Some(latest) = latest else { continue };
        tallies.add([account], read.hour, Count::ProfileClicks, 1);
        let hour_before = read.hour.as_millis() - HOUR_MS;
        if let Latest { hour: Some(hour), post: Some(post) } = latest
            && hour.as_millis() >= hour_before
        {
            tallies.add([post.as_str()], read.hour, Count::ProfileClicks, 1);
        }
    }
    Ok(())
}

/// How much the counts of a post have grown since they were last read.
struct Growth {
    author: UserId,
    likes: i64,
    replies: i64,
    reposts: i64,
    quotes: i64,
    bookmarks: i64,
}
row!(Growth {
    author: "p.author",
    likes: "p.likes_count - c.likes",
    replies: "p.replies_count - c.replies",
    reposts: "p.reposts_count - c.reposts",
    quotes: "p.quotes_count - c.quotes",
    bookmarks: "p.bookmarks_count - c.bookmarks",
});

/// Counts the reactions to a post. They are read from the post itself, so that withdrawn ones are
/// not counted and none is counted twice.
fn changes(
    ctx: &mut Ctx<'_, '_>,
    post: &PostId,
    hour: Timestamp,
    tallies: &mut Tallies,
) -> Result<()> {
    let sql = sql!("insert into post_count (post) values ($1) on conflict do nothing");
    ctx.tx.execute(sql, values![post])?;
    ctx.tx.lock(sql!("select post from post_count where post = $1 for update"), values![post])?;
    let growth: Option<Growth> = ctx.tx.optional(
        sql!(
            "select ",
            Growth::COLUMNS,
            " from post p join post_count c on c.post = p.id where p.id = $1"
        ),
        values![post],
    )?;
    let Some(Growth { author, likes, replies, reposts, quotes, bookmarks }) = growth else {
        return Ok(());
    };
    if [likes, replies, reposts, quotes, bookmarks] == [0; 5] {
        return Ok(());
    }
    ctx.tx.execute(
        sql!(
            "update post_count
             set likes = likes + $1, replies = replies + $2, reposts = reposts + $3,
                quotes = quotes + $4, bookmarks = bookmarks + $5
             where post = $6"
        ),
        values![likes, replies, reposts, quotes, bookmarks, post],
    )?;
    let subjects = [post.as_str(), author.as_str()];
    for (count, by) in [
        (Count::Likes, likes),
        (Count::Replies, replies),
        (Count::Reposts, reposts),
        (Count::Quotes, quotes),
        (Count::Bookmarks, bookmarks),
    ] {
        tallies.add(subjects, hour, count, by);
    }
    Ok(())
}
