//! What another node commits between a check and what it allows.

use std::time::Duration;

use svc_client::types::api::agents::VerifyIdentity;
use svc_client::types::api::keys::UpdateApiKey;
use svc_client::types::api::owners::ReleaseAgent;
use svc_client::types::api::users::{DeleteMe, UpdateMe};
use svc_client::types::{Code, Scope, UserId};
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_store::{sql, values};

use crate::app::{TestApp, code};
use crate::held::{Held, behind};
use crate::on_both_engines;
use crate::owners::{PASSWORD, pair};

/// Pauses an agent, as its owner does on another node.
async fn pausing(app: &TestApp, agent: &UserId) -> Held {
    let agent = agent.clone();
    Held::by(app, move |ctx| {
        let now = ctx.now();
        let sql = sql!("update account set paused_at = $1 where id = $2");
        ctx.tx.execute(sql, values![now, agent])
    })
    .await
}

on_both_engines! {
    async fn a_claim_link_that_is_created_again_outlives_the_sweep_of_the_one_before(
        app: TestApp, "database.connections" = "6"
    ) {
        let (ann, bot) = (app.person("ann", PASSWORD).await, app.agent("bot").await);
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        let expire = sql!("update claim set expires_at = 1");
        app.execute(move |ctx| ctx.tx.execute(expire, &[])).await;
        let agent = bot.user.id.clone();
        let held = Held::by(&app, move |ctx| {
            let later = ctx.now().plus(Duration::from_hours(1));
            let sql = sql!("update claim set expires_at = $1 where agent = $2");
            ctx.tx.execute(sql, values![later, agent])
        })
        .await;
        behind(&app, held, 1, sweep::once(app.server.app())).await.unwrap();
        ann.client.agents().claim(link).await.unwrap();
    }

    async fn an_agent_that_is_paused_meanwhile_neither_leaves_its_owner_nor_is_deleted(
        app: TestApp, "database.connections" = "6"
    ) {
        let [ann, bot] = pair(&app).await;
        // With a password, neither waits for days.
        let sql = sql!("update account set password_hash = 'none' where username = 'bot'");
        app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        let held = pausing(&app, &bot.user.id).await;
        let leaving = bot.client.agents().release("bot").into_future();
        let left = behind(&app, held, 1, leaving).await;
        assert_eq!(code::<ReleaseAgent>(left), Code::AccountPaused);
        ann.client.agents().resume("bot").await.unwrap();
        let held = pausing(&app, &bot.user.id).await;
        let deleting = bot.client.users().delete_me("bot").into_future();
        let deleted = behind(&app, held, 1, deleting).await;
        assert_eq!(code::<DeleteMe>(deleted), Code::AccountPaused);
        let agents = ann.client.agents().owned().await.unwrap().agents;
        assert!(matches!(&agents[..], [bot] if bot.paused), "{agents:?}");
    }

    async fn identity_tokens_of_an_agent_that_is_paused_and_released_at_once_end(
        app: TestApp, "database.connections" = "6"
    ) {
        let [ann, bot] = pair(&app).await;
        let gate = app.developer("Gate").await;
        let token = bot.client.agents().create_identity_token().await.unwrap().token;
        let held = pausing(&app, &bot.user.id).await;
        let releasing = ann.client.agents().release("bot").into_future();
        behind(&app, held, 1, releasing).await.unwrap();
        let verified = gate.client.agents().verify_identity(token.expose()).await;
        assert_eq!(code::<VerifyIdentity>(verified), Code::InvalidToken);
    }

    async fn a_block_that_is_lifted_meanwhile_takes_no_more_reactions_back(
        app: TestApp, "database.connections" = "6"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        bob.client.reactions().like(&post.id).await.unwrap();
        // As of a block with many reactions, after the first of them.
        let (by, blocked) = (ada.user.id.clone(), bob.user.id.clone());
        app.execute(move |ctx| {
            let sql = sql!(
                "insert into block (blocker, blocked, created_at, unfinished)
                 values ($1, $2, 0, true)"
            );
            ctx.tx.execute(sql, values![by, blocked])
        }).await;
        let account = ada.user.id.clone();
        let held = Held::by(&app, move |ctx| {
            let lock = sql!("select id from account where id = $1 for no key update");
            ctx.tx.lock(lock, values![account])?;
            ctx.tx.execute(sql!("delete from block where blocker = $1"), values![account])
        })
        .await;
        behind(&app, held, 1, sweep::once(app.server.app())).await.unwrap();
        let liked = app.anonymous.posts().get(&post.id).await.unwrap().post;
        assert_eq!(liked.likes_count, 1);
    }

    async fn a_key_that_is_narrowed_meanwhile_is_widened_by_nobody_who_does_not_confirm(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let scopes = [Scope::Read, Scope::Dm];
        let id = ada.client.keys().create("bot", scopes.clone()).await.unwrap().key.key_id;
        app.advance(600);
        let (account, key) = (ada.user.id.clone(), id.clone());
        let held = Held::by(&app, move |ctx| {
            let lock = sql!("select id from account where id = $1 for no key update");
            ctx.tx.lock(lock, values![account])?;
            let sql = sql!("update api_key set scopes = 'read' where key_id = $1");
            ctx.tx.execute(sql, values![key])
        })
        .await;
        let widening = ada.client.keys().update(&*id).scopes(scopes).into_future();
        let widened = behind(&app, held, 1, widening).await;
        assert_eq!(code::<UpdateApiKey>(widened), Code::StepUpRequired);
        let keys = ada.client.keys().list().await.unwrap().keys;
        let kept = keys.iter().find(|key| key.key_id == id).unwrap();
        assert_eq!(kept.scopes, [Scope::Read]);
    }

    async fn no_address_that_is_set_meanwhile_outlives_the_key(
        app: TestApp, "database.connections" = "6"
    ) {
        let bot = app.agent("bot").await;
        let account = bot.user.id.clone();
        let held = Held::by(&app, move |ctx| {
            let lock = sql!("select id from account where id = $1 for no key update");
            ctx.tx.lock(lock, values![account])?;
            ctx.tx.execute(sql!("delete from api_key where account = $1"), values![account])
        })
        .await;
        let setting = bot.client.users().update_me().email("thief@example.org").into_future();
        let set = behind(&app, held, 1, setting).await;
        assert_eq!(code::<UpdateMe>(set), Code::Unauthorized);
        let addresses = sql!("select count(*) from account where email is not null");
        assert_eq!(app.count(addresses).await, 0);
    }

    async fn an_address_that_another_account_enters_meanwhile_is_pending_for_the_new_one(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "database.connections" = "6"
    ) {
        let address = "ada@example.org";
        app.agent("bob").await;
        let held = Held::by(&app, move |ctx| {
            let sql = sql!("update account set email = $1 where username = 'bob'");
            ctx.tx.execute(sql, values![address])
        })
        .await;
        let registering = app.anonymous.auth().register_person("ada", address, PASSWORD);
        let ada = behind(&app, held, 1, registering.into_future()).await.unwrap().user;
        assert_eq!((ada.email.as_deref(), ada.pending_email.as_deref()), (None, Some(address)));
    }

    async fn an_account_that_is_deleted_meanwhile_is_not_suspended(
        app: TestApp, "database.connections" = "6"
    ) {
        let account = app.agent("bot").await.user.id;
        let held = Held::by(&app, move |ctx| {
            let now = ctx.now();
            let sql = sql!("update account set deleted_at = $1 where id = $2");
            ctx.tx.execute(sql, values![now, account])
        })
        .await;
        let command = Command::Suspend { username: "bot".to_owned(), reason: "spam".to_owned() };
        let refused = behind(&app, held, 1, app.server.try_admin(&command)).await.unwrap_err();
        assert_eq!(refused.code(), Code::WrongState);
        assert_eq!(app.count(sql!("select count(*) from measure")).await, 0);
    }
}
