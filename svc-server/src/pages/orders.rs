//! Orders: the list, and one page for buyer, seller and moderator.

mod partials;
pub(super) mod sample;
pub(super) mod status;
pub(super) mod view;

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::escrow::{EscrowEnvelope, ExtendEscrow, ResolveEscrow};
use svc_types::api::orders::{
    AnswerOrder, AnswerSample, CancelOrder, CreateReview, DeleteReview, ExtendOrder, GetOrder,
    InputOrder, ListOrders, OrderEnvelope, OrderRole, OrderStatus, ProposeSample, Review,
    SampleProposal, SampleState, ServiceOrder, WithdrawSample,
};

use self::sample::Sample;
use self::status::{Badge, Side};
use self::view::View;
use super::answer::Answering;
use super::more_time::Wish;
use super::question::Asking;
use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// The page of an order.
const ONE: &str = "/orders/{orderId}";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    let (review, cancel) = ("/orders/{orderId}/review", "/orders/{orderId}/cancel");
    let (sample, answer) = ("/orders/{orderId}/sample", "/orders/{orderId}/sample/answer");
    Pages::new()
        .get("/orders", list)
        .get(ONE, show)
        .get("/orders/{orderId}/files/{name}", file)
        .get("/orders/{orderId}/partials", partials::list)
        .form::<CreateReview>(review, show, |request, _: &Review| at(request).say(Flash::Reviewed))
        .button::<DeleteReview>("/orders/{orderId}/review/delete", |request, _: &Deleted| {
            at(request).say(Flash::ReviewDeleted)
        })
        .form::<ProposeSample>(sample, show, |request, _: &SampleProposal| {
            at(request).say(Flash::SampleProposed)
        })
        .form::<AnswerSample>(answer, show, answered)
        .button::<WithdrawSample>("/orders/{orderId}/sample/withdraw", |request, _: &Deleted| {
            at(request).say(Flash::SampleWithdrawn)
        })
        .get(cancel, ask_cancel)
        .form::<CancelOrder>(cancel, ask_cancel, cancelled)
        .form::<ResolveEscrow>("/moderation/disputes/{escrowId}", show_dispute, |_, answer| {
            decided(answer)
        })
        .get("/moderation/disputes/{escrowId}", show_dispute)
}

/// The order of a form.
fn at(request: &PageRequest) -> Done {
    Done::to(format!("/orders/{}", request.field("orderId").unwrap_or_default()))
}

fn cancelled(request: &PageRequest, answer: &OrderEnvelope) -> Done {
    let is_free = answer.order.offered_credits.is_zero();
    at(request).say(if is_free { Flash::EscrowEndedUnpaid } else { Flash::EscrowEnded })
}

fn answered(request: &PageRequest, answer: &SampleProposal) -> Done {
    let is_agreed = answer.state == SampleState::Agreed;
    at(request).say(if is_agreed { Flash::SampleAgreed } else { Flash::SampleDeclined })
}

fn decided(_: &EscrowEnvelope) -> Done {
    Done::to("/moderation/disputes").say(Flash::Decided)
}

/// Tabs of the list: the word in the query, and the id of the label.
const TABS: [(&str, &str); 4] = [
    ("buying", "orders-buying"),
    ("review", "orders-review"),
    ("selling", "orders-selling"),
    ("disputes", "orders-disputes"),
];

#[derive(Template)]
#[template(path = "orders.html")]
struct List<'a> {
    frame: Frame,
    tab: &'a str,
    tabs: &'static [(&'static str, &'static str)],
    /// Orders that their sellers ask to show as samples.
    asked: Vec<ServiceOrder>,
    orders: Vec<ServiceOrder>,
    next: Option<String>,
}

impl List<'_> {
    fn badge(&self, order: &ServiceOrder) -> Badge {
        let is_buyer = self.frame.is_own(&order.buyer.id);
        let side = if is_buyer { Side::Buyer } else { Side::Seller };
        status::of_price(status::badge(&order.status, side), order.offered_credits.is_zero())
    }

    /// Whether the visitor sells services, which only agents do.
    fn sells(&self) -> bool {
        self.frame.visitor.as_ref().is_some_and(|visitor| visitor.is_agent)
    }

    /// What was charged for an order; until that is known, what was offered.
    fn cost(&self, order: &ServiceOrder) -> String {
        self.frame.price(order.charged_credits.unwrap_or(order.offered_credits))
    }
}

fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let usual = if context.signed_in()?.is_agent { "selling" } else { "buying" };
    let tab = request.field("tab").unwrap_or(usual);
    let (role, status) = match tab {
        "buying" => (OrderRole::Buyer, None),
        "review" => (OrderRole::Buyer, Some(OrderStatus::Delivered)),
        "selling" => (OrderRole::Provider, None),
        "disputes" => (OrderRole::Any, Some(OrderStatus::Disputed)),
        _ => (OrderRole::Any, None),
    };
    let cursor = request.field("cursor");
    let page =
        context.ask(&ListOrders { status, cursor: cursor.map(Into::into), ..every(role) })?;
    let asked = match (tab, cursor) {
        ("buying", None) => {
            let sample = Some(SampleState::Proposed);
            context.ask(&ListOrders { sample, ..every(OrderRole::Buyer) })?.orders
        }
        _ => Vec::new(),
    };
    Html::of(&List {
        asked,
        frame: Frame::of(context, request, request.t("orders-title"))?,
        tab,
        tabs: &TABS,
        next: request.next(page.next_cursor.as_ref()),
        orders: page.orders,
    })
}

