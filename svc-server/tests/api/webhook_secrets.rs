//! Webhook secrets: shown once, rotated with an overlap, encrypted at rest.

use http::Method;
use serde_json::json;
use svc_client::types::api::webhooks::{RotateWebhookSecret, SecretRole};
use svc_client::types::{Code, WebhookId};
use svc_core::services::webhook::secret;
use svc_store::sql;

use crate::app::{Member, TestApp};
use crate::on_both_engines;
use crate::raw::answer;
use crate::webhooks::URL;
use crate::world::{World, asks};

const DAY: u64 = 86_400;

/// What signs at this instant: the one header, and all of the other.
async fn signing(app: &TestApp, webhook: &WebhookId) -> (String, Vec<String>) {
    let id = webhook.clone();
    let live = app.server.app().read(move |ctx| secret::live(ctx, &id)).await.unwrap().unwrap();
    let text = |key: &secret::Key| key.secret.expose().to_owned();
    (text(&live.signing), live.all.iter().map(text).collect())
}

/// Roles of the secrets as their owner sees them, and the hint.
async fn roles(ada: &Member, webhook: &WebhookId) -> (Vec<SecretRole>, String) {
    let webhook = ada.webhook_now(webhook).await;
    (webhook.secrets.into_iter().map(|secret| secret.role).collect(), webhook.secret_hint)
}

/// Makes a webhook; its id and secret.
async fn made(ada: &Member) -> (WebhookId, String) {
    let made = ada.client.webhooks().create(URL).await.unwrap();
    (made.webhook.id, made.secret.expose().to_owned())
}

async fn rotate(ada: &Member, id: &WebhookId, overlap: u32) -> String {
    let rotated = ada.client.webhooks().rotate_secret(id).overlap_seconds(overlap).await.unwrap();
    rotated.secret.expose().to_owned()
}

