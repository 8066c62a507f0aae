//! Feeds of random worlds against a naive model, page by page.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use adya::r#gen::Rng;
use svc_client::Call;
use svc_client::types::api::feed::{FeedSort, GetGlobalFeed, Window};
use svc_client::types::api::posts::Post;
use svc_client::types::{Paged, PostId, Span, Timestamp};
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::counts::hot;
use crate::on_both_engines;

const WRITERS: usize = 10;
const ACTS: usize = 90;

/// What the viewer is to some writers, and moderators did to others.
const MUTED: usize = 1;
const ONCE_MUTED: usize = 2;
const BLOCKED: usize = 3;
const BLOCKING: usize = 4;
const LIMITED: usize = 5;
/// Only publishes; other tests cover how suspension changes counts.
const SUSPENDED: usize = 6;
const PRO: usize = 7;
const PERSON: usize = 8;
/// The accounts that the viewers follow.
const FOLLOWED: [usize; 7] = [0, MUTED, ONCE_MUTED, LIMITED, SUSPENDED, PRO, PERSON];

/// A post on a page, and who reposted it.
type Shown = (PostId, Option<String>);

/// A post with what was done to it.
struct Known {
    post: Post,
    author: usize,
    parent: Option<usize>,
    quoted: Option<usize>,
    is_gone: bool,
    likes: BTreeSet<usize>,
    reposts: BTreeSet<usize>,
}

/// A place in the timeline of an account.
#[derive(Clone, PartialEq)]
struct Entry {
    account: usize,
    post: usize,
    is_repost: bool,
}

struct World {
    app: TestApp,
    rng: Rng,
    writers: Vec<Member>,
    /// Follows the writers.
    few: Member,
    /// Follows them and many silent accounts.
    many: Member,
    posts: Vec<Known>,
    timeline: Vec<Entry>,
}

impl World {
    async fn new(app: TestApp, seed: u64) -> Self {
        let [few, many] = app.agents(["few", "many"]).await;
        let mut writers = Vec::new();
        for n in 0..WRITERS {
            writers.push(app.agent(&format!("writer_{n}")).await);
        }
        let rng = Rng::new(seed);
        let (posts, timeline) = (Vec::new(), Vec::new());
        let mut world = Self { app, rng, writers, few, many, posts, timeline };
        world.relate().await;
        for _ in 0..ACTS {
            world.act().await;
        }
        world.moderate().await;
        world
    }

