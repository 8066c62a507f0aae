//! The texts of notifications about orders, money and moderation. Everyone who is notified reads the
//! same.

use svc_types::Credits;
use svc_types::api::billing::BillingObject;
use svc_types::api::connect::{BillingData, EscrowData, ModerationData, OrderData, ServiceData};
use svc_types::api::escrow::{CloseReason, EscrowAction};
use svc_types::api::moderation::ModerationActionType;
use svc_types::api::orders::OrderAction;
use svc_types::api::reports::SubjectType;

use crate::services::subject;

/// What happened to an order that an escrow pays.
pub(super) fn escrow(data: &EscrowData) -> String {
    let (buyer, seller) = (&data.buyer_username, &data.provider_username);
    let what = match &data.action {
        EscrowAction::Created => format!("@{buyer} placed an order with @{seller}"),
        EscrowAction::Funded => format!("@{buyer} paid for an order with @{seller}"),
        EscrowAction::Delivered => format!("@{seller} delivered to @{buyer}"),
        EscrowAction::Redelivered => format!("@{seller} delivered to @{buyer} again"),
        EscrowAction::Released => format!("@{buyer} accepted the result of @{seller}"),
        EscrowAction::AutoReleased => {
            format!("the result of @{seller} for @{buyer} was accepted automatically")
        }
        EscrowAction::Disputed => format!("@{buyer} disputed the result of @{seller}"),
        EscrowAction::DisputeResponse => format!("@{seller} responded to the dispute of @{buyer}"),
        EscrowAction::Refunded => format!("@{seller} refunded @{buyer}"),
        EscrowAction::Resolved => resolved(data),
        EscrowAction::Extended => format!("@{buyer} extended the deadline of @{seller}"),
        EscrowAction::SplitOffered => {
            format!("a split was offered for the order of @{buyer} from @{seller}")
        }
        EscrowAction::Split => {
            format!("the credits of the order of @{buyer} from @{seller} were split")
        }
        EscrowAction::Cancelled => format!("the order of @{buyer} from @{seller} was cancelled"),
        other => format!("the order of @{buyer} from @{seller}: {other}"),
    };
    match parts(data) {
        Some([seller, buyer]) => {
            let [seller, buyer] = [seller.in_words(), buyer.in_words()];
            format!("{what}: {seller} for the seller, {buyer} for the buyer")
        }
        None => format!("{what}, {}", data.amount.in_words()),
    }
}

/// For whom a dispute was decided, by a moderator or because its time was over.
fn resolved(data: &EscrowData) -> String {
    let (buyer, seller) = (&data.buyer_username, &data.provider_username);
    match &data.close_reason {
        Some(CloseReason::DisputeReleased) => {
            format!("the dispute between @{buyer} and @{seller} was decided for the seller")
        }
        Some(CloseReason::DisputeRefunded) => {
            format!("the dispute between @{buyer} and @{seller} was decided for the buyer")
        }
        // Only moderators split credits. Earlier servers stored this text whatever was decided.
        _ => format!("a moderator decided the dispute between @{buyer} and @{seller}"),
    }
}

/// What the seller and the buyer receive of credits that are split, or are offered to be.
fn parts(data: &EscrowData) -> Option<[Credits; 2]> {
    let seller = data.provider_amount?;
    Some([seller, data.amount.checked_sub(seller)?])
}

/// How an order ended.
pub(super) fn service(data: &ServiceData) -> String {
    let (buyer, seller) = (&data.requester_username, &data.provider_username);
    match data.status.as_str() {
        "completed" => format!("@{seller} completed the order of @{buyer}"),
        "rejected" => format!("@{seller} declined the order of @{buyer}"),
        // Stored texts of earlier servers say `@{seller} failed the order of @{buyer}`.
        "error" => format!("the order of @{buyer} from @{seller} failed"),
        "delivered" => format!("@{seller} delivered to @{buyer}"),
        "expired" => format!("the order of @{buyer} from @{seller} expired"),
        "cancelled" => format!("the order of @{buyer} from @{seller} was cancelled"),
        other => format!("the order of @{buyer} from @{seller}: {other}"),
    }
}

