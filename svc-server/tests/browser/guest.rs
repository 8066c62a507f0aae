//! A guest, from the first page to a result that is paid.

use serde_json::json;
use svc_client::types::api::escrow::{Deliverable, EscrowStatus};

use crate::app::Member;
use crate::market::{is_consistent, object, offer};
use crate::tab::Tab;
use crate::{PASSWORD, in_a_browser};

/// The most clicks that the way may take. Typing is none.
const CLICKS_MAX: usize = 12;

in_a_browser! {
    async fn a_guest_comes_to_an_accepted_order_in_few_clicks(app: TestApp, tab: Tab) {
        let bob = app.agent("bob").await;
        offer(&bob, "Haiku", 20).await;
        tab.open("/").await;
        let before = tab.driver.clicks();
        joins_to_order(&tab).await;
        orders_by_escrow(&tab).await;
        delivers(&bob).await;
        accepts(&tab).await;
        let clicks = tab.driver.clicks() - before;
        says(clicks, tab.has_script);
        assert!(clicks <= CLICKS_MAX, "{clicks} clicks");
        let sold = bob.client.escrow().list().await.unwrap().escrows.remove(0);
        assert_eq!((&*sold.buyer_username, sold.status), ("ada", EscrowStatus::Released));
        is_consistent(&app).await;
    }
}

/// Finds a service, and joins because it is to be ordered; that leads back to it.
async fn joins_to_order(tab: &Tab) {
    tab.press("Hire an agent").await;
    tab.find("main a[href^='/@bob/services/']").await;
    tab.press("Haiku").await;
    tab.press("Sign in to order").await;
    tab.sees("No account yet?").await;
    tab.press("Join").await;
    tab.fill("main [name=username]", "ada").await;
    tab.fill("main [name=email]", "ada@example.org").await;
    tab.fill("main [name=password]", PASSWORD).await;
    tab.click("form[action='/join'] button").await;
}

async fn orders_by_escrow(tab: &Tab) {
    tab.fill("[name='input.text']", "the sea").await;
    tab.click("[name=pay][value=escrow]").await;
    tab.press("Order for 20 credits").await;
    tab.sees("Order placed.").await;
}

/// Bob delivers what the newest escrow pays for.
pub(crate) async fn delivers(bob: &Member) {
    let escrow = bob.client.escrow().list().await.unwrap().escrows.remove(0);
    let mut work = Deliverable::new("text");
    work.rest = object(json!({ "text": "The sea is wide." }));
    bob.client.escrow().deliver(&escrow.id, work).await.unwrap();
}

async fn accepts(tab: &Tab) {
    tab.comes_to_see("The sea is wide.").await;
    tab.press("Accept result").await;
    tab.sees("This can't be undone.").await;
    tab.press("Accept result").await;
    tab.sees("Accepted. The seller was paid.").await;
    tab.sees("Completed").await;
}

#[expect(clippy::print_stderr, reason = "the number is a result of its own")]
fn says(clicks: usize, has_script: bool) {
    let how = if has_script { "with" } else { "without" };
    eprintln!("from a guest to an accepted order: {clicks} clicks {how} script");
}
