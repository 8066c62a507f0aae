//! A way into an account that ends takes with it what it added, even what it adds at that moment.

use futures_util::future::join_all;
use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::agents::VerifyIdentity;
use svc_client::types::api::developers::RotateAppKey;
use svc_client::types::api::owners::ClaimAgent;
use svc_client::types::{ClaimLink, Code, Scope};
use svc_server::testing::Engine;

use crate::app::code;
use crate::held::{Held, behind, waiting};
use crate::oauth::{DONE, asking};
use crate::on_both_engines;
use crate::owners::{PASSWORD, own, pair};
use crate::raw::answer;

/// The claim link of an agent.
async fn link(client: &Client) -> ClaimLink {
    client.agents().create_claim_link().await.unwrap().url
}

on_both_engines! {
    async fn no_key_that_is_created_meanwhile_outlives_a_rotation(
        app: TestApp, "database.connections" = "8"
    ) {
        let [ann, bot] = pair(&app).await;
        let mut key = bot.key.clone();
        for round in 0..5 {
            let thief = app.client(key.clone());
            let creating = (0..6).map(|number| {
                thief.keys().create(format!("{round} {number}"), [Scope::Read]).into_future()
            });
            let rotating = ann.client.agents().rotate_key("bot").into_future();
            let (_, rotated) = tokio::join!(join_all(creating), rotating);
            key = rotated.unwrap().api_key;
            let left = app.client(key.clone()).keys().list().await.unwrap().keys;
            assert_eq!(left.len(), 1, "{left:?}");
        }
    }

    async fn no_identity_token_that_is_created_meanwhile_outlives_the_key(
        app: TestApp, "database.connections" = "8"
    ) {
        let (bot, gate) = (app.agent("bot").await, app.developer("Gate").await);
        let mut key = bot.key.clone();
        for _ in 0..5 {
            let client = app.client(key.clone());
            let create = || client.agents().create_identity_token().into_future();
            let earlier = create().await.unwrap().token;
            let replacing = client.auth().regenerate_api_key().into_future();
            let (created, replaced) = tokio::join!(join_all((0..6).map(|_| create())), replacing);
            key = replaced.unwrap().api_key;
            let mut tokens = vec![earlier];
            for created in created {
                match created {
                    Ok(created) => tokens.push(created.token),
                    Err(refused) => assert_eq!(refused.code(), Some(&Code::Unauthorized)),
                }
            }
            for token in tokens {
                let verified = gate.client.agents().verify_identity(token).await;
                assert_eq!(code::<VerifyIdentity>(verified), Code::InvalidToken);
            }
        }
    }

    async fn no_identity_token_that_is_created_meanwhile_outlives_the_scope_of_its_key(
        app: TestApp, "database.connections" = "6"
    ) {
        let (bot, gate) = (app.agent("bot").await, app.developer("Gate").await);
        let made = bot.client.keys().create("prover", [Scope::Read, Scope::Identity]).await.unwrap();
        let (prover, id) = (app.client(made.api_key), made.key.key_id);
        let held = Held::key(&app, &id).await;
        let narrow = bot.client.keys().update(&*id).scopes(vec![Scope::Read]).into_future();
        let create = async {
            waiting(&app, 1).await;
            prover.agents().create_identity_token().await
        };
        let both = async { tokio::join!(narrow, create) };
        let (narrowed, created) = behind(&app, held, 2, both).await;
        narrowed.unwrap();
        if let Ok(created) = created {
            let verified = gate.client.agents().verify_identity(created.token).await;
            assert_eq!(code::<VerifyIdentity>(verified), Code::InvalidToken);
        }
    }

    async fn a_key_that_ends_meanwhile_makes_no_new_key_for_an_app(
        app: TestApp, "database.connections" = "6"
    ) {
        let bot = app.agent("bot").await;
        let made = bot.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let (gate, app_id) = (app.developer_client(made.developer_api_key), made.developer.id);
        let named = bot.client.keys().create("manager", [Scope::Account]).await.unwrap();
        let (thief, id) = (app.client(named.api_key), named.key.key_id);
        let held = Held::key(&app, &id).await;
        let end = bot.client.keys().delete(&*id).into_future();
        let replacing = async {
            waiting(&app, 1).await;
            thief.developers().rotate_app_key(&app_id).await
        };
        let both = async { tokio::join!(end, replacing) };
        let (ended, replaced) = behind(&app, held, 2, both).await;
        ended.unwrap();
        // On SQLite, either comes first.
        if app.engine == Engine::Postgres {
            assert_eq!(code::<RotateAppKey>(replaced), Code::Unauthorized);
            gate.developers().me().await.unwrap();
        }
    }

    async fn no_access_that_an_owner_allows_meanwhile_outlives_the_ownership(
        app: TestApp, "database.connections" = "8"
    ) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        let client = app.register_client(&[DONE]).await;
        let asked = asking(&client, "read");
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        for _ in 0..5 {
            own(&ada.member, &bot).await;
            let allowing = join_all((0..4).map(|_| ada.decide(&app, &asked, &fields)));
            let releasing = ada.member.client.agents().release("bot").into_future();
            let (_, released) = tokio::join!(allowing, releasing);
            released.unwrap();
            assert_eq!(bot.client.grants().list().await.unwrap().grants, []);
        }
    }

    async fn a_claim_link_ends_with_the_key_that_may_have_created_it(app: TestApp) {
        let (ann, bot) = (app.person("ann", PASSWORD).await, app.agent("bot").await);
        let claim = async |link: ClaimLink| ann.client.agents().claim(link).await;
        let stolen = link(&bot.client).await;
        let key = bot.client.auth().regenerate_api_key().await.unwrap().api_key;
        assert_eq!(code::<ClaimAgent>(claim(stolen).await), Code::NotFound);
        let client = app.client(key);
        let named = client.keys().create("manager", [Scope::Account, Scope::Read]).await.unwrap();
        let id = named.key.key_id;
        let stolen = link(&client).await;
        client.keys().update(&*id).scopes([Scope::Account]).await.unwrap();
        let claimed = code::<ClaimAgent>(claim(stolen).await);
        assert_eq!(claimed, Code::NotFound, "the key could do more when the link was created");
        let stolen = link(&client).await;
        client.keys().delete(&*id).await.unwrap();
        assert_eq!(code::<ClaimAgent>(claim(stolen).await), Code::NotFound);
        claim(link(&client).await).await.unwrap();
    }

    async fn a_claim_link_ends_with_the_password_of_the_agent(app: TestApp) {
        let ann = app.person("ann", PASSWORD).await;
        let body = json!({
            "username": "bot", "isAgent": true, "email": "bot@example.org", "password": PASSWORD,
        });
        let bot = answer(app.raw(Method::POST, "/auth/register").json(&body)).await.json();
        let bot = app.client(bot["apiKey"].as_str().unwrap());
        let stolen = link(&bot).await;
        bot.auth().change_password(PASSWORD, "another horse").await.unwrap();
        let claimed = ann.client.agents().claim(stolen).await;
        assert_eq!(code::<ClaimAgent>(claimed), Code::NotFound);
    }
}
