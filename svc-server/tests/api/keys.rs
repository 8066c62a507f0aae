//! API keys: scopes, networks, lifetimes, and how they end.

mod caps;
mod changes;
mod reading;
mod scopes;

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::keys::{
    ApiKeyInfo, CreateApiKey, DeleteApiKey, GetCurrentApiKey, UpdateApiKey,
};
use svc_client::types::api::owners::ClaimAgent;
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::users::GetMe;
use svc_client::types::{ApiKey, Code, Scope, Scopes, Span};
use svc_core::tasks::flush;
use svc_server::admin::Command;
use svc_store::sql;

use crate::app::{Member, TestApp, code, fault};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const PASSWORD: &str = "correct horse";

/// A key of this account with these scopes.
async fn key(member: &Member, name: &str, scopes: &[Scope]) -> ApiKey {
    member.client.keys().create(name, scopes.to_vec()).await.unwrap().api_key
}

/// A client with such a key.
async fn limited(app: &TestApp, member: &Member, scopes: &[Scope]) -> Client {
    let scopes_set: Scopes = scopes.iter().collect();
    app.client(key(member, &scopes_set.to_string(), scopes).await)
}

async fn names(client: &Client) -> Vec<String> {
    let keys = client.keys().list().await.unwrap().keys;
    keys.into_iter().map(|key| key.name).collect()
}

fn every_scope() -> Vec<Scope> {
    Scopes::ALL.iter().collect()
}

