//! Orders and escrows.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::service_message::ResponseStatus;

use super::{admitted, ask, write_to};
use crate::market::{Market, response};
use crate::on_both_engines;

on_both_engines! {
    async fn orders_and_escrows_are_counted_together(
        app: TestApp, "limits.budgets" = "true", "limits.new.deals" = "3/1h",
        "limits.new.strangers" = "1/1d", "limits.new.messages" = "1/1h"
    ) {
        let market = Market::new(app).await;
        let first = market.ordered(5).await;
        market.ordered(5).await;
        let escrow = market.open(5).await;
        assert_eq!(market.opening(5).await.unwrap_err().code(), Some(&Code::RateLimited));
        market.deliver(&escrow.id).await;
        market.ada.client.escrow().release(&escrow.id).await.unwrap();
        let done = response(&first, ResponseStatus::Completed);
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
        market.ada.write(&market.bob, "no order was a message").await;
        let refused = write_to(&market.app, &market.ada, "bob").await;
        assert_eq!(refused.refusal().code, Code::RateLimited);
    }

    async fn a_deal_can_be_finished_without_remaining_budget(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h",
        "limits.new.messages" = "1/1h"
    ) {
        let market = Market::new(app).await;
        let order = market.ordered(5).await;
        market.bob.client.lists().create("friends").await.unwrap_err();
        let done = response(&order, ResponseStatus::Completed);
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
    }

    async fn unfunded_escrows_are_limited(
        app: TestApp, "limits.budgets" = "true", "limits.new.unfunded" = "2",
        "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let opening = (0..8).map(|_| {
            let body = json!({
                "providerUsername": "bob", "serviceId": market.service, "amount": 1_000_000,
                "description": "a report", "expiresIn": "1h",
            });
            ask(&market.app, &market.ada, Method::POST, "/v1/escrow", body)
        });
        assert_eq!(admitted(opening, 201).await, 2);
        let refused = market.opening(1_000_000).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::RateLimited));
        assert_eq!(refused.retry_after().map(|wait| wait.as_secs()), Some(3600));
        market.open(5).await;
        let open = market.ada.client.escrow().list().await.unwrap().escrows;
        market.ada.client.escrow().cancel(&open[1].id).await.unwrap();
        market.open(1_000_000).await;
    }
}
