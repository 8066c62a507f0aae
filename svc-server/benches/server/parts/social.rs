//! Feeds, search and reactions on a platform with many posts.

mod crowd;

use svc_client::types::api::feed::FeedSort;

use self::crowd::{Crowd, MEMBERS, Member, word};
use super::{CONNECTIONS, Side, bare_get, compare, pairs, seconds};
use crate::load::{self, LoadResult, Shot};
use crate::process::Process;
use crate::table::Table;

const FEW: usize = 10_000;
const MANY: usize = 1_000_000;

/// The position of the deep page.
const DEPTH: usize = 100_000;

/// The rate at which latencies of single kinds are measured.
const RATE: u32 = 300;

pub(crate) async fn run(table: &mut Table) {
    let few = Crowd::open(FEW).await;
    let many = Crowd::open(MANY).await;
    hot(table, &few, &many).await;
    home(table, &few, &many).await;
    search(table, &many).await;
    toggles(table, &many).await;
    followed(table, &many).await;
}

/// A shot for each member.
fn each(members: &[Member], path: &str) -> Vec<Shot> {
    members.iter().map(|member| Shot::get(path, &member.key)).collect()
}

async fn hot(table: &mut Table, few: &Crowd, many: &Crowd) {
    let ceiling = Process::ceiling();
    let bare = bare_get();
    let bare = Side { process: &ceiling, shots: &bare };
    let path = "/api/feed/global?sort=hot&limit=20";
    let hot = each(&many.members.many, path);
    let ours = Side { process: &many.process, shots: &hot };
    compare(table, "hot page of 20, 1,000,000 posts : bare GET", "≥ 0.30", ours, bare);
    grow(table, "hot page", "≤ 1.5", (few, path), (many, path)).await;
    // The small platform has fewer posts, so its last pages are used instead.
    let shallow = deep_page(few, FEW - 100).await;
    let deep = deep_page(many, DEPTH).await;
    grow(table, "hot page at depth 100,000", "≤ 2.5", (few, &shallow), (many, &deep)).await;
}

/// The path of the page after this number of posts.
async fn deep_page(crowd: &Crowd, depth: usize) -> String {
    let client = crowd.client(&crowd.members.many[0]);
    let mut cursor = None;
    for _ in 0..depth / 100 {
        let mut page = client.feed().global().sort(FeedSort::Hot).limit(100);
        if let Some(cursor) = cursor {
            page = page.after(cursor);
        }
        cursor = page.page().await.expect("a page can be read").next_cursor;
    }
    let cursor = cursor.expect("the feed is as deep");
    format!("/api/feed/global?sort=hot&limit=20&cursor={cursor}")
}

/// How median and p99 of a page grow with the number of posts.
async fn grow(
    table: &mut Table,
    what: &str,
    goal: &str,
    (few, shallow): (&Crowd, &str),
    (many, deep): (&Crowd, &str),
) {
    let small = each(&few.members.many, shallow);
    let large = each(&many.members.many, deep);
    grow_shots(table, what, goal, (few, &small), (many, &large)).await;
}

async fn grow_shots(
    table: &mut Table,
    what: &str,
    goal: &str,
    (few, small): (&Crowd, &[Shot]),
    (many, large): (&Crowd, &[Shot]),
) {
    let (mut p50s, mut p99s, mut note) = (Vec::new(), Vec::new(), String::new());
    for _ in 0..pairs() {
        let less = at_rate(few, small).await;
        let more = at_rate(many, large).await;
        p50s.push(more.millis(0.5) / less.millis(0.5));
        p99s.push(more.millis(0.99) / less.millis(0.99));
        note = format!("p99 {:.2} ms : {:.2} ms", more.millis(0.99), less.millis(0.99));
    }
    table.add(&format!("{what}, 1,000,000 : 10,000, p50"), goal, p50s, note.clone());
    table.add(&format!("{what}, 1,000,000 : 10,000, p99"), goal, p99s, note);
}

/// A load far below the server's capacity, so that latencies reflect the work alone.
async fn at_rate(crowd: &Crowd, shots: &[Shot]) -> LoadResult {
    let shown = load::open(crowd.process.address, CONNECTIONS, RATE, seconds(), shots).await;
    assert_eq!(shown.failures, 0, "a load must be answered with 2xx: {}", shots[0].path);
    shown
}

async fn home(table: &mut Table, few: &Crowd, many: &Crowd) {
    let path = "/api/feed?limit=20";
    let late = [low_cursor(few).await, low_cursor(many).await];
    let kinds = [
        (
            "home of a follower of 1,000",
            each(&few.members.many, path),
            each(&many.members.many, path),
        ),
        (
            "home of a follower of a silent one",
            each(&few.members.silent, path),
            each(&many.members.silent, path),
        ),
        (
            "home at a low cursor",
            each(&few.members.many, &late[0]),
            each(&many.members.many, &late[1]),
        ),
    ];
    for (what, small, large) in kinds {
        grow_shots(table, what, "≤ 2", (few, &small), (many, &large)).await;
        let point = each(&many.members.many, "/api/users/crowd_1");
        against_point(table, &format!("{what}: p99 : point read's"), "≤ 10", many, &large, &point)
            .await;
    }
}

