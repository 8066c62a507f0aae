//! Orders, their questions, answers and results, by the forms of both sides.

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::api::orders::ProgressState;
use svc_client::types::api::services::Acceptance;
use svc_client::types::service_message::ResponseStatus;

use super::{Sides, assert_error_at, sends};
use crate::browser::{Browser, PASSWORD};
use crate::market::{has, is_consistent, object, order};
use crate::on_both_engines;

on_both_engines! {
    async fn an_order_is_answered_with_a_form_built_from_the_output_schema(app: TestApp) {
        let sides = Sides::new(&app).await;
        let schema = json!({
            "type": "object", "required": ["count"], "additionalProperties": false,
            "properties": { "count": { "type": "integer", "minimum": 0 }, "note": { "type": "string" } },
        });
        let updating = sides.bob.client.services().update(&sides.service);
        updating.with(|change| change.output_schema = Some(object(schema.clone()))).await.unwrap();
        let path = sides.ordered(5).await;
        assert!(!sides.of_ada.get(&path).await.text.contains("id=\"answer\""), "who ordered does not answer");
        let list = sides.of_bob.get("/messages").await;
        let link = list.html().named("a").iter().find_map(|a| a.attributes["href"].strip_suffix("#write").map(str::to_owned));
        assert!(sides.of_bob.get(&link.unwrap()).await.text.contains("Deliver result"));
        for (count, note) in [("-1", "kept"), ("many", "kept"), ("", "kept")] {
            let typed = [("output.count", count), ("output.note", note)];
            let page = sends(&sides.of_bob, &path, &typed).await;
            assert_error_at(&page, &path, "output.count", ("output.note", "kept"));
        }
        let typed = [("output.count", "7"), ("chargedCredits", "6")];
        let page = sends(&sides.of_bob, &path, &typed).await;
        assert_error_at(&page, &path, "chargedCredits", ("output.count", "7"));
        let typed = [("output.count", "7"), ("chargedCredits", "3.5")];
        assert_eq!(sends(&sides.of_bob, &path, &typed).await.to(), path);
        let (status, answer) = sides.answered().await;
        assert_eq!(status, RequestStatus::Completed);
        assert_eq!(answer.unwrap().output.map(Value::Object), Some(json!({ "count": 7 })));
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["96.5+0", "103.5+0"]);
        let listed = sides.of_ada.get("/orders").await.text;
        assert!(listed.contains("</a>, 3.5 credits</p>"), "{listed}");
        assert!(!sides.of_bob.get(&path).await.text.contains("id=\"answer\""), "it is over");
        is_consistent(sides.app).await;
    }

    async fn an_order_is_declined_with_a_reason(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let decline = format!("{path}/decline");
        let page = sends(&sides.of_bob, &decline, &[]).await;
        assert!(page.status.is_client_error());
        assert_eq!(page.html().of_class("problem").len(), 1, "{}", page.text);
        let page = sends(&sides.of_bob, &decline, &[("reason", "no time")]).await;
        assert_eq!(page.to(), path);
        let (status, answer) = sides.answered().await;
        assert_eq!(status, RequestStatus::Rejected);
        assert_eq!(answer.unwrap().output.map(Value::Object), Some(json!({ "reason": "no time" })));
        assert!(sides.of_ada.get(&path).await.text.contains("no time"));
        assert_eq!(has(&sides.ada).await, "100+0");
    }

    async fn a_buyer_cancels_an_order_that_the_seller_has_not_begun(app: TestApp) {
        let sides = Sides::new(&app).await;
        let begun = sides.ordered(5).await;
        let page = sides.of_ada.get(&begun).await;
        assert!(!page.text.contains(&format!("{begun}/cancel")), "it began at once: {}", page.text);
        let updating = sides.bob.client.services().update(&sides.service);
        updating.acceptance(Acceptance::Explicit).await.unwrap();
        let path = sides.ordered(5).await;
        let cancel = format!("{path}/cancel");
        assert!(!sides.of_bob.get(&path).await.text.contains(&cancel), "a seller declines");
        let page = sides.of_ada.get(&path).await;
        assert!(page.text.contains(&cancel), "{}", page.text);
        assert_eq!(sends(&sides.of_ada, &cancel, &[]).await.to(), path);
        assert_eq!(has(&sides.ada).await, "95+5", "the other order goes on");
    }

    async fn a_question_of_the_seller_is_shown_to_the_buyer_who_is_waited_for(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        assert!(sides.of_ada.get(&path).await.text.contains("Waiting for @bob."));
        let id = path.trim_start_matches("/orders/");
        let asking = sides.bob.client.orders().progress(id, ProgressState::InputRequired);
        asking.prompt("which <colour>?").await.unwrap();
        let [of_ada, of_bob] = [sides.of_ada.get(&path).await, sides.of_bob.get(&path).await];
        assert!(of_ada.text.contains("which &lt;colour&gt;?"), "{}", of_ada.text);
        assert!(!of_ada.text.contains("Waiting for"), "it is her turn: {}", of_ada.text);
        assert!(!of_ada.text.contains("id=\"progress\""), "there is nothing to read in it: {}", of_ada.text);
        assert!(of_bob.text.contains("Waiting for @ada."), "{}", of_bob.text);
    }

    async fn a_question_is_answered_with_a_form_built_from_its_schema(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let (id, answer) = (path.trim_start_matches("/orders/"), format!("{path}/input"));
        let schema = json!({
            "type": "object", "required": ["count"], "additionalProperties": false,
            "properties": { "count": { "type": "integer", "minimum": 0 }, "note": { "type": "string" } },
        });
        let asking = sides.bob.client.orders().progress(id, ProgressState::InputRequired);
        asking.prompt("how many?").prompt_schema(object(schema)).await.unwrap();
        assert!(!sides.of_bob.get(&path).await.text.contains(&answer), "the seller does not answer");
        let answers = async |count: &str| {
            let form = sides.of_ada.get(&path).await.form(&answer).with("input.note", "kept");
            sides.of_ada.send(&form.with("input.count", count)).await
        };
        for count in ["-1", "many", ""] {
            assert_error_at(&answers(count).await, &answer, "input.count", ("input.note", "kept"));
        }
        assert_eq!(answers("7").await.to(), path);
        let input = async || sides.ada.client.orders().get(id).await.unwrap().order.prompt.unwrap().input;
        assert_eq!(input().await, Some(json!({ "count": 7, "note": "kept" })));
        assert!(!sides.of_ada.get(&path).await.text.contains(&answer), "it is answered");

        let asking = sides.bob.client.orders().progress(id, ProgressState::InputRequired);
        asking.prompt("which colour?").await.unwrap();
        let late = sides.of_ada.get(&path).await.form(&answer).with("input", "blue & green");
        let asking = sides.bob.client.orders().progress(id, ProgressState::InputRequired);
        asking.prompt("or which shape?").await.unwrap();
        let page = sides.of_ada.send(&late).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        let again = page.form(&answer);
        assert_eq!(again.value("input"), "blue & green");
        assert_eq!(sides.of_ada.send(&again).await.to(), path);
        assert_eq!(input().await, Some(json!("blue & green")), "without a schema it is a text");
    }

    async fn the_buyer_gives_the_time_that_the_seller_asks_for(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let (id, extend) = (path.trim_start_matches("/orders/"), format!("{path}/extend"));
        app.advance(60);
        let in_days = |days: u64| app.server.clock().now().plus(Duration::from_secs(days * 86_400));
        assert!(!sides.of_ada.get(&path).await.text.contains(&extend), "bob needs no more time");
        let reporting = sides.bob.client.orders().progress(id, ProgressState::Working);
        reporting.wants_until(in_days(2)).await.unwrap();
        let page = sides.of_bob.get(&path).await;
        assert!(page.text.contains("@bob asks for time until") && !page.text.contains(&extend), "{}", page.text);
        let page = sides.of_ada.get(&path).await;
        assert!(page.text.contains("@bob asks for time until"), "{}", page.text);
        let form = page.form(&extend);
        assert_eq!(form.value("answerWithin"), "3d", "the shortest that is enough");
        let late = sides.of_ada.send(&form.with("answerWithin", "30d")).await;
        assert_error_at(&late, &extend, "answerWithin", ("answerWithin", "30d"));
        let form = late.form(&extend).with("answerWithin", "3d");
        assert_eq!(sides.of_ada.send(&form).await.to(), path);
        let order = sides.ada.client.orders().get(id).await.unwrap().order;
        assert_eq!((order.expires_at, order.wants_until), (Some(in_days(3)), None));
        let page = sides.of_ada.get(&path).await;
        assert!(page.text.contains("Deadline extended.") && !page.text.contains(&extend), "{}", page.text);
    }

    async fn the_buyer_gives_the_time_that_the_seller_of_an_escrow_asks_for(app: TestApp) {
        let sides = Sides::new(&app).await;
        let deal = sides.open(60).await;
        let id = sides.paid_order(&deal, json!({ "text": "a fox" })).await;
        let (path, extend) = (format!("/orders/{id}"), format!("/escrow/{deal}/extend"));
        let in_days = |days: u64| app.server.clock().now().plus(Duration::from_secs(days * 86_400));
        let asks = |days: u64| {
            sides.bob.client.orders().progress(&id, ProgressState::Working).wants_until(in_days(days))
        };
        asks(5).await.unwrap();
        assert!(!sides.of_ada.get(&path).await.text.contains(&extend), "bob has seven days");
        asks(10).await.unwrap();
        let form = sides.of_ada.get(&path).await.form(&extend);
        assert_eq!(form.value("expiresIn"), "14d");
        assert_eq!(sides.of_ada.send(&form).await.to(), path);
        assert_eq!(sides.seen(&deal).await.expires_at, in_days(14));
        assert!(!sides.of_ada.get(&path).await.text.contains("asks for time"));
        is_consistent(sides.app).await;
    }

    async fn an_order_of_a_withdrawn_service_can_still_be_cancelled(app: TestApp) {
        let sides = Sides::new(&app).await;
        let updating = sides.bob.client.services().update(&sides.service);
        updating.acceptance(Acceptance::Explicit).await.unwrap();
        let path = sides.ordered(5).await;
        sides.bob.client.services().delete(&sides.service).await.unwrap();
        let cancel = format!("{path}/cancel");
        let page = sides.of_ada.get(&path).await;
        assert!(page.text.contains(&cancel), "{}", page.text);
        assert_eq!(sends(&sides.of_ada, &cancel, &[]).await.to(), path);
        assert_eq!(has(&sides.ada).await, "100+0");
    }

    async fn an_answer_to_a_closed_order_is_explained_and_kept(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let form = sides.of_bob.get(&path).await.form(&path).with("output.text", "a long & good text");
        app.advance(24 * 3600);
        let page = sides.of_bob.send(&form).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        assert!(page.text.contains("Expired, credits refunded"), "{}", page.text);
        assert_eq!(page.form(&path).value("output.text"), "a long & good text");
    }

    async fn an_order_and_its_escrow_show_the_same_state(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let mut asked = order(&sides.service, 60);
        asked.escrow_id = Some(id.clone());
        asked.input = object(json!({ "csv": "a,b <c>", "kind": "pie" }));
        let sent = sides.ada.client.messages().request_service("bob", asked).await.unwrap().message;
        let (path, deal) = (format!("/orders/{}", sent.message_id), format!("/escrow/{id}"));
        let both_say = async |words: &str| {
            for browser in [&sides.of_ada, &sides.of_bob] {
                let page = browser.get(&path).await;
                assert!(page.text.contains(words), "{path} {words}: {}", page.text);
                assert!(page.text.contains("a,b &lt;c&gt;"), "both see the request: {path}");
                assert_eq!(browser.get(&deal).await.headers["location"], path.as_str());
            }
        };
        both_say("In progress").await;
        let page = sides.of_bob.get(&path).await;
        assert!(page.text.contains(&format!("{deal}/deliver")) && !page.text.contains("id=\"answer\""), "{}", page.text);
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a fine report")]).await;
        both_say("Delivered: ").await;
        let page = sides.of_ada.get(&path).await;
        let review_by = format!("datetime=\"{}\" data-deadline", sides.seen(&id).await.review_ends_at.unwrap());
        assert!(page.text.contains("Review by ") && page.text.contains(&review_by), "{review_by}: {}", page.text);
        for (browser, tab, other) in [(&sides.of_ada, "buying", "selling"), (&sides.of_bob, "selling", "buying")] {
            assert!(browser.get(&format!("/orders?tab={tab}")).await.text.contains(&path), "{tab}");
            assert!(!browser.get(&format!("/orders?tab={other}")).await.text.contains(&path), "{other}");
        }
        let review = "/orders?tab=review";
        assert!(sides.of_ada.get(review).await.text.contains(&path), "it waits for her");
        assert!(sides.of_bob.get(review).await.text.contains("Nothing to review"));
        assert!(page.text.contains("a fine report") && page.text.contains(&format!("{deal}/release")), "{}", page.text);
        assert!(!page.text.contains("The result will appear here."));
        sides.acts(&sides.of_ada, &id, "dispute", &[("reason", "not fine")]).await;
        both_say("Disputed").await;
        assert!(!sides.of_ada.get(review).await.text.contains(&path));
        sides.acts(&sides.of_ada, &id, "release", &[]).await;
        both_say("Completed").await;
        assert_eq!(sides.answered().await.0, RequestStatus::Completed);
        let page = sides.of_ada.get(&path).await;
        assert!(!page.text.contains("id=\"order\" data-live") && !page.text.contains("Waiting for"), "{}", page.text);
        is_consistent(sides.app).await;
    }

    async fn the_sales_of_a_person_lead_to_those_of_its_agents(app: TestApp) {
        let sides = Sides::new(&app).await;
        let sales = sides.of_ada.get("/orders?tab=selling").await.text;
        let (_, main) = sales.split_once("Only agents sell services.").unwrap();
        let (main, _) = main.split_once("</p>").unwrap();
        assert!(main.contains("<a href=\"/sell\">Sell</a>"), "{main}");
        let sales = sides.of_bob.get("/orders?tab=selling").await.text;
        assert!(sales.contains("Orders of your services appear here."), "an agent sells: {sales}");
    }

    async fn a_declined_order_states_that_its_deal_holds_the_credits(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let mut asked = order(&sides.service, 60);
        asked.escrow_id = Some(id.clone());
        let sent = sides.ada.client.messages().request_service("bob", asked).await.unwrap().message;
        let path = format!("/orders/{}", sent.message_id);
        let no = crate::market::response(&sent.message_id, ResponseStatus::Rejected);
        sides.bob.client.messages().respond_to("ada", no).await.unwrap();
        let page = sides.of_ada.get(&path).await;
        assert!(page.text.contains("Declined") && page.text.contains("Your credits are still held."), "{}", page.text);
        assert!(page.text.contains(&format!("/escrow/{id}/cancel")) && page.text.contains("Send again"));
        let (_, log) = page.text.split_once("id=\"log\"").unwrap();
        assert!(log.contains("<b>Declined</b> <span class=\"quiet\">by @bob, "), "{log}");
        sides.acts(&sides.of_ada, &id, "cancel", &[]).await;
        assert!(!sides.of_ada.get(&path).await.text.contains("still held"));
        assert_eq!(has(&sides.ada).await, "100+0");
    }

    async fn a_declined_or_failed_order_is_sent_again_with_its_escrow(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let service = format!("/@bob/services/{}", sides.service);
        let first = sides.paid_order(&id, json!({ "text": "of a <fox>" })).await;
        let mut latest = first.clone();
        for ends in [ResponseStatus::Rejected, ResponseStatus::Error] {
            sides.closes(&latest, ends).await;
            let again = format!("{service}?order={latest}");
            let page = sides.of_ada.get(&format!("/orders/{latest}")).await;
            assert!(page.text.contains(&format!("href=\"{again}\"")), "{}", page.text);
            let page = sides.of_ada.get(&again).await;
            assert!(page.text.contains("Your escrow still holds 60 credits."), "{}", page.text);
            assert!(!page.text.contains("Escrow: pay after review"), "it is paid already");
            let form = page.form(&service);
            assert_eq!(form.value("input.text"), "of a <fox>");
            let sent = sides.of_ada.send(&form).await;
            assert_eq!(sent.to(), sides.of_ada.send(&form).await.to(), "twice is once");
            latest = sent.to().trim_start_matches("/orders/").into();
            let seen = sides.seen(&id).await;
            assert_eq!((seen.status, seen.request_id.as_ref()), (EscrowStatus::Funded, Some(&latest)));
            assert_eq!(has(&sides.ada).await, "40+60", "nothing more is held");
        }
        assert_eq!(sides.ada.client.escrow().list().await.unwrap().escrows.len(), 1);
        sides.acts(&sides.of_bob, &id, "deliver", &[("deliverable.text", "a fox")]).await;
        let page = sides.of_ada.get(&format!("/orders/{first}")).await;
        assert!(page.text.contains("Declined"), "{}", page.text);
        for part in ["a fox", &format!("/escrow/{id}")] {
            assert!(!page.text.contains(part), "{part} is of the latest order: {}", page.text);
        }
        sides.acts(&sides.of_ada, &id, "release", &[]).await;
        assert_eq!([has(&sides.ada).await, has(&sides.bob).await], ["40+0", "160+0"]);
        is_consistent(sides.app).await;
    }

    async fn an_order_is_not_sent_again_with_an_escrow_that_has_ended(app: TestApp) {
        let sides = Sides::new(&app).await;
        let id = sides.open(60).await;
        let service = format!("/@bob/services/{}", sides.service);
        let input = json!({ "csv": "a,b <c>", "kind": "pie" });
        let order = sides.paid_order(&id, input.clone()).await;
        let again = format!("{service}?order={order}");
        assert!(!sides.of_ada.get(&again).await.text.contains("still holds"), "bob works on it");
        sides.closes(&order, ResponseStatus::Rejected).await;
        let form = sides.of_ada.get(&again).await.form(&service);
        // No field is for these members, so they stand there as JSON.
        assert_eq!(serde_json::from_str::<Value>(form.value("input")).unwrap(), input);
        sides.acts(&sides.of_ada, &id, "cancel", &[]).await;
        let page = sides.of_ada.send(&form).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        let shown = page.form(&service);
        assert_eq!((shown.value("pay"), shown.value("input")), ("direct", form.value("input")));
        assert_eq!(has(&sides.ada).await, "100+0");
        app.person("eve", PASSWORD).await;
        let foreign = Browser::of(&app, "eve").await.get(&again).await;
        assert_eq!(foreign.status, StatusCode::NOT_FOUND, "it is none of hers");
        assert!(Browser::new(&app).get(&again).await.to().starts_with("/login?next="));
    }

    async fn results_are_shown_by_their_type_and_can_be_downloaded(app: TestApp) {
        let sides = Sides::new(&app).await;
        let schema = json!({ "type": "object", "properties": {
            "table": { "type": "string", "contentMediaType": "text/csv", "title": "Figures" },
            "page": { "type": "string", "contentMediaType": "text/html" },
        } });
        let updating = sides.bob.client.services().update(&sides.service);
        updating.with(|change| change.output_schema = Some(object(schema))).await.unwrap();
        let path = sides.ordered(5).await;
        let id = path.trim_start_matches("/orders/").into();
        let mut answer = crate::market::response(&id, ResponseStatus::Completed);
        answer.output = Some(object(json!({
            "table": "name,count\n<b>,7\n", "page": "<!doctype html><b>x</b>",
            "chart": "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", "deep": { "one": { "two": ["<i>"] } },
            "words": "**bold** <u>\nline",
        })));
        sides.bob.client.messages().respond_to("ada", answer).await.unwrap();
        let page = sides.of_ada.get(&path).await;
        let html = page.html();
        for part in ["<th scope=\"col\" dir=\"auto\">name</th>", "<td dir=\"auto\">&#60;b&#62;</td>", "Figures",
            "<td dir=\"auto\" class=\"number\">7</td>",
            "&#60;!doctype html&#62;", "<details open>", "&lt;i&gt;", "<strong>bold</strong> &lt;u&gt;<br>"]
        {
            assert!(page.text.contains(part), "{part}: {}", page.text);
        }
        let picture = html.named("img").into_iter().find(|img| img.attributes["src"].starts_with(&path)).unwrap();
        let file = sides.of_ada.get(&picture.attributes["src"]).await;
        assert_eq!(file.headers["content-type"], "image/svg+xml");
        assert_eq!(file.headers["content-security-policy"], "sandbox; default-src 'none'");
        assert_eq!(file.headers["x-content-type-options"], "nosniff");
        let file = sides.of_ada.get(&format!("{path}/files/table")).await;
        assert_eq!(file.headers["content-disposition"], "attachment; filename=\"result-table.csv\"");
        assert_eq!(file.text, "name,count\n<b>,7\n");
        app.person("eve", PASSWORD).await;
        let eve = Browser::of(&app, "eve").await;
        assert_eq!(eve.get(&format!("{path}/files/table")).await.status, StatusCode::NOT_FOUND);
    }

    async fn a_completed_order_is_reviewed_for_everyone_to_read(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let review = format!("{path}/review");
        let early = sides.of_ada.get(&path).await;
        assert!(!early.text.contains(&review), "an open order has no review");
        let id = path.trim_start_matches("/orders/").into();
        let done = crate::market::response(&id, ResponseStatus::Completed);
        sides.bob.client.messages().respond_to("ada", done).await.unwrap();
        assert!(!sides.of_bob.get(&path).await.text.contains(&review), "the seller has no review to write");
        let form = sides.of_ada.get(&path).await.form(&review).with("text", "quick <work>").with("rating", "4.5");
        assert_eq!(sides.of_ada.send(&form).await.to(), path);
        let page = sides.of_ada.get(&path).await;
        assert!(page.text.contains("Rated 4.5 of 5") && page.text.contains("quick &lt;work&gt;"), "{}", page.text);
        let service = format!("/@bob/services/{}", sides.service);
        let page = Browser::new(&app).get(&service).await;
        assert!(page.text.contains("quick &lt;work&gt;") && page.text.contains("4.5 of 5"), "{}", page.text);
        assert_eq!(sides.of_ada.post(&format!("{review}/delete"), &[]).await.to(), path);
        assert!(!Browser::new(&app).get(&service).await.text.contains("quick"));
        assert!(sides.of_ada.get(&path).await.text.contains(&review));
        let link = sides.bob.client.agents().create_claim_link().await.unwrap().url;
        sides.ada.client.agents().claim(link).await.unwrap();
        assert!(!sides.of_ada.get(&path).await.text.contains(&review), "an owner does not review an agent of their own");
    }
}
