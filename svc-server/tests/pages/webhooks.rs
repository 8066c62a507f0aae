//! Webhooks, by forms.

use http::StatusCode;
use svc_client::types::api::webhooks::{DeliveryState, WebhookKind, WebhookStatus};
use svc_server::testing::{found, until};
use svc_store::{sql, values};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::browser::{Browser, PASSWORD};
use crate::held::{Held, behind};
use crate::on_both_engines;

/// An address that answers each call with 200 and this body.
async fn receiver_with(body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut received = vec![0; 64 * 1024];
            drop(stream.read(&mut received).await);
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n", body.len());
            let answer = format!("{head}x-note: <i>head</i>\r\nconnection: close\r\n\r\n{body}");
            drop(stream.write_all(answer.as_bytes()).await);
        }
    });
    url
}

/// An address that answers each call with 200.
pub(crate) async fn receiver() -> String {
    receiver_with("ok").await
}

on_both_engines! {
    async fn a_webhook_is_created_tested_and_deleted(app: TestApp, "webhooks.allow_loopback" = "true") {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let list = "/settings/webhooks";
        assert!(browser.get(list).await.text.contains("No webhooks yet"));
        let form = browser.get(list).await.form(list).with("description", "for <tests>");
        let wrong = browser.send(&form.with("url", "ftp://example.org")).await;
        assert!(wrong.status.is_client_error());
        assert_eq!(wrong.form(list).value("description"), "for <tests>");
        let form = wrong.form(list).with("url", &receiver().await).with("events", "direct_message");
        let shown = browser.send(&form).await;
        let secret = shown.html().named("pre")[0].text.clone();
        let webhook = ada.client.webhooks().list().await.unwrap().webhooks.remove(0);
        assert!(secret.ends_with(&webhook.secret_hint));
        let path = format!("{list}/{}", webhook.id);
        let page = browser.get(&path).await;
        assert!(!page.text.contains(&secret), "a secret is shown once");

        let tested = browser.send(&page.form(&format!("{path}/test"))).await;
        let delivery = browser.get(tested.to()).await;
        assert!(delivery.text.contains("Test sent."), "{}", delivery.text);
        assert!(delivery.text.contains("delivered, 200"), "{}", delivery.text);
        assert!(!delivery.text.contains("Send it again"), "a sample belongs to no event");
        let bob = app.agent("bob").await;
        bob.write(&ada, "hello").await;
        let event = found("the message is delivered", async || {
            let sent = ada.client.webhooks().deliveries(&webhook.id).await.unwrap().deliveries;
            sent.into_iter().find(|one| one.event == "direct_message")
        })
        .await;
        let letter = format!("{path}/deliveries/{}", event.id);
        assert!(browser.get(&letter).await.text.contains("Send it again"));
        let again = browser.post(&format!("{letter}/redeliver"), &[]).await;
        assert!(browser.get(again.to()).await.text.contains("Sent again"));
        let deliveries = ada.client.webhooks().deliveries(&webhook.id).await.unwrap().deliveries;
        assert_eq!(deliveries.len(), 3);
        let listed = browser.get(&format!("{path}?state=delivered")).await;
        assert!(listed.text.contains(tested.to()));

        browser.post(&format!("{path}/disable"), &[]).await.to();
        let seen = ada.client.webhooks().get(&webhook.id).await.unwrap().webhook;
        assert_eq!(seen.status, WebhookStatus::Disabled);
        browser.post(&format!("{path}/enable"), &[]).await.to();
        let seen = ada.client.webhooks().get(&webhook.id).await.unwrap().webhook;
        assert_eq!(seen.status, WebhookStatus::Active);

        let form = page.form(&path);
        assert_eq!(form.value("events"), "direct_message", "what it gets now is ticked");
        let form = form.with("description", "").with("events", "escrow");
        assert_eq!(browser.send(&form).await.to(), path);
        let seen = ada.client.webhooks().get(&webhook.id).await.unwrap().webhook;
        assert_eq!((seen.description, seen.events.len()), (None, 1));

        let delete = format!("{path}/delete");
        let asked = browser.get(&delete).await;
        assert_eq!(browser.send(&asked.form(&delete)).await.to(), list);
        assert!(ada.client.webhooks().list().await.unwrap().webhooks.is_empty());
    }

    async fn forms_of_a_webhook_in_the_same_instant_each_change_what_was_ticked(
        app: TestApp, "webhooks.allow_loopback" = "true", "database.connections" = "4"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let webhooks = ada.client.webhooks();
        let id = webhooks.create(receiver().await).events([WebhookKind::Escrow]).await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        // Each takes the escrows away and ticks another kind.
        let one = browser.get(&path).await.form(&path).with("events", "follow");
        let other = browser.get(&path).await.form(&path).with("events", "like");
        let lock = sql!("select id from webhook where id = $1 for no key update");
        let held = Held::row(&app, lock, id.as_str()).await;
        let both = async { tokio::join!(browser.send(&one), browser.send(&other)) };
        let (one, other) = behind(&app, held, 2, both).await;
        assert_eq!((one.to(), other.to()), (path.as_str(), path.as_str()));
        let seen = ada.client.webhooks().get(&id).await.unwrap().webhook;
        assert_eq!(seen.events, [WebhookKind::Follow, WebhookKind::Like]);
        // A form that takes the last one away is refused.
        let mut none = browser.get(&path).await.form(&path);
        none.fields.retain(|(name, _)| name != "events");
        let refused = browser.send(&none).await;
        assert!(refused.text.contains("events must list at least one kind"), "{}", refused.text);
    }

    async fn a_webhook_shows_how_its_calls_went_and_why_it_is_disabled(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let id = ada.client.webhooks().create(receiver().await).await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        let fresh = browser.get(&path).await.text;
        assert!(fresh.contains("nothing sent") && fresh.contains("none yet"), "{fresh}");
        app.agent("bob").await.write(&ada, "hello").await;
        until("the message is delivered", async || {
            ada.client.webhooks().get(&id).await.unwrap().webhook.last_success_at.is_some()
        })
        .await;
        let page = browser.get(&path).await.text;
        assert!(page.contains("1 delivered · median "), "{page}");
        assert!(!page.contains("none yet") && !page.contains("Last failure"), "{page}");
        let failed = browser.get(&format!("{path}?state=failed")).await.text;
        assert!(failed.contains("?state=failed\" aria-current=\"true\">failed</a>"), "{failed}");
        assert!(failed.contains("Nothing here. Deliveries and tests are listed here"), "{failed}");
        for (reason, says) in [
            ("manual", "disabled: by you"),
            ("failing", "disabled: it failed for too long"),
            ("gone", "disabled: it answered 410"),
            ("tier_limit", "disabled: your tier allows fewer webhooks"),
        ] {
            let hook = id.to_string();
            let disable = sql!(
                "update webhook set status = 'disabled', disabled_reason = $1, disabled_at = 0,
                    last_error_at = 0, last_error_class = 'http_status', last_error_status = 410
                 where id = $2"
            );
            app.execute(move |ctx| ctx.tx.execute(disable, values![reason, hook])).await;
            let page = browser.get(&path).await.text;
            for part in [says, "the answer was no success (410)", "Enable webhook"] {
                assert!(page.contains(part), "{part}: {page}");
            }
            assert!(!page.contains("Disable webhook"), "{page}");
            let list = browser.get("/settings/webhooks").await.text;
            assert!(list.contains(&format!("<b>{says}</b>")), "{list}");
        }
    }

    async fn a_secret_is_rotated_and_promoted(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let id = ada.client.webhooks().create("https://example.org/hook").await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        let rotate = format!("{path}/rotate");
        let form = browser.get(&path).await.form(&rotate).with("overlapSeconds", "3600");
        let secret = browser.send(&form).await.html().named("pre")[0].text.clone();
        let twice = browser.send(&form).await;
        assert!(!twice.text.contains(&secret));
        let page = browser.get(&path).await;
        assert!(page.text.contains("Promote the new secret"));
        assert!(page.text.contains("The current one ends <time"), "{}", page.text);
        let form = page.form(&rotate).with("overlapSeconds", "60");
        let refused = browser.send(&form).await;
        assert_eq!(refused.status, StatusCode::CONFLICT);
        assert_eq!(refused.html().of_class("wrong").len(), 1);
        browser.post(&format!("{path}/promote"), &[]).await.to();
        let promoted = browser.get(&path).await.text;
        assert!(!promoted.contains("Promote the new secret"), "{promoted}");
        assert!(promoted.contains("The previous one ends <time"), "{promoted}");
        assert!(!promoted.contains("The current one ends <time"), "{promoted}");
        let hint = &secret[secret.len() - 4..];
        assert!(promoted.contains(&format!("The current one ends with <code>{hint}</code>.")), "{promoted}");
    }

    async fn the_response_of_a_receiver_is_text(app: TestApp, "webhooks.allow_loopback" = "true") {
        let ada = app.person("ada", PASSWORD).await;
        let url = receiver_with("<b>evil</b><script>alert(1)</script>").await;
        let id = ada.client.webhooks().create(url).await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        let form = browser.get(&path).await.form(&format!("{path}/test"));
        let page = browser.get(browser.send(&form).await.to()).await;
        assert!(page.text.contains("&#60;b&#62;evil&#60;/b&#62;"), "{}", page.text);
        for markup in ["<b>evil", "<script>alert", "<i>head"] {
            assert!(!page.text.contains(markup), "{markup}");
        }
    }

    async fn a_failed_call_shows_its_reason(app: TestApp, "webhooks.allow_loopback" = "true") {
        let ada = app.person("ada", PASSWORD).await;
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", free.local_addr().unwrap());
        drop(free);
        let id = ada.client.webhooks().create(url.as_str()).await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        let form = browser.get(&path).await.form(&format!("{path}/test"));
        let shown = browser.send(&form).await;
        assert!(browser.get(shown.to()).await.text.contains("connection refused"));
        let sent = ada.client.webhooks().deliveries(&id).await.unwrap().deliveries;
        assert_eq!(sent[0].state, DeliveryState::Failed);
        app.person("eve", PASSWORD).await;
        let eve = Browser::of(&app, "eve").await;
        for theirs in [path.as_str(), shown.to()] {
            assert_eq!(eve.get(theirs).await.status, StatusCode::NOT_FOUND);
        }
    }

    async fn a_page_that_was_opened_before_leaves_the_new_address_alone(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let [first, second] = [receiver().await, receiver().await];
        let id = ada.client.webhooks().create(first).await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        let stale = browser.get(&path).await.form(&path);
        let form = browser.get(&path).await.form(&path).with("url", &second);
        assert_eq!(browser.send(&form).await.to(), path);
        assert_eq!(browser.send(&stale.with("description", "of tab two")).await.to(), path);
        let webhook = ada.client.webhooks().get(&id).await.unwrap().webhook;
        assert_eq!(webhook.url, second);
        assert_eq!(webhook.description.as_deref(), Some("of tab two"));
    }

    async fn kinds_that_were_changed_elsewhere_stay_so_and_one_remains(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let url = receiver().await;
        let webhooks = ada.client.webhooks();
        let created = webhooks.create(url.as_str()).events([WebhookKind::Follow, WebhookKind::Like]);
        let id = created.await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        let path = format!("/settings/webhooks/{id}");
        let stale = browser.get(&path).await.form(&path);
        webhooks.update(&id).events([WebhookKind::Follow, WebhookKind::Reply]).await.unwrap();
        let same = [("shown", stale.value("shown")), ("url", url.as_str()), ("events", "follow")];
        let fields = [&same[..], &[("events", "like"), ("events", "mention")]].concat();
        assert_eq!(browser.post(&path, &fields).await.to(), path);
        let kept = webhooks.get(&id).await.unwrap().webhook.events;
        assert_eq!(kept, [WebhookKind::Follow, WebhookKind::Reply, WebhookKind::Mention]);
        let shown = browser.get(&path).await.form(&path);
        let none = browser.post(&path, &[("shown", shown.value("shown")), ("url", url.as_str())]).await;
        assert_eq!(none.status, StatusCode::BAD_REQUEST, "{}", none.text);
        assert_eq!(none.html().of_class("problem").len(), 1, "{}", none.text);
        assert_eq!(webhooks.get(&id).await.unwrap().webhook.events.len(), 3);
    }

    async fn events_of_orders_are_chosen_for_everybody(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let html = browser.get("/settings/webhooks").await.html();
        let is_ticked = |value: &str| {
            html.0.iter().any(|one| {
                one.attributes.get("value").is_some_and(|own| own == value) && one.attributes.contains_key("checked")
            })
        };
        for kind in ["escrow", "service", "order"] {
            assert!(is_ticked(kind), "{kind}");
        }
        for kind in ["follow", "like", "mention", "direct_message", "billing"] {
            assert!(!is_ticked(kind), "{kind}");
        }
    }

    async fn pages_say_for_how_long_deliveries_are_kept(app: TestApp, "retention.deliveries" = "10d") {
        let ada = app.person("ada", PASSWORD).await;
        app.grant_role("ada", "admin").await;
        let bob = app.agent("bob").await;
        let link = bob.client.agents().create_claim_link().await.unwrap().url;
        ada.client.agents().claim(link).await.unwrap();
        let webhook = ada.client.webhooks().create("https://bot.example.org/hook").await.unwrap().webhook.id;
        let browser = Browser::of(&app, "ada").await;
        for (path, text) in [
            ("/settings/webhooks", "listed here for 10 days."),
            (&*format!("/settings/webhooks/{webhook}"), "listed here for 10 days."),
            ("/operate/deliveries", "appear here for 10 days."),
            ("/sell?agent=bob", "kept for 10 days."),
        ] {
            let page = browser.get(path).await;
            assert!(page.text.contains(text), "{path}: {}", page.text);
        }
    }
}
