//! Input is not lost, and has one effect.

use serde_json::json;

use crate::{PASSWORD, in_a_browser};

/// Signs another account in, as another tab does.
const SIGN_IN: &str = "
    const [username, password] = arguments;
    const headers = { 'content-type': 'application/json' };
    const how = { method: 'POST', headers, body: JSON.stringify({ username, password }) };
    return fetch('/api/auth/login', how).then((answer) => answer.status);
";

/// Sends a form twice, as its button does, and stops both before anything is sent. What the page does afterwards, it
/// does ten seconds later.
const STOPPED: &str = "
    const { form } = document.querySelector('#reply [name=content]');
    const sends = () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    const sent = [sends(), sends()], now = Date.now();
    Date.now = () => now + 10000;
    return sent;
";

in_a_browser! {
    async fn input_survives_the_end_of_a_session(app: TestApp, tab: Tab) {
        let post = app.agent("bot").await.post("ask me").await;
        app.person("ada", PASSWORD).await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open(&format!("/post/{}", post.id)).await;
        let typed = "a question with <angles> & \"quotes\"\nin two lines";
        tab.fill("#reply [name=content]", typed).await;
        tab.forget().await;
        tab.press("Reply").await;
        tab.fill("[name=username]", "ada").await;
        tab.fill("[name=password]", PASSWORD).await;
        tab.press("Sign in").await;
        tab.sees("Your input is still here").await;
        let has_focus = "return document.activeElement.matches('#reply .flash')";
        assert_eq!(tab.script(has_focus, &json!([])).await, json!(true));
        assert_eq!(tab.value("#reply [name=content]").await, typed);
        tab.press("Reply").await;
        tab.sees("Replied.").await;
        let replies = app.anonymous.posts().replies(&post.id).await.unwrap().posts;
        assert_eq!(replies[0].content, typed);
    }

    async fn a_double_click_has_one_effect(app: TestApp, tab: Tab) {
        let post = app.agent("bot").await.post("ask me").await;
        app.person("ada", PASSWORD).await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open(&format!("/post/{}", post.id)).await;
        tab.fill("#reply [name=content]", "only once").await;
        tab.press_twice("Reply").await;
        tab.sees("Replied.").await;
        let replies = app.anonymous.posts().replies(&post.id).await.unwrap().posts;
        assert_eq!(replies.len(), 1);
    }

    async fn a_form_whose_sending_was_stopped_can_be_sent_later(app: TestApp, tab: Tab) {
        if !tab.has_script {
            return;
        }
        let post = app.agent("bot").await.post("ask me").await;
        app.person("ada", PASSWORD).await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open(&format!("/post/{}", post.id)).await;
        tab.fill("#reply [name=content]", "at last").await;
        let sent = tab.script(STOPPED, &json!([])).await;
        assert_eq!(sent, json!([true, false]), "the second click of a double click sends nothing");
        tab.press("Reply").await;
        tab.sees("Replied.").await;
        let replies = app.anonymous.posts().replies(&post.id).await.unwrap().posts;
        assert_eq!(replies[0].content, "at last");
    }

    async fn a_like_is_not_that_of_an_account_in_another_tab(app: TestApp, tab: Tab) {
        let post = app.agent("bot").await.post("like me").await.id;
        app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open(&format!("/post/{post}")).await;
        assert_eq!(tab.script(SIGN_IN, &json!(["bob", PASSWORD])).await, 200);
        tab.click(".acts .like").await;
        tab.sees("You are now signed in as @bob").await;
        let likes = async || app.anonymous.posts().get(&post).await.unwrap().post.likes_count;
        assert_eq!(likes().await, 0);
        tab.open(&format!("/post/{post}")).await;
        tab.click(".acts .like").await;
        tab.find(".acts .like[aria-pressed=true]").await;
        assert_eq!(likes().await, 1);
    }

    async fn a_refusal_is_shown_at_its_field_and_other_input_stays(app: TestApp, tab: Tab) {
        tab.open("/join").await;
        tab.fill("[name=username]", "7up").await;
        tab.fill("[name=displayName]", "Ada \"A\" <L>").await;
        tab.fill("[name=email]", "ada@example.org").await;
        tab.fill("[name=password]", PASSWORD).await;
        tab.click("form[action='/join'] button").await;
        tab.find("[name=username][aria-invalid]").await;
        assert!(tab.text().await.contains("must be 3 to 30 letters"), "{}", tab.text().await);
        assert_eq!(tab.value("[name=displayName]").await, "Ada \"A\" <L>");
        assert_eq!(tab.value("[name=email]").await, "ada@example.org");
        assert_eq!(tab.value("[name=password]").await, "", "a password is not shown again");
        tab.fill("[name=username]", "ada").await;
        tab.fill("[name=password]", PASSWORD).await;
        tab.click("form[action='/join'] button").await;
        tab.sees("Welcome.").await;
        assert_eq!(app.anonymous.users().get("ada").await.unwrap().user.display_name, "Ada \"A\" <L>");
    }

    async fn the_not_found_page_leads_back_and_out(app: TestApp, tab: Tab) {
        app.person("ada", PASSWORD).await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open("/no/such/page").await;
        tab.sees("Page not found").await;
        tab.press("Back to home").await;
        tab.find(".me[href='/@ada']").await;
        tab.go_to("Sign out").await;
        tab.sees("You are signed out.").await;
        assert_eq!(tab.path().await, "/");
    }

    async fn a_person_who_signs_out_twice_can_sign_in_again(app: TestApp, tab: Tab) {
        app.person("ada", PASSWORD).await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open("/settings/developer").await;
        tab.forget().await;
        tab.go_to("Sign out").await;
        tab.fill("[name=username]", "ada").await;
        tab.fill("[name=password]", PASSWORD).await;
        tab.press("Sign in").await;
        tab.find(".me[href='/@ada']").await;
        tab.find("#compose").await;
    }

    async fn wrong_fields_are_linked_from_a_summary_with_the_focus(_app: TestApp, tab: Tab) {
        tab.open("/join").await;
        tab.script("document.querySelector(\"form[action='/join']\").noValidate = true", &json!([])).await;
        for (name, text) in [("username", "7"), ("email", "no"), ("password", "short")] {
            tab.fill(&format!("[name={name}]"), text).await;
        }
        tab.click("form[action='/join'] button").await;
        tab.sees("3 fields need a change.").await;
        let focus = tab.script("return document.activeElement.className", &json!([])).await;
        assert_eq!(focus, "wrong");
        tab.click(".wrong li:nth-child(2) a").await;
        assert_eq!(tab.script("return location.hash", &json!([])).await, "#field-email");
        tab.find("#field-email[name=email][aria-invalid]").await;
    }
}
