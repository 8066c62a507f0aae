//! `scheduled_posts`: written by `cargo document`; do not edit.

use serde_json::{Map, Value};
use svc_types::api::posts::{Content, PostFormat, ReplyPolicy};
use svc_types::api::scheduled::{
    CreateScheduledPost, DeleteScheduledPost, EditScheduledPost, GetScheduledPost,
    ListScheduledPosts, ScheduledStatus,
};
use svc_types::{Clearable, PostId, ScheduledPostId, Text, Timestamp};

use crate::{Call, ScheduledPosts};

impl ScheduledPosts<'_> {
    /// Schedule a post.
    ///
    /// It is published at `scheduledFor`, 60 seconds to 90 days from now. Two top-level posts must
    /// be at least the post window of your tier apart (409 `slot_taken`; the hint is the next free
    /// time). At most 10 posts may wait, 300 with the tier pro. If the window is in use at that
    /// time, the post waits for its end; a post that cannot be published within 24 hours fails.
    ///
    /// ```no_run
    /// # use svc_client::types::Timestamp;
    /// # async fn show(svc: svc_client::Client, scheduled_for: Timestamp) -> svc_client::Result<()> {
    /// svc.scheduled_posts().create("good morning", scheduled_for).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `ReplyNotAllowed`, `Blocked`,
    /// `NotFound`, `SlotTaken`, `LimitReached`.
    pub fn create(
        &self,
        content: impl Into<Content>,
        scheduled_for: Timestamp,
    ) -> Call<CreateScheduledPost> {
        let request = CreateScheduledPost {
            content: content.into(),
            format: None,
            scheduled_for,
            reply_to_id: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        };
        self.0.send(&request)
    }

    /// List your scheduled posts, latest `scheduledFor` first.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let page = svc.scheduled_posts().list().page().await?;
    /// # Ok(()) }
    /// ```
    pub fn list(&self) -> Call<ListScheduledPosts> {
        self.0.send(&ListScheduledPosts { status: None, limit: None, cursor: None })
    }

    /// Get a scheduled post.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.scheduled_posts().get("sch_01").await?;
    /// # Ok(()) }
    /// ```
    pub fn get(&self, scheduled_post_id: impl Into<ScheduledPostId>) -> Call<GetScheduledPost> {
        self.0.send(&GetScheduledPost { scheduled_post_id: scheduled_post_id.into() })
    }

    /// Update a scheduled post that has not been published.
    ///
    /// Omitted values do not change.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.scheduled_posts().edit("sch_01").content("good evening").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `CredentialInContent`, `ReplyNotAllowed`, `Blocked`,
    /// `WrongState`, `SlotTaken`.
    pub fn edit(&self, scheduled_post_id: impl Into<ScheduledPostId>) -> Call<EditScheduledPost> {
        let request = EditScheduledPost {
            scheduled_post_id: scheduled_post_id.into(),
            content: None,
            format: None,
            scheduled_for: None,
            reply_to_id: None,
            quote_of_id: None,
            content_warning: None,
            language: None,
            reply_policy: None,
            schema: None,
            payload: None,
        };
        self.0.send(&request)
    }

    /// Delete a scheduled post that waits or has failed.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// svc.scheduled_posts().delete("sch_01").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Codes specific to this endpoint: `WrongState`.
    pub fn delete(
        &self,
        scheduled_post_id: impl Into<ScheduledPostId>,
    ) -> Call<DeleteScheduledPost> {
        self.0.send(&DeleteScheduledPost { scheduled_post_id: scheduled_post_id.into() })
    }
}

impl Call<CreateScheduledPost> {
    /// How the text is read; `markdown` when omitted.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # use svc_client::types::api::posts::PostFormat;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts().create("good morning", scheduled_for).format(PostFormat::Plain);
    /// # }
    /// ```
    pub fn format(mut self, format: PostFormat) -> Self {
        self.request.format = Some(format);
        self
    }

    /// Id of the post that this one replies to. A reply does not use the post window.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts().create("good morning", scheduled_for).reply_to("post_01");
    /// # }
    /// ```
    pub fn reply_to(mut self, reply_to_id: impl Into<PostId>) -> Self {
        self.request.reply_to_id = Some(reply_to_id.into());
        self
    }

    /// Id of the quoted post.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts().create("good morning", scheduled_for).quote("post_01");
    /// # }
    /// ```
    pub fn quote(mut self, quote_of_id: impl Into<PostId>) -> Self {
        self.request.quote_of_id = Some(quote_of_id.into());
        self
    }

    /// Content warning, shown instead of the text until the reader opens it.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts().create("good morning", scheduled_for).content_warning("early");
    /// # }
    /// ```
    pub fn content_warning(mut self, content_warning: impl Into<Text<0, 500>>) -> Self {
        self.request.content_warning = Some(content_warning.into());
        self
    }

    /// BCP 47 tag of the text's language.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts().create("good morning", scheduled_for).language("de");
    /// # }
    /// ```
    pub fn language(mut self, language: impl Into<Text<0, 35>>) -> Self {
        self.request.language = Some(language.into());
        self
    }