    async fn relate(&self) {
        let name = |n: usize| self.writers[n].user.username.as_str();
        for viewer in [&self.few, &self.many] {
            let relations = viewer.client.relations();
            for n in FOLLOWED {
                relations.follow(name(n)).await.unwrap();
            }
            relations.mute(name(MUTED)).await.unwrap();
            relations.mute(name(ONCE_MUTED)).expires_in(Span::from_secs(60)).await.unwrap();
            relations.block(name(BLOCKED)).await.unwrap();
            let own = viewer.user.username.as_str();
            self.writers[BLOCKING].client.relations().block(own).await.unwrap();
        }
        for n in 0..50 {
            let silent = self.app.agent(&format!("silent_{n}")).await;
            self.many.client.relations().follow(&*silent.user.username).await.unwrap();
        }
        self.app.set_tier(name(PRO), "pro").await;
        let person = self.writers[PERSON].user.id.clone();
        let sql = sql!("update account set is_agent = false where id = $1");
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![person])).await;
    }

    async fn moderate(&mut self) {
        let limited = self.writers[LIMITED].user.id.clone();
        let sql = sql!("update account set status = 'limited' where id = $1");
        self.app.execute(move |ctx| ctx.tx.execute(sql, values![limited])).await;
        self.app.suspend(&self.writers[SUSPENDED].user.username).await;
        let is_plain = |known: &Known| known.parent.is_none() && known.quoted.is_none();
        let hidden = self.posts.iter().position(|known| is_plain(known) && !known.is_gone);
        self.app.hide(&self.posts[hidden.unwrap()].post).await;
        self.posts[hidden.unwrap()].is_gone = true;
        self.timeline.retain(|entry| entry.is_repost || Some(entry.post) != hidden);
    }

    fn pick(&mut self, below: usize) -> usize {
        usize::try_from(self.rng.below(below as u64)).unwrap()
    }

    /// Some writer, but those who only publish.
    fn actor(&mut self) -> usize {
        let n = self.pick(WRITERS);
        if n == SUSPENDED { 0 } else { n }
    }

    /// A post that can be acted on by this writer.
    fn living(&mut self) -> Option<usize> {
        let found = self.pick(self.posts.len());
        (!self.posts[found].is_gone).then_some(found)
    }

    async fn act(&mut self) {
        let kind = if self.posts.len() < 5 { 0 } else { self.pick(16) };
        if kind < 4 {
            let author = self.pick(WRITERS);
            return self.publish(author, None).await;
        }
        let by = self.actor();
        let Some(n) = self.living() else { return };
        let reactions = self.writers[by].client.reactions();
        let id = &self.posts[n].post.id;
        match kind {
            4 => self.publish(by, Some(n)).await,
            5..=6 => self.reply(by, n).await,
            7..=9 => {
                reactions.like(id).await.unwrap();
                self.posts[n].likes.insert(by);
            }
            10..=13 => {
                reactions.repost(id).await.unwrap();
                if self.posts[n].reposts.insert(by) {
                    self.timeline.push(Entry { account: by, post: n, is_repost: true });
                }
            }
            14 => {
                reactions.unrepost(id).await.unwrap();
                self.posts[n].reposts.remove(&by);
                self.timeline
                    .retain(|entry| *entry != Entry { account: by, post: n, is_repost: true });
            }
            _ => self.delete(n).await,
        }
    }

    async fn publish(&mut self, author: usize, quoted: Option<usize>) {
        let seconds = 1 + self.rng.below(40_000);
        self.app.advance(seconds);
        let quote = quoted.map(|n| self.posts[n].post.id.clone());
        let content = format!("post {}", self.posts.len());
        let call = self.writers[author].client.posts().create(content.as_str());
        let post = call.with(|post| post.quote_of_id = quote).await.unwrap().post;
        self.timeline.push(Entry { account: author, post: self.posts.len(), is_repost: false });
        self.know(post, author, None, quoted);
    }

    async fn reply(&mut self, author: usize, parent: usize) {
        let post = self.writers[author].reply(&self.posts[parent].post, "so").await;
        self.know(post, author, Some(parent), None);
    }

    fn know(&mut self, post: Post, author: usize, parent: Option<usize>, quoted: Option<usize>) {
        let (likes, reposts) = (BTreeSet::new(), BTreeSet::new());
        self.posts.push(Known { post, author, parent, quoted, is_gone: false, likes, reposts });
    }

    async fn delete(&mut self, n: usize) {
        let known = &mut self.posts[n];
        self.writers[known.author].client.posts().delete(&known.post.id).await.unwrap();
        known.is_gone = true;
        self.timeline.retain(|entry| entry.post != n || entry.is_repost);
    }

    fn is_visible(&self, n: usize) -> bool {
        !self.posts[n].is_gone && self.posts[n].author != SUSPENDED
    }

    /// Twice the engagement, as the contract has it.
    fn points(&self, n: usize) -> i64 {
        let author = self.posts[n].author;
        let count = |who: BTreeSet<usize>| {
            i64::try_from(who.iter().filter(|who| **who != author).count()).unwrap()
        };
        let living = || self.posts.iter().filter(|known| !known.is_gone);
        let repliers = living().filter(|known| known.parent == Some(n)).map(|known| known.author);
        let quoters = living().filter(|known| known.quoted == Some(n)).map(|known| known.author);
        let (likes, reposts) = (self.posts[n].likes.clone(), self.posts[n].reposts.clone());
        2 + 2 * count(likes)
            + 4 * count(reposts)
            + 2 * count(repliers.collect())
            + 3 * count(quoters.collect())
    }

    /// The home feed of both viewers in pages of this size.
    fn home(&self, limit: usize) -> Vec<Vec<Shown>> {
        let is_wanted =
            |entry: &&Entry| FOLLOWED.contains(&entry.account) && entry.account != MUTED;
        let entries: Vec<&Entry> = self.timeline.iter().rev().filter(is_wanted).collect();
        entries.chunks(limit).map(|page| self.home_page(page)).collect()
    }

    fn home_page(&self, entries: &[&Entry]) -> Vec<Shown> {
        let mut shown: BTreeMap<usize, Shown> = BTreeMap::new();
        let mut order = Vec::new();
        for entry in entries {
            let author = self.posts[entry.post].author;
            let is_wanted = ![MUTED, BLOCKED, BLOCKING].contains(&author);
            if self.is_visible(entry.post) && is_wanted && !shown.contains_key(&entry.post) {
                let by = entry.is_repost.then(|| self.writers[entry.account].user.username.clone());
                shown.insert(entry.post, (self.posts[entry.post].post.id.clone(), by));
                order.push(entry.post);
            }
        }
        order.into_iter().map(|n| shown[&n].clone()).collect()
    }

    /// The global feed in this order; without accounts that the viewer mutes or blocks.
    fn global(
        &self,
        sort: &FeedSort,
        since: Timestamp,
        is_agent: Option<bool>,
        has_viewer: bool,
    ) -> Vec<Shown> {
        let is_shown = |n: &usize| {
            let known = &self.posts[*n];
            let is_wanted = !has_viewer || ![MUTED, BLOCKED, BLOCKING].contains(&known.author);
            let is_kind = is_agent.is_none_or(|is_agent| is_agent == (known.author != PERSON));
            let is_young = *sort != FeedSort::Top || known.post.created_at > since;
            let is_ranked =
                known.parent.is_none() && self.is_visible(*n) && known.author != LIMITED;
            is_ranked && is_wanted && is_kind && is_young
        };
        let mut found: Vec<usize> = (0..self.posts.len()).filter(is_shown).collect();
        found.sort_by_key(|n| {
            let known = &self.posts[*n];
            let tier = if known.author == PRO { "pro" } else { "free" };
            let number = match sort {
                FeedSort::New => 0,
                FeedSort::Top => self.points(*n),
                _ => hot(self.points(*n), tier, known.post.created_at),
            };
            std::cmp::Reverse((number, known.post.id.clone()))
        });
        found.into_iter().map(|n| (self.posts[n].post.id.clone(), None)).collect()
    }
}

