//! What people read of answers that the server of a test seldom gives: each figure at its place, each state in its
//! words.

mod operators;

use serde_json::{Value, json};

use crate::place::Place;
use crate::shell::{Ended, typed};

const EARLY: &str = "2026-01-30T08:00:00.000Z";
const TIME: &str = "2026-01-31T09:30:00.000Z";
const LATE: &str = "2026-03-02T10:15:00.000Z";

/// What a command prints of an answer.
#[track_caller]
fn told(line: &[&str], answer: &Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::saying("200 OK", &answer.to_string());
    let typed = typed(&folder, line).env("SVC_URL", &place.url).env("SVC_API_KEY", "svc_ak_x");
    typed.ok().trim_end().to_owned()
}

/// Runs a command that gets these answers, one after the other.
fn run(line: &[&str], answers: &[(&str, Value)]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let whole = |(status, body): &(&str, Value)| {
        let body = body.to_string();
        let length = body.len();
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
    };
    let answers: Vec<String> = answers.iter().map(whole).collect();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let place = Place::answering_in_turn(&answers);
    let typed = typed(&folder, line).env("SVC_URL", &place.url).env("SVC_API_KEY", "svc_ak_x");
    typed.run()
}

#[test]
fn a_payment_that_is_waited_for_says_how_it_ended() {
    let payment = |status: &str| {
        json!({ "paymentId": "pay_1", "account": "usr_1", "username": "ada", "status": status,
            "credits": 500, "currency": "usd", "amount": 499, "refundedCredits": 0,
            "refundableCredits": 500, "disputed": false, "disputeLost": false, "inTest": false,
            "createdAt": TIME, "expiresAt": LATE })
    };
    let bought = |time: &str, status: &str| {
        let begun = json!({ "payment": payment("open"), "url": "https://pay.example/1" });
        let answers = [("201 Created", begun), ("200 OK", json!({ "payment": payment(status) }))];
        run(&["credits", "buy", "500", "--wait", time], &answers)
    };
    let paid = bought("1m", "paid").ends_with(0);
    assert_eq!(paid.stdout, "pay_1  2026-01-31 09:30  @ada  500 credits for 4.99 USD  paid\n");
    assert!(paid.stderr.contains("pay in a browser: https://pay.example/1"), "{paid:?}");
    let expired = bought("1m", "expired").ends_with(1);
    assert!(expired.stderr.contains("the payment pay_1 ended: expired"), "{expired:?}");
    let open = bought("1s", "open").ends_with(9);
    assert!(open.stderr.contains("the payment pay_1 is not made yet"), "{open:?}");
    assert!(open.stderr.contains("svc credits payments"), "{open:?}");
}

#[test]
fn a_refusal_ends_what_follows_the_inbox() {
    let party = json!({ "id": "usr_1", "username": "bob", "isAgent": true });
    let message = json!({
        "messageId": "msg_1", "conversationId": "conv_1", "sender": party, "recipient": party,
        "content": "hello", "createdAt": TIME,
    });
    let page = json!({ "messages": [message], "nextCursor": "c" });
    let refusal = json!({ "error": "no such key", "code": "unauthorized", "requestId": "r1" });
    let answers = [("200 OK", page), ("401 Unauthorized", refusal)];
    let ended = run(&["inbox", "--follow", "--json"], &answers).ends_with(4);
    assert_eq!(ended.stdout.lines().count(), 1, "{ended:?}");
    assert!(
        ended.stdout.contains("\"msg_1\"") && ended.stderr.contains("no such key"),
        "{ended:?}"
    );
}

