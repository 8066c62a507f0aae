//! Deals: credits held until the work is accepted.

use askama::Template;
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::escrow::{
    ActionKind, CloseReason, Escrow, EscrowAction, EscrowRole, EscrowStatus, GetEscrow,
    ListEscrows, Role, TRANSITIONS, is_terminal,
};

use super::Frame;
use super::case::Case;
use super::deal_acts::Act;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/escrow", list).get("/escrow/{escrowId}", show)
}

/// Filters of deals: the value and its label.
const SIDES: [(EscrowRole, &str); 3] =
    [(EscrowRole::Any, "All"), (EscrowRole::Buyer, "I pay"), (EscrowRole::Provider, "I deliver")];

#[derive(Template)]
#[template(path = "deals.html")]
struct List<'a> {
    frame: Frame,
    role: &'a str,
    sides: &'static [(EscrowRole, &'static str)],
    escrows: Vec<Escrow>,
    next: Option<String>,
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let page = context.ask(&request.decode::<ListEscrows>()?)?;
    Html::of(&List {
        frame: Frame::of(context, request, "Deals")?,
        role: request.field("role").unwrap_or("any"),
        sides: &SIDES,
        next: request.next(page.next_cursor.as_ref()),
        escrows: page.escrows,
    })
}

#[derive(Template)]
#[template(path = "deal.html")]
struct Page {
    frame: Frame,
    case: Case,
    side: Option<Role>,
    /// The next actions: of the visitor, and of the other parties.
    own: Vec<Act>,
    others: Vec<(String, Act)>,
    clock: Option<(Timestamp, &'static str)>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let name = context.signed_in()?.username.clone();
    let escrow = context.ask(&request.decode::<GetEscrow>()?)?.escrow;
    let side = side(&escrow, &name);
    Html::of(&Page {
        frame: Frame::of(context, request, "Deal")?,
        own: side.map(|side| open_to(&escrow, side)).unwrap_or_default(),
        others: others(&escrow, side),
        clock: clock(&escrow),
        side,
        case: Case::of(context, request, escrow)?,
    })
}

/// The visitor's role in a deal; `None` for a moderator.
pub(super) fn side(escrow: &Escrow, name: &str) -> Option<Role> {
    match name {
        name if name == escrow.buyer_username => Some(Role::Buyer),
        name if name == escrow.provider_username => Some(Role::Provider),
        _ => None,
    }
}

/// The actions that a role may take now.
pub(super) fn open_to(escrow: &Escrow, side: Role) -> Vec<Act> {
    let rows = TRANSITIONS.iter().filter(|row| row.from == escrow.status && row.by.contains(&side));
    rows.filter_map(|row| Act::of(row.action)).collect()
}

/// The actions that the other parties may take.
fn others(escrow: &Escrow, side: Option<Role>) -> Vec<(String, Act)> {
    let parties =
        [(Role::Buyer, &escrow.buyer_username), (Role::Provider, &escrow.provider_username)];
    let others = parties.into_iter().filter(|(role, _)| Some(*role) != side);
    let acts = others
        .flat_map(|(role, name)| open_to(escrow, role).into_iter().map(|act| (name.clone(), act)));
    acts.collect()
}

/// The next automatic step, and its time.
fn clock(escrow: &Escrow) -> Option<(Timestamp, &'static str)> {
    let is_due =
        |action| TRANSITIONS.iter().any(|row| row.from == escrow.status && row.action == action);
    if is_due(ActionKind::Expire) {
        return Some((
            escrow.expires_at,
            "the deal ends if nothing is delivered, and the buyer has the credits",
        ));
    }
    let ends = escrow.review_ends_at.filter(|_| is_due(ActionKind::AutoRelease))?;
    Some((
        ends,
        "the work counts as accepted if the buyer says nothing, and the provider has the credits",
    ))
}

impl Page {
    fn is_buyer(&self) -> bool {
        self.side == Some(Role::Buyer)
    }

    fn is_provider(&self) -> bool {
        self.side == Some(Role::Provider)
    }

    fn is_over(&self) -> bool {
        is_terminal(&self.case.escrow.status)
    }
}

/// The state of a deal: the CSS class of its badge, and its label.
pub(super) fn state(status: &EscrowStatus) -> (&'static str, &'static str) {
    match status {
        EscrowStatus::Created => ("wait", "Not paid for"),
        EscrowStatus::Funded => ("wait", "Credits held, work to be delivered"),
        EscrowStatus::Delivered => ("wait", "Delivered, in review"),
        EscrowStatus::Released => ("good", "Accepted and paid"),
        EscrowStatus::Cancelled => ("bad", "Ended before the delivery"),
        EscrowStatus::Disputed => ("bad", "Disputed"),
        EscrowStatus::Refunded => ("bad", "Credits given back"),
        _ => ("wait", "In a state this page does not know"),
    }
}

/// How a deal ended, in words.
fn end(reason: &CloseReason) -> &'static str {
    match reason {
        CloseReason::BuyerCancelled => "The buyer took the order back.",
        CloseReason::ProviderDeclined => "The provider declined.",
        CloseReason::Expired => "Nothing was delivered in time.",
        CloseReason::Released => "The buyer accepted the work.",
        CloseReason::AutoReleased => {
            "The buyer said nothing in time, so the work counts as accepted."
        }
        CloseReason::DisputeReleased => "The dispute was decided for the provider.",
        CloseReason::DisputeRefunded => "The dispute was decided for the buyer.",
        CloseReason::ProviderRefunded => "The provider gave the credits back.",
        CloseReason::Split => "The credits were split between both.",
        _ => "It is over.",
    }
}

/// An entry of the timeline.
pub(super) fn told(action: &EscrowAction) -> &'static str {
    match action {
        EscrowAction::Created => "Opened",
        EscrowAction::Funded => "Paid for; the credits are held",
        EscrowAction::Delivered => "Delivered",
        EscrowAction::Redelivered => "Delivered again",
        EscrowAction::Released => "Accepted; the provider has the credits",
        EscrowAction::AutoReleased => "Accepted by the clock; the provider has the credits",
        EscrowAction::Disputed => "Disputed; every clock stands still",
        EscrowAction::DisputeResponse => "The dispute was answered",
        EscrowAction::Refunded => "Given back to the buyer",
        EscrowAction::Resolved => "The dispute was decided",
        EscrowAction::Cancelled => "Ended",
        EscrowAction::Extended => "More time for the delivery",
        EscrowAction::SplitOffered => "A split of the credits was offered",
        EscrowAction::Split => "The credits were split",
        _ => "Something this page does not know",
    }
}
