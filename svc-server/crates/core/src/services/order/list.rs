//! Lists of orders, newest first.

use svc_store::db::Sql;
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::orders::{ListOrders, OrderPage, OrderRole, OrderStatus, SampleState};
use svc_types::{MessageId, ServiceId, UserId};

use super::record::{Record, STATUS};
use crate::app::Ctx;
use crate::identity::Account;
use crate::page::Page;
use crate::services::{account, overdue};
use crate::{ids, select_orders};

/// Selects orders of one side.
struct Filter<'a> {
    own: &'a UserId,
    asked: &'a ListOrders,
    other: Option<&'a UserId>,
    page: &'a Page,
}

/// A page of the orders of an account.
pub fn page(ctx: &mut Ctx<'_, '_>, own: &Account, asked: &ListOrders) -> Result<OrderPage> {
    let page = Page::of(asked, asked.limit, asked.cursor.as_ref(), 1)?;
    ids::refuse_long("serviceId", asked.service_id.as_ref().map(ServiceId::as_str))?;
    let other = match &asked.counterparty {
        None => None,
        Some(name) => Some(account::counterparty(ctx, own, name.as_str(), DEAL)?),
    };
    overdue::refuse(ctx, &own.id)?;
    let filter = Filter { own: &own.id, asked, other: other.as_ref(), page: &page };
    let mut records = match asked.role.as_ref().unwrap_or(&OrderRole::Any) {
        OrderRole::Buyer => filter.bought(ctx)?,
        OrderRole::Provider => filter.sold(ctx)?,
        _ => filter.both(ctx)?,
    };
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    let orders = records.into_iter().map(Record::into_api).collect::<Result<_>>()?;
    Ok(OrderPage { orders, next_cursor })
}

/// An order between two accounts.
const DEAL: Sql = sql!(
    "select 1 from (
        select id from service_request where requester = $1 and provider = $2
        union all
        select id from service_request where requester = $2 and provider = $1
     ) orders limit 1"
);

/// Statements of a list: of all orders of a side, and of those that are open, which are few.
macro_rules! select {
    ($side:literal, $other:literal, $only:literal) => {
        select_orders!(
            "where ",
            $side,
            " = $1",
            $only,
            " and q.id < $2 and q.id >= $3 and (",
            $side,
            " = q.requester or m.hidden = false)
                and (cast($4 as text) is null or ",
            STATUS,
            " = $4)
                and (cast($5 as text) is null or ",
            $other,
            " = $5)
                and (cast($6 as text) is null or q.service = $6)
                and (cast($7 as text) is null or q.client_order_id = $7)
             order by q.id desc limit $8"
        )
    };
}

/// A statement of orders of a side whose proposal as a sample is in a state. It begins with the ids of
/// these proposals, in their index: an account has fewer of them than orders.
macro_rules! select_proposed {
    ($own:literal, $side:literal, $other:literal) => {
        select_orders!(
            "where q.id in (
                select order_id from sample_proposal
                where ",
            $own,
            " = $1 and state = $2 and order_id < $3 and order_id >= $4)
                and (",
            $side,
            " = q.requester or m.hidden = false)
                and (cast($5 as text) is null or ",
            STATUS,
            " = $5)
                and (cast($6 as text) is null or ",
            $other,
            " = $6)
                and (cast($7 as text) is null or q.service = $7)
                and (cast($8 as text) is null or q.client_order_id = $8)
             order by q.id desc limit $9"
        )
    };
}

impl Filter<'_> {
    /// Whether only open orders are asked for, along their own index.
    fn is_open(&self) -> bool {
        use OrderStatus::{Delivered, Disputed, InputRequired, Open, Working};
        let status = self.asked.status.as_ref();
        matches!(status, Some(Open | Working | InputRequired | Delivered | Disputed))
    }

    fn bought(&self, ctx: &mut Ctx<'_, '_>) -> Result<Vec<Record>> {
        if let Some(state) = &self.asked.sample {
            let sql = select_proposed!("buyer", "q.requester", "q.provider");
            return self.proposed(ctx, sql, state);
        }
        if let Some(id) = &self.asked.client_order_id {
            return self.named(ctx, id);
        }
        let sql = if self.is_open() {
            select!("q.requester", "q.provider", " and q.state = 'open'")
        } else {
            select!("q.requester", "q.provider", "")
        };
        self.read(ctx, sql)
    }

    fn sold(&self, ctx: &mut Ctx<'_, '_>) -> Result<Vec<Record>> {
        if let Some(state) = &self.asked.sample {
            let sql = select_proposed!("seller", "q.provider", "q.requester");
            return self.proposed(ctx, sql, state);
        }
        let sql = if self.is_open() {
            select!("q.provider", "q.requester", " and q.state = 'open'")
        } else {
            select!("q.provider", "q.requester", "")
        };
        self.read(ctx, sql)
    }

    /// Both sides, each along its index, merged. No account has both sides of an order.
    fn both(&self, ctx: &mut Ctx<'_, '_>) -> Result<Vec<Record>> {
        let mut records = self.bought(ctx)?;
        records.extend(self.sold(ctx)?);
        records.sort_by(|one, other| other.id.cmp(&one.id));
        records.truncate(usize::try_from(self.page.rows()).unwrap_or(usize::MAX));
        Ok(records)
    }

    /// The order that the buyer gave an id, if it fits the other conditions.
    fn named(&self, ctx: &mut Ctx<'_, '_>, id: &str) -> Result<Vec<Record>> {
        let status = self.asked.status.as_ref();
        ctx.tx.all(
            select_orders!(
                "where q.id = (
                    select order_id from client_order where buyer = $1 and client_order_id = $2)
                    and q.id < $3 and q.id >= $4
                    and (cast($5 as text) is null or ",
                STATUS,
                " = $5)
                    and (cast($6 as text) is null or q.provider = $6)
                    and (cast($7 as text) is null or q.service = $7)"
            ),
            values![
                self.own,
                id,
                self.before(),
                self.since(),
                status,
                self.other,
                self.asked.service_id
            ],
        )
    }

    fn read(&self, ctx: &mut Ctx<'_, '_>, sql: Sql) -> Result<Vec<Record>> {
        let status = self.asked.status.as_ref();
        ctx.tx.all(
            sql,
            values![
                self.own,
                self.before(),
                self.since(),
                status,
                self.other,
                self.asked.service_id,
                self.asked.client_order_id,
                self.page.rows()
            ],
        )
    }

    fn proposed(
        &self,
        ctx: &mut Ctx<'_, '_>,
        sql: Sql,
        state: &SampleState,
    ) -> Result<Vec<Record>> {
        let status = self.asked.status.as_ref();
        ctx.tx.all(
            sql,
            values![
                self.own,
                state,
                self.before(),
                self.since(),
                status,
                self.other,
                self.asked.service_id,
                self.asked.client_order_id,
                self.page.rows()
            ],
        )
    }

    fn before(&self) -> &str {
        self.page.before()
    }

    /// The smallest id that is asked for.
    fn since(&self) -> MessageId {
        self.asked.since.map_or_else(|| MessageId::from(""), ids::first_of)
    }
}
