//! Automatic transitions of escrows: the test moves the clock.

use http::Method;
use serde_json::{Map, json};
use svc_client::types::api::escrow::{EscrowRole, EscrowStatus, ReleaseEscrow};
use svc_client::types::api::keys::KeySpend;
use svc_client::types::api::orders::CreateOrder;
use svc_client::types::{Code, Scope, Span};
use svc_core::due;
use svc_core::tasks::sweep;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, code, fault};
use crate::held::{Held, behind};
use crate::market::{Market, has, work};
use crate::on_both_engines;
use crate::raw::answer;

const WEEK: u64 = 7 * 86_400;
const REVIEW: u64 = 72 * 3_600;

/// State and end of an escrow.
async fn ended(market: &Market, member: &Member, id: &svc_client::types::EscrowId) -> String {
    let escrow = member.client.escrow().get(id).await.unwrap().escrow;
    assert!(escrow.closed_at.is_some_and(|at| at <= market.app.server.clock().now()));
    format!("{} {}", escrow.status, escrow.close_reason.unwrap())
}

on_both_engines! {
    async fn an_escrow_without_timely_delivery_expires(app: TestApp) {
        let market = Market::new(app).await;
        let ids = [market.open(10).await.id, market.open(10).await.id, market.open(1_000).await.id];
        market.app.advance(WEEK - 1);
        market.deliver(&ids[0]).await;
        market.app.advance(1);
        let path = format!("/v1/escrow/{}/deliver", ids[1]);
        let late = || {
            let request = market.bob.raw(&market.app, Method::POST, &path).header("idempotency-key", "one");
            answer(request.json(&json!({ "deliverable": { "type": "text" } })))
        };
        for _ in 0..2 {
            let refused = late().await.refusal();
            assert_eq!((refused.code, refused.hint.as_deref()), (Code::WrongState, Some("cancelled")), "and the key is free");
        }
        assert_eq!(ended(&market, &market.bob, &ids[1]).await, "cancelled expired");
        assert_eq!(ended(&market, &market.ada, &ids[2]).await, "cancelled expired");
        assert_eq!(market.have().await, ["90+10", "100+0"]);
        market.is_consistent().await;
    }

    async fn an_escrow_cannot_be_funded_after_its_deadline(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Created).await.id;
        market.app.advance(WEEK);
        let refused = market.ada.client.escrow().fund(&id).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some("cancelled")));
        assert_eq!(has(&market.ada).await, "101+0");
        market.is_consistent().await;
    }

    async fn a_silent_buyer_accepts_the_delivery(app: TestApp) {
        let market = Market::new(app).await;
        let ids = [market.open(10).await.id, market.open(10).await.id];
        for id in &ids {
            market.deliver(id).await;
        }
        market.app.advance(REVIEW - 1);
        let again = market.deliver(&ids[1]).await;
        assert_eq!(again.deliverable_version, 2);
        market.app.advance(1);
        let refused = market.ada.client.escrow().release(&ids[0]).await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some("released")));
        let refused = market.ada.client.escrow().dispute(&ids[0], "too late").await.unwrap_err();
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some("released")));
        assert_eq!(ended(&market, &market.bob, &ids[0]).await, "released auto_released");
        assert_eq!(market.seen(&ids[1]).await.status, EscrowStatus::Delivered, "the review started again");
        assert_eq!(market.have().await, ["80+10", "110+0"]);
        market.app.advance(REVIEW - 1);
        assert_eq!(market.have().await, ["80+0", "120+0"], "a balance is read after what is due");
        let own = market.bob.client.services().list().await.unwrap().services.remove(0);
        assert_eq!(own.ratings_count, 0);
        let line = market.ada.client.escrow().events(&ids[0]).await.unwrap().events.pop().unwrap();
        assert_eq!((line.action.as_str(), line.actor_username), ("auto_released", None));
        market.is_consistent().await;
    }

    async fn the_buyer_accepts_the_delivery_they_have_seen(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(10).await.id;
        market.deliver(&id).await;
        market.deliver(&id).await;
        let release = |version| market.ada.client.escrow().release(&id).deliverable_version(version);
        for version in [1, 3] {
            let expected = (Code::VersionMismatch, "deliverableVersion".to_owned());
            assert_eq!(fault::<ReleaseEscrow>(release(version).await), expected);
        }
        release(2).await.unwrap();
        let over = release(1).await.unwrap_err();
        assert_eq!((over.code(), over.hint()), (Some(&Code::WrongState), Some("released")), "the state comes first");
        market.is_consistent().await;
    }

    async fn a_dispute_stops_every_clock(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        market.app.advance(100 * 86_400);
        due::sweep(market.app.server.app()).await.unwrap();
        assert_eq!(market.seen(&id).await.status, EscrowStatus::Disputed);
        assert_eq!(has(&market.ada).await, "90+10");
    }

    async fn a_dispute_may_end_by_itself(
        app: TestApp, "exchange.dispute_timeout" = "1d", "exchange.dispute_timeout_outcome" = "release"
    ) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        market.app.advance(86_399);
        assert_eq!(market.seen(&id).await.status, EscrowStatus::Disputed);
        market.app.advance(1);
        let refused = market.bob.client.escrow().refund(&id).await.unwrap_err();
        assert_eq!(refused.hint(), Some("released"));
        assert_eq!(ended(&market, &market.ada, &id).await, "released dispute_released");
        let dispute = market.seen(&id).await.dispute.unwrap();
        assert_eq!((dispute.outcome.unwrap().as_str(), dispute.note), ("release", None));
        assert_eq!(market.have().await, ["90+0", "110+0"]);
        market.is_consistent().await;
    }

    async fn an_unresolved_dispute_may_refund_the_buyer(app: TestApp, "exchange.dispute_timeout" = "1d") {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        market.app.advance(86_400);
        assert_eq!(ended(&market, &market.ada, &id).await, "refunded dispute_refunded");
        let message = "the dispute between @ada and @bob was decided for the buyer, 10 credits";
        for member in [&market.ada, &market.bob] {
            let notified = member.client.notifications().list().await.unwrap().notifications;
            assert!(notified.iter().any(|one| one.text.as_deref() == Some(message)), "{notified:?}");
        }
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        market.is_consistent().await;
    }

    async fn moderators_are_shown_no_dispute_that_ends_by_itself_now(
        app: TestApp, "exchange.dispute_timeout" = "1d"
    ) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        let judge = market.app.agent("judge").await;
        market.app.grant_role("judge", "moderator").await;
        let shown = async || {
            let list = judge.client.escrow().list().role(EscrowRole::Moderator);
            list.await.unwrap().escrows.len()
        };
        assert_eq!(shown().await, 1);
        // The clock does not advance, so no task of the server finds it first.
        let sql = sql!("update escrow set due_at = created_at where status = 'disputed'");
        market.app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        assert_eq!(shown().await, 0);
        assert_eq!(ended(&market, &judge, &id).await, "refunded dispute_refunded");
    }

    async fn a_dispute_from_before_the_timeout_was_set_ends_by_it(
        app: TestApp, "exchange.dispute_timeout" = "1d"
    ) {
        let market = Market::new(app).await;
        let [earlier, other] = [market.escrow(&EscrowStatus::Disputed).await.id, market.open(7).await.id];
        // As it was opened without the setting.
        let sql = sql!("update escrow set due_at = null where status = 'disputed'");
        market.app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        sweep::once(market.app.server.app()).await.unwrap();
        market.app.advance(86_399);
        assert_eq!(market.seen(&earlier).await.status, EscrowStatus::Disputed);
        market.app.advance(1);
        assert_eq!(ended(&market, &market.ada, &earlier).await, "refunded dispute_refunded");
        assert_eq!(market.seen(&other).await.status, EscrowStatus::Funded);
        market.is_consistent().await;
    }

    async fn a_dispute_goes_on_once_the_timeout_is_taken_back(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        // As it was opened with the setting.
        let sql = sql!("update escrow set due_at = created_at + 86400000 where status = 'disputed'");
        market.app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        sweep::once(market.app.server.app()).await.unwrap();
        market.app.advance(2 * 86_400);
        due::sweep(market.app.server.app()).await.unwrap();
        assert_eq!(market.seen(&id).await.status, EscrowStatus::Disputed);
        market.is_consistent().await;
    }

    async fn the_windows_are_configurable(app: TestApp, "exchange.review_window" = "1h") {
        let market = Market::new(app).await;
        let id = market.open(10).await.id;
        market.deliver(&id).await;
        market.app.advance(3_600);
        assert_eq!(ended(&market, &market.bob, &id).await, "released auto_released");
    }

    async fn the_sweep_advances_everything_overdue(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        let mut ids = Vec::new();
        for _ in 0..30 {
            ids.push(market.open(1).await.id);
            market.ordered(1).await;
        }
        for id in &ids[..10] {
            market.bob.client.escrow().deliver(id, work()).await.unwrap();
        }
        market.app.advance(WEEK);
        let app = market.app.server.app();
        let (one, other) = tokio::join!(due::sweep(app), due::sweep(app));
        one.and(other).unwrap();
        let open = sql!(
            "select (select count(*) from escrow where due_at is not null)
                + (select count(*) from service_request where due_at is not null)"
        );
        assert_eq!(market.app.count(open).await, 0);
        assert_eq!(market.have().await, ["90+0", "110+0"]);
        market.is_consistent().await;
    }

    async fn credits_that_an_expired_deal_held_can_be_spent_at_once(
        app: TestApp, "exchange.request_life" = "1m"
    ) {
        let market = Market::new(app).await;
        market.ordered(100).await;
        market.app.advance(60);
        let opened = market.opening(100).expires_in(Span::from_secs(60)).await.unwrap().escrow;
        assert_eq!(opened.status, EscrowStatus::Funded);
        market.app.advance(60);
        market.ordered(100).await;
        let unpaid = market.open(100).await;
        assert_eq!(unpaid.status, EscrowStatus::Created);
        market.app.advance(60);
        let funded = market.ada.client.escrow().fund(&unpaid.id).await.unwrap().escrow;
        assert_eq!(funded.status, EscrowStatus::Funded);
        assert_eq!(has(&market.ada).await, "0+100");
        market.is_consistent().await;
    }

    async fn credits_that_come_back_while_an_order_is_refused_pay_for_it(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let held = market.open(100).await;
        assert_eq!((held.status, &*has(&market.ada).await), (EscrowStatus::Funded, "0+100"));
        let id = format!("user:{}", market.ada.user.id);
        let back = Held::by(&market.app, move |ctx| {
            let sql = sql!("update ledger_account set balance = balance + 100000000 where id = $1");
            ctx.tx.execute(sql, values![id])
        }).await;
        behind(&market.app, back, 1, market.ordered(100)).await;
        assert_eq!(has(&market.ada).await, "0+200");
    }

    async fn what_an_expired_deal_held_counts_towards_no_cap(
        app: TestApp, "exchange.request_life" = "1m"
    ) {
        let market = Market::new(app).await;
        let spend = KeySpend { per_order: None, per_day: Some(60.into()) };
        let scopes = [Scope::Read, Scope::ExchangeSpend];
        let key = market.ada.client.keys().create("buyer", scopes).spend(spend).await.unwrap();
        let buyer = market.app.client(key.api_key);
        let placing = || buyer.orders().create("bob", &market.service, Map::new()).offered_credits(60);
        placing().await.unwrap();
        assert_eq!(code::<CreateOrder>(placing().await), Code::SpendLimit);
        market.app.advance(60);
        placing().await.unwrap();
        assert_eq!(has(&market.ada).await, "40+60");
        market.is_consistent().await;
    }

    async fn lists_advance_overdue_escrows_first(app: TestApp) {
        let market = Market::new(app).await;
        for _ in 0..3 {
            market.open(10).await;
        }
        market.app.advance(WEEK);
        let listed = market.bob.client.escrow().list().await.unwrap().escrows;
        assert!(listed.iter().all(|escrow| escrow.status == EscrowStatus::Cancelled), "{listed:?}");
        assert_eq!(listed.len(), 3);
    }
}

/// On SQLite, where a trigger is a fault of the database.
#[tokio::test]
async fn an_overdue_escrow_that_fails_stops_no_other() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let market = Market::new(app).await;
    for amount in [7, 10] {
        market.open(amount).await;
    }
    let [fail, mend] = [
        sql!(
            "create trigger fails before update on escrow when old.amount = 7000000
             begin select raise(abort, 'a test'); end"
        ),
        sql!("drop trigger fails"),
    ];
    let app = market.app.server.app();
    app.write(move |ctx| ctx.tx.execute(fail, &[])).await.unwrap();
    market.app.advance(WEEK);
    due::sweep(app).await.unwrap();
    let cancelled = sql!("select count(*) from escrow where status = 'cancelled'");
    assert_eq!(market.app.count(cancelled).await, 1);
    app.write(move |ctx| ctx.tx.execute(mend, &[])).await.unwrap();
    due::sweep(app).await.unwrap();
    assert_eq!(market.app.count(cancelled).await, 2);
    market.is_consistent().await;
}
