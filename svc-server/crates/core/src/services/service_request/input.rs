//! Checking an order's input against the schema of its service, outside of any transaction: a
//! schema from another account decides how long it takes.

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_store::error::{Refusal, Result};
use svc_store::{sql, values};
use svc_types::schema::Fault;
use svc_types::{Code, ServiceId, ServiceRequest, Timestamp};

use crate::app::{App, Ctx};
use crate::services::service;

/// An input, and the schema it has to fit.
#[derive(Clone, Debug)]
pub struct Question {
    service: ServiceId,
    /// The version of the service; none when there is no such service.
    updated_at: Option<Timestamp>,
    schema: Option<String>,
    input: Map<String, Value>,
}

/// Reads what is needed to judge the input of an order.
pub fn question(ctx: &mut Ctx<'_, '_>, request: &ServiceRequest) -> Result<Question> {
    let found: Option<(Timestamp, Option<String>)> = ctx.tx.optional(
        sql!("select updated_at, input_schema from service where id = $1"),
        values![request.service_id],
    )?;
    let (updated_at, schema) = found.unzip();
    Ok(Question {
        service: request.service_id.clone(),
        updated_at,
        schema: schema.flatten(),
        input: request.input.clone(),
    })
}

/// What an input was found to be.
#[derive(Clone, Debug)]
pub struct Judged {
    updated_at: Option<Timestamp>,
    faults: Vec<Fault>,
}

/// Judges an input, on a thread that may take its time.
pub async fn judge(app: Arc<App>, question: Question) -> Result<Judged> {
    let Question { service, updated_at, schema, input } = question;
    let (Some(version), Some(schema)) = (updated_at, schema) else {
        return Ok(Judged { updated_at, faults: Vec::new() });
    };
    let input = Arc::new(Value::Object(input));
    if let Some(faults) = app.schemas.quick_faults(&service, version, &input).await? {
        return Ok(Judged { updated_at, faults });
    }
    let owned = Arc::clone(&app);
    let check = move || Ok(owned.schemas.of(&service, version, &schema)?.faults(&input));
    let faults = app.schemas.run(check).await?;
    Ok(Judged { updated_at, faults })
}

impl Judged {
    /// 400 when the input does not fit the schema the service has.
    pub(super) fn refuse(&self, service: &service::Record) -> Result<()> {
        if self.updated_at != Some(service.updated_at) {
            let refusal = Refusal::new(Code::Overloaded, "the service was changed at this moment");
            return Err(refusal.retry_after(1).into());
        }
        let Some(first) = self.faults.first() else {
            return Ok(());
        };
        let all: Vec<String> = self
            .faults
            .iter()
            .map(|fault| format!("/payload/input{}: {}", fault.pointer, fault.message))
            .collect();
        let message = format!("the input does not fit the service: {}", first.message);
        Err(Refusal::new(Code::InputSchemaMismatch, message)
            .field(&format!("/payload/input{}", first.pointer))
            .hint(all.join("; "))
            .into())
    }
}
