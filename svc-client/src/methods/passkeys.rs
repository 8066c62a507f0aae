//! `passkeys`: written by `cargo document`; do not edit.

use serde_json::{Map, Value};
use svc_types::api::passkeys::{
    BeginPasskey, BeginPasskeyLogin, BeginPasskeyStepUp, CreatePasskey, DeletePasskey,
    LoginWithPasskey, UpdatePasskey,
};
use svc_types::{CeremonyId, PasskeyId, Text};

use crate::{Call, Passkeys};

impl Passkeys<'_> {
    /// Begin to add a passkey.
    ///
    /// Give `options` to `navigator.credentials.create()` of a browser on this server's pages. The
    /// ceremony lasts 10 minutes, works once, and ends when you begin another. A key that may not do
    /// everything can't add a passkey. 503 if the server's public address has no host name.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.passkeys().begin().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `LimitReached`.
    pub fn begin(&self) -> Call<BeginPasskey> {
        self.0.send(&BeginPasskey {})
    }

    /// Add a passkey with what the browser answered.
    ///
    /// From now on it is enough to sign in, because the device verifies who uses it. 401 if the
    /// answer does not belong to the ceremony.
    ///
    /// ```no_run
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # async fn show(svc: svc_client::Client, credential: Map<String, Value>) -> svc_client::Result<()> {
    /// svc.passkeys().create("cer_01", credential, "Laptop").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `InvalidCredentials`,
    /// `LimitReached`.
    pub fn create(
        &self,
        ceremony_id: impl Into<CeremonyId>,
        credential: Map<String, Value>,
        name: impl Into<Text<1, 64>>,
    ) -> Call<CreatePasskey> {
        let request =
            CreatePasskey { ceremony_id: ceremony_id.into(), credential, name: name.into() };
        self.0.send(&request)
    }

    /// Rename a passkey.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.passkeys().update("pky_01", "Phone").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn update(
        &self,
        passkey_id: impl Into<PasskeyId>,
        name: impl Into<Text<1, 64>>,
    ) -> Call<UpdatePasskey> {
        self.0.send(&UpdatePasskey { passkey_id: passkey_id.into(), name: name.into() })
    }

    /// Remove a passkey.
    ///
    /// 409 if it is the only way left into the account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.passkeys().delete("pky_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `LastCredential`.
    pub fn delete(&self, passkey_id: impl Into<PasskeyId>) -> Call<DeletePasskey> {
        self.0.send(&DeletePasskey { passkey_id: passkey_id.into() })
    }

    /// Begin to sign in with a passkey.
    ///
    /// Give `options` to `navigator.credentials.get()`. They are the same for every account, and
    /// for names without one: the device knows its passkeys for this server. The ceremony lasts
    /// 10 minutes and works once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.passkeys().begin_login().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `RateLimited`.
    pub fn begin_login(&self) -> Call<BeginPasskeyLogin> {
        self.0.send(&BeginPasskeyLogin { username: None })
    }

    /// Sign in with a passkey.
    ///
    /// Sets the session cookie. A passkey is two factors, so no code is asked for.
    ///
    /// ```no_run
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # async fn show(svc: svc_client::Client, credential: Map<String, Value>) -> svc_client::Result<()> {
    /// svc.passkeys().login("cer_01", credential).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `InvalidCredentials`,
    /// `RateLimited`.
    pub fn login(
        &self,
        ceremony_id: impl Into<CeremonyId>,
        credential: Map<String, Value>,
    ) -> Call<LoginWithPasskey> {
        self.0.send(&LoginWithPasskey { ceremony_id: ceremony_id.into(), credential })
    }

    /// Begin to confirm that it is you with a passkey.
    ///
    /// Give `options` to `navigator.credentials.get()`, and what it answers to `POST /auth/step-up`.
    /// The ceremony lasts 10 minutes, works once, and ends when you begin another. 409 if you have
    /// no passkey.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.passkeys().begin_step_up().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `FeatureNotConfigured`, `WrongState`.
    pub fn begin_step_up(&self) -> Call<BeginPasskeyStepUp> {
        self.0.send(&BeginPasskeyStepUp {})
    }
}

impl Call<BeginPasskeyLogin> {
    /// The account to sign in to. A passkey of another account is then refused.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.passkeys().begin_login().username("ada");
    /// # }
    /// ```
    pub fn username(mut self, username: impl Into<Text<1, 64>>) -> Self {
        self.request.username = Some(username.into());
        self
    }
}
