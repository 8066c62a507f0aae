//! Sign in with svc: a person allows a site, and Chromium follows the redirects after the form.

use http::Method;
use serde_json::json;

use crate::PASSWORD;
use crate::app::TestApp;
use crate::in_a_browser;
use crate::raw::answer;
use crate::receiver::{Mode, Receiver};
use crate::tab::Tab;

/// The challenge of RFC 7636, appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A page of a site.
const WELCOME: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 12\r\n\r\nwelcome back";

/// Ada signs in here and allows a site that is returned to at this address.
async fn allow(app: &TestApp, tab: &Tab, done: &str) {
    app.person("ada", PASSWORD).await;
    let body = json!({ "client_name": "Gate", "redirect_uris": [done] });
    let registered = app.raw(Method::POST, "/../oauth/register").json(&body);
    let client = answer(registered).await.json()["client_id"].as_str().unwrap().to_owned();
    tab.open(&format!(
        "/oauth/authorize?response_type=code&client_id={client}&redirect_uri={done}&scope=openid\
         &state=s1&code_challenge={CHALLENGE}&code_challenge_method=S256"
    ))
    .await;
    tab.fill("[name=username]", "ada").await;
    tab.fill("[name=password]", PASSWORD).await;
    tab.press("Sign in").await;
    tab.sees("Allow Gate?").await;
    tab.press("Allow").await;
}

in_a_browser! {
    async fn a_person_allows_a_site_and_returns_to_it(app: TestApp, tab: Tab) {
        let site = Receiver::start(Mode::Says(WELCOME.to_owned())).await;
        allow(&app, &tab, &format!("http://{}/done", site.address)).await;
        tab.sees("welcome back").await;
        let head = site.hits().swap_remove(0).head;
        assert!(head.starts_with("GET /done?code=") && head.contains("state=s1"), "{head}");
    }

    async fn a_person_follows_a_site_that_leads_on_to_another_one(app: TestApp, tab: Tab) {
        let home = Receiver::start(Mode::Says(WELCOME.to_owned())).await;
        let on = format!(
            "HTTP/1.1 302 Found\r\nlocation: http://{}/home\r\ncontent-length: 0\r\n\r\n",
            home.address
        );
        let site = Receiver::start(Mode::Says(on)).await;
        allow(&app, &tab, &format!("http://{}/done", site.address)).await;
        tab.sees("welcome back").await;
        let head = home.hits().swap_remove(0).head;
        assert!(head.starts_with("GET /home"), "{head}");
    }
}
