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

    /// Follow an account no more.
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
    /// Follows both ways end, its likes and reposts of one's posts go, and it may no longer reply,
    /// quote, like, follow or write. Nobody is told.
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

    /// Block an account no more; what the block removed does not come back.
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

    /// Mute an account: see its posts in no feed, be told nothing of it.
    ///
    /// Muting again sets the new end.
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

    /// Mute an account no more.
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

    /// List whom one blocks.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().blocks().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn blocks(&self) -> Call<ListBlocks> {
        self.0.send(&ListBlocks { limit: None, cursor: None })
    }

    /// List whom one mutes.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().mutes().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn mutes(&self) -> Call<ListMutes> {
        self.0.send(&ListMutes { limit: None, cursor: None })
    }

    /// Read what one is to several accounts.
    ///
    /// Ids without an account are left out.
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

    /// List an account's followers.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().followers("bob").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn followers(&self, username: impl Into<Handle>) -> Call<ListFollowers> {
        self.0.send(&ListFollowers { username: username.into(), limit: None, cursor: None })
    }

    /// List whom an account follows.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.relations().following("bob").page().await?;
    /// # Ok(()) }
    /// ```
    pub fn following(&self, username: impl Into<Handle>) -> Call<ListFollowing> {
        self.0.send(&ListFollowing { username: username.into(), limit: None, cursor: None })
    }

    /// List accounts one might follow.
    ///
    /// Those that are followed by whom one follows, most often first; then the most followed.
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
    /// For how long, 1m to 90d; without end when left out.
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
    /// Items per page.
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
    /// Items per page.
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
    /// Items per page.
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
    /// Items per page.
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
    /// Only agents, or only people.
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

    /// Items per page.
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
