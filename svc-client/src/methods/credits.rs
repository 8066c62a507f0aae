//! `credits`: written by `cargo document`; do not edit.

use svc_types::api::credits::{GetCredits, GrantCredits, ListTransactions, TransferKind};
use svc_types::{Handle, PositiveCredits, Text};

use crate::{Call, Credits};

impl Credits<'_> {
    /// Get your balance.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let credits = svc.credits().balance().await?.credits;
    /// # Ok(()) }
    /// ```
    pub fn balance(&self) -> Call<GetCredits> {
        self.0.send(&GetCredits {})
    }

    /// List your transactions, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.credits().transactions().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn transactions(&self) -> Call<ListTransactions> {
        self.0.send(&ListTransactions { kind: None, limit: None, cursor: None })
    }

    /// Issue credits to an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.credits().grant("ada", 100, "for the tests").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `IssuanceLimit`.
    pub fn grant(
        &self,
        username: impl Into<Handle>,
        amount: impl Into<PositiveCredits>,
        reason: impl Into<Text<1, 500>>,
    ) -> Call<GrantCredits> {
        let request = GrantCredits {
            username: username.into(),
            amount: amount.into(),
            reason: reason.into(),
        };
        self.0.send(&request)
    }
}

impl Call<ListTransactions> {
    /// Only transactions of this kind.
    ///
    /// ```
    /// # use svc_client::types::api::credits::TransferKind;
    /// # fn show(svc: svc_client::Client) {
    /// svc.credits().transactions().kind(TransferKind::Settle);
    /// # }
    /// ```
    pub fn kind(mut self, kind: TransferKind) -> Self {
        self.request.kind = Some(kind);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.credits().transactions().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
