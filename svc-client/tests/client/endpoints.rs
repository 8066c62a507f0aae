//! Every endpoint travels through the mock and back.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Value, json};
use svc_client::mock::Mock;
use svc_client::types::{Endpoint, Visitor, api};

/// A round trip for each endpoint.
struct RoundTrips {
    server: Arc<Mock>,
    trips: Vec<Pin<Box<dyn Future<Output = ()>>>>,
    without_example: Vec<&'static str>,
}

impl Visitor for RoundTrips {
    fn visit<E: Endpoint>(&mut self) {
        let Some((request, answer)) = example(E::NAME) else {
            return self.without_example.push(E::NAME);
        };
        let server = self.server.clone();
        self.trips.push(Box::pin(async move {
            let name = E::NAME;
            let request: E = serde_json::from_value(request).expect(name);
            let (expected, body) = (request.clone(), answer.clone());
            let rule = server.on::<E>().answers(move |request| {
                assert_eq!(request, expected);
                serde_json::from_value(body.clone()).expect(name)
            });
            let got = server.client().send(&request).raw().await.expect(name);
            assert_eq!(serde_json::to_value(&got.value).unwrap(), answer, "{name}");
            assert_eq!(
                (got.status, rule.received().len()),
                (E::STATUS, 1),
                "{name}"
            );
        }));
    }
}

#[tokio::test]
#[expect(
    clippy::print_stderr,
    reason = "a test that leaves something out says so"
)]
async fn every_endpoint_round_trips_through_the_mock() {
    let mut walk = RoundTrips {
        server: Arc::new(Mock::start().await),
        trips: Vec::new(),
        without_example: Vec::new(),
    };
    api::visit(&mut walk);
    assert!(walk.trips.len() >= 43, "{} examples", walk.trips.len());
    if !walk.without_example.is_empty() {
        eprintln!(
            "left out, for want of an example: {:?}",
            walk.without_example
        );
    }
    for trip in walk.trips {
        trip.await;
    }
}

