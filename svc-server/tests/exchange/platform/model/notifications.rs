//! Notifications: who is notified of what, once.

use super::{DAY, Model, Outcome};
use crate::step::{Actor, Name};

/// What somebody is notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Follow,
    Like,
    Repost,
    Reply,
    Mention,
    Quote,
    DirectMessage,
    Moderation,
}

impl Kind {
    /// All of them.
    pub(crate) const ALL: [Self; 8] = [
        Self::Follow,
        Self::Like,
        Self::Repost,
        Self::Reply,
        Self::Mention,
        Self::Quote,
        Self::DirectMessage,
        Self::Moderation,
    ];

    /// Its word on the wire.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Follow => "follow",
            Self::Like => "like",
            Self::Repost => "repost",
            Self::Reply => "reply",
            Self::Mention => "mention",
            Self::Quote => "quote",
            Self::DirectMessage => "direct_message",
            Self::Moderation => "moderation",
        }
    }
}

/// A notification in the list of an account.
#[derive(Clone, Debug)]
pub(crate) struct Notification {
    pub(super) to: Actor,
    pub(super) kind: Kind,
    pub(super) message: Option<Name>,
    pub(super) is_read: bool,
}

/// A post, and the top-level post of its thread.
pub(super) type InThread = Option<(Name, Name)>;

impl Model {
    /// Tells accounts of an act of `by`: each once, of what comes first, unless it does not want to
    /// hear of the actor or the thread, or heard the same within a day.
    pub(super) fn notify(&mut self, by: Actor, whom: &[(Actor, Kind)], about: InThread) {
        let mut notified = Vec::new();
        for (to, kind) in whom {
            let is_wanted = by != *to
                && self.exists(*to)
                && !self.is_blocked(by, *to)
                && !self.mutes(*to, by)
                && about.is_none_or(|(_, root)| !self.muted_threads.contains(&(*to, root)));
            if !is_wanted || notified.contains(to) {
                continue;
            }
            let can_be_undone = matches!(kind, Kind::Follow | Kind::Like | Kind::Repost);
            let act = (*to, *kind, by, about.map(|(post, _)| post));
            let before = self.told.get(&act).copied();
            if can_be_undone && before.is_some_and(|at| at > self.now - DAY) {
                continue;
            }
            self.told.insert(act, self.now);
            notified.push(*to);
            self.tell(*to, *kind, None);
        }
    }

    /// Puts a notification into the list of an account.
    pub(super) fn tell(&mut self, to: Actor, kind: Kind, message: Option<Name>) {
        self.notifications.push(Notification { to, kind, message, is_read: false });
    }

    pub(super) fn read_all_notifications(&mut self, who: Actor) -> Outcome {
        self.notifications.iter_mut().filter(|it| it.to == who).for_each(|it| it.is_read = true);
        Outcome::Done
    }

    /// Marks the notification of a message as read.
    pub(super) fn read_notification_of(&mut self, message: Name) {
        let of_it = self.notifications.iter_mut().filter(|it| it.message == Some(message));
        of_it.for_each(|it| it.is_read = true);
    }

    /// Unread notifications of a kind.
    pub(crate) fn unread_notifications(&self, who: Actor, kind: Kind) -> usize {
        let unread = self.notifications.iter().filter(|it| it.to == who && it.kind == kind);
        unread.filter(|it| !it.is_read).count()
    }
}
