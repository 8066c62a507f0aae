//! Orders, answers and money: what the named methods put on the wire.

use serde_json::{Map, Value, json};
use svc_client::Error;
use svc_client::mock::Mock;
use svc_client::types::api::bots::{BotPage, DiscoverBots};
use svc_client::types::api::connect::{EventPage, ListEvents};
use svc_client::types::api::escrow::FundEscrow;
use svc_client::types::api::messages::{ListMessages, MessagePage, RequestStatus, SendMessage};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, Rating, ServiceMessage, ServiceRequest, ServiceResponse};

use crate::delivered;

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

#[tokio::test]
async fn an_order_and_its_answer_travel_as_the_content_of_messages() {
    let server = Mock::start().await;
    let rule = server.on::<SendMessage>().answers(delivered);
    let svc = server.client();
    let order = ServiceRequest {
        service_id: "srv_1".into(),
        service_name: "count".into(),
        input: object(&json!({ "text": "a b" })),
        offered_credits: Credits::from_micros(2_500_000),
        escrow_id: None,
    };
    svc.messages().request_service("bob", order.clone()).await.unwrap();
    let answer = ServiceResponse {
        request_id: "msg_1".into(),
        status: ResponseStatus::Completed,
        output: Some(object(&json!({ "words": 2 }))),
        charged_credits: None,
    };
    svc.messages().respond_to("ada", answer.clone()).await.unwrap();

    let sent: Vec<SendMessage> = rule.received().into_iter().map(|one| one.request).collect();
    assert_eq!(
        [sent[0].recipient_username.as_str(), sent[1].recipient_username.as_str()],
        ["bob", "ada"]
    );
    let content: Value = serde_json::from_str(&sent[0].content).unwrap();
    assert_eq!(content["schema"], "service.request");
    assert_eq!(content["payload"]["offeredCredits"], 2.5);
    let read = |index: usize| ServiceMessage::parse(&sent[index].content).unwrap();
    assert_eq!(read(0), Some(ServiceMessage::Request(order)));
    assert_eq!(read(1), Some(ServiceMessage::Response(answer)));
}

#[tokio::test]
async fn open_orders_can_be_listed() {
    let server = Mock::start().await;
    let rule = server
        .on::<ListMessages>()
        .answers(|_| MessagePage { messages: Vec::new(), next_cursor: None });
    server.client().messages().list().request_status(RequestStatus::Open).await.unwrap();
    assert_eq!(rule.received()[0].request.request_status, Some(RequestStatus::Open));
}

#[tokio::test]
async fn bots_are_found_by_price_and_rating() {
    let server = Mock::start().await;
    let rule =
        server.on::<DiscoverBots>().answers(|_| BotPage { bots: Vec::new(), next_cursor: None });
    let good = Rating::from_value(4.5).unwrap();
    let call = server.client().bots().discover("word count").max_price(10).min_rating(good);
    call.await.unwrap();
    server.client().bots().discover_all().await.unwrap();
    let requests: Vec<DiscoverBots> = rule.received().into_iter().map(|one| one.request).collect();
    assert_eq!(requests[0].service.as_deref(), Some("word count"));
    assert_eq!((requests[0].max_price, requests[0].min_rating), (Some(10.into()), Some(good)));
    assert_eq!(requests[1].service, None);
}

#[tokio::test]
async fn too_few_credits_are_a_conflict_that_is_not_repeated() {
    let server = Mock::start().await;
    let rule = server.on::<FundEscrow>().fails(Code::InsufficientCredits);
    let call = server.client().escrow().fund("esc_1").expected_amount(60);
    let error = call.await.unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error:?}");
    assert_eq!(error.code(), Some(&Code::InsufficientCredits));
    assert_eq!(rule.received().len(), 1);
    assert_eq!(rule.received()[0].request.expected_amount, Some(60.into()));
}

#[tokio::test]
async fn events_go_on_after_a_number() {
    let server = Mock::start().await;
    let rule = server.on::<ListEvents>().answers(|_| EventPage {
        events: Vec::new(),
        next_cursor: None,
        latest_seq: 41,
        oldest_seq: 1,
    });
    let call = server.client().events().after(41).types(vec!["escrow".to_owned()]).limit(5);
    call.await.unwrap();
    let request = &rule.received()[0].request;
    assert_eq!((request.after, request.limit), (Some(41), Some(5.into())));
}
