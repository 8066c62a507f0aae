//! The reference model: what must come of every step, as plain maps and sets.
//!
//! It follows the rules of the platform and shares no code with the server. No number is kept: each
//! count is counted when it is asked for.

mod accounts;
mod budgets;
mod keys;
mod messages;
mod notifications;
mod posts;
mod relations;
mod trades;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use svc_types::Code;

pub(crate) use self::accounts::Account;
pub(crate) use self::budgets::{Class, SETTINGS};
pub(crate) use self::keys::NamedKey;
pub(crate) use self::messages::{Conversation, Message};
pub(crate) use self::notifications::{Kind, Notification};
pub(crate) use self::posts::Post;
pub(crate) use self::views::{ConversationView, KeyView, PostView, ProfileView};
use crate::model::Model as Deals;
use crate::model::Outcome as DealOutcome;
use crate::platform::step::{Call, List, Measure, Signer, Step};
use crate::step::{Actor, Name};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// What everybody begins with, in micro-credits.
pub(crate) const PURSE: i64 = 30_000_000;

/// Time in which a registration can be repeated.
const REPEATABLE: i64 = 10 * MINUTE;

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The step calls no one.
    Quiet,
    /// Done as asked.
    Done,
    /// Refused, with the word of the state that was found, if the code has one.
    Refused(Code, Option<String>),
    /// 429, and after how many seconds it is worth trying again.
    Limited(i64),
    /// The first answer again.
    Replayed,
}

/// A refusal.
type Refusal = Outcome;

/// Whether the answer to a request with a key is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    No,
    Always,
    /// That it was done, but not the secret.
    WithoutSecret,
    Until(i64),
}

/// The last request.
#[derive(Clone, Debug)]
struct Last {
    by: Signer,
    call: Call,
    kept: Kept,
}

/// The platform as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Milliseconds since the history began.
    pub(crate) now: i64,
    /// The next name.
    pub(crate) next: u32,
    /// Whether services are offered.
    pub(crate) has_market: bool,
    /// Posts and reposts so far, which are listed in their order.
    entries: u32,
    pub(crate) accounts: BTreeMap<Actor, Account>,
    pub(crate) keys: BTreeMap<Name, NamedKey>,
    /// Follower and followee.
    pub(crate) follows: BTreeSet<(Actor, Actor)>,
    /// Blocker and blocked.
    pub(crate) blocks: BTreeSet<(Actor, Actor)>,
    /// Who mutes whom, and until when.
    pub(crate) mutes: BTreeMap<(Actor, Actor), Option<i64>>,
    pub(crate) posts: BTreeMap<Name, Post>,
    likes: BTreeSet<(Actor, Name)>,
    bookmarks: BTreeSet<(Actor, Name)>,
    muted_threads: BTreeSet<(Actor, Name)>,
    /// Reposts, and their places among the entries.
    reposts: BTreeMap<(Actor, Name), u32>,
    /// By both accounts, the smaller one first.
    pub(crate) conversations: BTreeMap<(Actor, Actor), Conversation>,
    pub(crate) messages: BTreeMap<Name, Message>,
    notifications: Vec<Notification>,
    /// When somebody was notified of what can be undone and repeated.
    told: BTreeMap<(Actor, Kind, Actor, Option<Name>), i64>,
    /// When each budget is full again.
    budgets: BTreeMap<(Actor, Class), i64>,
    pub(crate) deals: Deals,
    last: Option<Last>,
    /// What the last step must be answered.
    pub(crate) outcome: Outcome,
}

