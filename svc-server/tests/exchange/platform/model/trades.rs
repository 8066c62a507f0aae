//! Orders: their rules are those of the model of the exchange; here is what the rest of the platform
//! adds to them.

use svc_types::Code;

use super::messages::Purpose;
use super::{Class, Model, Outcome, Refusal, of_deal, refused};
use crate::step::{Actor, Name, NewAnswer, NewOrder, Step as Deal, Word};

impl Model {
    /// An order is a message that is no message to a stranger, and accepts for the recipient.
    pub(super) fn order(&mut self, who: Actor, new: &NewOrder) -> Result<Outcome, Refusal> {
        let new = NewOrder { by: who, ..new.clone() };
        if new.to == who && new.by_endpoint {
            return Err(refused(Code::SelfAction));
        }
        self.found(who, new.to)?;
        let is_offered = self.has_market && new.offer.provider().is_some();
        // Its own endpoint writes the message with what the service says.
        if new.by_endpoint && !is_offered {
            return Err(refused(Code::ServiceNotFound));
        }
        if new.to == who {
            return Err(refused(Code::SelfAction));
        }
        self.pay(who, &[Class::Writes, Class::Deals])?;
        if !self.has_market || new.offer.provider() != Some(new.to) {
            return Err(refused(Code::ServiceNotFound));
        }
        self.refuse_blocked(who, new.to)?;
        let (name, to) = (new.name, new.to);
        self.deal(&Deal::Order(new))?;
        self.deliver(who, name, to, None, Purpose::Order);
        Ok(Outcome::Done)
    }

    /// An answer reaches who ordered, and costs nothing but the place of a message that reports a delivery.
    pub(super) fn answer(
        &mut self,
        who: Actor,
        name: Name,
        new: &NewAnswer,
    ) -> Result<Outcome, Refusal> {
        let new = NewAnswer { by: who, ..new.clone() };
        let to = new.to;
        if !new.is_malformed() && !self.exists(to) {
            return Err(refused(Code::NotFound));
        }
        if new.word == Word::Delivered && to != who {
            self.pay(who, &[Class::Peer(to)])?;
        }
        self.deal(&Deal::Answer(new))?;
        self.deliver(who, name, to, None, Purpose::Answer);
        Ok(Outcome::Done)
    }

    pub(super) fn begin(&mut self, who: Actor, order: Name) -> Result<Outcome, Refusal> {
        self.pay(who, &[Class::Writes])?;
        self.deal(&Deal::Begin { by: who, order })
    }

    pub(super) fn cancel_order(&mut self, who: Actor, order: Name) -> Result<Outcome, Refusal> {
        self.deal(&Deal::CancelOrder { by: who, order })
    }

    fn deal(&mut self, step: &Deal) -> Result<Outcome, Refusal> {
        match of_deal(self.deals.request(step)) {
            Outcome::Done => Ok(Outcome::Done),
            refusal => Err(refusal),
        }
    }
}
