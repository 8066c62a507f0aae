//! The reference model: what must come of every step, as plain maps of micro-credits.
//!
//! It follows the rules of the exchange and shares no code with the server. What is overdue is
//! moved when somebody looks, and only then.

mod escrows;
mod orders;

use std::collections::BTreeMap;

use svc_types::Code;
use svc_types::api::escrow::{CloseReason, EscrowStatus};
use svc_types::api::messages::RequestStatus;

use crate::step::{Actor, Name, Offer, Step};

/// Time an order waits for its answer, in milliseconds.
const ORDER_LIFE: i64 = 24 * 3_600_000;

/// Time a buyer has after a delivery.
const REVIEW: i64 = 72 * 3_600_000;

/// Time for a delivery when nothing else is said.
const DELIVERY: i64 = 7 * 24 * 3_600_000;

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The step calls no one.
    Quiet,
    /// Done as asked.
    Done,
    /// Refused, with the word of the state that was found, if the code has one.
    Refused(Code, Option<String>),
    /// The first answer again.
    Replayed,
}

/// An escrow as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Escrow {
    pub(crate) buyer: Actor,
    pub(crate) provider: Actor,
    pub(crate) offer: Offer,
    pub(crate) micros: i64,
    pub(crate) status: EscrowStatus,
    pub(crate) version: i64,
    pub(crate) delivery: i64,
    pub(crate) was_disputed: bool,
    pub(crate) due: Option<i64>,
    pub(crate) end: Option<CloseReason>,
    pub(crate) half_steps: Option<u8>,
    /// When it was opened.
    pub(crate) opened: i64,
    /// The offer to split it: what the provider receives, who offers it, and its version.
    pub(crate) split: Option<(i64, Actor, i64)>,
}

/// An order as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) requester: Actor,
    pub(crate) provider: Actor,
    pub(crate) micros: i64,
    pub(crate) escrow: Option<Name>,
    pub(crate) state: RequestStatus,
    pub(crate) charged: Option<i64>,
    pub(crate) due: Option<i64>,
    /// Whether the provider has said how it ended.
    pub(crate) is_answered: bool,
    /// Whether the buyer can cancel it until the provider begins.
    pub(crate) is_explicit: bool,
    /// Whether the provider has begun.
    pub(crate) is_begun: bool,
}

/// The exchange as it should be.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Milliseconds since the history began.
    pub(crate) now: i64,
    /// The next name.
    pub(crate) next: u32,
    pub(crate) available: BTreeMap<Actor, i64>,
    pub(crate) escrows: BTreeMap<Name, Escrow>,
    pub(crate) orders: BTreeMap<Name, Order>,
    /// Half steps of each buyer's latest rating.
    pub(crate) ratings: BTreeMap<(Offer, Actor), u8>,
    /// The last request, and whether its answer is kept.
    last: Option<(Step, bool)>,
    /// What the last step must be answered.
    pub(crate) outcome: Outcome,
}

impl Model {
    /// Before the first step.
    pub(crate) fn new() -> Self {
        Self {
            now: 0,
            next: 0,
            available: Actor::ALL.into_iter().map(|actor| (actor, actor.purse())).collect(),
            escrows: BTreeMap::new(),
            orders: BTreeMap::new(),
            ratings: BTreeMap::new(),
            last: None,
            outcome: Outcome::Quiet,
        }
    }

    /// Executes a step, after which the parties concerned read their credits.
    pub(crate) fn take(&mut self, step: &Step) {
        self.outcome = match step {
            Step::WaitFor { .. } | Step::Wait { .. } | Step::Sweep => self.pass(step),
            Step::Again => self.again(),
            Step::Misuse => self.misuse(),
            step => self.request(step),
        };
        for actor in self.concerned(step) {
            self.read_credits(actor);
        }
    }

    /// A request with a key of its own.
    pub(crate) fn request(&mut self, step: &Step) -> Outcome {
        let outcome = match step {
            Step::Grant { by, to, micros } => self.grant(*by, *to, *micros),
            Step::Open(new) => self.open(new),
            Step::Order(new) => self.order(new),
            Step::Answer(new) => self.answer(new),
            Step::Begin { by, order } => self.begin(*by, *order),
            Step::CancelOrder { by, order } => self.cancel_order(*by, *order),
            Step::Move { by, escrow, act } => self.act(*by, *escrow, *act),
            _ => Outcome::Quiet,
        };
        self.next = self.next.max(new_name(step).map_or(0, |name| name.0 + 1));
        self.last = Some((step.clone(), outcome == Outcome::Done));
        outcome
    }

    /// A refusal is not kept, so that its key can be used again.
    fn again(&mut self) -> Outcome {
        match self.last.clone() {
            None => Outcome::Quiet,
            Some((_, true)) => Outcome::Replayed,
            Some((step, false)) => self.request(&step),
        }
    }

    /// The other request is about an escrow that is not there.
    fn misuse(&self) -> Outcome {
        match &self.last {
            None => Outcome::Quiet,
            Some((_, true)) => refused(Code::IdempotencyConflict),
            Some((_, false)) => refused(Code::NotFound),
        }
    }

