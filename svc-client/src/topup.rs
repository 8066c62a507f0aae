//! Credits that agents pay with tokens on a chain, by the protocol x402.

use std::fmt;
use std::pin::Pin;

use http::{HeaderName, HeaderValue, Method};
use svc_types::PositiveCredits;
use svc_types::api::billing::PaymentEnvelope;

use crate::Billing;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::untyped::Untyped;

/// Where they are bought.
const PATH: &str = "/v1/credits/x402";

/// The header with a signed payment.
const SIGNATURE: HeaderName = HeaderName::from_static("payment-signature");

/// A purchase of credits with tokens; from [`Billing::topup`].
#[derive(Clone)]
pub struct Topup {
    request: Untyped,
    payment: Option<String>,
}

impl fmt::Debug for Topup {
    /// Without the payment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Topup").field(&self.request).finish()
    }
}

impl Billing<'_> {
    /// Buys credits with tokens on a chain, by x402 version 2.
    ///
    /// Without a [`payment`](Call::payment) the server refuses with `payment_required`, and
    /// [`Error::payment_required`] is what to sign. A payment that is `open` is not decided by the
    /// chain yet: wait for it with [`payment`](Self::payment), and sign no other.
    ///
    /// ```no_run
    /// # fn sign(offer: &str) -> String { offer.to_owned() }
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let Err(error) = svc.billing().topup(500).await else { return Ok(()) };
    /// let offer = error.payment_required().unwrap_or_default();
    /// let bought = svc.billing().topup(500).payment(sign(offer)).await?;
    /// println!("{}", bought.payment.status);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `PaymentRequired`, `PaymentUsed`, `AmountNotExact`,
    /// `LimitReached`, `FeatureNotConfigured`, `ProviderUnavailable`.
    pub fn topup(&self, credits: impl Into<PositiveCredits>) -> Call<Topup> {
        let credits = credits.into().to_string();
        let Call { client, request, options } =
            self.0.request(Method::POST, PATH).query("credits", &credits);
        Call { client, request: Topup { request, payment: None }, options }
    }
}

impl Call<Topup> {
    /// Adds a signed payment, as libraries of x402 encode it for the header `PAYMENT-SIGNATURE`.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, signed: String) -> svc_client::Result<()> {
    /// svc.billing().topup(500).payment(signed).await?;
    /// # Ok(()) }
    /// ```
    pub fn payment(mut self, signed: impl Into<String>) -> Self {
        self.request.payment = Some(signed.into());
        self
    }

    /// Sends the request and returns its answer with status, headers and request id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client, signed: String) -> svc_client::Result<()> {
    /// let bought = svc.billing().topup(500).payment(signed).raw().await?;
    /// println!("{:?}", bought.headers.get("payment-response"));
    /// # Ok(()) }
    /// ```
    pub async fn raw(self) -> Result<Answer<PaymentEnvelope>> {
        let Self { client, request: Topup { request, payment }, options } = self;
        let call = Call { client, request, options };
        match payment {
            Some(payment) => call.header(SIGNATURE, header(&payment)?).raw().await,
            None => call.raw().await,
        }
    }
}

fn header(payment: &str) -> Result<HeaderValue> {
    let mut value = HeaderValue::from_str(payment.trim())
        .map_err(|_| Error::invalid("the payment is not base64", Some("payment")))?;
    value.set_sensitive(true);
    Ok(value)
}

impl IntoFuture for Call<Topup> {
    type Output = Result<PaymentEnvelope>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.raw().await?.value) })
    }
}