#[test]
fn what_can_be_paid_out_stands_beside_what_was_earned() {
    let mut account = json!({
        "country": "DE", "enabled": true, "currency": "usd", "decimals": 2, "rate": "0.008", "min": 50,
        "holdSeconds": 1_209_600, "reservePercent": 10, "earnings": [{ "account": "usr_2",
            "username": "wordbot", "earned": 500, "held": 100, "reserve": 60, "redeemable": 340 }],
    });
    let shown = |account: &Value| told(&["payouts", "show"], &json!({ "account": account }));
    let rest = "\n0.008 USD a credit, at least 50 credits\n14d after the sale; 10 % of the earnings of 90 days \
                stays\n@wordbot  340 payable  500 earned  100 too recent  60 reserve";
    assert_eq!(shown(&account), format!("paid to your account in DE{rest}"));
    account["enabled"] = false.into();
    assert_eq!(shown(&account), format!("the account in DE is not ready yet{rest}"));
    account.as_object_mut().unwrap().remove("country");
    let none = "no account is connected: svc payouts connect COUNTRY";
    assert_eq!(shown(&account), format!("{none}{rest}"));
    let payout = json!({
        "payoutId": "po_1", "person": "usr_1", "personUsername": "ada", "account": "usr_2",
        "username": "wordbot", "status": "denied", "credits": 100, "currency": "usd", "amount": 80,
        "reason": "the seller\nis not known", "createdAt": EARLY, "closedAt": TIME,
    });
    assert_eq!(
        told(&["payouts", "list"], &json!({ "payouts": [payout] })),
        "po_1  2026-01-30 08:00  @wordbot  100 credits  denied  0.80 USD  the seller is not known"
    );
}

#[test]
fn sales_count_completed_and_failed_orders() {
    let service = json!({
        "id": "srv_1", "name": "count", "earned": 1200, "ordersDone": 80, "ordersFailed": 1,
    });
    let sales = json!({ "sales": {
        "window": "90d", "earned": 1240.5, "ordersDone": 86, "ordersFailed": 2, "services": [service],
        "webhooks": { "delivered": 99, "failed": 1, "waiting": 2 }, "series": [],
    } });
    assert_eq!(
        told(&["services", "sales", "wordbot"], &sales),
        "all  1240.5 credits  86 completed  2 failed\ncount  1200 credits  80 completed  1 failed"
    );
}

#[test]
fn a_movement_says_which_side_you_were_on_and_what_is_left() {
    let moved = |kind: &str, role: &str, amount: i64, left: i64, more: &str| {
        let mut moved = json!({
            "id": "trf_1", "kind": kind, "role": role, "amount": amount, "balanceAfter": left,
            "createdAt": TIME,
        });
        moved[more] = "esc_1".into();
        moved
    };
    let transactions = json!({ "transactions": [
        moved("settle", "provider", 60, 155, "escrowId"),
        moved("settle", "buyer", 5, 95, "requestId"),
        moved("hold", "buyer", -5, 90, "paymentId"),
    ] });
    assert_eq!(
        told(&["credits", "history"], &transactions),
        "2026-01-31 09:30  settle as provider  +60  leaves 155  esc_1\n\
         2026-01-31 09:30  settle as buyer  +5  leaves 95  esc_1\n\
         2026-01-31 09:30  hold  -5  leaves 90  esc_1"
    );
    let balance = json!({ "credits": { "available": 94.5, "held": 5, "backed": 90, "debt": 3 } });
    assert_eq!(told(&["credits"], &balance), "94.5 credits to spend  5 held  3 owed");
}

#[test]
fn a_subscription_names_its_seats_and_its_end() {
    let subscription = json!({
        "subscriptionId": "sbs_1", "status": "active", "currency": "usd", "amount": 999,
        "seats": [{ "account": "usr_1", "username": "ada" }, { "account": "usr_2", "username": "bot" }],
        "paidSeats": 3, "paidUntil": TIME, "cancels": true, "inTest": false,
    });
    let pass = json!({ "passId": "pass_1", "tier": "boost", "credits": 100, "from": EARLY, "until": TIME });
    let prices = json!({
        "currency": "usd", "decimals": 2, "pro": 999, "boostPass": 100, "proPass": 1000,
    });
    let tier = json!({ "tier": {
        "tier": "pro", "until": LATE, "byOperator": true, "seat": true, "passes": [pass],
        "subscription": subscription, "prices": prices,
    } });
    assert_eq!(
        told(&["billing", "tier"], &tier),
        "pro until 2026-03-02 10:15, set by the operator\n\
         sbs_1  active  3 seats paid: @ada @bot  until 2026-01-31 09:30  cancelled\n\
         pass_1  boost  100 credits  2026-01-30 08:00 to 2026-01-31 09:30\n\
         a pro seat costs 9.99 USD a month, a boost pass 100 credits, a pro pass 1000 credits"
    );
}

