//! Escrows: who may do what, when, and where the credits go.

use svc_types::Code;
use svc_types::api::escrow::{CloseReason, EscrowStatus};
use svc_types::api::messages::RequestStatus;

use super::{DELIVERY, Escrow, Model, Outcome, REVIEW, refused};
use crate::step::{Act, Actor, Name, NewEscrow};

const DAY: i64 = 86_400_000;

use EscrowStatus::{Cancelled, Created, Delivered, Disputed, Funded, Refunded, Released};

impl Escrow {
    pub(super) fn holds(&self) -> bool {
        matches!(self.status, Funded | Delivered | Disputed)
    }

    /// Who may know of it: moderators from its first dispute on.
    pub(super) fn is_known_to(&self, actor: Actor) -> bool {
        self.is_party(actor) || actor.is_staff() && self.was_disputed
    }

    fn is_party(&self, actor: Actor) -> bool {
        [self.buyer, self.provider].contains(&actor)
    }

    /// Whether this actor is on the right side to act.
    fn may(&self, actor: Actor, act: Act) -> bool {
        match act {
            Act::Fund { .. }
            | Act::Cancel
            | Act::Release { .. }
            | Act::Dispute
            | Act::Extend { .. } => actor == self.buyer,
            Act::Decline | Act::Deliver | Act::Respond | Act::Refund => actor == self.provider,
            Act::OfferSplit { .. } | Act::AcceptSplit { .. } => self.is_party(actor),
            Act::Resolve { .. } | Act::ResolveSplit { .. } => !self.is_party(actor),
        }
    }

    /// Whether the state lets it happen.
    fn can(&self, act: Act) -> bool {
        match act {
            Act::Fund { .. } => self.status == Created,
            Act::Cancel | Act::Decline | Act::Extend { .. } => {
                matches!(self.status, Created | Funded)
            }
            Act::Deliver => matches!(self.status, Funded | Delivered),
            Act::Release { .. }
            | Act::Refund
            | Act::OfferSplit { .. }
            | Act::AcceptSplit { .. } => matches!(self.status, Delivered | Disputed),
            Act::Dispute => self.status == Delivered,
            Act::Respond | Act::Resolve { .. } | Act::ResolveSplit { .. } => {
                self.status == Disputed
            }
        }
    }

    pub(super) fn wrong_state(&self) -> Outcome {
        Outcome::Refused(Code::WrongState, Some(self.status.as_str().to_owned()))
    }
}

impl Model {
    pub(super) fn open(&mut self, new: &NewEscrow) -> Outcome {
        if new.micros == 0 {
            return refused(Code::ValidationFailed);
        }
        if new.by == new.with {
            return refused(Code::SelfEscrow);
        }
        if new.with == Actor::Mia {
            return refused(Code::NotFound);
        }
        if new.offer.provider() != Some(new.with) {
            return refused(Code::ServiceNotFound);
        }
        let funded = self.hold(new.by, new.micros);
        let life = new.life.map_or(DELIVERY, |seconds| i64::try_from(seconds).unwrap() * 1000);
        let escrow = Escrow {
            buyer: new.by,
            provider: new.with,
            offer: new.offer,
            micros: new.micros,
            status: if funded { Funded } else { Created },
            version: if funded { 2 } else { 1 },
            delivery: 0,
            was_disputed: false,
            due: Some(self.now + life),
            end: None,
            half_steps: None,
            opened: self.now,
            split: None,
        };
        self.escrows.insert(new.name, escrow);
        Outcome::Done
    }

    pub(super) fn act(&mut self, by: Actor, name: Name, act: Act) -> Outcome {
        if matches!(act, Act::Resolve { .. } | Act::ResolveSplit { .. }) && !by.is_staff() {
            return refused(Code::Forbidden);
        }
        if !self.escrows.get(&name).is_some_and(|escrow| escrow.is_known_to(by)) {
            return refused(Code::NotFound);
        }
        self.settle_escrow(name);
        let escrow = &self.escrows[&name];
        if !escrow.may(by, act) {
            return refused(Code::Forbidden);
        }
        if !escrow.can(act) {
            return escrow.wrong_state();
        }
        match act {
            Act::Fund { expected: Some(expected) } if expected != escrow.micros => {
                refused(Code::VersionMismatch)
            }
            Act::Release { version: Some(version), .. }
                if i64::from(version) != escrow.delivery =>
            {
                refused(Code::VersionMismatch)
            }
            Act::Extend { seconds } => self.extend(name, seconds),
            Act::OfferSplit { part } | Act::ResolveSplit { part } if part >= escrow.micros => {
                refused(Code::ValidationFailed)
            }
            Act::OfferSplit { part } => {
                let (status, version) = (escrow.status.clone(), escrow.version + 1);
                self.change(name, status);
                self.escrow(name).split = Some((part, by, version));
                Outcome::Done
            }
            Act::AcceptSplit { version } => self.accept_split(by, name, version),
            act => self.carry_out(name, act),
        }
    }

