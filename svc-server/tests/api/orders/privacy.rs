//! Who can read an order, and what remains of one that both parties deleted.

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::Code;
use svc_client::types::api::orders::ResponseStatus;

use crate::app::{all_items, code};
use crate::market::{Market, has, object};
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn orders_are_private_to_their_parties(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        market.app.grant_role("cyd", "moderator").await;
        let id = market.placed().await.id;
        for (method, path, body) in [
            (Method::GET, "", Value::Null), (Method::GET, "/partials", Value::Null),
            (Method::POST, "/progress", json!({ "state": "working" })),
            (Method::POST, "/input", json!({ "promptId": "1", "input": 1 })),
            (Method::POST, "/cancel", json!({})), (Method::POST, "/extend", json!({ "answerWithin": "2d" })),
        ] {
            for id in [id.as_str(), "msg_nothing"] {
                let request = cyd.raw(&market.app, method.clone(), &format!("/orders/{id}{path}"));
                let request = if body.is_null() { request } else { request.json(&body) };
                assert_eq!(answer(request).await.status, 404, "{method} {path}");
            }
        }
        let message = market.ada.client.messages().send("bob", "hello").await.unwrap().message;
        let plain = market.ada.client.orders().get(&message.message_id).await;
        assert_eq!(plain.unwrap_err().code(), Some(&Code::NotFound), "a message that orders nothing");
    }

    async fn moderators_read_what_a_disputed_escrow_pays_for_without_tokens(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        market.app.grant_role("cyd", "moderator").await;
        let escrow = market.open(60).await.id;
        let input = object(json!({ "repo": { "accessToken": "secret-word" }, "what": "all" }));
        let placing = market.ada.client.orders().create("bob", &market.service, input);
        let id = placing.escrow_id(&escrow).await.unwrap().order.id;
        let partial = json!({ "draft": [{ "accessToken": "secret-word", "page": 1 }] });
        let orders = market.bob.client.orders();
        orders.progress(&id, svc_client::types::api::orders::ProgressState::Working).partial(partial).await.unwrap();
        let asking = orders.progress(&id, svc_client::types::api::orders::ProgressState::InputRequired);
        asking.prompt("which repository?").await.unwrap();
        let given = json!({ "accessToken": "secret-word", "branch": "main" });
        market.ada.client.orders().input(&id, "1", given).await.unwrap();
        market.deliver(&escrow).await;
        let early = cyd.client.orders().get(&id).await;
        assert_eq!(code::<svc_client::types::api::orders::GetOrder>(early), Code::NotFound);
        market.dispute(&escrow).await;
        for path in [format!("/orders/{id}"), format!("/orders/{id}/partials")] {
            let read = answer(cyd.raw(&market.app, Method::GET, &path)).await;
            assert_eq!(read.status, 200, "{path}");
            assert!(!read.text.contains("secret-word"), "{}", read.text);
        }
        assert_eq!(cyd.client.orders().get(&id).await.unwrap().order.input, object(json!({ "repo": {}, "what": "all" })));
        assert!(market.order_seen(&id).await.input.contains_key("repo"));
        assert_eq!(code::<svc_client::types::api::orders::CancelOrder>(cyd.client.orders().cancel(&id).await), Code::NotFound);
        market.ada.client.escrow().release(&escrow).await.unwrap();
        let output = object(json!({ "pages": 3, "more": { "accessToken": "secret-word" } }));
        orders.answer(&id, ResponseStatus::Completed).output(output).await.unwrap();
        let ended = cyd.client.orders().get(&id).await.unwrap().order;
        assert_eq!(ended.output, Some(object(json!({ "pages": 3, "more": {} }))));
        assert_eq!(ended.prompt.unwrap().input, Some(json!({ "branch": "main" })));
    }

    async fn what_both_parties_deleted_is_no_longer_in_the_order(app: TestApp) {
        let market = Market::new(app).await;
        let input = object(json!({ "text": "for two" }));
        let placing = market.ada.client.orders().create("bob", &market.service, input.clone());
        let open = placing.clone().max_credits(5).await.unwrap().order.id;
        for party in [&market.ada, &market.bob] {
            party.client.messages().delete(&open).await.unwrap();
        }
        assert_eq!(market.order_seen(&open).await.input, input, "it is still worked on");
        let id = placing.max_credits(5).await.unwrap().order.id;
        let output = object(json!({ "words": 2 }));
        market.bob.client.orders().answer(&id, ResponseStatus::Completed).output(output.clone()).await.unwrap();
        let response = market.order_seen(&id).await.response_message_id.unwrap();
        for message in [&id, &response] {
            market.ada.client.messages().delete(message).await.unwrap();
        }
        let seen = market.order_seen(&id).await;
        assert_eq!((seen.input, seen.output), (input, Some(output)), "a deal is not deleted with its message");
        for message in [&id, &response] {
            market.bob.client.messages().delete(message).await.unwrap();
        }
        let seen = market.order_seen(&id).await;
        assert_eq!((seen.input, seen.output, seen.charged_credits), (Map::new(), None, Some(5.into())));
        assert_eq!(seen.service_name, "work");
    }

    async fn an_order_that_both_parties_deleted_is_emptied_when_it_ends(app: TestApp) {
        let market = Market::new(app).await;
        market.accepts_explicitly().await;
        let input = object(json!({ "text": "for two" }));
        let escrow = market.open(10).await.id;
        let place = || market.ada.client.orders().create("bob", &market.service, input.clone());
        let answered = place().max_credits(5).await.unwrap().order.id;
        let cancelled = place().max_credits(5).await.unwrap().order.id;
        let expired = place().max_credits(5).await.unwrap().order.id;
        let by_escrow = place().escrow_id(&escrow).await.unwrap().order.id;
        let all = [&answered, &cancelled, &expired, &by_escrow];
        for id in all {
            for party in [&market.ada, &market.bob] {
                party.client.messages().delete(id).await.unwrap();
            }
            assert_eq!(market.order_seen(id).await.input, input, "it is still worked on");
        }
        let answer = market.bob.client.orders().answer(&answered, ResponseStatus::Completed);
        answer.output(object(json!({ "words": 2 }))).await.unwrap();
        market.ada.client.orders().cancel(&cancelled).await.unwrap();
        market.ada.client.escrow().cancel(&escrow).await.unwrap();
        market.app.advance(30 * 86_400);
        for id in all {
            let seen = market.order_seen(id).await;
            assert_eq!(seen.input, Map::new(), "{:?}", seen.status);
        }
    }

    async fn an_order_and_its_answer_need_the_scopes_of_deals(app: TestApp) {
        use svc_client::types::Scope;
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let with = async |scope: Scope| {
            let made = market.ada.client.keys().create(scope.as_str(), vec![scope.clone()]).await.unwrap();
            market.app.client(made.api_key)
        };
        let reader = with(Scope::Read).await;
        assert_eq!(reader.orders().get(&id).await.unwrap().order.id, id);
        assert_eq!(all_items(reader.orders().list()).await.len(), 1);
        let placing = reader.orders().create("bob", &market.service, Map::new()).max_credits(5);
        assert_eq!(placing.await.unwrap_err().code(), Some(&Code::InsufficientScope));
        let seller = with(Scope::ExchangeSell).await;
        assert_eq!(seller.orders().cancel(&id).await.unwrap_err().code(), Some(&Code::InsufficientScope));
        assert_eq!(has(&market.ada).await, "95+5");
    }
}
