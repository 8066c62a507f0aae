//! The language of pages.

use http::StatusCode;
use http::header::ACCEPT_LANGUAGE;

use crate::browser::{Browser, PASSWORD, Page};
use crate::on_both_engines;

async fn accepting(browser: &Browser<'_>, path: &str, languages: &str) -> Page {
    let request = browser.request(http::Method::GET, path).header(ACCEPT_LANGUAGE, languages);
    browser.answer(request).await
}

#[track_caller]
fn assert_language(page: &Page, language: &str) {
    assert!(page.text.contains(&format!("<html lang=\"{language}\"")), "{}", page.text);
}

on_both_engines! {
    async fn the_language_is_that_of_the_cookie_then_the_link_then_the_browser(app: TestApp) {
        let browser = Browser::new(&app);
        assert_language(&browser.get("/").await, "en");
        assert_language(&accepting(&browser, "/", "fr, de;q=0.5").await, "de");
        assert_language(&accepting(&browser, "/", "fr, de;q=0").await, "en");
        assert_language(&accepting(&browser, "/?lang=en", "de").await, "en");
        assert_language(&accepting(&browser, "/?lang=fr", "de").await, "de");
        let page = browser.get("/?lang=de").await;
        assert_language(&page, "de");
        assert!(page.text.contains("Anmelden"), "{}", page.text);
        let chosen = browser.post("/language", &[("language", "de"), ("back", "/feed")]).await;
        assert_eq!(chosen.to(), "/feed");
        let for_a_year = "lang=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax";
        assert_eq!(chosen.headers["set-cookie"], for_a_year);
        assert_language(&browser.get("/feed?lang=en").await, "de");
        let refused = browser.post("/language", &[("language", "xx")]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert_language(&refused, "de");
        assert!(!browser.get("/").await.headers.contains_key("set-cookie"));
    }

    async fn languages_for_tests_are_for_development_only(app: TestApp, "dev" = "false") {
        assert_language(&Browser::new(&app).get("/?lang=qps-ploc").await, "en");
    }

    async fn numbers_times_and_plurals_follow_the_language(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.post("hallo").await;
        app.advance(5 * 60);
        let browser = Browser::new(&app);
        let page = browser.get("/@ada?lang=de").await;
        assert!(page.text.contains("vor 5 Min."), "{}", page.text);
        assert!(page.text.contains("<b>1</b> Beitrag"), "{}", page.text);
        let page = browser.get("/@ada").await;
        assert!(page.text.contains("5 min ago") && page.text.contains("<b>1</b> post"));
    }

    async fn one_credit_is_no_plural(app: TestApp, "exchange.signup_grant" = "1") {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for (path, text) in [("/credits", ">credit available."), ("/credits?lang=de", ">Credit verfügbar.")] {
            let page = browser.get(path).await;
            assert!(page.text.contains(text), "{}", page.text);
        }
    }

    async fn a_language_chosen_on_a_refused_form_leads_to_a_page(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/password";
        let form = browser.get("/settings/security").await.form(path).with("newPassword", "short");
        let refused = browser.send(&form).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        let chosen = browser.send(&refused.form("/language").with("language", "de")).await;
        assert_eq!(chosen.to(), "/settings");
        assert_language(&browser.get(chosen.to()).await, "de");
        let page = browser.post("/compose", &[]).await;
        assert_eq!(page.form("/language").value("back"), "/compose", "there is a page");
        browser.forget();
        let asked = browser.send(&form).await;
        assert_eq!(asked.status, StatusCode::UNAUTHORIZED);
        assert_eq!(asked.form("/language").value("back"), "/settings");
    }

    async fn error_pages_are_in_the_language_of_the_visitor(app: TestApp) {
        let browser = Browser::new(&app);
        let page = accepting(&browser, "/no/such/page", "de").await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        assert_language(&page, "de");
        assert!(page.text.contains("Seite nicht gefunden"), "{}", page.text);
    }
}
