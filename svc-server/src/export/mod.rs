//! Exports: takes requests, collects the data of the account, and stores it as one ZIP file.
//!
//! The data is read through the endpoints, as the account sees it, a page in each transaction. What
//! the archive writes goes into the database in pieces as soon as it is large enough, so that memory
//! stays bounded and no temporary file outlives a crash.
//!
//! | module | what it holds |
//! |---|---|
//! | `contents` | the files of an export, and the endpoint of each |
//! | `source` | reads pages of endpoints and rows as lines of JSON |
//! | `archive` | the ZIP file, its checksums and its manifest |
//! | `builder` | one attempt to make a file |

mod archive;
mod builder;
mod contents;
mod source;

use std::sync::Arc;
use std::time::Duration;

use svc_core::services::export;
use svc_core::tasks::{self, Task};
use svc_store::error::Result;
use tokio_util::sync::CancellationToken;

pub use self::source::ROWS;
use crate::app::ServerApp;
use crate::features;
use crate::http::DirectApi;

/// Makes the exports that accounts asked for.
const TASK: Task =
    Task { name: "export", every: Duration::from_secs(1), failure: "an export could not be made" };

/// Makes exports until `stop` is cancelled, one at a time. One that a stop interrupts begins again,
/// on any node, once its lease has ended.
pub async fn run(app: Arc<ServerApp>, stop: CancellationToken) {
    let api = Arc::new(features::routes().direct());
    TASK.repeat(&app, &stop, || tasks::until_stopped(&stop, all(&app, &api))).await;
}

/// Makes every export that waits now.
pub async fn once(app: &Arc<ServerApp>) -> Result<()> {
    all(app, &Arc::new(features::routes().direct())).await
}

async fn all(app: &Arc<ServerApp>, api: &Arc<DirectApi>) -> Result<()> {
    while app.read(export::is_waiting).await? {
        let Some(build) = app.write(export::take).await? else { return Ok(()) };
        let outcome = builder::build(app, api, &build).await?;
        metrics::counter!("svc_exports_total", "outcome" => outcome.word()).increment(1);
    }
    Ok(())
}