on_both_engines! {
    async fn a_new_account_has_the_default_key_with_every_scope(app: TestApp) {
        let ada = app.agent("ada").await;
        let current = ada.client.keys().current().await.unwrap().key;
        assert_eq!((&*current.name, current.is_default), ("default", true));
        assert_eq!(current.scopes, every_scope());
        assert_eq!((current.allow_from, current.expires_at), (Vec::new(), None));
        assert_eq!(Some(&*current.key_id), ada.key.expose().get(7..19));
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 1);
    }

    async fn a_session_has_no_key_of_its_own_and_manages_all(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        assert_eq!(code::<GetCurrentApiKey>(browser.keys().current().await), Code::NotFound);
        browser.keys().create("reader", vec![Scope::Read]).await.unwrap();
        assert_eq!(names(&browser).await, ["default", "reader"]);
    }

    async fn a_key_is_shown_once_and_listed_without_its_secret(app: TestApp) {
        let ada = app.agent("ada").await;
        let created = ada.client.keys()
            .create("translator", vec![Scope::ExchangeSell, Scope::Read])
            .expires_in(Span::from_secs(86_400))
            .allow_from(vec!["203.0.113.9/24".into()])
            .await.unwrap();
        assert_eq!(created.key.scopes, [Scope::Read, Scope::ExchangeSell]);
        assert_eq!(created.key.allow_from, ["203.0.113.0/24"]);
        let secret = created.api_key.expose();
        let listed = answer(ada.raw(&app, Method::GET, "/auth/keys")).await;
        assert!(!listed.text.contains(secret) && !listed.text.contains(&secret[20..]));
        let keys: Vec<ApiKeyInfo> = ada.client.keys().list().await.unwrap().keys;
        assert_eq!(keys[1], created.key);
    }

    async fn a_key_gets_no_more_than_its_creator_has(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let keeper = limited(&app, &ada, &[Scope::Account, Scope::Read]).await;
        keeper.auth().step_up().password(PASSWORD).await.unwrap();
        keeper.keys().create("reader", vec![Scope::Read]).await.unwrap();
        let wider = keeper.keys().create("writer", vec![Scope::Read, Scope::Write]).await;
        assert_eq!(fault::<CreateApiKey>(wider), (Code::InsufficientScope, "scopes".to_owned()));
        let own = keeper.keys().current().await.unwrap().key.key_id;
        let wider = keeper.keys().update(&*own).scopes(every_scope()).await;
        assert_eq!(code::<UpdateApiKey>(wider), Code::InsufficientScope);
        let default = keeper.auth().regenerate_api_key().await;
        assert_eq!(default.unwrap_err().code(), Some(&Code::InsufficientScope));
    }

    async fn no_other_key_gets_the_name_of_the_default_key(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let keeper = limited(&app, &ada, &[Scope::Account, Scope::Read]).await;
        keeper.auth().step_up().password(PASSWORD).await.unwrap();
        let default = ada.client.keys().current().await.unwrap().key.key_id;
        keeper.keys().delete(&*default).await.unwrap();
        let kept = (Code::AlreadyExists, "name".to_owned());
        let made = keeper.keys().create("default", vec![Scope::Read]).await;
        assert_eq!(fault::<CreateApiKey>(made), kept);
        let own = keeper.keys().current().await.unwrap().key.key_id;
        let renamed = keeper.keys().update(&*own).name("default").await;
        assert_eq!(fault::<UpdateApiKey>(renamed), kept);
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        browser.auth().regenerate_api_key().await.unwrap();
        assert_eq!(names(&keeper).await[0], "default");
    }

    async fn a_key_with_an_end_or_networks_makes_and_changes_no_keys(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let keys = ada.client.keys();
        let brief = keys.create("brief", every_scope()).expires_in(Span::from_secs(3_600));
        let here = keys.create("here", every_scope()).allow_from(["127.0.0.1".into()]);
        for created in [brief.await.unwrap(), here.await.unwrap()] {
            let client = app.client(created.api_key);
            client.auth().step_up().password(PASSWORD).await.unwrap();
            let made = client.keys().create("more", [Scope::Read]).await;
            assert_eq!(code::<CreateApiKey>(made), Code::InsufficientScope);
            let changed = client.keys().update(&*created.key.key_id).allow_from([]).await;
            assert_eq!(code::<UpdateApiKey>(changed), Code::InsufficientScope);
            let default = client.auth().regenerate_api_key().await;
            assert_eq!(default.unwrap_err().code(), Some(&Code::InsufficientScope));
            client.keys().delete(&*created.key.key_id).await.unwrap();
        }
    }

    async fn malformed_keys_are_refused_and_leave_nothing(app: TestApp) {
        let ada = app.agent("ada").await;
        let wrong = [
            (json!({ "name": "a", "scopes": [] }), "scopes"),
            (json!({ "name": "a", "scopes": ["everything"] }), "/scopes/0"),
            (json!({ "name": "", "scopes": ["read"] }), "name"),
            (json!({ "name": "a", "scopes": ["read"], "expiresIn": "59m" }), "expiresIn"),
            (json!({ "name": "a", "scopes": ["read"], "expiresIn": "366d" }), "expiresIn"),
            (json!({ "name": "a", "scopes": ["read"], "allowFrom": ["10.0.0.0/33"] }), "allowFrom"),
            (json!({ "name": "a", "scopes": ["read"], "allowFrom": ["example.org"] }), "allowFrom"),
            (json!({ "name": "a", "scopes": ["read"], "spend": { "perDay": 0 } }), "/spend/perDay"),
        ];
        for (body, field) in wrong {
            let refusal = answer(ada.raw(&app, Method::POST, "/auth/keys").json(&body)).await.refusal();
            let found = (refusal.code, refusal.field.as_deref());
            assert_eq!(found, (Code::ValidationFailed, Some(field)), "{body}");
        }
        let unknown = json!({ "name": "a", "scopes": ["read"], "lifetime": "1h" });
        let request = ada.raw(&app, Method::POST, "/auth/keys").json(&unknown);
        assert_eq!(code_of(request).await, Code::UnknownMember);
        let networks = vec!["203.0.113.0/24".into(); 11];
        let many = ada.client.keys().create("a", vec![Scope::Read]).allow_from(networks).await;
        assert_eq!(fault::<CreateApiKey>(many), (Code::ValidationFailed, "allowFrom".to_owned()));
        assert_eq!(names(&ada.client).await, ["default"]);
    }

    async fn a_key_has_a_name_that_can_be_seen(app: TestApp) {
        let ada = app.agent("ada").await;
        let unseen = (Code::ValidationFailed, "name".to_owned());
        for name in ["   ", "\u{200b}\u{2060}", "\u{2800}"] {
            let made = ada.client.keys().create(name, vec![Scope::Read]).await;
            assert_eq!(fault::<CreateApiKey>(made), unseen);
        }
        let made = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().key;
        let renamed = ada.client.keys().update(&*made.key_id).name("\u{200b} ").await;
        assert_eq!(fault::<UpdateApiKey>(renamed), unseen);
        assert_eq!(names(&ada.client).await, ["default", "reader"]);
    }

    async fn names_are_unique_and_a_twenty_sixth_key_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        for number in 0..25 {
            key(&ada, &format!("key {number}"), &[Scope::Read]).await;
        }
        let more = ada.client.keys().create("one more", vec![Scope::Read]).await;
        assert_eq!(code::<CreateApiKey>(more), Code::LimitReached);
        let first = ada.client.keys().list().await.unwrap().keys[1].key_id.clone();
        let taken = ada.client.keys().update(&*first).name("default").await;
        assert_eq!(code::<UpdateApiKey>(taken), Code::AlreadyExists);
        ada.client.keys().delete(&*first).await.unwrap();
        let taken = ada.client.keys().create("key 7", vec![Scope::Read]).await;
        assert_eq!(fault::<CreateApiKey>(taken), (Code::AlreadyExists, "name".to_owned()));
        key(&ada, "one more", &[Scope::Read]).await;
        // Another account has its own number of keys, and its own names.
        let bob = app.agent("bob").await;
        key(&bob, "key 7", &[Scope::Read]).await;
        let own = bob.client.keys().list().await.unwrap().keys[1].key_id.clone();
        bob.client.keys().update(&*own).name("key 8").await.unwrap();
        assert_eq!(names(&bob.client).await, ["default", "key 8"]);
        assert!(names(&ada.client).await.contains(&"key 7".to_owned()));
    }

    async fn a_key_ends_when_it_expires(app: TestApp) {
        let ada = app.agent("ada").await;
        let creating = ada.client.keys().create("brief", vec![Scope::Read]);
        let brief = creating.expires_in(Span::from_secs(3_600)).await.unwrap().api_key;
        let text = brief.expose().to_owned();
        let brief = app.client(brief);
        app.advance(3_599);
        brief.users().me().await.unwrap();
        app.advance(1);
        assert_eq!(code::<GetMe>(brief.users().me().await), Code::Unauthorized);
        ada.client.posts().create(text).await.expect("a dead key gives nothing away");
        assert_eq!(names(&ada.client).await, ["default", "brief"], "it is listed until it is deleted");
    }

    async fn a_key_works_from_its_networks_only(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.agent("ada").await;
        let creating = ada.client.keys().create("office", vec![Scope::Read]);
        let networks = vec!["203.0.113.0/24".into(), "2001:db8::7".into()];
        let created = creating.allow_from(networks).await.unwrap();
        let me = |address: &str| {
            let request = app.raw(Method::GET, "/users/me").bearer_auth(created.api_key.expose());
            request.header("x-forwarded-for", address)
        };
        for address in ["203.0.113.200", "::ffff:203.0.113.1", "2001:db8::7"] {
            assert_eq!(answer(me(address)).await.status, 200, "{address}");
        }
        for address in ["203.0.114.1", "2001:db8::8", "10.0.0.1"] {
            assert_eq!(code_of(me(address)).await, Code::AddressNotAllowed, "{address}");
        }
        let update = ada.client.keys().update(&*created.key.key_id).allow_from(Vec::new());
        assert_eq!(update.await.unwrap().key.allow_from, Vec::<String>::new());
        assert_eq!(answer(me("10.0.0.1")).await.status, 200);
    }

    async fn a_key_does_not_lock_itself_out(app: TestApp) {
        let ada = app.agent("ada").await;
        let own = ada.client.keys().current().await.unwrap().key.key_id;
        let limit = |network: &str| {
            ada.client.keys().update(&*own).allow_from([network.into()])
        };
        let refused = limit("203.0.113.0/24").await;
        assert_eq!(fault::<UpdateApiKey>(refused), (Code::ValidationFailed, "allowFrom".to_owned()));
        let other = key(&ada, "other", &[Scope::Read]).await;
        limit("127.0.0.0/8").await.unwrap();
        ada.client.users().me().await.unwrap();
        let other = app.client(other).keys().current().await.unwrap().key;
        assert_eq!(other.allow_from, [""; 0], "another key is as it was");
    }

    async fn a_key_is_renamed_and_narrowed_and_its_next_request_knows(app: TestApp) {
        let ada = app.agent("ada").await;
        let both = limited(&app, &ada, &[Scope::Read, Scope::Write]).await;
        let other = app.client(key(&ada, "other", &[Scope::Write]).await);
        both.posts().create("hello").await.unwrap();
        let id = both.keys().current().await.unwrap().key.key_id;
        let changed = ada.client.keys().update(&*id).name("reader").scopes(vec![Scope::Read]);
        let changed = changed.await.unwrap().key;
        assert_eq!((&*changed.name, changed.scopes), ("reader", vec![Scope::Read]));
        assert_eq!(code::<CreatePost>(both.posts().create("again").await), Code::InsufficientScope);
        both.users().me().await.unwrap();
        other.users().update_me().bio("it may still write").await.unwrap();
    }

    async fn a_key_that_may_not_prove_an_identity_any_more_ends_the_tokens_it_created(app: TestApp) {
        let ada = app.agent("ada").await;
        let gate = app.developer("Gate").await;
        let prover = limited(&app, &ada, &[Scope::Read, Scope::Identity]).await;
        let token = prover.agents().create_identity_token().await.unwrap().token;
        let id = prover.keys().current().await.unwrap().key.key_id;
        ada.client.keys().update(&*id).name("prover").await.unwrap();
        gate.client.agents().verify_identity(token.expose()).await.unwrap();
        ada.client.keys().update(&*id).scopes(vec![Scope::Read]).await.unwrap();
        let verified = gate.client.agents().verify_identity(token.expose()).await;
        assert_eq!(verified.unwrap_err().code(), Some(&Code::InvalidToken));
    }

    async fn the_default_key_keeps_its_name_and_scopes(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.client.keys().current().await.unwrap().key.key_id;
        let renamed = ada.client.keys().update(&*id).name("mine").await;
        assert_eq!(code::<UpdateApiKey>(renamed), Code::WrongState);
        let limited = ada.client.keys().update(&*id).scopes(vec![Scope::Read]).await;
        assert_eq!(code::<UpdateApiKey>(limited), Code::WrongState);
    }

    async fn regeneration_replaces_only_the_default_key(app: TestApp) {
        let ada = app.agent("ada").await;
        let reader = limited(&app, &ada, &[Scope::Read]).await;
        let new = app.client(ada.client.auth().regenerate_api_key().await.unwrap().api_key);
        assert_eq!(code::<GetMe>(ada.client.users().me().await), Code::Unauthorized);
        reader.users().me().await.unwrap();
        assert_eq!(names(&new).await, ["default", "read"]);
    }

    async fn a_deleted_key_ends_at_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let reader = limited(&app, &ada, &[Scope::Read, Scope::Identity]).await;
        let token = reader.agents().create_identity_token().await.unwrap().token;
        let id = reader.keys().current().await.unwrap().key.key_id;
        let bob = app.agent("bob").await;
        assert_eq!(code::<DeleteApiKey>(bob.client.keys().delete(&*id).await), Code::NotFound);
        ada.client.keys().delete(&*id).await.unwrap();
        assert_eq!(code::<GetMe>(reader.users().me().await), Code::Unauthorized);
        assert_eq!(code::<DeleteApiKey>(ada.client.keys().delete(&*id).await), Code::NotFound);
        let gate = app.developer("Gate").await;
        let verified = gate.client.agents().verify_identity(token).await;
        assert_eq!(verified.unwrap_err().code(), Some(&Code::InvalidToken));
    }

    async fn the_last_way_into_an_account_is_not_deleted(app: TestApp) {
        // The keys of another account are no way into this one.
        let [ada, _bob] = app.agents(["ada", "bob"]).await;
        let own = ada.client.keys().current().await.unwrap().key.key_id;
        // It could not replace the default key.
        key(&ada, "reader", &[Scope::Read, Scope::Account]).await;
        let creating = ada.client.keys().create("brief", every_scope());
        creating.expires_in(Span::from_secs(3_600)).await.unwrap();
        // Its networks may be out of reach one day.
        let office = ada.client.keys().create("office", every_scope());
        office.allow_from(["203.0.113.0/24".into()]).await.unwrap();
        let last = || async { ada.client.keys().delete(&*own).await };
        assert_eq!(code::<DeleteApiKey>(last().await), Code::LastCredential);
        let keeper = app.client(key(&ada, "keeper", &every_scope()).await);
        last().await.unwrap();
        keeper.auth().regenerate_api_key().await.unwrap();
        assert_eq!(names(&keeper).await, ["default", "brief", "keeper", "office", "reader"]);
        let eve = app.person("eve", PASSWORD).await;
        let own = eve.client.keys().current().await.unwrap().key.key_id;
        eve.client.keys().delete(&*own).await.unwrap();
        app.sign_in("eve", PASSWORD).await;
    }

    async fn a_reported_key_ends_and_the_answer_says_nothing(app: TestApp) {
        let ada = app.agent("ada").await;
        let found = key(&ada, "leaked", &[Scope::Read]).await;
        let report = |token: &str| app.anonymous.keys().report(token.to_owned());
        for token in ["svc_ak_nonsense", "anything"] {
            assert!(report(token).await.unwrap().received);
        }
        let (begin, last) = found.expose().split_at(55);
        let almost = format!("{begin}{}", if last == "x" { "y" } else { "x" });
        assert!(report(&almost).await.unwrap().received);
        app.client(found.clone()).users().me().await.unwrap();
        assert!(report(found.expose()).await.unwrap().received);
        assert!(report(found.expose()).await.unwrap().received);
        assert_eq!(code::<GetMe>(app.client(found).users().me().await), Code::Unauthorized);
        assert_eq!(names(&ada.client).await, ["default"]);
    }

    async fn a_live_named_key_is_refused_in_texts(app: TestApp) {
        let ada = app.agent("ada").await;
        let key = key(&ada, "reader", &[Scope::Read]).await;
        let leak = ada.client.posts().create(key.expose()).await;
        assert_eq!(code::<CreatePost>(leak), Code::CredentialInContent);
    }

    async fn the_last_use_of_a_key_is_written_to_the_minute(app: TestApp) {
        let ada = app.agent("ada").await;
        let reader = limited(&app, &ada, &[Scope::Read]).await;
        let used = || async {
            flush::once(app.server.app()).await.unwrap();
            let keys = ada.client.keys().list().await.unwrap().keys;
            keys.into_iter().find(|key| key.name == "read").unwrap()
        };
        assert_eq!(used().await.last_used_at, None);
        let start = app.server.clock().now();
        reader.users().me().await.unwrap();
        let first = used().await;
        assert_eq!((first.last_used_at, first.last_used_from.as_deref()), (Some(start), Some("127.0.0.0/24")));
        app.advance(59);
        reader.users().me().await.unwrap();
        assert_eq!(used().await.last_used_at, Some(start));
        app.advance(1);
        reader.users().me().await.unwrap();
        assert_eq!(used().await.last_used_at, Some(app.server.clock().now()));
    }

    async fn deleting_an_account_ends_all_its_keys(app: TestApp) {
        let ada = app.agent("ada").await;
        let reader = limited(&app, &ada, &[Scope::Read]).await;
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(code::<GetMe>(reader.users().me().await), Code::Unauthorized);
    }

    async fn an_operator_ends_every_key_with_what_it_opened(app: TestApp) {
        let [bot, other] = app.agents(["bot", "other"]).await;
        let (ann, gate) = (app.person("ann", PASSWORD).await, app.developer("Gate").await);
        let reader = limited(&app, &bot, &[Scope::Read]).await;
        let token = bot.client.agents().create_identity_token().await.unwrap().token;
        let link = bot.client.agents().create_claim_link().await.unwrap().url;
        app.server.admin(Command::RevokeKeys { username: "bot".to_owned() }).await;
        for ended in [&bot.client, &reader] {
            assert_eq!(code::<GetMe>(ended.users().me().await), Code::Unauthorized);
        }
        let verified = gate.client.agents().verify_identity(token).await;
        assert_eq!(verified.unwrap_err().code(), Some(&Code::InvalidToken));
        let claimed = ann.client.agents().claim(link).await;
        assert_eq!(code::<ClaimAgent>(claimed), Code::NotFound);
        other.client.users().me().await.unwrap();
        let logged = sql!("select count(*) from security_entry where action = 'key_ended' and by_operator = true");
        assert_eq!(app.count(logged).await, 2);
    }
}
