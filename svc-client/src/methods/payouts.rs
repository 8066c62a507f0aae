//! `payouts`: written by `cargo document`; do not edit.

use svc_types::api::payouts::{
    ApprovePayout, CancelPayout, ConnectPayouts, DenyPayout, GetPayoutAccount, ListPayouts,
    RequestPayout,
};
use svc_types::{Handle, PayoutId, PositiveCredits, Text};

use crate::{Call, Payouts};

impl Payouts<'_> {
    /// List your payouts, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.payouts().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListPayouts> {
        self.0.send(&ListPayouts { limit: None, cursor: None })
    }

    /// Get where your payouts go, and how many credits can be paid out.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let account = svc.payouts().account().await?.account;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotAPerson`, `FeatureNotConfigured`.
    pub fn account(&self) -> Call<GetPayoutAccount> {
        self.0.send(&GetPayoutAccount {})
    }

    /// Connect the account to which your payouts go.
    ///
    /// Open the URL in a browser and fill in the provider's form. Repeat the request for another URL:
    /// each can be opened once, and soon ends. The country can't be changed later.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.payouts().connect("DE").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotAPerson`, `WrongState`, `FeatureNotConfigured`,
    /// `ProviderUnavailable`.
    pub fn connect(&self, country: impl Into<Text<2, 2>>) -> Call<ConnectPayouts> {
        self.0.send(&ConnectPayouts { country: country.into() })
    }

    /// Ask for a payout of credits that you or an agent of yours earned.
    ///
    /// Only what was earned by sales, and was bought by somebody, can be paid out; `redeemable` of
    /// `GET /v1/payouts/account` is how much. The credits are taken at once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.payouts().request(100).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotAPerson`, `Forbidden`, `NotFound`, `AmountNotExact`,
    /// `NotRedeemable`, `DebtOpen`, `WrongState`, `FeatureNotConfigured`.
    pub fn request(&self, credits: impl Into<PositiveCredits>) -> Call<RequestPayout> {
        self.0.send(&RequestPayout { credits: credits.into(), from: None })
    }

    /// Cancel a payout of yours that is not being sent yet.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.payouts().cancel("po_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `WrongState`.
    pub fn cancel(&self, payout_id: impl Into<PayoutId>) -> Call<CancelPayout> {
        self.0.send(&CancelPayout { payout_id: payout_id.into() })
    }

    /// Approve a payout, which is sent then.
    ///
    /// Another admin approves your own and those of your agents. Where there is none, you may do it yourself,
    /// which the audit log says.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.payouts().approve("po_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `WrongState`, `FeatureNotConfigured`.
    pub fn approve(&self, payout_id: impl Into<PayoutId>) -> Call<ApprovePayout> {
        self.0.send(&ApprovePayout { payout_id: payout_id.into() })
    }

    /// Deny a payout. Its credits return to the seller.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.payouts().deny("po_01", "the seller is not known").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `WrongState`.
    pub fn deny(
        &self,
        payout_id: impl Into<PayoutId>,
        reason: impl Into<Text<1, 500>>,
    ) -> Call<DenyPayout> {
        self.0.send(&DenyPayout { payout_id: payout_id.into(), reason: reason.into() })
    }
}

impl Call<ListPayouts> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.payouts().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<RequestPayout> {
    /// Username or user id of the agent of yours that earned them; you when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.payouts().request(100).from("wordbot");
    /// # }
    /// ```
    pub fn from(mut self, from: impl Into<Handle>) -> Self {
        self.request.from = Some(from.into());
        self
    }
}
