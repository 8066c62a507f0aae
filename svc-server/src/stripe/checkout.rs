//! Pages of Stripe on which a person pays.

use svc_types::Timestamp;

use super::call::{CallError, Stripe, path};
use super::form::Form;
use super::objects::CheckoutSession;

const SESSIONS: &str = "/v1/checkout/sessions";

/// What the webhooks of a session need not ask again.
const EXPAND: [&str; 1] = ["payment_intent.latest_charge"];

/// A purchase of credits that waits for its payment.
#[derive(Clone, Copy, Debug)]
pub struct NewCheckout<'a> {
    /// Our id, which is the idempotency key too.
    pub payment: &'a str,
    /// The id of this server, since an account of Stripe may serve several.
    pub server: &'a str,
    /// What is bought, as Stripe's page shows it.
    pub product: &'a str,
    /// The currency, in lower case.
    pub currency: &'a str,
    /// The price without taxes, in the smallest unit.
    pub amount: i64,
    /// Whether Stripe adds taxes.
    pub has_tax: bool,
    /// The payer's e-mail address, which Stripe's page shows.
    pub email: Option<&'a str>,
    /// Where the browser goes after the payment.
    pub success_url: &'a str,
    /// Where it goes back to.
    pub cancel_url: &'a str,
    /// When the page ends: 30 minutes to 24 hours from now. The same in each attempt.
    pub expires_at: Timestamp,
}

impl NewCheckout<'_> {
    fn form(&self) -> Form {
        let form = Form::default()
            .with("mode", "payment")
            .with("client_reference_id", self.payment)
            .with("success_url", self.success_url)
            .with("cancel_url", self.cancel_url)
            .with("expires_at", self.expires_at.as_millis().div_euclid(1_000))
            .with_some("customer_email", self.email)
            .with("line_items[0][quantity]", 1)
            .with("line_items[0][price_data][currency]", self.currency)
            .with("line_items[0][price_data][unit_amount]", self.amount)
            // Taxes come on top, so that the subtotal is our price everywhere.
            .with("line_items[0][price_data][tax_behavior]", "exclusive")
            .with("line_items[0][price_data][product_data][name]", self.product)
            // A receipt, which has its own metadata.
            .with("invoice_creation[enabled]", true)
            // Stripe would show another currency otherwise, at a rate of its own.
            .with("adaptive_pricing[enabled]", false)
            .with("automatic_tax[enabled]", self.has_tax);
        let holders = ["", "payment_intent_data", "invoice_creation[invoice_data]"];
        holders.iter().fold(form, |form, holder| {
            let name = match *holder {
                "" => "metadata".to_owned(),
                holder => format!("{holder}[metadata]"),
            };
            form.with(format!("{name}[svc]"), self.payment)
                .with(format!("{name}[server]"), self.server)
        })
    }
}

impl Stripe {
    /// Creates the page for a payment, once per payment.
    pub async fn create_checkout(
        &self,
        checkout: &NewCheckout<'_>,
    ) -> Result<CheckoutSession, CallError> {
        self.post(SESSIONS, &checkout.form(), checkout.payment).await
    }

    /// A session, with its payment and the last charge.
    pub async fn checkout(&self, id: &str) -> Result<CheckoutSession, CallError> {
        self.get(&path(SESSIONS, id)?, &Form::default().with_list("expand", &EXPAND)).await
    }

    /// Ends a session that is open.
    pub async fn expire_checkout(
        &self,
        id: &str,
        idempotency_key: &str,
    ) -> Result<CheckoutSession, CallError> {
        let path = format!("{}/expire", path(SESSIONS, id)?);
        self.post(&path, &Form::default(), idempotency_key).await
    }
}