/// Every order of a side.
const fn every(role: OrderRole) -> ListOrders {
    ListOrders {
        role: Some(role),
        status: None,
        counterparty: None,
        service_id: None,
        client_order_id: None,
        sample: None,
        since: None,
        limit: None,
        cursor: None,
    }
}

#[derive(Template)]
#[template(path = "order.html")]
struct Page<'a> {
    frame: Frame,
    view: View,
    /// The form with which the seller delivers. Submitted fields are preserved even if the order
    /// has ended in the meantime.
    answering: Option<Answering>,
    form: Form<'a>,
    /// The form with which the buyer answers a question of the seller.
    asking: Option<Asking>,
    given: Form<'a>,
    /// More time that the seller asks for, and the form that gives it.
    wish: Option<Wish>,
    extending: Form<'a>,
    review: Form<'a>,
    is_to_review: bool,
    /// The sample that the order is or may become, and its form.
    sample: Option<Sample>,
    sampling: Form<'a>,
    decision: Form<'a>,
}

impl Page<'_> {
    fn is_visitor(&self, name: &str) -> bool {
        self.frame.visitor.as_ref().is_some_and(|visitor| visitor.username == name)
    }

    /// The rating that the buyer gave when accepting the result; empty if there is none.
    fn given_rating(&self) -> String {
        let rating = self.view.escrow.as_ref().and_then(|escrow| escrow.rating.as_ref());
        rating.map(ToString::to_string).unwrap_or_default()
    }
}

pub(super) fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let order = context.ask(&asked(request))?.order;
    let view = View::of_order(context, request, order)?;
    page(context, request, view)
}

/// The order of a path, as it is now.
fn asked(request: &PageRequest) -> GetOrder {
    GetOrder {
        order_id: request.field("orderId").unwrap_or_default().into(),
        wait_seconds: None,
        after_version: None,
    }
}

/// The page of a view.
pub(super) fn page(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    view: View,
) -> Result<Html> {
    let form = request.form::<AnswerOrder>();
    let answering =
        if view.is_open() || form.is_typed() { Answering::of(context, &view)? } else { None };
    let given = request.form::<InputOrder>();
    Html::of(&Page {
        frame: Frame::of(context, request, view.title())?,
        review: request.form::<CreateReview>(),
        is_to_review: is_to_review(context, &view)?,
        sample: Sample::of(context, &view)?,
        asking: Asking::of(&view, given),
        given,
        wish: Wish::of(&view, context.now()),
        extending: typed([request.form::<ExtendOrder>(), request.form::<ExtendEscrow>()]),
        sampling: typed([request.form::<ProposeSample>(), request.form::<AnswerSample>()]),
        decision: request.form::<ResolveEscrow>(),
        view,
        answering,
        form,
    })
}

/// The form of these that was submitted.
fn typed(forms: [Form<'_>; 2]) -> Form<'_> {
    forms.into_iter().find(Form::is_typed).unwrap_or(Form::EMPTY)
}

/// Whether the visitor is the buyer and may write a review. An escrow without an order has none.
fn is_to_review(context: &mut PageContext<'_>, view: &View) -> Result<bool> {
    let order = view.order.as_ref().filter(|_| view.is_buyer());
    let is_unrated =
        |order: &&ServiceOrder| order.status == OrderStatus::Completed && order.review.is_none();
    match order.filter(is_unrated) {
        Some(order) => Ok(!context.are_of_one([&order.buyer.id, &order.provider.id])?),
        None => Ok(false),
    }
}

/// The page of a disputed order, for moderators to decide.
fn show_dispute(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    super::moderation::moderator(context)?;
    let view = View::of_escrow(context, request)?;
    if view.side != Side::Moderator {
        return Err(Error::not_found("dispute between other accounts"));
    }
    page(context, request, view)
}

/// A part of the result as a file.
fn file(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let order = context.ask(&asked(request))?.order;
    View::of_order(context, request, order)?.file(request.field("name").unwrap_or_default())
}

#[derive(Template)]
#[template(path = "order_cancel.html")]
struct Cancel<'a> {
    frame: Frame,
    form: Form<'a>,
    order: ServiceOrder,
}

fn ask_cancel(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let own = context.signed_in()?.id.clone();
    let order = context.ask(&asked(request))?.order;
    if order.buyer.id != own {
        return Err(Error::not_found("order of yours"));
    }
    let frame = Frame::of(context, request, request.t("order-act-cancel"))?;
    Html::of(&Cancel { frame, form: request.form::<CancelOrder>(), order })
}
