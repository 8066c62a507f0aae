//! Orders as samples of their services: proposed, agreed to, taken back, and who sees them.

mod ends;
mod lists;

use std::slice;

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::api::escrow::Deliverable;
use svc_client::types::api::orders::{
    AnswerSample, GetOrder, ProposeSample, ResponseStatus, SampleState, WithdrawSample,
};
use svc_client::types::api::services::{
    CreateService, ListSampleOrders, SAMPLES_BYTES_MAX, ServiceSample, UpdateService,
};
use svc_client::types::{Code, Endpoint, MessageId, Scope};
use svc_store::sql;

use crate::app::{Member, code, fault};
use crate::market::{Market, TOKEN, object, work};
use crate::on_both_engines;
use crate::raw::answer;

/// A request and a result that are given in the tests below.
fn input() -> Map<String, Value> {
    object(json!({ "text": "a bb" }))
}

fn output() -> Map<String, Value> {
    object(json!({ "words": 2 }))
}

fn sample(name: &str) -> ServiceSample {
    ServiceSample::new(object(json!({ "text": name })), object(json!({ "words": 1 })))
}

/// An order that bob completed with this result, for nothing.
async fn done(market: &Market, buyer: &Member, result: Map<String, Value>) -> MessageId {
    let placing = buyer.client.orders().create("bob", &market.service, input());
    let id = placing.max_credits(5).await.unwrap().order.id;
    let answering = market.bob.client.orders().answer(&id, ResponseStatus::Completed);
    answering.output(result).charged_credits(0).await.unwrap();
    id
}

/// The same, proposed as a sample.
async fn proposed(market: &Market) -> MessageId {
    let id = done(market, &market.ada, output()).await;
    market.bob.client.orders().propose_sample(&id).await.unwrap();
    id
}

/// What everyone sees of bob's samples.
async fn public(market: &Market) -> Vec<ServiceSample> {
    let read = market.app.anonymous.bots().capabilities("bob").await.unwrap();
    read.capabilities.into_iter().next().unwrap().samples
}

/// What bob sees of them.
async fn own(market: &Market) -> Vec<ServiceSample> {
    market.bob.client.services().list().await.unwrap().services.remove(0).samples
}

/// How far the sample of an order is, as both parties see it.
async fn state(market: &Market, id: &MessageId) -> Option<SampleState> {
    let seen = market.ada.client.orders().get(id).await.unwrap().order.sample;
    let other = market.bob.client.orders().get(id).await.unwrap().order.sample;
    assert_eq!(seen, other);
    seen.map(|sample| sample.state)
}

/// Acts on samples that an account heard of, oldest first.
async fn heard(member: &Member) -> Vec<String> {
    let events = member.client.events().list().limit(100).await.unwrap().events;
    let actions = events.into_iter().filter(|event| &*event.event == "order").map(|event| {
        let data = Value::from(event.data);
        data["action"].as_str().unwrap().to_owned()
    });
    actions.filter(|action| action.starts_with("sample_")).collect()
}

/// Texts of the latest notifications of an account, newest first.
async fn notices(member: &Member, count: usize) -> Vec<String> {
    let listed = member.client.notifications().list().await.unwrap().notifications;
    listed.into_iter().take(count).filter_map(|notice| notice.text).collect()
}

/// Code and hint of a refusal.
#[track_caller]
fn refused<E: Endpoint>(result: Result<E::Response, svc_client::Error>) -> (Code, String) {
    let error = result.expect_err("the call should have been refused");
    let hint = error.hint().unwrap_or("").to_owned();
    (code::<E>(Err(error)), hint)
}

