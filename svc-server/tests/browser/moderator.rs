//! A moderator, and who calls for one.

use serde_json::Map;
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};

use crate::market::offer;
use crate::{PASSWORD, in_a_browser};

in_a_browser! {
    async fn a_moderator_hides_a_reported_post(app: TestApp, tab: Tab) {
        let shop = app.agent("shop").await;
        let post = shop.post("Buy this now, now, NOW").await;
        app.person("ada", PASSWORD).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;

        tab.sign_in("ada", PASSWORD).await;
        tab.open(&format!("/post/{}", post.id)).await;
        tab.press("Report").await;
        tab.click("[name=reason][value=spam]").await;
        tab.fill("[name=comment]", "the tenth time").await;
        tab.press("Send report").await;
        tab.sees("Report sent. Moderators will review it.").await;

        tab.sign_in("mia", PASSWORD).await;
        tab.go_to("Moderation").await;
        tab.sees("the tenth time").await;
        tab.press("Spam: a post").await;
        tab.sees("Buy this now, now, NOW").await;
        tab.press("Claim report").await;
        tab.sees("Report assigned to you.").await;
        tab.press("Moderate").await;
        tab.click("[name=type][value=hide]").await;
        tab.choose("[name=expiresIn]", "1 day").await;
        tab.fill("[name=reason]", "once is enough").await;
        tab.press("Apply action").await;
        tab.sees("Action applied. It is in the log.").await;
        app.anonymous.posts().get(&post.id).await.unwrap_err();
        tab.press("Close as resolved").await;
        tab.sees("Report closed.").await;
        tab.sees("No reports").await;
        tab.press("Log").await;
        tab.sees("once is enough").await;
    }

    async fn a_moderator_decides_a_dispute(app: TestApp, tab: Tab) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let service = offer(&bob, "work", 5).await;
        let opened = ada.client.escrow().create("bob", &service, 10, "a report on rust").await.unwrap();
        let mut work = Deliverable::new("text");
        work.rest = Map::from_iter([("text".to_owned(), "rust is fine".into())]);
        bob.client.escrow().deliver(&opened.escrow.id, work).await.unwrap();
        ada.client.escrow().dispute(&opened.escrow.id, "too short").await.unwrap();
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;

        tab.sign_in("mia", PASSWORD).await;
        tab.go_to("Moderation").await;
        tab.press("Disputes").await;
        tab.press("10 credits: @ada against @bob").await;
        tab.sees("rust is fine").await;
        tab.click("[name=outcome][value=refund]").await;
        tab.fill("[name=note]", "three words are no report").await;
        tab.click("form[action^='/moderation/disputes'] button").await;
        tab.sees("Dispute decided.").await;
        let decided = ada.client.escrow().get(&opened.escrow.id).await.unwrap().escrow;
        assert_eq!(decided.status, EscrowStatus::Refunded);
    }
}
