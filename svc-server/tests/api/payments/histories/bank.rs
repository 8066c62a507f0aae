//! A server and Stripe in a history: what happens there.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use adya::r#gen::Rng;
use http::StatusCode;
use serde_json::Value;
use svc_client::types::ServiceId;
use svc_client::types::api::escrow::Deliverable;
use svc_core::app::Ctx;
use svc_core::due;
use svc_fake_stripe::{Delivery, FakeStripe, WEBHOOK_SECRET, sign};
use svc_server::billing;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use super::step::{ACCOUNTS, Step};
use crate::app::{Member, TestApp, database};
use crate::market::offer;
use crate::payments::{PAUSE, send, waiting, work};
use crate::tiers::PASSWORD;

/// Credits that each account begins with; no money stands behind them.
pub(super) const GRANT: i64 = 300;

/// Micro-credits of a credit.
pub(super) const MICROS: i64 = 1_000_000;

/// Rounds of the worker after which nothing waits any more. They take more than a day, for which Stripe
/// repeats a failure that it has kept under an idempotency key.
const ROUNDS_MAX: usize = 26;

/// Accounts, each with a service, a person, and Stripe.
pub(super) struct Bank {
    pub(super) app: TestApp,
    database: String,
    pub(super) accounts: Vec<(Member, ServiceId)>,
    /// A person who owns the first accounts, subscribes and is paid.
    pub(super) person: Member,
    /// Credits that nobody paid for and that can be paid out.
    pub(super) earned: i64,
    /// Reports that Stripe has not sent.
    reports: Vec<Delivery>,
}

/// One of these objects.
pub(super) fn pick(objects: &[Value], number: usize) -> Option<&Value> {
    objects.get(number.checked_rem(objects.len())?)
}

pub(super) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap()
}

pub(super) fn number(object: &Value, name: &str) -> i64 {
    object[name].as_i64().unwrap()
}

impl Bank {
    pub(super) async fn open(engine: Engine) -> Self {
        let database = database(engine).await.expect("the engine was there before");
        let grant = GRANT.to_string();
        let settings = [
            ("billing.stripe.key_file", "its own"),
            ("exchange.signup_grant", &grant),
            ("credits.buy_per_day", "100000,100000,100000"),
            ("payouts.enabled", "true"),
            ("payouts.rate", "0.01"),
            ("payouts.review", "false"),
        ];
        let app = TestApp::on(engine, &database, &settings).await;
        let mut accounts = Vec::with_capacity(ACCOUNTS);
        for number in 0..ACCOUNTS {
            let member = app.agent(&format!("bank_{number}")).await;
            let service = offer(&member, "work", 1).await;
            accounts.push((member, service));
        }
        let person = app.person("person", PASSWORD).await;
        let bank = Self { app, database, accounts, person, earned: 0, reports: Vec::new() };
        bank.set_up_person().await;
        bank
    }

    /// Objects of Stripe of a kind for which this holds.
    pub(super) fn objects(&self, kind: &str, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        self.app.stripe().objects(kind).into_iter().filter(|object| holds(object)).collect()
    }

    fn pages(&self, mode: &str, status: &str) -> Vec<Value> {
        self.objects("checkout.session", |page| page["mode"] == mode && page["status"] == status)
    }

    /// Charges of which something is left, and no bank asks for it.
    fn charges(&self) -> Vec<Value> {
        self.objects("charge", |charge| charge["disputed"] == false && charge["refunded"] == false)
    }

