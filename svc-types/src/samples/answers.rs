//! A valid answer of each endpoint.

mod exchange;

use serde_json::{Value, json};

use super::objects::{
    TIME, action, analytics, api_key, author, caps, conversation, delivery, delivery_stats,
    developer, escrow, hashtag, invite, list, message, notification, notification_of_order,
    owned_agent, passkey, post, post_with_html, recovery, report, scheduled_post, user, webhook,
    whole_report,
};

/// A secret of a webhook: a prefix and 24 bytes in base64.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/// A valid answer of an endpoint, by the name of its request type.
///
/// ```
/// use svc_types::Endpoint;
/// use svc_types::api::reactions::{LikePost, Liked};
/// use svc_types::samples;
///
/// let answer = samples::answer(LikePost::NAME).expect("each endpoint has an answer");
/// assert!(serde_json::from_value::<Liked>(answer)?.liked);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn answer(endpoint: &str) -> Option<Value> {
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
        "GetFactors" => {
            json!({ "password": true, "totp": true, "passkeys": [passkey()], "recoveryCodesLeft": 10 })
        }
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
        | "DeleteApp"
        | "DeleteGrant"
        | "DeleteService"
        | "DeleteReview"
        | "WithdrawSample"
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
        "ListHashtags" | "ListFollowedHashtags" => json!({ "hashtags": [hashtag()] }),
        "GetHashtag" => json!({ "hashtag": hashtag() }),
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
        "GetDeveloper" | "UpdateDeveloper" | "GetApp" => json!({ "developer": developer() }),
        "ListApps" => json!({ "developers": [developer()], "nextCursor": "c" }),
        "RotateDeveloperKey" | "RotateAppKey" => {
            json!({ "developer_api_key": "svc_dk_2", "previousExpiresAt": TIME })
        }
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
        other => return of_posts(other).or_else(|| rarer_answer(other)),
    })
}

/// What requests for posts answer.
fn of_posts(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "ListUserPosts" | "ListReplies" => {
            json!({ "posts": [post_with_html()], "nextCursor": "c" })
        }
        "ListQuotes" => json!({ "posts": [] }),
        "CreatePost" | "EditPost" | "CreateReply" => json!({ "post": post() }),
        "GetPost" => json!({ "post": post_with_html() }),
        "ListPosts" => json!({ "posts": [post_with_html()], "missing": ["post_2"] }),
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
            "post": post_with_html(),
            "descendants": [post_with_html()],
        }),
        "ListHashtagPosts" | "ListListPosts" | "Search" => json!({ "posts": [post_with_html()] }),
        _ => return None,
    })
}

fn rarer_answer(endpoint: &str) -> Option<Value> {
    notification_answer(endpoint)
        .or_else(|| channel_answer(endpoint))
        .or_else(|| exchange::answer(endpoint))
        .or_else(|| moderation_answer(endpoint))
        .or_else(|| webhook_answer(endpoint))
        .or_else(|| social_answer(endpoint))
}

/// What an endpoint of notifications may answer.
fn notification_answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "ListNotifications" => json!({ "notifications": [notification(), notification_of_order()],
            "unreadCount": 1, "nextCursor": "c" }),
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
        "viewer": { "member": true, "owner": false, "unreadCount": 3, "joinedAt": TIME } });
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
        "GetChannelMessage" | "PostChannelMessage" => json!({ "message": message }),
        "DeleteChannel" | "DeleteChannelMessage" => json!({ "deleted": true }),
        _ => return None,
    })
}

/// What an endpoint of webhooks may answer.
fn webhook_answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "CreateWebhook" => json!({ "webhook": webhook(), "secret": SECRET }),
        "ListWebhooks" => json!({ "webhooks": [webhook()], "nextCursor": "c" }),
        "GetWebhook"
        | "UpdateWebhook"
        | "EnableWebhook"
        | "DisableWebhook"
        | "PromoteWebhookSecret" => json!({ "webhook": webhook() }),
        "DeleteWebhook" => json!({ "deleted": true }),
        "RotateWebhookSecret" => {
            json!({ "webhook": webhook(), "secret": SECRET, "previousExpiresAt": TIME })
        }
        "ListWebhookDeliveries" => json!({ "deliveries": [delivery()], "nextCursor": "c" }),
        "GetWebhookDelivery" | "TestWebhook" | "RedeliverWebhook" => {
            json!({ "delivery": delivery() })
        }
        "RecoverWebhook" | "GetWebhookRecovery" => json!({ "recovery": recovery() }),
        "GetWebhookStats" => {
            json!({ "stats": { "24h": delivery_stats(), "7d": delivery_stats() } })
        }
        _ => return None,
    })
}

