//! Query plans of scheduled posts: lists and publication.

use std::sync::Arc;
use std::time::Duration;

use svc_client::types::api::scheduled::ScheduledStatus;
use svc_core::due;
use svc_store::sql;

use super::World;

impl World {
    /// Records scheduled posts.
    pub(super) async fn record_scheduled_posts(&mut self) {
        let client = self.ada.client.clone();
        let at = self.app.server.clock().now().plus(Duration::from_hours(1));
        self.record("schedule", client.scheduled_posts().create("later", at)).await;
        let list = || client.scheduled_posts().list();
        self.record("scheduled posts", list()).await;
        self.record("pending scheduled posts", list().status(ScheduledStatus::Scheduled)).await;
        // The clock does not advance, so the background sweeper of the server does nothing.
        let sql = sql!("update scheduled_post set due_at = 0");
        self.app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        let app = Arc::clone(self.app.server.app());
        self.record("publish", async move {
            due::sweep(&app).await.unwrap();
            Ok(())
        })
        .await;
    }
}
