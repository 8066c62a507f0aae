//! Identity tokens and their verification (spec §2.2, §2.3, §5 rule 4).

use std::collections::BTreeSet;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::agents::{CreateIdentityToken, VerifyIdentity};
use svc_client::types::{Code, IdentityToken, Span};
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_server::testing::START;
use svc_store::{sql, values};

use crate::app::{Developer, Member, TestApp, code};
use crate::oauth::{DONE, asking, returned, text};
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::{answer, code_of};

/// A token of 15 minutes for the first app that verifies it.
async fn token(member: &Member) -> IdentityToken {
    member.client.agents().create_identity_token().await.unwrap().token
}

/// The result of verifying a token: its agent's name, or why not.
async fn verdict(app: &Developer, token: &IdentityToken) -> Result<String, Code> {
    match app.client.agents().verify_identity(token.expose()).await {
        Ok(verified) => Ok(verified.agent.username),
        refused => Err(code::<VerifyIdentity>(refused)),
    }
}

/// A request to verify, with these members.
fn verify(app: &TestApp, members: &Value) -> reqwest::RequestBuilder {
    app.raw(Method::POST, "/v1/agents/verify-identity").json(members)
}

/// A well-formed token that was never issued.
fn invented() -> String {
    format!("svc_id_{}", "A".repeat(43))
}

