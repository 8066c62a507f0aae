//! The services of a bot, for the bot itself and its owner.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::{owner, sample};
use svc_store::error::Result;
use svc_types::api::Deleted;
use svc_types::api::services::{
    CheckBotService, CreateBotService, CreateService, DeleteBotService, ListBotServices,
    ListSampleOrders, SampleOrderList, ServiceChecked, ServiceEnvelope, ServiceList,
    UpdateBotService, UpdateService,
};

use super::Labels;
use super::accept::{self, Accepted, Parts};
use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::pipeline::Call;

pub(super) fn routes() -> Routes {
    Routes::new()
        .read(list)
        .write_prepared(prepare_create, create)
        .write_prepared(prepare_update, update)
        .write_prepared(prepare_check, check)
        .read(sample_orders)
        .write(delete)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListBotServices) -> Result<ServiceList> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    super::list_of(ctx, &bot)
}

/// The same request as the bot would send it.
///
/// A new service and a change share all members but those in braces.
macro_rules! own_request {
    ($request:ident as $own:ident { $($more:ident),* }) => {
        $own {
            $($more: $request.$more.clone(),)*
            name: $request.name.clone(),
            description: $request.description.clone(),
            price_credits: $request.price_credits,
            input_schema: $request.input_schema.clone(),
            output_schema: $request.output_schema.clone(),
            tags: $request.tags.clone(),
            active: $request.active,
            acceptance: $request.acceptance.clone(),
            category: $request.category.clone(),
            languages: $request.languages.clone(),
            samples: $request.samples.clone(),
        }
    };
}

fn new_service(request: &CreateBotService) -> CreateService {
    own_request!(request as CreateService {})
}

fn change(request: &UpdateBotService) -> UpdateService {
    own_request!(request as UpdateService { service_id })
}

async fn prepare_create(app: Arc<ServerApp>, ask: Arc<Call<CreateBotService>>) -> Result<Accepted> {
    let (caller, name) = (ask.caller.clone(), ask.request.username.clone());
    app.read(move |ctx| owner::acting_for(ctx, &caller, name.as_str())).await?;
    accept::of_new(&app, &new_service(&ask.request)).await
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateBotService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    super::create_of(ctx, &bot, &new_service(request), schemas)
}

async fn prepare_update(app: Arc<ServerApp>, ask: Arc<Call<UpdateBotService>>) -> Result<Accepted> {
    let (caller, name) = (ask.caller.clone(), ask.request.username.clone());
    let bot = move |ctx: &mut Ctx<'_, '_>| owner::acting_for(ctx, &caller, name.as_str());
    accept::of_changed(&app, &change(&ask.request), bot).await
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateBotService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    super::update_of(ctx, &bot, &change(request), schemas)
}

async fn prepare_check(app: Arc<ServerApp>, ask: Arc<Call<CheckBotService>>) -> Result<Accepted> {
    let (caller, name) = (ask.caller.clone(), ask.request.username.clone());
    let id = ask.request.service_id.clone();
    let stored = app.read(move |ctx| {
        let bot = owner::acting_for(ctx, &caller, name.as_str())?;
        match &id {
            Some(id) => Ok(super::own(ctx, &bot, id)?.own()?.samples),
            None => Ok(Vec::new()),
        }
    });
    let stored = stored.await?;
    let request = &ask.request;
    let parts = Parts {
        input: request.input_schema.clone(),
        output: request.output_schema.clone(),
        samples: sample::merged(request.samples.as_deref().unwrap_or_default(), &stored)?,
    };
    accept::checked(&app, parts, None).await
}

/// Refuses what the service would be refused for, and writes nothing.
fn check(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CheckBotService,
    _: &Accepted,
) -> Result<ServiceChecked> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    super::refuse_blank(Some(&*request.name))?;
    Labels::of(request.tags.as_deref(), request.languages.as_deref())?;
    match &request.service_id {
        Some(id) => drop(super::own(ctx, &bot, id)?),
        None => super::refuse_too_many(ctx, &bot)?,
    }
    super::refuse_taken(ctx, &bot, &request.name, request.service_id.as_ref())?;
    Ok(ServiceChecked { valid: true })
}

fn sample_orders(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListSampleOrders,
) -> Result<SampleOrderList> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    let service = super::own(ctx, &bot, &request.service_id)?.id;
    sample::of_service(ctx, &service)
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteBotService) -> Result<Deleted> {
    let bot = owner::acting_for(ctx, caller, request.username.as_str())?;
    super::delete_of(ctx, &bot, &request.service_id)
}
