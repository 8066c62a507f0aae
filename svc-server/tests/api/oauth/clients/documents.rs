//! Clients whose id is the URL of a document that describes them.

use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::Code;
use svc_store::sql;

use super::DAY;
use crate::oauth::{DONE, PASSWORD, Visitor, asking, led_to, refused, text, with};
use crate::on_both_engines;
use crate::raw::answer;
use crate::receiver::{Mode, Receiver};

/// The document of a client at this URL, as an answer.
fn document(url: &str, headers: &str) -> Mode {
    let body = json!({
        "client_id": url, "client_name": "Walker", "redirect_uris": [DONE],
        "token_endpoint_auth_method": "none",
    });
    says(200, headers, &body.to_string())
}

pub(in crate::oauth) fn says(status: u16, headers: &str, body: &str) -> Mode {
    Mode::Says(format!(
        "HTTP/1.1 {status} Said\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    ))
}

on_both_engines! {
    async fn a_network_has_sixty_documents_fetched_an_hour(app: TestApp, "limits.budgets" = "true") {
        let open = async |n: usize| {
            let id = format!("https://10.0.0.1/{n}.json");
            answer(app.ask(Method::GET, &asking(&id, "read"))).await.refusal().code
        };
        for n in 0..60 {
            assert_eq!(open(n).await, Code::ValidationFailed);
        }
        assert_eq!(open(60).await, Code::RateLimited);
        app.advance(3600);
        assert_eq!(open(60).await, Code::ValidationFailed);
    }

    async fn a_client_is_described_by_the_document_at_its_id(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.visitor("ada").await;
        let place = Receiver::start(Mode::ok()).await;
        let id = format!("http://{}/client.json", place.address);
        place.set(document(&id, ""));
        let request = asking(&id, "read");
        let page = ada.open(&app, &request).await;
        assert!(page.text.contains("Walker") && page.text.contains("127.0.0.1"), "{}", page.text);
        let code = ada.agree(&app, &request).await;
        app.redeem(&id, &code).await.json();
        assert_eq!(place.hits().len(), 1, "it is kept");
        app.advance(DAY);
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        ada.open(&app, &request).await;
        assert_eq!(place.hits().len(), 2, "for a day");
        place.set(document(&id, "cache-control: max-age=60\r\n"));
        app.advance(DAY);
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        ada.open(&app, &request).await;
        app.advance(60);
        ada.open(&app, &request).await;
        assert_eq!(place.hits().len(), 4, "or for less, if it says so");
        for (seen, header) in [(5, "no-store"), (6, "Max-Age=600, No-Cache"), (7, "max-age=31536000")] {
            place.set(document(&id, &format!("cache-control: {header}\r\n")));
            app.advance(60);
            ada.open(&app, &request).await;
            assert_eq!(place.hits().len(), seen, "{header}");
        }
        app.advance(DAY);
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        ada.open(&app, &request).await;
        assert_eq!(place.hits().len(), 8, "and never for longer");
        let year = sql!("update oauth_client set fresh_until = fresh_until + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        ada.open(&app, &request).await;
        assert_eq!(place.hits().len(), 9, "whatever a clock far ahead has said");
    }

    async fn a_program_with_a_document_signs_in_on_devices_if_the_document_says_so(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.visitor("ada").await;
        let place = Receiver::start(Mode::ok()).await;
        let id = format!("http://{}/client.json", place.address);
        let fields = [("client_id", &*id), ("scope", "read")];
        let begin = || app.form("/oauth/device", &fields);
        place.set(document(&id, ""));
        assert_eq!(ada.open(&app, &asking(&id, "read")).await.status, StatusCode::OK);
        assert_eq!(refused(&begin().await), "unauthorized_client");
        let by_device = ["urn:ietf:params:oauth:grant-type:device_code"];
        let body = json!({ "client_id": id, "client_name": "Walker", "grant_types": by_device });
        place.set(says(200, "", &body.to_string()));
        let device = begin().await.json();
        let path = format!("/device?user_code={}", text(&device, "user_code"));
        let page = ada.page(&app, &path).await;
        assert!(page.text.contains("Walker") && page.text.contains("127.0.0.1"), "{}", page.text);
        place.set(document(&id, ""));
        assert_eq!(refused(&begin().await), "unauthorized_client", "it is fetched each time");
        assert_eq!(place.hits().len(), 4);
    }

    async fn a_document_that_is_not_as_it_should_be_is_refused(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let place = Receiver::start(Mode::ok()).await;
        let id = format!("http://{}/client.json", place.address);
        let open = async || {
            let request = app.ask(Method::GET, &asking(&id, "read"));
            answer(request.header("accept", "text/html")).await
        };
        let large = json!({ "client_id": id, "redirect_uris": [DONE], "x": "x".repeat(5 * 1024) });
        let secret = json!({ "client_id": id, "redirect_uris": [DONE], "client_secret": "x" });
        for mode in [
            says(404, "", "gone"),
            says(302, &format!("location: {id}\r\n"), ""),
            says(200, "", "not JSON"),
            document("https://other.example/client.json", ""),
            says(200, "", &large.to_string()),
            says(200, "", &secret.to_string()),
            Mode::Resets,
        ] {
            place.set(mode.clone());
            let page = open().await;
            assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, None), "{mode:?}");
        }
        place.set(document(&id, ""));
        assert!(led_to(&open().await).starts_with("/login?next="));
    }

    async fn a_document_that_does_not_come_in_five_seconds_is_refused(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let refused = async |mode: Mode| {
            let place = Receiver::start(mode.clone()).await;
            let id = format!("http://{}/client.json", place.address);
            let request = app.ask(Method::GET, &asking(&id, "read")).header("accept", "text/html");
            let page = answer(request).await;
            assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, None), "{mode:?}");
            assert!(page.text.contains("did not come in 5 seconds"), "{mode:?}: {}", page.text);
            assert_eq!(place.hits().len(), 1, "{mode:?}");
        };
        tokio::join!(refused(Mode::Hangs), refused(Mode::DripsHead), refused(Mode::DripsBody));
        assert_eq!(app.count(sql!("select count(*) from oauth_client")).await, 0);
    }

    async fn a_document_on_an_internal_address_is_not_fetched(app: TestApp) {
        let place = Receiver::start(Mode::ok()).await;
        for id in [
            format!("http://{}/client.json", place.address),
            format!("https://{}/client.json", place.address),
            "https://10.0.0.1/client.json".to_owned(),
            "https://169.254.169.254/latest".to_owned(),
        ] {
            let asked = with(asking(&id, "read"), "scope", "");
            let request = app.ask(Method::GET, &asked);
            let refusal = answer(request).await.refusal();
            assert_eq!(refusal.code, Code::ValidationFailed, "{id}");
            assert!(refusal.error.ends_with("its host has no public address"), "{}", refusal.error);
        }
        assert_eq!(place.connections(), 0);
    }
}
