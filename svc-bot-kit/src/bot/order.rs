//! One order, from the journal to the stored answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use svc_client::types::api::escrow::Escrow;
use svc_client::types::api::messages::{Message, RequestStatus};
use svc_client::types::api::orders::ProgressState;
use svc_client::types::api::services::Acceptance;
use svc_client::types::{Code, EscrowId, ServiceMessage, ServiceRequest};
use tokio::sync::SemaphorePermit;
use tracing::Span;

use super::answer::{self, FAILED, INTERRUPTED, TOO_SLOW, Verdict};
use super::check;
use super::handler_error::HandlerKind;
use super::handler_retry::{Failed, Restart, postpone};
use super::isolate::{HandlerFailure, context, run_isolated};
use super::send::is_key_refused;
use super::shared::Shared;
use super::work::Step;
use crate::error::Result;
use crate::journal::{Job, NewCall, State};
use crate::service::{Done, Offer, OnCrash, Rejection};

/// Starts of a handler per job at most.
pub(super) const STARTS_MAX: u32 = 3;
/// How long an order that was seen open is assumed to be open.
const FRESH: Duration = Duration::from_secs(60);

/// Decides on an order and stores the answer. Does nothing if the bot is stopping.
pub(super) async fn take_order(shared: &Shared, job: Job) -> Result<Step> {
    let Ok(message) = serde_json::from_str::<Message>(&job.event) else {
        return finish(shared, &job, Vec::new()).await;
    };
    Span::current().record("buyer", &*message.sender.username);
    let asked = match ServiceMessage::parse(&message.content) {
        Ok(Some(ServiceMessage::Request(asked))) => asked,
        other => {
            let reason = match other {
                Err(error) => error.message,
                Ok(_) => "the message is not an order".to_owned(),
            };
            tracing::debug!(reason, "rejected");
            let verdict = Verdict::Rejected(Rejection::new(reason));
            return finish(shared, &job, answer::calls(&message, None, verdict)).await;
        }
    };
    let escrow = job.escrow.clone();
    let mut order = Order { shared, job, message, asked, escrow };
    match order.decide().await? {
        Decided::Verdict(verdict) => order.store(verdict).await.map(|()| Step::Finished),
        Decided::Retry => Ok(Step::Retry),
        Decided::Stopped => Ok(Step::Finished),
    }
}

async fn finish(shared: &Shared, job: &Job, calls: Vec<NewCall>) -> Result<Step> {
    shared.journal.finish(&job.id, job.starts, calls, shared.clock.now()).await?;
    Ok(Step::Finished)
}

/// An order in progress.
struct Order<'a> {
    shared: &'a Shared,
    job: Job,
    message: Message,
    asked: ServiceRequest,
    /// The escrow that pays, once it is known to pay for this order only.
    escrow: Option<EscrowId>,
}

/// Why there is no result, and whether the function of the service had started.
struct FailedRun {
    failure: HandlerFailure,
    has_begun: bool,
}

/// A permit of the service, if it has a limit, and one of the bot.
type Permits<'a> = (Option<SemaphorePermit<'a>>, SemaphorePermit<'a>);

/// Whether a handler may run now.
enum Admission<'a> {
    Granted(Permits<'a>),
    /// The order was closed while it waited.
    OrderClosed,
    /// The bot is stopping.
    Stopping,
}

/// The outcome of one attempt at an order.
enum Decided {
    Verdict(Verdict),
    /// The handler runs again later.
    Retry,
    /// The bot is stopping.
    Stopped,
}

