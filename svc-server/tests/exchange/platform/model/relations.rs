//! Follows, blocks and mutes.

use svc_types::Code;

use super::{Class, Kind, Model, Outcome, Refusal, SECOND, pair, refused};
use crate::platform::step::Relation;
use crate::step::Actor;

impl Model {
    pub(super) fn relate(
        &mut self,
        who: Actor,
        whom: Actor,
        relation: Relation,
        on: bool,
    ) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        // A suspended account is kept away by those that know of it.
        let is_known = self.exists(whom)
            && (self.conversations.contains_key(&pair(who, whom)) || self.is_related(who, whom));
        if !is_known || matches!((&relation, on), (Relation::Follow, true)) {
            self.found(who, whom)?;
        }
        if who == whom {
            return Err(refused(Code::SelfAction));
        }
        match (relation, on) {
            (Relation::Follow, true) => return self.follow(who, whom),
            (Relation::Follow, false) => {
                self.follows.remove(&(who, whom));
            }
            (Relation::Block, true) => self.block(who, whom),
            (Relation::Block, false) => {
                self.blocks.remove(&(who, whom));
            }
            (Relation::Mute(seconds), true) => {
                let end = seconds.map(|it| self.now + i64::try_from(it).unwrap() * SECOND);
                self.mutes.insert((who, whom), end);
            }
            (Relation::Mute(_), false) => {
                self.mutes.remove(&(who, whom));
            }
        }
        Ok(Outcome::Done)
    }

    /// Whether an account follows, blocks or mutes another.
    fn is_related(&self, who: Actor, whom: Actor) -> bool {
        let both = (who, whom);
        self.follows.contains(&both) || self.blocks.contains(&both) || self.mutes(who, whom)
    }

    fn follow(&mut self, who: Actor, whom: Actor) -> Result<Outcome, Refusal> {
        self.refuse_blocked(who, whom)?;
        if self.follows.insert((who, whom)) {
            self.notify(who, &[(whom, Kind::Follow)], None);
        }
        Ok(Outcome::Done)
    }

    /// Blocking again undoes nothing more.
    fn block(&mut self, who: Actor, whom: Actor) {
        if !self.blocks.insert((who, whom)) {
            return;
        }
        self.follows.remove(&(who, whom));
        self.follows.remove(&(whom, who));
        let posts = &self.posts;
        self.likes.retain(|(by, post)| *by != whom || posts[post].author != who);
        self.reposts.retain(|(by, post), _| *by != whom || posts[post].author != who);
        self.decline(who, whom);
    }

    pub(super) fn is_blocked(&self, one: Actor, other: Actor) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }

    pub(super) fn refuse_blocked(&self, one: Actor, other: Actor) -> Result<(), Refusal> {
        if self.is_blocked(one, other) { Err(refused(Code::Blocked)) } else { Ok(()) }
    }

    pub(super) fn mutes(&self, who: Actor, whom: Actor) -> bool {
        let end = self.mutes.get(&(who, whom));
        end.is_some_and(|end| end.is_none_or(|end| end > self.now))
    }
}
