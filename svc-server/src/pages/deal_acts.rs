//! Actions of the parties to a deal. Each has a page that explains the consequence and asks for
//! confirmation.

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::escrow::{
    ActionKind, CancelEscrow, DeclineEscrow, DeliverEscrow, DisputeEscrow, Escrow, EscrowEnvelope,
    FundEscrow, GetEscrow, RefundEscrow, ReleaseEscrow, Released, RespondToDispute, Role,
    TRANSITIONS,
};

use super::{Flash, Frame, deals};
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
    Fund FundEscrow "fund" "Pay for it" false
        "The credits leave what you can spend and are held until the work is accepted or the deal ends without it.";
    Deliver DeliverEscrow "deliver" "Deliver the work" false
        "The buyer is notified and reviews the work within a set time. A new delivery replaces the last one and starts that time again.";
    Release ReleaseEscrow "release" "Accept the work" false
        "The provider gets the credits at once. This can't be taken back.";
    Dispute DisputeEscrow "dispute" "Dispute" true
        "You refuse the work. Every clock stands still, the provider may answer, and moderators decide who gets the credits. Until then you may still accept, and the provider may give the credits back.";
    Respond RespondToDispute "respond" "Answer the dispute" false
        "Moderators see your side beside the buyer's.";
    Decline DeclineEscrow "decline" "Decline the work" true
        "The deal ends, and the buyer has the credits back at once. This can't be taken back.";
    Cancel CancelEscrow "cancel" "Take the order back" true
        "The deal ends, and you have the credits back at once. The provider may have begun to work. This can't be taken back.";
    Refund RefundEscrow "refund" "Give the credits back" true
        "The deal ends, and the buyer has the credits back at once. This can't be taken back.";
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
    let pages = paths.into_iter().fold(Pages::new(), |pages, path| pages.get(path, show));
    pages
        .form::<FundEscrow>(fund, show, |_, answer| at(answer, Flash::DealPaid))
        .form::<DeliverEscrow>(deliver, show, |_, answer| at(answer, Flash::DealDelivered))
        .form::<ReleaseEscrow>(release, show, released)
        .form::<DisputeEscrow>(dispute, show, |_, answer| at(answer, Flash::DealDisputed))
        .form::<RespondToDispute>(respond, show, |_, answer| at(answer, Flash::DealAnswered))
        .form::<DeclineEscrow>(decline, show, |_, answer| at(answer, Flash::DealEnded))
        .form::<CancelEscrow>(cancel, show, |_, answer| at(answer, Flash::DealEnded))
        .form::<RefundEscrow>(refund, show, |_, answer| at(answer, Flash::DealEnded))
}

fn at(answer: &EscrowEnvelope, flash: Flash) -> Done {
    Done::to(format!("/escrow/{}", answer.escrow.id)).say(flash)
}

fn released(_: &PageRequest, answer: &Released) -> Done {
    Done::to(format!("/escrow/{}", answer.escrow.id)).say(Flash::DealAccepted)
}

#[derive(Template)]
#[template(path = "deal_act.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    escrow: Escrow,
    act: Act,
    /// Whether it is possible in the deal's current state.
    is_open: bool,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let name = context.signed_in()?.username.clone();
    let path = request.path.split('?').next().unwrap_or_default();
    let word = path.rsplit('/').next().unwrap_or_default();
    let act = Act::ALL.iter().copied().find(|act| act.word() == word);
    let act = act.ok_or_else(|| Error::not_found("act"))?;
    let escrow = context.ask(&request.decode::<GetEscrow>()?)?.escrow;
    // Only the party that may take the action gets its form.
    let side = deals::side(&escrow, &name).filter(|side| act.is_of(*side));
    let side = side.ok_or_else(|| Error::not_found("deal in which this is your part"))?;
    Html::of(&Page {
        frame: Frame::of(context, request, act.label())?,
        form: act.form(request),
        is_open: deals::open_to(&escrow, side).contains(&act),
        escrow,
        act,
    })
}
