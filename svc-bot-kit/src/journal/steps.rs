//! Results of finished steps of handlers that may run again.

use rusqlite::OptionalExtension;

use super::journal::Journal;
use crate::error::Result;

impl Journal {
    /// The result of a step as JSON, if it finished.
    pub(crate) async fn step(&self, job: &str, name: &str) -> Result<Option<String>> {
        let key = [job.to_owned(), name.to_owned()];
        let step = "select value from step where job = ?1 and name = ?2";
        self.write(move |tx| tx.query_row(step, key, |row| row.get(0)).optional()).await
    }

    /// Stores the result of a step, in place of an earlier one.
    pub(crate) async fn save_step(&self, job: &str, name: &str, value: String) -> Result<()> {
        let row = [job.to_owned(), name.to_owned(), value];
        let keep = "insert into step (job, name, value) values (?1, ?2, ?3)
            on conflict (job, name) do update set value = excluded.value";
        self.write(move |tx| tx.execute(keep, row).map(|_| ())).await
    }
}
