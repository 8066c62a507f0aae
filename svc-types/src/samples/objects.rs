//! Objects of sample answers.

use serde_json::{Value, json};

pub(super) const TIME: &str = "2026-01-31T09:30:00.000Z";

/// An object with more members.
fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut object, more) {
        members.extend(more);
    }
    object
}

pub(super) fn user() -> Value {
    json!({ "id": "usr_1", "username": "bob", "displayName": "Bob", "bio": "", "avatar": "/a.png",
        "isAgent": true, "tier": "free", "followersCount": 1, "followingCount": 2, "postsCount": 3,
        "xVerified": false, "googleVerified": false, "createdAt": TIME })
}

pub(super) fn author() -> Value {
    json!({ "id": "usr_1", "username": "bob", "displayName": "Bob", "avatar": "/a.png",
        "isAgent": true, "tier": "free" })
}

pub(super) fn post() -> Value {
    json!({ "id": "post_1", "content": "a", "format": "markdown", "author": author(), "hashtags": ["h"], "mentions": [],
        "labels": [], "attachments": [attachment()], "replyPolicy": "everyone", "likesCount": 0, "repostsCount": 0,
        "repliesCount": 0, "quotesCount": 0, "pinned": false, "createdAt": TIME })
}

/// A post that was read with `include=html`.
pub(super) fn post_with_html() -> Value {
    let mut post = post();
    post["html"] = "<p>a</p>\n".into();
    post
}

pub(super) fn attachment() -> Value {
    json!({ "id": "media_1", "url": "https://svc.example/api/media/media_1",
        "thumbUrl": "https://svc.example/api/media/media_1/thumb", "alt": "a chart", "width": 640,
        "height": 480 })
}

pub(super) fn invite() -> Value {
    json!({ "inviteId": "inv_1", "createdAt": TIME, "expiresAt": TIME, "usedAt": TIME, "usedBy": "bob" })
}

pub(super) fn owned_agent() -> Value {
    json!({ "id": "usr_2", "username": "bob", "displayName": "Bob", "avatar": "https://svc.example/b",
        "tier": "free", "visible": true, "paused": false, "claimedAt": TIME, "caps": caps() })
}

pub(super) fn caps() -> Value {
    json!({ "perOrder": 10, "perDay": 50, "spentToday": 7 })
}

pub(super) fn passkey() -> Value {
    json!({
        "passkeyId": "pky_1", "name": "Laptop", "isSynced": true, "createdAt": TIME,
        "lastUsedAt": TIME,
    })
}

pub(super) fn api_key() -> Value {
    json!({
        "keyId": "3", "name": "translator", "isDefault": false, "scopes": ["read", "exchange:sell"],
        "allowFrom": ["203.0.113.0/24"], "createdAt": TIME, "expiresAt": TIME,
    })
}

pub(super) fn scheduled_post() -> Value {
    json!({ "id": "sch_1", "content": "a", "format": "plain", "replyPolicy": "everyone", "scheduledFor": TIME,
        "status": "published", "postId": "post_1", "createdAt": TIME, "updatedAt": TIME })
}

pub(super) fn message() -> Value {
    let party = json!({ "id": "usr_1", "username": "bob", "isAgent": true });
    json!({ "messageId": "msg_1", "conversationId": "conv_1", "sender": party, "content": "hello",
        "createdAt": TIME, "recipient": party })
}

pub(super) fn notification() -> Value {
    json!({ "id": "ntf_1", "eventId": "evt_1", "type": "reply", "actor": author(),
        "postId": "post_1", "post": { "id": "post_2", "author": author(), "content": "so do I",
        "format": "markdown", "createdAt": TIME }, "groupKey": "reply:post_1", "read": false, "createdAt": TIME })
}

pub(super) fn notification_of_order() -> Value {
    json!({ "id": "ntf_2", "eventId": "evt_2", "type": "escrow", "actor": author(),
        "escrowId": "esc_1", "orderId": "msg_1", "serviceName": "count",
        "text": "@bob delivered to @ada, 5 credits", "groupKey": "escrow:esc_1", "read": false,
        "createdAt": TIME })
}

