//! Orders as they are stored, and as their parties see them.

use serde_json::{Map, Value};
use svc_store::error::{Error, Overdue, Result};
use svc_store::{row, sql, values};
use svc_types::api::messages::Party;
use svc_types::api::orders::{OrderProgress, OrderPrompt, OrderStatus, ServiceOrder};
use svc_types::{ConversationId, Credits, EscrowId, MessageId, ServiceId, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::message::without_tokens;
use crate::services::{review, sample};

/// An order's row with its message, its escrow, its progress and its answer.
#[expect(clippy::struct_excessive_bools, reason = "a row of several tables")]
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) id: MessageId,
    status: OrderStatus,
    version: i64,
    conversation: ConversationId,
    buyer: UserId,
    buyer_name: String,
    buyer_is_agent: bool,
    provider: UserId,
    provider_name: String,
    provider_is_agent: bool,
    /// Whether moderators hide the message from its recipient.
    is_hidden: bool,
    service: ServiceId,
    service_name: String,
    request: Option<String>,
    offered: Credits,
    charged: Option<Credits>,
    escrow: Option<EscrowId>,
    escrow_due_at: Option<Timestamp>,
    was_disputed: bool,
    client_order_id: Option<String>,
    cancel_reason: Option<String>,
    response: Option<MessageId>,
    answer: Option<String>,
    percent: Option<i64>,
    note: Option<String>,
    progress_at: Option<Timestamp>,
    wants_until: Option<Timestamp>,
    prompts: Option<i64>,
    prompt: Option<String>,
    prompt_schema: Option<String>,
    prompt_input: Option<String>,
    input_at: Option<Timestamp>,
    partials: i64,
    created_at: Timestamp,
    due_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
}
row!(Record {
    id: "q.id",
    status: STATUS,
    // Each of the two only grows.
    version: "q.version + coalesce(e.version, 0)",
    conversation: "m.conversation",
    buyer: "q.requester",
    buyer_name: "b.username",
    buyer_is_agent: "b.is_agent",
    provider: "q.provider",
    provider_name: "p.username",
    provider_is_agent: "p.is_agent",
    is_hidden: "m.hidden",
    service: "q.service",
    service_name: "s.name",
    request: "m.payload",
    offered: "q.offered",
    // What an escrow paid, if one paid. An offer that nobody accepted stays with it.
    charged: "coalesce(q.charged, case
        when q.state = 'completed' and e.close_reason = 'split' then e.split_amount
        when q.state = 'completed' then e.amount end)",
    escrow: "q.escrow",
    escrow_due_at: "e.due_at",
    was_disputed: "e.dispute is not null",
    client_order_id: "q.client_order_id",
    cancel_reason: "q.cancel_reason",
    response: "q.response_message",
    answer: "case when a.hidden = false then a.payload end",
    percent: "g.percent",
    note: "g.note",
    progress_at: "g.progress_at",
    wants_until: "g.wants_until",
    prompts: "g.prompts",
    prompt: "g.prompt",
    prompt_schema: "g.prompt_schema",
    prompt_input: "g.prompt_input",
    input_at: "g.input_at",
    partials: "q.partials",
    created_at: "q.created_at",
    due_at: "q.due_at",
    closed_at: "q.closed_at",
});

/// The status of an order, with the state of its escrow. An escrow that was refunded may have served
/// an order that failed before; only the one that ended with it was refunded.
pub(crate) const STATUS: &str = "case
    when q.state = 'open' and e.status in ('delivered', 'disputed') then e.status
    when q.state = 'open' then coalesce(q.stage, 'open')
    when q.state = 'error' and e.status = 'refunded' and e.closed_at = q.closed_at then 'refunded'
    else q.state end";

