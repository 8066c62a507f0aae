//! Direct messages, and the conversations they belong to.

use svc_types::Code;
use svc_types::api::conversations::ConversationFolder as Folder;
use svc_types::api::users::DmPolicy;

use super::{Class, DAY, Kind, Model, Outcome, Refusal, pair, refused};
use crate::platform::step::Talk;
use crate::step::{Actor, Name};

/// Messages that a new account may send before it is accepted.
const ASKED_MAX: u32 = 3;

/// A message as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) from: Actor,
    pub(crate) to: Actor,
    at: i64,
    client_id: Option<u8>,
    pub(crate) is_read: bool,
    pub(crate) is_gone_for_sender: bool,
    pub(crate) is_gone_for_recipient: bool,
}

impl Message {
    /// Whether it is there for this account.
    pub(crate) fn is_for(&self, who: Actor) -> bool {
        who == self.from && !self.is_gone_for_sender
            || who == self.to && !self.is_gone_for_recipient
    }
}

/// How one of two accounts has their conversation.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) folder: Folder,
    pub(crate) is_muted: bool,
    /// Messages received before it was accepted.
    asked: u32,
}

/// What a message is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Text,
    Order,
    Answer,
}

/// A conversation, from the first side and the second.
pub(crate) type Conversation = std::collections::BTreeMap<Actor, Side>;

impl Model {
    pub(super) fn send(
        &mut self,
        who: Actor,
        name: Name,
        to: Actor,
        client_id: Option<u8>,
    ) -> Result<Outcome, Refusal> {
        self.found(who, to)?;
        if who == to {
            return Err(refused(Code::SelfAction));
        }
        if let Some(earlier) = self.sent_before(who, client_id) {
            let earlier = &self.messages[&earlier];
            return if earlier.to != to {
                Err(refused(Code::IdempotencyConflict))
            } else if earlier.is_gone_for_sender {
                Err(refused(Code::NotFound))
            } else {
                Ok(Outcome::Done)
            };
        }
        let is_known = self.conversations.contains_key(&pair(who, to));
        let classes = [Class::Peer(to), Class::Writes, Class::Messages, Class::Strangers];
        self.pay(who, &classes[..if is_known { 3 } else { 4 }])?;
        self.refuse_blocked(who, to)?;
        let follows = self.follows.contains(&(to, who));
        let takes = match self.accounts[&to].dm {
            DmPolicy::All => true,
            DmPolicy::Following => follows,
            _ => false,
        };
        if !takes {
            return Err(refused(Code::DmNotAllowed));
        }
        let side = self.conversations.get(&pair(who, to)).map(|sides| &sides[&to]);
        let waits = side.is_some_and(|it| it.folder != Folder::Inbox && it.asked >= ASKED_MAX);
        if waits && !follows {
            return Err(refused(Code::WrongState));
        }
        self.deliver(who, name, to, client_id, Purpose::Text);
        Ok(Outcome::Done)
    }

    /// The message that was sent with this id of the sender's in the last day.
    pub(crate) fn sent_before(&self, who: Actor, client_id: Option<u8>) -> Option<Name> {
        let id = client_id?;
        let is_it =
            |it: &Message| it.from == who && it.client_id == Some(id) && it.at > self.now - DAY;
        self.messages.iter().find(|(_, message)| is_it(message)).map(|(name, _)| *name)
    }

