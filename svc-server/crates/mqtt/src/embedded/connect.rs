//! From the first packet to a session, or to a reason why not.

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use svc_core::app::{App, Ctx};
use svc_core::{ids, keys};
use svc_store::error::Result;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use super::hub::{Arrival, EXPIRY_MAX, Hub, Place};
use super::publish::Rate;
use crate::PACKET_BYTES_MAX;
use crate::policy::{self, Action, Denied, Principal};
use crate::wire::{self, Accepted, Connect, Frame, Reason, Version, Will};

/// How often a client is judged anew because its account lost a right meanwhile.
pub(super) const TRIES: usize = 8;

/// Longest time between two packets that a client of version 5 may ask for, and what it gets
/// when it asks for none.
const KEEP_ALIVE_MAX: u16 = 1_200;

/// How long a client of 3.1.1 that promises nothing may be silent.
const SILENCE_MAX: Duration = Duration::from_hours(1);

/// A client that is in.
pub(super) struct Client {
    pub(super) version: Version,
    pub(super) principal: Principal,
    /// Which key it came with.
    pub(super) key_id: String,
    pub(super) place: Place,
    /// How long it may be silent.
    pub(super) patience: Duration,
    /// Largest packet it takes.
    pub(super) packet_maximum: usize,
    pub(super) will: Option<Will>,
    pub(super) rate: Rate,
}

/// Reads a CONNECT, which is to be there by then, and answers it. `Err(true)` when it was refused
/// for what it is, `Err(false)` when there was nothing to refuse.
pub(super) async fn welcome<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    buffer: &mut BytesMut,
    until: Instant,
    app: &Arc<App>,
    hub: &Arc<Hub>,
) -> Result<Client, bool> {
    let mut out = BytesMut::new();
    let connect = timeout_at(until, read(stream, buffer)).await;
    // Whoever is silent or slow is refused as whoever says the wrong thing.
    let (reason, version) = match connect.map_err(|_| true)?? {
        Ok(connect) => {
            let version = connect.version;
            match admit(app, hub, connect).await {
                Ok((client, asked)) => {
                    accept(&mut out, &client, &asked);
                    // If it is gone by now, its session ends as that of any other.
                    let _ = stream.write_all(&out).await;
                    return Ok(client);
                }
                Err(reason) => (reason, Some(version)),
            }
        }
        Err(refused) => refused,
    };
    tracing::debug!(?reason, "an MQTT client was refused");
    if let Some(version) = version {
        wire::refuse(&mut out, version, reason);
        let _ = stream.write_all(&out).await;
        let _ = stream.shutdown().await;
    }
    // What the server has no room or no time for is not the client's fault.
    Err(!matches!(reason, Reason::Unavailable | Reason::ShuttingDown | Reason::Quota))
}

async fn read<S: AsyncRead + Unpin>(
    stream: &mut S,
    buffer: &mut BytesMut,
) -> Result<Result<Connect, (Reason, Option<Version>)>, bool> {
    loop {
        match Frame::take(buffer) {
            Ok(Some(frame)) => return Ok(Connect::read(&frame)),
            Ok(None) => {}
            Err(reason) => return Ok(Err((reason, None))),
        }
        match stream.read_buf(buffer).await {
            Ok(0) | Err(_) => return Err(false),
            Ok(_) => {}
        }
    }
}

/// What of the client's wishes its CONNACK refers to.
struct Asked {
    had_client_id: bool,
    keep_alive: u16,
    expiry: u32,
}

