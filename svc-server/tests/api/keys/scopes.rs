//! What a key may call.

use http::Method;
use serde_json::json;
use svc_client::types::api::messages::SendMessage;
use svc_client::types::api::notifications::{
    DeleteNotification, NotificationType, ReadNotification, ReadNotifications,
};
use svc_client::types::api::owners::CreateClaimLink;
use svc_client::types::api::users::UpdateMe;
use svc_client::types::api::webhooks::{
    CreateWebhook, RedeliverWebhook, RotateWebhookSecret, UpdateWebhook, WebhookKind,
};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Id, MessageId, Scope, ServiceId, ServiceMessage, Span, Who};

use super::{PASSWORD, every_scope, key, limited};
use crate::app::code;
use crate::market;
use crate::on_both_engines;
use crate::raw::answer;
use crate::world::{World, asks};

/// Endpoints whose handler asks for more than the declaration, or for another scope by the request.
const DECIDE_THEMSELVES: [&str; 11] = [
    "CreateClaimLink",
    "RotateAgentKey",
    "RegenerateApiKey",
    "CreateApiKey",
    "SendMessage",
    "RunBatch",
    "UpdateMe",
    "CreateExport",
    "UpdateWebhook",
    "RedeliverWebhook",
    "RotateWebhookSecret",
];

