//! Lists of orders.

use http::Method;
use serde_json::json;
use svc_client::types::api::escrow::{EscrowStatus, ListEscrows};
use svc_client::types::api::orders::{
    GetOrder, ListOrders, OrderRole, OrderStatus, ProgressState, ResponseStatus,
};
use svc_client::types::{Code, MessageId};

use crate::app::{Member, all_items, code, fault};
use crate::market::{Market, object, offer};
use crate::on_both_engines;
use crate::raw::answer;

/// Ids of orders.
fn ids(orders: Vec<svc_client::types::api::orders::ServiceOrder>) -> Vec<MessageId> {
    orders.into_iter().map(|order| order.id).collect()
}

on_both_engines! {
    async fn orders_are_listed_by_side_newest_first(app: TestApp) {
        let market = Market::new(app).await;
        let back = offer(&market.ada, "back", 1).await;
        let mut sold = Vec::new();
        for _ in 0..3 {
            sold.insert(0, market.placed().await.id);
        }
        let buying = market.bob.client.orders().create("ada", &back, serde_json::Map::new());
        let bought = buying.max_credits(1).await.unwrap().order.id;
        let bob = market.bob.client.orders();
        let all: Vec<MessageId> = [vec![bought.clone()], sold.clone()].concat();
        assert_eq!(ids(all_items(bob.list().limit(1)).await), all, "page by page");
        assert_eq!(ids(all_items(bob.list().role(OrderRole::Provider).limit(2)).await), sold);
        assert_eq!(ids(all_items(bob.list().role(OrderRole::Buyer)).await), [bought]);
        let one = bob.list().role(OrderRole::Provider).await.unwrap().orders.remove(0);
        assert_eq!(one, bob.get(&one.id).await.unwrap().order);
        let cyd = market.app.agent("cyd").await;
        assert_eq!(ids(all_items(cyd.client.orders().list()).await), []);
    }

    async fn orders_are_filtered(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let other = offer(&market.bob, "other", 2).await;
        let open = market.placing().max_credits(5).client_order_id("mine").await.unwrap().order.id;
        let working = market.placed().await.id;
        let asked = market.placed().await.id;
        let done = market.placed().await.id;
        let bob = market.bob.client.orders();
        bob.progress(&working, ProgressState::Working).await.unwrap();
        bob.progress(&asked, ProgressState::InputRequired).prompt("?").await.unwrap();
        bob.answer(&done, ResponseStatus::Completed).await.unwrap();
        market.app.advance(10);
        let from_cyd = cyd.client.orders().create("bob", &other, serde_json::Map::new());
        let from_cyd = from_cyd.max_credits(5).client_order_id("mine").await.unwrap().order;
        let escrow = market.open(10).await.id;
        let paid = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        market.deliver(&escrow).await;
        for role in [OrderRole::Any, OrderRole::Provider] {
            let list = || bob.list().role(role.clone());
            let by = async |status| ids(all_items(list().status(status).limit(1)).await);
            assert_eq!(by(OrderStatus::Open).await, [&from_cyd.id, &open].map(Clone::clone));
            assert_eq!(by(OrderStatus::Working).await, [&working].map(Clone::clone));
            assert_eq!(by(OrderStatus::InputRequired).await, [&asked].map(Clone::clone));
            assert_eq!(by(OrderStatus::Delivered).await, [&paid].map(Clone::clone));
            assert_eq!(by(OrderStatus::Completed).await, [&done].map(Clone::clone));
            assert_eq!(by(OrderStatus::Refunded).await, []);
            assert_eq!(ids(all_items(list().counterparty("cyd")).await), [&from_cyd.id].map(Clone::clone));
            assert_eq!(ids(all_items(list().service_id(&other)).await), [&from_cyd.id].map(Clone::clone));
            let mine = ids(all_items(list().client_order_id("mine")).await);
            assert_eq!(mine, [&from_cyd.id, &open].map(Clone::clone), "what its buyers call so");
            assert_eq!(ids(all_items(list().since(from_cyd.created_at)).await), [&paid, &from_cyd.id].map(Clone::clone));
        }
        let named = |member: &Member| member.client.orders().list().client_order_id("mine");
        assert_eq!(ids(all_items(named(&market.ada)).await), [&open].map(Clone::clone));
        let seen = market.ada.client.orders().get(&open).await.unwrap().order;
        assert_eq!(named(&market.ada).await.unwrap().orders, [seen]);
        assert_eq!(ids(all_items(named(&cyd)).await), [&from_cyd.id].map(Clone::clone));
        assert_eq!(ids(all_items(named(&market.ada).status(OrderStatus::Completed)).await), []);
        assert_eq!(ids(all_items(named(&market.ada).counterparty("cyd")).await), []);
        assert_eq!(ids(all_items(named(&market.ada).service_id(&other)).await), []);
        assert_eq!(ids(all_items(named(&market.ada).since(from_cyd.created_at)).await), []);
        let unknown = bob.list().counterparty("nobody").await;
        assert_eq!(fault::<ListOrders>(unknown), (Code::NotFound, "counterparty".to_owned()));
        let misspelt = answer(market.bob.raw(&market.app, Method::GET, "/orders?state=open")).await;
        assert_eq!(misspelt.refusal().code, Code::UnknownParameter);
        market.bob.client.escrow().refund(&escrow).await.unwrap();
        assert_eq!(ids(all_items(bob.list().status(OrderStatus::Refunded)).await), [paid]);
        market.app.advance(86_400);
        let expired = ids(all_items(bob.list().status(OrderStatus::Expired)).await);
        assert_eq!(expired, [from_cyd.id, asked, working, open], "overdue orders are advanced first");
    }

    async fn a_suspended_account_is_found_by_those_it_bought_from_or_sold_to(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let id = market.placed().await.id;
        for (suspended, other) in [("ada", &market.bob), ("bob", &market.ada)] {
            market.app.suspend(suspended).await;
            let list = |member: &Member| member.client.orders().list().counterparty(suspended);
            assert_eq!(ids(all_items(list(other)).await), std::slice::from_ref(&id), "with {suspended}");
            let stranger = list(&cyd).await;
            assert_eq!(fault::<ListOrders>(stranger), (Code::NotFound, "counterparty".to_owned()));
            market.app.unsuspend(suspended).await;
        }
    }

    async fn a_deleted_account_is_found_by_those_it_bought_from_or_sold_to(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let id = market.ordered(5).await;
        market.bob.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
        let escrow = market.escrow(&EscrowStatus::Released).await.id;
        let bob = market.bob.user.id.to_string();
        market.bob.client.users().delete_me("bob").await.unwrap();
        for is_erased in [false, true] {
            if is_erased {
                market.app.advance(14 * 86_400);
                market.app.server.erase().await;
            }
            for name in ["BOB", bob.as_str()] {
                let orders = |member: &Member| member.client.orders().list().counterparty(name);
                assert_eq!(ids(all_items(orders(&market.ada)).await), std::slice::from_ref(&id), "{name}");
                let stranger = orders(&cyd).await;
                assert_eq!(fault::<ListOrders>(stranger), (Code::NotFound, "counterparty".to_owned()));
                let escrows = |member: &Member| member.client.escrow().list().counterparty(name);
                let found = all_items(escrows(&market.ada)).await;
                assert_eq!(found.iter().map(|one| &one.id).collect::<Vec<_>>(), [&escrow], "{name}");
                let stranger = escrows(&cyd).await;
                assert_eq!(fault::<ListEscrows>(stranger), (Code::NotFound, "counterparty".to_owned()));
            }
        }
    }

    async fn a_seller_who_acts_on_a_hidden_order_sees_nothing_of_its_text(app: TestApp) {
        let market = Market::new(app).await;
        let orders = market.ada.client.orders();
        let placing = orders.create("bob", &market.service, object(json!({ "text": "insults" })));
        let id = placing.max_credits(10).await.unwrap().order.id;
        let hidden = id.clone();
        let sql = svc_store::sql!("update message set hidden = true where id = $1");
        market.app.execute(move |ctx| ctx.tx.execute(sql, svc_store::values![hidden])).await;
        for (act, body) in [
            ("progress", json!({ "state": "working" })),
            ("answer", json!({ "status": "rejected", "reason": "no" })),
        ] {
            let acted = market.sent(&market.bob, Method::POST, &format!("/orders/{id}/{act}"), &body).await;
            assert_eq!(acted.json()["order"]["input"], json!({}), "{act}");
            assert!(!acted.text.contains("insults"), "{act}: {}", acted.text);
        }
        let seen = orders.get(&id).await.unwrap().order;
        assert_eq!(seen.input, object(json!({ "text": "insults" })), "its buyer wrote it");
        market.is_consistent().await;
    }

    async fn an_answer_that_moderators_hide_is_not_read_in_its_order(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let answering = market.bob.client.orders().answer(&id, ResponseStatus::Completed);
        answering.output(object(json!({ "text": "insults" }))).await.unwrap();
        let hidden = market.order_seen(&id).await.response_message_id.unwrap();
        let sql = svc_store::sql!("update message set hidden = true where id = $1");
        market.app.execute(move |ctx| ctx.tx.execute(sql, svc_store::values![hidden])).await;
        for path in [format!("/orders/{id}"), "/orders".to_owned()] {
            let seen = answer(market.ada.raw(&market.app, Method::GET, &path)).await;
            assert_eq!(seen.status, 200);
            assert!(!seen.text.contains("insults"), "{path}: {}", seen.text);
        }
    }

    async fn a_page_of_a_hidden_order_is_for_its_buyer(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let hidden = id.clone();
        let sql = svc_store::sql!("update message set hidden = true where id = $1");
        market.app.execute(move |ctx| ctx.tx.execute(sql, svc_store::values![hidden])).await;
        assert_eq!(ids(all_items(market.ada.client.orders().list()).await), [&id].map(Clone::clone));
        assert_eq!(ids(all_items(market.bob.client.orders().list()).await), []);
        let hidden = market.bob.client.orders().get(&id).await;
        assert_eq!(code::<GetOrder>(hidden), Code::NotFound);
        let path = format!("/orders/{id}/partials");
        assert_eq!(answer(market.bob.raw(&market.app, Method::GET, &path)).await.status, 404);
        let declined = json!({ "status": "rejected", "reason": "no" });
        let path = format!("/orders/{id}/answer");
        assert_eq!(market.sent(&market.bob, Method::POST, &path, &declined).await.status, 200, "its credits go back");
        market.is_consistent().await;
    }
}
