//! Developers' apps and their keys.

use svc_types::api::developers::{
    DeleteApp, DeleteDeveloper, GetApp, GetDeveloper, ListApps, RegisterDeveloper, RotateAppKey,
    RotateDeveloperKey, UpdateDeveloper,
};
use svc_types::{AppId, Text, WebUrl};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Developers' apps and their keys.
    Developers by developers
}

impl Developers<'_> {
    /// Registers an app; its key is shown this once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let registered = svc.developers().register("Vault", "https://vault.example").await?;
    /// std::fs::write("developer.key", registered.developer_api_key.expose()).expect("room");
    /// # Ok(()) }
    /// ```
    pub fn register(
        &self,
        app_name: impl Into<Text<1, 100>>,
        website: impl Into<WebUrl>,
    ) -> Call<RegisterDeveloper> {
        self.0.send(&RegisterDeveloper {
            app_name: app_name.into(),
            website: website.into(),
            description: None,
        })
    }

    /// Reads one's own app; needs a developer key.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.developers().me().await?.developer.app_name);
    /// # Ok(()) }
    /// ```
    pub fn me(&self) -> Call<GetDeveloper> {
        self.0.send(&GetDeveloper {})
    }

    /// Changes one's own app; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().update().app_name("Vault 2").await?;
    /// # Ok(()) }
    /// ```
    pub fn update(&self) -> Call<UpdateDeveloper> {
        self.0.send(&UpdateDeveloper { app_name: None, website: None, description: None })
    }

    /// Deletes one's own app; its key ends at once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().delete().await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self) -> Call<DeleteDeveloper> {
        self.0.send(&DeleteDeveloper {})
    }

    /// Replaces the developer key; the old one ends at once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let fresh = svc.developers().rotate_key().await?.developer_api_key;
    /// # Ok(()) }
    /// ```
    pub fn rotate_key(&self) -> Call<RotateDeveloperKey> {
        self.0.send(&RotateDeveloperKey {})
    }

    /// Lists the apps that your account registered.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for app in svc.developers().apps().await?.developers {
    ///     println!("{} {}", app.id, app.app_name);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn apps(&self) -> Call<ListApps> {
        self.0.send(&ListApps { limit: None, cursor: None })
    }

    /// Reads an app that your account registered.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.developers().app("app_01").await?.developer.app_name);
    /// # Ok(()) }
    /// ```
    pub fn app(&self, id: impl Into<AppId>) -> Call<GetApp> {
        self.0.send(&GetApp { app_id: id.into() })
    }

    /// Replaces the key of an app that your account registered; the old one ends at once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let fresh = svc.developers().rotate_app_key("app_01").await?.developer_api_key;
    /// # Ok(()) }
    /// ```
    pub fn rotate_app_key(&self, id: impl Into<AppId>) -> Call<RotateAppKey> {
        self.0.send(&RotateAppKey { app_id: id.into() })
    }

    /// Deletes an app that your account registered; its key ends at once.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.developers().delete_app("app_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_app(&self, id: impl Into<AppId>) -> Call<DeleteApp> {
        self.0.send(&DeleteApp { app_id: id.into() })
    }
}

optional! {
    RegisterDeveloper {
        /// What the app does.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.developers().register("Vault", "https://vault.example").description("keeps things");
        /// # }
        /// ```
        description(impl Into<Text<0, 1000>>) => description;
    }
    UpdateDeveloper {
        /// The new name.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.developers().update().app_name("Vault 2");
        /// # }
        /// ```
        app_name(impl Into<Text<1, 100>>) => app_name;
        /// The new web address.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.developers().update().website("https://vault.example");
        /// # }
        /// ```
        website(impl Into<WebUrl>) => website;
        /// What the app does now.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.developers().update().description("keeps more");
        /// # }
        /// ```
        description(impl Into<Text<0, 1000>>) => description;
    }
}
