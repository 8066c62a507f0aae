//! Tools of two endpoints that belong together. The list of tools is fixed, so an argument calls the second one.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use svc_types::api::conversations::{ConversationEnvelope, ReadConversation};
use svc_types::api::escrow::{CancelEscrow, ExtendEscrow, Note, RefundEscrow, RespondToDispute};
use svc_types::api::notifications::{NotificationsRead, ReadNotifications};
use svc_types::api::orders::{
    ExtendOrder, GetOrder, InputOrder, ListOrderPartials, OrderEnvelope, OrderPartialPage,
};
use svc_types::{
    ConversationId, Cursor, EscrowId, Limit, MessageId, NotificationId, PostId, Span, Text, Whole,
};

use crate::backend::Backend;
use crate::brief;
use crate::schema::{beside, either, schema};
use crate::tool::{Effect, Tool, marked, of, read};

/// What `notifications_read` does more than its endpoint.
const MESSAGES: &str = "\
With `conversationId` and `lastReadMessageId` instead, the messages of a conversation up to that one are \
marked as read, and their notifications with them. The sender sees that they were read.";

/// What `order_show` does more than its endpoint.
const PARTIALS: &str = "\
With `partials` the answer has a page of the partial results too, oldest first: `partialsCount` of the \
order says how many there are. `limit` and `cursor` are those of this page.";

/// What `order_input` does more than its endpoint.
const MORE_TIME: &str = "\
With `answerWithin` instead of `promptId` and `input`, the provider gets more time for the answer: \
`wantsUntil` of the order says what it asked for. An order that an escrow pays for gets more time by \
escrow_respond.";

/// What `escrow_respond` does more than its endpoint.
const MORE_TIME_TO_DELIVER: &str = "\
With `expiresIn` instead of `response`, the buyer gives the provider more time. That is possible before \
the delivery only: the review window never moves.";

/// What `escrow_cancel` does more than its endpoint.
const GIVE_BACK: &str = "\
The buyer cancels. With `refund` the provider gives the credits back to the buyer after the delivery, \
also while it is disputed.";

/// What `notifications_read` is given.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Seen {
    /// Ids of the notifications, 1 to 100.
    ids: Option<Vec<NotificationId>>,
    /// This notification and all older ones.
    up_to: Option<NotificationId>,
    /// The notifications about this post among your newest 10,000 events.
    post_id: Option<PostId>,
    /// All notifications.
    all: Option<bool>,
    /// The conversation whose messages you have read: `conv_…`.
    conversation_id: Option<ConversationId>,
    /// The newest message that you have read, with `conversationId`.
    last_read_message_id: Option<MessageId>,
}

/// What `order_show` is given.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Show {
    /// Id of the order: `msg_…`.
    order_id: MessageId,
    /// How long to wait for a change: 0 to 60 seconds.
    wait_seconds: Option<Whole<0, 60>>,
    /// Wait until the version is larger than this; the present version when omitted.
    after_version: Option<u64>,
    /// Whether to show a page of the partial results too. `limit` and `cursor` ask for it as well.
    partials: Option<bool>,
    /// Page size of the partial results: 1 to 100, 20 when omitted.
    limit: Option<Limit>,
    /// Cursor of the page of partial results: `nextCursor` of the page before.
    cursor: Option<Cursor>,
}

/// What `order_input` is given.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Provide {
    /// Id of the order: `msg_…`.
    order_id: MessageId,
    /// The question it answers: `prompt.id`.
    prompt_id: Option<Text<1, 64>>,
    /// The input, with `promptId`: at most 64 KiB of JSON; it must match the schema of the question.
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    input: Option<Value>,
    /// Time for the answer from now on: later than before, and at most 30d after the order was
    /// placed.
    answer_within: Option<Span>,
}

/// What `escrow_respond` is given.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Respond {
    /// Id of the escrow: `esc_…`.
    escrow_id: EscrowId,
    /// Your response to the dispute.
    response: Option<Note>,
    /// Evidence, with `response`: at most 64 KiB of JSON.
    #[schemars(extend("type" = ["object", "array", "string", "number", "boolean"]))]
    evidence: Option<Value>,
    /// Time for the delivery from now on: later than before, and at most 90d after the creation.
    expires_in: Option<Span>,
}

/// What `escrow_cancel` is given.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Cancel {
    /// Id of the escrow: `esc_…`.
    escrow_id: EscrowId,
    /// Reason for the cancellation or the refund.
    reason: Option<Note>,
    /// Whether you give the credits back as the provider, after the delivery.
    refund: Option<bool>,
}

/// The tool that marks notifications as read, or messages.
pub(crate) fn notifications_read<B: Backend>() -> Tool<B> {
    Tool {
        input: schema::<Seen>,
        output: either::<NotificationsRead, ConversationEnvelope>,
        run: |backend, given| Box::pin(mark(backend, given)),
        ..of::<B, ReadNotifications>("notifications_read", "Mark notifications or messages as read")
            .that(Effect::AddsOnce)
            .and(MESSAGES)
    }
}