fn as_shown(posts: Vec<Post>) -> Vec<Shown> {
    posts.into_iter().map(|post| (post.id, post.repost.map(|repost| repost.by.username))).collect()
}

/// A list page by page; something may happen after the first one.
async fn pages<E: Paged<Item = Post> + Clone>(
    list: Call<E>,
    meanwhile: impl AsyncFnOnce(),
) -> Vec<Vec<Shown>> {
    let first = list.clone().page().await.unwrap();
    let (mut pages, mut next) = (vec![as_shown(first.items)], first.next_cursor);
    meanwhile().await;
    while let Some(cursor) = next {
        let page = list.clone().after(cursor).page().await.unwrap();
        pages.push(as_shown(page.items));
        next = page.next_cursor;
    }
    pages
}

fn chunks(all: &[Shown], limit: usize) -> Vec<Vec<Shown>> {
    let pages: Vec<Vec<Shown>> = all.chunks(limit).map(<[Shown]>::to_vec).collect();
    if pages.is_empty() { vec![Vec::new()] } else { pages }
}

fn size(limit: usize) -> u32 {
    u32::try_from(limit).unwrap()
}

/// A global feed and how far back it looks.
fn global(
    by: &svc_client::Client,
    sort: &FeedSort,
    window: Option<&Window>,
    is_agent: Option<bool>,
) -> (Call<GetGlobalFeed>, Duration) {
    let length = match window {
        Some(Window::Day) => 1,
        Some(Window::Month) => 30,
        Some(Window::All) => 365_000,
        _ => 7,
    };
    let call = by.feed().global().with(|request| {
        request.sort = Some(sort.clone());
        request.window = window.cloned();
        request.is_agent = is_agent;
    });
    (call, Duration::from_secs(86_400 * length))
}

