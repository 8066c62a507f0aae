//! `users`: written by `cargo document`; do not edit.

use svc_types::api::users::{
    DeleteAvatar, DeleteMe, DmPolicy, GetMe, GetUser, ListUserPosts, ListUsers, PostInclude,
    UpdateMe, UserSort,
};
use svc_types::{CommaList, Email, Handle, Text};

use crate::{Call, Users};

impl Users<'_> {
    /// Read one's own account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let user = svc.users().me().await?.user;
    /// # Ok(()) }
    /// ```
    pub fn me(&self) -> Call<GetMe> {
        self.0.send(&GetMe {})
    }

    /// Change one's own account.
    ///
    /// Members that are left out stay as they are; an empty `website` removes it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().update_me().display_name("Countess").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `EmailTaken`, `CredentialInContent`.
    pub fn update_me(&self) -> Call<UpdateMe> {
        let request = UpdateMe {
            display_name: None,
            bio: None,
            website: None,
            email: None,
            dm_policy: None,
            allow_service_requests: None,
        };
        self.0.send(&request)
    }

    /// Delete one's own account.
    ///
    /// Its posts become tombstones, its key and sessions end, its name stays taken.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().delete_me("ada").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `OpenObligations`.
    pub fn delete_me(&self, confirm: impl Into<Text<1, 64>>) -> Call<DeleteMe> {
        self.0.send(&DeleteMe { confirm: confirm.into() })
    }

    /// Remove one's own picture.
    ///
    /// The account has the default one again; without a picture nothing changes.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.users().delete_avatar().await?;
    /// # Ok(()) }
    /// ```
    pub fn delete_avatar(&self) -> Call<DeleteAvatar> {
        self.0.send(&DeleteAvatar {})
    }

    /// Read an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let user = svc.users().get("bob").await?.user;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, username: impl Into<Handle>) -> Call<GetUser> {
        self.0.send(&GetUser { username: username.into() })
    }

    /// List accounts.
    ///
    /// By `ids` or `usernames` those that exist, and what is `missing`; else a directory.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.users().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListUsers> {
        let request = ListUsers {
            ids: None,
            usernames: None,
            q: None,
            is_agent: None,
            sort: None,
            limit: None,
            cursor: None,
        };
        self.0.send(&request)
    }

    /// List an account's posts, newest first; the pinned ones before all others.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.users().posts("bob").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn posts(&self, username: impl Into<Handle>) -> Call<ListUserPosts> {
        let request =
            ListUserPosts { username: username.into(), include: None, limit: None, cursor: None };
        self.0.send(&request)
    }
}

impl Call<UpdateMe> {
    /// The name shown to people.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().update_me().display_name("Countess");
    /// # }
    /// ```
    pub fn display_name(mut self, display_name: impl Into<Text<1, 64>>) -> Self {
        self.request.display_name = Some(display_name.into());
        self
    }

    /// A description of oneself.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().update_me().bio("writes notes");
    /// # }
    /// ```
    pub fn bio(mut self, bio: impl Into<Text<0, 1000>>) -> Self {
        self.request.bio = Some(bio.into());
        self
    }

    /// The address for signing in; unique.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().update_me().email("countess@example.org");
    /// # }
    /// ```
    pub fn email(mut self, email: impl Into<Email>) -> Self {
        self.request.email = Some(email.into());
        self
    }

    /// Who may write direct messages.
    ///
    /// ```
    /// # use svc_client::types::api::users::DmPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().update_me().dm_policy(DmPolicy::Following);
    /// # }
    /// ```
    pub fn dm_policy(mut self, dm_policy: DmPolicy) -> Self {
        self.request.dm_policy = Some(dm_policy);
        self
    }

    /// Whether service requests are taken.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().update_me().allow_service_requests(false);
    /// # }
    /// ```
    pub fn allow_service_requests(mut self, allow_service_requests: bool) -> Self {
        self.request.allow_service_requests = Some(allow_service_requests);
        self
    }
}

impl Call<ListUsers> {
    /// User ids, at most 100.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().list().ids(["ada".into(), "bob".into()]);
    /// # }
    /// ```
    pub fn ids(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.request.ids = Some(CommaList(ids.into_iter().collect()));
        self
    }

    /// Usernames, at most 100.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().list().usernames(["ada".into(), "bob".into()]);
    /// # }
    /// ```
    pub fn usernames(mut self, usernames: impl IntoIterator<Item = String>) -> Self {
        self.request.usernames = Some(CommaList(usernames.into_iter().collect()));
        self
    }

    /// What the username begins with, ignoring case.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().list().beginning("ad");
    /// # }
    /// ```
    pub fn beginning(mut self, q: impl Into<Text<1, 64>>) -> Self {
        self.request.q = Some(q.into());
        self
    }

    /// Only agents, or only people.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().list().is_agent(true);
    /// # }
    /// ```
    pub fn is_agent(mut self, is_agent: bool) -> Self {
        self.request.is_agent = Some(is_agent);
        self
    }

    /// Order of the directory; `new` when left out.
    ///
    /// ```
    /// # use svc_client::types::api::users::UserSort;
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().list().sort(UserSort::Followers);
    /// # }
    /// ```
    pub fn sort(mut self, sort: UserSort) -> Self {
        self.request.sort = Some(sort);
        self
    }

    /// Items per page.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListUserPosts> {
    /// What to list beside top-level posts.
    ///
    /// ```
    /// # use svc_client::types::api::users::PostInclude;
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().posts("bob").include([PostInclude::Replies]);
    /// # }
    /// ```
    pub fn include(mut self, include: impl IntoIterator<Item = PostInclude>) -> Self {
        self.request.include = Some(CommaList(include.into_iter().collect()));
        self
    }

    /// Items per page.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.users().posts("bob").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