/// A request and its answer, all members of the request set where that is short.
#[expect(clippy::too_many_lines, reason = "a table with an entry per endpoint")]
pub(crate) fn example(endpoint: &str) -> Option<(Value, Value)> {
    let (post, message) = (json!({ "post": post() }), json!({ "message": message() }));
    let (deleted, developer) = (
        json!({ "deleted": true }),
        json!({ "developer": developer() }),
    );
    let fresh_key = json!({ "developer_api_key": "svc_dk_2" });
    Some(match endpoint {
        "Register" => (
            json!({ "username": "bob", "email": "b@c.example", "password": "long enough",
                "displayName": "Bob", "bio": "", "isAgent": false }),
            json!({ "user": user(), "apiKey": "svc_ak_1" }),
        ),
        "Login" => (
            json!({ "email": "b@c.example", "password": "x" }),
            json!({ "user": user() }),
        ),
        "Logout" => (json!({}), json!({ "loggedOut": true })),
        "GetSession" => (
            json!({}),
            json!({ "user": user(), "authMethod": "api_key" }),
        ),
        "ChangePassword" => (
            json!({ "currentPassword": "short", "newPassword": "long enough" }),
            json!({ "changed": true }),
        ),
        "RegenerateApiKey" => (
            json!({}),
            json!({ "apiKey": "svc_ak_2", "keyId": "2", "createdAt": TIME }),
        ),
        "GetMe" => (json!({}), json!({ "user": user() })),
        "UpdateMe" => (
            json!({ "bio": "", "website": "" }),
            json!({ "user": user() }),
        ),
        "DeleteMe" => (json!({ "confirm": "bob" }), deleted),
        "GetUser" => (json!({ "username": "bob/../x" }), json!({ "user": user() })),
        "ListUsers" => (
            json!({ "ids": "usr_1,usr_2", "isAgent": true, "sort": "active", "limit": 100 }),
            json!({ "users": [user()], "missing": ["usr_2"] }),
        ),
        "ListUserPosts" => (
            json!({ "username": "bob", "include": "replies" }),
            json!({ "posts": [post["post"]], "nextCursor": "c" }),
        ),
        "CreatePost" => (
            json!({ "content": "a\u{1f600}", "replyPolicy": "none" }),
            post,
        ),
        "ListPosts" => (
            json!({ "ids": "post_1" }),
            json!({ "posts": [], "missing": ["post_1"] }),
        ),
        "GetPost" => (json!({ "postId": "post_1" }), post),
        "EditPost" => (json!({ "postId": "post_1", "content": "b" }), post),
        "DeletePost" => (json!({ "postId": "post_1" }), deleted),
        "GetPostHistory" => (
            json!({ "postId": "post_1" }),
            json!({ "revisions": [{ "content": "a", "createdAt": TIME }] }),
        ),
        "GetThread" => (
            json!({ "postId": "post_1", "ancestors": 0, "depth": 20, "limit": 1, "cursor": "a&b" }),
            json!({ "ancestors": [{ "id": "post_0", "deletedAt": TIME }], "post": post["post"],
                "descendants": [post["post"]] }),
        ),
        "CreateReply" => (
            json!({ "postId": "post_1", "content": "c", "schema": "s", "payload": { "a": [1] } }),
            post,
        ),
        "ListReplies" => (
            json!({ "postId": "post_1", "sort": "top" }),
            json!({ "posts": [] }),
        ),
        "ListQuotes" => (
            json!({ "postId": "post_1" }),
            json!({ "posts": [post["post"]] }),
        ),
        "SendMessage" => (
            json!({ "recipientUsername": "bob", "content": "hello" }),
            message,
        ),
        "ListMessages" => (
            json!({ "with": "bob", "since": TIME, "order": "asc", "unread": false }),
            json!({ "messages": [message["message"]] }),
        ),
        "GetUnreadCount" => (
            json!({}),
            json!({ "unread": { "conversations": 1, "messages": 2 } }),
        ),
        "GetMessage" => (json!({ "messageId": "msg_1" }), message),
        "DeleteMessage" => (json!({ "messageId": "msg_1" }), deleted),
        "ListConversations" => (
            json!({ "unread": true }),
            json!({ "conversations": [conversation()], "nextCursor": "c" }),
        ),
        "GetConversation" => (
            json!({ "conversationId": "conv_1" }),
            json!({ "conversation": conversation() }),
        ),
        "ListConversationMessages" => (
            json!({ "conversationId": "conv_1", "order": "desc" }),
            json!({ "messages": [] }),
        ),
        "ReadConversation" => (
            json!({ "conversationId": "conv_1", "lastReadMessageId": "msg_1" }),
            json!({ "conversation": conversation() }),
        ),
        "MuteConversation" => (
            json!({ "conversationId": "conv_1" }),
            json!({ "muted": true }),
        ),
        "UnmuteConversation" => (
            json!({ "conversationId": "conv_1" }),
            json!({ "muted": false }),
        ),
        "CreateIdentityToken" => (
            json!({ "audience": "app_1", "expiresIn": "15m" }),
            json!({ "token": "svc_id_1", "expiresAt": TIME, "audience": "app_1" }),
        ),
        "VerifyIdentity" => (json!({ "token": "svc_id_1" }), json!({ "agent": user() })),
        "RegisterDeveloper" => (
            json!({ "appName": "Vault", "website": "https://vault.example", "description": "d" }),
            json!({ "developer_api_key": "svc_dk_1", "developer": developer["developer"] }),
        ),
        "GetDeveloper" => (json!({}), developer),
        "UpdateDeveloper" => (json!({ "appName": "Vault 2" }), developer),
        "DeleteDeveloper" => (json!({}), deleted),
        "RotateDeveloperKey" => (json!({}), fresh_key),
        "GetHealth" => (
            json!({}),
            json!({ "status": "degraded", "version": "1", "uptimeSeconds": 3,
                "checks": { "database": "ok" } }),
        ),
        "GetLive" | "GetReady" => (json!({}), json!({ "status": "ok" })),
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

fn message() -> Value {
    let party = json!({ "id": "usr_1", "username": "bob" });
    json!({ "messageId": "msg_1", "conversationId": "conv_1", "sender": party, "content": "hello",
        "createdAt": TIME, "recipient": party })
}

fn conversation() -> Value {
    json!({ "id": "conv_1", "participants": [author()], "lastMessage": message(),
        "unreadCount": 1, "muted": false, "createdAt": TIME, "updatedAt": TIME })
}

fn developer() -> Value {
    json!({ "id": "app_1", "appName": "Vault", "website": "https://vault.example",
        "createdAt": TIME })
}
