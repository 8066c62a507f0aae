//! The location of the database, and its pool sizes and limits.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

/// What [`Db::open`](super::Db::open) needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine and the place.
    pub url: DatabaseUrl,
    /// PostgreSQL: the same server without the pooler that `url` names.
    pub direct_url: Option<DatabaseUrl>,
    /// PostgreSQL: how statements are sent.
    pub statements: Statements,
    /// PostgreSQL: standbys that answer reads which need not be the latest.
    pub replicas: ReplicaSettings,
    /// SQLite: threads that read, each with a connection.
    pub readers: usize,
    /// PostgreSQL: threads that read and write, each with a connection.
    pub connections: usize,
    /// SQLite: most write jobs that share one commit; 1 gives each its own.
    pub group_max: usize,
    /// Most jobs that wait for a thread; further ones are refused with 503.
    pub queue_max: usize,
    /// How long a read that a caller waits for may take before it is refused with 503.
    pub read_time_max: Duration,
    /// Whether to create and update the tables; else a database that is not up to date is refused.
    pub migrate: bool,
}

impl Settings {
    /// The settings that suit one server on this machine.
    pub fn new(url: DatabaseUrl) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            url,
            direct_url: None,
            statements: Statements::Named,
            replicas: ReplicaSettings::default(),
            readers: cores,
            connections: 16,
            group_max: 256,
            queue_max: 4_096,
            read_time_max: Duration::from_millis(250),
            migrate: true,
        }
    }
}

/// Standbys of PostgreSQL that answer reads.
#[derive(Clone, Debug, Default)]
pub struct ReplicaSettings {
    /// Each a server of its own.
    pub urls: Vec<DatabaseUrl>,
    /// How old what they have may be.
    pub lag_max: Duration,
}

/// How statements are sent to PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statements {
    /// Prepared once for each connection.
    Named,
    /// Each time with its text, for poolers that do not know prepared statements.
    Unnamed,
}

/// The engine and the place of a database.
///
/// Written as `sqlite:data/svc.db`, `sqlite::memory:` or `postgres://user@host/name`.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A SQLite file, created when missing.
    Sqlite(PathBuf),
    /// A throw-away SQLite database, gone with its last handle.
    ///
    /// It is a file in a temporary folder, because a database in memory cannot be shared by
    /// several connections without their locking each other out.
    SqliteMemory,
    /// A PostgreSQL database, by its connection URL.
    Postgres(String),
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Self::SqliteMemory => f.write_str("SqliteMemory"),
            // The URL may hold a password in several places, so none of it is shown.
            Self::Postgres(_) => f.write_str("Postgres([redacted])"),
        }
    }
}

/// The text is not the URL of a supported database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a database must be sqlite:<path>, sqlite::memory: or postgres://<user>@<host>/<name>")]
pub struct DatabaseUrlError;

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, DatabaseUrlError> {
        match text.split_once(':') {
            Some(("sqlite", ":memory:")) => Ok(Self::SqliteMemory),
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(text.to_owned())),
            _ => Err(DatabaseUrlError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_named_by_engine_and_place() {
        assert_eq!("sqlite:a/b.db".parse(), Ok(DatabaseUrl::Sqlite("a/b.db".into())));
        assert_eq!("sqlite::memory:".parse(), Ok(DatabaseUrl::SqliteMemory));
        let url = "postgres://svc@localhost/svc";
        assert_eq!(url.parse(), Ok(DatabaseUrl::Postgres(url.to_owned())));
        for text in ["", "sqlite", "sqlite:", "mysql://localhost/svc", "svc.db"] {
            assert_eq!(text.parse::<DatabaseUrl>(), Err(DatabaseUrlError), "{text}");
        }
    }

    #[test]
    fn a_password_is_never_printed() {
        let url: DatabaseUrl = "postgres://svc:hunter2@localhost/svc".parse().unwrap();
        assert!(!format!("{:?}", Settings::new(url)).contains("hunter2"));
    }
}
