//! The transition table of escrow, used by server, client and tests.

use super::{CloseReason, EscrowAction, EscrowStatus as Status};

/// Who may change an escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The buyer, who pays.
    Buyer,
    /// The provider, who does the work.
    Provider,
    /// A moderator who is not a party.
    Moderator,
    /// The server, when a deadline passes.
    System,
}

/// Actions on an existing escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// The buyer funds it.
    Fund,
    /// The buyer cancels it.
    Cancel,
    /// The provider declines the work.
    Decline,
    /// Nothing was delivered before the deadline.
    Expire,
    /// The provider delivers, or delivers again.
    Deliver,
    /// The buyer accepts.
    Release,
    /// The review window ends without an answer from the buyer.
    AutoRelease,
    /// The buyer disputes the work.
    Dispute,
    /// The provider responds to the dispute.
    Respond,
    /// The provider refunds the credits.
    Refund,
    /// A dispute is resolved in favor of the provider.
    ResolveRelease,
    /// A dispute is resolved in favor of the buyer.
    ResolveRefund,
    /// The buyer gives more time for the delivery.
    Extend,
    /// A party offers to split the credits.
    OfferSplit,
    /// The other party accepts the split.
    AcceptSplit,
    /// A dispute is resolved by a split.
    ResolveSplit,
}

/// Movement of the credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Movement {
    /// No movement.
    None,
    /// From the buyer to the hold.
    Hold,
    /// From the hold to the provider.
    PayProvider,
    /// From the hold back to the buyer.
    PayBack,
    /// From the hold to both.
    Split,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state before.
    pub from: Status,
    /// The action.
    pub action: ActionKind,
    /// Who may take the action.
    pub by: &'static [Role],
    /// The state after.
    pub to: Status,
    /// Movement of the credits.
    pub moves: Movement,
    /// The event in the log and for the parties.
    pub told_as: EscrowAction,
    /// How the escrow ends, if it does.
    pub close_reason: Option<CloseReason>,
}

macro_rules! transitions {
    ($($from:ident, $action:ident by [$($by:ident),+] => $to:ident, $moves:ident, $told:ident $(, $close:ident)?;)+) => {
        /// Every legal transition (spec §3.1).
        ///
        /// An action is possible in a state if and only if a row says so. Deadlines take
        /// precedence: what is overdue counts as done even before it is recorded.
        pub static TRANSITIONS: &[Transition] = &[$(Transition {
            from: Status::$from,
            action: ActionKind::$action,
            by: &[$(Role::$by),+],
            to: Status::$to,
            moves: Movement::$moves,
            told_as: EscrowAction::$told,
            close_reason: transitions!(@close $($close)?),
        }),+];
    };
    (@close) => { None };
    (@close $close:ident) => { Some(CloseReason::$close) };
}

transitions! {
    Created, Fund by [Buyer] => Funded, Hold, Funded;
    Created, Cancel by [Buyer] => Cancelled, None, Cancelled, BuyerCancelled;
    Created, Decline by [Provider] => Cancelled, None, Cancelled, ProviderDeclined;
    Created, Expire by [System] => Cancelled, None, Cancelled, Expired;
    Funded, Deliver by [Provider] => Delivered, None, Delivered;
    Funded, Cancel by [Buyer] => Cancelled, PayBack, Cancelled, BuyerCancelled;
    Funded, Decline by [Provider] => Cancelled, PayBack, Cancelled, ProviderDeclined;
    Funded, Expire by [System] => Cancelled, PayBack, Cancelled, Expired;
    Delivered, Deliver by [Provider] => Delivered, None, Redelivered;
    Delivered, Release by [Buyer] => Released, PayProvider, Released, Released;
    Delivered, AutoRelease by [System] => Released, PayProvider, AutoReleased, AutoReleased;
    Delivered, Dispute by [Buyer] => Disputed, None, Disputed;
    Delivered, Refund by [Provider] => Refunded, PayBack, Refunded, ProviderRefunded;
    Disputed, Respond by [Provider] => Disputed, None, DisputeResponse;
    Disputed, Release by [Buyer] => Released, PayProvider, Released, Released;
    Disputed, Refund by [Provider] => Refunded, PayBack, Refunded, ProviderRefunded;
    Disputed, ResolveRelease by [Moderator, System] => Released, PayProvider, Resolved, DisputeReleased;
    Disputed, ResolveRefund by [Moderator, System] => Refunded, PayBack, Resolved, DisputeRefunded;
    Created, Extend by [Buyer] => Created, None, Extended;
    Funded, Extend by [Buyer] => Funded, None, Extended;
    Delivered, OfferSplit by [Buyer, Provider] => Delivered, None, SplitOffered;
    Disputed, OfferSplit by [Buyer, Provider] => Disputed, None, SplitOffered;
    Delivered, AcceptSplit by [Buyer, Provider] => Released, Split, Split, Split;
    Disputed, AcceptSplit by [Buyer, Provider] => Released, Split, Split, Split;
    Disputed, ResolveSplit by [Moderator] => Released, Split, Resolved, Split;
}

/// The row for this action in this state, if the action is possible.
pub fn can(from: &Status, action: ActionKind) -> Option<&'static Transition> {
    TRANSITIONS.iter().find(|row| row.from == *from && row.action == action)
}

/// Whether the state is final.
pub fn is_terminal(status: &Status) -> bool {
    TRANSITIONS.iter().all(|row| row.from != *status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_ends_the_escrow_exactly_when_it_says_how() {
        for row in TRANSITIONS {
            assert_eq!(is_terminal(&row.to), row.close_reason.is_some(), "{row:?}");
        }
    }

    #[test]
    fn a_state_and_an_action_have_one_row() {
        for (index, row) in TRANSITIONS.iter().enumerate() {
            let same = |other: &&Transition| other.from == row.from && other.action == row.action;
            assert_eq!(TRANSITIONS[..index].iter().find(same), None);
        }
    }
}
