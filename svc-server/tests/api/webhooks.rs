//! Webhooks and their owner: making, reading, changing and deleting them, and how many there may be.

use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::webhooks::{
    CreateWebhook, Delivery, DisabledReason, GetWebhook, UpdateWebhook, Webhook, WebhookKind,
    WebhookStatus,
};
use svc_client::types::{Code, WebhookId};
use svc_server::admin::Command;
use svc_server::testing::START;
use svc_store::sql;

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::on_both_engines;
use crate::raw::answer;

const PATH: &str = "/webhooks";
/// A receiver of no test.
pub(crate) const URL: &str = "https://hooks.example.org/svc";

impl TestApp {
    /// Lets no webhook be called: these tests are about what waits.
    pub(crate) async fn silence(&self) {
        let sql = sql!("update webhook set max_in_flight = 0");
        self.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
    }
}

impl Member {
    /// A new webhook for the six kinds of the specification, which is never called.
    pub(crate) async fn webhook(&self, app: &TestApp) -> Webhook {
        let webhook = self.client.webhooks().create(URL).await.unwrap().webhook;
        app.silence().await;
        webhook
    }

    /// A webhook as it is by now.
    pub(crate) async fn webhook_now(&self, id: &WebhookId) -> Webhook {
        self.client.webhooks().get(id).await.unwrap().webhook
    }

    /// Everything on its way to a webhook, newest first.
    pub(crate) async fn deliveries(&self, id: &WebhookId) -> Vec<Delivery> {
        all_items(self.client.webhooks().deliveries(id)).await
    }

    /// Kinds and states of what is on its way to a webhook, oldest first: `like pending`.
    pub(crate) async fn on_its_way(&self, id: &WebhookId) -> Vec<String> {
        let deliveries = self.deliveries(id).await.into_iter().rev();
        deliveries.map(|delivery| format!("{} {}", delivery.event, delivery.state)).collect()
    }
}

/// Code, member and hint of a refusal of a raw body.
async fn refused(app: &TestApp, who: &Member, body: Value) -> (Code, Option<String>) {
    let refusal = answer(who.raw(app, Method::POST, PATH).json(&body)).await.refusal();
    (refusal.code, refusal.field)
}

