//! What the account spent by other means: on another machine, by hand, before there was a limit.

use rusqlite::{OptionalExtension, Transaction, params};
use svc_client::Call;
use svc_client::types::api::escrow::{Escrow, EscrowRole};
use svc_client::types::api::messages::Message;
use svc_client::types::service_message::REQUEST;
use svc_client::types::{Paged, Timestamp};

use super::buyer::Buyer;
use super::order_record::{PlatformStatus, see};
use super::payment_method::PaymentMethod;
use super::place::{order_of_escrow, order_of_message};
use super::resume::{PAGE, SCAN_MAX, begun, read};
use super::spend::{self, DAY, Expense, KnownOrder};
use crate::clock::now;
use crate::error::Result;

/// An order or an escrow of the account, as the platform has it.
struct PlatformOrder {
    /// The id of its row, unless the journal knows it by its request or its escrow.
    name: String,
    known: KnownOrder,
    created_at: Timestamp,
    standing: PlatformStatus,
}

impl Buyer {
    /// Takes in what the account ordered and paid into escrows in the last 24 hours by whichever
    /// means, and what became of it, so that limits count all of that and nothing that was given
    /// back.
    ///
    /// The journal alone knows the orders of its own buyers, as they stood when these last looked.
    ///
    /// ```no_run
    /// # async fn show(buyer: svc_bot_kit::Buyer) -> svc_bot_kit::Result<()> {
    /// buyer.catch_up().await?;
    /// let deal = buyer.order("wordbot/count-words").max_credits(5).send().await?;
    /// # Ok(()) }
    /// ```
    pub async fn catch_up(&self) -> Result<()> {
        let since = now().minus(DAY);
        let mut found = self.requests(since).await?;
        found.extend(self.escrows(since).await?);
        let note = move |tx: &Transaction<'_>| found.iter().try_for_each(|found| found.note(tx));
        self.ledger.write(note).await
    }

    /// The orders that no escrow pays.
    async fn requests(&self, since: Timestamp) -> Result<Vec<PlatformOrder>> {
        let me = self.client.users().me().await?.user.id;
        let list = || self.client.messages().list().schema(REQUEST).since(since).limit(PAGE);
        let messages = newest(list, |_| true).await?;
        let own = messages.into_iter().filter(|message| message.sender.id == me);
        // What can't be read as an order holds no credits.
        Ok(own.filter_map(|message| request(&message)).collect())
    }

    async fn escrows(&self, since: Timestamp) -> Result<Vec<PlatformOrder>> {
        let list = || {
            self.client.escrow().list().with(|list| {
                list.role = Some(EscrowRole::Buyer);
                list.limit = Some(PAGE.into());
            })
        };
        let escrows = newest(list, |escrow: &Escrow| escrow.created_at >= since).await?;
        Ok(escrows.into_iter().map(escrow).collect())
    }
}

fn request(message: &Message) -> Option<PlatformOrder> {
    let state = message.request.as_ref().filter(|state| state.escrow_id.is_none())?;
    let standing = PlatformStatus::of_request(state);
    let name = message.client_message_id.as_deref().and_then(order_of_message);
    let name = name.map_or_else(|| format!("request:{}", message.message_id), str::to_owned);
    let known = read(message).ok()?;
    Some(PlatformOrder { name, known, created_at: message.created_at, standing })
}

fn escrow(escrow: Escrow) -> PlatformOrder {
    let name = order_of_escrow(&escrow.description);
    let name = name.map_or_else(|| row_of(escrow.id.as_str()), str::to_owned);
    let (standing, created_at) = (PlatformStatus::of_escrow(&escrow), escrow.created_at);
    PlatformOrder { known: begun(escrow, &name), name, created_at, standing }
}

/// The id of the row of an escrow that pays for no order of the journal; no order's id has a colon.
pub(super) fn row_of(escrow: &str) -> String {
    format!("escrow:{escrow}")
}

impl PlatformOrder {
    fn note(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let select = "select order_id from spend
            where order_id = ?1 or request = ?2 or escrow = ?3";
        let request = self.known.request.as_ref().map(|id| id.as_str().to_owned());
        let escrow = self.known.escrow.as_ref().map(|id| id.as_str().to_owned());
        let row = tx.query_row(select, params![self.name, request, escrow], |row| row.get(0));
        let order: String = match row.optional()? {
            Some(order) => order,
            None if self.standing.costs() => {
                self.insert(tx)?;
                self.name.clone()
            }
            None => return Ok(()),
        };
        self.known.request.iter().try_for_each(|id| spend::note_request(tx, &order, id))?;
        self.known.escrow.iter().try_for_each(|id| spend::note_escrow(tx, &order, id))?;
        self.standing.note(tx, &order, now())
    }

    /// A row of its own. It is not one to go on with: nobody was interrupted here.
    fn insert(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let KnownOrder { provider, service, service_name, amount, way, hash, .. } =
            self.known.clone();
        let expense = Expense {
            order: self.name.clone(),
            provider,
            service,
            service_name,
            amount,
            max_credits: amount,
            way: way.unwrap_or(PaymentMethod::Direct),
            hash,
        };
        expense.insert(tx, self.created_at)?;
        see(tx, &self.name, now())
    }
}

/// A list from its beginning, as long as its items are target.
async fn newest<E: Paged>(
    list: impl Fn() -> Call<E>,
    is_wanted: impl Fn(&E::Item) -> bool,
) -> Result<Vec<E::Item>> {
    let (mut page, mut scanned, mut found) = (list().page().await?, 0, Vec::new());
    loop {
        // A page may be empty though more follows.
        scanned += page.items.len().max(1);
        for item in page.items {
            if !is_wanted(&item) {
                return Ok(found);
            }
            found.push(item);
        }
        match page.next_cursor {
            Some(next) if scanned < SCAN_MAX => page = list().after(next).page().await?,
            _ => return Ok(found),
        }
    }
}
