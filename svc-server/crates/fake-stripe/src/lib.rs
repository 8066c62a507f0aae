//! A stand-in for Stripe: the part of its API that the server uses, with a clock moved by hand.
//!
//! It keeps objects and an event for each change, replays answers by idempotency key, and fails on
//! demand. The methods of [`FakeStripe`] do what happens outside of the API: a person pays, a bank
//! takes money back, the operator refunds at Stripe's dashboard. npm's `stripe` judges it in the tests
//! of the server: that client drives it, and its types check parameters and objects.
//!
//! | module | what it holds |
//! |---|---|
//! | `books` | objects, events and the clock |
//! | `checkout` | sessions and their payment |
//! | `connect` | accounts of sellers, and transfers to them |
//! | `payments` | refunds, disputes and the balance |
//! | `subscriptions` | subscriptions and their bills |
//! | `endpoints` | the table of calls and their parameters |
//! | `lists` | pages, filters and expanded objects |
//! | `form` | decodes parameters |
//! | `http` | one request: key, idempotency, faults |

mod books;
mod checkout;
mod connect;
mod endpoints;
mod failure;
mod form;
mod http;
mod lists;
mod payments;
mod subscriptions;
mod webhook;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use self::http::{Call, Fault};
pub use self::webhook::{Delivery, sign};

/// The key that it accepts.
pub const API_KEY: &str = "rk_test_fakefakefakefake";

/// The secret of its webhook endpoint.
pub const WEBHOOK_SECRET: &str = "whsec_fakefakefakefakefakefakefakefake";

/// The first time of its clock, which is that of the tests: 2026-01-31T09:30:00Z.
const START: i64 = 1_769_851_800;

/// A stand-in for Stripe, which listens on loopback until it is dropped.
#[derive(Debug)]
pub struct FakeStripe {
    url: String,
    shared: Arc<Mutex<http::Shared>>,
    task: JoinHandle<()>,
}

impl Drop for FakeStripe {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl FakeStripe {
    /// Starts one without objects.
    ///
    /// # Panics
    /// If loopback has no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Mutex::new(http::Shared::new(START)));
        let task = tokio::spawn(http::serve(listener, Arc::clone(&shared)));
        Self { url: format!("http://{address}"), shared, task }
    }

    /// Where it listens, for `billing.stripe.api_url`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its time, in seconds.
    pub fn now(&self) -> i64 {
        self.shared().books.now
    }

    /// Moves its clock; what ends by then ends.
    pub fn advance(&self, time: Duration) {
        let seconds = i64::try_from(time.as_secs()).expect("tests stay within centuries");
        self.shared().books.advance(seconds);
    }

    /// Sets its clock, which never goes back.
    pub fn set_now(&self, seconds: i64) {
        let books = &mut self.shared().books;
        books.advance((seconds - books.now).max(0));
    }

    /// The tax that it adds where a session asks for it; 19 percent at first.
    pub fn set_tax_percent(&self, percent: i64) {
        self.shared().books.tax_percent = percent;
    }

    /// A person pays a session. The answer is the id of the payment (`pi_…`).
    ///
    /// # Panics
    /// If it is not open, as of all other methods that act.
    pub fn pay(&self, session: &str) -> String {
        self.shared().books.pay(session)
    }

    /// A person completes a session with money that arrives later.
    pub fn pay_later(&self, session: &str) {
        self.shared().books.pay_later(session);
    }

    /// The money of a completed session arrives.
    pub fn settle(&self, session: &str) -> String {
        self.shared().books.settle(session)
    }

    /// The money of a completed session does not arrive.
    pub fn fail(&self, session: &str) {
        self.shared().books.fail(session);
    }

    /// The operator refunds at Stripe's dashboard. The answer is the id of the refund.
    pub fn refund(&self, payment: &str, amount: i64) -> String {
        self.shared().books.refund_at_dashboard(payment, amount)
    }

    /// Refunds stay `pending` from now on, or succeed at once as they do at first.
    pub fn hold_refunds(&self, is_held: bool) {
        self.shared().books.holds_refunds = is_held;
    }

    /// A pending refund succeeds.
    pub fn complete_refund(&self, refund: &str) {
        self.shared().books.complete_refund(refund);
    }

