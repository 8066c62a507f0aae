//! Several operations in one call: one transaction, a savepoint for each operation.
//!
//! Each operation calls the same service function as its endpoint.

mod locks;

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::budget;
use svc_core::services::post::{self, Draft};
use svc_core::services::service_request::{self, Judged, Question};
use svc_core::services::{list, message, notification, reaction, relation};
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::batch::{
    AddListMember, BatchResult, BatchResults, OPERATIONS_MAX, Operation, ReplyOperation, RunBatch,
};
use svc_types::api::lists::{AddListMembers, RemoveListMember};
use svc_types::api::messages::SendMessage;
use svc_types::api::notifications::ReadNotifications;
use svc_types::api::posts::{CreateReply, DeletePost, PostEnvelope};
use svc_types::api::reactions::{
    BookmarkPost, LikePost, RepostPost, UnbookmarkPost, UnlikePost, UnrepostPost,
};
use svc_types::api::relations::{BlockUser, Follow, MuteUser, UnblockUser, Unfollow, UnmuteUser};
use svc_types::{Code, Endpoint, Scope, ServiceMessage};

use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::refuse::error_body;

/// Bytes of events that the operations of a batch may write before the next one: a little more than one reply of the
/// largest size to 20 accounts. Everybody else's changes wait until a batch is over.
const EVENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().write_prepared_if(holds_orders, load, judge, run)
}

/// The result of checking an order before the transaction; `None` for other operations.
type Found<T> = Option<Result<T, Box<Refusal>>>;

/// Whether an operation is an order. Checking its input is slow.
fn holds_orders(request: &RunBatch) -> bool {
    request.operations.iter().any(|operation| order(operation).is_some())
}

fn order(operation: &Operation) -> Option<&SendMessage> {
    match operation {
        Operation::SendMessage(request) if message::is_order(request) => Some(request),
        _ => None,
    }
}

/// Loads what checking the orders requires.
fn load(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RunBatch,
) -> Result<Vec<Found<Question>>> {
    refuse_length(request)?;
    let one = |operation| match order(operation) {
        Some(request) => refusal_apart(message::load(ctx, caller, request)).map(Some),
        None => Ok(None),
    };
    request.operations.iter().map(one).collect()
}

async fn judge(app: Arc<ServerApp>, questions: Vec<Found<Question>>) -> Result<Vec<Found<Judged>>> {
    let mut found = Vec::with_capacity(questions.len());
    for question in questions {
        found.push(match question {
            None => None,
            Some(Err(refusal)) => Some(Err(refusal)),
            Some(Ok(question)) => {
                let judged = service_request::judge(Arc::clone(&app), question).await;
                Some(refusal_apart(judged)?)
            }
        });
    }
    Ok(found)
}

/// Separates the refusal of one operation from an error that fails the whole batch.
fn refusal_apart<T>(result: Result<T>) -> Result<Result<T, Box<Refusal>>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(Error::Refused(refusal)) => Ok(Err(refusal)),
        Err(error) => Err(error),
    }
}

fn refuse_length(request: &RunBatch) -> Result<()> {
    if (1..=OPERATIONS_MAX).contains(&request.operations.len()) {
        return Ok(());
    }
    let message = format!("operations must be 1 to {OPERATIONS_MAX} operations");
    Err(Error::invalid("operations", message))
}

#[expect(clippy::ref_option, reason = "`write_prepared_if` passes it like this")]
fn run(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RunBatch,
    judged: &Option<Vec<Found<Judged>>>,
) -> Result<BatchResults> {
    refuse_length(request)?;
    budget::hold(ctx, caller)?;
    locks::take(ctx, caller, &request.operations)?;
    let is_atomic = request.atomic == Some(true);
    let mut results = Vec::with_capacity(request.operations.len());
    for (index, operation) in request.operations.iter().enumerate() {
        let judged = judged.as_ref().and_then(|all| all.get(index)?.as_ref());
        let spent = ctx.spent.clone();
        let (status, body) = match attempt(ctx, caller, operation, judged)? {
            Ok(done) => done,
            // An internal error is not stored under the Idempotency-Key.
            Err(refusal) if refusal.code.status().is_server_error() => return Err(refusal.into()),
            Err(refusal) if is_atomic => {
                let refusal = refusal.field(&format!("/operations/{index}"));
                // They are members of the operation.
                return Err(Refusal { errors: Vec::new(), ..refusal }.into());
            }
            Err(refusal) => {
                ctx.spent = spent;
                (refusal.code.status().as_u16(), object(&error_body(*refusal, &ctx.request_id))?)
            }
        };
        let index = u32::try_from(index).map_err(Error::internal)?;
        results.push(BatchResult { index, status, body });
    }
    Ok(BatchResults { results })
}

/// Runs an operation, unless those before it have written as much as a batch may.
fn attempt(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    operation: &Operation,
    judged: Option<&Result<Judged, Box<Refusal>>>,
) -> Result<Result<Done, Box<Refusal>>> {
    if ctx.event_bytes > EVENT_BYTES_MAX {
        let message = "the operations before this one have written as much as one batch may";
        let refusal = Refusal::new(Code::LimitReached, message).hint("send it in another batch");
        return Ok(Err(refusal.into()));
    }
    ctx.attempt(|ctx| paid(ctx, caller, operation, judged))
}

/// Status and body of a successful operation.
type Done = (u16, Map<String, Value>);

