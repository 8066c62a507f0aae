//! An order for display: the request, its outcome, and what the visitor may do next.

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_types::Credits;
use svc_types::api::bots::{Capability, GetCapabilities};
use svc_types::api::escrow::{
    Dispute, Escrow, EscrowStatus, GetEscrow, ListEscrowEvents, Role, TRANSITIONS, is_terminal,
};
use svc_types::api::orders::{GetOrder, OrderStatus, Review, ServiceOrder};
use svc_types::api::services::Acceptance;
use svc_types::{Code, Timestamp};

use super::status::{self, Badge, Entry, Side, Step};
use crate::http::{Html, PageContext, PageRequest};
use crate::language::Language;
use crate::pages::content::{self, Part};
use crate::pages::escrow::{Act, is_offered_split};
use crate::pages::format;

/// Most entries of the history on a page.
const EVENTS: u32 = 100;

/// An order, with the escrow that pays for it, or an escrow without an order.
pub(in crate::pages) struct View {
    pub(in crate::pages) language: Language,
    pub(in crate::pages) side: Side,
    pub(in crate::pages) order: Option<ServiceOrder>,
    pub(in crate::pages) escrow: Option<Escrow>,
    /// The service as it is offered now; absent if it is not offered any more.
    pub(in crate::pages) service: Option<Capability>,
    pub(in crate::pages) status: OrderStatus,
    /// Whether the seller refused or failed, and the escrow still holds the credits.
    pub(in crate::pages) is_held: bool,
    pub(in crate::pages) request: Vec<Part>,
    pub(in crate::pages) result: Vec<Part>,
    /// The evidence of buyer and seller in a dispute.
    pub(in crate::pages) evidence: [Vec<Part>; 2],
    pub(in crate::pages) history: Vec<Entry>,
    pub(in crate::pages) next: Option<String>,
}

impl View {
    /// The view of an order, with its history from the requested cursor.
    pub(in crate::pages) fn of_order(
        context: &mut PageContext<'_>,
        request: &PageRequest,
        order: ServiceOrder,
    ) -> Result<Self> {
        let escrow = match order.escrow_id.clone() {
            // An escrow pays for its latest order.
            Some(escrow_id) => Some(context.ask(&GetEscrow { escrow_id })?.escrow)
                .filter(|escrow| escrow.request_id.as_ref() == Some(&order.id)),
            None => None,
        };
        Self::of(context, request, Some(order), escrow)
    }

    /// The view of the escrow in a path, with the order that it pays for.
    pub(in crate::pages) fn of_escrow(
        context: &mut PageContext<'_>,
        request: &PageRequest,
    ) -> Result<Self> {
        let escrow = context.ask(&request.decode::<GetEscrow>()?)?.escrow;
        let order = match escrow.request_id.clone() {
            Some(id) => order(context, id)?,
            None => None,
        };
        Self::of(context, request, order, Some(escrow))
    }

    fn of(
        context: &mut PageContext<'_>,
        request: &PageRequest,
        order: Option<ServiceOrder>,
        escrow: Option<Escrow>,
    ) -> Result<Self> {
        let service = service(context, order.as_ref(), escrow.as_ref())?;
        let status = order.as_ref().map_or_else(
            || escrow.as_ref().map_or(OrderStatus::Open, status::of_escrow),
            |order| order.status.clone(),
        );
        let (history, next) = history(context, request, order.as_ref(), escrow.as_ref())?;
        let dispute = escrow.as_ref().and_then(|escrow| escrow.dispute.as_ref());
        let mut view = Self {
            language: request.language,
            side: side(context, order.as_ref(), escrow.as_ref()),
            is_held: has_failed(&status)
                && escrow.as_ref().is_some_and(|escrow| !is_terminal(&escrow.status)),
            request: Vec::new(),
            result: Vec::new(),
            evidence: evidence(request.language, dispute),
            order,
            escrow,
            service,
            status,
            history,
            next,
        };
        view.request = view.asked();
        view.result = view.delivered();
        Ok(view)
    }

