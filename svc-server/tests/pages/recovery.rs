//! Links in mails: what their pages do, and that nobody else learns of them.

use http::{Method, StatusCode};
use svc_server::mail::Recorder;
use totp_rs::{Builder, Secret};

use crate::app::TestApp;
use crate::browser::{Browser, PASSWORD};
use crate::on_both_engines;

const NEW: &str = "battery staple";

/// The token of the only mail with a link that is due.
async fn token(app: &TestApp, recorder: &Recorder) -> String {
    app.server.send_mails().await;
    let mut mails = recorder.take();
    mails.retain(|mail| mail.text.contains("?token="));
    let [mail] = mails.try_into().expect("one mail with a link is due");
    mail.token()
}

/// Signs up ada, whose address is verified.
async fn verified(app: &TestApp, recorder: &Recorder) {
    app.person("ada", PASSWORD).await;
    let token = token(app, recorder).await;
    app.anonymous.auth().verify_email(token).await.unwrap();
}

on_both_engines! {
    async fn opening_a_link_verifies_nothing_until_its_button_is_pressed(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let path = format!("/verify?token={}", token(&app, &recorder).await);
        let browser = Browser::new(&app);
        for _ in 0..2 {
            assert_eq!(browser.get(&path).await.status, StatusCode::OK);
        }
        let is_verified = async || ada.client.users().me().await.unwrap().user.email_verified;
        assert_eq!(is_verified().await, Some(false));
        let page = browser.get(&path).await;
        assert_eq!(page.form("/language").value("back"), path, "another language keeps the link");
        let form = page.form("/verify");
        assert_eq!(browser.send(&form).await.to(), "/settings");
        assert_eq!(is_verified().await, Some(true));
        let again = browser.send(&form).await;
        assert_eq!(again.status, StatusCode::NOT_FOUND);
        assert!(again.html().of_class("wrong")[0].contains("it was used"), "{}", again.text);
        assert!(!again.text.contains("action=\"/verify\""), "a used link has no button: {}", again.text);
        assert_eq!(again.form("/language").value("back"), path);
        browser.post("/language", &[("language", "de"), ("back", "/")]).await;
        let again = browser.send(&form).await;
        assert!(again.html().of_class("wrong")[0].contains("benutzt oder abgelaufen"), "{}", again.text);
    }

    async fn the_first_page_names_the_address_that_got_a_link(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let welcome = browser.get("/welcome").await;
        assert!(welcome.text.contains("We sent a link to ada@example.org."), "{}", welcome.text);
        let token = token(&app, &recorder).await;
        app.anonymous.auth().verify_email(token).await.unwrap();
        assert!(!browser.get("/welcome").await.text.contains("We sent a link"));
    }

    async fn a_lost_password_is_replaced_by_way_of_the_sign_in(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        verified(&app, &recorder).await;
        let (browser, other) = (Browser::new(&app), Browser::of(&app, "ada").await);
        assert!(browser.get("/login").await.text.contains("href=\"/forgot\""));
        let form = browser.get("/forgot").await.form("/forgot");
        let wrong = browser.send(&form.clone().with("email", "ada")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        assert_eq!(wrong.form("/forgot").value("email"), "ada");
        assert_eq!(browser.send(&form.with("email", "ada@example.org")).await.to(), "/login");
        assert!(browser.get("/login").await.text.contains("a link is on its way"));
        let path = format!("/reset?token={}", token(&app, &recorder).await);
        let form = browser.get(&path).await.form("/reset");
        let short = browser.send(&form.clone().with("newPassword", "short")).await;
        assert_eq!(short.status, StatusCode::BAD_REQUEST);
        assert!(!short.text.contains("value=\"short\""), "a password is not shown again");
        let form = short.form("/reset").with("newPassword", NEW);
        let done = browser.send(&form).await;
        assert!(done.text.contains("Your password is changed"), "{}", done.text);
        assert_eq!(other.get("/settings").await.to(), "/login?next=%2Fsettings");
        app.sign_in("ada", NEW).await;
        let again = browser.send(&form).await;
        assert_eq!(again.status, StatusCode::NOT_FOUND);
        assert!(!again.text.contains("action=\"/reset\""), "a used link has no form: {}", again.text);
    }

    async fn a_reset_asks_for_the_code_of_a_second_factor_without_a_reproach(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        verified(&app, &recorder).await;
        let browser = Browser::of(&app, "ada").await;
        let factor = "/settings/security/totp";
        let added = browser.send(&browser.get(factor).await.form(factor)).await;
        let key = added.html().of_class("secret").join("");
        let totp = Builder::new().with_secret(Secret::try_from_base32(&key).unwrap()).build().unwrap();
        let seconds = app.server.clock().now().as_millis() / 1000;
        let code = totp.generate(seconds.unsigned_abs()).to_string();
        let on = browser.send(&added.form("/settings/security/totp/confirm").with("code", &code)).await;
        let code = on.text.split_once("<li><code>").unwrap().1.split('<').next().unwrap().to_owned();
        app.server.send_mails().await;
        recorder.take();
        app.anonymous.auth().reset_password("ada@example.org").await.unwrap();
        let path = format!("/reset?token={}", token(&app, &recorder).await);
        let form = browser.get(&path).await.form("/reset").with("newPassword", NEW);
        let asked = browser.send(&form).await;
        assert!(asked.html().of_class("notice")[0].starts_with("This account has a second factor"), "{}", asked.text);
        assert!(asked.html().of_class("wrong").is_empty(), "{}", asked.text);
        assert_eq!(asked.text.matches("name=\"code\"").count(), 2, "one for either button: {}", asked.text);
        let wrong = browser.send(&asked.form("/reset").with("newPassword", NEW).with("code", "000000")).await;
        assert_eq!(wrong.html().of_class("problem").len(), 1, "{}", wrong.text);
        let form = wrong.form("/reset").with("newPassword", NEW).with("code", &code);
        let done = browser.send(&form).await;
        assert!(done.text.contains("Your password is changed"), "{}", done.text);
    }

    async fn an_agent_gets_its_new_key_by_the_second_button(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        bot.client.users().update_me().email("bot@example.org").await.unwrap();
        app.anonymous.auth().verify_email(token(&app, &recorder).await).await.unwrap();
        app.anonymous.auth().reset_password("bot@example.org").await.unwrap();
        let token = token(&app, &recorder).await;
        let browser = Browser::new(&app);
        assert_eq!(browser.get(&format!("/reset?token={token}")).await.status, StatusCode::OK);
        bot.client.auth().session().await.unwrap();
        let shown = browser.post("/reset", &[("token", &token)]).await;
        assert_eq!(shown.headers["cache-control"], "private, no-store");
        let key = shown.html().named("pre")[0].text.clone();
        assert_eq!(app.client(&*key).users().me().await.unwrap().user.username, "bot");
        bot.client.auth().session().await.unwrap_err();
    }

    async fn a_change_that_waits_is_taken_back_by_the_button_of_its_link(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        bot.client.users().update_me().email("bot@example.org").await.unwrap();
        app.anonymous.auth().verify_email(token(&app, &recorder).await).await.unwrap();
        bot.client.users().delete_me("bot").await.unwrap();
        app.server.send_mails().await;
        let mails = recorder.take();
        let link = mails.iter().flat_map(|mail| mail.text.lines()).find_map(|line| line.split_once("/undo/"));
        let path = format!("/undo/{}", link.expect("a mail holds the link").1);
        let browser = Browser::new(&app);
        let form = browser.get(&path).await.form(&path);
        let waiting = async || bot.client.pending().list().await.unwrap().pending.len();
        assert_eq!(waiting().await, 1, "a look changes nothing");
        assert_eq!(browser.send(&form).await.to(), "/");
        assert_eq!(waiting().await, 0);
        let again = browser.send(&form).await;
        assert_eq!(again.status, StatusCode::NOT_FOUND);
        assert!(!again.text.contains("action=\"/undo/"), "a used link has no button: {}", again.text);
    }

    async fn settings_show_the_state_of_the_address_and_send_the_link_again(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let first = token(&app, &recorder).await;
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get("/settings").await.text.contains("not verified yet"));
        assert_eq!(browser.post("/settings/email/send", &[]).await.to(), "/settings");
        token(&app, &recorder).await;
        app.anonymous.auth().verify_email(first).await.unwrap();
        assert!(browser.get("/settings").await.text.contains("Your address is verified."));
        let form = browser.get("/settings").await.form("/settings");
        browser.send(&form.with("email", "two@example.org")).await.to();
        let page = browser.get("/settings").await;
        assert!(page.text.contains("two@example.org is not verified yet"), "{}", page.text);
        assert!(page.text.contains("your address is ada@example.org"), "{}", page.text);
        app.server.send_mails().await;
        recorder.take();
        browser.send(&page.form("/settings").with("bio", "hi")).await.to();
        app.server.send_mails().await;
        assert_eq!(recorder.take(), [], "the form keeps what is pending");
    }

    async fn the_address_of_a_link_is_sent_nowhere(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        for path in ["/verify?token=a-secret", "/reset?token=a-secret"] {
            let page = Browser::new(&app).get(path).await;
            assert_eq!(page.headers["referrer-policy"], "strict-origin");
            let html = page.html();
            for one in &html.0 {
                for name in ["href", "src", "action"] {
                    let value = one.attributes.get(name);
                    let is_fine = |value: &String| value.starts_with(['/', '#']) && !value.contains("secret");
                    assert!(value.is_none_or(is_fine), "{one:?}");
                }
            }
        }
    }

    async fn without_a_mail_server_the_sign_in_offers_no_link(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::new(&app);
        assert!(!browser.get("/login").await.text.contains("/forgot"));
        assert!(browser.get("/forgot").await.text.contains("This server sends no mail"));
        let refused = browser.post("/forgot", &[("email", "ada@example.org")]).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
        let of_ada = Browser::of(&app, "ada").await;
        assert!(!of_ada.get("/settings").await.text.contains("verified"));
        let head = browser.request(Method::GET, "/verify?token=a");
        assert_eq!(browser.answer(head).await.status, StatusCode::OK);
    }
}
