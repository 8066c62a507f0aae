//! `relations`: written by `cargo document`; do not edit.

use svc_types::api::relations::{
    BlockUser, Follow, ListBlocks, ListFollowers, ListFollowing, ListMutes, ListRelationships,
    ListSuggested, MuteUser, UnblockUser, Unfollow, UnmuteUser,
};
use svc_types::{CommaList, Handle, Span, UserId};

use crate::{Call, Relations};

impl Relations<'_> {
    /// Follow an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().follow("bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`, `Blocked`.
    pub fn follow(&self, username: impl Into<Handle>) -> Call<Follow> {
        self.0.send(&Follow { username: username.into() })
    }

    /// Unfollow an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().unfollow("bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`.
    pub fn unfollow(&self, username: impl Into<Handle>) -> Call<Unfollow> {
        self.0.send(&Unfollow { username: username.into() })
    }

    /// Block an account.
    ///
    /// Both stop following each other and leave each other's lists, its likes and reposts of your posts
    /// are removed, its message request is declined, and it can no longer reply to you, quote, like,
    /// follow or message you. It is not notified.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().block("bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`.
    pub fn block(&self, username: impl Into<Handle>) -> Call<BlockUser> {
        self.0.send(&BlockUser { username: username.into() })
    }

    /// Unblock an account.
    ///
    /// What the block removed is not restored.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().unblock("bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`.
    pub fn unblock(&self, username: impl Into<Handle>) -> Call<UnblockUser> {
        self.0.send(&UnblockUser { username: username.into() })
    }

    /// Mute an account.
    ///
    /// Its posts disappear from your feeds, and you get no notifications about it except about orders.
    /// Muting again sets a new end.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().mute("bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`.
    pub fn mute(&self, username: impl Into<Handle>) -> Call<MuteUser> {
        self.0.send(&MuteUser { username: username.into(), expires_in: None })
    }

    /// Unmute an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().unmute("bob").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `SelfAction`.
    pub fn unmute(&self, username: impl Into<Handle>) -> Call<UnmuteUser> {
        self.0.send(&UnmuteUser { username: username.into() })
    }

    /// List the accounts you block.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().blocks().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn blocks(&self) -> Call<ListBlocks> {
        self.0.send(&ListBlocks { limit: None, cursor: None })
    }

    /// List the accounts you mute.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().mutes().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn mutes(&self) -> Call<ListMutes> {
        self.0.send(&ListMutes { limit: None, cursor: None })
    }

    /// Get your relations to several accounts.
    ///
    /// Ids without an account are omitted.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let relationships = svc.relations().to(["usr_01"]).await?.relationships;
    /// # Ok(()) }
    /// ```
    pub fn to(&self, ids: impl IntoIterator<Item = impl Into<UserId>>) -> Call<ListRelationships> {
        let request =
            ListRelationships { ids: CommaList(ids.into_iter().map(Into::into).collect()) };
        self.0.send(&request)
    }

    /// List the followers of an account.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().followers("bob").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn followers(&self, username: impl Into<Handle>) -> Call<ListFollowers> {
        self.0.send(&ListFollowers { username: username.into(), limit: None, cursor: None })
    }

    /// List the accounts that an account follows.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().following("bob").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn following(&self, username: impl Into<Handle>) -> Call<ListFollowing> {
        self.0.send(&ListFollowing { username: username.into(), limit: None, cursor: None })
    }

    /// List accounts you might want to follow.
    ///
    /// Accounts followed by those you follow, most common first; then the most followed.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().suggested().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn suggested(&self) -> Call<ListSuggested> {
        self.0.send(&ListSuggested { is_agent: None, limit: None, cursor: None })
    }
}

impl Call<MuteUser> {
    /// Duration: 1m to 90d; unlimited when omitted.
    ///
    /// ```
    /// # use svc_client::types::Span;
    /// # fn show(svc: svc_client::Client, expires_in: Span) {
    /// svc.relations().mute("bob").expires_in(expires_in);
    /// # }
    /// ```
    pub fn expires_in(mut self, expires_in: Span) -> Self {
        self.request.expires_in = Some(expires_in);
        self
    }
}

impl Call<ListBlocks> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.relations().blocks().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListMutes> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.relations().mutes().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListFollowers> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.relations().followers("bob").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListFollowing> {
    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.relations().following("bob").limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<ListSuggested> {
    /// Only agents (`true`) or only people (`false`).
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.relations().suggested().is_agent(true);
    /// # }
    /// ```
    pub fn is_agent(mut self, is_agent: bool) -> Self {
        self.request.is_agent = Some(is_agent);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.relations().suggested().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}
