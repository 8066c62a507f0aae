//! Answers of credits, services, deals, payments and events.

use serde_json::{Value, json};

use crate::samples::objects::{
    TIME, bot, escrow, offer, order, pass, payment, payout, proposal, review, service,
    subscription, transfer,
};

/// What a bot sold.
fn sales() -> Value {
    json!({ "window": "90d", "earned": 1240.5, "ordersDone": 86, "ordersFailed": 2, "successRate": 0.977,
        "medianAnswerSeconds": 3.5, "p95AnswerSeconds": 8.25,
        "services": [{ "id": "srv_1", "name": "count", "earned": 1240.5, "ordersDone": 86,
            "ordersFailed": 2, "successRate": 0.977, "medianAnswerSeconds": 3.5,
            "p95AnswerSeconds": 8.25 }],
        "webhooks": { "delivered": 99, "failed": 1, "waiting": 2 },
        "series": [{ "start": TIME, "earned": 1240.5, "ordersDone": 86, "ordersFailed": 2 }] })
}

/// What an endpoint of credits, services, escrow and events may answer.
pub(super) fn answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "DiscoverBots" => json!({ "bots": [bot()], "nextCursor": "c" }),
        "GetCapabilities" => json!({ "capabilities": [offer()] }),
        "ListBotReviews" | "ListServiceReviews" => {
            json!({ "reviews": [review()], "nextCursor": "c" })
        }
        "CreateReview" => review(),
        "ProposeSample" | "AnswerSample" => proposal(),
        "ListSampleOrders" => json!({ "orders": [{ "orderId": "msg_1", "buyerUsername": "ada",
            "closedAt": TIME, "state": "declined",
            "content": { "input": { "text": "a bb" }, "output": { "words": 2 } } }] }),
        "GetReputation" => json!({ "reputation": { "orders": 41, "successRate": 0.95,
            "ratings": { "count": 31, "mean": 4.8, "buyers": 22 } }, "attestation": "e.J.s" }),
        "GetEscrowAttestation" => json!({ "attestation": "e.J.s" }),
        "ListServices" | "ListBotServices" => json!({ "services": [service()] }),
        "CreateService" | "UpdateService" | "CreateBotService" | "UpdateBotService" => {
            json!({ "service": service() })
        }
        "CheckBotService" => json!({ "valid": true }),
        "DeleteBotService" => json!({ "deleted": true }),
        "GetSales" => json!({ "sales": sales() }),
        "GetCredits" => json!({ "credits": { "available": 94.5, "held": 5 } }),
        "ListTransactions" => json!({ "transactions": [{ "id": "trf_1", "kind": "hold",
            "requestId": "msg_1", "counterparty": "wordbot", "role": "buyer", "amount": -5.5,
            "balanceAfter": 94.5, "createdAt": TIME }] }),
        "GetBilling" => json!({ "billing": { "currency": "usd", "decimals": 2, "price": "0.01",
            "min": 500, "max": 100_000, "refundSeconds": 1_209_600, "left": 4500, "backed": 90,
            "debt": 0, "inTest": false } }),
        "CreateCheckout" => json!({ "payment": payment(),
            "url": "https://checkout.stripe.com/c/pay/cs_1" }),
        "ListPayments" => json!({ "payments": [payment()], "nextCursor": "c" }),
        "GetPayment" | "RefundPayment" => json!({ "payment": payment() }),
        "GetTier" => {
            json!({ "tier": { "tier": "pro", "until": TIME, "byOperator": false, "seat": true,
            "passes": [pass()], "subscription": subscription(), "prices": { "currency": "usd",
            "decimals": 2, "pro": 999, "boostPass": 100, "proPass": 1000 } } })
        }
        "BuyPass" => json!({ "pass": pass() }),
        "Subscribe" | "CancelSubscription" | "ResumeSubscription" => {
            json!({ "subscription": subscription(), "url": "https://checkout.stripe.com/c/pay/cs_2" })
        }
        "OpenPortal" => json!({ "url": "https://billing.stripe.com/p/session/1" }),
        "ListPayouts" => json!({ "payouts": [payout()], "nextCursor": "c" }),
        "RequestPayout" | "CancelPayout" | "ApprovePayout" | "DenyPayout" => {
            json!({ "payout": payout() })
        }
        "GetPayoutAccount" => json!({ "account": { "country": "DE", "enabled": true,
            "currency": "usd", "decimals": 2, "rate": "0.008", "min": 50, "holdSeconds": 1_209_600,
            "reservePercent": 10, "earnings": [{ "account": "usr_2", "username": "wordbot",
                "earned": 500, "held": 100, "reserve": 50, "redeemable": 350 }] } }),
        "ConnectPayouts" => json!({ "url": "https://connect.stripe.com/setup/e/acct_1/1" }),
        "GetBillingStatus" => json!({ "billing": { "currency": "usd", "decimals": 2,
            "inTest": false, "credits": [{ "kind": "sold", "isSource": true, "credits": 500 }],
            "money": [{ "account": "receivable", "currency": "usd", "amount": 500 }],
            "disputesOpen": 1, "debtors": 0, "waiting": 2, "waitingSince": TIME,
            "payouts": [payout()] } }),
        "GrantCredits" => json!({ "transfer": transfer() }),
        "ListEscrows" => json!({ "escrows": [escrow()], "nextCursor": "c" }),
        "ListEscrowEvents" => json!({ "events": [{ "seq": 2, "action": "funded",
            "from": "created", "to": "funded", "actorUsername": "ada", "at": TIME }] }),
        "ReleaseEscrow" => json!({ "transfer": transfer(), "escrow": escrow() }),
        "CreateEscrow" | "GetEscrow" | "FundEscrow" | "CancelEscrow" | "DeclineEscrow"
        | "DeliverEscrow" | "DisputeEscrow" | "RespondToDispute" | "RefundEscrow"
        | "ResolveEscrow" | "ExtendEscrow" | "OfferSplit" | "AcceptSplit" => {
            json!({ "escrow": escrow() })
        }
        "CreatePlan" => json!({ "planId": "plan_1", "escrows": [escrow()] }),
        "ListOrders" => json!({ "orders": [order()], "nextCursor": "c" }),
        "CreateOrder" | "GetOrder" | "AnswerOrder" | "ProgressOrder" | "InputOrder"
        | "CancelOrder" | "ExtendOrder" => json!({ "order": order() }),
        "ListOrderPartials" => json!({ "partials": [{ "n": 1, "partial": { "words": 1 },
            "createdAt": TIME }], "nextCursor": "c" }),
        "GetConnect" => json!({ "connect": {
            "brokerUrl": "mqtt://127.0.0.1:1883", "username": "usr_1", "clientIdPrefix": "usr_1",
            "topics": { "dm": "svc/dm/usr_1", "notifications": "svc/notifications/usr_1",
                "channels": ["svc/channels/chan_1"], "feedGlobal": "svc/feed/global" },
            "channelPublish": "mqtt", "qos": 1, "keepAliveSeconds": 60, "maxPacketBytes": 524_288,
            "protocols": ["3.1.1", "5"], "latestSeq": 7,
        } }),
        "ListEvents" => json!({ "events": [{ "id": "evt_1", "seq": 42, "event": "escrow",
            "timestamp": TIME, "data": { "escrowId": "esc_1" } }],
            "nextCursor": 42, "latestSeq": 43, "oldestSeq": 1 }),
        _ => return None,
    })
}
