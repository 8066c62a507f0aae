//! New terms of an escrow: more time, a split of the credits, plans of several milestones.

use std::time::Duration;

use serde_json::{Value, json};
use svc_client::types::api::escrow::{
    AcceptSplit, CloseReason, CreatePlan, DisputeOutcome, Escrow, EscrowStatus, ExtendEscrow,
    Milestone, OfferSplit, ResolveEscrow,
};
use svc_client::types::api::keys::KeySpend;
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::{Balance, Code, EscrowId, Scope, Span};
use svc_client::{Call, Client};

use crate::app::{Member, code, fault};
use crate::market::{Market, has};
use crate::on_both_engines;

const DAY: u64 = 86_400;

impl Market {
    /// An escrow over 60 credits whose work is delivered.
    async fn delivered(&self) -> EscrowId {
        let id = self.open(60).await.id;
        self.deliver(&id).await;
        id
    }

    /// A plan of ada's with bob: 20 credits for an outline in two days, and these for the report.
    fn planning(&self, report: u32) -> Call<CreatePlan> {
        let mut outline = Milestone::new(20, "an outline");
        outline.expires_in = Some(Span::from_secs(2 * DAY));
        let milestones = [outline, Milestone::new(report, "the report")];
        self.ada.client.escrow().plan("bob", &self.service, milestones)
    }
}

/// A party offers this many credits to the provider; the version of the offer.
async fn offered(by: &Member, id: &EscrowId, part: u32) -> u32 {
    let escrow = by.client.escrow().offer_split(id, part).await.unwrap().escrow;
    let split = escrow.split.unwrap();
    assert_eq!(split.by_username, Some(by.user.username.clone()));
    u32::try_from(split.offer_version).unwrap()
}

/// What the latest event about an escrow says to a party: what happened, and the provider's part of a split.
async fn announced(to: &Member) -> (Value, Option<Value>) {
    let events = to.client.events().list().limit(100).await.unwrap().events;
    let latest = events.into_iter().rfind(|event| event.event == "escrow").unwrap();
    (latest.data["action"].clone(), latest.data.get("providerAmount").cloned())
}

fn ends(escrow: &Escrow) -> (&EscrowStatus, Option<&CloseReason>) {
    (&escrow.status, escrow.close_reason.as_ref())
}