    /// Lets something happen, if it can.
    pub(super) async fn take(&mut self, step: &Step) {
        match step {
            Step::Begin { buyer, hundreds } => self.begin(*buyer, *hundreds).await,
            Step::Ask { payment, credits } => self.ask(*payment, *credits).await,
            Step::Trade { buyer, seller, credits, whole } => {
                self.trade(*buyer, *seller, *credits, *whole).await;
            }
            Step::Report { seed, repeats } => self.report(*seed, *repeats).await,
            Step::Lose => {
                self.reports.clear();
                self.app.stripe().deliveries();
            }
            Step::Work => work(&self.app).await,
            Step::WorkAndDie(turns) => self.work_and_die(*turns).await,
            Step::Sweep => due::sweep(self.app.server.app()).await.unwrap(),
            Step::Wait(minutes) => self.app.advance(minutes * 60),
            Step::Month => self.month().await,
            Step::Seats(count) => self.seats(*count).await,
            Step::Cancel(cancels) => self.cancel(*cancels).await,
            Step::Earn { seller, credits } => self.earn(*seller, *credits).await,
            Step::Payout { seller, credits } => self.ask_payout(*seller, *credits).await,
            _ => self.at_stripe(step),
        }
    }

    /// What happens at Stripe without our doing.
    fn at_stripe(&self, step: &Step) {
        let stripe = self.app.stripe();
        match step {
            Step::Pay(page) => {
                Self::at(&self.pages("payment", "open"), *page, |id| drop(stripe.pay(id)));
            }
            Step::PayLater(page) => {
                Self::at(&self.pages("payment", "open"), *page, |id| stripe.pay_later(id));
            }
            Step::PaySeats(page) => {
                Self::at(&self.pages("subscription", "open"), *page, |id| {
                    drop(stripe.subscribe(id));
                });
            }
            Step::Decline(is_declined) => self.decline(*is_declined),
            Step::Collect => self.collect(),
            Step::Reverse(transfer) => self.reverse(*transfer),
            Step::Short(is_short) => stripe.set_short(*is_short),
            Step::Arrive { page, does } => self.arrive(*page, *does),
            Step::Dashboard { payment, part } => self.refund(*payment, *part),
            Step::FailRefund(refund) => {
                let made = self.objects("refund", |refund| refund["status"] == "succeeded");
                Self::at(&made, *refund, |id| stripe.fail_refund(id));
            }
            Step::Dispute(charge) => {
                Self::at(&self.charges(), *charge, |id| {
                    let charge = stripe.object(id);
                    stripe.dispute(text(&charge, "payment_intent"));
                });
            }
            Step::End { dispute, won } => {
                // A bank may decide for the operator after it has decided for the buyer.
                let ends =
                    |it: &Value| it["status"] == "needs_response" || *won && it["status"] == "lost";
                let disputes = self.objects("dispute", ends);
                let end = if *won { FakeStripe::win } else { FakeStripe::lose };
                Self::at(&disputes, *dispute, |id| end(stripe, id));
            }
            Step::Fault(method, path, fault) => stripe.fail_next(method, path, *fault),
            Step::Down(is_down) => stripe.set_down(*is_down),
            _ => unreachable!("the others happen here"),
        }
    }

    /// Does something with the id of one of these objects.
    pub(super) fn at(objects: &[Value], number: usize, act: impl Fn(&str)) {
        if let Some(object) = pick(objects, number) {
            act(text(object, "id"));
        }
    }

    /// Refunds a part of what is left of a payment at the dashboard, in percent.
    fn refund(&self, payment: usize, part: u8) {
        if let Some(charge) = pick(&self.charges(), payment) {
            let left = number(charge, "amount") - number(charge, "amount_refunded");
            let amount = (left * i64::from(part) / 100).max(1);
            self.app.stripe().refund(text(charge, "payment_intent"), amount);
        }
    }

    /// Money that takes days arrives, or never does.
    fn arrive(&self, page: usize, does: bool) {
        let is_under_way = |page: &Value| {
            page["payment_status"] == "unpaid"
                && self.app.stripe().object(text(page, "payment_intent"))["status"] == "processing"
        };
        let complete =
            self.pages("payment", "complete").into_iter().filter(is_under_way).collect::<Vec<_>>();
        let Some(page) = pick(&complete, page) else { return };
        if does {
            self.app.stripe().settle(text(page, "id"));
        } else {
            self.app.stripe().fail(text(page, "id"));
        }
    }

