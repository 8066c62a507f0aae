//! What clients say: messages of channels, which are stored like those that come by the API.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use svc_types::api::channels::PostChannelMessage;
use svc_types::api::users::AccountStatus;
use svc_types::{Code, wire as travel};
use tokio::time::{Instant, sleep};

use super::connect::Client;
use super::hub::{EXPIRY_MAX, Hub};
use super::wire::{Reason, Will};
use crate::acts::channel;
use crate::app::{App, Cx};
use crate::broker::policy::{self, Action, Principal, Topic};
use crate::error::{Error, Result};
use crate::http;

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
    say(app, client.principal.clone(), topic, payload).await
}

async fn say(app: &Arc<App>, principal: Principal, topic: String, payload: Bytes) -> Reason {
    // Where a client may speak at all shows without the database.
    if !matches!(Topic::parse(&topic), Some(Topic::Channel(_))) {
        return Reason::NotAuthorized;
    }
    match app.write(move |cx| store(cx, &principal, &topic, &payload)).await {
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

fn store(
    cx: &mut Cx<'_, '_>,
    principal: &Principal,
    topic: &str,
    payload: &[u8],
) -> Result<Reason> {
    let Some(author) = http::acting(cx, &principal.0)? else {
        return Ok(Reason::NotAuthorized);
    };
    let may_speak = author.status != AccountStatus::Suspended
        && policy::authorize(cx, principal, Action::Publish, topic)?;
    let Some(Topic::Channel(id)) = Topic::parse(topic).filter(|_| may_speak) else {
        return Ok(Reason::NotAuthorized);
    };
    let request: PostChannelMessage = travel::decode(&[id.as_str()], "", payload)?;
    channel::post(cx, &author, &request)?;
    Ok(Reason::Normal)
}

/// Says a client's last word, unless it comes back before the time it asked for.
pub(super) fn say_last(app: Arc<App>, hub: Arc<Hub>, client: Client, will: Will) {
    let delay = Duration::from_secs(will.delay.into()).min(EXPIRY_MAX);
    tokio::spawn(async move {
        if !delay.is_zero() {
            sleep(delay).await;
            if !hub.is_deserted(&client.place) {
                return;
            }
        }
        let said = say(&app, client.principal, will.topic, will.payload).await;
        if said != Reason::Normal {
            tracing::debug!(?said, "a will was refused");
        }
    });
}
