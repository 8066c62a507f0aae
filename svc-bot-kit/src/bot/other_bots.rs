//! Detects another bot that works on orders of the same account.

use std::time::Duration;

use svc_client::Client;
use svc_client::types::Timestamp;
use svc_client::types::api::orders::{OrderRole, OrderStatus};

use super::retry::retry;
use crate::error::Result;
use crate::journal::Journal;

/// Number of the newest orders to check.
const ORDERS: u32 = 20;
/// Maximum age of those orders; the journal keeps finished jobs for 7 days.
const AGE_MAX: Duration = Duration::from_secs(6 * 24 * 60 * 60);

/// Warns if recent orders were begun or answered that this journal does not know: the journal is new,
/// an earlier one was lost, or another bot with its own journal uses this account. In that case both
/// work on each order, and only one of them is paid.
pub(super) async fn warn_about_other_bots(
    client: &Client,
    journal: &Journal,
    now: Timestamp,
) -> Result<()> {
    let taken = unknown_orders(client, journal, now).await?;
    if !taken.is_empty() {
        let (count, newest) = (taken.len(), &taken[0]);
        tracing::warn!(
            count,
            newest,
            "orders were begun or answered that this journal does not know; if another bot uses \
             this account, stop one of them: both work on each order, and only one is paid"
        );
    }
    Ok(())
}

/// Recent orders that were begun or answered and that this journal does not know, newest first.
async fn unknown_orders(client: &Client, journal: &Journal, now: Timestamp) -> Result<Vec<String>> {
    let (orders, since) = (client.orders(), now.minus(AGE_MAX));
    let list = || orders.list().role(OrderRole::Provider).since(since).limit(ORDERS).page();
    let orders = retry(list).await??.items;
    let taken = orders.into_iter().filter(|order| is_taken(&order.status));
    journal.unknown(taken.map(|order| order.id.to_string()).collect()).await
}

/// Whether a bot has begun or answered an order of this status.
fn is_taken(status: &OrderStatus) -> bool {
    matches!(
        status,
        OrderStatus::Working
            | OrderStatus::InputRequired
            | OrderStatus::Delivered
            | OrderStatus::Disputed
            | OrderStatus::Completed
            | OrderStatus::Rejected
            | OrderStatus::Error
    )
}

#[cfg(test)]
#[path = "other_bots_tests.rs"]
mod tests;
