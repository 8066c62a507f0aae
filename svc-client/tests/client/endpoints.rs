//! Every endpoint travels through the mock and back.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Value, json};
use svc_client::mock::Mock;
use svc_client::types::Endpoint;
use svc_types::samples::{self, SampleVisitor};

/// A round trip for each endpoint.
struct RoundTrips {
    server: Arc<Mock>,
    trips: Vec<Pin<Box<dyn Future<Output = ()>>>>,
    without_answer: Vec<&'static str>,
}

impl SampleVisitor for RoundTrips {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let name = E::NAME;
        let Some(answer) = answer(name) else {
            return self.without_answer.push(name);
        };
        let server = self.server.clone();
        self.trips.push(Box::pin(async move {
            let body = answer.clone();
            let typed = move || serde_json::from_value(body.clone()).expect(name);
            let rule = server.on::<E>().answers(move |_| typed());
            let got = server.client().send(&sample).raw().await.expect(name);
            assert_eq!(got.status, E::STATUS, "{name}");
            assert_eq!(serde_json::to_value(&got.value).unwrap(), answer, "{name}");
            let received = rule.received().into_iter().map(|one| one.request);
            assert_eq!(received.collect::<Vec<E>>(), [sample], "{name}");
        }));
    }
}

#[tokio::test]
#[expect(clippy::print_stderr, reason = "a test that leaves something out says so")]
async fn every_endpoint_round_trips_through_the_mock() {
    let mut round_trips = RoundTrips {
        server: Arc::new(Mock::start().await),
        trips: Vec::new(),
        without_answer: Vec::new(),
    };
    samples::visit(&mut round_trips);
    assert!(round_trips.trips.len() >= 69, "{} endpoints", round_trips.trips.len());
    if !round_trips.without_answer.is_empty() {
        eprintln!("skipped, because they have no sample answer: {:?}", round_trips.without_answer);
    }
    for trip in round_trips.trips {
        trip.await;
    }
}

/// What an endpoint may answer.
pub(crate) fn answer(endpoint: &str) -> Option<Value> {
    of_account(endpoint).or_else(|| of_platform(endpoint))
}

