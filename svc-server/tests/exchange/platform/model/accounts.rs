//! Accounts: registered, changed, suspended, deleted, restored.

use std::mem;

use svc_types::Code;
use svc_types::api::messages::RequestStatus;
use svc_types::api::users::DmPolicy;

use super::{Class, DAY, Kind, Model, Outcome, Refusal, refused};
use crate::step::Actor;

/// Time in which a deleted account can be restored.
const RESTORABLE: i64 = 14 * DAY;

/// An account as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// The number in its display name; none before it was changed.
    pub(crate) number: Option<u32>,
    pub(crate) dm: DmPolicy,
    pub(crate) is_suspended: bool,
    pub(crate) is_deleted: bool,
    pub(super) deleted_at: i64,
    /// When its latest top-level post was published.
    pub(crate) posted_at: Option<i64>,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            number: None,
            dm: DmPolicy::All,
            is_suspended: false,
            is_deleted: false,
            deleted_at: 0,
            posted_at: None,
        }
    }
}

impl Model {
    /// A deleted account keeps its name.
    pub(super) fn register(&mut self, who: Actor) -> Result<Outcome, Refusal> {
        if self.accounts.contains_key(&who) {
            return Err(refused(Code::UsernameTaken));
        }
        self.accounts.insert(who, Account::default());
        Ok(Outcome::Done)
    }

    pub(super) fn change_profile(
        &mut self,
        who: Actor,
        number: Option<u32>,
        dm: Option<&DmPolicy>,
    ) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        let account = self.accounts.get_mut(&who).unwrap();
        account.number = number.or(account.number);
        account.dm = dm.unwrap_or(&account.dm).clone();
        Ok(Outcome::Done)
    }

    /// Nobody leaves open orders behind.
    pub(super) fn delete(&mut self, who: Actor) -> Result<Outcome, Refusal> {
        self.deals.read_credits(who);
        let is_open = self.deals.orders.values().any(|order| {
            order.state == RequestStatus::Open && [order.requester, order.provider].contains(&who)
        });
        if is_open {
            return Err(refused(Code::OpenObligations));
        }
        self.keys.retain(|_, key| key.owner != who);
        let now = self.now;
        let account = self.accounts.get_mut(&who).unwrap();
        (account.is_deleted, account.deleted_at) = (true, now);
        Ok(Outcome::Done)
    }

    pub(super) fn restore(&mut self, who: Actor) -> Result<Outcome, Refusal> {
        let now = self.now;
        let account = self.accounts.get_mut(&who).unwrap();
        if !account.is_deleted || account.deleted_at <= now - RESTORABLE {
            return Err(refused(Code::WrongState));
        }
        account.is_deleted = false;
        Ok(Outcome::Done)
    }

    pub(super) fn suspend(&mut self, whom: Actor, on: bool) -> Result<Outcome, Refusal> {
        let account = self.accounts.get_mut(&whom).filter(|account| !account.is_deleted);
        let account = account.ok_or_else(|| refused(Code::NotFound))?;
        if !on && !account.is_suspended {
            return Err(refused(Code::WrongState));
        }
        let was_suspended = mem::replace(&mut account.is_suspended, on);
        if was_suspended != on {
            self.notify_of_moderation(whom);
        }
        Ok(Outcome::Done)
    }

    /// Whether it is there, and neither suspended nor deleted.
    pub(super) fn stands(&self, who: Actor) -> bool {
        self.accounts.get(&who).is_some_and(|it| !it.is_suspended && !it.is_deleted)
    }

    /// Whether it is there, and not deleted.
    pub(super) fn exists(&self, who: Actor) -> bool {
        self.accounts.get(&who).is_some_and(|it| !it.is_deleted)
    }

    /// 404 unless `by` may know of this account: suspended ones are hidden from others.
    pub(super) fn found(&self, by: Actor, of: Actor) -> Result<(), Refusal> {
        let is_there = self.stands(of) || by == of && self.exists(of);
        if is_there { Ok(()) } else { Err(refused(Code::NotFound)) }
    }

    pub(super) fn notify_of_moderation(&mut self, whom: Actor) {
        self.tell(whom, Kind::Moderation, None);
    }
}
