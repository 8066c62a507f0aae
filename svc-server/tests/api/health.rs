//! Health of the server.

use http::Method;
use serde_json::json;

use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn health_names_version_uptime_and_the_parts(app: TestApp) {
        app.advance(61);
        let health = answer(app.raw(Method::GET, "/health")).await;
        let expected = json!({
            "status": "ok", "version": env!("CARGO_PKG_VERSION"), "uptimeSeconds": 61,
            "checks": { "broker": "disabled", "database": "ok", "webhookQueue": "ok" },
        });
        assert_eq!((health.status.as_u16(), health.json()), (200, expected));
    }

    async fn live_and_ready_ignore_credentials(app: TestApp) {
        for path in ["/health", "/health/live", "/health/ready"] {
            let request = app.raw(Method::GET, path).bearer_auth("svc_ak_nonsense");
            assert_eq!(answer(request).await.json()["status"], "ok", "{path}");
        }
    }

    async fn a_stopping_server_is_live_and_not_ready(app: TestApp) {
        app.server.app().stop();
        let ready = answer(app.raw(Method::GET, "/health/ready")).await;
        assert_eq!(ready.refusal().code.as_str(), "storage_unavailable");
        assert_eq!(answer(app.raw(Method::GET, "/health/live")).await.json(), json!({ "status": "ok" }));
    }

    async fn a_server_without_its_database_is_unhealthy(app: TestApp) {
        let db = app.server.app().db.clone();
        tokio::task::spawn_blocking(move || db.close()).await.unwrap();
        for path in ["/health", "/health/ready"] {
            let refusal = answer(app.raw(Method::GET, path)).await.refusal();
            assert_eq!((refusal.code.as_str(), refusal.retry_after), ("storage_unavailable", Some(1)));
            assert_eq!(refusal.hint.as_deref(), Some("checks: database degraded"), "the part that fails");
        }
        assert_eq!(answer(app.raw(Method::GET, "/health/live")).await.status, 200);
    }
}
