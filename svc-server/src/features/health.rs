//! Health of the server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use svc_types::Code;
use svc_types::api::health::{Alive, GetHealth, GetLive, GetReady, Health, HealthStatus};

use crate::app::App;
use crate::error::{Error, Refusal, Result};
use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().answer(health).answer(live).answer(ready)
}

async fn health(app: Arc<App>, _: GetHealth) -> Result<Health> {
    refuse_unless_up(&app).await?;
    let sound = !app.db.storage_full() && !app.audit_failed.load(Ordering::Relaxed);
    let database = if sound { HealthStatus::Ok } else { HealthStatus::Degraded };
    let broker = app.broker.health();
    let is_whole = sound && broker != HealthStatus::Degraded;
    let uptime = app.clock.now().since(app.started).as_secs();
    Ok(Health {
        status: if is_whole { HealthStatus::Ok } else { HealthStatus::Degraded },
        version: env!("CARGO_PKG_VERSION").to_owned(),
        uptime_seconds: i64::try_from(uptime).unwrap_or(i64::MAX),
        checks: BTreeMap::from([("database".to_owned(), database), ("broker".to_owned(), broker)]),
    })
}

async fn live(_: Arc<App>, _: GetLive) -> Result<Alive> {
    Ok(Alive { status: HealthStatus::Ok })
}

async fn ready(app: Arc<App>, _: GetReady) -> Result<Alive> {
    if app.is_stopping() {
        return Err(Error::refused(Code::StorageUnavailable, "the server is stopping"));
    }
    refuse_unless_up(&app).await?;
    Ok(Alive { status: HealthStatus::Ok })
}

async fn refuse_unless_up(app: &App) -> Result<()> {
    app.db.check().await.map_err(|_| {
        let refusal = Refusal::new(Code::StorageUnavailable, "the database does not answer");
        refusal.hint("checks: database degraded").retry_after(1).into()
    })
}
