//! Answers to orders: what they pay, what they are refused for, and orders paid by an escrow
//! (spec §2.5, §3.2).

use serde_json::{Value, json};
use svc_client::types::api::messages::{RequestStatus, SendMessage};
use svc_client::types::api::orders::AnswerOrder;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, MessageId, ServiceRequest, ServiceResponse};

use crate::app::{Member, fault};
use crate::market::{Market, has, object, offer, order, refusal, response};
use crate::on_both_engines;

const NO_MESSAGE: &str = "msg_00000000000000000000000000";

on_both_engines! {
    async fn each_answer_has_its_outcome(app: TestApp) {
        let market = Market::new(app).await;
        let micros = Credits::from_micros;
        for (status, charged, paid, state) in [
            (ResponseStatus::Completed, None, 10_000_000, "completed"),
            (ResponseStatus::Completed, Some(micros(10_000_000)), 10_000_000, "completed"),
            (ResponseStatus::Completed, Some(micros(1)), 1, "completed"),
            (ResponseStatus::Completed, Some(micros(0)), 0, "completed"),
            (ResponseStatus::Rejected, None, 0, "rejected"),
            (ResponseStatus::Rejected, Some(micros(0)), 0, "rejected"),
            (ResponseStatus::Error, None, 0, "error"),
        ] {
            let has = |member: &Member| member.client.credits().balance().into_future();
            let before = has(&market.bob).await.unwrap().credits.available.micros();
            let id = market.ordered(10).await;
            let answered = market.answer(ServiceResponse { charged_credits: charged, ..response(&id, status) }).await;
            let seen = market.state(&id).await;
            assert_eq!((&seen["status"], &seen["responseMessageId"]), (&json!(state), &json!(answered.message_id)));
            let reported = seen["chargedCredits"].as_f64();
            let expected = f64::from(u32::try_from(paid).unwrap()) / 1e6;
            assert_eq!(reported, (state == "completed").then_some(expected));
            assert_eq!(has(&market.bob).await.unwrap().credits.available.micros(), before + paid);
        }
        assert_eq!(market.have().await, ["79.999999+0", "120.000001+0"]);
        market.is_consistent().await;
    }

    async fn the_charge_never_exceeds_the_offer(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.ordered(10).await;
        let charge = |status, micros| ServiceResponse {
            charged_credits: Some(Credits::from_micros(micros)), ..response(&id, status)
        };
        let field = || "/payload/chargedCredits".to_owned();
        let over = market.answering(charge(ResponseStatus::Completed, 10_000_001)).await;
        assert_eq!(fault::<SendMessage>(over), (Code::ChargeExceedsOffer, field()));
        for status in [ResponseStatus::Rejected, ResponseStatus::Error] {
            let charged = market.answering(charge(status, 1)).await;
            assert_eq!(fault::<SendMessage>(charged), (Code::InvalidServiceMessage, field()));
        }
        let delivered = market.answering(response(&id, ResponseStatus::Delivered)).await;
        assert_eq!(fault::<SendMessage>(delivered), (Code::InvalidServiceMessage, "/payload/status".to_owned()));
        assert_eq!(market.state(&id).await["status"], "open");
        assert_eq!(market.have().await, ["90+10", "100+0"]);
        market.answer(charge(ResponseStatus::Completed, 10_000_000)).await;
        assert_eq!(market.have().await, ["90+0", "110+0"]);
    }

    async fn only_the_provider_answers_and_only_the_requester(app: TestApp) {
        let market = Market::new(app).await;
        let [cyd, dan] = market.app.agents(["cyd", "dan"]).await;
        let id = market.ordered(5).await;
        let text = market.ada.write(&market.bob, "no order").await.message_id;
        let done = |id: &MessageId| response(id, ResponseStatus::Completed);
        let to = |from: &Member, to: &str, id: &MessageId| from.client.messages().respond_to(to, done(id));
        let unknown = (Code::RequestNotFound, "/payload/requestId".to_owned());
        for other in [&NO_MESSAGE.into(), &"nonsense".into(), &text] {
            assert_eq!(fault::<SendMessage>(market.answering(done(other)).await), unknown, "{other}");
        }
        assert_eq!(fault::<SendMessage>(to(&cyd, "ada", &id).await), unknown);
        assert_eq!(fault::<SendMessage>(to(&cyd, "bob", &id).await), unknown);
        assert_eq!(refusal(to(&market.ada, "bob", &id)).await.0, Code::Forbidden);
        assert_eq!(refusal(to(&market.bob, "cyd", &id)).await.0, Code::Forbidden);
        assert_eq!(dan.client.messages().list().await.unwrap().messages, []);
        assert_eq!(market.have().await, ["95+5", "100+0"]);
    }

    async fn the_first_closing_answer_counts(app: TestApp) {
        let market = Market::new(app).await;
        for (first, word) in [
            (ResponseStatus::Completed, "completed"), (ResponseStatus::Rejected, "rejected"), (ResponseStatus::Error, "error"),
        ] {
            let id = market.ordered(5).await;
            market.answer(response(&id, first)).await;
            let before = market.have().await;
            for next in [ResponseStatus::Completed, ResponseStatus::Rejected, ResponseStatus::Error] {
                let (code, _, hint) = refusal(market.answering(response(&id, next))).await;
                assert_eq!((code, &*hint), (Code::RequestClosed, word));
            }
            assert_eq!(market.have().await, before);
        }
        market.is_consistent().await;
    }

    async fn an_unanswered_order_expires(app: TestApp) {
        let market = Market::new(app).await;
        let (one, other) = (market.ordered(5).await, market.ordered(7).await);
        market.app.advance(86_399);
        market.answer(response(&one, ResponseStatus::Completed)).await;
        market.app.advance(1);
        let (code, _, hint) = refusal(market.answering(response(&other, ResponseStatus::Completed))).await;
        assert_eq!((code, &*hint), (Code::RequestClosed, "expired"), "the instant itself is too late");
        assert_eq!(market.state(&other).await["status"], "expired");
        assert_eq!(market.state(&other).await["responseMessageId"], Value::Null);
        for party in [&market.ada, &market.bob] {
            let events = party.client.events().list().await.unwrap().events;
            let told = events.iter().rfind(|event| event.event == "service").unwrap();
            assert_eq!((&told.data["requestId"], &told.data["status"]), (&json!(other), &json!("expired")));
        }
        assert_eq!(market.have().await, ["95+0", "105+0"]);
        market.is_consistent().await;
    }

    async fn readers_never_see_overdue_state(app: TestApp, "exchange.request_life" = "1m") {
        let market = Market::new(app).await;
        let id = market.ordered(5).await;
        market.app.advance(60);
        assert_eq!(market.state(&id).await["status"], "expired");
        let id = market.ordered(7).await;
        assert_eq!(market.bob.client.messages().unread_count().await.unwrap().unread.service_requests, 1);
        market.app.advance(60);
        assert_eq!(market.bob.client.messages().unread_count().await.unwrap().unread.service_requests, 0);
        let open = market.ada.client.messages().list().request_status(RequestStatus::Open);
        assert_eq!(open.await.unwrap().messages, []);
        assert_eq!(has(&market.ada).await, "100+0");
        assert_eq!(market.ada.client.messages().get(&id).await.unwrap().message.request.unwrap().status, RequestStatus::Expired);
        let kinds: Vec<_> = market.ada.client.credits().transactions().await.unwrap().transactions;
        assert_eq!(kinds.len(), 5);
        market.is_consistent().await;
    }

    async fn a_suspended_bot_may_answer_but_not_order(app: TestApp) {
        let market = Market::new(app).await;
        let back = offer(&market.ada, "back", 1).await;
        let (one, other) = (market.ordered(5).await, market.ordered(5).await);
        market.app.suspend("bob").await;
        let ordering = market.bob.client.messages().request_service("ada", order(&back, 1));
        assert_eq!(refusal(ordering).await.0, Code::AccountSuspended);
        assert_eq!(refusal(market.bob.client.messages().send("ada", "{ text")).await.0, Code::AccountSuspended);
        assert_eq!(fault::<SendMessage>(market.ordering(market.order(5)).await).0, Code::NotFound);
        market.answer(response(&one, ResponseStatus::Completed)).await;
        market.app.suspend("ada").await;
        market.answer(response(&other, ResponseStatus::Rejected)).await;
        assert_eq!(market.have().await, ["95+0", "105+0"]);
        market.is_consistent().await;
    }

    async fn an_order_may_be_paid_by_an_escrow(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(50).await.id;
        let sent = market.ordering(market.with_escrow(50, &escrow)).await.unwrap().message;
        let id = sent.message_id;
        assert_eq!(market.state(&id).await, json!({ "status": "open", "offeredCredits": 50, "escrowId": escrow }));
        assert_eq!(market.have().await, ["50+50", "100+0"], "nothing is held twice");
        let say = |status| market.answering(response(&id, status));
        for early in [ResponseStatus::Completed, ResponseStatus::Delivered] {
            let (code, _, hint) = refusal(say(early)).await;
            assert_eq!((code, &*hint), (Code::WrongState, "funded"));
        }
        market.deliver(&escrow).await;
        say(ResponseStatus::Delivered).await.unwrap();
        assert_eq!(market.state(&id).await["status"], "open");
        assert_eq!(refusal(say(ResponseStatus::Completed)).await.2, "delivered");
        market.ada.client.escrow().release(&escrow).await.unwrap();
        assert_eq!(market.state(&id).await["status"], "completed");
        say(ResponseStatus::Delivered).await.unwrap();
        let other = ServiceResponse { charged_credits: Some(49.into()), ..response(&id, ResponseStatus::Completed) };
        assert_eq!(refusal(market.answering(other)).await.0, Code::ChargeExceedsOffer);
        let echo = ServiceResponse { charged_credits: Some(50.into()), ..response(&id, ResponseStatus::Completed) };
        market.answer(echo).await;
        assert_eq!(market.state(&id).await["status"], "completed");
        assert_eq!(market.have().await, ["50+0", "150+0"]);
        market.is_consistent().await;
    }

    async fn a_blocked_or_suspended_seller_reports_no_delivery_of_an_order_that_is_over(
        app: TestApp
    ) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await.id;
        let id = market.ordering(market.with_escrow(10, &escrow)).await.unwrap().message.message_id;
        let report = || market.answering(response(&id, ResponseStatus::Delivered));
        market.deliver(&escrow).await;
        market.ada.client.relations().block("bob").await.unwrap();
        report().await.expect("the order is open");
        market.ada.client.escrow().release(&escrow).await.unwrap();
        let closed = (Code::RequestClosed, "completed".to_owned());
        let (code, _, hint) = refusal(report()).await;
        assert_eq!((code, hint), closed);
        market.ada.client.relations().unblock("bob").await.unwrap();
        report().await.expect("an honest seller is a moment late");
        market.app.suspend("bob").await;
        let (code, _, hint) = refusal(report()).await;
        assert_eq!((code, hint), closed);
        market.answer(response(&id, ResponseStatus::Completed)).await;
        market.is_consistent().await;
    }

    async fn an_answer_to_what_an_escrow_paid_need_not_name_the_amount(app: TestApp) {
        let market = Market::new(app).await;
        for charged in [None, Some(Credits::from_micros(0))] {
            let escrow = market.open(10).await.id;
            let id = market.ordering(market.with_escrow(10, &escrow)).await.unwrap().message.message_id;
            market.deliver(&escrow).await;
            market.ada.client.escrow().release(&escrow).await.unwrap();
            let done = response(&id, ResponseStatus::Completed);
            let answered = market.answer(ServiceResponse { charged_credits: charged, ..done }).await;
            assert_eq!(market.state(&id).await["responseMessageId"], json!(answered.message_id));
        }
        assert_eq!(market.have().await, ["80+0", "120+0"]);
    }

    async fn the_delivery_of_an_order_names_no_other_escrow(app: TestApp) {
        let market = Market::new(app).await;
        let (escrow, other) = (market.open(10).await.id, market.open(40).await.id);
        let id = market.ordering(market.with_escrow(10, &escrow)).await.unwrap().message.message_id;
        market.deliver(&escrow).await;
        let naming = |escrow: Value| {
            let output = object(json!({ "escrowId": escrow, "message": "done" }));
            let delivered = response(&id, ResponseStatus::Delivered);
            market.answering(ServiceResponse { output: Some(output), ..delivered })
        };
        for wrong in [json!(other), json!("nonsense"), json!(7)] {
            let refused = fault::<SendMessage>(naming(wrong).await);
            assert_eq!(refused, (Code::InvalidServiceMessage, "/payload/output/escrowId".to_owned()));
        }
        let output = object(json!({ "escrowId": other }));
        let answering = market.bob.client.orders().answer(&id, ResponseStatus::Delivered).output(output);
        let refused = fault::<AnswerOrder>(answering.await);
        assert_eq!(refused, (Code::InvalidServiceMessage, "/output/escrowId".to_owned()));
        naming(json!(escrow)).await.unwrap();
        naming(Value::Null).await.unwrap();
        market.is_consistent().await;
    }

    async fn an_escrow_is_for_one_buyer_service_and_amount(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let others = offer(&cyd, "work", 5).await;
        let more = offer(&market.bob, "more", 5).await;
        let back = offer(&market.ada, "back", 5).await;
        let escrow = market.open(10).await.id;
        let about = "/payload/escrowId".to_owned();
        for id in ["esc_00000000000000000000000000", "nonsense"] {
            let none = market.ordering(market.with_escrow(10, &id.into())).await;
            assert_eq!(fault::<SendMessage>(none), (Code::NotFound, about.clone()));
        }
        let foreign = cyd.client.messages().request_service("bob", market.with_escrow(10, &escrow));
        assert_eq!(fault::<SendMessage>(foreign.await), (Code::NotFound, about.clone()));
        let by_provider = ServiceRequest { escrow_id: Some(escrow.clone()), ..order(&back, 10) };
        let by_provider = market.bob.client.messages().request_service("ada", by_provider);
        assert_eq!(fault::<SendMessage>(by_provider.await), (Code::Forbidden, about.clone()));
        let mismatch = (Code::EscrowMismatch, about.clone());
        assert_eq!(fault::<SendMessage>(market.ordering(market.with_escrow(9, &escrow)).await), mismatch);
        let other = ServiceRequest { escrow_id: Some(escrow.clone()), ..order(&more, 10) };
        assert_eq!(fault::<SendMessage>(market.ordering(other).await), mismatch);
        let other = ServiceRequest { escrow_id: Some(escrow.clone()), ..order(&others, 10) };
        let other = market.ada.client.messages().request_service("cyd", other);
        assert_eq!(fault::<SendMessage>(other.await), mismatch);

        let unpaid = market.open(1_000).await.id;
        let (code, field, hint) = refusal(market.ordering(market.with_escrow(1_000, &unpaid))).await;
        assert_eq!((code, field, &*hint), (Code::WrongState, about.clone(), "created"));
        let first = market.ordering(market.with_escrow(10, &escrow)).await.unwrap().message.message_id;
        let (code, _, hint) = refusal(market.ordering(market.with_escrow(10, &escrow))).await;
        assert_eq!((code, hint), (Code::EscrowInUse, first.to_string()));
        market.answer(response(&first, ResponseStatus::Rejected)).await;
        assert_eq!(market.seen(&escrow).await.status.as_str(), "funded", "a rejection leaves the escrow alone");
        market.ordering(market.with_escrow(10, &escrow)).await.unwrap();
        market.is_consistent().await;
    }

    async fn orders_of_a_withdrawn_service_can_still_be_answered(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.ordered(5).await;
        market.bob.client.services().delete(&market.service).await.unwrap();
        market.answer(response(&id, ResponseStatus::Completed)).await;
        assert_eq!(market.have().await, ["95+0", "105+0"]);
    }
}
