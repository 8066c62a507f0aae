//! Posts, and what is done to them.

use std::collections::BTreeSet;

use svc_types::Code;
use svc_types::api::posts::ReplyPolicy;

use super::{Class, Kind, Model, Outcome, Refusal, refused};
use crate::platform::step::{NewPost, Reaction, Words};
use crate::step::{Actor, Name};

/// Most pinned posts of an account.
const PINNED_MAX: usize = 5;

/// A post as it should be.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is set and read by itself")]
pub(crate) struct Post {
    pub(crate) author: Actor,
    pub(crate) words: Words,
    /// The account that the text names, if it was there.
    pub(crate) named: Option<Actor>,
    /// The accounts that its text names or named before an edit.
    ever_named: BTreeSet<Actor>,
    pub(crate) parent: Option<Name>,
    pub(crate) root: Name,
    pub(crate) quote: Option<Name>,
    pub(crate) policy: ReplyPolicy,
    pub(crate) is_edited: bool,
    pub(crate) is_pinned: bool,
    pub(crate) is_hidden: bool,
    pub(crate) is_deleted: bool,
    /// Its place in lists.
    pub(crate) entry: u32,
}

impl Model {
    /// Whether it was neither hidden nor deleted, whatever became of its author.
    pub(super) fn is_up(post: &Post) -> bool {
        !post.is_hidden && !post.is_deleted
    }

    /// A post that `by` may read, else 404. Authors see their hidden posts.
    pub(super) fn visible(&self, by: Actor, name: Name) -> Result<Post, Refusal> {
        let is_visible = |post: &&Post| {
            let is_shown = !post.is_hidden && self.stands(post.author) || post.author == by;
            is_shown && !post.is_deleted && self.exists(post.author)
        };
        let found = self.posts.get(&name).filter(is_visible).cloned();
        found.ok_or_else(|| refused(Code::NotFound))
    }

    pub(super) fn publish(&mut self, who: Actor, new: &NewPost) -> Result<Outcome, Refusal> {
        let find = |name: Option<Name>| name.map(|name| self.visible(who, name)).transpose();
        let (parent, quoted) = (find(new.parent)?, find(new.quote)?);
        for other in parent.iter().chain(&quoted).filter(|other| other.author != who) {
            self.refuse_blocked(who, other.author)?;
        }
        if let Some(parent) = &parent {
            self.refuse_reply(who, parent)?;
        } else {
            self.take_window(who)?;
        }
        let named = new.words.mention.filter(|whom| self.exists(*whom));
        let root = parent.as_ref().map_or(new.name, |parent| parent.root);
        let post = Post {
            author: who,
            words: new.words,
            named,
            ever_named: new.words.mention.into_iter().collect(),
            parent: new.parent,
            root,
            quote: new.quote,
            policy: new.policy.clone(),
            is_edited: false,
            is_pinned: false,
            is_hidden: false,
            is_deleted: false,
            entry: self.entry(),
        };
        self.posts.insert(new.name, post);
        let notified = [
            parent.map(|parent| (parent.author, Kind::Reply)),
            quoted.map(|quoted| (quoted.author, Kind::Quote)),
            named.map(|named| (named, Kind::Mention)),
        ];
        let notified: Vec<(Actor, Kind)> = notified.into_iter().flatten().collect();
        self.notify(who, &notified, Some((new.name, root)));
        Ok(Outcome::Done)
    }

    /// The parent's author says who may reply, and may always reply.
    fn refuse_reply(&self, who: Actor, parent: &Post) -> Result<(), Refusal> {
        let may = match parent.policy {
            ReplyPolicy::Everyone => true,
            ReplyPolicy::Following => self.follows.contains(&(parent.author, who)),
            ReplyPolicy::Mentioned => parent.named == Some(who),
            _ => false,
        };
        if may || parent.author == who { Ok(()) } else { Err(refused(Code::ReplyNotAllowed)) }
    }