/// The tool that shows an order, with its partial results if asked.
pub(crate) fn order_show<B: Backend>() -> Tool<B> {
    Tool {
        input: schema::<Show>,
        output: beside::<OrderEnvelope, OrderPartialPage>,
        run: |backend, given| Box::pin(show(backend, given)),
        ..of::<B, GetOrder>("order_show", "Look at an order, or wait for it").and(PARTIALS)
    }
}

/// The tool that gives a provider what it asks for: an input, or time.
pub(crate) fn order_input<B: Backend>() -> Tool<B> {
    Tool {
        input: schema::<Provide>,
        run: |backend, given| Box::pin(give(backend, given)),
        ..of::<B, InputOrder>("order_input", "Answer a question of the provider, or give more time")
            .and(MORE_TIME)
    }
}

/// The tool that responds to a dispute, or to a provider that asks for time.
pub(crate) fn escrow_respond<B: Backend>() -> Tool<B> {
    Tool {
        input: schema::<Respond>,
        run: |backend, given| Box::pin(respond(backend, given)),
        ..of::<B, RespondToDispute>("escrow_respond", "Respond to a dispute, or give more time")
            .and(MORE_TIME_TO_DELIVER)
    }
}

/// The tool that gives the buyer the credits of an escrow back.
pub(crate) fn escrow_cancel<B: Backend>() -> Tool<B> {
    Tool {
        input: schema::<Cancel>,
        run: |backend, given| Box::pin(cancel(backend, given)),
        ..of::<B, CancelEscrow>("escrow_cancel", "Cancel or refund an escrow")
            .that(Effect::ChangesOnce)
            .and(GIVE_BACK)
    }
}

async fn mark<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let Seen { ids, up_to, post_id, all, conversation_id, last_read_message_id } =
        read::<B, Seen>(&given)?;
    let names_some = ids.is_some() || up_to.is_some() || post_id.is_some() || all == Some(true);
    let answer = match (conversation_id, last_read_message_id) {
        (None, None) => backend.send(ReadNotifications { ids, up_to, post_id, all }).await,
        (Some(conversation_id), Some(last_read_message_id)) if !names_some => {
            backend.send(ReadConversation { conversation_id, last_read_message_id }).await
        }
        _ => {
            let message = "conversationId and lastReadMessageId go together, and with nothing else";
            Err(B::misused(message.to_owned(), "mark notifications by another call"))
        }
    };
    answer.map(marked)
}

async fn show<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let Show { order_id, wait_seconds, after_version, partials, limit, cursor } =
        read::<B, Show>(&given)?;
    let names_page = limit.is_some() || cursor.is_some();
    let page = ListOrderPartials { order_id: order_id.clone(), limit, cursor };
    let order = backend.send(GetOrder { order_id, wait_seconds, after_version }).await?;
    if !partials.unwrap_or(names_page) {
        return Ok(marked(order));
    }
    // The order is answered whole; only its partial results are a list.
    let mut page = brief::page(backend.send(page).await?);
    if let (Some(members), Value::Object(order)) = (page["untrusted"].as_object_mut(), order) {
        members.extend(order);
    }
    Ok(page)
}

async fn give<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let Provide { order_id, prompt_id, input, answer_within } = read::<B, Provide>(&given)?;
    let answer = match (prompt_id, input, answer_within) {
        (Some(prompt_id), Some(input), None) => {
            backend.send(InputOrder { order_id, prompt_id, input }).await
        }
        (None, None, Some(answer_within)) => {
            backend.send(ExtendOrder { order_id, answer_within }).await
        }
        _ => {
            let message = "promptId and input are needed, or only answerWithin";
            Err(B::misused(message.to_owned(), "if both are asked for, call the tool twice"))
        }
    };
    answer.map(marked)
}

async fn respond<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let Respond { escrow_id, response, evidence, expires_in } = read::<B, Respond>(&given)?;
    let answer = match (response, evidence, expires_in) {
        (Some(response), evidence, None) => {
            backend.send(RespondToDispute { escrow_id, response, evidence }).await
        }
        (None, None, Some(expires_in)) => {
            backend.send(ExtendEscrow { escrow_id, expires_in }).await
        }
        _ => {
            let message = "response is needed, or only expiresIn";
            let hint = "the provider responds to a dispute, the buyer gives more time";
            Err(B::misused(message.to_owned(), hint))
        }
    };
    answer.map(marked)
}

async fn cancel<B: Backend>(backend: &B, given: Map<String, Value>) -> Result<Value, B::Error> {
    let Cancel { escrow_id, reason, refund } = read::<B, Cancel>(&given)?;
    let answer = if refund == Some(true) {
        backend.send(RefundEscrow { escrow_id, reason }).await
    } else {
        backend.send(CancelEscrow { escrow_id, reason }).await
    };
    answer.map(marked)
}
