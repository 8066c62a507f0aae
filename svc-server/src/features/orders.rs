//! Orders of services: placed, listed, waited for, worked on (spec §2.4, §2.5).

mod samples;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::service_request::{self, Judged, Question};
use svc_core::services::{order, review as reviews};
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::orders::{
    AnswerOrder, CancelOrder, CreateOrder, CreateReview, DeleteReview, ExtendOrder, GetOrder,
    InputOrder, ListOrderPartials, ListOrders, OrderEnvelope, OrderPage, OrderPartialPage,
    ProgressOrder, Review,
};

use crate::app::ServerApp;
use crate::http::pipeline::Wait;
use crate::http::{Answer, Routes};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .write_prepared_if(|_| true, order::load, judge, create)
        .read(list)
        .read_waiting(read, waits)
        .write(answer)
        .allow_suspended()
        .write_prepared_if(has_schema, schema, accept, progress)
        .allow_suspended()
        .write_prepared_if(|_| true, order::question, judge_input, input)
        .allow_suspended()
        .write(cancel)
        .allow_suspended()
        .write(extend)
        .read(partials)
        .write(review)
        .write(delete_review)
        .and(samples::routes())
}

/// Checks an order's input against the schema of its service.
async fn judge(app: Arc<ServerApp>, question: Question) -> Result<Judged> {
    service_request::judge(app.core(), question).await
}

fn not_judged() -> Error {
    Error::internal("an input was not judged")
}

#[expect(clippy::ref_option, reason = "`write_prepared_if` passes it like this")]
fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateOrder,
    judged: &Option<Judged>,
) -> Result<Answer<OrderEnvelope>> {
    let judged = judged.as_ref().ok_or_else(not_judged)?;
    let placed = order::place(ctx, caller, request, judged)?;
    Ok(Answer::from(OrderEnvelope { order: placed.order }).earlier(!placed.is_new))
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListOrders) -> Result<OrderPage> {
    order::list::page(ctx, caller, request)
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetOrder) -> Result<OrderEnvelope> {
    Ok(OrderEnvelope { order: order::of_party(ctx, &request.order_id, caller)? })
}

/// How long the caller waits for a change; an order that has ended changes no more.
fn waits(request: &GetOrder, response: &OrderEnvelope) -> Option<Wait> {
    let seconds = request.wait_seconds.filter(|seconds| seconds.get() > 0)?;
    let order = &response.order;
    if order.closed_at.is_some() {
        return None;
    }
    let after = request.after_version.map(|after| i64::try_from(after).unwrap_or(i64::MAX));
    let time = Duration::from_secs(seconds.get().into());
    Some(Wait { subject: order.id.to_string(), version: order.version, after, time })
}

fn answer(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &AnswerOrder) -> Result<OrderEnvelope> {
    Ok(OrderEnvelope { order: order::answer(ctx, caller, request)? })
}

/// The schema of a question in stored form. It is checked before the transaction, because compiling
/// it is slow.
async fn accept(app: Arc<ServerApp>, given: Map<String, Value>) -> Result<Schema> {
    app.schemas.run(move || order::accept_schema(&given).map(Schema)).await
}

/// A schema in stored form; none for one that allows everything.
struct Schema(Option<String>);

const fn has_schema(request: &ProgressOrder) -> bool {
    request.prompt_schema.is_some()
}

#[expect(clippy::unnecessary_wraps, reason = "scripts may fail")]
fn schema(_: &mut Ctx<'_, '_>, _: &Account, request: &ProgressOrder) -> Result<Map<String, Value>> {
    Ok(request.prompt_schema.clone().unwrap_or_default())
}

#[expect(clippy::ref_option, reason = "`write_prepared_if` passes it like this")]
fn progress(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ProgressOrder,
    schema: &Option<Schema>,
) -> Result<OrderEnvelope> {
    let schema = schema.as_ref().and_then(|schema| schema.0.as_deref());
    Ok(OrderEnvelope { order: order::progress(ctx, caller, request, schema)? })
}

/// Checks an input against the schema of the question.
async fn judge_input(app: Arc<ServerApp>, question: order::Question) -> Result<order::Judged> {
    order::judge(app.core(), question).await
}

#[expect(clippy::ref_option, reason = "`write_prepared_if` passes it like this")]
fn input(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &InputOrder,
    judged: &Option<order::Judged>,
) -> Result<OrderEnvelope> {
    let judged = judged.as_ref().ok_or_else(not_judged)?;
    Ok(OrderEnvelope { order: order::input(ctx, caller, request, judged)? })
}

fn cancel(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &CancelOrder) -> Result<OrderEnvelope> {
    Ok(OrderEnvelope { order: order::cancel(ctx, caller, request)? })
}

fn extend(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ExtendOrder) -> Result<OrderEnvelope> {
    Ok(OrderEnvelope { order: order::extend(ctx, caller, request)? })
}

fn partials(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListOrderPartials,
) -> Result<OrderPartialPage> {
    order::partials(ctx, caller, request)
}

fn review(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &CreateReview) -> Result<Review> {
    reviews::create(ctx, caller, request)
}

fn delete_review(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeleteReview,
) -> Result<Deleted> {
    reviews::take_back(ctx, caller, &request.order_id)?;
    Ok(Deleted { deleted: true })
}
