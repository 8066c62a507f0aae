//! Deals, compared with plain messages, and with a large ledger.

use std::path::Path;

use rusqlite::Connection;
use svc_client::types::ServiceId;

use super::{CONNECTIONS, pairs, seconds};
use crate::load::{Shot, Turn, closed, closed_turns};
use crate::process::Process;
use crate::table::Table;

/// Settings that give every account enough credits.
pub(super) const RICH: [&str; 2] =
    ["exchange.signup_grant=10000000", "exchange.grant_requires=nothing"];

/// Entries of the large ledger.
const ENTRIES: u32 = 1_000_000;

/// A separate buyer and bot for each connection.
pub(super) struct Market {
    pairs: Vec<Pair>,
}

struct Pair {
    number: usize,
    buyer: String,
    bot: String,
    service: ServiceId,
}

impl Market {
    pub(super) async fn new(process: &Process) -> Self {
        let mut pairs = Vec::new();
        for number in 0..CONNECTIONS {
            let register = |name: String| process.client().auth().register_agent(name);
            let buyer =
                register(format!("buyer_{number}")).await.expect("the name is free").api_key;
            let bot = register(format!("bot_{number}")).await.expect("the name is free").api_key;
            let client = process.builder().api_key(bot.clone()).build().expect("the key is one");
            let offered = client.services().create("count", "counts words", 1).await;
            pairs.push(Pair {
                number,
                buyer: buyer.expose().to_owned(),
                bot: bot.expose().to_owned(),
                service: offered.expect("the name is free").service.id,
            });
        }
        Self { pairs }
    }

    /// Plain messages from the buyers to the bots.
    fn messages(&self) -> Vec<Shot> {
        self.pairs.iter().map(|pair| pair.message("some words, as people write them")).collect()
    }

    /// A request and its completed answer.
    pub(super) fn direct(&self) -> Vec<Turn> {
        self.pairs.iter().map(Pair::direct).collect()
    }

    /// Orders without answers.
    pub(super) fn orders(&self) -> Vec<Shot> {
        self.pairs.iter().map(|pair| pair.direct().first).collect()
    }

    /// Opening, delivery and release.
    fn escrow(&self) -> Vec<Turn> {
        self.pairs.iter().map(Pair::escrow).collect()
    }
}

impl Pair {
    fn message(&self, content: &str) -> Shot {
        let body = serde_json::json!({
            "recipientUsername": format!("bot_{}", self.number), "content": content,
        });
        Shot::post("/api/messages", &self.buyer, &body.to_string())
    }

    fn direct(&self) -> Turn {
        let order = serde_json::json!({
            "schema": "service.request",
            "payload": {
                "serviceId": self.service, "serviceName": "count", "input": {},
                "offeredCredits": 1,
            },
        });
        let answer = serde_json::json!({
            "schema": "service.response",
            "payload": { "requestId": "{id}", "status": "completed", "output": { "words": 2 } },
        });
        let body = serde_json::json!({
            "recipientUsername": format!("buyer_{}", self.number), "content": answer.to_string(),
        });
        Turn {
            first: self.message(&order.to_string()),
            member: "messageId",
            rest: vec![Shot::post("/api/messages", &self.bot, &body.to_string())],
        }
    }

    fn escrow(&self) -> Turn {
        let open = serde_json::json!({
            "providerUsername": format!("bot_{}", self.number), "serviceId": self.service,
            "amount": 1, "description": "a word",
        });
        let work = serde_json::json!({ "deliverable": { "type": "text", "data": "word" } });
        Turn {
            first: Shot::post("/api/v1/escrow", &self.buyer, &open.to_string()),
            member: "id",
            rest: vec![
                Shot::post("/api/v1/escrow/{id}/deliver", &self.bot, &work.to_string()),
                Shot::post("/api/v1/escrow/{id}/release", &self.buyer, "{}"),
            ],
        }
    }
}

pub(crate) async fn run(table: &mut Table) {
    let folders =
        [tempfile::tempdir(), tempfile::tempdir()].map(|made| made.expect("a folder can be made"));
    let small = Process::server(folders[0].path(), &RICH);
    let large = Process::server(folders[1].path(), &RICH);
    let (fresh, grown) = (Market::new(&small).await, Market::new(&large).await);
    grow(folders[1].path());
    let messages = fresh.messages();
    for (what, goal, fresh, grown) in [
        ("direct deal : plain message, per transaction", "≥ 0.50", fresh.direct(), grown.direct()),
        ("escrow life : plain message, per transaction", "≥ 0.40", fresh.escrow(), grown.escrow()),
    ] {
        let (mut ratios, mut grown_ratios) = (Vec::new(), Vec::new());
        let (mut rate, mut plain, mut slow) = (0.0, 0.0, 0.0);
        for _ in 0..pairs() {
            plain = closed(small.address, CONNECTIONS, seconds(), &messages).await.per_second;
            rate = turns(&small, &fresh).await;
            slow = turns(&large, &grown).await;
            ratios.push(rate / plain);
            grown_ratios.push(slow / rate);
        }
        table.add(what, goal, ratios, format!("last pair {rate:.0}/s : {plain:.0}/s"));
        let what = what.split(" :").next().unwrap_or(what);
        let what = format!("{what}, 1,000,000 ledger entries : few");
        table.add(&what, "≥ 0.85", grown_ratios, format!("last pair {slow:.0}/s : {rate:.0}/s"));
    }
}

/// Runs turns for a while; returns turns per second.
pub(super) async fn turns(process: &Process, turns: &[Turn]) -> f64 {
    let shown = closed_turns(process.address, seconds(), turns).await;
    assert_eq!(shown.failures, 0, "deals must be answered with 2xx");
    shown.per_second
}

/// Adds transfers between the issuance and existing accounts, as grants would.
fn grow(folder: &Path) {
    let database = Connection::open(folder.join("svc.db")).expect("the database can be opened");
    let script = format!(
        "create temporary table who as
            select row_number() over () - 1 as n, id from ledger_account where kind = 'user';
         create temporary table many as
            with recursive steps (i) as (
                select 0 union all select i + 1 from steps where i + 1 < {transfers}
            )
            select i, who.id as account, i / (select count(*) from who) + 1 as turn
            from steps join who on who.n = i % (select count(*) from who);
         insert into ledger_transfer (id, kind, ref, actor, at)
            select 'trf_grown_' || i, 'topup', 'grown_' || i, 'bench', 0 from many;
         insert into ledger_entry (account, seq, transfer, amount, balance_after)
            select m.account, a.entries + m.turn, 'trf_grown_' || m.i, 1, a.balance + m.turn
            from many m join ledger_account a on a.id = m.account;
         insert into ledger_entry (account, seq, transfer, amount, balance_after)
            select 'issuance', a.entries + m.i + 1, 'trf_grown_' || m.i, -1, a.balance - m.i - 1
            from many m join ledger_account a on a.id = 'issuance';
         update ledger_account set
            balance = balance + (select coalesce(sum(1), 0) from many where account = id),
            entries = entries + (select coalesce(sum(1), 0) from many where account = id)
            where kind = 'user';
         update ledger_account set
            balance = balance - {transfers}, entries = entries + {transfers}
            where kind = 'issuance';",
        transfers = ENTRIES / 2,
    );
    database.execute_batch(&script).expect("the ledger can be grown");
}
