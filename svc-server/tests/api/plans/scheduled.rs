//! Lists and the clock of scheduled posts.

use std::sync::Arc;
use std::time::Duration;

use svc_client::types::api::scheduled::ScheduledStatus;
use svc_core::due;
use svc_store::sql;

use super::World;

impl World {
    /// Tells of scheduled posts.
    pub(super) async fn tell_of_scheduled_posts(&mut self) {
        let client = self.ada.client.clone();
        let at = self.app.server.clock().now().plus(Duration::from_hours(1));
        self.tell("schedule", client.scheduled_posts().create("later", at)).await;
        let list = || client.scheduled_posts().list();
        self.tell("scheduled posts", list()).await;
        self.tell("scheduled posts that wait", list().status(ScheduledStatus::Scheduled)).await;
        // The clock stands still, so that the sweeper of the server itself does nothing.
        let sql = sql!("update scheduled_post set due_at = 0");
        self.app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        let app = Arc::clone(self.app.server.app());
        self.tell("publish", async move {
            due::sweep(&app).await.unwrap();
            Ok(())
        })
        .await;
    }
}
