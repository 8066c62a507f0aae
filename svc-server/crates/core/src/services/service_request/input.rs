//! Checking an order's input against the schema of its service, outside of any transaction: a
//! schema from another account decides how long it takes.

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_store::error::{Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::schema::Fault;
use svc_types::{Code, Credits, EscrowId, ServiceId, Timestamp};

use crate::app::{App, Ctx};
use crate::services::{order, service};

/// An input, and the schema it has to fit.
#[derive(Clone, Debug)]
pub struct Question {
    service: ServiceId,
    /// The version of the service; none when there is no such service.
    updated_at: Option<Timestamp>,
    schema: Option<String>,
    input: Map<String, Value>,
    terms: Option<Terms>,
}

/// What an order of a service says of its terms.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Name of the service.
    pub name: String,
    /// Its price.
    pub price: Credits,
    /// Amount of the escrow that pays, if there is such an escrow.
    pub amount: Option<Credits>,
}

/// A service as an order finds it.
struct Found {
    updated_at: Timestamp,
    schema: Option<String>,
    name: String,
    price: Credits,
    amount: Option<Credits>,
}
row!(Found {
    updated_at: "s.updated_at",
    schema: "s.input_schema",
    name: "s.name",
    price: "s.price",
    amount: "(select amount from escrow where id = $1)",
});

/// Reads what is needed to judge the input of an order.
pub fn question(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    input: &Map<String, Value>,
    escrow: Option<&EscrowId>,
) -> Result<Question> {
    let found: Option<Found> = ctx.tx.optional(
        sql!("select ", Found::COLUMNS, " from service s where s.id = $2"),
        values![escrow, service],
    )?;
    let (service, input) = (service.clone(), input.clone());
    let Some(Found { updated_at, schema, name, price, amount }) = found else {
        return Ok(Question { service, updated_at: None, schema: None, input, terms: None });
    };
    let terms = Some(Terms { name, price, amount });
    Ok(Question { service, updated_at: Some(updated_at), schema, input, terms })
}

/// What an input was found to be.
#[derive(Clone, Debug)]
pub struct Judged {
    updated_at: Option<Timestamp>,
    faults: Vec<Fault>,
    /// The terms, if there is such a service.
    pub terms: Option<Terms>,
}

/// Judges an input, on a thread that may take its time.
pub async fn judge(app: Arc<App>, question: Question) -> Result<Judged> {
    let Question { service, updated_at, schema, input, terms } = question;
    let (Some(version), Some(schema)) = (updated_at, schema) else {
        return Ok(Judged { updated_at, faults: Vec::new(), terms });
    };
    let input = Arc::new(Value::Object(input));
    if let Some(faults) = app.schemas.quick_faults(&service, version, &input).await? {
        return Ok(Judged { updated_at, faults, terms });
    }
    let owned = Arc::clone(&app);
    let check = move || Ok(owned.schemas.of(&service, version, &schema)?.faults(&input));
    let faults = app.schemas.run(check).await?;
    Ok(Judged { updated_at, faults, terms })
}

impl Judged {
    /// 400 when the input does not fit the schema the service has.
    pub(super) fn refuse(&self, service: &service::Record) -> Result<()> {
        if self.updated_at != Some(service.updated_at) {
            return Err(service::changed_meanwhile());
        }
        let Some(first) = self.faults.first() else {
            return Ok(());
        };
        let place = |fault: &Fault| format!("/payload/input{}", fault.pointer);
        let errors = order::wrong_members(&self.faults, place);
        let all = errors.iter().map(|error| format!("{}: {}", error.field, error.message));
        let message = format!("the input does not fit the service: {}", first.message);
        let refusal = Refusal::new(Code::InputSchemaMismatch, message)
            .field(&format!("/payload/input{}", first.pointer))
            .hint(all.collect::<Vec<_>>().join("; "));
        Err(Refusal { errors, ..refusal }.into())
    }
}
