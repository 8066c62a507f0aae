//! Reads messages of channels and stores their jobs in the journal.

use svc_client::types::Timestamp;
use svc_client::types::api::channels::ChannelMessage;

use super::ingest::WAITING_MAX;
use super::shared::{Bound, Shared};
use crate::ChannelListener;
use crate::error::Result;
use crate::journal::{Journal, Kind, NewJob, Position};

/// Determines where to resume each channel, before the bot is open. Messages in channels that the journal
/// does not know are new if they were sent after its last event; a new journal begins with new messages.
pub(super) async fn resume(
    channels: ChannelListener,
    journal: &Journal,
    cursor: Option<Position>,
    now: Timestamp,
) -> Result<ChannelListener> {
    let since = cursor.and_then(|cursor| cursor.occurred_at);
    let mut channels = channels.since(since);
    for (channel, message) in journal.channel_cursors().await? {
        channels = channels.after(channel, message);
    }
    channels.begin().await?;
    journal.ingest_channels(channels.positions(), Vec::new(), now).await?;
    Ok(channels)
}

/// Ingests messages for as long as the bot runs.
pub(super) async fn follow(shared: Bound, mut channels: ChannelListener) -> Result<()> {
    loop {
        while shared.journal.backlog().await?.jobs >= WAITING_MAX {
            shared.capacity.notified().await;
        }
        let messages = channels.batch().await?;
        shared.crash.point("channel messages are read").await;
        let jobs = messages.iter().filter_map(|message| job(&shared, message)).collect();
        // The messages are all that was read.
        let upto = channels.positions();
        shared.journal.ingest_channels(upto, jobs, shared.clock.now()).await?;
        shared.crash.point("channel messages are taken in").await;
        for message in &messages {
            channels.done(message);
        }
        shared.new_jobs.notify_one();
    }
}

/// The job for a message, unless the bot sent it.
fn job(shared: &Shared, message: &ChannelMessage) -> Option<NewJob> {
    if message.sender.id == shared.me.id {
        return None;
    }
    Some(NewJob {
        id: message.message_id.to_string(),
        kind: Kind::Channel,
        conversation: message.channel_id.to_string(),
        event: serde_json::to_string(message).ok()?,
    })
}
