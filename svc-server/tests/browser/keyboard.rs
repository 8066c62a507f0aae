//! The keyboard alone.

use serde_json::{Value, json};
use svc_client::types::api::escrow::EscrowStatus;

use crate::guest::delivers;
use crate::market::{Market, offer};
use crate::tab::Tab;
use crate::{PASSWORD, in_a_browser};

/// The codes of keys without a character (W3C `WebDriver`, section 17.4.2).
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const UP: &str = "\u{e013}";
const DOWN: &str = "\u{e015}";

/// More stops than a page of these tests has.
const STOPS_MAX: usize = 120;

/// What has the focus: its words, where it is in the page, whether the focus is seen, and whether
/// another element covers it.
const FOCUS: &str = r#"
    const one = document.activeElement;
    if (!one || one === document.body) return null;
    const box = one.getBoundingClientRect();
    const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return {
        words: (one.getAttribute("aria-label") || one.innerText || one.name || one.id).trim(),
        place: [...document.querySelectorAll("*")].indexOf(one),
        isMarked: getComputedStyle(one).outlineStyle !== "none",
        isCovered: !above || !(one.contains(above) || above.contains(one)),
    };
"#;

async fn focus(tab: &Tab) -> Value {
    tab.script(FOCUS, &json!([])).await
}

/// Moves the focus on until it is on the link, button or field with these words or this name, where it is
/// seen.
async fn reaches(tab: &Tab, words: &str) {
    for _ in 0..STOPS_MAX {
        tab.keys(TAB).await;
        let focus = focus(tab).await;
        if focus["words"] == words {
            let is_seen = focus["isMarked"] == true && focus["isCovered"] == false;
            assert!(is_seen, "{focus}");
            return;
        }
    }
    panic!("the focus never came to {words:?}: {}", tab.text().await);
}

/// Follows a link or presses a button.
async fn chooses(tab: &Tab, words: &str) {
    reaches(tab, words).await;
    tab.keys(ENTER).await;
}

async fn signs_in(tab: &Tab, username: &str) {
    tab.open("/login").await;
    reaches(tab, "username").await;
    tab.keys(username).await;
    reaches(tab, "password").await;
    tab.keys(PASSWORD).await;
    tab.keys(ENTER).await;
    tab.find(&format!(".me[href='/@{username}']")).await;
}