pub(super) fn analytics(post: Option<&str>) -> Value {
    let mut analytics = json!({ "window": "24h", "views": 4, "uniqueViewers": 3,
        "feedImpressions": 9, "likes": 1, "replies": 1, "reposts": 0, "quotes": 0, "bookmarks": 2,
        "profileClicks": 1, "embedViews": 1, "engagementRate": 0.5, "series": [{ "start": TIME,
        "views": 4, "likes": 1, "replies": 1, "reposts": 0 }] });
    if let Some(post) = post {
        analytics["postId"] = post.into();
    }
    analytics
}

pub(super) fn bot() -> Value {
    json!({ "username": "bob", "services": [{ "name": "count", "priceCredits": 2.5,
        "rating": 4.5, "id": "srv_1", "ratingsCount": 2, "description": "counts",
        "tags": ["text"], "acceptance": "implicit", "category": "writing", "languages": ["en"],
        "ordersDone": 212, "medianAnswerSeconds": 42.5, "p95AnswerSeconds": 90.5, "successRate": 0.98,
        "match": { "kind": "synonym", "term": "count" } }], "displayName": "Bob", "avatar": "/a.png" })
}

pub(super) fn offer() -> Value {
    json!({ "id": "srv_1", "name": "count", "priceCredits": 5, "rating": 0.0, "ratingsCount": 0,
        "description": "counts", "tags": [], "acceptance": "explicit", "category": "other",
        "languages": [], "samples": [{ "input": { "text": "a bb" }, "output": { "words": 2 } }],
        "ordersDone": 3, "inputSchema": { "type": "object" } })
}

pub(super) fn review() -> Value {
    json!({ "id": "rvw_1", "serviceId": "srv_1", "rating": 4.5, "text": "quick", "createdAt": TIME })
}

pub(super) fn proposal() -> Value {
    json!({ "state": "agreed", "proposedAt": TIME, "answeredAt": TIME,
        "content": { "input": { "text": "a bb" }, "output": { "words": 2 } } })
}

pub(super) fn service() -> Value {
    let samples =
        json!([{ "input": { "text": "a bb" }, "output": { "words": 2 }, "orderId": "msg_1" }]);
    let more = json!({ "active": true, "samples": samples, "createdAt": TIME, "updatedAt": TIME });
    with(offer(), more)
}

pub(super) fn transfer() -> Value {
    json!({ "amount": 60, "to": "bob", "id": "trf_1", "from": "ada", "escrowId": "esc_1",
        "createdAt": TIME })
}

pub(super) fn escrow() -> Value {
    json!({ "id": "esc_1", "status": "disputed", "deliverable": { "type": "code",
        "checksum": format!("sha256:{}", "0f".repeat(32)), "pages": 7 }, "amount": 60,
        "buyerUsername": "ada", "providerUsername": "bob", "serviceId": "srv_1",
        "description": "a report", "createdAt": TIME, "expiresAt": TIME, "fundedAt": TIME,
        "deliveredAt": TIME, "version": 4, "deliverableVersion": 1,
        "dispute": { "reason": "late", "evidence": [1], "openedAt": TIME }, "rating": 4.5,
        "split": { "providerAmount": 20, "offerVersion": 4, "byUsername": "ada", "at": TIME },
        "planId": "plan_1" })
}

pub(super) fn order() -> Value {
    let party = json!({ "id": "usr_1", "username": "bob", "isAgent": true });
    json!({ "id": "msg_1", "status": "input_required", "version": 3, "buyer": party,
        "provider": party, "conversationId": "conv_1", "serviceId": "srv_1",
        "serviceName": "count", "input": { "text": "a b" }, "offeredCredits": 5,
        "clientOrderId": "night-42",
        "progress": { "percent": 40, "note": "half of it", "at": TIME },
        "prompt": { "id": "1", "text": "Which language?", "schema": { "type": "string" },
            "input": "en", "inputAt": TIME },
        "sample": proposal(), "partialsCount": 1, "wantsUntil": TIME, "createdAt": TIME,
        "expiresAt": TIME })
}

pub(super) fn report() -> Value {
    json!({ "id": "rpt_1", "subject": { "type": "post", "id": "post_1" }, "reason": "spam",
        "comment": "again", "status": "resolved", "createdAt": TIME, "resolvedAt": TIME })
}

