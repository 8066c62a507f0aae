//! Scheduled posts as they are stored, and as their author sees them.

use serde_json::{Map, Value};
use svc_store::error::{Error, Overdue, Result};
use svc_store::{row, sql, values};
use svc_types::api::posts::{PostFormat, ReplyPolicy};
use svc_types::api::scheduled::{ScheduledPost, ScheduledStatus};
use svc_types::{PostId, ScheduledPostId, Timestamp, UserId};

use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;
use crate::services::post::{Draft, read_payload};

/// A scheduled post's row.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ScheduledPostId,
    /// Who wrote it.
    pub author: UserId,
    /// The text.
    pub content: String,
    /// How the text is read.
    pub format: PostFormat,
    /// Its content warning.
    pub content_warning: Option<String>,
    /// BCP 47 tag.
    pub language: Option<String>,
    /// The post it answers.
    pub reply_to: Option<PostId>,
    /// The post it quotes.
    pub quote_of: Option<PostId>,
    /// Name of the schema of the payload.
    pub schema: Option<String>,
    /// Structured data, as JSON.
    pub payload: Option<String>,
    /// Who may reply.
    pub reply_policy: ReplyPolicy,
    /// When it will be published.
    pub scheduled_for: Timestamp,
    /// Its state.
    pub status: ScheduledStatus,
    pub(super) due_at: Option<Timestamp>,
    pub(super) expires_at: Timestamp,
    delayed_until: Option<Timestamp>,
    post: Option<PostId>,
    failure: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
}
row!(Record {
    id: "id",
    author: "author",
    content: "content",
    format: "format",
    content_warning: "content_warning",
    language: "language",
    reply_to: "reply_to",
    quote_of: "quote_of",
    schema: "schema_name",
    payload: "payload",
    reply_policy: "reply_policy",
    scheduled_for: "scheduled_for",
    status: "status",
    due_at: "due_at",
    expires_at: "expires_at",
    delayed_until: "delayed_until",
    post: "post",
    failure: "failure",
    created_at: "created_at",
    updated_at: "updated_at",
});

/// A statement that reads scheduled [`Record`]s: `select_scheduled!("where id = $1")`.
#[macro_export]
macro_rules! select_scheduled {
    ($rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::scheduled::Record::COLUMNS,
            " from scheduled_post ",
            $rest
        )
    };
}

impl Record {
    /// Whether it is overdue to be published.
    pub(super) fn is_overdue(&self, now: Timestamp) -> bool {
        self.due_at.is_some_and(|due| due <= now)
    }

    /// Its structured data.
    pub fn payload(&self) -> Result<Option<Map<String, Value>>> {
        self.payload.as_deref().map(read_payload).transpose()
    }

    /// The post it becomes; `payload` is its structured data.
    pub fn draft<'a>(&'a self, payload: Option<&'a Map<String, Value>>) -> Draft<'a> {
        Draft {
            content: &self.content,
            format: Some(&self.format),
            reply_to: self.reply_to.as_ref().map(|id| ("replyToId", id)),
            quote_of: self.quote_of.as_ref(),
            content_warning: self.content_warning.as_deref(),
            language: self.language.as_deref(),
            reply_policy: Some(&self.reply_policy),
            schema: self.schema.as_deref(),
            payload,
            media_ids: &[],
            scheduled_post: Some(&self.id),
        }
    }

    /// The same as the API returns it.
    pub fn into_api(self) -> Result<ScheduledPost> {
        Ok(ScheduledPost {
            payload: self.payload()?,
            id: self.id,
            content: self.content,
            format: self.format,
            content_warning: self.content_warning,
            language: self.language,
            reply_to_id: self.reply_to,
            quote_of_id: self.quote_of,
            reply_policy: self.reply_policy,
            schema: self.schema,
            scheduled_for: self.scheduled_for,
            status: self.status,
            delayed_until: self.delayed_until,
            post_id: self.post,
            failure: self.failure,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }
}

/// The scheduled post with this id.
pub(super) fn by_id(ctx: &mut Ctx<'_, '_>, id: &ScheduledPostId) -> Result<Option<Record>> {
    ctx.tx.optional(select_scheduled!("where id = $1"), values![id])
}

/// The caller's scheduled post with this id, else 404.
pub fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ScheduledPostId) -> Result<Record> {
    let found = by_id(ctx, id)?.filter(|record| record.author == caller.id);
    let record = found.ok_or_else(|| Error::not_found("scheduled post"))?;
    if record.is_overdue(ctx.now()) {
        // Earlier posts of the account that are due are published first.
        return Err(Error::Overdue(Overdue::Account(record.author)));
    }
    Ok(record)
}

/// Serializes changes of an account's scheduled posts: scheduling, editing and publishing lock this
/// row.
pub fn lock_author(ctx: &mut Ctx<'_, '_>, author: &UserId) -> Result<()> {
    account::lock(ctx, author)
}

/// Deletes all scheduled posts of an account that is deleted.
pub fn forget(ctx: &mut Ctx<'_, '_>, author: &UserId) -> Result<()> {
    ctx.tx.execute(sql!("delete from scheduled_post where author = $1"), values![author])?;
    Ok(())
}
