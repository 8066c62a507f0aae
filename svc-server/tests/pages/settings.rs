//! Settings, by forms.

use std::io::Cursor;

use http::{Method, StatusCode};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use svc_client::types::api::users::DmPolicy;
use svc_client::types::{ApiKey, Scope, Timestamp};
use totp_rs::{Builder, Secret};

use crate::app::SEC_FETCH_SITE;
use crate::browser::{Browser, PASSWORD, Page, typed};
use crate::html::Element;
use crate::market::{offer, order};
use crate::on_both_engines;

/// The page that asks for a confirmation.
const CONFIRM: &str = "/settings/confirm";

/// A picture of one colour.
pub(crate) fn png() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let plain = RgbImage::from_pixel(40, 30, Rgb([200, 2, 3]));
    DynamicImage::from(plain).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Uploads a file by the form of a picture, as from a page of this site.
async fn upload(browser: &Browser<'_>, file: &[u8], site: &str) -> Page {
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n";
    let body = [head.as_bytes(), file, b"\r\n--b--\r\n"].concat();
    let request = browser.request(Method::POST, "/settings/avatar").header(SEC_FETCH_SITE, site);
    let form = request.header("content-type", "multipart/form-data; boundary=b").body(body);
    browser.answer(form).await
}

on_both_engines! {
    async fn a_profile_is_changed_by_its_form(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/settings").await.form("/settings");
        let wrong = form.clone().with("bio", "kept & shown").with("website", "not an address");
        let page = browser.send(&wrong).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(page.html().of_class("problem")[0].starts_with("website"), "{}", page.text);
        assert_eq!(page.form("/settings").value("bio"), "kept & shown");
        let form = page.form("/settings").with("website", "https://ada.example/");
        let form = form.with("dmPolicy", "following").with("allowServiceRequests", "false");
        assert_eq!(browser.send(&form).await.to(), "/settings");
        assert!(browser.get("/settings").await.text.contains("Saved."));
        let user = ada.client.users().me().await.unwrap().user;
        assert_eq!((user.bio.as_str(), user.website.as_deref()), ("kept & shown", Some("https://ada.example/")));
        assert_eq!((user.dm_policy, user.allow_service_requests), (Some(DmPolicy::Following), Some(false)));
        let form = browser.get("/settings").await.form("/settings");
        assert_eq!(form.value("dmPolicy"), "following");
        browser.send(&form.with("website", "").with("bio", "")).await.to();
        let user = ada.client.users().me().await.unwrap().user;
        assert_eq!((user.bio.as_str(), user.website), ("", None));
        let kept = (user.dm_policy, user.allow_service_requests);
        assert_eq!(kept, (Some(DmPolicy::Following), Some(false)), "the form keeps the rest");
    }

    async fn a_picture_is_uploaded_refused_and_removed(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let letter = ada.client.users().me().await.unwrap().user.avatar;
        assert!(!browser.get("/settings").await.text.contains("Remove picture"), "there is none");
        assert_eq!(upload(&browser, &png(), "same-origin").await.to(), "/settings");
        assert!(browser.get("/settings").await.text.contains("Remove picture"));
        let picture = ada.client.users().me().await.unwrap().user.avatar;
        assert_ne!(picture, letter);
        let refused = upload(&browser, b"no picture", "same-origin").await;
        assert!(refused.status.is_client_error(), "{}", refused.status);
        assert!(!refused.html().of_class("wrong").is_empty(), "{}", refused.text);
        let large = upload(&browser, &vec![0; 3 * 1024 * 1024], "same-origin").await;
        assert_eq!(large.status, StatusCode::PAYLOAD_TOO_LARGE);
        assert!(large.text.contains("choose a smaller file"), "{}", large.text);
        assert_eq!(upload(&browser, &png(), "cross-site").await.status, StatusCode::FORBIDDEN);
        assert_eq!(upload(&Browser::new(&app), &png(), "same-origin").await.to(), "/login?next=%2Fsettings");
        assert_eq!(ada.client.users().me().await.unwrap().user.avatar, picture);
        assert_eq!(browser.post("/settings/avatar/delete", &[]).await.to(), "/settings");
        assert_eq!(ada.client.users().me().await.unwrap().user.avatar, letter);
    }

    async fn data_is_exported_by_a_button_and_downloaded_by_a_link(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let (path, link) = ("/settings/data", "/api/users/me/export/file");
        assert!(!browser.get(path).await.text.contains(link));
        assert_eq!(browser.post("/settings/export", &[]).await.to(), path);
        assert!(browser.get(path).await.text.contains("is being collected"));
        app.server.export().await;
        assert!(browser.get(path).await.text.contains(link));
        let request = browser.request(Method::GET, link).header(SEC_FETCH_SITE, "same-origin");
        let file = request.send().await.unwrap();
        assert_eq!(file.headers()["content-type"], "application/zip");
        let bytes = file.bytes().await.unwrap().len();
        let export = ada.client.export().get().await.unwrap().export;
        assert_eq!(export.bytes, i64::try_from(bytes).ok());
        let again = browser.post("/settings/export", &[]).await;
        assert_eq!(again.status, StatusCode::CONFLICT);
    }

    async fn each_part_of_the_settings_has_a_tab_of_its_own(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for (path, tab, part) in [
            ("/settings", "Profile", "name=\"displayName\""),
            ("/settings/security", "Security", "action=\"/settings/password\""),
            ("/settings/notifications", "Notifications", "Save notifications"),
            ("/settings/appearance", "Appearance", "name=\"theme\""),
            ("/settings/developer", "Apps", "Register app"),
            ("/settings/webhooks", "Webhooks", "Create webhook"),
            ("/settings/data", "Data", "action=\"/settings/export\""),
        ] {
            let page = browser.get(path).await;
            let main = page.text.split("<main").nth(1).unwrap();
            assert!(main.contains(part), "{path} {part}: {main}");
            let html = page.html();
            let is_here = |one: &&Element| one.attributes.get("href").is_some_and(|href| href == path) && one.text == tab;
            let link = html.0.iter().find(is_here).unwrap_or_else(|| panic!("{tab}: {main}"));
            assert_eq!(link.attributes["aria-current"], "page", "{tab}");
        }
    }

    async fn the_appearance_names_the_time_zone(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/appearance";
        assert!(browser.get(path).await.text.contains("<bdi>UTC</bdi>"));
        browser.set("zone", "Europe/Vienna");
        assert!(browser.get(path).await.text.contains("<bdi>Europe/Vienna</bdi>"));
        browser.set("zone", "<b>");
        assert!(browser.get(path).await.text.contains("<bdi>UTC</bdi>"));
        browser.set("zone", "Europe/Vienna");
        for (zone, shown, selected) in
            [("Asia/Tokyo", "Asia/Tokyo", &["Asia/Tokyo"][..]), ("auto", "Europe/Vienna", &[])]
        {
            assert_eq!(browser.post("/zone", &[("zone", zone), ("back", path)]).await.to(), path);
            let page = browser.get(path).await;
            assert!(page.text.contains(&format!("<bdi>{shown}</bdi>")), "{zone}: {}", page.text);
            let html = page.html();
            let options = html.named("option").into_iter();
            let options = options.filter(|one| one.attributes.contains_key("selected"));
            assert_eq!(options.map(|one| &*one.text).collect::<Vec<_>>(), selected, "{zone}");
        }
        let unknown = browser.post("/zone", &[("zone", "Nowhere/Town"), ("back", path)]).await;
        assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
        let chosen = browser.post("/theme", &[("theme", "dark"), ("back", path)]).await;
        assert_eq!(chosen.to(), path);
        assert!(browser.get(path).await.text.contains("class=\"dark\""));
    }

    async fn a_new_api_key_is_requested_and_shown_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let asked = browser.get("/settings/key").await;
        assert!(asked.text.contains("ends at once"), "it says what happens");
        ada.client.users().me().await.unwrap();
        let form = asked.form("/settings/key");
        let shown = browser.send(&form).await;
        assert_eq!(shown.status, StatusCode::OK);
        assert_eq!(shown.headers["cache-control"], "private, no-store");
        let html = shown.html();
        let codes = html.named("pre");
        let key = codes[0].text.clone();
        assert!(codes[1].text.starts_with("curl ") && codes[1].text.contains(&key));
        let me = app.client(ApiKey::from(key.as_str())).users().me().await.unwrap().user;
        assert_eq!(me.username, "ada");
        ada.client.users().me().await.unwrap_err();

        let again = browser.send(&form).await;
        assert!(!again.text.contains(&key), "the same form shows it no second time");
        app.client(ApiKey::from(key.as_str())).users().me().await.unwrap();
        assert!(!browser.get("/settings").await.text.contains(&key));
        let request = browser.request(Method::POST, "/settings/key").header(SEC_FETCH_SITE, "same-origin");
        let third = browser.answer(typed(request.header("accept-encoding", "br, gzip"), &[])).await;
        assert_eq!(third.status, StatusCode::OK);
        assert!(!third.headers.contains_key("content-encoding"), "its length would tell of the key");
    }

    async fn changing_a_password_requires_the_current_one(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let (browser, other) = (Browser::of(&app, "ada").await, Browser::of(&app, "ada").await);
        let form = browser.get("/settings/security").await.form("/settings/password");
        let form = form.with("newPassword", "battery staple");
        let wrong = browser.send(&form.clone().with("currentPassword", "wrong")).await;
        assert!(wrong.status.is_client_error());
        assert!(!wrong.text.contains("battery staple"), "a password is not shown again");
        assert_eq!(wrong.html().of_class("problem"), ["the current password is incorrect"]);
        assert!(wrong.html().of_class("wrong")[0].starts_with("One field needs a change."));
        let changed = browser.send(&form.with("currentPassword", PASSWORD)).await;
        assert_eq!(changed.to(), "/settings/security");
        assert_eq!(browser.get("/settings").await.status, StatusCode::OK);
        assert_eq!(other.get("/settings").await.to(), "/login?next=%2Fsettings");
        app.sign_in("ada", "battery staple").await;
    }

    async fn an_account_is_deleted_by_its_name_and_a_confirmation(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/delete";
        let asked = browser.get(path).await;
        assert!(asked.text.contains("restore your account for 14 days") && !asked.text.contains("Finish or cancel these"));
        let form = asked.form(path).with("confirm", "ada");
        app.advance(600);
        let asked = browser.send(&form).await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN);
        assert!(asked.html().of_class("wrong").is_empty(), "nothing is wrong yet: {}", asked.text);
        let confirm = asked.form(CONFIRM);
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

    async fn what_a_confirmation_was_asked_for_is_done_at_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/settings/security").await.form("/settings/security/keys");
        let form = form.with("name", "reader").with("scopes", "read");
        app.advance(600);
        let asked = browser.send(&form).await;
        let made = browser.send(&asked.form(CONFIRM).with("password", PASSWORD)).await;
        assert!(made.text.contains("Your new API key"), "{}", made.text);
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 2);
        let again = browser.send(&asked.form(CONFIRM).with("password", PASSWORD)).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "the key is shown once: {}", again.text);
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 2);
    }

    async fn an_account_without_a_password_is_not_asked_for_one(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get(CONFIRM).await.text.contains("name=\"password\""));
        app.execute(|ctx| {
            ctx.tx.execute(svc_store::sql!("update account set password_hash = null"), svc_store::values![])
        })
        .await;
        let page = browser.get(CONFIRM).await;
        page.html();
        assert!(!page.text.contains("name=\"password\""), "{}", page.text);
        assert!(page.text.contains("Your account has no password to confirm with."), "{}", page.text);
    }

    async fn a_confirmation_leads_to_pages_of_this_site_only(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for (next, expected) in [("/settings", "/settings"), ("https://evil.example", "/settings/security")] {
            let fields = [("next", next), ("password", PASSWORD)];
            assert_eq!(browser.post(CONFIRM, &fields).await.to(), expected);
        }
        for of in ["//evil.example", "/no/such/form", CONFIRM, "/settings/confirm?a=b"] {
            let fields = [("password", PASSWORD), ("of", of), ("kept", "password=wrong")];
            assert_eq!(browser.post(CONFIRM, &fields).await.to(), "/settings/security", "{of}");
        }
    }

    async fn an_authenticator_app_is_added_used_and_removed(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security/totp";
        let asked = browser.get(path).await;
        let added = browser.send(&asked.form(path)).await;
        let key = added.html().of_class("secret").join("");
        let totp = Builder::new().with_secret(Secret::try_from_base32(&key).unwrap()).build().unwrap();
        let code = || {
            let seconds = app.server.clock().now().as_millis() / 1000;
            totp.generate(seconds.unsigned_abs()).to_string()
        };
        let confirm = "/settings/security/totp/confirm";
        let wrong = browser.send(&added.form(confirm).with("code", "000000")).await;
        assert_eq!(wrong.html().of_class("problem"), ["the code is wrong or was used before"]);
        assert!(!wrong.text.contains(&key), "the key is shown once");
        let on = browser.send(&wrong.form(confirm).with("code", &code())).await;
        assert_eq!(on.text.matches("<li><code>").count(), 10, "{}", on.text);
        assert!(browser.get("/settings/security").await.text.contains("10 recovery codes are left"));

        let other = Browser::new(&app);
        let form = other.get("/login").await.form("/login").with("username", "ada");
        let asked = other.send(&form.with("password", PASSWORD)).await;
        let next = "Your password is correct. Now enter a code from your authenticator app, or a recovery code.";
        assert_eq!(asked.html().of_class("notice"), [next]);
        assert!(asked.html().of_class("problem").is_empty(), "it is no mistake: {}", asked.text);
        app.advance(30);
        let wrong = other.send(&asked.form("/login").with("code", "000000")).await;
        assert_eq!(wrong.html().of_class("problem"), ["the code is wrong or was used before"]);
        assert!(!wrong.text.contains("type=\"password\""), "it is asked for once");
        let form = wrong.form("/login").with("code", &code());
        assert_eq!(other.send(&form).await.to(), "/");
        app.advance(30);
        let again = Browser::new(&app).send(&form.with("code", &code())).await;
        assert_eq!(again.html().of_class("problem"), ["the password was typed too long ago"]);
        let slow = Browser::new(&app);
        let form = slow.get("/login").await.form("/login").with("username", "ada");
        let asked = slow.send(&form.with("password", PASSWORD)).await;
        app.advance(300);
        let late = slow.send(&asked.form("/login").with("code", &code())).await;
        assert_eq!(late.html().of_class("problem"), ["the password was typed too long ago"]);
        let thief = Browser::new(&app);
        let form = thief.get("/login").await.form("/login").with("username", "ada");
        let asked = thief.send(&form.with("password", PASSWORD)).await;
        let form = browser.get("/settings/security").await.form("/settings/password");
        let form = form.with("currentPassword", PASSWORD).with("newPassword", "battery staple");
        assert_eq!(browser.send(&form).await.to(), "/settings/security");
        app.advance(30);
        let late = thief.send(&asked.form("/login").with("code", &code())).await;
        assert_eq!(late.html().of_class("problem"), ["the password was typed too long ago"]);

        app.advance(600);
        let remove = "/settings/security/totp/delete";
        let asked = browser.send(&browser.get(remove).await.form(remove)).await;
        let done = browser.send(&asked.form(CONFIRM).with("code", &code())).await;
        assert_eq!(done.to(), "/settings/security");
        assert!(!ada.client.factors().get().await.unwrap().totp);
    }

    async fn obstacles_to_a_deletion_are_named_and_linked(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, "count <words>", 5).await;
        let deal = ada.client.escrow().create("bob", &service, 60, "a report on <rust>").await.unwrap().escrow.id;
        let asked = order(&service, 5);
        let asked = svc_client::types::ServiceRequest { service_name: "count <words>".into(), ..asked };
        let sent = ada.client.messages().request_service("bob", asked).await.unwrap().message.message_id;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/delete";
        let asked = browser.get(path).await;
        assert!(!asked.text.contains("name=\"confirm\""), "what is impossible is not offered: {}", asked.text);
        let page = browser.post(path, &[("confirm", "ada")]).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        for shown in [
            format!("href=\"/escrow/{deal}\""), format!("href=\"/orders/{sent}\""),
            "a report on &#60;rust&#62;, 60 credits".to_owned(), "count &#60;words&#62;, 5 credits".to_owned(),
        ] {
            for page in [&asked, &page] {
                assert!(page.text.contains(&shown), "{shown}: {}", page.text);
            }
        }
        let data = browser.get("/settings/data").await;
        for shown in ["2 orders are still open. <a href=\"/settings/delete\">", "href=\"/settings/delete\""] {
            assert!(data.text.contains(shown), "{shown}: {}", data.text);
        }
        assert!(!data.text.contains("Delete account…"), "{}", data.text);
        let reported = page.html().of_class("wrong").join("");
        assert!(reported.contains("an order is still open") && !reported.contains("esc_"), "{reported}");
    }

    async fn notification_preferences_are_checkboxes(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/notifications";
        let form = browser.get(path).await.form(path);
        let form = form.with("preferences.types.like.inApp", "false");
        let form = form.with("preferences.types.follow.inApp", "true");
        assert_eq!(browser.send(&form.with("preferences.from", "following")).await.to(), path);
        let preferences = ada.client.notifications().preferences().await.unwrap().preferences;
        assert!(!preferences.types["like"].in_app && preferences.types["follow"].in_app);
        assert_eq!(preferences.from.as_str(), "following");
        let form = browser.get(path).await.form(path);
        assert_eq!(form.value("preferences.types.like.inApp"), "false");
        assert_eq!(form.value("preferences.types.follow.inApp"), "true");
        assert_eq!(form.value("preferences.from"), "following");
    }

    async fn keys_are_created_and_ended_on_the_security_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security";
        let form = browser.get(path).await.form("/settings/security/keys");
        assert_eq!(form.value("expiresIn"), "90d");
        let nothing = browser.send(&form.clone().with("name", "").with("scopes", "read")).await;
        assert_eq!(nothing.status, 400);
        let made = browser.send(&form.with("name", "<b>reader</b>").with("scopes", "read")).await;
        let keys = ada.client.keys().list().await.unwrap().keys;
        let key = &keys[1];
        assert!(made.text.contains(&format!("svc_ak_{}", key.key_id)), "{}", made.text);
        assert_eq!((key.scopes.as_slice(), key.expires_at.is_some()), (&[Scope::Read][..], true));
        let page = browser.get(path).await;
        assert!(page.text.contains("&#60;b&#62;reader&#60;/b&#62;"), "{}", page.text);
        assert!(page.text.contains("May do: everything") && page.text.contains("May do: read"));
        assert!(page.text.contains("API key created."));
        let end = format!("{path}/keys/{}/delete", key.key_id);
        assert!(page.text.contains(&end));
        assert_eq!(browser.post(&end, &[]).await.to(), path);
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 1);
    }

    async fn other_sessions_end_on_the_security_page(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let lost = Browser::of(&app, "ada").await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security";
        let page = browser.get(path).await;
        assert_eq!(page.text.matches("This session").count(), 1);
        let (_, own) = page.text.split_once("This session").unwrap();
        assert!(!own.split("</p>").next().unwrap().contains("last used"), "it is in use: {}", page.text);
        assert_eq!(browser.post("/settings/security/sessions/delete", &[]).await.to(), path);
        assert!(!browser.get(path).await.text.contains("End all other sessions"));
        assert_eq!(lost.get(path).await.status, 303, "it has to sign in again");
    }

    async fn scheduled_posts_are_listed_and_cancelled(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let at = "2026-02-01T08:15:00Z".parse::<Timestamp>().unwrap();
        let id = ada.client.scheduled_posts().create("good morning", at).await.unwrap().scheduled_post.id;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/scheduled";
        let page = browser.get(path).await;
        assert!(page.text.contains("good morning") && page.text.contains("1 Feb, 08:15 UTC"), "{}", page.text);
        assert!(page.text.contains("href=\"/compose/later\""));
        let cancel = format!("{path}/{id}/delete");
        assert!(page.text.contains(&cancel));
        assert_eq!(browser.post(&cancel, &[]).await.to(), path);
        assert!(ada.client.scheduled_posts().list().await.unwrap().scheduled_posts.is_empty());
    }

    async fn an_app_is_registered_and_its_key_shown_once(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/developer";
        let form = browser.get(path).await.form(path).with("appName", "Forum");
        let wrong = browser.send(&form.with("website", "found")).await;
        assert_eq!(wrong.form(path).value("appName"), "Forum");
        let form = wrong.form(path).with("website", "https://found.example");
        let wrong = browser.send(&form.with("redirectUris", "http://found.example/back")).await;
        let problem = "a redirect URI must begin with https://, except on this machine";
        assert_eq!(wrong.html().of_class("problem"), [problem], "{}", wrong.text);
        let back = "https://found.example/back";
        let shown = browser.send(&wrong.form(path).with("redirectUris", back)).await;
        let key = shown.html().named("pre")[0].text.clone();
        let found = app.developer_client(key.as_str()).developers().me().await.unwrap().developer;
        assert_eq!((found.app_name.as_str(), &*found.redirect_uris), ("Forum", &[back.to_owned()][..]));
        assert!(browser.get(path).await.text.contains(&format!("<code>{back}</code>")));
    }

    async fn registered_apps_are_listed_given_new_keys_and_deleted(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/developer";
        let form = browser.get(path).await.form(path).with("appName", "Forum <1>");
        let shown = browser.send(&form.with("website", "https://forum.example")).await;
        let old = shown.html().named("pre")[0].text.clone();
        let page = browser.get(path).await;
        assert!(page.text.contains("Forum &#60;1&#62;") && page.text.contains("forum.example"), "{}", page.text);
        assert!(page.text.contains("never used · 0 verifications"), "{}", page.text);
        let token = app.agent("bot").await.client.agents().create_identity_token().await.unwrap().token;
        app.developer_client(old.as_str()).agents().verify_identity(token).await.unwrap();
        app.server.flush().await;
        let page = browser.get(path).await;
        assert!(page.text.contains("· 1 verification<") && !page.text.contains("never used"), "{}", page.text);
        let links: Vec<String> = page.html().named("a").iter().map(|a| a.attributes["href"].clone()).collect();
        let link = |word: &str| links.iter().find(|link| link.ends_with(word)).unwrap().clone();
        let (rotate, delete) = (link("/rotate"), link("/delete"));
        assert!(browser.get(&rotate).await.text.contains("ends at once"));
        let shown = browser.send(&browser.get(&rotate).await.form(&rotate)).await;
        let fresh = shown.html().named("pre")[0].text.clone();
        assert_ne!(fresh, old);
        assert!(app.developer_client(old.as_str()).developers().me().await.is_err());
        let by_key = app.developer_client(fresh.as_str());
        assert_eq!(by_key.developers().me().await.unwrap().developer.app_name, "Forum <1>");
        assert_eq!(browser.send(&browser.get(&delete).await.form(&delete)).await.to(), path);
        assert!(by_key.developers().me().await.is_err());
        assert!(!browser.get(path).await.text.contains("Forum &#60;1&#62;"));
    }
}
