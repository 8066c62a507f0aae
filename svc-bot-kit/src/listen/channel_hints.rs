//! What the sources of a listener know of channels, and which channels they are to watch.

use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_client::types::ChannelId;
use tokio::sync::{Notify, watch};

/// The connection between the sources of hints and a reader of channels. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChannelHints(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Channels to watch.
    wanted: watch::Sender<Vec<ChannelId>>,
    changed: Mutex<Changed>,
    wake: Notify,
    /// Sources whose hints arrive as messages do.
    live: AtomicUsize,
}

/// Channels to read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) ids: BTreeSet<ChannelId>,
    /// Whether any channel may have changed.
    pub(super) all: bool,
}

/// A source is live until this is dropped.
pub(super) struct LiveGuard(ChannelHints);

impl ChannelHints {
    /// Sets the channels to watch.
    pub(super) fn follow(&self, channels: &[ChannelId]) {
        self.0.wanted.send_if_modified(|wanted| {
            let is_new = wanted != channels;
            if is_new {
                channels.clone_into(wanted);
            }
            is_new
        });
    }

    /// The channels to watch, as they change.
    pub(super) fn wanted(&self) -> watch::Receiver<Vec<ChannelId>> {
        self.0.wanted.subscribe()
    }

    /// A channel may have new messages.
    pub(super) fn changed(&self, channel: ChannelId) {
        self.lock().ids.insert(channel);
        self.0.wake.notify_one();
    }

    /// Any channel may have new messages.
    pub(super) fn all_changed(&self) {
        self.lock().all = true;
        self.0.wake.notify_one();
    }

    /// Takes what has changed.
    pub(super) fn take(&self) -> Changed {
        mem::take(&mut *self.lock())
    }

    /// Waits until something has changed.
    pub(super) async fn notified(&self) {
        self.0.wake.notified().await;
    }

    /// From now on hints arrive as messages do; earlier messages are to be read.
    pub(super) fn live(&self) -> LiveGuard {
        self.0.live.fetch_add(1, Ordering::AcqRel);
        self.all_changed();
        LiveGuard(self.clone())
    }

    pub(super) fn is_live(&self) -> bool {
        self.0.live.load(Ordering::Acquire) > 0
    }

    fn lock(&self) -> MutexGuard<'_, Changed> {
        self.0.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LiveGuard {
    fn drop(&mut self) {
        self.0.0.live.fetch_sub(1, Ordering::AcqRel);
    }
}
