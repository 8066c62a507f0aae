//! Services, orders, deals, credits.

use http::StatusCode;
use serde_json::{Map, Value, json};
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::services::ServiceCategory;
use svc_client::types::service_message::{ResponseStatus, ServiceMessage};
use svc_client::types::{EscrowId, Rating, ServiceId};

use crate::app::Member;
use crate::browser::{Browser, PASSWORD, Sheet};
use crate::html::Element;
use crate::market::{TOKEN, has, is_consistent, object, order, response, work};
use crate::on_both_engines;

/// A schema with one of each.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": { "type": "string", "maxLength": 40, "title": "A <title>", "description": "What \"it\" is called" },
            "text": { "type": "string", "maxLength": 4000, "examples": ["Once upon a time"] },
            "pages": { "type": "integer", "minimum": 1, "maximum": 9, "default": 2 },
            "share": { "type": "number" },
            "draft": { "type": "boolean" },
            "tone": { "enum": ["warm", "dry"] },
            "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 2 },
            "rest": { "type": "object" },
        },
        "required": ["text", "pages"],
        "additionalProperties": false,
    })
}

async fn offer(bot: &Member, price: u32) -> ServiceId {
    let offering = bot.client.services().create("story", "tells <stories>", price);
    let offering = offering.with(|request| request.input_schema = Some(object(schema())));
    offering.await.unwrap().service.id
}

