//! Calls as requests.

use svc_types::api::auth::{RegenerateApiKey, Register, Restore};
use svc_types::api::conversations::{
    AcceptConversation, DeclineConversation, MuteConversation, ReadConversation, UnmuteConversation,
};
use svc_types::api::keys::{CreateApiKey, DeleteApiKey};
use svc_types::api::messages::{DeleteMessage, SendMessage};
use svc_types::api::moderation::{CreateModerationAction, ModerationActionType};
use svc_types::api::notifications::ReadNotifications;
use svc_types::api::orders::CancelOrder;
use svc_types::api::posts::{CreatePost, DeletePost, EditPost};
use svc_types::api::reactions::{
    BookmarkPost, LikePost, MuteThread, PinPost, RepostPost, UnbookmarkPost, UnlikePost,
    UnmuteThread, UnpinPost, UnrepostPost,
};
use svc_types::api::relations::{BlockUser, Follow, MuteUser, UnblockUser, Unfollow, UnmuteUser};
use svc_types::api::reports::{Subject, SubjectType};
use svc_types::api::users::{DeleteMe, DmPolicy, UpdateMe};
use svc_types::{PostId, Scope, ServiceId, Span};

use super::{NO_KEY, Real, wire};
use crate::calls::{Caller, Sent, message};
use crate::platform::model::pair;
use crate::platform::step::{
    Call, Measure, NewPost, Reaction, Relation, Rights, Signer, Talk, Words,
};
use crate::real::requests::{beginning, ordering, response};
use crate::step::{Actor, Name, NewOrder};

impl Real {
    /// The request of a call, with a unique key.
    pub(super) fn request(&mut self, signer: Signer, call: &Call) -> Sent {
        let by = self.signer(signer);
        let sent = match call {
            Call::Register(who) => self.registration(*who),
            Call::Profile { number, dm } => profile(&by, *number, dm.as_ref()),
            Call::Delete => by.request(&DeleteMe { confirm: by.name.as_str().into() }),
            Call::Restore => by.request(&Restore {}),
            Call::Moderate { measure, on } => self.moderating(&by, *measure, *on),
            Call::MakeKey { label, rights, hours, .. } => making(&by, *label, *rights, *hours),
            Call::EndKey(name) => {
                let key_id = self.made.get(name).map_or(NO_KEY, |made| &made.key_id);
                by.request(&DeleteApiKey { key_id: key_id.into() })
            }
            Call::Regenerate => by.request(&RegenerateApiKey {}),
            Call::Post(new) => self.posting(&by, new),
            Call::Edit { post, words } => self.editing(&by, *post, *words),
            Call::DeletePost(post) => by.request(&DeletePost { post_id: self.post_id(*post) }),
            Call::React { post, reaction, on } => self.reacting(&by, *post, *reaction, *on),
            Call::Relate { whom, relation, on } => self.relating(&by, *whom, *relation, *on),
            Call::Message { name, to, client_id } => self.texting(&by, *name, *to, *client_id),
            Call::DeleteMessage(name) => {
                by.request(&DeleteMessage { message_id: self.id("msg", *name).as_str().into() })
            }
            Call::ReadUpTo(name) => self.reading(&by, *name),
            Call::Converse { with, talk } => self.conversing(signer, &by, *with, *talk),
            Call::ReadAllNotifications => {
                let all = Some(true);
                by.request(&ReadNotifications { ids: None, up_to: None, post_id: None, all })
            }
            Call::Order(new) => self.ordering(&by, new),
            Call::Answer(_, new) => {
                let what = response(&self.id("msg", new.order), new.word, new.charged);
                by.request(&message(&self.signer(Signer::Default(new.to)), &what))
            }
            Call::Begin(order) => beginning(&by, &self.id("msg", *order)),
            Call::CancelOrder(order) => {
                let order_id = self.id("msg", *order).as_str().into();
                by.request(&CancelOrder { order_id, reason: None })
            }
        };
        self.count += 1;
        // As long as the key of a registration has to be.
        sent.keyed(&format!("history-{:06}-call-{:06}", self.number, self.count))
    }

