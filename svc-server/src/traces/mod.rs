//! Traces by OTLP over HTTP: finished spans wait in memory, and are sent to a collector in the background.
//!
//! Nobody waits for it. What a collector does not take in time is dropped and counted.
//!
//! | module | what it holds |
//! |---|---|
//! | `collector` | the collector that the settings name |
//! | `convert` | spans as the library sends them |

mod collector;
mod convert;

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_core::config::Config;
use svc_store::panics::caught;
use svc_store::trace::{FinishedSpan, SpanSink, Tracer};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

pub(crate) use self::collector::Collector;
use crate::app::ServerApp;

/// Most spans that wait; further ones are dropped. They take some 500 bytes each.
const WAITING_MAX: usize = 4_096;

/// Most spans that are sent at once, and how long the first of them waits for others.
const BATCH_MAX: usize = 512;
const BATCH_TIME: Duration = Duration::from_secs(1);

/// How long a server that stops sends what waits.
const LAST_TIME: Duration = Duration::from_secs(2);

/// How often the log repeats that spans were not taken.
const LOGGED_EVERY: Duration = Duration::from_mins(1);

/// What begins spans, and those that have ended.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    tracer: Tracer,
    waiting: Mutex<Option<mpsc::Receiver<FinishedSpan>>>,
}

/// Where spans wait.
#[derive(Debug)]
struct Queue(mpsc::Sender<FinishedSpan>);

impl SpanSink for Queue {
    fn take(&self, span: FinishedSpan) {
        if self.0.try_send(span).is_err() {
            drop_spans("queue", 1);
        }
    }
}

impl Traces {
    /// Those of a server with these settings.
    pub(crate) fn of(config: &Config) -> Self {
        // `Config::load` has validated it.
        if config.trace.endpoint().ok().flatten().is_none() {
            return Self::default();
        }
        let (queue, waiting) = mpsc::channel(WAITING_MAX);
        let tracer = Tracer::new(Arc::new(Queue(queue)), config.trace.sample);
        Self { tracer, waiting: Mutex::new(Some(waiting)) }
    }

    pub(crate) fn tracer(&self) -> Tracer {
        self.tracer.clone()
    }

    fn waiting(&self) -> Option<mpsc::Receiver<FinishedSpan>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Sends spans until `stop` is cancelled, and then what waits, for a moment.
pub(crate) async fn run(
    app: Arc<ServerApp>,
    collector: Option<Collector>,
    stop: CancellationToken,
) {
    let (Some(mut collector), Some(waiting)) = (collector, app.traces.waiting()) else { return };
    collector.name_node(app.node.number());
    let mut sender = Sender { collector, waiting, batch: Vec::new(), sending: 0, logged: None };
    let late = async {
        stop.cancelled().await;
        sleep(LAST_TIME).await;
    };
    tokio::select! {
        () = sender.send_all(&stop) => {}
        () = late => {}
    }
    drop_spans("stop", sender.waiting.len() + sender.batch.len() + sender.sending);
}

struct Sender {
    collector: Collector,
    waiting: mpsc::Receiver<FinishedSpan>,
    /// What is sent next.
    batch: Vec<FinishedSpan>,
    /// How many are being sent.
    sending: usize,
    /// When the log last said that spans were not taken.
    logged: Option<Instant>,
}

impl Sender {
    async fn send_all(&mut self, stop: &CancellationToken) {
        while self.collect(stop).await {
            let batch = mem::take(&mut self.batch);
            self.sending = batch.len();
            let sending = async { Ok(self.collector.send(batch).await) };
            let sent = caught(sending).await.unwrap_or_else(|error| Err(error.to_string()));
            let count = mem::take(&mut self.sending);
            match sent {
                Ok(()) => {
                    metrics::counter!("svc_trace_spans_sent_total").increment(count as u64);
                }
                Err(error) => {
                    drop_spans("collector", count);
                    self.warn(count, &error);
                }
            }
        }
    }

    /// Collects a batch; false when the server stops and nothing waits.
    async fn collect(&mut self, stop: &CancellationToken) -> bool {
        let Self { waiting, batch, .. } = self;
        tokio::select! {
            biased;
            _ = waiting.recv_many(batch, BATCH_MAX) => {}
            () = stop.cancelled() => return false,
        }
        let end = Instant::now() + BATCH_TIME;
        while batch.len() < BATCH_MAX && !stop.is_cancelled() {
            let room = BATCH_MAX - batch.len();
            let more = timeout_at(end, waiting.recv_many(batch, room));
            let more = stop.run_until_cancelled(more).await;
            if !matches!(more, Some(Ok(_))) {
                break;
            }
        }
        !batch.is_empty()
    }

    fn warn(&mut self, spans: usize, error: &str) {
        if self.logged.is_some_and(|at| at.elapsed() < LOGGED_EVERY) {
            return;
        }
        self.logged = Some(Instant::now());
        tracing::warn!(spans, error, "the collector of traces does not take spans");
    }
}

/// Counts spans that nobody gets.
fn drop_spans(reason: &'static str, count: usize) {
    let dropped = metrics::counter!("svc_trace_spans_dropped_total", "reason" => reason);
    dropped.increment(count as u64);
}
