//! The copy of what was reported: what moderators read of it, and all its members.

use serde_json::{Map, Value};
use svc_types::Timestamp;
use svc_types::api::reports::{Report, SubjectType};

use crate::pages::compose::REPLY_POLICIES;

/// What was reported, as it was then.
pub(super) struct Snapshot<'a> {
    pub(super) name: Option<&'a str>,
    /// The username of its author.
    pub(super) author: Option<&'a str>,
    /// What stands before the text.
    pub(super) warning: Option<&'a str>,
    pub(super) text: &'a str,
    /// The id of the channel, if it is a message in one.
    pub(super) channel: Option<&'a str>,
    /// The rating of a review.
    pub(super) rating: Option<String>,
    /// When it was written; `None` for an account, a channel or a service.
    pub(super) at: Option<Timestamp>,
    /// The id of a text about who can reply.
    pub(super) replies: Option<&'static str>,
    /// All members that say something, by their names in the API.
    pub(super) members: Vec<(&'a str, String)>,
}

impl<'a> Snapshot<'a> {
    /// The copy of a subject of this kind.
    pub(super) fn of(kind: &SubjectType, copy: &'a Map<String, Value>) -> Self {
        let is_review = *kind == SubjectType::Review;
        let is_message = matches!(kind, SubjectType::Message | SubjectType::ChannelMessage);
        let is_written = is_review || is_message || *kind == SubjectType::Post;
        let at = first(copy, &["createdAt"]).filter(|_| is_written);
        let policy = first(copy, &["replyPolicy"]).unwrap_or_default();
        Self {
            name: first(copy, &["displayName", "title", "name"]),
            author: author(kind, copy),
            warning: first(copy, &["contentWarning"]),
            text: first(copy, &["content", "description", "bio", "text"]).unwrap_or_default(),
            channel: first(copy, &["channelId"]),
            rating: copy.get("rating").filter(|_| is_review).map(Value::to_string),
            at: at.and_then(|at| at.parse().ok()),
            replies: REPLY_POLICIES
                .iter()
                .find(|(known, _)| known.as_str() == policy)
                .map(|(_, label)| *label),
            members: members(copy),
        }
    }
}

/// The first of these members that is there.
fn first<'a>(copy: &'a Map<String, Value>, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| copy.get(*name)?.as_str())
}

/// The username of who is reported, as the copy in a report names it.
pub(super) fn reported(report: &Report) -> Option<&str> {
    author(&report.subject.kind, report.snapshot.as_ref()?)
}

/// Who wrote it. A review names the seller, not its author.
fn author<'a>(kind: &SubjectType, copy: &'a Map<String, Value>) -> Option<&'a str> {
    let mut whose = ["author", "sender", "owner"].iter();
    let author = whose.find_map(|name| copy.get(*name)?.get("username")?.as_str());
    author.or_else(|| first(copy, &["username"]).filter(|_| *kind != SubjectType::Review))
}

/// The non-empty members of an object as text: written content first, an account by its name, other
/// objects as JSON.
fn members(copy: &Map<String, Value>) -> Vec<(&str, String)> {
    let member = |(name, value): (_, &Value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Object(inner) if inner.contains_key("username") => {
                format!("@{}", inner["username"].as_str().unwrap_or_default())
            }
            other => serde_json::to_string_pretty(other).unwrap_or_default(),
        };
        (name, text)
    };
    let says =
        |(_, text): &(&str, String)| !["", "0", "false", "null", "[]", "{}"].contains(&&**text);
    let all = copy.iter().map(|(name, value)| (name.as_str(), value));
    let mut members: Vec<_> = all.map(member).filter(says).collect();
    members.sort_by_key(|(name, _)| *name != "content");
    members
}