    /// The caller's own post, else 404 or 403.
    fn own(&self, who: Actor, name: Name) -> Result<Post, Refusal> {
        let post = self.visible(who, name)?;
        if post.author == who { Ok(post) } else { Err(refused(Code::Forbidden)) }
    }

    /// Tells who is named now and never was before, unless the post is hidden.
    pub(super) fn edit(
        &mut self,
        who: Actor,
        name: Name,
        words: Words,
    ) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        let before = self.own(who, name)?;
        if before.words == words {
            return Ok(Outcome::Done);
        }
        let named = words.mention.filter(|whom| self.exists(*whom));
        let post = self.posts.get_mut(&name).unwrap();
        (post.words, post.named, post.is_edited) = (words, named, true);
        post.ever_named.extend(words.mention);
        let is_new = |it: &Actor| !before.ever_named.contains(it) && !before.is_hidden;
        if let Some(named) = named.filter(is_new) {
            self.notify(who, &[(named, Kind::Mention)], Some((name, before.root)));
        }
        Ok(Outcome::Done)
    }

    pub(super) fn delete_post(&mut self, who: Actor, name: Name) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        self.own(who, name)?;
        let post = self.posts.get_mut(&name).unwrap();
        (post.is_deleted, post.is_pinned) = (true, false);
        Ok(Outcome::Done)
    }

    /// Moderators hide what is there, as often as they like; its author hears only of changes.
    pub(super) fn hide(&mut self, name: Name, on: bool) -> Result<Outcome, Refusal> {
        let found = self.posts.get(&name).cloned();
        let post = found.ok_or_else(|| refused(Code::NotFound))?;
        if post.is_deleted || !self.exists(post.author) || !on && !post.is_hidden {
            return Err(refused(Code::WrongState));
        }
        self.posts.get_mut(&name).unwrap().is_hidden = on;
        if post.is_hidden != on {
            self.notify_of_moderation(post.author);
        }
        Ok(Outcome::Done)
    }

    pub(super) fn react(
        &mut self,
        who: Actor,
        name: Name,
        reaction: Reaction,
        on: bool,
    ) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        let post = self.visible(who, name)?;
        match (reaction, on) {
            (Reaction::Like, true) => {
                self.refuse_blocked(who, post.author)?;
                if self.likes.insert((who, name)) {
                    self.notify(who, &[(post.author, Kind::Like)], Some((name, post.root)));
                }
            }
            (Reaction::Repost, true) => {
                self.refuse_blocked(who, post.author)?;
                if !self.reposts.contains_key(&(who, name)) {
                    let entry = self.entry();
                    self.reposts.insert((who, name), entry);
                    self.notify(who, &[(post.author, Kind::Repost)], Some((name, post.root)));
                }
            }
            (Reaction::Repost, false) => {
                self.reposts.remove(&(who, name));
            }
            (Reaction::Pin, on) => self.pin(who, name, on)?,
            (Reaction::Like, false) => set(&mut self.likes, (who, name), false),
            (Reaction::Bookmark, on) => set(&mut self.bookmarks, (who, name), on),
            (Reaction::Mute, on) => set(&mut self.muted_threads, (who, post.root), on),
        }
        Ok(Outcome::Done)
    }

    fn pin(&mut self, who: Actor, name: Name, on: bool) -> Result<(), Refusal> {
        self.own(who, name)?;
        let is_other = |(other, post): &(&Name, &Post)| {
            post.author == who && post.is_pinned && **other != name
        };
        if on && self.posts.iter().filter(is_other).count() >= PINNED_MAX {
            return Err(refused(Code::LimitReached));
        }
        self.posts.get_mut(&name).unwrap().is_pinned = on;
        Ok(())
    }
}

fn set(those: &mut BTreeSet<(Actor, Name)>, one: (Actor, Name), on: bool) {
    if on {
        those.insert(one);
    } else {
        those.remove(&one);
    }
}