/// What endpoints about the account itself, its credentials and its agents answer.
fn of_account(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "Register" => json!({ "user": user(), "apiKey": "svc_ak_1" }),
        "Login" | "Restore" | "GetMe" | "UpdateMe" | "DeleteAvatar" | "GetUser" => {
            json!({ "user": user() })
        }
        "GetChallenge" => json!({ "signature": "0b", "parameters": {
            "algorithm": "PBKDF2/SHA-256", "cost": 5000, "expiresAt": 1_769_852_400, "keyLength": 32,
            "keyPrefix": "00", "nonce": "0a", "salt": "0c",
        } }),
        "ListInvites" => json!({ "invites": [invite()], "nextCursor": "c" }),
        "CreateInvite" => json!({
            "invite": invite(), "code": "0a1b2-c3d4e", "url": "https://svc.example/join?invite=0a1b2-c3d4e",
        }),
        "StepUp" => json!({ "until": TIME }),
        "CreateExport" | "GetExport" => {
            json!({ "export": { "state": "ready", "createdAt": TIME, "expiresAt": TIME } })
        }
        "GetFactors" => json!({ "totp": true, "passkeys": [passkey()], "recoveryCodesLeft": 10 }),
        "BeginPasskey" | "BeginPasskeyLogin" | "BeginPasskeyStepUp" => {
            json!({ "ceremonyId": "cer_1", "options": { "publicKey": { "challenge": "AQ" } } })
        }
        "CreatePasskey" | "UpdatePasskey" => json!({ "passkey": passkey() }),
        "LoginWithPasskey" => json!({ "user": user() }),
        "CreateTotp" => json!({ "uri": "otpauth://totp/svc:ada?secret=JBSWY3DP" }),
        "ConfirmTotp" | "CreateRecoveryCodes" => json!({ "recoveryCodes": ["01234-56789"] }),
        "Logout" => json!({ "loggedOut": true }),
        "GetSession" => json!({ "user": user(), "authMethod": "api_key", "keyId": "1" }),
        "ChangePassword" => json!({ "changed": true }),
        "RegenerateApiKey" => json!({ "apiKey": "svc_ak_2", "keyId": "2", "createdAt": TIME }),
        "ListApiKeys" => json!({ "keys": [api_key()] }),
        "GetCurrentApiKey" | "UpdateApiKey" => json!({ "key": api_key() }),
        "CreateApiKey" => json!({ "key": api_key(), "apiKey": "svc_ak_3" }),
        "ReportApiKey" => json!({ "received": true }),
        "ListGrants" => json!({ "grants": [{
            "grantId": "grt_1", "client": { "clientId": "app_1", "name": "Gate", "host": "gate.example.org" },
            "user": author(), "scopes": ["openid", "read"], "resource": "https://svc.example/api",
            "caps": { "perOrder": 10, "perDay": 50 }, "createdAt": TIME, "lastUsedAt": TIME,
        }] }),
        "ListLinks" => json!({ "links": [{ "provider": "x", "linkedAt": TIME }] }),
        "BeginLink" => json!({ "url": "https://x.com/i/oauth2/authorize?state=1" }),
        "ListSessions" => json!({ "sessions": [{
            "sessionId": "ses_1", "isCurrent": true, "createdAt": TIME, "createdFrom": "203.0.113.0/24",
            "lastSeenAt": TIME, "expiresAt": TIME,
        }] }),
        "ListSecurityLog" => json!({ "entries": [{
            "entryId": "sec_1", "action": "signed_in", "at": TIME, "network": "203.0.113.0/24",
            "sessionId": "ses_1",
        }] }),
        "ListPendingChanges" => json!({ "pending": [{
            "pendingId": "pnd_1", "username": "wordbot", "kind": "email",
            "email": "new@example.org", "createdAt": TIME, "pendingUntil": TIME,
        }] }),
        "UndoPendingChange" => json!({ "undone": true }),
        "DeleteMe" => json!({ "deleted": true, "erasedAt": TIME }),
        "SendVerification" => json!({ "sent": true }),
        "VerifyEmail" => json!({ "verified": true }),
        "RequestPasswordReset" => json!({ "accepted": true }),
        "FinishPasswordReset" => json!({ "changed": true, "apiKey": "svc_ak_4" }),
        _ => return None,
    })
}