#[test]
fn what_the_scope_read_covers_changes_nothing() {
    let of_read = asks().into_iter().filter(|ask| ask.scopes.contains(&Scope::Read));
    let changing = of_read.filter(|ask| ask.method != Method::GET);
    // Every key may confirm who its account is, for example.
    let by_scope = changing.filter(|ask| !every_scope().iter().all(|it| ask.scopes.contains(it)));
    let names: Vec<_> = by_scope.map(|ask| ask.name).collect();
    assert_eq!(names, [""; 0]);
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

    async fn a_key_without_dm_gets_no_events_of_messages(app: TestApp) {
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
        assert_eq!((home.unread_notifications, ada.client.home().await.unwrap().home.unread_notifications), (2, 3));
        let sent = reader.messages().send("bob", "hello").await;
        assert_eq!(code::<SendMessage>(sent), Code::InsufficientScope);
    }

    async fn a_key_without_dm_reads_no_messages_by_webhooks(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (own, url) = (ada.client.webhooks(), "https://hooks.example.org/svc");
        let id = own.create(url).await.unwrap().webhook.id;
        own.disable(&id).await.unwrap();
        bob.write(&ada, "secret words").await;
        let of_message = own.deliveries(&id).await.unwrap().deliveries.remove(0).id;
        let keeper = limited(&app, &ada, &[Scope::Account]).await;
        let hooks = keeper.webhooks();
        assert_eq!(code::<CreateWebhook>(hooks.create(url).await), Code::InsufficientScope);
        let others = hooks.create(url).events([WebhookKind::Follow]).await.unwrap().webhook.id;
        let wider = hooks.update(&others).events([WebhookKind::DirectMessage]).await;
        assert_eq!(code::<UpdateWebhook>(wider), Code::InsufficientScope);
        hooks.update(&others).url("https://hooks.example.org/other").await.unwrap();
        let elsewhere = hooks.update(&id).url("https://eve.example.org/svc").await;
        assert_eq!(code::<UpdateWebhook>(elsewhere), Code::InsufficientScope);
        let secret = hooks.rotate_secret(&id).await;
        assert_eq!(code::<RotateWebhookSecret>(secret), Code::InsufficientScope);
        hooks.rotate_secret(&others).await.unwrap();
        let again = hooks.redeliver(&id, &of_message).await;
        assert_eq!(code::<RedeliverWebhook>(again), Code::InsufficientScope);
        let shown = hooks.delivery(&id, &of_message).await.unwrap().delivery;
        assert_eq!((&*shown.event, shown.body), ("direct_message", None));
        let whole = own.delivery(&id, &of_message).await.unwrap().delivery.body.unwrap();
        assert!(whole.contains("secret words"));
        hooks.update(&id).events([WebhookKind::Follow]).await.unwrap();
        let later = hooks.update(&id).url("https://eve.example.org/svc").await;
        assert_eq!(code::<UpdateWebhook>(later), Code::InsufficientScope, "a message still waits");
        hooks.update(&id).url(url).description("as before").await.unwrap();
        app.end_delivery(&of_message, "delivered").await;
        hooks.update(&id).url("https://hooks.example.org/new").await.unwrap();
    }

    async fn a_key_without_dm_neither_marks_nor_deletes_notifications_of_messages(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        bob.client.relations().follow("ada").await.unwrap();
        bob.write(&ada, "secret words").await;
        let writer = limited(&app, &ada, &[Scope::Write]).await;
        let all = ada.client.notifications().list().await.unwrap().notifications;
        let of_message = &all.iter().find(|one| one.message_id.is_some()).unwrap().id;
        let notices = writer.notifications();
        assert_eq!(code::<ReadNotification>(notices.read(of_message).await), Code::NotFound);
        assert_eq!(code::<DeleteNotification>(notices.delete(of_message).await), Code::NotFound);
        assert_eq!(code::<ReadNotifications>(notices.read_up_to(of_message).await), Code::NotFound);
        let marked = notices.read_all_of([of_message]).await.unwrap();
        assert_eq!((marked.marked, marked.unread_count), (0, 2), "of a follow and of the key");
        assert_eq!(ada.client.notifications().unread_count().await.unwrap().unread_count, 3);
        let follow = &all.iter().find(|one| one.r#type == NotificationType::Follow).unwrap().id;
        assert!(notices.read(follow).await.unwrap().notification.read);
        assert_eq!(notices.read_all().await.unwrap().marked, 1, "no message is counted");
        ada.client.notifications().delete(of_message).await.unwrap();
    }

    async fn a_key_without_dm_counts_no_messages_that_it_marks_with_others(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        bob.write(&ada, "secret words").await;
        cyd.client.relations().follow("ada").await.unwrap();
        let writer = limited(&app, &ada, &[Scope::Write]).await;
        let newest = ada.client.notifications().list().await.unwrap().notifications.remove(0).id;
        let marked = writer.notifications().read_up_to(&newest).await.unwrap();
        assert_eq!((marked.marked, marked.unread_count), (2, 0), "of a follow and of the key");
        assert_eq!(ada.client.notifications().unread_count().await.unwrap().unread_count, 0);
    }

    async fn a_key_that_may_do_less_makes_nobody_the_owner_of_its_agent(app: TestApp) {
        let body = json!({
            "username": "bot", "isAgent": true, "email": "bot@example.org", "password": PASSWORD,
        });
        let bot = answer(app.raw(Method::POST, "/auth/register").json(&body)).await.json();
        let bot = app.client(bot["apiKey"].as_str().unwrap());
        let narrow = bot.keys().create("manager", [Scope::Account]).await.unwrap();
        let passing = bot.keys().create("for an hour", every_scope());
        let passing = passing.expires_in(Span::from_secs(3_600)).await.unwrap();
        for key in [narrow.api_key, passing.api_key] {
            let client = app.client(key);
            let unconfirmed = client.agents().create_claim_link().await;
            assert_eq!(code::<CreateClaimLink>(unconfirmed), Code::StepUpRequired);
            client.auth().step_up().password(PASSWORD).await.unwrap();
            // The owner would get a new default key.
            let refused = client.agents().create_claim_link().await;
            assert_eq!(code::<CreateClaimLink>(refused), Code::InsufficientScope);
        }
        app.advance(600);
        let stolen = bot.agents().create_claim_link().await;
        assert_eq!(code::<CreateClaimLink>(stolen), Code::StepUpRequired);
        bot.auth().step_up().password(PASSWORD).await.unwrap();
        bot.agents().create_claim_link().await.unwrap();
    }
}
