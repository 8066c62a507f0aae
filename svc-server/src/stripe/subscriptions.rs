//! Subscriptions: the page of the first payment, changes, bills and the page for customers.

use svc_types::Timestamp;

use super::call::{CallError, Stripe, path};
use super::form::Form;
use super::lists::{After, page};
use super::objects::{CheckoutSession, Invoice, Page, PortalSession, Subscription};

const INVOICES: &str = "/v1/invoices";
const PORTALS: &str = "/v1/billing_portal/sessions";
const SESSIONS: &str = "/v1/checkout/sessions";
const SUBSCRIPTIONS: &str = "/v1/subscriptions";

/// A subscription that waits for its first payment.
#[derive(Clone, Copy, Debug)]
pub struct NewSubscription<'a> {
    /// Our id.
    pub subscription: &'a str,
    /// The idempotency key.
    pub key: &'a str,
    /// The id of this server.
    pub server: &'a str,
    /// Who pays, if Stripe knows them.
    pub customer: Option<&'a str>,
    /// What is bought, as Stripe's page shows it.
    pub product: &'a str,
    /// The currency, in lower case.
    pub currency: &'a str,
    /// The price of a seat for a month without taxes, in the smallest unit.
    pub amount: i64,
    /// How many seats.
    pub quantity: usize,
    /// Whether Stripe adds taxes.
    pub has_tax: bool,
    /// Where the browser goes after the payment.
    pub success_url: &'a str,
    /// Where it goes back to.
    pub cancel_url: &'a str,
    /// When the page ends. The same in each attempt.
    pub expires_at: Timestamp,
}

impl NewSubscription<'_> {
    fn form(&self) -> Form {
        // Stripe computes the tax from the address of the customer, which the page asks for.
        let address = self.customer.filter(|_| self.has_tax).map(|_| "auto");
        let form = Form::default()
            .with("mode", "subscription")
            .with("client_reference_id", self.subscription)
            .with("success_url", self.success_url)
            .with("cancel_url", self.cancel_url)
            .with("expires_at", self.expires_at.as_millis().div_euclid(1_000))
            .with_some("customer", self.customer)
            .with_some("customer_update[address]", address)
            .with("line_items[0][quantity]", self.quantity)
            .with("line_items[0][price_data][currency]", self.currency)
            .with("line_items[0][price_data][unit_amount]", self.amount)
            .with("line_items[0][price_data][tax_behavior]", "exclusive")
            .with("line_items[0][price_data][recurring][interval]", "month")
            .with("line_items[0][price_data][product_data][name]", self.product)
            .with("adaptive_pricing[enabled]", false)
            .with("automatic_tax[enabled]", self.has_tax);
        ["metadata", "subscription_data[metadata]"].iter().fold(form, |form, holder| {
            form.with(format!("{holder}[svc]"), self.subscription)
                .with(format!("{holder}[server]"), self.server)
        })
    }
}

/// A change of a subscription.
#[derive(Clone, Copy, Debug)]
pub enum SubscriptionUpdate<'a> {
    /// Another number of seats. More are charged at once, or the call is refused with status 402; for
    /// fewer nothing is paid back.
    Seats {
        /// What Stripe calls its seats (`si_…`).
        item: &'a str,
        /// How many there will be.
        quantity: usize,
        /// Whether these are more than before.
        are_more: bool,
    },
    /// Whether it ends with the month.
    Cancels(bool),
    /// It has no end any more. Stripe's page for customers sets a time instead of the end of the month.
    Endless,
}

impl SubscriptionUpdate<'_> {
    fn form(self) -> Form {
        match self {
            Self::Seats { item, quantity, are_more } => {
                let form =
                    Form::default().with("items[0][id]", item).with("items[0][quantity]", quantity);
                if are_more {
                    form.with("proration_behavior", "always_invoice")
                        .with("payment_behavior", "error_if_incomplete")
                } else {
                    form.with("proration_behavior", "none")
                }
            }
            Self::Cancels(cancels) => Form::default().with("cancel_at_period_end", cancels),
            Self::Endless => Form::default().with("cancel_at", ""),
        }
    }
}

impl Stripe {
    /// Creates the page for a subscription, once per key.
    pub async fn create_subscription_checkout(
        &self,
        new: &NewSubscription<'_>,
    ) -> Result<CheckoutSession, CallError> {
        self.post(SESSIONS, &new.form(), new.key).await
    }

    /// A subscription.
    pub async fn subscription(&self, id: &str) -> Result<Subscription, CallError> {
        self.get(&path(SUBSCRIPTIONS, id)?, &Form::default()).await
    }

    /// Subscriptions that were not cancelled.
    pub async fn subscriptions(
        &self,
        after: Option<&str>,
    ) -> Result<Page<Subscription>, CallError> {
        self.get(SUBSCRIPTIONS, &page(after)).await
    }

    /// Changes a subscription, once per key.
    pub async fn update_subscription(
        &self,
        id: &str,
        update: SubscriptionUpdate<'_>,
        idempotency_key: &str,
    ) -> Result<Subscription, CallError> {
        self.post(&path(SUBSCRIPTIONS, id)?, &update.form(), idempotency_key).await
    }

    /// Ends a subscription now.
    pub async fn cancel_subscription(&self, id: &str) -> Result<Subscription, CallError> {
        self.delete(&path(SUBSCRIPTIONS, id)?).await
    }

    /// A bill, with its payments.
    pub async fn invoice(&self, id: &str) -> Result<Invoice, CallError> {
        let form = Form::default().with_list("expand", &["payments"]);
        self.get(&path(INVOICES, id)?, &form).await
    }

    /// Bills that were paid.
    pub async fn paid_invoices(&self, after: After<'_>) -> Result<Page<Invoice>, CallError> {
        self.get(INVOICES, &after.form().with("status", "paid")).await
    }

    /// Makes a page on which a customer changes the card and sees bills.
    pub async fn create_portal(
        &self,
        customer: &str,
        return_url: &str,
        idempotency_key: &str,
    ) -> Result<PortalSession, CallError> {
        let form = Form::default().with("customer", customer).with("return_url", return_url);
        self.post(PORTALS, &form, idempotency_key).await
    }
}