on_both_engines! {
    async fn a_webhook_is_returned_as_it_was_sent(app: TestApp) {
        let ada = app.agent("ada").await;
        let sent = json!({ "url": URL, "events": ["service", "like", "like"], "description": "pager" });
        let made = answer(ada.raw(&app, Method::POST, PATH).json(&sent)).await;
        assert_eq!(made.status, 201);
        let made = made.json();
        let (webhook, secret) = (made["webhook"].clone(), made["secret"].as_str().unwrap());
        assert!(webhook["id"].as_str().unwrap().starts_with("wh_"));
        assert!(secret.starts_with("whsec_") && secret.len() == 38, "{secret}");
        let now = "2026-01-31T09:30:00.000Z";
        assert_eq!(webhook, json!({
            "id": webhook["id"], "url": URL, "description": "pager", "events": ["like", "service"],
            "status": "active", "secretHint": secret[34..], "pendingCount": 0,
            "secrets": [{ "id": webhook["secrets"][0]["id"], "role": "current", "createdAt": now }],
            "createdAt": now, "updatedAt": now,
        }));
        let path = format!("{PATH}/{}", webhook["id"].as_str().unwrap());
        assert_eq!(answer(ada.raw(&app, Method::GET, &path)).await.json(), json!({ "webhook": webhook }));
        assert_eq!(answer(ada.raw(&app, Method::GET, PATH)).await.json(), json!({ "webhooks": [webhook] }));
    }

    async fn a_webhook_subscribes_to_the_six_kinds_of_the_specification_by_default(app: TestApp) {
        let ada = app.agent("ada").await;
        let webhook = ada.webhook(&app).await;
        assert_eq!(webhook.events, WebhookKind::DEFAULT);
        assert_eq!(webhook.description, None);
    }

    async fn an_invalid_webhook_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let cases = [
            (json!({}), Code::ValidationFailed, "url"),
            (json!({ "url": "" }), Code::ValidationFailed, "url"),
            (json!({ "url": format!("https://a.example/{}", "x".repeat(2048)) }), Code::ValidationFailed, "url"),
            (json!({ "url": "hooks.example.org" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "http://hooks.example.org" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://10.0.0.1/" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://127.0.0.1/" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://u:p@hooks.example.org" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://hooks.example.org:25/" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://hooks.example.org:22" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://hooks.example.org:0" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": "https://hooks.example.org/#a" }), Code::WebhookUrlRefused, "url"),
            (json!({ "url": URL, "events": [] }), Code::ValidationFailed, "events"),
            (json!({ "url": URL, "events": ["quote"] }), Code::ValidationFailed, "/events/0"),
            (json!({ "url": URL, "events": ["like", "moderation"] }), Code::ValidationFailed, "/events/1"),
            (json!({ "url": URL, "events": "like" }), Code::ValidationFailed, "events"),
            (json!({ "url": URL, "description": "a".repeat(201) }), Code::ValidationFailed, "description"),
            (json!({ "url": URL, "description": ada.key.expose() }), Code::CredentialInContent, "description"),
            (json!({ "url": format!("{URL}?key={}", ada.key.expose()) }), Code::CredentialInContent, "url"),
        ];
        for (body, code, field) in cases {
            assert_eq!(refused(&app, &ada, body.clone()).await, (code, Some(field.to_owned())), "{body}");
        }
        assert_eq!(app.count(sql!("select count(*) from webhook")).await, 0);
    }

    async fn a_refused_address_names_the_broken_rule(app: TestApp) {
        let ada = app.agent("ada").await;
        let error = ada.client.webhooks().create("http://127.0.0.1:9/hook").await.unwrap_err();
        assert_eq!(error.code(), Some(&Code::WebhookUrlRefused));
        assert!(error.hint().unwrap().contains("--allow-loopback-webhooks"), "{error:?}");
        let webhook = ada.webhook(&app).await;
        let call = ada.client.webhooks().update(&webhook.id).url("ftp://hooks.example.org");
        assert_eq!(fault::<UpdateWebhook>(call.await), (Code::WebhookUrlRefused, "url".to_owned()));
        assert_eq!(ada.webhook_now(&webhook.id).await, webhook);
    }

    async fn an_update_leaves_other_fields_unchanged(app: TestApp) {
        let ada = app.agent("ada").await;
        let webhooks = ada.client.webhooks();
        let webhook = webhooks.create(URL).description("pager").await.unwrap().webhook;
        app.advance(60);
        let change = |call: svc_client::Call<UpdateWebhook>| async { call.await.unwrap().webhook };
        let mut expected = Webhook { updated_at: app.ahead(0), ..webhook.clone() };
        assert_eq!(change(webhooks.update(&webhook.id)).await, expected);
        let other = "https://other.example.org/";
        other.clone_into(&mut expected.url);
        assert_eq!(change(webhooks.update(&webhook.id).url(other)).await, expected);
        expected.events = vec![WebhookKind::Follow, WebhookKind::Escrow];
        let kinds = [WebhookKind::Escrow, WebhookKind::Follow];
        assert_eq!(change(webhooks.update(&webhook.id).events(kinds)).await, expected);
        expected.description = None;
        assert_eq!(change(webhooks.update(&webhook.id).description("")).await, expected);
        assert_eq!(ada.webhook_now(&webhook.id).await, expected);
        let none = webhooks.update(&webhook.id).events([]);
        assert_eq!(fault::<UpdateWebhook>(none.await).1, "events");
    }

    async fn a_new_address_resets_the_failures(app: TestApp) {
        let ada = app.agent("ada").await;
        let id = ada.webhook(&app).await.id;
        let fail = || async {
            let sql = sql!(
                "update webhook set failures_in_row = 9, failed_attempts = 9, breaker_step = 2,
                    breaker_until = 1769851900000, first_failure_at = 1, warned_at = 1,
                    last_error_at = 1769851800000, last_error_class = 'http_status', last_error_status = 500"
            );
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        };
        fail().await;
        let failing = serde_json::to_value(ada.webhook_now(&id).await).unwrap();
        assert_eq!(failing["breaker"], json!({ "state": "open", "until": "2026-01-31T09:31:40.000Z" }));
        let error = json!({ "at": "2026-01-31T09:30:00.000Z", "class": "http_status", "httpStatus": 500 });
        assert_eq!(failing["lastError"], error);
        app.advance(100);
        let waiting = serde_json::to_value(ada.webhook_now(&id).await).unwrap();
        assert_eq!(waiting["breaker"]["state"], "half_open");
        let webhooks = ada.client.webhooks();
        let same = webhooks.update(&id).url(URL).description("x").await.unwrap().webhook;
        assert!(same.breaker.is_some(), "the address is the same");
        let moved = webhooks.update(&id).url("https://other.example.org/x").await.unwrap().webhook;
        assert_eq!(moved.breaker, None);
        let left = sql!("select failures_in_row + failed_attempts + breaker_step from webhook");
        assert_eq!(app.count(left).await, 0);
        fail().await;
        webhooks.disable(&id).await.unwrap();
        assert_eq!(webhooks.enable(&id).await.unwrap().webhook.breaker, None);
    }

    async fn what_is_done_with_one_webhook_leaves_the_others(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [one, other] = [ada.webhook(&app).await.id, ada.webhook(&app).await.id];
        let [his, down] = [bob.webhook(&app).await.id, bob.webhook(&app).await.id];
        bob.client.webhooks().disable(&down).await.unwrap();
        bob.write(&ada, "hello").await;
        ada.write(&bob, "hello").await;
        let failing = sql!(
            "update webhook set failures_in_row = 9, failed_attempts = 9, breaker_step = 2,
                breaker_until = 1769851900000, due_at = 1769851900000, first_failure_at = 1
             where status = 'active'"
        );
        app.execute(move |ctx| ctx.tx.execute(failing, &[])).await;
        let of_bob = async || {
            let shown = [bob.webhook_now(&his).await, bob.webhook_now(&down).await];
            (shown, bob.on_its_way(&his).await, bob.on_its_way(&down).await)
        };
        let of_ada = async || (ada.webhook_now(&other).await, ada.on_its_way(&other).await);
        let before = (of_ada().await, of_bob().await);
        assert_eq!(bob.on_its_way(&his).await, ["direct_message pending"]);
        assert_eq!(bob.on_its_way(&down).await, ["direct_message held"]);
        let webhooks = ada.client.webhooks();
        let moving = webhooks.update(&one).url("https://other.example.org/x").description("changed");
        moving.events([WebhookKind::DirectMessage]).await.unwrap();
        webhooks.rotate_secret(&one).await.unwrap();
        let none = webhooks.promote_secret(&other).await.unwrap_err();
        assert_eq!(none.code(), Some(&Code::WrongState), "the other one has no secret to come");
        webhooks.promote_secret(&one).await.unwrap();
        webhooks.disable(&one).await.unwrap();
        assert_eq!((of_ada().await, of_bob().await), before);
        webhooks.enable(&one).await.unwrap();
        assert_eq!((of_ada().await, of_bob().await), before);
        webhooks.delete(&one).await.unwrap();
        assert_eq!((of_ada().await, of_bob().await), before);
        app.suspend("ada").await;
        assert_eq!(of_bob().await, before.1);
        app.unsuspend("ada").await;
        assert_eq!(of_bob().await, before.1);
        bob.client.webhooks().rotate_secret(&his).await.unwrap();
    }

    async fn a_deleted_webhook_frees_its_place(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = ada.webhook(&app).await.id;
        bob.write(&ada, "hello").await;
        let delivery = ada.deliveries(&id).await.remove(0).id;
        ada.client.webhooks().delete(&id).await.unwrap();
        let webhooks = ada.client.webhooks();
        assert_eq!(code::<GetWebhook>(webhooks.get(&id).await), Code::NotFound);
        assert_eq!(webhooks.delivery(&id, &delivery).await.unwrap_err().code(), Some(&Code::NotFound));
        assert_eq!(webhooks.delete(&id).await.unwrap_err().code(), Some(&Code::NotFound));
        assert_eq!(webhooks.list().await.unwrap().webhooks, []);
        let cancelled = sql!("select count(*) from webhook_delivery where state = 'cancelled'");
        assert_eq!(app.count(cancelled).await, 1);
        assert_eq!(app.count(sql!("select count(*) from webhook_secret")).await, 0);
        bob.write(&ada, "again").await;
        assert_eq!(app.count(sql!("select count(*) from webhook_delivery")).await, 1);
        for _ in 0..5 {
            ada.webhook(&app).await;
        }
        // It is stored for as long as deliveries refer to it.
        assert_eq!(app.count(sql!("select count(*) from webhook")).await, 6);
        app.advance(38 * 86_400);
        svc_core::tasks::sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from webhook")).await, 5);
    }

    async fn lists_are_newest_first_page_by_page(app: TestApp) {
        let ada = app.agent("ada").await;
        let mut made = Vec::new();
        for _ in 0..3 {
            made.push(ada.webhook(&app).await);
        }
        app.agent("bob").await.webhook(&app).await;
        made.reverse();
        assert_eq!(all_items(ada.client.webhooks().list().limit(1)).await, made);
    }

    async fn accounts_have_five_webhooks_and_twenty_with_pro(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let webhooks = ada.client.webhooks();
        let made = join_all((0..12).map(|_| async { webhooks.create(URL).await })).await;
        let refused: Vec<_> = made.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.len(), 7, "of all at once");
        for error in refused {
            assert_eq!(error.code(), Some(&Code::WebhookLimitReached));
        }
        let ids: Vec<_> = webhooks.list().await.unwrap().webhooks;
        webhooks.disable(&ids[0].id).await.unwrap();
        let again = webhooks.create(URL).await;
        assert_eq!(code::<CreateWebhook>(again), Code::WebhookLimitReached, "disabled ones count");
        app.set_tier("ada", "boost").await;
        assert_eq!(code::<CreateWebhook>(webhooks.create(URL).await), Code::WebhookLimitReached);
        app.set_tier("ada", "pro").await;
        let made = join_all((0..20).map(|_| async { webhooks.create(URL).await })).await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 15);
    }

    async fn a_lower_tier_disables_the_newest_and_notifies_once(app: TestApp) {
        let ada = app.agent("ada").await;
        app.set_tier("ada", "pro").await;
        let webhooks = ada.client.webhooks();
        for _ in 0..8 {
            ada.webhook(&app).await;
        }
        let newest = webhooks.list().await.unwrap().webhooks;
        webhooks.disable(&newest[0].id).await.unwrap();
        app.set_tier("ada", "boost").await;
        let now = webhooks.list().await.unwrap().webhooks;
        let reasons: Vec<_> = now.iter().map(|webhook| webhook.disabled_reason.clone()).collect();
        let by_tier = Some(DisabledReason::TierLimit);
        let expected = [Some(DisabledReason::Manual), by_tier.clone(), by_tier, None, None, None, None, None];
        assert_eq!(reasons, expected);
        let events = ada.client.events().list().await.unwrap().events;
        let codes: Vec<_> = events.iter().map(|event| event.data["code"].clone()).collect();
        assert_eq!(codes, ["webhook_limit"]);
        let message = "the tier boost has 5 webhooks; 2 of yours, the newest, are disabled now";
        assert_eq!(events[0].data["text"], message);
        app.set_tier("ada", "free").await;
        assert_eq!(ada.client.events().list().await.unwrap().events.len(), 1);
        // As many as the tier allows may be called, whichever.
        let over = webhooks.enable(&now[1].id).await.unwrap_err();
        assert_eq!(over.code(), Some(&Code::WebhookLimitReached));
        assert_eq!(webhooks.enable(&now[7].id).await.unwrap().webhook.status, WebhookStatus::Active);
        webhooks.disable(&now[7].id).await.unwrap();
        let enabled = webhooks.enable(&now[1].id).await.unwrap().webhook;
        assert_eq!((enabled.status, enabled.disabled_reason), (WebhookStatus::Active, None));
        assert_eq!(code::<CreateWebhook>(webhooks.create(URL).await), Code::WebhookLimitReached);
        // A tier that allows as many leaves the choice alone.
        app.set_tier("ada", "boost").await;
        assert_eq!(ada.webhook_now(&now[1].id).await.status, WebhookStatus::Active);
        assert_eq!(ada.client.events().list().await.unwrap().events.len(), 1);
    }

    async fn an_erased_account_leaves_no_webhook(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        ada.webhook(&app).await;
        bob.write(&ada, "hello").await;
        ada.client.users().delete_me("ada").await.unwrap();
        let due = sql!("select count(*) from webhook where due_at is not null");
        assert_eq!(app.count(due).await, 0, "nothing is sent for a deleted account");
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from webhook")).await, 0);
        let open = sql!("select count(*) from webhook_delivery where state <> 'cancelled'");
        assert_eq!(app.count(open).await, 0);
    }

    async fn the_erasure_of_an_account_leaves_what_is_on_its_way_to_others(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        ada.webhook(&app).await;
        let kept = bob.webhook(&app).await.id;
        for recipient in [&ada, &bob] {
            cyd.write(recipient, "hello").await;
        }
        let before = bob.on_its_way(&kept).await;
        assert_eq!(before.len(), 1);
        let recovery = bob.client.webhooks().recover(&kept, START).await.unwrap().recovery.id;
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        app.server.erase().await;
        assert_eq!(app.count(sql!("select count(*) from webhook")).await, 1, "ada's is erased");
        assert_eq!(bob.on_its_way(&kept).await, before);
        bob.client.webhooks().recovery(&kept, &recovery).await.unwrap();
    }

    async fn a_key_for_webhooks_is_refused_in_texts(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let secret = ada.client.webhooks().create(URL).await.unwrap().secret;
        let leak = bob.client.posts().create(format!("see: {}", secret.expose())).await.unwrap_err();
        assert_eq!(leak.code(), Some(&Code::CredentialInContent));
        let invented = format!("whsec_{}", "A".repeat(32));
        bob.client.posts().create(invented).await.unwrap();
    }
}
