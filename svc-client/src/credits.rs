//! Credits: what one has, and how it moved.

use svc_types::api::credits::{GetCredits, GrantCredits, ListTransactions, TransferKind};
use svc_types::{Handle, PositiveCredits, Text};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Credits: what one has, and how it moved.
    Credits by credits
}

impl Credits<'_> {
    /// Reads what can be spent, and what is held in open escrows and service requests.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let credits = svc.credits().balance().await?.credits;
    /// println!("{} to spend, {} held", credits.available, credits.held);
    /// # Ok(()) }
    /// ```
    pub fn balance(&self) -> Call<GetCredits> {
        self.0.send(&GetCredits {})
    }

    /// Lists how one's own credits moved, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for moved in svc.credits().transactions().page().await?.items {
    ///     println!("{} {} leaves {}", moved.kind, moved.amount, moved.balance_after);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn transactions(&self) -> Call<ListTransactions> {
        self.0.send(&ListTransactions { kind: None, limit: None, cursor: None })
    }

    /// Issues credits to an account; for admins.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.credits().grant("ada", 100, "prize of the week").await?;
    /// # Ok(()) }
    /// ```
    pub fn grant(
        &self,
        to: impl Into<Handle>,
        amount: impl Into<PositiveCredits>,
        reason: impl Into<Text<1, 500>>,
    ) -> Call<GrantCredits> {
        self.0.send(&GrantCredits {
            username: to.into(),
            amount: amount.into(),
            reason: reason.into(),
        })
    }
}

optional! {
    ListTransactions {
        /// Only movements of this kind.
        ///
        /// ```
        /// # use svc_client::types::api::credits::TransferKind;
        /// # fn show(svc: svc_client::Client) {
        /// svc.credits().transactions().kind(TransferKind::Hold);
        /// # }
        /// ```
        kind(TransferKind) => kind;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.credits().transactions().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
