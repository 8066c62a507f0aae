//! Imports what the account spent by other means: on another machine, by hand, or before there was a
//! limit.

use std::ops::ControlFlow;

use rusqlite::{OptionalExtension, Transaction, params};
use svc_client::types::Timestamp;
use svc_client::types::api::escrow::{Escrow, EscrowRole};
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::REQUEST;

use super::buyer::Buyer;
use super::ids::{escrow_entry, order_of_escrow, order_of_message, request_entry};
use super::known_order::KnownOrder;
use super::order_record::{PlatformStatus, mark_seen};
use super::payment_method::PaymentMethod;
use super::scan::{PAGE, scan};
use super::spend::{self, DAY, Expense};
use crate::clock::now;
use crate::error::Result;

/// An order or an escrow of the account, as the platform knows it.
struct PlatformOrder {
    /// Its id in the ledger, unless the ledger knows its request or its escrow.
    id: String,
    known: KnownOrder,
    created_at: Timestamp,
    status: PlatformStatus,
}

impl Buyer {
    /// Imports the account's orders and escrows of the last 24 hours from the platform, whatever
    /// created them, with their current state.
    ///
    /// Without it, the limits count only orders made with this journal, in the state this buyer last
    /// saw. Afterwards they count all spending, without refunds.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// buyer.catch_up().await?;
    /// let deal = buyer.order("wordbot/count-words").max_credits(5).send().await?;
    /// # Ok(()) }
    /// ```
    pub async fn catch_up(&self) -> Result<()> {
        let since = now().minus(DAY);
        let mut orders = self.direct_orders(since).await?;
        orders.extend(self.escrows(since).await?);
        self.ledger.write(move |tx| orders.iter().try_for_each(|order| order.record(tx))).await
    }

    /// The orders that no escrow pays.
    async fn direct_orders(&self, since: Timestamp) -> Result<Vec<PlatformOrder>> {
        let me = self.client.users().me().await?.user.id;
        let mut orders = Vec::new();
        let list = || self.client.messages().list().schema(REQUEST).since(since).limit(PAGE);
        scan(list, |message: Message| {
            if message.sender.id == me {
                // A message that is not a valid order holds no credits.
                orders.extend(PlatformOrder::from_message(&message));
            }
            ControlFlow::Continue(())
        })
        .await?;
        Ok(orders)
    }

    async fn escrows(&self, since: Timestamp) -> Result<Vec<PlatformOrder>> {
        let mut orders = Vec::new();
        let list = || {
            self.client.escrow().list().with(|list| {
                list.role = Some(EscrowRole::Buyer);
                list.limit = Some(PAGE.into());
            })
        };
        scan(list, |escrow: Escrow| {
            if escrow.created_at < since {
                return ControlFlow::Break(());
            }
            orders.push(PlatformOrder::from_escrow(escrow));
            ControlFlow::Continue(())
        })
        .await?;
        Ok(orders)
    }
}

impl PlatformOrder {
    fn from_message(message: &Message) -> Option<Self> {
        let state = message.request.as_ref().filter(|state| state.escrow_id.is_none())?;
        let id = match message.client_message_id.as_deref().and_then(order_of_message) {
            Some(order) => order.to_owned(),
            None => request_entry(message.message_id.as_str()),
        };
        let known = KnownOrder::from_message(message).ok()?;
        let status = PlatformStatus::of_request(state);
        Some(Self { id, known, created_at: message.created_at, status })
    }

    fn from_escrow(escrow: Escrow) -> Self {
        let id = match order_of_escrow(&escrow.description) {
            Some(order) => order.to_owned(),
            None => escrow_entry(escrow.id.as_str()),
        };
        let (status, created_at) = (PlatformStatus::of_escrow(&escrow), escrow.created_at);
        Self { known: KnownOrder::from_escrow(escrow, &id), id, created_at, status }
    }

    fn record(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let Some(order) = self.row(tx)? else {
            return Ok(());
        };
        self.known.request.iter().try_for_each(|id| spend::note_request(tx, &order, id))?;
        self.known.escrow.iter().try_for_each(|id| spend::note_escrow(tx, &order, id))?;
        self.status.record(tx, &order, now())
    }

    /// The id of its row, a new one unless the ledger has it; none for what cost nothing.
    fn row(&self, tx: &Transaction<'_>) -> rusqlite::Result<Option<String>> {
        let select = "select order_id from spend where request = ?1 or escrow = ?2";
        let request = self.known.request.as_ref().map(|id| id.as_str().to_owned());
        let escrow = self.known.escrow.as_ref().map(|id| id.as_str().to_owned());
        let same = tx.query_row(select, params![request, escrow], |row| row.get::<_, String>(0));
        if let Some(order) = same.optional()? {
            return Ok(Some(order));
        }
        let begun = spend::find(tx, &self.id)?.filter(|begun| !begun.is_freed);
        if begun.is_some() && request.is_some() {
            return Ok(Some(self.id.clone()));
        }
        // The id of an escrow's order comes from its description. An order that is placed again has
        // another escrow, and the end of the earlier one says nothing about it.
        if !self.status.costs() {
            return Ok(None);
        }
        let id = match (begun, escrow) {
            (Some(begun), Some(escrow)) if begun.is_paid() => escrow_entry(&escrow),
            (Some(_), _) => return Ok(Some(self.id.clone())),
            (None, _) => self.id.clone(),
        };
        self.insert(tx, &id)?;
        Ok(Some(id))
    }

    /// Adds a row. It is marked as seen, because no program was interrupted here that would resume it.
    fn insert(&self, tx: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
        let method = self.known.method.unwrap_or(PaymentMethod::Direct);
        Expense::of_known(id, &self.known, method).insert(tx, self.created_at)?;
        mark_seen(tx, id, now())
    }
}
