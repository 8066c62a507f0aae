//! Orders by their own endpoints: the same orders as by message (spec §2.4, §2.5).

mod input;
mod lifecycle;
mod lists;
mod partials;
mod privacy;
mod races;
mod waiting;

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::Call;
use svc_client::types::api::orders::{
    AnswerOrder, CreateOrder, OrderStatus, ResponseStatus, ServiceOrder,
};
use svc_client::types::api::services::Acceptance;
use svc_client::types::{Code, Endpoint, MessageId, Span};

use crate::app::{Member, code, fault};
use crate::market::{Market, object, offer, response};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

impl Market {
    /// An order of ada's of bob's service, still to be placed.
    pub(crate) fn placing(&self) -> Call<CreateOrder> {
        self.ada.client.orders().create("bob", &self.service, Map::new())
    }

    /// The same, placed for today's price.
    async fn placed(&self) -> ServiceOrder {
        self.placing().max_credits(10).await.unwrap().order
    }

    /// An order as both parties see it.
    pub(crate) async fn order_seen(&self, id: &MessageId) -> ServiceOrder {
        let seen = self.ada.client.orders().get(id).await.unwrap().order;
        assert_eq!(self.bob.client.orders().get(id).await.unwrap().order, seen);
        seen
    }

    /// Bob's orders are accepted when he begins.
    async fn accepts_explicitly(&self) {
        let update = self.bob.client.services().update(&self.service);
        update.acceptance(Acceptance::Explicit).await.unwrap();
    }

    /// A request to the endpoints of orders.
    async fn sent(&self, by: &Member, method: Method, path: &str, body: &Value) -> Raw {
        answer(by.raw(&self.app, method, path).json(body)).await
    }
}

/// Code, hint and message of a refusal.
#[track_caller]
fn refused<E: Endpoint>(result: Result<E::Response, svc_client::Error>) -> (Code, String) {
    let error = result.expect_err("the call should have been refused");
    let hint = error.hint().unwrap_or("").to_owned();
    (code::<E>(Err(error)), hint)
}

