//! What actors do, by names that stay the same when a failing history is made shorter.

use svc_types::api::conversations::ConversationFolder;
use svc_types::api::posts::ReplyPolicy;
use svc_types::api::users::DmPolicy;

use crate::step::{Actor, Name, NewAnswer, NewOrder};

/// The credential of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signer {
    /// None at all.
    Nobody,
    /// The default key that the account has now.
    Default(Actor),
    /// The default key before the last regeneration.
    Former(Actor),
    /// A key that was made.
    Named(Name),
}

/// What a made key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rights {
    Read,
    Write,
    Talk,
    All,
}

/// The text of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) number: u32,
    pub(crate) mention: Option<Actor>,
}

/// A post, or a reply if it answers one.
#[derive(Clone, Debug)]
pub(crate) struct NewPost {
    pub(crate) name: Name,
    pub(crate) words: Words,
    pub(crate) parent: Option<Name>,
    pub(crate) quote: Option<Name>,
    pub(crate) policy: ReplyPolicy,
}

/// What an account does to a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reaction {
    Like,
    Repost,
    Bookmark,
    Pin,
    /// Of the whole thread.
    Mute,
}

/// What an account is to another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Relation {
    Follow,
    Block,
    /// For this many seconds, or without end.
    Mute(Option<u64>),
}

/// What a moderator acts on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure {
    Suspend(Actor),
    Hide(Name),
}

/// What is done with a conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Talk {
    Accept,
    Decline,
    Mute(bool),
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Register(Actor),
    Profile {
        number: Option<u32>,
        dm: Option<DmPolicy>,
    },
    Delete,
    Restore,
    Moderate {
        measure: Measure,
        on: bool,
    },
    MakeKey {
        name: Name,
        label: u8,
        rights: Rights,
        hours: Option<u64>,
    },
    EndKey(Name),
    Regenerate,
    Post(NewPost),
    Edit {
        post: Name,
        words: Words,
    },
    DeletePost(Name),
    React {
        post: Name,
        reaction: Reaction,
        on: bool,
    },
    Relate {
        whom: Actor,
        relation: Relation,
        on: bool,
    },
    Message {
        name: Name,
        to: Actor,
        client_id: Option<u8>,
    },
    DeleteMessage(Name),
    ReadUpTo(Name),
    Converse {
        with: Actor,
        talk: Talk,
    },
    ReadAllNotifications,
    Order(NewOrder),
    /// An answer to an order, and the name of its message.
    Answer(Name, NewAnswer),
    Begin(Name),
    CancelOrder(Name),
}

/// What an actor looks at.
#[derive(Clone, Debug)]
pub(crate) enum List {
    Profile(Actor),
    Followers(Actor),
    Post(Name),
    PostsOf(Actor),
    Feed,
    Global,
    Notifications,
    Unread,
    Conversations(ConversationFolder),
    Messages(Actor),
    Keys,
    Credits,
}

/// One step of a history.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Call {
        by: Signer,
        call: Call,
    },
    /// The last request again, with its key.
    Again,
    /// The clock goes on.
    Wait {
        seconds: i64,
    },
    Look {
        by: Actor,
        at: List,
    },
}
