//! Services, orders, deals, credits.

mod deals;

use http::StatusCode;
use serde_json::{Map, Value, json};
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::services::ServiceCategory;
use svc_client::types::service_message::{ResponseStatus, ServiceMessage};
use svc_client::types::{Rating, ServiceId};

use crate::app::Member;
use crate::browser::{Browser, PASSWORD, Sheet};
use crate::html::Element;
use crate::market::{has, is_consistent, object, order, response, work};
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

    async fn a_service_whose_orders_fail_is_not_called_new(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let service = bob.client.services().create("gift", "gives", 0).await.unwrap().service.id;
        for _ in 0..5 {
            let ordering = ada.client.orders().create("bob", &service, Map::new()).max_credits(0);
            let order = ordering.await.unwrap().order.id;
            let answering = bob.client.orders().answer(&order, ResponseStatus::Error);
            answering.error("out of gifts").await.unwrap();
        }
        let browser = Browser::new(&app);
        for path in ["/services".to_owned(), format!("/@bob/services/{service}")] {
            let page = browser.get(&path).await.text;
            assert!(page.contains("0 completed, 0% successful"), "{path}: {page}");
            assert!(!page.contains("New: fewer") && !page.contains("· New"), "{path}: {page}");
        }
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
        for typed in [[("input.text", ""), ("input.share", "half")], [("input.pages", "10"), ("input.tags", "a\nb\nc")]] {
            let form = filled(browser.get(&path).await.form(&path));
            let form = typed.iter().fold(form, |form, (field, text)| form.with(field, text));
            let page = browser.send(&form).await;
            assert!(page.html().of_class("wrong")[0].starts_with("2 fields need a change."), "{}", page.text);
            for (field, _) in typed {
                let [target, link] = [format!("id=\"field-{field}\""), format!("href=\"#field-{field}\"")];
                assert!(page.text.contains(&target) && page.text.contains(&link), "{field}: {}", page.text);
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

    async fn a_picture_in_a_sample_is_drawn_for_everyone(app: TestApp) {
        let bob = app.agent("bob").await;
        let schema = object(json!({ "type": "object", "properties": {
            "chart": { "type": "string", "contentMediaType": "image/svg+xml" },
        } }));
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>";
        let sample = json!([{ "input": {}, "output": { "chart": svg } }]);
        let offering = bob.client.services().create("chart", "draws", 3);
        let offering = offering.with(|request| {
            request.output_schema = Some(schema);
            request.samples = serde_json::from_value(sample).unwrap();
        });
        let path = format!("/@bob/services/{}", offering.await.unwrap().service.id);
        let (browser, picture) = (Browser::new(&app), format!("{path}/samples/0/files/chart"));
        for path in [path.as_str(), "/"] {
            let page = browser.get(path).await;
            let html = page.html();
            assert!(html.named("img").iter().any(|img| img.attributes["src"] == picture), "{}", page.text);
            assert!(!page.text.contains("onload"), "{path} shows its source: {}", page.text);
        }
        let file = browser.get(&picture).await;
        assert_eq!((file.text.as_str(), file.status), (svg, StatusCode::OK));
        assert_eq!(file.headers["content-type"], "image/svg+xml");
        assert_eq!(file.headers["content-security-policy"], "sandbox; default-src 'none'");
        for other in ["samples/1/files/chart", "samples/0/files/data", "samples/x/files/chart"] {
            assert_eq!(browser.get(&format!("{path}/{other}")).await.status, StatusCode::NOT_FOUND, "{other}");
        }
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
