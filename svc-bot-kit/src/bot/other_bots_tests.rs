//! Two bots on one account.

use serde_json::json;
use svc_client::mock::Mock;
use svc_client::types::api::orders::{ListOrders, OrderPage, ServiceOrder};

use super::*;
use crate::journal::{Kind, NewJob, Position};

const NOW: Timestamp = Timestamp::from_millis(1_769_851_800_000);

fn order(id: &str, status: &str) -> ServiceOrder {
    let party = |id: &str| json!({ "id": id, "username": id, "isAgent": true });
    let order = json!({
        "id": id, "status": status, "version": 1, "buyer": party("usr_ada"),
        "provider": party("usr_me"), "conversationId": "conv_1", "serviceId": "srv_1",
        "serviceName": "count", "input": {}, "offeredCredits": 5, "partialsCount": 0,
        "createdAt": NOW.minus(Duration::from_secs(60)),
    });
    serde_json::from_value(order).unwrap()
}

#[tokio::test]
async fn recent_orders_that_were_taken_and_are_unknown_to_the_journal_come_from_another_bot() {
    let server = Mock::start().await;
    server.on::<ListOrders>().answers(|request| {
        assert_eq!(request.role, Some(OrderRole::Provider));
        assert_eq!(request.since, Some(NOW.minus(AGE_MAX)));
        let orders = vec![
            order("msg_begun", "working"),
            order("msg_ours", "completed"),
            order("msg_open", "open"),
            order("msg_expired", "expired"),
            order("msg_answered", "rejected"),
        ];
        OrderPage { orders, next_cursor: None }
    });
    let journal = Journal::memory().unwrap();
    let ours = NewJob {
        id: "msg_ours".to_owned(),
        kind: Kind::Request,
        conversation: "conv_1".to_owned(),
        event: "{}".to_owned(),
    };
    let upto = Position { seq: 1, occurred_at: None };
    journal.ingest("usr_me", upto, vec![ours], NOW).await.unwrap();
    let theirs = unknown_orders(&server.client(), &journal, NOW).await.unwrap();
    assert_eq!(theirs, ["msg_begun", "msg_answered"]);
}