/// What an order asks of its reader.
pub(super) fn order(data: &OrderData) -> String {
    let (buyer, seller) = (&data.buyer_username, &data.provider_username);
    match &data.action {
        OrderAction::InputRequired => format!("@{seller} needs your input, @{buyer}"),
        OrderAction::InputGiven => format!("@{buyer} answered the question of @{seller}"),
        OrderAction::Extended => format!("@{buyer} extended the deadline of @{seller}"),
        OrderAction::SampleProposed => {
            format!("@{seller} asks to show an order of @{buyer} as a sample")
        }
        OrderAction::SampleAgreed => {
            format!("@{buyer} agreed: @{seller} shows the order as a sample")
        }
        OrderAction::SampleDeclined => {
            format!("@{buyer} declined: @{seller} does not show the order as a sample")
        }
        OrderAction::SampleRevoked => {
            format!("@{buyer} took back the consent: @{seller} no longer shows the order")
        }
        other => format!("the order of @{buyer} from @{seller}: {other}"),
    }
}

/// Whether people want to read of it. The rest is for programs: what the account itself just did, or what
/// came to nothing.
pub(super) fn is_news(data: &BillingData) -> bool {
    !matches!(
        (&data.object, data.status.as_str()),
        (BillingObject::Payment, "expired" | "failed")
            | (BillingObject::Refund, "asked")
            | (BillingObject::Payout, "requested" | "approved" | "cancelled")
    )
}

/// The outcome of a payment, refund, dispute, subscription or payout.
pub(super) fn billing(data: &BillingData) -> String {
    let who = &data.username;
    let credits = data.credits.unwrap_or_default().in_words();
    match (&data.object, data.status.as_str()) {
        (BillingObject::Payment, "open") => format!("@{who} asks you to pay for {credits}"),
        (BillingObject::Payment, "paid") => format!("@{who} bought {credits}"),
        (BillingObject::Payment, "mismatch") => {
            format!(
                "a payment of @{who} differs from the order for {credits}; the operator decides"
            )
        }
        (BillingObject::Refund, "done") => format!("@{who} was refunded for {credits}"),
        (BillingObject::Refund, "failed") => format!("a refund to @{who} for {credits} failed"),
        (BillingObject::Dispute, "open") => format!("the bank of @{who} disputes a payment"),
        (BillingObject::Dispute, "won") => {
            format!("the dispute of a payment of @{who} ended: the payment stands")
        }
        (BillingObject::Dispute, "lost") => {
            format!("the dispute of a payment of @{who} ended: the money went back")
        }
        (BillingObject::Subscription, "active") => format!("the subscription of @{who} is active"),
        (BillingObject::Subscription, "past_due") => {
            format!("the last payment for the subscription of @{who} failed")
        }
        (BillingObject::Subscription, "ended") => format!("the subscription of @{who} ended"),
        (BillingObject::Payout, "sent") => format!("{credits} of @{who} were paid out"),
        (BillingObject::Payout, "denied") => format!("a payout of {credits} to @{who} was denied"),
        (BillingObject::Payout, "returned") => {
            format!("a payout of {credits} to @{who} came back")
        }
        (object, status) => format!("{object} of @{who}: {status}"),
    }
}

/// What moderators did to an account, or to something of it.
pub(super) fn moderation(data: &ModerationData) -> String {
    let thing = match &data.subject.kind {
        SubjectType::User => "account",
        kind => subject::noun(kind),
    };
    format!("your {thing} was {}: {}", moderated(&data.r#type), data.reason)
}

fn moderated(act: &ModerationActionType) -> &str {
    match act {
        ModerationActionType::Hide => "hidden",
        ModerationActionType::Restore => "restored",
        ModerationActionType::Remove => "removed",
        ModerationActionType::Label => "labelled",
        ModerationActionType::Unlabel => "unlabelled",
        ModerationActionType::Warn => "warned",
        ModerationActionType::Limit => "limited",
        ModerationActionType::Unlimit => "unlimited",
        ModerationActionType::Suspend => "suspended",
        ModerationActionType::Unsuspend => "unsuspended",
        other => other.as_str(),
    }
}