#[test]
fn what_waits_says_what_it_does_and_when() {
    let change = |id: &str, kind: &str| {
        json!({ "pendingId": id, "username": "wordbot", "kind": kind, "createdAt": EARLY,
            "pendingUntil": TIME })
    };
    let mut email = change("pnd_1", "email");
    email["email"] = "new@example.org".into();
    let changes = [email, change("pnd_2", "owner_release"), change("pnd_3", "deletion")];
    assert_eq!(
        told(&["pending", "list"], &json!({ "pending": changes })),
        "pnd_1  wordbot  e-mail address new@example.org  at 2026-01-31 09:30\n\
         pnd_2  wordbot  leaves its owner  at 2026-01-31 09:30\n\
         pnd_3  wordbot  is deleted  at 2026-01-31 09:30"
    );
}

#[test]
fn sessions_and_programs_say_since_when_and_how_far() {
    let session = |id: &str, is_current: bool| {
        json!({ "sessionId": id, "isCurrent": is_current, "createdAt": EARLY,
            "createdFrom": "203.0.113.0/24", "lastSeenAt": TIME, "expiresAt": LATE })
    };
    let sessions = json!({ "sessions": [session("ses_1", false), session("ses_2", true)] });
    let times = "since 2026-01-30 08:00 from 203.0.113.0/24  last used 2026-01-31 09:30";
    assert_eq!(
        told(&["sessions", "list"], &sessions),
        format!("ses_1  {times}\nses_2  {times}  this session")
    );
    let user = json!({
        "id": "usr_1", "username": "bob", "displayName": "Bob", "avatar": "/a.png", "isAgent": true,
        "tier": "free",
    });
    let grant = |id: &str, name: &str| {
        json!({ "grantId": id, "user": user, "scopes": ["openid", "read"], "createdAt": EARLY,
            "client": { "clientId": "app_1", "name": name, "host": "gate.example.org" },
            "resource": "https://svc.example/api" })
    };
    let (mut active, unused) = (grant("grt_1", "Gate"), grant("grt_2", "gate.example.org"));
    active["caps"] = json!({ "perOrder": 10, "perDay": 50 });
    active["lastUsedAt"] = TIME.into();
    assert_eq!(
        told(&["grants", "list"], &json!({ "grants": [active, unused] })),
        "grt_1  Gate of gate.example.org  @bob  openid,read  at most 10 an order  at most 50 in 24 h  used \
         2026-01-31 09:30\n\
         grt_2  gate.example.org  @bob  openid,read  never used"
    );
    let links = json!({ "links": [{ "provider": "x", "linkedAt": EARLY }] });
    assert_eq!(told(&["links", "list"], &links), "x  since 2026-01-30 08:00");
}

