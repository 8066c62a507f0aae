//! Access to pages: a row for each page and form.

use std::collections::BTreeSet;

use http::StatusCode;
use svc_client::types::api::channels::ChannelVisibility;
use svc_client::types::{Scope, Timestamp};

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{offer, order};
use crate::on_both_engines;

/// The expected response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// The page itself.
    Shown,
    /// Another page, once it is done or because there is nothing to do.
    Onward,
    /// A redirect to the sign-in.
    SignIn,
    /// A refusal with this status.
    Refused(u16),
}
use Seen::{Onward, Refused, Shown, SignIn};

/// Method, path, and what it is for: any caller, another person, the author.
const ROWS: &[(&str, &str, [Seen; 3])] = &[
    ("GET", "/", [Shown, Shown, Shown]),
    ("GET", "/feed", [Shown, Shown, Shown]),
    ("GET", "/feed.atom", [Shown, Shown, Shown]),
    ("GET", "/welcome", [SignIn, Shown, Shown]),
    ("GET", "/docs", [Shown, Shown, Shown]),
    ("GET", "/docs/agents", [Shown, Shown, Shown]),
    ("GET", "/docs/sign-in", [Shown, Shown, Shown]),
    ("GET", "/docs/api", [Shown, Shown, Shown]),
    ("GET", "/docs/api/{tag}", [Shown, Shown, Shown]),
    ("GET", "/docs/api/objects/{object}", [Shown, Shown, Shown]),
    ("GET", "/compose", [SignIn, Shown, Shown]),
    ("POST", "/compose", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/compose/later", [SignIn, Shown, Shown]),
    ("POST", "/compose/later", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/post/{postId}", [Shown, Shown, Shown]),
    ("POST", "/post/{postId}", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/post/{postId}/edit", [SignIn, Refused(404), Shown]),
    ("POST", "/post/{postId}/edit", [Refused(401), Refused(403), Onward]),
    ("GET", "/post/{postId}/history", [Shown, Shown, Shown]),
    ("GET", "/post/{postId}/embed", [Shown, Shown, Shown]),
    ("POST", "/post/{postId}/like", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unlike", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/repost", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unrepost", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/bookmark", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unbookmark", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/mute", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/unmute", [SignIn, Onward, Onward]),
    ("POST", "/post/{postId}/pin", [SignIn, Refused(403), Onward]),
    ("POST", "/post/{postId}/unpin", [SignIn, Refused(403), Onward]),
    ("GET", "/post/{postId}/analytics", [SignIn, Refused(403), Shown]),
    ("GET", "/post/{postId}/delete", [SignIn, Refused(404), Shown]),
    ("POST", "/post/{postId}/delete", [Refused(401), Refused(403), Onward]),
    ("GET", "/@{username}", [Shown, Shown, Shown]),
    ("GET", "/@{username}/followers", [Shown, Shown, Shown]),
    ("GET", "/@{username}/following", [Shown, Shown, Shown]),
    ("POST", "/@{username}/follow", [SignIn, Onward, Refused(400)]),
    ("POST", "/@{username}/unfollow", [SignIn, Onward, Refused(400)]),
    ("POST", "/@{username}/mute", [SignIn, Onward, Refused(400)]),
    ("POST", "/@{username}/unmute", [SignIn, Onward, Refused(400)]),
    ("GET", "/@{username}/block", [SignIn, Shown, Shown]),
    ("POST", "/@{username}/block", [SignIn, Onward, Refused(400)]),
    ("POST", "/@{username}/unblock", [SignIn, Onward, Refused(400)]),
    ("GET", "/search", [Shown, Shown, Shown]),
    ("GET", "/tag/{name}", [Shown, Shown, Shown]),
    ("POST", "/tag/{name}/follow", [SignIn, Onward, Onward]),
    ("POST", "/tag/{name}/unfollow", [SignIn, Onward, Onward]),
    ("GET", "/explore", [Shown, Shown, Shown]),
    ("GET", "/explore/accounts", [Shown, Shown, Shown]),
    ("GET", "/explore/leaders", [Shown, Shown, Shown]),
    ("GET", "/explore/rail", [Shown, Shown, Shown]),
    ("GET", "/notifications", [SignIn, Shown, Shown]),
    ("POST", "/notifications/read", [SignIn, Refused(400), Refused(400)]),
    ("GET", "/lists", [SignIn, Shown, Shown]),
    ("POST", "/lists", [Refused(401), Refused(400), Refused(400)]),
    // A private list, of which others learn nothing.
    ("GET", "/lists/{listId}", [Refused(404), Refused(404), Shown]),
    ("GET", "/lists/{listId}/members", [Refused(404), Refused(404), Shown]),
    ("POST", "/lists/{listId}/members", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/lists/{listId}/members/{username}/remove", [SignIn, Refused(404), Onward]),
    ("GET", "/lists/{listId}/edit", [SignIn, Refused(404), Shown]),
    ("POST", "/lists/{listId}/edit", [Refused(401), Refused(404), Onward]),
    ("GET", "/lists/{listId}/delete", [SignIn, Refused(404), Shown]),
    ("POST", "/lists/{listId}/delete", [Refused(401), Refused(404), Onward]),
    ("GET", "/about", [Shown, Shown, Shown]),
    ("GET", "/report", [SignIn, Shown, Shown]),
    ("POST", "/report", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/login", [Shown, Onward, Onward]),
    ("POST", "/login", [Refused(400), Refused(400), Refused(400)]),
    ("POST", "/login/passkey", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/join", [Shown, Onward, Onward]),
    ("POST", "/join", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/join/waiting", [Shown, Shown, Shown]),
    ("GET", "/restore", [Shown, Onward, Onward]),
    ("POST", "/restore", [Refused(401), Refused(409), Refused(409)]),
    ("GET", "/undo/{token}", [Shown, Shown, Shown]),
    ("POST", "/undo/{token}", [Refused(404), Refused(404), Refused(404)]),
    ("GET", "/verify", [Shown, Shown, Shown]),
    ("POST", "/verify", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/forgot", [Shown, Shown, Shown]),
    ("POST", "/forgot", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/reset", [Shown, Shown, Shown]),
    ("POST", "/reset", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/analytics", [SignIn, Shown, Shown]),
    ("POST", "/theme", [Refused(400), Refused(400), Refused(400)]),
    ("POST", "/language", [Refused(400), Refused(400), Refused(400)]),
    ("POST", "/zone", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/settings", [SignIn, Shown, Shown]),
    ("POST", "/settings", [Refused(401), Onward, Onward]),
    ("POST", "/settings/email/send", [SignIn, Onward, Onward]),
    ("POST", "/settings/avatar", [SignIn, Refused(400), Refused(400)]),
    ("POST", "/settings/avatar/delete", [SignIn, Onward, Onward]),
    ("POST", "/settings/password", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/settings/key", [SignIn, Shown, Shown]),
    ("POST", "/settings/key", [Refused(401), Shown, Shown]),
    ("POST", "/settings/export", [SignIn, Onward, Onward]),
    ("GET", "/settings/appearance", [SignIn, Shown, Shown]),
    ("GET", "/settings/data", [SignIn, Shown, Shown]),
    ("GET", "/settings/delete", [SignIn, Shown, Shown]),
    ("POST", "/settings/delete", [Refused(401), Refused(400), Refused(400)]),
    // Nothing is sold here.
    ("GET", "/settings/billing", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/settings/billing", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/settings/billing/cancel", [SignIn, Refused(503), Refused(503)]),
    ("POST", "/settings/billing/resume", [SignIn, Refused(503), Refused(503)]),
    ("POST", "/settings/billing/portal", [SignIn, Refused(503), Refused(503)]),
    ("POST", "/settings/billing/pass", [SignIn, Refused(400), Refused(400)]),
    ("GET", "/settings/notifications", [SignIn, Shown, Shown]),
    ("POST", "/settings/notifications", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/settings/webhooks", [SignIn, Shown, Shown]),
    ("POST", "/settings/webhooks", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/settings/webhooks/{webhookId}", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/webhooks/{webhookId}", [Refused(401), Refused(404), Onward]),
    ("POST", "/settings/webhooks/{webhookId}/test", [Refused(401), Refused(404), Refused(429)]),
    ("POST", "/settings/webhooks/{webhookId}/rotate", [Refused(401), Refused(404), Shown]),
    ("POST", "/settings/webhooks/{webhookId}/promote", [SignIn, Refused(404), Onward]),
    ("POST", "/settings/webhooks/{webhookId}/disable", [SignIn, Refused(404), Onward]),
    ("POST", "/settings/webhooks/{webhookId}/enable", [SignIn, Refused(404), Onward]),
    (
        "GET",
        "/settings/webhooks/{webhookId}/deliveries/{deliveryId}",
        [SignIn, Refused(404), Shown],
    ),
    (
        "POST",
        "/settings/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
        [SignIn, Refused(404), Refused(409)],
    ),
    ("GET", "/settings/webhooks/{webhookId}/delete", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/webhooks/{webhookId}/delete", [Refused(401), Refused(404), Onward]),
    ("GET", "/settings/developer", [SignIn, Shown, Shown]),
    ("POST", "/settings/developer", [Refused(400), Refused(400), Refused(400)]),
    ("GET", "/settings/developer/{appId}/rotate", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/developer/{appId}/rotate", [Refused(401), Refused(404), Shown]),
    ("GET", "/settings/developer/{appId}/delete", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/developer/{appId}/delete", [Refused(401), Refused(404), Onward]),
    ("GET", "/settings/security", [SignIn, Shown, Shown]),
    ("POST", "/settings/security/keys", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/settings/security/keys/{keyId}/delete", [SignIn, Refused(404), Onward]),
    // This server has no host name, so that nobody adds a passkey.
    ("GET", "/settings/security/passkeys", [SignIn, Shown, Shown]),
    ("POST", "/settings/security/passkeys", [Refused(401), Refused(503), Refused(503)]),
    ("POST", "/settings/security/passkeys/new", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/settings/security/passkeys/{passkeyId}", [Refused(401), Refused(400), Refused(400)]),
    (
        "POST",
        "/settings/security/passkeys/{passkeyId}/delete",
        [SignIn, Refused(404), Refused(404)],
    ),
    // No account here has given a grant.
    ("POST", "/settings/security/grants/{grantId}/delete", [SignIn, Refused(404), Refused(404)]),
    // No account here is linked.
    ("POST", "/settings/security/links/{provider}/begin", [Refused(401), Shown, Shown]),
    ("POST", "/settings/security/links/{provider}/delete", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/settings/security/sessions/{sessionId}/delete", [SignIn, Refused(404), Onward]),
    ("POST", "/settings/security/sessions/delete", [SignIn, Onward, Onward]),
    ("GET", "/settings/security/totp", [SignIn, Shown, Shown]),
    ("POST", "/settings/security/totp", [Refused(401), Shown, Shown]),
    ("GET", "/settings/security/totp/confirm", [SignIn, Shown, Shown]),
    ("POST", "/settings/security/totp/confirm", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/settings/security/totp/delete", [SignIn, Shown, Shown]),
    ("POST", "/settings/security/totp/delete", [Refused(401), Refused(404), Refused(404)]),
    ("GET", "/settings/security/recovery-codes", [SignIn, Shown, Shown]),
    ("POST", "/settings/security/recovery-codes", [Refused(401), Refused(409), Refused(409)]),
    ("GET", "/settings/confirm", [SignIn, Shown, Shown]),
    ("POST", "/settings/confirm", [Refused(401), Refused(401), Refused(401)]),
    ("POST", "/settings/confirm/passkey", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/settings/agents", [SignIn, Shown, Shown]),
    ("POST", "/settings/agents", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/settings/agents/caps", [Refused(401), Onward, Onward]),
    ("POST", "/settings/agents/link", [Refused(401), Refused(403), Refused(403)]),
    ("GET", "/settings/agents/{username}", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/agents/{username}/caps", [Refused(401), Refused(403), Onward]),
    ("POST", "/settings/agents/{username}/pause", [SignIn, Refused(403), Onward]),
    ("POST", "/settings/agents/{username}/resume", [SignIn, Refused(403), Onward]),
    ("POST", "/settings/agents/{username}/sign-out", [SignIn, Refused(403), Onward]),
    ("POST", "/settings/agents/{username}/owner", [SignIn, Refused(400), Refused(400)]),
    ("GET", "/settings/agents/{username}/key", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/agents/{username}/key", [Refused(401), Refused(403), Shown]),
    // Before the agent is released.
    ("GET", "/operate", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/operate/deliveries", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/operate/orders", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/operate/escrows", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/operate/queues/{queue}", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/operate/billing", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/operate/billing/{payoutId}/approve", [SignIn, Refused(403), Refused(403)]),
    ("POST", "/operate/billing/{payoutId}/deny", [SignIn, Refused(400), Refused(400)]),
    // Nothing is paid out here.
    ("GET", "/sell/payouts", [SignIn, Refused(503), Refused(503)]),
    ("POST", "/sell/payouts", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/sell/payouts/connect", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/sell/payouts/{payoutId}/cancel", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/sell", [SignIn, Shown, Shown]),
    ("GET", "/sell/{username}/sales.csv", [SignIn, Refused(403), Shown]),
    ("GET", "/sell/{username}/services", [SignIn, Refused(404), Shown]),
    ("POST", "/sell/{username}/services", [Refused(401), Refused(404), Refused(400)]),
    ("POST", "/sell/{username}/services/check", [Refused(401), Refused(404), Refused(400)]),
    // A service of another agent.
    ("GET", "/sell/{username}/services/{serviceId}", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/sell/{username}/services/{serviceId}", [Refused(401), Refused(404), Refused(404)]),
    (
        "POST",
        "/sell/{username}/services/{serviceId}/check",
        [Refused(401), Refused(404), Refused(404)],
    ),
    ("POST", "/sell/{username}/services/{serviceId}/active", [SignIn, Refused(403), Refused(404)]),
    ("GET", "/sell/{username}/services/{serviceId}/withdraw", [SignIn, Refused(404), Refused(404)]),
    (
        "POST",
        "/sell/{username}/services/{serviceId}/withdraw",
        [Refused(401), Refused(403), Refused(404)],
    ),
    // An order of another agent, of which ada is the buyer.
    (
        "POST",
        "/sell/{username}/services/{serviceId}/orders/{orderId}/sample",
        [SignIn, Refused(404), Refused(403)],
    ),
    (
        "POST",
        "/sell/{username}/services/{serviceId}/orders/{orderId}/sample/withdraw",
        [SignIn, Refused(404), Onward],
    ),
    ("GET", "/settings/agents/{username}/release", [SignIn, Refused(404), Shown]),
    ("POST", "/settings/agents/{username}/release", [Refused(401), Refused(403), Onward]),
    ("GET", "/claim/{token}", [SignIn, Shown, Shown]),
    ("POST", "/claim/{token}", [Refused(401), Refused(404), Refused(404)]),
    ("GET", "/settings/scheduled", [SignIn, Shown, Shown]),
    ("POST", "/settings/scheduled/{scheduledPostId}/delete", [SignIn, Refused(404), Onward]),
    // None of these is a moderator.
    ("GET", "/moderation", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/moderation/signups", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/moderation/signups/{userId}/approve", [SignIn, Refused(403), Refused(403)]),
    ("GET", "/moderation/signups/{userId}/reject", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/moderation/signups/{userId}/reject", [Refused(401), Refused(403), Refused(403)]),
    ("GET", "/moderation/log", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/moderation/act", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/moderation/act", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/moderation/disputes", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/moderation/disputes/{escrowId}", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/moderation/disputes/{escrowId}", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/moderation/reports/{reportId}", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/moderation/reports/{reportId}", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/moderation/reports/{reportId}/claim", [SignIn, Refused(403), Refused(403)]),
    ("POST", "/moderation/reports/{reportId}/reopen", [Refused(401), Refused(403), Refused(403)]),
    ("GET", "/messages", [SignIn, Shown, Shown]),
    ("POST", "/messages", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/messages/{conversationId}", [SignIn, Refused(404), Shown]),
    ("POST", "/messages/{conversationId}", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/messages/requests", [SignIn, Shown, Shown]),
    ("POST", "/messages/{conversationId}/accept", [SignIn, Refused(404), Onward]),
    // It is none of a stranger.
    ("POST", "/messages/{conversationId}/decline", [SignIn, Refused(404), Refused(409)]),
    ("POST", "/messages/{conversationId}/read", [SignIn, Refused(400), Refused(400)]),
    ("POST", "/messages/{conversationId}/mute", [SignIn, Refused(404), Onward]),
    ("POST", "/messages/{conversationId}/unmute", [SignIn, Refused(404), Onward]),
    ("GET", "/messages/{conversationId}/delete/{messageId}", [SignIn, Refused(404), Shown]),
    ("GET", "/orders", [SignIn, Shown, Shown]),
    ("GET", "/orders/{orderId}", [SignIn, Refused(404), Shown]),
    ("POST", "/orders/{orderId}", [Refused(401), Refused(404), Refused(404)]),
    ("GET", "/orders/{orderId}/decline", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/orders/{orderId}/decline", [Refused(401), Refused(404), Refused(404)]),
    // Its seller asks for nothing.
    ("POST", "/orders/{orderId}/input", [Refused(401), Refused(404), Refused(409)]),
    ("GET", "/orders/{orderId}/files/{name}", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/orders/{orderId}/review", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/orders/{orderId}/review/delete", [SignIn, Refused(404), Refused(404)]),
    ("POST", "/orders/{orderId}/sample", [Refused(401), Refused(404), Refused(403)]),
    ("POST", "/orders/{orderId}/sample/answer", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/orders/{orderId}/sample/withdraw", [SignIn, Refused(404), Onward]),
    ("GET", "/orders/{orderId}/cancel", [SignIn, Refused(404), Shown]),
    // Its service accepts orders by being ordered.
    ("POST", "/orders/{orderId}/cancel", [Refused(401), Refused(404), Refused(409)]),
    ("GET", "/services", [Shown, Shown, Shown]),
    ("GET", "/services/{category}", [Shown, Shown, Shown]),
    // The former address of the catalogue.
    ("GET", "/bots", [Refused(308), Refused(308), Refused(308)]),
    ("GET", "/@{username}/services/{serviceId}", [Shown, Shown, Shown]),
    ("POST", "/@{username}/services/{serviceId}", [Refused(401), Refused(409), Refused(409)]),
    ("GET", "/escrow", [SignIn, Shown, Shown]),
    ("GET", "/escrow/{escrowId}", [SignIn, Refused(404), Shown]),
    ("GET", "/escrow/{escrowId}/files/{name}", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/escrow/{escrowId}/fund", [SignIn, Refused(404), Shown]),
    ("GET", "/escrow/{escrowId}/deliver", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/escrow/{escrowId}/release", [SignIn, Refused(404), Shown]),
    ("GET", "/escrow/{escrowId}/dispute", [SignIn, Refused(404), Shown]),
    ("GET", "/escrow/{escrowId}/respond", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/escrow/{escrowId}/decline", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/escrow/{escrowId}/cancel", [SignIn, Refused(404), Shown]),
    ("GET", "/escrow/{escrowId}/refund", [SignIn, Refused(404), Refused(404)]),
    ("GET", "/escrow/{escrowId}/offer-split", [SignIn, Refused(404), Shown]),
    ("GET", "/escrow/{escrowId}/accept-split", [SignIn, Refused(404), Shown]),
    ("POST", "/escrow/{escrowId}/fund", [Refused(401), Refused(404), Refused(409)]),
    ("POST", "/escrow/{escrowId}/deliver", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/escrow/{escrowId}/release", [Refused(401), Refused(404), Refused(409)]),
    ("POST", "/escrow/{escrowId}/dispute", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/escrow/{escrowId}/respond", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/escrow/{escrowId}/decline", [Refused(401), Refused(404), Refused(403)]),
    ("POST", "/escrow/{escrowId}/refund", [Refused(401), Refused(404), Refused(403)]),
    ("POST", "/escrow/{escrowId}/offer-split", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/escrow/{escrowId}/accept-split", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/escrow/{escrowId}/cancel", [Refused(401), Refused(404), Onward]),
    ("POST", "/messages/{conversationId}/delete/{messageId}", [Refused(401), Refused(404), Onward]),
    ("GET", "/credits", [SignIn, Shown, Shown]),
    // Nothing is sold here.
    ("POST", "/credits", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/credits/payments/{paymentId}/refund", [SignIn, Refused(503), Refused(503)]),
    ("GET", "/channels", [Shown, Shown, Shown]),
    ("POST", "/channels", [Refused(401), Refused(400), Refused(400)]),
    ("GET", "/channels/{channelId}", [Refused(404), Refused(404), Shown]),
    ("POST", "/channels/{channelId}", [Refused(401), Refused(400), Refused(400)]),
    ("POST", "/channels/{channelId}/join", [SignIn, Refused(404), Onward]),
    ("POST", "/channels/{channelId}/read", [SignIn, Refused(400), Refused(400)]),
    ("GET", "/channels/{channelId}/leave", [SignIn, Refused(404), Refused(409)]),
    ("POST", "/channels/{channelId}/leave", [Refused(401), Refused(404), Refused(409)]),
    ("GET", "/channels/{channelId}/delete", [SignIn, Refused(404), Shown]),
    (
        "POST",
        "/channels/{channelId}/messages/{messageId}/delete",
        [SignIn, Refused(404), Refused(404)],
    ),
    ("POST", "/channels/{channelId}/delete", [Refused(401), Refused(404), Onward]),
    // Last, for who signs out sees nothing more.
    ("POST", "/logout", [SignIn, Onward, Onward]),
];

fn seen(page: &Page) -> Seen {
    match page.status {
        StatusCode::OK => Shown,
        StatusCode::SEE_OTHER if page.to().starts_with("/login") => SignIn,
        StatusCode::SEE_OTHER => Onward,
        other => Refused(other.as_u16()),
    }
}

/// What the paths name, with a member of ada's trade for each: parameter and id.
async fn trade(app: &TestApp, ada: &Member) -> Vec<(&'static str, String)> {
    let bob = app.agent("bob").await;
    let service = offer(&bob, "work", 5).await;
    let escrow = ada.client.escrow().create("bob", &service, 60, "a report").await.unwrap().escrow;
    let asked = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap();
    let private = ChannelVisibility::Private;
    let making = ada.client.channels().create("the-room");
    let made = making.with(|request| request.visibility = Some(private)).await.unwrap();
    let owned = app.agent("owned_bot").await;
    let link = owned.client.agents().create_claim_link().await.unwrap().url;
    ada.client.agents().claim(link).await.unwrap();
    vec![
        ("agents/{username}", "agents/owned_bot".to_owned()),
        ("sell/{username}", "sell/owned_bot".to_owned()),
        ("@{username}/services", "@bob/services".to_owned()),
        ("{serviceId}", service.to_string()),
        ("{escrowId}", escrow.id.to_string()),
        ("{messageId}", asked.message.message_id.to_string()),
        ("{orderId}", asked.message.message_id.to_string()),
        ("{conversationId}", asked.message.conversation_id.to_string()),
        ("{channelId}", made.channel.id.to_string()),
    ]
}

#[test]
fn every_page_has_a_row() {
    let rows: BTreeSet<_> = ROWS.iter().map(|(method, path, _)| (*method, *path)).collect();
    let pages: BTreeSet<_> = svc_server::pages::pages().places().into_iter().collect();
    assert_eq!(rows, pages);
}

on_both_engines! {
    async fn every_caller_is_answered_as_in_the_row(
        app: TestApp, "webhooks.allow_loopback" = "true", "mail.url" = "smtp://127.0.0.1:9",
        "links.x.client_id" = "svc"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("eve", PASSWORD).await;
        let post = ada.post("mine").await;
        app.agent("tagger").await.post("about #tagged things").await;
        app.index().await;
        let list = ada.client.lists().create("mine").await.unwrap().list;
        // The port is closed, so that deliveries fail at once.
        let webhook = ada.client.webhooks().create("http://127.0.0.1:2/").await.unwrap().webhook.id;
        let delivery = ada.client.webhooks().test(&webhook).await.unwrap().delivery;
        let soon = Timestamp::from_millis(app.server.clock().now().as_millis() + 3_600_000);
        let later = ada.client.scheduled_posts().create("later", soon).await.unwrap().scheduled_post;
        let gate = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let trade = trade(&app, &ada).await;
        let key = ada.client.keys().create("named", [Scope::Read]).await.unwrap().key.key_id;
        let session = ada.client.sessions().list().await.unwrap().sessions.remove(0).session_id;
        let own = [
            ("{keyId}", key.as_str()),
            ("{sessionId}", session.as_str()),
            ("{grantId}", "grt_0000000000000"),
            ("{provider}", "x"),
            ("{passkeyId}", "pky_0000000000000"),
            ("{postId}", post.id.as_str()),
            ("{listId}", list.id.as_str()),
            ("{webhookId}", webhook.as_str()),
            ("{deliveryId}", delivery.id.as_str()),
            ("{scheduledPostId}", later.id.as_str()),
            ("{appId}", gate.developer.id.as_str()),
            ("{reportId}", "rpt_none"),
            ("{paymentId}", "pay_none"),
            ("{payoutId}", "po_none"),
            ("{category}", "data"),
            ("{queue}", "mail"),
        ];
        let browsers = [
            Browser::new(&app),
            Browser::of(&app, "eve").await,
            Browser::of(&app, "ada").await,
        ];
        for (method, path, expected) in ROWS {
            let path = own.iter().fold((*path).to_owned(), |path, (name, id)| path.replace(name, id));
            let path = trade.iter().fold(path, |path, (name, id)| path.replace(name, id));
            let path = path.replace("{username}", "ada").replace("{name}", "tagged").replace("{tag}", "posts").replace("{object}", "Post");
            for (browser, expected) in browsers.iter().zip(expected) {
                let page = match *method {
                    "GET" => browser.get(&path).await,
                    _ => browser.post(&path, &[]).await,
                };
                assert_eq!(seen(&page), *expected, "{method} {path}: {}", page.text);
                let is_html = |value: &http::HeaderValue| value.as_bytes().starts_with(b"text/html");
                if page.headers.get("content-type").is_some_and(is_html) {
                    page.html();
                }
            }
        }
    }
}
