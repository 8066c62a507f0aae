//! Accounts that sell to each other, and orders between them for which answers are paid.
//!
//! An answer that charges a part of what the buyer offered pays the seller and gives the buyer the rest: one
//! request, one transaction, and a line in the statements of two accounts. All orders are placed before the
//! history begins. So it is known in advance what each answer appends: the order's id and what is charged, which
//! differs among all answers to an order.

use std::collections::VecDeque;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};
use svc_client::types::api::credits::{Transaction, TransferKind};
use svc_client::types::api::orders::{OrderRole, ResponseStatus};
use svc_client::types::{ApiKey, Credits, MessageId, ServiceId};
use svc_client::{Client, Error};
use tokio::task::JoinSet;

use super::log::Log;
use crate::cluster::row::at;
use crate::load::Entrance;

/// Few accounts, so that all want the same.
pub(super) const ACCOUNTS: usize = 6;

/// Orders of each account from each other one: 90 lines in each statement at most.
const ORDERS: usize = 9;

/// A statement is one page, and so was read at one instant.
const PAGE: u32 = 100;

/// What each buyer offers, in micro-credits.
const OFFERED: i64 = 1_000_000;

/// What an answer to an order charges more than the one before.
const STEP: i64 = 1000;

/// After that time a client does not know the outcome of its request. Servers answer earlier.
const ANSWERED: Duration = Duration::from_secs(15);

/// Numbers the markets of this process.
static MARKETS: AtomicU32 = AtomicU32::new(0);

/// The accounts, and the orders that may be open.
pub(super) struct Market {
    accounts: Vec<Account>,
    orders: Vec<Order>,
    open: Mutex<Open>,
}

#[derive(Clone)]
struct Account {
    name: String,
    key: ApiKey,
    service: ServiceId,
}

#[derive(Clone)]
struct Order {
    id: MessageId,
    seller: usize,
    buyer: usize,
}

/// Orders by their number.
struct Open {
    waiting: VecDeque<usize>,
    /// How many answers were made up for each so far.
    answers: Vec<i64>,
}

/// An answer that no other is like.
pub(super) struct Answer {
    number: usize,
    order: Order,
    charged: i64,
}

impl Answer {
    /// What it appends to two lists.
    pub(super) fn element(&self) -> String {
        element(&self.order.id, self.charged)
    }
}

fn element(order: &MessageId, charged: i64) -> String {
    format!("{order}-{charged}")
}

impl Market {
    /// New accounts with open orders.
    pub(super) async fn new(entrance: &impl Entrance) -> Self {
        let market = MARKETS.fetch_add(1, Ordering::Relaxed);
        let mut accounts = Vec::new();
        for number in 0..ACCOUNTS {
            let name = format!("seller{number}_{}x{market}", process::id());
            accounts.push(Account::new(entrance, name).await);
        }
        let clients = accounts.iter().map(|account| entrance.client_of(&account.key));
        let clients: Vec<Client> = clients.collect();
        let mut orders = Vec::new();
        for _ in 0..ORDERS {
            let pairs = (0..ACCOUNTS).flat_map(|one| (0..ACCOUNTS).map(move |other| (one, other)));
            let placing = pairs.filter(|(seller, buyer)| seller != buyer).map(|(seller, buyer)| {
                place(clients[buyer].clone(), accounts[seller].clone(), seller, buyer)
            });
            orders.extend(placing.collect::<JoinSet<_>>().join_all().await);
        }
        let open = Open { waiting: (0..orders.len()).collect(), answers: vec![0; orders.len()] };
        Self { accounts, orders, open: Mutex::new(open) }
    }

    /// The next answer to an order that may be open, unless all are closed. The next one may be to the same
    /// order, so that two clients race.
    pub(super) fn answer(&self, is_raced: bool) -> Option<Answer> {
        let mut open = self.open.lock().unwrap();
        let number = open.waiting.pop_front()?;
        if is_raced {
            open.waiting.push_front(number);
        }
        open.answers[number] += 1;
        let charged = STEP * open.answers[number];
        assert!(charged < OFFERED, "the buyer gets a rest");
        Some(Answer { number, order: self.orders[number].clone(), charged })
    }

    /// Puts the order of an answer back, which may be open still.
    pub(super) fn put_back(&self, answer: &Answer) {
        self.open.lock().unwrap().waiting.push_back(answer.number);
    }

    /// What an answer does as a transaction of the history.
    pub(super) fn appends(&self, answer: &Answer) -> [Value; 2] {
        [answer.order.seller, answer.order.buyer]
            .map(|account| json!(["append", self.accounts[account].name, answer.element()]))
    }
}

impl Account {
    async fn new(entrance: &impl Entrance, name: String) -> Self {
        let key = entrance.client().auth().register_agent(&*name).await.unwrap().api_key;
        let services = entrance.client_of(&key).services().create("count", "counts words", 1);
        Self { name, key, service: services.await.unwrap().service.id }
    }
}

async fn place(client: Client, account: Account, seller: usize, buyer: usize) -> Order {
    let call = client.orders().create(&*account.name, &account.service, Map::new());
    let placed = call.offered_credits(Credits::from_micros(OFFERED)).await.unwrap().order;
    Order { id: placed.id, seller, buyer }
}

/// All accounts as clients of one member of the cluster.
#[derive(Clone)]
pub(super) struct Member {
    market: Arc<Market>,
    clients: Vec<Client>,
}

impl Member {
    pub(super) fn new(name: &str, market: &Arc<Market>) -> Self {
        let entrance = at(name);
        let clients = market.accounts.iter().map(|account| entrance.client_of(&account.key));
        Self { clients: clients.collect(), market: Arc::clone(market) }
    }

    /// Reads the list of an account. A read that fails changed nothing.
    pub(super) async fn read(
        &self,
        log: &Log,
        process: usize,
        account: usize,
    ) -> Result<Vec<String>, Error> {
        let name = &self.market.accounts[account].name;
        let asked = [json!(["r", name, null])];
        log.note(process, "invoke", &asked);
        let answered = self.settled(account).await;
        match &answered {
            Ok(list) => log.note(process, "ok", &[json!(["r", name, list])]),
            Err(error) => log.note_failure(process, "fail", &asked, error),
        }
        answered
    }

    /// What was settled with an account, oldest first.
    async fn settled(&self, account: usize) -> Result<Vec<String>, Error> {
        let transactions = self.clients[account].credits().transactions();
        let call = transactions.kind(TransferKind::Settle).limit(PAGE).timeout(ANSWERED);
        let page = call.await?;
        assert!(page.next_cursor.is_none(), "a list fits on a page");
        Ok(page.transactions.iter().rev().map(seen).collect())
    }

    /// Answers an order as its seller; with the same key, it is the same answer.
    pub(super) async fn answer(&self, answer: &Answer, key: &str) -> Result<(), Error> {
        let Answer { order, charged, .. } = answer;
        let seller = self.clients[order.seller].orders();
        let call = seller.answer(&order.id, ResponseStatus::Completed);
        let call = call.charged_credits(Credits::from_micros(*charged)).timeout(ANSWERED);
        call.idempotency_key(key).await.map(drop)
    }
}

/// The answer that a line of a statement is from.
fn seen(line: &Transaction) -> String {
    let order = line.request_id.as_ref().unwrap();
    let micros = line.amount.micros();
    let is_seller = line.role == Some(OrderRole::Provider);
    element(order, if is_seller { micros } else { OFFERED - micros })
}