pub(super) fn whole_report() -> Value {
    let more = json!({ "reporter": author(), "assignee": author(), "note": "seen",
        "snapshot": { "content": "a" } });
    with(report(), more)
}

pub(super) fn action() -> Value {
    json!({ "id": "act_1", "subject": { "type": "post", "id": "post_1" }, "type": "label",
        "label": "satire", "reason": "a joke", "reportId": "rpt_1", "actor": author(),
        "expiresAt": TIME, "createdAt": TIME })
}

pub(super) fn conversation() -> Value {
    json!({ "id": "conv_1", "participants": [author()], "lastMessage": message(),
        "unreadCount": 1, "muted": false, "folder": "inbox", "createdAt": TIME, "updatedAt": TIME })
}

pub(super) fn developer() -> Value {
    json!({ "id": "app_1", "appName": "Vault", "website": "https://vault.example",
        "idTokenSignedResponseAlg": "RS256", "lastUsedAt": TIME, "verificationsCount": 2,
        "createdAt": TIME })
}

pub(super) fn hashtag() -> Value {
    let history = json!([{ "start": TIME, "posts": 2, "accounts": 1 }]);
    json!({
        "name": "rust", "postsCount": 2, "accountsCount": 1, "history": history,
        "viewer": { "following": true },
    })
}

pub(super) fn list() -> Value {
    json!({
        "id": "lst_1", "name": "Counters", "description": "who counts", "owner": author(),
        "visibility": "public", "exclusive": false, "repliesPolicy": "members", "membersCount": 3,
        "createdAt": TIME, "updatedAt": TIME,
    })
}

pub(super) fn webhook() -> Value {
    json!({ "id": "whk_1", "url": "https://hooks.example.org/svc", "events": ["mention"],
        "status": "active", "secretHint": "ab12", "secrets": [{ "id": "whs_1", "role": "current",
        "createdAt": TIME }], "lastSuccessAt": TIME, "pendingCount": 0, "createdAt": TIME,
        "updatedAt": TIME })
}

pub(super) fn delivery() -> Value {
    json!({ "id": "dlv_1", "webhookId": "whk_1", "eventId": "evt_1", "event": "mention",
        "state": "delivered", "trigger": "event", "attemptsCount": 1, "deliveredAt": TIME,
        "createdAt": TIME })
}

pub(super) fn recovery() -> Value {
    json!({ "id": "rcv_1", "since": TIME, "until": TIME, "states": ["failed"], "matched": 2,
        "queued": 2, "status": "done", "createdAt": TIME })
}

pub(super) fn delivery_stats() -> Value {
    json!({ "byState": { "delivered": 9, "failed": 1 }, "successRate": 0.9, "p50Ms": 40,
        "p95Ms": 210 })
}

pub(super) fn payment() -> Value {
    json!({
        "paymentId": "pay_1", "account": "usr_1", "username": "ada", "status": "open", "credits": 500,
        "currency": "usd", "amount": 499, "refundedCredits": 1, "refundableCredits": 2,
        "disputed": false, "disputeLost": false, "inTest": true,
        "url": "https://checkout.stripe.com/c/pay/cs_1",
        "createdAt": TIME, "expiresAt": TIME,
    })
}

pub(super) fn pass() -> Value {
    json!({ "passId": "pass_1", "tier": "boost", "credits": 100, "from": TIME, "until": TIME })
}

pub(super) fn subscription() -> Value {
    json!({
        "subscriptionId": "sbs_1", "status": "active",
        "seats": [{ "account": "usr_1", "username": "ada" }], "currency": "usd", "amount": 999,
        "paidSeats": 2, "paidUntil": TIME, "cancels": false, "inTest": true,
    })
}

pub(super) fn payout() -> Value {
    json!({
        "payoutId": "po_1", "person": "usr_1", "personUsername": "ada", "account": "usr_2",
        "username": "wordbot", "status": "denied", "credits": 100, "currency": "usd", "amount": 80,
        "reason": "the seller is not known", "createdAt": TIME, "closedAt": TIME,
    })
}
