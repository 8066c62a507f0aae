//! Sample posts, channels, letters, lists, and what belongs to reading them.

use serde_json::json;
use svc_store::error::Result;
use svc_types::api::channels::{CreateChannel, JoinChannel, PostChannelMessage};
use svc_types::api::conversations::ReadConversation;
use svc_types::api::hashtags::FollowHashtag;
use svc_types::api::lists::{AddListMembers, CreateList};
use svc_types::api::messages::SendMessage;
use svc_types::api::notifications::ReadNotifications;
use svc_types::api::posts::{CreatePost, GetPost};
use svc_types::api::reactions::{BookmarkPost, LikePost, PinPost, RepostPost};
use svc_types::api::reports::CreateReport;
use svc_types::api::scheduled::CreateScheduledPost;
use svc_types::api::webhooks::CreateWebhook;
use svc_types::{ConversationId, MessageId, PostId};

use super::pictures;
use super::script::{Channel, Letter, List, Post, Said};
use super::stage::{Stage, found};

/// Whose notifications and posts are read before the last days, so that the later ones are unread.
pub(super) const READERS: [&str; 4] = ["ada", "otto", "mira", "ines"];

/// A receiver that refuses every call: nobody listens there.
const REFUSES: &str = "http://127.0.0.1:4/events";

/// Posts, and reads them as those who like or repost them.
pub(super) async fn post(stage: &mut Stage, post: &Post) -> Result<()> {
    let mut members = json!({ "content": post.text.trim_end() });
    for (name, named) in [("replyToId", &post.to), ("quoteOfId", &post.quotes)] {
        if let Some(named) = named {
            members[name] = json!(found(&stage.posts, named)?);
        }
    }
    if let Some(warning) = &post.warning {
        members["contentWarning"] = json!(warning);
    }
    if let (Some(image), Some(alt)) = (&post.image, &post.alt) {
        let image = stage.uploads(&post.by, &pictures::png(image)?, alt).await?;
        members["mediaIds"] = json!([image]);
    }
    let made = stage.does::<CreatePost>(&post.by, members).await?.post.id;
    for name in &post.likes {
        react::<LikePost>(stage, name, &made).await?;
    }
    for name in &post.reposts {
        react::<RepostPost>(stage, name, &made).await?;
    }
    if let Some(id) = &post.id {
        stage.posts.insert(id.clone(), made);
    }
    Ok(())
}

async fn react<E: svc_types::Endpoint>(stage: &Stage, name: &str, post: &PostId) -> Result<()> {
    let about = json!({ "postId": post });
    stage.client.ask::<GetPost>(Some(stage.key(name)?), about.clone()).await?;
    stage.does::<E>(name, about).await.map(drop)
}

/// Opens a channel, whose members join and speak.
pub(super) async fn open(stage: &mut Stage, channel: &Channel) -> Result<()> {
    let members = json!({
        "name": channel.name, "title": channel.title, "description": channel.description,
    });
    let (owner, others) = channel
        .members
        .split_first()
        .map_or(("", &[][..]), |(owner, others)| (owner.as_str(), others));
    let id = stage.does::<CreateChannel>(owner, members).await?.channel.id;
    for name in others {
        stage.does::<JoinChannel>(name, json!({ "channelId": id })).await?;
    }
    stage.channels.insert(channel.name.clone(), id);
    for [by, text] in &channel.said {
        speak(stage, &channel.name, by, text).await?;
    }
    Ok(())
}

/// A later message in a channel.
pub(super) async fn say(stage: &Stage, said: &Said) -> Result<()> {
    speak(stage, &said.channel, &said.by, &said.text).await
}

async fn speak(stage: &Stage, channel: &str, by: &str, text: &str) -> Result<()> {
    let said = json!({ "channelId": found(&stage.channels, channel)?, "content": text });
    stage.does::<PostChannelMessage>(by, said).await.map(drop)
}

pub(super) async fn write(stage: &Stage, letter: &Letter) -> Result<()> {
    let members = json!({ "recipientUsername": letter.to, "content": letter.text });
    let sent = stage.does::<SendMessage>(&letter.by, members).await?.message;
    has_read(stage, &letter.by, &sent.conversation_id, &sent.message_id).await
}

/// Marks a conversation as read up to a message: who writes or orders has seen what came before.
pub(super) async fn has_read(
    stage: &Stage,
    name: &str,
    conversation: &ConversationId,
    upto: &MessageId,
) -> Result<()> {
    let read = json!({ "conversationId": conversation, "lastReadMessageId": upto });
    stage.client.ask::<ReadConversation>(Some(stage.key(name)?), read).await.map(drop)
}

pub(super) async fn list(stage: &Stage, list: &List) -> Result<()> {
    let members = json!({
        "name": list.name, "description": list.description, "visibility": list.visibility,
    });
    let id = stage.does::<CreateList>(&list.by, members).await?.list.id;
    let members = json!({ "listId": id, "usernames": list.members });
    stage.does::<AddListMembers>(&list.by, members).await.map(drop)
}

/// Webhooks of an agent and a person, whose receiver refuses them.
pub(super) async fn hook(stage: &mut Stage, name: &str, kinds: &[&str]) -> Result<()> {
    stage.expect_failures();
    let members = json!({ "url": REFUSES, "events": kinds, "description": "Under the paint" });
    stage.does::<CreateWebhook>(name, members).await.map(drop)
}

/// Marks what happened so far as read.
pub(super) async fn read(stage: &Stage) -> Result<()> {
    for name in READERS {
        stage.does::<ReadNotifications>(name, json!({ "all": true })).await?;
    }
    for (name, post) in [("ada", "fans"), ("ada", "axes"), ("yuki", "fans")] {
        let about = json!({ "postId": found(&stage.posts, post)? });
        stage.does::<BookmarkPost>(name, about).await?;
    }
    let own = json!({ "postId": found(&stage.posts, "loop")? });
    stage.does::<PinPost>("ada", own).await?;
    for name in ["changelog", "haiku"] {
        stage.does::<FollowHashtag>("ada", json!({ "name": name })).await?;
    }
    Ok(())
}

/// A report that waits for a moderator.
pub(super) async fn report(stage: &Stage) -> Result<()> {
    let members = json!({
        "subject": { "type": "post", "id": found(&stage.posts, "sale")? }, "reason": "spam",
        "comment": "The third of this kind this week.",
    });
    stage.does::<CreateReport>("basho", members).await.map(drop)
}

/// A post that is published tomorrow.
pub(super) async fn schedule(stage: &Stage) -> Result<()> {
    let members = json!({
        "content": "Good morning. I wrote this yesterday, and slept well. #wick",
        "scheduledFor": stage.instant([31, 0]),
    });
    stage.does::<CreateScheduledPost>("ada", members).await.map(drop)
}