/// A success, in the form that the endpoint `E` returns.
fn done<E: Endpoint>(answer: &E::Response) -> Result<Done> {
    Ok((E::STATUS.as_u16(), object(answer)?))
}

fn object(body: &impl Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(body).map_err(Error::internal)? {
        Value::Object(members) => Ok(members),
        _ => Err(Error::internal("a body is not an object")),
    }
}

/// Runs one operation at the cost of its endpoint.
fn paid(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    operation: &Operation,
    judged: Option<&Result<Judged, Box<Refusal>>>,
) -> Result<Done> {
    caller.require_one(&scope(operation))?;
    if ctx.app.config.limits.budgets {
        ctx.request_bytes = serde_json::to_vec(operation).map_err(Error::internal)?.len() as u64;
        pay(ctx, caller, operation)?;
    }
    one(ctx, caller, operation, judged)
}

/// The scope that an operation needs.
fn scope(operation: &Operation) -> Scope {
    match operation {
        // A malformed service message is refused later.
        Operation::SendMessage(request) => {
            let parsed = ServiceMessage::parse(&request.content).ok().flatten();
            message::scope(parsed.as_ref())
        }
        _ => Scope::Write,
    }
}

fn pay(ctx: &mut Ctx<'_, '_>, caller: &Account, operation: &Operation) -> Result<()> {
    let caller = Some(caller);
    match operation {
        Operation::CreateReply(_) => budget::pay_for(ctx, caller, CreateReply::COST),
        Operation::SendMessage(_) => budget::pay_for(ctx, caller, SendMessage::COST),
        Operation::MarkNotificationsRead(_) => {
            budget::pay_for(ctx, caller, ReadNotifications::COST)
        }
        // All other operations cost the same.
        _ => budget::pay_for(ctx, caller, LikePost::COST),
    }
}

fn one(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    operation: &Operation,
    judged: Option<&Result<Judged, Box<Refusal>>>,
) -> Result<Done> {
    match operation {
        Operation::Like(LikePost { post_id }) => {
            done::<LikePost>(&reaction::like(ctx, caller, post_id)?)
        }
        Operation::Unlike(UnlikePost { post_id }) => {
            done::<UnlikePost>(&reaction::unlike(ctx, caller, post_id)?)
        }
        Operation::Repost(RepostPost { post_id }) => {
            done::<RepostPost>(&reaction::repost(ctx, caller, post_id)?)
        }
        Operation::Unrepost(UnrepostPost { post_id }) => {
            done::<UnrepostPost>(&reaction::unrepost(ctx, caller, post_id)?)
        }
        Operation::Bookmark(BookmarkPost { post_id }) => {
            done::<BookmarkPost>(&reaction::bookmark(ctx, caller, post_id)?)
        }
        Operation::Unbookmark(UnbookmarkPost { post_id }) => {
            done::<UnbookmarkPost>(&reaction::unbookmark(ctx, caller, post_id)?)
        }
        Operation::DeletePost(DeletePost { post_id }) => {
            done::<DeletePost>(&post::delete(ctx, caller, post_id)?)
        }
        Operation::CreateReply(request) => reply(ctx, caller, request),
        Operation::SendMessage(request) => send(ctx, caller, request, judged),
        Operation::MarkNotificationsRead(request) => {
            done::<ReadNotifications>(&notification::read::mark(ctx, caller, request)?)
        }
        Operation::AddListMember(AddListMember { list_id, username }) => {
            let names = std::slice::from_ref(username);
            done::<AddListMembers>(&list::add(ctx, caller, list_id, "username", names)?)
        }
        Operation::RemoveListMember(RemoveListMember { list_id, username }) => {
            done::<RemoveListMember>(&list::remove(ctx, caller, list_id, username)?)
        }
        of_accounts => relate(ctx, caller, of_accounts),
    }
}

/// Runs an operation on another account.
fn relate(ctx: &mut Ctx<'_, '_>, caller: &Account, operation: &Operation) -> Result<Done> {
    match operation {
        Operation::Follow(Follow { username }) => {
            done::<Follow>(&relation::follow(ctx, caller, username.as_str())?)
        }
        Operation::Unfollow(Unfollow { username }) => {
            done::<Unfollow>(&relation::unfollow(ctx, caller, username.as_str())?)
        }
        Operation::Mute(MuteUser { username, expires_in }) => {
            done::<MuteUser>(&relation::mute(ctx, caller, username.as_str(), *expires_in)?)
        }
        Operation::Unmute(UnmuteUser { username }) => {
            done::<UnmuteUser>(&relation::unmute(ctx, caller, username.as_str())?)
        }
        Operation::Block(BlockUser { username }) => {
            done::<BlockUser>(&relation::block(ctx, caller, username.as_str())?)
        }
        Operation::Unblock(UnblockUser { username }) => {
            done::<UnblockUser>(&relation::unblock(ctx, caller, username.as_str())?)
        }
        other => Err(Error::internal(format!("no script for the operation {}", other.op()))),
    }
}

fn reply(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ReplyOperation) -> Result<Done> {
    let (record, _) = post::create(ctx, caller, &Draft::from(request))?;
    let post = post::to_api(ctx, Some(caller), record)?;
    done::<CreateReply>(&PostEnvelope { post })
}

fn send(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &SendMessage,
    judged: Option<&Result<Judged, Box<Refusal>>>,
) -> Result<Done> {
    let judged = judged.cloned().transpose()?;
    done::<SendMessage>(&message::send_asked(ctx, caller, request, &judged)?)
}
