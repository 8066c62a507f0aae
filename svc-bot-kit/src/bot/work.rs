//! One job, from the journal to the answer.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use svc_client::types::api::escrow::Escrow;
use svc_client::types::api::messages::Message;
use svc_client::types::{Credits, EscrowId, ServiceMessage, ServiceRequest};
use tokio::sync::SemaphorePermit;

use super::answer::{self, FAILED, INTERRUPTED, TOO_SLOW, Verdict};
use super::check;
use super::send::{persistently, send};
use super::shared::{Bound, Shared};
use crate::clock::now;
use crate::error::Result;
use crate::journal::{Job, Kind, Place, State};
use crate::service::{Ctx, Done, Fail, Failure, Offers, OnCrash, Reins, Rejection};

/// How often a handler is started at most.
const STARTS_MAX: u32 = 3;
/// How long the handler of a message may take.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(60);

/// Does a job as far as it is not done: decides what is to be answered, then sends it.
pub(super) async fn work(shared: Bound, place: Place) -> (Place, Result<()>) {
    let done = async {
        let Some(job) = shared.journal.job(&place.id).await? else { return Ok(()) };
        match (job.state, job.kind) {
            (State::Done, _) => {}
            (_, Kind::Message) => take_message(&shared, job).await?,
            (_, Kind::Request) => take_order(&shared, job).await?,
        }
        send(&shared, &place.id).await
    };
    let done = done.await;
    (place, done)
}

/// An order that is worked on.
struct Order<'a> {
    shared: &'a Shared,
    job: Job,
    message: Message,
    asked: ServiceRequest,
    /// The escrow, once it is known to be for this order alone.
    tied: Option<EscrowId>,
}

/// Decides about an order and stores the answer. Does nothing when the bot is to stop.
async fn take_order(shared: &Shared, job: Job) -> Result<()> {
    let Ok(message) = serde_json::from_str::<Message>(&job.event) else {
        return shared.journal.finish(&job.id, job.starts, Vec::new(), now()).await;
    };
    let asked = match ServiceMessage::parse(&message.content) {
        Ok(Some(ServiceMessage::Request(asked))) => asked,
        other => {
            let why = other.err().map_or_else(|| "it is no order".to_owned(), |why| why.message);
            let verdict = Verdict::Rejected(Rejection::new(why));
            let calls = answer::calls(&message, None, verdict);
            return shared.journal.finish(&job.id, job.starts, calls, now()).await;
        }
    };
    let tied = job.escrow.clone();
    let mut order = Order { shared, job, message, asked, tied };
    let Some(verdict) = order.decide().await? else { return Ok(()) };
    order.store(verdict).await
}