in_a_browser! {
    async fn a_person_signs_in_and_posts_with_the_keyboard(app: TestApp, tab: Tab) {
        app.person("ada", PASSWORD).await;
        tab.open("/login").await;
        tab.keys(TAB).await;
        assert_eq!(focus(&tab).await["words"], "Skip to content");
        tab.keys(ENTER).await;
        assert_eq!(tab.script("return location.hash", &json!([])).await, "#main");
        tab.keys(TAB).await;
        tab.keys("ada").await;
        tab.keys(TAB).await;
        tab.keys(PASSWORD).await;
        tab.keys(ENTER).await;
        tab.find(".me[href='/@ada']").await;

        tab.keys(&[TAB, ENTER, TAB].concat()).await;
        tab.keys("without a mouse").await;
        tab.keys(&[TAB, TAB, TAB].concat()).await;
        assert_eq!(focus(&tab).await["words"], "Post");
        tab.keys(ENTER).await;
        tab.sees("Posted.").await;
        let posts = app.anonymous.feed().global().await.unwrap().posts;
        assert_eq!(posts[0].content, "without a mouse");
    }

    async fn a_buyer_orders_and_accepts_with_the_keyboard(app: TestApp, tab: Tab) {
        let bob = app.agent("bob").await;
        offer(&bob, "Haiku", 20).await;
        app.person("ada", PASSWORD).await;
        signs_in(&tab, "ada").await;
        chooses(&tab, "Services").await;
        tab.find("main .filter").await;
        chooses(&tab, "Haiku").await;
        tab.find("[name='input.text']").await;
        reaches(&tab, "input.text").await;
        tab.keys("the sea").await;
        reaches(&tab, "pay").await;
        tab.keys(UP).await;
        assert_eq!(tab.value("[name=pay]:checked").await, "escrow");
        chooses(&tab, "Order for 20 credits").await;
        tab.sees("Order placed.").await;
        delivers(&bob).await;
        if !tab.has_script {
            chooses(&tab, "Orders").await;
            tab.find("main .tabs").await;
            chooses(&tab, "Haiku").await;
        }
        tab.sees("The sea is wide.").await;
        chooses(&tab, "Accept result").await;
        tab.sees("This can't be undone.").await;
        chooses(&tab, "Accept result").await;
        tab.sees("Accepted. The seller was paid.").await;
        let sold = bob.client.escrow().list().await.unwrap().escrows.remove(0);
        assert_eq!(sold.status, EscrowStatus::Released);
    }

    async fn a_moderator_decides_a_dispute_with_the_keyboard(app: TestApp, tab: Tab) {
        let market = Market::new(app).await;
        let disputed = market.escrow(&EscrowStatus::Disputed).await.id;
        market.app.person("mia", PASSWORD).await;
        market.app.grant_role("mia", "moderator").await;
        signs_in(&tab, "mia").await;
        if !tab.has_script {
            chooses(&tab, "More").await;
        }
        chooses(&tab, "Moderation").await;
        tab.find("main .tabs").await;
        chooses(&tab, "Disputes").await;
        tab.sees("@ada against @bob").await;
        chooses(&tab, "10 credits: @ada against @bob").await;
        tab.find("[name=outcome]").await;
        reaches(&tab, "outcome").await;
        tab.keys(DOWN).await;
        assert_eq!(tab.value("[name=outcome]:checked").await, "refund");
        reaches(&tab, "note").await;
        tab.keys("two lines are no haiku").await;
        chooses(&tab, "Decide dispute").await;
        tab.sees("Dispute decided.").await;
        assert_eq!(market.seen(&disputed).await.status, EscrowStatus::Refunded);
    }

    async fn the_focus_moves_down_the_page_and_is_always_visible(app: TestApp, tab: Tab) {
        app.person("ada", PASSWORD).await;
        for name in ["one", "two", "three", "four"] {
            app.agent(name).await.post("A post.\n\nOf some\n\nlines.").await;
        }
        tab.sign_in("ada", PASSWORD).await;
        for path in ["/feed?sort=new", "/settings"] {
            tab.open(path).await;
            let mut last = -1;
            let mut stops = 0;
            loop {
                tab.keys(TAB).await;
                let focus = focus(&tab).await;
                let Some(place) = focus["place"].as_i64() else { break };
                assert!(place > last, "{path} goes back to {focus}");
                assert_eq!((&focus["isMarked"], &focus["isCovered"]), (&json!(true), &json!(false)), "{path}: {focus}");
                (last, stops) = (place, stops + 1);
                assert!(stops < STOPS_MAX, "{path} has no end");
            }
            assert!(stops > 20, "{path} has {stops} stops");
        }
    }

    async fn keys_move_between_posts_and_open_help(app: TestApp, tab: Tab) {
        for name in ["one", "two"] {
            app.agent(name).await.post(&format!("by {name}")).await;
            app.advance(1);
        }
        tab.open("/feed?sort=new").await;
        let post = "const post = document.activeElement.closest('article');
            return post && post.innerText.includes(arguments[0])";
        for (key, words) in [("j", "by two"), ("j", "by one"), ("k", "by two")] {
            tab.keys(key).await;
            let is_there = tab.script(post, &json!([words])).await;
            assert_eq!(is_there, if tab.has_script { json!(true) } else { Value::Null }, "{key}");
        }
        tab.keys("?").await;
        assert_eq!(tab.shows("dialog[open]").await, tab.has_script);
    }

    async fn a_setting_turns_keys_off(app: TestApp, tab: Tab) {
        app.person("ada", PASSWORD).await;
        app.agent("one").await.post("by one").await;
        tab.sign_in("ada", PASSWORD).await;
        tab.open("/settings/appearance").await;
        assert_eq!(tab.shows("main [data-keys]").await, tab.has_script);
        if tab.has_script {
            tab.click("main [data-keys] input").await;
        }
        tab.open("/feed?sort=new").await;
        tab.keys("j").await;
        let is_there = "return document.activeElement.closest('article') !== null";
        assert_eq!(tab.script(is_there, &json!([])).await, false);
    }
}
