//! The status of an order in words: its badge, its steps, its history.

use svc_types::Timestamp;
use svc_types::api::escrow::{
    CloseReason, DisputeOutcome, Escrow, EscrowAction, EscrowEvent, EscrowStatus,
};
use svc_types::api::orders::{OrderStatus, ServiceOrder};

use crate::language::Language;

/// The visitor's side of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages) enum Side {
    Buyer,
    Seller,
    Moderator,
}

/// The class of a badge, and the id of its label.
pub(in crate::pages) type Badge = (&'static str, &'static str);

/// A step on the way of an order.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::pages) struct Step {
    /// The id of its label.
    pub(in crate::pages) label: &'static str,
    pub(in crate::pages) is_done: bool,
    pub(in crate::pages) is_current: bool,
    /// Whether it replaces the step that was planned.
    pub(in crate::pages) is_bad: bool,
}

/// The badge of an order.
pub(in crate::pages) fn badge(status: &OrderStatus, side: Side) -> Badge {
    match status {
        OrderStatus::Open | OrderStatus::Working => ("wait", "order-status-progress"),
        OrderStatus::InputRequired if side == Side::Buyer => ("wait", "order-status-input"),
        OrderStatus::InputRequired => ("wait", "order-status-input-waits"),
        OrderStatus::Delivered if side == Side::Buyer => ("wait", "order-status-review"),
        OrderStatus::Delivered => ("wait", "order-status-in-review"),
        OrderStatus::Disputed => ("bad", "order-status-disputed"),
        OrderStatus::Completed => ("good", "order-status-completed"),
        OrderStatus::Rejected => ("bad", "order-status-declined"),
        OrderStatus::Error => ("bad", "order-status-failed"),
        OrderStatus::Refunded => ("bad", "order-status-refunded"),
        OrderStatus::Expired => ("bad", "order-status-expired"),
        OrderStatus::Cancelled => ("bad", "order-status-cancelled"),
        _ => ("wait", "order-status-unknown"),
    }
}

/// The badge of an order with this price: nothing is refunded of a free one.
pub(super) fn of_price(badge: Badge, is_free: bool) -> Badge {
    match badge {
        (class, "order-status-expired") if is_free => (class, "order-step-expired"),
        other => other,
    }
}

/// The badge of an escrow in a list.
pub(in crate::pages) fn escrow_badge(escrow: &Escrow, side: Side) -> Badge {
    match escrow.status {
        EscrowStatus::Created => ("wait", "order-status-unpaid"),
        _ => badge(&of_escrow(escrow), side),
    }
}

/// The status of an order that nobody sent: only the escrow has one.
pub(in crate::pages) fn of_escrow(escrow: &Escrow) -> OrderStatus {
    match (&escrow.status, &escrow.close_reason) {
        (EscrowStatus::Delivered, _) => OrderStatus::Delivered,
        (EscrowStatus::Disputed, _) => OrderStatus::Disputed,
        (EscrowStatus::Released, _) => OrderStatus::Completed,
        (EscrowStatus::Refunded, _) => OrderStatus::Refunded,
        (EscrowStatus::Cancelled, Some(CloseReason::ProviderDeclined)) => OrderStatus::Rejected,
        (EscrowStatus::Cancelled, Some(CloseReason::Expired)) => OrderStatus::Expired,
        (EscrowStatus::Cancelled, _) => OrderStatus::Cancelled,
        _ => OrderStatus::Open,
    }
}

/// The last step of an order that ends as it should.
const COMPLETED: &str = "order-status-completed";

/// The steps of an order, of which the last says how it ended.
pub(super) fn steps(status: &OrderStatus, is_paid: bool, was_delivered: bool) -> Vec<Step> {
    let (reached, end) = match status {
        OrderStatus::Open if !is_paid => (0, COMPLETED),
        OrderStatus::Open | OrderStatus::Working | OrderStatus::InputRequired => (1, COMPLETED),
        OrderStatus::Delivered => (2, COMPLETED),
        OrderStatus::Completed => (3, COMPLETED),
        OrderStatus::Disputed => (3, "order-status-disputed"),
        OrderStatus::Rejected => (3, "order-status-declined"),
        OrderStatus::Error => (3, "order-status-failed"),
        OrderStatus::Refunded => (3, "order-status-refunded"),
        OrderStatus::Expired => (3, "order-step-expired"),
        _ => (3, "order-status-cancelled"),
    };
    let is_bad = end != COMPLETED;
    let step = |(at, label): (usize, &'static str)| Step {
        label,
        is_done: at < reached && (at == 0 || was_delivered || !is_bad),
        is_current: at == reached,
        is_bad: at == 3 && is_bad,
    };
    let labels = ["order-step-placed", "order-status-progress", "order-step-delivered", end];
    labels.into_iter().enumerate().map(step).collect()
}

