//! Settings of what nodes have in common.

use serde::Deserialize;
use svc_store::db::DatabaseUrl;

use super::SetupError;

/// How nodes give each other hints.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusSettings {
    url: String,
}

/// How nodes hear of what the others commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusKind {
    /// Not at all: the node is alone.
    None,
    /// By LISTEN and NOTIFY of PostgreSQL.
    Postgres,
}

impl BusKind {
    /// As the database names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Postgres => "postgres",
        }
    }
}

impl BusSettings {
    /// The bus of a server on this database.
    pub fn kind(&self, database: &DatabaseUrl) -> Result<BusKind, SetupError> {
        let on_postgres = matches!(database, DatabaseUrl::Postgres(_));
        match self.url.as_str() {
            "" | "postgres" if on_postgres => Ok(BusKind::Postgres),
            "" | "none" => Ok(BusKind::None),
            "postgres" => Err(wrong("postgres needs a PostgreSQL database in database_url")),
            url if url.starts_with("nats://") => {
                Err(wrong("this version has no bus over NATS: use postgres"))
            }
            _ => Err(wrong("it must be postgres or none")),
        }
    }
}

fn wrong(what: &str) -> SetupError {
    SetupError::new(format!("bus.url: {what}"))
}
