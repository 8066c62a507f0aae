//! Hints between nodes: which streams have events up to which number, and that rights ended.
//!
//! A hint carries no content and may be lost. What it names is read from the database, and a look
//! once a second finds what no hint named.

mod carrier;

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_store::db::TEXT_BYTES_MAX;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

pub use self::carrier::Carrier;
pub(crate) use self::carrier::of_database;
use crate::config::BusKind;
use crate::effects::CommitEffects;
use crate::services::outbox::GLOBAL_FEED;

/// How long hints are collected before they are sent.
const COLLECTED_FOR: Duration = Duration::from_millis(10);

/// Most hints that wait; further ones are left to the look.
const WAITING_MAX: usize = 20_000;

/// The line that says that rights ended.
const REVOKED: &str = "!";

/// Hints of one or more commits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Streams of accounts and channels, each with the number of its latest event.
    pub heads: HashMap<String, i64>,
    /// Numbers of events in the global feed.
    pub feed: Vec<i64>,
    /// Whether rights ended.
    pub revoked: bool,
    /// Whether they come from a look at the database, so that the feed is read too.
    pub is_look: bool,
}

/// The hints of this node that wait to be sent.
#[derive(Debug)]
pub struct Bus {
    kind: BusKind,
    waiting: Mutex<Hints>,
    ready: Notify,
    sent: Mutex<Sent>,
}

/// The latest batch of hints that was sent, and when, until this node receives it.
#[derive(Debug, Default)]
struct Sent {
    number: u64,
    at: Option<Instant>,
}

impl Hints {
    /// Adds those of a commit.
    fn add(&mut self, effects: &CommitEffects) {
        for (id, seq) in &effects.affected {
            self.add_head(id, *seq);
        }
        for event in &effects.events {
            if event.stream == GLOBAL_FEED {
                self.feed.push(event.seq);
            } else {
                self.add_head(&event.stream, event.seq);
            }
        }
        self.revoked |= revokes(effects);
    }

    fn add_head(&mut self, stream: &str, seq: i64) {
        match self.heads.get_mut(stream) {
            Some(latest) => *latest = seq.max(*latest),
            None => _ = self.heads.insert(stream.to_owned(), seq),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.heads.len() + self.feed.len() + usize::from(self.revoked)
    }

    /// Writes them as texts of bounded length: a name of the batch, then a hint in each line.
    fn texts(&self, name: &str) -> Vec<String> {
        let revoked = self.revoked.then(|| REVOKED.to_owned()).into_iter();
        let heads = self.heads.iter().map(|(stream, seq)| format!("{stream} {seq}"));
        let feed = self.feed.iter().map(|seq| format!("{GLOBAL_FEED} {seq}"));
        let mut texts: Vec<String> = Vec::new();
        for line in revoked.chain(heads).chain(feed) {
            match texts.last_mut() {
                Some(text) if text.len() + 1 + line.len() <= TEXT_BYTES_MAX => {
                    text.push('\n');
                    text.push_str(&line);
                }
                _ => texts.push(format!("{name}\n{line}")),
            }
        }
        texts
    }

    /// Adds what another node sent; a text of `node` itself, and lines that are no hints, are
    /// ignored.
    pub(crate) fn read(&mut self, text: &str, node: &str) {
        let mut lines = text.lines();
        if lines.next().is_some_and(|name| sender(name).0 == node) {
            return;
        }
        for line in lines {
            match line.split_once(' ').map(|(stream, seq)| (stream, seq.parse())) {
                None if line == REVOKED => self.revoked = true,
                Some((GLOBAL_FEED, Ok(seq))) => self.feed.push(seq),
                Some((stream, Ok(seq))) => self.add_head(stream, seq),
                _ => {}
            }
        }
    }
}

/// Whether a commit took a right from someone.
const fn revokes(effects: &CommitEffects) -> bool {
    !effects.ended.is_empty() || !effects.left.is_empty() || !effects.checked.is_empty()
}

impl Bus {
    pub(crate) fn new(kind: BusKind) -> Self {
        let (waiting, sent) = (Mutex::default(), Mutex::default());
        Self { kind, waiting, ready: Notify::new(), sent }
    }