/// How an escrow ended: the id of a sentence.
pub(super) fn end(reason: &CloseReason) -> &'static str {
    match reason {
        CloseReason::BuyerCancelled => "order-end-cancelled",
        CloseReason::ProviderDeclined => "order-end-declined",
        CloseReason::Expired => "order-end-expired",
        CloseReason::Released => "order-end-accepted",
        CloseReason::AutoReleased => "order-end-accepted-itself",
        CloseReason::DisputeReleased => "order-end-for-seller",
        CloseReason::DisputeRefunded => "order-end-for-buyer",
        CloseReason::ProviderRefunded => "order-end-refunded",
        CloseReason::Split => "order-end-split",
        _ => "order-end-else",
    }
}

/// Whether a dispute was decided for the parties, rather than ended by one of them.
pub(in crate::pages) fn is_decided(escrow: &Escrow) -> bool {
    match &escrow.close_reason {
        Some(CloseReason::DisputeReleased | CloseReason::DisputeRefunded) => true,
        Some(CloseReason::Split) => {
            escrow.split.as_ref().is_some_and(|split| split.by_username.is_none())
        }
        _ => false,
    }
}

/// How a dispute was decided: the id of a sentence.
pub(in crate::pages) fn decided(outcome: &DisputeOutcome) -> &'static str {
    match outcome {
        DisputeOutcome::Release => "order-decided-release",
        DisputeOutcome::Refund => "order-decided-refund",
        DisputeOutcome::Split => "order-decided-split",
        _ => "order-decided-else",
    }
}

/// An entry of the history.
pub(in crate::pages) struct Entry {
    /// Its anchor, if it has one.
    pub(in crate::pages) anchor: Option<i64>,
    /// The id of what happened.
    pub(in crate::pages) label: &'static str,
    /// Who did it, in words.
    pub(in crate::pages) by: Option<String>,
    pub(in crate::pages) at: Timestamp,
    pub(in crate::pages) note: Option<String>,
}

/// The history that an escrow keeps, and the end of its order if the escrow goes on. A seller who ends the
/// escrow before the delivery declines.
pub(super) fn of_events(
    language: Language,
    events: Vec<EscrowEvent>,
    escrow: &Escrow,
    order: Option<&ServiceOrder>,
) -> Vec<Entry> {
    let seller = escrow.provider_username.as_str();
    let entry = |event: EscrowEvent| {
        let actor = event.actor_username.as_deref();
        let is_declined = event.action == EscrowAction::Cancelled && actor == Some(seller);
        Entry {
            anchor: Some(event.seq),
            label: if is_declined { "order-status-declined" } else { happened(&event.action) },
            by: Some(if is_by_moderator(&event) {
                language.text("order-by-moderator")
            } else {
                by(language, actor)
            }),
            at: event.at,
            note: event.note,
        }
    };
    let mut entries: Vec<Entry> = events.into_iter().map(entry).collect();
    entries.extend(order.and_then(|order| failed(language, escrow, order)));
    entries.sort_by_key(|entry| entry.at);
    entries
}

/// Whether a moderator did it, whom the log does not name to the parties. Moderators write a note, deadlines none.
fn is_by_moderator(event: &EscrowEvent) -> bool {
    event.actor_username.is_none() && event.action == EscrowAction::Resolved && event.note.is_some()
}

/// The entry of an order that the seller declined or failed, while its escrow went on.
fn failed(language: Language, escrow: &Escrow, order: &ServiceOrder) -> Option<Entry> {
    let label = match order.status {
        OrderStatus::Rejected => "order-status-declined",
        OrderStatus::Error => "order-status-failed",
        _ => return None,
    };
    let at = order.closed_at.filter(|_| order.closed_at != escrow.closed_at)?;
    let note = order.reason.as_ref().or(order.error.as_ref()).cloned();
    let by = Some(by(language, Some(order.provider.username.as_str())));
    Some(Entry { anchor: None, label, by, at, note })
}

/// The history of an order without an escrow.
pub(super) fn of_order(language: Language, order: &ServiceOrder) -> Vec<Entry> {
    let entry = |label, who: Option<&str>, at, note: Option<&String>| Entry {
        anchor: None,
        label,
        by: who.map(|name| by(language, Some(name))),
        at,
        note: note.cloned(),
    };
    let buyer = Some(order.buyer.username.as_str());
    let mut entries = vec![entry("order-step-placed", buyer, order.created_at, None)];
    if let Some(progress) = &order.progress {
        let seller = Some(order.provider.username.as_str());
        entries.push(entry("order-status-progress", seller, progress.at, progress.note.as_ref()));
    }
    if let Some(at) = order.closed_at {
        let note = order.reason.as_ref().or(order.error.as_ref());
        let end = badge(&order.status, Side::Moderator);
        let (_, label) = of_price(end, order.offered_credits.is_zero());
        entries.push(entry(label, None, at, note));
    }
    entries
}