fn filled(form: Sheet) -> Sheet {
    form.with("input.title", "A & B")
        .with("input.text", "tell me\nof a fox")
        .with("input.share", "0.5")
        .with("input.draft", "false")
        .with("input.tone", "\"dry\"")
        .with("input.tags", "fox\n\n dog ")
        .with("input.rest", r#"{ "deep": [1] }"#)
}

on_both_engines! {
    async fn services_are_found_by_word_price_and_rating(app: TestApp) {
        let bob = app.agent("bob").await;
        let id = offer(&bob, 5).await;
        let browser = Browser::new(&app);
        for (query, is_found) in [("", true), ("?service=story&maxPrice=&minRating=", true), ("?maxPrice=4", false),
            ("?minRating=4", false), ("?service=weather", false), ("?sort=price", true)]
        {
            let page = browser.get(&format!("/services{query}")).await;
            let link = format!("/@bob/services/{id}");
            assert_eq!(page.text.contains(&link), is_found, "{query}: {}", page.text);
        }
        for (query, is_open) in [("", false), ("?service=story&sort=price", false), ("?maxPrice=9", true)] {
            let page = browser.get(&format!("/services{query}")).await;
            let filters = "<details class=\"extra\" open><summary>Filters";
            assert_eq!(page.text.contains(filters), is_open, "{query}: {}", page.text);
        }
        let wrong = browser.get("/services?service=story&maxPrice=-1").await;
        assert_eq!((wrong.status, wrong.html().of_class("wrong").len()), (StatusCode::BAD_REQUEST, 1));
        let form = wrong.form("/services");
        assert_eq!((form.value("service"), form.value("maxPrice")), ("story", "-1"), "it can be mended");
        let moved = browser.get("/bots?service=story").await;
        assert_eq!((moved.status, moved.headers["location"].to_str().unwrap()), (StatusCode::PERMANENT_REDIRECT, "/services?service=story"));
        let page = browser.get(&format!("/@bob/services/{id}")).await;
        assert!(page.text.contains("tells &lt;stories&gt;") && page.text.contains("Sign in to order"));
        assert_eq!(browser.get("/@bob/services/srv_none").await.status, StatusCode::NOT_FOUND);
        assert_eq!(browser.get(&format!("/@nobody/services/{id}")).await.status, StatusCode::NOT_FOUND);
    }

    async fn each_category_has_a_page_of_its_own(app: TestApp) {
        let bob = app.agent("bob").await;
        let offering = bob.client.services().create("chart", "draws <charts>", 5);
        let offering = offering.with(|request| request.category = Some(ServiceCategory::Data));
        let link = format!("/@bob/services/{}", offering.await.unwrap().service.id);
        let browser = Browser::new(&app);
        let page = browser.get("/services/data").await;
        assert!(page.text.contains(&link), "{}", page.text);
        assert!(page.text.contains("AI agents that analyse, convert and chart data."));
        let html = page.html();
        assert_eq!(html.named("h1")[0].text, "Data services");
        let is_canonical = |one: &&Element| one.attributes.get("rel").is_some_and(|rel| rel == "canonical");
        let canonical = html.0.iter().find(is_canonical).unwrap();
        assert!(canonical.attributes["href"].ends_with("/services/data"));
        assert_eq!(page.form("/services").value("category"), "data", "its filters can be changed");
        assert!(!browser.get("/services/code").await.text.contains(&link));
        assert!(browser.get("/services?category=data&maxPrice=9").await.text.contains(&link));
        for path in ["/services", &link] {
            let page = browser.get(path).await;
            assert!(page.text.contains("href=\"/services/data\">Data</a>"), "{path}: {}", page.text);
        }
        assert_eq!(browser.get("/services/sundries").await.status, StatusCode::NOT_FOUND);
    }

    async fn a_rating_is_shown_from_the_first_on_and_all_reviews_can_be_read(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let service = bob.client.services().create("gift", "gives", 0).await.unwrap().service.id;
        let path = format!("/@bob/services/{service}");
        let review = async |number: u32| {
            let ordering = ada.client.orders().create("bob", &service, Map::new()).max_credits(0);
            let order = ordering.await.unwrap().order.id;
            let answering = bob.client.orders().answer(&order, ResponseStatus::Completed);
            answering.charged_credits(0).await.unwrap();
            let text = format!("said {number}!");
            let rating = Rating::from_half_steps(9).unwrap();
            ada.client.orders().review(&order, rating).text(&*text).await.unwrap();
        };
        review(1).await;
        let browser = Browser::new(&app);
        let page = browser.get(&path).await;
        assert!(page.text.contains("4.5 of 5, by 1 buyer"), "{}", page.text);
        assert!(page.text.contains("<dt>Orders</dt><dd>New: fewer than 5 so far</dd>"), "{}", page.text);
        assert!(browser.get("/services").await.text.contains("★ 4.5 (1) · New"));
        for number in 2..=21 {
            review(number).await;
        }
        let page = browser.get(&path).await;
        for shown in ["21 completed, median", "95% within", "100% successful"] {
            assert!(page.text.contains(shown), "{shown}: {}", page.text);
        }
        let list = browser.get("/services").await.text;
        assert!(list.contains("· 21 completed, median") && list.contains(", 100% successful"), "{list}");
        assert!(page.text.contains("said 21!") && !page.text.contains("said 1!"));
        assert!(page.text.contains("latest rating counts"), "21 reviews by 1 buyer: {}", page.text);
        let html = page.html();
        let next = html.0.iter().find(|one| one.attributes.get("rel").is_some_and(|rel| rel == "next"));
        let (next, place) = next.unwrap().attributes["href"].split_once('#').unwrap();
        assert_eq!(place, "reviews");
        let rest = browser.get(next).await;
        assert!(rest.text.contains("said 1!") && !rest.text.contains("said 2!"), "{}", rest.text);
        assert!(!rest.text.contains("rel=\"next\""));
    }

    async fn an_order_is_typed_into_fields_and_answered_on_its_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 5).await);
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(&path).await;
        let form = page.form(&path);
        assert_eq!(form.value("input.pages"), "2", "a field contains its default");
        assert_eq!(form.value("pay"), "direct", "a small price is usually paid on delivery");
        assert!(page.text.contains("Balance after order: 95"), "{}", page.text);
        let form = filled(form);
        let sent = browser.send(&form).await;
        assert_eq!(sent.to(), browser.send(&form).await.to(), "twice is once");
        assert_eq!(has(&ada).await, "95+5");
        let came = bob.client.messages().list().await.unwrap().messages.remove(0);
        let Some(ServiceMessage::Request(asked)) = ServiceMessage::parse(&came.content).unwrap() else {
            panic!("{}", came.content)
        };
        assert_eq!(Value::Object(asked.input), json!({
            "title": "A & B", "text": "tell me\nof a fox", "pages": 2, "share": 0.5, "draft": false,
            "tone": "dry", "tags": ["fox", "dog"], "rest": { "deep": [1] },
        }));
        assert_eq!(sent.to(), format!("/orders/{}", came.message_id));
        let waiting = browser.get(sent.to()).await;
        assert!(waiting.text.contains("The result will appear here.") && waiting.text.contains("id=\"order\" data-live"));
        let mut answer = response(&came.message_id, ResponseStatus::Completed);
        answer.output = Some(object(json!({ "story": "A fox <b>ran</b>." })));
        bob.client.messages().respond_to("ada", answer).await.unwrap();
        let done = browser.get(sent.to()).await;
        assert!(done.text.contains("A fox &lt;b&gt;ran&lt;/b&gt;.") && done.text.contains("Completed"));
        assert!(!done.text.contains("id=\"order\" data-live"));
        let reported = browser.get("/notifications").await;
        let link = format!("<a href=\"{}\">@bob completed your order</a>", sent.to());
        assert!(reported.text.contains(&link), "{}", reported.text);
        app.person("eve", PASSWORD).await;
        assert_eq!(Browser::of(&app, "eve").await.get(sent.to()).await.status, StatusCode::NOT_FOUND);
        is_consistent(&app).await;
    }

    async fn wrong_input_is_reported_at_its_field_before_credits_move(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        for (field, typed) in [("input.text", ""), ("input.pages", "many"), ("input.pages", "10"), ("input.share", "half"),
            ("input.tone", "\"loud\""), ("input.rest", "{"), ("input.rest", "7"), ("input.tags", "a\nb\nc")]
        {
            let form = filled(browser.get(&path).await.form(&path)).with(field, typed);
            let page = browser.send(&form).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{field} {typed}: {}", page.text);
            let html = page.html();
            let wrong: Vec<_> = html.0.iter().filter(|one| one.attributes.contains_key("aria-invalid")).collect();
            assert_eq!(wrong.len(), 1, "{field} {typed}");
            assert_eq!(wrong[0].attributes["name"], field, "{typed}");
            let again = page.form(&path);
            if field != "input.title" {
                assert_eq!(again.value("input.title"), "A & B");
            }
            if field != "input.tone" {
                assert_eq!(again.value("input.tone"), "\"dry\"");
            }
        }
        assert_eq!(has(&ada).await, "100+0");
        assert!(ada.client.escrow().list().await.unwrap().escrows.is_empty());
    }

    async fn a_changed_price_needs_confirmation(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let id = offer(&bob, 5).await;
        let path = format!("/@bob/services/{id}");
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        bob.client.services().update(&id).with(|change| change.price_credits = Some(6.into())).await.unwrap();
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::CONFLICT);
        assert!(page.text.contains("the price is 6 credits now"), "{}", page.text);
        assert_eq!(has(&ada).await, "100+0");
        browser.send(&filled(page.form(&path))).await.to();
        assert_eq!(has(&ada).await, "94+6");
    }

    async fn a_deal_goes_from_the_order_to_the_rating(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        assert_eq!(form.value("pay"), "escrow", "escrow is preselected");
        let sent = browser.send(&form.clone().with("expiresIn", "3d")).await;
        assert_eq!(sent.to(), browser.send(&form.with("expiresIn", "3d")).await.to(), "twice is once");
        let deals = ada.client.escrow().list().await.unwrap().escrows;
        assert_eq!((deals.len(), has(&ada).await.as_str()), (1, "40+60"));
        assert_eq!(deals[0].expires_at.since(deals[0].created_at).as_secs(), 3 * 86_400, "as was chosen");
        let id = deals[0].id.clone();
        let path = format!("/escrow/{id}");
        let order = sent.to().to_owned();
        assert!(browser.get(&order).await.text.contains(&path));
        assert!(browser.get("/escrow?role=buyer").await.text.contains(&path));
        assert!(!browser.get("/escrow?role=provider").await.text.contains(&path));
        let moved = browser.get(&path).await;
        assert_eq!((moved.status, moved.headers["location"].to_str().unwrap()), (StatusCode::PERMANENT_REDIRECT, order.as_str()));
        assert_eq!(moved.headers["cache-control"], "private, no-store", "a later order may take its place");
        let in_german = browser.get(&format!("{path}?lang=de")).await;
        assert_eq!(in_german.headers["location"], format!("{order}?lang=de"), "the language is kept");
        let page = browser.get(&order).await;
        assert!(page.text.contains(&format!("{path}/cancel")) && page.text.contains("Waiting for @bob."), "{}", page.text);
        let early = browser.get(&format!("{path}/release")).await;
        assert!(early.text.contains("isn&#39;t possible in the current status"));
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        assert!(browser.get(&order).await.text.contains(TOKEN), "the buyer reads the token");
        let release = format!("{path}/release");
        let form = browser.get(&release).await.form(&release).with("feedback", "fine <work>");
        let stale = form.clone();
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        let page = browser.send(&stale).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "another delivery than the one that was seen");
        assert_eq!(page.form(&release).value("feedback"), "fine <work>");
        let form = browser.get(&release).await.form(&release).with("feedback", "fine <work>").with("rating", "4.5");
        assert_eq!(browser.send(&form).await.to(), order);
        let page = browser.get(&order).await;
        assert!(page.text.contains("Rated 4.5 of 5") && page.text.contains("fine &lt;work&gt;"));
        assert!(page.text.contains("Completed"));
        assert!(page.text.contains("Add a public review") && !page.text.contains("Rate this order"), "{}", page.text);
        assert_eq!(page.form(&format!("{order}/review")).value("rating"), "4.5", "it is not asked for twice");
        assert_eq!([has(&ada).await, has(&bob).await], ["40+0", "160+0"]);
        let credits = browser.get("/credits").await;
        assert!(credits.text.contains("−60") && credits.text.contains(&path), "{}", credits.text);
        is_consistent(&app).await;
    }

    async fn an_order_that_is_refused_leaves_no_deal_behind(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        let policy = bob.raw(&app, reqwest::Method::PATCH, "/users/me").json(&json!({ "allowServiceRequests": false }));
        assert!(policy.send().await.unwrap().status().is_success());
        let page = browser.send(&form).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.text);
        assert_eq!(page.form(&path).value("input.title"), "A & B");
        let deals = ada.client.escrow().list().await.unwrap().escrows;
        assert_eq!(deals[0].status, EscrowStatus::Cancelled);
        assert_eq!(has(&ada).await, "100+0");
        is_consistent(&app).await;
    }

    async fn a_changed_form_that_was_sent_before_leaves_the_deal_as_it_is(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 60).await);
        let browser = Browser::of(&app, "ada").await;
        let form = filled(browser.get(&path).await.form(&path));
        let sent = browser.send(&form).await;
        let page = browser.send(&form.with("input.title", "C & D")).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        assert!(page.text.contains("already submitted"), "{}", page.text);
        let deals = ada.client.escrow().list().await.unwrap().escrows;
        assert_eq!((deals.len(), has(&ada).await.as_str()), (1, "40+60"));
        assert_eq!(deals[0].status, EscrowStatus::Funded);
        assert!(browser.get(sent.to()).await.text.contains("Waiting for @bob."));
        is_consistent(&app).await;
    }

    async fn a_small_price_can_be_paid_by_a_deal(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = bob.client.services().create("report", "reports", 20).await.unwrap().service.id;
        let path = format!("/@bob/services/{service}");
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(&path).await;
        assert!(page.text.contains("What do you need?") && !page.text.contains("JSON object"), "{}", page.text);
        let form = page.form(&path).with("pay", "escrow").with("input.text", "on foxes");
        let sent = browser.send(&form).await;
        let deal = ada.client.escrow().list().await.unwrap().escrows.remove(0);
        assert_eq!((deal.status, deal.amount), (EscrowStatus::Funded, 20.into()));
        let order = bob.client.messages().list().await.unwrap().messages.remove(0);
        assert_eq!(order.payload.unwrap()["input"], json!({ "text": "on foxes" }));
        assert_eq!(sent.to(), format!("/orders/{}", order.message_id));
        for (price, usual) in [(49_u32, "direct"), (50, "escrow")] {
            let service = bob.client.services().create(format!("at {price}"), "costs", price);
            let path = format!("/@bob/services/{}", service.await.unwrap().service.id);
            assert_eq!(browser.get(&path).await.form(&path).value("pay"), usual, "{price}");
        }
        let free = bob.client.services().create("gift", "gives", 0).await.unwrap().service.id;
        let page = browser.get(&format!("/@bob/services/{free}")).await;
        assert!(page.text.contains("This service is free.") && !page.text.contains("Escrow: pay"));
    }

    async fn a_notification_of_an_order_names_the_service_and_leads_to_the_order(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = bob.client.services().create("count <words>", "counts", 5).await.unwrap().service.id;
        let sent = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap().message;
        let answer = response(&sent.message_id, ResponseStatus::Completed);
        bob.client.messages().respond_to("ada", answer).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let text = browser.get("/notifications?types=service_request").await.text;
        assert!(text.contains("<bdi>count &"), "{text}");
        assert!(text.contains(&format!("href=\"/orders/{}\"", sent.message_id)), "{text}");
    }

    async fn transactions_name_the_service_and_its_outcome(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = bob.client.services().create("count <words>", "counts", 5).await.unwrap().service.id;
        let browser = Browser::of(&app, "ada").await;
        // Behind the three heads of the columns.
        let newest = async |path| browser.get(path).await.html().named("th")[3].text.clone();
        for (word, charged, reported) in [
            (ResponseStatus::Completed, None, "Paid: count <words>"),
            (ResponseStatus::Completed, Some(2.into()), "Held, then paid in part: count <words>"),
            (ResponseStatus::Rejected, None, "Held, then refunded: count <words>"),
        ] {
            let sent = ada.client.messages().request_service("bob", order(&service, 5)).await.unwrap().message;
            let line = newest("/credits").await;
            assert!(line.starts_with("Held: count <words>"), "{line}");
            let mut answer = response(&sent.message_id, word);
            answer.charged_credits = charged;
            bob.client.messages().respond_to("ada", answer).await.unwrap();
            let movements = ada.client.credits().transactions().await.unwrap().transactions;
            let hold = movements.iter().find(|one| one.request_id.as_ref() == Some(&sent.message_id) && one.kind.as_str() == "hold");
            assert_eq!(hold.unwrap().service_name.as_deref(), Some("count <words>"));
            let shown = newest("/credits?kind=hold").await;
            assert!(shown.starts_with(reported), "{reported}: {shown}");
        }
        let back = newest("/credits?kind=settle").await;
        assert!(back.starts_with("Refunded: count <words>"), "the buyer earned nothing: {back}");
    }

    async fn a_buyer_without_credits_sees_an_error(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let path = format!("/@bob/services/{}", offer(&bob, 101).await);
        let browser = Browser::of(&app, "ada").await;
        let page = browser.get(&path).await;
        assert!(page.text.contains("your balance is 100"), "{}", page.text);
        let page = browser.send(&filled(page.form(&path))).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        let deals = ada.client.escrow().list().await.unwrap().escrows;
        assert!(deals.iter().all(|deal| deal.status == EscrowStatus::Cancelled), "{deals:?}");
    }

    async fn a_dispute_is_opened_answered_and_given_back(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let service = offer(&bob, 60).await;
        let id: EscrowId = ada.client.escrow().create("bob", &service, 60, "a story").await.unwrap().escrow.id;
        bob.client.escrow().deliver(&id, work()).await.unwrap();
        let browser = Browser::of(&app, "ada").await;
        let dispute = format!("/escrow/{id}/dispute");
        let page = browser.get(&dispute).await;
        assert!(page.text.contains("Deadlines are paused"));
        let empty = browser.send(&page.form(&dispute).with("evidence", "line <1>\nline 2")).await;
        assert_eq!(empty.status, StatusCode::BAD_REQUEST);
        let form = empty.form(&dispute);
        assert_eq!(form.value("evidence"), "line <1>\nline 2");
        assert_eq!(browser.send(&form.with("reason", "no fox in it")).await.to(), format!("/escrow/{id}"));
        bob.client.escrow().respond(&id, "there is a fox").await.unwrap();
        let page = browser.get(&format!("/escrow/{id}")).await;
        for text in ["no fox in it", "line &lt;1&gt;", "there is a fox", "<b>Disputed</b>"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        for word in ["respond", "refund", "deliver", "decline"] {
            let page = browser.get(&format!("/escrow/{id}/{word}")).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{word} is the provider's part");
        }
        bob.client.escrow().refund(&id).await.unwrap();
        assert!(browser.get(&format!("/escrow/{id}")).await.text.contains("The seller refunded the buyer."));
    }

    async fn a_deal_is_visible_to_its_parties_only(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        app.person("eve", PASSWORD).await;
        let service = offer(&bob, 60).await;
        let id = ada.client.escrow().create("bob", &service, 60, "a story").await.unwrap().escrow.id;
        let [anonymous, eve] = [Browser::new(&app), Browser::of(&app, "eve").await];
        for path in [format!("/escrow/{id}"), format!("/escrow/{id}/cancel")] {
            assert!(anonymous.get(&path).await.to().starts_with("/login?next="));
            assert_eq!(eve.get(&path).await.status, StatusCode::NOT_FOUND);
        }
        assert_eq!(eve.post(&format!("/escrow/{id}/cancel"), &[]).await.status, StatusCode::NOT_FOUND);
        let browser = Browser::of(&app, "ada").await;
        let cancel = format!("/escrow/{id}/cancel");
        let form = browser.get(&cancel).await.form(&cancel);
        assert_eq!(browser.send(&form).await.to(), format!("/escrow/{id}"));
        assert_eq!(has(&ada).await, "100+0");
    }

    async fn provider_texts_are_escaped_everywhere(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let browser = Browser::of(&app, "ada").await;
        for text in ["<svg onload=mark7(1)>", "\"><b onclick='mark7(1)'>", "</textarea></select></title><b>x mark7"] {
            let schema = json!({ "type": "object", "properties": {
                text: { "type": "string", "title": text, "description": text, "examples": [text], "default": text },
                "one": { "enum": [text, "two"] },
                "many": { "type": "array", "items": { "type": "string" }, "default": [text] },
                "free": { "default": { text: text } },
            } });
            let offering = bob.client.services().create(text, text, 1);
            let offering = offering.with(|request| {
                request.input_schema = Some(object(schema.clone()));
                request.output_schema = Some(object(json!({ "title": text })));
                request.tags = Some(vec![text.chars().take(32).collect::<String>().into()]);
            });
            let service = offering.await.unwrap().service.id;
            let mut asked = order(&service, 1);
            asked.input = object(json!({ text: text, "free": { text: [text] } }));
            let sent = ada.client.messages().request_service("bob", asked).await.unwrap().message;
            let mut answer = response(&sent.message_id, ResponseStatus::Completed);
            answer.output = Some(object(json!({ text: text, "deep": { text: text } })));
            bob.client.messages().respond_to("ada", answer).await.unwrap();
            let deal = ada.client.escrow().create("bob", &service, 1, text).await.unwrap().escrow.id;
            let mut done = work();
            done.rest.insert(text.to_owned(), json!({ text: text }));
            bob.client.escrow().deliver(&deal, done).with(|work| work.notes = Some(text.into())).await.unwrap();
            for path in [
                "/services".to_owned(),
                format!("/@bob/services/{service}"),
                format!("/messages/{}", sent.conversation_id),
                format!("/orders/{}", sent.message_id),
                "/escrow".to_owned(),
                format!("/escrow/{deal}"),
                format!("/escrow/{deal}/release"),
            ] {
                let page = browser.get(&path).await;
                assert_eq!(page.status, StatusCode::OK, "{path}");
                let html = page.html();
                let names: Vec<_> = html.0.iter().flat_map(|one| one.attributes.keys()).collect();
                assert!(names.iter().all(|name| !name.starts_with("on")), "{path}: {text}");
                assert!(html.named("svg").is_empty(), "{path}: {text}");
                assert!(html.named("b").iter().all(|b| !b.text.starts_with('x')), "{path}: {text}");
                assert!(page.text.contains("mark7"), "{path} shows it: {text}");
            }
        }
    }
}
