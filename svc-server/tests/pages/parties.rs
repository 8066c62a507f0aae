//! Both parties of a deal and both sides of an order, each by their own forms.

mod free;
mod orders;
mod partials;
mod words;

use http::StatusCode;
use serde_json::{Value, json};
use svc_client::types::api::escrow::{Escrow, EscrowStatus};
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::service_message::{ResponseStatus, ServiceMessage};
use svc_client::types::{EscrowId, MessageId, ServiceId, ServiceResponse};

use crate::app::{Member, TestApp};
use crate::browser::{Browser, PASSWORD, Page};
use crate::market::{has, is_consistent, object, offer, order};
use crate::on_both_engines;

/// A buyer and an agent that offers a service, each in a browser of its own.
pub(crate) struct Sides<'a> {
    app: &'a TestApp,
    pub(crate) ada: Member,
    pub(crate) bob: Member,
    pub(crate) of_ada: Browser<'a>,
    pub(crate) of_bob: Browser<'a>,
    pub(crate) service: ServiceId,
}

impl<'a> Sides<'a> {
    pub(crate) async fn new(app: &'a TestApp) -> Self {
        let ada = app.person("ada", PASSWORD).await;
        let joining = app.anonymous.auth().register_person("bob", "bob@example.org", PASSWORD);
        let joined = joining.with(|request| request.is_agent = Some(true)).await.unwrap();
        let client = app.client(joined.api_key.clone());
        let bob = Member { user: joined.user, key: joined.api_key, client };
        let service = offer(&bob, "work", 5).await;
        let (of_ada, of_bob) = (Browser::of(app, "ada").await, Browser::of(app, "bob").await);
        Self { app, ada, bob, of_ada, of_bob, service }
    }

    async fn open(&self, amount: u32) -> EscrowId {
        let opening = self.ada.client.escrow().create("bob", &self.service, amount, "a report");
        opening.await.unwrap().escrow.id
    }

    async fn seen(&self, id: &EscrowId) -> Escrow {
        self.ada.client.escrow().get(id).await.unwrap().escrow
    }

    /// Sends the form of an act with this typed into it, and goes to the deal.
    async fn acts(&self, browser: &Browser<'a>, id: &EscrowId, word: &str, typed: &[(&str, &str)]) {
        let page = sends(browser, &format!("/escrow/{id}/{word}"), typed).await;
        let order = self.seen(id).await.request_id;
        let expected = order.map_or(format!("/escrow/{id}"), |order| format!("/orders/{order}"));
        assert_eq!(page.to(), expected, "{word}");
    }

    async fn ordered(&self, offered: u32) -> String {
        let sending =
            self.ada.client.messages().request_service("bob", order(&self.service, offered));
        format!("/orders/{}", sending.await.unwrap().message.message_id)
    }

    /// An order over 60 credits with this input, which an escrow pays.
    async fn paid_order(&self, escrow: &EscrowId, input: Value) -> MessageId {
        let mut asked = order(&self.service, 60);
        asked.escrow_id = Some(escrow.clone());
        asked.input = object(input);
        let sending = self.ada.client.messages().request_service("bob", asked);
        sending.await.unwrap().message.message_id
    }

    /// Bob closes an order.
    async fn closes(&self, order: &MessageId, status: ResponseStatus) {
        let answer = crate::market::response(order, status);
        self.bob.client.messages().respond_to("ada", answer).await.unwrap();
    }

    /// The state of an order, and its answer.
    async fn answered(&self) -> (RequestStatus, Option<ServiceResponse>) {
        let messages = self.ada.client.messages().list().await.unwrap().messages;
        let state = messages.iter().find_map(|message| message.request.clone()).unwrap();
        let answer = messages.iter().find_map(|message| {
            match ServiceMessage::parse(&message.content).unwrap() {
                Some(ServiceMessage::Response(response)) => Some(response),
                _ => None,
            }
        });
        (state.status, answer)
    }
}