async fn home_is_as_modelled(app: TestApp, seed: u64) {
    let mut world = World::new(app, seed).await;
    for limit in 1..=7 {
        let wanted = world.home(limit);
        for viewer in [&world.few, &world.many] {
            let call = viewer.client.feed().home().limit(size(limit));
            let found = pages(call, async || {}).await;
            assert_eq!(found, wanted, "{} with limit {limit}", viewer.user.username);
        }
        let call = world.many.client.feed().home().limit(size(limit));
        let found = pages(call, async || world.publish(0, None).await).await;
        assert_eq!(found, wanted, "what arrives meanwhile is on none of these pages");
    }
}

async fn global_is_as_modelled(app: TestApp, seed: u64) {
    let world = World::new(app, seed).await;
    let now = world.app.server.clock().now();
    let windows =
        [None, Some(Window::Day), Some(Window::Week), Some(Window::Month), Some(Window::All)];
    for sort in [FeedSort::New, FeedSort::Hot, FeedSort::Top] {
        for window in windows.iter().filter(|window| sort == FeedSort::Top || window.is_none()) {
            for (is_agent, has_viewer) in
                [(None, true), (None, false), (Some(true), true), (Some(false), false)]
            {
                let by = if has_viewer { &world.few.client } else { &world.app.anonymous };
                let (call, length) = global(by, &sort, window.as_ref(), is_agent);
                let wanted = world.global(&sort, now.minus(length), is_agent, has_viewer);
                for limit in [1, 2, 5, 100] {
                    let found = pages(call.clone().limit(size(limit)), async || {}).await;
                    assert_eq!(
                        found,
                        chunks(&wanted, limit),
                        "{sort} {window:?} {is_agent:?} by {limit}"
                    );
                }
            }
        }
    }
}

async fn global_excludes_posts_that_arrive_later(app: TestApp, seed: u64) {
    let mut world = World::new(app, seed).await;
    for limit in 1..=7 {
        for sort in [FeedSort::New, FeedSort::Hot, FeedSort::Top] {
            let now = world.app.server.clock().now();
            let (call, length) = global(&world.few.client, &sort, None, None);
            let wanted = world.global(&sort, now.minus(length), None, true);
            let call = call.limit(size(limit));
            let found = pages(call, async || world.publish(PRO, None).await).await;
            assert_eq!(found, chunks(&wanted, limit), "{sort} by {limit}");
        }
    }
}

on_both_engines! {
    async fn home_of_one_world_is_as_modelled(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        home_is_as_modelled(app, 1).await;
    }

    async fn home_of_another_world_is_as_modelled(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        home_is_as_modelled(app, 2).await;
    }

    async fn home_of_a_third_world_is_as_modelled(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        home_is_as_modelled(app, 3).await;
    }

    async fn global_feed_of_one_world_is_as_modelled(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        global_is_as_modelled(app, 4).await;
    }

    async fn global_feed_of_another_world_is_as_modelled(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        global_is_as_modelled(app, 5).await;
    }

    async fn posts_that_arrive_meanwhile_appear_on_no_later_page(app: TestApp, "limits.posts.free_window" = "1s", "limits.posts.pro_window" = "1s") {
        global_excludes_posts_that_arrive_later(app, 6).await;
    }
}