impl Order<'_> {
    /// What is to be answered; none when the bot is to stop.
    async fn decide(&mut self) -> Result<Option<Verdict>> {
        let offer = match check::known(&self.shared.services, &self.asked) {
            Ok(offer) => offer,
            Err(rejection) => return Ok(Some(Verdict::Rejected(rejection))),
        };
        if let Some(verdict) = self.after_crash(&offer) {
            return Ok(Some(verdict));
        }
        let Some(_turns) = turns(self.shared, &offer).await else { return Ok(None) };
        if let Err(verdict) = self.check(&offer).await? {
            return Ok(Some(verdict));
        }
        self.shared.crash.point("an order is checked").await;
        self.shared.journal.start(&self.job.id, self.job.starts).await?;
        self.job.starts += 1;
        self.shared.crash.point("a handler starts").await;
        let verdict = self.run(&offer).await;
        self.shared.crash.point("a handler is done").await;
        Ok(Some(verdict))
    }

    /// What becomes of an order whose handler was interrupted; none when it may start again.
    fn after_crash(&self, offer: &Offers) -> Option<Verdict> {
        if self.job.state != State::Running {
            return None;
        }
        match offer.service.on_crash {
            OnCrash::Rerun if self.job.starts < STARTS_MAX => None,
            OnCrash::Rerun | OnCrash::Error => Some(Verdict::Failed(INTERRUPTED)),
            OnCrash::Reject => Some(Verdict::Rejected(Rejection::new(INTERRUPTED))),
        }
    }

    /// Steps 5 to 7: nothing, or what is to be answered at once.
    async fn check(&mut self, offer: &Offers) -> Result<Result<(), Verdict>> {
        let said = check::input(offer, &self.asked)
            .and_then(|()| check::price(offer, &self.asked))
            .and_then(|()| check::demand(offer, &self.asked));
        let (Ok(()), Some(id)) = (&said, self.asked.escrow_id.clone()) else {
            return Ok(said.map_err(Verdict::Rejected));
        };
        Ok(match self.claim(&id).await? {
            Ok(escrow) if check::is_handed_over(&escrow) => Err(Verdict::HandedOver(id)),
            Ok(escrow) => check::funds(&escrow, offer).map_err(Verdict::Rejected),
            Err(rejection) => Err(Verdict::Rejected(rejection)),
        })
    }

    /// Ties the order to its escrow, if that is for this order alone.
    async fn claim(&mut self, id: &EscrowId) -> Result<Result<Escrow, Rejection>> {
        let shared = self.shared;
        let escrow = match persistently(|| shared.client.escrow().get(id).into_future()).await? {
            Ok(answer) => answer.escrow,
            Err(error) => {
                let message = format!("must be an escrow that can be read: {}", error.message());
                return Ok(Err(Rejection::at("the escrow does not fit", "/escrowId", message)));
            }
        };
        let (me, requester) = (&shared.me.username, &self.message.sender.username);
        if let Err(rejection) = check::parties(&escrow, &self.asked, me, requester) {
            return Ok(Err(rejection));
        }
        if !shared.journal.tie(&self.job.id, id.as_str()).await? {
            return Ok(Err(check::shared_escrow()));
        }
        self.tied = Some(id.clone());
        Ok(Ok(escrow))
    }

    /// Step 8: runs the handler, and checks what it gives.
    async fn run(&self, offer: &Offers) -> Verdict {
        let id = &self.message.message_id;
        let (cx, asked) = (self.context(), &self.asked);
        // Reading the input is the author's code too, and may panic.
        let running = async { offer.service.handler.call(cx.clone(), asked.input.clone()).await };
        match carefully(running, offer.service.timeout).await {
            Ok(done) => match misfit(offer, &done) {
                None => {
                    tracing::info!(order = %id, service = offer.service.name, "done");
                    Verdict::Done(done, cx.charged().unwrap_or(asked.offered_credits))
                }
                Some(fault) => {
                    tracing::error!(order = %id, fault, "the output does not fit its own schema");
                    Verdict::Failed(FAILED)
                }
            },
            Err(Unwell::Fail(fail)) => match fail.into_failure() {
                Failure::Rejected(rejection) => Verdict::Rejected(rejection),
                Failure::Error(error) => {
                    tracing::error!(order = %id, error, "the handler failed");
                    Verdict::Failed(FAILED)
                }
            },
            Err(Unwell::Panic) => {
                tracing::error!(order = %id, "the handler panicked");
                Verdict::Failed(FAILED)
            }
            Err(Unwell::Slow) => {
                tracing::error!(order = %id, "the handler took too long");
                Verdict::Failed(TOO_SLOW)
            }
        }
    }

    fn context(&self) -> Ctx {
        let (asked, message) = (&self.asked, &self.message);
        context(self.shared, message, asked.offered_credits, asked.escrow_id.clone())
    }

    /// Step 9, first part: the job is done and its calls are stored, in one transaction.
    async fn store(&mut self, verdict: Verdict) -> Result<()> {
        if let (None, Verdict::Rejected(_) | Verdict::Failed(_), Some(escrow)) =
            (&self.tied, &verdict, self.asked.escrow_id.clone())
        {
            // An order that was declined before its escrow was looked at ends it too, if it is its own.
            let _ = self.claim(&escrow).await?;
        }
        let calls = answer::calls(&self.message, self.tied.as_ref(), verdict);
        let (journal, job) = (&self.shared.journal, &self.job);
        journal.finish(&job.id, job.starts, calls, now()).await?;
        self.shared.crash.point("an answer is stored").await;
        Ok(())
    }
}