async fn admit(
    app: &Arc<App>,
    hub: &Hub,
    connect: Connect,
) -> std::result::Result<(Client, Asked), Reason> {
    let Connect { version, keep_alive, expiry, clean, window, .. } = connect;
    let asked = Asked { had_client_id: !connect.client_id.is_empty(), keep_alive, expiry };
    if let Some(will) = &connect.will {
        refuse_will(will)?;
    }
    let connect = Arc::new(connect);
    for _ in 0..TRIES {
        let epoch = hub.epoch();
        let asking = Arc::clone(&connect);
        let judged = app.read(move |ctx| judge(ctx, &asking)).await;
        let principal = judged.map_err(|error| {
            tracing::error!(%error, "an MQTT client could not be judged");
            Reason::Unavailable
        })??;
        let arrival = Arrival {
            client: client_id(&connect.client_id, &principal),
            account: principal.0.clone(),
            clean,
            expiry: EXPIRY_MAX.min(Duration::from_secs(expiry.into())),
            window,
            epoch,
        };
        if let Ok(entered) = hub.enter(arrival) {
            let place = entered?;
            let patience = patience(version, keep_alive);
            let packet_maximum = packet_maximum(&connect);
            let will = connect.will.clone();
            let rate = Rate::new(app.config.limits.mqtt.publishes_per_second);
            let password = connect.password.as_deref().unwrap_or_default();
            let key_id = keys::key_id(keys::API_KEY, password).unwrap_or_default().to_owned();
            let client =
                Client { version, principal, key_id, place, patience, packet_maximum, will, rate };
            return Ok((client, asked));
        }
    }
    Err(Reason::Unavailable)
}

const fn refuse_will(will: &Will) -> std::result::Result<(), Reason> {
    if will.retain {
        Err(Reason::Retain)
    } else if will.qos > 1 {
        Err(Reason::Qos)
    } else {
        Ok(())
    }
}

fn judge(
    ctx: &mut Ctx<'_, '_>,
    connect: &Connect,
) -> Result<std::result::Result<Principal, Reason>> {
    let (name, key) = (connect.username.as_deref(), connect.password.as_deref());
    let principal = match policy::authenticate(ctx, name, key, &connect.client_id)? {
        Ok(principal) => principal,
        Err(Denied::Login) => return Ok(Err(Reason::BadLogin)),
        Err(Denied::ClientId) => return Ok(Err(Reason::ClientId)),
        Err(Denied::Suspended) => return Ok(Err(Reason::NotAuthorized)),
    };
    if let Some(will) = &connect.will
        && !policy::authorize(ctx, &principal, Action::Publish, &will.topic)?
    {
        return Ok(Err(Reason::NotAuthorized));
    }
    Ok(Ok(principal))
}

/// The client id asked for, or one of the account's that nobody has.
fn client_id(asked: &str, Principal(account): &Principal) -> Arc<str> {
    if asked.is_empty() {
        let number = u64::from_ne_bytes(ids::random());
        return format!("{account}:auto-{number:016x}").into();
    }
    asked.into()
}

fn packet_maximum(connect: &Connect) -> usize {
    let most = connect.packet_maximum.and_then(|most| usize::try_from(most).ok());
    most.unwrap_or(PACKET_BYTES_MAX).min(PACKET_BYTES_MAX)
}

/// One and a half times what the client promises.
fn patience(version: Version, keep_alive: u16) -> Duration {
    let seconds = match (version, keep_alive) {
        (Version::Three, 0) => return SILENCE_MAX,
        (Version::Three, seconds) => seconds,
        (Version::Five, _) => kept_alive(keep_alive),
    };
    Duration::from_millis(u64::from(seconds) * 1_500)
}

/// The keep-alive that holds for a client of version 5.
const fn kept_alive(asked: u16) -> u16 {
    if asked == 0 || asked > KEEP_ALIVE_MAX { KEEP_ALIVE_MAX } else { asked }
}

fn accept(out: &mut BytesMut, client: &Client, asked: &Asked) {
    let kept_alive = kept_alive(asked.keep_alive);
    let longest = u32::try_from(EXPIRY_MAX.as_secs()).unwrap_or(u32::MAX);
    let accepted = Accepted {
        session_present: client.place.session_present,
        client_id: (!asked.had_client_id).then_some(&*client.place.client),
        keep_alive: (kept_alive != asked.keep_alive).then_some(kept_alive),
        expiry: (asked.expiry > longest).then_some(longest),
    };
    wire::accept(out, client.version, &accepted);
}
