//! Many callers at once: whatever they race for, one wins, and no credit is made or lost.

use std::sync::Arc;

use adya::r#gen::Rng;
use http::StatusCode;
use svc_core::app::Ctx;
use svc_store::sql;
use svc_types::api::escrow::CreateEscrow;
use svc_types::api::messages::SendMessage;
use svc_types::{Credits, EscrowId, MessageId, ServiceId, ServiceMessage, ServiceRequest};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::task::JoinSet;

use crate::calls::{Caller, Sent, message, service};
use crate::node::Node;
use crate::on_both_engines;
use crate::real::requests::{moving, response};
use crate::step::{Act, Word};

/// Accounts, each an agent with a service.
const ACCOUNTS: i64 = 8;

/// Callers at once.
const TASKS: u64 = 12;

/// Deals of each.
const DEALS: u64 = 10;

/// What each account begins with.
const PURSE: i64 = 50_000_000;

/// An account that buys and sells.
#[derive(Clone)]
pub(crate) struct Trader {
    pub(crate) caller: Caller,
    pub(crate) service: ServiceId,
}

/// Accounts with credits, each with a service.
pub(crate) async fn traders(node: &Node, count: i64, purse: i64) -> Vec<Trader> {
    let admin = node.admin("ada").await;
    let mut traders = Vec::new();
    for number in 0..count {
        let caller = node.agent(&format!("trader_{number}")).await;
        node.grant(&admin, &caller, purse).await;
        let service = node.offer(&caller, &service("work")).await;
        traders.push(Trader { caller, service });
    }
    traders
}

/// The order of a seller's service for this many micro-credits.
pub(crate) fn order(seller: &Trader, micros: i64) -> SendMessage {
    let what = ServiceMessage::Request(ServiceRequest {
        service_id: seller.service.clone(),
        service_name: "work".into(),
        input: serde_json::Map::new(),
        offered_credits: Credits::from_micros(micros),
        escrow_id: None,
    });
    message(&seller.caller, &what)
}

/// An escrow over this many micro-credits.
pub(crate) fn escrow(seller: &Trader, micros: i64) -> CreateEscrow {
    CreateEscrow {
        provider_username: (&seller.caller.name).into(),
        service_id: seller.service.clone(),
        amount: Credits::from_micros(micros).bounded(),
        description: "some work".into(),
        expires_in: None,
    }
}

/// One caller's deals with random others.
struct Worker {
    node: Arc<Node>,
    traders: Arc<Vec<Trader>>,
    rng: Rng,
}

impl Worker {
    async fn work(mut self) {
        let traders = Arc::clone(&self.traders);
        for _ in 0..DEALS {
            let buyer = self.below(ACCOUNTS);
            let seller = (buyer + 1 + self.below(ACCOUNTS - 1)) % ACCOUNTS;
            let [buyer, seller] = [buyer, seller].map(|it| &traders[usize::try_from(it).unwrap()]);
            let micros = 1 + self.below(20_000_000);
            if self.rng.chance(0.5) {
                self.order(buyer, seller, micros).await;
            } else {
                self.escrow(buyer, seller, micros).await;
            }
        }
    }

    fn below(&mut self, end: i64) -> i64 {
        i64::try_from(self.rng.below(end.unsigned_abs())).unwrap()
    }

    /// Two answers to one order: one closes it.
    async fn order(&mut self, buyer: &Trader, seller: &Trader, micros: i64) {
        let sent = buyer.caller.request(&order(seller, micros));
        let answer = self.node.send(&sent).await;
        if refused_for_credits(answer.status) {
            return;
        }
        let id: MessageId = answer.read::<SendMessage>().message.message_id;
        let charged = self.below(micros + 1);
        let done = response(id.as_str(), Word::Completed, Some(charged));
        let failed = response(id.as_str(), Word::Error, None);
        let answers = [done, failed];
        let [done, failed] =
            answers.map(|what| seller.caller.request(&message(&buyer.caller, &what)));
        self.race(&done, &failed).await;
    }

