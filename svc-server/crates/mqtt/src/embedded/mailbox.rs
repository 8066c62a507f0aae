//! What waits for one session, and what was sent but not yet acknowledged.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use tokio::sync::Notify;

use crate::wire::{self, Reason, Version};

/// Messages that wait for a session at most, and their bytes. The oldest make room: the number in
/// a message shows the gap, and the cursor closes it.
const WAITING_MAX: usize = 1_000;
const WAITING_BYTES_MAX: usize = 1_048_576;

/// Unacknowledged messages at most, whatever more a client would take.
const WINDOW_MAX: u16 = 100;

/// Bytes written ahead of what the socket takes.
pub(super) const AHEAD_BYTES: usize = 65_536;

/// A message as all who hear it share it.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) topic: Arc<str>,
    pub(super) payload: Bytes,
}

/// The mailbox of a session.
#[derive(Debug, Default)]
pub(super) struct Mailbox(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    holder: Option<Holder>,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    sent: VecDeque<Sent>,
    last_id: u16,
}

#[derive(Debug)]
struct Waiting {
    message: Arc<Message>,
    acknowledged: bool,
}

#[derive(Debug)]
struct Sent {
    packet_id: u16,
    /// None once the client lost the right to it; its number is in use until it is acknowledged.
    message: Option<Arc<Message>>,
    /// Whether it has gone out on the present connection.
    is_out: bool,
}

/// The connection that empties a mailbox.
#[derive(Debug)]
struct Holder {
    number: u64,
    notify: Arc<Notify>,
    window: usize,
    ended: Option<Reason>,
}

/// How a connection takes its mail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    /// The connection.
    pub(super) number: u64,
    pub(super) version: Version,
    /// Largest packet the client takes.
    pub(super) packet_maximum: usize,
}

impl Mailbox {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the mailbox to a connection; the one before it is told to end.
    pub(super) fn hold(&self, number: u64, window: Option<u16>) -> Arc<Notify> {
        let mut inner = self.inner();
        inner.end(Reason::TakenOver);
        inner.sent.retain(|sent| sent.message.is_some());
        for sent in &mut inner.sent {
            sent.is_out = false;
        }
        let notify = Arc::new(Notify::new());
        if !inner.waiting.is_empty() || !inner.sent.is_empty() {
            notify.notify_one();
        }
        let window = usize::from(window.unwrap_or(WINDOW_MAX).min(WINDOW_MAX));
        inner.holder = Some(Holder { number, notify: Arc::clone(&notify), window, ended: None });
        notify
    }

    /// Lets go of it, unless it is another's by now; the answer is whether it was still held.
    pub(super) fn release(&self, number: u64) -> bool {
        let mut inner = self.inner();
        let is_own = inner.holder.as_ref().is_some_and(|holder| holder.number == number);
        if is_own {
            inner.holder = None;
            let Inner { waiting, waiting_bytes, .. } = &mut *inner;
            waiting.retain(|waiting| waiting.acknowledged);
            *waiting_bytes = waiting.iter().map(Waiting::bytes).sum();
        }
        is_own
    }

    pub(super) fn is_held(&self) -> bool {
        self.inner().holder.is_some()
    }

    /// Tells the connection to end.
    pub(super) fn end(&self, reason: Reason) {
        self.inner().end(reason);
    }

    /// Why the connection has to end, if it has.
    pub(super) fn ended(&self, number: u64) -> Option<Reason> {
        match &self.inner().holder {
            Some(holder) if holder.number == number => holder.ended,
            // Another connection has it, or the session is gone.
            _ => Some(Reason::TakenOver),
        }
    }

    /// Puts a message in; the answer is how many were dropped to make room.
    pub(super) fn put(&self, message: &Arc<Message>, acknowledged: bool) -> u64 {
        let mut inner = self.inner();
        if inner.holder.is_none() && !acknowledged {
            return 0;
        }
        let waiting = Waiting { message: Arc::clone(message), acknowledged };
        inner.waiting_bytes += waiting.bytes();
        inner.waiting.push_back(waiting);
        let mut dropped = 0;
        while inner.waiting.len() > WAITING_MAX || inner.waiting_bytes > WAITING_BYTES_MAX {
            let Some(oldest) = inner.waiting.pop_front() else { break };
            inner.waiting_bytes -= oldest.bytes();
            dropped += 1;
        }
        if let Some(holder) = &inner.holder {
            holder.notify.notify_one();
        }
        dropped
    }