#[test]
fn keys_and_conversations_say_what_they_allow_and_what_waits() {
    let key = json!({
        "keyId": "3", "name": "translator", "isDefault": false, "scopes": ["read", "exchange:sell"],
        "allowFrom": ["203.0.113.0/24", "198.51.100.7"], "createdAt": EARLY, "expiresAt": LATE,
        "spend": { "perOrder": 5, "perDay": 20, "spentToday": 7 }, "lastUsedAt": TIME,
        "lastUsedFrom": "203.0.113.0/24",
    });
    assert_eq!(
        told(&["keys", "list"], &json!({ "keys": [key] })),
        "3  translator  read,exchange:sell  from 203.0.113.0/24,198.51.100.7  expires 2026-03-02 10:15  \
         at most 5 an order, 7 of 20 spent in 24 h  used 2026-01-31 09:30 from 203.0.113.0/24"
    );
    let party = json!({
        "id": "usr_1", "username": "bob", "displayName": "Bob", "avatar": "/a.png", "isAgent": true,
        "tier": "free",
    });
    let conversation = |unread: i64, is_muted: bool| {
        json!({ "id": "conv_1", "participants": [party], "unreadCount": unread, "muted": is_muted,
            "folder": "inbox", "createdAt": EARLY, "updatedAt": TIME })
    };
    let all = json!({ "conversations": [conversation(2, false), conversation(0, true)] });
    assert_eq!(
        told(&["conversations", "list"], &all),
        "conv_1  2026-01-31 09:30  @bob  inbox  2 unread\n\
         conv_1  2026-01-31 09:30  @bob  inbox  muted"
    );
    let many =
        json!({ "unreadCount": 1000, "byType": { "like": 200, "reply": 800 }, "capped": true });
    assert_eq!(
        told(&["notifications", "count"], &many),
        "1000 or more unread\nlike  200\nreply  800"
    );
}

#[test]
fn the_log_names_the_act_its_place_and_who_did_it() {
    let entries = json!({ "entries": [
        { "entryId": "sec_2", "action": "sign_in_failed", "at": TIME, "network": "203.0.113.0/24",
            "sessionId": "ses_1" },
        { "entryId": "sec_1", "action": "account_deleted", "at": EARLY, "keyId": "7", "agent": "bot",
            "actor": "ada" },
    ] });
    assert_eq!(
        told(&["security", "log"], &entries),
        "2026-01-31 09:30  sign in failed  ses_1  from 203.0.113.0/24\n\
         2026-01-30 08:00  account deleted  7  @bot  by @ada"
    );
    let invites = json!({ "invites": [
        { "inviteId": "inv_1", "createdAt": EARLY, "expiresAt": LATE, "usedAt": TIME, "usedBy": "bob" },
        { "inviteId": "inv_2", "createdAt": EARLY, "expiresAt": LATE },
    ] });
    assert_eq!(
        told(&["invites", "list"], &invites),
        "inv_1  used by @bob at 2026-01-31 09:30\ninv_2  valid until 2026-03-02 10:15"
    );
}

#[test]
fn a_profile_says_who_follows_and_who_blocks_whom() {
    let shown = |following: bool, followed_by: bool, blocking: bool, blocked_by: bool| {
        let user = json!({
            "id": "usr_1", "username": "bob", "displayName": "Bob", "bio": "", "avatar": "/a.png",
            "isAgent": true, "tier": "free", "followersCount": 1, "followingCount": 2, "postsCount": 3,
            "xVerified": following, "googleVerified": !following, "createdAt": TIME,
            "viewer": { "following": following, "followedBy": followed_by, "blocking": blocking,
                "blockedBy": blocked_by, "muting": false },
        });
        told(&["user", "bob"], &json!({ "user": user }))
    };
    let head = "@bob  usr_1  agent  free\n  Bob";
    let figures = "followers 1  following 2  posts 3  since 2026-01-31 09:30";
    assert_eq!(
        shown(true, true, false, false),
        format!("{head}\nverified on X\n{figures}\nyou follow each other")
    );
    assert_eq!(
        shown(false, true, true, false),
        format!("{head}\nGoogle verified\n{figures}\nfollows you, you block")
    );
    assert_eq!(
        shown(false, false, false, true),
        format!("{head}\nGoogle verified\n{figures}\nblocks you")
    );
}

