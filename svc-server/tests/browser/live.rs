//! Live updates of an open page.

use serde_json::json;
use svc_client::Client;

use crate::tab::Tab;
use crate::{PASSWORD, in_a_browser};

/// Waits for a number of unread things in the navigation.
async fn reaches_count(tab: &Tab, icon: &str, count: &str) {
    let path = tab.path().await;
    let shown = "const one = document.getElementById(arguments[0]); return one && one.innerText;";
    tab.until(&format!("never counted {count}"), async || {
        if !tab.has_script {
            tab.open(&path).await;
        }
        let text = tab.script(shown, &json!([format!("unread-{icon}")])).await;
        (text.as_str()?.trim() == count).then_some(())
    })
    .await;
}

/// A hidden tab does not listen, and reads what it missed when it is shown again.
async fn a_hidden_tab_catches_up_when_shown(tab: &Tab, mira: &Client) {
    let seen = "
        Object.defineProperty(document, 'hidden', { configurable: true, value: !arguments[0] });
        document.dispatchEvent(new Event('visibilitychange'));
    ";
    tab.script(seen, &json!([false])).await;
    mira.messages().send("ada", "Hello?").await.unwrap();
    tab.script(seen, &json!([true])).await;
    reaches_count(tab, "mail", "4").await;
}

in_a_browser! {
    async fn live_updates_appear_and_keep_input(app: TestApp, tab: Tab) {
        let [ada, mira] = [app.person("ada", PASSWORD).await, app.person("mira", PASSWORD).await];
        app.follow(&ada, &mira).await;
        let mira = mira.client;
        let first = mira.messages().send("ada", "Are you there?").await.unwrap().message;
        tab.sign_in("ada", PASSWORD).await;
        tab.open(&format!("/messages/{}", first.conversation_id)).await;
        tab.fill("#write [name=content]", "half a sentence").await;
        mira.messages().send("ada", "I am on my way").await.unwrap();
        tab.comes_to_see("I am on my way").await;
        reaches_count(&tab, "mail", "2").await;
        // A phone has the entry, and with it the number, behind "More".
        reaches_count(&tab, "more", "2").await;
        assert_eq!(tab.shows("#unread-more .count").await, !tab.has_script);
        if tab.has_script {
            assert_eq!(tab.value("#write [name=content]").await, "half a sentence");
            let focus = tab.script("return document.activeElement.name", &json!([])).await;
            assert_eq!(focus, "content", "who types goes on typing");
        }
        tab.open("/notifications").await;
        mira.relations().follow("ada").await.unwrap();
        tab.comes_to_see("followed you").await;
        tab.open("/about").await;
        mira.messages().send("ada", "Are you?").await.unwrap();
        reaches_count(&tab, "mail", "3").await;
        if tab.has_script {
            a_hidden_tab_catches_up_when_shown(&tab, &mira).await;
        }
    }
}
