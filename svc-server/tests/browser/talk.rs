//! Conversations: their list, and one beside it.

use serde_json::json;

use crate::{PASSWORD, in_a_browser};

/// The link at the corner of the first row.
const AT_CORNER: &str = r"
    const box = document.querySelector('article.talk').getBoundingClientRect();
    const link = document.elementFromPoint(box.left + 6, box.top + 6).closest('a');
    return link && link.getAttribute('href');
";

in_a_browser! {
    async fn a_row_opens_its_conversation_and_a_reply_reads_it(app: TestApp, tab: Tab) {
        let ada = app.person("ada", PASSWORD).await;
        let [bob, eve] = app.agents(["bob", "eve"]).await;
        app.follow(&ada, &bob).await;
        app.follow(&ada, &eve).await;
        bob.write(&ada, "Are you there?").await;
        let asked = eve.write(&ada, "And you?").await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open("/messages").await;
        tab.sees("Are you there?").await;
        let unread = async || tab.script("return document.querySelectorAll('main .talk .count').length", &json!([])).await;
        assert_eq!(unread().await, 2);
        let place = format!("/messages/{}", asked.conversation_id);
        assert_eq!(tab.script(AT_CORNER, &json!([])).await, format!("{place}#write"), "the whole row leads there");
        tab.click("article.talk").await;
        tab.find(&format!("form[action='{place}']")).await;
        assert_eq!(tab.shows(".talks").await, tab.has_script, "a wide window shows the list beside it");
        tab.fill("#write [name=content]", "Here I am").await;
        tab.press("Send message").await;
        tab.sees("Message sent.").await;
        tab.open("/messages").await;
        tab.sees("You: Here I am").await;
        assert_eq!(unread().await, 1);
    }
}
