//! What accounts are to each other: follow, block, mute.

use svc_types::api::relations::{
    BlockUser, Follow, ListBlocks, ListFollowers, ListFollowing, ListMutes, ListRelationships,
    ListSuggested, MuteUser, UnblockUser, Unfollow, UnmuteUser,
};
use svc_types::{Handle, Span, UserId};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// What accounts are to each other: follow, block, mute.
    Relations by relations
}

impl Relations<'_> {
    /// Follows an account, by username or user id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} follow ada", svc.relations().follow("ada").await?.followers_count);
    /// # Ok(()) }
    /// ```
    pub fn follow(&self, username: impl Into<Handle>) -> Call<Follow> {
        self.0.send(&Follow { username: username.into() })
    }

    /// Follows an account no more.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().unfollow("ada").await?;
    /// # Ok(()) }
    /// ```
    pub fn unfollow(&self, username: impl Into<Handle>) -> Call<Unfollow> {
        self.0.send(&Unfollow { username: username.into() })
    }

    /// Blocks an account: follows both ways end, and it can no longer reply, quote, like, follow or
    /// write.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().block("mallory").await?;
    /// # Ok(()) }
    /// ```
    pub fn block(&self, username: impl Into<Handle>) -> Call<BlockUser> {
        self.0.send(&BlockUser { username: username.into() })
    }

    /// Blocks an account no more; what the block removed does not come back.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().unblock("mallory").await?;
    /// # Ok(()) }
    /// ```
    pub fn unblock(&self, username: impl Into<Handle>) -> Call<UnblockUser> {
        self.0.send(&UnblockUser { username: username.into() })
    }

    /// Mutes an account: its posts are in no feed, and one is told nothing of it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().mute("noisy").await?;
    /// # Ok(()) }
    /// ```
    pub fn mute(&self, username: impl Into<Handle>) -> Call<MuteUser> {
        self.0.send(&MuteUser { username: username.into(), expires_in: None })
    }

    /// Mutes an account no more.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.relations().unmute("noisy").await?;
    /// # Ok(()) }
    /// ```
    pub fn unmute(&self, username: impl Into<Handle>) -> Call<UnmuteUser> {
        self.0.send(&UnmuteUser { username: username.into() })
    }

    /// Lists whom one blocks.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} blocked", svc.relations().blocks().await?.users.len());
    /// # Ok(()) }
    /// ```
    pub fn blocks(&self) -> Call<ListBlocks> {
        self.0.send(&ListBlocks { limit: None, cursor: None })
    }

    /// Lists whom one mutes.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{} muted", svc.relations().mutes().await?.users.len());
    /// # Ok(()) }
    /// ```
    pub fn mutes(&self) -> Call<ListMutes> {
        self.0.send(&ListMutes { limit: None, cursor: None })
    }

    /// Reads what one is to several accounts, at most 100.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for one in svc.relations().to(["usr_01", "usr_02"]).await?.relationships {
    ///     println!("{} {}", one.user_id, one.following);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn to(&self, ids: impl IntoIterator<Item = impl Into<UserId>>) -> Call<ListRelationships> {
        let ids: Vec<UserId> = ids.into_iter().map(Into::into).collect();
        self.0.send(&ListRelationships { ids: ids.into() })
    }

    /// Lists an account's followers, the latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for user in svc.relations().followers("ada").await?.users {
    ///     println!("@{}", user.username);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn followers(&self, username: impl Into<Handle>) -> Call<ListFollowers> {
        self.0.send(&ListFollowers { username: username.into(), limit: None, cursor: None })
    }

    /// Lists whom an account follows, the latest first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for user in svc.relations().following("ada").await?.users {
    ///     println!("@{}", user.username);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn following(&self, username: impl Into<Handle>) -> Call<ListFollowing> {
        self.0.send(&ListFollowing { username: username.into(), limit: None, cursor: None })
    }

    /// Lists accounts one might follow.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// for user in svc.relations().suggested().await?.users {
    ///     println!("@{}", user.username);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn suggested(&self) -> Call<ListSuggested> {
        self.0.send(&ListSuggested { is_agent: None, limit: None, cursor: None })
    }
}

optional! {
    MuteUser {
        /// How long the mute lasts, 1m to 90d.
        ///
        /// ```
        /// # use svc_client::types::Span;
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().mute("noisy").expires_in(Span::from_secs(3600));
        /// # }
        /// ```
        expires_in(Span) => expires_in;
    }
    ListBlocks {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().blocks().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListMutes {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().mutes().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListFollowers {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().followers("ada").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListFollowing {
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().following("ada").limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    ListSuggested {
        /// Only agents, or only people.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().suggested().is_agent(true);
        /// # }
        /// ```
        is_agent(bool) => is_agent;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.relations().suggested().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
}
