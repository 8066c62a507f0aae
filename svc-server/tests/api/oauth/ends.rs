//! What programs do not get, or keep no longer: of suspended and paused accounts, and what they revoke.

use futures_util::future::join_all;
use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::api::developers::GetDeveloper;
use svc_client::types::{ApiKey, Code};
use svc_core::tasks::sweep;
use svc_server::testing::{Engine, until};
use svc_store::sql;

use super::{DONE, Forms as _, PASSWORD, Visitor, asking, led_to, refused, returned, text, with};
use crate::app::{Member, TestApp, code};
use crate::held::{Held, waiting};
use crate::market::offer;
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::{Raw, answer};

const DAY: u64 = 86_400;

impl TestApp {
    /// What a program learns of the account of a token.
    async fn info(&self, token: &str) -> Raw {
        answer(self.raw(Method::GET, "/../oauth/userinfo").bearer_auth(token)).await
    }
}

/// An agent with a password, which signs in by a browser.
async fn visiting_bot(app: &TestApp) -> Visitor {
    let body = json!({
        "username": "bot", "isAgent": true, "email": "bot@example.org", "password": PASSWORD,
    });
    let made = answer(app.raw(Method::POST, "/auth/register").json(&body)).await.json();
    let key: ApiKey = made["apiKey"].as_str().unwrap().into();
    let client = app.client(key.clone());
    let user = client.users().me().await.unwrap().user;
    let cookie = app.sign_in("bot", PASSWORD).await;
    Visitor { member: Member { user, key, client }, cookie }
}

