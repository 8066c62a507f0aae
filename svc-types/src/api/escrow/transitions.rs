//! What is possible in which state: the one table, read by server, client and tests.

use super::{CloseReason, EscrowAction, EscrowStatus as Status};

/// Who moves an escrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Who pays.
    Buyer,
    /// Who does the work.
    Provider,
    /// A moderator who is no party.
    Moderator,
    /// The clock.
    System,
}

/// What can be done with an escrow that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// The buyer pays.
    Fund,
    /// The buyer takes the order back.
    Cancel,
    /// The provider refuses the work.
    Decline,
    /// Nothing was delivered in time.
    Expire,
    /// The provider delivers, or delivers anew.
    Deliver,
    /// The buyer accepts.
    Release,
    /// The buyer said nothing in time.
    AutoRelease,
    /// The buyer refuses the work.
    Dispute,
    /// The provider answers the dispute.
    Respond,
    /// The provider gives the credits back.
    Refund,
    /// A dispute is decided for the provider.
    ResolveRelease,
    /// A dispute is decided for the buyer.
    ResolveRefund,
}

/// What happens to the credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Movement {
    /// They stay where they are.
    None,
    /// From the buyer into the hold.
    Hold,
    /// From the hold to the provider.
    PayProvider,
    /// From the hold back to the buyer.
    PayBack,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The state before.
    pub from: Status,
    /// What is done.
    pub action: ActionKind,
    /// Who may do it.
    pub by: &'static [Role],
    /// The state after.
    pub to: Status,
    /// What happens to the credits.
    pub moves: Movement,
    /// What the log and the parties are told.
    pub told_as: EscrowAction,
    /// How the escrow ended, if it did.
    pub close_reason: Option<CloseReason>,
}

macro_rules! transitions {
    ($($from:ident, $action:ident by [$($by:ident),+] => $to:ident, $moves:ident, $told:ident $(, $close:ident)?;)+) => {
        /// Every legal move (spec §3.1).
        ///
        /// An action is possible in a state exactly when a row says so. Clocks come on top: what
        /// is due has happened, whether or not anybody looked.
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
}

/// The row for this action in this state, if it is possible there.
pub fn can(from: &Status, action: ActionKind) -> Option<&'static Transition> {
    TRANSITIONS.iter().find(|row| row.from == *from && row.action == action)
}

/// Whether nothing can happen to an escrow in this state any more.
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
