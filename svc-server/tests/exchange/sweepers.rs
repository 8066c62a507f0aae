//! Sweeps without a leader: overdue items advance exactly once.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream;
use svc_server::testing::Engine;
use svc_store::db::{Sql, sql, values};
use svc_types::api::credits::{CreditBalance, GetCredits};
use svc_types::api::escrow::{EscrowStatus, GetEscrow};
use svc_types::{Code, EscrowId};

use crate::bank::{Trader, escrow, order, traders};
use crate::node::Node;
use crate::on_both_engines;
use crate::real::requests::moving;
use crate::step::Act;

/// Deals of each kind: escrows that expire, escrows that are released, orders without an answer.
const MANY: usize = 100;
const SOME: usize = 30;

/// Accounts; the first half buys from the second.
const ACCOUNTS: i64 = 10;

/// What each begins with.
const PURSE: i64 = 100_000_000;

/// What each deal is worth.
const WORTH: i64 = 1_000_000;

/// Requests at once while the deals are made.
const AT_ONCE: usize = 16;

/// Later than every deadline.
const LATER: Duration = Duration::from_hours(8 * 24);

/// Deals that the clock has to end.
struct Deals {
    /// How many of each kind.
    each: usize,
    traders: Vec<Trader>,
    undelivered: Vec<(usize, EscrowId)>,
}

impl Deals {
    /// Buyer and seller of a deal.
    fn parties(traders: &[Trader], deal: usize) -> (&Trader, &Trader) {
        let half = traders.len() / 2;
        (&traders[deal % half], &traders[half + deal % half])
    }

    /// Makes them all, then lets their deadlines pass.
    async fn overdue(node: &Node, each: usize) -> Self {
        let traders = traders(node, ACCOUNTS, PURSE).await;
        let open = |deal| {
            let (buyer, seller) = Self::parties(&traders, deal);
            async move {
                node.ask(&buyer.caller, &order(seller, WORTH)).await;
                let delivered = node.ask(&buyer.caller, &escrow(seller, WORTH)).await.escrow;
                let act = moving(&seller.caller, delivered.id, Act::Deliver);
                assert!(node.send(&act).await.status.is_success());
                (deal, node.ask(&buyer.caller, &escrow(seller, WORTH)).await.escrow.id)
            }
        };
        let undelivered = stream::iter(0..each).map(open).buffer_unordered(AT_ONCE);
        let undelivered = undelivered.collect().await;
        node.advance(LATER);
        Self { each, traders, undelivered }
    }

    /// Each deal was ended once, and its credits went where they belong.
    async fn check(&self, node: &Node) {
        let each = i64::try_from(self.each).unwrap();
        self.check_credits(node, each).await;
        let settled = sql!("select count(*) from ledger_transfer where kind = 'settle'");
        assert_eq!(count(node, settled).await, 3 * each);
        let moved = sql!("select count(*) from escrow_event where actor is null");
        assert_eq!(count(node, moved).await, 2 * each);
        let reported = sql!(
            "select count(*) from event
             where kind = 'service' or body like '%auto_released%' or body like '%expired%'"
        );
        assert_eq!(count(node, reported).await, 2 * 3 * each);
        node.audit().await;
    }

    /// One kind of deal was paid, the others were given back.
    async fn check_credits(&self, node: &Node, each: i64) {
        let paid = WORTH * each / (ACCOUNTS / 2);
        for (number, trader) in self.traders.iter().enumerate() {
            let credits = node.credits(&trader.caller).await;
            let change = if number < self.traders.len() / 2 { -paid } else { paid };
            assert_eq!((credits.available.micros(), credits.held.micros()), (PURSE + change, 0));
        }
    }

    /// Every seller delivers too late.
    async fn deliver_late(&self, node: &Node) {
        let late = |(deal, id): &(usize, EscrowId)| {
            let (_, seller) = Self::parties(&self.traders, *deal);
            let act = moving(&seller.caller, id.clone(), Act::Deliver);
            async move { node.send(&act).await }
        };
        let answers = stream::iter(&self.undelivered).map(late).buffer_unordered(AT_ONCE);
        for answer in answers.collect::<Vec<_>>().await {
            let hint = answer.refusal().and_then(|refusal| refusal.hint);
            assert_eq!(hint.as_deref(), Some(EscrowStatus::Cancelled.as_str()), "{answer:?}");
        }
    }

    /// All accounts read their credits.
    async fn read_credits(&self, node: &Node) {
        join_all(self.traders.iter().map(|trader| node.credits(&trader.caller))).await;
    }
}

async fn count(node: &Node, sql: Sql) -> i64 {
    node.app.read(move |ctx| ctx.tx.one(sql, &[])).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_concurrent_sweeps_advance_everything_once() {
    let node = Node::on(Engine::Sqlite).await.unwrap();
    let deals = Deals::overdue(&node, MANY).await;
    tokio::join!(node.sweep(), node.sweep());
    deals.check(&node).await;
    node.sweep().await;
    deals.check(&node).await;
}

on_both_engines! {
    async fn sweeps_and_late_callers_advance_everything_once(node: Node) {
        let deals = Deals::overdue(&node, SOME).await;
        tokio::join!(node.sweep(), deals.deliver_late(&node), deals.read_credits(&node));
        deals.check(&node).await;
    }

    async fn reads_do_not_wait_for_a_sweep(node: Node) {
        let deals = Deals::overdue(&node, SOME).await;
        deals.deliver_late(&node).await;
        deals.check(&node).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_database_advance_everything_once() {
    let Some([one, other]) = Node::several::<2>().await else { return };
    let deals = Deals::overdue(&one, MANY).await;
    tokio::join!(one.sweep(), other.sweep(), deals.deliver_late(&other), deals.read_credits(&one));
    deals.check(&one).await;
    deals.check(&other).await;
}

/// Asks for an account's credits, and again as long as the answer says so.
async fn credits_at_last(node: &Node, of: &Trader) -> CreditBalance {
    let sent = of.caller.request(&GetCredits {});
    for _ in 0..3 {
        let answer = node.send(&sent).await;
        match answer.refusal() {
            Some(refusal) => assert_eq!(refusal.code, Code::Overloaded),
            None => return answer.read::<GetCredits>().credits,
        }
    }
    panic!("asking again did not help");
}

on_both_engines! {
    async fn an_account_with_hundreds_of_overdue_deals_gets_its_credits(node: Node) {
        let traders = traders(&node, 2, 300 * WORTH).await;
        let new = escrow(&traders[1], WORTH);
        let open = |_| node.ask(&traders[0].caller, &new);
        stream::iter(0..220).map(open).buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
        node.advance(LATER);
        let credits = credits_at_last(&node, &traders[0]).await;
        assert_eq!((credits.available.micros(), credits.held.micros()), (300 * WORTH, 0));
        node.audit().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_follow_the_clock_of_the_database() {
    let Some(node) = Node::ahead(3_600).await else { return };
    let traders = traders(&node, 2, PURSE).await;
    let buyer = &traders[0].caller;
    let escrow_id = node.ask(buyer, &escrow(&traders[1], WORTH)).await.escrow.id;
    let due_now = node.app.clock.now();
    let sql = sql!("update escrow set due_at = $1");
    let rows = node.app.write(move |ctx| ctx.tx.execute(sql, values![due_now])).await.unwrap();
    assert_eq!(rows, 1);
    node.sweep().await;
    let found = node.ask(buyer, &GetEscrow { escrow_id }).await.escrow;
    assert_eq!(found.status, EscrowStatus::Funded);
    assert_eq!(node.credits(buyer).await.held.micros(), WORTH);
}