    /// More time: later than before, and within 90 days of the opening.
    fn extend(&mut self, name: Name, seconds: u64) -> Outcome {
        let due = self.now + i64::try_from(seconds).unwrap() * 1000;
        let escrow = self.escrow(name);
        if escrow.due.is_some_and(|before| due <= before) || due > escrow.opened + 90 * DAY {
            return refused(Code::ValidationFailed);
        }
        let status = escrow.status.clone();
        escrow.due = Some(due);
        self.change(name, status);
        Outcome::Done
    }

    fn accept_split(&mut self, by: Actor, name: Name, version: u32) -> Outcome {
        match self.escrows[&name].split {
            Some((_, offerer, _)) if offerer == by => refused(Code::Forbidden),
            Some((_, _, offered)) if offered == i64::from(version) => {
                self.end(name, Released, CloseReason::Split);
                Outcome::Done
            }
            _ => refused(Code::VersionMismatch),
        }
    }

    /// Does what was found to be in order.
    fn carry_out(&mut self, name: Name, act: Act) -> Outcome {
        let escrow = self.escrows[&name].clone();
        match act {
            Act::Fund { .. } => {
                if !self.hold(escrow.buyer, escrow.micros) {
                    return refused(Code::InsufficientCredits);
                }
                self.change(name, Funded);
            }
            Act::Deliver => self.deliver(name),
            Act::Dispute => self.dispute(name),
            Act::Respond => self.change(name, Disputed),
            Act::Cancel => self.end(name, Cancelled, CloseReason::BuyerCancelled),
            Act::Decline => self.end(name, Cancelled, CloseReason::ProviderDeclined),
            Act::Release { half_steps, .. } => {
                if let Some(half_steps) = half_steps {
                    self.ratings.insert((escrow.offer, escrow.buyer), half_steps);
                }
                self.escrow(name).half_steps = half_steps;
                self.end(name, Released, CloseReason::Released);
            }
            Act::Refund => self.end(name, Refunded, CloseReason::ProviderRefunded),
            Act::Resolve { for_provider: true } => {
                self.end(name, Released, CloseReason::DisputeReleased);
            }
            Act::Resolve { for_provider: false } => {
                self.end(name, Refunded, CloseReason::DisputeRefunded);
            }
            Act::ResolveSplit { part } => {
                self.escrow(name).split = Some((part, Actor::Mia, escrow.version + 1));
                self.end(name, Released, CloseReason::Split);
            }
            Act::Extend { .. } | Act::OfferSplit { .. } | Act::AcceptSplit { .. } => {
                unreachable!("done before")
            }
        }
        Outcome::Done
    }

    fn escrow(&mut self, name: Name) -> &mut Escrow {
        self.escrows.get_mut(&name).unwrap()
    }

    fn change(&mut self, name: Name, status: EscrowStatus) {
        let escrow = self.escrow(name);
        escrow.status = status;
        escrow.version += 1;
    }

    fn deliver(&mut self, name: Name) {
        let due = self.now + REVIEW;
        self.change(name, Delivered);
        let escrow = self.escrow(name);
        escrow.delivery += 1;
        escrow.split = None;
        escrow.due = Some(due);
    }

    fn dispute(&mut self, name: Name) {
        self.change(name, Disputed);
        let escrow = self.escrow(name);
        escrow.was_disputed = true;
        escrow.due = None;
    }

    /// Ends it, and its order: the credits go to one side.
    fn end(&mut self, name: Name, status: EscrowStatus, how: CloseReason) {
        let escrow = self.escrows[&name].clone();
        let mut paid = escrow.micros;
        if how == CloseReason::Split {
            let (part, ..) = escrow.split.unwrap();
            self.pay(escrow.provider, part);
            self.pay(escrow.buyer, escrow.micros - part);
            paid = part;
        } else if escrow.holds() {
            let winner = if status == Released { escrow.provider } else { escrow.buyer };
            self.pay(winner, escrow.micros);
        }
        self.change(name, status);
        let ended = self.escrow(name);
        ended.due = None;
        let state = state_of_order(&how);
        ended.end = Some(how);
        let of_it = |order: &&mut super::Order| order.escrow == Some(name) && order.is_open();
        for order in self.orders.values_mut().filter(of_it) {
            order.state = state.clone();
            order.charged = (state == RequestStatus::Completed).then_some(paid);
        }
    }

    /// What the clock does, if it is time.
    pub(super) fn settle_escrow(&mut self, name: Name) {
        let escrow = &self.escrows[&name];
        if escrow.due.is_none_or(|due| due > self.now) {
            return;
        }
        if escrow.status == Delivered {
            self.end(name, Released, CloseReason::AutoReleased);
        } else {
            self.end(name, Cancelled, CloseReason::Expired);
        }
    }
}

/// How an order ends with its escrow.
fn state_of_order(how: &CloseReason) -> RequestStatus {
    match how {
        CloseReason::Released
        | CloseReason::AutoReleased
        | CloseReason::DisputeReleased
        | CloseReason::Split => RequestStatus::Completed,
        CloseReason::ProviderRefunded | CloseReason::DisputeRefunded => RequestStatus::Error,
        CloseReason::ProviderDeclined => RequestStatus::Rejected,
        CloseReason::BuyerCancelled => RequestStatus::Cancelled,
        CloseReason::Expired => RequestStatus::Expired,
        other => panic!("an end that is not known: {other}"),
    }
}
