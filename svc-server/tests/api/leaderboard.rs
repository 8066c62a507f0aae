//! Who leads, by engagement, followers and posts.

use std::collections::{BTreeMap, BTreeSet};

use svc_client::types::Code;
use svc_client::types::api::feed::Window;
use svc_client::types::api::leaderboard::{GetLeaderboard, Leaderboard, Metric};
use svc_client::types::api::posts::Post;
use svc_core::tasks::rankings;
use svc_server::testing::{START, until};

use crate::app::{Member, TestApp, fault};
use crate::on_both_engines;

const HOUR: u64 = 3600;

/// Names whose order is not that of their age.
const NAMES: [&str; 6] = ["fay", "ada", "eve", "bob", "dan", "cid"];

pub(crate) const WINDOWS: [(Window, u64); 4] = [
    (Window::Day, 24 * HOUR),
    (Window::Week, 7 * 24 * HOUR),
    (Window::Month, 30 * 24 * HOUR),
    (Window::All, u64::MAX),
];

/// Advances the clock until the rankings are computed again.
pub(crate) async fn computed(app: &TestApp) {
    app.advance(300);
    rankings::once(app.server.app()).await.unwrap();
}

/// Ranks, names and values.
pub(crate) fn places(board: &Leaderboard) -> Vec<(i64, String, f64)> {
    let place = |entry: &svc_client::types::api::leaderboard::LeaderboardEntry| {
        (entry.rank, entry.user.username.clone(), entry.value)
    };
    board.leaderboard.iter().map(place).collect()
}

/// Expected ranks, names and values; accounts with a value of 0 are not listed.
pub(crate) fn ranked(values: &BTreeMap<&str, f64>) -> Vec<(i64, String, f64)> {
    let mut sorted: Vec<(&str, f64)> = values
        .iter()
        .map(|(name, value)| (*name, *value))
        .filter(|(_, value)| *value > 0.0)
        .collect();
    // The names are in order already, and sorting keeps the order of equal values.
    sorted.sort_by(|one, other| other.1.total_cmp(&one.1));
    let rank = |value: f64| 1 + sorted.iter().filter(|(_, other)| *other > value).count();
    let place = |(name, value): &(&str, f64)| {
        (i64::try_from(rank(*value)).unwrap(), (*name).to_owned(), *value)
    };
    sorted.iter().map(place).collect()
}

pub(crate) async fn read(app: &TestApp, metric: Metric, window: &Window) -> Leaderboard {
    app.anonymous.leaderboard().read().metric(metric).window(window.clone()).await.unwrap()
}

/// Random numbers that are the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

/// A post and what others did to it, recorded in the simplest way.
struct Known {
    post: Post,
    author: usize,
    at: u64,
    likes: BTreeSet<usize>,
    reposts: BTreeSet<usize>,
    /// The parents of answers: of a reply by its first, of a quote by its second.
    answers: [Option<usize>; 2],
    deleted: bool,
}

/// Everything that happened, recorded in the simplest way.
#[derive(Default)]
struct Model {
    posts: Vec<Known>,
    follows: BTreeMap<(usize, usize), u64>,
    now: u64,
}

impl Model {
    /// 1 + likes + 2 · reposts + 1.5 · quotes + repliers, each other account once per kind; without the 1 for replies.
    fn engagement(&self, index: usize) -> f64 {
        let post = &self.posts[index];
        let others = |accounts: &BTreeSet<usize>| {
            accounts.iter().filter(|account| **account != post.author).count()
        };
        let answered = |kind: usize| {
            let answers = self.posts.iter().filter(|one| !one.deleted);
            let answers = answers.filter(|one| one.answers[kind] == Some(index));
            others(&answers.map(|one| one.author).collect())
        };
        let first = if post.answers[0].is_some() { 0 } else { 2 };
        let halves = first
            + 2 * others(&post.likes)
            + 4 * others(&post.reposts)
            + 3 * answered(1)
            + 2 * answered(0);
        f64::from(u32::try_from(halves).unwrap()) / 2.0
    }

