//! Orders with what their samples need, and what is or would be shown of them.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::messages::RequestStatus;
use svc_types::api::orders::{SampleProposal, SampleState};
use svc_types::api::services::ServiceSample;
use svc_types::{MessageId, ServiceId, Timestamp, UserId};

use super::stored;
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::message::without_tokens;

/// An order's row with its messages, its escrow, its service and its proposal.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) id: MessageId,
    pub(super) buyer: UserId,
    pub(super) buyer_name: String,
    pub(super) is_buyer_gone: bool,
    pub(super) seller: UserId,
    pub(super) seller_name: String,
    /// The owner of the seller.
    owner: Option<UserId>,
    /// Whether moderators hide the message from its recipient.
    pub(super) is_hidden: bool,
    pub(super) order_state: RequestStatus,
    pub(super) closed_at: Option<Timestamp>,
    request: Option<String>,
    response: Option<String>,
    deliverable: Option<String>,
    pub(super) service: ServiceId,
    pub(super) is_offered: bool,
    pub(super) updated_at: Timestamp,
    pub(super) input_schema: Option<String>,
    pub(super) output_schema: Option<String>,
    samples: Option<String>,
    /// The state of the proposal, if there is one.
    pub(super) state: Option<SampleState>,
    pub(super) proposed_at: Option<Timestamp>,
    pub(super) answered_at: Option<Timestamp>,
}
row!(Record {
    id: "q.id",
    buyer: "q.requester",
    buyer_name: "b.username",
    is_buyer_gone: "b.deleted_at is not null",
    seller: "q.provider",
    seller_name: "v.username",
    owner: "v.owner",
    is_hidden: "m.hidden",
    order_state: "q.state",
    closed_at: "q.closed_at",
    request: "case when m.hidden = false then m.payload end",
    response: "case when a.hidden = false then a.payload end",
    deliverable: "e.deliverable",
    service: "q.service",
    is_offered: "s.deleted_at is null",
    updated_at: "s.updated_at",
    input_schema: "s.input_schema",
    output_schema: "s.output_schema",
    samples: "s.samples",
    state: "o.state",
    proposed_at: "o.created_at",
    answered_at: "o.answered_at",
});

/// A statement that reads [`Record`]s. The joins are left joins, although their rows exist, so that
/// every plan begins with the order.
macro_rules! select_records {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::sample::record::Record::COLUMNS,
            " from service_request q
             left join message m on m.id = q.id
             left join account b on b.id = q.requester
             left join account v on v.id = q.provider
             left join service s on s.id = q.service
             left join escrow e on e.id = q.escrow
             left join message a on a.id = q.response_message
             left join sample_proposal o on o.order_id = q.id ",
            $rest
        )
    };
}
pub(super) use select_records;

impl Record {
    pub(super) fn is_of_buyer(&self, account: &Account) -> bool {
        self.buyer == account.id
    }

    /// Whether an account is the seller or owns it.
    pub(super) fn is_of_seller(&self, account: &Account) -> bool {
        self.seller == account.id || self.owner.as_ref() == Some(&account.id)
    }

    /// Whether an account belongs to a side that may see the order.
    pub(super) fn is_seen_by(&self, account: &Account) -> bool {
        self.is_of_buyer(account) || self.is_of_seller(account) && !self.is_hidden
    }

    /// The samples that the service has.
    pub(super) fn samples(&self) -> Result<Vec<ServiceSample>> {
        stored::read(self.samples.as_deref())
    }

    /// What is shown of it, or would be.
    pub(super) fn shown(&self) -> Result<Option<ServiceSample>> {
        if self.state != Some(SampleState::Agreed) {
            return self.content();
        }
        let samples = self.samples()?;
        let own = samples.into_iter().find(|sample| sample.order_id.as_ref() == Some(&self.id));
        Ok(own.map(|sample| ServiceSample::new(sample.input, sample.output)))
    }