impl<'s> Order<'s> {
    async fn decide(&mut self) -> Result<Decided> {
        // The escrow comes first: if the work was delivered, the answer is that, whatever the checks
        // would say now. The journal that recorded the delivery may be lost.
        let escrow = match self.asked.escrow_id.clone() {
            Some(id) => Some(self.claim(&id).await?),
            None => None,
        };
        if let (Some(Ok(escrow)), Some(id)) = (&escrow, &self.asked.escrow_id)
            && check::is_delivered(escrow)
        {
            return Ok(Decided::Verdict(Verdict::Delivered(id.clone())));
        }
        let offer = match check::known(&self.shared.services, &self.asked) {
            Ok(offer) => offer,
            Err(rejection) => return Ok(Decided::Verdict(Verdict::Rejected(rejection))),
        };
        Span::current().record("service", &*offer.service.name);
        if let Some(verdict) = self.after_crash(&offer) {
            return Ok(Decided::Verdict(verdict));
        }
        if let Err(rejection) = check::all(&offer, &self.asked, escrow.as_ref()) {
            return Ok(Decided::Verdict(Verdict::Rejected(rejection)));
        }
        let permits = match self.admit(&offer).await? {
            Admission::Granted(permits) => permits,
            Admission::OrderClosed => return Ok(Decided::Verdict(Verdict::Closed)),
            Admission::Stopping => return Ok(Decided::Stopped),
        };
        self.shared.crash.point("an order is checked").await;
        if !self.accept(&offer).await {
            return Ok(Decided::Verdict(Verdict::Closed));
        }
        if !self.start().await? {
            return Ok(Decided::Stopped);
        }
        let ended = self.run(&offer).await;
        self.shared.crash.point("a handler is done").await;
        drop(permits);
        match ended {
            Ok(verdict) => Ok(Decided::Verdict(verdict)),
            Err(failed) => self.after_failure(&offer, failed).await,
        }
    }

    /// The verdict on an order whose handler was interrupted; `None` if it may run again.
    fn after_crash(&self, offer: &Offer) -> Option<Verdict> {
        if self.job.state != State::Running {
            return None;
        }
        match offer.service.on_crash {
            OnCrash::Rerun if self.job.starts < STARTS_MAX => None,
            OnCrash::Rerun | OnCrash::Error => Some(Verdict::Failed(INTERRUPTED)),
            OnCrash::Reject => Some(Verdict::Rejected(Rejection::new(INTERRUPTED))),
        }
    }

    /// Reserves the escrow for this order and returns it.
    async fn claim(&mut self, id: &EscrowId) -> Result<Result<Escrow, Rejection>> {
        let shared = self.shared;
        let escrow = match shared.call(|| shared.client.escrow().get(id).into_future()).await? {
            Ok(answer) => answer.escrow,
            Err(error) if is_key_refused(&error) => return Err(error.into()),
            Err(error) => {
                let message = format!("must be a readable escrow: {}", error.message());
                let reason = "the escrow does not match the order";
                return Ok(Err(Rejection::at(reason, "/escrowId", message)));
            }
        };
        let (me, requester) = (&shared.me.username, &self.message.sender.username);
        if let Err(rejection) = check::parties(&escrow, &self.asked, me, requester) {
            return Ok(Err(rejection));
        }
        if !shared.journal.tie(&self.job.id, id.as_str()).await? {
            return Ok(Err(check::shared_escrow()));
        }
        self.escrow = Some(id.clone());
        Ok(Ok(escrow))
    }

