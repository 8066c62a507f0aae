//! What one act costs PostgreSQL and the node.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::sleep;

use super::scene::{Scene, Usage};
use crate::load::{LoadResult, Maker, Shot, closed_by, closed_once, closed_turns, repeated};
use crate::parts::deals::Market;
use crate::parts::world::World;
use crate::parts::{CONNECTIONS, seconds};
use crate::table::Table;

/// Loads per figure.
const SAMPLES: usize = 3;

/// Accounts that post once in each load.
const AUTHORS: usize = 512;

/// Longer than an account waits between two posts.
const POST_WINDOW: Duration = Duration::from_millis(1_100);

/// A kind of act.
struct Act<'a> {
    what: &'a str,
    goal: &'a str,
    /// How long to wait between two loads.
    pause: Duration,
}

pub(super) async fn run(table: &mut Table, scene: &Scene<World>) {
    let (world, node) = (&scene.world, &scene.nodes[0]);
    let kinds = [
        ("message", "≤ 350, 220", repeated(world.messages())),
        ("durable reply", "", repeated(world.replies())),
        ("like", "", in_turn(world.likes())),
        ("point read", "", repeated(world.points())),
        ("page of 20", "", repeated(world.pages())),
    ];
    for (what, goal, shot) in kinds {
        let load = async |length| closed_by(&[node.address], CONNECTIONS, length, &shot).await;
        cost(table, scene, &Act { what, goal, pause: Duration::ZERO }, load).await;
    }
    let posts = posts(scene).await;
    let load = async |_: Duration| closed_once(node.address, &posts).await;
    cost(table, scene, &Act { what: "post", goal: "", pause: POST_WINDOW }, load).await;
    let deals = Market::new(node).await.direct();
    let load = async |length| closed_turns(node.address, length, &deals).await;
    let what = "order or its answer, on average";
    cost(table, scene, &Act { what, goal: "", pause: Duration::ZERO }, load).await;
}

/// The shots of each connection one after the other, over all loads.
fn in_turn(rounds: Vec<Vec<Shot>>) -> Maker {
    let next: Vec<AtomicUsize> = rounds.iter().map(|_| AtomicUsize::new(0)).collect();
    Arc::new(move |number| {
        let round = &rounds[number % rounds.len()];
        let place = next[number % next.len()].fetch_add(1, Ordering::Relaxed);
        round[place % round.len()].clone()
    })
}

/// A post of each of many new accounts, spread over the connections.
async fn posts(scene: &Scene<World>) -> Vec<Vec<Shot>> {
    let mut rounds = vec![Vec::new(); CONNECTIONS];
    for number in 0..AUTHORS {
        let client = scene.nodes[0].client();
        let registered = client.auth().register_agent(format!("author_{number}")).await;
        let key = registered.expect("the name is free").api_key;
        let body = r#"{"content":"some words of some length, as people write them"}"#;
        rounds[number % CONNECTIONS].push(Shot::post("/api/posts", key.expose(), body));
    }
    rounds
}

/// Two figures of one kind of act: microseconds of PostgreSQL, and of the node.
async fn cost(
    table: &mut Table,
    scene: &Scene<World>,
    act: &Act<'_>,
    load: impl AsyncFn(Duration) -> LoadResult,
) {
    let Act { what, goal, pause } = *act;
    // Each connection to PostgreSQL prepares its statements.
    load(seconds() / 4).await;
    let (mut postgres, mut node) = (Vec::new(), Vec::new());
    let (mut of_postgres, mut of_node) = (String::new(), String::new());
    for _ in 0..SAMPLES {
        sleep(pause).await;
        let trips = scene.round_trips().await;
        let (done, used) = scene.measured(load(seconds())).await;
        assert_eq!(done.failures, 0, "{what}: a load must be answered with 2xx");
        let (acts, trips) = (done.requests(), scene.round_trips().await - trips);
        postgres.push(used.postgres * 1e6 / acts);
        node.push(used.nodes * 1e6 / acts);
        of_postgres = in_postgres(used, trips, acts);
        of_node = format!("{:.0}/s; {}", done.per_second, used.processors());
    }
    table.add(&format!("PostgreSQL per {what}, µs"), goal, postgres, of_postgres);
    table.add(&format!("node per {what}, µs"), "", node, of_node);
}

/// What else an act was in PostgreSQL.
fn in_postgres(used: Usage, trips: f64, acts: f64) -> String {
    let (log, trips) = (used.log_bytes / 1000.0 / acts, trips / acts);
    format!("{log:.1} kB of the log, {trips:.1} round trips")
}
