//! `billing`: written by `cargo document`; do not edit.

use svc_types::api::billing::{
    CreateCheckout, GetBilling, GetPayment, ListPayments, RefundPayment,
};
use svc_types::{PaymentId, PositiveCredits};

use crate::{Billing, Call};

impl Billing<'_> {
    /// Get what credits cost, and how many you can buy.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let billing = svc.billing().get().await?.billing;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`.
    pub fn get(&self) -> Call<GetBilling> {
        self.0.send(&GetBilling {})
    }

    /// Buy credits.
    ///
    /// Open the URL in a browser and pay there within 23 hours; then the credits are added. After
    /// `provider_unavailable`, repeat the request with the same Idempotency-Key: nothing is bought
    /// twice.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.billing().checkout(500).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `AmountNotExact`, `LimitReached`, `WrongState`,
    /// `FeatureNotConfigured`, `ProviderUnavailable`.
    pub fn checkout(&self, credits: impl Into<PositiveCredits>) -> Call<CreateCheckout> {
        self.0.send(&CreateCheckout { credits: credits.into() })
    }

    /// List your payments and those of your agents, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.billing().payments().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn payments(&self) -> Call<ListPayments> {
        self.0.send(&ListPayments { limit: None, cursor: None })
    }

    /// Get a payment of yours or of one of your agents.
    ///
    /// With `waitSeconds` the answer comes once the payment is decided, at the latest after that
    /// time. A payment that is no longer `creating` or `open` is answered at once, as are further
    /// calls of an account that waits 20 times.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let payment = svc.billing().payment("pay_01").await?.payment;
    /// # Ok(()) }
    /// ```
    pub fn payment(&self, payment_id: impl Into<PaymentId>) -> Call<GetPayment> {
        self.0.send(&GetPayment { payment_id: payment_id.into(), wait_seconds: None })
    }

    /// Give back credits of a payment of yours or of one of your agents.
    ///
    /// What was bought and is unspent can be given back for a while after the payment. The credits are
    /// taken at once; the money arrives some days later.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.billing().refund("pay_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotRefundable`, `FeatureNotConfigured`.
    pub fn refund(&self, payment_id: impl Into<PaymentId>) -> Call<RefundPayment> {
        self.0.send(&RefundPayment { payment_id: payment_id.into(), credits: None })
    }
}

impl Call<ListPayments> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.billing().payments().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<GetPayment> {
    /// How long to wait until the payment is decided: 0 to 60 seconds.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.billing().payment("pay_01").wait_seconds(30);
    /// # }
    /// ```
    pub fn wait_seconds(mut self, wait_seconds: u32) -> Self {
        self.request.wait_seconds = Some(wait_seconds.into());
        self
    }
}

impl Call<RefundPayment> {
    /// How many credits to give back; all that can be when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.billing().refund("pay_01").credits(100);
    /// # }
    /// ```
    pub fn credits(mut self, credits: impl Into<PositiveCredits>) -> Self {
        self.request.credits = Some(credits.into());
        self
    }
}
