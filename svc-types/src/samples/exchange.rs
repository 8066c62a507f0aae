//! Samples of the bot exchange.

use serde_json::{Map, json};

use super::{SampleVisitor, limit, payload};
use crate::api::billing::{CreateCheckout, GetBilling, GetPayment, ListPayments, RefundPayment};
use crate::api::bots::{BotSort, DiscoverBots, GetCapabilities, GetReputation, ListBotReviews};
use crate::api::credits::{GetCredits, GrantCredits, ListTransactions, TransferKind};
use crate::api::escrow::{
    AcceptSplit, CancelEscrow, CreateEscrow, CreatePlan, DeclineEscrow, DeliverEscrow, Deliverable,
    DisputeEscrow, DisputeOutcome, EscrowRole, EscrowStatus, ExtendEscrow, FundEscrow, GetEscrow,
    GetEscrowAttestation, ListEscrowEvents, ListEscrows, Milestone, OfferSplit, RefundEscrow,
    ReleaseEscrow, ResolveEscrow, RespondToDispute,
};
use crate::api::orders::{
    AnswerOrder, AnswerSample, CancelOrder, CreateOrder, CreateReview, DeleteReview, ExtendOrder,
    GetOrder, InputOrder, ListOrderPartials, ListOrders, OrderRole, OrderStatus, ProgressOrder,
    ProgressState, ProposeSample, ResponseStatus, SampleState, WithdrawSample,
};
use crate::api::payouts::{
    ApprovePayout, CancelPayout, ConnectPayouts, DenyPayout, GetBillingStatus, GetPayoutAccount,
    ListPayouts, RequestPayout,
};
use crate::api::sales::{GetSales, SalesWindow};
use crate::api::services::{
    Acceptance, CheckBotService, CreateBotService, CreateService, DeleteBotService, DeleteService,
    ListBotServices, ListSampleOrders, ListServiceReviews, ListServices, ServiceCategory,
    ServiceSample, UpdateBotService, UpdateService,
};
use crate::api::tiers::{
    BuyPass, CancelSubscription, GetTier, OpenPortal, ResumeSubscription, Subscribe,
};
use crate::api::users::Tier;
use crate::{
    Credits, EscrowId, Id, MessageId, PaymentId, PayoutId, PlanId, Rating, ServiceId, Share, Span,
    Timestamp,
};

fn service() -> ServiceId {
    ServiceId::from_number(0x3240_0000_0000_0005)
}

fn escrow_id() -> EscrowId {
    EscrowId::from_number(0x3240_0000_0000_0006)
}

