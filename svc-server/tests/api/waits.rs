//! Requests that wait for a change of an order or a payment.

use reqwest::RequestBuilder;
use svc_server::testing::until;
use tokio::task::JoinHandle;

use crate::app::TestApp;
use crate::raw::{Raw, answer};

/// Sends a request, and returns once this many wait, itself among them.
pub(crate) async fn waiting(
    app: &TestApp,
    asking: RequestBuilder,
    count: usize,
) -> JoinHandle<Raw> {
    let asking = tokio::spawn(answer(asking));
    requests_wait(app, count).await;
    asking
}

/// Returns once this many requests wait.
pub(crate) async fn requests_wait(app: &TestApp, count: usize) {
    let waits = &app.server.app().post_commit.waits;
    until("the requests wait", async || waits.count() >= count).await;
}
