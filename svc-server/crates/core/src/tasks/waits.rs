//! Looks for changes of orders and payments that requests of this node wait for.
//!
//! Commits of this node wake them at once. Those of other nodes are found by one statement for all, once
//! a second; nothing is read while nobody waits.

use std::sync::Arc;
use std::time::Duration;

use svc_store::db::Pair;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::tasks::{self, Task};

/// Wakes requests that wait for changes on other nodes.
const TASK: Task = Task {
    name: "waits",
    every: Duration::from_secs(1),
    failure: "failed to look for changes that requests wait for",
};

/// Orders and payments and their versions, of a JSON array of ids. A payment has version 0 until it is
/// decided.
const VERSIONS: Pair = Pair::new(
    sql!(
        "select q.id, q.version + coalesce(e.version, 0)
         from json_each($1) w
         join service_request q on q.id = w.value
         left join escrow e on e.id = q.escrow
         union all
         select p.id, case when p.status in ('creating', 'open') then 0 else 1 end
         from json_each($1) w join payment p on p.id = w.value"
    ),
    sql!(
        "with w as (
            select value from jsonb_array_elements_text(cast(cast($1 as text) as jsonb)) w (value)
         )
         select q.id, q.version + coalesce(e.version, 0)
         from w join service_request q on q.id = w.value
         left join escrow e on e.id = q.escrow
         union all
         select p.id, cast(case when p.status in ('creating', 'open') then 0 else 1 end as bigint)
         from w join payment p on p.id = w.value"
    ),
);

/// Looks until `stop` is cancelled.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, once(&app))).await;
}

/// Wakes what waits for an order or a payment that has changed.
pub async fn once(app: &Arc<App>) -> Result<()> {
    let waited = app.post_commit.waits.subjects();
    if waited.is_empty() {
        return Ok(());
    }
    let ids = serde_json::to_string(&waited).map_err(Error::internal)?;
    let versions: Vec<(String, i64)> =
        app.read(move |ctx| ctx.tx.take(VERSIONS, values![ids])).await?;
    for (subject, version) in versions {
        app.post_commit.waits.note(&subject, version);
    }
    Ok(())
}
