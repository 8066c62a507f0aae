//! An account's events, live over HTTP: server-sent events (WHATWG HTML, section 9.2).
//!
//! A stream reads the event list by sequence number, and again whenever its listener is woken: by a
//! commit of this node, a hint of another, or the check in `tasks/bus.rs`. So no event is lost between
//! two connections, or sent twice on one, and no stream polls.
//!
//! A stream says where it is even when it has nothing to send: its first block and its comments have an
//! `id` too, which browsers remember. Otherwise one that breaks before its first event would go on from
//! the time of its next connection, and one of rare kinds from a number that is no longer kept.
//!
//! A stream may also watch [`channels`].

mod channels;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::sse::{Event as Sent, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use svc_core::identity::Account;
use svc_core::ids;
use svc_core::listeners::Listener;
use svc_store::error::{Error, Refusal, Result, Window};
use svc_types::api::connect::{Event, EventPage, ListEvents};
use svc_types::api::users::AccountStatus;
use svc_types::{ChannelId, Code, Endpoint, Timestamp, UserId};

use self::channels::Watched;
use super::beat::Beat;
use super::incoming::{self, Allows, Incoming, Received, Rules};
use super::refuse::carry;
use crate::app::ServerApp;
use crate::features::connect;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// What refusals call it.
const LAST_EVENT_ID_FIELD: &str = "Last-Event-ID";

/// Most open streams of an account per server.
const STREAMS_MAX: usize = 20;

/// Interval of keep-alive comments, so that no proxy closes an idle connection.
const COMMENT_EVERY: Duration = Duration::from_secs(15);

/// How long a browser waits at least before it reconnects, and how much longer at most.
const RETRY: Duration = Duration::from_secs(2);
const RETRY_SPREAD_MS: u64 = 2_000;

/// Events per read. They wait in memory until the client reads them, up to half a megabyte each.
const EVENTS_MAX: u32 = 10;

/// Answers with a stream of the account's events.
pub(super) async fn open(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    match begin(app, request).await {
        Ok(flow) => answer(flow.into_stream()),
        Err(error) => carry(error),
    }
}

fn answer(events: impl Stream<Item = Result<Sent, Infallible>> + Send + 'static) -> Response {
    let mut response = Sse::new(events).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx would otherwise buffer events.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// The state of a stream.
struct Flow {
    app: Arc<ServerApp>,
    received: Arc<Received>,
    listener: Listener,
    channels: Vec<Watched>,
    /// The next request; `after` is the last sequence number that was read.
    request: ListEvents,
    /// The last sequence number that was sent as an id.
    sent_id: u64,
    ready: VecDeque<Sent>,
    /// Whether there may be more events than those in `ready`.
    is_behind: bool,
    beat: Beat,
}

/// Performs all checks before the first byte is sent.
async fn begin(app: Arc<ServerApp>, request: Request) -> Result<Flow> {
    let (mut parts, body) = request.into_parts();
    let asked = channels::take(&mut parts.uri)?;
    let last = last_event_id(&parts.headers);
    let incoming = Incoming { parts, body, path: Vec::new(), allows: Allows::default() };
    let (received, request) = incoming::decode_as::<ListEvents>(&app, incoming).await?;
    let mut request = request.map_err(Error::from)?;
    let last = last?;
    request.after = last.or(request.after);
    request.limit = Some(EVENTS_MAX.into());
    // The first read may be refused. The listener exists before the second, so no event is missed.
    let loaded = load(&app, &received, &request, asked.clone()).await;
    let Loaded { account, page, heads } = loaded.map_err(|error| match last {
        Some(_) if error.code() == Code::CursorExpired => error.about(LAST_EVENT_ID_FIELD),
        _ => error,
    })?;
    let latest = i64::try_from(page.latest_seq).map_err(Error::internal)?;
    let listeners = &app.post_commit.listeners;
    let now = app.clock.now();
    let listener = listeners.wait(account.as_str(), STREAMS_MAX, latest);
    let listener = listener.ok_or_else(|| too_many(now))?;
    let channels = channels::watch(listeners, &asked, heads)?;
    let beat = Beat::begin(&app.clock, COMMENT_EVERY);
    // Without a position the stream begins with the next event.
    let position = request.after.unwrap_or(page.latest_seq);
    request.after = Some(position);
    Ok(Flow {
        app,
        received,
        listener,
        channels,
        request,
        sent_id: position,
        ready: VecDeque::new(),
        is_behind: true,
        beat,
    })
}

/// How long this browser waits, which differs from others: a restart ends all streams at once.
fn retry() -> Duration {
    let spread = u64::from_le_bytes(ids::random()) % RETRY_SPREAD_MS;
    RETRY + Duration::from_millis(spread)
}

/// The sequence number in the Last-Event-ID header.
fn last_event_id(headers: &HeaderMap) -> Result<Option<u64>> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.parse().ok());
    let message = "Last-Event-ID must be the number of an event";
    let wrong = || Error::invalid(LAST_EVENT_ID_FIELD, message);
    number.map(Some).ok_or_else(wrong)
}

