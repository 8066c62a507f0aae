//! What a person is asked before a program gets a code, what is remembered, and what they choose.

use http::{Method, StatusCode};
use svc_client::types::api::security::SecurityAction;
use svc_store::sql;

use super::{DONE, asking, form_key, led_to, refused, returned, text, with};
use crate::on_both_engines;
use crate::owners::own;
use crate::pending::advance_past_wait;
use crate::raw::answer;

on_both_engines! {
    async fn a_question_to_one_account_is_not_answered_by_another(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "exchange:spend");
        let key = form_key(&ada.open(&app, &request).await);
        let fields =
            [("decision", "allow"), ("perOrder", "2.5"), ("perDay", "5"), ("idempotency_key", &*key)];
        // bob has signed in in another tab.
        let page = bob.decide(&app, &request, &fields).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        assert!(page.text.contains("You are now signed in as @bob"), "{}", page.text);
        assert!(page.text.contains("value=\"2.5\""), "what was typed is kept: {}", page.text);
        assert_eq!(bob.member.client.grants().list().await.unwrap().grants, []);
        assert!(returned(&ada.decide(&app, &request, &fields).await, "code").is_some());
        let key = form_key(&page);
        let again = [&fields[..3], &[("idempotency_key", &*key)]].concat();
        assert!(returned(&bob.decide(&app, &request, &again).await, "code").is_some());
    }

    async fn consent_is_remembered_for_the_web_and_not_for_this_machine(app: TestApp) {
        let ada = app.visitor("ada").await;
        let app_scheme = "org.example.gate:/done";
        let with_host = "org.example.door://done";
        let client = app.register_client(&[DONE, "http://127.0.0.1/done", app_scheme, with_host]).await;
        let request = asking(&client, "read");
        ada.agree(&app, &request).await;
        assert!(returned(&ada.open(&app, &request).await, "code").is_some());
        // More is asked for again, and then remembered with what was before.
        assert_eq!(ada.open(&app, &asking(&client, "dm")).await.status, StatusCode::OK);
        ada.agree(&app, &asking(&client, "dm")).await;
        assert!(returned(&ada.open(&app, &asking(&client, "dm read")).await, "code").is_some());
        let again = with(request.clone(), "prompt", "consent");
        assert_eq!(ada.open(&app, &again).await.status, StatusCode::OK);
        for place in ["http://127.0.0.1:4711/done", app_scheme, with_host] {
            let local = with(request.clone(), "redirect_uri", place);
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

    async fn a_person_chooses_an_agent_that_is_acted_for(app: TestApp) {
        let ada = app.visitor("ada").await;
        let (bot, other) = (app.agent("bot").await, app.agent("other").await);
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        let page = ada.open(&app, &request).await.text;
        let id = bot.user.id.as_str();
        assert!(page.contains(&format!(r#"value="{id}"> Your agent @bot"#)), "{page}");
        let foreign = [("decision", "allow"), ("as", other.user.id.as_str())];
        let foreign = ada.decide(&app, &request, &foreign).await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND);
        assert!(foreign.text.contains("the account that you chose is not yours any more"), "{}", foreign.text);
        let sent = ada.decide(&app, &request, &[("decision", "allow"), ("as", id)]).await;
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
        let sent = ada.decide(&app, &request, &[("decision", "allow"), ("as", id)]).await;
        let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
        bot.client.agents().release("bot").await.unwrap();
        advance_past_wait(&app).await;
        for member in [&ada.member, &bot] {
            assert_eq!(member.client.grants().list().await.unwrap().grants, []);
        }
        assert_eq!(refused(&app.refresh(&client, &text(&tokens, "refresh_token")).await), "invalid_grant");
        let herself = [("decision", "allow"), ("as", ada.member.user.id.as_str())];
        let sent = ada.decide(&app, &request, &herself).await;
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
        let request = asking(&client, "exchange:spend");
        let first = ada.open(&app, &request).await.text;
        assert!(first.contains(&format!(r#"value="{person}" checked> You, @ada"#)), "{first}");
        let fields = [("decision", "allow"), ("as", &*agent), ("perOrder", "ten"), ("perDay", "50")];
        let by_code = ada.decide(&app, &request, &fields).await;
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

    async fn a_sign_in_too_long_ago_is_confirmed_again(app: TestApp) {
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
        let page = ada.open(&app, &now).await;
        let next = led_to(&page);
        assert!(next.starts_with("/settings/confirm?next=") && !next.contains("max_age"), "{next}");
    }

    async fn a_confirmation_that_a_clock_far_ahead_dated_is_not_the_latest_sign_in(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        ada.agree(&app, &asking(&client, "read")).await;
        let year = sql!("update session set confirmed_until = confirmed_until + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        app.advance(61);
        let fresh = with(asking(&client, "read"), "max_age", "60");
        assert!(led_to(&ada.open(&app, &fresh).await).starts_with("/settings/confirm?next="));
        ada.confirm(&app).await;
        assert!(returned(&ada.open(&app, &fresh).await, "code").is_some());
    }

    async fn spending_asks_for_a_confirmation_and_for_caps(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "exchange:spend");
        let page = ada.open(&app, &request).await;
        assert!(page.text.contains(r#"name="perOrder" value="10""#), "{}", page.text);
        assert!(page.text.contains(r#"name="perDay" value="50""#));
        for (caps, wrong) in [
            (("", "50"), "an order"),
            (("0", "50"), "an order"),
            (("ten", "50"), "an order"),
            (("10", "-1"), "in 24 hours"),
        ] {
            let fields = [("decision", "allow"), ("perOrder", caps.0), ("perDay", caps.1)];
            let shown = ada.decide(&app, &request, &fields).await;
            assert_eq!(shown.status, StatusCode::BAD_REQUEST, "{caps:?}");
            let said = format!("{wrong}: enter a number above 0, such as 10 or 0.5");
            assert!(shown.text.contains(&said), "{said}: {}", shown.text);
        }
        app.advance(601);
        let reading = ada.open(&app, &asking(&client, "read")).await;
        assert_eq!(reading.status, StatusCode::OK, "it needs no confirmation");
        assert!(led_to(&ada.open(&app, &request).await).starts_with("/settings/confirm?next="));
        let fields = [("decision", "allow"), ("perOrder", "2.5"), ("perDay", "5")];
        let sent = ada.decide(&app, &request, &fields).await;
        assert!(led_to(&sent).starts_with("/settings/confirm?next="));
        ada.confirm(&app).await;
        let sent = ada.decide(&app, &request, &fields).await;
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
        let request = with(asking(&client, "exchange:spend"), "prompt", "consent");
        for caps in [["10", "50"], ["1", "2"], ["3", "4"]] {
            let fields = [("decision", "allow"), ("perOrder", caps[0]), ("perDay", caps[1])];
            let sent = ada.decide(&app, &request, &fields).await;
            app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
            let grants = ada.member.client.grants().list().await.unwrap().grants;
            let stored = grants[0].caps.as_ref().unwrap();
            let stored = [stored.per_order, stored.per_day].map(|cap| cap.unwrap().to_string());
            assert_eq!((grants.len(), stored), (1, caps.map(str::to_owned)));
        }
    }
}
