//! The outgoing messages of one session: queued, and sent but not acknowledged.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};
use svc_store::trace::Trace;
use svc_types::EventId;
use tokio::sync::Notify;

use crate::envelope;
use crate::wire::{self, Reason, Sending, Version};

/// Most queued messages of a session, and their bytes. Beyond that the oldest are dropped: clients
/// see the gap in the sequence numbers, and read the rest by cursor.
const WAITING_MAX: usize = 1_000;
const WAITING_BYTES_MAX: usize = 1_048_576;

/// Most unacknowledged messages, even if the client accepts more.
const WINDOW_MAX: u16 = 100;

/// Bytes encoded ahead of the socket.
pub(super) const AHEAD_BYTES: usize = 65_536;

/// A message, shared by all its subscribers.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) topic: Arc<str>,
    pub(super) payload: Bytes,
    pub(super) trace: Option<Trace>,
}

impl Message {
    fn content(&self) -> wire::Content<'_> {
        let trace = self.trace.as_ref().map(Trace::as_str);
        wire::Content { topic: &self.topic, payload: &self.payload, trace }
    }

    fn event(&self) -> Option<EventId> {
        envelope::id_of(&self.payload)
    }
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
    /// `None` once the client lost the right to it; the packet id stays in use until acknowledged.
    message: Option<Arc<Message>>,
    /// Whether it was sent on the present connection.
    is_out: bool,
}

/// The connection that a mailbox belongs to.
#[derive(Debug)]
struct Holder {
    number: u64,
    notify: Arc<Notify>,
    window: usize,
    ended: Option<Reason>,
}

/// How a connection receives messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    /// The connection.
    pub(super) number: u64,
    pub(super) version: Version,
    /// Largest packet the client accepts.
    pub(super) packet_maximum: usize,
}

impl Mailbox {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Attaches a connection; the previous one ends.
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

    /// Detaches a connection; returns false if another one has taken over.
    pub(super) fn release(&self, number: u64) -> bool {
        let mut inner = self.inner();
        let is_holder = inner.holder.as_ref().is_some_and(|holder| holder.number == number);
        if is_holder {
            inner.holder = None;
            let Inner { waiting, waiting_bytes, .. } = &mut *inner;
            waiting.retain(|waiting| waiting.acknowledged);
            *waiting_bytes = waiting.iter().map(Waiting::bytes).sum();
        }
        is_holder
    }

    pub(super) fn is_held(&self) -> bool {
        self.inner().holder.is_some()
    }

    /// Ends the connection.
    pub(super) fn end(&self, reason: Reason) {
        self.inner().end(reason);
    }

    /// Why the connection must end, if it must.
    pub(super) fn ended(&self, number: u64) -> Option<Reason> {
        match &self.inner().holder {
            Some(holder) if holder.number == number => holder.ended,
            // Another connection has taken over, or the session was removed.
            _ => Some(Reason::TakenOver),
        }
    }

    /// Queues a message; returns how many older ones were dropped.
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

    /// The client has acknowledged this message.
    pub(super) fn acknowledge(&self, packet_id: u16) {
        let mut inner = self.inner();
        inner.sent.retain(|sent| sent.packet_id != packet_id);
        let has_more = !inner.waiting.is_empty() || inner.sent.iter().any(|sent| !sent.is_out);
        if let Some(holder) = inner.holder.as_ref().filter(|_| has_more) {
            holder.notify.notify_one();
        }
    }

    /// Drops the queued messages of a topic, and does not resend its unacknowledged ones.
    pub(super) fn forget(&self, topic: &str) {
        let mut inner = self.inner();
        let Inner { waiting, waiting_bytes, sent, .. } = &mut *inner;
        waiting.retain(|waiting| &*waiting.message.topic != topic);
        *waiting_bytes = waiting.iter().map(Waiting::bytes).sum();
        for sent in sent {
            sent.message.take_if(|message| &*message.topic == topic);
        }
    }

    /// The events of all messages that are to be sent, also again.
    pub(super) fn events(&self) -> Vec<EventId> {
        self.inner().messages().filter_map(Message::event).collect()
    }

    /// Replaces the envelopes of these events, where they are to be sent.
    pub(super) fn replace(&self, envelopes: &HashMap<EventId, Bytes>) {
        self.inner().change(|message| {
            let found = envelopes.get(&message.event()?)?;
            (*found != message.payload).then(|| found.clone())
        });
    }

    /// Takes the texts out of messages of channels and posts of the feed whose deletion is to be sent, too.
    pub(super) fn empty_deleted(&self) {
        let mut inner = self.inner();
        let deleted: HashSet<String> =
            inner.messages().filter_map(|it| envelope::deleted(&it.payload)).collect();
        if !deleted.is_empty() {
            inner.change(|message| envelope::emptied(&message.payload, &deleted));
        }
    }

    /// Encodes queued messages, within the window and `AHEAD_BYTES`.
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
    /// All messages that are to be sent, also again.
    fn messages(&self) -> impl Iterator<Item = &Message> {
        let waiting = self.waiting.iter().map(|waiting| &*waiting.message);
        waiting.chain(self.sent.iter().filter_map(|sent| sent.message.as_deref()))
    }

    /// Gives these messages the payloads that `changed` returns for them.
    fn change(&mut self, changed: impl Fn(&Message) -> Option<Bytes>) {
        let waiting = self.waiting.iter_mut().map(|waiting| &mut waiting.message);
        let sent = self.sent.iter_mut().filter_map(|sent| sent.message.as_mut());
        for message in waiting.chain(sent) {
            if let Some(payload) = changed(message) {
                let (topic, trace) = (Arc::clone(&message.topic), message.trace.clone());
                *message = Arc::new(Message { topic, payload, trace });
            }
        }
        self.waiting_bytes = self.waiting.iter().map(Waiting::bytes).sum();
    }

    fn end(&mut self, reason: Reason) {
        if let Some(holder) = &mut self.holder {
            holder.ended.get_or_insert(reason);
            holder.notify.notify_one();
        }
    }

    /// The window of a connection, if it still holds the mailbox.
    fn window_of(&self, number: u64) -> Option<usize> {
        let holder = self.holder.as_ref().filter(|holder| holder.number == number)?;
        holder.ended.is_none().then_some(holder.window)
    }

    /// Resends messages that are unacknowledged from an earlier connection, with the same packet ids
    /// and within the window; returns whether all are sent.
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
                let sending = Sending::Again(sent.packet_id);
                wire::publish(out, version, message.content(), sending, packet_maximum)
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
        let Taking { version, packet_maximum, .. } = taking;
        let sending = id.map_or(Sending::Once, Sending::First);
        let is_taken = wire::publish(out, version, message.content(), sending, packet_maximum);
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