    /// Writing accepts a conversation; for the recipient an order does, and following the sender.
    pub(super) fn deliver(
        &mut self,
        from: Actor,
        name: Name,
        to: Actor,
        client_id: Option<u8>,
        purpose: Purpose,
    ) {
        let is_welcome = purpose == Purpose::Order || self.follows.contains(&(to, from));
        let folder = if is_welcome { Folder::Inbox } else { Folder::Requests };
        let sides = self.conversations.entry(pair(from, to)).or_insert_with(|| {
            let side = |folder| Side { folder, is_muted: false, asked: 0 };
            [(from, side(Folder::Inbox)), (to, side(folder))].into()
        });
        sides.get_mut(&from).unwrap().folder = Folder::Inbox;
        let side = sides.get_mut(&to).unwrap();
        side.asked += u32::from(side.folder != Folder::Inbox);
        if is_welcome {
            side.folder = Folder::Inbox;
        }
        let is_quiet = side.is_muted || side.folder == Folder::Declined;
        let message = Message {
            from,
            to,
            at: self.now,
            client_id,
            is_read: false,
            is_gone_for_sender: false,
            is_gone_for_recipient: false,
        };
        self.messages.insert(name, message);
        // Orders and answers arrive although their sender is muted.
        let is_muted = purpose == Purpose::Text && self.mutes(to, from);
        let is_unwanted = self.is_blocked(from, to) || is_muted;
        if !is_quiet && !is_unwanted && self.exists(to) {
            self.tell(to, Kind::DirectMessage, Some(name));
        }
    }

    /// An unread message that is deleted counts nowhere any more.
    pub(super) fn delete_message(&mut self, who: Actor, name: Name) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        let found = self.messages.get_mut(&name).filter(|message| message.is_for(who));
        let message = found.ok_or_else(|| refused(Code::NotFound))?;
        if message.from == who {
            message.is_gone_for_sender = true;
            return Ok(Outcome::Done);
        }
        message.is_gone_for_recipient = true;
        if !message.is_read {
            self.read_notification_of(name);
        }
        Ok(Outcome::Done)
    }

    /// Marks what was received up to a message of the conversation as read.
    pub(super) fn read_up_to(&mut self, who: Actor, last: Name) -> Result<Outcome, Refusal> {
        let message = self.messages.get(&last).filter(|it| it.from == who || it.to == who);
        let Some(Message { from, to, .. }) = message.cloned() else {
            return Err(refused(Code::NotFound));
        };
        let other = if from == who { to } else { from };
        let received = self.messages.range_mut(..=last);
        let unread: Vec<Name> = received
            .filter(|(_, it)| it.from == other && it.to == who && !it.is_read)
            .map(|(name, it)| {
                it.is_read = true;
                *name
            })
            .collect();
        for name in unread {
            self.read_notification_of(name);
        }
        Ok(Outcome::Done)
    }

    pub(super) fn converse(
        &mut self,
        who: Actor,
        with: Actor,
        talk: Talk,
    ) -> Result<Outcome, Refusal> {
        if matches!(talk, Talk::Mute(_)) {
            self.pay(who, &[Class::Writes])?;
        }
        let sides = self.conversations.get_mut(&pair(who, with)).filter(|_| who != with);
        let side = sides.and_then(|sides| sides.get_mut(&who));
        let side = side.ok_or_else(|| refused(Code::NotFound))?;
        match talk {
            Talk::Mute(on) => side.is_muted = on,
            Talk::Accept => side.folder = Folder::Inbox,
            Talk::Decline if side.folder == Folder::Inbox => {
                return Err(refused(Code::WrongState));
            }
            Talk::Decline => self.decline(who, with),
        }
        Ok(Outcome::Done)
    }

    /// Declines the request of a conversation, and marks the notifications of its messages as read.
    pub(super) fn decline(&mut self, who: Actor, from: Actor) {
        let sides = self.conversations.get_mut(&pair(who, from));
        let Some(side) = sides.and_then(|sides| sides.get_mut(&who)) else { return };
        if side.folder == Folder::Inbox {
            return;
        }
        side.folder = Folder::Declined;
        let received = self.messages.iter().filter(|(_, it)| it.from == from && it.to == who);
        let received: Vec<Name> = received.map(|(name, _)| *name).collect();
        for name in received {
            self.read_notification_of(name);
        }
    }
}

impl Message {
    /// Whether it belongs to the conversation of these two.
    pub(crate) fn is_between(&self, one: Actor, other: Actor) -> bool {
        pair(self.from, self.to) == pair(one, other)
    }
}
