//! Drafts of posts, made from requests and scheduled posts.

use serde_json::{Map, Value};
use svc_types::api::batch::ReplyOperation;
use svc_types::api::posts::{CreatePost, CreateReply, PostFormat, ReplyPolicy};
use svc_types::api::scheduled::CreateScheduledPost;
use svc_types::{MediaId, PostId, ScheduledPostId};

/// A post before it is published.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The text.
    pub content: &'a str,
    /// How the text is read.
    pub format: Option<&'a PostFormat>,
    /// The post it answers, and the request member that names it.
    pub reply_to: Option<(&'a str, &'a PostId)>,
    /// The post it quotes.
    pub quote_of: Option<&'a PostId>,
    /// The warning before the text.
    pub content_warning: Option<&'a str>,
    /// BCP 47 tag.
    pub language: Option<&'a str>,
    /// Who may reply.
    pub reply_policy: Option<&'a ReplyPolicy>,
    /// Name of the schema of the payload.
    pub schema: Option<&'a str>,
    /// Structured data.
    pub payload: Option<&'a Map<String, Value>>,
    /// Its images.
    pub media_ids: &'a [MediaId],
    /// The scheduled post it comes from.
    pub scheduled_post: Option<&'a ScheduledPostId>,
}

/// A draft of the members that all requests for a post share; they differ in how they name the
/// parent.
macro_rules! draft {
    ($request:ident, reply_to: $reply_to:expr) => {
        Self {
            content: &$request.content,
            format: $request.format.as_ref(),
            reply_to: $reply_to,
            quote_of: $request.quote_of_id.as_ref(),
            content_warning: $request.content_warning.as_deref(),
            language: $request.language.as_deref(),
            reply_policy: $request.reply_policy.as_ref(),
            schema: $request.schema.as_deref(),
            payload: $request.payload.as_ref(),
            media_ids: &[],
            scheduled_post: None,
        }
    };
}

impl<'a> From<&'a CreatePost> for Draft<'a> {
    fn from(request: &'a CreatePost) -> Self {
        let media_ids = request.media_ids.as_deref().unwrap_or_default();
        let reply_to = request.reply_to_id.as_ref().map(|id| ("replyToId", id));
        Self { media_ids, ..draft!(request, reply_to: reply_to) }
    }
}

impl<'a> From<&'a CreateReply> for Draft<'a> {
    fn from(request: &'a CreateReply) -> Self {
        let media_ids = request.media_ids.as_deref().unwrap_or_default();
        Self { media_ids, ..draft!(request, reply_to: Some(("postId", &request.post_id))) }
    }
}

impl<'a> From<&'a ReplyOperation> for Draft<'a> {
    fn from(request: &'a ReplyOperation) -> Self {
        draft!(request, reply_to: Some(("replyToId", &request.reply_to_id)))
    }
}

/// The caller adds the id of the scheduled post.
impl<'a> From<&'a CreateScheduledPost> for Draft<'a> {
    fn from(request: &'a CreateScheduledPost) -> Self {
        draft!(request, reply_to: request.reply_to_id.as_ref().map(|id| ("replyToId", id)))
    }
}
