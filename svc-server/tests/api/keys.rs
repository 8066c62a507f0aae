//! API keys: scopes, networks, lifetimes, and how they end.

use http::Method;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::api::escrow::{CreateEscrow, FundEscrow};
use svc_client::types::api::keys::{
    ApiKeyInfo, CreateApiKey, DeleteApiKey, GetCurrentApiKey, KeySpend, UpdateApiKey,
};
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::users::{GetMe, UpdateMe};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{
    ApiKey, Code, Credits, Id, MessageId, Scope, Scopes, ServiceId, ServiceMessage, Span, Who,
};
use svc_core::tasks::flush;

use crate::app::{Member, TestApp, code, fault};
use crate::market::{self, Market};
use crate::on_both_engines;
use crate::raw::{answer, code_of};
use crate::world::{World, asks};

const PASSWORD: &str = "correct horse";

/// Endpoints whose handler asks for more than the declaration, or for another scope by the request.
const DECIDE_THEMSELVES: [&str; 6] =
    ["RotateAgentKey", "RegenerateApiKey", "CreateApiKey", "SendMessage", "RunBatch", "UpdateMe"];

/// A key of this account with these scopes.
async fn key(member: &Member, name: &str, scopes: &[Scope]) -> ApiKey {
    member.client.keys().create(name, scopes.to_vec()).await.unwrap().api_key
}

/// A client with such a key.
async fn limited(app: &TestApp, member: &Member, scopes: &[Scope]) -> Client {
    let scopes_set: Scopes = scopes.iter().collect();
    app.client(key(member, &scopes_set.to_string(), scopes).await)
}

/// A client of ada's with a key that buys within these caps.
async fn capped(market: &Market, caps: Value) -> Client {
    let body =
        json!({ "name": "buyer", "scopes": ["read", "account", "exchange:spend"], "spend": caps });
    let request = market.ada.raw(&market.app, Method::POST, "/auth/keys").json(&body);
    let created = answer(request).await.json();
    market.app.client(created["apiKey"].as_str().unwrap())
}

/// The caps of that key and what counts towards them, as its owner sees it.
async fn spending(market: &Market) -> (Credits, Credits, Credits) {
    let keys = market.ada.client.keys().list().await.unwrap().keys;
    let spend = keys.into_iter().find_map(|key| key.spend).unwrap();
    let cap = |cap: Option<Credits>| cap.unwrap_or(0.into());
    (cap(spend.per_order), cap(spend.per_day), spend.spent_today)
}

async fn names(client: &Client) -> Vec<String> {
    let keys = client.keys().list().await.unwrap().keys;
    keys.into_iter().map(|key| key.name).collect()
}

fn every_scope() -> Vec<Scope> {
    Scopes::ALL.iter().collect()
}