/// The path of a deep page of the home feed.
async fn low_cursor(crowd: &Crowd) -> String {
    // A page that ends at this post returns the cursor of the requested one.
    let client = crowd.client(&crowd.members.many[0]);
    let mut cursor = None;
    for _ in 0..20 {
        let mut page = client.feed().home().limit(100);
        if let Some(cursor) = cursor {
            page = page.after(cursor);
        }
        cursor = page.page().await.expect("a page can be read").next_cursor;
    }
    let cursor = cursor.expect("the feed is as deep");
    format!("/api/feed?limit=20&cursor={cursor}")
}

async fn against_point(
    table: &mut Table,
    what: &str,
    goal: &str,
    crowd: &Crowd,
    shots: &[Shot],
    point: &[Shot],
) {
    let (mut ratios, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let base = at_rate(crowd, point).await;
        let shown = at_rate(crowd, shots).await;
        ratios.push(shown.millis(0.99) / base.millis(0.99));
        note = format!("p99 {:.2} ms : {:.2} ms", shown.millis(0.99), base.millis(0.99));
    }
    table.add(what, goal, ratios, note);
}

async fn search(table: &mut Table, many: &Crowd) {
    let words = (0..MEMBERS).map(|number| format!("/api/search?q={}%20crowd", word(number * 13)));
    let members = many.members.many.iter();
    let shots: Vec<Shot> =
        words.zip(members).map(|(path, member)| Shot::get(path, &member.key)).collect();
    let point = each(&many.members.many, "/api/users/crowd_1");
    let what = "search of 1,000,000 posts: p99 : point read's";
    against_point(table, what, "≤ 50", many, &shots, &point).await;
}

/// Likes and follows, compared with direct messages of the same members.
async fn toggles(table: &mut Table, many: &Crowd) {
    let members = &many.members.many;
    let messages: Vec<Shot> = members
        .iter()
        .enumerate()
        .map(|(number, member)| {
            let to = (number + 1) % MEMBERS;
            let body = format!(
                r#"{{"recipientUsername":"member_{to}","content":"some words of some length, as people write them"}}"#
            );
            Shot::post("/api/messages", &member.key, &body)
        })
        .collect();
    let messages = Side { process: &many.process, shots: &messages };
    for (what, kind) in [("like", Kind::Like), ("follow", Kind::Follow)] {
        let (mut ratios, mut note) = (Vec::new(), String::new());
        for _ in 0..pairs() {
            let base = messages.load_by(CONNECTIONS).await.per_second;
            let rate = toggled(many, kind).await.per_second;
            ratios.push(rate / base);
            note = format!("last pair {rate:.0}/s : {base:.0}/s");
        }
        table.add(&format!("{what} toggles : durable message"), "≥ 0.70", ratios, note);
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Like,
    Follow,
}

/// Each member adds and removes, in turns.
async fn toggled(many: &Crowd, kind: Kind) -> LoadResult {
    let members = many.members.many.iter().enumerate();
    let turns: Vec<Vec<Shot>> = members
        .map(|(number, member)| {
            let path = match kind {
                Kind::Like => format!("/api/posts/{}/like", many.post(number)),
                Kind::Follow => format!("/api/users/crowd_{}/follow", 5_003 + number),
            };
            vec![Shot::bare_post(path.clone(), &member.key), Shot::delete(path, &member.key)]
        })
        .collect();
    load::closed_rounds(many.process.address, seconds(), &turns).await
}

/// A post of an account with 100,000 followers, compared with one of an account without followers.
async fn followed(table: &mut Table, many: &Crowd) {
    let [known, unknown] = [0, 1].map(|number| {
        let body = r#"{"content":"one post per second is what the limit lets through"}"#;
        vec![Shot::post("/api/posts", &many.members.authors[number].key, body)]
    });
    let (mut ratios, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let length = std::time::Duration::from_secs(10);
        let every = std::time::Duration::from_millis(1_050);
        let (famous, lonely) = tokio::join!(
            load::paced(many.process.address, every, length, &known),
            load::paced(many.process.address, every, length, &unknown),
        );
        ratios.push(famous.millis(0.5) / lonely.millis(0.5));
        note = format!("p50 {:.2} ms : {:.2} ms", famous.millis(0.5), lonely.millis(0.5));
    }
    table.add("post with 100,000 followers : with none", "≤ 2", ratios, note);
}
