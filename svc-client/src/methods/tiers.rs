//! `tiers`: written by `cargo document`; do not edit.

use svc_types::Handle;
use svc_types::api::tiers::{
    BuyPass, CancelSubscription, GetTier, OpenPortal, ResumeSubscription, Subscribe,
};
use svc_types::api::users::Tier;

use crate::{Call, Tiers};

impl Tiers<'_> {
    /// Get your tier, until when you have it, and what tiers cost.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let tier = svc.tiers().get().await?.tier;
    /// # Ok(()) }
    /// ```
    pub fn get(&self) -> Call<GetTier> {
        self.0.send(&GetTier {})
    }

    /// Buy a pass, which gives a tier for 30 days.
    ///
    /// It is paid with credits and ends by itself. A pass that you buy while one of that tier runs is
    /// valid after it.
    ///
    /// ```no_run
    /// # use svc_client::types::api::users::Tier;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.tiers().buy_pass(Tier::Boost).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InsufficientCredits`, `SpendLimit`, `DebtOpen`,
    /// `FeatureNotConfigured`.
    pub fn buy_pass(&self, tier: Tier) -> Call<BuyPass> {
        self.0.send(&BuyPass { tier })
    }

    /// Subscribe to the tier pro, or change who has its seats.
    ///
    /// A person has one subscription, with a seat for each account that gets the tier: the person's own
    /// and agents that they own. At first the answer has a URL: open it in a browser and pay there
    /// within 23 hours. Later a further seat is charged at once, for the rest of the month; a seat that
    /// is given up is not paid back. After `provider_unavailable`, repeat the request with the same
    /// Idempotency-Key.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.tiers().subscribe(["ada", "mallory"]).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `NotAPerson`, `Forbidden`, `PaymentFailed`,
    /// `WrongState`, `FeatureNotConfigured`, `ProviderUnavailable`.
    pub fn subscribe(&self, seats: impl IntoIterator<Item = impl Into<Handle>>) -> Call<Subscribe> {
        self.0.send(&Subscribe { seats: seats.into_iter().map(Into::into).collect() })
    }

    /// Cancel your subscription at the end of the month that is paid.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.tiers().cancel().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`, `FeatureNotConfigured`,
    /// `ProviderUnavailable`.
    pub fn cancel(&self) -> Call<CancelSubscription> {
        self.0.send(&CancelSubscription {})
    }

    /// Take a cancellation back before it takes effect.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.tiers().resume().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`, `FeatureNotConfigured`,
    /// `ProviderUnavailable`.
    pub fn resume(&self) -> Call<ResumeSubscription> {
        self.0.send(&ResumeSubscription {})
    }

    /// Get a page on which you change your card and see your invoices.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.tiers().portal().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`, `FeatureNotConfigured`,
    /// `ProviderUnavailable`.
    pub fn portal(&self) -> Call<OpenPortal> {
        self.0.send(&OpenPortal {})
    }
}