/// Who did something, in words; nobody did what happens by itself.
fn by(language: Language, name: Option<&str>) -> String {
    match name {
        Some(name) => language.message("order-by").with("name", name).to_string(),
        None => language.text("order-by-itself"),
    }
}

/// The id of what happened.
fn happened(action: &EscrowAction) -> &'static str {
    match action {
        EscrowAction::Created => "order-step-placed",
        EscrowAction::Funded => "order-event-paid",
        EscrowAction::Delivered => "order-step-delivered",
        EscrowAction::Redelivered => "order-event-redelivered",
        EscrowAction::Released => "order-event-accepted",
        EscrowAction::AutoReleased => "order-event-accepted-itself",
        EscrowAction::Disputed => "order-event-disputed",
        EscrowAction::DisputeResponse => "order-event-responded",
        EscrowAction::Refunded => "order-status-refunded",
        EscrowAction::Resolved => "order-event-decided",
        EscrowAction::Cancelled => "order-status-cancelled",
        EscrowAction::Extended => "order-event-extended",
        EscrowAction::SplitOffered => "order-event-split-offered",
        EscrowAction::Split => "order-event-split",
        _ => "order-event-else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_and_each_end_of_an_order_has_words_of_its_own() {
        let text = |label: &'static str| Language::English.text(label);
        for (status, class, of_buyer, of_seller) in [
            (OrderStatus::Open, "wait", "In progress", "In progress"),
            (OrderStatus::Working, "wait", "In progress", "In progress"),
            (OrderStatus::InputRequired, "wait", "Your input is needed", "Waiting for input"),
            (OrderStatus::Delivered, "wait", "Delivered: review it", "Delivered: in review"),
            (OrderStatus::Disputed, "bad", "Disputed", "Disputed"),
            (OrderStatus::Completed, "good", "Completed", "Completed"),
            (OrderStatus::Rejected, "bad", "Declined", "Declined"),
            (OrderStatus::Error, "bad", "Failed", "Failed"),
            (OrderStatus::Refunded, "bad", "Refunded", "Refunded"),
            (OrderStatus::Expired, "bad", "Expired, credits refunded", "Expired, credits refunded"),
            (OrderStatus::Cancelled, "bad", "Cancelled", "Cancelled"),
        ] {
            for (side, words) in
                [(Side::Buyer, of_buyer), (Side::Seller, of_seller), (Side::Moderator, of_seller)]
            {
                let (shown, label) = badge(&status, side);
                assert_eq!((shown, &*text(label)), (class, words), "{status:?} {side:?}");
            }
        }
        for (reason, words) in [
            (CloseReason::BuyerCancelled, "The buyer cancelled the order."),
            (CloseReason::ProviderDeclined, "The seller declined."),
            (CloseReason::Expired, "Nothing was delivered in time."),
            (CloseReason::Released, "The buyer accepted the result."),
            (CloseReason::DisputeReleased, "The dispute was decided for the seller."),
            (CloseReason::DisputeRefunded, "The dispute was decided for the buyer."),
            (CloseReason::ProviderRefunded, "The seller refunded the buyer."),
            (CloseReason::Split, "The credits were split."),
        ] {
            assert_eq!(text(end(&reason)), words);
        }
        assert!(text(end(&CloseReason::AutoReleased)).ends_with("accepted automatically."));
        for (outcome, words) in [
            (DisputeOutcome::Release, "The seller is paid."),
            (DisputeOutcome::Refund, "The buyer is refunded."),
            (DisputeOutcome::Split, "The credits are split."),
        ] {
            assert_eq!(text(decided(&outcome)), words);
        }
    }

    #[test]
    fn the_last_step_says_how_an_order_ended() {
        let seen = |status, was_delivered| {
            let steps = steps(&status, true, was_delivered);
            let text: Vec<String> = steps
                .iter()
                .map(|step| {
                    let mark = if step.is_current {
                        "*"
                    } else if step.is_done {
                        "o"
                    } else {
                        "-"
                    };
                    format!("{mark}{}", Language::English.text(step.label))
                })
                .collect();
            text.join(" ")
        };
        assert_eq!(seen(OrderStatus::Open, false), "oPlaced *In progress -Delivered -Completed");
        assert_eq!(
            seen(OrderStatus::Delivered, true),
            "oPlaced oIn progress *Delivered -Completed"
        );
        assert_eq!(
            seen(OrderStatus::Completed, false),
            "oPlaced oIn progress oDelivered *Completed"
        );
        assert_eq!(seen(OrderStatus::Disputed, true), "oPlaced oIn progress oDelivered *Disputed");
        assert_eq!(seen(OrderStatus::Rejected, false), "oPlaced -In progress -Delivered *Declined");
        assert_eq!(seen(OrderStatus::Refunded, true), "oPlaced oIn progress oDelivered *Refunded");
    }
}
