//! Posts that are published later by themselves.

use serde_json::{Map, Value};
use svc_types::api::posts::{Content, ReplyPolicy};
use svc_types::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, EditScheduledPost, GetScheduledPost,
    ListScheduledPosts, ScheduledStatus,
};
use svc_types::{Clearable, PostId, ScheduledPostId, Text, Timestamp};

use crate::call::Call;
use crate::group::{group, optional};

group! {
    /// Posts that are published later by themselves.
    ScheduledPosts by scheduled_posts
}

impl ScheduledPosts<'_> {
    /// Schedules a post, 60 seconds to 90 days ahead.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let at = "2026-12-01T09:00:00Z".parse().expect("a time");
    /// let scheduled = svc.scheduled_posts().create("good morning", at).await?.scheduled_post;
    /// println!("{} at {}", scheduled.id, scheduled.scheduled_for);
    /// # Ok(()) }
    /// ```
    pub fn create(
        &self,
        content: impl Into<Content>,
        scheduled_for: Timestamp,
    ) -> Call<CreateScheduledPost> {
        self.0.send(&CreateScheduledPost {
            content: content.into(),
            scheduled_for,
            reply_to_id: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        })
    }

    /// Lists one's own scheduled posts, latest time first.
    ///
    /// ```no_run
    /// # use svc_client::types::api::scheduled::ScheduledStatus;
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let waiting = svc.scheduled_posts().list().status(ScheduledStatus::Scheduled);
    /// for scheduled in waiting.page().await?.items {
    ///     println!("{} at {}", scheduled.id, scheduled.scheduled_for);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListScheduledPosts> {
        self.0.send(&ListScheduledPosts { status: None, limit: None, cursor: None })
    }

    /// Reads a scheduled post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{}", svc.scheduled_posts().get("sch_01").await?.scheduled_post.status);
    /// # Ok(()) }
    /// ```
    pub fn get(&self, id: impl Into<ScheduledPostId>) -> Call<GetScheduledPost> {
        self.0.send(&GetScheduledPost { scheduled_post_id: id.into() })
    }

    /// Changes one that still waits; members that are not named stay as they are.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.scheduled_posts().edit("sch_01").content("good evening").await?;
    /// # Ok(()) }
    /// ```
    pub fn edit(&self, id: impl Into<ScheduledPostId>) -> Call<EditScheduledPost> {
        self.0.send(&EditScheduledPost {
            scheduled_post_id: id.into(),
            content: None,
            scheduled_for: None,
            reply_to_id: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        })
    }

    /// Deletes one that waits or has failed.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.scheduled_posts().delete("sch_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn delete(&self, id: impl Into<ScheduledPostId>) -> Call<DeleteScheduledPost> {
        self.0.send(&DeleteScheduledPost { scheduled_post_id: id.into() })
    }
}

optional! {
    CreateScheduledPost {
        /// Answers a post; a reply takes no slot.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.scheduled_posts().create("good morning", at).reply_to("post_01");
        /// # }
        /// ```
        reply_to(impl Into<PostId>) => reply_to_id;
        /// Quotes a post.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.scheduled_posts().create("good morning", at).quote("post_01");
        /// # }
        /// ```
        quote(impl Into<PostId>) => quote_of_id;
        /// Shown instead of the text until the reader asks for it.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.scheduled_posts().create("good morning", at).content_warning("noise");
        /// # }
        /// ```
        content_warning(impl Into<Text<0, 500>>) => content_warning;
        /// BCP 47 tag of the text's language.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.scheduled_posts().create("good morning", at).language("en");
        /// # }
        /// ```
        language(impl Into<Text<0, 35>>) => language;
        /// Who may reply.
        ///
        /// ```
        /// # use svc_client::types::api::posts::ReplyPolicy;
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.scheduled_posts().create("good morning", at).reply_policy(ReplyPolicy::None);
        /// # }
        /// ```
        reply_policy(ReplyPolicy) => reply_policy;
    }
    ListScheduledPosts {
        /// Only those in this state.
        ///
        /// ```
        /// # use svc_client::types::api::scheduled::ScheduledStatus;
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().list().status(ScheduledStatus::Failed);
        /// # }
        /// ```
        status(ScheduledStatus) => status;
        /// Items per page, 1 to 100.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().list().limit(100);
        /// # }
        /// ```
        limit(u32) => limit;
    }
    EditScheduledPost {
        /// The new text.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").content("corrected");
        /// # }
        /// ```
        content(impl Into<Content>) => content;
        /// The new time.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client, at: svc_client::types::Timestamp) {
        /// svc.scheduled_posts().edit("sch_01").scheduled_for(at);
        /// # }
        /// ```
        scheduled_for(Timestamp) => scheduled_for;
        /// The post it answers from now on; `Clearable(None)` for none.
        ///
        /// ```
        /// # use svc_client::types::PostId;
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").reply_to(PostId::from("post_01"));
        /// # }
        /// ```
        reply_to(impl Into<Clearable<PostId>>) => reply_to_id;
        /// The post it quotes from now on; `Clearable(None)` for none.
        ///
        /// ```
        /// # use svc_client::types::Clearable;
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").quote(Clearable(None));
        /// # }
        /// ```
        quote(impl Into<Clearable<PostId>>) => quote_of_id;
        /// The new warning; empty removes it.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").content_warning("");
        /// # }
        /// ```
        content_warning(impl Into<Text<0, 500>>) => content_warning;
        /// The new language; empty removes it.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").language("fr");
        /// # }
        /// ```
        language(impl Into<Text<0, 35>>) => language;
        /// Who may reply.
        ///
        /// ```
        /// # use svc_client::types::api::posts::ReplyPolicy;
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").reply_policy(ReplyPolicy::None);
        /// # }
        /// ```
        reply_policy(ReplyPolicy) => reply_policy;
        /// The new name of the form of the payload; empty removes both.
        ///
        /// ```
        /// # fn show(svc: svc_client::Client) {
        /// svc.scheduled_posts().edit("sch_01").schema("");
        /// # }
        /// ```
        schema(impl Into<Text<0, 64>>) => schema;
        /// The new typed data for programs.
        ///
        /// ```
        /// # use serde_json::{Map, Value};
        /// # fn show(svc: svc_client::Client, payload: Map<String, Value>) {
        /// svc.scheduled_posts().edit("sch_01").payload(payload);
        /// # }
        /// ```
        payload(Map<String, Value>) => payload;
    }
}
