//! Passwords: their hashes, and what a new one ends.

use futures_util::future::join_all;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::auth::{ChangePassword, Login};
use svc_store::{sql, values};

use super::{PASSWORD, is_signed_in, refused_sign_in};
use crate::app::{code, cookie};
use crate::on_both_engines;

/// A hash of [`PASSWORD`] of another cost than new ones have.
const OUTDATED: &str = "$argon2id$v=19$m=16,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$klgEAbyJTdj963Jx07PEsZuI7ww9GF9BR1zf+VqqPc8";

/// A password with accents of their own, and the same with letters that have them.
const DECOMPOSED: &str = "cre\u{301}me bru\u{302}le\u{301}e";
const COMPOSED: &str = "cr\u{e9}me br\u{fb}l\u{e9}e";

/// What earlier versions stored for [`DECOMPOSED`]: the hash of what was typed.
const AS_TYPED: &str =
    "$argon2id$v=19$m=8,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$sWoSFRvOL8mw5sb/O3r7BeUhkawTEwcl6nZ5rLMBPxE";

on_both_engines! {
    async fn a_hash_of_another_cost_is_renewed_at_the_next_sign_in(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let outdate = async || {
            let sql = sql!("update account set password_hash = $1 where username = 'ada'");
            app.execute(move |ctx| ctx.tx.execute(sql, values![OUTDATED])).await;
        };
        outdate().await;
        let refused = refused_sign_in(&app, json!({ "username": "ada", "password": "wrong horse" })).await;
        assert_eq!(refused.code, Code::InvalidCredentials);
        let is_renewed = sql!("select count(*) from account where username = 'ada' and password_hash not like '%m=16,%'");
        assert_eq!(app.count(is_renewed).await, 0);
        app.sign_in("ada", PASSWORD).await;
        assert_eq!(app.count(is_renewed).await, 1);
        app.sign_in("ada", PASSWORD).await;
        // Sign-ins at the same time do not take each other for a change of the password.
        outdate().await;
        join_all((0..4).map(|_| app.sign_in("ada", PASSWORD))).await;
        assert_eq!(app.count(is_renewed).await, 1);
    }

    async fn a_password_is_the_same_however_its_letters_are_encoded(app: TestApp) {
        app.person("ada", DECOMPOSED).await;
        app.person("bob", COMPOSED).await;
        for name in ["ada", "bob"] {
            app.sign_in(name, COMPOSED).await;
            app.sign_in(name, DECOMPOSED).await;
            let plain = json!({ "username": name, "password": "creme brulee" });
            assert_eq!(refused_sign_in(&app, plain).await.code, Code::InvalidCredentials);
        }
    }

    async fn a_hash_of_what_was_typed_is_renewed_at_the_next_sign_in(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let set = sql!("update account set password_hash = $1 where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(set, values![AS_TYPED])).await;
        let composed = json!({ "username": "ada", "password": COMPOSED });
        assert_eq!(refused_sign_in(&app, composed).await.code, Code::InvalidCredentials);
        app.sign_in("ada", DECOMPOSED).await;
        app.sign_in("ada", COMPOSED).await;
        app.sign_in("ada", DECOMPOSED).await;
    }

    async fn a_new_password_ends_every_other_session(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let here = app.browser(&app.sign_in("ada", PASSWORD).await);
        let there = app.browser(&app.sign_in("ada", PASSWORD).await);
        let changed = here.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        assert!(changed.changed);
        assert!(is_signed_in(&here).await);
        assert!(!is_signed_in(&there).await);
        let old = app.anonymous.auth().login("ada", PASSWORD).await;
        assert_eq!(code::<Login>(old), Code::InvalidCredentials);
        app.sign_in("ada", "battery staple").await;
        ada.client.auth().change_password("battery staple", PASSWORD).await.unwrap();
        assert!(!is_signed_in(&here).await, "by key, every session is another");
        assert!(is_signed_in(&ada.client).await);
    }

    async fn changing_a_password_requires_the_current_one(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let wrong = ada.client.auth().change_password("wrong horse", "battery staple").await;
        assert_eq!(code::<ChangePassword>(wrong), Code::InvalidCredentials);
        app.sign_in("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let none = bob.client.auth().change_password(PASSWORD, "battery staple").await;
        assert_eq!(code::<ChangePassword>(none), Code::InvalidCredentials);
    }

    async fn no_session_of_the_old_password_outlives_its_change(
        app: TestApp, "limits.sign_in.account_failures" = "100", "database.connections" = "4"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let sign_in = || {
            let call = app.anonymous.auth().login("ada", PASSWORD);
            tokio::spawn(async move { call.raw().await.map(|answer| cookie(&answer.headers)) })
        };
        let mut signing_in: Vec<_> = (0..2).map(|_| sign_in()).collect();
        let call = ada.client.auth().change_password(PASSWORD, "battery staple");
        let changing = tokio::spawn(call.into_future());
        signing_in.extend((0..6).map(|_| sign_in()));
        changing.await.unwrap().unwrap();
        for signed_in in signing_in {
            if let Ok(cookie) = signed_in.await.unwrap() {
                assert!(!is_signed_in(&app.browser(&cookie)).await);
            }
        }
    }
}