/// A statement that reads order [`Record`]s: `select_orders!("where q.id = $1")`.
///
/// The joins are left joins, although their rows exist, so that every plan begins with the order.
#[macro_export]
macro_rules! select_orders {
    ($($rest:expr),+ $(,)?) => {
        svc_store::sql!(
            "select ",
            $crate::services::order::Record::COLUMNS,
            " from service_request q
             left join message m on m.id = q.id
             left join account b on b.id = q.requester
             left join account p on p.id = q.provider
             left join service s on s.id = q.service
             left join escrow e on e.id = q.escrow
             left join order_progress g on g.order_id = q.id
             left join message a on a.id = q.response_message ",
            $($rest),+
        )
    };
}

impl Record {
    /// Whether time should have advanced it, or the escrow that pays for it.
    fn overdue(&self, now: Timestamp) -> Option<Overdue> {
        let is_past = |due: Option<Timestamp>| due.is_some_and(|due| due <= now);
        match &self.escrow {
            Some(escrow) if is_past(self.escrow_due_at) => Some(Overdue::Escrow(escrow.clone())),
            _ => is_past(self.due_at).then(|| Overdue::Request(self.id.clone())),
        }
    }

    /// Whether an account is a party of it. Moderators hide a message from its recipient.
    fn is_of(&self, account: &UserId) -> bool {
        self.buyer == *account || self.provider == *account && !self.is_hidden
    }

    /// The order as its parties see it.
    pub fn into_api(self) -> Result<ServiceOrder> {
        let progress = self.progress_at.map(|at| OrderProgress {
            percent: self.percent,
            note: self.note.clone(),
            at,
        });
        let prompt = self.prompt()?;
        let (name, input) = self.request()?;
        let Answer { output, reason, error } = self.answer()?;
        Ok(ServiceOrder {
            id: self.id,
            status: self.status,
            version: self.version,
            buyer: party(self.buyer, self.buyer_name, self.buyer_is_agent),
            provider: party(self.provider, self.provider_name, self.provider_is_agent),
            conversation_id: self.conversation,
            service_id: self.service,
            service_name: name.unwrap_or(self.service_name),
            input,
            offered_credits: self.offered,
            charged_credits: self.charged,
            escrow_id: self.escrow,
            client_order_id: self.client_order_id,
            output,
            reason: reason.or(self.cancel_reason),
            error,
            review: None,
            sample: None,
            progress,
            prompt,
            partials_count: self.partials,
            wants_until: self.wants_until,
            response_message_id: self.response,
            created_at: self.created_at,
            expires_at: self.due_at,
            closed_at: self.closed_at,
        })
    }

    /// The name and the input of the request; nothing of one that was emptied.
    fn request(&self) -> Result<(Option<String>, Map<String, Value>)> {
        let Some(json) = &self.request else { return Ok((None, Map::new())) };
        let mut payload = object(json)?;
        let name = payload.get("serviceName").and_then(Value::as_str).map(str::to_owned);
        let input = match payload.remove("input") {
            Some(Value::Object(input)) => input,
            _ => Map::new(),
        };
        Ok((name, input))
    }

    /// The answer that closed it.
    fn answer(&self) -> Result<Answer> {
        let Some(json) = &self.answer else { return Ok(Answer::default()) };
        let Some(Value::Object(mut output)) = object(json)?.remove("output") else {
            return Ok(Answer::default());
        };
        let mut taken = |word: &str| match output.remove(word) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (reason, error) = match self.status {
            OrderStatus::Rejected => (taken("reason"), None),
            OrderStatus::Error | OrderStatus::Refunded => (None, taken("error")),
            _ => (None, None),
        };
        let has_output = !output.is_empty() || reason.is_none() && error.is_none();
        Ok(Answer { output: has_output.then_some(output), reason, error })
    }

    fn prompt(&self) -> Result<Option<OrderPrompt>> {
        let (Some(number), Some(text)) = (self.prompts, &self.prompt) else { return Ok(None) };
        let input = self.prompt_input.as_deref().map(serde_json::from_str);
        Ok(Some(OrderPrompt {
            id: number.to_string(),
            text: text.clone(),
            schema: self.prompt_schema.as_deref().map(object).transpose()?,
            input: input.transpose().map_err(Error::internal)?,
            input_at: self.input_at,
        }))
    }
}