    fn grant(&mut self, by: Actor, to: Actor, micros: i64) -> Outcome {
        if by != Actor::Ada {
            return refused(Code::Forbidden);
        }
        if micros == 0 {
            return refused(Code::ValidationFailed);
        }
        self.pay(to, micros);
        Outcome::Done
    }

    fn pay(&mut self, to: Actor, micros: i64) {
        *self.available.entry(to).or_default() += micros;
    }

    /// Takes credits into a hold; false when there are too few even with what is overdue and given back.
    fn hold(&mut self, from: Actor, micros: i64) -> bool {
        if self.available.get(&from).is_none_or(|balance| *balance < micros) {
            self.read_credits(from);
        }
        let balance = self.available.entry(from).or_default();
        let enough = *balance >= micros;
        if enough {
            *balance -= micros;
        }
        enough
    }

    /// What an actor's open orders and escrows hold.
    pub(crate) fn held(&self, actor: Actor) -> i64 {
        let of_escrows = self.escrows.values().filter(|it| it.buyer == actor && it.holds());
        let of_orders = self.orders.values().filter(|it| it.requester == actor && it.holds());
        let escrows: i64 = of_escrows.map(|escrow| escrow.micros).sum();
        escrows + of_orders.map(|order| order.micros).sum::<i64>()
    }

    fn pass(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Wait { seconds } => self.now += seconds * 1000,
            Step::WaitFor { name, edge } => {
                let due = self.due(*name).map_or(0, |due| due + edge.millis());
                self.now = self.now.max(due);
            }
            _ => self.advance_overdue(|_, _| true),
        }
        Outcome::Quiet
    }

    /// When the clock moves an escrow or an order.
    pub(crate) fn due(&self, name: Name) -> Option<i64> {
        let escrow = self.escrows.get(&name).and_then(|escrow| escrow.due);
        escrow.or_else(|| self.orders.get(&name).and_then(|order| order.due))
    }

    /// An actor reads their credits, which advances their overdue items.
    pub(crate) fn read_credits(&mut self, actor: Actor) {
        self.advance_overdue(|one, other| one == actor || other == actor);
    }

    /// Advances overdue items between the selected parties.
    fn advance_overdue(&mut self, wanted: impl Fn(Actor, Actor) -> bool) {
        let escrows = self.escrows.iter().filter(|(_, it)| wanted(it.buyer, it.provider));
        let escrows: Vec<Name> = escrows.map(|(name, _)| *name).collect();
        for name in escrows {
            self.settle_escrow(name);
        }
        let orders = self.orders.iter().filter(|(_, it)| wanted(it.requester, it.provider));
        let orders: Vec<Name> = orders.map(|(name, _)| *name).collect();
        for name in orders {
            self.settle_order(name);
        }
    }

    /// The actors who read their credits after a step: the caller and the other party.
    pub(crate) fn concerned(&self, step: &Step) -> Vec<Actor> {
        let mut actors = match step {
            Step::Grant { by, to, .. } => vec![*by, *to],
            Step::Open(new) => vec![new.by, new.with],
            Step::Order(new) => vec![new.by, new.to],
            Step::Answer(new) => vec![new.by, new.to],
            Step::Begin { by, order } | Step::CancelOrder { by, order } => {
                let parties = self.orders.get(order).map(|it| [it.requester, it.provider]);
                parties.into_iter().flatten().chain([*by]).collect()
            }
            Step::Move { by, escrow, .. } => {
                let parties = self.escrows.get(escrow).map(|it| [it.buyer, it.provider]);
                parties.into_iter().flatten().chain([*by]).collect()
            }
            Step::Again | Step::Misuse => {
                self.last.as_ref().map_or_else(Vec::new, |(last, _)| self.concerned(last))
            }
            Step::WaitFor { .. } | Step::Wait { .. } => Vec::new(),
            Step::Sweep => Actor::TRADERS.to_vec(),
        };
        actors.sort();
        actors.dedup();
        actors
    }

    /// Number of buyers who rated a service, and the mean in tenths, halves rounded up.
    pub(crate) fn rating(&self, offer: Offer) -> (i64, i64) {
        let rated = self.ratings.iter().filter(|((of, _), _)| *of == offer);
        let half_steps: Vec<i64> = rated.map(|(_, half)| i64::from(*half)).collect();
        let count = i64::try_from(half_steps.len()).unwrap();
        let tenths_of_all: i64 = half_steps.iter().map(|half| half * 5).sum();
        let mean = if count == 0 { 0 } else { (2 * tenths_of_all + count) / (2 * count) };
        (count, mean)
    }
}

/// The name a step gives if it is done.
pub(crate) fn new_name(step: &Step) -> Option<Name> {
    match step {
        Step::Open(new) => Some(new.name),
        Step::Order(new) => Some(new.name),
        _ => None,
    }
}

fn refused(code: Code) -> Outcome {
    Outcome::Refused(code, None)
}
