//! What a bot remembers of its conversations.

use rusqlite::{OptionalExtension, Transaction, params};
use svc_types::Timestamp;

use super::journal::Journal;
use crate::error::Result;

/// A change of a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DialogueChange {
    pub(crate) key: String,
    /// The value as JSON; `None` to forget it.
    pub(crate) value: Option<String>,
}

impl Journal {
    /// The value of a dialogue as JSON.
    pub(crate) async fn dialogue(&self, key: &str) -> Result<Option<String>> {
        let key = key.to_owned();
        let dialogue = "select value from dialogue where key = ?1";
        self.write(move |tx| tx.query_row(dialogue, [key], |row| row.get(0)).optional()).await
    }
}

/// Stores a change.
pub(super) fn store(
    tx: &Transaction<'_>,
    change: &DialogueChange,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let DialogueChange { key, value } = change;
    let Some(value) = value else {
        return tx.execute("delete from dialogue where key = ?1", [key]).map(|_| ());
    };
    let set = "insert into dialogue (key, value, changed_at) values (?1, ?2, ?3)
        on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at";
    tx.prepare_cached(set)?.execute(params![key, value, now.as_millis()]).map(|_| ())
}
