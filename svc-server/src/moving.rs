//! `svc-server migrate --from`: moves the data of a server on SQLite to PostgreSQL.

use svc_core::audit::{self, Report};
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_store::clock::Clock;
use svc_store::db::lock::ServerLock;
use svc_store::db::{DatabaseUrl, move_to_postgres};
use svc_store::error::{Error, Result};

use crate::app::ServerApp;
use crate::server;

/// Moves everything to the database of the settings, and audits it there. The file is refused from then
/// on, unless the audit finds something.
pub async fn run(config: Config, from: &DatabaseUrl, say: fn(&str)) -> Result<Report> {
    let DatabaseUrl::Sqlite(file) = from.clone() else {
        return Err(Error::setup("--from must be sqlite:<path>"));
    };
    let DatabaseUrl::Postgres(url) = config.database_url().map_err(Error::internal)? else {
        return Err(Error::setup("--to, or else database_url, must be a postgres:// URL"));
    };
    if !file.is_file() {
        return Err(Error::setup(format!("--from: there is no file {}", file.display())));
    }
    let _lock = ServerLock::acquire(&file)?;
    let clock = Clock::system();
    let now = clock.now();
    let moving = move || {
        move_to_postgres(&file, &url, now, |table, rows| {
            if rows > 0 {
                say(&format!("copied   {table}: {rows} rows"));
            }
        })
    };
    let moved = tokio::task::spawn_blocking(moving).await.map_err(Error::internal)??;
    let rows: u64 = moved.rows.iter().map(|(_, rows)| rows).sum();
    say(&format!("equal    {} tables, {rows} rows, now in {}", moved.rows.len(), moved.place));
    let db = server::open_as_it_is(&config, &clock).await?;
    let app = ServerApp::new(db, clock.clone(), Encryption::none(), config, String::new());
    let report = audit::now(&app).await?;
    if report.holds() {
        moved.retire_source(clock.now())?;
    }
    Ok(report)
}