    fn asked(&self) -> Vec<Part> {
        let Some(order) = &self.order else { return Vec::new() };
        let schema = self.service.as_ref().and_then(|service| service.input_schema.as_ref());
        content::request(self.language, &order.input, schema)
    }

    fn delivered(&self) -> Vec<Part> {
        let files = format!("{}/files", self.path());
        let (output, kind) = self.output();
        output
            .map(|output| content::result(self.language, &output, self.schema(), kind, &files))
            .unwrap_or_default()
    }

    fn schema(&self) -> Option<&Map<String, Value>> {
        self.service.as_ref().and_then(|service| service.output_schema.as_ref())
    }

    /// What was delivered, and its declared type.
    fn output(&self) -> (Option<Map<String, Value>>, Option<&str>) {
        let work = self.escrow.as_ref().and_then(|escrow| escrow.deliverable.as_ref());
        if let Some(work) = work
            && let Ok(Value::Object(mut members)) = serde_json::to_value(work)
        {
            members.remove("type");
            return (Some(members), Some(&work.kind));
        }
        let output = self.order.as_ref().and_then(|order| order.output.clone());
        (output.filter(|output| !output.is_empty()), None)
    }

    /// A part of the result as a file.
    pub(in crate::pages) fn file(&self, name: &str) -> Result<Html> {
        let (output, kind) = self.output();
        let found = output.and_then(|output| content::file(&output, self.schema(), kind, name));
        found.map(Html::file).ok_or_else(|| Error::not_found("part of the result"))
    }

    /// The page of the order.
    pub(in crate::pages) fn path(&self) -> String {
        match (&self.order, &self.escrow) {
            (Some(order), _) => format!("/orders/{}", order.id),
            (None, Some(escrow)) => format!("/escrow/{}", escrow.id),
            (None, None) => "/orders".to_owned(),
        }
    }

    /// Name and price: `Chart from CSV, 60 credits`.
    pub(in crate::pages) fn title(&self) -> String {
        format!("{}, {}", self.name(), format::price(self.language, self.price()))
    }

    pub(in crate::pages) fn name(&self) -> String {
        let ordered = self.order.as_ref().map(|order| order.service_name.as_str());
        let offered = self.service.as_ref().map(|service| service.name.as_str());
        let known = ordered.or(offered).map(str::to_owned);
        known.unwrap_or_else(|| self.language.text("order-unnamed"))
    }

    pub(in crate::pages) fn price(&self) -> Credits {
        let offered = self.order.as_ref().map(|order| order.offered_credits);
        self.escrow
            .as_ref()
            .map(|escrow| escrow.amount)
            .or(offered)
            .unwrap_or(Credits::from_micros(0))
    }

    pub(in crate::pages) fn buyer(&self) -> &str {
        let buyer = self.escrow.as_ref().map(|escrow| &*escrow.buyer_username);
        buyer.or(self.order.as_ref().map(|order| &*order.buyer.username)).unwrap_or_default()
    }

    pub(in crate::pages) fn seller(&self) -> &str {
        let seller = self.escrow.as_ref().map(|escrow| &*escrow.provider_username);
        seller.or(self.order.as_ref().map(|order| &*order.provider.username)).unwrap_or_default()
    }

    pub(in crate::pages) fn is_buyer(&self) -> bool {
        self.side == Side::Buyer
    }

    pub(in crate::pages) fn is_seller(&self) -> bool {
        self.side == Side::Seller
    }

    pub(in crate::pages) fn review(&self) -> Option<&Review> {
        self.order.as_ref()?.review.as_ref()
    }

    /// Whether a moderator who is no party may decide it.
    pub(in crate::pages) fn is_to_decide(&self) -> bool {
        self.side == Side::Moderator && self.status == OrderStatus::Disputed
    }

    /// Whether it can still change.
    pub(in crate::pages) fn is_open(&self) -> bool {
        let is_open = self.escrow.as_ref().map(|escrow| !is_terminal(&escrow.status));
        is_open
            .unwrap_or_else(|| self.order.as_ref().is_some_and(|order| order.closed_at.is_none()))
    }

