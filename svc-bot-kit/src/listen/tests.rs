//! Hints of all kinds on top of the platform's list.

use std::sync::{Arc, Mutex};

use svc_client::http::StatusCode;
use svc_client::mock::Mock;
use svc_client::types::Code;
use svc_client::types::api::connect::ListEvents;
use svc_server::testing::{in_time, until};

use super::super::hints::Waiting;
use super::*;

/// Scripted hints; after the last one, waits forever.
struct Script {
    hints: VecDeque<Hint>,
    is_live: bool,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl Hints for Script {
    fn wait(&mut self, at_most: Duration) -> Waiting<'_> {
        self.waits.lock().unwrap().push(at_most);
        match self.hints.pop_front() {
            Some(hint) => Box::pin(std::future::ready(hint)),
            None => Box::pin(std::future::pending()),
        }
    }

    fn is_live(&self) -> bool {
        self.is_live
    }
}

fn event(seq: u64, kind: &str) -> Event {
    let text = format!(
        r#"{{"id":"evt_{seq}","seq":{seq},"event":"{kind}","timestamp":"2026-01-31T09:30:00.000Z","data":{{}}}}"#
    );
    serde_json::from_str(&text).unwrap()
}

fn live(seq: u64) -> Hint {
    Hint::Event(Box::new(event(seq, "like")))
}

/// A platform with events 1 to `latest`, every third of them a reply.
fn platform(server: &Mock, latest: &Arc<Mutex<u64>>) -> svc_client::mock::Rule<ListEvents> {
    let latest = Arc::clone(latest);
    server.on::<ListEvents>().answers(move |request| {
        let latest = *latest.lock().unwrap();
        let kind = |seq: u64| if seq.is_multiple_of(3) { "reply" } else { "like" };
        let wanted = |seq: &u64| {
            request.types.as_ref().is_none_or(|types| types.0.iter().any(|one| one == kind(*seq)))
        };
        let all = (request.after.unwrap_or(0) + 1..=latest).filter(wanted);
        let mut events: Vec<Event> = all.map(|seq| event(seq, kind(seq))).collect();
        let limit = usize::try_from(request.limit.unwrap().get()).unwrap();
        let has_more = events.len() > limit;
        events.truncate(limit);
        let next_cursor = events.last().filter(|_| has_more).map(|event| event.seq);
        EventPage { events, next_cursor, latest_seq: latest, oldest_seq: 1 }
    })
}

struct Stage {
    server: Mock,
    latest: Arc<Mutex<u64>>,
    waits: Arc<Mutex<Vec<Duration>>>,
    rule: svc_client::mock::Rule<ListEvents>,
}

impl Stage {
    async fn new(latest: u64) -> Self {
        let server = Mock::start().await;
        let latest = Arc::new(Mutex::new(latest));
        let rule = platform(&server, &latest);
        Self { server, latest, waits: Arc::default(), rule }
    }

    fn listener(&self, is_live: bool, hints: impl IntoIterator<Item = Hint>) -> Listener {
        let mut listener = Listener::new(self.server.client());
        let hints = hints.into_iter().collect();
        listener.hints = Box::new(Script { hints, is_live, waits: Arc::clone(&self.waits) });
        listener
    }
}

async fn next(listener: &mut Listener) -> u64 {
    let event = listener.next().await.unwrap();
    listener.done(&event);
    event.seq
}

#[tokio::test]
async fn an_event_is_returned_until_it_is_done() {
    let stage = Stage::new(2).await;
    let mut listener = stage.listener(false, []).from_start();
    for _ in 0..3 {
        assert_eq!(listener.next().await.unwrap().seq, 1);
    }
    assert_eq!((next(&mut listener).await, next(&mut listener).await), (1, 2));
}

#[tokio::test]
async fn all_pages_are_read_in_their_order() {
    let stage = Stage::new(250).await;
    let mut listener = stage.listener(false, []).after(7);
    for expected in 8..=250 {
        assert_eq!(next(&mut listener).await, expected);
    }
    assert_eq!(stage.rule.received().len(), 3);
    assert_eq!(listener.position(), Some(250));
}

#[tokio::test]
async fn events_before_now_are_skipped() {
    let stage = Stage::new(9).await;
    let mut listener = stage.listener(false, [Hint::Elapsed]);
    listener.begin().await.unwrap();
    *stage.latest.lock().unwrap() = 10;
    assert_eq!(next(&mut listener).await, 10);
}

#[tokio::test]
async fn live_events_are_taken_in_order_without_duplicates() {
    let stage = Stage::new(2).await;
    let hints = [live(1), live(2), live(3), live(3), live(4)];
    let mut listener = stage.listener(true, hints).after(0);
    for expected in 1..=4 {
        assert_eq!(next(&mut listener).await, expected);
    }
    assert_eq!(stage.rule.received().len(), 1, "live events are not requested again");
}

#[tokio::test]
async fn a_gap_before_a_live_event_is_filled_from_the_list() {
    let stage = Stage::new(2).await;
    let mut listener = stage.listener(true, [live(6), live(4), live(7)]).from_start();
    assert_eq!((next(&mut listener).await, next(&mut listener).await), (1, 2));
    *stage.latest.lock().unwrap() = 6;
    for expected in 3..=7 {
        assert_eq!(next(&mut listener).await, expected);
    }
}

