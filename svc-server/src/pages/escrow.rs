//! Escrows: the list, and the actions of both parties. Each action has a page that explains the
//! consequence and asks for confirmation.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::escrow::{
    ActionKind, CancelEscrow, DeclineEscrow, DeliverEscrow, DisputeEscrow, Escrow, EscrowEnvelope,
    EscrowRole, FundEscrow, GetEscrow, ListEscrows, RefundEscrow, ReleaseEscrow, Released,
    RespondToDispute, Role, TRANSITIONS,
};

use super::orders::status::{Badge, Side, escrow_badge};
use super::orders::view::{View, open_to, role};
use super::{Flash, Frame, orders};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Declares the actions: path segment, label of the button, consequence.
macro_rules! acts {
    ($($name:ident $endpoint:ident $word:literal $label:literal $danger:literal $effect:literal;)+) => {
        /// An action of a party.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Act {
            $($name,)+
        }

        impl Act {
            const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The action for an entry of the transition table; `None` if no page offers it.
            pub(super) const fn of(action: ActionKind) -> Option<Self> {
                match action { $(ActionKind::$name => Some(Self::$name),)+ _ => None }
            }

            /// Path segment, label of the button, consequence, and whether it is irreversible and
            /// costs a party credits.
            const fn facts(self) -> (&'static str, &'static str, &'static str, bool) {
                match self { $(Self::$name => ($word, $label, $effect, $danger),)+ }
            }

            /// The path segment.
            pub(super) const fn word(self) -> &'static str {
                self.facts().0
            }

            /// The label of the button.
            pub(super) const fn label(self) -> &'static str {
                self.facts().1
            }

            /// The consequence.
            const fn effect(self) -> &'static str {
                self.facts().2
            }

            /// Whether its button stands out: it leads to the usual end.
            pub(super) const fn is_main(self) -> bool {
                matches!(self, Self::Fund | Self::Deliver | Self::Release | Self::Respond)
            }

            /// Whether it is irreversible and costs a party credits.
            pub(super) const fn is_danger(self) -> bool {
                self.facts().3
            }

            /// Whether this role may ever take the action.
            fn is_of(self, side: Role) -> bool {
                TRANSITIONS.iter().any(|row| Self::of(row.action) == Some(self) && row.by.contains(&side))
            }

            /// The submitted fields of its form.
            fn form(self, request: &PageRequest) -> Form<'_> {
                match self { $(Self::$name => request.form::<$endpoint>(),)+ }
            }
        }
    };
}

acts! {
    Fund FundEscrow "fund" "Pay order" false
        "The credits are held until you accept the result or the order ends without one.";
    Deliver DeliverEscrow "deliver" "Deliver result" false
        "The buyer is notified and reviews the result within the review period. A new delivery replaces the last one and restarts that period.";
    Release ReleaseEscrow "release" "Accept result" false
        "The seller is paid at once. This can't be undone.";
    Dispute DisputeEscrow "dispute" "Dispute result" true
        "You reject the result. Deadlines are paused, the seller can respond, and a moderator decides who gets the credits. Until then you can still accept, and the seller can refund you.";
    Respond RespondToDispute "respond" "Respond to dispute" false
        "Moderators read your statement next to the buyer's.";
    Decline DeclineEscrow "decline" "Decline order" true
        "The order ends, and the buyer is refunded at once. This can't be undone.";
    Cancel CancelEscrow "cancel" "Cancel order" true
        "The order ends, and you are refunded at once. The seller may have started to work. This can't be undone.";
    Refund RefundEscrow "refund" "Refund buyer" true
        "The order ends, and the buyer is refunded at once. This can't be undone.";
}

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let paths = [
        "/escrow/{escrowId}/fund",
        "/escrow/{escrowId}/deliver",
        "/escrow/{escrowId}/release",
        "/escrow/{escrowId}/dispute",
        "/escrow/{escrowId}/respond",
        "/escrow/{escrowId}/decline",
        "/escrow/{escrowId}/cancel",
        "/escrow/{escrowId}/refund",
    ];
    let [fund, deliver, release, dispute, respond, decline, cancel, refund] = paths;
    let pages = Pages::new()
        .get("/escrow", list)
        .get("/escrow/{escrowId}", one)
        .get("/escrow/{escrowId}/files/{name}", file);
    let pages = paths.into_iter().fold(pages, |pages, path| pages.get(path, show));
    pages
        .form::<FundEscrow>(fund, show, |_, answer| at(answer, Flash::EscrowPaid))
        .form::<DeliverEscrow>(deliver, show, |_, answer| at(answer, Flash::EscrowDelivered))
        .form::<ReleaseEscrow>(release, show, released)
        .form::<DisputeEscrow>(dispute, show, |_, answer| at(answer, Flash::EscrowDisputed))
        .form::<RespondToDispute>(respond, show, |_, answer| at(answer, Flash::EscrowAnswered))
        .form::<DeclineEscrow>(decline, show, |_, answer| at(answer, Flash::EscrowEnded))
        .form::<CancelEscrow>(cancel, show, |_, answer| at(answer, Flash::EscrowEnded))
        .form::<RefundEscrow>(refund, show, |_, answer| at(answer, Flash::EscrowEnded))
}

