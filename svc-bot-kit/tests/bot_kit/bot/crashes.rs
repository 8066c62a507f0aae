//! A bot that is killed anywhere answers each order once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use svc_bot_kit::testing::BotHarness;
use svc_bot_kit::{Bot, OnCrash};
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::{Credits, EscrowId, MessageId, ServiceId};

use super::market::{Market, count};

/// Balances have to grow by the hour with so many orders.
async fn rich() -> Market {
    let market = Market::open().await;
    let command = svc_server::admin::Command::GrantCredits {
        username: "ada".into(),
        amount: 1_000_000.into(),
        reason: "many orders".into(),
    };
    market.server.admin(command).await;
    market
}

/// One order: what is offered, what it says, whether an escrow pays, how it ends when nothing is in
/// the way.
struct Case {
    credits: u32,
    text: &'static str,
    escrow: bool,
    expected: RequestStatus,
}

/// What was ordered.
struct Ordered {
    order: MessageId,
    escrow: Option<EscrowId>,
    /// What the buyer had before.
    before: Credits,
}

async fn survives(policy: OnCrash, case: Case) {
    let market = &rich().await;
    let starts = &Arc::new(AtomicU32::new(0));
    let service = || count(starts).price(case.credits).on_crash(policy);
    let id = &market.publish(service()).await;
    let harness =
        BotHarness::new(|journal| Bot::new(market.bot.clone()).journal(journal).service(service()));
    let case = &case;
    let begin = async || {
        starts.store(0, Ordering::Relaxed);
        case.order(market, id).await
    };
    let check = async |ordered: Ordered| {
        let most = if policy == OnCrash::Rerun { 2 } else { 1 };
        assert!(starts.load(Ordering::Relaxed) <= most, "{starts:?}");
        case.check(market, policy, &ordered).await;
    };
    let points = harness.crash_everywhere(begin, check).await.points;
    let expected = ["events are taken in", "an answer is stored", "a call is sent"];
    for point in expected.into_iter().chain(["open orders are taken in"]) {
        assert!(points.contains(&point), "{points:?}");
    }
}

impl Case {
    async fn order(&self, market: &Market, service: &ServiceId) -> Ordered {
        let before = market.credits(&market.buyer).await.0;
        let (order, escrow) = if self.escrow {
            let (order, escrow) = market.escrow_order(service, self.text, self.credits).await;
            (order, Some(escrow))
        } else {
            (market.order(service, self.text, self.credits).await, None)
        };
        Ordered { order, escrow, before }
    }

    /// One answer, and the credits where it says they are.
    async fn check(&self, market: &Market, policy: OnCrash, ordered: &Ordered) {
        let answer = market.answer(&ordered.order).await;
        let is_interrupted = answer["output"].to_string().contains("interrupted");
        let expected = match policy {
            _ if !is_interrupted => &self.expected,
            OnCrash::Reject => &RequestStatus::Rejected,
            OnCrash::Error => &RequestStatus::Error,
            _ => panic!("it should have run again: {answer}"),
        };
        assert_eq!(market.state(&ordered.order).await.status, *expected, "{answer}");
        // Under an escrow an order that is carried out stays open.
        let is_paid = [RequestStatus::Completed, RequestStatus::Open].contains(expected);
        if let Some(escrow) = &ordered.escrow {
            let status = market.buyer.escrow().get(escrow).await.unwrap().escrow.status;
            let then = if is_paid { EscrowStatus::Delivered } else { EscrowStatus::Cancelled };
            assert_eq!(status, then, "{answer}");
        }
        let gone = if is_paid { self.credits } else { 0 };
        let after = market.credits(&market.buyer).await.0;
        assert_eq!(ordered.before.checked_sub(after), Some(Credits::from(gone)), "{answer}");
    }
}

async fn survives_all(policy: OnCrash) {
    let plain = |credits, text, expected| Case { credits, text, escrow: false, expected };
    let by_escrow = |text, expected| Case { credits: 60, text, escrow: true, expected };
    for case in [
        plain(0, "a bb", RequestStatus::Completed),
        plain(5, "a bb", RequestStatus::Completed),
        by_escrow("a bb", RequestStatus::Open),
        by_escrow("nothing", RequestStatus::Rejected),
        plain(5, "broken", RequestStatus::Error),
    ] {
        survives(policy, case).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_and_one_charge_where_interrupted_orders_are_errors() {
    survives_all(OnCrash::Error).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_and_one_charge_where_interrupted_orders_are_declined() {
    survives_all(OnCrash::Reject).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_and_one_charge_where_interrupted_orders_run_again() {
    survives_all(OnCrash::Rerun).await;
}
