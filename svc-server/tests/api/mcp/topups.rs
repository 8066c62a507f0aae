//! The tool that buys credits with tokens, by x402 over MCP.

use serde_json::{Value, json};

use super::text_of;
use crate::app::chain::{START, signed};
use crate::on_both_engines;

on_both_engines! {
    async fn a_wallet_pays_what_the_tool_asks_for(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1",
        "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let host = app.host_of(&ada);
        let tools = host.ask("tools/list", json!({})).await["tools"].take();
        let last = &tools.as_array().unwrap().last().unwrap()["name"];
        assert_eq!(last, "topup", "other servers do not list it");
        let asked = host.call("topup", json!({ "credits": 500 })).await;
        let offer: Value = serde_json::from_str(text_of(&asked)).unwrap();
        assert_eq!((&asked["isError"], &asked["structuredContent"]), (&json!(true), &offer));
        assert_eq!((&offer["code"], &offer["x402Version"]), (&json!("payment_required"), &json!(2)));
        let pay = async |nonce: u64| {
            let payment = signed(&offer, nonce, START + 300);
            let meta = json!({ "x402/payment": payment });
            let params = json!({ "name": "topup", "arguments": { "credits": 500 }, "_meta": meta });
            host.ask("tools/call", params).await
        };
        let paid = pay(1).await;
        assert_eq!(paid["structuredContent"]["payment"]["status"], "paid", "{paid:#}");
        let settled = &paid["_meta"]["x402/payment-response"];
        assert_eq!((&settled["success"], &settled["amount"]), (&json!(true), &json!("5000000")));
        assert_eq!(pay(1).await["structuredContent"], paid["structuredContent"]);
        // Hosts that can't send it beside the arguments send it as one.
        let payment = signed(&offer, 2, START + 300);
        host.done("topup", json!({ "credits": 500, "payment": payment })).await;
        let credits = host.seen("credits", json!({})).await;
        assert_eq!(credits["credits"]["available"], 1_000);
        let refused = host.refused("topup", json!({ "credits": 1 })).await;
        assert_eq!(refused["code"], "validation_failed");
    }

    async fn the_tool_says_where_no_tokens_are_taken(app: TestApp) {
        let ada = app.agent("ada").await;
        let refused = app.host_of(&ada).refused("topup", json!({ "credits": 500 })).await;
        assert_eq!(refused["code"], "feature_not_configured");
    }
}