    fn is_in(&self, at: u64, length: u64) -> bool {
        self.now.saturating_sub(at) <= length
    }

    fn values(&self, metric: &Metric, length: u64) -> BTreeMap<&'static str, f64> {
        let mut values: BTreeMap<&str, f64> = BTreeMap::new();
        if *metric == Metric::Followers {
            for ((_, whom), at) in &self.follows {
                if self.is_in(*at, length) {
                    *values.entry(NAMES[*whom]).or_default() += 1.0;
                }
            }
            return values;
        }
        for (index, known) in self.posts.iter().enumerate() {
            if !known.deleted && self.is_in(known.at, length) {
                let value = if *metric == Metric::Posts { 1.0 } else { self.engagement(index) };
                *values.entry(NAMES[known.author]).or_default() += value;
            }
        }
        values
    }

    /// One random act, on the server and here.
    async fn act(&mut self, app: &TestApp, members: &[Member], dice: &mut Dice) {
        let who = dice.roll(members.len());
        let client = &members[who].client;
        let index = dice.roll(self.posts.len());
        let other = dice.roll(members.len());
        let target = self.posts[index].post.id.clone();
        match dice.roll(10) {
            0 => {
                let seconds = [60, 5 * HOUR, 30 * HOUR, 200 * HOUR][dice.roll(4)];
                app.advance(seconds);
                self.now += seconds;
            }
            1 if who != other => {
                client.relations().follow(NAMES[other]).await.unwrap();
                self.follows.entry((who, other)).or_insert(self.now);
            }
            2 if who != other && dice.roll(3) == 0 => {
                client.relations().unfollow(NAMES[other]).await.unwrap();
                self.follows.remove(&(who, other));
            }
            _ if self.posts[index].deleted => {}
            3 | 4 => {
                client.reactions().like(&target).await.unwrap();
                self.posts[index].likes.insert(who);
            }
            5 => {
                client.reactions().repost(&target).await.unwrap();
                self.posts[index].reposts.insert(who);
            }
            6 if dice.roll(2) == 0 => {
                client.reactions().unlike(&target).await.unwrap();
                self.posts[index].likes.remove(&who);
            }
            7 if index >= members.len() && dice.roll(2) == 0 => {
                let author = self.posts[index].author;
                members[author].client.posts().delete(&target).await.unwrap();
                self.posts[index].deleted = true;
            }
            _ => {
                // A reply that quotes now and then; replies take no slot.
                let mut call = client.posts().reply(&target, "so do I");
                let quoted = dice.roll(self.posts.len());
                let quoted = Some(quoted).filter(|at| *at % 2 == 0 && !self.posts[*at].deleted);
                if let Some(quoted) = quoted {
                    let quoted = self.posts[quoted].post.id.clone();
                    call = call.with(|request| request.quote_of_id = Some(quoted));
                }
                let post = call.await.unwrap().post;
                self.add(post, who, [Some(index), quoted]);
            }
        }
    }

    fn add(&mut self, post: Post, author: usize, answers: [Option<usize>; 2]) {
        let (likes, reposts) = (BTreeSet::new(), BTreeSet::new());
        let at = self.now;
        self.posts.push(Known { post, author, at, likes, reposts, answers, deleted: false });
    }
}

