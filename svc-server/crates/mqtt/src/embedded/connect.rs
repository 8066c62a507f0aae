//! The MQTT handshake: from the CONNECT to a session, or to a refusal.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use svc_core::app::{App, Ctx};
use svc_core::{ids, keys};
use svc_store::error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use super::hub::{Arrival, EXPIRY_MAX, EnterError, Hub, SessionHandle};
use super::publish::Rate;
use super::refresh::refresh;
use crate::PACKET_BYTES_MAX;
use crate::policy::{self, Action, Authentication, Denied, Principal};
use crate::wire::{self, Accepted, Connect, Frame, Reason, Refused, Version, Will};

/// How often a client is authorized, counting repeats because its account lost a right meanwhile.
pub(super) const TRIES: usize = 8;

/// Longest keep-alive of an MQTT 5 client in seconds, and the one it gets when it asks for none.
const KEEP_ALIVE_MAX: u16 = 1_200;

/// A client that takes packets of this size takes a CONNACK with any of the texts.
const EXPLAINED_BYTES: usize = 256;

/// Longest silence of an MQTT 3.1.1 client without a keep-alive.
const SILENCE_MAX: Duration = Duration::from_hours(1);

/// A connected client.
pub(super) struct Client {
    pub(super) version: Version,
    pub(super) principal: Principal,
    /// The id of the key it authenticated with.
    pub(super) key_id: String,
    pub(super) handle: SessionHandle,
    /// Longest silence before it is disconnected.
    pub(super) silence_max: Duration,
    /// Largest packet it accepts.
    pub(super) packet_maximum: usize,
    pub(super) will: Option<Will>,
    pub(super) rate: Rate,
}

/// Why a connection ends without a session.
#[derive(Debug)]
pub(super) enum ConnectError {
    /// The CONNECT is refused.
    Refused(Refused),
    /// The client did not send a whole CONNECT in time.
    TimedOut,
    /// The client closed the connection.
    Disconnected,
}

impl ConnectError {
    /// Whether it counts against the client's address. A full or stopping server does not.
    pub(super) const fn is_clients_fault(&self) -> bool {
        match self {
            Self::Refused(refused) => !matches!(
                refused.reason,
                Reason::Unavailable | Reason::ShuttingDown | Reason::Quota
            ),
            Self::TimedOut => true,
            Self::Disconnected => false,
        }
    }
}

impl From<Refused> for ConnectError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// Reads a CONNECT, which must be complete by `deadline`, and replies with a CONNACK.
pub(super) async fn handshake<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    buffer: &mut BytesMut,
    deadline: Instant,
    address: IpAddr,
    app: &Arc<App>,
    hub: &Arc<Hub>,
) -> Result<Client, ConnectError> {
    let mut explains = false;
    let admitted = match timeout_at(deadline, read(stream, buffer)).await {
        Ok(Ok(connect)) => {
            let version = Some(connect.version);
            explains = has_room_for_text(&connect);
            let refused = |reason| ConnectError::Refused(Refused { reason, version });
            admit(app, hub, connect, address).await.map_err(refused)
        }
        Ok(Err(error)) => Err(error),
        Err(_) => Err(ConnectError::TimedOut),
    };
    match admitted {
        Ok((client, requested)) => {
            let mut out = BytesMut::new();
            accept(&mut out, &client, &requested);
            // If the client disconnected meanwhile, the session ends on its first read.
            let _ = stream.write_all(&out).await;
            Ok(client)
        }
        Err(error) => {
            refuse(stream, &error, explains).await;
            Err(error)
        }
    }
}

/// Reads a CONNECT and refuses it, since the broker has as many connections as it may; the answer is why.
pub(super) async fn turn_away<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    buffer: &mut BytesMut,
    deadline: Instant,
) -> ConnectError {
    let mut explains = false;
    let error = match timeout_at(deadline, read(stream, buffer)).await {
        Ok(Ok(connect)) => {
            metrics::counter!("svc_mqtt_refused_total").increment(1);
            explains = has_room_for_text(&connect);
            Refused { reason: Reason::Quota, version: Some(connect.version) }.into()
        }
        Ok(Err(error)) => error,
        Err(_) => ConnectError::TimedOut,
    };
    refuse(stream, &error, explains).await;
    error
}

