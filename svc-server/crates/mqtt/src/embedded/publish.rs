//! Messages that clients publish in channels. They are stored like those of the API.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use svc_core::app::{App, Ctx};
use svc_core::identity;
use svc_core::services::secrets::Suspects;
use svc_core::services::{api_key, channel};
use svc_store::error::{Error, Result};
use svc_store::trace::{self, Span};
use svc_types::api::channels::PostChannelMessage;
use svc_types::{Code, Scope, wire as travel};
use tokio::time::{Instant, sleep};

use super::connect::Client;
use super::hub::Hub;
use crate::policy::{self, Action, Principal, Topic};
use crate::wire::{Reason, Will};

/// Limits the messages that a client publishes per second.
#[derive(Debug)]
pub(super) struct Rate {
    limit: u32,
    since: Instant,
    count: u32,
}

impl Rate {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, since: Instant::now(), count: 0 }
    }

    fn allows_one(&mut self) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            (self.since, self.count) = (Instant::now(), 0);
        }
        self.count += 1;
        self.count <= self.limit
    }
}

/// Stores a message of a client, and returns once it is committed. The relay sends it to all
/// subscribers, including its author.
pub(super) async fn publish(
    app: &Arc<App>,
    client: &mut Client,
    topic: String,
    payload: Bytes,
) -> Reason {
    if !client.rate.allows_one() {
        return Reason::Quota;
    }
    let message = Message { topic, payload, key_id: client.key_id.clone() };
    publish_as(app, client.principal.clone(), message).await
}

/// A message, and the key that its client authenticated with.
struct Message {
    topic: String,
    payload: Bytes,
    key_id: String,
}

async fn publish_as(app: &Arc<App>, principal: Principal, message: Message) -> Reason {
    // Clients publish only in channels, which needs no database to check.
    let topic = Topic::parse(&message.topic);
    let Some(topic) = topic.filter(|topic| matches!(topic, Topic::Channel(_))) else {
        return Reason::NotAuthorized;
    };
    let span = begin(app, &principal, &topic);
    let context = span.as_ref().map(|span| span.context().clone());
    let storing = app.write(move |ctx| store(ctx, &principal, &message));
    let stored = trace::within(context, storing).await;
    end(span, &stored);
    match stored {
        Ok(reason) => reason,
        Err(Error::Refused(refusal)) => reason_of(&refusal.code),
        Err(error) => {
            tracing::error!(%error, "failed to store a message of an MQTT client");
            Reason::Unspecified
        }
    }
}

/// Why a message was refused. What the server could not do now is no fault of the message: a client of 3.1.1 gets
/// no acknowledgement for it, and sends it again.
fn reason_of(code: &Code) -> Reason {
    match code {
        Code::Forbidden | Code::NotFound | Code::Blocked => Reason::NotAuthorized,
        Code::RateLimited | Code::LimitReached => Reason::Quota,
        code if code.status().is_server_error() => Reason::Unspecified,
        _ => Reason::PayloadFormat,
    }
}

/// Begins the span of a message, if it is recorded. It is a trace of its own: what a client says of
/// another is ignored, as in requests.
fn begin(app: &App, principal: &Principal, topic: &Topic) -> Option<Span> {
    let mut span = app.tracer.message(|| format!("process {}", topic.kind()))?;
    span.note("messaging.system", "mqtt");
    span.note("messaging.destination.template", topic.kind());
    span.note("svc.caller", principal.0.to_string());
    Some(span)
}

/// Ends it. A client who is refused is no failure of the server.
fn end(span: Option<Span>, stored: &Result<Reason>) {
    let Some(mut span) = span else { return };
    match stored {
        Ok(Reason::Normal) => {}
        Ok(_) => span.refuse(Code::Forbidden.to_string()),
        Err(error) => match error.code() {
            code if code.status().is_server_error() => span.fail(code.to_string()),
            code => span.refuse(code.to_string()),
        },
    }
    span.end();
}

fn store(ctx: &mut Ctx<'_, '_>, principal: &Principal, message: &Message) -> Result<Reason> {
    let Message { topic, payload, key_id } = message;
    // A will, or a message sent before the connection ended, must not outlive the key.
    if !api_key::may(ctx, &principal.0, key_id, &Scope::Write)? {
        return Ok(Reason::NotAuthorized);
    }
    let Some(author) = identity::acting(ctx, &principal.0)? else {
        return Ok(Reason::NotAuthorized);
    };
    let may_publish = author.require_active().is_ok()
        && policy::authorize(ctx, principal, Action::Publish, topic)?;
    let Some(Topic::Channel(id)) = Topic::parse(topic).filter(|_| may_publish) else {
        return Ok(Reason::NotAuthorized);
    };
    let request: PostChannelMessage = travel::decode(&[id.as_str()], "", payload)?;
    ctx.request_bytes = payload.len() as u64;
    Suspects::of(&request).refuse_live(ctx)?;
    channel::post(ctx, &author, &request)?;
    Ok(Reason::Normal)
}

/// Publishes a client's will message after its delay, or at the latest when the session expires
/// after `remaining`, unless the client resumes the session first.
pub(super) fn publish_will(
    app: Arc<App>,
    hub: &Hub,
    client: Client,
    will: Will,
    remaining: Duration,
) {
    let delay = Duration::from_secs(will.delay.into()).min(remaining);
    let permits = Arc::clone(&hub.wills).try_acquire_many_owned(will.bytes());
    let Client { principal, key_id, mut handle, .. } = client;
    tokio::spawn(async move {
        if permits.is_ok() && !delay.is_zero() {
            tokio::select! {
                () = sleep(delay) => {}
                () = handle.resumed_or_removed() => {}
            }
            if handle.was_resumed() {
                return;
            }
        }
        let Will { topic, payload, .. } = will;
        let reason = publish_as(&app, principal, Message { topic, payload, key_id }).await;
        if reason != Reason::Normal {
            tracing::debug!(?reason, "a will message was refused");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_connection_publishes_a_number_of_messages_each_second() {
        let mut rate = Rate::new(2);
        let sent = |rate: &mut Rate| (0..3).filter(|_| rate.allows_one()).count();
        assert_eq!(sent(&mut rate), 2);
        tokio::time::advance(Duration::from_millis(999)).await;
        assert_eq!(sent(&mut rate), 0);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(sent(&mut rate), 2);
    }
}