    /// The client has taken this message.
    pub(super) fn acknowledge(&self, packet_id: u16) {
        let mut inner = self.inner();
        inner.sent.retain(|sent| sent.packet_id != packet_id);
        let has_more = !inner.waiting.is_empty() || inner.sent.iter().any(|sent| !sent.is_out);
        if let Some(holder) = inner.holder.as_ref().filter(|_| has_more) {
            holder.notify.notify_one();
        }
    }

    /// Forgets what waits of a topic, and does not send again what is not acknowledged of it.
    pub(super) fn forget(&self, topic: &str) {
        let mut inner = self.inner();
        let Inner { waiting, waiting_bytes, sent, .. } = &mut *inner;
        waiting.retain(|waiting| &*waiting.message.topic != topic);
        *waiting_bytes = waiting.iter().map(Waiting::bytes).sum();
        for sent in sent {
            sent.message.take_if(|message| &*message.topic == topic);
        }
    }

    /// Writes what waits, as much as the client takes and the socket is worth.
    pub(super) fn take(&self, taking: Taking, out: &mut BytesMut) {
        let mut inner = self.inner();
        let Some(window) = inner.window_of(taking.number) else { return };
        if !inner.send_again(taking, window, out) {
            return;
        }
        let mut sent_bytes: usize = inner.sent.iter().map(Sent::bytes).sum();
        while out.len() < AHEAD_BYTES && inner.sent.len() < window && sent_bytes < WAITING_BYTES_MAX
        {
            let Some(waiting) = inner.waiting.pop_front() else { break };
            inner.waiting_bytes -= waiting.bytes();
            sent_bytes += waiting.bytes();
            inner.send(taking, waiting, out);
        }
    }
}

impl Inner {
    fn end(&mut self, reason: Reason) {
        if let Some(holder) = &mut self.holder {
            holder.ended.get_or_insert(reason);
            holder.notify.notify_one();
        }
    }

    /// The window of a connection, if the mailbox is still its own.
    fn window_of(&self, number: u64) -> Option<usize> {
        let holder = self.holder.as_ref().filter(|holder| holder.number == number)?;
        holder.ended.is_none().then_some(holder.window)
    }

    /// Sends what an earlier connection did not see acknowledged, under the same packet ids, as much
    /// as the window takes; whether all of it is out.
    fn send_again(&mut self, taking: Taking, window: usize, out: &mut BytesMut) -> bool {
        let Taking { version, packet_maximum, .. } = taking;
        let mut room = window.saturating_sub(self.sent.iter().filter(|sent| sent.is_out).count());
        let mut place = 0;
        while let Some(sent) = self.sent.get_mut(place) {
            if sent.is_out {
                place += 1;
                continue;
            }
            if room == 0 || out.len() >= AHEAD_BYTES {
                return false;
            }
            let is_taken = sent.message.as_ref().is_some_and(|message| {
                let content = (&*message.topic, &*message.payload);
                wire::publish(out, version, content, (Some(sent.packet_id), true), packet_maximum)
            });
            if is_taken {
                sent.is_out = true;
                room -= 1;
                place += 1;
            } else {
                self.sent.remove(place);
            }
        }
        true
    }

    fn send(&mut self, taking: Taking, waiting: Waiting, out: &mut BytesMut) {
        let Waiting { message, acknowledged } = waiting;
        let id = acknowledged.then(|| self.next_id());
        let content = (&*message.topic, &*message.payload);
        let is_taken =
            wire::publish(out, taking.version, content, (id, false), taking.packet_maximum);
        if let Some(packet_id) = id.filter(|_| is_taken) {
            self.sent.push_back(Sent { packet_id, message: Some(message), is_out: true });
        }
    }

    /// A packet id that is not in use; the window is much smaller than their number.
    fn next_id(&mut self) -> u16 {
        loop {
            self.last_id = self.last_id.checked_add(1).unwrap_or(1);
            if self.sent.iter().all(|sent| sent.packet_id != self.last_id) {
                return self.last_id;
            }
        }
    }
}

impl Waiting {
    fn bytes(&self) -> usize {
        self.message.payload.len()
    }
}

impl Sent {
    fn bytes(&self) -> usize {
        self.message.as_ref().map_or(0, |message| message.payload.len())
    }
}

#[cfg(test)]
#[path = "mailbox_tests.rs"]
mod tests;
