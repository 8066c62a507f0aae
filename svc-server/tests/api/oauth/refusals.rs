//! Who is sent back to a program with a refusal, and who sees a page first.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{Method, StatusCode};
use serde_json::json;

use super::{DONE, Parameters, Visitor, asking, returned, text, with};
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::answer;

on_both_engines! {
    async fn a_program_that_anybody_can_describe_leads_no_guest_away(app: TestApp) {
        let body = json!({ "client_name": "<b>Gate</b>", "redirect_uris": [DONE] });
        let registered = app.raw(Method::POST, "/../oauth/register").json(&body);
        let client = text(&answer(registered).await.json(), "client_id");
        let good = asking(&client, "read");
        for (name, value, said) in [
            ("response_type", "token", "unsupported_response_type: response_type must be code"),
            ("scope", "moderate", "invalid_scope: the scope moderate is not given to other programs"),
            ("prompt", "none", "login_required: the person is not signed in"),
        ] {
            let request = app.ask(Method::GET, &with(good.clone(), name, value));
            let page = answer(request.header("accept", "text/html")).await;
            assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, None), "{said}");
            let link = "href=\"https://gate.example.org/done?error=";
            for part in [said, "Continue to gate.example.org", link] {
                assert!(page.text.contains(part), "{part}: {}", page.text);
            }
            assert!(!page.text.contains("<b>Gate"), "{}", page.text);
        }
        let ada = app.visitor("ada").await;
        let sent = ada.open(&app, &with(good, "scope", "moderate")).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("invalid_scope"), "she has signed in");
    }

    async fn an_app_learns_at_once_why_its_request_is_refused(app: TestApp) {
        let gate = app.gate().await;
        let good = asking(gate.app.id.as_str(), "read");
        for (name, value, error) in
            [("scope", "moderate", "invalid_scope"), ("prompt", "none", "login_required")]
        {
            let sent = answer(app.ask(Method::GET, &with(good.clone(), name, value))).await;
            assert_eq!(returned(&sent, "error").as_deref(), Some(error));
            assert_eq!(returned(&sent, "state").as_deref(), Some("s 1"));
        }
    }

    async fn an_agent_that_its_owner_chose_before_signs_in_silently(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let bot = app.agent("bot").await;
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "openid");
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        let code = returned(&ada.decide(&app, &asked, &fields).await, "code").unwrap();
        let hint = text(&app.redeem(&client, &code).await.json(), "id_token");
        let silent = with(asked, "prompt", "none");
        let hinted = with(silent.clone(), "id_token_hint", &hint);
        let code = returned(&ada.open(&app, &hinted).await, "code").unwrap();
        let access = text(&app.redeem(&client, &code).await.json(), "access_token");
        let claims = answer(app.raw(Method::GET, "/../oauth/userinfo").bearer_auth(&access)).await;
        assert_eq!(claims.json()["sub"], bot.user.id.as_str());
        let refused = async |visitor: &Visitor, asked: &Parameters<'_>| {
            returned(&visitor.open(&app, asked).await, "error").unwrap()
        };
        assert_eq!(refused(&ada, &silent).await, "consent_required", "for herself");
        let more = with(hinted.clone(), "scope", "openid read");
        assert_eq!(refused(&ada, &more).await, "consent_required");
        assert_eq!(refused(&bob, &hinted).await, "consent_required");
        app.tokens(&bob, &client, "openid").await;
        assert_eq!(refused(&bob, &hinted).await, "login_required");
        ada.member.client.agents().pause("bot").await.unwrap();
        assert_eq!(refused(&ada, &hinted).await, "consent_required");
        ada.member.client.agents().resume("bot").await.unwrap();
        assert!(returned(&ada.open(&app, &hinted).await, "code").is_some());
        ada.member.client.agents().release("bot").await.unwrap();
        assert_eq!(refused(&ada, &hinted).await, "consent_required");
        // What its former owner allowed is nothing to the next one.
        own(&bob.member, &bot).await;
        assert_eq!(refused(&bob, &hinted).await, "login_required");
    }

    async fn a_program_that_guesses_learns_neither_accounts_nor_owners(app: TestApp) {
        let (ada, eve) = (app.visitor("ada").await, app.visitor("eve").await);
        let bot = app.agent("bot").await;
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let silent = with(asking(&client, "openid"), "prompt", "none");
        let guessed = async |of: &str| {
            let claims = URL_SAFE_NO_PAD.encode(json!({ "sub": of }).to_string());
            let hinted = with(silent.clone(), "id_token_hint", &format!("e30.{claims}.made-up"));
            let sent = ada.open(&app, &hinted).await;
            (returned(&sent, "error").unwrap(), returned(&sent, "error_description").unwrap())
        };
        let own_account = guessed(ada.member.user.id.as_str()).await;
        assert_eq!(own_account.0, "consent_required");
        for other in [&bot.user.id, &eve.member.user.id] {
            assert_eq!(guessed(other.as_str()).await, own_account);
        }
        // One that knows who she is does not learn whose the agent is.
        app.tokens(&ada, &client, "openid").await;
        let stranger = guessed(eve.member.user.id.as_str()).await;
        assert_eq!(stranger.0, "login_required");
        assert_eq!(guessed(bot.user.id.as_str()).await, stranger);
    }
}
