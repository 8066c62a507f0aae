//! What must be true of both books when everything is settled.

use serde_json::Value;
use svc_core::services::ledger::money::Money;
use svc_server::billing;
use svc_server::testing::START;

use super::bank::{Bank, GRANT, MICROS, number};
use super::step::ACCOUNTS;
use crate::market::is_consistent;
use crate::payments::{balances, books};

/// What Stripe's objects say, in cents.
struct Said {
    /// Credits that were paid, at a cent each.
    sold: i64,
    /// What went back of that.
    refunded: i64,
    /// Seats that were paid, less what went back of that.
    seats: i64,
    /// What was sent to sellers, and not taken back.
    paid_out: i64,
}

/// Whether an invoice is one of a subscription, and not the receipt of a purchase.
fn is_bill(invoice: &Value) -> bool {
    invoice["parent"]["type"] == "subscription_details"
}

impl Bank {
    fn sum(&self, kind: &str, member: &str, holds: impl Fn(&Value) -> bool) -> i64 {
        self.objects(kind, holds).iter().map(|object| number(object, member)).sum()
    }

    /// Whether something is about a bill, and not about credits.
    fn is_of_bill(&self, object: &Value) -> bool {
        let pays = |bill: &Value| {
            let payments = bill["payments"]["data"].as_array().unwrap();
            payments.iter().any(|it| it["payment"]["payment_intent"] == object["payment_intent"])
        };
        self.objects("invoice", is_bill).iter().any(pays)
    }

    fn said(&self) -> Said {
        let is_back = |refund: &Value| refund["status"] != "failed";
        let of_bills = self.sum("refund", "amount", |it| is_back(it) && self.is_of_bill(it));
        let is_sale = |page: &Value| page["mode"] == "payment" && page["payment_status"] == "paid";
        Said {
            sold: self.sum("checkout.session", "amount_total", is_sale),
            refunded: self.sum("refund", "amount", is_back) - of_bills,
            seats: self.sum("invoice", "amount_paid", is_bill) - of_bills,
            paid_out: self.sum("transfer", "amount", |it| it["reversed"] == false),
        }
    }

    /// What is in our books is what is in Stripe's.
    pub(super) async fn agrees_with_stripe(&self) {
        is_consistent(&self.app).await;
        let report = billing::reconcile(self.app.server.app(), START, false).await.unwrap();
        assert!(report.agrees(), "{report}");
        let [receivable, cash, fees, disputed, lost] = books(&self.app).await;
        let of_disputes =
            |status: &str| self.sum("dispute", "amount", |dispute| dispute["status"] == status);
        assert_eq!(receivable, 0, "all money arrived");
        assert_eq!(cash, self.sum("balance_transaction", "net", |_| true));
        assert_eq!(fees, self.sum("balance_transaction", "fee", |_| true));
        assert_eq!((disputed, lost), (of_disputes("needs_response"), of_disputes("lost")));
        let Said { sold, refunded, seats, paid_out } = self.said();
        let accounts = [Money::Subscriptions, Money::Payouts];
        assert_eq!(balances(&self.app, accounts).await, [-seats, paid_out]);
        let taken = |it: &Value| it["status"] != "won" && !self.is_of_bill(it);
        let gone = refunded + self.sum("dispute", "amount", taken) + paid_out;
        let issued = i64::try_from(ACCOUNTS + 1).unwrap() * GRANT + self.earned;
        assert_eq!(self.credits().await, (issued + sold - gone) * MICROS);
    }

    /// Micro-credits that the accounts have together, less what they owe.
    async fn credits(&self) -> i64 {
        let mut sum = 0;
        for member in self.accounts.iter().map(|(member, _)| member).chain([&self.person]) {
            let credits = member.client.credits().balance().await.unwrap().credits;
            sum += credits.available.micros() + credits.held.micros();
            sum -= credits.debt.unwrap_or_default().micros();
        }
        sum
    }
}
