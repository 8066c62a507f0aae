//! What accounts see: counted and listed from the maps.

use std::cmp::Reverse;

use svc_types::api::conversations::ConversationFolder as Folder;
use svc_types::api::messages::RequestStatus;
use svc_types::api::posts::ReplyPolicy;

use super::{Model, Post, pair};
use crate::platform::step::{Rights, Words};
use crate::step::{Actor, Name};

/// A post as an account sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PostView {
    pub(crate) author: Actor,
    pub(crate) words: Words,
    pub(crate) parent: Option<Name>,
    pub(crate) root: Option<Name>,
    pub(crate) quote: Option<Name>,
    pub(crate) shows_quote: bool,
    pub(crate) mentions: Vec<Actor>,
    pub(crate) policy: ReplyPolicy,
    /// Likes, reposts, replies, quotes.
    pub(crate) counts: [usize; 4],
    pub(crate) is_pinned: bool,
    pub(crate) is_edited: bool,
    /// Whether the viewer likes, reposted, bookmarked it and muted its thread.
    pub(crate) viewer: [bool; 4],
}

/// An account as another sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProfileView {
    pub(crate) number: Option<u32>,
    /// Followers, followed accounts, posts.
    pub(crate) counts: [usize; 3],
    /// Following, followed by, blocking, blocked by, muting; none for the account itself.
    pub(crate) viewer: Option<[bool; 5]>,
    /// Milliseconds until it may post; only for the account itself.
    pub(crate) next_post: Option<i64>,
}

/// A conversation as one side sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConversationView {
    pub(crate) with: Actor,
    pub(crate) unread: usize,
    pub(crate) is_muted: bool,
    pub(crate) folder: Folder,
    pub(crate) last: Option<Name>,
}

/// Unread conversations, messages, requests, and orders that wait.
pub(crate) type UnreadView = [usize; 4];

/// A key: label, rights, and the milliseconds it has left.
pub(crate) type KeyView = (u8, Rights, Option<i64>);

impl Model {
    /// A post as `by` sees it.
    pub(crate) fn post_view(&self, by: Actor, name: Name) -> PostView {
        let post = &self.posts[&name];
        let count = |is_it: &dyn Fn(&Post) -> bool| {
            let up = self.posts.values().filter(|it| Self::is_up(it) && self.stands(it.author));
            up.filter(|it| is_it(it)).count()
        };
        let likes = self.likes.iter().filter(|(who, of)| *of == name && self.stands(*who));
        let reposts = self.reposts.keys().filter(|(who, of)| *of == name && self.stands(*who));
        PostView {
            author: post.author,
            words: post.words,
            parent: post.parent,
            root: post.parent.map(|_| post.root),
            quote: post.quote,
            shows_quote: post.quote.is_some_and(|quote| self.visible(by, quote).is_ok()),
            mentions: post.named.into_iter().filter(|it| self.stands(*it)).collect(),
            policy: post.policy.clone(),
            counts: [
                likes.count(),
                reposts.count(),
                count(&|it| it.parent == Some(name)),
                count(&|it| it.quote == Some(name)),
            ],
            is_pinned: post.is_pinned,
            is_edited: post.is_edited,
            viewer: [
                self.likes.contains(&(by, name)),
                self.reposts.contains_key(&(by, name)),
                self.bookmarks.contains(&(by, name)),
                self.muted_threads.contains(&(by, post.root)),
            ],
        }
    }

    /// A post in a feed of `by`, which quotes nobody whose posts it leaves out.
    pub(crate) fn feed_post_view(&self, by: Actor, name: Name) -> PostView {
        let view = self.post_view(by, name);
        let is_wanted = |quote: Name| self.is_wanted(by, self.posts[&quote].author);
        PostView { shows_quote: view.shows_quote && view.quote.is_some_and(is_wanted), ..view }
    }

    /// An account as `by` sees it.
    pub(crate) fn profile_view(&self, by: Actor, of: Actor) -> ProfileView {
        let posts = self.posts.values().filter(|it| it.author == of && Self::is_up(it));
        let followed = self.follows.iter().filter(|(who, whom)| *who == of && self.stands(*whom));
        let viewer = [
            self.follows.contains(&(by, of)),
            self.follows.contains(&(of, by)),
            self.blocks.contains(&(by, of)),
            self.blocks.contains(&(of, by)),
            self.mutes(by, of),
        ];
        ProfileView {
            number: self.accounts[&of].number,
            counts: [self.followers(of).len(), followed.count(), posts.count()],
            viewer: (by != of).then_some(viewer),
            next_post: self.until_next_post(of).filter(|_| by == of),
        }
    }

    pub(crate) fn followers(&self, of: Actor) -> Vec<Actor> {
        let followers = self.follows.iter().filter(|(_, whom)| *whom == of);
        followers.map(|(who, _)| *who).filter(|who| self.stands(*who)).collect()
    }

    /// The posts of an account, replies and reposts too: pinned ones first, then the latest. A post
    /// is listed once.
    pub(crate) fn posts_of(&self, by: Actor, of: Actor) -> Vec<(Name, Option<Actor>)> {
        let own = self.posts.iter().filter(|(_, post)| post.author == of);
        let own = own.map(|(name, post)| (post.is_pinned, post.entry, *name, None));
        let reposts = self.reposts.iter().filter(|((who, _), _)| *who == of);
        let reposts = reposts.map(|((_, name), entry)| (false, *entry, *name, Some(of)));
        self.listed(by, own.chain(reposts).collect())
    }