fn at(answer: &EscrowEnvelope, flash: Flash) -> Done {
    Done::to(path(&answer.escrow)).say(flash)
}

fn released(_: &PageRequest, answer: &Released) -> Done {
    Done::to(path(&answer.escrow)).say(Flash::EscrowAccepted)
}

/// The page of an escrow: that of its latest order, if it has one.
pub(super) fn path(escrow: &Escrow) -> String {
    match &escrow.request_id {
        Some(order) => format!("/orders/{order}"),
        None => format!("/escrow/{}", escrow.id),
    }
}

/// Filters of escrows: the value and its label.
const ROLES: [(EscrowRole, &str); 3] =
    [(EscrowRole::Any, "All"), (EscrowRole::Buyer, "Buying"), (EscrowRole::Provider, "Selling")];

#[derive(Template)]
#[template(path = "escrows.html")]
struct List<'a> {
    frame: Frame,
    role: &'a str,
    roles: &'static [(EscrowRole, &'static str)],
    escrows: Vec<Escrow>,
    next: Option<String>,
}

impl List<'_> {
    fn badge(&self, escrow: &Escrow) -> Badge {
        let visitor = self.frame.visitor.as_ref().map(|visitor| visitor.username.as_str());
        let is_buyer = visitor == Some(escrow.buyer_username.as_str());
        escrow_badge(escrow, if is_buyer { Side::Buyer } else { Side::Seller })
    }
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let page = context.ask(&request.decode::<ListEscrows>()?)?;
    Html::of(&List {
        frame: Frame::of(context, request, "Escrows")?,
        role: request.field("role").unwrap_or("any"),
        roles: &ROLES,
        next: request.next(page.next_cursor.as_ref()),
        escrows: page.escrows,
    })
}

/// The page of the order that an escrow pays for; an escrow without one has the same page.
fn one(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let view = View::of_escrow(context, request)?;
    if view.order.is_some() {
        return Ok(Html::moved_for_good(view.path()));
    }
    orders::page(context, request, view)
}

/// A part of the result as a file.
fn file(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    View::of_escrow(context, request)?.file(request.field("name").unwrap_or_default())
}

#[derive(Template)]
#[template(path = "escrow_act.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    escrow: Escrow,
    act: Act,
    /// Whether it is possible in the current state.
    is_open: bool,
}

impl Page<'_> {
    /// The status in words, if the action is not possible now.
    fn state(&self) -> &'static str {
        let is_buyer =
            self.frame.visitor.as_ref().is_some_and(|it| it.username == self.escrow.buyer_username);
        escrow_badge(&self.escrow, if is_buyer { Side::Buyer } else { Side::Seller }).1
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let name = context.signed_in()?.username.clone();
    let path = request.path.split('?').next().unwrap_or_default();
    let word = path.rsplit('/').next().unwrap_or_default();
    let act = Act::ALL.iter().copied().find(|act| act.word() == word);
    let act = act.ok_or_else(|| Error::not_found("act"))?;
    let escrow = context.ask(&request.decode::<GetEscrow>()?)?.escrow;
    // Only the party that may take the action gets its form.
    let side = role(&escrow, &name).filter(|side| act.is_of(*side));
    let side = side.ok_or_else(|| Error::not_found("order in which this is your part"))?;
    Html::of(&Page {
        frame: Frame::of(context, request, act.label())?,
        form: act.form(request),
        is_open: open_to(&escrow, side).contains(&act),
        escrow,
        act,
    })
}
