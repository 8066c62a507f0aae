//! Settings, by forms.

mod deletion;
mod security;

use std::io::Cursor;

use http::{Method, StatusCode};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use svc_client::types::Timestamp;
use svc_client::types::api::users::DmPolicy;

use crate::app::SEC_FETCH_SITE;
use crate::browser::{Browser, PASSWORD, Page};
use crate::html::Element;
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

    async fn an_old_page_changes_only_what_its_person_changed(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let old = browser.get("/settings").await.form("/settings");
        let new = browser.get("/settings").await.form("/settings");
        let new = new.with("bio", "newer").with("dmPolicy", "none").with("allowServiceRequests", "false");
        browser.send(&new).await.to();
        let wrong = browser.send(&old.with("displayName", "Ada L.").with("website", "nowhere")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        let mended = wrong.form("/settings").with("website", "https://ada.example/");
        assert_eq!(browser.send(&mended).await.to(), "/settings");
        let user = ada.client.users().me().await.unwrap().user;
        assert_eq!((user.display_name.as_str(), user.website.as_deref()), ("Ada L.", Some("https://ada.example/")));
        assert_eq!((user.bio.as_str(), user.dm_policy), ("newer", Some(DmPolicy::None)));
        assert_eq!(user.allow_service_requests, Some(false));
        let unchanged = browser.get("/settings").await.form("/settings");
        assert_eq!(browser.send(&unchanged).await.to(), "/settings", "nothing to change is no mistake");
    }

    async fn accounts_that_are_blocked_or_muted_are_listed_and_let_go(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.agents(["bob", "cyd"]).await;
        ada.client.relations().block("bob").await.unwrap();
        ada.client.relations().mute("cyd").await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get("/settings").await.text.contains("href=\"/settings/blocks\""));
        for (path, name, other, act) in
            [("/settings/blocks", "bob", "cyd", "unblock"), ("/settings/mutes", "cyd", "bob", "unmute")]
        {
            let page = browser.get(path).await;
            page.html();
            let action = format!("/@{name}/{act}");
            assert!(page.text.contains(&format!("formaction=\"{action}\"")), "{}", page.text);
            assert!(!page.text.contains(&format!("/@{other}")), "{}", page.text);
            assert_eq!(browser.post(&action, &[("back", path)]).await.to(), path);
            assert!(!browser.get(path).await.text.contains(&action));
        }
        assert!(browser.get("/settings/blocks").await.text.contains("You block no one."));
        assert!(browser.get("/settings/mutes").await.text.contains("You mute no one."));
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
        let asked = browser.get(path).await.text;
        assert!(asked.contains("is being collected"));
        assert!(asked.contains("You can ask for the next copy from") && !asked.contains("/settings/export"));
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
            let chosen = browser.post("/zone", &[("zone", zone), ("back", path)]).await;
            assert_eq!(chosen.to(), path);
            let life = if zone == "auto" { "Max-Age=0;" } else { "Max-Age=31536000;" };
            assert!(chosen.headers["set-cookie"].to_str().unwrap().contains(life), "{zone}");
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

    async fn notification_preferences_are_checkboxes(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/notifications";
        let page = browser.get(path).await;
        let has = |name: &str| page.text.contains(&format!("name=\"preferences.types.{name}\""));
        assert!(has("quote.inApp") && has("quote.mqtt") && has("follow.webhook"), "{}", page.text);
        for kind in ["quote", "moderation", "system"] {
            assert!(!has(&format!("{kind}.webhook")), "no webhook has the event {kind}");
        }
        // Questions about orders are of the type `service_request`, too.
        assert!(page.text.contains("An instant order ends, or something else happens to an order"), "{}", page.text);
        let form = page.form(path).with("preferences.types.like.inApp", "false");
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

    async fn notifications_that_were_turned_off_elsewhere_stay_off(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/notifications";
        let stale = browser.get(path).await.form(path);
        let form = browser.get(path).await.form(path).with("preferences.types.follow.inApp", "false");
        assert_eq!(browser.send(&form.with("preferences.from", "following")).await.to(), path);
        let changed = stale.with("preferences.types.system.mqtt", "false");
        assert_eq!(browser.send(&changed).await.to(), path);
        let stale = browser.get(path).await.form(path);
        assert_eq!(browser.send(&stale).await.to(), path, "nothing was changed");
        let preferences = ada.client.notifications().preferences().await.unwrap().preferences;
        assert!(!preferences.types["follow"].in_app && preferences.types["follow"].mqtt);
        assert!(!preferences.types["system"].mqtt && preferences.types["like"].in_app);
        assert_eq!(preferences.from.as_str(), "following");
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
        let form = browser.get(&rotate).await.form(&rotate);
        let shown = browser.send(&form.with("overlapSeconds", "3600")).await;
        let middle = shown.html().named("pre")[0].text.clone();
        for key in [&old, &middle] {
            app.developer_client(key.as_str()).developers().me().await.unwrap();
        }
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

    async fn a_scheduled_post_is_changed_in_the_time_zone_of_its_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let at = "2026-02-01T08:15:30Z".parse::<Timestamp>().unwrap();
        let id = ada.client.scheduled_posts().create("good morning", at).await.unwrap().scheduled_post.id;
        let seen = async || ada.client.scheduled_posts().get(&id).await.unwrap().scheduled_post;
        let browser = Browser::of(&app, "ada").await;
        browser.set("zone", "Asia/Tokyo");
        let path = format!("/settings/scheduled/{id}/edit");
        assert!(browser.get("/settings/scheduled").await.text.contains(&path));
        let form = browser.get(&path).await.form(&path);
        assert_eq!((form.value("content"), form.value("scheduledFor")), ("good morning", "2026-02-01T17:15"));
        let refused = browser.send(&form.clone().with("content", "kept").with("scheduledFor", "")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert_eq!(refused.form(&path).value("content"), "kept");
        let worded = form.clone().with("content", "good day").with("contentWarning", "early");
        assert_eq!(browser.send(&worded).await.to(), "/settings/scheduled");
        assert_eq!(seen().await.scheduled_for, at, "a time that nobody changed stays");
        // Meanwhile, a page in another time zone was open.
        browser.set("zone", "UTC");
        browser.send(&form.with("scheduledFor", "2026-02-01T18:00")).await.to();
        let post = seen().await;
        assert_eq!(post.scheduled_for.to_string(), "2026-02-01T09:00:00.000Z");
        assert_eq!((post.content.as_str(), post.content_warning.as_deref()), ("good day", Some("early")));
    }
}
