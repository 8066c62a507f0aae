//! Orders that are shown as samples: the seller asks, the buyer answers, each on a page.

use http::StatusCode;
use serde_json::json;
use svc_client::types::MessageId;
use svc_client::types::api::orders::{ResponseStatus, SampleState};
use svc_client::types::api::services::ServiceSample;

use crate::browser::{Browser, PASSWORD};
use crate::market::object;
use crate::on_both_engines;
use crate::parties::Sides;

impl Sides<'_> {
    /// A completed order of ada's.
    async fn done(&self) -> MessageId {
        let input = object(json!({ "topic": "a <small> pond" }));
        let placing = self.ada.client.orders().create("bob", &self.service, input);
        let id = placing.max_credits(5).await.unwrap().order.id;
        let answering = self.bob.client.orders().answer(&id, ResponseStatus::Completed);
        answering.output(object(json!({ "haiku": "a frog & a splash" }))).await.unwrap();
        id
    }

    /// The page of the service, which everyone sees.
    fn service_page(&self) -> String {
        format!("/@bob/services/{}", self.service)
    }
}

const RESULT: &str = "a frog &amp; a splash";

on_both_engines! {
    async fn a_seller_asks_and_a_buyer_agrees_and_takes_it_back_without_script(app: TestApp) {
        let sides = Sides::new(&app).await;
        let guest = Browser::new(&app);
        let id = sides.done().await;
        let order = format!("/orders/{id}");
        let (sample, answer) = (format!("{order}/sample"), format!("{order}/sample/answer"));
        let before = sides.of_ada.get(&order).await;
        assert!(!before.text.contains("id=\"sample\""), "nobody asks the buyer: {}", before.text);
        let page = sides.of_bob.get(&order).await;
        page.html();
        assert!(page.text.contains("Propose as sample") && page.text.contains("<summary>Preview</summary>"), "{}", page.text);
        assert_eq!(sides.of_bob.send(&page.form(&sample)).await.to(), order);
        let page = sides.of_bob.get(&order).await;
        assert!(page.text.contains("The buyer has been asked.") && page.text.contains("Withdraw proposal"), "{}", page.text);
        assert!(!guest.get(&sides.service_page()).await.text.contains(RESULT));

        let list = sides.of_ada.get("/orders").await;
        assert!(list.text.contains("May these orders be shown as samples?"), "{}", list.text);
        assert!(list.text.contains(&format!("href=\"{order}#sample\"")));
        assert!(!sides.of_ada.get("/orders?tab=selling").await.text.contains("id=\"asked\""));
        let notifications = sides.of_ada.get("/notifications").await;
        assert!(notifications.text.contains("@bob asks to show your order as a sample"), "{}", notifications.text);
        let page = sides.of_ada.get(&order).await;
        page.html();
        assert!(page.text.contains("The seller would like to show this request and result publicly on the service page"));
        let shown = page.text.split_once("<summary>Preview</summary>").unwrap().1;
        assert!(shown.contains("a &lt;small&gt; pond") && shown.contains(RESULT), "{shown}");
        let form = page.form(&answer).with("accept", "true");
        assert_eq!(sides.of_ada.send(&form).await.to(), order);
        let page = guest.get(&sides.service_page()).await;
        assert!(page.text.contains(RESULT) && !page.text.contains("@ada"), "{}", page.text);
        assert!(!sides.of_ada.get("/orders").await.text.contains("id=\"asked\""));

        let page = sides.of_ada.get(&order).await;
        assert!(page.text.contains("You agreed") && page.text.contains("Withdraw consent"), "{}", page.text);
        assert_eq!(sides.of_ada.post(&format!("{sample}/withdraw"), &[]).await.to(), order);
        assert!(!guest.get(&sides.service_page()).await.text.contains(RESULT));
        let page = sides.of_bob.get(&order).await;
        assert!(page.text.contains("The buyer withdrew consent."), "{}", page.text);
        assert!(!page.text.contains(&format!("action=\"{sample}\"")), "it can't be offered again");
    }

    async fn a_buyer_declines_and_an_order_without_a_result_is_not_offered(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.done().await;
        sides.bob.client.orders().propose_sample(&id).await.unwrap();
        let order = format!("/orders/{id}");
        let answer = format!("{order}/sample/answer");
        let form = sides.of_ada.get(&order).await.form(&answer).with("accept", "false");
        assert_eq!(sides.of_ada.send(&form).await.to(), order);
        assert!(sides.of_ada.get(&order).await.text.contains("You declined to show this order."));
        let page = sides.of_bob.get(&order).await;
        assert!(page.text.contains("The buyer doesn&#39;t want this order to be shown."), "{}", page.text);
        let again = sides.of_bob.post(&format!("{order}/sample"), &[]).await;
        assert_eq!(again.status, StatusCode::CONFLICT);
        again.html();
        let placing = sides.ada.client.orders().create("bob", &sides.service, object(json!({})));
        let empty = placing.max_credits(5).await.unwrap().order.id;
        let page = sides.of_bob.get(&format!("/orders/{empty}")).await;
        assert!(!page.text.contains("id=\"sample\""), "it is open: {}", page.text);
        sides.bob.client.orders().answer(&empty, ResponseStatus::Completed).await.unwrap();
        let page = sides.of_bob.get(&format!("/orders/{empty}")).await;
        assert!(!page.text.contains("id=\"sample\""), "there is nothing to show: {}", page.text);
    }

    async fn a_refused_consent_is_explained_on_the_page_of_the_order(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.done().await;
        sides.bob.client.orders().propose_sample(&id).await.unwrap();
        let own = ["a", "b", "c"].map(|text| {
            ServiceSample::new(object(json!({ "topic": text })), object(json!({ "haiku": text })))
        });
        sides.bob.client.services().update(&sides.service).samples(own).await.unwrap();
        let order = format!("/orders/{id}");
        let answer = format!("{order}/sample/answer");
        let form = sides.of_ada.get(&order).await.form(&answer).with("accept", "true");
        let page = sides.of_ada.send(&form).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        let wrong = page.html().of_class("wrong").concat();
        assert!(wrong.contains("3 samples"), "{wrong}");
        page.form(&answer);
        let seen = sides.ada.client.orders().get(&id).await.unwrap().order.sample.unwrap();
        assert_eq!(seen.state, SampleState::Proposed);
    }

    async fn an_owner_proposes_and_removes_samples_in_the_editor(app: TestApp) {
        let sides = Sides::new(&app).await;
        let ann = app.person("ann", PASSWORD).await;
        let link = sides.bob.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        let of_ann = Browser::of(&app, "ann").await;
        let editor = format!("/sell/bob/services/{}", sides.service);
        assert!(of_ann.get(&editor).await.text.contains("Completed orders appear here."));
        let id = sides.done().await;
        let act = format!("{editor}/orders/{id}/sample");
        let page = of_ann.get(&editor).await;
        page.html();
        for text in ["for @ada", "Not proposed", RESULT, &format!("formaction=\"{act}\"")] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        assert_eq!(of_ann.post(&act, &[]).await.to(), editor);
        assert!(of_ann.get(&editor).await.text.contains("Waiting for the buyer"));
        sides.ada.client.orders().answer_sample(&id, true).await.unwrap();
        let page = of_ann.get(&editor).await;
        assert!(page.text.contains("Remove sample"), "{}", page.text);
        let form = page.form(&editor);
        assert_eq!(form.value("sample.0.input"), "", "samples from orders are not edited");
        let form = form.with("sample.0.input", "{\"topic\":\"own\"}").with("sample.0.output", "{\"haiku\":\"own\"}");
        of_ann.send(&form).await.to();
        let mut preview = form.clone();
        preview.action.push_str("/check");
        let page = of_ann.send(&preview).await;
        let shown = page.text.split_once("What buyers see").unwrap().1;
        assert!(shown.contains(RESULT) && shown.contains("own"), "{shown}");
        let samples = sides.bob.client.services().list().await.unwrap().services.remove(0).samples;
        assert_eq!(samples.len(), 2, "the form leaves that of the order as it is");
        assert_eq!(of_ann.post(&format!("{act}/withdraw"), &[]).await.to(), editor);
        let samples = sides.bob.client.services().list().await.unwrap().services.remove(0).samples;
        assert_eq!((samples.len(), &samples[0].order_id), (1, &None));
        let page = of_ann.get(&editor).await;
        assert!(page.text.contains("Withdrawn") && !page.text.contains(&format!("formaction=\"{act}\"")), "{}", page.text);
        for party in [&sides.of_ada, &sides.of_bob] {
            let page = party.get(&format!("/orders/{id}")).await;
            assert!(page.text.contains("The proposal was withdrawn."), "{}", page.text);
            assert!(!page.text.contains(&format!("action=\"/orders/{id}/sample\"")), "it can't be proposed again");
        }
    }

    async fn the_question_is_asked_in_the_language_of_the_buyer(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.done().await;
        sides.of_bob.set("lang", "de");
        assert!(sides.of_bob.get(&format!("/orders/{id}")).await.text.contains("Als Beispiel vorschlagen"));
        sides.bob.client.orders().propose_sample(&id).await.unwrap();
        sides.of_ada.set("lang", "de");
        let page = sides.of_ada.get(&format!("/orders/{id}")).await;
        assert!(page.text.contains("Der Verkäufer möchte diese Anfrage") && page.text.contains("Beispiel erlauben"), "{}", page.text);
    }
}
