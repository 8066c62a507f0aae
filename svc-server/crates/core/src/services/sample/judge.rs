//! Checking request and result of an order against the schemas of its service, outside of any
//! transaction: schemas from another account decide how long it takes.

use std::sync::Arc;

use serde_json::Value;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::orders::{AnswerSample, ProposeSample};
use svc_types::api::services::ServiceSample;
use svc_types::schema::Schema;
use svc_types::{Code, MessageId, Timestamp};

use super::record::{Record, by_id};
use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::service;

/// What would be shown, and the schemas it has to fit.
#[derive(Clone, Debug)]
pub struct Question {
    updated_at: Timestamp,
    /// Those of the input and the output.
    schemas: [Option<String>; 2],
    content: ServiceSample,
}

/// What request and result were found to be.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The version of the service; none where nothing was judged.
    updated_at: Option<Timestamp>,
    /// What does not fit.
    fault: Option<String>,
}

/// What is needed to judge a proposal; nothing where the caller may make none.
pub fn load_proposal(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    asked: &ProposeSample,
) -> Result<Option<Question>> {
    load(ctx, &asked.order_id, |record| record.is_of_seller(caller))
}

/// What is needed to judge a consent; nothing where the caller is not asked for one.
pub fn load_answer(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    asked: &AnswerSample,
) -> Result<Option<Question>> {
    load(ctx, &asked.order_id, |record| record.is_of_buyer(caller))
}

fn load(
    ctx: &mut Ctx<'_, '_>,
    id: &MessageId,
    is_own: impl FnOnce(&Record) -> bool,
) -> Result<Option<Question>> {
    let Some(record) = by_id(ctx, id)?.filter(is_own) else { return Ok(None) };
    let Some(content) = record.content()? else { return Ok(None) };
    let schemas = [record.input_schema, record.output_schema];
    Ok(Some(Question { updated_at: record.updated_at, schemas, content }))
}

/// Judges request and result, on a thread that may take its time.
pub async fn judge(app: Arc<App>, question: Option<Question>) -> Result<Judged> {
    let Some(question) = question else { return Ok(Judged { updated_at: None, fault: None }) };
    let updated_at = Some(question.updated_at);
    if question.schemas.iter().all(Option::is_none) {
        return Ok(Judged { updated_at, fault: None });
    }
    let fault = app.schemas.run(move || question.fault()).await?;
    Ok(Judged { updated_at, fault })
}

impl Question {
    /// The first thing that does not fit.
    fn fault(self) -> Result<Option<String>> {
        let Self { schemas: [input, output], content, .. } = self;
        let parts = [("input", content.input, input), ("output", content.output, output)];
        for (name, value, schema) in parts {
            let Some(json) = schema else { continue };
            let schema = serde_json::from_str(&json).map_err(Error::internal)?;
            let schema = Schema::new(&schema).map_err(Error::internal)?;
            if let Some(first) = schema.faults(&Value::Object(value)).first() {
                let place = format!("{name}{}", first.pointer);
                let message = format!("{place} of the order must fit {name}Schema");
                return Ok(Some(format!("{message}: {}", first.message)));
            }
        }
        Ok(None)
    }
}

impl Judged {
    /// 503 if the service was changed since, 400 if request or result do not fit it.
    pub(super) fn refuse(&self, record: &Record) -> Result<()> {
        if self.updated_at != Some(record.updated_at) {
            return Err(service::changed_meanwhile());
        }
        let Some(fault) = &self.fault else { return Ok(()) };
        let refusal = Refusal::new(Code::ValidationFailed, fault.as_str());
        Err(refusal.hint("only an order that fits the service can be its sample").into())
    }
}
