//! Messages that are sent again after something has changed.

use serde_json::{Value, json};
use svc_client::types::MessageId;
use svc_client::types::api::orders::ProgressState;

use super::{message, order, state};
use crate::market::{Market, offer};
use crate::on_both_engines;

on_both_engines! {
    async fn a_text_that_has_placed_an_order_leads_to_it_whatever_is_offered_now(app: TestApp) {
        let market = Market::new(app).await;
        market.takes_a_text().await;
        let text = |id: &str, text: &str| {
            let message = message(id, &json!([{ "text": text }]));
            json!({ "message": message, "metadata": market.app.at_most(5), "configuration": { "returnImmediately": true } })
        };
        let placed = market.result("SendMessage", &text("m-1", "one")).await;
        let services = market.bob.client.services();
        services.update(&market.service).active(false).await.unwrap();
        assert_eq!(market.result("SendMessage", &text("m-1", "one")).await, placed);
        let other = market.error("SendMessage", &text("m-1", "two")).await;
        assert_eq!(other, (-32004, "UNSUPPORTED_OPERATION".to_owned()), "it offers nothing");
        // With two services a text does not say which one it is for.
        services.update(&market.service).active(true).await.unwrap();
        offer(&market.bob, "other", 0).await;
        assert_eq!(market.result("SendMessage", &text("m-1", "one")).await, placed);
        let other = market.error("SendMessage", &text("m-2", "one")).await;
        assert_eq!(other, (-32005, "CONTENT_TYPE_NOT_SUPPORTED".to_owned()));
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        market.is_consistent().await;
    }

    async fn a_free_order_is_found_again_after_its_service_got_a_price(app: TestApp) {
        let market = Market::new(app).await;
        let free = offer(&market.bob, "gift", 0).await;
        let sending = |id: &str, input: &Value| {
            json!({ "message": order(id, &free, input), "configuration": { "returnImmediately": true } })
        };
        let placed = market.result("SendMessage", &sending("m-1", &json!({}))).await;
        market.bob.client.services().update(&free).price(7).await.unwrap();
        assert_eq!(market.result("SendMessage", &sending("m-1", &json!({}))).await, placed);
        for (id, input) in [("m-1", json!({ "n": 1 })), ("m-2", json!({}))] {
            let asked = market.result("SendMessage", &sending(id, &input)).await;
            assert_eq!(state(&asked["task"]), "TASK_STATE_INPUT_REQUIRED", "{id}");
        }
        assert_eq!(market.have().await, ["100+0", "100+0"]);
    }

    async fn an_input_that_comes_again_after_the_next_question_answers_only_its_own(app: TestApp) {
        let market = Market::new(app).await;
        let id: MessageId = market.task("m-1").await["id"].as_str().unwrap().into();
        let ask = async |question: &str| {
            let asking = market.bob.client.orders().progress(&id, ProgressState::InputRequired);
            asking.prompt(question).await.unwrap();
        };
        let reply = |message_id: &str, text: &str| {
            let mut reply = message(message_id, &json!([{ "text": text }]));
            reply["taskId"] = json!(id);
            json!({ "message": reply, "configuration": { "returnImmediately": true } })
        };
        ask("first?").await;
        market.result("SendMessage", &reply("m-2", "one")).await;
        ask("second?").await;
        let again = market.result("SendMessage", &reply("m-2", "one")).await;
        assert_eq!(state(&again["task"]), "TASK_STATE_INPUT_REQUIRED");
        let prompt = market.order_seen(&id).await.prompt.unwrap();
        assert_eq!((prompt.id.as_str(), prompt.input), ("2", None));
        let refused = market.call(&market.ada, "SendMessage", &reply("m-2", "two")).await.json();
        assert_eq!(refused["error"]["message"], "this messageId was used for another input", "{refused}");
        assert!(!refused.to_string().contains("fresh key"), "{refused}");
        let given = market.result("SendMessage", &reply("m-3", "two")).await;
        assert_eq!(state(&given["task"]), "TASK_STATE_WORKING");
        assert_eq!(market.order_seen(&id).await.prompt.unwrap().input, Some(json!("two")));
    }
}
