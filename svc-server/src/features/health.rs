//! Health of the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use svc_core::app::App;
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::health::{Alive, GetHealth, GetLive, GetReady, Health, HealthStatus};

use crate::app::ServerApp;
use crate::http::Routes;
use crate::webhooks;

/// How long a delivery that is ready may wait before the server is unhealthy.
const LATE: Duration = Duration::from_mins(1);

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().answer(health).answer(live).answer(ready)
}

async fn health(app: Arc<ServerApp>, _: GetHealth) -> Result<Health> {
    refuse_unless_up(&app).await?;
    let is_sound = !app.db.storage_full() && !app.audit_failed.load(Ordering::Relaxed);
    let is_late = app.read(webhooks::lag).await?.is_some_and(|lag| lag > LATE);
    let status = |is_ok| if is_ok { HealthStatus::Ok } else { HealthStatus::Degraded };
    let checks = [
        ("broker", app.broker.health()),
        ("database", status(is_sound)),
        ("webhookQueue", status(!is_late)),
    ];
    let is_whole = checks.iter().all(|(_, part)| *part != HealthStatus::Degraded);
    let uptime = app.clock.now().since(app.started).as_secs();
    Ok(Health {
        status: status(is_whole),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        uptime_seconds: i64::try_from(uptime).unwrap_or(i64::MAX),
        checks: checks.map(|(name, part)| (name.to_owned(), part)).into(),
    })
}

async fn live(_: Arc<ServerApp>, _: GetLive) -> Result<Alive> {
    Ok(Alive { status: HealthStatus::Ok })
}

async fn ready(app: Arc<ServerApp>, _: GetReady) -> Result<Alive> {
    if let Some(reason) = app.why_unready() {
        return Err(Error::refused(Code::StorageUnavailable, reason));
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
