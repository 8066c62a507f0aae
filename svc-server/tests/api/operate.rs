//! What operators watch: figures of the whole platform, and the lists of what they count.

use std::collections::BTreeMap;

use http::Method;
use serde_json::Map;
use svc_client::types::api::escrow::{DisputeOutcome, EscrowStatus};
use svc_client::types::api::operate::{
    EndedOrder, GetOverview, OrderOutcome, Overview, OverviewWindow, QueueEntry, QueueName,
};
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::services::Acceptance;
use svc_client::types::api::webhooks::WebhookKind;
use svc_client::types::{Balance, Code, EscrowId, MessageId, Span};
use svc_core::due;
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items, code};
use crate::market::{Market, offer};
use crate::on_both_engines;
use crate::raw::{answer, code_of};
use crate::webhooks::URL;

const HOUR: u64 = 3_600;

/// What an escrow is for, which no list of operators says.
const DESCRIPTION: &str = "a report on rust";

async fn operator(app: &TestApp) -> Member {
    let olga = app.agent("olga").await;
    app.grant_role("olga", "admin").await;
    olga
}

async fn overview(operator: &Member, window: OverviewWindow) -> Overview {
    operator.client.moderation().overview().window(window).await.unwrap().overview
}

/// How much waits in a queue, and for how long.
fn waiting(overview: &Overview, name: &QueueName) -> (i64, Option<f64>) {
    let queue = overview.queues.iter().find(|queue| queue.name == *name).unwrap();
    (queue.waiting, queue.lag_seconds)
}

/// Moves the clock and waits until everything that fell due is advanced.
async fn advance(app: &TestApp, seconds: u64) {
    app.advance(seconds);
    due::sweep(app.server.app()).await.unwrap();
}

fn number(items: &[impl Sized]) -> i64 {
    i64::try_from(items.len()).unwrap()
}

/// What expires within a minute: an order, an escrow that was funded, and one that was not.
async fn expired(market: &Market) {
    let minute = Span::from_secs(60);
    let placing = market.ada.client.orders().create("bob", &market.service, Map::new());
    placing.max_credits(5).answer_within(minute).await.unwrap();
    for amount in [10, 5_000] {
        market.opening(amount).expires_in(minute).await.unwrap();
    }
    advance(&market.app, 61).await;
}

/// Orders without escrow that ended in each other way, and one that is open.
async fn direct(market: &Market) {
    let orders = market.bob.client.orders();
    for status in [ResponseStatus::Completed, ResponseStatus::Error, ResponseStatus::Rejected] {
        let id = market.ordered(5).await;
        let answering = orders.answer(&id, status.clone());
        let answering = match status {
            ResponseStatus::Error => answering.error("broken"),
            ResponseStatus::Rejected => answering.reason("busy"),
            _ => answering,
        };
        answering.await.unwrap();
    }
    let changing = market.bob.client.services().update(&market.service);
    changing.acceptance(Acceptance::Explicit).await.unwrap();
    let cancelled = market.ordered(5).await;
    market.ada.client.orders().cancel(&cancelled).await.unwrap();
    market.ordered(5).await;
}

/// An order that an escrow pays for.
async fn with_order(market: &Market) -> (EscrowId, MessageId) {
    let escrow = market.open(10).await.id;
    let sent = market.ordering(market.with_escrow(10, &escrow)).await.unwrap();
    (escrow, sent.message.message_id)
}

/// Escrows in every state, and such that ended in a way of their own: with a second order after the first
/// was declined, split, with work that failed, and by a decision. Returns the second order.
async fn escrows(market: &Market, judge: &Member) -> MessageId {
    let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
    let answers = market.bob.client.orders();
    let (twice, first) = with_order(market).await;
    answers.answer(&first, ResponseStatus::Rejected).reason("busy").await.unwrap();
    let second = market.ordering(market.with_escrow(10, &twice)).await.unwrap().message.message_id;
    market.deliver(&twice).await;
    ada.release(&twice).await.unwrap();

    let (split, _) = with_order(market).await;
    market.deliver(&split).await;
    let offer = bob.offer_split(&split, 4).await.unwrap().escrow.split.unwrap();
    ada.accept_split(&split, u32::try_from(offer.offer_version).unwrap()).await.unwrap();

    let (failed, order) = with_order(market).await;
    answers.answer(&order, ResponseStatus::Error).error("broken").await.unwrap();
    ada.cancel(&failed).await.unwrap();

    let (decided, _) = with_order(market).await;
    market.deliver(&decided).await;
    market.dispute(&decided).await;
    judge.client.escrow().resolve(&decided, DisputeOutcome::Refund, "it fails").await.unwrap();

    for status in [
        EscrowStatus::Cancelled,
        EscrowStatus::Funded,
        EscrowStatus::Delivered,
        EscrowStatus::Disputed,
        EscrowStatus::Released,
        EscrowStatus::Refunded,
        EscrowStatus::Created,
    ] {
        market.escrow(&status).await;
    }
    second
}

