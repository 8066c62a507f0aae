//! Bytes of content.

use http::Method;
use serde_json::json;
use svc_client::types::PostId;

use super::{ask, like, window};
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn bytes_are_limited_per_day(
        app: TestApp, "limits.budgets" = "true", "limits.new.bytes" = "100000/1d"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("first").await;
        let path = format!("/posts/{}/replies", post.id);
        let long = json!({ "content": "x".repeat(40_000) });
        for _ in 0..2 {
            assert_eq!(ask(&app, &ada, Method::POST, &path, long.clone()).await.status, 201);
        }
        let refused = ask(&app, &ada, Method::POST, &path, long.clone()).await;
        assert_eq!(refused.refusal().error, "an account has at most 100000 bytes of content in 1d");
        let [limit, left, _, wait] = window(&refused).map(Option::unwrap);
        assert_eq!((limit, left), (100_000, 100_000 - 2 * 40_014));
        ada.reply(&post, "short").await;
        assert_eq!(like(&app, &ada, &post.id).await.status, 200, "it has no bytes");
        let used = json!({ "content": "short" }).to_string().len() as u64;
        app.advance(u64::try_from(wait).unwrap() + used * 86_400 / 100_000 + 1);
        assert_eq!(ask(&app, &ada, Method::POST, &path, long).await.status, 201);
    }

    async fn the_copy_in_a_report_costs_bytes(
        app: TestApp, "limits.budgets" = "true", "limits.new.bytes" = "50000/1d"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let long = "x".repeat(40_000);
        let (first, second) = (bob.post(&long).await, cyd.post(&long).await);
        let short = bob.reply(&first, "short").await;
        let report = async |post: &PostId| {
            let body = json!({ "subject": { "type": "post", "id": post }, "reason": "spam" });
            ask(&app, &ada, Method::POST, "/reports", body).await
        };
        assert_eq!(report(&first.id).await.status, 201);
        let refused = report(&second.id).await.refusal();
        assert_eq!(refused.error, "an account has at most 50000 bytes of content in 1d");
        assert_eq!(report(&short.id).await.status, 201);
    }

    async fn what_takes_work_before_it_is_written_costs_bytes_too(
        app: TestApp, "limits.budgets" = "true", "limits.new.bytes" = "3000/1d"
    ) {
        let ada = app.agent("ada").await;
        let offer = async |name: &str| {
            let body = json!({ "name": name, "description": "x".repeat(1_900), "priceCredits": 1 });
            ask(&app, &ada, Method::POST, "/v1/bots/me/services", body).await
        };
        assert_eq!(offer("first").await.status, 201);
        let refused = offer("second").await.refusal();
        assert_eq!(refused.error, "an account has at most 3000 bytes of content in 1d");
    }

    async fn pictures_count_as_changes_and_bytes(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "2/1h",
        "limits.new.bytes" = "100/1d"
    ) {
        let ada = app.agent("ada").await;
        let upload = |bytes: usize| {
            let request = ada.raw(&app, Method::PUT, "/users/me/avatar");
            answer(request.header("content-type", "image/png").body(vec![0; bytes]))
        };
        assert_eq!(upload(101).await.status, 429, "of bytes");
        assert_eq!(upload(10).await.status, 400, "it was decoded, and so counts");
        assert_eq!(upload(10).await.status, 400);
        assert_eq!(upload(10).await.status, 429);
    }
}