/// What an answer says.
#[derive(Default)]
struct Answer {
    output: Option<Map<String, Value>>,
    reason: Option<String>,
    error: Option<String>,
}

fn party(id: UserId, username: String, is_agent: bool) -> Party {
    Party { id, username, is_agent }
}

/// A JSON column with an object.
fn object(json: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(json).map_err(Error::internal)
}

/// The order with this id.
pub(super) fn by_id(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<Option<Record>> {
    ctx.tx.optional(select_orders!("where q.id = $1"), values![id])
}

/// The order with this id as this party sees it after it acted. A provider may answer an order whose text
/// moderators hide, and sees nothing of it.
pub(super) fn load_for(
    ctx: &mut Ctx<'_, '_>,
    id: &MessageId,
    reader: &UserId,
) -> Result<ServiceOrder> {
    let record = by_id(ctx, id)?;
    let record = record.ok_or_else(|| Error::internal("an order that was found is gone"))?;
    let seen = if record.is_of(reader) { record } else { Record { request: None, ..record } };
    seen.into_api()
}

/// The order with this id that `reader` may read, else 404. Moderators read what a disputed escrow
/// pays for, without access tokens.
pub fn of_party(ctx: &mut Ctx<'_, '_>, id: &MessageId, reader: &Account) -> Result<ServiceOrder> {
    let record = by_id(ctx, id)?.ok_or_else(|| Error::not_found("order"))?;
    let is_party = record.is_of(&reader.id);
    if !(is_party || record.was_disputed && may_judge(ctx, id, reader)?) {
        return Err(Error::not_found("order"));
    }
    if let Some(overdue) = record.overdue(ctx.now()) {
        return Err(Error::Overdue(overdue));
    }
    let mut order = record.into_api()?;
    order.review = review::of_order(ctx, id)?;
    if !is_party {
        return moderated(order);
    }
    if order.status == OrderStatus::Completed {
        order.sample = sample::of_order(ctx, id)?;
    }
    Ok(order)
}

/// An order without access tokens.
fn moderated(mut order: ServiceOrder) -> Result<ServiceOrder> {
    order.input = cleared(order.input)?;
    order.output = order.output.map(cleared).transpose()?;
    if let Some(prompt) = &mut order.prompt
        && let Some(input) = &mut prompt.input
    {
        without_tokens(input);
    }
    Ok(order)
}

fn cleared(members: Map<String, Value>) -> Result<Map<String, Value>> {
    let mut value = Value::Object(members);
    without_tokens(&mut value);
    match value {
        Value::Object(members) => Ok(members),
        _ => Err(Error::internal("an object became another value")),
    }
}

/// Whether `reader` is a party of an order, or a moderator of its dispute; 404 for others.
pub(super) fn is_party(ctx: &mut Ctx<'_, '_>, id: &MessageId, reader: &Account) -> Result<bool> {
    let found: Option<(bool, bool)> = ctx.tx.optional(
        sql!(
            "select q.requester = $1 or q.provider = $1 and m.hidden = false, e.dispute is not null
             from service_request q
             join message m on m.id = q.id
             left join escrow e on e.id = q.escrow
             where q.id = $2"
        ),
        values![reader.id, id],
    )?;
    match found {
        Some((true, _)) => Ok(true),
        Some((false, true)) if may_judge(ctx, id, reader)? => Ok(false),
        _ => Err(Error::not_found("order")),
    }
}

/// Whether an account may read what the dispute of an order is about: a moderator who neither is nor owns
/// a party.
pub fn may_judge(ctx: &mut Ctx<'_, '_>, id: &MessageId, reader: &Account) -> Result<bool> {
    if !reader.is_moderator() {
        return Ok(false);
    }
    let sql = sql!(
        "select 1 from service_request q join account a on a.id in (q.requester, q.provider)
         where q.id = $1 and coalesce(a.owner, a.id) = $2 limit 1"
    );
    let own: Option<i64> = ctx.tx.optional(sql, values![id, reader.person()])?;
    Ok(own.is_none())
}
