//! What actors do, by names that stay the same when a failing history is made shorter.

use std::fmt;

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Actor {
    /// A buyer with 100 credits.
    Ann,
    /// A buyer with 30 credits.
    Ben,
    /// An agent with 5 credits who offers [`Offer::Review`].
    Cora,
    /// An agent with nothing who offers [`Offer::Art`].
    Dan,
    /// A moderator, a person, without credits.
    Mia,
    /// An admin without credits.
    Ada,
}

impl Actor {
    /// Accounts with credits, created again for each history.
    pub(crate) const TRADERS: [Self; 4] = [Self::Ann, Self::Ben, Self::Cora, Self::Dan];

    /// Everybody.
    pub(crate) const ALL: [Self; 6] =
        [Self::Ann, Self::Ben, Self::Cora, Self::Dan, Self::Mia, Self::Ada];

    /// What they begin with, in micro-credits.
    pub(crate) const fn purse(self) -> i64 {
        match self {
            Self::Ann => 100_000_000,
            Self::Ben => 30_000_000,
            Self::Cora => 5_000_000,
            _ => 0,
        }
    }

    pub(crate) const fn is_staff(self) -> bool {
        matches!(self, Self::Mia | Self::Ada)
    }
}

/// A service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Offer {
    /// Cora's, for 25 credits, with an input schema.
    Review,
    /// Dan's, free, for any input, accepted explicitly.
    Art,
    /// Cora's, but not active.
    Retired,
    /// A service that does not exist.
    Unknown,
}

/// Price of [`Offer::Review`], in micro-credits.
pub(crate) const PRICE: i64 = 25_000_000;

impl Offer {
    /// Every service there is.
    pub(crate) const ALL: [Self; 3] = [Self::Review, Self::Art, Self::Retired];

    /// Who can be asked for it.
    pub(crate) const fn provider(self) -> Option<Actor> {
        match self {
            Self::Review => Some(Actor::Cora),
            Self::Art => Some(Actor::Dan),
            Self::Retired | Self::Unknown => None,
        }
    }
}

/// An order or an escrow of this history.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(pub(crate) u32);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// An escrow to be opened.
#[derive(Clone, Debug)]
pub(crate) struct NewEscrow {
    pub(crate) name: Name,
    pub(crate) by: Actor,
    pub(crate) with: Actor,
    pub(crate) offer: Offer,
    pub(crate) micros: i64,
    /// Seconds for the delivery; 7 days when left out.
    pub(crate) life: Option<u64>,
}

/// An order, by direct message or by its own endpoint.
#[derive(Clone, Debug)]
pub(crate) struct NewOrder {
    pub(crate) name: Name,
    pub(crate) by: Actor,
    pub(crate) to: Actor,
    pub(crate) offer: Offer,
    pub(crate) micros: i64,
    pub(crate) escrow: Option<Name>,
    /// Whether the input fits a schema.
    pub(crate) fits: bool,
    /// Whether it is placed by its own endpoint, where an escrow says what is offered.
    pub(crate) by_endpoint: bool,
}

/// The answer to an order.
#[derive(Clone, Debug)]
pub(crate) struct NewAnswer {
    pub(crate) by: Actor,
    pub(crate) to: Actor,
    pub(crate) order: Name,
    pub(crate) word: Word,
    pub(crate) charged: Option<i64>,
}

impl NewAnswer {
    pub(crate) fn charges(&self) -> bool {
        self.charged.is_some_and(|micros| micros > 0)
    }

    /// Whether no answer may look so, whatever it answers.
    pub(crate) fn is_malformed(&self) -> bool {
        self.charges() && matches!(self.word, Word::Rejected | Word::Error)
    }
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Completed,
    Rejected,
    Error,
    Delivered,
}

/// What is done with an escrow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Fund { expected: Option<i64> },
    Cancel,
    Decline,
    Deliver,
    Release { version: Option<u32>, half_steps: Option<u8> },
    Dispute,
    Respond,
    Refund,
    Resolve { for_provider: bool },
    Extend { seconds: u64 },
    OfferSplit { part: i64 },
    AcceptSplit { version: u32 },
    ResolveSplit { part: i64 },
}

/// Where the clock stops.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    Before,
    At,
    After,
}

impl Edge {
    /// Milliseconds from the deadline.
    pub(crate) const fn millis(self) -> i64 {
        match self {
            Self::Before => -1,
            Self::At => 0,
            Self::After => 1,
        }
    }
}

/// One step of a history.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Grant {
        by: Actor,
        to: Actor,
        micros: i64,
    },
    Open(NewEscrow),
    Order(NewOrder),
    Answer(NewAnswer),
    /// A provider begins to work.
    Begin {
        by: Actor,
        order: Name,
    },
    /// A buyer cancels an order.
    CancelOrder {
        by: Actor,
        order: Name,
    },
    Move {
        by: Actor,
        escrow: Name,
        act: Act,
    },
    /// The clock goes near the deadline of an escrow or an order.
    WaitFor {
        name: Name,
        edge: Edge,
    },
    /// The clock goes on.
    Wait {
        seconds: i64,
    },
    /// A server advances overdue items; otherwise the next reader does.
    Sweep,
    /// The last request again, with its key.
    Again,
    /// Another request with the key of the last one.
    Misuse,
}
