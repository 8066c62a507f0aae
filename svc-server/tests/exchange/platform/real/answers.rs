//! The answers to calls: what is kept of them, and whether they say what the model says.

use serde_json::Value;
use svc_types::api::auth::{NewApiKey, Registered};
use svc_types::api::conversations::ConversationEnvelope;
use svc_types::api::keys::CreatedApiKey;
use svc_types::api::messages::MessageEnvelope;
use svc_types::api::orders::OrderEnvelope;
use svc_types::api::posts::{Post, PostEnvelope};
use svc_types::api::users::UpdatedUser;

use super::{Made, Real};
use crate::calls::Answer;
use crate::platform::model::{Model, PostView};
use crate::platform::step::{Call, Reaction, Relation, Signer, Talk};
use crate::step::{Actor, Name};

fn read<T: serde::de::DeserializeOwned>(answer: &Answer) -> T {
    serde_json::from_str(&answer.body).unwrap()
}

/// The post that an answer shows.
pub(super) fn post(answer: &Answer) -> Post {
    read::<PostEnvelope>(answer).post
}

/// The id of the message that was sent.
pub(super) fn message_id(call: &Call, answer: &Answer) -> String {
    if matches!(call, Call::Order(new) if new.by_endpoint) {
        return read::<OrderEnvelope>(answer).order.id.to_string();
    }
    read::<MessageEnvelope>(answer).message.message_id.to_string()
}

impl Real {
    pub(super) fn note_key(&mut self, who: Actor, answer: &Answer) {
        let registered: Registered = read(answer);
        assert_eq!(registered.user.username, self.username(who));
        self.keys.insert(who, registered.api_key.expose().to_owned());
    }

    pub(super) fn note_regenerated(&mut self, by: Signer, answer: &Answer) {
        let new: NewApiKey = read(answer);
        let owner = self.owner(by).unwrap();
        let former = self.keys.insert(owner, new.api_key.expose().to_owned());
        self.former.extend(former.map(|key| (owner, key)));
    }

    pub(super) fn note_made(&mut self, by: Signer, name: Name, answer: &Answer) {
        let made: CreatedApiKey = read(answer);
        let owner = self.owner(by).unwrap();
        let secret = made.api_key.expose().to_owned();
        self.made.insert(name, Made { owner, secret, key_id: made.key.key_id });
    }

    /// A success reports the new state.
    pub(super) fn compare_answer(
        &self,
        (by, call): (Signer, &Call),
        answer: &Answer,
        model: &Model,
    ) {
        let Some(who) = self.owner(by) else { return };
        match call {
            Call::Profile { .. } => {
                let found = self.profile_view(&read::<UpdatedUser>(answer).user);
                assert_eq!(found, model.profile_view(who, who), "the changed profile");
            }
            Call::Post(new) => self.compare_post(who, new.name, answer, model),
            Call::Edit { post, .. } => self.compare_post(who, *post, answer, model),
            Call::React { post, reaction, on } => {
                let view = model.post_view(who, *post);
                compare_members(call, answer, &reacted(*reaction, *on, &view));
            }
            Call::Relate { whom, relation, on } => {
                let followers = model.followers(*whom).len();
                compare_members(call, answer, &related(*relation, *on, followers));
            }
            Call::Message { name, client_id, .. } => {
                let sent = model.messages.get(name).map(|_| *name);
                let sent = sent.or_else(|| model.sent_before(who, *client_id));
                let found = self.named(&message_id(call, answer));
                assert_eq!(found, sent, "the message that {call:?} sends");
            }
            Call::Converse { talk: Talk::Mute(on), .. } => {
                compare_members(call, answer, &[("muted", (*on).into())]);
            }
            Call::Converse { with, .. } => self.compare_conversation(who, *with, answer, model),
            Call::ReadUpTo(name) => {
                let message = &model.messages[name];
                let with = if message.from == who { message.to } else { message.from };
                self.compare_conversation(who, with, answer, model);
            }
            Call::ReadAllNotifications => {
                compare_members(call, answer, &[("unreadCount", 0.into())]);
            }
            Call::Delete | Call::DeletePost(_) | Call::DeleteMessage(_) | Call::EndKey(_) => {
                compare_members(call, answer, &[("deleted", true.into())]);
            }
            _ => {}
        }
    }

    fn compare_post(&self, who: Actor, name: Name, answer: &Answer, model: &Model) {
        let found = self.post_view(&post(answer));
        assert_eq!(found, model.post_view(who, name), "the answered post {name:?}");
    }

    fn compare_conversation(&self, who: Actor, with: Actor, answer: &Answer, model: &Model) {
        let shown = read::<ConversationEnvelope>(answer).conversation;
        let found = Some(self.conversation_view(who, &shown));
        assert_eq!(found, model.conversation_view(who, with), "{who:?}'s conversation");
    }
}

fn compare_members(call: &Call, answer: &Answer, expected: &[(&str, Value)]) {
    let body: Value = read(answer);
    for (member, value) in expected {
        assert_eq!(body[member], *value, "{member} of the answer to {call:?}: {}", answer.body);
    }
}

/// What the answer to a reaction says.
fn reacted(reaction: Reaction, on: bool, view: &PostView) -> Vec<(&'static str, Value)> {
    let [likes, reposts, ..] = view.counts;
    match reaction {
        Reaction::Like => vec![("liked", on.into()), ("likesCount", likes.into())],
        Reaction::Repost => vec![("reposted", on.into()), ("repostsCount", reposts.into())],
        Reaction::Bookmark => vec![("bookmarked", on.into())],
        Reaction::Pin => vec![("pinned", on.into())],
        Reaction::Mute => vec![("muted", on.into())],
    }
}

/// What the answer to a changed relation says.
fn related(relation: Relation, on: bool, followers: usize) -> Vec<(&'static str, Value)> {
    match relation {
        Relation::Follow => vec![("following", on.into()), ("followersCount", followers.into())],
        Relation::Block => vec![("blocking", on.into())],
        Relation::Mute(_) => vec![("muting", on.into())],
    }
}
