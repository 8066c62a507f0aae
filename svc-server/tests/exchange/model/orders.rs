//! Orders, their answers, and how their buyers cancel them.

use svc_types::Code;
use svc_types::api::escrow::EscrowStatus;
use svc_types::api::messages::RequestStatus;

use super::{Model, ORDER_LIFE, Order, Outcome, refused};
use crate::step::{Act, Actor, Name, NewAnswer, NewOrder, Offer, Word};

impl Order {
    pub(super) fn is_open(&self) -> bool {
        self.state == RequestStatus::Open
    }

    pub(super) fn holds(&self) -> bool {
        self.is_open() && self.escrow.is_none()
    }

    /// Whether an answer is the first to say how its escrow ended it.
    fn agrees(&self, word: Word) -> bool {
        let said = closing(word).unwrap_or(RequestStatus::Completed);
        self.escrow.is_some() && !self.is_answered && self.state == said
    }
}

impl Model {
    pub(super) fn order(&mut self, new: &NewOrder) -> Outcome {
        let mut new = new.clone();
        if let Some(name) = new.escrow.filter(|_| new.by_endpoint) {
            new.micros = self.escrows.get(&name).map_or(0, |escrow| escrow.micros);
        }
        let new = &new;
        if new.by == new.to {
            return refused(Code::SelfAction);
        }
        if new.offer.provider() != Some(new.to) {
            return refused(Code::ServiceNotFound);
        }
        if let Err(outcome) = self.may_use(new.escrow, new.by) {
            return outcome;
        }
        if new.offer == Offer::Review && !new.fits {
            return refused(Code::InputSchemaMismatch);
        }
        if let Err(outcome) = self.fits_escrow(new) {
            return outcome;
        }
        let direct = new.escrow.is_none();
        if direct && !self.hold(new.by, new.micros) {
            return refused(Code::InsufficientCredits);
        }
        let order = Order {
            requester: new.by,
            provider: new.to,
            micros: new.micros,
            escrow: new.escrow,
            state: RequestStatus::Open,
            charged: None,
            due: direct.then_some(self.now + ORDER_LIFE),
            is_answered: false,
            is_explicit: new.offer == Offer::Art,
            is_begun: false,
        };
        self.orders.insert(new.name, order);
        Outcome::Done
    }

    /// Only its buyer may order with an escrow.
    fn may_use(&mut self, escrow: Option<Name>, by: Actor) -> Result<(), Outcome> {
        let Some(name) = escrow else {
            return Ok(());
        };
        let known = self.escrows.get(&name).filter(|escrow| escrow.is_known_to(by));
        let buyer = known.ok_or_else(|| refused(Code::NotFound))?.buyer;
        self.settle_escrow(name);
        if buyer == by { Ok(()) } else { Err(refused(Code::Forbidden)) }
    }

    /// The escrow is for the same, paid for, and not in use.
    fn fits_escrow(&self, new: &NewOrder) -> Result<(), Outcome> {
        let Some(escrow) = new.escrow.map(|name| &self.escrows[&name]) else {
            return Ok(());
        };
        let same =
            escrow.provider == new.to && escrow.offer == new.offer && escrow.micros == new.micros;
        if !same {
            return Err(refused(Code::EscrowMismatch));
        }
        if escrow.status != EscrowStatus::Funded {
            return Err(escrow.wrong_state());
        }
        let in_use = |order: &Order| order.escrow == new.escrow && order.is_open();
        if self.orders.values().any(in_use) {
            return Err(refused(Code::EscrowInUse));
        }
        Ok(())
    }

    pub(super) fn answer(&mut self, new: &NewAnswer) -> Outcome {
        if matches!(new.word, Word::Rejected | Word::Error) && new.charges() {
            return refused(Code::InvalidServiceMessage);
        }
        if new.by == new.to {
            return refused(Code::SelfAction);
        }
        let order = self.orders.get(&new.order).cloned();
        let is_party = |order: &Order| [order.requester, order.provider].contains(&new.by);
        let Some(order) = order.filter(is_party) else {
            return refused(Code::RequestNotFound);
        };
        if order.provider != new.by || order.requester != new.to {
            return refused(Code::Forbidden);
        }
        self.settle_order(new.order);
        if let Some(name) = order.escrow.filter(|_| order.is_open()) {
            self.settle_escrow(name);
        }
        if let Some(code) = refused_charge(&order, new) {
            return refused(code);
        }
        let order = self.orders[&new.order].clone();
        if !order.is_open() && !order.agrees(new.word) {
            return Outcome::Refused(Code::RequestClosed, Some(order.state.as_str().to_owned()));
        }
        if let Err(outcome) = self.is_far_enough(&order, new.word) {
            return outcome;
        }
        self.close(new, &order);
        Outcome::Done
    }

