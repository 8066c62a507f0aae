//! Who may call: credentials, resources, scopes, origins.

use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::{Code, Scope};

use super::TYPES;
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn a_bare_request_learns_how_to_get_a_token(app: TestApp) {
        let bare = answer(app.mcp(Method::POST)).await;
        assert_eq!(bare.refusal().code, Code::Unauthorized);
        let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", app.root());
        let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"read\"");
        assert_eq!(bare.header("www-authenticate"), Some(&*challenge));
        let named = app.document("/.well-known/oauth-protected-resource/mcp").await;
        assert_eq!(named["resource"], format!("{}/mcp", app.root()));
        let wrong = challenge.replace("Bearer ", "Bearer error=\"invalid_token\", ");
        for credential in ["svc_ak_nope", "svc_at_nope", "nope"] {
            let refused = app.host(credential).send("tools/list", json!({})).await;
            assert_eq!(refused.refusal().code, Code::Unauthorized, "{credential}");
            assert_eq!(refused.header("www-authenticate"), Some(&*wrong));
        }
    }

    async fn a_token_works_here_or_at_the_api_and_a_cookie_not_at_all(app: TestApp) {
        let ada = app.visitor("ada").await;
        let token = app.mcp_token(&ada, "read", ["1", "1"]).await;
        let host = app.host(&*token);
        assert_eq!(host.seen("whoami", json!({})).await["user"]["username"], "ada");
        assert_eq!(app.status_with(&token, "/users/me").await, StatusCode::UNAUTHORIZED);
        let client = app.register_client(&[crate::oauth::DONE]).await;
        let other = app.tokens(&ada, &client, "read").await;
        let other = app.host(other["access_token"].as_str().unwrap());
        let refused = other.send("tools/list", json!({})).await.refusal();
        assert_eq!(refused.code, Code::Unauthorized);
        assert!(refused.hint.unwrap().contains("MCP"));
        let request = app.mcp(Method::POST).header("cookie", &ada.cookie).json(&json!({}));
        assert_eq!(answer(request).await.status, StatusCode::UNAUTHORIZED);
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let grant = grants.iter().find(|grant| grant.resource.ends_with("/mcp")).unwrap();
        ada.member.client.grants().delete(&grant.grant_id).await.unwrap();
        assert_eq!(host.send("tools/list", json!({})).await.status, StatusCode::UNAUTHORIZED);
    }

    async fn a_missing_scope_is_named_by_a_status_and_nothing_happens(app: TestApp) {
        let (ada, _) = super::sellers(&app).await;
        let host = app.host(app.mcp_token(&ada, "read", ["1", "1"]).await);
        let calls = [
            ("post", json!({ "content": "hello" }), "write"),
            ("inbox", json!({}), "dm"),
            ("order", super::wanted("work"), "exchange:spend"),
            ("services", json!({}), "exchange:sell"),
        ];
        for (tool, arguments, scope) in calls {
            let params = json!({ "name": tool, "arguments": arguments });
            let refused = host.send("tools/call", params).await;
            assert_eq!(refused.refusal().code, Code::InsufficientScope, "{tool}");
            let challenge = refused.header("www-authenticate").unwrap();
            assert!(challenge.starts_with("Bearer error=\"insufficient_scope\", "), "{challenge}");
            assert!(challenge.ends_with(&format!("scope=\"read {scope}\"")), "{challenge}");
        }
        assert!(ada.member.client.orders().list().await.unwrap().orders.is_empty());
    }

    async fn a_key_without_the_scope_is_refused_as_at_the_api(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        let reader = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().api_key;
        let content = json!({ "content": "hello" });
        let params = json!({ "name": "post", "arguments": content });
        let refused = app.host(reader.expose()).send("tools/call", params).await.refusal();
        let post = app.raw(Method::POST, "/posts").bearer_auth(reader.expose()).json(&content);
        let other = answer(post).await.refusal();
        assert_eq!((&refused.code, &refused.error, &refused.hint), (&other.code, &other.error, &other.hint));
        assert_eq!(refused.error, "the API key lacks the scope write");
        assert!(refused.hint.unwrap().contains("create one with POST /auth/keys"));
    }

    async fn a_key_works_from_its_networks_here_too(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        let key = async |name: &str, network: &str| {
            let creating = ada.client.keys().create(name, vec![Scope::Read]);
            creating.allow_from([network.into()]).await.unwrap().api_key
        };
        let here = key("here", "127.0.0.0/8").await;
        let seen = app.host(here.expose()).seen("whoami", json!({})).await;
        assert_eq!(seen["user"]["username"], "ada");
        let elsewhere = key("elsewhere", "10.0.0.0/8").await;
        let refused = app.host(elsewhere.expose()).send("tools/list", json!({})).await.refusal();
        assert_eq!(refused.code, Code::AddressNotAllowed);
    }

    async fn pages_of_other_sites_are_refused(app: TestApp, "limits.body_bytes" = "4096") {
        let [ada] = app.agents(["ada"]).await;
        let host = app.host_of(&ada);
        let from = |origin: &str| host.request("tools/list", json!({})).header("origin", origin);
        for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
            let refused = answer(from(origin)).await.refusal();
            assert_eq!(refused.code, Code::CrossSiteRequest, "{origin}");
        }
        assert_eq!(answer(from(&app.root())).await.status, StatusCode::OK);
    }

    async fn other_methods_and_bodies_are_refused(app: TestApp, "limits.body_bytes" = "4096") {
        let [ada] = app.agents(["ada"]).await;
        for method in [Method::GET, Method::DELETE, Method::PUT] {
            let refused = answer(app.mcp(method.clone()).bearer_auth(ada.key.expose())).await;
            assert_eq!(refused.refusal().code, Code::MethodNotAllowed);
            assert_eq!(refused.header("allow"), Some("POST"), "{method}");
        }
        let sent = |body: &str| {
            let request = app.mcp(Method::POST).bearer_auth(ada.key.expose());
            answer(request.header("content-type", "application/json").body(body.to_owned()))
        };
        assert_eq!(sent(&" ".repeat(4097)).await.refusal().code, Code::PayloadTooLarge);
        for body in ["{", "[]", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", "7"] {
            assert_eq!(sent(body).await.refusal().code, Code::InvalidJson, "{body}");
        }
        // A host that cuts a text in the middle of an emoji.
        let half = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\ud83d"}}"#;
        let half = sent(half).await.refusal();
        assert!(half.error.starts_with("the body must be JSON: ") && half.hint.is_none(), "{half:?}");
        let form = app.mcp(Method::POST).bearer_auth(ada.key.expose());
        let form = form.header("content-type", "text/plain").body("{}");
        assert_eq!(answer(form).await.refusal().code, Code::UnsupportedMediaType);
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        let headed = |accept: &str, version: &str| {
            let request = app.raw(Method::POST, "/../mcp").bearer_auth(ada.key.expose());
            let request = request.header("accept", accept).header("mcp-protocol-version", version);
            answer(request.json(&list))
        };
        for (accept, version, field) in [
            ("application/json", "2025-06-18", "Accept"),
            (TYPES, "2024-02-30", "MCP-Protocol-Version"),
        ] {
            let refused = headed(accept, version).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        assert_eq!(headed(TYPES, "2025-06-18").await.status, StatusCode::OK);
        let unknown = app.host_of(&ada).send("tools/paint", json!({})).await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND);
        let unknown: serde_json::Value = serde_json::from_str(&unknown.text).unwrap();
        assert_eq!(unknown["error"]["code"], -32601);
        let wrong = json!({ "name": "whoami", "arguments": [] });
        let wrong = app.host_of(&ada).send("tools/call", wrong).await.json();
        assert_eq!(wrong["error"]["code"], -32602, "the method is there: {wrong:#}");
    }

    async fn another_name_of_the_host_is_refused(app: TestApp, "public_url" = "https://svc.example.org") {
        let [ada] = app.agents(["ada"]).await;
        let named = |host: &str| {
            let request = app.host_of(&ada).request("tools/list", json!({}));
            answer(request.header("host", host))
        };
        assert_eq!(named("evil.example").await.refusal().code, Code::CrossSiteRequest);
        assert_eq!(named("127.0.0.1").await.refusal().code, Code::CrossSiteRequest);
        for host in ["svc.example.org", "SVC.example.org:443"] {
            assert_eq!(named(host).await.status, StatusCode::OK, "{host}");
        }
    }

    async fn a_server_of_this_machine_goes_by_its_names(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        let named = |host: &str| {
            let request = app.host_of(&ada).request("tools/list", json!({}));
            answer(request.header("host", host))
        };
        assert_eq!(named("evil.example:8080").await.refusal().code, Code::CrossSiteRequest);
        for host in ["localhost:8080", "127.0.0.1", "[::1]", "[::1]:8080"] {
            assert_eq!(named(host).await.status, StatusCode::OK, "{host}");
        }
    }

    async fn suspended_accounts_read_and_deleted_ones_are_refused(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        let host = app.host_of(&ada);
        app.suspend("ada").await;
        assert_eq!(host.seen("whoami", json!({})).await["user"]["username"], "ada");
        let refused = host.refused("post", json!({ "content": "hello" })).await;
        assert_eq!(refused["code"], "account_suspended");
        app.unsuspend("ada").await;
        ada.client.users().delete_me("ada").await.unwrap();
        let refused = host.send("tools/list", json!({})).await;
        assert_eq!(refused.refusal().code, Code::AccountDeleted);
    }

    async fn older_hosts_shake_hands_first(app: TestApp) {
        let [ada] = app.agents(["ada"]).await;
        for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
            let sent = |body| {
                let request = app.mcp(Method::POST).bearer_auth(ada.key.expose());
                answer(request.header("mcp-protocol-version", version).json(&body))
            };
            let hello = sent(json!({
                "jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": {
                    "protocolVersion": version, "capabilities": {},
                    "clientInfo": { "name": "test", "version": "1" },
                },
            }));
            let hello = hello.await;
            assert_eq!(hello.header("mcp-session-id"), None, "every node answers");
            let hello = hello.json()["result"].clone();
            assert_eq!(hello["protocolVersion"], version);
            assert!(hello["instructions"].as_str().unwrap().contains("`untrusted`"));
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            assert_eq!(sent(ready).await.status, StatusCode::ACCEPTED);
            let called = sent(json!({
                "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "whoami" },
            }));
            let called = called.await.json();
            let user = &called["result"]["structuredContent"]["untrusted"]["user"];
            assert_eq!(user["username"], "ada");
        }
        let html = app.raw(Method::POST, "/../mcp").header("accept", "text/html");
        assert_eq!(answer(html).await.refusal().code, Code::Unauthorized, "never a page");
        assert!(TYPES.contains("event-stream"));
    }
}