    /// What followed accounts published and reposted, latest first, without what the reader mutes and
    /// without what comes from somebody blocked. A post is listed once.
    pub(crate) fn feed(&self, by: Actor) -> Vec<(Name, Option<Actor>)> {
        let is_source = |who: &Actor| {
            self.follows.contains(&(by, *who)) && !self.mutes(by, *who) && self.stands(*who)
        };
        let own = self.posts.iter().filter(|(_, post)| {
            is_source(&post.author) && post.parent.is_none() && Self::is_up(post)
        });
        let own = own.map(|(name, post)| (false, post.entry, *name, None));
        let reposts = self.reposts.iter().filter(|((who, name), _)| {
            is_source(who) && self.is_wanted(by, self.posts[name].author)
        });
        let reposts = reposts.map(|((who, name), entry)| (false, *entry, *name, Some(*who)));
        self.listed(by, own.chain(reposts).collect())
    }

    /// Top-level posts of everybody, latest first.
    pub(crate) fn global(&self, by: Actor) -> Vec<(Name, Option<Actor>)> {
        let wanted = self.posts.iter().filter(|(_, post)| {
            post.parent.is_none()
                && Self::is_up(post)
                && self.stands(post.author)
                && self.is_wanted(by, post.author)
        });
        self.listed(by, wanted.map(|(name, post)| (false, post.entry, *name, None)).collect())
    }

    fn is_wanted(&self, by: Actor, author: Actor) -> bool {
        by == author || !self.is_blocked(by, author) && !self.mutes(by, author)
    }

    /// Visible places, sorted, without those of posts that came before.
    fn listed(
        &self,
        by: Actor,
        mut places: Vec<(bool, u32, Name, Option<Actor>)>,
    ) -> Vec<(Name, Option<Actor>)> {
        places.sort_by_key(|(is_pinned, entry, ..)| Reverse((*is_pinned, *entry)));
        let mut listed: Vec<(Name, Option<Actor>)> = Vec::new();
        for (_, _, name, reposter) in places {
            let is_new = listed.iter().all(|(known, _)| *known != name);
            if is_new && self.visible(by, name).is_ok() {
                listed.push((name, reposter));
            }
        }
        listed
    }

    fn unread_from(&self, by: Actor, with: Actor) -> usize {
        let received = self.messages.values().filter(|it| it.from == with && it.to == by);
        received.filter(|it| !it.is_read && !it.is_gone_for_recipient).count()
    }

    /// The messages with an account, latest first.
    pub(crate) fn messages_with(&self, by: Actor, with: Actor) -> Vec<Name> {
        let between = self.messages.iter().rev().filter(|(_, it)| it.is_between(by, with));
        between.filter(|(_, it)| it.is_for(by)).map(|(name, _)| *name).collect()
    }

    /// The conversations of an account, those with the latest message first.
    fn conversations_of(&self, by: Actor) -> Vec<ConversationView> {
        let view = |with: Actor| {
            let side = &self.conversations.get(&pair(by, with))?[&by];
            let is_its = |(_, it): &(&Name, &super::Message)| it.is_between(by, with);
            let (latest, _) = self.messages.iter().rev().find(is_its)?;
            let view = ConversationView {
                with,
                unread: self.unread_from(by, with),
                is_muted: side.is_muted,
                folder: side.folder.clone(),
                last: self.messages_with(by, with).first().copied(),
            };
            Some((*latest, view))
        };
        let others = Actor::TRADERS.into_iter().filter(|with| *with != by);
        let mut views: Vec<(Name, ConversationView)> = others.filter_map(view).collect();
        views.sort_by(|(one, _), (other, _)| other.cmp(one));
        views.into_iter().map(|(_, view)| view).collect()
    }

    pub(crate) fn folder_of(&self, by: Actor, folder: &Folder) -> Vec<ConversationView> {
        let mut views = self.conversations_of(by);
        views.retain(|view| view.folder == *folder);
        views
    }

    pub(crate) fn conversation_view(&self, by: Actor, with: Actor) -> Option<ConversationView> {
        self.conversations_of(by).into_iter().find(|view| view.with == with)
    }

    /// Unread, without muted and declined conversations.
    pub(crate) fn unread_view(&self, by: Actor) -> UnreadView {
        let mut views = self.conversations_of(by);
        views.retain(|it| it.unread > 0 && !it.is_muted && it.folder != Folder::Declined);
        let is_open = |order: &&crate::model::Order| order.state == RequestStatus::Open;
        let orders = self.deals.orders.values().filter(|order| order.provider == by);
        [
            views.len(),
            views.iter().map(|view| view.unread).sum(),
            views.iter().filter(|view| view.folder == Folder::Requests).count(),
            orders.filter(is_open).count(),
        ]
    }

    /// The keys that an account made, by their labels.
    pub(crate) fn keys_of(&self, by: Actor) -> Vec<KeyView> {
        let keys = self.keys.values().filter(|key| key.owner == by);
        let left = |end: i64| end - self.now;
        let mut views: Vec<KeyView> =
            keys.map(|key| (key.label, key.rights, key.ends_at.map(left))).collect();
        views.sort_by_key(|(label, _, _)| *label);
        views
    }
}