    fn is_paid(&self) -> bool {
        self.escrow.as_ref().is_none_or(|escrow| escrow.status != EscrowStatus::Created)
    }

    pub(in crate::pages) fn badge(&self) -> Badge {
        if !self.is_paid() && self.status == OrderStatus::Open {
            return ("wait", "order-status-unpaid");
        }
        status::of_price(status::badge(&self.status, self.side), self.price().is_zero())
    }

    pub(in crate::pages) fn steps(&self) -> Vec<Step> {
        let was_delivered =
            self.escrow.as_ref().is_some_and(|escrow| escrow.delivered_at.is_some());
        status::steps(&self.status, self.is_paid(), was_delivered)
    }

    /// How it ended: the id of a sentence.
    pub(in crate::pages) fn end(&self) -> Option<&'static str> {
        self.escrow.as_ref()?.close_reason.as_ref().map(status::end)
    }

    /// The escrow actions that are open to the visitor.
    pub(in crate::pages) fn acts(&self) -> Vec<Act> {
        let role = match self.side {
            Side::Buyer => Role::Buyer,
            Side::Seller => Role::Provider,
            Side::Moderator => return Vec::new(),
        };
        self.escrow.as_ref().map(|escrow| open_to(escrow, role)).unwrap_or_default()
    }

    /// Whether the buyer may cancel an order without an escrow. How orders of a service that is not
    /// offered any more were accepted is known to the endpoint only.
    pub(in crate::pages) fn is_to_cancel(&self) -> bool {
        let service = self.service.as_ref();
        self.escrow.is_none()
            && self.is_buyer()
            && self.status == OrderStatus::Open
            && service.is_none_or(|service| service.acceptance == Acceptance::Explicit)
    }

    /// The form with which the buyer sends the request again, paid by the escrow that still holds the
    /// credits.
    pub(in crate::pages) fn again(&self) -> Option<String> {
        let (order, escrow) = (self.order.as_ref()?, self.escrow.as_ref()?);
        let service = &self.service.as_ref()?.id;
        let is_possible = self.is_buyer() && holds_for(escrow, order);
        is_possible.then(|| format!("/@{}/services/{service}?order={}", self.seller(), order.id))
    }

    /// The party that the order waits for.
    pub(in crate::pages) fn waits_for(&self) -> Option<&str> {
        match self.status {
            _ if self.is_held => None,
            OrderStatus::Open if !self.is_paid() => Some(self.buyer()),
            OrderStatus::Open | OrderStatus::Working => Some(self.seller()),
            OrderStatus::InputRequired | OrderStatus::Delivered => Some(self.buyer()),
            _ => None,
        }
    }

    /// The number of the latest delivery of an escrow.
    pub(in crate::pages) fn delivery(&self) -> i64 {
        self.escrow.as_ref().map_or(0, |escrow| escrow.deliverable_version)
    }

    /// The next deadline: the id of what is due, until when, and the id of what happens then.
    pub(in crate::pages) fn deadline(&self) -> Option<(&'static str, Timestamp, &'static str)> {
        let Some(escrow) = &self.escrow else {
            let due = self.order.as_ref()?.expires_at?;
            let is_free = self.price().is_zero();
            let after = if is_free { "order-due-after-free" } else { "order-due-after" };
            return Some(("order-due", due, after));
        };
        let after =
            if self.is_paid() { "order-due-after-cancel" } else { "order-due-after-unpaid" };
        match escrow.status {
            EscrowStatus::Created | EscrowStatus::Funded => {
                Some(("order-due", escrow.expires_at, after))
            }
            EscrowStatus::Delivered => {
                Some(("order-review-by", escrow.review_ends_at?, "order-review-after"))
            }
            _ => None,
        }
    }
}

/// Whether an escrow still holds the credits of an order that was declined or failed, so that it can
/// pay for the request when it is sent again.
pub(in crate::pages) fn holds_for(escrow: &Escrow, order: &ServiceOrder) -> bool {
    has_failed(&order.status)
        && escrow.status == EscrowStatus::Funded
        && escrow.request_id.as_ref() == Some(&order.id)
}

