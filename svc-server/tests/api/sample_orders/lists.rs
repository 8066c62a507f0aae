//! Lists of orders that are samples or may become ones.

use std::slice;

use serde_json::{Map, json};
use svc_client::types::Code;
use svc_client::types::api::orders::{OrderRole, ProposeSample, SampleState};
use svc_client::types::api::services::{SAMPLES_BYTES_MAX, ServiceSample};

use super::{done, input, output, own, proposed};
use crate::app::{all_items, code};
use crate::market::{Market, object};
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

    async fn an_order_is_listed_and_becomes_a_sample_up_to_the_size_of_all_samples(app: TestApp) {
        let market = Market::new(app).await;
        let bob = market.bob.client.orders();
        let of_text = |length: usize| object(json!({ "text": "x".repeat(length) }));
        let small = done(&market, &market.ada, output()).await;
        let mut empty = ServiceSample::new(input(), of_text(0));
        empty.order_id = Some(small.clone());
        let most = SAMPLES_BYTES_MAX - serde_json::to_string(&[empty]).unwrap().len();
        let beyond = done(&market, &market.ada, of_text(most + 1)).await;
        let largest = done(&market, &market.ada, of_text(most)).await;
        let listed = market.bob.client.services().sample_orders("bob", &market.service).await.unwrap();
        let ids: Vec<_> = listed.orders.into_iter().map(|order| order.order_id).collect();
        assert_eq!(ids, [largest.clone(), small], "only what can be one");
        assert_eq!(code::<ProposeSample>(bob.propose_sample(&beyond).await), Code::ValidationFailed);
        bob.propose_sample(&largest).await.unwrap();
        market.ada.client.orders().answer_sample(&largest, true).await.unwrap();
        assert_eq!(own(&market).await[0].order_id, Some(largest));
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