    /// The order, for one of its parties; what is overdue is advanced.
    fn order_of(
        &mut self,
        name: Name,
        by: Actor,
        side: fn(&Order) -> Actor,
    ) -> Result<Order, Outcome> {
        let is_party = |order: &&Order| [order.requester, order.provider].contains(&by);
        let order = self.orders.get(&name).filter(is_party).cloned();
        let order = order.ok_or_else(|| refused(Code::NotFound))?;
        if side(&order) != by {
            return Err(refused(Code::Forbidden));
        }
        self.settle_order(name);
        if let Some(escrow) = self.orders[&name].escrow.filter(|_| self.orders[&name].is_open()) {
            self.settle_escrow(escrow);
        }
        Ok(self.orders[&name].clone())
    }

    pub(super) fn begin(&mut self, by: Actor, name: Name) -> Outcome {
        let order = match self.order_of(name, by, |order| order.provider) {
            Ok(order) => order,
            Err(outcome) => return outcome,
        };
        if !order.is_open() {
            let state = order.state.as_str().to_owned();
            return Outcome::Refused(Code::RequestClosed, Some(state));
        }
        self.orders.get_mut(&name).unwrap().is_begun = true;
        Outcome::Done
    }

    pub(super) fn cancel_order(&mut self, by: Actor, name: Name) -> Outcome {
        let order = match self.order_of(name, by, |order| order.requester) {
            Ok(order) => order,
            Err(outcome) => return outcome,
        };
        let wrong = |state: &str| Outcome::Refused(Code::WrongState, Some(state.to_owned()));
        if !order.is_open() {
            return wrong(order.state.as_str());
        }
        if let Some(escrow) = order.escrow {
            return self.act(by, escrow, Act::Cancel);
        }
        if order.is_begun || !order.is_explicit {
            return wrong(if order.is_begun { "working" } else { "open" });
        }
        self.pay(order.requester, order.micros);
        let cancelled = self.orders.get_mut(&name).unwrap();
        cancelled.state = RequestStatus::Cancelled;
        cancelled.due = None;
        Outcome::Done
    }

    /// Where an escrow pays, completed needs its release, and delivered its delivery, after which
    /// the order can't be declined.
    fn is_far_enough(&self, order: &Order, word: Word) -> Result<(), Outcome> {
        let Some(name) = order.escrow else {
            return Ok(());
        };
        let escrow = &self.escrows[&name];
        let is_against = matches!(word, Word::Rejected | Word::Error);
        let far = match escrow.status {
            EscrowStatus::Released => !is_against,
            EscrowStatus::Delivered | EscrowStatus::Disputed => word == Word::Delivered,
            _ => is_against,
        };
        if far { Ok(()) } else { Err(escrow.wrong_state()) }
    }

    /// Ends an order as its answer says, if its escrow has not ended it; `delivered` ends nothing.
    fn close(&mut self, new: &NewAnswer, order: &Order) {
        let Some(state) = closing(new.word) else {
            return;
        };
        self.orders.get_mut(&new.order).unwrap().is_answered = true;
        if !order.is_open() {
            return;
        }
        let direct = order.escrow.is_none();
        let is_paid = direct && new.word == Word::Completed;
        let charged = is_paid.then(|| new.charged.unwrap_or(order.micros));
        if direct {
            self.pay(order.provider, charged.unwrap_or(0));
            self.pay(order.requester, order.micros - charged.unwrap_or(0));
        }
        let closed = self.orders.get_mut(&new.order).unwrap();
        closed.state = state;
        closed.charged = charged;
        closed.due = None;
    }

    /// What the clock does, if it is time.
    pub(super) fn settle_order(&mut self, name: Name) {
        let order = self.orders.get_mut(&name).unwrap();
        if order.due.is_none_or(|due| due > self.now) {
            return;
        }
        order.due = None;
        order.state = RequestStatus::Expired;
        let (back, requester) = (order.micros, order.requester);
        if order.escrow.is_none() {
            self.pay(requester, back);
        }
    }
}

/// The state to which a word brings an order, if to any.
fn closing(word: Word) -> Option<RequestStatus> {
    match word {
        Word::Completed => Some(RequestStatus::Completed),
        Word::Rejected => Some(RequestStatus::Rejected),
        Word::Error => Some(RequestStatus::Error),
        Word::Delivered => None,
    }
}

/// Why the stored order forbids a charge, before it matters whether it is open.
fn refused_charge(order: &Order, new: &NewAnswer) -> Option<Code> {
    let charged = new.charged.unwrap_or(0);
    match new.word {
        Word::Completed if order.escrow.is_some() => {
            (charged != 0 && charged != order.micros).then_some(Code::ChargeExceedsOffer)
        }
        Word::Completed => (charged > order.micros).then_some(Code::ChargeExceedsOffer),
        Word::Delivered if order.escrow.is_none() => Some(Code::InvalidServiceMessage),
        _ => new.charges().then_some(Code::InvalidServiceMessage),
    }
}
