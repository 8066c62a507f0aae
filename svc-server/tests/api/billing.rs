//! Payments, refunds, disputes and debts, as the worker of the provider applies them.
//!
//! What the worker found is made up here; each fact is applied more than once.

mod disputes;
mod objects;
mod refunds;

use svc_client::types::api::escrow::{CreateEscrow, EscrowStatus, FundEscrow};
use svc_client::types::api::messages::SendMessage;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, PaymentId};
use svc_core::app::Ctx;
use svc_core::due;
use svc_core::services::billing::facts::{
    BalanceChange, Dispute, DisputeState, Refund, RefundState, Session, SessionState,
};
use svc_core::services::billing::{cash, debt, dispute, queue, refund};
use svc_core::services::ledger::money::{self, Money};
use svc_store::db::Sql;
use svc_store::error::{Error, Result};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, code};
use crate::market::{Market, has, is_consistent, order, response};
use crate::on_both_engines;
use crate::payments::balances;
use crate::purchase::{apply, begin, buy, repeated, session};
use crate::stripe::UNCALLED;

/// Applies a dispute of this many cents.
async fn dispute(app: &TestApp, payment: &PaymentId, amount: i64, state: DisputeState) {
    let fact = Dispute {
        id: format!("du_{payment}"),
        payment: payment.clone(),
        currency: "usd".to_owned(),
        amount,
        state,
    };
    repeated(app, move |ctx| dispute::apply(ctx, &fact)).await.unwrap();
}

/// A refund of this many cents that was made at the provider, or that `ours` asked for.
async fn refunded(
    app: &TestApp,
    (payment, id, ours): (&PaymentId, &str, Option<&str>),
    amount: i64,
    state: RefundState,
) {
    let fact = Refund {
        id: id.to_owned(),
        ours: ours.map(str::to_owned),
        payment: payment.clone(),
        currency: "usd".to_owned(),
        amount,
        state,
    };
    repeated(app, move |ctx| refund::apply(ctx, &fact)).await.unwrap();
}

/// Asks for a refund; its id and its cents.
async fn ask(
    app: &TestApp,
    (buyer, payment): (&Member, &PaymentId),
    credits: Option<u32>,
) -> Result<(String, i64)> {
    let (by, payment) = (buyer.user.id.clone(), payment.clone());
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let asked = refund::ask(ctx, &payment, credits.map(Credits::from), &by)?;
        Ok((asked.id, asked.amount))
    };
    app.server.app().write(job).await
}

/// What is available, backed and owed: `500 of which 500, owes 0`.
async fn purse(member: &Member) -> String {
    let credits = member.client.credits().balance().await.unwrap().credits;
    let [backed, debt] = [credits.backed, credits.debt].map(Option::unwrap_or_default);
    format!("{} of which {backed}, owes {debt}", credits.available)
}

/// Balances of money: what is receivable, sold, disputed and lost.
async fn books(app: &TestApp) -> [i64; 4] {
    balances(app, [Money::Receivable, Money::Sales, Money::Disputed, Money::Loss]).await
}

/// The code of a refusal.
fn refused<T: std::fmt::Debug>(result: Result<T>) -> (Code, String) {
    match result {
        Err(Error::Refused(refusal)) => {
            (refusal.code.clone(), refusal.hint.clone().unwrap_or_default())
        }
        other => panic!("it should have been refused: {other:?}"),
    }
}

/// The invariants that a statement breaks; it is undone.
pub(crate) async fn broken_by(app: &TestApp, damage: Sql) -> String {
    let found = app.server.app().write(move |ctx| -> Result<()> {
        assert!(ctx.tx.execute(damage, values![])? > 0, "it must change something");
        let report = svc_core::audit::load(ctx)?;
        let broken = report.checks.iter().filter(|check| !check.broken.is_empty());
        let broken: Vec<_> = broken.map(|check| check.id).collect();
        Err(Error::refused(Code::WrongState, broken.join(" ")))
    });
    let Err(Error::Refused(refusal)) = found.await else { panic!("the audit could not look") };
    refusal.message.clone()
}

/// Ada buys work of bob for this many credits, and he is paid.
async fn work(market: &Market, credits: u32) {
    let order = market.ordered(credits).await;
    market.answer(response(&order, ResponseStatus::Completed)).await;
}

