//! What an order shows and takes by further arguments, partial results and time, and how its service is found.

use serde_json::json;

use super::orders::{named, spender};
use super::sellers;
use super::tools::{fits, listed};
use crate::market::offer;
use crate::on_both_engines;

on_both_engines! {
    async fn partial_results_are_read_page_by_page_with_their_order(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (buyer, seller) = (spender(&app, &ada).await, app.host_of(&bob));
        let id = buyer.done("order", named("work", "one")).await["orderId"].take();
        for page in [1, 2] {
            let report = json!({ "orderId": id, "state": "working", "partial": { "page": page } });
            seller.done("order_progress", report).await;
        }
        let plain = buyer.seen("order_show", json!({ "orderId": id })).await;
        assert_eq!((&plain["order"]["partialsCount"], plain.get("partials")), (&2.into(), None));
        let all = buyer.call("order_show", json!({ "orderId": id, "partials": true })).await;
        fits(&listed(&buyer).await, "order_show", &all);
        let all = &all["structuredContent"]["untrusted"];
        assert_eq!((&all["order"]["id"], &all["partials"][0]["n"]), (&id, &1.into()));
        assert_eq!((all["partials"].as_array().unwrap().len(), all.get("nextCursor")), (2, None));
        let first = json!({ "orderId": id, "partials": true, "limit": 1 });
        let first = buyer.seen("order_show", first).await;
        let partials = &first["partials"];
        assert_eq!((&partials[0]["partial"], partials.get(1)), (&json!({ "page": 1 }), None));
        let next = json!({ "orderId": id, "cursor": first["nextCursor"] });
        let next = buyer.seen("order_show", next).await;
        assert_eq!((&next["partials"][0]["n"], &next["order"]["status"]), (&2.into(), &"working".into()));
    }

    async fn partial_results_that_are_too_long_are_shortened_and_their_order_is_not(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (buyer, seller) = (spender(&app, &ada).await, app.host_of(&bob));
        let (text, input) = (vec!["flood"; 6_600].join(" "), vec!["flood"; 2_000].join(" "));
        let mut order = named("work", "one");
        order["input"] = json!({ "text": input });
        let id = buyer.done("order", order).await["orderId"].take();
        for _ in 0..3 {
            let report = json!({ "orderId": id, "state": "working", "partial": text });
            seller.done("order_progress", report).await;
        }
        let shown = buyer.done("order_show", json!({ "orderId": id, "partials": true })).await;
        let partial = shown["untrusted"]["partials"][2]["partial"].as_str().unwrap();
        assert!(partial.ends_with("… (31599 more characters)"), "{partial}");
        assert!(shown["hint"].as_str().unwrap().contains("smaller limit"));
        assert_eq!(shown["untrusted"]["order"]["input"]["text"], json!(input));
    }

    async fn the_provider_of_an_order_gets_more_time(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        let (buyer, seller) = (spender(&app, &ada).await, app.host_of(&bob));
        let id = buyer.done("order", named("work", "one")).await["orderId"].take();
        let asks = json!({ "orderId": id, "state": "input_required", "prompt": "which?" });
        let asked = seller.seen("order_progress", asks).await["order"].take();
        let mut given = json!({ "orderId": id, "answerWithin": "2d" });
        let longer = buyer.seen("order_input", given.clone()).await["order"].take();
        assert!(longer["expiresAt"].as_str() > asked["expiresAt"].as_str(), "{longer:#}");
        assert_eq!(longer["status"], "input_required", "the question is still open");
        given["promptId"] = asked["prompt"]["id"].clone();
        given["input"] = "this".into();
        for refused in [given.clone(), json!({ "orderId": id }), json!({ "orderId": id, "input": 1 })] {
            assert_eq!(buyer.refused("order_input", refused).await["code"], "validation_failed");
        }
        given["answerWithin"] = json!(null);
        assert_eq!(buyer.seen("order_input", given).await["order"]["status"], "working");
    }

    async fn a_service_is_found_in_any_case_of_its_letters(app: TestApp) {
        let (ada, bob) = sellers(&app).await;
        offer(&bob, "Übersetzen", 5).await;
        let host = spender(&app, &ada).await;
        let placed = host.done("order", named("übersetzen", "one")).await;
        let again = host.done("order", named("ÜBERSETZEN", "one")).await;
        assert_eq!(again["orderId"], placed["orderId"]);
        let one = json!({ "username": "bob", "service": "übersetzen" });
        let one = host.seen("capabilities", one).await["capabilities"].take();
        assert_eq!((&one[0]["name"], one.get(1)), (&"Übersetzen".into(), None));
        let uri = "svc://services/bob/%C3%BCbersetzen";
        let read = host.ask("resources/read", json!({ "uri": uri })).await;
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert!(text.contains("\"name\":\"Übersetzen\""), "{text}");
    }
}
