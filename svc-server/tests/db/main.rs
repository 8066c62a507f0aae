//! The database layer; each test runs on SQLite and on PostgreSQL.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod engines;
mod jobs;
mod outages;
mod schema;
mod statements;
mod tls;

use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db, Settings};
use svc_store::testing::postgres;

/// Runs each test once per engine, with the settings of a fresh database.
macro_rules! on_both_engines {
    ($(async fn $name:ident($settings:ident: Settings) $story:block)+) => {$(
        mod $name {
            use super::*;

            async fn story($settings: svc_store::db::Settings) $story

            #[tokio::test]
            async fn on_sqlite() {
                story($crate::sqlite()).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                if let Some(settings) = $crate::postgres() {
                    story(settings).await;
                }
            }
        }
    )+};
}
use on_both_engines;

fn sqlite() -> Settings {
    small(DatabaseUrl::SqliteMemory)
}

fn postgres() -> Option<Settings> {
    postgres::postgres().map(|cluster| small(DatabaseUrl::Postgres(cluster.database())))
}

fn small(url: DatabaseUrl) -> Settings {
    Settings { readers: 2, connections: 4, ..Settings::new(url) }
}

fn open(settings: &Settings) -> Db {
    Db::open(settings, &Clock::system()).unwrap()
}
