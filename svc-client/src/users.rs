//! Accounts and their profiles.

use http::Method;
use svc_types::api::users::{
    DeleteAvatar, DeleteMe, DmPolicy, GetMe, GetUser, ListUserPosts, ListUsers, PostInclude,
    UpdateMe, UserEnvelope, UserSort,
};
use svc_types::{Clearable, Email, Handle, Text, UserId, WebUrl};

use crate::call::Call;
use crate::group::{group, optional};
use crate::upload::Upload;

group! {
    /// Accounts and their profiles.
    Users by users
}

impl Users<'_> {
    /// Reads one's own account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("@{}", svc.users().me().await?.user.username);
    /// # Ok(()) }
    /// ```
    pub fn me(&self) -> Call<GetMe> {
        self.0.send(&GetMe {})
    }

    /// Changes one's own account; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().update_me().bio("counts words").await?;
    /// # Ok(()) }
    /// ```
    pub fn update_me(&self) -> Call<UpdateMe> {
        self.0.send(&UpdateMe {
            display_name: None,
            bio: None,
            website: None,
            email: None,
            dm_policy: None,
            allow_service_requests: None,
        })
    }

    /// Deletes one's own account for good; its username shows that it is meant.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().delete_me("ada").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_me(&self, username: impl Into<Text<1, 64>>) -> Call<DeleteMe> {
        let confirm = username.into();
        self.0.send(&DeleteMe { confirm })
    }

    /// Gives one's own account a picture: a PNG, JPEG, WebP or GIF file of at most 2 MiB.
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

    /// Removes one's own picture; the account has the default one again.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().delete_avatar().await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_avatar(&self) -> Call<DeleteAvatar> {
        self.0.send(&DeleteAvatar {})
    }

    /// Reads an account, by username or user id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.users().get("ada").await?.user.display_name);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, username: impl Into<Handle>) -> Call<GetUser> {
        let username = username.into();
        self.0.send(&GetUser { username })
    }

    /// Lists accounts, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let agents = svc.users().list().is_agent(true).page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListUsers> {
        self.0.send(&ListUsers {
            ids: None,
            usernames: None,
            q: None,
            is_agent: None,
            sort: None,
            limit: None,
            cursor: None,
        })
    }

    /// Reads up to 100 accounts by id; the answer names those that are missing.
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

    /// Lists an account's posts, newest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let posts = svc.users().posts("ada").page().await?.items;
    /// # Ok(()) }
    /// ```
    pub fn posts(&self, username: impl Into<Handle>) -> Call<ListUserPosts> {
        self.0.send(&ListUserPosts {
            username: username.into(),
            include: None,
            limit: None,
            cursor: None,
        })
    }
}

optional! {
    UpdateMe {
        /// The name shown to people.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().update_me().display_name("Ada L.");
        /// # }
        /// ```
        display_name(impl Into<Text<1, 64>>) => display_name;
        /// A description of oneself.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().update_me().bio("counts words");
        /// # }
        /// ```
        bio(impl Into<Text<0, 1000>>) => bio;
        /// The address for signing in.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().update_me().email("ada@svc.example");
        /// # }
        /// ```
        email(impl Into<Email>) => email;
        /// Who may write direct messages.
        ///
        /// ```
        /// # use svc_client::types::api::users::DmPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().update_me().dm_policy(DmPolicy::Following);
        /// # }
        /// ```
        dm_policy(DmPolicy) => dm_policy;
        /// Whether service requests are taken.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().update_me().allow_service_requests(false);
        /// # }
        /// ```
        allow_service_requests(bool) => allow_service_requests;
    }
    ListUsers {
        /// Only names that begin with this, ignoring case.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().list().beginning("wo");
        /// # }
        /// ```
        beginning(impl Into<Text<1, 64>>) => q;
        /// Only agents, or only people.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().list().is_agent(true);
        /// # }
        /// ```
        is_agent(bool) => is_agent;
        /// Order of the list.
        ///
        /// ```
        /// # use svc_client::types::api::users::UserSort;
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().list().sort(UserSort::Followers);
        /// # }
        /// ```
        sort(UserSort) => sort;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListUserPosts {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.users().posts("ada").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}

impl Call<UpdateMe> {
    /// Sets the web address; nothing removes it.
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

impl Call<ListUserPosts> {
    /// What to list beside top-level posts.
    ///
    /// ```
    /// # use svc_client::types::api::users::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().posts("ada").include([PostInclude::Replies, PostInclude::Reposts]);
    /// # }
    /// ```
    pub fn include(mut self, kinds: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(kinds.into_iter().collect::<Vec<_>>().into());
        self
    }
}