#[tokio::test]
async fn lost_hints_only_add_latency() {
    let stage = Stage::new(0).await;
    let mut listener = stage.listener(true, [Hint::Elapsed, Hint::Poll]).from_start();
    let expected = tokio::spawn(async move { next(&mut listener).await });
    until("the listener waits", async || !stage.waits.lock().unwrap().is_empty()).await;
    *stage.latest.lock().unwrap() = 1;
    assert_eq!(expected.await.unwrap(), 1);
    assert_eq!(stage.waits.lock().unwrap()[0], PAUSE_MAX);
}

#[tokio::test]
async fn without_live_hints_the_poll_interval_grows_while_nothing_happens() {
    let stage = Stage::new(0).await;
    let script = (0..20).map(|_| Hint::Elapsed);
    let mut listener = stage.listener(false, script).from_start();
    let waiting = tokio::spawn(async move { next(&mut listener).await });
    until("it waits twenty times", async || stage.waits.lock().unwrap().len() >= 20).await;
    waiting.abort();
    let waits = stage.waits.lock().unwrap().clone();
    assert_eq!((waits[0], waits[1]), (PAUSE_MIN, PAUSE_MIN.mul_f64(1.5)));
    assert_eq!(waits[19], PAUSE_MAX);
}

#[tokio::test]
async fn a_poll_is_not_put_off_by_hints_about_channels_or_by_a_wait_that_is_given_up() {
    let stage = Stage::new(0).await;
    let hints = [Hint::Channel, Hint::Channel];
    let mut listener = stage.listener(true, hints).from_start();
    for waits in [3, 4, 5] {
        tokio::select! {
            event = listener.next() => panic!("{event:?}"),
            () = until("it waits", async || stage.waits.lock().unwrap().len() >= waits) => {}
        }
    }
    let waits = stage.waits.lock().unwrap().clone();
    assert_eq!(waits[0], PAUSE_MAX);
    assert!(waits.is_sorted_by(|one, next| one > next), "{waits:?}");
    assert_eq!(stage.rule.received().len(), 1);
}

#[tokio::test]
async fn skipped_kinds_leave_no_gaps() {
    let stage = Stage::new(5).await;
    let mut listener = stage.listener(true, [live(6), live(7), Hint::Poll]);
    listener = listener.from_start().types(["reply"]);
    assert_eq!(next(&mut listener).await, 3);
    *stage.latest.lock().unwrap() = 9;
    assert_eq!(next(&mut listener).await, 9, "6 came as a like");
    assert_eq!(listener.position(), Some(9));
}

#[tokio::test]
async fn numbers_of_events_that_the_key_may_not_read_are_passed() {
    let server = Mock::start().await;
    // All of 5000 events but the last are messages.
    let rule = server.on::<ListEvents>().answers(|request| {
        let after = request.after.unwrap_or_default();
        let is_among_last = (4_000..5_000).contains(&after);
        let events = is_among_last.then(|| event(5_000, "like")).into_iter().collect();
        let next_cursor = (after < 1_000).then_some(after + 4_000);
        EventPage { events, next_cursor, latest_seq: 5_000, oldest_seq: 1 }
    });
    let mut listener = Listener::new(server.client()).after(0);
    assert_eq!(in_time("the last is read", next(&mut listener)).await, 5_000);
    assert_eq!(rule.received().len(), 2);
}

#[tokio::test]
async fn an_unreachable_platform_is_retried() {
    let server = Mock::start().await;
    server.on::<ListEvents>().fails(Code::Internal).times(3);
    let latest = Arc::new(Mutex::new(1));
    let rule = platform(&server, &latest);
    let stage = Stage { server, latest, waits: Arc::default(), rule };
    let mut listener = stage.listener(false, [Hint::Elapsed]).from_start();
    assert_eq!(next(&mut listener).await, 1);
}

#[tokio::test]
async fn a_listener_polls_no_earlier_than_the_platform_asks() {
    let server = Mock::start().await;
    let refused = server.on::<ListEvents>().fails(Code::RateLimited).retry_after(3_600);
    let waits = Arc::<Mutex<Vec<Duration>>>::default();
    let hints = (0..20).map(|_| Hint::Elapsed).collect();
    let mut listener = Listener::new(server.client()).from_start();
    listener.hints = Box::new(Script { hints, is_live: false, waits: Arc::clone(&waits) });
    let waiting = tokio::spawn(async move { next(&mut listener).await });
    until("it waits for more hints", async || waits.lock().unwrap().len() > 20).await;
    waiting.abort();
    assert_eq!(refused.received().len(), 1);
}

#[tokio::test]
async fn expired_events_are_reported_and_not_skipped() {
    let server = Mock::start().await;
    server.on::<ListEvents>().fails(Code::CursorExpired);
    let mut listener = Listener::new(server.client()).after(3);
    let error = listener.next().await.unwrap_err();
    assert_eq!(error.code(), Some(&Code::CursorExpired));
}

#[tokio::test]
async fn a_page_of_a_proxy_in_place_of_the_list_does_not_end_a_listener() {
    let server = Mock::start().await;
    server.on::<ListEvents>().sends(StatusCode::OK, "<p>back soon</p>").times(2);
    let latest = Arc::new(Mutex::new(1));
    let rule = platform(&server, &latest);
    let stage = Stage { server, latest, waits: Arc::default(), rule };
    let mut listener = stage.listener(false, [Hint::Elapsed, Hint::Elapsed]).from_start();
    assert_eq!(next(&mut listener).await, 1);
}
