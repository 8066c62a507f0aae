//! Programs that register themselves.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::security::SecurityAction;
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_store::sql;

use super::DAY;
use crate::app::TestApp;
use crate::oauth::{DONE, PASSWORD, Visitor, asking, refused, returned, text, with};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

impl TestApp {
    /// Registers a client as this body says.
    async fn registration(&self, body: &Value) -> Raw {
        answer(self.raw(Method::POST, "/../oauth/register").json(body)).await
    }
}

on_both_engines! {
    async fn the_operator_ends_a_program_that_registered_itself(app: TestApp) {
        let ada = app.visitor("ada").await;
        let [client, other] = [app.register_client(&[DONE]).await, app.register_client(&[DONE]).await];
        let tokens = app.tokens(&ada, &client, "read").await;
        let kept = text(&app.tokens(&ada, &other, "read").await, "access_token");
        let delete = |id: &str| Command::DeleteApp {
            app_id: id.to_owned(),
            reason: "it collects passwords".to_owned(),
        };
        let line = app.server.admin(delete(&client)).await.remove(0);
        assert_eq!(json!(line), json!({ "appId": client, "deleted": true }));
        let access = text(&tokens, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        let refreshed = app.refresh(&client, &text(&tokens, "refresh_token")).await;
        assert_eq!(refused(&refreshed), "invalid_client");
        assert_eq!(ada.open(&app, &asking(&client, "read")).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(app.status_with(&kept, "/users/me").await, StatusCode::OK);
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        assert_eq!(grants.len(), 1);
        let log = ada.member.client.security().log().await.unwrap().entries;
        assert_eq!((&log[0].action, log[0].actor.as_deref()), (&SecurityAction::GrantEnded, Some("operator")));
        for gone in [&*client, "cli_0", "svc"] {
            let refused = app.server.try_admin(&delete(gone)).await.unwrap_err();
            assert_eq!(refused.code(), Code::NotFound, "{gone}");
        }
    }

    async fn a_program_registers_itself_without_a_secret(app: TestApp) {
        let body = json!({
            "client_name": "Walker", "redirect_uris": [DONE], "application_type": "web",
            "id_token_signed_response_alg": "RS256", "token_endpoint_auth_method": "client_secret_basic",
        });
        let registered = app.registration(&body).await;
        assert_eq!(registered.status, StatusCode::CREATED);
        let client = registered.json();
        assert!(text(&client, "client_id").starts_with("cli_"));
        assert_eq!(client["token_endpoint_auth_method"], "none");
        assert_eq!(client["id_token_signed_response_alg"], "RS256");
        assert_eq!(client.get("client_secret"), None);
        let unseen = json!({ "client_name": "\u{200b} \u{2060}", "redirect_uris": [DONE] });
        let unseen = app.registration(&unseen).await.json();
        assert_eq!(unseen["client_name"], "gate.example.org", "a name that nobody sees is none");
        let longest = json!({ "client_name": "ü".repeat(100), "redirect_uris": [DONE] });
        assert_eq!(app.registration(&longest).await.status, StatusCode::CREATED);
        for (body, error) in [
            (json!([]), "invalid_client_metadata"),
            (json!({}), "invalid_redirect_uri"),
            (json!({ "redirect_uris": ["http://a.example/"] }), "invalid_redirect_uri"),
            (json!({ "redirect_uris": vec![DONE; 11] }), "invalid_redirect_uri"),
            (json!({ "redirect_uris": [DONE], "grant_types": ["implicit"] }), "invalid_client_metadata"),
            (json!({ "redirect_uris": [DONE], "client_name": "x".repeat(101) }), "invalid_client_metadata"),
            (json!({ "redirect_uris": [DONE], "client_name": "Gate\nof svc" }), "invalid_client_metadata"),
        ] {
            let refusal = app.registration(&body).await;
            assert_eq!((refusal.status, refused(&refusal).as_str()), (StatusCode::BAD_REQUEST, error));
        }
        let device = json!({ "redirect_uris": [DONE], "grant_types": ["device_code"] });
        let refusal = app.registration(&device).await;
        assert!(refusal.text.contains("urn:ietf:params:oauth:grant-type:device_code"), "{}", refusal.text);
        let large = json!({ "redirect_uris": [DONE], "x": "x".repeat(5 * 1024) });
        assert_eq!(app.registration(&large).await.refusal().code, Code::PayloadTooLarge);
    }

    async fn a_program_that_shows_a_live_key_is_not_registered(app: TestApp) {
        let bot = app.agent("bot").await;
        let key = bot.key.expose();
        for body in [
            json!({ "client_name": format!("Walker {key}"), "redirect_uris": [DONE] }),
            json!({ "client_name": "Walker", "redirect_uris": [format!("{DONE}/{key}")] }),
        ] {
            let refusal = app.registration(&body).await;
            assert_eq!(refusal.refusal().code, Code::CredentialInContent, "{body}");
        }
        bot.client.auth().regenerate_api_key().await.unwrap();
        let ended = json!({ "client_name": format!("Walker {key}"), "redirect_uris": [DONE] });
        assert_eq!(app.registration(&ended).await.status, StatusCode::CREATED);
    }

    async fn a_client_has_ten_redirect_uris_of_2000_characters_or_none_on_a_device(app: TestApp) {
        let longest = format!("{DONE}/{}", "x".repeat(1_999 - DONE.len()));
        let mut most = vec![DONE; 9];
        most.push(&longest);
        let registered = app.registration(&json!({ "redirect_uris": most })).await.json();
        assert_eq!(registered["redirect_uris"], json!(most));
        let longer = json!({ "redirect_uris": [format!("{longest}x")] });
        assert_eq!(refused(&app.registration(&longer).await), "invalid_redirect_uri");
        let device = json!({ "grant_types": ["urn:ietf:params:oauth:grant-type:device_code"] });
        let registered = app.registration(&device).await.json();
        assert_eq!(registered["client_name"], "a program without a name");
        let id = text(&registered, "client_id");
        let started = app.form("/oauth/device", &[("client_id", &id), ("scope", "read")]).await.json();
        assert!(started["user_code"].is_string(), "{started}");
    }

    async fn a_redirect_that_is_not_allowed_is_left_out_of_a_registration_with_others(app: TestApp) {
        let ada = app.visitor("ada").await;
        let other = "cursor://anysphere.cursor-mcp/oauth/callback";
        let local = "http://localhost:8787/callback";
        let registered = app.registration(&json!({ "redirect_uris": [other, DONE, local] })).await.json();
        assert_eq!(registered["redirect_uris"], json!([DONE, local]));
        let client = text(&registered, "client_id");
        let request = asking(&client, "read");
        assert_eq!(ada.open(&app, &request).await.status, StatusCode::OK);
        let page = ada.open(&app, &with(request, "redirect_uri", other)).await;
        assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, None));
        let none = app.registration(&json!({ "redirect_uris": [other] })).await;
        assert_eq!(refused(&none), "invalid_redirect_uri");
        assert!(none.text.contains("must contain a dot"), "{}", none.text);
        let eleven = [vec![DONE; 10], vec![other]].concat();
        let many = app.registration(&json!({ "redirect_uris": eleven })).await;
        assert_eq!(refused(&many), "invalid_redirect_uri");
    }

    async fn a_network_registers_ten_clients_an_hour(app: TestApp, "limits.budgets" = "true") {
        let body = json!({ "redirect_uris": [DONE] });
        for _ in 0..10 {
            assert_eq!(app.registration(&body).await.status, StatusCode::CREATED);
        }
        assert_eq!(app.registration(&body).await.refusal().code, Code::RateLimited);
        app.advance(3600);
        assert_eq!(app.registration(&body).await.status, StatusCode::CREATED);
    }

    async fn registration_can_be_turned_off(app: TestApp, "oauth.registration" = "false") {
        let body = json!({ "redirect_uris": [DONE] });
        assert_eq!(app.registration(&body).await.refusal().code, Code::NotFound);
        let server = app.document("/.well-known/oauth-authorization-server").await;
        assert_eq!(server.get("registration_endpoint"), None);
    }

    async fn a_client_that_nobody_uses_is_forgotten(app: TestApp) {
        let ada = app.visitor("ada").await;
        let (used, unused) = (app.register_client(&[DONE]).await, app.register_client(&[DONE]).await);
        app.advance(20 * DAY);
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        app.tokens(&ada, &used, "read").await;
        app.advance(11 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_client")).await, 1);
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        assert_eq!(ada.open(&app, &asking(&unused, "read")).await.status, StatusCode::BAD_REQUEST);
        assert!(returned(&ada.open(&app, &asking(&used, "read")).await, "code").is_some());
    }
}