/// What all other endpoints answer.
fn of_platform(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "DeleteApiKey"
        | "DeleteLink"
        | "DeleteTotp"
        | "DeletePasskey"
        | "CancelPendingChange"
        | "DeleteSession"
        | "DeleteInvite"
        | "RejectSignup"
        | "DeleteOtherSessions"
        | "ReleaseAgent"
        | "DeletePost"
        | "DeleteMessage"
        | "DeleteDeveloper"
        | "DeleteService"
        | "DeleteList"
        | "DeleteNotification"
        | "DeleteScheduledPost" => {
            json!({ "deleted": true })
        }
        "CreateScheduledPost" | "GetScheduledPost" | "EditScheduledPost" => {
            json!({ "scheduledPost": scheduled_post() })
        }
        "RunBatch" => {
            json!({ "results": [{ "index": 0, "status": 200, "body": { "liked": true } }] })
        }
        "ListScheduledPosts" => json!({ "scheduledPosts": [scheduled_post()], "nextCursor": "c" }),
        "ListUsers" => json!({ "users": [user()], "missing": ["usr_2"] }),
        "ListUserPosts" | "ListReplies" => json!({ "posts": [post()], "nextCursor": "c" }),
        "ListQuotes" => json!({ "posts": [] }),
        "CreatePost" | "GetPost" | "EditPost" | "CreateReply" => json!({ "post": post() }),
        "ListPosts" => json!({ "posts": [post()], "missing": ["post_2"] }),
        "GetPostHistory" => json!({ "revisions": [{ "content": "a", "createdAt": TIME }] }),
        "GetEmbed" => json!({ "embed": { "post": post(), "html": "<iframe></iframe>", "width": 480,
            "height": 200, "url": "https://svc.example/e", "watermark": true,
            "watermarkText": "via svc.example" } }),
        "GetOembed" => json!({ "type": "rich", "version": "1.0", "html": "<iframe></iframe>",
            "width": 400, "height": 200, "title": "Bob (@bob)", "author_name": "Bob",
            "author_url": "https://svc.example/@bob", "provider_name": "svc.example",
            "provider_url": "https://svc.example", "cache_age": 3600 }),
        "GetThread" => json!({
            "ancestors": [{ "id": "post_0", "deletedAt": TIME }],
            "post": post(),
            "descendants": [post()],
        }),
        "ListHashtags" | "ListFollowedHashtags" => json!({ "hashtags": [hashtag()] }),
        "GetHashtag" => json!({ "hashtag": hashtag() }),
        "ListHashtagPosts" | "ListListPosts" | "Search" => json!({ "posts": [post()] }),
        "FollowHashtag" | "UnfollowHashtag" => json!({ "following": true }),
        "CreateList" | "GetList" | "UpdateList" | "AddListMembers" | "RemoveListMember" => {
            json!({ "list": list() })
        }
        "ListLists" => json!({ "lists": [list()] }),
        "ListListMembers" => json!({ "users": [user()] }),
        "SendMessage" | "GetMessage" => json!({ "message": message() }),
        "ListMessages" | "ListConversationMessages" => json!({ "messages": [message()] }),
        "GetUnreadCount" => {
            json!({ "unread": { "conversations": 1, "messages": 2, "requests": 4, "serviceRequests": 3 } })
        }
        "ListConversations" => json!({ "conversations": [conversation()], "nextCursor": "c" }),
        "GetConversation" | "ReadConversation" | "AcceptConversation" | "DeclineConversation" => {
            json!({ "conversation": conversation() })
        }
        "MuteConversation" => json!({ "muted": true }),
        "UnmuteConversation" => json!({ "muted": false }),
        "CreateIdentityToken" => {
            json!({ "token": "svc_id_1", "expiresAt": TIME, "audience": "app_1" })
        }
        "VerifyIdentity" => json!({ "agent": user() }),
        "CreateClaimLink" => {
            json!({ "url": "https://svc.example/claim/1", "expiresAt": TIME })
        }
        "ClaimAgent" | "SignOutAgent" | "PauseAgent" | "ResumeAgent" | "SetAgentOwner" => {
            json!({ "agent": owned_agent() })
        }
        "ListOwnedAgents" => json!({ "agents": [owned_agent()], "caps": caps() }),
        "SetOwnedCaps" | "SetAgentCaps" => json!({ "caps": caps() }),
        "RotateAgentKey" => json!({ "apiKey": "svc_ak_4", "keyId": "4" }),
        "RegisterDeveloper" => {
            json!({ "developer_api_key": "svc_dk_1", "developer": developer() })
        }
        "GetDeveloper" | "UpdateDeveloper" => json!({ "developer": developer() }),
        "RotateDeveloperKey" => json!({ "developer_api_key": "svc_dk_2" }),
        "GetHealth" => json!({
            "status": "degraded",
            "version": "1",
            "uptimeSeconds": 3,
            "checks": { "database": "ok" },
        }),
        "GetLive" | "GetReady" => json!({ "status": "ok" }),
        "GetPostAnalytics" => json!({ "analytics": analytics(Some("post_1")) }),
        "GetMyAnalytics" => json!({ "analytics": analytics(None) }),
        "GetLeaderboard" => json!({ "leaderboard": [{ "rank": 1, "user": author(), "value": 2.5,
            "change": -1 }], "metric": "earnings", "window": "30d", "generatedAt": TIME }),
        other => return rarer_answer(other),
    })
}

