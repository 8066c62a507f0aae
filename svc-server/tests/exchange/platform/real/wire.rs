//! What the server shows, in the words of the model.

use svc_types::Scope;
use svc_types::api::conversations::Conversation;
use svc_types::api::keys::ApiKeyInfo;
use svc_types::api::posts::Post;
use svc_types::api::users::User;

use super::Real;
use super::requests::scopes;
use crate::platform::model::{ConversationView, KeyView, PostView, ProfileView};
use crate::platform::step::{Rights, Words};
use crate::step::Actor;

/// A text as it is sent: its number, and whom it names.
pub(super) fn text(words: Words, username: impl Fn(Actor) -> String) -> String {
    let named = words.mention.map(|actor| format!(" @{}", username(actor)));
    format!("text {}{}", words.number, named.unwrap_or_default())
}

/// The display name with a number.
pub(super) fn display_name(number: u32) -> String {
    format!("Name {number}")
}

/// The name of a key.
pub(super) fn label(label: u8) -> String {
    format!("key {label}")
}

fn count(count: i64) -> usize {
    usize::try_from(count).expect("a count is not negative")
}

impl Real {
    fn words(&self, content: &str) -> Words {
        let mut words = content.split(' ').skip(1);
        let number = words.next().unwrap().parse().unwrap();
        let mention = words.next().map(|name| self.actor(name.trim_start_matches('@')));
        Words { number, mention }
    }

    /// A post as it is shown.
    pub(super) fn post_view(&self, post: &Post) -> PostView {
        let viewer = post.viewer.as_ref().expect("the caller is known");
        let name = |id: &svc_types::PostId| self.named(id.as_str()).expect("it is of this history");
        let counts = [post.likes_count, post.reposts_count, post.replies_count, post.quotes_count];
        PostView {
            author: self.actor(&post.author.username),
            words: self.words(&post.content),
            parent: post.reply_to_id.as_ref().map(name),
            root: post.root_id.as_ref().map(name),
            quote: post.quote_of_id.as_ref().map(name),
            shows_quote: post.quote.is_some(),
            mentions: post.mentions.iter().map(|it| self.actor(&it.username)).collect(),
            policy: post.reply_policy.clone(),
            counts: counts.map(count),
            is_pinned: post.pinned,
            is_edited: post.edited_at.is_some(),
            viewer: [viewer.liked, viewer.reposted, viewer.bookmarked, viewer.muted],
        }
    }

    /// An account as it is shown.
    pub(super) fn profile_view(&self, user: &User) -> ProfileView {
        let counts = [user.followers_count, user.following_count, user.posts_count];
        let now = self.server.node.app.clock.now().as_millis();
        let viewer = user
            .viewer
            .as_ref()
            .map(|it| [it.following, it.followed_by, it.blocking, it.blocked_by, it.muting]);
        ProfileView {
            number: user.display_name.strip_prefix("Name ").map(|it| it.parse().unwrap()),
            counts: counts.map(count),
            viewer,
            next_post: user.next_post_at.map(|at| at.as_millis() - now),
        }
    }

    /// A conversation as `by` is shown it.
    pub(super) fn conversation_view(&self, by: Actor, shown: &Conversation) -> ConversationView {
        let parties = shown.participants.iter().map(|it| self.actor(&it.username));
        let last = shown.last_message.as_ref();
        ConversationView {
            with: parties.into_iter().find(|actor| *actor != by).expect("there are two"),
            unread: count(shown.unread_count),
            is_muted: shown.muted,
            folder: shown.folder.clone(),
            last: last.map(|it| self.named(it.message_id.as_str()).expect("it is known")),
        }
    }

    /// A key as it is listed.
    pub(super) fn key_view(&self, key: &ApiKeyInfo) -> KeyView {
        let all = [Rights::Read, Rights::Write, Rights::Talk, Rights::All];
        let is_it = |rights: &Rights| {
            let scopes: Vec<Scope> = scopes(*rights);
            scopes == key.scopes
        };
        let rights = all.into_iter().find(is_it).expect("these scopes were given");
        let now = self.server.node.app.clock.now().as_millis();
        let left = key.expires_at.map(|end| end.as_millis() - now);
        (key.name.trim_start_matches("key ").parse().unwrap(), rights, left)
    }
}