/// The orders that ended so in a window, page by page.
async fn ended(
    operator: &Member,
    outcome: OrderOutcome,
    window: &OverviewWindow,
) -> Vec<EndedOrder> {
    let list = operator.client.moderation().orders().outcome(outcome).window(window.clone());
    all_items(list.limit(1)).await
}

/// Asserts that the figures of orders and escrows are those of their lists. Returns the figures.
async fn agreed(operator: &Member, window: OverviewWindow) -> Overview {
    let figures = overview(operator, window.clone()).await;
    let counted = [
        (OrderOutcome::Completed, figures.orders_done),
        (OrderOutcome::Failed, figures.orders_failed),
    ];
    for (outcome, count) in counted {
        let orders = ended(operator, outcome.clone(), &window).await;
        assert_eq!(number(&orders), count, "{outcome} in {window}: {orders:?}");
        assert!(orders.is_sorted_by_key(|order| std::cmp::Reverse(order.closed_at)), "{orders:?}");
    }
    let open = all_items(operator.client.moderation().escrows().limit(2)).await;
    assert_eq!(number(&open), figures.escrows_open);
    let held: i64 = open.iter().map(|escrow| escrow.amount.micros()).sum();
    assert_eq!(Balance::from_micros(held), figures.escrows_hold);
    let disputed = open.iter().filter(|escrow| escrow.status == EscrowStatus::Disputed).count();
    assert_eq!(i64::try_from(disputed).unwrap(), figures.disputes_open);
    figures
}

/// How many orders have each status.
fn statuses(orders: &[EndedOrder]) -> BTreeMap<&str, usize> {
    let mut found = BTreeMap::new();
    for order in orders {
        *found.entry(order.status.as_str()).or_default() += 1;
    }
    found
}

/// What waits in a queue, page by page, as many as the figure says.
async fn queued(operator: &Member, name: QueueName) -> Vec<QueueEntry> {
    let figures = overview(operator, OverviewWindow::Day).await;
    let entries = all_items(operator.client.moderation().queue(name.clone()).limit(1)).await;
    let (count, lag) = waiting(&figures, &name);
    assert_eq!(number(&entries), count, "{name}: {entries:?}");
    assert_eq!(
        lag.is_some(),
        entries.first().is_some_and(|entry| entry.due_at.is_some()),
        "{name}"
    );
    entries
}

