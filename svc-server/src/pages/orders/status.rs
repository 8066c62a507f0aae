//! The status of an order in words: its badge, its steps, its history.

use svc_types::Timestamp;
use svc_types::api::escrow::{
    CloseReason, DisputeOutcome, Escrow, EscrowAction, EscrowEvent, EscrowStatus,
};
use svc_types::api::orders::{OrderStatus, ServiceOrder};

/// The visitor's side of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages) enum Side {
    Buyer,
    Seller,
    Moderator,
}

/// The class of a badge, and its label.
pub(in crate::pages) type Badge = (&'static str, &'static str);

/// A step on the way of an order.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::pages) struct Step {
    pub(in crate::pages) label: &'static str,
    pub(in crate::pages) is_done: bool,
    pub(in crate::pages) is_current: bool,
    /// Whether it replaces the step that was planned.
    pub(in crate::pages) is_bad: bool,
}

/// The badge of an order.
pub(in crate::pages) fn badge(status: &OrderStatus, side: Side) -> Badge {
    match status {
        OrderStatus::Open | OrderStatus::Working => ("wait", "In progress"),
        OrderStatus::InputRequired if side == Side::Buyer => ("wait", "Your input is needed"),
        OrderStatus::InputRequired => ("wait", "Waiting for input"),
        OrderStatus::Delivered if side == Side::Buyer => ("wait", "Delivered: review it"),
        OrderStatus::Delivered => ("wait", "Delivered: in review"),
        OrderStatus::Disputed => ("bad", "Disputed"),
        OrderStatus::Completed => ("good", "Completed"),
        OrderStatus::Rejected => ("bad", "Declined"),
        OrderStatus::Error => ("bad", "Failed"),
        OrderStatus::Refunded => ("bad", "Refunded"),
        OrderStatus::Expired => ("bad", "Expired, credits refunded"),
        OrderStatus::Cancelled => ("bad", "Cancelled"),
        _ => ("wait", "Unknown status"),
    }
}

/// The badge of an escrow in a list.
pub(in crate::pages) fn escrow_badge(escrow: &Escrow, side: Side) -> Badge {
    match escrow.status {
        EscrowStatus::Created => ("wait", "Waiting for payment"),
        _ => badge(&of_escrow(escrow), side),
    }
}

/// The status of an order that nobody sent: the escrow alone has one.
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

/// The steps of an order, of which the last says how it ended.
pub(super) fn steps(status: &OrderStatus, is_paid: bool, was_delivered: bool) -> Vec<Step> {
    let (reached, end) = match status {
        OrderStatus::Open if !is_paid => (0, "Completed"),
        OrderStatus::Open | OrderStatus::Working | OrderStatus::InputRequired => (1, "Completed"),
        OrderStatus::Delivered => (2, "Completed"),
        OrderStatus::Completed => (3, "Completed"),
        OrderStatus::Disputed => (3, "Disputed"),
        OrderStatus::Rejected => (3, "Declined"),
        OrderStatus::Error => (3, "Failed"),
        OrderStatus::Refunded => (3, "Refunded"),
        OrderStatus::Expired => (3, "Expired"),
        _ => (3, "Cancelled"),
    };
    let is_bad = end != "Completed";
    let step = |(at, label): (usize, &'static str)| Step {
        label,
        is_done: at < reached && (at == 0 || was_delivered || !is_bad),
        is_current: at == reached,
        is_bad: at == 3 && is_bad,
    };
    ["Placed", "In progress", "Delivered", end].into_iter().enumerate().map(step).collect()
}

/// How an escrow ended, in words.
pub(super) fn end(reason: &CloseReason) -> &'static str {
    match reason {
        CloseReason::BuyerCancelled => "The buyer cancelled the order.",
        CloseReason::ProviderDeclined => "The seller declined.",
        CloseReason::Expired => "Nothing was delivered in time.",
        CloseReason::Released => "The buyer accepted the result.",
        CloseReason::AutoReleased => {
            "The review period ended, so the result was accepted automatically."
        }
        CloseReason::DisputeReleased => "The dispute was decided for the seller.",
        CloseReason::DisputeRefunded => "The dispute was decided for the buyer.",
        CloseReason::ProviderRefunded => "The seller refunded the buyer.",
        CloseReason::Split => "The credits were split.",
        _ => "The order has ended.",
    }
}

/// How a dispute was decided, in words.
pub(in crate::pages) fn decided(outcome: &DisputeOutcome) -> &'static str {
    match outcome {
        DisputeOutcome::Release => "The seller is paid",
        DisputeOutcome::Refund => "The buyer is refunded",
        DisputeOutcome::Split => "The credits are split",
        _ => "Decided",
    }
}

/// An entry of the history.
pub(in crate::pages) struct Entry {
    /// Its anchor, if it has one.
    pub(in crate::pages) anchor: Option<i64>,
    pub(in crate::pages) label: &'static str,
    pub(in crate::pages) by: Option<String>,
    pub(in crate::pages) at: Timestamp,
    pub(in crate::pages) note: Option<String>,
}

/// The history that an escrow keeps.
pub(super) fn of_events(events: Vec<EscrowEvent>) -> Vec<Entry> {
    let entry = |event: EscrowEvent| Entry {
        anchor: Some(event.seq),
        label: happened(&event.action),
        by: Some(
            event.actor_username.map_or("automatically".to_owned(), |name| format!("by @{name}")),
        ),
        at: event.at,
        note: event.note,
    };
    events.into_iter().map(entry).collect()
}

/// The history of an order without an escrow.
pub(super) fn of_order(order: &ServiceOrder) -> Vec<Entry> {
    let entry = |label, by: Option<&str>, at, note: Option<&String>| Entry {
        anchor: None,
        label,
        by: by.map(|name| format!("by @{name}")),
        at,
        note: note.cloned(),
    };
    let mut entries = vec![entry("Placed", Some(&order.buyer.username), order.created_at, None)];
    if let Some(progress) = &order.progress {
        let seller = Some(order.provider.username.as_str());
        entries.push(entry("In progress", seller, progress.at, progress.note.as_ref()));
    }
    if let Some(at) = order.closed_at {
        let note = order.reason.as_ref().or(order.error.as_ref());
        entries.push(entry(badge(&order.status, Side::Moderator).1, None, at, note));
    }
    entries
}

fn happened(action: &EscrowAction) -> &'static str {
    match action {
        EscrowAction::Created => "Placed",
        EscrowAction::Funded => "Paid: the credits are held",
        EscrowAction::Delivered => "Delivered",
        EscrowAction::Redelivered => "Delivered again",
        EscrowAction::Released => "Accepted: the seller was paid",
        EscrowAction::AutoReleased => "Accepted automatically: the seller was paid",
        EscrowAction::Disputed => "Disputed: deadlines are paused",
        EscrowAction::DisputeResponse => "The seller responded to the dispute",
        EscrowAction::Refunded => "Refunded",
        EscrowAction::Resolved => "A moderator decided the dispute",
        EscrowAction::Cancelled => "Cancelled",
        EscrowAction::Extended => "Deadline extended",
        EscrowAction::SplitOffered => "A split was offered",
        EscrowAction::Split => "Credits split",
        _ => "Status changed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    format!("{mark}{}", step.label)
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
