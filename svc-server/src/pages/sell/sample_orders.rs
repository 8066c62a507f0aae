//! Orders of a service that are samples or may become some, below its editor.

use svc_store::error::Result;
use svc_types::api::orders::SampleState;
use svc_types::api::services::{ListSampleOrders, SampleOrder, Service};

use crate::http::PageContext;
use crate::language::Language;
use crate::pages::content::{self, Part};

/// An order in the list.
pub(super) struct Row {
    pub(super) order: SampleOrder,
    /// What is or would be shown: none, or one sample.
    pub(super) samples: Vec<[Vec<Part>; 2]>,
}

/// The orders of a service of an agent, newest first.
pub(super) fn rows(
    context: &mut PageContext<'_>,
    language: Language,
    agent: &str,
    service: &Service,
) -> Result<Vec<Row>> {
    let asked = ListSampleOrders { username: agent.into(), service_id: service.id.clone() };
    let orders = context.ask(&asked)?.orders;
    let [input, output] = [service.input_schema.as_ref(), service.output_schema.as_ref()];
    let row = |order: SampleOrder| {
        let samples = order.content.iter().map(|sample| {
            let request = content::request(language, &sample.input, input);
            [request, content::sample(language, &sample.output, output, None)]
        });
        Row { samples: samples.collect(), order }
    };
    Ok(orders.into_iter().map(row).collect())
}

impl Row {
    /// The class of its state, and the id of its label.
    pub(super) const fn state(&self) -> (&'static str, &'static str) {
        match &self.order.state {
            None => ("", "sell-orders-open"),
            Some(SampleState::Proposed) => ("wait", "sell-orders-proposed"),
            Some(SampleState::Agreed) => ("good", "sell-orders-agreed"),
            Some(SampleState::Declined) => ("bad", "sell-orders-declined"),
            Some(SampleState::Withdrawn) => ("bad", "sell-orders-withdrawn"),
            Some(_) => ("bad", "sell-orders-revoked"),
        }
    }

    /// What the seller may do: the end of the path, and the id of the button.
    pub(super) const fn act(&self) -> Option<(&'static str, &'static str)> {
        match &self.order.state {
            None => Some(("sample", "order-sample-offer")),
            Some(SampleState::Proposed) => Some(("sample/withdraw", "order-sample-withdraw")),
            Some(SampleState::Agreed) => Some(("sample/withdraw", "order-sample-remove")),
            Some(_) => None,
        }
    }
}
