//! What operators read, and how deliveries to webhooks fared.

use serde_json::json;

use super::{EARLY, TIME, told};

#[test]
fn operators_read_each_figure_by_its_name() {
    let overview = json!({ "overview": {
        "window": "24h", "signups": 12, "signupsWaiting": 1, "ordersDone": 86, "ordersFailed": 2,
        "escrowsOpen": 3, "escrowsHold": 180.5, "disputesOpen": 1, "oldestDisputeAt": TIME,
        "deliveriesFailed": 4, "series": [],
        "queues": [{ "name": "webhooks", "waiting": 7, "lagSeconds": 61.0 },
            { "name": "mail", "waiting": 0 }],
    } });
    assert_eq!(
        told(&["moderation", "overview"], &overview),
        "12 sign-ups, 1 waiting\n86 orders completed, 2 failed\n180.5 credits in 3 escrows\n\
         1 open dispute, the oldest since 2026-01-31 09:30\n4 failed deliveries\n\
         7 waiting in webhooks, the oldest for 61 s\n0 waiting in mail"
    );
    let delivery = json!({
        "id": "dlv_1", "webhookId": "wh_1", "username": "ada", "kind": "mention", "attempts": 8,
        "status": 500, "errorClass": "http_status", "createdAt": TIME,
    });
    let mut silent = delivery.clone();
    silent.as_object_mut().unwrap().remove("status");
    assert_eq!(
        told(&["moderation", "failed-deliveries"], &json!({ "deliveries": [delivery, silent] })),
        "dlv_1  2026-01-31 09:30  @ada  mention  8 attempts  500\n\
         dlv_1  2026-01-31 09:30  @ada  mention  8 attempts  no answer"
    );
    let entries = json!({ "entries": [
        { "kind": "webhook", "id": "wh_1", "dueAt": TIME, "attempts": 1, "username": "ada" },
        { "kind": "order", "id": "msg_3", "dueAt": TIME, "createdAt": EARLY },
    ] });
    assert_eq!(
        told(&["moderation", "waiting", "webhooks"], &entries),
        "wh_1  webhook  due 2026-01-31 09:30  @ada  1 attempt\nmsg_3  order  due 2026-01-31 09:30"
    );
}

#[test]
fn operators_read_buyer_seller_and_time_of_each_order() {
    let mut order = json!({
        "orderId": "msg_1", "escrowId": "esc_1", "serviceId": "srv_1", "serviceName": "Chart from CSV",
        "serviceActive": true, "buyerUsername": "ada", "providerUsername": "bob", "credits": 60,
        "status": "refunded", "wasDisputed": true, "createdAt": EARLY, "closedAt": TIME,
    });
    assert_eq!(
        told(&["moderation", "orders"], &json!({ "orders": [order] })),
        "msg_1  esc_1  2026-01-31 09:30  refunded  @ada to @bob  60 credits  Chart from CSV"
    );
    // The provider was erased.
    order["serviceName"] = "".into();
    assert_eq!(
        told(&["moderation", "orders"], &json!({ "orders": [order] })),
        "msg_1  esc_1  2026-01-31 09:30  refunded  @ada to @bob  60 credits  srv_1"
    );
    let escrow = json!({
        "id": "esc_2", "orderId": "msg_2", "buyerUsername": "ada", "providerUsername": "bob",
        "amount": 150, "status": "delivered", "createdAt": EARLY, "dueAt": TIME,
    });
    assert_eq!(
        told(&["moderation", "escrows"], &json!({ "escrows": [escrow] })),
        "esc_2  2026-01-30 08:00  delivered  @ada to @bob  150 credits  until 2026-01-31 09:30"
    );
    let signup = json!({
        "userId": "usr_2", "username": "bob", "displayName": "Bob", "bio": "counts", "isAgent": false,
        "email": "bob@example.org", "emailVerified": false, "createdAt": TIME,
    });
    assert_eq!(
        told(&["moderation", "signups"], &json!({ "signups": [signup] })),
        "usr_2  2026-01-31 09:30  @bob  person  bob@example.org (not verified)  Bob  counts"
    );
}

#[test]
fn deliveries_say_how_they_fared() {
    let stats = json!({ "stats": {
        "24h": { "byState": { "delivered": 9, "failed": 1 }, "successRate": 0.9, "p50Ms": 40,
            "p95Ms": 210 },
        "7d": { "byState": {} },
    } });
    assert_eq!(
        told(&["webhooks", "stats", "whk_1"], &stats),
        "24h  9 delivered  1 failed  90.0 % arrived  half within 40 ms, 95 % within 210 ms\n\
         7d   no deliveries"
    );
    let delivery = json!({
        "id": "dlv_1", "webhookId": "whk_1", "eventId": "evt_1", "event": "mention", "state": "pending",
        "trigger": "event", "attemptsCount": 2, "createdAt": EARLY, "nextAttemptAt": TIME,
    });
    assert_eq!(
        told(&["webhooks", "deliveries", "whk_1"], &json!({ "deliveries": [delivery] })),
        "dlv_1  2026-01-30 08:00  mention  pending  2 attempts  by event  next 2026-01-31 09:30"
    );
    let recovery = json!({ "recovery": {
        "id": "rcv_1", "since": EARLY, "until": TIME, "states": ["failed"], "matched": 5, "queued": 2,
        "status": "running", "createdAt": TIME,
    } });
    assert_eq!(
        told(&["webhooks", "recover", "whk_1", "rcv_1"], &recovery),
        "rcv_1  running  2 of 5 events queued"
    );
}
