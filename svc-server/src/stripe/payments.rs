//! Payments after they were made: charges, refunds, disputes.

use super::call::{CallError, Stripe, path};
use super::form::Form;
use super::objects::{Charge, Dispute, PaymentIntent, Refund};

const CHARGES: &str = "/v1/charges";
pub(super) const DISPUTES: &str = "/v1/disputes";
const PAYMENTS: &str = "/v1/payment_intents";
pub(super) const REFUNDS: &str = "/v1/refunds";

/// A refund that is to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewRefund<'a> {
    /// Our id, which is the idempotency key too.
    pub refund: &'a str,
    /// The id of this server.
    pub server: &'a str,
    /// The payment (`pi_…`).
    pub payment_intent: &'a str,
    /// What is given back.
    pub amount: i64,
}

impl Stripe {
    /// Gives money back, once per refund.
    pub async fn create_refund(&self, refund: &NewRefund<'_>) -> Result<Refund, CallError> {
        let form = Form::default()
            .with("payment_intent", refund.payment_intent)
            .with("amount", refund.amount)
            .with("reason", "requested_by_customer")
            .with("metadata[svc]", refund.refund)
            .with("metadata[server]", refund.server);
        self.post(REFUNDS, &form, refund.refund).await
    }

    /// A refund, with its charge and what it did to the balance.
    pub async fn refund(&self, id: &str) -> Result<Refund, CallError> {
        let expand = ["charge", "balance_transaction", "failure_balance_transaction"];
        self.get(&path(REFUNDS, id)?, &Form::default().with_list("expand", &expand)).await
    }

    /// A charge, with what arrived of it.
    pub async fn charge(&self, id: &str) -> Result<Charge, CallError> {
        let form = Form::default().with_list("expand", &["balance_transaction"]);
        self.get(&path(CHARGES, id)?, &form).await
    }

    /// A payment, with its last charge.
    pub async fn payment_intent(&self, id: &str) -> Result<PaymentIntent, CallError> {
        let form = Form::default().with_list("expand", &["latest_charge"]);
        self.get(&path(PAYMENTS, id)?, &form).await
    }

    /// A dispute, with its charge.
    pub async fn dispute(&self, id: &str) -> Result<Dispute, CallError> {
        let form = Form::default().with_list("expand", &["charge"]);
        self.get(&path(DISPUTES, id)?, &form).await
    }
}