/// Whether the seller declined or failed.
fn has_failed(status: &OrderStatus) -> bool {
    matches!(status, OrderStatus::Rejected | OrderStatus::Error)
}

/// The actions that a role may take now.
pub(in crate::pages) fn open_to(escrow: &Escrow, side: Role) -> Vec<Act> {
    let rows = TRANSITIONS.iter().filter(|row| row.from == escrow.status && row.by.contains(&side));
    let is_for_split = |act: &Act| *act != Act::AcceptSplit || is_offered_split(escrow, side);
    rows.filter_map(|row| Act::of(row.action)).filter(is_for_split).collect()
}

/// The visitor's role in an escrow; `None` for a moderator.
pub(in crate::pages) fn role(escrow: &Escrow, name: &str) -> Option<Role> {
    match name {
        name if name == escrow.buyer_username => Some(Role::Buyer),
        name if name == escrow.provider_username => Some(Role::Provider),
        _ => None,
    }
}

fn side(context: &PageContext<'_>, order: Option<&ServiceOrder>, escrow: Option<&Escrow>) -> Side {
    let name = context.account().map(|account| account.username.as_str()).unwrap_or_default();
    let is = |party: Option<&str>| party == Some(name);
    let buyer = escrow.map(|escrow| escrow.buyer_username.as_str());
    let seller = escrow.map(|escrow| escrow.provider_username.as_str());
    if is(buyer.or(order.map(|order| order.buyer.username.as_str()))) {
        Side::Buyer
    } else if is(seller.or(order.map(|order| order.provider.username.as_str()))) {
        Side::Seller
    } else {
        Side::Moderator
    }
}

/// The order that an escrow pays for, unless the visitor can't read it.
fn order(
    context: &mut PageContext<'_>,
    order_id: svc_types::MessageId,
) -> Result<Option<ServiceOrder>> {
    match context.ask(&GetOrder { order_id, wait_seconds: None, after_version: None }) {
        Ok(found) => Ok(Some(found.order)),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The service as it is offered now.
pub(super) fn service(
    context: &mut PageContext<'_>,
    order: Option<&ServiceOrder>,
    escrow: Option<&Escrow>,
) -> Result<Option<Capability>> {
    let ordered = order.map(|order| (order.provider.username.clone(), order.service_id.clone()));
    let paid = escrow.map(|escrow| (escrow.provider_username.clone(), escrow.service_id.clone()));
    let Some((seller, id)) = ordered.or(paid) else { return Ok(None) };
    match context.ask(&GetCapabilities { username: seller.as_str().into() }) {
        Ok(offered) => Ok(offered.capabilities.into_iter().find(|service| service.id == id)),
        Err(error) if error.code() == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn evidence(language: Language, dispute: Option<&Dispute>) -> [Vec<Part>; 2] {
    let label = language.text("order-evidence");
    let shown = |value: Option<&Value>| {
        let value = value.map(|value| Map::from_iter([(label.clone(), value.clone())]));
        value.map(|object| content::request(language, &object, None)).unwrap_or_default()
    };
    [
        shown(dispute.and_then(|dispute| dispute.evidence.as_ref())),
        shown(dispute.and_then(|dispute| dispute.response_evidence.as_ref())),
    ]
}

/// The history of an order, and the link to its next page.
fn history(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    order: Option<&ServiceOrder>,
    escrow: Option<&Escrow>,
) -> Result<(Vec<Entry>, Option<String>)> {
    let Some(escrow) = escrow else {
        let entries = order.map(|order| status::of_order(request.language, order));
        return Ok((entries.unwrap_or_default(), None));
    };
    let page = context.ask(&ListEscrowEvents {
        escrow_id: escrow.id.clone(),
        limit: Some(EVENTS.into()),
        cursor: request.field("cursor").map(Into::into),
    })?;
    let order = order.filter(|_| page.next_cursor.is_none());
    let entries = status::of_events(request.language, page.events, escrow, order);
    Ok((entries, request.next(page.next_cursor.as_ref())))
}
