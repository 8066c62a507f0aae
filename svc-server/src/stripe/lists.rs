//! Lists, a page per call: the newest first, a hundred at most.

use svc_types::Timestamp;

use super::call::{CallError, Stripe, path};
use super::form::Form;
use super::objects::{BalanceTransaction, CheckoutSession, Dispute, Event, Page, Refund};
use super::payments::{DISPUTES, REFUNDS};

const BALANCE: &str = "/v1/balance_transactions";
const SESSIONS: &str = "/v1/checkout/sessions";

/// Objects per page, the most that Stripe gives.
const PAGE: u32 = 100;

/// Where a page begins.
#[derive(Clone, Copy, Debug)]
pub struct After<'a> {
    /// Only objects that were created then or later.
    pub since: Timestamp,
    /// The last id of the page before.
    pub id: Option<&'a str>,
}

impl After<'_> {
    pub(super) fn form(&self) -> Form {
        let since = self.since.as_millis().div_euclid(1_000);
        page(self.id).with("created[gte]", since)
    }
}

pub(super) fn page(after: Option<&str>) -> Form {
    Form::default().with("limit", PAGE).with_some("starting_after", after)
}

impl Stripe {
    /// Events of these types. Stripe keeps them for 30 days.
    pub async fn events(&self, types: &[&str], after: After<'_>) -> Result<Page<Event>, CallError> {
        self.get("/v1/events", &after.form().with_list("types", types)).await
    }

    /// Entries in the balance.
    pub async fn balance_transactions(
        &self,
        after: After<'_>,
    ) -> Result<Page<BalanceTransaction>, CallError> {
        self.get(BALANCE, &after.form()).await
    }

    /// An entry in the balance.
    pub async fn balance_transaction(&self, id: &str) -> Result<BalanceTransaction, CallError> {
        self.get(&path(BALANCE, id)?, &Form::default()).await
    }

    /// Refunds of a payment.
    pub async fn refunds_of(
        &self,
        payment_intent: &str,
        after: Option<&str>,
    ) -> Result<Page<Refund>, CallError> {
        self.get(REFUNDS, &page(after).with("payment_intent", payment_intent)).await
    }

    /// Sessions.
    pub async fn checkouts(&self, after: After<'_>) -> Result<Page<CheckoutSession>, CallError> {
        self.get(SESSIONS, &after.form()).await
    }

    /// Sessions with their payments and the last charges, for comparing what was sold and what arrived.
    pub async fn checkouts_with_charges(
        &self,
        after: After<'_>,
    ) -> Result<Page<CheckoutSession>, CallError> {
        let form = after.form().with_list("expand", &["data.payment_intent.latest_charge"]);
        self.get(SESSIONS, &form).await
    }

    /// All refunds.
    pub async fn refunds(&self, after: After<'_>) -> Result<Page<Refund>, CallError> {
        self.get(REFUNDS, &after.form()).await
    }

    /// All disputes.
    pub async fn disputes(&self, after: After<'_>) -> Result<Page<Dispute>, CallError> {
        self.get(DISPUTES, &after.form()).await
    }

    /// Disputes of a payment: few, so one page holds them all.
    pub async fn disputes_of(&self, payment_intent: &str) -> Result<Page<Dispute>, CallError> {
        self.get(DISPUTES, &page(None).with("payment_intent", payment_intent)).await
    }
}