/// Hands a message to its handler; what comes of it is nobody's but ours.
async fn take_message(shared: &Shared, mut job: Job) -> Result<()> {
    let message = serde_json::from_str::<Message>(&job.event);
    if let (Some(handler), Ok(message)) = (&shared.on_message, message)
        && job.starts < STARTS_MAX
    {
        let Some(_turn) = turn(shared).await else { return Ok(()) };
        shared.journal.start(&job.id, job.starts).await?;
        job.starts += 1;
        shared.crash.point("a handler of messages starts").await;
        let cx = context(shared, &message, Credits::default(), None);
        let running = async { handler(cx, message).await };
        let (id, done) = (&job.id, carefully(running, MESSAGE_TIMEOUT).await);
        match done {
            Ok(()) => {}
            Err(Unwell::Fail(fail)) => tracing::error!(id, ?fail, "a message was not handled"),
            Err(unwell) => tracing::error!(id, ?unwell, "a message was not handled"),
        }
        shared.crash.point("a message is handled").await;
    }
    shared.journal.finish(&job.id, job.starts, Vec::new(), now()).await
}

fn context(shared: &Shared, message: &Message, offered: Credits, escrow: Option<EscrowId>) -> Ctx {
    let reins = Reins {
        client: shared.client.clone(),
        journal: shared.journal.clone(),
        stopping: shared.stopping.subscribe(),
        charge: Mutex::default(),
    };
    let requester = message.sender.username.clone();
    Ctx::new(message.message_id.clone(), requester, offered, escrow, Arc::new(reins))
}

/// Waits for a turn of the service's own, and one of the bot's; none when it is to stop.
async fn turns<'a>(
    shared: &'a Shared,
    offer: &'a Offers,
) -> Option<(Option<SemaphorePermit<'a>>, SemaphorePermit<'a>)> {
    let own = match &offer.turns {
        Some(turns) => Some(tokio::select! {
            biased;
            () = shared.stopped() => return None,
            own = turns.acquire() => own.ok()?,
        }),
        None => None,
    };
    Some((own, turn(shared).await?))
}

/// Waits for a turn; none when the bot is to stop.
async fn turn(shared: &Shared) -> Option<SemaphorePermit<'_>> {
    tokio::select! {
        biased;
        () = shared.stopped() => None,
        turn = shared.turns.acquire() => turn.ok(),
    }
}

/// Why a handler came to no end of its own, or to a bad one.
#[derive(Debug)]
enum Unwell {
    Fail(Fail),
    Panic,
    Slow,
}

/// Runs a handler for so long at most; its panic ends nothing else.
async fn carefully<T>(
    running: impl Future<Output = Result<T, Fail>>,
    timeout: Duration,
) -> Result<T, Unwell> {
    let mut running = pin!(running);
    let caught = poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(cx))) {
        Ok(polled) => polled.map(|ended| ended.map_err(Unwell::Fail)),
        Err(_) => std::task::Poll::Ready(Err(Unwell::Panic)),
    });
    tokio::time::timeout(timeout, caught).await.unwrap_or(Err(Unwell::Slow))
}

/// What is wrong with an output, by the schema that is published.
fn misfit(offer: &Offers, done: &Done) -> Option<String> {
    let (Some(judge), Done::Output(output)) = (&offer.output, done) else { return None };
    let faults = judge.checker.faults(&Value::Object(output.clone()));
    faults.first().map(ToString::to_string)
}
