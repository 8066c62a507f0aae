//! What operators watch: figures, and the lists of what they count.

use svc_client::types::api::operate::{
    EndedOrder, FailedDelivery, OpenEscrow, Overview, Queue, QueueEntry,
};

use crate::output::{counted, one_line};
use crate::time;

/// Figures of the platform, one a line.
pub(super) fn overview(overview: &Overview) -> String {
    let queue = |queue: &Queue| {
        let lag = queue.lag_seconds.map(|lag| format!(", the oldest for {lag:.0} s"));
        format!("{} waiting in {}{}", queue.waiting, queue.name, lag.unwrap_or_default())
    };
    let oldest = overview.oldest_dispute_at;
    let oldest = oldest.map(|at| format!(", the oldest since {}", time::minute(at)));
    let figures = [
        format!("{}, {} waiting", counted(overview.signups, "sign-up"), overview.signups_waiting),
        format!(
            "{} completed, {} failed",
            counted(overview.orders_done, "order"),
            overview.orders_failed
        ),
        format!(
            "{} in {}",
            overview.escrows_hold.in_words(),
            counted(overview.escrows_open, "escrow")
        ),
        format!(
            "{}{}",
            counted(overview.disputes_open, "open dispute"),
            oldest.unwrap_or_default()
        ),
        format!("{} failed deliveries", overview.deliveries_failed),
    ];
    let lines = figures.into_iter().chain(overview.queues.iter().map(queue));
    lines.collect::<Vec<_>>().join("\n")
}

/// A delivery that was given up, on one line.
pub(super) fn delivery(delivery: &FailedDelivery) -> String {
    let status =
        delivery.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
    let FailedDelivery { id, username, kind, attempts, .. } = delivery;
    let (began, attempts) = (time::minute(delivery.created_at), counted(*attempts, "attempt"));
    format!("{id}  {began}  @{username}  {kind}  {attempts}  {status}")
}

/// An order that ended, on one line.
pub(super) fn order(order: &EndedOrder) -> String {
    let of_order = order.order_id.as_ref().map(ToString::to_string);
    let of_escrow = order.escrow_id.as_ref().map(ToString::to_string);
    let ids: Vec<String> = of_order.into_iter().chain(of_escrow).collect();
    // An erased account has left its services without names.
    let service = match one_line(&order.service_name) {
        name if name.is_empty() => order.service_id.to_string(),
        name => name,
    };
    format!(
        "{}  {}  {}  @{} to @{}  {}  {}",
        ids.join("  "),
        time::minute(order.closed_at),
        order.status,
        order.buyer_username,
        order.provider_username,
        order.credits.in_words(),
        service,
    )
}

/// An escrow that holds credits, on one line.
pub(super) fn escrow(escrow: &OpenEscrow) -> String {
    let OpenEscrow { id, buyer_username, provider_username, amount, status, .. } = escrow;
    let since = time::minute(escrow.created_at);
    let amount = amount.in_words();
    let mut row =
        format!("{id}  {since}  {status}  @{buyer_username} to @{provider_username}  {amount}");
    if let Some(due) = escrow.due_at {
        row = format!("{row}  until {}", time::minute(due));
    }
    row
}

/// Something that waits in a queue, on one line.
pub(super) fn entry(entry: &QueueEntry) -> String {
    let mut row = format!("{}  {}", entry.id, one_line(&entry.kind));
    if let Some(due) = entry.due_at {
        row = format!("{row}  due {}", time::minute(due));
    }
    if let Some(username) = &entry.username {
        row = format!("{row}  @{username}");
    }
    if let Some(attempts) = entry.attempts {
        row = format!("{row}  {}", counted(attempts, "attempt"));
    }
    row
}
