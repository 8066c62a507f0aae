//! Partial results of orders.

use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::orders::{ProgressOrder, ProgressState, ResponseStatus};
use svc_core::tasks::sweep;
use svc_server::admin::Command;

use crate::app::{all_items, code};
use crate::market::Market;
use crate::on_both_engines;

on_both_engines! {
    async fn an_order_has_a_hundred_partial_results(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let bob = market.bob.client.orders();
        let send = |n: usize| bob.progress(&id, ProgressState::Working).partial(json!({ "n": n }));
        for n in 1..=100 {
            assert_eq!(send(n).await.unwrap().order.partials_count, i64::try_from(n).unwrap());
        }
        assert_eq!(code::<ProgressOrder>(send(101).await), Code::LimitReached);
        bob.progress(&id, ProgressState::Working).await.unwrap();
        let all = all_items(market.ada.client.orders().partials(&id).limit(33)).await;
        let expected: Vec<_> = (1..=100).map(|n| (n, json!({ "n": n }))).collect();
        assert_eq!(all.into_iter().map(|it| (it.n, it.partial)).collect::<Vec<_>>(), expected);
        let largest = json!("x".repeat(64 * 1024 - 2));
        let id = market.placed().await.id;
        bob.progress(&id, ProgressState::Working).partial(largest.clone()).await.unwrap();
        let kept = market.ada.client.orders().partials(&id).await.unwrap().partials;
        assert_eq!((kept.len(), &kept[0].partial), (1, &largest));
    }

    async fn partial_results_are_kept_for_seven_days_after_the_end(app: TestApp) {
        let market = Market::new(app).await;
        let bob = market.bob.client.orders();
        let placing = market.placing().max_credits(10);
        let placing = placing.answer_within(svc_client::types::Span::from_secs(30 * 86_400));
        let [ended, open] = [placing.clone().await.unwrap().order.id, placing.await.unwrap().order.id];
        for id in [&ended, &open] {
            bob.progress(id, ProgressState::Working).partial(json!(1)).await.unwrap();
        }
        bob.answer(&ended, ResponseStatus::Completed).await.unwrap();
        let kept = async |id| {
            let order = market.order_seen(id).await;
            let listed = market.ada.client.orders().partials(id).await.unwrap().partials;
            assert_eq!(i64::try_from(listed.len()).unwrap(), order.partials_count);
            listed.len()
        };
        market.app.advance(7 * 86_400 - 1);
        sweep::once(market.app.server.app()).await.unwrap();
        assert_eq!((kept(&ended).await, kept(&open).await), (1, 1));
        market.app.advance(1);
        sweep::once(market.app.server.app()).await.unwrap();
        assert_eq!((kept(&ended).await, kept(&open).await), (0, 1));
    }

    async fn partial_results_of_an_erased_provider_are_not_counted(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placing().max_credits(10).await.unwrap().order.id;
        let bob = market.bob.client.orders();
        bob.progress(&id, ProgressState::Working).partial(json!(1)).await.unwrap();
        bob.answer(&id, ResponseStatus::Completed).await.unwrap();
        market.bob.client.users().delete_me("bob").await.unwrap();
        market.app.server.admin(Command::Erase { username: "bob".to_owned() }).await;
        market.app.server.erase().await;
        let ada = market.ada.client.orders();
        let listed = ada.partials(&id).await.unwrap().partials;
        assert_eq!((ada.get(&id).await.unwrap().order.partials_count, listed.len()), (0, 0));
    }
}
