//! Lists of orders that are samples or may become ones.

use std::slice;

use serde_json::Map;
use svc_client::types::api::orders::{OrderRole, SampleState};

use super::{done, output, proposed};
use crate::app::all_items;
use crate::market::Market;
use crate::on_both_engines;

on_both_engines! {
    async fn the_latest_orders_are_listed_that_can_be_proposed_or_were(app: TestApp) {
        let market = Market::new(app).await;
        let eve = market.app.agent("eve").await;
        let declined = proposed(&market).await;
        market.ada.client.orders().answer_sample(&declined, false).await.unwrap();
        done(&market, &market.ada, Map::new()).await;
        done(&market, &eve, output()).await;
        let plain = done(&market, &market.ada, output()).await;
        eve.client.users().delete_me("eve").await.unwrap();
        let listed = async || {
            let list = market.bob.client.services().sample_orders("bob", &market.service).await.unwrap();
            list.orders.into_iter().map(|order| (order.order_id, order.state)).collect::<Vec<_>>()
        };
        let expected = [(plain, None), (declined, Some(SampleState::Declined))];
        assert_eq!(listed().await, expected, "a buyer who is gone can't be asked");
        for _ in 0..9 {
            done(&market, &market.ada, output()).await;
        }
        let latest = listed().await;
        assert_eq!((latest.len(), &latest[9]), (10, &expected[0]), "the 10 latest");
        let plain = &expected[0].0;
        market.bob.client.orders().propose_sample(plain).await.unwrap();
        assert_eq!(listed().await.len(), 10, "what waits and is one of the latest is listed once");
        done(&market, &market.ada, output()).await;
        let waiting = (plain.clone(), Some(SampleState::Proposed));
        assert_eq!(listed().await.last(), Some(&waiting), "and what waits, however old it is");
    }

    async fn proposals_are_listed_by_their_state(app: TestApp) {
        let market = Market::new(app).await;
        let [waits, agreed] = [proposed(&market).await, proposed(&market).await];
        let plain = done(&market, &market.ada, output()).await;
        market.ada.client.orders().answer_sample(&agreed, true).await.unwrap();
        for (member, role) in [
            (&market.ada, OrderRole::Buyer), (&market.ada, OrderRole::Any),
            (&market.bob, OrderRole::Provider), (&market.bob, OrderRole::Any),
        ] {
            let list = |state| member.client.orders().list().role(role.clone()).sample(state).limit(1);
            let ids = async |state| {
                let orders = all_items(list(state)).await;
                orders.into_iter().map(|order| order.id).collect::<Vec<_>>()
            };
            assert_eq!(ids(SampleState::Proposed).await, slice::from_ref(&waits), "{role}");
            assert_eq!(ids(SampleState::Agreed).await, slice::from_ref(&agreed), "{role}");
            assert_eq!(ids(SampleState::Declined).await, [], "{role}");
        }
        let none = market.ada.client.orders().list().role(OrderRole::Provider);
        assert!(all_items(none.sample(SampleState::Proposed)).await.is_empty());
        let all = all_items(market.ada.client.orders().list()).await;
        assert_eq!((all.len(), &all[0].id), (3, &plain));
        assert!(all.iter().all(|order| order.sample.is_none()), "lists leave it out");
    }
}
