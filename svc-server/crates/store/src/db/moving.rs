//! Moves a SQLite file to an empty database of PostgreSQL.
//!
//! Both engines have the same tables and columns, so each row is copied as it is, in the format of
//! PostgreSQL's binary `COPY`. There, everything is one transaction: a move that ends early leaves
//! nothing behind and can be repeated. The file can be read meanwhile, but not written.

mod rows;
mod source;
mod target;

use std::path::Path;

use svc_types::Timestamp;

use super::postgres::{Target, migrating, on_own_thread};
use crate::error::Result;

use self::source::Source;
use self::target::Loading;

pub(super) use self::source::refuse_moved;

/// A file and its copy, which agree. The file stays locked until this is dropped.
pub struct Moved {
    source: Source,
    /// The database, without what opens it.
    pub place: String,
    /// The rows of each table.
    pub rows: Vec<(String, u64)>,
}

impl Moved {
    /// Has every server and command refuse the file from now on.
    pub fn retire_source(self, now: Timestamp) -> Result<()> {
        self.source.retire(&self.place, now)
    }
}

/// Copies the file `from` to the database at `database_url`, and compares both. Each table is
/// reported when it is copied.
///
/// A database that holds the same rows already is only compared: an earlier move ended before it
/// retired the file. Any other that has accounts is refused.
pub fn move_to_postgres(
    from: &Path,
    database_url: &str,
    now: Timestamp,
    copied: impl FnMut(&str, u64) + Send,
) -> Result<Moved> {
    on_own_thread(|| {
        let target = Target::of("database_url", database_url)?;
        let source = Source::open(from)?;
        let mut client = target.connect_for_long()?;
        migrating::run(&mut client, now)?;
        let mut loading = Loading::begin(&mut client)?;
        let rows = if loading.is_empty()? {
            loading.fill(&source, copied)?
        } else {
            loading.compare(&source)?
        };
        loading.commit()?;
        Ok(Moved { source, place: target.place(), rows })
    })
}