on_both_engines! {
    async fn a_rotation_is_promoted_and_ends(app: TestApp) {
        use SecretRole::{Current, Next, Previous};
        let ada = app.agent("ada").await;
        let (id, old) = made(&ada).await;
        assert_eq!(signing(&app, &id).await, (old.clone(), vec![old.clone()]));
        app.advance(1);
        let rotated = ada.client.webhooks().rotate_secret(&id).await.unwrap();
        assert_eq!(rotated.previous_expires_at, app.ahead(DAY), "a day, when nothing is said");
        let new = rotated.secret.expose().to_owned();
        assert_eq!(signing(&app, &id).await, (old.clone(), vec![new.clone(), old.clone()]));
        assert_eq!(roles(&ada, &id).await, (vec![Current, Next], old[34..].to_owned()));
        ada.client.webhooks().promote_secret(&id).await.unwrap();
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![new.clone(), old.clone()]));
        assert_eq!(roles(&ada, &id).await, (vec![Current, Previous], new[34..].to_owned()));
        app.advance(DAY - 1);
        assert_eq!(signing(&app, &id).await.1.len(), 2, "until the overlap ends");
        app.advance(1);
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![new.clone()]));
        assert_eq!(roles(&ada, &id).await, (vec![Current], new[34..].to_owned()));
    }

    async fn a_secret_that_no_key_opens_signs_nothing_beside_a_newer_one(app: TestApp) {
        let ada = app.agent("ada").await;
        let (id, _) = made(&ada).await;
        let lost = sql!("update webhook_secret set sealed = hash");
        app.execute(move |ctx| ctx.tx.execute(lost, &[])).await;
        app.advance(1);
        let new = rotate(&ada, &id, 60).await;
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![new.clone()]));
        let done = app.server.app().write(|ctx| secret::reencrypt(ctx, None)).await.unwrap();
        assert_eq!(done.0, 1, "the other is left as it is");
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![new]));
    }

    async fn the_end_of_the_overlap_promotes_by_itself(app: TestApp) {
        let ada = app.agent("ada").await;
        let (id, old) = made(&ada).await;
        app.advance(1);
        let new = rotate(&ada, &id, 60).await;
        app.advance(59);
        assert_eq!(signing(&app, &id).await.0, old);
        app.advance(1);
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![new.clone()]));
        let now = ada.webhook_now(&id).await;
        assert_eq!((now.secrets.len(), &now.secrets[0].role), (1, &SecretRole::Current));
        assert_eq!((now.secrets[0].expires_at, &*now.secret_hint), (None, &new[34..]));
        let late = ada.client.webhooks().promote_secret(&id).await.unwrap_err();
        assert_eq!(late.code(), Some(&Code::WrongState));
        let newer = rotate(&ada, &id, 60).await;
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![newer, new]));
    }

    async fn a_secret_is_refused_in_texts_until_its_overlap_ends(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (id, old) = made(&ada).await;
        let new = rotate(&ada, &id, 60).await;
        for secret in [&old, &new] {
            let leak = bob.client.posts().create(format!("see: {secret}")).await.unwrap_err();
            assert_eq!(leak.code(), Some(&Code::CredentialInContent));
        }
        app.advance(60);
        bob.client.posts().create(format!("see: {old}")).await.unwrap();
        let leak = bob.client.posts().create(format!("see: {new}")).await.unwrap_err();
        assert_eq!(leak.code(), Some(&Code::CredentialInContent));
    }

    async fn only_a_forced_rotation_replaces_a_running_one(app: TestApp) {
        let ada = app.agent("ada").await;
        let (id, old) = made(&ada).await;
        let webhooks = ada.client.webhooks();
        assert_eq!(webhooks.promote_secret(&id).await.unwrap_err().code(), Some(&Code::WrongState));
        rotate(&ada, &id, 60).await;
        let again = webhooks.rotate_secret(&id).await.unwrap_err();
        assert_eq!(again.code(), Some(&Code::RotationInProgress));
        assert!(again.hint().unwrap().contains("2026-01-31T09:31:00.000Z"), "{again:?}");
        webhooks.promote_secret(&id).await.unwrap();
        assert_eq!(webhooks.promote_secret(&id).await.unwrap_err().code(), Some(&Code::WrongState));
        let again = webhooks.rotate_secret(&id).await.unwrap_err();
        assert_eq!(again.code(), Some(&Code::RotationInProgress), "the old one is still valid");
        let rotated = webhooks.rotate_secret(&id).overlap_seconds(0).await.unwrap();
        assert_eq!(rotated.previous_expires_at, app.ahead(0));
        let new = rotated.secret.expose().to_owned();
        assert_eq!(signing(&app, &id).await, (new.clone(), vec![new.clone()]));
        assert_ne!(new, old);
        let far = webhooks.rotate_secret(&id).overlap_seconds(604_801).await;
        assert_eq!(crate::app::fault::<RotateWebhookSecret>(far).0, Code::ValidationFailed);
        webhooks.rotate_secret(&id).overlap_seconds(604_800).await.unwrap();
    }

    async fn a_secret_is_never_replayed(app: TestApp) {
        let ada = app.agent("ada").await;
        let create = || ada.raw(&app, Method::POST, "/webhooks").json(&json!({ "url": URL }));
        let first = answer(create().header("Idempotency-Key", "one")).await;
        let id = first.json()["webhook"]["id"].as_str().unwrap().to_owned();
        let again = answer(create().header("Idempotency-Key", "one")).await;
        assert_eq!(again.refusal().code, Code::IdempotencyConflict);
        let path = format!("/webhooks/{id}/rotate-secret");
        let rotate = || ada.raw(&app, Method::POST, &path).header("Idempotency-Key", "two");
        assert_eq!(answer(rotate()).await.status, 200);
        assert_eq!(answer(rotate()).await.refusal().code, Code::IdempotencyConflict);
        assert_eq!(ada.webhook_now(&WebhookId::from(&*id)).await.secrets.len(), 2);
    }

    async fn only_creation_and_rotation_show_a_secret(
        app: TestApp, "billing.stripe.key_file" = "stripe.key",
        "billing.stripe.webhook_secret_files" = "stripe.secret", "payouts.enabled" = "true",
        "payouts.rate" = "0.01"
    ) {
        let world = World::new(app).await;
        let mut shown = Vec::new();
        for ask in asks() {
            let scene = world.scene_of(&ask).await;
            let caller = world.who_may(&ask, &scene);
            let asked = world.fit(&ask, &scene, scene.party.name());
            let received = answer(asked.request(&world.app).bearer_auth(caller.key.expose())).await;
            if received.text.contains("whsec_") {
                shown.push(ask.name);
            }
        }
        assert_eq!(shown, ["CreateWebhook", "RotateWebhookSecret"]);
    }

    async fn each_secret_moves_to_a_newer_key(app: TestApp) {
        let ada = app.agent("ada").await;
        let both = [made(&ada).await, made(&ada).await];
        app.server.app().write(|ctx| secret::reencrypt(ctx, None)).await.unwrap();
        for (id, text) in both {
            assert_eq!(signing(&app, &id).await.0, text);
        }
    }

    async fn secrets_are_encrypted_and_move_to_a_newer_key(app: TestApp) {
        let ada = app.agent("ada").await;
        let (id, old) = made(&ada).await;
        let sealed = || async {
            let sql = sql!("select sealed from webhook_secret");
            app.server.app().read(move |ctx| ctx.tx.one::<Vec<u8>>(sql, &[])).await.unwrap()
        };
        let before = sealed().await;
        let text = old.trim_start_matches("whsec_").as_bytes();
        assert!(!before.windows(text.len()).any(|part| part == text));
        let done = app.server.app().write(|ctx| secret::reencrypt(ctx, None)).await.unwrap();
        assert_eq!(done.0, 1);
        let after = done.1;
        let rest = app.server.app().write(move |ctx| secret::reencrypt(ctx, after.as_ref())).await.unwrap();
        assert_eq!((rest.0, rest.1), (0, None));
        assert_ne!(sealed().await, before);
        assert_eq!(signing(&app, &id).await.0, old);
    }
}
