//! Other servers that store and show posts, in the same run: Bluesky's PDS, Synapse, and Prism, which answers
//! with examples from our OpenAPI document and stores nothing.
//!
//! Two of them do work that ours does not: the PDS signs each post into a Merkle tree of its author, and Synapse
//! signs each message as an event of a room that other servers may join.

use std::path::Path;

use serde::Deserialize;

use super::world::World;
use super::{CONNECTIONS, Side, compare_by};
use crate::load::Shot;
use crate::process::Process;
use crate::table::Table;

/// Fewer connections, with which the peers are faster.
const FEW_CONNECTIONS: usize = 16;

/// Another server. The goals are for a post, a point read and a page of 20 over few connections, each as a
/// multiple of its rate.
struct Peer {
    name: &'static str,
    title: &'static str,
    goals: [&'static str; 3],
}

const PEERS: [Peer; 3] = [
    Peer { name: "pds", title: "Bluesky PDS", goals: ["≥ 100", "≥ 60", "≥ 50"] },
    Peer { name: "synapse", title: "Synapse", goals: ["≥ 150", "≥ 60", "≥ 100"] },
    Peer { name: "prism", title: "Prism", goals: ["≥ 20", "≥ 60", "≥ 35"] },
];

pub(crate) async fn run(table: &mut Table) {
    let Some(tools) = std::env::var_os("SVC_BENCH_PEERS") else {
        eprintln!("  left out: `.ci/run peers` installs the peers");
        return;
    };
    for peer in PEERS {
        peer.run(table, Path::new(&tools)).await;
    }
}

impl Peer {
    async fn run(&self, table: &mut Table, tools: &Path) {
        let folders = [tempfile::tempdir(), tempfile::tempdir()];
        let [own_data, its_data] = folders.map(|made| made.expect("a folder can be made"));
        let ours = Process::server(own_data.path(), &[]);
        let world = World::new(&ours, 2_000).await;
        let peer = Process::peer(self.name, tools, its_data.path());
        let its = Shots::deserialize(&peer.said).expect("a peer says what to send");
        let kinds = [
            ("create", world.replies(), its.create),
            ("point read", world.posts(), its.point),
            ("page of 20", world.pages(), its.page),
        ];
        for ((kind, shots, its), goal) in kinds.into_iter().zip(self.goals) {
            let its: Vec<Shot> = its.into_iter().map(Shot::from).collect();
            let ours = Side { process: &ours, shots: &shots };
            let other = Side { process: &peer, shots: &its };
            for (connections, goal) in [(FEW_CONNECTIONS, goal), (CONNECTIONS, "")] {
                let what = format!("{kind} : {}, {connections} connections", self.title);
                compare_by(table, (&what, goal), connections, ours, other);
            }
        }
        self.add_needs(table, &ours, &peer);
    }

    /// The memory and the start of the peer, as multiples of ours.
    fn add_needs(&self, table: &mut Table, ours: &Process, peer: &Process) {
        let (its_mb, own_mb) = (peer.resident_mb(), ours.resident_mb());
        // The directory is a program of its own.
        let without = if self.name == "pds" { ", without its directory of identities" } else { "" };
        let note = format!("{its_mb:.0} MB : {own_mb:.0} MB, after the loads{without}");
        table.add(&format!("memory of {} : ours", self.title), "≥ 1", vec![its_mb / own_mb], note);
        let its_start = peer.said["seconds"].as_f64().expect("a peer says how long it took");
        let own_start = ours.ready_after.as_secs_f64();
        let note = format!("{its_start:.1} s : {own_start:.2} s");
        let what = format!("start of {} : ours", self.title);
        table.add(&what, "≥ 1", vec![its_start / own_start], note);
    }
}

/// The requests to a peer, one of each kind per account.
#[derive(Deserialize)]
struct Shots {
    create: Vec<Asked>,
    point: Vec<Asked>,
    page: Vec<Asked>,
}

/// A request to a peer.
#[derive(Deserialize)]
struct Asked {
    path: String,
    key: String,
    body: Option<String>,
}

impl From<Asked> for Shot {
    fn from(Asked { path, key, body }: Asked) -> Self {
        match body {
            None => Self::get(path, &key),
            Some(body) => Self::post(path, &key, &body),
        }
    }
}
