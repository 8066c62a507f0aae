//! Deals, from the order to the rating, by forms.

use http::StatusCode;
use serde_json::json;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Credits, EscrowId, ServiceRequest};

use super::{filled, offer};
use crate::browser::{Browser, PASSWORD};
use crate::market::{TOKEN, has, is_consistent, order, response, work};
use crate::on_both_engines;

on_both_engines! {
    async fn a_deal_goes_from_the_order_to_the_rating(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        assert_eq!(form.value("pay"), "escrow", "escrow is preselected");
        let sent = browser.send(&form.clone().with("expiresIn", "3d")).await;
        assert_eq!(sent.to(), browser.send(&form.with("expiresIn", "3d")).await.to(), "twice is once");
        let deals = ada.client.escrow().list().await.unwrap().escrows;
        assert_eq!((deals.len(), has(&ada).await.as_str()), (1, "40+60"));
        assert_eq!(deals[0].expires_at.since(deals[0].created_at).as_secs(), 3 * 86_400, "as was chosen");
        let id = deals[0].id.clone();
        let path = format!("/escrow/{id}");
        let order = sent.to().to_owned();
        assert!(browser.get(&order).await.text.contains(&path));
        assert!(browser.get("/escrow?role=buyer").await.text.contains(&path));
        assert!(!browser.get("/escrow?role=provider").await.text.contains(&path));
        let moved = browser.get(&path).await;
        assert_eq!((moved.status, moved.headers["location"].to_str().unwrap()), (StatusCode::PERMANENT_REDIRECT, order.as_str()));
        assert_eq!(moved.headers["cache-control"], "private, no-store", "a later order may take its place");
        let in_german = browser.get(&format!("{path}?lang=de")).await;
        assert_eq!(in_german.headers["location"], format!("{order}?lang=de"), "the language is kept");
        let page = browser.get(&order).await;
        assert!(page.text.contains(&format!("{path}/cancel")) && page.text.contains("Waiting for @bob."), "{}", page.text);
        assert!(page.text.contains("<noscript> Without JavaScript, load it again"), "{}", page.text);
        let early = browser.get(&format!("{path}/release")).await;
        assert!(early.text.contains("isn&#39;t possible in the current status"));
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        assert!(browser.get(&order).await.text.contains(TOKEN), "the buyer reads the token");
        let release = format!("{path}/release");
        let form = browser.get(&release).await.form(&release).with("feedback", "fine <work>");
        let stale = form.clone();
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        let page = browser.send(&stale).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "another delivery than the one that was seen");
        assert_eq!(page.form(&release).value("feedback"), "fine <work>");
        let form = browser.get(&release).await.form(&release).with("feedback", "fine <work>").with("rating", "4.5");
        assert_eq!(browser.send(&form).await.to(), order);
        let page = browser.get(&order).await;
        assert!(page.text.contains("Rated 4.5 of 5") && page.text.contains("fine &lt;work&gt;"));
        assert!(page.text.contains("Completed"));
        assert!(page.text.contains("Add a public review") && !page.text.contains("Rate this order"), "{}", page.text);
        assert_eq!(page.form(&format!("{order}/review")).value("rating"), "4.5", "it is not asked for twice");
        assert_eq!([has(&ada).await, has(&bob).await], ["40+0", "160+0"]);
        let credits = browser.get("/credits").await;
        assert!(credits.text.contains("−60") && credits.text.contains(&path), "{}", credits.text);
        is_consistent(&app).await;
    }

    async fn an_order_that_is_refused_leaves_no_deal_behind(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        let policy = bob.raw(&app, reqwest::Method::PATCH, "/users/me").json(&json!({ "allowServiceRequests": false }));
        assert!(policy.send().await.unwrap().status().is_success());
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.text);
        assert_eq!(page.form(&path).value("input.title"), "A & B");
        browser.post("/language", &[("language", "de"), ("back", "/")]).await;
        let page = browser.send(&form).await;
        assert!(page.text.contains("Dieses Konto nimmt zurzeit keine Bestellungen an"), "{}", page.text);
        assert_eq!(ada.client.escrow().list().await.unwrap().escrows, []);
        assert_eq!(has(&ada).await, "100+0");
        is_consistent(&app).await;
    }

    async fn a_changed_form_that_was_sent_before_leaves_the_deal_as_it_is(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        let sent = browser.send(&form).await;
        let page = browser.send(&form.with("input.title", "C & D")).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        assert!(page.text.contains("already submitted"), "{}", page.text);
        let deals = ada.client.escrow().list().await.unwrap().escrows;
        assert_eq!((deals.len(), has(&ada).await.as_str()), (1, "40+60"));
        assert_eq!(deals[0].status, EscrowStatus::Funded);
        assert!(browser.get(sent.to()).await.text.contains("Waiting for @bob."));
        is_consistent(&app).await;
    }

    async fn a_small_price_can_be_paid_by_a_deal(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = bob.client.services().create("report", "reports", 20).await.unwrap().service.id;
        let path = format!("/@bob/services/{service}");
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(&path).await;
        assert!(page.text.contains("What do you need?") && !page.text.contains("JSON object"), "{}", page.text);
        let form = page.form(&path).with("pay", "escrow").with("input.text", "on foxes");
        let sent = browser.send(&form).await;
        let deal = ada.client.escrow().list().await.unwrap().escrows.remove(0);
        assert_eq!((deal.status, deal.amount), (EscrowStatus::Funded, 20.into()));
        let order = bob.client.messages().list().await.unwrap().messages.remove(0);
        assert_eq!(order.payload.unwrap()["input"], json!({ "text": "on foxes" }));
        assert_eq!(sent.to(), format!("/orders/{}", order.message_id));
        for (price, usual) in [(49_u32, "direct"), (50, "escrow")] {
            let service = bob.client.services().create(format!("at {price}"), "costs", price);
            let path = format!("/@bob/services/{}", service.await.unwrap().service.id);
            assert_eq!(browser.get(&path).await.form(&path).value("pay"), usual, "{price}");
        }
        let free = bob.client.services().create("gift", "gives", 0).await.unwrap().service.id;
        let page = browser.get(&format!("/@bob/services/{free}")).await;
        assert!(page.text.contains("This service is free.") && !page.text.contains("Escrow: pay"));
    }

    async fn a_dispute_is_opened_answered_and_given_back(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, 60).await;
        let id: EscrowId = ada.client.escrow().create("bob", &service, 60, "a story").await.unwrap().escrow.id;
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let dispute = format!("/escrow/{id}/dispute");
        let page = browser.get(&dispute).await;
        assert!(page.text.contains("Deadlines are paused"));
        let empty = browser.send(&page.form(&dispute).with("evidence", "line <1>\nline 2")).await;
        assert_eq!(empty.status, StatusCode::BAD_REQUEST);
        let form = empty.form(&dispute);
        assert_eq!(form.value("evidence"), "line <1>\nline 2");
        assert_eq!(browser.send(&form.with("reason", "no fox in it")).await.to(), format!("/escrow/{id}"));
        bob.client.escrow().respond(&id, "there is a fox").await.unwrap();
        let page = browser.get(&format!("/escrow/{id}")).await;
        for text in ["no fox in it", "line &lt;1&gt;", "there is a fox", "<b>Disputed</b>"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        for word in ["respond", "refund", "deliver", "decline"] {
            let page = browser.get(&format!("/escrow/{id}/{word}")).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{word} is the provider's part");
        }
        bob.client.escrow().refund(&id).await.unwrap();
        assert!(browser.get(&format!("/escrow/{id}")).await.text.contains("The seller refunded the buyer."));
    }

    async fn a_deal_is_visible_to_its_parties_only(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        app.person("eve", PASSWORD).await;
        let service = offer(&bob, 60).await;
        let id = ada.client.escrow().create("bob", &service, 60, "a story").await.unwrap().escrow.id;
        let [anonymous, eve] = [Browser::new(&app), Browser::of(&app, "eve").await];
        for path in [format!("/escrow/{id}"), format!("/escrow/{id}/cancel")] {
            assert!(anonymous.get(&path).await.to().starts_with("/login?next="));
            assert_eq!(eve.get(&path).await.status, StatusCode::NOT_FOUND);
        }
        assert_eq!(eve.post(&format!("/escrow/{id}/cancel"), &[]).await.status, StatusCode::NOT_FOUND);
        let browser = Browser::of(&app, "ada").await;
        let cancel = format!("/escrow/{id}/cancel");
        let form = browser.get(&cancel).await.form(&cancel);
        assert_eq!(browser.send(&form).await.to(), format!("/escrow/{id}"));
        assert_eq!(has(&ada).await, "100+0");
    }

    async fn a_transaction_has_its_sign_and_its_parties_also_once_the_seller_is_erased(
        app: TestApp, "accounts.erase_after" = "1d"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = bob.client.services().create("count", "counts", 5).await.unwrap().service.id;
        let sent = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap().message;
        let mut done = response(&sent.message_id, ResponseStatus::Completed);
        done.charged_credits = Some(Credits::from_micros(4_500_000));
        bob.client.messages().respond_to("ada", done).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get("/credits").await;
        let back = "<td class=\"number\">+0.5</td><td class=\"number\">95.5</td>";
        assert!(page.text.contains(back), "{}", page.text);
        assert_eq!(page.text.matches(" @bob</span>").count(), 2, "{}", page.text);
        bob.client.users().delete_me("bob").await.unwrap();
        app.advance(86_400);
        app.server.erase().await;
        let page = browser.get("/credits").await;
        let link = format!("<a href=\"/orders/{}\">order</a>", sent.message_id);
        assert_eq!(page.text.matches(&link).count(), 2, "no name, but the order: {}", page.text);
        assert_eq!(page.text.matches(" @bob</span>").count(), 2, "{}", page.text);
    }

    async fn a_conversation_says_what_an_escrow_paid_for_an_order(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = bob.client.services().create("report", "writes", 20).await.unwrap().service.id;
        let escrow = ada.client.escrow().create("bob", &service, 20, "a report").await.unwrap().escrow.id;
        let ordered = ServiceRequest { escrow_id: Some(escrow.clone()), ..order(&service, 20) };
        let sent = ada.client.messages().request_service("bob", ordered).await.unwrap().message;
        bob.client.escrow().deliver(&escrow, work()).await.unwrap();
        let split = bob.client.escrow().offer_split(&escrow, 7).await.unwrap().escrow.split.unwrap();
        let version = u32::try_from(split.offer_version).unwrap();
        ada.client.escrow().accept_split(&escrow, version).await.unwrap();
        let page = Browser::of(&app, "ada").await.get(&format!("/messages/{}", sent.conversation_id)).await;
        assert!(page.text.contains("<b>20 credits</b>, 7 paid"), "{}", page.text);
    }
}
