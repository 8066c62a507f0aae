//! How often keys change, and how far.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::keys::{KeySpend, UpdateApiKey};
use svc_client::types::{Code, Scope};
use svc_store::sql;

use super::{PASSWORD, every_scope, key};
use crate::app::code;
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn an_account_changes_its_keys_a_hundred_times_an_hour_and_ends_them_at_any_time(
        app: TestApp, "limits.budgets" = "true"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        let made = ada.client.keys().create("one", [Scope::Read]).await.unwrap().key.key_id;
        let path = format!("/auth/keys/{made}");
        let rename = |n: usize| (Method::PATCH, &*path, json!({ "name": format!("name {n}") }));
        let send = async |(method, path, body): (Method, &str, Value)| {
            answer(ada.raw(&app, method, path).json(&body)).await
        };
        for n in 1..100 {
            assert_eq!(send(rename(n)).await.status, 200, "{n}");
        }
        let noted = sql!("select count(*) from security_entry where key_id is not null");
        let before = app.count(noted).await;
        for change in [
            rename(100),
            (Method::POST, "/auth/keys", json!({ "name": "two", "scopes": ["read"] })),
            (Method::POST, "/auth/api-key/regenerate", json!({})),
        ] {
            let refused = send(change).await.refusal();
            assert_eq!(refused.code, Code::RateLimited);
            assert_eq!(refused.error, "at most 100 changes of keys are allowed in 1h");
        }
        assert_eq!(app.count(noted).await, before);
        // A session is not kept from it by what keys did.
        browser.keys().create("two", [Scope::Read]).await.unwrap();
        app.advance(3_600);
        assert_eq!(send(rename(101)).await.status, 200);
        for n in 102..201 {
            assert_eq!(send(rename(n)).await.status, 200, "{n}");
        }
        assert_eq!(send(rename(201)).await.status, 429);
        ada.client.keys().delete(&*made).await.unwrap();
    }

    async fn the_last_key_that_may_do_everything_is_not_limited(app: TestApp) {
        let ada = app.agent("ada").await;
        let own = ada.client.keys().current().await.unwrap().key.key_id;
        let keeper = app.client(key(&ada, "keeper", &every_scope()).await);
        ada.client.keys().delete(&*own).await.unwrap();
        let id = keeper.keys().current().await.unwrap().key.key_id;
        let narrowed = || async { keeper.keys().update(&*id).scopes(vec![Scope::Read]).await };
        assert_eq!(code::<UpdateApiKey>(narrowed().await), Code::WrongState);
        let capped = || async {
            let spend = KeySpend { per_order: None, per_day: Some(3.into()) };
            keeper.keys().update(&*id).spend(spend).await
        };
        assert_eq!(code::<UpdateApiKey>(capped().await), Code::WrongState);
        keeper.keys().update(&*id).name("the last").scopes(every_scope()).await.unwrap();
        keeper.auth().regenerate_api_key().await.unwrap();
        narrowed().await.unwrap();
    }
}