    /// A caller with a credential, which may lead nowhere.
    pub(super) fn signer(&self, by: Signer) -> Caller {
        let (name, key) = match by {
            Signer::Default(Actor::Mia) => return self.server.mia.clone(),
            Signer::Default(who) => (self.username(who), self.keys.get(&who)),
            Signer::Former(who) => (self.username(who), self.former.get(&who)),
            Signer::Named(name) => (String::new(), self.made.get(&name).map(|made| &made.secret)),
            Signer::Nobody => (String::new(), None),
        };
        // A deletion by a made key needs a name, though it never gets so far.
        let name = if name.is_empty() { NO_KEY.to_owned() } else { name };
        Caller { name, key: key.map_or(NO_KEY, String::as_str).to_owned() }
    }

    /// Whose credential it is.
    pub(super) fn owner(&self, by: Signer) -> Option<Actor> {
        match by {
            Signer::Default(who) | Signer::Former(who) => Some(who),
            Signer::Named(name) => self.made.get(&name).map(|made| made.owner),
            Signer::Nobody => None,
        }
    }

    /// What the server calls it, or a name it does not know.
    pub(super) fn id(&self, prefix: &str, name: Name) -> String {
        let known = self.ids.get(&name).filter(|id| id.starts_with(prefix));
        known.cloned().unwrap_or_else(|| format!("{prefix}_nobody"))
    }

    pub(super) fn post_id(&self, name: Name) -> PostId {
        self.id("post", name).as_str().into()
    }

    pub(super) fn registration(&self, who: Actor) -> Sent {
        let nobody = Caller { name: String::new(), key: String::new() };
        nobody.request(&Register {
            username: self.username(who).as_str().into(),
            email: None,
            password: None,
            display_name: None,
            bio: None,
            is_agent: Some(true),
            invite: None,
            proof: None,
        })
    }

    fn moderating(&self, by: &Caller, measure: Measure, on: bool) -> Sent {
        use ModerationActionType::{Hide, Restore, Suspend, Unsuspend};
        let (subject, kind) = match (measure, on) {
            (Measure::Suspend(whom), on) => {
                let subject = Subject::new(SubjectType::User, self.username(whom));
                (subject, if on { Suspend } else { Unsuspend })
            }
            (Measure::Hide(post), on) => {
                let subject = Subject::new(SubjectType::Post, self.id("post", post));
                (subject, if on { Hide } else { Restore })
            }
        };
        by.request(&CreateModerationAction {
            subject,
            kind,
            reason: "a test".into(),
            label: None,
            expires_in: None,
            report_id: None,
        })
    }

    /// A text as it is sent.
    fn text(&self, words: Words) -> String {
        wire::text(words, |actor| self.username(actor))
    }

    fn posting(&self, by: &Caller, new: &NewPost) -> Sent {
        by.request(&CreatePost {
            content: self.text(new.words).as_str().into(),
            format: None,
            reply_to_id: new.parent.map(|parent| self.post_id(parent)),
            quote_of_id: new.quote.map(|quote| self.post_id(quote)),
            content_warning: None,
            language: None,
            reply_policy: Some(new.policy.clone()),
            schema: None,
            payload: None,
            media_ids: None,
        })
    }

    fn editing(&self, by: &Caller, post: Name, words: Words) -> Sent {
        by.request(&EditPost {
            post_id: self.post_id(post),
            content: Some(self.text(words).as_str().into()),
            content_warning: None,
            language: None,
            reply_policy: None,
        })
    }

    fn reacting(&self, by: &Caller, post: Name, reaction: Reaction, on: bool) -> Sent {
        let post_id = self.post_id(post);
        match (reaction, on) {
            (Reaction::Like, true) => by.request(&LikePost { post_id }),
            (Reaction::Like, false) => by.request(&UnlikePost { post_id }),
            (Reaction::Repost, true) => by.request(&RepostPost { post_id }),
            (Reaction::Repost, false) => by.request(&UnrepostPost { post_id }),
            (Reaction::Bookmark, true) => by.request(&BookmarkPost { post_id }),
            (Reaction::Bookmark, false) => by.request(&UnbookmarkPost { post_id }),
            (Reaction::Pin, true) => by.request(&PinPost { post_id }),
            (Reaction::Pin, false) => by.request(&UnpinPost { post_id }),
            (Reaction::Mute, true) => by.request(&MuteThread { post_id }),
            (Reaction::Mute, false) => by.request(&UnmuteThread { post_id }),
        }
    }