pub(super) fn bots(visitor: &mut impl SampleVisitor) {
    visitor.visit(DiscoverBots {
        service: Some("word count".into()),
        max_price: Some(Credits::from_micros(12_500_000)),
        min_rating: Rating::from_half_steps(9),
        category: Some(ServiceCategory::Writing),
        language: Some("en".into()),
        max_answer_seconds: Some(90.into()),
        min_success: Share::from_thousandths(950),
        sort: Some(BotSort::Price),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetCapabilities { username: "wordbot".into() });
    visitor.visit(ListBotReviews {
        username: "wordbot".into(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetReputation { username: "wordbot".into() });
    visitor.visit(ListServices {});
    visitor.visit(CreateService {
        name: "count".into(),
        description: "counts words".into(),
        price_credits: 5.into(),
        input_schema: json!({ "type": "object", "required": ["text"] }).as_object().cloned(),
        output_schema: json!({ "type": "object" }).as_object().cloned(),
        tags: Some(vec!["text".into()]),
        active: Some(true),
        acceptance: Some(Acceptance::Explicit),
        category: Some(ServiceCategory::Writing),
        languages: Some(vec!["en".into(), "pt-BR".into()]),
        samples: Some(vec![sample()]),
    });
    visitor.visit(UpdateService {
        service_id: service(),
        name: Some("count words".into()),
        description: Some("counts the words of a text".into()),
        price_credits: Some(Credits::from_micros(500_000)),
        input_schema: Some(Map::new()),
        output_schema: None,
        tags: Some(Vec::new()),
        active: Some(false),
        acceptance: Some(Acceptance::Implicit),
        category: Some(ServiceCategory::Data),
        languages: Some(vec!["de".into()]),
        samples: Some(Vec::new()),
    });
    visitor.visit(DeleteService { service_id: service() });
    visitor.visit(ListBotServices { username: "wordbot".into() });
    visitor.visit(CreateBotService {
        username: "wordbot".into(),
        name: "count".into(),
        description: "counts words".into(),
        price_credits: 5.into(),
        input_schema: json!({ "type": "object", "required": ["text"] }).as_object().cloned(),
        output_schema: json!({ "type": "object" }).as_object().cloned(),
        tags: Some(vec!["text".into()]),
        active: Some(true),
        acceptance: Some(Acceptance::Explicit),
        category: Some(ServiceCategory::Writing),
        languages: Some(vec!["en".into(), "pt-BR".into()]),
        samples: Some(vec![sample()]),
    });
    visitor.visit(UpdateBotService {
        username: "wordbot".into(),
        service_id: service(),
        name: Some("count words".into()),
        description: Some("counts the words of a text".into()),
        price_credits: Some(Credits::from_micros(500_000)),
        input_schema: Some(Map::new()),
        output_schema: None,
        tags: Some(Vec::new()),
        active: Some(false),
        acceptance: Some(Acceptance::Implicit),
        category: Some(ServiceCategory::Data),
        languages: Some(vec!["de".into()]),
        samples: Some(Vec::new()),
    });
    visitor.visit(CheckBotService {
        username: "wordbot".into(),
        service_id: Some(service()),
        name: "count words".into(),
        description: "counts the words of a text".into(),
        price_credits: 5.into(),
        input_schema: json!({ "type": "object", "required": ["text"] }).as_object().cloned(),
        output_schema: None,
        tags: Some(vec!["text".into()]),
        languages: Some(vec!["en".into()]),
        samples: Some(vec![sample()]),
    });
    visitor.visit(ListSampleOrders { username: "wordbot".into(), service_id: service() });
    visitor.visit(DeleteBotService { username: "wordbot".into(), service_id: service() });
    visitor.visit(ListServiceReviews { service_id: service(), limit: Some(limit()), cursor: None });
    visitor.visit(GetSales { username: "wordbot".into(), window: Some(SalesWindow::Quarter) });
}

/// A sample of the service.
fn sample() -> ServiceSample {
    let object = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    ServiceSample::new(object(json!({ "text": "a bb ccc" })), object(json!({ "words": 3 })))
}

pub(super) fn credits(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetCredits {});
    visitor.visit(ListTransactions {
        kind: Some(TransferKind::Settle),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GrantCredits {
        username: "ada".into(),
        amount: 100.into(),
        reason: "for the tests".into(),
    });
}

pub(super) fn billing(visitor: &mut impl SampleVisitor) {
    let payment_id = PaymentId::from_number(0x3240_0000_0000_000b);
    visitor.visit(GetBilling {});
    visitor.visit(CreateCheckout { credits: 500.into() });
    visitor.visit(ListPayments { limit: Some(limit()), cursor: None });
    visitor.visit(GetPayment { payment_id: payment_id.clone(), wait_seconds: Some(30.into()) });
    visitor.visit(RefundPayment { payment_id, credits: Some(100.into()) });
}

pub(super) fn tiers(visitor: &mut impl SampleVisitor) {
    visitor.visit(GetTier {});
    visitor.visit(BuyPass { tier: Tier::Boost });
    visitor.visit(Subscribe { seats: vec!["ada".into(), "mallory".into()] });
    visitor.visit(CancelSubscription {});
    visitor.visit(ResumeSubscription {});
    visitor.visit(OpenPortal {});
}

pub(super) fn payouts(visitor: &mut impl SampleVisitor) {
    let payout_id = PayoutId::from_number(0x3240_0000_0000_000c);
    visitor.visit(ListPayouts { limit: Some(limit()), cursor: None });
    visitor.visit(GetPayoutAccount {});
    visitor.visit(ConnectPayouts { country: "DE".into() });
    visitor.visit(RequestPayout { credits: 100.into(), from: Some("wordbot".into()) });
    visitor.visit(CancelPayout { payout_id: payout_id.clone() });
    visitor.visit(ApprovePayout { payout_id: payout_id.clone() });
    visitor.visit(DenyPayout { payout_id, reason: "the seller is not known".into() });
    visitor.visit(GetBillingStatus {});
}

pub(super) fn escrow(visitor: &mut impl SampleVisitor) {
    let escrow_id = escrow_id();
    visitor.visit(CreateEscrow {
        provider_username: "wordbot".into(),
        service_id: service(),
        amount: 60.into(),
        description: "a report on rust".into(),
        expires_in: Some(Span::from_secs(7 * 86_400)),
    });
    visitor.visit(ListEscrows {
        role: Some(EscrowRole::Buyer),
        status: Some(EscrowStatus::Funded),
        counterparty: Some("wordbot".into()),
        plan_id: Some(PlanId::from_number(0x3240_0000_0000_0009)),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(CreatePlan {
        provider_username: "wordbot".into(),
        service_id: service(),
        milestones: vec![Milestone::new(20, "an outline"), Milestone::new(40, "the report")],
    });
    visitor.visit(GetEscrow { escrow_id: escrow_id.clone() });
    visitor.visit(GetEscrowAttestation { escrow_id: escrow_id.clone() });
    visitor.visit(ListEscrowEvents {
        escrow_id: escrow_id.clone(),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(FundEscrow { escrow_id: escrow_id.clone(), expected_amount: Some(60.into()) });
    visitor.visit(ExtendEscrow {
        escrow_id: escrow_id.clone(),
        expires_in: Span::from_secs(14 * 86_400),
    });
    visitor
        .visit(CancelEscrow { escrow_id: escrow_id.clone(), reason: Some("found another".into()) });
    visitor.visit(DeclineEscrow {
        escrow_id: escrow_id.clone(),
        reason: Some("too much to do".into()),
    });
    let checksum = format!("sha256:{}", "0f".repeat(32));
    let mut deliverable = Deliverable::code("https://git.example.org/report", "main", checksum);
    deliverable.access_token = Some("read-only-token".into());
    deliverable.rest = payload();
    let notes = Some("see README".into());
    visitor.visit(DeliverEscrow { escrow_id: escrow_id.clone(), deliverable, notes });
    visitor.visit(ReleaseEscrow {
        escrow_id,
        rating: Rating::from_half_steps(9),
        feedback: Some("as promised".into()),
        deliverable_version: Some(1.into()),
    });
}

pub(super) fn disputes(visitor: &mut impl SampleVisitor) {
    visitor.visit(DisputeEscrow {
        escrow_id: escrow_id(),
        reason: "the tests fail".into(),
        evidence: Some(json!({ "failed": 3 })),
    });
    visitor.visit(RespondToDispute {
        escrow_id: escrow_id(),
        response: "they pass here".into(),
        evidence: Some(json!(["log", 1])),
    });
    visitor.visit(RefundEscrow { escrow_id: escrow_id(), reason: Some("my fault".into()) });
    visitor.visit(OfferSplit { escrow_id: escrow_id(), provider_amount: 20.into() });
    visitor.visit(AcceptSplit { escrow_id: escrow_id(), offer_version: 4.into() });
    visitor.visit(ResolveEscrow {
        escrow_id: escrow_id(),
        outcome: DisputeOutcome::Split,
        provider_amount: Some(20.into()),
        note: "half of the tests fail".into(),
    });
}

fn order() -> MessageId {
    MessageId::from_number(0x3240_0000_0000_0008)
}

pub(super) fn orders(visitor: &mut impl SampleVisitor) {
    visitor.visit(CreateOrder {
        provider_username: "wordbot".into(),
        service_id: service(),
        input: json!({ "text": "one two" }).as_object().cloned().unwrap_or_default(),
        max_credits: Some(12.into()),
        offered_credits: None,
        escrow_id: None,
        client_order_id: Some("night-42".into()),
        answer_within: Some(Span::from_secs(90 * 60)),
    });
    visitor.visit(ListOrders {
        role: Some(OrderRole::Provider),
        status: Some(OrderStatus::Working),
        counterparty: Some("ada".into()),
        service_id: Some(service()),
        client_order_id: Some("night-42".into()),
        sample: Some(SampleState::Proposed),
        since: Some(Timestamp::from_millis(1_769_851_800_000)),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetOrder {
        order_id: order(),
        wait_seconds: Some(30.into()),
        after_version: Some(41),
    });
    visitor.visit(AnswerOrder {
        order_id: order(),
        status: ResponseStatus::Completed,
        output: json!({ "words": 2 }).as_object().cloned(),
        reason: None,
        error: None,
        charged_credits: Some(4.into()),
    });
    visitor.visit(ProgressOrder {
        order_id: order(),
        state: ProgressState::InputRequired,
        percent: Some(40.into()),
        note: Some("half of it is counted".into()),
        partial: Some(json!({ "words": 1 })),
        prompt: Some("Which language is it?".into()),
        prompt_schema: json!({ "type": "string", "maxLength": 2 }).as_object().cloned(),
        wants_until: Some(Timestamp::from_millis(1_893_456_000_000)),
    });
    visitor.visit(InputOrder {
        order_id: order(),
        prompt_id: "1".into(),
        input: json!({ "language": "en" }),
    });
    visitor.visit(CancelOrder { order_id: order(), reason: Some("found it myself".into()) });
    visitor.visit(ExtendOrder { order_id: order(), answer_within: Span::from_secs(3 * 86_400) });
    visitor.visit(ListOrderPartials { order_id: order(), limit: Some(limit()), cursor: None });
    visitor.visit(CreateReview {
        order_id: order(),
        rating: Rating::from_half_steps(9).expect("nine half steps are a rating"),
        text: Some("quick, and every word was counted".into()),
    });
    visitor.visit(DeleteReview { order_id: order() });
    visitor.visit(ProposeSample { order_id: order() });
    visitor.visit(WithdrawSample { order_id: order() });
    visitor.visit(AnswerSample { order_id: order(), accept: true });
}