/// What an endpoint of reactions, relations and feeds may answer.
fn social_answer(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "LikePost" => json!({ "liked": true, "likesCount": 3 }),
        "UnlikePost" => json!({ "liked": false, "likesCount": 2 }),
        "RepostPost" => json!({ "reposted": true, "repostsCount": 2 }),
        "UnrepostPost" => json!({ "reposted": false, "repostsCount": 1 }),
        "BookmarkPost" => json!({ "bookmarked": true }),
        "UnbookmarkPost" => json!({ "bookmarked": false }),
        "PinPost" => json!({ "pinned": true }),
        "UnpinPost" => json!({ "pinned": false }),
        "MuteThread" => json!({ "muted": true }),
        "UnmuteThread" => json!({ "muted": false }),
        "Follow" => json!({ "following": true, "followersCount": 8 }),
        "Unfollow" => json!({ "following": false, "followersCount": 7 }),
        "BlockUser" => json!({ "blocking": true }),
        "UnblockUser" => json!({ "blocking": false }),
        "MuteUser" => json!({ "muting": true, "expiresAt": TIME }),
        "UnmuteUser" => json!({ "muting": false }),
        "ListLikes" | "ListReposts" | "ListBlocks" | "ListMutes" | "ListFollowers"
        | "ListFollowing" | "ListSuggested" => json!({ "users": [user()], "nextCursor": "c" }),
        "ListRelationships" => json!({ "relationships": [{ "userId": "usr_1", "following": true,
            "followedBy": false, "blocking": false, "blockedBy": false, "muting": false }] }),
        "ListBookmarks" | "GetFeed" => json!({ "posts": [post_with_html()], "nextCursor": "c" }),
        "GetGlobalFeed" => json!({ "posts": [post_with_html()], "asOf": TIME, "nextCursor": "c" }),
        "GetHome" => json!({ "home": { "user": user(), "unreadNotifications": 1,
            "unreadMessages": 2, "activityOnYourPosts": [notification()],
            "pendingServiceRequests": [message()], "escrowsNeedingAction": [escrow()],
            "latestFromFollowed": [post_with_html()] } }),
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
        "ListModerationActions" => {
            json!({ "actions": [action()], "subjectGone": false, "nextCursor": "c" })
        }
        "UpdateUser" | "ApproveSignup" => json!({ "user": user() }),
        "GetOverview" => json!({ "overview": { "window": "24h", "signups": 12, "signupsWaiting": 1,
            "ordersDone": 86, "ordersFailed": 2, "escrowsOpen": 3, "escrowsHold": 180.5,
            "disputesOpen": 1, "oldestDisputeAt": TIME, "deliveriesFailed": 4,
            "queues": [{ "name": "webhooks", "waiting": 7, "lagSeconds": 1.5 }],
            "series": [{ "start": TIME, "signups": 12, "ordersDone": 86, "ordersFailed": 2 }] } }),
        "ListFailedDeliveries" => json!({ "deliveries": [{ "id": "dlv_1", "webhookId": "wh_1",
            "username": "ada", "kind": "mention", "attempts": 8, "status": 500,
            "errorClass": "http_status", "createdAt": TIME }], "nextCursor": "c" }),
        "ListEndedOrders" => json!({ "orders": [{ "orderId": "msg_1", "escrowId": "esc_1",
            "serviceId": "srv_1", "serviceName": "Chart from CSV", "serviceActive": true,
            "buyerUsername": "ada", "providerUsername": "bob", "credits": 60, "status": "refunded",
            "wasDisputed": true, "createdAt": TIME, "closedAt": TIME }], "nextCursor": "c" }),
        "ListOpenEscrows" => json!({ "escrows": [{ "id": "esc_2", "orderId": "msg_2",
            "buyerUsername": "ada", "providerUsername": "bob", "amount": 150,
            "status": "delivered", "createdAt": TIME, "dueAt": TIME }], "nextCursor": "c" }),
        "ListQueue" => json!({ "entries": [{ "kind": "webhook", "id": "wh_1", "dueAt": TIME,
            "attempts": 3, "username": "ada" },
            { "kind": "order", "id": "msg_3", "dueAt": TIME, "createdAt": TIME }],
            "nextCursor": "c" }),
        "ListSignups" => json!({ "signups": [{
            "userId": "usr_2", "username": "bob", "displayName": "Bob", "bio": "", "isAgent": false,
            "email": "bob@example.org", "emailVerified": true, "createdAt": TIME,
        }], "nextCursor": "c" }),
        _ => return None,
    })
}