/// Whether a client takes a CONNACK that explains a refusal.
fn has_room_for_text(connect: &Connect) -> bool {
    packet_maximum(connect) >= EXPLAINED_BYTES
}

/// Answers a refused CONNECT, where the protocol has an answer.
async fn refuse<S: AsyncWrite + Unpin>(stream: &mut S, error: &ConnectError, explains: bool) {
    let ConnectError::Refused(Refused { reason, version }) = *error else { return };
    tracing::debug!(?reason, "an MQTT client was refused");
    let Some(version) = version else { return };
    let mut out = BytesMut::new();
    wire::refuse(&mut out, version, reason, explains);
    let _ = stream.write_all(&out).await;
    let _ = stream.shutdown().await;
}

async fn read<S: AsyncRead + Unpin>(
    stream: &mut S,
    buffer: &mut BytesMut,
) -> Result<Connect, ConnectError> {
    loop {
        let frame = Frame::take(buffer).map_err(|reason| Refused { reason, version: None })?;
        if let Some(frame) = frame {
            return Ok(Connect::read(&frame)?);
        }
        match stream.read_buf(buffer).await {
            Ok(0) | Err(_) => return Err(ConnectError::Disconnected),
            Ok(_) => {}
        }
    }
}

/// The parts of a CONNECT that its CONNACK refers to.
struct Requested {
    had_client_id: bool,
    keep_alive: u16,
    expiry: u32,
}

async fn admit(
    app: &Arc<App>,
    hub: &Hub,
    connect: Connect,
    address: IpAddr,
) -> Result<(Client, Requested), Reason> {
    let Connect { version, keep_alive, expiry, clean, window, .. } = connect;
    let requested = Requested { had_client_id: !connect.client_id.is_empty(), keep_alive, expiry };
    if let Some(will) = &connect.will {
        refuse_will(will)?;
    }
    let connect = Arc::new(connect);
    for _ in 0..TRIES {
        let epoch = hub.epoch();
        let principal = log_in(app, &connect, address).await?;
        let arrival = Arrival {
            client: client_id(&connect.client_id, &principal),
            account: principal.0.clone(),
            clean,
            expiry: EXPIRY_MAX.min(Duration::from_secs(expiry.into())),
            window,
            epoch,
        };
        bring_up_to_date(app, hub, &arrival).await?;
        let handle = match hub.enter(arrival) {
            Ok(handle) => handle,
            Err(EnterError::Refused(reason)) => return Err(reason),
            Err(EnterError::Outdated) => continue,
        };
        let password = connect.password.as_deref().unwrap_or_default();
        let client = Client {
            version,
            principal,
            key_id: keys::key_id(keys::API_KEY, password).unwrap_or_default().to_owned(),
            handle,
            silence_max: silence_max(version, keep_alive),
            packet_maximum: packet_maximum(&connect),
            will: connect.will.clone(),
            rate: Rate::new(app.config.limits.mqtt.publishes_per_second),
        };
        return Ok((client, requested));
    }
    Err(Reason::Unavailable)
}

/// Reads again what waits for a client that resumes its session.
async fn bring_up_to_date(app: &Arc<App>, hub: &Hub, arrival: &Arrival) -> Result<(), Reason> {
    let Some(mailbox) = hub.mailbox_of(&arrival.client).filter(|_| !arrival.clean) else {
        return Ok(());
    };
    refresh(app, &mailbox).await.map_err(|error| {
        tracing::error!(%error, "failed to read what waits for an MQTT client");
        Reason::Unavailable
    })
}

