//! One order, from the journal to the answer that is stored.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use svc_client::types::api::escrow::Escrow;
use svc_client::types::api::messages::{Message, RequestStatus};
use svc_client::types::{EscrowId, ServiceMessage, ServiceRequest};
use tokio::sync::SemaphorePermit;
use tracing::Span;

use super::answer::{self, FAILED, INTERRUPTED, TOO_SLOW, Verdict};
use super::check;
use super::handler_error::HandlerKind;
use super::handler_retry::{Failed, Restart, put_off};
use super::isolate::{Unwell, carefully, context};
use super::shared::Shared;
use super::work::Step;
use crate::error::Result;
use crate::journal::{Job, State};
use crate::service::{Done, Offers, OnCrash, Rejection};

/// How often a handler is started at most.
pub(super) const STARTS_MAX: u32 = 3;
/// How long an order is taken to be open after it was seen so.
const FRESH: Duration = Duration::from_secs(60);

/// Decides about an order and stores the answer. Does nothing when the bot is to stop.
pub(super) async fn take_order(shared: &Shared, job: Job) -> Result<Step> {
    let finish = async |calls| {
        let now = shared.clock.now();
        shared.journal.finish(&job.id, job.starts, calls, now).await.map(|()| Step::Over)
    };
    let Ok(message) = serde_json::from_str::<Message>(&job.event) else {
        return finish(Vec::new()).await;
    };
    Span::current().record("buyer", &*message.sender.username);
    let asked = match ServiceMessage::parse(&message.content) {
        Ok(Some(ServiceMessage::Request(asked))) => asked,
        other => {
            let why = other.err().map_or_else(|| "it is no order".to_owned(), |why| why.message);
            tracing::debug!(reason = why, "rejected");
            let verdict = Verdict::Rejected(Rejection::new(why));
            return finish(answer::calls(&message, None, verdict)).await;
        }
    };
    let tied = job.escrow.clone();
    let mut order = Order { shared, job, message, asked, tied };
    match order.decide().await? {
        Ok(verdict) => order.store(verdict).await.map(|()| Step::Over),
        Err(step) => Ok(step),
    }
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

/// Why there is no result, and whether the service's own function had been started.
struct Broken {
    unwell: Unwell,
    has_begun: bool,
}

/// The right to work: one of the service's own turns where it has them, and one of the bot's.
type Turns<'a> = (Option<SemaphorePermit<'a>>, SemaphorePermit<'a>);

/// What is to be answered; or what the try comes to without an answer: [`Step::Over`] when the bot
/// is to stop.
type Decided = Result<Verdict, Step>;

impl<'s> Order<'s> {
    async fn decide(&mut self) -> Result<Decided> {
        // First of all: work that lies in the escrow is told of, whatever would be said of the order
        // now. The journal that knew of it may be lost.
        let escrow = match self.asked.escrow_id.clone() {
            Some(id) => Some(self.claim(&id).await?),
            None => None,
        };
        if let (Some(Ok(escrow)), Some(id)) = (&escrow, &self.asked.escrow_id)
            && check::is_handed_over(escrow)
        {
            return Ok(Ok(Verdict::HandedOver(id.clone())));
        }
        let offer = match check::known(&self.shared.services, &self.asked) {
            Ok(offer) => offer,
            Err(rejection) => return Ok(Ok(Verdict::Rejected(rejection))),
        };
        Span::current().record("service", &*offer.service.name);
        let unfit = || check::all(&offer, &self.asked, escrow.as_ref()).err();
        if let Some(verdict) = self.after_crash(&offer).or_else(|| unfit().map(Verdict::Rejected)) {
            return Ok(Ok(verdict));
        }
        let turns = match self.turns(&offer).await? {
            Ok(turns) => turns,
            Err(instead) => return Ok(instead.ok_or(Step::Over)),
        };
        self.shared.crash.point("an order is checked").await;
        let ended = self.start(&offer).await?;
        drop(turns);
        match ended {
            Ok(verdict) => Ok(verdict),
            Err(unwell) => self.after_failure(&offer, unwell).await,
        }
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

    /// Ties the order to its escrow, if that is for this order alone.
    async fn claim(&mut self, id: &EscrowId) -> Result<Result<Escrow, Rejection>> {
        let shared = self.shared;
        let escrow = match shared.ask(|| shared.client.escrow().get(id).into_future()).await? {
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

    /// Waits for a turn; or what is to be answered instead, none when the bot is to stop.
    async fn turns<'t>(&self, offer: &'t Offers) -> Result<Result<Turns<'t>, Option<Verdict>>>
    where
        's: 't,
    {
        let (shared, mut seen_open) = (self.shared, self.job.taken_in);
        loop {
            let own = match &offer.turns {
                None => None,
                Some(turns) => match shared.turn(turns).await {
                    None => return Ok(Err(None)),
                    own => own,
                },
            };
            let Some(turn) = shared.turn(&shared.turns).await else { return Ok(Err(None)) };
            let now = shared.clock.now();
            if now < seen_open.plus(FRESH) {
                return Ok(Ok((own, turn)));
            }
            // It has waited, and may have expired. Others may work while we ask.
            drop((own, turn));
            if !self.is_open().await? {
                return Ok(Err(Some(Verdict::Over)));
            }
            seen_open = now;
        }
    }

    /// Whether the platform still waits for an answer.
    async fn is_open(&self) -> Result<bool> {
        let (client, id) = (&self.shared.client, &self.message.message_id);
        let answered = self.shared.ask(|| client.messages().get(id).into_future()).await?;
        // Who can't see it is told so by the answer's refusal.
        let state = answered.ok().and_then(|answer| answer.message.request);
        Ok(state.is_none_or(|state| state.status == RequestStatus::Open))
    }

    /// Notes that the handler starts, and starts it; what it came to, or why it came to nothing.
    async fn start(&mut self, offer: &Offers) -> Result<Result<Decided, Broken>> {
        let (shared, id) = (self.shared, &self.job.id);
        shared.journal.start(id, self.job.starts).await?;
        self.job.starts += 1;
        if shared.is_stopping() {
            shared.journal.put_back(id, self.job.starts).await?;
            return Ok(Ok(Err(Step::Over)));
        }
        shared.crash.point("a handler starts").await;
        let verdict = self.run(offer).await;
        shared.crash.point("a handler is done").await;
        Ok(verdict.map(Ok))
    }

    /// Step 8: runs the handler, and checks what it gives.
    async fn run(&self, offer: &Offers) -> Result<Verdict, Broken> {
        let (message, asked) = (&self.message, &self.asked);
        let (id, requester) = (&message.message_id, message.sender.username.clone());
        let (offered, escrow) = (asked.offered_credits, asked.escrow_id.clone());
        let cx = context(self.shared, id.clone(), requester, offered, escrow);
        let has_begun = AtomicBool::new(false);
        // Reading the input is the author's code too, and may panic.
        let running = async {
            for before in &self.shared.hooks.before {
                before(cx.clone()).await?;
            }
            has_begun.store(true, Ordering::Relaxed);
            offer.service.handler.call(cx.clone(), asked.input.clone()).await
        };
        match carefully(running, offer.service.timeout).await {
            Ok(done) => match misfit(offer, &done) {
                None => {
                    tracing::info!("done");
                    Ok(Verdict::Done(done, cx.charged().unwrap_or(offered)))
                }
                Some(fault) => {
                    tracing::error!(fault, "the output does not fit its own schema");
                    Ok(Verdict::Failed(FAILED))
                }
            },
            Err(unwell) => match unwell.rejection() {
                Ok(rejection) => Ok(Verdict::Rejected(rejection)),
                Err(unwell) => Err(Broken { unwell, has_begun: has_begun.into_inner() }),
            },
        }
    }

    /// Whether the handler is tried again; else what is answered in place of its result.
    async fn after_failure(&self, offer: &Offers, broken: Broken) -> Result<Decided> {
        let Broken { unwell, has_begun } = broken;
        let text = if matches!(unwell, Unwell::Slow) { TOO_SLOW } else { FAILED };
        let may_restart = !has_begun || offer.service.on_crash == OnCrash::Rerun;
        let restart = if may_restart { Restart::Allowed } else { Restart::OnRequest };
        let (job, requester) = (&self.job, &*self.message.sender.username);
        let failed = Failed { job, handler: HandlerKind::Order, requester, restart, unwell };
        Ok(if put_off(self.shared, failed).await? {
            Err(Step::Again)
        } else {
            Ok(Verdict::Failed(text))
        })
    }

    /// Step 9, first part: the job is done and its calls are stored, in one transaction.
    async fn store(&self, verdict: Verdict) -> Result<()> {
        match &verdict {
            Verdict::Over => tracing::warn!("closed while it waited; it is not worked on"),
            Verdict::Rejected(rejection) => tracing::debug!(reason = rejection.reason, "rejected"),
            _ => {}
        }
        let calls = answer::calls(&self.message, self.tied.as_ref(), verdict);
        let (journal, job) = (&self.shared.journal, &self.job);
        journal.finish(&job.id, job.starts, calls, self.shared.clock.now()).await?;
        self.shared.crash.point("an answer is stored").await;
        Ok(())
    }
}

/// What is wrong with an output, by the schema that is published.
fn misfit(offer: &Offers, done: &Done) -> Option<String> {
    let (Some(judge), Done::Output(output)) = (&offer.output, done) else { return None };
    let faults = judge.checker.faults(&Value::Object(output.clone()));
    faults.first().map(ToString::to_string)
}
