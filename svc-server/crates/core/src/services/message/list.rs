//! Pages of messages, of one conversation or of a whole mailbox, in both orders.

use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::messages::{Message, MessagePage, Order, RequestStatus, Unread};
use svc_types::{ConversationId, MessageId, Timestamp, UserId};

use super::{Record, request};
use crate::app::Ctx;
use crate::ids;
use crate::page::Page;
use crate::select_messages;

/// Selects messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// Only those of this conversation.
    pub conversation: Option<&'a ConversationId>,
    /// Only those with this schema.
    pub schema: Option<&'a str>,
    /// Only orders in this state.
    pub request_status: Option<&'a RequestStatus>,
    /// Only received ones that are not read.
    pub unread: bool,
    /// Only those from this instant on.
    pub since: Option<Timestamp>,
    /// The sort order; descending when omitted.
    pub order: Option<&'a Order>,
}

impl Filter<'_> {
    fn is_ascending(&self) -> bool {
        self.order == Some(&Order::Asc)
    }

    /// The id after which a page begins in this order.
    fn first<'p>(&self, page: &'p Page) -> &'p str {
        page.after_one().unwrap_or(if self.is_ascending() { ids::FIRST } else { ids::LAST })
    }
}

/// A page of the messages that `reader` sent or received and has not deleted.
pub fn page(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    filter: &Filter<'_>,
    page: &Page,
) -> Result<MessagePage> {
    let is_open = filter.request_status == Some(&RequestStatus::Open);
    let mut records = match filter.conversation {
        _ if is_open => open(ctx, reader, filter, page)?,
        Some(conversation) => of_conversation(ctx, reader, conversation, filter, page)?,
        None => of_mailbox(ctx, reader, filter, page)?,
    };
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    request::hide_reads(ctx, reader, &mut records)?;
    let now = ctx.now();
    let messages = records.into_iter().map(|record| record.into_api(now)).collect::<Result<_>>()?;
    Ok(MessagePage { messages, next_cursor })
}

/// Whether an open order, `q`, awaits its provider: not while its buyer has to answer a question or to judge a result.
const AWAITS_PROVIDER: &str = "coalesce(q.stage, '') <> 'input_required' and not exists (
    select 1 from escrow e where e.id = q.escrow and e.status in ('delivered', 'disputed'))";

