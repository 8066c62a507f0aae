//! Restores an archive aside, and looks whether a server could go on from it.

use std::fmt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_core::app::{App, Ctx};
use svc_core::audit;
use svc_core::config::Config;
use svc_core::encryption::Encryption;
use svc_store::clock::Clock;
use svc_store::db::{DatabaseUrl, Db};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::{About, DATABASE, MissingLog, name_key, unpack};
use crate::app::ServerApp;

/// What a verified archive holds.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    about: About,
    accounts: i64,
    transfers: i64,
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { about: About { created_at, version, .. }, accounts, transfers } = self;
        write!(f, "made at {created_at} by {version}, {accounts} accounts, {transfers} transfers")
    }
}

/// Unpacks the archive into the new folder `aside`, opens its database with its key, reads every page, and audits it.
/// Each step ends before a stop is noticed, so that nothing is written when the folder is removed.
pub(super) async fn verify(
    config: &Config,
    archive: PathBuf,
    aside: &Path,
    clock: &Clock,
    stop: &CancellationToken,
) -> Result<Contents> {
    std::fs::DirBuilder::new().mode(0o700).create(aside).map_err(Error::internal)?;
    let mut config = config.clone();
    aside.clone_into(&mut config.data_dir);
    let mut settings = config.database().map_err(Error::internal)?;
    let database = aside.join(DATABASE);
    settings.url = DatabaseUrl::Sqlite(database.clone());
    let (unpacked, now, opened) = (config.clone(), clock.now(), clock.clone());
    let open = move || -> Result<(About, Db)> {
        // Nothing is erased again here, so the log of erased accounts is not needed.
        let about = unpack(&unpacked, &archive, &database, MissingLog::Allowed, now)?;
        name_key(&unpacked)?;
        Ok((about, Db::open(&settings, &opened)?))
    };
    let (about, db) = spawn_blocking(open).await.map_err(Error::internal)??;
    let found = examine(config, &db, clock, stop).await;
    spawn_blocking(move || db.close()).await.map_err(Error::internal)?;
    let (accounts, transfers) = found?;
    Ok(Contents { about, accounts, transfers })
}

/// Checks keys, pages and the books; the answer is how many accounts and transfers there are.
async fn examine(
    config: Config,
    db: &Db,
    clock: &Clock,
    stop: &CancellationToken,
) -> Result<(i64, i64)> {
    Encryption::check(&config, db).await?;
    let checked = db.clone();
    spawn_blocking(move || checked.check_tables()).await.map_err(Error::internal)??;
    refuse_stopped(stop)?;
    let none = Encryption::none();
    let app = ServerApp::new(db.clone(), clock.clone(), none, config, String::new());
    refuse_broken(&app).await?;
    refuse_stopped(stop)?;
    app.snapshot(count).await
}

async fn refuse_broken(app: &Arc<App>) -> Result<()> {
    let report = audit::now(app).await?;
    if report.holds() {
        return Ok(());
    }
    let broken = report.checks.iter().filter(|check| !check.broken.is_empty());
    let broken: Vec<String> = broken
        .map(|check| format!("{} {}: {}", check.id, check.rule, check.broken.join(", ")))
        .collect();
    let message = format!("the audit of the backup found something: {}", broken.join("; "));
    Err(Error::internal(message))
}

fn count(ctx: &mut Ctx<'_, '_>) -> Result<(i64, i64)> {
    let accounts = ctx.tx.one(sql!("select count(*) from account"), values![])?;
    let transfers = ctx.tx.one(sql!("select count(*) from ledger_transfer"), values![])?;
    Ok((accounts, transfers))
}

/// An error once the operator has stopped the program.
pub(super) fn refuse_stopped(stop: &CancellationToken) -> Result<()> {
    if stop.is_cancelled() {
        return Err(Error::internal("stopped before the end"));
    }
    Ok(())
}
