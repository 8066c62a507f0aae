//! Clients: developer apps, registered ones, and documents.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::types::api::developers::{GetDeveloper, UpdateDeveloper};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{AppId, Code, DeveloperKey, GrantId};
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_store::{sql, values};

use super::{DONE, Forms as _, Visitor, asking, led_to, refused, returned, text, with};
use crate::app::{Developer, TestApp, code, fault};
use crate::on_both_engines;
use crate::raw::{Raw, answer};
use crate::receiver::{Mode, Receiver};

const DAY: u64 = 86_400;

impl TestApp {
    /// A developer app that people return to.
    pub(crate) async fn gate(&self) -> Developer {
        let gate = self.developer("Gate").await;
        gate.client.developers().update().redirect_uris([DONE.into()]).await.unwrap();
        gate
    }

    /// Exchanges a code of an app, whose secret is its key.
    async fn redeem_of(&self, app: &str, secret: &str, code: &str) -> Raw {
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

    /// Registers a client as this body says.
    async fn registration(&self, body: &Value) -> Raw {
        answer(self.raw(Method::POST, "/../oauth/register").json(body)).await
    }
}

/// The document of a client at this URL, as an answer.
fn document(url: &str, headers: &str) -> Mode {
    let body = json!({
        "client_id": url, "client_name": "Walker", "redirect_uris": [DONE],
        "token_endpoint_auth_method": "none",
    });
    says(200, headers, &body.to_string())
}

pub(super) fn says(status: u16, headers: &str, body: &str) -> Mode {
    Mode::Says(format!(
        "HTTP/1.1 {status} Said\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    ))
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
        let asked = asking(gate.app.id.as_str(), "read");
        ada.agree(&app, &asked).await;
        // With a key that was stolen.
        let other = "https://thief.example.org/done";
        gate.client.developers().update().redirect_uris([DONE.into(), other.into()]).await.unwrap();
        let elsewhere = with(asked.clone(), "redirect_uri", other);
        assert_eq!(ada.open(&app, &elsewhere).await.status, StatusCode::OK, "she is asked");
        let silent = with(elsewhere.clone(), "prompt", "none");
        let answered = returned(&ada.open(&app, &silent).await, "error");
        assert_eq!(answered.as_deref(), Some("consent_required"));
        assert!(returned(&ada.open(&app, &asked).await, "code").is_some(), "as before");
        ada.agree(&app, &elsewhere).await;
        for known in [&asked, &elsewhere] {
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
        let asked = asking(&client, "read");
        assert_eq!(ada.open(&app, &asked).await.status, StatusCode::OK);
        let page = ada.open(&app, &with(asked, "redirect_uri", other)).await;
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

    async fn a_network_has_sixty_documents_fetched_an_hour(app: TestApp, "limits.budgets" = "true") {
        let open = async |n: usize| {
            let id = format!("https://10.0.0.1/{n}.json");
            answer(app.ask(Method::GET, &asking(&id, "read"))).await.refusal().code
        };
        for n in 0..60 {
            assert_eq!(open(n).await, Code::ValidationFailed);
        }
        assert_eq!(open(60).await, Code::RateLimited);
        app.advance(3600);
        assert_eq!(open(60).await, Code::ValidationFailed);
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
        let ada = Visitor { cookie: app.sign_in("ada", super::PASSWORD).await, ..ada };
        app.tokens(&ada, &used, "read").await;
        app.advance(11 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_client")).await, 1);
        let ada = Visitor { cookie: app.sign_in("ada", super::PASSWORD).await, ..ada };
        assert_eq!(ada.open(&app, &asking(&unused, "read")).await.status, StatusCode::BAD_REQUEST);
        assert!(returned(&ada.open(&app, &asking(&used, "read")).await, "code").is_some());
    }

    async fn a_client_is_described_by_the_document_at_its_id(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.visitor("ada").await;
        let place = Receiver::start(Mode::ok()).await;
        let id = format!("http://{}/client.json", place.address);
        place.set(document(&id, ""));
        let asked = asking(&id, "read");
        let page = ada.open(&app, &asked).await;
        assert!(page.text.contains("Walker") && page.text.contains("127.0.0.1"), "{}", page.text);
        let code = ada.agree(&app, &asked).await;
        app.redeem(&id, &code).await.json();
        assert_eq!(place.hits().len(), 1, "it is kept");
        app.advance(DAY);
        let ada = Visitor { cookie: app.sign_in("ada", super::PASSWORD).await, ..ada };
        ada.open(&app, &asked).await;
        assert_eq!(place.hits().len(), 2, "for a day");
        place.set(document(&id, "cache-control: max-age=60\r\n"));
        app.advance(DAY);
        let ada = Visitor { cookie: app.sign_in("ada", super::PASSWORD).await, ..ada };
        ada.open(&app, &asked).await;
        app.advance(60);
        ada.open(&app, &asked).await;
        assert_eq!(place.hits().len(), 4, "or for less, if it says so");
        for (seen, header) in [(5, "no-store"), (6, "Max-Age=600, No-Cache"), (7, "max-age=31536000")] {
            place.set(document(&id, &format!("cache-control: {header}\r\n")));
            app.advance(60);
            ada.open(&app, &asked).await;
            assert_eq!(place.hits().len(), seen, "{header}");
        }
        app.advance(DAY);
        let ada = Visitor { cookie: app.sign_in("ada", super::PASSWORD).await, ..ada };
        ada.open(&app, &asked).await;
        assert_eq!(place.hits().len(), 8, "and never for longer");
        let year = sql!("update oauth_client set fresh_until = fresh_until + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        ada.open(&app, &asked).await;
        assert_eq!(place.hits().len(), 9, "whatever a clock far ahead has said");
    }

    async fn a_document_that_is_not_as_it_should_be_is_refused(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let place = Receiver::start(Mode::ok()).await;
        let id = format!("http://{}/client.json", place.address);
        let open = async || {
            let request = app.ask(Method::GET, &asking(&id, "read"));
            answer(request.header("accept", "text/html")).await
        };
        let large = json!({ "client_id": id, "redirect_uris": [DONE], "x": "x".repeat(5 * 1024) });
        let secret = json!({ "client_id": id, "redirect_uris": [DONE], "client_secret": "x" });
        for mode in [
            says(404, "", "gone"),
            says(302, &format!("location: {id}\r\n"), ""),
            says(200, "", "not JSON"),
            document("https://other.example/client.json", ""),
            says(200, "", &large.to_string()),
            says(200, "", &secret.to_string()),
            Mode::Resets,
        ] {
            place.set(mode.clone());
            let page = open().await;
            assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, None), "{mode:?}");
        }
        place.set(document(&id, ""));
        assert!(led_to(&open().await).starts_with("/login?next="));
    }

    async fn a_document_that_does_not_come_in_five_seconds_is_refused(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let refused = async |mode: Mode| {
            let place = Receiver::start(mode.clone()).await;
            let id = format!("http://{}/client.json", place.address);
            let request = app.ask(Method::GET, &asking(&id, "read")).header("accept", "text/html");
            let page = answer(request).await;
            assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, None), "{mode:?}");
            assert!(page.text.contains("did not come in 5 seconds"), "{mode:?}: {}", page.text);
            assert_eq!(place.hits().len(), 1, "{mode:?}");
        };
        tokio::join!(refused(Mode::Hangs), refused(Mode::DripsHead), refused(Mode::DripsBody));
        assert_eq!(app.count(sql!("select count(*) from oauth_client")).await, 0);
    }

    async fn a_document_on_an_internal_address_is_not_fetched(app: TestApp) {
        let place = Receiver::start(Mode::ok()).await;
        for id in [
            format!("http://{}/client.json", place.address),
            format!("https://{}/client.json", place.address),
            "https://10.0.0.1/client.json".to_owned(),
            "https://169.254.169.254/latest".to_owned(),
        ] {
            let asked = with(asking(&id, "read"), "scope", "");
            let request = app.ask(Method::GET, &asked);
            let refusal = answer(request).await.refusal();
            assert_eq!(refusal.code, Code::ValidationFailed, "{id}");
            assert!(refusal.error.ends_with("its host has no public address"), "{}", refusal.error);
        }
        assert_eq!(place.connections(), 0);
    }
}
