//! Orders and escrows.

use http::Method;
use serde_json::json;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Span};
use svc_store::{sql, values};

use super::{admitted, ask, write_to};
use crate::app::Member;
use crate::held::{Held, behind};
use crate::market::{Market, response, work};
use crate::on_both_engines;
use crate::owners::{PASSWORD, own};

on_both_engines! {
    async fn orders_and_escrows_are_counted_together(
        app: TestApp, "limits.budgets" = "true", "limits.new.deals" = "3/1h",
        "limits.new.strangers" = "1/1d", "limits.new.messages" = "1/1h"
    ) {
        let market = Market::new(app).await;
        let first = market.ordered(5).await;
        market.ordered(5).await;
        let escrow = market.open(5).await;
        assert_eq!(market.opening(5).await.unwrap_err().code(), Some(&Code::RateLimited));
        market.deliver(&escrow.id).await;
        market.ada.client.escrow().release(&escrow.id).await.unwrap();
        let done = response(&first, ResponseStatus::Completed);
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
        market.ada.write(&market.bob, "no order was a message").await;
        let refused = write_to(&market.app, &market.ada, "bob").await;
        assert_eq!(refused.refusal().code, Code::RateLimited);
    }

    async fn a_deal_can_be_finished_without_remaining_budget(
        app: TestApp, "limits.budgets" = "true", "limits.new.writes" = "1/1h",
        "limits.new.messages" = "1/1h"
    ) {
        let market = Market::new(app).await;
        let order = market.ordered(5).await;
        market.bob.client.lists().create("friends").await.unwrap_err();
        let done = response(&order, ResponseStatus::Completed);
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
    }

    async fn unfunded_escrows_are_limited(
        app: TestApp, "limits.budgets" = "true", "limits.new.unfunded" = "2",
        "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let opening = (0..8).map(|_| {
            let body = json!({
                "providerUsername": "bob", "serviceId": market.service, "amount": 1_000_000,
                "description": "a report", "expiresIn": "1h",
            });
            ask(&market.app, &market.ada, Method::POST, "/v1/escrow", body)
        });
        assert_eq!(admitted(opening, 201).await, 2);
        let refused = market.opening(1_000_000).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::RateLimited));
        assert_eq!(refused.retry_after().map(|wait| wait.as_secs()), Some(3600));
        market.open(5).await;
        let open = market.ada.client.escrow().list().await.unwrap().escrows;
        market.ada.client.escrow().cancel(&open[1].id).await.unwrap();
        market.open(1_000_000).await;
    }

    async fn reports_of_a_delivery_count_among_the_messages_to_one_account(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "2/1h"
    ) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await.id;
        let ordered = market.ordering(market.with_escrow(10, &escrow)).await.unwrap();
        let id = ordered.message.message_id;
        market.deliver(&escrow).await;
        let report = || market.answering(response(&id, ResponseStatus::Delivered));
        for _ in 0..2 {
            report().await.unwrap();
        }
        assert_eq!(report().await.unwrap_err().code(), Some(&Code::RateLimited));
        market.ada.client.escrow().release(&escrow).await.unwrap();
        assert_eq!(report().await.unwrap_err().code(), Some(&Code::RateLimited));
        let done = response(&id, ResponseStatus::Completed);
        market.answering(done).await.expect("what ends an order is never too much");
    }

    async fn what_replaces_a_delivery_or_an_answer_counts_among_the_messages_to_one_account(
        app: TestApp, "limits.budgets" = "true", "limits.dm_per_peer" = "2/1h"
    ) {
        let market = Market::new(app).await;
        let bob = market.bob.client.escrow();
        let id = market.open(10).await.id;
        let deliver = || bob.deliver(&id, work());
        for _ in 0..3 {
            deliver().await.unwrap();
        }
        assert_eq!(deliver().await.unwrap_err().code(), Some(&Code::RateLimited));
        market.dispute(&id).await;
        let respond = || bob.respond(&id, "it works");
        respond().await.expect("a first answer is never too much");
        assert_eq!(respond().await.unwrap_err().code(), Some(&Code::RateLimited));
        market.app.advance(3_600);
        for _ in 0..2 {
            respond().await.unwrap();
        }
        bob.offer_split(&id, 5).await.expect("nor is a first offer");
        assert_eq!(bob.offer_split(&id, 6).await.unwrap_err().code(), Some(&Code::RateLimited));
        market.ada.client.escrow().release(&id).await.unwrap();
        let late = respond().await.unwrap_err();
        assert_eq!(late.code(), Some(&Code::WrongState), "the state comes first");
        let other = market.open(10).await.id;
        market.deliver(&other).await;
        market.is_consistent().await;
    }

    async fn agents_share_the_limit_of_unfunded_escrows_with_their_owner(
        app: TestApp, "limits.budgets" = "true", "limits.new.unfunded" = "2",
        "limits.sign_up.count" = "0"
    ) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let ann = market.app.person("ann", PASSWORD).await;
        own(&ann, &market.ada).await;
        own(&ann, &cyd).await;
        let opening = |buyer: &Member| {
            buyer.client.escrow().create("bob", &market.service, 1_000_000_u32, "a report")
        };
        let first = market.open(1_000_000).await;
        opening(&cyd).await.unwrap();
        for buyer in [&market.ada, &cyd, &ann] {
            let refused = opening(buyer).await.unwrap_err();
            assert_eq!(refused.code(), Some(&Code::RateLimited));
        }
        market.ada.client.escrow().cancel(&first.id).await.unwrap();
        opening(&ann).await.unwrap();
        assert_eq!(opening(&cyd).await.unwrap_err().code(), Some(&Code::RateLimited));
        let eve = market.app.agent("eve").await;
        opening(&eve).await.expect("she has a limit of her own");
    }

    async fn an_unfunded_escrow_of_another_agent_counts_until_it_expires(
        app: TestApp, "limits.budgets" = "true", "limits.new.unfunded" = "1",
        "limits.sign_up.count" = "0", "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let ann = market.app.person("ann", PASSWORD).await;
        own(&ann, &market.ada).await;
        own(&ann, &cyd).await;
        let opening = |buyer: &Member| {
            let call = buyer.client.escrow().create("bob", &market.service, 1_000_000_u32, "a report");
            call.expires_in(Span::from_secs(60))
        };
        let expires = opening(&cyd).await.unwrap().escrow.id;
        let refused = opening(&market.ada).await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::RateLimited));
        // The server can't advance it by then.
        let lock = sql!("select id from escrow where id = $1 for update");
        let held = Held::by(&market.app, move |ctx| {
            ctx.tx.lock(lock, values![expires])?;
            ctx.tx.one::<i64>(sql!("select cast(1 as bigint)"), &[]).map(|_| 1)
        })
        .await;
        market.app.advance(60);
        behind(&market.app, held, 1, opening(&market.ada).into_future()).await.unwrap();
    }
}
