//! Clients: developer apps, registered ones, and documents.

pub(super) mod documents;
mod registered;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::types::api::developers::{GetDeveloper, UpdateDeveloper};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{AppId, Code, DeveloperKey, GrantId};
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_store::{sql, values};

use super::{DONE, Forms as _, Visitor, asking, refused, returned, text, with};
use crate::app::{Developer, TestApp, code, fault};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const DAY: u64 = 86_400;

impl TestApp {
    /// A developer app that people return to.
    pub(crate) async fn gate(&self) -> Developer {
        let gate = self.developer("Gate").await;
        gate.client.developers().update().redirect_uris([DONE.into()]).await.unwrap();
        gate
    }

    /// Exchanges a code of an app, whose secret is its key.
    pub(super) async fn redeem_of(&self, app: &str, secret: &str, code: &str) -> Raw {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", super::VERIFIER),
        ];
        let request = self.raw(Method::POST, "/../oauth/token").form(&fields);
        answer(request.basic_auth(app, Some(secret))).await
    }

    /// Exchanges a refresh token of an app.
    async fn refresh_of(&self, app: &str, secret: &str, token: &str) -> Raw {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", token)];
        let request = self.raw(Method::POST, "/../oauth/token").form(&fields);
        answer(request.basic_auth(app, Some(secret))).await
    }

    /// The tokens of an app for what a visitor may read.
    pub(crate) async fn tokens_of(&self, app: &Developer, visitor: &Visitor) -> Value {
        let id = app.app.id.as_str();
        let code = visitor.agree(self, &asking(id, "read")).await;
        self.redeem_of(id, app.key.expose(), &code).await.json()
    }
}