    /// Waits until the handler may run.
    async fn admit<'t>(&self, offer: &'t Offer) -> Result<Admission<'t>>
    where
        's: 't,
    {
        let (shared, mut seen_open) = (self.shared, self.job.ingested_at);
        loop {
            let of_service = match &offer.permits {
                None => None,
                Some(permits) => match shared.acquire(permits).await {
                    None => return Ok(Admission::Stopping),
                    permit => permit,
                },
            };
            let Some(permit) = shared.acquire(&shared.permits).await else {
                return Ok(Admission::Stopping);
            };
            let now = shared.clock.now();
            if now < seen_open.plus(FRESH) {
                return Ok(Admission::Granted((of_service, permit)));
            }
            // The order waited and may have expired. Other handlers may run during the request.
            drop((of_service, permit));
            if !self.is_open().await? {
                return Ok(Admission::OrderClosed);
            }
            seen_open = now;
        }
    }

    /// Whether the order still needs an answer.
    async fn is_open(&self) -> Result<bool> {
        let (client, id) = (&self.shared.client, &self.message.message_id);
        let answered = self.shared.call(|| client.messages().get(id).into_future()).await?;
        // If the message can't be read, the platform will refuse the answer.
        let state = answered.ok().and_then(|answer| answer.message.request);
        Ok(state.is_none_or(|state| state.status == RequestStatus::Open))
    }

    /// Accepts the order, so that the buyer can no longer cancel it. Returns false if it has ended.
    ///
    /// One attempt must do: an order that could not be accepted is worked on all the same, and the
    /// platform refuses the answer if the buyer cancels meanwhile.
    async fn accept(&self, offer: &Offer) -> bool {
        let is_accepted = self.escrow.is_some() || self.job.starts > 0;
        if is_accepted || offer.service.acceptance != Acceptance::Explicit {
            return true;
        }
        let orders = self.shared.client.orders();
        let call = orders.progress(&self.message.message_id, ProgressState::Working).no_retry();
        match call.await {
            Ok(_) => true,
            Err(error) => {
                tracing::debug!(%error, "the order could not be accepted");
                error.code() != Some(&Code::RequestClosed)
            }
        }
    }

    /// Records that the handler starts. Returns false if the bot is stopping.
    async fn start(&mut self) -> Result<bool> {
        let (shared, id) = (self.shared, &self.job.id);
        shared.journal.start(id, self.job.starts).await?;
        self.job.starts += 1;
        if shared.is_stopping() {
            shared.journal.cancel_start(id, self.job.starts).await?;
            return Ok(false);
        }
        shared.crash.point("a handler starts").await;
        Ok(true)
    }

    /// Runs the handler and checks its output.
    async fn run(&self, offer: &Offer) -> Result<Verdict, FailedRun> {
        let (message, asked) = (&self.message, &self.asked);
        let (id, requester) = (&message.message_id, message.sender.username.clone());
        let (offered, escrow) = (asked.offered_credits, asked.escrow_id.clone());
        let cx = context(self.shared, id.clone(), requester, offered, escrow);
        let has_begun = AtomicBool::new(false);
        // Deserializing the input runs foreign code too, which may panic.
        let running = async {
            for before in &self.shared.hooks.before {
                before(cx.clone()).await?;
            }
            has_begun.store(true, Ordering::Relaxed);
            offer.service.handler.call(cx.clone(), asked.input.clone()).await
        };
        match run_isolated(running, offer.service.timeout).await {
            Ok(done) => match output_fault(offer, &done) {
                None => {
                    tracing::info!("done");
                    Ok(Verdict::Done(done, cx.charged().unwrap_or(offered)))
                }
                Some(fault) => {
                    tracing::error!(fault, "the output does not match its schema");
                    Ok(Verdict::Failed(FAILED))
                }
            },
            Err(failure) => match failure.rejection() {
                Ok(rejection) => Ok(Verdict::Rejected(rejection)),
                Err(failure) => Err(FailedRun { failure, has_begun: has_begun.into_inner() }),
            },
        }
    }

    /// Decides whether the handler runs again or the order is answered with an error.
    async fn after_failure(&self, offer: &Offer, failed: FailedRun) -> Result<Decided> {
        let FailedRun { failure, has_begun } = failed;
        let text = if matches!(failure, HandlerFailure::Timeout) { TOO_SLOW } else { FAILED };
        let may_restart = !has_begun || offer.service.on_crash == OnCrash::Rerun;
        let restart = if may_restart { Restart::Allowed } else { Restart::OnRequest };
        let (job, requester) = (&self.job, &*self.message.sender.username);
        let failed = Failed { job, handler: HandlerKind::Order, requester, restart, failure };
        if postpone(self.shared, failed).await? {
            Ok(Decided::Retry)
        } else {
            Ok(Decided::Verdict(Verdict::Failed(text)))
        }
    }

    /// Finishes the job and stores its calls, in one transaction.
    async fn store(&self, verdict: Verdict) -> Result<()> {
        match &verdict {
            Verdict::Closed => {
                tracing::warn!("the order has ended; it is skipped");
            }
            Verdict::Rejected(rejection) => tracing::debug!(reason = rejection.reason, "rejected"),
            _ => {}
        }
        let calls = answer::calls(&self.message, self.escrow.as_ref(), verdict);
        finish(self.shared, &self.job, calls).await?;
        self.shared.crash.point("an answer is stored").await;
        Ok(())
    }
}

/// The first fault of an output according to the published schema.
fn output_fault(offer: &Offer, done: &Done) -> Option<String> {
    let (Some(validator), Done::Output(output)) = (&offer.output, done) else { return None };
    let faults = validator.checker.faults(&Value::Object(output.clone()));
    faults.first().map(ToString::to_string)
}
