//! An order as a sample of its service: what the page offers its buyer and its seller.

use svc_store::error::Result;
use svc_types::Code;
use svc_types::api::orders::{OrderStatus, SampleState, ServiceOrder};
use svc_types::api::services::{ListSampleOrders, ServiceSample};

use super::status::Side;
use super::view::View;
use crate::http::PageContext;
use crate::pages::content::Part;
use crate::pages::service::sample_parts;

/// The sample that an order is or may become.
pub(in crate::pages) struct Sample {
    is_buyer: bool,
    /// How far it is; none while it is not proposed.
    state: Option<SampleState>,
    /// What is or would be shown: none, or one sample.
    pub(in crate::pages) samples: Vec<[Vec<Part>; 2]>,
}

impl Sample {
    /// The sample on the page of an order; none where there is nothing to say.
    pub(in crate::pages) fn of(context: &mut PageContext<'_>, view: &View) -> Result<Option<Self>> {
        let Some(order) = view.order.as_ref().filter(|_| view.side != Side::Moderator) else {
            return Ok(None);
        };
        let (state, sample) = match &order.sample {
            Some(proposal) => (Some(proposal.state.clone()), proposal.content.clone()),
            None if may_be_offered(view, order) => (None, candidate(context, order)?),
            None => return Ok(None),
        };
        let schemas = view.service.as_ref();
        let shown = sample.map(|sample| sample_parts(view.language, schemas, &sample, None));
        Ok(Some(Self { is_buyer: view.is_buyer(), state, samples: shown.into_iter().collect() }))
    }

    /// The id of its title.
    pub(in crate::pages) const fn title(&self) -> &'static str {
        match (self.is_buyer, &self.state) {
            (false, None) => "order-sample-offer",
            (true, Some(SampleState::Proposed)) => "order-sample-asked",
            _ => "offer-sample",
        }
    }

    /// The id of what there is to say.
    pub(in crate::pages) const fn text(&self) -> &'static str {
        match (self.is_buyer, &self.state) {
            (_, None) => "order-sample-offer-about",
            (_, Some(SampleState::Withdrawn)) => "order-sample-withdrawn",
            (true, Some(SampleState::Proposed)) => "order-sample-asked-about",
            (true, Some(SampleState::Agreed)) => "order-sample-yours-agreed",
            (true, Some(SampleState::Declined)) => "order-sample-yours-declined",
            (true, Some(_)) => "order-sample-yours-revoked",
            (false, Some(SampleState::Proposed)) => "order-sample-proposed",
            (false, Some(SampleState::Agreed)) => "order-sample-agreed",
            (false, Some(SampleState::Declined)) => "order-sample-declined",
            (false, Some(_)) => "order-sample-revoked",
        }
    }

    /// Whether the seller may propose it.
    pub(in crate::pages) const fn is_to_offer(&self) -> bool {
        self.state.is_none()
    }

    /// Whether the buyer is asked.
    pub(in crate::pages) fn is_to_answer(&self) -> bool {
        self.is_buyer && self.state == Some(SampleState::Proposed)
    }

    /// The id of the button that withdraws it or takes it back.
    pub(in crate::pages) const fn end(&self) -> Option<&'static str> {
        match (self.is_buyer, &self.state) {
            (true, Some(SampleState::Agreed)) => Some("order-sample-take-back"),
            (false, Some(SampleState::Proposed)) => Some("order-sample-withdraw"),
            (false, Some(SampleState::Agreed)) => Some("order-sample-remove"),
            _ => None,
        }
    }
}

/// Whether its seller may propose an order, which it has not.
fn may_be_offered(view: &View, order: &ServiceOrder) -> bool {
    let has_result = view.service.is_some() && !view.result.is_empty();
    view.is_seller() && order.status == OrderStatus::Completed && has_result
}

/// What would be shown of an order, if it is one of the latest.
fn candidate(context: &mut PageContext<'_>, order: &ServiceOrder) -> Result<Option<ServiceSample>> {
    let username = order.provider.username.as_str().into();
    let asked = ListSampleOrders { username, service_id: order.service_id.clone() };
    match context.ask(&asked) {
        Ok(list) => {
            let found = list.orders.into_iter().find(|candidate| candidate.order_id == order.id);
            Ok(found.and_then(|found| found.content))
        }
        Err(error) if [Code::NotFound, Code::Forbidden].contains(&error.code()) => Ok(None),
        Err(error) => Err(error),
    }
}