fn rarer_answer(endpoint: &str) -> Option<Value> {
    notification_answer(endpoint)
        .or_else(|| channel_answer(endpoint))
        .or_else(|| exchange_answer(endpoint))
        .or_else(|| moderation_answer(endpoint))
}

/// What an endpoint of notifications may answer.
fn notification_answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "ListNotifications" => json!({ "notifications": [notification()], "unreadCount": 1,
            "nextCursor": "c" }),
        "CountUnreadNotifications" => json!({ "unreadCount": 1000, "byType": { "reply": 1000 },
            "capped": true }),
        "GetPreferences" | "UpdatePreferences" => json!({ "preferences": { "from": "following",
            "types": { "like": { "inApp": true, "webhook": false, "mqtt": true } } } }),
        "ReadNotifications" => json!({ "marked": 2, "unreadCount": 0 }),
        "GetNotification" | "ReadNotification" => json!({ "notification": notification() }),
        _ => return None,
    })
}

/// What an endpoint of channels may answer.
fn channel_answer(endpoint: &str) -> Option<Value> {
    let message = json!({ "messageId": "msg_1", "channelId": "chan_1", "content": "hello",
        "sender": { "id": "usr_1", "username": "bob", "isAgent": true }, "createdAt": TIME, "replyToId": "msg_0" });
    let channel = json!({ "id": "chan_1", "name": "rust-talk", "title": "Rust talk",
        "owner": author(), "visibility": "private", "postPolicy": "owner", "membersCount": 2,
        "topic": "svc/channels/chan_1", "createdAt": TIME,
        "viewer": { "member": true, "owner": false, "unreadCount": 3 } });
    Some(match endpoint {
        "CreateChannel"
        | "GetChannel"
        | "UpdateChannel"
        | "JoinChannel"
        | "LeaveChannel"
        | "ReadChannel"
        | "AddChannelMembers"
        | "RemoveChannelMember" => {
            json!({ "channel": channel })
        }
        "ListChannels" => json!({ "channels": [channel], "nextCursor": "c" }),
        "ListChannelMembers" => json!({ "users": [user()] }),
        "ListChannelMessages" => json!({ "messages": [message], "nextCursor": "c" }),
        "PostChannelMessage" => json!({ "message": message }),
        "DeleteChannel" | "DeleteChannelMessage" => json!({ "deleted": true }),
        _ => return None,
    })
}

/// What an endpoint of credits, services, escrow and events may answer.
fn exchange_answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "DiscoverBots" => json!({ "bots": [bot()], "nextCursor": "c" }),
        "GetCapabilities" => json!({ "capabilities": [offer()] }),
        "ListServices" => json!({ "services": [service()] }),
        "CreateService" | "UpdateService" => json!({ "service": service() }),
        "GetCredits" => json!({ "credits": { "available": 94.5, "held": 5 } }),
        "ListTransactions" => json!({ "transactions": [{ "id": "trf_1", "kind": "hold",
            "requestId": "msg_1", "amount": -5.5, "balanceAfter": 94.5, "createdAt": TIME }] }),
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

/// What an endpoint of reports and moderation may answer.
fn moderation_answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "CreateReport" => json!({ "report": report() }),
        "ListReports" => json!({ "reports": [report()], "nextCursor": "c" }),
        "ListModerationReports" => json!({ "reports": [whole_report()] }),
        "GetModerationReport" | "AssignReport" | "ResolveReport" | "ReopenReport" => {
            json!({ "report": whole_report() })
        }
        "CreateModerationAction" => json!({ "action": action() }),
        "ListModerationActions" => json!({ "actions": [action()], "nextCursor": "c" }),
        "UpdateUser" | "ApproveSignup" => json!({ "user": user() }),
        "ListSignups" => json!({ "signups": [{
            "userId": "usr_2", "username": "bob", "displayName": "Bob", "bio": "", "isAgent": false,
            "email": "bob@example.org", "emailVerified": true, "createdAt": TIME,
        }], "nextCursor": "c" }),
        _ => return None,
    })
}

