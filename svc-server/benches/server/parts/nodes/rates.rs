//! Rates of one load beside another: many accounts that change the same row, and one node beside three.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::scene::Scene;
use crate::load::{Maker, Shot, closed_by, repeated};
use crate::parts::world::World;
use crate::parts::{CONNECTIONS, pairs, seconds};
use crate::table::Table;

/// A load on all nodes of a scene.
struct Load<'a> {
    scene: &'a Scene<World>,
    shot: Maker,
}

impl Load<'_> {
    /// Accepted requests per second, and how they came about. Under a load on one row some may be refused.
    async fn run(&self) -> (f64, String) {
        let addresses = self.scene.addresses();
        let load = closed_by(&addresses, CONNECTIONS, seconds(), &self.shot);
        let (done, used) = self.scene.measured(load).await;
        let rate = done.accepted_per_second();
        let (failures, used) = (done.failures, used.processors());
        (rate, format!("{rate:.0}/s, {failures} failed, {used}"))
    }
}

/// Rows that all acts change, beside acts that change rows of their own.
pub(super) async fn hot(table: &mut Table, scene: &Scene<World>) {
    let world = &scene.world;
    for (what, one, many) in [
        ("messages to one account : to many", world.messages_to_one(), world.messages()),
        ("replies to one post : to many", world.replies_to_one(), world.replies()),
    ] {
        let [one, many] = [one, many].map(|shots| Load { scene, shot: repeated(shots) });
        beside(table, (what, "≥ 0.6"), &one, &many).await;
    }
}

/// One node beside three on a database of their own, as much as they take. Each registration takes credits from
/// the one account that issues them.
pub(super) async fn one_and_three(table: &mut Table, alone: &Scene<World>, three: &Scene<World>) {
    for (what, goal, shots) in [
        ("messages", "≥ 0.9", messages as fn(&World) -> Maker),
        ("point reads", "≥ 0.9", points),
        ("registrations", "≥ 0.6", registrations),
    ] {
        let [one, other] = [alone, three].map(|scene| Load { scene, shot: shots(&scene.world) });
        beside(table, (&format!("{what}, three nodes : one"), goal), &other, &one).await;
    }
}

fn messages(world: &World) -> Maker {
    repeated(world.messages())
}

fn points(world: &World) -> Maker {
    repeated(world.points())
}

/// Registrations of new accounts.
fn registrations(_: &World) -> Maker {
    let next = AtomicUsize::new(0);
    Arc::new(move |_| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let body = format!(r#"{{"username":"new_{number}","isAgent":true}}"#);
        Shot { key: None, ..Shot::post("/api/auth/register", "", &body) }
    })
}

/// The rate of one load relative to another, measured in turns.
async fn beside(table: &mut Table, (what, goal): (&str, &str), ours: &Load<'_>, other: &Load<'_>) {
    let (mut ratios, mut note) = (Vec::new(), String::new());
    for _ in 0..pairs() {
        let (base, of_other) = other.run().await;
        let (rate, of_ours) = ours.run().await;
        ratios.push(rate / base);
        note = format!("last pair {of_ours} : {of_other}");
    }
    table.add(what, goal, ratios, note);
}