/// Counts an account's unread messages, and the orders that await its answer.
pub fn unread(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Unread> {
    let (conversations, messages, requests) = ctx.tx.one(
        sql!(
            "select count(*), cast(coalesce(sum(unread_count), 0) as bigint),
                cast(coalesce(sum(case when folder = 'requests' then 1 else 0 end), 0) as bigint)
             from conversation_member
             where account = $1 and unread_count > 0 and muted = false and folder <> 'declined'"
        ),
        values![account],
    )?;
    let service_requests = ctx.tx.one(
        sql!(
            "select count(*) from service_request q cross join message m
             where q.provider = $1 and q.state = 'open' and m.id = q.id and m.hidden = false and ",
            AWAITS_PROVIDER
        ),
        values![account],
    )?;
    Ok(Unread { conversations, messages, requests, service_requests })
}

/// The orders of a provider's services that wait for an answer, newest first.
pub fn pending(ctx: &mut Ctx<'_, '_>, provider: &UserId, most: u32) -> Result<Vec<Message>> {
    let records: Vec<Record> = ctx.tx.all(
        select_messages!(
            "where q.provider = $1 and q.state = 'open' and m.deleted_by_recipient = false
                and m.hidden = false and ",
            AWAITS_PROVIDER,
            " order by q.id desc limit $2"
        ),
        values![provider, i64::from(most)],
    )?;
    let now = ctx.now();
    records.into_iter().map(|record| record.into_api(now)).collect()
}

/// The smallest id that the filter admits.
fn since(filter: &Filter<'_>) -> MessageId {
    filter.since.map_or_else(|| MessageId::from(""), ids::first_of)
}

fn of_conversation(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    conversation: &ConversationId,
    filter: &Filter<'_>,
    page: &Page,
) -> Result<Vec<Record>> {
    macro_rules! select {
        ($beyond:literal, $order:literal) => {
            select_messages!(
                "where m.conversation = $1 and m.id ",
                $beyond,
                " $2 and m.id >= $3
                    and (m.sender = $4 and m.deleted_by_sender = false
                        or m.recipient = $4 and m.deleted_by_recipient = false
                            and m.hidden = false)
                    and (cast($5 as text) is null or m.schema_name = $5)
                    and ($6 = false or m.recipient = $4 and m.read_at is null)
                    and (cast($7 as text) is null or q.state = $7)
                 order by m.id ",
                $order,
                " limit $8"
            )
        };
    }
    ctx.tx.all(
        if filter.is_ascending() { select!(">", "asc") } else { select!("<", "desc") },
        values![
            conversation,
            filter.first(page),
            since(filter),
            reader,
            filter.schema,
            filter.unread,
            filter.request_status,
            page.rows()
        ],
    )
}

/// What was sent and what was received.
fn of_mailbox(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    filter: &Filter<'_>,
    page: &Page,
) -> Result<Vec<Record>> {
    macro_rules! select {
        ($beyond:literal, $order:literal) => {
            select_messages!(
                "join mailbox b on b.message = m.id
                 where b.account = $1 and b.message ",
                $beyond,
                " $2 and b.message >= $3
                    and (m.sender = $1 and m.deleted_by_sender = false and $4 = false
                        or m.recipient = $1 and m.deleted_by_recipient = false
                            and m.hidden = false and ($4 = false or m.read_at is null))
                    and (cast($5 as text) is null or m.schema_name = $5)
                    and (cast($6 as text) is null or q.state = $6)
                 order by b.message ",
                $order,
                " limit $7"
            )
        };
    }
    ctx.tx.all(
        if filter.is_ascending() { select!(">", "asc") } else { select!("<", "desc") },
        values![
            reader,
            filter.first(page),
            since(filter),
            filter.unread,
            filter.schema,
            filter.request_status,
            page.rows()
        ],
    )
}

/// Open orders of both sides. Few are open, however long the mailbox is.
fn open(
    ctx: &mut Ctx<'_, '_>,
    reader: &UserId,
    filter: &Filter<'_>,
    page: &Page,
) -> Result<Vec<Record>> {
    macro_rules! select {
        ($beyond:literal, $order:literal) => {
            select_messages!(
                "join (
                    select id from (
                        select q.id from service_request q join message o on o.id = q.id
                        where q.requester = $1 and q.state = 'open' and q.id ",
                $beyond,
                " $2 and q.id >= $3 and o.deleted_by_sender = false
                            and (cast($4 as text) is null or o.schema_name = $4)
                            and ($5 = false)
                            and (cast($6 as text) is null or o.conversation = $6)
                        order by q.id ",
                $order,
                " limit $7
                    ) requester
                    union all
                    select id from (
                        select q.id from service_request q join message o on o.id = q.id
                        where q.provider = $1 and q.state = 'open' and q.id ",
                $beyond,
                " $2 and q.id >= $3 and o.deleted_by_recipient = false and o.hidden = false
                            and (cast($4 as text) is null or o.schema_name = $4)
                            and ($5 = false or o.read_at is null)
                            and (cast($6 as text) is null or o.conversation = $6)
                        order by q.id ",
                $order,
                " limit $7
                    ) provider
                    order by id ",
                $order,
                " limit $7
                 ) page on page.id = m.id
                 order by m.id ",
                $order
            )
        };
    }
    ctx.tx.all(
        if filter.is_ascending() { select!(">", "asc") } else { select!("<", "desc") },
        values![
            reader,
            filter.first(page),
            since(filter),
            filter.schema,
            filter.unread,
            filter.conversation,
            page.rows()
        ],
    )
}
