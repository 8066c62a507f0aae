//! Who calls, by which key, and what the key may do.

use svc_types::{Code, Scope};

use super::{HOUR, Model, Outcome, Refusal, refused};
use crate::platform::step::{Call, Rights, Signer};
use crate::step::{Actor, Name};

/// A key that was made, until it is deleted.
#[derive(Clone, Debug)]
pub(crate) struct NamedKey {
    pub(crate) owner: Actor,
    pub(crate) label: u8,
    pub(crate) rights: Rights,
    pub(crate) ends_at: Option<i64>,
}

impl Rights {
    fn has(self, scope: &Scope) -> bool {
        match self {
            Self::Read => *scope == Scope::Read,
            Self::Write => *scope == Scope::Write,
            Self::Talk => [Scope::Read, Scope::Write, Scope::Dm].contains(scope),
            Self::All => true,
        }
    }
}

/// The scopes of which a call needs one; none needed if it is empty.
fn scopes(call: &Call) -> &'static [Scope] {
    match call {
        Call::Register(_) | Call::Restore => &[],
        Call::Delete | Call::MakeKey { .. } | Call::EndKey(_) | Call::Regenerate => {
            &[Scope::Account]
        }
        Call::Moderate { .. } => &[Scope::Moderate],
        Call::Message { .. }
        | Call::DeleteMessage(_)
        | Call::ReadUpTo(_)
        | Call::Converse { .. } => &[Scope::Dm],
        Call::Order(_) | Call::CancelOrder(_) => &[Scope::ExchangeSpend],
        // What is no answer is refused for its form, which is read by all who may send any message.
        Call::Answer(_, answer) if answer.is_malformed() => {
            &[Scope::Dm, Scope::ExchangeSpend, Scope::ExchangeSell]
        }
        Call::Answer(..) | Call::Begin(_) => &[Scope::ExchangeSell],
        _ => &[Scope::Write],
    }
}

/// Whether a call only finishes what is open, ends what acts for the account, or decides after the key
/// was looked up.
const fn suspended_may(call: &Call) -> bool {
    matches!(
        call,
        Call::Message { .. }
            | Call::Order(_)
            | Call::Answer(..)
            | Call::Begin(_)
            | Call::CancelOrder(_)
            | Call::EndKey(_)
            | Call::Regenerate
    )
}

impl Model {
    /// The caller; 401 or 403 by its key and state alone.
    pub(super) fn admit(&self, by: Signer, call: &Call) -> Result<Actor, Refusal> {
        if matches!(call, Call::Register(_)) {
            return Ok(Actor::Ada);
        }
        let (who, key) = self.holder(by).ok_or_else(|| refused(Code::Unauthorized))?;
        if who == Actor::Mia {
            return Ok(who);
        }
        let account = &self.accounts[&who];
        if account.is_deleted && !matches!(call, Call::Restore) {
            return Err(refused(Code::AccountDeleted));
        }
        if matches!(call, Call::Moderate { .. }) {
            return Err(refused(Code::Forbidden));
        }
        let scopes = scopes(call);
        let may = |key: &NamedKey| scopes.is_empty() || scopes.iter().any(|it| key.rights.has(it));
        if key.is_some_and(|key| !may(key)) {
            return Err(refused(Code::InsufficientScope));
        }
        if key.is_some() && matches!(call, Call::Delete | Call::MakeKey { .. }) {
            return Err(refused(Code::StepUpRequired));
        }
        if account.is_suspended && !suspended_may(call) {
            return Err(refused(Code::AccountSuspended));
        }
        Ok(who)
    }

    /// Messages and orders are refused a suspended account later than other calls.
    pub(super) fn refuse_suspended_sender(&self, who: Actor, call: &Call) -> Result<(), Refusal> {
        let is_suspended = self.accounts.get(&who).is_some_and(|account| account.is_suspended);
        if is_suspended && matches!(call, Call::Message { .. } | Call::Order(_)) {
            return Err(refused(Code::AccountSuspended));
        }
        Ok(())
    }

    /// Whose key it is, and the key if it was made; none if it leads nowhere.
    fn holder(&self, by: Signer) -> Option<(Actor, Option<&NamedKey>)> {
        match by {
            Signer::Default(Actor::Mia) => Some((Actor::Mia, None)),
            Signer::Default(who) => self.accounts.get(&who).map(|_| (who, None)),
            Signer::Named(name) => {
                let key = self.keys.get(&name)?;
                let is_over = key.ends_at.is_some_and(|end| end <= self.now);
                (!is_over).then_some((key.owner, Some(key)))
            }
            Signer::Nobody | Signer::Former(_) => None,
        }
    }

    pub(super) fn make_key(
        &mut self,
        owner: Actor,
        name: Name,
        (label, rights, hours): (u8, Rights, Option<u64>),
    ) -> Result<Outcome, Refusal> {
        if self.keys.values().any(|key| key.owner == owner && key.label == label) {
            return Err(refused(Code::AlreadyExists));
        }
        let ends_at = hours.map(|hours| self.now + i64::try_from(hours).unwrap() * HOUR);
        self.keys.insert(name, NamedKey { owner, label, rights, ends_at });
        Ok(Outcome::Done)
    }

    pub(super) fn end_key(&mut self, who: Actor, name: Name) -> Result<Outcome, Refusal> {
        if self.keys.get(&name).is_none_or(|key| key.owner != who) {
            return Err(refused(Code::NotFound));
        }
        self.keys.remove(&name);
        Ok(Outcome::Done)
    }

    /// The new key may do everything for ever, so only such a key may ask for it.
    pub(super) fn regenerate(&mut self, by: Signer) -> Result<Outcome, Refusal> {
        match self.holder(by) {
            Some((_, Some(key))) if key.rights != Rights::All || key.ends_at.is_some() => {
                Err(refused(Code::InsufficientScope))
            }
            _ => Ok(Outcome::Done),
        }
    }
}