    /// A refund fails, also one that had succeeded: the bank sends the money back.
    pub fn fail_refund(&self, refund: &str) {
        self.shared().books.fail_refund(refund);
    }

    /// A bank takes the money of a payment back. The answer is the id of the dispute.
    pub fn dispute(&self, payment: &str) -> String {
        self.shared().books.dispute(payment)
    }

    /// A dispute is won, and the money returns; also one that was lost before.
    pub fn win(&self, dispute: &str) {
        self.shared().books.close_dispute(dispute, "won");
    }

    /// A dispute is lost.
    pub fn lose(&self, dispute: &str) {
        self.shared().books.close_dispute(dispute, "lost");
    }

    /// A person pays the first month of a subscription. The answer is the id of the subscription.
    pub fn subscribe(&self, session: &str) -> String {
        self.shared().books.subscribe(session)
    }

    /// A person cancels a subscription on the page for customers.
    pub fn cancel_on_page(&self, subscription: &str) {
        self.shared().books.cancel_on_page(subscription);
    }

    /// The card of a subscription is declined from now on, or taken again.
    pub fn decline(&self, subscription: &str, is_declined: bool) {
        let books = &mut self.shared().books;
        let customer = books::text(books.object(subscription), "customer").to_owned();
        if is_declined {
            books.declined.insert(customer);
        } else {
            books.declined.remove(&customer);
        }
    }

    /// Stripe tries again to take the last bill of a subscription from the card.
    pub fn collect(&self, subscription: &str) {
        let books = &mut self.shared().books;
        let invoice = books::text(books.object(subscription), "latest_invoice").to_owned();
        books.collect(&invoice);
    }

    /// A seller fills in the form of an account, to which money can be sent from now on.
    pub fn enable_account(&self, account: &str) {
        self.shared().books.enable_account(account);
    }

    /// There is too little money for transfers from now on, or enough again as at first.
    pub fn set_short(&self, is_short: bool) {
        self.shared().books.is_short = is_short;
    }

    /// The operator sends money at Stripe's dashboard, with this metadata; the id of the transfer.
    pub fn transfer(&self, account: &str, amount: i64, metadata: &Value) -> String {
        self.shared().books.transfer_at_dashboard(account, amount, metadata)
    }

    /// The operator takes the money of a transfer back.
    pub fn reverse(&self, transfer: &str, amount: i64) {
        self.shared().books.reverse(transfer, amount);
    }

    /// Changes an object without an event, to be what no honest Stripe would send.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn change(&self, id: &str, change: impl FnOnce(&mut Value)) {
        self.shared().books.change(id, change);
    }

    /// An object.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn object(&self, id: &str) -> Value {
        self.shared().books.object(id).clone()
    }

    /// All objects of a type, such as `refund`, the oldest first.
    pub fn objects(&self, kind: &str) -> Vec<Value> {
        let mut objects: Vec<_> = self.shared().books.newest(kind).cloned().collect();
        objects.reverse();
        objects
    }

    /// The webhooks of all events since the last call, signed now. A test may send them in any order,
    /// twice or never.
    pub fn deliveries(&self) -> Vec<Delivery> {
        let books = &mut self.shared().books;
        let events = books.undelivered();
        events.iter().map(|event| Delivery::of(event, books.now)).collect()
    }

    /// The next call of this method to a path that begins like this fails. Several wait in a line.
    pub fn fail_next(&self, method: &str, path: &str, fault: Fault) {
        self.shared().faults.push((method.to_owned(), path.to_owned(), fault));
    }

    /// Lets the next answer go that is late.
    pub fn answer_late(&self) {
        self.shared().late.notify_one();
    }

    /// Answers all calls from now on, without a fault.
    pub fn mend(&self) {
        let mut shared = self.shared();
        shared.is_down = false;
        shared.faults.clear();
    }

    /// Answers no calls from now on, or answers them again.
    pub fn set_down(&self, is_down: bool) {
        self.shared().is_down = is_down;
    }

    /// The calls so far.
    pub fn calls(&self) -> Vec<Call> {
        self.shared().calls.clone()
    }

    fn shared(&self) -> MutexGuard<'_, http::Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