on_both_engines! {
    async fn figures_of_the_platform_are_those_of_its_lists(app: TestApp) {
        let market = Market::new(app).await;
        let olga = operator(&market.app).await;
        let before = overview(&olga, OverviewWindow::Week).await;
        assert_eq!((before.signups, before.escrows_open, before.disputes_open), (3, 0, 0));
        assert_eq!((before.orders_done, before.orders_failed, before.oldest_dispute_at), (0, 0, None));
        let done = market.open(20).await.id;
        market.deliver(&done).await;
        market.ada.client.escrow().release(&done).await.unwrap();
        let refunded = market.open(10).await.id;
        market.deliver(&refunded).await;
        market.bob.client.escrow().refund(&refunded).await.unwrap();
        let disputed = market.open(30).await.id;
        market.deliver(&disputed).await;
        let since = market.dispute(&disputed).await.dispute.unwrap().opened_at;
        market.app.advance(HOUR);
        let now = overview(&olga, OverviewWindow::Day).await;
        assert_eq!((now.signups, now.orders_done, now.orders_failed), (3, 1, 1));
        assert_eq!((now.escrows_open, now.escrows_hold), (1, Balance::from_micros(30_000_000)));
        assert_eq!((now.disputes_open, now.oldest_dispute_at), (1, Some(since)));
        assert_eq!(now.series.len(), 24);
        let sums = now.series.iter().fold((0, 0, 0), |sum, step| {
            (sum.0 + step.signups, sum.1 + step.orders_done, sum.2 + step.orders_failed)
        });
        assert_eq!(sums, (3, 1, 1));
        market.app.advance(30 * HOUR);
        let later = overview(&olga, OverviewWindow::Day).await;
        assert_eq!((later.signups, later.orders_done, later.disputes_open), (0, 0, 1));
        let week = overview(&olga, OverviewWindow::Week).await;
        assert_eq!((week.signups, week.orders_done, week.series.len()), (3, 1, 7));
    }

    async fn lists_hold_what_the_figures_count_in_every_state(app: TestApp) {
        let market = Market::new(app).await;
        market.app.grant_credits("ada", 1_000).await;
        offer(&market.ada, "another", 5).await;
        let olga = operator(&market.app).await;
        let nothing = agreed(&olga, OverviewWindow::Week).await;
        assert_eq!((nothing.orders_done, nothing.orders_failed, nothing.escrows_open), (0, 0, 0));
        expired(&market).await;
        direct(&market).await;
        let second = escrows(&market, &olga).await;
        for window in [OverviewWindow::Day, OverviewWindow::Week] {
            let now = agreed(&olga, window).await;
            assert_eq!((now.orders_done, now.orders_failed, now.escrows_open), (4, 6, 3));
            assert_eq!(now.escrows_hold, Balance::from_micros(30_000_000));
        }
        let done = ended(&olga, OrderOutcome::Completed, &OverviewWindow::Day).await;
        assert_eq!(statuses(&done), [("completed", 4)].into());
        let twice = done.iter().find(|order| order.order_id.as_ref() == Some(&second)).unwrap();
        let of = (&*twice.buyer_username, &*twice.provider_username, &*twice.service_name);
        assert_eq!((of, &twice.service_id, twice.service_active), (("ada", "bob", "work"), &market.service, true));
        assert_eq!((twice.escrow_id.is_some(), twice.credits, twice.was_disputed), (true, 10.into(), false));
        let alone = done.iter().find(|order| order.order_id.is_none()).unwrap();
        assert!(alone.escrow_id.is_some(), "an escrow without an order is listed: {alone:?}");
        let failed = ended(&olga, OrderOutcome::Failed, &OverviewWindow::Day).await;
        assert_eq!(statuses(&failed), [("error", 2), ("expired", 2), ("refunded", 2)].into());
        let disputed: Vec<_> = failed.iter().filter(|order| order.was_disputed).collect();
        assert!(matches!(&*disputed, [one] if one.status.as_str() == "refunded"), "{disputed:?}");
        market.is_consistent().await;

        advance(&market.app, 30 * HOUR).await;
        let next_day = agreed(&olga, OverviewWindow::Day).await;
        assert_eq!((next_day.orders_done, next_day.orders_failed), (0, 1), "the open order expired");
        let week = agreed(&olga, OverviewWindow::Week).await;
        assert_eq!((week.orders_done, week.orders_failed, week.escrows_open), (4, 7, 3));
        market.bob.client.services().delete(&market.service).await.unwrap();
        advance(&market.app, 8 * 24 * HOUR).await;
        let later = agreed(&olga, OverviewWindow::Week).await;
        assert_eq!((later.orders_done, later.orders_failed, later.escrows_open), (1, 1, 1), "the dispute is open");
        let done = ended(&olga, OrderOutcome::Completed, &OverviewWindow::Week).await;
        assert!(!done[0].service_active, "the service is withdrawn: {done:?}");
        market.is_consistent().await;
    }

    async fn lists_for_operators_say_nothing_of_what_orders_are_about(app: TestApp) {
        let market = Market::new(app).await;
        let olga = operator(&market.app).await;
        for status in [EscrowStatus::Released, EscrowStatus::Refunded, EscrowStatus::Disputed] {
            market.escrow(&status).await;
        }
        for path in ["orders", "orders?outcome=failed", "escrows"] {
            let path = format!("/moderation/{path}");
            let listed = answer(olga.raw(&market.app, Method::GET, &path)).await;
            assert_eq!(listed.json().to_string().matches("\"ada\"").count(), 1, "{path}: {}", listed.text);
            for secret in [DESCRIPTION, "git.example.org", "it fails", "a-token"] {
                assert!(!listed.text.contains(secret), "{path}: {}", listed.text);
            }
        }
    }

    async fn a_queue_lists_what_waits_in_it(app: TestApp) {
        let market = Market::new(app).await;
        let olga = operator(&market.app).await;
        for name in [QueueName::Deadlines, QueueName::Mail, QueueName::Webhooks] {
            assert_eq!(queued(&olga, name).await, []);
        }
        market.bob.webhook(&market.app).await;
        market.ada.write(&market.bob, "hello").await;
        let hooks = queued(&olga, QueueName::Webhooks).await;
        let [hook] = &*hooks else { panic!("one webhook waits: {hooks:?}") };
        assert_eq!((&*hook.kind, hook.username.as_deref(), hook.attempts), ("webhook", Some("bob"), Some(0)));
        assert!(hook.id.starts_with("wh_") && hook.due_at.is_some(), "{hook:?}");

        let (escrow, order) = (market.open(10).await.id, market.ordered(5).await);
        market.app.execute(|ctx| {
            let at = ctx.now().as_millis();
            ctx.tx.execute(sql!("update service_request set due_at = $1"), values![at - 3_000])?;
            ctx.tx.execute(sql!("update escrow set due_at = $1"), values![at - 2_000])
        }).await;
        let late = queued(&olga, QueueName::Deadlines).await;
        let late: Vec<_> = late.iter().map(|entry| (&*entry.kind, &*entry.id)).collect();
        assert_eq!(late, [("order", order.as_str()), ("escrow", escrow.as_str())], "longest due first");
        let now = overview(&olga, OverviewWindow::Day).await;
        assert_eq!(waiting(&now, &QueueName::Deadlines), (2, Some(3.0)));

        market.app.index().await;
        assert_eq!(queued(&olga, QueueName::Search).await, []);
        let post = olga.post("something to index").await;
        let texts = queued(&olga, QueueName::Search).await;
        let is_it = |entry: &QueueEntry| entry.id == post.id.as_str() && entry.kind == "post";
        assert!(texts.iter().any(is_it), "{texts:?}");
        let unknown = olga.raw(&market.app, Method::GET, "/moderation/queues/none");
        assert_eq!(code_of(unknown).await, Code::ValidationFailed);
    }

    async fn mails_that_wait_are_listed_without_their_addresses(app: TestApp) {
        let olga = operator(&app).await;
        app.execute(move |ctx| {
            let at = ctx.now().as_millis();
            ctx.tx.execute(
                sql!(
                    "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
                     values ('mail_1', 'a@example.org', 'verify', 0, $1, $2, $1),
                        ('mail_2', 'b@example.org', 'reset', 0, $2, $2, $1),
                        ('mail_3', 'c@example.org', 'security', 2, $1, $2, $1)"
                ),
                values![at - 5_000, at + 60_000],
            )
        })
        .await;
        let mails = queued(&olga, QueueName::Mail).await;
        let shown: Vec<_> = mails.iter().map(|mail| (&*mail.id, &*mail.kind, mail.attempts)).collect();
        assert_eq!(shown, [("mail_1", "verify", Some(0)), ("mail_3", "security", Some(2))], "one is due later");
        let listed = answer(olga.raw(&app, Method::GET, "/moderation/queues/mail")).await;
        assert!(!listed.text.contains("example.org"), "{}", listed.text);
    }

    async fn a_queue_shows_how_long_its_oldest_entry_has_waited(app: TestApp) {
        let olga = operator(&app).await;
        app.execute(move |ctx| {
            let at = ctx.now().as_millis();
            ctx.tx.execute(
                sql!(
                    "insert into mail_outbox (id, recipient, kind, attempt, due_at, expires_at, created_at)
                     values ('mail_1', 'a@example.org', 'test', 0, $1, $2, $1), ('mail_2', 'b@example.org', 'test', 0, $2, $2, $1)"
                ),
                values![at - 5_000, at + 60_000],
            )
        })
        .await;
        let now = overview(&olga, OverviewWindow::Day).await;
        assert_eq!(waiting(&now, &QueueName::Mail), (1, Some(5.0)), "one is due later");
        assert_eq!(waiting(&now, &QueueName::Webhooks), (0, None));
        app.index().await;
        let indexed = overview(&olga, OverviewWindow::Day).await;
        assert_eq!(waiting(&indexed, &QueueName::Search), (0, None));
        olga.post("something to index").await;
        let now = overview(&olga, OverviewWindow::Day).await;
        assert!(waiting(&now, &QueueName::Search).0 > 0, "{now:?}");
    }

    async fn deliveries_that_were_given_up_are_listed(app: TestApp) {
        let (olga, [ada, bob]) = (operator(&app).await, app.friends(["ada", "bob"]).await);
        let making = ada.client.webhooks().create(URL).events([WebhookKind::DirectMessage]);
        let webhook = making.await.unwrap().webhook.id;
        app.silence().await;
        for text in ["one", "two", "three"] {
            bob.write(&ada, text).await;
        }
        let deliveries = all_items(ada.client.webhooks().deliveries(&webhook)).await;
        for delivery in &deliveries[1..] {
            app.end_delivery(&delivery.id, "failed").await;
        }
        assert_eq!(overview(&olga, OverviewWindow::Day).await.deliveries_failed, 2);
        let listed = all_items(olga.client.moderation().failed_deliveries().limit(1)).await;
        let ids: Vec<_> = listed.iter().map(|one| &one.id).collect();
        assert_eq!(ids, deliveries[1..].iter().map(|one| &one.id).collect::<Vec<_>>());
        let first = &listed[0];
        assert_eq!((&*first.username, &first.webhook_id, first.attempts), ("ada", &webhook, 1));
        assert_eq!((first.status, first.error_class.as_ref()), (None, None), "no attempt was noted");
        app.attempt(&first.id, 5, 500).await;
        let later = sql!(
            "insert into webhook_attempt (delivery, n, started_at, duration_ms, outcome, http_status)
             select delivery, 2, started_at, 5, 'delivered', 200 from webhook_attempt"
        );
        app.execute(move |ctx| ctx.tx.execute(later, &[])).await;
        let listed = all_items(olga.client.moderation().failed_deliveries()).await;
        let answers: Vec<_> = listed.iter().map(|one| one.status).collect();
        assert_eq!(answers, [Some(500), None], "that of the attempt that was the last");
        for (hours, window, expected) in
            [(0, OverviewWindow::Day, 2), (30, OverviewWindow::Day, 0), (0, OverviewWindow::Week, 2)]
        {
            app.advance(hours * HOUR);
            assert_eq!(overview(&olga, window.clone()).await.deliveries_failed, expected, "{window}");
            let lately = olga.client.moderation().failed_deliveries().window(window.clone()).limit(1);
            assert_eq!(number(&all_items(lately).await), expected, "{window}");
        }
    }

    async fn only_admins_see_the_figures_and_their_lists(app: TestApp) {
        let judge = app.agent("judge").await;
        app.grant_role("judge", "moderator").await;
        let moderation = judge.client.moderation();
        assert_eq!(code::<GetOverview>(moderation.overview().await), Code::Forbidden);
        let refusals = [
            moderation.failed_deliveries().page().await.unwrap_err(),
            moderation.orders().page().await.unwrap_err(),
            moderation.escrows().page().await.unwrap_err(),
            moderation.queue(QueueName::Mail).page().await.unwrap_err(),
        ];
        for refused in refusals {
            assert_eq!(refused.code(), Some(&Code::Forbidden));
        }
        app.grant_role("judge", "admin").await;
        assert!(moderation.overview().await.is_ok());
        assert!(all_items(moderation.failed_deliveries()).await.is_empty());
        assert!(all_items(moderation.orders()).await.is_empty());
        assert!(all_items(moderation.escrows()).await.is_empty());
        assert!(all_items(moderation.queue(QueueName::Mail)).await.is_empty());
    }
}
