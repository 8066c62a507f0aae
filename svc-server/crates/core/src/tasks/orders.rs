//! Looks for changes of orders that requests of this node wait for.
//!
//! Commits of this node wake them at once. Those of other nodes are found by one statement for all
//! orders, once a second; nothing is read while nobody waits.

use std::sync::Arc;
use std::time::Duration;

use svc_store::db::Pair;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::MessageId;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::tasks;

/// Time between two looks.
const EVERY: Duration = Duration::from_secs(1);

/// Orders and their versions, of a JSON array of ids.
const VERSIONS: Pair = Pair::new(
    sql!(
        "select q.id, q.version + coalesce(e.version, 0)
         from json_each($1) w
         join service_request q on q.id = w.value
         left join escrow e on e.id = q.escrow"
    ),
    sql!(
        "select q.id, q.version + coalesce(e.version, 0)
         from jsonb_array_elements_text(cast(cast($1 as text) as jsonb)) w (value)
         join service_request q on q.id = w.value
         left join escrow e on e.id = q.escrow"
    ),
);

/// Looks until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    tasks::every(EVERY, &app.clock, &stop, || async {
        if let Some(Err(error)) = stop.run_until_cancelled(once(&app)).await {
            tracing::warn!(%error, "failed to look for changes of orders");
        }
    })
    .await;
}

/// Wakes what waits for an order that has changed.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let waited = app.post_commit.orders.orders();
    if waited.is_empty() {
        return Ok(());
    }
    let ids = serde_json::to_string(&waited).map_err(Error::internal)?;
    let versions: Vec<(MessageId, i64)> =
        app.read(move |ctx| ctx.tx.take(VERSIONS, values![ids])).await?;
    for (order, version) in versions {
        app.post_commit.orders.note(&order, version);
    }
    Ok(())
}