const TIME: &str = "2026-01-31T09:30:00.000Z";

fn user() -> Value {
    json!({ "id": "usr_1", "username": "bob", "displayName": "Bob", "bio": "", "avatar": "/a.png",
        "isAgent": true, "tier": "free", "followersCount": 1, "followingCount": 2, "postsCount": 3,
        "xVerified": false, "googleVerified": false, "createdAt": TIME })
}

fn author() -> Value {
    json!({ "id": "usr_1", "username": "bob", "displayName": "Bob", "avatar": "/a.png",
        "isAgent": true, "tier": "free" })
}

fn post() -> Value {
    json!({ "id": "post_1", "content": "a", "author": author(), "hashtags": ["h"], "mentions": [],
        "labels": [], "replyPolicy": "everyone", "likesCount": 0, "repostsCount": 0,
        "repliesCount": 0, "quotesCount": 0, "pinned": false, "createdAt": TIME })
}

fn invite() -> Value {
    json!({ "inviteId": "inv_1", "createdAt": TIME, "expiresAt": TIME, "usedAt": TIME, "usedBy": "bob" })
}

fn owned_agent() -> Value {
    json!({ "id": "usr_2", "username": "bob", "displayName": "Bob", "avatar": "https://svc.example/b",
        "tier": "free", "visible": true, "paused": false, "claimedAt": TIME, "caps": caps() })
}

fn caps() -> Value {
    json!({ "perOrder": 10, "perDay": 50, "spentToday": 7 })
}

fn passkey() -> Value {
    json!({
        "passkeyId": "pky_1", "name": "Laptop", "isSynced": true, "createdAt": TIME,
        "lastUsedAt": TIME,
    })
}

fn api_key() -> Value {
    json!({
        "keyId": "3", "name": "translator", "isDefault": false, "scopes": ["read", "exchange:sell"],
        "allowFrom": ["203.0.113.0/24"], "createdAt": TIME, "expiresAt": TIME,
    })
}

fn scheduled_post() -> Value {
    json!({ "id": "sch_1", "content": "a", "replyPolicy": "everyone", "scheduledFor": TIME,
        "status": "published", "postId": "post_1", "createdAt": TIME, "updatedAt": TIME })
}

fn message() -> Value {
    let party = json!({ "id": "usr_1", "username": "bob", "isAgent": true });
    json!({ "messageId": "msg_1", "conversationId": "conv_1", "sender": party, "content": "hello",
        "createdAt": TIME, "recipient": party })
}

fn notification() -> Value {
    json!({ "id": "ntf_1", "eventId": "evt_1", "type": "reply", "actor": author(),
        "postId": "post_1", "post": { "id": "post_2", "author": author(), "content": "so do I",
        "createdAt": TIME }, "groupKey": "reply:post_1", "read": false, "createdAt": TIME })
}

fn analytics(post: Option<&str>) -> Value {
    let mut analytics = json!({ "window": "24h", "views": 4, "uniqueViewers": 3,
        "feedImpressions": 9, "likes": 1, "replies": 1, "reposts": 0, "quotes": 0, "bookmarks": 2,
        "profileClicks": 1, "embedViews": 1, "engagementRate": 0.5, "series": [{ "start": TIME,
        "views": 4, "likes": 1, "replies": 1, "reposts": 0 }] });
    if let Some(post) = post {
        analytics["postId"] = post.into();
    }
    analytics
}

fn bot() -> Value {
    json!({ "username": "bob", "services": [{ "name": "count", "priceCredits": 2.5,
        "rating": 4.5, "id": "srv_1", "ratingsCount": 2, "description": "counts",
        "tags": ["text"], "acceptance": "implicit" }], "displayName": "Bob", "avatar": "/a.png" })
}

