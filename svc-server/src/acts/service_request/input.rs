//! Checking an order's input against the schema of its service, outside of any transaction: a
//! schema of others decides how long it takes.

use std::sync::Arc;

use serde_json::Value;
use svc_types::{Code, ServiceRequest, Timestamp};

use crate::acts::schema::{self, Fault};
use crate::acts::service;
use crate::app::App;
use crate::error::{Error, Refusal, Result};
use crate::{sql, values};

/// What an input was found to be.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The version of the service it was judged by; none when there was no such service.
    updated_at: Option<Timestamp>,
    faults: Vec<Fault>,
}

/// Judges the input of an order.
pub async fn judge(app: &Arc<App>, request: ServiceRequest) -> Result<Judged> {
    let id = request.service_id.clone();
    let look = move |cx: &mut crate::app::Cx<'_, '_>| {
        cx.tx.optional::<(Timestamp, Option<String>)>(
            sql!("select updated_at, input_schema from service where id = $1"),
            values![id],
        )
    };
    let Some((updated_at, schema)) = app.read(look).await? else {
        return Ok(Judged { updated_at: None, faults: Vec::new() });
    };
    let faults = match schema {
        None => Vec::new(),
        Some(schema) => {
            let app = Arc::clone(app);
            let judge = move || {
                let validator = app.schemas.of(&request.service_id, updated_at, &schema)?;
                Ok::<_, Error>(schema::faults(&validator, &Value::Object(request.input)))
            };
            tokio::task::spawn_blocking(judge).await.map_err(Error::internal)??
        }
    };
    Ok(Judged { updated_at: Some(updated_at), faults })
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
