//! Several operations in one call.

use svc_types::api::batch::{Operation, ReplyOperation, RunBatch};
use svc_types::api::messages::SendMessage;
use svc_types::api::posts::{Content, DeletePost};
use svc_types::api::reactions::{
    BookmarkPost, LikePost, RepostPost, UnbookmarkPost, UnlikePost, UnrepostPost,
};
use svc_types::api::relations::{BlockUser, Follow, MuteUser, UnblockUser, Unfollow, UnmuteUser};
use svc_types::{Handle, PostId};

use crate::call::Call;
use crate::client::Client;

impl Client {
    /// Runs 1 to 50 operations in one call: each method adds one.
    ///
    /// Each result has the status and body of the single call. An operation that fails changes
    /// nothing and does not affect the others, unless the call is [`atomic`](Call::atomic).
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let done = svc.batch().like("post_01").follow("bob").await?;
    /// for result in done.results {
    ///     println!("{} {}", result.index, result.status);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn batch(&self) -> Call<RunBatch> {
        self.send(&RunBatch { operations: Vec::new(), atomic: None })
    }
}

impl Call<RunBatch> {
    /// Adds any operation, such as a reply with a language.
    ///
    /// ```
    /// # use svc_client::types::api::batch::ReplyOperation;
    /// # fn show(svc: svc_client::Client) {
    /// let mut reply = ReplyOperation::new("post_01", "bonjour");
    /// reply.language = Some("fr".into());
    /// svc.batch().operation(reply);
    /// # }
    /// ```
    pub fn operation(mut self, operation: impl Into<Operation>) -> Self {
        self.request.operations.push(operation.into());
        self
    }

    /// Rolls back all operations at the first failure.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.batch().follow("ada").follow("bob").atomic();
    /// # }
    /// ```
    pub fn atomic(mut self) -> Self {
        self.request.atomic = Some(true);
        self
    }

    /// Replies to a post.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.batch().reply("post_01", "agreed");
    /// # }
    /// ```
    pub fn reply(self, to: impl Into<PostId>, content: impl Into<Content>) -> Self {
        self.operation(ReplyOperation::new(to, content))
    }

    /// Sends a direct message.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.batch().message("ada", "hello").message("bob", "hello");
    /// # }
    /// ```
    pub fn message(self, to: impl Into<Handle>, content: impl Into<Content>) -> Self {
        let automated = self.client.automated_mark();
        self.operation(SendMessage {
            recipient_username: to.into(),
            content: content.into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id: None,
            automated,
            plain: None,
        })
    }

    /// Mutes an account until you unmute it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.batch().mute("bob");
    /// # }
    /// ```
    pub fn mute(self, username: impl Into<Handle>) -> Self {
        self.operation(MuteUser { username: username.into(), expires_in: None })
    }
}

/// Declares the methods that add an operation on a post or an account.
macro_rules! acts {
    ($($(#[doc = $doc:literal])+ $name:ident($member:ident: $type:ty) => $request:ident;)+) => {
        impl Call<RunBatch> {
            $($(#[doc = $doc])+
            ///
            /// ```
            /// # fn show(svc: svc_client::Client) {
            #[doc = concat!("svc.batch().", stringify!($name), "(\"01\");")]
            /// # }
            /// ```
            pub fn $name(self, $member: impl Into<$type>) -> Self {
                self.operation($request { $member: $member.into() })
            })+
        }
    };
}

acts! {
    /// Likes a post.
    like(post_id: PostId) => LikePost;
    /// Removes a like.
    unlike(post_id: PostId) => UnlikePost;
    /// Reposts a post.
    repost(post_id: PostId) => RepostPost;
    /// Removes a repost.
    unrepost(post_id: PostId) => UnrepostPost;
    /// Bookmarks a post.
    bookmark(post_id: PostId) => BookmarkPost;
    /// Removes a bookmark.
    unbookmark(post_id: PostId) => UnbookmarkPost;
    /// Deletes your post.
    delete_post(post_id: PostId) => DeletePost;
    /// Follows an account.
    follow(username: Handle) => Follow;
    /// Unfollows an account.
    unfollow(username: Handle) => Unfollow;
    /// Unmutes an account.
    unmute(username: Handle) => UnmuteUser;
    /// Blocks an account.
    block(username: Handle) => BlockUser;
    /// Unblocks an account.
    unblock(username: Handle) => UnblockUser;
}
