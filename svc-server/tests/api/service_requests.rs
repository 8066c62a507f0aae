//! Services ordered by direct message (spec §2.4, §3.2).

use http::Method;
use serde_json::{Value, json};
use svc_client::Error;
use svc_client::types::api::messages::{Order, RequestStatus, SendMessage};
use svc_client::types::api::users::{DeleteMe, DmPolicy};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, MessageId, Scope, ServiceRequest};
use svc_store::{sql, values};

use crate::app::{Member, all_items, code, fault};
use crate::market::{Market, object, offer, order, refusal, response};
use crate::on_both_engines;
use crate::raw::answer;

/// Code and member of the refusal of a content.
async fn refused(from: &Member, to: &str, content: &Value) -> (Code, String) {
    let (code, field, _) = refusal(from.client.messages().send(to, content.to_string())).await;
    (code, field)
}

on_both_engines! {
    async fn an_order_is_held_answered_and_paid(app: TestApp) {
        let market = Market::new(app).await;
        let payload = json!({
            "serviceId": market.service, "serviceName": "work", "input": { "text": "a b" }, "offeredCredits": 10.0,
        });
        let content = json!({ "schema": "service.request", "payload": payload }).to_string();
        let body = json!({ "recipientUsername": "bob", "content": content });
        let sent = answer(market.ada.raw(&market.app, Method::POST, "/messages").json(&body)).await;
        assert_eq!(sent.status, 201);
        let message = sent.json()["message"].clone();
        assert_eq!((&message["content"], &message["schema"]), (&json!(content), &json!("service.request")));
        let mut stored = payload;
        stored["offeredCredits"] = json!(10);
        assert_eq!(message["payload"], stored);
        assert_eq!(message["request"], json!({
            "status": "open", "offeredCredits": 10, "expiresAt": "2026-02-01T09:30:00.000Z",
        }));
        assert_eq!(market.have().await, ["90+10", "100+0"]);

        let id: MessageId = message["messageId"].as_str().unwrap().into();
        assert_eq!(market.state(&id).await, message["request"]);
        let mut done = response(&id, ResponseStatus::Completed);
        done.charged_credits = Some(4.into());
        done.output = Some(object(json!({ "words": 2 })));
        let answered = market.answer(done).await;
        assert_eq!(answered.schema.as_deref(), Some("service.response"));
        assert_eq!(answered.payload, Some(object(json!({
            "requestId": id, "status": "completed", "output": { "words": 2 }, "chargedCredits": 4,
        }))));
        assert_eq!(answered.request, None);
        assert_eq!(market.state(&id).await, json!({
            "status": "completed", "offeredCredits": 10, "chargedCredits": 4,
            "responseMessageId": answered.message_id,
        }));
        assert_eq!(market.have().await, ["96+0", "104+0"]);
        market.is_consistent().await;
    }

    async fn a_free_order_holds_and_pays_nothing(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.ordered(0).await;
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        market.answer(response(&id, ResponseStatus::Completed)).await;
        let id = market.ordered(0).await;
        market.answer(response(&id, ResponseStatus::Rejected)).await;
        assert_eq!(market.ada.client.credits().transactions().await.unwrap().transactions.len(), 1);
        market.is_consistent().await;
    }

    async fn a_malformed_order_names_the_faulty_member(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.ordered(1).await;
        let request = json!({ "serviceId": market.service, "serviceName": "work", "input": {}, "offeredCredits": 5 });
        let answer = json!({ "requestId": id, "status": "completed", "output": {}, "chargedCredits": 1 });
        let changed = |payload: &Value, name: &str, value: Value| {
            let mut payload = payload.clone();
            if value.is_null() { payload.as_object_mut().unwrap().remove(name); } else { payload[name] = value; }
            payload
        };
        let texts = |values: &[Value]| values.to_vec();
        let requests = [
            ("serviceId", texts(&[Value::Null, json!(7)])),
            ("serviceName", texts(&[Value::Null, json!(""), json!("x".repeat(101))])),
            ("input", texts(&[Value::Null, json!("x"), json!([])])),
            ("offeredCredits", texts(&[Value::Null, json!(-1), json!("5"), json!(1e21), json!(0.000_000_1)])),
            ("escrowId", texts(&[json!(7)])),
        ];
        let answers = [
            ("requestId", texts(&[Value::Null, json!(7)])),
            ("status", texts(&[Value::Null, json!("done"), json!(7)])),
            ("output", texts(&[json!("x"), json!([])])),
            ("chargedCredits", texts(&[json!(-1), json!("1")])),
        ];
        let all = requests.iter().map(|case| ("service.request", &request, case));
        let all = all.chain(answers.iter().map(|case| ("service.response", &answer, case)));
        for (schema, payload, (name, values)) in all {
            for value in values {
                let content = json!({ "schema": schema, "payload": changed(payload, name, value.clone()) });
                let from = if schema == "service.request" { (&market.ada, "bob") } else { (&market.bob, "ada") };
                let reported = refused(from.0, from.1, &content).await;
                assert_eq!(reported, (Code::InvalidServiceMessage, format!("/payload/{name}")), "{content}");
            }
        }
        for (status, word) in [("rejected", "reason"), ("error", "error")] {
            for output in [json!({}), json!({ word: 7 }), json!({ word: "" }), json!({ "other": "x" })] {
                let payload = json!({ "requestId": id, "status": status, "output": output });
                let reported = refused(&market.bob, "ada", &json!({ "schema": "service.response", "payload": payload })).await;
                assert_eq!(reported, (Code::InvalidServiceMessage, format!("/payload/output/{word}")));
            }
        }
        for content in [json!({ "schema": "service.request" }), json!({ "schema": "service.response", "payload": [] })] {
            assert_eq!(refused(&market.bob, "ada", &content).await, (Code::InvalidServiceMessage, "/payload".to_owned()));
        }
        let twice = format!(r#"{{"schema":"service.request","payload":{request},"payload":{request}}}"#);
        assert_eq!(refusal(market.ada.client.messages().send("bob", twice)).await.0, Code::InvalidServiceMessage);
        assert_eq!(market.bob.client.messages().list().await.unwrap().messages.len(), 1, "nothing else was stored");
    }

    async fn other_content_is_plain_text(app: TestApp) {
        let market = Market::new(app).await;
        for content in [
            r#"{"schema":"service.other","payload":{}}"#, r#"{"schema":7}"#, r#"["service.request"]"#,
            r#""service.request""#, r#"{"payload":{"schema":"service.request"}}"#,
            r#"{"schema":"service.request""#, r#"{"schema":"SERVICE.REQUEST"}"#, "{}", "{",
        ] {
            let sent = market.ada.write(&market.bob, content).await;
            assert_eq!((sent.schema, sent.payload, sent.request), (None, None, None), "{content}");
        }
        let miss = r#"{"schema":"Service.Request"}"#;
        assert_eq!(refusal(market.ada.client.messages().send("bob", miss)).await.0, Code::InvalidServiceMessage);
        let spaced = format!(" \n{}", json!({ "schema": "service.request" }));
        assert_eq!(refusal(market.ada.client.messages().send("bob", spaced)).await.0, Code::InvalidServiceMessage);
    }

    async fn a_service_message_has_neither_schema_nor_payload(app: TestApp) {
        let market = Market::new(app).await;
        let typed = market.ada.client.messages().send("bob", "x").payload("service.request", object(json!({})));
        assert_eq!(fault::<SendMessage>(typed.await), (Code::ValidationFailed, "schema".to_owned()));
        let order = || market.ordering(market.order(1));
        let schema = order().with(|request| request.schema = Some("note".into()));
        let payload = order().with(|request| request.payload = Some(object(json!({}))));
        for more in [schema, payload, order().payload("note", object(json!({})))] {
            assert_eq!(fault::<SendMessage>(more.await), (Code::ValidationFailed, "schema".to_owned()));
        }
        let mut leak = market.order(1);
        leak.input = object(json!({ "key": market.ada.key.expose() }));
        assert_eq!(refusal(market.ordering(leak)).await.0, Code::CredentialInContent);
        assert_eq!(market.have().await, ["100+0", "100+0"]);
    }

    async fn only_services_of_the_recipient_can_be_ordered(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        market.app.person("eve", "correct horse").await;
        let others = offer(&cyd, "work", 5).await;
        let idle = offer(&market.bob, "idle", 5).await;
        market.bob.client.services().update(&idle).active(false).await.unwrap();
        let gone = offer(&market.bob, "gone", 5).await;
        market.bob.client.services().delete(&gone).await.unwrap();
        let expected = (Code::ServiceNotFound, "/payload/serviceId".to_owned());
        for service in [&others, &idle, &gone, &"srv_00000000000000000000000000".into(), &"nonsense".into()] {
            assert_eq!(fault::<SendMessage>(market.ordering(order(service, 5)).await), expected, "{service}");
        }
        let of_person = market.ada.client.messages().request_service("eve", market.order(5));
        assert_eq!(fault::<SendMessage>(of_person.await), expected);
        let of_nobody = market.ada.client.messages().request_service("nobody", market.order(5));
        assert_eq!(fault::<SendMessage>(of_nobody.await), (Code::NotFound, "recipientUsername".to_owned()));
        let of_oneself = market.bob.client.messages().request_service("bob", market.order(5));
        let refused = of_oneself.await.unwrap_err();
        assert_eq!(refused.message(), "you cannot order from yourself");
        assert_eq!(fault::<SendMessage>(Err(refused)), (Code::SelfAction, "recipientUsername".to_owned()));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
    }

    async fn an_order_is_judged_only_for_accounts_that_may_place_one(app: TestApp) {
        let market = Market::new(app).await;
        let malformed = json!({ "schema": "service.request", "payload": {} }).to_string();
        let made = market.ada.client.keys().create("talk", vec![Scope::Dm]).await.unwrap();
        let talker = market.app.client(made.api_key);
        let refused = talker.messages().send("bob", &*malformed).await;
        assert_eq!(code::<SendMessage>(refused), Code::InsufficientScope);
        market.app.suspend("ada").await;
        let refused = market.ada.client.messages().send("bob", &*malformed).await;
        assert_eq!(code::<SendMessage>(refused), Code::AccountSuspended);
    }

    async fn a_bot_may_take_no_orders(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let update = || market.bob.client.users().update_me();
        update().allow_service_requests(false).await.unwrap();
        assert_eq!(refusal(market.ordering(market.order(5))).await.0, Code::DmNotAllowed);
        update().allow_service_requests(true).dm_policy(DmPolicy::None).await.unwrap();
        let id = market.ordered(5).await;
        market.app.block(&market.bob, &cyd).await;
        let blocked = cyd.client.messages().request_service("bob", market.order(5));
        assert_eq!(refusal(blocked).await.0, Code::Blocked);
        market.app.block(&market.ada, &market.bob).await;
        assert_eq!(refusal(market.ordering(market.order(5))).await.0, Code::Blocked);
        market.ada.client.users().update_me().dm_policy(DmPolicy::None).await.unwrap();
        market.answer(response(&id, ResponseStatus::Completed)).await;
        assert_eq!(market.have().await, ["95+0", "105+0"], "what was ordered is answered nevertheless");
    }

    async fn an_input_fits_the_schema_of_the_service(app: TestApp) {
        let market = Market::new(app).await;
        let schema = object(json!({
            "type": "object", "required": ["text"],
            "properties": { "text": { "type": "string" }, "n": { "type": "integer", "minimum": 1 } },
        }));
        market.bob.client.services().update(&market.service).input_schema(schema).await.unwrap();
        let with = |input: Value| market.ordering(ServiceRequest { input: object(input), ..market.order(5) });
        let (code, field, hint) = refusal(with(json!({ "text": 7, "n": 0 }))).await;
        assert_eq!((code, field.starts_with("/payload/input/")), (Code::InputSchemaMismatch, true));
        assert!(hint.contains("/payload/input/text: ") && hint.contains("/payload/input/n: "), "{hint}");
        let (code, field, _) = refusal(with(json!({}))).await;
        assert_eq!((code, &*field), (Code::InputSchemaMismatch, "/payload/input"));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        with(json!({ "text": "a", "n": 1, "more": true })).await.unwrap();
        market.bob.client.services().update(&market.service).input_schema(object(json!({}))).await.unwrap();
        with(json!({})).await.unwrap();
        market.is_consistent().await;
    }

    async fn an_input_with_explosive_validation_cost_is_refused(app: TestApp) {
        let market = Market::new(app).await;
        let branches: Vec<Value> = (0..900).map(|n| json!({ "const": n + 1 })).collect();
        let list = |word: &str| object(json!({ "properties": { "a": { "items": { word: branches } } } }));
        let zeros = object(json!({ "a": vec![0; 19_000] }));
        for (word, field, reported) in [
            // Each of 900 branches explains 19,000 times why it does not fit.
            ("anyOf", "/payload/input/a/0", "anyOf"),
            // All of them must be read before that is known.
            ("oneOf", "/payload/input/a/0", "oneOf"),
        ] {
            market.bob.client.services().update(&market.service).input_schema(list(word)).await.unwrap();
            let order = ServiceRequest { input: zeros.clone(), ..market.order(5) };
            let (code, at, hint) = refusal(market.ordering(order)).await;
            assert_eq!((code, &*at), (Code::InputSchemaMismatch, field));
            assert!(hint.contains(reported) && hint.len() < 10_000, "{hint}");
        }
        let none_fits = object(json!({ "properties": { "a": { "items": { "not": { "anyOf": branches } } } } }));
        market.bob.client.services().update(&market.service).input_schema(none_fits).await.unwrap();
        let order = ServiceRequest { input: zeros, ..market.order(5) };
        let (code, at, hint) = refusal(market.ordering(order)).await;
        assert_eq!((code, &*at), (Code::InputSchemaMismatch, "/payload/input"));
        assert!(hint.contains("steps"), "{hint}");
        assert_eq!(market.have().await, ["100+0", "100+0"]);
    }

    async fn an_order_without_enough_credits_is_not_sent(app: TestApp) {
        let market = Market::new(app).await;
        assert_eq!(refusal(market.ordering(market.order(101))).await.0, Code::InsufficientCredits);
        assert_eq!(market.bob.client.messages().list().await.unwrap().messages, []);
        assert_eq!(market.bob.client.messages().unread_count().await.unwrap().unread.messages, 0);
        market.ordered(100).await;
        assert_eq!(market.have().await, ["0+100", "100+0"]);
        assert_eq!(refusal(market.ordering(market.order(Credits::from_micros(1)))).await.0, Code::InsufficientCredits);
        market.is_consistent().await;
    }

    async fn the_same_id_of_the_sender_orders_once(app: TestApp) {
        let market = Market::new(app).await;
        let send = || market.ordering(market.order(5)).client_message_id("one");
        let first = send().await.unwrap().message;
        let again = send().await.unwrap().message;
        assert_eq!((&again, first.request.as_ref().unwrap().status.as_str()), (&first, "open"));
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        market.answer(response(&first.message_id, ResponseStatus::Completed)).await;
        let after = send().await.unwrap().message;
        assert_eq!((after.message_id, after.request.unwrap().status), (first.message_id, RequestStatus::Completed));
        assert_eq!(market.have().await, ["95+0", "105+0"]);
    }

    async fn orders_are_listed_by_state_and_counted_until_answered(app: TestApp) {
        let market = Market::new(app).await;
        let ids = [market.ordered(1).await, market.ordered(2).await, market.ordered(3).await];
        market.ada.write(&market.bob, "and a text").await;
        let open = market.bob.client.messages().list().request_status(RequestStatus::Open);
        let waiting = all_items(open.order(Order::Asc).limit(1)).await.into_iter();
        assert_eq!(waiting.map(|message| message.message_id).collect::<Vec<_>>(), ids, "the oldest first");
        let unread = || market.bob.client.messages().unread_count().into_future();
        assert_eq!(unread().await.unwrap().unread.service_requests, 3);
        assert_eq!(market.ada.client.messages().unread_count().await.unwrap().unread.service_requests, 0);
        market.answer(response(&ids[0], ResponseStatus::Completed)).await;
        market.answer(response(&ids[1], ResponseStatus::Error)).await;
        assert_eq!(unread().await.unwrap().unread.service_requests, 1);
        for (status, expected) in [
            (RequestStatus::Open, vec![&ids[2]]), (RequestStatus::Completed, vec![&ids[0]]),
            (RequestStatus::Error, vec![&ids[1]]), (RequestStatus::Rejected, vec![]), (RequestStatus::Expired, vec![]),
        ] {
            for member in [&market.ada, &market.bob] {
                for with_user in [false, true] {
                    let list = member.client.messages().list().request_status(status.clone()).limit(1);
                    let other = if member.user.username == "ada" { "bob" } else { "ada" };
                    let list = if with_user { list.with_user(other) } else { list };
                    let found: Vec<_> = all_items(list).await.into_iter().map(|message| message.message_id).collect();
                    assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{status}");
                }
            }
        }
        market.app.advance(86_400);
        assert_eq!(market.have().await, ["99+0", "101+0"]);
        assert_eq!(unread().await.unwrap().unread.service_requests, 0);
        let expired = market.bob.client.messages().list().request_status(RequestStatus::Expired);
        assert_eq!(expired.await.unwrap().messages[0].message_id, ids[2]);
    }

    async fn an_overdue_order_reads_as_expired_before_it_has_expired(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.ordered(10).await;
        // The clock does not advance, so no sweeper runs first.
        let now = market.app.server.clock().now();
        let sql = sql!("update service_request set due_at = $1");
        market.app.execute(move |ctx| ctx.tx.execute(sql, values![now])).await;
        assert_eq!(market.state(&id).await, json!({ "status": "expired", "offeredCredits": 10 }));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        market.is_consistent().await;
    }

    async fn unread_open_orders_can_be_listed(app: TestApp) {
        let market = Market::new(app).await;
        let [read, new] = [market.ordered(1).await, market.ordered(2).await];
        let conversation = market.bob.client.messages().get(&read).await.unwrap().message.conversation_id;
        market.bob.client.conversations().read(&conversation, &read).await.unwrap();
        let unread = async |member: &Member, order: Order| {
            let list = member.client.messages().list().request_status(RequestStatus::Open).unread(true);
            let found = all_items(list.order(order)).await.into_iter();
            found.map(|message| message.message_id).collect::<Vec<_>>()
        };
        for order in [Order::Asc, Order::Desc] {
            let of_bob = unread(&market.bob, order.clone()).await;
            assert_eq!(of_bob.iter().collect::<Vec<_>>(), [&new], "{order}");
            assert_eq!(unread(&market.ada, order).await, [], "what one sent is not unread");
        }
    }

    async fn open_orders_are_listed_from_a_time_on(app: TestApp) {
        let market = Market::new(app).await;
        market.ordered(1).await;
        market.app.advance(1);
        let since = market.app.server.clock().now();
        let [one, other] = [market.ordered(2).await, market.ordered(3).await];
        for member in [&market.ada, &market.bob] {
            for (sorted, expected) in [(Order::Asc, [&one, &other]), (Order::Desc, [&other, &one])] {
                let list = member.client.messages().list().request_status(RequestStatus::Open);
                let found = all_items(list.since(since).order(sorted)).await;
                let found = found.iter().map(|it| (&it.message_id, &*it.sender.username));
                assert_eq!(found.collect::<Vec<_>>(), expected.map(|id| (id, "ada")));
            }
        }
    }

    async fn an_open_order_is_not_listed_for_the_side_that_deleted_it(app: TestApp) {
        let market = Market::new(app).await;
        let [first, second] = [market.ordered(1).await, market.ordered(2).await];
        market.ada.client.messages().delete(&first).await.unwrap();
        market.bob.client.messages().delete(&second).await.unwrap();
        for order in [Order::Asc, Order::Desc] {
            for (member, left) in [(&market.ada, &second), (&market.bob, &first)] {
                let list = member.client.messages().list().request_status(RequestStatus::Open);
                let open = all_items(list.order(order.clone())).await;
                let open: Vec<_> = open.iter().map(|message| &message.message_id).collect();
                assert_eq!(open, [left], "{order}");
            }
        }
    }

    async fn an_account_with_an_open_order_cannot_be_deleted(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.ordered(5).await;
        for (member, name) in [(&market.ada, "ada"), (&market.bob, "bob")] {
            let error: Error = member.client.users().delete_me(name).await.unwrap_err();
            assert_eq!(error.hint(), Some(id.as_str()));
            assert_eq!(code::<DeleteMe>(Err(error)), Code::OpenObligations);
        }
        market.app.advance(86_400);
        market.bob.client.users().delete_me("bob").await.unwrap();
        market.ada.client.users().delete_me("ada").await.unwrap();
        market.is_consistent().await;
    }
}
