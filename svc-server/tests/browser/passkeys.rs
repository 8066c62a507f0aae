//! Passkeys, with the virtual authenticator of Chromium: a device that verifies its person.

use std::net::TcpListener;

use serde_json::{Value, json};
use svc_server::testing::Engine;

use crate::PASSWORD;
use crate::app::TestApp;
use crate::driver;
use crate::inspect::Looker;
use crate::tab::Tab;

/// A server that is reached by a host name, to which passkeys are bound, and its address.
async fn start() -> Option<(TestApp, String)> {
    if !driver::is_installed() {
        return None;
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (listen, origin) = (format!("127.0.0.1:{port}"), format!("http://localhost:{port}"));
    let settings = [("listen", listen.as_str()), ("public_url", origin.as_str())];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await?;
    Some((app, origin))
}

/// A device of the browser's own.
struct Device<'a> {
    tab: &'a Tab,
    id: Value,
}

impl<'a> Device<'a> {
    async fn of(tab: &'a Tab) -> Self {
        tab.driver.devtools("WebAuthn.enable", &json!({})).await;
        let kind = json!({ "options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
            "hasUserVerification": true, "isUserVerified": true, "automaticPresenceSimulation": true,
        }});
        let added = tab.driver.devtools("WebAuthn.addVirtualAuthenticator", &kind).await;
        Self { tab, id: added["authenticatorId"].clone() }
    }

    /// Whether it finds its person from now on.
    async fn verifies(&self, verifies: bool) {
        let how = json!({ "authenticatorId": self.id, "isUserVerified": verifies });
        self.tab.driver.devtools("WebAuthn.setUserVerified", &how).await;
    }
}

async fn adds(tab: &Tab, looker: &mut Looker<'_>) {
    tab.open("/settings/security").await;
    tab.press("Add a passkey").await;
    tab.press("Begin setup").await;
    tab.fill("[name=name]", "Laptop").await;
    looker.looks("passkey-new").await;
    tab.press("Create passkey").await;
    tab.sees("Passkey added.").await;
    tab.sees("Laptop").await;
    looker.looks("passkey-added").await;
}

async fn signs_in(tab: &Tab) {
    tab.open("/login").await;
    tab.press("Sign in with a passkey").await;
    tab.find(".me[href='/@ada']").await;
}

#[tokio::test]
async fn a_passkey_is_added_signs_in_and_confirms() {
    let Some((app, origin)) = start().await else { return };
    let ada = app.person("ada", PASSWORD).await;
    let tab = Tab::at(&origin).await;
    let device = Device::of(&tab).await;
    let mut looker = Looker::new(&tab).await;
    tab.sign_in("ada", PASSWORD).await;
    adds(&tab, &mut looker).await;
    tab.go_to("Sign out").await;
    tab.sees("You are signed out.").await;
    signs_in(&tab).await;

    app.advance(600);
    tab.open("/settings/security/totp").await;
    tab.press("Begin setup").await;
    tab.sees("Confirm it's you").await;
    looker.looks("confirm-passkey").await;
    tab.press("Confirm with a passkey").await;
    tab.find("svg.qr").await;

    tab.go_to("Sign out").await;
    tab.sees("You are signed out.").await;
    device.verifies(false).await;
    tab.open("/login").await;
    tab.press("Sign in with a passkey").await;
    tab.sees("The device did not confirm it. Try again.").await;
    looker.looks("login-passkey").await;
    device.verifies(true).await;
    tab.press("Sign in with a passkey").await;
    tab.find(".me[href='/@ada']").await;

    tab.open("/settings/security").await;
    tab.press("Rename passkey Laptop").await;
    tab.fill("details [name=name]", "Old laptop").await;
    tab.click("details[open] button").await;
    tab.sees("Old laptop").await;
    tab.press("Remove passkey Old laptop").await;
    tab.sees("Passkey removed.").await;
    assert!(ada.client.factors().get().await.unwrap().passkeys.is_empty());
    tab.go_to("Sign out").await;
    tab.sees("You are signed out.").await;
    tab.open("/login").await;
    tab.press("Sign in with a passkey").await;
    tab.sees("his passkey is unknown here").await;
    assert_eq!(looker.faults(), "");
}

#[tokio::test]
async fn without_script_nothing_offers_a_passkey() {
    let Some((app, origin)) = start().await else { return };
    app.person("ada", PASSWORD).await;
    let tab = Tab::without_script(&origin).await;
    tab.open("/login").await;
    tab.sees("Sign in").await;
    assert!(!tab.text().await.contains("passkey"));
    tab.sign_in("ada", PASSWORD).await;
    tab.open("/settings/security").await;
    tab.sees("Passkeys").await;
    assert!(!tab.text().await.contains("Add a passkey"));
}

#[tokio::test]
async fn a_form_that_a_sign_in_interrupts_is_kept_by_a_passkey_too() {
    let Some((app, origin)) = start().await else { return };
    app.person("ada", PASSWORD).await;
    let tab = Tab::at(&origin).await;
    let _device = Device::of(&tab).await;
    let mut looker = Looker::new(&tab).await;
    tab.sign_in("ada", PASSWORD).await;
    adds(&tab, &mut looker).await;
    tab.open("/compose").await;
    tab.fill("[name=content]", "half a thought").await;
    tab.forget().await;
    tab.press("Post").await;
    tab.press("Sign in with a passkey").await;
    tab.sees("You are signed in again").await;
    assert_eq!(tab.value("[name=content]").await, "half a thought");
}
