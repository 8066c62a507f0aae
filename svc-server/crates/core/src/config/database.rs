//! Settings of the database.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Deserialize;
use svc_store::db::{DatabaseUrl, ReplicaSettings, Settings, Statements};

use super::{BusKind, SetupError, span};

/// Most replicas of one database.
const REPLICAS_MAX: usize = 8;

/// How old what replicas have may be: seconds, since it is known to a quarter of one.
const LAG_MAX: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_mins(1);

/// Most threads for reads of SQLite, and most connections to PostgreSQL, each of which has one.
const THREADS_MAX: usize = 1_000;

/// Most jobs that may wait. Room for all of them is reserved at the start.
const QUEUE_MAX: usize = 1_000_000;

/// Longest time of a read that a caller waits for: an hour.
const READ_TIME_MS_MAX: u64 = 3_600_000;

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
    replicas: Vec<String>,
    #[serde(deserialize_with = "span")]
    replica_lag_max: Duration,
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
        self.refuse_nothing()?;
        self.refuse_huge()?;
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

    /// Refuses a 0 with which nothing would be done.
    fn refuse_nothing(&self) -> Result<(), SetupError> {
        let sizes = [
            ("group_max", self.group_max == 0),
            ("connections", self.connections == 0),
            ("queue_max", self.queue_max == 0),
            ("read_time_ms", self.read_time_ms == 0),
        ];
        match sizes.into_iter().find(|(_, is_nothing)| *is_nothing) {
            Some((name, _)) => Err(SetupError::new(format!("database.{name} must be at least 1"))),
            None => Ok(()),
        }
    }

    /// Refuses sizes that no machine has threads or memory for: the server would end while it starts.
    fn refuse_huge(&self) -> Result<(), SetupError> {
        let sizes = [
            ("readers", self.readers, THREADS_MAX),
            ("connections", self.connections, THREADS_MAX),
            ("queue_max", self.queue_max, QUEUE_MAX),
        ];
        if let Some((name, _, most)) = sizes.into_iter().find(|(_, size, most)| size > most) {
            return Err(SetupError::new(format!("database.{name} must be at most {most}")));
        }
        if self.read_time_ms > READ_TIME_MS_MAX {
            let wrong = format!("database.read_time_ms must be at most {READ_TIME_MS_MAX}");
            return Err(SetupError::new(wrong));
        }
        Ok(())
    }

    /// The standbys of the database at this URL that answer reads.
    pub(super) fn replicas(&self, url: &DatabaseUrl) -> Result<ReplicaSettings, SetupError> {
        if !self.replicas.is_empty() && !matches!(url, DatabaseUrl::Postgres(_)) {
            let needs = "database.replicas needs a PostgreSQL database in database_url";
            return Err(SetupError::new(needs));
        }
        if self.replicas.len() > REPLICAS_MAX {
            let most = format!("database.replicas must name at most {REPLICAS_MAX} servers");
            return Err(SetupError::new(most));
        }
        if !LAG_MAX.contains(&self.replica_lag_max) {
            return Err(SetupError::new("database.replica_lag_max must be from 1s to 1m"));
        }
        let urls = self.replicas.iter().map(|replica| match replica.parse() {
            Ok(url @ DatabaseUrl::Postgres(_)) => Ok(url),
            _ => Err(SetupError::new("database.replicas must be postgres:// URLs")),
        });
        Ok(ReplicaSettings { urls: urls.collect::<Result<_, _>>()?, lag_max: self.replica_lag_max })
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