fn too_many(now: Timestamp) -> Error {
    let limit = u64::try_from(STREAMS_MAX).unwrap_or(u64::MAX);
    let window = Window { limit, remaining: 0, reset: now.plus(RETRY) };
    let message = format!("an account may have {STREAMS_MAX} streams open at a time");
    Refusal::new(Code::RateLimited, message).hint("close one").window(window, now).into()
}

/// What a stream reads at once.
struct Loaded {
    account: UserId,
    page: EventPage,
    /// Numbers of the latest events of its channels.
    heads: Vec<(ChannelId, i64)>,
}

/// Reads the events after the last one, with the credential that opened the stream.
async fn load(
    app: &Arc<ServerApp>,
    received: &Arc<Received>,
    request: &ListEvents,
    channels: Vec<ChannelId>,
) -> Result<Loaded> {
    let (received, request) = (Arc::clone(received), request.clone());
    let job = app.read(move |ctx| {
        let caller = received
            .authenticate::<<ListEvents as Endpoint>::By>(ctx, Rules::of::<ListEvents>())?;
        refuse_suspended(&caller)?;
        let page = connect::list(ctx, &caller, &request)?;
        let heads = channels::heads(ctx, &caller.id, &channels)?;
        Ok(Loaded { account: caller.id, page, heads })
    });
    job.await
}

/// Like MQTT, a stream is not for suspended accounts; they can list their events.
fn refuse_suspended(caller: &Account) -> Result<()> {
    if caller.status != AccountStatus::Suspended {
        return Ok(());
    }
    let refusal =
        Refusal::new(Code::AccountSuspended, "the account is suspended and has no stream");
    Err(refusal.hint("GET /v1/connect/events lists what happens to it").into())
}

impl Flow {
    /// The stream of messages, until the server stops or the credential ends.
    fn into_stream(self) -> impl Stream<Item = Result<Sent, Infallible>> + Send + 'static {
        let opening = Sent::default().retry(retry()).id(self.sent_id.to_string());
        let opening = Ok(opening.comment("events follow"));
        let events = stream::unfold(self, |mut flow| async move {
            let sent = flow.next().await?;
            Some((Ok(sent), flow))
        });
        futures_util::StreamExt::chain(stream::iter([opening]), events)
    }

    async fn next(&mut self) -> Option<Sent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if !self.is_behind && self.wait().await? {
                return Some(self.comment());
            }
            self.read().await?;
        }
    }

    /// A keep-alive comment, with the position if no event has said it.
    fn comment(&mut self) -> Sent {
        let comment = Sent::default().comment("still here");
        let read = self.request.after.unwrap_or(self.sent_id);
        if read <= self.sent_id {
            return comment;
        }
        self.sent_id = read;
        comment.id(read.to_string())
    }

    /// Waits for events or for the next keep-alive comment, for which it returns true. `None` when the
    /// server stops.
    async fn wait(&mut self) -> Option<bool> {
        tokio::select! {
            () = channels::called(&mut self.listener, &mut self.channels) => Some(false),
            is_comment = self.beat.next(&self.app.clock) => Some(is_comment),
            () = self.app.stopped() => None,
        }
    }

    async fn read(&mut self) -> Option<()> {
        self.beat.checked(&self.app.clock);
        let channels = channels::ids(&self.channels);
        match load(&self.app, &self.received, &self.request, channels).await {
            Ok(Loaded { page, heads, .. }) => {
                self.is_behind = page.next_cursor.is_some();
                // With a filter, a page may skip many events of other types. It may also hold events
                // newer than `latest_seq`.
                let last = page.events.last().map(|event| event.seq);
                let read = page.next_cursor.unwrap_or(page.latest_seq);
                self.request.after = self.request.after.max(last).max(Some(read));
                for event in &page.events {
                    self.ready.push_back(encode(event)?);
                    self.sent_id = event.seq;
                }
                self.ready.extend(channels::update(&mut self.channels, &heads));
                Some(())
            }
            Err(error) => {
                tracing::debug!(%error, "a stream of events ends");
                None
            }
        }
    }
}

/// Encodes an event. Its sequence number is the id from which a browser resumes.
fn encode(event: &Event) -> Option<Sent> {
    let data = serde_json::to_string(event);
    let data = data.inspect_err(|error| tracing::error!(%error, "failed to serialize an event"));
    Some(Sent::default().id(event.seq.to_string()).event(&event.event).data(data.ok()?))
}