on_both_engines! {
    async fn the_rankings_match_a_naive_count(app: TestApp) {
        let members = app.agents(NAMES).await;
        let mut model = Model::default();
        for (author, member) in members.iter().enumerate() {
            model.add(member.post("hello").await, author, [None, None]);
        }
        let mut dice = Dice(11);
        for _ in 0..4 {
            for _ in 0..50 {
                model.act(&app, &members, &mut dice).await;
            }
            computed(&app).await;
            model.now += 300;
            for metric in [Metric::Engagement, Metric::Followers, Metric::Posts] {
                for (window, length) in &WINDOWS {
                    let board = read(&app, metric.clone(), window).await;
                    let wanted = ranked(&model.values(&metric, *length));
                    assert_eq!(places(&board), wanted, "{metric} {window}");
                    assert_eq!(board.generated_at, START.plus(std::time::Duration::from_secs(model.now)));
                }
            }
        }
    }

    async fn a_fresh_server_has_empty_lists(app: TestApp) {
        let board = app.anonymous.leaderboard().read().await.unwrap();
        assert_eq!((board.metric, board.window), (Metric::Engagement, Window::Week));
        assert_eq!((board.leaderboard.len(), board.generated_at), (0, START));
    }

    async fn gained_places_are_shown(app: TestApp) {
        let [ada, bob, cid] = app.agents(["ada", "bob", "cid"]).await;
        let posts = [ada.post("a").await, bob.post("b").await];
        ada.client.reactions().like(&posts[1].id).await.unwrap();
        computed(&app).await;
        let changes = async || {
            let board = app.anonymous.leaderboard().read().await.unwrap().leaderboard;
            board.into_iter().map(|one| (one.rank, one.user.username, one.change)).collect::<Vec<_>>()
        };
        let place = |rank, name: &str, change| (rank, name.to_owned(), change);
        assert_eq!(changes().await, [place(1, "bob", None), place(2, "ada", None)]);
        for member in [&bob, &cid] {
            member.client.reactions().repost(&posts[0].id).await.unwrap();
        }
        cid.reply(&posts[1], "me too").await;
        computed(&app).await;
        assert_eq!(changes().await, [place(1, "ada", Some(1)), place(2, "bob", Some(-1))]);
        computed(&app).await;
        assert_eq!(changes().await[0], place(1, "ada", Some(0)));
    }

    async fn replies_that_nobody_reacts_to_lead_no_board_of_engagement(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let top = ada.post("liked").await;
        bob.client.reactions().like(&top.id).await.unwrap();
        for _ in 0..5 {
            eve.reply(&top, "me too").await;
        }
        let praised = bob.reply(&top, "because").await;
        ada.client.reactions().like(&praised.id).await.unwrap();
        computed(&app).await;
        let board = read(&app, Metric::Engagement, &Window::Week).await;
        // A post, a like and two repliers; a like.
        assert_eq!(places(&board), [(1, "ada".to_owned(), 4.0), (2, "bob".to_owned(), 1.0)]);
        let board = read(&app, Metric::Posts, &Window::Week).await;
        assert_eq!(places(&board)[0], (1, "eve".to_owned(), 5.0));
    }

    async fn equal_values_share_a_rank_and_are_sorted_by_username(app: TestApp) {
        for member in app.agents(["dan", "bob", "cid", "ada"]).await {
            let post = member.post("equal").await;
            if member.user.username == "cid" {
                member.reply(&post, "and more").await;
            }
        }
        computed(&app).await;
        let board = read(&app, Metric::Posts, &Window::Day).await;
        let place = |rank, name: &str, value| (rank, name.to_owned(), value);
        assert_eq!(
            places(&board),
            [place(1, "cid", 2.0), place(2, "ada", 1.0), place(2, "bob", 1.0), place(2, "dan", 1.0)]
        );
        let two = app.anonymous.leaderboard().read().metric(Metric::Posts).limit(2).await.unwrap();
        assert_eq!(places(&two), places(&board)[..2]);
    }

    async fn an_ineligible_account_disappears_at_once(app: TestApp) {
        let members = app.agents(["ada", "bob", "cid", "dan"]).await;
        let mut posts = Vec::new();
        for member in &members {
            let post = member.post("here").await;
            if member.user.username == "cid" {
                members[3].client.reactions().like(&post.id).await.unwrap();
            }
            posts.push(post);
        }
        for follower in &members[2..] {
            follower.client.relations().follow("bob").await.unwrap();
        }
        computed(&app).await;
        let names = async || {
            let board = app.anonymous.leaderboard().read().await.unwrap();
            places(&board).into_iter().map(|(rank, name, _)| (rank, name)).collect::<Vec<_>>()
        };
        let place = |rank, name: &str| (rank, name.to_owned());
        assert_eq!(
            names().await,
            [place(1, "cid"), place(2, "ada"), place(2, "bob"), place(2, "dan")]
        );
        app.suspend("cid").await;
        assert_eq!(names().await, [place(1, "ada"), place(1, "bob"), place(1, "dan")]);
        app.execute(|ctx| {
            let sql = svc_store::sql!("update account set status = 'limited' where username = 'ada'");
            ctx.tx.execute(sql, &[])
        })
        .await;
        members[3].client.users().delete_me("dan").await.unwrap();
        assert_eq!(names().await, [place(1, "bob")]);
        computed(&app).await;
        assert_eq!(names().await, [place(1, "bob")]);
        for window in [Window::Week, Window::All] {
            let board = read(&app, Metric::Followers, &window).await;
            assert!(places(&board).is_empty(), "{window}: nor do they count as followers");
        }
        app.hide(&posts[1]).await;
        computed(&app).await;
        for metric in [Metric::Engagement, Metric::Posts] {
            let board = read(&app, metric, &Window::Week).await;
            assert!(places(&board).is_empty(), "a hidden post counts for nobody");
        }
    }

    async fn agents_and_people_have_separate_rankings(app: TestApp) {
        let bot = app.agent("bot").await;
        let eve = app.person("eve", "correct horse").await;
        let post = eve.post("hi").await;
        bot.client.reactions().like(&post.id).await.unwrap();
        bot.post("beep").await;
        computed(&app).await;
        let names = async |is_agent: bool| {
            let board = app.anonymous.leaderboard().read().is_agent(is_agent).await.unwrap();
            places(&board)
        };
        assert_eq!(names(true).await, [(1, "bot".to_owned(), 1.0)]);
        assert_eq!(names(false).await, [(1, "eve".to_owned(), 2.0)]);
        computed(&app).await;
        let agents = app.anonymous.leaderboard().read().is_agent(true).await.unwrap().leaderboard;
        assert_eq!(agents[0].change, Some(0), "first among agents, though second among all");
    }

    async fn lists_are_computed_every_five_minutes(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("soon").await;
        let board = || app.anonymous.leaderboard().read();
        app.advance(299);
        rankings::once(app.server.app()).await.unwrap();
        assert_eq!(board().await.unwrap().leaderboard.len(), 0);
        app.advance(1);
        until("the server computes them by itself", async || {
            !board().await.unwrap().leaderboard.is_empty()
        }).await;
    }

    async fn two_servers_compute_each_round_once(app: TestApp, "database.connections" = "4") {
        let ada = app.agent("ada").await;
        ada.post("ours").await;
        computed(&app).await;
        app.advance(300);
        let rounds = (0..4).map(|_| {
            let app = std::sync::Arc::clone(app.server.app());
            tokio::spawn(async move { rankings::once(&app).await.unwrap() })
        });
        for round in rounds.collect::<Vec<_>>() {
            round.await.unwrap();
        }
        // A second run of a round would leave no trace of the first but its ranks: nothing changed.
        let board = app.anonymous.leaderboard().read().await.unwrap();
        assert_eq!(places(&board), [(1, "ada".to_owned(), 1.0)]);
        assert_eq!(board.leaderboard[0].change, Some(0));
        let rows = svc_store::sql!("select count(*) from leaderboard_entry
            where metric = 'engagement' and span = '7d' and audience = 'all'");
        assert_eq!(app.count(rows).await, 1);
    }

    async fn an_unknown_metric_or_window_is_refused(app: TestApp) {
        let call = || app.anonymous.leaderboard().read();
        let refused = async |call: svc_client::Call<GetLeaderboard>| fault::<GetLeaderboard>(call.await);
        let invalid = |field: &str| (Code::ValidationFailed, field.to_owned());
        assert_eq!(refused(call().metric(Metric::from("fame"))).await, invalid("metric"));
        assert_eq!(refused(call().window(Window::from("1y"))).await, invalid("window"));
        assert_eq!(refused(call().limit(101)).await, invalid("limit"));
    }
}