impl Model {
    /// Before the first step: some accounts, and their services if they trade.
    pub(crate) fn new(has_market: bool) -> Self {
        let mut deals = Deals::new();
        for actor in Actor::TRADERS {
            deals.available.insert(actor, PURSE);
        }
        let mut model = Self {
            now: 0,
            next: 0,
            has_market,
            entries: 0,
            accounts: BTreeMap::new(),
            keys: BTreeMap::new(),
            follows: BTreeSet::new(),
            blocks: BTreeSet::new(),
            mutes: BTreeMap::new(),
            posts: BTreeMap::new(),
            likes: BTreeSet::new(),
            bookmarks: BTreeSet::new(),
            muted_threads: BTreeSet::new(),
            reposts: BTreeMap::new(),
            conversations: BTreeMap::new(),
            messages: BTreeMap::new(),
            notifications: Vec::new(),
            told: BTreeMap::new(),
            budgets: BTreeMap::new(),
            deals,
            last: None,
            outcome: Outcome::Quiet,
        };
        for actor in model.at_first() {
            model.accounts.insert(actor, Account::default());
        }
        if has_market {
            for seller in [Actor::Cora, Actor::Dan] {
                let paid = model.pay(seller, &[Class::Writes]);
                assert_eq!(paid, Ok(()), "a service can be offered");
            }
        }
        model
    }

    /// The accounts that a history begins with.
    pub(crate) fn at_first(&self) -> Vec<Actor> {
        let first = [Actor::Ann, Actor::Ben, Actor::Cora];
        if self.has_market { Actor::TRADERS.to_vec() } else { first.to_vec() }
    }

    /// Executes a step.
    pub(crate) fn take(&mut self, step: &Step) {
        self.outcome = match step {
            Step::Wait { seconds } => {
                self.now += seconds * SECOND;
                Outcome::Quiet
            }
            Step::Again => self.again(),
            Step::Call { by, call } => self.request(*by, call),
            Step::Look { by, at } => self.look(*by, at),
        };
    }

    /// A request with a key of its own. What is refused costs nothing.
    fn request(&mut self, by: Signer, call: &Call) -> Outcome {
        self.deals.now = self.now;
        let budgets = self.budgets.clone();
        let outcome = self.call(by, call).unwrap_or_else(|refusal| refusal);
        self.next = self.next.max(new_name(call).map_or(0, |name| name.0 + 1));
        if outcome != Outcome::Done {
            self.budgets = budgets;
        }
        let kept = if outcome == Outcome::Done { self.kept(call) } else { Kept::No };
        self.last = Some(Last { by, call: call.clone(), kept });
        outcome
    }

    /// Only POST knows keys, and a refusal is not kept.
    fn kept(&self, call: &Call) -> Kept {
        match call {
            Call::Register(_) => Kept::Until(self.now + REPEATABLE),
            Call::MakeKey { .. } | Call::Regenerate => Kept::WithoutSecret,
            Call::Profile { .. }
            | Call::Delete
            | Call::EndKey(_)
            | Call::Edit { .. }
            | Call::DeletePost(_)
            | Call::DeleteMessage(_)
            | Call::React { on: false, .. }
            | Call::Relate { on: false, .. }
            | Call::Converse { talk: crate::platform::step::Talk::Mute(false), .. } => Kept::No,
            _ => Kept::Always,
        }
    }

    /// Who may not ask any more is not answered again either.
    fn again(&mut self) -> Outcome {
        let Some(Last { by, call, kept }) = self.last.clone() else { return Outcome::Quiet };
        let is_kept = match kept {
            Kept::No => false,
            Kept::Always | Kept::WithoutSecret => true,
            Kept::Until(end) => self.now < end,
        };
        if !is_kept {
            return self.request(by, &call);
        }
        // It was asked by the key that it ended.
        let is_ended = matches!((&call, by), (Call::Regenerate, Signer::Default(_)));
        match self.admit(by, &call) {
            _ if is_ended => refused(Code::Unauthorized),
            Err(refusal) => refusal,
            Ok(_) if kept == Kept::WithoutSecret => refused(Code::IdempotencyConflict),
            Ok(_) => Outcome::Replayed,
        }
    }