    /// Whether other nodes may share the database.
    pub const fn is_shared(&self) -> bool {
        !matches!(self.kind, BusKind::None)
    }

    /// How other nodes get hints.
    pub(crate) const fn kind(&self) -> BusKind {
        self.kind
    }

    /// Queues the hints of a commit. Never blocks.
    pub(crate) fn note(&self, effects: &CommitEffects) {
        if !self.is_shared() {
            return;
        }
        let mut waiting = self.waiting();
        if waiting.count() > WAITING_MAX {
            metrics::counter!("svc_bus_dropped_total").increment(1);
            waiting.revoked |= revokes(effects);
            return;
        }
        waiting.add(effects);
        if waiting.count() > 0 {
            self.ready.notify_one();
        }
    }

    /// Waits for hints, and takes those of a few milliseconds as texts.
    pub(crate) async fn texts(&self, node: &str) -> Vec<String> {
        loop {
            self.ready.notified().await;
            sleep(COLLECTED_FOR).await;
            let hints = mem::take(&mut *self.waiting());
            if hints.count() > 0 {
                metrics::counter!("svc_bus_hints_total").increment(hints.count() as u64);
                let mut sent = self.sent();
                *sent = Sent { number: sent.number + 1, at: Some(Instant::now()) };
                return hints.texts(&format!("{node} {}", sent.number));
            }
        }
    }

    /// Measures how long hints take, by those of its own that this node receives.
    pub(crate) fn measure_lag(&self, text: &str, node: &str) {
        let name = text.lines().next().unwrap_or_default();
        let mut sent = self.sent();
        if sender(name) == (node, Some(sent.number))
            && let Some(at) = sent.at.take()
        {
            metrics::histogram!("svc_bus_lag_seconds").record(at.elapsed().as_secs_f64());
        }
    }

    fn sent(&self) -> MutexGuard<'_, Sent> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, Hints> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The node that sent a batch, and the number of the batch.
fn sender(name: &str) -> (&str, Option<u64>) {
    name.split_once(' ').map_or((name, None), |(node, number)| (node, number.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> Hints {
        let heads = (0..2_000).map(|number| (format!("usr_{number:020}"), number));
        Hints { heads: heads.collect(), feed: vec![7, 9], revoked: true, is_look: false }
    }

    #[test]
    fn hints_are_sent_in_bounded_texts_and_read_by_other_nodes() {
        let texts = many().texts("node");
        assert!(texts.len() > 1 && texts.iter().all(|text| text.len() <= TEXT_BYTES_MAX));
        let mut read = Hints::default();
        for text in &texts {
            read.read(text, "another");
        }
        assert_eq!(read, many());
    }

    #[test]
    fn a_node_ignores_its_own_hints_and_what_is_none() {
        let mut read = Hints::default();
        for text in many().texts("node 7") {
            read.read(&text, "node");
        }
        read.read("another\nusr_1\nusr_1 x\n\n", "node");
        assert_eq!(read, Hints::default());
    }

    #[test]
    fn a_revocation_is_sent_even_when_too_many_hints_wait() {
        let bus = Bus::new(BusKind::Postgres);
        let feed = vec![0; WAITING_MAX + 1];
        *bus.waiting() = Hints { feed, ..Hints::default() };
        let user = "usr_0000000000001".to_owned().into();
        bus.note(&CommitEffects { checked: vec![user], ..CommitEffects::default() });
        assert!(bus.waiting().revoked);
    }

    #[test]
    fn of_two_hints_about_a_stream_the_later_number_counts() {
        let mut read = Hints::default();
        read.read("another\nusr_1 3\nusr_1 2", "node");
        assert_eq!(read.heads["usr_1"], 3);
    }
}