on_both_engines! {
    async fn a_page_that_was_paid_adds_its_credits_once(app: TestApp, ..UNCALLED) {
        let ada = app.agent("ada").await;
        let id = begin(&app, &ada, 500).await.unwrap();
        apply(&app, &id, session(&id, 500, SessionState::Unpaid)).await;
        assert_eq!(purse(&ada).await, "0 of which 0, owes 0");
        apply(&app, &id, session(&id, 500, SessionState::Paid)).await;
        // Late webhooks change nothing.
        apply(&app, &id, session(&id, 500, SessionState::Unpaid)).await;
        apply(&app, &id, session(&id, 500, SessionState::Expired)).await;
        assert_eq!(purse(&ada).await, "500 of which 500, owes 0");
        assert_eq!(app.count(sql!("select count(*) from ledger_transfer where kind = 'purchase'")).await, 1);
        assert_eq!(books(&app).await, [500, -500, 0, 0]);
        is_consistent(&app).await;
        // A page that was paid in its last second was counted as expired at first.
        let late = begin(&app, &ada, 500).await.unwrap();
        apply(&app, &late, session(&late, 500, SessionState::Expired)).await;
        assert_eq!(purse(&ada).await, "500 of which 500, owes 0");
        apply(&app, &late, session(&late, 500, SessionState::Paid)).await;
        assert_eq!(purse(&ada).await, "1000 of which 1000, owes 0");
        is_consistent(&app).await;
    }

    async fn another_amount_or_currency_adds_nothing(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let right = |id: &PaymentId| session(id, 500, SessionState::Paid);
        let wrong: [fn(Session) -> Session; 4] = [
            |page| Session { subtotal: 499, total: 499, ..page },
            |page| Session { currency: "eur".to_owned(), ..page },
            |page| Session { total: 499, ..page },
            |page| Session { tax: -1, total: 499, ..page },
        ];
        for change in wrong {
            let id = begin(&app, &ada, 500).await.unwrap();
            apply(&app, &id, change(right(&id))).await;
            // The operator decides, not the next webhook.
            apply(&app, &id, right(&id)).await;
        }
        assert_eq!(app.count(sql!("select count(*) from payment where status = 'mismatch'")).await, 4);
        assert_eq!(has(&ada).await, "100+0");
        is_consistent(&app).await;
    }

    async fn a_purchase_is_bounded_by_amount_and_by_day(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "credits.price" = "0.015", "credits.min" = "200", "credits.max" = "3000"
    ) {
        let ada = app.agent("ada").await;
        assert_eq!(refused(begin(&app, &ada, 199).await).0, Code::ValidationFailed);
        assert_eq!(refused(begin(&app, &ada, 3001).await).0, Code::ValidationFailed);
        // 1.5 cents each: an odd number of credits has no whole price.
        assert_eq!(refused(begin(&app, &ada, 201).await), (Code::AmountNotExact, "202".to_owned()));
        let id = begin(&app, &ada, 3000).await.unwrap();
        let (code, hint) = refused(begin(&app, &ada, 336).await);
        assert_eq!((code, hint.as_str()), (Code::LimitReached, "at most 50 USD in 24 hours; open payments count"));
        // What nobody paid does not count.
        apply(&app, &id, session(&id, 4500, SessionState::Expired)).await;
        begin(&app, &ada, 336).await.unwrap();
    }

    async fn a_disputed_payment_that_was_spent_is_owed_and_paid_from_income(
        app: TestApp, ..UNCALLED
    ) {
        let market = Market::new(app).await;
        let (app, ada, bob) = (&market.app, &market.ada, &market.bob);
        let bought = buy(app, ada, 500).await;
        work(&market, 400).await;
        assert_eq!(purse(bob).await, "400 of which 400, owes 0");

        dispute(app, &bought, 500, DisputeState::Inquiry).await;
        assert_eq!(purse(ada).await, "100 of which 100, owes 0");
        dispute(app, &bought, 500, DisputeState::Open).await;
        assert_eq!(purse(ada).await, "0 of which 0, owes 400");
        assert_eq!(books(app).await, [0, -500, 500, 0]);
        is_consistent(app).await;
        // The seller keeps what was settled.
        assert_eq!(purse(bob).await, "400 of which 400, owes 0");

        let call = market.ordering(market.order(1));
        let error = call.await.unwrap_err();
        assert_eq!(error.hint(), Some("400"));
        assert_eq!(code::<SendMessage>(Err(error)), Code::DebtOpen);
        let error = market.opening(1).await.unwrap_err();
        assert_eq!(error.code(), Some(&Code::DebtOpen));
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!(deleted.code(), Some(&Code::OpenObligations));
        app.agent("eve").await.client.users().delete_me("eve").await.expect("she owes nothing");

        // Ada earns 150: they pay the debt.
        let service = crate::market::offer(ada, "poems", 150).await;
        let sent = bob.client.messages().request_service("ada", order(&service, 150)).await.unwrap();
        let done = response(&sent.message.message_id, ResponseStatus::Completed);
        ada.client.messages().respond_to("bob", done).await.unwrap();
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(purse(ada).await, "0 of which 0, owes 250");
        is_consistent(app).await;

        dispute(app, &bought, 500, DisputeState::Won).await;
        assert_eq!(purse(ada).await, "250 of which 100, owes 0");
        assert_eq!(books(app).await, [500, -500, 0, 0]);
        is_consistent(app).await;
        market.ordered(1).await;
    }

    async fn transactions_name_the_payment_that_a_bank_or_the_operator_took_back(
        app: TestApp, ..UNCALLED
    ) {
        let ada = app.agent("ada").await;
        let (disputed, returned) = (buy(&app, &ada, 500).await, buy(&app, &ada, 600).await);
        for state in [DisputeState::Open, DisputeState::Won] {
            dispute(&app, &disputed, 500, state).await;
        }
        for state in [RefundState::Succeeded, RefundState::Failed] {
            refunded(&app, (&returned, "re_1", None), 600, state).await;
        }
        let moved = ada.client.credits().transactions().await.unwrap().transactions;
        let moved: Vec<_> = moved.into_iter().map(|one| (one.kind.to_string(), one.payment_id)).collect();
        let of = |kind: &str, id: &PaymentId| (kind.to_owned(), Some(id.clone()));
        assert_eq!(moved, [
            of("refund_failed", &returned), of("claw", &returned), of("won", &disputed),
            of("claw", &disputed), of("purchase", &returned), of("purchase", &disputed),
        ]);
    }

    async fn an_admin_sees_how_many_disputes_are_open_and_who_owes(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let judge = app.agent("judge").await;
        app.grant_role("judge", "admin").await;
        let seen = async || {
            let status = judge.client.moderation().billing().await.unwrap().billing;
            (status.disputes_open, status.debtors)
        };
        let bought = buy(app, ada, 500).await;
        work(&market, 400).await;
        assert_eq!(seen().await, (0, 0));
        dispute(app, &bought, 500, DisputeState::Open).await;
        assert_eq!(seen().await, (1, 1));
        dispute(app, &bought, 500, DisputeState::Won).await;
        assert_eq!(seen().await, (0, 0));
    }

    async fn what_a_debtor_buys_pays_the_debt_at_once(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let bought = buy(app, ada, 500).await;
        work(&market, 400).await;
        dispute(app, &bought, 500, DisputeState::Lost).await;
        assert_eq!(purse(ada).await, "0 of which 0, owes 400");
        buy(app, ada, 500).await;
        assert_eq!(purse(ada).await, "100 of which 100, owes 0");
        is_consistent(app).await;
    }

    async fn a_lost_dispute_leaves_the_debt_until_it_is_forgiven(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let bought = buy(app, ada, 500).await;
        work(&market, 300).await;
        // A funded escrow returns, and its credits pay the debt.
        let escrow = market.open(150).await.id;
        let unpaid = market.open(100).await.id;
        dispute(app, &bought, 500, DisputeState::Lost).await;
        assert_eq!(purse(ada).await, "0 of which 0, owes 450");
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(purse(ada).await, "0 of which 0, owes 300");
        assert_eq!(market.seen(&escrow).await.status, EscrowStatus::Cancelled);
        assert_eq!(books(app).await, [0, -500, 0, 500]);
        is_consistent(app).await;

        // Nothing is held for a deal while something is owed, whatever came in since.
        app.grant_credits("ada", 120).await;
        let funded = ada.client.escrow().fund(&unpaid).await;
        assert_eq!(code::<FundEscrow>(funded), Code::DebtOpen);
        assert_eq!(code::<CreateEscrow>(market.opening(100).await), Code::DebtOpen);
        let ordered = market.ordering(market.order(100)).await;
        assert_eq!(code::<SendMessage>(ordered), Code::DebtOpen);
        let id = ada.user.id.clone();
        let forgive = move |ctx: &mut Ctx<'_, '_>| debt::forgive(ctx, "operator", &id, "a mistake");
        assert_eq!(app.server.app().write(forgive).await.unwrap().to_string(), "180", "120 were paid");
        assert_eq!(purse(ada).await, "0 of which 0, owes 0");
        let audited = sql!(
            "select count(*) from audit_log
             where action = 'debt_forgiven' and actor = 'operator' and detail = '180: a mistake'"
        );
        assert_eq!(app.count(audited).await, 1);
        is_consistent(app).await;
    }

    async fn granted_credits_are_spent_first_and_never_become_bought_ones(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let market = Market::new(app).await;
        let (app, ada, bob) = (&market.app, &market.ada, &market.bob);
        let bought = buy(app, ada, 500).await;
        assert_eq!(purse(ada).await, "600 of which 500, owes 0");
        // A bank takes what was bought, so that nothing else can be given back.
        dispute(app, &bought, 500, DisputeState::Open).await;
        assert_eq!(purse(ada).await, "100 of which 0, owes 0");
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!(deleted.code(), Some(&Code::OpenObligations), "the dispute is open");
        dispute(app, &bought, 500, DisputeState::Won).await;
        assert_eq!(purse(ada).await, "600 of which 500, owes 0");
        let order = market.ordered(150).await;
        assert_eq!(purse(ada).await, "450 of which 450, owes 0");
        let mut done = response(&order, ResponseStatus::Completed);
        done.charged_credits = Some(120.into());
        market.answer(done).await;
        assert_eq!(purse(bob).await, "220 of which 20, owes 0");
        assert_eq!(purse(ada).await, "480 of which 480, owes 0");
        is_consistent(app).await;
    }

    async fn cash_follows_the_balance_of_the_provider(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        buy(&app, &ada, 500).await;
        let at = app.server.app().clock.now();
        let change = BalanceChange { id: "txn_1".to_owned(), currency: "usd".to_owned(), amount: 500, fee: 45, at };
        repeated(&app, move |ctx| cash::apply(ctx, &change)).await.unwrap();
        assert_eq!(books(&app).await[0], 0);
        let of = |account| move |ctx: &mut Ctx<'_, '_>| money::balance(ctx, account, "usd");
        assert_eq!(app.server.app().read(of(Money::Cash)).await.unwrap(), 455);
        assert_eq!(app.server.app().read(of(Money::ProviderFee)).await.unwrap(), 45);
        is_consistent(&app).await;
    }

    async fn an_object_is_due_until_nothing_names_it_and_an_old_lease_applies_nothing(app: TestApp) {
        let core = app.server.app();
        let raise = |ctx: &mut Ctx<'_, '_>| queue::raise(ctx, queue::Kind::Session, "cs_1");
        core.write(raise).await.unwrap();
        let old = core.write(queue::lease).await.unwrap().unwrap();
        assert_eq!(core.write(queue::lease).await.unwrap(), None);
        // Named again while it is leased: it stays due.
        core.write(raise).await.unwrap();
        let claim = old.clone();
        core.write(move |ctx| queue::finish(ctx, &claim)).await.unwrap();
        let lost = core.write(queue::lease).await.unwrap().unwrap();
        // The lease ends, and another node takes the object.
        app.advance(121);
        let new = core.write(queue::lease).await.unwrap().unwrap();
        let claim = lost.clone();
        assert!(core.write(move |ctx| queue::finish(ctx, &claim)).await.is_err());
        core.write(move |ctx| queue::finish(ctx, &new)).await.unwrap();
        app.advance(121);
        assert_eq!(core.write(queue::lease).await.unwrap(), None);
        // A failure waits longer each time.
        core.write(raise).await.unwrap();
        for pause in [5, 10, 20] {
            let claim = core.write(queue::lease).await.unwrap().unwrap();
            core.write(move |ctx| queue::fail(ctx, &claim, "it is down")).await.unwrap();
            app.advance(pause - 1);
            assert_eq!(core.write(queue::lease).await.unwrap(), None);
            app.advance(1);
        }
        assert_eq!(core.read(queue::backlog).await.unwrap().0, 1);
    }

    async fn what_a_request_names_is_left_to_it_for_three_seconds(app: TestApp) {
        let core = app.server.app();
        let raise = |id: &'static str| {
            move |ctx: &mut Ctx<'_, '_>| queue::raise_for_request(ctx, queue::Kind::Payment, id)
        };
        let lease_one = |id: &'static str| move |ctx: &mut Ctx<'_, '_>| queue::lease_one(ctx, id);
        for id in ["worked on", "left alone"] {
            core.write(raise(id)).await.unwrap();
        }
        assert_eq!(core.write(queue::lease).await.unwrap(), None);
        assert_eq!(core.write(lease_one("worked on")).await.unwrap().unwrap().id, "worked on");
        assert_eq!(core.write(lease_one("worked on")).await.unwrap(), None);
        app.advance(3);
        assert_eq!(core.write(queue::lease).await.unwrap().unwrap().id, "left alone");
        assert_eq!(core.write(lease_one("left alone")).await.unwrap(), None);
    }

    async fn the_audit_names_money_that_went_astray(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 500).await;
        ask(&app, (&ada, &bought), Some(100)).await.unwrap();
        is_consistent(&app).await;
        for (damage, expected) in [
            (sql!("update money_account set balance = balance + 1 where kind = 'sales'"), "I11"),
            (sql!("update money_account set currency = 'eur' where kind = 'sales'"), "I11"),
            (sql!("update ledger_account set backed = backed - 1 where kind = 'user'"), "I12"),
            (sql!("update payment set status = 'open', paid_at = null"), "I13"),
            (sql!("update payment set credits = 99000000"), "I13"),
            (sql!("update payment_refund set credits = credits + 1"), "I13"),
            (sql!("update payment_refund set status = 'done'"), "I13"),
        ] {
            assert_eq!(broken_by(&app, damage).await, expected, "{}", damage.text());
        }
    }
}