/// Who connects with these credentials.
async fn log_in(
    app: &Arc<App>,
    connect: &Arc<Connect>,
    address: IpAddr,
) -> Result<Principal, Reason> {
    let connect = Arc::clone(connect);
    let login = app.read(move |ctx| {
        ctx.come_from(address);
        authorize(ctx, &connect)
    });
    match login.await {
        Ok(Login::Granted(principal)) => Ok(principal),
        Ok(Login::Refused(reason)) => Err(reason),
        Err(error) => {
            tracing::error!(%error, "failed to authorize an MQTT client");
            Err(Reason::Unavailable)
        }
    }
}

const fn refuse_will(will: &Will) -> Result<(), Reason> {
    if will.retain {
        Err(Reason::Retain)
    } else if will.qos > 1 {
        Err(Reason::Qos)
    } else {
        Ok(())
    }
}

/// Whether a client may connect.
enum Login {
    Granted(Principal),
    Refused(Reason),
}

fn authorize(ctx: &mut Ctx<'_, '_>, connect: &Connect) -> error::Result<Login> {
    let (name, key) = (connect.username.as_deref(), connect.password.as_deref());
    let principal = match policy::authenticate(ctx, name, key, &connect.client_id)? {
        Authentication::Granted(principal) => principal,
        Authentication::Denied(denied) => return Ok(Login::Refused(reason(denied))),
    };
    if let Some(will) = &connect.will
        && !policy::authorize(ctx, &principal, Action::Publish, &will.topic)?
    {
        return Ok(Login::Refused(Reason::NotAuthorized));
    }
    Ok(Login::Granted(principal))
}

const fn reason(denied: Denied) -> Reason {
    match denied {
        Denied::Login => Reason::BadLogin,
        Denied::ClientId => Reason::ClientId,
        Denied::Suspended | Denied::Scope => Reason::NotAuthorized,
    }
}

/// The requested client id, or a random one for the account.
fn client_id(requested: &str, Principal(account): &Principal) -> Arc<str> {
    if requested.is_empty() {
        let number = u64::from_ne_bytes(ids::random());
        return format!("{account}:auto-{number:016x}").into();
    }
    requested.into()
}

fn packet_maximum(connect: &Connect) -> usize {
    let most = connect.packet_maximum.and_then(|most| usize::try_from(most).ok());
    most.unwrap_or(PACKET_BYTES_MAX).min(PACKET_BYTES_MAX)
}

/// One and a half times the keep-alive.
fn silence_max(version: Version, keep_alive: u16) -> Duration {
    let seconds = match (version, keep_alive) {
        (Version::Three, 0) => return SILENCE_MAX,
        (Version::Three, seconds) => seconds,
        (Version::Five, _) => effective_keep_alive(keep_alive),
    };
    Duration::from_millis(u64::from(seconds) * 1_500)
}

/// The keep-alive granted to an MQTT 5 client that requested this one.
const fn effective_keep_alive(requested: u16) -> u16 {
    if requested == 0 || requested > KEEP_ALIVE_MAX { KEEP_ALIVE_MAX } else { requested }
}

fn accept(out: &mut BytesMut, client: &Client, requested: &Requested) {
    let keep_alive = effective_keep_alive(requested.keep_alive);
    let longest = u32::try_from(EXPIRY_MAX.as_secs()).unwrap_or(u32::MAX);
    let accepted = Accepted {
        session_present: client.handle.session_present,
        client_id: (!requested.had_client_id).then_some(&*client.handle.client),
        keep_alive: (keep_alive != requested.keep_alive).then_some(keep_alive),
        expiry: (requested.expiry > longest).then_some(longest),
    };
    wire::accept(out, client.version, &accepted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_may_be_silent_for_one_and_a_half_times_its_keep_alive() {
        for (version, keep_alive, seconds) in [
            (Version::Three, 60, 90),
            (Version::Three, 2_400, 3_600),
            (Version::Three, 0, 3_600),
            (Version::Five, 60, 90),
            (Version::Five, 1_200, 1_800),
            (Version::Five, 1_201, 1_800),
            (Version::Five, 0, 1_800),
        ] {
            let longest = silence_max(version, keep_alive);
            assert_eq!(longest, Duration::from_secs(seconds), "{version:?}, {keep_alive}");
        }
    }
}
