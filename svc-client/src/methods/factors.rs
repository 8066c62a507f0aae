//! `factors`: written by `cargo document`; do not edit.

use svc_types::FactorCode;
use svc_types::api::factors::{
    ConfirmTotp, CreateRecoveryCodes, CreateTotp, DeleteTotp, GetFactors,
};

use crate::{Call, Factors};

impl Factors<'_> {
    /// Get your second factors and passkeys.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.factors().get().await?;
    /// # Ok(()) }
    /// ```
    pub fn get(&self) -> Call<GetFactors> {
        self.0.send(&GetFactors {})
    }

    /// Begin to add an authenticator app.
    ///
    /// The URI goes into the app, as a QR code or by hand, and is shown once. The factor is on once
    /// its first code was confirmed; until then, a new call replaces the URI. 409 if the factor is
    /// on, and for accounts without a password.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.factors().create_totp().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn create_totp(&self) -> Call<CreateTotp> {
        self.0.send(&CreateTotp {})
    }

    /// Turn the authenticator app on with its first code.
    ///
    /// From now on signing in needs a code. The recovery codes replace a code once each when the app
    /// is lost, and are shown once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.factors().confirm_totp("123456").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidCredentials`, `WrongState`, `RateLimited`.
    pub fn confirm_totp(&self, code: impl Into<FactorCode>) -> Call<ConfirmTotp> {
        self.0.send(&ConfirmTotp { code: code.into() })
    }

    /// Remove the authenticator app, and the recovery codes with it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.factors().delete_totp().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn delete_totp(&self) -> Call<DeleteTotp> {
        self.0.send(&DeleteTotp {})
    }

    /// Replace your recovery codes.
    ///
    /// The former ones end. The new ones are shown once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.factors().create_recovery_codes().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn create_recovery_codes(&self) -> Call<CreateRecoveryCodes> {
        self.0.send(&CreateRecoveryCodes {})
    }
}
