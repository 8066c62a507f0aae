//! What clients say: messages of channels, which are stored like those that come by the API.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use svc_core::app::{App, Ctx};
use svc_core::identity;
use svc_core::services::channel;
use svc_core::services::secrets::Suspects;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::channels::PostChannelMessage;
use svc_types::api::users::AccountStatus;
use svc_types::{Code, wire as travel};
use tokio::time::{Instant, sleep};

use super::connect::Client;
use super::hub::Hub;
use crate::policy::{self, Action, Principal, Topic};
use crate::wire::{Reason, Will};

/// Counts what a client says in a second.
#[derive(Debug)]
pub(super) struct Rate {
    most: u32,
    since: Instant,
    said: u32,
}

impl Rate {
    pub(super) fn new(most: u32) -> Self {
        Self { most, since: Instant::now(), said: 0 }
    }

    fn allows_one(&mut self) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            (self.since, self.said) = (Instant::now(), 0);
        }
        self.said += 1;
        self.said <= self.most
    }
}

/// Stores a message that a client says, and answers once it is kept. All who listen hear of it
/// from the relay, its author too.
pub(super) async fn publish(
    app: &Arc<App>,
    client: &mut Client,
    topic: String,
    payload: Bytes,
) -> Reason {
    if !client.rate.allows_one() {
        return Reason::Quota;
    }
    let said = Said { topic, payload, key_id: client.key_id.clone() };
    say(app, client.principal.clone(), said).await
}

/// What a client says, and the key it came with.
struct Said {
    topic: String,
    payload: Bytes,
    key_id: String,
}

async fn say(app: &Arc<App>, principal: Principal, said: Said) -> Reason {
    // Where a client may speak at all shows without the database.
    if !matches!(Topic::parse(&said.topic), Some(Topic::Channel(_))) {
        return Reason::NotAuthorized;
    }
    match app.write(move |ctx| store(ctx, &principal, &said)).await {
        Ok(reason) => reason,
        Err(Error::Refused(refusal)) => match refusal.code {
            Code::Forbidden | Code::NotFound | Code::Blocked => Reason::NotAuthorized,
            Code::RateLimited | Code::LimitReached | Code::Overloaded => Reason::Quota,
            Code::StorageFull | Code::StorageUnavailable => Reason::Unspecified,
            _ => Reason::PayloadFormat,
        },
        Err(error) => {
            tracing::error!(%error, "a message of an MQTT client could not be stored");
            Reason::Unspecified
        }
    }
}

fn store(ctx: &mut Ctx<'_, '_>, principal: &Principal, said: &Said) -> Result<Reason> {
    let Said { topic, payload, key_id } = said;
    // A will, or what came before the end of the connection, must not outlive the key.
    let sql = sql!("select 1 from account where id = $1 and key_id = $2");
    if ctx.tx.optional::<i64>(sql, values![principal.0, key_id])?.is_none() {
        return Ok(Reason::NotAuthorized);
    }
    let Some(author) = identity::acting(ctx, &principal.0)? else {
        return Ok(Reason::NotAuthorized);
    };
    let may_speak = author.status != AccountStatus::Suspended
        && policy::authorize(ctx, principal, Action::Publish, topic)?;
    let Some(Topic::Channel(id)) = Topic::parse(topic).filter(|_| may_speak) else {
        return Ok(Reason::NotAuthorized);
    };
    let request: PostChannelMessage = travel::decode(&[id.as_str()], "", payload)?;
    ctx.request_bytes = payload.len() as u64;
    Suspects::of(&request).refuse_live(ctx)?;
    channel::post(ctx, &author, &request)?;
    Ok(Reason::Normal)
}

/// Says a client's last word, unless it comes back before the time it asked for; at the latest when
/// its session ends, which is kept for so long.
pub(super) fn say_last(app: Arc<App>, hub: &Hub, client: Client, will: Will, kept: Duration) {
    let delay = Duration::from_secs(will.delay.into()).min(kept);
    let waiting = Arc::clone(&hub.wills).try_acquire_owned();
    let Client { principal, key_id, mut place, .. } = client;
    tokio::spawn(async move {
        if waiting.is_ok() && !delay.is_zero() {
            tokio::select! {
                () = sleep(delay) => {}
                () = place.is_settled() => {}
            }
            if place.was_resumed() {
                return;
            }
        }
        let Will { topic, payload, .. } = will;
        let said = say(&app, principal, Said { topic, payload, key_id }).await;
        if said != Reason::Normal {
            tracing::debug!(?said, "a will was refused");
        }
    });
}
