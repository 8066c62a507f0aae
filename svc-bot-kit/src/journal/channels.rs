//! How far the messages of channels were ingested.

use rusqlite::params;
use svc_types::{ChannelId, MessageId, Timestamp};

use super::jobs::{NewJob, insert};
use super::journal::Journal;
use crate::error::Result;

impl Journal {
    /// The last ingested message of each channel.
    pub(crate) async fn channel_cursors(&self) -> Result<Vec<(ChannelId, MessageId)>> {
        self.write(|tx| {
            let mut cursors = tx.prepare("select channel, message from channel_cursor")?;
            let rows = cursors.query_map([], |row| {
                let (channel, message): (String, String) = (row.get(0)?, row.get(1)?);
                Ok((ChannelId::from(channel), MessageId::from(message)))
            })?;
            rows.collect()
        })
        .await
    }

    /// Stores new jobs and moves the cursors of their channels forward, in one transaction.
    pub(crate) async fn ingest_channels(
        &self,
        upto: Vec<(ChannelId, MessageId)>,
        jobs: Vec<NewJob>,
        now: Timestamp,
    ) -> Result<()> {
        let forward = "insert into channel_cursor (channel, message) values (?1, ?2)
            on conflict (channel) do update set message = excluded.message
            where excluded.message > message";
        self.write(move |tx| {
            for job in &jobs {
                insert(tx, job, now)?;
            }
            for (channel, message) in &upto {
                let row = params![channel.as_str(), message.as_str()];
                tx.prepare_cached(forward)?.execute(row)?;
            }
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Kind;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    #[tokio::test]
    async fn repeated_messages_are_ingested_once_and_cursors_do_not_go_back() {
        let journal = Journal::memory().unwrap();
        let job = |id: &str| NewJob {
            id: id.to_owned(),
            kind: Kind::Channel,
            conversation: "chan_1".to_owned(),
            event: "{}".to_owned(),
        };
        let at = |message: &str| vec![(ChannelId::from("chan_1"), MessageId::from(message))];
        let jobs = vec![job("msg_1"), job("msg_2")];
        journal.ingest_channels(at("msg_2"), jobs.clone(), NOW).await.unwrap();
        journal.ingest_channels(at("msg_1"), jobs, NOW).await.unwrap();
        assert_eq!(journal.channel_cursors().await.unwrap(), at("msg_2"));
        assert_eq!(journal.open_after(0).await.unwrap().len(), 2);
    }
}
