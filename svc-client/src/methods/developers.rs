//! `developers`: written by `cargo document`; do not edit.

use svc_types::api::developers::{
    DeleteApp, DeleteDeveloper, GetApp, GetDeveloper, IdTokenAlg, ListApps, RegisterDeveloper,
    RotateAppKey, RotateDeveloperKey, UpdateDeveloper,
};
use svc_types::{AppId, Text, WebUrl};

use crate::{Call, Developers};

impl Developers<'_> {
    /// Register a developer app.
    ///
    /// No account is required. If you are signed in, the app belongs to your account; a key needs the
    /// scope `account` for that.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().register("Gate", "https://gate.example.org").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InsufficientScope`, `CredentialInContent`, `LimitReached`,
    /// `RateLimited`.
    pub fn register(
        &self,
        app_name: impl Into<Text<1, 100>>,
        website: impl Into<WebUrl>,
    ) -> Call<RegisterDeveloper> {
        let request = RegisterDeveloper {
            app_name: app_name.into(),
            website: website.into(),
            description: None,
            redirect_uris: None,
            id_token_signed_response_alg: None,
        };
        self.0.send(&request)
    }

    /// Get your app.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let developer = svc.developers().me().await?.developer;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidDeveloperKey`, `DeveloperKeyRequired`.
    pub fn me(&self) -> Call<GetDeveloper> {
        self.0.send(&GetDeveloper {})
    }

    /// Update your app.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().update().app_name("Gate 2").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidDeveloperKey`, `DeveloperKeyRequired`,
    /// `CredentialInContent`.
    pub fn update(&self) -> Call<UpdateDeveloper> {
        let request = UpdateDeveloper {
            app_name: None,
            website: None,
            description: None,
            redirect_uris: None,
            id_token_signed_response_alg: None,
        };
        self.0.send(&request)
    }

    /// Delete your app.
    ///
    /// Its developer key and its tokens end at once; accounts no longer see it among their grants.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().delete().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidDeveloperKey`, `DeveloperKeyRequired`.
    pub fn delete(&self) -> Call<DeleteDeveloper> {
        self.0.send(&DeleteDeveloper {})
    }

    /// Rotate your developer key.
    ///
    /// The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
    /// but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().rotate_key().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `InvalidDeveloperKey`, `DeveloperKeyRequired`.
    pub fn rotate_key(&self) -> Call<RotateDeveloperKey> {
        self.0.send(&RotateDeveloperKey { overlap_seconds: None })
    }

    /// List the apps that your account registered, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.developers().apps().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn apps(&self) -> Call<ListApps> {
        self.0.send(&ListApps { limit: None, cursor: None })
    }

    /// Get an app that your account registered.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let developer = svc.developers().app("app_01").await?.developer;
    /// # Ok(()) }
    /// ```
    pub fn app(&self, app_id: impl Into<AppId>) -> Call<GetApp> {
        self.0.send(&GetApp { app_id: app_id.into() })
    }

    /// Rotate the developer key of an app that your account registered.
    ///
    /// The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
    /// but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().rotate_app_key("app_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn rotate_app_key(&self, app_id: impl Into<AppId>) -> Call<RotateAppKey> {
        self.0.send(&RotateAppKey { app_id: app_id.into(), overlap_seconds: None })
    }

    /// Delete an app that your account registered.
    ///
    /// Its developer key and its tokens end at once; accounts no longer see it among their grants.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().delete_app("app_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_app(&self, app_id: impl Into<AppId>) -> Call<DeleteApp> {
        self.0.send(&DeleteApp { app_id: app_id.into() })
    }
}

impl Call<RegisterDeveloper> {
    /// What the app does.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().register("Gate", "https://gate.example.org").description("lets agents in");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 1000>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Where people return from "Sign in with svc", at most 10: `https` URLs, loopback URLs such as
    /// `http://127.0.0.1/callback`, or a scheme of the app such as `org.example.app:/done`.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers()
    ///     .register("Gate", "https://gate.example.org")
    ///     .redirect_uris(["https://gate.example.org/done".into()]);
    /// # }
    /// ```
    pub fn redirect_uris(mut self, redirect_uris: impl IntoIterator<Item = Text<1, 2000>>) -> Self {
        self.request.redirect_uris = Some(redirect_uris.into_iter().collect());
        self
    }

    /// How ID tokens for the app are signed; `ES256` when omitted.
    ///
    /// ```
    /// # use svc_client::types::api::developers::IdTokenAlg;
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers()
    ///     .register("Gate", "https://gate.example.org")
    ///     .id_token_signed_response_alg(IdTokenAlg::Rs256);
    /// # }
    /// ```
    pub fn id_token_signed_response_alg(
        mut self,
        id_token_signed_response_alg: IdTokenAlg,
    ) -> Self {
        self.request.id_token_signed_response_alg = Some(id_token_signed_response_alg);
        self
    }
}

impl Call<UpdateDeveloper> {
    /// Name of the app.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().update().app_name("Gate 2");
    /// # }
    /// ```
    pub fn app_name(mut self, app_name: impl Into<Text<1, 100>>) -> Self {
        self.request.app_name = Some(app_name.into());
        self
    }

    /// URL of the app's website.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().update().website("https://gate2.example.org");
    /// # }
    /// ```
    pub fn website(mut self, website: impl Into<WebUrl>) -> Self {
        self.request.website = Some(website.into());
        self
    }

    /// What the app does.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().update().description("");
    /// # }
    /// ```
    pub fn description(mut self, description: impl Into<Text<0, 1000>>) -> Self {
        self.request.description = Some(description.into());
        self
    }

    /// Where people return from "Sign in with svc", at most 10; an empty list removes all.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().update().redirect_uris([]);
    /// # }
    /// ```
    pub fn redirect_uris(mut self, redirect_uris: impl IntoIterator<Item = Text<1, 2000>>) -> Self {
        self.request.redirect_uris = Some(redirect_uris.into_iter().collect());
        self
    }

    /// How ID tokens for the app are signed from now on.
    ///
    /// ```
    /// # use svc_client::types::api::developers::IdTokenAlg;
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().update().id_token_signed_response_alg(IdTokenAlg::Es256);
    /// # }
    /// ```
    pub fn id_token_signed_response_alg(
        mut self,
        id_token_signed_response_alg: IdTokenAlg,
    ) -> Self {
        self.request.id_token_signed_response_alg = Some(id_token_signed_response_alg);
        self
    }
}

impl Call<RotateDeveloperKey> {
    /// Seconds until the old key ends, at most 7 days; 0 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().rotate_key().overlap_seconds(3600);
    /// # }
    /// ```
    pub fn overlap_seconds(mut self, overlap_seconds: u32) -> Self {
        self.request.overlap_seconds = Some(overlap_seconds.into());
        self
    }
}

impl Call<ListApps> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().apps().limit(20);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<RotateAppKey> {
    /// Seconds until the old key ends, at most 7 days; 0 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.developers().rotate_app_key("app_01").overlap_seconds(3600);
    /// # }
    /// ```
    pub fn overlap_seconds(mut self, overlap_seconds: u32) -> Self {
        self.request.overlap_seconds = Some(overlap_seconds.into());
        self
    }
}
