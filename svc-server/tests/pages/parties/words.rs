//! What the pages of orders say: who is who, what an act does, and whom it is about.

use serde_json::json;
use svc_client::types::EscrowId;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::orders::ProgressState;
use svc_client::types::api::services::Acceptance;
use svc_client::types::service_message::ResponseStatus;

use super::{Sides, sends};
use crate::browser::{Browser, PASSWORD, Page};
use crate::on_both_engines;

/// The label of the choice with this value.
#[track_caller]
fn choice<'a>(page: &'a Page, value: &str) -> &'a str {
    let begin = format!("value=\"{value}\"");
    let (_, rest) =
        page.text.split_once(&begin).unwrap_or_else(|| panic!("no {value}: {}", page.text));
    rest.split_once('>').unwrap().1.split("</label>").next().unwrap().trim()
}

/// Types into the form of a page and sends it; what the page behind it says was done.
async fn said(browser: &Browser<'_>, path: &str, typed: &[(&str, &str)]) -> String {
    let sent = sends(browser, path, typed).await;
    browser.get(sent.to()).await.html().of_class("flash").concat()
}

on_both_engines! {
    async fn the_page_after_an_act_says_what_became_of_the_credits(app: TestApp) {
        let sides = Sides::new(&app).await;
        let (of_ada, of_bob) = (&sides.of_ada, &sides.of_bob);
        let at = |id: &EscrowId, word: &str| format!("/escrow/{id}/{word}");
        let unpaid = sides.open(120).await;
        assert_eq!(said(of_ada, &at(&unpaid, "cancel"), &[]).await, "The order has ended. Nothing was paid.");
        let id = sides.open(60).await;
        let delivers = [("deliverable.text", "a draft")];
        for (browser, word, typed, says) in [
            (of_bob, "deliver", delivers, "Delivered. The buyer has been notified."),
            (of_ada, "dispute", [("reason", "too short")], "Disputed. Deadlines are paused."),
            (of_bob, "respond", [("response", "it is long")], "Response added to the dispute."),
            (of_bob, "offer-split", [("providerAmount", "20")], "Split offered. It applies once the other party accepts it."),
        ] {
            assert_eq!(said(browser, &at(&id, word), &typed).await, says, "{word}");
        }
        let split = said(of_ada, &at(&id, "accept-split"), &[]).await;
        assert_eq!(split, "Split accepted. Both parties received their part.");
        let accepted = sides.open(30).await;
        sides.acts(of_bob, &accepted, "deliver", &delivers).await;
        of_bob.get("/orders").await;
        assert_eq!(said(of_ada, &at(&accepted, "release"), &[]).await, "Accepted. The seller was paid.");
        let refunded = "The order has ended, and the buyer was refunded.";
        let declined = sides.open(30).await;
        assert_eq!(said(of_bob, &at(&declined, "decline"), &[]).await, refunded);
        let given_back = sides.open(30).await;
        sides.acts(of_bob, &given_back, "deliver", &delivers).await;
        assert_eq!(said(of_bob, &at(&given_back, "refund"), &[]).await, refunded);
        let paid = sides.open(120).await;
        app.grant_credits("ada", 120).await;
        let held = "Paid. The credits are held until you accept the result.";
        assert_eq!(said(of_ada, &at(&paid, "fund"), &[]).await, held);

        let service = format!("/@bob/services/{}", sides.service);
        let placed = said(of_ada, &service, &[("input.text", "a fox")]).await;
        assert_eq!(placed, "Order placed. The result will appear here.");
        let path = sides.ordered(5).await;
        let answered = said(of_bob, &path, &[("output.text", "a fox")]).await;
        assert_eq!(answered, "Result delivered. The order is complete.");
        let form = of_ada.get(&path).await.form(&format!("{path}/review")).with("rating", "4");
        let reviewed = of_ada.get(of_ada.send(&form).await.to()).await;
        assert_eq!(reviewed.html().of_class("flash"), ["Thank you. Your review is public."]);
        let path = sides.ordered(5).await;
        let declined = said(of_bob, &format!("{path}/decline"), &[("reason", "no time")]).await;
        assert_eq!(declined, "Order declined. The buyer was refunded.");
    }

    async fn each_party_of_an_order_reads_who_is_who_and_what_ends_it(app: TestApp) {
        let sides = Sides::new(&app).await;
        let updating = sides.bob.client.services().update(&sides.service);
        updating.acceptance(Acceptance::Explicit).await.unwrap();
        let path = sides.ordered(5).await;
        let row = |role: &str, name: &str, is_you: bool| {
            let you = if is_you { " (you)" } else { "" };
            format!("<dt>{role}</dt><dd><a href=\"/@{name}\">@{name}</a>{you}</dd>")
        };
        for (browser, is_buyer) in [(&sides.of_ada, true), (&sides.of_bob, false)] {
            let page = browser.get(&path).await;
            for row in [row("Buyer", "ada", is_buyer), row("Seller", "bob", !is_buyer)] {
                assert!(page.text.contains(&row), "{row}: {}", page.text);
            }
        }
        let own = sides.of_ada.get("/orders").await.text;
        assert!(own.contains("from @bob") && !own.contains("for @ada"), "{own}");
        let sold = sides.of_bob.get("/orders?tab=selling").await.text;
        assert!(sold.contains("for @ada") && !sold.contains("from @bob"), "{sold}");
        let cancel = sides.of_ada.get(&format!("{path}/cancel")).await;
        let effect = "<bdi>work</bdi></b> from @bob ends, and you are refunded 5 credits.";
        assert!(cancel.text.contains(effect), "{}", cancel.text);
        let decline = sides.of_bob.get(&format!("{path}/decline")).await;
        let effect = "<bdi>work</bdi></b> ends, and @ada is refunded at once.";
        assert!(decline.text.contains(effect), "{}", decline.text);
        let service = format!("/@bob/services/{}", sides.service);
        for (browser, is_own) in [(&sides.of_bob, true), (&sides.of_ada, false)] {
            let page = browser.get(&service).await;
            assert_eq!(page.text.contains("This is your service."), is_own, "{}", page.text);
            assert_eq!(page.text.contains(&format!("action=\"{service}\"")), !is_own, "{}", page.text);
        }
    }

    async fn an_act_names_the_price_and_both_parties_and_says_what_it_does(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let refunded = "the buyer is refunded at once";
        for (browser, word, effect) in [
            (&sides.of_ada, "cancel", "you are refunded at once"),
            (&sides.of_bob, "decline", refunded),
            (&sides.of_bob, "deliver", "The buyer is notified and reviews the result"),
        ] {
            let page = browser.get(&format!("/escrow/{id}/{word}")).await;
            for part in [effect, "<b>60 credits</b>", "@ada buys from @bob"] {
                assert!(page.text.contains(part), "{word} {part}: {}", page.text);
            }
        }
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        for (browser, word, effect) in [
            (&sides.of_ada, "release", "The seller is paid at once."),
            (&sides.of_ada, "dispute", "a moderator decides who gets the credits"),
            (&sides.of_bob, "refund", refunded),
            (&sides.of_bob, "offer-split", "The other party can accept your offer"),
        ] {
            let page = browser.get(&format!("/escrow/{id}/{word}")).await;
            assert!(page.text.contains(effect), "{word}: {}", page.text);
        }
        for (browser, role) in [(&sides.of_ada, "buyer"), (&sides.of_bob, "provider")] {
            let list = browser.get(&format!("/escrow?role={role}")).await.text;
            assert!(list.contains("<b>60 credits</b>") && list.contains("@ada buys from @bob"), "{list}");
        }
    }

    async fn a_moderator_who_decides_reads_who_gets_the_credits(app: TestApp) {
        let sides = Sides::new(&app).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let id = sides.open(60).await;
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft is no report")]).await;
        let of_mia = Browser::of(&app, "mia").await;
        let list = of_mia.get("/moderation/disputes").await.text;
        assert!(list.contains("60 credits: @ada against @bob") && list.contains("not answered yet"), "{list}");
        let decide = format!("/moderation/disputes/{id}");
        let page = of_mia.get(&decide).await;
        assert!(choice(&page, "release").starts_with("Pay the seller, @bob:"), "{}", page.text);
        assert!(choice(&page, "refund").starts_with("Refund the buyer, @ada:"), "{}", page.text);
        sides.acts(&sides.of_bob, &id, "respond", &[("response", "it is long")]).await;
        let list = of_mia.get("/moderation/disputes").await.text;
        assert!(list.contains("· answered") && !list.contains("not answered"), "{list}");
        let form = page.form(&decide).with("note", "it is a report");
        assert_eq!(of_mia.send(&form.with("outcome", "release")).await.to(), "/moderation/disputes");
        let page = sides.of_ada.get(&format!("/escrow/{id}")).await;
        for part in ["The seller is paid.", "The dispute was decided for the seller.", "it is a report"] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        assert!(page.text.contains("by a moderator, ") && !page.text.contains("by @mia"), "{}", page.text);
        assert!(of_mia.get(&format!("/escrow/{id}")).await.text.contains("by @mia"));
        assert_eq!(sides.seen(&id).await.status, EscrowStatus::Released);
    }

    async fn a_dispute_that_a_party_ends_names_no_moderator(app: TestApp) {
        let sides = Sides::new(&app).await;
        for (word, end) in [
            ("release", "The buyer accepted the result."),
            ("refund", "The seller refunded the buyer."),
            ("accept-split", "The credits were split."),
        ] {
            let id = sides.open(20).await;
            sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
            sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft is no report")]).await;
            sides.acts(&sides.of_bob, &id, "offer-split", &[("providerAmount", "5")]).await;
            let browser = if word == "refund" { &sides.of_bob } else { &sides.of_ada };
            sides.acts(browser, &id, word, &[]).await;
            let page = sides.of_ada.get(&format!("/escrow/{id}")).await.text;
            assert!(page.contains(end) && page.contains("a draft is no report"), "{word}: {page}");
            assert!(!page.contains("id=\"decision\"") && !page.contains("A moderator"), "{word}: {page}");
        }
    }

    async fn an_order_that_failed_says_why_and_that_it_cost_nothing(app: TestApp) {
        let sides = Sides::new(&app).await;
        for (status, badge, why) in
            [(ResponseStatus::Error, "Failed", "broken"), (ResponseStatus::Rejected, "Declined", "busy")]
        {
            let path = sides.ordered(5).await;
            let id = path.trim_start_matches("/orders/").into();
            sides.closes(&id, status).await;
            for browser in [&sides.of_ada, &sides.of_bob] {
                let page = browser.get(&path).await;
                let stands = format!("<span class=\"state bad\">{badge}</span>");
                assert!(page.text.contains(&stands) && page.text.contains(why), "{}", page.text);
                assert!(!page.text.contains("id=\"next\"") && !page.text.contains("Paid</dt><dd>5"), "{}", page.text);
            }
        }
        let listed = sides.of_ada.get("/orders").await.text;
        assert_eq!((listed.matches(">Failed<").count(), listed.matches(">Declined<").count()), (1, 1), "{listed}");
    }

    async fn a_seller_asks_and_the_badge_says_whose_turn_it_is(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let id = path.trim_start_matches("/orders/");
        let asking = sides.bob.client.orders().progress(id, ProgressState::InputRequired);
        asking.prompt("which colour?").await.unwrap();
        for (browser, tab, badge) in [
            (&sides.of_ada, "buying", ">Your input is needed<"),
            (&sides.of_bob, "selling", ">Waiting for input<"),
        ] {
            for path in [path.as_str(), &format!("/orders?tab={tab}")] {
                let page = browser.get(path).await.text;
                assert!(page.contains(badge), "{path} {badge}: {page}");
            }
        }
        let deal = sides.open(60).await;
        let order = sides.paid_order(&deal, json!({ "text": "a fox" })).await;
        sides.acts(&sides.of_bob, &deal, "deliver", &[("deliverable.text", "a fox")]).await;
        for (browser, badge) in [(&sides.of_ada, ">Delivered: review it<"), (&sides.of_bob, ">Delivered: in review<")] {
            let page = browser.get(&format!("/orders/{order}")).await.text;
            assert!(page.contains(badge), "{badge}: {page}");
        }
    }
}