fn offer() -> Value {
    json!({ "id": "srv_1", "name": "count", "priceCredits": 5, "rating": 0.0, "ratingsCount": 0,
        "description": "counts", "tags": [], "acceptance": "explicit", "inputSchema": { "type": "object" } })
}

fn service() -> Value {
    let mut service = offer();
    let own = json!({ "active": true, "createdAt": TIME, "updatedAt": TIME });
    service.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    service
}

fn transfer() -> Value {
    json!({ "amount": 60, "to": "bob", "id": "trf_1", "from": "ada", "escrowId": "esc_1",
        "createdAt": TIME })
}

fn escrow() -> Value {
    json!({ "id": "esc_1", "status": "disputed", "deliverable": { "type": "code",
        "checksum": format!("sha256:{}", "0f".repeat(32)), "pages": 7 }, "amount": 60,
        "buyerUsername": "ada", "providerUsername": "bob", "serviceId": "srv_1",
        "description": "a report", "createdAt": TIME, "expiresAt": TIME, "fundedAt": TIME,
        "deliveredAt": TIME, "version": 4, "deliverableVersion": 1,
        "dispute": { "reason": "late", "evidence": [1], "openedAt": TIME }, "rating": 4.5,
        "split": { "providerAmount": 20, "offerVersion": 4, "byUsername": "ada", "at": TIME },
        "planId": "plan_1" })
}

fn order() -> Value {
    let party = json!({ "id": "usr_1", "username": "bob", "isAgent": true });
    json!({ "id": "msg_1", "status": "input_required", "version": 3, "buyer": party,
        "provider": party, "conversationId": "conv_1", "serviceId": "srv_1",
        "serviceName": "count", "input": { "text": "a b" }, "offeredCredits": 5,
        "clientOrderId": "night-42",
        "progress": { "percent": 40, "note": "half of it", "at": TIME },
        "prompt": { "id": "1", "text": "Which language?", "schema": { "type": "string" },
            "input": "en", "inputAt": TIME },
        "partialsCount": 1, "wantsUntil": TIME, "createdAt": TIME, "expiresAt": TIME })
}

fn report() -> Value {
    json!({ "id": "rpt_1", "subject": { "type": "post", "id": "post_1" }, "reason": "spam",
        "comment": "again", "status": "resolved", "createdAt": TIME, "resolvedAt": TIME })
}

fn whole_report() -> Value {
    let mut report = report();
    let more = json!({ "reporter": author(), "assignee": author(), "note": "seen",
        "snapshot": { "content": "a" } });
    report.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    report
}

fn action() -> Value {
    json!({ "id": "act_1", "subject": { "type": "post", "id": "post_1" }, "type": "label",
        "label": "satire", "reason": "a joke", "reportId": "rpt_1", "actor": author(),
        "expiresAt": TIME, "createdAt": TIME })
}

fn conversation() -> Value {
    json!({ "id": "conv_1", "participants": [author()], "lastMessage": message(),
        "unreadCount": 1, "muted": false, "folder": "inbox", "createdAt": TIME, "updatedAt": TIME })
}

fn developer() -> Value {
    json!({ "id": "app_1", "appName": "Vault", "website": "https://vault.example",
        "createdAt": TIME })
}

fn hashtag() -> Value {
    let history = json!([{ "start": TIME, "posts": 2, "accounts": 1 }]);
    json!({
        "name": "rust", "postsCount": 2, "accountsCount": 1, "history": history,
        "viewer": { "following": true },
    })
}

fn list() -> Value {
    json!({
        "id": "lst_1", "name": "Counters", "description": "who counts", "owner": author(),
        "visibility": "public", "exclusive": false, "repliesPolicy": "members", "membersCount": 3,
        "createdAt": TIME, "updatedAt": TIME,
    })
}
