//! Partial results of an order, on their page.

use serde_json::json;
use svc_client::types::api::orders::ProgressState;

use super::Sides;
use crate::on_both_engines;

on_both_engines! {
    async fn both_parties_read_the_partial_results_of_an_order(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let (id, partials) = (path.trim_start_matches("/orders/"), format!("{path}/partials"));
        assert!(!sides.of_ada.get(&path).await.text.contains(&partials));
        assert!(sides.of_ada.get(&partials).await.text.contains("There are no partial results."));
        let orders = sides.bob.client.orders();
        for partial in [json!({ "draft": "<b>one</b>" }), json!("two"), json!([3, { "four": 4 }])] {
            orders.progress(id, ProgressState::Working).partial(partial).await.unwrap();
        }
        for side in [&sides.of_ada, &sides.of_bob] {
            let order = side.get(&path).await;
            assert!(order.text.contains(&partials) && order.text.contains("3 partial results"), "{}", order.text);
            let page = side.get(&partials).await;
            for shown in ["Partial result 1", "draft", "Partial result 2", "two", "four"] {
                assert!(page.text.contains(shown), "{shown}: {}", page.text);
            }
            assert!(!page.text.contains("<b>one"), "{}", page.text);
        }
    }

    async fn many_partial_results_have_several_pages(app: TestApp) {
        let sides = Sides::new(&app).await;
        let path = sides.ordered(5).await;
        let (id, orders) = (path.trim_start_matches("/orders/"), sides.bob.client.orders());
        for n in 1..=11 {
            let reporting = orders.progress(id, ProgressState::Working).partial(json!({ "n": n }));
            reporting.await.unwrap();
        }
        let page = sides.of_ada.get(&format!("{path}/partials")).await;
        assert!(page.text.contains("Partial result 10") && !page.text.contains("Partial result 11"));
        let links = page.html();
        let next = links.named("a").into_iter().find(|a| a.attributes.get("rel").is_some_and(|rel| rel == "next"));
        let page = sides.of_ada.get(&next.unwrap().attributes["href"]).await;
        assert!(page.text.contains("Partial result 11"), "{}", page.text);
    }
}