    /// Request and result, without access tokens; none without both, or while moderators hide one.
    pub(super) fn content(&self) -> Result<Option<ServiceSample>> {
        let (Some(input), Some(output)) = (self.input()?, self.output()?) else { return Ok(None) };
        Ok(Some(ServiceSample::new(input, output)))
    }

    /// The input of the request, unless that was emptied.
    fn input(&self) -> Result<Option<Map<String, Value>>> {
        let Some(json) = &self.request else { return Ok(None) };
        Ok(Some(cleared(members(object(json)?.remove("input")))))
    }

    /// What was delivered to the escrow, else the output of the answer.
    fn output(&self) -> Result<Option<Map<String, Value>>> {
        let found = match (&self.deliverable, &self.response) {
            (Some(json), _) => delivered(object(json)?),
            (None, Some(json)) => members(object(json)?.remove("output")),
            (None, None) => return Ok(None),
        };
        Ok(Some(cleared(found)).filter(|output| !output.is_empty()))
    }

    /// The proposal as its parties see it after an act.
    pub(super) fn proposal(&self) -> Result<SampleProposal> {
        let (Some(state), Some(proposed_at)) = (self.state.clone(), self.proposed_at) else {
            return Err(Error::internal("an order has no proposal"));
        };
        Ok(SampleProposal { state, content: None, proposed_at, answered_at: self.answered_at })
    }
}

/// The result in a deliverable. Bots deliver their output as the data of a `json` one.
fn delivered(mut deliverable: Map<String, Value>) -> Map<String, Value> {
    let kind = deliverable.remove("type");
    deliverable.remove("checksum");
    match deliverable.get("data") {
        Some(Value::Object(data)) if kind.as_ref().is_some_and(|kind| kind == "json") => {
            data.clone()
        }
        _ => deliverable,
    }
}

fn members(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// The same without access tokens.
fn cleared(object: Map<String, Value>) -> Map<String, Value> {
    let mut value = Value::Object(object);
    without_tokens(&mut value);
    members(Some(value))
}

fn object(json: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(json).map_err(Error::internal)
}

/// The order with this id.
pub(super) fn by_id(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<Option<Record>> {
    ctx.tx.optional(select_records!("where q.id = $1"), values![id])
}

/// The proposal to make an order a sample, with what is or would be shown.
pub fn of_order(ctx: &mut Ctx<'_, '_>, id: &MessageId) -> Result<Option<SampleProposal>> {
    let found: Option<(SampleState, Timestamp, Option<Timestamp>)> = ctx.tx.optional(
        sql!("select state, created_at, answered_at from sample_proposal where order_id = $1"),
        values![id],
    )?;
    let Some((state, proposed_at, answered_at)) = found else { return Ok(None) };
    let content = match state {
        SampleState::Proposed | SampleState::Agreed => {
            by_id(ctx, id)?.map_or(Ok(None), |record| record.shown())?
        }
        _ => None,
    };
    Ok(Some(SampleProposal { state, content, proposed_at, answered_at }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_result_of_a_delivery_has_no_technical_members() {
        let of = |value: Value| Value::Object(delivered(members(Some(value))));
        let output = json!({ "words": 2 });
        let by_bot = json!({ "type": "json", "checksum": "sha256:0", "data": output });
        assert_eq!(of(by_bot), output);
        let by_hand = json!({ "type": "text", "text": "done", "data": { "n": 1 } });
        assert_eq!(of(by_hand), json!({ "text": "done", "data": { "n": 1 } }));
        assert_eq!(of(json!({ "type": "text" })), json!({}));
    }

    #[test]
    fn a_sample_holds_no_access_tokens() {
        let work = json!({ "accessToken": "a", "parts": [{ "accessToken": "b", "n": 1 }] });
        assert_eq!(Value::Object(cleared(members(Some(work)))), json!({ "parts": [{ "n": 1 }] }));
    }
}
