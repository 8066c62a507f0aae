//! What a bot sold: for the bot and its owner, equal to its figures, its ledger and its deliveries.

use serde_json::Map;
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::sales::{GetSales, Sales, SalesWindow};
use svc_client::types::{Balance, Code, Share};

use crate::app::code;
use crate::market::{Market, offer};
use crate::on_both_engines;

const DAY: u64 = 86_400;

async fn sales(market: &Market, window: SalesWindow) -> Sales {
    market.bob.client.services().sales("bob").window(window).await.unwrap().sales
}

/// A direct order of ada's, answered after some seconds.
async fn answered(market: &Market, seconds: u64, charged: Option<u32>) {
    let placing = market.ada.client.orders().create("bob", &market.service, Map::new());
    let id = placing.max_credits(5).await.unwrap().order.id;
    market.app.advance(seconds);
    let orders = market.bob.client.orders();
    match charged {
        Some(charged) => {
            orders.answer(&id, ResponseStatus::Completed).charged_credits(charged).await
        }
        None => orders.answer(&id, ResponseStatus::Error).error("broken").charged_credits(0).await,
    }
    .unwrap();
}

fn credits(amount: i64) -> Balance {
    Balance::from_micros(amount * 1_000_000)
}

on_both_engines! {
    async fn sales_are_what_ended_and_what_was_paid(app: TestApp) {
        let market = Market::new(app).await;
        let before = sales(&market, SalesWindow::Day).await;
        assert_eq!((before.earned, before.orders_done, before.services.len()), (credits(0), 0, 0));
        assert_eq!(before.series.len(), 24);
        for seconds in [10, 40, 20] {
            answered(&market, seconds, Some(3)).await;
        }
        answered(&market, 30, None).await;
        let escrow = market.open(20).await.id;
        market.deliver(&escrow).await;
        market.ada.client.escrow().release(&escrow).await.unwrap();
        let refunded = market.open(10).await.id;
        market.deliver(&refunded).await;
        market.bob.client.escrow().refund(&refunded).await.unwrap();
        for window in [SalesWindow::Day, SalesWindow::Week, SalesWindow::Month, SalesWindow::Quarter] {
            let sales = sales(&market, window.clone()).await;
            assert_eq!((sales.earned, sales.orders_done, sales.orders_failed), (credits(29), 4, 2), "{window}");
            assert_eq!(sales.series.iter().map(|step| step.earned.micros()).sum::<i64>(), 29_000_000);
            assert_eq!(sales.series.iter().map(|step| step.orders_done).sum::<i64>(), 4);
            assert_eq!(sales.series.iter().map(|step| step.orders_failed).sum::<i64>(), 2);
            let [service] = sales.services.as_slice() else { panic!("{sales:?}") };
            assert_eq!((service.earned, service.orders_done, service.orders_failed), (credits(29), 4, 2));
            assert_eq!(service.success_rate, Some(4.0 / 6.0));
            // Of 0, 10, 20 and 40 seconds.
            assert_eq!((service.median_answer_seconds, service.p95_answer_seconds), (Some(15.0), Some(40.0)));
            assert_eq!((sales.median_answer_seconds, sales.p95_answer_seconds), (Some(15.0), Some(40.0)));
        }
        let own = market.bob.client.services().list().await.unwrap().services.remove(0);
        assert_eq!((own.orders_done, own.p95_answer_seconds), (4, Some(40.0)));
        let balance = market.bob.client.credits().balance().await.unwrap().credits.available;
        assert_eq!(balance.micros() - 100_000_000, 29_000_000, "what was earned is what was paid");
        market.is_consistent().await;
    }

    async fn sales_leave_the_windows_with_time(app: TestApp) {
        let market = Market::new(app).await;
        let other = offer(&market.bob, "other", 1).await;
        answered(&market, 1, Some(5)).await;
        for (days, window, done) in [
            (1, SalesWindow::Day, 0), (0, SalesWindow::Week, 1), (6, SalesWindow::Week, 0),
            (0, SalesWindow::Month, 1), (23, SalesWindow::Month, 0), (0, SalesWindow::Quarter, 1),
            (60, SalesWindow::Quarter, 0),
        ] {
            market.app.advance(days * DAY);
            market.app.server.sweep().await;
            assert_eq!(sales(&market, window.clone()).await.orders_done, done, "{window} after {days} days more");
        }
        let hours = svc_store::sql!("select count(*) from sale where step = 3600000");
        assert_eq!(market.app.count(hours).await, 0, "only days are kept");
        market.bob.client.services().delete(&other).await.unwrap();
        let sales = market.bob.client.services().sales("bob").await.unwrap().sales;
        assert_eq!((sales.window, sales.series.len()), (SalesWindow::Month, 30));
        market.is_consistent().await;
    }

    async fn only_the_bot_and_its_owner_see_its_sales(app: TestApp) {
        let market = Market::new(app).await;
        let ann = market.app.person("ann", "correct horse").await;
        answered(&market, 1, Some(5)).await;
        for (caller, name, expected) in [
            (&market.ada, "bob", Code::Forbidden), (&ann, "bob", Code::Forbidden),
            (&ann, "ann", Code::Forbidden), (&ann, "nobody", Code::NotFound),
        ] {
            assert_eq!(code::<GetSales>(caller.client.services().sales(name).await), expected, "{name}");
        }
        let link = market.bob.client.agents().create_claim_link().await.unwrap().url;
        ann.client.agents().claim(link).await.unwrap();
        assert_eq!(ann.client.services().sales("BOB").await.unwrap().sales.orders_done, 1);
        ann.client.agents().release("bob").await.unwrap();
        assert_eq!(code::<GetSales>(ann.client.services().sales("bob").await), Code::Forbidden);
    }

    async fn services_are_found_by_their_success(app: TestApp) {
        let market = Market::new(app).await;
        offer(&market.ada, "untried work", 1).await;
        for _ in 0..4 {
            answered(&market, 1, Some(0)).await;
        }
        let found = async |term: &str, thousandths: u16| {
            let bots = market.app.anonymous.bots();
            let share = Share::from_thousandths(thousandths).unwrap();
            let finding = if term.is_empty() { bots.discover_all() } else { bots.discover(term) };
            finding.min_success(share).page().await.unwrap().items.len()
        };
        assert_eq!(found("work", 0).await, 0, "4 orders say nothing");
        answered(&market, 1, None).await;
        for term in ["", "work"] {
            let counts = [found(term, 0).await, found(term, 800).await, found(term, 801).await];
            assert_eq!(counts, [1, 1, 0], "{term}");
        }
    }
}