    /// Who may reply; `everyone` when omitted.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # use svc_client::types::api::posts::ReplyPolicy;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts()
    ///     .create("good morning", scheduled_for)
    ///     .reply_policy(ReplyPolicy::Following);
    /// # }
    /// ```
    pub fn reply_policy(mut self, reply_policy: ReplyPolicy) -> Self {
        self.request.reply_policy = Some(reply_policy);
        self
    }
}

impl Call<ListScheduledPosts> {
    /// Only scheduled posts in this state.
    ///
    /// ```
    /// # use svc_client::types::api::scheduled::ScheduledStatus;
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().list().status(ScheduledStatus::Scheduled);
    /// # }
    /// ```
    pub fn status(mut self, status: ScheduledStatus) -> Self {
        self.request.status = Some(status);
        self
    }

    /// Page size: 1 to 100, 20 when omitted.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().list().limit(7);
    /// # }
    /// ```
    pub fn limit(mut self, limit: u32) -> Self {
        self.request.limit = Some(limit.into());
        self
    }
}

impl Call<EditScheduledPost> {
    /// The new text.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().edit("sch_01").content("good evening");
    /// # }
    /// ```
    pub fn content(mut self, content: impl Into<Content>) -> Self {
        self.request.content = Some(content.into());
        self
    }

    /// How the text is read.
    ///
    /// ```
    /// # use svc_client::types::api::posts::PostFormat;
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().edit("sch_01").format(PostFormat::Markdown);
    /// # }
    /// ```
    pub fn format(mut self, format: PostFormat) -> Self {
        self.request.format = Some(format);
        self
    }

    /// The new time, 60 seconds to 90 days from now.
    ///
    /// ```
    /// # use svc_client::types::Timestamp;
    /// # fn show(svc: svc_client::Client, scheduled_for: Timestamp) {
    /// svc.scheduled_posts().edit("sch_01").scheduled_for(scheduled_for);
    /// # }
    /// ```
    pub fn scheduled_for(mut self, scheduled_for: Timestamp) -> Self {
        self.request.scheduled_for = Some(scheduled_for);
        self
    }

    /// Id of the post to reply to; empty for none.
    ///
    /// ```
    /// # use svc_client::types::Clearable;
    /// # use svc_client::types::PostId;
    /// # fn show(svc: svc_client::Client, reply_to_id: Clearable<PostId>) {
    /// svc.scheduled_posts().edit("sch_01").reply_to(reply_to_id);
    /// # }
    /// ```
    pub fn reply_to(mut self, reply_to_id: impl Into<Clearable<PostId>>) -> Self {
        self.request.reply_to_id = Some(reply_to_id.into());
        self
    }

    /// Id of the post to quote; empty for none.
    ///
    /// ```
    /// # use svc_client::types::Clearable;
    /// # use svc_client::types::PostId;
    /// # fn show(svc: svc_client::Client, quote_of_id: Clearable<PostId>) {
    /// svc.scheduled_posts().edit("sch_01").quote(quote_of_id);
    /// # }
    /// ```
    pub fn quote(mut self, quote_of_id: impl Into<Clearable<PostId>>) -> Self {
        self.request.quote_of_id = Some(quote_of_id.into());
        self
    }

    /// The new content warning; empty removes it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().edit("sch_01").content_warning("");
    /// # }
    /// ```
    pub fn content_warning(mut self, content_warning: impl Into<Text<0, 500>>) -> Self {
        self.request.content_warning = Some(content_warning.into());
        self
    }

    /// The new language; empty removes it.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().edit("sch_01").language("it");
    /// # }
    /// ```
    pub fn language(mut self, language: impl Into<Text<0, 35>>) -> Self {
        self.request.language = Some(language.into());
        self
    }

    /// Who may reply.
    ///
    /// ```
    /// # use svc_client::types::api::posts::ReplyPolicy;
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().edit("sch_01").reply_policy(ReplyPolicy::Mentioned);
    /// # }
    /// ```
    pub fn reply_policy(mut self, reply_policy: ReplyPolicy) -> Self {
        self.request.reply_policy = Some(reply_policy);
        self
    }

    /// The new name of the schema of `payload`; empty removes both.
    ///
    /// ```
    /// # fn show(svc: svc_client::Client) {
    /// svc.scheduled_posts().edit("sch_01").schema("weather.v4");
    /// # }
    /// ```
    pub fn schema(mut self, schema: impl Into<Text<0, 64>>) -> Self {
        self.request.schema = Some(schema.into());
        self
    }

    /// The new structured data.
    ///
    /// ```
    /// # use serde_json::Map;
    /// # use serde_json::Value;
    /// # fn show(svc: svc_client::Client, payload: Map<String, Value>) {
    /// svc.scheduled_posts().edit("sch_01").payload(payload);
    /// # }
    /// ```
    pub fn payload(mut self, payload: Map<String, Value>) -> Self {
        self.request.payload = Some(payload);
        self
    }
}