    /// A delivery and its cancellation: whichever comes first forbids the other one.
    async fn escrow(&self, buyer: &Trader, seller: &Trader, micros: i64) {
        let open = buyer.caller.request(&escrow(seller, micros));
        let opened = self.node.send(&open).await.read::<CreateEscrow>().escrow;
        let step = |by: &Trader, act| moving(&by.caller, opened.id.clone(), act);
        if opened.funded_at.is_none() {
            self.fund(&step(buyer, Act::Fund { expected: None })).await;
        }
        let (deliver, cancel) = (step(seller, Act::Deliver), step(buyer, Act::Cancel));
        let answers = tokio::join!(self.node.send(&deliver), self.node.send(&cancel));
        let done = (answers.0.status.is_success(), answers.1.status.is_success());
        assert!(done.0 != done.1, "{answers:?}");
        if done.0 {
            self.end(buyer, seller, &opened.id).await;
        }
    }

    /// Pays twice at once, which is done once, or not at all for want of credits.
    async fn fund(&self, fund: &Sent) {
        let answers = tokio::join!(self.node.send(fund), self.node.send(fund));
        let funded = [answers.0.status, answers.1.status].map(|status| status.is_success());
        assert_ne!(funded, [true, true], "{answers:?}");
    }

    /// Acceptance and refund of a delivery, which a dispute allows too: one ends it.
    async fn end(&self, buyer: &Trader, seller: &Trader, escrow: &EscrowId) {
        let step = |by: &Trader, act| moving(&by.caller, escrow.clone(), act);
        let release = step(buyer, Act::Release { version: None, half_steps: Some(9) });
        let (refund, dispute) = (step(seller, Act::Refund), step(buyer, Act::Dispute));
        let race = self.race(&release, &refund);
        let (disputed, ()) = tokio::join!(self.node.send(&dispute), race);
        assert!(matches!(disputed.status, StatusCode::OK | StatusCode::CONFLICT), "{disputed:?}");
    }

    /// Sends both at once: one is done, the other one refused.
    async fn race(&self, one: &Sent, other: &Sent) {
        let (one, other) = tokio::join!(self.node.send(one), self.node.send(other));
        let won = [&one, &other].into_iter().filter(|answer| answer.status.is_success()).count();
        let lost = [&one, &other].map(|answer| answer.status == StatusCode::CONFLICT);
        assert!(won == 1 && lost != [false, false], "{one:?}\n{other:?}");
    }
}

/// A conflict here means too few credits.
fn refused_for_credits(status: StatusCode) -> bool {
    status == StatusCode::CONFLICT
}

/// Sum of all balances and the lowest one but that of the issuance, at one instant.
fn sums(ctx: &mut Ctx<'_, '_>) -> svc_store::error::Result<(i64, i64)> {
    ctx.tx.one(
        sql!(
            "select cast(coalesce(sum(balance), 0) as bigint),
                cast(coalesce(min(case when kind <> 'issuance' then balance else 0 end), 0)
                    as bigint)
             from ledger_account"
        ),
        &[],
    )
}

/// Checks the ledger until all deals are done; returns how often it checked.
async fn watch(node: Arc<Node>, mut done: oneshot::Receiver<()>) -> usize {
    let mut looks = 0;
    // It is also over when a deal failed.
    while done.try_recv() == Err(TryRecvError::Empty) {
        let (sum, lowest) = node.app.snapshot(sums).await.unwrap();
        assert_eq!((sum, lowest), (0, 0), "sum of all balances, and the lowest");
        looks += 1;
    }
    looks
}

on_both_engines! {
    async fn concurrent_deals_neither_create_nor_lose_credits(node: Node) {
        let node = Arc::new(node);
        let traders = Arc::new(traders(&node, ACCOUNTS, PURSE).await);
        let (done, reported) = oneshot::channel();
        let watcher = tokio::spawn(watch(Arc::clone(&node), reported));
        let workers: JoinSet<()> = (0..TASKS)
            .map(|seed| {
                let (node, traders) = (Arc::clone(&node), Arc::clone(&traders));
                Worker { node, traders, rng: Rng::new(seed) }.work()
            })
            .collect();
        workers.join_all().await;
        done.send(()).unwrap();
        assert!(watcher.await.unwrap() > 0, "balances were read during the deals");
        let mut total = 0;
        for trader in traders.iter() {
            let credits = node.credits(&trader.caller).await;
            total += credits.available.micros() + credits.held.micros();
        }
        assert_eq!(total, PURSE * ACCOUNTS);
        node.audit().await;
    }
}
