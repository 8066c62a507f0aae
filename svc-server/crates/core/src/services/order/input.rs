//! The input that a provider asks for in the middle of an order.
//!
//! Its schema comes from the provider, so it is compiled and run outside of any transaction.

use std::sync::Arc;

use serde_json::Value;
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::orders::{InputOrder, OrderAction, ProgressState, ServiceOrder};
use svc_types::schema::{Fault, Schema};
use svc_types::{Code, FieldCode, FieldError, Scope};

use super::act::{Side, finish, refuse_large, take, wrong_state};
use crate::app::{App, Ctx};
use crate::identity::Account;

/// An input, and the schema it has to fit.
#[derive(Clone, Debug)]
pub struct Question {
    prompt: i64,
    schema: Option<String>,
    input: Value,
}

/// What an input was found to be.
#[derive(Clone, Debug)]
pub struct Judged {
    prompt: i64,
    faults: Vec<Fault>,
}

/// What is needed to judge an input; nothing where nothing is asked of the caller.
pub fn question(ctx: &mut Ctx<'_, '_>, caller: &Account, asked: &InputOrder) -> Result<Question> {
    caller.require_one(&Scope::ExchangeSpend)?;
    if asked.input.is_null() {
        return Err(Error::invalid("input", "input must not be null"));
    }
    refuse_large("input", Some(&asked.input))?;
    let found: Option<(i64, Option<String>)> = ctx.tx.optional(
        sql!(
            "select coalesce(g.prompts, 0), g.prompt_schema
             from service_request q left join order_progress g on g.order_id = q.id
             where q.id = $1 and q.requester = $2"
        ),
        values![asked.order_id, caller.id],
    )?;
    let (prompt, schema) = found.unwrap_or_default();
    Ok(Question { prompt, schema, input: asked.input.clone() })
}

/// Judges an input, on a thread that may take its time.
pub async fn judge(app: Arc<App>, question: Question) -> Result<Judged> {
    let Question { prompt, schema, input } = question;
    let Some(schema) = schema else { return Ok(Judged { prompt, faults: Vec::new() }) };
    let check = move || {
        let schema = serde_json::from_str(&schema).map_err(Error::internal)?;
        Ok(Schema::new(&schema).map_err(Error::internal)?.faults(&input))
    };
    Ok(Judged { prompt, faults: app.schemas.run(check).await? })
}

/// Gives the input that the provider of an order asks for.
pub fn input(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    asked: &InputOrder,
    judged: &Judged,
) -> Result<ServiceOrder> {
    let order = take(ctx, &asked.order_id, buyer, Side::Buyer)?;
    if !order.is_open() || order.stage != Some(ProgressState::InputRequired) {
        return Err(wrong_state(&order, "the provider asks for nothing"));
    }
    let prompt: i64 = ctx
        .tx
        .one(sql!("select prompts from order_progress where order_id = $1"), values![order.id])?;
    if asked.prompt_id.as_str() != prompt.to_string() || judged.prompt != prompt {
        return Err(another_question().hint(order.state_word()).into());
    }
    judged.refuse()?;
    let (json, now) = (serde_json::to_string(&asked.input).map_err(Error::internal)?, ctx.now());
    let rows = ctx.tx.execute(
        sql!(
            "update service_request set stage = 'working', version = version + 1
             where id = $1 and state = 'open' and stage = 'input_required'"
        ),
        values![order.id],
    )?;
    if rows != 1 {
        return Err(wrong_state(&order, "the provider asks for nothing"));
    }
    ctx.tx.write(
        sql!("update order_progress set prompt_input = $1, input_at = $2 where order_id = $3"),
        values![json, now, order.id],
    )?;
    finish(ctx, &order, buyer, OrderAction::InputGiven)
}

/// The refusal of an answer to an earlier question than the one that is asked by now.
pub fn another_question() -> Refusal {
    Refusal::new(Code::WrongState, "the provider asks another question by now")
}

impl Judged {
    /// 400 when the input does not fit.
    fn refuse(&self) -> Result<()> {
        let refusal = misfit("the input does not fit the question", &self.faults);
        refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }
}

/// The refusal of an input with these faults. Its message begins with `what` is wrong.
pub fn misfit(what: &str, faults: &[Fault]) -> Option<Refusal> {
    let first = faults.first()?;
    let lines = faults.iter().map(|it| format!("/input{}: {}", it.pointer, it.message));
    let message = format!("{what}: {}", first.message);
    let place = |it: &Fault| match &*it.pointer {
        "" => "input".to_owned(),
        pointer => format!("/input{pointer}"),
    };
    let refusal = Refusal::new(Code::InputSchemaMismatch, message).field(&place(first));
    let refusal = refusal.hint(lines.collect::<Vec<_>>().join("; "));
    Some(Refusal { errors: wrong_members(faults, place), ..refusal })
}

/// The wrong members of an input, each at its place in the request.
pub fn wrong_members(faults: &[Fault], place: impl Fn(&Fault) -> String) -> Vec<FieldError> {
    let member = |fault: &Fault| FieldError {
        field: place(fault),
        code: FieldCode::Invalid,
        message: fault.message.clone(),
    };
    faults.iter().map(member).collect()
}