on_both_engines! {
    async fn the_server_describes_itself(app: TestApp) {
        let root = app.root();
        let server = app.document("/.well-known/oauth-authorization-server").await;
        assert_eq!(server, app.document("/.well-known/openid-configuration").await);
        assert_eq!(server["issuer"], root);
        assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
        assert_eq!(server["authorization_response_iss_parameter_supported"], true);
        assert_eq!(server["client_id_metadata_document_supported"], true);
        assert_eq!(server["registration_endpoint"], format!("{root}/oauth/register"));
        for (name, path) in [
            ("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth/token"),
            ("device_authorization_endpoint", "/oauth/device"), ("userinfo_endpoint", "/oauth/userinfo"),
            ("introspection_endpoint", "/oauth/introspect"), ("revocation_endpoint", "/oauth/revoke"),
            ("jwks_uri", "/.well-known/jwks.json"),
        ] {
            assert_eq!(server[name], format!("{root}{path}"));
        }
        for (path, of) in [("", "mcp"), ("/api", "api"), ("/mcp", "mcp")] {
            let path = format!("/.well-known/oauth-protected-resource{path}");
            let resource = app.document(&path).await;
            assert_eq!(resource["resource"], format!("{root}/{of}"));
            assert_eq!(resource["scopes_supported"], json!(["read"]));
            assert_eq!(resource["authorization_servers"], json!([root]));
        }
    }

    async fn an_app_is_a_client_with_its_key_as_secret(app: TestApp) {
        let ada = app.visitor("ada").await;
        let gate = app.gate().await;
        let page = ada.open(&app, &asking(gate.app.id.as_str(), "read")).await;
        assert!(page.text.contains("Any program can give itself this name"), "nobody checks its website");
        let code = ada.agree(&app, &asking(gate.app.id.as_str(), "read")).await;
        let other = app.developer("Other").await;
        for secret in ["wrong", other.key.expose(), ""] {
            let wrong = app.redeem_of(gate.app.id.as_str(), secret, &code).await;
            assert_eq!((wrong.status, refused(&wrong)), (StatusCode::UNAUTHORIZED, "invalid_client".into()));
            assert!(wrong.header("www-authenticate").unwrap().starts_with("Basic"));
        }
        let tokens = app.redeem_of(gate.app.id.as_str(), gate.key.expose(), &code).await.json();
        assert_eq!(app.status_with(&text(&tokens, "access_token"), "/users/me").await, StatusCode::OK);
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        assert_eq!((&*grants[0].client.name, &*grants[0].client.host), ("Gate", "gate.example.org"));
        // A deleted app is no client any more.
        gate.client.developers().delete().await.unwrap();
        let page = ada.open(&app, &asking(gate.app.id.as_str(), "read")).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
    }

    async fn what_accounts_allowed_an_app_ends_with_it(app: TestApp) {
        let (ada, gate, other) = (app.visitor("ada").await, app.gate().await, app.gate().await);
        let tokens = app.tokens_of(&gate, &ada).await;
        let (access, refresh) = (text(&tokens, "access_token"), text(&tokens, "refresh_token"));
        let code = ada.agree(&app, &asking(gate.app.id.as_str(), "read")).await;
        let kept = text(&app.tokens_of(&other, &ada).await, "access_token");
        let statuses = async || {
            let of_api = app.status_with(&access, "/users/me").await;
            (of_api, app.status_with(&access, "/../oauth/userinfo").await)
        };
        // A new key ends no token.
        let key = gate.client.developers().rotate_key().await.unwrap().developer_api_key;
        assert_eq!(statuses().await.0, StatusCode::OK);
        app.developer_client(key.clone()).developers().delete().await.unwrap();
        assert_eq!(statuses().await, (StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED));
        let (id, key) = (gate.app.id.as_str(), key.expose());
        for answered in [app.refresh_of(id, key, &refresh).await, app.redeem_of(id, key, &code).await] {
            assert_eq!((answered.status, refused(&answered)), (StatusCode::UNAUTHORIZED, "invalid_client".into()));
        }
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let [grant] = grants.as_slice() else { panic!("{grants:?}") };
        assert_eq!(grant.client.client_id, other.app.id.as_str());
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_grant")).await, 1);
        assert_eq!(app.count(sql!("select count(*) from oauth_access")).await, 1);
        assert_eq!(app.count(sql!("select count(*) from oauth_family")).await, 1);
        assert_eq!(app.status_with(&kept, "/users/me").await, StatusCode::OK);
        let log = ada.member.client.security().log().await.unwrap().entries;
        assert_eq!((&log[0].action, &log[0].network), (&SecurityAction::GrantEnded, &None));
    }

    async fn the_operator_ends_an_app_and_the_access_that_people_gave_it(app: TestApp) {
        let (ada, gate, other) = (app.visitor("ada").await, app.gate().await, app.gate().await);
        let access = text(&app.tokens_of(&gate, &ada).await, "access_token");
        let kept = text(&app.tokens_of(&other, &ada).await, "access_token");
        let delete = |app_id: &str| Command::DeleteApp {
            app_id: app_id.to_owned(),
            reason: "it collects passwords".to_owned(),
        };
        let line = app.server.admin(delete(gate.app.id.as_str())).await.remove(0);
        assert_eq!(json!(line), json!({ "appId": gate.app.id, "deleted": true }));
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        let me = gate.client.developers().me().await;
        assert_eq!(code::<GetDeveloper>(me), Code::InvalidDeveloperKey);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_grant")).await, 1);
        assert_eq!(app.status_with(&kept, "/users/me").await, StatusCode::OK);
        let logged = sql!(
            "select count(*) from audit_log where actor = 'operator' and action = 'developer_deleted'
             and detail = 'it collects passwords'"
        );
        assert_eq!(app.count(logged).await, 1);
        for gone in [gate.app.id.as_str(), "app_0"] {
            let refused = app.server.try_admin(&delete(gone)).await.unwrap_err();
            assert_eq!(refused.code(), Code::NotFound);
        }
    }

    async fn an_old_secret_redeems_codes_for_the_overlap(app: TestApp) {
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        let made = gate.client.developers().rotate_key().overlap_seconds(3600).await.unwrap();
        let (id, old, fresh) = (gate.app.id.as_str(), gate.key.expose(), made.developer_api_key.expose());
        for secret in [old, fresh] {
            let code = ada.agree(&app, &asking(id, "read")).await;
            assert_eq!(app.redeem_of(id, secret, &code).await.status, StatusCode::OK);
        }
        app.advance(3600);
        let code = ada.agree(&app, &asking(id, "read")).await;
        assert_eq!(refused(&app.redeem_of(id, old, &code).await), "invalid_client");
        assert_eq!(app.redeem_of(id, fresh, &code).await.status, StatusCode::OK);
    }

    async fn consent_does_not_cover_a_website_that_an_app_adds_later(app: TestApp) {
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        let request = asking(gate.app.id.as_str(), "read");
        ada.agree(&app, &request).await;
        // With a key that was stolen.
        let other = "https://thief.example.org/done";
        gate.client.developers().update().redirect_uris([DONE.into(), other.into()]).await.unwrap();
        let elsewhere = with(request.clone(), "redirect_uri", other);
        assert_eq!(ada.open(&app, &elsewhere).await.status, StatusCode::OK, "she is asked");
        let silent = with(elsewhere.clone(), "prompt", "none");
        let answered = returned(&ada.open(&app, &silent).await, "error");
        assert_eq!(answered.as_deref(), Some("consent_required"));
        assert!(returned(&ada.open(&app, &request).await, "code").is_some(), "as before");
        ada.agree(&app, &elsewhere).await;
        for known in [&request, &elsewhere] {
            assert!(returned(&ada.open(&app, known).await, "code").is_some());
        }
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants.len(), 1);
    }

    async fn any_number_of_grants_end_with_their_app(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.agent("bob").await);
        let (gate, unused) = (app.gate().await, app.gate().await);
        app.tokens_of(&gate, &ada).await;
        // More than end in two transactions.
        let (id, account) = (gate.app.id.clone(), bob.user.id.clone());
        app.execute(move |ctx| {
            for _ in 0..450 {
                let (grant, now): (GrantId, _) = (ctx.id(), ctx.now());
                ctx.tx.execute(
                    sql!(
                        "insert into oauth_grant (id, account, giver, client_id, client_name,
                            client_host, scopes, resource, remembered, created_at)
                         select $1, $2, $2, client_id, client_name, client_host, scopes, resource,
                            false, cast($3 as bigint)
                         from oauth_grant where client_id = $4 and remembered = true"
                    ),
                    values![grant, account, now, id],
                )?;
            }
            Ok(450)
        })
        .await;
        for deleted in [&gate, &unused] {
            deleted.client.developers().delete().await.unwrap();
        }
        let left = sql!("select count(*) from developer_app where grants_ended_at is null");
        assert_eq!(app.count(left).await, 2);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_grant")).await, 0);
        assert_eq!(app.count(left).await, 0, "a later sweep reads neither app");
        let ended = sql!("select count(*) from security_entry where action = 'grant_ended'");
        assert_eq!(app.count(ended).await, 451);
    }

    async fn the_redirects_of_an_app_are_checked_and_changed(app: TestApp) {
        let call = app.anonymous.developers().register("Gate", "https://gate.example.org");
        let registered = call.redirect_uris([DONE.into()]).await.unwrap();
        assert_eq!(registered.developer.redirect_uris, [DONE]);
        let (_, key): (AppId, DeveloperKey) = (registered.developer.id, registered.developer_api_key);
        let developer = app.developer_client(key);
        for wrong in [
            "http://gate.example.org/", "https://gate.example.org/#x", "gate:/x",
            "https://ada@gate.example.org/", "https://:secret@gate.example.org/",
        ] {
            let refused = developer.developers().update().redirect_uris([wrong.into()]).await;
            let (code, field) = fault::<UpdateDeveloper>(refused);
            assert_eq!((code, &*field), (Code::ValidationFailed, "redirectUris"), "{wrong}");
        }
        let renamed = developer.developers().update().app_name("Door").await.unwrap().developer;
        assert_eq!(renamed.redirect_uris, [DONE]);
        let emptied = developer.developers().update().redirect_uris([]).await.unwrap().developer;
        assert_eq!(emptied.redirect_uris, [] as [&str; 0]);
    }
}