on_both_engines! {
    async fn a_split_pays_both_parties_once(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(60).await.id;
        let order = market.ordering(market.with_escrow(60, &id)).await.unwrap().message.message_id;
        market.deliver(&id).await;
        let version = offered(&market.bob, &id, 40).await;
        let accept = || market.ada.client.escrow().accept_split(&id, version);
        let split = accept().await.unwrap().escrow;
        assert_eq!(ends(&split), (&EscrowStatus::Released, Some(&CloseReason::Split)));
        assert_eq!(split.split.unwrap().provider_amount, 40.into());
        let notified = market.bob.client.notifications().list().await.unwrap().notifications;
        let message = "the credits of the order of @ada from @bob were split: 40 credits for the seller, 20 credits for \
                    the buyer";
        assert!(notified.iter().any(|one| one.text.as_deref() == Some(message)), "{notified:?}");
        assert_eq!(market.have().await, ["60+0", "140+0"]);
        assert_eq!(code::<AcceptSplit>(accept().await), Code::WrongState);
        for (member, moved) in [(&market.ada, 20), (&market.bob, 40)] {
            let history = member.client.credits().transactions().await.unwrap().transactions;
            assert_eq!((history[0].amount, history[0].escrow_id.as_ref()), (moved.into(), Some(&id)));
        }
        let state = market.state(&order).await;
        assert_eq!(state["status"], RequestStatus::Completed.as_str());
        assert_eq!(state["chargedCredits"], 40, "what was paid, as the order says");
        let ended = market.ada.client.orders().get(&order).await.unwrap().order;
        assert_eq!((ended.status, ended.charged_credits), (OrderStatus::Completed, Some(40.into())));
        let sales = market.bob.client.services().sales("bob").await.unwrap().sales;
        assert_eq!(sales.earned, Balance::from_micros(40_000_000), "what was paid, not what was held");
        market.is_consistent().await;
    }

    async fn an_order_that_is_released_in_full_was_not_charged_what_an_offer_said(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(60).await.id;
        let order = market.ordering(market.with_escrow(60, &id)).await.unwrap().message.message_id;
        market.deliver(&id).await;
        offered(&market.bob, &id, 40).await;
        assert_eq!(announced(&market.ada).await, (json!("split_offered"), Some(json!(40))));
        market.ada.client.escrow().release(&id).await.unwrap();
        assert_eq!(announced(&market.bob).await, (json!("released"), None));
        for member in [&market.ada, &market.bob] {
            let ended = member.client.orders().get(&order).await.unwrap().order;
            assert_eq!(ended.charged_credits, Some(60.into()));
        }
        assert_eq!(market.have().await, ["40+0", "160+0"]);
        market.is_consistent().await;
    }

    async fn only_the_other_party_accepts_the_offer_that_stands(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.delivered().await;
        let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
        assert_eq!(code::<AcceptSplit>(ada.accept_split(&id, 3).await), Code::VersionMismatch, "no offer");
        let first = offered(&market.ada, &id, 10).await;
        assert_eq!(code::<AcceptSplit>(ada.accept_split(&id, first).await), Code::Forbidden, "her own");
        let second = offered(&market.ada, &id, 20).await;
        assert_eq!(code::<AcceptSplit>(bob.accept_split(&id, first).await), Code::VersionMismatch);
        market.deliver(&id).await;
        assert_eq!(market.seen(&id).await.split, None, "a new delivery voids it");
        assert_eq!(code::<AcceptSplit>(bob.accept_split(&id, second).await), Code::VersionMismatch);
        for part in [60, 61] {
            assert_eq!(code::<OfferSplit>(bob.offer_split(&id, part).await), Code::ValidationFailed);
        }
        assert_eq!(market.have().await, ["40+60", "100+0"]);
        let third = offered(&market.bob, &id, 59).await;
        let made = market.ada.client.keys().create("seller", vec![Scope::ExchangeSell]).await.unwrap();
        let sells = market.app.client(made.api_key);
        let accepted = sells.escrow().accept_split(&id, third).await;
        assert_eq!(code::<AcceptSplit>(accepted), Code::InsufficientScope, "it spends her credits");
        let made = market.bob.client.keys().create("buyer", vec![Scope::ExchangeSpend]).await.unwrap();
        let spends = market.app.client(made.api_key);
        let given = spends.escrow().offer_split(&id, 58).await;
        assert_eq!(code::<OfferSplit>(given), Code::InsufficientScope, "it gives away what he earns");
        market.dispute(&id).await;
        let split = ada.accept_split(&id, third).await.unwrap().escrow;
        assert_eq!(split.dispute.unwrap().outcome, Some(DisputeOutcome::Split), "a dispute keeps it");
        assert_eq!(market.have().await, ["41+0", "159+0"]);
        market.is_consistent().await;
    }

    async fn a_moderator_resolves_a_dispute_by_a_split(app: TestApp) {
        let market = Market::new(app).await;
        let [judge] = market.app.agents(["judge"]).await;
        market.app.grant_role("judge", "moderator").await;
        let id = market.delivered().await;
        market.dispute(&id).await;
        let resolve = |outcome| judge.client.escrow().resolve(&id, outcome, "half of it works");
        let refused = [
            resolve(DisputeOutcome::Split),
            resolve(DisputeOutcome::Split).provider_amount(60),
            resolve(DisputeOutcome::Refund).provider_amount(30),
        ];
        for call in refused {
            assert_eq!(code::<ResolveEscrow>(call.await), Code::ValidationFailed);
        }
        let resolved = resolve(DisputeOutcome::Split).provider_amount(30).await.unwrap().escrow;
        assert_eq!(ends(&resolved), (&EscrowStatus::Released, Some(&CloseReason::Split)));
        let split = resolved.split.unwrap();
        assert_eq!((split.provider_amount, split.by_username), (30.into(), None));
        assert_eq!(market.have().await, ["70+0", "130+0"]);
        market.is_consistent().await;
    }

    async fn of_a_release_and_a_split_at_once_one_wins(app: TestApp) {
        let market = Market::new(app).await;
        for _ in 0..5 {
            market.app.grant_credits("ada", 60).await;
            let id = market.delivered().await;
            let version = offered(&market.bob, &id, 40).await;
            let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
            let (released, split, refunded) =
                tokio::join!(ada.release(&id), ada.accept_split(&id, version), bob.refund(&id));
            let won = [released.is_ok(), split.is_ok(), refunded.is_ok()];
            assert_eq!(won.iter().filter(|won| **won).count(), 1, "{won:?}");
        }
        market.is_consistent().await;
    }

    async fn the_buyer_gives_more_time_before_the_delivery(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await;
        let id = &escrow.id;
        let extend = |days: u64| market.ada.client.escrow().extend(id, Span::from_secs(days * DAY));
        for days in [6, 91] {
            assert_eq!(code::<ExtendEscrow>(extend(days).await), Code::ValidationFailed, "{days}");
        }
        let extended = extend(14).await.unwrap().escrow;
        assert_eq!(extended.expires_at, escrow.created_at.plus(Duration::from_secs(14 * DAY)));
        assert_eq!(extended.version, escrow.version + 1);
        market.app.advance(10 * DAY);
        assert_eq!(market.seen(id).await.status, EscrowStatus::Funded);
        assert_eq!(code::<ExtendEscrow>(extend(81).await), Code::ValidationFailed, "since its creation");
        market.app.advance(5 * DAY);
        let expired = market.seen(id).await;
        assert_eq!(ends(&expired), (&EscrowStatus::Cancelled, Some(&CloseReason::Expired)));
        assert_eq!(code::<ExtendEscrow>(extend(30).await), Code::WrongState);
        market.is_consistent().await;
    }

    async fn a_plan_is_refused_as_its_escrows_would_be_and_leaves_none(app: TestApp) {
        let market = Market::new(app).await;
        let parts = || [Milestone::new(30, "a part"), Milestone::new(30, "another")];
        let plan = |by: &Client| by.escrow().plan("bob", &market.service, parts());
        let spend = KeySpend { per_order: None, per_day: Some(50.into()) };
        let scopes = [Scope::Read, Scope::ExchangeSpend];
        let key = market.ada.client.keys().create("buyer", scopes).spend(spend).await.unwrap();
        let beyond = plan(&market.app.client(key.api_key)).await;
        assert_eq!(code::<CreatePlan>(beyond), Code::SpendLimit, "of the first one, 20 are left");
        assert_eq!(code::<CreatePlan>(plan(&market.bob.client).await), Code::SelfEscrow);
        let nothing = market.ada.client.escrow().plan("bob", "srv_0000000000001", parts()).await;
        assert_eq!(code::<CreatePlan>(nothing), Code::ServiceNotFound);
        market.app.block(&market.bob, &market.ada).await;
        assert_eq!(code::<CreatePlan>(plan(&market.ada.client).await), Code::Blocked);
        let nobody = market.ada.client.escrow().plan("nobody", &market.service, parts()).await;
        assert_eq!(code::<CreatePlan>(nobody), Code::NotFound);
        let mut short = parts();
        short[1].expires_in = Some(Span::from_secs(59));
        let short = market.ada.client.escrow().plan("nobody", &market.service, short).await;
        let expected = (Code::ValidationFailed, "/milestones/1/expiresIn".to_owned());
        assert_eq!(fault::<CreatePlan>(short), expected, "before anything is looked up");
        assert!(market.ada.client.escrow().list().await.unwrap().escrows.is_empty());
        assert_eq!(has(&market.ada).await, "100+0");
        market.is_consistent().await;
    }

    async fn a_plan_is_funded_whole_or_not_at_all(app: TestApp) {
        let market = Market::new(app).await;
        let refused = market.planning(81).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::InsufficientCredits));
        let message = "there are too few credits to fund every milestone: 101 needed, 100 available";
        assert_eq!(refused.message(), message);
        assert!(market.ada.client.escrow().list().await.unwrap().escrows.is_empty());
        for count in [1, 21] {
            let milestones = (0..count).map(|_| Milestone::new(1, "a part"));
            let refused = market.ada.client.escrow().plan("bob", &market.service, milestones).await;
            assert_eq!(code::<CreatePlan>(refused), Code::ValidationFailed, "{count}");
        }
        let plan = market.planning(80).await.unwrap();
        let funded = |escrow: &Escrow| escrow.status == EscrowStatus::Funded;
        assert!(plan.escrows.iter().all(funded));
        for (escrow, days) in plan.escrows.iter().zip([2, 7]) {
            let expires_at = escrow.created_at.plus(Duration::from_secs(days * DAY));
            assert_eq!(escrow.expires_at, expires_at, "each has its own time");
        }
        assert_eq!(market.have().await, ["0+100", "100+0"]);
        market.app.grant_credits("ada", 10).await;
        market.open(10).await;
        for member in [&market.ada, &market.bob] {
            let listed = member.client.escrow().list().plan_id(&plan.plan_id).await.unwrap().escrows;
            let ids: Vec<_> = listed.iter().rev().map(|escrow| &escrow.id).collect();
            assert_eq!(ids, plan.escrows.iter().map(|escrow| &escrow.id).collect::<Vec<_>>());
            assert!(listed.iter().all(|escrow| escrow.plan_id.as_ref() == Some(&plan.plan_id)));
        }
        let first = &plan.escrows[0].id;
        let order = market.placing().escrow_id(first).await.unwrap().order;
        market.deliver(first).await;
        market.ada.client.escrow().release(first).await.unwrap();
        let done = market.ada.client.orders().get(&order.id).await.unwrap().order;
        assert_eq!((done.status, done.charged_credits), (OrderStatus::Completed, Some(20.into())));
        market.is_consistent().await;
    }

    async fn a_suspended_provider_is_not_paid_for_an_escrow_that_was_opened_before(app: TestApp) {
        let market = Market::new(app).await;
        let [unpaid, paid] = [market.open(150).await.id, market.open(10).await.id];
        market.app.grant_credits("ada", 100).await;
        market.app.suspend("bob").await;
        let ada = market.ada.client.escrow();
        let refused = ada.fund(&unpaid).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::Forbidden));
        let hint = "cancel the escrow, or wait for the end of the suspension";
        assert_eq!(refused.hint(), Some(hint));
        let again = ada.fund(&paid).await.unwrap_err();
        assert_eq!(again.code(), Some(&Code::WrongState), "the state comes first");
        assert_eq!(market.have().await, ["190+10", "100+0"]);
        market.app.unsuspend("bob").await;
        ada.fund(&unpaid).await.unwrap();
        assert_eq!(market.have().await, ["40+160", "100+0"]);
        market.is_consistent().await;
    }
}