on_both_engines! {
    async fn a_key_calls_the_endpoints_of_its_scope_and_no_others(
        app: TestApp, "mqtt_listen" = "127.0.0.1:0", "limits.budgets" = "false"
    ) {
        let world = World::new(app).await;
        let scene = world.scene().await;
        for scope in every_scope() {
            let alone = std::slice::from_ref(&scope);
            let own = key(&scene.party.member, scope.as_str(), alone).await;
            let of_staff = key(&world.staff, scope.as_str(), alone).await;
            for ask in asks().into_iter().filter(|ask| !ask.scopes.is_empty()) {
                let key = if ask.who == Who::Account { &own } else { &of_staff };
                let ask = world.fit(&ask, &scene, "somebody-else");
                let is_covered = ask.scopes.contains(&scope);
                if is_covered && DECIDE_THEMSELVES.contains(&ask.name) {
                    continue;
                }
                let received = answer(ask.request(&world.app).bearer_auth(key.expose())).await;
                let is_refused = !received.status.is_success()
                    && received.refusal().code == Code::InsufficientScope;
                assert_eq!(is_refused, !is_covered, "{} with {scope}: {}", ask.name, received.text);
            }
        }
    }

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

    async fn a_key_spends_within_its_caps(app: TestApp) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perOrder": 6, "perDay": 10 })).await;
        let order = |offered: u32| {
            let order = ServiceMessage::Request(market::order(&market.service, offered));
            buyer.messages().send("bob", order.content())
        };
        let beyond = order(7).await;
        assert_eq!(code::<SendMessage>(beyond), Code::SpendLimit);
        let first = order(6).await.unwrap().message.message_id;
        let refused = order(5).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::SpendLimit), Some("4 are left")));
        let escrow = buyer.escrow().create("bob", &market.service, 5, "a report on rust").await;
        assert_eq!(code::<CreateEscrow>(escrow), Code::SpendLimit);
        order(4).await.unwrap();
        assert_eq!(code::<SendMessage>(order(1).await), Code::SpendLimit);
        assert_eq!(spending(&market).await, (6.into(), 10.into(), 10.into()));
        // What came back counts no longer: 4 of the 6 that were offered.
        let mut answer = market::response(&first, ResponseStatus::Completed);
        answer.charged_credits = Some(2.into());
        market.answer(answer).await;
        assert_eq!(spending(&market).await.2, 6.into());
        order(4).await.unwrap();
        assert_eq!(code::<SendMessage>(order(1).await), Code::SpendLimit);
        market.ada.client.messages().send("bob", ServiceMessage::Request(market.order(50)).content()).await.unwrap();
        market.app.advance(24 * 3_600);
        order(6).await.unwrap();
        market.is_consistent().await;
    }

    async fn an_escrow_counts_when_it_is_funded_and_until_it_is_paid_back(app: TestApp) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perDay": 60 })).await;
        let opening = |amount: u32| buyer.escrow().create("bob", &market.service, amount, "a report");
        let escrow = opening(60).await.unwrap().escrow;
        assert_eq!(code::<CreateEscrow>(opening(1).await), Code::SpendLimit);
        buyer.escrow().cancel(&escrow.id).await.unwrap();
        assert_eq!(spending(&market).await.2, 0.into());
        let unpaid = opening(200).await.unwrap().escrow;
        market.app.grant_credits("ada", 500).await;
        assert_eq!(code::<FundEscrow>(buyer.escrow().fund(&unpaid.id).await), Code::SpendLimit);
        market.ada.client.escrow().fund(&unpaid.id).await.unwrap();
        opening(60).await.unwrap();
        market.is_consistent().await;
    }

    async fn of_concurrent_orders_no_more_pass_than_the_cap_allows(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perDay": 5 })).await;
        let order = || {
            let order = ServiceMessage::Request(market::order(&market.service, 2));
            buyer.messages().send("bob", order.content())
        };
        let sent = futures_util::future::join_all((0..8).map(|_| order().into_future())).await;
        assert_eq!(sent.iter().filter(|sent| sent.is_ok()).count(), 2);
        assert_eq!(spending(&market).await.2, 4.into());
    }

    async fn caps_are_changed_and_removed_by_keys_without_caps(app: TestApp) {
        let market = Market::new(app).await;
        let buyer = capped(&market, json!({ "perOrder": 1 })).await;
        let id = buyer.keys().current().await.unwrap().key.key_id;
        let own = buyer.keys().update(&*id).spend(KeySpend::default()).await;
        assert_eq!(code::<UpdateApiKey>(own), Code::InsufficientScope);
        let update = |spend: KeySpend| market.ada.client.keys().update(&*id).spend(spend);
        let changed = update(KeySpend { per_order: None, per_day: Some(3.into()) }).await.unwrap().key;
        let spend = changed.spend.unwrap();
        assert_eq!((spend.per_order, spend.per_day), (None, Some(3.into())));
        assert_eq!(update(KeySpend::default()).await.unwrap().key.spend, None);
        let default = market.ada.client.keys().current().await.unwrap().key.key_id;
        let capped = market.ada.client.keys().update(&*default);
        let refused = capped.spend(KeySpend { per_order: Some(1.into()), per_day: None }).await;
        assert_eq!(code::<UpdateApiKey>(refused), Code::WrongState);
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
    }

    async fn a_key_ends_when_it_expires(app: TestApp) {
        let ada = app.agent("ada").await;
        let creating = ada.client.keys().create("brief", vec![Scope::Read]);
        let brief = creating.expires_in(Span::from_secs(3_600)).await.unwrap().api_key;
        let brief = app.client(brief);
        app.advance(3_599);
        brief.users().me().await.unwrap();
        app.advance(1);
        assert_eq!(code::<GetMe>(brief.users().me().await), Code::Unauthorized);
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
        limit("127.0.0.0/8").await.unwrap();
        ada.client.users().me().await.unwrap();
    }

    async fn a_key_is_renamed_and_narrowed_and_its_next_request_knows(app: TestApp) {
        let ada = app.agent("ada").await;
        let both = limited(&app, &ada, &[Scope::Read, Scope::Write]).await;
        both.posts().create("hello").await.unwrap();
        let id = both.keys().current().await.unwrap().key.key_id;
        let changed = ada.client.keys().update(&*id).name("reader").scopes(vec![Scope::Read]);
        let changed = changed.await.unwrap().key;
        assert_eq!((&*changed.name, changed.scopes), ("reader", vec![Scope::Read]));
        assert_eq!(code::<CreatePost>(both.posts().create("again").await), Code::InsufficientScope);
        both.users().me().await.unwrap();
    }

    async fn the_default_key_keeps_its_name_and_scopes(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.client.keys().current().await.unwrap().key.key_id;
        let renamed = ada.client.keys().update(&*id).name("mine").await;
        assert_eq!(code::<UpdateApiKey>(renamed), Code::WrongState);
        let limited = ada.client.keys().update(&*id).scopes(vec![Scope::Read]).await;
        assert_eq!(code::<UpdateApiKey>(limited), Code::WrongState);
    }

    async fn regeneration_replaces_the_default_key_alone(app: TestApp) {
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
        let ada = app.agent("ada").await;
        let own = ada.client.keys().current().await.unwrap().key.key_id;
        key(&ada, "reader", &[Scope::Read]).await;
        let creating = ada.client.keys().create("brief", every_scope());
        creating.expires_in(Span::from_secs(3_600)).await.unwrap();
        let last = || async { ada.client.keys().delete(&*own).await };
        assert_eq!(code::<DeleteApiKey>(last().await), Code::LastCredential);
        let keeper = app.client(key(&ada, "keeper", &every_scope()).await);
        last().await.unwrap();
        keeper.auth().regenerate_api_key().await.unwrap();
        assert_eq!(names(&keeper).await, ["default", "brief", "keeper", "reader"]);
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
        let almost = format!("{}x", &found.expose()[..55]);
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

    async fn a_message_needs_the_scope_of_what_it_is(app: TestApp) {
        let [ada, _bob] = app.agents(["ada", "bob"]).await;
        let order = ServiceMessage::Request(market::order(&ServiceId::from_number(1), 5));
        let request = MessageId::from_number(1);
        let answer = market::response(&request, ResponseStatus::Completed);
        let texts = [
            (Scope::Dm, "hello".to_owned()),
            (Scope::ExchangeSpend, order.content()),
            (Scope::ExchangeSell, ServiceMessage::Response(answer).content()),
        ];
        for (scope, text) in &texts {
            for (allowed, _) in &texts {
                let client = app.client(key(&ada, &format!("{scope} {allowed}"), std::slice::from_ref(allowed)).await);
                let sent = client.messages().send("bob", &**text).await;
                let is_refused = sent.is_err_and(|error| error.code() == Some(&Code::InsufficientScope));
                assert_eq!(is_refused, scope != allowed, "{scope} with {allowed}");
            }
        }
    }

    async fn a_batch_needs_the_scope_of_each_operation(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = bob.post("like me").await;
        let writer = key(&ada, "writer", &[Scope::Write]).await;
        let body = json!({ "operations": [
            { "op": "like", "postId": post.id },
            { "op": "send_message", "recipientUsername": "bob", "content": "hello" },
        ] });
        let request = app.raw(Method::POST, "/batch").bearer_auth(writer.expose()).json(&body);
        let results = answer(request).await.json();
        assert_eq!(results["results"][0]["status"], 200);
        assert_eq!(results["results"][1]["body"]["code"], "insufficient_scope");
    }

    async fn a_profile_is_written_and_an_address_belongs_to_the_account(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let writer = limited(&app, &ada, &[Scope::Write]).await;
        writer.users().update_me().bio("writes").await.unwrap();
        let moved = writer.users().update_me().email("eve@example.org").await;
        assert_eq!(code::<UpdateMe>(moved), Code::InsufficientScope);
        let keeper = limited(&app, &ada, &[Scope::Account]).await;
        keeper.auth().step_up().password(PASSWORD).await.unwrap();
        keeper.users().update_me().email("new@example.org").await.unwrap();
        assert_eq!(code::<UpdateMe>(keeper.users().update_me().bio("x").await), Code::InsufficientScope);
    }

    async fn a_key_without_dm_hears_nothing_of_messages(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        bob.client.relations().follow("ada").await.unwrap();
        bob.write(&ada, "secret words").await;
        let reader = limited(&app, &ada, &[Scope::Read]).await;
        let events = reader.events().after(0).await.unwrap();
        let kinds: Vec<&str> = events.events.iter().map(|event| &*event.event).collect();
        assert_eq!(kinds, ["follow", "security"]);
        assert_eq!(ada.client.events().after(0).await.unwrap().events.len(), 3);
        let notifications = reader.notifications().list().await.unwrap();
        assert_eq!((notifications.notifications.len(), notifications.unread_count), (2, 2));
        let all = ada.client.notifications().list().await.unwrap().notifications;
        let of_message = all.iter().find(|one| one.message_id.is_some()).unwrap();
        let hidden = reader.notifications().get(of_message.id.clone()).await;
        assert_eq!(hidden.unwrap_err().code(), Some(&Code::NotFound));
        let home = reader.home().await.unwrap().home;
        assert_eq!((home.unread_messages, home.pending_service_requests), (0, Vec::new()));
        assert_eq!(ada.client.home().await.unwrap().home.unread_messages, 1);
        let sent = reader.messages().send("bob", "hello").await;
        assert_eq!(code::<SendMessage>(sent), Code::InsufficientScope);
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
}
