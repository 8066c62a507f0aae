//! What the tasks of a running bot share.

use std::sync::Arc;

use svc_client::Client;
use svc_client::types::UserId;
use tokio::sync::{Notify, Semaphore, watch};

use super::builder::OnMessage;
use super::crash::Crash;
use crate::journal::Journal;
use crate::service::Published;

pub(super) struct Shared {
    pub(super) client: Client,
    pub(super) me: Me,
    pub(super) journal: Journal,
    pub(super) services: Published,
    pub(super) on_message: Option<OnMessage>,
    /// Turns at working, for all jobs together.
    pub(super) turns: Semaphore,
    /// There is something new in the journal.
    pub(super) news: Notify,
    /// There may be room in the journal.
    pub(super) room: Notify,
    /// Whether the bot is to stop.
    pub(super) stopping: watch::Sender<bool>,
    pub(super) crash: Crash,
}

/// The bot's own account.
pub(super) struct Me {
    pub(super) id: UserId,
    pub(super) username: String,
}

pub(super) type Bound = Arc<Shared>;

impl Shared {
    /// Waits until the bot is to stop.
    pub(super) async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender lives as long as this does.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}