on_both_engines! {
    async fn an_order_becomes_a_sample_once_its_buyer_agrees(app: TestApp) {
        let market = Market::new(app).await;
        let id = done(&market, &market.ada, output()).await;
        let path = format!("/orders/{id}/sample");
        let put = answer(market.bob.raw(&market.app, Method::PUT, &path)).await;
        assert_eq!(put.status, 200, "{}", put.text);
        let made = put.json();
        assert_eq!(made, json!({ "state": "proposed", "proposedAt": made["proposedAt"] }));
        assert_eq!(public(&market).await, [], "nobody but the two sees it");
        let content = json!({ "input": { "text": "a bb" }, "output": { "words": 2 } });
        for party in [&market.ada, &market.bob] {
            let seen = answer(party.raw(&market.app, Method::GET, &format!("/orders/{id}"))).await.json();
            assert_eq!(seen["order"]["sample"], json!({
                "state": "proposed", "proposedAt": made["proposedAt"], "content": content,
            }));
        }
        let again = market.bob.client.orders().propose_sample(&id).await.unwrap();
        assert_eq!(again.state, SampleState::Proposed);
        assert_eq!(heard(&market.ada).await, ["sample_proposed"], "asked once");
        assert_eq!(notices(&market.ada, 1).await, ["@bob asks to show an order of @ada as a sample"]);

        market.app.advance(60);
        let path = format!("/orders/{id}/sample/answer");
        let agreed = answer(market.ada.raw(&market.app, Method::POST, &path).json(&json!({ "accept": true }))).await;
        assert_eq!((agreed.status.as_u16(), &agreed.json()["state"]), (200, &json!("agreed")), "{}", agreed.text);
        assert_eq!(public(&market).await, [ServiceSample::new(input(), output())]);
        let shown = own(&market).await.remove(0);
        assert_eq!((shown.order_id.as_ref(), &shown.input), (Some(&id), &input()), "its seller sees the order");
        let twice = market.ada.client.orders().answer_sample(&id, true).await.unwrap();
        assert_eq!((twice.state, public(&market).await.len()), (SampleState::Agreed, 1));
        let contrary = refused::<AnswerSample>(market.ada.client.orders().answer_sample(&id, false).await);
        assert_eq!(contrary, (Code::WrongState, "agreed".to_owned()));
        assert_eq!(heard(&market.bob).await, ["sample_agreed"]);
        assert_eq!(notices(&market.bob, 1).await, ["@ada agreed: @bob shows the order as a sample"]);
        for party in [&market.ada, &market.bob] {
            party.client.messages().delete(&id).await.unwrap();
        }
        let shown = market.ada.client.orders().get(&id).await.unwrap().order.sample.unwrap();
        assert_eq!(shown.content, Some(ServiceSample::new(input(), output())), "what is shown, and so can be taken off");
        market.is_consistent().await;
    }

    async fn of_an_escrow_the_delivery_is_shown_without_its_token(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (&market.ada.client, &market.bob.client);
        let paid = async |work: Deliverable| {
            let escrow = market.open(10).await.id;
            let mut asked = market.with_escrow(10, &escrow);
            asked.input = object(json!({ "text": "a bb", "accessToken": TOKEN }));
            let id = market.ordering(asked).await.unwrap().message.message_id;
            bob.escrow().deliver(&escrow, work).await.unwrap();
            let early = refused::<ProposeSample>(bob.orders().propose_sample(&id).await);
            assert_eq!(early, (Code::WrongState, "open".to_owned()));
            ada.escrow().release(&escrow).await.unwrap();
            bob.orders().propose_sample(&id).await.unwrap();
            ada.orders().answer_sample(&id, true).await.unwrap();
        };
        paid(work()).await;
        let mut json_work = Deliverable::new("json");
        json_work.rest = object(json!({ "data": { "words": 2 } }));
        paid(json_work).await;
        let by_hand = object(json!({ "repository": "https://git.example.org/report", "branch": "main" }));
        let expected = [by_hand, output()].map(|output| ServiceSample::new(input(), output));
        assert_eq!(public(&market).await, expected);
        market.is_consistent().await;
    }

    async fn only_the_parties_act_each_for_their_side(app: TestApp) {
        let market = Market::new(app).await;
        let eve = market.app.agent("eve").await;
        let judge = market.app.agent("judge").await;
        market.app.grant_role("judge", "moderator").await;
        let id = done(&market, &market.ada, output()).await;
        for stranger in [&eve, &judge] {
            let orders = stranger.client.orders();
            assert_eq!(code::<ProposeSample>(orders.propose_sample(&id).await), Code::NotFound);
            assert_eq!(code::<AnswerSample>(orders.answer_sample(&id, true).await), Code::NotFound);
            assert_eq!(code::<WithdrawSample>(orders.withdraw_sample(&id).await), Code::NotFound);
            let listed = stranger.client.services().sample_orders("bob", &market.service).await;
            assert_eq!(code::<ListSampleOrders>(listed), Code::Forbidden);
        }
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        assert_eq!(code::<ProposeSample>(ada.propose_sample(&id).await), Code::Forbidden);
        assert_eq!(code::<AnswerSample>(bob.answer_sample(&id, true).await), Code::Forbidden);
        assert_eq!(code::<AnswerSample>(ada.answer_sample(&id, true).await), Code::NotFound, "nobody asks");
        let key = async |member: &Member, scope: Scope| {
            let made = member.client.keys().create(scope.as_str(), vec![scope.clone()]).await.unwrap();
            market.app.client(made.api_key)
        };
        let spends = key(&market.bob, Scope::ExchangeSpend).await;
        let refused = spends.orders().propose_sample(&id).await;
        assert_eq!(code::<ProposeSample>(refused), Code::InsufficientScope);
        let refused = spends.orders().withdraw_sample(&id).await;
        assert_eq!(code::<WithdrawSample>(refused), Code::InsufficientScope);
        let sells = key(&market.ada, Scope::ExchangeSell).await;
        let refused = sells.orders().withdraw_sample(&id).await;
        assert_eq!(code::<WithdrawSample>(refused), Code::InsufficientScope);
        assert_eq!(state(&market, &id).await, None);
    }

    async fn what_may_not_be_a_sample_is_refused_where_it_is_proposed(app: TestApp) {
        let market = Market::new(app).await;
        let bob = market.bob.client.orders();
        let open = market.ordered(5).await;
        let early = refused::<ProposeSample>(bob.propose_sample(&open).await);
        assert_eq!(early, (Code::WrongState, "open".to_owned()));
        // The clock does not advance, so no sweeper ends it first.
        let overdue = sql!("update service_request set due_at = created_at where state = 'open'");
        market.app.execute(move |ctx| ctx.tx.execute(overdue, &[])).await;
        let late = refused::<ProposeSample>(bob.propose_sample(&open).await);
        assert_eq!(late, (Code::WrongState, "expired".to_owned()));
        let empty = done(&market, &market.ada, Map::new()).await;
        assert_eq!(refused::<ProposeSample>(bob.propose_sample(&empty).await), (Code::WrongState, "empty".to_owned()));
        let large = object(json!({ "text": "x".repeat(SAMPLES_BYTES_MAX) }));
        let large = done(&market, &market.ada, large).await;
        let error = bob.propose_sample(&large).await.unwrap_err();
        assert!(error.to_string().contains("at most 16 KiB"), "{error}");
        assert_eq!(code::<ProposeSample>(Err(error)), Code::ValidationFailed);
        let fitting = done(&market, &market.ada, output()).await;
        let listed = market.bob.client.services().sample_orders("bob", &market.service).await.unwrap();
        let ids: Vec<_> = listed.orders.iter().map(|order| order.order_id.clone()).collect();
        assert_eq!(ids, slice::from_ref(&fitting), "only what can be one is listed");

        let schema = object(json!({ "properties": { "words": { "type": "string" } } }));
        let update = || market.bob.client.services().update(&market.service);
        update().output_schema(schema).await.unwrap();
        let error = bob.propose_sample(&fitting).await.unwrap_err();
        assert!(error.to_string().contains("output/words of the order must fit outputSchema"), "{error}");
        assert_eq!(code::<ProposeSample>(Err(error)), Code::ValidationFailed);
        update().output_schema(Map::new()).samples([sample("a"), sample("b"), sample("c")]).await.unwrap();
        assert_eq!(code::<ProposeSample>(bob.propose_sample(&fitting).await), Code::LimitReached);
        update().samples([sample("a"), sample("b")]).await.unwrap();
        bob.propose_sample(&fitting).await.unwrap();
        for _ in 1..10 {
            proposed(&market).await;
        }
        let eleventh = done(&market, &market.ada, output()).await;
        assert_eq!(code::<ProposeSample>(bob.propose_sample(&eleventh).await), Code::LimitReached);
        assert_eq!(heard(&market.ada).await.len(), 10);
    }

    async fn what_no_longer_fits_is_refused_where_it_is_agreed_to_and_nothing_changes(app: TestApp) {
        let market = Market::new(app).await;
        let ada = market.ada.client.orders();
        let [one, other] = [proposed(&market).await, proposed(&market).await];
        let update = || market.bob.client.services().update(&market.service);
        let schema = object(json!({ "required": ["language"] }));
        update().input_schema(schema).await.unwrap();
        assert_eq!(code::<AnswerSample>(ada.answer_sample(&one, true).await), Code::ValidationFailed);
        update().input_schema(Map::new()).samples([sample("a"), sample("b")]).await.unwrap();
        ada.answer_sample(&one, true).await.unwrap();
        assert_eq!(code::<AnswerSample>(ada.answer_sample(&other, true).await), Code::LimitReached);
        assert_eq!(state(&market, &other).await, Some(SampleState::Proposed));
        assert_eq!(public(&market).await.len(), 3);
        update().samples([]).await.unwrap();
        ada.answer_sample(&other, true).await.unwrap();
        let ids = own(&market).await.into_iter().map(|sample| sample.order_id);
        assert_eq!(ids.collect::<Vec<_>>(), [Some(one), Some(other)]);
    }

    async fn changes_of_the_service_leave_samples_of_orders_as_they_are(app: TestApp) {
        let market = Market::new(app).await;
        let id = proposed(&market).await;
        market.ada.client.orders().answer_sample(&id, true).await.unwrap();
        let services = market.bob.client.services();
        let update = || services.update(&market.service);
        let known = own(&market).await.remove(0);
        let changed = update().samples([sample("a")]).await.unwrap().service.samples;
        assert_eq!(changed, [sample("a"), known.clone()]);
        let mut altered = known.clone();
        altered.output = object(json!({ "words": 9 }));
        let changed = update().samples([altered.clone(), sample("b")]).await.unwrap().service.samples;
        assert_eq!(changed, [known.clone(), sample("b")], "what was agreed to is shown");
        let full = update().samples([sample("a"), sample("b"), sample("c")]).await.unwrap_err();
        assert!(full.to_string().contains("together with the 1 of orders"), "{full}");
        assert_eq!(fault::<UpdateService>(Err(full)), (Code::ValidationFailed, "samples".into()));
        altered.order_id = Some("msg_0000000000000".into());
        let foreign = update().samples([altered.clone()]).await;
        assert_eq!(fault::<UpdateService>(foreign), (Code::ValidationFailed, "/samples/0/orderId".into()));
        let new = services.create("other", "is new", 5).samples([altered]).await;
        assert_eq!(fault::<CreateService>(new), (Code::ValidationFailed, "/samples/0/orderId".into()));
        let unfit = update().output_schema(object(json!({ "required": ["pages"] }))).samples([]).await;
        let error = unfit.unwrap_err();
        assert_eq!(error.hint(), Some(&*format!("take it off first: DELETE /orders/{id}/sample")));
        assert_eq!(error.field(), Some("samples"), "it was not sent");
        let most = || update().output_schema(object(json!({ "properties": { "words": { "maximum": 5 } } })));
        let mut large = sample("c");
        large.output = object(json!({ "words": 9 }));
        let unfit = most().samples([known.clone(), large]).await;
        assert_eq!(fault::<UpdateService>(unfit), (Code::ValidationFailed, "/samples/1/output/words".into()));
        let twice = update().samples([known.clone(), known.clone()]).await;
        assert_eq!(fault::<UpdateService>(twice), (Code::ValidationFailed, "/samples/1/orderId".into()));
        let many = update().samples(vec![known.clone(); 100]).await;
        assert_eq!(fault::<UpdateService>(many), (Code::ValidationFailed, "samples".into()));
        update().samples([]).await.unwrap();
        assert_eq!(own(&market).await, [known]);
    }

    async fn of_contradicting_answers_one_counts(app: TestApp) {
        let market = Market::new(app).await;
        let id = proposed(&market).await;
        let orders = market.ada.client.orders();
        let answers = [true, false, true, false].map(|accept| {
            let id = id.clone();
            async move { (accept, orders.answer_sample(&id, accept).await.is_ok()) }
        });
        let answers = futures_util::future::join_all(answers).await;
        let agreed = state(&market, &id).await == Some(SampleState::Agreed);
        for (accept, is_taken) in answers {
            assert_eq!(is_taken, accept == agreed, "all that say the same are answered alike");
        }
        assert_eq!(public(&market).await.len(), usize::from(agreed));
        assert_eq!(heard(&market.bob).await.len(), 1);
        let other = proposed(&market).await;
        let agreeing = orders.answer_sample(&other, true).into_future();
        let withdrawing = market.bob.client.orders().withdraw_sample(&other).into_future();
        let (answered, withdrawn) = futures_util::future::join(agreeing, withdrawing).await;
        assert!(withdrawn.unwrap().deleted);
        assert!(answered.is_ok() || answered.is_err_and(|error| error.code() == Some(&Code::WrongState)));
        assert_eq!(public(&market).await.len(), usize::from(agreed), "it is withdrawn in any order");
        market.is_consistent().await;
    }

    async fn the_owner_of_a_bot_proposes_its_orders(app: TestApp) {
        let market = Market::new(app).await;
        let ann = market.app.person("ann", "correct horse").await;
        let link = market.bob.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        let id = done(&market, &market.ada, output()).await;
        let listed = async || {
            let list = ann.client.services().sample_orders("bob", &market.service).await.unwrap();
            serde_json::to_value(list).unwrap()["orders"][0].clone()
        };
        let order = listed().await;
        assert_eq!(order, json!({
            "orderId": id, "buyerUsername": "ada", "closedAt": order["closedAt"],
            "content": { "input": { "text": "a bb" }, "output": { "words": 2 } },
        }));
        ann.client.orders().propose_sample(&id).await.unwrap();
        assert_eq!(listed().await["state"], "proposed");
        assert_eq!(heard(&market.ada).await, ["sample_proposed"]);
        let notice = market.ada.client.notifications().list().await.unwrap().notifications.remove(0);
        assert_eq!(notice.actor.unwrap().username, "bob", "an agent may hide its owner");
        let read = ann.client.orders().get(&id).await;
        assert_eq!(code::<GetOrder>(read), Code::NotFound, "the order itself is of the parties");
        let answering = ann.client.orders().answer_sample(&id, true).await;
        assert_eq!(code::<AnswerSample>(answering), Code::Forbidden);
        market.ada.client.orders().answer_sample(&id, true).await.unwrap();
        assert_eq!(listed().await["state"], "agreed");
        ann.client.orders().withdraw_sample(&id).await.unwrap();
        assert_eq!(public(&market).await, []);
    }

    async fn a_buyer_who_blocks_the_seller_is_notified_of_no_proposal(app: TestApp) {
        let market = Market::new(app).await;
        let id = done(&market, &market.ada, output()).await;
        market.ada.client.relations().block("bob").await.unwrap();
        market.bob.client.orders().propose_sample(&id).await.unwrap();
        assert_eq!(heard(&market.ada).await, Vec::<String>::new());
        assert_eq!(state(&market, &id).await, Some(SampleState::Proposed), "the order says so");
        market.ada.client.orders().answer_sample(&id, false).await.unwrap();
        assert_eq!(heard(&market.bob).await, ["sample_declined"]);
    }
}
