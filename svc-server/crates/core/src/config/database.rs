//! Settings of the database.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use svc_store::db::{DatabaseUrl, Settings, Statements};

use super::{BusKind, SetupError};

/// How the database is used.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DatabaseTuning {
    readers: usize,
    connections: usize,
    group_max: usize,
    queue_max: usize,
    read_time_ms: u64,
    direct_url: String,
    statements: String,
}

/// The URL may hold a password.
impl fmt::Debug for DatabaseTuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseTuning").finish_non_exhaustive()
    }
}

impl DatabaseTuning {
    /// The settings of the database at this URL.
    pub(super) fn settings(&self, url: DatabaseUrl, bus: BusKind) -> Result<Settings, SetupError> {
        let sizes = [self.group_max, self.connections, self.queue_max];
        if sizes.contains(&0) || self.read_time_ms == 0 {
            return Err(SetupError::new(
                "database.group_max, connections, queue_max and read_time_ms must be at least 1",
            ));
        }
        let (statements, direct_url) = (self.statements()?, self.direct_url(&url)?);
        let listens = bus == BusKind::Postgres;
        if statements == Statements::Unnamed && direct_url.is_none() && listens {
            return Err(SetupError::new(
                "database.statements = \"unnamed\" is for a pooler, past which database.direct_url must \
                 lead, unless bus.url names NATS",
            ));
        }
        let mut settings = Settings::new(url);
        (settings.statements, settings.direct_url) = (statements, direct_url);
        settings.connections = self.connections;
        settings.group_max = self.group_max;
        settings.queue_max = self.queue_max;
        settings.read_time_max = Duration::from_millis(self.read_time_ms);
        if self.readers > 0 {
            settings.readers = self.readers;
        }
        Ok(settings)
    }

    fn statements(&self) -> Result<Statements, SetupError> {
        match self.statements.as_str() {
            "named" => Ok(Statements::Named),
            "unnamed" => Ok(Statements::Unnamed),
            _ => Err(SetupError::new("database.statements must be named or unnamed")),
        }
    }

    fn direct_url(&self, url: &DatabaseUrl) -> Result<Option<DatabaseUrl>, SetupError> {
        if self.direct_url.is_empty() {
            return Ok(None);
        }
        match (url, self.direct_url.parse()) {
            (DatabaseUrl::Postgres(_), Ok(direct @ DatabaseUrl::Postgres(_))) => Ok(Some(direct)),
            _ => Err(SetupError::new(
                "database.direct_url and database_url must both be postgres:// URLs",
            )),
        }
    }
}