    fn relating(&self, by: &Caller, whom: Actor, relation: Relation, on: bool) -> Sent {
        let username = self.username(whom).as_str().into();
        match (relation, on) {
            (Relation::Follow, true) => by.request(&Follow { username }),
            (Relation::Follow, false) => by.request(&Unfollow { username }),
            (Relation::Block, true) => by.request(&BlockUser { username }),
            (Relation::Block, false) => by.request(&UnblockUser { username }),
            (Relation::Mute(seconds), true) => {
                by.request(&MuteUser { username, expires_in: seconds.map(Span::from_secs) })
            }
            (Relation::Mute(_), false) => by.request(&UnmuteUser { username }),
        }
    }

    fn texting(&self, by: &Caller, name: Name, to: Actor, client_id: Option<u8>) -> Sent {
        let client_message_id = client_id.map(|id| format!("own {id}").as_str().into());
        by.request(&SendMessage {
            recipient_username: self.username(to).as_str().into(),
            content: format!("message {}", name.0).as_str().into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id,
            automated: None,
            plain: None,
        })
    }

    /// Of the conversation that the message belongs to.
    fn reading(&self, by: &Caller, name: Name) -> Sent {
        let last_read_message_id = self.id("msg", name).as_str().into();
        let conversation = self.of_message.get(&name);
        let conversation_id = conversation.map_or("conv_nobody", String::as_str).into();
        by.request(&ReadConversation { conversation_id, last_read_message_id })
    }

    fn conversing(&self, signer: Signer, by: &Caller, with: Actor, talk: Talk) -> Sent {
        let who = self.owner(signer);
        let known = who.and_then(|who| self.conversations.get(&pair(who, with)));
        let conversation_id = known.map_or("conv_nobody", String::as_str).into();
        match talk {
            Talk::Accept => by.request(&AcceptConversation { conversation_id }),
            Talk::Decline => by.request(&DeclineConversation { conversation_id }),
            Talk::Mute(true) => by.request(&MuteConversation { conversation_id }),
            Talk::Mute(false) => by.request(&UnmuteConversation { conversation_id }),
        }
    }

    fn ordering(&self, by: &Caller, new: &NewOrder) -> Sent {
        let unknown = || ServiceId::from("svc_nobody");
        let service_id = self.offers.get(&new.offer).cloned().unwrap_or_else(unknown);
        ordering(by, &self.signer(Signer::Default(new.to)), new, service_id, None)
    }
}

fn profile(by: &Caller, number: Option<u32>, dm: Option<&DmPolicy>) -> Sent {
    by.request(&UpdateMe {
        display_name: number.map(|number| wire::display_name(number).as_str().into()),
        bio: None,
        website: None,
        email: None,
        dm_policy: dm.cloned(),
        allow_service_requests: None,
    })
}

fn making(by: &Caller, label: u8, rights: Rights, hours: Option<u64>) -> Sent {
    by.request(&CreateApiKey {
        name: wire::label(label).as_str().into(),
        scopes: scopes(rights),
        expires_in: hours.map(|hours| Span::from_secs(hours * 3_600)),
        allow_from: None,
        spend: None,
    })
}

/// What a key may do, as its scopes.
pub(super) fn scopes(rights: Rights) -> Vec<Scope> {
    match rights {
        Rights::Read => vec![Scope::Read],
        Rights::Write => vec![Scope::Write],
        Rights::Talk => vec![Scope::Read, Scope::Write, Scope::Dm],
        Rights::All => svc_types::Scopes::ALL.iter().collect(),
    }
}
