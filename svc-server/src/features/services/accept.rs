//! Schemas and samples of a service, checked before the transaction.

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::app::{App, Ctx};
use svc_core::services::{sample, schema};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::services::{CreateService, ServiceSample, UpdateService};
use svc_types::schema::Schema;
use svc_types::{Code, Timestamp, UserId};

use super::{own, refuse_person};
use crate::app::ServerApp;
use crate::http::pipeline::Call;

/// Schemas and samples in stored form. They are checked before the transaction, because compiling
/// schemas is slow.
pub(super) struct Accepted {
    pub(super) input: Option<String>,
    pub(super) output: Option<String>,
    pub(super) samples: Option<String>,
    /// The version of the service whose schemas or samples the others were checked with.
    pub(super) beside: Option<Timestamp>,
}

type Object = Map<String, Value>;

/// What a service will have: each part that was sent, or else what is stored.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) input: Option<Object>,
    pub(super) output: Option<Object>,
    pub(super) samples: Vec<ServiceSample>,
}

/// Brings schemas to stored form, and checks that all parts fit together.
pub(super) async fn checked(
    app: &App,
    parts: Parts,
    beside: Option<Timestamp>,
) -> Result<Accepted> {
    let samples = sample::stored(&parts.samples)?;
    let Parts { input, output, samples: given } = parts;
    let is_plain = |schema: &Option<Object>| schema.as_ref().is_none_or(Map::is_empty);
    if is_plain(&input) && is_plain(&output) {
        return Ok(Accepted { input: None, output: None, samples, beside });
    }
    let check = move || {
        let (input, output) = (input.as_ref(), output.as_ref());
        let accepted = Accepted {
            input: schema::accept("inputSchema", input)?,
            output: schema::accept("outputSchema", output)?,
            samples,
            beside,
        };
        refuse_unfit(&given, input, |sample| (&sample.input, "input"))?;
        refuse_unfit(&given, output, |sample| (&sample.output, "output"))?;
        Ok(accepted)
    };
    app.schemas.run(check).await
}

/// 400 for samples of which a part does not fit its schema.
fn refuse_unfit(
    samples: &[ServiceSample],
    schema: Option<&Object>,
    part: fn(&ServiceSample) -> (&Object, &str),
) -> Result<()> {
    let Some(schema) = schema.filter(|schema| !schema.is_empty() && !samples.is_empty()) else {
        return Ok(());
    };
    let schema = Schema::new(schema).map_err(Error::internal)?;
    for (number, sample) in samples.iter().enumerate() {
        let (value, name) = part(sample);
        let faults = schema.faults(&Value::Object(value.clone()));
        let Some(first) = faults.first() else { continue };
        let message = format!("the {name} of a sample must fit {name}Schema: {}", first.message);
        let refusal = Refusal::new(Code::ValidationFailed, message);
        let refusal = match &sample.order_id {
            // It may not have been sent, and nothing that is sent changes it.
            Some(order) => refusal
                .field("samples")
                .hint(format!("take it off first: DELETE /orders/{order}/sample")),
            None => refusal
                .field(&format!("/samples/{number}/{name}{}", first.pointer))
                .hint("send samples that fit, or none"),
        };
        return Err(refusal.into());
    }
    Ok(())
}

pub(super) async fn prepare_create(
    app: Arc<ServerApp>,
    ask: Arc<Call<CreateService>>,
) -> Result<Accepted> {
    refuse_person(&ask.caller)?;
    of_new(&app, &ask.request).await
}

pub(super) async fn of_new(app: &App, request: &CreateService) -> Result<Accepted> {
    let parts = Parts {
        input: request.input_schema.clone(),
        output: request.output_schema.clone(),
        samples: sample::merged(request.samples.as_deref().unwrap_or_default(), &[])?,
    };
    checked(app, parts, None).await
}

pub(super) async fn prepare_update(
    app: Arc<ServerApp>,
    ask: Arc<Call<UpdateService>>,
) -> Result<Accepted> {
    let bot = ask.caller.id.clone();
    of_changed(&app, &ask.request, move |_| Ok(bot.clone())).await
}

/// Schemas and samples that are sent must fit those that are stored.
pub(super) async fn of_changed(
    app: &ServerApp,
    request: &UpdateService,
    bot: impl Fn(&mut Ctx<'_, '_>) -> Result<UserId> + Send + Sync + 'static,
) -> Result<Accepted> {
    let (input, output) = (request.input_schema.clone(), request.output_schema.clone());
    let samples = request.samples.clone();
    if input.is_none() && output.is_none() && samples.is_none() {
        return checked(app, Parts::default(), None).await;
    }
    let id = request.service_id.clone();
    let stored = app.read(move |ctx| {
        let bot = bot(ctx)?;
        own(ctx, &bot, &id)?.own()
    });
    let stored = stored.await?;
    let samples = match samples {
        Some(sent) => sample::merged(&sent, &stored.samples)?,
        None => stored.samples,
    };
    let parts = Parts {
        input: input.or(stored.input_schema),
        output: output.or(stored.output_schema),
        samples,
    };
    checked(app, parts, Some(stored.updated_at)).await
}