    /// Asks for a page. What Stripe doesn't answer is made later.
    async fn begin(&self, buyer: usize, hundreds: u32) {
        let (buyer, _) = &self.accounts[buyer];
        // Refused while Stripe can't be reached.
        let _ = buyer.client.billing().checkout(hundreds * 100).await;
    }

    /// Asks for credits back, which is refused where they are spent or were refunded.
    async fn ask(&self, payment: usize, credits: u32) {
        let paid = self.pages("payment", "complete");
        let Some(page) = pick(&paid, payment) else { return };
        for (member, _) in &self.accounts {
            let refund = member.client.billing().refund(text(page, "client_reference_id"));
            let _ = refund.credits(credits).await;
        }
    }

    /// Lets an account buy work, unless it has too little or owes credits.
    async fn trade(&self, buyer: usize, seller: usize, credits: u32, whole: bool) {
        let ((buyer, _), (seller, service)) = (&self.accounts[buyer], &self.accounts[seller]);
        let name = &*seller.user.username;
        let opening = buyer.client.escrow().create(name, service, credits, "work");
        let Ok(opened) = opening.await else { return };
        let id = opened.escrow.id;
        if whole && seller.client.escrow().deliver(&id, Deliverable::new("text")).await.is_ok() {
            buyer.client.escrow().release(&id).await.unwrap();
        }
    }

    /// Sends some of the reports.
    async fn report(&mut self, seed: u64, repeats: bool) {
        self.reports.extend(self.app.stripe().deliveries());
        let mut random = Rng::new(seed);
        let count = random.below(self.reports.len() as u64 + 1);
        for _ in 0..count {
            let at = usize::try_from(random.below(self.reports.len() as u64)).unwrap();
            let report = if repeats && random.chance(0.3) {
                self.reports[at].clone()
            } else {
                self.reports.swap_remove(at)
            };
            // Stripe signs each attempt with the time of it.
            let signature = sign(&report.body, WEBHOOK_SECRET, self.app.stripe().now());
            let sent = send(&self.app.server, &report.body, &signature).await;
            assert_eq!(sent.0, StatusCode::OK);
        }
    }

    /// Lets a month pass. No outage lasts as long as Stripe keeps its events, which is 30 days.
    async fn month(&self) {
        self.app.stripe().set_down(false);
        for _ in 0..4 {
            self.app.advance(8 * 24 * 3_600);
            work(&self.app).await;
        }
    }

    /// Works until the node dies: its work just ends, with leases and calls as they are.
    async fn work_and_die(&self, turns: usize) {
        let mut left = turns;
        let mut working = pin!(billing::once(self.app.server.app()));
        poll_fn(|context| {
            left -= 1;
            match working.as_mut().poll(context) {
                Poll::Pending if left == 0 => Poll::Ready(()),
                polled => polled.map(Result::unwrap),
            }
        })
        .await;
    }

    /// Lets everything end that is under way. What was not reported by now never is.
    pub(super) async fn settle(&mut self) {
        self.app.stripe().deliveries();
        self.app.stripe().mend();
        self.app.stripe().set_short(false);
        for round in 1..=ROUNDS_MAX {
            self.app.advance(PAUSE);
            work(&self.app).await;
            due::sweep(self.app.server.app()).await.unwrap();
            // What a dead node began may keep the first round from a look at the events.
            if round > 1 && waiting(&self.app).await == 0 {
                return;
            }
        }
        panic!("after {ROUNDS_MAX} rounds these still wait: {:?}", self.problems().await);
    }

    /// Objects that wait, and why.
    async fn problems(&self) -> Vec<(String, Option<String>)> {
        let sql = sql!("select id, problem from provider_object where due_at is not null");
        let job = move |ctx: &mut Ctx<'_, '_>| ctx.tx.all(sql, values![]);
        self.app.server.app().read(job).await.unwrap()
    }

    pub(super) fn close(self) {
        let engine = self.app.engine;
        drop(self.app);
        engine.remove(self.database);
    }
}