on_both_engines! {
    async fn an_owner_signs_in_as_no_agent_that_is_suspended_or_paused(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "openid");
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        ada.member.client.agents().pause("bot").await.unwrap();
        let page = ada.open(&app, &request).await;
        assert!(!page.text.contains("Your agent @bot"), "{}", page.text);
        let paused = ada.decide(&app, &request, &fields).await;
        ada.member.client.agents().resume("bot").await.unwrap();
        app.suspend("bot").await;
        let suspended = ada.decide(&app, &request, &fields).await;
        for page in [paused, suspended] {
            assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.text);
            let message = "the account that you chose is suspended or paused";
            assert!(page.text.contains(message), "{}", page.text);
        }
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
        app.unsuspend("bot").await;
        assert!(returned(&ada.decide(&app, &request, &fields).await, "code").is_some());
    }

    async fn a_code_of_an_account_that_was_suspended_since_gives_no_tokens(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let code = ada.agree(&app, &asking(&client, "openid")).await;
        app.suspend("ada").await;
        assert_eq!(refused(&app.redeem(&client, &code).await), "invalid_grant");
        app.unsuspend("ada").await;
        assert!(app.redeem(&client, &code).await.json()["id_token"].is_string());
    }

    async fn a_suspended_account_goes_on_reading_and_signs_in_nowhere(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "openid read").await;
        app.suspend("ada").await;
        let claims = app.info(&text(&tokens, "access_token")).await;
        assert_eq!(claims.refusal().code, Code::AccountSuspended);
        let renewed = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
        assert_eq!(renewed.get("id_token"), None);
        let access = text(&renewed, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        app.unsuspend("ada").await;
        assert_eq!(app.info(&access).await.status, StatusCode::OK);
        let renewed = app.refresh(&client, &text(&renewed, "refresh_token")).await.json();
        assert!(renewed["id_token"].is_string());
    }

    async fn nobody_learns_who_a_paused_agent_is_by_a_token_from_before(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        let sent = ada.decide(&app, &asking(&client, "openid"), &fields).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        let access = text(&tokens, "access_token");
        assert_eq!(app.info(&access).await.status, StatusCode::OK);
        ada.member.client.agents().pause("bot").await.unwrap();
        assert_eq!(app.info(&access).await.refusal().code, Code::AccountPaused);
    }

    async fn an_access_token_of_an_account_that_signs_in_nowhere_is_inactive(app: TestApp) {
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        let tokens = app.tokens_of(&gate, &ada).await;
        let is_active = async |kind: &str| {
            let token = text(&tokens, kind);
            let asking = app.raw(Method::POST, "/../oauth/introspect").form(&[("token", token)]);
            let asking = asking.basic_auth(gate.app.id.as_str(), Some(gate.key.expose()));
            answer(asking).await.json()["active"] == true
        };
        assert!(is_active("access_token").await);
        app.suspend("ada").await;
        assert!(!is_active("access_token").await);
        assert!(is_active("refresh_token").await, "it goes on reading");
        app.unsuspend("ada").await;
        assert!(is_active("access_token").await);
    }

    async fn an_app_does_nothing_while_its_account_is_suspended_or_deleted(app: TestApp) {
        let (ada, eve) = (app.visitor("ada").await, app.agent("eve").await);
        let gate = app.gate().await;
        let owned =
            sql!("update developer_app set owner = (select id from account where username = 'eve')");
        app.execute(move |ctx| ctx.tx.execute(owned, &[])).await;
        let access = text(&app.tokens_of(&gate, &ada).await, "access_token");
        let request = asking(gate.app.id.as_str(), "read");
        let state = async || {
            let developer = gate.client.developers().me().await;
            let of_token = app.status_with(&access, "/users/me").await.as_u16();
            let of_client = ada.open(&app, &request).await.status.as_u16();
            (developer.is_ok(), of_token, of_client)
        };
        let (works, stands_still) = ((true, 200, 303), (false, 401, 400));
        assert_eq!(state().await, works);
        app.suspend("eve").await;
        assert_eq!(state().await, stands_still);
        let refused = gate.client.developers().me().await;
        assert_eq!(code::<GetDeveloper>(refused), Code::InvalidDeveloperKey);
        let allowed = ada.member.client.grants().list().await.unwrap().grants;
        assert_eq!(allowed.len(), 1, "it can still be ended");
        app.unsuspend("eve").await;
        assert_eq!(state().await, works);
        eve.client.users().delete_me("eve").await.unwrap();
        assert_eq!(state().await, stands_still);
        eve.client.auth().restore().await.unwrap();
        assert_eq!(state().await, works);
    }

    async fn a_session_that_ends_meanwhile_leads_to_the_sign_in(
        app: TestApp, "database.connections" = "8"
    ) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "openid");
        ada.agree(&app, &request).await;
        for _ in 0..5 {
            let ada = Visitor { member: ada.member.clone(), cookie: app.sign_in("ada", PASSWORD).await };
            let opening = join_all((0..6).map(|_| ada.open(&app, &request)));
            let ending = ada.member.client.sessions().delete_others().into_future();
            let (opened, ended) = tokio::join!(opening, ending);
            ended.unwrap();
            for sent in opened {
                let to = led_to(&sent);
                let is_known = [DONE, "/login?next=", "/oauth/authorize?"].iter().any(|known| to.starts_with(known));
                assert!(is_known, "{to}");
            }
        }
    }

    async fn what_was_allowed_again_for_less_meanwhile_gives_no_code_for_more(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read dm");
        ada.agree(&app, &request).await;
        let grant = ada.member.client.grants().list().await.unwrap().grants.remove(0).grant_id;
        let held = Held::narrowed(&app, grant, "read").await;
        let release = async {
            waiting(&app, 1).await;
            if app.engine == Engine::Sqlite {
                let db = &app.server.app().db;
                until("it waits for the writer", async || db.waiting_writes() > 0).await;
            }
            held.release().await;
        };
        let (opened, ()) = tokio::join!(ada.open(&app, &request), release);
        let to = led_to(&opened);
        assert!(to.starts_with("/oauth/authorize?"), "the request begins again: {to}");
        assert_eq!(ada.open(&app, &request).await.status, StatusCode::OK, "and she is asked");
    }

    async fn a_form_on_the_way_to_a_program_lets_the_browser_follow_every_redirect(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        ada.agree(&app, &request).await;
        // Chromium follows no redirect of a form that the page's policy does not allow.
        let is_free = |page: &Raw| {
            let policy = page.header("content-security-policy").unwrap();
            policy.contains("frame-ancestors 'none'") && !policy.contains("form-action")
        };
        let guest = Visitor { member: ada.member.clone(), cookie: String::new() };
        let login = led_to(&guest.open(&app, &request).await).to_owned();
        assert!(is_free(&guest.page(&app, &login).await), "{login}");
        let again = with(request.clone(), "prompt", "login");
        let confirm = led_to(&ada.open(&app, &again).await).to_owned();
        assert!(is_free(&ada.page(&app, &confirm).await), "{confirm}");
        let fields = [("next", "/oauth/authorize?x"), ("username", "ada"), ("password", "wrong")];
        assert!(is_free(&guest.send(&app, "/login", &fields).await), "the form again");
        assert!(is_free(&ada.send(&app, "/settings/confirm", &fields).await), "the form again");
        for path in ["/login?next=/", "/login?next=/oauth/authorized"] {
            assert!(!is_free(&guest.page(&app, path).await), "{path}");
        }
        assert!(!is_free(&ada.page(&app, "/settings/confirm").await));
    }

    async fn a_program_that_expects_one_account_gets_no_code_of_another_unasked(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let client = app.register_client(&[DONE]).await;
        let hint = text(&app.tokens(&ada, &client, "openid").await, "id_token");
        app.tokens(&bob, &client, "openid").await;
        let hinted = with(asking(&client, "openid"), "id_token_hint", &hint);
        let silent = with(hinted.clone(), "prompt", "none");
        assert!(returned(&ada.open(&app, &silent).await, "code").is_some());
        let sent = bob.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("login_required"));
        let page = bob.open(&app, &hinted).await;
        assert!(page.text.contains("asks to act for your account <b>@bob</b>"), "{}", page.text);
        let other = with(silent, "id_token_hint", "no.token");
        assert!(returned(&bob.open(&app, &other).await, "code").is_some());
    }

    async fn the_agent_that_a_program_expects_is_preselected(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "openid");
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        let code = returned(&ada.decide(&app, &request, &fields).await, "code").unwrap();
        let hint = text(&app.redeem(&client, &code).await.json(), "id_token");
        let page = ada.open(&app, &with(request, "id_token_hint", &hint)).await.text;
        assert!(page.contains(r#"" checked> Your agent @bot"#), "{page}");
        assert_eq!(page.matches(" checked").count(), 1, "{page}");
    }

    async fn a_program_that_ends_a_refresh_token_ends_what_replaced_it(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let first = app.tokens(&ada, &client, "read").await;
        let second = app.refresh(&client, &text(&first, "refresh_token")).await.json();
        let other = app.register_client(&[DONE]).await;
        let token = text(&first, "refresh_token");
        let access = text(&second, "access_token");
        app.form("/oauth/revoke", &[("client_id", &*other), ("token", &*token)]).await.json();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK, "of another program");
        app.form("/oauth/revoke", &[("client_id", &*client), ("token", &*token)]).await.json();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        let refresh = app.refresh(&client, &text(&second, "refresh_token")).await;
        assert_eq!(refused(&refresh), "invalid_grant");
        let opened = ada.open(&app, &asking(&client, "read")).await;
        assert!(returned(&opened, "code").is_some(), "what she allowed is remembered");
    }

    async fn what_ends_the_access_of_one_account_leaves_that_of_another(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let client = app.register_client(&[DONE]).await;
        let stored = app.tokens(&bob, &client, "read").await;
        let code = bob.agree(&app, &asking(&client, "read")).await;
        let first = app.tokens(&ada, &client, "read").await;
        app.refresh(&client, &text(&first, "refresh_token")).await.json();
        app.advance(11);
        let replayed = app.refresh(&client, &text(&first, "refresh_token")).await;
        assert_eq!(refused(&replayed), "invalid_grant");
        let reported = app.tokens(&ada, &client, "read").await;
        app.anonymous.keys().report(text(&reported, "access_token")).await.unwrap();
        let revoked = text(&app.tokens(&ada, &client, "read").await, "refresh_token");
        app.form("/oauth/revoke", &[("client_id", &*client), ("token", &*revoked)]).await.json();
        app.tokens(&ada, &client, "read").await;
        let grant = ada.member.client.grants().list().await.unwrap().grants.remove(0).grant_id;
        ada.member.client.grants().delete(&grant).await.unwrap();
        app.tokens(&ada, &client, "read").await;
        ada.member.client.auth().change_password(PASSWORD, "another horse").await.unwrap();
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
        let access = text(&stored, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        app.redeem(&client, &code).await.json();
        app.refresh(&client, &text(&stored, "refresh_token")).await.json();
    }

    async fn a_later_consent_to_read_keeps_the_caps_on_spending(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        let client = app.register_client(&[DONE]).await;
        let access = text(&app.tokens(&ada, &client, "exchange:spend").await, "access_token");
        app.tokens(&ada, &client, "read").await;
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let [grant] = grants.as_slice() else { panic!("{grants:?}") };
        assert_eq!(grant.scopes, ["read", "exchange:spend"]);
        let caps = grant.caps.as_ref().expect("what may be spent has a limit");
        let caps = [caps.per_order, caps.per_day].map(|cap| cap.unwrap().to_string());
        assert_eq!(caps, ["10", "50"]);
        let service = offer(&bot, "work", 5).await;
        let body = json!({
            "providerUsername": "bot", "serviceId": service, "amount": 11, "description": "work",
        });
        let order = app.raw(Method::POST, "/v1/escrow").bearer_auth(&access).json(&body);
        assert_eq!(answer(order).await.refusal().code, Code::SpendLimit);
    }

    async fn each_thing_that_a_program_may_do_is_said_before_it_is_allowed(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        for (scope, message) in [
            ("openid", "Know which account is yours"),
            ("profile", "Know your username, your display name and your picture"),
            ("email", "Know your email address, once you have verified it"),
            ("read", "Read what you can read, except messages, and receive events"),
            ("write", "Post, react, follow, and edit your profile, in your name"),
            ("dm", "Read and send direct messages in your name"),
            ("exchange:spend", "Spend your credits: order, and pay by escrow"),
            ("exchange:sell", "Sell in your name: offer services, answer orders, deliver"),
            ("identity", "Prove your identity to apps"),
        ] {
            let page = ada.open(&app, &asking(&client, scope)).await;
            assert!(page.text.contains(&format!("<li>{message}</li>")), "{scope}: {}", page.text);
        }
    }

    async fn what_is_allowed_at_one_resource_is_asked_for_at_the_other(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        ada.agree(&app, &request).await;
        let [api, mcp] = ["api", "mcp"].map(|name| format!("{}/{name}", app.root()));
        let of_mcp = with(request, "resource", &mcp);
        assert_eq!(ada.open(&app, &of_mcp).await.status, StatusCode::OK, "it is asked for");
        ada.agree(&app, &of_mcp).await;
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let resources: Vec<&str> = grants.iter().map(|grant| &*grant.resource).collect();
        assert_eq!(resources, [&*mcp, &*api]);
    }

    async fn a_refresh_names_the_resource_of_its_tokens_or_none(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let token = text(&app.tokens(&ada, &client, "read").await, "refresh_token");
        let send = async |name: &str| {
            let resource = format!("{}/{name}", app.root());
            let fields = [
                ("grant_type", "refresh_token"),
                ("client_id", &*client),
                ("refresh_token", &*token),
                ("resource", &*resource),
            ];
            app.form("/oauth/token", &fields).await
        };
        assert_eq!(refused(&send("mcp").await), "invalid_target");
        assert_eq!(send("api").await.status, StatusCode::OK);
    }

    async fn what_an_owner_adds_to_what_its_agent_allowed_ends_with_the_ownership(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, visiting_bot(&app).await);
        let client = app.register_client(&[DONE]).await;
        bot.agree(&app, &asking(&client, "read")).await;
        let another = app.register_client(&[DONE]).await;
        let its_own = text(&app.tokens(&bot, &another, "read").await, "access_token");
        own(&ada.member, &bot.member).await;
        let fields = [("decision", "allow"), ("as", bot.member.user.id.as_str())];
        let sent = ada.decide(&app, &asking(&client, "read write"), &fields).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        let access = text(&tokens, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        ada.member.client.agents().release("bot").await.unwrap();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(app.status_with(&its_own, "/users/me").await, StatusCode::OK, "that the agent allowed stays");
    }

    async fn what_an_owner_allowed_ends_with_the_ownership_though_the_agent_allowed_it_too(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, visiting_bot(&app).await);
        own(&ada.member, &bot.member).await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        let fields = [("decision", "allow"), ("as", bot.member.user.id.as_str())];
        let sent = ada.decide(&app, &request, &fields).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        let of_owner = text(&tokens, "refresh_token");
        assert_eq!(bot.open(&app, &request).await.status, StatusCode::OK, "the agent is asked itself");
        let of_agent = text(&app.tokens(&bot, &client, "read").await, "access_token");
        ada.member.client.agents().release("bot").await.unwrap();
        assert_eq!(refused(&app.refresh(&client, &of_owner).await), "invalid_grant");
        assert_eq!(app.status_with(&of_agent, "/users/me").await, StatusCode::OK);
    }

    async fn a_client_is_kept_for_as_long_as_its_refresh_tokens(app: TestApp) {
        let client = app.register_client(&[DONE]).await;
        // Too soon for the server to note another use.
        app.advance(DAY - 60);
        let ada = app.visitor("ada").await;
        let tokens = app.tokens(&ada, &client, "read").await;
        app.advance(30 * DAY - 60);
        sweep::once(app.server.app()).await.unwrap();
        let tokens = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
        app.advance(30 * DAY - 60);
        sweep::once(app.server.app()).await.unwrap();
        app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
    }
}
