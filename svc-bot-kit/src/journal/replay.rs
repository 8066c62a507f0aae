//! Which webhooks were handled: a replay guard that outlasts a restart.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::journal::Journal;
use crate::clock::now;
use crate::webhook::{ReplayKey, ReplayStore, Seen, StoreError};

/// How long handled events are remembered: the platform sends none for longer.
const REMEMBERED: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Releases what an earlier process had claimed when it ended. No other one has the file open.
pub(super) fn release_all(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("delete from webhook where confirmed_at is null", []).map(|_| ())
}

/// Events that were handled are remembered for 14 days, after a restart too. Each call waits for the disk.
impl ReplayStore for Journal {
    fn claim(&self, key: &ReplayKey) -> Result<Seen, StoreError> {
        let (key, before) = (key.as_str().to_owned(), now().minus(REMEMBERED).as_millis());
        let seen = self.write_and_wait(move |tx| {
            let expired = "delete from webhook where confirmed_at < ?1";
            tx.prepare_cached(expired)?.execute([before])?;
            let select = "select confirmed_at is not null from webhook where key = ?1";
            let mut select = tx.prepare_cached(select)?;
            match select.query_row([&key], |row| row.get::<_, bool>(0)).optional()? {
                Some(true) => return Ok(Seen::Confirmed),
                Some(false) => return Ok(Seen::Claimed),
                None => {}
            }
            let insert = "insert into webhook (key) values (?1)";
            tx.prepare_cached(insert)?.execute([&key])?;
            Ok(Seen::Never)
        })?;
        Ok(seen)
    }

    fn confirm(&self, key: &ReplayKey) -> Result<(), StoreError> {
        let row = (key.as_str().to_owned(), now().as_millis());
        self.write_and_wait(move |tx| {
            let confirm = "insert into webhook (key, confirmed_at) values (?1, ?2)
                on conflict (key) do update set confirmed_at = excluded.confirmed_at";
            tx.prepare_cached(confirm)?.execute(params![row.0, row.1]).map(|_| ())
        })?;
        Ok(())
    }

    fn release(&self, key: &ReplayKey) -> Result<(), StoreError> {
        let key = key.as_str().to_owned();
        self.write_and_wait(move |tx| {
            let release = "delete from webhook where key = ?1 and confirmed_at is null";
            tx.prepare_cached(release)?.execute([&key]).map(|_| ())
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn handled_events_are_forgotten_after_14_days() {
        let journal = Journal::memory().unwrap();
        let [old, new] = ["evt_1", "evt_2"].map(ReplayKey::of_id);
        for key in [&old, &new] {
            assert_eq!(journal.claim(key).unwrap(), Seen::Never);
            journal.confirm(key).unwrap();
        }
        let long_ago = now().minus(REMEMBERED + Duration::from_secs(1)).as_millis();
        let age = "update webhook set confirmed_at = ?1 where key = 'evt_1'";
        journal.write(move |tx| tx.execute(age, [long_ago])).await.unwrap();
        assert_eq!(journal.claim(&new).unwrap(), Seen::Confirmed);
        assert_eq!(journal.claim(&old).unwrap(), Seen::Never);
    }
}
