//! `keys`: written by `cargo document`; do not edit.

use svc_types::api::keys::{
    CreateApiKey, DeleteApiKey, GetCurrentApiKey, KeySpend, ListApiKeys, ReportApiKey, UpdateApiKey,
};
use svc_types::{ApiKey, Scope, Span, Text};

use crate::{Call, Keys};

impl Keys<'_> {
    /// List your API keys: the default one, then the others by name.
    ///
    /// A key is listed until it is deleted, even after it has expired.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let keys = svc.keys().list().await?.keys;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListApiKeys> {
        self.0.send(&ListApiKeys {})
    }

    /// Get the API key of this request.
    ///
    /// 404 for a session.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let key = svc.keys().current().await?.key;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`.
    pub fn current(&self) -> Call<GetCurrentApiKey> {
        self.0.send(&GetCurrentApiKey {})
    }

    /// Create an API key.
    ///
    /// It may do no more than its scopes say, and no more than the credential that creates it; a key
    /// with an end, networks or caps creates none. The key is shown once. An account has at most 25
    /// keys beside the default one.
    ///
    /// ```no_run
    /// # use svc_client::types::Scope;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.keys().create("translator", [Scope::Read, Scope::ExchangeSell]).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `AlreadyExists`, `LimitReached`, `RateLimited`.
    pub fn create(
        &self,
        name: impl Into<Text<1, 64>>,
        scopes: impl IntoIterator<Item = impl Into<Scope>>,
    ) -> Call<CreateApiKey> {
        let request = CreateApiKey {
            name: name.into(),
            scopes: scopes.into_iter().map(Into::into).collect(),
            expires_in: None,
            allow_from: None,
            spend: None,
        };
        self.0.send(&request)
    }

    /// Rename an API key, or change what it may do.
    ///
    /// Other scopes or networks end the open connections of the account, which have to be opened
    /// again, and its claim link. The default key keeps its name and every scope, and has no caps. A
    /// change that lets the key do more asks for a confirmation: `POST /auth/step-up`.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.keys().update("0a1b2c3d4e5f").name("translator in Oslo").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `StepUpRequired`, `NotFound`, `AlreadyExists`,
    /// `WrongState`, `RateLimited`.
    pub fn update(&self, key_id: impl Into<Text<1, 64>>) -> Call<UpdateApiKey> {
        let request = UpdateApiKey {
            key_id: key_id.into(),
            name: None,
            scopes: None,
            allow_from: None,
            spend: None,
        };
        self.0.send(&request)
    }

    /// Delete an API key.
    ///
    /// It ends at once, with its open connections. The only way left into an account cannot be
    /// deleted: a password, a passkey, or a key with every scope and without an end, networks or caps
    /// has to remain.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.keys().delete("0a1b2c3d4e5f").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `NotFound`, `LastCredential`.
    pub fn delete(&self, key_id: impl Into<Text<1, 64>>) -> Call<DeleteApiKey> {
        self.0.send(&DeleteApiKey { key_id: key_id.into() })
    }

    /// Report an API key, a developer key or an OAuth token that you found in public.
    ///
    /// A valid key ends at once, regardless of its owner, except for the developer key of an app without an
    /// account, which nobody could replace; with a valid token, all tokens that the program got together with it
    /// end. The response does not say whether it was valid.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.keys().report("svc_ak_found").await?;
    /// # Ok(()) }
    /// ```
    pub fn report(&self, token: impl Into<ApiKey>) -> Call<ReportApiKey> {
        self.0.send(&ReportApiKey { token: token.into() })
    }
}

impl Call<CreateApiKey> {
    /// Lifetime: 1 hour to 365 days; without end when omitted.
    ///
    /// ```
    /// # use svc_client::types::Scope;
    /// # use svc_client::types::Span;
    /// # fn show(svc: svc_client::Client, expires_in: Span) {
    /// svc.keys().create("translator", [Scope::Read, Scope::ExchangeSell]).expires_in(expires_in);
    /// # }
    /// ```
    pub fn expires_in(mut self, expires_in: Span) -> Self {
        self.request.expires_in = Some(expires_in);
        self
    }

    /// The networks such as `203.0.113.0/24`, or addresses, it works from, at most 10; everywhere
    /// when omitted.
    ///
    /// ```
    /// # use svc_client::types::Scope;
    /// # fn show(svc: svc_client::Client) {
    /// svc.keys()
    ///     .create("translator", [Scope::Read, Scope::ExchangeSell])
    ///     .allow_from(["203.0.113.0/24".into()]);
    /// # }
    /// ```
    pub fn allow_from(mut self, allow_from: impl IntoIterator<Item = Text<2, 43>>) -> Self {
        self.request.allow_from = Some(allow_from.into_iter().collect());
        self
    }

    /// The most it may spend; without caps when omitted.
    ///
    /// ```
    /// # use svc_client::types::Scope;
    /// # use svc_client::types::api::keys::KeySpend;
    /// # fn show(svc: svc_client::Client, spend: KeySpend) {
    /// svc.keys().create("translator", [Scope::Read, Scope::ExchangeSell]).spend(spend);
    /// # }
    /// ```
    pub fn spend(mut self, spend: KeySpend) -> Self {
        self.request.spend = Some(spend);
        self
    }
}

impl Call<UpdateApiKey> {
    /// The new name: 1–64 characters.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.keys().update("0a1b2c3d4e5f").name("translator in Oslo");
    /// # }
    /// ```
    pub fn name(mut self, name: impl Into<Text<1, 64>>) -> Self {
        self.request.name = Some(name.into());
        self
    }

    /// What it may do from now on: at least one scope.
    ///
    /// ```
    /// # use svc_client::types::Scope;
    /// # fn show(svc: svc_client::Client) {
    /// svc.keys().update("0a1b2c3d4e5f").scopes([Scope::ExchangeSell]);
    /// # }
    /// ```
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = Scope>) -> Self {
        self.request.scopes = Some(scopes.into_iter().collect());
        self
    }

    /// The networks or addresses that it may be used from, at most 10; an empty list stands for
    /// everywhere.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.keys().update("0a1b2c3d4e5f").allow_from([]);
    /// # }
    /// ```
    pub fn allow_from(mut self, allow_from: impl IntoIterator<Item = Text<2, 43>>) -> Self {
        self.request.allow_from = Some(allow_from.into_iter().collect());
        self
    }

    /// The most it may spend. Both caps are replaced; an empty object removes them.
    ///
    /// ```
    /// # use svc_client::types::api::keys::KeySpend;
    /// # fn show(svc: svc_client::Client, spend: KeySpend) {
    /// svc.keys().update("0a1b2c3d4e5f").spend(spend);
    /// # }
    /// ```
    pub fn spend(mut self, spend: KeySpend) -> Self {
        self.request.spend = Some(spend);
        self
    }
}
