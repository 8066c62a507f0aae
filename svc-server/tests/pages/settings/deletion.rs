//! The end of an account and its way back, by forms.

use http::StatusCode;

use super::CONFIRM;
use crate::browser::{Browser, PASSWORD};
use crate::market::{offer, order};
use crate::on_both_engines;

on_both_engines! {
    async fn an_account_is_deleted_by_its_name_and_a_confirmation(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/delete";
        let page = browser.get(path).await;
        assert!(page.text.contains("restore your account for 14 days") && !page.text.contains("Finish or cancel these"));
        let form = page.form(path).with("confirm", "ada");
        app.advance(600);
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(page.html().of_class("wrong").is_empty(), "nothing is wrong yet: {}", page.text);
        let confirm = page.form(CONFIRM);
        let wrong = browser.send(&confirm.with("password", "wrong")).await;
        assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
        assert_eq!(wrong.html().of_class("problem"), ["the password is wrong"]);
        // The form that was sent is sent again, and what is wrong with it is said on its own page.
        let other = browser.send(&browser.get(path).await.form(path).with("confirm", "eve")).await;
        let other = browser.send(&other.form(CONFIRM).with("password", PASSWORD)).await;
        assert_eq!(other.status, StatusCode::BAD_REQUEST);
        assert_eq!(other.form(path).value("confirm"), "eve");
        assert_eq!(browser.send(&form).await.to(), "/", "it is confirmed for ten minutes");
        let home = browser.get("/").await;
        assert!(home.text.contains("Your account is deleted."), "{}", home.text);
        assert!(!home.text.contains("Sign out"));
        app.anonymous.users().get("ada").await.unwrap_err();
    }

    async fn a_deleted_account_is_restored_after_signing_in(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.users().delete_me("ada").await.unwrap();
        let browser = Browser::new(&app);
        let form = browser.get("/login").await.form("/login").with("username", "ada");
        assert_eq!(browser.send(&form.with("password", PASSWORD)).await.to(), "/restore");
        assert!(browser.get("/settings").await.to().starts_with("/login"), "it reaches nothing else");
        let offer = browser.get("/restore").await;
        assert_eq!(browser.send(&offer.form("/restore")).await.to(), "/");
        assert!(browser.get("/").await.text.contains("Your account is restored."));
        assert_eq!(browser.get("/settings").await.status, StatusCode::OK);
    }

    async fn who_restores_an_account_goes_on_to_where_the_sign_in_led(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.users().delete_me("ada").await.unwrap();
        let browser = Browser::new(&app);
        let asked = browser.get("/settings/security").await;
        let form = browser.get(asked.to()).await.form("/login").with("username", "ada");
        let signed_in = browser.send(&form.with("password", PASSWORD)).await;
        assert_eq!(signed_in.to(), "/restore?next=%2Fsettings%2Fsecurity");
        let offer = browser.get(signed_in.to()).await;
        assert_eq!(browser.send(&offer.form("/restore")).await.to(), "/settings/security");
        assert!(browser.get("/settings/security").await.text.contains("Your account is restored."));
    }

    async fn obstacles_to_a_deletion_are_named_and_linked(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        // The mark would turn around what stands behind it.
        let name = "count <words>\u{202e}";
        let service = offer(&bob, name, 5).await;
        let deal = ada.client.escrow().create("bob", &service, 60, "a report on <rust>").await.unwrap().escrow.id;
        let asked = order(&service, 5);
        let asked = svc_client::types::ServiceRequest { service_name: name.into(), ..asked };
        let sent = ada.client.messages().request_service("bob", asked).await.unwrap().message.message_id;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/delete";
        let asked = browser.get(path).await;
        assert!(!asked.text.contains("name=\"confirm\""), "what is impossible is not offered: {}", asked.text);
        let page = browser.post(path, &[("confirm", "ada")]).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        for shown in [
            format!("href=\"/escrow/{deal}\""), format!("href=\"/orders/{sent}\""),
            "<bdi>a report on &#60;rust&#62;</bdi></a>, 60 credits".to_owned(),
            "<bdi>count &#60;words&#62;\u{202e}</bdi></a>, 5 credits".to_owned(),
        ] {
            for page in [&asked, &page] {
                assert!(page.text.contains(&shown), "{shown}: {}", page.text);
            }
        }
        let order = browser.get(&format!("/orders/{sent}")).await;
        let heading = "<h1><bdi>count &#60;words&#62;\u{202e}</bdi>, 5 credits</h1>";
        assert!(order.text.contains(heading), "{}", order.text);
        let data = browser.get("/settings/data").await;
        for shown in ["2 orders are still open. <a href=\"/settings/delete\">", "href=\"/settings/delete\""] {
            assert!(data.text.contains(shown), "{shown}: {}", data.text);
        }
        assert!(!data.text.contains("Delete account…"), "{}", data.text);
        let reported = page.html().of_class("wrong").join("");
        assert!(reported.contains("an order is still open") && !reported.contains("esc_"), "{reported}");
    }
}