on_both_engines! {
    async fn an_order_is_the_message_that_would_carry_it(app: TestApp) {
        let market = Market::new(app).await;
        let body = json!({
            "providerUsername": "bob", "serviceId": market.service, "maxCredits": 10,
            "input": { "text": "a b" }, "clientOrderId": "night-42",
        });
        let received = market.sent(&market.ada, Method::POST, "/orders", &body).await;
        assert_eq!((received.status.as_u16(), received.header("idempotent-replayed")), (201, None));
        let order = received.json()["order"].clone();
        let id: MessageId = order["id"].as_str().unwrap().into();
        assert_eq!(order, json!({
            "id": id, "status": "open", "version": 1,
            "buyer": { "id": market.ada.user.id, "username": "ada", "isAgent": true },
            "provider": { "id": market.bob.user.id, "username": "bob", "isAgent": true },
            "conversationId": order["conversationId"], "serviceId": market.service,
            "serviceName": "work", "input": { "text": "a b" }, "offeredCredits": 5,
            "clientOrderId": "night-42", "partialsCount": 0,
            "createdAt": "2026-01-31T09:30:00.000Z", "expiresAt": "2026-02-01T09:30:00.000Z",
        }), "today's price, not the most that would be paid");
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        let message = market.bob.client.messages().get(&id).await.unwrap().message;
        assert_eq!(message.schema.as_deref(), Some("service.request"));
        let payload = object(json!({
            "serviceId": market.service, "serviceName": "work", "input": { "text": "a b" }, "offeredCredits": 5,
        }));
        assert_eq!(message.payload.as_ref(), Some(&payload));
        let content: Value = serde_json::from_str(&message.content).unwrap();
        assert_eq!(content, json!({ "schema": "service.request", "payload": payload }));
        let read = serde_json::to_value(market.order_seen(&id).await).unwrap();
        assert_eq!(read, order, "it is read as it was placed");
        let events = market.bob.client.events().list().await.unwrap().events;
        let kinds: Vec<&str> = events.iter().map(|event| &*event.event).collect();
        assert_eq!(kinds, ["direct_message", "order"]);
        assert_eq!(Value::from(events[1].data.clone()), json!({
            "orderId": id, "action": "placed", "status": "open", "serviceId": market.service,
            "buyerUsername": "ada", "providerUsername": "bob",
        }));
        market.is_consistent().await;
    }

    async fn an_order_by_message_reads_the_same(app: TestApp) {
        let market = Market::new(app).await;
        let sent = market.ordered(5).await;
        let placed = market.placed().await;
        let by_message = market.order_seen(&sent).await;
        let alike = ServiceOrder {
            id: by_message.id.clone(),
            ..placed
        };
        assert_eq!(by_message, alike);
        market.answer(response(&sent, ResponseStatus::Completed)).await;
        market.bob.client.orders().answer(&placed.id, ResponseStatus::Completed).await.unwrap();
        let [one, other] = [market.order_seen(&sent).await, market.order_seen(&placed.id).await];
        assert_eq!((&one.status, one.charged_credits, one.version), (&OrderStatus::Completed, Some(5.into()), 2));
        assert_eq!((&other.status, other.charged_credits, other.version), (&one.status, one.charged_credits, 2));
        assert_eq!(market.have().await, ["90+0", "110+0"]);
        market.is_consistent().await;
    }

    async fn an_answer_is_the_message_that_would_carry_it(app: TestApp) {
        let market = Market::new(app).await;
        let bob = market.bob.client.orders();
        let id = market.placed().await.id;
        let output = object(json!({ "words": 2 }));
        let answering = bob.answer(&id, ResponseStatus::Completed).output(output.clone());
        let done = answering.charged_credits(2).await.unwrap().order;
        assert_eq!((&done.status, &done.output, done.charged_credits), (&OrderStatus::Completed, &Some(output), Some(2.into())));
        assert_eq!(done.closed_at, Some(done.created_at));
        assert_eq!(done, market.order_seen(&id).await);
        let message = done.response_message_id.unwrap();
        let message = market.ada.client.messages().get(&message).await.unwrap().message;
        assert_eq!(message.schema.as_deref(), Some("service.response"));
        assert_eq!(message.payload, Some(object(json!({
            "requestId": id, "status": "completed", "output": { "words": 2 }, "chargedCredits": 2,
        }))));
        let (refusal, hint) = refused::<AnswerOrder>(bob.answer(&id, ResponseStatus::Completed).await);
        assert_eq!((refusal, &*hint), (Code::RequestClosed, "completed"));

        let id = market.placed().await.id;
        let output = object(json!({ "queue": 7 }));
        let declining = bob.answer(&id, ResponseStatus::Rejected).reason("too long").output(output.clone());
        let declined = declining.await.unwrap().order;
        assert_eq!((&declined.status, declined.reason.as_deref(), declined.output), (&OrderStatus::Rejected, Some("too long"), Some(output)));
        let id = market.placed().await.id;
        let failed = bob.answer(&id, ResponseStatus::Error).error("out of paper").await.unwrap().order;
        assert_eq!((&failed.status, failed.error.as_deref(), failed.output), (&OrderStatus::Error, Some("out of paper"), None));
        let message = failed.response_message_id.unwrap();
        let payload = market.ada.client.messages().get(&message).await.unwrap().message.payload.unwrap();
        assert_eq!(payload["output"], json!({ "error": "out of paper" }));
        market.is_consistent().await;
    }

    async fn answers_are_refused_as_their_messages_are(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let id = market.placed().await.id;
        let path = format!("/orders/{id}/answer");
        let path = path.as_str();
        for (by, body, status, code, field) in [
            (&market.bob, json!({ "status": "rejected" }), 400, Code::InvalidServiceMessage, Some("reason")),
            (&market.bob, json!({ "status": "error" }), 400, Code::InvalidServiceMessage, Some("error")),
            (&market.bob, json!({ "status": "rejected", "reason": "no", "chargedCredits": 1 }), 400, Code::InvalidServiceMessage, Some("chargedCredits")),
            (&market.bob, json!({ "status": "completed", "reason": "no" }), 400, Code::ValidationFailed, Some("reason")),
            (&market.bob, json!({ "status": "rejected", "reason": "no", "error": "x" }), 400, Code::ValidationFailed, Some("error")),
            (&market.bob, json!({ "status": "delivered" }), 400, Code::InvalidServiceMessage, Some("status")),
            (&market.bob, json!({ "status": "completed", "chargedCredits": 6 }), 400, Code::ChargeExceedsOffer, Some("chargedCredits")),
            (&market.bob, json!({ "status": "completed", "output": { "text": "x".repeat(40_000) } }), 400, Code::ValidationFailed, Some("output")),
            (&market.bob, json!({ "status": "completed", "key": 1 }), 400, Code::UnknownMember, Some("key")),
            (&market.ada, json!({ "status": "completed" }), 403, Code::Forbidden, None),
            (&cyd, json!({ "status": "completed" }), 404, Code::NotFound, None),
        ] {
            let refusal = market.sent(by, Method::POST, path, &body).await.refusal();
            assert_eq!((refusal.code.status().as_u16(), &refusal.code), (status, &code), "{body}");
            assert_eq!(refusal.field.as_deref(), field, "{body}");
            assert!(!refusal.error.contains("payload"), "{}", refusal.error);
        }
        assert_eq!(market.order_seen(&id).await.status, OrderStatus::Open);
        assert_eq!(market.have().await, ["95+5", "100+0"]);
    }

    async fn an_order_names_one_bound_of_its_price(app: TestApp) {
        let market = Market::new(app).await;
        let bad = Code::ValidationFailed;
        assert_eq!(fault::<CreateOrder>(market.placing().await), (bad.clone(), "maxCredits".to_owned()));
        let both = market.placing().max_credits(5).offered_credits(5);
        assert_eq!(fault::<CreateOrder>(both.await), (bad.clone(), "maxCredits".to_owned()));
        let free = market.placing().offered_credits(0).await.unwrap().order;
        assert_eq!(free.offered_credits, 0.into(), "an offer below the price may be declined");
        let error = market.placing().max_credits(4).await.unwrap_err();
        assert_eq!((error.code(), error.field(), error.hint()), (Some(&Code::PriceAboveMax), Some("maxCredits"), Some("5")));
        market.bob.client.services().update(&market.service).price(7).await.unwrap();
        assert_eq!(market.placed().await.offered_credits, 7.into(), "the price of today");
        for within in [59, 30 * 86_400 + 60] {
            let order = market.placing().max_credits(10).answer_within(Span::from_secs(within));
            assert_eq!(fault::<CreateOrder>(order.await), (bad.clone(), "answerWithin".to_owned()));
        }
        let order = market.placing().max_credits(10).answer_within(Span::from_secs(60)).await.unwrap().order;
        market.app.advance(60);
        let expired = market.order_seen(&order.id).await;
        assert_eq!((expired.status, expired.expires_at, expired.closed_at), (OrderStatus::Expired, None, order.expires_at));
        market.is_consistent().await;
    }

    async fn an_order_is_refused_as_its_message_is(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let foreign = offer(&cyd, "other", 5).await;
        let schema = object(json!({
            "type": "object", "required": ["text"], "properties": { "text": { "type": "string" } },
        }));
        market.bob.client.services().update(&market.service).input_schema(schema).await.unwrap();
        let body = |name: &str, value: Value| {
            let mut body = json!({
                "providerUsername": "bob", "serviceId": market.service, "input": { "text": "a" },
                "maxCredits": 10,
            });
            body[name] = value;
            body
        };
        for (name, value, code, field) in [
            ("input", json!({ "text": 7 }), Code::InputSchemaMismatch, "/input/text"),
            ("input", json!({}), Code::InputSchemaMismatch, "input"),
            ("input", json!({ "text": "x".repeat(40_000) }), Code::ValidationFailed, "input"),
            ("input", json!("text"), Code::ValidationFailed, "input"),
            ("serviceId", json!(foreign), Code::ServiceNotFound, "serviceId"),
            ("serviceId", json!("srv_nothing"), Code::ServiceNotFound, "serviceId"),
            ("providerUsername", json!("nobody"), Code::NotFound, "providerUsername"),
            ("providerUsername", json!("ada"), Code::SelfAction, "providerUsername"),
            ("maxcredits", json!(5), Code::UnknownMember, "maxcredits"),
        ] {
            let received = market.sent(&market.ada, Method::POST, "/orders", &body(name, value)).await;
            let refusal = received.refusal();
            assert_eq!((&refusal.code, refusal.field.as_deref()), (&code, Some(field)), "{refusal:?}");
            let hint = refusal.hint.unwrap_or_default();
            assert!(!hint.contains("payload"), "{hint}");
        }
        for (provider, code, field) in [
            ("nobody", Code::NotFound, "providerUsername"),
            ("cyd", Code::ServiceNotFound, "serviceId"),
        ] {
            let mut unknown = body("serviceId", json!("srv_nothing"));
            unknown["providerUsername"] = json!(provider);
            let refusal = market.sent(&market.ada, Method::POST, "/orders", &unknown).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (code, Some(field)), "{provider}");
        }
        market.app.block(&market.bob, &cyd).await;
        let blocked = cyd.client.orders().create("bob", &market.service, object(json!({ "text": "a" })));
        assert_eq!(code::<CreateOrder>(blocked.max_credits(1).await), Code::Blocked, "before the price is judged");
        market.bob.client.users().update_me().allow_service_requests(false).await.unwrap();
        let received = market.sent(&market.ada, Method::POST, "/orders", &body("maxCredits", json!(10))).await;
        assert_eq!(received.refusal().code, Code::DmNotAllowed);
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        assert_eq!(market.bob.client.messages().list().await.unwrap().messages, []);
    }

    async fn an_escrow_pays_for_an_order(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(60).await;
        let placing = || market.placing().escrow_id(&escrow.id);
        let timed = placing().answer_within(Span::from_secs(60));
        assert_eq!(fault::<CreateOrder>(timed.await), (Code::ValidationFailed, "answerWithin".to_owned()));
        let order = placing().await.unwrap().order;
        assert_eq!((order.offered_credits, &order.escrow_id, order.expires_at), (60.into(), &Some(escrow.id.clone()), None));
        assert_eq!(order, market.order_seen(&order.id).await);
        let (refusal, hint) = refused::<CreateOrder>(placing().await);
        assert_eq!((refusal, hint), (Code::EscrowInUse, order.id.to_string()));
        let unknown = market.placing().escrow_id("esc_nothing").await;
        assert_eq!(fault::<CreateOrder>(unknown), (Code::NotFound, "escrowId".to_owned()));
        let status = async || market.order_seen(&order.id).await;
        let mut version = order.version;
        for (word, end) in [("delivered", false), ("disputed", false), ("refunded", true)] {
            match word {
                "delivered" => drop(market.deliver(&escrow.id).await),
                "disputed" => drop(market.dispute(&escrow.id).await),
                _ => drop(market.bob.client.escrow().refund(&escrow.id).await.unwrap()),
            }
            let seen = status().await;
            assert_eq!((seen.status.as_str(), seen.closed_at.is_some()), (word, end));
            assert!(seen.version > version, "{word}");
            version = seen.version;
        }
        assert_eq!(market.state(&order.id).await["status"], "error", "of the message");
        let declined = market.open(10).await;
        let order = market.placing().escrow_id(&declined.id).await.unwrap().order;
        market.bob.client.orders().answer(&order.id, ResponseStatus::Error).error("x").await.unwrap();
        market.app.advance(1);
        market.deliver(&declined.id).await;
        market.bob.client.escrow().refund(&declined.id).await.unwrap();
        assert_eq!(status_of(&market, &order.id).await, OrderStatus::Error, "it failed before the refund");
        market.is_consistent().await;
    }

    async fn a_buyers_own_id_orders_once_for_ever(app: TestApp) {
        let market = Market::new(app).await;
        let body = |name: &str, value: Value| {
            let mut body = json!({
                "providerUsername": "bob", "serviceId": market.service, "input": { "n": 1 },
                "maxCredits": 10, "clientOrderId": "one",
            });
            body[name] = value;
            body
        };
        let plain = body("input", json!({ "n": 1.0 }));
        let first = market.sent(&market.ada, Method::POST, "/orders", &plain).await;
        assert_eq!(first.status, 201);
        let named = |name: &str| body("providerUsername", json!(name));
        for again in [
            plain.clone(), named("BOB"), named(market.bob.user.id.as_str()), body("answerWithin", json!("2h")),
        ] {
            let again = market.sent(&market.ada, Method::POST, "/orders", &again).await;
            assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (200, Some("true")));
            assert_eq!(again.json(), first.json());
        }
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        let other = offer(&market.bob, "other", 5).await;
        for (name, value) in [("input", json!({ "n": 2 })), ("maxCredits", json!(11)), ("serviceId", json!(other))] {
            let refusal = market.sent(&market.ada, Method::POST, "/orders", &body(name, value)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::IdempotencyConflict, Some("clientOrderId")));
        }
        let cyd = market.app.agent("cyd").await;
        let of_another = market.sent(&market.ada, Method::POST, "/orders", &named("cyd")).await.refusal();
        assert_eq!(of_another.code, Code::IdempotencyConflict);
        assert_eq!(market.sent(&cyd, Method::POST, "/orders", &plain).await.status, 201, "the id is of its buyer alone");
        let id: MessageId = first.json()["order"]["id"].as_str().unwrap().into();
        market.bob.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
        market.bob.client.services().delete(&market.service).await.unwrap();
        market.app.advance(400 * 86_400);
        let late = market.sent(&market.ada, Method::POST, "/orders", &plain).await;
        assert_eq!(late.status, 200);
        assert_eq!((&late.json()["order"]["id"], &late.json()["order"]["status"]), (&json!(id), &json!("completed")));
    }

    async fn a_refused_order_gives_its_own_id_back(app: TestApp) {
        let market = Market::new(app).await;
        let placing = || market.placing().client_order_id("one");
        assert_eq!(code::<CreateOrder>(placing().offered_credits(101).await), Code::InsufficientCredits);
        placing().offered_credits(100).await.unwrap();
        assert_eq!(code::<CreateOrder>(placing().offered_credits(99).await), Code::IdempotencyConflict);
    }
}

async fn status_of(market: &Market, id: &MessageId) -> OrderStatus {
    market.order_seen(id).await.status
}
