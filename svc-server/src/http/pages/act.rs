//! What a form does: from its fields to the request of its endpoint, and from the answer to what
//! the visitor sees.
//!
//! Only the functions in an [`Act`] know the types of its endpoints; what runs it is compiled once.

use std::sync::Arc;

use http::header::{HeaderValue, SET_COOKIE};
use http::request::Parts;
use serde::de::DeserializeOwned;
use svc_store::error::{Error, Result};
use svc_types::{By, Endpoint, Who};

use super::reply::{Done, Html};
use super::request::PageRequest;
use super::{PageContext, Site, context, form_key, with_context};
use crate::app::ServerApp;
use crate::http::answer::Reply;
use crate::http::credentials;
use crate::http::direct::DirectRequest;
use crate::http::idempotency::REPLAYED;

/// Builds a request from the fields of a form.
pub(in crate::http) type Read<E> = fn(&mut PageContext<'_>, &PageRequest) -> Result<E>;

/// Builds a request from the fields and the answer of the first endpoint, if it was called.
pub(in crate::http) type ReadAfter<F, E> =
    fn(&mut PageContext<'_>, &PageRequest, Option<&<F as Endpoint>::Response>) -> Result<E>;

/// The first of the two steps of a form.
pub struct FirstStep<F: Endpoint, U> {
    /// Builds its request from the fields, if it is needed.
    pub ask: Read<Option<F>>,
    /// From its answer, the request that reverts it.
    pub undo: fn(&F::Response) -> U,
}

/// What a form does.
pub(super) struct Act {
    first: Option<First>,
    ask: Ask,
    then: Then,
    /// Whether the form's Idempotency-Key is sent: not where the same page may ask again.
    is_keyed: bool,
}

/// The first of two steps.
struct First {
    ask: FirstAsk,
    /// Reverts it when the second is refused. Without it the step does no harm: it may stay, and it may
    /// be refused.
    undo: Option<Undo>,
}

type FirstAsk =
    Arc<dyn Fn(&mut PageContext<'_>, &PageRequest) -> Result<Option<DirectRequest>> + Send + Sync>;

type Undo = Box<dyn Fn(&[u8]) -> Result<DirectRequest> + Send + Sync>;

/// How the request is built.
enum Ask {
    /// From the fields, which are its members. Visitors that the endpoint refuses are refused before
    /// malformed fields.
    Decode(fn(&PageRequest) -> Result<DirectRequest>, Who),
    /// In a job, also from the answer of the first step.
    Read(AskAfter),
}

type AskAfter = Arc<
    dyn Fn(&mut PageContext<'_>, &PageRequest, Option<&[u8]>) -> Result<DirectRequest>
        + Send
        + Sync,
>;

/// What follows the answer.
enum Then {
    Go(Go),
    Show(Show),
}

type Go = Box<dyn Fn(&PageRequest, &[u8]) -> Result<Done> + Send + Sync>;

type Show = Arc<dyn Fn(&mut PageContext<'_>, &PageRequest, &[u8]) -> Result<Html> + Send + Sync>;

/// The outcome of an act.
pub(super) struct Outcome {
    pub(super) next: Next,
    pub(super) cookies: Vec<HeaderValue>,
}

pub(super) enum Next {
    /// The redirect, and the answer of the endpoint.
    Go(Done, Reply),
    Show(Html),
}

/// An act that redirects to another page.
pub(super) fn redirecting<E: Endpoint>(
    read: Option<Read<E>>,
    done: fn(&PageRequest, &E::Response) -> Done,
) -> Act {
    Act { first: None, ask: asking(read), then: going::<E>(done), is_keyed: true }
}

/// An act of two steps. When the second is refused, the first is reverted.
pub(super) fn redirecting_after<F: Endpoint, E: Endpoint, U: Endpoint>(
    FirstStep { ask, undo }: FirstStep<F, U>,
    read: ReadAfter<F, E>,
    done: fn(&PageRequest, &E::Response) -> Done,
) -> Act {
    let first = First {
        ask: Arc::new(move |context, request| {
            ask(context, request)?.map(|asked| DirectRequest::of(&asked)).transpose()
        }),
        undo: Some(Box::new(move |answer| {
            DirectRequest::of(&undo(&decoded::<F::Response>(answer)?))
        })),
    };
    let ask = Ask::Read(Arc::new(move |context, request, before| {
        let before = before.map(decoded::<F::Response>).transpose()?;
        DirectRequest::of(&read(context, request, before.as_ref())?)
    }));
    Act { first: Some(first), ask, then: going::<E>(done), is_keyed: true }
}

/// An act that also calls another endpoint, which does no harm if the act is refused.
pub(super) fn redirecting_with<F: Endpoint, E: Endpoint>(
    first: fn(&PageRequest) -> Option<F>,
    done: fn(&PageRequest, &E::Response) -> Done,
) -> Act {
    let ask: FirstAsk = Arc::new(move |_, request| {
        first(request).map(|asked| DirectRequest::of(&asked)).transpose()
    });
    let first = Some(First { ask, undo: None });
    Act { first, ask: decoding::<E>(), then: going::<E>(done), is_keyed: true }
}

/// An act that shows the answer. With `read` it writes nothing, and the same page may ask again.
pub(super) fn showing<E: Endpoint>(
    read: Option<Read<E>>,
    show: fn(&mut PageContext<'_>, &PageRequest, &E::Response) -> Result<Html>,
) -> Act {
    let show: Show = Arc::new(move |context, request, answer| {
        show(context, request, &decoded::<E::Response>(answer)?)
    });
    let is_keyed = read.is_none();
    Act { first: None, ask: asking(read), then: Then::Show(show), is_keyed }
}

fn asking<E: Endpoint>(read: Option<Read<E>>) -> Ask {
    match read {
        None => decoding::<E>(),
        Some(read) => Ask::Read(Arc::new(move |context, request, _| {
            let asked = DirectRequest::of(&read(context, request)?)?;
            Ok(asked.changing(context.take_changed()))
        })),
    }
}

fn decoding<E: Endpoint>() -> Ask {
    Ask::Decode(|request| DirectRequest::of(&request.decode::<E>()?), <E::By as By>::WHO)
}

fn going<E: Endpoint>(done: fn(&PageRequest, &E::Response) -> Done) -> Then {
    Then::Go(Box::new(move |request, answer| Ok(done(request, &decoded::<E::Response>(answer)?))))
}

fn decoded<T: DeserializeOwned>(answer: &[u8]) -> Result<T> {
    serde_json::from_slice(answer).map_err(Error::internal)
}

/// A submitted form.
#[derive(Clone, Copy)]
pub(super) struct Submission<'a> {
    pub(super) site: &'a Arc<Site>,
    pub(super) app: &'a Arc<ServerApp>,
    pub(super) parts: &'a Parts,
    pub(super) request: &'a PageRequest,
}

impl Act {
    /// Does what the form asks for.
    pub(super) async fn run(&self, form: Submission<'_>) -> Result<Outcome> {
        form.refuse_other_account().await?;
        let reply = match &self.first {
            None => self.second(form, None).await?,
            Some(first) => self.in_two_steps(form, first).await?,
        };
        let cookies = cookies(&reply);
        let next = match &self.then {
            Then::Go(done) => Next::Go(done(form.request, &reply.body)?, reply),
            Then::Show(show) => {
                let show = Arc::clone(show);
                let show = move |context: &mut PageContext<'_>, request: &PageRequest| {
                    show(context, request, &reply.body)
                };
                let request = form.request.clone();
                Next::Show(context(form.site, form.app, form.parts, request, show).await?)
            }
        };
        Ok(Outcome { next, cookies })
    }

    async fn in_two_steps(&self, form: Submission<'_>, first: &First) -> Result<Reply> {
        let before = first.run(form).await?;
        let answer = before.as_ref().map(|reply| reply.body.clone());
        let refusal = match (self.second(form, answer).await, &before) {
            (Err(refusal @ Error::Refused(_)), Some(before)) => {
                // A replayed first step may belong to a submission whose second step succeeded.
                if before.headers.iter().all(|(name, _)| *name != REPLAYED) {
                    first.revert(form, &before.body).await?;
                }
                refusal
            }
            (reply, _) => return reply,
        };
        Err(refusal)
    }

    async fn second(&self, form: Submission<'_>, before: Option<Vec<u8>>) -> Result<Reply> {
        let asked = match &self.ask {
            Ask::Decode(decode, who) => match decode(form.request) {
                Ok(asked) => asked,
                Err(rejected) => {
                    form.require_account(*who).await?;
                    return Err(rejected);
                }
            },
            Ask::Read(read) => {
                let (read, request) = (Arc::clone(read), form.request.clone());
                form.reading(move |context| read(context, &request, before.as_deref())).await?
            }
        };
        form.send(asked, form.request.field(form_key::FIELD).filter(|_| self.is_keyed)).await
    }
}

impl First {
    /// Runs the step, if there is one. Its key is derived from the form's.
    async fn run(&self, form: Submission<'_>) -> Result<Option<Reply>> {
        let (ask, request) = (Arc::clone(&self.ask), form.request.clone());
        let asked = form.reading(move |context| ask(context, &request)).await?;
        let Some(asked) = asked else { return Ok(None) };
        let key = form.request.field(form_key::FIELD).map(|key| format!("{key}-first"));
        match form.send(asked, key.as_deref()).await {
            Err(Error::Refused(_)) if self.undo.is_none() => Ok(None),
            reply => reply.map(Some),
        }
    }

    /// A step that can't be reverted is left as it is: the refusal of the second is what counts.
    async fn revert(&self, form: Submission<'_>, answer: &[u8]) -> Result<()> {
        let Some(undo) = &self.undo else { return Ok(()) };
        if let Err(left) = form.send(undo(answer)?, None).await {
            tracing::warn!(%left, "failed to revert the first step of a form");
        }
        Ok(())
    }
}

impl Submission<'_> {
    async fn send(&self, asked: DirectRequest, key: Option<&str>) -> Result<Reply> {
        self.site.direct.send_form(self.app, self.parts.clone(), asked, key).await
    }

    /// Runs a read job as the account of the form's sender.
    pub(super) async fn reading<T: Send + 'static>(
        &self,
        read: impl Fn(&mut PageContext<'_>) -> Result<T> + Send + Sync + 'static,
    ) -> Result<T> {
        let credentials = credentials::of_page(&self.app.config, &self.parts.headers);
        with_context(self.site, self.app, self.parts, credentials, read).await
    }

    /// Refuses a form that was made for another account than the one that is signed in by now.
    pub(super) async fn refuse_other_account(&self) -> Result<()> {
        let key = self.request.field(form_key::FIELD);
        let made_for = key.and_then(form_key::account);
        let made_for = made_for.or_else(|| self.request.field(form_key::ACCOUNT));
        let Some(made_for) = made_for else { return Ok(()) };
        let account = self.reading(|context| Ok(context.account().cloned())).await?;
        match account {
            Some(account) => self.request.refuse_other_account(made_for, &account),
            None => Ok(()),
        }
    }

    /// Refuses an anonymous visitor, as an endpoint for these callers does.
    async fn require_account(&self, who: Who) -> Result<()> {
        if matches!(who, Who::Anyone | Who::Optional) {
            return Ok(());
        }
        self.reading(|context| context.signed_in().map(|_| ())).await
    }
}

fn cookies(reply: &Reply) -> Vec<HeaderValue> {
    let headers = reply.headers.iter().filter(|(name, _)| *name == SET_COOKIE);
    headers.map(|(_, value)| value.clone()).collect()
}