/// Types into the form of a page and sends it.
async fn sends(browser: &Browser<'_>, path: &str, typed: &[(&str, &str)]) -> Page {
    let form = browser.get(path).await.form(path);
    browser.send(&typed.iter().fold(form, |form, (name, text)| form.with(name, text))).await
}

/// A refused form shows the error at this field and keeps the input of another.
#[track_caller]
fn assert_error_at(page: &Page, path: &str, field: &str, kept: (&str, &str)) {
    assert!(page.status.is_client_error(), "{}", page.text);
    let html = page.html();
    let wrong: Vec<_> =
        html.0.iter().filter(|one| one.attributes.contains_key("aria-invalid")).collect();
    assert_eq!(wrong.len(), 1, "{path}: {}", page.text);
    assert_eq!(wrong[0].attributes["name"], field, "{path}");
    assert!(!html.of_class("problem")[0].is_empty());
    assert_eq!(page.form(path).value(kept.0), kept.1, "{path}");
}

on_both_engines! {
    async fn a_deal_is_paid_delivered_and_released_with_a_rating_by_forms(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(120).await;
        assert_eq!(sides.seen(&id).await.status, EscrowStatus::Created);
        for path in [format!("/escrow/{id}"), format!("/escrow/{id}/cancel"), format!("/escrow/{id}/decline")] {
            let browser = if path.ends_with("decline") { &sides.of_bob } else { &sides.of_ada };
            let page = browser.get(&path).await;
            assert!(!page.text.contains("refunded"), "nothing was paid: {}", page.text);
        }
        let fund = format!("/escrow/{id}/fund");
        let page = sides.of_ada.get(&fund).await;
        assert!(page.text.contains("This costs 120 credits; your balance is 100."), "{}", page.text);
        assert!(page.text.contains("<button class=\"button\" disabled>Pay order"), "{}", page.text);
        let short = sends(&sides.of_ada, &fund, &[]).await;
        assert_eq!(short.status, StatusCode::CONFLICT, "{}", short.text);
        app.grant_credits("ada", 20).await;
        let page = sides.of_ada.get(&fund).await;
        assert!(page.text.contains("Balance after order: 0"), "{}", page.text);
        assert!(!page.text.contains("disabled"), "{}", page.text);
        sides.acts(&sides.of_ada, &id, "fund", &[]).await;
        assert_eq!(sides.seen(&id).await.status, EscrowStatus::Funded);
        assert_eq!(has(&sides.ada).await, "0+120");

        let typed = [("deliverable.type", "text"), ("deliverable.text", "done & dusted"), ("notes", "as asked")];
        sides.acts(&sides.of_bob, &id, "deliver", &typed).await;
        let seen = sides.seen(&id).await;
        assert_eq!((seen.status, seen.notes.as_deref()), (EscrowStatus::Delivered, Some("as asked")));
        let work = serde_json::to_value(seen.deliverable.unwrap()).unwrap();
        assert_eq!(work, json!({ "type": "text", "text": "done & dusted" }));

        sides.acts(&sides.of_ada, &id, "release", &[("rating", "4.5"), ("feedback", "good")]).await;
        let seen = sides.seen(&id).await;
        assert_eq!((seen.status, seen.feedback.as_deref()), (EscrowStatus::Released, Some("good")));
        assert_eq!(serde_json::to_value(seen.rating).unwrap(), json!(4.5));
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["0+0", "220+0"]);
        let page = sides.of_ada.get(&format!("/escrow/{id}")).await;
        assert!(!page.text.contains("id=\"rate\""), "nothing was ordered that could be reviewed: {}", page.text);
        is_consistent(sides.app).await;
    }

    async fn a_deal_is_disputed_answered_and_given_back_by_forms(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft is no report"), ("evidence", "page 1")]).await;
        sides.acts(&sides.of_bob, &id, "respond", &[("response", "it is long"), ("evidence", "page 2")]).await;
        let seen = sides.seen(&id).await;
        let dispute = seen.dispute.unwrap();
        assert_eq!(seen.status, EscrowStatus::Disputed);
        assert_eq!((dispute.reason.as_str(), dispute.response.as_deref()), ("a draft is no report", Some("it is long")));
        assert_eq!([dispute.evidence, dispute.response_evidence], [Some(json!("page 1")), Some(json!("page 2"))]);
        let page = sides.of_ada.get(&format!("/escrow/{id}")).await;
        let (_, shown) = page.text.split_once("id=\"dispute\"").unwrap();
        let parts = ["a draft is no report", "page 1", "it is long", "page 2"];
        let places = parts.map(|part| shown.find(part));
        assert!(places[0].is_some() && places.is_sorted(), "each party with its evidence: {shown}");
        sides.acts(&sides.of_bob, &id, "refund", &[("reason", "have it back")]).await;
        assert_eq!(sides.seen(&id).await.status, EscrowStatus::Refunded);
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["100+0", "100+0"]);
        let declined = sides.open(30).await;
        sides.acts(&sides.of_bob, &declined, "decline", &[("reason", "too much to do")]).await;
        assert_eq!(sides.seen(&declined).await.status, EscrowStatus::Cancelled);
        let page = sides.of_ada.get(&format!("/escrow/{declined}")).await;
        assert!(page.text.contains("<b>Declined</b>"), "the seller did not cancel: {}", page.text);
        assert_eq!(has(&sides.ada).await, "100+0");
        let unpaid = sides.open(120).await;
        sides.acts(&sides.of_ada, &unpaid, "cancel", &[]).await;
        let page = sides.of_ada.get(&format!("/escrow/{unpaid}")).await;
        assert!(page.text.contains("The order has ended. Nothing was paid."), "{}", page.text);
        is_consistent(sides.app).await;
    }

    async fn an_offered_split_is_accepted_by_the_form_of_the_other_party(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        let (deal, accept) = (format!("/escrow/{id}"), format!("/escrow/{id}/accept-split"));
        assert!(!sides.of_ada.get(&deal).await.text.contains(&accept), "nothing is offered");
        sides.bob.client.escrow().offer_split(&id, 40).await.unwrap();
        let offer = "@bob offers to split the credits: 40 credits for the seller, 20 credits for the buyer.";
        for (browser, may) in [(&sides.of_ada, true), (&sides.of_bob, false)] {
            let page = browser.get(&deal).await;
            assert!(page.text.contains(offer), "{}", page.text);
            assert_eq!(page.text.contains(&accept), may, "the offer is bob's");
        }
        let late = sides.of_ada.get(&accept).await;
        assert!(late.text.contains(offer), "{}", late.text);
        sides.bob.client.escrow().offer_split(&id, 30).await.unwrap();
        let page = sides.of_ada.send(&late.form(&accept)).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "it is another offer now: {}", page.text);
        assert!(page.text.contains("30 credits for the seller"), "{}", page.text);
        sides.acts(&sides.of_ada, &id, "accept-split", &[]).await;
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["70+0", "130+0"]);
        is_consistent(sides.app).await;
    }

    async fn each_party_offers_a_split_by_its_form(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let (deal, offer) = (format!("/escrow/{id}"), format!("/escrow/{id}/offer-split"));
        assert!(!sides.of_ada.get(&deal).await.text.contains(&offer), "nothing was delivered");
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        for browser in [&sides.of_ada, &sides.of_bob] {
            assert!(browser.get(&deal).await.text.contains(&offer));
        }
        sides.acts(&sides.of_ada, &id, "offer-split", &[("providerAmount", "20")]).await;
        let page = sides.of_bob.get(&offer).await;
        let offered = "@ada offers to split the credits: 20 credits for the seller, 40 credits for the buyer.";
        assert!(page.text.contains(offered), "{}", page.text);
        for much in ["60", "0", "many", ""] {
            let page = sends(&sides.of_bob, &offer, &[("providerAmount", much)]).await;
            assert_error_at(&page, &offer, "providerAmount", ("providerAmount", much));
        }
        let page = sends(&sides.of_bob, &offer, &[("providerAmount", "60")]).await;
        assert_eq!(page.html().of_class("problem"), ["Credits for the seller must be less than 60 credits"]);
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft is no report")]).await;
        sides.acts(&sides.of_bob, &id, "offer-split", &[("providerAmount", "30.5")]).await;
        sides.acts(&sides.of_ada, &id, "accept-split", &[]).await;
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["69.5+0", "130.5+0"]);
        let late = sides.of_bob.get(&offer).await;
        assert!(late.text.contains("This isn&#39;t possible in the current status"), "{}", late.text);
        let refused = sends(&sides.of_bob, &offer, &[("providerAmount", "20")]).await;
        assert_eq!(refused.status, 409, "{}", refused.text);
        assert_eq!(refused.html().of_class("wrong").len(), 1, "it is said once: {}", refused.text);
        is_consistent(sides.app).await;
    }

    async fn a_moderator_decides_a_dispute_by_a_split(app: TestApp) {
        let sides = Sides::new(&app).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let id = sides.open(60).await;
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft is no report")]).await;
        let (of_mia, decide) = (Browser::of(&app, "mia").await, format!("/moderation/disputes/{id}"));
        let form = of_mia.get(&decide).await.form(&decide).with("note", "half of it is there");
        for (outcome, much) in [("split", ""), ("split", "60"), ("refund", "20")] {
            let page = of_mia.send(&form.clone().with("outcome", outcome).with("providerAmount", much)).await;
            assert_error_at(&page, &decide, "providerAmount", ("note", "half of it is there"));
        }
        let form = form.with("outcome", "split").with("providerAmount", "20");
        assert_eq!(of_mia.send(&form).await.to(), "/moderation/disputes");
        let page = sides.of_ada.get(&format!("/escrow/{id}")).await;
        assert!(page.text.contains("The credits are split."), "{}", page.text);
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["80+0", "120+0"]);
        is_consistent(sides.app).await;
    }

    async fn a_refused_action_is_reported_at_its_field(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let long = "x".repeat(4001);
        let at = |word: &str| format!("/escrow/{id}/{word}");
        let typed = [("deliverable.type", ""), ("notes", "kept")];
        let page = sends(&sides.of_bob, &at("deliver"), &typed).await;
        assert_error_at(&page, &at("deliver"), "deliverable.type", ("notes", "kept"));
        let typed = [("deliverable.text", "kept"), ("notes", &long)];
        let page = sends(&sides.of_bob, &at("deliver"), &typed).await;
        assert_error_at(&page, &at("deliver"), "notes", ("deliverable.text", "kept"));
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        let page = sends(&sides.of_ada, &at("release"), &[("rating", "6"), ("feedback", "kept")]).await;
        assert_error_at(&page, &at("release"), "rating", ("feedback", "kept"));
        let page = sends(&sides.of_ada, &at("dispute"), &[("evidence", "kept")]).await;
        assert_error_at(&page, &at("dispute"), "reason", ("evidence", "kept"));
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft")]).await;
        let page = sends(&sides.of_bob, &at("respond"), &[("evidence", "kept")]).await;
        assert_error_at(&page, &at("respond"), "response", ("evidence", "kept"));
        let page = sends(&sides.of_bob, &at("refund"), &[("reason", &long)]).await;
        assert_error_at(&page, &at("refund"), "reason", ("reason", &long));
        assert_eq!(sides.seen(&id).await.status, EscrowStatus::Disputed, "nothing of it happened");
    }

    async fn both_parties_see_the_decision_of_a_moderator(app: TestApp) {
        let sides = Sides::new(&app).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let id = sides.open(60).await;
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "a draft is no report")]).await;
        let (deal, decide) = (format!("/escrow/{id}"), format!("/moderation/disputes/{id}"));
        let of_mia = Browser::of(&app, "mia").await;
        assert!(of_mia.get(&deal).await.text.contains(&format!("action=\"{decide}\"")));
        assert!(!sides.of_ada.get(&deal).await.text.contains(&decide), "parties don't decide");
        let form = of_mia.get(&decide).await.form(&decide).with("outcome", "refund");
        assert_eq!(of_mia.send(&form.with("note", "four <pages> were asked")).await.to(), "/moderation/disputes");
        for browser in [&sides.of_ada, &sides.of_bob, &of_mia] {
            let page = browser.get(&deal).await;
            for text in ["id=\"decision\"", "The buyer is refunded", "four &lt;pages&gt; were asked"] {
                assert!(page.text.contains(text), "{text}: {}", page.text);
            }
        }
        assert_eq!(has(&sides.ada).await, "100+0");
    }

    async fn a_delivery_without_content_is_not_waited_for(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let path = format!("/escrow/{id}");
        let waits = "The result will appear here.";
        assert!(sides.of_ada.get(&path).await.text.contains(waits));
        let work = svc_client::types::api::escrow::Deliverable::new("text");
        let delivering = sides.bob.client.escrow().deliver(&id, work);
        delivering.with(|work| work.notes = Some("done".into())).await.unwrap();
        let page = sides.of_ada.get(&path).await.text;
        assert!(page.contains("No result was delivered.") && !page.contains(waits), "{page}");
    }

    async fn a_log_of_many_lines_has_pages(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        for n in 0..100 {
            let mut work = svc_client::types::api::escrow::Deliverable::new("text");
            work.rest = object(json!({ "text": format!("draft {n}") }));
            sides.bob.client.escrow().deliver(&id, work).await.unwrap();
        }
        let lines = |page: &Page| {
            let html = page.html();
            html.0.iter().filter(|one| one.attributes.get("id").is_some_and(|id| id.starts_with("event-"))).count()
        };
        let page = sides.of_ada.get(&format!("/escrow/{id}")).await;
        assert_eq!(lines(&page), 100);
        let html = page.html();
        let next = html.0.iter().find(|one| one.attributes.get("rel").is_some_and(|rel| rel == "next")).unwrap();
        let rest = sides.of_ada.get(&next.attributes["href"]).await;
        assert_eq!(lines(&rest), 2, "opened and paid for, then a hundred deliveries");
        assert!(!rest.text.contains("rel=\"next\""));
    }

    async fn a_moderator_reads_the_request_of_a_dispute(app: TestApp) {
        let sides = Sides::new(&app).await;
        app.person("mia", PASSWORD).await;
        app.grant_role("mia", "moderator").await;
        let id = sides.open(60).await;
        let mut asked = order(&sides.service, 60);
        asked.escrow_id = Some(id.clone());
        asked.input = object(json!({ "csv": "a,b <c>", "kind": "pie" }));
        sides.ada.client.messages().request_service("bob", asked).await.unwrap();
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a draft")]).await;
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "no pie")]).await;
        let of_mia = Browser::of(&app, "mia").await;
        let page = of_mia.get(&format!("/moderation/disputes/{id}")).await;
        for part in ["a,b &lt;c&gt;", "pie", "a draft", "no pie", "Decide dispute"] {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        let listed = sides.of_ada.get("/orders?tab=disputes").await;
        assert!(listed.text.contains("Disputed") && listed.text.contains("/orders/msg_"), "{}", listed.text);
        app.grant_role("ada", "moderator").await;
        assert_eq!(sides.of_ada.get("/moderation/disputes").await.status, StatusCode::OK);
        let own = sides.of_ada.get(&format!("/moderation/disputes/{id}")).await;
        assert_eq!(own.status, StatusCode::NOT_FOUND, "nobody decides an order of their own");
    }
}
