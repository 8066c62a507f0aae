//! From a client's request to a code: what is refused where, and what people are asked.

use http::{Method, StatusCode};
use svc_client::types::Code;
use svc_client::types::api::security::SecurityAction;

use super::{
    DONE, Forms as _, PASSWORD, Visitor, asking, form_key, led_to, refused, returned, text, with,
};
use crate::on_both_engines;
use crate::owners::own;
use crate::pending::settle_all;
use crate::raw::answer;

on_both_engines! {
    async fn a_person_agrees_and_the_program_reads_in_their_name(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "openid read");
        let page = ada.open(&app, &asked).await;
        assert_eq!(page.status, StatusCode::OK);
        for part in ["Gate", "gate.example.org", "@ada", "Read what you can read"] {
            assert!(page.text.contains(part), "{part} in {}", page.text);
        }
        assert!(page.text.contains("You return to <bdi>gate.example.org</bdi>."), "{}", page.text);
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("form-action"), "{policy}");
        let sent = ada.decide(&app, &asked, &[("decision", "allow")]).await;
        let kept = ["cache-control", "referrer-policy"].map(|name| sent.header(name));
        assert_eq!(kept, [Some("no-store"), Some("no-referrer")], "the address has the code");
        assert_eq!(returned(&sent, "state").as_deref(), Some("s 1"));
        assert_eq!(returned(&sent, "iss"), Some(app.root()));
        let code = returned(&sent, "code").unwrap();
        let tokens = app.redeem(&client, &code).await;
        assert_eq!(tokens.header("cache-control"), Some("no-store"));
        assert_eq!(tokens.header("pragma"), Some("no-cache"));
        let tokens = tokens.json();
        assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&"Bearer".into(), &3600.into()));
        assert_eq!(tokens["scope"], "openid read");
        let access = text(&tokens, "access_token");
        assert!(access.starts_with("svc_at_") && text(&tokens, "refresh_token").starts_with("svc_rt_"));
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        let session = answer(app.raw(Method::GET, "/auth/session").bearer_auth(&access)).await.json();
        assert_eq!(session["authMethod"], "oauth");
    }

    async fn a_bad_client_or_redirect_is_a_page_before_any_sign_in(app: TestApp) {
        let client = app.register_client(&[DONE]).await;
        let local = app.register_client(&["https://localhost/done", "http://localhost/here"]).await;
        let good = asking(&client, "read");
        for bad in [
            with(asking(&local, "read"), "redirect_uri", "http://localhost/done"),
            with(asking(&local, "read"), "redirect_uri", "http://localhost:4711/done"),
            with(asking(&local, "read"), "redirect_uri", "https://localhost:4711/here"),
            with(good.clone(), "client_id", ""),
            with(good.clone(), "client_id", "cli_unheard"),
            with(good.clone(), "redirect_uri", "https://evil.example/done"),
            with(good.clone(), "redirect_uri", "https://gate.example.org/done/"),
            with(good.clone(), "redirect_uri", "javascript:alert(1)"),
            with(good.clone(), "client_id", "svc"),
            with(good.clone(), "state", &"s".repeat(6_000)),
        ] {
            let request = app.ask(Method::GET, &bad);
            let page = answer(request.header("accept", "text/html")).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{bad:?}");
            for said in ["the program that sent you here made a mistake: ", "tell its makers what this page says"] {
                assert!(page.text.contains(said), "{said}: {}", page.text);
            }
            assert_eq!(page.header("location"), None);
        }
        // With the only redirect URI left out, the person signs in first.
        let without = app.ask(Method::GET, &with(good, "redirect_uri", ""));
        assert!(led_to(&answer(without).await).starts_with("/login?next=%2Foauth%2Fauthorize"));
    }

    async fn other_mistakes_are_told_to_the_client(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let good = asking(&client, "read");
        let long = "n".repeat(513);
        for (name, value, error) in [
            ("response_type", "token", "unsupported_response_type"),
            ("response_type", "", "invalid_request"),
            ("code_challenge", "", "invalid_request"),
            ("code_challenge", "short", "invalid_request"),
            ("code_challenge_method", "plain", "invalid_request"),
            ("code_challenge_method", "", "invalid_request"),
            ("scope", "read unheard-of", "invalid_scope"),
            ("scope", "moderate", "invalid_scope"),
            ("scope", "account", "invalid_scope"),
            ("resource", "https://other.example/api", "invalid_target"),
            ("prompt", "create", "invalid_request"),
            ("prompt", "none login", "invalid_request"),
            ("max_age", "soon", "invalid_request"),
            ("nonce", &*long, "invalid_request"),
            ("response_mode", "fragment", "invalid_request"),
            ("nonce", &*"n".repeat(513), "invalid_request"),
            ("request", "x.y.z", "request_not_supported"),
            ("request_uri", "https://gate.example.org/r", "request_uri_not_supported"),
        ] {
            let sent = ada.open(&app, &with(good.clone(), name, value)).await;
            assert_eq!(returned(&sent, "error").as_deref(), Some(error), "{name}={value}");
            assert_eq!(returned(&sent, "state").as_deref(), Some("s 1"));
            assert_eq!(returned(&sent, "iss"), Some(app.root()));
        }
        let mut twice = good.clone();
        twice.push(("state", "other".to_owned()));
        assert_eq!(returned(&ada.open(&app, &twice).await, "error").unwrap(), "invalid_request");
        let mut both = good.clone();
        both.extend(["api", "mcp"].map(|name| ("resource", format!("{}/{name}", app.root()))));
        assert_eq!(returned(&ada.open(&app, &both).await, "error").unwrap(), "invalid_target");
        let no = ada.decide(&app, &good, &[("decision", "deny")]).await;
        assert_eq!(returned(&no, "error").as_deref(), Some("access_denied"));
    }

    async fn a_program_that_asks_for_no_scope_may_read(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        for scope in [" ", ""] {
            let code = ada.agree(&app, &with(asking(&client, "read"), "scope", scope)).await;
            assert_eq!(app.redeem(&client, &code).await.json()["scope"], "read", "{scope:?}");
        }
        // Libraries of OpenID Connect ask for it where they want a refresh token, which every program gets.
        let tokens = app.tokens(&ada, &client, "read offline_access").await;
        assert_eq!(tokens["scope"], "read");
        assert!(text(&tokens, "refresh_token").starts_with("svc_rt_"));
    }

    async fn a_form_of_another_site_decides_nothing(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = app.ask(Method::POST, &asking(&client, "read"));
        let request = request.form(&[("decision", "allow")]).header("cookie", &ada.cookie);
        let refused = answer(request.header("sec-fetch-site", "cross-site")).await;
        assert_eq!(refused.refusal().code, Code::CrossSiteRequest);
        // A client's request may come by POST.
        let request = app.raw(Method::POST, "/../oauth/authorize").form(&asking(&client, "read"));
        let request = request.header("sec-fetch-site", "cross-site");
        assert!(led_to(&answer(request).await).starts_with("/oauth/authorize?response_type=code"));
    }

    async fn a_question_to_one_account_is_not_answered_by_another(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "exchange:spend");
        let key = form_key(&ada.open(&app, &asked).await);
        let fields =
            [("decision", "allow"), ("perOrder", "2.5"), ("perDay", "5"), ("idempotency_key", &*key)];
        // bob has signed in in another tab.
        let page = bob.decide(&app, &asked, &fields).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        assert!(page.text.contains("You are now signed in as @bob"), "{}", page.text);
        assert!(page.text.contains("value=\"2.5\""), "what was typed is kept: {}", page.text);
        assert_eq!(bob.member.client.grants().list().await.unwrap().grants, []);
        assert!(returned(&ada.decide(&app, &asked, &fields).await, "code").is_some());
        let key = form_key(&page);
        let again = [&fields[..3], &[("idempotency_key", &*key)]].concat();
        assert!(returned(&bob.decide(&app, &asked, &again).await, "code").is_some());
    }

    async fn consent_is_remembered_for_the_web_and_not_for_this_machine(app: TestApp) {
        let ada = app.visitor("ada").await;
        let app_scheme = "org.example.gate:/done";
        let with_host = "org.example.door://done";
        let client = app.register_client(&[DONE, "http://127.0.0.1/done", app_scheme, with_host]).await;
        let asked = asking(&client, "read");
        ada.agree(&app, &asked).await;
        assert!(returned(&ada.open(&app, &asked).await, "code").is_some());
        // More is asked for again, and then remembered with what was before.
        assert_eq!(ada.open(&app, &asking(&client, "dm")).await.status, StatusCode::OK);
        ada.agree(&app, &asking(&client, "dm")).await;
        assert!(returned(&ada.open(&app, &asking(&client, "dm read")).await, "code").is_some());
        let again = with(asked.clone(), "prompt", "consent");
        assert_eq!(ada.open(&app, &again).await.status, StatusCode::OK);
        for place in ["http://127.0.0.1:4711/done", app_scheme, with_host] {
            let local = with(asked.clone(), "redirect_uri", place);
            let sent = ada.decide(&app, &local, &[("decision", "allow")]).await;
            assert!(led_to(&sent).starts_with(&format!("{place}?code=")));
            let page = ada.open(&app, &local).await;
            assert_eq!(page.status, StatusCode::OK, "{place}: asked again");
        }
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let hosts: Vec<&str> = grants.iter().map(|grant| &*grant.client.host).collect();
        assert_eq!(hosts, ["org.example.door", "org.example.gate", "127.0.0.1", "gate.example.org"]);
        assert_eq!(grants[3].scopes, ["read", "dm"]);
    }

    async fn the_name_of_a_program_is_text_and_nothing_else(app: TestApp) {
        let ada = app.visitor("ada").await;
        let body = serde_json::json!({
            "client_name": "<b>Gate</b>\" onload=\"x", "redirect_uris": [DONE],
        });
        let client = answer(app.raw(Method::POST, "/../oauth/register").json(&body)).await.json();
        let asked = asking(&text(&client, "client_id"), "read");
        let asked = with(asked, "state", "\"><script>");
        let page = ada.open(&app, &asked).await.text;
        for hostile in ["<b>Gate", "\" onload", "<script>\"", "\"><script"] {
            assert!(!page.contains(hostile), "{hostile} in {page}");
        }
        let code = ada.decide(&app, &asked, &[("decision", "allow")]).await;
        assert_eq!(returned(&code, "state").as_deref(), Some("\"><script>"));
    }

    async fn a_person_chooses_an_agent_that_is_acted_for(app: TestApp) {
        let ada = app.visitor("ada").await;
        let (bot, other) = (app.agent("bot").await, app.agent("other").await);
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "read");
        let page = ada.open(&app, &asked).await.text;
        let id = bot.user.id.as_str();
        assert!(page.contains(&format!(r#"value="{id}"> Your agent @bot"#)), "{page}");
        let foreign = [("decision", "allow"), ("as", other.user.id.as_str())];
        let foreign = ada.decide(&app, &asked, &foreign).await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND);
        assert!(foreign.text.contains("the account that you chose is not yours any more"), "{}", foreign.text);
        let sent = ada.decide(&app, &asked, &[("decision", "allow"), ("as", id)]).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        let access = text(&tokens, "access_token");
        let me = answer(app.raw(Method::GET, "/users/me").bearer_auth(&access)).await.json();
        assert_eq!(me["user"]["username"], "bot");
        for member in [&ada.member, &bot] {
            let grants = member.client.grants().list().await.unwrap().grants;
            assert_eq!((grants.len(), &*grants[0].user.username), (1, "bot"));
        }
        let log = bot.client.security().log().await.unwrap().entries;
        let given = log.iter().find(|entry| entry.action == SecurityAction::GrantGiven).unwrap();
        assert_eq!((given.actor.as_deref(), given.network.as_deref()), (Some("ada"), None));
        let log = ada.member.client.security().log().await.unwrap().entries;
        let given = log.iter().find(|entry| entry.action == SecurityAction::GrantGiven).unwrap();
        assert_eq!((given.agent.as_deref(), given.network.as_deref()), (Some("bot"), Some("127.0.0.0/24")));
        // What the owner allowed ends with the ownership.
        ada.member.client.agents().release("bot").await.unwrap();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(bot.client.grants().list().await.unwrap().grants, []);
        // It does so where the agent leaves, too.
        own(&ada.member, &bot).await;
        let sent = ada.decide(&app, &asked, &[("decision", "allow"), ("as", id)]).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        bot.client.agents().release("bot").await.unwrap();
        settle_all(&app).await;
        for member in [&ada.member, &bot] {
            assert_eq!(member.client.grants().list().await.unwrap().grants, []);
        }
        assert_eq!(refused(&app.refresh(&client, &text(&tokens, "refresh_token")).await), "invalid_grant");
        let herself = [("decision", "allow"), ("as", ada.member.user.id.as_str())];
        let sent = ada.decide(&app, &asked, &herself).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        let access = text(&tokens, "access_token");
        let me = answer(app.raw(Method::GET, "/users/me").bearer_auth(&access)).await.json();
        assert_eq!(me["user"]["username"], "ada");
    }

    async fn an_agent_that_was_chosen_stays_chosen_when_a_cap_is_wrong(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let [person, agent] = [&ada.member, &bot].map(|member| member.user.id.to_string());
        let asked = asking(&client, "exchange:spend");
        let first = ada.open(&app, &asked).await.text;
        assert!(first.contains(&format!(r#"value="{person}" checked> You, @ada"#)), "{first}");
        let fields = [("decision", "allow"), ("as", &*agent), ("perOrder", "ten"), ("perDay", "50")];
        let by_code = ada.decide(&app, &asked, &fields).await;
        let code = text(&app.start_device("exchange:spend").await, "user_code");
        let typed = [&fields[..], &[("user_code", &*code)]].concat();
        let on_device = ada.send(&app, "/device", &typed).await;
        for page in [by_code, on_device] {
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{}", page.text);
            let chosen = format!(r#"value="{agent}" checked> Your agent @bot"#);
            assert!(page.text.contains(&chosen), "{}", page.text);
            assert_eq!(page.text.matches(" checked").count(), 1, "{}", page.text);
        }
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
    }

    async fn a_suspended_account_allows_nothing(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        app.suspend("ada").await;
        let page = ada.open(&app, &asking(&client, "read")).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(page.text.contains("suspended") && !page.text.contains("value=\"allow\""), "{}", page.text);
        let sent = ada.decide(&app, &asking(&client, "read"), &[("decision", "allow")]).await;
        assert_eq!(sent.status, StatusCode::FORBIDDEN);
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
    }

    async fn a_suspended_account_gets_no_code_by_what_it_allowed_before(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "read");
        ada.agree(&app, &asked).await;
        app.suspend("ada").await;
        assert_eq!(ada.open(&app, &asked).await.status, StatusCode::FORBIDDEN);
        // What may show no page tells the program.
        let silent = with(asked.clone(), "prompt", "none");
        let sent = ada.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("access_denied"));
        app.unsuspend("ada").await;
        assert!(returned(&ada.open(&app, &asked).await, "code").is_some());
        ada.member.client.users().delete_me("ada").await.unwrap();
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        let sent = ada.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("access_denied"));
    }

    async fn a_grant_that_ends_meanwhile_gives_no_code(app: TestApp, "database.connections" = "4") {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "read");
        for _ in 0..20 {
            ada.agree(&app, &asked).await;
            let grants = ada.member.client.grants();
            let id = grants.list().await.unwrap().grants.remove(0).grant_id;
            let (opened, ended) =
                tokio::join!(ada.open(&app, &asked), grants.delete(id).into_future());
            ended.unwrap();
            // It was there still, the request begins again, or the person is asked.
            if opened.status != StatusCode::OK {
                let to = led_to(&opened);
                assert!(to.starts_with(DONE) || to.starts_with("/oauth/authorize?"), "{to}");
            }
            assert_eq!(ada.open(&app, &asked).await.status, StatusCode::OK, "it is asked again");
        }
    }

    async fn a_prompt_is_obeyed(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let silent = with(asking(&client, "read"), "prompt", "none");
        let sent = ada.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("consent_required"));
        ada.agree(&app, &asking(&client, "read")).await;
        assert!(returned(&ada.open(&app, &silent).await, "code").is_some());
        let choose = with(asking(&client, "read"), "prompt", "select_account");
        assert_eq!(ada.open(&app, &choose).await.status, StatusCode::OK, "she may choose another one");
        let login = with(asking(&client, "read"), "prompt", "login");
        let sent = ada.open(&app, &login).await;
        let next = led_to(&sent);
        assert!(next.starts_with("/settings/confirm?next=") && !next.contains("prompt"), "{next}");
        // A choice that was asked for, too, is still asked for afterwards.
        let both = with(asking(&client, "read"), "prompt", "login select_account");
        let sent = ada.open(&app, &both).await;
        let next = led_to(&sent);
        assert!(next.starts_with("/settings/confirm?next="), "{next}");
        assert!(next.ends_with("%26prompt%3Dconsent"), "{next}");
    }

    async fn who_signed_in_too_long_ago_confirms_again(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        ada.agree(&app, &asking(&client, "read")).await;
        let fresh = with(asking(&client, "read"), "max_age", "60");
        assert!(returned(&ada.open(&app, &fresh).await, "code").is_some());
        app.advance(61);
        assert!(led_to(&ada.open(&app, &fresh).await).starts_with("/settings/confirm?next="));
        let silent = with(fresh.clone(), "prompt", "none");
        let sent = ada.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("login_required"));
        ada.confirm(&app).await;
        assert!(returned(&ada.open(&app, &fresh).await, "code").is_some());
        // Nobody is asked for it without end.
        app.advance(1);
        let now = with(asking(&client, "read"), "max_age", "0");
        let asked = ada.open(&app, &now).await;
        let next = led_to(&asked);
        assert!(next.starts_with("/settings/confirm?next=") && !next.contains("max_age"), "{next}");
    }

    async fn spending_asks_for_a_confirmation_and_for_caps(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "exchange:spend");
        let page = ada.open(&app, &asked).await;
        assert!(page.text.contains(r#"name="perOrder" value="10""#), "{}", page.text);
        assert!(page.text.contains(r#"name="perDay" value="50""#));
        for (caps, wrong) in [
            (("", "50"), "an order"),
            (("0", "50"), "an order"),
            (("ten", "50"), "an order"),
            (("10", "-1"), "in 24 hours"),
        ] {
            let fields = [("decision", "allow"), ("perOrder", caps.0), ("perDay", caps.1)];
            let shown = ada.decide(&app, &asked, &fields).await;
            assert_eq!(shown.status, StatusCode::BAD_REQUEST, "{caps:?}");
            let said = format!("{wrong}: enter a number above 0, such as 10 or 0.5");
            assert!(shown.text.contains(&said), "{said}: {}", shown.text);
        }
        app.advance(601);
        let reading = ada.open(&app, &asking(&client, "read")).await;
        assert_eq!(reading.status, StatusCode::OK, "it needs no confirmation");
        assert!(led_to(&ada.open(&app, &asked).await).starts_with("/settings/confirm?next="));
        let fields = [("decision", "allow"), ("perOrder", "2.5"), ("perDay", "5")];
        let sent = ada.decide(&app, &asked, &fields).await;
        assert!(led_to(&sent).starts_with("/settings/confirm?next="));
        ada.confirm(&app).await;
        let sent = ada.decide(&app, &asked, &fields).await;
        let code = returned(&sent, "code").unwrap();
        app.redeem(&client, &code).await.json();
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let caps = grants[0].caps.as_ref().unwrap();
        assert_eq!(caps.per_order.unwrap().to_string(), "2.5");
        assert_eq!(caps.per_day.unwrap().to_string(), "5");
    }

    async fn a_later_consent_to_spending_replaces_the_caps(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let asked = with(asking(&client, "exchange:spend"), "prompt", "consent");
        for caps in [["10", "50"], ["1", "2"], ["3", "4"]] {
            let fields = [("decision", "allow"), ("perOrder", caps[0]), ("perDay", caps[1])];
            let sent = ada.decide(&app, &asked, &fields).await;
            app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
            let grants = ada.member.client.grants().list().await.unwrap().grants;
            let stored = grants[0].caps.as_ref().unwrap();
            let stored = [stored.per_order, stored.per_day].map(|cap| cap.unwrap().to_string());
            assert_eq!((grants.len(), stored), (1, caps.map(str::to_owned)));
        }
    }
}