    fn call(&mut self, by: Signer, call: &Call) -> Result<Outcome, Refusal> {
        if let Call::Register(who) = call {
            return self.register(*who);
        }
        let who = self.admit(by, call)?;
        self.refuse_suspended_sender(who, call)?;
        match call {
            Call::Register(_) => Ok(Outcome::Quiet),
            Call::Profile { number, dm } => self.change_profile(who, *number, dm.as_ref()),
            Call::Delete => self.delete(who),
            Call::Restore => self.restore(who),
            Call::Moderate { measure: Measure::Suspend(whom), on } => self.suspend(*whom, *on),
            Call::Moderate { measure: Measure::Hide(post), on } => self.hide(*post, *on),
            Call::MakeKey { name, label, rights, hours } => {
                self.make_key(who, *name, (*label, *rights, *hours))
            }
            Call::EndKey(name) => self.end_key(who, *name),
            Call::Regenerate => self.regenerate(by),
            Call::Post(new) => self.publish(who, new),
            Call::Edit { post, words } => self.edit(who, *post, *words),
            Call::DeletePost(post) => self.delete_post(who, *post),
            Call::React { post, reaction, on } => self.react(who, *post, *reaction, *on),
            Call::Relate { whom, relation, on } => self.relate(who, *whom, *relation, *on),
            Call::Message { name, to, client_id } => self.send(who, *name, *to, *client_id),
            Call::DeleteMessage(name) => self.delete_message(who, *name),
            Call::ReadUpTo(name) => self.read_up_to(who, *name),
            Call::Converse { with, talk } => self.converse(who, *with, *talk),
            Call::ReadAllNotifications => Ok(self.read_all_notifications(who)),
            Call::Order(new) => self.order(who, new),
            Call::Answer(name, new) => self.answer(who, *name, new),
            Call::Begin(order) => self.begin(who, *order),
            Call::CancelOrder(order) => self.cancel_order(who, *order),
        }
    }

    /// An account looks at a list, by its default key.
    fn look(&mut self, by: Actor, at: &List) -> Outcome {
        self.deals.now = self.now;
        let account = match self.accounts.get(&by) {
            None => return refused(Code::Unauthorized),
            Some(account) if account.is_deleted => return refused(Code::AccountDeleted),
            Some(account) => account,
        };
        debug_assert!(!account.is_deleted);
        match at {
            List::Profile(of) | List::Followers(of) | List::PostsOf(of) => {
                self.found(by, *of).map_or_else(|refusal| refusal, |()| Outcome::Done)
            }
            List::Post(name) => {
                self.visible(by, *name).map_or_else(|refusal| refusal, |_| Outcome::Done)
            }
            List::Messages(with) => {
                let is_there = *with != by && self.conversations.contains_key(&pair(by, *with));
                if is_there { Outcome::Done } else { refused(Code::NotFound) }
            }
            List::Unread | List::Credits => {
                self.deals.read_credits(by);
                Outcome::Done
            }
            _ => Outcome::Done,
        }
    }

    /// The next place in lists of posts.
    fn entry(&mut self) -> u32 {
        self.entries += 1;
        self.entries
    }
}

/// Two accounts, the smaller one first.
pub(crate) fn pair(one: Actor, other: Actor) -> (Actor, Actor) {
    if one < other { (one, other) } else { (other, one) }
}

/// The name a request gives if it is done.
pub(crate) fn new_name(call: &Call) -> Option<Name> {
    match call {
        Call::Post(new) => Some(new.name),
        Call::Order(new) => Some(new.name),
        Call::MakeKey { name, .. } | Call::Message { name, .. } | Call::Answer(name, _) => {
            Some(*name)
        }
        _ => None,
    }
}

fn refused(code: Code) -> Outcome {
    Outcome::Refused(code, None)
}

/// The outcome of a deal, as an outcome here.
fn of_deal(outcome: DealOutcome) -> Outcome {
    match outcome {
        DealOutcome::Quiet => Outcome::Quiet,
        DealOutcome::Done => Outcome::Done,
        DealOutcome::Refused(code, hint) => Outcome::Refused(code, hint),
        DealOutcome::Replayed => Outcome::Replayed,
    }
}