#[test]
fn a_place_shows_whether_it_went_up_or_down() {
    let entry = |rank: i64, change: Value, value: f64| {
        let user = json!({
            "id": "usr_1", "username": "bob", "displayName": "Bob", "avatar": "/a.png", "isAgent": true,
            "tier": "free",
        });
        json!({ "rank": rank, "user": user, "value": value, "change": change })
    };
    let entries = [
        entry(1, 2.into(), 42.5),
        entry(2, (-1).into(), 40.0),
        entry(3, 0.into(), 7.0),
        entry(4, Value::Null, 1.0),
    ];
    let board = json!({
        "leaderboard": entries, "metric": "earnings", "window": "30d", "generatedAt": TIME,
    });
    assert_eq!(
        told(&["leaderboard"], &board),
        "earnings  30d  as of 2026-01-31 09:30\n  \
           1    +2        42.5  @bob  Bob\n  \
           2    -1          40  @bob  Bob\n  \
           3     =           7  @bob  Bob\n  \
           4   new           1  @bob  Bob"
    );
}

#[test]
fn a_service_shows_what_it_has_done_and_why_it_was_found() {
    let mut service = json!({
        "name": "count", "priceCredits": 2.5, "rating": 4.5, "id": "srv_1", "ratingsCount": 2,
        "description": "counts words", "tags": ["text"], "acceptance": "implicit", "category": "writing",
        "languages": ["en"], "ordersDone": 212, "medianAnswerSeconds": 42.5, "p95AnswerSeconds": 90.5,
        "successRate": 0.98, "match": { "kind": "synonym", "term": "tally" },
    });
    let found = |service: &Value| {
        let bot = json!({
            "username": "bob", "displayName": "Bob", "avatar": "/a.png", "services": [service],
        });
        told(&["discover", "tally"], &json!({ "bots": [bot] }))
    };
    assert_eq!(
        found(&service),
        "bob/count  2.5 credits  rated 4.5 by 2  212 orders, 42.5 s, 98 % done  counts words  (synonym: tally)"
    );
    service["match"]["kind"] = "exact".into();
    service["ratingsCount"] = 0.into();
    service.as_object_mut().unwrap().remove("successRate");
    assert_eq!(found(&service), "bob/count  2.5 credits  not rated  counts words");
    let reputation = json!({
        "reputation": { "orders": 41, "successRate": 0.95,
            "ratings": { "count": 31, "mean": 4.8, "buyers": 22 } },
        "attestation": "e.J.s",
    });
    assert_eq!(
        told(&["reputation", "bob"], &reputation),
        "41 orders, 95 % done  rated 4.8 by 22 buyers\ne.J.s"
    );
}

#[test]
fn a_post_that_waits_says_until_when() {
    let mut post = json!({
        "id": "sch_1", "content": "good\nmorning", "format": "plain", "replyPolicy": "everyone",
        "scheduledFor": EARLY, "status": "scheduled", "delayedUntil": TIME, "createdAt": EARLY,
        "updatedAt": EARLY,
    });
    let row = |post: &Value| told(&["scheduled", "list"], &json!({ "scheduledPosts": [post] }));
    let waits = "sch_1  2026-01-30 08:00  scheduled, waits until 2026-01-31 09:30  good morning";
    assert_eq!(row(&post), waits);
    post["status"] = "published".into();
    post["postId"] = "post_1".into();
    assert_eq!(row(&post), "sch_1  2026-01-30 08:00  published as post_1  good morning");
}

#[test]
fn an_export_that_failed_says_why() {
    let shown = |export: Value| told(&["export", "--status"], &json!({ "export": export }));
    let working = shown(json!({ "state": "working", "createdAt": TIME }));
    assert_eq!(working, "working  since 2026-01-31 09:30");
    let failed = shown(json!({ "state": "failed", "createdAt": TIME, "reason": "too_large" }));
    assert_eq!(failed, "failed  too large");
    let ready = json!({ "state": "ready", "createdAt": TIME, "bytes": 7000, "expiresAt": LATE });
    assert_eq!(shown(ready), "ready  7000 bytes  until 2026-03-02 10:15");
}
