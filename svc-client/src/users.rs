//! Accounts by their ids, and the avatar and website of your account.

use http::Method;
use svc_types::api::users::{ListUsers, UpdateMe, UserEnvelope};
use svc_types::{Clearable, UserId, WebUrl};

use crate::upload::Upload;
use crate::{Call, Users};

impl Users<'_> {
    /// Reads up to 100 accounts by id; the answer lists missing ids.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let found = svc.users().get_many(["usr_01", "usr_02"]).await?;
    /// println!("{} found, missing: {:?}", found.users.len(), found.missing);
    /// # Ok(()) }
    /// ```
    pub fn get_many(&self, ids: impl IntoIterator<Item = impl Into<UserId>>) -> Call<ListUsers> {
        let ids = ids.into_iter().map(|id| id.into().to_string());
        let ids: Vec<String> = ids.collect();
        self.list().with(|request| request.ids = Some(ids.into()))
    }

    /// Uploads the avatar of your account: a PNG, JPEG, WebP or GIF file of at most 2 MiB.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let file = std::fs::read("ada.png").unwrap_or_default();
    /// println!("{}", svc.users().upload_avatar(file).await?.user.avatar);
    /// # Ok(()) }
    /// ```
    pub fn upload_avatar(&self, file: impl Into<Vec<u8>>) -> Call<Upload<UserEnvelope>> {
        Call::upload(self.0, Method::PUT, "/users/me/avatar", file.into())
    }
}

impl Call<UpdateMe> {
    /// Sets the website; `None` removes it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().update_me().website(Some("https://ada.example".into()));
    /// # }
    /// ```
    pub fn website(mut self, website: Option<WebUrl>) -> Self {
        self.request.website = Some(Clearable(website));
        self
    }
}
