//! The database layer; each test runs on SQLite, on PostgreSQL, and through a pooler.
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

mod defaults;
mod engines;
mod jobs;
mod outages;
mod partitions;
mod replicas;
mod returning;
mod schema;
mod statements;
mod tls;
mod together;
mod writes;

use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db, Settings, Statements};
use svc_store::testing::{pooler, postgres};

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

            #[tokio::test]
            async fn through_a_pooler() {
                if let Some(settings) = $crate::pooled() {
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

/// A database behind a pooler in transaction mode, which knows no prepared statements.
fn pooled() -> Option<Settings> {
    let database = postgres::postgres()?.database();
    let pooled = pooler::pooler(&database)?.url(&database);
    let settings = small(DatabaseUrl::Postgres(pooled));
    let direct_url = Some(DatabaseUrl::Postgres(database));
    Some(Settings { direct_url, statements: Statements::Unnamed, ..settings })
}

fn small(url: DatabaseUrl) -> Settings {
    Settings { readers: 2, connections: 4, ..Settings::new(url) }
}

fn open(settings: &Settings) -> Db {
    Db::open(settings, &Clock::system()).unwrap()
}
