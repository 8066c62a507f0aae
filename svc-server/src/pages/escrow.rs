//! Escrows: the list, and the actions of both parties. Each action has a page that explains the
//! consequence and asks for confirmation.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::credits::GetCredits;
use svc_types::api::escrow::{
    AcceptSplit, ActionKind, CancelEscrow, DeclineEscrow, DeliverEscrow, DisputeEscrow, Escrow,
    EscrowEnvelope, EscrowRole, FundEscrow, GetEscrow, ListEscrows, OfferSplit, RefundEscrow,
    ReleaseEscrow, Released, RespondToDispute, Role, TRANSITIONS,
};
use svc_types::{Balance, Code, Credits};

use super::orders::status::{Badge, Side, escrow_badge};
use super::orders::view::{View, open_to, role};
use super::{Flash, Frame, orders};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// Declares the actions: path segment, ids of the label of the button and of the consequence, and
/// whether it is irreversible and costs a party credits.
macro_rules! acts {
    ($($name:ident $endpoint:ident $word:literal $label:literal $effect:literal $danger:literal;)+) => {
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

            /// Path segment, ids of label and consequence, and whether it is irreversible and
            /// costs a party credits.
            const fn facts(self) -> (&'static str, &'static str, &'static str, bool) {
                match self { $(Self::$name => ($word, $label, $effect, $danger),)+ }
            }

            /// The path segment.
            pub(super) const fn word(self) -> &'static str {
                self.facts().0
            }

            /// The id of the label of its button.
            pub(super) const fn label(self) -> &'static str {
                self.facts().1
            }

            /// The id of the title of its page.
            const fn title(self) -> &'static str {
                match self {
                    Self::Decline => "order-decline-title",
                    Self::Cancel => "order-cancel-title",
                    _ => self.label(),
                }
            }

            /// The id of its consequence.
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
    Fund FundEscrow "fund" "order-act-fund" "order-act-fund-effect" false;
    Deliver DeliverEscrow "deliver" "order-act-deliver" "order-act-deliver-effect" false;
    Release ReleaseEscrow "release" "order-act-release" "order-act-release-effect" false;
    Dispute DisputeEscrow "dispute" "order-act-dispute" "order-act-dispute-effect" true;
    Respond RespondToDispute "respond" "order-act-respond" "order-act-respond-effect" false;
    Decline DeclineEscrow "decline" "order-act-decline" "order-act-decline-effect" true;
    Cancel CancelEscrow "cancel" "order-act-cancel" "order-act-cancel-effect" true;
    Refund RefundEscrow "refund" "order-act-refund" "order-act-refund-effect" true;
    OfferSplit OfferSplit "offer-split" "order-act-offer-split" "order-act-offer-split-effect" false;
    AcceptSplit AcceptSplit "accept-split" "order-act-split" "order-act-split-effect" true;
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
        "/escrow/{escrowId}/offer-split",
        "/escrow/{escrowId}/accept-split",
    ];
    let [fund, deliver, release, dispute, respond, decline, cancel, refund, offer, split] = paths;
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
        .form::<DeclineEscrow>(decline, show, ended)
        .form::<CancelEscrow>(cancel, show, ended)
        .form::<RefundEscrow>(refund, show, ended)
        .form::<OfferSplit>(offer, show, |_, answer| at(answer, Flash::EscrowSplitOffered))
        .form::<AcceptSplit>(split, show, |_, answer| at(answer, Flash::EscrowSplit))
}

fn at(answer: &EscrowEnvelope, flash: Flash) -> Done {
    Done::to(path(&answer.escrow)).say(flash)
}

fn ended(_: &PageRequest, answer: &EscrowEnvelope) -> Done {
    let was_paid = answer.escrow.funded_at.is_some();
    at(answer, if was_paid { Flash::EscrowEnded } else { Flash::EscrowEndedUnpaid })
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

/// The offer to split the credits: who made it, and what seller and buyer would receive.
pub(super) fn offered_split(escrow: &Escrow) -> Option<(&str, Credits, Credits)> {
    let split = escrow.split.as_ref()?;
    let rest = escrow.amount.checked_sub(split.provider_amount)?;
    Some((split.by_username.as_deref()?, split.provider_amount, rest))
}

/// Whether the other party offers this side a split.
pub(super) fn is_offered_split(escrow: &Escrow, side: Role) -> bool {
    let by = offered_split(escrow).and_then(|(by, ..)| role(escrow, by));
    by.is_some_and(|by| by != side)
}

/// Filters of escrows: the value and the id of its label.
const ROLES: [(EscrowRole, &str); 3] = [
    (EscrowRole::Any, "escrows-all"),
    (EscrowRole::Buyer, "orders-buying"),
    (EscrowRole::Provider, "orders-selling"),
];

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
        frame: Frame::of(context, request, request.t("escrows-title"))?,
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
        // The query may choose a language.
        let query = request.path.split_once('?').map(|(_, query)| format!("?{query}"));
        return Ok(Html::moved_for_good(view.path() + &query.unwrap_or_default()));
    }
    orders::page(context, request, view)
}

/// A part of the result as a file.
fn file(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    View::of_escrow(context, request)?.file(request.field("name").unwrap_or_default())
}

/// Types of a result that a person delivers, with the ids of their labels.
const TYPES: [(&str, &str); 6] = [
    ("report", "escrow-type-text"),
    ("code", "escrow-type-code"),
    ("json", "escrow-type-json"),
    ("csv", "escrow-type-csv"),
    ("html", "escrow-type-html"),
    ("svg", "escrow-type-svg"),
];

#[derive(Template)]
#[template(path = "escrow_act.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    escrow: Escrow,
    act: Act,
    /// Whether it is possible in the current state.
    is_open: bool,
    /// The credits of the account that would pay, and how many would remain.
    available: Option<Balance>,
    left: Option<Balance>,
}

impl Page<'_> {
    /// The id of the status, for an action that is not possible now.
    fn state(&self) -> &'static str {
        let is_buyer =
            self.frame.visitor.as_ref().is_some_and(|it| it.username == self.escrow.buyer_username);
        escrow_badge(&self.escrow, if is_buyer { Side::Buyer } else { Side::Seller }).1
    }

    /// Whether the refusal of the form says already that the action is not possible now.
    fn is_refused_for_state(&self) -> bool {
        self.form.refusal().is_some_and(|refusal| refusal.code == Code::WrongState)
    }

    /// The id of the consequence. Nothing is given back of an order that was not paid.
    fn effect(&self) -> &'static str {
        match self.act {
            Act::Decline | Act::Cancel if self.escrow.funded_at.is_none() => {
                "order-act-end-unpaid-effect"
            }
            act => act.effect(),
        }
    }

    /// Whether the result has this type; most are texts.
    fn is_type(&self, word: &str) -> bool {
        self.form.or("deliverable.type", TYPES[0].0) == word
    }

    /// The credits of who is to pay, if they don't suffice.
    fn too_little(&self) -> Option<Balance> {
        self.available.filter(|_| self.left.is_none())
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
    let is_open = open_to(&escrow, side).contains(&act);
    let (price, pays): (Balance, _) = (escrow.amount.bounded(), is_open && act == Act::Fund);
    let available = if pays { Some(context.ask(&GetCredits {})?.credits.available) } else { None };
    let enough = available.filter(|available| *available >= price);
    Html::of(&Page {
        frame: Frame::of(context, request, request.t(act.label()))?,
        form: act.form(request),
        available,
        left: enough.and_then(|available| available.checked_sub(price)),
        is_open,
        escrow,
        act,
    })
}