on_both_engines! {
    async fn a_token_is_exchanged_for_the_agents_profile(app: TestApp) {
        let ada = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let request = verify(&app, &json!({ "token": token(&ada).await.expose() }));
        let verified = answer(request.bearer_auth(gate.key.expose())).await;
        assert_eq!(verified.header("cache-control"), Some("private, no-store"), "it may be suspended next");
        let verified = verified.json();
        let agent = verified["agent"].as_object().unwrap();
        let fields = [
            "id", "username", "displayName", "bio", "avatar", "isAgent", "tier", "followersCount",
            "followingCount", "postsCount", "xVerified", "googleVerified", "createdAt",
        ];
        let found: BTreeSet<&str> = agent.keys().map(String::as_str).collect();
        assert_eq!(found, BTreeSet::from(fields), "spec §2.2, no more and no less");
        let user = json!(ada.user);
        for field in fields {
            assert_eq!(agent[field], user[field], "{field}");
        }
        assert_eq!(agent["isAgent"], true);
        assert_eq!(verified.as_object().unwrap().len(), 1);
    }

    async fn a_token_has_the_form_of_the_spec_and_lives_fifteen_minutes(app: TestApp) {
        let ada = app.agent("ada").await;
        let request = app.raw(Method::POST, "/v1/agents/me/identity-token");
        let created = answer(request.bearer_auth(ada.key.expose())).await;
        assert_eq!(created.status, 200);
        let token = created.json()["token"].clone();
        let expires_at = START.plus(Duration::from_mins(15));
        assert_eq!(created.json(), json!({ "token": token, "expiresAt": expires_at }));
        let rest = token.as_str().unwrap().strip_prefix("svc_id_").unwrap();
        assert_eq!(rest.len(), 43);
    }

    async fn the_profile_is_fresh_at_each_verification(app: TestApp) {
        let ada = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let token = token(&ada).await;
        assert_eq!(verdict(&gate, &token).await, Ok("ada".to_owned()));
        ada.client.users().update_me().display_name("Countess").await.unwrap();
        app.set_tier("ada", "pro").await;
        let again = gate.client.agents().verify_identity(token).await.unwrap().agent;
        assert_eq!((&*again.display_name, again.tier.as_str()), ("Countess", "pro"));
    }

    async fn a_verification_is_no_answer_to_a_later_one_with_the_same_idempotency_key(app: TestApp) {
        let ada = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let members = json!({ "token": token(&ada).await.expose() });
        let send = || {
            let request = verify(&app, &members).bearer_auth(gate.key.expose());
            answer(request.header("idempotency-key", "one"))
        };
        assert_eq!(send().await.status, 200);
        ada.client.auth().regenerate_api_key().await.unwrap();
        assert_eq!(send().await.refusal().code, Code::InvalidToken);
    }

    async fn a_lifetime_is_one_minute_to_one_hour(app: TestApp) {
        let agent = app.agent("ada").await;
        for (seconds, allowed) in [(59, false), (60, true), (3600, true), (3601, false)] {
            let call = agent.client.agents().create_identity_token();
            let created = call.expires_in(Span::from_secs(seconds)).await;
            if allowed {
                let expires_at = created.unwrap().expires_at;
                assert_eq!(expires_at, START.plus(Duration::from_secs(seconds)));
            } else {
                assert_eq!(created.as_ref().unwrap_err().field(), Some("expiresIn"));
                assert_eq!(code::<CreateIdentityToken>(created), Code::ValidationFailed);
            }
        }
    }

    async fn a_person_has_no_identity_token(app: TestApp) {
        let bob = app.person("bob", "correct horse").await;
        let created = bob.client.agents().create_identity_token().await;
        assert_eq!(code::<CreateIdentityToken>(created), Code::NotAnAgent);
    }

    async fn only_an_app_that_exists_can_be_the_audience(app: TestApp) {
        let agent = app.agent("ada").await;
        let gone = app.developer("Gone").await;
        gone.client.developers().delete().await.unwrap();
        for audience in [gone.app.id.as_str(), agent.user.id.as_str(), "app_0"] {
            let created = agent.client.agents().create_identity_token().audience(audience).await;
            assert_eq!(created.as_ref().unwrap_err().field(), Some("audience"));
            assert_eq!(code::<CreateIdentityToken>(created), Code::NotFound);
        }
    }

    async fn a_token_for_an_app_is_verified_only_by_that_app(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let door = app.developer("Door").await;
        let call = agent.client.agents().create_identity_token().audience(&gate.app.id);
        let created = call.await.unwrap();
        assert_eq!(created.audience, Some(gate.app.id.clone()));
        assert_eq!(verdict(&door, &created.token).await, Err(Code::AudienceMismatch));
        assert_eq!(verdict(&gate, &created.token).await, Ok("ada".to_owned()));
        app.advance(900);
        assert_eq!(verdict(&door, &created.token).await, Err(Code::AudienceMismatch), "an expired one tells another app nothing more");
        assert_eq!(verdict(&gate, &created.token).await, Err(Code::IdentityTokenExpired));
    }

    async fn a_token_without_audience_belongs_to_the_first_app(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let door = app.developer("Door").await;
        let token = token(&agent).await;
        assert_eq!(verdict(&gate, &token).await, Ok("ada".to_owned()));
        assert_eq!(verdict(&door, &token).await, Err(Code::AudienceMismatch));
        assert_eq!(verdict(&gate, &token).await, Ok("ada".to_owned()), "a lost answer can be asked again");
    }

    async fn one_of_several_apps_that_verify_a_token_concurrently_wins(
        app: TestApp, "database.connections" = "4"
    ) {
        let agent = app.agent("ada").await;
        let token = token(&agent).await;
        let mut apps = Vec::new();
        for number in 0..8 {
            apps.push(app.developer(&format!("Gate {number}")).await);
        }
        let verifying = apps.iter().cloned().map(|gate| {
            let token = token.clone();
            tokio::spawn(async move { verdict(&gate, &token).await })
        });
        let mut verdicts = Vec::new();
        for verified in verifying.collect::<Vec<_>>() {
            verdicts.push(verified.await.unwrap());
        }
        let winner = verdicts.iter().position(Result::is_ok).unwrap();
        for (number, verdict) in verdicts.into_iter().enumerate() {
            let expected = if number == winner { Ok("ada".to_owned()) } else { Err(Code::AudienceMismatch) };
            assert_eq!(verdict, expected);
        }
        assert_eq!(verdict(&apps[winner], &token).await, Ok("ada".to_owned()));
    }

    async fn a_token_ends_at_its_expiry(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let token = token(&agent).await;
        app.advance(899);
        assert_eq!(verdict(&gate, &token).await, Ok("ada".to_owned()));
        app.advance(1);
        assert_eq!(verdict(&gate, &token).await, Err(Code::IdentityTokenExpired));
    }

    async fn an_expired_token_is_reported_for_a_day_and_then_forgotten(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let token = token(&agent).await;
        app.advance(900 + 86_399);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(verdict(&gate, &token).await, Err(Code::IdentityTokenExpired));
        app.advance(1);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(verdict(&gate, &token).await, Err(Code::InvalidToken));
        let count = app.server.app().read(|ctx| {
            ctx.tx.one::<i64>(sql!("select count(*) from identity_token"), values![])
        });
        assert_eq!(count.await.unwrap(), 0);
    }

    async fn an_unknown_token_and_one_of_another_form_are_invalid(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let token = token(&agent).await;
        let cut = token.expose().get(..49).unwrap();
        for text in [&*invented(), cut, "svc_id_", "x", agent.key.expose(), gate.key.expose()] {
            assert_eq!(verdict(&gate, &text.into()).await, Err(Code::InvalidToken));
        }
    }

    async fn a_token_that_is_not_a_string_is_a_bad_request(app: TestApp) {
        let gate = app.developer("Gate").await;
        for members in [json!({}), json!({ "token": "" }), json!({ "token": 7 }), json!({ "token": null })] {
            let refusal = answer(verify(&app, &members).bearer_auth(gate.key.expose())).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("token")));
        }
    }

    async fn verification_requires_a_live_developer_key(app: TestApp) {
        let agent = app.agent("ada").await;
        let person = app.person("bob", "correct horse").await;
        let cookie = app.sign_in("bob", "correct horse").await;
        let gone = app.developer("Gone").await;
        gone.client.developers().delete().await.unwrap();
        let token = json!({ "token": token(&agent).await.expose() });
        let refused = |key: &str| code_of(verify(&app, &token).bearer_auth(key));
        assert_eq!(code_of(verify(&app, &token)).await, Code::InvalidDeveloperKey);
        assert_eq!(refused("svc_dk_invented").await, Code::InvalidDeveloperKey);
        assert_eq!(refused(gone.key.expose()).await, Code::InvalidDeveloperKey);
        assert_eq!(refused(agent.key.expose()).await, Code::DeveloperKeyRequired);
        assert_eq!(refused(person.key.expose()).await, Code::DeveloperKeyRequired);
        let by_cookie = verify(&app, &token).header("cookie", cookie);
        assert_eq!(code_of(by_cookie.header("sec-fetch-site", "same-origin")).await, Code::DeveloperKeyRequired);
    }

    async fn a_token_ends_with_its_account(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let token = token(&agent).await;
        agent.client.users().delete_me("ada").await.unwrap();
        assert_eq!(verdict(&gate, &token).await, Err(Code::InvalidToken));
        agent.client.auth().restore().await.unwrap();
        assert_eq!(verdict(&gate, &token).await, Err(Code::InvalidToken), "it is from before");
    }

    async fn a_token_ends_with_the_access_of_a_program_that_may_have_created_it(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        own(&ada.member, &bot).await;
        let gate = app.developer("Gate").await;
        for (scope, by_person) in [("read identity", true), ("read identity", false), ("read", true)] {
            let client = app.register_client(&[DONE]).await;
            let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
            let sent = ada.decide(&app, &asking(&client, scope), &fields).await;
            let tokens = app.redeem(&client, &returned(&sent, "code").unwrap()).await.json();
            let token = token(&bot).await;
            assert_eq!(verdict(&gate, &token).await, Ok("bot".to_owned()));
            if by_person {
                let grants = bot.client.grants().list().await.unwrap().grants;
                ada.member.client.grants().delete(&grants[0].grant_id).await.unwrap();
            } else {
                let refresh = text(&tokens, "refresh_token");
                app.form("/oauth/revoke", &[("client_id", &*client), ("token", &*refresh)]).await.json();
            }
            let kept = if scope == "read" { Ok("bot".to_owned()) } else { Err(Code::InvalidToken) };
            assert_eq!(verdict(&gate, &token).await, kept, "{scope} {by_person}");
        }
    }

    async fn what_ends_the_tokens_of_one_agent_leaves_those_of_another(app: TestApp) {
        let (ada, bot, bob) = (app.visitor("ada").await, app.agent("bot").await, app.agent("bob").await);
        own(&ada.member, &bot).await;
        let [gate, door] = [app.developer("Gate").await, app.developer("Door").await];
        let kept = token(&bob).await;
        assert_eq!(verdict(&door, &token(&bot).await).await, Ok("bot".to_owned()));
        let client = app.register_client(&[DONE]).await;
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        ada.decide(&app, &asking(&client, "read identity"), &fields).await;
        let grants = bot.client.grants().list().await.unwrap().grants;
        ada.member.client.grants().delete(&grants[0].grant_id).await.unwrap();
        app.suspend("bot").await;
        app.unsuspend("bot").await;
        ada.member.client.agents().rotate_key("bot").await.unwrap();
        ada.member.client.agents().release("bot").await.unwrap();
        app.server.admin(Command::Delete { username: "bot".to_owned() }).await;
        assert_eq!(verdict(&gate, &kept).await, Ok("bob".to_owned()), "no other app has claimed it either");
    }

    async fn a_suspended_agent_is_reported_and_binds_no_token(app: TestApp) {
        let agent = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let door = app.developer("Door").await;
        let token = token(&agent).await;
        app.suspend("ada").await;
        assert_eq!(verdict(&gate, &token).await, Err(Code::AgentDeactivated));
        assert_eq!(verdict(&door, &token).await, Err(Code::AgentDeactivated));
        let created = agent.client.agents().create_identity_token().await;
        assert_eq!(code::<CreateIdentityToken>(created), Code::AccountSuspended);
        app.unsuspend("ada").await;
        assert_eq!(verdict(&gate, &token).await, Err(Code::InvalidToken), "it is from before");
        let new = agent.client.agents().create_identity_token().await.unwrap().token;
        assert_eq!(verdict(&gate, &new).await, Ok("ada".to_owned()));
    }

    async fn an_identity_token_is_no_credential_for_the_api(app: TestApp) {
        let agent = app.agent("ada").await;
        let token = token(&agent).await;
        for path in ["/users/me", "/v1/developers/me"] {
            let request = app.raw(Method::GET, path).bearer_auth(token.expose());
            assert_eq!(answer(request).await.status, 401);
        }
    }
}
